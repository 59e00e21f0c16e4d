# Tenants on a cluster of Citus: three servers simultaneously write 500,000 rows into a table
# of every type, distributed by tenant, while shards move from server to server.  Then all IDs
# of all servers are compared: none is duplicated of the types that carry a node or enough
# random bits, with each way to number the servers that docs/distributed.md describes.  For
# uid64, which carries neither, the test prints how many different IDs there are.
#
# TORTURE_ROWS sets the number of rows of each type (500000).  test/README.md says how to get
# Citus into the tests' copy of the server.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use IPC::Run ();

plan skip_all => 'Citus is not installed' unless citus_available();

use constant SERVERS => 3;
use constant CLIENTS => 2;    # of each server
use constant TENANTS => 100;
use constant DEVICES => 50;    # of each tenant, and rows of each INSERT
use constant SHARDS => 12;
use constant ROUNDS => 12;    # a shard moves in each of them

# Rows per transaction and type: half of them by VALUES, half by a query.
use constant ROWS => 2 * DEVICES;
use constant TRANSACTIONS => int(($ENV{TORTURE_ROWS} || 500_000) / (ROWS * SERVERS * CLIENTS * ROUNDS)) + 1;

# Every way to distinguish servers, for server N.  The rounds use them in turn.
my @ways = (
	[ 'flakeid.node', sub { "flakeid.node = $_[0]" } ],
	[ 'a number for each type', sub {
		"flakeid.node = $_[0]", "flakeid.snowflake_worker = $_[0]", "flakeid.siq_shard = $_[0]", "flakeid.uid_node = '$_[0]\@example'"
	} ],
	[ 'ranges, and domains', sub {
		'flakeid.node = 7', sno_range(part(65536, $_[0])), "flakeid.snowflake_process = $_[0]",
		"flakeid.siq_domain = '$_[0].example'", "flakeid.uid_node = '$_[0]\@example'"
	} ],
	[ 'local IDs of one domain', sub {
		"flakeid.node = $_[0]", 'flakeid.siq_shard = 7', "flakeid.siq_domain = 'example'", 'flakeid.siq_local_id = ' . ($_[0] + 1)
	} ]);

# A server's part of a sequence of so many.
sub part
{
	my ($pool, $n) = @_;
	my $size = int($pool / SERVERS);

	return $n * $size . '-' . (($n + 1) * $size - 1);
}

# Type, column's type, call, and whether all IDs must differ.
my @types = (
	[ 'sno', 'sno', 'sno_new(0)', 1 ],
	[ 'snowflake', 'snowflake', 'snowflake_new()', 1 ],
	[ 'siq', 'siq', q(siq_new('message')), 1 ],
	[ 'uid96', 'uid96', 'uid96_new()', 1 ],
	[ 'flax', 'flax', 'flax_new()', 1 ],
	[ 'ulid', 'ulid', 'ulid_new()', 1 ],
	[ 'ksuid', 'ksuid', 'ksuid_new()', 1 ],
	[ 'uuid7', 'uuid', 'uuid7_new()', 1 ],
	[ 'uid64', 'uid64', 'uid64_new()', 0 ]);

seeded();

my @nodes = citus_cluster(SERVERS, conf => sub { $ways[0][1]->(@_) }, server => [ 'citus.shard_count = ' . SHARDS ]);
my ($coordinator) = @nodes;
my $dir = id_file($coordinator, 'made');
my $script = '';

sub query
{
	my ($sql) = @_;

	return $coordinator->safe_psql('postgres', $sql);
}

# The server that makes an ID, in a column with its own default: volatile, so that it is called
# on the same server as the generator.
query($_) foreach split /;\n/, qq(
	SELECT citus_set_node_property('${\$coordinator->host}', ${\$coordinator->port}, 'shouldhaveshards', true);
	CREATE FUNCTION maker() RETURNS int VOLATILE LANGUAGE sql AS 'SELECT current_setting(''port'')::int';
	CREATE TABLE device (tenant int, device int, PRIMARY KEY (tenant, device));
	SELECT create_distributed_table('device', 'tenant');
	INSERT INTO device SELECT t, d FROM generate_series(1, ${\TENANTS}) AS t, generate_series(1, ${\DEVICES}) AS d);
foreach my $type (@types)
{
	my ($name, $column, $call) = @$type;

	query($_) foreach "CREATE TABLE by_$name (tenant int, device int, asked int, id $column DEFAULT $call, maker int DEFAULT maker())",
	  "SELECT create_distributed_table('by_$name', 'tenant', colocate_with => 'device')",
	  "CREATE INDEX ON by_$name (tenant, id)", "ALTER TABLE by_$name REPLICA IDENTITY FULL";
	$script .= "INSERT INTO by_$name (tenant, device, asked) VALUES " . join(', ', map { "(:tenant, $_, :asked)" } 1 .. DEVICES) . ";\n"
	  . "INSERT INTO by_$name (tenant, device) SELECT tenant, device FROM device WHERE tenant = :tenant;\n";
}
append_to_file("$dir.sql", "\\set tenant random(1, ${\TENANTS})\nBEGIN;\n${script}COMMIT;\n");

# ---------- the load ----------

# Move a shard, with the co-located shards of the other tables, to another server.
sub move_shard
{
	my ($mode) = @_;
	my ($move) = split /\n/, query(q(
		SELECT format('%s, %L, %s, %L, %s', s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport)
		FROM citus_shards AS s JOIN pg_dist_node AS n ON n.nodeport <> s.nodeport
		WHERE s.table_name = 'device'::regclass ORDER BY random() LIMIT 1));

	query("SELECT citus_move_shard_placement($move, '$mode')");
	return;
}

foreach my $round (1 .. ROUNDS)
{
	my ($name, $settings) = @{ $ways[ ($round - 1) % @ways ] };
	my $mode = $round % 3 == 0 ? 'block_writes' : 'force_logical';
	my (@load, @failed);

	configure($nodes[$_], $settings->($_)) foreach 0 .. $#nodes;
	foreach my $node (@nodes)
	{
		push @load, my $load = { log => id_file($node, 'log') };

		$load->{run} = IPC::Run::start([
			$node->installed_command('pgbench'), '-n', '-M', $round % 2 ? 'prepared' : 'simple', '-c', CLIENTS, '-t', TRANSACTIONS,
			'-D', 'asked=' . $node->port, '-f', "$dir.sql", $node->connstr('postgres') ], '>', $load->{log}, '2>&1');
	}
	telling(sub { return "round $round of ${\ROUNDS}: $name, a shard moves by $mode" },
		sub {
			move_shard($mode);
			@failed = grep { !$_->{run}->finish || slurp_file($_->{log}) !~ /^number of failed transactions: 0 /m } @load;
		});
	diag slurp_file($_->{log}) foreach @failed;
	is(@failed, 0, "$name, while a shard moves by $mode: no transaction fails");
}

# ---------- what has come out ----------

my $rows = ROWS * TRANSACTIONS * CLIENTS * SERVERS * ROUNDS;
my @ports = map { $_->port } @nodes;

mkdir $dir or die;
foreach my $type (@types)
{
	my ($name, $column, $call, $unique) = @$type;
	my @files = map { "$dir/$name.$_" } @ports;

	query("COPY (SELECT id FROM by_$name WHERE maker = $ports[$_]) TO '$files[$_]'") foreach 0 .. $#ports;
	is(query("SELECT count(*) FROM by_$name WHERE asked <> maker"), 0, "$name: the server that was asked makes the IDs for VALUES");
	is(query("SELECT count(DISTINCT maker) FROM by_$name WHERE asked IS NULL"), SERVERS, "$name: and each server those for a query of its rows");
	telling(sub { return "$name: looking for two alike" }, sub {
		if ($unique)
		{
			all_unique("$name: no ID twice among those of all servers", $rows, \@files);
			return;
		}
		is(eval(join '+', map { lines($_) } @files), $rows, "$name: all rows are there");
		all_unique("$name: no ID twice among those of one server", lines($_), [$_]) foreach @files;
		diag "$name, which is for one database: " . shell('sort -u -S256M -- "$@" | wc -l', @files) . " different IDs of $rows";
	});
}

$_->stop foreach @nodes;
done_testing();
