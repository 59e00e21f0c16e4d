--
-- IDs for existing rows.  (A crash in the middle, and two concurrent calls:
-- test/t/049_backfill_table.pl.)
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql
-- a pass over a table that never ends is a failure, too
SET statement_timeout = '5min';

-- 3 rows per instant, 17,000 rows in full ticks, and some without a time
CREATE TABLE backfill_order (
    n int PRIMARY KEY, created_at timestamptz,
    sno sno, siq siq, flax flax, uid64 uid64, snowflake snowflake, ulid ulid, ksuid ksuid, uuid uuid
);
CREATE INDEX ON backfill_order (created_at);
INSERT INTO backfill_order SELECT n, '2020-02-29 12:00Z'::timestamptz + (n / 3) * interval '1.3 ms' FROM generate_series(1, 3000) AS n;
INSERT INTO backfill_order SELECT n, '2020-01-01 12:00Z' FROM generate_series(5001, 22000) AS n;
INSERT INTO backfill_order VALUES (0, NULL), (-1, NULL);

-- refused
\set SHOW_CONTEXT never
CALL flakeid_backfill('backfill_order', 'sno', 'created_at');
CREATE INDEX ON backfill_order (sno);
\set VERBOSITY sqlstate
BEGIN;
CALL flakeid_backfill('backfill_order', 'sno', 'created_at');
ROLLBACK;
CALL flakeid_backfill('backfill_order', 'no', 'created_at');
CALL flakeid_backfill('backfill_order', 'sno', 'no');
CALL flakeid_backfill('backfill_order', 'n', 'created_at');
CALL flakeid_backfill('backfill_order', 'sno', 'n');
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', batch => 0);
CALL flakeid_backfill('backfill_order', 'sno', NULL);
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', meta => 256);
CALL flakeid_backfill('backfill_order', 'siq', 'created_at');
CALL flakeid_backfill('backfill_order', 'siq', 'created_at', siq_type => 'nothing');
CALL flakeid_backfill('backfill_order', 'uid64', 'created_at', number => 1);
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', number => 65536);
-- far from the own ones, also a hundred below
SELECT sno_partition AS own, CASE WHEN sno_partition >= 65200 THEN 100 ELSE 65400 END AS sno_number,
    CASE WHEN siq_shard >= 250 THEN 100 ELSE 250 END AS siq_number,
    CASE snowflake_worker WHEN 31 THEN 30 ELSE 31 END AS snowflake_number, CASE snowflake_worker WHEN 28 THEN 27 ELSE 28 END AS other_snowflake_number
FROM flakeid_clock \gset
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', number => :own);
CALL flakeid_backfill('flakeid_clock', 'sno', 'created_at');
\set VERBOSITY default
SELECT count(*) FROM backfill_order WHERE num_nonnulls(sno, siq, flax, uid64, snowflake, ulid, ksuid, uuid) > 0;

-- successful, in batches that end within a tick
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', batch => 5000, number => :sno_number, meta => 7);
CREATE INDEX ON backfill_order (siq);
CALL flakeid_backfill('backfill_order', 'siq', 'created_at', batch => 7777, number => :siq_number, siq_type => 'message');
CREATE UNIQUE INDEX ON backfill_order (flax);
CALL flakeid_backfill('backfill_order', 'flax', 'created_at');
CREATE UNIQUE INDEX ON backfill_order (uid64);
CALL flakeid_backfill('backfill_order', 'uid64', 'created_at', batch => 6000);
CREATE UNIQUE INDEX ON backfill_order (snowflake);
CALL flakeid_backfill('backfill_order', 'snowflake', 'created_at', number => :snowflake_number);
CREATE UNIQUE INDEX ON backfill_order (ulid);
CALL flakeid_backfill('backfill_order', 'ulid', 'created_at', batch => 7000);
CREATE UNIQUE INDEX ON backfill_order (ksuid);
CALL flakeid_backfill('backfill_order', 'ksuid', 'created_at');
CREATE UNIQUE INDEX ON backfill_order (uuid);
CALL flakeid_backfill('backfill_order', 'uuid', 'created_at', batch => 3333);
-- nothing is left to do
CALL flakeid_backfill('backfill_order', 'uuid', 'created_at');

-- in the order of the rows, except for flax, and with their time
SELECT count(*) AS rows, count(DISTINCT flax) AS flax,
    count(*) FILTER (WHERE sno <= last_sno) AS sno, count(*) FILTER (WHERE siq <= last_siq) AS siq,
    count(*) FILTER (WHERE uid64 <= last_uid64) AS uid64, count(*) FILTER (WHERE snowflake <= last_snowflake) AS snowflake,
    count(*) FILTER (WHERE ulid <= last_ulid) AS ulid, count(*) FILTER (WHERE ksuid <= last_ksuid) AS ksuid,
    count(*) FILTER (WHERE uuid <= last_uuid OR uuid7_timestamp(uuid) IS NULL) AS uuid,
    count(*) FILTER (WHERE ulid::timestamptz <> date_trunc('milliseconds', created_at)) AS off_ulid,
    count(*) FILTER (WHERE ksuid::timestamptz <> date_trunc('seconds', created_at)) AS off_ksuid,
    count(*) FILTER (WHERE uuid7_timestamp(uuid) <> date_trunc('milliseconds', created_at)) AS off_uuid,
    count(*) FILTER (WHERE abs(extract(epoch FROM sno::timestamptz - created_at)) >= 0.004) AS off_sno,
    count(*) FILTER (WHERE flax::timestamptz <> date_trunc('milliseconds', created_at)) AS off_flax,
    count(*) FILTER (WHERE snowflake::timestamptz <> date_trunc('milliseconds', created_at)) AS off_snowflake
FROM (
    SELECT *, lag(sno) OVER w AS last_sno, lag(siq) OVER w AS last_siq,
        lag(uid64) OVER w AS last_uid64, lag(snowflake) OVER w AS last_snowflake,
        lag(ulid) OVER w AS last_ulid, lag(ksuid) OVER w AS last_ksuid, lag(uuid) OVER w AS last_uuid
    FROM backfill_order WHERE created_at IS NOT NULL WINDOW w AS (ORDER BY created_at, n)
) AS in_order;
SELECT min(sno_meta(sno)), max(sno_meta(sno)), min(siq_type_of(siq)), max(siq_shard(siq)) - :siq_number AS shards FROM backfill_order;

-- the bits after the count are random, and the same rows get other IDs the next time
SELECT count(DISTINCT right(ulid::text, 10)) AS ulid, count(DISTINCT right(ksuid::text, 10)) AS ksuid, count(DISTINCT right(uuid::text, 10)) AS uuid
FROM backfill_order;

VACUUM backfill_order;
-- later rows continue where their tick is used up to, also in full ticks
INSERT INTO backfill_order (n, created_at)
SELECT 30000 + n, '2020-01-01 12:00Z' FROM generate_series(1, 100) AS n;
INSERT INTO backfill_order (n, created_at) VALUES (40000, '2020-01-01 12:00:00.001Z'), (40001, '2019-01-01');
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', number => :sno_number, meta => 7);
CALL flakeid_backfill('backfill_order', 'siq', 'created_at', number => :siq_number, siq_type => 'message');
CALL flakeid_backfill('backfill_order', 'uid64', 'created_at', batch => 7);
CALL flakeid_backfill('backfill_order', 'snowflake', 'created_at', batch => 7, number => :snowflake_number);
CALL flakeid_backfill('backfill_order', 'uuid', 'created_at', batch => 7);
CALL flakeid_backfill('backfill_order', 'ulid', 'created_at', batch => 70);
CALL flakeid_backfill('backfill_order', 'ksuid', 'created_at');
SELECT count(*) AS later, min(sno) > (SELECT max(sno) FROM backfill_order WHERE n BETWEEN 5001 AND 22000) AS sno,
    min(siq) > (SELECT max(siq) FROM backfill_order WHERE n BETWEEN 5001 AND 22000) AS siq,
    min(uid64) > (SELECT max(uid64) FROM backfill_order WHERE n BETWEEN 5001 AND 22000) AS uid64,
    min(snowflake) > (SELECT max(snowflake) FROM backfill_order WHERE n BETWEEN 5001 AND 22000) AS snowflake,
    min(uuid::ulid) > (SELECT max(uuid::ulid) FROM backfill_order WHERE n BETWEEN 5001 AND 22000) AS uuid,
    min(ulid) > (SELECT max(ulid) FROM backfill_order WHERE n BETWEEN 5001 AND 22000) AS ulid,
    min(ksuid) > (SELECT max(ksuid) FROM backfill_order WHERE n BETWEEN 5001 AND 22000) AS ksuid
FROM backfill_order WHERE n BETWEEN 30001 AND 40000;
-- and only after those of the same backfill: one with another number, meta or type begins at the start
UPDATE backfill_order SET sno = NULL, siq = NULL, snowflake = NULL WHERE n BETWEEN 30001 AND 30100;
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', batch => 30, number => :sno_number, meta => 8);
CALL flakeid_backfill('backfill_order', 'siq', 'created_at', batch => 30, number => :siq_number, siq_type => 'user');
CALL flakeid_backfill('backfill_order', 'snowflake', 'created_at', batch => 30, number => :other_snowflake_number);
SELECT min(sno_sequence(sno)), max(sno_sequence(sno)), min(siq_serial(siq)), max(siq_serial(siq)), min(snowflake_sequence(snowflake)), max(snowflake_sequence(snowflake)) FROM backfill_order WHERE n BETWEEN 30001 AND 30100;
UPDATE backfill_order SET sno = NULL WHERE n BETWEEN 30001 AND 30100;
CALL flakeid_backfill('backfill_order', 'sno', 'created_at', number => :sno_number - 100, meta => 7);
SELECT min(sno_sequence(sno)), max(sno_sequence(sno)), max(sno_partition(sno)) - :sno_number AS number FROM backfill_order WHERE n BETWEEN 30001 AND 30100;

-- rows that were left are filled without reading the IDs between them
CREATE TABLE backfill_left (n int PRIMARY KEY, at timestamptz, id ulid UNIQUE);
CREATE INDEX ON backfill_left (at);
INSERT INTO backfill_left SELECT n, at, CASE WHEN n NOT IN (1, 3000) THEN ulid_new_at(at) END
FROM generate_series(1, 3000) AS n CROSS JOIN LATERAL (SELECT '2020-01-01Z'::timestamptz + n * interval '1 s') AS t (at);
CALL flakeid_backfill('backfill_left', 'id', 'at');
DO 'BEGIN PERFORM pg_stat_force_next_flush(); END';
SELECT idx_tup_read < 100 AS few FROM pg_stat_user_indexes WHERE indexrelname = 'backfill_left_id_key';
DROP TABLE backfill_left;

-- a UUID of another version is none of a tick's, even if it begins as they do
CREATE TABLE backfill_v4 (at timestamptz UNIQUE, id uuid UNIQUE);
INSERT INTO backfill_v4 VALUES ('2020-01-01Z', NULL), (NULL, overlay(uuid7_max('2020-01-01Z')::text PLACING '4' FROM 15 FOR 1)::uuid);
CALL flakeid_backfill('backfill_v4', 'id', 'at');
SELECT left(id::text, 20) FROM backfill_v4 ORDER BY id;
DROP TABLE backfill_v4;

-- other columns with a time, and partitions
CREATE TABLE backfill_ulid (ulid text PRIMARY KEY, v4 uuid, id snowflake) PARTITION BY HASH (ulid);
CREATE TABLE backfill_ulid_0 PARTITION OF backfill_ulid FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE backfill_ulid_1 PARTITION OF backfill_ulid FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX ON backfill_ulid (id);
CALL flakeid_backfill('backfill_ulid', 'v4', 'ulid');
CREATE INDEX ON backfill_ulid (v4);
INSERT INTO backfill_ulid SELECT ulid_text_min('2021-01-01'::timestamptz + n / 10 * interval '1 ms'), gen_random_uuid()
FROM generate_series(0, 9990, 10) AS n;
CALL flakeid_backfill('backfill_ulid', 'id', 'v4');
CALL flakeid_backfill('backfill_ulid', 'id', 'ulid', batch => 100);
CREATE INDEX ON backfill_ulid ((ulid::text COLLATE "C"), ulid) WHERE id IS NULL;
CALL flakeid_backfill('backfill_ulid', 'id', 'ulid', batch => 100);
SELECT count(*), count(DISTINCT id), bool_and(id::timestamptz = ulid_timestamp(ulid)) FROM backfill_ulid;

-- a domain over a type with a time, and over such a domain
CREATE DOMAIN backfill_at AS timestamptz;
CREATE DOMAIN backfill_past AS backfill_at CHECK (VALUE < '2030-01-01Z');
CREATE DOMAIN backfill_text AS text;
CREATE DOMAIN backfill_int AS int;
CREATE TABLE backfill_domain (past backfill_past UNIQUE, ulid backfill_text COLLATE "C" UNIQUE, n backfill_int, id snowflake UNIQUE, by_ulid snowflake UNIQUE);
INSERT INTO backfill_domain SELECT at, ulid_text_min(at), 1 FROM generate_series('2021-01-01Z', '2021-01-10Z', interval '1 day') AS at;
CALL flakeid_backfill('backfill_domain', 'id', 'past', batch => 3);
CALL flakeid_backfill('backfill_domain', 'by_ulid', 'ulid', batch => 3);
CALL flakeid_backfill('backfill_domain', 'id', 'n');
SELECT count(*), bool_and(id::timestamptz = past), bool_and(by_ulid::timestamptz = past) FROM backfill_domain;
DROP TABLE backfill_domain;
DROP DOMAIN backfill_past, backfill_at, backfill_text, backfill_int;
-- a time column of our own types, in several batches, with a percent sign in its name
CREATE DOMAIN backfill_past AS ulid;
CREATE TABLE backfill_own_time ("at%s" backfill_past UNIQUE, flax flax UNIQUE, id snowflake UNIQUE, by_flax snowflake UNIQUE);
INSERT INTO backfill_own_time SELECT ulid_min(at), flax_min(at) FROM generate_series('2021-01-01Z', '2021-01-10Z', interval '1 day') AS at;
CALL flakeid_backfill('backfill_own_time', 'id', 'at%s', batch => 3);
CALL flakeid_backfill('backfill_own_time', 'by_flax', 'flax', batch => 3);
SELECT count(*), bool_and(id::timestamptz = "at%s"::ulid::timestamptz), bool_and(by_flax::timestamptz = flax::timestamptz) FROM backfill_own_time;
DROP TABLE backfill_own_time;
DROP DOMAIN backfill_past;

-- Order by the instant.  A time without a zone needs one, whatever the session's is; a clock that is
-- set forward needs an index on the instants.
CREATE TABLE backfill_local (n int PRIMARY KEY, at timestamp, day date, uuid uuid);
CREATE INDEX ON backfill_local (uuid);
CREATE INDEX ON backfill_local (at);
CREATE INDEX ON backfill_local (day);
INSERT INTO backfill_local SELECT n, timestamp '2026-03-29 00:00' + n * interval '10 min', date '2026-01-01' + n FROM generate_series(0, 30) AS n;
SET timezone = 'Europe/Rome';
SET datestyle = 'German, DMY';
CALL flakeid_backfill('backfill_local', 'uuid', 'at');
CALL flakeid_backfill('backfill_local', 'uuid', 'day');
CALL flakeid_backfill('backfill_local', 'uuid', 'n', time_zone => 'UTC');
CALL flakeid_backfill('backfill_local', 'uuid', 'at', time_zone => 'Middle/Earth');
CALL flakeid_backfill('backfill_local', 'uuid', 'at', batch => 7, time_zone => 'UTC');
SELECT count(*), bool_and(uuid7_timestamp(uuid) = at AT TIME ZONE 'UTC') FROM backfill_local;
UPDATE backfill_local SET uuid = NULL;
CALL flakeid_backfill('backfill_local', 'uuid', 'day', batch => 7, time_zone => 'utc');
SELECT count(*), bool_and(uuid7_timestamp(uuid) = day::timestamp AT TIME ZONE 'UTC') FROM backfill_local;
UPDATE backfill_local SET uuid = NULL;
CALL flakeid_backfill('backfill_local', 'uuid', 'at', batch => 7, time_zone => 'Europe/Rome');
CREATE INDEX ON backfill_local ((at::timestamp AT TIME ZONE 'Europe/Rome'), n) WHERE uuid IS NULL;
CALL flakeid_backfill('backfill_local', 'uuid', 'at', batch => 7, time_zone => 'Europe/Rome');
SELECT count(*), bool_and(uuid7_timestamp(uuid) = at AT TIME ZONE 'Europe/Rome') FROM backfill_local;
RESET datestyle;
SET timezone = 'UTC';
DROP TABLE backfill_local;
-- a uid96 begins with its node
CREATE TABLE backfill_uid96 (uid uid96 UNIQUE, id snowflake);
CREATE INDEX ON backfill_uid96 (id);
INSERT INTO backfill_uid96 SELECT uid96_make(timestamptz '2024-01-01Z' + n * interval '1 s', CASE n % 2 WHEN 0 THEN 4000000000 ELSE 1 END, n) FROM generate_series(1, 600) AS n;
CALL flakeid_backfill('backfill_uid96', 'id', 'uid', batch => 70);
CREATE INDEX ON backfill_uid96 ((uid96_timestamp(uid)::timestamptz));
CALL flakeid_backfill('backfill_uid96', 'id', 'uid', batch => 70);
SELECT count(*), bool_and(id::timestamptz = date_trunc('milliseconds', uid96_timestamp(uid))) FROM backfill_uid96;
DROP TABLE backfill_uid96;
-- times that no ID can have
CREATE TABLE backfill_odd (n int PRIMARY KEY, at timestamptz, id sno);
CREATE INDEX ON backfill_odd (id);
CREATE INDEX ON backfill_odd (at);
INSERT INTO backfill_odd VALUES (1, '2020-01-01Z'), (2, 'infinity'), (3, '1899-12-31Z'), (4, NULL), (5, '-infinity');
CALL flakeid_backfill('backfill_odd', 'id', 'at');
UPDATE backfill_odd SET id = sno_new() WHERE id IS NULL AND NOT at::timestamp with time zone BETWEEN '2010-11-04 00:00:00+00' AND '2027-01-01 00:00:00+00';
CALL flakeid_backfill('backfill_odd', 'id', 'at');
SELECT n, id::timestamptz = at AS same FROM backfill_odd ORDER BY n;
ALTER TABLE backfill_odd ADD uuid uuid UNIQUE, ADD uid64 uid64 UNIQUE;
CALL flakeid_backfill('backfill_odd', 'uuid', 'at');
-- more rows than the last tick has IDs
TRUNCATE backfill_odd;
INSERT INTO backfill_odd SELECT n, last_timestamp FROM flakeid_formats, generate_series(1, 16385) AS n WHERE name = 'uid64';
CALL flakeid_backfill('backfill_odd', 'uid64', 'at', batch => 20000);
DROP TABLE backfill_odd;
-- texts that are no ULIDs, or empty, or missing
CREATE TABLE backfill_texts (id text COLLATE "C" UNIQUE, snowflake snowflake);
CREATE INDEX ON backfill_texts (snowflake);
INSERT INTO backfill_texts VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV'), (NULL), ('01ARZ3NDEKTSV4RRFFQ69G5FA%L''"'), ('');
CALL flakeid_backfill('backfill_texts', 'snowflake', 'id');
DELETE FROM backfill_texts WHERE id = '';
CALL flakeid_backfill('backfill_texts', 'snowflake', 'id');
DELETE FROM backfill_texts WHERE id LIKE '%"';
CALL flakeid_backfill('backfill_texts', 'snowflake', 'id');
DROP TABLE backfill_texts;

-- a trigger that conflicts is an error, without a wait
CREATE FUNCTION backfill_keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := NULL; RETURN NEW; END';
CREATE TRIGGER backfill_keep BEFORE UPDATE ON backfill_ulid FOR EACH ROW EXECUTE FUNCTION backfill_keep();
UPDATE backfill_ulid SET id = NULL;
\set VERBOSITY sqlstate
CALL flakeid_backfill('backfill_ulid', 'id', 'ulid');
\set VERBOSITY default

-- refused
CREATE TABLE backfill_empty (uuid uuid, v4 uuid, text text);
\set VERBOSITY terse
CALL flakeid_backfill('backfill_empty', 'v4', 'uuid');
CALL flakeid_backfill('backfill_empty', 'text', 'uuid');
\set VERBOSITY default

-- Whoever has the privileges of the owner may: a member of the role, and a superuser.
CREATE ROLE regress_backfill;
CREATE ROLE regress_member;
GRANT regress_backfill TO regress_member;
GRANT CREATE ON SCHEMA public TO regress_backfill;
SET ROLE regress_backfill;
CREATE TABLE backfill_own (id sno UNIQUE, at timestamp DEFAULT '2020-01-01');
CREATE INDEX ON backfill_own (at);
INSERT INTO backfill_own SELECT FROM generate_series(1, 10);
GRANT ALL ON backfill_own TO PUBLIC;
\set VERBOSITY terse
CALL flakeid_backfill('backfill_order', 'sno', 'created_at');
SELECT _flakeid_functions.flakeid_lock_backfill('backfill_order');
SELECT _flakeid_functions.flakeid_backfill_fill('backfill_own', 'none', -1, 0, '', '{}', '{}', '{}');
RESET ROLE;
\set VERBOSITY default
CALL flakeid_backfill('backfill_own', 'id', 'at', time_zone => 'UTC');
SELECT count(id) FROM backfill_own;
UPDATE backfill_own SET id = NULL;
SET ROLE regress_member;
CALL flakeid_backfill('backfill_own', 'id', 'at', time_zone => 'UTC');
RESET ROLE;
SELECT count(id) FROM backfill_own;
-- Rows that row security hides are an error, not silently left out.
SET ROLE regress_backfill;
UPDATE backfill_own SET id = NULL;
ALTER TABLE backfill_own ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
\set VERBOSITY terse
CALL flakeid_backfill('backfill_own', 'id', 'at', time_zone => 'UTC');
\set VERBOSITY default
ALTER TABLE backfill_own NO FORCE ROW LEVEL SECURITY;
CALL flakeid_backfill('backfill_own', 'id', 'at', time_zone => 'UTC');
RESET ROLE;
DROP TABLE backfill_own, backfill_order, backfill_ulid, backfill_empty;
DROP FUNCTION backfill_keep;
REVOKE CREATE ON SCHEMA public FROM regress_backfill;
DROP ROLE regress_backfill, regress_member;
-- A name in quotes is shown as it is written.
CREATE TABLE "back ""fill" (id ulid, at timestamptz);
CREATE INDEX ON "back ""fill" (id);
CREATE INDEX ON "back ""fill" (at) WHERE id IS NULL;
INSERT INTO "back ""fill" (at) VALUES ('2026-01-01Z');
CALL flakeid_backfill('"back ""fill"', 'id', 'at');
DROP TABLE "back ""fill";
