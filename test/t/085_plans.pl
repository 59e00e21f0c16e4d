# The plans of queries by time, by kind: a key whose time is asked for has the plan of a table
# with a timestamptz column and an index on it, whatever the major version.  Each query runs by
# each kind of key and by the column, with the same text and the same rows.  Compared is how each
# table is read, and which partitions are:
#
#   index  by a condition that the index finds, bitmaps too
#   order  in the order of the index, without a condition
#   all    every row
#
# with the number of partitions that were read, and "sort" for each full sort.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('plans', preload => 1,
	server => [ "timezone = 'UTC'", 'max_parallel_workers_per_gather = 0', 'random_page_cost = 1.1', 'enable_material = off', "flakeid_test.at = '2026-11-07 20:00Z'" ]);
my $version = $node->safe_psql('postgres', 'SHOW server_version_num') / 10000;

# ---------- kinds of keys ----------

# The type, the bounds of an instant, the time; "check" if only a constraint says that each row has a time.
my %kinds = (
	uuid7 => { type => 'uuid', ends => 'uuid7_X(t)', time => 'uuid7_timestamp(id)', check => 1 },
	ulid_uuid => { type => 'uuid', ends => 'ulid_uuid_X(t)', time => 'ulid_timestamp(id)' },
	ulid_text => { type => 'text COLLATE "C"', ends => 'ulid_text_X(t)', time => 'ulid_timestamp(id)', check => 1 },
	ulid_bytea => { type => 'bytea', ends => 'uuid_send(ulid_uuid_X(t))', time => 'ulid_timestamp(id)', check => 1 },
	mastodon => { type => 'bigint', ends => q(layout_X(t, 'mastodon')), time => q(layout_timestamp(id, 'mastodon')) },
	own_layout => { type => 'bigint', ends => q(layout_X(t, '2020-01-01Z', 8, '1 s')), time => q(layout_timestamp(id, epoch => '2020-01-01Z', low_bits => 8, unit => '1 s')) },
	uuid7_text => { type => 'text COLLATE "C"', ends => q(layout_text_X(t, 'uuid7')), time => q(layout_timestamp(id, 'uuid7')), check => 1 },
	ksuid_text => { type => 'text COLLATE "C"', ends => q(layout_text_X(t, 'ksuid')), time => q(layout_timestamp(id, 'ksuid')), check => 1 },
	sno => { type => 'sno', ends => 'sno_X(t)', time => 'sno_timestamp(id)' },
	sno_cast => { type => 'sno', ends => 'sno_X(t)', time => 'id::timestamptz' },
	ulid => { type => 'ulid', ends => 'ulid_X(t)', time => 'ulid_timestamp(id)' },
	snowflake => { type => 'snowflake', ends => 'snowflake_X(t)', time => 'snowflake_timestamp(id)' });

# core's function, and a virtual column by it
if ($version >= 18)
{
	$kinds{core} = { type => 'uuid', ends => 'uuid7_X(t)', time => 'uuid_extract_timestamp(id)', check => 'uuid_extract_version(id) IS NOT DISTINCT FROM 7' };
	$kinds{virtual} = { %{ $kinds{core} }, virtual => 1 };
}

# ---------- tables ----------

# Two rows a minute, for a week: n, g, and their instant t.  Each kind's schema has the same names: table
# x, partitions by day p, both in u, x behind a barrier in b; partitions by hash in h, and in l by a list and by
# half of the week.
sub tables
{
	my ($schema, $type, $key, $time, %kind) = @_;
	my $columns = "id $type, n int, g int" . ($kind{virtual} ? ", t timestamptz GENERATED ALWAYS AS ($time) VIRTUAL" : '') . ($kind{column} ? ', t timestamptz' : '');
	my $order = $kind{column} ? 't' : 'id';
	my $more = $kind{virtual} || $kind{column} ? '' : ", $time AS t";
	my $value = "CASE n % 2 WHEN 0 THEN ${\($key =~ s/_X/_min/r)} ELSE ${\($key =~ s/_X/_max/r)} END";
	my $sql = "CREATE SCHEMA $schema; SET search_path = $schema, public;\n";

	my $day = sub { return $kind{column} ? "'2026-11-0$_[0]Z'" : $key =~ s/_X\(t/_min('2026-11-0$_[0]Z'/r };

	foreach my $table (qw(x p h l))
	{
		my $base = $more ? "of_$table" : $table;
		my %by = (p => "RANGE ($order)", h => 'HASH (n)', l => 'LIST (g)');

		$sql .= "CREATE TABLE $base ($columns)" . ($by{$table} ? " PARTITION BY $by{$table};" : ';') . "\n";
		$sql .= join '', map { "CREATE TABLE ${base}_$_ PARTITION OF $base FOR VALUES FROM (${\$day->($_)}) TO (${\$day->($_ + 1)});\n" } 1 .. 7 if $table eq 'p';
		$sql .= join '', map { "CREATE TABLE ${base}_$_ PARTITION OF $base FOR VALUES WITH (MODULUS 2, REMAINDER $_);\n" } 0 .. 1 if $table eq 'h';
		$sql .= join '', map { "CREATE TABLE ${base}_$_ PARTITION OF $base FOR VALUES IN (" . ($_ == 1 ? '0, 1, 2' : '3, 4, 5, 6, 9') . ") PARTITION BY RANGE ($order);
			CREATE TABLE ${base}_${_}_1 PARTITION OF ${base}_$_ FOR VALUES FROM (MINVALUE) TO (${\$day->(4)});
			CREATE TABLE ${base}_${_}_2 PARTITION OF ${base}_$_ FOR VALUES FROM (${\$day->(4)}) TO (MAXVALUE);\n" } 1 .. 2 if $table eq 'l';
		$sql .= "INSERT INTO $base (id, n, g" . ($kind{column} ? ', t' : '') . ") SELECT $value, n, g" . ($kind{column} ? ', t' : '') . " FROM moment;\n";
		$sql .= "ALTER TABLE $base ADD " . ($kind{check} eq '1' ? "CHECK ($time IS NOT NULL)" : "CHECK ($kind{check})") . ";\n" if $kind{check};
		$sql .= "CREATE INDEX ON $base ($order); CREATE INDEX ON $base (n); CREATE INDEX ON $base (g, $order); VACUUM ANALYZE $base;\n";
		$sql .= "CREATE VIEW $table AS SELECT n, g$more FROM $base;\n" if $more;
	}
	return $sql . "CREATE VIEW u AS SELECT n, g, t FROM x UNION ALL SELECT n, g, t FROM p;
		CREATE VIEW b WITH (security_barrier) AS SELECT n, g, t FROM x WHERE leaks(g);\n";
}

$node->safe_psql('postgres', <<'SQL');
CREATE TABLE moment AS SELECT n::int, n::int % 7 AS g, timestamptz '2026-11-01Z' + n / 2 * interval '1 min' AS t FROM generate_series(0, 2 * 7 * 24 * 60 - 1) AS n;
CREATE TABLE s AS SELECT n AS k, t AS at, t::timestamp AS local, t + interval '10 min' AS until FROM moment WHERE n % 2000 = 1200;
INSERT INTO s (k) VALUES (-1);
ANALYZE s;
CREATE FUNCTION leaks(int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN $1 <> 3; END';
CREATE FUNCTION slow(timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE COST 10000 AS 'BEGIN RETURN $1; END';
SQL
$node->safe_psql('postgres', tables('by_column', 'int', 'n', 't', column => 1));
$node->safe_psql('postgres', tables($_, @{ $kinds{$_} }{qw(type ends time)}, %{ $kinds{$_} })) foreach sort keys %kinds;

# ---------- queries ----------

# A name, how the tables are read, and the query; "A; B" runs A before, and compares B.
my $queries = <<'SQL';
range               | x index     | SELECT n FROM x WHERE t >= '2026-11-07 23:00Z'
both ends           | x index     | SELECT n FROM x WHERE t > '2026-11-03 10:00Z' AND t < '2026-11-03 11:00Z'
between             | x index     | SELECT n FROM x WHERE t BETWEEN '2026-11-03 10:00Z' AND '2026-11-03 11:00Z'
symmetric           | x index     | SELECT n FROM x WHERE t BETWEEN SYMMETRIC timestamptz '2026-11-03 11:00Z' AND timestamptz '2026-11-03 10:00Z'
constant first      | x index     | SELECT n FROM x WHERE timestamptz '2026-11-07 23:00Z' < t
not less            | x index     | SELECT n FROM x WHERE NOT t < '2026-11-07 23:00Z'
stable              | x index     | SELECT n FROM x WHERE t >= current_setting('flakeid_test.at')::timestamptz
date                | x index     | SELECT n FROM x WHERE t >= date '2026-11-03' AND t < date '2026-11-04'
timestamp           | x index     | SELECT n FROM x WHERE t >= timestamp '2026-11-07 23:00'
sub-SELECT          | x index     | SELECT n FROM x WHERE t >= (SELECT max(at) FROM s)
stable - interval   | x index     | SELECT n FROM x WHERE t >= current_setting('flakeid_test.at')::timestamptz - interval '1 hour'
stable, expensive   | x index     | SELECT n FROM x WHERE t >= slow('2026-11-07 23:00Z')
volatile            | x all       | SELECT n FROM x WHERE t >= timestamptz '2026-11-07 22:59:30Z' + random() * interval '1 s'
none                | x index     | SELECT n FROM x WHERE t > '2026-12-01Z'
equal               | x index     | SELECT n FROM x WHERE t = '2026-11-03 10:00Z'
equal to a date     | x index     | SELECT n FROM x WHERE t = date '2026-11-03'
equal to stable     | x index     | SELECT n FROM x WHERE t = current_setting('flakeid_test.at')::timestamptz
equal to sub-SELECT | x index     | SELECT n FROM x WHERE t = (SELECT max(at) FROM s)
equal to volatile   | x all       | SELECT n FROM x WHERE t = timestamptz '2026-11-03 10:00Z' + random() * interval '0 s'
IN                  | x index     | SELECT n FROM x WHERE t IN ('2026-11-03 10:00Z', '2026-11-05 10:00Z', '2026-11-06Z')
IN dates            | x index     | SELECT n FROM x WHERE t IN (date '2026-11-03', date '2026-11-05')
IN stable           | x index     | SELECT n FROM x WHERE t IN (current_setting('flakeid_test.at')::timestamptz, '2026-11-05 10:00Z')
= ANY               | x index     | SELECT n FROM x WHERE t = ANY ('{2026-11-03 10:00Z,2026-11-05 10:00Z}')
IN, and more        | x index     | SELECT n FROM x WHERE t IN ('2026-11-03 10:00Z', '2026-11-05 10:00Z') AND g = 3
row below           | x index     | SELECT n FROM x WHERE (t, n) < ('2026-11-01 01:00Z', 120)
row above           | x index     | SELECT n FROM x WHERE (t, n) >= ('2026-11-07 23:00Z', 120)
row of three        | x index     | SELECT n FROM x WHERE (t, g, n) > ('2026-11-07 23:00Z', 3, 5)
OR of ranges        | x index     | SELECT n FROM x WHERE t < '2026-11-01 00:10Z' OR t > '2026-11-07 23:50Z'
OR of equal         | x index     | SELECT n FROM x WHERE t = '2026-11-03 10:00Z' OR t = '2026-11-05 10:00Z'
OR of another       | x index     | SELECT n FROM x WHERE t = '2026-11-03 10:00Z' OR n = 5
OR, AND below       | x index     | SELECT n FROM x WHERE (t > '2026-11-07 23:50Z' AND g = 1) OR t < '2026-11-01 00:10Z'
OR, not for all     | x all       | SELECT n FROM x WHERE t > '2026-11-07 23:50Z' OR n % 5000 = 3
range type          | x index     | SELECT n FROM x WHERE t <@ '[2026-11-03 10:00Z,2026-11-03 11:00Z)'::tstzrange
contains            | x index     | SELECT n FROM x WHERE '[2026-11-03 10:00Z,2026-11-03 11:00Z)'::tstzrange @> t
with another column | x index     | SELECT n FROM x WHERE g = 3 AND t >= '2026-11-07 12:00Z'
IS NOT NULL, range  | x index     | SELECT n FROM x WHERE t IS NOT NULL AND t >= '2026-11-07 23:00Z'
IS NOT NULL         | x all       | SELECT n FROM x WHERE t IS NOT NULL
IS NULL             | x index     | SELECT n FROM x WHERE t IS NULL
IS NOT DISTINCT     | x all       | SELECT n FROM x WHERE t IS NOT DISTINCT FROM '2026-11-03 10:00Z'
not equal           | x all       | SELECT n FROM x WHERE t <> '2026-11-03 10:00Z'
CASE                | x all       | SELECT n FROM x WHERE CASE WHEN g = 1 THEN t > '2026-11-07 23:00Z' ELSE t < '2026-11-01 00:10Z' END
::date              | x all       | SELECT n FROM x WHERE t::date = '2026-11-03'
date_trunc          | x all       | SELECT n FROM x WHERE date_trunc('hour', t) = '2026-11-03 10:00Z'
t + interval        | x all       | SELECT n FROM x WHERE t + interval '1 hour' > '2026-11-08Z'
IS TRUE             | x all       | SELECT n FROM x WHERE (t >= '2026-11-07 23:00Z') IS TRUE
select list         | x all       | SELECT count(*) FILTER (WHERE t >= '2026-11-07 23:00Z') FROM x
join equal          | x index     | SELECT k, n FROM s JOIN x ON x.t = s.at
join a timestamp    | x index     | SELECT k, n FROM s JOIN x ON x.t = s.local
join range          | x index     | SELECT k, n FROM s JOIN x ON x.t >= s.at AND x.t < s.until
join range type     | x index     | SELECT k, n FROM s JOIN x ON x.t <@ tstzrange(s.at, s.until)
LEFT JOIN           | x index     | SELECT k, n FROM s LEFT JOIN x ON x.t = s.at
LEFT JOIN, more     | x index     | SELECT k, n FROM s LEFT JOIN x ON x.t = s.at AND x.g = 1
LEFT JOIN a range   | x index     | SELECT k, n FROM s LEFT JOIN x ON x.t BETWEEN s.at AND s.until
LEFT JOIN, WHERE    | x index     | SELECT k, n FROM s LEFT JOIN x ON x.n = s.k WHERE x.t >= '2026-11-07 12:00Z'
LEFT JOIN, ON       | x index     | SELECT k, n FROM s LEFT JOIN x ON x.t >= '2026-11-07 23:00Z' AND x.n = s.k
outer side          | x index     | SELECT k, n FROM x LEFT JOIN s ON s.k = x.n WHERE x.t >= '2026-11-07 23:00Z'
RIGHT JOIN          | x index     | SELECT k, n FROM x RIGHT JOIN s ON x.t = s.at
FULL JOIN           | x all       | SELECT k, n FROM s FULL JOIN (SELECT * FROM x WHERE g < 6) AS x ON x.t = s.at
FULL JOIN, WHERE    | x index     | SELECT k, n FROM s FULL JOIN x ON x.n = s.k WHERE x.t >= '2026-11-07 23:00Z'
EXISTS              | x index     | SELECT k FROM s WHERE EXISTS (SELECT FROM x WHERE x.t = s.at)
NOT EXISTS          | x index     | SELECT k FROM s WHERE NOT EXISTS (SELECT FROM x WHERE x.t = s.at)
EXISTS a range      | x index     | SELECT k FROM s WHERE EXISTS (SELECT FROM x WHERE x.t >= s.at AND x.t < s.until AND x.g = 2)
EXISTS in OR        | x index     | SELECT k FROM s WHERE k = 1200 OR EXISTS (SELECT FROM x WHERE x.t = s.at AND x.g = 2)
EXISTS in a column  | x index     | SELECT k, EXISTS (SELECT FROM x WHERE x.t >= s.at AND x.t < s.until AND x.g = 2) FROM s
EXISTS a constant   | x index     | SELECT k FROM s WHERE EXISTS (SELECT FROM x WHERE x.t >= '2026-11-07 23:00Z' AND x.n = s.k)
IN (SELECT)         | x index     | SELECT n FROM x WHERE t IN (SELECT at FROM s)
IN (SELECT x)       | x index     | SET LOCAL enable_sort = off; SELECT k FROM s WHERE at IN (SELECT t FROM x WHERE t >= '2026-11-07 12:00Z')
count of another    | x index     | SELECT k, (SELECT count(*) FROM x WHERE x.t >= s.at AND x.t < s.until) FROM s
LATERAL, newest     | x index     | SELECT k, l.n FROM s, LATERAL (SELECT n FROM x WHERE x.t < s.at ORDER BY t DESC, n DESC LIMIT 1) AS l
LATERAL, of each    | x index     | SELECT g.g, l.n FROM generate_series(0, 6) AS g, LATERAL (SELECT n FROM x WHERE x.g = g.g ORDER BY t DESC LIMIT 2) AS l
self join           | x index     | SELECT a.n, b.n FROM x AS a JOIN x AS b USING (t) WHERE a.n BETWEEN 5000 AND 5010
self join, equal    | x index     | SELECT a.n, b.n FROM x AS a JOIN x AS b USING (t) WHERE b.t = '2026-11-01 10:00Z'
join, and equal     | x index     | SELECT k, n FROM s JOIN x ON x.t = s.at WHERE s.at = '2026-11-01 10:00Z'
join, equal, since  | x index     | SELECT k, n FROM s JOIN x ON x.t = s.at WHERE s.at = '2026-11-01 10:00Z' AND x.t >= '2026-11-01 10:00Z'
LEFT JOIN, equal    | x index     | SELECT k, n FROM s LEFT JOIN x ON x.t = s.at AND x.g <> 9 WHERE s.at = '2026-11-01 10:00Z'
generic join, equal | x index     | PREPARE q (timestamptz) AS SELECT k, n FROM s JOIN x ON x.t = s.at WHERE s.at = $1; EXECUTE q ('2026-11-01 10:00Z')
UNION ALL, equal to | p:1 index x index | SELECT k, n FROM s JOIN u ON u.t = s.at WHERE s.at = '2026-11-01 10:00Z'
partitions, equal to | p:1 index  | SELECT k, n FROM s JOIN p ON p.t = s.at WHERE s.at = '2026-11-01 10:00Z'
hash, equal to      | h:2 index   | SELECT k, n FROM s JOIN h ON h.t = s.at WHERE s.at = '2026-11-01 10:00Z'
three tables        | x index     | SELECT s.k, a.n, b.n FROM s JOIN x AS a ON a.t = s.at JOIN x AS b ON b.t = s.until
whole self join     | x order     | SET LOCAL enable_hashjoin = off; SELECT count(*) FROM x AS a JOIN x AS b USING (t)
GROUP BY            | x index     | SELECT t, count(*) FROM x WHERE t >= '2026-11-07 23:00Z' GROUP BY t
above GROUP BY      | x index     | SELECT * FROM (SELECT t, count(*) FROM x GROUP BY t) AS q WHERE t >= '2026-11-07 23:00Z'
HAVING              | x index     | SELECT t, count(*) FROM x GROUP BY t HAVING t >= '2026-11-07 23:00Z'
HAVING an aggregate | x all       | SELECT g, max(t) FROM x GROUP BY g HAVING max(t) < '2026-11-07 23:00Z'
ROLLUP, below       | x index     | SELECT t, g, count(*) FROM x WHERE t >= '2026-11-07 23:00Z' GROUP BY ROLLUP (t, g)
above ROLLUP        | x order     | SET LOCAL enable_hashagg = off; SELECT * FROM (SELECT t, count(*) FROM x GROUP BY ROLLUP (t)) AS q WHERE t >= '2026-11-07 23:59Z'
above DISTINCT      | x index     | SELECT * FROM (SELECT DISTINCT t FROM x) AS q WHERE t >= '2026-11-07 23:00Z'
DISTINCT ON         | x index     | SELECT * FROM (SELECT DISTINCT ON (t) t FROM x ORDER BY t) AS q WHERE t >= '2026-11-07 23:00Z'
above UNION         | x index     | SELECT * FROM (SELECT t, n FROM x UNION SELECT at, k FROM s) AS q WHERE t >= '2026-11-07 23:00Z'
above EXCEPT        | x all       | SELECT * FROM (SELECT t, n FROM x EXCEPT SELECT at, k FROM s) AS q WHERE t >= '2026-11-07 23:00Z'
above UNION ALL     | p:1 index x index | SELECT n FROM u WHERE t >= '2026-11-07 23:00Z'
UNION ALL, equal    | p:1 index x index | SELECT n FROM u WHERE t = '2026-11-03 10:00Z'
UNION ALL, IN       | p:2 index x index | SELECT n FROM u WHERE t IN ('2026-11-03 10:00Z', '2026-11-05 10:00Z')
UNION ALL, joined   | p:7 index x index | SELECT k, n FROM s JOIN u ON u.t = s.at
UNION ALL, newest   | p:7 order x order | SELECT n, t FROM u ORDER BY t DESC LIMIT 10
PARTITION BY        | x index     | SELECT * FROM (SELECT t, n, row_number() OVER (PARTITION BY t ORDER BY n) FROM x) AS q WHERE t >= '2026-11-07 23:00Z'
window in order     | x order     | SELECT n, count(*) OVER (ORDER BY t RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) FROM x LIMIT 10
max                 | x order     | SELECT max(t) FROM x
min with a range    | x index     | SELECT min(t) FROM x WHERE t > '2026-11-03Z'
max of another      | x index     | SELECT max(t) FROM x WHERE g = 4
view of a view      | x index     | SELECT n FROM (SELECT n, t AS created_at FROM (SELECT * FROM x WHERE g < 5) AS a) AS b WHERE created_at >= '2026-11-07 23:00Z'
barrier             | x index     | SELECT n FROM b WHERE t >= '2026-11-07 23:00Z'
OFFSET 0            | x all       | SELECT n FROM (SELECT * FROM x OFFSET 0) AS q WHERE t >= '2026-11-07 23:59Z'
CTE                 | x index     | WITH q AS (SELECT * FROM x) SELECT n FROM q WHERE t >= '2026-11-07 23:00Z'
CTE, materialized   | x index     | WITH q AS MATERIALIZED (SELECT * FROM x WHERE t >= '2026-11-07 23:00Z') SELECT n FROM q
CTE, recursive      | x index     | WITH RECURSIVE q AS (SELECT at FROM s WHERE k = 1200 UNION ALL SELECT x.t FROM q, LATERAL (SELECT t FROM x WHERE t > q.at ORDER BY t LIMIT 1) AS x WHERE q.at < '2026-11-01 10:10Z') SELECT * FROM q
generic range       | x index     | PREPARE q (timestamptz) AS SELECT n FROM x WHERE t >= $1; EXECUTE q ('2026-11-07 23:00Z')
generic both ends   | x index     | PREPARE q (timestamptz, timestamptz) AS SELECT n FROM x WHERE t >= $1 AND t < $2; EXECUTE q ('2026-11-03 10:00Z', '2026-11-03 11:00Z')
generic equal       | x index     | PREPARE q (timestamptz) AS SELECT n FROM x WHERE t = $1; EXECUTE q ('2026-11-03 10:00Z')
generic row         | x index     | PREPARE q (timestamptz, int) AS SELECT n FROM x WHERE (t, n) > ($1, $2) ORDER BY t, n LIMIT 10; EXECUTE q ('2026-11-03 10:00Z', 7)
generic date        | x index     | PREPARE q (date) AS SELECT n FROM x WHERE t >= $1 AND t < $1 + 1; EXECUTE q ('2026-11-03')
generic = ANY       | x index     | PREPARE q (timestamptz[]) AS SELECT n FROM x WHERE t = ANY ($1); EXECUTE q ('{2026-11-03 10:00Z}')
generic, partitions | p:1 index   | PREPARE q (timestamptz) AS SELECT n FROM p WHERE t >= $1; EXECUTE q ('2026-11-07 23:00Z')
generic =, parts    | p:1 index   | PREPARE q (timestamptz) AS SELECT n FROM p WHERE t = $1; EXECUTE q ('2026-11-03 10:00Z')
cursor              | x index     | DECLARE c CURSOR FOR SELECT n FROM x WHERE t >= '2026-11-07 23:00Z' ORDER BY t
cursor, generic     | x index     | PREPARE q (timestamptz) AS SELECT n, t FROM x WHERE t >= $1 ORDER BY t; EXECUTE q ('2026-11-07 23:00Z')
newest              | x order     | SELECT n, t FROM x ORDER BY t DESC LIMIT 20
newest, more        | x index     | SELECT n, t FROM x WHERE t < '2026-11-03Z' ORDER BY t DESC LIMIT 20
page                | x index     | SELECT n, t FROM x WHERE (t, n) < ('2026-11-03Z', 5000) ORDER BY t DESC, n DESC LIMIT 20
ORDER BY t, n       | x order     | SELECT n, t FROM x ORDER BY t, n LIMIT 20
OFFSET              | x order     | SELECT t FROM x ORDER BY t LIMIT 20 OFFSET 20
WITH TIES           | x order     | SELECT n FROM x ORDER BY t FETCH FIRST 3 ROWS WITH TIES
newest of one       | x index     | SELECT n, t FROM x WHERE g = 3 ORDER BY t DESC LIMIT 3
IN, ordered         | x index sort | SELECT n, t FROM x WHERE t IN ('2026-11-03 10:00Z', '2026-11-05 10:00Z') ORDER BY t, n LIMIT 5
DISTINCT in order   | x order     | SELECT DISTINCT t FROM x ORDER BY t LIMIT 5
group in order      | x order     | SELECT t, count(*) FROM x GROUP BY t ORDER BY t LIMIT 5
locked              | x index     | SELECT n FROM x WHERE t >= '2026-11-07 23:00Z' FOR UPDATE
UPDATE              | x index     | UPDATE x SET g = 9 WHERE t >= '2026-11-07 23:00Z'
UPDATE FROM         | x index     | UPDATE x SET g = s.k FROM s WHERE x.t = s.at
DELETE              | x index     | DELETE FROM x WHERE t < '2026-11-01 00:10Z'
DELETE USING        | x index     | DELETE FROM x USING s WHERE x.t >= s.at AND x.t < s.until
MERGE               | x index     | MERGE INTO x USING s ON x.t = s.at WHEN MATCHED THEN UPDATE SET g = 9
MERGE a range       | x index     | MERGE INTO x USING s ON x.t = s.at AND x.t >= '2026-11-05Z' WHEN MATCHED AND x.t > '2026-11-02Z' THEN DELETE WHEN NOT MATCHED THEN DO NOTHING
partitions          | p:1 index   | SELECT n FROM p WHERE t >= '2026-11-07 23:00Z'
partitions, days    | p:2 index   | SELECT n FROM p WHERE t >= '2026-11-03 23:50Z' AND t < '2026-11-04 00:10Z'
partitions, none    |             | SELECT n FROM p WHERE t < '2026-10-01Z'
partitions, equal   | p:1 index   | SELECT n FROM p WHERE t = '2026-11-03 10:00Z'
partitions, IN      | p:2 index   | SELECT n FROM p WHERE t IN ('2026-11-03 10:00Z', '2026-11-05 10:00Z')
partitions, OR      | p:2 index   | SELECT n FROM p WHERE t < '2026-11-01 00:10Z' OR t > '2026-11-07 23:50Z'
partitions, row     | p:1 index   | SELECT n FROM p WHERE (t, n) > ('2026-11-07 23:00Z', 5)
partitions, range   | p:1 index   | SELECT n FROM p WHERE t <@ '[2026-11-03 10:00Z,2026-11-03 11:00Z)'::tstzrange
partitions, stable  | p:1 index   | SELECT n FROM p WHERE t >= current_setting('flakeid_test.at')::timestamptz
partitions, first   | p:1 index   | SELECT n FROM p WHERE t >= (SELECT max(until) FROM s WHERE k > 19000)
partitions, date    | p:1 index   | SELECT n FROM p WHERE t >= timestamp '2026-11-03 23:00' AND t < date '2026-11-04'
partitions, join    | p:7 index   | SELECT k, n FROM s JOIN p ON p.t = s.at
one row's partition | p:1 index   | SELECT k, n FROM s JOIN p ON p.t = s.at WHERE k = 1200
partitions, EXISTS  | p:7 index   | SELECT k FROM s WHERE EXISTS (SELECT FROM p WHERE p.t = s.at)
partitions, ranges  | p:7 index   | SELECT k, n FROM s JOIN p ON p.t >= s.at AND p.t < s.until
partitions, newest  | p:1 order   | SELECT n, t FROM p ORDER BY t DESC LIMIT 20
partitions, page    | p:1 index   | SELECT n, t FROM p WHERE t < '2026-11-03 12:00Z' ORDER BY t DESC LIMIT 20
partitions, max     | p:1 order   | SELECT max(t) FROM p
partitions, GROUP   | p:1 index   | SELECT * FROM (SELECT t, count(*) FROM p GROUP BY t) AS q WHERE t >= '2026-11-07 23:00Z'
partitions, UPDATE  | p:1 index   | UPDATE p SET g = 9 WHERE t >= '2026-11-07 23:00Z'
partitions, DELETE  | p:1 index   | DELETE FROM p USING s WHERE p.t = s.at AND p.t >= '2026-11-07Z'
partitions, MERGE   | p:1 index   | MERGE INTO p USING s ON p.t = s.at AND p.t >= '2026-11-07Z' WHEN MATCHED THEN DELETE
two levels          | l:2 index   | SELECT n FROM l WHERE t >= '2026-11-07 23:00Z'
two levels, of one  | l:1 index   | SELECT n FROM l WHERE g = 1 AND t >= '2026-11-07 23:00Z'
two levels, equal   | l:2 index   | SELECT n FROM l WHERE t = '2026-11-03 10:00Z'
two levels, join    | l:4 index   | SELECT k, n FROM s JOIN l ON l.t = s.at
two levels, generic | l:2 index   | PREPARE q (timestamptz) AS SELECT n FROM l WHERE t >= $1; EXECUTE q ('2026-11-07 23:00Z')
hash                | h:2 index   | SELECT n FROM h WHERE t >= '2026-11-07 23:00Z'
hash, join          | h:2 index   | SELECT k, n FROM s JOIN h ON h.t = s.at
hash, newest        | h:2 order   | SELECT n, t FROM h ORDER BY t DESC LIMIT 10
SQL
my @queries = map { [ split /\s*\|\s*/, $_, 3 ] } split /\n/, $queries;

# ---------- plans ----------

# How the tables of a plan are read.
sub shape
{
	my (%tables, $sorts, $scan);

	foreach (split /\n/, $_[0])
	{
		$scan = undef if /\bactual rows|never executed/;
		$sorts = 1 if /^\W*Sort \(actual/;
		# a scan of a table, or of a partition
		$scan = { table => $2, part => $3, how => $1 eq 'Bitmap Heap' ? 'index' : $1 eq 'Seq' ? 'all' : 'order' }
		  if /(Seq|Index|Index Only|Bitmap Heap) Scan\b.* on (?:of_)?([xphl])((?:_\d)*)\b.*\(actual/;
		$scan->{how} = 'index' if $scan && /^ *Index Cond: (?![(]\w+ IS NOT NULL[)]$)/;
		$tables{ $scan->{table} }{ $scan->{part} } = $scan if $scan;
	}
	return join ' ', (map {
		my $scans = $tables{$_};
		my $parts = grep { $_ ne '' } keys %$scans;
		my %how = map { $_->{how} => 1 } values %$scans;

		$_ . ($parts ? ":$parts" : '') . ' ' . join('+', sort keys %how)
	} sort keys %tables), $sorts ? 'sort' : ();
}

# The shapes of all queries' plans in a schema, and their rows, or what they leave of the table.
sub answers
{
	my ($schema) = @_;
	my $script = "SET search_path = $schema, public; SET plan_cache_mode = force_generic_plan;\n";
	my ($out, $err);

	foreach my $query (@queries)
	{
		my ($before, $sql) = $query->[2] =~ /^(?:(.*); )?(.*)$/;
		my $table = $sql =~ /\bp\b/ ? 'p' : 'x';

		# before 17 MERGE takes no view
		$sql =~ s/^MERGE INTO \K(\w)/of_$1 AS $1/, $sql =~ s/\b[xp][.]t\b/$kinds{$schema}{time}/g if $sql =~ /^MERGE/ && $schema ne 'by_column' && !$kinds{$schema}{virtual};
		my $run = $sql =~ /^DECLARE/ ? "$sql; FETCH ALL FROM c" : $sql;

		$before = defined $before ? "$before;" : '';
		$script .= "BEGIN; $before\n\\echo ==\nEXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) $sql;\nROLLBACK; DEALLOCATE ALL;\n";
		my $left = $sql =~ /^(?:UPDATE|DELETE|MERGE)/ ? "SELECT count(*), sum(g), sum(n) FROM $table;\n" : '';

		$script .= "BEGIN; $before\n\\echo =\n$run;\n${left}ROLLBACK; DEALLOCATE ALL;\n";
	}
	(undef, $out, $err) = $node->psql('postgres', $script, on_error_stop => 0);
	is($err, '', "$schema: no error");
	return map { my ($plan, $rows) = split /^=\n/m; [ shape($plan), join("\n", sort split /\n/, $rows) ] } grep { $_ ne '' } split /^==\n/m, "$out\n";
}


# ---------- known exceptions ----------

# A pattern of kinds, the queries, how the tables are read, from which major to which, and why.  One that
# no longer differs must go.
my $keys = qr/^(?!by_column)/;
my @exceptions = (
	# what core does not do for the column
	[ qr/^by_column$/, 'range type; contains; join range type', 'x all', 15, 16, 'core finds no index for <@ before 17' ],
	[ qr/^by_column$/, 'partitions, range', 'p:7 all', 15, 16, 'as above' ],
	[ qr/^by_column$/, 'join range type', 'x all', 17, 99, 'nor afterwards, if the range is not constant' ],
	[ qr/^by_column$/, 'partitions, row', 'p:7 index', 15, 99, 'core prunes by no comparison of rows' ],
	[ qr/^by_column$/, 'IN, ordered', 'x index', 16, 99, 'core uses the order of a scan for a list from 16 on; for a key it is an OR of scans' ],

	# what existing.md says is not changed
	[ $keys, 'generic = ANY', 'x all', 15, 99, 'a list that is unknown while planning' ],
	[ $keys, 'IS NULL', 'x all', 15, 99, 'a condition below IS NULL is core\'s alone' ],
	[ $keys, 'partitions, newest; partitions, max', 'p:7 order', 15, 99, 'partitions by time are merged for an order by time' ],
	[ $keys, 'partitions, page', 'p:3 index', 15, 99, 'as above' ],

	[ $keys, 'partitions, equal to', 'p:7 index', 15, 99, 'an instant that core derives is known after partitions are left out' ],

	[ qr/^(?:core|virtual)$/, 'UNION ALL, joined', 'p:7 all x all', 18, 99, 'the arms of a UNION ALL are not proven to have no other version' ]);

# ---------- run ----------

sub expected
{
	my ($schema, $name, $shape) = @_;

	foreach (@exceptions)
	{
		my ($kinds, $names, $other, $from, $to) = @$_;

		next if $schema !~ $kinds || $version < $from || int($version) > $to || "; $names; " !~ /; \Q$name\E; /;
		return ($other, $other ne $shape);
	}
	return ($shape, 1);
}

my @column = answers('by_column');

foreach my $schema ('by_column', sort keys %kinds)
{
	my @answers = $schema eq 'by_column' ? @column : answers($schema);
	my (@plans, @rows);

	foreach my $i (0 .. $#queries)
	{
		my ($name, $shape) = @{ $queries[$i] };
		my ($wanted, $needed) = expected($schema, $name, $shape);

		push @plans, "$name: $answers[$i][0], not $wanted" if $answers[$i][0] ne $wanted;
		push @plans, "$name: no exception any more" if !$needed;
		push @rows, "$name: $answers[$i][1], not $column[$i][1]" if $answers[$i][1] ne $column[$i][1];
	}
	is(scalar(@answers), scalar(@queries), "$schema: all queries have run");
	is(join("\n", @plans), '', '... by the plans that they have on each major');
	is(join("\n", @rows), '', '... and return the column\'s rows');
}

$node->stop;
done_testing();
