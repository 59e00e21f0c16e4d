-- The demonstration that `make demo` runs, on an empty database.
\set ON_ERROR_STOP on
\pset pager off
SET timezone = 'UTC';
-- Plans of one line a node, and times without a compiler or helpers in them.
SET max_parallel_workers_per_gather = 0;
SET jit = off;
\set ECHO queries

\echo
\echo '== A table whose key makes itself'
\echo
\timing on
CREATE EXTENSION flakeid;
CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), body text);

\echo
\echo '== A million rows'
\echo
INSERT INTO event (body)
SELECT 'event ' || n FROM generate_series(1, 1000000) AS n;
SELECT count(*) AS rows, count(DISTINCT id) AS ids FROM event;
VACUUM ANALYZE event;
\timing off

\echo
\echo '== What an ID holds'
\echo
SELECT id, sno_timestamp(id) FROM event ORDER BY id LIMIT 5;
\x on
SELECT (sno_inspect(id)).* FROM event ORDER BY id LIMIT 1;
\x off
SELECT id::text AS text, id::bytea AS bytes,
       id::text::sno = id AS "and back"
FROM event ORDER BY id LIMIT 1;

\echo
\echo '== IDs sort by time: the newest row is at the end of the primary key'
\echo
\timing on
SELECT id FROM event ORDER BY id DESC LIMIT 1;
\timing off
EXPLAIN (COSTS OFF) SELECT id FROM event ORDER BY id DESC LIMIT 1;

\echo
\echo '== A span of time is a range of the primary key'
\echo
\set ECHO none
SELECT t AS since, t + interval '100 ms' AS until
FROM (SELECT sno_timestamp(min(id)) FROM event) AS first(t) \gset
\set ECHO queries
\echo 'The rows of the first 100 ms:'
\echo
\timing on
SELECT count(*) FROM event
WHERE id BETWEEN sno_min(:'since')
             AND sno_max(:'until');
\timing off
EXPLAIN (COSTS OFF)
SELECT count(*) FROM event
WHERE id BETWEEN sno_min(:'since')
             AND sno_max(:'until');

\echo
\echo '== Partitions by time, without a column for the time'
\echo
CREATE TABLE log (id sno, body text) PARTITION BY RANGE (id);
CREATE TABLE log_2025 PARTITION OF log
FOR VALUES FROM (sno_min('2025-01-01')) TO (sno_min('2026-01-01'));
CREATE TABLE log_2026 PARTITION OF log
FOR VALUES FROM (sno_min('2026-01-01')) TO (sno_min('2027-01-01'));
CREATE TABLE log_2027 PARTITION OF log
FOR VALUES FROM (sno_min('2027-01-01')) TO (sno_min('2028-01-01'));
\echo
\echo 'Only one of the three is looked at:'
\echo
EXPLAIN (COSTS OFF)
SELECT * FROM log
WHERE id BETWEEN sno_min('2026-03-01') AND sno_max('2026-03-31');

\echo
\echo '== How fast one session makes IDs, beside a sequence'
\echo
\set ECHO none
\set count 5000000
\echo :count 'calls of each in a loop; the time of the empty loop is taken off:'
\echo
CREATE SEQUENCE s;
SELECT clock_timestamp() AS t0 \gset
SELECT count(n) FROM (SELECT generate_series(1, :count) AS n) AS loop \g /dev/null
SELECT clock_timestamp() AS t1 \gset
SELECT count(sno_new(0)) FROM (SELECT generate_series(1, :count)) AS loop \g /dev/null
SELECT clock_timestamp() AS t2 \gset
SELECT count(nextval('s')) FROM (SELECT generate_series(1, :count)) AS loop \g /dev/null
SELECT clock_timestamp() AS t3 \gset
WITH total(call, spent) AS (
    VALUES ('sno_new(0)', timestamptz :'t2' - :'t1'),
           ('nextval(''s'')', timestamptz :'t3' - :'t2')
), net AS (
    SELECT call, extract(epoch FROM spent - (timestamptz :'t1' - :'t0')) AS seconds
    FROM total
)
SELECT call, round(seconds, 2) AS seconds,
       to_char(:count / seconds, '999,999,999') AS "a second",
       round(max(seconds) OVER () / seconds, 1) AS "times as fast"
FROM net ORDER BY seconds;
\set ECHO queries

\echo
\echo '== What the generators say about themselves'
\echo
\x on
SELECT * FROM flakeid_generators;
SELECT * FROM flakeid_shards;
SELECT * FROM flakeid_clock;
