/* ---------- a uuid as a TypeID ---------- */

-- These use ulid_text and ulid_uuid alone, so that they stay where only the others give way to C.

CREATE FUNCTION @schema@._flakeid_typeid_start(prefix text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    IF prefix COLLATE "C" !~ '^([a-z]([a-z_]{0,61}[a-z]){0,1}){0,1}$' THEN
        RAISE 'invalid prefix of a TypeID: "%"', prefix
            USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'A prefix is up to 63 characters, a to z and underscores, and neither begins nor ends with an underscore.';
    END IF;
    RETURN CASE WHEN prefix = '' THEN '' ELSE prefix || '_' END;
END
$body$;
-- The digits of a TypeID that begins with "start".
CREATE FUNCTION @schema@._flakeid_typeid_digits(id text, start text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    IF left(id, -26) COLLATE "C" <> start OR right(id, 26) COLLATE "C" !~ '^[0-7][0-9a-hjkmnp-tv-z]{25}$' THEN
        RAISE 'invalid TypeID%: "%"', CASE WHEN start <> '' THEN ' of prefix ' || left(start, -1) ELSE '' END, id
            USING ERRCODE = 'invalid_text_representation',
                DETAIL = 'A TypeID is a prefix, an underscore if the prefix is not empty, and 26 digits of base 32 in lower case (0 to 9 and a to z without i, l, o and u), of which the first is 0 to 7.';
    END IF;
    RETURN right(id, 26);
END
$body$;

COMMENT ON FUNCTION @schema@._flakeid_typeid_start(text) IS 'what TypeIDs of a prefix begin with, or an error';
COMMENT ON FUNCTION @schema@._flakeid_typeid_digits(text, text) IS 'the digits of a TypeID, or an error';

CREATE FUNCTION @schema@.typeid(id uuid, prefix text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN id IS NOT NULL THEN @schema@._flakeid_typeid_start(prefix) || lower(@schema@.ulid_text(id) COLLATE "C") END;
CREATE FUNCTION @schema@.typeid_uuid(id text, prefix text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN id IS NOT NULL THEN @schema@.ulid_uuid(@schema@._flakeid_typeid_digits(id, @schema@._flakeid_typeid_start(prefix))) END;
CREATE FUNCTION @schema@.typeid_prefix(id text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    IF id COLLATE "C" !~ '^([a-z]([a-z_]{0,61}[a-z]){0,1}_){0,1}[0-7][0-9a-hjkmnp-tv-z]{25}$' THEN
        RAISE 'invalid TypeID: "%"', id
            USING ERRCODE = 'invalid_text_representation',
                DETAIL = 'A TypeID is a prefix, an underscore if the prefix is not empty, and 26 digits of base 32 in lower case (0 to 9 and a to z without i, l, o and u), of which the first is 0 to 7.';
    END IF;
    RETURN left(id, -27);
END
$body$;

COMMENT ON FUNCTION @schema@.typeid(uuid, text) IS 'a uuid as a TypeID: prefix, underscore, 26 digits';
COMMENT ON FUNCTION @schema@.typeid_uuid(text, text) IS 'uuid of a TypeID, which must have this prefix';
COMMENT ON FUNCTION @schema@.typeid_prefix(text) IS 'prefix of a TypeID, '''' if it has none';
