# Random queries that sort, group, join or number rows by the time of an ID.  By created_at,
# the function's result, the ID's index may give the order; by ts, a column of timestamptz with
# the same values, core sorts.  Both return the same: the keys in the same order, and where these
# determine the rows, the same rows.
#
# FLAKEID_QUERIES sets their number (1000), FLAKEID_SEED repeats a run.
use FindBin;
use lib "$FindBin::RealBin/lib";
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

use constant QUERIES => $ENV{FLAKEID_QUERIES} || whole_or_short(1000, 300);
use constant BATCH => 100;

my $seed = $ENV{FLAKEID_SEED} // int(rand(1_000_000_000));
note("FLAKEID_SEED=$seed");
srand($seed);

sub one
{
	return $_[ rand @_ ];
}

# ---------- tables ----------

my $node = new_server('order', server => [ "timezone = 'UTC'", 'max_parallel_workers = 8' ]);
my @other = split /\n/, $node->safe_psql('postgres', <<'END');
SELECT quote_ident(collname) FROM pg_collation
WHERE collprovider = 'i' AND collnamespace = 'pg_catalog'::regnamespace AND collname IN ('und-x-icu', 'de-x-icu')
END
# compares digits as numbers
push @other, 'numbers'
  if @other && $node->psql('postgres', q(CREATE COLLATION numbers (provider = icu, locale = 'en-u-kn-true'))) == 0;

# 1,200 instants, a third of them within 60 ms; some NULL.
$node->safe_psql('postgres', <<'END');
CREATE TABLE moment AS
SELECT n, (n * 7919) % 10 AS a, (n * 104729) % 4 AS b,
	CASE WHEN n % 3 = 0 THEN timestamptz '2026-01-01' + (n * 31 % 60) * interval '1 ms'
		ELSE timestamptz '2026-01-01' + (n * 7919 % 1200 - 600) * interval '1 hour' END AS t,
	n % 40 = 7 AS none
FROM generate_series(1, 1200) AS n;
ANALYZE moment;
END

my $v7 = q(overlay(uuid7_min(t)::text PLACING lpad(to_hex(n * 65537 % 16777216), 12, '0') FROM 25)::uuid);
my $others = "CASE WHEN n % 5 = 0 THEN overlay(overlay(md5(n::text) PLACING '4' FROM 13) PLACING 'a' FROM 17)::uuid ELSE $v7 END";
my $number = q(CASE n WHEN 1 THEN -9223372036854775808 WHEN 2 THEN 9223372036854775807 WHEN 3 THEN -1 WHEN 4 THEN 0
	ELSE layout_min(t, 'discord') + n % 5 END);
my $text = q(overlay(ulid_text_min(t) PLACING lpad((n * 65537 % 100000)::text, 5, '0') FROM 20));
my $uuid = q(CASE n WHEN 1 THEN '00000000-0000-0000-0000-000000000000' WHEN 2 THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
	ELSE overlay(ulid_uuid_min(t)::text PLACING lpad(to_hex(n), 12, '0') FROM 25) END::uuid);
my $not_null = 'CHECK (instant IS NOT NULL)';
my %names;

# Create a table and its view: the ID's type, its expression, and its time; with the table's constraint,
# which may be NOT VALID, and the view's condition.  Some rows have no ID if "nulls" is true.
sub table
{
	my ($name, $type, $id, $instant, %o) = @_;
	my $constraint = ($o{check} // '') =~ s/\binstant\b/$instant/r;
	my $value = $o{nulls} ? "CASE WHEN NOT none THEN $id END" : $id;
	my $inherits = $o{parts} ? "PARTITION BY $o{parts}" : '';
	my $sql = "CREATE TABLE of_$name (n int, a int, b int, id $type, ts timestamptz) $inherits;\n";

	$sql .= $o{more} =~ s/\bNAME\b/of_$name/gr if $o{more};
	$sql .= "INSERT INTO of_$name SELECT n, a, b, id, ($instant)::timestamptz FROM (SELECT n, a, b, ($value)::$type AS id FROM moment) AS m;\n";
	$sql .= "ALTER TABLE of_$name ADD $constraint;\n" if $constraint;
	$sql .= ($o{after} =~ s/\bNAME\b/of_$name/gr) . "\n" if $o{after};
	foreach my $table ("of_$name", $o{child} ? "of_${name}_child" : ())
	{
		$sql .= "CREATE INDEX ON $table ($_);\n" foreach 'id', 'id, a', 'id, b, a', 'a, id';
		$sql .= "CREATE INDEX ON $table (b, id DESC NULLS LAST) INCLUDE (n);\nCREATE INDEX ON $table (id NULLS FIRST) WHERE a < 5;\n";
	}
	$sql .= "VACUUM ANALYZE of_$name;\nCREATE VIEW $name AS SELECT *, $instant AS created_at FROM of_$name " . ($o{where} ? "WHERE $o{where}" : '') . ";\n";
	$node->safe_psql('postgres', $sql);
	$names{$name} = $type;
	return;
}

my $time = 'uuid7_timestamp(id)';
my $child = q(CREATE TABLE NAME_child () INHERITS (NAME); INSERT INTO NAME_child SELECT n + 2000, a, b, overlay(id::text PLACING '4' FROM 15)::uuid, NULL FROM NAME WHERE n < 100 AND id IS NOT NULL;);

table('mixed', 'uuid', $others, $time, nulls => 1);
table('proved', 'uuid', $others, $time, nulls => 1, where => "$time IS NOT NULL");
table('checked', 'uuid', $v7, $time, check => $not_null);
table('not_valid', 'uuid', $others, $time, nulls => 1, check => "$not_null NOT VALID");
table('null_passes', 'uuid', $others, $time, nulls => 1, check => q(CHECK (instant > '2000-01-01')));
table('is_uuid7', 'uuid', $others, $time, nulls => 1, check => 'CHECK (_flakeid_functions.is_uuid7(id))');
table('inherited', 'uuid', $v7, $time, check => "$not_null NO INHERIT", after => $child =~ s/NAME_child/of_inherited_child/gr, child => 1);
table('few_others', 'uuid', "CASE WHEN n % 30 = 0 THEN overlay(md5(n::text) PLACING '4' FROM 13)::uuid ELSE $v7 END", $time, nulls => 1);
table('number', 'bigint', $number, q(layout_timestamp(id, 'discord')), nulls => 1);
table('number_full', 'bigint', $number, q(layout_timestamp(id, 'discord')), check => 'CHECK (id IS NOT NULL)');
table('weekly', 'bigint', q(layout_min(t, '2020-01-01Z', 10, '7 s') + n % 3), q(layout_timestamp(id, '2020-01-01Z', 10, '7 s')), nulls => 1);
table('days', 'bigint', q(layout_min(t, '2020-01-01Z', 20, '24 h') + n), q(layout_timestamp(id, '2020-01-01Z', 20, '24 h')), nulls => 1);
table('letters', 'text COLLATE "C"', $text, 'ulid_timestamp(id)', check => $not_null);
table('letters_asked', 'text COLLATE "C"', $text, 'ulid_timestamp(id)', nulls => 1, where => q(ulid_timestamp(id) > '2000-01-01'));
table('padded', 'char(26) COLLATE "C"', $text, 'ulid_timestamp(id)', check => $not_null);
table("letters_$_", "text COLLATE $other[$_]", $text, 'ulid_timestamp(id)', check => $not_null) foreach 0 .. $#other;
table('as_uuid', 'uuid', $uuid, 'ulid_timestamp(id)', nulls => 1);
table('bytes', 'bytea', 'uuid_send(ulid_uuid_min(t))', 'ulid_timestamp(id)', check => $not_null);
table('ranges', 'uuid', $v7, $time, parts => 'RANGE (id)', more => q(CREATE TABLE ranges_1 PARTITION OF NAME FOR VALUES FROM (MINVALUE) TO (uuid7_min('2026-01-01'));
	CREATE TABLE ranges_2 PARTITION OF NAME FOR VALUES FROM (uuid7_min('2026-01-01')) TO (MAXVALUE);), check => $not_null);
table('hashes', 'uuid', $others, $time, parts => 'HASH (n)', more => q(CREATE TABLE hashes_1 PARTITION OF NAME FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE hashes_2 PARTITION OF NAME FOR VALUES WITH (MODULUS 2, REMAINDER 1);), where => "$time IS NOT NULL");
table("own_$_", $_, "CASE n % 2 WHEN 0 THEN ${_}_min(t) ELSE ${_}_max(t) END", "${_}_timestamp(id)", nulls => 1) foreach qw(sno flax siq uid64 snowflake ulid ksuid);
if ($node->pg_version->major >= 18)
{
	my $core = 'uuid_extract_timestamp(id)';

	table('core', 'uuid', $v7, $core, check => 'CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7)');
	table('core_null', 'uuid', $v7, $core, nulls => 1, check => 'CHECK (uuid_extract_version(id) = 7)');
	table('core_asked', 'uuid', $others, $core, nulls => 1, where => 'uuid_extract_version(id) IS NOT DISTINCT FROM 7');
	table('core_mixed', 'uuid', "CASE WHEN n % 3 = 0 THEN overlay(${v7}::text PLACING to_hex(1 + n % 8) FROM 15)::uuid ELSE $others END", $core, nulls => 1);
}
$node->safe_psql('postgres', 'CREATE VIEW together AS SELECT * FROM checked UNION ALL SELECT n + 5000, a, b, id, ts, created_at FROM as_uuid');
$names{together} = 'uuid';
my @names = sort keys %names;

# ---------- queries ----------

# In a query, C is the time of the first table, and D that of another one.
sub direction
{
	return one('', '', ' DESC') . one('', '', ' NULLS FIRST', ' NULLS LAST');
}

# Keys, and whether no two rows have the same.
sub keys_of
{
	my $keys = one([ ['C'] ], [ ['C'] ], [ [ 'C', 'x.id' ], [ 'C', 'x.id', 'x.n' ] ], [ [ 'C', 'x.n' ] ], [ [ 'C', 'x.a' ], [ 'C', 'x.b', 'x.n' ] ],
		[ [ 'x.a', 'C' ], [ 'x.b', 'C' ], [ 'x.b', 'C', 'x.id' ], [ 'x.a', 'C', 'x.n' ] ], [ [ 'x.id', 'C' ] ]);

	return @{ one(@$keys) };
}

# ORDER BY these keys; half of the time all in one direction.
sub order
{
	my @keys = @_;
	my $same = rand() < 0.5 ? one('', ' DESC') : undef;

	return 'ORDER BY ' . join(', ', map { $_ . ($same // direction()) } @keys);
}

sub instant
{
	return one(q(timestamptz '2026-01-01'), q(timestamptz '2026-01-01 00:00:00.031'), q(timestamptz '2026-01-03 05:00'), q(timestamptz '2025-12-20'), '$1', q(timestamptz '2026-01-01 00:00:00.0305'));
}

sub condition
{
	my ($depth) = @_;
	my $op = one(qw(< <= >= >));

	return '(' . condition($depth - 1) . one(' AND ', ' OR ') . condition($depth - 1) . ')' if $depth > 0;
	return one(
		"C $op " . instant(), "C $op " . instant(), 'C IS NOT NULL', 'C IS NULL', 'x.a = 3', 'x.a IN (1, 4)', 'x.b = 2', 'x.b IN (0, 3)', 'x.a < 5', 'x.a < 3', 'x.a > 2',
		'C BETWEEN ' . instant() . ' AND ' . instant(), "(C, x.n) $op (" . instant() . ', 500)', '(' . instant() . ", 500) $op (C, x.n)", 'C = ' . instant(),
		"C IN (timestamptz '2026-01-01', '2026-01-01 00:00:00.031', '2026-01-02 03:00')", '(C IS NOT NULL) = (x.a > 3)', 'coalesce(C, ' . instant() . ") $op " . instant(),
		"NOT (C $op " . instant() . ')', 'x.id IS NOT NULL', "(C > " . instant() . ') IS NOT TRUE', "(C $op " . instant() . ') IS DISTINCT FROM (x.b = 1)');
}

sub where
{
	return '' if rand() < 0.35;
	return 'WHERE ' . condition(rand() < 0.3 ? 1 : 0) . (rand() < 0.3 ? ' AND ' . condition(0) : '');
}

sub limit
{
	return '' if rand() < 0.35;
	return ' LIMIT ' . one(1, 3, 20, 200) . (rand() < 0.2 ? ' OFFSET ' . one(1, 7, 100) : '');
}

# A query with columns k, the keys, and r, what is determined.
sub query
{
	my $x = one(@names);
	my $y = one(@names);
	my @keys = keys_of();
	my $k = sub { return 'row(' . join(', ', @_) . ')::text AS k' };
	my $where = where();
	my $agg = one('count(*)', 'sum(x.n)', 'count(DISTINCT x.a)');

	return one(
		(sub {
			my $limit = limit();
			my $r = $limit && !grep { $_ eq 'x.n' } @keys;

			return "SELECT ${\$k->(@keys)}, ${\($r ? q('') : 'x.n')} AS r FROM $x AS x $where ${\order(@keys)}$limit";
		}) x 6,
		sub { return "SELECT ${\$k->(@keys)}, x.n AS r FROM $x AS x $where ${\order(@keys)} FETCH FIRST ${\one(1, 5, 50)} ROWS WITH TIES" },
		sub { return "SELECT DISTINCT ${\$k->('C')}, '' AS r, C AS c FROM $x AS x $where ${\order('C')}${\limit()}" },
		sub { my $d = direction(); return "SELECT DISTINCT ON (C) ${\$k->('C', 'x.n')}, x.n AS r FROM $x AS x $where ORDER BY C$d, x.n${\limit()}" },
		sub { return "SELECT ${\$k->('C', $agg)}, '' AS r FROM $x AS x $where GROUP BY C ${\order('C')}${\limit()}" },
		sub { return "SELECT '' AS k, row(C, x.a, $agg)::text AS r FROM $x AS x $where GROUP BY C, x.a" },
		sub {
			my $w = one('rank() OVER w', 'dense_rank() OVER w', 'count(*) OVER w', 'first_value(C) OVER w', q(sum(x.n) OVER (w RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW)));
			my $window = one('', 'PARTITION BY x.a ', 'PARTITION BY x.b ') . 'ORDER BY C' . direction();

			return "SELECT '' AS k, row(x.n, $w)::text AS r FROM $x AS x $where WINDOW w AS ($window)";
		},
		sub { return "SELECT ${\$k->('min(C)', 'max(C)')}, '' AS r FROM $x AS x $where" },
		sub { return "SELECT ${\$k->(one('min', 'max') . '(C)')}, '' AS r FROM $x AS x $where" },
		sub {
			my $join = one('JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN');

			return "SELECT ${\$k->('C')}, row(x.n, y.n) AS r FROM $x AS x $join $y AS y ON C = D " . ($join eq 'FULL JOIN' ? '' : 'AND y.a < 4 ') . "$where ${\order('C')}";
		},
		sub { return "SELECT ${\$k->('C', 'D')}, '' AS r FROM $x AS x JOIN $y AS y ON x.n = y.n $where ${\order('C', 'D')}${\limit()}" },
		sub { return "SELECT ${\$k->('C', 'D')}, row(x.n, y.n) AS r FROM $x AS x LEFT JOIN $y AS y ON x.n = y.n AND C >= D $where ${\order('D', 'x.n')}" },
		sub { return "SELECT ${\$k->('l.a', 'l.c', 'l.n')}, '' AS r FROM generate_series(0, 9) AS g, LATERAL (SELECT x.a, x.n, C AS c FROM $x AS x WHERE x.a = g ${\order('C', 'x.n')} LIMIT 3) AS l ORDER BY g" },
		sub { return "SELECT ${\$k->('C')}, x.n AS r FROM $x AS x WHERE C IN (SELECT D FROM $y AS y WHERE y.a = 2) ${\order('C')}" },
	)->();
}

# The query by one of the two times, and with what psql makes of it.
sub statement
{
	my ($query, $column, $form) = @_;
	my $sql = $query =~ s/\bC\b/x.$column/gr =~ s/\bD\b/y.$column/gr;

	if ($form eq 'generic')
	{
		return "PREPARE q (timestamptz) AS SELECT count(*), md5(string_agg(k, '|')), sum(hashtextextended(r::text, 0)) FROM ($sql) AS q;\nEXECUTE q ('2026-01-01 00:00:00.020');\nDEALLOCATE q;\n";
	}
	$sql =~ s/\$1/timestamptz '2026-01-01 00:00:00.020'/g;
	return "BEGIN;\nDECLARE c SCROLL CURSOR FOR $sql;\nMOVE 30 IN c;\nMOVE BACKWARD 12 IN c;\nFETCH 5 FROM c;\nFETCH LAST FROM c;\nFETCH RELATIVE -3 FROM c;\nCOMMIT;\n"
	  if $form eq 'cursor';
	return "SELECT count(*), md5(string_agg(k, '|')), sum(hashtextextended(r::text, 0)) FROM ($sql) AS q;\n";
}

my @settings = qw(enable_seqscan enable_sort enable_hashagg enable_hashjoin enable_nestloop enable_mergejoin enable_bitmapscan enable_incremental_sort enable_indexonlyscan enable_material enable_memoize);
# A Gather that a nested loop repeats for each row starts workers each time, so it is not free.
my $parallel = 'SET parallel_setup_cost = 15; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET min_parallel_index_scan_size = 0; SET max_parallel_workers_per_gather = 2;';

# ---------- run ----------

my @different;
my %counted = (by_index => 0, planned => 0);
my $asked = 0;

while ($asked < QUERIES && @different < 3)
{
	my $set = join(' ', map { rand() < 0.25 ? "SET $_ = off;" : () } @settings) . (rand() < 0.2 ? $parallel : 'SET max_parallel_workers_per_gather = 0;') . one('', 'SET geqo_threshold = 2;') .
	  one('', 'SET random_page_cost = 1.0;') . one('', 'SET plan_cache_mode = force_generic_plan;');
	my $script = "SET statement_timeout = '120s';\n$set\n";
	my @queries;

	foreach my $i (1 .. BATCH)
	{
		my $query = query();
		# what a cursor passes is determined only if every row's place is
		my $form = $query =~ /ORDER BY.*\bx\.n\b[^()]*$/ && $query !~ /DISTINCT|JOIN|GROUP|LATERAL/ ? one('plain', 'cursor') : $query =~ /\$1/ ? one('plain', 'generic') : 'plain';

		push @queries, [ $query, $form ];
		$script .= "\\echo '#'\n" . statement($query, 'created_at', $form) . "\\echo '='\n" . statement($query, 'ts', $form);
		next if $i % 10 > 0;
		# is the index used?
		my $plain = statement($query, 'created_at', 'plain');
		$script .= "\\echo '+'\nEXPLAIN (COSTS OFF) $plain\\echo '-'\nSET flakeid.order_by_time = off;\nEXPLAIN (COSTS OFF) ${plain}RESET flakeid.order_by_time;\n";
	}
	my ($status, $out, $err) = $node->psql('postgres', $script, on_error_stop => 0);

	is($err, '', 'no error') or diag($script) and last;
	my @answers = split /^#\n/m, $out . "\n";
	shift @answers;
	foreach my $i (0 .. $#queries)
	{
		my ($answer, $plans) = split /^\+\n/m, $answers[$i];
		my ($by_index, $sorted) = split /^=\n/m, $answer;

		push @different, "$set\n$queries[$i][1]: $queries[$i][0]\nby created_at:\n$by_index\nby ts:\n$sorted" if $by_index ne $sorted;
		next if !defined $plans;
		my ($on, $off) = split /^-\n/m, $plans;
		$counted{planned}++;
		$counted{by_index}++ if $on ne $off;
	}
	$asked += @queries;
}
is(join("\n\n", @different), '', "$asked queries return the same");
note("$counted{by_index} of $counted{planned} plans use the order of the index");
cmp_ok($counted{by_index} * 5, '>', $counted{planned}, 'an index gives the order in many of them');

# ---------- another extension's hook ----------

# One that leaves a single path, because not all rows are in the table and its indexes, has the
# last word, whichever library is loaded first.
my $source = $node->basedir . '/only_path.c';

append_to_file($source, <<'END');
#include "postgres.h"
#include "fmgr.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
PG_MODULE_MAGIC;
static set_rel_pathlist_hook_type next;
static void
only_path(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	if (next != NULL)
		next(root, rel, rti, rte);
	rel->pathlist = rel->partial_pathlist = NIL;
	add_path(rel, create_seqscan_path(root, rel, NULL, 0));
}
void		_PG_init(void);
void
_PG_init(void)
{
	next = set_rel_pathlist_hook;
	set_rel_pathlist_hook = only_path;
}
END
SKIP:
{
	my $library = build_library($node, 'only_path', $source) or skip('no compiler or headers', 3);
	my $plan = 'EXPLAIN (COSTS OFF) SELECT * FROM number ORDER BY created_at LIMIT 3';

	like($node->safe_psql('postgres', "SELECT sno_min(now()); $plan"), qr/Index Scan using/, 'alone: by the index');
	like($node->safe_psql('postgres', "LOAD '$library'; $plan"), qr/Sort.*Seq Scan/s, 'loaded before flakeid, it leaves its path');
	like($node->safe_psql('postgres', "SELECT sno_min(now()); LOAD '$library'; $plan"), qr/Sort.*Seq Scan/s, 'and after it, too');
}

$node->stop;
done_testing();
