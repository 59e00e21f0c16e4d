--
-- New IDs in one session, and what the views show.  test/t has the tests with many
-- sessions, crashes and clocks that step.
--
-- The answers are the same on a server in use: the test counts only this session, or
-- partitions that other sessions are unlikely to use.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql
SET jit = off;
SET compute_query_id = off;

-- A parallel worker is another session; if the library is not preloaded, it has only the
-- settings of the file.  So the test forces no workers: see test/servers.sh.
\set force_no_worker 'SELECT set_config(name, \'off\', false) AS forced FROM pg_settings WHERE name IN (\'debug_parallel_query\', \'force_parallel_mode\')'
:force_no_worker;

-- Units of 4 ms since 2010, as the library counts them.
CREATE FUNCTION pg_temp.units(id sno) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN (extract(epoch FROM sno_timestamp(id)) - extract(epoch FROM timestamptz '2010-01-01Z')) * 250;

--
-- Many in one statement: no two are the same, and each is greater than the previous one.
--
BEGIN;
CREATE TEMP TABLE made AS SELECT n, sno_new() AS id FROM generate_series(1, 200000) AS n;
SELECT count(*), count(DISTINCT id) AS distinct,
    bool_and(sno_timestamp(id) BETWEEN now() - interval '4 ms' AND clock_timestamp() + interval '10 s') AS of_this_time,
    bool_and(sno_meta(id) = 0) AS meta,
    bool_and(sno_partition(id) = (SELECT sno_partition FROM flakeid_clock)) AS partition
FROM made;
COMMIT;
SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made) AS m WHERE id <= before;
-- One has been made already.
SELECT sno_new() > max(id) AS greater FROM made;

-- Every call makes one, also in the same row or in the same prepared statement.
SELECT sno_new() < sno_new() AS two;
PREPARE make AS SELECT sno_new() AS id;
EXECUTE make \gset a_
EXECUTE make \gset b_
SELECT sno :'a_id' < :'b_id' AS two;
DEALLOCATE make;

-- As a column's default; the rows are in the order of the IDs.
CREATE TEMP TABLE entry (id sno PRIMARY KEY DEFAULT sno_new(1), n int);
INSERT INTO entry (n) VALUES (1), (2), (3);
INSERT INTO entry (n) SELECT generate_series(4, 1000);
COPY entry (n) FROM stdin;
1001
1002
\.
INSERT INTO entry (n) VALUES (1003) RETURNING sno_meta(id), n;
SELECT count(*), bool_and(n = place) AS in_order, min(sno_meta(id)), max(sno_meta(id))
FROM (SELECT id, n, row_number() OVER (ORDER BY id) AS place FROM entry) AS e;

--
-- Meta and partition
--
SELECT count(DISTINCT id), bool_and(sno_meta(id) = n AND sno_partition(id) = 255 * n) AS as_asked
FROM generate_series(0, 255) AS n, LATERAL sno_new(n, 255 * n) AS id;
SELECT sno_meta(sno_new(255)), sno_meta(sno_new(255, 0)), sno_partition(sno_new(0, 65535)), sno_partition(sno_new(0, 0));

-- IDs that differ only in meta never share a number.
SELECT count(*), count(DISTINCT sno_set_meta(id, 0)) AS distinct
FROM generate_series(1, 10000) AS n, LATERAL sno_new(n % 256) AS id;

-- More partitions in turn than a session holds ranges of the sequence for (16): each continues where it was.
CREATE TEMP TABLE in_turn AS SELECT n, sno_new(0, 100 + n % 20) AS id FROM generate_series(1, 20000) AS n;
SELECT count(DISTINCT id), count(DISTINCT sno_partition(id)) AS partitions FROM in_turn;
SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY sno_partition(id) ORDER BY n) AS before FROM in_turn) AS t
WHERE id <= before;

-- All possible partitions, twice.
SELECT count(DISTINCT id), count(DISTINCT sno_partition(id)) AS partitions
FROM generate_series(0, 2 * 65536 - 1) AS n, LATERAL sno_new(0, n % 65536) AS id;

--
-- Parallel workers read, and their leader makes the IDs
--
CREATE TABLE generate_rows AS SELECT n FROM generate_series(1, 50000) AS n;
ALTER TABLE generate_rows SET (parallel_workers = 2);
ANALYZE generate_rows;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (VERBOSE, COSTS OFF) SELECT sno_new(0) FROM generate_rows;
CREATE TEMP TABLE by_leader AS SELECT sno_new(0) AS id FROM generate_rows;
SELECT count(*), count(DISTINCT id) AS distinct FROM by_leader;
-- A function declared PARALLEL SAFE that makes IDs.
CREATE FUNCTION generate_wrong() RETURNS sno LANGUAGE plpgsql PARALLEL SAFE AS 'BEGIN RETURN sno_new(0); END';
SET parallel_leader_participation = off;
\set VERBOSITY terse
SELECT count(generate_wrong()) FROM generate_rows;
\set VERBOSITY default
DROP FUNCTION generate_wrong();
RESET parallel_leader_participation;
RESET max_parallel_workers_per_gather;
DROP TABLE generate_rows;

--
-- Transactions
--

-- IDs that are rolled back are not made again.
BEGIN;
SELECT sno_new() AS id \gset a_
SAVEPOINT s;
SELECT sno_new() AS id \gset b_
ROLLBACK TO s;
SELECT sno_new() AS id \gset c_
ROLLBACK;
SELECT sno_new() AS id \gset d_
SELECT sno :'a_id' < :'b_id' AND sno :'b_id' < :'c_id' AND sno :'c_id' < :'d_id' AS greater;

-- A read-only transaction makes them, too, and none needs a transaction ID.
BEGIN READ ONLY;
SELECT sno_new() > :'d_id' AS greater;
SELECT count(*) FROM generate_series(1, 10000) WHERE sno_new() > :'d_id';
SELECT pg_current_xact_id_if_assigned() IS NULL AS no_xid;
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE;
SELECT sno_new() > :'d_id' AS greater;
COMMIT;

--
-- The views
--
SELECT number >= 0 AS number, capacity = sequence_max - sequence_min + 1 AS capacity,
    used BETWEEN 1 AND capacity AS used, sequence BETWEEN sequence_min AND sequence_max AS sequence,
    waiting, issued > 0 AS issued
FROM flakeid_generators, flakeid_clock WHERE type = 'sno' AND number = sno_partition;
SELECT bool_and(sno_sequence(id) BETWEEN sequence_min AND sequence_max) AS in_the_pool
FROM made, flakeid_generators, flakeid_clock WHERE type = 'sno' AND number = flakeid_clock.sno_partition;
SELECT node BETWEEN 0 AND 65535 AS node, node_source IN ('flakeid.node', 'system identifier and database') AS node_source, memory IN ('preloaded', 'dynamic') AS memory,
    high_water >= (SELECT sno_timestamp(max(id)) FROM made) AS high_water, mark > high_water AS mark,
    generators > 1 AS generators, sessions >= 1 AS sessions, tick_tock IN (0, 1) AS tick_tock
FROM flakeid_clock;

-- Every ID is counted with its generator, immediately in this session, because reading the
-- view ends its leases.
SELECT coalesce(sum(issued), 0) AS issued FROM flakeid_generators WHERE type = 'sno' AND number BETWEEN 47110 AND 47112 \gset before_
SELECT count(sno_new(0, 47110 + n % 3)) FROM generate_series(1, 100000) AS n;
SELECT sum(issued) - :before_issued AS issued FROM flakeid_generators WHERE type = 'sno' AND number BETWEEN 47110 AND 47112;
SELECT coalesce(sum(issued), 0) AS issued FROM flakeid_generators WHERE type = 'sno' AND number = 47110 \gset before_
SELECT count(sno_new(0, 47110)) FROM generate_series(1, 1000) AS n;
SELECT sum(issued) - :before_issued AS issued FROM flakeid_generators WHERE type = 'sno' AND number = 47110;
-- Another session's IDs are greater, and counted together with the first session's.
SELECT sno_new(0, 47110) AS id \gset a_
SELECT sum(issued) - :before_issued AS issued FROM flakeid_generators WHERE type = 'sno' AND number = 47110;
\c
SET jit = off;
:force_no_worker;
SELECT sno_new(0, 47110) > :'a_id' AS greater;
SELECT sum(issued) - :before_issued AS issued FROM flakeid_generators WHERE type = 'sno' AND number = 47110;

--
-- Snapshots.  A restored one applies to one database, so the test creates its own: IDs
-- that are ahead of the clock for a while disturb nobody there.
--
\set database :DBNAME
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_flakeid;
RESET client_min_messages;
CREATE DATABASE regress_flakeid TEMPLATE template0;
\c regress_flakeid
CREATE EXTENSION flakeid;
SET jit = off;
:force_no_worker;
CREATE FUNCTION pg_temp.units(id sno) RETURNS bigint LANGUAGE sql IMMUTABLE
RETURN (extract(epoch FROM sno_timestamp(id)) - extract(epoch FROM timestamptz '2010-01-01Z')) * 250;
SELECT sno_new(0, 4711) AS id \gset a_
SELECT sno_snapshot(4711) AS snapshot \gset a_

-- The library's fields; they include the ID just made.
SELECT array_agg(key ORDER BY key COLLATE "C") FROM jsonb_object_keys(:'a_snapshot') AS key;
SELECT s->'partition' AS partition, (wall_hi, sequence) >= (pg_temp.units(id), sno_sequence(id)) AS issued,
    sequence BETWEEN min AND max AS sequence, wall_hi <= now AS past, drifts % 2 = sno_tick_tock(id)::int AS drifts
FROM CAST(:'a_snapshot' AS jsonb) AS s, CAST(:'a_id' AS sno) AS id,
    LATERAL (SELECT (s->>'wallHi')::bigint, (s->>'sequence')::int, (s->>'sequenceMin')::int,
        (s->>'sequenceMax')::int, (s->>'now')::bigint, (s->>'drifts')::bigint) AS v (wall_hi, sequence, min, max, now, drifts);
-- Without a number: this server's partition.
SELECT sno_snapshot()->'partition' = jsonb_build_array(sno_partition >> 8, sno_partition & 255) AS partition FROM flakeid_clock;
-- A partition without issued IDs has a snapshot like the others.
SELECT count(*) FROM jsonb_object_keys(sno_snapshot(4712));

-- The partition's own, restored: it continues from there.
SELECT sno_restore(:'a_snapshot');
SELECT sno_new(0, 4711) > :'a_id' AS greater;
SELECT sno_restore(sno_snapshot(4711));
SELECT sno_new(0, 4711) > :'a_id' AS greater;
-- An old one, restored, undoes nothing.
SELECT sno_new(0, 4711) AS id \gset b_
SELECT sno_restore(:'a_snapshot');
SELECT sno_restore('{"partition": [0, 0], "sequenceMin": 0, "sequenceMax": 0, "sequence": 0, "now": 0, "wallHi": 0, "wallSafe": 0, "drifts": 0}'
    || jsonb_build_object('sequenceMin', s->'sequenceMin', 'sequenceMax', s->'sequenceMax')) FROM sno_snapshot() AS s;
SELECT sno_new(0, 4711) > :'b_id' AS greater;

-- One from the future, within flakeid.max_ahead, on the timeline in force: no ID is made
-- that it may have issued, so new IDs continue there or have the tick-tock bit changed.
SELECT s || jsonb_build_object('wallHi', (s->>'now')::bigint + 75) AS snapshot FROM sno_snapshot(4711) AS s \gset a_
SELECT sno_restore(:'a_snapshot');
SELECT count(DISTINCT id), bool_and(CASE WHEN sno_tick_tock(id)::int = (s->>'drifts')::int % 2
        THEN pg_temp.units(id) > (s->>'wallHi')::bigint ELSE pg_temp.units(id) > (s->>'wallSafe')::bigint END) AS new
FROM CAST(:'a_snapshot' AS jsonb) AS s, (SELECT sno_new(0, 4711) AS id FROM generate_series(1, 1000)) AS made;

-- One from the future on both timelines: new IDs can only continue from there, ahead of
-- the clock.
SELECT s || jsonb_build_object('wallHi', ahead, 'wallSafe', ahead) AS snapshot, ahead
FROM sno_snapshot(47115) AS s, current_setting('flakeid.max_ahead') AS max_ahead,
    LATERAL (SELECT (s->>'now')::bigint + (extract(epoch FROM max_ahead::interval / 4) * 250)::bigint) AS v (ahead) \gset a_
SELECT sno_restore(:'a_snapshot', force => true);
CREATE TEMP TABLE ahead AS SELECT n, sno_new(0, 47115) AS id FROM generate_series(1, 200000) AS n;
SELECT count(DISTINCT id), bool_and(pg_temp.units(id) > :a_ahead) AS ahead FROM ahead;
SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM ahead) AS a WHERE id <= before;
SELECT went_ahead > 0 AS went_ahead, regressions > 0 AS regressions, last_step_back IS NOT NULL AS last_step_back FROM flakeid_clock;

\c :database
DROP DATABASE regress_flakeid;
