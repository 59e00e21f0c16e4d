/* ---------- another server with our number ---------- */

CREATE FUNCTION flakeid_watch_row() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_of_twin(type text, id bytea) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

-- The trigger always fires: a subscription's rows arrive with
-- session_replication_role = replica.  After the row, so that COPY still inserts many
-- rows at once.
CREATE FUNCTION flakeid_watch(target regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (SELECT c.relkind NOT IN ('r', 'p') FROM pg_class AS c WHERE c.oid = target) THEN
        RAISE '"%" is not a table', target USING ERRCODE = 'wrong_object_type';
    END IF;
    -- also look at the types below domains
    IF NOT EXISTS (
        WITH RECURSIVE types AS (
            SELECT a.atttypid AS oid FROM pg_attribute AS a WHERE a.attrelid = target AND a.attnum > 0 AND NOT a.attisdropped
            UNION SELECT t.typbasetype FROM types JOIN pg_type AS t USING (oid) WHERE t.typtype = 'd'
        )
        SELECT FROM types
        WHERE oid IN ('@extschema@.sno'::regtype, '@extschema@.siq'::regtype, '@extschema@.uid96'::regtype, '@extschema@.snowflake'::regtype)
    ) THEN
        RAISE 'table "%" has no column whose IDs carry a number', target
            USING ERRCODE = 'wrong_object_type',
            DETAIL = 'Those of type sno, siq, uid96 and snowflake do; those of type uid64, flax, ulid and ksuid, and UUIDs, do not.';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = target AND t.tgname = 'flakeid_watch') THEN
        EXECUTE format('CREATE TRIGGER flakeid_watch AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION @extschema@.flakeid_watch_row()', target);
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER flakeid_watch', target);
END
$$;

CREATE FUNCTION flakeid_unwatch(target regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    EXECUTE format('DROP TRIGGER IF EXISTS flakeid_watch ON %s', target);
END
$$;

COMMENT ON FUNCTION flakeid_watch_row() IS 'trigger of watched tables: counts IDs with this database''s number that its generators have not issued';
COMMENT ON FUNCTION flakeid_of_twin(text, bytea) IS 'whether an ID of this type, as bytea, has this database''s number and a tick that its generator has not issued';
COMMENT ON FUNCTION flakeid_watch(regclass) IS 'have a trigger count the IDs that arrive in a table with this database''s number but from elsewhere: in twins of flakeid_clock';
COMMENT ON FUNCTION flakeid_unwatch(regclass) IS 'drop the trigger of flakeid_watch';
