/* ---------- the mark ---------- */

CREATE SCHEMA _flakeid;

CREATE FUNCTION _flakeid_functions.flakeid_home() RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT x.extnamespace::regnamespace::text FROM pg_extension AS x WHERE x.extname = 'flakeid');
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_home() IS 'schema of the extension, which may have been renamed, as SQL has to write it';

-- The intervals in which IDs may have been issued, by kind: 0 and 1 are the timelines of
-- sno, 2 all other generators, 3 what readers of flax have passed.  The end of the current one is the mark.  An interval from
-- -infinity to -infinity is none.  Only the library writes the table, and it writes in place.
CREATE TABLE _flakeid.mark (
    kind bigint NOT NULL,
    current bigint NOT NULL,
    from_1 timestamptz NOT NULL, to_1 timestamptz NOT NULL,
    from_2 timestamptz NOT NULL, to_2 timestamptz NOT NULL,
    from_3 timestamptz NOT NULL, to_3 timestamptz NOT NULL,
    from_4 timestamptz NOT NULL, to_4 timestamptz NOT NULL,
    from_5 timestamptz NOT NULL, to_5 timestamptz NOT NULL,
    from_6 timestamptz NOT NULL, to_6 timestamptz NOT NULL
) USING heap;
INSERT INTO _flakeid.mark
    SELECT kind, 1, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity',
        '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity'
    FROM pg_catalog.generate_series(0, 3) AS kind;

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

-- A dump carries the marks, and restoring it merges them.  Qualify the function, or a
-- function (text, text) in the extension's schema would run with a superuser's rights.
SELECT pg_catalog.pg_extension_config_dump('_flakeid.mark', '');

CREATE FUNCTION _flakeid.flakeid_mark_take_over() RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_take_over() FROM PUBLIC;

CREATE FUNCTION flakeid_advance(until timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_advance(timestamptz, boolean) FROM PUBLIC;
CREATE FUNCTION flakeid_clock_reset(back_to timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_clock_reset(timestamptz, boolean) FROM PUBLIC;

COMMENT ON SCHEMA _flakeid IS 'what flakeid keeps for itself';
COMMENT ON TABLE _flakeid.mark IS 'when IDs of this database may have been issued; written by the library only, and not to be indexed: see flakeid_issued';
COMMENT ON FUNCTION _flakeid.flakeid_mark_guard() IS 'keeps the mark from being lowered';
COMMENT ON FUNCTION _flakeid.flakeid_mark_take_over() IS 'writes to a new mark what was issued in this database before';
COMMENT ON TRIGGER mark_insert ON _flakeid.mark IS 'adds a restored row to what was issued';
COMMENT ON TRIGGER mark_change ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON TRIGGER mark_truncate ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON FUNCTION flakeid_advance(timestamptz, boolean) IS 'count everything before an instant as issued in this database; force if the instant is more than a day ahead';
COMMENT ON FUNCTION flakeid_clock_reset(timestamptz, boolean) IS 'go back to an instant at which no ID was issued, after the clock was wrong; force if some were, and it does not matter that IDs come again';

/* ---------- the whole ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_show_formats(
    OUT name text, OUT bytes int, OUT text_length int, OUT alphabet text, OUT pattern text,
    OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT sequence_bits int, OUT random_bits int,
    OUT generators int, OUT tick_tock boolean, OUT time_ordered boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
CREATE VIEW flakeid_formats AS SELECT * FROM _flakeid_functions.flakeid_show_formats();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_formats() IS 'rows of the view flakeid_formats';
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

CREATE FUNCTION _flakeid_functions.flakeid_show_generators(
    OUT type text, OUT number int, OUT tick timestamptz, OUT tick_tock int,
    OUT sequence int, OUT used int, OUT capacity int, OUT sequence_min int, OUT sequence_max int,
    OUT issued bigint, OUT waiting int, OUT overflows bigint, OUT overflow_ticks bigint,
    OUT last_overflow timestamptz, OUT wait_time interval, OUT regressions bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_generators AS SELECT * FROM _flakeid_functions.flakeid_show_generators();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_generators() IS 'rows of the view flakeid_generators';
COMMENT ON VIEW flakeid_generators IS 'generators of this database that have issued since flakeid_clock.issued_since, or for which a call waits';
COMMENT ON COLUMN flakeid_generators.type IS 'type that the generator serves; uid96 draws from that of uid64, uuid7_new() from that of ulid';
COMMENT ON COLUMN flakeid_generators.number IS 'partition of sno, shard of siq; of snowflake worker and process as one number, or the worker alone';
COMMENT ON COLUMN flakeid_generators.tick IS 'instant of the last tick in which numbers were leased; NULL: none yet';
COMMENT ON COLUMN flakeid_generators.tick_tock IS 'timeline of that tick: 0 or 1';
COMMENT ON COLUMN flakeid_generators.sequence IS 'last number leased of that tick; NULL: none of the pool yet';
COMMENT ON COLUMN flakeid_generators.used IS 'how many numbers of the pool that tick cannot have any more: those leased, and those below one leased before the pool was set anew';
COMMENT ON COLUMN flakeid_generators.capacity IS 'numbers that this database has for a tick: the pool';
COMMENT ON COLUMN flakeid_generators.sequence_min IS 'first number of the pool';
COMMENT ON COLUMN flakeid_generators.sequence_max IS 'last number of the pool';
COMMENT ON COLUMN flakeid_generators.issued IS 'IDs issued since flakeid_clock.issued_since, those of rolled back transactions among them; what another session makes is counted when its lease ends';
COMMENT ON COLUMN flakeid_generators.waiting IS 'calls that wait at this moment for the clock';
COMMENT ON COLUMN flakeid_generators.overflows IS 'calls that found the tick used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.overflow_ticks IS 'ticks that were used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.last_overflow IS 'when a call last found the tick used up; NULL: never since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.wait_time IS 'time that all calls together have waited for the clock, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.regressions IS 'times that the clock was found behind this generator, since flakeid_clock.since';

CREATE FUNCTION _flakeid_functions.flakeid_show_clock(
    OUT clock timestamptz, OUT high_water timestamptz, OUT mark timestamptz, OUT ahead_by interval,
    OUT tick_tock int, OUT regressions bigint, OUT toggles bigint, OUT went_ahead bigint,
    OUT last_regression timestamptz, OUT node int, OUT node_source text, OUT sno_partition int,
    OUT siq_shard int, OUT snowflake_worker int, OUT siq_domain bigint, OUT uid_node bigint,
    OUT setting_fault text, OUT memory text, OUT generators int, OUT sessions int,
    OUT refused bigint, OUT last_refused timestamptz, OUT last_refused_reason text,
    OUT late bigint, OUT since timestamptz, OUT issued_since timestamptz, OUT horizon timestamptz, OUT held_by int
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 1;
CREATE VIEW flakeid_clock AS SELECT * FROM _flakeid_functions.flakeid_show_clock();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_clock() IS 'row of the view flakeid_clock';
COMMENT ON VIEW flakeid_clock IS 'the clock beside this database''s IDs, regressions seen, and who this database is';
COMMENT ON COLUMN flakeid_clock.clock IS 'what the server''s clock reads';
COMMENT ON COLUMN flakeid_clock.high_water IS 'time of this database''s last IDs in memory, on the timeline in force; NULL: none since issued_since';
COMMENT ON COLUMN flakeid_clock.mark IS 'instant on disk before which IDs of this database may have been issued; it leads them by up to two seconds';
COMMENT ON COLUMN flakeid_clock.ahead_by IS 'how far the last IDs are ahead of the clock; normally less than a tick';
COMMENT ON COLUMN flakeid_clock.tick_tock IS 'timeline on which sno goes on: 0 or 1, the tick-tock bit of its IDs';
COMMENT ON COLUMN flakeid_clock.regressions IS 'times that the clock was found behind the IDs issued, since flakeid_clock.since: once for each decision, and once for each type that refused';
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
COMMENT ON COLUMN flakeid_clock.generators IS 'generators of this database that have issued since issued_since';
COMMENT ON COLUMN flakeid_clock.sessions IS 'sessions of this database that have used its generators or looked at these views, the one that asks among them';
COMMENT ON COLUMN flakeid_clock.refused IS 'calls since flakeid_clock.since that ended with an error because they could not get an ID or write the mark, for one of the reasons in last_refused_reason; SQLSTATE 22008 where the clock is outside the span of the type, 25006 on a standby, otherwise 55000. Of flax_new() only those count that the clock was too far behind readers for';
COMMENT ON COLUMN flakeid_clock.last_refused IS 'when the last call was refused; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_refused_reason IS 'why the last call was refused: "clock too far behind", "waited for flakeid.max_wait", "sequence used up", "out of the type''s span", "in recovery", "table of the mark locked", "mark not written within flakeid.max_wait", "table of the mark changed in the transaction" or "table of the mark damaged"';
COMMENT ON COLUMN flakeid_clock.late IS 'rows whose IDs flakeid_late_id() has found below what readers may have passed, since flakeid_clock.since; those that it refused or renewed among them';
COMMENT ON COLUMN flakeid_clock.since IS 'when the counters began, except issued: with the memory of this database, or the last flakeid_stats_reset()';
COMMENT ON COLUMN flakeid_clock.issued_since IS 'when the memory of this database was made, from which issued in flakeid_generators counts';
COMMENT ON COLUMN flakeid_clock.horizon IS 'instant up to which feeds can read: that of clock, or of the first ID of the oldest open transaction; NULL: nobody knows, as in recovery, or where a prepared transaction from before the last start or promotion holds it';
COMMENT ON COLUMN flakeid_clock.held_by IS 'process that holds the horizon there, 0: a prepared transaction; NULL: nobody does; see flakeid_horizon_holders';

CREATE FUNCTION _flakeid_functions.flakeid_show_issued(
    OUT kind int, OUT issued_from timestamptz, OUT issued_to timestamptz, OUT is_current boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 6;
CREATE VIEW flakeid_issued AS SELECT * FROM _flakeid_functions.flakeid_show_issued();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_issued() IS 'rows of the view flakeid_issued';
COMMENT ON VIEW flakeid_issued IS 'when this database has issued IDs: up to six intervals of each kind; flakeid_clock_reset() can go back to any instant outside of them';
COMMENT ON COLUMN flakeid_issued.kind IS '0 and 1: sno, by its tick-tock bit; 2: all other types; 3: flax, of which only flax_horizon() moves the mark';
COMMENT ON COLUMN flakeid_issued.issued_from IS 'first instant of the interval; -infinity: all before its end';
COMMENT ON COLUMN flakeid_issued.issued_to IS 'first instant after the interval; that of the current one is the mark, and leads the IDs by up to two seconds';
COMMENT ON COLUMN flakeid_issued.is_current IS 'IDs are being issued in this interval, and never again in the others';

CREATE FUNCTION flakeid_stats_reset() RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_stats_reset() FROM PUBLIC;

COMMENT ON FUNCTION flakeid_stats_reset() IS 'begin again to count regressions, refusals, overflows, waits and late IDs in this database, but not the IDs issued; returns from when';

/* ---------- who else has our numbers ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_derived_node(database oid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

-- The number in a setting's text as the server reads it: 0x10, 020 and 16 are one.  NULL if
-- there is none.
CREATE FUNCTION _flakeid_functions.flakeid_setting_number(setting text) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- What new sessions of each database have by ALTER DATABASE, ALTER ROLE and the configuration
-- file; of the latter whoever may not read it knows what this session has of it.  A database
-- has a row for each role with settings of its own, and one for all others.
CREATE FUNCTION _flakeid_functions.flakeid_numbers(
    OUT database name, OUT node int, OUT node_set boolean, OUT siq_shard int, OUT snowflake_worker int, OUT snowflake_process int
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_file jsonb;
BEGIN
    IF has_function_privilege('pg_show_all_file_settings()', 'EXECUTE') THEN
        SELECT jsonb_object_agg(lower(f.name), n.number ORDER BY f.seqno) INTO in_file
        FROM pg_show_all_file_settings() AS f CROSS JOIN _flakeid_functions.flakeid_setting_number(f.setting) AS n (number)
        WHERE f.name ILIKE 'flakeid.%' AND n.number IS NOT NULL;
    ELSE
        SELECT jsonb_object_agg(s.name, n.number) INTO in_file
        FROM pg_settings AS s CROSS JOIN _flakeid_functions.flakeid_setting_number(s.setting) AS n (number)
        WHERE s.name LIKE 'flakeid.%' AND s.source = 'configuration file' AND n.number IS NOT NULL;
    END IF;
    RETURN QUERY
        WITH settings AS (
            SELECT r.setdatabase, r.setrole, lower(split_part(c, '=', 1)) AS name, n.number
            FROM pg_db_role_setting AS r CROSS JOIN unnest(r.setconfig) AS c CROSS JOIN _flakeid_functions.flakeid_setting_number(substr(c, strpos(c, '=') + 1)) AS n (number)
            WHERE c ILIKE 'flakeid.%' AND n.number IS NOT NULL
        )
        SELECT DISTINCT d.datname, n.node, n.set_node >= 0,
            CASE WHEN n.shard >= 0 THEN n.shard WHEN n.set_node < 0 THEN n.node % 256 WHEN n.node < 256 THEN n.node END,
            CASE WHEN n.worker >= 0 THEN n.worker WHEN n.set_node < 0 THEN n.node % 32 WHEN n.node < 32 THEN n.node END,
            n.process
        FROM pg_database AS d
            CROSS JOIN LATERAL (
                SELECT 0::oid AS role UNION SELECT s.setrole FROM settings AS s WHERE s.setdatabase IN (0, d.oid)
            ) AS o
            CROSS JOIN LATERAL (
                -- the last one counts: a role's in the database, the role's, the database's, that of all
                SELECT coalesce(in_file, '{}') || coalesce(jsonb_object_agg(s.name, s.number ORDER BY s.setrole <> 0, s.setdatabase <> 0), '{}') AS given
                FROM settings AS s WHERE s.setdatabase IN (0, d.oid) AND s.setrole IN (0, o.role)
            ) AS s
            CROSS JOIN LATERAL (
                SELECT coalesce((s.given->>'flakeid.node')::int, -1) AS set_node, coalesce((s.given->>'flakeid.siq_shard')::int, -1) AS shard,
                    coalesce((s.given->>'flakeid.snowflake_worker')::int, -1) AS worker, coalesce((s.given->>'flakeid.snowflake_process')::int, -1) AS process
            ) AS v
            CROSS JOIN LATERAL (
                SELECT v.set_node, v.shard, v.worker, v.process,
                    CASE WHEN v.set_node >= 0 THEN v.set_node ELSE _flakeid_functions.flakeid_derived_node(d.oid) END AS node
            ) AS n
        WHERE d.datallowconn AND NOT d.datistemplate;
END
$$;

-- The other databases whose sno IDs, or those of siq or snowflake by a number that was
-- set, this database's can equal, by the number that they have in common.
CREATE FUNCTION _flakeid_functions.flakeid_same_numbers(OUT number text, OUT databases text) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
        SELECT v.number, string_agg(DISTINCT quote_ident(o.database), ', ' ORDER BY quote_ident(o.database))
        FROM _flakeid_functions.flakeid_numbers() AS d
            CROSS JOIN _flakeid_functions.flakeid_numbers() AS o
            CROSS JOIN LATERAL (
                SELECT format('flakeid.node %s', d.node) WHERE o.node = d.node
                UNION ALL SELECT format('flakeid.siq_shard %s', d.siq_shard)
                    WHERE o.node <> d.node AND o.siq_shard = d.siq_shard
                        AND (d.node_set OR d.siq_shard <> d.node % 256) AND (o.node_set OR o.siq_shard <> o.node % 256)
                UNION ALL SELECT format('flakeid.snowflake_worker %s', d.snowflake_worker)
                    WHERE o.node <> d.node AND o.snowflake_worker = d.snowflake_worker
                        AND (o.snowflake_process = d.snowflake_process OR -1 IN (o.snowflake_process, d.snowflake_process))
                        AND (d.node_set OR d.snowflake_worker <> d.node % 32) AND (o.node_set OR o.snowflake_worker <> o.node % 32)
            ) AS v (number)
        WHERE d.database = current_database() AND o.database <> d.database
        GROUP BY v.number;
END
$$;

-- Nothing keeps databases of a server from having one number, so CREATE EXTENSION tells.
-- Its script runs with client_min_messages at warning or above, whatever the session has.
CREATE FUNCTION _flakeid_functions.flakeid_tell_same_numbers() RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = notice
AS $$
DECLARE
    same record;
BEGIN
    FOR same IN SELECT s.number, s.databases FROM _flakeid_functions.flakeid_same_numbers() AS s LOOP
        RAISE NOTICE 'other databases of this server have the same number (%): %', same.number, same.databases
            USING DETAIL = 'IDs of databases with one number can be equal.',
            HINT = format('Where their IDs meet, give each a number of its own: ALTER DATABASE %I SET %s = ...', current_database(), split_part(same.number, ' ', 1));
    END LOOP;
END
$$;

REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_derived_node(oid), _flakeid_functions.flakeid_numbers(), _flakeid_functions.flakeid_same_numbers(), _flakeid_functions.flakeid_tell_same_numbers() FROM PUBLIC;

COMMENT ON FUNCTION _flakeid_functions.flakeid_derived_node(oid) IS 'node that a database of this server has without a setting';
COMMENT ON FUNCTION _flakeid_functions.flakeid_setting_number(text) IS 'number that the server reads from a setting; NULL if it is none';
COMMENT ON FUNCTION _flakeid_functions.flakeid_numbers() IS 'numbers of the databases of this server, and of roles in them, by their settings or derived';
COMMENT ON FUNCTION _flakeid_functions.flakeid_tell_same_numbers() IS 'tells of the numbers that this database has in common with others of the server';
COMMENT ON FUNCTION _flakeid_functions.flakeid_same_numbers() IS 'numbers that this database has in common with others of the server';


CREATE FUNCTION flakeid_of_twin(type text, id bytea) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_of_twin(text, bytea) IS 'whether an ID of this type, as bytea, has this database''s number and a tick that its generator has not issued';
