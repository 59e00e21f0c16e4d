# What 001_unique.pl asks of sno, asked of the other types: no ID twice, every
# session's IDs increase, every ID is counted.  Many sessions at the one pool of
# snowflake, siq, uid64 and uid96 beside each other, numbers that change by reload
# while sessions are in the middle of a statement.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant SESSIONS => 8;

my @siq_types = qw(content multi manytomany ternary tag channel thread message
  user group event invite application collection premium);

my $node = new_server('formats',
	conf => [ 'flakeid.node = 7', "flakeid.siq_domain = 'example.com'", 'flakeid.siq_shard = 8' ]);

# Every n-th of siq's types, in turn with the rows that count i.
sub siq_type
{
	my ($n) = @_;

	return "('{" . join(',', @siq_types) . "}'::siq_type[])[1 + i * $n % " . @siq_types . ']';
}

# What the generators of a type say they have handed out, once the sessions that
# made IDs are gone: one that is just leaving moves its count.
sub issued
{
	my ($type) = @_;

	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type IN ('client backend', 'parallel worker')")
	  or die 'sessions stay';
	return $node->safe_psql('postgres', "SELECT coalesce(sum(issued), 0) FROM flakeid_generators WHERE type = '$type'");
}

# Some columns of a file, row by row, as a file with an ID a line.
sub stream
{
	my ($file, $columns) = @_;
	my $stream = "$file." . ($columns =~ tr/,/_/r);

	system_or_bail('sh', '-c', 'cut -f "$2" <"$1" | tr "\t" "\n" >"$3"', 'sh', $file, $columns, $stream);
	return $stream;
}

sub all_increase
{
	my ($name, @files) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is((grep { !increasing($_) } @files), 0, "$name: IDs increase in every session");
}

# Sessions that all run the same query, of whose columns "ids" are IDs of one
# generator in the order they were made: increasing, unique.  Answers how many
# the generators counted, and the files.
sub concurrent
{
	my ($type, $query, $ids, $count) = @_;
	my $before = issued($type);
	my @files = map { id_file($node, "$type.$_") } 1 .. SESSIONS;
	my @streams;

	run_sessions($node, map { "COPY ($query) TO '$_'" } @files);
	@streams = map { stream($_, $ids) } @files;
	all_increase("$type, sessions at once", @streams);
	all_unique("$type, sessions at once: no ID twice", SESSIONS * $count, \@streams, sorted => 1);
	unlink @streams;
	return (issued($type) - $before, @files);
}

# ---------- snowflake ----------

# IDs by another epoch, moved to the default one: what they have in common is the
# sequence, and none may be among the others.  Their texts, of 19 digits from 2022
# to 2090, sort as they do.
my $snowflakes = "snowflake_new(), snowflake_new('2020-01-01 00:00+00')::bigint + snowflake_min('2020-01-01 00:00+00')::bigint";

# More sessions than there are process numbers, which belong to none of them.  All
# have made one ID before any goes on, and together they use more than one process has.
sub crowd
{
	my ($sessions, $rows) = @_;
	my $before = issued('snowflake');
	my $gate = session($node);
	my @files = map { id_file($node, "crowd.$_") } 1 .. $sessions;
	my (@running, @streams);

	attempt($gate, 'SELECT pg_advisory_lock(1)');
	@running = start_sessions($node, map { "
		SELECT snowflake_new();
		SELECT pg_advisory_lock_shared(1);
		COPY (SELECT $snowflakes FROM generate_series(1, $rows)) TO '$_';
	" } @files);
	$node->poll_query_until('postgres', "SELECT sessions = $sessions + 1 FROM flakeid_clock") or die 'sessions missing';
	$gate->quit;
	finish_sessions(@running);

	@streams = map { stream($_, '1,2') } @files;
	all_increase("snowflake, $sessions sessions", @streams);
	all_unique("snowflake, $sessions sessions: no ID twice", 2 * $sessions * $rows, \@streams, sorted => 1);
	is(issued('snowflake') - $before, $sessions * (1 + 2 * $rows), 'snowflake: and every one counted');
	$node->safe_psql('postgres', "CREATE TABLE crowd (a snowflake, b bigint)");
	$node->safe_psql('postgres', "COPY crowd FROM '$_'") foreach @files;
	cmp_ok($node->safe_psql('postgres', 'SELECT count(DISTINCT snowflake_process(a)) FROM crowd; DROP TABLE crowd'), '>', 1,
		'snowflake: process and sequence are one pool');
	unlink @files, @streams;
	return;
}

crowd(40, 30_000);

# ---------- siq ----------

# Two domains of mixed types, one of them named in two ways; all sessions share the
# server's shard.
{
	my $rows = 80_000;
	my ($issued, @files) = concurrent('siq', '
		SELECT siq_new(' . siq_type(1) . '), siq_new(' . siq_type(2) . ", 'example.com'),
			siq_new(" . siq_type(4) . ", 'example.org')
		FROM generate_series(1, $rows) AS i", '1,2', 2 * $rows);
	my @others = map { stream($_, '3') } @files;

	all_increase('siq, another domain', @others);
	all_unique('siq, another domain: no ID twice', SESSIONS * $rows, \@others, sorted => 1);
	is($issued, SESSIONS * 3 * $rows, 'siq: and every one counted');
	is( $node->safe_psql('postgres', "
			SELECT string_agg(number::text, ' ' ORDER BY number) FROM flakeid_generators WHERE type = 'siq'"),
		'8', 'siq: on the one shard');
	unlink @files, @others;
}

# ---------- uid64, uid96 ----------

# One generator, counted as uid64, numbers both: without its node a uid96 is an ID
# that nobody else got, whatever its drift.
{
	my $rows = 100_000;
	my ($issued, @files) = concurrent('uid64', "
		SELECT local, uid96_to_local(global), uid96_to_local(uid96_new(5 + i % 6), 5 + i % 6), global
		FROM (SELECT i, uid64_new() AS local, uid96_new() AS global FROM generate_series(1, $rows) AS i) AS made",
		'1-3', 3 * $rows);
	my @globals = map { stream($_, '4') } @files;

	all_increase('uid96, sessions at once', @globals);
	is($issued, SESSIONS * 3 * $rows, 'uid64 and uid96: and every one counted');
	unlink @files, @globals;
}

# ---------- flax ----------

# Not the IDs, which differ by their times, but the random bits alone: of so many
# two are equal by chance once in a million runs, and always when sessions share
# them or use them twice.  The order is that of the milliseconds.
{
	my $rows = 50_000;
	my @files = map { id_file($node, "flax.$_") } 1 .. SESSIONS;
	my (@random, @times);

	run_sessions($node, map { "
		COPY (
			SELECT flax_random(id), flax_min(flax_timestamp(id))
			FROM (SELECT flax_new() AS id FROM generate_series(1, $rows)) AS made
		) TO '$_'" } @files);
	@random = map { stream($_, '1') } @files;
	@times = map { stream($_, '2') } @files;
	all_unique('flax: no randomness twice', SESSIONS * $rows, \@random);
	is((grep { system('env', 'LC_ALL=C', 'sort', '-c', '--', $_) != 0 } @times), 0, 'flax: the times never decrease');
	unlink @files, @random, @times;
}

# ---------- numbers that change ----------

# Sessions whose numbers change again and again, half of them for siq and half for
# snowflake: each at its own time, so that all numbers are in use at once.
{
	my @shards = (200, 5, 100, 30, 2);
	my @workers = (20, 3, 31, 9, 1);
	my $rows = 20_000;
	my %make = (
		siq => [ 'siq_new(' . siq_type(1) . ')', 'siq_shard' ],
		snowflake => [ 'snowflake_new()', 'snowflake_worker' ]);
	my @types = map { ('siq', 'snowflake') } 1 .. SESSIONS / 2;
	my @files = map { my $session = $_; [ map { id_file($node, "move.$session.$_") } 0 .. $#shards ] } 0 .. SESSIONS - 1;
	my $before = issued('siq') + issued('snowflake');
	my ($strays, @streams) = (0);

	run_sessions($node, map { my $session = $_; join '', map { "
		SET flakeid.siq_shard = $shards[$_];
		SET flakeid.snowflake_worker = $workers[$_];
		COPY (
			SELECT id, $make{$types[$session]}[1](id)
			FROM (SELECT $make{$types[$session]}[0] AS id FROM generate_series(1, $rows) AS i) AS made
		) TO '$files[$session][$_]';" } 0 .. $#shards } 0 .. SESSIONS - 1);
	foreach my $session (0 .. SESSIONS - 1)
	{
		foreach my $phase (0 .. $#shards)
		{
			my $numbers = stream($files[$session][$phase], '2');

			$strays += grep { $_ ne ($types[$session] eq 'siq' ? $shards[$phase] : $workers[$phase]) } split /\n/, slurp_file($numbers);
			push @streams, stream($files[$session][$phase], '1');
			unlink $files[$session][$phase], $numbers;
		}
	}
	is($strays, 0, 'numbers that change: each ID has its session\'s');
	all_increase('numbers that change, while one stays', @streams);
	all_unique('numbers that change: no ID twice', SESSIONS * $rows * @shards, \@streams, sorted => 1);
	is(issued('siq') + issued('snowflake') - $before, SESSIONS * $rows * @shards, 'numbers that change: and every one counted');
	unlink @streams;
}

$node->stop;
done_testing();
