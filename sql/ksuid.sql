-- ksuid: text, order, casts, time and generator. Random ones are in test/pgtap/new_ids.sql.
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- text
SELECT '0ujtsYcgvSTl8PAuAdqWYSMnLOv'::ksuid;
SELECT '\x0669f7efb5a1cd34b5f99d1154fb6853345c9735'::ksuid;
SELECT ksuid '000000000000000000000000000', ksuid 'aWgEPTl1tmebfsQzFP4bxwgy80V';
-- a letter in the other case is a different ID
SELECT '0UJTSYCGVSTL8PAUADQWYSMNLOV'::ksuid = '0ujtsycgvstl8pauadqwysmnlov'::ksuid AS same;
SELECT ''::ksuid;
SELECT '0ujtsYcgvSTl8PAuAdqWYSMnLO'::ksuid;
SELECT '0ujtsYcgvSTl8PAuAdqWYSMnLOv0'::ksuid;
SELECT ' 0ujtsYcgvSTl8PAuAdqWYSMnLOv'::ksuid;
SELECT '0ujtsYcgvSTl8PAuAdqWYSMnLO-'::ksuid;
SELECT 'aWgEPTl1tmebfsQzFP4bxwgy80W'::ksuid;
SELECT 'zzzzzzzzzzzzzzzzzzzzzzzzzzz'::ksuid;
SELECT '\x0669f7efb5a1cd34b5f99d1154fb6853345c97'::ksuid;
SELECT '2026-01-01'::ksuid;

-- the same through text, varchar and char; text can be assigned to a column
CREATE TABLE f (id ksuid PRIMARY KEY, n int);
INSERT INTO f VALUES ('0ujtsYcgvSTl8PAuAdqWYSMnLO0'::text, 1);
INSERT INTO f VALUES ('0ujtsYcgvSTl8PAuAdqWYSMnLO1'::varchar, 2);
INSERT INTO f VALUES ('0ujtsYcgvSTl8PAuAdqWYSMnLO2'::char(27), 3);
SELECT id, id::text = '0ujtsYcgvSTl8PAuAdqWYSMnLO' || n - 1 AS text FROM f ORDER BY id;

-- binary
\copy f TO 'results/ksuid.data' (FORMAT binary)
DELETE FROM f;
\copy f FROM 'results/ksuid.data' (FORMAT binary)
SELECT * FROM f ORDER BY id DESC;
\copy (SELECT '\x0669f7efb5a1cd34b5f99d1154fb6853345c97'::bytea, 4) TO 'results/ksuid.data' (FORMAT binary)
\copy f FROM 'results/ksuid.data' (FORMAT binary)

-- comparison, with the difference in the first eight bytes, in the next or in the last four
SELECT a, b, a < b AS lt, a <= b AS le, a = b AS eq, a <> b AS ne, a >= b AS ge, a > b AS gt,
       _flakeid_functions.ksuid_cmp(a, b), _flakeid_functions.ksuid_smaller(a, b) = a AS smaller, _flakeid_functions.ksuid_larger(a, b) = a AS larger
FROM (VALUES (ksuid '\x0000000000000000000000000000000000000000', ksuid '\x0000000000000001000000000000000000000000'),
             ('\x00000000000000000000000000000001ffffffff', '\x0000000000000000000000000000000200000000'),
             ('\x0000000000000000000000000000000000000002', '\x0000000000000000000000000000000000000001'),
             ('\xff00000000000000000000000000000000000001', '\xff00000000000000000000000000000000000001')) AS v(a, b);
SELECT min(id), max(id) FROM f;
SELECT array_agg(x ORDER BY x) FROM unnest('{aWgEPTl1tmebfsQzFP4bxwgy80V,0000000000000000000000000zz,0ujtsYcgvSTl8PAuAdqWYSMnLOv,000000000000000000000000001}'::ksuid[]) AS x;
SELECT count(DISTINCT x) FROM unnest('{0ujtsYcgvSTl8PAuAdqWYSMnLOv,0ujtsYcgvSTl8PAuAdqWYSMnLOV,000000000000000000000000000}'::ksuid[]) AS x;
-- how far one is after the other; the last bytes alone show it
SELECT _flakeid_functions.ksuid_brin_distance(a, b) AS there, _flakeid_functions.ksuid_brin_distance(b, a) AS back, d
FROM (VALUES (ksuid '\x0000000000000000000000000000000000000000', ksuid '\x0000000000000000000000000000000000000007', 7),
             ('\x00000000000000000000000000000000ffffffff', '\x0000000000000000000000000000000100000000', 1),
             ('\x00000000000000010000000000000000000000ff', '\x000000000000000100000000000000010000000f', 4294967056),
             ('\x0000000000000000ffffffffffffffffffffffff', '\x0000000000000001000000000000000000000000', 1)) AS v(a, b, d);

-- the hashes of a value never change
SELECT x, _flakeid_functions.ksuid_hash(x), _flakeid_functions.ksuid_hash_extended(x, 0), _flakeid_functions.ksuid_hash_extended(x, 42)
FROM unnest('{000000000000000000000000000,0ujtsYcgvSTl8PAuAdqWYSMnLOv,aWgEPTl1tmebfsQzFP4bxwgy80V}'::ksuid[]) AS x;

-- casts
SELECT x, x::bytea, x::bytea::ksuid = x AS bytea, x::timestamptz
FROM unnest('{000000000000000000000000000,0ujtsYcgvSTl8PAuAdqWYSMnLOv,aWgEPTl1tmebfsQzFP4bxwgy80V}'::ksuid[]) AS x;
SELECT '\x0669f7efb5a1cd34b5f99d1154fb6853345c97'::bytea::ksuid;

-- time
SELECT ksuid_timestamp(ksuid '0ujtsYcgvSTl8PAuAdqWYSMnLOv');
SELECT t, ksuid_min(t), ksuid_max(t)
FROM unnest('{-infinity,2014-05-13 16:53:19.999999,2014-05-13 16:53:20,2014-05-13 16:53:20.999999,2014-05-13 16:53:21,
              2150-06-19 23:21:35.999999,2150-06-19 23:21:36,infinity}'::timestamptz[]) AS t;
SELECT ksuid_make('2017-10-10 04:00:47', '\xb5a1cd34b5f99d1154fb6853345c9735'), ksuid_make('2017-10-10 04:00:47.999999', '\x00000000000000000000000000000000');
SELECT ksuid_payload(ksuid_make('2150-06-19 23:21:35.999999', '\xffffffffffffffffffffffffffffffff'));
SELECT ksuid_make('2026-01-01', '\xb5a1cd34b5f99d1154fb6853345c97');
SELECT ksuid_make('2026-01-01', '\xb5a1cd34b5f99d1154fb6853345c973500');
SELECT ksuid_make('2014-05-13 16:53:19.999999', '\xb5a1cd34b5f99d1154fb6853345c9735');
SELECT ksuid_make('2150-06-19 23:21:36', '\xb5a1cd34b5f99d1154fb6853345c9735');
SELECT ksuid_new_at('infinity');
SELECT ksuid_new_at(NULL) IS NULL, ksuid_make(NULL, '\x00') IS NULL;
\x
SELECT * FROM ksuid_inspect('0ujtsYcgvSTl8PAuAdqWYSMnLOv');
\x

-- new IDs: distinct, with the current time, each greater than the previous one
SELECT clock_timestamp() AS t0 \gset
CREATE TABLE g AS SELECT n, ksuid_new() AS id FROM generate_series(1, 50000) AS n;
SELECT count(DISTINCT id) FROM g;
SELECT bool_and(ksuid_timestamp(id) BETWEEN date_trunc('seconds', timestamptz :'t0') AND clock_timestamp() + '10 s') FROM g;
SELECT count(*) FILTER (WHERE id <= before) AS back FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM g) AS s;
-- the first bits after the time are a counter; if they were random, half of them would be above
CREATE FUNCTION pg_temp.counter(id ksuid) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN (
    SELECT sum(get_byte(id::bytea, i)::bigint << 8 * (7 - i))::bigint >> 4 FROM generate_series(4, 7) AS i);
SELECT count(*) FILTER (WHERE pg_temp.counter(id) < 1 << 27) FROM g WHERE n <= 1000;
-- the unpredictable part: 100 bits
SELECT count(*) AS bits, bool_and(share BETWEEN 40 AND 60) AS even
FROM (SELECT bit, 100.0 * sum(get_bit(id::bytea, bit)) / count(*) AS share
      FROM g, generate_series(64, 159) AS bit WHERE n <= 10000 GROUP BY bit
      UNION ALL
      SELECT bit, 100.0 * sum(get_byte(id::bytea, 7) >> bit & 1) / count(*)
      FROM g, generate_series(0, 3) AS bit WHERE n <= 10000 GROUP BY bit) AS s;

-- to backfill: of the instant, distinct, and a session's own increase
SELECT count(DISTINCT id), min(ksuid_timestamp(id)), max(ksuid_timestamp(id)), count(*) FILTER (WHERE id <= before) AS back
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before
      FROM (SELECT n, ksuid_new_at('2020-02-29 12:00:00.123456') AS id FROM generate_series(1, 20000) AS n) AS s) AS t;

-- one generator, that of number 0
SELECT type, number, capacity, sequence_min, sequence_max FROM flakeid_generators WHERE type = 'ksuid';

-- indexes
CREATE INDEX g_id ON g (id);
CREATE INDEX g_hash ON g USING hash (id);
ANALYZE g;
SELECT id AS one FROM g WHERE n = 777 \gset
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT n FROM g WHERE id = :'one';
SELECT count(*) FROM g WHERE id >= date_trunc('seconds', timestamptz :'t0') AND id < clock_timestamp();
EXPLAIN (COSTS OFF) SELECT n FROM g WHERE id >= timestamptz '2026-01-01' AND id < timestamptz '2026-02-01';
EXPLAIN (COSTS OFF) SELECT n FROM g WHERE ksuid_timestamp(id) >= timestamptz '2026-01-01';
EXPLAIN (COSTS OFF) SELECT id FROM g ORDER BY id DESC LIMIT 1;
DROP INDEX g_id;
EXPLAIN (COSTS OFF) SELECT n FROM g WHERE id = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
SELECT n FROM g WHERE id = :'one';
RESET enable_seqscan;
RESET enable_bitmapscan;

-- sorted by abbreviated keys and by text
SELECT count(*) FROM (SELECT id, row_number() OVER (ORDER BY id) AS a, row_number() OVER (ORDER BY id::text COLLATE "C") AS b FROM g) AS s
WHERE a <> b;

DROP TABLE f, g;

-- the next and the previous one, across the end of a second, and at the ends
SELECT id, ksuid_next(id), ksuid_prev(id), ksuid_prev(ksuid_next(id)) = id AND ksuid_next(ksuid_prev(id)) = id AS back
FROM unnest('{0ujtsYcgvSTl8PAuAdqWYSMnLOv,0ujzPyRiIAffKhBux4PvQdDqMHY}'::ksuid[]) AS id;
SELECT ksuid_next(ksuid_max('2020-01-01')) = ksuid_min('2020-01-01 00:00:01') AS next, ksuid_prev(ksuid_min('2020-01-01')) = ksuid_max('2019-12-31 23:59:59') AS prev;
SELECT ksuid_next(ksuid_max('infinity'));
SELECT ksuid_prev(ksuid_min('-infinity'));
