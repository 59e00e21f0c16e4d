# Plans by the time of an ID that are kept, or made again: by a library that the query itself loads,
# while constraints, columns, indexes and functions come and go, over DROP and CREATE EXTENSION.
# From 18 on, queries by core's function return the same rows after DROP EXTENSION, and whatever
# UUIDs a table has.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('kept', extension => 0, server => [ "timezone = 'UTC'", 'max_parallel_workers_per_gather = 0', 'enable_seqscan = off', 'enable_bitmapscan = off' ]);
my $since = "timestamptz '2026-11-03 10:00Z'";
my $by_key = qr/Index (?:Only )?Scan.*\n +Index Cond: [(].*\bid >=/;

my $in_one_session = in_one_session($node);

sub sql
{
	return $in_one_session->(@_);
}

# The extension, and what DROP EXTENSION ... CASCADE takes with it.  Column at has the times.
sub extension
{
	sql('CREATE EXTENSION flakeid');
	sql('CREATE VIEW event_with_time AS SELECT *, uuid7_timestamp(id) AS created_at FROM event', 'CREATE VIEW twice AS TABLE event_with_time UNION ALL TABLE event_with_time');
	return;
}

sql('CREATE TABLE event (id uuid PRIMARY KEY, n int, at timestamptz)', 'CREATE TABLE note (id text COLLATE "C" PRIMARY KEY, n int)');
extension();
sql(q(INSERT INTO event SELECT uuid7_min(at), n, at FROM (SELECT n, timestamptz '2026-11-01Z' + n * interval '1 min' AS at FROM generate_series(1, 5000) AS n) AS m),
	q(INSERT INTO note SELECT ulid_text_min(at), n FROM event), 'ALTER TABLE note ADD CONSTRAINT note_times CHECK (ulid_timestamp(id) IS NOT NULL)',
	'CREATE INDEX ON event (at)', 'ANALYZE event, note');
# ANALYZE was in one transaction with the rows
sql('VACUUM ANALYZE event, note');

# ---------- the first query of a session ----------

like(sql("EXPLAIN SELECT n FROM event_with_time WHERE created_at >= $since"), $by_key, 'the first query of a session loads the library, and is planned by it');
like(sql("EXPLAIN SELECT n FROM event WHERE uuid7_timestamp(id) >= $since"), $by_key, '... without a view, too');
like(sql("EXPLAIN SELECT n FROM twice WHERE created_at >= $since"), $by_key, '... by UNION ALL');
like(sql("EXPLAIN SELECT at, (SELECT count(*) FROM event_with_time WHERE created_at >= e.at) FROM event AS e"), qr/Index Cond: [(]id >= uuid7_min/, '... in a sub-SELECT');
like(sql('SET plan_cache_mode = force_generic_plan', 'PREPARE q (timestamptz) AS SELECT n FROM event_with_time WHERE created_at >= $1', "EXPLAIN EXECUTE q ($since)"), $by_key, '... prepared');
like(sql('EXPLAIN SELECT n FROM event_with_time ORDER BY created_at DESC LIMIT 3') . sql("EXPLAIN SELECT n FROM note ORDER BY ulid_timestamp(id) DESC LIMIT 3"),
	qr/Index Scan Backward using note_pkey/, '... by a constraint');
like(sql("EXPLAIN SELECT n FROM event_with_time WHERE created_at = (SELECT max(at) FROM event)"), qr/Index Cond: .*uuid7_min/, '... by =');

# ---------- planned again and again from one tree ----------

# Each form is prepared once, and planned for each instant, the last one as at first.
my @forms = (
	'SELECT n FROM T WHERE TIME >= $1 AND TIME < $1 + interval \'1 hour\'', 'SELECT n FROM T WHERE TIME = $1', 'SELECT n FROM T WHERE TIME IN ($1, timestamptz \'2026-11-02Z\')',
	'SELECT n FROM T WHERE (TIME, n) < ($1, 700) ORDER BY TIME DESC, n LIMIT 5', 'SELECT n FROM T WHERE TIME < $1 AND (n < 100 OR TIME > timestamptz \'2026-11-03Z\')',
	'SELECT n FROM T WHERE NOT TIME <@ tstzrange($1, NULL)', 'SELECT a.n FROM T AS a JOIN event AS s ON a.TIME = s.at WHERE s.n < 50 AND a.TIME <= $1',
	'SELECT e.n FROM event AS e WHERE EXISTS (SELECT FROM T WHERE TIME = e.at AND TIME > $1) AND e.n < 4000', 'SELECT max(TIME) FROM T WHERE TIME < $1',
	'UPDATE event SET n = n WHERE id IN (SELECT id FROM T WHERE TIME > $1) RETURNING n');
my @instants = map { "'2026-11-0${_} 00:01Z'" } 1, 3, 4, 1;

foreach my $mode ('force_custom_plan', 'force_generic_plan')
{
	my $session = session($node);

	attempt($session, "SET plan_cache_mode = $mode");
	foreach my $form (@forms)
	{
		my ($ours, $theirs) = map { my ($table, $time) = @$_; $form =~ s/\bT\b/$table/gr =~ s/TIME/$time/gr } [ event_with_time => 'created_at' ], [ event => 'at' ];
		my (@plans, @different);

		attempt($session, "PREPARE ours (timestamptz) AS $ours");
		attempt($session, "PREPARE theirs (timestamptz) AS $theirs");
		foreach my $instant (@instants)
		{
			push @plans, attempt($session, "EXPLAIN (COSTS OFF) EXECUTE ours ($instant)");
			my ($mine, $wanted) = map { join ' ', sort split /\n/, attempt($session, "EXECUTE $_ ($instant)") } 'ours', 'theirs';
			push @different, "$instant: $mine, not $wanted" if $mine ne $wanted;
		}
		is(join("\n", @different), '', "$mode: $form: the column's rows each time");
		is($plans[3], $plans[0], '... and the same plan as at first');
		# a negated range must be constant
		like($plans[0], qr/Index Cond: [(].*\bid\b/, '... by the key') unless $mode eq 'force_generic_plan' && $form =~ / NOT /;
		attempt($session, 'DEALLOCATE ALL');
	}
	$session->quit;
}

# Functions keep their trees, too: of statements, cursors and simple expressions.
sql(<<'SQL');
CREATE FUNCTION of_sql(timestamptz) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT n FROM event_with_time WHERE created_at >= $1 ORDER BY n LIMIT 3';
CREATE FUNCTION of_plpgsql(since timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	found record;
	newest CURSOR FOR SELECT n, created_at FROM event_with_time WHERE created_at >= since ORDER BY created_at LIMIT 3;
	ids text := '';
	id uuid := uuid7_min(since);
BEGIN
	FOR found IN newest LOOP
		IF uuid7_timestamp(id) <= found.created_at AND uuid7_timestamp(id) <@ tstzrange(since, NULL) THEN
			ids := ids || ' ' || found.n;
		END IF;
	END LOOP;
	RETURN ids || ' of ' || (SELECT count(*) FROM event_with_time WHERE created_at >= since);
END $$;
SQL
is(sql(map { ("SELECT of_plpgsql($_)", "SELECT string_agg(n::text, ' ') FROM of_sql($_) AS n") } (@instants) x 2),
	join("\n", (map { " $_ " . ($_ + 1) . ' ' . ($_ + 2) . ' of ' . (5001 - $_), "$_ " . ($_ + 1) . ' ' . ($_ + 2) } 1, 2881, 4321, 1) x 2), 'functions find the same rows each time');

# ---------- what a kept plan depends on ----------

my $session = session($node);
my $rows = sql("SELECT count(*) FROM event WHERE at >= $since");

attempt($session, 'SET plan_cache_mode = force_generic_plan');
attempt($session, 'PREPARE since (timestamptz) AS SELECT count(*) FROM event_with_time WHERE created_at >= $1');
attempt($session, 'PREPARE direct (timestamptz) AS SELECT count(*) FROM event WHERE uuid7_timestamp(id) >= $1');
attempt($session, 'PREPARE of_text (timestamptz) AS SELECT count(*) FROM note WHERE ulid_timestamp(id) = $1');

sub kept
{
	my ($what, $plan) = @_;

	foreach my $name ('since', 'direct')
	{
		is(attempt($session, "EXECUTE $name ($since)"), $rows, "$what: $name finds the rows");
		like(attempt($session, "EXPLAIN EXECUTE $name ($since)"), $plan // $by_key, '... by the key');
	}
	return;
}

kept('at first');
sql('CREATE INDEX by_time ON event (uuid7_timestamp(id))');
kept('an index on the function', qr/Index Cond: .*uuid7_timestamp[(]id[)] >= \$1|Index Cond: .*\bid >=/);
sql('DROP INDEX by_time');
kept('without it');
sql('ALTER TABLE event DROP CONSTRAINT event_pkey');
kept('without the key', qr/Seq Scan|Index Cond/);
sql('ALTER TABLE event ADD PRIMARY KEY (id)');
kept('with it');
sql('ALTER FUNCTION uuid7_min(timestamptz) RENAME TO renamed_min', 'ALTER FUNCTION _flakeid_functions.is_uuid7(uuid) RENAME TO renamed_filter');
kept('the bounds are called something else', qr/Scan/);
like(sql("EXPLAIN SELECT n FROM event_with_time WHERE created_at >= $since"), qr/Scan/, '... in another session, too');
is(sql("SELECT count(*) FROM event_with_time WHERE created_at >= $since"), $rows, '... which finds the rows');
sql('ALTER FUNCTION renamed_min(timestamptz) RENAME TO uuid7_min', 'ALTER FUNCTION _flakeid_functions.renamed_filter(uuid) RENAME TO is_uuid7');

# without the constraint a text that is no ID is an error again, which no index may hide
like(attempt($session, "EXPLAIN EXECUTE of_text ($since)"), qr/Index Cond: /, 'texts: by the key');
is(attempt($session, "EXECUTE of_text ($since)"), '1', '... one row');
sql('ALTER TABLE note DROP CONSTRAINT note_times', q(INSERT INTO note VALUES ('no ULID', 0)));
like(attempt($session, "EXECUTE of_text ($since)"), qr/ERROR:  22\w{3}: /, '... without the constraint: another text is an error');
unlike(attempt($session, "EXPLAIN EXECUTE of_text ($since)"), qr/Index Cond: /, '... which every row is asked about');
sql(q(DELETE FROM note WHERE n = 0), 'ALTER TABLE note ADD CONSTRAINT note_times CHECK (ulid_timestamp(id) IS NOT NULL) NOT VALID');
unlike(attempt($session, "EXPLAIN EXECUTE of_text ($since)"), qr/Index Cond: /, '... NOT VALID proves nothing');
sql('ALTER TABLE note VALIDATE CONSTRAINT note_times');
like(attempt($session, "EXPLAIN EXECUTE of_text ($since)"), qr/Index Cond: /, '... valid, it does again');
is(attempt($session, "EXECUTE of_text ($since)"), '1', '... one row');

# a column of another type, and back
sql('DROP VIEW event_with_time CASCADE', 'ALTER TABLE event ALTER id TYPE text');
like(attempt($session, "EXECUTE direct ($since)"), qr/ERROR: .*(?:uuid7_timestamp|type uuid)/, 'a column of another type: the function is not for it');
sql('ALTER TABLE event ALTER id TYPE uuid USING id::uuid');
is(attempt($session, "EXECUTE direct ($since)"), $rows, '... and back: the rows');
like(attempt($session, "EXPLAIN EXECUTE direct ($since)"), $by_key, '... by the key');

# ---------- DROP and CREATE EXTENSION ----------

sql('DROP EXTENSION flakeid CASCADE');
like(attempt($session, "EXECUTE direct ($since)"), qr/ERROR:  42883: function uuid7_timestamp[(]uuid[)] does not exist/, 'DROP EXTENSION: the function does not exist');
like(attempt($session, "EXPLAIN SELECT n FROM event WHERE at >= $since"), qr/Index Cond: [(]at >=/, '... and other queries are planned');
extension();
kept('CREATE EXTENSION');
attempt($session, 'BEGIN; DROP EXTENSION flakeid CASCADE; ROLLBACK');
kept('DROP EXTENSION, and ROLLBACK');
$session->quit;

# ---------- core's function ----------

if ($node->pg_version->major >= 18)
{
	my $others = session($node);
	my $rows_of = 'SELECT string_agg(n::text, \' \' ORDER BY n) FROM orders WHERE';
	my %asked = (
		constant => "$rows_of created_at >= $since", parameter => "$rows_of created_at >= \$1 AND created_at < \$1 + interval '1 hour'", equal => "$rows_of created_at = \$1",
		list => "$rows_of created_at IN ($since, timestamptz '2026-11-02Z')", pages => 'SELECT string_agg(n::text, \' \') FROM (SELECT n FROM orders WHERE created_at < $1 ORDER BY created_at DESC LIMIT 20) AS page',
		newest => 'SELECT n FROM orders ORDER BY created_at DESC LIMIT 3', greatest => 'SELECT max(created_at) FROM orders',
		joined => 'SELECT string_agg(o.n::text, \' \' ORDER BY o.n) FROM event JOIN orders AS o ON o.created_at = event.at WHERE event.n < 9');
	my (%before, %plans);

	# by the UUIDs of core, as on a server that never had the extension
	sql('CREATE TABLE orders (id uuid PRIMARY KEY, n int, created_at timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) VIRTUAL,
		CONSTRAINT v7 CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7))', 'INSERT INTO orders (id, n) SELECT id, n FROM event');
	sql('VACUUM ANALYZE orders');

	$in_one_session->();    # which has the library
	unlike(sql("EXPLAIN SELECT n FROM orders WHERE created_at >= $since"), $by_key, 'core: nothing in a query loads the library, so the plan is core\'s');
	sql(q(ALTER DATABASE postgres SET session_preload_libraries = 'flakeid'));
	$in_one_session->();
	like(sql("EXPLAIN SELECT n FROM orders WHERE created_at >= $since"), $by_key, '... with session_preload_libraries it is by the key');
	attempt($others, "LOAD 'flakeid'; SET plan_cache_mode = force_generic_plan");
	foreach my $name (sort keys %asked)
	{
		attempt($others, "PREPARE $name (timestamptz) AS $asked{$name}");
		$before{$name} = attempt($others, "EXECUTE $name ($since)");
		$plans{$name} = attempt($others, "EXPLAIN (COSTS OFF) EXECUTE $name ($since)");
		like($plans{$name}, qr/using orders_pkey/, "core, $name: by the key");
	}
	sql('DROP EXTENSION flakeid CASCADE');
	$in_one_session->();
	foreach my $name (sort keys %asked)
	{
		is(attempt($others, "EXECUTE $name ($since)"), $before{$name}, "DROP EXTENSION: core, $name: the same rows by a plan that was kept");
		is(sql("PREPARE q (timestamptz) AS $asked{$name}", "EXECUTE q ($since)"), $before{$name}, '... and in a new session');
	}
	unlike(attempt($others, "EXPLAIN EXECUTE parameter ($since)"), qr/uuid7_min/, '... by no function that is gone');
	extension();
	foreach my $name (sort keys %asked)
	{
		is(attempt($others, "EXPLAIN (COSTS OFF) EXECUTE $name ($since)"), $plans{$name}, "CREATE EXTENSION: core, $name: the plan from before");
		is(attempt($others, "EXECUTE $name ($since)"), $before{$name}, '... and the rows');
	}

	# the proof goes, and with it what it proved
	sql('ALTER TABLE orders DROP CONSTRAINT v7', q(INSERT INTO orders (id, n) VALUES ('a7e3f2c0-0000-11f1-8000-000000000000', 0)));
	is(attempt($others, "EXECUTE constant ($since)"), sql("$rows_of greatest(created_at, NULL) >= $since"), 'without the constraint: a row of version 1 is found');
	unlike(attempt($others, "EXPLAIN EXECUTE constant ($since)"), $by_key, '... since the key is not used');
	$others->quit;

	# UUIDs of every version and variant: those that a constraint lets pass are found as by core
	my $made = q(SELECT overlay(overlay(uuid7_min(t)::text PLACING to_hex(version) FROM 15) PLACING to_hex(variant) FROM 20)::uuid AS id
		FROM unnest('{1970-01-01,2026-11-01,2026-11-03 10:00Z,9999-12-31}'::timestamptz[]) AS t, generate_series(0, 15) AS version, generate_series(0, 15) AS variant
		UNION ALL VALUES ('00000000-0000-0000-0000-000000000000'::uuid), ('ffffffff-ffff-ffff-ffff-ffffffffffff'), (NULL));

	foreach my $proof ('true', 'uuid_extract_version(id) = 7', 'uuid_extract_version(id) IS NOT DISTINCT FROM 7', 'uuid_extract_version(id) <> 1', 'uuid_extract_version(id) IN (4, 7)',
		'uuid_extract_version(id) IN (1, 7)', 'uuid_extract_timestamp(id) IS NOT NULL', 'uuid_extract_version(id) IS NULL OR uuid_extract_version(id) = 7')
	{
		my @different;

		sql('DROP TABLE IF EXISTS mixed', "CREATE TABLE mixed (id uuid, CHECK ($proof))", "INSERT INTO mixed SELECT id FROM ($made) AS m WHERE ($proof) IS NOT FALSE", 'CREATE INDEX ON mixed (id)', 'ANALYZE mixed');
		foreach my $condition ('T >= X', 'T > X', 'T <= X', 'T < X', 'T = X', 'NOT T < X', "T IN (X, timestamptz '2026-11-01')", 'T <@ tstzrange(X, NULL)', 'NOT T <@ tstzrange(NULL, X)', '(T, id) > (X, NULL)',
			"T BETWEEN '2026-11-01' AND X", "T < X OR T > timestamptz '2030-01-01'", 'T IS NULL', 'T IS NOT NULL')
		{
			my $answer = sub
			{
				my $where = $condition =~ s/\bX\b/$since/gr =~ s/\bT\b/$_[0]/gr;

				return sql("SELECT string_agg(coalesce(id::text, 'NULL'), ' ' ORDER BY id) FROM mixed WHERE $where") . "\n"
				  . sql("SELECT string_agg(t::text, ' ') FROM (SELECT $_[0] AS t FROM mixed WHERE $where ORDER BY $_[0] DESC LIMIT 9) AS page");
			};

			push @different, $condition if $answer->('uuid_extract_timestamp(id)') ne $answer->('greatest(uuid_extract_timestamp(id), NULL)');
		}
		is(join("\n", @different), '', "core, CHECK ($proof): the rows that core's function finds");
	}
}

$node->stop;
done_testing();
