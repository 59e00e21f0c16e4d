--
-- Block range indexes: all types, by ID and by time.  test/pgtap/time.sql tests
-- that they give the same answers as a sequential scan.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql
SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;

-- Every type has the three classes; minmax is the default.
SELECT name, opcname, opcdefault
FROM flakeid_formats JOIN pg_opclass ON opcintype = name::regtype JOIN pg_am AS a ON a.oid = opcmethod
WHERE amname = 'brin' AND amvalidate(pg_opclass.oid)
ORDER BY name, opcname COLLATE "C";

-- One ID every five minutes in the order they are made: the rows searched for are in few
-- of the several hundred blocks, and each class reads few others.  Blocks are not counted,
-- because 16 adds empty ones at the end of a table, and reads them, too.
CREATE FUNCTION pg_temp.removed(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    line text;
    scan text;
    removed int = 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
        scan := coalesce(scan, substring(line FROM 'Bitmap Index Scan on brin_event_id'));
        removed := coalesce(substring(line FROM 'Rows Removed by Index Recheck: (\d+)')::int, removed);
    END LOOP;
    RETURN CASE WHEN scan IS NOT NULL THEN removed END;
END $$;
CREATE FUNCTION pg_temp.try(type text) RETURNS TABLE (class text, condition text, removed int, rows bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE replace('CREATE TABLE brin_event AS
        SELECT T_min(timestamptz ''2026-01-01'' + n * interval ''5 min'') AS id, repeat('' '', 100) AS body
        FROM generate_series(0, 19999) AS n', 'T_', type || '_');
    FOR class IN VALUES ('minmax_ops'), ('minmax_multi_ops'), ('bloom_ops (n_distinct_per_range = 200)') LOOP
        EXECUTE format('CREATE INDEX brin_event_id ON brin_event USING brin (id %s_%s) WITH (pages_per_range = 2)', type, class);
        FOREACH condition IN ARRAY ARRAY[
            'id = T_min(''2026-01-02'')',
            'id BETWEEN T_min(''2026-01-02'') AND T_min(''2026-01-02 04:00'')',
            'id > timestamptz ''2026-01-02'' AND id <= timestamptz ''2026-01-02 04:00''',
            'timestamptz ''2026-01-02'' <= id AND timestamptz ''2026-01-02 04:00'' > id',
            'id <@ tstzrange(''2026-01-02'', ''2026-01-02 04:00'')'
        ] LOOP
            CONTINUE WHEN (class ~ 'bloom' AND condition !~ ' = ') OR (type = 'uid96' AND condition ~ 'timestamptz|tstzrange');
            removed := pg_temp.removed(replace('SELECT * FROM brin_event WHERE ' || condition, 'T_', type || '_'));
            EXECUTE replace('SELECT count(*) FROM brin_event WHERE ' || condition, 'T_', type || '_') INTO rows;
            RETURN NEXT;
        END LOOP;
        DROP INDEX brin_event_id;
    END LOOP;
    DROP TABLE brin_event;
END $$;
SELECT class, condition, count(*) AS types, max(removed) < 600 AS few_others, min(rows) AS least, max(rows) AS most
FROM flakeid_formats, pg_temp.try(name)
GROUP BY class, condition ORDER BY class COLLATE "C", condition COLLATE "C";

-- minmax_multi keeps its ranges separate although one row is out of order.
CREATE TABLE brin_late AS
SELECT sno_min(timestamptz '2026-01-01' + n * interval '1 s') AS id, repeat(' ', 100) AS body FROM generate_series(0, 19999) AS n;
INSERT INTO brin_late SELECT sno_min('2025-01-01'), '' FROM generate_series(1, 3);
CREATE INDEX brin_late_id ON brin_late USING brin (id sno_minmax_multi_ops (values_per_range = 16)) WITH (pages_per_range = 16);
SELECT count(*) FROM brin_late WHERE id < timestamptz '2026-01-01';
SELECT count(*) FROM brin_late WHERE id >= timestamptz '2026-01-01 05:00';
DROP TABLE brin_late;

-- A domain has the index of its type: BRIN looks for operators of what the class stores.
CREATE DOMAIN brin_id AS ulid;
CREATE TABLE brin_domain (id brin_id, other brin_id, third brin_id);
CREATE INDEX ON brin_domain USING brin (id, other ulid_minmax_multi_ops, third ulid_bloom_ops) WITH (pages_per_range = 1);
INSERT INTO brin_domain SELECT id, id, id FROM (SELECT ulid_min(timestamptz '2026-01-01' + n * interval '1 h') AS id FROM generate_series(0, 999) AS n) AS v;
SET enable_seqscan = off;
SELECT count(*) FILTER (WHERE id < timestamptz '2026-01-02') AS "all", (SELECT count(*) FROM brin_domain WHERE id < timestamptz '2026-01-02') AS minmax,
    (SELECT count(*) FROM brin_domain WHERE other < timestamptz '2026-01-02') AS minmax_multi, (SELECT count(*) FROM brin_domain WHERE third = ulid_min('2026-01-02')) AS bloom FROM brin_domain;
RESET enable_seqscan;
DROP TABLE brin_domain;
DROP DOMAIN brin_id;

-- The distance is that of the IDs as numbers.
SELECT _flakeid_functions.sno_brin_distance(sno_zero(), sno_zero()) AS none, _flakeid_functions.sno_brin_distance(sno_zero(), sno_max('infinity')) = 2 ^ 80::float8 AS all,
    _flakeid_functions.sno_brin_distance(sno_make('2026-01-01', 0, 0, 5), sno_make('2026-01-01', 0, 1, 3)) AS few,
    _flakeid_functions.sno_brin_distance(sno_make('2026-01-01', 0, 1, 3), sno_make('2026-01-01', 0, 0, 5)) AS back,
    _flakeid_functions.snowflake_brin_distance('0', '18446744073709551615') = 2 ^ 64::float8 AS unsigned;
