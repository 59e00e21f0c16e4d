/* ---------- the mark ---------- */

-- Keep users out of the schema: a role that may use it can lock the table, and so keep
-- the generators waiting.  The owner of the database must be able to dump and restore
-- the mark, and the owner of a subscription to read the table in publications FOR ALL
-- TABLES.
CREATE SCHEMA _flakeid;
GRANT USAGE ON SCHEMA _flakeid TO pg_database_owner;
DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 160000 THEN
        GRANT USAGE ON SCHEMA _flakeid TO pg_create_subscription;
    END IF;
END
$$;

-- What may have been issued, by kind: 0 and 1 are the timelines of sno, 2 all other
-- generators; and, the same in each row, the numbers that the database had and the place
-- where the server was when a mark was moved last.  Only the library writes the table,
-- and it writes in place.
CREATE TABLE _flakeid.mark (
    kind bigint NOT NULL,
    mark timestamptz NOT NULL,
    jump_from timestamptz NOT NULL,
    jump_to timestamptz NOT NULL,
    retired_from timestamptz NOT NULL,
    retired_to timestamptz NOT NULL,
    sno_partition bigint NOT NULL DEFAULT -1,
    siq_shard bigint NOT NULL DEFAULT -1,
    snowflake_worker bigint NOT NULL DEFAULT -1,
    uid_node bigint NOT NULL DEFAULT -1,
    place bigint NOT NULL DEFAULT 0
) USING heap;
INSERT INTO _flakeid.mark
    SELECT kind, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity'
    FROM generate_series(0, 2) AS kind;

CREATE FUNCTION _flakeid.flakeid_mark_guard() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_guard() FROM PUBLIC;
CREATE TRIGGER mark_insert BEFORE INSERT ON _flakeid.mark
    FOR EACH ROW EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
CREATE TRIGGER mark_change BEFORE UPDATE OR DELETE ON _flakeid.mark
    FOR EACH ROW EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
CREATE TRIGGER mark_truncate BEFORE TRUNCATE ON _flakeid.mark
    FOR EACH STATEMENT EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert;
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change;
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_truncate;

-- A dump carries the marks, and restoring it merges them.  The owner of the database,
-- who need not be a superuser, must be able to do both.  Qualify the function, or a
-- function (text, text) in the extension's schema would run with a superuser's rights.
SELECT pg_catalog.pg_extension_config_dump('_flakeid.mark', '');
REVOKE ALL ON _flakeid.mark FROM PUBLIC;
GRANT SELECT, INSERT ON _flakeid.mark TO pg_database_owner;

CREATE FUNCTION _flakeid.flakeid_mark_take_over() RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_take_over() FROM PUBLIC;

CREATE FUNCTION flakeid_advance(until timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_advance(timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_advance(timestamptz, boolean) TO pg_database_owner;
CREATE FUNCTION flakeid_clock_reset(back_to timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_clock_reset(timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_clock_reset(timestamptz, boolean) TO pg_database_owner;

CREATE FUNCTION flakeid_accept_place() RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_accept_place() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_accept_place() TO pg_database_owner;

COMMENT ON SCHEMA _flakeid IS 'what flakeid keeps for itself';
COMMENT ON TABLE _flakeid.mark IS 'instants below which IDs of this database may have been issued; written by the library only, and not to be indexed';
COMMENT ON FUNCTION _flakeid.flakeid_mark_guard() IS 'keeps the mark from being lowered';
COMMENT ON FUNCTION _flakeid.flakeid_mark_take_over() IS 'writes to a new mark what was issued in this database before';
COMMENT ON TRIGGER mark_insert ON _flakeid.mark IS 'merges a restored row into the mark';
COMMENT ON TRIGGER mark_change ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON TRIGGER mark_truncate ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON FUNCTION flakeid_advance(timestamptz, boolean) IS 'count everything before an instant as issued in this database; force if the instant is more than a day ahead';
COMMENT ON FUNCTION flakeid_accept_place() IS 'accept that this server was moved, not cloned: it goes on with the numbers it derives, and stops warning';
COMMENT ON FUNCTION flakeid_clock_reset(timestamptz, boolean) IS 'lower the marks of this database to an instant, after the clock was wrong; force if IDs may have been issued after it';

/* ---------- the whole ---------- */

CREATE FUNCTION flakeid_show_formats(
    OUT name text, OUT bytes int, OUT text_length int, OUT alphabet text, OUT pattern text,
    OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT sequence_bits int, OUT random_bits int,
    OUT generators int, OUT tick_tock boolean, OUT time_ordered boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
CREATE VIEW flakeid_formats AS SELECT * FROM flakeid_show_formats();
GRANT SELECT ON flakeid_formats TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_formats() IS 'rows of the view flakeid_formats';
COMMENT ON VIEW flakeid_formats IS 'the ID types and what they hold';
COMMENT ON COLUMN flakeid_formats.name IS 'the SQL type';
COMMENT ON COLUMN flakeid_formats.bytes IS 'bytes that an ID takes on disk';
COMMENT ON COLUMN flakeid_formats.text_length IS 'characters of an ID as text, or of the longest where they vary';
COMMENT ON COLUMN flakeid_formats.alphabet IS 'characters of the text, in the order of their values';
COMMENT ON COLUMN flakeid_formats.pattern IS 'regular expression that the canonical texts match, and no others of the type';
COMMENT ON COLUMN flakeid_formats.epoch IS 'instant of the first ID';
COMMENT ON COLUMN flakeid_formats.last_timestamp IS 'last instant that an ID can tell';
COMMENT ON COLUMN flakeid_formats.resolution IS 'the tick: the unit of time that an ID counts, to the microsecond';
COMMENT ON COLUMN flakeid_formats.timestamp_bits IS 'bits of the time';
COMMENT ON COLUMN flakeid_formats.sequence_bits IS 'bits of the sequence, of which a generator has a pool of numbers for each tick; 0: it draws from another type''s generator, or has none';
COMMENT ON COLUMN flakeid_formats.random_bits IS 'random bits of an ID';
COMMENT ON COLUMN flakeid_formats.generators IS 'how many generators can be told apart by their number: partitions, shards or workers';
COMMENT ON COLUMN flakeid_formats.tick_tock IS 'has a second timeline, on which it goes on in the past when the clock steps back';
COMMENT ON COLUMN flakeid_formats.time_ordered IS 'the order of IDs is the order of their instants';

CREATE FUNCTION flakeid_show_generators(
    OUT type text, OUT number int, OUT tick timestamptz, OUT tick_tock int,
    OUT sequence int, OUT used int, OUT capacity int, OUT sequence_min int, OUT sequence_max int,
    OUT issued bigint, OUT waiting int, OUT overflows bigint, OUT overflow_ticks bigint,
    OUT last_overflow timestamptz, OUT wait_time interval, OUT regressions bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_generators AS SELECT * FROM flakeid_show_generators();
GRANT SELECT ON flakeid_generators TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_generators() IS 'rows of the view flakeid_generators';
COMMENT ON VIEW flakeid_generators IS 'generators of this database in shared memory; number is the partition or shard, NULL sums up those that gave their slot to others';
COMMENT ON COLUMN flakeid_generators.type IS 'type that the generator serves; uid96 draws from that of uid64, uuid7_new() from that of ulid';
COMMENT ON COLUMN flakeid_generators.number IS 'partition, shard, or worker and process; NULL: all that gave their slot to others, of which only issued is kept';
COMMENT ON COLUMN flakeid_generators.tick IS 'instant of the last tick in which numbers were leased';
COMMENT ON COLUMN flakeid_generators.tick_tock IS 'timeline of that tick: 0 or 1';
COMMENT ON COLUMN flakeid_generators.sequence IS 'last number leased of that tick; NULL: none of the pool yet';
COMMENT ON COLUMN flakeid_generators.used IS 'how many numbers of the pool that tick cannot have any more: those leased, and those below one leased before the pool was set anew';
COMMENT ON COLUMN flakeid_generators.capacity IS 'numbers that this database has for a tick: the pool';
COMMENT ON COLUMN flakeid_generators.sequence_min IS 'first number of the pool';
COMMENT ON COLUMN flakeid_generators.sequence_max IS 'last number of the pool';
COMMENT ON COLUMN flakeid_generators.issued IS 'IDs issued since flakeid_clock.issued_since; those of rolled back transactions count';
COMMENT ON COLUMN flakeid_generators.waiting IS 'calls that wait at this moment for the clock';
COMMENT ON COLUMN flakeid_generators.overflows IS 'calls that found the tick used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.overflow_ticks IS 'ticks that were used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.last_overflow IS 'when a call last found the tick used up; NULL: never since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.wait_time IS 'time that all calls together have waited for the clock, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.regressions IS 'times that the clock was found behind this generator, since flakeid_clock.since';

CREATE FUNCTION flakeid_show_sessions(
    OUT pid int, OUT type text, OUT number int, OUT tick timestamptz,
    OUT lease_start int, OUT lease_next int, OUT lease_end int, OUT issued bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_sessions AS SELECT * FROM flakeid_show_sessions();
GRANT SELECT ON flakeid_sessions TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_sessions() IS 'rows of the view flakeid_sessions';
COMMENT ON VIEW flakeid_sessions IS 'sessions of this database that made IDs: the generator used last and the range of its sequence they hold';
COMMENT ON COLUMN flakeid_sessions.pid IS 'process, as in pg_stat_activity';
COMMENT ON COLUMN flakeid_sessions.type IS 'type of the generator used last';
COMMENT ON COLUMN flakeid_sessions.number IS 'number of the generator used last: partition, shard, or worker and process';
COMMENT ON COLUMN flakeid_sessions.tick IS 'instant of the last ID: the tick of the lease';
COMMENT ON COLUMN flakeid_sessions.lease_start IS 'first number of the lease';
COMMENT ON COLUMN flakeid_sessions.lease_next IS 'first number of the lease that is not issued yet';
COMMENT ON COLUMN flakeid_sessions.lease_end IS 'first number after the lease';
COMMENT ON COLUMN flakeid_sessions.issued IS 'IDs of all types that the session has issued since it began';

CREATE FUNCTION flakeid_show_clock(
    OUT clock timestamptz, OUT high_water timestamptz, OUT mark timestamptz, OUT ahead_by interval,
    OUT tick_tock int, OUT regressions bigint, OUT toggles bigint, OUT went_ahead bigint,
    OUT last_regression timestamptz, OUT node int, OUT node_source text, OUT sno_partition int,
    OUT siq_shard int, OUT snowflake_worker int, OUT siq_domain bigint, OUT uid_node bigint,
    OUT setting_fault text, OUT memory text, OUT generators int, OUT sessions int,
    OUT refused bigint, OUT last_refused timestamptz, OUT last_refused_reason text,
    OUT twins bigint, OUT last_twin timestamptz, OUT last_twin_table text, OUT last_twin_id text,
    OUT since timestamptz, OUT issued_since timestamptz
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 1;
CREATE VIEW flakeid_clock AS SELECT * FROM flakeid_show_clock();
GRANT SELECT ON flakeid_clock TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_clock() IS 'row of the view flakeid_clock';
COMMENT ON VIEW flakeid_clock IS 'the clock beside this database''s IDs, regressions seen, and who this database is';
COMMENT ON COLUMN flakeid_clock.clock IS 'what the server''s clock reads';
COMMENT ON COLUMN flakeid_clock.high_water IS 'time of this database''s last IDs in memory, on the timeline in force; NULL: none since issued_since';
COMMENT ON COLUMN flakeid_clock.mark IS 'instant on disk before which IDs of this database may have been issued; it leads them by up to two seconds';
COMMENT ON COLUMN flakeid_clock.ahead_by IS 'how far the last IDs are ahead of the clock';
COMMENT ON COLUMN flakeid_clock.tick_tock IS 'timeline on which sno goes on: 0 or 1, the tick-tock bit of its IDs';
COMMENT ON COLUMN flakeid_clock.regressions IS 'times that the clock was found behind the IDs issued, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.toggles IS 'of these, times that sno changed to its other timeline';
COMMENT ON COLUMN flakeid_clock.went_ahead IS 'of these, times that generators went on ahead of the clock';
COMMENT ON COLUMN flakeid_clock.last_regression IS 'what the clock read at the last regression; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.node IS 'number of this database; see node_source';
COMMENT ON COLUMN flakeid_clock.node_source IS 'where node comes from: flakeid.node, or the system identifier and database';
COMMENT ON COLUMN flakeid_clock.sno_partition IS 'partition under which this database makes snos; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.siq_shard IS 'shard under which this database makes siqs; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.snowflake_worker IS 'worker under which this database makes snowflakes; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.siq_domain IS 'hash of flakeid.siq_domain and flakeid.siq_local_id, which every siq carries';
COMMENT ON COLUMN flakeid_clock.uid_node IS 'node under which this database makes uid96s: a hash of flakeid.uid_node, or of the node';
COMMENT ON COLUMN flakeid_clock.setting_fault IS 'what is wrong with the settings, or with the numbers that they give this database; NULL if nothing is';
COMMENT ON COLUMN flakeid_clock.memory IS 'preloaded, if flakeid stands in shared_preload_libraries, or dynamic';
COMMENT ON COLUMN flakeid_clock.generators IS 'generators of this database that have a slot in memory: the rows of flakeid_generators that have a number';
COMMENT ON COLUMN flakeid_clock.sessions IS 'sessions of this database that have made IDs: the rows of flakeid_sessions';
COMMENT ON COLUMN flakeid_clock.refused IS 'calls since flakeid_clock.since that ended with an error because they could not get an ID or write the mark: clock, mark or settings did not allow it (55000), the clock is outside the span of the type (22008), or the server is a standby (25006)';
COMMENT ON COLUMN flakeid_clock.last_refused IS 'when the last call was refused; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_refused_reason IS 'why the last call was refused';
COMMENT ON COLUMN flakeid_clock.twins IS 'IDs that arrived in watched tables with this database''s number, of a tick that its generator had not issued, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_twin IS 'when the last one arrived; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_twin_table IS 'table in which the last one arrived; NULL if the caller may not read it';
COMMENT ON COLUMN flakeid_clock.last_twin_id IS 'the last one; NULL if the caller may not read its table';
COMMENT ON COLUMN flakeid_clock.since IS 'when the counters began, except issued: with the memory of this database, or the last flakeid_stats_reset()';
COMMENT ON COLUMN flakeid_clock.issued_since IS 'when the memory of this database was made, from which issued in flakeid_generators counts';

CREATE FUNCTION flakeid_stats_reset() RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_stats_reset() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_stats_reset() TO pg_database_owner;

COMMENT ON FUNCTION flakeid_stats_reset() IS 'begin again to count regressions, refusals, overflows, waits and twins in this database, but not the IDs issued; returns from when';

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
