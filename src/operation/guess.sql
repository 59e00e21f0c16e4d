/* ---------- which type is this ID? ---------- */

-- Return the time in a UUID of version 1 or 6, which counts 100 ns since 1582; NULL for others.
CREATE FUNCTION _flakeid_functions.flakeid_gregorian(id uuid) RETURNS timestamptz
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    hex text := replace(id::text, '-', '');
    ticks bigint := ('x0' || CASE substr(hex, 13, 1) WHEN '1' THEN substr(hex, 14, 3) || substr(hex, 9, 4) || substr(hex, 1, 8)
        WHEN '6' THEN substr(hex, 1, 12) || substr(hex, 14, 3) END)::bit(64)::bigint;
BEGIN
    RETURN CASE WHEN substr(hex, 17, 1) IN ('8', '9', 'a', 'b')
        THEN timestamptz '1582-10-15 00:00Z' + ticks / 10000000 * interval '1 s' + ticks % 10000000 / 10 * interval '1 us' END;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_gregorian(uuid) IS 'time in a UUID of version 1 or 6, NULL for others';

-- List every format that accepts the text.  Those whose instant is not in the future come
-- first, newest first.
CREATE FUNCTION flakeid_guess(id text, OUT format text, OUT "timestamp" timestamptz, OUT parts jsonb) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    given text := btrim(id, E' \t\r\n');
    kind text;
    layout record;
    number bigint;
    value uuid;
    formats text[] := '{}';
    instants timestamptz[] := '{}';
    all_parts jsonb[] := '{}';
BEGIN
    BEGIN
        number := CASE WHEN given ~ '^[0-9]{1,19}$' THEN given END;
    EXCEPTION WHEN numeric_value_out_of_range THEN
        number := NULL;
    END;
    BEGIN
        value := CASE WHEN replace(given, chr(92) || 'x', '') ~* '^[0-9a-f]{32}$' THEN right(given, 32) WHEN given ~ '-' THEN given END;
    EXCEPTION WHEN invalid_text_representation THEN
        value := NULL;
    END;

    -- our own types, as text or as the uuid that they were cast to
    FOR kind IN EXECUTE format('SELECT f.name FROM %s.flakeid_formats AS f', home) LOOP
        BEGIN
            EXECUTE format('SELECT i."timestamp", to_jsonb(i) - ''{text,bytes,timestamp}''::text[] FROM %1$s.%2$I(%3$L::text::%1$s.%4$I) AS i',
                home, kind || '_inspect', given, kind)
            INTO "timestamp", parts;
            formats := formats || kind;
            instants := instants || "timestamp";
            all_parts := all_parts || parts;
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
        CONTINUE WHEN value IS NULL OR kind NOT IN ('sno', 'flax', 'siq');
        BEGIN
            EXECUTE format('SELECT i."timestamp", to_jsonb(i) - ''{bytes,timestamp}''::text[] FROM %1$s.%2$I(%3$L::uuid::%1$s.%4$I) AS i',
                home, kind || '_inspect', value, kind)
            INTO "timestamp", parts;
            formats := formats || (kind || ' as uuid');
            instants := instants || "timestamp";
            all_parts := all_parts || parts;
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
    END LOOP;

    IF value IS NOT NULL THEN
        -- only the variant of RFC 4122 has a digit for the version
        kind := CASE WHEN substr(value::text, 20, 1) ~ '[89ab]' THEN 'uuid v' || ('x' || substr(value::text, 15, 1))::bit(4)::int ELSE 'uuid' END;
        formats := formats || kind;
        EXECUTE format('SELECT $1 || coalesce(%1$s.uuid7_timestamp($2)::timestamptz, _flakeid_functions.flakeid_gregorian($2)), %1$s.ulid_timestamp($2)', home) INTO instants, "timestamp" USING instants, value;
        all_parts := all_parts || CASE kind WHEN 'uuid' THEN '{}' ELSE jsonb_build_object('version', substr(kind, 7)::int) END;
        IF kind <> 'uuid v7' AND "timestamp" BETWEEN '2010-01-01Z' AND now() + interval '1 day' THEN
            formats := formats || 'ulid as uuid'::text;
            instants := instants || "timestamp";
            all_parts := all_parts || '{}'::jsonb;
        END IF;
    END IF;
    -- texts of other libraries, if their time fits: many a word has the digits of one
    FOREACH kind IN ARRAY '{aid,aidx,cuid,meid,meidg,objectid,ulid_lower,xid}'::text[] LOOP
        BEGIN
            EXECUTE format('SELECT %s.layout_timestamp($1, $2)', home) INTO "timestamp" USING given, kind;
            IF "timestamp" BETWEEN '2005-01-01Z' AND now() + interval '1 day' THEN
                formats := formats || ('text, layout ' || kind);
                instants := instants || "timestamp";
                all_parts := all_parts || '{}'::jsonb;
            END IF;
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
    END LOOP;
    IF strpos(given, '_') > 0 THEN
        BEGIN
            EXECUTE format('SELECT %1$s.typeid_prefix($1), %1$s.typeid_uuid($1, %1$s.typeid_prefix($1))', home) INTO kind, value USING given;
            EXECUTE format('SELECT $1 || %s.uuid7_timestamp($2)::timestamptz', home) INTO instants USING instants, value;
            formats := formats || 'typeid'::text;
            all_parts := all_parts || jsonb_build_object('prefix', kind, 'uuid', value);
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
    END IF;
    IF number IS NOT NULL THEN
        FOR layout IN EXECUTE format('SELECT l.name, l.low_parts, l.low_bits, %1$s.layout_timestamp($1, l.name)::timestamptz AS at FROM %1$s.flakeid_layouts AS l', home) USING number LOOP
            formats := formats || ('bigint, layout ' || layout.name);
            instants := instants || layout.at;
            all_parts := all_parts || jsonb_build_object(layout.low_parts, number & ((1::bigint << layout.low_bits) - 1));
        END LOOP;
    END IF;

    RETURN QUERY SELECT u.f, u.t, u.p
        FROM unnest(formats, instants, all_parts) WITH ORDINALITY AS u (f, t, p, n)
        ORDER BY u.t IS NULL, u.t > now() + interval '1 day', u.t DESC, u.n;
END
$$;

COMMENT ON FUNCTION flakeid_guess(text) IS 'formats in which a text can be an ID, with its instant and parts in each; the likeliest first';

-- Guess the format of a column by a sample of its rows; with a column of times, those that fit
-- come first.
CREATE FUNCTION flakeid_guess(target regclass, id_column name, time_column name DEFAULT '', OUT format text, OUT rows bigint, OUT fit bigint, OUT first_timestamp timestamptz, OUT last_timestamp timestamptz) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    percent float8;
BEGIN
    PERFORM _flakeid_functions.flakeid_column_type(target, id_column, 'Name the column that has the IDs.');
    IF time_column <> '' THEN
        PERFORM _flakeid_functions.flakeid_column_type(target, time_column, 'Name the column that has the time of each row.');
    END IF;
    -- a part of a large table, from which the first hundred rows are taken
    SELECT CASE WHEN c.relkind IN ('r', 'm', 'p') AND c.reltuples > 10000 THEN greatest(300000 / c.reltuples, 0.01) END INTO percent
    FROM pg_class AS c WHERE c.oid = target;
    RETURN QUERY EXECUTE format('SELECT g.format, count(*), count(*) FILTER (WHERE g."timestamp" BETWEEN s.at - interval ''1 min'' AND s.at + interval ''1 min''), min(g."timestamp"), max(g."timestamp")
        FROM (SELECT %I::text AS id, %s AS at FROM %s%s WHERE %I IS NOT NULL LIMIT 100) AS s, %s.flakeid_guess(s.id) AS g
        GROUP BY g.format ORDER BY 3 DESC, 2 DESC, max(g."timestamp") IS NULL, max(g."timestamp") > now() + interval ''1 day'', 5 DESC, 1',
        id_column, CASE WHEN time_column <> '' THEN format('%I::timestamptz', time_column) ELSE 'NULL::timestamptz' END, target, CASE WHEN percent IS NOT NULL THEN format(' TABLESAMPLE SYSTEM (%s)', percent) ELSE '' END, id_column,
        _flakeid_functions.flakeid_home());
END
$$;

COMMENT ON FUNCTION flakeid_guess(regclass, name, name) IS 'formats of a column, by a sample of 100 rows: how many can be IDs of each, and how many have the time of the other column, to the minute';
