--
-- Core's uuid_extract_timestamp(): conditions and order by the key's index, where proof is that no
-- other version with a time is in the column.  Before 18 it has no time for version 7.
--
SELECT current_setting('server_version_num')::int < 180000 AS before_18 \gset
\if :before_18
\quit
\endif
\getenv dir PG_ABS_SRCDIR
\set lines 'Scan|Cond:|Filter:'
\i :dir/sql/plans.psql
SET client_min_messages = warning;
LOAD 'flakeid';
SET enable_seqscan = off;
SET enable_sort = off;

-- Which constraints and conditions are proof: for conditions, and for the order.
CREATE FUNCTION pg_temp.proves(ddl text, condition text DEFAULT 'true', OUT conditions bool, OUT orders bool) LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    conditions := false;
    orders := true;
    EXECUTE ddl;
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) SELECT * FROM p WHERE %s AND uuid_extract_timestamp(id) >= now()', condition) LOOP
        conditions := conditions OR line ~ 'Index Cond.*uuid7_min';
    END LOOP;
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) SELECT * FROM p WHERE %s ORDER BY uuid_extract_timestamp(id) LIMIT 3', condition) LOOP
        orders := orders AND line !~ 'Sort Key';
    END LOOP;
    DROP TABLE p CASCADE;
    DROP DOMAIN IF EXISTS d7;
END $$;
SELECT n, c AS "check", p.* FROM unnest(ARRAY['true',
    'uuid_extract_version(id) = 7', '7 = uuid_extract_version(id)', 'uuid_extract_version(id) = 7 AND uuid_extract_timestamp(id) IS NOT NULL',
    'uuid_extract_version(id) IS NOT DISTINCT FROM 7', '(uuid_extract_version(id) = 7) IS TRUE', 'coalesce(uuid_extract_version(id), 0) = 7', 'coalesce(uuid_extract_version(id) = 7, false)',
    'uuid_extract_version(id) IN (7)', 'uuid_extract_version(id) IN (4, 7)', 'uuid_extract_version(id) IN (1, 7)', 'uuid_extract_version(id) <> 1', 'uuid_extract_version(id) > 1',
    'uuid_extract_version(id) BETWEEN 7 AND 7', 'uuid_extract_version(id) >= 7', 'NOT uuid_extract_version(id) <> 7', 'uuid_extract_version(id) = 7 OR n = 3', 'uuid_extract_version(id) = 7 AND n > 3',
    'uuid_extract_timestamp(id) IS NOT NULL', 'uuid_extract_timestamp(id) IS NOT NULL AND uuid_extract_version(id) <> 1', 'uuid_extract_timestamp(id) IS NULL OR uuid_extract_version(id) = 7',
    'uuid_extract_timestamp(id) > ''2020-01-01Z''', 'CASE uuid_extract_version(id) WHEN 7 THEN true ELSE false END', 'CASE WHEN uuid_extract_version(id) = 7 THEN n > 0 ELSE false END',
    'uuid_extract_version(id)::int = 7', 'uuid_extract_version(id)::numeric = 7', '1 / (uuid_extract_version(id) - 7) IS NULL', 'uuid_extract_version(id) = 7 IS NOT FALSE', 'uuid_extract_version(id) = n',
    'substr(id::text, 15, 1) = ''7''', 'uuid_extract_version(id) = ANY (''{7}''::int[])', 'false', 'id IS NOT NULL AND uuid_extract_version(id) = 7', 'uuid_extract_version(id) IS NOT NULL']) WITH ORDINALITY AS u (c, n),
    LATERAL pg_temp.proves(format('CREATE TABLE p (id uuid PRIMARY KEY, n int, CHECK (%s))', c)) AS p ORDER BY n;
SELECT what, p.* FROM (VALUES (1, 'two', 'CREATE TABLE p (id uuid PRIMARY KEY, n int, CHECK (uuid_extract_version(id) = 7), CHECK (uuid_extract_version(id) IS NOT NULL))', 'true'),
    (2, 'NOT VALID', 'CREATE TABLE p (id uuid PRIMARY KEY); ALTER TABLE p ADD CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7) NOT VALID', 'true'),
    (3, 'validated', 'CREATE TABLE p (id uuid PRIMARY KEY); ALTER TABLE p ADD CONSTRAINT x CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7) NOT VALID; ALTER TABLE p VALIDATE CONSTRAINT x', 'true'),
    (4, 'NOT ENFORCED', 'CREATE TABLE p (id uuid PRIMARY KEY, CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7) NOT ENFORCED)', 'true'),
    (5, 'NO INHERIT', 'CREATE TABLE p (id uuid PRIMARY KEY, CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7) NO INHERIT)', 'true'),
    (6, 'NO INHERIT, and a child', 'CREATE TABLE p (id uuid PRIMARY KEY, CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7) NO INHERIT); CREATE TABLE p_child (PRIMARY KEY (id)) INHERITS (p)', 'true'),
    (7, 'NULL, and = 7', 'CREATE TABLE p (id uuid UNIQUE, CHECK (uuid_extract_version(id) = 7 AND uuid_extract_timestamp(id) IS NOT NULL))', 'true'),
    (8, 'NULL or of version 7', 'CREATE TABLE p (id uuid UNIQUE, CHECK (id IS NULL OR uuid_extract_version(id) IS NOT DISTINCT FROM 7))', 'true'),
    (9, 'a virtual column of the version', 'CREATE TABLE p (id uuid PRIMARY KEY, v int GENERATED ALWAYS AS (uuid_extract_version(id)) VIRTUAL, CHECK (v IS NOT DISTINCT FROM 7))', 'true'),
    (10, 'a virtual column of the time', 'CREATE TABLE p (id uuid PRIMARY KEY, t timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) VIRTUAL, CHECK (uuid_extract_version(id) = 7 AND t IS NOT NULL))', 'true'),
    (11, 'NOT NULL, and = 7', 'CREATE TABLE p (id uuid PRIMARY KEY, t timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) VIRTUAL NOT NULL, CHECK (uuid_extract_version(id) = 7))', 'true'),
    (12, 'NOT NULL', 'CREATE TABLE p (id uuid PRIMARY KEY, t timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) VIRTUAL NOT NULL)', 'true'),
    (13, 'of a domain', 'CREATE DOMAIN d7 AS uuid CHECK (uuid_extract_version(VALUE) IS NOT DISTINCT FROM 7); CREATE TABLE p (id d7 PRIMARY KEY)', 'true'),
    (14, 'column of a domain', 'CREATE DOMAIN d7 AS uuid; CREATE TABLE p (id d7 PRIMARY KEY, CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7))', 'true'),
    (15, 'WHERE = 7', 'CREATE TABLE p (id uuid PRIMARY KEY)', 'uuid_extract_version(id) = 7'), (16, 'WHERE <> 4', 'CREATE TABLE p (id uuid PRIMARY KEY)', 'uuid_extract_version(id) <> 4')) AS v (n, what, ddl, condition),
    LATERAL pg_temp.proves(ddl, condition) AS p ORDER BY n;
RESET enable_seqscan;
RESET enable_sort;

-- With the constraint, and a virtual column.
CREATE TABLE orders (id uuid PRIMARY KEY, total int, created_at timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) VIRTUAL, CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7));
INSERT INTO orders (id, total) SELECT uuid7_min(timestamptz '2026-11-21' - n * interval '1 min'), n % 100 FROM generate_series(1, 20000) AS n;
CREATE TABLE parts (id uuid PRIMARY KEY, total int, created_at timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) VIRTUAL, CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7)) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (uuid7_min(timestamptz '2026-11-10'));
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (uuid7_min(timestamptz '2026-11-10')) TO (MAXVALUE);
INSERT INTO parts (id, total) SELECT id, total FROM orders;
VACUUM ANALYZE orders, parts;
EXPLAIN (COSTS OFF) SELECT id, total FROM orders WHERE created_at >= now() - interval '1 hour' ORDER BY created_at DESC LIMIT 20;
EXPLAIN (COSTS OFF) SELECT count(*) FROM orders WHERE created_at >= '2026-11-20' AND uuid_extract_timestamp(id) < '2026-11-20 01:00';
EXPLAIN (COSTS OFF) SELECT id FROM orders WHERE created_at = '2026-11-20';
EXPLAIN (COSTS OFF) SELECT id FROM orders WHERE (created_at, id) < ('2026-11-20', '01a1f640-bc00-7000-8000-000000000000') ORDER BY created_at DESC, id DESC LIMIT 10;
SELECT pg_temp.scans('SELECT max(created_at) FROM orders');
EXPLAIN (COSTS OFF) SELECT id FROM parts WHERE created_at = '2026-11-20';
EXPLAIN (COSTS OFF) SELECT id FROM (SELECT id, created_at FROM orders UNION ALL SELECT id, created_at FROM orders) AS u WHERE created_at < '2026-11-07 03:00';
EXPLAIN (COSTS OFF) SELECT id FROM orders WHERE created_at IS NULL OR created_at + interval '1 h' < '2026-11-08' ORDER BY created_at DESC NULLS LAST;
SELECT count(*), count(*) FILTER (WHERE total < 10) FROM orders WHERE created_at BETWEEN '2026-11-20' AND '2026-11-20 01:00';
-- A row without a time is not lost: the original condition would not find it either.
CREATE TABLE others (id uuid PRIMARY KEY, CHECK (uuid_extract_version(id) = 7));
INSERT INTO others VALUES ('00000000-0000-7000-c000-000000000000'), (uuid7_min(timestamptz '2026-11-20')), ('ffffffff-ffff-ffff-ffff-ffffffffffff');
VACUUM ANALYZE others;
SELECT id FROM others WHERE uuid_extract_timestamp(id) > '1970-01-01' OR uuid_extract_timestamp(id) <= '1970-01-01';
SELECT id FROM others ORDER BY uuid_extract_timestamp(id);

-- Without the extension in the database constants become conditions, and nothing else does.
DROP TABLE orders, parts, others;
SELECT current_database() AS database \gset
CREATE DATABASE regress_flakeid_core_time;
\c regress_flakeid_core_time
LOAD 'flakeid';
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET enable_seqscan = off;
CREATE TABLE orders (id uuid PRIMARY KEY, CHECK (uuid_extract_version(id) IS NOT DISTINCT FROM 7));
CREATE TABLE others (id uuid PRIMARY KEY, CHECK (uuid_extract_version(id) = 7));
EXPLAIN (COSTS OFF) SELECT id FROM orders WHERE uuid_extract_timestamp(id) >= '2026-11-20';
EXPLAIN (COSTS OFF) SELECT id FROM others WHERE uuid_extract_timestamp(id) >= '2026-11-20';
EXPLAIN (COSTS OFF) SELECT id FROM orders WHERE uuid_extract_timestamp(id) >= now();
EXPLAIN (COSTS OFF) SELECT id FROM orders ORDER BY uuid_extract_timestamp(id) DESC LIMIT 3;

\c :database
DROP DATABASE regress_flakeid_core_time;
