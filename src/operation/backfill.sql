/* ---------- IDs for existing rows ---------- */

-- The table alone records what is left to do: rows whose column is NULL.

CREATE FUNCTION _flakeid_functions.flakeid_own_type(type regtype) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_backfill_span(
    target regclass, id_column name, number int, meta int, siq_type text, OUT first_at timestamptz, OUT last_at timestamptz
)
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_backfill_fill(
    target regclass, id_column name, number int, meta int, siq_type text, tables oid[], rows tid[], instants timestamptz[],
    OUT changed bigint, OUT rounded bigint, OUT most_lost interval, OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_hold(target regclass, alone boolean) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_hold_referred(target regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_lock_backfill(target regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_span(regclass, name, int, int, text) IS 'first and last instant of an ID that a backfill can make; an error if its arguments are wrong';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_fill(regclass, name, int, int, text, oid[], tid[], timestamptz[]) IS 'give locked rows the IDs of their instants';
COMMENT ON FUNCTION _flakeid_functions.flakeid_hold(regclass, boolean) IS 'lock a table that the caller owns, so that before the end of the transaction it is not dropped, and neither it nor its schema renamed, and return its name';
COMMENT ON FUNCTION _flakeid_functions.flakeid_hold_referred(regclass) IS 'lock the tables to which the foreign keys of a table that the caller owns refer, so that neither they nor their schemas are renamed before the end of the transaction';
COMMENT ON FUNCTION _flakeid_functions.flakeid_lock_backfill(regclass) IS 'hold a table that the caller owns, and take the lock by which its backfills take turns, until the end of the transaction';

CREATE FUNCTION _flakeid_functions.flakeid_column_type(
    target regclass, column_name name, hint text DEFAULT 'ALTER TABLE ... ADD COLUMN without a DEFAULT adds one and does not rewrite the table.'
) RETURNS regtype
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    type regtype;
BEGIN
    IF (SELECT c.relkind NOT IN ('r', 'p') FROM pg_class AS c WHERE c.oid = target) THEN
        RAISE '% is not a table', _flakeid_functions.flakeid_quoted(target::text) USING ERRCODE = 'wrong_object_type';
    END IF;
    SELECT a.atttypid INTO type FROM pg_attribute AS a
    WHERE a.attrelid = target AND a.attname = column_name AND a.attnum > 0 AND NOT a.attisdropped;
    IF NOT FOUND THEN
        RAISE 'column "%" of table % does not exist', column_name, _flakeid_functions.flakeid_quoted(target::text)
            USING ERRCODE = 'undefined_column', HINT = hint;
    END IF;
    RETURN type;
END
$$;

-- without such an index, every batch would read the whole table
CREATE FUNCTION _flakeid_functions.flakeid_check_index(target regclass, column_name name) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = target AND a.attname = column_name
        WHERE i.indrelid = target AND i.indisvalid AND i.indkey[0] = a.attnum AND i.indpred IS NULL
    ) THEN
        RAISE 'column "%" of table % has no index', column_name, _flakeid_functions.flakeid_quoted(target::text)
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('CREATE INDEX %sON %s (%I);', (SELECT CASE c.relkind WHEN 'p' THEN '' ELSE 'CONCURRENTLY ' END FROM pg_class AS c WHERE c.oid = target), target, column_name);
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_backfill_key(target regclass) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)
        FROM pg_index AS i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n) JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = k.attnum
        WHERE i.indrelid = target AND i.indisprimary);
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_backfill_tree(target regclass) RETURNS SETOF oid
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY WITH RECURSIVE tree (relid) AS (
        SELECT target::oid UNION SELECT i.inhrelid FROM tree AS t JOIN pg_inherits AS i ON i.inhparent = t.relid
    )
    SELECT t.relid FROM tree AS t JOIN pg_class AS c ON c.oid = t.relid WHERE c.relkind = 'r' ORDER BY t.relid;
END
$$;

-- Say how a column's instants are read: as expressions, the instant and a value in whose order the
-- instants are, with its type.  The column is cast to the base type of its domain, because a
-- function or an operator for the domain might be a stranger's.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_time(target regclass, time_column name, time_zone text, OUT instant text, OUT key text, OUT key_type text)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    time_type regtype := _flakeid_functions.flakeid_column_type(target, time_column, 'Name the column that has the time of each row.');
    ours text;
BEGIN
    WHILE (SELECT t.typtype = 'd' FROM pg_type AS t WHERE t.oid = time_type) LOOP
        time_type := (SELECT t.typbasetype FROM pg_type AS t WHERE t.oid = time_type);
    END LOOP;
    ours := _flakeid_functions.flakeid_own_type(time_type);
    key_type := format_type(time_type, -1);
    key := format('%I::%s', time_column, key_type);
    IF time_type IN ('timestamp'::regtype, 'date'::regtype) <> (time_zone <> '') THEN
        RAISE 'time_zone must be given for columns of type timestamp without time zone and date, and only for them'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('Column "%s" is of type %s.', time_column, time_type),
            HINT = 'Most applications store UTC: time_zone => ''UTC''.';
    ELSIF ours IS NOT NULL THEN
        instant := format('(%s.%I(%s)::timestamptz)', home, ours || '_timestamp', key);
    ELSIF time_type = 'timestamptz'::regtype THEN
        instant := key;
    ELSIF time_zone <> '' THEN
        PERFORM now() AT TIME ZONE time_zone;    -- an error if there is no such zone
        instant := format('(%I::timestamp AT TIME ZONE %L)', time_column, time_zone);
    ELSIF time_type = 'uuid'::regtype THEN
        instant := format('(%s.uuid7_timestamp(%s)::timestamptz)', home, key);
    ELSIF time_type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN
        instant := format('(%s.ulid_timestamp(%s::text)::timestamptz)', home, key);
        key := format('(%s COLLATE "C")', key);
    ELSE
        RAISE 'column "%" does not hold the time', time_column
            USING ERRCODE = 'wrong_object_type', DETAIL = format('It is of type %s.', time_type),
            HINT = 'Times, dates, UUIDs of version 7, ULIDs as text, and IDs of flakeid do.';
    END IF;
    -- a uid96 begins with its node's ID, and a clock that was set back or forward has local times in another order
    IF ours = 'uid96' OR upper(time_zone) NOT IN ('', 'UTC') THEN
        key := instant;
        key_type := 'timestamptz';
    END IF;
END
$$;

-- Lock rows that have no value in a column, and return where they are, their instants, and how far
-- this got: "size" rows that satisfy the condition, in the order given.  Rows that somebody has
-- locked are left out: whoever waits while he holds locks can be in a deadlock, and lets others
-- wait.  With skip >= 0, skip that many rows and wait for the lock of the next one alone.  If that
-- takes too long, "refused" names the row, and "left_out" counts the rows left.  create_index is
-- the index that would give the order, for a HINT ('': no matter).
CREATE FUNCTION _flakeid_functions.flakeid_backfill_pick(
    target regclass, id_column name, condition text, row_order text, instant text, reach text, size int, skip int, create_index text,
    OUT tables oid[], OUT rows tid[], OUT instants timestamptz[], OUT reached text, OUT refused text, OUT left_out bigint
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET DateStyle = 'ISO' SET TimeZone = 'UTC' SET enable_seqscan = off SET enable_sort = off SET jit = off
AS $$
DECLARE
    query text;
    plan jsonb;
    waited record;
BEGIN
    query := format('FROM %s WHERE %I IS NULL AND %s', target, id_column, condition);
    IF create_index <> '' THEN
        EXECUTE format('EXPLAIN (FORMAT JSON) SELECT %s ORDER BY %s LIMIT %s', query, row_order, size) INTO plan;
        IF jsonb_path_exists(plan, '$.**."Node Type" ? (@ == "Sort")') THEN
            RAISE 'no index gives the rows of table % in the order of their time', _flakeid_functions.flakeid_quoted(target::text)
                USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = format('CREATE INDEX %s%s', (SELECT CASE c.relkind WHEN 'p' THEN '' ELSE 'CONCURRENTLY ' END FROM pg_class AS c WHERE c.oid = target), create_index);
        END IF;
    END IF;
    IF skip >= 0 THEN
        EXECUTE format('SELECT tableoid AS relation, ctid AS row, ROW(%1$s)::text AS name %2$s ORDER BY %1$s OFFSET %3$s LIMIT 1', row_order, query, skip) INTO waited;
        IF waited.row IS NULL OR skip = 10 THEN
            EXECUTE format('SELECT count(*) FROM %s WHERE %I IS NULL', target, id_column) INTO left_out;
            reached := '';
            RETURN;
        END IF;
        query := format('FROM %s WHERE %I IS NULL AND tableoid = %s AND ctid = %L', target, id_column, waited.relation, waited.row);
        PERFORM set_config('lock_timeout'::text, coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
    END IF;
    -- The update of a column in a unique index takes the stronger lock, for which it would wait.
    -- Rows that others have changed since the query began have their new time in their old place.
    query := format(
        'WITH picked AS MATERIALIZED (
            SELECT tableoid AS relation, ctid AS row, %s AS at, (%s)::text AS reached %s ORDER BY %s LIMIT %s FOR %s
        ), numbered AS (
            SELECT *, row_number() OVER () AS n FROM picked
        )
        SELECT array_agg(relation ORDER BY at, n), array_agg(row ORDER BY at, n), array_agg(at ORDER BY at, n), (array_agg(reached ORDER BY n DESC))[1] FROM numbered',
        instant, reach, query, row_order, size, CASE WHEN EXISTS (
            SELECT FROM _flakeid_functions.flakeid_backfill_tree(target) AS t JOIN pg_index AS i ON i.indrelid = t JOIN pg_attribute AS a ON a.attrelid = t
            WHERE a.attname = id_column AND a.attnum = ANY (i.indkey) AND i.indisunique AND i.indpred IS NULL
        ) THEN 'UPDATE' ELSE 'NO KEY UPDATE' END || CASE WHEN skip < 0 THEN ' SKIP LOCKED' ELSE '' END);
    IF skip < 0 THEN
        EXECUTE query INTO tables, rows, instants, reached;
    ELSE
        BEGIN
            EXECUTE query INTO tables, rows, instants, reached;
        EXCEPTION WHEN lock_not_available THEN
            refused := waited.name;
        END;
    END IF;
    reached := coalesce(reached, CASE WHEN skip < 0 THEN '' ELSE 'changed' END);
END
$$;

-- Give IDs to rows without one: the first ones from "start" on, a value of the time column ('': all
-- rows), or the one that flakeid_backfill_pick() takes with skip >= 0.  Return how many rows there
-- were and how far it got ('': there are no more); how many of them have an ID of an earlier
-- instant ("rounded"), of a later partition, shard or worker than the first ("next_numbers"), and
-- of a later tick than their own, which was full ("moved").
CREATE FUNCTION _flakeid_functions.flakeid_backfill_batch_as_owner(
    target regclass, id_column name, time_column name, batch int, number int, meta int, siq_type text, time_zone text, start text, skip int,
    OUT count bigint, OUT changed bigint, OUT reached text, OUT refused text, OUT left_out bigint, OUT note text,
    OUT rounded bigint, OUT most_lost interval, OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    own_type text;             -- of the IDs; NULL for uuid
    span record;               -- which instants an ID can have
    read record;               -- how the time column is read
    row_order text;
    picked record;
    beyond text;               -- which rows have a time that no ID can hold
BEGIN
    PERFORM _flakeid_functions.flakeid_lock_backfill(target);
    own_type := _flakeid_functions.flakeid_own_type(_flakeid_functions.flakeid_column_type(target, id_column));
    SELECT * INTO read FROM _flakeid_functions.flakeid_backfill_time(target, time_column, time_zone);
    SELECT * INTO span FROM _flakeid_functions.flakeid_backfill_span(target, id_column, number, meta, siq_type);
    PERFORM _flakeid_functions.flakeid_check_index(target, id_column);
    -- rows of the same instant are taken in the order of the primary key
    row_order := concat_ws(', ', read.key, _flakeid_functions.flakeid_backfill_key(target));
    SELECT * INTO picked FROM _flakeid_functions.flakeid_backfill_pick(target, id_column,
        concat_ws(' AND ', read.instant || ' IS NOT NULL', CASE WHEN start <> '' THEN format('%s OPERATOR(pg_catalog.>=) %L::%s', read.key, start, read.key_type) END),
        row_order, read.instant, read.key, batch, skip,
        CASE WHEN start = '' AND skip < 0 THEN format('ON %s (%s) WHERE %I IS NULL;', target,
            concat_ws(', ', CASE WHEN read.key LIKE '(%' THEN read.key ELSE quote_ident(time_column) END, _flakeid_functions.flakeid_backfill_key(target)), id_column) ELSE '' END);
    count := coalesce(cardinality(picked.rows), 0);
    SELECT picked.reached, picked.refused, picked.left_out INTO reached, refused, left_out;
    note := nullif(concat_ws(' ', CASE WHEN own_type = 'flax' THEN 'IDs of one millisecond are in no order.' END,
        CASE WHEN time_zone <> '' THEN format('The times were read as %s.', time_zone) END), '');
    IF count = 0 THEN
        RETURN;
    ELSIF picked.instants[1] < span.first_at OR picked.instants[count] > span.last_at THEN
        beyond := format('%I IS NULL AND NOT %s BETWEEN %L AND %L', id_column, read.instant, span.first_at, span.last_at);
        EXECUTE format('SELECT count(*) OVER () AS rows, ROW(%s)::text AS name, %s AS at FROM %s WHERE %s ORDER BY %1$s LIMIT 1', row_order, read.instant, target, beyond) INTO picked;
        RAISE 'time is out of range for type %: %', coalesce(own_type, 'uuid'), picked.at
            USING ERRCODE = 'datetime_field_overflow',
            DETAIL = format('IDs have times from %s to %s. %s rows without an ID have another; the first is %s. This gives them IDs of the present time: UPDATE %s SET %I = %s.%I(%s) WHERE %s;',
                span.first_at, span.last_at, picked.rows, picked.name, target, id_column,
                _flakeid_functions.flakeid_home(), coalesce(own_type, 'uuid7') || '_new', quote_literal(nullif(siq_type, '')), beyond),
            HINT = 'Correct these times, or give the rows IDs of the present time, and call flakeid_backfill again.';
    END IF;
    -- a batch is a small part of the table, whatever the estimates say
    PERFORM set_config('enable_seqscan'::text, 'off'::text, true);
    SELECT * INTO changed, rounded, most_lost, next_numbers, moved, most_moved
    FROM _flakeid_functions.flakeid_backfill_fill(target, id_column, number, meta, siq_type, picked.tables, picked.rows, picked.instants);
END
$$;

-- Fill a column in batches, each in a transaction of its own.  Passes over the table follow each
-- other until one fills nothing.  What others have locked even then is waited for row by row,
-- without holding anything; after ten rows in vain it is left.  Only the table records what is left
-- to do.
CREATE PROCEDURE _flakeid_functions.flakeid_backfill_as_caller(
    target regclass, id_column name, time_column name, batch int DEFAULT 1000,
    number int DEFAULT -1, meta int DEFAULT 0, siq_type text DEFAULT '', time_zone text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    start pg_catalog.text := '';
    skip pg_catalog.int4 := -1;      -- rows that were waited for in vain; -1: rows that are locked are left for later
    finished pg_catalog.bool := false;
    done pg_catalog.record;
    filled pg_catalog.int8 := 0;     -- in this pass
    rows pg_catalog.int8 := 0;       -- in all of them
    rounded pg_catalog.int8 := 0;
    most_lost pg_catalog.interval;
    next_numbers pg_catalog.int8 := 0;
    moved pg_catalog.int8 := 0;
    most_moved pg_catalog.interval;
    locked pg_catalog.text;
BEGIN
    -- A procedure that commits cannot have a SET clause: each transaction sets the search_path
    -- first of all, and before that its isolation level, which is too late after any expression.
    LOOP
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;
        EXIT WHEN finished;
        IF num_nulls(target, id_column, time_column, batch, number, meta, siq_type, time_zone) > 0 THEN
            RAISE 'arguments of a backfill must not be NULL' USING ERRCODE = 'null_value_not_allowed';
        ELSIF batch NOT BETWEEN 1 AND 1000000 THEN
            RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 1 to 1000000 rows.';
        END IF;
        PERFORM set_config('application_name'::text, format('flakeid_backfill: %s rows of %s.%I', rows, target, id_column)::name::text, true);
        SELECT * INTO done FROM _flakeid_functions.flakeid_backfill_batch(target, id_column, time_column, batch, number, meta, siq_type, time_zone, start, skip);
        IF done.changed < done.count THEN
            RAISE 'a trigger keeps rows of table % from getting an ID', _flakeid_functions.flakeid_quoted(target::text)
                USING ERRCODE = 'triggered_action_exception', DETAIL = format('Only %s of %s rows have one.', done.changed, done.count);
        END IF;
        start := done.reached;
        filled := filled + done.count;
        rows := rows + done.count;
        rounded := rounded + coalesce(done.rounded, 0);
        most_lost := greatest(most_lost, done.most_lost);
        next_numbers := next_numbers + coalesce(done.next_numbers, 0);
        moved := moved + coalesce(done.moved, 0);
        most_moved := greatest(most_moved, done.most_moved);
        IF skip >= 0 THEN
            -- whoever held this row may have held the others
            start := '';
            locked := CASE WHEN skip = 0 THEN done.refused ELSE concat_ws(', ', locked, done.refused) END;
            finished := done.count = 0 AND done.reached = '';
            skip := CASE WHEN done.count > 0 THEN -1 WHEN done.refused IS NULL THEN skip ELSE skip + 1 END;
        ELSIF start = '' THEN
            skip := CASE WHEN filled > 0 THEN -1 ELSE 0 END;
            filled := 0;
        END IF;
    END LOOP;

    RAISE NOTICE '%', concat_ws(' ',
        format('%s rows of table %s got an ID.', rows, _flakeid_functions.flakeid_quoted(target::text)), done.note,
        CASE WHEN rounded > 0 THEN format('For %s of them the ID''s time is earlier than the row''s, by up to %s, because it has fewer digits.', rounded, most_lost) END,
        CASE WHEN next_numbers > 0 THEN format('%s of them got another partition, shard or worker, because too many rows share a tick.', next_numbers) END,
        CASE WHEN moved > 0 THEN format('%s of them got a later tick, by up to %s, because too many rows share a tick.', moved, most_moved) END,
        CASE WHEN done.left_out > 0 THEN format('%s rows got none: they have no time%s.', done.left_out,
            ', or others have locked them, such as ' || locked || ': call the procedure again when those transactions have ended') END);
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_column_type(regclass, name, text) IS 'type of a column; an error if there is no such column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_own_type(regtype) IS 'name of a type of flakeid; NULL for other types';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_index(regclass, name) IS 'error unless an index begins with the column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_key(regclass) IS 'columns of the primary key, as a list';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_tree(regclass) IS 'tables that have the rows of a table: itself, its partitions, its children';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_time(regclass, name, text) IS 'expressions for the instant that a column holds, and for the order of instants';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_pick(regclass, name, text, text, text, text, int, int, text) IS 'lock rows that have no value in a column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_batch_as_owner(regclass, name, name, int, int, int, text, text, text, int) IS 'a batch of flakeid_backfill';
COMMENT ON PROCEDURE _flakeid_functions.flakeid_backfill_as_caller(regclass, name, name, int, int, int, text, text) IS 'give each row without an ID one of the row''s time, in batches with commits; call it again if it was interrupted';
