# flakeid_backfill on tables in use: sessions insert, the server crashes in the middle, again
# and again, and two calls run side by side.  In the end every row has an ID, none is used
# twice, and the IDs of old rows are in the order of their times.  The table alone records the
# work left to do.  No transaction of the application waits for long, or fails, and no order
# of the column's own decides.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant ROWS => 20_000;

my $node = new_server('backfill_table', conf => ['flakeid.node = 11'], server => [ 'max_wal_size = 4GB', 'deadlock_timeout = 10ms' ]);

sub query
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# What a statement says beside its answer.
sub said
{
	my ($sql) = @_;

	# only where it waits for a row without limit does a call need as long
	return ($node->psql('postgres', "SET statement_timeout = '3min'; $sql"))[2] . "\n";
}

# Start a call, which waits for rows as long as they are locked.
sub start_call
{
	my ($call) = @_;
	my $session = session($node);

	$session->send("SET lock_timeout = '10min'; $call;");
	return $session;
}

# Call a procedure, and crash the server when this part of a table's rows is done; return
# whether the call was interrupted.  $done counts the rows.  The call cannot finish earlier,
# because the table's last row is locked.
sub crash_during
{
	my ($call, $done, $until, $table) = @_;
	my $holder = session($node);
	my $held = attempt($holder, "BEGIN; SELECT id FROM $table WHERE id = " . ROWS . ' FOR UPDATE');
	my $running = start_call($call);

	query('INSERT INTO orders SELECT FROM generate_series(1, 10)');
	$node->poll_query_until('postgres', "SELECT ($done) >= " . $until * ROWS) or die 'no progress';
	$node->stop('immediate');
	$_->quit foreach $running, $holder;
	$node->start;
	cmp_ok(query($done), '<', ROWS, "crash at $until: not finished");
	return $running->{stderr} =~ /server closed the connection|terminating connection/;
}

# 40 rows per instant; a batch ends in the middle of one.
query('CREATE TABLE orders (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now());
	CREATE INDEX ON orders (created_at);
	INSERT INTO orders (created_at) SELECT timestamptz \'2020-01-01\' + n / 40 * interval \'1 s\' FROM generate_series(1, ' . ROWS . ') AS n;
	ALTER TABLE orders ADD COLUMN sno sno, ADD COLUMN uuid uuid;
	CREATE INDEX ON orders (sno);
	CREATE UNIQUE INDEX ON orders (uuid);
	INSERT INTO orders SELECT FROM generate_series(1, 10);
	ALTER TABLE orders ALTER COLUMN sno SET DEFAULT sno_new(), ALTER COLUMN uuid SET DEFAULT uuid7_new()');

foreach my $column ('sno', 'uuid')
{
	my $call = "CALL flakeid_backfill('orders', '$column', 'created_at', batch => 200)";
	my $is_first = $column eq 'sno';
	my $crashes = 0;

	$crashes += crash_during($call, "SELECT count($column) FROM orders WHERE id <= " . ROWS, $_, 'orders') foreach $is_first ? (0.1, 0.4, 0.7) : (0.3);
	is($crashes, $is_first ? 3 : 1, "$column: the calls were interrupted");
	my $hand = session($node);
	like(attempt($hand, "BEGIN; $call"), qr/ERROR:  2D000: invalid transaction termination/, "$column: not within a transaction");
	attempt($hand, 'ROLLBACK');
	$hand->quit;

	run_sessions($node, $call, $call, 'INSERT INTO orders SELECT FROM generate_series(1, 1000)');
	is(query("SELECT count(*) = count(DISTINCT $column), count(*) FILTER (WHERE $column IS NULL) FROM orders"), 't|0', "$column: every row has a different ID");
	is(query("SELECT count(*) FROM (SELECT $column AS id, lag($column) OVER (ORDER BY created_at, id) AS last FROM orders WHERE id <= " . ROWS . ') AS o WHERE id <= last'),
		'0', "$column: in the order of the rows");
}
is(query('SELECT count(*) FROM orders WHERE id <= ' . ROWS . ' AND (sno::timestamptz <> created_at OR sno_sequence(sno) >= 40)'),
	'0', 'sno: of the tick of their time, from its start on');
is(query('SELECT count(*) FROM orders WHERE id <= ' . ROWS . q( AND (uuid7_timestamp(uuid) <> created_at OR get_byte(uuid_send(uuid), 6) <> 112 OR get_byte(uuid_send(uuid), 7) <> 0 OR get_byte(uuid_send(uuid), 8) & 63 >= 40))),
	'0', 'uuid: of the millisecond of their time, from its start on');

# A row whose time changes while a call waits for it gets an ID of its new time.
foreach my $batch (5, 1000)
{
	my $other = session($node);
	my $running;

	query(q(DROP TABLE IF EXISTS moved;
		CREATE TABLE moved (id int PRIMARY KEY, created_at timestamptz NOT NULL, uid uuid UNIQUE);
		CREATE INDEX ON moved (created_at);
		INSERT INTO moved SELECT n, timestamptz '2020-01-01' + n * interval '1 min' FROM generate_series(1, 100) AS n));
	attempt($other, q(BEGIN; UPDATE moved SET created_at = '2030-01-01' WHERE id = 5; UPDATE moved SET created_at = '2020-01-01 00:50' WHERE id = 60));
	$running = start_call("CALL flakeid_backfill('moved', 'uid', 'created_at', batch => $batch)");
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name LIKE 'flakeid_backfill: %' AND wait_event_type = 'Lock')),
		"batches of $batch: the call waits for a row");
	attempt($other, 'COMMIT');
	unlike($running->answer, qr/ERROR/, "batches of $batch: and continues");
	is(query('SELECT count(*), count(uid), count(*) FILTER (WHERE uuid7_timestamp(uid) <> created_at) FROM moved'), '100|100|0', "batches of $batch: every ID has its row's time");
	is(query('SELECT count(*) FROM (SELECT uid, lag(uid) OVER (ORDER BY created_at, id) AS last FROM moved) AS m WHERE uid <= last'), '0',
		"batches of $batch: in the order of the rows");
	$_->quit foreach $running, $other;
}

# A call reports its progress while it works, and waits for one row without holding others.
{
	my $locker = session($node);
	my $running;

	query('UPDATE orders SET sno = NULL WHERE id <= 1000');
	attempt($locker, 'BEGIN; SELECT FROM orders WHERE id IN (500, 600) FOR UPDATE');
	$running = start_call(q(CALL flakeid_backfill('orders', 'sno', 'created_at', batch => 100)));
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'flakeid_backfill: 998 rows of public.orders.sno' AND wait_event_type = 'Lock')),
		'its application_name shows its progress');
	is(query('SELECT count(*) FROM (SELECT FROM orders WHERE id <= 1000 FOR UPDATE SKIP LOCKED) AS free'), '998', 'it holds no row while it waits');
	attempt($locker, 'COMMIT');
	unlike($running->answer, qr/ERROR/, 'and it continues when the lock is free');
	is(query('SELECT count(*) FROM orders WHERE sno IS NULL'), '0', 'to the end');
	$_->quit foreach $running, $locker;
}

# ---------- locks of the application ----------

# What somebody keeps locked is left, and named.
{
	my $idle = session($node);
	my $call = q(CALL flakeid_backfill('orders', 'sno', 'created_at'));

	query('UPDATE orders SET sno = NULL WHERE id <= 1000');
	attempt($idle, 'BEGIN; UPDATE orders SET created_at = created_at WHERE id IN (17, 18)');
	like(said("SET lock_timeout = '100ms'; $call"),
		qr/998 rows of table "public\.orders" got an ID\. 2 rows got none: they have no time, or others have locked them, such as \("2020-01-01 00:00:00\+00",17\), \("2020-01-01 00:00:00\+00",18\): call the procedure again/,
		'an idle transaction: all other rows are done, and its rows named');
	attempt($idle, 'COMMIT');
	like(said($call), qr/2 rows of table "public\.orders" got an ID\.\n/, '... and they are done by the next call');

	# a child's insert locks the key of its parent
	query('CREATE TABLE child (order_id bigint REFERENCES orders); UPDATE orders SET sno = NULL, uuid = NULL WHERE id <= 1000');
	attempt($idle, 'BEGIN; INSERT INTO child VALUES (17)');
	like(said($call), qr/NOTICE:  1000 rows of table "public\.orders" got an ID\.\n/, q(a child's insert: the parent's row is done, if no unique index has the column));
	like(said(q(CALL flakeid_backfill('orders', 'uuid', 'created_at'))), qr/999 rows of table "public\.orders" got an ID\. 1 rows got none: .*,17\)/, '... and left otherwise');
	$idle->quit;
}

# Transactions lock two rows, the later one first, where the backfill is at work: none of them fails.
{
	my $rows = whole_or_short(200_000, 50_000);
	my $writer = q(DO $$
		DECLARE
			a int;
		BEGIN
			WHILE NOT EXISTS (SELECT FROM stop) LOOP
				SELECT max(substring(application_name FROM ': ([0-9]+) rows')::int) INTO a FROM pg_stat_activity WHERE application_name LIKE 'flakeid_backfill: %';
				a := (coalesce(a, 0) + 1000 * random())::int % ) . ($rows - 1000) . q( + 1;
				UPDATE busy SET n = n + 1 WHERE id = a + 900 * random();
				PERFORM pg_sleep(0.001);
				UPDATE busy SET n = n + 1 WHERE id = a;
				COMMIT;
			END LOOP;
		END
		$$;);
	my @writers;

	query("CREATE TABLE busy (id int PRIMARY KEY, at timestamptz NOT NULL, n int NOT NULL DEFAULT 0, uid uuid) WITH (fillfactor = 70);
		INSERT INTO busy SELECT n, timestamptz '2020-01-01Z' + n * interval '1 min' FROM generate_series(1, $rows) AS n;
		CREATE INDEX ON busy (at); CREATE INDEX ON busy (uid); CREATE TABLE stop ()");
	@writers = start_sessions($node, $writer, $writer, $writer);
	like(said(q(CALL flakeid_backfill('busy', 'uid', 'at'))), qr/NOTICE:  $rows rows of table "public\.busy" got an ID\.\n/, "$rows rows under writers: all are done");
	query('INSERT INTO stop DEFAULT VALUES');
	is(join('', finish_sessions(@writers)), '', 'no transaction of the writers has failed');
	is(query('SELECT sum(n) > 0 FROM busy'), 't', 'there were some');
	is(query('SELECT count(*) FROM (SELECT *, lag(uid) OVER (ORDER BY at) AS last FROM busy) AS b WHERE uid IS NULL OR uid <= last OR uuid7_timestamp(uid) <> at'), '0', 'every ID has the time of its row');
}

# ---------- the order ----------

# ULIDs where the collation has another order than their times.
SKIP:
{
	my @languages = qw(da cs et lt hu);

	skip 'PostgreSQL has no ICU', scalar @languages if query(q(SELECT count(*) FROM pg_collation WHERE collname = 'da-x-icu')) eq '0';
	foreach my $language (@languages)
	{
		query(qq(DROP TABLE IF EXISTS message; CREATE TABLE message (id text COLLATE "$language-x-icu" PRIMARY KEY, snowflake snowflake); CREATE INDEX ON message (snowflake);
			INSERT INTO message SELECT left(ulid_text_min(timestamptz '2015-01-01Z' + n * interval '19 h'), 10) || md5(n::text)::char(8) || 'ZZZZZZZZ' FROM generate_series(1, 6000) AS n));
		query('UPDATE message SET id = upper(id)');
		like(said(q(CALL flakeid_backfill('message', 'snowflake', 'id'))), qr/HINT:  CREATE INDEX CONCURRENTLY ON public\.message \(\(id::text COLLATE "C"\), id\) WHERE snowflake IS NULL;/, "$language: needs an index in the order of time");
		query('CREATE INDEX ON message (id COLLATE "C")');
		like(said(q(CALL flakeid_backfill('message', 'snowflake', 'id', batch => 100))), qr/6000 rows of table "public\.message" got an ID\.\n/, "$language: no row is moved");
		is(query('SELECT count(*) FROM message WHERE snowflake::timestamptz IS DISTINCT FROM ulid_timestamp(id)'), '0', "$language: every ID has the time of its row");
	}
	# an index that says it is in the order of time, and is not
	query(q(UPDATE message SET snowflake = NULL; DROP INDEX message_id_idx; CREATE INDEX message_lies ON message (id); UPDATE pg_index SET indcollation = '950' WHERE indexrelid = 'message_lies'::regclass));
	query(q(CALL flakeid_backfill('message', 'snowflake', 'id', batch => 100)));
	is(query('SELECT count(*) FROM message WHERE snowflake::timestamptz IS DISTINCT FROM ulid_timestamp(id)'), '0', 'a corrupt index: every ID has the time of its row');
}

$node->stop;
done_testing();
