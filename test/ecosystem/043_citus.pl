# Tables distributed by Citus: by the hash of an ID, co-located with the tables that refer
# to it; which server makes an ID, and that none is issued twice; conditions on time,
# partitions by time, ranges of IDs, columnar tables; shards that move.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

use constant ROWS => 3_000;
use constant SHARDS => 4;

plan skip_all => 'Citus is not installed' unless citus_available();

# A node's number is its group's: 0 for the coordinator.
my @nodes = citus_cluster(3, conf => sub { "flakeid.node = $_[0]" }, server => [ 'citus.shard_count = ' . SHARDS ]);
my ($coordinator, @workers) = @nodes;

sub query
{
	my ($sql, $node) = @_;

	return ($node // $coordinator)->safe_psql('postgres', $sql);
}

sub explained
{
	my ($sql, $node) = @_;

	return query("EXPLAIN (VERBOSE, COSTS OFF) $sql", $node);
}

# How many shards a statement goes to.
sub tasks
{
	my ($sql) = @_;

	return explained($sql) =~ /Task Count: (\d+)/ ? $1 : 'none';
}

is(query(q(SELECT groupid, result FROM run_command_on_all_nodes('SELECT sno_partition(sno_new(0))') JOIN pg_dist_node USING (nodeid) ORDER BY 1)),
	"0|0\n1|1\n2|2", 'the coordinator creates the extension on the workers, which have different numbers');

query($_) foreach split /;/, q(
	CREATE TABLE account (id sno PRIMARY KEY DEFAULT sno_new(0), name text);
	SELECT create_distributed_table('account', 'id');
	CREATE TABLE entry (id sno DEFAULT sno_new(1), account sno REFERENCES account, kind sno, amount int, PRIMARY KEY (account, id));
	SELECT create_distributed_table('entry', 'account', colocate_with => 'account');
	CREATE TABLE kind (id sno PRIMARY KEY DEFAULT sno_new(2), name text);
	SELECT create_reference_table('kind');
	INSERT INTO kind (name) VALUES ('paid'), ('owed'));

# ---------- which server makes the ID ----------

# For a DEFAULT, the server that was asked makes it, ...
run_sessions($coordinator, ("INSERT INTO account (name) SELECT 'coordinator' FROM generate_series(1, ${\ROWS})") x 2);
run_sessions($_, ("INSERT INTO account (name) SELECT 'worker' FROM generate_series(1, ${\ROWS})") x 2) foreach @workers;
query(q(INSERT INTO account (name) VALUES ('coordinator')));
query(qq(COPY account (name) FROM STDIN;\ncoordinator\n\\.\n));
is(query('SELECT name, sno_partition(id), count(DISTINCT id) FROM account GROUP BY 1, 2 ORDER BY 1, 2'),
	join("\n", 'coordinator|0|' . (2 * ROWS + 2), map { "worker|$_|" . 2 * ROWS } 1, 2), 'an ID by DEFAULT is made by the server that was asked');

# ... but in a query of a distributed table, the server that has the rows.
query(q(INSERT INTO entry (account, kind, amount) SELECT a.id, k.id, 1 FROM account AS a, kind AS k WHERE k.name = 'paid'));
is(query('SELECT array_agg(DISTINCT sno_partition(id) ORDER BY sno_partition(id)), count(DISTINCT id) FROM entry'),
	'{1,2}|' . (6 * ROWS + 2), 'an ID made by INSERT ... SELECT from a distributed table has the number of the worker');
is(query('SELECT array_agg(DISTINCT sno_partition(id) ORDER BY sno_partition(id)), count(DISTINCT id) FROM (SELECT sno_new(4) AS id FROM account) AS made'),
	'{1,2}|' . (6 * ROWS + 2), 'and so is one made by a query of its rows');

# Simultaneous inserts: the primary key would report a duplicate ID, because it would be in
# the same shard.
{
	my @sessions = map { start_sessions($_, ("INSERT INTO account (name) SELECT 'at once' FROM generate_series(1, ${\ROWS})") x 2) } @workers;

	run_sessions($coordinator,
		"INSERT INTO account (name) SELECT 'at once' FROM generate_series(1, ${\ROWS})",
		q(INSERT INTO account (id, name) SELECT sno_new(0), 'at once' FROM entry));
	finish_sessions(@sessions);
}
is(query(q(SELECT count(*), count(DISTINCT id) FROM account WHERE name = 'at once')), join('|', (11 * ROWS + 2) x 2), 'all servers simultaneously: no ID twice');

# ---------- by the hash of an ID ----------

is(query('SELECT count(*) FROM run_command_on_shards(\'account\', \'SELECT count(*) > 1000 FROM %s\') WHERE result = \'t\''),
	SHARDS, 'every shard has some of the rows');
is(tasks(q(SELECT name FROM account WHERE id = '9q7milm425hq6222')), 1, 'one ID is looked for in one shard');
is(query('SELECT count(*) FROM account AS a WHERE id = (SELECT max(id) FROM account)'), 1, 'and found');

# The same for every type, and for a snowflake sent by a client as a number.
foreach my $new ('sno_new(0)', 'flax_new()', q(siq_new('message')), 'uid64_new()', 'uid96_new()', 'snowflake_new()', 'ulid_new()', 'ksuid_new()')
{
	my ($type) = $new =~ /^([a-z0-9]+)/;
	my @ids;

	query($_) foreach "CREATE TABLE by_$type (id $type PRIMARY KEY)", "SELECT create_distributed_table('by_$type', 'id')",
	  "INSERT INTO by_$type SELECT $new FROM generate_series(1, 100)";
	@ids = split /\n/, query("SELECT id FROM by_$type");
	is(query(join '; ', map { "SELECT count(*) FROM by_$type WHERE id = " . ($type eq 'snowflake' ? $_ : "'$_'") } @ids) =~ tr/1//, 100,
		"$type: each of a hundred is found");
}
is(query(q(PREPARE found (bigint) AS SELECT count(*) FROM by_snowflake WHERE id = $1;) . join ';', map { "EXECUTE found($_)" } split /\n/, query('SELECT id FROM by_snowflake')) =~ tr/1//, 100,
	'snowflake: and as a bigint parameter');

my $join = 'SELECT a.id, k.name, sum(e.amount) FROM account AS a JOIN entry AS e ON e.account = a.id JOIN kind AS k ON k.id = e.kind GROUP BY 1, 2';

like(explained($join), qr/Task Count: ${\SHARDS}\n.* JOIN public\.entry_.* JOIN public\.kind_.* GROUP BY /s, 'joins by the ID, and with a reference table, run shard by shard');
is(query("SELECT count(*), sum(sum), min(name), max(name) FROM ($join) AS s"), join('|', (6 * ROWS + 2) x 2, 'paid', 'paid'), 'and complete');

# ---------- by time ----------

foreach my $condition (
	q(id >= timestamptz '2026-01-01' AND id < timestamptz '2026-01-02'), q(id > now() - interval '1 hour'),
	q(id <@ tstzrange(now() - interval '1 hour', now())))
{
	like(explained("SELECT * FROM account WHERE $condition"), qr/Task Count: ${\SHARDS}\n.*Index Cond: /s, "$condition: by every shard's index");
}
is(query(q(SELECT count(*) FROM account WHERE id > now() - interval '1 hour')), query('SELECT count(*) FROM account'), 'with their rows');

# The same for the time in existing keys, evaluated by the shards' servers, which have
# flakeid: written in the query or in a view, on any node.
foreach my $key (
	[ 'status', 'bigint', 'layout_min(t, \'mastodon\')', 'layout_timestamp(id, \'mastodon\')' ],
	[ 'document', 'uuid', 'uuid7_new_at(t)', 'uuid7_timestamp(id)' ],
	[ 'letter', 'text COLLATE "C"', 'upper(ulid_new_at(t)::text)', 'ulid_timestamp(id)' ])
{
	my ($table, $type, $make, $time) = @$key;

	query($_) foreach "CREATE TABLE $table (id $type PRIMARY KEY)", "SELECT create_distributed_table('$table', 'id')",
	  "INSERT INTO $table SELECT $make FROM generate_series(timestamptz '2026-01-01', '2026-12-31', '1 hour') AS t",
	  "VACUUM ANALYZE $table", "CREATE VIEW ${table}_with_time AS SELECT *, $time AS created_at FROM $table";
	foreach my $condition (
		"$table WHERE $time < '2026-01-02'", "$table WHERE $time < LEAST(now(), '2026-01-02')",
		"$table WHERE $time <@ tstzrange('2026-01-01', '2026-01-02')", "${table}_with_time WHERE created_at < '2026-01-02'")
	{
		foreach my $node ($coordinator, $workers[0])
		{
			like(explained("SELECT * FROM $condition", $node), qr/Task Count: ${\SHARDS}\n.*Index Cond: \([^\n]*\bid (?:<|>=) /s, "$condition: by every shard's index");
			is(query("SELECT count(*) FROM $condition", $node), 24, 'with its rows');
		}
	}
	is(query("PREPARE before (timestamptz) AS SELECT count(*) FROM $table WHERE $time < \$1;" . q(EXECUTE before('2026-01-02');) x 7),
		join("\n", (24) x 7), "$time: and with a parameter");
	is(tasks("SELECT * FROM $table WHERE id = '$_'"), 1, "$table: one is looked for in one shard")
	  foreach query("SELECT min(id::text) FROM $table");
}

# Partitions by time, each of them sharded.
query($_) foreach split /;/, q(
	CREATE TABLE reading (id sno DEFAULT sno_new(0), account sno, PRIMARY KEY (account, id)) PARTITION BY RANGE (id);
	SELECT create_distributed_table('reading', 'account', colocate_with => 'account');
	SELECT flakeid_create_partitions('reading', '2026-01-01 00:00+00', '2026-04-01 00:00+00', '1 month');
	INSERT INTO reading SELECT sno_new_at('2026-01-01 00:00+00'::timestamptz + i * interval '1 hour', 0), sno_make('2026-01-01 00:00+00', 0, 0, i)
		FROM generate_series(0, 2159) AS i);
is(query(q(SELECT count(*) FROM reading_20260201)), 28 * 24, 'partitions by time in shards');
unlike(explained(q(SELECT * FROM reading WHERE id < timestamptz '2026-01-10 00:00+00')), qr/reading_20260[23]01_/, 'are pruned on the shard');
query(q(SELECT flakeid_drop_partitions('reading', '2026-02-01 00:00+00')));
is(query('SELECT count(*), min(id)::timestamptz FROM reading'), 59 * 24 . '|2026-02-01 00:00:00+00', 'and dropped by age');
query($_) foreach split /;/, q(
	CREATE TABLE event (id uuid DEFAULT uuid7_new(), tenant int, PRIMARY KEY (tenant, id)) PARTITION BY RANGE (id);
	SELECT create_distributed_table('event', 'tenant');
	SELECT flakeid_create_partitions('event', '2026-01-01 00:00+00', '2026-04-01 00:00+00', '1 month', layout => 'uuid7');
	INSERT INTO event SELECT uuid7_new_at('2026-01-01 00:00+00'::timestamptz + i * interval '1 hour'), i % 100 FROM generate_series(0, 2159) AS i);
foreach my $condition (q(uuid7_timestamp(id) < '2026-01-10 00:00+00'), q(uuid7_timestamp(id) < LEAST(now(), '2026-01-10 00:00+00')))
{
	my $plan = explained(qq(SELECT * FROM event WHERE $condition));

	ok($plan !~ /event_20260[23]01_/ || $plan =~ /Subplans Removed: 2/, "$condition: partitions are pruned on the shard") or diag $plan;
	is(query("SELECT count(*) FROM event WHERE $condition"), 9 * 24, 'with its rows');
}
like(explained(q(SELECT * FROM event WHERE tenant = 7 AND uuid7_timestamp(id) < '2026-01-10 00:00+00')),
	qr/Task Count: 1\n.*Index Cond: \(\S*tenant = 7\) AND \(\S*id < /s, 'one tenant and a time: one shard, by the index on both');

# Shards by ranges of IDs.
query($_) foreach split /;/, q(
	CREATE TABLE archive (id sno, body text);
	SELECT create_distributed_table('archive', 'id', 'range'));
foreach my $year (2024, 2025)
{
	query("UPDATE pg_dist_shard SET shardminvalue = sno_min('$year-01-01 00:00+00'), shardmaxvalue = sno_max('$year-12-31 23:59:59.999+00') WHERE shardid = "
		  . query(q(SELECT master_create_empty_shard('archive'))));
}
query(q(INSERT INTO archive SELECT sno_new_at('2024-07-01 00:00+00'::timestamptz + i * interval '24 hours', 0) FROM generate_series(0, 365) AS i));
is(tasks(q(SELECT * FROM archive WHERE id >= sno_min('2025-02-01 00:00+00'))), 1, 'ranges: bounds that are IDs prune shards');
is(tasks(q(SELECT * FROM archive WHERE id >= timestamptz '2025-02-01 00:00+00')), 2, 'ranges: instants do not');
is(query("SELECT count(*) FROM archive WHERE id >= $_"), 151, "ranges: all rows from $_")
  foreach q(sno_min('2025-02-01 00:00+00')), q(timestamptz '2025-02-01 00:00+00');

# Columnar tables store the least and the greatest ID of each chunk group of 10,000 rows.
query($_) foreach split /;/, q(
	CREATE EXTENSION IF NOT EXISTS citus_columnar;
	CREATE TABLE measured (id sno) USING columnar;
	INSERT INTO measured SELECT sno_new_at('2026-01-01 00:00+00'::timestamptz + i * interval '1 s', 0) FROM generate_series(0, 49999) AS i);
foreach my $hour ([ '>=', 3 * 3600 ], [ '>', 3 * 3600 - 1 ])
{
	my $count = "SELECT count(*) FROM measured WHERE id $hour->[0] timestamptz '2026-01-01 10:00+00' AND id < timestamptz '2026-01-01 13:00+00'";

	is(query($count), $hour->[1], "columnar: rows by time, $hour->[0]");
	like(query("EXPLAIN (ANALYZE, COSTS OFF) $count"), qr/Chunk Groups Removed by Filter: 3$/m, "columnar: chunk groups are skipped by instants, $hour->[0]");
}

like(query(q(EXPLAIN (ANALYZE, COSTS OFF) SELECT FROM measured WHERE id >= now())), qr/Chunk Groups Removed by Filter: 0$/m, 'columnar: but not by now()');

# ---------- shards that move ----------

my $before = query('SELECT count(*), min(id), max(id) FROM account');

foreach my $mode ('block_writes', 'force_logical')
{
	query(qq(
		SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, '$mode')
		FROM (SELECT * FROM citus_shards WHERE table_name = 'account'::regclass ORDER BY shardid LIMIT 1) AS s
		JOIN pg_dist_node AS n ON n.nodeport <> s.nodeport AND n.groupid > 0));
	is(query('SELECT count(*), min(id), max(id) FROM account'), $before, "a shard moved by $mode has its rows");
	is(query("SELECT count(*), sum(sum), min(name), max(name) FROM ($join) AS s"), join('|', (6 * ROWS + 2) x 2, 'paid', 'paid'), 'and the joins theirs');
}

# ---------- numbers that are the same ----------

my $doctor = q(SELECT subject, severity, finding FROM flakeid_doctor() WHERE finding LIKE '%Citus%');

is(query($doctor), '', "the doctor finds nothing wrong with the nodes' numbers");
configure($workers[0], 'flakeid.node = 2');
like(query($doctor), qr/^flakeid\.node\|error\|Nodes \d+, \d+ of Citus all have number 2\. /, 'but reports two nodes with the same number');

$_->stop foreach @nodes;
done_testing();
