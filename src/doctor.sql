/* ---------- what is wrong ---------- */

CREATE FUNCTION flakeid_clock_synchronised() RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

CREATE FUNCTION flakeid_place() RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_place() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_place() TO pg_database_owner;

-- Each finding with the statements, for psql, that mend it.
CREATE FUNCTION flakeid_doctor(
    OUT severity text, OUT subject text, OUT finding text, OUT mend text
) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;           -- the extension's schema
    sql_version text;
    version text;        -- of the library
    synchronised boolean;
    here bigint;         -- where this server is
    readable boolean := true;
    clock record;
    max_ahead interval;
    findings int := 0;
    others text;
    at record;
    upper_at timestamptz;
    step interval;
    filled boolean;
BEGIN
    SELECT extnamespace::regnamespace, extversion INTO home, sql_version FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT v.library, %1$s.flakeid_clock_synchronised(), %1$s.flakeid_place() FROM %1$s.flakeid_version() AS v', home)
        INTO version, synchronised, here;
    -- The view reports what has damaged the mark, or memory of another version.
    BEGIN
        EXECUTE format('SELECT * FROM %s.flakeid_clock', home) INTO clock;
    EXCEPTION WHEN object_not_in_prerequisite_state THEN
        GET STACKED DIAGNOSTICS others = PG_EXCEPTION_DETAIL;
        severity := 'error'; subject := 'flakeid';
        finding := format('The generators and flakeid_clock report: %s. %s', SQLERRM, others);
        mend := NULL;
        findings := findings + 1; RETURN NEXT;
        readable := false;
        SELECT clock_timestamp() AS clock, NULL::timestamptz AS high_water, NULL::timestamptz AS mark, NULL::interval AS ahead_by,
            NULL::int AS node, NULL::text AS node_source, NULL::text AS setting_fault, NULL::text AS memory INTO clock;
    END;
    max_ahead := current_setting('flakeid.max_ahead')::interval;

    -- the library
    IF version <> sql_version THEN
        severity := 'error'; subject := 'version';
        finding := format('The library is version %s, the extension in this database %s. If the extension is the newer one, install the library and start new sessions.', version, sql_version);
        mend := format('ALTER EXTENSION flakeid UPDATE TO %L', version);
        findings := findings + 1; RETURN NEXT;
    END IF;
    IF clock.memory = 'dynamic' AND current_setting('server_version_num')::int < 170000 THEN
        severity := 'notice'; subject := 'shared_preload_libraries';
        finding := 'On this major of PostgreSQL it is better to reserve the memory of flakeid at server start. That takes a restart.';
        mend := format('ALTER SYSTEM SET shared_preload_libraries = %s',
            concat_ws(', ', nullif(current_setting('shared_preload_libraries'), ''), 'flakeid'));
        findings := findings + 1; RETURN NEXT;
    END IF;

    -- who this database is
    IF clock.setting_fault IS NOT NULL THEN
        severity := 'error'; subject := 'settings';
        finding := format('There is a fault in the settings: %s. Correct postgresql.conf first.', rtrim(clock.setting_fault, '.'));
        mend := 'SELECT pg_reload_conf()';
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- Preloaded, the server refuses a value for all sessions to come, which know nothing of it.
    IF clock.setting_fault IS NULL AND has_function_privilege('pg_show_all_file_settings()', 'EXECUTE') THEN
        FOR at IN SELECT f.name, f.setting, f.sourcefile, f.sourceline FROM pg_show_all_file_settings() AS f
            WHERE f.name LIKE 'flakeid.%' AND f.error IS NOT NULL LOOP
            severity := 'error'; subject := 'settings';
            finding := format('The server refuses %s = ''%s'' (%s, line %s). Correct it first.', at.name, at.setting, at.sourcefile, at.sourceline);
            mend := 'SELECT pg_reload_conf()';
            findings := findings + 1; RETURN NEXT;
        END LOOP;
    END IF;
    SELECT string_agg(what, ', ') INTO others FROM (
        SELECT 'replicas connected: ' || count(*) AS what, count(*) AS n FROM pg_stat_replication
        UNION ALL SELECT 'replication slots: ' || count(*), count(*) FROM pg_replication_slots
        UNION ALL SELECT 'publications: ' || count(*), count(*) FROM pg_publication
        UNION ALL SELECT 'subscriptions: ' || count(*), count(*) FROM pg_subscription
            WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS v WHERE n > 0;
    IF clock.node_source IS DISTINCT FROM 'flakeid.node' AND clock.node IS NOT NULL AND others IS NOT NULL THEN
        severity := 'warning'; subject := 'flakeid.node';
        finding := format('The node is derived from the system identifier, which replicas and copies of this server share, and there are %s. Set a number that no other server has.', others);
        mend := 'ALTER SYSTEM SET flakeid.node = 1; SELECT pg_reload_conf()';
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- The same system identifier, the upper half, and another machine or directory, the lower.
    IF clock.node_source IS DISTINCT FROM 'flakeid.node' AND clock.node IS NOT NULL AND NOT pg_is_in_recovery()
        AND EXISTS (SELECT FROM _flakeid.mark AS m WHERE (m.place # here) BETWEEN 1 AND 4294967295) THEN
        severity := 'warning'; subject := 'flakeid.node';
        finding := format('This server was moved or cloned: its machine or data directory is another one. The node is derived from the system identifier, which the original shares. '
            'If that is gone, SELECT %s.flakeid_accept_place(). Otherwise set a number that no other server has.', home);
        mend := 'ALTER SYSTEM SET flakeid.node = 1; SELECT pg_reload_conf()';
        findings := findings + 1; RETURN NEXT;
    END IF;

    -- the mark
    subject := '_flakeid.mark';
    IF (SELECT count(*) FROM _flakeid.mark) > 3 THEN
        severity := 'warning';
        finding := format('The table has %s rows instead of 3, as after a restore with --disable-triggers.', (SELECT count(*) FROM _flakeid.mark));
        mend := format('SELECT %s.flakeid_advance(now())', home);
        findings := findings + 1; RETURN NEXT;
    END IF;
    IF (SELECT count(DISTINCT m.kind) FROM _flakeid.mark AS m WHERE m.kind BETWEEN 0 AND 2) < 3 THEN
        severity := 'error';
        finding := 'The table lacks a row, so that nothing tells which IDs were issued. Columns of its types go with the extension: take a dump first. Afterwards advance to an instant after the last ID.';
        mend := 'DROP EXTENSION flakeid; CREATE EXTENSION flakeid; SELECT flakeid_advance(now())';
        findings := findings + 1; RETURN NEXT;
    END IF;
    FOR at IN SELECT t.tgname FROM pg_trigger AS t
        WHERE t.tgrelid = '_flakeid.mark'::regclass AND t.tgname LIKE 'mark\_%' AND t.tgenabled <> 'A' ORDER BY t.tgname LOOP
        severity := 'warning';
        finding := format('Trigger %s, which keeps the mark from being lowered, does not always fire.', at.tgname);
        mend := format('ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER %I', at.tgname);
        findings := findings + 1; RETURN NEXT;
    END LOOP;
    FOR at IN SELECT i.indexrelid::regclass AS name FROM pg_index AS i WHERE i.indrelid = '_flakeid.mark'::regclass LOOP
        severity := 'error';
        finding := 'The table has an index, without which alone it can be written.';
        mend := format('DROP INDEX %s', at.name);
        findings := findings + 1; RETURN NEXT;
    END LOOP;
    FOR at IN SELECT min(m.retired_from) AS since, max(m.retired_to) AS until FROM _flakeid.mark AS m
        WHERE m.retired_to > clock.clock HAVING count(*) > 0 LOOP
        severity := 'notice'; subject := 'retired interval';
        finding := format('IDs from %s to %s were made while the clock was wrong. When the clock gets there, generators wait until it is past them. Forced, they may come again.', at.since, at.until);
        mend := format('SELECT %s.flakeid_clock_reset(now(), force => true)', home);
        findings := findings + 1; RETURN NEXT;
    END LOOP;

    -- the clock
    subject := 'clock';
    IF greatest(clock.mark - interval '2 s', clock.high_water) - clock.clock > max_ahead THEN
        severity := 'error';
        finding := format('The clock reads %s, but IDs count as issued up to %s, which is more than flakeid.max_ahead later: generators refuse. If the clock is right now, reset; otherwise correct it.',
            clock.clock, greatest(clock.mark, clock.high_water));
        mend := format('SELECT %s.flakeid_clock_reset(now())', home);
        findings := findings + 1; RETURN NEXT;
    ELSIF clock.ahead_by > max_ahead / 2 THEN
        severity := 'warning';
        finding := format('IDs are %s ahead of the clock, and flakeid.max_ahead is %s: correct the clock, or wait.', clock.ahead_by, max_ahead);
        mend := format('SELECT pg_sleep_for(%L)', clock.ahead_by);
        findings := findings + 1; RETURN NEXT;
    END IF;
    IF NOT synchronised THEN
        severity := 'notice';
        finding := 'The kernel says that its clock is not synchronised: no NTP daemon runs, or it has not succeeded yet. Nothing in SQL mends that.';
        mend := NULL;
        findings := findings + 1; RETURN NEXT;
    END IF;

    -- generators
    FOR at IN EXECUTE format('SELECT type, number, overflows, last_overflow FROM %s.flakeid_generators
        WHERE %L AND last_overflow > clock_timestamp() - interval ''1 hour''', home, readable) LOOP
        severity := 'warning'; subject := format('generator %s %s', at.type, at.number);
        finding := format('Calls that found a tick used up: %s, the last one at %s. Spread IDs over partitions, or give this database a wider range; then count anew.', at.overflows, at.last_overflow);
        mend := format('SELECT %s.flakeid_stats_reset()', home);
        findings := findings + 1; RETURN NEXT;
    END LOOP;

    -- tables partitioned by an ID of our types that sorts by time
    FOR at IN SELECT c.oid::regclass AS name, nullif(p.partdefid, 0)::regclass AS rest, t.typname, a.attname, s.last_analyze
        FROM pg_partitioned_table AS p JOIN pg_class AS c ON c.oid = p.partrelid
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
            JOIN pg_opclass AS o ON o.oid = p.partclass[0] JOIN pg_type AS t ON t.oid = o.opcintype
            JOIN pg_depend AS d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
            JOIN pg_extension AS e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid AND e.extname = 'flakeid'
            LEFT JOIN pg_stat_user_tables AS s ON s.relid = c.oid
        WHERE p.partstrat = 'r' AND p.partnatts = 1 AND t.typname <> 'uid96'
        ORDER BY c.oid::regclass::text LOOP
        subject := format('table %s', at.name);
        IF at.rest IS NOT NULL THEN
            EXECUTE format('SELECT EXISTS (SELECT FROM %s)', at.rest) INTO filled;
            IF filled THEN
                severity := 'warning';
                finding := format('Default partition %s has rows, for whose time no partition can be created as long as they are there. Move them:', at.rest);
                mend := format('BEGIN; CREATE TEMP TABLE moved ON COMMIT DROP AS SELECT * FROM %1$s; TRUNCATE %1$s; '
                    'SELECT %2$s.flakeid_create_partitions(%3$L, date_trunc(''month'', min(t), ''UTC''), date_trunc(''month'', max(t), ''UTC'') + interval ''1 month'', ''1 month'') '
                    'FROM (SELECT %2$s.%4$I(%5$I) AS t FROM moved) AS v; INSERT INTO %3$s SELECT * FROM moved; COMMIT',
                    at.rest, home, at.name, at.typname || '_timestamp', at.attname);
                findings := findings + 1; RETURN NEXT;
            END IF;
        END IF;
        -- the last partition's end and span, from its bounds
        EXECUTE format('SELECT ends, ends - begins
            FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
                CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, c.oid), %L) AS bound
                CROSS JOIN %2$s.%3$I(bound[1]::%2$s.%4$I) AS begins CROSS JOIN %2$s.%3$I(bound[2]::%2$s.%4$I) AS ends
            WHERE i.inhparent = $1 AND bound IS NOT NULL ORDER BY ends DESC LIMIT 1',
            '^FOR VALUES FROM \(''([^'']+)''\) TO \(''([^'']+)''\)$', home, at.typname || '_timestamp', at.typname)
            INTO upper_at, step USING at.name;
        IF upper_at < clock.clock + step THEN
            severity := CASE WHEN upper_at < clock.clock THEN 'error' ELSE 'warning' END;
            finding := format('The last partition ends at %s; there is none for the time after it.', upper_at);
            mend := format('SELECT %s.flakeid_create_partitions(%L, %L, %L, %L)', home, at.name, upper_at, clock.clock + 2 * step, step);
            findings := findings + 1; RETURN NEXT;
        END IF;
        IF at.last_analyze < clock.clock - coalesce(step, interval '1 month')
            OR NOT EXISTS (SELECT FROM pg_stats AS s WHERE (s.schemaname, s.tablename) = (SELECT c.relnamespace::regnamespace::text, c.relname::text FROM pg_class AS c WHERE c.oid = at.name))
            AND EXISTS (SELECT FROM pg_inherits AS i JOIN pg_stat_user_tables AS s ON s.relid = i.inhrelid WHERE i.inhparent = at.name AND s.n_live_tup > 0) THEN
            severity := 'warning';
            finding := 'The table as a whole has no statistics of its latest time: autovacuum analyzes its partitions, but not the table.';
            mend := format('ANALYZE %s', at.name);
            findings := findings + 1; RETURN NEXT;
        END IF;
    END LOOP;

    IF findings = 0 THEN
        severity := 'ok'; subject := 'flakeid'; finding := 'Nothing was found.'; mend := NULL;
        RETURN NEXT;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION flakeid_doctor() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_doctor() TO pg_database_owner;

COMMENT ON FUNCTION flakeid_clock_synchronised() IS 'whether the kernel takes its clock for synchronised; true where it cannot be asked';
COMMENT ON FUNCTION flakeid_place() IS 'where this server is: hashes of its system identifier, and of its machine and data directory';
COMMENT ON FUNCTION flakeid_doctor() IS 'what is wrong with flakeid in this database, and the statements that mend it';

