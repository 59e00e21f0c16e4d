-- siq: text, order, casts, time, parts, notations and generator. Random ones are in test/pgtap/new_ids.sql.
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- text: the canonical one, and other accepted forms
SELECT siq '05ZJEK92VXBVFB6SRCME008';
SELECT t, t::siq FROM unnest(ARRAY['05zjek92vxbvfb6srcme008', '5ZJEK92VXBVFB6SRCME008', 'O5zjek92vxbvfb6srcmeoO8',
    '0IiLl000000000000000000', '5W2YJY000000000000007', '\x005fee57f0000000000000000087',
    'did:siq:gz4azzaaf73sx6aaaaaaaaaaaaaeh', 'did:siq:GZ4AZZAAF73SX6AAAAAAAAAAAAAEH']) AS t;
SELECT siq '';
SELECT siq '40000000000000000000000';
SELECT siq '05ZJEK92VXBVFB6SRCMEU08';
SELECT siq '5ZJEK92VXBVFB6SRC08';
SELECT siq '\x005fee57f00000000000000000';
SELECT siq 'did:siq:gz4azzaaf73sx6aaaaaaaaaaaaaeg';
SELECT siq 'did:siq:gz4azzaaf73sx6aaaaaaaaaaaaae';
SELECT siq 'DID:SIQ:gz4azzaaf73sx6aaaaaaaaaaaaaeh';
SELECT siq '2024-05-06 07:08:09';

-- comparison
CREATE TEMP TABLE s (id siq);
INSERT INTO s VALUES ('3ZZZZZZZZZZZZZZZZZZZZZZ'), ('00000000000000000000000'), ('05ZJEK92VXBVFB6SRCME008'), ('05ZJEK92VXBVFB6SRCME009');
SELECT a.id < b.id AS lt, a.id <= b.id AS le, a.id = b.id AS eq, a.id <> b.id AS ne, a.id >= b.id AS ge, a.id > b.id AS gt, _flakeid_functions.siq_cmp(a.id, b.id), count(*)
FROM s a, s b GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY siq_cmp;
SELECT id FROM s ORDER BY id DESC;
SELECT min(id), max(id) FROM s;
SELECT _flakeid_functions.siq_hash('05ZJEK92VXBVFB6SRCME008'), _flakeid_functions.siq_hash_extended('05ZJEK92VXBVFB6SRCME008', 0), _flakeid_functions.siq_hash_extended('05ZJEK92VXBVFB6SRCME008', 1);
CREATE INDEX ON s (id);
CREATE INDEX ON s USING hash (id);
SET enable_seqscan = off;
SELECT id FROM s WHERE id > '05ZJEK92VXBVFB6SRCME008' ORDER BY id;
SELECT id FROM s WHERE id = '05ZJEK92VXBVFB6SRCME009';
RESET enable_seqscan;

-- casts
SELECT id, id::bytea, id::bytea::siq = id AS same FROM s ORDER BY s.id;
SELECT id, id::uuid, id::uuid::siq = id AS same FROM s ORDER BY s.id;
SELECT id, id::numeric, id::numeric::siq = id AS same FROM s ORDER BY s.id;
SELECT id, id::timestamptz FROM s ORDER BY s.id;
SELECT '\x00'::bytea::siq;
SELECT '123e4567-e89b-12d3-a456-426614174000'::uuid::siq;
SELECT 5192296858534827628530496329220096::siq;
SELECT (-1)::numeric::siq;
INSERT INTO s SELECT t FROM (VALUES (text '05ZJEK92VXBVFB6SRCME00A')) AS v(t);

-- time
SELECT t, siq_min(t), siq_max(t) FROM unnest(ARRAY['-infinity', '1969-12-31 23:59:59.999999Z', 'epoch', '2026-11-21 12:00:00.000016Z',
    '36812-02-20 00:36:15.999999Z', '36812-02-20 00:36:16Z', 'infinity']::timestamptz[]) AS t;

-- IDs of parts
\set types '{content,multi,manytomany,ternary,tag,channel,thread,message,user,group,event,invite,application,collection,premium}'
SELECT t, siq_make('2026-11-21 12:00:00Z', 7, 2261653831, 3, t) AS id, i.shard, i.domain, i.serial, i.qualifier, i.type, i.is_leaf
FROM unnest(:'types'::text[]) AS t, siq_inspect(siq_make('2026-11-21 12:00:00Z', 7, 2261653831, 3, t)) AS i;
\x
SELECT * FROM siq_inspect(siq_make('2026-11-21 12:00:00Z', 7, siq_domain_hash('example.com'), 65535));
SELECT * FROM siq_inspect(siq_make('2026-11-21 12:00:00Z', 255, 0, 2047 * 32 + 18));
\x
SELECT siq_make('1969-12-31 12:00:00Z', 0, 0, 0);
SELECT siq_make('36812-02-20 00:36:16Z', 0, 0, 0);
SELECT siq_make('2026-11-21Z', 256, 0, 0);
SELECT siq_make('2026-11-21Z', 0, 4294967296, 0);
SELECT siq_make('2026-11-21Z', 0, 0, -1);
SELECT siq_make('2026-11-21Z', 0, 0, 8192, 'content');
SELECT siq_make('2026-11-21Z', 0, 0, 2048, 'user');
SELECT siq_make('2026-11-21Z', 0, 0, 0, 'toaster');

-- domains
SELECT siq_domain_hash(''), siq_domain_hash('0'), siq_domain_hash('example.com'), siq_domain_hash('EXAMPLE.COM');
SELECT siq_domain_hash('example.com', l) FROM unnest(ARRAY[0, 1, 255, 256, 257]) AS l;
SELECT siq_domain_hash('example.com', -1);
SELECT siq_domain_hash(U&'b\00FCcher.example');

-- the library's notations
SELECT f, siq_format(id, f), siq_parse(siq_format(id, f), f) = id AS same
FROM unnest(ARRAY['b', 'c', '0c', 'd', 'l', 'o', 'u', 'x']) AS f, (VALUES (siq '05ZJEK92VXBVFB6SRCME008')) AS v(id);
SELECT siq_did('05ZJEK92VXBVFB6SRCME008');
SELECT siq_format('05ZJEK92VXBVFB6SRCME008', 'q');
SELECT siq_parse('!', 'b');
SELECT siq_parse('!', 'c');
SELECT siq_parse('Z', '0c');
SELECT siq_parse('-1', 'd');
SELECT siq_parse('!', 'l');
SELECT siq_parse('8', 'o');
SELECT siq_parse('!', 'u');
SELECT siq_parse('gz4azzaaf73sx6aaaaaaaaaaaaaeg', 'u');
SELECT siq_parse('0x1', 'x');

-- migration
SELECT siq_inspect(siq_from_snowflake('175928847299117063', 'example.com', 'message'));
SELECT siq_from_snowflake('175928847299117063', 'example.com', 'message', '2020-01-01Z');
SELECT siq_from_snowflake('0', 'example.com', 'message', '1969-01-01Z');
SELECT siq_inspect(siq_from_ulid('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'example.com', 'user'));
SELECT siq_from_ulid('81ARZ3NDEKTSV4RRFFQ69G5FAV', 'example.com', 'user');

-- new IDs: of mixed types, each greater than the previous one, none twice
BEGIN;
CREATE TEMP TABLE n AS SELECT g, siq_new(t) AS id, t
FROM generate_series(1, 100000) g, LATERAL (SELECT (:'types'::text[])[1 + g % 15] AS t) x;
SELECT count(*) FROM n WHERE siq_type_of(id) IS DISTINCT FROM t OR siq_timestamp(id) NOT BETWEEN now() - interval '1 ms' AND clock_timestamp() + interval '10 s';
COMMIT;
SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY g) AS before FROM n) x WHERE id <= before;
SELECT t, count(DISTINCT id) FROM unnest(:'types'::text[]) t, LATERAL (SELECT siq_new(t) AS id FROM generate_series(1, 10000)) x GROUP BY t ORDER BY t;
SELECT d, bool_and(siq_domain(siq_new('user', d)) = siq_domain_hash(d, coalesce(current_setting('flakeid.siq_local_id', true), '0')::int)) FROM unnest(ARRAY['example.com', '', 'example.org']) d, generate_series(1, 3) GROUP BY d ORDER BY d;
SELECT siq_new('user', U&'b\00FCcher.example');
SELECT siq_new('toaster');
SELECT siq_new(NULL), siq_new('user', NULL), siq_new_at(NULL, 'user');

-- IDs for an instant
SELECT count(DISTINCT id), min(siq_timestamp(id)), max(siq_timestamp(id)) FROM (SELECT siq_new_at('2026-11-21 12:00:00.5Z', 'message') AS id FROM generate_series(1, 5000)) x;
SELECT DISTINCT siq_type_of(id), siq_domain(id) FROM (SELECT siq_new_at('2026-11-21Z', 'invite', 'example.com') AS id FROM generate_series(1, 100)) x;
SELECT siq_new_at('1969-12-31Z', 'user');

-- a type that is no constant is looked up at each call
PREPARE p AS SELECT siq_type_of(siq_new($1)), siq_type_of(siq_new('tag')), siq_type_of(siq_new(domain => 'example.com', type => $1));
SET plan_cache_mode = force_generic_plan;
EXECUTE p('thread');
EXECUTE p('premium');
RESET plan_cache_mode;
CREATE FUNCTION pg_temp.in_turn() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY '{user,user,message,user}'::text[] LOOP
        RETURN NEXT siq_type_of(siq_new(t)) || ' ' || siq_type_of(siq_new_at('2026-01-01', t, 'example.com'));
    END LOOP;
END $$;
SELECT pg_temp.in_turn();
SELECT siq_new('User');
SELECT siq_new('');
SELECT siq_new('userx');
SELECT siq_new('use');
