# Extensions that change plans beside flakeid: HypoPG's indexes, which do not exist, and pg_hint_plan's
# hints.  Each is loaded before flakeid and after it.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

my $node = new_server('planners', server => [ "timezone = 'UTC'", 'max_parallel_workers_per_gather = 0', 'random_page_cost = 1.1' ]);
my %has = map { $_ => 1 } split /\n/, $node->safe_psql('postgres', q(SELECT name FROM pg_available_extensions WHERE name IN ('hypopg', 'pg_hint_plan')));

if (!%has)
{
	$node->stop;
	plan skip_all => 'neither HypoPG nor pg_hint_plan is installed';
}

# Two orders of loading: what the first statement of a session loads comes first.
my @orders = ([ 'flakeid first', 'SELECT sno_min(now())' ], [ 'flakeid second', '' ]);

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE event (id uuid, n int, at timestamptz, CHECK (uuid7_timestamp(id) IS NOT NULL));
INSERT INTO event SELECT uuid7_min(at), n, at FROM (SELECT n, timestamptz '2026-11-01Z' + n * interval '1 min' AS at FROM generate_series(1, 20000) AS n) AS m;
CREATE TABLE keyed (LIKE event INCLUDING CONSTRAINTS);
INSERT INTO keyed TABLE event;
ALTER TABLE keyed ADD PRIMARY KEY (id);
CREATE TABLE small AS SELECT at FROM event WHERE n % 2000 = 5;
VACUUM ANALYZE event, keyed, small;
SQL

my %queries = (
	range => "SELECT n FROM T WHERE uuid7_timestamp(id) >= '2026-11-14 20:00Z'",
	equal => "SELECT n FROM T WHERE uuid7_timestamp(id) = '2026-11-14Z'",
	list => "SELECT n FROM T WHERE uuid7_timestamp(id) IN ('2026-11-14Z', '2026-11-14 00:05Z')",
	row => "SELECT n FROM T WHERE (uuid7_timestamp(id), n) > ('2026-11-14 20:00Z', 7)",
	join => 'SELECT n FROM small JOIN T ON uuid7_timestamp(T.id) = small.at',
	exists => 'SELECT small.at FROM small WHERE NOT EXISTS (SELECT FROM T WHERE uuid7_timestamp(T.id) = small.at)',
	newest => 'SELECT n FROM T ORDER BY uuid7_timestamp(id) DESC LIMIT 3',
	union => "SELECT n FROM (SELECT n, uuid7_timestamp(id) AS t FROM T UNION ALL SELECT n, at FROM small, LATERAL (SELECT 1 AS n) AS one) AS u WHERE t >= '2026-11-14 20:00Z'");

# What the last of some statements answers, in a session of its own.
sub answer
{
	my (@statements) = @_;
	my $last = pop @statements;

	return $node->safe_psql('postgres', join '', (map { $_ eq '' ? () : "$_ \\g /dev/null\n" } @statements), "$last;");
}

# ---------- HypoPG ----------

SKIP:
{
	skip('HypoPG is not installed', 1) unless $has{hypopg};
	$node->safe_psql('postgres', 'CREATE EXTENSION hypopg');
	foreach my $order (@orders)
	{
		my ($name, $first) = @$order;
		my $make = "SELECT hypopg_create_index('CREATE INDEX ON event (id)')";

		foreach my $query (sort keys %queries)
		{
			my $sql = $queries{$query} =~ s/\bT\b/event/gr;

			unlike(answer($first, "EXPLAIN $sql"), qr/Index/, "HypoPG, $name, $query: without an index");
			like(answer($first, $make, "EXPLAIN $sql"), qr/Index (?:Only )?Scan.* (?:using|on) "<\d+>btree_event_id"/, '... by the one that does not exist');
			is(answer($first, $make, $sql), answer($first, $sql), '... and the rows are found');
		}
		skip('this HypoPG hides no index', 1) if $node->safe_psql('postgres', q(SELECT to_regproc('hypopg_hide_index') IS NULL)) eq 't';
		unlike(answer($first, q(SELECT hypopg_hide_index('keyed_pkey'::regclass)), 'EXPLAIN ' . $queries{$_} =~ s/\bT\b/keyed/gr), qr/keyed_pkey/, "$_: not by an index that is hidden")
		  foreach sort keys %queries;
	}
}

# ---------- pg_hint_plan ----------

SKIP:
{
	skip('pg_hint_plan is not installed', 1) unless $has{pg_hint_plan};
	foreach my $order (@orders)
	{
		my ($name, $first) = @$order;
		my $plan = sub { my ($hint, $query) = @_; return answer($first, q(LOAD 'pg_hint_plan'), "/*+ $hint */ EXPLAIN (COSTS OFF) " . $queries{$query} =~ s/\bT\b/keyed/gr) };

		like($plan->('', $_), qr/keyed_pkey/, "pg_hint_plan, $name, $_: without a hint by the key") foreach sort keys %queries;
		like($plan->('SeqScan(keyed)', $_), qr/Seq Scan on keyed/, "SeqScan, $_: is followed") foreach sort keys %queries;
		like($plan->('IndexScan(keyed keyed_pkey)', $_), qr/Index Scan using keyed_pkey.*\n +Index Cond: [(].*\bid\b/, "IndexScan, $_: by the key") foreach qw(range equal list row union);
		like($plan->('HashJoin(small keyed)', 'join'), qr/Hash Join/, 'HashJoin is followed');
		like($plan->('NestLoop(small keyed)', 'join'), qr/Nested Loop.*Index Cond: [(].*uuid7_min/s, 'NestLoop, by the key');
		like($plan->('IndexScan(keyed)', 'newest'), qr/Sort/, 'a hint for the table takes the order of its key, as existing.md says');
		foreach my $hint ('SeqScan(keyed)', 'IndexScan(keyed keyed_pkey)', 'NoIndexScan(keyed)', 'Rows(small keyed #1000)', 'NestLoop(small keyed)', 'MergeJoin(small keyed)', 'Parallel(keyed 2 hard)')
		{
			my @different = grep { my $sql = $queries{$_} =~ s/\bT\b/keyed/gr; join(' ', sort split /\n/, answer($first, q(LOAD 'pg_hint_plan'), "/*+ $hint */ $sql")) ne join(' ', sort split /\n/, answer($sql)) } sort keys %queries;

			is("@different", '', "$hint: the same rows");
		}
	}
}

$node->stop;
done_testing();
