--
-- Partitions by time: flakeid_create_partitions and flakeid_drop_partitions
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;
RESET client_min_messages;
SET timezone = 'America/New_York';    -- the steps are counted in UTC all the same
SET datestyle = 'ISO';
\set SHOW_CONTEXT never

-- The partitions of a table with the UTC times of their bounds.
CREATE FUNCTION pg_temp.bounds(parent regclass) RETURNS TABLE (partition regclass, "from" timestamp, "to" timestamp)
LANGUAGE plpgsql AS $$
DECLARE
    key regtype := flakeid_partition_key(parent);
    b text;
BEGIN
    FOR partition, b IN
        SELECT oid, pg_get_expr(relpartbound, oid) FROM pg_class JOIN pg_inherits ON inhrelid = oid
        WHERE inhparent = parent ORDER BY relname COLLATE "C"
    LOOP
        EXECUTE format('SELECT %L::%s::timestamptz AT TIME ZONE ''UTC'', %L::%s::timestamptz AT TIME ZONE ''UTC''',
            substring(b FROM 'FROM \(''(.*)''\) TO'), key, substring(b FROM 'TO \(''(.*)''\)'), key) INTO "from", "to";
        RETURN NEXT;
    END LOOP;
END $$;

CREATE TABLE part_log (
    id sno PRIMARY KEY,
    n int DEFAULT 7 CHECK (n > 0),
    twice int GENERATED ALWAYS AS (n * 2) STORED
) PARTITION BY RANGE (id);
CREATE INDEX ON part_log (n);

-- By the month, from a day that not every month has.
SELECT * FROM flakeid_create_partitions('part_log', '2026-01-31 00:00+00', '2026-05-31 00:00+00', '1 month');
SELECT * FROM pg_temp.bounds('part_log');
-- Again nothing is created, and later only what is missing.
SELECT * FROM flakeid_create_partitions('part_log', '2026-01-31 00:00+00', '2026-05-31 00:00+00', '1 month');
DROP TABLE part_log_20260331;
SELECT * FROM flakeid_create_partitions('part_log', '2026-01-31 00:00+00', '2026-06-01 00:00+00', '1 month');

-- They are partitions as PARTITION OF makes them.
INSERT INTO part_log (id) SELECT sno_make(timestamptz '2026-02-01 00:00+00' + n * interval '1 day', 0, 1, 1) FROM generate_series(0, 140) AS n;
SELECT tableoid::regclass, count(*), sum(twice) FROM part_log GROUP BY tableoid ORDER BY tableoid::regclass::text COLLATE "C";
INSERT INTO part_log_20260331 (id, n) VALUES (sno_make('2026-04-05', 0, 1, 1), -1);
SELECT conrelid::regclass, contype FROM pg_constraint
WHERE conrelid = 'part_log_20260430'::regclass AND contype IN ('p', 'c') ORDER BY contype;
SELECT count(*) FROM pg_index WHERE indrelid = 'part_log_20260430'::regclass;

-- What overlaps is refused, and nothing is created before it either.
SELECT * FROM flakeid_create_partitions('part_log', '2026-01-30 12:00+00', '2026-05-31 00:00+00', '12 hours 1 min');
SELECT to_regclass('part_log_20260130_1200');
SELECT * FROM flakeid_create_partitions('part_log', '2026-01-29 00:00+00', '2026-05-31 00:00+00', '1 day');

-- Dropped is what lies wholly before: a bound is the first instant of the next one.
SELECT * FROM flakeid_drop_partitions('part_log', '2026-01-01');
SELECT * FROM flakeid_drop_partitions('part_log', '2026-03-30 23:59:59.999999+00');
SELECT * FROM flakeid_drop_partitions('part_log', '2026-04-30 00:00+00');
SELECT tableoid::regclass, count(*) FROM part_log GROUP BY tableoid ORDER BY tableoid::regclass::text COLLATE "C";
DROP TABLE part_log;

-- A bound inside a unit of time (4 ms here): IDs of that instant are before it.
CREATE TABLE part_inside (id sno) PARTITION BY RANGE (id);
CREATE TABLE part_inside_1 PARTITION OF part_inside FOR VALUES FROM (MINVALUE) TO (sno_make('2026-01-01 00:00+00', 1, 0, 0));
CREATE TABLE part_inside_2 PARTITION OF part_inside FOR VALUES FROM (sno_make('2026-01-01 00:00+00', 1, 0, 0)) TO (MAXVALUE);
CREATE TABLE part_inside_3 PARTITION OF part_inside DEFAULT;
SELECT * FROM flakeid_drop_partitions('part_inside', '2026-01-01 00:00+00');
SELECT * FROM flakeid_drop_partitions('part_inside', '2026-01-01 00:00:00.000001+00');
-- Without an end, or the default: these stay.
SELECT * FROM flakeid_drop_partitions('part_inside', 'infinity');
DROP TABLE part_inside;

-- Names tell the time as finely as the steps need it.
CREATE TABLE part_names (id sno) PARTITION BY RANGE (id);
SELECT flakeid_create_partitions('part_names', '2026-01-01 00:00+00', '2026-01-03 00:00+00', '24 hours')
UNION ALL SELECT flakeid_create_partitions('part_names', '2026-01-03 00:00+00', '2026-01-03 12:00+00', '6 hours')
UNION ALL SELECT flakeid_create_partitions('part_names', '2026-01-03 12:00+00', '2026-01-03 12:00:40+00', '20 s')
UNION ALL SELECT flakeid_create_partitions('part_names', '2026-01-03 13:00+00', '2026-01-03 13:00:00.016+00', '8 ms');
DROP TABLE part_names;

-- Quoted, and cut to fit: 62 bytes in 31 letters here.
CREATE SCHEMA "part Schema";
CREATE TABLE "part Schema"."äöüßäöüßäöüßäöüßäöüßäöüßäöüßäöü" (id sno) PARTITION BY RANGE (id);
SELECT * FROM flakeid_create_partitions('"part Schema"."äöüßäöüßäöüßäöüßäöüßäöüßäöüßäöü"', '2026-01-01 00:00+00', '2026-01-03 00:00+00', '1 day');
SELECT * FROM flakeid_drop_partitions('"part Schema"."äöüßäöüßäöüßäöüßäöüßäöüßäöüßäöü"', '2026-01-02 00:00+00');
DROP TABLE "part Schema"."äöüßäöüßäöüßäöüßäöüßäöüßäöüßäöü";
DROP SCHEMA "part Schema";

-- All types.
CREATE FUNCTION pg_temp.try(type text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE part_type (id %I PRIMARY KEY) PARTITION BY RANGE (id)', type);
    RETURN QUERY SELECT 'created ' || p::text FROM flakeid_create_partitions('part_type', '2026-01-01 00:00+00', '2026-01-01 00:00:00.4+00', '0.2 s') AS p;
    RETURN QUERY SELECT format('%s from %s to %s', partition, "from", "to") FROM pg_temp.bounds('part_type');
    RETURN QUERY SELECT 'dropped ' || p FROM flakeid_drop_partitions('part_type', '2026-01-01 00:00:00.3+00') AS p;
    DROP TABLE part_type;
END $$;
SELECT name, what FROM flakeid_formats, pg_temp.try(name) AS what WHERE time_ordered;

-- Foreign keys, both ways.
CREATE TABLE part_user (who int PRIMARY KEY);
INSERT INTO part_user VALUES (1);
CREATE TABLE part_event (id sno PRIMARY KEY, who int REFERENCES part_user) PARTITION BY RANGE (id);
CREATE TABLE part_note (event sno REFERENCES part_event, note text);
SELECT * FROM flakeid_create_partitions('part_event', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month');
INSERT INTO part_event VALUES (sno_make('2026-01-05', 0, 1, 1), 1), (sno_make('2026-02-05', 0, 1, 1), 1);
INSERT INTO part_event VALUES (sno_make('2026-01-06', 0, 1, 1), 2);
INSERT INTO part_note VALUES (sno_make('2026-02-05', 0, 1, 1), 'kept');
SELECT * FROM flakeid_drop_partitions('part_event', '2026-02-01 00:00+00');
\set VERBOSITY sqlstate
SELECT * FROM flakeid_drop_partitions('part_event', '2026-03-01 00:00+00');
\set VERBOSITY default
SELECT id::timestamptz AT TIME ZONE 'UTC' AS at, note FROM part_event JOIN part_note ON event = id;
DROP TABLE part_note, part_event, part_user;

-- The default partition: what it holds of the time has to be moved first.
CREATE TABLE part_default (id sno) PARTITION BY RANGE (id);
CREATE TABLE part_default_rest PARTITION OF part_default DEFAULT;
INSERT INTO part_default VALUES (sno_make('2026-02-05', 0, 1, 1));
SELECT * FROM flakeid_create_partitions('part_default', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 month');
SELECT * FROM flakeid_create_partitions('part_default', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month');
DROP TABLE part_default;

-- Owned as the parent is, whoever calls; only who owns the parent can.
CREATE ROLE regress_flakeid_owner;
CREATE ROLE regress_flakeid_other;
CREATE SCHEMA part_owned AUTHORIZATION regress_flakeid_owner;
CREATE TABLE part_owned.log (id sno) PARTITION BY RANGE (id);
ALTER TABLE part_owned.log OWNER TO regress_flakeid_owner;
GRANT USAGE ON SCHEMA part_owned TO regress_flakeid_other;
GRANT SELECT ON part_owned.log TO regress_flakeid_other;
SELECT * FROM flakeid_create_partitions('part_owned.log', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 month');
SET ROLE regress_flakeid_owner;
SELECT * FROM flakeid_create_partitions('part_owned.log', '2026-02-01 00:00+00', '2026-03-01 00:00+00', '1 month');
SET ROLE regress_flakeid_other;
SELECT * FROM flakeid_create_partitions('part_owned.log', '2026-03-01 00:00+00', '2026-04-01 00:00+00', '1 month');
SELECT * FROM flakeid_drop_partitions('part_owned.log', '2026-03-01 00:00+00');
RESET ROLE;
SELECT relname, relowner::regrole, relacl FROM pg_class
WHERE relnamespace = 'part_owned'::regnamespace AND relispartition ORDER BY relname;
DROP OWNED BY regress_flakeid_owner, regress_flakeid_other CASCADE;
DROP ROLE regress_flakeid_owner, regress_flakeid_other;

-- Temporary tables have temporary partitions; a subpartitioned one is dropped whole.
CREATE TEMP TABLE part_temp (id sno, n int) PARTITION BY RANGE (id);
SELECT * FROM flakeid_create_partitions('part_temp', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 month');
SELECT relpersistence FROM pg_class WHERE relname = 'part_temp_20260101';
CREATE TEMP TABLE part_temp_feb PARTITION OF part_temp FOR VALUES FROM (sno_min('2026-02-01 00:00+00')) TO (sno_min('2026-03-01 00:00+00'))
    PARTITION BY LIST (n);
CREATE TEMP TABLE part_temp_feb_1 PARTITION OF part_temp_feb FOR VALUES IN (1);
SELECT regexp_replace(p, '^pg_temp_\d+', 'pg_temp') AS dropped FROM flakeid_drop_partitions('part_temp', '2026-03-01 00:00+00') AS p;
SELECT to_regclass('part_temp_feb_1');
DROP TABLE part_temp;

-- It needs neither the extension's schema in the search path nor its name.
BEGIN;
CREATE SCHEMA part_elsewhere;
ALTER EXTENSION flakeid SET SCHEMA part_elsewhere;
CREATE TABLE part_far (id part_elsewhere.snowflake) PARTITION BY RANGE (id);
SELECT * FROM part_elsewhere.flakeid_create_partitions('part_far', '2026-01-01 00:00+00', '2026-03-01 00:00+00', '1 month');
SELECT * FROM part_elsewhere.flakeid_drop_partitions('part_far', '2026-02-01 00:00+00');
ROLLBACK;

--
-- Refused
--
CREATE TABLE part_bad (id sno, n int) PARTITION BY RANGE (id);
CREATE TABLE part_plain (id sno);
CREATE TABLE part_list (id sno) PARTITION BY LIST (id);
CREATE TABLE part_two (id sno, n int) PARTITION BY RANGE (id, n);
CREATE TABLE part_time (at timestamptz) PARTITION BY RANGE (at);
CREATE TABLE part_uid96 (id uid96) PARTITION BY RANGE (id);
SELECT flakeid_create_partitions('part_plain', '2026-01-01', '2026-02-01', '1 day');
SELECT flakeid_create_partitions('part_list', '2026-01-01', '2026-02-01', '1 day');
SELECT flakeid_create_partitions('part_two', '2026-01-01', '2026-02-01', '1 day');
SELECT flakeid_create_partitions('part_time', '2026-01-01', '2026-02-01', '1 day');
SELECT flakeid_create_partitions('part_uid96', '2026-01-01', '2026-02-01', '1 day');
SELECT flakeid_drop_partitions('part_plain', '2026-01-01');
SELECT flakeid_create_partitions('part_bad', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '0');
SELECT flakeid_create_partitions('part_bad', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '-1 day');
SELECT flakeid_create_partitions('part_bad', '2026-01-01 00:00+00', '2026-06-01 00:00+00', '1 month -29 days');
SELECT flakeid_create_partitions('part_bad', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 ms');
SELECT flakeid_create_partitions('part_bad', '2026-02-01 00:00+00', '2026-01-01 00:00+00', '1 day');
SELECT flakeid_create_partitions('part_bad', '2026-02-01 00:00+00', 'infinity', '1 day');
SELECT flakeid_create_partitions('part_bad', '2009-12-31 00:00+00', '2010-01-03 00:00+00', '1 day');
SELECT flakeid_create_partitions('part_bad', '2079-01-01 00:00+00', '2081-01-01 00:00+00', '1 year');
SELECT flakeid_create_partitions('part_bad', NULL, '2081-01-01', '1 year');
CREATE TABLE part_bad_20260101 (id sno);
SELECT flakeid_create_partitions('part_bad', '2026-01-01 00:00+00', '2026-02-01 00:00+00', '1 month');
CREATE VIEW part_bad_view AS SELECT FROM part_bad;
SELECT flakeid_create_partitions('part_bad', '2026-02-01 00:00+00', '2026-03-01 00:00+00', '1 month');
CREATE VIEW part_bad_child AS SELECT FROM part_bad_20260201;
SELECT flakeid_drop_partitions('part_bad', '2026-03-01 00:00+00');
SELECT count(*) FROM pg_temp.bounds('part_bad');
DROP VIEW part_bad_view, part_bad_child;
DROP TABLE part_bad, part_bad_20260101, part_plain, part_list, part_two, part_time, part_uid96;
