-- Time conditions are true for the same IDs however they are evaluated: for random IDs
-- and instants and at every edge, (id op t) is (id::timestamptz op t), by sequential
-- scan, index, bitmap, BRIN and pruned partitions, with constants, parameters of
-- generic plans, stable expressions and join keys.  The same holds for window frames.
\ir shared.psql

BEGIN;
SET LOCAL timezone = 'UTC';
SET LOCAL client_min_messages = warning;
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL jit = off;
CREATE EXTENSION IF NOT EXISTS flakeid;

CREATE TEMP TABLE type AS
SELECT name FROM flakeid_formats WHERE time_ordered AND to_regtype(name) IS NOT NULL;
CREATE TEMP TABLE path (path text, tbl text, off text[], plan text);
INSERT INTO path VALUES
    ('sequential scan', 'heap', '{}', 'Seq Scan on heap'),
    ('index', 'tree', '{enable_seqscan,enable_bitmapscan}', 'Index (Only )?Scan using tree'),
    ('bitmap', 'tree', '{enable_seqscan,enable_indexscan,enable_indexonlyscan}', 'Bitmap Index Scan on tree'),
    ('brin', 'brin', '{enable_seqscan}', 'Bitmap Index Scan on brin'),
    ('brin multi', 'multi', '{enable_seqscan}', 'Bitmap Index Scan on multi'),
    ('partitions', 'parts', '{}', 'Seq Scan on parts|One-Time Filter: false|Subplans Removed');

SELECT no_plan();
SELECT diag('seed ' || :'seed');
SELECT setseed(:seed);

-- Conditions on x, an instant or a period, for IDs and for instants.
CREATE TEMP TABLE condition AS
SELECT of, by_id, replace(by_id, 'id', 'at') AS by_at
FROM (VALUES
    ('timestamptz', '{id < x,id <= x,id >= x,id > x,x < id,x <= id,x >= id,x > id,NOT id <= x,NOT x < id,id BETWEEN x AND x}'::text[]),
    ('tstzrange', '{id <@ x,x @> id,NOT id <@ x}')
) AS v (of, conditions), unnest(conditions) AS by_id
UNION ALL
VALUES ('tstzmultirange', 'id::timestamptz <@ x', 'x @> at');

-- The same bytes, except for the last few.
CREATE FUNCTION pg_temp.shake(bytes bytea, last int) RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN length(bytes) - last .. length(bytes) - 1 LOOP
        bytes := set_byte(bytes, i, (random() * 255)::int);
    END LOOP;
    RETURN bytes;
END $$;

-- Create the IDs of a type, the instants and periods to compare them with (as
-- "compared", with the text of each), and the tables with the IDs.
CREATE FUNCTION pg_temp.prepare(type text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    bound text;
    before text := 'MINVALUE';
    part int := 0;
    c record;
BEGIN
    DROP TABLE IF EXISTS seed, compared, expected, point, heap, tree, brin, multi, parts;
    CREATE TEMP TABLE seed AS
    SELECT t FROM flakeid_formats, LATERAL (
        SELECT epoch + random() * (least(last_timestamp, '9999-01-01') - epoch) FROM generate_series(1, 6)
        UNION ALL
        VALUES (epoch), (epoch + interval '1 s'), (last_timestamp),
            ('2026-01-01'), ('2026-02-01'), ('2026-02-01 00:00:00.001')
    ) AS s (t) WHERE name = type;
    EXECUTE replace($q$
        CREATE TEMP TABLE heap AS
        SELECT id, T_timestamp(id)::timestamptz AS at, row_number() OVER (ORDER BY id) AS n, repeat(' ', 400) AS filler
        FROM (
            SELECT T_min(t) AS id FROM seed UNION SELECT T_max(t) FROM seed
            UNION SELECT T_min('-infinity') UNION SELECT T_max('infinity')
            UNION SELECT _flakeid_functions.T_from_bytea(pg_temp.shake(_flakeid_functions.T_to_bytea(T_min(t)), last))
            FROM seed, generate_series(1, 7) AS last, generate_series(1, 3)
        ) AS i ORDER BY id$q$, 'T_', type || '_');

    CREATE TEMP TABLE compared AS
    SELECT 'timestamptz' AS of, t::text AS x FROM (
        SELECT t FROM seed UNION
        SELECT '-infinity' UNION SELECT 'infinity' UNION
        SELECT '4714-11-24 00:00:00+00 BC' UNION SELECT '294276-12-31 23:59:59.999999+00' UNION
        SELECT unnest(ARRAY[at - interval '1 us', at, at + interval '1 us', at + resolution - interval '1 us', at + resolution])
        FROM flakeid_formats, (SELECT at FROM heap ORDER BY random() LIMIT 5) AS few WHERE name = type
    ) AS t;
    INSERT INTO compared
    SELECT 'tstzrange', tstzrange(least(a, b), greatest(a, b), style)::text
    FROM (SELECT x::timestamptz AS a FROM compared ORDER BY random() LIMIT 5) AS a,
        (SELECT x::timestamptz AS b FROM compared ORDER BY random() LIMIT 3) AS b,
        unnest('{[],[),(],()}'::text[]) AS style
    UNION VALUES ('tstzrange', 'empty'), ('tstzrange', '(,)'), ('tstzrange', '[-infinity,infinity]'),
        ('tstzrange', '[2026-01-01,2026-01-01]'), ('tstzrange', '(2026-01-01,)'), ('tstzrange', '(,2026-02-01]');
    INSERT INTO compared
    SELECT 'tstzmultirange', range_agg(r)::text
    FROM (SELECT x::tstzrange AS r, row_number() OVER (ORDER BY random()) AS n FROM compared WHERE of = 'tstzrange' AND x NOT LIKE '%infinity%') AS few
    WHERE n <= 40 AND lower(r) > '2000-01-01' GROUP BY n % 10
    UNION VALUES ('tstzmultirange', '{}'), ('tstzmultirange', '{(,)}'), ('tstzmultirange', '{[-infinity,infinity]}'),
        ('tstzmultirange', '{(,2025-12-01),[2026-01-01,2026-01-01],(2026-02-01,)}');
    INSERT INTO compared    -- too many for an OR
    SELECT 'tstzmultirange', range_agg(tstzrange(at, at + interval '1 us', '[]'))::text
    FROM (SELECT timestamptz '2026-01-01' + n * interval '1 h' FROM generate_series(0, 100) AS n UNION SELECT at FROM heap WHERE n % 3 = 0) AS s (at);

    CREATE TEMP TABLE point AS
    SELECT of, x AS text, CASE of WHEN 'timestamptz' THEN x::timestamptz END AS timestamptz_x,
        CASE of WHEN 'tstzrange' THEN x::tstzrange END AS tstzrange_x,
        CASE of WHEN 'tstzmultirange' THEN x::tstzmultirange END AS tstzmultirange_x
    FROM compared;
    ANALYZE point;
    CREATE TEMP TABLE expected (by_id text, of text, x text, result numeric[]);
    FOR c IN TABLE condition LOOP
        EXECUTE format('INSERT INTO expected
            SELECT %L, of, c.x, (SELECT ARRAY[count(*), sum(n)] FROM heap, CAST(c.x AS %s) AS x WHERE %s)
            FROM compared AS c WHERE of = %2$L', c.by_id, c.of, c.by_at);
    END LOOP;

    CREATE TEMP TABLE tree AS TABLE heap;
    CREATE TEMP TABLE brin AS TABLE heap;
    CREATE TEMP TABLE multi AS TABLE heap;
    CREATE INDEX tree_id ON tree (id, n, at);
    CREATE INDEX brin_id ON brin USING brin (id) WITH (pages_per_range = 1);
    EXECUTE format('CREATE INDEX multi_id ON multi USING brin (id %I) WITH (pages_per_range = 1)', type || '_minmax_multi_ops');

    -- bounds at the start of units and within them
    EXECUTE format('CREATE TEMP TABLE parts (id %I, at timestamptz, n bigint, filler text) PARTITION BY RANGE (id)', type);
    FOR bound IN EXECUTE format('SELECT quote_literal(id) FROM heap WHERE n %% 25 = 7 OR id IN (SELECT %I(t) FROM seed) ORDER BY n', type || '_min') LOOP
        EXECUTE format('CREATE TEMP TABLE %I PARTITION OF parts FOR VALUES FROM (%s) TO (%s)',
            'parts_' || part, before, bound);
        before := bound;
        part := part + 1;
    END LOOP;
    EXECUTE format('CREATE TEMP TABLE parts_last PARTITION OF parts FOR VALUES FROM (%s) TO (MAXVALUE)', before);
    INSERT INTO parts TABLE heap;
    ANALYZE heap, tree, brin, multi, parts;
END $$;

-- The wrong answers of one kind of query: how many, and the last case; '' if there is none.
-- A plan without the path's kind of scan is also wrong.
CREATE FUNCTION pg_temp.wrong(path path, way text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    off text;
    c record;
    e record;
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
    PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
    FOR c IN TABLE condition LOOP
        query := format('SELECT ARRAY[count(*), sum(n)] FROM %I WHERE ', path.tbl);
        IF way = 'parameter' THEN
            EXECUTE format('PREPARE asked (%s) AS ', c.of) || query || replace(c.by_id, 'x', '$1');
        ELSIF way = 'join' THEN
            query := format('SELECT ARRAY[count(n), sum(n)] FROM point LEFT JOIN %I ON %s WHERE of = %L AND text = ',
                path.tbl, replace(c.by_id, 'x', c.of || '_x'), c.of);
        END IF;
        FOR e IN SELECT * FROM expected WHERE by_id = c.by_id LOOP
            asked := CASE way
                WHEN 'constant' THEN query || replace(c.by_id, 'x', format('%s %L', c.of, e.x))
                WHEN 'stable expression' THEN query || replace(c.by_id, 'x', format('CAST(text %L AS %s)', e.x, c.of))
                WHEN 'subquery' THEN query || replace(c.by_id, 'x', format('(SELECT %s_x FROM point WHERE of = %1$L AND text = %L)', c.of, e.x))
                WHEN 'parameter' THEN format('EXECUTE asked (%L)', e.x)
                WHEN 'join' THEN query || quote_literal(e.x)
                END;
            EXECUTE asked INTO answer;
            IF answer IS DISTINCT FROM e.result THEN
                n := n + 1;
                last := format('%s with %s: %s instead of %s', c.by_id, e.x, answer, e.result);
            END IF;
        END LOOP;
        plan := '{}';
        FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || asked LOOP
            plan := plan || line;
        END LOOP;
        -- (outside a range means two conditions, which one index scan cannot answer)
        IF c.by_id <> 'NOT id <@ x' AND array_to_string(plan, E'\n') !~ path.plan THEN
            n := n + 1;
            last := array_to_string(plan || asked, E'\n');
        END IF;
        IF way = 'parameter' THEN
            DEALLOCATE asked;
        END IF;
    END LOOP;
    RETURN CASE WHEN n > 0 THEN format('%s wrong, the last: %s', n, last) ELSE '' END;
END $$;

-- How many rows have a different frame by ID than by instant.
CREATE FUNCTION pg_temp.frames_differ() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN (
        SELECT count(*) FROM (
            SELECT ARRAY[sum(n) OVER by_id, sum(n) OVER before_id, sum(n) OVER id_desc] AS by_id,
                ARRAY[sum(n) OVER by_at, sum(n) OVER before_at, sum(n) OVER at_desc] AS by_at
            FROM heap WINDOW
                by_id AS (ORDER BY id RANGE BETWEEN '1 s' PRECEDING AND '0' FOLLOWING),
                by_at AS (ORDER BY at RANGE BETWEEN '1 s' PRECEDING AND '0' FOLLOWING),
                before_id AS (ORDER BY id RANGE BETWEEN '1 month' PRECEDING AND '1 us' PRECEDING),
                before_at AS (ORDER BY at RANGE BETWEEN '1 month' PRECEDING AND '1 us' PRECEDING),
                id_desc AS (ORDER BY id DESC RANGE BETWEEN '1 day' PRECEDING AND '10 years' FOLLOWING),
                at_desc AS (ORDER BY at DESC RANGE BETWEEN '1 day' PRECEDING AND '10 years' FOLLOWING)
        ) AS frames WHERE by_id IS DISTINCT FROM by_at);
END $$;

-- How many IDs have the wrong position among the instants: neither before nor after one,
-- nor equal to the instant at the start of a unit as the unit's least ID.
CREATE FUNCTION pg_temp.misplaced(type text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE replace(replace($q$
        SELECT count(*) FILTER (WHERE _flakeid_functions.T_cmp_timestamptz(id, t) <> place OR timestamptz_cmp_T(t, id) <> -place)
        FROM heap, compared, CAST(x AS timestamptz) AS t,
            LATERAL (SELECT CASE WHEN at < t THEN -1 WHEN at = t AND id = T_min(t) AND id <> T_max('infinity') THEN 0 ELSE 1 END) AS v (place)
        WHERE of = 'timestamptz'$q$, 'timestamptz_cmp_T(', format('_flakeid_functions.timestamptz_cmp_%s(', type)), 'T_', type || '_') INTO n;
    RETURN n;
END $$;

-- How many IDs are on a different side of an instant's bounds than their own instant is of the instant.
-- (uid64s that no clock writes have an instant within a unit, at which no unit starts.)
CREATE FUNCTION pg_temp.outside(type text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE replace($q$
        SELECT count(*) FILTER (WHERE (id >= T_min(t)) <> (at >= t) OR (id <= T_max(t)) <> (at <= t))
        FROM flakeid_formats, heap, compared, CAST(x AS timestamptz) AS t
        WHERE of = 'timestamptz' AND name = $1 AND t BETWEEN epoch AND last_timestamp - resolution AND at = T_min(at)::timestamptz$q$, 'T_', type || '_') INTO n USING type;
    RETURN n;
END $$;

CREATE FUNCTION pg_temp.test_all() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    t type;
    p path;
    way text;
    wrong text;
BEGIN
    FOR t IN TABLE type LOOP
        PERFORM pg_temp.prepare(t.name);
        RETURN NEXT is(pg_temp.misplaced(t.name), 0::bigint, format('%s: order of IDs and instants', t.name));
        RETURN NEXT is(pg_temp.outside(t.name), 0::bigint, format('%s: bounds of instants', t.name));
        RETURN NEXT is(pg_temp.frames_differ(), 0::bigint, format('%s: window frames', t.name));
        FOR p IN TABLE path LOOP
            FOREACH way IN ARRAY '{constant,parameter,stable expression,subquery,join}'::text[] LOOP
                CONTINUE WHEN random() >= current_setting('test.share')::float;
                wrong := pg_temp.wrong(p, way);
                PERFORM set_config(name, 'on', true) FROM pg_settings WHERE name ~ '^enable_.*scan$';
                RETURN NEXT is(wrong, '', format('%s: %s, %s', t.name, p.path, way));
            END LOOP;
        END LOOP;
    END LOOP;
END $$;
SELECT pg_temp.test_all();

SELECT finish();
ROLLBACK;
