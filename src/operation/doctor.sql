/* ---------- the doctor ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_clock_synchronized() RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_clock_jump() RETURNS interval
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_library_replaced() RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_mark_rows(OUT relation oid, OUT rows int, OUT kinds int) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE ROWS 1;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_mark_rows() FROM PUBLIC;

COMMENT ON FUNCTION _flakeid_functions.flakeid_clock_synchronized() IS 'whether the kernel says that its clock is synchronized; true where it cannot be asked';
COMMENT ON FUNCTION _flakeid_functions.flakeid_clock_jump() IS 'by how much the clock was set ahead since flakeid_clock.since, or back if negative; NULL: not known yet';
COMMENT ON FUNCTION _flakeid_functions.flakeid_mark_rows() IS 'the table of the mark, how many rows it has, and of how many kinds';
COMMENT ON FUNCTION _flakeid_functions.flakeid_library_replaced() IS 'whether the installed library differs from the one that this session has loaded';

-- A probe reads catalogs, statistics, flakeid's memory and the mark, and no user's table.
--
-- "fix" is a statement that can be run as it is, or NULL where a person has to decide.  It
-- never sets a node number, as nothing here knows which servers have it.  Its calls have all
-- their arguments, so that they mean no other function of that name.
CREATE TYPE _flakeid_functions.flakeid_finding AS (severity text, subject text, finding text, fix text);

-- A probe whose findings anybody can make many of says whose object each is about.
CREATE TYPE _flakeid_functions.flakeid_finding_of_owner AS (severity text, subject text, finding text, fix text, owner oid);

COMMENT ON TYPE _flakeid_functions.flakeid_finding IS 'row of flakeid_doctor()';
COMMENT ON TYPE _flakeid_functions.flakeid_finding_of_owner IS 'row of flakeid_doctor(), and the owner of what it is about';

-- The view reports an error if the mark is damaged or cannot be read, or if another version
-- made the memory; then the generators report it, too.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_memory() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    fault text;
BEGIN
    EXECUTE format('SELECT c.setting_fault FROM %s.flakeid_clock AS c', _flakeid_functions.flakeid_home()) INTO fault;
    IF fault IS NOT NULL THEN
        RETURN QUERY SELECT 'error', 'settings', format('There is a fault in the settings: %s. '
            'Correct postgresql.conf, and reload.', rtrim(fault, '.')), NULL;
    -- if the library is preloaded, the server refuses a bad value, and sessions never see it
    ELSIF has_function_privilege('pg_show_all_file_settings()', 'EXECUTE') THEN
        RETURN QUERY SELECT 'error', 'settings', format('The server refuses %s = ''%s'' (%s, line %s). '
                'Correct it, and reload.', f.name, f.setting, f.sourcefile, f.sourceline), NULL
            FROM pg_show_all_file_settings() AS f WHERE f.name LIKE 'flakeid.%' AND f.error IS NOT NULL;
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_library() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    at record;
BEGIN
    SELECT x.extversion, x.extowner, n.oid, n.nspname, n.nspowner, l.version, l.preloaded INTO at
    FROM pg_extension AS x JOIN pg_namespace AS n ON n.oid = x.extnamespace, _flakeid_functions.flakeid_library() AS l
    WHERE x.extname = 'flakeid';
    IF at.version <> at.extversion THEN
        RETURN QUERY SELECT 'error', 'version', format('The library is version %s, the extension in this database %s. '
            'If the extension is the newer one, install the library and %s.', at.version, at.extversion,
            CASE WHEN at.preloaded THEN 'restart the server, which has preloaded it' ELSE 'start new sessions' END),
            -- there is no way to update to an older library
            (SELECT format('ALTER EXTENSION flakeid UPDATE TO %L;', u.target) FROM pg_extension_update_paths('flakeid') AS u
            WHERE u.source = at.extversion AND u.target = at.version AND u.path IS NOT NULL);
    ELSIF _flakeid_functions.flakeid_library_replaced() THEN
        RETURN QUERY SELECT 'warning', 'version', format('The library on disk differs from the one that this session '
            'has loaded. Before ALTER EXTENSION flakeid UPDATE, %s.', CASE WHEN at.preloaded
            THEN 'restart the server, which has preloaded it' ELSE 'start a new session; pools keep old ones' END), NULL;
    END IF;
    RETURN QUERY SELECT 'warning', 'schema', format('Roles other than its owner may create objects in schema %I, '
            'such as functions that your calls find instead of flakeid''s.', at.nspname),
            CASE WHEN min(a.grantee) = 0 THEN format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC;', at.nspname) END
        FROM pg_namespace AS n CROSS JOIN aclexplode(n.nspacl) AS a LEFT JOIN pg_roles AS r ON r.oid = a.grantee
        WHERE n.oid = at.oid AND a.privilege_type = 'CREATE' AND a.grantee NOT IN (n.nspowner, at.extowner)
            AND r.rolsuper IS NOT TRUE
        HAVING count(*) > 0;
    -- the database's owner could have created the extension, so owning public adds nothing
    RETURN QUERY SELECT 'warning', 'schema', format('Role %I owns schema %I, but not flakeid, and may create functions '
            'there that your calls find instead of flakeid''s. Give the schema to the owner of flakeid by ALTER SCHEMA.',
            r.rolname, at.nspname), NULL
        FROM pg_roles AS r
        WHERE r.oid = at.nspowner AND r.oid <> at.extowner AND NOT r.rolsuper AND r.rolname <> 'pg_database_owner';
    IF NOT at.preloaded AND current_setting('server_version_num')::int < 170000 THEN
        RETURN QUERY SELECT 'notice', 'shared_preload_libraries', 'On this major version of PostgreSQL it is better to '
            'reserve the memory of flakeid at server start. That takes a restart.',
            -- the list has names in quotes, and not everybody may see it
            CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') THEN (
                SELECT format('ALTER SYSTEM SET shared_preload_libraries = %s;', string_agg(quote_literal(e.name), ', ' ORDER BY e.n))
                FROM (SELECT replace(trim(BOTH '"' FROM m.part[1]), '""', '"') AS name, m.n
                    FROM regexp_matches(current_setting('shared_preload_libraries'), '"(?:[^"]|"")*"|[^", ]+', 'g')
                        WITH ORDINALITY AS m (part, n)
                    UNION ALL SELECT 'flakeid', 1000000) AS e) END;
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_node() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    clock record;
    others text;
BEGIN
    -- types that carry the number: in a column or a domain, or by their generators
    EXECUTE format('SELECT c.node, c.node_source FROM %1$s.flakeid_clock AS c
        WHERE EXISTS (SELECT FROM %1$s.flakeid_generators AS g WHERE g.type IN (''sno'', ''siq'', ''snowflake''))
            OR EXISTS (SELECT FROM pg_type AS t JOIN pg_depend AS d ON d.refclassid = ''pg_type''::regclass AND d.refobjid = t.oid
                WHERE t.typnamespace = $1::regnamespace AND t.typname IN (''sno'', ''siq'', ''snowflake'', ''uid96'')
                    AND d.deptype = ''n'' AND (d.classid = ''pg_class''::regclass OR d.classid = ''pg_type''::regclass))',
        home) INTO clock USING home;
    IF clock IS NULL THEN
        RETURN;
    END IF;
    SELECT string_agg(v.what || v.n, ', ') INTO others FROM (
        SELECT 'replicas connected: ' AS what, count(*) AS n FROM pg_stat_replication
        UNION ALL SELECT 'replication slots: ', count(*) FROM pg_replication_slots
        UNION ALL SELECT 'publications: ', count(*) FROM pg_publication
        UNION ALL SELECT 'subscriptions: ', count(*) FROM pg_subscription AS s JOIN pg_database AS d ON d.oid = s.subdbid
            WHERE d.datname = current_database()
    ) AS v WHERE v.n > 0;
    IF clock.node_source IS DISTINCT FROM 'flakeid.node' AND clock.node IS NOT NULL AND others IS NOT NULL THEN
        RETURN QUERY SELECT 'warning', 'flakeid.node', format('The node is derived from the system identifier, which replicas '
            'and copies of this server share, and there are %s. Set flakeid.node to a number that no other server has.',
            others), NULL;
    END IF;
    RETURN QUERY SELECT 'warning', 'flakeid.node', format('Other databases of this server have the same number (%s): %s. '
            'Where their IDs meet, give each its own number by ALTER DATABASE; it takes effect in new sessions.',
            s.number, s.databases), NULL
        FROM _flakeid_functions.flakeid_same_numbers() AS s;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_citus() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension AS x WHERE x.extname = 'citus') THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE 'SELECT CASE WHEN success THEN ''error'' ELSE ''warning'' END, ''flakeid.node'', CASE WHEN success
            THEN format(''Nodes %s of Citus all have number %s. Set flakeid.node on each of them to its own number, such as ''
                ''its group in pg_dist_node.'', n.nodes, result)
            ELSE format(''The numbers of nodes %s of Citus are not known: %s.'', n.nodes, rtrim(result, ''.'')) END, NULL
        FROM (SELECT success, result, string_agg(nodeid::text, '', '' ORDER BY nodeid) AS nodes, count(*) AS count
            FROM pg_catalog.run_command_on_all_nodes($1) GROUP BY success, result) AS n WHERE NOT success OR n.count > 1'
        USING format('SELECT node FROM %s.flakeid_clock', _flakeid_functions.flakeid_home());
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_subscriptions() RETURNS SETOF _flakeid_functions.flakeid_finding_of_owner
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    asked boolean;
BEGIN
    -- since 18 core counts errors by their kind
    RETURN QUERY SELECT 'error', format('subscription %I', s.subname),
            format('Its changes could not be applied, %s times%s%s. %s When it is solved, reset the count by pg_stat_reset_subscription_stats().',
                t.apply_error_count, ' since ' || t.stats_reset, CASE WHEN s.subenabled THEN '' ELSE ', and it is disabled' END,
                CASE WHEN k.duplicates = 0 THEN 'None was for a duplicate key: the server''s log says why.'
                    ELSE concat(CASE WHEN k.duplicates > 0 THEN format('Of these %s were for a duplicate key: ', k.duplicates)
                        ELSE 'If the server''s log says "duplicate key", ' END,
                    'another server makes IDs under this database''s number. The subscription cannot continue until that row is removed.') END), NULL, s.subowner
        FROM pg_subscription AS s JOIN pg_database AS d ON d.oid = s.subdbid
            JOIN pg_stat_subscription_stats AS t ON t.subid = s.oid CROSS JOIN LATERAL (
                SELECT (to_jsonb(t) ->> 'confl_insert_exists')::bigint + coalesce((to_jsonb(t) ->> 'confl_multiple_unique_conflicts')::bigint, 0)
            ) AS k (duplicates)
        WHERE d.datname = current_database() AND t.apply_error_count > 0 ORDER BY s.subname;
    -- nothing here knows who reads which table; a uuid may be of any version
    EXECUTE format('SELECT c.horizon_asked IS NOT NULL FROM %s.flakeid_clock AS c', _flakeid_functions.flakeid_home()) INTO asked;
    IF NOT asked THEN
        RETURN;
    END IF;
    RETURN QUERY WITH RECURSIVE based (subid, relid, type) AS (
            SELECT r.srsubid, r.srrelid, a.atttypid FROM pg_subscription_rel AS r
                JOIN pg_attribute AS a ON a.attrelid = r.srrelid AND a.attnum > 0 AND NOT a.attisdropped
            UNION SELECT b.subid, b.relid, t.typbasetype FROM based AS b JOIN pg_type AS t ON t.oid = b.type AND t.typtype = 'd'
        ), drawn AS (
            -- by the publisher: the sequence of the same name here stays where it is
            SELECT c.relation FROM _flakeid_functions.flakeid_sequence_columns() AS c
        ), keys AS (
            SELECT v.subid, v.relid FROM based AS v JOIN pg_type AS t ON t.oid = v.type
                    AND t.typname IN (SELECT f.name FROM _flakeid_functions.flakeid_show_formats() AS f WHERE f.time_ordered)
                JOIN pg_depend AS d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
                JOIN pg_extension AS x ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND x.extname = 'flakeid'
            -- before 17 the columns of partitions do not show an IDENTITY
            UNION SELECT r.srsubid, r.srrelid FROM pg_subscription_rel AS r CROSS JOIN LATERAL (
                    SELECT r.srrelid UNION SELECT p.relid FROM pg_partition_ancestors(r.srrelid) AS p) AS a (relid)
                WHERE a.relid IN (SELECT c.relation FROM drawn AS c)
        ), brought AS (
            SELECT s.subname, s.subowner, string_agg(DISTINCT v.relid::regclass::text, ', ' ORDER BY v.relid::regclass::text) AS tables
            FROM pg_subscription AS s JOIN pg_database AS b ON b.oid = s.subdbid JOIN keys AS v ON v.subid = s.oid
            WHERE b.datname = current_database()
            GROUP BY s.subname, s.subowner
        )
        SELECT 'notice', format('subscription %I', b.subname),
            format('It brings rows with IDs (%s). Horizons of this server do not know which are still on their way: a condition with one is '
                'refused there, and a feed that fetches one before it reads misses rows. Read on the publisher, or on its standby.',
                CASE WHEN length(b.tables) > 200 THEN left(b.tables, 200) || ' ...' ELSE b.tables END), NULL, b.subowner
        FROM brought AS b ORDER BY b.subname;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_mark() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    mark record;
BEGIN
    -- the caller may use neither the table nor its schema
    SELECT * INTO mark FROM _flakeid_functions.flakeid_mark_rows();
    IF mark.rows > 3 THEN
        RETURN QUERY SELECT 'warning', '_flakeid.mark', format('The table has %s rows instead of 3, as after a restore with '
            '--disable-triggers. They count, also after a reset of the clock.', mark.rows),
            -- the first row of a kind is the library's; inserting the others adds to it what they say
            'BEGIN; ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert; INSERT INTO _flakeid.mark TABLE _flakeid.mark; '
            'ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_change; '
            'DELETE FROM _flakeid.mark AS m USING _flakeid.mark AS f WHERE f.kind = m.kind AND f.ctid < m.ctid; '
            'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change; ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_truncate; COMMIT;';
    END IF;
    RETURN QUERY SELECT 'warning', '_flakeid.mark', format('Trigger %s, which keeps the mark from being lowered, does not always fire.', t.tgname),
            format('ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER %I;', t.tgname)
        FROM pg_trigger AS t
        WHERE t.tgrelid = mark.relation AND starts_with(t.tgname::text, 'mark_') AND t.tgenabled <> 'A' ORDER BY t.tgname;
    RETURN QUERY SELECT 'error', '_flakeid.mark', 'The table has an index. The generators refuse to write the table until the index is dropped.',
            format('DROP INDEX %s;', i.indexrelid::regclass)
        FROM pg_index AS i WHERE i.indrelid = mark.relation;
    RETURN QUERY SELECT 'error', '_flakeid.mark', 'The table is not permanent: a crash would empty it.', 'ALTER TABLE _flakeid.mark SET LOGGED;'
        FROM pg_class AS c WHERE c.oid = mark.relation AND c.relpersistence <> 'p';
    -- After the findings above, whose faults keep flakeid_advance() from writing the table.
    -- VACUUM first: until then the library reads a deleted row, and it keeps the first of two
    -- rows of a kind.  The other rows may have wrong times, which are added to all kinds.
    IF mark.kinds < 3 THEN
        RETURN QUERY SELECT 'error', '_flakeid.mark', 'The table lacks a row, so nothing records which IDs were issued. '
            'The fix puts it back, with an instant after the clock and after the remaining marks. '
            'If the clock has been set back since the last ID was made, write an instant after that ID in place of now(), both times.',
            format('VACUUM _flakeid.mark; BEGIN; ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert; '
            'INSERT INTO _flakeid.mark SELECT n, 1, ''-infinity'', '
            'greatest(now() + interval ''3 s'', (SELECT max((ARRAY[to_1, to_2, to_3, to_4, to_5, to_6])[current]) FROM _flakeid.mark))%s '
            'FROM generate_series(0, 2) AS n WHERE n NOT IN (SELECT kind FROM _flakeid.mark); '
            'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert; COMMIT; '
            'INSERT INTO _flakeid.mark SELECT (jsonb_populate_record(m, jsonb_build_object(''kind'', n))).* FROM _flakeid.mark AS m, generate_series(0, 2) AS n; '
            'SELECT %s.flakeid_advance(now(), false);', repeat(', ''-infinity''', 10), _flakeid_functions.flakeid_home());
    END IF;
END
$$;

-- Also whether the times that it will show were issued before; intervals of different kinds that
-- meet are one.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_clock() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    at record;
    max_ahead interval;
    jump interval;
BEGIN
    IF NOT _flakeid_functions.flakeid_clock_synchronized() THEN
        RETURN QUERY SELECT 'notice', 'clock', 'The kernel says that its clock is not synchronized: no NTP daemon runs, '
            'or it has not succeeded yet. SQL cannot fix that.', NULL;
    END IF;
    -- held_until as flakeid_clock_reset() decides: of kinds that need no reset it does not matter
    EXECUTE format('SELECT c.clock, c.ahead_by, c.since, greatest(c.mark, c.high_water) AS issued,
            greatest(c.mark - interval ''2 s'', c.high_water) - c.clock AS behind, (
                SELECT max(i.issued_to) FROM %1$s.flakeid_issued AS i JOIN %1$s.flakeid_issued AS k ON k.kind = i.kind AND k.is_current
                WHERE c.clock >= i.issued_from AND c.clock < i.issued_to AND k.issued_to > c.clock + interval ''2 s''
            ) AS held_until
        FROM %1$s.flakeid_clock AS c', home) INTO at;
    max_ahead := current_setting('flakeid.max_ahead')::interval;
    jump := _flakeid_functions.flakeid_clock_jump();
    IF jump > max_ahead THEN
        RETURN QUERY SELECT 'warning', 'clock jump', format('Since %s the clock was set ahead by %s, and reads %s now. '
            'If it is wrong, correct it, and then call flakeid_clock_reset(now()): IDs made until then count as issued. '
            'If it is right, as after a pause of a virtual machine, reset the counters by flakeid_stats_reset().',
            at.since, justify_hours(jump), at.clock), NULL;
    END IF;
    IF at.behind > max_ahead THEN
        -- the clock may be right or wrong, and the generators go by it either way
        RETURN QUERY SELECT 'error', 'clock', concat(format('The clock reads %s, but IDs count as issued up to %s, which is more '
            'than flakeid.max_ahead later: generators refuse, but for sno, which may go on by this clock on its other timeline. ', at.clock, at.issued),
            CASE WHEN at.held_until IS NULL THEN format('If the clock is right now, type%s SELECT %s.flakeid_clock_reset(now(), false); otherwise correct it.',
                CASE WHEN pg_is_in_recovery() THEN ' on the primary' END, home)
                ELSE format('If the clock is wrong, correct it. IDs of the current time were issued, too, up to %s: wait until then, or call flakeid_clock_reset(now(), '
                    'force => true), after which IDs may repeat.', at.held_until) END), NULL;
    ELSIF at.ahead_by > max_ahead / 2 THEN
        RETURN QUERY SELECT 'warning', 'clock', format('IDs are %s ahead of the clock, and flakeid.max_ahead is %s: '
            'correct the clock, or wait.', at.ahead_by, max_ahead), NULL;
    END IF;
    FOR at IN EXECUTE format('SELECT lower(r.span) AS since, upper(r.span) AS until, r.span @> c.clock AS now FROM %1$s.flakeid_clock AS c CROSS JOIN LATERAL (
            SELECT unnest(range_agg(tstzrange(i.issued_from, i.issued_to))) FROM %1$s.flakeid_issued AS i WHERE NOT i.is_current AND i.issued_to > c.clock
        ) AS r (span) ORDER BY 1', home) LOOP
        -- force gives up what keeps them from being repeated, so a person has to decide
        RETURN QUERY SELECT 'notice', 'issued interval', format('IDs of the time from %s to %s already exist: they were made while the '
            'clock was wrong, or were restored from a dump. When the clock gets there, sno continues on its other timeline, and the '
            'other types continue ahead of the clock within flakeid.max_ahead, or report an error, until the clock is past that time. %s',
            at.since, at.until, CASE WHEN at.now THEN format('It is there now: wait until %s, or call '
                'flakeid_clock_reset(now(), force => true), after which IDs may repeat.', at.until)
                ELSE 'Until then there is nothing to do.' END), NULL;
    END LOOP;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_generators() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    at record;
BEGIN
    FOR at IN EXECUTE format('SELECT g.*, format(''generator %%s %%s'', g.type, g.number) AS subject, g.used > 0.8 * g.capacity AS full,
            g.capacity >> f.sequence_bits = 0 AS narrow, clock_timestamp() - interval ''1 hour'' AS since, clock_timestamp() + interval ''1 min'' AS until
        FROM %1$s.flakeid_generators AS g JOIN %1$s.flakeid_formats AS f ON f.name = g.type', home) LOOP
        IF at.last_overflow BETWEEN at.since AND at.until THEN
            RETURN QUERY SELECT 'warning', at.subject, format('Calls that found a tick used up: %s, the last one at %s. '
                'Spread IDs over partitions, or give this database a wider range; then reset the counters.',
                at.overflows, at.last_overflow), format('SELECT %s.flakeid_stats_reset();', home);
        ELSIF at.tick BETWEEN at.since AND at.until AND at.full THEN
            -- what other servers and databases have of the pool is not known here
            RETURN QUERY SELECT 'notice', at.subject, format('%s of the %s numbers of its last tick are leased: the pool is nearly exhausted. ',
                at.used, at.capacity) || CASE WHEN at.narrow
                THEN format('The pool is %s to %s; if no other server or database has the rest, widen it by flakeid.%s.', at.sequence_min, at.sequence_max,
                    CASE at.type WHEN 'sno' THEN 'sno_sequence_min and flakeid.sno_sequence_max' ELSE 'snowflake_process' END)
                ELSE 'If that happens often, spread IDs over partitions or databases.' END, NULL;
        END IF;
    END LOOP;
END
$$;

-- Where nobody asks for horizons, nobody waits.  Otherwise a person has to decide whether the
-- transaction is worth it.  The oldest of each role come first, so that no role hides another's.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_holders() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    at record;
BEGIN
    FOR at IN EXECUTE format('SELECT h.*, date_trunc(''second'', h.age) AS held
        FROM %1$s.flakeid_horizon_holders AS h WHERE h.age > interval ''1 minute'' AND (SELECT c.horizon_asked FROM %1$s.flakeid_clock AS c) IS NOT NULL
        ORDER BY row_number() OVER (PARTITION BY h.role ORDER BY h.age DESC), h.age DESC, h.pid, h.prepared LIMIT 5', _flakeid_functions.flakeid_home()) LOOP
        RETURN QUERY SELECT 'warning', 'horizon', format('%s has %s for %s: feeds that read up to it wait. %s',
            CASE WHEN at.pid IS NULL THEN format('Prepared transaction %L of %I', at.prepared, at.role)
                ELSE format('Process %s of %I (%s)', at.pid, at.role, coalesce(at.state, 'you may not see what it does')) END,
            CASE WHEN at.sequence IS NOT NULL THEN format('drawn from sequence %s and has held its horizon', at.sequence)
                ELSE concat('made IDs', CASE WHEN at.pid IS NOT NULL THEN ' in a transaction' END, ' and has held all horizons') END,
            at.held, CASE WHEN at.pid IS NULL THEN format('End it: COMMIT PREPARED %1$L, or ROLLBACK PREPARED %1$L.', at.prepared)
                ELSE concat(format('To end it: SELECT pg_terminate_backend(%s).', at.pid), CASE WHEN at.state LIKE 'idle in transaction%'
                    THEN ' Set idle_in_transaction_session_timeout, which ends such sessions.' END) END), NULL;
    END LOOP;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_show_sequences(OUT sequence oid, OUT asked timestamptz, OUT unannounced bigint, OUT silent boolean, OUT back boolean) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 1000;

-- The next two serve all sequences at once, because anybody can make many.  Their ROWS keep the
-- planner from comparing each with each.
CREATE FUNCTION _flakeid_functions.flakeid_announcing(OUT relid oid, OUT attnum int2, OUT name name, OUT trigger name, OUT enabled "char", OUT names text, OUT version boolean) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE ROWS 1000
    SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    follow CONSTANT oid := to_regprocedure(_flakeid_functions.flakeid_home() || '.flakeid_follow()');
    late CONSTANT oid := to_regprocedure(_flakeid_functions.flakeid_home() || '.flakeid_late_id()');
    version CONSTANT oid := to_regprocedure(_flakeid_functions.flakeid_home() || '.flakeid_rowversion()');
BEGIN
    RETURN QUERY SELECT a.attrelid, a.attnum, a.attname, g.tgname, g.tgenabled,
            -- the last argument, if that is a sequence
            CASE WHEN g.tgnargs = CASE WHEN g.tgfoid = late THEN 3 ELSE 2 END THEN lower(replace(g.args[g.tgnargs], '"', '')) END, g.tgfoid = version
        FROM (SELECT g.*,
                -- each argument ends in a zero byte, \000; after a backslash of its own, \\ here, digits are only digits
                string_to_array(replace(encode(g.tgargs, 'escape'), E'\\\\', E'\\134'), E'\\000') AS args
            FROM pg_trigger AS g
            -- BEFORE INSERT, FOR EACH STATEMENT or ROW, always; a version may depend on what has changed
            WHERE (g.tgtype & 7, g.tgfoid) IN ((6, follow), (7, late)) AND g.tgqual IS NULL OR (g.tgtype & 7, g.tgfoid) = (7, version)) AS g
        JOIN pg_attribute AS a ON a.attrelid = g.tgrelid AND replace(encode(convert_to(a.attname, getdatabaseencoding()), 'escape'), E'\\\\', E'\\134') = g.args[1];
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_sequence_columns(OUT sequence oid, OUT relation oid, OUT name name, OUT partition boolean, OUT announces boolean, OUT trigger name, OUT enabled "char") RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE asked AS MATERIALIZED (
        -- as an argument may name it: whoever writes it decides on case and quotes, and an error here would be the doctor's
        SELECT f.sequence, lower(replace(encode(convert_to(n.nspname || '.' || s.relname, getdatabaseencoding()), 'escape'), '"', '')) AS names
        FROM _flakeid_functions.flakeid_show_sequences() AS f JOIN pg_class AS s ON s.oid = f.sequence JOIN pg_namespace AS n ON n.oid = s.relnamespace
        WHERE f.asked IS NOT NULL),
    announcing AS MATERIALIZED (SELECT * FROM _flakeid_functions.flakeid_announcing()),
    tree AS (
        SELECT s.sequence, s.names, d.refobjid AS relid, a.attname FROM asked AS s JOIN pg_depend AS d ON d.objid = s.sequence
            JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i'
        UNION
        SELECT t.sequence, t.names, i.inhrelid, t.attname FROM tree AS t JOIN pg_inherits AS i ON i.inhparent = t.relid),
    columns AS (
        SELECT r.sequence, r.names, r.relid, r.attnum, bool_or(r.by_flakeid) AS by_flakeid
        FROM (
            -- from 17 on partitions have the IDENTITY, too
            SELECT t.sequence, t.names, t.relid, a.attnum, false AS by_flakeid FROM tree AS t JOIN pg_attribute AS a ON a.attrelid = t.relid AND a.attname = t.attname AND a.attidentity <> ''
            UNION ALL
            SELECT s.sequence, s.names, f.adrelid, f.adnum, pg_get_expr(f.adbin, f.adrelid) !~ '(^|[^_])nextval[(]'
            FROM asked AS s JOIN pg_depend AS d ON d.refobjid = s.sequence JOIN pg_attrdef AS f ON f.oid = d.objid
            WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_class'::regclass
            UNION ALL
            SELECT s.sequence, s.names, g.relid, g.attnum, false FROM announcing AS g JOIN asked AS s USING (names)) AS r
        GROUP BY r.sequence, r.names, r.relid, r.attnum)
    SELECT DISTINCT ON (r.sequence, r.relid, r.attnum) r.sequence, c.oid, a.attname, c.relispartition, r.by_flakeid, g.trigger, g.enabled
    FROM columns AS r JOIN pg_class AS c ON c.oid = r.relid JOIN pg_attribute AS a ON a.attrelid = r.relid AND a.attnum = r.attnum
        LEFT JOIN announcing AS g ON g.relid = r.relid AND g.attnum = r.attnum AND coalesce(g.names = r.names, true)
    WHERE c.relkind IN ('r', 'p')
    -- one that fires
    ORDER BY r.sequence, r.relid, r.attnum, g.enabled = 'A' DESC, g.enabled = 'D', g.trigger;
END
$$;

-- What matters most first, because flakeid_doctor() does not return all of many.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_sequences() RETURNS SETOF _flakeid_functions.flakeid_finding_of_owner
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT 'warning', 'horizon', format('Transactions that have used sequence %s before they announced it: %s. If they drew values that they wrote, '
            'readers may have missed these rows; one that only altered it, or looked at currval(), lastval() or pg_sequences, is counted, too. Draw in the INSERT whose trigger announces, or by flakeid_nextval(). flakeid_stats_reset() restarts the count.',
            f.sequence::regclass, f.unannounced), NULL, c.relowner
        FROM _flakeid_functions.flakeid_show_sequences() AS f JOIN pg_class AS c ON c.oid = f.sequence
        WHERE f.unannounced > 0 ORDER BY f.unannounced DESC, f.sequence;
    RETURN QUERY SELECT 'warning', 'horizon', format('Sequence %s has moved since readers first asked for its horizon, and no transaction has announced that it draws: '
            'if these values were written, readers may have missed the rows. Draw in an INSERT whose trigger flakeid_follow() announces, or by flakeid_nextval(); '
            'a column that rows of a subscription fill needs DEFAULT flakeid_nextval(). flakeid_stats_reset() forgets what was.', f.sequence::regclass), NULL, c.relowner
        FROM _flakeid_functions.flakeid_show_sequences() AS f JOIN pg_class AS c ON c.oid = f.sequence
        WHERE f.silent ORDER BY f.sequence;
    RETURN QUERY SELECT 'warning', 'horizon', format('Sequence %s is below what readers were told, so somebody has set it back: rows that get its next values are below positions, and readers miss them. '
            'Set the positions back, or the sequence above the greatest value of its columns: SELECT setval(%L, max(...)). flakeid_stats_reset() forgets what was.', f.sequence::regclass, f.sequence::regclass), NULL, c.relowner
        FROM _flakeid_functions.flakeid_show_sequences() AS f JOIN pg_class AS c ON c.oid = f.sequence
        WHERE f.back ORDER BY f.sequence;
    -- a warning, because an error wakes somebody, and anybody can create such a trigger; the name is whatever its argument says
    RETURN QUERY SELECT 'warning', 'horizon', format('Trigger %I of %s names sequence "%s", which does not exist: INSERTs fail%s. Create the trigger again with its new name.', g.trigger, g.relid::regclass,
            left(g.names, 200), (SELECT coalesce(format('; column %I draws from ', g.name) || string_agg(d.refobjid::regclass::text, ', '), '') FROM pg_attrdef AS f JOIN pg_depend AS d ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid
                AND d.refclassid = 'pg_class'::regclass JOIN pg_class AS s ON s.oid = d.refobjid AND s.relkind = 'S' WHERE f.adrelid = g.relid AND f.adnum = g.attnum)), NULL, c.relowner
        FROM _flakeid_functions.flakeid_announcing() AS g JOIN pg_class AS c ON c.oid = g.relid
        WHERE g.enabled <> 'D' AND g.names IS NOT NULL AND NOT EXISTS (
            SELECT FROM pg_class AS s JOIN pg_namespace AS n ON n.oid = s.relnamespace
            WHERE s.relkind = 'S' AND lower(replace(encode(convert_to(n.nspname || '.' || s.relname, getdatabaseencoding()), 'escape'), '"', '')) = g.names)
        ORDER BY g.relid, g.trigger;
    RETURN QUERY SELECT 'warning', 'horizon', format('Sequence %s, whose horizon readers have asked for, has none, and they get an error.', f.sequence::regclass),
            CASE WHEN c.relpersistence = 'p' AND s.seqincrement > 0 THEN format('ALTER SEQUENCE %s CACHE 1 NO CYCLE;', f.sequence::regclass) END, c.relowner
        FROM _flakeid_functions.flakeid_show_sequences() AS f JOIN pg_sequence AS s ON s.seqrelid = f.sequence JOIN pg_class AS c ON c.oid = f.sequence
        WHERE f.asked IS NOT NULL AND (c.relpersistence <> 'p' OR s.seqcache > 1 OR s.seqcycle OR s.seqincrement < 0) ORDER BY f.sequence;
    RETURN QUERY SELECT v.severity, 'horizon', CASE
                WHEN d.enabled = 'O' THEN format('Trigger %I of %s does not fire where session_replication_role is replica: readers of sequence %s miss rows that such a session writes.', d.trigger, v.place, v.sequence)
                WHEN d.trigger IS NOT NULL THEN format('Readers of sequence %s miss rows of %s: its trigger %I is disabled.', v.sequence, v.place, d.trigger)
                WHEN d.partition THEN format('Readers miss rows of partition %s if statements name it, and not the table that it belongs to: column %I draws from sequence %s, and the partition has no trigger of its own.', v.place, d.name, v.sequence)
                ELSE format('Readers miss rows of %s: column %I draws from sequence %s without announcing it.', v.place, d.name, v.sequence) END,
            CASE WHEN d.trigger IS NOT NULL THEN format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I;', v.place, d.trigger)
                ELSE format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s.flakeid_follow(%L); ALTER TABLE %2$s ENABLE ALWAYS TRIGGER %1$I;',
                    'follow_' || d.name, v.place, _flakeid_functions.flakeid_home(), d.name) END, c.relowner
        FROM _flakeid_functions.flakeid_sequence_columns() AS d JOIN pg_class AS c ON c.oid = d.relation CROSS JOIN LATERAL (
            SELECT d.relation::regclass AS place, d.sequence::regclass AS sequence, CASE WHEN coalesce(d.enabled = 'O', d.partition) THEN 'notice' ELSE 'warning' END AS severity) AS v
        WHERE NOT d.announces AND d.enabled IS DISTINCT FROM 'A'
        ORDER BY v.severity DESC, d.sequence, d.relation, d.name;
END
$$;

-- The columns that flakeid_rowversion() fills.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_versions() RETURNS SETOF _flakeid_functions.flakeid_finding_of_owner
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT 'warning', 'horizon', format('An UPDATE of %s also changes rows of %s, which inherits from it, and gives them no new version: readers miss these changes.', g.relid::regclass, c.oid::regclass),
            -- a name or an argument may have the same text, and the child's name would end its quotes
            CASE WHEN cardinality(d.parts) = 2 THEN format('%s ON %s FOR %s; ALTER TABLE %2$s ENABLE ALWAYS TRIGGER %4$I;', d.parts[1], c.oid::regclass, d.parts[2], g.trigger) END, c.relowner
        FROM _flakeid_functions.flakeid_announcing() AS g JOIN pg_trigger AS t ON t.tgrelid = g.relid AND t.tgname = g.trigger
            JOIN pg_inherits AS i ON i.inhparent = g.relid JOIN pg_class AS c ON c.oid = i.inhrelid
            CROSS JOIN LATERAL (SELECT string_to_array(pg_get_triggerdef(t.oid), format(' ON %s FOR ', g.relid::regclass))) AS d (parts)
        WHERE g.version AND g.enabled <> 'D' AND NOT c.relispartition
            AND NOT EXISTS (SELECT FROM pg_trigger AS o WHERE o.tgrelid = c.oid AND o.tgfoid = t.tgfoid)
        ORDER BY g.relid, c.oid;
    RETURN QUERY SELECT 'warning', 'horizon', format('Column %I of %s draws a value by its %s, which its trigger %I replaces.', g.name, g.relid::regclass, CASE WHEN a.attidentity = '' THEN 'DEFAULT' ELSE 'IDENTITY, and INSERTs fail' END, g.trigger),
            CASE WHEN a.attidentity = '' THEN format('ALTER TABLE %s ALTER %I SET DEFAULT 0;', g.relid::regclass, g.name)
                ELSE format('ALTER TABLE %s ALTER %I DROP IDENTITY, ALTER %2$I SET DEFAULT 0;', g.relid::regclass, g.name) END, c.relowner
        FROM _flakeid_functions.flakeid_announcing() AS g JOIN pg_class AS c ON c.oid = g.relid JOIN pg_attribute AS a ON a.attrelid = g.relid AND a.attnum = g.attnum
        WHERE g.version AND g.enabled <> 'D' AND (a.attidentity <> '' OR EXISTS (
            SELECT FROM pg_attrdef AS f JOIN pg_depend AS d ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass JOIN pg_class AS s ON s.oid = d.refobjid AND s.relkind = 'S'
            WHERE f.adrelid = g.relid AND f.adnum = g.attnum))
        ORDER BY g.relid, g.name;
    RETURN QUERY SELECT 'notice', 'horizon', format('Trigger %I of %s fires after %I, which gives the row its version, because its name sorts later: if it changes that column, or %3$I has a WHEN that does not see its change, readers miss the change.', o.tgname, g.relid::regclass, g.trigger),
            CASE WHEN convert_to('zz_' || g.trigger, 'UTF8') > convert_to(o.tgname, 'UTF8') THEN format('ALTER TRIGGER %I ON %s RENAME TO %I;', g.trigger, g.relid::regclass, left('zz_' || g.trigger, 63)) END, c.relowner
        FROM _flakeid_functions.flakeid_announcing() AS g JOIN pg_class AS c ON c.oid = g.relid JOIN pg_trigger AS t ON t.tgrelid = g.relid AND t.tgname = g.trigger
            JOIN pg_trigger AS o ON o.tgrelid = g.relid AND o.tgname > g.trigger
        -- BEFORE INSERT OR UPDATE FOR EACH ROW; those of partitions are the table's
        WHERE g.version AND g.enabled <> 'D' AND t.tgparentid = 0 AND o.tgtype & 3 = 3 AND o.tgtype & 20 <> 0 AND o.tgenabled <> 'D' AND o.tgfoid <> t.tgfoid
        ORDER BY g.relid, o.tgname;
END
$$;

-- Anybody can make many findings, and a statement_timeout loses them all.  So first those about
-- what all IDs need, at most a hundred of each subject, and no further subject once half of the
-- time is gone.  The hundred are what concerns superusers or nobody, then the first of each owner,
-- their second, and so on.
CREATE FUNCTION flakeid_doctor(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    half CONSTANT interval := nullif(current_setting('statement_timeout')::interval / 2, '0');
    probe record;
    told text;      -- what the generators report
    detail text;
    found int;
    well boolean := true;
BEGIN
    FOR probe IN SELECT v.name, v.subject FROM (VALUES
        ('memory', 'flakeid'), ('mark', '_flakeid.mark'), ('clock', 'clock'), ('library', 'version'), ('node', 'flakeid.node'),
        ('generators', 'generators'), ('holders', 'horizon'), ('citus', 'flakeid.node'),
        ('subscriptions', 'subscription'), ('sequences', 'horizon'), ('versions', 'horizon')) AS v (name, subject) LOOP
        IF clock_timestamp() > statement_timestamp() + half THEN
            severity := 'warning'; subject := probe.subject; fix := NULL; well := false;
            finding := 'This was not checked, because half of statement_timeout was over.';
            RETURN NEXT;
            CONTINUE;
        END IF;
        BEGIN
            -- a stranger may have made a schema of the name, but no function in C; there may be no library to ask
            IF NOT EXISTS (SELECT FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
                WHERE p.oid = to_regprocedure('_flakeid_functions.flakeid_library()') AND l.lanname = 'c') THEN
                RAISE 'schema "_flakeid_functions" is not the extension''s' USING DETAIL = 'Give the schemas of flakeid their names again.';
            END IF;
            found := 0;
            FOR severity, subject, finding, fix IN EXECUTE format('SELECT p.severity, p.subject, p.finding, p.fix
                FROM _flakeid_functions.%I() WITH ORDINALITY AS p LEFT JOIN pg_roles AS r ON r.oid::text = to_jsonb(p) ->> ''owner'' AND NOT r.rolsuper
                ORDER BY CASE WHEN r.oid IS NOT NULL THEN row_number() OVER (PARTITION BY r.oid ORDER BY p.ordinality) ELSE 0 END, p.ordinality', 'flakeid_doctor_' || probe.name) LOOP
                found := found + 1;
                IF found > 100 THEN
                    finding := 'There are more findings like these, which are left out.';
                    fix := NULL;
                END IF;
                -- a standby takes over what its primary writes
                IF fix !~ '^ALTER SYSTEM|flakeid_stats_reset' AND pg_is_in_recovery() THEN
                    finding := format('%s This is a standby: type on the primary: %s', finding, fix);
                    fix := NULL;
                END IF;
                well := false;
                RETURN NEXT;
                EXIT WHEN found > 100;
            END LOOP;
        EXCEPTION WHEN OTHERS THEN
            -- what the generators report is said once
            CONTINUE WHEN SQLERRM = told;
            GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
            severity := CASE WHEN SQLSTATE IN ('55P03', '40P01') THEN 'warning' ELSE 'error' END;
            subject := probe.subject; fix := NULL; well := false;
            finding := concat_ws(' ', format('%s: %s.', CASE WHEN subject = 'flakeid' AND severity = 'error' THEN 'The generators and flakeid_clock report' ELSE 'This could not be checked' END, SQLERRM), nullif(detail, ''));
            told := CASE WHEN subject = 'flakeid' AND severity = 'error' THEN SQLERRM ELSE told END;
            RETURN NEXT;
        END;
    END LOOP;
    IF well THEN
        severity := 'ok'; subject := 'flakeid'; finding := 'Nothing was found.'; fix := NULL;
        RETURN NEXT;
    END IF;
END
$$;

REVOKE ALL ON FUNCTION flakeid_doctor(), _flakeid_functions.flakeid_announcing(), _flakeid_functions.flakeid_sequence_columns(), _flakeid_functions.flakeid_doctor_memory(), _flakeid_functions.flakeid_doctor_library(),
    _flakeid_functions.flakeid_doctor_node(), _flakeid_functions.flakeid_doctor_citus(), _flakeid_functions.flakeid_doctor_subscriptions(), _flakeid_functions.flakeid_doctor_mark(),
    _flakeid_functions.flakeid_doctor_clock(), _flakeid_functions.flakeid_doctor_generators(), _flakeid_functions.flakeid_doctor_holders(), _flakeid_functions.flakeid_doctor_sequences(),
    _flakeid_functions.flakeid_doctor_versions() FROM PUBLIC;

COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_library() IS 'what is wrong with the library, the extension and its schema';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_memory() IS 'what is wrong with the memory, the mark as generators see it, and the settings';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_node() IS 'what is wrong with the number';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_citus() IS 'what is wrong with the numbers of nodes of Citus';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_subscriptions() IS 'what is wrong with subscriptions';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_mark() IS 'what is wrong with the mark';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_clock() IS 'what is wrong with the clock, and with times that were issued before';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_generators() IS 'what is wrong with the generators';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_holders() IS 'transactions that have held the horizons for a long time';
COMMENT ON FUNCTION _flakeid_functions.flakeid_show_sequences() IS 'sequences whose horizon somebody has asked for since the start, or that transactions have used before they announced it, and how many have; silent: it has moved since readers first asked, and no transaction has announced that; back: it is below what readers were told';
COMMENT ON FUNCTION _flakeid_functions.flakeid_announcing() IS 'triggers that announce what a column draws, and the sequence that they name, in lower case and without quotes; version: by flakeid_rowversion()';
COMMENT ON FUNCTION _flakeid_functions.flakeid_sequence_columns() IS 'columns that draw from the sequences whose horizons somebody has asked for: whether their DEFAULT announces it itself, and the trigger that does';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_sequences() IS 'what makes readers of sequences miss rows or wait';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_versions() IS 'what keeps changes from getting a version';
COMMENT ON FUNCTION flakeid_doctor() IS 'what is wrong with flakeid in this database, and the statement that fixes it, unless a person has to decide';
