/* ---------- what is wrong ---------- */

CREATE FUNCTION flakeid_clock_synchronised() RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

-- Each finding with the statements, for psql, that mend it.
CREATE FUNCTION flakeid_doctor(
    OUT severity text, OUT subject text, OUT finding text, OUT mend text
) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET lock_timeout = '2s'    -- do not wait long for tables: people ask when something is wrong
AS $$
DECLARE
    home text;           -- the extension's schema
    sql_version text;
    version text;        -- of the library
    synchronised boolean;
    readable boolean := true;
    clock record;
    max_ahead interval;
    findings int := 0;
    others text;
    renumber text;       -- gives this database another node
    at record;
    instant text;        -- of an ID, as an expression
    upper_at timestamptz;
    step interval;
    filled boolean;
    rows bigint;
BEGIN
    SELECT extnamespace::regnamespace, extversion INTO home, sql_version FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT v.library, %1$s.flakeid_clock_synchronised() FROM %1$s.flakeid_version() AS v', home)
        INTO version, synchronised;
    -- The view reports an error if the mark is damaged, or if another version made the memory.
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

    -- A list of databases is not for ALTER SYSTEM, which would replace all of it.
    renumber := CASE WHEN current_setting('flakeid.node') ~ '=' THEN 'SELECT pg_reload_conf()'
        ELSE format('ALTER SYSTEM SET flakeid.node = %s; SELECT pg_reload_conf()', CASE WHEN clock.node_source = 'flakeid.node' THEN (clock.node + 1) % 32 ELSE 1 END) END;

    -- the library
    IF version <> sql_version THEN
        severity := 'error'; subject := 'version';
        finding := format('The library is version %s, the extension in this database %s. If the extension is the newer one, install the library and %s.', version, sql_version,
            CASE WHEN clock.memory = 'preloaded' THEN 'restart the server, which has preloaded it' ELSE 'start new sessions' END);
        -- If the library is the older one, there is no way to update to it, and nothing to run: new sessions load the newer.
        mend := (SELECT format('ALTER EXTENSION flakeid UPDATE TO %L', version)
            FROM pg_extension_update_paths('flakeid') WHERE source = sql_version AND target = version AND path IS NOT NULL);
        findings := findings + 1; RETURN NEXT;
    END IF;
    IF clock.memory = 'dynamic' AND current_setting('server_version_num')::int < 170000 THEN
        severity := 'notice'; subject := 'shared_preload_libraries';
        finding := 'On this major of PostgreSQL it is better to reserve the memory of flakeid at server start. That takes a restart.';
        -- Not every role that may call this may read the setting.
        mend := CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') THEN
            format('ALTER SYSTEM SET shared_preload_libraries = %s',
                concat_ws(', ', nullif(current_setting('shared_preload_libraries'), ''), 'flakeid')) END;
        findings := findings + 1; RETURN NEXT;
    END IF;

    -- who this database is
    IF clock.setting_fault IS NOT NULL THEN
        severity := 'error'; subject := 'settings';
        finding := format('There is a fault in the settings: %s. Correct postgresql.conf first.', rtrim(clock.setting_fault, '.'));
        mend := 'SELECT pg_reload_conf()';
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- If the library is preloaded, the server refuses a bad value, and sessions do not hear of that.
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
        mend := renumber;
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- who else has its number
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        BEGIN
            FOR at IN EXECUTE format('SELECT result AS node, string_agg(nodeid::text, '', '' ORDER BY nodeid) AS nodes,
                    (SELECT groupid FROM pg_dist_local_group) AS own
                FROM run_command_on_all_nodes(''SELECT node FROM %s.flakeid_clock'') WHERE success GROUP BY result HAVING count(*) > 1', home) LOOP
                severity := 'error'; subject := 'flakeid.node';
                finding := format('Nodes %s of Citus all have number %s. Set a number of its own on each of them, such as its group in pg_dist_node; here:', at.nodes, at.node);
                mend := format('ALTER SYSTEM SET flakeid.node = %s; SELECT pg_reload_conf()', at.own);
                findings := findings + 1; RETURN NEXT;
            END LOOP;
        EXCEPTION WHEN OTHERS THEN
            severity := 'notice'; subject := 'flakeid.node'; mend := NULL;
            finding := format('The nodes of Citus could not be asked for their numbers: %s.', SQLERRM);
            findings := findings + 1; RETURN NEXT;
        END;
    END IF;

    -- the mark
    subject := '_flakeid.mark';
    IF (SELECT count(*) FROM _flakeid.mark) > 3 THEN
        severity := 'warning';
        finding := format('The table has %s rows instead of 3, as after a restore with --disable-triggers.', (SELECT count(*) FROM _flakeid.mark));
        mend := format('SELECT %s.flakeid_advance(now())', home);
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
        finding := 'The table has an index. The generators refuse to write the table until the index is dropped.';
        mend := format('DROP INDEX %s', at.name);
        findings := findings + 1; RETURN NEXT;
    END LOOP;
    IF (SELECT c.relpersistence <> 'p' FROM pg_class AS c WHERE c.oid = '_flakeid.mark'::regclass) THEN
        severity := 'error';
        finding := 'The table is not permanent: a crash would empty it.';
        mend := 'ALTER TABLE _flakeid.mark SET LOGGED';
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- After the findings above, whose faults keep flakeid_advance() from writing the table.
    -- VACUUM first: the library reads a deleted row until then, and of two rows of a kind it
    -- keeps the first.  The other rows tell of wrong times, which are added to all.
    IF (SELECT count(DISTINCT m.kind) FROM _flakeid.mark AS m WHERE m.kind BETWEEN 0 AND 2) < 3 THEN
        severity := 'error';
        finding := 'The table lacks a row, so that nothing tells which IDs were issued. What follows puts it back, with an instant after the clock and after the marks that are left. '
            'If the clock has been set back since the last ID was made, write an instant after that ID for now(), both times.';
        mend := format('VACUUM _flakeid.mark; BEGIN; ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert; '
            'INSERT INTO _flakeid.mark SELECT n, 1, ''-infinity'', greatest(now() + interval ''3 s'', (SELECT max((ARRAY[to_1, to_2, to_3, to_4, to_5, to_6])[current]) FROM _flakeid.mark)), '
            '''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'' '
            'FROM generate_series(0, 2) AS n WHERE n NOT IN (SELECT kind FROM _flakeid.mark); '
            'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert; COMMIT; '
            'INSERT INTO _flakeid.mark SELECT (jsonb_populate_record(m, jsonb_build_object(''kind'', n))).* FROM _flakeid.mark AS m, generate_series(0, 2) AS n; '
            'SELECT %s.flakeid_advance(now())', home);
        findings := findings + 1; RETURN NEXT;
    END IF;
    FOR at IN EXECUTE format('SELECT min(issued_from) AS since, max(issued_to) AS until FROM %s.flakeid_issued WHERE NOT is_current AND issued_to > $1 HAVING count(*) > 0', home) USING clock.clock LOOP
        severity := 'notice'; subject := 'issued interval';
        finding := format('IDs of the time from %s to %s exist already: they were made while the clock was wrong, or came with a dump. '
            'When the clock gets there, sno goes on on its other timeline, and the other types wait until it is past them. ', at.since, at.until);
        -- Force gives up what keeps them from coming again: nothing for a time that may be years away.
        IF at.since <= clock.clock THEN
            finding := finding || 'It is there now: wait, or force, after which they may come again.';
            mend := format('SELECT %s.flakeid_clock_reset(now(), force => true)', home);
        ELSE
            finding := finding || 'Until then nothing is to be done.';
            mend := NULL;
        END IF;
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
    FOR at IN EXECUTE format('SELECT type, number, overflows, last_overflow, used, capacity, sequence_min, sequence_max,
            1::bigint << (SELECT f.sequence_bits FROM %1$s.flakeid_formats AS f WHERE f.name = g.type) AS pool,
            tick > clock_timestamp() - interval ''1 hour'' AS recent
        FROM %1$s.flakeid_generators AS g WHERE %2$L', home, readable) LOOP
        subject := format('generator %s %s', at.type, at.number);
        IF at.last_overflow > clock_timestamp() - interval '1 hour' THEN
            severity := 'warning';
            finding := format('Calls that found a tick used up: %s, the last one at %s. Spread IDs over partitions, or give this database a wider range; then count anew.', at.overflows, at.last_overflow);
            mend := format('SELECT %s.flakeid_stats_reset()', home);
            findings := findings + 1; RETURN NEXT;
        ELSIF at.recent AND at.used > 0.8 * at.capacity THEN
            severity := 'notice';
            finding := format('%s of the %s numbers of its last tick are leased: it is near its pool. ', at.used, at.capacity);
            IF at.capacity < at.pool THEN
                finding := finding || format('The pool is %s to %s; if no other server or database has the rest, widen it.', at.sequence_min, at.sequence_max);
                mend := format('ALTER SYSTEM SET flakeid.%s_sequence = %L; SELECT pg_reload_conf()', at.type, format('0-%s', at.pool - 1));
            ELSE
                finding := finding || 'If that is so most of the time, spread IDs over partitions or databases.';
                mend := NULL;
            END IF;
            findings := findings + 1; RETURN NEXT;
        END IF;
    END LOOP;

    -- Tables partitioned by an ID of our types that sorts by time.
    -- An error with one table does not keep the others from being looked at.
    FOR at IN EXECUTE format('SELECT c.oid::regclass AS name, nullif(p.partdefid, 0)::regclass AS rest, format(''%%s.%%I'', t.typnamespace::regnamespace, t.typname) AS type,
            t.typname, a.attname, s.last_analyze
        FROM pg_partitioned_table AS p JOIN pg_class AS c ON c.oid = p.partrelid
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
            JOIN pg_opclass AS o ON o.oid = p.partclass[0] JOIN pg_type AS t ON t.oid = o.opcintype
            LEFT JOIN pg_stat_user_tables AS s ON s.relid = c.oid
        WHERE p.partstrat = ''r'' AND p.partnatts = 1 AND t.typname <> ''uid96''
            AND t.typnamespace = ''%1$s''::regnamespace AND t.typname IN (SELECT f.name FROM %1$s.flakeid_formats AS f)
        ORDER BY c.oid::regclass::text', home) LOOP
        subject := format('table %s', at.name);
        instant := format('%s.%I(%%s)', home, at.typname || '_timestamp');
        BEGIN
            -- the last partition's end and span, from its bounds
            EXECUTE format('SELECT ends, CASE WHEN isfinite(begins) AND isfinite(ends) THEN ends - begins END
                FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
                    CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, c.oid), %L) AS bound
                    CROSS JOIN LATERAL (SELECT (%s)::timestamptz AS begins, (%s)::timestamptz AS ends) AS span
                WHERE i.inhparent = $1 AND bound IS NOT NULL ORDER BY ends DESC LIMIT 1',
                '^FOR VALUES FROM \(''([^'']+)''\) TO \(''([^'']+)''\)$', format(instant, 'bound[1]::' || at.type), format(instant, 'bound[2]::' || at.type))
                INTO upper_at, step USING at.name;
            -- the difference of two instants knows no months
            IF upper_at = date_trunc('month', upper_at, 'UTC') AND step BETWEEN '28 days' AND '31 days' THEN
                step := '1 month';
            END IF;
            step := coalesce(step, '1 month');
            IF at.rest IS NOT NULL THEN
                EXECUTE format('SELECT EXISTS (SELECT FROM %s)', at.rest) INTO filled;
                IF filled THEN
                    severity := 'warning';
                    finding := format('Default partition %s has rows, for whose time no partition can be created as long as they are there. Move them:', at.rest);
                    mend := format('BEGIN; CREATE TEMP TABLE moved ON COMMIT DROP AS SELECT * FROM %1$s; TRUNCATE %1$s; '
                        'SELECT %2$s.flakeid_create_partitions(%3$L, max(n) AT TIME ZONE ''UTC'', last + interval ''1 us'', %4$L) '
                        'FROM (SELECT min(t) AS first, max(t) AS last FROM (SELECT (%5$s)::timestamptz AS t FROM moved) AS v) AS v '
                        'CROSS JOIN generate_series(timestamp ''1970-01-01'', first AT TIME ZONE ''UTC'', %4$L) AS n GROUP BY last; INSERT INTO %3$s SELECT * FROM moved; COMMIT',
                        at.rest, home, at.name, '1 month', format(instant, quote_ident(at.attname)));
                    findings := findings + 1; RETURN NEXT;
                END IF;
            END IF;
            IF upper_at < clock.clock + step THEN
                severity := CASE WHEN upper_at < clock.clock THEN 'error' ELSE 'warning' END;
                finding := format('The last partition ends at %s; there is none for the time after it.', upper_at);
                mend := format('SELECT %s.flakeid_create_partitions(%L, %L, %L, %L)', home, at.name, upper_at, clock.clock + 2 * step, step);
                findings := findings + 1; RETURN NEXT;
            END IF;
            IF at.last_analyze < clock.clock - step
                OR NOT EXISTS (SELECT FROM pg_stats AS s WHERE (s.schemaname, s.tablename) = (SELECT c.relnamespace::regnamespace::text, c.relname::text FROM pg_class AS c WHERE c.oid = at.name))
                AND EXISTS (SELECT FROM pg_inherits AS i JOIN pg_stat_user_tables AS s ON s.relid = i.inhrelid WHERE i.inhparent = at.name AND s.n_live_tup > 0) THEN
                severity := 'warning';
                finding := 'The table as a whole has no statistics of its latest time: autovacuum analyzes its partitions, but not the table.';
                mend := format('ANALYZE %s', at.name);
                findings := findings + 1; RETURN NEXT;
            END IF;
        EXCEPTION WHEN OTHERS THEN
            severity := 'notice'; mend := NULL;
            finding := format('The table could not be looked at: %s.', SQLERRM);
            findings := findings + 1; RETURN NEXT;
        END;
    END LOOP;

    -- Rows that others have brought: the newest of each key.
    FOR at IN EXECUTE format('SELECT DISTINCT c.oid::regclass AS name, c.oid::regclass::text AS text, a.attname, t.typname
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_am AS m ON m.oid = x.relam
            JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND m.amname = ''btree'' AND c.relkind IN (''r'', ''p'') AND NOT c.relispartition
            AND c.relpersistence <> ''t'' AND t.typnamespace = ''%1$s''::regnamespace AND t.typname IN (''sno'', ''siq'', ''snowflake'') AND %2$L
        ORDER BY text, a.attname', home, readable) LOOP
        subject := format('table %s', at.name);
        BEGIN
            EXECUTE format('SELECT max(%1$I::text), count(*) FROM (SELECT %1$I FROM %2$s WHERE %1$I IS NOT NULL ORDER BY %1$I DESC LIMIT 1000) AS newest WHERE %3$s.flakeid_of_twin(%4$L, %1$I::bytea)',
                at.attname, at.name, home, at.typname) INTO others, rows;
            IF rows > 0 THEN
                severity := 'error';
                finding := format('Of the newest IDs in column %s, %s have this database''s number, although it has not issued them, such as %s. '
                    'Another server has the same number, if nobody has made them by hand. Set a number that no other server has.', at.attname, rows, others);
                mend := renumber;
                findings := findings + 1; RETURN NEXT;
            END IF;
        EXCEPTION WHEN OTHERS THEN
            severity := 'notice'; mend := NULL;
            finding := format('The table could not be looked at: %s.', SQLERRM);
            findings := findings + 1; RETURN NEXT;
        END;
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
COMMENT ON FUNCTION flakeid_doctor() IS 'what is wrong with flakeid in this database, and the statements that mend it';

