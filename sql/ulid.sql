-- ulid and uuid7_new(): text, order, casts, time and generator. Random ones are in test/pgtap/new_ids.sql.
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- text
SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid;
SELECT '01arz3ndektsv4rrffq69g5fav'::ulid, 'OLARZ3NDEKTSV4RRFFQ69G5FAV'::ulid, 'oIaRz3nDeKtSv4RrFfQ69g5FaV'::ulid;
SELECT '\x01563e3ab5d3d6764c61efb99302bd5b'::ulid;
SELECT ulid '00000000000000000000000000', ulid '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
SELECT ''::ulid;
SELECT '01ARZ3NDEKTSV4RRFFQ69G5FA'::ulid;
SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV0'::ulid;
SELECT ' 01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid;
SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAU'::ulid;
SELECT '80000000000000000000000000'::ulid;
SELECT '\x01563e3ab5d3d6764c61efb99302bd'::ulid;
SELECT '01563e3a-b5d3-d676-4c61-efb99302bd5b'::ulid;
SELECT '2026-01-01'::ulid;

-- the same through text, varchar and char; text can be assigned to a column
CREATE TABLE f (id ulid PRIMARY KEY, n int);
INSERT INTO f VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FA0'::text, 1);
INSERT INTO f VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FA1'::varchar, 2);
INSERT INTO f VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FA2'::char(26), 3);
SELECT id, id::text = '01ARZ3NDEKTSV4RRFFQ69G5FA' || n - 1 AS text FROM f ORDER BY id;

-- binary
\copy f TO 'results/ulid.data' (FORMAT binary)
DELETE FROM f;
\copy f FROM 'results/ulid.data' (FORMAT binary)
SELECT * FROM f ORDER BY id DESC;
\copy (SELECT '\x01563e3ab5d3d6764c61efb99302bd'::bytea, 4) TO 'results/ulid.data' (FORMAT binary)
\copy f FROM 'results/ulid.data' (FORMAT binary)

-- comparison, also with equal first eight bytes
SELECT a, b, a < b AS lt, a <= b AS le, a = b AS eq, a <> b AS ne, a >= b AS ge, a > b AS gt,
       _flakeid_functions.ulid_cmp(a, b), _flakeid_functions.ulid_smaller(a, b) = a AS smaller, _flakeid_functions.ulid_larger(a, b) = a AS larger
FROM (VALUES (ulid '00000000000000000000000000', ulid '00000000000000000000000001'),
             ('0000000000000000000000000Z', '00000000000000000000000000'),
             ('70000000000000000000000000', '70000000000000000000000000')) AS v(a, b);
SELECT min(id), max(id) FROM f;
SELECT array_agg(x ORDER BY x) FROM unnest('{7ZZZZZZZZZZZZZZZZZZZZZZZZZ,0ZZZZZZZZZZZZZZZZZZZZZZZZZ,10000000000000000000000000,00000000000000000000000001}'::ulid[]) AS x;
SELECT count(DISTINCT x) FROM unnest('{7ZZZZZZZZZZZZZZZZZZZZZZZZZ,7zzzzzzzzzzzzzzzzzzzzzzzzz,00000000000000000000000000}'::ulid[]) AS x;

-- the hashes of a value never change
SELECT x, _flakeid_functions.ulid_hash(x), _flakeid_functions.ulid_hash_extended(x, 0), _flakeid_functions.ulid_hash_extended(x, 42)
FROM unnest('{00000000000000000000000000,01ARZ3NDEKTSV4RRFFQ69G5FAV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}'::ulid[]) AS x;

-- casts
SELECT x, x::bytea, x::bytea::ulid = x AS bytea, x::uuid, x::uuid::ulid = x AS uuid, x::timestamptz
FROM unnest('{00000000000000000000000000,01ARZ3NDEKTSV4RRFFQ69G5FAV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}'::ulid[]) AS x;
SELECT '\x01563e3ab5d3d6764c61efb99302bd'::bytea::ulid;
-- every uuid is a ulid, in the same order
SELECT count(*), bool_and(u::ulid::uuid = u) AS same, bool_and((u < v) = (u::ulid < v::ulid)) AS ordered
FROM (SELECT gen_random_uuid() AS u, gen_random_uuid() AS v FROM generate_series(1, 1000)) AS s;

-- a column of uuid becomes one of ulid, and back, without rewriting a row
CREATE TABLE u (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int);
INSERT INTO u (n) SELECT generate_series(1, 1000);
CREATE TABLE before AS SELECT id::text, n FROM u;
SELECT pg_relation_filenode('u') AS file \gset
ALTER TABLE u ALTER id DROP DEFAULT, ALTER id TYPE ulid USING id::ulid, ALTER id SET DEFAULT ulid_new();
SELECT pg_relation_filenode('u') = :file AS kept, count(*), bool_and(u.id::uuid::text = before.id) AS same
FROM u JOIN before USING (n);
INSERT INTO u DEFAULT VALUES RETURNING ulid_timestamp(id) BETWEEN now() - interval '10 s' AND now() + interval '10 s' AS now;
ALTER TABLE u ALTER id DROP DEFAULT, ALTER id TYPE uuid USING id::uuid;
SELECT pg_relation_filenode('u') = :file AS kept, count(*), bool_and(u.id::text = before.id) AS same
FROM u JOIN before USING (n);

-- time
SELECT ulid_timestamp(ulid '01ARZ3NDEKTSV4RRFFQ69G5FAV');
SELECT t, ulid_min(t), ulid_max(t)
FROM unnest('{-infinity,1969-12-31 23:59:59.999999,1970-01-01,1970-01-01 00:00:00.000999,1970-01-01 00:00:00.001,
              10889-08-02 05:31:50.655999,10889-08-02 05:31:50.656,infinity}'::timestamptz[]) AS t;
SELECT ulid_make('2016-07-30 23:54:10.259', '\xd6764c61efb99302bd5b'), ulid_make('2016-07-30 23:54:10.259999', '\x00000000000000000000');
SELECT ulid_random(ulid_make('10889-08-02 05:31:50.655999', '\xffffffffffffffffffff'));
SELECT ulid_make('2026-01-01', '\xd6764c61efb99302bd');
SELECT ulid_make('2026-01-01', '\xd6764c61efb99302bd5b00');
SELECT ulid_make('1969-12-31 23:59:59.999999', '\xd6764c61efb99302bd5b');
SELECT ulid_make('10889-08-02 05:31:50.656', '\xd6764c61efb99302bd5b');
SELECT ulid_new_at('infinity');
SELECT uuid7_new_at('-infinity');
SELECT uuid7_new_at('10889-08-02 05:31:50.656');
SELECT uuid7_new_at('10889-08-02 05:31:50.655999')::text ~ '^ffffffff-ffff-7' AS last;
SELECT ulid_new_at(NULL) IS NULL, ulid_make(NULL, '\x00') IS NULL, uuid7_new_at(NULL) IS NULL;
\x
SELECT * FROM ulid_inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV');
\x

-- new IDs: distinct, with the current time, each greater than the previous one of either type; more of them than
-- the distinct keys (100,000) after which a sort no longer asks whether abbreviated ones are worthwhile
SELECT clock_timestamp() AS t0 \gset
CREATE TABLE g AS SELECT n, ulid_new() AS id, uuid7_new() AS u FROM generate_series(1, 170000) AS n;
SELECT count(DISTINCT id), count(DISTINCT u) FROM g;
SELECT bool_and(ulid_timestamp(id) BETWEEN date_trunc('milliseconds', timestamptz :'t0') AND clock_timestamp() + '10 s') FROM g;
SELECT count(*) FILTER (WHERE id <= before) AS ulid, count(*) FILTER (WHERE u <= u_before) AS uuid7
FROM (SELECT id, u, lag(id) OVER (ORDER BY n) AS before, lag(u) OVER (ORDER BY n) AS u_before FROM g) AS s;
-- both share one counter: in the same millisecond a uuid made after a ulid has a greater count
CREATE FUNCTION pg_temp.number(bytes bytea) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN (
    SELECT sum(get_byte(bytes, i)::bigint << 8 * (length(bytes) - 1 - i)) FROM generate_series(0, length(bytes) - 1) AS i);
SELECT bool_or(together) AS together, count(*) FILTER (WHERE together AND uuid7 <= ulid) AS not_greater
FROM (SELECT substr(uuid_send(u), 1, 6) = substr(id::bytea, 1, 6) AS together,
             pg_temp.number(substr(id::bytea, 7, 3)) >> 6 AS ulid,
             (pg_temp.number(substr(uuid_send(u), 7, 2)) & 4095) << 6 | (get_byte(uuid_send(u), 8) & 63) AS uuid7
      FROM g WHERE n <= 10000) AS s;
-- the unpredictable part: 62 bits of a ulid and 56 of a uuid
SELECT count(*) AS bits, bool_and(share BETWEEN 40 AND 60) AS even
FROM (SELECT bit, 100.0 * sum(get_bit(id::bytea, bit)) / count(*) AS share
      FROM g, generate_series(64, 127) AS bit WHERE n <= 10000 AND bit NOT IN (70, 71) GROUP BY bit) AS s;
SELECT count(*) AS bits, bool_and(share BETWEEN 40 AND 60) AS even
FROM (SELECT bit, 100.0 * sum(get_bit(uuid_send(u), bit)) / count(*) AS share
      FROM g, generate_series(72, 127) AS bit WHERE n <= 10000 GROUP BY bit) AS s;
SELECT count(*) AS wrong FROM g WHERE u::text !~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
SELECT bool_and(ulid_timestamp(u::ulid) BETWEEN date_trunc('milliseconds', timestamptz :'t0') AND clock_timestamp() + '10 s') FROM g;

-- to backfill: of the instant, distinct, and a session's own increase
SELECT count(DISTINCT id), min(ulid_timestamp(id)), max(ulid_timestamp(id)), count(*) FILTER (WHERE id <= before) AS back
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before
      FROM (SELECT n, ulid_new_at('2020-02-29 12:00:00.123456') AS id FROM generate_series(1, 20000) AS n) AS s) AS t;
SELECT count(DISTINCT u), min(ulid_timestamp(u::ulid)), count(*) FILTER (WHERE u <= before) AS back, bool_and(u::text ~ '^.{14}7.{4}[89ab]') AS version
FROM (SELECT u, lag(u) OVER (ORDER BY n) AS before
      FROM (SELECT n, uuid7_new_at('2020-02-29 12:00:00.123456') AS u FROM generate_series(1, 20000) AS n) AS s) AS t;

-- one generator, that of number 0
SELECT type, number, capacity, sequence_min, sequence_max FROM flakeid_generators WHERE type = 'ulid';

-- indexes
CREATE INDEX g_id ON g (id);
CREATE INDEX g_hash ON g USING hash (id);
ANALYZE g;
SELECT id AS one FROM g WHERE n = 777 \gset
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT n FROM g WHERE id = :'one';
SELECT count(*) FROM g WHERE id >= timestamptz :'t0' AND id < clock_timestamp();
EXPLAIN (COSTS OFF) SELECT n FROM g WHERE id >= timestamptz '2026-01-01' AND id < timestamptz '2026-02-01';
EXPLAIN (COSTS OFF) SELECT id FROM g ORDER BY id DESC LIMIT 1;
DROP INDEX g_id;
EXPLAIN (COSTS OFF) SELECT n FROM g WHERE id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
SELECT n FROM g WHERE id = :'one';
RESET enable_seqscan;
RESET enable_bitmapscan;

-- sorted by abbreviated keys, by text and as uuid, which is the same order
SELECT count(*) FROM (SELECT id, row_number() OVER (ORDER BY id) AS a, row_number() OVER (ORDER BY id::uuid) AS b,
                             row_number() OVER (ORDER BY id::text COLLATE "C") AS c FROM g) AS s
WHERE a <> b OR a <> c;

DROP TABLE f, g, u, before;
