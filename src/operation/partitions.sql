/* ---------- partitions by time ---------- */

-- What the functions below need to know of a table, which the caller must own: the
-- extension's schema; the partition key's column, its name in messages, and the span of its
-- IDs; as expressions, the least ID from the instant "at" on, and the instant of the ID
-- "bound"; and as a query, the bounds of the partitions of $1 as instants, NULL for the
-- default partition.  A bound is "exact" if it is the least ID of its instant.
--
-- This is the only place that knows what a layout is: '' is one of our own types, uuid7 and
-- ulid are for uuid, and the names in flakeid_layouts are for bigint, as are the caller's own
-- layouts, which are written as their arguments, the epoch with its time zone.
CREATE FUNCTION _flakeid_functions.flakeid_partition_rule(
    parent regclass, layout text,
    OUT home text, OUT key_column name, OUT what text, OUT first_at timestamptz, OUT last_at timestamptz,
    OUT least_id text, OUT instant text, OUT bounds text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    key record;
    layout_type regtype := CASE WHEN layout IN ('uuid7', 'ulid') THEN 'uuid' ELSE 'bigint' END;
    layouts text[];
    own text[] := regexp_match(layout, '^epoch => ([0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9:.]+)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)), low_bits => ([0-9]{1,2})(?:, unit => ([0-9a-z.: ]+))?$');
    arguments text := CASE WHEN own IS NULL THEN format('%L::text', layout)
        ELSE format('%L::timestamptz, %s, %L::interval', own[1], own[2], coalesce(own[3], '1 ms')) END;
    types text;    -- our types that sort by time
BEGIN
    home := _flakeid_functions.flakeid_home();
    PERFORM _flakeid_functions.flakeid_check_owner(parent);
    IF EXISTS (SELECT FROM pg_class AS c WHERE c.oid = parent AND c.relpersistence = 't') THEN
        RAISE 'table "%" is temporary', parent
            USING ERRCODE = 'wrong_object_type', HINT = 'Create its partitions with CREATE TEMPORARY TABLE ... PARTITION OF.';
    END IF;

    EXECUTE format('SELECT (SELECT array_agg(l.name ORDER BY l.name) FROM %1$s.flakeid_layouts AS l),
        (SELECT string_agg(f.name, '', '') FROM %1$s.flakeid_formats AS f WHERE f.time_ordered)', home) INTO layouts, types;
    IF own IS NULL AND layout <> ALL (layouts || ARRAY['', 'uuid7', 'ulid']) THEN
        RAISE 'unrecognized layout: "%"', layout
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('The layouts are uuid7 and ulid for uuid, and for bigint %s.', array_to_string(layouts, ', ')),
            HINT = 'A layout of your own is written as ''epoch => 2020-01-01Z, low_bits => 22, unit => 1 ms''.';
    END IF;
    SELECT p.partstrat, p.partnatts, t.oid::regtype AS type, t.typname AS name, t.typnamespace = home::regnamespace AS is_ours,
        (SELECT a.attname FROM pg_attribute AS a WHERE a.attrelid = parent AND a.attnum = p.partattrs[0]) AS key_column
    INTO key FROM pg_partitioned_table AS p JOIN pg_opclass AS o ON o.oid = p.partclass[0] JOIN pg_type AS t ON t.oid = o.opcintype
    WHERE p.partrelid = parent;
    IF NOT FOUND OR key.partstrat <> 'r' THEN
        RAISE 'table "%" is not partitioned%', parent, CASE WHEN FOUND THEN ' by range' ELSE '' END
            USING ERRCODE = 'wrong_object_type', HINT = 'Create it with PARTITION BY RANGE on the ID.';
    ELSIF key.partnatts <> 1 THEN
        RAISE 'table "%" is partitioned by more than an ID', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key has %s columns.', key.partnatts),
            HINT = 'Partition by the ID alone; partitions can be partitioned in turn.';
    ELSIF layout <> '' AND key.type <> layout_type THEN
        RAISE 'table "%" is not partitioned by a %', parent, layout_type
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s, and layout %s is for %s.', key.type, layout, layout_type);
    ELSIF layout = '' AND NOT (key.is_ours AND key.name = ANY (string_to_array(types, ', '))) THEN
        RAISE 'table "%" is not partitioned by an ID that sorts by time', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s.', key.type),
            HINT = CASE key.type
                WHEN 'uuid'::regtype THEN 'Say by the argument layout how its IDs hold the time: uuid7 or ulid.'
                WHEN 'bigint'::regtype THEN 'Say by the argument layout how its IDs hold the time: a name in flakeid_layouts.'
                ELSE format('The types that sort by time are %s.', types) END;
    END IF;

    key_column := key.key_column;
    CASE
    WHEN layout = '' THEN
        EXECUTE format('SELECT f.epoch, f.last_timestamp FROM %s.flakeid_formats AS f WHERE f.name = $1', home) INTO first_at, last_at USING key.name;
        least_id := format('%s.%I(at)::text', home, key.name || '_min');
        instant := format('%1$s.%2$I(bound::%1$s.%3$I)', home, key.name || '_timestamp', key.name);
    WHEN layout_type = 'uuid'::regtype THEN
        first_at := '1970-01-01 00:00:00+00';
        last_at := '10889-08-02 05:31:50.655999+00';
        least_id := format('%s.%I(at)::text', home, CASE layout WHEN 'ulid' THEN 'ulid_uuid_min' ELSE 'uuid7_min' END);
        instant := format('%s.ulid_timestamp(bound::uuid)', home);    -- both have the same bits, and bounds have no version
    ELSE
        IF own IS NULL THEN
            EXECUTE format('SELECT l.epoch, l.last_timestamp FROM %s.flakeid_layouts AS l WHERE l.name = $1', home) INTO first_at, last_at USING layout;
        ELSE
            EXECUTE format('SELECT %1$s.layout_timestamp(0::bigint, %2$s), %1$s.layout_timestamp(%1$s.layout_min(timestamptz ''infinity'', %2$s) - 1, %2$s)',
                home, arguments) INTO first_at, last_at;
        END IF;
        least_id := format('%s.layout_min(at, %s)::text', home, arguments);
        instant := format('%s.layout_timestamp(bound::bigint, %s)', home, arguments);
    END CASE;
    what := CASE layout WHEN '' THEN 'type ' || key.name ELSE 'layout ' || layout END;
    -- pg_get_expr() locks nothing if it is given no table; pg_table_is_visible() is NULL for a
    -- partition that has been dropped since this statement began
    bounds := format(
        'SELECT c.oid AS relation, n.nspname, c.relname, c.relkind, i.inhdetachpending AS pending, lower.at AS lower_at, upper.at AS upper_at,
            upper.bound IS NULL OR upper.bound = (SELECT %2$s FROM (SELECT upper.at) AS v) AS exact
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
            LEFT JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, 0), %3$L) AS b ON true
            LEFT JOIN LATERAL (SELECT bound, CASE WHEN bound IS NULL THEN ''-infinity'' ELSE (%1$s)::timestamptz END AS at FROM (SELECT b[1]) AS v (bound)) AS lower ON b IS NOT NULL
            LEFT JOIN LATERAL (SELECT bound, CASE WHEN bound IS NULL THEN ''infinity'' ELSE (%1$s)::timestamptz END AS at FROM (SELECT b[2]) AS v (bound)) AS upper ON b IS NOT NULL
        WHERE i.inhparent = $1 AND pg_table_is_visible(c.oid) IS NOT NULL', instant, least_id, '^FOR VALUES FROM [(](?:''([^'']+)''|MINVALUE)[)] TO [(](?:''([^'']+)''|MAXVALUE)[)]$');
END
$$;

-- Return the whole months of a step, 0 if it is one of days, hours or less, or report an error.
CREATE FUNCTION _flakeid_functions.flakeid_step_months(step interval) RETURNS int
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    months int;
BEGIN
    IF NOT isfinite(step) OR step <= interval '0' THEN
        RAISE 'step must be greater than zero and finite'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step);
    END IF;
    months := extract(year FROM step) * 12 + extract(month FROM step);
    IF months <> 0 AND step - make_interval(months => months) <> interval '0' OR months < 0 THEN
        RAISE 'step mixes months with days or hours'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step),
            HINT = 'A step has months and years, such as 3 months, or weeks, days and less, such as 7 days.';
    END IF;
    RETURN months;
END
$$;

-- The queries for the first row of a partition from the instant $1 on, and for the last one
-- before it, as formats for the name that flakeid_hold() returns: each returns the instant of
-- that row.
CREATE FUNCTION _flakeid_functions.flakeid_partition_rows(
    parent regclass, layout text, OUT first_row text, OUT last_row text, OUT key_column name
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    type text;
    start text;
BEGIN
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    key_column := rule.key_column;
    SELECT o.opcintype::regtype::text INTO type FROM pg_partitioned_table AS p JOIN pg_opclass AS o ON o.oid = p.partclass[0] WHERE p.partrelid = parent;
    start := format('SELECT (%s)::timestamptz FROM (SELECT %I::text FROM ', rule.instant, key_column);
    first_row := format(' WHERE %1$I OPERATOR(pg_catalog.>=) (SELECT (%2$s)::%3$s FROM (SELECT $1) AS w (at)) ORDER BY %1$I LIMIT 1) AS v (bound)',
        key_column, rule.least_id, type);
    last_row := format(' WHERE %1$I OPERATOR(pg_catalog.<) (SELECT (%2$s)::%3$s FROM (SELECT $1) AS w (at)) ORDER BY %1$I DESC LIMIT 1) AS v (bound)',
        key_column, rule.least_id, type);
    first_row := replace(start, '%', '%%') || '%s' || replace(first_row, '%', '%%');
    last_row := replace(start, '%', '%%') || '%s' || replace(last_row, '%', '%%');
END
$$;

-- What the rows of a table show about the time that has passed, in UTC: the instant of the
-- newest row that is not in the future, and the pauses before it, in which the table has no
-- row.  A pause is longer than a day, or longer than the step if that is shorter.  A clock that
-- is set ahead leaves one, whether or not there are partitions for it, in one partition or
-- between two.  A gap that is usual in a table is no pause: if there were three before it that
-- were at least half as long, rows arrive only now and then, say every night or once a month.
--
-- Rows are looked up by an index of the key, half a day at a time from the newest one back; in
-- a partition without such an index only the first and the last row are.
CREATE FUNCTION _flakeid_functions.flakeid_partition_times(
    parent regclass, layout text, step interval, OUT newest timestamp, OUT pause_starts timestamp[], OUT pause_ends timestamp[]
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    longest CONSTANT interval := least(step, interval '1 day');
    rule record;
    queries record;
    part record;
    held text;               -- the partition's name, which cannot change any more
    passed text[];           -- queries for the first rows from the partition that holds "seen" back
    seen timestamptz;        -- rows are known of from here on
    found_at timestamptz;
    before timestamptz := now() + interval '1 second';    -- IDs run ahead of the clock by a few ticks
    next_at timestamptz;
BEGIN
    pause_starts := '{}';
    pause_ends := '{}';
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    SELECT * INTO queries FROM _flakeid_functions.flakeid_partition_rows(parent, layout);
    FOR part IN EXECUTE format('SELECT greatest(b.lower_at, $2) AS lower_at, b.relation, EXISTS (
            SELECT FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_am AS m ON m.oid = x.relam
                JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = b.relation AND a.attname = $3 AND m.amname = ''btree'' AND i.indisvalid AND i.indpred IS NULL) AS indexed
        FROM (%s) AS b WHERE b.lower_at <= now() AND NOT b.pending ORDER BY b.upper_at DESC', rule.bounds) USING parent, rule.first_at, queries.key_column LOOP
        BEGIN
            held := _flakeid_functions.flakeid_hold(part.relation::regclass, false);
        EXCEPTION WHEN undefined_table THEN
            CONTINUE;    -- it has been dropped since this statement began
        END;
        passed := format(queries.first_row, held) || passed;
        WHILE before > part.lower_at LOOP
            EXECUTE format(queries.last_row, held) INTO found_at USING before;
            EXIT WHEN found_at IS NULL;
            IF seen IS NULL THEN
                newest := least(found_at, now()) AT TIME ZONE 'UTC';
            ELSIF seen - found_at > longest THEN
                FOR i IN 1 .. cardinality(passed) LOOP
                    EXECUTE passed[i] INTO next_at USING before;
                    EXIT WHEN next_at IS NOT NULL;
                END LOOP;
                IF next_at - found_at > longest THEN
                    pause_starts := pause_starts || found_at AT TIME ZONE 'UTC';
                    pause_ends := pause_ends || next_at AT TIME ZONE 'UTC';
                END IF;
            END IF;
            seen := found_at;
            IF NOT part.indexed THEN
                EXECUTE passed[1] INTO seen USING part.lower_at;
                seen := coalesce(seen, found_at);
            END IF;
            before := seen - longest / 2;
            passed := passed[1:1];
        END LOOP;
    END LOOP;
    SELECT coalesce(array_agg(p.starts ORDER BY p.n), '{}') || timestamp '-infinity', coalesce(array_agg(p.ends ORDER BY p.n), '{}') || seen AT TIME ZONE 'UTC'
    INTO pause_starts, pause_ends FROM unnest(pause_starts, pause_ends) WITH ORDINALITY AS p (starts, ends, n)
    WHERE NOT EXISTS (SELECT FROM unnest(pause_starts, pause_ends) WITH ORDINALITY AS o (starts, ends, n)
        WHERE o.n > p.n AND (o.ends - o.starts) * 2 >= p.ends - p.starts OFFSET 2);
END
$$;

-- The steps of a table, in UTC: as an expression, the start of the step that holds "x".  They
-- continue from the last partition, which must be of that step; a step of 0 means its step.
CREATE FUNCTION _flakeid_functions.flakeid_partition_grid(parent regclass, layout text, INOUT step interval, OUT start text)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    last record;
    months int;
    anchor timestamp;
BEGIN
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    EXECUTE format('SELECT b.relation::regclass AS name, b.lower_at AT TIME ZONE ''UTC'' AS starts, b.upper_at AT TIME ZONE ''UTC'' AS ends, b.exact
        FROM (%s) AS b WHERE isfinite(b.lower_at) AND isfinite(b.upper_at) ORDER BY b.upper_at DESC LIMIT 1', rule.bounds) INTO last USING parent;
    IF step = interval '0' THEN
        months := extract(year FROM age(last.ends, last.starts)) * 12 + extract(month FROM age(last.ends, last.starts));
        step := CASE WHEN months > 0 AND last.starts + make_interval(months => months) = last.ends THEN make_interval(months => months)
            ELSE last.ends - last.starts END;
    END IF;
    IF step IS NULL THEN
        RETURN;    -- there is no partition
    END IF;
    months := _flakeid_functions.flakeid_step_months(step);

    -- without a partition, months are counted from 2000 on, weeks from the first Monday of 2000
    anchor := coalesce(last.starts, CASE WHEN months > 0 THEN timestamp '2000-01-01' ELSE timestamp '2000-01-03' END);
    IF last.starts + step <> last.ends OR NOT last.exact OR months > 0 AND extract(day FROM anchor) > 28 THEN
        RAISE 'step % does not fit the partitions of table "%"', step, parent
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('The last one, "%s", is from %s to %s.', last.name, last.starts AT TIME ZONE 'UTC', last.ends AT TIME ZONE 'UTC'),
            HINT = 'Use the step of the existing partitions; steps of months must begin before the 29th. To change the step, first create the next partition with flakeid_create_partitions(), from the end of the last one on.';
    END IF;
    start := CASE WHEN months > 0 THEN format('%1$L::timestamp + make_interval(months => (floor((extract(year FROM x) * 12 + extract(month FROM x) - %2$s
            - (x - date_trunc(''month'', x) < %3$L::interval)::int) / %4$s) * %4$s)::int)',
            anchor, extract(year FROM anchor) * 12 + extract(month FROM anchor), anchor - date_trunc('month', anchor), months)
        -- the origin is before all IDs, because date_bin() of 15.6, 16.2 and older is wrong for instants before its origin
        ELSE format('date_bin(%L::interval, x, %L::timestamp)', step, date_bin(step, timestamp '1970-01-01', anchor)) END;
END
$$;

-- Return by how much the clock was set ahead, as far as the server knows, if that is more
-- than flakeid.max_ahead: then nothing is removed until a person has checked the clock.
CREATE FUNCTION _flakeid_functions.flakeid_clock_doubt() RETURNS interval
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    jump interval := _flakeid_functions.flakeid_clock_jump();
BEGIN
    RETURN CASE WHEN jump > current_setting('flakeid.max_ahead')::interval THEN justify_interval(jump) END;
END
$$;

-- The partitions of a table, and what flakeid_maintain with the same arguments would do.
-- A step of 0 is that of the last partition, and creates none; a retain of 0 means forever.
--
-- A partition's age is measured in the table, not by the clock alone: it is the time from its
-- end to the newest row, or to now if that is earlier, without the pauses.  So neither a wrong
-- clock nor a table that is no longer written makes anything old.
CREATE FUNCTION flakeid_partitions(
    parent regclass, step interval DEFAULT '0', ahead int DEFAULT 2, retain interval DEFAULT '0',
    detach boolean DEFAULT false, at_most int DEFAULT 2, layout text DEFAULT '',
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz, OUT age interval,
    OUT rows bigint, OUT size bigint, OUT action text, OUT note text
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    bounds text;
    grid record;
    times record;
BEGIN
    IF ahead NOT BETWEEN 0 AND 1000 OR at_most < 0 OR retain < interval '0' OR NOT isfinite(retain) THEN
        RAISE 'ahead, retain or at_most is out of range'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('ahead is %s, retain %s, at_most %s.', ahead, retain, at_most),
            HINT = 'ahead must be 0 to 1000 partitions; retain and at_most must not be negative.';
    END IF;
    SELECT r.bounds INTO bounds FROM _flakeid_functions.flakeid_partition_rule(parent, layout) AS r;
    SELECT * INTO grid FROM _flakeid_functions.flakeid_partition_grid(parent, layout, step);
    -- to create partitions, no row has to be read
    SELECT * INTO times FROM _flakeid_functions.flakeid_partition_times(parent, layout, grid.step) WHERE step = interval '0' OR retain > interval '0';

    RETURN QUERY EXECUTE format(
        'WITH there AS (
            SELECT b.*, starts, ends, b.exact AND CASE WHEN isfinite(starts) THEN starts = %2$s AND starts + $3 = ends ELSE false END AS fits
            FROM (%1$s) AS b, timezone(''UTC'', b.lower_at) AS starts, timezone(''UTC'', b.upper_at) AS ends, LATERAL (SELECT starts) AS v (x)
        ), aged AS (
            SELECT t.*, CASE WHEN t.ends <= $2 THEN $2 - (t.ends + coalesce((SELECT sum(g.ends - greatest(g.starts, t.ends)) FROM unnest($9, $10) AS g (starts, ends) WHERE g.ends > t.ends), ''0'')) END AS age
            FROM there AS t
        ), counted AS (
            SELECT a.*, $5 > ''0'' AND $2 - a.age <= $2 - $5 AS past, count(*) FILTER (WHERE $5 > ''0'' AND $2 - a.age <= $2 - $5 AND a.fits AND NOT a.pending) OVER () AS to_remove
            FROM aged AS a
        )
        SELECT c.relation::regclass, c.lower_at, c.upper_at, c.age,
            coalesce(nullif(pg_stat_get_live_tuples(c.relation), 0), (SELECT greatest(r.reltuples, 0) FROM pg_class AS r WHERE r.oid = c.relation))::bigint,
            (SELECT sum(pg_total_relation_size(m.relid))::bigint FROM pg_partition_tree(c.relation) AS m
            WHERE NOT EXISTS (SELECT FROM pg_locks AS l WHERE l.relation = c.relation AND l.mode = ''AccessExclusiveLock'')),
            CASE WHEN c.past AND c.fits AND NOT c.pending AND c.to_remove <= $6 AND $11 IS NULL THEN CASE WHEN $7 THEN ''detach'' ELSE ''drop'' END END,
            CASE WHEN c.lower_at IS NULL THEN ''the default partition''
                WHEN c.pending THEN ''incompletely detached''
                WHEN c.past AND NOT c.fits THEN ''not of this step''
                WHEN c.past AND $11 IS NOT NULL THEN format(''to be removed, but the clock was set ahead by %%s'', $11)
                WHEN c.past AND c.to_remove > $6 THEN format(''one of %%s to be removed, more than at_most'', c.to_remove) END
        FROM counted AS c
        UNION ALL
        SELECT NULL, timezone(''UTC'', starts), timezone(''UTC'', starts + $3), NULL, NULL, NULL, ''create'', NULL
        FROM timezone(''UTC'', now()) AS x, generate_series(0, $4) AS n, LATERAL (SELECT %2$s + n * $3) AS v (starts)
        WHERE $8 AND NOT EXISTS (SELECT FROM there AS t WHERE (t.starts, t.ends) = (v.starts, v.starts + $3) AND NOT t.pending)
        ORDER BY 3 DESC NULLS LAST', bounds, coalesce(grid.start, 'NULL::timestamp'))
    USING parent, times.newest, grid.step, ahead, retain, at_most, detach, step > interval '0', times.pause_starts, times.pause_ends, CASE WHEN retain > interval '0' THEN _flakeid_functions.flakeid_clock_doubt() END;
END
$$;

-- Return the name for a new partition: the table's name, and the instant as precisely as the
-- step and the start require; cut to fit, and with a number if the name is taken.
CREATE FUNCTION _flakeid_functions.flakeid_partition_name(parent regclass, lower_at timestamptz, start_at timestamptz, step interval) RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    part record;
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    seconds numeric[] := ARRAY[
        extract(hour FROM step) * 3600 + extract(minute FROM step) * 60 + extract(second FROM step),
        extract(hour FROM start_utc) * 3600 + extract(minute FROM start_utc) * 60 + extract(second FROM start_utc)
    ];
    precision text := CASE
        WHEN 0 = ALL (ARRAY[seconds[1] % 86400, seconds[2]]) THEN 'YYYYMMDD'
        WHEN 0 = ALL (ARRAY[seconds[1] % 60, seconds[2] % 60]) THEN 'YYYYMMDD_HH24MI'
        WHEN 0 = ALL (ARRAY[seconds[1] % 1, seconds[2] % 1]) THEN 'YYYYMMDD_HH24MISS'
        ELSE 'YYYYMMDD_HH24MISS_US'
    END;
    suffix text;
    name text;
BEGIN
    SELECT c.relname, c.relnamespace INTO part FROM pg_class AS c WHERE c.oid = parent;
    FOR other IN 0 .. 2147483647 LOOP
        suffix := concat('_', to_char(lower_at AT TIME ZONE 'UTC', precision), '_' || nullif(other, 0));
        name := part.relname;
        WHILE octet_length(name || suffix) > current_setting('max_identifier_length')::int LOOP
            name := left(name, -1);
        END LOOP;
        name := name || suffix;
        EXIT WHEN NOT EXISTS (SELECT FROM pg_class AS c WHERE c.relname = name AND c.relnamespace = part.relnamespace)
            AND NOT EXISTS (SELECT FROM pg_type AS t WHERE t.typname = name AND t.typnamespace = part.relnamespace);
    END LOOP;
    RETURN format('%s.%I', part.relnamespace::regnamespace, name);
END
$$;

-- Create a partition that belongs to the table's owner: a separate table, which is then
-- attached.  This locks less than CREATE TABLE ... PARTITION OF.
CREATE FUNCTION _flakeid_functions.flakeid_add_partition(parent regclass, partition text, bounds text) RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    parts record;
BEGIN
    SELECT c.relowner::regrole AS owner, c.relowner <> r.oid AS given,
        ' USING ' || quote_ident(a.amname) AS access_method,
        ' TABLESPACE ' || quote_ident(t.spcname) AS tablespace
    INTO parts
    FROM pg_class AS c JOIN pg_roles AS r ON r.rolname = current_user
        LEFT JOIN pg_am AS a ON a.oid = c.relam LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
    WHERE c.oid = parent;
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED '
        'INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)',
        partition, parent) || concat(parts.access_method, parts.tablespace);
    IF parts.given THEN
        EXECUTE format('ALTER TABLE %s OWNER TO %s', partition, parts.owner);
    END IF;
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bounds);
    RETURN partition::regclass;
END
$$;

CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text DEFAULT ''
) RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    lower_id text;
    upper_id text;
    present text[];      -- bounds, as pg_get_expr() writes them
    bounds text;
    lower_at timestamptz;
    upper_at timestamptz := start_at;
BEGIN
    IF NOT (isfinite(start_at) AND isfinite(end_at)) OR end_at <= start_at THEN
        RAISE 'end_at must be later than start_at and both finite'
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('start_at is %s, end_at is %s.', start_at, end_at);
    END IF;
    SELECT r.*, _flakeid_functions.flakeid_step_months(step) INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout) AS r;

    -- Keep other calls out.  Readers and writers continue, as they do while a partition is
    -- attached.
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    SELECT array_agg(CASE WHEN i.inhdetachpending THEN 'pending ' ELSE '' END || pg_get_expr(c.relpartbound, 0)) INTO present
    FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = parent;

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
        lower_id := upper_id;
        EXECUTE format('SELECT coalesce($1, (SELECT %1$s FROM (SELECT $2) AS v (at))), (SELECT %1$s FROM (SELECT $3) AS v (at))', rule.least_id)
            INTO lower_id, upper_id USING lower_id, lower_at, upper_at;
        IF lower_id = upper_id THEN
            RAISE 'step is too short for %', rule.what
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A partition from %s to %s would hold no IDs.', lower_at, upper_at);
        END IF;
        bounds := format('FOR VALUES FROM (%L) TO (%L)', lower_id, upper_id);
        CONTINUE WHEN bounds = ANY (present);
        IF 'pending ' || bounds = ANY (present) THEN
            -- such a partition takes no more rows, but no other one may have its bounds
            RAISE 'the partition of table "%" from % to % is incompletely detached', parent, lower_at, upper_at
                USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'Use ALTER TABLE ... DETACH PARTITION ... FINALIZE to complete the pending detach operation.';
        END IF;

        RETURN NEXT _flakeid_functions.flakeid_add_partition(parent,
            _flakeid_functions.flakeid_partition_name(parent, lower_at, start_at, step), bounds);
    END LOOP;
EXCEPTION
    WHEN invalid_object_definition THEN
        RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
            DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
            HINT = 'Start at a bound of an existing partition, with a step that ends at the next bounds.';
    WHEN check_violation THEN
        RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
            DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
            HINT = 'Move the rows of that time out of the default partition, create the partition, and insert them again.';
END
$$;

-- Before a partition is detached, PostgreSQL looks for rows that refer to it, with the rights
-- of the caller.  Raise an error if that would read a table of another owner, who may have
-- added code to it that would then run.
CREATE FUNCTION _flakeid_functions.flakeid_check_references(partition regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    referrer regclass;
BEGIN
    FOR referrer IN SELECT DISTINCT k.conrelid::regclass FROM pg_partition_tree(partition) AS t JOIN pg_constraint AS k ON k.confrelid = t.relid AND k.contype = 'f' LOOP
        PERFORM _flakeid_functions.flakeid_check_owner(referrer);
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE 'partition "%" has foreign keys from table "%", which belongs to somebody else', partition, referrer
        USING ERRCODE = SQLSTATE, DETAIL = 'To look for rows that refer to the partition, PostgreSQL reads that table with your rights, and runs code that its owner has added to it.',
        HINT = 'Give both tables the same owner, or call this as a role that is a member of both owners.';
END
$$;

-- Without force, "before" is taken as an age, which the table's rows must confirm: see
-- flakeid_partitions().
CREATE FUNCTION flakeid_drop_partitions(
    parent regclass, before timestamptz, layout text DEFAULT '', after timestamptz DEFAULT '-infinity',
    detach boolean DEFAULT false, at_most int DEFAULT 2, force boolean DEFAULT false
) RETURNS SETOF text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    old oid[];           -- those that the table's rows confirm to be that old
    todo oid[];
    young text[];
    part record;
    message text;
BEGIN
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    IF NOT force THEN
        EXECUTE format('SELECT array_agg(p.partition::oid) FROM %s.flakeid_partitions($1, interval ''0'', 0, interval ''0'', false, 0, $2) AS p WHERE p.age >= $3', rule.home)
        INTO old USING parent, layout, CASE WHEN before < now() THEN now() - greatest(before, '0001-01-01Z') ELSE interval '0' END;
    END IF;
    -- the bound is exclusive: if it is not the first ID of its instant, that may be "before"
    EXECUTE format('SELECT array_agg(b.relation ORDER BY b.upper_at) FILTER (WHERE $4 OR b.relation = ANY ($5)),
            array_agg(b.relation::regclass::text ORDER BY b.upper_at) FILTER (WHERE NOT $4 AND b.relation <> ALL (coalesce($5, ''{}'')))
        FROM (%s) AS b WHERE b.lower_at >= $2 AND isfinite(b.upper_at) AND (b.upper_at < $3 OR b.upper_at = $3 AND b.exact) AND NOT b.pending', rule.bounds)
    INTO todo, young USING parent, after, before, force, old;
    IF young IS NOT NULL THEN
        RAISE NOTICE 'partitions of table "%" are kept: %', parent, array_to_string(young, ', ')
            USING DETAIL = 'The rows of the table do not show that these are old enough: see the column age of flakeid_partitions().',
            HINT = 'Pass force => true to remove them anyway.';
    END IF;
    IF NOT force AND cardinality(todo) > 0 AND _flakeid_functions.flakeid_clock_doubt() IS NOT NULL THEN
        RAISE '% partitions of table "%" are to be removed, but the clock was set ahead', cardinality(todo), parent
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('It was set ahead by %s, and reads %s.', _flakeid_functions.flakeid_clock_doubt(), clock_timestamp()),
            HINT = 'If the clock is right, have the owner of the database call flakeid_stats_reset(), or pass force => true.';
    END IF;
    IF NOT force AND cardinality(todo) > at_most THEN
        RAISE '% partitions of table "%" are to be removed, more than at_most', cardinality(todo), parent
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('at_most is %s.', at_most),
            HINT = format('To remove them, pass at_most => %s.', cardinality(todo));
    END IF;

    FOR part IN EXECUTE format('SELECT b.*, format(''%%I.%%I'', b.nspname, b.relname) AS name,
            coalesce(nullif(pg_stat_get_live_tuples(b.relation), 0), (SELECT greatest(c.reltuples, 0) FROM pg_class AS c WHERE c.oid = b.relation))::bigint AS rows
        FROM (%s) AS b WHERE b.relation = ANY ($2) ORDER BY b.upper_at', rule.bounds) USING parent, todo LOOP
        PERFORM _flakeid_functions.flakeid_check_references(part.relation::regclass);
        -- detach it first: a partition that foreign keys refer to cannot be dropped directly
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, part.name);
        IF NOT detach THEN
            EXECUTE format('DROP %s %s', CASE part.relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, part.name);
        END IF;
        message := format('partition %s of table %s is %s: from %s to %s, %s rows by the statistics',
            part.name, parent, CASE WHEN detach THEN 'detached' ELSE 'dropped' END, part.lower_at, part.upper_at, part.rows);
        RAISE NOTICE '%', message;
        RAISE LOG '%', message;
        RETURN NEXT part.name;
    END LOOP;
END
$$;

-- Each partition has its own transaction, so that its locks are released before the next one,
-- and a failure stops nothing else.  A procedure that commits cannot have a SET
-- clause: each transaction sets the search_path first of all, and before that its isolation
-- level, which is too late after any expression, even the bounds of a loop.
CREATE PROCEDURE flakeid_maintain(
    parent regclass, step interval, ahead int DEFAULT 2, retain interval DEFAULT '0',
    detach boolean DEFAULT false, at_most int DEFAULT 2, layout text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    home pg_catalog.text;
    names pg_catalog.text[];
    lowers pg_catalog.timestamptz[];
    uppers pg_catalog.timestamptz[];
    left_out pg_catalog.text;
    refused pg_catalog.int8;
    doubted pg_catalog.text;
    errors pg_catalog.text[];
    again pg_catalog.bool;
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    FOR removing IN 0 .. 1 LOOP
        PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
        IF num_nulls(parent, step, ahead, retain, detach, at_most, layout) > 0 THEN
            RAISE 'arguments of flakeid_maintain must not be NULL' USING ERRCODE = 'null_value_not_allowed';
        ELSIF step = interval '0' THEN
            RAISE 'step must be greater than zero' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        home := _flakeid_functions.flakeid_home();
        BEGIN
            EXECUTE format('SELECT array_agg(coalesce(p.partition::text, ''from '' || p.lower_at) ORDER BY p.upper_at) FILTER (WHERE p.todo),
                    array_agg(p.lower_at ORDER BY p.upper_at) FILTER (WHERE p.todo), array_agg(p.upper_at ORDER BY p.upper_at) FILTER (WHERE p.todo),
                    string_agg(p.partition::text, '', '' ORDER BY p.upper_at) FILTER (WHERE p.note = ''not of this step''),
                    count(*) FILTER (WHERE p.note LIKE ''one of %%''),
                    string_agg(p.partition::text, '', '' ORDER BY p.upper_at) FILTER (WHERE p.note LIKE ''to be removed, but %%'')
                FROM (SELECT *, action = ANY ($8) AS todo FROM %s.flakeid_partitions($1, $2, $3, $4, $5, $6, $7)) AS p', home)
            INTO names, lowers, uppers, left_out, refused, doubted
            USING parent, step, ahead, CASE WHEN removing = 1 OR retain < interval '0' THEN retain ELSE '0' END, detach, at_most, layout,
                CASE WHEN removing = 1 THEN '{drop,detach}'::text[] ELSE '{create}' END;
        EXCEPTION WHEN OTHERS THEN
            -- nothing is done yet: let the call fail
            IF removing = 0 THEN RAISE; END IF;
            names := NULL;
            left_out := NULL;
            refused := 0;
            doubted := NULL;
            errors := errors || format('could not determine the partitions to remove: %s', SQLERRM);
        END;
        IF left_out IS NOT NULL THEN
            RAISE NOTICE 'partitions of table "%" are kept, because their step is not %: %', parent, step, left_out;
        END IF;
        IF refused > 0 THEN
            errors := errors || format('%s partitions are to be removed, but at_most is %s, so none was removed', refused, at_most);
        END IF;
        IF doubted IS NOT NULL THEN
            errors := errors || format('%s: to be removed, but the clock was set ahead, so none was removed (flakeid_doctor() says by how much; if the clock is right, the database''s owner calls flakeid_stats_reset())', doubted);
        END IF;
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;

        FOR i IN 1 .. coalesce(cardinality(names), 0) LOOP
            -- a lock that another session holds now may be free in a second
            FOR attempt IN 1 .. 3 LOOP
                PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
                again := false;
                BEGIN
                    IF removing = 0 THEN
                        EXECUTE format('SELECT count(*) FROM %s.flakeid_create_partitions($1, $2, $3, $4, $5)', home)
                            USING parent, lowers[i], uppers[i], step, layout;
                    ELSE
                        EXECUTE format('SELECT count(*) FROM %s.flakeid_drop_partitions($1, $2, $3, $4, $5, 1, true)', home)
                            USING parent, uppers[i], layout, lowers[i], detach;
                    END IF;
                EXCEPTION WHEN OTHERS THEN
                    again := SQLSTATE IN ('55P03', '40P01') AND attempt < 3;
                    IF NOT again THEN
                        errors := errors || format('%s: %s', names[i], SQLERRM);
                    END IF;
                END;
                COMMIT;
                SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
                SET LOCAL search_path = pg_catalog, pg_temp;
                EXIT WHEN NOT again;
                PERFORM pg_sleep(1);
            END LOOP;
        END LOOP;
    END LOOP;

    -- the message shows the table's name by the caller's search_path
    COMMIT;
    IF errors IS NOT NULL THEN
        RAISE 'not all partitions of table "%" could be maintained: %', parent, pg_catalog.array_to_string(errors, '; ')
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'flakeid_partitions() with the same arguments shows what remains to be done. Everything else has been done; the next call tries again.';
    END IF;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_rule(regclass, text) IS 'how the IDs by which a table is partitioned hold the time; an error if they do not, or if the caller does not own the table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_step_months(interval) IS 'months of a step, 0 if it has only days or less; an error if it is not a valid step';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_rows(regclass, text) IS 'how to find the first and the last row of a partition from or before an instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_times(regclass, text, interval) IS 'instant of the newest row in the partitions of a table, or now if that is earlier, and the pauses between its rows, in UTC';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_grid(regclass, text, interval) IS 'where the steps of a partitioned table begin';
COMMENT ON FUNCTION _flakeid_functions.flakeid_clock_doubt() IS 'by how much the clock was set ahead, if that is more than flakeid.max_ahead; otherwise NULL';
COMMENT ON FUNCTION flakeid_partitions(regclass, interval, int, interval, boolean, int, text) IS 'partitions by time of a table that you own, with their bounds and age, and what flakeid_maintain with the same arguments would do with them';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_name(regclass, timestamptz, timestamptz, interval) IS 'name for a new partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_add_partition(regclass, text, text) IS 'create a partition and attach it to its table';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval, text) IS 'create the missing partitions by time, step by step in UTC; returns those created';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_references(regclass) IS 'error if a table that refers to a partition does not belong to the caller';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz, text, timestamptz, boolean, int, boolean) IS 'drop or detach the partitions that hold only IDs before an instant, if the table''s rows show that they are that old, or by force; returns their names';
COMMENT ON PROCEDURE flakeid_maintain(regclass, interval, int, interval, boolean, int, text) IS 'create the partitions that a table needs now, and drop or detach those older than retain; to be called every day, or more often';
