# The library, when it is not preloaded, is loaded by whatever needs it first: in the
# midst of a parallel operation, after a SET, with a bad value in the file.  The
# settings are those of the file, for leader and worker alike, or it is an error.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant PART => 'SELECT sno_partition(sno_new(0))';

my $mark = MARK;
my @conf = ('flakeid.node = 77');
my @cheap = ('parallel_setup_cost = 0', 'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0', 'min_parallel_index_scan_size = 0',
	'parallel_leader_participation = off', 'max_parallel_maintenance_workers = 2', 'max_parallel_workers_per_gather = 2');
my $node = new_server('first', conf => \@conf, server => \@cheap);
my $forced = $node->pg_version >= 16 ? 'debug_parallel_query' : 'force_parallel_mode';
my $refused = qr/ERROR:  22023: [^\n]*"flakeid\.node"/;

# One statement after the other in a session of its own: what the last one answers.
sub anew
{
	my (@statements) = @_;
	my $session = session($node);
	my $answer;

	$answer = attempt($session, $_) foreach @statements;
	$session->quit;
	return $answer;
}

# ---------- in a parallel operation ----------

$node->safe_psql('postgres', $_) foreach map {
	my $type = $_->[0];
	("CREATE TABLE t_$type AS SELECT $_->[1] AS id, n FROM generate_series(1, 3000) AS n", "ALTER TABLE t_$type SET (parallel_workers = 2)",
		"CREATE INDEX i_$type ON t_$type (id)", "ANALYZE t_$type");
} [ 'sno', 'sno_new(0)' ], [ 'uid96', 'uid96_new()' ];

foreach my $type ('sno', 'uid96')
{
	foreach my $statement ("CREATE INDEX other ON t_$type (id); DROP INDEX other", "REINDEX INDEX i_$type", "REINDEX TABLE t_$type",
		"ALTER TABLE t_$type ADD PRIMARY KEY (id); ALTER TABLE t_$type DROP CONSTRAINT t_${type}_pkey", "CLUSTER t_$type USING i_$type",
		"SET enable_indexscan = off; SET enable_indexonlyscan = off; SELECT count(*) FROM (SELECT id FROM t_$type ORDER BY id OFFSET 0) AS s",
		"SET enable_indexscan = off; SET enable_indexonlyscan = off; SELECT id FROM t_$type WHERE n < 3",
		"SELECT count(*) FROM (SELECT DISTINCT id FROM t_$type OFFSET 0) AS s", "SELECT max(id) FROM t_$type WHERE n > 1")
	{
		my $session = session($node);
		my $first = $statement =~ /^SET|SELECT/ ? 'SELECT' : "SET client_min_messages = debug1";

		attempt($session, $first);
		$session->{stderr} = '';
		$session->query($statement);
		unlike($session->{stderr}, qr/ERROR/, "first load: $statement");
		like($session->{stderr}, qr/with request for 2 parallel workers/, "first load: $statement: by parallel workers") if $statement =~ /INDEX|PRIMARY/;
		is(attempt($session, PART), '77', "first load: $statement: the settings are the file's");
		is(attempt($session, 'SHOW flakeid.node') . ' ' . attempt($session, 'SELECT node FROM flakeid_clock'), '77 77', "first load: $statement: and shown");
		is(attempt($session, "SELECT count(siq_new('user')), count(snowflake_new_at(now())), count(uid96_new()), count(flax_new())") =~ /ERROR:  (?!22023: flakeid\.node is too great)/ ? 'error' : 'well',
			'well', "first load: $statement: other types, too");
		$session->quit;
	}
}
like(anew('EXPLAIN SELECT id FROM t_sno WHERE n < 3'), qr/Gather/, 'a scan is parallel');

# ---------- SET before it is loaded ----------

foreach my $set (q(SET flakeid.node = '3'), q(SET SESSION flakeid.node = 'abc'), q(SELECT set_config('flakeid.node', '3', false)))
{
	foreach my $undo ('RESET ALL', 'DISCARD ALL')
	{
		my $session = session($node);

		attempt($session, $set);
		like(attempt($session, PART), $refused, "$set: refused");
		like(attempt($session, PART), $refused, "$set: and once more");
		is(attempt($session, $undo), '', "$set; $undo");
		is(attempt($session, PART), '77', "$set; $undo: the settings are the file's");
		$session->quit;
	}
	is(anew($set, 'RESET ALL', PART), '77', "$set; RESET ALL, all before it is loaded");
	is(anew("BEGIN; $set", 'ROLLBACK', PART), '77', "$set, rolled back before it is loaded");
}

# ---------- leader and worker ----------

# A statement that a worker alone runs.
sub in_worker
{
	my ($sql) = @_;

	return "SET $forced = on; $sql";
}

like(anew(in_worker('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' . PART)), qr/Workers Launched: 1/, 'a worker makes the ID');
is(anew(in_worker(PART)), '77', 'in a worker: the settings are the file\'s');
foreach my $value ('4711', 'abc', '70000')
{
	my ($leader, $worker) = (anew("SET flakeid.node = '$value'", PART), anew("SET flakeid.node = '$value'", in_worker(PART)));

	like($leader, $refused, "SET flakeid.node = $value: refused in a leader");
	like($worker, $refused, "SET flakeid.node = $value: and in a worker");
	is(anew("SET flakeid.node = '$value'", in_worker(PART), 'RESET ALL', in_worker(PART)), '77', "SET flakeid.node = $value; RESET ALL: not any more");
}

# A transaction that has changed what the catalogs say of the table, but not its file.
foreach my $ddl ("GRANT SELECT ON $mark TO public", "REVOKE ALL ON $mark FROM public", "ALTER TABLE $mark SET (autovacuum_enabled = off)",
	"COMMENT ON TABLE $mark IS 'changed'", "ANALYZE $mark", 'ALTER EXTENSION flakeid DROP VIEW flakeid_formats; ALTER EXTENSION flakeid ADD VIEW flakeid_formats',
	"LOCK TABLE $mark IN SHARE MODE")
{
	my $session = session($node);

	attempt($session, "BEGIN; $ddl");
	is(attempt($session, PART), '77', "$ddl: the leader makes IDs");
	attempt($session, 'COMMIT');
	attempt($session, "BEGIN; $ddl");
	is(attempt($session, in_worker(PART)), '77', "$ddl: so does a worker");
	attempt($session, 'ROLLBACK');
	$session->quit;
}

# ---------- a bad value ----------

# In the file before the start.
write_settings($node, q(flakeid.node = 'eleven'));
$node->restart;
like(anew(PART), $refused, 'a bad value in the file: no ID');
foreach my $view ('flakeid_formats', 'flakeid_clock', 'flakeid_generators')
{
	like(anew("SELECT count(*) FROM $view"), qr/^\d+$/, "a bad value in the file: $view answers");
	like(anew(PART, "SELECT count(*) FROM $view"), qr/^\d+$/, "a bad value in the file: $view answers who was refused");
}
like(anew('SELECT c::text FROM flakeid_clock AS c'), qr/eleven|flakeid\.node/, 'a bad value in the file: and tells of it');
configure($node, @conf);
is(anew(PART), '77', 'a bad value in the file, mended');
unlike(anew('SELECT c::text FROM flakeid_clock AS c'), qr/eleven/, 'a bad value in the file, mended: nothing to tell');

# Read by those who have loaded the library, of whom one complains.
{
	my $session = session($node);
	my $at = -s $node->logfile;

	is(attempt($session, PART), '77', 'a reload: before it');
	configure($node, q(flakeid.node = 'twelve'));
	attempt($session, 'SELECT 1');
	like(slurp_file($node->logfile, $at), qr/(?:LOG|WARNING):  [^\n]*"flakeid\.node"[^\n]*"twelve"/, 'a reload with a bad value: the log has the complaint');
	like(attempt($session, 'SELECT count(*) FROM flakeid_clock'), qr/^1$/, 'a reload with a bad value: the view answers');
	like(attempt($session, 'SELECT c::text FROM flakeid_clock AS c'), qr/twelve|flakeid\.node/, 'a reload with a bad value: and tells of it');
	like(anew(PART), $refused, 'a reload with a bad value: new sessions make no ID');
	configure($node, @conf);
	is(attempt($session, PART), '77', 'a reload with a bad value, mended');
	$session->quit;
}

$node->stop;
done_testing();
