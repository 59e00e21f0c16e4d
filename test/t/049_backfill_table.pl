# flakeid_backfill and flakeid_backfill_reference on tables in use: sessions insert, the
# server crashes in the middle, again and again, and two calls run side by side.  In the
# end every row has an ID, none is used twice, and the IDs of old rows are in the order of
# their times.  The table alone records the work left to do.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant ROWS => 20_000;

my $node = new_server('backfill_table', conf => ['flakeid.node = 11'], server => ['max_wal_size = 4GB']);

sub query
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# Call a procedure, and crash the server when this part of a table's rows is done; return
# whether the call was interrupted.  $done counts the rows.  The call cannot finish earlier,
# because the table's last row is locked.
sub crash_during
{
	my ($call, $done, $until, $table) = @_;
	my $holder = session($node);
	my $held = attempt($holder, "BEGIN; SELECT id FROM $table WHERE id = " . ROWS . ' FOR UPDATE');
	my $running = IPC::Run::start(
		[ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', $call ], '>', \my $out, '2>', \my $err);

	query('INSERT INTO orders SELECT FROM generate_series(1, 10)');
	$node->poll_query_until('postgres', "SELECT ($done) >= " . $until * ROWS) or die 'no progress';
	$node->stop('immediate');
	IPC::Run::finish($running);
	eval { $holder->quit };
	$node->start;
	cmp_ok(query($done), '<', ROWS, "crash at $until: not finished");
	return $err =~ /server closed the connection|terminating connection/;
}

# 40 rows per instant; a batch ends in the middle of one.
query('CREATE TABLE orders (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now());
	CREATE INDEX ON orders (created_at);
	INSERT INTO orders (created_at) SELECT timestamptz \'2020-01-01\' + n / 40 * interval \'1 s\' FROM generate_series(1, ' . ROWS . ') AS n;
	CREATE TABLE item AS SELECT n AS id, ' . ROWS . ' + 1 - n AS order_id, NULL::uuid AS order_uuid FROM generate_series(1, ' . ROWS . ') AS n;
	ALTER TABLE orders ADD COLUMN sno sno, ADD COLUMN uuid uuid;
	CREATE UNIQUE INDEX ON orders (sno);
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
is(query('SELECT count(*) FROM orders WHERE id <= ' . ROWS . q( AND (uuid7_timestamp(uuid) <> created_at OR _flakeid_functions.flakeid_counter_of('uuid7', uuid_send(uuid)) >= 40))),
	'0', 'uuid: of the millisecond of their time, from its start on');

# The referring table, while its rows are updated and inserted.
{
	my $call = q(CALL flakeid_backfill_reference('item', 'order_uuid', 'order_id', 'orders', 'id', 'uuid', batch => 200));

	ok(crash_during($call, 'SELECT count(order_uuid) FROM item', 0.3, 'item'), 'references: the call was interrupted');
	run_sessions($node, $call, $call, 'UPDATE item SET id = id + 100000 WHERE id % 7 = 0', "INSERT INTO item SELECT n, n FROM generate_series(1, 1000) AS n");
	query($call);
	is(query('SELECT count(*), count(*) FILTER (WHERE i.order_uuid IS DISTINCT FROM o.uuid) FROM item AS i JOIN orders AS o ON o.id = i.order_id'),
		(ROWS + 1000) . '|0', 'references: every row has the ID of its own');
}

# A row whose time changes while a call waits for it gets an ID of its new time, and the rows
# after it keep their IDs.  With batches of 5 it is the last row of one.
foreach my $batch (5, 1000)
{
	my $other = session($node);
	my $running;

	query(q(DROP TABLE IF EXISTS moved;
		CREATE TABLE moved (id int PRIMARY KEY, created_at timestamptz NOT NULL, uid uuid UNIQUE);
		CREATE INDEX ON moved (created_at);
		INSERT INTO moved SELECT n, timestamptz '2020-01-01' + n * interval '1 min' FROM generate_series(1, 100) AS n));
	attempt($other, q(BEGIN; UPDATE moved SET created_at = '2030-01-01' WHERE id = 5; UPDATE moved SET created_at = '2020-01-01 00:50' WHERE id = 60));
	$running = IPC::Run::start(
		[ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', "CALL flakeid_backfill('moved', 'uid', 'created_at', batch => $batch)" ]);
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name LIKE 'flakeid_backfill: %' AND wait_event_type = 'Lock')),
		"batches of $batch: the call waits for a row");
	attempt($other, 'COMMIT');
	ok(IPC::Run::finish($running), "batches of $batch: and continues");
	is(query('SELECT count(*), count(uid), count(*) FILTER (WHERE uuid7_timestamp(uid) <> created_at) FROM moved'), '100|100|0', "batches of $batch: every ID has its row's time");
	is(query('SELECT count(*) FROM (SELECT uid, lag(uid) OVER (ORDER BY created_at, id) AS last FROM moved) AS m WHERE uid <= last'), '0',
		"batches of $batch: in the order of the rows");
	$other->quit;
}

# A call reports its progress while it works.
{
	my $locker = session($node);
	my $running;

	query('UPDATE orders SET sno = NULL WHERE id <= 1000');
	attempt($locker, 'BEGIN; SELECT FROM orders WHERE id = 500 FOR UPDATE');
	$running = IPC::Run::start(
		[ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', q(CALL flakeid_backfill('orders', 'sno', 'created_at', batch => 100)) ]);
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'flakeid_backfill: 400 rows of public.orders.sno')),
		'its application_name shows its progress');
	attempt($locker, 'COMMIT');
	ok(IPC::Run::finish($running), 'and it continues when the lock is free');
	is(query('SELECT count(*) FROM orders WHERE sno IS NULL'), '0', 'to the end');
	$locker->quit;
}

$node->stop;
done_testing();
