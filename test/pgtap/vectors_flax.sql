-- The reference's vectors for flax, and new IDs read by a second implementation,
-- in numeric arithmetic. F1 .. F7 are the faults listed in docs/flax.md.
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
BEGIN;
SET LOCAL timezone = 'UTC';

CREATE TEMPORARY TABLE flax_vectors (
    hex text, text text, ms_since_2015 numeric, unix_ms numeric, random56_hex text, note text
);
CREATE TEMPORARY TABLE flax_order (text_a text, text_b text, cmp int);
CREATE TEMPORARY TABLE flax_quirks (
    unix_seconds numeric, random56_hex text, id_num numeric, text text, note text
);
\copy flax_vectors FROM 'test/vectors/flax.tsv' (FORMAT text, HEADER)
\copy flax_order FROM 'test/vectors/flax_order.tsv' (FORMAT text, HEADER)
\copy flax_quirks FROM 'test/vectors/flax_quirks.tsv' (FORMAT text, HEADER)

-- the second implementation: a text as the number of its digits in base 64
CREATE FUNCTION pg_temp.number_of(text text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    n numeric := 0;
BEGIN
    FOR i IN 1 .. length(text) LOOP
        n := n * 64 + position(substr(text, i, 1) IN '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz') - 1;
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
    SELECT timestamptz 'epoch' + make_interval(hours => div(ms, 3600000)::int)
        + mod(ms, 3600000)::int * interval '1 ms'
$$;

SELECT plan(18 + (SELECT count(*)::int FROM flax_quirks WHERE note NOT LIKE 'FLOAT%') * 2);

-- flax.tsv

SELECT is(count(*)::int, 309, 'flax.tsv: all rows') FROM flax_vectors;
SELECT is_empty($$
    SELECT text FROM flax_vectors
    WHERE text::flax::text IS DISTINCT FROM text
       OR text::flax::bytea IS DISTINCT FROM decode(hex, 'hex')
       OR decode(hex, 'hex')::flax IS DISTINCT FROM text::flax
       OR ('\x' || hex)::flax IS DISTINCT FROM text::flax
       OR _flakeid_functions.flax_send(text::flax) IS DISTINCT FROM decode(hex, 'hex')
$$, 'text and bytes of every row, both ways');
SELECT is_empty($$
    SELECT text FROM flax_vectors
    WHERE pg_temp.us(text::flax::timestamptz) <> unix_ms * 1000
       OR flax_random(text::flax) <> pg_temp.number_of_hex(random56_hex)
       OR flax_make(pg_temp.at_ms(unix_ms), pg_temp.number_of_hex(random56_hex)::bigint) <> text::flax
$$, 'parts of every row, both ways');
SELECT is_empty($$
    SELECT text FROM flax_vectors
    WHERE text::flax::numeric <> ms_since_2015 * 72057594037927936 + pg_temp.number_of_hex(random56_hex)
       OR text::flax::numeric <> pg_temp.number_of(text)
       OR pg_temp.number_of(text)::flax <> text::flax
$$, 'the number of every row, both ways');
SELECT is_empty($$
    SELECT text FROM flax_vectors
    WHERE replace(text::flax::uuid::text, '-', '') <> encode(text::bytea, 'hex')
       OR text::flax::uuid::flax <> text::flax
$$, 'the uuid of every row is its characters, and the way back');
SELECT is_empty($$
    SELECT text FROM flax_vectors, pg_temp.at_ms(unix_ms) AS t
    WHERE flax_min(t)::numeric <> ms_since_2015 * 72057594037927936
       OR flax_max(t)::numeric <> (ms_since_2015 + 1) * 72057594037927936 - 1
       OR flax_min(t - interval '999 us') <> flax_min(t)
       OR flax_max(t + interval '999 us') <> flax_max(t)
$$, 'least and greatest ID of every row''s millisecond');
SELECT results_eq(
    'SELECT text COLLATE "C" FROM flax_vectors ORDER BY text::flax, note',
    'SELECT text COLLATE "C" FROM flax_vectors ORDER BY text COLLATE "C", note',
    'IDs sort as their texts in the C collation');

-- flax_order.tsv

SELECT is(count(*)::int, 54, 'flax_order.tsv: all rows') FROM flax_order;
SELECT is_empty($$
    SELECT text_a, text_b FROM flax_order, CAST(text_a AS flax) AS a, CAST(text_b AS flax) AS b
    WHERE _flakeid_functions.flax_cmp(a, b) <> cmp OR (a < b) <> (cmp < 0) OR (a <= b) <> (cmp <= 0) OR (a = b) <> (cmp = 0)
       OR (a <> b) <> (cmp <> 0) OR (a >= b) <> (cmp >= 0) OR (a > b) <> (cmp > 0)
$$, 'every operator agrees with every row');

-- flax_quirks.tsv

SELECT is(count(*)::int, 16, 'flax_quirks.tsv: all rows') FROM flax_quirks;
-- the reference's number is right unless it is an ID
SELECT throws_ok(format('SELECT flax_make(pg_temp.at_ms(%s * 1000), %s)', unix_seconds, pg_temp.number_of_hex(random56_hex)),
    '22008', NULL, 'F1, F2: no ID for second ' || unix_seconds)
FROM flax_quirks WHERE note NOT LIKE 'FLOAT%';
SELECT throws_ok(format('SELECT %L::numeric::flax', id_num),
    '22003', NULL, 'F1, F2: no ID of number ' || id_num)
FROM flax_quirks WHERE note NOT LIKE 'FLOAT%';
SELECT is_empty($$
    SELECT text FROM flax_quirks
    WHERE note LIKE 'FLOAT%'
      AND (text::flax::numeric <> id_num OR id_num::flax <> text::flax)
$$, 'the reference''s number and text are of one ID');
SELECT is_empty($$
    SELECT text FROM flax_quirks
    WHERE note LIKE 'FLOAT%'
      AND flax_make(pg_temp.at_ms(unix_seconds * 1000), 0)::numeric - id_num
          <> CASE WHEN note LIKE '%lose one ms%' THEN 72057594037927936 ELSE 0 END
$$, 'F4: where the reference loses a millisecond we do not');

-- F3: a false timestamp does not mean "now" but its value
SELECT throws_ok('SELECT flax_new_at(''1970-01-01 00:00:00+00'')', '22008', NULL, 'F3: 1970 is an instant, and out of range');
SELECT ok(flax_new_at(NULL) IS NULL, 'F3: NULL is NULL');

-- F5: the reference's generator can be predicted from its output; ours is the
-- system's. A test can check that nothing a session may set changes it.
SELECT setseed(0.5);
CREATE TEMPORARY TABLE seeded AS SELECT flax_random(flax_new()) AS r FROM generate_series(1, 100);
SELECT setseed(0.5);
SELECT is_empty('SELECT r FROM seeded INTERSECT SELECT flax_random(flax_new()) FROM generate_series(1, 100)',
    'F5: a seed changes nothing');

-- new IDs, read by the second implementation

CREATE TEMPORARY TABLE made AS
SELECT clock_timestamp() AS before, flax_new() AS id, clock_timestamp() AS after FROM generate_series(1, 10000);
-- they may be ahead of the clock as far as flakeid.max_ahead allows, never behind it
SELECT is_empty($$
    SELECT id, before, after FROM made, div(pg_temp.number_of(id::text), 72057594037927936) AS ms
    WHERE ms + 1420070400000 NOT BETWEEN trunc(pg_temp.us(before) / 1000) AND trunc(pg_temp.us(after) / 1000) + 10000
$$, 'new IDs have the current time');
SELECT is_empty($$
    SELECT id FROM made
    WHERE mod(pg_temp.number_of(id::text), 72057594037927936) <> flax_random(id)
       OR pg_temp.number_of_hex(encode(id::bytea, 'hex')) <> pg_temp.number_of(id::text)
       OR id::text !~ (SELECT pattern FROM flakeid_formats WHERE name = 'flax')
$$, 'new IDs: text, bytes and random bits agree');
SELECT is_empty($$
    SELECT t FROM (SELECT timestamptz '2015-01-01' + n * interval '305 hours 7 minutes 11.013 seconds' AS t
                   FROM generate_series(0, 990) AS n) AS s
    WHERE div(pg_temp.number_of(flax_new_at(t)::text), 72057594037927936) + 1420070400000 <> trunc(pg_temp.us(t) / 1000)
$$, 'IDs for instants are of these');

SELECT * FROM finish();
ROLLBACK;
