/* ---------- the nightly call ---------- */

-- Error messages and notes have instants in UTC.
CREATE FUNCTION _flakeid_functions.flakeid_partitions_as_owner(
    parent regclass, step interval DEFAULT '0', ahead int DEFAULT 2, retain interval DEFAULT '0', detach boolean DEFAULT false, layout text DEFAULT '',
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz,
    OUT rows bigint, OUT size bigint, OUT action text, OUT note text
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE SET TimeZone = 'UTC';

-- Create the missing partitions, then remove the old ones, the oldest first: each in a transaction
-- of its own, so that its locks are released before the next one, and a failure stops nothing
-- else.  Each of these begins as flakeid_backfill_run() says.  But while one waits for a reader of
-- the table, or a writer of a table that foreign keys refer to, all who come later wait for it: so
-- after one that could not be locked in three tries each is tried once, and the second such ends
-- the call.
CREATE PROCEDURE _flakeid_functions.flakeid_maintain_as_caller(
    parent regclass, step interval, ahead int DEFAULT 2, retain interval DEFAULT '0', detach boolean DEFAULT false, layout text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    todo pg_catalog.record;
    detail pg_catalog.text;
    hint pg_catalog.text;
    errors pg_catalog.text[];
    details pg_catalog.text[];
    locked pg_catalog.int4 := 0;    -- so many in a row could not be locked
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
    FOR todo IN SELECT p.*, coalesce(p.partition::text, format('from %s+00', p.lower_at AT TIME ZONE 'UTC')) AS name FROM _flakeid_functions.flakeid_partitions(parent, step, ahead, retain, detach, layout) AS p
        WHERE p.action IS NOT NULL ORDER BY p.action <> 'create', p.upper_at LOOP
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
                    PERFORM _flakeid_functions.flakeid_create_partitions(parent, todo.lower_at, todo.upper_at, todo.upper_at - todo.lower_at, layout);
                ELSE
                    PERFORM _flakeid_functions.flakeid_remove_partition(parent, todo.partition, todo.lower_at, todo.upper_at, detach);
                END IF;
                locked := 0;
            EXCEPTION WHEN OTHERS THEN
                CONTINUE WHEN SQLSTATE IN ('55P03', '40P01') AND attempt < 3 AND locked = 0;
                locked := CASE WHEN SQLSTATE IN ('55P03', '40P01') THEN locked + 1 ELSE 0 END;
                GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL, hint := PG_EXCEPTION_HINT;
                errors := errors || format('%s: %s', todo.name, SQLERRM);
                details := details || concat_ws(E'\n', format('%s (SQLSTATE %s)', todo.name, SQLSTATE), nullif(detail, ''), nullif(hint, ''));
            END;
            EXIT;
        END LOOP;
    END LOOP;

    -- the message shows the table's name by the caller's search_path
    COMMIT;
    IF errors IS NOT NULL THEN
        RAISE 'not all partitions of table % could be maintained: %', _flakeid_functions.flakeid_quoted(parent::pg_catalog.text), pg_catalog.array_to_string(errors, '; ')
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = pg_catalog.concat_ws(E'\n', pg_catalog.array_to_string(details, E'\n'), CASE WHEN locked OPERATOR(pg_catalog.<) 2 THEN 'Everything else has been done.'
                ELSE 'Nothing more has been done, because other sessions have locked what is needed, and waiting for them would make everybody else wait, too.' END),
            HINT = 'flakeid_partitions() with the same arguments shows what remains to be done. The next call tries again.';
    END IF;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_partitions_as_owner(regclass, interval, int, interval, boolean, text) IS 'partitions by time of a table whose owner''s privileges you have, and what flakeid_maintain with the same arguments would do with them';
COMMENT ON PROCEDURE _flakeid_functions.flakeid_maintain_as_caller(regclass, interval, int, interval, boolean, text) IS 'create the partitions that a table needs now, and drop or detach those older than retain; to be called every day, or more often';
