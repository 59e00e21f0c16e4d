-- snowflake: text, order, numbers, time and generator. Its vectors are in test/pgtap.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;
RESET client_min_messages;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET intervalstyle = 'postgres';

-- text
SELECT '175928847299117063'::snowflake;
SELECT '\x0271065ac1020007'::snowflake;
SELECT snowflake '0', snowflake '18446744073709551615';
SELECT ''::snowflake;
SELECT '-1'::snowflake;
SELECT '007'::snowflake;
SELECT ' 7'::snowflake;
SELECT '18446744073709551616'::snowflake;
SELECT '0x7'::snowflake;
SELECT '\x0271065ac102'::snowflake;
SELECT '2026-01-01'::snowflake;

-- the same through text, varchar and char; a column takes text by assignment
CREATE TABLE s (id snowflake PRIMARY KEY, n int);
INSERT INTO s VALUES ('1'::text, 1);
INSERT INTO s VALUES ('2'::varchar, 2);
INSERT INTO s VALUES ('9223372036854775808'::char(19), 3);

-- binary
\copy s TO 'results/snowflake.data' (FORMAT binary)
DELETE FROM s;
\copy s FROM 'results/snowflake.data' (FORMAT binary)
SELECT * FROM s ORDER BY id DESC;
\copy (SELECT '\x0271065ac1'::bytea, 4) TO 'results/snowflake.data' (FORMAT binary)
\copy s FROM 'results/snowflake.data' (FORMAT binary)

-- comparison: unsigned
SELECT a, b, a < b AS lt, a <= b AS le, a = b AS eq, a <> b AS ne, a >= b AS ge, a > b AS gt,
       snowflake_cmp(a, b), snowflake_smaller(a, b) = a AS smaller, snowflake_larger(a, b) = a AS larger
FROM (VALUES (snowflake '255', snowflake '256'),
             ('9223372036854775808', '9223372036854775807'),
             ('18446744073709551615', '0'),
             ('5', '5')) AS v(a, b);
SELECT min(id), max(id) FROM s;
SELECT array_agg(x ORDER BY x) FROM unnest('{18446744073709551615,0,9223372036854775808,9223372036854775807,256,255}'::snowflake[]) AS x;
SELECT count(DISTINCT x) FROM unnest('{256,1,256}'::snowflake[]) AS x;

-- the hashes of a value never change
SELECT x, snowflake_hash(x), snowflake_hash_extended(x, 0), snowflake_hash_extended(x, 42)
FROM unnest('{0,175928847299117063,18446744073709551615}'::snowflake[]) AS x;

-- casts
SELECT x, x::bytea, x::bytea::snowflake = x AS bytea, x::numeric, x::numeric::snowflake = x AS number, x::timestamptz
FROM unnest('{0,175928847299117063,18446744073709551615}'::snowflake[]) AS x;
SELECT '9223372036854775807'::snowflake::bigint, 9223372036854775807::snowflake;
SELECT '9223372036854775808'::snowflake::bigint;
SELECT (-1)::snowflake;
SELECT (-9223372036854775808)::snowflake;
SELECT 18446744073709551615::snowflake, 7.0::snowflake;
SELECT 18446744073709551616::snowflake;
SELECT 1.5::snowflake;
SELECT (-1)::numeric::snowflake;
SELECT 'NaN'::numeric::snowflake;
SELECT 'Infinity'::numeric::snowflake;
SELECT '\x0271065ac102000700'::bytea::snowflake;

-- numbers beside IDs: the operators are the IDs', and the index is used
INSERT INTO s SELECT n, n FROM generate_series(4, 1000) AS n;
INSERT INTO s VALUES (175928847299117063, 0);
ANALYZE s;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id = 175928847299117063;
SELECT n FROM s WHERE id = 175928847299117063;
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id = '175928847299117063';
SELECT n FROM s WHERE id = '175928847299117063';
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id IN (1, 2);
SELECT n FROM s WHERE id IN (1, 2);
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id IN (1, 175928847299117063, '2');
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id < 5;
SELECT n FROM s WHERE id < 5;
SELECT n FROM s WHERE 5 > id;
SELECT count(*) FROM s WHERE id BETWEEN 10 AND 19;
SET plan_cache_mode = force_generic_plan;
PREPARE by_bigint(bigint) AS SELECT n FROM s WHERE id = $1;
PREPARE by_bigints(bigint[]) AS SELECT n FROM s WHERE id = ANY ($1);
PREPARE by_int(int) AS SELECT n FROM s WHERE id = $1;
PREPARE by_smallint(smallint) AS SELECT n FROM s WHERE id = $1;
PREPARE by_any AS SELECT n FROM s WHERE id = $1;
EXPLAIN (COSTS OFF) EXECUTE by_bigint(175928847299117063);
EXECUTE by_bigint(175928847299117063);
EXPLAIN (COSTS OFF) EXECUTE by_bigints('{1,2}');
EXECUTE by_bigints('{1,2}');
EXECUTE by_int(7);
EXECUTE by_smallint(7);
EXECUTE by_any('175928847299117063');
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_bitmapscan;
-- one type for both
SELECT pg_typeof(coalesce(id, 0)), pg_typeof(CASE WHEN n = 0 THEN 0 ELSE id END), pg_typeof(ARRAY[1, id]) FROM s WHERE n = 0;
SELECT 5 UNION SELECT id FROM s WHERE n = 3 ORDER BY 1;
-- and beside a bigint column
CREATE TABLE b (id bigint);
INSERT INTO b SELECT id FROM s WHERE n BETWEEN 4 AND 6;
INSERT INTO b SELECT id FROM s WHERE n = 3;
SELECT s.n FROM s JOIN b ON s.id = b.id ORDER BY s.n;
-- numbers among themselves remain what they were
SELECT 1 = 1::bigint AS a, 1 < 2.5 AS b, '5' = 5 AS c, 1::smallint = 1 AS d, 1::oid = 1 AS e, pg_typeof(coalesce(1, 2::bigint)) AS f;
\set VERBOSITY terse
SELECT id + 1 FROM s;
SELECT n FROM s WHERE id = 1.5;
\set VERBOSITY default

-- time
SELECT snowflake_timestamp('175928847299117063');
SELECT snowflake_timestamp('175928847299117063', '2015-01-01'), snowflake_timestamp('175928847299117063', '2010-11-04 01:42:54.657');
SELECT t, snowflake_min(t), snowflake_max(t)
FROM unnest('{-infinity,2014-12-31 23:59:59.999999,2015-01-01,2015-01-01 00:00:00.000999,2015-01-01 00:00:00.001,
              2154-05-15 07:35:11.103999,2154-05-15 07:35:11.104,infinity}'::timestamptz[]) AS t;
SELECT t, snowflake_min(t, e), snowflake_max(t, e), snowflake_timestamp(snowflake_min(t, e), e) = t AS back
FROM unnest('{-infinity,2020-06-01 00:00:00.000122,2020-06-01 00:00:00.000123,2020-06-01 00:00:00.001123,
              2159-10-14 07:35:11.104122,2159-10-14 07:35:11.104123,294276-12-31,infinity}'::timestamptz[]) AS t,
     (VALUES (timestamptz '2020-06-01 00:00:00.000123')) AS v(e);
SELECT snowflake_make('2016-04-30 11:18:25.796', 1, 0, 7), snowflake_make('2016-04-30 11:18:25.796', 1, 0, 7, '2015-01-01');
SELECT snowflake_make('2025-01-02 03:04:05.678', 31, 31, 4095, '2025-01-01');
-- epochs from the first to the last that fits
SELECT snowflake_make(e, 0, 0, 0, e), snowflake_timestamp('18446744073709551615', e), snowflake_max('infinity', e), snowflake_min('-infinity', e)
FROM unnest('{4714-11-24 BC,1970-01-01,294107-08-28 20:25:43.671807}'::timestamptz[]) AS e;
SELECT snowflake_timestamp('0', 'infinity');
SELECT snowflake_timestamp('0', '-infinity');
SELECT snowflake_timestamp('0', '294107-08-28 20:25:43.671808');
SELECT snowflake_min('2020-01-01', '294276-12-31');
SELECT snowflake_new('infinity');
SELECT snowflake_make('2026-01-01', 32, 0, 0);
SELECT snowflake_make('2026-01-01', 0, -1, 0);
SELECT snowflake_make('2026-01-01', 0, 0, 4096);
SELECT snowflake_make('2014-12-31 23:59:59.999999', 0, 0, 0);
SELECT snowflake_make('2154-05-15 07:35:11.104', 0, 0, 0);
SELECT snowflake_make('2019-12-31', 0, 0, 0, '2020-01-01');
SELECT snowflake_new_at('infinity');
SELECT snowflake_new(NULL) IS NULL, snowflake_new_at(NULL) IS NULL;
-- the clock is no instant of an epoch before 1887 or after now
\set VERBOSITY sqlstate
SELECT snowflake_new('1800-01-01');
SELECT snowflake_new(now() + interval '1 day');
\set VERBOSITY default
\x
SELECT * FROM snowflake_inspect('175928847299117063');
\x

-- other notations
SELECT f, snowflake_format(175928847299117063, f), snowflake_format(0, f) AS zero, snowflake_format('18446744073709551615', f) AS greatest
FROM unnest('{b,c,0c,d,l,o,x}'::text[]) AS f;
SELECT bool_and(snowflake_parse(snowflake_format(id, f), f) = id) FROM s, unnest('{b,c,0c,d,l,o,x}'::text[]) AS f;
-- zeros in front and the other case are read, too
SELECT snowflake_parse('0271065AC1020007', 'x'), snowflake_parse('O9RGCPPLO8OOE', 'c'), snowflake_parse('000007', 'd');
SELECT snowflake_parse('10000000000000000', 'x');
SELECT snowflake_parse('g', 'x');
SELECT snowflake_parse('09RGCPP10800F', 'c');
SELECT snowflake_parse('1', 'b');
SELECT snowflake_parse('18446744073709551616', 'd');
SELECT snowflake_parse('-1', 'd');
SELECT snowflake_format(1, 'u');
SELECT snowflake_parse('1', '');

-- new IDs: distinct, increasing, of now, and of this server's worker
SELECT clock_timestamp() AS t0 \gset
CREATE TABLE g AS SELECT n, snowflake_new() AS id FROM generate_series(1, 100000) AS n;
SELECT count(DISTINCT id) FROM g;
SELECT count(*) FILTER (WHERE id <= before) AS not_increasing
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM g) AS s;
SELECT bool_and(snowflake_worker(id) = (SELECT snowflake_worker FROM flakeid_clock)) AS worker,
       count(DISTINCT snowflake_process(id)) AS processes FROM g;
SELECT bool_and(snowflake_timestamp(id) BETWEEN date_trunc('milliseconds', timestamptz :'t0')
                AND clock_timestamp() + interval '10 seconds') AS now FROM g;
-- one sequence for all epochs: the same IDs but for the epoch's distance
CREATE TABLE h AS SELECT n, snowflake_new() AS a, snowflake_new('2020-01-01') AS b FROM generate_series(1, 10000) AS n;
SELECT count(DISTINCT a), count(DISTINCT b), count(*) FILTER (WHERE a <= before_a OR b <= before_b) AS not_increasing
FROM (SELECT a, b, lag(a) OVER (ORDER BY n) AS before_a, lag(b) OVER (ORDER BY n) AS before_b FROM h) AS s;
SELECT count(DISTINCT x)
FROM (SELECT a::bytea AS x FROM h UNION ALL
      SELECT snowflake_make(snowflake_timestamp(b, '2020-01-01'), snowflake_worker(b), snowflake_process(b), snowflake_sequence(b))::bytea FROM h) AS s;
SELECT bool_and(snowflake_timestamp(b, '2020-01-01') >= snowflake_timestamp(a)) FROM h;
-- for an instant: the 131072 numbers of process and sequence, then again
SELECT count(DISTINCT id), count(DISTINCT snowflake_process(id)), count(DISTINCT snowflake_sequence(id)), min(snowflake_timestamp(id)), max(snowflake_timestamp(id)),
       bool_and(snowflake_worker(id) = (SELECT snowflake_worker FROM flakeid_clock)) AS worker
FROM (SELECT snowflake_new_at('2020-02-29 12:00:00.123456') AS id FROM generate_series(1, 131073)) AS s;

-- sorted by abbreviated keys and by number, which is the same order
SELECT count(*) FROM (SELECT id, row_number() OVER (ORDER BY id) AS a,
                             row_number() OVER (ORDER BY id::numeric) AS b FROM g) AS s
WHERE a <> b;

-- a hash index
CREATE INDEX g_hash ON g USING hash (id);
SELECT id AS one FROM g WHERE n = 777 \gset
SET enable_seqscan = off;
SELECT n FROM g WHERE id = :one;
RESET enable_seqscan;

DROP TABLE s, b, g, h;
