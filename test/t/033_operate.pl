# flakeid_backfill on a table at work: sessions insert, the server crashes in the middle,
# again and again, and two calls work side by side.  In the end every row has an ID, none
# comes twice, and those of before are in the order of their time.  And flakeid_maintain
# where a lock is not to be had, and after a restore.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant ROWS => 20_000;

my $node = new_server('operate', conf => ['flakeid.node = 11'], server => ['max_wal_size = 4GB']);
my $call = q(CALL flakeid_backfill('orders', 'sno', 'created_at', batch => 200));

sub query
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# Rows that have an ID, of those of before.
sub done
{
	return query('SELECT count(sno) FROM orders WHERE id <= ' . ROWS);
}

# 40 rows an instant; a batch ends in the middle of one.
query('CREATE TABLE orders (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now());
	CREATE INDEX ON orders (created_at);
	INSERT INTO orders (created_at) SELECT timestamptz \'2020-01-01\' + n / 40 * interval \'1 s\' FROM generate_series(1, ' . ROWS . ') AS n;
	ALTER TABLE orders ADD COLUMN sno sno;
	CREATE UNIQUE INDEX ON orders (sno);
	INSERT INTO orders SELECT FROM generate_series(1, 10);
	ALTER TABLE orders ALTER COLUMN sno SET DEFAULT sno_new()');

my $crashes = 0;
foreach my $until (0.1, 0.4, 0.7)
{
	my $running = IPC::Run::start(
		[ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', $call ], '>', \my $out, '2>', \my $err);

	query('INSERT INTO orders SELECT FROM generate_series(1, 10)');
	$node->poll_query_until('postgres', 'SELECT count(sno) >= ' . $until * ROWS . ' FROM orders WHERE id <= ' . ROWS)
	  or die 'no progress';
	$node->stop('immediate');
	IPC::Run::finish($running);
	$crashes++ if $err =~ /server closed the connection|terminating connection/;
	$node->start;
	my $rows = done();
	cmp_ok($rows, '<', ROWS, "crash at $until: not finished");
	is(query('SELECT finished, rows FROM flakeid_backfills'), "f|$rows", "crash at $until: what is noted is what is done");
}
is($crashes, 3, 'three calls were interrupted');

my $hand = session($node);
like(attempt($hand, "BEGIN; $call"), qr/ERROR:  2D000: invalid transaction termination/, 'not within a transaction');
attempt($hand, 'ROLLBACK');
$hand->quit;

run_sessions($node, $call, $call, 'INSERT INTO orders SELECT FROM generate_series(1, 1000)');
is(query('SELECT count(*), count(DISTINCT sno) FROM orders'), (ROWS + 1040) . '|' . (ROWS + 1040), 'every row has an ID of its own');
is(query('SELECT finished FROM flakeid_backfills'), 't', 'it is finished');
is(query('SELECT count(*) FROM (SELECT sno, lag(sno) OVER (ORDER BY created_at, id) AS last FROM orders WHERE id <= ' . ROWS . ') AS o WHERE sno <= last'),
	'0', 'in the order of the rows');
is(query('SELECT count(*) FROM orders WHERE id <= ' . ROWS . ' AND (sno::timestamptz <> created_at OR sno_sequence(sno) >= 40)'),
	'0', 'of the tick of their time, from its start on');

# The notes stay here: what is left to do a restored table tells itself.
my ($dump, $error) = run_command([ $node->installed_command('pg_dump'), '-d', $node->connstr('postgres') ]);
unlike($dump, qr/COPY _flakeid\.backfill/, 'a dump has no notes of it');

# ---------- partitions ----------

query(q(CREATE TABLE log (id sno PRIMARY KEY DEFAULT sno_new()) PARTITION BY RANGE (id);
	CREATE TABLE other (id sno PRIMARY KEY DEFAULT sno_new()) PARTITION BY RANGE (id)));
query(q(SELECT flakeid_create_partitions('log', '2021-01-01', '2021-02-01', '1 month'),
	flakeid_keep('log', '1 month', ahead => 1, retain => '90 days'), flakeid_keep('other', '1 day')));

# what reads the old partition keeps it from being dropped, and the other table from nothing
$hand = session($node);
attempt($hand, 'BEGIN; SELECT * FROM log');
my (undef, undef, $warning) = $node->psql('postgres', q(SET lock_timeout = '100ms'; CALL flakeid_maintain()));
like($warning, qr/WARNING:  partitions of table "public.log" are not kept: 55P03: canceling statement due to lock timeout/, 'a lock that is not had is told');
is(query('SELECT name, last_error, cardinality(to_create), cardinality(to_drop) FROM flakeid_kept ORDER BY name'),
	"log|55P03: canceling statement due to lock timeout|2|1\nother||0|0", 'and noted, and the next table is worked on');

attempt($hand, 'COMMIT');
$hand->quit;
query('CALL flakeid_maintain()');
is(query('SELECT name, last_error, cardinality(to_create), cardinality(to_drop) FROM flakeid_kept ORDER BY name'),
	"log||0|0\nother||0|0", 'when the lock is free it is done, and the error is gone');

# a dump carries what is kept
my $file = PostgreSQL::Test::Utils::tempdir() . '/kept.dump';
$node->command_ok([ 'pg_dump', '-Fc', '-f', $file, '-d', $node->connstr('postgres') ], 'pg_dump');
query('CREATE DATABASE restored');
$node->command_ok([ 'pg_restore', '-d', $node->connstr('restored'), $file ], 'pg_restore');
is($node->safe_psql('restored', 'SELECT name, step, retain, fault, cardinality(to_create) FROM flakeid_kept ORDER BY name'),
	"log|1 mon|90 days||0\nother|1 day|00:00:00||0", 'a restored database keeps its partitions');

$node->stop;
done_testing();
