--
-- Joins by an equal time use the key's index, in every form, and are estimated as those by a column.
--
\getenv dir PG_ABS_SRCDIR
\set lines '^(?!.*Join Filter).*(Scan|Join|Loop|Memoize|Append|Removed|Index Cond)'
\i :dir/sql/plans.psql
SET enable_memoize = off;

CREATE FUNCTION pg_temp.an_id(at timestamptz, n int) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT overlay(uuid7_min(at)::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid $$;
CREATE TABLE join_row (id uuid PRIMARY KEY, n int, at timestamptz);
INSERT INTO join_row SELECT pg_temp.an_id(at, n), n, at FROM (SELECT n, timestamptz '2026-11-01' + n * interval '100 ms' AS at FROM generate_series(1, 20000) AS n) AS r;
CREATE INDEX join_row_at ON join_row (at);
-- a UUID of another variant, within a millisecond that is asked for, has no time
INSERT INTO join_row SELECT overlay(id::text PLACING '0' FROM 20)::uuid FROM join_row WHERE n = 2000;
CREATE TABLE join_part (id uuid PRIMARY KEY, n int, at timestamptz) PARTITION BY RANGE (id);
CREATE TABLE join_part_1 PARTITION OF join_part FOR VALUES FROM (MINVALUE) TO (uuid7_min('2026-11-01 00:10'));
CREATE TABLE join_part_2 PARTITION OF join_part FOR VALUES FROM (uuid7_min('2026-11-01 00:10')) TO (uuid7_min('2026-11-01 00:20'));
CREATE TABLE join_part_3 PARTITION OF join_part FOR VALUES FROM (uuid7_min('2026-11-01 00:20')) TO (MAXVALUE);
INSERT INTO join_part SELECT * FROM join_row;
CREATE TABLE small AS SELECT at, at::timestamp AS local FROM join_row WHERE n % 2000 = 0;
INSERT INTO small VALUES (NULL), ('infinity');
CREATE TABLE many AS SELECT at FROM small, generate_series(1, 200) WHERE at < '2026-11-01 00:10';
CREATE VIEW v AS SELECT id, n, uuid7_timestamp(id) AS created_at FROM join_row;
CREATE VIEW p AS SELECT id, n, uuid7_timestamp(id) AS created_at FROM join_part;
CREATE VIEW u AS SELECT * FROM v UNION ALL SELECT * FROM p;
CREATE VIEW vc AS SELECT id, n, at AS created_at FROM join_row;
CREATE VIEW pc AS SELECT id, n, at AS created_at FROM join_part;
CREATE VIEW uc AS SELECT * FROM vc UNION ALL SELECT * FROM pc;
VACUUM ANALYZE join_row, join_part, small, many;

CREATE FUNCTION pg_temp.left_out(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    line text;
    scans int := 0;
BEGIN
    SET LOCAL enable_hashjoin = off;
    SET LOCAL enable_mergejoin = off;
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
        scans := scans + (line ~ 'never executed')::int;
    END LOOP;
    RETURN scans;
END $$;
CREATE TEMP TABLE form (n serial, query text);
INSERT INTO form (query) VALUES ('SELECT small.at, x.n FROM small JOIN x ON x.created_at = small.at'), ('SELECT small.at, x.n FROM small LEFT JOIN x ON small.at = x.created_at AND x.n < 9000'),
    ('SELECT x.n FROM x WHERE created_at IN (SELECT at FROM small)'), ('SELECT at FROM small WHERE EXISTS (SELECT FROM x WHERE x.created_at = small.at)'),
    ('SELECT at FROM small WHERE NOT EXISTS (SELECT FROM x WHERE x.created_at = small.at)'), ('SELECT at, l.n FROM small, LATERAL (SELECT n FROM x WHERE x.created_at = small.at LIMIT 1) AS l'),
    ('SELECT small.at, x.n FROM small JOIN x ON x.created_at = small.local'), ('SELECT a.n, b.n FROM x AS a JOIN x AS b USING (created_at) WHERE a.n < 10'),
    ('SELECT small.at, x.n FROM small FULL JOIN x ON x.created_at = small.at WHERE x.n IS NULL OR x.n % 2000 = 0');
SELECT query, pg_temp.plans(replace(query, 'x', 'v')) FROM form WHERE query !~ 'FULL' ORDER BY n;
SELECT pg_temp.plans('SELECT small.at, p.n FROM small JOIN p ON p.created_at = small.at');
SELECT pg_temp.plans('SELECT small.at, u.n FROM small JOIN u ON u.created_at = small.at');
-- the same rows as by a column, and as many expected
SELECT n, of, pg_temp.rows_of(regexp_replace(query, '\mx\M', of, 'g')) IS DISTINCT FROM pg_temp.rows_of(regexp_replace(query, '\mx\M', of || 'c', 'g')) AS differ
FROM form, unnest('{v,p,u}'::text[]) AS of WHERE pg_temp.rows_of(regexp_replace(query, '\mx\M', of, 'g')) IS DISTINCT FROM pg_temp.rows_of(regexp_replace(query, '\mx\M', of || 'c', 'g'));
SELECT n, by_id, by_at FROM form, LATERAL pg_temp.estimated(regexp_replace(query, '\mx\M', 'v', 'g')) AS by_id, LATERAL pg_temp.estimated(regexp_replace(query, '\mx\M', 'vc', 'g')) AS by_at
WHERE query !~ 'LATERAL|FULL' AND by_id NOT BETWEEN by_at / 1.2 - 1 AND by_at * 1.2 + 1 ORDER BY n;
SELECT pg_temp.estimated('SELECT created_at FROM v GROUP BY created_at') BETWEEN 18000 AND 22000;
-- an instant that is known only when the query runs has as many rows as any other
SET plan_cache_mode = force_generic_plan;
PREPARE of_time (timestamptz) AS SELECT FROM v WHERE created_at = $1;
SELECT pg_temp.estimated('EXECUTE of_time (now())') < 3;
RESET plan_cache_mode;
-- partitions are left out by the outer row, and its rows are remembered
SELECT pg_temp.left_out('SELECT many.at, p.n FROM many JOIN p ON p.created_at = many.at');
SET enable_memoize = on;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT pg_temp.plans('SELECT many.at, p.n FROM many JOIN p ON p.created_at = many.at');
RESET enable_hashjoin;
RESET enable_mergejoin;
SET enable_memoize = off;
-- other keys
CREATE TABLE join_sno AS SELECT sno_min(at) AS id FROM join_row WHERE at IS NOT NULL;
CREATE TABLE join_big AS SELECT layout_min(at, 'discord') + n % 4096 AS id FROM join_row WHERE at IS NOT NULL;
CREATE TABLE join_text AS SELECT ulid_text_min(at) COLLATE "C" AS id FROM join_row WHERE at IS NOT NULL;
CREATE INDEX ON join_sno (id);
CREATE INDEX ON join_big (id);
CREATE INDEX ON join_text (id);
ANALYZE join_sno, join_big, join_text;
-- an instant that is known only when the query runs, groups, and rows without a time
SET plan_cache_mode = force_generic_plan;
PREPARE of_sno (timestamptz) AS SELECT FROM join_sno WHERE sno_timestamp(id) = $1;
PREPARE of_big (timestamptz) AS SELECT FROM join_big WHERE layout_timestamp(id, 'discord') = $1;
SELECT pg_temp.estimated('EXECUTE of_sno (now())') < 3 AS own_type, pg_temp.estimated('EXECUTE of_big (now())') < 3 AS bigint;
SELECT pg_temp.plans($$ EXECUTE of_big (now()) $$);
RESET plan_cache_mode;
CREATE TABLE join_same AS SELECT sno_min(timestamptz '2026-11-01' + n / 10 * interval '1 s') AS id FROM generate_series(1, 20000) AS n;
CREATE TABLE join_dense AS SELECT pg_temp.an_id(timestamptz '2026-11-01' + n * interval '50 us', n) AS id FROM generate_series(1, 20000) AS n;
ANALYZE join_dense, join_same;
SELECT pg_temp.estimated('SELECT uuid7_timestamp(id) FROM join_dense GROUP BY 1') BETWEEN 900 AND 1100 AS groups,
    pg_temp.estimated('SELECT DISTINCT uuid7_timestamp(id) FROM join_dense') BETWEEN 900 AND 1100 AS "distinct",
    pg_temp.estimated('SELECT sno_timestamp(id) FROM join_same GROUP BY 1') BETWEEN 1900 AND 2100 AS of_one_id,
    pg_temp.estimated('SELECT FROM join_row WHERE uuid7_timestamp(id) IS NULL') <= (SELECT count(*) FROM join_row WHERE at IS NULL OR uuid7_timestamp(id) IS NULL) * 1.2 + 10 AS without_time;
SELECT pg_temp.plans('SELECT FROM small JOIN join_sno ON sno_timestamp(id) = small.at');
SELECT pg_temp.plans($$SELECT FROM small JOIN join_big ON layout_timestamp(id, 'discord') = small.at$$);
-- a text that is no ULID must be an error, not a row that is left out
SELECT pg_temp.plans('SELECT FROM small JOIN join_text ON ulid_timestamp(id) = small.at');
-- with a constraint that there is none it is a key as others, whatever the statistics have still
INSERT INTO join_text VALUES ('!'), ('~');
ANALYZE join_text;
DELETE FROM join_text WHERE id IN ('!', '~');
ALTER TABLE join_text ADD CHECK (ulid_timestamp(id) IS NOT NULL);
SELECT pg_temp.plans('SELECT FROM small JOIN join_text ON ulid_timestamp(id) = small.at');
SELECT pg_temp.plans('SELECT FROM small WHERE NOT EXISTS (SELECT FROM join_text WHERE ulid_timestamp(id) = small.at)');
EXPLAIN (COSTS OFF) SELECT id FROM join_text ORDER BY ulid_timestamp(id), length(id) LIMIT 3;
SELECT count(*) FROM small JOIN join_text ON ulid_timestamp(id) = small.at;
-- conditions that a table loses while a join of its empty partition is estimated, in memory that ends
CREATE TABLE join_list (id uuid, a int) PARTITION BY LIST (a);
CREATE TABLE join_list_1 PARTITION OF join_list FOR VALUES IN (1);
CREATE TABLE join_list_2 PARTITION OF join_list FOR VALUES IN (2, 3) PARTITION BY RANGE (id);
CREATE TABLE join_list_early PARTITION OF join_list_2 FOR VALUES FROM (ulid_uuid_min('2026-11-01')) TO (ulid_uuid_min('2026-11-02'));
CREATE TABLE join_list_late PARTITION OF join_list_2 FOR VALUES FROM (ulid_uuid_min('2026-11-02')) TO (ulid_uuid_min('2026-11-03'));
CREATE TABLE join_list_others PARTITION OF join_list_2 DEFAULT;
INSERT INTO join_list SELECT ulid_uuid_min(timestamptz '2026-11-01' + n * interval '1 h'), 1 + n % 3 FROM generate_series(0, 99) AS n;
SET enable_partitionwise_join = on;
SET geqo_threshold = 2;
SELECT count(*) FROM (SELECT * FROM join_list WHERE ulid_timestamp(id) > '2026-11-01 12:00') AS x FULL JOIN join_list AS y ON x.a = y.a
WHERE (ulid_timestamp(x.id), x.a) < ('2026-11-02', 1) OR ulid_timestamp(x.id) >= '2026-11-01 20:00' OR x.id IS NULL;
RESET enable_partitionwise_join;
RESET geqo_threshold;
DROP TABLE join_list;
-- a function that plans another such join while the cost of an index is estimated
CREATE TABLE join_two AS SELECT id, n % 7 AS a FROM join_row;
CREATE INDEX ON join_two (a, id);
ANALYZE join_two;
CREATE FUNCTION pg_temp.planning() RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
    EXECUTE 'SELECT FROM small JOIN join_row ON uuid7_timestamp(id) = small.at';
    RETURN 0;
END $$;
SELECT count(*) FROM small JOIN join_two ON uuid7_timestamp(id) = small.at AND a = extract(hour FROM small.local)::int + pg_temp.planning();
DROP TABLE join_two;
-- a condition of no column is in the list of the table's, too
SELECT count(*) FROM v WHERE created_at = '2026-11-01 00:10' AND now() > '2000-01-01';
-- statistics of the owner's are better
CREATE STATISTICS join_stat ON (uuid7_timestamp(id)) FROM join_row;
UPDATE join_row SET id = pg_temp.an_id(timestamptz '2026-11-01' + n / 100 * interval '10 s', n) WHERE n IS NOT NULL;
ANALYZE join_row;
SELECT pg_temp.estimated('SELECT FROM small JOIN v ON v.created_at = small.at') BETWEEN 900 AND 1200;
SET flakeid.order_by_time = off;
SELECT pg_temp.plans('SELECT small.at, p.n FROM small JOIN p ON p.created_at = small.at');
RESET flakeid.order_by_time;
SET client_min_messages = warning;
DROP TABLE join_row, join_part, join_sno, join_big, join_text, small, many CASCADE;
