/* ---------- feeds: the values of a sequence ---------- */

-- A body of PL/pgSQL can call nothing of ours, so edition.pl puts announce.in into each that draws.
-- A trigger names its sequence, because nextval() does not use the snapshot: to a writer in
-- REPEATABLE READ, the catalogs would say which one it was.

CREATE FUNCTION @schema@.flakeid_follow() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    s CONSTANT regclass := to_regclass(TG_ARGV[1]);
BEGIN
    -- has_column_privilege() reports a column that is not there
    IF (TG_WHEN = 'BEFORE' AND TG_LEVEL = 'STATEMENT' AND TG_OP IN ('INSERT', 'UPDATE') AND TG_NARGS = 2 AND s IS NOT NULL
        AND has_column_privilege(TG_RELID, TG_ARGV[0], 'SELECT') IS NOT NULL) IS NOT TRUE THEN
        IF TG_WHEN <> 'BEFORE' OR TG_LEVEL <> 'STATEMENT' THEN
            RAISE 'function "flakeid_follow" must be fired BEFORE STATEMENT' USING ERRCODE = 'trigger_protocol_violated';
        ELSIF TG_OP NOT IN ('INSERT', 'UPDATE') THEN
            RAISE 'function "flakeid_follow" must be fired for INSERT or UPDATE' USING ERRCODE = 'trigger_protocol_violated';
        END IF;
%ARGUMENTS%
    END IF;
%ANNOUNCE%
    RETURN NULL;
END
$body$;
CREATE FUNCTION @schema@.flakeid_nextval(sequence regclass) RETURNS bigint
    LANGUAGE plpgsql STRICT
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    s CONSTANT regclass := sequence;
BEGIN
%ANNOUNCE%
    RETURN nextval(s);
END
$body$;

COMMENT ON FUNCTION @schema@.flakeid_follow() IS 'for a BEFORE INSERT OR UPDATE trigger FOR EACH STATEMENT: announces that the statement may draw from a sequence, so that flakeid_horizon() follows it; its arguments are the column, and the sequence with its schema';
COMMENT ON FUNCTION @schema@.flakeid_nextval(regclass) IS 'nextval(), whose values flakeid_horizon() follows';
