# No ID is issued twice among a hundred million of each type, and every session's IDs
# increase: with concurrent sessions that commit, roll back, only read, fail and reconnect.
# Then the server crashes and starts again with its clock three seconds late, and everything
# continues.
#
# TORTURE_IDS sets their number (100000000), TORTURE_GENERATORS the generators ("ulid uuid7").
# COPY writes them in binary format, and twice.c merges the files.  The disk needs space for
# one generator's IDs: 3 GB.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

use constant IDS => $ENV{TORTURE_IDS} || 100_000_000;
use constant SESSIONS => 12;
use constant ROUNDS => 10;    # transactions per session ...
use constant BEFORE => 8;    # ... so many of them before the crash
use constant OWN => 11;

# IDs from one generator must differ from each other: sno with any meta, from the server's
# partition by either name; uid96 by the uid64 that it contains.  Name, bytes, calls, and the
# number of types.
my @types = map { "'$_'" } qw(content multi manytomany ternary tag channel thread message user group event invite application collection premium);
my @generators = (
	[ 'sno', 10, 'CASE WHEN i / 1000 % 2 = 0 THEN sno_set_meta(sno_new(i % 256), 0) ELSE sno_set_meta(sno_new(i % 256, ' . OWN . '), 0) END', 1 ],
	[ 'snowflake', 8, 'snowflake_new()', 1 ],
	[ 'siq', 14, 'siq_new((ARRAY[' . join(', ', @types) . "])[1 + i % ${\ scalar @types}])", 1 ],
	[ 'uid64 and uid96', 8, 'CASE WHEN i % 2 = 0 THEN uid96_to_local(uid96_new()) ELSE uid64_new() END', 2 ],
	[ 'ulid', 16, 'ulid_new()', 1 ],
	[ 'uuid7', 16, 'uuid7_new()', 1 ],
	[ 'ksuid', 20, 'ksuid_new()', 1 ],
	[ 'flax', 12, 'flax_new()', 1 ]);
my %wanted = map { $_ => 1 } split ' ', $ENV{TORTURE_GENERATORS} || '';

my $clock = clock_available();
my $node = new_server('ids', clock => $clock, conf => [ 'flakeid.node = ' . OWN ]);
my $dir = id_file($node, 'made');
my $twice = PostgreSQL::Test::Utils::tempdir() . '/twice';

# ---------- what the sessions do ----------

# By the number of the session: the statements before and after each COPY.
my @kinds = (
	[ 'BEGIN;', 'COMMIT;' ],
	[ 'BEGIN;', 'ROLLBACK;' ],
	[ 'BEGIN READ ONLY;', 'COMMIT;' ],
	[ 'BEGIN; SAVEPOINT s;', "\n\\set ON_ERROR_STOP 0\nSELECT 1 / 0;\n\\set ON_ERROR_STOP 1\nROLLBACK TO s; COMMIT;" ],
	[ '', "\n\\c -" ]);

# A file for each transaction; no order is promised across connections.  Nor is it for sno
# after the clock has been set back, because sno has two timelines: then "part" distinguishes
# the process before the crash from the one after it.
sub files
{
	my ($session, $part, @rounds) = @_;
	my $again = $kinds[ $session % @kinds ][1] =~ /\\c/;

	return map { "$dir/$session$part" . ($again ? "-$_.1" : ".$_") } @rounds;
}

sub script
{
	my ($make, $rows, $session, @which) = @_;
	my ($before, $after) = @{ $kinds[ $session % @kinds ] };

	return join '', map { "$before COPY (SELECT $make FROM (SELECT generate_series(1, $rows) AS i) AS rows) TO '$_' (FORMAT binary); $after\n" } files($session, @which);
}

# For so many types together.
sub rows_each
{
	my ($count) = @_;

	return int(($count * IDS - 1) / SESSIONS / ROUNDS) + 1;
}

# The output of twice.c for files.
sub check
{
	my ($out, $err) = run_command([ $twice, @_ ]);

	return $out || $err;
}

# ---------- all of it ----------

system_or_bail('cc', '-O2', '-std=c11', '-D_GNU_SOURCE', '-o', $twice, "$FindBin::RealBin/twice.c");
mkdir $dir or die;

# faults that it must find
$node->safe_psql('postgres', "COPY (SELECT int4send(i) FROM generate_series(1, 9) AS i) TO '$dir/a.1' (FORMAT binary);
	COPY (SELECT int4send(i) FROM generate_series(8, 1, -1) AS i) TO '$dir/a.2' (FORMAT binary);
	COPY (SELECT int4send(i) FROM unnest(ARRAY[10, 13, 12, 11]) AS i) TO '$dir/b.1' (FORMAT binary)");
is(check(4, 'ordered', map { "$dir/$_" } qw(a.1 a.2 b.1)), '21 rows by 2 processes, 8 twice, 10 out of order', 'twice.c finds faults');
unlink glob "$dir/*";

foreach my $generator (@generators)
{
	my ($name, $bytes, $make, $count) = @$generator;
	my $rows = SESSIONS * ROUNDS * rows_each($count);
	my $start = time;
	my @parts = ([ '', 1 .. BEFORE ], [ $name eq 'sno' ? 'b' : '', BEFORE + 1 .. ROUNDS ]);
	my @files = map { my $session = $_; map { files($session, @$_) } @parts } 0 .. SESSIONS - 1;
	my $found;

	next if %wanted && !grep { $wanted{$_} } split / and /, $name;
	telling(
		sub { my $written = 0; $written += -s $_ || 0 foreach @files; return sprintf '%s: %.1f GB written', $name, $written / 1e9 },
		sub {
			# with the real clock
			$node->restart;
			run_sessions($node, map { script($make, rows_each($count), $_, @{ $parts[0] }) } 0 .. SESSIONS - 1);
			crash($node, all => 1);
			set_clock($node, '-3') if $clock;
			start_server($node);
			run_sessions($node, map { script($make, rows_each($count), $_, @{ $parts[1] }) } 0 .. SESSIONS - 1);
		});
	diag sprintf '%s: %d made in %d s', $name, $rows, time - $start;
	$start = time;
	$found = telling(sub { return "$name: looking for two alike" }, sub { return check($bytes, $name eq 'flax' ? 'random' : 'ordered', @files) });
	like($found, qr/^$rows rows by \d+ processes, 0 twice, 0 out of order$/, "$name: no ID twice" . ($name eq 'flax' ? '' : ", and every process's increase"));
	diag sprintf '%s: compared in %d s', $name, time - $start;
	unlink @files;
}

$node->stop;
done_testing();
