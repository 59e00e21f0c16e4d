-- New IDs, and random ones, of every format, as a second implementation reads them: by the bits that the
-- formats' documents name, in numeric arithmetic. (test/unit compares the code with the tables of
-- test/vectors, which are the references' answers.)
\ir shared.psql
BEGIN;
SET LOCAL timezone = 'UTC';
SET LOCAL client_min_messages = warning;
SELECT no_plan();
SELECT diag('seed ' || :'seed');
SELECT setseed(:seed) \g /dev/null

-- A format: a call that makes an ID, the digits of its text, how often its number fits into that of the text, the bits
-- below the time, and the instant of a number n.
CREATE TEMPORARY TABLE format (name text, made text, made_at text, digits text, times int, below int, us text);
INSERT INTO format VALUES
    ('sno', 'sno_new()', 'sno_new_at(t)', '23456789abcdefghijklmnopqrstuvwx', 1, 41, 'pg_temp.bits(n, 39, 41) * 4000 + 1262304000000000'),
    ('flax', 'flax_new()', 'flax_new_at(t)', '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', 1, 56, '(pg_temp.bits(n, 40, 56) + 1420070400000) * 1000'),
    ('siq', 'siq_new(''user'')', 'siq_new_at(t, ''user'')', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1, 56, 'div(pg_temp.bits(n, 56, 56) * 1000000 + 65535, 65536)'),
    ('snowflake', 'snowflake_new()', 'snowflake_new_at(t)', '0123456789', 1, 22, '(pg_temp.bits(n, 42, 22) + 1420070400000) * 1000'),
    ('ulid', 'ulid_new()', 'ulid_new_at(t)', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1, 80, 'pg_temp.bits(n, 48, 80) * 1000'),
    ('ksuid', 'ksuid_new()', 'ksuid_new_at(t)', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 1, 128, '(pg_temp.bits(n, 32, 128) + 1400000000) * 1000000'),
    ('uid64', 'uid64_new()', 'uid64_new_at(t)', '.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', 4, 14, 'pg_temp.uid_us(pg_temp.bits(n, 20, 44), pg_temp.bits(n, 20, 24), pg_temp.bits(n, 10, 14))'),
    ('uid96', 'uid96_new()', 'uid96_new_at(t)', '.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', 1, NULL,
        'pg_temp.uid_us(pg_temp.bits(n, 20, 76), pg_temp.bits(n, 12, 64) * 256 + pg_temp.bits(n, 8, 24), pg_temp.bits(n, 10, 14))');
SELECT is((SELECT array_agg(name ORDER BY name) FROM format), (SELECT array_agg(name ORDER BY name) FROM flakeid_formats), 'every format');

-- What no clock writes is the last microsecond of the megasecond, or of the second.
CREATE FUNCTION pg_temp.uid_us(megaseconds numeric, seconds numeric, units numeric) RETURNS numeric LANGUAGE sql IMMUTABLE RETURN
    CASE WHEN seconds >= 1000000 THEN (megaseconds + 1) * 1000000000000 - 1
        WHEN units >= 977 THEN (megaseconds * 1000000 + seconds + 1) * 1000000 - 1
        ELSE (megaseconds * 1000000 + seconds) * 1000000 + units * 1024 END;

-- The tables of a format: "made" has new IDs in the order of their calls, "id" these and random ones; n is the
-- number of the text.
CREATE FUNCTION pg_temp.prepare(f format) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DROP TABLE IF EXISTS made, id;
    EXECUTE replace(format($q$
        CREATE TEMPORARY TABLE made AS
        SELECT g, before, id, after, pg_temp.number_of(id::text, %L) / %s AS n
        FROM (SELECT g, clock_timestamp() AS before, %s AS id, clock_timestamp() AS after FROM generate_series(1, 2000) AS g) AS m;
        CREATE TEMPORARY TABLE id AS
        SELECT id, n FROM made WHERE g %% 4 = 0
        UNION ALL SELECT id, pg_temp.number_of(id::text, %1$L) / %2$s
        FROM (SELECT CAST(decode(string_agg(lpad(to_hex((CASE (random() * 4)::int WHEN 0 THEN 0 WHEN 1 THEN 255 ELSE random() * 255 END)::int), 2, '0'), ''), 'hex') AS TYPE) AS id
            FROM generate_series(1, 500) AS g, generate_series(1, %4$s) GROUP BY g) AS r$q$,
        f.digits, f.times, f.made, (SELECT bytes FROM flakeid_formats WHERE name = f.name)), 'TYPE', f.name);
END $$;

-- A counterexample is a row of the query, in which T_ begins the names of the format's functions.
CREATE FUNCTION pg_temp.never(f format, query text, property text) RETURNS text LANGUAGE sql
RETURN is_empty(replace(replace(replace(query, 'T_', f.name || '_'), 'TYPE', f.name), 'INSTANT', f.us) || ' LIMIT 5', f.name || ': ' || property);

-- ---------- what only one format has: its name, counterexamples, what they contradict ----------

CREATE TEMPORARY TABLE own (name text, query text, property text);
INSERT INTO own VALUES
    ('sno', $$SELECT * FROM id, LATERAL (SELECT sno_timestamp(id) AS at, sno_meta(id) AS m, sno_partition(id) AS p, sno_sequence(id) AS s, sno_tick_tock(id) AS t) AS x,
        LATERAL (SELECT pg_temp.bits(n, 8, 3)::int AS meta, pg_temp.bits(n, 16, 7)::int AS partition, pg_temp.bits(n, 16, 11)::int AS sequence) AS y
    WHERE m <> pg_temp.bits(n, 8, 32) OR p <> pg_temp.bits(n, 16, 16) OR s <> pg_temp.bits(n, 16, 0) OR t::int <> pg_temp.bits(n, 1, 40) OR sno_make(at, m, p, s, t) <> id
        OR sno_set_meta(id, meta) <> sno_make(at, meta, p, s, t) OR sno_set_partition(id, partition) <> sno_make(at, m, partition, s, t)
        OR sno_set_sequence(id, sequence) <> sno_make(at, m, p, sequence, t) OR sno_inspect(id) <> row(id::text, id::bytea, at::timestamptz, t, m, p, s)$$, 'parts'),
    ('sno', $$SELECT * FROM id WHERE id::uuid::sno <> id OR id::bytea::text::sno <> id OR decode(replace(id::uuid::text, '-', ''), 'hex') <> id::text::bytea$$, 'uuid, and the hex form of bytea'),
    ('flax', 'SELECT * FROM id WHERE flax_random(id) <> pg_temp.bits(n, 56, 0) OR id::numeric <> n OR n::flax <> id
    OR decode(replace(id::uuid::text, ''-'', ''''), ''hex'') <> id::text::bytea OR id::uuid::flax <> id OR flax_make(flax_timestamp(id), flax_random(id)) <> id', 'parts, number and uuid'),
    ('ulid', 'SELECT * FROM id WHERE pg_temp.number_of(ulid_random(id)) <> pg_temp.bits(n, 80, 0) OR pg_temp.number_of(uuid_send(id::uuid)) <> n OR id::uuid::ulid <> id
    OR ulid_make(ulid_timestamp(id), ulid_random(id)) <> id', 'parts and uuid'),
    ('ksuid', 'SELECT * FROM id WHERE pg_temp.number_of(ksuid_payload(id)) <> pg_temp.bits(n, 128, 0) OR ksuid_make(ksuid_timestamp(id), ksuid_payload(id)) <> id', 'parts'),
    ('snowflake', 'SELECT * FROM id WHERE snowflake_worker(id) <> pg_temp.bits(n, 5, 17) OR snowflake_process(id) <> pg_temp.bits(n, 5, 12) OR snowflake_sequence(id) <> pg_temp.bits(n, 12, 0)
    OR id::numeric <> n OR n::snowflake <> id OR n < 2::numeric ^ 63 AND (id::bigint <> n OR n::bigint::snowflake <> id)
    OR snowflake_make(snowflake_timestamp(id), snowflake_worker(id), snowflake_process(id), snowflake_sequence(id)) <> id', 'parts and numbers'),
    ('snowflake', $$SELECT id, f FROM id, (VALUES ('b', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1), ('c', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 2),
        ('l', 'abcdefghijklmnopqrstuvwxyz234567', 1), ('o', '01234567', 1), ('x', '0123456789abcdef', 1)) AS v (f, digits, times)
    WHERE pg_temp.number_of(snowflake_format(id, f), digits) <> n * times OR snowflake_parse(snowflake_format(id, f), f) <> id$$, 'notations'),
    ('snowflake', $$SELECT g FROM generate_series(1, 1000) AS g, LATERAL (SELECT snowflake_new('2020-01-01') AS id, clock_timestamp() AS t OFFSET g * 0) AS x
    WHERE pg_temp.bits(id::numeric, 42, 22) + 1577836800000 NOT BETWEEN trunc(pg_temp.us(now()) / 1000) AND trunc(pg_temp.us(t) / 1000) + 10000
        OR pg_temp.us(snowflake_timestamp(id, '2020-01-01')) <> (pg_temp.bits(id::numeric, 42, 22) + 1577836800000) * 1000$$, 'another epoch'),
    ('siq', $$SELECT * FROM id, LATERAL (SELECT pg_temp.bits(n, 16, 0)::int AS low) AS x
    WHERE siq_shard(id) <> pg_temp.bits(n, 8, 48) OR siq_domain(id) <> pg_temp.bits(n, 32, 16) OR id::numeric <> n OR n::siq <> id
        OR siq_serial(id) * (CASE WHEN low % 2 = 1 THEN 8 WHEN low % 8 = 6 THEN 16 ELSE 32 END) + siq_qualifier(id) <> low
        OR siq_make(siq_timestamp(id), siq_shard(id), siq_domain(id), low) <> id$$, 'parts and number'),
    ('siq', $$SELECT * FROM id, LATERAL (SELECT pg_temp.number_of(uuid_send(id::uuid)) AS u) AS x
    WHERE id::uuid::siq <> id OR pg_temp.bits(u, 4, 76) <> 8 OR pg_temp.bits(u, 2, 62) <> 2 OR pg_temp.bits(u, 10, 0) <> 0
        OR (pg_temp.bits(u, 48, 80) * 4096 + pg_temp.bits(u, 12, 64)) * 2::numeric ^ 52 + pg_temp.bits(u, 52, 10) <> n$$, 'uuid: version 8, the bits in order'),
    ('siq', $$SELECT id, f FROM id, (VALUES ('b', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1), ('d', '0123456789', 1),
        ('l', 'abcdefghijklmnopqrstuvwxyz234567', NULL), ('o', '01234567', 1), ('x', '0123456789abcdef', 1), ('c', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', NULL), ('u', '', NULL)) AS v (f, digits, times)
    WHERE pg_temp.number_of(siq_format(id, f), digits) <> n * times OR siq_parse(siq_format(id, f), f) <> id$$, 'notations'),
    ('uid64', $$SELECT a.id, b.id FROM (SELECT *, row_number() OVER () AS r FROM id WHERE pg_temp.bits(n, 20, 24) < 1000000 AND pg_temp.bits(n, 10, 14) < 977) AS a,
        (SELECT * FROM id WHERE pg_temp.bits(n, 20, 24) < 1000000 AND pg_temp.bits(n, 10, 14) < 977 ORDER BY random() LIMIT 20) AS b, uid_distance(a.id, b.id) AS d
    WHERE uid64_sequence(a.id) <> pg_temp.bits(a.n, 14, 0) OR d.sequence <> pg_temp.bits(a.n, 14, 0) - pg_temp.bits(b.n, 14, 0)
        OR uid64_make(uid64_timestamp(a.id), uid64_sequence(a.id)) <> a.id
        OR extract(epoch FROM d.elapsed) * 1000000 <> pg_temp.us(uid64_timestamp(a.id)) - pg_temp.us(uid64_timestamp(b.id))$$, 'sequence and distance'),
    ('uid96', $$SELECT id, i FROM id, generate_series(5, 10) AS i, LATERAL (SELECT pg_temp.number_of(uid96_to_local(id, i)::bytea) AS local) AS x
    WHERE uid96_node(id, i) <> pg_temp.bits(n, 32, 24 + i) OR uid96_sequence(id) <> pg_temp.bits(n, 14, 0) OR i = 8 AND (uid96_node(id) <> uid96_node(id, 8) OR uid96_to_local(id) <> uid96_to_local(id, 8))
        OR local <> pg_temp.bits(n, 40 - i, 56 + i) * 2::numeric ^ (24 + i) + pg_temp.bits(n, 24 + i, 0)
        OR uid96_timestamp(id, i) <> uid64_timestamp(uid96_to_local(id, i))
        OR pg_temp.bits(local, 20, 24) < 1000000 AND pg_temp.bits(local, 10, 14) < 977 AND uid96_make(uid96_timestamp(id, i), uid96_node(id, i), uid96_sequence(id), i) <> id
        OR NOT id BETWEEN uid96_min(uid96_timestamp(id, i), i) AND uid96_max(uid96_timestamp(id, i), i)$$, 'node, sequence and local ID at each drift');

CREATE FUNCTION pg_temp.test_all() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    f format;
    o own;
BEGIN
    FOR f IN TABLE format LOOP
        PERFORM pg_temp.prepare(f);
        -- they may be ahead of the clock as far as flakeid.max_ahead allows, never behind it by more than their unit
        RETURN NEXT pg_temp.never(f, $q$SELECT m.* FROM made AS m, flakeid_formats
            WHERE name = 'TYPE' AND INSTANT NOT BETWEEN pg_temp.us(before - resolution) AND pg_temp.us(after + interval '10 s')$q$, 'new ones have the current time');
        -- (a flax has no sequence: in its millisecond it is random)
        RETURN NEXT pg_temp.never(f, $q$SELECT * FROM (SELECT id, lag(id) OVER (ORDER BY g) AS last FROM made) AS m
            WHERE CASE WHEN 'TYPE' = 'flax' THEN T_timestamp(id) < T_timestamp(last) OR id = last ELSE id <= last END$q$, 'and increase');
        RETURN NEXT pg_temp.never(f, $q$SELECT * FROM id WHERE pg_temp.number_of(id::bytea) <> n OR pg_temp.number_of(_flakeid_functions.T_send(id)) <> n
            OR id::text::TYPE <> id OR id::bytea::TYPE <> id OR id::text !~ (SELECT pattern FROM flakeid_formats WHERE name = 'TYPE')$q$, 'text and bytes are the same number');
        RETURN NEXT pg_temp.never(f, 'SELECT id, T_timestamp(id), INSTANT FROM id WHERE pg_temp.us(T_timestamp(id)) <> INSTANT OR pg_temp.us(id::timestamptz) <> INSTANT', 'the instant');
        RETURN NEXT pg_temp.never(f, $q$SELECT a.id, b.id FROM id AS a TABLESAMPLE system (100), (SELECT * FROM id ORDER BY random() LIMIT 50) AS b
            WHERE _flakeid_functions.T_cmp(a.id, b.id) <> sign(a.n - b.n) OR (a.id < b.id) <> (a.n < b.n) OR (a.id = b.id) <> (a.n = b.n)
                OR (a.id <= b.id) <> (a.n <= b.n) OR (a.id >= b.id) <> (a.n >= b.n) OR (a.id > b.id) <> (a.n > b.n) OR (a.id <> b.id) <> (a.n <> b.n)
                OR least(a.id, b.id) <> _flakeid_functions.T_smaller(a.id, b.id) OR greatest(a.id, b.id) <> _flakeid_functions.T_larger(a.id, b.id)$q$, 'the order of the numbers');
        RETURN NEXT pg_temp.never(f, format($q$SELECT t, id FROM flakeid_formats, generate_series(0, 500) AS g,
                LATERAL (SELECT epoch + g / 501.0 * (last_timestamp - epoch) AS t) AS x, LATERAL (SELECT %s AS id) AS y, LATERAL (SELECT pg_temp.number_of(id::bytea) AS n) AS z
            WHERE name = 'TYPE' AND (INSTANT > pg_temp.us(t) OR INSTANT <= pg_temp.us(t - resolution) - 1)$q$, f.made_at), 'those for instants are of these');
        FOR o IN SELECT * FROM own WHERE name = f.name LOOP
            RETURN NEXT pg_temp.never(f, o.query, o.property);
        END LOOP;
        CONTINUE WHEN f.below IS NULL;
        RETURN NEXT pg_temp.never(f, format($q$SELECT id FROM id, LATERAL (SELECT T_timestamp(id)::timestamptz AS t, div(n, 2::numeric ^ %1$s) * 2::numeric ^ %1$s AS least) AS x
            WHERE (pg_temp.number_of(T_min(t)::bytea) <> least OR pg_temp.number_of(T_max(t)::bytea) <> least + 2::numeric ^ %1$s - 1)
                -- (the last unit of a second is short, and goes on in what no clock writes)
                AND ('TYPE' <> 'uid64' OR pg_temp.bits(n, 20, 24) < 1000000 AND pg_temp.bits(n, 10, 14) < 976)$q$, f.below), 'least and greatest of an instant');
    END LOOP;
END $$;
SELECT pg_temp.test_all();

-- ---------- uuid7 ----------

CREATE TEMPORARY TABLE uuid AS
SELECT g, before, u, after, pg_temp.number_of(uuid_send(u)) AS n
FROM (SELECT g, clock_timestamp() AS before, uuid7_new() AS u, clock_timestamp() AS after FROM generate_series(1, 2000) AS g) AS m;
SELECT is_empty($$SELECT * FROM uuid WHERE pg_temp.bits(n, 48, 80) NOT BETWEEN trunc(pg_temp.us(before) / 1000) AND trunc(pg_temp.us(after) / 1000) + 10000
    OR pg_temp.us(uuid7_timestamp(u)) <> pg_temp.bits(n, 48, 80) * 1000$$, 'uuid7: new ones have the current time');
SELECT is_empty('SELECT * FROM uuid WHERE pg_temp.bits(n, 4, 76) <> 7 OR pg_temp.bits(n, 2, 62) <> 2', 'uuid7: version 7, variant 10');
SELECT is_empty('SELECT * FROM (SELECT u, lag(u) OVER (ORDER BY g) AS last FROM uuid) AS s WHERE u <= last', 'uuid7: they increase');
SELECT is_empty($$SELECT t FROM (SELECT timestamptz '1970-01-01' + g * interval '9007 hours 7 minutes 11.013 seconds' AS t FROM generate_series(0, 990) AS g) AS s
    WHERE pg_temp.bits(pg_temp.number_of(uuid_send(uuid7_new_at(t))), 48, 80) <> trunc(pg_temp.us(t) / 1000)$$, 'uuid7: those for instants are of these');

-- ---------- random bits: a seed changes nothing, none are repeated, and only the generator's count is in order ----------

CREATE FUNCTION pg_temp.random_bits() RETURNS TABLE (format text, bits bytea) LANGUAGE sql VOLATILE AS $$
    SELECT 'flax', substr(flax_new()::bytea, 6) FROM generate_series(1, 2000)
    UNION ALL SELECT 'ulid', substr(ulid_random(ulid_new()), 4) FROM generate_series(1, 2000)
    UNION ALL SELECT 'ksuid', substr(ksuid_payload(ksuid_new()), 5) FROM generate_series(1, 2000)
    UNION ALL SELECT 'uuid7', substr(uuid_send(uuid7_new()), 10) FROM generate_series(1, 2000)
$$;
SELECT setseed(0.5) \g /dev/null
CREATE TEMPORARY TABLE seeded AS SELECT row_number() OVER () AS g, format, bits FROM pg_temp.random_bits();
SELECT setseed(0.5) \g /dev/null
SELECT is_empty($$SELECT bits FROM seeded INTERSECT SELECT bits FROM pg_temp.random_bits()$$, 'a seed changes nothing');
SELECT is_empty($$SELECT format FROM seeded GROUP BY format HAVING count(DISTINCT bits) <> 2000$$, 'no random bits twice');
SELECT is_empty($$SELECT format, avg((bits > last)::int) FROM (SELECT *, lag(bits) OVER (PARTITION BY format ORDER BY g) AS last FROM seeded) AS s
    GROUP BY format HAVING avg((bits > last)::int) NOT BETWEEN 0.45 AND 0.55$$, 'random bits are in no order');

SELECT * FROM finish();
ROLLBACK;
