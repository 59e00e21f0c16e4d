# Two servers with different numbers make IDs simultaneously, and logical replication
# merges their rows: there is no conflict, all rows are in one table, and no server's
# marks reach the other, even with publications of all tables.  IDs of every type
# arrive, as text and in binary format.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant ROWS => 5000;    # made by each server in each database

my @nodes = map {
	new_server("node$_", conf => [ "flakeid.siq_domain = 'node$_.example'", 'flakeid.max_ahead = 1d' ], extension => 0,
		init => { allows_streaming => 'logical' }, server => [ 'max_worker_processes = 20', 'max_logical_replication_workers = 12' ])
} 1, 2;

# The databases of one server have different numbers, too: odd ones on the first server,
# even ones on the second.
my $databases = 0;

# Create a database on both servers, with a table of every type that servers may share
# (not uid64, which carries no node).  Every ID must be new to its table.
sub new_database
{
	my ($database) = @_;
	my $place = $databases++;

	foreach my $n (1, 2)
	{
		my $node = $nodes[ $n - 1 ];

		$node->safe_psql('postgres', "CREATE DATABASE $database");
		$node->safe_psql('postgres', "ALTER DATABASE $database SET flakeid.node = " . (2 * $place + $n));
		$node->safe_psql($database, qq(
			CREATE EXTENSION flakeid;
			CREATE TABLE merged (
				sno sno PRIMARY KEY DEFAULT sno_new(0),
				snowflake snowflake UNIQUE DEFAULT snowflake_new(),
				siq siq UNIQUE DEFAULT siq_new('message'),
				uid96 uid96 UNIQUE DEFAULT uid96_new(),
				flax flax UNIQUE DEFAULT flax_new(),
				ulid ulid UNIQUE DEFAULT ulid_new(),
				ksuid ksuid UNIQUE DEFAULT ksuid_new(),
				uuid7 uuid UNIQUE DEFAULT uuid7_new(),
				node int DEFAULT $n
			);
		));
	}
	return;
}

# Replicate everything that "what" names from one server to the other, and wait until
# the first copy has arrived.
sub subscribe
{
	my ($database, $what, $from, $to, @options) = @_;
	my $name = $database . '_' . $from->name;

	$from->safe_psql($database, "CREATE PUBLICATION $name FOR $what");
	$to->safe_psql($database, "CREATE SUBSCRIPTION $name CONNECTION '" . $from->connstr . " dbname=$database' PUBLICATION $name"
		  . (@options ? ' WITH (' . join(', ', @options) . ')' : ''));
	$to->wait_for_subscription_sync($from, $name, $database);
	return;
}

# Insert rows on all servers simultaneously, in two sessions each, and replicate them.
sub make_rows
{
	my ($database, @directions) = @_;
	my $script = "\\c $database\n" . "INSERT INTO merged SELECT FROM generate_series(1, 100);\n" x (ROWS / 200);

	finish_sessions(map { start_sessions($_, $script, $script) } @nodes);
	$_->wait_for_catchup($database . '_' . $_->name) foreach @directions;
	return;
}

sub rows
{
	my ($node, $database) = @_;

	return $node->safe_psql($database, 'SELECT node, count(*) FROM merged GROUP BY node ORDER BY node') =~ s/\n/ /gr;
}

# Subscribers have a row of each kind, lower than the publisher's, and no worker has
# failed and tried again.  The names of those counters depend on the major version.
sub untouched
{
	my ($name, $database, $hours, @subscribers) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	foreach my $node (@subscribers)
	{
		is($node->safe_psql($database, "SELECT count(*), count(DISTINCT kind), max(@{[MARKED]}) < clock_timestamp() + interval '$hours h' - interval '30 min' FROM _flakeid.mark"),
			'3|3|t', "$name: the marks of " . $node->name . ' are its own');
		is($node->safe_psql('postgres', q(SELECT sum(value::int)
				FROM pg_stat_subscription_stats AS s, jsonb_each_text(to_jsonb(s)) WHERE key LIKE '%_error_count')),
			'0', "$name: no worker of " . $node->name . ' has failed');
	}
	return;
}

# ---------- all tables, one direction in each of two databases ----------

# The publisher's marks are hours ahead, and so are its IDs in all its databases.
foreach my $direction ([ 0, 1, 1 ], [ 1, 0, 2 ])
{
	my ($from, $to) = @nodes[ @$direction[ 0, 1 ] ];
	my $hours = $direction->[2];
	my $name = $from->name . ' to ' . $to->name;
	my $database = "all$direction->[0]";
	my @before;

	new_database($database);
	$_->safe_psql($database, 'INSERT INTO merged DEFAULT VALUES') foreach @nodes;
	$from->safe_psql($database, "SELECT flakeid_advance(clock_timestamp() + interval '$hours h')");
	@before = marks($to, $database);
	subscribe($database, 'ALL TABLES', $from, $to);
	is(join(' ', marks($to, $database)), "@before", "$name: the first copy brings no mark");

	# and a mark written like any other row arrives as a change
	$from->safe_psql($database, "
		BEGIN;
		ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert;
		INSERT INTO _flakeid.mark SELECT 2, @{[row_until(qq(clock_timestamp() + interval '$hours h'))]};
		ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert;
		COMMIT;
	");
	make_rows($database, $from);
	is(rows($to, $database), join(' ', map { "$_|" . (ROWS + 1) } 1, 2), "$name: all rows of both servers are in one table");
	untouched($name, $database, $hours, $to);
}

# ---------- one table, both directions ----------

# Each server sends the rows it has made itself: selected by a column, as text and in
# binary format, or since PostgreSQL 16 by origin.
my %own = map { $_ => own_rows(/binary/ ? 'binary = on' : ()) } 'two_way', 'two_way_binary';

sub own_rows
{
	my (@options) = @_;

	return [ map { [ "TABLE merged WHERE (node = $_) WITH (publish = 'insert')", @options ] } 1, 2 ];
}

$own{origin} = [ ([ 'TABLE merged', 'origin = none' ]) x 2 ] if $nodes[0]->pg_version >= 16;
foreach my $database (sort keys %own)
{
	new_database($database);
	foreach my $n (0, 1)
	{
		my ($what, @options) = @{ $own{$database}->[$n] };

		subscribe($database, $what, $nodes[$n], $nodes[ 1 - $n ], @options);
	}
	make_rows($database, @nodes);
	is(rows($_, $database), join(' ', map { "$_|" . ROWS } 1, 2), "$database: all rows are on " . $_->name) foreach @nodes;
	is($nodes[0]->safe_psql($database, 'SELECT * FROM merged ORDER BY sno'), $nodes[1]->safe_psql($database, 'SELECT * FROM merged ORDER BY sno'),
		"$database: and they are the same");
	untouched($database, $database, 3, @nodes);
}

# The column is needed because a row filter cannot read an ID's parts.
{
	my $error;

	$nodes[0]->psql('two_way', 'CREATE PUBLICATION own FOR TABLE merged WHERE (sno_partition(sno) = 1)', stderr => \$error);
	like($error, qr/ERROR:  invalid publication WHERE expression/, 'a row filter cannot read the parts of an ID');
}

# ---------- as text and in binary format ----------

foreach my $format ('text', 'binary')
{
	my ($from, $to) = @nodes;
	my $database = "as_$format";
	my $content = q(SELECT count(*), md5(string_agg(m::text, ',' ORDER BY sno)) FROM merged AS m);

	new_database($database);
	$_->safe_psql($database, 'ALTER TABLE merged ADD uid64 uid64 DEFAULT uid64_new()') foreach @nodes;
	$from->safe_psql($database, 'INSERT INTO merged SELECT FROM generate_series(1, 1000)');
	subscribe($database, 'TABLE merged', $from, $to, 'binary = ' . ($format eq 'binary' ? 'on' : 'off'));
	is($to->safe_psql($database, $content), $from->safe_psql($database, $content), "$format: the first copy");
	$from->safe_psql($database, q(
		INSERT INTO merged SELECT FROM generate_series(1, 1000);
		UPDATE merged SET node = -1 WHERE sno IN (SELECT sno FROM merged ORDER BY sno LIMIT 10);
		DELETE FROM merged WHERE sno IN (SELECT sno FROM merged ORDER BY sno DESC LIMIT 10)));
	$from->wait_for_catchup($database . '_' . $from->name);
	is($to->safe_psql($database, $content), $from->safe_psql($database, $content), "$format: inserts, and changes that find their row by the ID");
	like($to->safe_psql($database, $content), qr/^1990\|/, "$format: the expected number of rows");
}

$_->stop foreach @nodes;

done_testing();
