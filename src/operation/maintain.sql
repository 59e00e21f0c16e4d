/* ---------- the nightly call ---------- */

-- Return the instant at which the current step begins.  The steps continue those of the last
-- partition that is one step long; without one, months are counted from 2000 on, and weeks from
-- the first Monday of 2000.
CREATE FUNCTION _flakeid_functions.flakeid_current_step(parent regclass, layout text, step interval) RETURNS timestamptz
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    months int := _flakeid_functions.flakeid_step_months(step);
    anchor timestamptz;
    passed int;    -- months since
BEGIN
    SELECT b.lower_at INTO anchor FROM _flakeid_functions.flakeid_partition_bounds(parent, layout) AS b
    WHERE isfinite(b.lower_at) AND b.upper_at = b.lower_at + step AND (months = 0 OR extract(day FROM b.lower_at) <= 28)
    ORDER BY b.upper_at DESC LIMIT 1;
    IF months = 0 THEN
        -- the origin is before all IDs, because date_bin() of 15.6, 16.2 and older is wrong for instants before its origin
        RETURN date_bin(step, now(), date_bin(step, '1970-01-01Z', coalesce(anchor, '2000-01-03Z')));
    END IF;
    anchor := coalesce(anchor, '2000-01-01Z');
    passed := (extract(year FROM now()) - extract(year FROM anchor)) * 12 + extract(month FROM now()) - extract(month FROM anchor);
    passed := passed - (anchor + make_interval(months => passed) > now())::int;
    RETURN anchor + floor(passed::numeric / months)::int * step;
END
$$;

-- The partitions of a table, and what flakeid_maintain with the same arguments would do.  A step
-- of 0 creates none; a retain of 0 means forever.
--
-- A step from now on needs a partition where none covers it.  A past partition is removed when it
-- ended "retain" ago, and newer past partitions that have rows span as much: so a clock that is
-- ahead for one night costs one step, however far ahead it is, and no row is read.
CREATE FUNCTION _flakeid_functions.flakeid_partitions(
    parent regclass, step interval, ahead int, retain interval, detach boolean, layout text,
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz,
    OUT rows bigint, OUT size bigint, OUT action text, OUT note text
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    start_at timestamptz;
BEGIN
    IF ahead NOT BETWEEN 0 AND 1000 OR retain < interval '0' OR NOT isfinite(retain) THEN
        RAISE 'ahead or retain is out of range'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('ahead is %s, retain %s.', ahead, retain),
            HINT = 'ahead must be 0 to 1000 partitions, and retain must not be negative.';
    END IF;
    PERFORM _flakeid_functions.flakeid_hold(parent, false);
    IF step <> interval '0' THEN
        start_at := _flakeid_functions.flakeid_current_step(parent, layout, step);
    END IF;

    RETURN QUERY WITH there AS MATERIALIZED (
        SELECT b.*, i.inhdetachpending AS pending, CASE WHEN b.lower_at IS NOT NULL THEN tstzrange(b.lower_at, b.upper_at) END AS period
        FROM _flakeid_functions.flakeid_partition_bounds(parent, layout) AS b JOIN pg_inherits AS i ON i.inhrelid = b.partition AND i.inhparent = parent
    ), rated AS (
        SELECT t.*, retain > interval '0' AND t.upper_at <= now() - retain AND NOT t.pending AS old,
            coalesce(sum(t.upper_at - t.lower_at) FILTER (WHERE t.has_rows AND t.upper_at <= now() AND isfinite(t.lower_at) AND NOT t.pending) OVER newer >= now() - (now() - retain), false) AS spare
        FROM there AS t WINDOW newer AS (ORDER BY t.upper_at DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), steps AS (
        SELECT s.*, tstzrange(s.lower_at, s.upper_at) AS period
        FROM (SELECT start_at + n * step, start_at + (n + 1) * step FROM generate_series(0, ahead) AS n) AS s (lower_at, upper_at)
        WHERE start_at IS NOT NULL
    )
    SELECT t.partition, t.lower_at, t.upper_at,
        coalesce(nullif(pg_stat_get_live_tuples(t.partition), 0), (SELECT greatest(c.reltuples, 0) FROM pg_class AS c WHERE c.oid = t.partition))::bigint, t.size,
        CASE WHEN t.old AND t.spare THEN CASE WHEN detach THEN 'detach' ELSE 'drop' END END,
        CASE WHEN t.period IS NULL THEN 'the default partition' WHEN t.pending THEN 'incompletely detached'
            WHEN t.old AND NOT t.spare THEN 'kept: newer partitions with rows do not span retain' END
    FROM rated AS t
    UNION ALL
    SELECT NULL, s.lower_at, s.upper_at, NULL, NULL, 'create',
        'covered in part by ' || (SELECT string_agg(t.partition::text, ', ' ORDER BY t.upper_at) FROM there AS t WHERE t.period && s.period)
    FROM steps AS s
    WHERE NOT s.period * tstzrange(now(), NULL) <@ coalesce((SELECT range_agg(t.period) FROM there AS t WHERE NOT t.pending), '{}')
    ORDER BY 3 DESC NULLS LAST;
END
$$;

-- Create the missing partitions, then remove the old ones, the oldest first: each in a transaction
-- of its own, so that its locks are released before the next one, and a failure stops nothing
-- else.  Each of these begins as flakeid_backfill_run() says.  But while a removal waits for a
-- reader of the table, all who come later wait for the removal: so it is not tried for every
-- partition.
CREATE PROCEDURE _flakeid_functions.flakeid_maintain(
    parent regclass, step interval, ahead int, retain interval, detach boolean, layout text
)
    LANGUAGE plpgsql
AS $$
DECLARE
    home pg_catalog.text;
    todo pg_catalog.record;
    detail pg_catalog.text;
    hint pg_catalog.text;
    errors pg_catalog.text[];
    details pg_catalog.text[];
    locked pg_catalog.int4 := 0;    -- removals in a row that could not get a lock
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
    IF num_nulls(parent, step, ahead, retain, detach, layout) > 0 THEN
        RAISE 'arguments of flakeid_maintain must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF step = interval '0' THEN
        RAISE 'step must be greater than zero' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    home := _flakeid_functions.flakeid_home();
    FOR todo IN EXECUTE format('SELECT p.*, coalesce(p.partition::text, ''from '' || p.lower_at) AS name FROM %s.flakeid_partitions($1, $2, $3, $4, $5, $6) AS p
        WHERE p.action IS NOT NULL ORDER BY p.action <> ''create'', p.upper_at', home) USING parent, step, ahead, retain, detach, layout LOOP
        EXIT WHEN locked = 2;
        -- a lock that another session holds now may be free in a second
        FOR attempt IN 1 .. 3 LOOP
            COMMIT;
            SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
            SET LOCAL search_path = pg_catalog, pg_temp;
            PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
            PERFORM pg_sleep(1) WHERE attempt > 1;
            BEGIN
                IF todo.action = 'create' THEN
                    EXECUTE format('SELECT count(*) FROM %s.flakeid_create_partitions($1, $2, $3, $4, $5)', home) USING parent, todo.lower_at, todo.upper_at, step, layout;
                ELSE
                    PERFORM _flakeid_functions.flakeid_remove_partition(parent, todo.partition, todo.lower_at, todo.upper_at, detach);
                    locked := 0;
                END IF;
            EXCEPTION WHEN OTHERS THEN
                CONTINUE WHEN SQLSTATE IN ('55P03', '40P01') AND attempt < 3 AND locked = 0;
                locked := CASE WHEN SQLSTATE = '55P03' AND todo.action <> 'create' THEN locked + 1 ELSE 0 END;
                GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL, hint := PG_EXCEPTION_HINT;
                errors := errors || format('%s: %s', todo.name, SQLERRM);
                details := details || nullif(concat_ws(E'\n', todo.name, nullif(detail, ''), nullif(hint, '')), todo.name);
            END;
            EXIT;
        END LOOP;
    END LOOP;

    -- the message shows the table's name by the caller's search_path
    COMMIT;
    IF errors IS NOT NULL THEN
        RAISE 'not all partitions of table % could be maintained: %', _flakeid_functions.flakeid_quoted(parent::pg_catalog.text), pg_catalog.array_to_string(errors, '; ')
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = pg_catalog.array_to_string(details, E'\n'),
            HINT = pg_catalog.concat('flakeid_partitions() with the same arguments shows what remains to be done. ', CASE WHEN locked OPERATOR(pg_catalog.<) 2 THEN 'Everything else has been done; the next call tries again.'
                ELSE 'No more was removed, because others have locked the table or its partitions: who waits for a reader lets everybody wait. The next call tries again.' END);
    END IF;
END
$$;

/* ---------- what users call: the functions above, for the owner of the table ---------- */

CREATE FUNCTION flakeid_partitions(
    parent regclass, step interval DEFAULT '0', ahead int DEFAULT 2, retain interval DEFAULT '0', detach boolean DEFAULT false, layout text DEFAULT '',
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz,
    OUT rows bigint, OUT size bigint, OUT action text, OUT note text
) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text DEFAULT ''
) RETURNS SETOF regclass
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_drop_partitions(
    parent regclass, before timestamptz, layout text DEFAULT '', detach boolean DEFAULT false
) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_remove_partition(parent regclass, part oid, lower_at timestamptz, upper_at timestamptz, detach boolean) RETURNS text
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE PROCEDURE flakeid_maintain(
    parent regclass, step interval, ahead int DEFAULT 2, retain interval DEFAULT '0', detach boolean DEFAULT false, layout text DEFAULT ''
)
    AS 'MODULE_PATHNAME', 'flakeid_call' LANGUAGE C;

COMMENT ON FUNCTION _flakeid_functions.flakeid_current_step(regclass, text, interval) IS 'when the current step of a partitioned table began';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partitions(regclass, interval, int, interval, boolean, text) IS 'does the work of flakeid_partitions as the owner of the table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_remove_partition(regclass, oid, timestamptz, timestamptz, boolean) IS 'detach or drop a partition, for the owner of its table';
COMMENT ON PROCEDURE _flakeid_functions.flakeid_maintain(regclass, interval, int, interval, boolean, text) IS 'does the work of flakeid_maintain';
COMMENT ON FUNCTION flakeid_partitions(regclass, interval, int, interval, boolean, text) IS 'partitions by time of a table whose owner''s privileges you have, and what flakeid_maintain with the same arguments would do with them';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval, text) IS 'create the missing partitions by time, step by step in UTC; returns those created';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz, text, boolean) IS 'drop or detach the partitions that hold only IDs before an instant, at once; returns their names';
COMMENT ON PROCEDURE flakeid_maintain(regclass, interval, int, interval, boolean, text) IS 'create the partitions that a table needs now, and drop or detach those older than retain; to be called every day, or more often';
