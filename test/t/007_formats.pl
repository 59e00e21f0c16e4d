# The same tests as 001_unique.pl's of sno, for the other types: no ID is issued twice,
# every session's IDs increase, every ID is counted.  Many sessions share the one pool of
# snowflake, of siq, and of uid64 and uid96 together, and numbers change by reload while
# sessions are in the middle of a statement.  No two processes use the same random bytes.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant SESSIONS => 8;

my @siq_types = qw(content multi manytomany ternary tag channel thread message
  user group event invite application collection premium);

my $node = new_server('formats',
	conf => [ 'flakeid.node = 7', "flakeid.siq_domain = 'example.com'", 'flakeid.siq_shard = 8' ]);

# Every n-th of siq's types, in turn with the rows that count i.
sub siq_type
{
	my ($n) = @_;

	return "('{" . join(',', @siq_types) . "}'::text[])[1 + i * $n % " . @siq_types . ']';
}

# How many IDs the generators of a type say they have handed out, once the sessions that
# made IDs are gone: a session adds its count to the total when it ends.
sub issued
{
	my ($type) = @_;

	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type IN ('client backend', 'parallel worker')")
	  or die 'sessions stay';
	return $node->safe_psql('postgres', "SELECT coalesce(sum(issued), 0) FROM flakeid_generators WHERE type = '$type'");
}

# Write some columns of a file, row by row, to a file with one ID per line.
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

# Run the same query in many sessions.  Its columns "ids" are IDs of one generator in
# the order they were made: they must increase and be unique.  Return how many the
# generators counted, and the files.
sub concurrent
{
	my ($type, $query, $ids, $count) = @_;
	my $before = issued($type);
	my @files = map { id_file($node, "$type.$_") } 1 .. SESSIONS;
	my @streams;

	run_sessions($node, map { "COPY ($query) TO '$_'" } @files);
	@streams = map { stream($_, $ids) } @files;
	all_increase("$type, concurrent sessions", @streams);
	all_unique("$type, concurrent sessions: no ID twice", SESSIONS * $count, \@streams, sorted => 1);
	unlink @streams;
	return (issued($type) - $before, @files);
}

# ---------- snowflake ----------

# Convert IDs made with another epoch to the default one: both share the sequence, so
# none may be equal to one of the others.  Their texts, 19 digits from 2022 to 2090, sort
# as the IDs do.
my $snowflakes = "snowflake_new(), snowflake_new('2020-01-01 00:00+00')::bigint + snowflake_min('2020-01-01 00:00+00')::bigint";

# More sessions than process numbers: no session owns one.  All sessions make one ID
# before any continues, and together they use more numbers than one process has.
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

crowd(40, whole_or_short(30_000, 8_000));

# ---------- siq ----------

# Two domains of mixed types, one of them written in two ways; all sessions share the
# server's shard.
{
	my $rows = whole_or_short(80_000, 10_000);
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

# One generator, counted as uid64, makes both types: a uid96 without its node differs
# from every other ID, whatever its drift.
{
	my $rows = whole_or_short(100_000, 12_000);
	my ($issued, @files) = concurrent('uid64', "
		SELECT local, uid96_to_local(global), uid96_to_local(uid96_new(5 + i % 6), 5 + i % 6), global
		FROM (SELECT i, uid64_new() AS local, uid96_new() AS global FROM generate_series(1, $rows) AS i) AS made",
		'1-3', 3 * $rows);
	my @globals = map { stream($_, '4') } @files;

	all_increase('uid96, concurrent sessions', @globals);
	is($issued, SESSIONS * 3 * $rows, 'uid64 and uid96: and every one counted');
	unlink @files, @globals;
}

# ---------- flax ----------

# Compare only the random bits, because the IDs already differ by their times: among so
# many, two are equal by chance once in a million runs, and always if sessions share
# random bytes or use them twice.  The order is by millisecond.
{
	my $rows = whole_or_short(50_000, 10_000);
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

# The numbers of these sessions change again and again, half of them for siq and half for
# snowflake: each at its own time, so that all numbers are in use simultaneously.
{
	my @shards = (200, 5, 100, 30, 2);
	my @workers = (20, 3, 31, 9, 1);
	my $rows = whole_or_short(20_000, 3_000);
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

# ---------- random bytes ----------

# Those kept for flax, ulid and uuid7 were drawn recently by the process that uses them: neither a
# process forked from one that holds some nor a copy of a virtual machine resumed from a snapshot
# makes IDs from the same bytes.

# A backend that draws random bytes and then forks.  While both claim to be the same
# process, they behave like two copies of a machine.
append_to_file($node->basedir . '/split.c', q(
	#include "postgres.h"
	#include "fmgr.h"
	#include "miscadmin.h"
	#include "utils/lsyscache.h"
	#if __has_include("varatt.h")
	#include "varatt.h"
	#endif
	#include <sys/wait.h>
	#include <unistd.h>

	PG_MODULE_MAGIC;

	PG_FUNCTION_INFO_V1(split);

	#define RANDOM	7			/* the last bytes of an ID: its time and place are not these */

	static char *
	random_of(Oid function)
	{
		char	   *id = DatumGetPointer(OidFunctionCall0(function));

		return id + get_typlen(get_func_rettype(function)) - RANDOM;
	}

	/*
	 * split(function, own_pid, wait): the random bytes of both, the wait, in ms, after it
	 * became two.  The one goes on after the other: they have one place in shared memory.
	 */
	Datum
	split(PG_FUNCTION_ARGS)
	{
		Oid			function = PG_GETARG_OID(0);
		bytea	   *both = palloc(VARHDRSZ + 2 * RANDOM);
		int			ends[2];
		pid_t		child;

		SET_VARSIZE(both, VARHDRSZ + 2 * RANDOM);
		random_of(function);
		if (pipe(ends) != 0 || (child = fork()) < 0)
			elog(ERROR, "no child: %m");
		if (child == 0 && PG_GETARG_BOOL(1))
			MyProcPid = getpid();
		for (int ms = 0; ms < PG_GETARG_INT32(2); ms += 50)
			usleep(50000);
		if (child == 0)
			_exit(write(ends[1], random_of(function), RANDOM) != RANDOM);
		close(ends[1]);
		if (read(ends[0], VARDATA(both), RANDOM) != RANDOM)
			elog(ERROR, "no ID of the child");
		close(ends[0]);
		waitpid(child, NULL, 0);
		memcpy(VARDATA(both) + RANDOM, random_of(function), RANDOM);
		PG_RETURN_BYTEA_P(both);
	}
));

my $library = build_library($node, 'split', $node->basedir . '/split.c');

SKIP:
{
	skip 'no compiler, or no headers of PostgreSQL', 6 unless $library;
	$node->safe_psql('postgres', "CREATE FUNCTION split(regprocedure, boolean, int) RETURNS bytea AS '$library' LANGUAGE C STRICT");
	foreach my $case ([ 'a child', 'true, 0' ], [ 'a copy, later', 'false, 1500' ])
	{
		my ($name, $arguments) = @$case;

		is($node->safe_psql('postgres', "SELECT substr(bytes, 1, 7) = substr(bytes, 8), length(bytes) FROM split('$_', $arguments) AS bytes"),
			'f|14', "$_: $name has random bytes of its own") foreach 'flax_new()', 'ulid_new()', 'uuid7_new()';
	}
}

$node->stop;
done_testing();
