--
-- Every message that one session can provoke: SQLSTATE, message, DETAIL, HINT.
-- test/t has those that need a special clock or configuration file (55000: the clock is
-- too far behind, the sequence is used up; a standby; invalid settings).
--
-- It runs in its own database for its encoding, which texts that are not ASCII need.
--
\set database :DBNAME
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_flakeid;
RESET client_min_messages;
CREATE DATABASE regress_flakeid TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
\c regress_flakeid
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- The error of a statement, one field per line.
CREATE FUNCTION error_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state text; message text; detail text; hint text;
BEGIN
    EXECUTE statement;
    RETURN 'no error: ' || statement;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
        detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN format('%s: %s', state, message)
        || coalesce(E'\nDETAIL: ' || nullif(detail, ''), '')
        || coalesce(E'\nHINT: ' || nullif(hint, ''), '');
END $$;

--
-- Text
--
SELECT error_of(format('SELECT %L::sno', text)) FROM (VALUES
    (''), ('2'),
    ('brpk4q72xwf2m63'), ('brpk4q72xwf2m63l2'),    -- too short, too long
    ('brpk4q72xwf2m63l '), (' brpk4q72xwf2m63l'), ('brpk4q72 wf2m63l'), (E'brpk4q72xwf2m63\n'),
    ('BRPK4Q72XWF2M63L'), ('brpk4q72xwf2m63L'),
    ('brpk4q72xwf2m630'), ('brpk4q72xwf2m631'), ('brpk4q72xwf2m63y'), ('brpk4q72xwf2m63z'), ('brpk4q72-wf2m63l'),
    (U&'brpk4q72xwf2m6\00E9'), (U&'brpk4q72xwf2m63\00E9')    -- 16 bytes, 16 characters
) AS v (text);

-- Hex that is not 20 digits, invalid digits, the prefix in upper case, another format of bytea.
SELECT error_of(format('SELECT %L::sno', text)) FROM (VALUES
    ('\x'), ('\x4e6f2160a0ff9a0a10'), ('\x4e6f2160a0ff9a0a1033ff'), ('\x4e6f2160a0ff9a0a103'),
    ('\x4e6f2160a0ff9a0a10g3'), ('\x4e 6f2160a0ff9a0a10'), ('\X4e6f2160a0ff9a0a1033'), ('4e6f2160a0ff9a0a1033'),
    ('\000\000\000\000\000')
) AS v (text);

-- A user who writes an instant gets a hint what to write instead.
SELECT error_of(format('SELECT %L::sno', text)) FROM (VALUES
    ('2024-01-01'), ('2024-01-01 12:00'), ('2024-01-01T12:00:00Z'), ('now'), ('infinity'),
    ('2024-13-01'), ('Monday'), ('2024-01-01 Nowhere/At_All'), ('7,75atfocqe942og')    -- none
) AS v (text);
SELECT error_of($$ SELECT count(*) FROM (SELECT sno_zero()) AS t (id) WHERE id > '2024-01-01' $$);

-- Assignment from strings and COPY give the same message.
CREATE TEMP TABLE ids (id sno);
SELECT error_of($$ INSERT INTO ids VALUES ('abc'::text) $$);
SELECT error_of($$ INSERT INTO ids VALUES ('abc'::char(16)) $$);
COPY ids FROM stdin;
abc
\.

-- A soft error if the server has them, from 16 on (and in COPY from 17 on).
SELECT current_setting('server_version_num')::int >= 160000 AS soft,
    current_setting('server_version_num')::int >= 170000 AS soft_copy \gset
\if :soft
SELECT pg_input_is_valid('abc', 'sno') AS bad, pg_input_is_valid('brpk4q72xwf2m63l', 'sno') AS good,
    sql_error_code AS state, message, detail FROM pg_input_error_info('abc', 'sno') \gset
\else
\set bad f
\set good t
\set state 22P02
\set message 'invalid input syntax for type sno: "abc"'
\set detail 'A sno is 16 characters, each 2 to 9 or a to x.'
\endif
\echo :bad :good :state :message :detail
\copy (VALUES ('abc'), ('brpk4q72xwf2m63l')) TO 'results/errors.data'
SET client_min_messages = warning;
\if :soft_copy
\copy ids FROM 'results/errors.data' (ON_ERROR ignore)
\else
INSERT INTO ids VALUES ('brpk4q72xwf2m63l');
\endif
RESET client_min_messages;
TABLE ids;

--
-- Bytes
--
SELECT error_of(format('SELECT %L::bytea::sno', bytes)) FROM (VALUES
    ('\x'), ('\x4e6f2160a0ff9a0a10'), ('\x4e6f2160a0ff9a0a1033ff')
) AS v (bytes);

-- A uuid not made from a sno: one with a character outside the alphabet, a random one.
SELECT error_of(format('SELECT %L::uuid::sno', uuid)) FROM (VALUES
    ('6272706b-3471-3732-7877-66326d363300'), ('5e3c5f2e-8a0c-4d3b-9f0e-6a1b2c3d4e5f')
) AS v (uuid);

-- Binary input: bytea is sent as its bytes.
CREATE TEMP TABLE bytes (b bytea);
INSERT INTO bytes VALUES ('\x4e6f2160a0ff9a0a1033ff');
\copy bytes TO 'results/errors.data' (FORMAT binary)
\copy ids FROM 'results/errors.data' (FORMAT binary)
UPDATE bytes SET b = '\x4e6f2160a0ff9a0a10';
\copy bytes TO 'results/errors.data' (FORMAT binary)
\copy ids FROM 'results/errors.data' (FORMAT binary)
\set VERBOSITY sqlstate
\copy ids FROM 'results/errors.data' (FORMAT binary)
\set VERBOSITY default

--
-- Parts out of range
--
SELECT error_of('SELECT ' || call) FROM (VALUES
    ($$ sno_new(-1) $$), ($$ sno_new(256) $$), ($$ sno_new(0, -1) $$), ($$ sno_new(0, 65536) $$),
    ($$ sno_new(2147483647) $$), ($$ sno_new(0, -2147483648) $$),
    ($$ sno_new_at('2020-01-01', -1) $$), ($$ sno_new_at('2020-01-01', 256) $$),
    ($$ sno_new_at('2020-01-01', 0, -1) $$), ($$ sno_new_at('2020-01-01', 0, 65536) $$),
    ($$ sno_make('2020-01-01', -1, 0, 0) $$), ($$ sno_make('2020-01-01', 256, 0, 0) $$),
    ($$ sno_make('2020-01-01', 0, -1, 0) $$), ($$ sno_make('2020-01-01', 0, 65536, 0) $$),
    ($$ sno_make('2020-01-01', 0, 0, -1) $$), ($$ sno_make('2020-01-01', 0, 0, 65536) $$),
    ($$ sno_set_meta(sno_zero(), -1) $$), ($$ sno_set_meta(sno_zero(), 256) $$),
    ($$ sno_set_partition(sno_zero(), -1) $$), ($$ sno_set_partition(sno_zero(), 65536) $$),
    ($$ sno_set_sequence(sno_zero(), -1) $$), ($$ sno_set_sequence(sno_zero(), 65536) $$),
    ($$ sno_snapshot(-1) $$), ($$ sno_snapshot(65536) $$)
) AS v (call);

--
-- The types of a siq
--
SELECT regexp_replace(error_of('SELECT ' || call), '\d+\.$', 'N.') FROM (VALUES
    ($$ siq_new('toaster') $$), ($$ siq_new('toaster', 'example.com') $$), ($$ siq_new('topic') $$),
    ($$ siq_new_at('2020-01-01', 'toaster') $$), ($$ siq_new_at('2020-01-01', 'toaster', 'example.com') $$),
    ($$ siq_make('2020-01-01', 0, 0, 0, 'toaster') $$),
    ($$ siq_from_ulid('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'example.com', 'toaster') $$),
    ($$ siq_from_snowflake('0', 'example.com', 'toaster') $$)
) AS v (call);

--
-- Instants outside the span
--
SELECT error_of(format('SELECT sno_make(%L, 0, 0, 0)', at)) FROM (VALUES
    ('-infinity'), ('4713-01-01 BC'), ('2009-12-31 23:59:59.999999'), ('2079-09-07 15:47:35.552'),
    ('294276-12-31 23:59:59.999999'), ('infinity')
) AS v (at);
SELECT error_of($$ SELECT sno_new_at('2009-12-31 23:59:59.999999') $$);
SELECT error_of($$ SELECT sno_new_at('infinity', 0, 1) $$);
-- In the session's time zone.
SET timezone = 'Asia/Tokyo';
SELECT error_of($$ SELECT sno_make('2010-01-01', 0, 0, 0) $$);
SET timezone = 'UTC';

--
-- Snapshots
--
SELECT error_of(format('SELECT sno_restore(%L)', snapshot)) FROM (VALUES
    -- no snapshot
    ('null'), ('7'), ('"text"'), ('[]'), ('[{"sequenceMin": 0}]'), ('{}'),
    ('{"sequenceMin": "0"}'), ('{"sequenceMin": null}'), ('{"sequencemin": 0}'),
    -- a missing number, in the order in which they are checked
    ('{"sequenceMin": 0}'),
    ('{"sequenceMin": 0, "sequenceMax": 65535}'),
    -- out of range
    ('{"sequenceMin": -1}'), ('{"sequenceMin": 65536}'), ('{"sequenceMin": 0.5}'), ('{"sequenceMin": 1e30}'),
    ('{"sequenceMin": 0, "sequenceMax": 65536}'),
    ('{"sequenceMin": 0, "sequenceMax": 65535, "sequence": 4294967296}'),
    -- bounds that the library refuses
    ('{"sequenceMin": 7, "sequenceMax": 7, "sequence": 0}'),
    ('{"sequenceMin": 10, "sequenceMax": 14, "sequence": 0}'),
    ('{"sequenceMin": 14, "sequenceMax": 10, "sequence": 0}'),
    ('{"sequenceMin": 10, "sequenceMax": 20, "sequence": 9}')
) AS v (snapshot);

-- Another server's bounds, and the fields after the bounds, with this server's bounds.
SELECT regexp_replace(error_of(format('SELECT sno_restore(%L)', sno_snapshot() || snapshot)),
    'is \d+-\d+', 'is LOW-HIGH')
FROM (VALUES
    (jsonb '{"sequenceMin": 4711, "sequenceMax": 4722, "sequence": 4711}')
) AS v (snapshot);
SELECT error_of(format('SELECT sno_restore(%L)', sno_snapshot() - 'drifts'));
SELECT error_of(format('SELECT sno_restore(%L)', sno_snapshot() - 'wallHi'));
SELECT error_of(format('SELECT sno_restore(%L)', sno_snapshot() - 'wallSafe'));
SELECT error_of(format('SELECT sno_restore(%L)', sno_snapshot() - 'now'));
SELECT error_of(format('SELECT sno_restore(%L)', sno_snapshot() || snapshot))
FROM (VALUES
    (jsonb '{"partition": null}'), ('{"partition": 0}'), ('{"partition": "abc"}'), ('{"partition": "[0, 0]"}'),
    ('{"partition": {"0": 0, "1": 0}}'), ('{"partition": []}'), ('{"partition": [0]}'), ('{"partition": [0, 0, 0]}'),
    ('{"partition": [0, null]}'), ('{"partition": [0, "1"]}'), ('{"partition": [[0], 0]}'), ('{"partition": [-1, 0]}'),
    ('{"partition": [0, 256]}'), ('{"partition": [0, 0.5]}'),
    ('{"now": null}'), ('{"now": "0"}'), ('{"now": -1}'), ('{"now": 0.5}'), ('{"now": 1e30}')
) AS v (snapshot);
SELECT error_of(format('SELECT sno_restore(%L)', sno_snapshot() - 'partition'));
SELECT error_of(format('SELECT sno_restore(%L)', sno_snapshot() || snapshot))
FROM (VALUES
    (jsonb '{"drifts": -1}'), ('{"drifts": 4294967296}'),
    ('{"wallHi": -1}'), ('{"wallHi": 549755813888}'), ('{"wallSafe": -1}'), ('{"wallSafe": 549755813888}')
) AS v (snapshot);

-- Further ahead than flakeid.max_ahead, on either timeline.
SELECT regexp_replace(error_of(format('SELECT sno_restore(%L)', sno_snapshot() || snapshot)), '\(\d+m?s\)', '(Ns)')
FROM (VALUES (jsonb '{"wallHi": 549755813887}'), ('{"wallSafe": 549755813887}')) AS v (snapshot);

-- Only the owner, and roles to which the owner grants it.
CREATE ROLE regress_flakeid;
SET ROLE regress_flakeid;
SELECT error_of($$ SELECT sno_restore('{}') $$);
RESET ROLE;

--
-- The mark
--

-- Nobody writes it by hand.
UPDATE _flakeid.mark SET to_1 = now();
DELETE FROM _flakeid.mark;
TRUNCATE _flakeid.mark;
\echo :LAST_ERROR_SQLSTATE
-- A restored row must be a mark.
SELECT error_of(format('INSERT INTO _flakeid.mark VALUES (%s, 1, %L, %L%s)', kind, since, until, repeat($$, '-infinity'$$, 10))) FROM (VALUES
    (-1, '2020-01-01', '2020-01-02'), (3, '2020-01-01', '2020-01-02'), (0, '2020-01-01', 'infinity'), (0, '2020-01-02', '2020-01-01')
) AS v (kind, since, until);
-- Out of range; and lowered to where IDs may have been issued since.
SELECT error_of(format('SELECT flakeid_advance(%L)', at)) FROM (VALUES
    ('1970-01-01 00:00'), ('2079-09-07 15:47:35.552'), ('-infinity'), ('infinity')
) AS v (at);
SELECT error_of($$ SELECT flakeid_clock_reset('infinity') $$);
-- Nor so far ahead that no IDs could be made for days; an hour is a warning.
SELECT regexp_replace(error_of($$ SELECT flakeid_advance(clock_timestamp() + '25 hours') $$),
    '\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00', 'TIME', 'g');
-- (The warning contains the time: it is tested in test/t.)
SET client_min_messages = error;
SELECT flakeid_advance(clock_timestamp() + '1 hour') > clock_timestamp();
RESET client_min_messages;
SELECT regexp_replace(error_of($$ SELECT flakeid_clock_reset(clock_timestamp() + '10 minutes') $$),
    '\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00', 'TIME', 'g');
SELECT flakeid_clock_reset(clock_timestamp(), force => true) <= clock_timestamp();
SELECT sno_new() IS NOT NULL;
SET ROLE regress_flakeid;
SELECT error_of('SELECT flakeid_advance(now())');
SELECT error_of('SELECT flakeid_clock_reset(now())');
SELECT error_of('TABLE _flakeid.mark');
RESET ROLE;

--
-- Settings
--

-- Not everybody may set them: only superusers, and roles with the privilege.
SET ROLE regress_flakeid;
SELECT error_of(format('SET %s = %L', name, setting)) FROM pg_settings
WHERE name LIKE 'flakeid.%' ORDER BY name COLLATE "C";
SELECT error_of('ALTER ROLE regress_flakeid SET flakeid.node = 1');
RESET ROLE;
GRANT SET ON PARAMETER flakeid.node TO regress_flakeid;
SET ROLE regress_flakeid;
SELECT error_of('SET flakeid.node = 4711');
SELECT sno_partition(sno_new(0));
RESET flakeid.node;
RESET ROLE;
REVOKE SET ON PARAMETER flakeid.node FROM regress_flakeid;
DROP ROLE regress_flakeid;

-- No setting can be made up.
SELECT error_of('SET flakeid.nodes = 1');
SELECT error_of('SET flakeid.sno_partition = 1');

-- Out of range.
SET flakeid.node = -2;
\echo :LAST_ERROR_SQLSTATE
SET flakeid.node = 65536;
SET flakeid.node = 'one';
SET flakeid.node = '7 s';
SET flakeid.snowflake_worker = 32;
SET flakeid.snowflake_process = 32;
SET flakeid.siq_local_id = -1;
SET flakeid.siq_domain = U&'b\00FCcher.example';
-- from 18 on the message has the units of the range, too
\set VERBOSITY sqlstate
SET flakeid.max_ahead = -1;
SET flakeid.max_wait = '-1s';
\set VERBOSITY default
SET flakeid.max_wait = '5 fortnights';
SELECT repeat('n', 256) AS name \gset
SET flakeid.uid_node = :'name';
SET flakeid.siq_shard = 256;
SET flakeid.sno_sequence_min = -1;
SET flakeid.sno_sequence_max = 65536;
-- In a C program's notation.
SET flakeid.node = '010';
SELECT sno_partition(sno_new(0));
RESET flakeid.node;

-- Fewer numbers than the library accepts, which is detected when an ID is made.
SET flakeid.sno_sequence_min = 100;
SET flakeid.sno_sequence_max = 104;
SELECT error_of('SELECT sno_new()');
SELECT error_of('SELECT sno_new(0, 5)');
SET flakeid.sno_sequence_max = 99;
SELECT error_of('SELECT sno_new()');
SELECT setting_fault FROM flakeid_clock;
SET flakeid.sno_sequence_max = 105;
SELECT min(sno_sequence(id)), max(sno_sequence(id)) FROM (SELECT sno_new() AS id FROM generate_series(1, 6)) AS made;
RESET flakeid.sno_sequence_min;
RESET flakeid.sno_sequence_max;
-- A node too great for a field.
SET flakeid.node = 300;
SELECT error_of('SELECT snowflake_new()');
SELECT error_of($$ SELECT siq_new('user') $$);
SELECT sno_partition(sno_new(0)), setting_fault FROM flakeid_clock;
SET flakeid.snowflake_worker = 3;
SET flakeid.snowflake_process = 31;
SET flakeid.siq_shard = 255;
SELECT snowflake_worker(n), snowflake_process(n), siq_shard(siq_new('user')), setting_fault FROM snowflake_new() AS n, flakeid_clock;
RESET ALL;

-- A session sets one before the library is loaded, with the privilege.
\c
SET flakeid.node = 4711;
SELECT sno_partition(sno_new(0));
\c
SET flakeid.node = 'one';
SET client_min_messages = error;
SELECT error_of('SELECT sno_new()') LIKE 'no error%' AS as_if_not_set;

--
-- A damaged mark: an error, never read as a mark that says that nothing was issued
--

\c
-- A crash would empty it.
ALTER TABLE _flakeid.mark SET UNLOGGED;
SELECT error_of($$ SELECT siq_new('user') $$);
ALTER TABLE _flakeid.mark SET LOGGED;
-- Without a row, a page, the table.  (A deleted row counts until it is vacuumed away, which another session's
-- snapshot prevents.)
ALTER TABLE _flakeid.mark DISABLE TRIGGER ALL;
CREATE TEMP TABLE kept AS SELECT * FROM _flakeid.mark WHERE kind <> 2;
TRUNCATE _flakeid.mark;
INSERT INTO _flakeid.mark TABLE kept;
SELECT error_of($$ SELECT siq_new('user') $$);
TRUNCATE _flakeid.mark;
SELECT error_of($$ SELECT siq_new('user') $$);
ALTER EXTENSION flakeid DROP TABLE _flakeid.mark;
DROP TABLE _flakeid.mark;
SELECT error_of($$ SELECT siq_new('user') $$);

\c :database
DROP DATABASE regress_flakeid;
