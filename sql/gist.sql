--
-- GiST indexes on IDs, alone and together with ranges: they give the answers of a sequential scan.
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;
RESET client_min_messages;
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET jit = off;
SET max_parallel_workers_per_gather = 0;

-- Every type has a class, which is the default.
SELECT name, opcname, opcdefault
FROM flakeid_formats JOIN pg_opclass ON opcintype = name::regtype JOIN pg_am AS a ON a.oid = opcmethod
WHERE amname = 'gist'
ORDER BY name;

-- T is the type's name.
CREATE FUNCTION pg_temp.of(type text, query text) RETURNS text LANGUAGE sql RETURN regexp_replace(query, '\mT(?=_|\M)', type, 'g');

-- 5,000 IDs of each type, some of them twice, some NULL: the ends of the type, in the same unit of time, and
-- random bytes.  One index is built by sorting; one grows row by row; one has a second column.  How many
-- queries does an index answer differently from a sequential scan, or not at all, and out of how many?
CREATE FUNCTION pg_temp.try(type text, OUT asked int, OUT wrong int, OUT not_by_index int) LANGUAGE plpgsql AS $$
DECLARE
    id text;
    condition text;
    query text;
    tbl text;
    expected numeric[];
    answer numeric[];
    line text;
    plan text;
BEGIN
    PERFORM setseed(0.13);
    EXECUTE pg_temp.of(type, $q$ CREATE TEMP TABLE heap AS
        SELECT row_number() OVER () AS n, id, int4range((random() * 1000)::int, 1000 + (random() * 1000)::int) AS during FROM (
            SELECT _flakeid_functions.T_from_bytea(substr(decode(md5(n::text) || md5(n::text), 'hex'), 1, bytes))
            FROM generate_series(1, 2000) AS n, flakeid_formats WHERE name = 'T'
            UNION ALL SELECT T_min(timestamptz '2026-01-01' + n % 1900 * interval '1 s') FROM generate_series(1, 2000) AS n
            UNION ALL SELECT T_max(timestamptz '2026-01-01' + n * interval '1 s') FROM generate_series(1, 900) AS n
            UNION ALL VALUES (T_min('-infinity')), (T_max('infinity'))
            UNION ALL SELECT NULL FROM generate_series(1, 98)
        ) AS v (id) ORDER BY random() $q$);
    CREATE TEMP TABLE built AS TABLE heap;
    CREATE TEMP TABLE beside AS TABLE heap;
    CREATE TEMP TABLE grown (LIKE heap);
    CREATE INDEX ON built USING gist (id);
    CREATE INDEX ON beside USING gist (id, during);
    CREATE INDEX ON grown USING gist (id);
    INSERT INTO grown TABLE heap;
    ANALYZE built, beside, grown;
    asked := 0;
    wrong := 0;
    not_by_index := 0;
    FOR id IN SELECT quote_literal(heap.id) || '::' || type FROM heap WHERE n % 100 = 0 AND heap.id IS NOT NULL
            UNION SELECT quote_literal(min(heap.id)) || '::' || type FROM heap UNION SELECT quote_literal(max(heap.id)) || '::' || type FROM heap
            UNION SELECT format('timestamptz %L', t) FROM unnest('{-infinity,2026-01-01,2026-01-01 00:20:00.0005,infinity}'::timestamptz[]) AS t LOOP
        FOREACH condition IN ARRAY '{id = x,id < x,id <= x,id >= x,id > x,x < id,id < x AND during && int4range(900\,1200),id IS NULL}'::text[] LOOP
            CONTINUE WHEN id ~ '^timestamptz' AND (condition ~ '^id =' OR type = 'uid96');
            query := format('SELECT ARRAY[count(*), sum(n)] FROM %%I WHERE %s', replace(condition, 'x', id));
            EXECUTE format(query, 'heap') INTO expected;
            PERFORM set_config('enable_seqscan', 'off', true);
            FOREACH tbl IN ARRAY '{built,beside,grown}'::text[] LOOP
                plan := '';
                FOR line IN EXECUTE 'EXPLAIN ' || format(query, tbl) LOOP
                    plan := plan || line;
                END LOOP;
                EXECUTE format(query, tbl) INTO answer;
                asked := asked + 1;
                wrong := wrong + (answer IS DISTINCT FROM expected)::int;
                not_by_index := not_by_index + (plan !~ 'Index')::int;
            END LOOP;
            PERFORM set_config('enable_seqscan', 'on', true);
        END LOOP;
    END LOOP;
    DROP TABLE heap, built, beside, grown;
END $$;
SELECT name, asked > 900 AS many, wrong, not_by_index FROM flakeid_formats, pg_temp.try(name) ORDER BY name COLLATE "C";

-- The index returns the ID itself.
CREATE TABLE gist_event AS SELECT sno_min(timestamptz '2026-01-01' + n * interval '1 min') AS id, n FROM generate_series(1, 10000) AS n;
CREATE INDEX gist_event_id ON gist_event USING gist (id);
VACUUM ANALYZE gist_event;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM gist_event WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 00:03';
SELECT id, id::timestamptz FROM gist_event WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 00:03';
SELECT count(*) FROM gist_event WHERE flakeid_within(id, (SELECT '{[2026-01-02,2026-01-02 00:03),[2026-01-03,2026-01-03 00:01]}'::tstzmultirange));
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE gist_event;

-- Their purpose: no two versions of one thing at the same time.
CREATE TABLE gist_version (id uid96, during tstzrange, EXCLUDE USING gist (id WITH =, during WITH &&));
INSERT INTO gist_version VALUES
    ('FFFFFFFFFFFFFFFF', '[2026-01-01,2026-02-01)'), ('FFFFFFFFFFFFFFFF', '[2026-02-01,2026-03-01)'), ('FFFFFFFFFFFFFFFG', '[2026-01-15,2026-02-15)');
INSERT INTO gist_version VALUES ('FFFFFFFFFFFFFFFG', '[2026-02-01,2026-02-02)');
DROP TABLE gist_version;

-- PostgreSQL 18 has it as WITHOUT OVERLAPS, with foreign keys.
CREATE FUNCTION pg_temp.temporal(type text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE pg_temp.of(type, '
        CREATE TEMP TABLE version (id T, during tstzrange, PRIMARY KEY (id, during WITHOUT OVERLAPS));
        CREATE TEMP TABLE booking (id T, during tstzrange, FOREIGN KEY (id, PERIOD during) REFERENCES version (id, PERIOD during));
        INSERT INTO version VALUES (T_min(''2026-01-01''), ''[2026-01-01,2026-02-01)''), (T_min(''2026-01-01''), ''[2026-02-01,2026-03-01)'');
        INSERT INTO booking VALUES (T_min(''2026-01-01''), ''[2026-01-15,2026-02-15)'')');
    BEGIN
        EXECUTE pg_temp.of(type, 'INSERT INTO version VALUES (T_min(''2026-01-01''), ''[2026-02-15,2026-04-01)'')');
        RETURN 'overlaps';
    EXCEPTION WHEN exclusion_violation THEN
        NULL;
    END;
    BEGIN
        EXECUTE pg_temp.of(type, 'INSERT INTO booking VALUES (T_min(''2026-01-02''), ''[2026-01-15,2026-02-15)'')');
        RETURN 'refers to nothing';
    EXCEPTION WHEN foreign_key_violation THEN
        NULL;
    END;
    BEGIN
        DELETE FROM version WHERE during @> timestamptz '2026-02-01';
        RETURN 'refers to what is gone';
    EXCEPTION WHEN foreign_key_violation THEN
        NULL;
    END;
    DROP TABLE booking, version;
    RETURN 'works';
END $$;
SELECT count(*) FROM flakeid_formats
WHERE CASE WHEN current_setting('server_version_num')::int >= 180000 THEN pg_temp.temporal(name) ELSE 'works' END = 'works';
