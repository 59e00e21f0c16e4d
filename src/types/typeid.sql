/* ---------- a uuid as a TypeID ---------- */

-- A condition typeid(id, prefix) = text becomes one on the column: see src/planner/shown.c.
CREATE FUNCTION typeid(id uuid, prefix text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION typeid_uuid(id text, prefix text) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION typeid_prefix(id text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION typeid(uuid, text) IS 'a uuid as a TypeID: prefix, underscore, 26 digits';
COMMENT ON FUNCTION typeid_uuid(text, text) IS 'uuid of a TypeID, which must have this prefix';
COMMENT ON FUNCTION typeid_prefix(text) IS 'prefix of a TypeID, '''' if it has none';

-- what the planner puts in place of a comparison

CREATE FUNCTION _flakeid_functions.typeid_match(text, text) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.typeid_match(text, text) IS 'uuid of a TypeID of this prefix, NULL for any other text';
