# Two servers write one table and subscribe to each other, under load.  One of them crashes
# in the middle: its standby is promoted, with the number of the old primary, and replaces
# it in the replication.  All IDs that any of the three has made are compared, including those
# of transactions lost in the crash; the replication meets no key conflict, and in the end
# both tables are the same.
#
# TORTURE_SECONDS sets the duration (600).
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use IPC::Run ();

use constant SECONDS => $ENV{TORTURE_SECONDS} || 600;
use constant CLIENTS => 4;    # of each server
use constant RATE => 20;    # transactions per second of each server
use constant ROWS => 50;    # of each transaction

# The types that servers may share: not uid64, which carries no node.
my %types = (
	sno => [ 10, 'sno_new(0)' ],
	snowflake => [ 8, 'snowflake_new()' ],
	siq => [ 14, q(siq_new('message')) ],
	uid96 => [ 12, 'uid96_new()' ],
	flax => [ 12, 'flax_new()' ],
	ulid => [ 16, 'ulid_new()' ],
	ksuid => [ 20, 'ksuid_new()' ],
	uuid7 => [ 16, 'uuid7_new()' ]);
my @columns = sort keys %types;

my @nodes = map {
	new_server("writer$_", conf => [ "flakeid.node = $_" ], init => { allows_streaming => 'logical' }, server => [ 'max_wal_size = 1GB' ])
} 1, 2;
my $directory = id_file($nodes[0], 'made');
my $writers = 0;

$_->safe_psql('postgres', 'CREATE TABLE merged (' . join(', ', map { ($_ eq 'uuid7' ? "$_ uuid" : "$_ $_") . " UNIQUE DEFAULT $types{$_}[1]" } @columns)
	  . ', node int NOT NULL, PRIMARY KEY (sno))') foreach @nodes;
mkdir $directory or die;

# ---------- replication ----------

# Before PostgreSQL 16 a column prevents rows from circulating.
sub publish
{
	my ($n) = @_;

	$nodes[ $n - 1 ]->safe_psql('postgres', "CREATE PUBLICATION from$n FOR TABLE merged WHERE (node = $n) WITH (publish = 'insert')");
	return;
}

# From now on server n sends its rows to the other one; existing rows are not copied.
sub subscribe
{
	my ($n) = @_;
	my ($from, $to) = @nodes[ $n - 1, 2 - $n ];

	$to->safe_psql('postgres', "CREATE SUBSCRIPTION from$n CONNECTION '${\$from->connstr} dbname=postgres' PUBLICATION from$n WITH (copy_data = off)");
	$from->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = 'from$n' AND state = 'streaming')")
	  or die "from$n does not begin";
	return;
}

# ---------- load ----------

# Start to write on server n, for so many seconds.  The IDs of each transaction are in a file
# before it commits.
sub start_writing
{
	my ($n, $seconds) = @_;
	my $node = $nodes[ $n - 1 ];
	my $made = "$directory/" . ++$writers;
	my $load = { log => "$made.log" };

	mkdir $made or die;
	append_to_file("$made.sql", "\\set n :n + 1\nCOPY (INSERT INTO merged (node) SELECT $n FROM generate_series(1, ${\ROWS}) RETURNING "
		  . join(', ', map { $_ eq 'uuid7' ? 'uuid7::ulid::bytea' : "$_\::bytea" } @columns) . ") TO '$made/:client_id.:n' (DELIMITER '|');\n");
	$load->{run} = IPC::Run::start([
		$node->installed_command('pgbench'), '-n', '-c', CLIENTS, '-R', RATE, '-T', $seconds, '-D', 'n=0', '-f', "$made.sql", $node->connstr('postgres') ],
		'>', $load->{log}, '2>&1');
	return $load;
}

# Report progress until everything is written.
sub finish_writing
{
	my ($load) = @_;
	my $well;

	telling(sub { return 'two servers write' }, sub { $well = $load->{run}->finish });
	diag slurp_file($load->{log}) unless $well;
	return $well;
}

# How many rows the servers have from each server.
sub rows
{
	my ($node) = @_;

	return $node->safe_psql('postgres', 'SELECT node, count(*) FROM merged GROUP BY node ORDER BY node') =~ s/\n/ /gr;
}

# ---------- until the crash ----------

publish($_) foreach 1, 2;
$nodes[0]->backup('base');
my $standby = server_from('standby', $nodes[0], 'base', has_streaming => 1);

subscribe($_) foreach 1, 2;
start_server($standby);
$nodes[0]->wait_for_catchup($standby);

my $half = int(SECONDS / 2);
my $second = start_writing(2, 2 * $half);
my $first = start_writing(1, 2 * $half);

my $crash = time + $half;
telling(sub { return 'two servers write' }, sub { sleep 1 while time < $crash });
crash($nodes[0], all => 1);
$first->{run}->finish;
like(slurp_file($first->{log}), qr/server closed the connection|terminat|in recovery|failed/, 'the first server crashes under load');

# ---------- the standby takes over ----------

# Its clients start after the other server has a slot on it.  That server's subscription
# drops the old server's slot, which no longer exists.
my $old = $nodes[0];

$standby->promote;
$nodes[0] = $standby;
$nodes[1]->safe_psql('postgres', $_) foreach 'ALTER SUBSCRIPTION from1 DISABLE', 'ALTER SUBSCRIPTION from1 SET (slot_name = NONE)', 'DROP SUBSCRIPTION from1';
subscribe(1);
$nodes[0]->safe_psql('postgres', q(ALTER SUBSCRIPTION from2 CONNECTION ') . $nodes[1]->connstr . q( dbname=postgres'));
ok(finish_writing(start_writing(1, $half)), 'the promoted standby continues to write, with its number');
ok(finish_writing($second), 'and the second server has not noticed');

# ---------- what has come out ----------

foreach my $n (1, 2)
{
	$nodes[ $n - 1 ]->wait_for_catchup("from$n");
}
is($_->safe_psql('postgres', q(SELECT coalesce(sum(value::int), 0)
		FROM pg_stat_subscription_stats AS s, jsonb_each_text(to_jsonb(s)) WHERE key LIKE '%_error_count' OR key LIKE 'confl_%')),
	'0', 'no conflict on ' . $_->name) foreach @nodes;

# Copy the rows that the crash has left on one side only to the other by hand, by the ID;
# without the subscriptions, which would send them back.
my @before = map { rows($_) } @nodes;

$nodes[ 2 - $_ ]->safe_psql('postgres', "ALTER SUBSCRIPTION from$_ DISABLE") foreach 1, 2;

foreach my $n (0, 1)
{
	my ($from, $to) = @nodes[ $n, 1 - $n ];

	$from->safe_psql('postgres', "COPY merged TO '$directory/rows$n'");
	$to->safe_psql('postgres', "
		CREATE TABLE other (LIKE merged);
		COPY other FROM '$directory/rows$n';
		INSERT INTO merged SELECT o.* FROM other AS o WHERE NOT EXISTS (SELECT FROM merged AS m WHERE m.sno = o.sno);
		DROP TABLE other");
}
diag "rows before what was missing is brought over: $before[0]; $before[1]; and then: " . rows($nodes[0]);

# Their columns are UNIQUE.
my @contents = map {
	$nodes[$_]->safe_psql('postgres', "COPY (SELECT * FROM merged ORDER BY sno) TO '$directory/rows$_'");
	shell('md5sum <"$1"', "$directory/rows$_");
} 0, 1;

like(rows($nodes[0]), qr/^1\|\d+ 2\|\d+$/, 'there are rows of both servers');
is($contents[0], $contents[1], 'and both tables are the same');
telling(sub { return 'looking for two alike' }, sub {
	columns_unique('all servers', $nodes[0], [ map { "$directory/$_" } 1 .. $writers ], [ map { [ $_, $types{$_}[0] ] } @columns ])
});
is((grep { my @made = glob "$directory/$_/*"; @made } 1 .. $writers), 3, 'and there were three servers');

$_->stop foreach @nodes;
done_testing();
