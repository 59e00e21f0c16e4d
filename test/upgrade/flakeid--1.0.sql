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
-- comparisons with it become conditions on the ID.
CREATE DOMAIN flakeid_instant AS timestamptz;

COMMENT ON DOMAIN flakeid_instant IS 'timestamptz that a function has extracted from an ID';

CREATE FUNCTION _flakeid_functions.flakeid_instant_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_support(internal) IS 'planner support for functions that return the time of an ID';

-- Operator families of IDs compare two instants by these operators, as for
-- id < ANY (instants).  They cannot use core's operators: how the planner joins and sorts
-- by timestamptz depends on the families that core's are in.
CREATE OPERATOR _flakeid_functions.|< (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_lt,
    COMMUTATOR = OPERATOR(_flakeid_functions.|>), NEGATOR = OPERATOR(_flakeid_functions.|>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR _flakeid_functions.|<= (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_le,
    COMMUTATOR = OPERATOR(_flakeid_functions.|>=), NEGATOR = OPERATOR(_flakeid_functions.|>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR _flakeid_functions.|>= (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_ge,
    COMMUTATOR = OPERATOR(_flakeid_functions.|<=), NEGATOR = OPERATOR(_flakeid_functions.|<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR _flakeid_functions.|> (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_gt,
    COMMUTATOR = OPERATOR(_flakeid_functions.|<), NEGATOR = OPERATOR(_flakeid_functions.|<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR _flakeid_functions.|< (timestamptz, timestamptz) IS 'less than, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|<= (timestamptz, timestamptz) IS 'less than or equal, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|>= (timestamptz, timestamptz) IS 'greater than or equal, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|> (timestamptz, timestamptz) IS 'greater than, for operator families of IDs';

CREATE FUNCTION _flakeid_functions.flakeid_next_instant(timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flakeid_range_start(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flakeid_range_end(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flakeid_horizon_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _flakeid_functions.flakeid_horizon_support(internal) IS 'planner support for T_horizon()';
CREATE FUNCTION _flakeid_functions.flakeid_lt_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_le_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_eq_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_ne_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_ge_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_gt_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_within_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_next_instant(timestamptz) IS 'the instant a microsecond later; infinity after the last one; the infinities themselves for the infinities';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_start(tstzrange) IS 'first instant of a range; -infinity if there is none, infinity if the range is empty';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_end(tstzrange) IS 'first instant after a range; infinity if there is none, -infinity if the range is empty';
COMMENT ON FUNCTION _flakeid_functions.flakeid_lt_support(internal) IS 'planner support for < of an ID or its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_le_support(internal) IS 'planner support for <= of an ID or its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_eq_support(internal) IS 'planner support for = of an ID or its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_ne_support(internal) IS 'planner support for <> of an ID or its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_ge_support(internal) IS 'planner support for >= of an ID or its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_gt_support(internal) IS 'planner support for > of an ID or its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_within_support(internal) IS 'planner support for <@, @> and flakeid_within';

/* ---------- estimates, for all types ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_ltsel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_lesel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_gesel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_gtsel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_withinsel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_joinsel(internal, oid, internal, int2, internal) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_ltsel(internal, oid, internal, int) IS 'restriction selectivity of < with an ID as an operand';
COMMENT ON FUNCTION _flakeid_functions.flakeid_lesel(internal, oid, internal, int) IS 'restriction selectivity of <= with an ID as an operand';
COMMENT ON FUNCTION _flakeid_functions.flakeid_gesel(internal, oid, internal, int) IS 'restriction selectivity of >= with an ID as an operand';
COMMENT ON FUNCTION _flakeid_functions.flakeid_gtsel(internal, oid, internal, int) IS 'restriction selectivity of > with an ID as an operand';
COMMENT ON FUNCTION _flakeid_functions.flakeid_withinsel(internal, oid, internal, int) IS 'restriction selectivity of id <@ tstzrange';
COMMENT ON FUNCTION _flakeid_functions.flakeid_joinsel(internal, oid, internal, int2, internal) IS 'join selectivity of a comparison of an ID with an instant';

/* ---------- GiST, for all types ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_gist_union(internal, internal) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_gist_penalty(internal, internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_gist_picksplit(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_gist_same(bytea, bytea, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_gist_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_gist_union(internal, internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.flakeid_gist_penalty(internal, internal, internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.flakeid_gist_picksplit(internal, internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.flakeid_gist_same(bytea, bytea, internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.flakeid_gist_sortsupport(internal) IS 'GiST support';

/* ---------- sno ---------- */

CREATE TYPE sno;

CREATE FUNCTION _flakeid_functions.sno_in(cstring) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.sno_out(sno) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.sno_recv(internal) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.sno_send(sno) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE sno (
    INPUT = _flakeid_functions.sno_in,
    OUTPUT = _flakeid_functions.sno_out,
    RECEIVE = _flakeid_functions.sno_recv,
    SEND = _flakeid_functions.sno_send,
    INTERNALLENGTH = 10, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION _flakeid_functions.sno_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.sno_out(sno) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.sno_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.sno_send(sno) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.sno_lt(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_le(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_eq(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_ne(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_ge(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_gt(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_cmp(sno, sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.sno_hash(sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_hash_extended(sno, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.sno_lt(sno, sno) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.sno_le(sno, sno) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.sno_eq(sno, sno) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.sno_ne(sno, sno) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.sno_ge(sno, sno) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.sno_gt(sno, sno) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.sno_cmp(sno, sno) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.sno_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.sno_hash(sno) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.sno_hash_extended(sno, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = _flakeid_functions.sno_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = _flakeid_functions.sno_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = _flakeid_functions.sno_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = _flakeid_functions.sno_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = _flakeid_functions.sno_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = _flakeid_functions.sno_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (sno, sno) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (sno, sno) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (sno, sno) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (sno, sno) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (sno, sno) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (sno, sno) IS 'greater than';

CREATE OPERATOR CLASS sno_ops DEFAULT FOR TYPE sno USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.sno_cmp(sno, sno),
    FUNCTION 2 _flakeid_functions.sno_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS sno_hash_ops DEFAULT FOR TYPE sno USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.sno_hash(sno),
    FUNCTION 2 _flakeid_functions.sno_hash_extended(sno, bigint);

COMMENT ON OPERATOR CLASS sno_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.sno_smaller(sno, sno) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_larger(sno, sno) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(sno) (
    SFUNC = _flakeid_functions.sno_smaller, STYPE = sno, COMBINEFUNC = _flakeid_functions.sno_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(sno) (
    SFUNC = _flakeid_functions.sno_larger, STYPE = sno, COMBINEFUNC = _flakeid_functions.sno_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.sno_smaller(sno, sno) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.sno_larger(sno, sno) IS 'larger of two';
COMMENT ON AGGREGATE min(sno) IS 'minimum value of all sno input values';
COMMENT ON AGGREGATE max(sno) IS 'maximum value of all sno input values';

-- casts

CREATE FUNCTION _flakeid_functions.sno_to_bytea(sno) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_from_bytea(bytea) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.sno_to_bytea(sno) IS 'the 10 bytes of a sno';
COMMENT ON FUNCTION _flakeid_functions.sno_from_bytea(bytea) IS 'sno from 10 bytes';

CREATE CAST (text AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (sno AS bytea) WITH FUNCTION _flakeid_functions.sno_to_bytea(sno);
CREATE CAST (bytea AS sno) WITH FUNCTION _flakeid_functions.sno_from_bytea(bytea);

COMMENT ON CAST (text AS sno) IS 'sno from its text';
COMMENT ON CAST (varchar AS sno) IS 'sno from its text';
COMMENT ON CAST (bpchar AS sno) IS 'sno from its text';
COMMENT ON CAST (sno AS bytea) IS 'the 10 bytes of a sno';
COMMENT ON CAST (bytea AS sno) IS 'sno from 10 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.sno_brin_distance(sno, sno) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.sno_brin_distance(sno, sno) IS 'how many IDs the second sno lies after the first';

CREATE OPERATOR CLASS sno_minmax_ops DEFAULT FOR TYPE sno USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS sno_minmax_multi_ops FOR TYPE sno USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.sno_brin_distance(sno, sno);
CREATE OPERATOR CLASS sno_bloom_ops FOR TYPE sno USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.sno_hash(sno);

COMMENT ON OPERATOR CLASS sno_minmax_ops USING brin IS 'least and greatest sno of a block range';
COMMENT ON OPERATOR CLASS sno_minmax_multi_ops USING brin IS 'several ranges of sno for a block range';
COMMENT ON OPERATOR CLASS sno_bloom_ops USING brin IS 'filter of the hashes of sno in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.sno_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.sno_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.sno_gist_consistent(internal, sno, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.sno_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.sno_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.sno_gist_consistent(internal, sno, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS sno_gist_ops DEFAULT FOR TYPE sno USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.sno_gist_consistent(internal, sno, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.sno_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.sno_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS sno_gist_ops USING gist IS 'ranges of sno, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.sno_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.sno_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY sno_ops USING btree ADD FUNCTION 6 (sno, sno) _flakeid_functions.sno_skipsupport(internal);
        ALTER OPERATOR FAMILY sno_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION sno_timestamp(sno) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION sno_min(timestamptz) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_max(timestamptz) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (sno AS timestamptz) WITH FUNCTION sno_timestamp(sno);

COMMENT ON FUNCTION sno_timestamp(sno) IS 'instant of a sno: the start of its 4 ms';
COMMENT ON FUNCTION sno_min(timestamptz) IS 'least sno at or after the instant; outside 2010-2079 the least or greatest of all';
COMMENT ON FUNCTION sno_max(timestamptz) IS 'greatest sno at or before the instant; outside 2010-2079 the least or greatest of all';
COMMENT ON CAST (sno AS timestamptz) IS 'instant of a sno: the start of its 4 ms';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.sno_lt_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.sno_le_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.sno_ge_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.sno_gt_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.sno_cmp_timestamptz(sno, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_cmp_le_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_sno(timestamptz, sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_contained_by_tstzrange(sno, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_sno(flakeid_period, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id sno, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'sno_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.sno_in_range(sno, sno, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.sno_lt_timestamptz(sno, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.sno_le_timestamptz(sno, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.sno_ge_timestamptz(sno, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.sno_gt_timestamptz(sno, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.sno_cmp_timestamptz(sno, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.sno_cmp_le_timestamptz(sno, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_sno(timestamptz, sno) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_sno(timestamptz, sno) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_sno(timestamptz, sno) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_sno(timestamptz, sno) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_sno(timestamptz, sno) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.sno_contained_by_tstzrange(sno, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_sno(flakeid_period, sno) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(sno, tstzmultirange) IS 'is the instant of the sno in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.sno_in_range(sno, sno, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.sno_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.sno_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.sno_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.sno_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_lt_sno,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_le_sno,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_ge_sno,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_gt_sno,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.sno_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = sno, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.sno_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = sno, FUNCTION = _flakeid_functions.tstzrange_contains_sno,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (sno, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR pg_catalog.<= (sno, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR pg_catalog.>= (sno, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR pg_catalog.> (sno, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, sno) IS 'before the instant of the sno';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, sno) IS 'at or before the instant of the sno';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, sno) IS 'at or after the instant of the sno';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, sno) IS 'after the instant of the sno';
COMMENT ON OPERATOR pg_catalog.|<= (sno, timestamptz) IS 'less than or equal, as sno_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (sno, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, sno) IS 'contains the instant of the sno';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY sno_ops USING btree ADD
    OPERATOR 1 < (sno, timestamptz),
    OPERATOR 2 |<= (sno, timestamptz),
    OPERATOR 4 >= (sno, timestamptz),
    FUNCTION 1 (sno, timestamptz) _flakeid_functions.sno_cmp_timestamptz(sno, timestamptz),
    OPERATOR 2 <= (timestamptz, sno),
    OPERATOR 5 > (timestamptz, sno),
    FUNCTION 1 (timestamptz, sno) _flakeid_functions.timestamptz_cmp_sno(timestamptz, sno),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (sno, interval) _flakeid_functions.sno_in_range(sno, sno, interval, boolean, boolean);
ALTER OPERATOR FAMILY sno_minmax_ops USING brin ADD
    OPERATOR 1 < (sno, timestamptz),
    OPERATOR 4 >= (sno, timestamptz);
ALTER OPERATOR FAMILY sno_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (sno, timestamptz),
    OPERATOR 4 >= (sno, timestamptz);
ALTER OPERATOR FAMILY sno_gist_ops USING gist ADD
    OPERATOR 20 < (sno, timestamptz),
    OPERATOR 23 >= (sno, timestamptz);


-- the horizon

CREATE FUNCTION sno_horizon() RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION sno_horizon() IS 'a sno below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from sno_new()';
-- sno: what only this type has
--
--     casts             uuid
--     new IDs           sno_new, sno_new_at, sno_make
--     parts             sno_tick_tock, _meta, _partition, _sequence, sno_set_..., sno_zero, sno_inspect
--     generator state   sno_snapshot, sno_restore

COMMENT ON TYPE sno IS 'sortable ID of 10 bytes after muyo/sno: 4 ms time, tick-tock bit, meta, partition, sequence; text of 16 characters [2-9a-x]';
COMMENT ON OPERATOR CLASS sno_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION _flakeid_functions.sno_to_uuid(sno) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_from_uuid(uuid) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.sno_to_uuid(sno) IS 'the 16 characters of a sno as the bytes of a uuid';
COMMENT ON FUNCTION _flakeid_functions.sno_from_uuid(uuid) IS 'sno from a uuid made from a sno';

CREATE CAST (sno AS uuid) WITH FUNCTION _flakeid_functions.sno_to_uuid(sno);
CREATE CAST (uuid AS sno) WITH FUNCTION _flakeid_functions.sno_from_uuid(uuid);

COMMENT ON CAST (sno AS uuid) IS 'the 16 characters of a sno as the bytes of a uuid';
COMMENT ON CAST (uuid AS sno) IS 'sno from a uuid made from a sno';

-- new IDs

CREATE FUNCTION sno_new(meta int DEFAULT 0) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_new(meta int, partition int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_new_at(at timestamptz, meta int DEFAULT 0) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_new_at(at timestamptz, meta int, partition int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_make(at timestamptz, meta int, partition int, sequence int, tick_tock boolean DEFAULT false) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_new(int) IS 'new sno of this database''s partition; meta is 0 to 255';
COMMENT ON FUNCTION sno_new(int, int) IS 'new sno of a partition, 0 to 65535; meta is 0 to 255';
COMMENT ON FUNCTION sno_new_at(timestamptz, int) IS 'sno for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION sno_new_at(timestamptz, int, int) IS 'sno for an instant in a partition, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION sno_make(timestamptz, int, int, int, boolean) IS 'sno from its parts';

-- parts

CREATE FUNCTION sno_tick_tock(sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_meta(sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_partition(sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_sequence(sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_set_meta(sno, meta int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_set_partition(sno, partition int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_set_sequence(sno, sequence int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_zero() RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_inspect(
    id sno, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT tick_tock boolean, OUT meta int, OUT partition int, OUT sequence int
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.sno_timestamp(id),
        @extschema@.sno_tick_tock(id), @extschema@.sno_meta(id), @extschema@.sno_partition(id), @extschema@.sno_sequence(id);
END;

COMMENT ON FUNCTION sno_tick_tock(sno) IS 'tick-tock bit: true on timeline 1, after an odd number of changes of timeline';
COMMENT ON FUNCTION sno_meta(sno) IS 'meta of a sno, 0 to 255';
COMMENT ON FUNCTION sno_partition(sno) IS 'partition of a sno, 0 to 65535';
COMMENT ON FUNCTION sno_sequence(sno) IS 'sequence number of a sno, 0 to 65535';
COMMENT ON FUNCTION sno_set_meta(sno, int) IS 'the same sno with another meta';
COMMENT ON FUNCTION sno_set_partition(sno, int) IS 'the same sno with another partition';
COMMENT ON FUNCTION sno_set_sequence(sno, int) IS 'the same sno with another sequence number';
COMMENT ON FUNCTION sno_zero() IS 'the least sno';
COMMENT ON FUNCTION sno_inspect(sno) IS 'every part of a sno';

-- generator state

CREATE FUNCTION sno_snapshot() RETURNS jsonb
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_snapshot(partition int) RETURNS jsonb
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_restore(snapshot jsonb, force boolean DEFAULT false) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION sno_restore(jsonb, boolean) FROM PUBLIC;

COMMENT ON FUNCTION sno_snapshot() IS 'state of the generator of this database''s partition, as the Go library''s GeneratorSnapshot';
COMMENT ON FUNCTION sno_snapshot(int) IS 'state of the generator of a partition, as the Go library''s GeneratorSnapshot';
COMMENT ON FUNCTION sno_restore(jsonb, boolean) IS 'never again issue an ID that a generator with this snapshot may have issued';

-- the horizon: while it is asked for, generators cannot go back to the other timeline

REVOKE ALL ON FUNCTION sno_horizon() FROM PUBLIC;
/* ---------- flax ---------- */

CREATE TYPE flax;

CREATE FUNCTION _flakeid_functions.flax_in(cstring) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_out(flax) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_recv(internal) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_send(flax) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE flax (
    INPUT = _flakeid_functions.flax_in,
    OUTPUT = _flakeid_functions.flax_out,
    RECEIVE = _flakeid_functions.flax_recv,
    SEND = _flakeid_functions.flax_send,
    INTERNALLENGTH = 12, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION _flakeid_functions.flax_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.flax_out(flax) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.flax_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.flax_send(flax) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.flax_lt(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_le(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_eq(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_ne(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_ge(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_gt(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_cmp(flax, flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_hash(flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_hash_extended(flax, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.flax_lt(flax, flax) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flax_le(flax, flax) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flax_eq(flax, flax) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.flax_ne(flax, flax) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.flax_ge(flax, flax) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flax_gt(flax, flax) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flax_cmp(flax, flax) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.flax_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.flax_hash(flax) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.flax_hash_extended(flax, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = _flakeid_functions.flax_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = _flakeid_functions.flax_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = _flakeid_functions.flax_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = _flakeid_functions.flax_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = _flakeid_functions.flax_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = _flakeid_functions.flax_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (flax, flax) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flax, flax) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (flax, flax) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (flax, flax) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (flax, flax) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flax, flax) IS 'greater than';

CREATE OPERATOR CLASS flax_ops DEFAULT FOR TYPE flax USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.flax_cmp(flax, flax),
    FUNCTION 2 _flakeid_functions.flax_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS flax_hash_ops DEFAULT FOR TYPE flax USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.flax_hash(flax),
    FUNCTION 2 _flakeid_functions.flax_hash_extended(flax, bigint);

COMMENT ON OPERATOR CLASS flax_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.flax_smaller(flax, flax) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_larger(flax, flax) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(flax) (
    SFUNC = _flakeid_functions.flax_smaller, STYPE = flax, COMBINEFUNC = _flakeid_functions.flax_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(flax) (
    SFUNC = _flakeid_functions.flax_larger, STYPE = flax, COMBINEFUNC = _flakeid_functions.flax_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.flax_smaller(flax, flax) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.flax_larger(flax, flax) IS 'larger of two';
COMMENT ON AGGREGATE min(flax) IS 'minimum value of all flax input values';
COMMENT ON AGGREGATE max(flax) IS 'maximum value of all flax input values';

-- casts

CREATE FUNCTION _flakeid_functions.flax_to_bytea(flax) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_from_bytea(bytea) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flax_to_bytea(flax) IS 'the 12 bytes of a flax';
COMMENT ON FUNCTION _flakeid_functions.flax_from_bytea(bytea) IS 'flax from 12 bytes';

CREATE CAST (text AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (flax AS bytea) WITH FUNCTION _flakeid_functions.flax_to_bytea(flax);
CREATE CAST (bytea AS flax) WITH FUNCTION _flakeid_functions.flax_from_bytea(bytea);

COMMENT ON CAST (text AS flax) IS 'flax from its text';
COMMENT ON CAST (varchar AS flax) IS 'flax from its text';
COMMENT ON CAST (bpchar AS flax) IS 'flax from its text';
COMMENT ON CAST (flax AS bytea) IS 'the 12 bytes of a flax';
COMMENT ON CAST (bytea AS flax) IS 'flax from 12 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.flax_brin_distance(flax, flax) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.flax_brin_distance(flax, flax) IS 'how many IDs the second flax lies after the first';

CREATE OPERATOR CLASS flax_minmax_ops DEFAULT FOR TYPE flax USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS flax_minmax_multi_ops FOR TYPE flax USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.flax_brin_distance(flax, flax);
CREATE OPERATOR CLASS flax_bloom_ops FOR TYPE flax USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.flax_hash(flax);

COMMENT ON OPERATOR CLASS flax_minmax_ops USING brin IS 'least and greatest flax of a block range';
COMMENT ON OPERATOR CLASS flax_minmax_multi_ops USING brin IS 'several ranges of flax for a block range';
COMMENT ON OPERATOR CLASS flax_bloom_ops USING brin IS 'filter of the hashes of flax in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.flax_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_gist_consistent(internal, flax, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flax_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.flax_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.flax_gist_consistent(internal, flax, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS flax_gist_ops DEFAULT FOR TYPE flax USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.flax_gist_consistent(internal, flax, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.flax_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.flax_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS flax_gist_ops USING gist IS 'ranges of flax, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.flax_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flax_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY flax_ops USING btree ADD FUNCTION 6 (flax, flax) _flakeid_functions.flax_skipsupport(internal);
        ALTER OPERATOR FAMILY flax_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION flax_timestamp(flax) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION flax_min(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_max(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (flax AS timestamptz) WITH FUNCTION flax_timestamp(flax);

COMMENT ON FUNCTION flax_timestamp(flax) IS 'instant of a flax: the start of its millisecond';
COMMENT ON FUNCTION flax_min(timestamptz) IS 'least flax at or after the instant; outside 2015-2049 the least or greatest of all';
COMMENT ON FUNCTION flax_max(timestamptz) IS 'greatest flax at or before the instant; outside 2015-2049 the least or greatest of all';
COMMENT ON CAST (flax AS timestamptz) IS 'instant of a flax: the start of its millisecond';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.flax_lt_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flax_le_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flax_ge_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flax_gt_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flax_cmp_timestamptz(flax, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_cmp_le_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_flax(timestamptz, flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_contained_by_tstzrange(flax, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_flax(flakeid_period, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id flax, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flax_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.flax_in_range(flax, flax, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flax_lt_timestamptz(flax, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flax_le_timestamptz(flax, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flax_ge_timestamptz(flax, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flax_gt_timestamptz(flax, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flax_cmp_timestamptz(flax, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.flax_cmp_le_timestamptz(flax, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_flax(timestamptz, flax) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_flax(timestamptz, flax) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_flax(timestamptz, flax) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_flax(timestamptz, flax) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_flax(timestamptz, flax) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.flax_contained_by_tstzrange(flax, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_flax(flakeid_period, flax) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(flax, tstzmultirange) IS 'is the instant of the flax in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.flax_in_range(flax, flax, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flax_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flax_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flax_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flax_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_lt_flax,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_le_flax,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_ge_flax,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_gt_flax,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flax_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = flax, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.flax_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = flax, FUNCTION = _flakeid_functions.tstzrange_contains_flax,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (flax, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR pg_catalog.<= (flax, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR pg_catalog.>= (flax, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR pg_catalog.> (flax, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, flax) IS 'before the instant of the flax';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, flax) IS 'at or before the instant of the flax';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, flax) IS 'at or after the instant of the flax';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, flax) IS 'after the instant of the flax';
COMMENT ON OPERATOR pg_catalog.|<= (flax, timestamptz) IS 'less than or equal, as flax_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (flax, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, flax) IS 'contains the instant of the flax';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY flax_ops USING btree ADD
    OPERATOR 1 < (flax, timestamptz),
    OPERATOR 2 |<= (flax, timestamptz),
    OPERATOR 4 >= (flax, timestamptz),
    FUNCTION 1 (flax, timestamptz) _flakeid_functions.flax_cmp_timestamptz(flax, timestamptz),
    OPERATOR 2 <= (timestamptz, flax),
    OPERATOR 5 > (timestamptz, flax),
    FUNCTION 1 (timestamptz, flax) _flakeid_functions.timestamptz_cmp_flax(timestamptz, flax),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (flax, interval) _flakeid_functions.flax_in_range(flax, flax, interval, boolean, boolean);
ALTER OPERATOR FAMILY flax_minmax_ops USING brin ADD
    OPERATOR 1 < (flax, timestamptz),
    OPERATOR 4 >= (flax, timestamptz);
ALTER OPERATOR FAMILY flax_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (flax, timestamptz),
    OPERATOR 4 >= (flax, timestamptz);
ALTER OPERATOR FAMILY flax_gist_ops USING gist ADD
    OPERATOR 20 < (flax, timestamptz),
    OPERATOR 23 >= (flax, timestamptz);

-- flax: what only this type has
--
--     casts     uuid, numeric
--     new IDs   flax_new, flax_new_at, flax_make
--     parts     flax_random, flax_inspect

COMMENT ON TYPE flax IS 'sortable ID of 12 bytes after ergeon/flax-id: 1 ms time, 56 random bits; text of 16 characters [-0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS flax_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION _flakeid_functions.flax_to_uuid(flax) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_from_uuid(uuid) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_to_numeric(flax) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_from_numeric(numeric) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flax_to_uuid(flax) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON FUNCTION _flakeid_functions.flax_from_uuid(uuid) IS 'flax from a uuid made from a flax';
COMMENT ON FUNCTION _flakeid_functions.flax_to_numeric(flax) IS 'the 12 bytes of a flax as one number';
COMMENT ON FUNCTION _flakeid_functions.flax_from_numeric(numeric) IS 'flax from the number of its 12 bytes';

CREATE CAST (flax AS uuid) WITH FUNCTION _flakeid_functions.flax_to_uuid(flax);
CREATE CAST (uuid AS flax) WITH FUNCTION _flakeid_functions.flax_from_uuid(uuid);
CREATE CAST (flax AS numeric) WITH FUNCTION _flakeid_functions.flax_to_numeric(flax);
CREATE CAST (numeric AS flax) WITH FUNCTION _flakeid_functions.flax_from_numeric(numeric);

COMMENT ON CAST (flax AS uuid) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON CAST (uuid AS flax) IS 'flax from a uuid made from a flax';
COMMENT ON CAST (flax AS numeric) IS 'the 12 bytes of a flax as one number';
COMMENT ON CAST (numeric AS flax) IS 'flax from the number of its 12 bytes';

-- new IDs

CREATE FUNCTION flax_new() RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_new_at(at timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_make(at timestamptz, random bigint) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_new() IS 'new flax: the millisecond and 56 random bits';
COMMENT ON FUNCTION flax_new_at(timestamptz) IS 'flax for an instant, to backfill: its millisecond and 56 random bits';
COMMENT ON FUNCTION flax_make(timestamptz, bigint) IS 'flax from its parts';

-- parts

CREATE FUNCTION flax_random(flax) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_inspect(
    id flax, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT random bigint
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.flax_timestamp(id),
        @extschema@.flax_random(id);
END;

COMMENT ON FUNCTION flax_random(flax) IS 'random bits of a flax, 0 to 72057594037927935';
COMMENT ON FUNCTION flax_inspect(flax) IS 'every part of a flax';
/* ---------- siq ---------- */

CREATE TYPE siq;

CREATE FUNCTION _flakeid_functions.siq_in(cstring) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.siq_out(siq) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.siq_recv(internal) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.siq_send(siq) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE siq (
    INPUT = _flakeid_functions.siq_in,
    OUTPUT = _flakeid_functions.siq_out,
    RECEIVE = _flakeid_functions.siq_recv,
    SEND = _flakeid_functions.siq_send,
    INTERNALLENGTH = 14, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION _flakeid_functions.siq_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.siq_out(siq) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.siq_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.siq_send(siq) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.siq_lt(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_le(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_eq(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_ne(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_ge(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_gt(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_cmp(siq, siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.siq_hash(siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_hash_extended(siq, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.siq_lt(siq, siq) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.siq_le(siq, siq) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.siq_eq(siq, siq) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.siq_ne(siq, siq) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.siq_ge(siq, siq) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.siq_gt(siq, siq) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.siq_cmp(siq, siq) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.siq_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.siq_hash(siq) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.siq_hash_extended(siq, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = _flakeid_functions.siq_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = _flakeid_functions.siq_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = _flakeid_functions.siq_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = _flakeid_functions.siq_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = _flakeid_functions.siq_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = _flakeid_functions.siq_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (siq, siq) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (siq, siq) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (siq, siq) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (siq, siq) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (siq, siq) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (siq, siq) IS 'greater than';

CREATE OPERATOR CLASS siq_ops DEFAULT FOR TYPE siq USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.siq_cmp(siq, siq),
    FUNCTION 2 _flakeid_functions.siq_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS siq_hash_ops DEFAULT FOR TYPE siq USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.siq_hash(siq),
    FUNCTION 2 _flakeid_functions.siq_hash_extended(siq, bigint);

COMMENT ON OPERATOR CLASS siq_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.siq_smaller(siq, siq) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_larger(siq, siq) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(siq) (
    SFUNC = _flakeid_functions.siq_smaller, STYPE = siq, COMBINEFUNC = _flakeid_functions.siq_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(siq) (
    SFUNC = _flakeid_functions.siq_larger, STYPE = siq, COMBINEFUNC = _flakeid_functions.siq_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.siq_smaller(siq, siq) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.siq_larger(siq, siq) IS 'larger of two';
COMMENT ON AGGREGATE min(siq) IS 'minimum value of all siq input values';
COMMENT ON AGGREGATE max(siq) IS 'maximum value of all siq input values';

-- casts

CREATE FUNCTION _flakeid_functions.siq_to_bytea(siq) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_from_bytea(bytea) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.siq_to_bytea(siq) IS 'the 14 bytes of a siq';
COMMENT ON FUNCTION _flakeid_functions.siq_from_bytea(bytea) IS 'siq from 14 bytes';

CREATE CAST (text AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (siq AS bytea) WITH FUNCTION _flakeid_functions.siq_to_bytea(siq);
CREATE CAST (bytea AS siq) WITH FUNCTION _flakeid_functions.siq_from_bytea(bytea);

COMMENT ON CAST (text AS siq) IS 'siq from its text';
COMMENT ON CAST (varchar AS siq) IS 'siq from its text';
COMMENT ON CAST (bpchar AS siq) IS 'siq from its text';
COMMENT ON CAST (siq AS bytea) IS 'the 14 bytes of a siq';
COMMENT ON CAST (bytea AS siq) IS 'siq from 14 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.siq_brin_distance(siq, siq) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.siq_brin_distance(siq, siq) IS 'how many IDs the second siq lies after the first';

CREATE OPERATOR CLASS siq_minmax_ops DEFAULT FOR TYPE siq USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS siq_minmax_multi_ops FOR TYPE siq USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.siq_brin_distance(siq, siq);
CREATE OPERATOR CLASS siq_bloom_ops FOR TYPE siq USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.siq_hash(siq);

COMMENT ON OPERATOR CLASS siq_minmax_ops USING brin IS 'least and greatest siq of a block range';
COMMENT ON OPERATOR CLASS siq_minmax_multi_ops USING brin IS 'several ranges of siq for a block range';
COMMENT ON OPERATOR CLASS siq_bloom_ops USING brin IS 'filter of the hashes of siq in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.siq_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.siq_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.siq_gist_consistent(internal, siq, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.siq_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.siq_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.siq_gist_consistent(internal, siq, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS siq_gist_ops DEFAULT FOR TYPE siq USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.siq_gist_consistent(internal, siq, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.siq_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.siq_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS siq_gist_ops USING gist IS 'ranges of siq, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.siq_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.siq_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY siq_ops USING btree ADD FUNCTION 6 (siq, siq) _flakeid_functions.siq_skipsupport(internal);
        ALTER OPERATOR FAMILY siq_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION siq_timestamp(siq) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION siq_min(timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_max(timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (siq AS timestamptz) WITH FUNCTION siq_timestamp(siq);

COMMENT ON FUNCTION siq_timestamp(siq) IS 'instant of a siq: the first microsecond of its 1/65536 s';
COMMENT ON FUNCTION siq_min(timestamptz) IS 'least siq at or after the instant; outside 1970-36812 the least or greatest of all';
COMMENT ON FUNCTION siq_max(timestamptz) IS 'greatest siq at or before the instant; outside 1970-36812 the least or greatest of all';
COMMENT ON CAST (siq AS timestamptz) IS 'instant of a siq: the first microsecond of its 1/65536 s';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.siq_lt_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.siq_le_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.siq_ge_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.siq_gt_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.siq_cmp_timestamptz(siq, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_cmp_le_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_siq(timestamptz, siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_contained_by_tstzrange(siq, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_siq(flakeid_period, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id siq, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'siq_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.siq_in_range(siq, siq, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.siq_lt_timestamptz(siq, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.siq_le_timestamptz(siq, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.siq_ge_timestamptz(siq, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.siq_gt_timestamptz(siq, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.siq_cmp_timestamptz(siq, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.siq_cmp_le_timestamptz(siq, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_siq(timestamptz, siq) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_siq(timestamptz, siq) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_siq(timestamptz, siq) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_siq(timestamptz, siq) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_siq(timestamptz, siq) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.siq_contained_by_tstzrange(siq, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_siq(flakeid_period, siq) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(siq, tstzmultirange) IS 'is the instant of the siq in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.siq_in_range(siq, siq, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.siq_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.siq_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.siq_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.siq_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_lt_siq,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_le_siq,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_ge_siq,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_gt_siq,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.siq_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = siq, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.siq_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = siq, FUNCTION = _flakeid_functions.tstzrange_contains_siq,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (siq, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR pg_catalog.<= (siq, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR pg_catalog.>= (siq, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR pg_catalog.> (siq, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, siq) IS 'before the instant of the siq';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, siq) IS 'at or before the instant of the siq';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, siq) IS 'at or after the instant of the siq';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, siq) IS 'after the instant of the siq';
COMMENT ON OPERATOR pg_catalog.|<= (siq, timestamptz) IS 'less than or equal, as siq_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (siq, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, siq) IS 'contains the instant of the siq';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY siq_ops USING btree ADD
    OPERATOR 1 < (siq, timestamptz),
    OPERATOR 2 |<= (siq, timestamptz),
    OPERATOR 4 >= (siq, timestamptz),
    FUNCTION 1 (siq, timestamptz) _flakeid_functions.siq_cmp_timestamptz(siq, timestamptz),
    OPERATOR 2 <= (timestamptz, siq),
    OPERATOR 5 > (timestamptz, siq),
    FUNCTION 1 (timestamptz, siq) _flakeid_functions.timestamptz_cmp_siq(timestamptz, siq),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (siq, interval) _flakeid_functions.siq_in_range(siq, siq, interval, boolean, boolean);
ALTER OPERATOR FAMILY siq_minmax_ops USING brin ADD
    OPERATOR 1 < (siq, timestamptz),
    OPERATOR 4 >= (siq, timestamptz);
ALTER OPERATOR FAMILY siq_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (siq, timestamptz),
    OPERATOR 4 >= (siq, timestamptz);
ALTER OPERATOR FAMILY siq_gist_ops USING gist ADD
    OPERATOR 20 < (siq, timestamptz),
    OPERATOR 23 >= (siq, timestamptz);


-- the horizon

CREATE FUNCTION siq_horizon() RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION siq_horizon() IS 'a siq below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from siq_new()';
-- siq: what only this type has
--
--     casts                     uuid, numeric
--     new IDs                   siq_domain_hash, siq_new, siq_new_at, siq_make
--     parts                     siq_shard, _domain, _serial, _qualifier, _type_of, _is_leaf, siq_inspect
--     the library's notations   siq_format, siq_parse, siq_did, siq_mastodon, siq_matrix
--     migration                 siq_from_ulid; siq_from_snowflake is in snowflake.sql

COMMENT ON TYPE siq IS 'sortable ID of 14 bytes after SIS (SUOU): time in 1/65536 s, shard, domain hash, serial, type of what it names; text of 23 digits of Crockford base 32';
COMMENT ON OPERATOR CLASS siq_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION _flakeid_functions.siq_to_uuid(siq) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_from_uuid(uuid) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.siq_to_numeric(siq) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.siq_from_numeric(numeric) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.siq_to_uuid(siq) IS 'siq as a UUIDv8 that sorts the same';
COMMENT ON FUNCTION _flakeid_functions.siq_from_uuid(uuid) IS 'siq from a UUIDv8 made from a siq';
COMMENT ON FUNCTION _flakeid_functions.siq_to_numeric(siq) IS 'the 14 bytes of a siq as a number';
COMMENT ON FUNCTION _flakeid_functions.siq_from_numeric(numeric) IS 'siq from a number, 0 to 2^112 - 1';

CREATE CAST (siq AS uuid) WITH FUNCTION _flakeid_functions.siq_to_uuid(siq);
CREATE CAST (uuid AS siq) WITH FUNCTION _flakeid_functions.siq_from_uuid(uuid);
CREATE CAST (siq AS numeric) WITH FUNCTION _flakeid_functions.siq_to_numeric(siq);
CREATE CAST (numeric AS siq) WITH FUNCTION _flakeid_functions.siq_from_numeric(numeric);

COMMENT ON CAST (siq AS uuid) IS 'siq as a UUIDv8 that sorts the same';
COMMENT ON CAST (uuid AS siq) IS 'siq from a UUIDv8 made from a siq';
COMMENT ON CAST (siq AS numeric) IS 'the 14 bytes of a siq as a number';
COMMENT ON CAST (numeric AS siq) IS 'siq from a number, 0 to 2^112 - 1';

-- new IDs

CREATE FUNCTION siq_domain_hash(domain text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_domain_hash(domain text, local_id int) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_new(type text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_new(type text, domain text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_new_at(at timestamptz, type text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_new_at(at timestamptz, type text, domain text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_make(at timestamptz, shard int, domain_hash bigint, serial int, type text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_make(at timestamptz, shard int, domain_hash bigint, low16 int) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_domain_hash(text) IS 'hash of a domain name, as siq IDs carry it';
COMMENT ON FUNCTION siq_domain_hash(text, int) IS 'hash of a domain name whose first byte is a local ID, modulo 256, unless that is 0';
COMMENT ON FUNCTION siq_new(text) IS 'new siq of the domain in flakeid.siq_domain';
COMMENT ON FUNCTION siq_new(text, text) IS 'new siq of a domain';
COMMENT ON FUNCTION siq_new_at(timestamptz, text) IS 'siq for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION siq_new_at(timestamptz, text, text) IS 'siq of a domain for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION siq_make(timestamptz, int, bigint, int, text) IS 'siq from its parts';
COMMENT ON FUNCTION siq_make(timestamptz, int, bigint, int) IS 'siq from its parts, the last 16 bits as a number';

-- parts

CREATE FUNCTION siq_shard(siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_domain(siq) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_serial(siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_qualifier(siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_type_of(siq) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_is_leaf(siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_inspect(
    id siq, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT shard int, OUT domain bigint, OUT serial int, OUT qualifier int,
    OUT type text, OUT is_leaf boolean
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.siq_timestamp(id),
        @extschema@.siq_shard(id), @extschema@.siq_domain(id), @extschema@.siq_serial(id), @extschema@.siq_qualifier(id),
        @extschema@.siq_type_of(id), @extschema@.siq_is_leaf(id);
END;

COMMENT ON FUNCTION siq_shard(siq) IS 'shard of a siq, 0 to 255';
COMMENT ON FUNCTION siq_domain(siq) IS 'domain hash of a siq, 0 to 4294967295';
COMMENT ON FUNCTION siq_serial(siq) IS 'serial of a siq, the bits before the qualifier';
COMMENT ON FUNCTION siq_qualifier(siq) IS 'last 3, 4 or 5 bits of a siq, which say its type';
COMMENT ON FUNCTION siq_type_of(siq) IS 'type of what a siq names, NULL if its qualifier has none';
COMMENT ON FUNCTION siq_is_leaf(siq) IS 'true for content, multi, manytomany and ternary, which have no children';
COMMENT ON FUNCTION siq_inspect(siq) IS 'every part of a siq';

-- the library's notations

CREATE FUNCTION siq_format(siq, format text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_parse(text, format text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_did(siq) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT 'did:siq:' OPERATOR(pg_catalog.||) @extschema@.siq_format($1, 'u');
END;
CREATE FUNCTION siq_mastodon(id siq, domain text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT '@' OPERATOR(pg_catalog.||) @extschema@.siq_format(id, 'u') OPERATOR(pg_catalog.||) CASE WHEN domain OPERATOR(pg_catalog.=) '' THEN '' ELSE '@' OPERATOR(pg_catalog.||) domain END;
END;
CREATE FUNCTION siq_matrix(id siq, domain text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT '@' OPERATOR(pg_catalog.||) @extschema@.siq_format(id, 'u') OPERATOR(pg_catalog.||) ':' OPERATOR(pg_catalog.||) domain;
END;

COMMENT ON FUNCTION siq_format(siq, text) IS 'siq in one of SUOU''s notations: b, c, 0c, d, l, o, u or x';
COMMENT ON FUNCTION siq_parse(text, text) IS 'siq from its text in one of SUOU''s notations: b, c, 0c, d, l, o, u or x';
COMMENT ON FUNCTION siq_did(siq) IS 'siq as a decentralized identifier, did:siq: and a checksum';
COMMENT ON FUNCTION siq_mastodon(siq, text) IS 'siq as an account of a Mastodon server, or of the reader''s own server if the domain is empty';
COMMENT ON FUNCTION siq_matrix(siq, text) IS 'siq as a user of a Matrix server';

-- migration

CREATE FUNCTION siq_from_ulid(ulid text, domain text, type text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_from_ulid(text, text, text) IS 'siq from a ULID, of whose 80 random bits 25 to 27 are kept';

/* ---------- uid64 ---------- */

CREATE TYPE uid64;

CREATE FUNCTION _flakeid_functions.uid64_in(cstring) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid64_out(uid64) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid64_recv(internal) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid64_send(uid64) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE uid64 (
    INPUT = _flakeid_functions.uid64_in,
    OUTPUT = _flakeid_functions.uid64_out,
    RECEIVE = _flakeid_functions.uid64_recv,
    SEND = _flakeid_functions.uid64_send,
    LIKE = pg_catalog.int8
);

COMMENT ON FUNCTION _flakeid_functions.uid64_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.uid64_out(uid64) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.uid64_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.uid64_send(uid64) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.uid64_lt(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_le(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_eq(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_ne(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_ge(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_gt(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_cmp(uid64, uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid64_hash(uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_hash_extended(uid64, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.uid64_lt(uid64, uid64) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_le(uid64, uid64) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_eq(uid64, uid64) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_ne(uid64, uid64) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_ge(uid64, uid64) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_gt(uid64, uid64) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_cmp(uid64, uid64) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.uid64_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.uid64_hash(uid64) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.uid64_hash_extended(uid64, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = _flakeid_functions.uid64_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = _flakeid_functions.uid64_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = _flakeid_functions.uid64_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = _flakeid_functions.uid64_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = _flakeid_functions.uid64_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = _flakeid_functions.uid64_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (uid64, uid64) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (uid64, uid64) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (uid64, uid64) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (uid64, uid64) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (uid64, uid64) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (uid64, uid64) IS 'greater than';

CREATE OPERATOR CLASS uid64_ops DEFAULT FOR TYPE uid64 USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.uid64_cmp(uid64, uid64),
    FUNCTION 2 _flakeid_functions.uid64_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS uid64_hash_ops DEFAULT FOR TYPE uid64 USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.uid64_hash(uid64),
    FUNCTION 2 _flakeid_functions.uid64_hash_extended(uid64, bigint);

COMMENT ON OPERATOR CLASS uid64_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.uid64_smaller(uid64, uid64) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_larger(uid64, uid64) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(uid64) (
    SFUNC = _flakeid_functions.uid64_smaller, STYPE = uid64, COMBINEFUNC = _flakeid_functions.uid64_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(uid64) (
    SFUNC = _flakeid_functions.uid64_larger, STYPE = uid64, COMBINEFUNC = _flakeid_functions.uid64_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.uid64_smaller(uid64, uid64) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.uid64_larger(uid64, uid64) IS 'larger of two';
COMMENT ON AGGREGATE min(uid64) IS 'minimum value of all uid64 input values';
COMMENT ON AGGREGATE max(uid64) IS 'maximum value of all uid64 input values';

-- casts

CREATE FUNCTION _flakeid_functions.uid64_to_bytea(uid64) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_from_bytea(bytea) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.uid64_to_bytea(uid64) IS 'the 8 bytes of a uid64';
COMMENT ON FUNCTION _flakeid_functions.uid64_from_bytea(bytea) IS 'uid64 from 8 bytes';

CREATE CAST (text AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (uid64 AS bytea) WITH FUNCTION _flakeid_functions.uid64_to_bytea(uid64);
CREATE CAST (bytea AS uid64) WITH FUNCTION _flakeid_functions.uid64_from_bytea(bytea);

COMMENT ON CAST (text AS uid64) IS 'uid64 from its text';
COMMENT ON CAST (varchar AS uid64) IS 'uid64 from its text';
COMMENT ON CAST (bpchar AS uid64) IS 'uid64 from its text';
COMMENT ON CAST (uid64 AS bytea) IS 'the 8 bytes of a uid64';
COMMENT ON CAST (bytea AS uid64) IS 'uid64 from 8 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.uid64_brin_distance(uid64, uid64) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.uid64_brin_distance(uid64, uid64) IS 'how many IDs the second uid64 lies after the first';

CREATE OPERATOR CLASS uid64_minmax_ops DEFAULT FOR TYPE uid64 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS uid64_minmax_multi_ops FOR TYPE uid64 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.uid64_brin_distance(uid64, uid64);
CREATE OPERATOR CLASS uid64_bloom_ops FOR TYPE uid64 USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.uid64_hash(uid64);

COMMENT ON OPERATOR CLASS uid64_minmax_ops USING brin IS 'least and greatest uid64 of a block range';
COMMENT ON OPERATOR CLASS uid64_minmax_multi_ops USING brin IS 'several ranges of uid64 for a block range';
COMMENT ON OPERATOR CLASS uid64_bloom_ops USING brin IS 'filter of the hashes of uid64 in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.uid64_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid64_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid64_gist_consistent(internal, uid64, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.uid64_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.uid64_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.uid64_gist_consistent(internal, uid64, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS uid64_gist_ops DEFAULT FOR TYPE uid64 USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.uid64_gist_consistent(internal, uid64, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.uid64_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.uid64_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS uid64_gist_ops USING gist IS 'ranges of uid64, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.uid64_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.uid64_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY uid64_ops USING btree ADD FUNCTION 6 (uid64, uid64) _flakeid_functions.uid64_skipsupport(internal);
        ALTER OPERATOR FAMILY uid64_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION uid64_timestamp(uid64) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION uid64_min(timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_max(timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (uid64 AS timestamptz) WITH FUNCTION uid64_timestamp(uid64);

COMMENT ON FUNCTION uid64_timestamp(uid64) IS 'instant of a uid64: the start of its 1.024 ms';
COMMENT ON FUNCTION uid64_min(timestamptz) IS 'least uid64 at or after the instant; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid64_max(timestamptz) IS 'greatest uid64 at or before the instant; outside 1970-35198 the least or greatest of all';
COMMENT ON CAST (uid64 AS timestamptz) IS 'instant of a uid64: the start of its 1.024 ms';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.uid64_lt_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.uid64_le_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.uid64_ge_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.uid64_gt_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.uid64_cmp_timestamptz(uid64, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_cmp_le_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_uid64(timestamptz, uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid64_contained_by_tstzrange(uid64, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_uid64(flakeid_period, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id uid64, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'uid64_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.uid64_in_range(uid64, uid64, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.uid64_lt_timestamptz(uid64, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_le_timestamptz(uid64, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_ge_timestamptz(uid64, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_gt_timestamptz(uid64, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.uid64_cmp_timestamptz(uid64, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.uid64_cmp_le_timestamptz(uid64, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_uid64(timestamptz, uid64) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_uid64(timestamptz, uid64) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_uid64(timestamptz, uid64) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_uid64(timestamptz, uid64) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_uid64(timestamptz, uid64) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.uid64_contained_by_tstzrange(uid64, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_uid64(flakeid_period, uid64) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(uid64, tstzmultirange) IS 'is the instant of the uid64 in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.uid64_in_range(uid64, uid64, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.uid64_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.uid64_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.uid64_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.uid64_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_lt_uid64,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_le_uid64,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_ge_uid64,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_gt_uid64,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.uid64_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = uid64, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.uid64_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = uid64, FUNCTION = _flakeid_functions.tstzrange_contains_uid64,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (uid64, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR pg_catalog.<= (uid64, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR pg_catalog.>= (uid64, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR pg_catalog.> (uid64, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, uid64) IS 'before the instant of the uid64';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, uid64) IS 'at or before the instant of the uid64';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, uid64) IS 'at or after the instant of the uid64';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, uid64) IS 'after the instant of the uid64';
COMMENT ON OPERATOR pg_catalog.|<= (uid64, timestamptz) IS 'less than or equal, as uid64_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (uid64, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, uid64) IS 'contains the instant of the uid64';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY uid64_ops USING btree ADD
    OPERATOR 1 < (uid64, timestamptz),
    OPERATOR 2 |<= (uid64, timestamptz),
    OPERATOR 4 >= (uid64, timestamptz),
    FUNCTION 1 (uid64, timestamptz) _flakeid_functions.uid64_cmp_timestamptz(uid64, timestamptz),
    OPERATOR 2 <= (timestamptz, uid64),
    OPERATOR 5 > (timestamptz, uid64),
    FUNCTION 1 (timestamptz, uid64) _flakeid_functions.timestamptz_cmp_uid64(timestamptz, uid64),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (uid64, interval) _flakeid_functions.uid64_in_range(uid64, uid64, interval, boolean, boolean);
ALTER OPERATOR FAMILY uid64_minmax_ops USING brin ADD
    OPERATOR 1 < (uid64, timestamptz),
    OPERATOR 4 >= (uid64, timestamptz);
ALTER OPERATOR FAMILY uid64_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (uid64, timestamptz),
    OPERATOR 4 >= (uid64, timestamptz);
ALTER OPERATOR FAMILY uid64_gist_ops USING gist ADD
    OPERATOR 20 < (uid64, timestamptz),
    OPERATOR 23 >= (uid64, timestamptz);


-- the horizon

CREATE FUNCTION uid64_horizon() RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION uid64_horizon() IS 'a uid64 below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from uid64_new()';
-- uid64: what only this type has
--
--     new IDs   uid64_new, uid64_new_at, uid64_make
--     parts     uid64_sequence, uid64_zero, uid64_inspect

COMMENT ON TYPE uid64 IS 'sortable ID of 8 bytes after fogfish/uid, local: 1.024 ms time, sequence; text of 11 characters [.0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS uid64_ops USING btree IS 'order of time, then of the sequence';

-- new IDs

CREATE FUNCTION uid64_new() RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid64_new_at(at timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid64_make(at timestamptz, sequence int) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_new() IS 'new uid64, unique within this database';
COMMENT ON FUNCTION uid64_new_at(timestamptz) IS 'uid64 for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION uid64_make(timestamptz, int) IS 'uid64 from its parts';

-- parts

CREATE FUNCTION uid64_sequence(uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_zero() RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_inspect(
    id uid64, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz, OUT sequence int
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.uid64_timestamp(id), @extschema@.uid64_sequence(id);
END;

COMMENT ON FUNCTION uid64_sequence(uid64) IS 'sequence number of a uid64, 0 to 16383';
COMMENT ON FUNCTION uid64_zero() IS 'the least uid64';
COMMENT ON FUNCTION uid64_inspect(uid64) IS 'every part of a uid64';

/* ---------- uid96 ---------- */

CREATE TYPE uid96;

CREATE FUNCTION _flakeid_functions.uid96_in(cstring) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid96_out(uid96) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid96_recv(internal) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid96_send(uid96) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE uid96 (
    INPUT = _flakeid_functions.uid96_in,
    OUTPUT = _flakeid_functions.uid96_out,
    RECEIVE = _flakeid_functions.uid96_recv,
    SEND = _flakeid_functions.uid96_send,
    INTERNALLENGTH = 12, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION _flakeid_functions.uid96_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.uid96_out(uid96) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.uid96_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.uid96_send(uid96) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.uid96_lt(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_le(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_eq(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_ne(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_ge(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_gt(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_cmp(uid96, uid96) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid96_hash(uid96) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_hash_extended(uid96, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.uid96_lt(uid96, uid96) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.uid96_le(uid96, uid96) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.uid96_eq(uid96, uid96) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.uid96_ne(uid96, uid96) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.uid96_ge(uid96, uid96) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.uid96_gt(uid96, uid96) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.uid96_cmp(uid96, uid96) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.uid96_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.uid96_hash(uid96) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.uid96_hash_extended(uid96, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = _flakeid_functions.uid96_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = _flakeid_functions.uid96_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = _flakeid_functions.uid96_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = _flakeid_functions.uid96_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = _flakeid_functions.uid96_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = _flakeid_functions.uid96_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (uid96, uid96) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (uid96, uid96) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (uid96, uid96) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (uid96, uid96) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (uid96, uid96) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (uid96, uid96) IS 'greater than';

CREATE OPERATOR CLASS uid96_ops DEFAULT FOR TYPE uid96 USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.uid96_cmp(uid96, uid96),
    FUNCTION 2 _flakeid_functions.uid96_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS uid96_hash_ops DEFAULT FOR TYPE uid96 USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.uid96_hash(uid96),
    FUNCTION 2 _flakeid_functions.uid96_hash_extended(uid96, bigint);

COMMENT ON OPERATOR CLASS uid96_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.uid96_smaller(uid96, uid96) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_larger(uid96, uid96) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(uid96) (
    SFUNC = _flakeid_functions.uid96_smaller, STYPE = uid96, COMBINEFUNC = _flakeid_functions.uid96_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(uid96) (
    SFUNC = _flakeid_functions.uid96_larger, STYPE = uid96, COMBINEFUNC = _flakeid_functions.uid96_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.uid96_smaller(uid96, uid96) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.uid96_larger(uid96, uid96) IS 'larger of two';
COMMENT ON AGGREGATE min(uid96) IS 'minimum value of all uid96 input values';
COMMENT ON AGGREGATE max(uid96) IS 'maximum value of all uid96 input values';

-- casts

CREATE FUNCTION _flakeid_functions.uid96_to_bytea(uid96) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.uid96_from_bytea(bytea) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.uid96_to_bytea(uid96) IS 'the 12 bytes of a uid96';
COMMENT ON FUNCTION _flakeid_functions.uid96_from_bytea(bytea) IS 'uid96 from 12 bytes';

CREATE CAST (text AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (uid96 AS bytea) WITH FUNCTION _flakeid_functions.uid96_to_bytea(uid96);
CREATE CAST (bytea AS uid96) WITH FUNCTION _flakeid_functions.uid96_from_bytea(bytea);

COMMENT ON CAST (text AS uid96) IS 'uid96 from its text';
COMMENT ON CAST (varchar AS uid96) IS 'uid96 from its text';
COMMENT ON CAST (bpchar AS uid96) IS 'uid96 from its text';
COMMENT ON CAST (uid96 AS bytea) IS 'the 12 bytes of a uid96';
COMMENT ON CAST (bytea AS uid96) IS 'uid96 from 12 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.uid96_brin_distance(uid96, uid96) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.uid96_brin_distance(uid96, uid96) IS 'how many IDs the second uid96 lies after the first';

CREATE OPERATOR CLASS uid96_minmax_ops DEFAULT FOR TYPE uid96 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS uid96_minmax_multi_ops FOR TYPE uid96 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.uid96_brin_distance(uid96, uid96);
CREATE OPERATOR CLASS uid96_bloom_ops FOR TYPE uid96 USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.uid96_hash(uid96);

COMMENT ON OPERATOR CLASS uid96_minmax_ops USING brin IS 'least and greatest uid96 of a block range';
COMMENT ON OPERATOR CLASS uid96_minmax_multi_ops USING brin IS 'several ranges of uid96 for a block range';
COMMENT ON OPERATOR CLASS uid96_bloom_ops USING brin IS 'filter of the hashes of uid96 in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.uid96_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid96_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.uid96_gist_consistent(internal, uid96, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.uid96_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.uid96_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.uid96_gist_consistent(internal, uid96, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS uid96_gist_ops DEFAULT FOR TYPE uid96 USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.uid96_gist_consistent(internal, uid96, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.uid96_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.uid96_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS uid96_gist_ops USING gist IS 'ranges of uid96, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.uid96_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.uid96_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY uid96_ops USING btree ADD FUNCTION 6 (uid96, uid96) _flakeid_functions.uid96_skipsupport(internal);
        ALTER OPERATOR FAMILY uid96_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;

-- uid96: what only this type has
--
--     casts                   timestamptz, with a drift
--     time                    uid96_min, uid96_max, with a drift
--     new IDs                 uid96_new, uid96_new_at, uid96_make
--     parts                   uid96_sequence, _node, uid96_inspect
--     from one to the other   uid96_to_local, uid64_to_global, uid_node_hash
--     distance                uid_distance
--     vector clocks           uid_vclock, _join, _descends, _diff

COMMENT ON TYPE uid96 IS 'sortable ID of 12 bytes after fogfish/uid, global: 1.024 ms time with a node of 32 bits in it, sequence; text of 16 characters [.0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS uid96_ops USING btree IS 'order of the neighbourhood (256 s), then of the node, then of time';

-- casts

CREATE FUNCTION uid96_timestamp(uid96) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_timestamp(uid96, drift int) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_timestamp(uid96) IS 'instant of a uid96 made with drift 8: the start of its 1.024 ms';
COMMENT ON FUNCTION uid96_timestamp(uid96, int) IS 'instant of a uid96 made with this drift: the start of its 1.024 ms';

CREATE CAST (uid96 AS timestamptz) WITH FUNCTION uid96_timestamp(uid96);

COMMENT ON CAST (uid96 AS timestamptz) IS 'instant of a uid96 made with drift 8: the start of its 1.024 ms';

-- time

CREATE FUNCTION uid96_min(timestamptz) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_max(timestamptz) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_min(timestamptz, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_max(timestamptz, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_min(timestamptz) IS 'least uid96 of the 256 s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid96_max(timestamptz) IS 'greatest uid96 of the 256 s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid96_min(timestamptz, int) IS 'least uid96 of the 2^drift s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid96_max(timestamptz, int) IS 'greatest uid96 of the 2^drift s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';

-- new IDs

CREATE FUNCTION uid96_new() RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid96_new(drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid96_new_at(at timestamptz) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid96_make(at timestamptz, node bigint, sequence int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_make(at timestamptz, node bigint, sequence int, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_new() IS 'new uid96 of this database''s node, drift 8; it shares a generator with uid64_new()';
COMMENT ON FUNCTION uid96_new(int) IS 'new uid96 of this database''s node, drift 5 to 10; it shares a generator with uid64_new()';
COMMENT ON FUNCTION uid96_new_at(timestamptz) IS 'uid96 for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION uid96_make(timestamptz, bigint, int) IS 'uid96 from its parts, drift 8';
COMMENT ON FUNCTION uid96_make(timestamptz, bigint, int, int) IS 'uid96 from its parts, drift 5 to 10';

-- parts

CREATE FUNCTION uid96_sequence(uid96) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_node(uid96) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_node(uid96, drift int) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_inspect(
    id uid96, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT node bigint, OUT sequence int
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.uid96_timestamp(id), @extschema@.uid96_node(id), @extschema@.uid96_sequence(id);
END;

COMMENT ON FUNCTION uid96_sequence(uid96) IS 'sequence number of a uid96, 0 to 16383';
COMMENT ON FUNCTION uid96_node(uid96) IS 'node of a uid96 made with drift 8, 0 to 4294967295';
COMMENT ON FUNCTION uid96_node(uid96, int) IS 'node of a uid96 made with this drift, 0 to 4294967295';
COMMENT ON FUNCTION uid96_inspect(uid96) IS 'every part of a uid96 made with drift 8';

-- from one to the other

CREATE FUNCTION uid96_to_local(uid96) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_to_local(uid96, drift int) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_to_global(uid64) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_to_global(uid64, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid_node_hash(name text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_to_local(uid96) IS 'uid64 with the time and sequence of a uid96 made with drift 8';
COMMENT ON FUNCTION uid96_to_local(uid96, int) IS 'uid64 with the time and sequence of a uid96 made with this drift';
COMMENT ON FUNCTION uid64_to_global(uid64) IS 'uid96 with this database''s node and the time and sequence of a uid64, drift 8';
COMMENT ON FUNCTION uid64_to_global(uid64, int) IS 'uid96 with this database''s node and the time and sequence of a uid64, drift 5 to 10';
COMMENT ON FUNCTION uid_node_hash(text) IS 'node number of a node''s name: Erlang''s phash2 of the atom';

-- distance

CREATE FUNCTION uid_distance(a uid64, b uid64, OUT elapsed interval, OUT sequence int)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid_distance(a uid96, b uid96, OUT elapsed interval, OUT sequence int)
    AS 'MODULE_PATHNAME', 'uid_distance_uid96' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid_distance(uid64, uid64) IS 'time from b to a, and a''s sequence number minus b''s';
COMMENT ON FUNCTION uid_distance(uid96, uid96) IS 'time from b to a, and a''s sequence number minus b''s; both of one node';

-- vector clocks: an entry for each node, the latest of its IDs; NULL elements are no entries

CREATE FUNCTION uid_vclock() RETURNS uid96[]
    LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED
BEGIN ATOMIC
    SELECT ARRAY[@extschema@.uid96_new()];
END;
CREATE FUNCTION uid_vclock(clock uid96[]) RETURNS uid96[]
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid_vclock_join(a uid96[], b uid96[]) RETURNS uid96[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(pg_catalog.array_agg(latest.id ORDER BY latest.node), '{}')
    FROM (
        SELECT @extschema@.uid96_node(entry.id) AS node, @extschema@.max(entry.id) AS id
        FROM (SELECT pg_catalog.unnest(a) AS id UNION ALL SELECT pg_catalog.unnest(b)) AS entry
        WHERE entry.id IS NOT NULL
        GROUP BY @extschema@.uid96_node(entry.id)
    ) AS latest;
END;
CREATE FUNCTION uid_vclock_descends(a uid96[], b uid96[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT NOT EXISTS (
        SELECT FROM pg_catalog.unnest(b) AS theirs(id)
        WHERE theirs.id IS NOT NULL AND NOT EXISTS (
            SELECT FROM pg_catalog.unnest(a) AS ours(id)
            WHERE @extschema@.uid96_node(ours.id) OPERATOR(pg_catalog.=) @extschema@.uid96_node(theirs.id) AND ours.id OPERATOR(pg_catalog.>=) theirs.id
        )
    );
END;
CREATE FUNCTION uid_vclock_descends(node bigint, a uid96[], b uid96[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT @extschema@.uid_vclock_descends(a, ARRAY(
        SELECT theirs.id FROM pg_catalog.unnest(b) AS theirs(id) WHERE @extschema@.uid96_node(theirs.id) OPERATOR(pg_catalog.<>) node
    ));
END;
CREATE FUNCTION uid_vclock_diff(
    a uid96[], b uid96[], OUT node bigint, OUT id uid96, OUT elapsed interval, OUT sequence int
) RETURNS SETOF record
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 10
BEGIN ATOMIC
    SELECT @extschema@.uid96_node(theirs.id), theirs.id, distance.elapsed, distance.sequence
    FROM pg_catalog.unnest(b) WITH ORDINALITY AS theirs(id, place)
        LEFT JOIN (
            SELECT @extschema@.max(entry.id) AS id FROM pg_catalog.unnest(a) AS entry(id) GROUP BY @extschema@.uid96_node(entry.id)
        ) AS ours ON @extschema@.uid96_node(ours.id) OPERATOR(pg_catalog.=) @extschema@.uid96_node(theirs.id)
        LEFT JOIN LATERAL @extschema@.uid_distance(theirs.id, ours.id) AS distance ON ours.id IS NOT NULL
    WHERE theirs.id OPERATOR(pg_catalog.>) ours.id OR (ours.id IS NULL AND theirs.id IS NOT NULL)
    ORDER BY theirs.place;
END;

COMMENT ON FUNCTION uid_vclock() IS 'new vector clock: one new uid96 of this database''s node';
COMMENT ON FUNCTION uid_vclock(uid96[]) IS 'vector clock with a new, later entry of this database''s node in front';
COMMENT ON FUNCTION uid_vclock_join(uid96[], uid96[]) IS 'vector clock with the later entry of each node, ordered by node';
COMMENT ON FUNCTION uid_vclock_descends(uid96[], uid96[]) IS 'has a seen all that b has seen, that is, has it an entry as late or later for each of b''s nodes?';
COMMENT ON FUNCTION uid_vclock_descends(bigint, uid96[], uid96[]) IS 'has a seen all that b has seen, ignoring one node''s entry?';
COMMENT ON FUNCTION uid_vclock_diff(uid96[], uid96[]) IS 'what b has seen and a has not: b''s later entries, with the distance from a''s entry of that node, NULL where it has none';

/* ---------- snowflake ---------- */

CREATE TYPE snowflake;

CREATE FUNCTION _flakeid_functions.snowflake_in(cstring) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_out(snowflake) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_recv(internal) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_send(snowflake) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE snowflake (
    INPUT = _flakeid_functions.snowflake_in,
    OUTPUT = _flakeid_functions.snowflake_out,
    RECEIVE = _flakeid_functions.snowflake_recv,
    SEND = _flakeid_functions.snowflake_send,
    LIKE = pg_catalog.int8
);

COMMENT ON FUNCTION _flakeid_functions.snowflake_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.snowflake_out(snowflake) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.snowflake_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.snowflake_send(snowflake) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.snowflake_lt(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_le(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_eq(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_ne(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_ge(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_gt(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_cmp(snowflake, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_hash(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_hash_extended(snowflake, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.snowflake_lt(snowflake, snowflake) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_le(snowflake, snowflake) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_eq(snowflake, snowflake) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_ne(snowflake, snowflake) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_ge(snowflake, snowflake) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_gt(snowflake, snowflake) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_cmp(snowflake, snowflake) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.snowflake_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.snowflake_hash(snowflake) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.snowflake_hash_extended(snowflake, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.snowflake_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.snowflake_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.snowflake_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.snowflake_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.snowflake_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.snowflake_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (snowflake, snowflake) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (snowflake, snowflake) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (snowflake, snowflake) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (snowflake, snowflake) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (snowflake, snowflake) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (snowflake, snowflake) IS 'greater than';

CREATE OPERATOR CLASS snowflake_ops DEFAULT FOR TYPE snowflake USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.snowflake_cmp(snowflake, snowflake),
    FUNCTION 2 _flakeid_functions.snowflake_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS snowflake_hash_ops DEFAULT FOR TYPE snowflake USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.snowflake_hash(snowflake),
    FUNCTION 2 _flakeid_functions.snowflake_hash_extended(snowflake, bigint);

COMMENT ON OPERATOR CLASS snowflake_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.snowflake_smaller(snowflake, snowflake) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_larger(snowflake, snowflake) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(snowflake) (
    SFUNC = _flakeid_functions.snowflake_smaller, STYPE = snowflake, COMBINEFUNC = _flakeid_functions.snowflake_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(snowflake) (
    SFUNC = _flakeid_functions.snowflake_larger, STYPE = snowflake, COMBINEFUNC = _flakeid_functions.snowflake_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.snowflake_smaller(snowflake, snowflake) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.snowflake_larger(snowflake, snowflake) IS 'larger of two';
COMMENT ON AGGREGATE min(snowflake) IS 'minimum value of all snowflake input values';
COMMENT ON AGGREGATE max(snowflake) IS 'maximum value of all snowflake input values';

-- casts

CREATE FUNCTION _flakeid_functions.snowflake_to_bytea(snowflake) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_from_bytea(bytea) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.snowflake_to_bytea(snowflake) IS 'the 8 bytes of a snowflake';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_bytea(bytea) IS 'snowflake from 8 bytes';

CREATE CAST (text AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (snowflake AS bytea) WITH FUNCTION _flakeid_functions.snowflake_to_bytea(snowflake);
CREATE CAST (bytea AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_bytea(bytea);

COMMENT ON CAST (text AS snowflake) IS 'snowflake from its text';
COMMENT ON CAST (varchar AS snowflake) IS 'snowflake from its text';
COMMENT ON CAST (bpchar AS snowflake) IS 'snowflake from its text';
COMMENT ON CAST (snowflake AS bytea) IS 'the 8 bytes of a snowflake';
COMMENT ON CAST (bytea AS snowflake) IS 'snowflake from 8 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.snowflake_brin_distance(snowflake, snowflake) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.snowflake_brin_distance(snowflake, snowflake) IS 'how many IDs the second snowflake lies after the first';

CREATE OPERATOR CLASS snowflake_minmax_ops DEFAULT FOR TYPE snowflake USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS snowflake_minmax_multi_ops FOR TYPE snowflake USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.snowflake_brin_distance(snowflake, snowflake);
CREATE OPERATOR CLASS snowflake_bloom_ops FOR TYPE snowflake USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.snowflake_hash(snowflake);

COMMENT ON OPERATOR CLASS snowflake_minmax_ops USING brin IS 'least and greatest snowflake of a block range';
COMMENT ON OPERATOR CLASS snowflake_minmax_multi_ops USING brin IS 'several ranges of snowflake for a block range';
COMMENT ON OPERATOR CLASS snowflake_bloom_ops USING brin IS 'filter of the hashes of snowflake in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.snowflake_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_gist_consistent(internal, snowflake, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.snowflake_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.snowflake_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.snowflake_gist_consistent(internal, snowflake, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS snowflake_gist_ops DEFAULT FOR TYPE snowflake USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.snowflake_gist_consistent(internal, snowflake, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.snowflake_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.snowflake_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS snowflake_gist_ops USING gist IS 'ranges of snowflake, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.snowflake_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.snowflake_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY snowflake_ops USING btree ADD FUNCTION 6 (snowflake, snowflake) _flakeid_functions.snowflake_skipsupport(internal);
        ALTER OPERATOR FAMILY snowflake_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION snowflake_timestamp(snowflake) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION snowflake_min(timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_max(timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (snowflake AS timestamptz) WITH FUNCTION snowflake_timestamp(snowflake);

COMMENT ON FUNCTION snowflake_timestamp(snowflake) IS 'instant of a snowflake with the epoch 2015-01-01 UTC: the start of its millisecond';
COMMENT ON FUNCTION snowflake_min(timestamptz) IS 'least snowflake at or after the instant; outside 2015-2154 the least or greatest of all';
COMMENT ON FUNCTION snowflake_max(timestamptz) IS 'greatest snowflake at or before the instant; outside 2015-2154 the least or greatest of all';
COMMENT ON CAST (snowflake AS timestamptz) IS 'instant of a snowflake with the epoch 2015-01-01 UTC: the start of its millisecond';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.snowflake_lt_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.snowflake_le_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.snowflake_ge_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.snowflake_gt_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.snowflake_cmp_timestamptz(snowflake, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_cmp_le_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_snowflake(timestamptz, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_contained_by_tstzrange(snowflake, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_snowflake(flakeid_period, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id snowflake, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'snowflake_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.snowflake_in_range(snowflake, snowflake, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.snowflake_lt_timestamptz(snowflake, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_le_timestamptz(snowflake, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_ge_timestamptz(snowflake, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_gt_timestamptz(snowflake, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_cmp_timestamptz(snowflake, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.snowflake_cmp_le_timestamptz(snowflake, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_snowflake(timestamptz, snowflake) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_snowflake(timestamptz, snowflake) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_snowflake(timestamptz, snowflake) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_snowflake(timestamptz, snowflake) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_snowflake(timestamptz, snowflake) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.snowflake_contained_by_tstzrange(snowflake, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_snowflake(flakeid_period, snowflake) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(snowflake, tstzmultirange) IS 'is the instant of the snowflake in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.snowflake_in_range(snowflake, snowflake, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.snowflake_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.snowflake_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.snowflake_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.snowflake_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_lt_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_le_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_ge_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_gt_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.snowflake_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = snowflake, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.snowflake_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.tstzrange_contains_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (snowflake, timestamptz) IS 'before the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.<= (snowflake, timestamptz) IS 'at or before the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.>= (snowflake, timestamptz) IS 'at or after the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.> (snowflake, timestamptz) IS 'after the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, snowflake) IS 'before the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, snowflake) IS 'at or before the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, snowflake) IS 'at or after the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, snowflake) IS 'after the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.|<= (snowflake, timestamptz) IS 'less than or equal, as snowflake_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (snowflake, flakeid_period) IS 'instant is contained by, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, snowflake) IS 'contains the instant of the snowflake, with the epoch 2015-01-01 UTC';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY snowflake_ops USING btree ADD
    OPERATOR 1 < (snowflake, timestamptz),
    OPERATOR 2 |<= (snowflake, timestamptz),
    OPERATOR 4 >= (snowflake, timestamptz),
    FUNCTION 1 (snowflake, timestamptz) _flakeid_functions.snowflake_cmp_timestamptz(snowflake, timestamptz),
    OPERATOR 2 <= (timestamptz, snowflake),
    OPERATOR 5 > (timestamptz, snowflake),
    FUNCTION 1 (timestamptz, snowflake) _flakeid_functions.timestamptz_cmp_snowflake(timestamptz, snowflake),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (snowflake, interval) _flakeid_functions.snowflake_in_range(snowflake, snowflake, interval, boolean, boolean);
ALTER OPERATOR FAMILY snowflake_minmax_ops USING brin ADD
    OPERATOR 1 < (snowflake, timestamptz),
    OPERATOR 4 >= (snowflake, timestamptz);
ALTER OPERATOR FAMILY snowflake_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (snowflake, timestamptz),
    OPERATOR 4 >= (snowflake, timestamptz);
ALTER OPERATOR FAMILY snowflake_gist_ops USING gist ADD
    OPERATOR 20 < (snowflake, timestamptz),
    OPERATOR 23 >= (snowflake, timestamptz);


-- the horizon

CREATE FUNCTION snowflake_horizon() RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION snowflake_horizon() IS 'a snowflake below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from snowflake_new()';
-- snowflake: what only this type has
--
--     casts             numeric, bigint, int, smallint
--     comparison        with bigint
--     time              snowflake_min, _max, _timestamp, with an epoch
--     new IDs           snowflake_new, snowflake_new_at, snowflake_make
--     parts             snowflake_worker, _process, _sequence, snowflake_inspect
--     other notations   snowflake_format, snowflake_parse
--     to siq            siq_from_snowflake

COMMENT ON TYPE snowflake IS 'sortable ID of 8 bytes, Discord''s flavour, after SUOU: 1 ms time, worker, process, sequence; decimal text; epoch 2015-01-01 UTC in casts and comparisons';
COMMENT ON OPERATOR CLASS snowflake_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION _flakeid_functions.snowflake_to_numeric(snowflake) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_from_numeric(numeric) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_to_bigint(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_from_bigint(bigint) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_from_int(int) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_from_smallint(smallint) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.snowflake_to_numeric(snowflake) IS 'snowflake as a number';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_numeric(numeric) IS 'snowflake from its number';
COMMENT ON FUNCTION _flakeid_functions.snowflake_to_bigint(snowflake) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_bigint(bigint) IS 'snowflake from its number, which must not be negative';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_int(int) IS 'snowflake from its number, which must not be negative';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_smallint(smallint) IS 'snowflake from its number, which must not be negative';

CREATE CAST (snowflake AS numeric) WITH FUNCTION _flakeid_functions.snowflake_to_numeric(snowflake);
CREATE CAST (numeric AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_numeric(numeric);
CREATE CAST (snowflake AS bigint) WITH FUNCTION _flakeid_functions.snowflake_to_bigint(snowflake) AS ASSIGNMENT;
-- not implicit: a snowflake can be compared with an instant, and an integer must not be
CREATE CAST (bigint AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_bigint(bigint) AS ASSIGNMENT;
CREATE CAST (int AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_int(int) AS ASSIGNMENT;
CREATE CAST (smallint AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_smallint(smallint) AS ASSIGNMENT;

COMMENT ON CAST (snowflake AS numeric) IS 'snowflake as a number';
COMMENT ON CAST (numeric AS snowflake) IS 'snowflake from its number';
COMMENT ON CAST (snowflake AS bigint) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON CAST (bigint AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (int AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (smallint AS snowflake) IS 'snowflake from its number, which must not be negative';

-- comparison with integers: see src/planner/integer.c

CREATE FUNCTION _flakeid_functions.snowflake_bigint_upto(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_bigint_below(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_lt_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.snowflake_le_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.snowflake_eq_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_eq_support;
CREATE FUNCTION _flakeid_functions.snowflake_ne_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ne_support;
CREATE FUNCTION _flakeid_functions.snowflake_ge_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.snowflake_gt_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.snowflake_cmp_bigint(snowflake, bigint) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.bigint_lt_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.bigint_le_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.bigint_eq_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_eq_support;
CREATE FUNCTION _flakeid_functions.bigint_ne_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ne_support;
CREATE FUNCTION _flakeid_functions.bigint_ge_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.bigint_gt_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_hash_bigint(bigint) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_hash_bigint_extended(bigint, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.snowflake_bigint_upto(snowflake) IS 'greatest bigint that is not above the snowflake';
COMMENT ON FUNCTION _flakeid_functions.snowflake_bigint_below(snowflake) IS 'greatest bigint below the snowflake';
COMMENT ON FUNCTION _flakeid_functions.snowflake_lt_bigint(snowflake, bigint) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_le_bigint(snowflake, bigint) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_eq_bigint(snowflake, bigint) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_ne_bigint(snowflake, bigint) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_ge_bigint(snowflake, bigint) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_gt_bigint(snowflake, bigint) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_cmp_bigint(snowflake, bigint) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.bigint_lt_snowflake(bigint, snowflake) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_le_snowflake(bigint, snowflake) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_eq_snowflake(bigint, snowflake) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_ne_snowflake(bigint, snowflake) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_ge_snowflake(bigint, snowflake) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_gt_snowflake(bigint, snowflake) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.snowflake_hash_bigint(bigint) IS 'hash of the snowflake that equals the number';
COMMENT ON FUNCTION _flakeid_functions.snowflake_hash_bigint_extended(bigint, bigint) IS 'hash of the snowflake that equals the number, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_lt_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_le_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_eq_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_ne_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_ge_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_gt_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_lt_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_le_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_eq_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_ne_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_ge_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_gt_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

-- The families compare two numbers by these, as for id < ANY (numbers).  They cannot use core's
-- operators: how the planner joins and sorts by bigint depends on the families that core's are in.
CREATE OPERATOR _flakeid_functions.|< (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8lt,
    COMMUTATOR = OPERATOR(_flakeid_functions.|>), NEGATOR = OPERATOR(_flakeid_functions.|>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR _flakeid_functions.|<= (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8le,
    COMMUTATOR = OPERATOR(_flakeid_functions.|>=), NEGATOR = OPERATOR(_flakeid_functions.|>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR _flakeid_functions.|= (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8eq,
    COMMUTATOR = OPERATOR(_flakeid_functions.|=), NEGATOR = OPERATOR(_flakeid_functions.|<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
CREATE OPERATOR _flakeid_functions.|<> (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8ne,
    COMMUTATOR = OPERATOR(_flakeid_functions.|<>), NEGATOR = OPERATOR(_flakeid_functions.|=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR _flakeid_functions.|>= (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8ge,
    COMMUTATOR = OPERATOR(_flakeid_functions.|<=), NEGATOR = OPERATOR(_flakeid_functions.|<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR _flakeid_functions.|> (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8gt,
    COMMUTATOR = OPERATOR(_flakeid_functions.|<), NEGATOR = OPERATOR(_flakeid_functions.|<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (snowflake, bigint) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (snowflake, bigint) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (snowflake, bigint) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (snowflake, bigint) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (snowflake, bigint) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (snowflake, bigint) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (bigint, snowflake) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (bigint, snowflake) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (bigint, snowflake) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (bigint, snowflake) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (bigint, snowflake) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (bigint, snowflake) IS 'greater than';
COMMENT ON OPERATOR _flakeid_functions.|< (bigint, bigint) IS 'less than, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|<= (bigint, bigint) IS 'less than or equal, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|= (bigint, bigint) IS 'equal, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|<> (bigint, bigint) IS 'not equal, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|>= (bigint, bigint) IS 'greater than or equal, for operator families of IDs';
COMMENT ON OPERATOR _flakeid_functions.|> (bigint, bigint) IS 'greater than, for operator families of IDs';

ALTER OPERATOR FAMILY snowflake_ops USING btree ADD
    OPERATOR 1 < (snowflake, bigint),
    OPERATOR 2 <= (snowflake, bigint),
    OPERATOR 3 = (snowflake, bigint),
    OPERATOR 4 >= (snowflake, bigint),
    OPERATOR 5 > (snowflake, bigint),
    FUNCTION 1 (snowflake, bigint) _flakeid_functions.snowflake_cmp_bigint(snowflake, bigint),
    OPERATOR 1 < (bigint, snowflake),
    OPERATOR 2 <= (bigint, snowflake),
    OPERATOR 3 = (bigint, snowflake),
    OPERATOR 4 >= (bigint, snowflake),
    OPERATOR 5 > (bigint, snowflake),
    FUNCTION 1 (bigint, snowflake) _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake),
    OPERATOR 1 _flakeid_functions.|< (bigint, bigint),
    OPERATOR 2 _flakeid_functions.|<= (bigint, bigint),
    OPERATOR 3 _flakeid_functions.|= (bigint, bigint),
    OPERATOR 4 _flakeid_functions.|>= (bigint, bigint),
    OPERATOR 5 _flakeid_functions.|> (bigint, bigint),
    FUNCTION 1 (bigint, bigint) pg_catalog.btint8cmp(bigint, bigint);
ALTER OPERATOR FAMILY snowflake_hash_ops USING hash ADD
    OPERATOR 1 = (snowflake, bigint),
    OPERATOR 1 = (bigint, snowflake),
    OPERATOR 1 _flakeid_functions.|= (bigint, bigint),
    FUNCTION 1 (bigint, bigint) _flakeid_functions.snowflake_hash_bigint(bigint),
    FUNCTION 2 (bigint, bigint) _flakeid_functions.snowflake_hash_bigint_extended(bigint, bigint);
ALTER OPERATOR FAMILY snowflake_minmax_ops USING brin ADD
    OPERATOR 1 < (snowflake, bigint),
    OPERATOR 2 <= (snowflake, bigint),
    OPERATOR 3 = (snowflake, bigint),
    OPERATOR 4 >= (snowflake, bigint),
    OPERATOR 5 > (snowflake, bigint);
ALTER OPERATOR FAMILY snowflake_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (snowflake, bigint),
    OPERATOR 2 <= (snowflake, bigint),
    OPERATOR 3 = (snowflake, bigint),
    OPERATOR 4 >= (snowflake, bigint),
    OPERATOR 5 > (snowflake, bigint);

-- time

CREATE FUNCTION snowflake_min(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_max(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_timestamp(snowflake, epoch timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_min(timestamptz, timestamptz) IS 'least snowflake at or after the instant, with the given epoch; outside its 139 years the least or greatest of all';
COMMENT ON FUNCTION snowflake_max(timestamptz, timestamptz) IS 'greatest snowflake at or before the instant, with the given epoch; outside its 139 years the least or greatest of all';
COMMENT ON FUNCTION snowflake_timestamp(snowflake, timestamptz) IS 'instant of a snowflake with the given epoch: the start of its millisecond';

-- new IDs

CREATE FUNCTION snowflake_new() RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION snowflake_new(epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION snowflake_new_at(at timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION snowflake_make(at timestamptz, worker int, process int, sequence int) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_make(at timestamptz, worker int, process int, sequence int, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_new() IS 'new snowflake of this database''s worker, with the epoch 2015-01-01 UTC';
COMMENT ON FUNCTION snowflake_new(timestamptz) IS 'new snowflake of this database''s worker, with another epoch, which casts and comparisons with timestamptz do not know';
COMMENT ON FUNCTION snowflake_new_at(timestamptz) IS 'snowflake for an instant, with the epoch 2015-01-01 UTC, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int) IS 'snowflake from its parts, with the epoch 2015-01-01 UTC';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int, timestamptz) IS 'snowflake from its parts, with the given epoch';

-- parts

CREATE FUNCTION snowflake_worker(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_process(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_sequence(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_inspect(
    id snowflake, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT worker int, OUT process int, OUT sequence int
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.snowflake_timestamp(id),
        @extschema@.snowflake_worker(id), @extschema@.snowflake_process(id), @extschema@.snowflake_sequence(id);
END;

COMMENT ON FUNCTION snowflake_worker(snowflake) IS 'worker of a snowflake, 0 to 31';
COMMENT ON FUNCTION snowflake_process(snowflake) IS 'process number of a snowflake, 0 to 31';
COMMENT ON FUNCTION snowflake_sequence(snowflake) IS 'sequence number of a snowflake, 0 to 4095';
COMMENT ON FUNCTION snowflake_inspect(snowflake) IS 'every part of a snowflake, its instant with the epoch 2015-01-01 UTC';

-- other notations

CREATE FUNCTION snowflake_format(snowflake, format text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_parse(text, format text) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_format(snowflake, text) IS 'snowflake in a notation of SUOU: b (base 64), c and 0c (Crockford), d (decimal), l (base 32), o (octal), x (hexadecimal)';
COMMENT ON FUNCTION snowflake_parse(text, text) IS 'snowflake from its text in one of the notations that snowflake_format writes';

-- to siq

CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type text, epoch timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, text) IS 'siq from a snowflake that counts from 2015-01-01 UTC; no two snowflakes become one siq of a type';
COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, text, timestamptz) IS 'siq from a snowflake that counts from another epoch; no two snowflakes become one siq of a type';

/* ---------- ulid ---------- */

CREATE TYPE ulid;

CREATE FUNCTION _flakeid_functions.ulid_in(cstring) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ulid_out(ulid) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ulid_recv(internal) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ulid_send(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE ulid (
    INPUT = _flakeid_functions.ulid_in,
    OUTPUT = _flakeid_functions.ulid_out,
    RECEIVE = _flakeid_functions.ulid_recv,
    SEND = _flakeid_functions.ulid_send,
    INTERNALLENGTH = 16, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION _flakeid_functions.ulid_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.ulid_out(ulid) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.ulid_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.ulid_send(ulid) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.ulid_lt(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_le(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_eq(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_ne(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_ge(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_gt(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_cmp(ulid, ulid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ulid_hash(ulid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_hash_extended(ulid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.ulid_lt(ulid, ulid) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_le(ulid, ulid) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_eq(ulid, ulid) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_ne(ulid, ulid) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_ge(ulid, ulid) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_gt(ulid, ulid) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_cmp(ulid, ulid) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.ulid_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.ulid_hash(ulid) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.ulid_hash_extended(ulid, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = _flakeid_functions.ulid_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = _flakeid_functions.ulid_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = _flakeid_functions.ulid_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = _flakeid_functions.ulid_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = _flakeid_functions.ulid_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = _flakeid_functions.ulid_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (ulid, ulid) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (ulid, ulid) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (ulid, ulid) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (ulid, ulid) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (ulid, ulid) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (ulid, ulid) IS 'greater than';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.ulid_cmp(ulid, ulid),
    FUNCTION 2 _flakeid_functions.ulid_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS ulid_hash_ops DEFAULT FOR TYPE ulid USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.ulid_hash(ulid),
    FUNCTION 2 _flakeid_functions.ulid_hash_extended(ulid, bigint);

COMMENT ON OPERATOR CLASS ulid_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.ulid_smaller(ulid, ulid) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_larger(ulid, ulid) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(ulid) (
    SFUNC = _flakeid_functions.ulid_smaller, STYPE = ulid, COMBINEFUNC = _flakeid_functions.ulid_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(ulid) (
    SFUNC = _flakeid_functions.ulid_larger, STYPE = ulid, COMBINEFUNC = _flakeid_functions.ulid_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.ulid_smaller(ulid, ulid) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.ulid_larger(ulid, ulid) IS 'larger of two';
COMMENT ON AGGREGATE min(ulid) IS 'minimum value of all ulid input values';
COMMENT ON AGGREGATE max(ulid) IS 'maximum value of all ulid input values';

-- casts

CREATE FUNCTION _flakeid_functions.ulid_to_bytea(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_from_bytea(bytea) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ulid_to_bytea(ulid) IS 'the 16 bytes of a ulid';
COMMENT ON FUNCTION _flakeid_functions.ulid_from_bytea(bytea) IS 'ulid from 16 bytes';

CREATE CAST (text AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (ulid AS bytea) WITH FUNCTION _flakeid_functions.ulid_to_bytea(ulid);
CREATE CAST (bytea AS ulid) WITH FUNCTION _flakeid_functions.ulid_from_bytea(bytea);

COMMENT ON CAST (text AS ulid) IS 'ulid from its text';
COMMENT ON CAST (varchar AS ulid) IS 'ulid from its text';
COMMENT ON CAST (bpchar AS ulid) IS 'ulid from its text';
COMMENT ON CAST (ulid AS bytea) IS 'the 16 bytes of a ulid';
COMMENT ON CAST (bytea AS ulid) IS 'ulid from 16 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.ulid_brin_distance(ulid, ulid) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.ulid_brin_distance(ulid, ulid) IS 'how many IDs the second ulid lies after the first';

CREATE OPERATOR CLASS ulid_minmax_ops DEFAULT FOR TYPE ulid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS ulid_minmax_multi_ops FOR TYPE ulid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.ulid_brin_distance(ulid, ulid);
CREATE OPERATOR CLASS ulid_bloom_ops FOR TYPE ulid USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.ulid_hash(ulid);

COMMENT ON OPERATOR CLASS ulid_minmax_ops USING brin IS 'least and greatest ulid of a block range';
COMMENT ON OPERATOR CLASS ulid_minmax_multi_ops USING brin IS 'several ranges of ulid for a block range';
COMMENT ON OPERATOR CLASS ulid_bloom_ops USING brin IS 'filter of the hashes of ulid in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.ulid_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ulid_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ulid_gist_consistent(internal, ulid, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ulid_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.ulid_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.ulid_gist_consistent(internal, ulid, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS ulid_gist_ops DEFAULT FOR TYPE ulid USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.ulid_gist_consistent(internal, ulid, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.ulid_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.ulid_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS ulid_gist_ops USING gist IS 'ranges of ulid, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.ulid_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ulid_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY ulid_ops USING btree ADD FUNCTION 6 (ulid, ulid) _flakeid_functions.ulid_skipsupport(internal);
        ALTER OPERATOR FAMILY ulid_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION ulid_timestamp(ulid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_min(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_max(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (ulid AS timestamptz) WITH FUNCTION ulid_timestamp(ulid);

COMMENT ON FUNCTION ulid_timestamp(ulid) IS 'instant of a ulid: the start of its millisecond';
COMMENT ON FUNCTION ulid_min(timestamptz) IS 'least ulid at or after the instant; outside 1970-10889 the least or greatest of all';
COMMENT ON FUNCTION ulid_max(timestamptz) IS 'greatest ulid at or before the instant; outside 1970-10889 the least or greatest of all';
COMMENT ON CAST (ulid AS timestamptz) IS 'instant of a ulid: the start of its millisecond';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.ulid_lt_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.ulid_le_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.ulid_ge_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.ulid_gt_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.ulid_cmp_timestamptz(ulid, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_cmp_le_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_ulid(timestamptz, ulid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ulid_contained_by_tstzrange(ulid, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_ulid(flakeid_period, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id ulid, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.ulid_in_range(ulid, ulid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ulid_lt_timestamptz(ulid, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_le_timestamptz(ulid, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_ge_timestamptz(ulid, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_gt_timestamptz(ulid, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.ulid_cmp_timestamptz(ulid, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.ulid_cmp_le_timestamptz(ulid, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_ulid(timestamptz, ulid) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_ulid(timestamptz, ulid) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_ulid(timestamptz, ulid) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_ulid(timestamptz, ulid) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_ulid(timestamptz, ulid) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.ulid_contained_by_tstzrange(ulid, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_ulid(flakeid_period, ulid) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(ulid, tstzmultirange) IS 'is the instant of the ulid in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.ulid_in_range(ulid, ulid, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ulid_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ulid_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ulid_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ulid_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_lt_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_le_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_ge_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_gt_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ulid_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = ulid, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.ulid_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = ulid, FUNCTION = _flakeid_functions.tstzrange_contains_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (ulid, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR pg_catalog.<= (ulid, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR pg_catalog.>= (ulid, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR pg_catalog.> (ulid, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, ulid) IS 'before the instant of the ulid';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, ulid) IS 'at or before the instant of the ulid';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, ulid) IS 'at or after the instant of the ulid';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, ulid) IS 'after the instant of the ulid';
COMMENT ON OPERATOR pg_catalog.|<= (ulid, timestamptz) IS 'less than or equal, as ulid_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (ulid, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, ulid) IS 'contains the instant of the ulid';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY ulid_ops USING btree ADD
    OPERATOR 1 < (ulid, timestamptz),
    OPERATOR 2 |<= (ulid, timestamptz),
    OPERATOR 4 >= (ulid, timestamptz),
    FUNCTION 1 (ulid, timestamptz) _flakeid_functions.ulid_cmp_timestamptz(ulid, timestamptz),
    OPERATOR 2 <= (timestamptz, ulid),
    OPERATOR 5 > (timestamptz, ulid),
    FUNCTION 1 (timestamptz, ulid) _flakeid_functions.timestamptz_cmp_ulid(timestamptz, ulid),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (ulid, interval) _flakeid_functions.ulid_in_range(ulid, ulid, interval, boolean, boolean);
ALTER OPERATOR FAMILY ulid_minmax_ops USING brin ADD
    OPERATOR 1 < (ulid, timestamptz),
    OPERATOR 4 >= (ulid, timestamptz);
ALTER OPERATOR FAMILY ulid_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (ulid, timestamptz),
    OPERATOR 4 >= (ulid, timestamptz);
ALTER OPERATOR FAMILY ulid_gist_ops USING gist ADD
    OPERATOR 20 < (ulid, timestamptz),
    OPERATOR 23 >= (ulid, timestamptz);


-- the horizon

CREATE FUNCTION ulid_horizon() RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION ulid_horizon() IS 'a ulid below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from ulid_new()';
-- ulid: what only this type has
--
--     casts     uuid
--     new IDs   ulid_new, ulid_new_at, ulid_make
--     parts     ulid_random, ulid_inspect
--     as uuid   ulid_text, ulid_uuid

COMMENT ON TYPE ulid IS 'sortable ID of 16 bytes after ulid/spec: 1 ms time, 80 bits, random or counted; text of 26 digits of Crockford''s base 32';
COMMENT ON OPERATOR CLASS ulid_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

-- the same bytes in the same order: ALTER TABLE ... TYPE rewrites no table
CREATE CAST (ulid AS uuid) WITHOUT FUNCTION;
CREATE CAST (uuid AS ulid) WITHOUT FUNCTION;

COMMENT ON CAST (ulid AS uuid) IS 'the bytes of a ulid as those of a uuid';
COMMENT ON CAST (uuid AS ulid) IS 'ulid from the bytes of any uuid';

-- new IDs

CREATE FUNCTION ulid_new() RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION ulid_new_at(at timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION ulid_make(at timestamptz, random bytea) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_new() IS 'new ulid: the millisecond, a counter of 18 bits and 62 random bits; on a standby 80 random bits';
COMMENT ON FUNCTION ulid_new_at(timestamptz) IS 'ulid for an instant, to backfill: its millisecond, a counter of this session and 62 random bits';
COMMENT ON FUNCTION ulid_make(timestamptz, bytea) IS 'ulid from its parts: an instant and 10 bytes';

-- parts

CREATE FUNCTION ulid_random(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_inspect(
    id ulid, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT random bytea
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.ulid_timestamp(id),
        @extschema@.ulid_random(id);
END;

COMMENT ON FUNCTION ulid_random(ulid) IS 'the 10 bytes after the time of a ulid';
COMMENT ON FUNCTION ulid_inspect(ulid) IS 'every part of a ulid';

-- ULIDs that stay uuid: their text

CREATE FUNCTION ulid_text(id uuid) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid(id text) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_text(uuid) IS 'the 26 characters of a ULID that is stored as uuid';
COMMENT ON FUNCTION ulid_uuid(text) IS 'uuid with the bytes of a ULID, whose text is read as type ulid reads it';
/* ---------- ksuid ---------- */

CREATE TYPE ksuid;

CREATE FUNCTION _flakeid_functions.ksuid_in(cstring) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ksuid_out(ksuid) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ksuid_recv(internal) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ksuid_send(ksuid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE ksuid (
    INPUT = _flakeid_functions.ksuid_in,
    OUTPUT = _flakeid_functions.ksuid_out,
    RECEIVE = _flakeid_functions.ksuid_recv,
    SEND = _flakeid_functions.ksuid_send,
    INTERNALLENGTH = 20, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION _flakeid_functions.ksuid_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.ksuid_out(ksuid) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.ksuid_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.ksuid_send(ksuid) IS 'I/O';

-- comparison

CREATE FUNCTION _flakeid_functions.ksuid_lt(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_le(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_eq(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_ne(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_ge(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_gt(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_cmp(ksuid, ksuid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ksuid_hash(ksuid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_hash_extended(ksuid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.ksuid_lt(ksuid, ksuid) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_le(ksuid, ksuid) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_eq(ksuid, ksuid) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_ne(ksuid, ksuid) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_ge(ksuid, ksuid) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_gt(ksuid, ksuid) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_cmp(ksuid, ksuid) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.ksuid_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.ksuid_hash(ksuid) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.ksuid_hash_extended(ksuid, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.ksuid_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.ksuid_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.ksuid_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.ksuid_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.ksuid_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.ksuid_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (ksuid, ksuid) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (ksuid, ksuid) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.= (ksuid, ksuid) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (ksuid, ksuid) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.>= (ksuid, ksuid) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (ksuid, ksuid) IS 'greater than';

CREATE OPERATOR CLASS ksuid_ops DEFAULT FOR TYPE ksuid USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.ksuid_cmp(ksuid, ksuid),
    FUNCTION 2 _flakeid_functions.ksuid_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS ksuid_hash_ops DEFAULT FOR TYPE ksuid USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.ksuid_hash(ksuid),
    FUNCTION 2 _flakeid_functions.ksuid_hash_extended(ksuid, bigint);

COMMENT ON OPERATOR CLASS ksuid_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.ksuid_smaller(ksuid, ksuid) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_larger(ksuid, ksuid) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(ksuid) (
    SFUNC = _flakeid_functions.ksuid_smaller, STYPE = ksuid, COMBINEFUNC = _flakeid_functions.ksuid_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(ksuid) (
    SFUNC = _flakeid_functions.ksuid_larger, STYPE = ksuid, COMBINEFUNC = _flakeid_functions.ksuid_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.ksuid_smaller(ksuid, ksuid) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.ksuid_larger(ksuid, ksuid) IS 'larger of two';
COMMENT ON AGGREGATE min(ksuid) IS 'minimum value of all ksuid input values';
COMMENT ON AGGREGATE max(ksuid) IS 'maximum value of all ksuid input values';

-- casts

CREATE FUNCTION _flakeid_functions.ksuid_to_bytea(ksuid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_from_bytea(bytea) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ksuid_to_bytea(ksuid) IS 'the 20 bytes of a ksuid';
COMMENT ON FUNCTION _flakeid_functions.ksuid_from_bytea(bytea) IS 'ksuid from 20 bytes';

CREATE CAST (text AS ksuid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS ksuid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS ksuid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (ksuid AS bytea) WITH FUNCTION _flakeid_functions.ksuid_to_bytea(ksuid);
CREATE CAST (bytea AS ksuid) WITH FUNCTION _flakeid_functions.ksuid_from_bytea(bytea);

COMMENT ON CAST (text AS ksuid) IS 'ksuid from its text';
COMMENT ON CAST (varchar AS ksuid) IS 'ksuid from its text';
COMMENT ON CAST (bpchar AS ksuid) IS 'ksuid from its text';
COMMENT ON CAST (ksuid AS bytea) IS 'the 20 bytes of a ksuid';
COMMENT ON CAST (bytea AS ksuid) IS 'ksuid from 20 bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.ksuid_brin_distance(ksuid, ksuid) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.ksuid_brin_distance(ksuid, ksuid) IS 'how many IDs the second ksuid lies after the first';

CREATE OPERATOR CLASS ksuid_minmax_ops DEFAULT FOR TYPE ksuid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS ksuid_minmax_multi_ops FOR TYPE ksuid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.ksuid_brin_distance(ksuid, ksuid);
CREATE OPERATOR CLASS ksuid_bloom_ops FOR TYPE ksuid USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.ksuid_hash(ksuid);

COMMENT ON OPERATOR CLASS ksuid_minmax_ops USING brin IS 'least and greatest ksuid of a block range';
COMMENT ON OPERATOR CLASS ksuid_minmax_multi_ops USING brin IS 'several ranges of ksuid for a block range';
COMMENT ON OPERATOR CLASS ksuid_bloom_ops USING brin IS 'filter of the hashes of ksuid in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION _flakeid_functions.ksuid_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ksuid_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.ksuid_gist_consistent(internal, ksuid, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ksuid_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.ksuid_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION _flakeid_functions.ksuid_gist_consistent(internal, ksuid, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS ksuid_gist_ops DEFAULT FOR TYPE ksuid USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 _flakeid_functions.ksuid_gist_consistent(internal, ksuid, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 _flakeid_functions.ksuid_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 _flakeid_functions.ksuid_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS ksuid_gist_ops USING gist IS 'ranges of ksuid, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.ksuid_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ksuid_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY ksuid_ops USING btree ADD FUNCTION 6 (ksuid, ksuid) _flakeid_functions.ksuid_skipsupport(internal);
        ALTER OPERATOR FAMILY ksuid_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION ksuid_timestamp(ksuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ksuid_min(timestamptz) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_max(timestamptz) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (ksuid AS timestamptz) WITH FUNCTION ksuid_timestamp(ksuid);

COMMENT ON FUNCTION ksuid_timestamp(ksuid) IS 'instant of a ksuid: the start of its second';
COMMENT ON FUNCTION ksuid_min(timestamptz) IS 'least ksuid at or after the instant; outside 2014-2150 the least or greatest of all';
COMMENT ON FUNCTION ksuid_max(timestamptz) IS 'greatest ksuid at or before the instant; outside 2014-2150 the least or greatest of all';
COMMENT ON CAST (ksuid AS timestamptz) IS 'instant of a ksuid: the start of its second';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.ksuid_lt_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.ksuid_le_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.ksuid_ge_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.ksuid_gt_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.ksuid_cmp_timestamptz(ksuid, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_cmp_le_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_ksuid(timestamptz, ksuid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.ksuid_contained_by_tstzrange(ksuid, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_ksuid(flakeid_period, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id ksuid, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ksuid_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.ksuid_in_range(ksuid, ksuid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.ksuid_lt_timestamptz(ksuid, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_le_timestamptz(ksuid, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_ge_timestamptz(ksuid, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_gt_timestamptz(ksuid, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.ksuid_cmp_timestamptz(ksuid, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.ksuid_cmp_le_timestamptz(ksuid, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_ksuid(timestamptz, ksuid) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_ksuid(timestamptz, ksuid) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_ksuid(timestamptz, ksuid) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_ksuid(timestamptz, ksuid) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_ksuid(timestamptz, ksuid) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.ksuid_contained_by_tstzrange(ksuid, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_ksuid(flakeid_period, ksuid) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(ksuid, tstzmultirange) IS 'is the instant of the ksuid in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.ksuid_in_range(ksuid, ksuid, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ksuid_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ksuid_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ksuid_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ksuid_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_lt_ksuid,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_le_ksuid,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_ge_ksuid,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_gt_ksuid,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.ksuid_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = ksuid, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.ksuid_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.tstzrange_contains_ksuid,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (ksuid, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR pg_catalog.<= (ksuid, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR pg_catalog.>= (ksuid, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR pg_catalog.> (ksuid, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, ksuid) IS 'before the instant of the ksuid';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, ksuid) IS 'at or before the instant of the ksuid';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, ksuid) IS 'at or after the instant of the ksuid';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, ksuid) IS 'after the instant of the ksuid';
COMMENT ON OPERATOR pg_catalog.|<= (ksuid, timestamptz) IS 'less than or equal, as ksuid_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (ksuid, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, ksuid) IS 'contains the instant of the ksuid';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY ksuid_ops USING btree ADD
    OPERATOR 1 < (ksuid, timestamptz),
    OPERATOR 2 |<= (ksuid, timestamptz),
    OPERATOR 4 >= (ksuid, timestamptz),
    FUNCTION 1 (ksuid, timestamptz) _flakeid_functions.ksuid_cmp_timestamptz(ksuid, timestamptz),
    OPERATOR 2 <= (timestamptz, ksuid),
    OPERATOR 5 > (timestamptz, ksuid),
    FUNCTION 1 (timestamptz, ksuid) _flakeid_functions.timestamptz_cmp_ksuid(timestamptz, ksuid),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (ksuid, interval) _flakeid_functions.ksuid_in_range(ksuid, ksuid, interval, boolean, boolean);
ALTER OPERATOR FAMILY ksuid_minmax_ops USING brin ADD
    OPERATOR 1 < (ksuid, timestamptz),
    OPERATOR 4 >= (ksuid, timestamptz);
ALTER OPERATOR FAMILY ksuid_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (ksuid, timestamptz),
    OPERATOR 4 >= (ksuid, timestamptz);
ALTER OPERATOR FAMILY ksuid_gist_ops USING gist ADD
    OPERATOR 20 < (ksuid, timestamptz),
    OPERATOR 23 >= (ksuid, timestamptz);


-- the horizon

CREATE FUNCTION ksuid_horizon() RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION ksuid_horizon() IS 'a ksuid below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from ksuid_new()';
-- ksuid: what only this type has
--
--     new IDs   ksuid_new, ksuid_new_at, ksuid_make
--     parts     ksuid_payload, ksuid_inspect
--     order     ksuid_next, ksuid_prev

COMMENT ON TYPE ksuid IS 'sortable ID of 20 bytes after segmentio/ksuid: 1 s time, 128 bits, random or counted; text of 27 characters [0-9A-Za-z]';
COMMENT ON OPERATOR CLASS ksuid_ops USING btree IS 'order of time, then of the bytes that follow';

-- new IDs

CREATE FUNCTION ksuid_new() RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION ksuid_new_at(at timestamptz) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION ksuid_make(at timestamptz, payload bytea) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_new() IS 'new ksuid: the second, a counter of 28 bits and 100 random bits; on a standby 128 random bits';
COMMENT ON FUNCTION ksuid_new_at(timestamptz) IS 'ksuid for an instant, to backfill: its second, a counter of this session and 100 random bits';
COMMENT ON FUNCTION ksuid_make(timestamptz, bytea) IS 'ksuid from its parts: an instant and 16 bytes';

-- parts

CREATE FUNCTION ksuid_payload(ksuid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_inspect(
    id ksuid, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT payload bytea
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.ksuid_timestamp(id), @extschema@.ksuid_payload(id);
END;

COMMENT ON FUNCTION ksuid_payload(ksuid) IS 'the 16 bytes after the time of a ksuid';
COMMENT ON FUNCTION ksuid_inspect(ksuid) IS 'every part of a ksuid';

-- order

CREATE FUNCTION ksuid_next(ksuid) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ksuid_prev(ksuid) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_next(ksuid) IS 'the ksuid after this one in their order';
COMMENT ON FUNCTION ksuid_prev(ksuid) IS 'the ksuid before this one in their order';

/* ---------- uuid v7 ---------- */

CREATE FUNCTION uuid7_new() RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uuid7_new_at(at timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION uuid7_new() IS 'new uuid of version 7: the millisecond, a counter of 18 bits and 56 random bits; on a standby 74 random bits';
COMMENT ON FUNCTION uuid7_new_at(timestamptz) IS 'uuid of version 7 for an instant, to backfill: its millisecond, a counter of this session and 56 random bits';

CREATE FUNCTION uuid7_horizon() RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION uuid7_horizon() IS 'a uuid below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from uuid7_new()';
/* ---------- time on the IDs that people have ---------- */

-- A condition on one of the functions below, such as uuid7_timestamp(id) >= t, becomes
-- a condition on the column: see src/planner/rewrite.c.  The domain flakeid_instant, in head.sql, tells
-- these conditions from those on any other timestamptz.



-- what the planner puts in their place

CREATE FUNCTION _flakeid_functions.flakeid_date_instant(date) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_timestamp_instant(timestamp) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_range_last(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE FUNCTION _flakeid_functions.flakeid_foreign_horizon(anyelement, text, text) RETURNS anyelement
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION _flakeid_functions.flakeid_foreign_horizon(anyelement, text, text) IS 'an error: the planner puts T_horizon() into it, in conditions on foreign partitions that may turn out not to be read';

CREATE FUNCTION _flakeid_functions.flakeid_is_range_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_is_range(tstzrange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_is_range_support;

COMMENT ON FUNCTION _flakeid_functions.flakeid_date_instant(date) IS 'midnight of a date in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_timestamp_instant(timestamp) IS 'instant of a timestamp in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_is_range_support(internal) IS 'planner support for flakeid_is_range';
COMMENT ON FUNCTION _flakeid_functions.flakeid_is_range(tstzrange) IS 'always true; makes the planner estimate the conditions on time next to it, which compare with the ends of the range';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_last(tstzrange) IS 'last instant in a range, infinity included; -infinity if it is empty';

-- comparison: core's functions, which the planner asks flakeid about

CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_lt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_le_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_ge_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_gt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_lt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_le_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_ge_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_gt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(date, flakeid_instant) RETURNS boolean
    AS 'date_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(date, flakeid_instant) RETURNS boolean
    AS 'date_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(date, flakeid_instant) RETURNS boolean
    AS 'date_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(date, flakeid_instant) RETURNS boolean
    AS 'date_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;

COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(timestamptz, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(timestamptz, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(timestamptz, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(timestamptz, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamp) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamp) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamp) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamp) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(timestamp, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(timestamp, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(timestamp, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(timestamp, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, date) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, date) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, date) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, date) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(date, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(date, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(date, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(date, flakeid_instant) IS 'implementation of > operator';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, timestamptz) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, timestamptz) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, timestamptz) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, timestamptz) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, timestamp) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, timestamp) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, timestamp) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, timestamp) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (timestamp, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (timestamp, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (timestamp, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (timestamp, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, date) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, date) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, date) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, date) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (date, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (date, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (date, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (date, flakeid_instant) IS 'greater than';

-- The family has no class, because no index is made with it.  Row comparisons such as
-- (created_at, id) < (t, n) ask a family for the order of their operators.
CREATE OPERATOR FAMILY flakeid_instant_ops USING btree;
ALTER OPERATOR FAMILY flakeid_instant_ops USING btree ADD
    OPERATOR 1 < (flakeid_instant, flakeid_instant),
    OPERATOR 2 <= (flakeid_instant, flakeid_instant),
    OPERATOR 4 >= (flakeid_instant, flakeid_instant),
    OPERATOR 5 > (flakeid_instant, flakeid_instant),
    FUNCTION 1 (flakeid_instant, flakeid_instant) timestamptz_cmp(timestamptz, timestamptz),
    OPERATOR 1 < (flakeid_instant, timestamptz),
    OPERATOR 2 <= (flakeid_instant, timestamptz),
    OPERATOR 4 >= (flakeid_instant, timestamptz),
    OPERATOR 5 > (flakeid_instant, timestamptz),
    FUNCTION 1 (flakeid_instant, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    OPERATOR 1 < (timestamptz, flakeid_instant),
    OPERATOR 2 <= (timestamptz, flakeid_instant),
    OPERATOR 4 >= (timestamptz, flakeid_instant),
    OPERATOR 5 > (timestamptz, flakeid_instant),
    FUNCTION 1 (timestamptz, flakeid_instant) timestamptz_cmp(timestamptz, timestamptz),
    OPERATOR 1 < (flakeid_instant, timestamp),
    OPERATOR 2 <= (flakeid_instant, timestamp),
    OPERATOR 4 >= (flakeid_instant, timestamp),
    OPERATOR 5 > (flakeid_instant, timestamp),
    FUNCTION 1 (flakeid_instant, timestamp) timestamptz_cmp_timestamp(timestamptz, timestamp),
    OPERATOR 1 < (timestamp, flakeid_instant),
    OPERATOR 2 <= (timestamp, flakeid_instant),
    OPERATOR 4 >= (timestamp, flakeid_instant),
    OPERATOR 5 > (timestamp, flakeid_instant),
    FUNCTION 1 (timestamp, flakeid_instant) timestamp_cmp_timestamptz(timestamp, timestamptz),
    OPERATOR 1 < (flakeid_instant, date),
    OPERATOR 2 <= (flakeid_instant, date),
    OPERATOR 4 >= (flakeid_instant, date),
    OPERATOR 5 > (flakeid_instant, date),
    FUNCTION 1 (flakeid_instant, date) timestamptz_cmp_date(timestamptz, date),
    OPERATOR 1 < (date, flakeid_instant),
    OPERATOR 2 <= (date, flakeid_instant),
    OPERATOR 4 >= (date, flakeid_instant),
    OPERATOR 5 > (date, flakeid_instant),
    FUNCTION 1 (date, flakeid_instant) date_cmp_timestamptz(date, timestamptz);

COMMENT ON OPERATOR FAMILY flakeid_instant_ops USING btree IS 'order of flakeid_instant, for row comparisons';

-- ranges: by functions, because operators would change what core's mean with a literal

CREATE FUNCTION flakeid_within(flakeid_instant, tstzrange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzrange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(flakeid_instant, tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzmultirange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;

COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzrange) IS 'is the instant in the range?';
COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzmultirange) IS 'is the instant in one of the ranges?';

-- version 7 UUIDs

CREATE FUNCTION uuid7_timestamp(uuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION uuid7_min(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uuid7_max(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.is_uuid7_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_uuid7(uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.is_uuid7_support;

COMMENT ON FUNCTION uuid7_timestamp(uuid) IS 'instant of a version 7 UUID: the start of its millisecond; NULL for any other UUID';
COMMENT ON FUNCTION uuid7_min(timestamptz) IS 'lower bound of the UUIDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION uuid7_max(timestamptz) IS 'upper bound of the UUIDs whose instant is at or before this one';
COMMENT ON FUNCTION _flakeid_functions.is_uuid7_support(internal) IS 'planner support for is_uuid7';
COMMENT ON FUNCTION _flakeid_functions.is_uuid7(uuid) IS 'true for a version 7 UUID, NULL for any other';

-- ULIDs, as they are stored

CREATE FUNCTION ulid_timestamp(text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_timestamp(uuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_timestamp(bytea) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_text_min(timestamptz) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_text_max(timestamptz) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid_min(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid_max(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_bytea_min(timestamptz) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_bytea_max(timestamptz) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ulid_timestamp(text) IS 'instant of a ULID in its 26 upper-case characters: the start of its millisecond';
COMMENT ON FUNCTION ulid_timestamp(uuid) IS 'instant of a ULID stored as uuid: the start of its millisecond; the infinities for the nil and the max UUID';
COMMENT ON FUNCTION ulid_timestamp(bytea) IS 'instant of a ULID stored as 16 bytes: the start of its millisecond';
COMMENT ON FUNCTION ulid_text_min(timestamptz) IS 'lower bound of the ULIDs as text whose instant is at or after this one';
COMMENT ON FUNCTION ulid_text_max(timestamptz) IS 'upper bound of the ULIDs as text whose instant is at or before this one';
COMMENT ON FUNCTION ulid_uuid_min(timestamptz) IS 'lower bound of the ULIDs as uuid whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION ulid_uuid_max(timestamptz) IS 'upper bound of the ULIDs as uuid whose instant is at or before this one';
COMMENT ON FUNCTION ulid_bytea_min(timestamptz) IS 'lower bound of the ULIDs as bytea whose instant is at or after this one';
COMMENT ON FUNCTION ulid_bytea_max(timestamptz) IS 'upper bound of the ULIDs as bytea whose instant is at or before this one';

CREATE FUNCTION _flakeid_functions.is_ulid_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_ulid(text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.is_ulid_support;
CREATE FUNCTION _flakeid_functions.is_ulid(uuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'is_ulid_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.is_ulid_support;

COMMENT ON FUNCTION _flakeid_functions.is_ulid_support(internal) IS 'planner support for is_ulid';
COMMENT ON FUNCTION _flakeid_functions.is_ulid(text) IS 'true for a text that ulid_timestamp() reads, an error for any other; makes the planner estimate the conditions on time next to it';
COMMENT ON FUNCTION _flakeid_functions.is_ulid(uuid) IS 'always true, because ulid_timestamp() reads every UUID; makes the planner estimate the conditions on time next to it';

-- texts of a named layout

CREATE FUNCTION layout_timestamp(id text, layout text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'layout_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_text_min(at timestamptz, layout text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_text_max(at timestamptz, layout text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_layout_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_layout(text, text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.is_layout_support;

COMMENT ON FUNCTION layout_timestamp(text, text) IS 'instant of an ID that is a text of a layout (aid, aidx, cuid, ksuid, meid, meidg, objectid, ulid, ulid_lower, uuid7, xid): the start of its unit of time; an error for any other text';
COMMENT ON FUNCTION layout_text_min(timestamptz, text) IS 'lower bound, in the collation "C", of the texts whose instant is at or after this one';
COMMENT ON FUNCTION layout_text_max(timestamptz, text) IS 'upper bound, in the collation "C", of the texts whose instant is at or before this one';
COMMENT ON FUNCTION _flakeid_functions.is_layout_support(internal) IS 'planner support for is_layout';
COMMENT ON FUNCTION _flakeid_functions.is_layout(text, text) IS 'true for a text that layout_timestamp() reads, NULL for a UUID of another version, an error for any other';

-- bigints of a named layout

CREATE FUNCTION layout_timestamp(id bigint, layout text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION layout_min(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_max(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION layout_timestamp(bigint, text) IS 'instant of an ID of a layout in flakeid_layouts: the start of its unit of time; the infinities for the least and the greatest bigint';
COMMENT ON FUNCTION layout_min(timestamptz, text) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION layout_max(timestamptz, text) IS 'upper bound of the IDs whose instant is at or before this one';

CREATE FUNCTION layout_timestamp(id bigint, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION layout_min(at timestamptz, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_max(at timestamptz, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION layout_timestamp(bigint, timestamptz, int, interval) IS 'instant of an ID of a layout of your own: epoch + unit * (id >> low_bits); the infinities for the least and the greatest bigint, and beyond timestamptz';
COMMENT ON FUNCTION layout_min(timestamptz, timestamptz, int, interval) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION layout_max(timestamptz, timestamptz, int, interval) IS 'upper bound of the IDs whose instant is at or before this one';

CREATE FUNCTION _flakeid_functions.flakeid_show_layouts(
    OUT name text, OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT low_bits int, OUT low_parts text
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 7;
CREATE VIEW flakeid_layouts AS SELECT * FROM _flakeid_functions.flakeid_show_layouts();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_layouts() IS 'rows of the view flakeid_layouts';
COMMENT ON VIEW flakeid_layouts IS 'layouts of bigint IDs that layout_timestamp knows';
COMMENT ON COLUMN flakeid_layouts.name IS 'what the functions call the layout';
COMMENT ON COLUMN flakeid_layouts.epoch IS 'instant of the ID 0';
COMMENT ON COLUMN flakeid_layouts.last_timestamp IS 'last instant of the last ID';
COMMENT ON COLUMN flakeid_layouts.resolution IS 'the unit of time that the ID counts';
COMMENT ON COLUMN flakeid_layouts.timestamp_bits IS 'bits of the time, above the others and below the sign';
COMMENT ON COLUMN flakeid_layouts.low_bits IS 'bits below the time';
COMMENT ON COLUMN flakeid_layouts.low_parts IS 'what the bits below the time are, from the highest';

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

/* ---------- the mark ---------- */

CREATE SCHEMA _flakeid;

-- The intervals in which IDs may have been issued, by kind: 0 and 1 are the timelines of
-- sno, 2 all other generators.  The end of the current one is the mark.  An interval from
-- -infinity to -infinity is none.  Only the library writes the table, and it writes in place.
CREATE TABLE _flakeid.mark (
    kind bigint NOT NULL,
    current bigint NOT NULL,
    from_1 timestamptz NOT NULL, to_1 timestamptz NOT NULL,
    from_2 timestamptz NOT NULL, to_2 timestamptz NOT NULL,
    from_3 timestamptz NOT NULL, to_3 timestamptz NOT NULL,
    from_4 timestamptz NOT NULL, to_4 timestamptz NOT NULL,
    from_5 timestamptz NOT NULL, to_5 timestamptz NOT NULL,
    from_6 timestamptz NOT NULL, to_6 timestamptz NOT NULL
) USING heap;
INSERT INTO _flakeid.mark
    SELECT kind, 1, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity',
        '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity'
    FROM pg_catalog.generate_series(0, 2) AS kind;

CREATE FUNCTION _flakeid.flakeid_mark_guard() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_guard() FROM PUBLIC;
CREATE TRIGGER mark_insert BEFORE INSERT ON _flakeid.mark
    FOR EACH ROW EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
CREATE TRIGGER mark_change BEFORE UPDATE OR DELETE ON _flakeid.mark
    FOR EACH ROW EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
CREATE TRIGGER mark_truncate BEFORE TRUNCATE ON _flakeid.mark
    FOR EACH STATEMENT EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert;
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change;
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_truncate;

-- A dump contains the marks, and restoring it merges them.  The call is qualified: otherwise a
-- function (text, text) in the extension's schema would run with a superuser's rights.
SELECT pg_catalog.pg_extension_config_dump('_flakeid.mark', '');

CREATE FUNCTION _flakeid.flakeid_mark_take_over() RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_take_over() FROM PUBLIC;

CREATE FUNCTION flakeid_advance(until timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_advance(timestamptz, boolean) FROM PUBLIC;
CREATE FUNCTION flakeid_clock_reset(back_to timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_clock_reset(timestamptz, boolean) FROM PUBLIC;

COMMENT ON SCHEMA _flakeid IS 'flakeid''s own tables';
COMMENT ON TABLE _flakeid.mark IS 'when IDs of this database may have been issued, as the view flakeid_issued shows; only the library writes the table, and it must have no index';
COMMENT ON FUNCTION _flakeid.flakeid_mark_guard() IS 'keeps the mark from being lowered';
COMMENT ON FUNCTION _flakeid.flakeid_mark_take_over() IS 'records in a new mark what was issued in this database before';
COMMENT ON TRIGGER mark_insert ON _flakeid.mark IS 'adds a restored row to the issued intervals';
COMMENT ON TRIGGER mark_change ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON TRIGGER mark_truncate ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON FUNCTION flakeid_advance(timestamptz, boolean) IS 'count everything before an instant as issued in this database; force is needed if the instant is more than a day ahead';
COMMENT ON FUNCTION flakeid_clock_reset(timestamptz, boolean) IS 'go back to an instant at which no ID was issued, after the clock was wrong; use force if IDs were issued then and repeated IDs do not matter';
/* ---------- views ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_show_formats(
    OUT name text, OUT bytes int, OUT text_length int, OUT alphabet text, OUT pattern text,
    OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT sequence_bits int, OUT random_bits int,
    OUT generators int, OUT tick_tock boolean, OUT time_ordered boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
CREATE VIEW flakeid_formats AS SELECT * FROM _flakeid_functions.flakeid_show_formats();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_formats() IS 'rows of the view flakeid_formats';
COMMENT ON VIEW flakeid_formats IS 'the ID types and what they hold';
COMMENT ON COLUMN flakeid_formats.name IS 'the SQL type';
COMMENT ON COLUMN flakeid_formats.bytes IS 'bytes that an ID takes on disk';
COMMENT ON COLUMN flakeid_formats.text_length IS 'characters of an ID as text, or of the longest where they vary';
COMMENT ON COLUMN flakeid_formats.alphabet IS 'characters of the text, in the order of their values';
COMMENT ON COLUMN flakeid_formats.pattern IS 'regular expression that the canonical texts match, and no others of the type';
COMMENT ON COLUMN flakeid_formats.epoch IS 'instant of the first ID';
COMMENT ON COLUMN flakeid_formats.last_timestamp IS 'last instant that an ID can hold';
COMMENT ON COLUMN flakeid_formats.resolution IS 'the tick: the unit of time that an ID counts, to the microsecond';
COMMENT ON COLUMN flakeid_formats.timestamp_bits IS 'bits of the time';
COMMENT ON COLUMN flakeid_formats.sequence_bits IS 'bits of the sequence, from which a generator has a pool of sequence numbers for each tick; 0: it has none';
COMMENT ON COLUMN flakeid_formats.random_bits IS 'random bits of an ID';
COMMENT ON COLUMN flakeid_formats.generators IS 'how many generators IDs can tell apart: partitions, shards or workers; 0: it draws from another type''s generator, or has none';
COMMENT ON COLUMN flakeid_formats.tick_tock IS 'has a second timeline, on which it continues when the clock steps back';
COMMENT ON COLUMN flakeid_formats.time_ordered IS 'the order of IDs is the order of their instants';

CREATE FUNCTION _flakeid_functions.flakeid_show_generators(
    OUT type text, OUT number int, OUT tick timestamptz, OUT tick_tock int,
    OUT sequence int, OUT used int, OUT capacity int, OUT sequence_min int, OUT sequence_max int,
    OUT issued bigint, OUT waiting int, OUT overflows bigint, OUT overflow_ticks bigint,
    OUT last_overflow timestamptz, OUT wait_time interval, OUT regressions bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_generators AS SELECT * FROM _flakeid_functions.flakeid_show_generators();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_generators() IS 'rows of the view flakeid_generators';
COMMENT ON VIEW flakeid_generators IS 'generators of this database that have issued since flakeid_clock.issued_since, or for which a call waits';
COMMENT ON COLUMN flakeid_generators.type IS 'type that the generator serves; uid96 draws from that of uid64, uuid7_new() from that of ulid';
COMMENT ON COLUMN flakeid_generators.number IS 'partition of sno, shard of siq, worker of snowflake; 0 for other types';
COMMENT ON COLUMN flakeid_generators.tick IS 'instant of the last tick in which sequence numbers were leased; NULL: none yet';
COMMENT ON COLUMN flakeid_generators.tick_tock IS 'timeline of that tick: 0 or 1';
COMMENT ON COLUMN flakeid_generators.sequence IS 'last sequence number leased of that tick; NULL: none of the pool yet';
COMMENT ON COLUMN flakeid_generators.used IS 'sequence numbers that this tick can no longer issue: those leased, and those below one leased before the pool was changed';
COMMENT ON COLUMN flakeid_generators.capacity IS 'size of the pool: sequence numbers that this database has for a tick';
COMMENT ON COLUMN flakeid_generators.sequence_min IS 'first sequence number of the pool';
COMMENT ON COLUMN flakeid_generators.sequence_max IS 'last sequence number of the pool';
COMMENT ON COLUMN flakeid_generators.issued IS 'IDs issued since flakeid_clock.issued_since, including those of rolled back transactions; those of another session are counted when its lease ends';
COMMENT ON COLUMN flakeid_generators.waiting IS 'calls that are waiting for the clock now';
COMMENT ON COLUMN flakeid_generators.overflows IS 'calls that found the tick used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.overflow_ticks IS 'ticks that were used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.last_overflow IS 'when a call last found the tick used up; NULL: never since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.wait_time IS 'time that all calls together have waited for the clock, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.regressions IS 'times that the clock was found behind this generator, since flakeid_clock.since';

CREATE FUNCTION _flakeid_functions.flakeid_show_clock(
    OUT clock timestamptz, OUT high_water timestamptz, OUT mark timestamptz, OUT ahead_by interval,
    OUT tick_tock int, OUT regressions bigint, OUT toggles bigint, OUT went_ahead bigint,
    OUT last_regression timestamptz, OUT node int, OUT node_source text, OUT sno_partition int,
    OUT siq_shard int, OUT snowflake_worker int, OUT siq_domain bigint, OUT uid_node bigint,
    OUT setting_fault text, OUT memory text, OUT generators int, OUT sessions int,
    OUT refused bigint, OUT last_refused timestamptz, OUT last_refused_reason text,
    OUT late bigint, OUT since timestamptz, OUT issued_since timestamptz, OUT horizon timestamptz, OUT held_by int, OUT horizon_asked timestamptz
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 1;
CREATE VIEW flakeid_clock AS SELECT * FROM _flakeid_functions.flakeid_show_clock();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_clock() IS 'row of the view flakeid_clock';
COMMENT ON VIEW flakeid_clock IS 'the clock compared with this database''s IDs, the regressions seen, and this database''s numbers';
COMMENT ON COLUMN flakeid_clock.clock IS 'what the server''s clock reads';
COMMENT ON COLUMN flakeid_clock.high_water IS 'time of this database''s last IDs in memory, on the timeline in force; NULL: none since issued_since';
COMMENT ON COLUMN flakeid_clock.mark IS 'instant on disk before which IDs of this database may have been issued; it leads them by up to two seconds';
COMMENT ON COLUMN flakeid_clock.ahead_by IS 'how far the last IDs are ahead of the clock; normally less than a tick';
COMMENT ON COLUMN flakeid_clock.tick_tock IS 'timeline on which sno makes IDs: 0 or 1, the tick-tock bit of its IDs';
COMMENT ON COLUMN flakeid_clock.regressions IS 'times that the clock was found behind the IDs issued, since flakeid_clock.since: once for each decision, and once for each type that refused';
COMMENT ON COLUMN flakeid_clock.toggles IS 'of these, times that sno changed to its other timeline';
COMMENT ON COLUMN flakeid_clock.went_ahead IS 'of these, times that generators went on ahead of the clock';
COMMENT ON COLUMN flakeid_clock.last_regression IS 'what the clock read at the last regression; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.node IS 'number of this database; see node_source';
COMMENT ON COLUMN flakeid_clock.node_source IS 'where node comes from: flakeid.node, or the system identifier and database';
COMMENT ON COLUMN flakeid_clock.sno_partition IS 'partition under which this database makes snos; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.siq_shard IS 'shard under which this database makes siqs; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.snowflake_worker IS 'worker under which this database makes snowflakes; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.siq_domain IS 'hash of flakeid.siq_domain and flakeid.siq_local_id, which every siq carries';
COMMENT ON COLUMN flakeid_clock.uid_node IS 'node under which this database makes uid96s: a hash of flakeid.uid_node, or of the node';
COMMENT ON COLUMN flakeid_clock.setting_fault IS 'what is wrong with the settings, or with the numbers that they give this database; NULL if nothing is';
COMMENT ON COLUMN flakeid_clock.memory IS 'preloaded, if flakeid is in shared_preload_libraries, otherwise dynamic';
COMMENT ON COLUMN flakeid_clock.generators IS 'generators of this database that have issued since issued_since';
COMMENT ON COLUMN flakeid_clock.sessions IS 'sessions of this database that have used its generators or looked at these views, including the one that asks';
COMMENT ON COLUMN flakeid_clock.refused IS 'calls since flakeid_clock.since that ended with an error because they could not get an ID or write the mark, for one of the reasons in last_refused_reason; SQLSTATE 22008 where the clock is outside the span of the type, 25006 on a standby, otherwise 55000. Calls of flax_new() are not counted';
COMMENT ON COLUMN flakeid_clock.last_refused IS 'when the last call was refused; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_refused_reason IS 'why the last call was refused: "clock too far behind", "waited for flakeid.max_wait", "sequence used up", "out of the type''s span", "in recovery", "table of the mark locked", "mark not written within flakeid.max_wait", "table of the mark changed in the transaction" or "table of the mark damaged"';
COMMENT ON COLUMN flakeid_clock.late IS 'rows whose IDs flakeid_late_id() has found below what readers may have passed, since flakeid_clock.since; including those that it refused or renewed';
COMMENT ON COLUMN flakeid_clock.since IS 'when the counters began, except issued: with the memory of this database, or the last flakeid_stats_reset()';
COMMENT ON COLUMN flakeid_clock.issued_since IS 'when the memory of this database was made, from which issued in flakeid_generators counts';
COMMENT ON COLUMN flakeid_clock.horizon IS 'instant up to which feeds can read: that of clock, or of the first ID of the oldest open transaction; NULL: unknown, as in recovery, or where a prepared transaction from before the last start or promotion holds it';
COMMENT ON COLUMN flakeid_clock.held_by IS 'process that holds the horizon there; 0: a prepared transaction; NULL: none; see flakeid_horizon_holders';
COMMENT ON COLUMN flakeid_clock.horizon_asked IS 'when a horizon was first asked for, of IDs or of a sequence; NULL: never since issued_since';

CREATE FUNCTION _flakeid_functions.flakeid_show_issued(
    OUT kind int, OUT issued_from timestamptz, OUT issued_to timestamptz, OUT is_current boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 6;
CREATE VIEW flakeid_issued AS SELECT * FROM _flakeid_functions.flakeid_show_issued();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_issued() IS 'rows of the view flakeid_issued';
COMMENT ON VIEW flakeid_issued IS 'when this database has issued IDs: up to six intervals of each kind; flakeid_clock_reset() can go back to any instant outside them';
COMMENT ON COLUMN flakeid_issued.kind IS '0 and 1: sno, by its tick-tock bit; 2: all other types';
COMMENT ON COLUMN flakeid_issued.issued_from IS 'first instant of the interval; -infinity: all before its end';
COMMENT ON COLUMN flakeid_issued.issued_to IS 'first instant after the interval; that of the current one is the mark, and leads the IDs by up to two seconds';
COMMENT ON COLUMN flakeid_issued.is_current IS 'IDs are being issued in this interval, and never again in the others';

CREATE FUNCTION flakeid_stats_reset() RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_stats_reset() FROM PUBLIC;

COMMENT ON FUNCTION flakeid_stats_reset() IS 'restart the counts of regressions, refusals, overflows, waits, late IDs and unannounced draws in this database, but not of IDs issued; returns the instant from which they count';
/* ---------- numbers of databases ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_derived_node(database oid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

-- The number in a setting's text as the server reads it: 0x10, 020 and 16 are one.  NULL if
-- there is none.
CREATE FUNCTION _flakeid_functions.flakeid_setting_number(setting text) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- What new sessions of each database get from ALTER DATABASE, ALTER ROLE and the configuration
-- file.  A caller that may not read the file uses the values that this session got from it.
-- A database has a row for each role that has settings of its own, and one for all others.
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
        WITH settings AS (
            SELECT r.setdatabase, r.setrole, lower(split_part(c, '=', 1)) AS name, n.number
            FROM pg_db_role_setting AS r CROSS JOIN unnest(r.setconfig) AS c CROSS JOIN _flakeid_functions.flakeid_setting_number(substr(c, strpos(c, '=') + 1)) AS n (number)
            WHERE c ILIKE 'flakeid.%' AND n.number IS NOT NULL
        )
        SELECT DISTINCT d.datname, n.node, n.set_node >= 0,
            CASE WHEN n.shard >= 0 THEN n.shard WHEN n.set_node < 0 THEN n.node % 256 WHEN n.node < 256 THEN n.node END,
            CASE WHEN n.worker >= 0 THEN n.worker WHEN n.set_node < 0 THEN n.node % 32 WHEN n.node < 32 THEN n.node END,
            n.process
        FROM pg_database AS d
            CROSS JOIN LATERAL (
                SELECT 0::oid AS role UNION SELECT s.setrole FROM settings AS s WHERE s.setdatabase IN (0, d.oid)
            ) AS o
            CROSS JOIN LATERAL (
                -- the last one wins: a role's in the database, the role's, the database's, everybody's
                SELECT coalesce(in_file, '{}') || coalesce(jsonb_object_agg(s.name, s.number ORDER BY s.setrole <> 0, s.setdatabase <> 0), '{}') AS given
                FROM settings AS s WHERE s.setdatabase IN (0, d.oid) AND s.setrole IN (0, o.role)
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
        SELECT v.number, string_agg(DISTINCT quote_ident(o.database), ', ' ORDER BY quote_ident(o.database))
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
COMMENT ON FUNCTION _flakeid_functions.flakeid_numbers() IS 'numbers of this server''s databases, and of roles in them, from settings or derived';
COMMENT ON FUNCTION _flakeid_functions.flakeid_tell_same_numbers() IS 'reports the numbers that this database shares with others of the server';
COMMENT ON FUNCTION _flakeid_functions.flakeid_same_numbers() IS 'numbers that this database shares with others of the server';
/* ---------- versions ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_library(OUT version text, OUT release text, OUT layout int, OUT preloaded boolean)
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_version(OUT library text, OUT extension text, OUT release text, OUT layout int)
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT l.version, x.extversion, l.release, l.layout FROM _flakeid_functions.flakeid_library() AS l, pg_catalog.pg_extension AS x WHERE x.extname OPERATOR(pg_catalog.=) 'flakeid';
END;

COMMENT ON FUNCTION _flakeid_functions.flakeid_library() IS 'version and release of the library that this session has loaded, the layout of the shared memory that it makes, and whether the server has preloaded it';
COMMENT ON FUNCTION flakeid_version() IS 'versions of the library that this session has loaded and of the extension''s SQL, which differ in the middle of an upgrade; the library''s release, such as 1.0.3, whose third number counts corrections; and the layout of its shared memory, which cannot change without a restart';
/* ---------- feeds ---------- */

-- rows whose IDs arrive late

CREATE FUNCTION flakeid_late_id() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_late_id() IS 'for a BEFORE INSERT OR UPDATE trigger: refuses, renews or counts a row whose ID readers may have passed; its arguments are the column, then refuse, renew or count, and of an integer column its sequence, if its IDENTITY or DEFAULT does not say which';

-- sequences

CREATE FUNCTION flakeid_nextval(sequence regclass) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_horizon(sequence regclass) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;
CREATE FUNCTION flakeid_follow() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_nextval(regclass) IS 'nextval(), whose values flakeid_horizon() follows';
COMMENT ON FUNCTION flakeid_horizon(regclass) IS 'least value of the sequence that may still become visible to a later statement: rows with lower ones, which were drawn with flakeid_follow() or flakeid_nextval(), are all visible to this one, or never will be';
COMMENT ON FUNCTION flakeid_follow() IS 'for a BEFORE INSERT OR UPDATE trigger FOR EACH STATEMENT: announces that the statement may draw from the sequences of a column, so that flakeid_horizon() follows them; its arguments are the column and, if its IDENTITY or DEFAULT does not say which, the sequence with its schema';

-- what standbys and subscribers know of the horizons

-- One row for each database that publishes, by the server's system identifier and its OID:
-- the instants of its horizons, and the values of its sequences'.  An ordinary table, which any role with the privilege may
-- write; see published.c.
CREATE TABLE _flakeid.horizon (
    system bigint,
    database oid,
    published timestamptz NOT NULL,
    snowflake timestamptz NOT NULL,
    ulid timestamptz NOT NULL,
    siq timestamptz NOT NULL,
    uid64 timestamptz NOT NULL,
    ksuid timestamptz NOT NULL,
    sno timestamptz,
    sequences jsonb,
    PRIMARY KEY (system, database)
) USING heap;

COMMENT ON TABLE _flakeid.horizon IS 'horizons that primaries and publishers have written down for their standbys and subscribers; a role that may write it decides what readers there see';

CREATE FUNCTION _flakeid_functions.flakeid_own_horizon(format text) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_own_horizon(text) IS 'instant of the horizon of the IDs of a format that this database makes, whatever its publishers have sent; the caller must be allowed to write the table _flakeid.horizon, because this moves the mark to the clock; -infinity: nothing may be published, for a publisher has not sent anything yet or a subscription is still copying tables';

CREATE FUNCTION _flakeid_functions.flakeid_own_sequence_horizon(sequence regclass) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_own_sequence_horizon(regclass) IS 'horizon of a sequence that this database draws from, whatever its publishers have sent; the caller must be allowed to write the table _flakeid.horizon; the least bigint: nothing may be published';

CREATE PROCEDURE _flakeid_functions.flakeid_publish_horizon(with_sno boolean, sequences regclass[])
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    own_system CONSTANT bigint := (SELECT system_identifier FROM pg_control_system());
    own_database CONSTANT oid := (SELECT oid FROM pg_database WHERE datname = current_database());
    own record;
    own_sequences jsonb;
    at record;
    detail text;
    hint text;
BEGIN
    -- First: where a superuser has renamed the schema this is an error, and nothing is
    -- written to a stranger's table of that name.
    SELECT _flakeid_functions.flakeid_own_horizon('snowflake') AS snowflake,
        _flakeid_functions.flakeid_own_horizon('ulid') AS ulid,
        _flakeid_functions.flakeid_own_horizon('siq') AS siq,
        _flakeid_functions.flakeid_own_horizon('uid64') AS uid64,
        _flakeid_functions.flakeid_own_horizon('ksuid') AS ksuid,
        CASE WHEN with_sno THEN _flakeid_functions.flakeid_own_horizon('sno') END AS sno
    INTO own;
    -- A sequence that has no horizon must not keep the others from those who read them.  Its file first: if
    -- another one replaces it before the horizon is known, standbys refuse both.
    FOR at IN SELECT c.oid::regclass AS sequence, format('%I.%I', n.nspname, c.relname) AS name, pg_relation_filenode(c.oid) AS file
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = ANY (sequences::oid[]) LOOP
        BEGIN
            own_sequences := coalesce(own_sequences, '{}') || jsonb_build_object(at.name, jsonb_build_array(at.file, _flakeid_functions.flakeid_own_sequence_horizon(at.sequence)));
        EXCEPTION WHEN object_not_in_prerequisite_state THEN
            GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL, hint := PG_EXCEPTION_HINT;
            RAISE WARNING '%', SQLERRM USING ERRCODE = SQLSTATE, DETAIL = detail, HINT = hint;
        END;
    END LOOP;
    INSERT INTO _flakeid.horizon AS h (system, database, published, snowflake, ulid, siq, uid64, ksuid, sno, sequences)
        VALUES (own_system, own_database, clock_timestamp(), own.snowflake, own.ulid, own.siq, own.uid64, own.ksuid, own.sno, own_sequences)
        ON CONFLICT (system, database) DO UPDATE
        SET published = excluded.published, snowflake = excluded.snowflake, ulid = excluded.ulid,
            siq = excluded.siq, uid64 = excluded.uid64, ksuid = excluded.ksuid, sno = coalesce(excluded.sno, h.sno),
            sequences = coalesce(h.sequences || excluded.sequences, excluded.sequences, h.sequences);
END
$$;

-- by its caller's rights, but only where the schemas are the extension's
CREATE PROCEDURE flakeid_publish_horizon(with_sno boolean DEFAULT false, sequences regclass[] DEFAULT '{}')
    AS 'MODULE_PATHNAME', 'flakeid_call' LANGUAGE C;

COMMENT ON PROCEDURE _flakeid_functions.flakeid_publish_horizon(boolean, regclass[]) IS 'does the work of flakeid_publish_horizon';
COMMENT ON PROCEDURE flakeid_publish_horizon(boolean, regclass[]) IS 'write down the horizons for standbys and subscribers of this database, with the caller''s rights, also those of these sequences; with_sno: also that of sno, which keeps its generators from following a clock that steps back';

-- what the doctor says of sequences

CREATE FUNCTION _flakeid_functions.flakeid_show_sequences(OUT sequence oid, OUT asked timestamptz, OUT unannounced bigint) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 5;

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_sequences() IS 'sequences whose horizon somebody has asked for since the start, or that transactions have used before they announced it, and how many have';

-- The columns that draw from a sequence, and the triggers that announce it: of the table, and of
-- the partitioned one above it whose trigger fires instead.
CREATE FUNCTION _flakeid_functions.flakeid_sequence_columns(sequence oid, OUT relation oid, OUT name name, OUT partition boolean, OUT announces boolean, OUT trigger name, OUT enabled "char") RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE tree AS (
        SELECT d.refobjid AS relid, a.attname FROM pg_depend AS d JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.classid = 'pg_class'::regclass AND d.objid = sequence AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i'
        UNION
        SELECT i.inhrelid, t.attname FROM tree AS t JOIN pg_inherits AS i ON i.inhparent = t.relid),
    draws AS (
        -- from 17 on partitions have the IDENTITY, too
        SELECT t.relid, a.attnum, false AS by_flakeid FROM tree AS t JOIN pg_attribute AS a ON a.attrelid = t.relid AND a.attname = t.attname AND a.attidentity <> ''
        UNION
        SELECT f.adrelid, f.adnum, pg_get_expr(f.adbin, f.adrelid) !~ '(^|[^_])nextval[(]' FROM pg_depend AS d JOIN pg_attrdef AS f ON f.oid = d.objid
        WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = sequence),
    announcing AS (
        -- "names": the last argument, if that is a sequence
        SELECT a.attrelid AS relid, a.attnum, g.tgname, g.tgenabled,
            CASE WHEN g.tgnargs = CASE WHEN g.tgtype & 1 = 1 THEN 3 ELSE 2 END
                THEN lower(replace(split_part(encode(g.tgargs, 'escape'), E'\\000', g.tgnargs), '"', '')) END AS names
        FROM pg_trigger AS g JOIN pg_attribute AS a ON a.attrelid = g.tgrelid
        -- BEFORE INSERT, FOR EACH STATEMENT or ROW, always
        WHERE (g.tgtype & 7, g.tgfoid) IN ((6, to_regprocedure(_flakeid_functions.flakeid_home() || '.flakeid_follow()')),
                (7, to_regprocedure(_flakeid_functions.flakeid_home() || '.flakeid_late_id()'))) AND g.tgqual IS NULL
            AND split_part(encode(g.tgargs, 'escape'), E'\\000', 1) = encode(convert_to(a.attname, getdatabaseencoding()), 'escape')),
    -- as the argument may name it: whoever writes it decides on case and quotes, and an error here would be the doctor's
    named AS (
        SELECT lower(replace(encode(convert_to(n.nspname || '.' || s.relname, getdatabaseencoding()), 'escape'), '"', '')) AS names
        FROM pg_class AS s JOIN pg_namespace AS n ON n.oid = s.relnamespace WHERE s.oid = sequence),
    columns AS (
        SELECT r.relid, r.attnum, bool_or(r.by_flakeid) AS by_flakeid
        FROM (SELECT d.relid, d.attnum, d.by_flakeid FROM draws AS d
            UNION ALL
            SELECT g.relid, g.attnum, false FROM announcing AS g JOIN named AS n USING (names)) AS r
        GROUP BY r.relid, r.attnum)
    SELECT c.oid, a.attname, c.relispartition, r.by_flakeid, t.tgname, t.tgenabled
    FROM columns AS r JOIN pg_class AS c ON c.oid = r.relid JOIN pg_attribute AS a ON a.attrelid = r.relid AND a.attnum = r.attnum
        LEFT JOIN LATERAL (SELECT g.tgname, g.tgenabled FROM announcing AS g
            WHERE g.relid = r.relid AND g.attnum = r.attnum AND coalesce(g.names = (SELECT n.names FROM named AS n), true)
            -- one that fires
            ORDER BY g.tgenabled = 'A' DESC, g.tgenabled = 'D', g.tgname LIMIT 1) AS t ON true
    WHERE c.relkind IN ('r', 'p')
    ORDER BY c.oid::regclass::text, a.attname;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_sequence_columns(oid) IS 'columns that draw from a sequence: whether their DEFAULT announces it itself, and the trigger that does';

CREATE FUNCTION _flakeid_functions.flakeid_doctor_sequences(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();
    at record;
    draws record;
    name text;
BEGIN
    subject := 'horizon';
    FOR at IN SELECT f.sequence, f.asked, f.unannounced, s.seqcache, s.seqcycle, s.seqincrement, c.relpersistence
        FROM _flakeid_functions.flakeid_show_sequences() AS f JOIN pg_sequence AS s ON s.seqrelid = f.sequence JOIN pg_class AS c ON c.oid = f.sequence
        ORDER BY f.sequence::regclass::text LOOP
        name := at.sequence::regclass::text;
        IF at.unannounced > 0 THEN
            severity := 'warning'; fix := NULL;
            finding := format('%s transactions have used sequence %s before they announced it: if they drew values that they wrote, readers may have missed these rows. Draw in the INSERT whose trigger announces, or by flakeid_nextval(). flakeid_stats_reset() restarts the count.', at.unannounced, name);
            RETURN NEXT;
        END IF;
        CONTINUE WHEN at.asked IS NULL;
        IF at.relpersistence <> 'p' OR at.seqcache > 1 OR at.seqcycle OR at.seqincrement < 0 THEN
            severity := 'warning'; fix := NULL;
            finding := format('Sequence %s, whose horizon readers have asked for, has none, and they get an error.', name);
            IF at.relpersistence = 'p' AND at.seqincrement > 0 THEN
                fix := format('ALTER SEQUENCE %s CACHE 1 NO CYCLE;', name);
            END IF;
            RETURN NEXT;
        END IF;
        FOR draws IN SELECT d.* FROM _flakeid_functions.flakeid_sequence_columns(at.sequence) AS d WHERE NOT d.announces LOOP
            fix := format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s.flakeid_follow(%L); ALTER TABLE %2$s ENABLE ALWAYS TRIGGER %1$I;',
                'follow_' || draws.name, draws.relation::regclass, home, draws.name);
            IF draws.trigger IS NULL AND NOT draws.partition THEN
                severity := 'warning';
                finding := format('Readers miss rows of %s: column %I draws from sequence %s without announcing it.', draws.relation::regclass, draws.name, name);
                RETURN NEXT;
            ELSIF draws.trigger IS NULL THEN
                severity := 'notice';
                finding := format('Readers miss rows of partition %s if statements name it, and not the table that it belongs to: column %I draws from sequence %s, and the partition has no trigger of its own.', draws.relation::regclass, draws.name, name);
                RETURN NEXT;
            ELSIF draws.enabled <> 'A' THEN
                severity := CASE WHEN draws.enabled = 'O' THEN 'notice' ELSE 'warning' END;
                finding := CASE WHEN draws.enabled = 'O'
                    THEN format('Trigger %I of %s does not fire where session_replication_role is replica: readers of sequence %s miss rows that such a session draws.', draws.trigger, draws.relation::regclass, name)
                    ELSE format('Readers of sequence %s miss rows of %s: its trigger %I is disabled.', name, draws.relation::regclass, draws.trigger) END;
                fix := format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I;', draws.relation::regclass, draws.trigger);
                RETURN NEXT;
            END IF;
        END LOOP;
    END LOOP;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_sequences() IS 'what makes readers of sequences miss rows or wait';

-- who holds the horizons

CREATE FUNCTION _flakeid_functions.flakeid_show_horizon_holders(OUT pid int, OUT xid xid, OUT since timestamptz, OUT sequence oid, OUT value bigint) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 5;
CREATE VIEW flakeid_horizon_holders AS
SELECT h.pid, p.gid AS prepared, h.since,
    pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) coalesce(h.since, p.prepared) AS age,
    coalesce(a.usename, p.owner) AS role, a.state, a.query, h.sequence::pg_catalog.regclass AS sequence, h.value
FROM _flakeid_functions.flakeid_show_horizon_holders() AS h
    LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid OPERATOR(pg_catalog.=) h.pid
    LEFT JOIN pg_catalog.pg_prepared_xacts AS p ON p.transaction OPERATOR(pg_catalog.=) h.xid;

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_horizon_holders() IS 'rows of the view flakeid_horizon_holders';
COMMENT ON VIEW flakeid_horizon_holders IS 'transactions of this database that have made IDs, or drawn from sequences that readers can follow, and have not ended: no horizon passes them';
COMMENT ON COLUMN flakeid_horizon_holders.pid IS 'process of the session; NULL: the transaction is prepared';
COMMENT ON COLUMN flakeid_horizon_holders.prepared IS 'name of the prepared transaction; NULL: a session has it open';
COMMENT ON COLUMN flakeid_horizon_holders.since IS 'instant of its first ID, at which it holds the horizons; of a sequence, start of the statement that drew first; NULL: unknown, as it was prepared before the server''s last start or promotion, or with too many others, and no horizon rises';
COMMENT ON COLUMN flakeid_horizon_holders.age IS 'how long ago that was; where that is unknown, how long ago it was prepared';
COMMENT ON COLUMN flakeid_horizon_holders.role IS 'role of the session, or owner of the prepared transaction';
COMMENT ON COLUMN flakeid_horizon_holders.state IS 'what the session does, as in pg_stat_activity, for those who may see it';
COMMENT ON COLUMN flakeid_horizon_holders.query IS 'its last statement, as in pg_stat_activity, for those who may see it';
COMMENT ON COLUMN flakeid_horizon_holders.sequence IS 'sequence whose horizon it holds; NULL: those of all IDs, or, without memory to keep which, of all sequences';
COMMENT ON COLUMN flakeid_horizon_holders.value IS 'least value that it may have drawn from the sequence, for those who may ask for its horizon';
/* ---------- partitions by time ---------- */

-- A bound within a tick of its type has the instant a microsecond later: see partition.c.
CREATE FUNCTION _flakeid_functions.flakeid_partition_bounds(
    parent regclass, layout text,
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz, OUT has_rows boolean, OUT size bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_partition_bound(
    parent regclass, layout text, at timestamptz, OUT bound text, OUT instant timestamptz
)
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_partition_name(parent regclass, suffix text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_partition_instant(parent regclass, layout text, id text) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _flakeid_functions.flakeid_step_months(step interval) RETURNS int
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    months int := CASE WHEN isfinite(step) THEN extract(year FROM step) * 12 + extract(month FROM step) ELSE 0 END;
BEGIN
    IF NOT isfinite(step) OR step <= interval '0' THEN
        RAISE 'step must be greater than zero and finite'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step);
    ELSIF months <> 0 AND step - make_interval(months => months) <> interval '0' OR months < 0 THEN
        RAISE 'step mixes months with days or hours'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step),
            HINT = 'A step has months and years, such as 3 months, or weeks, days and less, such as 7 days.';
    END IF;
    RETURN months;
END
$$;

-- Create a partition, and return its name: a separate table, which is then attached.  This locks
-- less than CREATE TABLE ... PARTITION OF.  The table has its foreign keys from the start: for one
-- that it lacks, ATTACH PARTITION reads the table referred to, and the planner runs the code in
-- the indexes of that table, which may be a stranger's, with the rights of the owner of this one.
-- A key that refers to a partitioned table has further ones, which refer to its partitions.
CREATE FUNCTION _flakeid_functions.flakeid_add_partition(parent regclass, partition text, bounds text) RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    parts record;
BEGIN
    SELECT ' USING ' || quote_ident(a.amname) AS access_method, ' TABLESPACE ' || quote_ident(t.spcname) AS tablespace,
        CASE c.relreplident WHEN 'f' THEN 'FULL' WHEN 'n' THEN 'NOTHING' END AS replica_identity,
        (SELECT string_agg(format(', CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '' ORDER BY k.oid) FROM pg_constraint AS k
        WHERE k.conrelid = parent AND k.contype = 'f' AND k.confrelid <> parent
            AND NOT EXISTS (SELECT FROM pg_constraint AS u WHERE u.oid = k.conparentid AND u.conrelid = parent)) AS foreign_keys
    INTO parts
    FROM pg_class AS c LEFT JOIN pg_am AS a ON a.oid = c.relam LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
    WHERE c.oid = parent;
    -- one command each: Citus sends what it is given to the other servers as one statement
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS INCLUDING STORAGE '
        'INCLUDING COMPRESSION%s)%s', partition, parent, parts.foreign_keys, concat(parts.access_method, parts.tablespace));
    IF parts.replica_identity IS NOT NULL THEN
        EXECUTE format('ALTER TABLE %s REPLICA IDENTITY %s', partition, parts.replica_identity);
    END IF;
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bounds);
    RETURN partition::regclass;
END
$$;

-- Say which rows of the default partition belong to a new one, as a DETAIL, and as a HINT how to
-- move them.  The error has ended the caller's hold, so hold the default partition.
CREATE FUNCTION _flakeid_functions.flakeid_default_rows(
    parent regclass, layout text, step interval, lower_id text, upper_id text, lower_at timestamptz, upper_at timestamptz,
    OUT detail text, OUT hint text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rest record;
    rest_name text;
    found record;
    condition text;
BEGIN
    SELECT p.partdefid::regclass AS name, o.opcintype::regtype AS type,
        substring(pg_get_partkeydef(parent) FROM '^RANGE [(](.*)[)]$') AS key,
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute AS a
        WHERE a.attrelid = parent AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
    INTO STRICT rest FROM pg_partitioned_table AS p JOIN pg_opclass AS o ON o.oid = p.partclass[0] WHERE p.partrelid = parent;
    rest_name := _flakeid_functions.flakeid_hold(rest.name, false);
    condition := format('%1$s OPERATOR(pg_catalog.>=) %2$L::%4$s AND %1$s OPERATOR(pg_catalog.<) %3$L::%4$s', rest.key, lower_id, upper_id, rest.type);
    EXECUTE format('SELECT count(*), (SELECT (%1$s)::text FROM %2$s WHERE %3$s ORDER BY %1$s LIMIT 1) AS first,
            (SELECT (%1$s)::text FROM %2$s WHERE %3$s ORDER BY %1$s DESC LIMIT 1) AS last FROM %2$s WHERE %3$s', rest.key, rest_name, condition) INTO found;
    detail := format('%s rows of default partition %s belong to it, from %s to %s.', found.count, rest_name,
        _flakeid_functions.flakeid_partition_instant(parent, layout, found.first), _flakeid_functions.flakeid_partition_instant(parent, layout, found.last));
    SELECT format('Table %s refers to them, and would lose what it refers by: drop the foreign key before they are moved.', k.conrelid::regclass) INTO hint
    FROM pg_constraint AS k WHERE k.confrelid = rest.name AND k.contype = 'f' AND k.confdeltype IN ('c', 'n', 'd') LIMIT 1;
    hint := coalesce(hint, concat_ws(E'\n', 'This moves them, typed as the owner of the table, because row triggers fire:', 'BEGIN;', format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE;', parent),
        format('CREATE TEMPORARY TABLE flakeid_moved ON COMMIT DROP AS SELECT * FROM %s WHERE %s;', rest_name, condition), format('DELETE FROM %s WHERE %s;', rest_name, condition),
        format('SELECT %s.flakeid_create_partitions(%L, %L, %L, %L, %L);', _flakeid_functions.flakeid_home(), parent, lower_at, upper_at, step, layout),
        format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM pg_temp.flakeid_moved;', parent, rest.columns), 'COMMIT;'));
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_create_partitions(parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text) RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    epochs numeric[] := ARRAY[extract(epoch FROM start_at), extract(epoch FROM start_at + step)];
    precision text := CASE WHEN 0 = ALL (ARRAY[epochs[1] % 86400, epochs[2] % 86400]) THEN 'YYYYMMDD'
        WHEN 0 = ALL (ARRAY[epochs[1] % 60, epochs[2] % 60]) THEN 'YYYYMMDD_HH24MI'
        WHEN 0 = ALL (ARRAY[epochs[1] % 1, epochs[2] % 1]) THEN 'YYYYMMDD_HH24MISS' ELSE 'YYYYMMDD_HH24MISS_US' END;
    taken tstzmultirange;
    free tstzmultirange;
    lower_at timestamptz;
    upper_at timestamptz := start_at;
    lower_bound record;
    upper_bound record;
    why record;
BEGIN
    IF NOT (isfinite(start_at) AND isfinite(end_at)) OR end_at <= start_at THEN
        RAISE 'end_at must be later than start_at and both finite'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('start_at is %s, end_at is %s.', start_at, end_at);
    END IF;
    PERFORM _flakeid_functions.flakeid_step_months(step);

    -- keep other calls out; readers and writers continue, as they do while a partition is attached
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    SELECT coalesce(range_agg(tstzrange(b.lower_at, b.upper_at)), '{}') INTO taken
    FROM _flakeid_functions.flakeid_partition_bounds(parent, layout) AS b JOIN pg_inherits AS i ON i.inhrelid = b.partition AND i.inhparent = parent
    WHERE b.lower_at IS NOT NULL AND NOT i.inhdetachpending;
    upper_bound := _flakeid_functions.flakeid_partition_bound(parent, layout, start_at);

    -- Add steps from the start each time: 31 January and three months make 30 April.
    FOR n IN 1 .. 2147483647 LOOP
        lower_at := upper_at;
        EXIT WHEN lower_at >= end_at;
        upper_at := start_at + n * step;
        lower_bound := upper_bound;
        upper_bound := _flakeid_functions.flakeid_partition_bound(parent, layout, upper_at);
        IF lower_bound.bound = upper_bound.bound THEN
            RAISE 'step is too short for the IDs of table %', _flakeid_functions.flakeid_quoted(parent::text)
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A partition from %s to %s would hold no IDs.', lower_at, upper_at);
        END IF;
        free := tstzmultirange(tstzrange(lower_bound.instant, upper_bound.instant)) - taken;
        CONTINUE WHEN isempty(free);
        RETURN NEXT _flakeid_functions.flakeid_add_partition(parent, _flakeid_functions.flakeid_partition_name(parent, to_char(lower_at, precision)),
            format('FOR VALUES FROM (%L) TO (%L)', lower_bound.bound, upper_bound.bound));
    END LOOP;
EXCEPTION
    WHEN invalid_object_definition THEN
        RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
            DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
            HINT = (SELECT CASE WHEN i.inhrelid IS NULL THEN format('Free is the time from %s to %s: create a partition for that, with a step of %s.', lower(f.free), upper(f.free), upper(f.free) - lower(f.free))
                    ELSE format('Partition %s is incompletely detached: use ALTER TABLE ... DETACH PARTITION ... FINALIZE.', i.inhrelid::regclass) END
                FROM unnest(free) AS f (free) LEFT JOIN pg_inherits AS i ON i.inhparent = parent AND i.inhdetachpending ORDER BY f.free LIMIT 1);
    WHEN check_violation THEN
        SELECT * INTO why FROM _flakeid_functions.flakeid_default_rows(parent, layout, step, lower_bound.bound, upper_bound.bound, lower_at, upper_at);
        RAISE 'partition of table % from % to % cannot be created, because the default partition has rows of that time', _flakeid_functions.flakeid_quoted(parent::text), lower_at, upper_at
            USING ERRCODE = SQLSTATE, DETAIL = why.detail, HINT = why.hint;
END
$$;

-- Detach or drop a partition of a table; return its name, or NULL if it is none any more.  To look
-- for rows that refer to it, PostgreSQL reads the tables of foreign keys, and runs the code in them.
CREATE FUNCTION _flakeid_functions.flakeid_remove_partition_as_owner(parent regclass, part oid, lower_at timestamptz, upper_at timestamptz, detach boolean) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    table_name CONSTANT text := _flakeid_functions.flakeid_hold(parent, true);
    partition_name text;
    gone record;
    referrer record;
    told text;
BEGIN
    SELECT c.relkind, c.relowner, coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0))::bigint AS rows INTO gone
    FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhrelid = part AND i.inhparent = parent AND NOT i.inhdetachpending;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    partition_name := _flakeid_functions.flakeid_hold(part::regclass, true);
    SELECT c.oid::regclass AS name, c.relowner::regrole AS owner INTO referrer
    FROM pg_partition_tree(part::regclass) AS t JOIN pg_constraint AS k ON k.confrelid = t.relid AND k.contype = 'f'
        LEFT JOIN LATERAL pg_partition_tree(k.conrelid) AS r ON true JOIN pg_class AS c ON c.oid IN (k.conrelid, r.relid)
    WHERE c.relowner <> gone.relowner LIMIT 1;
    IF FOUND THEN
        RAISE 'partition % has foreign keys from table %, which belongs to another role', _flakeid_functions.flakeid_quoted(partition_name), _flakeid_functions.flakeid_quoted(referrer.name::text)
            USING ERRCODE = 'insufficient_privilege', DETAIL = format('Its owner is role "%s".', referrer.owner),
            HINT = 'Give both tables the same owner, because the code of one would run with the rights of the other.';
    END IF;
    -- detach it first: a partition that foreign keys refer to cannot be dropped directly
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', table_name, partition_name);
    IF NOT detach THEN
        EXECUTE format('DROP %s %s', CASE gone.relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, partition_name);
    END IF;
    told := format('partition %s of table %s is %s: from %s to %s, %s rows by the statistics',
        partition_name, table_name, CASE WHEN detach THEN 'detached' ELSE 'dropped' END, lower_at, upper_at, gone.rows);
    RAISE NOTICE '%', told;
    RAISE LOG '%', told;
    RETURN partition_name;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_drop_partitions(parent regclass, before timestamptz, layout text, detach boolean) RETURNS SETOF text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    part record;
BEGIN
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    FOR part IN SELECT * FROM _flakeid_functions.flakeid_partition_bounds(parent, layout) AS b WHERE isfinite(b.upper_at) AND b.upper_at <= before ORDER BY b.upper_at LOOP
        RETURN NEXT _flakeid_functions.flakeid_remove_partition_as_owner(parent, part.partition, part.lower_at, part.upper_at, detach);
    END LOOP;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_bounds(regclass, text) IS 'partitions of a table with their bounds as instants, whether they have rows, and their bytes without indexes';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_bound(regclass, text, timestamptz) IS 'least ID at or after an instant, for the partition key of a table, and its instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_instant(regclass, text, text) IS 'instant of an ID, for the partition key of a table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_step_months(interval) IS 'months of a step, 0 if it has only days or less; an error if it is not a valid step';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_name(regclass, text) IS 'name for a new partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_add_partition(regclass, text, text) IS 'create a partition and attach it to its table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_default_rows(regclass, text, interval, text, text, timestamptz, timestamptz) IS 'which rows of the default partition belong to a new one, and how to move them';
COMMENT ON FUNCTION _flakeid_functions.flakeid_create_partitions(regclass, timestamptz, timestamptz, interval, text) IS 'does the work of flakeid_create_partitions as the owner of the table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_remove_partition_as_owner(regclass, oid, timestamptz, timestamptz, boolean) IS 'does the work of flakeid_remove_partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_drop_partitions(regclass, timestamptz, text, boolean) IS 'does the work of flakeid_drop_partitions as the owner of the table';
/* ---------- the nightly call ---------- */

-- Return the instant at which the current step begins.  The steps continue those of the last
-- partition that is one step long; without one, months are counted from 2000 on, and weeks from
-- the first Monday of 2000.
CREATE FUNCTION _flakeid_functions.flakeid_current_step(parent regclass, layout text, step interval) RETURNS timestamptz
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    months int := _flakeid_functions.flakeid_step_months(step);
    anchor timestamptz;
    passed int;    -- months since
BEGIN
    SELECT b.lower_at INTO anchor FROM _flakeid_functions.flakeid_partition_bounds(parent, layout) AS b
    WHERE isfinite(b.lower_at) AND b.upper_at = b.lower_at + step AND (months = 0 OR extract(day FROM b.lower_at) <= 28)
    ORDER BY b.upper_at DESC LIMIT 1;
    IF months = 0 THEN
        -- the origin is before all IDs, because date_bin() of 15.6, 16.2 and older is wrong for instants before its origin
        RETURN date_bin(step, now(), date_bin(step, '1970-01-01Z', coalesce(anchor, '2000-01-03Z')));
    END IF;
    anchor := coalesce(anchor, '2000-01-01Z');
    passed := (extract(year FROM now()) - extract(year FROM anchor)) * 12 + extract(month FROM now()) - extract(month FROM anchor);
    passed := passed - (anchor + make_interval(months => passed) > now())::int;
    RETURN anchor + floor(passed::numeric / months)::int * step;
END
$$;

-- The partitions of a table, and what flakeid_maintain with the same arguments would do.  A step
-- of 0 creates none; a retain of 0 means forever.
--
-- A step from now on needs a partition where none covers it.  A past partition is removed when it
-- ended "retain" ago, and newer past partitions that have rows span as much: so a clock that is
-- ahead for one night costs one step, however far ahead it is, and no row is read.
CREATE FUNCTION _flakeid_functions.flakeid_partitions(
    parent regclass, step interval, ahead int, retain interval, detach boolean, layout text,
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz,
    OUT rows bigint, OUT size bigint, OUT action text, OUT note text
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET TimeZone = 'UTC'
AS $$
DECLARE
    start_at timestamptz;
BEGIN
    IF ahead NOT BETWEEN 0 AND 1000 OR retain < interval '0' OR NOT isfinite(retain) THEN
        RAISE 'ahead or retain is out of range'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('ahead is %s, retain %s.', ahead, retain),
            HINT = 'ahead must be 0 to 1000 partitions, and retain must not be negative.';
    END IF;
    PERFORM _flakeid_functions.flakeid_hold(parent, false);
    IF step <> interval '0' THEN
        start_at := _flakeid_functions.flakeid_current_step(parent, layout, step);
    END IF;

    RETURN QUERY WITH there AS MATERIALIZED (
        SELECT b.*, i.inhdetachpending AS pending, CASE WHEN b.lower_at IS NOT NULL THEN tstzrange(b.lower_at, b.upper_at) END AS period
        FROM _flakeid_functions.flakeid_partition_bounds(parent, layout) AS b JOIN pg_inherits AS i ON i.inhrelid = b.partition AND i.inhparent = parent
    ), rated AS (
        SELECT t.*, retain > interval '0' AND t.upper_at <= now() - retain AND NOT t.pending AS old,
            coalesce(sum(t.upper_at - t.lower_at) FILTER (WHERE t.has_rows AND t.upper_at <= now() AND isfinite(t.lower_at) AND NOT t.pending) OVER newer >= now() - (now() - retain), false) AS spare
        FROM there AS t WINDOW newer AS (ORDER BY t.upper_at DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), steps AS (
        SELECT s.*, tstzrange(s.lower_at, s.upper_at) AS period
        FROM (SELECT start_at + n * step, start_at + (n + 1) * step FROM generate_series(0, ahead) AS n) AS s (lower_at, upper_at)
        WHERE start_at IS NOT NULL
    )
    SELECT t.partition, t.lower_at, t.upper_at,
        coalesce(nullif(pg_stat_get_live_tuples(t.partition), 0), (SELECT greatest(c.reltuples, 0) FROM pg_class AS c WHERE c.oid = t.partition))::bigint, t.size,
        CASE WHEN t.old AND t.spare THEN CASE WHEN detach THEN 'detach' ELSE 'drop' END END,
        CASE WHEN t.period IS NULL THEN 'the default partition' WHEN t.pending THEN 'incompletely detached'
            WHEN t.old AND NOT t.spare THEN 'kept: newer partitions with rows do not span retain' END
    FROM rated AS t
    UNION ALL
    SELECT NULL, s.lower_at, s.upper_at, NULL, NULL, 'create',
        'covered in part by ' || (SELECT string_agg(t.partition::text, ', ' ORDER BY t.upper_at) FROM there AS t WHERE t.period && s.period)
    FROM steps AS s
    WHERE NOT s.period * tstzrange(now(), NULL) <@ coalesce((SELECT range_agg(t.period) FROM there AS t WHERE NOT t.pending), '{}')
    ORDER BY 3 DESC NULLS LAST;
END
$$;

-- Create the missing partitions, then remove the old ones, the oldest first: each in a transaction
-- of its own, so that its locks are released before the next one, and a failure stops nothing
-- else.  Each of these begins as flakeid_backfill_run() says.  But while a removal waits for a
-- reader of the table, all who come later wait for the removal: so it is not tried for every
-- partition.
CREATE PROCEDURE _flakeid_functions.flakeid_maintain(
    parent regclass, step interval, ahead int, retain interval, detach boolean, layout text
)
    LANGUAGE plpgsql
AS $$
DECLARE
    home pg_catalog.text;
    todo pg_catalog.record;
    detail pg_catalog.text;
    hint pg_catalog.text;
    errors pg_catalog.text[];
    details pg_catalog.text[];
    locked pg_catalog.int4 := 0;    -- removals in a row that could not get a lock
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
    IF num_nulls(parent, step, ahead, retain, detach, layout) > 0 THEN
        RAISE 'arguments of flakeid_maintain must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF step = interval '0' THEN
        RAISE 'step must be greater than zero' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    home := _flakeid_functions.flakeid_home();
    FOR todo IN EXECUTE format('SELECT p.*, coalesce(p.partition::text, ''from '' || p.lower_at) AS name FROM %s.flakeid_partitions($1, $2, $3, $4, $5, $6) AS p
        WHERE p.action IS NOT NULL ORDER BY p.action <> ''create'', p.upper_at', home) USING parent, step, ahead, retain, detach, layout LOOP
        EXIT WHEN locked = 2;
        -- a lock that another session holds now may be free in a second
        FOR attempt IN 1 .. 3 LOOP
            COMMIT;
            SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
            SET LOCAL search_path = pg_catalog, pg_temp;
            PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
            PERFORM pg_sleep(1) WHERE attempt > 1;
            BEGIN
                IF todo.action = 'create' THEN
                    EXECUTE format('SELECT count(*) FROM %s.flakeid_create_partitions($1, $2, $3, $4, $5)', home) USING parent, todo.lower_at, todo.upper_at, step, layout;
                ELSE
                    PERFORM _flakeid_functions.flakeid_remove_partition(parent, todo.partition, todo.lower_at, todo.upper_at, detach);
                    locked := 0;
                END IF;
            EXCEPTION WHEN OTHERS THEN
                CONTINUE WHEN SQLSTATE IN ('55P03', '40P01') AND attempt < 3 AND locked = 0;
                locked := CASE WHEN SQLSTATE = '55P03' AND todo.action <> 'create' THEN locked + 1 ELSE 0 END;
                GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL, hint := PG_EXCEPTION_HINT;
                errors := errors || format('%s: %s', todo.name, SQLERRM);
                details := details || nullif(concat_ws(E'\n', todo.name, nullif(detail, ''), nullif(hint, '')), todo.name);
            END;
            EXIT;
        END LOOP;
    END LOOP;

    -- the message shows the table's name by the caller's search_path
    COMMIT;
    IF errors IS NOT NULL THEN
        RAISE 'not all partitions of table % could be maintained: %', _flakeid_functions.flakeid_quoted(parent::pg_catalog.text), pg_catalog.array_to_string(errors, '; ')
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = pg_catalog.array_to_string(details, E'\n'),
            HINT = pg_catalog.concat('flakeid_partitions() with the same arguments shows what remains to be done. ', CASE WHEN locked OPERATOR(pg_catalog.<) 2 THEN 'Everything else has been done; the next call tries again.'
                ELSE 'No more was removed, because others have locked the table or its partitions: who waits for a reader lets everybody wait. The next call tries again.' END);
    END IF;
END
$$;

/* ---------- what users call: the functions above, for the owner of the table ---------- */

CREATE FUNCTION flakeid_partitions(
    parent regclass, step interval DEFAULT '0', ahead int DEFAULT 2, retain interval DEFAULT '0', detach boolean DEFAULT false, layout text DEFAULT '',
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz,
    OUT rows bigint, OUT size bigint, OUT action text, OUT note text
) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text DEFAULT ''
) RETURNS SETOF regclass
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION flakeid_drop_partitions(
    parent regclass, before timestamptz, layout text DEFAULT '', detach boolean DEFAULT false
) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_remove_partition(parent regclass, part oid, lower_at timestamptz, upper_at timestamptz, detach boolean) RETURNS text
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE PROCEDURE flakeid_maintain(
    parent regclass, step interval, ahead int DEFAULT 2, retain interval DEFAULT '0', detach boolean DEFAULT false, layout text DEFAULT ''
)
    AS 'MODULE_PATHNAME', 'flakeid_call' LANGUAGE C;

COMMENT ON FUNCTION _flakeid_functions.flakeid_current_step(regclass, text, interval) IS 'when the current step of a partitioned table began';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partitions(regclass, interval, int, interval, boolean, text) IS 'does the work of flakeid_partitions as the owner of the table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_remove_partition(regclass, oid, timestamptz, timestamptz, boolean) IS 'detach or drop a partition, for the owner of its table';
COMMENT ON PROCEDURE _flakeid_functions.flakeid_maintain(regclass, interval, int, interval, boolean, text) IS 'does the work of flakeid_maintain';
COMMENT ON FUNCTION flakeid_partitions(regclass, interval, int, interval, boolean, text) IS 'partitions by time of a table whose owner''s privileges you have, and what flakeid_maintain with the same arguments would do with them';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval, text) IS 'create the missing partitions by time, step by step in UTC; returns those created';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz, text, boolean) IS 'drop or detach the partitions that hold only IDs before an instant, at once; returns their names';
COMMENT ON PROCEDURE flakeid_maintain(regclass, interval, int, interval, boolean, text) IS 'create the partitions that a table needs now, and drop or detach those older than retain; to be called every day, or more often';
/* ---------- IDs for existing rows ---------- */

-- The table alone records what is left to do: rows whose column is NULL.

CREATE FUNCTION _flakeid_functions.flakeid_own_type(type regtype) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_tick_of(format text, at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_tick_start(format text, tick bigint) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_backfill_numbers(
    type text, siq_type text, number int, OUT first int, OUT count int, OUT domain bigint, OUT each bigint
)
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_backfill_id(
    type text, siq_type text, first int, count int, meta int, domain bigint, tick bigint, place bigint
) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_backfill_place(
    type text, siq_type text, first int, count int, meta int, domain bigint, id bytea
) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_hold(target regclass, alone boolean) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_lock_backfill(target regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_tick_of(text, timestamptz) IS 'tick of a type that contains an instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_tick_start(text, bigint) IS 'first microsecond of a tick of a type';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_numbers(text, text, int) IS 'partitions, shards or workers of a backfill, and how many IDs one has for a tick';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_id(text, text, int, int, int, bigint, bigint, bigint) IS 'bytes of a new ID for a place in a tick';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_place(text, text, int, int, int, bigint, bytea) IS 'place of an ID in its tick; NULL if no such backfill has made it';
COMMENT ON FUNCTION _flakeid_functions.flakeid_hold(regclass, boolean) IS 'lock a table that the caller owns, so that it is neither dropped nor renamed before the end of the transaction, and return its name';
COMMENT ON FUNCTION _flakeid_functions.flakeid_lock_backfill(regclass) IS 'hold a table that the caller owns, and take the lock by which its backfills take turns, until the end of the transaction';

CREATE FUNCTION _flakeid_functions.flakeid_column_type(
    target regclass, column_name name, hint text DEFAULT 'ALTER TABLE ... ADD COLUMN without a DEFAULT adds one and does not rewrite the table.'
) RETURNS regtype
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    type regtype;
BEGIN
    IF (SELECT c.relkind NOT IN ('r', 'p') FROM pg_class AS c WHERE c.oid = target) THEN
        RAISE '% is not a table', _flakeid_functions.flakeid_quoted(target::text) USING ERRCODE = 'wrong_object_type';
    END IF;
    SELECT a.atttypid INTO type FROM pg_attribute AS a
    WHERE a.attrelid = target AND a.attname = column_name AND a.attnum > 0 AND NOT a.attisdropped;
    IF NOT FOUND THEN
        RAISE 'column "%" of table % does not exist', column_name, _flakeid_functions.flakeid_quoted(target::text)
            USING ERRCODE = 'undefined_column', HINT = hint;
    END IF;
    RETURN type;
END
$$;

-- without such an index, every batch would read the whole table
CREATE FUNCTION _flakeid_functions.flakeid_check_index(target regclass, column_name name) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = target AND a.attname = column_name
        WHERE i.indrelid = target AND i.indisvalid AND i.indkey[0] = a.attnum AND i.indpred IS NULL
    ) THEN
        RAISE 'column "%" of table % has no index', column_name, _flakeid_functions.flakeid_quoted(target::text)
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('CREATE INDEX %sON %s (%I);', (SELECT CASE c.relkind WHEN 'p' THEN '' ELSE 'CONCURRENTLY ' END FROM pg_class AS c WHERE c.oid = target), target, column_name);
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_backfill_key(target regclass) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)
        FROM pg_index AS i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n) JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = k.attnum
        WHERE i.indrelid = target AND i.indisprimary);
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_backfill_tree(target regclass) RETURNS SETOF oid
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY WITH RECURSIVE tree (relid) AS (
        SELECT target::oid UNION SELECT i.inhrelid FROM tree AS t JOIN pg_inherits AS i ON i.inhparent = t.relid
    )
    SELECT t.relid FROM tree AS t JOIN pg_class AS c ON c.oid = t.relid WHERE c.relkind = 'r' ORDER BY t.relid;
END
$$;

-- Say how a column's instants are read: as expressions, the instant and a value in whose order the
-- instants are, with its type.  The column is cast to the base type of its domain, because a
-- function or an operator for the domain might be a stranger's.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_time(target regclass, time_column name, time_zone text, OUT instant text, OUT key text, OUT key_type text)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    time_type regtype := _flakeid_functions.flakeid_column_type(target, time_column, 'Name the column that has the time of each row.');
    ours text;
BEGIN
    WHILE (SELECT t.typtype = 'd' FROM pg_type AS t WHERE t.oid = time_type) LOOP
        time_type := (SELECT t.typbasetype FROM pg_type AS t WHERE t.oid = time_type);
    END LOOP;
    ours := _flakeid_functions.flakeid_own_type(time_type);
    key_type := format_type(time_type, -1);
    key := format('%I::%s', time_column, key_type);
    IF time_type IN ('timestamp'::regtype, 'date'::regtype) <> (time_zone <> '') THEN
        RAISE 'time_zone must be given for columns of type timestamp without time zone and date, and only for them'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('Column "%s" is of type %s.', time_column, time_type),
            HINT = 'Most applications store UTC: time_zone => ''UTC''.';
    ELSIF ours IS NOT NULL THEN
        instant := format('(%s.%I(%s)::timestamptz)', home, ours || '_timestamp', key);
    ELSIF time_type = 'timestamptz'::regtype THEN
        instant := key;
    ELSIF time_zone <> '' THEN
        PERFORM now() AT TIME ZONE time_zone;    -- an error if there is no such zone
        instant := format('(%I::timestamp AT TIME ZONE %L)', time_column, time_zone);
    ELSIF time_type = 'uuid'::regtype THEN
        instant := format('(%s.uuid7_timestamp(%s)::timestamptz)', home, key);
    ELSIF time_type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN
        instant := format('(%s.ulid_timestamp(%s::text)::timestamptz)', home, key);
        key := format('(%s COLLATE "C")', key);
    ELSE
        RAISE 'column "%" does not hold the time', time_column
            USING ERRCODE = 'wrong_object_type', DETAIL = format('It is of type %s.', time_type),
            HINT = 'Times, dates, UUIDs of version 7, ULIDs as text, and IDs of flakeid do.';
    END IF;
    -- a uid96 begins with its node's ID, and a clock that was set back or forward has local times in another order
    IF ours = 'uid96' OR upper(time_zone) NOT IN ('', 'UTC') THEN
        key := instant;
        key_type := 'timestamptz';
    END IF;
END
$$;

-- Check the arguments of a backfill and return what it needs to know: the type of the IDs and the
-- one whose ticks they count, with the first and the last instant; how many places a tick has, and
-- how many of these have the first number; and, as expressions, what flakeid_backfill_time()
-- returns, the order of the rows, the ID of place k of a tick, the place of an ID, a new ID, and the
-- functions and operators for a range of IDs.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_rule(
    target regclass, id_column name, time_column name, number int, meta int, siq_type text, time_zone text,
    OUT type text, OUT ticks text, OUT first_at timestamptz, OUT last_at timestamptz, OUT capacity bigint, OUT each bigint,
    OUT instant text, OUT key text, OUT key_type text, OUT row_order text, OUT index_order text, OUT making text, OUT place text,
    OUT new_id text, OUT at_or_after text, OUT at_or_before text, OUT note text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    id_type regtype := _flakeid_functions.flakeid_column_type(target, id_column);
    numbers record;
    places text;
BEGIN
    SELECT * INTO instant, key, key_type FROM _flakeid_functions.flakeid_backfill_time(target, time_column, time_zone);
    type := CASE id_type WHEN 'uuid'::regtype THEN 'uuid7' ELSE _flakeid_functions.flakeid_own_type(id_type) END;
    IF type IS NULL OR type NOT IN ('sno', 'flax', 'siq', 'uid64', 'snowflake', 'uuid7', 'ulid', 'ksuid') THEN
        RAISE 'column "%" cannot be backfilled', id_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', id_type),
            HINT = 'Columns of type sno, flax, siq, uid64, snowflake, ulid, ksuid and uuid can. A uuid gets version 7.';
    ELSIF meta NOT BETWEEN 0 AND 255 OR (meta <> 0 AND type <> 'sno') THEN
        RAISE 'meta is out of range for type %: %', type, meta
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 0 to 255 for sno, and 0 for all others.';
    ELSIF (type = 'siq') <> (siq_type <> '') THEN
        RAISE 'siq_type must be given for type siq, and only for it' USING ERRCODE = 'invalid_parameter_value', HINT = 'For example, siq_type => ''message''.';
    END IF;
    PERFORM _flakeid_functions.flakeid_check_index(target, id_column);
    -- rows of the same instant are taken in the order of the primary key
    row_order := concat_ws(', ', key, _flakeid_functions.flakeid_backfill_key(target));
    index_order := concat_ws(', ', CASE WHEN key LIKE '(%' THEN key ELSE quote_ident(time_column) END, _flakeid_functions.flakeid_backfill_key(target));
    SELECT * INTO numbers FROM _flakeid_functions.flakeid_backfill_numbers(type, siq_type, number);
    each := numbers.each;
    capacity := each * numbers.count;
    places := format('%L::text, %L::text, %s, %s, %s, %s::bigint', type, siq_type, numbers.first, numbers.count, meta, numbers.domain);
    making := format(CASE type WHEN 'uuid7' THEN 'encode(%s, ''hex''::text)::uuid' ELSE '_flakeid_functions.%2$I(%1$s)' END,
        format('_flakeid_functions.flakeid_backfill_id(%s, tick, k)', places), type || '_from_bytea');
    place := format('_flakeid_functions.flakeid_backfill_place(%s, %s)', places, format(CASE type WHEN 'uuid7' THEN 'uuid_send(%I)' ELSE '%I::bytea' END, id_column));
    ticks := CASE type WHEN 'uuid7' THEN 'ulid' ELSE type END;
    EXECUTE format('SELECT f.epoch, f.last_timestamp FROM %s.flakeid_formats AS f WHERE f.name = $1', home) INTO first_at, last_at USING ticks;
    new_id := format('%s.%I(%s)', home, type || '_new', quote_literal(nullif(siq_type, '')));
    at_or_after := format('%I OPERATOR(pg_catalog.>=) %s.%I', id_column, home, type || '_min');
    at_or_before := format('%I OPERATOR(pg_catalog.<=) %s.%I', id_column, home, type || '_max');
    note := nullif(concat_ws(' ', CASE WHEN type = 'flax' THEN 'IDs of one millisecond are in no order.' END,
        CASE WHEN time_zone <> '' THEN format('The times were read as %s.', time_zone) END), '');
END
$$;

-- Lock rows that have no value in a column, and return where they are, their instants, and how far
-- this got: "size" rows that satisfy the condition, in the order given.  Rows that somebody has
-- locked are left out: whoever waits while he holds locks can be in a deadlock, and lets others
-- wait.  With skip >= 0 it is the one row after so many, alone, which is waited for: "refused" is
-- that row if the wait was too long, and left_out how many rows there are if it is not waited for
-- another one.  create_index is the index that would give the order, for a HINT ('': no matter).
CREATE FUNCTION _flakeid_functions.flakeid_backfill_pick(
    target regclass, id_column name, source text, condition text, row_order text, instant text, reach text, size int, skip int, create_index text,
    OUT tables oid[], OUT rows tid[], OUT instants timestamptz[], OUT reached text, OUT refused text, OUT left_out bigint
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET DateStyle = 'ISO' SET TimeZone = 'UTC' SET enable_seqscan = off SET enable_sort = off SET jit = off
AS $$
DECLARE
    query text;
    plan jsonb;
    waited record;
BEGIN
    query := format('FROM %s WHERE %I IS NULL AND %s', source, id_column, condition);
    IF create_index <> '' THEN
        EXECUTE format('EXPLAIN (FORMAT JSON) SELECT %s ORDER BY %s LIMIT %s', query, row_order, size) INTO plan;
        IF jsonb_path_exists(plan, '$.**."Node Type" ? (@ == "Sort")') THEN
            RAISE 'no index gives the rows of table % in the order of their time', _flakeid_functions.flakeid_quoted(target::text)
                USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = format('CREATE INDEX %s%s', (SELECT CASE c.relkind WHEN 'p' THEN '' ELSE 'CONCURRENTLY ' END FROM pg_class AS c WHERE c.oid = target), create_index);
        END IF;
    END IF;
    IF skip >= 0 THEN
        EXECUTE format('SELECT tableoid AS relation, ctid AS row, ROW(%1$s)::text AS name %2$s ORDER BY %1$s OFFSET %3$s LIMIT 1', row_order, query, skip) INTO waited;
        IF waited.row IS NULL OR skip = 10 THEN
            EXECUTE format('SELECT count(*) FROM %s WHERE %I IS NULL', target, id_column) INTO left_out;
            reached := '';
            RETURN;
        END IF;
        query := format('FROM %s WHERE %I IS NULL AND tableoid = %s AND ctid = %L', target, id_column, waited.relation, waited.row);
        PERFORM set_config('lock_timeout'::text, coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
    END IF;
    -- The update of a column in a unique index takes the stronger lock, for which it would wait.
    -- Rows that others have changed since the query began have their new time in their old place.
    query := format(
        'WITH picked AS MATERIALIZED (
            SELECT tableoid AS relation, ctid AS row, %s AS at, (%s)::text AS reached %s ORDER BY %s LIMIT %s FOR %s
        ), numbered AS (
            SELECT *, row_number() OVER () AS n FROM picked
        )
        SELECT array_agg(relation ORDER BY at, n), array_agg(row ORDER BY at, n), array_agg(at ORDER BY at, n), (array_agg(reached ORDER BY n DESC))[1] FROM numbered',
        instant, reach, query, row_order, size, CASE WHEN EXISTS (
            SELECT FROM _flakeid_functions.flakeid_backfill_tree(target) AS t JOIN pg_index AS i ON i.indrelid = t JOIN pg_attribute AS a ON a.attrelid = t
            WHERE a.attname = id_column AND a.attnum = ANY (i.indkey) AND i.indisunique AND i.indpred IS NULL
        ) THEN 'UPDATE' ELSE 'NO KEY UPDATE' END || CASE WHEN skip < 0 THEN ' SKIP LOCKED' ELSE '' END);
    IF skip < 0 THEN
        EXECUTE query INTO tables, rows, instants, reached;
    ELSE
        BEGIN
            EXECUTE query INTO tables, rows, instants, reached;
        EXCEPTION WHEN lock_not_available THEN
            refused := waited.name;
        END;
    END IF;
    reached := coalesce(reached, CASE WHEN skip < 0 THEN '' ELSE 'changed' END);
END
$$;

-- Give IDs to rows without one: the first ones from "start" on, a value of the time column ('': all
-- rows), or the one that flakeid_backfill_pick() takes with skip >= 0.  Return how many rows there
-- were and how far it got ('': there are no more); how many of them have an ID of an earlier
-- instant ("rounded"), of a later partition, shard or worker than the first ("next_numbers"), and
-- of a later tick than their own, which was full ("moved").
--
-- The column itself shows which places of a tick are taken, so an interrupted backfill can be
-- continued.  A row gets the place after that of the previous row, or the start of its own
-- tick if that is later, and never a place that is taken.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_batch_as_owner(
    target regclass, id_column name, time_column name, batch int, number int, meta int, siq_type text, time_zone text, start text, skip int,
    OUT count bigint, OUT changed bigint, OUT reached text, OUT refused text, OUT left_out bigint, OUT note text,
    OUT rounded bigint, OUT most_lost interval, OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    rule record;
    picked record;
    least_places numeric[];    -- the earliest place of each row: tick * capacity + place in the tick
    places numeric[];
    taken bigint;
    beyond text;               -- which rows have a time that no ID can hold
BEGIN
    PERFORM _flakeid_functions.flakeid_lock_backfill(target);
    SELECT * INTO rule FROM _flakeid_functions.flakeid_backfill_rule(target, id_column, time_column, number, meta, siq_type, time_zone);
    SELECT * INTO picked FROM _flakeid_functions.flakeid_backfill_pick(target, id_column, target::text,
        concat_ws(' AND ', rule.instant || ' IS NOT NULL', CASE WHEN start <> '' THEN format('%s OPERATOR(pg_catalog.>=) %L::%s', rule.key, start, rule.key_type) END),
        rule.row_order, rule.instant, rule.key, batch, skip,
        CASE WHEN start = '' AND skip < 0 THEN format('ON %s (%s) WHERE %I IS NULL;', target, rule.index_order, id_column) ELSE '' END);
    count := coalesce(cardinality(picked.rows), 0);
    SELECT picked.reached, picked.refused, picked.left_out INTO reached, refused, left_out;
    note := rule.note;
    IF count = 0 THEN
        RETURN;
    ELSIF picked.instants[1] < rule.first_at OR picked.instants[count] > rule.last_at THEN
        beyond := format('%I IS NULL AND NOT %s BETWEEN %L AND %L', id_column, rule.instant, rule.first_at, rule.last_at);
        EXECUTE format('SELECT count(*) OVER () AS rows, ROW(%s)::text AS name, %s AS at FROM %s WHERE %s ORDER BY %1$s LIMIT 1', rule.row_order, rule.instant, target, beyond) INTO picked;
        RAISE 'time is out of range for type %: %', rule.ticks, picked.at
            USING ERRCODE = 'datetime_field_overflow',
            DETAIL = format('IDs have times from %s to %s. %s rows without an ID have another; the first is %s.', rule.first_at, rule.last_at, picked.rows, picked.name),
            HINT = format('Correct these times, or give the rows an ID of the present time, and call flakeid_backfill again: UPDATE %s SET %I = %s WHERE %s;', target, id_column, rule.new_id, beyond);
    END IF;
    -- a batch is a small part of the table, whatever the estimates say
    PERFORM set_config('enable_seqscan'::text, 'off'::text, true);

    SELECT array_agg(_flakeid_functions.flakeid_tick_of(rule.ticks, u.at)::numeric * rule.capacity ORDER BY u.i) INTO least_places
    FROM unnest(picked.instants) WITH ORDINALITY AS u (at, i);
    LOOP
        SELECT array_agg(p.place ORDER BY p.i) INTO places
        FROM (SELECT u.i, u.i + max(u.l - u.i) OVER (ORDER BY u.i) AS place FROM unnest(least_places) WITH ORDINALITY AS u (l, i)) AS p;
        EXIT WHEN rule.type = 'flax';
        EXECUTE format(
            'WITH taken AS MATERIALIZED (
                SELECT tick, tick::numeric * %1$s + max(place) + 1 AS free
                FROM (
                    SELECT _flakeid_functions.flakeid_tick_of(%3$L::text, %2$s.%4$I(%5$I)::timestamptz) AS tick, %6$s AS place FROM %7$s
                    WHERE %8$s(_flakeid_functions.flakeid_tick_start(%3$L::text, div($1[1], %1$s)::bigint))
                        AND %9$s(_flakeid_functions.flakeid_tick_start(%3$L::text, div($1[$2], %1$s)::bigint))
                ) AS present
                GROUP BY tick
            )
            SELECT count(t.free), array_agg(coalesce(t.free, p.place) ORDER BY p.i)
            FROM unnest($1) WITH ORDINALITY AS p (place, i)
                LEFT JOIN taken AS t ON t.tick = div(p.place, %1$s)::bigint AND p.place < t.free',
            rule.capacity, home, rule.ticks, rule.type || '_timestamp', id_column, rule.place, target,
            rule.at_or_after, rule.at_or_before)
        INTO taken, least_places USING places, count;
        EXIT WHEN taken = 0;
    END LOOP;

    EXECUTE format(
        'WITH made AS MATERIALIZED (
            SELECT u.relation, u.row, u.due, p.k, %1$s AS id
            FROM unnest($1, $2, $3, $4) AS u (relation, row, due, place)
                CROSS JOIN LATERAL (SELECT mod(place, %3$s)::bigint AS k, div(place, %3$s)::bigint AS tick) AS p
        ), changed AS (
            UPDATE %4$s AS t SET %5$I = made.id FROM made WHERE t.ctid = ANY ($2) AND t.ctid = made.row AND t.tableoid = made.relation
            RETURNING t.%5$I
        )
        SELECT (SELECT count(%5$I) FROM changed), count(*) FILTER (WHERE at < due), coalesce(max(due - at), ''0''),
            count(*) FILTER (WHERE k >= %7$s), count(*) FILTER (WHERE at > due), coalesce(max(at - due), ''0'')
        FROM made CROSS JOIN LATERAL (SELECT %2$s.%6$I(id)::timestamptz) AS i (at)',
        rule.making, home, rule.capacity, target, id_column, rule.type || '_timestamp', rule.each)
    INTO changed, rounded, most_lost, next_numbers, moved, most_moved USING picked.tables, picked.rows, picked.instants, places;
END
$$;

-- Fill a column in batches, each in a transaction of its own: "call" makes one of them, from $1 on,
-- with what $2 says of locks.  Passes over the table follow each other until one fills nothing.
-- What others have locked even then is waited for row by row, without holding anything; after ten
-- rows in vain it is left.  Only the table records what is left to do.
CREATE PROCEDURE _flakeid_functions.flakeid_backfill_run(target regclass, id_column name, what text, without text, batch int, missing int, call text)
    LANGUAGE plpgsql
AS $$
DECLARE
    start pg_catalog.text := '';
    skip pg_catalog.int4 := -1;      -- rows that were waited for in vain; -1: rows that are locked are left for later
    finished pg_catalog.bool := false;
    done pg_catalog.record;
    filled pg_catalog.int8 := 0;     -- in this pass
    rows pg_catalog.int8 := 0;       -- in all of them
    rounded pg_catalog.int8 := 0;
    most_lost pg_catalog.interval;
    next_numbers pg_catalog.int8 := 0;
    moved pg_catalog.int8 := 0;
    most_moved pg_catalog.interval;
    locked pg_catalog.text;
BEGIN
    -- A procedure that commits cannot have a SET clause: each transaction sets the search_path
    -- first of all, and before that its isolation level, which is too late after any expression.
    LOOP
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;
        EXIT WHEN finished;
        IF missing > 0 THEN
            RAISE 'arguments of a backfill must not be NULL' USING ERRCODE = 'null_value_not_allowed';
        ELSIF batch NOT BETWEEN 1 AND 1000000 THEN
            RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 1 to 1000000 rows.';
        END IF;
        PERFORM set_config('application_name'::text, format('flakeid_backfill: %s rows of %s.%I', rows, target, id_column)::name::text, true);
        EXECUTE call INTO done USING start, skip;
        IF done.changed < done.count THEN
            RAISE 'a trigger keeps rows of table % from getting an ID', _flakeid_functions.flakeid_quoted(target::text)
                USING ERRCODE = 'triggered_action_exception', DETAIL = format('Only %s of %s rows have one.', done.changed, done.count);
        END IF;
        start := done.reached;
        filled := filled + done.count;
        rows := rows + done.count;
        rounded := rounded + coalesce(done.rounded, 0);
        most_lost := greatest(most_lost, done.most_lost);
        next_numbers := next_numbers + coalesce(done.next_numbers, 0);
        moved := moved + coalesce(done.moved, 0);
        most_moved := greatest(most_moved, done.most_moved);
        IF skip >= 0 THEN
            -- whoever held this row may have held the others
            start := '';
            locked := CASE WHEN skip = 0 THEN done.refused ELSE concat_ws(', ', locked, done.refused) END;
            finished := done.count = 0 AND done.reached = '';
            skip := CASE WHEN done.count > 0 THEN -1 WHEN done.refused IS NULL THEN skip ELSE skip + 1 END;
        ELSIF start = '' THEN
            skip := CASE WHEN filled > 0 THEN -1 ELSE 0 END;
            filled := 0;
        END IF;
    END LOOP;

    RAISE NOTICE '%', concat_ws(' ',
        format('%s rows of table "%s" %s.', rows, target, what), done.note,
        CASE WHEN rounded > 0 THEN format('For %s of them the ID''s time is earlier than the row''s, by up to %s, because it has fewer digits.', rounded, most_lost) END,
        CASE WHEN next_numbers > 0 THEN format('%s of them got another partition, shard or worker, because too many rows share a tick.', next_numbers) END,
        CASE WHEN moved > 0 THEN format('%s of them got a later tick, by up to %s, because too many rows share a tick.', moved, most_moved) END,
        CASE WHEN done.left_out > 0 THEN format('%s rows got none: they %s%s.', done.left_out, without,
            ', or others have locked them, such as ' || locked || ': call the procedure again when those transactions have ended') END);
END
$$;

CREATE PROCEDURE _flakeid_functions.flakeid_backfill(target regclass, id_column name, time_column name, batch int, number int, meta int, siq_type text, time_zone text)
    LANGUAGE plpgsql
AS $$
BEGIN
    CALL _flakeid_functions.flakeid_backfill_run(target, id_column, 'got an ID', 'have no time', batch, pg_catalog.num_nulls(target, id_column, time_column, batch, number, meta, siq_type, time_zone),
        pg_catalog.format('SELECT * FROM _flakeid_functions.flakeid_backfill_batch(%L, %L, %L, %L, %L, %L, %L, %L, $1, $2)', target::pg_catalog.oid, id_column, time_column, batch, number, meta, siq_type, time_zone));
END
$$;

-- Return the query that looks up what a row c refers to.  A subquery finds each row by the key's
-- index.  A join would be planned by the statistics of a column that was NULL until a moment ago:
-- each row of the parent, which seems to have one, would be compared with all rows of the batch.
-- Rows for which it finds nothing are left alone.  The name is as of now: during a wait, the
-- owner of the parent's schema may give the name of the schema to another one.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_lookup(reference_column name, parent regclass, key_column name, parent_column name) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN format('(SELECT p.%1$I FROM %2$s AS p WHERE p.%3$I OPERATOR(pg_catalog.=) c.%4$I AND p.%1$I IS NOT NULL LIMIT 1)',
        parent_column, _flakeid_functions.flakeid_hold(parent, false), key_column, reference_column);
END
$$;

-- Fill a referring column in the rows of some pages, from "start" on: a table and a page, '' for the
-- first ones; or in the row that flakeid_backfill_pick() takes with skip >= 0.  A column that has a
-- value keeps it.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_pages_as_owner(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name, batch int, start text, skip int,
    OUT count bigint, OUT changed bigint, OUT reached text, OUT refused text, OUT left_out bigint, OUT note text,
    OUT rounded bigint, OUT most_lost interval, OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    types regtype[];
    leaf text;
    place record;
    picked record;
BEGIN
    PERFORM _flakeid_functions.flakeid_lock_backfill(target);
    types := ARRAY[_flakeid_functions.flakeid_column_type(target, id_column), _flakeid_functions.flakeid_column_type(parent, parent_column),
        _flakeid_functions.flakeid_column_type(target, reference_column), _flakeid_functions.flakeid_column_type(parent, key_column)];
    IF types[1] <> types[2] THEN
        RAISE 'columns "%" and "%" have different types', id_column, parent_column
            USING ERRCODE = 'datatype_mismatch', DETAIL = format('Their types are %s and %s.', types[1], types[2]);
    END IF;
    PERFORM _flakeid_functions.flakeid_hold(parent, false);
    PERFORM _flakeid_functions.flakeid_check_index(parent, key_column);

    SELECT t AS leaf, p.page, p.page + greatest(CASE WHEN c.reltuples > 0 THEN batch::numeric * c.relpages / c.reltuples::numeric ELSE batch / 100 END, 1)::bigint AS next INTO place
    FROM _flakeid_functions.flakeid_backfill_tree(target) AS t JOIN pg_class AS c ON c.oid = t
        CROSS JOIN LATERAL (SELECT CASE WHEN split_part(start, ' ', 1) = t::text THEN nullif(split_part(start, ' ', 2), '')::bigint ELSE 0 END AS page) AS p
    WHERE t >= coalesce(nullif(split_part(start, ' ', 1), ''), '0')::oid AND p.page < pg_relation_size(t::regclass) / current_setting('block_size')::int ORDER BY t LIMIT 1;
    count := 0;
    reached := '';
    IF place.leaf IS NULL THEN
        RETURN;
    END IF;
    -- hold it, too: whoever owns its schema could put another object in the place of a child
    leaf := _flakeid_functions.flakeid_hold(place.leaf::regclass, false);
    SELECT * INTO picked FROM _flakeid_functions.flakeid_backfill_pick(target, id_column,
        CASE WHEN skip < 0 THEN format('ONLY %s AS c', leaf) ELSE format('%s AS c', target) END,
        _flakeid_functions.flakeid_backfill_lookup(reference_column, parent, key_column, parent_column) || ' IS NOT NULL' || CASE WHEN skip < 0 THEN format(' AND c.ctid >= ''(%s,0)'' AND c.ctid < ''(%s,0)''', place.page, place.next) ELSE '' END,
        CASE WHEN skip < 0 THEN 'ctid' ELSE concat_ws(', ', quote_ident(reference_column), _flakeid_functions.flakeid_backfill_key(target), 'tableoid', 'ctid') END,
        'NULL::timestamptz', 'NULL', 2147483647, skip, '');
    reached := CASE WHEN skip < 0 THEN concat(place.leaf, ' ', place.next) ELSE picked.reached END;
    SELECT picked.refused, picked.left_out INTO refused, left_out;
    EXECUTE format(
        'WITH changed AS (
            UPDATE %1$s AS c SET %2$I = %3$s FROM unnest($1, $2) AS u (relation, row)
            WHERE c.ctid = ANY ($2) AND c.ctid = u.row AND c.tableoid = u.relation AND %3$s IS NOT NULL
            RETURNING c.%2$I
        )
        SELECT count(*), count(%2$I) FROM changed', target, id_column, _flakeid_functions.flakeid_backfill_lookup(reference_column, parent, key_column, parent_column))
    INTO count, changed USING picked.tables, picked.rows;
END
$$;

CREATE PROCEDURE _flakeid_functions.flakeid_backfill_reference(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name, batch int
)
    LANGUAGE plpgsql
AS $$
BEGIN
    CALL _flakeid_functions.flakeid_backfill_run(target, id_column, pg_catalog.format('now refer by column "%s"', id_column), 'refer to nothing, or to a row without a value', batch,
        pg_catalog.num_nulls(target, id_column, reference_column, parent, key_column, parent_column, batch),
        pg_catalog.format('SELECT * FROM _flakeid_functions.flakeid_backfill_pages(%L, %L, %L, %L, %L, %L, %L, $1, $2)',
            target::pg_catalog.oid, id_column, reference_column, parent::pg_catalog.oid, key_column, parent_column, batch));
END
$$;

/* ---------- what users call: the functions above, for the owner of the table ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_backfill_batch(
    target regclass, id_column name, time_column name, batch int, number int, meta int, siq_type text, time_zone text, start text, skip int,
    OUT count bigint, OUT changed bigint, OUT reached text, OUT refused text, OUT left_out bigint, OUT note text,
    OUT rounded bigint, OUT most_lost interval, OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_backfill_pages(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name, batch int, start text, skip int,
    OUT count bigint, OUT changed bigint, OUT reached text, OUT refused text, OUT left_out bigint, OUT note text,
    OUT rounded bigint, OUT most_lost interval, OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE PROCEDURE flakeid_backfill(
    target regclass, id_column name, time_column name, batch int DEFAULT 1000,
    number int DEFAULT -1, meta int DEFAULT 0, siq_type text DEFAULT '', time_zone text DEFAULT ''
)
    AS 'MODULE_PATHNAME', 'flakeid_call' LANGUAGE C;
CREATE PROCEDURE flakeid_backfill_reference(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name, batch int DEFAULT 1000
)
    AS 'MODULE_PATHNAME', 'flakeid_call' LANGUAGE C;

COMMENT ON FUNCTION _flakeid_functions.flakeid_column_type(regclass, name, text) IS 'type of a column; an error if there is no such column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_own_type(regtype) IS 'name of a type of flakeid; NULL for other types';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_index(regclass, name) IS 'error unless an index begins with the column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_key(regclass) IS 'columns of the primary key, as a list';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_tree(regclass) IS 'tables that have the rows of a table: itself, its partitions, its children';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_time(regclass, name, text) IS 'expressions for the instant that a column holds, and for the order of instants';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_rule(regclass, name, name, int, int, text, text) IS 'how flakeid_backfill makes the IDs of a column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_pick(regclass, name, text, text, text, text, text, int, int, text) IS 'lock rows that have no value in a column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_batch_as_owner(regclass, name, name, int, int, int, text, text, text, int) IS 'does the work of flakeid_backfill_batch';
COMMENT ON PROCEDURE _flakeid_functions.flakeid_backfill_run(regclass, name, text, text, int, int, text) IS 'fill a column in batches with commits';
COMMENT ON PROCEDURE _flakeid_functions.flakeid_backfill(regclass, name, name, int, int, int, text, text) IS 'does the work of flakeid_backfill';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_lookup(name, regclass, name, name) IS 'query that looks up what a row refers to';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_pages_as_owner(regclass, name, name, regclass, name, name, int, text, int) IS 'does the work of flakeid_backfill_pages';
COMMENT ON PROCEDURE _flakeid_functions.flakeid_backfill_reference(regclass, name, name, regclass, name, name, int) IS 'does the work of flakeid_backfill_reference';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_batch(regclass, name, name, int, int, int, text, text, text, int) IS 'a batch of flakeid_backfill, for the owner of the table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_pages(regclass, name, name, regclass, name, name, int, text, int) IS 'a batch of flakeid_backfill_reference, for the owner of the table';
COMMENT ON PROCEDURE flakeid_backfill(regclass, name, name, int, int, int, text, text) IS 'give each row without an ID one of the row''s time, in batches with commits; call it again if it was interrupted';
COMMENT ON PROCEDURE flakeid_backfill_reference(regclass, name, name, regclass, name, name, int) IS 'fill a referring column from another column of the row that it refers to, in batches with commits; call it again if it was interrupted';
/* ---------- which type is this ID? ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_gregorian(id uuid) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Return the answer of a query about a text, its $1, and the uuid that it may be, $2; nothing if it
-- reports that the text is none of its type.
CREATE FUNCTION _flakeid_functions.flakeid_read_as(query text, given text, uuid_text text)
    RETURNS TABLE (format text, "timestamp" timestamptz, parts jsonb)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY EXECUTE query USING given, uuid_text;
EXCEPTION WHEN data_exception THEN
    NULL;
END
$$;

-- List every format that accepts the text.  Those whose instant is not in the future come
-- first, newest first.
CREATE FUNCTION _flakeid_functions.flakeid_guess(
    id text, OUT format text, OUT "timestamp" timestamptz, OUT parts jsonb
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    given text := btrim(id, E' \t\r\n');
    uuid_text text := CASE WHEN replace(given, chr(92) || 'x', '') ~* '^[0-9a-f]{32}$'
        THEN right(given, 32) WHEN given ~ '-' THEN given ELSE '' END;
    soon timestamptz := now() + interval '1 day';
BEGIN
    RETURN QUERY WITH readings (query) AS (
        -- our own types, as text or as the uuid that they were cast to
        SELECT format($q$SELECT %2$L::text, i."timestamp", to_jsonb(i) - '{text,bytes,timestamp}'::text[]
            FROM %1$s.%3$I($1::%1$s.%2$I) AS i$q$, home, f.name, f.name || '_inspect')
        FROM _flakeid_functions.flakeid_show_formats() AS f
        UNION ALL
        SELECT format($q$SELECT '%2$s as uuid'::text, i."timestamp", to_jsonb(i) - '{bytes,timestamp}'::text[]
            FROM %1$s.%2$s_inspect($2::uuid::%1$s.%2$s) AS i$q$, home, t.name)
        FROM unnest('{sno,flax,siq}'::text[]) AS t (name)
        UNION ALL
        -- only the variant of RFC 4122 has a digit for the version
        SELECT format($q$SELECT concat('uuid', ' v' || v.version),
                coalesce(%1$s.uuid7_timestamp(v.id)::timestamptz, _flakeid_functions.flakeid_gregorian(v.id)),
                jsonb_strip_nulls(jsonb_build_object('version', v.version))
            FROM (SELECT u, ('x' || substring(u::text FROM '^.{14}(.)....[89ab]'))::bit(4)::int
                FROM CAST($2 AS uuid) AS u) AS v (id, version)$q$, home)
        UNION ALL
        SELECT format($q$SELECT 'ulid as uuid'::text, t::timestamptz, '{}'::jsonb FROM %1$s.ulid_timestamp($2::uuid) AS t
            WHERE %1$s.uuid7_timestamp($2::uuid) IS NULL AND t BETWEEN '2010-01-01Z' AND %2$L$q$, home, soon)
        UNION ALL
        -- texts of other libraries, if their time fits: many a word has the digits of one
        SELECT format($q$SELECT 'text, layout %2$s'::text, t::timestamptz, '{}'::jsonb
            FROM %1$s.layout_timestamp($1, '%2$s'::text) AS t WHERE t BETWEEN '2005-01-01Z' AND %3$L$q$, home, l.name, soon)
        FROM unnest('{aid,aidx,cuid,meid,meidg,objectid,ulid_lower,xid}'::text[]) AS l (name)
        UNION ALL
        SELECT format($q$SELECT 'typeid'::text, %1$s.uuid7_timestamp(u)::timestamptz,
                jsonb_build_object('prefix', p, 'uuid', u)
            FROM %1$s.typeid_prefix($1) AS p, %1$s.typeid_uuid($1, p) AS u$q$, home)
        WHERE strpos(given, '_') > 0
        UNION ALL
        SELECT format($q$SELECT 'bigint, layout ' || l.name, %1$s.layout_timestamp($1::bigint, l.name)::timestamptz,
                jsonb_build_object(l.low_parts, $1::bigint & ((1::bigint << l.low_bits) - 1))
            FROM %1$s.flakeid_layouts AS l$q$, home)
        WHERE given ~ '^[0-9]{1,19}$'
    )
    SELECT g.* FROM (SELECT q.query, row_number() OVER () AS n FROM readings AS q) AS r,
        _flakeid_functions.flakeid_read_as(r.query, given, uuid_text) AS g
    ORDER BY g."timestamp" IS NULL, g."timestamp" > soon, g."timestamp" DESC, r.n;
END
$$;

-- Guess the format of a column by a sample of its rows; with a column of times, those that fit
-- come first.
CREATE FUNCTION _flakeid_functions.flakeid_guess(
    target regclass, id_column name, time_column name, time_zone text,
    OUT format text, OUT rows bigint, OUT fit bigint, OUT first_timestamp timestamptz, OUT last_timestamp timestamptz
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    table_name CONSTANT text := _flakeid_functions.flakeid_hold(target, false);
    instant text := 'NULL::timestamptz';
    sample text;
BEGIN
    PERFORM _flakeid_functions.flakeid_column_type(target, id_column, 'Name the column that has the IDs.');
    IF time_column <> '' THEN
        instant := (_flakeid_functions.flakeid_backfill_time(target, time_column, time_zone)).instant;
    END IF;
    -- a part of a large table, from which the first hundred rows are taken
    sample := (SELECT format(' TABLESAMPLE SYSTEM (%s)', greatest(300000 / c.reltuples, 0.01))
        FROM pg_class AS c WHERE c.oid = target AND c.reltuples > 10000);
    RETURN QUERY EXECUTE format('SELECT g.format, count(*),
            count(*) FILTER (WHERE g."timestamp" BETWEEN s.at - interval ''1 min'' AND s.at + interval ''1 min''),
            min(g."timestamp"), max(g."timestamp")
        FROM (SELECT %1$I::text AS id, %2$s AS at FROM %3$s WHERE %1$I IS NOT NULL LIMIT 100) AS s,
            _flakeid_functions.flakeid_guess(s.id) AS g
        GROUP BY g.format
        ORDER BY 3 DESC, 2 DESC, max(g."timestamp") IS NULL, max(g."timestamp") > now() + interval ''1 day'', 5 DESC, 1',
        id_column, instant, concat(table_name, sample));
END
$$;

CREATE FUNCTION flakeid_guess(id text, OUT format text, OUT "timestamp" timestamptz, OUT parts jsonb)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'flakeid_call' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 5;
CREATE FUNCTION flakeid_guess(
    target regclass, id_column name, time_column name DEFAULT '', time_zone text DEFAULT '',
    OUT format text, OUT rows bigint, OUT fit bigint, OUT first_timestamp timestamptz, OUT last_timestamp timestamptz
) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'flakeid_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 5;

COMMENT ON FUNCTION _flakeid_functions.flakeid_gregorian(uuid) IS 'time in a UUID of version 1 or 6, NULL for others';
COMMENT ON FUNCTION _flakeid_functions.flakeid_read_as(text, text, text) IS 'answer of a query about a text';
COMMENT ON FUNCTION _flakeid_functions.flakeid_guess(text) IS 'does the work of flakeid_guess';
COMMENT ON FUNCTION _flakeid_functions.flakeid_guess(regclass, name, name, text) IS 'does the work of flakeid_guess as the owner of the table';
COMMENT ON FUNCTION flakeid_guess(text) IS 'formats in which a text can be an ID, with its instant and parts in each; the likeliest first';
COMMENT ON FUNCTION flakeid_guess(regclass, name, name, text) IS 'formats of a column, by a sample of 100 rows: how many can be IDs of each, and how many have the time of the other column, to the minute';
/* ---------- the doctor ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_clock_synchronised() RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_clock_jump() RETURNS interval
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_library_replaced() RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_mark_rows(OUT relation oid, OUT rows int, OUT kinds int) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE ROWS 1;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_mark_rows() FROM PUBLIC;

COMMENT ON FUNCTION _flakeid_functions.flakeid_clock_synchronised() IS 'whether the kernel says that its clock is synchronised; true where it cannot be asked';
COMMENT ON FUNCTION _flakeid_functions.flakeid_clock_jump() IS 'by how much the clock was set ahead since flakeid_clock.since, or back if negative; NULL: not known yet';
COMMENT ON FUNCTION _flakeid_functions.flakeid_mark_rows() IS 'the table of the mark, how many rows it has, and of how many kinds';
COMMENT ON FUNCTION _flakeid_functions.flakeid_library_replaced() IS 'whether the installed library differs from the one that this session has loaded';

-- A probe reads catalogs, statistics, flakeid's memory and the mark, and no user's table.
--
-- "fix" is a statement that can be run as it is, or NULL where a person has to decide.  It
-- never sets a node number, as nothing here knows which servers have it.  Its calls have all
-- their arguments, so that they mean no other function of that name.
CREATE TYPE _flakeid_functions.flakeid_finding AS (severity text, subject text, finding text, fix text);

COMMENT ON TYPE _flakeid_functions.flakeid_finding IS 'row of flakeid_doctor()';

-- The view reports an error if the mark is damaged or cannot be read, or if another version
-- made the memory; then the generators report it, too.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_memory() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    fault text;
BEGIN
    EXECUTE format('SELECT c.setting_fault FROM %s.flakeid_clock AS c', _flakeid_functions.flakeid_home()) INTO fault;
    IF fault IS NOT NULL THEN
        RETURN QUERY SELECT 'error', 'settings', format('There is a fault in the settings: %s. '
            'Correct postgresql.conf, and reload.', rtrim(fault, '.')), NULL;
    -- if the library is preloaded, the server refuses a bad value, and sessions never see it
    ELSIF has_function_privilege('pg_show_all_file_settings()', 'EXECUTE') THEN
        RETURN QUERY SELECT 'error', 'settings', format('The server refuses %s = ''%s'' (%s, line %s). '
                'Correct it, and reload.', f.name, f.setting, f.sourcefile, f.sourceline), NULL
            FROM pg_show_all_file_settings() AS f WHERE f.name LIKE 'flakeid.%' AND f.error IS NOT NULL;
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_library() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    at record;
BEGIN
    SELECT x.extversion, x.extowner, n.oid, n.nspname, n.nspowner, l.version, l.preloaded INTO at
    FROM pg_extension AS x JOIN pg_namespace AS n ON n.oid = x.extnamespace, _flakeid_functions.flakeid_library() AS l
    WHERE x.extname = 'flakeid';
    IF at.version <> at.extversion THEN
        RETURN QUERY SELECT 'error', 'version', format('The library is version %s, the extension in this database %s. '
            'If the extension is the newer one, install the library and %s.', at.version, at.extversion,
            CASE WHEN at.preloaded THEN 'restart the server, which has preloaded it' ELSE 'start new sessions' END),
            -- there is no way to update to an older library
            (SELECT format('ALTER EXTENSION flakeid UPDATE TO %L;', u.target) FROM pg_extension_update_paths('flakeid') AS u
            WHERE u.source = at.extversion AND u.target = at.version AND u.path IS NOT NULL);
    ELSIF _flakeid_functions.flakeid_library_replaced() THEN
        RETURN QUERY SELECT 'warning', 'version', format('The library on disk differs from the one that this session '
            'has loaded. Before ALTER EXTENSION flakeid UPDATE, %s.', CASE WHEN at.preloaded
            THEN 'restart the server, which has preloaded it' ELSE 'start a new session; pools keep old ones' END), NULL;
    END IF;
    RETURN QUERY SELECT 'warning', 'schema', format('Roles other than its owner may create objects in schema %I, '
            'such as functions that your calls find instead of flakeid''s.', at.nspname),
            CASE WHEN min(a.grantee) = 0 THEN format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC;', at.nspname) END
        FROM pg_namespace AS n CROSS JOIN aclexplode(n.nspacl) AS a LEFT JOIN pg_roles AS r ON r.oid = a.grantee
        WHERE n.oid = at.oid AND a.privilege_type = 'CREATE' AND a.grantee NOT IN (n.nspowner, at.extowner)
            AND r.rolsuper IS NOT TRUE
        HAVING count(*) > 0;
    -- the database's owner could have created the extension, so owning public adds nothing
    RETURN QUERY SELECT 'warning', 'schema', format('Role %I owns schema %I, but not flakeid, and may create functions '
            'there that your calls find instead of flakeid''s. Give the schema to the owner of flakeid by ALTER SCHEMA.',
            r.rolname, at.nspname), NULL
        FROM pg_roles AS r
        WHERE r.oid = at.nspowner AND r.oid <> at.extowner AND NOT r.rolsuper AND r.rolname <> 'pg_database_owner';
    IF NOT at.preloaded AND current_setting('server_version_num')::int < 170000 THEN
        RETURN QUERY SELECT 'notice', 'shared_preload_libraries', 'On this major version of PostgreSQL it is better to '
            'reserve the memory of flakeid at server start. That takes a restart.',
            -- the list has names in quotes, and not everybody may see it
            CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') THEN (
                SELECT format('ALTER SYSTEM SET shared_preload_libraries = %s;', string_agg(quote_literal(e.name), ', ' ORDER BY e.n))
                FROM (SELECT replace(trim(BOTH '"' FROM m.part[1]), '""', '"') AS name, m.n
                    FROM regexp_matches(current_setting('shared_preload_libraries'), '"(?:[^"]|"")*"|[^", ]+', 'g')
                        WITH ORDINALITY AS m (part, n)
                    UNION ALL SELECT 'flakeid', 1000000) AS e) END;
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_node() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    clock record;
    others text;
BEGIN
    -- types that carry the number: in a column or a domain, or by their generators
    EXECUTE format('SELECT c.node, c.node_source FROM %1$s.flakeid_clock AS c
        WHERE EXISTS (SELECT FROM %1$s.flakeid_generators AS g WHERE g.type IN (''sno'', ''siq'', ''snowflake''))
            OR EXISTS (SELECT FROM pg_type AS t JOIN pg_depend AS d ON d.refclassid = ''pg_type''::regclass AND d.refobjid = t.oid
                WHERE t.typnamespace = $1::regnamespace AND t.typname IN (''sno'', ''siq'', ''snowflake'', ''uid96'')
                    AND d.deptype = ''n'' AND (d.classid = ''pg_class''::regclass OR d.classid = ''pg_type''::regclass))',
        home) INTO clock USING home;
    IF clock IS NULL THEN
        RETURN;
    END IF;
    SELECT string_agg(v.what || v.n, ', ') INTO others FROM (
        SELECT 'replicas connected: ' AS what, count(*) AS n FROM pg_stat_replication
        UNION ALL SELECT 'replication slots: ', count(*) FROM pg_replication_slots
        UNION ALL SELECT 'publications: ', count(*) FROM pg_publication
        UNION ALL SELECT 'subscriptions: ', count(*) FROM pg_subscription AS s JOIN pg_database AS d ON d.oid = s.subdbid
            WHERE d.datname = current_database()
    ) AS v WHERE v.n > 0;
    IF clock.node_source IS DISTINCT FROM 'flakeid.node' AND clock.node IS NOT NULL AND others IS NOT NULL THEN
        RETURN QUERY SELECT 'warning', 'flakeid.node', format('The node is derived from the system identifier, which replicas '
            'and copies of this server share, and there are %s. Set flakeid.node to a number that no other server has.',
            others), NULL;
    END IF;
    RETURN QUERY SELECT 'warning', 'flakeid.node', format('Other databases of this server have the same number (%s): %s. '
            'Where their IDs meet, give each its own number by ALTER DATABASE; it takes effect in new sessions.',
            s.number, s.databases), NULL
        FROM _flakeid_functions.flakeid_same_numbers() AS s;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_citus() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension AS x WHERE x.extname = 'citus') THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE 'SELECT CASE WHEN success THEN ''error'' ELSE ''warning'' END, ''flakeid.node'', CASE WHEN success
            THEN format(''Nodes %s of Citus all have number %s. Set flakeid.node on each of them to its own number, such as ''
                ''its group in pg_dist_node.'', n.nodes, result)
            ELSE format(''The numbers of nodes %s of Citus are not known: %s.'', n.nodes, rtrim(result, ''.'')) END, NULL
        FROM (SELECT success, result, string_agg(nodeid::text, '', '' ORDER BY nodeid) AS nodes, count(*) AS count
            FROM pg_catalog.run_command_on_all_nodes($1) GROUP BY success, result) AS n WHERE NOT success OR n.count > 1'
        USING format('SELECT node FROM %s.flakeid_clock', _flakeid_functions.flakeid_home());
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_subscriptions() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- since 18 core counts errors by their kind
    RETURN QUERY SELECT 'error', format('subscription %I', s.subname),
            format('Its changes could not be applied, %s times%s%s. %s When it is solved, reset the count by pg_stat_reset_subscription_stats().',
                t.apply_error_count, ' since ' || t.stats_reset, CASE WHEN s.subenabled THEN '' ELSE ', and it is disabled' END,
                CASE WHEN k.duplicates = 0 THEN 'None was for a duplicate key: the server''s log says why.'
                    ELSE concat(CASE WHEN k.duplicates > 0 THEN format('Of these %s were for a duplicate key: ', k.duplicates)
                        ELSE 'If the server''s log says "duplicate key", ' END,
                    'another server makes IDs under this database''s number. The subscription cannot continue until that row is removed.') END), NULL
        FROM pg_subscription AS s JOIN pg_database AS d ON d.oid = s.subdbid
            JOIN pg_stat_subscription_stats AS t ON t.subid = s.oid CROSS JOIN LATERAL (
                SELECT (to_jsonb(t) ->> 'confl_insert_exists')::bigint + coalesce((to_jsonb(t) ->> 'confl_multiple_unique_conflicts')::bigint, 0)
            ) AS k (duplicates)
        WHERE d.datname = current_database() AND t.apply_error_count > 0 ORDER BY s.subname;
    -- nothing here knows who reads which table; a uuid may be of any version
    RETURN QUERY WITH RECURSIVE based (subid, relid, type) AS (
            SELECT r.srsubid, r.srrelid, a.atttypid FROM pg_subscription_rel AS r
                JOIN pg_attribute AS a ON a.attrelid = r.srrelid AND a.attnum > 0 AND NOT a.attisdropped
            UNION SELECT b.subid, b.relid, t.typbasetype FROM based AS b JOIN pg_type AS t ON t.oid = b.type AND t.typtype = 'd'
        ), drawn AS (
            -- by the publisher: the sequence of the same name here stays where it is
            SELECT c.relation FROM _flakeid_functions.flakeid_show_sequences() AS f CROSS JOIN LATERAL _flakeid_functions.flakeid_sequence_columns(f.sequence) AS c
            WHERE f.asked IS NOT NULL
        ), keys AS (
            SELECT v.subid, v.relid FROM based AS v JOIN pg_type AS t ON t.oid = v.type
                    AND t.typname IN (SELECT f.name FROM _flakeid_functions.flakeid_show_formats() AS f WHERE f.time_ordered)
                JOIN pg_depend AS d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
                JOIN pg_extension AS x ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND x.extname = 'flakeid'
            UNION SELECT r.srsubid, r.srrelid FROM pg_subscription_rel AS r
            -- before 17 the columns of partitions do not show an IDENTITY
            WHERE EXISTS (SELECT FROM drawn AS c WHERE c.relation = r.srrelid OR c.relation IN (SELECT p.relid FROM pg_partition_ancestors(r.srrelid) AS p))
        ), brought AS (
            SELECT s.subname, string_agg(DISTINCT v.relid::regclass::text, ', ' ORDER BY v.relid::regclass::text) AS tables
            FROM pg_subscription AS s JOIN pg_database AS b ON b.oid = s.subdbid JOIN keys AS v ON v.subid = s.oid
            WHERE b.datname = current_database() AND NOT EXISTS (
                SELECT FROM pg_subscription_rel AS h JOIN pg_class AS c ON c.oid = h.srrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE h.srsubid = s.oid AND n.nspname = '_flakeid' AND c.relname = 'horizon')
            GROUP BY s.subname
        )
        SELECT 'notice', format('subscription %I', b.subname),
            format('It brings rows with IDs (%s), but not the table _flakeid.horizon. So horizons do not know which rows are '
                'still on their way, and feeds that read up to them miss some, or stand still. If there are such feeds: on the publisher, '
                'ALTER PUBLICATION ... ADD TABLE _flakeid.horizon, and call flakeid_publish_horizon() regularly, with the sequences that are read; '
                'then, here, ALTER SUBSCRIPTION %I REFRESH PUBLICATION.',
                CASE WHEN length(b.tables) > 200 THEN left(b.tables, 200) || ' ...' ELSE b.tables END, b.subname), NULL
        FROM brought AS b ORDER BY b.subname;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_mark() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    mark record;
BEGIN
    -- the caller may use neither the table nor its schema
    SELECT * INTO mark FROM _flakeid_functions.flakeid_mark_rows();
    IF mark.rows > 3 THEN
        RETURN QUERY SELECT 'warning', '_flakeid.mark', format('The table has %s rows instead of 3, as after a restore with '
            '--disable-triggers. They count, also after a reset of the clock.', mark.rows),
            -- the first row of a kind is the library's; inserting the others adds to it what they say
            'BEGIN; ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert; INSERT INTO _flakeid.mark TABLE _flakeid.mark; '
            'ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_change; '
            'DELETE FROM _flakeid.mark AS m USING _flakeid.mark AS f WHERE f.kind = m.kind AND f.ctid < m.ctid; '
            'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change; ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_truncate; COMMIT;';
    END IF;
    RETURN QUERY SELECT 'warning', '_flakeid.mark', format('Trigger %s, which keeps the mark from being lowered, does not always fire.', t.tgname),
            format('ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER %I;', t.tgname)
        FROM pg_trigger AS t
        WHERE t.tgrelid = mark.relation AND starts_with(t.tgname::text, 'mark_') AND t.tgenabled <> 'A' ORDER BY t.tgname;
    RETURN QUERY SELECT 'error', '_flakeid.mark', 'The table has an index. The generators refuse to write the table until the index is dropped.',
            format('DROP INDEX %s;', i.indexrelid::regclass)
        FROM pg_index AS i WHERE i.indrelid = mark.relation;
    RETURN QUERY SELECT 'error', '_flakeid.mark', 'The table is not permanent: a crash would empty it.', 'ALTER TABLE _flakeid.mark SET LOGGED;'
        FROM pg_class AS c WHERE c.oid = mark.relation AND c.relpersistence <> 'p';
    -- After the findings above, whose faults keep flakeid_advance() from writing the table.
    -- VACUUM first: until then the library reads a deleted row, and it keeps the first of two
    -- rows of a kind.  The other rows may have wrong times, which are added to all kinds.
    IF mark.kinds < 3 THEN
        RETURN QUERY SELECT 'error', '_flakeid.mark', 'The table lacks a row, so nothing records which IDs were issued. '
            'The fix puts it back, with an instant after the clock and after the remaining marks. '
            'If the clock has been set back since the last ID was made, write an instant after that ID in place of now(), both times.',
            format('VACUUM _flakeid.mark; BEGIN; ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert; '
            'INSERT INTO _flakeid.mark SELECT n, 1, ''-infinity'', '
            'greatest(now() + interval ''3 s'', (SELECT max((ARRAY[to_1, to_2, to_3, to_4, to_5, to_6])[current]) FROM _flakeid.mark))%s '
            'FROM generate_series(0, 2) AS n WHERE n NOT IN (SELECT kind FROM _flakeid.mark); '
            'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert; COMMIT; '
            'INSERT INTO _flakeid.mark SELECT (jsonb_populate_record(m, jsonb_build_object(''kind'', n))).* FROM _flakeid.mark AS m, generate_series(0, 2) AS n; '
            'SELECT %s.flakeid_advance(now(), false);', repeat(', ''-infinity''', 10), _flakeid_functions.flakeid_home());
    END IF;
END
$$;

-- Also whether the times that it will show were issued before; intervals of different kinds that
-- meet are one.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_clock() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    at record;
    max_ahead interval;
    jump interval;
BEGIN
    IF NOT _flakeid_functions.flakeid_clock_synchronised() THEN
        RETURN QUERY SELECT 'notice', 'clock', 'The kernel says that its clock is not synchronised: no NTP daemon runs, '
            'or it has not succeeded yet. SQL cannot fix that.', NULL;
    END IF;
    -- held_until as flakeid_clock_reset() decides: of kinds that need no reset it does not matter
    EXECUTE format('SELECT c.clock, c.ahead_by, c.since, greatest(c.mark, c.high_water) AS issued,
            greatest(c.mark - interval ''2 s'', c.high_water) - c.clock AS behind, (
                SELECT max(i.issued_to) FROM %1$s.flakeid_issued AS i JOIN %1$s.flakeid_issued AS k ON k.kind = i.kind AND k.is_current
                WHERE c.clock >= i.issued_from AND c.clock < i.issued_to AND k.issued_to > c.clock + interval ''2 s''
            ) AS held_until
        FROM %1$s.flakeid_clock AS c', home) INTO at;
    max_ahead := current_setting('flakeid.max_ahead')::interval;
    jump := _flakeid_functions.flakeid_clock_jump();
    IF jump > max_ahead THEN
        RETURN QUERY SELECT 'warning', 'clock jump', format('Since %s the clock was set ahead by %s, and reads %s now. '
            'If it is wrong, correct it, and then call flakeid_clock_reset(now()): IDs made until then count as issued. '
            'If it is right, as after a pause of a virtual machine, reset the counters by flakeid_stats_reset().',
            at.since, justify_hours(jump), at.clock), NULL;
    END IF;
    IF at.behind > max_ahead THEN
        RETURN QUERY SELECT 'error', 'clock', concat(format('The clock reads %s, but IDs count as issued up to %s, which is more '
            'than flakeid.max_ahead later: generators refuse. If the clock is right now, reset; otherwise correct it.', at.clock, at.issued),
            ' IDs of the current time were issued, too, up to ' || at.held_until || ': wait until then, or call flakeid_clock_reset(now(), '
            'force => true), after which IDs may repeat.'),
            CASE WHEN at.held_until IS NULL THEN format('SELECT %s.flakeid_clock_reset(now(), false);', home) END;
    ELSIF at.ahead_by > max_ahead / 2 THEN
        RETURN QUERY SELECT 'warning', 'clock', format('IDs are %s ahead of the clock, and flakeid.max_ahead is %s: '
            'correct the clock, or wait.', at.ahead_by, max_ahead), NULL;
    END IF;
    FOR at IN EXECUTE format('SELECT lower(r.span) AS since, upper(r.span) AS until, r.span @> c.clock AS now FROM %1$s.flakeid_clock AS c CROSS JOIN LATERAL (
            SELECT unnest(range_agg(tstzrange(i.issued_from, i.issued_to))) FROM %1$s.flakeid_issued AS i WHERE NOT i.is_current AND i.issued_to > c.clock
        ) AS r (span) ORDER BY 1', home) LOOP
        -- force gives up what keeps them from being repeated, so a person has to decide
        RETURN QUERY SELECT 'notice', 'issued interval', format('IDs of the time from %s to %s already exist: they were made while the '
            'clock was wrong, or were restored from a dump. When the clock gets there, sno continues on its other timeline, and the '
            'other types continue ahead of the clock within flakeid.max_ahead, or report an error, until the clock is past that time. %s',
            at.since, at.until, CASE WHEN at.now THEN format('It is there now: wait until %s, or call '
                'flakeid_clock_reset(now(), force => true), after which IDs may repeat.', at.until)
                ELSE 'Until then there is nothing to do.' END), NULL;
    END LOOP;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_generators() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    at record;
BEGIN
    FOR at IN EXECUTE format('SELECT g.*, format(''generator %%s %%s'', g.type, g.number) AS subject, g.used > 0.8 * g.capacity AS full,
            g.capacity >> f.sequence_bits = 0 AS narrow, clock_timestamp() - interval ''1 hour'' AS since
        FROM %1$s.flakeid_generators AS g JOIN %1$s.flakeid_formats AS f ON f.name = g.type', home) LOOP
        IF at.last_overflow > at.since THEN
            RETURN QUERY SELECT 'warning', at.subject, format('Calls that found a tick used up: %s, the last one at %s. '
                'Spread IDs over partitions, or give this database a wider range; then reset the counters.',
                at.overflows, at.last_overflow), format('SELECT %s.flakeid_stats_reset();', home);
        ELSIF at.tick > at.since AND at.full THEN
            -- what other servers and databases have of the pool is not known here
            RETURN QUERY SELECT 'notice', at.subject, format('%s of the %s numbers of its last tick are leased: the pool is nearly exhausted. ',
                at.used, at.capacity) || CASE WHEN at.narrow
                THEN format('The pool is %s to %s; if no other server or database has the rest, widen it by flakeid.%s.', at.sequence_min, at.sequence_max,
                    CASE at.type WHEN 'sno' THEN 'sno_sequence_min and flakeid.sno_sequence_max' ELSE 'snowflake_process' END)
                ELSE 'If that happens often, spread IDs over partitions or databases.' END, NULL;
        END IF;
    END LOOP;
END
$$;

-- Where nobody asks for horizons, nobody waits.  Otherwise a person has to decide whether the
-- transaction is worth it.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_holders() RETURNS SETOF _flakeid_functions.flakeid_finding
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    at record;
BEGIN
    FOR at IN EXECUTE format('SELECT h.*, date_trunc(''second'', h.age) AS held
        FROM %1$s.flakeid_horizon_holders AS h WHERE h.age > interval ''1 minute'' AND (SELECT c.horizon_asked FROM %1$s.flakeid_clock AS c) IS NOT NULL
        ORDER BY h.age DESC, h.pid, h.prepared LIMIT 5', _flakeid_functions.flakeid_home()) LOOP
        RETURN QUERY SELECT 'warning', 'horizon', format('%s has %s for %s: feeds that read up to it wait. %s',
            CASE WHEN at.pid IS NULL THEN format('Prepared transaction %L of %I', at.prepared, at.role)
                ELSE format('Process %s of %I (%s)', at.pid, at.role, coalesce(at.state, 'you may not see what it does')) END,
            CASE WHEN at.sequence IS NOT NULL THEN format('drawn from sequence %s and has held its horizon', at.sequence)
                ELSE concat('made IDs', CASE WHEN at.pid IS NOT NULL THEN ' in a transaction' END, ' and has held all horizons') END,
            at.held, CASE WHEN at.pid IS NULL THEN format('End it: COMMIT PREPARED %1$L, or ROLLBACK PREPARED %1$L.', at.prepared)
                ELSE concat(format('To end it: SELECT pg_terminate_backend(%s).', at.pid), CASE WHEN at.state LIKE 'idle in transaction%'
                    THEN ' Set idle_in_transaction_session_timeout, which ends such sessions.' END) END), NULL;
    END LOOP;
END
$$;

CREATE FUNCTION flakeid_doctor(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    probe record;
    told text;      -- what the generators report
    detail text;
    well boolean := true;
BEGIN
    FOR probe IN SELECT v.name, v.subject FROM (VALUES
        ('memory', 'flakeid'), ('library', 'version'), ('node', 'flakeid.node'), ('citus', 'flakeid.node'),
        ('subscriptions', 'subscription'), ('mark', '_flakeid.mark'), ('clock', 'clock'), ('generators', 'generators'),
        ('holders', 'horizon'), ('sequences', 'horizon')) AS v (name, subject) LOOP
        BEGIN
            -- a stranger may have made a schema of the name; there may be no library to ask
            IF NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_namespace'::regclass AND d.objid = '_flakeid_functions'::regnamespace
                AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e') THEN
                RAISE 'schema "_flakeid_functions" is not the extension''s' USING DETAIL = 'Give the schemas of flakeid their names again.';
            END IF;
            FOR severity, subject, finding, fix IN EXECUTE format('SELECT p.severity, p.subject, p.finding, p.fix FROM _flakeid_functions.%I() AS p', 'flakeid_doctor_' || probe.name) LOOP
                -- a standby takes over what its primary writes
                IF fix !~ '^ALTER SYSTEM|flakeid_stats_reset' AND pg_is_in_recovery() THEN
                    finding := format('%s This is a standby: if its own clock is right, type on the primary: %s', finding, fix);
                    fix := NULL;
                END IF;
                well := false;
                RETURN NEXT;
            END LOOP;
        EXCEPTION WHEN OTHERS THEN
            -- what the generators report is said once
            CONTINUE WHEN SQLERRM = told;
            GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
            severity := CASE WHEN SQLSTATE IN ('55P03', '40P01') THEN 'warning' ELSE 'error' END;
            subject := probe.subject; fix := NULL; well := false;
            finding := concat_ws(' ', format('%s: %s.', CASE WHEN subject = 'flakeid' AND severity = 'error' THEN 'The generators and flakeid_clock report' ELSE 'This could not be checked' END, SQLERRM), nullif(detail, ''));
            told := CASE WHEN subject = 'flakeid' AND severity = 'error' THEN SQLERRM ELSE told END;
            RETURN NEXT;
        END;
    END LOOP;
    IF well THEN
        severity := 'ok'; subject := 'flakeid'; finding := 'Nothing was found.'; fix := NULL;
        RETURN NEXT;
    END IF;
END
$$;

REVOKE ALL ON FUNCTION flakeid_doctor() FROM PUBLIC;

COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_library() IS 'what is wrong with the library, the extension and its schema';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_memory() IS 'what is wrong with the memory, the mark as generators see it, and the settings';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_node() IS 'what is wrong with the number';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_citus() IS 'what is wrong with the numbers of nodes of Citus';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_subscriptions() IS 'what is wrong with subscriptions';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_mark() IS 'what is wrong with the mark';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_clock() IS 'what is wrong with the clock, and with times that were issued before';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_generators() IS 'what is wrong with the generators';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_holders() IS 'transactions that have held the horizons for a long time';
COMMENT ON FUNCTION flakeid_doctor() IS 'what is wrong with flakeid in this database, and the statement that fixes it, unless a person has to decide';
/* ---------- privileges ---------- */

-- All that follows is looked up in pg_catalog alone: from here on every name of the
-- extension is qualified.
SET LOCAL search_path = pg_catalog, pg_temp;

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
GRANT EXECUTE ON FUNCTION @extschema@.flakeid_doctor(), _flakeid_functions.flakeid_mark_rows(), _flakeid_functions.flakeid_derived_node(oid),
    _flakeid_functions.flakeid_numbers(), _flakeid_functions.flakeid_same_numbers() TO pg_monitor, pg_database_owner;
GRANT SELECT ON @extschema@.flakeid_clock, @extschema@.flakeid_formats, @extschema@.flakeid_generators,
    @extschema@.flakeid_horizon_holders, @extschema@.flakeid_issued, @extschema@.flakeid_layouts TO PUBLIC;

-- last: from here on IDs may be made
SELECT _flakeid.flakeid_mark_take_over();
SELECT _flakeid_functions.flakeid_tell_same_numbers();
