# Partitions under logical replication: the two ways of docs/distributed.md by which rows of new
# partitions arrive, and what happens without them.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my ($publisher, $subscriber) = map {
	new_server($_->[0], conf => ["flakeid.node = $_->[1]"], init => { allows_streaming => 'logical' }, server => [ "timezone = 'UTC'" ])
} [ 'publisher', 1 ], [ 'subscriber', 2 ];
my $connection = $publisher->connstr . ' dbname=postgres';

# by the root: each server has partitions of its own
foreach my $case ([ 'by_root', 'WITH (publish_via_partition_root = true)' ], [ 'by_leaf', '' ])
{
	my ($table, $with) = @$case;

	foreach my $node ($publisher, $subscriber)
	{
		$node->safe_psql('postgres', "CREATE TABLE $table (id sno PRIMARY KEY DEFAULT sno_new(0), n int) PARTITION BY RANGE (id); CALL flakeid_maintain('$table', '1 day', ahead => 0)");
	}
	$publisher->safe_psql('postgres', "CREATE PUBLICATION $table FOR TABLE $table $with");
	$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION $table CONNECTION '$connection' PUBLICATION $table");
	$subscriber->wait_for_subscription_sync($publisher, $table);
	$publisher->safe_psql('postgres', "INSERT INTO $table (n) VALUES (1)");
	$publisher->wait_for_catchup($table);
	is($subscriber->safe_psql('postgres', "SELECT count(*) FROM $table"), '1', "$table: rows of a partition that was there arrive");

	# the next partitions, on the subscriber first, where their steps may be others
	$subscriber->safe_psql('postgres', "CALL flakeid_maintain('$table', '1 day', ahead => 2)");
	$publisher->safe_psql('postgres', "CALL flakeid_maintain('$table', '1 day', ahead => 2); INSERT INTO $table VALUES (sno_new_at(now() + interval '1 day'), 2)");
	$publisher->wait_for_catchup($table);
	if ($with eq '')
	{
		is($subscriber->safe_psql('postgres', "SELECT count(*) FROM $table"), '1', "$table: rows of a new partition do not");
		$subscriber->safe_psql('postgres', "ALTER SUBSCRIPTION $table REFRESH PUBLICATION");
		$subscriber->wait_for_subscription_sync($publisher, $table);
	}
	$publisher->safe_psql('postgres', "INSERT INTO $table VALUES (sno_new_at(now() + interval '2 days'), 3)");
	$publisher->wait_for_catchup($table);
	is($subscriber->safe_psql('postgres', "SELECT string_agg(n::text, ' ' ORDER BY n) FROM $table"), '1 2 3', "$table: all rows arrive");

	# removed here and there
	$publisher->safe_psql('postgres', "SELECT flakeid_drop_partitions('$table', date_trunc('day', now()) + interval '1 day')");
	$publisher->safe_psql('postgres', "INSERT INTO $table VALUES (sno_new_at(now() + interval '2 days'), 4)");
	$publisher->wait_for_catchup($table);
	is($subscriber->safe_psql('postgres', "SELECT string_agg(n::text, ' ' ORDER BY n) FROM $table"), '1 2 3 4', "$table: a removed partition needs nothing");
}

# only the publisher has the partition
my $logged = -s $subscriber->logfile;

$publisher->safe_psql('postgres', q(SELECT flakeid_create_partitions('by_leaf', '2070-01-01Z', '2070-01-02Z', '1 day'); INSERT INTO by_leaf VALUES (sno_new_at('2070-01-01 01:00Z'), 5)));
ok(until_true(sub { return slurp_file($subscriber->logfile, $logged) =~ /ERROR:  logical replication target relation "public\.by_leaf_\d+" does not exist/ }), 'a partition that only the publisher has stops replication');
like(slurp_file($subscriber->logfile, $logged), qr/ERROR:  logical replication target relation "public\.by_leaf_\d+" does not exist/, '... as the page says');
$subscriber->safe_psql('postgres', q(SELECT flakeid_create_partitions('by_leaf', '2070-01-01Z', '2070-01-02Z', '1 day'); ALTER SUBSCRIPTION by_leaf REFRESH PUBLICATION));
ok($subscriber->poll_query_until('postgres', 'SELECT count(*) = 1 FROM by_leaf WHERE n = 5'), '... until the subscriber has it');

# UPDATE and DELETE in new partitions of a table without a key
$publisher->safe_psql('postgres', q(CREATE TABLE reading (id sno DEFAULT sno_new(0), value int) PARTITION BY RANGE (id); ALTER TABLE reading REPLICA IDENTITY FULL;
	CALL flakeid_maintain('reading', '1 month'); CREATE PUBLICATION all_tables FOR ALL TABLES; INSERT INTO reading (value) VALUES (1)));
is($publisher->safe_psql('postgres', 'UPDATE reading SET value = 2; DELETE FROM reading RETURNING value'), '2', 'new partitions have the replica identity of the table');

# ... or with a replica identity by an index
is($publisher->safe_psql('postgres', q(CREATE TABLE indexed (id sno NOT NULL DEFAULT sno_new(0), value int) PARTITION BY RANGE (id); CREATE UNIQUE INDEX "its id" ON indexed (id); ALTER TABLE indexed REPLICA IDENTITY USING INDEX "its id";
	CALL flakeid_maintain('indexed', '1 month'); INSERT INTO indexed (value) VALUES (1); UPDATE indexed SET value = 2; DELETE FROM indexed RETURNING value)), '2', 'also if that is an index');

$_->stop foreach $subscriber, $publisher;
done_testing();
