# A table with Mastodon's layout and its created_at, large enough that the planner is free
# to choose: conditions on the time read only the necessary part of the key's index, and
# nothing of the table itself.  Deletes by time, and joins, find their rows.
#
# EXISTING_ROWS sets their number (200000); test/torture/existing.pl uses ten million.
use FindBin;
use lib "$FindBin::RealBin/lib";
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

use constant ROWS => $ENV{EXISTING_ROWS} || 200_000;
use constant RECENT => 15 * 1200;    # the rows of fifteen hours, one every 3 s

my $now = q(timestamptz '2026-11-21 09:30:00Z');
my $node = new_server('existing', server => [ "timezone = 'UTC'", 'max_wal_size = 4GB', 'max_parallel_workers_per_gather = 0' ]);

sub query
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

query("CREATE TABLE statuses (id bigint PRIMARY KEY, account_id bigint, text text);
	INSERT INTO statuses SELECT layout_min($now - (${\ROWS} - n) * interval '3 s', 'mastodon') + n::bigint * 40503 % 65536, n % 1000, repeat('x', 100)
	FROM generate_series(1, ${\ROWS}) AS n;
	CREATE VIEW statuses_with_time AS SELECT *, layout_timestamp(id, 'mastodon') AS created_at FROM statuses");
query('VACUUM ANALYZE statuses');

my $leaves = query(q(SELECT relpages FROM pg_class WHERE relname = 'statuses_pkey')) / ROWS;

foreach my $condition ("created_at >= $now - interval '15 hours'", "created_at > $now - interval '15 hours 3 s'",
	"created_at <@ tstzrange($now - interval '15 hours', NULL)")
{
	my $plain = $condition =~ s/created_at/greatest(created_at, NULL)/r;
	my $count = 'SELECT count(*) FROM statuses_with_time WHERE';
	my $plan = query("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) $count $condition");
	my ($hit) = $plan =~ /Buffers: shared.* hit=(\d+)/;
	my ($read) = $plan =~ /Buffers: shared.* read=(\d+)/;
	my $blocks = ($hit // 0) + ($read // 0);

	like($plan, qr/Index Only Scan using statuses_pkey on statuses .*\n *Index Cond: .*\n *Heap Fetches: 0\n/, "$condition: by the key's index alone");
	cmp_ok($blocks, '<', 2 * RECENT * $leaves + 20, "it reads only the necessary part of the index, $blocks blocks");
	is(query("$count $condition"), query("$count $plain"), 'with the rows of that time');
}

# The planner's estimate matches the rows.
{
	my ($estimate) = query("EXPLAIN SELECT FROM statuses_with_time WHERE created_at >= $now - interval '15 hours'") =~ /rows=(\d+)/;

	cmp_ok($estimate, '>', RECENT / 1.3, "the estimate of $estimate rows is not too low");
	cmp_ok($estimate, '<', RECENT * 1.3, 'nor too high');
}

# A nested loop: for each of several days, by the index of the other side.
my $days = "SELECT count(*) AS n FROM generate_series($now - interval '3 days', $now - interval '1 hour', '1 day') AS d
	JOIN statuses_with_time ON created_at >= d AND created_at < d + interval '10 min' GROUP BY d";

like(query("EXPLAIN $days"), qr/Index Cond: \(\(id >= layout_min\(d\.d, 'mastodon'::text\)\) AND \(id < layout_min\(/, 'joins by time use it');
is(query("SELECT count(*), min(n), max(n) FROM ($days) AS days"), '3|200|200', 'and find the rows');
is(query("WITH gone AS (DELETE FROM statuses_with_time WHERE created_at < $now - (${\ROWS} - 100) * interval '3 s' RETURNING 1) SELECT count(*) FROM gone"),
	99, 'old rows are deleted through the view');

# Mastodon's own table of statuses, with its own indexes: three of its queries find by an index on
# the key the same rows as by created_at.
query('DROP VIEW statuses_with_time; DROP TABLE statuses');
$node->safe_psql('postgres', '\\set count ' . ROWS / 2 . "\n" . slurp_file("$FindBin::RealBin/../bench/statuses.sql"));
my %index = (
	'statuses of each hour of six' => qr/using statuses_pkey .*\n *Index Cond: \(\(id >= '\d+'::bigint\) AND \(id < '\d+'::bigint\)\)/,
	'public statuses of a day, newest first' => qr/using statuses_public .*\n *Index Cond: \(id >= '\d+'::bigint\)/,
	'old statuses of an account, to be deleted' => qr/using statuses_of_account .*\n *Index Cond: \(\(account_id = 17\) AND \(id < '\d+'::bigint\)\)/);

foreach (split /\n(?=[^\n|]+\|)/, query(q(SELECT query, replace(sql, E'\n', ' ') FROM asked)))
{
	my ($name, $sql) = split /\|/;

	like(query("EXPLAIN $sql"), delete $index{$name}, "$name: by the index of the key");
	is(query($sql), query($sql =~ s/\bat\b/created_at/gr), '... with the rows that created_at finds');
	isnt(query($sql), '', '... and there are some');
}
is(join(', ', keys %index), '', 'all queries were run');

$node->stop;
done_testing();
