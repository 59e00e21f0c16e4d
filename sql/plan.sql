--
-- Plans with the types: indexes, estimates, aggregates, row security, partitions.
-- Settings leave the planner only the plan under test, so another plan means that this
-- one was not possible.
--
\getenv dir PG_ABS_SRCDIR
\set lines '^(?!.*IS NOT NULL).*(Scan|Cond)'
\i :dir/sql/plans.psql
SET enable_seqscan = off;
SET enable_bitmapscan = off;

-- Two IDs a minute, for a week.
CREATE TABLE plan_event (id sno PRIMARY KEY, body text);
INSERT INTO plan_event
SELECT sno_make(timestamptz '2024-01-01' + n * interval '30 s', n % 256, 7, 0), 'event ' || n
FROM generate_series(0, 7 * 24 * 60 * 2 - 1) AS n;
VACUUM ANALYZE plan_event;

--
-- One index
--
EXPLAIN (COSTS OFF) SELECT * FROM plan_event WHERE id = '8for5hi22222g222';
EXPLAIN (COSTS OFF) SELECT * FROM plan_event WHERE id = ANY ('{8for5hi22222g222,2222222222222222}');
SELECT * FROM plan_event WHERE id = ANY ('{8for5hi22222g222,2222222222222222}');

-- The newest, without a sort.
EXPLAIN (COSTS OFF) SELECT id FROM plan_event ORDER BY id DESC LIMIT 1;
SELECT id FROM plan_event ORDER BY id DESC LIMIT 1;
EXPLAIN (COSTS OFF) SELECT id FROM plan_event ORDER BY id LIMIT 1;

-- A span of time: the bounds are constants when the plan is made.
EXPLAIN (COSTS OFF) SELECT * FROM plan_event WHERE id BETWEEN sno_min('2024-01-03') AND sno_max('2024-01-03 00:01');
SELECT * FROM plan_event WHERE id BETWEEN sno_min('2024-01-03') AND sno_max('2024-01-03 00:01');
EXPLAIN (COSTS OFF) SELECT * FROM plan_event WHERE id >= sno_min('2024-01-03') AND id < sno_min('2024-01-04') ORDER BY id;
SELECT count(*) FROM plan_event WHERE id >= sno_min('2024-01-03') AND id < sno_min('2024-01-04');

-- Paging.
EXPLAIN (COSTS OFF) SELECT * FROM plan_event WHERE id > '8for5hi22222g222' ORDER BY id LIMIT 10;

-- min() and max() read one end of the index.
SELECT pg_temp.scans('SELECT min(id) FROM plan_event');
SELECT pg_temp.scans('SELECT max(id) FROM plan_event');
SELECT min(id), max(id) FROM plan_event;

-- Statistics are used: a day is a seventh, one ID is one row.
SELECT pg_temp.estimated($$ SELECT FROM plan_event WHERE id >= sno_min('2024-01-03') AND id < sno_min('2024-01-04') $$)
    BETWEEN 2880 / 1.2 AND 2880 * 1.2 AS a_day,
    pg_temp.estimated($$ SELECT FROM plan_event WHERE id < sno_min('2024-01-02') $$)
    BETWEEN 2880 / 1.2 AND 2880 * 1.2 AS before,
    pg_temp.estimated($$ SELECT FROM plan_event WHERE id > sno_max('2024-01-06 23:59:59.999') $$)
    BETWEEN 2880 / 1.2 AND 2880 * 1.2 AS after,
    pg_temp.estimated($$ SELECT FROM plan_event WHERE id = '8for5hi22222g222' $$) = 1 AS one,
    pg_temp.estimated($$ SELECT FROM plan_event WHERE id <> '8for5hi22222g222' $$) > 20000 AS all_but_one,
    pg_temp.estimated($$ SELECT FROM plan_event AS a JOIN plan_event AS b USING (id) $$)
    BETWEEN 20160 / 1.2 AND 20160 * 1.2 AS joined;

-- Conditions that exclude each other are detected: nothing is scanned.
SET constraint_exclusion = on;
SELECT pg_temp.scans($$ SELECT FROM plan_event WHERE id < sno_min('2024-01-01') AND id > sno_max('2024-01-02') $$);
RESET constraint_exclusion;

-- As one column of several, in the other direction.
CREATE INDEX plan_event_both ON plan_event (body, id DESC);
EXPLAIN (COSTS OFF) SELECT id FROM plan_event WHERE body = 'event 1' ORDER BY id DESC;

--
-- Parallel aggregation
--
ALTER TABLE plan_event SET (parallel_workers = 2);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET enable_seqscan = on;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) SELECT min(id), max(id), count(*) FROM plan_event;
SELECT min(id), max(id), count(*) FROM plan_event;
-- The workers may take IDs apart.
EXPLAIN (COSTS OFF) SELECT count(*) FROM plan_event
WHERE id::timestamptz < '2024-01-02' AND id::text <> '';
SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;
RESET enable_indexscan;
RESET enable_indexonlyscan;

--
-- Row security: the operators may see rows before the policy does (they are leakproof), so
-- the index is still used.
--
CREATE FUNCTION plan_visible(body text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN body <> 'event 1'; END $$;
CREATE POLICY visible ON plan_event USING (plan_visible(body));
ALTER TABLE plan_event ENABLE ROW LEVEL SECURITY;
CREATE ROLE regress_flakeid;
GRANT SELECT ON plan_event TO regress_flakeid;
SET ROLE regress_flakeid;
EXPLAIN (COSTS OFF) SELECT * FROM plan_event WHERE id = '8for5hi22222g222';
EXPLAIN (COSTS OFF) SELECT * FROM plan_event WHERE id >= sno_min('2024-01-03') AND id < sno_min('2024-01-04');
SELECT count(*) FROM plan_event WHERE id <= sno_max('2024-01-01 00:01');
RESET ROLE;
DROP OWNED BY regress_flakeid;
DROP ROLE regress_flakeid;

--
-- Foreign keys
--
CREATE TABLE plan_item (event sno REFERENCES plan_event ON DELETE CASCADE);
INSERT INTO plan_item SELECT id FROM plan_event WHERE id < sno_min('2024-01-01 00:01');
INSERT INTO plan_item VALUES (sno_zero());
DELETE FROM plan_event WHERE id = '8for5hi22222g222';
TABLE plan_item;
DROP TABLE plan_item, plan_event;
DROP FUNCTION plan_visible;

--
-- Partitions by time: the bounds are written with sno_min().  One bound is within a unit of time.
--
-- Statistics would change which side of the join below is hashed.
CREATE TABLE plan_log (id sno PRIMARY KEY, body text) PARTITION BY RANGE (id);
CREATE TABLE plan_log_0 PARTITION OF plan_log FOR VALUES FROM (MINVALUE) TO (sno_min('2024-01-01')) WITH (autovacuum_enabled = off);
CREATE TABLE plan_log_1 PARTITION OF plan_log FOR VALUES FROM (sno_min('2024-01-01')) TO (sno_min('2024-02-01')) WITH (autovacuum_enabled = off);
CREATE TABLE plan_log_2 PARTITION OF plan_log
FOR VALUES FROM (sno_min('2024-02-01')) TO (sno_make('2024-03-01', 0, 7, 5));
CREATE TABLE plan_log_3 PARTITION OF plan_log FOR VALUES FROM (sno_make('2024-03-01', 0, 7, 5)) TO (MAXVALUE);
-- They may not overlap by even a single ID.
CREATE TABLE plan_log_4 PARTITION OF plan_log FOR VALUES FROM (sno_make('2024-03-01', 0, 7, 4)) TO ('xxxxxxxxxxxxxxxx');

-- Each row is in the right partition.
INSERT INTO plan_log
SELECT id FROM unnest(ARRAY['2023-12-31', '2024-01-01', '2024-01-15', '2024-02-01', '2024-03-01', '2024-03-02']::timestamptz[]) AS at,
    LATERAL (VALUES (sno_min(at)), (sno_make(at, 0, 7, 4)), (sno_make(at, 0, 7, 5)), (sno_make(at, 0, 7, 6)), (sno_max(at))) AS v (id);
SELECT tableoid::regclass, count(*), min(id)::timestamptz AS first, max(id)::timestamptz AS last
FROM plan_log GROUP BY tableoid ORDER BY tableoid::regclass::text;

-- Pruned when the plan is made ...
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT body FROM plan_log WHERE id = sno_make('2024-03-01', 0, 7, 4);
EXPLAIN (COSTS OFF) SELECT body FROM plan_log WHERE id = sno_make('2024-03-01', 0, 7, 5);
SET enable_indexscan = off;
EXPLAIN (COSTS OFF) SELECT body FROM plan_log WHERE id >= sno_min('2024-01-01') AND id < sno_min('2024-02-01');
EXPLAIN (COSTS OFF) SELECT body FROM plan_log WHERE id BETWEEN sno_min('2024-03-01') AND sno_max('2024-03-01');
EXPLAIN (COSTS OFF) SELECT body FROM plan_log WHERE id > sno_max('2024-03-01');
-- ... and when it is run.
SET plan_cache_mode = force_generic_plan;
PREPARE since (timestamptz) AS SELECT body FROM plan_log WHERE id >= sno_min($1);
EXPLAIN (COSTS OFF) EXECUTE since ('2024-02-10');
DEALLOCATE since;
RESET plan_cache_mode;
RESET enable_indexscan;

-- Ordered without a sort, from partition to partition.
SET enable_seqscan = off;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT id FROM plan_log WHERE id >= sno_min('2024-02-01') ORDER BY id;
RESET enable_sort;

-- Joined partition by partition.
SET enable_seqscan = on;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_partitionwise_join = on;
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT FROM plan_log AS a JOIN plan_log AS b USING (id) WHERE a.id < sno_min('2024-02-01');
RESET enable_nestloop;
RESET enable_mergejoin;
DROP TABLE plan_log;

--
-- Partitions by hash
--
CREATE TABLE plan_hash (id sno, body text) PARTITION BY HASH (id);
CREATE TABLE plan_hash_0 PARTITION OF plan_hash FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE plan_hash_1 PARTITION OF plan_hash FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE plan_hash_2 PARTITION OF plan_hash FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO plan_hash SELECT sno_make('2024-01-01', 0, 7, n) FROM generate_series(1, 3000) AS n;
-- These places never change.
SELECT tableoid::regclass, count(*), min(id), max(id) FROM plan_hash GROUP BY tableoid ORDER BY tableoid::regclass::text;
EXPLAIN (COSTS OFF) SELECT body FROM plan_hash WHERE id = sno_make('2024-01-01', 0, 7, 1);
SELECT count(*) FROM generate_series(1, 3000) AS n
WHERE NOT EXISTS (SELECT FROM plan_hash WHERE id = sno_make('2024-01-01', 0, 7, n));
DROP TABLE plan_hash;
