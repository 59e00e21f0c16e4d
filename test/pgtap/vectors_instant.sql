-- The time of IDs that other systems document, and of random IDs as a second
-- implementation reads and bounds them, in numeric arithmetic and by the digits.
\ir shared.psql

BEGIN;
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO';

CREATE TEMPORARY TABLE vectors (layout text, id text, instant_or_error text, source text);
\copy vectors FROM 'test/vectors/instant.tsv' (FORMAT text, HEADER)
UPDATE vectors SET instant_or_error = NULL WHERE instant_or_error = '';

SELECT plan((SELECT count(*) FROM vectors)::int + 2 * (SELECT count(*) FROM flakeid_layouts)::int + 7);
SELECT diag('seed ' || :'seed');
SELECT setseed(:seed);

CREATE FUNCTION pg_temp.instant(layout text, id text) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT CASE layout WHEN 'uuid7' THEN uuid7_timestamp(id::uuid) WHEN 'ulid' THEN ulid_timestamp(id)
        ELSE layout_timestamp(id::bigint, layout) END
$$;
SELECT CASE WHEN instant_or_error ~ '^\w{5}$'
    THEN throws_ok(format('SELECT pg_temp.instant(%L, %L)', layout, id), instant_or_error, NULL, format('%s: %s', layout, source))
    ELSE is(pg_temp.instant(layout, id), instant_or_error::timestamptz, format('%s: %s', layout, source)) END
FROM vectors;

-- ---------- the second implementation ----------

-- From the systems' sources: the epoch in ms, the unit in ms, all bits below the time.
CREATE TEMPORARY TABLE second (layout text PRIMARY KEY, epoch_ms numeric, unit_ms numeric, below numeric);
INSERT INTO second VALUES
    ('discord', 1420070400000, 1, power(2::numeric, 5 + 5 + 12)),
    ('instagram', 1314220021721, 1, power(2::numeric, 13 + 10)),
    ('mastodon', 0, 1, power(2::numeric, 16)),
    ('pgedge', extract(epoch FROM timestamptz '2023-01-01 00:00Z') * 1000, 1, power(2::numeric, 12 + 10)),
    ('sonyflake', extract(epoch FROM timestamptz '2014-09-01 00:00Z') * 1000, 10, power(2::numeric, 8 + 16)),
    ('sonyflake2', extract(epoch FROM timestamptz '2025-01-01 00:00Z') * 1000, 10, power(2::numeric, 8 + 16)),
    ('twitter', 1288834974657, 1, power(2::numeric, 5 + 5 + 12));
SELECT is((SELECT array_agg(name ORDER BY name) FROM flakeid_layouts), (SELECT array_agg(layout ORDER BY layout) FROM second), 'the layouts');
SELECT is((SELECT count(*) FROM flakeid_layouts JOIN second ON layout = name
    WHERE extract(epoch FROM epoch) * 1000 <> epoch_ms OR extract(epoch FROM resolution) * 1000 <> unit_ms OR power(2::numeric, low_bits) <> below
        OR timestamp_bits + low_bits <> 63 OR layout_timestamp(0, name) <> epoch
        OR last_timestamp <> layout_timestamp(9223372036854775806, name) + resolution - interval '1 us'
        OR (SELECT sum(bits::int) FROM regexp_matches(low_parts, '\d+', 'g') AS m (b), unnest(b) AS bits) <> low_bits),
    0::bigint, 'what flakeid_layouts says of them');

CREATE TEMPORARY TABLE number AS
SELECT ((random() * 2 - 1) * 9.2e18)::numeric::bigint AS id FROM generate_series(1, 500)
UNION SELECT (random() * 9.2e18)::numeric::bigint >> (random() * 60)::int FROM generate_series(1, 500)
UNION SELECT unnest('{-9223372036854775807,-1,0,1,65535,65536,4194303,4194304,16777215,16777216,9223372036854775806}'::bigint[]);
SELECT is((SELECT count(*) FROM number WHERE pg_temp.us(layout_timestamp(id, layout)) <> (floor(id / below) * unit_ms + epoch_ms) * 1000),
    0::bigint, format('%s: instants', layout)) FROM second;

-- Bounds of instants near those, for units within bigint's range.
CREATE TEMPORARY TABLE near AS
SELECT layout, t, below, floor((pg_temp.us(t) / 1000 - epoch_ms) / unit_ms) AS unit, ceil((pg_temp.us(t) / 1000 - epoch_ms) / unit_ms) AS next
FROM second, (SELECT id FROM number ORDER BY random() LIMIT 60) AS few,
    LATERAL (SELECT layout_timestamp(id, layout) + by AS t FROM unnest('{-1 us,0,1 us,9 ms 999 us}'::interval[]) AS by) AS about;
DELETE FROM near WHERE (unit - 1) * below < -9223372036854775807 OR (next + 1) * below > 9223372036854775807;
SELECT is((SELECT count(*) FROM near WHERE near.layout = second.layout
    AND (layout_min(t, layout), layout_max(t, layout)) IS DISTINCT FROM ((next * below)::bigint, ((unit + 1) * below - 1)::bigint)),
    0::bigint, format('%s: where IDs begin and end', layout)) FROM second;

-- Digits: 48 bits of milliseconds, as hexadecimal in a uuid and in base 32 in a ULID.
CREATE FUNCTION pg_temp.random_text(alphabet text, length int) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(substr(alphabet, 1 + floor(random() * length(alphabet))::int, 1), '') FROM generate_series(1, length)
$$;
CREATE TEMPORARY TABLE of_uuid AS SELECT digits, (digits)::uuid AS id, pg_temp.number_of(left(digits, 12), '0123456789abcdef') AS ms
FROM (SELECT pg_temp.random_text('0123456789abcdef', 12 + n * 0) || '7' || pg_temp.random_text('0123456789abcdef', 3 + n * 0)
    || pg_temp.random_text('89ab', 1 + n * 0) || pg_temp.random_text('0123456789abcdef', 15 + n * 0) AS digits FROM generate_series(1, 500) AS n) AS r;
CREATE TEMPORARY TABLE of_ulid AS SELECT id, pg_temp.number_of(left(id, 10), '0123456789ABCDEFGHJKMNPQRSTVWXYZ') AS ms
FROM (SELECT pg_temp.random_text('01234567', 1 + n * 0) || pg_temp.random_text('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 25 + n * 0) AS id FROM generate_series(1, 500) AS n) AS r;
SELECT is((SELECT count(*) FROM of_uuid WHERE pg_temp.us(uuid7_timestamp(id)) IS DISTINCT FROM ms * 1000 OR pg_temp.us(ulid_timestamp(id)) IS DISTINCT FROM ms * 1000
    OR pg_temp.us(ulid_timestamp(uuid_send(id))) IS DISTINCT FROM ms * 1000), 0::bigint, 'uuid: instants');
SELECT is((SELECT count(*) FROM of_uuid WHERE uuid7_min(uuid7_timestamp(id))::text <> regexp_replace(digits, '^(.{8})(.{4}).*', '\1-\2-7000-8000-000000000000')
    OR uuid7_max(uuid7_timestamp(id) + interval '999 us')::text <> regexp_replace(digits, '^(.{8})(.{4}).*', '\1-\2-7fff-bfff-ffffffffffff')), 0::bigint, 'uuid: bounds');
SELECT is((SELECT count(*) FROM of_uuid WHERE uuid7_timestamp(overlay(digits PLACING to_hex((random() * 6)::int) FROM 13)::uuid) IS NOT NULL), 0::bigint, 'uuid of another version: NULL');
SELECT is((SELECT count(*) FROM of_ulid WHERE pg_temp.us(ulid_timestamp(id)) IS DISTINCT FROM ms * 1000), 0::bigint, 'ulid: instants');
SELECT is((SELECT count(*) FROM of_ulid WHERE ulid_text_min(ulid_timestamp(id)) <> left(id, 10) || repeat('0', 16)
    OR ulid_text_max(ulid_timestamp(id) + interval '999 us') <> left(id, 10) || repeat('Z', 16)), 0::bigint, 'ulid: where texts begin and end');

SELECT finish();
ROLLBACK;
