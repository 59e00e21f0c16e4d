/* ---------- IDs for existing rows ---------- */

-- The table alone records what is left to do: rows whose column is NULL.  All of this runs
-- with the caller's rights, and so does code that the owner has added to the table, such as
-- triggers.  That is why the caller must be the owner; a superuser does not count as one.

CREATE FUNCTION _flakeid_functions.flakeid_tick_of(format text, at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_tick_start(format text, tick bigint) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_counted_id(type text, tick bigint, counter bigint) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_counter_of(type text, id bytea) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_check_owner(target regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_hold(target regclass, alone boolean) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_lock_backfill(target regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_tick_of(text, timestamptz) IS 'tick of a type that contains an instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_tick_start(text, bigint) IS 'first microsecond of a tick of a type';
COMMENT ON FUNCTION _flakeid_functions.flakeid_counted_id(text, bigint, bigint) IS 'bytes of a new uuid7, ulid or ksuid for a tick: the counter, then random bits';
COMMENT ON FUNCTION _flakeid_functions.flakeid_counter_of(text, bytea) IS 'counter in the bytes of a uuid7, ulid or ksuid';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_owner(regclass) IS 'error unless the caller is a member of the roles that own the table, its partitions and children, and the tables of which it is a partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_hold(regclass, boolean) IS 'lock a table that the caller owns, so that it is neither dropped nor renamed before the end of the transaction, and return its name';
COMMENT ON FUNCTION _flakeid_functions.flakeid_lock_backfill(regclass) IS 'hold a table that the caller owns, and take the lock by which its backfills take turns, until the end of the transaction';

-- Return the type of a column; raise an error if there is none.
CREATE FUNCTION _flakeid_functions.flakeid_column_type(target regclass, column_name name) RETURNS regtype
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    type regtype;
BEGIN
    SELECT a.atttypid INTO type FROM pg_attribute AS a
    WHERE a.attrelid = target AND a.attname = column_name AND a.attnum > 0 AND NOT a.attisdropped;
    IF NOT FOUND THEN
        RAISE 'column "%" of table "%" does not exist', column_name, target
            USING ERRCODE = 'undefined_column', HINT = 'ALTER TABLE ... ADD COLUMN without a DEFAULT adds one and does not rewrite the table.';
    END IF;
    RETURN type;
END
$$;

-- Return the name of a type if it is one of ours, otherwise NULL.
CREATE FUNCTION _flakeid_functions.flakeid_own_type(type regtype) RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    name text;
BEGIN
    EXECUTE format('SELECT f.name FROM %1$s.flakeid_formats AS f WHERE to_regtype(format(''%%s.%%I'', %1$L, f.name)) = $1', home)
        INTO name USING type;
    RETURN name;
END
$$;

-- Raise an error unless an index begins with the column: without one, every batch would read
-- the whole table.
CREATE FUNCTION _flakeid_functions.flakeid_check_index(target regclass, column_name name) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = target AND a.attname = column_name
        WHERE i.indrelid = target AND i.indisvalid AND i.indkey[0] = a.attnum AND i.indpred IS NULL
    ) THEN
        RAISE 'column "%" of table "%" has no index', column_name, target
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('CREATE UNIQUE INDEX CONCURRENTLY ON %s (%I);', target, column_name);
    END IF;
END
$$;

-- Return an expression for the instant that a column holds, and the condition that the column
-- has a value or a later one, as a format for the value.  The column is cast to the base type
-- of its domain, because a function or an operator for the domain might be a stranger's.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_time(target regclass, time_column name, OUT instant text, OUT from_on text)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    time_type regtype;
    base_type regtype;
    value text;
    ours text;
BEGIN
    time_type := _flakeid_functions.flakeid_column_type(target, time_column);
    -- a domain holds what its base type does
    LOOP
        SELECT t.typbasetype INTO base_type FROM pg_type AS t WHERE t.oid = time_type AND t.typtype = 'd';
        EXIT WHEN NOT FOUND;
        time_type := base_type;
    END LOOP;
    ours := _flakeid_functions.flakeid_own_type(time_type);
    value := format('%I::%s', time_column, format_type(time_type, -1));
    instant := CASE
        WHEN ours IS NOT NULL THEN format('%s.%I(%s)::timestamptz', home, ours || '_timestamp', value)
        WHEN time_type IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) THEN format('%s::timestamptz', value)
        WHEN time_type = 'uuid'::regtype THEN format('%s.uuid7_timestamp(%s)::timestamptz', home, value)
        WHEN time_type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN format('%s.ulid_timestamp(%s::text)::timestamptz', home, value)
    END;
    from_on := replace(format('%s OPERATOR(pg_catalog.>=) ', value), '%', '%%')
        || '%L::' || replace(format_type(time_type, -1), '%', '%%');
    IF instant IS NULL THEN
        RAISE 'column "%" does not hold the time', time_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', time_type),
            HINT = 'Times, dates, UUIDs of version 7, ULIDs as text, and IDs of flakeid do.';
    END IF;
END
$$;

-- Choose the partitions, shards or workers of a backfill: numbers that this database's own
-- generator does not use.  "first" is -1 for types without numbers.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_numbers(type text, number int, OUT first int, OUT count int, OUT domain bigint)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    highest int := CASE type WHEN 'sno' THEN 65535 WHEN 'siq' THEN 255 WHEN 'snowflake' THEN 31 END;
    own int;
BEGIN
    first := number;
    count := CASE type WHEN 'sno' THEN 128 WHEN 'siq' THEN 16 ELSE 1 END;
    IF highest IS NULL THEN
        IF number <> -1 THEN
            RAISE 'type % has no partitions, shards or workers', type USING ERRCODE = 'invalid_parameter_value';
        END IF;
        RETURN;
    END IF;
    EXECUTE format('SELECT CASE $1 WHEN ''sno'' THEN c.sno_partition WHEN ''siq'' THEN c.siq_shard ELSE c.snowflake_worker END, c.siq_domain
        FROM %s.flakeid_clock AS c', home) INTO own, domain USING type;
    IF number = -1 THEN
        first := highest - count + 1;
        IF own >= first THEN
            first := first - count;
        END IF;
    END IF;
    count := least(count, highest - first + 1);
    IF first NOT BETWEEN 0 AND highest THEN
        RAISE 'number is out of range for type %: %', type, number
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It must be 0 to %s.', highest);
    ELSIF own BETWEEN first AND first + count - 1 THEN
        RAISE 'number % of type % is this database''s own', own, type
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('A backfill from number %s on uses the numbers up to %s.', first, first + count - 1),
            HINT = 'Omit the argument number, or choose numbers that no server uses for new IDs.';
    END IF;
END
$$;

-- Return how many places of a tick the first number has, and as expressions the ID of place k
-- in the tick that starts at "at", the place of an ID, and which IDs such places can have.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_places(
    type text, id_column name, meta int, siq_type text, first int, count int, domain bigint,
    OUT each bigint, OUT making text, OUT place text, OUT ours text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();
    bits int;
BEGIN
    CASE type
    WHEN 'sno' THEN
        each := 65536;
        making := format('%s.sno_make(at, %s, %s + (k / 65536)::int, (k %% 65536)::int)', home, meta, first);
        place := format('(%1$s.sno_partition(%2$I) - %3$s)::bigint * 65536 + %1$s.sno_sequence(%2$I)', home, id_column, first);
        ours := format('NOT %1$s.sno_tick_tock(%2$I) AND %1$s.sno_meta(%2$I) = %3$s AND %1$s.sno_partition(%2$I) BETWEEN %4$s AND %5$s',
            home, id_column, meta, first, first + count - 1);
    WHEN 'siq' THEN
        -- the position of a serial of 1 shows how many of the last 16 bits the type takes
        EXECUTE format('SELECT log(2, (get_byte(b, 12) * 256 + get_byte(b, 13)) - (get_byte(a, 12) * 256 + get_byte(a, 13)))::int
            FROM CAST(%1$s.siq_make(timestamptz ''2020-01-01Z'', 0, 0::bigint, 1, %2$L::text) AS bytea) AS b,
                CAST(%1$s.siq_make(timestamptz ''2020-01-01Z'', 0, 0::bigint, 0, %2$L::text) AS bytea) AS a',
            home, siq_type) INTO bits;
        each := 65536 >> bits;
        making := format('%s.siq_make(at, %s + (k / %s)::int, %s::bigint, (k %% %3$s)::int, %5$L::text)',
            home, first, each, domain, siq_type);
        place := format('(%1$s.siq_shard(%2$I) - %3$s)::bigint * %4$s + %1$s.siq_serial(%2$I)', home, id_column, first, each);
        ours := format('%1$s.siq_domain(%2$I) = %3$s AND %1$s.siq_type_of(%2$I) = %4$L AND %1$s.siq_shard(%2$I) BETWEEN %5$s AND %6$s',
            home, id_column, domain, siq_type, first, first + count - 1);
    WHEN 'snowflake' THEN
        each := 131072;
        making := format('%s.snowflake_make(at, %s + (k / 131072)::int, (k / 4096 %% 32)::int, (k %% 4096)::int)', home, first);
        place := format('((%1$s.snowflake_worker(%2$I) - %3$s)::bigint * 32 + %1$s.snowflake_process(%2$I)) * 4096 + %1$s.snowflake_sequence(%2$I)',
            home, id_column, first);
        ours := format('%s.snowflake_worker(%I) BETWEEN %s AND %s', home, id_column, first, first + count - 1);
    WHEN 'uid64' THEN
        each := 16384;
        making := format('%s.uid64_make(at, k::int)', home);
        place := format('%s.uid64_sequence(%I)::bigint', home, id_column);
        ours := 'true';
    WHEN 'flax' THEN
        -- all other bits are random: IDs of one millisecond have no order, and never run out
        each := 1000000000;
        making := format('%s.flax_new_at(at)', home);
        place := '0::bigint';
        ours := 'false';
    ELSE
        each := CASE type WHEN 'ksuid' THEN 268435456 ELSE 262144 END;
        making := format('_flakeid_functions.flakeid_counted_id(%L::text, tick, k)', type);
        place := format('_flakeid_functions.flakeid_counter_of(%L::text, %I::bytea)', type, id_column);
        ours := 'true';
        IF type = 'uuid7' THEN
            making := format('encode(%s, ''hex''::text)::uuid', making);
            place := format('_flakeid_functions.flakeid_counter_of(%L::text, uuid_send(%I))', type, id_column);
        ELSE
            making := format('_flakeid_functions.%I(%s)', type || '_from_bytea', making);
        END IF;
    END CASE;
END
$$;

-- Check the arguments of a backfill and return what it needs to know: the type of the IDs
-- and the one whose ticks they count; how many places a tick has, and how many of these have
-- the first number; and, as expressions, what flakeid_backfill_time() returns, the order of
-- the rows, what flakeid_backfill_places() returns, and the functions and operators for a
-- range of IDs.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_rule(
    target regclass, id_column name, time_column name, number int, meta int, siq_type text,
    OUT home text, OUT type text, OUT ticks text, OUT capacity bigint, OUT each bigint,
    OUT instant text, OUT from_on text, OUT row_order text, OUT making text, OUT place text, OUT ours text, OUT at_or_after text, OUT at_or_before text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kind "char";
    id_type regtype;
    numbers record;
BEGIN
    home := _flakeid_functions.flakeid_home();
    SELECT c.relkind INTO kind FROM pg_class AS c WHERE c.oid = target;
    IF kind NOT IN ('r', 'p') THEN
        RAISE '"%" is not a table', target USING ERRCODE = 'wrong_object_type';
    END IF;
    id_type := _flakeid_functions.flakeid_column_type(target, id_column);
    SELECT * INTO instant, from_on FROM _flakeid_functions.flakeid_backfill_time(target, time_column);
    type := CASE id_type WHEN 'uuid'::regtype THEN 'uuid7' ELSE _flakeid_functions.flakeid_own_type(id_type) END;
    IF type IS NULL OR type NOT IN ('sno', 'flax', 'siq', 'uid64', 'snowflake', 'uuid7', 'ulid', 'ksuid') THEN
        RAISE 'column "%" cannot be backfilled', id_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', id_type),
            HINT = 'Columns of type sno, flax, siq, uid64, snowflake, ulid, ksuid and uuid can. A uuid gets version 7.';
    END IF;
    PERFORM _flakeid_functions.flakeid_check_index(target, id_column);
    -- rows of the same instant are taken in the order of the primary key
    SELECT concat_ws(', ', quote_ident(time_column),
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)
        FROM pg_index AS i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
            JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = k.attnum
        WHERE i.indrelid = target AND i.indisprimary)) INTO row_order;

    IF meta NOT BETWEEN 0 AND 255 OR (meta <> 0 AND type <> 'sno') THEN
        RAISE 'meta is out of range for type %: %', type, meta
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 0 to 255 for sno, and 0 for all others.';
    ELSIF (type = 'siq') <> (siq_type <> '') THEN
        RAISE 'siq_type must be given for type siq, and only for it' USING ERRCODE = 'invalid_parameter_value', HINT = 'For example, siq_type => ''message''.';
    END IF;
    SELECT * INTO numbers FROM _flakeid_functions.flakeid_backfill_numbers(type, number);

    ticks := CASE type WHEN 'uuid7' THEN 'ulid' ELSE type END;
    SELECT * INTO each, making, place, ours
    FROM _flakeid_functions.flakeid_backfill_places(type, id_column, meta, siq_type, numbers.first, numbers.count, coalesce(numbers.domain, 0));
    at_or_after := format('%I OPERATOR(pg_catalog.>=) %s.%I', id_column, home, type || '_min');
    at_or_before := format('%I OPERATOR(pg_catalog.<=) %s.%I', id_column, home, type || '_max');
    capacity := each * numbers.count;
END
$$;

-- Give IDs to the first rows without one from "start" on, a text of the time column
-- ('': from the first row on).  Return how many rows there were and how far it got; how many
-- of them have an ID of an earlier instant ("rounded"), of a later partition, shard or worker
-- than the first ("next_numbers"), and of a later tick than their own, which was full ("moved").
-- The column itself shows which places of a tick are taken, so an interrupted backfill can be
-- continued.  A row gets the place after that of the previous row, or the start of its own
-- tick if that is later, and never a place that is taken.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_batch(
    target regclass, id_column name, time_column name, batch int,
    number int, meta int, siq_type text, start text,
    OUT count bigint, OUT reached text, OUT rounded bigint, OUT most_lost interval,
    OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    rule record;
    tables oid[];
    rows tid[];
    instants timestamptz[];
    least_places numeric[];    -- the earliest place of each row: tick * capacity + place in the tick
    places numeric[];
    taken bigint;
    changed bigint;
BEGIN
    PERFORM _flakeid_functions.flakeid_lock_backfill(target);
    SELECT * INTO rule FROM _flakeid_functions.flakeid_backfill_rule(target, id_column, time_column, number, meta, siq_type);
    -- a batch is a small part of the table, whatever the estimates say
    PERFORM set_config('enable_seqscan'::text, 'off'::text, true);

    -- A row whose time was changed while this waited for its lock has its new time in its old
    -- place, so the rows are sorted again.  The next batch begins where the last row in the old
    -- order is: one changed time must not make the pass skip rows.
    EXECUTE format(
        'WITH picked AS MATERIALIZED (
            SELECT tableoid AS relation, ctid AS row, %1$s AS at, %2$I::text AS reached, ROW(%6$s) AS rank FROM %3$s
            WHERE %4$I IS NULL AND %1$s IS NOT NULL %5$s
            ORDER BY %6$s LIMIT %7$s FOR UPDATE
        ), numbered AS (
            SELECT *, row_number() OVER () AS n FROM picked
        )
        SELECT count(*), array_agg(relation ORDER BY rank), array_agg(row ORDER BY rank), array_agg(at ORDER BY rank),
            (array_agg(reached ORDER BY n))[count(*)],
            array_agg(_flakeid_functions.flakeid_tick_of(%8$L::text, at)::numeric * %9$s ORDER BY rank)
        FROM numbered',
        rule.instant, time_column, target, id_column,
        CASE WHEN start <> '' THEN 'AND ' || format(rule.from_on, start) END, rule.row_order, batch, rule.ticks, rule.capacity)
    INTO count, tables, rows, instants, reached, least_places;
    IF count = 0 THEN
        reached := '';
        RETURN;
    END IF;

    LOOP
        SELECT array_agg(p.place ORDER BY p.i) INTO places
        FROM (SELECT u.i, u.i + max(u.l - u.i) OVER (ORDER BY u.i) AS place FROM unnest(least_places) WITH ORDINALITY AS u (l, i)) AS p;
        EXIT WHEN rule.type = 'flax';
        EXECUTE format(
            'WITH taken AS MATERIALIZED (
                SELECT tick, tick::numeric * %1$s + max(place) + 1 AS free
                FROM (
                    SELECT _flakeid_functions.flakeid_tick_of(%3$L::text, %2$s.%4$I(%5$I)::timestamptz) AS tick, %6$s AS place FROM %7$s
                    WHERE %8$s(_flakeid_functions.flakeid_tick_start(%3$L::text, div($1[1], %1$s)::bigint))
                        AND %9$s(_flakeid_functions.flakeid_tick_start(%3$L::text, div($1[$2], %1$s)::bigint)) AND %10$s
                ) AS present
                GROUP BY tick
            )
            SELECT count(t.free), array_agg(coalesce(t.free, p.place) ORDER BY p.i)
            FROM unnest($1) WITH ORDINALITY AS p (place, i)
                LEFT JOIN taken AS t ON t.tick = div(p.place, %1$s)::bigint AND p.place < t.free',
            rule.capacity, home, rule.ticks, rule.type || '_timestamp', id_column, rule.place, target,
            rule.at_or_after, rule.at_or_before, rule.ours)
        INTO taken, least_places USING places, count;
        EXIT WHEN taken = 0;
    END LOOP;

    EXECUTE format(
        'WITH made AS MATERIALIZED (
            SELECT relation, row, due, k, %1$s AS id
            FROM (
                SELECT u.relation, u.row, u.due, p.k, p.tick, _flakeid_functions.flakeid_tick_start(%3$L::text, p.tick) AS at
                FROM unnest($1, $2, $3, $4) AS u (relation, row, due, place)
                    CROSS JOIN LATERAL (SELECT mod(place, %4$s)::bigint AS k, div(place, %4$s)::bigint AS tick) AS p
            ) AS places
        ), changed AS (
            UPDATE %5$s AS t SET %6$I = made.id FROM made WHERE t.ctid = ANY ($2) AND t.ctid = made.row AND t.tableoid = made.relation
            RETURNING t.%6$I
        ), compared AS (
            SELECT k, due, %2$s.%7$I(id)::timestamptz AS at FROM made
        )
        SELECT (SELECT count(%6$I) FROM changed), count(*) FILTER (WHERE at < due), coalesce(max(due - at), ''0''),
            count(*) FILTER (WHERE k >= %8$s), count(*) FILTER (WHERE at > due), coalesce(max(at - due), ''0'')
        FROM compared',
        rule.making, home, rule.ticks, rule.capacity, target, id_column, rule.type || '_timestamp', rule.each)
    INTO changed, rounded, most_lost, next_numbers, moved, most_moved USING tables, rows, instants, places;
    IF changed < count THEN
        RAISE 'a trigger keeps rows of table "%" from getting an ID', target
            USING ERRCODE = 'triggered_action_exception', DETAIL = format('Only %s of %s rows have one.', changed, count);
    END IF;
END
$$;

-- Count the rows that a backfill has left without a value.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_left(target regclass, column_name name) RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    count bigint;
BEGIN
    PERFORM _flakeid_functions.flakeid_hold(target, false);
    EXECUTE format('SELECT count(*) FROM %s WHERE %I IS NULL', target, column_name) INTO count;
    RETURN count;
END
$$;

-- A procedure with a SET clause for search_path could not commit.  So these set the
-- search_path in each of their transactions, before they look anything up, and the types
-- of their variables are qualified.
-- Row security that applies to the caller is an error, because the rows that it hides would
-- silently be left out.
CREATE PROCEDURE flakeid_backfill(
    target regclass, id_column name, time_column name, batch int DEFAULT 10000,
    number int DEFAULT -1, meta int DEFAULT 0, siq_type text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    start pg_catalog.text := '';
    was_first pg_catalog.bool;
    done pg_catalog.record;
    rows pg_catalog.int8 := 0;
    rounded pg_catalog.int8 := 0;
    most_lost pg_catalog.interval := '0';
    next_numbers pg_catalog.int8 := 0;
    moved pg_catalog.int8 := 0;
    most_moved pg_catalog.interval := '0';
    left_out pg_catalog.int8;
    told pg_catalog.timestamptz;    -- when the last NOTICE was
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    SET LOCAL row_security = off;
    IF target IS NULL OR id_column IS NULL OR time_column IS NULL OR number IS NULL OR meta IS NULL OR siq_type IS NULL THEN
        RAISE 'arguments of flakeid_backfill must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch IS NULL OR batch NOT BETWEEN 1 AND 1000000 THEN
        RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 1 to 1000000 rows.';
    END IF;
    told := clock_timestamp();

    LOOP
        PERFORM set_config('application_name'::text, format('flakeid_backfill: %s rows of %s.%I', rows, target, id_column)::name::text, true);
        SELECT * INTO done FROM _flakeid_functions.flakeid_backfill_batch(target, id_column, time_column, batch, number, meta, siq_type, start);
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;
        SET LOCAL row_security = off;
        -- At the end start again with the first row, for rows that were added meanwhile.
        was_first := start = '';
        start := done.reached;
        EXIT WHEN done.count = 0 AND was_first;
        CONTINUE WHEN done.count = 0;
        rows := rows + done.count;
        rounded := rounded + done.rounded;
        most_lost := greatest(most_lost, done.most_lost);
        next_numbers := next_numbers + done.next_numbers;
        moved := moved + done.moved;
        most_moved := greatest(most_moved, done.most_moved);
        IF clock_timestamp() > told + interval '10 seconds' THEN
            RAISE NOTICE '% rows of table "%" have an ID so far, up to "%" %.', rows, target, time_column, done.reached;
            told := clock_timestamp();
        END IF;
    END LOOP;

    left_out := _flakeid_functions.flakeid_backfill_left(target, id_column);
    RAISE NOTICE '%', concat_ws(' ',
        format('%s rows of table "%s" got an ID.', rows, target),
        CASE WHEN rounded > 0 THEN format('For %s of them the ID''s time is earlier than "%s", by up to %s, because it has fewer digits.', rounded, time_column, most_lost) END,
        CASE WHEN (SELECT t.typname = 'flax' FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid WHERE a.attrelid = target AND a.attname = id_column)
            THEN 'IDs of one millisecond are in no order.' END,
        CASE WHEN next_numbers > 0 THEN format('%s of them got another partition, shard or worker, because too many rows share a tick.', next_numbers) END,
        CASE WHEN moved > 0 THEN format('%s of them got a later tick, by up to %s, because too many rows share a tick.', moved, most_moved) END,
        CASE WHEN left_out > 0 THEN format('%s rows have no time, and got no ID.', left_out) END);
END
$$;

-- Return the condition that a row of the parent, p, has the key to which a row of the target, c,
-- refers.  The operator is that of the key's index.  If it is not in pg_catalog, both sides are
-- cast to the type that it compares, so that it cannot be another one of its name.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_match(parent regclass, key_column name, reference_column name) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    match text;
BEGIN
    SELECT format('p.%1$I::%2$s OPERATOR(%3$s.%4$s) c.%5$I::%2$s', key_column, format_type(o.oprleft, -1), o.oprnamespace::regnamespace, o.oprname, reference_column)
    INTO match
    FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] JOIN pg_opclass AS c ON c.oid = i.indclass[0]
        JOIN pg_amop AS m ON m.amopfamily = c.opcfamily AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype
        JOIN pg_operator AS o ON o.oid = m.amopopr
    WHERE i.indrelid = parent AND a.attname = key_column AND i.indisvalid AND i.indpred IS NULL AND o.oprcanhash
        AND o.oprnamespace <> 'pg_catalog'::regnamespace;
    RETURN coalesce(match, format('p.%I OPERATOR(pg_catalog.=) c.%I', key_column, reference_column));
END
$$;

-- Fill a referring column in the rows of some pages of a table, and return how many rows were
-- filled.  A column that has a value keeps it.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_pages(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name,
    first_page bigint, end_page bigint
) RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    lookup text;
    count bigint;
    filled bigint;
BEGIN
    PERFORM _flakeid_functions.flakeid_lock_backfill(target);
    -- A subquery finds each row by the key's index.  A join would be planned by the statistics of
    -- a column that was NULL until a moment ago: each row of the parent, which seems to have one,
    -- would be compared with all rows of the batch.  Rows for which it finds nothing are left alone.
    lookup := format('(SELECT p.%1$I FROM %2$s AS p WHERE %3$s AND p.%1$I IS NOT NULL LIMIT 1)', parent_column,
        _flakeid_functions.flakeid_hold(parent, false), _flakeid_functions.flakeid_backfill_match(parent, key_column, reference_column));
    EXECUTE format(
        'WITH changed AS (
            UPDATE ONLY %1$s AS c SET %2$I = %3$s
            WHERE c.%2$I IS NULL AND c.ctid >= ''(%4$s,0)''::tid AND c.ctid < ''(%5$s,0)''::tid AND %3$s IS NOT NULL
            RETURNING c.%2$I
        )
        SELECT count(*), count(%2$I) FROM changed', target, id_column, lookup, first_page, end_page)
    INTO count, filled;
    IF filled < count THEN
        RAISE 'a trigger keeps rows of table "%" from getting an ID', target
            USING ERRCODE = 'triggered_action_exception', DETAIL = format('Only %s of %s rows have one.', filled, count);
    END IF;
    RETURN count;
END
$$;

-- Check the arguments of flakeid_backfill_reference().  Return the tables that have the rows,
-- and about how many pages of each a batch of rows takes.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_leaves(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name, batch int,
    OUT leaf regclass, OUT pages bigint
) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    types regtype[];
BEGIN
    -- both are planned and read with the rights of the caller
    PERFORM _flakeid_functions.flakeid_check_owner(target);
    PERFORM _flakeid_functions.flakeid_check_owner(parent);
    IF EXISTS (SELECT FROM pg_class AS c WHERE c.oid IN (target, parent) AND c.relkind NOT IN ('r', 'p')) THEN
        RAISE '"%" and "%" are not both tables', target, parent USING ERRCODE = 'wrong_object_type';
    END IF;
    types := ARRAY[_flakeid_functions.flakeid_column_type(target, id_column), _flakeid_functions.flakeid_column_type(parent, parent_column),
        _flakeid_functions.flakeid_column_type(target, reference_column), _flakeid_functions.flakeid_column_type(parent, key_column)];
    IF types[1] <> types[2] THEN
        RAISE 'columns "%" and "%" have different types', id_column, parent_column
            USING ERRCODE = 'datatype_mismatch', DETAIL = format('Their types are %s and %s.', types[1], types[2]);
    END IF;
    PERFORM _flakeid_functions.flakeid_check_index(parent, key_column);
    RETURN QUERY
    SELECT t.relid, greatest(CASE WHEN c.reltuples > 0 THEN batch::numeric * c.relpages / c.reltuples::numeric ELSE batch / 100 END, 1)::bigint
    FROM (
        SELECT target AS relid WHERE NOT EXISTS (SELECT FROM pg_partitioned_table AS p WHERE p.partrelid = target)
        UNION ALL SELECT p.relid FROM pg_partition_tree(target) AS p WHERE p.isleaf AND p.relid <> target
    ) AS t JOIN pg_class AS c ON c.oid = t.relid
    ORDER BY t.relid;
END
$$;

CREATE PROCEDURE flakeid_backfill_reference(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name,
    batch int DEFAULT 10000
)
    LANGUAGE plpgsql
AS $$
DECLARE
    leaves pg_catalog.oid[];
    steps pg_catalog.int8[];
    page pg_catalog.int8;
    pages pg_catalog.int8;
    count pg_catalog.int8;
    filled pg_catalog.int8;         -- in this pass
    rows pg_catalog.int8 := 0;      -- in all of them
    left_out pg_catalog.int8;
    told pg_catalog.timestamptz;    -- when the last NOTICE was
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    SET LOCAL row_security = off;
    IF target IS NULL OR id_column IS NULL OR reference_column IS NULL OR parent IS NULL OR key_column IS NULL OR parent_column IS NULL THEN
        RAISE 'arguments of flakeid_backfill_reference must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch IS NULL OR batch NOT BETWEEN 1 AND 1000000 THEN
        RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 1 to 1000000 rows.';
    END IF;
    SELECT array_agg(l.leaf), array_agg(l.pages) INTO leaves, steps
    FROM _flakeid_functions.flakeid_backfill_leaves(target, id_column, reference_column, parent, key_column, parent_column, batch) AS l;
    told := clock_timestamp();

    -- Writers may move rows to pages that the pass has already done, so it ends with a pass that
    -- finds nothing to do.
    LOOP
        filled := 0;
        FOR i IN 1 .. coalesce(cardinality(leaves), 0) LOOP
            page := 0;
            pages := pg_relation_size(leaves[i]::regclass) / current_setting('block_size')::int8;
            WHILE page < pages LOOP
                PERFORM set_config('application_name'::text, format('flakeid_backfill: %s rows of %s.%I', rows, target, id_column)::name::text, true);
                count := _flakeid_functions.flakeid_backfill_pages(leaves[i]::regclass, id_column, reference_column, parent, key_column, parent_column, page, page + steps[i]);
                COMMIT;
                SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
                SET LOCAL search_path = pg_catalog, pg_temp;
                SET LOCAL row_security = off;
                page := page + steps[i];
                filled := filled + count;
                rows := rows + count;
                IF clock_timestamp() > told + interval '10 seconds' THEN
                    RAISE NOTICE '% rows of table "%" refer by column "%" so far.', rows, target, id_column;
                    told := clock_timestamp();
                END IF;
            END LOOP;
        END LOOP;
        EXIT WHEN filled = 0;
    END LOOP;

    left_out := _flakeid_functions.flakeid_backfill_left(target, id_column);
    RAISE NOTICE '%', concat_ws(' ',
        format('%s rows of table "%s" now refer by column "%s".', rows, target, id_column),
        CASE WHEN left_out > 0 THEN format('%s rows refer to nothing, or to a row without a value.', left_out) END);
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_column_type(regclass, name) IS 'type of a column; an error if there is no such column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_own_type(regtype) IS 'name of a type of flakeid; NULL for other types';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_index(regclass, name) IS 'error unless an index begins with the column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_time(regclass, name) IS 'expression for the instant that a column holds, and condition that its value is at least another one';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_numbers(text, int) IS 'partitions, shards or workers of a backfill';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_places(text, name, int, text, int, int, bigint) IS 'how the IDs of a type fill a tick';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_rule(regclass, name, name, int, int, text) IS 'how flakeid_backfill makes the IDs of a column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_batch(regclass, name, name, int, int, int, text, text) IS 'a batch of flakeid_backfill';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_left(regclass, name) IS 'rows that have no value in a column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_match(regclass, name, name) IS 'condition that a row has the key to which another row refers';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_pages(regclass, name, name, regclass, name, name, bigint, bigint) IS 'a batch of flakeid_backfill_reference';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_leaves(regclass, name, name, regclass, name, name, int) IS 'the tables that flakeid_backfill_reference works on';
COMMENT ON PROCEDURE flakeid_backfill(regclass, name, name, int, int, int, text) IS 'give each row without an ID one of the row''s time, in batches with commits; call it again if it was interrupted';
COMMENT ON PROCEDURE flakeid_backfill_reference(regclass, name, name, regclass, name, name, int) IS 'fill a referring column from another column of the row that it refers to, in batches with commits; call it again if it was interrupted';
