-- The specification's vectors for TypeIDs, and random ones read by a second
-- implementation, in numeric arithmetic.
\ir shared.psql
-- the square root of the number of pairs, a million with -v size=1000
\if :{?size}
\else
\set size 300
\endif
BEGIN;
CREATE TEMPORARY TABLE vectors (name text, typeid text, prefix text, uuid text);
\copy vectors FROM 'test/vectors/typeid.tsv' (FORMAT text, HEADER)
UPDATE vectors SET typeid = convert_from(decode(typeid, 'hex'), 'UTF8');

SELECT plan(9 + (SELECT count(*)::int FROM vectors WHERE uuid = ''));

SELECT is((SELECT (count(*) FILTER (WHERE uuid <> ''), count(*) FILTER (WHERE uuid = '')) FROM vectors), (9::bigint, 21::bigint), 'typeid.tsv: all rows');
SELECT is_empty($$ SELECT name FROM vectors WHERE uuid <> '' AND typeid(uuid::uuid, prefix)::text IS DISTINCT FROM typeid $$, 'shown');
SELECT is_empty($$ SELECT name FROM vectors WHERE uuid <> '' AND typeid_uuid(typeid, prefix) IS DISTINCT FROM uuid::uuid $$, 'read');
SELECT is_empty($$ SELECT name FROM vectors WHERE uuid <> '' AND typeid_prefix(typeid) IS DISTINCT FROM prefix $$, 'the prefix');
SELECT throws_ok(format('SELECT typeid_prefix(%L)', typeid), '22P02', NULL, name) FROM vectors WHERE uuid = '';

-- No prefix makes one of these a TypeID, and none is equal to one.
SELECT is_empty($$ SELECT v.name FROM vectors AS v, generate_series(0, 63) AS n, LATERAL (SELECT left(v.typeid, n) AS p) AS x
    WHERE v.uuid = '' AND p ~ '^([a-z]([a-z_]{0,61}[a-z])?)?$' AND _flakeid_functions.typeid_match(v.typeid, p) IS NOT NULL $$, 'no uuid is shown as an invalid one');

CREATE TEMPORARY TABLE random AS SELECT id, (ARRAY['', 'a', 'user', 'a_b', repeat('z', 63)])[1 + n % 5] AS prefix, typeid(id, (ARRAY['', 'a', 'user', 'a_b', repeat('z', 63)])[1 + n % 5])::text AS shown
    FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, 2000) AS n) AS x;
SELECT is_empty($$ SELECT id FROM random WHERE pg_temp.number_of(right(shown, 26), '0123456789abcdefghjkmnpqrstvwxyz') <> pg_temp.number_of(replace(id::text, '-', ''), '0123456789abcdef')
    OR left(shown, -26) <> CASE prefix WHEN '' THEN '' ELSE prefix || '_' END $$, 'random ones, by a second implementation');
SELECT is_empty($$ SELECT id FROM random WHERE typeid_uuid(shown, prefix) <> id OR typeid_prefix(shown) <> prefix $$, 'and back');

-- Pairs of a uuid and a text: the comparison of TypeIDs is that of core's texts, as a value, negated and as a condition.
CREATE TEMPORARY TABLE shown AS SELECT n, CASE n % 50 WHEN 0 THEN NULL WHEN 1 THEN '00000000-0000-0000-0000-000000000000' WHEN 2 THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' ELSE gen_random_uuid() END AS id
    FROM generate_series(1, :size) AS n;
CREATE TEMPORARY TABLE asked AS SELECT CASE n % 20 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'user_' WHEN 3 THEN upper(t) WHEN 4 THEN replace(t, 'user', 'post') WHEN 5 THEN t || ' ' WHEN 6 THEN left(t, -1)
        WHEN 7 THEN overlay(t PLACING 'z' FROM 6 FOR 1) WHEN 8 THEN substr(t, 6) WHEN 9 THEN overlay(t PLACING 'u' FROM 12 FOR 1) ELSE t END AS t
    FROM (SELECT n, typeid(id, 'user')::text AS t FROM shown) AS s;
SELECT is((SELECT (count(*), count(*) FILTER (WHERE (typeid(id, 'user') = t) IS DISTINCT FROM (typeid(id, 'user')::text = t::text) OR (NOT typeid(id, 'user') = t) IS DISTINCT FROM (NOT typeid(id, 'user')::text = t::text)
        OR ((typeid(id, 'user') = t) IS NOT TRUE) IS DISTINCT FROM ((typeid(id, 'user')::text = t::text) IS NOT TRUE)))
    FROM shown, asked), (:size::bigint * :size, 0::bigint), 'pairs, as values');
SELECT is((SELECT (count(*) FILTER (WHERE found), count(*) FILTER (WHERE NOT found)) FROM (SELECT true AS found FROM shown, asked WHERE typeid(id, 'user') = t UNION ALL SELECT false FROM shown, asked WHERE NOT typeid(id, 'user') = t) AS every),
    (SELECT (count(*) FILTER (WHERE typeid(id, 'user')::text = t::text), count(*) FILTER (WHERE typeid(id, 'user')::text <> t::text)) FROM shown, asked), 'pairs, as conditions');
SELECT * FROM finish();
ROLLBACK;
