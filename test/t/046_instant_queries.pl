# Random queries from all parts that a query can have, over views that restore created_at.
# With created_at as the time of an ID, so that conditions are changed, they return the same
# rows as with an expression that nobody knows, where core compares the instants; also if a
# sub-SELECT answers differently each time, and if a column has UUIDs of several versions.
#
# FLAKEID_QUERIES sets their number (1500), FLAKEID_SEED repeats a run.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant QUERIES => $ENV{FLAKEID_QUERIES} || whole_or_short(1500, 400);

my $seed = $ENV{FLAKEID_SEED} // int(rand(1_000_000_000));
note("FLAKEID_SEED=$seed");
srand($seed);

# The kinds of columns, and the expression for each one's time.
my %instant = (
	uuid7 => 'uuid7_timestamp(id)',
	mastodon => q(layout_timestamp(id, 'mastodon')),
	mixed => 'layout_timestamp(id, layout)',
	own => q(layout_timestamp(id, '2020-01-01Z', 22)),
	own_mixed => 'layout_timestamp(id, epoch, low_bits, unit)',
	parts => q(layout_timestamp(id, 'discord')),
	ulid_text => 'ulid_timestamp(id)',
	ulid_icu => 'ulid_timestamp(id)',
	ulid_domain => 'ulid_timestamp(id)',
	uuid7_domain => 'uuid7_timestamp(id)',
	ulid_uuid => 'ulid_timestamp(id)',
	ulid_bytea => 'ulid_timestamp(id)',
	sno => 'sno_timestamp(id)',
	ulid => 'ulid_timestamp(id)',
	uuid => 'uuid7_timestamp(id)',  # with UUIDs of other versions, too
);

my $node = new_server('queries', server => [ "timezone = 'UTC'" ]);

# core's function, with proof that it is of version 7 only, with one that leaves NULL, and without
$instant{$_} = 'uuid_extract_timestamp(id)' foreach $node->pg_version->major >= 18 ? qw(core core_null core_mixed) : ();
my @kinds = sort keys %instant;

$node->safe_psql('postgres', <<'END');
CREATE TABLE time AS SELECT n::int, n::int % 3 AS g, t FROM unnest('{1960-01-01,1970-01-01,"1970-01-01 00:00:00.001",2014-12-31,2015-01-01,
	2026-01-01,"2026-01-01 00:00:00.001",2026-01-02,"2026-01-02 12:00",2026-01-03,2026-02-01,2030-05-05,9999-12-31,NULL}'::timestamptz[])
	WITH ORDINALITY AS v (t, n);
INSERT INTO time SELECT n + 100, g, t FROM time WHERE n % 2 = 0;
CREATE TABLE of_uuid7 AS SELECT n, g, uuid7_min(t) AS id FROM time;
CREATE TABLE of_mastodon AS SELECT n, g, layout_min(least(t, '4000-01-01'), 'mastodon') + n AS id FROM time;
INSERT INTO of_mastodon VALUES (50, 0, -9223372036854775808), (51, 1, 9223372036854775807), (52, 2, -1);
CREATE TABLE of_mixed AS SELECT n, g, layout, layout_min(t, layout) AS id FROM time,
	LATERAL (SELECT CASE g WHEN 0 THEN 'twitter' WHEN 1 THEN 'sonyflake' END AS layout) AS l;
CREATE TABLE of_own AS SELECT n, g, layout_min(least(t, '2089-01-01'), '2020-01-01Z', 22) + n AS id FROM time;
INSERT INTO of_own VALUES (50, 0, -9223372036854775808), (51, 1, 9223372036854775807), (52, 2, -1);
CREATE TABLE of_own_mixed AS SELECT n, g, l.*, layout_max(t, epoch, low_bits, unit) AS id FROM time,
	LATERAL (SELECT CASE g WHEN 0 THEN '2020-01-01Z' WHEN 1 THEN '1970-01-01Z' END::timestamptz AS epoch, 4 + 6 * g AS low_bits,
		CASE g WHEN 2 THEN NULL ELSE interval '1 ms' END AS unit) AS l;
CREATE TABLE of_parts (n int, g int, id bigint) PARTITION BY RANGE (id);
CREATE TABLE of_parts_1 PARTITION OF of_parts FOR VALUES FROM (MINVALUE) TO (0);
CREATE TABLE of_parts_2 PARTITION OF of_parts FOR VALUES FROM (0) TO (layout_min('2026-01-02', 'discord'));
CREATE TABLE of_parts_3 PARTITION OF of_parts DEFAULT;
INSERT INTO of_parts SELECT n, g, layout_max(t, 'discord') FROM time;
CREATE TABLE of_ulid_text AS SELECT n, g, ulid_text_max(t) COLLATE "C" AS id FROM time WHERE t IS NULL OR t >= '1970-01-01';
SELECT collname AS other FROM pg_collation
	WHERE collprovider IN ('c', 'i') AND collname NOT IN ('C', 'POSIX', 'ucs_basic') AND collencoding IN (-1, pg_char_to_encoding('UTF8'))
	ORDER BY collname <> 'und-x-icu', collname LIMIT 1 \gset
CREATE TABLE of_ulid_icu AS SELECT n, g, id COLLATE :"other" AS id FROM of_ulid_text;
CREATE DOMAIN text_id AS text COLLATE "C";
CREATE DOMAIN uuid_id AS uuid;
CREATE TABLE of_ulid_domain AS SELECT n, g, id::text_id FROM of_ulid_text;
CREATE TABLE of_uuid7_domain AS SELECT n, g, id::uuid_id FROM of_uuid7;
CREATE TABLE of_ulid_uuid AS SELECT n, g, ulid_uuid_min(t) AS id FROM time;
INSERT INTO of_ulid_uuid VALUES (50, 0, '00000000-0000-0000-0000-000000000000'), (51, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
CREATE TABLE of_ulid_bytea AS SELECT n, g, uuid_send(id) AS id FROM of_ulid_uuid;
CREATE TABLE of_sno AS SELECT n, g, sno_min(t) AS id FROM time;
CREATE TABLE of_ulid AS SELECT n, g, ulid_max(t) AS id FROM time;
CREATE TABLE of_uuid AS SELECT n, g, CASE WHEN g = 0 THEN overlay(id::text PLACING '4' FROM 15)::uuid ELSE id END AS id FROM of_uuid7;
CREATE TABLE of_core AS SELECT * FROM of_uuid7 WHERE id IS NOT NULL;
CREATE TABLE of_core_null AS SELECT n, g, CASE WHEN n % 4 > 0 THEN id END AS id FROM of_uuid7;
CREATE TABLE of_core_mixed AS SELECT n, g, CASE WHEN n < 100 THEN overlay(overlay(id::text PLACING to_hex(1 + n % 8) FROM 15) PLACING to_hex(n * 3 % 16) FROM 20)::uuid ELSE id END AS id FROM of_uuid7;
INSERT INTO of_core_mixed SELECT n, g, id FROM of_ulid_uuid WHERE n IN (50, 51);
CREATE INDEX ON of_uuid7 (id);
CREATE INDEX ON of_mastodon (id);
CREATE INDEX ON of_mastodon (n) WHERE layout_timestamp(id, 'mastodon') >= '2026-01-01';
CREATE INDEX ON of_own (id);
CREATE INDEX ON of_own (n) WHERE layout_timestamp(id, '2020-01-01Z', low_bits => 22) >= '2026-01-01';
CREATE INDEX ON of_parts (id);
CREATE INDEX ON of_ulid_text (id);
CREATE INDEX ON of_ulid_bytea (id);
CREATE INDEX ON of_ulid_domain (id);
CREATE INDEX ON of_uuid7_domain (id);
CREATE INDEX ON of_sno (id);
CREATE INDEX ON of_ulid (id);
CREATE INDEX ON of_uuid (id);
ANALYZE;
CREATE SCHEMA rewritten;
CREATE SCHEMA plain;
-- The planner substitutes the expressions of these functions for their calls.
CREATE FUNCTION rewritten.is_since(timestamptz, timestamptz) RETURNS boolean LANGUAGE sql STABLE RETURN $1 >= $2;
CREATE FUNCTION plain.is_since(timestamptz, timestamptz) RETURNS boolean LANGUAGE sql STABLE RETURN $1 >= $2;

-- A range that is another one each time it is asked for, as of a sub-SELECT with TABLESAMPLE or SKIP LOCKED,
-- which have no volatile functions either.  Both forms of a query get the same ones.
CREATE FUNCTION next_range(place int) RETURNS tstzrange LANGUAGE plpgsql STABLE AS $$
DECLARE
	asked text := format('asked.%s_%s', current_setting('asked.home'), place);
	times int := coalesce(nullif(current_setting(asked, true), ''), '0')::int + place;
BEGIN
	PERFORM set_config(asked, (times + 1)::text, true);
	RETURN ('{"[1970-01-01,2015-01-01]","[2026-01-01,2026-01-01 00:00:00.001]","[2026-01-02,2026-01-02 12:00]","(2026-01-03,)"}'::tstzrange[])[1 + times % 4];
END $$;

-- The rows of a query, or how it fails.
CREATE FUNCTION answer(home text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	PERFORM set_config('search_path', home || ', public', true), set_config('asked.home', home, true);
	EXECUTE format('PREPARE asked (timestamptz, date, timestamp, tstzrange, tstzmultirange) AS SELECT string_agg(q::text, '' '' ORDER BY q::text) FROM (%s) AS q', query);
	EXECUTE $q$EXECUTE asked ('2026-01-02', '2026-01-02', '2026-01-02 12:00', '[2026-01-01,2026-01-03)', '{[1970-01-01,2020-01-01),[2026-01-01,2026-02-01]}')$q$
		INTO answer;
	DEALLOCATE asked;
	RETURN coalesce(answer, '');
EXCEPTION WHEN OTHERS THEN
	IF EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'asked') THEN
		DEALLOCATE asked;
	END IF;
	RETURN 'error ' || SQLSTATE || ' ' || SQLERRM;
END $$;
END
$node->safe_psql('postgres', <<'END') if $instant{core};
ALTER TABLE of_core ADD CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7);
ALTER TABLE of_core_null ADD CHECK (uuid_extract_version(id) = 7);
CREATE INDEX ON of_core (id);
CREATE INDEX ON of_core_null (id);
CREATE INDEX ON of_core_mixed (id);
END
foreach my $kind (@kinds)
{
	foreach my $schema ([ 'rewritten', $instant{$kind} ], [ 'plain', "greatest($instant{$kind}, NULL)" ])
	{
		my ($home, $instant) = @$schema;

		$node->safe_psql('postgres', "CREATE VIEW $home.$kind AS SELECT n, g, $instant AS created_at FROM public.of_$kind;
			CREATE VIEW $home.${kind}_barrier WITH (security_barrier) AS SELECT n, g, $instant AS created_at FROM public.of_$kind WHERE g < 2");
	}
}

# ---------- queries ----------

sub one
{
	return $_[ rand @_ ];
}

# An expression to compare an instant with.
sub point
{
	return one(
		q(timestamptz '2026-01-02'), q('2026-01-01 00:00:00.001'), q(timestamptz '2026-01-01 00:00:00.0005'), q(date '2026-01-02'), q(timestamp '2026-01-02 12:00'),
		q('-infinity'), q('infinity'), q(timestamptz '1970-01-01'), q(date '5874897-12-31'), q(timestamp '294276-12-31'), q('4713-01-01 BC'), 'NULL::timestamptz',
		q((text '2026-01-02')::timestamptz), q(timestamptz '2026-01-01' + interval '1 day'), 'now()', '$1', '$2', '$3', q($1 - interval '1 day'), q(date '1970-01-01'));
}

sub range
{
	my ($other) = @_;
	my $place = int(rand(1_000_000));

	return one("(SELECT next_range($place))", "(SELECT next_range($place)::tstzmultirange)", q!'[2026-01-01,2026-01-02]'::tstzrange!, q!'(,2026-01-02)'::tstzrange!, q!'empty'::tstzrange!, q!'(,)'::tstzrange!, q!tstzrange('2026-01-01', now())!,
		'$4', '$5', q!'{[1970-01-01,1970-01-02),(2026-01-01,)}'::tstzmultirange!, q!'{}'::tstzmultirange!, q!tstzrange($1, NULL)!, q!'(-infinity,infinity)'::tstzrange!,
		"(ARRAY[tstzrange('2026-01-01', '2026-01-02'), 'empty', NULL])[$other.g + 1]", "tstzrange($other.created_at, NULL)", "tstzmultirange(tstzrange($other.created_at, NULL, '(]'))");
}

# A condition on the instant $at and the number $n; it may also use the aliases $outer.
sub condition
{
	my ($a, $depth, @outer) = @_;
	my $at = "$a.created_at";
	my $op = one(qw(< <= >= >));
	my $other = one(@outer, $a);

	return one("$at $op " . point(), point() . " $op $at", "$at BETWEEN " . point() . ' AND ' . point(), "($at <@ " . range($other) . ')', "$at $op $other.created_at",
		"$at $op ANY (ARRAY[timestamptz '2026-01-01', '2026-01-03'])", "$at IS NOT NULL", "$a.n < " . int(rand(20)), "$at = " . point(),
		"($at, $a.n) $op (timestamptz '2026-01-02', 8)")
	  if $depth <= 0;

	my $c = sub { return condition($a, $depth - 1, @outer) };
	my $inner = 'i' . int(rand(1_000_000));

	return one(
		sub { return '(' . $c->() . ' AND ' . $c->() . ')' },
		sub { return '(' . $c->() . ' OR ' . $c->() . ')' },
		sub { return 'NOT (' . $c->() . ')' },
		sub { return '(' . $c->() . ') IS ' . one('NULL', 'NOT NULL', 'TRUE', 'NOT TRUE', 'FALSE', 'NOT FALSE', 'UNKNOWN', 'NOT UNKNOWN') },
		sub { return 'CASE WHEN ' . $c->() . ' THEN ' . $c->() . ' ELSE ' . $c->() . ' END' },
		sub { return 'coalesce(' . $c->() . ', ' . one('true', 'false') . ')' },
		sub { return '(' . $c->() . ') ' . one('=', '<>', 'IS DISTINCT FROM') . ' (' . $c->() . ')' },
		sub { return one('', 'NOT ') . "is_since($at, " . one(q('2026-01-02'), '$1', 'now()') . ')' },
		sub { return "EXISTS (SELECT FROM " . relation($depth - 1, $a, @outer) . " AS $inner WHERE " . condition($inner, 0, $a, @outer) . ')' },
		sub { return "$a.n IN (SELECT $inner.n FROM " . relation($depth - 1) . " AS $inner WHERE " . condition($inner, 0, $a, @outer) . ')' },
		sub { return "$at $op (SELECT max($inner.created_at) FROM " . relation($depth - 1) . " AS $inner WHERE " . condition($inner, 0, $a, @outer) . ')' },
		sub { return "$at " . one("$op ANY", "$op ALL", q(<> ALL)) . " (SELECT $inner.created_at FROM " . relation($depth - 1) . " AS $inner)" },
		sub { return "coalesce($at, " . one(q(timestamptz '2026-01-02'), '$1', 'now()') . ") $op " . point() },
		$c, $c, $c)->();
}

# A condition that only filters rows: it matters only whether it is true.
sub filter
{
	my ($a, $depth, $other) = @_;
	my $op = one(qw(< <= >= >));

	return '(' . filter($a, $depth - 1, $other) . one(' AND ', ' OR ') . filter($a, $depth - 1, $other) . ')' if $depth > 0;
	return one("$a.created_at $op " . point(), point() . " $op $a.created_at", "$a.created_at BETWEEN " . point() . ' AND ' . point(),
		"($a.created_at <@ " . range($other) . ')', "$a.created_at $op $other.created_at", "$a.n % 5 = 1");
}

# The end of a subquery that has this condition in a column.  The planner substitutes a
# column's expression wherever the column is used, so a sub-SELECT in it runs as often, in
# any order.  Core does this, not flakeid, and the two forms of a query may do it differently
# often.
sub asked_once
{
	return $_[0] =~ /next_range/ ? ' OFFSET 0' : '';
}

sub values_of
{
	my ($a, @outer) = @_;

	return join(', ', map { '(' . condition($a, int(rand(2)), @outer) . ") AS c$_" } 1 .. 1 + rand 3);
}

# A FROM item with the columns n, g and created_at; a LATERAL one uses columns of @outer.
sub relation
{
	my ($depth, @outer) = @_;
	my $kind = one(@kinds);
	my ($x, $y) = map { $_ . int(rand(1_000_000)) } 'x', 'y';

	return one($kind, $kind, "${kind}_barrier") if $depth <= 0;

	my $of = sub { return relation($depth - 1, @_) };

	return '(' . one(
		sub { return "SELECT * FROM ${\$of->()} AS $x WHERE ${\condition($x, 1, @outer)}" },
		sub { return "SELECT * FROM ${\$of->()} AS $x OFFSET 0" },
		sub { return "SELECT n, g, created_at FROM ${\$of->()} AS $x UNION ALL SELECT n, g, created_at FROM ${\$of->()} AS $y" },
		sub { return "SELECT n, g, created_at FROM ${\$of->()} AS $x ${\one('UNION', 'EXCEPT', 'INTERSECT')} SELECT n, g, created_at FROM ${\$of->()} AS $y" },
		sub { return "SELECT DISTINCT 1 AS n, g, created_at FROM ${\$of->()} AS $x" },
		sub { return "SELECT DISTINCT ON (created_at) n, g, created_at FROM ${\$of->()} AS $x ORDER BY created_at, n, g" },
		sub { return "SELECT count(*)::int AS n, g, created_at FROM ${\$of->()} AS $x GROUP BY g, created_at HAVING ${\condition($x, 0) =~ s/\b$x\.n\b/count(*)/gr}" },
		sub { return "SELECT count(*)::int AS n, g, created_at FROM ${\$of->()} AS $x GROUP BY ${\one('ROLLUP', 'CUBE', 'GROUPING SETS')} (g, created_at) HAVING ${\condition($x, 0) =~ s/\b$x\.n\b/count(*)/gr}" },
		sub { return "SELECT count(*)::int AS n, g, max(created_at) AS created_at FROM ${\$of->()} AS $x GROUP BY ROLLUP (g) HAVING max(created_at) > ${\point()}" },
		sub { return "SELECT row_number() OVER (PARTITION BY g ORDER BY created_at, n)::int AS n, g, created_at FROM ${\$of->()} AS $x" },
		sub { return "SELECT n, count(*) OVER (ORDER BY created_at RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW)::int AS g, created_at FROM ${\$of->()} AS $x" },
		sub { return "SELECT n, g, lag(created_at) OVER (ORDER BY created_at, n, g) AS created_at FROM ${\$of->()} AS $x" },
		sub { return "WITH $y AS ${\one('', 'MATERIALIZED', 'NOT MATERIALIZED')} (SELECT * FROM ${\$of->()} AS $x) SELECT * FROM $y WHERE ${\condition($y, 1, @outer)}" },
		(map { my $join = $_; sub { return "SELECT $x.n, $y.g, ${\one($x, $y)}.created_at FROM ${\$of->()} AS $x $join JOIN ${\$of->()} AS $y ON $x.n = $y.n AND ${\condition(one($x, $y), 0, $x, $y)}" } } qw(INNER LEFT RIGHT FULL)),
		sub { return "SELECT $x.n, $y.g, $y.created_at FROM ${\$of->()} AS $x LEFT JOIN ${\$of->()} AS $y USING (n) WHERE ${\condition($y, 1, $x, @outer)}" },
		sub { return "SELECT $x.n, $y.g, $y.created_at FROM ${\$of->()} AS $x ${\one('LEFT', 'INNER')} JOIN LATERAL (SELECT g, $x.created_at FROM ${\$of->($x)} AS z WHERE z.n = $x.n) AS $y ON ${\condition($y, 0, $x)}" },
		sub { return "SELECT $x.n, $x.g, $y.created_at FROM ${\$of->()} AS $x LEFT JOIN LATERAL (SELECT $x.created_at) AS $y ON $x.g = 1" },
		sub { my $when = condition($x, 0); return "SELECT n, g, CASE WHEN $when THEN created_at END AS created_at FROM ${\$of->()} AS $x" . asked_once($when) },
		sub { return "SELECT n, g, created_at FROM ${\$of->()} AS $x UNION ALL VALUES (1, 2, timestamptz '2026-01-02')" },
		(@outer ? sub { return "SELECT n, g, ${\one(@outer)}.created_at FROM ${\$of->()} AS $x" } : ()),
	)->() . ')';
}

sub query
{
	my $r = 'r';
	my $relation = relation(1 + int(rand(3)));

	return one(
		sub { return "SELECT r.n, s.n AS m, s.created_at FROM $relation AS r ${\one('JOIN', 'LEFT JOIN')} uuid AS s ON ${\filter('s', 1, $r)} AND (s.n = r.n OR ${\filter('s', 0, $r)}) WHERE ${\filter($r, 1, 's')}" },
		sub { return "SELECT n, created_at FROM ${\one('uuid', 'uuid_barrier', '(SELECT * FROM uuid UNION ALL SELECT * FROM uuid7)')} AS r WHERE ${\filter($r, 2, $r)}" },
		sub { return "SELECT * FROM $relation AS r WHERE ${\condition($r, 2)}" },
		sub { return "SELECT *, ${\values_of($r)} FROM $relation AS r" },
		sub {
			my @queries = map {
				my $c = condition($_, int(rand(2)));
				"(SELECT n, g, created_at, $c AS c FROM ${\relation(int(rand(2)))} AS $_" . asked_once($c) . ')'
			} 'x', 'y';

			return "SELECT * FROM ($queries[0] UNION ALL $queries[1]) AS r WHERE ${\one('c', 'NOT c', 'c IS NOT TRUE', 'coalesce(c, true)')} ${\one('AND', 'OR')} ${\condition($r, 1)}";
		},
		sub { return "SELECT count(*) FILTER (WHERE ${\condition($r, 1)}), bool_or(${\condition($r, 1)}) FROM $relation AS r WHERE ${\condition($r, 1)}" },
		sub { return "SELECT count(*), (${\condition($r, 1)}) AS c FROM $relation AS r GROUP BY 2" },
		sub { return "SELECT r.n, s.n AS m FROM $relation AS r ${\one('JOIN', 'LEFT JOIN')} ${\relation(1)} AS s ON ${\condition($r, 1, 's')} WHERE ${\condition('s', 1, $r)}" },
		sub { return "SELECT DISTINCT created_at FROM $relation AS r WHERE ${\condition($r, 1)} ORDER BY created_at DESC" },
	)->();
}

# ---------- run ----------

my (@different, %counted);
my $asked = 0;
my $batch = 0;

while ($asked < QUERIES && @different < 5)
{
	# the first batch uses the genetic query optimizer; the second, a short one, compiles every expression
	my $compiled = $batch == 1;
	my @queries = map { query() } 1 .. ($compiled ? 20 : 100);
	my $script = $compiled ? 'SET jit = on; SET jit_above_cost = 0; SET jit_optimize_above_cost = -1; SET jit_inline_above_cost = -1;' : '';

	$script .= $batch++ == 0 ? 'SET geqo_threshold = 2;' : one('', 'SET geqo_threshold = 2;');
	$script .= one('', 'SET plan_cache_mode = force_generic_plan;') . one('', 'SET enable_hashagg = off;') . one('', 'SET enable_seqscan = off;')
	  . one('', 'SET enable_nestloop = off;') . one('', 'SET join_collapse_limit = 1;');

	foreach my $query (@queries)
	{
		$script .= "SELECT '|', CASE WHEN r = p THEN CASE WHEN r ~ '^error' THEN left(r, 11) ELSE 'same' END ELSE format(E'rewritten: %s\\nplain:     %s', r, p) END
			FROM (SELECT answer('rewritten', \$query\$$query\$query\$) AS r, answer('plain', \$query\$$query\$query\$) AS p OFFSET 0) AS a;\n";
	}
	my ($status, $out, $err) = $node->psql('postgres', "SET statement_timeout = '60s'; $script");

	is($status, 0, 'the server answered') or diag("$err\n", $node->logfile) and last;
	my @answers = split /^\|\|/m, $out =~ s/^\s*\|\|//r;
	foreach my $i (0 .. $#queries)
	{
		my $answer = $answers[$i] // '';

		chomp $answer;
		$counted{ $answer =~ /^(same|error \w+)/ ? $1 : 'different' }++;
		push @different, "$script" =~ s/^((?:SET [^;]*;)*).*/$1/sr . "\n$queries[$i]\n$answer" unless $answer =~ /^(?:same|error \w+)$/;
	}
	$asked += @queries;
}
is(join("\n\n", @different), '', "$asked queries find the same rows");
note(join(', ', map { "$_: $counted{$_}" } sort keys %counted));
cmp_ok($counted{same} // 0, '>', $asked / 2, 'most of them have an answer');

$node->stop;
done_testing();
