/* ---------- what users call ---------- */

-- All that follows is looked up in pg_catalog alone: from here on every name of the
-- extension is qualified.
SET LOCAL search_path = pg_catalog, pg_temp;

-- For each function here that ends in _as_owner or _as_caller, make the one that is called, with the same
-- arguments and comment, in the extension's schema.  What procedures call as the owner is here, too.
DO $$
DECLARE
    command text;
BEGIN
    FOR command IN
        SELECT format('CREATE %1$s %2$s.%3$I(%4$s)%5$s AS ''MODULE_PATHNAME'', ''flakeid_%6$s'' LANGUAGE C%7$s; COMMENT ON %1$s %2$s.%3$I(%8$s) IS %9$L',
            CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END, s.schema, w.name, pg_get_function_arguments(p.oid),
            ' RETURNS ' || pg_get_function_result(p.oid), w.how,
            CASE WHEN p.prokind = 'f' THEN concat(CASE p.provolatile WHEN 's' THEN ' STABLE' END, ' STRICT PARALLEL UNSAFE', ' ROWS ' || nullif(p.prorows, 0)) END,
            pg_get_function_identity_arguments(p.oid), obj_description(p.oid, 'pg_proc'))
        FROM pg_extension AS x CROSS JOIN pg_proc AS p
            CROSS JOIN LATERAL (SELECT regexp_replace(p.proname, '_as_[a-z]+$', ''), substring(p.proname FROM 'as_[a-z]+$')) AS w (name, how)
            CROSS JOIN LATERAL (VALUES ('_flakeid_functions', w.how = 'as_owner'),
                (x.extnamespace::regnamespace::text, w.name NOT IN ('flakeid_backfill_batch', 'flakeid_remove_partition'))) AS s (schema, wanted)
        WHERE x.extname = 'flakeid' AND p.pronamespace = '_flakeid_functions'::regnamespace AND w.how IN ('as_owner', 'as_caller') AND s.wanted
    LOOP
        EXECUTE command;
    END LOOP;
END
$$;

/* ---------- privileges ---------- */

-- ALTER DEFAULT PRIVILEGES may have given the objects to roles as they were created, or the former
-- owner of those that the SQL edition had made, and a trigger on _flakeid.mark would run with the
-- rights of any session that makes an ID.  So take everything away first, and PUBLIC's privileges
-- on tables; functions that are not for PUBLIC say so where they are created.
DO $$
DECLARE
    command text;
BEGIN
    FOR command IN
        SELECT DISTINCT format('REVOKE ALL ON %s %s FROM %s CASCADE', o.kind, o.name, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END)
        FROM pg_extension AS x JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND d.deptype = 'e'
            CROSS JOIN LATERAL (
                SELECT 'ROUTINE', p.oid::regprocedure::text, p.proowner, p.proacl
                FROM pg_proc AS p WHERE d.classid = 'pg_proc'::regclass AND p.oid = d.objid
                UNION ALL SELECT 'TABLE', c.oid::regclass::text, c.relowner, c.relacl
                FROM pg_class AS c WHERE d.classid = 'pg_class'::regclass AND c.oid = d.objid
                UNION ALL SELECT 'SCHEMA', n.oid::regnamespace::text, n.nspowner, n.nspacl
                FROM pg_namespace AS n WHERE d.classid = 'pg_namespace'::regclass AND n.oid = d.objid
                UNION ALL SELECT 'TYPE', t.oid::regtype::text, t.typowner, t.typacl
                FROM pg_type AS t WHERE d.classid = 'pg_type'::regclass AND t.oid = d.objid
            ) AS o (kind, name, owner, acl)
            CROSS JOIN LATERAL aclexplode(o.acl) AS a
        WHERE x.extname = 'flakeid' AND a.grantee <> o.owner AND NOT (a.grantee = 0 AND o.kind IN ('ROUTINE', 'TYPE'))
    LOOP
        EXECUTE command;
    END LOOP;
END
$$;

-- The owner of the database must be able to dump and restore the mark, and the owner of a
-- subscription to read the table in publications FOR ALL TABLES.  Nobody else may use the
-- schema, not even to look: two sessions of a role that may can lock the table without
-- end, and so keep the generators waiting.
GRANT USAGE ON SCHEMA _flakeid TO pg_database_owner;
GRANT SELECT, INSERT ON _flakeid.mark TO pg_database_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON _flakeid.horizon TO pg_database_owner;
DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 160000 THEN
        GRANT USAGE ON SCHEMA _flakeid TO pg_create_subscription;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA _flakeid_functions TO PUBLIC;

-- The functions are a superuser's, who has installed the extension for the database's owner;
-- whom else they serve, the owner decides.
GRANT EXECUTE ON FUNCTION @extschema@.flakeid_advance(timestamptz, boolean), @extschema@.flakeid_clock_reset(timestamptz, boolean),
    @extschema@.flakeid_stats_reset(), @extschema@.sno_horizon() TO pg_database_owner WITH GRANT OPTION;

-- the roles that watch a server may ask, too
GRANT EXECUTE ON FUNCTION @extschema@.flakeid_doctor(), _flakeid_functions.flakeid_announcing(), _flakeid_functions.flakeid_sequence_columns(),
    _flakeid_functions.flakeid_doctor_memory(), _flakeid_functions.flakeid_doctor_library(),
    _flakeid_functions.flakeid_doctor_node(), _flakeid_functions.flakeid_doctor_citus(), _flakeid_functions.flakeid_doctor_subscriptions(), _flakeid_functions.flakeid_doctor_mark(),
    _flakeid_functions.flakeid_doctor_clock(), _flakeid_functions.flakeid_doctor_generators(), _flakeid_functions.flakeid_doctor_holders(), _flakeid_functions.flakeid_doctor_sequences(), _flakeid_functions.flakeid_doctor_versions(),
    _flakeid_functions.flakeid_mark_rows(), _flakeid_functions.flakeid_derived_node(oid),
    _flakeid_functions.flakeid_numbers(), _flakeid_functions.flakeid_same_numbers() TO pg_monitor, pg_database_owner;
GRANT SELECT ON @extschema@.flakeid_clock, @extschema@.flakeid_formats, @extschema@.flakeid_generators,
    @extschema@.flakeid_horizon_holders, @extschema@.flakeid_issued, @extschema@.flakeid_layouts TO PUBLIC;

-- last: from here on IDs may be made
SELECT _flakeid.flakeid_mark_take_over();
SELECT _flakeid_functions.flakeid_tell_same_numbers();
