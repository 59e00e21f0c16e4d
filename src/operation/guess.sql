/* ---------- which type is this ID? ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_gregorian(id uuid) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Return the answer of a query about a text, its $1, and the uuid that it may be, $2; nothing if it
-- reports that the text is none of its type.
CREATE FUNCTION _flakeid_functions.flakeid_read_as(query text, given text, uuid_text text)
    RETURNS TABLE (format text, "timestamp" timestamptz, parts jsonb)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY EXECUTE query USING given, uuid_text;
EXCEPTION WHEN data_exception THEN
    NULL;
END
$$;

-- List every format that accepts the text.  Those whose instant is not in the future come
-- first, newest first.
CREATE FUNCTION _flakeid_functions.flakeid_guess_as_caller(
    id text, OUT format text, OUT "timestamp" timestamptz, OUT parts jsonb
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    given text := btrim(id, E' \t\r\n');
    uuid_text text := CASE WHEN replace(given, chr(92) || 'x', '') ~* '^[0-9a-f]{32}$'
        THEN right(given, 32) WHEN given ~ '-' THEN given ELSE '' END;
    soon timestamptz := now() + interval '1 day';
BEGIN
    RETURN QUERY WITH readings (query) AS (
        -- our own types, as text or as the uuid that they were cast to
        SELECT format($q$SELECT %2$L::text, i."timestamp", to_jsonb(i) - '{text,bytes,timestamp}'::text[]
            FROM %1$s.%3$I($1::%1$s.%2$I) AS i$q$, home, f.name, f.name || '_inspect')
        FROM _flakeid_functions.flakeid_show_formats() AS f
        UNION ALL
        SELECT format($q$SELECT '%2$s as uuid'::text, i."timestamp", to_jsonb(i) - '{bytes,timestamp}'::text[]
            FROM %1$s.%2$s_inspect($2::uuid::%1$s.%2$s) AS i$q$, home, t.name)
        FROM unnest('{sno,flax,siq}'::text[]) AS t (name)
        UNION ALL
        -- only the variant of RFC 4122 has a digit for the version
        SELECT format($q$SELECT concat('uuid', ' v' || v.version),
                coalesce(%1$s.uuid7_timestamp(v.id)::timestamptz, _flakeid_functions.flakeid_gregorian(v.id)),
                jsonb_strip_nulls(jsonb_build_object('version', v.version))
            FROM (SELECT u, ('x' || substring(u::text FROM '^.{14}(.)....[89ab]'))::bit(4)::int
                FROM CAST($2 AS uuid) AS u) AS v (id, version)$q$, home)
        UNION ALL
        SELECT format($q$SELECT 'ulid as uuid'::text, t::timestamptz, '{}'::jsonb FROM %1$s.ulid_timestamp($2::uuid) AS t
            WHERE %1$s.uuid7_timestamp($2::uuid) IS NULL AND t BETWEEN '2010-01-01Z' AND %2$L$q$, home, soon)
        UNION ALL
        -- texts of other libraries, if their time fits: many a word has the digits of one
        SELECT format($q$SELECT 'text, layout %2$s'::text, t::timestamptz, '{}'::jsonb
            FROM %1$s.layout_timestamp($1, '%2$s'::text) AS t WHERE t BETWEEN '2005-01-01Z' AND %3$L$q$, home, l.name, soon)
        FROM unnest('{aid,aidx,cuid,meid,meidg,objectid,ulid_lower,xid}'::text[]) AS l (name)
        UNION ALL
        SELECT format($q$SELECT 'typeid'::text, %1$s.uuid7_timestamp(u)::timestamptz,
                jsonb_build_object('prefix', p, 'uuid', u)
            FROM %1$s.typeid_prefix($1) AS p, %1$s.typeid_uuid($1, p) AS u$q$, home)
        WHERE strpos(given, '_') > 0
        UNION ALL
        SELECT format($q$SELECT 'bigint, layout ' || l.name, %1$s.layout_timestamp($1::bigint, l.name)::timestamptz,
                jsonb_build_object(l.low_parts, $1::bigint & ((1::bigint << l.low_bits) - 1))
            FROM %1$s.flakeid_layouts AS l$q$, home)
        WHERE given ~ '^[0-9]{1,19}$'
    )
    SELECT g.* FROM (SELECT q.query, row_number() OVER () AS n FROM readings AS q) AS r,
        _flakeid_functions.flakeid_read_as(r.query, given, uuid_text) AS g
    ORDER BY g."timestamp" IS NULL, g."timestamp" > soon, g."timestamp" DESC, r.n;
END
$$;

-- Guess the format of a column by a sample of its rows; with a column of times, those that fit
-- come first.
CREATE FUNCTION _flakeid_functions.flakeid_guess_as_owner(
    target regclass, id_column name, time_column name DEFAULT '', time_zone text DEFAULT '',
    OUT format text, OUT rows bigint, OUT fit bigint, OUT first_timestamp timestamptz, OUT last_timestamp timestamptz
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    table_name CONSTANT text := _flakeid_functions.flakeid_hold(target, false);
    instant text := 'NULL::timestamptz';
    sample text;
BEGIN
    PERFORM _flakeid_functions.flakeid_column_type(target, id_column, 'Name the column that has the IDs.');
    IF time_column <> '' THEN
        instant := (_flakeid_functions.flakeid_backfill_time(target, time_column, time_zone)).instant;
    END IF;
    -- a part of a large table, from which the first hundred rows are taken
    sample := (SELECT format(' TABLESAMPLE SYSTEM (%s)', greatest(300000 / c.reltuples, 0.01))
        FROM pg_class AS c WHERE c.oid = target AND c.reltuples > 10000);
    RETURN QUERY EXECUTE format('SELECT g.format, count(*),
            count(*) FILTER (WHERE g."timestamp" BETWEEN s.at - interval ''1 min'' AND s.at + interval ''1 min''),
            min(g."timestamp"), max(g."timestamp")
        FROM (SELECT %1$I::text AS id, %2$s AS at FROM %3$s WHERE %1$I IS NOT NULL LIMIT 100) AS s,
            _flakeid_functions.flakeid_guess_as_caller(s.id) AS g
        GROUP BY g.format
        ORDER BY 3 DESC, 2 DESC, max(g."timestamp") IS NULL, max(g."timestamp") > now() + interval ''1 day'', 5 DESC, 1',
        id_column, instant, concat(table_name, sample));
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_gregorian(uuid) IS 'time in a UUID of version 1 or 6, NULL for others';
COMMENT ON FUNCTION _flakeid_functions.flakeid_read_as(text, text, text) IS 'answer of a query about a text';
COMMENT ON FUNCTION _flakeid_functions.flakeid_guess_as_caller(text) IS 'formats in which a text can be an ID, with its instant and parts in each; the likeliest first';
COMMENT ON FUNCTION _flakeid_functions.flakeid_guess_as_owner(regclass, name, name, text) IS 'formats of a column, by a sample of 100 rows: how many can be IDs of each, and how many have the time of the other column, to the minute';
