/* ---------- feeds: the versions of rows ---------- */

CREATE FUNCTION @schema@.flakeid_rowversion() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    s CONSTANT regclass := to_regclass(TG_ARGV[1]);
    kind regtype;
    generated boolean;
    identity boolean;
BEGIN
    IF (TG_WHEN = 'BEFORE' AND TG_LEVEL = 'ROW' AND TG_OP IN ('INSERT', 'UPDATE') AND TG_NARGS = 2
        AND strpos(current_setting('flakeid_sql.announced', true), ';' || s::oid::text || ';') > 0) IS NOT TRUE THEN
        -- once a session, because the column costs more than all the rest
        IF (TG_WHEN = 'BEFORE' AND TG_LEVEL = 'ROW' AND TG_OP IN ('INSERT', 'UPDATE') AND TG_NARGS = 2 AND s IS NOT NULL
            AND strpos(current_setting('flakeid_sql.checked', true), ';' || TG_RELID::text || '.' || TG_ARGV[0] || ';') > 0) IS NOT TRUE THEN
            IF TG_WHEN <> 'BEFORE' OR TG_LEVEL <> 'ROW' THEN
                RAISE 'function "flakeid_rowversion" must be fired BEFORE ROW' USING ERRCODE = 'trigger_protocol_violated';
            ELSIF TG_OP NOT IN ('INSERT', 'UPDATE') THEN
                RAISE 'function "flakeid_rowversion" must be fired for INSERT or UPDATE' USING ERRCODE = 'trigger_protocol_violated';
            END IF;
%ARGUMENTS%
            SELECT a.atttypid, a.attgenerated <> '', a.attidentity <> '' INTO kind, generated, identity
            FROM pg_attribute AS a WHERE a.attrelid = TG_RELID AND a.attname = TG_ARGV[0]::name AND a.attnum > 0;
            IF kind IS NULL THEN
                RAISE 'column "%" of relation "%" does not exist', TG_ARGV[0], TG_TABLE_NAME USING ERRCODE = 'undefined_column';
            ELSIF generated THEN
                RAISE 'column "%" is a generated column', TG_ARGV[0] USING ERRCODE = 'feature_not_supported';
            ELSIF identity THEN
                RAISE 'column "%" is an identity column', TG_ARGV[0]
                    USING ERRCODE = 'feature_not_supported', DETAIL = 'It would draw a second value for each row, without announcing it.', HINT = 'Write DEFAULT 0.';
            ELSIF kind <> 'bigint'::regtype THEN
                RAISE 'column "%" is of type %, but versions are bigint', TG_ARGV[0], kind USING ERRCODE = 'datatype_mismatch';
            END IF;
            PERFORM set_config('flakeid_sql.checked', coalesce(current_setting('flakeid_sql.checked', true), '') || ';' || TG_RELID::text || '.' || TG_ARGV[0] || ';', false);
        END IF;
%ANNOUNCE%
    END IF;
    -- a name that is known is faster
    IF TG_ARGV[0] = 'version' THEN
        NEW.version := nextval(s);
        RETURN NEW;
    END IF;
    -- has_column_privilege() reports a column that is no longer there
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], CASE WHEN has_column_privilege(TG_RELID, TG_ARGV[0], 'SELECT') IS NOT NULL THEN nextval(s) END));
END
$body$;

COMMENT ON FUNCTION @schema@.flakeid_rowversion() IS 'for a BEFORE INSERT OR UPDATE trigger FOR EACH ROW: gives each row that is written the next value of a sequence, which flakeid_horizon() follows; its arguments are the column and the sequence with its schema';
