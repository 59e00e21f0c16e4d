# The SQL edition: its files, and how its answers differ from those of the C edition.
package Flakeid::Edition;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(edition_files edition_differences);

# The folder with the files of make edition.
sub edition_files
{
	my $dir = PostgreSQL::Test::Utils::tempdir();

	system($^X, "$FindBin::RealBin/../../packaging/edition.pl", $dir) == 0 or die 'no edition';
	return $dir;
}

# In a database that has the C edition in schema c and the SQL edition in schema app: compare
# them over about so many instants, uuids and bigints.  Returns a line for each function, with
# the number of values, and of those for which the editions' answers differ.
sub edition_differences
{
	my ($node, $database, $values) = @_;

	return $node->safe_psql($database, <<"END");
SET TimeZone = 'UTC';
DO \$\$ BEGIN PERFORM setseed(0.5); END \$\$;
CREATE TEMP TABLE instants AS
	SELECT timestamptz '2000-01-01Z' + interval '1 s' * (n * 493827156.4 / $values) AS t FROM generate_series(-$values / 4, $values / 4) AS n
	UNION ALL SELECT t + n * interval '1 us' FROM generate_series(-$values / 40, $values / 40) AS n,
		unnest('{1970-01-01Z,10889-08-02 05:31:50.655999Z,9999-12-31 23:59:59.999999Z}'::timestamptz[]) AS t
	UNION ALL SELECT timestamptz '2000-01-01Z' + ((random() * 2 - 1) * 2.1e11) * interval '1 s' + random() * interval '1 s' FROM generate_series(1, $values / 4)
	UNION ALL SELECT timestamptz '2000-01-01Z' + (random() * 9e12) * interval '1 s' FROM generate_series(1, $values / 4)
	UNION ALL SELECT unnest('{-infinity,infinity,4714-11-24 00:00:00Z BC,4713-11-24 BC,4713-11-24 00:00:00.000001Z BC,294276-12-31 23:59:59.999999Z,294247-01-10 04:00:54.775806Z,294247-01-10 04:00:54.775807Z,294247-01-10 04:00:54.775808Z,0044-03-15 BC,NULL}'::timestamptz[]);
CREATE TEMP TABLE uuids AS
	SELECT overlay(gen_random_uuid()::text PLACING CASE n % 3 WHEN 0 THEN '4' WHEN 1 THEN '7' ELSE substr('0123456789abcdef', 1 + n % 16, 1) END FROM 15 FOR 1)::uuid AS id FROM generate_series(1, $values) AS n
	UNION ALL SELECT unnest('{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,00000000-0000-7000-8000-000000000000,ffffffff-ffff-7fff-bfff-ffffffffffff,ffffffff-ffff-7fff-cfff-ffffffffffff,ffffffff-ffff-7fff-7fff-ffffffffffff,00000000-0000-0000-0000-000000000001,ffffffff-ffff-ffff-ffff-fffffffffffe,NULL}'::uuid[]);
CREATE TEMP TABLE numbers AS
	SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 12) || right(gen_random_uuid()::text, 4))::bit(64)::bigint >> (random() * 60)::int AS id FROM generate_series(1, $values / 8)
	UNION ALL SELECT unnest('{-9223372036854775808,-9223372036854775807,-1,0,1,9223372036854775806,9223372036854775807,65535,65536,4194303,4194304,NULL}'::bigint[]);
CREATE TEMP TABLE layouts AS SELECT name, epoch, low_bits, resolution AS unit FROM c.flakeid_layouts
	UNION ALL VALUES (NULL, timestamptz '2020-01-01Z', 22, interval '1 ms'), (NULL, '1970-01-01Z', 0, '1 us'), (NULL, '9999-12-31 23:59:59.999999Z', 62, '1 us'), (NULL, '1970-01-01Z', 62, '1 s'),
		(NULL, '2009-01-03 18:15:05Z', 4, '1 s'), (NULL, '2015-05-05Z', 0, '00:10'), (NULL, '1970-01-01Z', 1, '1 us'), (NULL, '9999-12-31 23:59:59.999999Z', 0, '1 us'),
		(NULL, '1970-01-01Z', 0, '2562047788:00:54'), (NULL, '2001-02-03Z', 13, '7 us');
SELECT f, count(*) > $values / 10 AS many, count(*) FILTER (WHERE a IS DISTINCT FROM b) AS differ FROM (
	SELECT f, a, b FROM instants, LATERAL (VALUES ('uuid7_min', app.uuid7_min(t)::text, c.uuid7_min(t)::text), ('uuid7_max', app.uuid7_max(t)::text, c.uuid7_max(t)::text),
		('ulid_uuid_min', app.ulid_uuid_min(t)::text, c.ulid_uuid_min(t)::text), ('ulid_uuid_max', app.ulid_uuid_max(t)::text, c.ulid_uuid_max(t)::text),
		('ulid_text_min', app.ulid_text_min(t), c.ulid_text_min(t)), ('ulid_text_max', app.ulid_text_max(t), c.ulid_text_max(t)),
		('ulid_bytea_min', app.ulid_bytea_min(t)::text, c.ulid_bytea_min(t)::text), ('ulid_bytea_max', app.ulid_bytea_max(t)::text, c.ulid_bytea_max(t)::text)) AS v (f, a, b)
	UNION ALL SELECT f, a, b FROM uuids, LATERAL (VALUES ('uuid7_timestamp', app.uuid7_timestamp(id)::text, c.uuid7_timestamp(id)::text), ('ulid_timestamp(uuid)', app.ulid_timestamp(id)::text, c.ulid_timestamp(id)::text),
		('ulid_timestamp(bytea)', app.ulid_timestamp(uuid_send(id))::text, c.ulid_timestamp(uuid_send(id))::text), ('ulid_timestamp(text)', app.ulid_timestamp(c.ulid_text(id))::text, c.ulid_timestamp(c.ulid_text(id))::text),
		('ulid_text', app.ulid_text(id), c.ulid_text(id)), ('ulid_uuid', app.ulid_uuid(lower(c.ulid_text(id)))::text, c.ulid_uuid(lower(c.ulid_text(id)))::text),
		('typeid', app.typeid_uuid(app.typeid(id, 'a_b'), 'a_b')::text, id::text), ('typeid (text)', app.typeid(id, 'user')::text, 'user_' || lower(c.ulid_text(id)))) AS v (f, a, b)
	UNION ALL SELECT f, a, b FROM numbers, layouts AS l, LATERAL (VALUES ('layout_timestamp, own', app.layout_timestamp(id, epoch, low_bits, unit)::text, c.layout_timestamp(id, epoch, low_bits, unit)::text),
		('layout_timestamp', app.layout_timestamp(id, name)::text, c.layout_timestamp(id, name)::text)) AS v (f, a, b)
	UNION ALL SELECT f, a, b FROM (SELECT t FROM instants ORDER BY random() LIMIT $values / 8) AS i, layouts AS l, LATERAL (VALUES
		('layout_min, own', app.layout_min(t, epoch, low_bits, unit)::text, c.layout_min(t, epoch, low_bits, unit)::text), ('layout_max, own', app.layout_max(t, epoch, low_bits, unit)::text, c.layout_max(t, epoch, low_bits, unit)::text),
		('layout_min', app.layout_min(t, name)::text, c.layout_min(t, name)::text), ('layout_max', app.layout_max(t, name)::text, c.layout_max(t, name)::text)) AS v (f, a, b)) AS s
GROUP BY f ORDER BY f COLLATE "C";
END
}

1;
