--
-- The functions that the SQL edition has, too: test/t/072_edition.pl runs this file with it.
--
SELECT to_regprocedure('uuid7_min(timestamptz)') IS NULL AS missing \gset
\if :missing
SET client_min_messages = warning;
CREATE EXTENSION flakeid;
RESET client_min_messages;
\endif
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET intervalstyle = 'postgres';
SET extra_float_digits = 0;
\set SHOW_CONTEXT never
\set VERBOSITY default

-- Layouts.
SELECT * FROM flakeid_layouts ORDER BY name;

-- Instants of UUIDs: of version 7, of another version and variant, and the ends.
SELECT uuid7_timestamp(id), ulid_timestamp(id), ulid_text(id) FROM (VALUES
    ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid), ('017f22e2-79b0-4cc3-98c4-dc0c0c07398f'), ('017f22e2-79b0-7cc3-18c4-dc0c0c07398f'), ('017f22e2-79b0-7cc3-c8c4-dc0c0c07398f'),
    ('00000000-0000-0000-0000-000000000000'), ('ffffffff-ffff-ffff-ffff-ffffffffffff'), ('00000000-0000-0000-0000-000000000001'), ('ffffffff-ffff-ffff-ffff-fffffffffffe'),
    ('00000000-0000-7000-8000-000000000000'), ('ffffffff-ffff-7fff-bfff-ffffffffffff'), ('7fffffff-ffff-7fff-bfff-ffffffffffff'), ('80000000-0000-7000-8000-000000000000'), (NULL)) AS v (id);

-- Bounds, on each side of a millisecond's beginning and of the span.
CREATE TEMP TABLE instants (t timestamptz);
INSERT INTO instants SELECT unnest('{-infinity,4714-11-24 00:00:00+00 BC,4713-01-01 BC,0044-03-15 BC,0001-01-01,1969-12-31 23:59:59.999999,1970-01-01,1970-01-01 00:00:00.000001,1999-12-31 23:59:59.999999,2014-09-01,2014-09-01 00:00:00.000001,2026-02-28 12:34:56.789,2026-02-28 12:34:56.789999,10889-08-02 05:31:50.655,10889-08-02 05:31:50.655001,10889-08-02 05:31:50.656,20000-01-01,294247-01-10 04:00:54.775806,294247-01-10 04:00:54.775807,294276-12-31 23:59:59.999999,infinity,NULL}'::timestamptz[]);
SELECT t, uuid7_min(t), uuid7_max(t), ulid_uuid_min(t), ulid_uuid_max(t) FROM instants;
SELECT t, ulid_text_min(t), ulid_text_max(t), ulid_bytea_min(t), ulid_bytea_max(t) FROM instants;
SELECT t, layout_min(t, 'mastodon'), layout_max(t, 'mastodon'), layout_min(t, 'sonyflake'), layout_max(t, 'sonyflake') FROM instants;
SELECT t, layout_min(t, '2020-01-01', 0, '1 us'), layout_max(t, '9999-12-31 23:59:59.999999', 62, '1 us'), layout_max(t, epoch => '1970-01-01', low_bits => 4, unit => '1 s'), layout_min(t, '2020-01-01', 22) FROM instants;

-- Instants of bigints.
SELECT id, layout_timestamp(id, 'discord'), layout_timestamp(id, 'sonyflake'), layout_timestamp(id, '1970-01-01', 0, '1 us'), layout_timestamp(id, epoch => '9999-12-31', low_bits => 62, unit => '1000 hours')
FROM unnest('{-9223372036854775808,-9223372036854775807,-16777217,-16777216,-1,0,1,16777215,16777216,175928847299117063,9223372036854775806,9223372036854775807,NULL}'::bigint[]) AS id;

-- A bound is the first or the last ID of its instant.
SELECT count(*) AS wrong FROM instants, flakeid_layouts AS l WHERE isfinite(t) AND t BETWEEN '2010-01-01' AND '2030-01-01'
    AND (layout_timestamp(layout_min(t, l.name), l.name) < t OR layout_timestamp(layout_min(t, l.name) - 1, l.name) >= t
        OR layout_timestamp(layout_max(t, l.name), l.name) > t OR layout_timestamp(layout_max(t, l.name) + 1, l.name) <= t);

-- ULIDs.
SELECT ulid_timestamp('01ARZ3NDEKTSV4RRFFQ69G5FAV'::text), ulid_timestamp('\x01563e3ab5d3d6764c61efb99302bd5b'::bytea), ulid_timestamp('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'::text);
SELECT ulid_uuid(t) FROM unnest('{01ARZ3NDEKTSV4RRFFQ69G5FAV,01arz3ndektsv4rrffq69g5fav,oiARZ3NDEKTSV4RRFFQ69G5FAV,OlARZ3NDEKTSV4RRFFQ69G5FAV,00000000000000000000000000,7ZZZZZZZZZZZZZZZZZZZZZZZZZ,NULL}'::text[]) AS t;
SELECT ulid_text(ulid_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAV')), ulid_uuid(id => '01ARZ3NDEKTSV4RRFFQ69G5FAV') = '01563e3a-b5d3-d676-4c61-efb99302bd5b' AS same;

-- New ones.
SELECT count(DISTINCT id) AS distinct, count(*) FILTER (WHERE id::text !~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$') AS wrong,
    bool_and(uuid7_timestamp(id) BETWEEN now() - interval '1 hour' AND clock_timestamp() + interval '1 minute') AS now
FROM (SELECT uuid7_new() AS id FROM generate_series(1, 1000) OFFSET 0) AS s;
SELECT count(DISTINCT id) AS distinct, min(uuid7_timestamp(id)), max(uuid7_timestamp(id))
FROM (SELECT uuid7_new_at('2020-02-29 12:00:00.123456') AS id FROM generate_series(1, 1000) OFFSET 0) AS s;
SELECT uuid7_timestamp(uuid7_new_at(at => t)) FROM unnest('{1970-01-01,10889-08-02 05:31:50.655999,NULL}'::timestamptz[]) AS t;

-- NULLs.
SELECT uuid7_timestamp(NULL), uuid7_min(NULL), uuid7_max(NULL), ulid_uuid_min(NULL), ulid_uuid_max(NULL), ulid_text_min(NULL), ulid_text_max(NULL), ulid_bytea_min(NULL), ulid_bytea_max(NULL), uuid7_new_at(NULL), ulid_text(NULL), ulid_uuid(NULL),
    ulid_timestamp(NULL::text), ulid_timestamp(NULL::bytea), layout_timestamp(NULL, 'nosuch'), layout_timestamp(1, NULL), layout_min(NULL, 'nosuch'), layout_max(now(), NULL), layout_timestamp(1, NULL, 3), layout_min(now(), '2020-01-01', NULL), layout_max(now(), '2020-01-01', 3, NULL);

-- Errors.
SELECT uuid7_new_at('1969-12-31 23:59:59.999999');
\echo :SQLSTATE
SELECT uuid7_new_at('10889-08-02 05:31:50.656');
SELECT uuid7_new_at('infinity');
-- Instants in errors are in ISO form, whatever the session prefers.
SET datestyle = 'German';
SELECT uuid7_new_at('1969-12-31 23:59:59.999999Z');
SELECT layout_timestamp(1, '1969-12-31Z', 22);
SET datestyle = 'SQL, DMY';
SELECT uuid7_new_at('10889-08-02 05:31:50.656Z');
SELECT layout_max(now(), '0044-03-15Z BC', 22);
SET datestyle = 'ISO';
-- The hints differ: the C edition also has layouts of texts.
\set VERBOSITY terse
SELECT ulid_timestamp('01arz3ndektsv4rrffq69g5fav'::text);
\echo :SQLSTATE
SELECT ulid_timestamp('81ARZ3NDEKTSV4RRFFQ69G5FAV'::text);
SELECT ulid_timestamp('01ARZ3NDEKTSV4RRFFQ69G5FÄ'::text);
SELECT ulid_timestamp('01ARZ3NDEKTSV4RRFFQ69G5FAVX'::text);
SELECT ulid_timestamp(''::text);
\set VERBOSITY default
SELECT ulid_timestamp('\x00'::bytea);
\echo :SQLSTATE
SELECT ulid_uuid('81ARZ3NDEKTSV4RRFFQ69G5FAV');
\echo :SQLSTATE
SELECT ulid_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAU');
SELECT ulid_uuid('01ARZ3NDEKTSV4RRFFQ69G5FA');
SELECT ulid_uuid(E'01ARZ3NDEKTSV4RRFFQ69G5FAV\n');
SELECT layout_timestamp(1, 'nosuch');
\echo :SQLSTATE
SELECT layout_min(now(), 'Discord');
SELECT layout_max(now(), '');
SELECT layout_timestamp(1, '1969-12-31', 22);
\echo :SQLSTATE
SELECT layout_min(now(), 'infinity', 22);
SELECT layout_min(now(), '2020-01-01', 63);
\echo :SQLSTATE
SELECT layout_max(now(), '2020-01-01', -1);
SELECT layout_max(now(), '2020-01-01', 22, '1 day');
\echo :SQLSTATE
SELECT layout_max(now(), '2020-01-01', 22, '0');
SELECT layout_max(now(), '2020-01-01', 22, '-1 s');

-- The key's index, and partitions.
CREATE TEMP TABLE event (id uuid PRIMARY KEY DEFAULT uuid7_new(), n int) PARTITION BY RANGE (id);
SELECT format('CREATE TEMP TABLE event_%s PARTITION OF event FOR VALUES FROM (%L) TO (%L)', m, uuid7_min(t), uuid7_min(t + interval '1 month'))
FROM (SELECT m, timestamptz '2026-01-01' + m * interval '1 month' AS t FROM generate_series(0, 3) AS m) AS s \gexec
CREATE TEMP TABLE event_rest PARTITION OF event DEFAULT;
INSERT INTO event (id, n) SELECT uuid7_new_at(timestamptz '2026-01-01' + n * interval '1 hour'), n FROM generate_series(0, 2000) AS n;
INSERT INTO event (n) VALUES (-1);
SELECT tableoid::regclass::text AS partition, count(*), min(n), max(n) FROM event GROUP BY 1 ORDER BY 1;
ANALYZE event;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id >= uuid7_min('2026-02-03') AND id < uuid7_min('2026-02-04');
SELECT count(*) FROM event WHERE id >= uuid7_min('2026-02-03') AND id < uuid7_min('2026-02-04');
