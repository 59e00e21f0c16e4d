-- flakeid: sortable IDs as PostgreSQL types.  Joined from src/*.sql by make.

-- complain if this script is sourced in psql instead of by CREATE EXTENSION
\echo Use "CREATE EXTENSION flakeid" to load this file. \quit

-- What no user calls: the functions of types, operators, casts, operator classes, views and
-- plans, the steps of other functions, and operators that only operator families use.  Every
-- role may use this schema and none may create anything in it, so a full name always means
-- ours.  It has no tables: a role that may use a table's schema can lock the table.
--
-- The operators that users write are in pg_catalog, where every session finds them: IS
-- DISTINCT FROM, NULLIF, CASE id WHEN, JOIN USING and comparisons of rows look an operator up
-- by its name alone, and pg_dump's scripts do so with an empty search_path.
CREATE SCHEMA _flakeid_functions;

COMMENT ON SCHEMA _flakeid_functions IS 'functions and operators that only flakeid itself uses';

CREATE FUNCTION _flakeid_functions.flakeid_home() RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT x.extnamespace::regnamespace::text FROM pg_extension AS x WHERE x.extname = 'flakeid');
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_home() IS 'schema of the extension, which may have been renamed, quoted for use in SQL';

CREATE FUNCTION _flakeid_functions.flakeid_quoted(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN CASE WHEN name LIKE '%"%' THEN name ELSE '"' || name || '"' END;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_quoted(text) IS 'name of a relation, as regclass shows it, for messages: in quotation marks unless it has some';

/* ---------- block ranges, for all types ---------- */

-- core's functions, for columns of domains, too

CREATE FUNCTION _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_minmax_union(internal, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal) IS 'BRIN support: brin_minmax_add_value() for a type or a domain over it';
COMMENT ON FUNCTION _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal) IS 'BRIN support: brin_minmax_consistent() for a type or a domain over it';
COMMENT ON FUNCTION _flakeid_functions.flakeid_minmax_union(internal, internal, internal) IS 'BRIN support: brin_minmax_union() for a type or a domain over it';
COMMENT ON FUNCTION _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal) IS 'BRIN support: brin_minmax_multi_add_value() for a type or a domain over it';
COMMENT ON FUNCTION _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int) IS 'BRIN support: brin_minmax_multi_consistent() for a type or a domain over it';
COMMENT ON FUNCTION _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal) IS 'BRIN support: brin_minmax_multi_union() for a type or a domain over it';

/* ---------- time conditions, for all types ---------- */

-- The right side of <@ and the left side of @>.  If these operators took tstzrange
-- itself, range @> '[...)' would no longer mean what it means without flakeid: an
-- operator that names the type beats core's for any range.
CREATE DOMAIN flakeid_period AS tstzrange;

COMMENT ON DOMAIN flakeid_period IS 'tstzrange, as the other operand of an ID';

-- The instant of an ID, as T_timestamp(T) and the functions in instant.sql return it:
-- conditions on it become conditions on the ID.
CREATE FUNCTION _flakeid_functions.flakeid_instant_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_support(internal) IS 'planner support for functions that return the time of an ID, and for <@';

-- Operator families of IDs compare two instants by these operators, as for
-- id < ANY (instants).  They cannot use core's operators: how the planner joins and sorts
-- by timestamptz depends on the families that core's are in.
@EACH lt le ge gt@ CREATE OPERATOR _flakeid_functions.|@OP@ (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_@NAME@,
    COMMUTATOR = OPERATOR(_flakeid_functions.|@COMMUTATOR@), NEGATOR = OPERATOR(_flakeid_functions.|@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);

@EACH lt le ge gt@ COMMENT ON OPERATOR _flakeid_functions.|@OP@ (timestamptz, timestamptz) IS '@MEANS@, for operator families of IDs';

CREATE FUNCTION _flakeid_functions.flakeid_next_instant(timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flakeid_range_start(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flakeid_horizon_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _flakeid_functions.flakeid_horizon_support(internal) IS 'planner support for T_horizon()';
@EACH lt le eq ne ge gt@ CREATE FUNCTION _flakeid_functions.flakeid_@NAME@_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_next_instant(timestamptz) IS 'the instant a microsecond later; infinity after the last one; the infinities themselves for the infinities';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_start(tstzrange) IS 'first instant of a range; -infinity if there is none, infinity if the range is empty';
@EACH lt le eq ne ge gt@ COMMENT ON FUNCTION _flakeid_functions.flakeid_@NAME@_support(internal) IS 'planner support for @OP@ of an ID';
