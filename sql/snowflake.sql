-- snowflake: text, order, numbers, time and generator. Random ones are in test/pgtap/new_ids.sql.
\getenv dir PG_ABS_SRCDIR
\set lines 'Scan|Filter|Cond'
\i :dir/sql/plans.psql

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

-- the same through text, varchar and char; text can be assigned to a column
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
       _flakeid_functions.snowflake_cmp(a, b), _flakeid_functions.snowflake_smaller(a, b) = a AS smaller, _flakeid_functions.snowflake_larger(a, b) = a AS larger
FROM (VALUES (snowflake '255', snowflake '256'),
             ('9223372036854775808', '9223372036854775807'),
             ('18446744073709551615', '0'),
             ('5', '5')) AS v(a, b);
SELECT min(id), max(id) FROM s;
SELECT array_agg(x ORDER BY x) FROM unnest('{18446744073709551615,0,9223372036854775808,9223372036854775807,256,255}'::snowflake[]) AS x;
SELECT count(DISTINCT x) FROM unnest('{256,1,256}'::snowflake[]) AS x;

-- the hashes of a value never change
SELECT x, _flakeid_functions.snowflake_hash(x), _flakeid_functions.snowflake_hash_extended(x, 0), _flakeid_functions.snowflake_hash_extended(x, 42)
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

-- comparisons of IDs with numbers: the index is used
INSERT INTO s SELECT n, n FROM generate_series(4, 1000) AS n;
INSERT INTO s VALUES (175928847299117063, 0);
ANALYZE s;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id = 175928847299117063;
SELECT n FROM s WHERE id = 175928847299117063;
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id = '175928847299117063';
SELECT n FROM s WHERE id = '175928847299117063';
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id = 5::int4 AND id <> 6::smallint;
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id = ANY ('{1,2}'::bigint[]);
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id < ANY ('{4,5}'::bigint[]);
SELECT n FROM s WHERE id < ANY ('{4,5}'::bigint[]);
EXPLAIN (COSTS OFF) SELECT n FROM s WHERE id < 5;
SELECT n FROM s WHERE id < 5;
SELECT n FROM s WHERE 5 > id;
EXPLAIN (COSTS OFF) SELECT count(*) FROM s WHERE id BETWEEN 10 AND 19;
SELECT count(*) FROM s WHERE id BETWEEN 10 AND 19;
SET enable_bitmapscan = on;
SELECT n FROM s WHERE id IN (1, 2);
SELECT n FROM s WHERE id IN (1, 175928847299117063, '2') ORDER BY n;
SELECT count(*) FROM s WHERE id NOT IN (1, 2);
SELECT count(*) FROM s WHERE id NOT IN (1, NULL);
SELECT count(*) FROM s WHERE NOT id IN (1, 175928847299117063, '2');
-- the parser makes an OR of a list, because there is no common type: the index is used, too, in each major version
SELECT condition, plan ~ 'Index Cond' AND plan !~ 'Seq Scan|Filter'
FROM unnest(ARRAY['id IN (1, 2)', 'id IN (1, 175928847299117063)', 'id IN (1::bigint, 2::bigint)', 'id IN (1::smallint, 2, 3::bigint)',
    'id IN (7)', $$id IN ('1', '2')$$, $$id IN (1, '2')$$, 'id NOT IN (1, 2)']) AS condition,
    LATERAL pg_temp.plans('SELECT n FROM s WHERE ' || condition) AS plan;
SET enable_bitmapscan = off;
SET plan_cache_mode = force_generic_plan;
PREPARE by_bigint(bigint) AS SELECT n FROM s WHERE id = $1;
PREPARE by_bigints(bigint[]) AS SELECT n FROM s WHERE id = ANY ($1);
PREPARE by_less(bigint[]) AS SELECT n FROM s WHERE id < ANY ($1);
PREPARE by_int(int) AS SELECT n FROM s WHERE id = $1;
PREPARE by_smallint(smallint) AS SELECT n FROM s WHERE id = $1;
PREPARE by_any AS SELECT n FROM s WHERE id = $1;
PREPARE by_range(bigint, int) AS SELECT n FROM s WHERE id BETWEEN $1 AND $2;
EXPLAIN (COSTS OFF) EXECUTE by_bigint(175928847299117063);
EXECUTE by_bigint(175928847299117063);
EXECUTE by_bigint(-1);
EXPLAIN (COSTS OFF) EXECUTE by_bigints('{1,2}');
EXECUTE by_bigints('{2,-1,1,2,9223372036854775807}');
EXPLAIN (COSTS OFF) EXECUTE by_less('{1,2}');
EXECUTE by_less('{2,-1,3}');
EXPLAIN (COSTS OFF) EXECUTE by_int(7);
EXECUTE by_int(7);
EXECUTE by_smallint(7);
EXECUTE by_any('175928847299117063');
EXPLAIN (COSTS OFF) EXECUTE by_range(5, 6);
EXECUTE by_range(-1, 2);
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_bitmapscan;

-- The operators use the order of whole numbers: each gives numeric's answer, for constants, for columns
-- of either type, and for values known when the query runs.
CREATE TABLE b (id bigint PRIMARY KEY);
INSERT INTO b SELECT n FROM generate_series(-3, 500) AS n;
INSERT INTO b VALUES (-9223372036854775808), (9223372036854775806), (9223372036854775807);
INSERT INTO s VALUES (9223372036854775806), (9223372036854775807), ('18446744073709551615'), (0);
ANALYZE b, s;
CREATE FUNCTION pg_temp.unlike_numeric(relation text, value text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    op text;
    counts bigint[];
BEGIN
    FOREACH op IN ARRAY '{<,<=,=,<>,>=,>}'::text[] LOOP
        EXECUTE format(
            'SELECT ARRAY[count(*) FILTER (WHERE id %2$s %3$s), count(*) FILTER (WHERE %3$s %4$s id),
                (SELECT count(*) FROM %1$s WHERE id %2$s %3$s), (SELECT count(*) FROM %1$s WHERE %3$s %4$s id),
                count(*) - (SELECT count(*) FROM %1$s WHERE NOT id %2$s %3$s),
                count(*) FILTER (WHERE id::numeric %2$s (%3$s)::numeric)]
            FROM %1$s', relation, op, value, translate(op, '<>', CASE op WHEN '<>' THEN '<>' ELSE '><' END)) INTO counts;
        IF counts <> array_fill(counts[6], ARRAY[6]) THEN
            RETURN NEXT format('%s %s %s: %s', relation, op, value, counts);
        END IF;
    END LOOP;
END $$;
CREATE TEMP VIEW pairs AS
SELECT 's' AS relation, 'bigint' AS type,
    unnest('{-9223372036854775808,-1,0,1,77,500,501,175928847299117063,9223372036854775806,9223372036854775807}'::text[]) AS value
UNION ALL
SELECT 'b', 'snowflake',
    unnest('{0,1,77,500,501,175928847299117063,9223372036854775806,9223372036854775807,9223372036854775808,18446744073709551615}'::text[]);
SELECT pg_temp.unlike_numeric(relation, format('%L::%s', value, type)) FROM pairs;
SELECT pg_temp.unlike_numeric(relation, format('(SELECT %L::%s)', value, type)) FROM pairs;
SET enable_seqscan = off;
SELECT pg_temp.unlike_numeric(relation, format('(SELECT %L::%s)', value, type)) FROM pairs;
-- a bigint key compared with the bound of a snowflake: the key's index
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT FROM b WHERE id >= snowflake '7' AND id < snowflake '9223372036854775808';
EXPLAIN (COSTS OFF) SELECT FROM b WHERE id >= snowflake_min(now()) AND snowflake_max(now()) > id;
SET plan_cache_mode = force_generic_plan;
PREPARE by_snowflake(snowflake) AS SELECT id FROM b WHERE id = $1;
EXPLAIN (COSTS OFF) EXECUTE by_snowflake('7');
EXECUTE by_snowflake('7');
EXECUTE by_snowflake('9223372036854775808');
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_bitmapscan;
-- joins: by hash, and by the index of either side
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT FROM s JOIN b ON s.id = b.id;
SELECT count(*), sum(b.id::numeric) FROM s JOIN b ON s.id = b.id;
SELECT count(*) FROM b WHERE id IN (SELECT id FROM s);
SELECT count(*) FROM s WHERE id IN (SELECT id FROM b);
SELECT count(*) FROM s WHERE id NOT IN (SELECT id FROM b);
SELECT count(*) FROM b LEFT JOIN s ON b.id = s.id WHERE s.id IS NULL;
RESET enable_nestloop;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_material = off;
SET enable_memoize = off;
EXPLAIN (COSTS OFF) SELECT FROM s JOIN b ON s.id = b.id WHERE b.id = 5;
EXPLAIN (COSTS OFF) SELECT FROM s JOIN b ON s.id = b.id WHERE s.id = 5;
SELECT count(*), sum(b.id::numeric) FROM s JOIN b ON s.id = b.id;
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET enable_material;
RESET enable_memoize;
-- equal numbers have equal hashes
SELECT count(*) FROM s WHERE id <= snowflake '9223372036854775807'
    AND (_flakeid_functions.snowflake_hash(id), _flakeid_functions.snowflake_hash_extended(id, 42)) IS DISTINCT FROM (_flakeid_functions.snowflake_hash_bigint(id::bigint), _flakeid_functions.snowflake_hash_bigint_extended(id::bigint, 42));
-- a hash index, BRIN, and partitions by range and by hash
CREATE TABLE i (id snowflake);
INSERT INTO i SELECT n FROM generate_series(0, 999) AS n;
CREATE INDEX i_id ON i USING hash (id);
SET enable_seqscan = off;
SET plan_cache_mode = force_generic_plan;
PREPARE one(bigint) AS SELECT id FROM i WHERE id = $1;
EXPLAIN (COSTS OFF) EXECUTE one(5);
EXECUTE one(5);
DROP INDEX i_id;
CREATE INDEX i_id ON i USING brin (id);
EXPLAIN (COSTS OFF) EXECUTE one(5);
EXECUTE one(5);
DEALLOCATE one;
DROP TABLE i;
RESET enable_seqscan;
CREATE TABLE p (id snowflake) PARTITION BY RANGE (id);
CREATE TABLE p_0 PARTITION OF p FOR VALUES FROM (0) TO (100) PARTITION BY HASH (id);
CREATE TABLE p_0_0 PARTITION OF p_0 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE p_0_1 PARTITION OF p_0 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE p_1 PARTITION OF p FOR VALUES FROM (100) TO ('18446744073709551615');
INSERT INTO p SELECT n FROM generate_series(0, 199) AS n;
PREPARE one(bigint) AS SELECT tableoid::regclass, id FROM p WHERE id = $1;
EXPLAIN (COSTS OFF) EXECUTE one(5);
EXECUTE one(5);
EXPLAIN (COSTS OFF) SELECT id FROM p WHERE id = 5;
EXPLAIN (COSTS OFF) SELECT id FROM p WHERE id > 100;
DEALLOCATE one;
RESET plan_cache_mode;
DROP TABLE p;

-- The estimates are the same as with snowflakes.
SELECT query, pg_temp.estimated(query) = pg_temp.estimated(regexp_replace(query, '(\d+)', '''\1''', 'g')) AS same
FROM unnest('{id < 500,id >= 500,id BETWEEN 100 AND 200,id = 7,id <> 7}'::text[]) AS condition, LATERAL concat('SELECT FROM s WHERE ', condition) AS query;

-- A number can be assigned to a column; a query has no common type.
CREATE TABLE n (id snowflake DEFAULT 7, other snowflake);
INSERT INTO n (other) VALUES (5::smallint), (6), (7::bigint);
UPDATE n SET other = 8 WHERE other = 5 RETURNING *;
SELECT nullif(other, 8), CASE other WHEN 7 THEN 'seven' END FROM n ORDER BY other;
\set VERBOSITY terse
SELECT coalesce(id, 0) FROM n;
SELECT 5 UNION SELECT id FROM n;
SELECT id + 1 FROM s;
SELECT n FROM s WHERE id = 1.5;
INSERT INTO n VALUES (-1);
-- No integer is an instant.
SELECT 5 < now();
SELECT now() > 20261122;
SELECT 7::smallint <= current_date;
SELECT 5 <@ tstzrange('2014-01-01', now());
SELECT FROM b WHERE id >= now();
\set VERBOSITY default
-- comparisons among numbers are unchanged
SELECT 1 = 1::bigint AS a, 1 < 2.5 AS b, '5' = 5 AS c, 1::smallint = 1 AS d, 1::oid = 1 AS e, pg_typeof(coalesce(1, 2::bigint)) AS f;
DELETE FROM s WHERE n IS NULL;
DROP TABLE n;

-- time
SELECT snowflake_timestamp('175928847299117063');
SELECT snowflake_timestamp('175928847299117063', '2015-01-01'), snowflake_timestamp('175928847299117063', '2010-11-04 01:42:54.657');
SELECT t, snowflake_min(t), snowflake_max(t)
FROM unnest('{-infinity,2014-12-31 23:59:59.999999,2015-01-01,2015-01-01 00:00:00.000999,2015-01-01 00:00:00.001,
              2154-05-15 07:35:11.103999,2154-05-15 07:35:11.104,infinity}'::timestamptz[]) AS t;
SELECT t, snowflake_min(t, e), snowflake_max(t, e), snowflake_timestamp(snowflake_min(t, e), e) = t AS back
FROM unnest('{-infinity,2020-06-01 00:00:00.122999,2020-06-01 00:00:00.123,2020-06-01 00:00:00.124,
              2159-10-14 07:35:11.226999,2159-10-14 07:35:11.227,294276-12-31,infinity}'::timestamptz[]) AS t,
     (VALUES (timestamptz '2020-06-01 00:00:00.123')) AS v(e);
SELECT snowflake_make('2016-04-30 11:18:25.796', 1, 0, 7), snowflake_make('2016-04-30 11:18:25.796', 1, 0, 7, '2015-01-01');
SELECT snowflake_make('2025-01-02 03:04:05.678', 31, 31, 4095, '2025-01-01');
-- epochs from the first to the last that fits
SELECT snowflake_make(e, 0, 0, 0, e), snowflake_timestamp('18446744073709551615', e), snowflake_max('infinity', e), snowflake_min('-infinity', e)
FROM unnest('{4714-11-24 BC,1970-01-01,294107-08-28 20:25:43.671}'::timestamptz[]) AS e;
SELECT snowflake_timestamp('0', 'infinity');
SELECT snowflake_timestamp('0', '-infinity');
SELECT snowflake_timestamp('0', '294107-08-28 20:25:43.672');
SELECT snowflake_new('2020-01-01 00:00:00.0005');
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
-- the clock's time is not in the span of an epoch before 1887 or after now
\set VERBOSITY sqlstate
SELECT snowflake_new('1800-01-01');
SELECT snowflake_new(now() + interval '1 day');
\set VERBOSITY default
\x
SELECT * FROM snowflake_inspect('175928847299117063');
\x

-- other notations
SELECT f, snowflake_format('175928847299117063', f), snowflake_format('0', f) AS zero, snowflake_format('18446744073709551615', f) AS greatest
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
SELECT snowflake_format('1', 'u');
SELECT snowflake_parse('1', '');

-- new IDs: distinct, increasing, with the current time and this server's worker
SELECT clock_timestamp() AS t0 \gset
CREATE TABLE g AS SELECT n, snowflake_new() AS id FROM generate_series(1, 100000) AS n;
SELECT count(DISTINCT id) FROM g;
SELECT count(*) FILTER (WHERE id <= before) AS not_increasing
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM g) AS s;
SELECT bool_and(snowflake_worker(id) = (SELECT snowflake_worker FROM flakeid_clock)) AS worker FROM g;
-- a lone session uses a millisecond's numbers from 0 on and skips none; it may have left some of the first one
SELECT count(*) FILTER (WHERE last >= ids) AS with_gaps
FROM (SELECT count(*) AS ids, max(snowflake_process(id) * 4096 + snowflake_sequence(id)) AS last
      FROM g GROUP BY snowflake_timestamp(id) ORDER BY snowflake_timestamp(id) OFFSET 1) AS s;
SELECT bool_and(snowflake_timestamp(id) BETWEEN date_trunc('milliseconds', timestamptz :'t0')
                AND clock_timestamp() + interval '10 seconds') AS now FROM g;
-- one sequence for all epochs: the same IDs except for the difference of the epochs
CREATE TABLE h AS SELECT n, snowflake_new() AS a, snowflake_new('2020-01-01') AS b FROM generate_series(1, 10000) AS n;
SELECT count(DISTINCT a), count(DISTINCT b), count(*) FILTER (WHERE a <= before_a OR b <= before_b) AS not_increasing
FROM (SELECT a, b, lag(a) OVER (ORDER BY n) AS before_a, lag(b) OVER (ORDER BY n) AS before_b FROM h) AS s;
SELECT count(DISTINCT x)
FROM (SELECT a::bytea AS x FROM h UNION ALL
      SELECT snowflake_make(snowflake_timestamp(b, '2020-01-01'), snowflake_worker(b), snowflake_process(b), snowflake_sequence(b))::bytea FROM h) AS s;
SELECT bool_and(snowflake_timestamp(b, '2020-01-01') >= snowflake_timestamp(a)) FROM h;
-- for an instant: the 131072 numbers of process and sequence, then the first again
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
