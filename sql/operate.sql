--
-- Running it: numbering the rows that there are.  (A crash in the middle, and two at a
-- time: test/t/033_operate.pl.)
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;
RESET client_min_messages;
SET timezone = 'UTC';

-- A tick's start and the tick of it are each other's.
SELECT name, count(*) AS wrong
FROM flakeid_formats CROSS JOIN generate_series(0, 2000) AS n
WHERE flakeid_tick_of(name, flakeid_tick_start(name, n)) <> n
    OR (n > 0 AND flakeid_tick_of(name, flakeid_tick_start(name, n) - interval '1 us') <> n - 1)
GROUP BY name;
SELECT flakeid_tick_of('sno', '1999-01-01');
SELECT flakeid_tick_start('sno', -1);
SELECT flakeid_tick_of('cuid', '2020-01-01');

-- 3 rows an instant, in ticks that are full with more of them, and some without a time
CREATE TABLE operate_order (
    n int PRIMARY KEY, created_at timestamptz,
    sno sno, siq siq, flax flax, uid64 uid64, snowflake snowflake
);
CREATE INDEX ON operate_order (created_at);
INSERT INTO operate_order SELECT n, '2020-02-29 12:00Z'::timestamptz + (n / 3) * interval '1.3 ms' FROM generate_series(1, 3000) AS n;
INSERT INTO operate_order SELECT n, '2020-01-01 12:00Z' FROM generate_series(5001, 25000) AS n;
INSERT INTO operate_order VALUES (0, NULL), (-1, NULL);

-- refused
CALL flakeid_backfill('operate_order', 'sno', 'created_at');
CREATE UNIQUE INDEX ON operate_order (sno);
CREATE UNIQUE INDEX ON operate_order (siq);
CREATE UNIQUE INDEX ON operate_order (flax);
CREATE UNIQUE INDEX ON operate_order (uid64);
CREATE UNIQUE INDEX ON operate_order (snowflake);
\set VERBOSITY sqlstate
BEGIN;
CALL flakeid_backfill('operate_order', 'sno', 'created_at');
ROLLBACK;
CALL flakeid_backfill('operate_order', 'no', 'created_at');
CALL flakeid_backfill('operate_order', 'sno', 'no');
CALL flakeid_backfill('operate_order', 'n', 'created_at');
CALL flakeid_backfill('operate_order', 'sno', 'n');
CALL flakeid_backfill('operate_order', 'sno', 'created_at', batch => 0);
CALL flakeid_backfill('operate_order', 'sno', NULL);
CALL flakeid_backfill('operate_order', 'sno', 'created_at', meta => 256);
CALL flakeid_backfill('operate_order', 'siq', 'created_at');
CALL flakeid_backfill('operate_order', 'siq', 'created_at', siq_type => 'nothing');
CALL flakeid_backfill('operate_order', 'uid64', 'created_at', number => 1);
CALL flakeid_backfill('operate_order', 'sno', 'created_at', number => 65536);
SELECT sno_partition AS own, CASE WHEN sno_partition >= 65400 THEN 100 ELSE 65400 END AS sno_number,
    CASE WHEN siq_shard >= 250 THEN 100 ELSE 250 END AS siq_number,
    CASE snowflake_worker WHEN 31 THEN 30 ELSE 31 END AS snowflake_number
FROM flakeid_clock \gset
CALL flakeid_backfill('operate_order', 'sno', 'created_at', number => :own);
CALL flakeid_backfill('flakeid_clock', 'sno', 'created_at');
\set VERBOSITY default
SELECT count(*) FROM operate_order WHERE num_nonnulls(sno, siq, flax, uid64, snowflake) > 0;

-- done, in batches that end within a tick
CALL flakeid_backfill('operate_order', 'sno', 'created_at', batch => 5000, number => :sno_number, meta => 7);
CALL flakeid_backfill('operate_order', 'siq', 'created_at', batch => 7777, number => :siq_number, siq_type => 'message');
CALL flakeid_backfill('operate_order', 'flax', 'created_at');
CALL flakeid_backfill('operate_order', 'uid64', 'created_at', batch => 6000);
CALL flakeid_backfill('operate_order', 'snowflake', 'created_at', number => :snowflake_number);
SELECT name, id_column, type, finished, rows, rounded, next_numbers, moved, position
FROM flakeid_backfills WHERE name = 'operate_order' ORDER BY id_column;

-- in the order of the rows, but for flax, and of their time
SELECT count(*) AS rows, count(DISTINCT flax) AS flax,
    count(*) FILTER (WHERE sno <= last_sno) AS sno, count(*) FILTER (WHERE siq <= last_siq) AS siq,
    count(*) FILTER (WHERE uid64 <= last_uid64) AS uid64, count(*) FILTER (WHERE snowflake <= last_snowflake) AS snowflake,
    count(*) FILTER (WHERE abs(extract(epoch FROM sno::timestamptz - created_at)) >= 0.004) AS off_sno,
    count(*) FILTER (WHERE flax::timestamptz <> date_trunc('milliseconds', created_at)) AS off_flax,
    count(*) FILTER (WHERE snowflake::timestamptz <> date_trunc('milliseconds', created_at)) AS off_snowflake
FROM (
    SELECT *, lag(sno) OVER w AS last_sno, lag(siq) OVER w AS last_siq,
        lag(uid64) OVER w AS last_uid64, lag(snowflake) OVER w AS last_snowflake
    FROM operate_order WHERE created_at IS NOT NULL WINDOW w AS (ORDER BY created_at, n)
) AS in_order;
SELECT min(sno_meta(sno)), max(sno_meta(sno)), min(siq_type_of(siq)), max(siq_shard(siq)) - :siq_number AS shards FROM operate_order;

-- those that come later go on where their tick is taken up to, also in full ones
INSERT INTO operate_order (n, created_at)
SELECT 30000 + n, '2020-01-01 12:00Z' FROM generate_series(1, 100) AS n;
INSERT INTO operate_order (n, created_at) VALUES (40000, '2020-01-01 12:00:00.001Z'), (40001, '2019-01-01');
CALL flakeid_backfill('operate_order', 'sno', 'created_at', number => :sno_number, meta => 7);
CALL flakeid_backfill('operate_order', 'uid64', 'created_at', batch => 7);
SELECT count(*) AS later, min(sno) > (SELECT max(sno) FROM operate_order WHERE n BETWEEN 5001 AND 25000) AS sno,
    min(uid64) > (SELECT max(uid64) FROM operate_order WHERE n BETWEEN 5001 AND 25000) AS uid64
FROM operate_order WHERE n BETWEEN 30001 AND 40000;

-- other columns that tell the time, and partitions
CREATE TABLE operate_ulid (ulid text PRIMARY KEY, v4 uuid, id snowflake) PARTITION BY HASH (ulid);
CREATE TABLE operate_ulid_0 PARTITION OF operate_ulid FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE operate_ulid_1 PARTITION OF operate_ulid FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX ON operate_ulid (id);
INSERT INTO operate_ulid SELECT ulid_text_from('2021-01-01'::timestamptz + n / 10 * interval '1 ms'), gen_random_uuid()
FROM generate_series(0, 9990, 10) AS n;
CALL flakeid_backfill('operate_ulid', 'id', 'v4');
CALL flakeid_backfill('operate_ulid', 'id', 'ulid', batch => 100);
SELECT count(*), count(DISTINCT id), bool_and(id::timestamptz = ulid_timestamp(ulid)) FROM operate_ulid;

-- a trigger that is in the way is told, not waited for
CREATE FUNCTION operate_keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := NULL; RETURN NEW; END';
CREATE TRIGGER operate_keep BEFORE UPDATE ON operate_ulid FOR EACH ROW EXECUTE FUNCTION operate_keep();
UPDATE operate_ulid SET id = NULL;
\set VERBOSITY sqlstate
CALL flakeid_backfill('operate_ulid', 'id', 'ulid');
\set VERBOSITY default

-- The owner of a table may; others do not see it, and note nothing.
CREATE ROLE regress_operate;
SET ROLE regress_operate;
SELECT count(*) FROM flakeid_backfills;
SELECT flakeid_put_backfill('public', 'operate_order', '{}');
SELECT flakeid_put_backfill('public', 'operate_nothing', '{}');
CREATE TEMP TABLE operate_own (id sno UNIQUE, at timestamp DEFAULT '2020-01-01');
INSERT INTO operate_own SELECT FROM generate_series(1, 10);
CALL flakeid_backfill('operate_own', 'id', 'at');
SELECT name, rows FROM flakeid_backfills;
RESET ROLE;
DROP TABLE operate_own, operate_order, operate_ulid;
DROP FUNCTION operate_keep;
DROP ROLE regress_operate;

--
-- Keeping partitions.
--
CREATE TABLE operate_log (id sno PRIMARY KEY DEFAULT sno_new(), body text) PARTITION BY RANGE (id);
CREATE TABLE operate_status (id bigint PRIMARY KEY) PARTITION BY RANGE (id);
SELECT flakeid_keep('operate_log', '1 month', ahead => 2, retain => '90 days');
SELECT flakeid_keep('operate_status', '1 week', layout => 'mastodon', start_at => '2020-01-06');
\set VERBOSITY sqlstate
SELECT flakeid_keep('pg_class', '1 month');
SELECT flakeid_keep('operate_log', '-1 month');
SELECT flakeid_keep('operate_log', '1 month', ahead => -1);
SELECT flakeid_keep('operate_log', '1 month', start_at => now() + interval '1 day');
BEGIN;
CALL flakeid_maintain();
ROLLBACK;
\set VERBOSITY default

-- what will be done can be seen before it is
SELECT flakeid_create_partitions('operate_log', '2021-01-01', '2021-03-01', '1 month');
CREATE TEMP VIEW plan AS
SELECT name, to_create = ARRAY(
        SELECT CASE name WHEN 'operate_log' THEN date_trunc('month', now(), 'UTC') + n * interval '1 month'
            ELSE date_trunc('week', now(), 'UTC') + n * interval '1 week' END
        FROM generate_series(0, ahead) AS n) AS as_expected,
    cardinality(to_create) AS to_create, to_drop, fault, last_run IS NOT NULL AS has_run, last_error
FROM flakeid_kept WHERE schema = 'public' AND name ~ '^operate' ORDER BY name;
TABLE plan;
CALL flakeid_maintain();
TABLE plan;
INSERT INTO operate_log SELECT FROM generate_series(1, 10);
INSERT INTO operate_status VALUES (layout_min(now(), 'mastodon'));
CALL flakeid_maintain();
SELECT count(*) FROM pg_inherits WHERE inhparent IN ('operate_log'::regclass, 'operate_status'::regclass);

-- what fails is noted, and does not keep the others from their partitions
SELECT flakeid_keep('operate_log', '10 days', ahead => 3);
SELECT flakeid_keep('operate_status', '1 week', ahead => 2, layout => 'mastodon', start_at => '2020-01-06');
SET client_min_messages = error;
CALL flakeid_maintain();
RESET client_min_messages;
SELECT name, last_error ~ '^42P17: partition ".*" would overlap partition' AS overlaps, last_error IS NULL AS good FROM plan;
SELECT flakeid_keep('operate_log', '1 month');
CALL flakeid_maintain();
SELECT name, last_error, to_create FROM plan;

-- with the rights of the owner, not of the caller
CREATE ROLE regress_operate;
CREATE SCHEMA operate AUTHORIZATION regress_operate;
SET ROLE regress_operate;
SELECT flakeid_keep('operate_log', '1 month');
SELECT flakeid_unkeep('public', 'operate_log');
SELECT flakeid_keep_as_owner('operate_log');
CREATE FUNCTION operate.who(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
$$ BEGIN ASSERT current_user = 'regress_operate'; RETURN $1; END $$;
CREATE TABLE operate.owned (id sno, n int) PARTITION BY RANGE (id);
CREATE INDEX ON operate.owned (id) WHERE n > operate.who(1);
SELECT flakeid_keep('operate.owned', '1 year', ahead => 0);
RESET ROLE;
CALL flakeid_maintain();
SELECT count(*), min(c.relowner::regrole::text) FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
WHERE inhparent = 'operate.owned'::regclass AND relkind = 'r';
SELECT last_error FROM flakeid_kept WHERE schema = 'operate';

-- a table that is gone is told until it is forgotten
DROP TABLE operate_log, operate_status;
SELECT name, fault FROM plan;
SELECT flakeid_unkeep('public', 'operate_log');
SELECT flakeid_unkeep('public', 'operate_status');
SELECT flakeid_unkeep('operate', 'owned');
SELECT count(*) FROM flakeid_kept;
DROP SCHEMA operate CASCADE;
DROP ROLE regress_operate;

--
-- What is this?
--
SELECT t AS text, g.* FROM unnest(ARRAY[
    'brpk4q72xwf2m63l', '0RdKJcxqVBiAiQr0', '05W2YJY0000000000000007', '.5.tXbhdV.3', '.5.tXVEf8n4vPN.0',
    '175928847299117063', ' 01ARZ3NDEKTSV4RRFFQ69G5FAV ', '01arz3ndektsv4rrffq69g5fav',
    '018cc251-f400-7000-8000-000000000000', '9f8d3b6c-5a1e-4d7b-8c2f-0123456789ab', '01563e3a-b5d3-d676-4c61-efb99302bd5b',
    'brpk4q72xwf2m63l'::sno::uuid::text, '9999999999999999999', '99999999999999999999', '-', '', 'hello'
]) WITH ORDINALITY AS u (t, n) CROSS JOIN flakeid_guess(t) AS g ORDER BY n, g.timestamp DESC NULLS LAST, format;
-- by likelihood: what is to come is behind
SELECT array_agg(format) FROM flakeid_guess('175928847299117063') WHERE timestamp NOT BETWEEN '2026-01-01' AND '2050-01-01';
SELECT count(*) FROM flakeid_guess(NULL);
-- every type's own IDs are found
SELECT name, (SELECT count(*) FROM flakeid_guess(CASE name WHEN 'sno' THEN sno_new()::text WHEN 'flax' THEN flax_new()::text
    WHEN 'siq' THEN siq_new('message')::text WHEN 'uid64' THEN uid64_new()::text WHEN 'uid96' THEN uid96_new()::text WHEN 'ulid' THEN ulid_new()::text WHEN 'ksuid' THEN ksuid_new()::text ELSE snowflake_new()::text END)
    WHERE format = name AND timestamp BETWEEN now() - interval '1 hour' AND now() + interval '1 hour') AS found
FROM flakeid_formats;
SELECT library = extension AS same, NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'flakeid' AND default_version <> library) AS installed FROM flakeid_version();
