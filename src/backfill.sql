/* ---------- numbering the rows that there are ---------- */

CREATE FUNCTION flakeid_tick_of(format text, at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_tick_start(format text, tick bigint) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flakeid_tick_of(text, timestamptz) IS 'tick of a type of ID that holds an instant';
COMMENT ON FUNCTION flakeid_tick_start(text, bigint) IS 'first microsecond of a tick of a type of ID';

-- Only flakeid_put_backfill() writes this table, and users see it through a view.  A dump
-- does not carry it: it says what was done on this server, and the table that is
-- backfilled itself says what is left to do.
CREATE TABLE _flakeid.backfill (
    schema name NOT NULL,
    name name NOT NULL,
    id_column name NOT NULL,
    time_column name NOT NULL,
    type name NOT NULL,
    number int NOT NULL,
    finished boolean NOT NULL,
    rows bigint NOT NULL,
    rounded bigint NOT NULL,
    most_lost interval NOT NULL,
    next_numbers bigint NOT NULL,
    moved bigint NOT NULL,
    most_moved interval NOT NULL,
    position text NOT NULL,
    started timestamptz NOT NULL,
    updated timestamptz NOT NULL,
    PRIMARY KEY (schema, name, id_column)
);
REVOKE ALL ON _flakeid.backfill FROM PUBLIC;

CREATE FUNCTION flakeid_put_backfill(schema text, name text, entry jsonb) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp;

CREATE VIEW flakeid_backfills AS
SELECT b.*
FROM _flakeid.backfill AS b
    JOIN pg_catalog.pg_namespace AS n ON n.nspname = b.schema
    JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = b.name
WHERE pg_catalog.pg_has_role(c.relowner, 'USAGE');
GRANT SELECT ON flakeid_backfills TO PUBLIC;

COMMENT ON TABLE _flakeid.backfill IS 'rows of the view flakeid_backfills';
COMMENT ON FUNCTION flakeid_put_backfill(text, text, jsonb) IS 'notes how far flakeid_backfill is, for the owner of the table';
COMMENT ON VIEW flakeid_backfills IS 'what flakeid_backfill has done, of your tables';
COMMENT ON COLUMN flakeid_backfills.schema IS 'schema of the table';
COMMENT ON COLUMN flakeid_backfills.name IS 'table';
COMMENT ON COLUMN flakeid_backfills.id_column IS 'column that gets the IDs';
COMMENT ON COLUMN flakeid_backfills.time_column IS 'column that tells their time';
COMMENT ON COLUMN flakeid_backfills.type IS 'type of the IDs';
COMMENT ON COLUMN flakeid_backfills.number IS 'first partition, shard or worker of the IDs; -1 if the type has none';
COMMENT ON COLUMN flakeid_backfills.finished IS 'false while the backfill is at work, and after it was interrupted: then call it again';
COMMENT ON COLUMN flakeid_backfills.rows IS 'rows that got an ID';
COMMENT ON COLUMN flakeid_backfills.rounded IS 'rows whose ID has an earlier instant than they, as it holds fewer digits';
COMMENT ON COLUMN flakeid_backfills.most_lost IS 'the most by which the ID''s instant is earlier than the row''s';
COMMENT ON COLUMN flakeid_backfills.next_numbers IS 'rows whose ID has a later partition, shard or worker than the first, because too many rows share a tick';
COMMENT ON COLUMN flakeid_backfills.moved IS 'rows whose ID has a later tick than their own, which was full';
COMMENT ON COLUMN flakeid_backfills.most_moved IS 'the most by which the ID''s instant is later than the row''s';
COMMENT ON COLUMN flakeid_backfills.position IS 'value of the time column that the backfill has reached';
COMMENT ON COLUMN flakeid_backfills.started IS 'when the backfill began';
COMMENT ON COLUMN flakeid_backfills.updated IS 'when the last batch was done';

-- Check the arguments of a backfill and return what it needs to know: the type of the IDs,
-- the order of the rows, and, as expressions, the time in the time column, the ID of the
-- tick's instant $1 and the place k in the tick, and the place of an ID.
CREATE FUNCTION flakeid_backfill_rule(
    target regclass, id_column name, time_column name, number int, meta int, siq_type text,
    OUT type text, OUT first int, OUT capacity bigint, OUT each bigint,
    OUT instant text, OUT row_order text, OUT making text, OUT place text, OUT ours text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := '@extschema@';
    kind "char";
    id_type oid;
    time_type oid;
    numbers int := 1;    -- how many partitions, shards or workers the backfill may fill
    highest int;
    own int;
    domain bigint;
    bits int;
BEGIN
    SELECT relkind INTO kind FROM pg_class WHERE oid = target;
    IF kind NOT IN ('r', 'p') THEN
        RAISE '"%" is not a table', target USING ERRCODE = 'wrong_object_type';
    END IF;
    SELECT atttypid INTO id_type FROM pg_attribute WHERE attrelid = target AND attname = id_column AND attnum > 0;
    IF NOT FOUND THEN
        RAISE 'column "%" of table "%" does not exist', id_column, target
            USING ERRCODE = 'undefined_column', HINT = 'Add it with ALTER TABLE ... ADD COLUMN ... sno, which does not rewrite the table.';
    END IF;
    SELECT atttypid INTO time_type FROM pg_attribute WHERE attrelid = target AND attname = time_column AND attnum > 0;
    IF NOT FOUND THEN
        RAISE 'column "%" of table "%" does not exist', time_column, target USING ERRCODE = 'undefined_column';
    END IF;

    SELECT f.name INTO type FROM @extschema@.flakeid_formats AS f
    WHERE to_regtype(format('%s.%I', home, f.name)) = id_type;
    IF type IS NULL OR type NOT IN ('sno', 'flax', 'siq', 'uid64', 'snowflake') THEN
        RAISE 'column "%" cannot be backfilled', id_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', format_type(id_type, NULL)),
            HINT = 'sno, flax, siq, uid64 and snowflake can, as they sort by time.';
    END IF;
    -- without an index, every batch would read the table to find the greatest ID of a tick
    IF NOT EXISTS (
        SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = target AND a.attname = id_column
        WHERE i.indrelid = target AND i.indisvalid AND i.indkey[0] = a.attnum AND i.indpred IS NULL
    ) THEN
        RAISE 'column "%" of table "%" has no index', id_column, target
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('CREATE UNIQUE INDEX CONCURRENTLY ON %s (%I);', target, id_column);
    END IF;

    instant := CASE
        WHEN time_type IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) THEN '%1$I::timestamptz'
        WHEN time_type = 'uuid'::regtype THEN home || '.uuid7_timestamp(%1$I)::timestamptz'
        WHEN time_type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN home || '.ulid_timestamp(%1$I::text)::timestamptz'
        ELSE (SELECT format('%s.%I(%%1$I)::timestamptz', home, f.name || '_timestamp') FROM @extschema@.flakeid_formats AS f
            WHERE to_regtype(format('%s.%I', home, f.name)) = time_type)
    END;
    IF instant IS NULL THEN
        RAISE 'column "%" does not tell the time', time_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', format_type(time_type, NULL)),
            HINT = 'Times, dates, uuid of version 7, ULIDs as text, and IDs of flakeid do.';
    END IF;
    instant := format(instant, time_column);
    -- rows of the same instant come in the order of the primary key
    SELECT concat_ws(', ', quote_ident(time_column),
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)
        FROM pg_index AS i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
            JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = k.attnum
        WHERE i.indrelid = target AND i.indisprimary)) INTO row_order;

    IF meta NOT BETWEEN 0 AND 255 OR (meta <> 0 AND type <> 'sno') THEN
        RAISE 'meta is out of range for type %: %', type, meta
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It is 0 to 255 for sno, and 0 for all others.';
    ELSIF (type = 'siq') <> (siq_type <> '') THEN
        RAISE 'siq_type is for siq, which needs one' USING ERRCODE = 'invalid_parameter_value', HINT = 'Such as siq_type => ''message''.';
    END IF;

    -- Take numbers that this database's own generator does not use, so that the backfill
    -- makes none of its IDs, not even one that is not in the table any more.
    IF type IN ('sno', 'siq', 'snowflake') THEN
        numbers := CASE type WHEN 'sno' THEN 128 WHEN 'siq' THEN 16 ELSE 1 END;
        highest := CASE type WHEN 'sno' THEN 65535 WHEN 'siq' THEN 255 ELSE 31 END;
        SELECT CASE type WHEN 'sno' THEN c.sno_partition WHEN 'siq' THEN c.siq_shard ELSE c.snowflake_worker END, c.siq_domain
        INTO own, domain FROM @extschema@.flakeid_clock AS c;
        first := number;
        IF first = -1 THEN
            first := highest - numbers + 1;
            IF own >= first THEN
                first := first - numbers;
            END IF;
        END IF;
        numbers := least(numbers, highest - first + 1);
        IF first NOT BETWEEN 0 AND highest THEN
            RAISE 'number is out of range for type %: %', type, number
                USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is 0 to %s.', highest);
        ELSIF own BETWEEN first AND first + numbers - 1 THEN
            RAISE 'number % of type % is this database''s own', own, type
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A backfill from number %s on uses the numbers up to %s.', first, first + numbers - 1),
                HINT = 'Leave the argument number out, or choose numbers that no server makes new IDs with.';
        END IF;
    ELSIF number <> -1 THEN
        RAISE 'type % has no partitions, shards or workers', type USING ERRCODE = 'invalid_parameter_value';
    ELSE
        first := -1;
    END IF;

    CASE type
    WHEN 'sno' THEN
        each := 65536;
        making := format('%s.sno_make($1, %s, %s + (k / 65536)::int, (k %% 65536)::int)', home, meta, first);
        place := format('(%1$s.sno_partition(%2$I) - %3$s)::bigint * 65536 + %1$s.sno_sequence(%2$I)', home, id_column, first);
        ours := format('NOT %1$s.sno_tick_tock(%2$I) AND %1$s.sno_meta(%2$I) = %3$s AND %1$s.sno_partition(%2$I) BETWEEN %4$s AND %5$s',
            home, id_column, meta, first, first + numbers - 1);
    WHEN 'siq' THEN
        -- how many bits of the last 16 the type takes is where a serial of 1 stands
        EXECUTE format('SELECT log(2, (get_byte(b, 12) * 256 + get_byte(b, 13)) - (get_byte(a, 12) * 256 + get_byte(a, 13)))::int
            FROM CAST(%1$s.siq_make(''2020-01-01Z'', 0, 0, 1, %2$L) AS bytea) AS b, CAST(%1$s.siq_make(''2020-01-01Z'', 0, 0, 0, %2$L) AS bytea) AS a',
            home, siq_type) INTO bits;
        each := 65536 >> bits;
        making := format('%s.siq_make($1, %s + (k / %s)::int, %s, (k %% %3$s)::int, %5$L)', home, first, each, domain, siq_type);
        place := format('(%1$s.siq_shard(%2$I) - %3$s)::bigint * %4$s + %1$s.siq_serial(%2$I)', home, id_column, first, each);
        ours := format('%1$s.siq_domain(%2$I) = %3$s AND %1$s.siq_type_of(%2$I) = %4$L AND %1$s.siq_shard(%2$I) BETWEEN %5$s AND %6$s',
            home, id_column, domain, siq_type, first, first + numbers - 1);
    WHEN 'snowflake' THEN
        each := 131072;
        making := format('%s.snowflake_make($1, %s + (k / 131072)::int, (k / 4096 %% 32)::int, (k %% 4096)::int)', home, first);
        place := format('((%1$s.snowflake_worker(%2$I) - %3$s)::bigint * 32 + %1$s.snowflake_process(%2$I)) * 4096 + %1$s.snowflake_sequence(%2$I)',
            home, id_column, first);
        ours := format('%s.snowflake_worker(%I) BETWEEN %s AND %s', home, id_column, first, first + numbers - 1);
    WHEN 'uid64' THEN
        each := 16384;
        making := format('%s.uid64_make($1, k::int)', home);
        place := format('%s.uid64_sequence(%I)::bigint', home, id_column);
        ours := 'true';
    WHEN 'flax' THEN
        -- all other bits are random: IDs of one millisecond are in no order, and never too many
        each := 9223372036854775807;
        making := format('%s.flax_new_at($1)', home);
        place := '0::bigint';
        ours := 'false';
    END CASE;
    capacity := CASE type WHEN 'flax' THEN 1000000000 ELSE each * numbers END;
END
$$;

-- Give IDs to the first rows without one from "start" on, a text of the time column
-- ('': from the first row on), and return how many rows that were and how far it got.
-- The column itself tells which places of a tick are taken, whoever took them, so an
-- interrupted backfill can go on.  A row gets the place after that of the row before it,
-- or the start of its own tick if that is later, and never a place that is taken.
CREATE FUNCTION flakeid_backfill_batch(
    target regclass, id_column name, time_column name, batch int,
    number int, meta int, siq_type text, start text,
    OUT count int, OUT reached text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    who record;
    noted record;
    done record;
    tables oid[];
    rows tid[];
    instants timestamptz[];
    least_places numeric[];    -- the earliest place of each row: tick * capacity + place in the tick
    places numeric[];
    taken int;
BEGIN
    SELECT n.nspname AS schema, c.relname AS name INTO who
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = target;
    SELECT * INTO noted FROM @extschema@.flakeid_backfills AS b
    WHERE b.schema = who.schema AND b.name = who.name AND b.id_column = flakeid_backfill_batch.id_column;
    -- an interrupted backfill goes on with the number that it began with, whatever the settings are now
    SELECT * INTO rule FROM @extschema@.flakeid_backfill_rule(target, id_column, time_column,
        CASE WHEN number = -1 AND NOT noted.finished THEN noted.number ELSE number END, meta, siq_type);

    -- two backfills of one table take turns; nobody else waits for them
    PERFORM pg_advisory_xact_lock(hashtextextended('flakeid_backfill ' || target::oid, 0));
    -- a batch is a small part of the table, whatever the estimates say
    PERFORM set_config('enable_seqscan', 'off', true);

    EXECUTE format(
        'WITH picked AS MATERIALIZED (
            SELECT tableoid AS relation, ctid AS row, %1$s AS at, %2$I::text AS reached FROM %3$s
            WHERE %4$I IS NULL AND %1$s IS NOT NULL %5$s
            ORDER BY %6$s LIMIT %7$s FOR UPDATE
        )
        SELECT count(*), array_agg(relation), array_agg(row), array_agg(at), (array_agg(reached))[count(*)],
            array_agg(@extschema@.flakeid_tick_of(%8$L, at)::numeric * %9$s)
        FROM picked',
        rule.instant, time_column, target, id_column,
        CASE WHEN start <> '' THEN format('AND %I >= %L', time_column, start) END, rule.row_order, batch, rule.type, rule.capacity)
    INTO count, tables, rows, instants, reached, least_places;
    reached := coalesce(reached, '');
    SELECT 0::bigint AS rounded, interval '0' AS most_lost, 0::bigint AS next_numbers, 0::bigint AS moved, interval '0' AS most_moved INTO done;

    IF count > 0 THEN
        LOOP
            SELECT array_agg(p.place ORDER BY p.i) INTO places
            FROM (SELECT i, i + max(l - i) OVER (ORDER BY i) AS place FROM unnest(least_places) WITH ORDINALITY AS u (l, i)) AS p;
            EXIT WHEN rule.type = 'flax';
            EXECUTE format(
                'WITH taken AS MATERIALIZED (
                    SELECT tick, tick::numeric * %1$s + max(place) + 1 AS free
                    FROM (
                        SELECT @extschema@.flakeid_tick_of(%2$L, @extschema@.%3$I(%4$I)) AS tick, %5$s AS place FROM %6$s
                        WHERE %4$I OPERATOR(@extschema@.>=) @extschema@.%7$I(@extschema@.flakeid_tick_start(%2$L, div($1[1], %1$s)::bigint))
                            AND %4$I OPERATOR(@extschema@.<=) @extschema@.%8$I(@extschema@.flakeid_tick_start(%2$L, div($1[$2], %1$s)::bigint)) AND %9$s
                    ) AS present
                    GROUP BY tick
                )
                SELECT count(t.free), array_agg(coalesce(t.free, p.place) ORDER BY p.i)
                FROM unnest($1) WITH ORDINALITY AS p (place, i)
                    LEFT JOIN taken AS t ON t.tick = div(p.place, %1$s)::bigint AND p.place < t.free',
                rule.capacity, rule.type, rule.type || '_timestamp', id_column, rule.place, target,
                rule.type || '_min', rule.type || '_max', rule.ours)
            INTO taken, least_places USING places, count;
            EXIT WHEN taken = 0;
        END LOOP;

        EXECUTE format(
            'WITH made AS MATERIALIZED (
                SELECT relation, row, at, k, %1$s AS id
                FROM (
                    SELECT relation, row, at, mod(place, %2$s)::bigint AS k, @extschema@.flakeid_tick_start(%3$L, div(place, %2$s)::bigint) AS tick_at
                    FROM unnest($1, $2, $3, $4) AS u (relation, row, at, place)
                ) AS p
            ), changed AS (
                UPDATE %4$s AS t SET %5$I = made.id FROM made WHERE t.ctid = ANY ($2) AND t.ctid = made.row AND t.tableoid = made.relation
                RETURNING t.%5$I
            )
            SELECT (SELECT count(%5$I) FROM changed) AS rows, count(*) FILTER (WHERE @extschema@.%6$I(id) < at) AS rounded,
                coalesce(max(at - @extschema@.%6$I(id)), ''0'') AS most_lost,
                count(*) FILTER (WHERE k >= %7$s) AS next_numbers,
                count(*) FILTER (WHERE @extschema@.%6$I(id) > at) AS moved,
                coalesce(max(@extschema@.%6$I(id) - at), ''0'') AS most_moved
            FROM made',
            replace(rule.making, '$1', 'tick_at'), rule.capacity, rule.type, target, id_column, rule.type || '_timestamp', rule.each)
        INTO done USING tables, rows, instants, places;
        IF done.rows < count THEN
            RAISE 'a trigger keeps rows of table "%" from getting an ID', target
                USING ERRCODE = 'triggered_action_exception', DETAIL = format('Of %s rows %s have one.', count, done.rows);
        END IF;
    END IF;

    -- add up this backfill, and the interrupted one that it goes on with
    PERFORM @extschema@.flakeid_put_backfill(who.schema, who.name, jsonb_build_object(
        'id_column', id_column, 'time_column', time_column, 'type', rule.type, 'number', rule.first,
        'finished', count = 0 AND start = '',
        'rows', count + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.rows, 0) END,
        'rounded', done.rounded + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.rounded, 0) END,
        'most_lost', greatest(done.most_lost, CASE WHEN NOT noted.finished THEN noted.most_lost END, '0'),
        'next_numbers', done.next_numbers + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.next_numbers, 0) END,
        'moved', done.moved + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.moved, 0) END,
        'most_moved', greatest(done.most_moved, CASE WHEN NOT noted.finished THEN noted.most_moved END, '0'),
        'position', CASE WHEN count > 0 THEN reached ELSE coalesce(noted.position, '') END,
        'started', CASE WHEN NOT noted.finished THEN noted.started ELSE now() END,
        'updated', clock_timestamp()));
END
$$;

-- Say what a finished backfill has done, for a NOTICE.
CREATE FUNCTION flakeid_backfill_report(target regclass, id_column name, time_column name) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    b record;
    left_out bigint;
BEGIN
    SELECT f.* INTO b FROM @extschema@.flakeid_backfills AS f JOIN pg_namespace AS n ON n.nspname = f.schema
        JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = f.name
    WHERE c.oid = target AND f.id_column = flakeid_backfill_report.id_column;
    EXECUTE format('SELECT count(*) FROM %s WHERE %I IS NULL', target, id_column) INTO left_out;
    RETURN concat_ws(' ',
        format('%s rows of table "%s" got an ID.', b.rows, target),
        CASE WHEN b.rounded > 0 THEN format('Of %s the ID''s time is earlier than "%s", by up to %s: it has no more digits.', b.rounded, time_column, b.most_lost) END,
        CASE WHEN b.type = 'flax' THEN 'Those of one millisecond are in no order.' END,
        CASE WHEN b.next_numbers > 0 THEN format('So many share a tick that %s got a partition, shard or worker after the first.', b.next_numbers) END,
        CASE WHEN b.moved > 0 THEN format('So many share a tick that %s got a later one, by up to %s.', b.moved, b.most_moved) END,
        CASE WHEN left_out > 0 THEN format('%s rows have no time, and got none.', left_out) END);
END
$$;

-- A procedure with a SET clause for search_path could not commit.  So this one sets the
-- search_path in each of its transactions, before it looks anything up.
CREATE PROCEDURE flakeid_backfill(
    target regclass, id_column name, time_column name, batch int DEFAULT 10000,
    number int DEFAULT -1, meta int DEFAULT 0, siq_type text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    start text := '';
    rows int;
BEGIN
    -- first, so that a call within a transaction fails at once
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    IF target IS NULL OR id_column IS NULL OR time_column IS NULL OR number IS NULL OR meta IS NULL OR siq_type IS NULL THEN
        RAISE 'arguments of flakeid_backfill must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch IS NULL OR batch NOT BETWEEN 1 AND 1000000 THEN
        RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It is 1 to 1000000 rows.';
    END IF;

    LOOP
        SELECT b.count, b.reached INTO rows, start
        FROM @extschema@.flakeid_backfill_batch(target, id_column, time_column, batch, number, meta, siq_type, start) AS b;
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;
        -- At the end begin once more with the first row, for rows that came meanwhile.
        EXIT WHEN rows = 0 AND (
            SELECT f.finished FROM @extschema@.flakeid_backfills AS f JOIN pg_namespace AS n ON n.nspname = f.schema
                JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = f.name
            WHERE c.oid = target AND f.id_column = flakeid_backfill.id_column);
    END LOOP;
    RAISE NOTICE '%', @extschema@.flakeid_backfill_report(target, id_column, time_column);
END
$$;

COMMENT ON FUNCTION flakeid_backfill_rule(regclass, name, name, int, int, text) IS 'how flakeid_backfill makes the IDs of a column';
COMMENT ON FUNCTION flakeid_backfill_batch(regclass, name, name, int, int, int, text, text) IS 'a batch of flakeid_backfill';
COMMENT ON FUNCTION flakeid_backfill_report(regclass, name, name) IS 'what flakeid_backfill did, in words';
COMMENT ON PROCEDURE flakeid_backfill(regclass, name, name, int, int, int, text) IS 'give the rows without an ID one of their time, in batches with commits; call it again if it was interrupted';
