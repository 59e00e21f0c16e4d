--
-- Which formats can a text be an ID of?
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

SELECT t AS text, g.* FROM unnest(ARRAY[
    'brpk4q72xwf2m63l', '0RdKJcxqVBiAiQr0', '05W2YJY0000000000000007', '.5.tXbhdV.3', '.5.tXVEf8n4vPN.0',
    '175928847299117063', ' 01ARZ3NDEKTSV4RRFFQ69G5FAV ', '01arz3ndektsv4rrffq69g5fav',
    '018cc251-f400-7000-8000-000000000000', '9f8d3b6c-5a1e-4d7b-8c2f-0123456789ab', '01563e3a-b5d3-d676-4c61-efb99302bd5b',
    'brpk4q72xwf2m63l'::sno::uuid::text, '9999999999999999999', '99999999999999999999', '-', '', 'hello'
]) WITH ORDINALITY AS u (t, n) CROSS JOIN flakeid_guess(t) AS g WHERE format <> 'text, layout aidx' ORDER BY n, g.timestamp DESC NULLS LAST, format;    -- the first is an aidx of 2029, from then on
-- by likelihood: IDs from the future are last
SELECT array_agg(format) FROM flakeid_guess('175928847299117063') WHERE timestamp NOT BETWEEN '2026-01-01' AND '2050-01-01';
SELECT count(*) FROM flakeid_guess(NULL);
-- texts of other libraries, TypeIDs, and UUIDs of the versions with a time
SELECT t AS text, format, timestamp, parts FROM unnest('{cjld2cjxh0000qzrmn831i7rn,507f1f77bcf86cd799439011,8192a3b4c5d6e7f8091a2b3c,g192a3b4c5d6e7f8091a2b3c,9x2yr9b4ab,9m4e2mr0ui3e8a215n4g,user_01h455vb4pex5vsknk084sn02q,C232AB00-9414-11EC-B3C8-9F6BDECED846,1EC9414C-232A-6B00-B3C8-9F6BDECED846,"\\x01890a5dac96774bbcceb302099a8057"}'::text[]) WITH ORDINALITY AS u (t, n) CROSS JOIN flakeid_guess(t) WHERE format ~ '^(text|typeid|uuid)' ORDER BY n, format;
-- every type's own IDs are found
SELECT name, (SELECT count(*) FROM flakeid_guess(CASE name WHEN 'sno' THEN sno_new()::text WHEN 'flax' THEN flax_new()::text
    WHEN 'siq' THEN siq_new('message')::text WHEN 'uid64' THEN uid64_new()::text WHEN 'uid96' THEN uid96_new()::text WHEN 'ulid' THEN ulid_new()::text WHEN 'ksuid' THEN ksuid_new()::text ELSE snowflake_new()::text END)
    WHERE format = name AND timestamp BETWEEN now() - interval '1 hour' AND now() + interval '1 hour') AS found
FROM flakeid_formats;
SELECT library = extension AS same, NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'flakeid' AND default_version <> library) AS installed FROM flakeid_version();
-- a column, by a sample of its rows
CREATE TEMP TABLE guessed AS SELECT layout_min(t, 'discord') + n AS id, lower(ulid_text_min(t)) AS text, t AS at FROM generate_series(1, 200) AS n, LATERAL (SELECT timestamptz '2025-01-01Z' + n * interval '1 hour' AS t) AS x;
SELECT * FROM flakeid_guess('guessed', 'id', 'at') LIMIT 3;
SELECT * FROM flakeid_guess('guessed', 'text', 'at');
SELECT format, rows, fit FROM flakeid_guess('guessed', 'text');
SELECT count(*) FROM flakeid_guess(NULL, 'id');
\set SHOW_CONTEXT never
SELECT * FROM flakeid_guess('guessed', 'id', 'nope');
\set SHOW_CONTEXT errors
-- of a large table a part is read
CREATE TEMP TABLE guessed_large AS SELECT layout_min(timestamptz '2025-01-01Z' + n * interval '1 min', 'mastodon') AS "The ID", timestamptz '2025-01-01Z' + n * interval '1 min' AS at FROM generate_series(1, 30000) AS n;
ANALYZE guessed_large;
SELECT format, rows, fit FROM flakeid_guess('guessed_large', 'The ID', 'at') WHERE fit > 0;
