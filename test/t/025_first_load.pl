# A library that is not preloaded is loaded by the first statement that needs it: in the
# middle of a parallel operation, after a SET, with a bad value in the file.  Leader and
# workers alike use the settings of the file, the database or the role, or report an
# error.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant PART => 'SELECT sno_partition(sno_new(0))';

my $mark = MARK;
my @conf = ('flakeid.node = 77');
my @cheap = ('parallel_setup_cost = 0', 'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0', 'min_parallel_index_scan_size = 0',
	'parallel_leader_participation = off', 'max_parallel_maintenance_workers = 2', 'max_parallel_workers_per_gather = 2');
my $node = new_server('first', conf => \@conf, server => \@cheap);
my $refused = qr/ERROR:  22023: [^\n]*"flakeid\.node"/;

# Run one statement after the other in a new session: the answer of the last one.
sub in_new_session
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
		unlike(attempt($session, $statement), qr/ERROR/, "first load: $statement");
		like($session->{stderr}, qr/with request for 2 parallel workers/, "first load: $statement: by parallel workers") if $statement =~ /INDEX|PRIMARY/;
		is(attempt($session, PART), '77', "first load: $statement: the settings are the file's");
		is(attempt($session, 'SHOW flakeid.node') . ' ' . attempt($session, 'SELECT node FROM flakeid_clock'), '77 77', "first load: $statement: and shown");
		is(attempt($session, "SELECT count(siq_new('user')), count(snowflake_new_at(now())), count(uid96_new()), count(flax_new())") =~ /ERROR:  (?!22023: flakeid\.node is too large)/ ? 'error' : 'well',
			'well', "first load: $statement: other types, too");
		$session->quit;
	}
}
like(in_new_session('EXPLAIN SELECT id FROM t_sno WHERE n < 3'), qr/Gather/, 'a scan is parallel');

# A number set in the file, for the database or for the role is right during the operation and after it.
$node->safe_psql('postgres', q(
	CREATE FUNCTION seen(n int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
		AS $$ SELECT current_setting('flakeid.node')::int + 0 * (n + length(public.sno_max('2026-01-01Z')::text)) $$;
	CREATE TABLE many AS SELECT n FROM generate_series(1, 3000) AS n;
	ALTER TABLE many SET (parallel_workers = 2)));
foreach my $case ([ 'the file', 77 ], [ 'the database', 8, 'DATABASE postgres' ], [ 'the role', 5, 'ROLE CURRENT_USER' ])
{
	my ($whose, $number, $altered) = @$case;
	my $session;

	$node->safe_psql('postgres', "ALTER $altered SET flakeid.node = $number") if $altered;
	$session = session($node);
	# an index on the number that its workers, which load the library for it, see
	unlike(attempt($session, 'CREATE INDEX of_workers ON many (seen(n))'), qr/WARNING|ERROR/, "number of $whose: an index first");
	is(attempt($session, 'SET enable_seqscan = off; SELECT count(*) FROM many WHERE seen(n) = ' . $number), 3000, "number of $whose: its workers have it");
	is(attempt($session, 'DROP INDEX of_workers') . attempt($session, PART), $number, "number of $whose: and the session afterwards");
	is(attempt($session, 'RESET ALL; SHOW flakeid.node'), $number, "number of $whose: it is defined");
	$session->quit;
	is(in_new_session('SET parallel_leader_participation = off', 'SELECT string_agg(DISTINCT seen(n)::text, \' \') FROM many'), $number, "number of $whose: in workers, without the leader");
	$node->safe_psql('postgres', "ALTER $altered RESET flakeid.node") if $altered;
}

# ---------- SET before it is loaded ----------

foreach my $set (q(SET flakeid.node = '3'), q(SELECT set_config('flakeid.node', '3', false)))
{
	foreach my $undo ('RESET ALL', 'DISCARD ALL')
	{
		my $session = session($node);

		attempt($session, $set);
		is(attempt($session, PART), '3', "$set: takes effect");
		is(attempt($session, $undo), '', "$set; $undo");
		is(attempt($session, PART), '77', "$set; $undo: the settings are the file's");
		$session->quit;
	}
	is(in_new_session($set, 'RESET ALL', PART), '77', "$set; RESET ALL, all before it is loaded");
	is(in_new_session("BEGIN; $set", 'ROLLBACK', PART), '77', "$set, rolled back before it is loaded");
}

# ---------- a transaction that has changed the table ----------

is(in_new_session('SET flakeid.node = 4711', PART), '4711', 'SET');
# the server drops a wrong value when the library defines the setting: the number is the file's, not the default
foreach my $value ('abc', '70000')
{
	is(in_new_session("SET flakeid.node = '$value'", PART), '77', "SET flakeid.node = $value: the file's");
}

# A transaction that has changed the catalogs' description of the table, but not its file.
foreach my $ddl ("GRANT SELECT ON $mark TO public", "REVOKE ALL ON $mark FROM public", "ALTER TABLE $mark SET (autovacuum_enabled = off)",
	"COMMENT ON TABLE $mark IS 'changed'", "ANALYZE $mark", 'ALTER EXTENSION flakeid DROP VIEW flakeid_formats; ALTER EXTENSION flakeid ADD VIEW flakeid_formats',
	"LOCK TABLE $mark IN SHARE MODE")
{
	my $session = session($node);

	attempt($session, "BEGIN; $ddl");
	is(attempt($session, PART), '77', "$ddl: it makes IDs");
	attempt($session, 'COMMIT');
	$session->quit;
}

# ---------- a bad value ----------

# In the file before the start.
write_settings($node, q(flakeid.node = 'eleven'));
$node->restart;
like(in_new_session(PART), $refused, 'a bad value in the file: no ID');
foreach my $view ('flakeid_formats', 'flakeid_clock', 'flakeid_generators')
{
	like(in_new_session("SELECT count(*) FROM $view"), qr/^\d+$/, "a bad value in the file: $view answers");
	like(in_new_session(PART, "SELECT count(*) FROM $view"), qr/^\d+$/, "a bad value in the file: $view answers who was refused");
}
like(in_new_session('SELECT c::text FROM flakeid_clock AS c'), qr/eleven|flakeid\.node/, 'a bad value in the file: and reports it');
configure($node, @conf);
is(in_new_session(PART), '77', 'a bad value in the file, fixed');
unlike(in_new_session('SELECT c::text FROM flakeid_clock AS c'), qr/eleven/, 'a bad value in the file, fixed: nothing to report');

# Sessions that have the setting keep their value, and the server reports what is wrong with the line.
{
	my $session = session($node);

	is(attempt($session, PART), '77', 'a reload: before it');
	configure($node, q(flakeid.node = 'twelve'));
	is(attempt($session, PART), '77', 'a reload with a bad value: a session that has a number keeps it');
	like(attempt($session, q(SELECT error FROM pg_file_settings WHERE name = 'flakeid.node')), qr/setting could not be applied/, 'a reload with a bad value: and sees the error');
	like(in_new_session(PART), $refused, 'a reload with a bad value: new sessions make no ID');
	configure($node, @conf);
	is(attempt($session, PART), '77', 'a reload with a bad value, fixed');
	$session->quit;
}

$node->stop;
done_testing();
