/* ---------- a uuid as a TypeID ---------- */

-- A condition typeid(id, prefix) = text becomes one on the column: see src/planner/shown.c.
-- The domain tells these texts from others.
CREATE DOMAIN flakeid_typeid AS text;

COMMENT ON DOMAIN flakeid_typeid IS 'text that typeid has made of a uuid';

CREATE FUNCTION typeid(id uuid, prefix text) RETURNS flakeid_typeid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
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
CREATE FUNCTION _flakeid_functions.is_typeid(text, text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.typeid_eq_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.typeid_match(text, text) IS 'uuid of a TypeID of this prefix, NULL for any other text';
COMMENT ON FUNCTION _flakeid_functions.is_typeid(text, text) IS 'is the text a TypeID of this prefix?';
COMMENT ON FUNCTION _flakeid_functions.typeid_eq_support(internal) IS 'planner support for = of a TypeID';

-- Equality: core's function, which the planner asks flakeid about.  There is none with text or
-- varchar: as it would match one side exactly, PostgreSQL would find "char" = text and
-- varchar = varchar ambiguous.

CREATE FUNCTION _flakeid_functions.flakeid_typeid_eq(flakeid_typeid, flakeid_typeid) RETURNS boolean
    AS 'texteq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.typeid_eq_support;

COMMENT ON FUNCTION _flakeid_functions.flakeid_typeid_eq(flakeid_typeid, flakeid_typeid) IS 'implementation of = operator';

CREATE OPERATOR pg_catalog.= (
    LEFTARG = flakeid_typeid, RIGHTARG = flakeid_typeid, FUNCTION = _flakeid_functions.flakeid_typeid_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), RESTRICT = eqsel, JOIN = eqjoinsel
);

COMMENT ON OPERATOR pg_catalog.= (flakeid_typeid, flakeid_typeid) IS 'equal';

