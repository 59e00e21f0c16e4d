/* ---------- partitions by time ---------- */

-- A bound within a tick of its type has the instant a microsecond later: see partition.c.
CREATE FUNCTION _flakeid_functions.flakeid_partition_bound(
    parent regclass, layout text, at timestamptz, OUT bound text, OUT instant timestamptz
)
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_partition_name(parent regclass, suffix text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_partition_instant(parent regclass, layout text, id text) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_check_step(step interval) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Create a partition, and return its name: a separate table, which is then attached.  This locks
-- less than CREATE TABLE ... PARTITION OF.  The table has its foreign keys from the start: for one
-- that it lacks, ATTACH PARTITION reads the table referred to, and the planner runs the code in
-- the indexes of that table, which may be a stranger's, with the rights of the owner of this one.
-- A key that refers to a partitioned table has further ones, which refer to its partitions.
CREATE FUNCTION _flakeid_functions.flakeid_add_partition(parent regclass, partition text, bounds text) RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    parts record;
    identity text;
BEGIN
    -- the text of a key names the table referred to, whose owner could rename it
    PERFORM _flakeid_functions.flakeid_hold_referred(parent);
    SELECT ' USING ' || quote_ident(a.amname) AS access_method, ' TABLESPACE ' || quote_ident(t.spcname) AS tablespace,
        (SELECT string_agg(format(', CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '' ORDER BY k.oid) FROM pg_constraint AS k
        WHERE k.conrelid = parent AND k.contype = 'f' AND k.confrelid <> parent
            AND NOT EXISTS (SELECT FROM pg_constraint AS u WHERE u.oid = k.conparentid AND u.conrelid = parent)) AS foreign_keys
    INTO parts
    FROM pg_class AS c LEFT JOIN pg_am AS a ON a.oid = c.relam LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
    WHERE c.oid = parent;
    -- one command each: Citus sends what it is given to the other servers as one statement
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS INCLUDING STORAGE '
        'INCLUDING COMPRESSION%s)%s', partition, parent, parts.foreign_keys, concat(parts.access_method, parts.tablespace));
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bounds);
    SELECT CASE c.relreplident WHEN 'f' THEN 'FULL' WHEN 'n' THEN 'NOTHING' WHEN 'i' THEN
            (SELECT 'USING INDEX ' || quote_ident(own.relname) FROM pg_index AS of_parent JOIN pg_inherits AS i ON i.inhparent = of_parent.indexrelid
                JOIN pg_index AS x ON x.indexrelid = i.inhrelid AND x.indrelid = partition::regclass JOIN pg_class AS own ON own.oid = x.indexrelid
            WHERE of_parent.indrelid = parent AND of_parent.indisreplident) END
    INTO identity FROM pg_class AS c WHERE c.oid = parent;
    IF identity IS NOT NULL THEN
        EXECUTE format('ALTER TABLE %s REPLICA IDENTITY %s', partition, identity);
    END IF;
    RETURN partition::regclass;
END
$$;

-- Say which rows of the default partition belong to a new one, as a DETAIL, and as a HINT how to
-- move them.  The error has ended the caller's hold, so hold the default partition.
CREATE FUNCTION _flakeid_functions.flakeid_default_rows(
    parent regclass, layout text, step interval, lower_id text, upper_id text, lower_at timestamptz, upper_at timestamptz,
    OUT detail text, OUT hint text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rest record;
    rest_name text;
    found record;
    keys record;    -- those that refer to the rows: without them nothing is deleted or set to NULL elsewhere
    condition text;
BEGIN
    SELECT p.partdefid::regclass AS name, o.opcintype::regtype AS type,
        substring(pg_get_partkeydef(parent) FROM '^RANGE [(](.*)[)]$') AS key,
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute AS a
        WHERE a.attrelid = parent AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
    INTO STRICT rest FROM pg_partitioned_table AS p JOIN pg_opclass AS o ON o.oid = p.partclass[0] WHERE p.partrelid = parent;
    rest_name := _flakeid_functions.flakeid_hold(rest.name, false);
    condition := format('%1$s OPERATOR(pg_catalog.>=) %2$L::%4$s AND %1$s OPERATOR(pg_catalog.<) %3$L::%4$s', rest.key, lower_id, upper_id, rest.type);
    EXECUTE format('SELECT count(*), (SELECT (%1$s)::text FROM %2$s WHERE %3$s ORDER BY %1$s LIMIT 1) AS first,
            (SELECT (%1$s)::text FROM %2$s WHERE %3$s ORDER BY %1$s DESC LIMIT 1) AS last FROM %2$s WHERE %3$s', rest.key, rest_name, condition) INTO found;
    detail := format('%s rows of default partition %s belong to it, from %s to %s.', found.count, rest_name,
        _flakeid_functions.flakeid_partition_instant(parent, layout, found.first), _flakeid_functions.flakeid_partition_instant(parent, layout, found.last));
    SELECT string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I;', k.conrelid::regclass, k.conname), E'\n' ORDER BY k.oid) AS drop,
        string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s;', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)), E'\n' ORDER BY k.oid) AS add INTO keys
    FROM pg_constraint AS k WHERE k.contype = 'f' AND k.conparentid = 0 AND k.confrelid IN (SELECT relid FROM pg_partition_ancestors(rest.name));
    hint := concat_ws(E'\n', 'This moves them, typed as the owner of the table, because row triggers fire:', 'BEGIN;', format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE;', parent),
        -- a table with deferred checks that are still to be made cannot be altered
        E'SET CONSTRAINTS ALL IMMEDIATE;\n' || keys.drop,
        format('CREATE TEMPORARY TABLE flakeid_moved ON COMMIT DROP AS SELECT * FROM %s WHERE %s;', rest_name, condition), format('DELETE FROM %s WHERE %s;', rest_name, condition),
        format('SELECT %s.flakeid_create_partitions(%L, %L, %L, %L, %L);', _flakeid_functions.flakeid_home(), parent, lower_at, upper_at, step, layout),
        format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM pg_temp.flakeid_moved;', parent, rest.columns), keys.add, 'COMMIT;');
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_create_partitions_as_owner(parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text DEFAULT '') RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    epochs numeric[] := ARRAY[extract(epoch FROM start_at), extract(epoch FROM start_at + step)];
    precision text := CASE WHEN 0 = ALL (ARRAY[epochs[1] % 86400, epochs[2] % 86400]) THEN 'YYYYMMDD'
        WHEN 0 = ALL (ARRAY[epochs[1] % 60, epochs[2] % 60]) THEN 'YYYYMMDD_HH24MI'
        WHEN 0 = ALL (ARRAY[epochs[1] % 1, epochs[2] % 1]) THEN 'YYYYMMDD_HH24MISS' ELSE 'YYYYMMDD_HH24MISS_US' END;
    taken tstzmultirange;
    free tstzmultirange;
    lower_at timestamptz;
    upper_at timestamptz := start_at;
    lower_bound record;
    upper_bound record;
    why record;
BEGIN
    IF NOT (isfinite(start_at) AND isfinite(end_at)) OR end_at <= start_at THEN
        RAISE 'end_at must be later than start_at and both finite'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('start_at is %s, end_at is %s.', start_at, end_at);
    END IF;
    PERFORM _flakeid_functions.flakeid_check_step(step);

    -- keep other calls out; readers and writers continue, as they do while a partition is attached
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    SELECT coalesce(range_agg(tstzrange(b.lower_at, b.upper_at)), '{}') INTO taken
    FROM _flakeid_functions.flakeid_partitions_as_owner(parent, '0', 0, '0', false, layout) AS b JOIN pg_inherits AS i ON i.inhrelid = b.partition AND i.inhparent = parent
    WHERE b.lower_at IS NOT NULL AND NOT i.inhdetachpending;
    upper_bound := _flakeid_functions.flakeid_partition_bound(parent, layout, start_at);

    -- Add steps from the start each time: 31 January and three months make 30 April.
    FOR n IN 1 .. 2147483647 LOOP
        lower_at := upper_at;
        EXIT WHEN lower_at >= end_at;
        upper_at := start_at + n * step;
        lower_bound := upper_bound;
        upper_bound := _flakeid_functions.flakeid_partition_bound(parent, layout, upper_at);
        IF lower_bound.bound = upper_bound.bound THEN
            RAISE 'step is too short for the IDs of table %', _flakeid_functions.flakeid_quoted(parent::text)
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A partition from %s to %s would hold no IDs.', lower_at, upper_at);
        END IF;
        free := tstzmultirange(tstzrange(lower_bound.instant, upper_bound.instant)) - taken;
        CONTINUE WHEN isempty(free);
        RETURN NEXT _flakeid_functions.flakeid_add_partition(parent, _flakeid_functions.flakeid_partition_name(parent, to_char(lower_at, precision)),
            format('FOR VALUES FROM (%L) TO (%L)', lower_bound.bound, upper_bound.bound));
    END LOOP;
EXCEPTION
    WHEN invalid_object_definition THEN
        RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
            DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
            HINT = (SELECT CASE WHEN i.inhrelid IS NULL THEN format('The time from %s to %s is free: create a partition for it, with a step of %s.', lower(f.free), upper(f.free), upper(f.free) - lower(f.free))
                    ELSE format('Partition %s is incompletely detached: use ALTER TABLE ... DETACH PARTITION ... FINALIZE.', i.inhrelid::regclass) END
                FROM unnest(free) AS f (free) LEFT JOIN pg_inherits AS i ON i.inhparent = parent AND i.inhdetachpending ORDER BY f.free LIMIT 1);
    WHEN check_violation THEN
        SELECT * INTO why FROM _flakeid_functions.flakeid_default_rows(parent, layout, step, lower_bound.bound, upper_bound.bound, lower_at, upper_at);
        RAISE 'partition of table % from % to % cannot be created, because the default partition has rows of that time', _flakeid_functions.flakeid_quoted(parent::text), lower_at, upper_at
            USING ERRCODE = SQLSTATE, DETAIL = why.detail, HINT = why.hint;
END
$$;

-- Detach or drop a partition of a table; return its name, or NULL if it is none any more.  To look
-- for rows that refer to it, PostgreSQL reads the tables of foreign keys, and runs the code in them.
CREATE FUNCTION _flakeid_functions.flakeid_remove_partition_as_owner(parent regclass, part oid, lower_at timestamptz, upper_at timestamptz, detach boolean) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    table_name CONSTANT text := _flakeid_functions.flakeid_hold(parent, true);
    partition_name text;
    gone record;
    referrer record;
    told text;
BEGIN
    SELECT c.relkind, c.relowner, coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0))::bigint AS rows INTO gone
    FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhrelid = part AND i.inhparent = parent AND NOT i.inhdetachpending;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    partition_name := _flakeid_functions.flakeid_hold(part::regclass, true);
    SELECT c.oid::regclass AS name, c.relowner::regrole AS owner INTO referrer
    FROM pg_partition_tree(part::regclass) AS t JOIN pg_constraint AS k ON k.confrelid = t.relid AND k.contype = 'f'
        LEFT JOIN LATERAL pg_partition_tree(k.conrelid) AS r ON true JOIN pg_class AS c ON c.oid IN (k.conrelid, r.relid)
    WHERE c.relowner <> gone.relowner LIMIT 1;
    IF FOUND THEN
        RAISE 'partition % has foreign keys from table %, which belongs to another role', _flakeid_functions.flakeid_quoted(partition_name), _flakeid_functions.flakeid_quoted(referrer.name::text)
            USING ERRCODE = 'insufficient_privilege', DETAIL = format('Its owner is role "%s". The code of one table would run with the rights of the other''s owner.', referrer.owner),
            HINT = 'Give both tables the same owner.';
    END IF;
    -- detach it first: a partition that foreign keys refer to cannot be dropped directly
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', table_name, partition_name);
    IF NOT detach THEN
        EXECUTE format('DROP %s %s', CASE gone.relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, partition_name);
    END IF;
    told := format('partition %s of table %s is %s: from %s to %s, %s rows by the statistics',
        partition_name, table_name, CASE WHEN detach THEN 'detached' ELSE 'dropped' END, lower_at, upper_at, gone.rows);
    RAISE NOTICE '%', told;
    RAISE LOG '%', told;
    RETURN partition_name;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_drop_partitions_as_owner(parent regclass, before timestamptz, layout text DEFAULT '', detach boolean DEFAULT false) RETURNS SETOF text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    part record;
BEGIN
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    FOR part IN SELECT * FROM _flakeid_functions.flakeid_partitions_as_owner(parent, '0', 0, '0', false, layout) AS b WHERE isfinite(b.upper_at) AND b.upper_at <= before ORDER BY b.upper_at LOOP
        RETURN NEXT _flakeid_functions.flakeid_remove_partition_as_owner(parent, part.partition, part.lower_at, part.upper_at, detach);
    END LOOP;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_bound(regclass, text, timestamptz) IS 'least ID at or after an instant, for the partition key of a table, and its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_instant(regclass, text, text) IS 'instant of an ID, for the partition key of a table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_step(interval) IS 'an error unless a step is positive, and has either months or less';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_name(regclass, text) IS 'name for a new partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_add_partition(regclass, text, text) IS 'create a partition and attach it to its table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_default_rows(regclass, text, interval, text, text, timestamptz, timestamptz) IS 'which rows of the default partition belong to a new one, and how to move them';
COMMENT ON FUNCTION _flakeid_functions.flakeid_create_partitions_as_owner(regclass, timestamptz, timestamptz, interval, text) IS 'create the missing partitions by time, step by step in UTC; returns those created';
COMMENT ON FUNCTION _flakeid_functions.flakeid_remove_partition_as_owner(regclass, oid, timestamptz, timestamptz, boolean) IS 'detach or drop a partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_drop_partitions_as_owner(regclass, timestamptz, text, boolean) IS 'drop or detach the partitions that hold only IDs before an instant, at once; returns their names';
