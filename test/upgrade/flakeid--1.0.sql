-- flakeid: sortable IDs as PostgreSQL types.  Joined from src/*.sql by make.

-- complain if this script is sourced in psql instead of by CREATE EXTENSION
\echo Use "CREATE EXTENSION flakeid" to load this file. \quit

-- What no user calls: the functions of views and plans, the steps of other functions, the
-- functions of operators whose names would begin with a type of core's (timestamptz_lt_sno),
-- and operators that only operator families use.  What begins with one of our types' names
-- is in the extension's own schema.  Every role may use this schema and none may create
-- anything in it, so a full name always means ours.  It has no tables: a role that may use a
-- table's schema can lock the table.
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
CREATE FUNCTION _flakeid_functions.flakeid_before_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_since_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_not_after_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_after_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_within_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_multirange_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_next_instant(timestamptz) IS 'the instant a microsecond later; infinity after the last one; the infinities themselves for the infinities';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_start(tstzrange) IS 'first instant of a range; -infinity if there is none, infinity if the range is empty';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_end(tstzrange) IS 'first instant after a range; infinity if there is none, -infinity if the range is empty';
COMMENT ON FUNCTION _flakeid_functions.flakeid_before_support(internal) IS 'planner support for id < timestamptz';
COMMENT ON FUNCTION _flakeid_functions.flakeid_since_support(internal) IS 'planner support for id >= timestamptz';
COMMENT ON FUNCTION _flakeid_functions.flakeid_not_after_support(internal) IS 'planner support for id <= timestamptz';
COMMENT ON FUNCTION _flakeid_functions.flakeid_after_support(internal) IS 'planner support for id > timestamptz';
COMMENT ON FUNCTION _flakeid_functions.flakeid_within_support(internal) IS 'planner support for id <@ tstzrange';
COMMENT ON FUNCTION _flakeid_functions.flakeid_multirange_support(internal) IS 'planner support for flakeid_within(id, tstzmultirange)';
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

CREATE FUNCTION sno_in(cstring) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_out(sno) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_recv(internal) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_send(sno) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE sno (
    INPUT = sno_in,
    OUTPUT = sno_out,
    RECEIVE = sno_recv,
    SEND = sno_send,
    INTERNALLENGTH = 10, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION sno_in(cstring) IS 'I/O';
COMMENT ON FUNCTION sno_out(sno) IS 'I/O';
COMMENT ON FUNCTION sno_recv(internal) IS 'I/O';
COMMENT ON FUNCTION sno_send(sno) IS 'I/O';

-- comparison

CREATE FUNCTION sno_lt(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_le(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_eq(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_ne(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_ge(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_gt(sno, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_cmp(sno, sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_hash(sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_hash_extended(sno, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION sno_lt(sno, sno) IS 'implementation of < operator';
COMMENT ON FUNCTION sno_le(sno, sno) IS 'implementation of <= operator';
COMMENT ON FUNCTION sno_eq(sno, sno) IS 'implementation of = operator';
COMMENT ON FUNCTION sno_ne(sno, sno) IS 'implementation of <> operator';
COMMENT ON FUNCTION sno_ge(sno, sno) IS 'implementation of >= operator';
COMMENT ON FUNCTION sno_gt(sno, sno) IS 'implementation of > operator';
COMMENT ON FUNCTION sno_cmp(sno, sno) IS 'less-equal-greater';
COMMENT ON FUNCTION sno_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION sno_hash(sno) IS 'hash';
COMMENT ON FUNCTION sno_hash_extended(sno, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (sno, sno) IS 'less than';
COMMENT ON OPERATOR <= (sno, sno) IS 'less than or equal';
COMMENT ON OPERATOR = (sno, sno) IS 'equal';
COMMENT ON OPERATOR <> (sno, sno) IS 'not equal';
COMMENT ON OPERATOR >= (sno, sno) IS 'greater than or equal';
COMMENT ON OPERATOR > (sno, sno) IS 'greater than';

CREATE OPERATOR CLASS sno_ops DEFAULT FOR TYPE sno USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 sno_cmp(sno, sno),
    FUNCTION 2 sno_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS sno_hash_ops DEFAULT FOR TYPE sno USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 sno_hash(sno),
    FUNCTION 2 sno_hash_extended(sno, bigint);

COMMENT ON OPERATOR CLASS sno_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION sno_smaller(sno, sno) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_larger(sno, sno) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(sno) (
    SFUNC = sno_smaller, STYPE = sno, COMBINEFUNC = sno_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(sno) (
    SFUNC = sno_larger, STYPE = sno, COMBINEFUNC = sno_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION sno_smaller(sno, sno) IS 'smaller of two';
COMMENT ON FUNCTION sno_larger(sno, sno) IS 'larger of two';
COMMENT ON AGGREGATE min(sno) IS 'minimum value of all sno input values';
COMMENT ON AGGREGATE max(sno) IS 'maximum value of all sno input values';

-- casts

CREATE FUNCTION sno_to_bytea(sno) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_from_bytea(bytea) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_to_bytea(sno) IS 'the 10 bytes of a sno';
COMMENT ON FUNCTION sno_from_bytea(bytea) IS 'sno from 10 bytes';

CREATE CAST (text AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (sno AS bytea) WITH FUNCTION sno_to_bytea(sno);
CREATE CAST (bytea AS sno) WITH FUNCTION sno_from_bytea(bytea);

COMMENT ON CAST (text AS sno) IS 'sno from its text';
COMMENT ON CAST (varchar AS sno) IS 'sno from its text';
COMMENT ON CAST (bpchar AS sno) IS 'sno from its text';
COMMENT ON CAST (sno AS bytea) IS 'the 10 bytes of a sno';
COMMENT ON CAST (bytea AS sno) IS 'sno from 10 bytes';

-- block ranges

CREATE FUNCTION sno_brin_distance(sno, sno) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION sno_brin_distance(sno, sno) IS 'how many IDs the second sno lies after the first';

CREATE OPERATOR CLASS sno_minmax_ops DEFAULT FOR TYPE sno USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS sno_minmax_multi_ops FOR TYPE sno USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 sno_brin_distance(sno, sno);
CREATE OPERATOR CLASS sno_bloom_ops FOR TYPE sno USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 sno_hash(sno);

COMMENT ON OPERATOR CLASS sno_minmax_ops USING brin IS 'least and greatest sno of a block range';
COMMENT ON OPERATOR CLASS sno_minmax_multi_ops USING brin IS 'several ranges of sno for a block range';
COMMENT ON OPERATOR CLASS sno_bloom_ops USING brin IS 'filter of the hashes of sno in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION sno_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_consistent(internal, sno, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION sno_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION sno_gist_consistent(internal, sno, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS sno_gist_ops DEFAULT FOR TYPE sno USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 sno_gist_consistent(internal, sno, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 sno_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 sno_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS sno_gist_ops USING gist IS 'ranges of sno, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION sno_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY sno_ops USING btree ADD FUNCTION 6 (sno, sno) sno_skipsupport(internal);
        ALTER OPERATOR FAMILY sno_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION sno_timestamp(sno) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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

CREATE FUNCTION sno_lt_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION sno_le_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION sno_ge_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION sno_gt_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION sno_cmp_timestamptz(sno, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_cmp_le_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_sno(timestamptz, sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_contained_by_tstzrange(sno, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_sno(flakeid_period, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id sno, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'sno_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_multirange_support;
CREATE FUNCTION sno_in_range(sno, sno, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_lt_timestamptz(sno, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION sno_le_timestamptz(sno, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION sno_ge_timestamptz(sno, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION sno_gt_timestamptz(sno, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION sno_cmp_timestamptz(sno, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION sno_cmp_le_timestamptz(sno, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_sno(timestamptz, sno) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_sno(timestamptz, sno) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_sno(timestamptz, sno) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_sno(timestamptz, sno) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_sno(timestamptz, sno) IS 'less-greater';
COMMENT ON FUNCTION sno_contained_by_tstzrange(sno, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_sno(flakeid_period, sno) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(sno, tstzmultirange) IS 'is the instant of the sno in one of the periods?';
COMMENT ON FUNCTION sno_in_range(sno, sno, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_lt_sno,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_le_sno,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_ge_sno,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = _flakeid_functions.timestamptz_gt_sno,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR |<= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <@ (
    LEFTARG = sno, RIGHTARG = flakeid_period, FUNCTION = sno_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = sno, FUNCTION = _flakeid_functions.tstzrange_contains_sno,
    COMMUTATOR = <@,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (sno, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR <= (sno, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR >= (sno, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR > (sno, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR < (timestamptz, sno) IS 'before the instant of the sno';
COMMENT ON OPERATOR <= (timestamptz, sno) IS 'at or before the instant of the sno';
COMMENT ON OPERATOR >= (timestamptz, sno) IS 'at or after the instant of the sno';
COMMENT ON OPERATOR > (timestamptz, sno) IS 'after the instant of the sno';
COMMENT ON OPERATOR |<= (sno, timestamptz) IS 'less than or equal, as sno_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (sno, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR @> (flakeid_period, sno) IS 'contains the instant of the sno';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY sno_ops USING btree ADD
    OPERATOR 1 < (sno, timestamptz),
    OPERATOR 2 |<= (sno, timestamptz),
    OPERATOR 4 >= (sno, timestamptz),
    FUNCTION 1 (sno, timestamptz) sno_cmp_timestamptz(sno, timestamptz),
    OPERATOR 2 <= (timestamptz, sno),
    OPERATOR 5 > (timestamptz, sno),
    FUNCTION 1 (timestamptz, sno) _flakeid_functions.timestamptz_cmp_sno(timestamptz, sno),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (sno, interval) sno_in_range(sno, sno, interval, boolean, boolean);
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
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

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

CREATE FUNCTION sno_to_uuid(sno) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_from_uuid(uuid) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_to_uuid(sno) IS 'the 16 characters of a sno as the bytes of a uuid';
COMMENT ON FUNCTION sno_from_uuid(uuid) IS 'sno from a uuid made by sno_to_uuid';

CREATE CAST (sno AS uuid) WITH FUNCTION sno_to_uuid(sno);
CREATE CAST (uuid AS sno) WITH FUNCTION sno_from_uuid(uuid);

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
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_snapshot(partition int) RETURNS jsonb
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
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

CREATE FUNCTION flax_in(cstring) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_out(flax) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_recv(internal) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_send(flax) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE flax (
    INPUT = flax_in,
    OUTPUT = flax_out,
    RECEIVE = flax_recv,
    SEND = flax_send,
    INTERNALLENGTH = 12, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION flax_in(cstring) IS 'I/O';
COMMENT ON FUNCTION flax_out(flax) IS 'I/O';
COMMENT ON FUNCTION flax_recv(internal) IS 'I/O';
COMMENT ON FUNCTION flax_send(flax) IS 'I/O';

-- comparison

CREATE FUNCTION flax_lt(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_le(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_eq(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_ne(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_ge(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_gt(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_cmp(flax, flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_hash(flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_hash_extended(flax, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flax_lt(flax, flax) IS 'implementation of < operator';
COMMENT ON FUNCTION flax_le(flax, flax) IS 'implementation of <= operator';
COMMENT ON FUNCTION flax_eq(flax, flax) IS 'implementation of = operator';
COMMENT ON FUNCTION flax_ne(flax, flax) IS 'implementation of <> operator';
COMMENT ON FUNCTION flax_ge(flax, flax) IS 'implementation of >= operator';
COMMENT ON FUNCTION flax_gt(flax, flax) IS 'implementation of > operator';
COMMENT ON FUNCTION flax_cmp(flax, flax) IS 'less-equal-greater';
COMMENT ON FUNCTION flax_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION flax_hash(flax) IS 'hash';
COMMENT ON FUNCTION flax_hash_extended(flax, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (flax, flax) IS 'less than';
COMMENT ON OPERATOR <= (flax, flax) IS 'less than or equal';
COMMENT ON OPERATOR = (flax, flax) IS 'equal';
COMMENT ON OPERATOR <> (flax, flax) IS 'not equal';
COMMENT ON OPERATOR >= (flax, flax) IS 'greater than or equal';
COMMENT ON OPERATOR > (flax, flax) IS 'greater than';

CREATE OPERATOR CLASS flax_ops DEFAULT FOR TYPE flax USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 flax_cmp(flax, flax),
    FUNCTION 2 flax_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS flax_hash_ops DEFAULT FOR TYPE flax USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 flax_hash(flax),
    FUNCTION 2 flax_hash_extended(flax, bigint);

COMMENT ON OPERATOR CLASS flax_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION flax_smaller(flax, flax) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_larger(flax, flax) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(flax) (
    SFUNC = flax_smaller, STYPE = flax, COMBINEFUNC = flax_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(flax) (
    SFUNC = flax_larger, STYPE = flax, COMBINEFUNC = flax_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION flax_smaller(flax, flax) IS 'smaller of two';
COMMENT ON FUNCTION flax_larger(flax, flax) IS 'larger of two';
COMMENT ON AGGREGATE min(flax) IS 'minimum value of all flax input values';
COMMENT ON AGGREGATE max(flax) IS 'maximum value of all flax input values';

-- casts

CREATE FUNCTION flax_to_bytea(flax) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_bytea(bytea) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_to_bytea(flax) IS 'the 12 bytes of a flax';
COMMENT ON FUNCTION flax_from_bytea(bytea) IS 'flax from 12 bytes';

CREATE CAST (text AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (flax AS bytea) WITH FUNCTION flax_to_bytea(flax);
CREATE CAST (bytea AS flax) WITH FUNCTION flax_from_bytea(bytea);

COMMENT ON CAST (text AS flax) IS 'flax from its text';
COMMENT ON CAST (varchar AS flax) IS 'flax from its text';
COMMENT ON CAST (bpchar AS flax) IS 'flax from its text';
COMMENT ON CAST (flax AS bytea) IS 'the 12 bytes of a flax';
COMMENT ON CAST (bytea AS flax) IS 'flax from 12 bytes';

-- block ranges

CREATE FUNCTION flax_brin_distance(flax, flax) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flax_brin_distance(flax, flax) IS 'how many IDs the second flax lies after the first';

CREATE OPERATOR CLASS flax_minmax_ops DEFAULT FOR TYPE flax USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS flax_minmax_multi_ops FOR TYPE flax USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 flax_brin_distance(flax, flax);
CREATE OPERATOR CLASS flax_bloom_ops FOR TYPE flax USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 flax_hash(flax);

COMMENT ON OPERATOR CLASS flax_minmax_ops USING brin IS 'least and greatest flax of a block range';
COMMENT ON OPERATOR CLASS flax_minmax_multi_ops USING brin IS 'several ranges of flax for a block range';
COMMENT ON OPERATOR CLASS flax_bloom_ops USING brin IS 'filter of the hashes of flax in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION flax_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_gist_consistent(internal, flax, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION flax_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION flax_gist_consistent(internal, flax, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS flax_gist_ops DEFAULT FOR TYPE flax USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 flax_gist_consistent(internal, flax, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 flax_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 flax_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS flax_gist_ops USING gist IS 'ranges of flax, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION flax_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY flax_ops USING btree ADD FUNCTION 6 (flax, flax) flax_skipsupport(internal);
        ALTER OPERATOR FAMILY flax_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION flax_timestamp(flax) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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

CREATE FUNCTION flax_lt_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION flax_le_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION flax_ge_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION flax_gt_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION flax_cmp_timestamptz(flax, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_cmp_le_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_flax(timestamptz, flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_contained_by_tstzrange(flax, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_flax(flakeid_period, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id flax, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flax_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_multirange_support;
CREATE FUNCTION flax_in_range(flax, flax, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_lt_timestamptz(flax, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION flax_le_timestamptz(flax, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION flax_ge_timestamptz(flax, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION flax_gt_timestamptz(flax, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION flax_cmp_timestamptz(flax, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION flax_cmp_le_timestamptz(flax, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_flax(timestamptz, flax) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_flax(timestamptz, flax) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_flax(timestamptz, flax) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_flax(timestamptz, flax) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_flax(timestamptz, flax) IS 'less-greater';
COMMENT ON FUNCTION flax_contained_by_tstzrange(flax, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_flax(flakeid_period, flax) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(flax, tstzmultirange) IS 'is the instant of the flax in one of the periods?';
COMMENT ON FUNCTION flax_in_range(flax, flax, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_lt_flax,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_le_flax,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_ge_flax,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = _flakeid_functions.timestamptz_gt_flax,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR |<= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <@ (
    LEFTARG = flax, RIGHTARG = flakeid_period, FUNCTION = flax_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = flax, FUNCTION = _flakeid_functions.tstzrange_contains_flax,
    COMMUTATOR = <@,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (flax, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR <= (flax, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR >= (flax, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR > (flax, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR < (timestamptz, flax) IS 'before the instant of the flax';
COMMENT ON OPERATOR <= (timestamptz, flax) IS 'at or before the instant of the flax';
COMMENT ON OPERATOR >= (timestamptz, flax) IS 'at or after the instant of the flax';
COMMENT ON OPERATOR > (timestamptz, flax) IS 'after the instant of the flax';
COMMENT ON OPERATOR |<= (flax, timestamptz) IS 'less than or equal, as flax_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (flax, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR @> (flakeid_period, flax) IS 'contains the instant of the flax';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY flax_ops USING btree ADD
    OPERATOR 1 < (flax, timestamptz),
    OPERATOR 2 |<= (flax, timestamptz),
    OPERATOR 4 >= (flax, timestamptz),
    FUNCTION 1 (flax, timestamptz) flax_cmp_timestamptz(flax, timestamptz),
    OPERATOR 2 <= (timestamptz, flax),
    OPERATOR 5 > (timestamptz, flax),
    FUNCTION 1 (timestamptz, flax) _flakeid_functions.timestamptz_cmp_flax(timestamptz, flax),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (flax, interval) flax_in_range(flax, flax, interval, boolean, boolean);
ALTER OPERATOR FAMILY flax_minmax_ops USING brin ADD
    OPERATOR 1 < (flax, timestamptz),
    OPERATOR 4 >= (flax, timestamptz);
ALTER OPERATOR FAMILY flax_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (flax, timestamptz),
    OPERATOR 4 >= (flax, timestamptz);
ALTER OPERATOR FAMILY flax_gist_ops USING gist ADD
    OPERATOR 20 < (flax, timestamptz),
    OPERATOR 23 >= (flax, timestamptz);


-- the horizon

CREATE FUNCTION flax_horizon() RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION flax_horizon() IS 'a flax below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from flax_new()';
-- flax: what only this type has
--
--     casts     uuid, numeric
--     new IDs   flax_new, flax_new_at, flax_make
--     parts     flax_random, flax_inspect

COMMENT ON TYPE flax IS 'sortable ID of 12 bytes after ergeon/flax-id: 1 ms time, 56 random bits; text of 16 characters [-0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS flax_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION flax_to_uuid(flax) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_uuid(uuid) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_to_numeric(flax) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_numeric(numeric) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_to_uuid(flax) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON FUNCTION flax_from_uuid(uuid) IS 'flax from a uuid made by flax_to_uuid';
COMMENT ON FUNCTION flax_to_numeric(flax) IS 'the 12 bytes of a flax as one number';
COMMENT ON FUNCTION flax_from_numeric(numeric) IS 'flax from the number of its 12 bytes';

CREATE CAST (flax AS uuid) WITH FUNCTION flax_to_uuid(flax);
CREATE CAST (uuid AS flax) WITH FUNCTION flax_from_uuid(uuid);
CREATE CAST (flax AS numeric) WITH FUNCTION flax_to_numeric(flax);
CREATE CAST (numeric AS flax) WITH FUNCTION flax_from_numeric(numeric);

COMMENT ON CAST (flax AS uuid) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON CAST (uuid AS flax) IS 'flax from a uuid made from a flax';
COMMENT ON CAST (flax AS numeric) IS 'the 12 bytes of a flax as one number';
COMMENT ON CAST (numeric AS flax) IS 'flax from the number of its 12 bytes';

-- new IDs

CREATE FUNCTION flax_new() RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
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

-- the horizon: asking for it moves the mark, and new IDs are never below it

REVOKE ALL ON FUNCTION flax_horizon() FROM PUBLIC;
/* ---------- siq ---------- */

CREATE TYPE siq;

CREATE FUNCTION siq_in(cstring) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_out(siq) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_recv(internal) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_send(siq) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE siq (
    INPUT = siq_in,
    OUTPUT = siq_out,
    RECEIVE = siq_recv,
    SEND = siq_send,
    INTERNALLENGTH = 14, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION siq_in(cstring) IS 'I/O';
COMMENT ON FUNCTION siq_out(siq) IS 'I/O';
COMMENT ON FUNCTION siq_recv(internal) IS 'I/O';
COMMENT ON FUNCTION siq_send(siq) IS 'I/O';

-- comparison

CREATE FUNCTION siq_lt(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_le(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_eq(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_ne(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_ge(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_gt(siq, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_cmp(siq, siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_hash(siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_hash_extended(siq, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION siq_lt(siq, siq) IS 'implementation of < operator';
COMMENT ON FUNCTION siq_le(siq, siq) IS 'implementation of <= operator';
COMMENT ON FUNCTION siq_eq(siq, siq) IS 'implementation of = operator';
COMMENT ON FUNCTION siq_ne(siq, siq) IS 'implementation of <> operator';
COMMENT ON FUNCTION siq_ge(siq, siq) IS 'implementation of >= operator';
COMMENT ON FUNCTION siq_gt(siq, siq) IS 'implementation of > operator';
COMMENT ON FUNCTION siq_cmp(siq, siq) IS 'less-equal-greater';
COMMENT ON FUNCTION siq_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION siq_hash(siq) IS 'hash';
COMMENT ON FUNCTION siq_hash_extended(siq, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (siq, siq) IS 'less than';
COMMENT ON OPERATOR <= (siq, siq) IS 'less than or equal';
COMMENT ON OPERATOR = (siq, siq) IS 'equal';
COMMENT ON OPERATOR <> (siq, siq) IS 'not equal';
COMMENT ON OPERATOR >= (siq, siq) IS 'greater than or equal';
COMMENT ON OPERATOR > (siq, siq) IS 'greater than';

CREATE OPERATOR CLASS siq_ops DEFAULT FOR TYPE siq USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 siq_cmp(siq, siq),
    FUNCTION 2 siq_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS siq_hash_ops DEFAULT FOR TYPE siq USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 siq_hash(siq),
    FUNCTION 2 siq_hash_extended(siq, bigint);

COMMENT ON OPERATOR CLASS siq_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION siq_smaller(siq, siq) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_larger(siq, siq) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(siq) (
    SFUNC = siq_smaller, STYPE = siq, COMBINEFUNC = siq_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(siq) (
    SFUNC = siq_larger, STYPE = siq, COMBINEFUNC = siq_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION siq_smaller(siq, siq) IS 'smaller of two';
COMMENT ON FUNCTION siq_larger(siq, siq) IS 'larger of two';
COMMENT ON AGGREGATE min(siq) IS 'minimum value of all siq input values';
COMMENT ON AGGREGATE max(siq) IS 'maximum value of all siq input values';

-- casts

CREATE FUNCTION siq_to_bytea(siq) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_from_bytea(bytea) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_to_bytea(siq) IS 'the 14 bytes of a siq';
COMMENT ON FUNCTION siq_from_bytea(bytea) IS 'siq from 14 bytes';

CREATE CAST (text AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (siq AS bytea) WITH FUNCTION siq_to_bytea(siq);
CREATE CAST (bytea AS siq) WITH FUNCTION siq_from_bytea(bytea);

COMMENT ON CAST (text AS siq) IS 'siq from its text';
COMMENT ON CAST (varchar AS siq) IS 'siq from its text';
COMMENT ON CAST (bpchar AS siq) IS 'siq from its text';
COMMENT ON CAST (siq AS bytea) IS 'the 14 bytes of a siq';
COMMENT ON CAST (bytea AS siq) IS 'siq from 14 bytes';

-- block ranges

CREATE FUNCTION siq_brin_distance(siq, siq) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION siq_brin_distance(siq, siq) IS 'how many IDs the second siq lies after the first';

CREATE OPERATOR CLASS siq_minmax_ops DEFAULT FOR TYPE siq USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS siq_minmax_multi_ops FOR TYPE siq USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 siq_brin_distance(siq, siq);
CREATE OPERATOR CLASS siq_bloom_ops FOR TYPE siq USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 siq_hash(siq);

COMMENT ON OPERATOR CLASS siq_minmax_ops USING brin IS 'least and greatest siq of a block range';
COMMENT ON OPERATOR CLASS siq_minmax_multi_ops USING brin IS 'several ranges of siq for a block range';
COMMENT ON OPERATOR CLASS siq_bloom_ops USING brin IS 'filter of the hashes of siq in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION siq_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_gist_consistent(internal, siq, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION siq_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION siq_gist_consistent(internal, siq, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS siq_gist_ops DEFAULT FOR TYPE siq USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 siq_gist_consistent(internal, siq, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 siq_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 siq_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS siq_gist_ops USING gist IS 'ranges of siq, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION siq_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY siq_ops USING btree ADD FUNCTION 6 (siq, siq) siq_skipsupport(internal);
        ALTER OPERATOR FAMILY siq_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION siq_timestamp(siq) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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

CREATE FUNCTION siq_lt_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION siq_le_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION siq_ge_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION siq_gt_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION siq_cmp_timestamptz(siq, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_cmp_le_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_siq(timestamptz, siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_contained_by_tstzrange(siq, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_siq(flakeid_period, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id siq, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'siq_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_multirange_support;
CREATE FUNCTION siq_in_range(siq, siq, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_lt_timestamptz(siq, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION siq_le_timestamptz(siq, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION siq_ge_timestamptz(siq, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION siq_gt_timestamptz(siq, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION siq_cmp_timestamptz(siq, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION siq_cmp_le_timestamptz(siq, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_siq(timestamptz, siq) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_siq(timestamptz, siq) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_siq(timestamptz, siq) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_siq(timestamptz, siq) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_siq(timestamptz, siq) IS 'less-greater';
COMMENT ON FUNCTION siq_contained_by_tstzrange(siq, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_siq(flakeid_period, siq) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(siq, tstzmultirange) IS 'is the instant of the siq in one of the periods?';
COMMENT ON FUNCTION siq_in_range(siq, siq, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_lt_siq,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_le_siq,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_ge_siq,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = _flakeid_functions.timestamptz_gt_siq,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR |<= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <@ (
    LEFTARG = siq, RIGHTARG = flakeid_period, FUNCTION = siq_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = siq, FUNCTION = _flakeid_functions.tstzrange_contains_siq,
    COMMUTATOR = <@,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (siq, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR <= (siq, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR >= (siq, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR > (siq, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR < (timestamptz, siq) IS 'before the instant of the siq';
COMMENT ON OPERATOR <= (timestamptz, siq) IS 'at or before the instant of the siq';
COMMENT ON OPERATOR >= (timestamptz, siq) IS 'at or after the instant of the siq';
COMMENT ON OPERATOR > (timestamptz, siq) IS 'after the instant of the siq';
COMMENT ON OPERATOR |<= (siq, timestamptz) IS 'less than or equal, as siq_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (siq, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR @> (flakeid_period, siq) IS 'contains the instant of the siq';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY siq_ops USING btree ADD
    OPERATOR 1 < (siq, timestamptz),
    OPERATOR 2 |<= (siq, timestamptz),
    OPERATOR 4 >= (siq, timestamptz),
    FUNCTION 1 (siq, timestamptz) siq_cmp_timestamptz(siq, timestamptz),
    OPERATOR 2 <= (timestamptz, siq),
    OPERATOR 5 > (timestamptz, siq),
    FUNCTION 1 (timestamptz, siq) _flakeid_functions.timestamptz_cmp_siq(timestamptz, siq),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (siq, interval) siq_in_range(siq, siq, interval, boolean, boolean);
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
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION siq_horizon() IS 'a siq below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from siq_new()';
-- siq: what only this type has
--
--     casts                     uuid, numeric
--     new IDs                   the enum siq_type; siq_domain_hash, siq_new, siq_new_at, siq_make
--     parts                     siq_shard, _domain, _serial, _qualifier, _type_of, _is_leaf, siq_inspect
--     the library's notations   siq_format, siq_parse, siq_did, siq_mastodon, siq_matrix
--     migration                 siq_from_ulid; siq_from_snowflake is in snowflake.sql

COMMENT ON TYPE siq IS 'sortable ID of 14 bytes after SIS (SUOU): time in 1/65536 s, shard, domain hash, serial, type of what it names; text of 23 digits of Crockford base 32';
COMMENT ON OPERATOR CLASS siq_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION siq_to_uuid(siq) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_from_uuid(uuid) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_to_numeric(siq) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_from_numeric(numeric) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_to_uuid(siq) IS 'siq as a UUIDv8 that sorts the same';
COMMENT ON FUNCTION siq_from_uuid(uuid) IS 'siq from a UUIDv8 made by siq_to_uuid';
COMMENT ON FUNCTION siq_to_numeric(siq) IS 'the 14 bytes of a siq as a number';
COMMENT ON FUNCTION siq_from_numeric(numeric) IS 'siq from a number, 0 to 2^112 - 1';

CREATE CAST (siq AS uuid) WITH FUNCTION siq_to_uuid(siq);
CREATE CAST (uuid AS siq) WITH FUNCTION siq_from_uuid(uuid);
CREATE CAST (siq AS numeric) WITH FUNCTION siq_to_numeric(siq);
CREATE CAST (numeric AS siq) WITH FUNCTION siq_from_numeric(numeric);

COMMENT ON CAST (siq AS uuid) IS 'siq as a UUIDv8 that sorts the same';
COMMENT ON CAST (uuid AS siq) IS 'siq from a UUIDv8 made from a siq';
COMMENT ON CAST (siq AS numeric) IS 'the 14 bytes of a siq as a number';
COMMENT ON CAST (numeric AS siq) IS 'siq from a number, 0 to 2^112 - 1';

-- new IDs

CREATE TYPE siq_type AS ENUM (
    'content', 'multi', 'manytomany', 'ternary', 'tag', 'channel', 'thread', 'message',
    'user', 'group', 'event', 'invite', 'application', 'collection', 'premium'
);

COMMENT ON TYPE siq_type IS 'what a siq names';

CREATE FUNCTION siq_domain_hash(domain text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_domain_hash(domain text, local_id int) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_new(type siq_type) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_new(type siq_type, domain text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_new_at(at timestamptz, type siq_type) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_new_at(at timestamptz, type siq_type, domain text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION siq_make(at timestamptz, shard int, domain_hash bigint, serial int, type siq_type) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_make(at timestamptz, shard int, domain_hash bigint, low16 int) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_domain_hash(text) IS 'hash of a domain name, as siq IDs carry it';
COMMENT ON FUNCTION siq_domain_hash(text, int) IS 'hash of a domain name whose first byte is a local ID, modulo 256, unless that is 0';
COMMENT ON FUNCTION siq_new(siq_type) IS 'new siq of the domain in flakeid.siq_domain';
COMMENT ON FUNCTION siq_new(siq_type, text) IS 'new siq of a domain';
COMMENT ON FUNCTION siq_new_at(timestamptz, siq_type) IS 'siq for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION siq_new_at(timestamptz, siq_type, text) IS 'siq of a domain for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION siq_make(timestamptz, int, bigint, int, siq_type) IS 'siq from its parts';
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
CREATE FUNCTION siq_type_of(siq) RETURNS siq_type
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_is_leaf(siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_inspect(
    id siq, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT shard int, OUT domain bigint, OUT serial int, OUT qualifier int,
    OUT type siq_type, OUT is_leaf boolean
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

CREATE FUNCTION siq_from_ulid(ulid text, domain text, type siq_type) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_from_ulid(text, text, siq_type) IS 'siq from a ULID, of whose 80 random bits 25 to 27 are kept';

/* ---------- uid64 ---------- */

CREATE TYPE uid64;

CREATE FUNCTION uid64_in(cstring) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_out(uid64) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_recv(internal) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_send(uid64) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE uid64 (
    INPUT = uid64_in,
    OUTPUT = uid64_out,
    RECEIVE = uid64_recv,
    SEND = uid64_send,
    LIKE = pg_catalog.int8
);

COMMENT ON FUNCTION uid64_in(cstring) IS 'I/O';
COMMENT ON FUNCTION uid64_out(uid64) IS 'I/O';
COMMENT ON FUNCTION uid64_recv(internal) IS 'I/O';
COMMENT ON FUNCTION uid64_send(uid64) IS 'I/O';

-- comparison

CREATE FUNCTION uid64_lt(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_le(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_eq(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_ne(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_ge(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_gt(uid64, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_cmp(uid64, uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_hash(uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_hash_extended(uid64, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION uid64_lt(uid64, uid64) IS 'implementation of < operator';
COMMENT ON FUNCTION uid64_le(uid64, uid64) IS 'implementation of <= operator';
COMMENT ON FUNCTION uid64_eq(uid64, uid64) IS 'implementation of = operator';
COMMENT ON FUNCTION uid64_ne(uid64, uid64) IS 'implementation of <> operator';
COMMENT ON FUNCTION uid64_ge(uid64, uid64) IS 'implementation of >= operator';
COMMENT ON FUNCTION uid64_gt(uid64, uid64) IS 'implementation of > operator';
COMMENT ON FUNCTION uid64_cmp(uid64, uid64) IS 'less-equal-greater';
COMMENT ON FUNCTION uid64_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION uid64_hash(uid64) IS 'hash';
COMMENT ON FUNCTION uid64_hash_extended(uid64, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (uid64, uid64) IS 'less than';
COMMENT ON OPERATOR <= (uid64, uid64) IS 'less than or equal';
COMMENT ON OPERATOR = (uid64, uid64) IS 'equal';
COMMENT ON OPERATOR <> (uid64, uid64) IS 'not equal';
COMMENT ON OPERATOR >= (uid64, uid64) IS 'greater than or equal';
COMMENT ON OPERATOR > (uid64, uid64) IS 'greater than';

CREATE OPERATOR CLASS uid64_ops DEFAULT FOR TYPE uid64 USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 uid64_cmp(uid64, uid64),
    FUNCTION 2 uid64_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS uid64_hash_ops DEFAULT FOR TYPE uid64 USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 uid64_hash(uid64),
    FUNCTION 2 uid64_hash_extended(uid64, bigint);

COMMENT ON OPERATOR CLASS uid64_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION uid64_smaller(uid64, uid64) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_larger(uid64, uid64) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(uid64) (
    SFUNC = uid64_smaller, STYPE = uid64, COMBINEFUNC = uid64_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(uid64) (
    SFUNC = uid64_larger, STYPE = uid64, COMBINEFUNC = uid64_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION uid64_smaller(uid64, uid64) IS 'smaller of two';
COMMENT ON FUNCTION uid64_larger(uid64, uid64) IS 'larger of two';
COMMENT ON AGGREGATE min(uid64) IS 'minimum value of all uid64 input values';
COMMENT ON AGGREGATE max(uid64) IS 'maximum value of all uid64 input values';

-- casts

CREATE FUNCTION uid64_to_bytea(uid64) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_from_bytea(bytea) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_to_bytea(uid64) IS 'the 8 bytes of a uid64';
COMMENT ON FUNCTION uid64_from_bytea(bytea) IS 'uid64 from 8 bytes';

CREATE CAST (text AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (uid64 AS bytea) WITH FUNCTION uid64_to_bytea(uid64);
CREATE CAST (bytea AS uid64) WITH FUNCTION uid64_from_bytea(bytea);

COMMENT ON CAST (text AS uid64) IS 'uid64 from its text';
COMMENT ON CAST (varchar AS uid64) IS 'uid64 from its text';
COMMENT ON CAST (bpchar AS uid64) IS 'uid64 from its text';
COMMENT ON CAST (uid64 AS bytea) IS 'the 8 bytes of a uid64';
COMMENT ON CAST (bytea AS uid64) IS 'uid64 from 8 bytes';

-- block ranges

CREATE FUNCTION uid64_brin_distance(uid64, uid64) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION uid64_brin_distance(uid64, uid64) IS 'how many IDs the second uid64 lies after the first';

CREATE OPERATOR CLASS uid64_minmax_ops DEFAULT FOR TYPE uid64 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS uid64_minmax_multi_ops FOR TYPE uid64 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 uid64_brin_distance(uid64, uid64);
CREATE OPERATOR CLASS uid64_bloom_ops FOR TYPE uid64 USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 uid64_hash(uid64);

COMMENT ON OPERATOR CLASS uid64_minmax_ops USING brin IS 'least and greatest uid64 of a block range';
COMMENT ON OPERATOR CLASS uid64_minmax_multi_ops USING brin IS 'several ranges of uid64 for a block range';
COMMENT ON OPERATOR CLASS uid64_bloom_ops USING brin IS 'filter of the hashes of uid64 in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION uid64_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_gist_consistent(internal, uid64, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION uid64_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION uid64_gist_consistent(internal, uid64, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS uid64_gist_ops DEFAULT FOR TYPE uid64 USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 uid64_gist_consistent(internal, uid64, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 uid64_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 uid64_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS uid64_gist_ops USING gist IS 'ranges of uid64, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION uid64_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY uid64_ops USING btree ADD FUNCTION 6 (uid64, uid64) uid64_skipsupport(internal);
        ALTER OPERATOR FAMILY uid64_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION uid64_timestamp(uid64) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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

CREATE FUNCTION uid64_lt_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION uid64_le_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION uid64_ge_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION uid64_gt_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION uid64_cmp_timestamptz(uid64, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_cmp_le_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_uid64(timestamptz, uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_contained_by_tstzrange(uid64, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_uid64(flakeid_period, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id uid64, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'uid64_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_multirange_support;
CREATE FUNCTION uid64_in_range(uid64, uid64, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_lt_timestamptz(uid64, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION uid64_le_timestamptz(uid64, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION uid64_ge_timestamptz(uid64, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION uid64_gt_timestamptz(uid64, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION uid64_cmp_timestamptz(uid64, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION uid64_cmp_le_timestamptz(uid64, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_uid64(timestamptz, uid64) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_uid64(timestamptz, uid64) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_uid64(timestamptz, uid64) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_uid64(timestamptz, uid64) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_uid64(timestamptz, uid64) IS 'less-greater';
COMMENT ON FUNCTION uid64_contained_by_tstzrange(uid64, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_uid64(flakeid_period, uid64) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(uid64, tstzmultirange) IS 'is the instant of the uid64 in one of the periods?';
COMMENT ON FUNCTION uid64_in_range(uid64, uid64, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_lt_uid64,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_le_uid64,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_ge_uid64,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = _flakeid_functions.timestamptz_gt_uid64,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR |<= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <@ (
    LEFTARG = uid64, RIGHTARG = flakeid_period, FUNCTION = uid64_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = uid64, FUNCTION = _flakeid_functions.tstzrange_contains_uid64,
    COMMUTATOR = <@,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (uid64, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR <= (uid64, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR >= (uid64, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR > (uid64, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR < (timestamptz, uid64) IS 'before the instant of the uid64';
COMMENT ON OPERATOR <= (timestamptz, uid64) IS 'at or before the instant of the uid64';
COMMENT ON OPERATOR >= (timestamptz, uid64) IS 'at or after the instant of the uid64';
COMMENT ON OPERATOR > (timestamptz, uid64) IS 'after the instant of the uid64';
COMMENT ON OPERATOR |<= (uid64, timestamptz) IS 'less than or equal, as uid64_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (uid64, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR @> (flakeid_period, uid64) IS 'contains the instant of the uid64';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY uid64_ops USING btree ADD
    OPERATOR 1 < (uid64, timestamptz),
    OPERATOR 2 |<= (uid64, timestamptz),
    OPERATOR 4 >= (uid64, timestamptz),
    FUNCTION 1 (uid64, timestamptz) uid64_cmp_timestamptz(uid64, timestamptz),
    OPERATOR 2 <= (timestamptz, uid64),
    OPERATOR 5 > (timestamptz, uid64),
    FUNCTION 1 (timestamptz, uid64) _flakeid_functions.timestamptz_cmp_uid64(timestamptz, uid64),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (uid64, interval) uid64_in_range(uid64, uid64, interval, boolean, boolean);
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
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

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

CREATE FUNCTION uid96_in(cstring) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_out(uid96) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_recv(internal) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_send(uid96) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE uid96 (
    INPUT = uid96_in,
    OUTPUT = uid96_out,
    RECEIVE = uid96_recv,
    SEND = uid96_send,
    INTERNALLENGTH = 12, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION uid96_in(cstring) IS 'I/O';
COMMENT ON FUNCTION uid96_out(uid96) IS 'I/O';
COMMENT ON FUNCTION uid96_recv(internal) IS 'I/O';
COMMENT ON FUNCTION uid96_send(uid96) IS 'I/O';

-- comparison

CREATE FUNCTION uid96_lt(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_le(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_eq(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_ne(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_ge(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_gt(uid96, uid96) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_cmp(uid96, uid96) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_hash(uid96) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_hash_extended(uid96, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION uid96_lt(uid96, uid96) IS 'implementation of < operator';
COMMENT ON FUNCTION uid96_le(uid96, uid96) IS 'implementation of <= operator';
COMMENT ON FUNCTION uid96_eq(uid96, uid96) IS 'implementation of = operator';
COMMENT ON FUNCTION uid96_ne(uid96, uid96) IS 'implementation of <> operator';
COMMENT ON FUNCTION uid96_ge(uid96, uid96) IS 'implementation of >= operator';
COMMENT ON FUNCTION uid96_gt(uid96, uid96) IS 'implementation of > operator';
COMMENT ON FUNCTION uid96_cmp(uid96, uid96) IS 'less-equal-greater';
COMMENT ON FUNCTION uid96_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION uid96_hash(uid96) IS 'hash';
COMMENT ON FUNCTION uid96_hash_extended(uid96, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (uid96, uid96) IS 'less than';
COMMENT ON OPERATOR <= (uid96, uid96) IS 'less than or equal';
COMMENT ON OPERATOR = (uid96, uid96) IS 'equal';
COMMENT ON OPERATOR <> (uid96, uid96) IS 'not equal';
COMMENT ON OPERATOR >= (uid96, uid96) IS 'greater than or equal';
COMMENT ON OPERATOR > (uid96, uid96) IS 'greater than';

CREATE OPERATOR CLASS uid96_ops DEFAULT FOR TYPE uid96 USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 uid96_cmp(uid96, uid96),
    FUNCTION 2 uid96_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS uid96_hash_ops DEFAULT FOR TYPE uid96 USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 uid96_hash(uid96),
    FUNCTION 2 uid96_hash_extended(uid96, bigint);

COMMENT ON OPERATOR CLASS uid96_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION uid96_smaller(uid96, uid96) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_larger(uid96, uid96) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(uid96) (
    SFUNC = uid96_smaller, STYPE = uid96, COMBINEFUNC = uid96_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(uid96) (
    SFUNC = uid96_larger, STYPE = uid96, COMBINEFUNC = uid96_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION uid96_smaller(uid96, uid96) IS 'smaller of two';
COMMENT ON FUNCTION uid96_larger(uid96, uid96) IS 'larger of two';
COMMENT ON AGGREGATE min(uid96) IS 'minimum value of all uid96 input values';
COMMENT ON AGGREGATE max(uid96) IS 'maximum value of all uid96 input values';

-- casts

CREATE FUNCTION uid96_to_bytea(uid96) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_from_bytea(bytea) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_to_bytea(uid96) IS 'the 12 bytes of a uid96';
COMMENT ON FUNCTION uid96_from_bytea(bytea) IS 'uid96 from 12 bytes';

CREATE CAST (text AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (uid96 AS bytea) WITH FUNCTION uid96_to_bytea(uid96);
CREATE CAST (bytea AS uid96) WITH FUNCTION uid96_from_bytea(bytea);

COMMENT ON CAST (text AS uid96) IS 'uid96 from its text';
COMMENT ON CAST (varchar AS uid96) IS 'uid96 from its text';
COMMENT ON CAST (bpchar AS uid96) IS 'uid96 from its text';
COMMENT ON CAST (uid96 AS bytea) IS 'the 12 bytes of a uid96';
COMMENT ON CAST (bytea AS uid96) IS 'uid96 from 12 bytes';

-- block ranges

CREATE FUNCTION uid96_brin_distance(uid96, uid96) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION uid96_brin_distance(uid96, uid96) IS 'how many IDs the second uid96 lies after the first';

CREATE OPERATOR CLASS uid96_minmax_ops DEFAULT FOR TYPE uid96 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS uid96_minmax_multi_ops FOR TYPE uid96 USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 uid96_brin_distance(uid96, uid96);
CREATE OPERATOR CLASS uid96_bloom_ops FOR TYPE uid96 USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 uid96_hash(uid96);

COMMENT ON OPERATOR CLASS uid96_minmax_ops USING brin IS 'least and greatest uid96 of a block range';
COMMENT ON OPERATOR CLASS uid96_minmax_multi_ops USING brin IS 'several ranges of uid96 for a block range';
COMMENT ON OPERATOR CLASS uid96_bloom_ops USING brin IS 'filter of the hashes of uid96 in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION uid96_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_gist_consistent(internal, uid96, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION uid96_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION uid96_gist_consistent(internal, uid96, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS uid96_gist_ops DEFAULT FOR TYPE uid96 USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 uid96_gist_consistent(internal, uid96, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 uid96_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 uid96_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS uid96_gist_ops USING gist IS 'ranges of uid96, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION uid96_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY uid96_ops USING btree ADD FUNCTION 6 (uid96, uid96) uid96_skipsupport(internal);
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
            WHERE @extschema@.uid96_node(ours.id) OPERATOR(pg_catalog.=) @extschema@.uid96_node(theirs.id) AND ours.id OPERATOR(@extschema@.>=) theirs.id
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
    WHERE theirs.id OPERATOR(@extschema@.>) ours.id OR (ours.id IS NULL AND theirs.id IS NOT NULL)
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

CREATE FUNCTION snowflake_in(cstring) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_out(snowflake) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_recv(internal) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_send(snowflake) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE snowflake (
    INPUT = snowflake_in,
    OUTPUT = snowflake_out,
    RECEIVE = snowflake_recv,
    SEND = snowflake_send,
    LIKE = pg_catalog.int8
);

COMMENT ON FUNCTION snowflake_in(cstring) IS 'I/O';
COMMENT ON FUNCTION snowflake_out(snowflake) IS 'I/O';
COMMENT ON FUNCTION snowflake_recv(internal) IS 'I/O';
COMMENT ON FUNCTION snowflake_send(snowflake) IS 'I/O';

-- comparison

CREATE FUNCTION snowflake_lt(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_le(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_eq(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_ne(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_ge(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_gt(snowflake, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_cmp(snowflake, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_hash(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_hash_extended(snowflake, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION snowflake_lt(snowflake, snowflake) IS 'implementation of < operator';
COMMENT ON FUNCTION snowflake_le(snowflake, snowflake) IS 'implementation of <= operator';
COMMENT ON FUNCTION snowflake_eq(snowflake, snowflake) IS 'implementation of = operator';
COMMENT ON FUNCTION snowflake_ne(snowflake, snowflake) IS 'implementation of <> operator';
COMMENT ON FUNCTION snowflake_ge(snowflake, snowflake) IS 'implementation of >= operator';
COMMENT ON FUNCTION snowflake_gt(snowflake, snowflake) IS 'implementation of > operator';
COMMENT ON FUNCTION snowflake_cmp(snowflake, snowflake) IS 'less-equal-greater';
COMMENT ON FUNCTION snowflake_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION snowflake_hash(snowflake) IS 'hash';
COMMENT ON FUNCTION snowflake_hash_extended(snowflake, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (snowflake, snowflake) IS 'less than';
COMMENT ON OPERATOR <= (snowflake, snowflake) IS 'less than or equal';
COMMENT ON OPERATOR = (snowflake, snowflake) IS 'equal';
COMMENT ON OPERATOR <> (snowflake, snowflake) IS 'not equal';
COMMENT ON OPERATOR >= (snowflake, snowflake) IS 'greater than or equal';
COMMENT ON OPERATOR > (snowflake, snowflake) IS 'greater than';

CREATE OPERATOR CLASS snowflake_ops DEFAULT FOR TYPE snowflake USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 snowflake_cmp(snowflake, snowflake),
    FUNCTION 2 snowflake_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS snowflake_hash_ops DEFAULT FOR TYPE snowflake USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 snowflake_hash(snowflake),
    FUNCTION 2 snowflake_hash_extended(snowflake, bigint);

COMMENT ON OPERATOR CLASS snowflake_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION snowflake_smaller(snowflake, snowflake) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_larger(snowflake, snowflake) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(snowflake) (
    SFUNC = snowflake_smaller, STYPE = snowflake, COMBINEFUNC = snowflake_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(snowflake) (
    SFUNC = snowflake_larger, STYPE = snowflake, COMBINEFUNC = snowflake_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION snowflake_smaller(snowflake, snowflake) IS 'smaller of two';
COMMENT ON FUNCTION snowflake_larger(snowflake, snowflake) IS 'larger of two';
COMMENT ON AGGREGATE min(snowflake) IS 'minimum value of all snowflake input values';
COMMENT ON AGGREGATE max(snowflake) IS 'maximum value of all snowflake input values';

-- casts

CREATE FUNCTION snowflake_to_bytea(snowflake) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_from_bytea(bytea) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_to_bytea(snowflake) IS 'the 8 bytes of a snowflake';
COMMENT ON FUNCTION snowflake_from_bytea(bytea) IS 'snowflake from 8 bytes';

CREATE CAST (text AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (snowflake AS bytea) WITH FUNCTION snowflake_to_bytea(snowflake);
CREATE CAST (bytea AS snowflake) WITH FUNCTION snowflake_from_bytea(bytea);

COMMENT ON CAST (text AS snowflake) IS 'snowflake from its text';
COMMENT ON CAST (varchar AS snowflake) IS 'snowflake from its text';
COMMENT ON CAST (bpchar AS snowflake) IS 'snowflake from its text';
COMMENT ON CAST (snowflake AS bytea) IS 'the 8 bytes of a snowflake';
COMMENT ON CAST (bytea AS snowflake) IS 'snowflake from 8 bytes';

-- block ranges

CREATE FUNCTION snowflake_brin_distance(snowflake, snowflake) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION snowflake_brin_distance(snowflake, snowflake) IS 'how many IDs the second snowflake lies after the first';

CREATE OPERATOR CLASS snowflake_minmax_ops DEFAULT FOR TYPE snowflake USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS snowflake_minmax_multi_ops FOR TYPE snowflake USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 snowflake_brin_distance(snowflake, snowflake);
CREATE OPERATOR CLASS snowflake_bloom_ops FOR TYPE snowflake USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 snowflake_hash(snowflake);

COMMENT ON OPERATOR CLASS snowflake_minmax_ops USING brin IS 'least and greatest snowflake of a block range';
COMMENT ON OPERATOR CLASS snowflake_minmax_multi_ops USING brin IS 'several ranges of snowflake for a block range';
COMMENT ON OPERATOR CLASS snowflake_bloom_ops USING brin IS 'filter of the hashes of snowflake in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION snowflake_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_gist_consistent(internal, snowflake, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION snowflake_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION snowflake_gist_consistent(internal, snowflake, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS snowflake_gist_ops DEFAULT FOR TYPE snowflake USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 snowflake_gist_consistent(internal, snowflake, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 snowflake_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 snowflake_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS snowflake_gist_ops USING gist IS 'ranges of snowflake, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION snowflake_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY snowflake_ops USING btree ADD FUNCTION 6 (snowflake, snowflake) snowflake_skipsupport(internal);
        ALTER OPERATOR FAMILY snowflake_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION snowflake_timestamp(snowflake) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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

CREATE FUNCTION snowflake_lt_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION snowflake_le_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION snowflake_ge_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION snowflake_gt_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION snowflake_cmp_timestamptz(snowflake, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_cmp_le_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_snowflake(timestamptz, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_contained_by_tstzrange(snowflake, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_snowflake(flakeid_period, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id snowflake, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'snowflake_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_multirange_support;
CREATE FUNCTION snowflake_in_range(snowflake, snowflake, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_lt_timestamptz(snowflake, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION snowflake_le_timestamptz(snowflake, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION snowflake_ge_timestamptz(snowflake, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION snowflake_gt_timestamptz(snowflake, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION snowflake_cmp_timestamptz(snowflake, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION snowflake_cmp_le_timestamptz(snowflake, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_snowflake(timestamptz, snowflake) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_snowflake(timestamptz, snowflake) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_snowflake(timestamptz, snowflake) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_snowflake(timestamptz, snowflake) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_snowflake(timestamptz, snowflake) IS 'less-greater';
COMMENT ON FUNCTION snowflake_contained_by_tstzrange(snowflake, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_snowflake(flakeid_period, snowflake) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(snowflake, tstzmultirange) IS 'is the instant of the snowflake in one of the periods?';
COMMENT ON FUNCTION snowflake_in_range(snowflake, snowflake, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_lt_snowflake,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_le_snowflake,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_ge_snowflake,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.timestamptz_gt_snowflake,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR |<= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <@ (
    LEFTARG = snowflake, RIGHTARG = flakeid_period, FUNCTION = snowflake_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.tstzrange_contains_snowflake,
    COMMUTATOR = <@,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (snowflake, timestamptz) IS 'before the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR <= (snowflake, timestamptz) IS 'at or before the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR >= (snowflake, timestamptz) IS 'at or after the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR > (snowflake, timestamptz) IS 'after the instant, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR < (timestamptz, snowflake) IS 'before the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR <= (timestamptz, snowflake) IS 'at or before the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR >= (timestamptz, snowflake) IS 'at or after the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR > (timestamptz, snowflake) IS 'after the instant of the snowflake, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR |<= (snowflake, timestamptz) IS 'less than or equal, as snowflake_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (snowflake, flakeid_period) IS 'instant is contained by, with the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR @> (flakeid_period, snowflake) IS 'contains the instant of the snowflake, with the epoch 2015-01-01 UTC';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY snowflake_ops USING btree ADD
    OPERATOR 1 < (snowflake, timestamptz),
    OPERATOR 2 |<= (snowflake, timestamptz),
    OPERATOR 4 >= (snowflake, timestamptz),
    FUNCTION 1 (snowflake, timestamptz) snowflake_cmp_timestamptz(snowflake, timestamptz),
    OPERATOR 2 <= (timestamptz, snowflake),
    OPERATOR 5 > (timestamptz, snowflake),
    FUNCTION 1 (timestamptz, snowflake) _flakeid_functions.timestamptz_cmp_snowflake(timestamptz, snowflake),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (snowflake, interval) snowflake_in_range(snowflake, snowflake, interval, boolean, boolean);
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
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

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

CREATE FUNCTION snowflake_to_numeric(snowflake) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_from_numeric(numeric) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_to_bigint(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_from_bigint(bigint) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_from_int(int) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_from_smallint(smallint) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_to_numeric(snowflake) IS 'snowflake as a number';
COMMENT ON FUNCTION snowflake_from_numeric(numeric) IS 'snowflake from its number';
COMMENT ON FUNCTION snowflake_to_bigint(snowflake) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON FUNCTION snowflake_from_bigint(bigint) IS 'snowflake from its number, which must not be negative';
COMMENT ON FUNCTION snowflake_from_int(int) IS 'snowflake from its number, which must not be negative';
COMMENT ON FUNCTION snowflake_from_smallint(smallint) IS 'snowflake from its number, which must not be negative';

CREATE CAST (snowflake AS numeric) WITH FUNCTION snowflake_to_numeric(snowflake);
CREATE CAST (numeric AS snowflake) WITH FUNCTION snowflake_from_numeric(numeric);
CREATE CAST (snowflake AS bigint) WITH FUNCTION snowflake_to_bigint(snowflake) AS ASSIGNMENT;
-- not implicit: a snowflake can be compared with an instant, and an integer must not be
CREATE CAST (bigint AS snowflake) WITH FUNCTION snowflake_from_bigint(bigint) AS ASSIGNMENT;
CREATE CAST (int AS snowflake) WITH FUNCTION snowflake_from_int(int) AS ASSIGNMENT;
CREATE CAST (smallint AS snowflake) WITH FUNCTION snowflake_from_smallint(smallint) AS ASSIGNMENT;

COMMENT ON CAST (snowflake AS numeric) IS 'snowflake as a number';
COMMENT ON CAST (numeric AS snowflake) IS 'snowflake from its number';
COMMENT ON CAST (snowflake AS bigint) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON CAST (bigint AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (int AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (smallint AS snowflake) IS 'snowflake from its number, which must not be negative';

-- comparison with integers: see src/integer.c

CREATE FUNCTION _flakeid_functions.snowflake_bigint_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_bigint_upto(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_bigint_below(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_lt_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION snowflake_le_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION snowflake_eq_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION snowflake_ne_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION snowflake_ge_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION snowflake_gt_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION snowflake_cmp_bigint(snowflake, bigint) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.bigint_lt_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION _flakeid_functions.bigint_le_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION _flakeid_functions.bigint_eq_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION _flakeid_functions.bigint_ne_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION _flakeid_functions.bigint_ge_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION _flakeid_functions.bigint_gt_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.snowflake_bigint_support;
CREATE FUNCTION _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_hash_bigint(bigint) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_hash_bigint_extended(bigint, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.snowflake_bigint_support(internal) IS 'planner support for comparisons of snowflake with bigint';
COMMENT ON FUNCTION _flakeid_functions.snowflake_bigint_upto(snowflake) IS 'greatest bigint that is not above the snowflake';
COMMENT ON FUNCTION _flakeid_functions.snowflake_bigint_below(snowflake) IS 'greatest bigint below the snowflake';
COMMENT ON FUNCTION snowflake_lt_bigint(snowflake, bigint) IS 'implementation of < operator';
COMMENT ON FUNCTION snowflake_le_bigint(snowflake, bigint) IS 'implementation of <= operator';
COMMENT ON FUNCTION snowflake_eq_bigint(snowflake, bigint) IS 'implementation of = operator';
COMMENT ON FUNCTION snowflake_ne_bigint(snowflake, bigint) IS 'implementation of <> operator';
COMMENT ON FUNCTION snowflake_ge_bigint(snowflake, bigint) IS 'implementation of >= operator';
COMMENT ON FUNCTION snowflake_gt_bigint(snowflake, bigint) IS 'implementation of > operator';
COMMENT ON FUNCTION snowflake_cmp_bigint(snowflake, bigint) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.bigint_lt_snowflake(bigint, snowflake) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_le_snowflake(bigint, snowflake) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_eq_snowflake(bigint, snowflake) IS 'implementation of = operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_ne_snowflake(bigint, snowflake) IS 'implementation of <> operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_ge_snowflake(bigint, snowflake) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_gt_snowflake(bigint, snowflake) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake) IS 'less-equal-greater';
COMMENT ON FUNCTION snowflake_hash_bigint(bigint) IS 'hash of the snowflake that equals the number';
COMMENT ON FUNCTION snowflake_hash_bigint_extended(bigint, bigint) IS 'hash of the snowflake that equals the number, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = snowflake_lt_bigint,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = snowflake_le_bigint,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = snowflake_eq_bigint,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
CREATE OPERATOR <> (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = snowflake_ne_bigint,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = snowflake_ge_bigint,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = snowflake_gt_bigint,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_lt_snowflake,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_le_snowflake,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_eq_snowflake,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
CREATE OPERATOR <> (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_ne_snowflake,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_ge_snowflake,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_gt_snowflake,
    COMMUTATOR = <, NEGATOR = <=,
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

COMMENT ON OPERATOR < (snowflake, bigint) IS 'less than';
COMMENT ON OPERATOR <= (snowflake, bigint) IS 'less than or equal';
COMMENT ON OPERATOR = (snowflake, bigint) IS 'equal';
COMMENT ON OPERATOR <> (snowflake, bigint) IS 'not equal';
COMMENT ON OPERATOR >= (snowflake, bigint) IS 'greater than or equal';
COMMENT ON OPERATOR > (snowflake, bigint) IS 'greater than';
COMMENT ON OPERATOR < (bigint, snowflake) IS 'less than';
COMMENT ON OPERATOR <= (bigint, snowflake) IS 'less than or equal';
COMMENT ON OPERATOR = (bigint, snowflake) IS 'equal';
COMMENT ON OPERATOR <> (bigint, snowflake) IS 'not equal';
COMMENT ON OPERATOR >= (bigint, snowflake) IS 'greater than or equal';
COMMENT ON OPERATOR > (bigint, snowflake) IS 'greater than';
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
    FUNCTION 1 (snowflake, bigint) snowflake_cmp_bigint(snowflake, bigint),
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
    FUNCTION 1 (bigint, bigint) snowflake_hash_bigint(bigint),
    FUNCTION 2 (bigint, bigint) snowflake_hash_bigint_extended(bigint, bigint);
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

CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type siq_type) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type siq_type, epoch timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, siq_type) IS 'siq from a snowflake that counts from 2015-01-01 UTC; no two snowflakes become one siq of a type';
COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, siq_type, timestamptz) IS 'siq from a snowflake that counts from another epoch; no two snowflakes become one siq of a type';

/* ---------- ulid ---------- */

CREATE TYPE ulid;

CREATE FUNCTION ulid_in(cstring) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_out(ulid) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_recv(internal) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_send(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE ulid (
    INPUT = ulid_in,
    OUTPUT = ulid_out,
    RECEIVE = ulid_recv,
    SEND = ulid_send,
    INTERNALLENGTH = 16, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION ulid_in(cstring) IS 'I/O';
COMMENT ON FUNCTION ulid_out(ulid) IS 'I/O';
COMMENT ON FUNCTION ulid_recv(internal) IS 'I/O';
COMMENT ON FUNCTION ulid_send(ulid) IS 'I/O';

-- comparison

CREATE FUNCTION ulid_lt(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_le(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_eq(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_ne(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_ge(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_gt(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_cmp(ulid, ulid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_hash(ulid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_hash_extended(ulid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ulid_lt(ulid, ulid) IS 'implementation of < operator';
COMMENT ON FUNCTION ulid_le(ulid, ulid) IS 'implementation of <= operator';
COMMENT ON FUNCTION ulid_eq(ulid, ulid) IS 'implementation of = operator';
COMMENT ON FUNCTION ulid_ne(ulid, ulid) IS 'implementation of <> operator';
COMMENT ON FUNCTION ulid_ge(ulid, ulid) IS 'implementation of >= operator';
COMMENT ON FUNCTION ulid_gt(ulid, ulid) IS 'implementation of > operator';
COMMENT ON FUNCTION ulid_cmp(ulid, ulid) IS 'less-equal-greater';
COMMENT ON FUNCTION ulid_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION ulid_hash(ulid) IS 'hash';
COMMENT ON FUNCTION ulid_hash_extended(ulid, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (ulid, ulid) IS 'less than';
COMMENT ON OPERATOR <= (ulid, ulid) IS 'less than or equal';
COMMENT ON OPERATOR = (ulid, ulid) IS 'equal';
COMMENT ON OPERATOR <> (ulid, ulid) IS 'not equal';
COMMENT ON OPERATOR >= (ulid, ulid) IS 'greater than or equal';
COMMENT ON OPERATOR > (ulid, ulid) IS 'greater than';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 ulid_cmp(ulid, ulid),
    FUNCTION 2 ulid_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS ulid_hash_ops DEFAULT FOR TYPE ulid USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 ulid_hash(ulid),
    FUNCTION 2 ulid_hash_extended(ulid, bigint);

COMMENT ON OPERATOR CLASS ulid_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION ulid_smaller(ulid, ulid) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_larger(ulid, ulid) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(ulid) (
    SFUNC = ulid_smaller, STYPE = ulid, COMBINEFUNC = ulid_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(ulid) (
    SFUNC = ulid_larger, STYPE = ulid, COMBINEFUNC = ulid_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION ulid_smaller(ulid, ulid) IS 'smaller of two';
COMMENT ON FUNCTION ulid_larger(ulid, ulid) IS 'larger of two';
COMMENT ON AGGREGATE min(ulid) IS 'minimum value of all ulid input values';
COMMENT ON AGGREGATE max(ulid) IS 'maximum value of all ulid input values';

-- casts

CREATE FUNCTION ulid_to_bytea(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_from_bytea(bytea) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_to_bytea(ulid) IS 'the 16 bytes of a ulid';
COMMENT ON FUNCTION ulid_from_bytea(bytea) IS 'ulid from 16 bytes';

CREATE CAST (text AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (ulid AS bytea) WITH FUNCTION ulid_to_bytea(ulid);
CREATE CAST (bytea AS ulid) WITH FUNCTION ulid_from_bytea(bytea);

COMMENT ON CAST (text AS ulid) IS 'ulid from its text';
COMMENT ON CAST (varchar AS ulid) IS 'ulid from its text';
COMMENT ON CAST (bpchar AS ulid) IS 'ulid from its text';
COMMENT ON CAST (ulid AS bytea) IS 'the 16 bytes of a ulid';
COMMENT ON CAST (bytea AS ulid) IS 'ulid from 16 bytes';

-- block ranges

CREATE FUNCTION ulid_brin_distance(ulid, ulid) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ulid_brin_distance(ulid, ulid) IS 'how many IDs the second ulid lies after the first';

CREATE OPERATOR CLASS ulid_minmax_ops DEFAULT FOR TYPE ulid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS ulid_minmax_multi_ops FOR TYPE ulid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 ulid_brin_distance(ulid, ulid);
CREATE OPERATOR CLASS ulid_bloom_ops FOR TYPE ulid USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 ulid_hash(ulid);

COMMENT ON OPERATOR CLASS ulid_minmax_ops USING brin IS 'least and greatest ulid of a block range';
COMMENT ON OPERATOR CLASS ulid_minmax_multi_ops USING brin IS 'several ranges of ulid for a block range';
COMMENT ON OPERATOR CLASS ulid_bloom_ops USING brin IS 'filter of the hashes of ulid in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION ulid_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_gist_consistent(internal, ulid, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION ulid_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION ulid_gist_consistent(internal, ulid, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS ulid_gist_ops DEFAULT FOR TYPE ulid USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 ulid_gist_consistent(internal, ulid, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 ulid_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 ulid_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS ulid_gist_ops USING gist IS 'ranges of ulid, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION ulid_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY ulid_ops USING btree ADD FUNCTION 6 (ulid, ulid) ulid_skipsupport(internal);
        ALTER OPERATOR FAMILY ulid_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION ulid_timestamp(ulid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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

CREATE FUNCTION ulid_lt_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION ulid_le_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION ulid_ge_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION ulid_gt_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION ulid_cmp_timestamptz(ulid, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_cmp_le_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_ulid(timestamptz, ulid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_contained_by_tstzrange(ulid, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_ulid(flakeid_period, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id ulid, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_multirange_support;
CREATE FUNCTION ulid_in_range(ulid, ulid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_lt_timestamptz(ulid, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION ulid_le_timestamptz(ulid, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION ulid_gt_timestamptz(ulid, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION ulid_cmp_timestamptz(ulid, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION ulid_cmp_le_timestamptz(ulid, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_ulid(timestamptz, ulid) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_ulid(timestamptz, ulid) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_ulid(timestamptz, ulid) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_ulid(timestamptz, ulid) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_ulid(timestamptz, ulid) IS 'less-greater';
COMMENT ON FUNCTION ulid_contained_by_tstzrange(ulid, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_ulid(flakeid_period, ulid) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(ulid, tstzmultirange) IS 'is the instant of the ulid in one of the periods?';
COMMENT ON FUNCTION ulid_in_range(ulid, ulid, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_lt_ulid,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_le_ulid,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_ge_ulid,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = _flakeid_functions.timestamptz_gt_ulid,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR |<= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <@ (
    LEFTARG = ulid, RIGHTARG = flakeid_period, FUNCTION = ulid_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = ulid, FUNCTION = _flakeid_functions.tstzrange_contains_ulid,
    COMMUTATOR = <@,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (ulid, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR <= (ulid, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR >= (ulid, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR > (ulid, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR < (timestamptz, ulid) IS 'before the instant of the ulid';
COMMENT ON OPERATOR <= (timestamptz, ulid) IS 'at or before the instant of the ulid';
COMMENT ON OPERATOR >= (timestamptz, ulid) IS 'at or after the instant of the ulid';
COMMENT ON OPERATOR > (timestamptz, ulid) IS 'after the instant of the ulid';
COMMENT ON OPERATOR |<= (ulid, timestamptz) IS 'less than or equal, as ulid_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (ulid, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR @> (flakeid_period, ulid) IS 'contains the instant of the ulid';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY ulid_ops USING btree ADD
    OPERATOR 1 < (ulid, timestamptz),
    OPERATOR 2 |<= (ulid, timestamptz),
    OPERATOR 4 >= (ulid, timestamptz),
    FUNCTION 1 (ulid, timestamptz) ulid_cmp_timestamptz(ulid, timestamptz),
    OPERATOR 2 <= (timestamptz, ulid),
    OPERATOR 5 > (timestamptz, ulid),
    FUNCTION 1 (timestamptz, ulid) _flakeid_functions.timestamptz_cmp_ulid(timestamptz, ulid),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (ulid, interval) ulid_in_range(ulid, ulid, interval, boolean, boolean);
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
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION ulid_horizon() IS 'a ulid below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from ulid_new()';
-- ulid: what only this type has
--
--     casts     uuid
--     new IDs   ulid_new, ulid_new_at, ulid_make
--     parts     ulid_random, ulid_inspect

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

/* ---------- ksuid ---------- */

CREATE TYPE ksuid;

CREATE FUNCTION ksuid_in(cstring) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ksuid_out(ksuid) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ksuid_recv(internal) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ksuid_send(ksuid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE ksuid (
    INPUT = ksuid_in,
    OUTPUT = ksuid_out,
    RECEIVE = ksuid_recv,
    SEND = ksuid_send,
    INTERNALLENGTH = 20, ALIGNMENT = char, STORAGE = plain
);

COMMENT ON FUNCTION ksuid_in(cstring) IS 'I/O';
COMMENT ON FUNCTION ksuid_out(ksuid) IS 'I/O';
COMMENT ON FUNCTION ksuid_recv(internal) IS 'I/O';
COMMENT ON FUNCTION ksuid_send(ksuid) IS 'I/O';

-- comparison

CREATE FUNCTION ksuid_lt(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_le(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_eq(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_ne(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_ge(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_gt(ksuid, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_cmp(ksuid, ksuid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ksuid_hash(ksuid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_hash_extended(ksuid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ksuid_lt(ksuid, ksuid) IS 'implementation of < operator';
COMMENT ON FUNCTION ksuid_le(ksuid, ksuid) IS 'implementation of <= operator';
COMMENT ON FUNCTION ksuid_eq(ksuid, ksuid) IS 'implementation of = operator';
COMMENT ON FUNCTION ksuid_ne(ksuid, ksuid) IS 'implementation of <> operator';
COMMENT ON FUNCTION ksuid_ge(ksuid, ksuid) IS 'implementation of >= operator';
COMMENT ON FUNCTION ksuid_gt(ksuid, ksuid) IS 'implementation of > operator';
COMMENT ON FUNCTION ksuid_cmp(ksuid, ksuid) IS 'less-equal-greater';
COMMENT ON FUNCTION ksuid_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION ksuid_hash(ksuid) IS 'hash';
COMMENT ON FUNCTION ksuid_hash_extended(ksuid, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (ksuid, ksuid) IS 'less than';
COMMENT ON OPERATOR <= (ksuid, ksuid) IS 'less than or equal';
COMMENT ON OPERATOR = (ksuid, ksuid) IS 'equal';
COMMENT ON OPERATOR <> (ksuid, ksuid) IS 'not equal';
COMMENT ON OPERATOR >= (ksuid, ksuid) IS 'greater than or equal';
COMMENT ON OPERATOR > (ksuid, ksuid) IS 'greater than';

CREATE OPERATOR CLASS ksuid_ops DEFAULT FOR TYPE ksuid USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 ksuid_cmp(ksuid, ksuid),
    FUNCTION 2 ksuid_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS ksuid_hash_ops DEFAULT FOR TYPE ksuid USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 ksuid_hash(ksuid),
    FUNCTION 2 ksuid_hash_extended(ksuid, bigint);

COMMENT ON OPERATOR CLASS ksuid_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION ksuid_smaller(ksuid, ksuid) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_larger(ksuid, ksuid) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(ksuid) (
    SFUNC = ksuid_smaller, STYPE = ksuid, COMBINEFUNC = ksuid_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(ksuid) (
    SFUNC = ksuid_larger, STYPE = ksuid, COMBINEFUNC = ksuid_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION ksuid_smaller(ksuid, ksuid) IS 'smaller of two';
COMMENT ON FUNCTION ksuid_larger(ksuid, ksuid) IS 'larger of two';
COMMENT ON AGGREGATE min(ksuid) IS 'minimum value of all ksuid input values';
COMMENT ON AGGREGATE max(ksuid) IS 'maximum value of all ksuid input values';

-- casts

CREATE FUNCTION ksuid_to_bytea(ksuid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_from_bytea(bytea) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_to_bytea(ksuid) IS 'the 20 bytes of a ksuid';
COMMENT ON FUNCTION ksuid_from_bytea(bytea) IS 'ksuid from 20 bytes';

CREATE CAST (text AS ksuid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS ksuid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS ksuid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (ksuid AS bytea) WITH FUNCTION ksuid_to_bytea(ksuid);
CREATE CAST (bytea AS ksuid) WITH FUNCTION ksuid_from_bytea(bytea);

COMMENT ON CAST (text AS ksuid) IS 'ksuid from its text';
COMMENT ON CAST (varchar AS ksuid) IS 'ksuid from its text';
COMMENT ON CAST (bpchar AS ksuid) IS 'ksuid from its text';
COMMENT ON CAST (ksuid AS bytea) IS 'the 20 bytes of a ksuid';
COMMENT ON CAST (bytea AS ksuid) IS 'ksuid from 20 bytes';

-- block ranges

CREATE FUNCTION ksuid_brin_distance(ksuid, ksuid) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ksuid_brin_distance(ksuid, ksuid) IS 'how many IDs the second ksuid lies after the first';

CREATE OPERATOR CLASS ksuid_minmax_ops DEFAULT FOR TYPE ksuid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS ksuid_minmax_multi_ops FOR TYPE ksuid USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 ksuid_brin_distance(ksuid, ksuid);
CREATE OPERATOR CLASS ksuid_bloom_ops FOR TYPE ksuid USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 ksuid_hash(ksuid);

COMMENT ON OPERATOR CLASS ksuid_minmax_ops USING brin IS 'least and greatest ksuid of a block range';
COMMENT ON OPERATOR CLASS ksuid_minmax_multi_ops USING brin IS 'several ranges of ksuid for a block range';
COMMENT ON OPERATOR CLASS ksuid_bloom_ops USING brin IS 'filter of the hashes of ksuid in a block range';

-- GiST, by the strategy numbers that core has for all (RTEqualStrategyNumber and so on)

CREATE FUNCTION ksuid_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ksuid_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ksuid_gist_consistent(internal, ksuid, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION ksuid_gist_fetch(internal) IS 'GiST support';
COMMENT ON FUNCTION ksuid_gist_consistent(internal, ksuid, smallint, oid, internal) IS 'GiST support';

CREATE OPERATOR CLASS ksuid_gist_ops DEFAULT FOR TYPE ksuid USING gist AS
    OPERATOR 18 =,
    OPERATOR 20 <,
    OPERATOR 21 <=,
    OPERATOR 22 >,
    OPERATOR 23 >=,
    FUNCTION 1 ksuid_gist_consistent(internal, ksuid, smallint, oid, internal),
    FUNCTION 2 _flakeid_functions.flakeid_gist_union(internal, internal),
    FUNCTION 3 ksuid_gist_compress(internal),
    FUNCTION 5 _flakeid_functions.flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 _flakeid_functions.flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 _flakeid_functions.flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 ksuid_gist_fetch(internal),
    FUNCTION 11 _flakeid_functions.flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS ksuid_gist_ops USING gist IS 'ranges of ksuid, to be indexed together with tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION ksuid_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY ksuid_ops USING btree ADD FUNCTION 6 (ksuid, ksuid) ksuid_skipsupport(internal);
        ALTER OPERATOR FAMILY ksuid_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION ksuid_timestamp(ksuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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

CREATE FUNCTION ksuid_lt_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION ksuid_le_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION ksuid_ge_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION ksuid_gt_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION ksuid_cmp_timestamptz(ksuid, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_cmp_le_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_since_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_not_after_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_before_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_ksuid(timestamptz, ksuid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_contained_by_tstzrange(ksuid, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_ksuid(flakeid_period, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id ksuid, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ksuid_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_multirange_support;
CREATE FUNCTION ksuid_in_range(ksuid, ksuid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_lt_timestamptz(ksuid, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION ksuid_le_timestamptz(ksuid, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION ksuid_ge_timestamptz(ksuid, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION ksuid_gt_timestamptz(ksuid, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION ksuid_cmp_timestamptz(ksuid, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION ksuid_cmp_le_timestamptz(ksuid, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_ksuid(timestamptz, ksuid) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_ksuid(timestamptz, ksuid) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_ksuid(timestamptz, ksuid) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_ksuid(timestamptz, ksuid) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_ksuid(timestamptz, ksuid) IS 'less-greater';
COMMENT ON FUNCTION ksuid_contained_by_tstzrange(ksuid, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_ksuid(flakeid_period, ksuid) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(ksuid, tstzmultirange) IS 'is the instant of the ksuid in one of the periods?';
COMMENT ON FUNCTION ksuid_in_range(ksuid, ksuid, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_lt_ksuid,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_le_ksuid,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_ge_ksuid,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.timestamptz_gt_ksuid,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR |<= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR <@ (
    LEFTARG = ksuid, RIGHTARG = flakeid_period, FUNCTION = ksuid_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = ksuid, FUNCTION = _flakeid_functions.tstzrange_contains_ksuid,
    COMMUTATOR = <@,
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (ksuid, timestamptz) IS 'before the instant';
COMMENT ON OPERATOR <= (ksuid, timestamptz) IS 'at or before the instant';
COMMENT ON OPERATOR >= (ksuid, timestamptz) IS 'at or after the instant';
COMMENT ON OPERATOR > (ksuid, timestamptz) IS 'after the instant';
COMMENT ON OPERATOR < (timestamptz, ksuid) IS 'before the instant of the ksuid';
COMMENT ON OPERATOR <= (timestamptz, ksuid) IS 'at or before the instant of the ksuid';
COMMENT ON OPERATOR >= (timestamptz, ksuid) IS 'at or after the instant of the ksuid';
COMMENT ON OPERATOR > (timestamptz, ksuid) IS 'after the instant of the ksuid';
COMMENT ON OPERATOR |<= (ksuid, timestamptz) IS 'less than or equal, as ksuid_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (ksuid, flakeid_period) IS 'instant is contained by';
COMMENT ON OPERATOR @> (flakeid_period, ksuid) IS 'contains the instant of the ksuid';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY ksuid_ops USING btree ADD
    OPERATOR 1 < (ksuid, timestamptz),
    OPERATOR 2 |<= (ksuid, timestamptz),
    OPERATOR 4 >= (ksuid, timestamptz),
    FUNCTION 1 (ksuid, timestamptz) ksuid_cmp_timestamptz(ksuid, timestamptz),
    OPERATOR 2 <= (timestamptz, ksuid),
    OPERATOR 5 > (timestamptz, ksuid),
    FUNCTION 1 (timestamptz, ksuid) _flakeid_functions.timestamptz_cmp_ksuid(timestamptz, ksuid),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (ksuid, interval) ksuid_in_range(ksuid, ksuid, interval, boolean, boolean);
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
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

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
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION uuid7_horizon() IS 'a uuid below which no row will appear any more: this statement sees every row that will ever be committed with a lower ID from uuid7_new()';
/* ---------- time on the IDs that people have ---------- */

-- A condition on one of the functions below, such as uuid7_timestamp(id) >= t, becomes
-- a condition on the column: see src/instant.c.  The domain flakeid_instant, in head.sql, tells
-- these conditions from those on any other timestamptz.

CREATE FUNCTION _flakeid_functions.flakeid_instant_lt_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_instant_within_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt_support(internal) IS 'planner support for flakeid_instant < instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le_support(internal) IS 'planner support for flakeid_instant <= instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge_support(internal) IS 'planner support for flakeid_instant >= instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt_support(internal) IS 'planner support for flakeid_instant > instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_within_support(internal) IS 'planner support for flakeid_within';

-- what the planner puts in their place

CREATE FUNCTION _flakeid_functions.flakeid_date_instant(date) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_timestamp_instant(timestamp) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_range_first(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flakeid_range_last(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE FUNCTION _flakeid_functions.flakeid_is_range_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_is_range(tstzrange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_is_range_support;

COMMENT ON FUNCTION _flakeid_functions.flakeid_date_instant(date) IS 'midnight of a date in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_timestamp_instant(timestamp) IS 'instant of a timestamp in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_first(tstzrange) IS 'first instant in a range, -infinity included; infinity if it is empty';
COMMENT ON FUNCTION _flakeid_functions.flakeid_is_range_support(internal) IS 'planner support for flakeid_is_range';
COMMENT ON FUNCTION _flakeid_functions.flakeid_is_range(tstzrange) IS 'always true; makes the planner estimate the conditions on time next to it, which compare with the ends of the range';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_last(tstzrange) IS 'last instant in a range, infinity included; -infinity if it is empty';

-- comparison: core's functions, which the planner asks flakeid about

CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_lt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_le_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_ge_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_gt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_lt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_le_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_ge_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_gt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(date, flakeid_instant) RETURNS boolean
    AS 'date_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(date, flakeid_instant) RETURNS boolean
    AS 'date_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(date, flakeid_instant) RETURNS boolean
    AS 'date_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(date, flakeid_instant) RETURNS boolean
    AS 'date_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_gt_support;

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

CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (flakeid_instant, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR <= (flakeid_instant, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR >= (flakeid_instant, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR > (flakeid_instant, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR < (flakeid_instant, timestamptz) IS 'less than';
COMMENT ON OPERATOR <= (flakeid_instant, timestamptz) IS 'less than or equal';
COMMENT ON OPERATOR >= (flakeid_instant, timestamptz) IS 'greater than or equal';
COMMENT ON OPERATOR > (flakeid_instant, timestamptz) IS 'greater than';
COMMENT ON OPERATOR < (timestamptz, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR <= (timestamptz, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR >= (timestamptz, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR > (timestamptz, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR < (flakeid_instant, timestamp) IS 'less than';
COMMENT ON OPERATOR <= (flakeid_instant, timestamp) IS 'less than or equal';
COMMENT ON OPERATOR >= (flakeid_instant, timestamp) IS 'greater than or equal';
COMMENT ON OPERATOR > (flakeid_instant, timestamp) IS 'greater than';
COMMENT ON OPERATOR < (timestamp, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR <= (timestamp, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR >= (timestamp, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR > (timestamp, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR < (flakeid_instant, date) IS 'less than';
COMMENT ON OPERATOR <= (flakeid_instant, date) IS 'less than or equal';
COMMENT ON OPERATOR >= (flakeid_instant, date) IS 'greater than or equal';
COMMENT ON OPERATOR > (flakeid_instant, date) IS 'greater than';
COMMENT ON OPERATOR < (date, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR <= (date, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR >= (date, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR > (date, flakeid_instant) IS 'greater than';

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
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzrange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_within_support;
CREATE FUNCTION flakeid_within(flakeid_instant, tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzmultirange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_within_support;

COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzrange) IS 'is the instant in the range?';
COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzmultirange) IS 'is the instant in one of the ranges?';

-- version 7 UUIDs

CREATE FUNCTION uuid7_timestamp(uuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
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
    AS 'MODULE_PATHNAME', 'ulid_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_timestamp(uuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_timestamp(bytea) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
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
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.is_ulid_support;
CREATE FUNCTION _flakeid_functions.is_ulid(uuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'is_ulid_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.is_ulid_support;

COMMENT ON FUNCTION _flakeid_functions.is_ulid_support(internal) IS 'planner support for is_ulid';
COMMENT ON FUNCTION _flakeid_functions.is_ulid(text) IS 'true for a text that ulid_timestamp() reads, NULL for any other; makes the planner estimate the conditions on time next to it';
COMMENT ON FUNCTION _flakeid_functions.is_ulid(uuid) IS 'always true, because ulid_timestamp() reads every UUID; makes the planner estimate the conditions on time next to it';

-- bigints of a named layout

CREATE FUNCTION layout_timestamp(id bigint, layout text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_min(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_max(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION layout_timestamp(bigint, text) IS 'instant of an ID of a layout in flakeid_layouts: the start of its unit of time; the infinities for the least and the greatest bigint';
COMMENT ON FUNCTION layout_min(timestamptz, text) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION layout_max(timestamptz, text) IS 'upper bound of the IDs whose instant is at or before this one';

CREATE FUNCTION layout_timestamp(id bigint, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
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

/* ---------- the mark ---------- */

CREATE SCHEMA _flakeid;

-- The intervals in which IDs may have been issued, by kind: 0 and 1 are the timelines of
-- sno, 2 all other generators, 3 what readers of flax have passed.  The end of the current
-- one is the mark.  An interval from -infinity to -infinity is none.  The WAL timeline on
-- which a row was written shows whether the server has been promoted since.  Only the library
-- writes the table, and it writes in place.
CREATE TABLE _flakeid.mark (
    kind bigint NOT NULL,
    current bigint NOT NULL,
    from_1 timestamptz NOT NULL, to_1 timestamptz NOT NULL,
    from_2 timestamptz NOT NULL, to_2 timestamptz NOT NULL,
    from_3 timestamptz NOT NULL, to_3 timestamptz NOT NULL,
    from_4 timestamptz NOT NULL, to_4 timestamptz NOT NULL,
    from_5 timestamptz NOT NULL, to_5 timestamptz NOT NULL,
    from_6 timestamptz NOT NULL, to_6 timestamptz NOT NULL,
    wal_timeline bigint NOT NULL
) USING heap;
INSERT INTO _flakeid.mark
    SELECT kind, 1, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity',
        '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', 0
    FROM pg_catalog.generate_series(0, 3) AS kind;

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
COMMENT ON COLUMN flakeid_formats.sequence_bits IS 'bits of the sequence, from which a generator has a pool of sequence numbers for each tick; 0: it draws from another type''s generator, or has none';
COMMENT ON COLUMN flakeid_formats.random_bits IS 'random bits of an ID';
COMMENT ON COLUMN flakeid_formats.generators IS 'how many generators IDs can tell apart: partitions, shards or workers';
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
    OUT late bigint, OUT since timestamptz, OUT issued_since timestamptz, OUT horizon timestamptz, OUT held_by int
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
COMMENT ON COLUMN flakeid_clock.refused IS 'calls since flakeid_clock.since that ended with an error because they could not get an ID or write the mark, for one of the reasons in last_refused_reason; SQLSTATE 22008 where the clock is outside the span of the type, 25006 on a standby, otherwise 55000. flax_new() is counted only when the clock is too far behind readers';
COMMENT ON COLUMN flakeid_clock.last_refused IS 'when the last call was refused; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_refused_reason IS 'why the last call was refused: "clock too far behind", "waited for flakeid.max_wait", "sequence used up", "out of the type''s span", "in recovery", "table of the mark locked", "mark not written within flakeid.max_wait", "table of the mark changed in the transaction" or "table of the mark damaged"';
COMMENT ON COLUMN flakeid_clock.late IS 'rows whose IDs flakeid_late_id() has found below what readers may have passed, since flakeid_clock.since; including those that it refused or renewed';
COMMENT ON COLUMN flakeid_clock.since IS 'when the counters began, except issued: with the memory of this database, or the last flakeid_stats_reset()';
COMMENT ON COLUMN flakeid_clock.issued_since IS 'when the memory of this database was made, from which issued in flakeid_generators counts';
COMMENT ON COLUMN flakeid_clock.horizon IS 'instant up to which feeds can read: that of clock, or of the first ID of the oldest open transaction; NULL: unknown, as in recovery, or where a prepared transaction from before the last start or promotion holds it';
COMMENT ON COLUMN flakeid_clock.held_by IS 'process that holds the horizon there; 0: a prepared transaction; NULL: none; see flakeid_horizon_holders';

CREATE FUNCTION _flakeid_functions.flakeid_show_issued(
    OUT kind int, OUT issued_from timestamptz, OUT issued_to timestamptz, OUT is_current boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 6;
CREATE VIEW flakeid_issued AS SELECT * FROM _flakeid_functions.flakeid_show_issued();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_issued() IS 'rows of the view flakeid_issued';
COMMENT ON VIEW flakeid_issued IS 'when this database has issued IDs: up to six intervals of each kind; flakeid_clock_reset() can go back to any instant outside them';
COMMENT ON COLUMN flakeid_issued.kind IS '0 and 1: sno, by its tick-tock bit; 2: all other types; 3: flax, of which only flax_horizon() moves the mark';
COMMENT ON COLUMN flakeid_issued.issued_from IS 'first instant of the interval; -infinity: all before its end';
COMMENT ON COLUMN flakeid_issued.issued_to IS 'first instant after the interval; that of the current one is the mark, and leads the IDs by up to two seconds';
COMMENT ON COLUMN flakeid_issued.is_current IS 'IDs are being issued in this interval, and never again in the others';

CREATE FUNCTION flakeid_stats_reset() RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_stats_reset() FROM PUBLIC;

COMMENT ON FUNCTION flakeid_stats_reset() IS 'restart the counts of regressions, refusals, overflows, waits and late IDs in this database, but not of IDs issued; returns the instant from which they count';
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

CREATE FUNCTION flakeid_of_twin(type text, id bytea) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_of_twin(text, bytea) IS 'whether an ID of this type, as bytea, has this database''s number and a tick that its generator has not issued';
/* ---------- versions ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_library(OUT version text, OUT release text, OUT layout int)
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_version(OUT library text, OUT extension text, OUT release text, OUT layout int)
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT l.version, x.extversion, l.release, l.layout FROM _flakeid_functions.flakeid_library() AS l, pg_catalog.pg_extension AS x WHERE x.extname OPERATOR(pg_catalog.=) 'flakeid';
END;

COMMENT ON FUNCTION _flakeid_functions.flakeid_library() IS 'version and release of the library that this session has loaded, and the layout of the shared memory that it makes';
COMMENT ON FUNCTION flakeid_version() IS 'versions of the library that this session has loaded and of the extension''s SQL, which differ in the middle of an upgrade; the library''s release, such as 1.0.3, whose third number counts corrections; and the layout of its shared memory, which cannot change without a restart';
/* ---------- feeds ---------- */

-- rows whose IDs arrive late

CREATE FUNCTION flakeid_late_id() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION flakeid_late_id() IS 'for a BEFORE INSERT OR UPDATE trigger: refuses, renews or counts a row whose ID readers may have passed; its arguments are the column and refuse, renew or count';

-- what standbys and subscribers know of the horizons

-- One row for each database that publishes, by the server's system identifier and its OID:
-- the instants of its horizons.  An ordinary table, which any role with the privilege may
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
    flax timestamptz,
    PRIMARY KEY (system, database)
) USING heap;

COMMENT ON TABLE _flakeid.horizon IS 'horizons that primaries and publishers have written down for their standbys and subscribers; a role that may write it decides what readers there see';

CREATE FUNCTION _flakeid_functions.flakeid_own_horizon(horizon regprocedure) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_own_horizon(regprocedure) IS 'instant of the horizon of the IDs that this database makes, whatever its publishers have sent; the argument is T_horizon(); the caller must be allowed to call that and to write the table _flakeid.horizon, because this moves the mark to the clock; -infinity: nothing may be published, for a publisher has not sent anything yet or a subscription is still copying tables';

CREATE PROCEDURE flakeid_publish_horizon(with_sno boolean DEFAULT false, with_flax boolean DEFAULT false)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home CONSTANT text := _flakeid_functions.flakeid_home();
    own_system CONSTANT bigint := (SELECT system_identifier FROM pg_control_system());
    own_database CONSTANT oid := (SELECT oid FROM pg_database WHERE datname = current_database());
BEGIN
    -- if a superuser has renamed the schema, there may be a stranger's table of that name
    IF NOT EXISTS (SELECT FROM pg_depend AS d JOIN pg_extension AS x ON x.oid = d.refobjid AND x.extname = 'flakeid'
            WHERE d.classid = 'pg_class'::regclass AND d.objid = to_regclass('_flakeid.horizon') AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e') THEN
        RAISE 'table "_flakeid.horizon" is not the extension''s' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Give the schemas of flakeid their names again.';
    END IF;
    INSERT INTO _flakeid.horizon AS h (system, database, published, snowflake, ulid, siq, uid64, ksuid)
        VALUES (own_system, own_database, clock_timestamp(),
            _flakeid_functions.flakeid_own_horizon((home || '.snowflake_horizon()')::regprocedure),
            _flakeid_functions.flakeid_own_horizon((home || '.ulid_horizon()')::regprocedure),
            _flakeid_functions.flakeid_own_horizon((home || '.siq_horizon()')::regprocedure),
            _flakeid_functions.flakeid_own_horizon((home || '.uid64_horizon()')::regprocedure),
            _flakeid_functions.flakeid_own_horizon((home || '.ksuid_horizon()')::regprocedure))
        ON CONFLICT (system, database) DO UPDATE
        SET published = excluded.published, snowflake = excluded.snowflake, ulid = excluded.ulid,
            siq = excluded.siq, uid64 = excluded.uid64, ksuid = excluded.ksuid;
    IF with_sno THEN
        UPDATE _flakeid.horizon AS h SET sno = _flakeid_functions.flakeid_own_horizon((home || '.sno_horizon()')::regprocedure)
            WHERE h.system = own_system AND h.database = own_database;
    END IF;
    IF with_flax THEN
        UPDATE _flakeid.horizon AS h SET flax = _flakeid_functions.flakeid_own_horizon((home || '.flax_horizon()')::regprocedure)
            WHERE h.system = own_system AND h.database = own_database;
    END IF;
END
$$;

COMMENT ON PROCEDURE flakeid_publish_horizon(boolean, boolean) IS 'write down the horizons for standbys and subscribers of this database, with the caller''s rights; with_sno and with_flax: also those of sno and flax, which keep new IDs from following a clock that steps back';

-- who holds the horizons

CREATE FUNCTION _flakeid_functions.flakeid_show_horizon_holders(OUT pid int, OUT xid xid, OUT since timestamptz) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 5;
CREATE VIEW flakeid_horizon_holders AS
SELECT h.pid, p.gid AS prepared, h.since,
    pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) coalesce(h.since, p.prepared) AS age,
    coalesce(a.usename, p.owner) AS role, a.state, a.query
FROM _flakeid_functions.flakeid_show_horizon_holders() AS h
    LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid OPERATOR(pg_catalog.=) h.pid
    LEFT JOIN pg_catalog.pg_prepared_xacts AS p ON p.transaction OPERATOR(pg_catalog.=) h.xid;

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_horizon_holders() IS 'rows of the view flakeid_horizon_holders';
COMMENT ON VIEW flakeid_horizon_holders IS 'transactions of this database that have made IDs and have not ended: no horizon passes them';
COMMENT ON COLUMN flakeid_horizon_holders.pid IS 'process of the session; NULL: the transaction is prepared';
COMMENT ON COLUMN flakeid_horizon_holders.prepared IS 'name of the prepared transaction; NULL: a session has it open';
COMMENT ON COLUMN flakeid_horizon_holders.since IS 'instant of its first ID, at which it holds the horizons; NULL: unknown, as it was prepared before the server''s last start or promotion, or with too many others, and no horizon rises';
COMMENT ON COLUMN flakeid_horizon_holders.age IS 'how long ago that was; where that is unknown, how long ago it was prepared';
COMMENT ON COLUMN flakeid_horizon_holders.role IS 'role of the session, or owner of the prepared transaction';
COMMENT ON COLUMN flakeid_horizon_holders.state IS 'what the session does, as in pg_stat_activity, for those who may see it';
COMMENT ON COLUMN flakeid_horizon_holders.query IS 'its last statement, as in pg_stat_activity, for those who may see it';
/* ---------- partitions by time ---------- */

-- What the functions below need to know of a table, which the caller must own: the
-- extension's schema; the partition key's column, its name in messages, and the span of its
-- IDs; as expressions, the least ID from the instant "at" on, and the instant of the ID
-- "bound"; and as a query, the bounds of the partitions of $1 as instants, NULL for the
-- default partition.  A bound is "exact" if it is the least ID of its instant.
--
-- This is the only place that knows what a layout is: '' is one of our own types, uuid7 and
-- ulid are for uuid, and the names in flakeid_layouts are for bigint, as are the caller's own
-- layouts, which are written as their arguments, the epoch with its time zone.
CREATE FUNCTION _flakeid_functions.flakeid_partition_rule(
    parent regclass, layout text,
    OUT home text, OUT key_column name, OUT what text, OUT first_at timestamptz, OUT last_at timestamptz,
    OUT least_id text, OUT instant text, OUT bounds text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    key record;
    layout_type regtype := CASE WHEN layout IN ('uuid7', 'ulid') THEN 'uuid' ELSE 'bigint' END;
    layouts text[];
    own text[] := regexp_match(layout, '^epoch => ([0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9:.]+)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)), low_bits => ([0-9]{1,2})(?:, unit => ([0-9a-z.: ]+))?$');
    arguments text := CASE WHEN own IS NULL THEN format('%L::text', layout)
        ELSE format('%L::timestamptz, %s, %L::interval', own[1], own[2], coalesce(own[3], '1 ms')) END;
    types text;    -- our types that sort by time
BEGIN
    home := _flakeid_functions.flakeid_home();
    PERFORM _flakeid_functions.flakeid_check_owner(parent);
    IF EXISTS (SELECT FROM pg_class AS c WHERE c.oid = parent AND c.relpersistence = 't') THEN
        RAISE 'table "%" is temporary', parent
            USING ERRCODE = 'wrong_object_type', HINT = 'Create its partitions with CREATE TEMPORARY TABLE ... PARTITION OF.';
    END IF;

    EXECUTE format('SELECT (SELECT array_agg(l.name ORDER BY l.name) FROM %1$s.flakeid_layouts AS l),
        (SELECT string_agg(f.name, '', '') FROM %1$s.flakeid_formats AS f WHERE f.time_ordered)', home) INTO layouts, types;
    IF own IS NULL AND layout <> ALL (layouts || ARRAY['', 'uuid7', 'ulid']) THEN
        RAISE 'unrecognized layout: "%"', layout
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('The layouts are uuid7 and ulid for uuid, and for bigint %s.', array_to_string(layouts, ', ')),
            HINT = 'A layout of your own is written as ''epoch => 2020-01-01Z, low_bits => 22, unit => 1 ms''.';
    END IF;
    SELECT p.partstrat, p.partnatts, t.oid::regtype AS type, t.typname AS name, t.typnamespace = home::regnamespace AS is_ours,
        (SELECT a.attname FROM pg_attribute AS a WHERE a.attrelid = parent AND a.attnum = p.partattrs[0]) AS key_column
    INTO key FROM pg_partitioned_table AS p JOIN pg_opclass AS o ON o.oid = p.partclass[0] JOIN pg_type AS t ON t.oid = o.opcintype
    WHERE p.partrelid = parent;
    IF NOT FOUND OR key.partstrat <> 'r' THEN
        RAISE 'table "%" is not partitioned%', parent, CASE WHEN FOUND THEN ' by range' ELSE '' END
            USING ERRCODE = 'wrong_object_type', HINT = 'Create it with PARTITION BY RANGE on the ID.';
    ELSIF key.partnatts <> 1 THEN
        RAISE 'table "%" is partitioned by more than an ID', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key has %s columns.', key.partnatts),
            HINT = 'Partition by the ID alone; partitions can be partitioned in turn.';
    ELSIF layout <> '' AND key.type <> layout_type THEN
        RAISE 'table "%" is not partitioned by a %', parent, layout_type
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s, and layout %s is for %s.', key.type, layout, layout_type);
    ELSIF layout = '' AND NOT (key.is_ours AND key.name = ANY (string_to_array(types, ', '))) THEN
        RAISE 'table "%" is not partitioned by an ID that sorts by time', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s.', key.type),
            HINT = CASE key.type
                WHEN 'uuid'::regtype THEN 'Say by the argument layout how its IDs hold the time: uuid7 or ulid.'
                WHEN 'bigint'::regtype THEN 'Say by the argument layout how its IDs hold the time: a name in flakeid_layouts.'
                ELSE format('The types that sort by time are %s.', types) END;
    END IF;

    key_column := key.key_column;
    CASE
    WHEN layout = '' THEN
        EXECUTE format('SELECT f.epoch, f.last_timestamp FROM %s.flakeid_formats AS f WHERE f.name = $1', home) INTO first_at, last_at USING key.name;
        least_id := format('%s.%I(at)::text', home, key.name || '_min');
        instant := format('%1$s.%2$I(bound::%1$s.%3$I)', home, key.name || '_timestamp', key.name);
    WHEN layout_type = 'uuid'::regtype THEN
        first_at := '1970-01-01 00:00:00+00';
        last_at := '10889-08-02 05:31:50.655999+00';
        least_id := format('%s.%I(at)::text', home, CASE layout WHEN 'ulid' THEN 'ulid_uuid_min' ELSE 'uuid7_min' END);
        instant := format('%s.ulid_timestamp(bound::uuid)', home);    -- both have the same bits, and bounds have no version
    ELSE
        IF own IS NULL THEN
            EXECUTE format('SELECT l.epoch, l.last_timestamp FROM %s.flakeid_layouts AS l WHERE l.name = $1', home) INTO first_at, last_at USING layout;
        ELSE
            EXECUTE format('SELECT %1$s.layout_timestamp(0::bigint, %2$s), %1$s.layout_timestamp(%1$s.layout_min(timestamptz ''infinity'', %2$s) - 1, %2$s)',
                home, arguments) INTO first_at, last_at;
        END IF;
        least_id := format('%s.layout_min(at, %s)::text', home, arguments);
        instant := format('%s.layout_timestamp(bound::bigint, %s)', home, arguments);
    END CASE;
    what := CASE layout WHEN '' THEN 'type ' || key.name ELSE 'layout ' || layout END;
    -- pg_get_expr() locks nothing if it is given no table; pg_table_is_visible() is NULL for a
    -- partition that has been dropped since this statement began
    bounds := format(
        'SELECT c.oid AS relation, n.nspname, c.relname, c.relkind, i.inhdetachpending AS pending, lower.at AS lower_at, upper.at AS upper_at,
            upper.bound IS NULL OR upper.bound = (SELECT %2$s FROM (SELECT upper.at) AS v) AS exact
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
            LEFT JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, 0), %3$L) AS b ON true
            LEFT JOIN LATERAL (SELECT bound, CASE WHEN bound IS NULL THEN ''-infinity'' ELSE (%1$s)::timestamptz END AS at FROM (SELECT b[1]) AS v (bound)) AS lower ON b IS NOT NULL
            LEFT JOIN LATERAL (SELECT bound, CASE WHEN bound IS NULL THEN ''infinity'' ELSE (%1$s)::timestamptz END AS at FROM (SELECT b[2]) AS v (bound)) AS upper ON b IS NOT NULL
        WHERE i.inhparent = $1 AND pg_table_is_visible(c.oid) IS NOT NULL', instant, least_id, '^FOR VALUES FROM [(](?:''([^'']+)''|MINVALUE)[)] TO [(](?:''([^'']+)''|MAXVALUE)[)]$');
END
$$;

-- Return the whole months of a step, 0 if it is one of days, hours or less, or report an error.
CREATE FUNCTION _flakeid_functions.flakeid_step_months(step interval) RETURNS int
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    months int;
BEGIN
    IF NOT isfinite(step) OR step <= interval '0' THEN
        RAISE 'step must be greater than zero and finite'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step);
    END IF;
    months := extract(year FROM step) * 12 + extract(month FROM step);
    IF months <> 0 AND step - make_interval(months => months) <> interval '0' OR months < 0 THEN
        RAISE 'step mixes months with days or hours'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step),
            HINT = 'A step has months and years, such as 3 months, or weeks, days and less, such as 7 days.';
    END IF;
    RETURN months;
END
$$;

-- The queries for the first row of a partition from the instant $1 on, and for the last one
-- before it, as formats for the name that flakeid_hold() returns: each returns the instant of
-- that row.
CREATE FUNCTION _flakeid_functions.flakeid_partition_rows(
    parent regclass, layout text, OUT first_row text, OUT last_row text, OUT key_column name
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    type text;
    operators text;    -- schema of the type's
    start text;
BEGIN
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    key_column := rule.key_column;
    operators := CASE layout WHEN '' THEN rule.home ELSE 'pg_catalog' END;
    SELECT o.opcintype::regtype::text INTO type FROM pg_partitioned_table AS p JOIN pg_opclass AS o ON o.oid = p.partclass[0] WHERE p.partrelid = parent;
    start := format('SELECT (%s)::timestamptz FROM (SELECT %I::text FROM ', rule.instant, key_column);
    first_row := format(' WHERE %1$I OPERATOR(%2$s.>=) (SELECT (%3$s)::%4$s FROM (SELECT $1) AS w (at)) ORDER BY %1$I LIMIT 1) AS v (bound)',
        key_column, operators, rule.least_id, type);
    last_row := format(' WHERE %1$I OPERATOR(%2$s.<) (SELECT (%3$s)::%4$s FROM (SELECT $1) AS w (at)) ORDER BY %1$I DESC LIMIT 1) AS v (bound)',
        key_column, operators, rule.least_id, type);
    first_row := replace(start, '%', '%%') || '%s' || replace(first_row, '%', '%%');
    last_row := replace(start, '%', '%%') || '%s' || replace(last_row, '%', '%%');
END
$$;

-- What the rows of a table show about the time that has passed, in UTC: the instant of the
-- newest row that is not in the future, and the pauses before it, in which the table has no
-- row.  A pause is longer than a day, or longer than the step if that is shorter.  A clock that
-- is set ahead leaves one, whether or not there are partitions for it, in one partition or
-- between two.  A gap that is usual in a table is no pause: if there were three before it that
-- were at least half as long, rows arrive only now and then, say every night or once a month.
--
-- Rows are looked up by an index of the key, half a day at a time from the newest one back; in
-- a partition without such an index only the first and the last row are.
CREATE FUNCTION _flakeid_functions.flakeid_partition_times(
    parent regclass, layout text, step interval, OUT newest timestamp, OUT pause_starts timestamp[], OUT pause_ends timestamp[]
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    longest CONSTANT interval := least(step, interval '1 day');
    rule record;
    queries record;
    part record;
    held text;               -- the partition's name, which cannot change any more
    passed text[];           -- queries for the first rows from the partition that holds "seen" back
    seen timestamptz;        -- rows are known of from here on
    found_at timestamptz;
    before timestamptz := now() + interval '1 second';    -- IDs run ahead of the clock by a few ticks
    next_at timestamptz;
BEGIN
    pause_starts := '{}';
    pause_ends := '{}';
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    SELECT * INTO queries FROM _flakeid_functions.flakeid_partition_rows(parent, layout);
    FOR part IN EXECUTE format('SELECT greatest(b.lower_at, $2) AS lower_at, b.relation, EXISTS (
            SELECT FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_am AS m ON m.oid = x.relam
                JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = b.relation AND a.attname = $3 AND m.amname = ''btree'' AND i.indisvalid AND i.indpred IS NULL) AS indexed
        FROM (%s) AS b WHERE b.lower_at <= now() AND NOT b.pending ORDER BY b.upper_at DESC', rule.bounds) USING parent, rule.first_at, queries.key_column LOOP
        BEGIN
            held := _flakeid_functions.flakeid_hold(part.relation::regclass, false);
        EXCEPTION WHEN undefined_table THEN
            CONTINUE;    -- it has been dropped since this statement began
        END;
        passed := format(queries.first_row, held) || passed;
        WHILE before > part.lower_at LOOP
            EXECUTE format(queries.last_row, held) INTO found_at USING before;
            EXIT WHEN found_at IS NULL;
            IF seen IS NULL THEN
                newest := least(found_at, now()) AT TIME ZONE 'UTC';
            ELSIF seen - found_at > longest THEN
                FOR i IN 1 .. cardinality(passed) LOOP
                    EXECUTE passed[i] INTO next_at USING before;
                    EXIT WHEN next_at IS NOT NULL;
                END LOOP;
                IF next_at - found_at > longest THEN
                    pause_starts := pause_starts || found_at AT TIME ZONE 'UTC';
                    pause_ends := pause_ends || next_at AT TIME ZONE 'UTC';
                END IF;
            END IF;
            seen := found_at;
            IF NOT part.indexed THEN
                EXECUTE passed[1] INTO seen USING part.lower_at;
                seen := coalesce(seen, found_at);
            END IF;
            before := seen - longest / 2;
            passed := passed[1:1];
        END LOOP;
    END LOOP;
    SELECT coalesce(array_agg(p.starts ORDER BY p.n), '{}') || timestamp '-infinity', coalesce(array_agg(p.ends ORDER BY p.n), '{}') || seen AT TIME ZONE 'UTC'
    INTO pause_starts, pause_ends FROM unnest(pause_starts, pause_ends) WITH ORDINALITY AS p (starts, ends, n)
    WHERE NOT EXISTS (SELECT FROM unnest(pause_starts, pause_ends) WITH ORDINALITY AS o (starts, ends, n)
        WHERE o.n > p.n AND (o.ends - o.starts) * 2 >= p.ends - p.starts OFFSET 2);
END
$$;

-- The steps of a table, in UTC: as an expression, the start of the step that holds "x".  They
-- continue from the last partition, which must be of that step; a step of 0 means its step.
CREATE FUNCTION _flakeid_functions.flakeid_partition_grid(parent regclass, layout text, INOUT step interval, OUT start text)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    last record;
    months int;
    anchor timestamp;
BEGIN
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    EXECUTE format('SELECT b.relation::regclass AS name, b.lower_at AT TIME ZONE ''UTC'' AS starts, b.upper_at AT TIME ZONE ''UTC'' AS ends, b.exact
        FROM (%s) AS b WHERE isfinite(b.lower_at) AND isfinite(b.upper_at) ORDER BY b.upper_at DESC LIMIT 1', rule.bounds) INTO last USING parent;
    IF step = interval '0' THEN
        months := extract(year FROM age(last.ends, last.starts)) * 12 + extract(month FROM age(last.ends, last.starts));
        step := CASE WHEN months > 0 AND last.starts + make_interval(months => months) = last.ends THEN make_interval(months => months)
            ELSE last.ends - last.starts END;
    END IF;
    IF step IS NULL THEN
        RETURN;    -- there is no partition
    END IF;
    months := _flakeid_functions.flakeid_step_months(step);

    -- without a partition, months are counted from 2000 on, weeks from the first Monday of 2000
    anchor := coalesce(last.starts, CASE WHEN months > 0 THEN timestamp '2000-01-01' ELSE timestamp '2000-01-03' END);
    IF last.starts + step <> last.ends OR NOT last.exact OR months > 0 AND extract(day FROM anchor) > 28 THEN
        RAISE 'step % does not fit the partitions of table "%"', step, parent
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('The last one, "%s", is from %s to %s.', last.name, last.starts AT TIME ZONE 'UTC', last.ends AT TIME ZONE 'UTC'),
            HINT = 'Use the step of the existing partitions; steps of months must begin before the 29th. To change the step, first create the next partition with flakeid_create_partitions(), from the end of the last one on.';
    END IF;
    start := CASE WHEN months > 0 THEN format('%1$L::timestamp + make_interval(months => (floor((extract(year FROM x) * 12 + extract(month FROM x) - %2$s
            - (x - date_trunc(''month'', x) < %3$L::interval)::int) / %4$s) * %4$s)::int)',
            anchor, extract(year FROM anchor) * 12 + extract(month FROM anchor), anchor - date_trunc('month', anchor), months)
        -- the origin is before all IDs, because date_bin() of 15.6, 16.2 and older is wrong for instants before its origin
        ELSE format('date_bin(%L::interval, x, %L::timestamp)', step, date_bin(step, timestamp '1970-01-01', anchor)) END;
END
$$;

-- Return by how much the clock was set ahead, as far as the server knows, if that is more
-- than flakeid.max_ahead: then nothing is removed until a person has checked the clock.
CREATE FUNCTION _flakeid_functions.flakeid_clock_doubt() RETURNS interval
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    jump interval := _flakeid_functions.flakeid_clock_jump();
BEGIN
    RETURN CASE WHEN jump > current_setting('flakeid.max_ahead')::interval THEN justify_interval(jump) END;
END
$$;

-- The partitions of a table, and what flakeid_maintain with the same arguments would do.
-- A step of 0 is that of the last partition, and creates none; a retain of 0 means forever.
--
-- A partition's age is measured in the table, not by the clock alone: it is the time from its
-- end to the newest row, or to now if that is earlier, without the pauses.  So neither a wrong
-- clock nor a table that is no longer written makes anything old.
CREATE FUNCTION flakeid_partitions(
    parent regclass, step interval DEFAULT '0', ahead int DEFAULT 2, retain interval DEFAULT '0',
    detach boolean DEFAULT false, at_most int DEFAULT 2, layout text DEFAULT '',
    OUT partition regclass, OUT lower_at timestamptz, OUT upper_at timestamptz, OUT age interval,
    OUT rows bigint, OUT size bigint, OUT action text, OUT note text
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    bounds text;
    grid record;
    times record;
BEGIN
    IF ahead NOT BETWEEN 0 AND 1000 OR at_most < 0 OR retain < interval '0' OR NOT isfinite(retain) THEN
        RAISE 'ahead, retain or at_most is out of range'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('ahead is %s, retain %s, at_most %s.', ahead, retain, at_most),
            HINT = 'ahead must be 0 to 1000 partitions; retain and at_most must not be negative.';
    END IF;
    SELECT r.bounds INTO bounds FROM _flakeid_functions.flakeid_partition_rule(parent, layout) AS r;
    SELECT * INTO grid FROM _flakeid_functions.flakeid_partition_grid(parent, layout, step);
    -- to create partitions, no row has to be read
    SELECT * INTO times FROM _flakeid_functions.flakeid_partition_times(parent, layout, grid.step) WHERE step = interval '0' OR retain > interval '0';

    RETURN QUERY EXECUTE format(
        'WITH there AS (
            SELECT b.*, starts, ends, b.exact AND CASE WHEN isfinite(starts) THEN starts = %2$s AND starts + $3 = ends ELSE false END AS fits
            FROM (%1$s) AS b, timezone(''UTC'', b.lower_at) AS starts, timezone(''UTC'', b.upper_at) AS ends, LATERAL (SELECT starts) AS v (x)
        ), aged AS (
            SELECT t.*, CASE WHEN t.ends <= $2 THEN $2 - (t.ends + coalesce((SELECT sum(g.ends - greatest(g.starts, t.ends)) FROM unnest($9, $10) AS g (starts, ends) WHERE g.ends > t.ends), ''0'')) END AS age
            FROM there AS t
        ), counted AS (
            SELECT a.*, $5 > ''0'' AND $2 - a.age <= $2 - $5 AS past, count(*) FILTER (WHERE $5 > ''0'' AND $2 - a.age <= $2 - $5 AND a.fits AND NOT a.pending) OVER () AS to_remove
            FROM aged AS a
        )
        SELECT c.relation::regclass, c.lower_at, c.upper_at, c.age,
            coalesce(nullif(pg_stat_get_live_tuples(c.relation), 0), (SELECT greatest(r.reltuples, 0) FROM pg_class AS r WHERE r.oid = c.relation))::bigint,
            (SELECT sum(pg_total_relation_size(m.relid))::bigint FROM pg_partition_tree(c.relation) AS m
            WHERE NOT EXISTS (SELECT FROM pg_locks AS l WHERE l.relation = c.relation AND l.mode = ''AccessExclusiveLock'')),
            CASE WHEN c.past AND c.fits AND NOT c.pending AND c.to_remove <= $6 AND $11 IS NULL THEN CASE WHEN $7 THEN ''detach'' ELSE ''drop'' END END,
            CASE WHEN c.lower_at IS NULL THEN ''the default partition''
                WHEN c.pending THEN ''incompletely detached''
                WHEN c.past AND NOT c.fits THEN ''not of this step''
                WHEN c.past AND $11 IS NOT NULL THEN format(''to be removed, but the clock was set ahead by %%s'', $11)
                WHEN c.past AND c.to_remove > $6 THEN format(''one of %%s to be removed, more than at_most'', c.to_remove) END
        FROM counted AS c
        UNION ALL
        SELECT NULL, timezone(''UTC'', starts), timezone(''UTC'', starts + $3), NULL, NULL, NULL, ''create'', NULL
        FROM timezone(''UTC'', now()) AS x, generate_series(0, $4) AS n, LATERAL (SELECT %2$s + n * $3) AS v (starts)
        WHERE $8 AND NOT EXISTS (SELECT FROM there AS t WHERE (t.starts, t.ends) = (v.starts, v.starts + $3) AND NOT t.pending)
        ORDER BY 3 DESC NULLS LAST', bounds, coalesce(grid.start, 'NULL::timestamp'))
    USING parent, times.newest, grid.step, ahead, retain, at_most, detach, step > interval '0', times.pause_starts, times.pause_ends, CASE WHEN retain > interval '0' THEN _flakeid_functions.flakeid_clock_doubt() END;
END
$$;

-- Return the name for a new partition: the table's name, and the instant as precisely as the
-- step and the start require; cut to fit, and with a number if the name is taken.
CREATE FUNCTION _flakeid_functions.flakeid_partition_name(parent regclass, lower_at timestamptz, start_at timestamptz, step interval) RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    part record;
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    seconds numeric[] := ARRAY[
        extract(hour FROM step) * 3600 + extract(minute FROM step) * 60 + extract(second FROM step),
        extract(hour FROM start_utc) * 3600 + extract(minute FROM start_utc) * 60 + extract(second FROM start_utc)
    ];
    precision text := CASE
        WHEN 0 = ALL (ARRAY[seconds[1] % 86400, seconds[2]]) THEN 'YYYYMMDD'
        WHEN 0 = ALL (ARRAY[seconds[1] % 60, seconds[2] % 60]) THEN 'YYYYMMDD_HH24MI'
        WHEN 0 = ALL (ARRAY[seconds[1] % 1, seconds[2] % 1]) THEN 'YYYYMMDD_HH24MISS'
        ELSE 'YYYYMMDD_HH24MISS_US'
    END;
    suffix text;
    name text;
BEGIN
    SELECT c.relname, c.relnamespace INTO part FROM pg_class AS c WHERE c.oid = parent;
    FOR other IN 0 .. 2147483647 LOOP
        suffix := concat('_', to_char(lower_at AT TIME ZONE 'UTC', precision), '_' || nullif(other, 0));
        name := part.relname;
        WHILE octet_length(name || suffix) > current_setting('max_identifier_length')::int LOOP
            name := left(name, -1);
        END LOOP;
        name := name || suffix;
        EXIT WHEN NOT EXISTS (SELECT FROM pg_class AS c WHERE c.relname = name AND c.relnamespace = part.relnamespace)
            AND NOT EXISTS (SELECT FROM pg_type AS t WHERE t.typname = name AND t.typnamespace = part.relnamespace);
    END LOOP;
    RETURN format('%s.%I', part.relnamespace::regnamespace, name);
END
$$;

-- Create a partition that belongs to the table's owner: a separate table, which is then
-- attached.  This locks less than CREATE TABLE ... PARTITION OF.
CREATE FUNCTION _flakeid_functions.flakeid_add_partition(parent regclass, partition text, bounds text) RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    parts record;
BEGIN
    SELECT c.relowner::regrole AS owner, c.relowner <> r.oid AS given,
        ' USING ' || quote_ident(a.amname) AS access_method,
        ' TABLESPACE ' || quote_ident(t.spcname) AS tablespace
    INTO parts
    FROM pg_class AS c JOIN pg_roles AS r ON r.rolname = current_user
        LEFT JOIN pg_am AS a ON a.oid = c.relam LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
    WHERE c.oid = parent;
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED '
        'INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)',
        partition, parent) || concat(parts.access_method, parts.tablespace);
    IF parts.given THEN
        EXECUTE format('ALTER TABLE %s OWNER TO %s', partition, parts.owner);
    END IF;
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bounds);
    RETURN partition::regclass;
END
$$;

CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text DEFAULT ''
) RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    lower_id text;
    upper_id text;
    present text[];      -- bounds, as pg_get_expr() writes them
    bounds text;
    lower_at timestamptz;
    upper_at timestamptz := start_at;
BEGIN
    IF NOT (isfinite(start_at) AND isfinite(end_at)) OR end_at <= start_at THEN
        RAISE 'end_at must be later than start_at and both finite'
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('start_at is %s, end_at is %s.', start_at, end_at);
    END IF;
    SELECT r.*, _flakeid_functions.flakeid_step_months(step) INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout) AS r;

    -- Keep other calls out.  Readers and writers continue, as they do while a partition is
    -- attached.
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    SELECT array_agg(CASE WHEN i.inhdetachpending THEN 'pending ' ELSE '' END || pg_get_expr(c.relpartbound, 0)) INTO present
    FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = parent;

    -- Add steps in UTC, and from the start each time: 31 January and three months make 30 April.
    FOR n IN 1 .. 2147483647 LOOP
        lower_at := upper_at;
        EXIT WHEN lower_at >= end_at;
        upper_at := (start_utc + n * step) AT TIME ZONE 'UTC';
        IF lower_at < rule.first_at OR upper_at > rule.last_at THEN
            RAISE 'partition from % to % is out of range for %', lower_at, upper_at, rule.what
                USING ERRCODE = 'datetime_field_overflow',
                DETAIL = format('%s%s holds instants from %s to %s.',
                    upper(left(rule.what, 1)), substr(rule.what, 2), rule.first_at, rule.last_at);
        END IF;
        lower_id := upper_id;
        EXECUTE format('SELECT coalesce($1, (SELECT %1$s FROM (SELECT $2) AS v (at))), (SELECT %1$s FROM (SELECT $3) AS v (at))', rule.least_id)
            INTO lower_id, upper_id USING lower_id, lower_at, upper_at;
        IF lower_id = upper_id THEN
            RAISE 'step is too short for %', rule.what
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A partition from %s to %s would hold no IDs.', lower_at, upper_at);
        END IF;
        bounds := format('FOR VALUES FROM (%L) TO (%L)', lower_id, upper_id);
        CONTINUE WHEN bounds = ANY (present);
        IF 'pending ' || bounds = ANY (present) THEN
            -- such a partition takes no more rows, but no other one may have its bounds
            RAISE 'the partition of table "%" from % to % is incompletely detached', parent, lower_at, upper_at
                USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'Use ALTER TABLE ... DETACH PARTITION ... FINALIZE to complete the pending detach operation.';
        END IF;

        RETURN NEXT _flakeid_functions.flakeid_add_partition(parent,
            _flakeid_functions.flakeid_partition_name(parent, lower_at, start_at, step), bounds);
    END LOOP;
EXCEPTION
    WHEN invalid_object_definition THEN
        RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
            DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
            HINT = 'Start at a bound of an existing partition, with a step that ends at the next bounds.';
    WHEN check_violation THEN
        RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
            DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
            HINT = 'Move the rows of that time out of the default partition, create the partition, and insert them again.';
END
$$;

-- Before a partition is detached, PostgreSQL looks for rows that refer to it, with the rights
-- of the caller.  Raise an error if that would read a table of another owner, who may have
-- added code to it that would then run.
CREATE FUNCTION _flakeid_functions.flakeid_check_references(partition regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    referrer regclass;
BEGIN
    FOR referrer IN SELECT DISTINCT k.conrelid::regclass FROM pg_partition_tree(partition) AS t JOIN pg_constraint AS k ON k.confrelid = t.relid AND k.contype = 'f' LOOP
        PERFORM _flakeid_functions.flakeid_check_owner(referrer);
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE 'partition "%" has foreign keys from table "%", which belongs to somebody else', partition, referrer
        USING ERRCODE = SQLSTATE, DETAIL = 'To look for rows that refer to the partition, PostgreSQL reads that table with your rights, and runs code that its owner has added to it.',
        HINT = 'Give both tables the same owner, or call this as a role that is a member of both owners.';
END
$$;

-- Without force, "before" is taken as an age, which the table's rows must confirm: see
-- flakeid_partitions().
CREATE FUNCTION flakeid_drop_partitions(
    parent regclass, before timestamptz, layout text DEFAULT '', after timestamptz DEFAULT '-infinity',
    detach boolean DEFAULT false, at_most int DEFAULT 2, force boolean DEFAULT false
) RETURNS SETOF text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    old oid[];           -- those that the table's rows confirm to be that old
    todo oid[];
    young text[];
    part record;
    message text;
BEGIN
    SELECT * INTO rule FROM _flakeid_functions.flakeid_partition_rule(parent, layout);
    PERFORM _flakeid_functions.flakeid_hold(parent, true);
    IF NOT force THEN
        EXECUTE format('SELECT array_agg(p.partition::oid) FROM %s.flakeid_partitions($1, interval ''0'', 0, interval ''0'', false, 0, $2) AS p WHERE p.age >= $3', rule.home)
        INTO old USING parent, layout, CASE WHEN before < now() THEN now() - greatest(before, '0001-01-01Z') ELSE interval '0' END;
    END IF;
    -- the bound is exclusive: if it is not the first ID of its instant, that may be "before"
    EXECUTE format('SELECT array_agg(b.relation ORDER BY b.upper_at) FILTER (WHERE $4 OR b.relation = ANY ($5)),
            array_agg(b.relation::regclass::text ORDER BY b.upper_at) FILTER (WHERE NOT $4 AND b.relation <> ALL (coalesce($5, ''{}'')))
        FROM (%s) AS b WHERE b.lower_at >= $2 AND isfinite(b.upper_at) AND (b.upper_at < $3 OR b.upper_at = $3 AND b.exact) AND NOT b.pending', rule.bounds)
    INTO todo, young USING parent, after, before, force, old;
    IF young IS NOT NULL THEN
        RAISE NOTICE 'partitions of table "%" are kept: %', parent, array_to_string(young, ', ')
            USING DETAIL = 'The rows of the table do not show that these are old enough: see the column age of flakeid_partitions().',
            HINT = 'Pass force => true to remove them anyway.';
    END IF;
    IF NOT force AND cardinality(todo) > 0 AND _flakeid_functions.flakeid_clock_doubt() IS NOT NULL THEN
        RAISE '% partitions of table "%" are to be removed, but the clock was set ahead', cardinality(todo), parent
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('It was set ahead by %s, and reads %s.', _flakeid_functions.flakeid_clock_doubt(), clock_timestamp()),
            HINT = 'If the clock is right, have the owner of the database call flakeid_stats_reset(), or pass force => true.';
    END IF;
    IF NOT force AND cardinality(todo) > at_most THEN
        RAISE '% partitions of table "%" are to be removed, more than at_most', cardinality(todo), parent
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('at_most is %s.', at_most),
            HINT = format('To remove them, pass at_most => %s.', cardinality(todo));
    END IF;

    FOR part IN EXECUTE format('SELECT b.*, format(''%%I.%%I'', b.nspname, b.relname) AS name,
            coalesce(nullif(pg_stat_get_live_tuples(b.relation), 0), (SELECT greatest(c.reltuples, 0) FROM pg_class AS c WHERE c.oid = b.relation))::bigint AS rows
        FROM (%s) AS b WHERE b.relation = ANY ($2) ORDER BY b.upper_at', rule.bounds) USING parent, todo LOOP
        PERFORM _flakeid_functions.flakeid_check_references(part.relation::regclass);
        -- detach it first: a partition that foreign keys refer to cannot be dropped directly
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, part.name);
        IF NOT detach THEN
            EXECUTE format('DROP %s %s', CASE part.relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, part.name);
        END IF;
        message := format('partition %s of table %s is %s: from %s to %s, %s rows by the statistics',
            part.name, parent, CASE WHEN detach THEN 'detached' ELSE 'dropped' END, part.lower_at, part.upper_at, part.rows);
        RAISE NOTICE '%', message;
        RAISE LOG '%', message;
        RETURN NEXT part.name;
    END LOOP;
END
$$;

-- Each partition has its own transaction, so that its locks are released before the next one,
-- and a failure stops nothing else.  A procedure that commits cannot have a SET
-- clause: each transaction sets the search_path first of all, and before that its isolation
-- level, which is too late after any expression, even the bounds of a loop.
CREATE PROCEDURE flakeid_maintain(
    parent regclass, step interval, ahead int DEFAULT 2, retain interval DEFAULT '0',
    detach boolean DEFAULT false, at_most int DEFAULT 2, layout text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    home pg_catalog.text;
    names pg_catalog.text[];
    lowers pg_catalog.timestamptz[];
    uppers pg_catalog.timestamptz[];
    left_out pg_catalog.text;
    refused pg_catalog.int8;
    doubted pg_catalog.text;
    errors pg_catalog.text[];
    again pg_catalog.bool;
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    FOR removing IN 0 .. 1 LOOP
        PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
        IF num_nulls(parent, step, ahead, retain, detach, at_most, layout) > 0 THEN
            RAISE 'arguments of flakeid_maintain must not be NULL' USING ERRCODE = 'null_value_not_allowed';
        ELSIF step = interval '0' THEN
            RAISE 'step must be greater than zero' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        home := _flakeid_functions.flakeid_home();
        BEGIN
            EXECUTE format('SELECT array_agg(coalesce(p.partition::text, ''from '' || p.lower_at) ORDER BY p.upper_at) FILTER (WHERE p.todo),
                    array_agg(p.lower_at ORDER BY p.upper_at) FILTER (WHERE p.todo), array_agg(p.upper_at ORDER BY p.upper_at) FILTER (WHERE p.todo),
                    string_agg(p.partition::text, '', '' ORDER BY p.upper_at) FILTER (WHERE p.note = ''not of this step''),
                    count(*) FILTER (WHERE p.note LIKE ''one of %%''),
                    string_agg(p.partition::text, '', '' ORDER BY p.upper_at) FILTER (WHERE p.note LIKE ''to be removed, but %%'')
                FROM (SELECT *, action = ANY ($8) AS todo FROM %s.flakeid_partitions($1, $2, $3, $4, $5, $6, $7)) AS p', home)
            INTO names, lowers, uppers, left_out, refused, doubted
            USING parent, step, ahead, CASE WHEN removing = 1 OR retain < interval '0' THEN retain ELSE '0' END, detach, at_most, layout,
                CASE WHEN removing = 1 THEN '{drop,detach}'::text[] ELSE '{create}' END;
        EXCEPTION WHEN OTHERS THEN
            -- nothing is done yet: let the call fail
            IF removing = 0 THEN RAISE; END IF;
            names := NULL;
            left_out := NULL;
            refused := 0;
            doubted := NULL;
            errors := errors || format('could not determine the partitions to remove: %s', SQLERRM);
        END;
        IF left_out IS NOT NULL THEN
            RAISE NOTICE 'partitions of table "%" are kept, because their step is not %: %', parent, step, left_out;
        END IF;
        IF refused > 0 THEN
            errors := errors || format('%s partitions are to be removed, but at_most is %s, so none was removed', refused, at_most);
        END IF;
        IF doubted IS NOT NULL THEN
            errors := errors || format('%s: to be removed, but the clock was set ahead, so none was removed (flakeid_doctor() says by how much; if the clock is right, the database''s owner calls flakeid_stats_reset())', doubted);
        END IF;
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;

        FOR i IN 1 .. coalesce(cardinality(names), 0) LOOP
            -- a lock that another session holds now may be free in a second
            FOR attempt IN 1 .. 3 LOOP
                PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2s'), true);
                again := false;
                BEGIN
                    IF removing = 0 THEN
                        EXECUTE format('SELECT count(*) FROM %s.flakeid_create_partitions($1, $2, $3, $4, $5)', home)
                            USING parent, lowers[i], uppers[i], step, layout;
                    ELSE
                        EXECUTE format('SELECT count(*) FROM %s.flakeid_drop_partitions($1, $2, $3, $4, $5, 1, true)', home)
                            USING parent, uppers[i], layout, lowers[i], detach;
                    END IF;
                EXCEPTION WHEN OTHERS THEN
                    again := SQLSTATE IN ('55P03', '40P01') AND attempt < 3;
                    IF NOT again THEN
                        errors := errors || format('%s: %s', names[i], SQLERRM);
                    END IF;
                END;
                COMMIT;
                SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
                SET LOCAL search_path = pg_catalog, pg_temp;
                EXIT WHEN NOT again;
                PERFORM pg_sleep(1);
            END LOOP;
        END LOOP;
    END LOOP;

    -- the message shows the table's name by the caller's search_path
    COMMIT;
    IF errors IS NOT NULL THEN
        RAISE 'not all partitions of table "%" could be maintained: %', parent, pg_catalog.array_to_string(errors, '; ')
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'flakeid_partitions() with the same arguments shows what remains to be done. Everything else has been done; the next call tries again.';
    END IF;
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_rule(regclass, text) IS 'how the IDs by which a table is partitioned hold the time; an error if they do not, or if the caller does not own the table';
COMMENT ON FUNCTION _flakeid_functions.flakeid_step_months(interval) IS 'months of a step, 0 if it has only days or less; an error if it is not a valid step';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_rows(regclass, text) IS 'how to find the first and the last row of a partition from or before an instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_times(regclass, text, interval) IS 'instant of the newest row in the partitions of a table, or now if that is earlier, and the pauses between its rows, in UTC';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_grid(regclass, text, interval) IS 'where the steps of a partitioned table begin';
COMMENT ON FUNCTION _flakeid_functions.flakeid_clock_doubt() IS 'by how much the clock was set ahead, if that is more than flakeid.max_ahead; otherwise NULL';
COMMENT ON FUNCTION flakeid_partitions(regclass, interval, int, interval, boolean, int, text) IS 'partitions by time of a table that you own, with their bounds and age, and what flakeid_maintain with the same arguments would do with them';
COMMENT ON FUNCTION _flakeid_functions.flakeid_partition_name(regclass, timestamptz, timestamptz, interval) IS 'name for a new partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_add_partition(regclass, text, text) IS 'create a partition and attach it to its table';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval, text) IS 'create the missing partitions by time, step by step in UTC; returns those created';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_references(regclass) IS 'error if a table that refers to a partition does not belong to the caller';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz, text, timestamptz, boolean, int, boolean) IS 'drop or detach the partitions that hold only IDs before an instant, if the table''s rows show that they are that old, or by force; returns their names';
COMMENT ON PROCEDURE flakeid_maintain(regclass, interval, int, interval, boolean, int, text) IS 'create the partitions that a table needs now, and drop or detach those older than retain; to be called every day, or more often';
/* ---------- IDs for existing rows ---------- */

-- The table alone records what is left to do: rows whose column is NULL.  All of this runs
-- with the caller's rights, and so does code that the owner has added to the table, such as
-- triggers.  That is why the caller must be the owner; a superuser does not count as one.

CREATE FUNCTION _flakeid_functions.flakeid_tick_of(format text, at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_tick_start(format text, tick bigint) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_counted_id(type text, tick bigint, counter bigint) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_counter_of(type text, id bytea) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_check_owner(target regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_hold(target regclass, alone boolean) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
CREATE FUNCTION _flakeid_functions.flakeid_lock_backfill(target regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION _flakeid_functions.flakeid_tick_of(text, timestamptz) IS 'tick of a type that contains an instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_tick_start(text, bigint) IS 'first microsecond of a tick of a type';
COMMENT ON FUNCTION _flakeid_functions.flakeid_counted_id(text, bigint, bigint) IS 'bytes of a new uuid7, ulid or ksuid for a tick: the counter, then random bits';
COMMENT ON FUNCTION _flakeid_functions.flakeid_counter_of(text, bytea) IS 'counter in the bytes of a uuid7, ulid or ksuid';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_owner(regclass) IS 'error unless the caller is a member of the roles that own the table, its partitions and children, and the tables of which it is a partition';
COMMENT ON FUNCTION _flakeid_functions.flakeid_hold(regclass, boolean) IS 'lock a table that the caller owns, so that it is neither dropped nor renamed before the end of the transaction, and return its name';
COMMENT ON FUNCTION _flakeid_functions.flakeid_lock_backfill(regclass) IS 'hold a table that the caller owns, and take the lock by which its backfills take turns, until the end of the transaction';

-- Return the type of a column; raise an error if there is none.
CREATE FUNCTION _flakeid_functions.flakeid_column_type(target regclass, column_name name) RETURNS regtype
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    type regtype;
BEGIN
    SELECT a.atttypid INTO type FROM pg_attribute AS a
    WHERE a.attrelid = target AND a.attname = column_name AND a.attnum > 0 AND NOT a.attisdropped;
    IF NOT FOUND THEN
        RAISE 'column "%" of table "%" does not exist', column_name, target
            USING ERRCODE = 'undefined_column', HINT = 'ALTER TABLE ... ADD COLUMN without a DEFAULT adds one and does not rewrite the table.';
    END IF;
    RETURN type;
END
$$;

-- Return the name of a type if it is one of ours, otherwise NULL.
CREATE FUNCTION _flakeid_functions.flakeid_own_type(type regtype) RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    name text;
BEGIN
    EXECUTE format('SELECT f.name FROM %1$s.flakeid_formats AS f WHERE to_regtype(format(''%%s.%%I'', %1$L, f.name)) = $1', home)
        INTO name USING type;
    RETURN name;
END
$$;

-- Raise an error unless an index begins with the column: without one, every batch would read
-- the whole table.
CREATE FUNCTION _flakeid_functions.flakeid_check_index(target regclass, column_name name) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = target AND a.attname = column_name
        WHERE i.indrelid = target AND i.indisvalid AND i.indkey[0] = a.attnum AND i.indpred IS NULL
    ) THEN
        RAISE 'column "%" of table "%" has no index', column_name, target
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('CREATE UNIQUE INDEX CONCURRENTLY ON %s (%I);', target, column_name);
    END IF;
END
$$;

-- Return an expression for the instant that a column holds, and the condition that the column
-- has a value or a later one, as a format for the value.  The column is cast to the base type
-- of its domain, because a function or an operator for the domain might be a stranger's.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_time(target regclass, time_column name, OUT instant text, OUT from_on text)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    time_type regtype;
    base_type regtype;
    value text;
    ours text;
BEGIN
    time_type := _flakeid_functions.flakeid_column_type(target, time_column);
    -- a domain holds what its base type does
    LOOP
        SELECT t.typbasetype INTO base_type FROM pg_type AS t WHERE t.oid = time_type AND t.typtype = 'd';
        EXIT WHEN NOT FOUND;
        time_type := base_type;
    END LOOP;
    ours := _flakeid_functions.flakeid_own_type(time_type);
    value := format('%I::%s', time_column, format_type(time_type, -1));
    instant := CASE
        WHEN ours IS NOT NULL THEN format('%s.%I(%s)::timestamptz', home, ours || '_timestamp', value)
        WHEN time_type IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) THEN format('%s::timestamptz', value)
        WHEN time_type = 'uuid'::regtype THEN format('%s.uuid7_timestamp(%s)::timestamptz', home, value)
        WHEN time_type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN format('%s.ulid_timestamp(%s::text)::timestamptz', home, value)
    END;
    from_on := replace(format('%s OPERATOR(%s.>=) ', value, CASE WHEN ours IS NULL THEN 'pg_catalog' ELSE home END), '%', '%%')
        || '%L::' || replace(format_type(time_type, -1), '%', '%%');
    IF instant IS NULL THEN
        RAISE 'column "%" does not hold the time', time_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', time_type),
            HINT = 'Times, dates, UUIDs of version 7, ULIDs as text, and IDs of flakeid do.';
    END IF;
END
$$;

-- Choose the partitions, shards or workers of a backfill: numbers that this database's own
-- generator does not use.  "first" is -1 for types without numbers.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_numbers(type text, number int, OUT first int, OUT count int, OUT domain bigint)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    highest int := CASE type WHEN 'sno' THEN 65535 WHEN 'siq' THEN 255 WHEN 'snowflake' THEN 31 END;
    own int;
BEGIN
    first := number;
    count := CASE type WHEN 'sno' THEN 128 WHEN 'siq' THEN 16 ELSE 1 END;
    IF highest IS NULL THEN
        IF number <> -1 THEN
            RAISE 'type % has no partitions, shards or workers', type USING ERRCODE = 'invalid_parameter_value';
        END IF;
        RETURN;
    END IF;
    EXECUTE format('SELECT CASE $1 WHEN ''sno'' THEN c.sno_partition WHEN ''siq'' THEN c.siq_shard ELSE c.snowflake_worker END, c.siq_domain
        FROM %s.flakeid_clock AS c', home) INTO own, domain USING type;
    IF number = -1 THEN
        first := highest - count + 1;
        IF own >= first THEN
            first := first - count;
        END IF;
    END IF;
    count := least(count, highest - first + 1);
    IF first NOT BETWEEN 0 AND highest THEN
        RAISE 'number is out of range for type %: %', type, number
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It must be 0 to %s.', highest);
    ELSIF own BETWEEN first AND first + count - 1 THEN
        RAISE 'number % of type % is this database''s own', own, type
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('A backfill from number %s on uses the numbers up to %s.', first, first + count - 1),
            HINT = 'Omit the argument number, or choose numbers that no server uses for new IDs.';
    END IF;
END
$$;

-- Return how many places of a tick the first number has, and as expressions the ID of place k
-- in the tick that starts at "at", the place of an ID, and which IDs such places can have.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_places(
    type text, id_column name, meta int, siq_type text, first int, count int, domain bigint,
    OUT each bigint, OUT making text, OUT place text, OUT ours text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();
    bits int;
BEGIN
    CASE type
    WHEN 'sno' THEN
        each := 65536;
        making := format('%s.sno_make(at, %s, %s + (k / 65536)::int, (k %% 65536)::int)', home, meta, first);
        place := format('(%1$s.sno_partition(%2$I) - %3$s)::bigint * 65536 + %1$s.sno_sequence(%2$I)', home, id_column, first);
        ours := format('NOT %1$s.sno_tick_tock(%2$I) AND %1$s.sno_meta(%2$I) = %3$s AND %1$s.sno_partition(%2$I) BETWEEN %4$s AND %5$s',
            home, id_column, meta, first, first + count - 1);
    WHEN 'siq' THEN
        -- the position of a serial of 1 shows how many of the last 16 bits the type takes
        EXECUTE format('SELECT log(2, (get_byte(b, 12) * 256 + get_byte(b, 13)) - (get_byte(a, 12) * 256 + get_byte(a, 13)))::int
            FROM CAST(%1$s.siq_make(timestamptz ''2020-01-01Z'', 0, 0::bigint, 1, %2$L::%1$s.siq_type) AS bytea) AS b,
                CAST(%1$s.siq_make(timestamptz ''2020-01-01Z'', 0, 0::bigint, 0, %2$L::%1$s.siq_type) AS bytea) AS a',
            home, siq_type) INTO bits;
        each := 65536 >> bits;
        making := format('%s.siq_make(at, %s + (k / %s)::int, %s::bigint, (k %% %3$s)::int, %5$L::%1$s.siq_type)',
            home, first, each, domain, siq_type);
        place := format('(%1$s.siq_shard(%2$I) - %3$s)::bigint * %4$s + %1$s.siq_serial(%2$I)', home, id_column, first, each);
        ours := format('%1$s.siq_domain(%2$I) = %3$s AND %1$s.siq_type_of(%2$I)::text = %4$L AND %1$s.siq_shard(%2$I) BETWEEN %5$s AND %6$s',
            home, id_column, domain, siq_type, first, first + count - 1);
    WHEN 'snowflake' THEN
        each := 131072;
        making := format('%s.snowflake_make(at, %s + (k / 131072)::int, (k / 4096 %% 32)::int, (k %% 4096)::int)', home, first);
        place := format('((%1$s.snowflake_worker(%2$I) - %3$s)::bigint * 32 + %1$s.snowflake_process(%2$I)) * 4096 + %1$s.snowflake_sequence(%2$I)',
            home, id_column, first);
        ours := format('%s.snowflake_worker(%I) BETWEEN %s AND %s', home, id_column, first, first + count - 1);
    WHEN 'uid64' THEN
        each := 16384;
        making := format('%s.uid64_make(at, k::int)', home);
        place := format('%s.uid64_sequence(%I)::bigint', home, id_column);
        ours := 'true';
    WHEN 'flax' THEN
        -- all other bits are random: IDs of one millisecond have no order, and never run out
        each := 1000000000;
        making := format('%s.flax_new_at(at)', home);
        place := '0::bigint';
        ours := 'false';
    ELSE
        each := CASE type WHEN 'ksuid' THEN 268435456 ELSE 262144 END;
        making := format('_flakeid_functions.flakeid_counted_id(%L::text, tick, k)', type);
        place := format('_flakeid_functions.flakeid_counter_of(%L::text, %I::bytea)', type, id_column);
        ours := 'true';
        IF type = 'uuid7' THEN
            making := format('encode(%s, ''hex''::text)::uuid', making);
            place := format('_flakeid_functions.flakeid_counter_of(%L::text, uuid_send(%I))', type, id_column);
        ELSE
            making := format('%s.%I(%s)', home, type || '_from_bytea', making);
        END IF;
    END CASE;
END
$$;

-- Check the arguments of a backfill and return what it needs to know: the type of the IDs
-- and the one whose ticks they count; how many places a tick has, and how many of these have
-- the first number; and, as expressions, what flakeid_backfill_time() returns, the order of
-- the rows, what flakeid_backfill_places() returns, and the functions and operators for a
-- range of IDs.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_rule(
    target regclass, id_column name, time_column name, number int, meta int, siq_type text,
    OUT home text, OUT type text, OUT ticks text, OUT capacity bigint, OUT each bigint,
    OUT instant text, OUT from_on text, OUT row_order text, OUT making text, OUT place text, OUT ours text, OUT at_or_after text, OUT at_or_before text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kind "char";
    id_type regtype;
    numbers record;
BEGIN
    home := _flakeid_functions.flakeid_home();
    SELECT c.relkind INTO kind FROM pg_class AS c WHERE c.oid = target;
    IF kind NOT IN ('r', 'p') THEN
        RAISE '"%" is not a table', target USING ERRCODE = 'wrong_object_type';
    END IF;
    id_type := _flakeid_functions.flakeid_column_type(target, id_column);
    SELECT * INTO instant, from_on FROM _flakeid_functions.flakeid_backfill_time(target, time_column);
    type := CASE id_type WHEN 'uuid'::regtype THEN 'uuid7' ELSE _flakeid_functions.flakeid_own_type(id_type) END;
    IF type IS NULL OR type NOT IN ('sno', 'flax', 'siq', 'uid64', 'snowflake', 'uuid7', 'ulid', 'ksuid') THEN
        RAISE 'column "%" cannot be backfilled', id_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', id_type),
            HINT = 'Columns of type sno, flax, siq, uid64, snowflake, ulid, ksuid and uuid can. A uuid gets version 7.';
    END IF;
    PERFORM _flakeid_functions.flakeid_check_index(target, id_column);
    -- rows of the same instant are taken in the order of the primary key
    SELECT concat_ws(', ', quote_ident(time_column),
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)
        FROM pg_index AS i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
            JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = k.attnum
        WHERE i.indrelid = target AND i.indisprimary)) INTO row_order;

    IF meta NOT BETWEEN 0 AND 255 OR (meta <> 0 AND type <> 'sno') THEN
        RAISE 'meta is out of range for type %: %', type, meta
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 0 to 255 for sno, and 0 for all others.';
    ELSIF (type = 'siq') <> (siq_type <> '') THEN
        RAISE 'siq_type must be given for type siq, and only for it' USING ERRCODE = 'invalid_parameter_value', HINT = 'For example, siq_type => ''message''.';
    END IF;
    SELECT * INTO numbers FROM _flakeid_functions.flakeid_backfill_numbers(type, number);

    ticks := CASE type WHEN 'uuid7' THEN 'ulid' ELSE type END;
    SELECT * INTO each, making, place, ours
    FROM _flakeid_functions.flakeid_backfill_places(type, id_column, meta, siq_type, numbers.first, numbers.count, coalesce(numbers.domain, 0));
    IF type = 'uuid7' THEN
        at_or_after := format('%I >= %s.uuid7_min', id_column, home);
        at_or_before := format('%I <= %s.uuid7_max', id_column, home);
    ELSE
        at_or_after := format('%I OPERATOR(%s.>=) %2$s.%3$I', id_column, home, type || '_min');
        at_or_before := format('%I OPERATOR(%s.<=) %2$s.%3$I', id_column, home, type || '_max');
    END IF;
    capacity := each * numbers.count;
END
$$;

-- Give IDs to the first rows without one from "start" on, a text of the time column
-- ('': from the first row on).  Return how many rows there were and how far it got; how many
-- of them have an ID of an earlier instant ("rounded"), of a later partition, shard or worker
-- than the first ("next_numbers"), and of a later tick than their own, which was full ("moved").
-- The column itself shows which places of a tick are taken, so an interrupted backfill can be
-- continued.  A row gets the place after that of the previous row, or the start of its own
-- tick if that is later, and never a place that is taken.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_batch(
    target regclass, id_column name, time_column name, batch int,
    number int, meta int, siq_type text, start text,
    OUT count bigint, OUT reached text, OUT rounded bigint, OUT most_lost interval,
    OUT next_numbers bigint, OUT moved bigint, OUT most_moved interval
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    rule record;
    tables oid[];
    rows tid[];
    instants timestamptz[];
    least_places numeric[];    -- the earliest place of each row: tick * capacity + place in the tick
    places numeric[];
    taken bigint;
    changed bigint;
BEGIN
    PERFORM _flakeid_functions.flakeid_lock_backfill(target);
    SELECT * INTO rule FROM _flakeid_functions.flakeid_backfill_rule(target, id_column, time_column, number, meta, siq_type);
    -- a batch is a small part of the table, whatever the estimates say
    PERFORM set_config('enable_seqscan'::text, 'off'::text, true);

    -- A row whose time was changed while this waited for its lock has its new time in its old
    -- place, so the rows are sorted again.  The next batch begins where the last row in the old
    -- order is: one changed time must not make the pass skip rows.
    EXECUTE format(
        'WITH picked AS MATERIALIZED (
            SELECT tableoid AS relation, ctid AS row, %1$s AS at, %2$I::text AS reached, ROW(%6$s) AS rank FROM %3$s
            WHERE %4$I IS NULL AND %1$s IS NOT NULL %5$s
            ORDER BY %6$s LIMIT %7$s FOR UPDATE
        ), numbered AS (
            SELECT *, row_number() OVER () AS n FROM picked
        )
        SELECT count(*), array_agg(relation ORDER BY rank), array_agg(row ORDER BY rank), array_agg(at ORDER BY rank),
            (array_agg(reached ORDER BY n))[count(*)],
            array_agg(_flakeid_functions.flakeid_tick_of(%8$L::text, at)::numeric * %9$s ORDER BY rank)
        FROM numbered',
        rule.instant, time_column, target, id_column,
        CASE WHEN start <> '' THEN 'AND ' || format(rule.from_on, start) END, rule.row_order, batch, rule.ticks, rule.capacity)
    INTO count, tables, rows, instants, reached, least_places;
    IF count = 0 THEN
        reached := '';
        RETURN;
    END IF;

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
                        AND %9$s(_flakeid_functions.flakeid_tick_start(%3$L::text, div($1[$2], %1$s)::bigint)) AND %10$s
                ) AS present
                GROUP BY tick
            )
            SELECT count(t.free), array_agg(coalesce(t.free, p.place) ORDER BY p.i)
            FROM unnest($1) WITH ORDINALITY AS p (place, i)
                LEFT JOIN taken AS t ON t.tick = div(p.place, %1$s)::bigint AND p.place < t.free',
            rule.capacity, home, rule.ticks, rule.type || '_timestamp', id_column, rule.place, target,
            rule.at_or_after, rule.at_or_before, rule.ours)
        INTO taken, least_places USING places, count;
        EXIT WHEN taken = 0;
    END LOOP;

    EXECUTE format(
        'WITH made AS MATERIALIZED (
            SELECT relation, row, due, k, %1$s AS id
            FROM (
                SELECT u.relation, u.row, u.due, p.k, p.tick, _flakeid_functions.flakeid_tick_start(%3$L::text, p.tick) AS at
                FROM unnest($1, $2, $3, $4) AS u (relation, row, due, place)
                    CROSS JOIN LATERAL (SELECT mod(place, %4$s)::bigint AS k, div(place, %4$s)::bigint AS tick) AS p
            ) AS places
        ), changed AS (
            UPDATE %5$s AS t SET %6$I = made.id FROM made WHERE t.ctid = ANY ($2) AND t.ctid = made.row AND t.tableoid = made.relation
            RETURNING t.%6$I
        ), compared AS (
            SELECT k, due, %2$s.%7$I(id)::timestamptz AS at FROM made
        )
        SELECT (SELECT count(%6$I) FROM changed), count(*) FILTER (WHERE at < due), coalesce(max(due - at), ''0''),
            count(*) FILTER (WHERE k >= %8$s), count(*) FILTER (WHERE at > due), coalesce(max(at - due), ''0'')
        FROM compared',
        rule.making, home, rule.ticks, rule.capacity, target, id_column, rule.type || '_timestamp', rule.each)
    INTO changed, rounded, most_lost, next_numbers, moved, most_moved USING tables, rows, instants, places;
    IF changed < count THEN
        RAISE 'a trigger keeps rows of table "%" from getting an ID', target
            USING ERRCODE = 'triggered_action_exception', DETAIL = format('Only %s of %s rows have one.', changed, count);
    END IF;
END
$$;

-- Count the rows that a backfill has left without a value.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_left(target regclass, column_name name) RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    count bigint;
BEGIN
    PERFORM _flakeid_functions.flakeid_hold(target, false);
    EXECUTE format('SELECT count(*) FROM %s WHERE %I IS NULL', target, column_name) INTO count;
    RETURN count;
END
$$;

-- A procedure with a SET clause for search_path could not commit.  So these set the
-- search_path in each of their transactions, before they look anything up, and the types
-- of their variables are qualified.
-- Row security that applies to the caller is an error, because the rows that it hides would
-- silently be left out.
CREATE PROCEDURE flakeid_backfill(
    target regclass, id_column name, time_column name, batch int DEFAULT 10000,
    number int DEFAULT -1, meta int DEFAULT 0, siq_type text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    start pg_catalog.text := '';
    was_first pg_catalog.bool;
    done record;
    rows pg_catalog.int8 := 0;
    rounded pg_catalog.int8 := 0;
    most_lost pg_catalog.interval := '0';
    next_numbers pg_catalog.int8 := 0;
    moved pg_catalog.int8 := 0;
    most_moved pg_catalog.interval := '0';
    left_out pg_catalog.int8;
    told pg_catalog.timestamptz;    -- when the last NOTICE was
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    SET LOCAL row_security = off;
    IF target IS NULL OR id_column IS NULL OR time_column IS NULL OR number IS NULL OR meta IS NULL OR siq_type IS NULL THEN
        RAISE 'arguments of flakeid_backfill must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch IS NULL OR batch NOT BETWEEN 1 AND 1000000 THEN
        RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 1 to 1000000 rows.';
    END IF;
    told := clock_timestamp();

    LOOP
        PERFORM set_config('application_name'::text, format('flakeid_backfill: %s rows of %s.%I', rows, target, id_column)::name::text, true);
        SELECT * INTO done FROM _flakeid_functions.flakeid_backfill_batch(target, id_column, time_column, batch, number, meta, siq_type, start);
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;
        SET LOCAL row_security = off;
        -- At the end start again with the first row, for rows that were added meanwhile.
        was_first := start = '';
        start := done.reached;
        EXIT WHEN done.count = 0 AND was_first;
        CONTINUE WHEN done.count = 0;
        rows := rows + done.count;
        rounded := rounded + done.rounded;
        most_lost := greatest(most_lost, done.most_lost);
        next_numbers := next_numbers + done.next_numbers;
        moved := moved + done.moved;
        most_moved := greatest(most_moved, done.most_moved);
        IF clock_timestamp() > told + interval '10 seconds' THEN
            RAISE NOTICE '% rows of table "%" have an ID so far, up to "%" %.', rows, target, time_column, done.reached;
            told := clock_timestamp();
        END IF;
    END LOOP;

    left_out := _flakeid_functions.flakeid_backfill_left(target, id_column);
    RAISE NOTICE '%', concat_ws(' ',
        format('%s rows of table "%s" got an ID.', rows, target),
        CASE WHEN rounded > 0 THEN format('For %s of them the ID''s time is earlier than "%s", by up to %s, because it has fewer digits.', rounded, time_column, most_lost) END,
        CASE WHEN (SELECT t.typname = 'flax' FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid WHERE a.attrelid = target AND a.attname = id_column)
            THEN 'IDs of one millisecond are in no order.' END,
        CASE WHEN next_numbers > 0 THEN format('%s of them got another partition, shard or worker, because too many rows share a tick.', next_numbers) END,
        CASE WHEN moved > 0 THEN format('%s of them got a later tick, by up to %s, because too many rows share a tick.', moved, most_moved) END,
        CASE WHEN left_out > 0 THEN format('%s rows have no time, and got no ID.', left_out) END);
END
$$;

-- Return the condition that a row of the parent, p, has the key to which a row of the target, c,
-- refers.  The operator is that of the key's index.  If it is not one of core's, both sides are
-- cast to the type that it compares, so that it cannot be another one of its name.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_match(parent regclass, key_column name, reference_column name) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    match text;
BEGIN
    SELECT format('p.%1$I::%2$s OPERATOR(%3$s.%4$s) c.%5$I::%2$s', key_column, format_type(o.oprleft, -1), o.oprnamespace::regnamespace, o.oprname, reference_column)
    INTO match
    FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] JOIN pg_opclass AS c ON c.oid = i.indclass[0]
        JOIN pg_amop AS m ON m.amopfamily = c.opcfamily AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype
        JOIN pg_operator AS o ON o.oid = m.amopopr
    WHERE i.indrelid = parent AND a.attname = key_column AND i.indisvalid AND i.indpred IS NULL AND o.oprcanhash
        AND o.oprnamespace <> 'pg_catalog'::regnamespace;
    RETURN coalesce(match, format('p.%I OPERATOR(pg_catalog.=) c.%I', key_column, reference_column));
END
$$;

-- Fill a referring column in the rows of some pages of a table, and return how many rows were
-- filled.  A column that has a value keeps it.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_pages(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name,
    first_page bigint, end_page bigint
) RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    lookup text;
    count bigint;
    filled bigint;
BEGIN
    PERFORM _flakeid_functions.flakeid_lock_backfill(target);
    -- A subquery finds each row by the key's index.  A join would be planned by the statistics of
    -- a column that was NULL until a moment ago: each row of the parent, which seems to have one,
    -- would be compared with all rows of the batch.  Rows for which it finds nothing are left alone.
    lookup := format('(SELECT p.%1$I FROM %2$s AS p WHERE %3$s AND p.%1$I IS NOT NULL LIMIT 1)', parent_column,
        _flakeid_functions.flakeid_hold(parent, false), _flakeid_functions.flakeid_backfill_match(parent, key_column, reference_column));
    EXECUTE format(
        'WITH changed AS (
            UPDATE ONLY %1$s AS c SET %2$I = %3$s
            WHERE c.%2$I IS NULL AND c.ctid >= ''(%4$s,0)''::tid AND c.ctid < ''(%5$s,0)''::tid AND %3$s IS NOT NULL
            RETURNING c.%2$I
        )
        SELECT count(*), count(%2$I) FROM changed', target, id_column, lookup, first_page, end_page)
    INTO count, filled;
    IF filled < count THEN
        RAISE 'a trigger keeps rows of table "%" from getting an ID', target
            USING ERRCODE = 'triggered_action_exception', DETAIL = format('Only %s of %s rows have one.', filled, count);
    END IF;
    RETURN count;
END
$$;

-- Check the arguments of flakeid_backfill_reference().  Return the tables that have the rows,
-- and about how many pages of each a batch of rows takes.
CREATE FUNCTION _flakeid_functions.flakeid_backfill_leaves(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name, batch int,
    OUT leaf regclass, OUT pages bigint
) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    types regtype[];
BEGIN
    -- both are planned and read with the rights of the caller
    PERFORM _flakeid_functions.flakeid_check_owner(target);
    PERFORM _flakeid_functions.flakeid_check_owner(parent);
    IF EXISTS (SELECT FROM pg_class AS c WHERE c.oid IN (target, parent) AND c.relkind NOT IN ('r', 'p')) THEN
        RAISE '"%" and "%" are not both tables', target, parent USING ERRCODE = 'wrong_object_type';
    END IF;
    types := ARRAY[_flakeid_functions.flakeid_column_type(target, id_column), _flakeid_functions.flakeid_column_type(parent, parent_column),
        _flakeid_functions.flakeid_column_type(target, reference_column), _flakeid_functions.flakeid_column_type(parent, key_column)];
    IF types[1] <> types[2] THEN
        RAISE 'columns "%" and "%" have different types', id_column, parent_column
            USING ERRCODE = 'datatype_mismatch', DETAIL = format('Their types are %s and %s.', types[1], types[2]);
    END IF;
    PERFORM _flakeid_functions.flakeid_check_index(parent, key_column);
    RETURN QUERY
    SELECT t.relid, greatest(CASE WHEN c.reltuples > 0 THEN batch::numeric * c.relpages / c.reltuples::numeric ELSE batch / 100 END, 1)::bigint
    FROM (
        SELECT target AS relid WHERE NOT EXISTS (SELECT FROM pg_partitioned_table AS p WHERE p.partrelid = target)
        UNION ALL SELECT p.relid FROM pg_partition_tree(target) AS p WHERE p.isleaf AND p.relid <> target
    ) AS t JOIN pg_class AS c ON c.oid = t.relid
    ORDER BY t.relid;
END
$$;

CREATE PROCEDURE flakeid_backfill_reference(
    target regclass, id_column name, reference_column name, parent regclass, key_column name, parent_column name,
    batch int DEFAULT 10000
)
    LANGUAGE plpgsql
AS $$
DECLARE
    leaves pg_catalog.oid[];
    steps pg_catalog.int8[];
    page pg_catalog.int8;
    pages pg_catalog.int8;
    count pg_catalog.int8;
    filled pg_catalog.int8;         -- in this pass
    rows pg_catalog.int8 := 0;      -- in all of them
    left_out pg_catalog.int8;
    told pg_catalog.timestamptz;    -- when the last NOTICE was
BEGIN
    -- first, so that a call within a transaction fails immediately
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    SET LOCAL row_security = off;
    IF target IS NULL OR id_column IS NULL OR reference_column IS NULL OR parent IS NULL OR key_column IS NULL OR parent_column IS NULL THEN
        RAISE 'arguments of flakeid_backfill_reference must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch IS NULL OR batch NOT BETWEEN 1 AND 1000000 THEN
        RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 1 to 1000000 rows.';
    END IF;
    SELECT array_agg(l.leaf), array_agg(l.pages) INTO leaves, steps
    FROM _flakeid_functions.flakeid_backfill_leaves(target, id_column, reference_column, parent, key_column, parent_column, batch) AS l;
    told := clock_timestamp();

    -- Writers may move rows to pages that the pass has already done, so it ends with a pass that
    -- finds nothing to do.
    LOOP
        filled := 0;
        FOR i IN 1 .. coalesce(cardinality(leaves), 0) LOOP
            page := 0;
            pages := pg_relation_size(leaves[i]::regclass) / current_setting('block_size')::int8;
            WHILE page < pages LOOP
                PERFORM set_config('application_name'::text, format('flakeid_backfill: %s rows of %s.%I', rows, target, id_column)::name::text, true);
                count := _flakeid_functions.flakeid_backfill_pages(leaves[i]::regclass, id_column, reference_column, parent, key_column, parent_column, page, page + steps[i]);
                COMMIT;
                SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
                SET LOCAL search_path = pg_catalog, pg_temp;
                SET LOCAL row_security = off;
                page := page + steps[i];
                filled := filled + count;
                rows := rows + count;
                IF clock_timestamp() > told + interval '10 seconds' THEN
                    RAISE NOTICE '% rows of table "%" refer by column "%" so far.', rows, target, id_column;
                    told := clock_timestamp();
                END IF;
            END LOOP;
        END LOOP;
        EXIT WHEN filled = 0;
    END LOOP;

    left_out := _flakeid_functions.flakeid_backfill_left(target, id_column);
    RAISE NOTICE '%', concat_ws(' ',
        format('%s rows of table "%s" now refer by column "%s".', rows, target, id_column),
        CASE WHEN left_out > 0 THEN format('%s rows refer to nothing, or to a row without a value.', left_out) END);
END
$$;

COMMENT ON FUNCTION _flakeid_functions.flakeid_column_type(regclass, name) IS 'type of a column; an error if there is no such column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_own_type(regtype) IS 'name of a type of flakeid; NULL for other types';
COMMENT ON FUNCTION _flakeid_functions.flakeid_check_index(regclass, name) IS 'error unless an index begins with the column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_time(regclass, name) IS 'expression for the instant that a column holds, and condition that its value is at least another one';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_numbers(text, int) IS 'partitions, shards or workers of a backfill';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_places(text, name, int, text, int, int, bigint) IS 'how the IDs of a type fill a tick';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_rule(regclass, name, name, int, int, text) IS 'how flakeid_backfill makes the IDs of a column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_batch(regclass, name, name, int, int, int, text, text) IS 'a batch of flakeid_backfill';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_left(regclass, name) IS 'rows that have no value in a column';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_match(regclass, name, name) IS 'condition that a row has the key to which another row refers';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_pages(regclass, name, name, regclass, name, name, bigint, bigint) IS 'a batch of flakeid_backfill_reference';
COMMENT ON FUNCTION _flakeid_functions.flakeid_backfill_leaves(regclass, name, name, regclass, name, name, int) IS 'the tables that flakeid_backfill_reference works on';
COMMENT ON PROCEDURE flakeid_backfill(regclass, name, name, int, int, int, text) IS 'give each row without an ID one of the row''s time, in batches with commits; call it again if it was interrupted';
COMMENT ON PROCEDURE flakeid_backfill_reference(regclass, name, name, regclass, name, name, int) IS 'fill a referring column from another column of the row that it refers to, in batches with commits; call it again if it was interrupted';
/* ---------- which type is this ID? ---------- */

-- List every format that accepts the text.  Those whose instant is not in the future come
-- first, newest first.
CREATE FUNCTION flakeid_guess(id text, OUT format text, OUT "timestamp" timestamptz, OUT parts jsonb) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := _flakeid_functions.flakeid_home();    -- the extension's schema
    given text := btrim(id, E' \t\r\n');
    kind text;
    layout record;
    number bigint;
    value uuid;
    formats text[] := '{}';
    instants timestamptz[] := '{}';
    all_parts jsonb[] := '{}';
BEGIN
    BEGIN
        number := CASE WHEN given ~ '^[0-9]{1,19}$' THEN given END;
    EXCEPTION WHEN numeric_value_out_of_range THEN
        number := NULL;
    END;
    BEGIN
        value := CASE WHEN given ~ '-' OR given ~* '^[0-9a-f]{32}$' THEN given END;
    EXCEPTION WHEN invalid_text_representation THEN
        value := NULL;
    END;

    -- our own types, as text or as the uuid that they were cast to
    FOR kind IN EXECUTE format('SELECT f.name FROM %s.flakeid_formats AS f', home) LOOP
        BEGIN
            EXECUTE format('SELECT i."timestamp", to_jsonb(i) - ''{text,bytes,timestamp}''::text[] FROM %1$s.%2$I(%3$L::text::%1$s.%4$I) AS i',
                home, kind || '_inspect', given, kind)
            INTO "timestamp", parts;
            formats := formats || kind;
            instants := instants || "timestamp";
            all_parts := all_parts || parts;
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
        CONTINUE WHEN value IS NULL OR kind NOT IN ('sno', 'flax', 'siq');
        BEGIN
            EXECUTE format('SELECT i."timestamp", to_jsonb(i) - ''{bytes,timestamp}''::text[] FROM %1$s.%2$I(%3$L::uuid::%1$s.%4$I) AS i',
                home, kind || '_inspect', value, kind)
            INTO "timestamp", parts;
            formats := formats || (kind || ' as uuid');
            instants := instants || "timestamp";
            all_parts := all_parts || parts;
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
    END LOOP;

    IF value IS NOT NULL THEN
        -- only the variant of RFC 4122 has a digit for the version
        kind := CASE WHEN substr(value::text, 20, 1) ~ '[89ab]' THEN 'uuid v' || ('x' || substr(value::text, 15, 1))::bit(4)::int ELSE 'uuid' END;
        formats := formats || kind;
        EXECUTE format('SELECT $1 || %1$s.uuid7_timestamp($2)::timestamptz, %1$s.ulid_timestamp($2)', home) INTO instants, "timestamp" USING instants, value;
        all_parts := all_parts || CASE kind WHEN 'uuid' THEN '{}' ELSE jsonb_build_object('version', substr(kind, 7)::int) END;
        IF kind <> 'uuid v7' AND "timestamp" BETWEEN '2010-01-01Z' AND now() + interval '1 day' THEN
            formats := formats || 'ulid as uuid'::text;
            instants := instants || "timestamp";
            all_parts := all_parts || '{}'::jsonb;
        END IF;
    END IF;
    IF number IS NOT NULL THEN
        FOR layout IN EXECUTE format('SELECT l.name, l.low_parts, l.low_bits, %1$s.layout_timestamp($1, l.name)::timestamptz AS at FROM %1$s.flakeid_layouts AS l', home) USING number LOOP
            formats := formats || ('bigint, layout ' || layout.name);
            instants := instants || layout.at;
            all_parts := all_parts || jsonb_build_object(layout.low_parts, number & ((1::bigint << layout.low_bits) - 1));
        END LOOP;
    END IF;

    RETURN QUERY SELECT u.f, u.t, u.p
        FROM unnest(formats, instants, all_parts) WITH ORDINALITY AS u (f, t, p, n)
        ORDER BY u.t IS NULL, u.t > now() + interval '1 day', u.t DESC, u.n;
END
$$;

COMMENT ON FUNCTION flakeid_guess(text) IS 'formats in which a text can be an ID, with its instant and parts in each; the likeliest first';
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

-- The doctor reads catalogs, statistics, flakeid's memory and the mark, and nothing else.  It
-- reads no user's table, whose owner's code could then run with the rights of the caller.
-- Each subject has its own function, so that one that lacks a lock or a privilege does not
-- stop the others.
--
-- "fix" is a statement that can be run as it is, or NULL where a person has to decide.  It
-- never sets a node number, as nothing here knows which servers have it.  Its calls have all
-- their arguments, so that they mean no other function of that name.

CREATE FUNCTION _flakeid_functions.flakeid_doctor_library(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    extension record;
    at record;
    library text;
    replaced boolean;
    preloaded boolean;
    detail text;
BEGIN
    subject := 'version';
    SELECT x.extnamespace::regnamespace::text AS home, x.extversion AS version, x.extnamespace, x.extowner INTO extension FROM pg_extension AS x WHERE x.extname = 'flakeid';
    EXECUTE format('SELECT v.library FROM %s.flakeid_version() AS v', extension.home) INTO library;
    replaced := _flakeid_functions.flakeid_library_replaced();
    preloaded := current_setting('shared_preload_libraries', true) ~ '[[:<:]]flakeid[[:>:]]';
    IF library <> extension.version THEN
        severity := 'error';
        finding := format('The library is version %s, the extension in this database %s. If the extension is the newer one, install the library and %s.', library, extension.version,
            CASE WHEN preloaded THEN 'restart the server, which has preloaded it' ELSE 'start new sessions' END);
        -- there is no way to update to an older library
        fix := (SELECT format('ALTER EXTENSION flakeid UPDATE TO %L;', u.target)
            FROM pg_extension_update_paths('flakeid') AS u WHERE u.source = extension.version AND u.target = library AND u.path IS NOT NULL);
        RETURN NEXT;
    ELSIF replaced THEN
        severity := 'warning'; fix := NULL;
        finding := format('The library on disk differs from the one that this session has loaded. Before ALTER EXTENSION flakeid UPDATE, %s.',
            CASE WHEN preloaded THEN 'restart the server, which has preloaded it' ELSE 'start a new session; pools keep old ones' END);
        RETURN NEXT;
    END IF;
    IF EXISTS (SELECT FROM pg_namespace AS n CROSS JOIN aclexplode(n.nspacl) AS a
        WHERE n.oid = extension.extnamespace AND a.privilege_type = 'CREATE' AND a.grantee NOT IN (n.nspowner, extension.extowner)
            AND NOT (a.grantee <> 0 AND EXISTS (SELECT FROM pg_roles AS r WHERE r.oid = a.grantee AND r.rolsuper))) THEN
        severity := 'warning'; subject := 'schema';
        finding := format('Roles other than its owner may create objects in schema %s, such as functions that your calls find instead of flakeid''s.', extension.home);
        fix := CASE WHEN EXISTS (SELECT FROM pg_namespace AS n CROSS JOIN aclexplode(n.nspacl) AS a WHERE n.oid = extension.extnamespace AND a.privilege_type = 'CREATE' AND a.grantee = 0)
            THEN format('REVOKE CREATE ON SCHEMA %s FROM PUBLIC;', extension.home) END;
        RETURN NEXT;
    END IF;
    -- the database's owner could have created the extension, so owning public adds nothing
    FOR at IN SELECT r.rolname FROM pg_namespace AS n JOIN pg_roles AS r ON r.oid = n.nspowner
        WHERE n.oid = extension.extnamespace AND n.nspowner <> extension.extowner AND NOT r.rolsuper AND r.rolname <> 'pg_database_owner' LOOP
        severity := 'warning'; subject := 'schema'; fix := NULL;
        finding := format('Role %I owns schema %s, but not flakeid, and may create functions there that your calls find instead of flakeid''s. Give the schema to the owner of flakeid by ALTER SCHEMA.', at.rolname, extension.home);
        RETURN NEXT;
    END LOOP;
    IF NOT coalesce(preloaded, true) AND current_setting('server_version_num')::int < 170000 THEN
        severity := 'notice'; subject := 'shared_preload_libraries';
        finding := 'On this major version of PostgreSQL it is better to reserve the memory of flakeid at server start. That takes a restart.';
        fix := format('ALTER SYSTEM SET shared_preload_libraries = %s;', concat_ws(', ', nullif(current_setting('shared_preload_libraries'), ''), 'flakeid'));
        RETURN NEXT;
    END IF;
    -- the view reports an error if the mark is damaged, or if another version made the memory
    subject := 'flakeid';
    EXECUTE format('SELECT count(c.node) FROM %s.flakeid_clock AS c', extension.home);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    severity := CASE SQLSTATE WHEN '55000' THEN 'error' ELSE 'notice' END; fix := NULL;
    finding := concat_ws(' ', format(CASE SQLSTATE WHEN '55000' THEN 'The generators and flakeid_clock report: %s.' ELSE 'This could not be checked: %s.' END, SQLERRM), nullif(detail, ''));
    RETURN NEXT;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_numbers(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    home text;
    clock record;
    at record;
    others text;
BEGIN
    subject := 'settings';
    home := _flakeid_functions.flakeid_home();
    EXECUTE format('SELECT c.node, c.node_source, c.setting_fault FROM %s.flakeid_clock AS c', home) INTO clock;
    IF clock.setting_fault IS NOT NULL THEN
        severity := 'error';
        finding := format('There is a fault in the settings: %s. Correct postgresql.conf, and reload.', rtrim(clock.setting_fault, '.'));
        RETURN NEXT;
    -- if the library is preloaded, the server refuses a bad value, and sessions never see it
    ELSIF has_function_privilege('pg_show_all_file_settings()', 'EXECUTE') THEN
        FOR at IN SELECT f.name, f.setting, f.sourcefile, f.sourceline FROM pg_show_all_file_settings() AS f
            WHERE f.name LIKE 'flakeid.%' AND f.error IS NOT NULL LOOP
            severity := 'error';
            finding := format('The server refuses %s = ''%s'' (%s, line %s). Correct it, and reload.', at.name, at.setting, at.sourcefile, at.sourceline);
            RETURN NEXT;
        END LOOP;
    END IF;

    subject := 'flakeid.node';
    SELECT string_agg(v.what, ', ') INTO others FROM (
        SELECT 'replicas connected: ' || count(*) AS what, count(*) AS n FROM pg_stat_replication
        UNION ALL SELECT 'replication slots: ' || count(*), count(*) FROM pg_replication_slots
        UNION ALL SELECT 'publications: ' || count(*), count(*) FROM pg_publication
        UNION ALL SELECT 'subscriptions: ' || count(*), count(*) FROM pg_subscription AS s
            WHERE s.subdbid = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
    ) AS v WHERE v.n > 0;
    IF clock.node_source IS DISTINCT FROM 'flakeid.node' AND clock.node IS NOT NULL AND others IS NOT NULL THEN
        severity := 'warning';
        finding := format('The node is derived from the system identifier, which replicas and copies of this server share, and there are %s. Set flakeid.node to a number that no other server has.', others);
        RETURN NEXT;
    END IF;
    FOR at IN SELECT s.number, s.databases FROM _flakeid_functions.flakeid_same_numbers() AS s LOOP
        severity := 'warning';
        finding := format('Other databases of this server have the same number (%s): %s. Where their IDs meet, give each its own number by ALTER DATABASE; it takes effect in new sessions.', at.number, at.databases);
        RETURN NEXT;
    END LOOP;
    IF EXISTS (SELECT FROM pg_extension AS x WHERE x.extname = 'citus') THEN
        FOR at IN EXECUTE 'SELECT success, result, string_agg(nodeid::text, '', '' ORDER BY nodeid) AS nodes
            FROM pg_catalog.run_command_on_all_nodes($1) GROUP BY success, result HAVING NOT success OR count(*) > 1'
            USING format('SELECT node FROM %s.flakeid_clock', home) LOOP
            severity := CASE WHEN at.success THEN 'error' ELSE 'notice' END;
            finding := CASE WHEN at.success
                THEN format('Nodes %s of Citus all have number %s. Set flakeid.node on each of them to its own number, such as its group in pg_dist_node.', at.nodes, at.result)
                ELSE format('The numbers of nodes %s of Citus are not known: %s.', at.nodes, rtrim(at.result, '.')) END;
            RETURN NEXT;
        END LOOP;
    END IF;
EXCEPTION WHEN OTHERS THEN
    -- flakeid_doctor_library() reports why generators refuse; the name of 55000 would mean its whole class
    IF SQLSTATE <> '55000' THEN
        severity := 'notice'; finding := format('This could not be checked: %s.', SQLERRM);
        RETURN NEXT;
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_subscriptions(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    at record;
BEGIN
    subject := 'subscription';
    -- since 18 core counts errors by their kind
    FOR at IN SELECT s.subname, s.subenabled, t.apply_error_count, t.stats_reset,
            (to_jsonb(t) ->> 'confl_insert_exists')::bigint + coalesce((to_jsonb(t) ->> 'confl_multiple_unique_conflicts')::bigint, 0) AS duplicates
        FROM pg_subscription AS s JOIN pg_stat_subscription_stats AS t ON t.subid = s.oid
        WHERE s.subdbid = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database()) AND t.apply_error_count > 0 ORDER BY s.subname LOOP
        severity := 'error'; subject := format('subscription %I', at.subname);
        finding := format('Its changes could not be applied, %s times%s%s. %s When it is solved, reset the count by pg_stat_reset_subscription_stats().',
            at.apply_error_count, ' since ' || at.stats_reset, CASE WHEN at.subenabled THEN '' ELSE ', and it is disabled' END,
            CASE WHEN at.duplicates = 0 THEN 'None was for a duplicate key: the server''s log says why.'
                ELSE concat(CASE WHEN at.duplicates > 0 THEN format('Of these %s were for a duplicate key: ', at.duplicates) ELSE 'If the server''s log says "duplicate key", ' END,
                    'another server makes IDs under this database''s number. The subscription cannot continue until that row is removed.') END);
        RETURN NEXT;
    END LOOP;
    -- nothing here knows who reads which table; a uuid may be of any version
    FOR at IN WITH RECURSIVE based (subid, relid, type) AS (
            SELECT r.srsubid, r.srrelid, a.atttypid FROM pg_subscription_rel AS r JOIN pg_attribute AS a ON a.attrelid = r.srrelid AND a.attnum > 0 AND NOT a.attisdropped
            UNION SELECT b.subid, b.relid, t.typbasetype FROM based AS b JOIN pg_type AS t ON t.oid = b.type AND t.typtype = 'd'
        )
        SELECT s.subname, string_agg(DISTINCT v.relid::regclass::text, ', ' ORDER BY v.relid::regclass::text) AS tables
        FROM pg_subscription AS s JOIN based AS v ON v.subid = s.oid
            JOIN pg_type AS t ON t.oid = v.type AND t.typname IN (SELECT f.name FROM _flakeid_functions.flakeid_show_formats() AS f WHERE f.time_ordered)
            JOIN pg_depend AS d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
            JOIN pg_extension AS x ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND x.extname = 'flakeid'
        WHERE s.subdbid = (SELECT b.oid FROM pg_database AS b WHERE b.datname = current_database())
            AND NOT EXISTS (SELECT FROM pg_subscription_rel AS h JOIN pg_class AS c ON c.oid = h.srrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE h.srsubid = s.oid AND n.nspname = '_flakeid' AND c.relname = 'horizon')
        GROUP BY s.subname ORDER BY s.subname LOOP
        severity := 'notice'; subject := format('subscription %I', at.subname);
        finding := format('It brings rows with IDs (%s), but not the table _flakeid.horizon. So T_horizon() does not know which rows are still on their way, and feeds that read up to it miss some. '
            'If there are such feeds: on the publisher, ALTER PUBLICATION ... ADD TABLE _flakeid.horizon, and call flakeid_publish_horizon() regularly; then, here, ALTER SUBSCRIPTION %I REFRESH PUBLICATION.',
            CASE WHEN length(at.tables) > 200 THEN left(at.tables, 200) || ' ...' ELSE at.tables END, at.subname);
        RETURN NEXT;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    severity := 'notice'; finding := format('This could not be checked: %s.', SQLERRM);
    RETURN NEXT;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_mark(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    home text;
    mark record;
    at record;
BEGIN
    subject := '_flakeid.mark';
    home := _flakeid_functions.flakeid_home();
    -- the caller may use neither the table nor its schema
    SELECT * INTO mark FROM _flakeid_functions.flakeid_mark_rows();
    IF mark.rows > 4 THEN
        severity := 'warning';
        finding := format('The table has %s rows instead of 4, as after a restore with --disable-triggers.', mark.rows);
        fix := format('SELECT %s.flakeid_advance(now(), false);', home);
        RETURN NEXT;
    END IF;
    FOR at IN SELECT t.tgname FROM pg_trigger AS t
        WHERE t.tgrelid = mark.relation AND starts_with(t.tgname::text, 'mark_') AND t.tgenabled <> 'A' ORDER BY t.tgname LOOP
        severity := 'warning';
        finding := format('Trigger %s, which keeps the mark from being lowered, does not always fire.', at.tgname);
        fix := format('ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER %I;', at.tgname);
        RETURN NEXT;
    END LOOP;
    FOR at IN SELECT i.indexrelid::regclass AS name FROM pg_index AS i WHERE i.indrelid = mark.relation LOOP
        severity := 'error';
        finding := 'The table has an index. The generators refuse to write the table until the index is dropped.';
        fix := format('DROP INDEX %s;', at.name);
        RETURN NEXT;
    END LOOP;
    IF (SELECT c.relpersistence <> 'p' FROM pg_class AS c WHERE c.oid = mark.relation) THEN
        severity := 'error';
        finding := 'The table is not permanent: a crash would empty it.';
        fix := 'ALTER TABLE _flakeid.mark SET LOGGED;';
        RETURN NEXT;
    END IF;
    -- After the findings above, whose faults keep flakeid_advance() from writing the table.
    -- VACUUM first: until then the library reads a deleted row, and it keeps the first of two
    -- rows of a kind.  The other rows may have wrong times, which are added to all kinds.
    IF mark.kinds < 4 THEN
        severity := 'error';
        finding := 'The table lacks a row, so nothing records which IDs were issued. The fix puts it back, with an instant after the clock and after the remaining marks. '
            'If the clock has been set back since the last ID was made, write an instant after that ID in place of now(), both times.';
        fix := format('VACUUM _flakeid.mark; BEGIN; ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert; '
            'INSERT INTO _flakeid.mark SELECT n, 1, ''-infinity'', greatest(now() + interval ''3 s'', (SELECT max((ARRAY[to_1, to_2, to_3, to_4, to_5, to_6])[current]) FROM _flakeid.mark)), '
            '''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', 0 '
            'FROM generate_series(0, 3) AS n WHERE n NOT IN (SELECT kind FROM _flakeid.mark); '
            'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert; COMMIT; '
            'INSERT INTO _flakeid.mark SELECT (jsonb_populate_record(m, jsonb_build_object(''kind'', n))).* FROM _flakeid.mark AS m, generate_series(0, 2) AS n; '
            'SELECT %s.flakeid_advance(now(), false);', home);
        RETURN NEXT;
    END IF;
EXCEPTION WHEN OTHERS THEN
    severity := 'notice'; fix := NULL; finding := format('This could not be checked: %s.', SQLERRM);
    RETURN NEXT;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_clock(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    home text;
    clock record;
    at record;
    max_ahead interval;
    held_until timestamptz;
    jump interval;
BEGIN
    subject := 'clock';
    home := _flakeid_functions.flakeid_home();
    IF NOT _flakeid_functions.flakeid_clock_synchronised() THEN
        severity := 'notice';
        finding := 'The kernel says that its clock is not synchronised: no NTP daemon runs, or it has not succeeded yet. SQL cannot fix that.';
        RETURN NEXT;
    END IF;
    EXECUTE format('SELECT c.clock, c.mark, c.high_water, c.ahead_by, c.since FROM %s.flakeid_clock AS c', home) INTO clock;
    max_ahead := current_setting('flakeid.max_ahead')::interval;
    jump := _flakeid_functions.flakeid_clock_jump();
    IF jump > max_ahead THEN
        severity := 'warning'; subject := 'clock jump';
        finding := format('Since %s the clock was set ahead by %s, and reads %s now. If it is wrong, correct it, and then call flakeid_clock_reset(now()): IDs made until then count as issued. '
            'If it is right, as after a pause of a virtual machine, reset the counters by flakeid_stats_reset().', clock.since, justify_interval(jump), clock.clock);
        RETURN NEXT;
        subject := 'clock';
    END IF;
    IF greatest(clock.mark - interval '2 s', clock.high_water) - clock.clock > max_ahead THEN
        severity := 'error';
        finding := format('The clock reads %s, but IDs count as issued up to %s, which is more than flakeid.max_ahead later: generators refuse. If the clock is right now, reset; otherwise correct it.',
            clock.clock, greatest(clock.mark, clock.high_water));
        fix := format('SELECT %s.flakeid_clock_reset(now(), false);', home);
        -- as flakeid_clock_reset() decides: of kinds that need no reset it does not matter
        EXECUTE format('SELECT max(i.issued_to) FROM %1$s.flakeid_issued AS i
            WHERE $1 >= i.issued_from AND $1 < i.issued_to
                AND EXISTS (SELECT FROM %1$s.flakeid_issued AS c WHERE c.kind = i.kind AND c.is_current AND c.issued_to > $1 + interval ''2 s'')', home)
        INTO held_until USING clock.clock;
        IF held_until IS NOT NULL THEN
            fix := NULL;
            finding := concat(finding, format(' IDs of the current time were issued, too, up to %s: wait until then, or call flakeid_clock_reset(now(), force => true), after which IDs may repeat.', held_until));
        END IF;
        RETURN NEXT;
        fix := NULL;
    ELSIF clock.ahead_by > max_ahead / 2 THEN
        severity := 'warning';
        finding := format('IDs are %s ahead of the clock, and flakeid.max_ahead is %s: correct the clock, or wait.', clock.ahead_by, max_ahead);
        RETURN NEXT;
    END IF;
    FOR at IN EXECUTE format('SELECT min(i.issued_from) AS since, max(i.issued_to) AS until FROM %s.flakeid_issued AS i WHERE NOT i.is_current AND i.issued_to > $1 HAVING count(*) > 0', home) USING clock.clock LOOP
        severity := 'notice'; subject := 'issued interval'; fix := NULL;
        -- force gives up what keeps them from being repeated, so a person has to decide
        finding := format('IDs of the time from %s to %s already exist: they were made while the clock was wrong, or were restored from a dump. '
            'When the clock gets there, sno continues on its other timeline, and the other types continue ahead of the clock within flakeid.max_ahead, or report an error, until the clock is past that time. %s', at.since, at.until,
            CASE WHEN at.since <= clock.clock THEN 'It is there now: wait, or call flakeid_clock_reset(now(), force => true), after which IDs may repeat.'
                ELSE 'Until then there is nothing to do.' END);
        RETURN NEXT;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    -- flakeid_doctor_library() reports why generators refuse; the name of 55000 would mean its whole class
    IF SQLSTATE <> '55000' THEN
        severity := 'notice'; fix := NULL; finding := format('This could not be checked: %s.', SQLERRM);
        RETURN NEXT;
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_generators(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    home text;
    at record;
BEGIN
    subject := 'generators';
    home := _flakeid_functions.flakeid_home();
    FOR at IN EXECUTE format('SELECT g.type, g.number, g.overflows, g.last_overflow, g.used, g.capacity, g.sequence_min, g.sequence_max,
            1::bigint << (SELECT f.sequence_bits FROM %1$s.flakeid_formats AS f WHERE f.name = g.type) AS pool,
            g.tick > clock_timestamp() - interval ''1 hour'' AS recent
        FROM %1$s.flakeid_generators AS g', home) LOOP
        subject := format('generator %s %s', at.type, at.number);
        IF at.last_overflow > clock_timestamp() - interval '1 hour' THEN
            severity := 'warning';
            finding := format('Calls that found a tick used up: %s, the last one at %s. Spread IDs over partitions, or give this database a wider range; then reset the counters.', at.overflows, at.last_overflow);
            fix := format('SELECT %s.flakeid_stats_reset();', home);
            RETURN NEXT;
        ELSIF at.recent AND at.used > 0.8 * at.capacity THEN
            severity := 'notice'; fix := NULL;
            -- what other servers and databases have of the pool is not known here
            finding := format('%s of the %s numbers of its last tick are leased: the pool is nearly exhausted. ', at.used, at.capacity)
                || CASE WHEN at.capacity < at.pool THEN format('The pool is %s to %s; if no other server or database has the rest, widen it by flakeid.%s.', at.sequence_min, at.sequence_max,
                    CASE at.type WHEN 'sno' THEN 'sno_sequence_min and flakeid.sno_sequence_max' ELSE 'snowflake_process' END)
                    ELSE 'If that happens often, spread IDs over partitions or databases.' END;
            RETURN NEXT;
        END IF;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    -- flakeid_doctor_library() reports why generators refuse; the name of 55000 would mean its whole class
    IF SQLSTATE <> '55000' THEN
        severity := 'notice'; fix := NULL; finding := format('This could not be checked: %s.', SQLERRM);
        RETURN NEXT;
    END IF;
END
$$;

CREATE FUNCTION _flakeid_functions.flakeid_doctor_feeds(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    home text;
    at record;
BEGIN
    severity := 'warning'; subject := 'horizon';
    home := _flakeid_functions.flakeid_home();
    -- a person has to decide whether the transaction is worth the wait
    FOR at IN EXECUTE format('SELECT h.pid, h.prepared, h.role, h.state, date_trunc(''second'', h.age) AS age
        FROM %s.flakeid_horizon_holders AS h WHERE h.age > interval ''1 minute'' ORDER BY h.age DESC, h.pid, h.prepared LIMIT 5', home) LOOP
        finding := CASE WHEN at.pid IS NULL
            THEN format('Prepared transaction %L of %I has made IDs and has held all horizons for %s: feeds that read up to T_horizon() wait for it. End it: COMMIT PREPARED %1$L, or ROLLBACK PREPARED %1$L.',
                at.prepared, at.role, at.age)
            ELSE format('Process %s of %I (%s) has made IDs in a transaction and has held all horizons for %s: feeds that read up to T_horizon() wait for it. To end it: SELECT pg_terminate_backend(%1$s).',
                at.pid, at.role, coalesce(at.state, 'you may not see what it does'), at.age)
                || CASE WHEN at.state LIKE 'idle in transaction%' THEN ' Set idle_in_transaction_session_timeout, which ends such sessions.' ELSE '' END END;
        RETURN NEXT;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    -- flakeid_doctor_library() reports why generators refuse; the name of 55000 would mean its whole class
    IF SQLSTATE <> '55000' THEN
        severity := 'notice'; finding := format('This could not be checked: %s.', SQLERRM);
        RETURN NEXT;
    END IF;
END
$$;

-- Return the layout in which all bounds of a table partitioned by bigint are instants of whole
-- minutes with no bits below the time, or NULL if there is none.  Where the epochs of two are
-- whole minutes apart, it is the one in which the last bound is nearest to now.
CREATE FUNCTION _flakeid_functions.flakeid_layout_of(parent regclass) RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    layout text;
BEGIN
    EXECUTE format('SELECT l.name FROM %1$s.flakeid_layouts AS l CROSS JOIN LATERAL (
            SELECT max(at), bool_and(bound & ((1::bigint << l.low_bits) - 1) = 0 AND at BETWEEN ''2000-01-01Z'' AND ''2200-01-01Z'' AND date_trunc(''minute'', at) = at)
            FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
                CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, 0), %2$L) AS b
                CROSS JOIN LATERAL unnest(b::bigint[]) AS bound
                CROSS JOIN LATERAL (SELECT %1$s.layout_timestamp(bound, l.name)::timestamptz) AS v (at)
            WHERE i.inhparent = $1
        ) AS b (last, fits) WHERE b.fits ORDER BY abs(extract(epoch FROM b.last - now())) LIMIT 1',
        _flakeid_functions.flakeid_home(), '^FOR VALUES FROM [(]''([0-9]+)''[)] TO [(]''([0-9]+)''[)]$') INTO layout USING parent;
    RETURN layout;
END
$$;

-- Tables that are partitioned by an ID of ours that sorts by time, or by a uuid or bigint whose
-- bounds look like instants.
CREATE FUNCTION _flakeid_functions.flakeid_doctor_partitions(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    home text;
    at record;
    part record;
    instant text;           -- as an expression, that of a bound
    covered timestamptz;    -- there are partitions from now up to here
    step interval;
    now timestamptz := clock_timestamp();
BEGIN
    home := _flakeid_functions.flakeid_home();
    FOR at IN EXECUTE format('SELECT c.oid, c.oid::regclass AS name, c.reltuples < 0 AS unread, s.last_analyze, t.oid::regtype AS type, t.typname, l.layout,
            nullif(p.partdefid, 0)::regclass AS rest, pg_stat_get_live_tuples(p.partdefid) AS rest_rows
        FROM pg_partitioned_table AS p JOIN pg_class AS c ON c.oid = p.partrelid
            JOIN pg_opclass AS o ON o.oid = p.partclass[0] JOIN pg_type AS t ON t.oid = o.opcintype
            LEFT JOIN pg_stat_user_tables AS s ON s.relid = c.oid
            LEFT JOIN LATERAL (SELECT _flakeid_functions.flakeid_layout_of(c.oid::regclass) WHERE t.oid = ''bigint''::regtype) AS l (layout) ON true
        WHERE p.partstrat = ''r'' AND p.partnatts = 1 AND c.relpersistence <> ''t''
            AND (t.oid = ''uuid''::regtype OR l.layout IS NOT NULL OR t.typnamespace = $1::regnamespace AND t.typname IN (SELECT f.name FROM %s.flakeid_formats AS f WHERE f.time_ordered))
        ORDER BY c.oid::regclass::text', home) USING home LOOP
        instant := CASE at.type WHEN 'uuid'::regtype THEN format('%s.ulid_timestamp(bound::uuid)', home)
            WHEN 'bigint'::regtype THEN format('%s.layout_timestamp(bound::bigint, %L::text)', home, at.layout)
            ELSE format('%1$s.%2$I(bound::%1$s.%3$I)', home, at.typname || '_timestamp', at.typname) END;
        subject := format('table %s', at.name);
        covered := now;
        step := NULL;
        -- pg_get_expr() locks nothing if it is given no table
        FOR part IN EXECUTE format('SELECT v.begins, v.ends FROM (
                SELECT (SELECT (%1$s)::timestamptz FROM (SELECT b[1]) AS w (bound)) AS begins, (SELECT (%1$s)::timestamptz FROM (SELECT b[2]) AS w (bound)) AS ends
                FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, 0), %2$L) AS b
                WHERE i.inhparent = $1 AND NOT i.inhdetachpending
            ) AS v WHERE v.begins > ''2000-01-01'' AND v.ends < ''2200-01-01'' ORDER BY v.begins', instant, '^FOR VALUES FROM [(]''([^'']+)''[)] TO [(]''([^'']+)''[)]$') USING at.oid LOOP
            step := part.ends - part.begins;
            IF part.begins <= covered AND part.ends > covered THEN
                covered := part.ends;
            END IF;
        END LOOP;
        IF covered < now + step THEN
            severity := CASE covered WHEN now THEN 'error' ELSE 'warning' END; fix := NULL;
            finding := CASE covered WHEN now THEN 'There is no partition for the current time' ELSE format('The last partition ends at %s, and there is none for the time after it', covered) END
                || ': no job calls flakeid_maintain() for the table, or the job fails. Its log says why; the owner can also call flakeid_maintain() by hand.';
            RETURN NEXT;
        END IF;
        IF at.rest_rows > 0 THEN
            severity := 'warning'; fix := NULL;
            finding := format('Default partition %s has rows, %s by the statistics: as long as they are there, no partition can be created for their time. Move them.', at.rest, at.rest_rows);
            RETURN NEXT;
        END IF;
        IF at.last_analyze < now - step OR at.unread AND EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhparent = at.oid AND pg_stat_get_live_tuples(i.inhrelid) > 0) THEN
            severity := 'warning'; fix := format('ANALYZE %s;', at.name);
            finding := 'The table as a whole has no statistics about its latest time: autovacuum analyzes its partitions, but not the table.';
            RETURN NEXT;
        END IF;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    severity := 'notice'; fix := NULL; subject := coalesce(subject, 'tables'); finding := format('This could not be checked: %s.', SQLERRM);
    RETURN NEXT;
END
$$;

CREATE FUNCTION flakeid_doctor(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    WITH found AS MATERIALIZED (
        SELECT * FROM _flakeid_functions.flakeid_doctor_library()
        UNION ALL SELECT * FROM _flakeid_functions.flakeid_doctor_numbers()
        UNION ALL SELECT * FROM _flakeid_functions.flakeid_doctor_subscriptions()
        UNION ALL SELECT * FROM _flakeid_functions.flakeid_doctor_mark()
        UNION ALL SELECT * FROM _flakeid_functions.flakeid_doctor_clock()
        UNION ALL SELECT * FROM _flakeid_functions.flakeid_doctor_generators()
        UNION ALL SELECT * FROM _flakeid_functions.flakeid_doctor_feeds()
        UNION ALL SELECT * FROM _flakeid_functions.flakeid_doctor_partitions()
    )
    SELECT * FROM found
    UNION ALL SELECT 'ok', 'flakeid', 'Nothing was found.', NULL WHERE NOT EXISTS (SELECT FROM found);
END;

REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_library() FROM PUBLIC;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_numbers() FROM PUBLIC;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_subscriptions() FROM PUBLIC;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_mark() FROM PUBLIC;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_clock() FROM PUBLIC;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_generators() FROM PUBLIC;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_feeds() FROM PUBLIC;
REVOKE ALL ON FUNCTION _flakeid_functions.flakeid_doctor_partitions() FROM PUBLIC;
REVOKE ALL ON FUNCTION flakeid_doctor() FROM PUBLIC;

COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_library() IS 'what is wrong with the library, the extension and its schema';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_numbers() IS 'what is wrong with the settings and numbers';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_subscriptions() IS 'what is wrong with subscriptions';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_mark() IS 'what is wrong with the mark';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_clock() IS 'what is wrong with the clock';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_generators() IS 'what is wrong with the generators';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_feeds() IS 'transactions that have held the horizons for a long time';
COMMENT ON FUNCTION _flakeid_functions.flakeid_layout_of(regclass) IS 'layout that fits the bounds of a table partitioned by bigint';
COMMENT ON FUNCTION _flakeid_functions.flakeid_doctor_partitions() IS 'what is wrong with tables partitioned by time';
COMMENT ON FUNCTION flakeid_doctor() IS 'what is wrong with flakeid in this database, and the statement that fixes it, unless a person has to decide';
/* ---------- privileges ---------- */

-- All that follows is looked up in pg_catalog alone: from here on every name of the
-- extension is qualified.
SET LOCAL search_path = pg_catalog, pg_temp;

-- ALTER DEFAULT PRIVILEGES may have given the objects to roles as they were created, and a
-- trigger on _flakeid.mark would run with the rights of any session that makes an ID.  So take
-- everything away first, and PUBLIC's privileges on tables; functions that are not for
-- PUBLIC say so where they are created.
DO $$
DECLARE
    command text;
BEGIN
    FOR command IN
        SELECT DISTINCT format('REVOKE ALL ON %s %s FROM %s', o.kind, o.name, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END)
        FROM pg_extension AS x JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND d.deptype = 'e'
            CROSS JOIN LATERAL (
                SELECT 'ROUTINE', p.oid::regprocedure::text, p.proowner, p.proacl
                FROM pg_proc AS p WHERE d.classid = 'pg_proc'::regclass AND p.oid = d.objid
                UNION ALL SELECT 'TABLE', c.oid::regclass::text, c.relowner, c.relacl
                FROM pg_class AS c WHERE d.classid = 'pg_class'::regclass AND c.oid = d.objid
                UNION ALL SELECT 'SCHEMA', n.oid::regnamespace::text, n.nspowner, n.nspacl
                FROM pg_namespace AS n WHERE d.classid = 'pg_namespace'::regclass AND n.oid = d.objid
            ) AS o (kind, name, owner, acl)
            CROSS JOIN LATERAL aclexplode(o.acl) AS a
        WHERE x.extname = 'flakeid' AND a.grantee <> o.owner AND NOT (a.grantee = 0 AND o.kind = 'ROUTINE')
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

GRANT EXECUTE ON FUNCTION @extschema@.flakeid_advance(timestamptz, boolean) TO pg_database_owner;
GRANT EXECUTE ON FUNCTION @extschema@.flakeid_clock_reset(timestamptz, boolean) TO pg_database_owner;
GRANT EXECUTE ON FUNCTION @extschema@.flakeid_stats_reset() TO pg_database_owner;

-- the roles that watch a server may ask, too
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_mark_rows() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_derived_node(oid), _flakeid_functions.flakeid_numbers(), _flakeid_functions.flakeid_same_numbers() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_library() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_numbers() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_subscriptions() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_mark() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_clock() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_generators() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_feeds() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION _flakeid_functions.flakeid_doctor_partitions() TO pg_monitor, pg_database_owner;
GRANT EXECUTE ON FUNCTION @extschema@.flakeid_doctor() TO pg_monitor, pg_database_owner;

GRANT SELECT ON @extschema@.flakeid_clock TO PUBLIC;
GRANT SELECT ON @extschema@.flakeid_formats TO PUBLIC;
GRANT SELECT ON @extschema@.flakeid_generators TO PUBLIC;
GRANT SELECT ON @extschema@.flakeid_horizon_holders TO PUBLIC;
GRANT SELECT ON @extschema@.flakeid_issued TO PUBLIC;
GRANT SELECT ON @extschema@.flakeid_layouts TO PUBLIC;

-- last: from here on IDs may be made
SELECT _flakeid.flakeid_mark_take_over();
SELECT _flakeid_functions.flakeid_tell_same_numbers();
