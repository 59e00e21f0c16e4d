-- For bench.pl's part "estimates": how many rows the planner expects in windows of time, by the
-- IDs of other types and by a timestamptz column of the same table, for data of several
-- shapes.  Give the number of rows of a table as "count", the number of partitions as "parts".
\set ON_ERROR_STOP on
SET timezone = 'UTC';
CREATE SCHEMA core;
SET search_path = core, public;

CREATE TABLE kind (kind text, x text);
INSERT INTO kind VALUES ('uuid7', 'uuid7_timestamp(u7)'), ('ulid text', 'ulid_timestamp(ulid_text)'), ('ulid uuid', 'ulid_timestamp(ulid_uuid)'),
    ('bigint', 'layout_timestamp(id, $$mastodon$$)');
CREATE TABLE form (form text, by_id text, by_at text);
INSERT INTO form VALUES
    ('two comparisons', 'x >= a AND x < b', 'x >= a AND x < b'),
    ('BETWEEN', 'x BETWEEN a AND b', 'x BETWEEN a AND b'),
    ('OR', 'x >= a AND x < b OR x >= c AND x < d', 'x >= a AND x < b OR x >= c AND x < d'),
    ('one end', 'x >= a', 'x >= a'),
    ('NOT', 'NOT (x >= a AND x < b)', 'NOT (x >= a AND x < b)'),
    ('within', 'x <@ tstzrange(a, b)', 'x >= a AND x < b');

-- The instants of a shape, about "rows" of them in a year divided into "of" parts; these are the parts "first" to "last".
CREATE FUNCTION instants(shape text, rows int, first int, last int, of int) RETURNS SETOF timestamptz LANGUAGE sql AS $$
    SELECT CASE WHEN shape = 'one instant' AND n % 10 < 3 THEN timestamptz '2025-06-01' + n * interval '1 us'
        -- nothing at night and at weekends, and a third of a day's rows in an hour
        WHEN shape = 'bursts' THEN date_trunc('day', t) - (extract(isodow FROM t) >= 6)::int * interval '2 days'
            + CASE WHEN n % 3 = 0 THEN 12 * interval '1 h' + (t - date_trunc('day', t)) / 24 ELSE 8 * interval '1 h' + (t - date_trunc('day', t)) / 2 END
        ELSE t END
    FROM generate_series(rows / of * first, rows / of * last - 1) AS n, LATERAL (SELECT timestamptz '2025-01-01' + (n + 0.5) * interval '365 days' / rows AS t) AS v
$$;
CREATE FUNCTION ids(at timestamptz, others float, OUT at timestamptz, OUT u7 uuid, OUT ulid_uuid uuid, OUT ulid_text text, OUT id bigint) LANGUAGE sql VOLATILE AS $$
    SELECT $1, CASE WHEN random() < others THEN random ELSE overlay(overlay(random::text PLACING '7' FROM 15) PLACING left(uuid7_min($1)::text, 13) FROM 1)::uuid END,
        ulid::uuid, ulid::text, layout_min($1, 'mastodon') + (random() * 65535)::int
    FROM gen_random_uuid() AS random, LATERAL (SELECT ulid_make($1, substr(uuid_send(random), 7)) AS ulid) AS u
$$;

CREATE TABLE shape (shape text, grown boolean, others float, nulls float, deleted text, ord serial);
INSERT INTO shape (shape, grown, others, nulls, deleted) VALUES
    ('steady', false, 0, 0, NULL), ('bursts', false, 0, 0, NULL), ('grown by 30 %', true, 0, 0, NULL), ('deleted, then ANALYZE', false, 0, 0, 'before'),
    ('deleted after ANALYZE', false, 0, 0, 'after'), ('one instant', false, 0, 0, NULL), ('20 % NULL', false, 0, 0.25, NULL), ('10 % version 4', false, 0.1, 0, NULL),
    ('50 % version 4', false, 0.5, 0, NULL), ('10 % version 4, grown', true, 0.1, 0, NULL);
CREATE PROCEDURE make(s shape, rows int) LANGUAGE plpgsql AS $$
BEGIN
    DROP TABLE IF EXISTS est;
    CREATE TABLE est (at timestamptz, u7 uuid, ulid_uuid uuid, ulid_text text COLLATE "C", id bigint) WITH (autovacuum_enabled = off);
    INSERT INTO est SELECT i.* FROM instants(s.shape, rows, 0, 10, CASE WHEN s.grown THEN 13 ELSE 10 END) AS t, LATERAL ids(t, s.others) AS i ORDER BY t;
    INSERT INTO est SELECT FROM generate_series(1, (rows * s.nulls)::int);
    CREATE INDEX ON est (at);
    CREATE INDEX ON est (u7);
    CREATE INDEX ON est (ulid_uuid);
    CREATE INDEX ON est (ulid_text);
    CREATE INDEX ON est (id);
    IF s.deleted = 'before' THEN
        DELETE FROM est WHERE at < '2025-08-01';
    END IF;
    ANALYZE est;
    IF s.deleted = 'after' THEN
        DELETE FROM est WHERE at < '2025-07-01';
    END IF;
    IF s.grown THEN
        INSERT INTO est SELECT i.* FROM instants(s.shape, rows, 10, 13, 13) AS t, LATERAL ids(t, s.others) AS i ORDER BY t;
    END IF;
END $$;

CREATE FUNCTION estimated(query text) RETURNS float LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN greatest((plan->0->'Plan'->>'Plan Rows')::float, 1);
END $$;
CREATE FUNCTION asked(condition text, x text, a timestamptz, b timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT 'FROM est WHERE (' || regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(condition, '\mx\M', x, 'g'),
        '\ma\M', format('timestamptz %L', a), 'g'), '\mb\M', format('timestamptz %L', b), 'g'),
        '\mc\M', format('timestamptz %L', '2025-04-01'), 'g'), '\md\M', format('timestamptz %L', '2025-04-02'), 'g') || ')'
$$;
CREATE TABLE result (shape text, form text, kind text, a timestamptz, b timestamptz, by_id float, rows float, by_at float, rows_at float);
CREATE PROCEDURE measure(s shape) LANGUAGE plpgsql AS $$
DECLARE
    r result;
    f form;
    k kind;
    query text;
BEGIN
    r.shape := s.shape;
    FOR f IN TABLE form LOOP
        FOR r.a, r.b IN SELECT start, start + length
            FROM unnest('{2025-01-01,2025-02-03 08:30,2025-05-31 22:00,2025-08-10 12:00,2025-10-01,2025-12-24 11:00,2025-12-31 12:00}'::timestamptz[]) AS start,
                unnest('{1 s,1 min,10 min,1 h,6 h,1 day,7 days,30 days,90 days}'::interval[]) AS length
        LOOP
            r.form := f.form;
            query := asked(f.by_at, 'at', r.a, r.b);
            r.by_at := estimated('SELECT ' || query);
            EXECUTE 'SELECT greatest(count(*), 1) ' || query INTO r.rows_at;
            FOR k IN TABLE kind LOOP
                r.kind := k.kind;
                r.by_id := estimated('SELECT ' || asked(f.by_id, k.x, r.a, r.b));
                r.rows := r.rows_at;
                IF s.others > 0 AND k.kind = 'uuid7' THEN
                    EXECUTE 'SELECT greatest(count(*), 1) ' || query || ' AND _flakeid_functions.is_uuid7(u7)' INTO r.rows;
                END IF;
                INSERT INTO result VALUES (r.*);
            END LOOP;
        END LOOP;
    END LOOP;
END $$;
SELECT format('DO $do$ DECLARE s core.shape; BEGIN SELECT * INTO s FROM core.shape WHERE ord = %s; CALL core.make(s, %s); CALL core.measure(s); END $do$', ord, :count) FROM shape ORDER BY ord \gexec

-- An estimate's q-error compared with the timestamptz column's; ten rows more or less do not count.
CREATE VIEW ratio AS
SELECT *, CASE WHEN abs(by_id - rows) <= 10 THEN 1 ELSE greatest(by_id / rows, rows / by_id) / greatest(by_at / rows_at, rows_at / by_at) END AS ratio FROM result;

-- Planning: a table with an index for each kind, and partitions for each.
CREATE TABLE planned (kind text, x text, tbl text);
INSERT INTO planned SELECT 'timestamptz', 'at', 'at' UNION ALL SELECT kind, x, substring(x FROM '\((\w+)') FROM kind;
DO $$
DECLARE
    s core.shape;
BEGIN
    SELECT * INTO s FROM core.shape WHERE shape = 'steady';
    CALL core.make(s, 20000);
END $$;
CREATE PROCEDURE divide(p planned, parts int) LANGUAGE plpgsql AS $$
DECLARE
    bound text := CASE p.tbl WHEN 'at' THEN '%L::timestamptz' WHEN 'u7' THEN 'uuid7_min(%L)' WHEN 'id' THEN 'layout_min(%L, ''mastodon'')' ELSE p.tbl || '_min(%L)' END;
BEGIN
    EXECUTE format('CREATE TABLE core.parts_%1$s (LIKE core.est) PARTITION BY RANGE (%1$s)', p.tbl);
    FOR n IN 0 .. parts - 1 LOOP
        EXECUTE format('CREATE TABLE core.parts_%1$s_%2$s PARTITION OF core.parts_%1$s FOR VALUES FROM (' || replace(bound, '%L', '%3$L') || ') TO (' || replace(bound, '%L', '%4$L') || ')',
            p.tbl, n, timestamptz '2024-06-01' + n * interval '1000 days' / parts, timestamptz '2024-06-01' + (n + 1) * interval '1000 days' / parts);
        COMMIT;
    END LOOP;
    EXECUTE format('INSERT INTO core.parts_%1$s SELECT * FROM core.est', p.tbl);
    EXECUTE format('CREATE INDEX ON core.parts_%1$s (%1$s)', p.tbl);
END $$;
SELECT format('DO $do$ DECLARE p core.planned; BEGIN SELECT * INTO p FROM core.planned WHERE kind = %L; CALL core.divide(p, %s); END $do$', kind, :parts), format('ANALYZE parts_%s', tbl)
FROM planned \gexec

-- The time of planning, in ms, for each kind in turn: the mean of the fastest fifth of the runs.
CREATE FUNCTION planning(times int) RETURNS TABLE (query text, kind text, ms float) LANGUAGE plpgsql SET search_path = core, public AS $$
DECLARE
    plan json;
    p planned;
BEGIN
    CREATE TEMP TABLE run (query text, kind text, ms float);
    FOR i IN 1 .. times LOOP
        FOREACH query IN ARRAY '{"two constants","one end","`now()`","partitions, pruned when the query runs"}'::text[] LOOP
            CONTINUE WHEN query ~ 'partitions' AND i % 20 > 1;
            FOR p IN TABLE planned LOOP
                EXECUTE 'EXPLAIN (FORMAT JSON, SUMMARY) SELECT * FROM ' || CASE WHEN query ~ 'partitions' THEN 'parts_' || p.tbl ELSE 'est' END || ' WHERE ' || p.x || CASE query
                    WHEN 'two constants' THEN format(' >= timestamptz ''2025-05-31'' AND %s < timestamptz ''2025-06-01''', p.x)
                    WHEN 'one end' THEN ' >= timestamptz ''2025-12-01'''
                    ELSE format(' >= now() - interval ''2 days'' AND %s < now() - interval ''1 day''', p.x) END INTO plan;
                INSERT INTO run VALUES (query, p.kind, (plan->0->>'Planning Time')::float);
            END LOOP;
        END LOOP;
    END LOOP;
    RETURN QUERY SELECT r.query, r.kind, avg(r.ms) FROM (SELECT *, percent_rank() OVER (PARTITION BY run.query, run.kind ORDER BY run.ms) AS place FROM run) AS r
        WHERE place <= 0.2 GROUP BY r.query, r.kind;
    DROP TABLE run;
END $$;
