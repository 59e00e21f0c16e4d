/* ---------- numbers of databases ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_derived_node(database oid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

-- The number in a setting's text as the server reads it: 0x10, 020 and 16 are one.  NULL if
-- there is none.
CREATE FUNCTION _flakeid_functions.flakeid_setting_number(setting text) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- What new sessions of each database get from ALTER DATABASE, ALTER ROLE ALL and the configuration
-- file; the settings of single roles are not looked at.  A caller that may not read the file uses
-- the values that this session got from it.
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
        SELECT d.datname, n.node, n.set_node >= 0,
            CASE WHEN n.shard >= 0 THEN n.shard WHEN n.set_node < 0 THEN n.node % 256 WHEN n.node < 256 THEN n.node END,
            CASE WHEN n.worker >= 0 THEN n.worker WHEN n.set_node < 0 THEN n.node % 32 WHEN n.node < 32 THEN n.node END,
            n.process
        FROM pg_database AS d
            CROSS JOIN LATERAL (
                -- the last one wins: everybody's, the database's
                SELECT coalesce(in_file, '{}') || coalesce(jsonb_object_agg(lower(split_part(c, '=', 1)), v.number ORDER BY r.setdatabase <> 0), '{}') AS given
                FROM pg_db_role_setting AS r CROSS JOIN unnest(r.setconfig) AS c CROSS JOIN _flakeid_functions.flakeid_setting_number(substr(c, strpos(c, '=') + 1)) AS v (number)
                WHERE r.setrole = 0 AND r.setdatabase IN (0, d.oid) AND c ILIKE 'flakeid.%' AND v.number IS NOT NULL
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

-- The other databases whose IDs can equal this database's: those of sno, and those of siq or
-- snowflake where a number was set.  One row for each number that they share.
CREATE FUNCTION _flakeid_functions.flakeid_same_numbers(OUT number text, OUT databases text) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
        SELECT v.number, string_agg(quote_ident(o.database), ', ' ORDER BY quote_ident(o.database))
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

-- Nothing keeps two databases of a server from having the same number, so CREATE EXTENSION
-- reports it.
-- Its script runs with client_min_messages at warning or above, whatever the session's is.
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
            USING DETAIL = 'IDs of databases with the same number can be equal.',
            HINT = format('Where their IDs meet, give each its own number: ALTER DATABASE %I SET %s = ...', current_database(), split_part(same.number, ' ', 1));
    END LOOP;
END
$$;

REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_derived_node(oid), _flakeid_functions.flakeid_numbers(), _flakeid_functions.flakeid_same_numbers(), _flakeid_functions.flakeid_tell_same_numbers() FROM PUBLIC;

COMMENT ON FUNCTION _flakeid_functions.flakeid_derived_node(oid) IS 'node of a database of this server that has no setting';
COMMENT ON FUNCTION _flakeid_functions.flakeid_setting_number(text) IS 'number that the server reads from a setting; NULL if it is not a number';
COMMENT ON FUNCTION _flakeid_functions.flakeid_numbers() IS 'numbers of this server''s databases, from settings or derived';
COMMENT ON FUNCTION _flakeid_functions.flakeid_tell_same_numbers() IS 'reports the numbers that this database shares with others of the server';
COMMENT ON FUNCTION _flakeid_functions.flakeid_same_numbers() IS 'numbers that this database shares with others of the server';
