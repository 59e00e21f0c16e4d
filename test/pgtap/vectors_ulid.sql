-- The reference's vectors for ulid, and new ULIDs and version 7 UUIDs read by a second
-- implementation, in numeric arithmetic.
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
BEGIN;
SET LOCAL timezone = 'UTC';

CREATE TEMPORARY TABLE ulid_vectors (hex text, text text, unix_ms numeric, note text);
CREATE TEMPORARY TABLE ulid_texts (text text, hex_or_error text, note text);
\copy ulid_vectors FROM 'test/vectors/ulid.tsv' (FORMAT text, HEADER)
\copy ulid_texts FROM 'test/vectors/ulid_texts.tsv' (FORMAT text, HEADER)

-- the second implementation: a text as the number of its digits in base 32
CREATE FUNCTION pg_temp.number_of(text text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    n numeric := 0;
BEGIN
    FOR i IN 1 .. length(text) LOOP
        n := n * 32 + position(substr(text, i, 1) IN '0123456789ABCDEFGHJKMNPQRSTVWXYZ') - 1;
    END LOOP;
    RETURN n;
END $$;
CREATE FUNCTION pg_temp.number_of_hex(hex text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    n numeric := 0;
BEGIN
    FOR i IN 1 .. length(hex) LOOP
        n := n * 16 + position(substr(hex, i, 1) IN '0123456789abcdef') - 1;
    END LOOP;
    RETURN n;
END $$;
-- an instant in microseconds since 1970, without floats
CREATE FUNCTION pg_temp.us(t timestamptz) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT extract(epoch FROM t) * 1000000
$$;
CREATE FUNCTION pg_temp.at_ms(ms numeric) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT timestamptz 'epoch' + div(ms, 86400000)::int * interval '24 hours' + mod(ms, 86400000)::int * interval '1 ms'
$$;

SELECT plan(17 + (SELECT count(*)::int FROM ulid_texts));

-- ulid.tsv

SELECT is(count(*)::int, 329, 'ulid.tsv: all rows') FROM ulid_vectors;
SELECT is_empty($$
    SELECT text FROM ulid_vectors
    WHERE text::ulid::text IS DISTINCT FROM text
       OR text::ulid::bytea IS DISTINCT FROM decode(hex, 'hex')
       OR decode(hex, 'hex')::ulid IS DISTINCT FROM text::ulid
       OR ('\x' || hex)::ulid IS DISTINCT FROM text::ulid
       OR _flakeid_functions.ulid_send(text::ulid) IS DISTINCT FROM decode(hex, 'hex')
$$, 'text and bytes of every row, both ways');
SELECT is_empty($$
    SELECT text FROM ulid_vectors
    WHERE text::ulid::uuid IS DISTINCT FROM hex::uuid OR hex::uuid::ulid IS DISTINCT FROM text::ulid
$$, 'the uuid of every row has its bytes, and the way back');
SELECT is_empty($$
    SELECT text FROM ulid_vectors
    WHERE pg_temp.us(text::ulid::timestamptz) <> unix_ms * 1000
       OR ulid_random(text::ulid) <> decode(right(hex, 20), 'hex')
       OR ulid_make(pg_temp.at_ms(unix_ms), decode(right(hex, 20), 'hex')) <> text::ulid
       OR pg_temp.number_of(text) <> pg_temp.number_of_hex(hex)
       OR div(pg_temp.number_of(text), 2::numeric ^ 80) <> unix_ms
$$, 'parts of every row, both ways');
SELECT is_empty($$
    SELECT text FROM ulid_vectors, pg_temp.at_ms(unix_ms) AS t
    WHERE pg_temp.number_of(ulid_min(t)::text) <> unix_ms * 2::numeric ^ 80
       OR pg_temp.number_of(ulid_max(t)::text) <> (unix_ms + 1) * 2::numeric ^ 80 - 1
       OR ulid_min(t - interval '999 us') <> ulid_min(t)
       OR ulid_max(t + interval '999 us') <> ulid_max(t)
$$, 'least and greatest ID of every row''s millisecond');
SELECT results_eq(
    'SELECT text COLLATE "C" FROM ulid_vectors ORDER BY text::ulid, note',
    'SELECT text COLLATE "C" FROM ulid_vectors ORDER BY text COLLATE "C", note',
    'IDs sort as their texts in the C collation');
SELECT is_empty($$
    SELECT a.text, b.text FROM ulid_vectors AS a, ulid_vectors AS b
    WHERE (a.text::ulid < b.text::ulid) <> (a.hex::uuid < b.hex::uuid)
       OR (a.text::ulid = b.text::ulid) <> (a.hex = b.hex)
       OR _flakeid_functions.ulid_cmp(a.text::ulid, b.text::ulid) <> sign(pg_temp.number_of_hex(a.hex) - pg_temp.number_of_hex(b.hex))
$$, 'every two rows compare as their uuids and as their numbers');
SELECT is_empty($$
    SELECT text FROM ulid_vectors, unnest('{-1,0,1,1000}'::int[]) AS us,
        LATERAL (SELECT pg_temp.at_ms(unix_ms) + us * interval '1 us' AS t) AS at
    WHERE (text::ulid < t) <> (pg_temp.at_ms(unix_ms) < t) OR (text::ulid >= t) <> (pg_temp.at_ms(unix_ms) >= t)
$$, 'every row compares with instants as its own does');

-- ulid_texts.tsv

SELECT CASE WHEN hex_or_error = 'ULID_INVALID'
    THEN throws_ok(format('SELECT %L::ulid', text), '22P02', NULL, 'no ulid: "' || text || '"')
    ELSE is(text::ulid::bytea, decode(hex_or_error, 'hex'), 'a ulid: "' || text || '"') END
FROM ulid_texts;

-- new IDs, read by the second implementation

CREATE TEMPORARY TABLE made AS
SELECT clock_timestamp() AS before, ulid_new() AS id, uuid7_new() AS u, clock_timestamp() AS after FROM generate_series(1, 10000);
-- they may be ahead of the clock as far as flakeid.max_ahead allows, never behind it
SELECT is_empty($$
    SELECT id, before, after FROM made, div(pg_temp.number_of(id::text), 2::numeric ^ 80) AS ms
    WHERE ms NOT BETWEEN trunc(pg_temp.us(before) / 1000) AND trunc(pg_temp.us(after) / 1000) + 10000
$$, 'new ULIDs have the current time');
SELECT is_empty($$
    SELECT u, before, after FROM made, div(pg_temp.number_of_hex(replace(u::text, '-', '')), 2::numeric ^ 80) AS ms
    WHERE ms NOT BETWEEN trunc(pg_temp.us(before) / 1000) AND trunc(pg_temp.us(after) / 1000) + 10000
$$, 'and new UUIDs, too');
SELECT is_empty($$
    SELECT id FROM made
    WHERE pg_temp.number_of_hex(encode(id::bytea, 'hex')) <> pg_temp.number_of(id::text)
       OR pg_temp.number_of_hex(replace(id::uuid::text, '-', '')) <> pg_temp.number_of(id::text)
       OR id::text !~ (SELECT pattern FROM flakeid_formats WHERE name = 'ulid')
$$, 'new ULIDs: text, bytes and uuid agree');
SELECT is_empty($$
    SELECT u FROM made
    WHERE mod(div(pg_temp.number_of_hex(replace(u::text, '-', '')), 2::numeric ^ 76), 16) <> 7
       OR mod(div(pg_temp.number_of_hex(replace(u::text, '-', '')), 2::numeric ^ 62), 4) <> 2
$$, 'new UUIDs: version 7, variant 10');
SELECT is_empty($$
    SELECT t FROM (SELECT timestamptz '1970-01-01' + n * interval '9007 hours 7 minutes 11.013 seconds' AS t
                   FROM generate_series(0, 990) AS n) AS s
    WHERE div(pg_temp.number_of(ulid_new_at(t)::text), 2::numeric ^ 80) <> trunc(pg_temp.us(t) / 1000)
       OR div(pg_temp.number_of_hex(replace(uuid7_new_at(t)::text, '-', '')), 2::numeric ^ 80) <> trunc(pg_temp.us(t) / 1000)
$$, 'those for instants are of these');

-- a seed changes nothing, and no random bits are repeated
SELECT setseed(0.5);
CREATE TEMPORARY TABLE seeded AS
SELECT substr(ulid_random(ulid_new()), 4) AS r FROM generate_series(1, 100);
SELECT setseed(0.5);
SELECT is_empty('SELECT r FROM seeded INTERSECT SELECT substr(ulid_random(ulid_new()), 4) FROM generate_series(1, 100)',
    'a seed changes nothing');
SELECT is(count(DISTINCT r)::int, 20000, 'the random bits alone tell ULIDs and UUIDs apart')
FROM (SELECT substr(ulid_random(id), 4) AS r FROM made UNION ALL SELECT substr(uuid_send(u), 10) FROM made) AS s;

-- only the generator's count is in order: the next random bits are above the last as often as below
SELECT ok(share BETWEEN 0.45 AND 0.55, 'random bits are in no order: ' || share)
FROM (SELECT avg((r > before)::int)::numeric(5, 4) AS share
      FROM (SELECT substr(ulid_random(id), 4) AS r, lag(substr(ulid_random(id), 4)) OVER (ORDER BY id) AS before FROM made) AS s) AS t;
SELECT is_empty($$
    SELECT id FROM (SELECT id, u, lag(id) OVER w AS last_id, lag(u) OVER w AS last_u FROM made WINDOW w AS (ORDER BY ctid)) AS s
    WHERE id <= last_id OR u <= last_u
$$, 'new ones increase');

SELECT * FROM finish();
ROLLBACK;
