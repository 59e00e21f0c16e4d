-- flax: text, order, casts, time and generator. Random ones are in test/pgtap/new_ids.sql.
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- text
SELECT '0RdKJcxqVBiAiQr0'::flax;
SELECT '\x05ca55528f7680cb8bb9bdc1'::flax;
SELECT '\x05CA55528F7680CB8BB9BDC1'::flax;
SELECT flax '----------------', flax 'zzzzzzzzzzzzzzzz';
SELECT ''::flax;
SELECT '0RdKJcxqVBiAiQr'::flax;
SELECT '0RdKJcxqVBiAiQr00'::flax;
SELECT ' 0RdKJcxqVBiAiQr0'::flax;
SELECT '0RdKJcxqVBiAiQr+'::flax;
SELECT '\x05ca55528f7680cb8bb9bd'::flax;
SELECT '2026-01-01'::flax;

-- the same through text, varchar and char; text can be assigned to a column
CREATE TABLE f (id flax PRIMARY KEY, n int);
INSERT INTO f VALUES ('0RdKJcxqVBiAiQr0'::text, 1);
INSERT INTO f VALUES ('0RdKJcxqVBiAiQr1'::varchar, 2);
INSERT INTO f VALUES ('0RdKJcxqVBiAiQr2'::char(16), 3);
SELECT id, id::text = '0RdKJcxqVBiAiQr' || n - 1 AS text FROM f ORDER BY id;

-- binary
\copy f TO 'results/flax.data' (FORMAT binary)
DELETE FROM f;
\copy f FROM 'results/flax.data' (FORMAT binary)
SELECT * FROM f ORDER BY id DESC;
\copy (SELECT '\x05ca55528f7680cb8bb9bd'::bytea, 4) TO 'results/flax.data' (FORMAT binary)
\copy f FROM 'results/flax.data' (FORMAT binary)

-- comparison
SELECT a, b, a < b AS lt, a <= b AS le, a = b AS eq, a <> b AS ne, a >= b AS ge, a > b AS gt,
       _flakeid_functions.flax_cmp(a, b), _flakeid_functions.flax_smaller(a, b) = a AS smaller, _flakeid_functions.flax_larger(a, b) = a AS larger
FROM (VALUES (flax '---------------0', flax '---------------1'),
             ('---------------z', '---------------0'),
             ('z---------------', 'z---------------')) AS v(a, b);
SELECT min(id), max(id) FROM f;
SELECT array_agg(x ORDER BY x) FROM unnest('{zzzzzzzzzzzzzzzz,-zzzzzzzzzzzzzzz,0---------------,---------------0}'::flax[]) AS x;
SELECT count(DISTINCT x) FROM unnest('{zzzzzzzzzzzzzzzz,zzzzzzzzzzzzzzzz,0---------------}'::flax[]) AS x;

-- the hashes of a value never change
SELECT x, _flakeid_functions.flax_hash(x), _flakeid_functions.flax_hash_extended(x, 0), _flakeid_functions.flax_hash_extended(x, 42)
FROM unnest('{----------------,0RdKJcxqVBiAiQr0,zzzzzzzzzzzzzzzz}'::flax[]) AS x;

-- casts
SELECT x, x::bytea, x::bytea::flax = x AS bytea, x::uuid, x::uuid::flax = x AS uuid,
       x::numeric, x::numeric::flax = x AS number, x::timestamptz
FROM unnest('{----------------,0RdKJcxqVBiAiQr0,zzzzzzzzzzzzzzzz}'::flax[]) AS x;
SELECT 79228162514264337593543950335.000::flax, 1::numeric::flax;
SELECT 79228162514264337593543950336::flax;
SELECT (-1)::numeric::flax;
SELECT 1.5::flax;
SELECT 'NaN'::numeric::flax;
SELECT '-Infinity'::numeric::flax;
SELECT '\x05ca55528f7680cb8bb9bd'::bytea::flax;
SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid::flax;

-- time
SELECT flax_timestamp('0RdKJcxqVBiAiQr0');
SELECT t, flax_min(t), flax_max(t)
FROM unnest('{-infinity,2014-12-31 23:59:59.999999,2015-01-01,2015-01-01 00:00:00.000999,2015-01-01 00:00:00.001,
              2049-11-03 19:53:47.775999,2049-11-03 19:53:47.776,infinity}'::timestamptz[]) AS t;
SELECT flax_make('2015-10-15 20:10:25.807', 33355658962779585), flax_make('2015-10-15 20:10:25.807999', 0);
SELECT flax_random(flax_make('2049-11-03 19:53:47.775999', 72057594037927935));
SELECT flax_make('2026-01-01', -1);
SELECT flax_make('2026-01-01', 72057594037927936);
SELECT flax_make('2014-12-31 23:59:59.999999', 0);
SELECT flax_make('2049-11-03 19:53:47.776', 0);
SELECT flax_new_at('infinity');
SELECT flax_new_at(NULL) IS NULL, flax_make(NULL, 0) IS NULL;
\x
SELECT * FROM flax_inspect('0RdKJcxqVBiAiQr0');
\x

-- new IDs: distinct, with the current time, in the order of time, and with 56 random bits. 50,000
-- of them empty the buffer of random bytes, which is enough for 512 IDs, 97 times.
SELECT clock_timestamp() AS t0 \gset
CREATE TABLE g AS SELECT n, flax_new() AS id FROM generate_series(1, 50000) AS n;
SELECT count(DISTINCT id), count(DISTINCT flax_random(id)) FROM g;
SELECT bool_and(flax_timestamp(id) BETWEEN date_trunc('milliseconds', timestamptz :'t0') AND clock_timestamp() + '10 s') FROM g;
SELECT count(*) FILTER (WHERE flax_timestamp(id) < flax_timestamp(before)) AS back
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM g) AS s;
SELECT count(*) AS bits, bool_and(share BETWEEN 40 AND 60) AS even
FROM (SELECT bit, 100.0 * sum(flax_random(id) >> bit & 1) / count(*) AS share
      FROM g, generate_series(0, 55) AS bit WHERE n <= 10000 GROUP BY bit) AS s;
-- neighbours are independent: half of their bits agree, too
SELECT bool_and(share BETWEEN 40 AND 60) AS even
FROM (SELECT bit, 100.0 * sum((flax_random(id) # flax_random(before)) >> bit & 1) / count(*) AS share
      FROM (SELECT n, id, lag(id) OVER (ORDER BY n) AS before FROM g WHERE n <= 10000) AS s,
           generate_series(0, 55) AS bit WHERE before IS NOT NULL GROUP BY bit) AS t;
SELECT count(DISTINCT id), min(flax_timestamp(id)), max(flax_timestamp(id))
FROM (SELECT flax_new_at('2020-02-29 12:00:00.123456') AS id FROM generate_series(1, 2000)) AS s;

-- a backend that waited longer than a second draws new random bytes
SELECT flax_new() AS a \gset
SELECT pg_sleep(1.1);
SELECT flax_new() > :'a' AS later;

-- indexes
CREATE INDEX g_id ON g (id);
CREATE INDEX g_hash ON g USING hash (id);
ANALYZE g;
SELECT id AS one FROM g WHERE n = 777 \gset
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT n FROM g WHERE id = :'one';
SELECT count(*) FROM g WHERE id >= flax_min(:'t0') AND id <= flax_max(clock_timestamp());
EXPLAIN (COSTS OFF) SELECT id FROM g ORDER BY id DESC LIMIT 1;
DROP INDEX g_id;
EXPLAIN (COSTS OFF) SELECT n FROM g WHERE id = '0RdKJcxqVBiAiQr0';
SELECT n FROM g WHERE id = :'one';
RESET enable_seqscan;
RESET enable_bitmapscan;

-- sorted by abbreviated keys and by text, which is the same order
SELECT count(*) FROM (SELECT id, row_number() OVER (ORDER BY id) AS a,
                             row_number() OVER (ORDER BY id::text COLLATE "C") AS b FROM g) AS s
WHERE a <> b;

DROP TABLE f, g;
