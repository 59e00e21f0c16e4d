# T_horizon(): a reader that continues from the last ID it has seen, up to the horizon,
# misses no row, however its statement is written and however the open transactions end.
# A reader without the horizon must miss rows in the same places, or these tests would show
# nothing.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my %made = (snowflake => 'snowflake', ulid => 'ulid', siq => 'siq', uid64 => 'uid64', ksuid => 'ksuid', sno => 'sno', uuid7 => 'uuid');
my $node = new_server('horizon', conf => [ 'flakeid.node = 11' ], server => [ 'max_prepared_transactions = 10' ]);

my $in_one_session = in_one_session($node);

sub sql
{
	return $in_one_session->(@_);
}

# A function that makes an ID of a type.
sub new_id
{
	my ($type) = @_;

	return $type eq 'siq' ? q(siq_new('message')) : "${type}_new()";
}

sql(map { "CREATE TABLE e_$_ (id $made{$_} PRIMARY KEY DEFAULT ${\ new_id($_)}, v text)" } sort keys %made);

# The values below the horizon in a type's table, in the order of IDs.
sub below_horizon
{
	my ($type) = @_;

	return "SELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM e_$type WHERE id < ${type}_horizon()";
}

# Wait until the horizon has passed the IDs just made: it lags the clock by a tick, at most so many s.
sub ticks_pass
{
	my ($type) = @_;

	return "SELECT pg_sleep(" . ($type eq 'ksuid' ? 1.1 : 0.01) . ")";
}

# Wait until the table "plain" has these values below the horizon.  After a start the IDs
# are at most two seconds ahead of the clock, and the horizon waits for it.
sub comes
{
	my ($values) = @_;

	return $node->poll_query_until('postgres', below_horizon('ulid') =~ s/e_ulid/plain/r, $values);
}

# ---------- a transaction that commits late ----------

foreach my $type (sort keys %made)
{
	my $late = session($node);

	is(sql("SELECT count(*) FROM e_$type WHERE id < ${type}_horizon()"), '0', "$type: nothing is there yet");
	attempt($late, 'BEGIN');
	attempt($late, "INSERT INTO e_$type (v) VALUES ('late')");
	sql(ticks_pass($type), "INSERT INTO e_$type (v) VALUES ('early')", ticks_pass($type));
	is(sql("SELECT string_agg(v, ' ' ORDER BY id) FROM e_$type"), 'early', "$type: a reader of all rows goes past the open transaction's");
	is(sql(below_horizon($type)), '', "$type: a reader of those below the horizon waits");
	attempt($late, 'COMMIT');
	is(sql(ticks_pass($type), below_horizon($type)), "\nlate early", "$type: and gets both after the commit");
	attempt($late, 'BEGIN');
	attempt($late, "INSERT INTO e_$type (v) VALUES ('never')");
	sql("INSERT INTO e_$type (v) VALUES ('next')");
	attempt($late, 'ROLLBACK');
	is(sql(ticks_pass($type), below_horizon($type)), "\nlate early next", "$type: a rolled back transaction holds no reader up");
	$late->quit;
}

# While a transaction that has made an ID of any type is open, no type's horizon passes it.
{
	my $late = session($node);

	attempt($late, 'BEGIN; SELECT ulid_new()');
	sql(q(INSERT INTO e_snowflake (v) VALUES ('behind')), ticks_pass('ulid'));
	is(sql(q(SELECT count(*) FROM e_snowflake WHERE v = 'behind' AND id < snowflake_horizon())), '0', 'a transaction holds the horizons of all types');
	attempt($late, 'ROLLBACK');
	is(sql(q(SELECT count(*) FROM e_snowflake WHERE v = 'behind' AND id < snowflake_horizon())), '1', '... until it ends');

	# a lease kept from the previous transaction is announced, too
	attempt($late, q(SELECT snowflake_new(); BEGIN; INSERT INTO e_snowflake (v) VALUES ('of a kept lease')));
	sql(ticks_pass('snowflake'), q(INSERT INTO e_snowflake (v) VALUES ('later')), ticks_pass('snowflake'));
	is(sql(q(SELECT count(*) FROM e_snowflake WHERE v = 'later' AND id < snowflake_horizon())), '0', 'a kept lease');
	attempt($late, 'COMMIT');

	# savepoints
	attempt($late, q(BEGIN; SAVEPOINT s; INSERT INTO e_snowflake (v) VALUES ('undone'); ROLLBACK TO s));
	sql(ticks_pass('snowflake'), q(INSERT INTO e_snowflake (v) VALUES ('during a savepoint')), ticks_pass('snowflake'));
	is(sql(q(SELECT count(*) FROM e_snowflake WHERE v = 'during a savepoint' AND id < snowflake_horizon())), '0', 'IDs of a savepoint may be written after it is rolled back');
	attempt($late, 'COMMIT');
	is(sql(q(SELECT count(*) FROM e_snowflake WHERE v = 'during a savepoint' AND id < snowflake_horizon())), '1', '... until the transaction ends');

	# a transaction that only reads, or is in another database, holds no horizon
	attempt($late, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM e_snowflake; CREATE TABLE written (n int)');
	sql(q(INSERT INTO e_snowflake (v) VALUES ('during another writer')), ticks_pass('snowflake'));
	is(sql(q(SELECT count(*) FROM e_snowflake WHERE v = 'during another writer' AND id < snowflake_horizon())), '1', 'a transaction without IDs holds no reader up');
	attempt($late, 'ROLLBACK');
	$late->quit;
	sql('CREATE DATABASE other');
	$node->safe_psql('other', 'CREATE EXTENSION flakeid');
	$late = session($node, database => 'other');
	attempt($late, 'BEGIN; CREATE TABLE written (id snowflake DEFAULT snowflake_new()); INSERT INTO written DEFAULT VALUES');
	sql(q(INSERT INTO e_snowflake (v) VALUES ('during a transaction elsewhere')), ticks_pass('snowflake'));
	is(sql(q(SELECT count(*) FROM e_snowflake WHERE v = 'during a transaction elsewhere' AND id < snowflake_horizon())), '1', 'nor does one of another database');
	attempt($late, 'ROLLBACK');
	$late->quit;
}

# ---------- each way to read, with a transaction that ends during the statement ----------

# Two rows; the first is committed last, while the reader's statement waits between its
# snapshot and the call of T_horizon().  %s is the condition on the ID.
my $held = q(SELECT string_agg(v, ' ' ORDER BY id) FROM (SELECT pg_advisory_lock_shared(1)) AS held, LATERAL (%s) AS e);
my $rows = q(SELECT id, v FROM %s WHERE id < %s AND pg_advisory_lock_shared IS NULL);

sql('CREATE TABLE parts (id ulid DEFAULT ulid_new(), v text) PARTITION BY HASH (id)',
	(map { "CREATE TABLE parts_$_ PARTITION OF parts FOR VALUES WITH (MODULUS 4, REMAINDER $_)" } 0 .. 3), 'CREATE TABLE plain (id ulid PRIMARY KEY DEFAULT ulid_new(), v text)',
	# held() waits, then asks for the horizon
	q(CREATE FUNCTION held() RETURNS ulid LANGUAGE plpgsql STABLE AS 'BEGIN PERFORM pg_advisory_lock_shared(1); RETURN ulid_horizon(); END'),
	q(CREATE FUNCTION wrapped() RETURNS ulid LANGUAGE plpgsql VOLATILE AS 'BEGIN PERFORM pg_advisory_lock_shared(1); RETURN ulid_horizon(); END'),
	q(CREATE FUNCTION polled() RETURNS text LANGUAGE plpgsql VOLATILE AS 'DECLARE r text; BEGIN SELECT string_agg(v, chr(32) ORDER BY id) INTO r FROM plain WHERE id < (SELECT held()); RETURN r; END'));

my $all = q(SELECT string_agg(v, ' ' ORDER BY id) FROM);
my %ways = (
	'in one statement' => [ "$all plain WHERE id < (SELECT held())" ],
	'by a sub-SELECT' => [ "$all plain WHERE id < (SELECT ulid_horizon() FROM (SELECT pg_advisory_lock_shared(1) OFFSET 0) AS held)" ],
	'without an index' => [ "$all plain WHERE id < (SELECT held())", 'SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off' ],
	'from partitions' => [ "$all parts WHERE id < (SELECT held())" ],
	'by a generic plan' => [ 'EXECUTE q', "SET plan_cache_mode = force_generic_plan; PREPARE q AS $all plain WHERE id < (SELECT held())" ],
	'in PL/pgSQL' => [ 'SELECT polled()' ],
	'by a cursor' => [ 'FETCH ALL FROM c', "BEGIN; DECLARE c CURSOR FOR $all plain WHERE id < (SELECT held())" ],
	'in REPEATABLE READ' => [ "$all plain WHERE id < (SELECT held())", 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM plain LIMIT 1' ],
	'in SERIALIZABLE' => [ "$all plain WHERE id < (SELECT held())", 'BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT FROM plain LIMIT 1' ],
	'with parallel workers' => [
		"$all plain WHERE id < (SELECT held())",
		'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2; SET enable_indexscan = off; SET enable_bitmapscan = off'
	],
	# not covered: the function's own snapshot is newer than the statement's
	'by a VOLATILE function' => [ "$all plain WHERE id < (SELECT wrapped())" ],
);

foreach my $way (sort keys %ways)
{
	my ($statement, @before) = @{ $ways{$way} };
	my ($reader, $late, $lock) = map { session($node) } 1 .. 3;
	my $pid = attempt($reader, 'SELECT pg_backend_pid()');
	my $wrong = $way =~ /VOLATILE/;

	sql('TRUNCATE plain, parts');
	attempt($late, q(BEGIN; INSERT INTO plain (v) VALUES ('late'); INSERT INTO parts (v) VALUES ('late')));
	sql(ticks_pass('ulid'), q(INSERT INTO plain (v) VALUES ('early')), q(INSERT INTO parts (v) VALUES ('early')), ticks_pass('ulid'));
	attempt($reader, $_) foreach @before;
	attempt($lock, 'SELECT pg_advisory_lock(1)');
	$reader->send("$statement;");
	$node->poll_query_until('postgres', "SELECT wait_event = 'advisory' FROM pg_stat_activity WHERE pid = $pid");
	attempt($late, 'COMMIT');
	sql(q(INSERT INTO plain (v) VALUES ('after')), ticks_pass('ulid'));
	attempt($lock, 'SELECT pg_advisory_unlock(1)');
	is($reader->answer, $wrong ? 'early' : '', $wrong ? "$way: the row committed late is missed" : "$way: not beyond the row committed late");
	attempt($reader, 'COMMIT') if "@before" =~ /BEGIN/;
	is(sql(below_horizon('ulid') =~ s/e_ulid/plain/r), 'late early after', "$way: and the next poll gets all");
	$_->quit foreach $reader, $late, $lock;
}

# ---------- one answer for one query ----------

is(sql('SELECT count(DISTINCT h) FROM (SELECT ulid_horizon() AS h, pg_sleep(0.003) FROM generate_series(1, 10) OFFSET 0) AS s'), '1', 'one answer for all rows of a query');
is(sql('SELECT count(*) FROM parts WHERE id < ulid_horizon() AND pg_sleep(0.003) IS NOT NULL AND ulid_horizon() <> ALL (SELECT ulid_horizon() FROM parts)'), '0', '... and for all its parts');
is(sql(q(DO 'DECLARE a ulid; b ulid; BEGIN PERFORM ulid_new(); a := ulid_horizon(); COMMIT; PERFORM pg_sleep(0.01); b := ulid_horizon(); ASSERT a < b; END'), 'SELECT 1'), '1',
	'a loop in PL/pgSQL goes on');
is(sql('CREATE FUNCTION asks() RETURNS ulid LANGUAGE sql STABLE AS $$ SELECT ulid_horizon() FROM pg_sleep(0.003) $$',
		'SELECT count(DISTINCT h) FROM (SELECT unnest(ARRAY[ulid_horizon(), asks(), asks()]) AS h FROM generate_series(1, 3) OFFSET 0) AS s'), '1', 'a STABLE function has the answer of the query that calls it');

# wrappers not called before: the inner queries ask first, and end immediately
sql(q(CREATE FUNCTION w1() RETURNS ulid STABLE SECURITY DEFINER LANGUAGE sql AS 'SELECT ulid_horizon()'),
	q(CREATE FUNCTION w2() RETURNS ulid STABLE LANGUAGE plpgsql AS 'DECLARE h ulid; BEGIN SELECT ulid_horizon() INTO h; RETURN h; END'),
	q(CREATE FUNCTION w3() RETURNS ulid STABLE LANGUAGE plpgsql AS 'DECLARE h ulid; BEGIN BEGIN SELECT ulid_horizon() INTO h; RAISE division_by_zero; EXCEPTION WHEN division_by_zero THEN RETURN h; END; END'));
foreach my $wrapper ('w1', 'w2', 'w3')
{
	my $ask = "SELECT count(DISTINCT h) FROM (SELECT $wrapper() AS h, pg_sleep(0.003) FROM generate_series(1, 10) OFFSET 0) AS s";

	is(sql('SELECT ulid_new()', $ask) =~ s/.*\n//r, '1', "one answer for a query that calls the STABLE function $wrapper()");
	is(sql('SELECT ulid_new()', 'BEGIN ISOLATION LEVEL REPEATABLE READ', $ask, 'COMMIT') =~ s/.*\n//r, '1', '... in REPEATABLE READ');
	is(sql('SELECT ulid_new()', "BEGIN; DECLARE c CURSOR FOR $ask; FETCH c; COMMIT") =~ s/.*\n//r, '1', '... by a cursor');

	# on an idle server only the clock distinguishes the snapshots of two statements
	is(sql("DO 'DECLARE a ulid; b ulid; BEGIN PERFORM ulid_new(); COMMIT; a := (SELECT $wrapper()); PERFORM pg_sleep(0.01); b := (SELECT $wrapper()); ASSERT a < b; END'", 'SELECT 1'), '1',
		'... and the next statement of the transaction has another');
}
{
	my $reader = session($node);

	attempt($reader, 'SELECT ulid_new(); BEGIN; SELECT w1(), w2()');
	is(attempt($reader, 'SELECT backend_xmin IS NULL FROM (SELECT pg_backend_pid() AS me) AS m, LATERAL (SELECT * FROM pg_stat_activity WHERE pid = me) AS a OFFSET 0'), 'f', 'a statement has a snapshot');
	is(sql('SELECT count(*) FROM pg_stat_activity WHERE state = $$idle in transaction$$ AND backend_xmin IS NOT NULL'), '0', 'a transaction that has asked and is idle holds no snapshot');
	attempt($reader, 'SAVEPOINT s; SELECT w1(); ROLLBACK TO s; SELECT w1(); DECLARE c CURSOR FOR SELECT w1() FROM generate_series(1, 3); FETCH c; ROLLBACK');
	is(attempt($reader, q(BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT w1() FROM generate_series(1, 3); FETCH c; COMMIT; SELECT w1() FROM (SELECT pg_sleep(0.01) OFFSET 0) AS s; SELECT 'alive')) =~ s/.*\n//sr, 'alive', '... nor keeps one beyond its end');
	$reader->quit;
}
{
	my $reader = session($node);
	my $ask = 'SELECT ulid_horizon() FROM generate_series(1, 9)';
	my ($first, $second);

	attempt($reader, "BEGIN; DECLARE one CURSOR FOR $ask; DECLARE other CURSOR FOR $ask");
	$first = attempt($reader, 'FETCH one');
	attempt($reader, 'FETCH other');
	sql(q(INSERT INTO e_ulid (v) VALUES ('meanwhile')), ticks_pass('ulid'));
	is(attempt($reader, 'FETCH one'), $first, '... while another cursor has its own');
	attempt($reader, 'COMMIT');
	sql('CREATE FUNCTION simple() RETURNS ulid LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN ulid_horizon(); END $$');
	$first = attempt($reader, 'BEGIN; SELECT simple()');
	sql(q(INSERT INTO e_ulid (v) VALUES ('meanwhile')), ticks_pass('ulid'));
	$second = attempt($reader, 'SELECT simple()');
	cmp_ok($second, 'gt', $first, 'the next statement of the transaction has another');
	attempt($reader, 'COMMIT');
	$reader->quit;
}
like(sql('EXPLAIN SELECT FROM plain WHERE id > ulid_min(now()) AND id < ulid_horizon()', 'SET enable_seqscan = off; EXPLAIN SELECT FROM plain WHERE id < ulid_horizon()'), qr/Index Cond: \(id < ulid_horizon\(\)\)/,
	'the horizon is an index condition');
like(sql('CREATE TABLE ranges (id ulid) PARTITION BY RANGE (id)', q(CREATE TABLE ranges_old PARTITION OF ranges FOR VALUES FROM (MINVALUE) TO (ulid_min('2020-01-01'))),
		q(CREATE TABLE ranges_far PARTITION OF ranges FOR VALUES FROM (ulid_min('2200-01-01')) TO (MAXVALUE)), 'EXPLAIN SELECT FROM ranges WHERE id < ulid_horizon()'), qr/Subplans Removed: 1/,
	'... and prunes partitions');

# ---------- prepared transactions ----------

sub prepared
{
	my ($name, $restart) = @_;
	my $reader = session($node);

	sql('TRUNCATE plain', q(BEGIN; INSERT INTO plain (v) VALUES ('prepared'); PREPARE TRANSACTION 'p'));
	sql(ticks_pass('ulid'), q(INSERT INTO plain (v) VALUES ('early')), ticks_pass('ulid'));
	$restart->() if $restart;
	# wait until the horizon would be above them, see comes()
	sql(q(INSERT INTO plain (v) VALUES ('next')), 'SELECT pg_sleep(2.1)') if $restart;
	is(sql(below_horizon('ulid') =~ s/e_ulid/plain/r), '', "$name: it holds the horizon");

	# an older snapshot reads the transaction's row after the transaction has ended
	$reader = session($node);
	attempt($reader, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM plain LIMIT 1');
	sql(q(COMMIT PREPARED 'p'));
	is(attempt($reader, below_horizon('ulid') =~ s/e_ulid/plain/r), '', "$name: also after it has been committed");
	like(sql(ticks_pass('ulid'), below_horizon('ulid') =~ s/e_ulid/plain/r), qr/^\nprepared early/, "$name: a new snapshot sees it");
	is(attempt($reader, below_horizon('ulid') =~ s/e_ulid/plain/r), '', "$name: the older one does not");
	$reader->quit;
	sql('TRUNCATE plain', q(BEGIN; INSERT INTO plain (v) VALUES ('prepared'); PREPARE TRANSACTION 'p'), q(INSERT INTO plain (v) VALUES ('early')), q(ROLLBACK PREPARED 'p'), ticks_pass('ulid'));
	ok(comes('early'), "$name: one that is rolled back holds no reader up");
}

prepared('prepared');
prepared('prepared before a restart', sub { $node->restart });
prepared('prepared before a crash', sub { crash($node, all => 1); start_server($node) });

# One of another database, and one without IDs, hold no horizon.
$node->restart;
$node->safe_psql('other', q(CREATE TABLE t (n int); BEGIN; INSERT INTO t VALUES (1); PREPARE TRANSACTION 'theirs'));
sql('TRUNCATE plain', q(INSERT INTO plain (v) VALUES ('during it')), ticks_pass('ulid'));
$node->restart;
sql(q(INSERT INTO plain (v) VALUES ('again')), ticks_pass('ulid'));
ok(comes('during it again'), 'a prepared transaction of another database, before a restart');
$node->safe_psql('other', q(ROLLBACK PREPARED 'theirs'));

# More than the memory can list: then the horizon passes none of them.
$node->append_conf('postgresql.conf', 'max_prepared_transactions = 300');
$node->restart;
sql('TRUNCATE plain', q(INSERT INTO plain (v) VALUES ('first')));
ok(comes('first'), 'the horizon follows the clock');
sql(map { (q(BEGIN), q(INSERT INTO plain (v) VALUES ('many')), "PREPARE TRANSACTION 'p$_'") } 1 .. 260);
sql(q(INSERT INTO plain (v) VALUES ('last')), ticks_pass('ulid'));
is(sql(below_horizon('ulid') =~ s/e_ulid/plain/r), '', '260 prepared transactions');
sql(map { "COMMIT PREPARED 'p$_'" } 1 .. 258);
is(sql(below_horizon('ulid') =~ s/e_ulid/plain/r), '', '... two of which are left that were not listed');
sql(map { "COMMIT PREPARED 'p$_'" } 259, 260);
is(sql(ticks_pass('ulid'), 'SELECT count(*) FROM plain WHERE id < ulid_horizon()'), "\n262", '... and none');

# ---------- parallel workers ----------

sql('CREATE FUNCTION wrong() RETURNS ulid LANGUAGE plpgsql PARALLEL SAFE AS $$ BEGIN RETURN ulid_new(); END $$', 'CREATE FUNCTION wrong_horizon() RETURNS ulid LANGUAGE plpgsql PARALLEL SAFE AS $$ BEGIN RETURN ulid_horizon(); END $$',
	'CREATE SEQUENCE asked', 'CREATE FUNCTION wrong_sequence() RETURNS bigint LANGUAGE plpgsql PARALLEL SAFE AS $$ BEGIN RETURN flakeid_horizon(\'asked\'); END $$', 'CREATE TABLE many AS SELECT n FROM generate_series(1, 20000) AS n', 'ALTER TABLE many SET (parallel_workers = 2)');
{
	my $reader = session($node);

	attempt($reader, "SET $_") foreach 'parallel_setup_cost = 0', 'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0', 'parallel_leader_participation = off';
	like(attempt($reader, 'SELECT count(wrong()) FROM many'), qr/25000: cannot generate ulid in a parallel worker.*HINT: .*PARALLEL RESTRICTED/s, 'a parallel worker makes no ID');
	like(attempt($reader, "SELECT count($_()) FROM many"), qr/25000: cannot determine the horizon in a parallel worker.*HINT: .*PARALLEL RESTRICTED/s, "... nor has it a horizon: $_()") foreach qw(wrong_horizon wrong_sequence);
	like(attempt($reader, 'EXPLAIN (VERBOSE) CREATE TABLE made AS SELECT ulid_new() AS id FROM many'), qr/^Gather.*\n *Output: ulid_new\(\)\n.*Parallel Seq Scan on [^\n]*\n?\z/s, 'the leader makes them, above the Gather');
	attempt($reader, 'CREATE TABLE made AS SELECT ulid_new() AS id FROM many');
	is(attempt($reader, 'SELECT pg_sleep(0.01); SELECT count(DISTINCT id) FROM made WHERE id < ulid_horizon()'), "\n20000", '... and they are read');
	$reader->quit;
}

# ---------- memory ----------

# an inner query that ends does not make the outer one register itself again
is(sql(<<~'END'), 't', 'a procedure that asks without end needs no more memory');
	CREATE TABLE needs (bytes bigint);
	DO $$
	DECLARE h ulid; r record;
	BEGIN
		FOR i IN 1 .. 2 LOOP
			FOR j IN 1 .. 3000 LOOP
				SELECT ulid_horizon() INTO h;
				FOR r IN SELECT WHERE ulid_horizon() IS NOT NULL LOOP END LOOP;
				COMMIT;
			END LOOP;
			INSERT INTO needs SELECT sum(used_bytes) FROM pg_backend_memory_contexts WHERE name = 'PortalContext';
		END LOOP;
	END $$;
	SELECT max(bytes) - min(bytes) < 50000 FROM needs;
	END

# ---------- roles, and their effect on others ----------

sql('CREATE ROLE stranger LOGIN');
is(scalar($node->psql('postgres', "SET ROLE stranger; SELECT ${_}_horizon()")), 0, "everybody may ask for the horizon of $_") foreach qw(snowflake ulid siq uid64 ksuid uuid7);
isnt(scalar($node->psql('postgres', 'SET ROLE stranger; SELECT sno_horizon()')), 0, '... but not for that of sno');

# what docs/feeds.md revokes is all that makes IDs which hold a horizon
{
	my ($revoke) = slurp_file("$FindBin::RealBin/../../docs/feeds.md") =~ /^(REVOKE EXECUTE ON FUNCTION .*?;)$/ms or die 'no block that revokes';
	my $makes = q(SELECT string_agg(p.oid::regprocedure::text, ' ' ORDER BY p.oid) FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
		JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension AS x ON x.oid = d.refobjid AND x.extname = 'flakeid'
		WHERE l.lanname = 'c' AND p.provolatile = 'v' AND p.proname !~ '_at$|^flax_' AND p.pronamespace = x.extnamespace
			AND (p.prorettype = 'trigger'::regtype OR p.prorettype IN (SELECT unnest(ARRAY[t.oid, t.typarray]) FROM pg_type AS t WHERE t.typname = 'uuid' OR t.typname IN (SELECT name FROM flakeid_formats)))
			AND has_function_privilege('stranger', p.oid, 'EXECUTE'));

	isnt(sql($makes), '', 'functions that make IDs are there for everybody');
	is(sql('BEGIN', $revoke, $makes, 'ROLLBACK'), '', '... but for nobody after what docs/feeds.md says to revoke');
}

# ---------- holders of the horizon ----------

{
	my $late = session($node);
	my $pid = attempt($late, 'SELECT pg_backend_pid()');
	my $holders = q(SELECT coalesce(pid::text, prepared) || ' ' || coalesce((age < interval '1 min')::text, '-') || ' ' || coalesce(state, '-') FROM flakeid_horizon_holders);

	is(sql($holders), '', 'nobody holds the horizon');
	attempt($late, 'BEGIN; SELECT ulid_new()');
	is(sql($holders), "$pid true idle in transaction", '... a session does');
	is(sql(qq(SELECT since = (SELECT ulid_timestamp(ulid_horizon())) FROM flakeid_horizon_holders)), 't', '... where the horizon is');
	is($node->safe_psql('other', $holders), '', '... in its own database only');
	is(sql('SET ROLE stranger', q(SELECT pid || ' ' || query FROM flakeid_horizon_holders)), "$pid <insufficient privilege>", '... and a stranger does not see what it does');
	is(sql('SELECT horizon = h.since, held_by = pid, num_nulls(clock, high_water, mark, ahead_by) FROM flakeid_clock, flakeid_horizon_holders AS h'), 't|t|0', '... and flakeid_clock shows where, and who');
	attempt($late, q(PREPARE TRANSACTION 'held'));
	is(sql($holders), 'held true -', '... a prepared transaction');
	is(sql('SELECT horizon = h.since, held_by FROM flakeid_clock, flakeid_horizon_holders AS h'), 't|0', '... which flakeid_clock calls 0');
	$late->quit;
	$node->restart;
	is(sql('SELECT ulid_new()', $holders) =~ s/.*\n//r, 'held true -', '... also after a restart');
	is(sql('SELECT horizon IS NULL, held_by FROM flakeid_clock'), 't|0', '... when nobody knows where');
	is(sql(q(ROLLBACK PREPARED 'held'), $holders), '', '... until it is finished');
	is(sql('SELECT horizon = clock, held_by FROM flakeid_clock'), 't|', '... and then nobody does');
}

# ---------- resets, and another extension ----------

{
	sql(q(SELECT flakeid_advance(now() + interval '3 s')), 'INSERT INTO e_ulid (v) VALUES (\'advanced\')');
	is(sql(q(SELECT count(*) FROM e_ulid WHERE v = 'advanced' AND id < ulid_horizon() AND ulid_timestamp(id) > clock_timestamp())), '0', 'after flakeid_advance() the horizon waits for the clock');
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM e_ulid WHERE v = 'advanced' AND id < ulid_horizon())), '... which gets there');
	sql('DROP EXTENSION flakeid CASCADE', 'CREATE EXTENSION flakeid', 'CREATE TABLE again (id ulid DEFAULT ulid_new())', 'INSERT INTO again DEFAULT VALUES', ticks_pass('ulid'));
	is(sql('SELECT count(*) FROM again WHERE id < ulid_horizon()'), '1', 'DROP EXTENSION and CREATE EXTENSION');
}

# ---------- clocks ----------

SKIP:
{
	skip 'no compiler', 1 unless clock_available();
	my $clock = new_server('clock', clock => 1, conf => [ 'flakeid.node = 11' ]);
	my $ask = join ';', 'SET ROLE stranger', map { "SELECT ${_}_horizon()" } qw(snowflake ulid siq uid64 ksuid uuid7);

	$clock->safe_psql('postgres', 'CREATE ROLE stranger LOGIN; CREATE TABLE e (id ulid DEFAULT ulid_new(), v text); SELECT snowflake_new(); SELECT sno_new()');
	set_clock($clock, '+1d');
	is(scalar($clock->psql('postgres', $ask)), 0, 'a stranger asks while the clock is a day ahead');
	set_clock($clock, '+0');
	is(scalar($clock->psql('postgres', q(SELECT snowflake_new(); SELECT sno_new(); SELECT siq_new('user'); SELECT ksuid_new(); SELECT uid64_new(); INSERT INTO e DEFAULT VALUES))), 0, '... and stops no generator');
	cmp_ok($clock->safe_psql('postgres', 'SELECT extract(epoch FROM ulid_timestamp(ulid_new()) - clock_timestamp())'), '<', 3, '... nor moves it ahead');

	# after a step back the horizon waits until the clock has passed the IDs made ahead
	$clock->safe_psql('postgres', q(INSERT INTO e (v) VALUES ('before')));
	set_clock($clock, '-3');
	$clock->safe_psql('postgres', q(INSERT INTO e (v) VALUES ('after')));
	is($clock->safe_psql('postgres', q(SELECT count(*) FROM e WHERE v = 'after' AND id < ulid_horizon() AND ulid_timestamp(id) > clock_timestamp())), '0', 'the clock steps back: the horizon waits for it');
	$clock->poll_query_until('postgres', q(SELECT count(*) = 1 FROM e WHERE v = 'after' AND id < ulid_horizon()));

	# a crash, and a clock set back: no ID is below the horizon returned before
	set_clock($clock, '+1');
	my $answered = $clock->safe_psql('postgres', 'SELECT ulid_new(); SELECT pg_sleep(0.5); SELECT ulid_horizon()') =~ s/.*\n//sr;
	crash($clock, all => 1);
	set_clock($clock, '-2');
	start_server($clock);
	is($clock->safe_psql('postgres', "SELECT ulid_new() >= '$answered'"), 't', 'after a crash no ID is below the horizon');
	my $sno = $clock->safe_psql('postgres', 'SELECT sno_new(); SELECT pg_sleep(0.5); SELECT sno_horizon(); SELECT sno_horizon()') =~ s/.*\n//sr;
	crash($clock, all => 1);
	set_clock($clock, '-6');
	start_server($clock);
	is($clock->safe_psql('postgres', "SELECT sno_new() >= '$sno'"), 't', '... nor does sno go back to the other timeline below it');
	$clock->stop;
}

$node->stop;
done_testing();
