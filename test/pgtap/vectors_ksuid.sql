-- The reference's vectors for ksuid, and new KSUIDs read by a second implementation, in
-- numeric arithmetic.
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
BEGIN;
SET LOCAL timezone = 'UTC';

CREATE TEMPORARY TABLE ksuid_vectors (hex text, text text, unix_s bigint, payload text, note text);
CREATE TEMPORARY TABLE ksuid_texts (text text, hex_or_error text, note text);
\copy ksuid_vectors FROM 'test/vectors/ksuid.tsv' (FORMAT text, HEADER)
\copy ksuid_texts FROM 'test/vectors/ksuid_texts.tsv' (FORMAT text, HEADER)

-- the second implementation: a text as the number of its digits
CREATE FUNCTION pg_temp.number_of(text text, digits text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    n numeric := 0;
BEGIN
    FOR i IN 1 .. length(text) LOOP
        n := n * length(digits) + position(substr(text, i, 1) IN digits) - 1;
    END LOOP;
    RETURN n;
END $$;
CREATE FUNCTION pg_temp.number_of_text(text text) RETURNS numeric LANGUAGE sql IMMUTABLE RETURN
    pg_temp.number_of(text, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
CREATE FUNCTION pg_temp.number_of_hex(hex text) RETURNS numeric LANGUAGE sql IMMUTABLE RETURN
    pg_temp.number_of(hex, '0123456789abcdef');
-- the instant of that number, in seconds since 1970
CREATE FUNCTION pg_temp.second_of(n numeric) RETURNS numeric LANGUAGE sql IMMUTABLE RETURN
    div(n, 2::numeric ^ 128) + 1400000000;

SELECT plan(13 + (SELECT count(*)::int FROM ksuid_texts));

-- ksuid.tsv

SELECT is(count(*)::int, 500, 'ksuid.tsv: all rows') FROM ksuid_vectors;
SELECT is_empty($$
    SELECT text FROM ksuid_vectors
    WHERE text::ksuid::text IS DISTINCT FROM text
       OR text::ksuid::bytea IS DISTINCT FROM decode(hex, 'hex')
       OR decode(hex, 'hex')::ksuid IS DISTINCT FROM text::ksuid
       OR ('\x' || hex)::ksuid IS DISTINCT FROM text::ksuid
       OR _flakeid_functions.ksuid_send(text::ksuid) IS DISTINCT FROM decode(hex, 'hex')
$$, 'text and bytes of every row, both ways');
SELECT is_empty($$
    SELECT text FROM ksuid_vectors
    WHERE extract(epoch FROM text::ksuid::timestamptz) <> unix_s
       OR ksuid_payload(text::ksuid) <> decode(payload, 'hex')
       OR ksuid_make(to_timestamp(unix_s), decode(payload, 'hex')) <> text::ksuid
       OR pg_temp.number_of_text(text) <> pg_temp.number_of_hex(hex)
       OR pg_temp.second_of(pg_temp.number_of_text(text)) <> unix_s
$$, 'parts of every row, both ways');
SELECT is_empty($$
    SELECT text FROM ksuid_vectors, to_timestamp(unix_s) AS t
    WHERE pg_temp.number_of_text(ksuid_min(t)::text) <> (unix_s - 1400000000) * 2::numeric ^ 128
       OR pg_temp.number_of_text(ksuid_max(t)::text) <> (unix_s - 1399999999) * 2::numeric ^ 128 - 1
       OR ksuid_min(t - interval '999999 us') <> ksuid_min(t)
       OR ksuid_max(t + interval '999999 us') <> ksuid_max(t)
$$, 'least and greatest ID of every row''s second');
SELECT results_eq(
    'SELECT text COLLATE "C" FROM ksuid_vectors ORDER BY text::ksuid, note',
    'SELECT text COLLATE "C" FROM ksuid_vectors ORDER BY text COLLATE "C", note',
    'IDs sort as their texts in the C collation');
SELECT is_empty($$
    SELECT a.text, b.text FROM ksuid_vectors AS a, ksuid_vectors AS b
    WHERE (a.text::ksuid < b.text::ksuid) <> (decode(a.hex, 'hex') < decode(b.hex, 'hex'))
       OR (a.text::ksuid = b.text::ksuid) <> (a.hex = b.hex)
       OR sign(_flakeid_functions.ksuid_brin_distance(a.text::ksuid, b.text::ksuid)) <> _flakeid_functions.ksuid_cmp(b.text::ksuid, a.text::ksuid)
$$, 'every two rows compare as their bytes, and the distance between them has the sign of that');
SELECT is_empty($$
    SELECT text FROM ksuid_vectors, unnest('{-1,0,1,1000000}'::int[]) AS us,
        LATERAL (SELECT to_timestamp(unix_s) + us * interval '1 us' AS t) AS at
    WHERE (text::ksuid < t) <> (to_timestamp(unix_s) < t) OR (text::ksuid >= t) <> (to_timestamp(unix_s) >= t)
$$, 'every row compares with instants as its own does');

-- ksuid_texts.tsv: texts that the reference refuses, and characters that it reads as digits

SELECT CASE WHEN hex_or_error ~ '^ERROR' OR note ~ '^no digit'
    THEN throws_ok(format('SELECT %L::ksuid', text), '22P02', NULL, 'no ksuid: "' || text || '"')
    ELSE is(text::ksuid::bytea, decode(hex_or_error, 'hex'), 'a ksuid: "' || text || '"') END
FROM ksuid_texts;

-- new IDs, read by the second implementation

CREATE TEMPORARY TABLE made AS
SELECT clock_timestamp() AS before, ksuid_new() AS id, clock_timestamp() AS after FROM generate_series(1, 10000);
-- they may be ahead of the clock as far as flakeid.max_ahead allows, never behind it
SELECT is_empty($$
    SELECT id, before, after FROM made, pg_temp.second_of(pg_temp.number_of_text(id::text)) AS s
    WHERE s NOT BETWEEN trunc(extract(epoch FROM before)) AND trunc(extract(epoch FROM after)) + 10
$$, 'new IDs have the current time');
SELECT is_empty($$
    SELECT id FROM made
    WHERE pg_temp.number_of_hex(encode(id::bytea, 'hex')) <> pg_temp.number_of_text(id::text)
       OR id::text !~ (SELECT pattern FROM flakeid_formats WHERE name = 'ksuid')
$$, 'new IDs: text and bytes agree');
SELECT is_empty($$
    SELECT t FROM (SELECT timestamptz '2014-05-14' + n * interval '1201 hours 7 minutes 11.013 seconds' AS t
                   FROM generate_series(0, 990) AS n) AS s
    WHERE pg_temp.second_of(pg_temp.number_of_text(ksuid_new_at(t)::text)) <> trunc(extract(epoch FROM t))
$$, 'those for instants are of these');

-- a seed changes nothing, and no random bits are repeated; only the generator's count is in order
SELECT setseed(0.5);
CREATE TEMPORARY TABLE seeded AS SELECT substr(ksuid_payload(ksuid_new()), 5) AS r FROM generate_series(1, 100);
SELECT setseed(0.5);
SELECT is_empty('SELECT r FROM seeded INTERSECT SELECT substr(ksuid_payload(ksuid_new()), 5) FROM generate_series(1, 100)',
    'a seed changes nothing');
SELECT ok(count(DISTINCT r) = 10000 AND avg((r > before)::int) BETWEEN 0.45 AND 0.55, 'random bits come once, and in no order')
FROM (SELECT substr(ksuid_payload(id), 5) AS r, lag(substr(ksuid_payload(id), 5)) OVER (ORDER BY id) AS before FROM made) AS s;
SELECT is_empty($$
    SELECT id FROM (SELECT id, lag(id) OVER (ORDER BY ctid) AS last_id FROM made) AS s WHERE id <= last_id
$$, 'new ones increase');

SELECT * FROM finish();
ROLLBACK;
