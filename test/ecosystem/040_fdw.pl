# One table on several servers with postgres_fdw: conditions on IDs and on their time,
# joins, aggregates and sorts are pushed down to the servers that have the rows; the
# server that is asked makes the ID.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

use constant ROWS => 20_000;

my $old = new_server('old', conf => [ 'flakeid.node = 2' ]);
my $new = new_server('new', conf => [ 'flakeid.node = 3' ]);
my $front = new_server('front', conf => [ 'flakeid.node = 1' ], server => [ 'wal_level = replica' ]);

plan skip_all => 'postgres_fdw is not installed'
  unless $front->safe_psql('postgres', q(SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'));

# Types that sort by time.
my @types = qw(sno flax siq uid64 snowflake ulid ksuid);

# Run everything in one session, which keeps its connections to the other servers.
my $session = session($front);

sub query
{
	my ($sql) = @_;
	my $out = attempt($session, $sql);

	die "$sql: $out" if $out =~ /ERROR:/;
	return $out;
}

sub explained
{
	my ($sql) = @_;

	return query("EXPLAIN (VERBOSE, COSTS OFF) $sql");
}

# The queries sent to the other servers, one per line.
sub asked
{
	my ($sql) = @_;

	return join "\n", explained($sql) =~ /Remote SQL: (.*)/g;
}

sub foreign_server
{
	my ($name, $node, @options) = @_;

	query("CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw OPTIONS ("
		  . join(', ', "host '${\$node->host}'", "port '${\$node->port}'", "dbname 'postgres'", @options)
		  . "); CREATE USER MAPPING FOR CURRENT_USER SERVER $name");
	return;
}

query('CREATE EXTENSION postgres_fdw');
foreign_server('old', $old, "extensions 'flakeid'", "use_remote_estimate 'true'");
foreign_server('new', $new, "extensions 'flakeid'", "use_remote_estimate 'true'", "batch_size '100'");
foreign_server('plain', $old);

# ---------- conditions on time, every type ----------

# IDs near an instant: in the units before, at and after it, by which the operators
# differ.
my $instant = q(timestamptz '2026-01-02 03:04:05+00');
my $indexed = session($old);
my %arguments = (sno => ', 0', flax => '', siq => q(, 'message'), uid64 => '', snowflake => '', ulid => '', ksuid => '');

# The tables are so small that the test has to forbid sequential scans.
attempt($indexed, 'SET enable_seqscan = off');
foreach my $type (@types)
{
	$old->safe_psql('postgres', qq(
		CREATE TABLE by_$type (id $type PRIMARY KEY);
		INSERT INTO by_$type SELECT ${type}_new_at($instant + i * interval '1 ms'$arguments{$type}) FROM generate_series(-1000, 1000) AS i;
		ANALYZE by_$type));
	query("CREATE FOREIGN TABLE by_$type (id $type) SERVER old");
	query("CREATE FOREIGN TABLE plain_$type (id $type) SERVER plain OPTIONS (table_name 'by_$type')");

	my @conditions = (
		"id < $instant", "id <= $instant", "id >= $instant", "id > $instant",
		"$instant < id", "$instant <= id", "$instant >= id", "$instant > id",
		"id <@ tstzrange($instant, '2026-01-02 03:04:05.5+00', '(]')",
		"tstzrange(NULL, $instant) @> id",
		"id BETWEEN ${type}_min($instant) AND ${type}_max($instant)",
		"id >= (SELECT now() - interval '100 years') AND id < (SELECT $instant)");
	my (@kept, @different, @unindexed);

	foreach my $condition (@conditions)
	{
		my $plan = explained("SELECT id FROM by_$type WHERE $condition");
		my ($asked) = $plan =~ /Remote SQL: (.*)/;

		push @kept, $condition if $plan =~ /Filter:/ || $asked !~ / WHERE /;
		push @unindexed, $condition if $asked !~ /\$/ && attempt($indexed, "EXPLAIN $asked") !~ /Index Cond:/;
		push @different, $condition
		  if query("SELECT (SELECT count(*) FROM by_$type WHERE $condition) = (SELECT count(*) FROM plain_$type WHERE $condition)") ne 't';
	}
	is(join("\n", @kept), '', "$type: conditions on time are pushed down");
	is(join("\n", @unindexed), '', "$type: the other server's index answers them");
	is(join("\n", @different), '', "$type: with the same rows as when they are evaluated here");
}

like(explained("SELECT id FROM plain_sno WHERE id >= $instant"), qr/Filter: .*>=/, "without the option extensions 'flakeid' all rows are fetched");
like(explained("SELECT id FROM by_sno WHERE id >= now()"), qr/Filter: .*now\(\)/, 'and so they are for expressions on which servers may differ, such as now()');

# Besides tables, the foreign schema has the extension's views.
{
	my $import = 'IMPORT FOREIGN SCHEMA public %s FROM SERVER old INTO public';

	query('DROP FOREIGN TABLE ' . join ', ', map { "by_$_" } @types);
	like(attempt($session, sprintf $import, ''), qr/"flakeid_\w+" already exists/, 'a whole schema cannot be imported');
	query(sprintf $import, 'LIMIT TO (by_sno)');
	is(query('SELECT count(*) FROM by_sno'), 2001, 'some of its tables can');
}

# ---------- partitions by time: each server has its years ----------

$_->safe_psql('postgres', q(
	CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), body text);
	CREATE TABLE comment (event sno, body text))) foreach $old, $new;
query(q(
	CREATE TABLE event (id sno DEFAULT sno_new(0), body text) PARTITION BY RANGE (id);
	CREATE FOREIGN TABLE event_old PARTITION OF event FOR VALUES FROM (MINVALUE) TO (sno_min('2026-01-01 00:00+00'))
		SERVER old OPTIONS (table_name 'event');
	CREATE FOREIGN TABLE event_new PARTITION OF event FOR VALUES FROM (sno_min('2026-01-01 00:00+00')) TO (MAXVALUE)
		SERVER new OPTIONS (table_name 'event');
	-- without the ID, so that the other server's DEFAULT makes it
	CREATE FOREIGN TABLE new_event (body text) SERVER new OPTIONS (table_name 'event');
	CREATE FOREIGN TABLE comment (event sno, body text) SERVER new;
	INSERT INTO event SELECT sno_new_at('2025-12-01 00:00+00'::timestamptz + i * interval '1 hour', 0), 'old' FROM generate_series(1, 1500) AS i;
	INSERT INTO comment SELECT id, 'first' FROM event;
));
$_->safe_psql('postgres', 'ANALYZE event, comment') foreach $old, $new;
is($_->[1]->safe_psql('postgres', 'SELECT count(*), min(id)::timestamptz, max(id)::timestamptz FROM event'), $_->[2], "rows were routed to the server $_->[0]")
  foreach [ 'old', $old, '743|2025-12-01 01:00:00+00|2025-12-31 23:00:00+00' ], [ 'new', $new, '757|2026-01-01 00:00:00+00|2026-02-01 12:00:00+00' ];

like(asked(q(SELECT * FROM event WHERE id >= timestamptz '2026-01-31 12:00+00')), qr/^SELECT id, body FROM public\.event WHERE .*>=.*$/,
	'a condition on time asks one server');
like(explained(q(SELECT * FROM event WHERE id >= timestamptz '2026-01-31 12:00+00')), qr/Foreign Scan on public\.event_new/, 'and the right one');
is(query(q(SELECT count(*), min(id)::timestamptz FROM event WHERE id <@ tstzrange('2025-12-31 12:00+00', '2026-01-01 12:00+00'))),
	'24|2025-12-31 12:00:00+00', 'a range across the bound asks both servers');
like(asked('SELECT * FROM event ORDER BY id DESC LIMIT 3'), qr/^SELECT .* ORDER BY id DESC.*\nSELECT .* ORDER BY id DESC/, 'sorts are pushed down');
is(query('SELECT min(id)::timestamptz, max(id)::timestamptz, count(*) FROM event'),
	'2025-12-01 01:00:00+00|2026-02-01 12:00:00+00|1500', 'aggregates over both servers');
like(asked(q(SELECT count(*), max(id) FROM event_new WHERE id >= timestamptz '2026-01-10')), qr/^SELECT count\(\*\), public\.max\(id\) FROM public\.event WHERE/,
	'an aggregate is pushed down');
like(asked(q(SELECT e.body, c.body FROM event_new AS e JOIN comment AS c ON c.event = e.id WHERE e.id >= timestamptz '2026-01-31')), qr/ INNER JOIN /,
	'so is a join of its tables');
like(asked(q(UPDATE event_new SET body = 'x' WHERE id < timestamptz '2026-01-01')), qr/^UPDATE public\.event SET .* WHERE/, 'so are changes');

# ---------- partitions by hash ----------

foreach my $part ([ 0, $old, 'old' ], [ 1, $new, 'new' ])
{
	my ($remainder, $node, $name) = @$part;

	$node->safe_psql('postgres', 'CREATE TABLE account (id sno PRIMARY KEY, name text); CREATE TABLE entry (account sno, amount int)');
	query(qq(
		CREATE TABLE IF NOT EXISTS $_->[0] ($_->[1]) PARTITION BY HASH ($_->[2]);
		CREATE FOREIGN TABLE $_->[0]_$name PARTITION OF $_->[0] FOR VALUES WITH (MODULUS 2, REMAINDER $remainder)
			SERVER $name OPTIONS (table_name '$_->[0]')))
	  foreach [ 'account', 'id sno DEFAULT sno_new(1), name text', 'id' ], [ 'entry', 'account sno, amount int', 'account' ];
}
query(q(
	INSERT INTO account (name) SELECT i FROM generate_series(1, 1000) AS i;
	INSERT INTO entry SELECT id, 1 FROM account, generate_series(1, 3)));
$_->safe_psql('postgres', 'ANALYZE account, entry') foreach $old, $new;
is($_->safe_psql('postgres', 'SELECT count(*) BETWEEN 400 AND 600 FROM account'), 't', $_->name . ': has its half by hash') foreach $old, $new;

{
	my $join = 'SELECT a.id, sum(amount) FROM account AS a JOIN entry AS e ON e.account = a.id GROUP BY a.id';
	my $both = 'SET enable_partitionwise_join = on; SET enable_partitionwise_aggregate = on; ';

	is(() = query("$both EXPLAIN (VERBOSE, COSTS OFF) $join") =~ /Remote SQL: SELECT .*sum.* INNER JOIN .* GROUP BY/g,
		2, 'joined and grouped by the ID on each server');
	is(query("$both SELECT count(*), sum(sum) FROM ($join) AS s"), '1000|3000', 'and combined here');
}
is(query('SELECT a.name FROM account AS a WHERE id = (SELECT id FROM account WHERE name = \'77\')'), '77', 'a row is found by its ID');
is(() = asked(q(SELECT * FROM account WHERE id = '9q7milm425hq6222')) =~ /SELECT/g, 1, 'on the only server that may have it');

# ---------- the time of IDs in uuid, bigint and text columns ----------

# A condition on that time is a condition on the column, which any server understands,
# even one without flakeid.  The filter for version 7 is pushed down only to servers
# declared to have flakeid.
{
	my %column = (
		uuid => [ 'uuid', 'uuid7_timestamp(id)', 'uuid7_min(t)' ],
		bigint => [ 'bigint', "layout_timestamp(id, 'mastodon')", "layout_min(t, 'mastodon')" ],
		text => [ 'text COLLATE "C"', 'ulid_timestamp(id)', 'ulid_text_min(t)' ]);

	foreach my $kind (sort keys %column)
	{
		my ($type, $time, $make) = @{ $column{$kind} };
		my $condition = "$time >= '2026-01-02' AND $time < '2026-01-03'";

		$old->safe_psql('postgres', qq(
			CREATE TABLE time_$kind (id $type PRIMARY KEY);
			INSERT INTO time_$kind SELECT $make FROM generate_series(timestamptz '2026-01-01', '2026-01-31', '1 hour') AS t;
			VACUUM ANALYZE time_$kind));
		query("CREATE FOREIGN TABLE there_$kind (id $type) SERVER old OPTIONS (table_name 'time_$kind');
			CREATE FOREIGN TABLE elsewhere_$kind (id $type) SERVER plain OPTIONS (table_name 'time_$kind')");
		foreach my $table ("there_$kind", "elsewhere_$kind")
		{
			my $plan = explained("SELECT id FROM $table WHERE $condition");
			my ($asked) = $plan =~ /Remote SQL: (.*)/;

			like($asked, qr/WHERE \(\(id >= '?[-\w]+'?(?:::\w+)?\)\) AND .*\(\(id < '?[-\w]+'?(?:::\w+)?\)\)/, "$table: both bounds are pushed down");
			unlike($plan, qr/Filter:/, "$table: and nothing else is checked here") unless $table =~ /^elsewhere_(?:uuid|text)$/;    # whose filters only flakeid has
			like(attempt($indexed, "EXPLAIN $asked"), qr/Index Cond:.*>=.*</, "$table: the other server's index answers them");
			is(query("SELECT count(*) FROM $table WHERE $condition"), 24, "$table: with the rows of the day");
		}
	}
	like(explained(q(SELECT id FROM there_bigint WHERE layout_timestamp(id, 'mastodon') >= now())), qr/Filter: .*now\(\)/, 'the bound of now() is computed here, and so are the rows after it');
}

# ---------- feeds ----------

{
	my $refused = qr/0A000: cannot follow foreign table "(\w+)" by a horizon of this server\n.*\nHINT:  On the other server, CREATE VIEW feed AS SELECT \* FROM \1 WHERE id < \w+_horizon\((?:'sequence')?\)/;
	my $since = sub { "SELECT string_agg(body, ' ') FROM feed WHERE id > $_[0] AND id < ulid_horizon()" };
	my $position = '(SELECT position FROM consumer)';

	$old->safe_psql('postgres', q(CREATE TABLE feed (id ulid DEFAULT ulid_new(), body text); CREATE VIEW readable AS SELECT * FROM feed WHERE id < ulid_horizon()));
	query(q(
		CREATE FOREIGN TABLE far (id ulid, body text) SERVER old OPTIONS (table_name 'feed');
		CREATE FOREIGN TABLE readable (id ulid, body text) SERVER old;
		CREATE TABLE feed (id ulid DEFAULT ulid_new(), body text) PARTITION BY RANGE (id);
		CREATE FOREIGN TABLE feed_2025 PARTITION OF feed FOR VALUES FROM (MINVALUE) TO (ulid_min('2026-01-01 00:00+00')) SERVER old OPTIONS (table_name 'feed');
		CREATE TABLE feed_2026 PARTITION OF feed FOR VALUES FROM (ulid_min('2026-01-01 00:00+00')) TO (MAXVALUE);
		CREATE TABLE consumer (position ulid);
		INSERT INTO consumer VALUES (ulid_min('2026-01-02 00:00+00'));
		INSERT INTO feed (body) VALUES ('new');
		CREATE SEQUENCE numbers));
	# in a session that has not loaded the library
	$front->psql('postgres', 'SELECT count(*) FROM far WHERE id < ulid_horizon()', stderr => \my $error);
	like($error, qr/cannot follow foreign table "far" by a horizon of this server/, 'no foreign table has a horizon of this server');
	like(attempt($session, "SELECT count(*) FROM far WHERE $_"), $refused, "... nor by $_")
	  foreach 'id < (SELECT ulid_horizon())', 'id::uuid <= uuid7_horizon()', q(body = 'x' AND NOT id >= ulid_horizon()), q(length(body) < flakeid_horizon('numbers'));
	is(query(q(SELECT count(*) FROM far WHERE id < ulid_min('2026-01-01'))), 0, '... but other conditions');
	is(query('SELECT count(*) FROM readable'), 0, 'a view of the other server has its horizon');

	like(attempt($session, 'SELECT count(*) FROM feed WHERE id < ulid_horizon()'), $refused, 'a foreign partition is refused');
	is(query($since->(q(ulid_min('2026-01-02 00:00+00')))), 'new', '... unless it is pruned by the planner');
	is(query($since->($position)), 'new', '... or by the executor');
	is(query("SELECT string_agg(body, ' ') FROM feed WHERE id > $position AND id < (SELECT ulid_horizon())"), 'new', '... with the horizon in a sub-SELECT, too');
	unlike(query("EXPLAIN (VERBOSE) SELECT body FROM feed WHERE id > $position AND id < (SELECT ulid_horizon())"), qr/Remote SQL:.*horizon/, '... and the horizon stays here');
	query('SET plan_cache_mode = force_generic_plan');
	query('PREPARE poll(ulid) AS ' . $since->('$1'));
	is(query(q(EXECUTE poll(ulid_min('2026-01-02 00:00+00')))), 'new', '... in a generic plan, too');

	$old->safe_psql('postgres', q(SELECT ulid_new(); INSERT INTO feed VALUES (ulid_min('2025-12-31 00:00+00'), 'old')));
	query(q(UPDATE consumer SET position = ulid_min('2025-12-01 00:00+00')));
	like(attempt($session, $_), $refused, "a foreign partition with rows that is not pruned: $_")
	  foreach $since->($position), "SELECT body FROM feed WHERE id > $position AND id < (SELECT ulid_horizon())", q(EXECUTE poll(ulid_min('2025-12-01 00:00+00')));
	query('RESET plan_cache_mode');
	is(query('SELECT body FROM readable'), 'old', 'the view of the other server has the row');
}

# ---------- which server makes the ID ----------

# Simultaneous inserts into one table, whose primary key would report a duplicate ID: by
# this server's DEFAULT, by the other server's DEFAULT through this server, and directly
# on the other server.
{
	my @sessions = start_sessions($new, ("INSERT INTO event (body) SELECT 'there' FROM generate_series(1, ${\ROWS})") x 2);

	run_sessions($front,
		("INSERT INTO event (body) SELECT 'here' FROM generate_series(1, ${\ROWS})") x 2,
		"INSERT INTO new_event (body) SELECT 'through' FROM generate_series(1, ${\ROWS})");
	finish_sessions(@sessions);
}
is(query(q(SELECT body, sno_partition(id), count(DISTINCT id) FROM event WHERE body LIKE '%h%' GROUP BY 1, 2 ORDER BY 1)),
	join("\n", 'here|1|' . 2 * ROWS, 'there|3|' . 2 * ROWS, 'through|3|' . ROWS),
	'IDs carry the number of the server that made them, and none is issued twice');

$_->quit foreach $session, $indexed;
$_->stop foreach $front, $old, $new;
done_testing();
