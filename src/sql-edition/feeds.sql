/* ---------- feeds: values of sequences ---------- */

-- Readers need to know what an open transaction may have drawn.  It says so by a shared advisory lock:
-- announce.in, which edition.pl puts into each body that draws, because a body can call nothing here.

CREATE FUNCTION @schema@.flakeid_follow() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    s CONSTANT regclass := to_regclass(TG_ARGV[1]);
BEGIN
    IF TG_WHEN <> 'BEFORE' OR TG_LEVEL <> 'STATEMENT' THEN
        RAISE 'function "flakeid_follow" must be fired BEFORE STATEMENT' USING ERRCODE = '39P01';
    ELSIF TG_OP NOT IN ('INSERT', 'UPDATE') THEN
        RAISE 'function "flakeid_follow" must be fired for INSERT or UPDATE' USING ERRCODE = '39P01';
    END IF;
    RETURN NULL;
END
$body$;
