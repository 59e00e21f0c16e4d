/* ---------- partitions by time ---------- */

-- layout is '' for a table of our own types, else uuid7, ulid or a name in flakeid_layouts.
CREATE FUNCTION flakeid_partition_key(parent regclass, layout text) RETURNS regtype
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    key record;
    layout_type regtype := CASE WHEN layout IN ('uuid7', 'ulid') THEN 'uuid' ELSE 'bigint' END;
    layouts text[];
    types text;    -- the types that sort by time
BEGIN
    EXECUTE format('SELECT (SELECT array_agg(name ORDER BY name) FROM %1$s.flakeid_layouts),
        (SELECT string_agg(name, '', '') FROM %1$s.flakeid_formats WHERE time_ordered)',
        (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'flakeid')) INTO layouts, types;
    IF layout <> ALL (layouts || ARRAY['', 'uuid7', 'ulid']) THEN
        RAISE 'unrecognized layout: "%"', layout
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('The layouts are uuid7 and ulid for uuid, and for bigint %s.', array_to_string(layouts, ', '));
    END IF;

    SELECT p.partstrat, p.partnatts, c.opcfamily, c.opcintype::regtype AS type,
        EXISTS (
            SELECT FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
            WHERE d.classid = 'pg_type'::regclass AND d.objid = c.opcintype
                AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'flakeid'
        ) AS is_id,
        EXISTS (
            SELECT FROM pg_amop AS o
            WHERE o.amopfamily = c.opcfamily AND o.amoplefttype = c.opcintype
                AND o.amoprighttype = 'timestamptz'::regtype
        ) AS has_time
    INTO key
    FROM pg_partitioned_table AS p JOIN pg_opclass AS c ON c.oid = p.partclass[0]
    WHERE p.partrelid = parent;

    IF NOT FOUND THEN
        RAISE 'table "%" is not partitioned', parent
            USING ERRCODE = 'wrong_object_type', HINT = 'Create it with PARTITION BY RANGE on the ID.';
    ELSIF key.partstrat <> 'r' THEN
        RAISE 'table "%" is not partitioned by range', parent
            USING ERRCODE = 'wrong_object_type', HINT = 'Create it with PARTITION BY RANGE on the ID.';
    ELSIF key.partnatts <> 1 THEN
        RAISE 'table "%" is partitioned by more than an ID', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key has %s columns.', key.partnatts),
            HINT = 'Partition by the ID alone; partitions can be partitioned in turn.';
    ELSIF layout <> '' AND key.type <> layout_type THEN
        RAISE 'table "%" is not partitioned by a %', parent, layout_type
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s, and layout %s is one of %s.', key.type, layout, layout_type);
    ELSIF layout = '' AND NOT (key.is_id AND key.has_time) THEN
        RAISE 'table "%" is not partitioned by an ID that sorts by time', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s.', key.type),
            HINT = CASE key.type
                WHEN 'uuid'::regtype THEN 'Say how its time is made by the argument layout: uuid7 or ulid.'
                WHEN 'bigint'::regtype THEN 'Say how its time is made by the argument layout: a name in flakeid_layouts.'
                ELSE format('The types that sort by time are %s.', types) END;
    END IF;
    RETURN key.type;
END
$$;

CREATE FUNCTION flakeid_partition_key(parent regclass) RETURNS regtype
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT flakeid_partition_key(parent, '');
END;

-- What the functions below need to know of a table: the type of its IDs, their name in
-- messages, their span; as expressions, the least ID from the instant $1 on, and whether
-- all IDs before "bound", a text, are older than $2.
CREATE FUNCTION flakeid_partition_rule(
    parent regclass, layout text,
    OUT type text, OUT what text, OUT first_at timestamptz, OUT last_at timestamptz,
    OUT least_id text, OUT all_older text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;    -- the extension's schema
BEGIN
    SELECT extnamespace::regnamespace INTO home FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT typname, format(''%%s.%%I'', typnamespace::regnamespace, typname)
        FROM pg_type WHERE oid = %s.flakeid_partition_key($1, $2)', home) INTO what, type USING parent, layout;

    IF layout = '' THEN
        EXECUTE format('SELECT epoch, last_timestamp FROM %s.flakeid_formats WHERE name = $1', home)
            INTO first_at, last_at USING what;
        least_id := format('%s.%I($1)', home, what || '_min');
        -- the bound is exclusive: if it is the first ID of its tick, its instant may be $2
        all_older := format(
            'EXISTS (SELECT FROM %1$s.%2$I(bound::%3$s) AS bound_at
            WHERE bound_at < $2 OR bound_at = $2 AND %1$s.%4$I(bound_at)::text = bound)',
            home, what || '_timestamp', type, what || '_min');
        what := 'type ' || what;
    ELSE
        IF layout IN ('uuid7', 'ulid') THEN
            first_at := '1970-01-01 00:00:00+00';
            last_at := '10889-08-02 05:31:50.655999+00';
            least_id := format('%s.%I($1)', home, CASE layout WHEN 'ulid' THEN 'ulid_uuid_from' ELSE 'uuid7_from' END);
        ELSE
            EXECUTE format('SELECT epoch, last_timestamp FROM %s.flakeid_layouts WHERE name = $1', home)
                INTO first_at, last_at USING layout;
            least_id := format('%s.layout_from($1, %L)', home, layout);
        END IF;
        all_older := format('bound::%s <= %s', type, replace(least_id, '$1', '$2'));
        what := 'layout ' || layout;
    END IF;
END
$$;

CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text
) RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;        -- the extension's schema
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    lower_at timestamptz;
    upper_at timestamptz := start_at;
    rule record;
    parts record;     -- of the parent
    present record;   -- the partition, if it is there already
    seconds numeric[];
    precision text;
    lower_id text;
    upper_id text;
    bounds text;
    base text;
    suffix text;
    partition text;
BEGIN
    IF NOT (isfinite(start_at) AND isfinite(end_at)) OR end_at <= start_at THEN
        RAISE 'end_at must be later than start_at and both finite'
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('start_at is %s, end_at is %s.', start_at, end_at);
    ELSIF step <= interval '0' OR NOT isfinite(step) THEN
        RAISE 'step must be greater than zero and finite'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step);
    END IF;

    SELECT extnamespace::regnamespace INTO home FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT * FROM %s.flakeid_partition_rule($1, $2)', home) INTO rule USING parent, layout;

    -- The name tells the time as finely as the step needs.
    seconds := ARRAY[
        extract(hour FROM step) * 3600 + extract(minute FROM step) * 60 + extract(second FROM step),
        extract(hour FROM start_utc) * 3600 + extract(minute FROM start_utc) * 60 + extract(second FROM start_utc)
    ];
    precision := CASE
        WHEN 0 = ALL (ARRAY[seconds[1] % 86400, seconds[2]]) THEN 'YYYYMMDD'
        WHEN 0 = ALL (ARRAY[seconds[1] % 60, seconds[2] % 60]) THEN 'YYYYMMDD_HH24MI'
        WHEN 0 = ALL (ARRAY[seconds[1] % 1, seconds[2] % 1]) THEN 'YYYYMMDD_HH24MISS'
        ELSE 'YYYYMMDD_HH24MISS_US'
    END;

    -- Keep other calls out.  Readers and writers go on, as they do while a partition is
    -- attached.
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    SELECT n.nspname AS schema, c.relname AS name, c.relowner::regrole AS owner,
        ' USING ' || quote_ident(a.amname) AS access_method,
        ' TABLESPACE ' || quote_ident(t.spcname) AS tablespace
    INTO parts
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_am AS a ON a.oid = c.relam LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
    WHERE c.oid = parent;

    -- Add steps in UTC, and from the start each time: 31 January and three months make 30 April.
    FOR n IN 1 .. 2147483647 LOOP
        lower_at := upper_at;
        EXIT WHEN lower_at >= end_at;
        upper_at := (start_utc + n * step) AT TIME ZONE 'UTC';

        IF lower_at < rule.first_at OR upper_at > rule.last_at THEN
            RAISE 'partition from % to % is out of range for %', lower_at, upper_at, rule.what
                USING ERRCODE = 'datetime_field_overflow',
                DETAIL = format('%s%s holds instants from %s to %s.',
                    upper(left(rule.what, 1)), substr(rule.what, 2), rule.first_at, rule.last_at);
        END IF;
        EXECUTE format('SELECT %s::text, %s::text', rule.least_id, replace(rule.least_id, '$1', '$2'))
            INTO lower_id, upper_id USING lower_at, upper_at;
        IF upper_at <= lower_at OR upper_id = lower_id THEN
            RAISE 'step is too short for %', rule.what
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A partition from %s to %s would hold no IDs.', lower_at, upper_at);
        END IF;
        bounds := format('FOR VALUES FROM (%L) TO (%L)', lower_id, upper_id);
        SELECT c.relname AS name, i.inhdetachpending AS pending INTO present
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = parent AND pg_get_expr(c.relpartbound, c.oid) = bounds;
        IF present.pending THEN
            -- such a partition takes no rows any more, but no other one may have its bounds
            RAISE 'partition "%" is incompletely detached', present.name
                USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'Use ALTER TABLE ... DETACH PARTITION ... FINALIZE to complete that.';
        END IF;
        CONTINUE WHEN FOUND;

        suffix := '_' || to_char(lower_at AT TIME ZONE 'UTC', precision);
        base := parts.name;
        WHILE octet_length(base || suffix) > current_setting('max_identifier_length')::int LOOP
            base := left(base, -1);
        END LOOP;
        partition := format('%I.%I', parts.schema, base || suffix);

        -- Create the table apart and attach it: that locks less than CREATE TABLE ... PARTITION OF.
        BEGIN
            EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED '
                'INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)',
                partition, parent) || concat(parts.access_method, parts.tablespace);
            EXECUTE format('ALTER TABLE %s OWNER TO %s', partition, parts.owner);
            EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bounds);
        EXCEPTION
            WHEN duplicate_table THEN
                RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
                    DETAIL = format('It is the name for the partition of table "%s" from %s to %s.', parent, lower_at, upper_at),
                    HINT = 'If it is a partition of this table, start at one of its bounds with a step that ends at the other; otherwise attach or rename it.';
            WHEN invalid_object_definition THEN
                RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
                    DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
                    HINT = 'Start at a bound of an existing partition, with a step that ends at the next bounds.';
            WHEN check_violation THEN
                RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
                    DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
                    HINT = 'Move the rows of that time out of the default partition, create the partition, and insert them again.';
        END;
        RETURN NEXT partition::regclass;
    END LOOP;
END
$$;

CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval
) RETURNS SETOF regclass
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT flakeid_create_partitions(parent, start_at, end_at, step, '');
END;

CREATE FUNCTION flakeid_drop_partitions(parent regclass, before timestamptz, layout text) RETURNS SETOF text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;
    rule record;
    partition text;
    kind text;
BEGIN
    SELECT extnamespace::regnamespace INTO home FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT * FROM %s.flakeid_partition_rule($1, $2)', home) INTO rule USING parent, layout;
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

    FOR partition, kind IN EXECUTE format(
        'SELECT format(''%%I.%%I'', n.nspname, c.relname), CASE c.relkind WHEN ''f'' THEN ''FOREIGN TABLE'' ELSE ''TABLE'' END
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
            JOIN pg_namespace AS n ON n.oid = c.relnamespace
            CROSS JOIN substring(pg_get_expr(c.relpartbound, c.oid) FROM ''TO \(''''([^'''']+)''''\)$'') AS bound
        WHERE i.inhparent = $1 AND NOT i.inhdetachpending AND bound IS NOT NULL AND %s
        ORDER BY bound::%s', rule.all_older, rule.type
    ) USING parent, before LOOP
        -- Detach it first: a partition that foreign keys point to cannot be dropped at once.
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, partition);
        EXECUTE format('DROP %s %s', kind, partition);
        RETURN NEXT partition;
    END LOOP;
END
$$;

CREATE FUNCTION flakeid_drop_partitions(parent regclass, before timestamptz) RETURNS SETOF text
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT flakeid_drop_partitions(parent, before, '');
END;

COMMENT ON FUNCTION flakeid_partition_key(regclass, text) IS 'type of the ID that a table is partitioned by, if it sorts by time in this layout; otherwise an error that says why not';
COMMENT ON FUNCTION flakeid_partition_key(regclass) IS 'type of the ID that a table is partitioned by, if it sorts by time; otherwise an error that says why not';
COMMENT ON FUNCTION flakeid_partition_rule(regclass, text) IS 'how the IDs that a table is partitioned by tell the time';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval, text) IS 'the same for a table keyed by uuid (layout uuid7 or ulid) or bigint (a name in flakeid_layouts)';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval) IS 'create the partitions by time that are missing, step by step in UTC; returns those created';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz, text) IS 'the same for a table keyed by uuid (layout uuid7 or ulid) or bigint (a name in flakeid_layouts)';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz) IS 'drop the partitions that hold nothing but IDs before an instant; returns their names';

/* ---------- keeping partitions ---------- */

-- A dump carries this table.  It holds names, because after a restore an OID may be another table's.
CREATE TABLE _flakeid.keep (
    schema name NOT NULL,
    name name NOT NULL,
    step interval NOT NULL CHECK (step > '0'),
    ahead int NOT NULL CHECK (ahead BETWEEN 0 AND 1000),
    retain interval NOT NULL CHECK (retain >= '0'),
    layout text NOT NULL,
    start_at timestamptz NOT NULL CHECK (isfinite(start_at)),
    last_run timestamptz,
    last_error text,
    PRIMARY KEY (schema, name)
);
REVOKE ALL ON _flakeid.keep FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('_flakeid.keep', '');
GRANT SELECT, INSERT ON _flakeid.keep TO pg_database_owner;

CREATE FUNCTION flakeid_put_keep(schema text, name text, entry jsonb) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp;

-- Return what is to be done for a table now: the starts of the partitions that are missing,
-- among that of now and the next "ahead" ones, and the names of those that are too old; or
-- the error that keeps both from being told.
CREATE FUNCTION flakeid_keep_plan(
    parent regclass, step interval, ahead int, retain interval, layout text, start_at timestamptz,
    OUT to_create timestamptz[], OUT to_drop text[], OUT fault text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    now_utc timestamp := now() AT TIME ZONE 'UTC';
    n int;
    lower_at timestamptz;
    lower_id text;
    upper_id text;
    old text[];
BEGIN
    SELECT * INTO rule FROM @extschema@.flakeid_partition_rule(parent, layout);
    to_create := '{}';
    -- find the last n with start + n * step <= now; months differ, so estimate and correct n
    n := greatest(0, floor(extract(epoch FROM now_utc - start_utc) / extract(epoch FROM step))::int - 2);
    WHILE start_utc + (n + 1) * step <= now_utc LOOP
        n := n + 1;
    END LOOP;
    WHILE n > 0 AND start_utc + n * step > now_utc LOOP
        n := n - 1;
    END LOOP;
    FOR i IN n .. n + ahead LOOP
        lower_at := (start_utc + i * step) AT TIME ZONE 'UTC';
        EXECUTE format('SELECT %s::text, %s::text', rule.least_id, replace(rule.least_id, '$1', '$2'))
            INTO lower_id, upper_id USING lower_at, (start_utc + (i + 1) * step) AT TIME ZONE 'UTC';
        IF NOT EXISTS (
            SELECT FROM pg_inherits AS h JOIN pg_class AS c ON c.oid = h.inhrelid
            WHERE h.inhparent = parent
                AND pg_get_expr(c.relpartbound, c.oid) = format('FOR VALUES FROM (%L) TO (%L)', lower_id, upper_id)
        ) THEN
            to_create := to_create || lower_at;
        END IF;
    END LOOP;
    to_drop := '{}';
    IF retain > '0' THEN
        EXECUTE format(
            'SELECT array_agg(format(''%%I.%%I'', n.nspname, c.relname) ORDER BY bound::%s)
            FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
                CROSS JOIN substring(pg_get_expr(c.relpartbound, c.oid) FROM ''TO \(''''([^'''']+)''''\)$'') AS bound
            WHERE i.inhparent = $1 AND NOT i.inhdetachpending AND bound IS NOT NULL AND %s', rule.type, rule.all_older)
        INTO old USING parent, now() - retain;
        to_drop := coalesce(old, '{}');
    END IF;
EXCEPTION WHEN OTHERS THEN
    to_create := NULL;
    to_drop := NULL;
    fault := SQLERRM;
END
$$;

CREATE VIEW flakeid_kept AS
SELECT k.schema, k.name, k.step, k.ahead, k.retain, k.layout, k.start_at,
    p.to_create, p.to_drop, coalesce(p.fault, CASE WHEN c.oid IS NULL THEN 'table does not exist' END) AS fault,
    k.last_run, CASE WHEN c.oid IS NULL OR pg_catalog.pg_has_role(c.relowner, 'USAGE') THEN k.last_error END AS last_error
FROM _flakeid.keep AS k
    LEFT JOIN (pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace)
        ON n.nspname = k.schema AND c.relname = k.name
    LEFT JOIN LATERAL flakeid_keep_plan(c.oid::regclass, k.step, k.ahead, k.retain, k.layout, k.start_at) AS p ON c.oid IS NOT NULL;
GRANT SELECT ON flakeid_kept TO PUBLIC;

CREATE FUNCTION flakeid_keep(
    parent regclass, step interval, ahead int DEFAULT 1, retain interval DEFAULT '0',
    layout text DEFAULT '', start_at timestamptz DEFAULT '2000-01-01 00:00:00+00'
) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    who record;
BEGIN
    PERFORM @extschema@.flakeid_partition_rule(parent, layout);
    IF step <= '0' OR NOT isfinite(step) OR retain < '0' OR ahead NOT BETWEEN 0 AND 1000 OR NOT isfinite(start_at) OR start_at > now() THEN
        RAISE 'partitions of table "%" cannot be kept so', parent
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('step is %s, ahead %s, retain %s, start_at %s.', step, ahead, retain, start_at),
            HINT = 'step is greater than zero, ahead is 0 to 1000 partitions, retain is not negative (0: for ever), start_at has passed.';
    END IF;
    SELECT n.nspname AS schema, c.relname AS name INTO who
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = parent;
    PERFORM @extschema@.flakeid_put_keep(who.schema, who.name, jsonb_build_object(
        'step', step, 'ahead', ahead, 'retain', retain, 'layout', layout, 'start_at', start_at));
END
$$;

CREATE FUNCTION flakeid_unkeep(schema text, name text) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM @extschema@.flakeid_put_keep(schema, name, '{}');
END
$$;

CREATE FUNCTION flakeid_keep_now(parent regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kept record;
    start_utc timestamp;
    lower_at timestamptz;
    n_about int;    -- about how many steps the partition is after the first one ...
    margin int;     -- ... and by how much that may be wrong, as months differ
BEGIN
    SELECT k.* INTO kept FROM @extschema@.flakeid_kept AS k JOIN pg_namespace AS n ON n.nspname = k.schema
        JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = k.name
    WHERE c.oid = parent;
    IF kept.fault IS NOT NULL THEN
        RAISE '%', kept.fault USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    start_utc := kept.start_at AT TIME ZONE 'UTC';
    FOREACH lower_at IN ARRAY coalesce(kept.to_create, '{}') LOOP
        n_about := floor(extract(epoch FROM lower_at - kept.start_at) / extract(epoch FROM kept.step));
        margin := CASE WHEN extract(year FROM kept.step) > 0 OR extract(month FROM kept.step) > 0 THEN n_about ELSE 0 END + 2;
        -- create them one at a time: from "start_at" on, those dropped before would be created, too
        PERFORM @extschema@.flakeid_create_partitions(parent, lower_at,
            least_end, least_end - lower_at, kept.layout)
        FROM (
            SELECT (start_utc + n * kept.step) AT TIME ZONE 'UTC' AS least_end
            FROM generate_series(greatest(1, n_about - margin), n_about + margin) AS n
            WHERE (start_utc + n * kept.step) AT TIME ZONE 'UTC' > lower_at ORDER BY n LIMIT 1
        ) AS bound;
    END LOOP;
    IF kept.retain > '0' THEN
        PERFORM @extschema@.flakeid_drop_partitions(parent, now() - kept.retain, kept.layout);
    END IF;
END
$$;

CREATE FUNCTION flakeid_keep_as_owner(parent regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp;

-- Do what is to be done for one table that the caller may maintain, and note how that
-- ended.  Returns the error, or ''.
CREATE FUNCTION flakeid_maintain_one(schema text, name text) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    parent regclass := to_regclass(format('%I.%I', schema, name));
    kept record;
    error text := '';
BEGIN
    IF current_setting('lock_timeout') = '0' THEN
        PERFORM set_config('lock_timeout', '5s', true);
    END IF;
    BEGIN
        PERFORM @extschema@.flakeid_keep_as_owner(parent);
    EXCEPTION WHEN OTHERS THEN
        error := format('%s: %s', SQLSTATE, SQLERRM);
    END;
    SELECT k.step, k.ahead, k.retain, k.layout, k.start_at INTO kept
    FROM @extschema@.flakeid_kept AS k WHERE k.schema = $1 AND k.name = $2;
    PERFORM @extschema@.flakeid_put_keep(schema, name,
        to_jsonb(kept) || jsonb_build_object('last_run', clock_timestamp(), 'last_error', nullif(error, '')));
    RETURN error;
END
$$;

-- Each table has a transaction of its own, so that the locks on it are gone before the
-- next.  Like flakeid_backfill(), this procedure cannot have a SET clause for search_path.
CREATE PROCEDURE flakeid_maintain()
    LANGUAGE plpgsql
AS $$
DECLARE
    schemas name[];
    names name[];
    error text;
BEGIN
    COMMIT;
    SET LOCAL search_path = pg_catalog, pg_temp;
    SELECT array_agg(k.schema ORDER BY k.schema, k.name), array_agg(k.name ORDER BY k.schema, k.name) INTO schemas, names
    FROM @extschema@.flakeid_kept AS k JOIN pg_namespace AS n ON n.nspname = k.schema
        JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = k.name
    WHERE pg_has_role(c.relowner, 'USAGE');
    FOR i IN 1 .. coalesce(cardinality(names), 0) LOOP
        -- a lock that another session holds now may be free in a second
        FOR attempt IN 1 .. 3 LOOP
            error := @extschema@.flakeid_maintain_one(schemas[i], names[i]);
            COMMIT;
            SET LOCAL search_path = pg_catalog, pg_temp;
            EXIT WHEN error NOT LIKE '55P03:%';
            PERFORM pg_sleep(1);
        END LOOP;
        IF error <> '' THEN
            RAISE WARNING 'partitions of table "%" are not kept: %', format('%I.%I', schemas[i], names[i]), error;
        END IF;
    END LOOP;
END
$$;

COMMENT ON TABLE _flakeid.keep IS 'what flakeid_keep has been told; written by flakeid_put_keep() alone';
COMMENT ON FUNCTION flakeid_put_keep(text, text, jsonb) IS 'stores what flakeid_keep is told, for the owner of the table';
COMMENT ON FUNCTION flakeid_keep_plan(regclass, interval, int, interval, text, timestamptz) IS 'what flakeid_maintain would do for a table now';
COMMENT ON FUNCTION flakeid_keep(regclass, interval, int, interval, text, timestamptz) IS 'have flakeid_maintain create partitions ahead of time and drop those older than retain (0: none)';
COMMENT ON FUNCTION flakeid_unkeep(text, text) IS 'forget what flakeid_keep was told about a table';
COMMENT ON FUNCTION flakeid_keep_now(regclass) IS 'the work of flakeid_maintain for a table';
COMMENT ON FUNCTION flakeid_keep_as_owner(regclass) IS 'flakeid_keep_now with the rights of the table''s owner';
COMMENT ON FUNCTION flakeid_maintain_one(text, text) IS 'a transaction of flakeid_maintain';
COMMENT ON PROCEDURE flakeid_maintain() IS 'create and drop the partitions of all tables in flakeid_kept that the caller may; to be called every day, or more often';
COMMENT ON VIEW flakeid_kept IS 'tables whose partitions flakeid_maintain keeps, and what it would do now';
COMMENT ON COLUMN flakeid_kept.schema IS 'schema of the table';
COMMENT ON COLUMN flakeid_kept.name IS 'table';
COMMENT ON COLUMN flakeid_kept.step IS 'how long a partition is';
COMMENT ON COLUMN flakeid_kept.ahead IS 'how many partitions there should be after that of now';
COMMENT ON COLUMN flakeid_kept.retain IS 'how old IDs must be for their partition to be dropped; 0: none is dropped';
COMMENT ON COLUMN flakeid_kept.layout IS 'how a uuid or bigint tells the time; empty for IDs of flakeid';
COMMENT ON COLUMN flakeid_kept.start_at IS 'partitions begin here, and a step, two steps and so on later';
COMMENT ON COLUMN flakeid_kept.to_create IS 'starts of the partitions that flakeid_maintain would create now';
COMMENT ON COLUMN flakeid_kept.to_drop IS 'partitions that flakeid_maintain would drop now';
COMMENT ON COLUMN flakeid_kept.fault IS 'why flakeid_maintain can do nothing for the table; NULL if it can';
COMMENT ON COLUMN flakeid_kept.last_run IS 'when flakeid_maintain last worked on the table';
COMMENT ON COLUMN flakeid_kept.last_error IS 'SQLSTATE and message if the last run failed, for the table''s owner; NULL if it did not';
