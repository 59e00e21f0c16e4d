# Expressions without IDs mean the same with the extension as without it: its operators
# on timestamptz, date and ranges are candidates when the parser resolves an operator, and
# it must still choose core's.  What is an error without it is the same error with it.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('expressions', extension => 0, server => [ "timezone = 'America/New_York'" ]);
my @databases = qw(without with_types);

$node->safe_psql('postgres', "CREATE DATABASE $_") foreach @databases;
$node->safe_psql('with_types', 'CREATE EXTENSION flakeid');

# The whole answer or error, without the OIDs of objects created in between.
sub answer
{
	my ($database, $sql) = @_;
	my ($status, $out, $err) = $node->psql($database, $sql, extra_params => [ '-v', 'VERBOSITY=verbose' ]);

	$err =~ s/^LOCATION:.*\n?//mg;
	return "$out\n$err";
}

# The operators and functions that the parser chooses, and their types.
sub meaning
{
	my ($database, $sql) = @_;
	my ($status, $out, $err) = $node->psql($database, <<"END");
BEGIN;
CREATE TEMP VIEW v AS $sql;
SELECT regexp_replace(pg_get_viewdef('v'), '\\s+', ' ', 'g'), array_agg(DISTINCT d ORDER BY d)
FROM pg_rewrite JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid, LATERAL pg_describe_object(refclassid, refobjid, 0) AS d
WHERE ev_class = 'v'::regclass AND refclassid <> 'pg_class'::regclass;
SELECT array_agg(format('%s %s', attname, atttypid::regtype)) FROM pg_attribute WHERE attrelid = 'v'::regclass;
ROLLBACK;
END
	return "$out\n" . ($err =~ s/^psql:<stdin>:\d+: //mgr);
}

my (@different, $n);

while (my $sql = <DATA>)
{
	next if $sql =~ /^(?:#|\s*$)/;
	chomp $sql;
	$n++;

	# the type of a parameter declared without one is reported to the client
	my $prepared = $sql =~ /\$1/;
	my $asked = $prepared ? "PREPARE asked AS $sql; SELECT parameter_types, result FROM (SELECT parameter_types, NULL AS result FROM pg_prepared_statements) AS p" : $sql;

	push @different, $sql
	  if answer($databases[0], $asked) ne answer($databases[1], $asked)
	  || (!$prepared && meaning($databases[0], $sql) ne meaning($databases[1], $sql));
}
is(join("\n", @different), '', "$n expressions mean the same");
cmp_ok($n, '>', 100, 'there were expressions');

# The test can fail: the extension's own expressions do not mean the same.
isnt(answer($databases[0], q(SELECT sno_timestamp('2222222222222222'))), answer($databases[1], q(SELECT sno_timestamp('2222222222222222'))), 'a difference is noticed');

$node->stop;
done_testing();

__DATA__
# comparisons of instants, dates and timestamps, as literals and parameters
SELECT timestamptz '2026-03-01' < timestamptz '2026-03-02'
SELECT timestamptz '2026-03-01' < '2026-03-02'
SELECT '2026-03-01' <= timestamptz '2026-03-02'
SELECT '2026-03-01' < '2026-03-02'
SELECT '2026-03-01' >= NULL
SELECT NULL < NULL
SELECT NULL > timestamptz '2026-03-01'
SELECT timestamptz '2026-03-01' < date '2026-03-02'
SELECT date '2026-03-01' > timestamptz '2026-03-02'
SELECT date '2026-03-01' < '2026-03-02'
SELECT '2026-03-01' < date '2026-03-02'
SELECT date '2026-03-01' <= date '2026-03-02'
SELECT date '2026-03-01' <= timestamp '2026-03-02'
SELECT timestamp '2026-03-01' >= timestamptz '2026-03-02'
SELECT timestamp '2026-03-01' > timestamp '2026-03-02'
SELECT timestamp '2026-03-01' > '2026-03-02 12:00'
SELECT timestamptz '2026-03-01' >= 'nonsense'
SELECT timestamptz '2026-03-01' < text '2026-03-02'
SELECT timestamptz '2026-03-01' < varchar '2026-03-02'
SELECT timestamptz '2026-03-01' < time '12:00'
SELECT time '11:00' < '12:00'
SELECT timestamptz '2026-03-01' < interval '1 day'
SELECT interval '1 day' < '2 days'
SELECT timestamptz 'infinity' > date 'infinity'
SELECT timestamptz '294276-01-01' < date '5874897-12-31'
SELECT date '5874897-12-31' > timestamptz 'infinity'
SELECT timestamptz '2026-03-01' = '2026-03-01', timestamptz '2026-03-01' <> date '2026-03-01'
SELECT timestamptz '2026-03-01' BETWEEN '2026-02-01' AND '2026-04-01'
SELECT timestamptz '2026-03-01' BETWEEN date '2026-02-01' AND timestamp '2026-04-01'
SELECT timestamptz '2026-03-01' BETWEEN SYMMETRIC '2026-04-01' AND date '2026-02-01'
SELECT '2026-03-01' BETWEEN timestamptz '2026-02-01' AND '2026-04-01'
SELECT timestamptz '2026-03-01' IN ('2026-03-01', date '2026-03-02')
SELECT timestamptz '2026-03-01' < ANY ('{2026-03-02,2026-03-03}')
SELECT timestamptz '2026-03-01' >= ALL (ARRAY[date '2026-02-02'])
SELECT '2026-03-01' < ALL (ARRAY[timestamptz '2026-03-02'])
SELECT timestamptz '2026-03-01' < SOME (SELECT date '2026-03-02')
SELECT (timestamptz '2026-03-01', 1) < ('2026-03-02', 2)
SELECT (timestamptz '2026-03-01', 1) >= (date '2026-03-01', 1)
SELECT (date '2026-03-01', timestamp '2026-03-01') < (timestamptz '2026-03-01', '2026-03-01')
SELECT ('2026-03-01', '2026-03-02') < ('2026-03-01', '2026-03-03')
SELECT (timestamptz '2026-03-01', timestamptz '2026-03-02') OVERLAPS ('2026-03-01', interval '1 h')
SELECT timestamptz '2026-03-01' - '1 day'::interval < '2026-01-01'
SELECT timestamptz '2026-03-01' - '2026-02-01' > '1 day'
SELECT timestamptz '2026-03-01' + '1 day' >= '2026-03-02'
SELECT '2026-03-01'::date + 1 > '2026-03-01'
SELECT date_trunc('day', timestamptz '2026-03-01') <= '2026-03-01'
SELECT greatest(timestamptz '2026-03-01', '2026-04-01', date '2026-05-01')
SELECT least('2026-03-01', timestamp '2026-04-01')
SELECT coalesce(timestamptz '2026-03-01', '2026-04-01') < '2026-04-02'
SELECT nullif(timestamptz '2026-03-01', '2026-03-01') IS NULL
SELECT CASE timestamptz '2026-03-01' WHEN '2026-03-01' THEN 1 WHEN date '2026-03-02' THEN 2 END
SELECT CASE WHEN timestamptz '2026-03-01' < '2026-03-02' THEN 1 END
SELECT NOT timestamptz '2026-03-01' < '2026-03-02', NOT date '2026-03-01' >= timestamptz '2026-03-02'
SELECT timestamptz '2026-03-01' IS DISTINCT FROM '2026-03-02'
SELECT max(t) < '2026-03-02', min(t) >= date '2026-03-01' FROM (VALUES (timestamptz '2026-03-01')) AS v (t)
SELECT count(*) FILTER (WHERE t < '2026-03-02') OVER (ORDER BY t RANGE '1 day' PRECEDING) FROM (VALUES (timestamptz '2026-03-01')) AS v (t)
SELECT t FROM (VALUES (timestamptz '2026-03-01'), ('2026-02-01')) AS v (t) ORDER BY t USING >
SELECT t FROM (VALUES (date '2026-03-01'), ('2026-02-01')) AS v (t) ORDER BY t USING <
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t) > '2026-03-01' FROM (VALUES (timestamptz '2026-03-01')) AS v (t)
SELECT a.t FROM (VALUES (timestamptz '2026-03-01')) AS a (t) JOIN (VALUES (date '2026-03-01')) AS b (t) ON a.t >= b.t
SELECT a.t FROM (VALUES (timestamptz '2026-03-01')) AS a (t) JOIN (VALUES (date '2026-03-01')) AS b (t) USING (t)
SELECT array[timestamptz '2026-03-01'] < '{2026-03-02}'
SELECT row(timestamptz '2026-03-01') < row(date '2026-03-02')
SELECT width_bucket(timestamptz '2026-03-15', ARRAY[timestamptz '2026-03-01', '2026-04-01'])
SELECT timestamptz '2026-03-01' OPERATOR(pg_catalog.<) '2026-03-02'
SELECT timestamptz '2026-03-01' < $1
SELECT $1 < timestamptz '2026-03-01'
SELECT $1 >= date '2026-03-01'
SELECT $1 > timestamp '2026-03-01'
SELECT $1 < $2 OR $1 < timestamptz '2026-03-01'
SELECT $1 < $2
SELECT timestamptz '2026-03-01' > $1 - interval '1 day'
SELECT timestamptz '2026-03-01' BETWEEN $1 AND $2
SELECT timestamptz '2026-03-01' = $1
SELECT timestamptz '2026-03-01' < ANY ($1)
SELECT (timestamptz '2026-03-01', 1) < ($1, $2)
SELECT coalesce($1, timestamptz '2026-03-01')
# ranges
SELECT tstzrange('2026-01-01', '2027-01-01') @> timestamptz '2026-03-01'
SELECT tstzrange('2026-01-01', '2027-01-01') @> '2026-03-01'
SELECT tstzrange('2026-01-01', '2027-01-01') @> '[2026-03-01,2026-04-01)'
SELECT tstzrange('2026-01-01', '2027-01-01') @> date '2026-03-01'
SELECT tstzrange('2026-01-01', '2027-01-01') @> NULL
SELECT timestamptz '2026-03-01' <@ tstzrange('2026-01-01', '2027-01-01')
SELECT timestamptz '2026-03-01' <@ '[2026-01-01,2027-01-01)'
SELECT timestamptz '2026-03-01' <@ (SELECT tstzrange('2026-01-01', '2027-01-01'))
SELECT (SELECT tstzrange('2026-01-01', '2027-01-01') FROM pg_class TABLESAMPLE bernoulli (100) LIMIT 1) @> timestamptz '2026-03-01'
SELECT (SELECT tstzmultirange(tstzrange('2026-01-01', '2027-01-01'))) @> (SELECT timestamptz '2026-03-01')
SELECT timestamptz '2026-03-01' < (SELECT date '2026-03-02'), (SELECT timestamp '2026-03-01') BETWEEN date '2026-02-01' AND (SELECT timestamptz '2026-04-01')
SELECT '2026-03-01' <@ tstzrange('2026-01-01', '2027-01-01')
SELECT '[2026-03-01,2026-04-01)' <@ tstzrange('2026-01-01', '2027-01-01')
SELECT '[2026-03-01,2026-04-01)' @> timestamptz '2026-03-01'
SELECT '[2026-03-01,2026-04-01)' @> date '2026-03-01'
SELECT NULL <@ tstzrange('2026-01-01', '2027-01-01')
SELECT date '2026-03-01' <@ daterange('2026-01-01', '2027-01-01')
SELECT daterange('2026-01-01', '2027-01-01') @> '2026-03-01'
SELECT timestamp '2026-03-01' <@ tsrange('2026-01-01', '2027-01-01')
SELECT tstzrange('2026-01-01', '2027-01-01') <@ '[2026-01-01,2028-01-01)'
SELECT tstzrange('2026-01-01', '2027-01-01') && '[2026-01-01,2028-01-01)'
SELECT tstzrange('2026-01-01', '2027-01-01') < '[2026-01-01,2028-01-01)'
SELECT tstzrange('2026-01-01', '2027-01-01') << '[2027-01-01,2028-01-01)'
SELECT '{[2026-03-01,2026-04-01)}' <@ tstzmultirange(tstzrange('2026-01-01', '2027-01-01'))
SELECT tstzmultirange(tstzrange('2026-01-01', '2027-01-01')) @> '{[2026-03-01,2026-04-01)}'
SELECT tstzmultirange(tstzrange('2026-01-01', '2027-01-01')) @> '2026-03-01'
SELECT tstzmultirange(tstzrange('2026-01-01', '2027-01-01')) @> timestamptz '2026-03-01'
SELECT tstzmultirange(tstzrange('2026-01-01', '2027-01-01')) @> tstzrange('2026-01-01', '2026-02-01')
SELECT timestamptz '2026-03-01' <@ tstzmultirange(tstzrange('2026-01-01', '2027-01-01'))
SELECT timestamptz '2026-03-01' <@ '{[2026-01-01,2027-01-01)}'
SELECT tstzrange('2026-01-01', '2027-01-01') @> $1
SELECT tstzrange('2026-01-01', '2027-01-01') <@ $1
SELECT timestamptz '2026-03-01' <@ $1
SELECT $1 <@ tstzrange('2026-01-01', '2027-01-01')
SELECT tstzmultirange(tstzrange('2026-01-01', '2027-01-01')) @> $1
SELECT 5 <@ int4range(1, 10), 5::bigint <@ int8range(1, 10), 5.5 <@ numrange(1, 10)
SELECT 5 <@ int4multirange(int4range(1, 9)), int4range(1, 9) @> 5
SELECT int4range(1, 9) @> '[2,3)'
SELECT '[1,9)' @> 5
SELECT '[1,2]'::jsonb @> '1', '{"a": 1}'::jsonb @> '{"a": 1}'
SELECT ARRAY[1, 2] @> '{1}', '{1}' <@ ARRAY[1, 2]
SELECT box '((0,0),(1,1))' @> point '(0.5,0.5)'
SELECT inet '10.0.0.0/8' >> '10.1.2.3'
# types that flakeid's functions also take
SELECT uuid '019ba533-e400-7000-8000-000000000000' < '019ba533-e400-7000-8000-000000000001'
SELECT '019ba533-e400-7000-8000-000000000000' >= uuid '019ba533-e400-7000-8000-000000000001'
SELECT uuid '019ba533-e400-7000-8000-000000000000' = $1
SELECT 5::bigint < 6, 5 < 6::bigint, 5::smallint >= 6::bigint, 5::bigint < 6.5
SELECT 5::bigint < '6', '5' > 6::bigint
SELECT bytea '\x01' < '\x02', '\x01' >= bytea '\x02'
SELECT text 'a' < 'b', 'a' <= varchar 'b', char(3) 'a' > 'b'
SELECT 5::bigint < $1
SELECT numeric '5' < 6::bigint
# no integer is an instant: these are errors
SELECT 5 < now()
SELECT now() >= 5::bigint
SELECT timestamptz '2026-03-01' > 20260301
SELECT 5::smallint <= current_date
SELECT timestamp '2026-03-01' < 5::bigint
SELECT 5::bigint BETWEEN now() AND 'infinity'
SELECT 5 <@ tstzrange('2026-01-01', '2027-01-01')
SELECT 5::bigint <@ tstzmultirange(tstzrange('2026-01-01', '2027-01-01'))
SELECT tstzrange('2026-01-01', '2027-01-01') @> 5::bigint
SELECT (now(), 1) > (5, 1)
