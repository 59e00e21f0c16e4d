--
-- Running it: keeping partitions.
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;
RESET client_min_messages;
SET timezone = 'UTC';

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
