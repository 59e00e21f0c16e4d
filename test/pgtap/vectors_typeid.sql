-- The specification's vectors for TypeIDs, and random ones read by a second
-- implementation, in numeric arithmetic.
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
BEGIN;
CREATE TEMPORARY TABLE vectors (name text, typeid text, prefix text, uuid text);
\copy vectors FROM 'test/vectors/typeid.tsv' (FORMAT text, HEADER)
UPDATE vectors SET typeid = convert_from(decode(typeid, 'hex'), 'UTF8');

SELECT plan(7 + (SELECT count(*)::int FROM vectors WHERE uuid = ''));

SELECT is((SELECT (count(*) FILTER (WHERE uuid <> ''), count(*) FILTER (WHERE uuid = '')) FROM vectors), (9::bigint, 21::bigint), 'typeid.tsv: all rows');
SELECT is_empty($$ SELECT name FROM vectors WHERE uuid <> '' AND typeid(uuid::uuid, prefix)::text IS DISTINCT FROM typeid $$, 'shown');
SELECT is_empty($$ SELECT name FROM vectors WHERE uuid <> '' AND typeid_uuid(typeid, prefix) IS DISTINCT FROM uuid::uuid $$, 'read');
SELECT is_empty($$ SELECT name FROM vectors WHERE uuid <> '' AND typeid_prefix(typeid) IS DISTINCT FROM prefix $$, 'the prefix');
SELECT throws_ok(format('SELECT typeid_prefix(%L)', typeid), '22P02', NULL, name) FROM vectors WHERE uuid = '';

-- No prefix makes one of these a TypeID, and none is equal to one.
SELECT is_empty($$ SELECT v.name FROM vectors AS v, generate_series(0, 63) AS n, LATERAL (SELECT left(v.typeid, n) AS p) AS x
    WHERE v.uuid = '' AND p ~ '^([a-z]([a-z_]{0,61}[a-z])?)?$' AND (_flakeid_functions.typeid_match(v.typeid, p) IS NOT NULL OR _flakeid_functions.is_typeid(v.typeid, p)) $$, 'no uuid is shown as an invalid one');

-- the second implementation: a text of digits as their number
CREATE FUNCTION pg_temp.number_of(text text, digits text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    n numeric := 0;
BEGIN
    FOR i IN 1 .. length(text) LOOP
        n := n * length(digits) + position(substr(text, i, 1) IN digits) - 1;
    END LOOP;
    RETURN n;
END $$;
CREATE TEMPORARY TABLE random AS SELECT id, (ARRAY['', 'a', 'user', 'a_b', repeat('z', 63)])[1 + n % 5] AS prefix, typeid(id, (ARRAY['', 'a', 'user', 'a_b', repeat('z', 63)])[1 + n % 5])::text AS shown
    FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, 2000) AS n) AS x;
SELECT is_empty($$ SELECT id FROM random WHERE pg_temp.number_of(right(shown, 26), '0123456789abcdefghjkmnpqrstvwxyz') <> pg_temp.number_of(replace(id::text, '-', ''), '0123456789abcdef')
    OR left(shown, -26) <> CASE prefix WHEN '' THEN '' ELSE prefix || '_' END $$, 'random ones, by a second implementation');
SELECT is_empty($$ SELECT id FROM random WHERE typeid_uuid(shown, prefix) <> id OR typeid_prefix(shown) <> prefix $$, 'and back');
SELECT * FROM finish();
ROLLBACK;
