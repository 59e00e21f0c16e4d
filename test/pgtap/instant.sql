-- Conditions on the time of IDs in uuid, bigint, text and bytea columns, and of the
-- extension's types through T_timestamp(), are true for the same rows as conditions on the
-- time itself, which core compares: for random IDs and instants and at every edge, by
-- sequential scan, index, BRIN and pruned partitions; with constants, parameters of generic
-- plans, stable expressions, subqueries; under NOT, in CASE and in select lists.  A range
-- that answers differently at each evaluation is evaluated once.
-- (UUIDs of another version have the time NULL: only in conditions that filter rows.)
\ir shared.psql

BEGIN;
SET LOCAL timezone = 'America/New_York';
SET LOCAL client_min_messages = warning;
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL jit = off;
SET LOCAL plan_cache_mode = force_generic_plan;
CREATE EXTENSION IF NOT EXISTS flakeid;

-- The expression for each kind of column's time, and the IDs near an instant t.
CREATE TEMP TABLE source (name text, type text, instant text, ids text);
INSERT INTO source VALUES
    ('uuid7', 'uuid', 'uuid7_timestamp(id)', 'uuid7_min(t),uuid7_max(t),uuid7_min(t),uuid7_max(t),pg_temp.shaken(uuid7_min(t))'),
    ('ulid as uuid', 'uuid', 'ulid_timestamp(id)', 'ulid_uuid_min(t),ulid_uuid_max(t),pg_temp.shaken(ulid_uuid_min(t))'),
    ('ulid as text', 'text COLLATE "C"', 'ulid_timestamp(id)', 'pg_temp.text_of(ulid_uuid_min(t)),pg_temp.text_of(ulid_uuid_max(t)),pg_temp.text_of(pg_temp.shaken(ulid_uuid_min(t)))'),
    ('ulid as bytea', 'bytea', 'ulid_timestamp(id)', 'uuid_send(ulid_uuid_min(t)),uuid_send(ulid_uuid_max(t)),uuid_send(pg_temp.shaken(ulid_uuid_min(t)))');
INSERT INTO source
SELECT name, 'bigint', format('layout_timestamp(id, %L)', name),
    format('layout_min(t, %1$L),layout_max(t, %1$L),layout_min(t, %1$L),layout_max(t, %1$L),layout_min(t, %1$L) # (random() * 65535)::int', name)
FROM flakeid_layouts;
-- User-defined layouts, some of them beyond timestamptz's range.
INSERT INTO source
SELECT 'layout of ' || layout, 'bigint', format('layout_timestamp(id, %s)', layout),
    format('layout_min(t, %1$s),layout_max(t, %1$s),layout_min(t, %1$s),layout_max(t, %1$s),layout_min(t, %1$s) # (random() * 65535)::int', layout)
FROM unnest(ARRAY[
    $$'2020-01-01Z', 22$$, $$epoch => '1970-01-01Z', low_bits => 0, unit => '1 us'$$, $$'9999-12-31Z', 10, '1 ms'$$, $$'2024-02-29Z', 62, '01:00'$$]) AS layout;
INSERT INTO source
SELECT name, name, format('%s_timestamp(id)', name), format('%s_min(t),%1$s_max(t)', name)
FROM flakeid_formats WHERE time_ordered;
CREATE TEMP TABLE path (path text, tbl text, off text[], plan text);
INSERT INTO path VALUES
    ('sequential scan', 'heap', '{}', 'Seq Scan on heap'),
    ('index', 'tree', '{enable_seqscan,enable_bitmapscan}', 'Index (Only )?Scan using tree'),
    ('brin', 'brin', '{enable_seqscan}', 'Bitmap Index Scan on brin'),
    ('partitions', 'parts', '{}', 'Seq Scan on parts|One-Time Filter: false|Subplans Removed');

SELECT no_plan();
SELECT diag('seed ' || :'seed');
SELECT setseed(:seed);

-- Conditions on x, with the time as "at".
CREATE TEMP TABLE condition AS
SELECT of, condition
FROM (VALUES
    ('timestamptz', '{at < x,at <= x,at >= x,at > x,x < at,x <= at,x >= at,x > at,NOT at <= x,NOT x <= at,at BETWEEN x AND x}'::text[]),
    ('timestamp', '{at < x,at <= x,at >= x,at > x,x < at,x <= at,x >= at,x > at}'),
    ('date', '{at < x,at <= x,at >= x,at > x,x < at,x <= at,x >= at,x > at}'),
    ('tstzrange', '{at <@ x,NOT at <@ x}'),
    ('tstzmultirange', '{at <@ x}')
) AS v (of, conditions), unnest(conditions) AS condition;

-- The same milliseconds, with some of the other bits random.
CREATE FUNCTION pg_temp.shaken(id uuid) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    bytes bytea := uuid_send(id);
BEGIN
    FOR i IN 9 .. 15 LOOP
        bytes := set_byte(bytes, i, (random() * 255)::int);
    END LOOP;
    RETURN encode(bytes, 'hex')::uuid;
END $$;

-- The 26 letters of a ULID's 16 bytes, bit by bit.
CREATE FUNCTION pg_temp.text_of(id uuid) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
        1 + substr(bits, 1 + 5 * i, 5)::bit(5)::int, 1), '' ORDER BY i)
    FROM (SELECT '00' || ('x' || replace(id::text, '-', ''))::bit(128)::text AS bits) AS b, generate_series(0, 25) AS i
$$;

-- Create the IDs of a source, the values to compare them with, and their tables.
CREATE FUNCTION pg_temp.prepare(s source) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    bound text;
    before text := 'MINVALUE';
    part int := 0;
    c record;
BEGIN
    DROP TABLE IF EXISTS seed, compared, expected, point, span, heap, tree, brin, parts;
    CREATE TEMP TABLE seed AS
    SELECT '1969-12-31'::timestamptz + random() * interval '150 years' AS t FROM generate_series(1, 8)
    UNION ALL SELECT epoch FROM flakeid_layouts WHERE name = s.name
    UNION ALL SELECT last_timestamp FROM flakeid_layouts WHERE name = s.name
    UNION ALL SELECT unnest('{1970-01-01Z,"1970-01-01 00:00:00.001Z",2026-01-01Z,2026-02-01Z,10889-08-02 05:31:50.655Z,
        20000-01-01Z,294276-12-31 23:59:59.999999Z,4713-01-01 BC,-infinity,infinity}'::timestamptz[]);
    EXECUTE format($q$
        CREATE TEMP TABLE heap AS
        SELECT id, (%s)::timestamptz AS instant, row_number() OVER (ORDER BY id) AS n, repeat(' ', 400) AS filler
        FROM (SELECT DISTINCT id FROM seed, LATERAL unnest(ARRAY[%s]) AS id) AS i ORDER BY id$q$, s.instant, s.ids);
    EXECUTE format('ALTER TABLE heap ALTER id TYPE %s', s.type);
    IF s.name = 'uuid7' THEN
        INSERT INTO heap SELECT id, uuid7_timestamp(id), 10000 + row_number() OVER (), ''
        FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 20)) AS v4;
    END IF;
    INSERT INTO heap (n) VALUES (0);    -- an ID that is NULL

    CREATE TEMP TABLE compared AS
    SELECT 'timestamptz' AS of, t::text AS x FROM (
        SELECT t FROM seed UNION
        SELECT unnest(ARRAY[instant - interval '1 us', instant + interval '1 us', instant + interval '9 ms'])
        FROM (SELECT instant FROM heap WHERE instant BETWEEN '4000-01-01 BC' AND '290000-01-01' ORDER BY random() LIMIT 4) AS few
    ) AS t;
    INSERT INTO compared
    SELECT 'timestamp', x FROM unnest('{-infinity,infinity,294276-12-31 23:59:59.999999,4713-01-01 00:00:00 BC,2026-02-01 00:00}'::text[]) AS x
    UNION ALL SELECT 'timestamp', t::timestamp::text FROM (SELECT t FROM seed WHERE t BETWEEN '1960-01-01' AND '2200-01-01' LIMIT 3) AS few
    UNION ALL SELECT 'date', x FROM unnest('{-infinity,infinity,5874897-12-31,4713-01-01 BC,2026-02-01,1969-12-31,1970-01-01,10889-08-02}'::text[]) AS x;
    INSERT INTO compared
    SELECT 'tstzrange', tstzrange(least(a, b), greatest(a, b), style)::text
    FROM (SELECT x::timestamptz AS a FROM compared WHERE of = 'timestamptz' ORDER BY random() LIMIT 4) AS a,
        (SELECT x::timestamptz AS b FROM compared WHERE of = 'timestamptz' ORDER BY random() LIMIT 2) AS b,
        unnest('{[],[),(],()}'::text[]) AS style
    UNION VALUES ('tstzrange', 'empty'), ('tstzrange', '(,)'), ('tstzrange', '[-infinity,infinity]'), ('tstzrange', '(-infinity,infinity)'),
        ('tstzrange', '(,-infinity)'), ('tstzrange', '(infinity,)'), ('tstzrange', '(2026-01-01,)'), ('tstzrange', '(,2026-02-01]');
    INSERT INTO compared
    SELECT 'tstzmultirange', x FROM unnest(ARRAY['{}', '{(,)}', '{(,1990-01-01),[2026-01-01,2026-01-02)}', '{[2026-01-01,2026-02-01],(2100-01-01,)}']) AS x
    UNION ALL SELECT 'tstzmultirange', range_agg(tstzrange(t, t + interval '1 year'))::text
    FROM generate_series('1970-01-01'::timestamptz, '2060-01-01', '4 years') AS t;
    CREATE TEMP TABLE point AS
    SELECT of, x AS text, CASE of WHEN 'timestamptz' THEN x::timestamptz END AS timestamptz_x,
        CASE of WHEN 'timestamp' THEN x::timestamp END AS timestamp_x, CASE of WHEN 'date' THEN x::date END AS date_x,
        CASE of WHEN 'tstzrange' THEN x::tstzrange END AS tstzrange_x, CASE of WHEN 'tstzmultirange' THEN x::tstzmultirange END AS tstzmultirange_x
    FROM compared;
    ANALYZE point;

    -- core's answers for the instants themselves
    CREATE TEMP TABLE expected (condition text, of text, x text, result numeric[]);
    FOR c IN TABLE condition LOOP
        EXECUTE format('INSERT INTO expected
            SELECT %L, of, c.x, (SELECT ARRAY[count(*), sum(n)] FROM heap, CAST(c.x AS %s) AS x WHERE %s)
            FROM compared AS c WHERE of = %2$L', c.condition, c.of,
            replace(c.condition, 'at', 'instant'));
    END LOOP;

    CREATE TEMP TABLE tree AS TABLE heap;
    CREATE TEMP TABLE brin AS TABLE heap;
    CREATE INDEX tree_id ON tree (id);
    CREATE INDEX brin_id ON brin USING brin (id) WITH (pages_per_range = 1);
    EXECUTE format('CREATE TEMP TABLE parts (id %s, instant timestamptz, n bigint, filler text) PARTITION BY RANGE (id)', s.type);
    FOR bound IN SELECT quote_literal(id) FROM heap WHERE n % 7 = 3 AND n < 10000 ORDER BY n LOOP
        EXECUTE format('CREATE TEMP TABLE %I PARTITION OF parts FOR VALUES FROM (%s) TO (%s)', 'parts_' || part, before, bound);
        before := bound;
        part := part + 1;
    END LOOP;
    EXECUTE format('CREATE TEMP TABLE parts_last PARTITION OF parts FOR VALUES FROM (%s) TO (MAXVALUE)', before);
    CREATE TEMP TABLE parts_default PARTITION OF parts DEFAULT;
    INSERT INTO parts TABLE heap;
    -- every third instant, so that there are others between any two
    CREATE TEMP TABLE span AS
    SELECT tstzrange(instant, instant, '[]') AS during, ids
    FROM (SELECT instant, array_agg(n ORDER BY n) AS ids, row_number() OVER (ORDER BY instant) AS place
        FROM heap WHERE isfinite(instant) GROUP BY instant) AS i WHERE place % 3 = 0;
    ANALYZE heap, tree, brin, parts;
END $$;

-- The wrong answers of one kind of query: how many, and the last case; '' if there is none.
-- A plan without the path's kind of scan is also wrong.
CREATE FUNCTION pg_temp.wrong(s source, path path, way text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    off text;
    c record;
    e record;
    filter text;
    query text;
    asked text;
    answer numeric[];
    plan text[];
    line text;
    n int := 0;
    last text;
BEGIN
    FOREACH off IN ARRAY '{enable_seqscan,enable_indexscan,enable_indexonlyscan,enable_bitmapscan}'::text[] LOOP
        PERFORM set_config(off, (off <> ALL (path.off))::text, true);
    END LOOP;
    FOR c IN TABLE condition LOOP
        filter := replace(c.condition, 'at', s.instant);
        -- under NOT a UUID without a time is not distinguished from others
        filter := CASE WHEN filter ~ '^NOT' AND s.name = 'uuid7' THEN format('%s AND (instant IS NOT NULL)', filter) ELSE filter END;
        query := format('SELECT ARRAY[count(*), sum(n)] FROM %I WHERE ', path.tbl);
        IF way = 'parameter' THEN
            EXECUTE format('PREPARE asked (%s) AS ', c.of) || query || regexp_replace(filter, '\mx\M', '$1', 'g');
        END IF;
        FOR e IN SELECT * FROM expected WHERE condition = c.condition AND of = c.of LOOP
            asked := CASE way
                WHEN 'parameter' THEN format('EXECUTE asked (%L)', e.x)
                ELSE query || regexp_replace(filter, '\mx\M', CASE way
                    WHEN 'constant' THEN format('%s %L', c.of, e.x)
                    WHEN 'stable expression' THEN format('CAST(text %L AS %s)', e.x, c.of)
                    ELSE format('(SELECT %s_x FROM point WHERE of = %1$L AND text = %L)', c.of, e.x) END, 'g')
                END;
            EXECUTE asked INTO answer;
            -- from 17 on core does not look at the time for the constants (,) and empty, even where it is NULL
            IF way = 'constant' AND c.of ~ 'range' THEN
                EXECUTE replace(replace(asked, s.instant, 'instant'), format('FROM %I', path.tbl), 'FROM heap') INTO e.result;
            END IF;
            IF answer IS DISTINCT FROM e.result THEN
                n := n + 1;
                last := format('%s with %s: %s instead of %s', c.condition, e.x, answer, e.result);
            END IF;
        END LOOP;
        plan := '{}';
        FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || asked LOOP
            plan := plan || line;
        END LOOP;
        -- (outside a range, or without a time, are two conditions, which one index scan cannot answer)
        -- (nor can an index find what is within a subquery's range, which must be evaluated once)
        IF c.condition !~ '^NOT' AND NOT (c.condition ~ 'within' AND way = 'subquery') AND array_to_string(plan, E'\n') !~ path.plan THEN
            n := n + 1;
            last := array_to_string(plan || asked, E'\n');
        END IF;
        IF way = 'parameter' THEN
            DEALLOCATE asked;
        END IF;
    END LOOP;
    RETURN CASE WHEN n > 0 THEN format('%s wrong, the last: %s', n, last) ELSE '' END;
END $$;

-- The same for a condition used as a value and not as a filter: for each ID with a time.
CREATE FUNCTION pg_temp.values_differ(s source, expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    c record;
    e record;
    n bigint;
    wrong bigint := 0;
    last text;
BEGIN
    FOR c IN TABLE condition LOOP
        FOR e IN SELECT * FROM expected WHERE condition = c.condition AND of = c.of LOOP
            EXECUTE format('SELECT count(*) FROM heap WHERE instant IS NOT NULL AND %s IS DISTINCT FROM %s',
                replace(expression, 'c', format('(%s)', regexp_replace(replace(c.condition, 'at', s.instant), '\mx\M', format('%s %L', c.of, e.x), 'g'))),
                replace(expression, 'c', format('(%s)', regexp_replace(replace(c.condition, 'at', 'instant'), '\mx\M', format('%s %L', c.of, e.x), 'g')))) INTO n;
            IF n > 0 THEN
                wrong := wrong + n;
                last := format('%s with %s', c.condition, e.x);
            END IF;
        END LOOP;
    END LOOP;
    RETURN CASE WHEN wrong > 0 THEN format('%s wrong, the last: %s', wrong, last) ELSE '' END;
END $$;

-- One of several windows with IDs between them, or none; TABLESAMPLE answers differently each time.
CREATE FUNCTION pg_temp.differs() RETURNS tstzrange LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT during FROM span ORDER BY random() LIMIT 1);
END $$;

-- Query the IDs within a range that changes: for a sub-SELECT they must be the IDs of one window; for a
-- volatile function, called for each row, of any of them.  Return what is wrong, or ''.
CREATE FUNCTION pg_temp.asked_twice(s source, path path, way text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    conditions text[] := ARRAY[format('%s <@ r', s.instant), format('%s <@ r::tstzmultirange', s.instant)];
    condition text;
    answer bigint[];
    off text;
    wrong text := '';
BEGIN
    FOREACH off IN ARRAY path.off LOOP
        PERFORM set_config(off, 'off', true);
    END LOOP;
    IF s.name = s.type THEN
        conditions := conditions || ARRAY['id <@ r', 'r @> id', 'id <@ r OR id <@ NULL::tstzrange'];
    END IF;
    FOREACH condition IN ARRAY conditions LOOP
        condition := regexp_replace(condition, '\mr\M', CASE way WHEN 'volatile' THEN 'pg_temp.differs()'
            ELSE '(SELECT during FROM span TABLESAMPLE bernoulli (30) LIMIT 1)' END, 'g');
        FOR i IN 1 .. 15 LOOP
            EXECUTE format('SELECT array_agg(n ORDER BY n) FROM %I WHERE %s', path.tbl, condition) INTO answer;
            IF (way = 'volatile' AND NOT answer <@ (SELECT array_agg(id) FROM span, unnest(ids) AS id))
                OR (way <> 'volatile' AND answer IS NOT NULL AND NOT EXISTS (SELECT FROM span WHERE ids = answer)) THEN
                wrong := condition || ' finds ' || answer::text;
            END IF;
        END LOOP;
    END LOOP;
    RETURN wrong;
END $$;

CREATE FUNCTION pg_temp.test_all() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    s source;
    p path;
    way text;
    wrong text;
BEGIN
    FOR s IN TABLE source LOOP
        PERFORM pg_temp.prepare(s);
        RETURN NEXT is(pg_temp.values_differ(s, 'c'), '', format('%s: as a value', s.name));
        RETURN NEXT is(pg_temp.values_differ(s, 'NOT c'), '', format('%s: as a value under NOT', s.name));
        RETURN NEXT is(pg_temp.values_differ(s, 'CASE WHEN c THEN 1 WHEN NOT c THEN 2 END'), '', format('%s: in CASE', s.name));
        FOR p IN TABLE path LOOP
            FOREACH way IN ARRAY '{constant,parameter,stable expression,subquery}'::text[] LOOP
                CONTINUE WHEN random() >= current_setting('test.share')::float;
                wrong := pg_temp.wrong(s, p, way);
                PERFORM set_config(name, 'on', true) FROM pg_settings WHERE name ~ '^enable_.*scan$';
                RETURN NEXT is(wrong, '', format('%s: %s, %s', s.name, p.path, way));
            END LOOP;
            FOREACH way IN ARRAY '{volatile,sub-SELECT}'::text[] LOOP
                CONTINUE WHEN random() >= current_setting('test.share')::float;
                wrong := pg_temp.asked_twice(s, p, way);
                PERFORM set_config(name, 'on', true) FROM pg_settings WHERE name ~ '^enable_.*scan$';
                RETURN NEXT is(wrong, '', format('%s: %s, %s, asked once', s.name, p.path, way));
            END LOOP;
        END LOOP;
    END LOOP;
END $$;
SELECT pg_temp.test_all();

SELECT finish();
ROLLBACK;
