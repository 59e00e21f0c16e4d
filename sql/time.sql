--
-- Time conditions on IDs: their meaning, and that they use the index, prune partitions
-- and are estimated.  test/pgtap/time.sql tests that all ways to evaluate them agree.
--
\getenv dir PG_ABS_SRCDIR
\set lines '^(?!.*IS NOT NULL).*(Scan|Cond|Filter|Join|Removed)'
\i :dir/sql/plans.psql
SET random_page_cost = 4;
SET constraint_exclusion = partition;

--
-- Meaning: an ID's time is the start of its unit, here of 4 ms.
--
SELECT op, at, before, at_start, inside
FROM (VALUES (timestamptz '2026-01-01')) AS v (at),
    LATERAL (SELECT sno_make(at, 0, 7, 0) AS id) AS i,
    LATERAL (VALUES
        ('id < t', id < at - interval '1 us', id < at, id < at + interval '1 us'),
        ('id <= t', id <= at - interval '1 us', id <= at, id <= at + interval '1 us'),
        ('id >= t', id >= at - interval '1 us', id >= at, id >= at + interval '1 us'),
        ('id > t', id > at - interval '1 us', id > at, id > at + interval '1 us'),
        ('t < id', at - interval '1 us' < id, at < id, at + interval '1 us' < id),
        ('t <= id', at - interval '1 us' <= id, at <= id, at + interval '1 us' <= id),
        ('t >= id', at - interval '1 us' >= id, at >= id, at + interval '1 us' >= id),
        ('t > id', at - interval '1 us' > id, at > id, at + interval '1 us' > id)
    ) AS o (op, before, at_start, inside);

-- Both timelines of sno have the same time.
SELECT count(*) FROM (VALUES (false), (true)) AS v (tick_tock)
WHERE sno_make('2026-01-01', 255, 65535, 65535, tick_tock) BETWEEN timestamptz '2026-01-01' AND timestamptz '2026-01-01'
    AND sno_make('2026-01-01', 255, 65535, 65535, tick_tock) <@ tstzrange('2026-01-01', '2026-01-01', '[]');

-- Nothing is before -infinity or after infinity; NULL is NULL.
SELECT sno_min('-infinity') < timestamptz '-infinity' AS below, sno_max('infinity') > timestamptz 'infinity' AS above,
    sno_min('-infinity') >= timestamptz '-infinity' AS least, sno_max('infinity') <= timestamptz 'infinity' AS greatest,
    sno_zero() < NULL::timestamptz AS null_instant, NULL::sno <@ tstzrange(NULL, NULL) AS null_id,
    sno_zero() <@ NULL::tstzrange AS null_range;

-- No ID equals an instant.
\set VERBOSITY sqlstate
SELECT sno_zero() = timestamptz '2026-01-01';
\set VERBOSITY default
-- A text compared with an ID is an ID; if it looks like a time, the hint helps.
SELECT sno_zero() >= '2026-01-01';
SELECT sno_zero() BETWEEN '2026-01-01 12:00:00+02' AND timestamptz 'infinity';

-- Ranges.
SELECT r AS range, _flakeid_functions.flakeid_range_start(r) AS start, _flakeid_functions.flakeid_range_last(r) AS last, sno_make('2026-01-01', 0, 7, 0) <@ r AS "in"
FROM unnest('{[2026-01-01\,2026-01-02),(2026-01-01\,2026-01-02],[2025-12-31\,2026-01-01),(2025-12-31\,2026-01-01],[2026-01-01\,2026-01-01],empty,(\,),[2026-01-01\,),(\,2026-01-01),[-infinity\,infinity],(infinity\,)}'::tstzrange[]) AS r;
SELECT tstzrange('2026-01-01', '2026-01-02') @> sno_make('2026-01-01', 0, 7, 0) AS contains,
    sno_make('2026-01-01', 0, 7, 0) <@ '[2026-01-01,2026-01-02)' AS literal;
SELECT _flakeid_functions.flakeid_next_instant(t) FROM unnest('{-infinity,2026-01-01,294276-12-31 23:59:59.999999+00,infinity}'::timestamptz[]) AS t;

-- Literals compared with ranges mean the same as without the extension.
SELECT r @> '[2026-01-02,2026-01-03)' AS contains, '[2026-01-02,2026-01-03)' <@ r AS contained, r @> timestamptz '2026-01-02' AS element
FROM (VALUES (tstzrange('2026-01-01', '2026-02-01'))) AS v (r);

--
-- The index.  One ID a minute.
--
CREATE TABLE time_event (id sno PRIMARY KEY, n int);
INSERT INTO time_event SELECT sno_make(timestamptz '2026-01-01' + n * interval '1 min', n % 256, 7, 0), n FROM generate_series(0, 99999) AS n;
VACUUM ANALYZE time_event;

SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id > timestamptz '2026-01-02' AND id <= timestamptz '2026-01-03' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE timestamptz '2026-01-02' < id AND timestamptz '2026-01-03' >= id $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE timestamptz '2026-01-02' <= id AND timestamptz '2026-01-03' > id $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id BETWEEN timestamptz '2026-01-02' AND timestamptz '2026-01-03' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id BETWEEN date '2026-01-02' AND date '2026-01-03' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE NOT id > timestamptz '2026-01-02' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id > now() - interval '1 day' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <= timestamptz '-infinity' OR id > timestamptz 'infinity' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <@ tstzrange('2026-01-02', '2026-01-03') $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE tstzrange('2026-01-02', '2026-01-03', '(]') @> id $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <@ tstzrange('2026-03-01', NULL) $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <@ tstzrange(NULL, '2026-01-02', '[]') $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <@ tstzrange 'empty' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <@ tstzrange(now() - interval '1 day', now()) $$);
SELECT count(*) FROM time_event WHERE id BETWEEN date '2026-01-02' AND date '2026-01-03';
SELECT count(*) FROM time_event WHERE id <@ tstzrange('2026-01-02', '2026-01-03', '(]');
SELECT count(*) FROM time_event WHERE id <@ tstzrange 'empty';

-- Any of several instants: the index compares them with each other.
SET enable_seqscan = off;
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id < ANY ('{2026-01-02,2026-01-01 00:10}'::timestamptz[]) $$);
SELECT count(*) FROM time_event WHERE id < ANY ('{2026-01-02,2026-01-01 00:10}'::timestamptz[]);
SELECT count(*) FROM time_event WHERE id <= ALL ('{2026-01-02,2026-01-01 00:10}'::timestamptz[]);
RESET enable_seqscan;

-- A row comparison: the index gets the part about the ID.  The instant at the start of a
-- unit of time counts as its least ID, so there the second column decides.
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE (id, n) < (timestamptz '2026-01-01 00:02', 5) $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE (timestamptz '2026-03-11', 5) <= (id, n) $$);
CREATE FUNCTION pg_temp.rows_compared(type text) RETURNS TABLE (scan text, below bigint, not_below bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE compared (id %1$I, n int);
        INSERT INTO compared SELECT id, n FROM generate_series(4, 6) AS n, LATERAL (VALUES
            (%1$s_max(timestamptz ''2026-01-01'' - interval ''1 s'')), (%1$s_min(''2026-01-01'')), (%1$s_max(''2026-01-01''))) AS v (id);
        CREATE INDEX ON compared (id)', type);
    FOREACH scan IN ARRAY ARRAY['seqscan', 'indexscan', 'bitmapscan'] LOOP
        PERFORM set_config('enable_' || name, (name = scan)::text, true) FROM unnest(ARRAY['seqscan', 'indexscan', 'bitmapscan']) AS name;
        SELECT count(*) FROM compared WHERE (id, n) < (timestamptz '2026-01-01', 5) INTO below;
        SELECT count(*) FROM compared WHERE (id, n) >= (timestamptz '2026-01-01', 5) INTO not_below;
        RETURN NEXT;
    END LOOP;
    DROP TABLE compared;
END $$;
SELECT name, c.* FROM flakeid_formats, LATERAL pg_temp.rows_compared(name) AS c WHERE time_ordered ORDER BY name, scan;

-- Parameters: the plan does not know their values.
SET plan_cache_mode = force_generic_plan;
PREPARE between_them (timestamptz, timestamptz) AS SELECT count(*) FROM time_event WHERE id > $1 AND id <= $2;
PREPARE within (tstzrange) AS SELECT count(*) FROM time_event WHERE id <@ $1;
SELECT pg_temp.scans($$ EXECUTE between_them ('2026-01-02', '2026-01-03') $$);
SELECT pg_temp.scans($$ EXECUTE within ('[2026-01-02,2026-01-03)') $$);
EXECUTE between_them ('2026-01-02', '2026-01-03');
EXECUTE within ('[2026-01-02,2026-01-03)');
EXECUTE within ('empty');
EXECUTE within (NULL);
DEALLOCATE ALL;
RESET plan_cache_mode;

-- Join keys.
CREATE TABLE time_visit (who int, arrived timestamptz, stay tstzrange);
INSERT INTO time_visit SELECT n, t, tstzrange(t, t + interval '1 hour')
FROM generate_series(1, 10) AS n, LATERAL (SELECT timestamptz '2026-01-05' + n * interval '1 day' AS t) AS v;
ANALYZE time_visit;
SELECT pg_temp.scans($$ SELECT who, count(*) FROM time_visit JOIN time_event ON id > arrived AND id <= arrived + interval '1 hour' GROUP BY who $$);
SELECT pg_temp.scans($$ SELECT who, count(*) FROM time_visit JOIN time_event ON id <@ stay GROUP BY who $$);
SELECT count(*) FROM time_visit JOIN time_event ON id > arrived AND id <= arrived + interval '1 hour';
SELECT count(*) FROM time_visit JOIN time_event ON id <@ stay;

-- A volatile range or ID must not be evaluated twice, so it is not rewritten; a volatile instant is.
CREATE SEQUENCE time_asked;
CREATE FUNCTION time_volatile() RETURNS tstzrange LANGUAGE sql VOLATILE AS
$$ SELECT tstzrange(timestamptz '2026-01-01' + nextval('time_asked') * interval '0', NULL) $$;
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <@ time_volatile() $$);
SELECT count(*), nextval('time_asked') FROM time_event WHERE id <@ time_volatile();
SELECT pg_temp.scans($$ SELECT * FROM time_visit WHERE sno_new() <@ tstzrange(arrived, now()) $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id > clock_timestamp() $$);

-- Dates and timestamps outside timestamptz's range, as in comparisons with a timestamptz; not if the
-- query has an explicit cast.
SELECT sno_zero() < date '5874897-12-31' AS lt, sno_zero() <= date '5874897-12-31' AS le, sno_zero() >= date '5874897-12-31' AS ge, sno_zero() > date '5874897-12-31' AS gt,
    date '5874897-12-31' > sno_zero() AS "turned gt", date '5874897-12-31' >= sno_zero() AS ge, date '5874897-12-31' <= sno_zero() AS le, date '5874897-12-31' < sno_zero() AS lt;
BEGIN;
SET LOCAL timezone = 'America/New_York';
SELECT '1'::snowflake < timestamp '294276-12-31 23:59:59.999999' AS lt, ulid_max('infinity') BETWEEN timestamp '2026-01-01' AND '294276-12-31 23:59:59.999999'::timestamp AS between,
    '1'::snowflake > date '-infinity' AS after, '1'::snowflake < date 'infinity' AS before, '1'::snowflake < timestamp '-infinity' AS never;
SET LOCAL timezone = 'Asia/Tokyo';
SELECT '1'::snowflake < timestamp '4714-11-24 00:00:00 BC' AS lt, '1'::snowflake >= timestamp '4714-11-24 00:00:00 BC' AS ge;
ROLLBACK;
SELECT count(*) FROM time_event WHERE id < date '5874897-12-31' AND id >= date '2026-01-05' AND id < timestamp '2026-01-06';
SELECT count(*) FROM time_event JOIN (VALUES (date '2026-01-05'), ('5874897-12-31')) AS v (day) ON id < day;
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id >= date '2026-01-05' AND id <= timestamp '2026-01-06' $$);
SELECT '1'::snowflake < (date '5874897-12-31')::timestamptz;

-- A sub-SELECT is evaluated once: with two answers the IDs would be those from the beginning of one to
-- the end of the other.  (The function represents SKIP LOCKED and TABLESAMPLE, which answer differently
-- without any volatile function.)
CREATE FUNCTION time_differs() RETURNS tstzrange LANGUAGE sql STABLE AS
$$ SELECT tstzrange(t, t + interval '1 hour') FROM (SELECT timestamptz '2026-01-05' + nextval('time_asked') * interval '1 day') AS v (t) $$;
CREATE FUNCTION pg_temp.plan_of_answer(query text) RETURNS SETOF text LANGUAGE sql AS
$$ SELECT regexp_replace(line, '\$\d+|\(InitPlan \w+\)\.col1|\(SubPlan \w+\)', 'answer', 'g') FROM pg_temp.scans(query) AS line $$;
SELECT pg_temp.plan_of_answer($$ SELECT * FROM time_event WHERE id <@ (SELECT stay FROM time_visit TABLESAMPLE bernoulli (50) LIMIT 1) $$);
SELECT pg_temp.plan_of_answer($$ SELECT * FROM time_event WHERE (SELECT stay FROM time_visit FOR UPDATE SKIP LOCKED LIMIT 1) @> id $$);
SELECT pg_temp.plan_of_answer($$ SELECT * FROM time_event WHERE id::timestamptz <@ (SELECT stay FROM time_visit LIMIT 1)::tstzmultirange $$);
SELECT pg_temp.plan_of_answer($$ SELECT * FROM time_event WHERE sno_timestamp(id) <@ (SELECT stay FROM time_visit LIMIT 1) $$);
-- one that depends on an outer row would be evaluated by each end
BEGIN;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_material = off;
SELECT pg_temp.plan_of_answer($$ SELECT * FROM generate_series(1, 3) AS g JOIN time_event ON id <@ (SELECT stay FROM time_visit OFFSET g LIMIT 1) $$);
SELECT pg_temp.plan_of_answer($$ SELECT * FROM generate_series(1, 3) AS g JOIN time_event ON id::timestamptz <@ (SELECT stay::tstzmultirange FROM time_visit OFFSET g LIMIT 1) $$);
SELECT pg_temp.plan_of_answer($$ SELECT * FROM generate_series(1, 3) AS g JOIN LATERAL (SELECT stay FROM time_visit OFFSET g LIMIT 1) AS v ON true JOIN time_event ON id <@ stay $$);
ROLLBACK;
SELECT setval('time_asked', 1, false);
SELECT count(*) FROM time_event WHERE id <@ (SELECT time_differs());
SELECT count(*) FROM time_event WHERE id <@ (SELECT time_differs()) OR id < timestamptz '2000-01-01';
SELECT count(*) FROM time_event WHERE (SELECT time_differs()) @> id AND n > 0;
SELECT count(*) FROM time_event WHERE sno_timestamp(id) <@ (SELECT time_differs());
SELECT count(*) FROM time_event WHERE id::timestamptz <@ (SELECT time_differs()::tstzmultirange);
SELECT count(*) FROM time_event WHERE sno_timestamp(id) <@ (SELECT time_differs()::tstzmultirange);
SELECT count(*) FROM (SELECT (SELECT time_differs()) AS during) AS w JOIN time_event ON id <@ during;
-- (a function in FROM is simplified before the subquery's column is replaced by its expression)
SELECT count(*) FROM (SELECT (SELECT time_differs()) AS during) AS w, LATERAL generate_series(1, (sno_min('2026-01-13 00:30') <@ during)::int);
SELECT count(*) FROM (SELECT g, (SELECT time_differs()) AS during FROM generate_series(1, 1) AS g UNION ALL SELECT 2, NULL) AS w JOIN (VALUES (1)) AS v (g) USING (g),
    LATERAL generate_series(1, (sno_timestamp(sno_min('2026-01-14 00:30')) <@ during)::int);
SELECT nextval('time_asked');

-- A partial index is used for conditions that imply its own.
CREATE INDEX time_event_late ON time_event (n) WHERE id > timestamptz '2026-03-01';
SELECT pg_temp.scans($$ SELECT n FROM time_event WHERE id > timestamptz '2026-03-02' ORDER BY n LIMIT 1 $$);
SELECT pg_temp.scans($$ SELECT n FROM time_event WHERE id > timestamptz '2026-02-02' ORDER BY n LIMIT 1 $$);
DROP INDEX time_event_late;

-- Row security does not prevent the use of the index.
CREATE FUNCTION time_visible(n int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN n % 2 = 0; END $$;
CREATE POLICY visible ON time_event USING (time_visible(n));
ALTER TABLE time_event ENABLE ROW LEVEL SECURITY;
CREATE ROLE regress_flakeid_time;
GRANT SELECT ON time_event, time_visit TO regress_flakeid_time;
SET ROLE regress_flakeid_time;
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id > timestamptz '2026-01-02' AND id <= timestamptz '2026-01-03' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE id <@ tstzrange(now() - interval '1 day', now()) $$);
SELECT count(*) FROM time_event WHERE id > timestamptz '2026-01-02' AND id <= timestamptz '2026-01-03';
-- nor does the expression that a support function puts around a join key
SELECT pg_temp.scans($$ SELECT * FROM time_visit JOIN time_event ON id >= arrived AND id <= arrived WHERE who = 1 $$);
SELECT pg_temp.scans($$ SELECT * FROM time_visit JOIN time_event ON id <@ stay WHERE who = 1 $$);
RESET ROLE;
ALTER TABLE time_event DISABLE ROW LEVEL SECURITY;
DROP OWNED BY regress_flakeid_time;
DROP ROLE regress_flakeid_time;

--
-- Joins by ID are unchanged, and so are those by date and timestamptz.
--
CREATE TABLE time_copy (id sno PRIMARY KEY);
INSERT INTO time_copy SELECT id FROM time_event;
VACUUM ANALYZE time_copy;
SET enable_nestloop = off;
SET enable_hashjoin = off;
SELECT pg_temp.scans($$ SELECT FROM time_event AS a JOIN time_copy AS b USING (id) WHERE a.id < timestamptz '2026-02-01' $$);
CREATE TABLE time_day AS SELECT d::date AS day, d AS midnight FROM generate_series(timestamptz '2026-01-01', '2026-01-10', '1 day') AS d;
SELECT pg_temp.scans($$ SELECT FROM time_day AS a JOIN time_day AS b ON a.day = b.midnight JOIN time_day AS c ON c.midnight = b.midnight $$);
SELECT count(*) FROM time_day AS a JOIN time_day AS b ON a.day = b.midnight JOIN time_day AS c ON c.midnight = b.midnight;
SET enable_hashjoin = on;
SET enable_mergejoin = off;
SELECT pg_temp.scans($$ SELECT FROM time_event AS a JOIN time_copy AS b USING (id) WHERE a.id < timestamptz '2026-02-01' $$);
RESET enable_nestloop;
RESET enable_hashjoin;
RESET enable_mergejoin;
DROP TABLE time_day, time_copy;

--
-- Windows over time
--
SELECT id::timestamptz AS at, count(*) OVER (ORDER BY id RANGE BETWEEN interval '3 min' PRECEDING AND CURRENT ROW) AS last,
    count(*) OVER (ORDER BY id DESC RANGE BETWEEN interval '1 min' PRECEDING AND interval '2 min' FOLLOWING) AS around
FROM time_event WHERE id < timestamptz '2026-01-01 00:06' ORDER BY id;
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN interval '-1 min' PRECEDING AND CURRENT ROW) FROM time_event LIMIT 1;
-- months are in the session's time zone
SELECT max(n) FROM (
    SELECT count(*) OVER (ORDER BY id RANGE BETWEEN interval '1 month' PRECEDING AND interval '0' PRECEDING) AS n FROM time_event
) AS months;

--
-- Buckets of time are immutable, and so can be indexed.
--
CREATE INDEX time_event_bin ON time_event (date_bin('15 min', id::timestamptz, timestamptz '2000-01-01'));
CREATE INDEX time_event_day ON time_event (date_trunc('day', id::timestamptz AT TIME ZONE 'UTC'));
ANALYZE time_event;
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE date_bin('15 min', id::timestamptz, timestamptz '2000-01-01') = '2026-01-02 00:15' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_event WHERE date_trunc('day', id::timestamptz AT TIME ZONE 'UTC') = '2026-01-02' $$);
SELECT count(*), min(n), max(n) FROM time_event WHERE date_bin('15 min', id::timestamptz, timestamptz '2000-01-01') = '2026-01-02 00:15';
SELECT count(*), min(n), max(n) FROM time_event WHERE date_trunc('day', id::timestamptz AT TIME ZONE 'UTC') = '2026-01-02';
DROP INDEX time_event_bin, time_event_day;

--
-- An index by ID and another column can be used for conditions on that column alone if there are
-- few IDs: PostgreSQL 18 and newer skips from one ID to the next, with so many searches.
--
CREATE FUNCTION pg_temp.try(type text, bytes int, OUT ids text, OUT skipped boolean) LANGUAGE plpgsql AS $$
DECLARE
    line text;
    searches int;
BEGIN
    EXECUTE format('CREATE TABLE time_few (id %I, n int)', type);
    EXECUTE format('INSERT INTO time_few SELECT decode(repeat(b, %s), ''hex'')::%I, n
        FROM unnest(''{00,7f,80,ff}''::text[]) AS b, generate_series(1, 5000) AS n', bytes, type);
    CREATE INDEX time_few_id ON time_few (id, n);
    ANALYZE time_few;
    SELECT string_agg(left(id::bytea::text, 4), ' ' ORDER BY id) INTO ids FROM time_few WHERE n = 2500;
    FOR line IN EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT * FROM time_few WHERE n = 2500 LOOP
        searches := coalesce(searches, substring(line FROM 'Index Searches: (\d+)')::int);
    END LOOP;
    skipped := coalesce(searches BETWEEN 4 AND 10, current_setting('server_version_num')::int < 180000);
    DROP TABLE time_few;
END $$;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT name, t.* FROM flakeid_formats, pg_temp.try(name, bytes) AS t ORDER BY name COLLATE "C";
RESET enable_seqscan;
RESET enable_bitmapscan;

--
-- Estimates: within a factor of 2 on a table that is sparse at the start and dense at the end
--
CREATE TABLE time_skewed (id sno);
INSERT INTO time_skewed
SELECT sno_make(timestamptz '2026-01-01' + sqrt(sqrt(n / 100000.0)) * interval '30 days', 0, 7, n % 65536) FROM generate_series(0, 99999) AS n;
ANALYZE time_skewed;
CREATE FUNCTION pg_temp.estimate_is_near(condition text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    actual float;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) SELECT * FROM time_skewed WHERE ' || condition INTO plan;
    EXECUTE 'SELECT count(*) FROM time_skewed WHERE ' || condition INTO actual;
    RETURN (plan->0->'Plan'->>'Plan Rows')::float / actual BETWEEN 0.5 AND 2;
END $$;
SELECT condition FROM unnest(ARRAY[
    $$ id < timestamptz '2026-01-20' $$,
    $$ id <= timestamptz '2026-01-20' $$,
    $$ id > timestamptz '2026-01-29' $$,
    $$ id >= timestamptz '2026-01-29' $$,
    $$ timestamptz '2026-01-29' <= id $$,
    $$ id BETWEEN timestamptz '2026-01-20' AND timestamptz '2026-01-22' $$,
    $$ id >= timestamptz '2026-01-28' AND id < timestamptz '2026-01-29' $$,
    $$ id <@ tstzrange('2026-01-15', '2026-01-20') $$,
    $$ id <@ tstzrange('2026-01-29', NULL) $$,
    $$ id > current_date - (current_date - date '2026-01-25') $$
]) AS condition WHERE NOT pg_temp.estimate_is_near(condition);
DROP TABLE time_skewed;

--
-- Partitions: bounds at the start of units and, the last one, inside a unit
--
CREATE TABLE time_log (id sno PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE time_log_1 PARTITION OF time_log FOR VALUES FROM (sno_min('2026-01-01')) TO (sno_min('2026-02-01'));
CREATE TABLE time_log_2 PARTITION OF time_log FOR VALUES FROM (sno_min('2026-02-01')) TO (sno_min('2026-03-01'));
CREATE TABLE time_log_3 PARTITION OF time_log FOR VALUES FROM (sno_min('2026-03-01')) TO (sno_make('2026-04-01', 5, 0, 0));
CREATE TABLE time_log_4 PARTITION OF time_log FOR VALUES FROM (sno_make('2026-04-01', 5, 0, 0)) TO (MAXVALUE);
INSERT INTO time_log SELECT id, n FROM time_event;
INSERT INTO time_log SELECT sno_make('2026-04-01', meta, 1, 1), -meta FROM generate_series(1, 9) AS meta;
ANALYZE time_log;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;

-- at plan time
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id < timestamptz '2026-02-01' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id <= timestamptz '2026-02-01' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id > timestamptz '2026-02-01' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id >= timestamptz '2026-02-01 00:00:00.000001' AND id < timestamptz '2026-03-01' $$);
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id <@ tstzrange('2026-02-01', '2026-03-01', '()') $$);
-- the instant that a bound was made of is that bound: the partition that ends there is pruned
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id >= timestamptz '2026-03-01' AND id < timestamptz '2026-03-15' $$);
-- both partitions contain IDs of the instant
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id BETWEEN timestamptz '2026-04-01' AND timestamptz '2026-04-01' $$);
SELECT count(*) FROM time_log WHERE id BETWEEN timestamptz '2026-04-01' AND timestamptz '2026-04-01';
-- nothing is left
SELECT count(*) FROM time_log WHERE id <@ tstzrange 'empty';

-- at run time: a parameter, a stable expression, a join key
SET plan_cache_mode = force_generic_plan;
PREPARE since (timestamptz) AS SELECT * FROM time_log WHERE id > $1;
SELECT pg_temp.scans($$ EXECUTE since ('2026-03-10') $$);
PREPARE within (tstzrange) AS SELECT * FROM time_log WHERE id <@ $1;
SELECT pg_temp.scans($$ EXECUTE within ('[2026-02-10,2026-02-20]') $$);
DEALLOCATE ALL;
RESET plan_cache_mode;
SELECT pg_temp.scans($$ SELECT * FROM time_log WHERE id <= date '2026-01-10' $$);
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
CREATE FUNCTION pg_temp.never_scanned(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
        IF line ~ 'Scan.*never executed' THEN
            RETURN NEXT substring(line FROM 'time_log_\d');
        END IF;
    END LOOP;
END $$;
RESET enable_indexscan;
SELECT pg_temp.never_scanned($$ SELECT count(*) FROM time_visit JOIN time_log ON id > arrived AND id <= arrived + interval '1 hour' $$);
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_material;
RESET enable_bitmapscan;
RESET enable_indexonlyscan;

--
-- The operators that amvalidate misses are missing on purpose: an instant equals no
-- ID, and no other operator applies to the points between IDs.
--
DO $$
DECLARE
    class record;
BEGIN
    FOR class IN
        SELECT c.oid FROM pg_opclass AS c JOIN pg_am AS a ON a.oid = opcmethod JOIN pg_type AS t ON t.oid = opcintype
        WHERE typname IN (SELECT name FROM flakeid_formats) ORDER BY amname, opcname COLLATE "C"
    LOOP
        PERFORM amvalidate(class.oid);
    END LOOP;
END $$;

DROP TABLE time_log, time_visit, time_event;
DROP FUNCTION time_visible, time_volatile, time_differs;
DROP SEQUENCE time_asked;
