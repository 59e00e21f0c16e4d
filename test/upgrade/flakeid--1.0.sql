-- flakeid: sortable IDs as PostgreSQL types.  Joined from src/*.sql by make.

-- complain if this script is sourced in psql instead of by CREATE EXTENSION
\echo Use "CREATE EXTENSION flakeid" to load this file. \quit

/* ---------- time conditions, for all types ---------- */

-- The right side of <@ and the left side of @>.  If these operators took tstzrange
-- itself, range @> '[...)' would no longer mean what it means without flakeid: an
-- operator that names the type beats core's for any range.
CREATE DOMAIN flakeid_period AS tstzrange;

COMMENT ON DOMAIN flakeid_period IS 'tstzrange, as an operand beside an ID';

-- The instant of an ID, as T_timestamp(T) and the functions in instant.sql return it:
-- comparisons with it become conditions on the ID.
CREATE DOMAIN flakeid_instant AS timestamptz;

COMMENT ON DOMAIN flakeid_instant IS 'timestamptz that a function has taken out of an ID';

-- Operator families of IDs compare two instants by these operators, as for
-- id < ANY (instants).  They cannot use core's operators: how the planner joins and sorts
-- by timestamptz depends on the families that core's are in.
CREATE OPERATOR |< (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_lt,
    COMMUTATOR = |>, NEGATOR = |>=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_le,
    COMMUTATOR = |>=, NEGATOR = |>,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR |>= (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_ge,
    COMMUTATOR = |<=, NEGATOR = |<,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR |> (
    LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_gt,
    COMMUTATOR = |<, NEGATOR = |<=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR |< (timestamptz, timestamptz) IS 'less than, for operator families of IDs';
COMMENT ON OPERATOR |<= (timestamptz, timestamptz) IS 'less than or equal, for operator families of IDs';
COMMENT ON OPERATOR |>= (timestamptz, timestamptz) IS 'greater than or equal, for operator families of IDs';
COMMENT ON OPERATOR |> (timestamptz, timestamptz) IS 'greater than, for operator families of IDs';

CREATE FUNCTION flakeid_next_instant(timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flakeid_range_start(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flakeid_range_end(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flakeid_not_after_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_after_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_within_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_multirange_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flakeid_next_instant(timestamptz) IS 'the instant a microsecond later; infinity after the last one; the infinities themselves for the infinities';
COMMENT ON FUNCTION flakeid_range_start(tstzrange) IS 'first instant of a range; -infinity if there is none, infinity if the range is empty';
COMMENT ON FUNCTION flakeid_range_end(tstzrange) IS 'first instant after a range; infinity if there is none, -infinity if the range is empty';
COMMENT ON FUNCTION flakeid_not_after_support(internal) IS 'planner support for id <= timestamptz';
COMMENT ON FUNCTION flakeid_after_support(internal) IS 'planner support for id > timestamptz';
COMMENT ON FUNCTION flakeid_within_support(internal) IS 'planner support for id <@ tstzrange';
COMMENT ON FUNCTION flakeid_multirange_support(internal) IS 'planner support for T_within(id, tstzmultirange)';
/* ---------- estimates, for all types ---------- */

CREATE FUNCTION flakeid_ltsel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_lesel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_gesel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_gtsel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_withinsel(internal, oid, internal, int) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flakeid_ltsel(internal, oid, internal, int) IS 'restriction selectivity of < beside an ID';
COMMENT ON FUNCTION flakeid_lesel(internal, oid, internal, int) IS 'restriction selectivity of <= beside an ID';
COMMENT ON FUNCTION flakeid_gesel(internal, oid, internal, int) IS 'restriction selectivity of >= beside an ID';
COMMENT ON FUNCTION flakeid_gtsel(internal, oid, internal, int) IS 'restriction selectivity of > beside an ID';
COMMENT ON FUNCTION flakeid_withinsel(internal, oid, internal, int) IS 'restriction selectivity of id <@ tstzrange';

/* ---------- GiST, for all types ---------- */

CREATE FUNCTION flakeid_gist_union(internal, internal) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_gist_penalty(internal, internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_gist_picksplit(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_gist_same(bytea, bytea, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_gist_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flakeid_gist_union(internal, internal) IS 'GiST support';
COMMENT ON FUNCTION flakeid_gist_penalty(internal, internal, internal) IS 'GiST support';
COMMENT ON FUNCTION flakeid_gist_picksplit(internal, internal) IS 'GiST support';
COMMENT ON FUNCTION flakeid_gist_same(bytea, bytea, internal) IS 'GiST support';
COMMENT ON FUNCTION flakeid_gist_sortsupport(internal) IS 'GiST support';

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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = sno, RIGHTARG = sno, FUNCTION = sno_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 sno_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 sno_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS sno_gist_ops USING gist IS 'ranges of sno, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION sno_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        ALTER OPERATOR FAMILY sno_ops USING btree ADD FUNCTION 6 (sno, sno) sno_skipsupport(internal);
        ALTER OPERATOR FAMILY sno_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the IDs of an instant

CREATE FUNCTION sno_timestamp(sno) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_min(timestamptz) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_max(timestamptz) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (sno AS timestamptz) WITH FUNCTION sno_timestamp(sno);

COMMENT ON FUNCTION sno_timestamp(sno) IS 'instant of a sno: the start of its 4 ms';
COMMENT ON FUNCTION sno_min(timestamptz) IS 'least sno of the 4 ms that hold the instant; outside 2010-2079 the least or greatest of all';
COMMENT ON FUNCTION sno_max(timestamptz) IS 'greatest sno of the 4 ms that hold the instant; outside 2010-2079 the least or greatest of all';
COMMENT ON CAST (sno AS timestamptz) IS 'instant of a sno: the start of its 4 ms';

-- comparison with instants

CREATE FUNCTION sno_lt_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_le_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION sno_ge_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_gt_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION sno_cmp_timestamptz(sno, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_cmp_le_timestamptz(sno, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_lt_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION timestamptz_le_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_ge_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION timestamptz_gt_sno(timestamptz, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_cmp_sno(timestamptz, sno) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_contained_by_tstzrange(sno, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION tstzrange_contains_sno(flakeid_period, sno) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION sno_within(id sno, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_multirange_support;
CREATE FUNCTION sno_in_range(sno, sno, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_lt_timestamptz(sno, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION sno_le_timestamptz(sno, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION sno_ge_timestamptz(sno, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION sno_gt_timestamptz(sno, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION sno_cmp_timestamptz(sno, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION sno_cmp_le_timestamptz(sno, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION timestamptz_lt_sno(timestamptz, sno) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_sno(timestamptz, sno) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_sno(timestamptz, sno) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_sno(timestamptz, sno) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_cmp_sno(timestamptz, sno) IS 'less-greater';
COMMENT ON FUNCTION sno_contained_by_tstzrange(sno, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_sno(flakeid_period, sno) IS 'implementation of @> operator';
COMMENT ON FUNCTION sno_within(sno, tstzmultirange) IS 'is the instant of the sno in one of the periods?';
COMMENT ON FUNCTION sno_in_range(sno, sno, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = timestamptz_lt_sno,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = timestamptz_le_sno,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = timestamptz_ge_sno,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = sno, FUNCTION = timestamptz_gt_sno,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = sno, RIGHTARG = timestamptz, FUNCTION = sno_cmp_le_timestamptz,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR <@ (
    LEFTARG = sno, RIGHTARG = flakeid_period, FUNCTION = sno_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = sno, FUNCTION = tstzrange_contains_sno,
    COMMUTATOR = <@,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
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

-- In the family's order an instant stands before every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY sno_ops USING btree ADD
    OPERATOR 1 < (sno, timestamptz),
    OPERATOR 2 |<= (sno, timestamptz),
    OPERATOR 4 >= (sno, timestamptz),
    FUNCTION 1 (sno, timestamptz) sno_cmp_timestamptz(sno, timestamptz),
    OPERATOR 2 <= (timestamptz, sno),
    OPERATOR 5 > (timestamptz, sno),
    FUNCTION 1 (timestamptz, sno) timestamptz_cmp_sno(timestamptz, sno),
    OPERATOR 1 |< (timestamptz, timestamptz),
    OPERATOR 2 |<= (timestamptz, timestamptz),
    OPERATOR 4 |>= (timestamptz, timestamptz),
    OPERATOR 5 |> (timestamptz, timestamptz),
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
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_new(meta int, partition int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_new_at(at timestamptz, meta int DEFAULT 0) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_new_at(at timestamptz, meta int, partition int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_make(at timestamptz, meta int, partition int, sequence int, tick_tock boolean DEFAULT false) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_new(int) IS 'new sno of this database''s partition; meta is 0 to 255';
COMMENT ON FUNCTION sno_new(int, int) IS 'new sno of a partition, 0 to 65535; meta is 0 to 255';
COMMENT ON FUNCTION sno_new_at(timestamptz, int) IS 'sno for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and beside live IDs of that tick';
COMMENT ON FUNCTION sno_new_at(timestamptz, int, int) IS 'sno for an instant in a partition, to backfill; can repeat once a session has made a pool of IDs for one tick, and beside live IDs of that tick';
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
    SELECT id::text, id::bytea, sno_timestamp(id),
        sno_tick_tock(id), sno_meta(id), sno_partition(id), sno_sequence(id);
END;

COMMENT ON FUNCTION sno_tick_tock(sno) IS 'tick-tock bit: true after an odd number of clock regressions';
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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 flax_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 flax_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS flax_gist_ops USING gist IS 'ranges of flax, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION flax_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        ALTER OPERATOR FAMILY flax_ops USING btree ADD FUNCTION 6 (flax, flax) flax_skipsupport(internal);
        ALTER OPERATOR FAMILY flax_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the IDs of an instant

CREATE FUNCTION flax_timestamp(flax) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_min(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_max(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (flax AS timestamptz) WITH FUNCTION flax_timestamp(flax);

COMMENT ON FUNCTION flax_timestamp(flax) IS 'instant of a flax: the start of its millisecond';
COMMENT ON FUNCTION flax_min(timestamptz) IS 'least flax of the millisecond that holds the instant; outside 2015-2049 the least or greatest of all';
COMMENT ON FUNCTION flax_max(timestamptz) IS 'greatest flax of the millisecond that holds the instant; outside 2015-2049 the least or greatest of all';
COMMENT ON CAST (flax AS timestamptz) IS 'instant of a flax: the start of its millisecond';

-- comparison with instants

CREATE FUNCTION flax_lt_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_le_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION flax_ge_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_gt_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION flax_cmp_timestamptz(flax, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_cmp_le_timestamptz(flax, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_lt_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION timestamptz_le_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_ge_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION timestamptz_gt_flax(timestamptz, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_cmp_flax(timestamptz, flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_contained_by_tstzrange(flax, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION tstzrange_contains_flax(flakeid_period, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION flax_within(id flax, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_multirange_support;
CREATE FUNCTION flax_in_range(flax, flax, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_lt_timestamptz(flax, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION flax_le_timestamptz(flax, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION flax_ge_timestamptz(flax, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION flax_gt_timestamptz(flax, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION flax_cmp_timestamptz(flax, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION flax_cmp_le_timestamptz(flax, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION timestamptz_lt_flax(timestamptz, flax) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_flax(timestamptz, flax) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_flax(timestamptz, flax) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_flax(timestamptz, flax) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_cmp_flax(timestamptz, flax) IS 'less-greater';
COMMENT ON FUNCTION flax_contained_by_tstzrange(flax, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_flax(flakeid_period, flax) IS 'implementation of @> operator';
COMMENT ON FUNCTION flax_within(flax, tstzmultirange) IS 'is the instant of the flax in one of the periods?';
COMMENT ON FUNCTION flax_in_range(flax, flax, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = timestamptz_lt_flax,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = timestamptz_le_flax,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = timestamptz_ge_flax,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = flax, FUNCTION = timestamptz_gt_flax,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = flax, RIGHTARG = timestamptz, FUNCTION = flax_cmp_le_timestamptz,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR <@ (
    LEFTARG = flax, RIGHTARG = flakeid_period, FUNCTION = flax_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = flax, FUNCTION = tstzrange_contains_flax,
    COMMUTATOR = <@,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
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

-- In the family's order an instant stands before every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY flax_ops USING btree ADD
    OPERATOR 1 < (flax, timestamptz),
    OPERATOR 2 |<= (flax, timestamptz),
    OPERATOR 4 >= (flax, timestamptz),
    FUNCTION 1 (flax, timestamptz) flax_cmp_timestamptz(flax, timestamptz),
    OPERATOR 2 <= (timestamptz, flax),
    OPERATOR 5 > (timestamptz, flax),
    FUNCTION 1 (timestamptz, flax) timestamptz_cmp_flax(timestamptz, flax),
    OPERATOR 1 |< (timestamptz, timestamptz),
    OPERATOR 2 |<= (timestamptz, timestamptz),
    OPERATOR 4 |>= (timestamptz, timestamptz),
    OPERATOR 5 |> (timestamptz, timestamptz),
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
    SELECT id::text, id::bytea, flax_timestamp(id),
        flax_random(id);
END;

COMMENT ON FUNCTION flax_random(flax) IS 'random bits of a flax, 0 to 72057594037927935';
COMMENT ON FUNCTION flax_inspect(flax) IS 'every part of a flax';

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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = siq, RIGHTARG = siq, FUNCTION = siq_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 siq_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 siq_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS siq_gist_ops USING gist IS 'ranges of siq, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION siq_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        ALTER OPERATOR FAMILY siq_ops USING btree ADD FUNCTION 6 (siq, siq) siq_skipsupport(internal);
        ALTER OPERATOR FAMILY siq_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the IDs of an instant

CREATE FUNCTION siq_timestamp(siq) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_min(timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_max(timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (siq AS timestamptz) WITH FUNCTION siq_timestamp(siq);

COMMENT ON FUNCTION siq_timestamp(siq) IS 'instant of a siq: the first microsecond of its 1/65536 s';
COMMENT ON FUNCTION siq_min(timestamptz) IS 'least siq of the 1/65536 s that holds the instant; outside 1970-36812 the least or greatest of all';
COMMENT ON FUNCTION siq_max(timestamptz) IS 'greatest siq of the 1/65536 s that holds the instant; outside 1970-36812 the least or greatest of all';
COMMENT ON CAST (siq AS timestamptz) IS 'instant of a siq: the first microsecond of its 1/65536 s';

-- comparison with instants

CREATE FUNCTION siq_lt_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_le_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION siq_ge_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_gt_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION siq_cmp_timestamptz(siq, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_cmp_le_timestamptz(siq, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_lt_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION timestamptz_le_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_ge_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION timestamptz_gt_siq(timestamptz, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_cmp_siq(timestamptz, siq) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_contained_by_tstzrange(siq, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION tstzrange_contains_siq(flakeid_period, siq) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION siq_within(id siq, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_multirange_support;
CREATE FUNCTION siq_in_range(siq, siq, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_lt_timestamptz(siq, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION siq_le_timestamptz(siq, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION siq_ge_timestamptz(siq, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION siq_gt_timestamptz(siq, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION siq_cmp_timestamptz(siq, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION siq_cmp_le_timestamptz(siq, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION timestamptz_lt_siq(timestamptz, siq) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_siq(timestamptz, siq) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_siq(timestamptz, siq) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_siq(timestamptz, siq) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_cmp_siq(timestamptz, siq) IS 'less-greater';
COMMENT ON FUNCTION siq_contained_by_tstzrange(siq, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_siq(flakeid_period, siq) IS 'implementation of @> operator';
COMMENT ON FUNCTION siq_within(siq, tstzmultirange) IS 'is the instant of the siq in one of the periods?';
COMMENT ON FUNCTION siq_in_range(siq, siq, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = timestamptz_lt_siq,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = timestamptz_le_siq,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = timestamptz_ge_siq,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = siq, FUNCTION = timestamptz_gt_siq,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = siq, RIGHTARG = timestamptz, FUNCTION = siq_cmp_le_timestamptz,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR <@ (
    LEFTARG = siq, RIGHTARG = flakeid_period, FUNCTION = siq_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = siq, FUNCTION = tstzrange_contains_siq,
    COMMUTATOR = <@,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
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

-- In the family's order an instant stands before every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY siq_ops USING btree ADD
    OPERATOR 1 < (siq, timestamptz),
    OPERATOR 2 |<= (siq, timestamptz),
    OPERATOR 4 >= (siq, timestamptz),
    FUNCTION 1 (siq, timestamptz) siq_cmp_timestamptz(siq, timestamptz),
    OPERATOR 2 <= (timestamptz, siq),
    OPERATOR 5 > (timestamptz, siq),
    FUNCTION 1 (timestamptz, siq) timestamptz_cmp_siq(timestamptz, siq),
    OPERATOR 1 |< (timestamptz, timestamptz),
    OPERATOR 2 |<= (timestamptz, timestamptz),
    OPERATOR 4 |>= (timestamptz, timestamptz),
    OPERATOR 5 |> (timestamptz, timestamptz),
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
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_new(type siq_type, domain text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
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
COMMENT ON FUNCTION siq_new_at(timestamptz, siq_type) IS 'siq for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and beside live IDs of that tick';
COMMENT ON FUNCTION siq_new_at(timestamptz, siq_type, text) IS 'siq of a domain for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and beside live IDs of that tick';
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
    SELECT id::text, id::bytea, siq_timestamp(id),
        siq_shard(id), siq_domain(id), siq_serial(id), siq_qualifier(id),
        siq_type_of(id), siq_is_leaf(id);
END;

COMMENT ON FUNCTION siq_shard(siq) IS 'shard of a siq, 0 to 255';
COMMENT ON FUNCTION siq_domain(siq) IS 'domain hash of a siq, 0 to 4294967295';
COMMENT ON FUNCTION siq_serial(siq) IS 'serial of a siq, the bits before the qualifier';
COMMENT ON FUNCTION siq_qualifier(siq) IS 'last 3, 4 or 5 bits of a siq, which say its type';
COMMENT ON FUNCTION siq_type_of(siq) IS 'type of what a siq names, NULL if its qualifier has none';
COMMENT ON FUNCTION siq_is_leaf(siq) IS 'true for content, multi, manytomany and ternary, which hold nothing';
COMMENT ON FUNCTION siq_inspect(siq) IS 'every part of a siq';

-- the library's notations

CREATE FUNCTION siq_format(siq, format text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_parse(text, format text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_did(siq) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT 'did:siq:' || siq_format($1, 'u');
END;
CREATE FUNCTION siq_mastodon(id siq, domain text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT '@' || siq_format(id, 'u') || CASE WHEN domain = '' THEN '' ELSE '@' || domain END;
END;
CREATE FUNCTION siq_matrix(id siq, domain text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT '@' || siq_format(id, 'u') || ':' || domain;
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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = uid64, RIGHTARG = uid64, FUNCTION = uid64_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 uid64_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 uid64_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS uid64_gist_ops USING gist IS 'ranges of uid64, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION uid64_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        ALTER OPERATOR FAMILY uid64_ops USING btree ADD FUNCTION 6 (uid64, uid64) uid64_skipsupport(internal);
        ALTER OPERATOR FAMILY uid64_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the IDs of an instant

CREATE FUNCTION uid64_timestamp(uid64) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_min(timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_max(timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (uid64 AS timestamptz) WITH FUNCTION uid64_timestamp(uid64);

COMMENT ON FUNCTION uid64_timestamp(uid64) IS 'instant of a uid64: the start of its 1.024 ms';
COMMENT ON FUNCTION uid64_min(timestamptz) IS 'least uid64 of the 1.024 ms that hold the instant; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid64_max(timestamptz) IS 'greatest uid64 of the 1.024 ms that hold the instant; outside 1970-35198 the least or greatest of all';
COMMENT ON CAST (uid64 AS timestamptz) IS 'instant of a uid64: the start of its 1.024 ms';

-- comparison with instants

CREATE FUNCTION uid64_lt_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_le_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION uid64_ge_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_gt_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION uid64_cmp_timestamptz(uid64, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_cmp_le_timestamptz(uid64, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_lt_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION timestamptz_le_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_ge_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION timestamptz_gt_uid64(timestamptz, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_cmp_uid64(timestamptz, uid64) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_contained_by_tstzrange(uid64, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION tstzrange_contains_uid64(flakeid_period, uid64) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION uid64_within(id uid64, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_multirange_support;
CREATE FUNCTION uid64_in_range(uid64, uid64, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_lt_timestamptz(uid64, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION uid64_le_timestamptz(uid64, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION uid64_ge_timestamptz(uid64, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION uid64_gt_timestamptz(uid64, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION uid64_cmp_timestamptz(uid64, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION uid64_cmp_le_timestamptz(uid64, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION timestamptz_lt_uid64(timestamptz, uid64) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_uid64(timestamptz, uid64) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_uid64(timestamptz, uid64) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_uid64(timestamptz, uid64) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_cmp_uid64(timestamptz, uid64) IS 'less-greater';
COMMENT ON FUNCTION uid64_contained_by_tstzrange(uid64, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_uid64(flakeid_period, uid64) IS 'implementation of @> operator';
COMMENT ON FUNCTION uid64_within(uid64, tstzmultirange) IS 'is the instant of the uid64 in one of the periods?';
COMMENT ON FUNCTION uid64_in_range(uid64, uid64, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = timestamptz_lt_uid64,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = timestamptz_le_uid64,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = timestamptz_ge_uid64,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = uid64, FUNCTION = timestamptz_gt_uid64,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = uid64, RIGHTARG = timestamptz, FUNCTION = uid64_cmp_le_timestamptz,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR <@ (
    LEFTARG = uid64, RIGHTARG = flakeid_period, FUNCTION = uid64_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = uid64, FUNCTION = tstzrange_contains_uid64,
    COMMUTATOR = <@,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
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

-- In the family's order an instant stands before every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY uid64_ops USING btree ADD
    OPERATOR 1 < (uid64, timestamptz),
    OPERATOR 2 |<= (uid64, timestamptz),
    OPERATOR 4 >= (uid64, timestamptz),
    FUNCTION 1 (uid64, timestamptz) uid64_cmp_timestamptz(uid64, timestamptz),
    OPERATOR 2 <= (timestamptz, uid64),
    OPERATOR 5 > (timestamptz, uid64),
    FUNCTION 1 (timestamptz, uid64) timestamptz_cmp_uid64(timestamptz, uid64),
    OPERATOR 1 |< (timestamptz, timestamptz),
    OPERATOR 2 |<= (timestamptz, timestamptz),
    OPERATOR 4 |>= (timestamptz, timestamptz),
    OPERATOR 5 |> (timestamptz, timestamptz),
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

-- uid64: what only this type has
--
--     new IDs   uid64_new, uid64_new_at, uid64_make
--     parts     uid64_sequence, uid64_zero, uid64_inspect

COMMENT ON TYPE uid64 IS 'sortable ID of 8 bytes after fogfish/uid, local: 1.024 ms time, sequence; text of 11 characters [.0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS uid64_ops USING btree IS 'order of time, then of the sequence';

-- new IDs

CREATE FUNCTION uid64_new() RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_new_at(at timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid64_make(at timestamptz, sequence int) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_new() IS 'new uid64, unique within this database';
COMMENT ON FUNCTION uid64_new_at(timestamptz) IS 'uid64 for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and beside live IDs of that tick';
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
    SELECT id::text, id::bytea, uid64_timestamp(id), uid64_sequence(id);
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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = uid96, RIGHTARG = uid96, FUNCTION = uid96_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 uid96_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 uid96_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS uid96_gist_ops USING gist IS 'ranges of uid96, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION uid96_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
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
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_new(drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_new_at(at timestamptz) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid96_make(at timestamptz, node bigint, sequence int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_make(at timestamptz, node bigint, sequence int, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_new() IS 'new uid96 of this database''s node, drift 8; it shares a generator with uid64_new()';
COMMENT ON FUNCTION uid96_new(int) IS 'new uid96 of this database''s node, drift 5 to 10; it shares a generator with uid64_new()';
COMMENT ON FUNCTION uid96_new_at(timestamptz) IS 'uid96 for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and beside live IDs of that tick';
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
    SELECT id::text, id::bytea, uid96_timestamp(id), uid96_node(id), uid96_sequence(id);
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

COMMENT ON FUNCTION uid_distance(uid64, uid64) IS 'time from b to a, and a''s sequence number less b''s';
COMMENT ON FUNCTION uid_distance(uid96, uid96) IS 'time from b to a, and a''s sequence number less b''s; both of one node';

-- vector clocks: an entry for each node, the latest of its IDs; NULL elements are no entries

CREATE FUNCTION uid_vclock() RETURNS uid96[]
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT ARRAY[uid96_new()];
END;
CREATE FUNCTION uid_vclock(clock uid96[]) RETURNS uid96[]
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION uid_vclock_join(a uid96[], b uid96[]) RETURNS uid96[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(array_agg(latest.id ORDER BY latest.node), '{}')
    FROM (
        SELECT uid96_node(entry.id) AS node, max(entry.id) AS id
        FROM (SELECT unnest(a) AS id UNION ALL SELECT unnest(b)) AS entry
        WHERE entry.id IS NOT NULL
        GROUP BY uid96_node(entry.id)
    ) AS latest;
END;
CREATE FUNCTION uid_vclock_descends(a uid96[], b uid96[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT NOT EXISTS (
        SELECT FROM unnest(b) AS theirs(id)
        WHERE theirs.id IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(a) AS ours(id)
            WHERE uid96_node(ours.id) = uid96_node(theirs.id) AND ours.id >= theirs.id
        )
    );
END;
CREATE FUNCTION uid_vclock_descends(node bigint, a uid96[], b uid96[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT uid_vclock_descends(a, ARRAY(
        SELECT theirs.id FROM unnest(b) AS theirs(id) WHERE uid96_node(theirs.id) <> node
    ));
END;
CREATE FUNCTION uid_vclock_diff(
    a uid96[], b uid96[], OUT node bigint, OUT id uid96, OUT elapsed interval, OUT sequence int
) RETURNS SETOF record
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 10
BEGIN ATOMIC
    SELECT uid96_node(theirs.id), theirs.id, distance.elapsed, distance.sequence
    FROM unnest(b) WITH ORDINALITY AS theirs(id, place)
        LEFT JOIN (
            SELECT max(entry.id) AS id FROM unnest(a) AS entry(id) GROUP BY uid96_node(entry.id)
        ) AS ours ON uid96_node(ours.id) = uid96_node(theirs.id)
        LEFT JOIN LATERAL uid_distance(theirs.id, ours.id) AS distance ON ours.id IS NOT NULL
    WHERE theirs.id > ours.id OR (ours.id IS NULL AND theirs.id IS NOT NULL)
    ORDER BY theirs.place;
END;

COMMENT ON FUNCTION uid_vclock() IS 'new vector clock: one new uid96 of this database''s node';
COMMENT ON FUNCTION uid_vclock(uid96[]) IS 'vector clock with a new, later entry of this database''s node in front';
COMMENT ON FUNCTION uid_vclock_join(uid96[], uid96[]) IS 'vector clock with the later entry of each node, ordered by node';
COMMENT ON FUNCTION uid_vclock_descends(uid96[], uid96[]) IS 'has a seen all that b has seen: an entry as late, or later, of each of its nodes?';
COMMENT ON FUNCTION uid_vclock_descends(bigint, uid96[], uid96[]) IS 'has a seen all that b has seen, leaving one node''s entry out?';
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
    LIKE = pg_catalog.int8, CATEGORY = 'N'
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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = snowflake, RIGHTARG = snowflake, FUNCTION = snowflake_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 snowflake_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 snowflake_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS snowflake_gist_ops USING gist IS 'ranges of snowflake, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION snowflake_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        ALTER OPERATOR FAMILY snowflake_ops USING btree ADD FUNCTION 6 (snowflake, snowflake) snowflake_skipsupport(internal);
        ALTER OPERATOR FAMILY snowflake_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the IDs of an instant

CREATE FUNCTION snowflake_timestamp(snowflake) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_min(timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_max(timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (snowflake AS timestamptz) WITH FUNCTION snowflake_timestamp(snowflake);

COMMENT ON FUNCTION snowflake_timestamp(snowflake) IS 'instant of a snowflake by the epoch 2015-01-01 UTC: the start of its millisecond';
COMMENT ON FUNCTION snowflake_min(timestamptz) IS 'least snowflake of the millisecond that holds the instant, by the epoch 2015-01-01 UTC; outside 2015-2154 the least or greatest of all';
COMMENT ON FUNCTION snowflake_max(timestamptz) IS 'greatest snowflake of the millisecond that holds the instant, by the epoch 2015-01-01 UTC; outside 2015-2154 the least or greatest of all';
COMMENT ON CAST (snowflake AS timestamptz) IS 'instant of a snowflake by the epoch 2015-01-01 UTC: the start of its millisecond';

-- comparison with instants

CREATE FUNCTION snowflake_lt_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_le_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION snowflake_ge_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_gt_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION snowflake_cmp_timestamptz(snowflake, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_cmp_le_timestamptz(snowflake, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_lt_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION timestamptz_le_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_ge_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION timestamptz_gt_snowflake(timestamptz, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_cmp_snowflake(timestamptz, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_contained_by_tstzrange(snowflake, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION tstzrange_contains_snowflake(flakeid_period, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION snowflake_within(id snowflake, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_multirange_support;
CREATE FUNCTION snowflake_in_range(snowflake, snowflake, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_lt_timestamptz(snowflake, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION snowflake_le_timestamptz(snowflake, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION snowflake_ge_timestamptz(snowflake, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION snowflake_gt_timestamptz(snowflake, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION snowflake_cmp_timestamptz(snowflake, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION snowflake_cmp_le_timestamptz(snowflake, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION timestamptz_lt_snowflake(timestamptz, snowflake) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_snowflake(timestamptz, snowflake) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_snowflake(timestamptz, snowflake) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_snowflake(timestamptz, snowflake) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_cmp_snowflake(timestamptz, snowflake) IS 'less-greater';
COMMENT ON FUNCTION snowflake_contained_by_tstzrange(snowflake, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_snowflake(flakeid_period, snowflake) IS 'implementation of @> operator';
COMMENT ON FUNCTION snowflake_within(snowflake, tstzmultirange) IS 'is the instant of the snowflake in one of the periods?';
COMMENT ON FUNCTION snowflake_in_range(snowflake, snowflake, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = timestamptz_lt_snowflake,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = timestamptz_le_snowflake,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = timestamptz_ge_snowflake,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = snowflake, FUNCTION = timestamptz_gt_snowflake,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = snowflake, RIGHTARG = timestamptz, FUNCTION = snowflake_cmp_le_timestamptz,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR <@ (
    LEFTARG = snowflake, RIGHTARG = flakeid_period, FUNCTION = snowflake_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = snowflake, FUNCTION = tstzrange_contains_snowflake,
    COMMUTATOR = <@,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR < (snowflake, timestamptz) IS 'before the instant, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR <= (snowflake, timestamptz) IS 'at or before the instant, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR >= (snowflake, timestamptz) IS 'at or after the instant, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR > (snowflake, timestamptz) IS 'after the instant, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR < (timestamptz, snowflake) IS 'before the instant of the snowflake, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR <= (timestamptz, snowflake) IS 'at or before the instant of the snowflake, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR >= (timestamptz, snowflake) IS 'at or after the instant of the snowflake, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR > (timestamptz, snowflake) IS 'after the instant of the snowflake, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR |<= (snowflake, timestamptz) IS 'less than or equal, as snowflake_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR <@ (snowflake, flakeid_period) IS 'instant is contained by, by the epoch 2015-01-01 UTC';
COMMENT ON OPERATOR @> (flakeid_period, snowflake) IS 'contains the instant of the snowflake, by the epoch 2015-01-01 UTC';

-- In the family's order an instant stands before every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY snowflake_ops USING btree ADD
    OPERATOR 1 < (snowflake, timestamptz),
    OPERATOR 2 |<= (snowflake, timestamptz),
    OPERATOR 4 >= (snowflake, timestamptz),
    FUNCTION 1 (snowflake, timestamptz) snowflake_cmp_timestamptz(snowflake, timestamptz),
    OPERATOR 2 <= (timestamptz, snowflake),
    OPERATOR 5 > (timestamptz, snowflake),
    FUNCTION 1 (timestamptz, snowflake) timestamptz_cmp_snowflake(timestamptz, snowflake),
    OPERATOR 1 |< (timestamptz, timestamptz),
    OPERATOR 2 |<= (timestamptz, timestamptz),
    OPERATOR 4 |>= (timestamptz, timestamptz),
    OPERATOR 5 |> (timestamptz, timestamptz),
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

-- snowflake: what only this type has
--
--     casts             numeric, bigint, int, smallint
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
-- implicit, because people write WHERE id = 175928847299117063, and drivers send small numbers
-- as smallint
CREATE CAST (bigint AS snowflake) WITH FUNCTION snowflake_from_bigint(bigint) AS IMPLICIT;
CREATE CAST (int AS snowflake) WITH FUNCTION snowflake_from_int(int) AS IMPLICIT;
CREATE CAST (smallint AS snowflake) WITH FUNCTION snowflake_from_smallint(smallint) AS IMPLICIT;

COMMENT ON CAST (snowflake AS numeric) IS 'snowflake as a number';
COMMENT ON CAST (numeric AS snowflake) IS 'snowflake from its number';
COMMENT ON CAST (snowflake AS bigint) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON CAST (bigint AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (int AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (smallint AS snowflake) IS 'snowflake from its number, which must not be negative';

-- time

CREATE FUNCTION snowflake_min(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_max(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_timestamp(snowflake, epoch timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_min(timestamptz, timestamptz) IS 'least snowflake of the millisecond that holds the instant, by an epoch; outside its 139 years the least or greatest of all';
COMMENT ON FUNCTION snowflake_max(timestamptz, timestamptz) IS 'greatest snowflake of the millisecond that holds the instant, by an epoch; outside its 139 years the least or greatest of all';
COMMENT ON FUNCTION snowflake_timestamp(snowflake, timestamptz) IS 'instant of a snowflake by an epoch: the start of its millisecond';

-- new IDs

CREATE FUNCTION snowflake_new() RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_new(epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_new_at(at timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION snowflake_make(at timestamptz, worker int, process int, sequence int) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_make(at timestamptz, worker int, process int, sequence int, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_new() IS 'new snowflake of this database''s worker, by the epoch 2015-01-01 UTC';
COMMENT ON FUNCTION snowflake_new(timestamptz) IS 'new snowflake of this database''s worker, by another epoch, of which casts and comparisons with timestamptz know nothing';
COMMENT ON FUNCTION snowflake_new_at(timestamptz) IS 'snowflake for an instant, by the epoch 2015-01-01 UTC, to backfill; can repeat once a session has made a pool of IDs for one tick, and beside live IDs of that tick';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int) IS 'snowflake from its parts, by the epoch 2015-01-01 UTC';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int, timestamptz) IS 'snowflake from its parts, by an epoch';

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
    SELECT id::text, id::bytea, snowflake_timestamp(id),
        snowflake_worker(id), snowflake_process(id), snowflake_sequence(id);
END;

COMMENT ON FUNCTION snowflake_worker(snowflake) IS 'worker of a snowflake, 0 to 31';
COMMENT ON FUNCTION snowflake_process(snowflake) IS 'process number of a snowflake, 0 to 31';
COMMENT ON FUNCTION snowflake_sequence(snowflake) IS 'sequence number of a snowflake, 0 to 4095';
COMMENT ON FUNCTION snowflake_inspect(snowflake) IS 'every part of a snowflake, its instant by the epoch 2015-01-01 UTC';

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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 ulid_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 ulid_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS ulid_gist_ops USING gist IS 'ranges of ulid, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION ulid_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        ALTER OPERATOR FAMILY ulid_ops USING btree ADD FUNCTION 6 (ulid, ulid) ulid_skipsupport(internal);
        ALTER OPERATOR FAMILY ulid_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the IDs of an instant

CREATE FUNCTION ulid_timestamp(ulid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_min(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_max(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (ulid AS timestamptz) WITH FUNCTION ulid_timestamp(ulid);

COMMENT ON FUNCTION ulid_timestamp(ulid) IS 'instant of a ulid: the start of its millisecond';
COMMENT ON FUNCTION ulid_min(timestamptz) IS 'least ulid of the millisecond that holds the instant; outside 1970-10889 the least or greatest of all';
COMMENT ON FUNCTION ulid_max(timestamptz) IS 'greatest ulid of the millisecond that holds the instant; outside 1970-10889 the least or greatest of all';
COMMENT ON CAST (ulid AS timestamptz) IS 'instant of a ulid: the start of its millisecond';

-- comparison with instants

CREATE FUNCTION ulid_lt_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_le_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION ulid_ge_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_gt_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION ulid_cmp_timestamptz(ulid, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_cmp_le_timestamptz(ulid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_lt_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION timestamptz_le_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_ge_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION timestamptz_gt_ulid(timestamptz, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_cmp_ulid(timestamptz, ulid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_contained_by_tstzrange(ulid, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION tstzrange_contains_ulid(flakeid_period, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION ulid_within(id ulid, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_multirange_support;
CREATE FUNCTION ulid_in_range(ulid, ulid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_lt_timestamptz(ulid, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION ulid_le_timestamptz(ulid, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION ulid_gt_timestamptz(ulid, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION ulid_cmp_timestamptz(ulid, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION ulid_cmp_le_timestamptz(ulid, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION timestamptz_lt_ulid(timestamptz, ulid) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_ulid(timestamptz, ulid) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_ulid(timestamptz, ulid) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_ulid(timestamptz, ulid) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_cmp_ulid(timestamptz, ulid) IS 'less-greater';
COMMENT ON FUNCTION ulid_contained_by_tstzrange(ulid, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_ulid(flakeid_period, ulid) IS 'implementation of @> operator';
COMMENT ON FUNCTION ulid_within(ulid, tstzmultirange) IS 'is the instant of the ulid in one of the periods?';
COMMENT ON FUNCTION ulid_in_range(ulid, ulid, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_lt_ulid,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_le_ulid,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_ge_ulid,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_gt_ulid,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_cmp_le_timestamptz,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR <@ (
    LEFTARG = ulid, RIGHTARG = flakeid_period, FUNCTION = ulid_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = ulid, FUNCTION = tstzrange_contains_ulid,
    COMMUTATOR = <@,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
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

-- In the family's order an instant stands before every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY ulid_ops USING btree ADD
    OPERATOR 1 < (ulid, timestamptz),
    OPERATOR 2 |<= (ulid, timestamptz),
    OPERATOR 4 >= (ulid, timestamptz),
    FUNCTION 1 (ulid, timestamptz) ulid_cmp_timestamptz(ulid, timestamptz),
    OPERATOR 2 <= (timestamptz, ulid),
    OPERATOR 5 > (timestamptz, ulid),
    FUNCTION 1 (timestamptz, ulid) timestamptz_cmp_ulid(timestamptz, ulid),
    OPERATOR 1 |< (timestamptz, timestamptz),
    OPERATOR 2 |<= (timestamptz, timestamptz),
    OPERATOR 4 |>= (timestamptz, timestamptz),
    OPERATOR 5 |> (timestamptz, timestamptz),
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
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
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
    SELECT id::text, id::bytea, ulid_timestamp(id),
        ulid_random(id);
END;

COMMENT ON FUNCTION ulid_random(ulid) IS 'the 10 bytes behind the time of a ulid';
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
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
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
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = ksuid, RIGHTARG = ksuid, FUNCTION = ksuid_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
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
    FUNCTION 2 flakeid_gist_union(internal, internal),
    FUNCTION 3 ksuid_gist_compress(internal),
    FUNCTION 5 flakeid_gist_penalty(internal, internal, internal),
    FUNCTION 6 flakeid_gist_picksplit(internal, internal),
    FUNCTION 7 flakeid_gist_same(bytea, bytea, internal),
    FUNCTION 9 ksuid_gist_fetch(internal),
    FUNCTION 11 flakeid_gist_sortsupport(internal),
    STORAGE bytea;

COMMENT ON OPERATOR CLASS ksuid_gist_ops USING gist IS 'ranges of ksuid, to be indexed beside tstzrange and the like';

-- skip scans, and keys WITHOUT OVERLAPS, which PostgreSQL has from 18 on

CREATE FUNCTION ksuid_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        ALTER OPERATOR FAMILY ksuid_ops USING btree ADD FUNCTION 6 (ksuid, ksuid) ksuid_skipsupport(internal);
        ALTER OPERATOR FAMILY ksuid_gist_ops USING gist ADD FUNCTION 12 ("any", "any") gist_translate_cmptype_common(int);
    END IF;
END
$$;


-- the instant of an ID, and the IDs of an instant

CREATE FUNCTION ksuid_timestamp(ksuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_min(timestamptz) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_max(timestamptz) RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (ksuid AS timestamptz) WITH FUNCTION ksuid_timestamp(ksuid);

COMMENT ON FUNCTION ksuid_timestamp(ksuid) IS 'instant of a ksuid: the start of its second';
COMMENT ON FUNCTION ksuid_min(timestamptz) IS 'least ksuid of the second that holds the instant; outside 2014-2150 the least or greatest of all';
COMMENT ON FUNCTION ksuid_max(timestamptz) IS 'greatest ksuid of the second that holds the instant; outside 2014-2150 the least or greatest of all';
COMMENT ON CAST (ksuid AS timestamptz) IS 'instant of a ksuid: the start of its second';

-- comparison with instants

CREATE FUNCTION ksuid_lt_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_le_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION ksuid_ge_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_gt_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION ksuid_cmp_timestamptz(ksuid, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_cmp_le_timestamptz(ksuid, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_lt_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_after_support;
CREATE FUNCTION timestamptz_le_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_ge_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_not_after_support;
CREATE FUNCTION timestamptz_gt_ksuid(timestamptz, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION timestamptz_cmp_ksuid(timestamptz, ksuid) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ksuid_contained_by_tstzrange(ksuid, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION tstzrange_contains_ksuid(flakeid_period, ksuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_within_support;
CREATE FUNCTION ksuid_within(id ksuid, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_multirange_support;
CREATE FUNCTION ksuid_in_range(ksuid, ksuid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ksuid_lt_timestamptz(ksuid, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION ksuid_le_timestamptz(ksuid, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION ksuid_ge_timestamptz(ksuid, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION ksuid_gt_timestamptz(ksuid, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION ksuid_cmp_timestamptz(ksuid, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION ksuid_cmp_le_timestamptz(ksuid, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION timestamptz_lt_ksuid(timestamptz, ksuid) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_ksuid(timestamptz, ksuid) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_ksuid(timestamptz, ksuid) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_ksuid(timestamptz, ksuid) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_cmp_ksuid(timestamptz, ksuid) IS 'less-greater';
COMMENT ON FUNCTION ksuid_contained_by_tstzrange(ksuid, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_ksuid(flakeid_period, ksuid) IS 'implementation of @> operator';
COMMENT ON FUNCTION ksuid_within(ksuid, tstzmultirange) IS 'is the instant of the ksuid in one of the periods?';
COMMENT ON FUNCTION ksuid_in_range(ksuid, ksuid, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR < (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = timestamptz_lt_ksuid,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = flakeid_ltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = timestamptz_le_ksuid,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = timestamptz_ge_ksuid,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = flakeid_gesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = ksuid, FUNCTION = timestamptz_gt_ksuid,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = flakeid_gtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR |<= (
    LEFTARG = ksuid, RIGHTARG = timestamptz, FUNCTION = ksuid_cmp_le_timestamptz,
    RESTRICT = flakeid_lesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR <@ (
    LEFTARG = ksuid, RIGHTARG = flakeid_period, FUNCTION = ksuid_contained_by_tstzrange,
    COMMUTATOR = @>,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR @> (
    LEFTARG = flakeid_period, RIGHTARG = ksuid, FUNCTION = tstzrange_contains_ksuid,
    COMMUTATOR = <@,
    RESTRICT = flakeid_withinsel, JOIN = contjoinsel
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

-- In the family's order an instant stands before every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/support.c.
ALTER OPERATOR FAMILY ksuid_ops USING btree ADD
    OPERATOR 1 < (ksuid, timestamptz),
    OPERATOR 2 |<= (ksuid, timestamptz),
    OPERATOR 4 >= (ksuid, timestamptz),
    FUNCTION 1 (ksuid, timestamptz) ksuid_cmp_timestamptz(ksuid, timestamptz),
    OPERATOR 2 <= (timestamptz, ksuid),
    OPERATOR 5 > (timestamptz, ksuid),
    FUNCTION 1 (timestamptz, ksuid) timestamptz_cmp_ksuid(timestamptz, ksuid),
    OPERATOR 1 |< (timestamptz, timestamptz),
    OPERATOR 2 |<= (timestamptz, timestamptz),
    OPERATOR 4 |>= (timestamptz, timestamptz),
    OPERATOR 5 |> (timestamptz, timestamptz),
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

-- ksuid: what only this type has
--
--     new IDs   ksuid_new, ksuid_new_at, ksuid_make
--     parts     ksuid_payload, ksuid_inspect

COMMENT ON TYPE ksuid IS 'sortable ID of 20 bytes after segmentio/ksuid: 1 s time, 128 bits, random or counted; text of 27 characters [0-9A-Za-z]';
COMMENT ON OPERATOR CLASS ksuid_ops USING btree IS 'order of time, then of the bytes that follow';

-- new IDs

CREATE FUNCTION ksuid_new() RETURNS ksuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
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
    SELECT id::text, id::bytea, ksuid_timestamp(id), ksuid_payload(id);
END;

COMMENT ON FUNCTION ksuid_payload(ksuid) IS 'the 16 bytes behind the time of a ksuid';
COMMENT ON FUNCTION ksuid_inspect(ksuid) IS 'every part of a ksuid';

/* ---------- uuid v7 ---------- */

CREATE FUNCTION uuid7_new() RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION uuid7_new_at(at timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION uuid7_new() IS 'new uuid of version 7: the millisecond, a counter of 18 bits and 56 random bits; on a standby 74 random bits';
COMMENT ON FUNCTION uuid7_new_at(timestamptz) IS 'uuid of version 7 for an instant, to backfill: its millisecond, a counter of this session and 56 random bits';

/* ---------- time on the IDs that people have ---------- */

-- A condition on one of the functions below, such as uuid7_timestamp(id) >= t, becomes
-- a condition on the column: see src/instant.c.  The domain flakeid_instant, in head.sql, tells
-- these conditions from those on any other timestamptz.

CREATE FUNCTION flakeid_instant_lt_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_instant_le_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_instant_ge_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_instant_gt_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_instant_within_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flakeid_instant_lt_support(internal) IS 'planner support for flakeid_instant < instant';
COMMENT ON FUNCTION flakeid_instant_le_support(internal) IS 'planner support for flakeid_instant <= instant';
COMMENT ON FUNCTION flakeid_instant_ge_support(internal) IS 'planner support for flakeid_instant >= instant';
COMMENT ON FUNCTION flakeid_instant_gt_support(internal) IS 'planner support for flakeid_instant > instant';
COMMENT ON FUNCTION flakeid_instant_within_support(internal) IS 'planner support for flakeid_within';

-- what the planner puts in their place

CREATE FUNCTION flakeid_date_instant(date) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_timestamp_instant(timestamp) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_range_first(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flakeid_range_last(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flakeid_date_instant(date) IS 'midnight of a date in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION flakeid_timestamp_instant(timestamp) IS 'instant of a timestamp in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION flakeid_range_first(tstzrange) IS 'first instant in a range, -infinity included; infinity if it is empty';
COMMENT ON FUNCTION flakeid_range_last(tstzrange) IS 'last instant in a range, infinity included; -infinity if it is empty';

-- comparison: core's functions, which the planner asks flakeid about

CREATE FUNCTION flakeid_instant_lt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_lt_support;
CREATE FUNCTION flakeid_instant_le(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_le_support;
CREATE FUNCTION flakeid_instant_ge(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_ge_support;
CREATE FUNCTION flakeid_instant_gt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_gt_support;
CREATE FUNCTION flakeid_instant_lt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_lt_support;
CREATE FUNCTION flakeid_instant_le(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_le_support;
CREATE FUNCTION flakeid_instant_ge(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_ge_support;
CREATE FUNCTION flakeid_instant_gt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_gt_support;
CREATE FUNCTION flakeid_instant_lt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_lt_support;
CREATE FUNCTION flakeid_instant_le(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_le_support;
CREATE FUNCTION flakeid_instant_ge(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_ge_support;
CREATE FUNCTION flakeid_instant_gt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_gt_support;
CREATE FUNCTION flakeid_instant_lt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_lt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_lt_support;
CREATE FUNCTION flakeid_instant_le(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_le_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_le_support;
CREATE FUNCTION flakeid_instant_ge(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_ge_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_ge_support;
CREATE FUNCTION flakeid_instant_gt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_gt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_gt_support;
CREATE FUNCTION flakeid_instant_lt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_lt_support;
CREATE FUNCTION flakeid_instant_le(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_le_support;
CREATE FUNCTION flakeid_instant_ge(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_ge_support;
CREATE FUNCTION flakeid_instant_gt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_gt_support;
CREATE FUNCTION flakeid_instant_lt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_lt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_lt_support;
CREATE FUNCTION flakeid_instant_le(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_le_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_le_support;
CREATE FUNCTION flakeid_instant_ge(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_ge_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_ge_support;
CREATE FUNCTION flakeid_instant_gt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_gt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_gt_support;
CREATE FUNCTION flakeid_instant_lt(date, flakeid_instant) RETURNS boolean
    AS 'date_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_lt_support;
CREATE FUNCTION flakeid_instant_le(date, flakeid_instant) RETURNS boolean
    AS 'date_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_le_support;
CREATE FUNCTION flakeid_instant_ge(date, flakeid_instant) RETURNS boolean
    AS 'date_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_ge_support;
CREATE FUNCTION flakeid_instant_gt(date, flakeid_instant) RETURNS boolean
    AS 'date_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT flakeid_instant_gt_support;

COMMENT ON FUNCTION flakeid_instant_lt(flakeid_instant, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION flakeid_instant_le(flakeid_instant, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION flakeid_instant_ge(flakeid_instant, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION flakeid_instant_gt(flakeid_instant, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION flakeid_instant_lt(flakeid_instant, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION flakeid_instant_le(flakeid_instant, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION flakeid_instant_ge(flakeid_instant, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION flakeid_instant_gt(flakeid_instant, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION flakeid_instant_lt(timestamptz, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION flakeid_instant_le(timestamptz, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION flakeid_instant_ge(timestamptz, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION flakeid_instant_gt(timestamptz, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION flakeid_instant_lt(flakeid_instant, timestamp) IS 'implementation of < operator';
COMMENT ON FUNCTION flakeid_instant_le(flakeid_instant, timestamp) IS 'implementation of <= operator';
COMMENT ON FUNCTION flakeid_instant_ge(flakeid_instant, timestamp) IS 'implementation of >= operator';
COMMENT ON FUNCTION flakeid_instant_gt(flakeid_instant, timestamp) IS 'implementation of > operator';
COMMENT ON FUNCTION flakeid_instant_lt(timestamp, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION flakeid_instant_le(timestamp, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION flakeid_instant_ge(timestamp, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION flakeid_instant_gt(timestamp, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION flakeid_instant_lt(flakeid_instant, date) IS 'implementation of < operator';
COMMENT ON FUNCTION flakeid_instant_le(flakeid_instant, date) IS 'implementation of <= operator';
COMMENT ON FUNCTION flakeid_instant_ge(flakeid_instant, date) IS 'implementation of >= operator';
COMMENT ON FUNCTION flakeid_instant_gt(flakeid_instant, date) IS 'implementation of > operator';
COMMENT ON FUNCTION flakeid_instant_lt(date, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION flakeid_instant_le(date, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION flakeid_instant_ge(date, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION flakeid_instant_gt(date, flakeid_instant) IS 'implementation of > operator';

CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = flakeid_instant_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR < (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR >= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = flakeid_instant_gt,
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

-- ranges: by functions, because operators would change what core's mean beside a literal

CREATE FUNCTION flakeid_within(flakeid_instant, tstzrange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzrange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_within_support;
CREATE FUNCTION flakeid_within(flakeid_instant, tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzmultirange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT flakeid_instant_within_support;

COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzrange) IS 'is the instant in the range?';
COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzmultirange) IS 'is the instant in one of the ranges?';

-- version 7 UUIDs

CREATE FUNCTION uuid7_timestamp(uuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uuid7_min(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uuid7_max(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uuid7_from(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uuid7_upto(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION is_uuid7_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION is_uuid7(uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT is_uuid7_support;

COMMENT ON FUNCTION uuid7_timestamp(uuid) IS 'instant of a version 7 UUID: the start of its millisecond; NULL for any other UUID';
COMMENT ON FUNCTION uuid7_min(timestamptz) IS 'least version 7 UUID of the millisecond that holds the instant; outside 1970-10889 the least or greatest of all';
COMMENT ON FUNCTION uuid7_max(timestamptz) IS 'greatest version 7 UUID of the millisecond that holds the instant; outside 1970-10889 the least or greatest of all';
COMMENT ON FUNCTION uuid7_from(timestamptz) IS 'where the UUIDs begin whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION uuid7_upto(timestamptz) IS 'where the UUIDs end whose instant is at or before this one';
COMMENT ON FUNCTION is_uuid7_support(internal) IS 'planner support for is_uuid7';
COMMENT ON FUNCTION is_uuid7(uuid) IS 'true for a version 7 UUID, NULL for any other';

-- ULIDs, as they are stored

CREATE FUNCTION ulid_timestamp(text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_timestamp(uuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_timestamp(bytea) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_text_from(timestamptz) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_text_upto(timestamptz) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid_from(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid_upto(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_bytea_from(timestamptz) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_bytea_upto(timestamptz) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ulid_timestamp(text) IS 'instant of a ULID in its 26 upper-case letters: the start of its millisecond';
COMMENT ON FUNCTION ulid_timestamp(uuid) IS 'instant of a ULID stored as uuid: the start of its millisecond; the infinities for the nil and the max UUID';
COMMENT ON FUNCTION ulid_timestamp(bytea) IS 'instant of a ULID stored as 16 bytes: the start of its millisecond';
COMMENT ON FUNCTION ulid_text_from(timestamptz) IS 'where the ULIDs as text begin whose instant is at or after this one';
COMMENT ON FUNCTION ulid_text_upto(timestamptz) IS 'where the ULIDs as text end whose instant is at or before this one';
COMMENT ON FUNCTION ulid_uuid_from(timestamptz) IS 'where the ULIDs as uuid begin whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION ulid_uuid_upto(timestamptz) IS 'where the ULIDs as uuid end whose instant is at or before this one';
COMMENT ON FUNCTION ulid_bytea_from(timestamptz) IS 'where the ULIDs as bytea begin whose instant is at or after this one';
COMMENT ON FUNCTION ulid_bytea_upto(timestamptz) IS 'where the ULIDs as bytea end whose instant is at or before this one';

-- bigints of a named layout

CREATE FUNCTION layout_timestamp(id bigint, layout text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_min(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_max(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_from(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_upto(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION layout_timestamp(bigint, text) IS 'instant of an ID of a layout in flakeid_layouts: the start of its unit of time; the infinities for the least and the greatest bigint';
COMMENT ON FUNCTION layout_min(timestamptz, text) IS 'least ID of the unit of time that holds the instant; outside the layout''s span the least or greatest of all';
COMMENT ON FUNCTION layout_max(timestamptz, text) IS 'greatest ID of the unit of time that holds the instant; outside the layout''s span the least or greatest of all';
COMMENT ON FUNCTION layout_from(timestamptz, text) IS 'where the IDs begin whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION layout_upto(timestamptz, text) IS 'where the IDs end whose instant is at or before this one';

CREATE FUNCTION flakeid_show_layouts(
    OUT name text, OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT low_bits int, OUT low_parts text
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 7;
CREATE VIEW flakeid_layouts AS SELECT * FROM flakeid_show_layouts();
GRANT SELECT ON flakeid_layouts TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_layouts() IS 'rows of the view flakeid_layouts';
COMMENT ON VIEW flakeid_layouts IS 'layouts of bigint IDs that layout_timestamp knows';
COMMENT ON COLUMN flakeid_layouts.name IS 'what the functions call the layout';
COMMENT ON COLUMN flakeid_layouts.epoch IS 'instant of the ID 0';
COMMENT ON COLUMN flakeid_layouts.last_timestamp IS 'last instant of the last ID';
COMMENT ON COLUMN flakeid_layouts.resolution IS 'the unit of time that the ID counts';
COMMENT ON COLUMN flakeid_layouts.timestamp_bits IS 'bits of the time, above the others and below the sign';
COMMENT ON COLUMN flakeid_layouts.low_bits IS 'bits below the time';
COMMENT ON COLUMN flakeid_layouts.low_parts IS 'what the bits below the time are, from the highest';

/* ---------- what is wrong ---------- */

CREATE FUNCTION flakeid_clock_synchronised() RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

CREATE FUNCTION flakeid_place() RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_place() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_place() TO pg_database_owner;

-- Each finding with the statements, for psql, that mend it.
CREATE FUNCTION flakeid_doctor(
    OUT severity text, OUT subject text, OUT finding text, OUT mend text
) RETURNS SETOF record
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    SET lock_timeout = '2s'    -- do not wait long for tables: people ask when something is wrong
AS $$
DECLARE
    home text;           -- the extension's schema
    sql_version text;
    version text;        -- of the library
    synchronised boolean;
    here bigint;         -- where this server is
    readable boolean := true;
    clock record;
    max_ahead interval;
    findings int := 0;
    others text;
    renumber text;       -- gives this database another node
    at record;
    instant text;        -- of an ID, as an expression
    upper_at timestamptz;
    step interval;
    filled boolean;
    rows bigint;
BEGIN
    SELECT extnamespace::regnamespace, extversion INTO home, sql_version FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT v.library, %1$s.flakeid_clock_synchronised(), %1$s.flakeid_place() FROM %1$s.flakeid_version() AS v', home)
        INTO version, synchronised, here;
    -- The view reports an error if the mark is damaged, or if another version made the memory.
    BEGIN
        EXECUTE format('SELECT * FROM %s.flakeid_clock', home) INTO clock;
    EXCEPTION WHEN object_not_in_prerequisite_state THEN
        GET STACKED DIAGNOSTICS others = PG_EXCEPTION_DETAIL;
        severity := 'error'; subject := 'flakeid';
        finding := format('The generators and flakeid_clock report: %s. %s', SQLERRM, others);
        mend := NULL;
        findings := findings + 1; RETURN NEXT;
        readable := false;
        SELECT clock_timestamp() AS clock, NULL::timestamptz AS high_water, NULL::timestamptz AS mark, NULL::interval AS ahead_by,
            NULL::int AS node, NULL::text AS node_source, NULL::text AS setting_fault, NULL::text AS memory,
            0::bigint AS twins, NULL::text AS last_twin, NULL::text AS last_twin_table, NULL::text AS last_twin_id INTO clock;
    END;
    max_ahead := current_setting('flakeid.max_ahead')::interval;

    -- A list of databases is not for ALTER SYSTEM, which would replace all of it.
    renumber := CASE WHEN current_setting('flakeid.node') ~ '=' THEN 'SELECT pg_reload_conf()'
        ELSE format('ALTER SYSTEM SET flakeid.node = %s; SELECT pg_reload_conf()', CASE WHEN clock.node_source = 'flakeid.node' THEN (clock.node + 1) % 32 ELSE 1 END) END;

    -- the library
    IF version <> sql_version THEN
        severity := 'error'; subject := 'version';
        finding := format('The library is version %s, the extension in this database %s. If the extension is the newer one, install the library and start new sessions.', version, sql_version);
        -- If the library is the older one, there is no way to update to it, and nothing to run: new sessions load the newer.
        mend := (SELECT format('ALTER EXTENSION flakeid UPDATE TO %L', version)
            FROM pg_extension_update_paths('flakeid') WHERE source = sql_version AND target = version AND path IS NOT NULL);
        findings := findings + 1; RETURN NEXT;
    END IF;
    IF clock.memory = 'dynamic' AND current_setting('server_version_num')::int < 170000 THEN
        severity := 'notice'; subject := 'shared_preload_libraries';
        finding := 'On this major of PostgreSQL it is better to reserve the memory of flakeid at server start. That takes a restart.';
        -- Not every role that may call this may read the setting.
        mend := CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') THEN
            format('ALTER SYSTEM SET shared_preload_libraries = %s',
                concat_ws(', ', nullif(current_setting('shared_preload_libraries'), ''), 'flakeid')) END;
        findings := findings + 1; RETURN NEXT;
    END IF;

    -- who this database is
    IF clock.setting_fault IS NOT NULL THEN
        severity := 'error'; subject := 'settings';
        finding := format('There is a fault in the settings: %s. Correct postgresql.conf first.', rtrim(clock.setting_fault, '.'));
        mend := 'SELECT pg_reload_conf()';
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- If the library is preloaded, the server refuses a bad value, and sessions do not hear of that.
    IF clock.setting_fault IS NULL AND has_function_privilege('pg_show_all_file_settings()', 'EXECUTE') THEN
        FOR at IN SELECT f.name, f.setting, f.sourcefile, f.sourceline FROM pg_show_all_file_settings() AS f
            WHERE f.name LIKE 'flakeid.%' AND f.error IS NOT NULL LOOP
            severity := 'error'; subject := 'settings';
            finding := format('The server refuses %s = ''%s'' (%s, line %s). Correct it first.', at.name, at.setting, at.sourcefile, at.sourceline);
            mend := 'SELECT pg_reload_conf()';
            findings := findings + 1; RETURN NEXT;
        END LOOP;
    END IF;
    SELECT string_agg(what, ', ') INTO others FROM (
        SELECT 'replicas connected: ' || count(*) AS what, count(*) AS n FROM pg_stat_replication
        UNION ALL SELECT 'replication slots: ' || count(*), count(*) FROM pg_replication_slots
        UNION ALL SELECT 'publications: ' || count(*), count(*) FROM pg_publication
        UNION ALL SELECT 'subscriptions: ' || count(*), count(*) FROM pg_subscription
            WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS v WHERE n > 0;
    IF clock.node_source IS DISTINCT FROM 'flakeid.node' AND clock.node IS NOT NULL AND others IS NOT NULL THEN
        severity := 'warning'; subject := 'flakeid.node';
        finding := format('The node is derived from the system identifier, which replicas and copies of this server share, and there are %s. Set a number that no other server has.', others);
        mend := renumber;
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- The upper half of the place is the system identifier, the lower the machine and data directory.
    IF clock.node_source IS DISTINCT FROM 'flakeid.node' AND clock.node IS NOT NULL AND NOT pg_is_in_recovery()
        AND EXISTS (SELECT FROM _flakeid.mark AS m WHERE m.place # here BETWEEN 1 AND 4294967295) THEN
        severity := 'warning'; subject := 'flakeid.node';
        finding := format('This server was moved or cloned: its machine or data directory is another one. The node is derived from the system identifier, which the original shares. '
            'If that is gone, SELECT %s.flakeid_accept_place(). Otherwise set a number that no other server has.', home);
        mend := renumber;
        findings := findings + 1; RETURN NEXT;
    END IF;

    -- who else has its number
    IF clock.twins > 0 THEN
        -- not an error: anybody who may write to the table may have made such IDs by hand
        severity := 'warning'; subject := 'flakeid.node';
        finding := format('In watched tables %s IDs have arrived that have this database''s number, although it has not issued them: the last one, %s, at %s in table %s. '
            'Another server has the same number, if nobody who may write there has made them by hand: look at them first. Then set a number that no other server has; then count anew.',
            clock.twins, clock.last_twin_id, clock.last_twin, coalesce(clock.last_twin_table, 'that is gone'));
        mend := format('%s; SELECT %s.flakeid_stats_reset()', renumber, home);
        findings := findings + 1; RETURN NEXT;
    END IF;
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        BEGIN
            FOR at IN EXECUTE format('SELECT result AS node, string_agg(nodeid::text, '', '' ORDER BY nodeid) AS nodes,
                    (SELECT groupid FROM pg_dist_local_group) AS own
                FROM run_command_on_all_nodes(''SELECT node FROM %s.flakeid_clock'') WHERE success GROUP BY result HAVING count(*) > 1', home) LOOP
                severity := 'error'; subject := 'flakeid.node';
                finding := format('Nodes %s of Citus all have number %s. Set a number of its own on each of them, such as its group in pg_dist_node; here:', at.nodes, at.node);
                mend := format('ALTER SYSTEM SET flakeid.node = %s; SELECT pg_reload_conf()', at.own);
                findings := findings + 1; RETURN NEXT;
            END LOOP;
        EXCEPTION WHEN OTHERS THEN
            severity := 'notice'; subject := 'flakeid.node'; mend := NULL;
            finding := format('The nodes of Citus could not be asked for their numbers: %s.', SQLERRM);
            findings := findings + 1; RETURN NEXT;
        END;
    END IF;

    -- the mark
    subject := '_flakeid.mark';
    IF (SELECT count(*) FROM _flakeid.mark) > 3 THEN
        severity := 'warning';
        finding := format('The table has %s rows instead of 3, as after a restore with --disable-triggers.', (SELECT count(*) FROM _flakeid.mark));
        mend := format('SELECT %s.flakeid_advance(now())', home);
        findings := findings + 1; RETURN NEXT;
    END IF;
    FOR at IN SELECT t.tgname FROM pg_trigger AS t
        WHERE t.tgrelid = '_flakeid.mark'::regclass AND t.tgname LIKE 'mark\_%' AND t.tgenabled <> 'A' ORDER BY t.tgname LOOP
        severity := 'warning';
        finding := format('Trigger %s, which keeps the mark from being lowered, does not always fire.', at.tgname);
        mend := format('ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER %I', at.tgname);
        findings := findings + 1; RETURN NEXT;
    END LOOP;
    FOR at IN SELECT i.indexrelid::regclass AS name FROM pg_index AS i WHERE i.indrelid = '_flakeid.mark'::regclass LOOP
        severity := 'error';
        finding := 'The table has an index. The generators refuse to write the table until the index is dropped.';
        mend := format('DROP INDEX %s', at.name);
        findings := findings + 1; RETURN NEXT;
    END LOOP;
    IF (SELECT c.relpersistence <> 'p' FROM pg_class AS c WHERE c.oid = '_flakeid.mark'::regclass) THEN
        severity := 'error';
        finding := 'The table is not permanent: a crash would empty it.';
        mend := 'ALTER TABLE _flakeid.mark SET LOGGED';
        findings := findings + 1; RETURN NEXT;
    END IF;
    -- After the findings above, whose faults keep flakeid_advance() from writing the table.
    -- VACUUM first: the library reads a deleted row until then, and of two rows of a kind it
    -- keeps the first.  The other rows tell which IDs were retired, and whose numbers they are.
    IF (SELECT count(DISTINCT m.kind) FROM _flakeid.mark AS m WHERE m.kind BETWEEN 0 AND 2) < 3 THEN
        severity := 'error';
        finding := 'The table lacks a row, so that nothing tells which IDs were issued. What follows puts it back, with an instant after the clock and after the marks that are left. '
            'If the clock has been set back since the last ID was made, write an instant after that ID for now(), both times.';
        mend := format('VACUUM _flakeid.mark; BEGIN; ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert; '
            'INSERT INTO _flakeid.mark SELECT n, greatest(now() + interval ''3 s'', (SELECT max(mark) FROM _flakeid.mark)), ''-infinity'', ''-infinity'', '
            'retired_from, retired_to, sno_partition, siq_shard, snowflake_worker, uid_node, place '
            'FROM generate_series(0, 2) AS n CROSS JOIN (TABLE _flakeid.mark UNION ALL SELECT 3, ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', ''-infinity'', -1, -1, -1, -1, 0 '
            'ORDER BY retired_to DESC, kind LIMIT 1) AS m WHERE n NOT IN (SELECT kind FROM _flakeid.mark); '
            'ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert; COMMIT; SELECT %s.flakeid_advance(now())', home);
        findings := findings + 1; RETURN NEXT;
    END IF;
    FOR at IN SELECT min(m.retired_from) AS since, max(m.retired_to) AS until FROM _flakeid.mark AS m
        WHERE m.retired_to > clock.clock HAVING count(*) > 0 LOOP
        severity := 'notice'; subject := 'retired interval';
        finding := format('IDs from %s to %s were made while the clock was wrong. When the clock gets there, generators wait until it is past them. ', at.since, at.until);
        -- Force gives up what keeps them from coming again: nothing for a time that may be years away.
        IF at.since <= clock.clock THEN
            finding := finding || 'It is there now: wait, or force, after which they may come again.';
            mend := format('SELECT %s.flakeid_clock_reset(now(), force => true)', home);
        ELSE
            finding := finding || 'Until then nothing is to be done.';
            mend := NULL;
        END IF;
        findings := findings + 1; RETURN NEXT;
    END LOOP;

    -- the clock
    subject := 'clock';
    IF greatest(clock.mark - interval '2 s', clock.high_water) - clock.clock > max_ahead THEN
        severity := 'error';
        finding := format('The clock reads %s, but IDs count as issued up to %s, which is more than flakeid.max_ahead later: generators refuse. If the clock is right now, reset; otherwise correct it.',
            clock.clock, greatest(clock.mark, clock.high_water));
        mend := format('SELECT %s.flakeid_clock_reset(now())', home);
        findings := findings + 1; RETURN NEXT;
    ELSIF clock.ahead_by > max_ahead / 2 THEN
        severity := 'warning';
        finding := format('IDs are %s ahead of the clock, and flakeid.max_ahead is %s: correct the clock, or wait.', clock.ahead_by, max_ahead);
        mend := format('SELECT pg_sleep_for(%L)', clock.ahead_by);
        findings := findings + 1; RETURN NEXT;
    END IF;
    IF NOT synchronised THEN
        severity := 'notice';
        finding := 'The kernel says that its clock is not synchronised: no NTP daemon runs, or it has not succeeded yet. Nothing in SQL mends that.';
        mend := NULL;
        findings := findings + 1; RETURN NEXT;
    END IF;

    -- generators
    FOR at IN EXECUTE format('SELECT type, number, overflows, last_overflow, used, capacity, sequence_min, sequence_max,
            1::bigint << (SELECT f.sequence_bits FROM %1$s.flakeid_formats AS f WHERE f.name = g.type) AS pool,
            tick > clock_timestamp() - interval ''1 hour'' AS recent
        FROM %1$s.flakeid_generators AS g WHERE %2$L', home, readable) LOOP
        subject := format('generator %s %s', at.type, at.number);
        IF at.last_overflow > clock_timestamp() - interval '1 hour' THEN
            severity := 'warning';
            finding := format('Calls that found a tick used up: %s, the last one at %s. Spread IDs over partitions, or give this database a wider range; then count anew.', at.overflows, at.last_overflow);
            mend := format('SELECT %s.flakeid_stats_reset()', home);
            findings := findings + 1; RETURN NEXT;
        ELSIF at.recent AND at.used > 0.8 * at.capacity THEN
            severity := 'notice';
            finding := format('%s of the %s numbers of its last tick are leased: it is near its pool. ', at.used, at.capacity);
            IF at.capacity < at.pool THEN
                finding := finding || format('The pool is %s to %s; if no other server or database has the rest, widen it.', at.sequence_min, at.sequence_max);
                mend := format('ALTER SYSTEM SET flakeid.%s_sequence = %L; SELECT pg_reload_conf()', at.type, format('0-%s', at.pool - 1));
            ELSE
                finding := finding || 'If that is so most of the time, spread IDs over partitions or databases.';
                mend := NULL;
            END IF;
            findings := findings + 1; RETURN NEXT;
        END IF;
    END LOOP;

    -- Tables partitioned by an ID of our types that sorts by time, or kept by flakeid_keep().
    -- An error with one table does not keep the others from being looked at.
    FOR at IN EXECUTE format('SELECT c.oid::regclass AS name, nullif(p.partdefid, 0)::regclass AS rest, format(''%%s.%%I'', t.typnamespace::regnamespace, t.typname) AS type,
            t.typname, a.attname, s.last_analyze, k.name IS NOT NULL AS kept, coalesce(k.layout, '''') AS layout, k.step AS kept_step, k.start_at, k.to_create
        FROM pg_partitioned_table AS p JOIN pg_class AS c ON c.oid = p.partrelid
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
            JOIN pg_opclass AS o ON o.oid = p.partclass[0] JOIN pg_type AS t ON t.oid = o.opcintype
            LEFT JOIN pg_stat_user_tables AS s ON s.relid = c.oid
            LEFT JOIN %1$s.flakeid_kept AS k ON k.schema = c.relnamespace::regnamespace::name AND k.name = c.relname AND k.fault IS NULL
        WHERE p.partstrat = ''r'' AND p.partnatts = 1 AND t.typname <> ''uid96''
            AND (k.name IS NOT NULL OR t.typnamespace = ''%1$s''::regnamespace AND t.typname IN (SELECT f.name FROM %1$s.flakeid_formats AS f))
        ORDER BY c.oid::regclass::text', home) LOOP
        subject := format('table %s', at.name);
        instant := CASE at.layout WHEN '' THEN format('%s.%I(%%s)', home, at.typname || '_timestamp')
            WHEN 'uuid7' THEN home || '.ulid_timestamp(%s)'    -- the same bits, and bounds are of no version
            WHEN 'ulid' THEN home || '.ulid_timestamp(%s)'
            ELSE format('%s.layout_timestamp(%%s, %L)', home, at.layout) END;
        BEGIN
            -- the last partition's end and span, from its bounds
            EXECUTE format('SELECT ends, CASE WHEN isfinite(begins) AND isfinite(ends) THEN ends - begins END
                FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
                    CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, c.oid), %L) AS bound
                    CROSS JOIN LATERAL (SELECT (%s)::timestamptz AS begins, (%s)::timestamptz AS ends) AS span
                WHERE i.inhparent = $1 AND bound IS NOT NULL ORDER BY ends DESC LIMIT 1',
                '^FOR VALUES FROM \(''([^'']+)''\) TO \(''([^'']+)''\)$', format(instant, 'bound[1]::' || at.type), format(instant, 'bound[2]::' || at.type))
                INTO upper_at, step USING at.name;
            -- the difference of two instants knows no months
            IF upper_at = date_trunc('month', upper_at, 'UTC') AND step BETWEEN '28 days' AND '31 days' THEN
                step := '1 month';
            END IF;
            step := coalesce(at.kept_step, step, '1 month');
            IF at.rest IS NOT NULL THEN
                EXECUTE format('SELECT EXISTS (SELECT FROM %s)', at.rest) INTO filled;
                IF filled THEN
                    severity := 'warning';
                    finding := format('Default partition %s has rows, for whose time no partition can be created as long as they are there. Move them:', at.rest);
                    mend := format('BEGIN; CREATE TEMP TABLE moved ON COMMIT DROP AS SELECT * FROM %1$s; TRUNCATE %1$s; '
                        'SELECT %2$s.flakeid_create_partitions(%3$L, max(n) AT TIME ZONE ''UTC'', last + interval ''1 us'', %4$L, %5$L) '
                        'FROM (SELECT min(t) AS first, max(t) AS last FROM (SELECT (%6$s)::timestamptz AS t FROM moved) AS v) AS v '
                        'CROSS JOIN generate_series(timestamp %7$L, first AT TIME ZONE ''UTC'', %4$L) AS n GROUP BY last; INSERT INTO %3$s SELECT * FROM moved; COMMIT',
                        at.rest, home, at.name, coalesce(at.kept_step, '1 month'), at.layout, format(instant, quote_ident(at.attname)),
                        coalesce(at.start_at AT TIME ZONE 'UTC', '1970-01-01'));
                    findings := findings + 1; RETURN NEXT;
                END IF;
            END IF;
            IF at.kept AND at.to_create[1] <= clock.clock + step THEN
                severity := CASE WHEN at.to_create[1] <= clock.clock THEN 'error' ELSE 'warning' END;
                finding := format('There is no partition from %s on, although flakeid_keep() was told so: flakeid_maintain() is not called often enough.', at.to_create[1]);
                mend := format('CALL %s.flakeid_maintain()', home);
                findings := findings + 1; RETURN NEXT;
            ELSIF NOT at.kept AND upper_at < clock.clock + step THEN
                severity := CASE WHEN upper_at < clock.clock THEN 'error' ELSE 'warning' END;
                finding := format('The last partition ends at %s; there is none for the time after it.', upper_at);
                mend := format('SELECT %s.flakeid_create_partitions(%L, %L, %L, %L)', home, at.name, upper_at, clock.clock + 2 * step, step);
                findings := findings + 1; RETURN NEXT;
            END IF;
            IF at.last_analyze < clock.clock - step
                OR NOT EXISTS (SELECT FROM pg_stats AS s WHERE (s.schemaname, s.tablename) = (SELECT c.relnamespace::regnamespace::text, c.relname::text FROM pg_class AS c WHERE c.oid = at.name))
                AND EXISTS (SELECT FROM pg_inherits AS i JOIN pg_stat_user_tables AS s ON s.relid = i.inhrelid WHERE i.inhparent = at.name AND s.n_live_tup > 0) THEN
                severity := 'warning';
                finding := 'The table as a whole has no statistics of its latest time: autovacuum analyzes its partitions, but not the table.';
                mend := format('ANALYZE %s', at.name);
                findings := findings + 1; RETURN NEXT;
            END IF;
        EXCEPTION WHEN OTHERS THEN
            severity := 'notice'; mend := NULL;
            finding := format('The table could not be looked at: %s.', SQLERRM);
            findings := findings + 1; RETURN NEXT;
        END;
    END LOOP;

    FOR at IN EXECUTE format('SELECT k.schema, k.name, k.fault, k.last_error FROM %s.flakeid_kept AS k WHERE k.fault IS NOT NULL OR k.last_error IS NOT NULL ORDER BY k.schema, k.name', home) LOOP
        severity := 'error'; subject := format('table %I.%I', at.schema, at.name);
        IF at.fault IS NOT NULL THEN
            finding := format('flakeid_maintain() can do nothing for it: %s. Mend that, or do not keep the table any more.', rtrim(at.fault, '.'));
            mend := format('SELECT %s.flakeid_unkeep(%L, %L)', home, at.schema, at.name);
        ELSE
            finding := format('flakeid_maintain() failed the last time: %s.', rtrim(at.last_error, '.'));
            mend := format('CALL %s.flakeid_maintain()', home);
        END IF;
        findings := findings + 1; RETURN NEXT;
    END LOOP;

    -- Rows that others have brought, watched or not: the newest of each key.
    FOR at IN EXECUTE format('SELECT DISTINCT c.oid::regclass AS name, c.oid::regclass::text AS text, a.attname, t.typname
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_am AS m ON m.oid = x.relam
            JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND m.amname = ''btree'' AND c.relkind IN (''r'', ''p'') AND NOT c.relispartition
            AND c.relpersistence <> ''t'' AND t.typnamespace = ''%1$s''::regnamespace AND t.typname IN (''sno'', ''siq'', ''snowflake'') AND %2$L
        ORDER BY text, a.attname', home, readable) LOOP
        subject := format('table %s', at.name);
        BEGIN
            EXECUTE format('SELECT max(%1$I::text), count(*) FROM (SELECT %1$I FROM %2$s WHERE %1$I IS NOT NULL ORDER BY %1$I DESC LIMIT 1000) AS newest WHERE %3$s.flakeid_of_twin(%4$L, %1$I::bytea)',
                at.attname, at.name, home, at.typname) INTO others, rows;
            IF rows > 0 THEN
                severity := 'error';
                finding := format('Of the newest IDs in column %s, %s have this database''s number, although it has not issued them, such as %s. '
                    'Another server has the same number, if nobody has made them by hand. Set a number that no other server has.', at.attname, rows, others);
                mend := renumber;
                findings := findings + 1; RETURN NEXT;
            END IF;
        EXCEPTION WHEN OTHERS THEN
            severity := 'notice'; mend := NULL;
            finding := format('The table could not be looked at: %s.', SQLERRM);
            findings := findings + 1; RETURN NEXT;
        END;
    END LOOP;
    FOR at IN EXECUTE format('SELECT t.tgrelid::regclass AS name FROM pg_trigger AS t
        WHERE t.tgfoid = ''%s.flakeid_watch_row()''::regprocedure AND t.tgenabled <> ''A'' AND t.tgparentid = 0 ORDER BY t.tgrelid::regclass::text', home) LOOP
        severity := 'warning'; subject := format('table %s', at.name);
        finding := 'The trigger of flakeid_watch() does not always fire, as after a restore with --disable-triggers: rows of a subscription are not looked at.';
        mend := format('SELECT %s.flakeid_watch(%L)', home, at.name);
        findings := findings + 1; RETURN NEXT;
    END LOOP;

    IF findings = 0 THEN
        severity := 'ok'; subject := 'flakeid'; finding := 'Nothing was found.'; mend := NULL;
        RETURN NEXT;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION flakeid_doctor() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_doctor() TO pg_database_owner;

COMMENT ON FUNCTION flakeid_clock_synchronised() IS 'whether the kernel takes its clock for synchronised; true where it cannot be asked';
COMMENT ON FUNCTION flakeid_place() IS 'where this server is: hashes of its system identifier, and of its machine and data directory';
COMMENT ON FUNCTION flakeid_doctor() IS 'what is wrong with flakeid in this database, and the statements that mend it';

/* ---------- the mark ---------- */

-- Keep users out of the schema: a role that may use it can lock the table, and so keep
-- the generators waiting.  The owner of the database must be able to dump and restore
-- the mark, and the owner of a subscription to read the table in publications FOR ALL
-- TABLES.
CREATE SCHEMA _flakeid;
GRANT USAGE ON SCHEMA _flakeid TO pg_database_owner;
DO $$
BEGIN
    IF current_setting('server_version_num')::int >= 160000 THEN
        GRANT USAGE ON SCHEMA _flakeid TO pg_create_subscription;
    END IF;
END
$$;

-- What may have been issued, by kind: 0 and 1 are the timelines of sno, 2 all other
-- generators; and, the same in each row, the numbers that the database had and the place
-- where the server was when a mark was moved last.  Only the library writes the table,
-- and it writes in place.
CREATE TABLE _flakeid.mark (
    kind bigint NOT NULL,
    mark timestamptz NOT NULL,
    jump_from timestamptz NOT NULL,
    jump_to timestamptz NOT NULL,
    retired_from timestamptz NOT NULL,
    retired_to timestamptz NOT NULL,
    sno_partition bigint NOT NULL DEFAULT -1,
    siq_shard bigint NOT NULL DEFAULT -1,
    snowflake_worker bigint NOT NULL DEFAULT -1,
    uid_node bigint NOT NULL DEFAULT -1,
    place bigint NOT NULL DEFAULT 0
) USING heap;
INSERT INTO _flakeid.mark
    SELECT kind, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity'
    FROM generate_series(0, 2) AS kind;

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

-- A dump carries the marks, and restoring it merges them.  The owner of the database,
-- who need not be a superuser, must be able to do both.  Qualify the function, or a
-- function (text, text) in the extension's schema would run with a superuser's rights.
SELECT pg_catalog.pg_extension_config_dump('_flakeid.mark', '');
REVOKE ALL ON _flakeid.mark FROM PUBLIC;
GRANT SELECT, INSERT ON _flakeid.mark TO pg_database_owner;

CREATE FUNCTION _flakeid.flakeid_mark_take_over() RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_take_over() FROM PUBLIC;

CREATE FUNCTION flakeid_advance(until timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_advance(timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_advance(timestamptz, boolean) TO pg_database_owner;
CREATE FUNCTION flakeid_clock_reset(back_to timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_clock_reset(timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_clock_reset(timestamptz, boolean) TO pg_database_owner;

CREATE FUNCTION flakeid_accept_place() RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_accept_place() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_accept_place() TO pg_database_owner;

COMMENT ON SCHEMA _flakeid IS 'what flakeid keeps for itself';
COMMENT ON TABLE _flakeid.mark IS 'instants below which IDs of this database may have been issued; written by the library only, and not to be indexed';
COMMENT ON FUNCTION _flakeid.flakeid_mark_guard() IS 'keeps the mark from being lowered';
COMMENT ON FUNCTION _flakeid.flakeid_mark_take_over() IS 'writes to a new mark what was issued in this database before';
COMMENT ON TRIGGER mark_insert ON _flakeid.mark IS 'merges a restored row into the mark';
COMMENT ON TRIGGER mark_change ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON TRIGGER mark_truncate ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON FUNCTION flakeid_advance(timestamptz, boolean) IS 'count everything before an instant as issued in this database; force if the instant is more than a day ahead';
COMMENT ON FUNCTION flakeid_accept_place() IS 'accept that this server was moved, not cloned: it goes on with the numbers it derives, and stops warning';
COMMENT ON FUNCTION flakeid_clock_reset(timestamptz, boolean) IS 'lower the marks of this database to an instant, after the clock was wrong; force if IDs may have been issued after it';

/* ---------- the whole ---------- */

CREATE FUNCTION flakeid_show_formats(
    OUT name text, OUT bytes int, OUT text_length int, OUT alphabet text, OUT pattern text,
    OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT sequence_bits int, OUT random_bits int,
    OUT generators int, OUT tick_tock boolean, OUT time_ordered boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
CREATE VIEW flakeid_formats AS SELECT * FROM flakeid_show_formats();
GRANT SELECT ON flakeid_formats TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_formats() IS 'rows of the view flakeid_formats';
COMMENT ON VIEW flakeid_formats IS 'the ID types and what they hold';
COMMENT ON COLUMN flakeid_formats.name IS 'the SQL type';
COMMENT ON COLUMN flakeid_formats.bytes IS 'bytes that an ID takes on disk';
COMMENT ON COLUMN flakeid_formats.text_length IS 'characters of an ID as text, or of the longest where they vary';
COMMENT ON COLUMN flakeid_formats.alphabet IS 'characters of the text, in the order of their values';
COMMENT ON COLUMN flakeid_formats.pattern IS 'regular expression that the canonical texts match, and no others of the type';
COMMENT ON COLUMN flakeid_formats.epoch IS 'instant of the first ID';
COMMENT ON COLUMN flakeid_formats.last_timestamp IS 'last instant that an ID can tell';
COMMENT ON COLUMN flakeid_formats.resolution IS 'the tick: the unit of time that an ID counts, to the microsecond';
COMMENT ON COLUMN flakeid_formats.timestamp_bits IS 'bits of the time';
COMMENT ON COLUMN flakeid_formats.sequence_bits IS 'bits of the sequence, of which a generator has a pool of numbers for each tick; 0: it draws from another type''s generator, or has none';
COMMENT ON COLUMN flakeid_formats.random_bits IS 'random bits of an ID';
COMMENT ON COLUMN flakeid_formats.generators IS 'how many generators can be told apart by their number: partitions, shards or workers';
COMMENT ON COLUMN flakeid_formats.tick_tock IS 'has a second timeline, on which it goes on in the past when the clock steps back';
COMMENT ON COLUMN flakeid_formats.time_ordered IS 'the order of IDs is the order of their instants';

CREATE FUNCTION flakeid_show_generators(
    OUT type text, OUT number int, OUT tick timestamptz, OUT tick_tock int,
    OUT sequence int, OUT used int, OUT capacity int, OUT sequence_min int, OUT sequence_max int,
    OUT issued bigint, OUT waiting int, OUT overflows bigint, OUT overflow_ticks bigint,
    OUT last_overflow timestamptz, OUT wait_time interval, OUT regressions bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_generators AS SELECT * FROM flakeid_show_generators();
GRANT SELECT ON flakeid_generators TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_generators() IS 'rows of the view flakeid_generators';
COMMENT ON VIEW flakeid_generators IS 'generators of this database in shared memory; number is the partition or shard, NULL sums up those that gave their slot to others';
COMMENT ON COLUMN flakeid_generators.type IS 'type that the generator serves; uid96 draws from that of uid64, uuid7_new() from that of ulid';
COMMENT ON COLUMN flakeid_generators.number IS 'partition, shard, or worker and process; NULL: all that gave their slot to others, of which only issued is kept';
COMMENT ON COLUMN flakeid_generators.tick IS 'instant of the last tick in which numbers were leased';
COMMENT ON COLUMN flakeid_generators.tick_tock IS 'timeline of that tick: 0 or 1';
COMMENT ON COLUMN flakeid_generators.sequence IS 'last number leased of that tick; NULL: none of the pool yet';
COMMENT ON COLUMN flakeid_generators.used IS 'how many numbers of the pool that tick cannot have any more: those leased, and those below one leased before the pool was set anew';
COMMENT ON COLUMN flakeid_generators.capacity IS 'numbers that this database has for a tick: the pool';
COMMENT ON COLUMN flakeid_generators.sequence_min IS 'first number of the pool';
COMMENT ON COLUMN flakeid_generators.sequence_max IS 'last number of the pool';
COMMENT ON COLUMN flakeid_generators.issued IS 'IDs issued since flakeid_clock.issued_since; those of rolled back transactions count';
COMMENT ON COLUMN flakeid_generators.waiting IS 'calls that wait at this moment for the clock';
COMMENT ON COLUMN flakeid_generators.overflows IS 'calls that found the tick used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.overflow_ticks IS 'ticks that were used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.last_overflow IS 'when a call last found the tick used up; NULL: never since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.wait_time IS 'time that all calls together have waited for the clock, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.regressions IS 'times that the clock was found behind this generator, since flakeid_clock.since';

CREATE FUNCTION flakeid_show_sessions(
    OUT pid int, OUT type text, OUT number int, OUT tick timestamptz,
    OUT lease_start int, OUT lease_next int, OUT lease_end int, OUT issued bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_sessions AS SELECT * FROM flakeid_show_sessions();
GRANT SELECT ON flakeid_sessions TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_sessions() IS 'rows of the view flakeid_sessions';
COMMENT ON VIEW flakeid_sessions IS 'sessions of this database that made IDs: the generator used last and the range of its sequence they hold';
COMMENT ON COLUMN flakeid_sessions.pid IS 'process, as in pg_stat_activity';
COMMENT ON COLUMN flakeid_sessions.type IS 'type of the generator used last';
COMMENT ON COLUMN flakeid_sessions.number IS 'number of the generator used last: partition, shard, or worker and process';
COMMENT ON COLUMN flakeid_sessions.tick IS 'instant of the last ID: the tick of the lease';
COMMENT ON COLUMN flakeid_sessions.lease_start IS 'first number of the lease';
COMMENT ON COLUMN flakeid_sessions.lease_next IS 'first number of the lease that is not issued yet';
COMMENT ON COLUMN flakeid_sessions.lease_end IS 'first number after the lease';
COMMENT ON COLUMN flakeid_sessions.issued IS 'IDs of all types that the session has issued since it began';

CREATE FUNCTION flakeid_show_clock(
    OUT clock timestamptz, OUT high_water timestamptz, OUT mark timestamptz, OUT ahead_by interval,
    OUT tick_tock int, OUT regressions bigint, OUT toggles bigint, OUT went_ahead bigint,
    OUT last_regression timestamptz, OUT node int, OUT node_source text, OUT sno_partition int,
    OUT siq_shard int, OUT snowflake_worker int, OUT siq_domain bigint, OUT uid_node bigint,
    OUT setting_fault text, OUT memory text, OUT generators int, OUT sessions int,
    OUT refused bigint, OUT last_refused timestamptz, OUT last_refused_reason text,
    OUT twins bigint, OUT last_twin timestamptz, OUT last_twin_table text, OUT last_twin_id text,
    OUT since timestamptz, OUT issued_since timestamptz
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 1;
CREATE VIEW flakeid_clock AS SELECT * FROM flakeid_show_clock();
GRANT SELECT ON flakeid_clock TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_clock() IS 'row of the view flakeid_clock';
COMMENT ON VIEW flakeid_clock IS 'the clock beside this database''s IDs, regressions seen, and who this database is';
COMMENT ON COLUMN flakeid_clock.clock IS 'what the server''s clock reads';
COMMENT ON COLUMN flakeid_clock.high_water IS 'time of this database''s last IDs in memory, on the timeline in force; NULL: none since issued_since';
COMMENT ON COLUMN flakeid_clock.mark IS 'instant on disk before which IDs of this database may have been issued; it leads them by up to two seconds';
COMMENT ON COLUMN flakeid_clock.ahead_by IS 'how far the last IDs are ahead of the clock';
COMMENT ON COLUMN flakeid_clock.tick_tock IS 'timeline on which sno goes on: 0 or 1, the tick-tock bit of its IDs';
COMMENT ON COLUMN flakeid_clock.regressions IS 'times that the clock was found behind the IDs issued, since flakeid_clock.since';
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
COMMENT ON COLUMN flakeid_clock.memory IS 'preloaded, if flakeid stands in shared_preload_libraries, or dynamic';
COMMENT ON COLUMN flakeid_clock.generators IS 'generators of this database that have a slot in memory: the rows of flakeid_generators that have a number';
COMMENT ON COLUMN flakeid_clock.sessions IS 'sessions of this database that have made IDs: the rows of flakeid_sessions';
COMMENT ON COLUMN flakeid_clock.refused IS 'calls since flakeid_clock.since that ended with an error because they could not get an ID or write the mark: clock, mark or settings did not allow it (55000), the clock is outside the span of the type (22008), or the server is a standby (25006)';
COMMENT ON COLUMN flakeid_clock.last_refused IS 'when the last call was refused; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_refused_reason IS 'why the last call was refused';
COMMENT ON COLUMN flakeid_clock.twins IS 'IDs that arrived in watched tables with this database''s number, of a tick that its generator had not issued, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_twin IS 'when the last one arrived; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_twin_table IS 'table in which the last one arrived; NULL if the caller may not read it';
COMMENT ON COLUMN flakeid_clock.last_twin_id IS 'the last one; NULL if the caller may not read its table';
COMMENT ON COLUMN flakeid_clock.since IS 'when the counters began, except issued: with the memory of this database, or the last flakeid_stats_reset()';
COMMENT ON COLUMN flakeid_clock.issued_since IS 'when the memory of this database was made, from which issued in flakeid_generators counts';

CREATE FUNCTION flakeid_stats_reset() RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_stats_reset() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flakeid_stats_reset() TO pg_database_owner;

COMMENT ON FUNCTION flakeid_stats_reset() IS 'begin again to count regressions, refusals, overflows, waits and twins in this database, but not the IDs issued; returns from when';

/* ---------- partitions by time ---------- */

-- layout is '' for a table of our own types, else uuid7, ulid or a name in flakeid_layouts.
CREATE FUNCTION flakeid_partition_key(parent regclass, layout text) RETURNS regtype
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    key record;
    layout_type regtype := CASE WHEN layout IN ('uuid7', 'ulid') THEN 'uuid' ELSE 'bigint' END;
    layouts text[];
    types text;    -- the types that sort by time
BEGIN
    EXECUTE format('SELECT (SELECT array_agg(name ORDER BY name) FROM %1$s.flakeid_layouts),
        (SELECT string_agg(name, '', '') FROM %1$s.flakeid_formats WHERE time_ordered)',
        (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'flakeid')) INTO layouts, types;
    IF layout <> ALL (layouts || ARRAY['', 'uuid7', 'ulid']) THEN
        RAISE 'unrecognized layout: "%"', layout
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('The layouts are uuid7 and ulid for uuid, and for bigint %s.', array_to_string(layouts, ', '));
    END IF;

    SELECT p.partstrat, p.partnatts, c.opcfamily, c.opcintype::regtype AS type,
        EXISTS (
            SELECT FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
            WHERE d.classid = 'pg_type'::regclass AND d.objid = c.opcintype
                AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'flakeid'
        ) AS is_id,
        EXISTS (
            SELECT FROM pg_amop AS o
            WHERE o.amopfamily = c.opcfamily AND o.amoplefttype = c.opcintype
                AND o.amoprighttype = 'timestamptz'::regtype
        ) AS has_time
    INTO key
    FROM pg_partitioned_table AS p JOIN pg_opclass AS c ON c.oid = p.partclass[0]
    WHERE p.partrelid = parent;

    IF NOT FOUND THEN
        RAISE 'table "%" is not partitioned', parent
            USING ERRCODE = 'wrong_object_type', HINT = 'Create it with PARTITION BY RANGE on the ID.';
    ELSIF key.partstrat <> 'r' THEN
        RAISE 'table "%" is not partitioned by range', parent
            USING ERRCODE = 'wrong_object_type', HINT = 'Create it with PARTITION BY RANGE on the ID.';
    ELSIF key.partnatts <> 1 THEN
        RAISE 'table "%" is partitioned by more than an ID', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key has %s columns.', key.partnatts),
            HINT = 'Partition by the ID alone; partitions can be partitioned in turn.';
    ELSIF layout <> '' AND key.type <> layout_type THEN
        RAISE 'table "%" is not partitioned by a %', parent, layout_type
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s, and layout %s is one of %s.', key.type, layout, layout_type);
    ELSIF layout = '' AND NOT (key.is_id AND key.has_time) THEN
        RAISE 'table "%" is not partitioned by an ID that sorts by time', parent
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('Its partition key is of type %s.', key.type),
            HINT = CASE key.type
                WHEN 'uuid'::regtype THEN 'Say how its time is made by the argument layout: uuid7 or ulid.'
                WHEN 'bigint'::regtype THEN 'Say how its time is made by the argument layout: a name in flakeid_layouts.'
                ELSE format('The types that sort by time are %s.', types) END;
    END IF;
    RETURN key.type;
END
$$;

CREATE FUNCTION flakeid_partition_key(parent regclass) RETURNS regtype
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT flakeid_partition_key(parent, '');
END;

-- What the functions below need to know of a table: the type of its IDs, their name in
-- messages, their span; as expressions, the least ID from the instant $1 on, and whether
-- all IDs before "bound", a text, are older than $2.
CREATE FUNCTION flakeid_partition_rule(
    parent regclass, layout text,
    OUT type text, OUT what text, OUT first_at timestamptz, OUT last_at timestamptz,
    OUT least_id text, OUT all_older text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;    -- the extension's schema
BEGIN
    SELECT extnamespace::regnamespace INTO home FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT typname, format(''%%s.%%I'', typnamespace::regnamespace, typname)
        FROM pg_type WHERE oid = %s.flakeid_partition_key($1, $2)', home) INTO what, type USING parent, layout;

    IF layout = '' THEN
        EXECUTE format('SELECT epoch, last_timestamp FROM %s.flakeid_formats WHERE name = $1', home)
            INTO first_at, last_at USING what;
        least_id := format('%s.%I($1)', home, what || '_min');
        -- the bound is exclusive: if it is the first ID of its tick, its instant may be $2
        all_older := format(
            'EXISTS (SELECT FROM %1$s.%2$I(bound::%3$s) AS bound_at
            WHERE bound_at < $2 OR bound_at = $2 AND %1$s.%4$I(bound_at)::text = bound)',
            home, what || '_timestamp', type, what || '_min');
        what := 'type ' || what;
    ELSE
        IF layout IN ('uuid7', 'ulid') THEN
            first_at := '1970-01-01 00:00:00+00';
            last_at := '10889-08-02 05:31:50.655999+00';
            least_id := format('%s.%I($1)', home, CASE layout WHEN 'ulid' THEN 'ulid_uuid_from' ELSE 'uuid7_from' END);
        ELSE
            EXECUTE format('SELECT epoch, last_timestamp FROM %s.flakeid_layouts WHERE name = $1', home)
                INTO first_at, last_at USING layout;
            least_id := format('%s.layout_from($1, %L)', home, layout);
        END IF;
        all_older := format('bound::%s <= %s', type, replace(least_id, '$1', '$2'));
        what := 'layout ' || layout;
    END IF;
END
$$;

CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval, layout text
) RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;        -- the extension's schema
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    lower_at timestamptz;
    upper_at timestamptz := start_at;
    rule record;
    parts record;     -- of the parent
    present record;   -- the partition, if it is there already
    seconds numeric[];
    precision text;
    lower_id text;
    upper_id text;
    bounds text;
    base text;
    suffix text;
    partition text;
BEGIN
    IF NOT (isfinite(start_at) AND isfinite(end_at)) OR end_at <= start_at THEN
        RAISE 'end_at must be later than start_at and both finite'
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('start_at is %s, end_at is %s.', start_at, end_at);
    ELSIF step <= interval '0' OR NOT isfinite(step) THEN
        RAISE 'step must be greater than zero and finite'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', step);
    END IF;

    SELECT extnamespace::regnamespace INTO home FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT * FROM %s.flakeid_partition_rule($1, $2)', home) INTO rule USING parent, layout;

    -- The name tells the time as finely as the step needs.
    seconds := ARRAY[
        extract(hour FROM step) * 3600 + extract(minute FROM step) * 60 + extract(second FROM step),
        extract(hour FROM start_utc) * 3600 + extract(minute FROM start_utc) * 60 + extract(second FROM start_utc)
    ];
    precision := CASE
        WHEN 0 = ALL (ARRAY[seconds[1] % 86400, seconds[2]]) THEN 'YYYYMMDD'
        WHEN 0 = ALL (ARRAY[seconds[1] % 60, seconds[2] % 60]) THEN 'YYYYMMDD_HH24MI'
        WHEN 0 = ALL (ARRAY[seconds[1] % 1, seconds[2] % 1]) THEN 'YYYYMMDD_HH24MISS'
        ELSE 'YYYYMMDD_HH24MISS_US'
    END;

    -- Keep other calls out.  Readers and writers go on, as they do while a partition is
    -- attached.
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    SELECT n.nspname AS schema, c.relname AS name, c.relowner::regrole AS owner,
        ' USING ' || quote_ident(a.amname) AS access_method,
        ' TABLESPACE ' || quote_ident(t.spcname) AS tablespace
    INTO parts
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_am AS a ON a.oid = c.relam LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
    WHERE c.oid = parent;

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
        EXECUTE format('SELECT %s::text, %s::text', rule.least_id, replace(rule.least_id, '$1', '$2'))
            INTO lower_id, upper_id USING lower_at, upper_at;
        IF upper_at <= lower_at OR upper_id = lower_id THEN
            RAISE 'step is too short for %', rule.what
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A partition from %s to %s would hold no IDs.', lower_at, upper_at);
        END IF;
        bounds := format('FOR VALUES FROM (%L) TO (%L)', lower_id, upper_id);
        SELECT c.relname AS name, i.inhdetachpending AS pending INTO present
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = parent AND pg_get_expr(c.relpartbound, c.oid) = bounds;
        IF present.pending THEN
            -- such a partition takes no rows any more, but no other one may have its bounds
            RAISE 'partition "%" is incompletely detached', present.name
                USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'Use ALTER TABLE ... DETACH PARTITION ... FINALIZE to complete that.';
        END IF;
        CONTINUE WHEN FOUND;

        suffix := '_' || to_char(lower_at AT TIME ZONE 'UTC', precision);
        base := parts.name;
        WHILE octet_length(base || suffix) > current_setting('max_identifier_length')::int LOOP
            base := left(base, -1);
        END LOOP;
        partition := format('%I.%I', parts.schema, base || suffix);

        -- Create the table apart and attach it: that locks less than CREATE TABLE ... PARTITION OF.
        BEGIN
            EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED '
                'INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)',
                partition, parent) || concat(parts.access_method, parts.tablespace);
            EXECUTE format('ALTER TABLE %s OWNER TO %s', partition, parts.owner);
            EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, partition, bounds);
        EXCEPTION
            WHEN duplicate_table THEN
                RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
                    DETAIL = format('It is the name for the partition of table "%s" from %s to %s.', parent, lower_at, upper_at),
                    HINT = 'If it is a partition of this table, start at one of its bounds with a step that ends at the other; otherwise attach or rename it.';
            WHEN invalid_object_definition THEN
                RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
                    DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
                    HINT = 'Start at a bound of an existing partition, with a step that ends at the next bounds.';
            WHEN check_violation THEN
                RAISE '%', SQLERRM USING ERRCODE = SQLSTATE,
                    DETAIL = format('The new partition is to hold IDs from %s to %s.', lower_at, upper_at),
                    HINT = 'Move the rows of that time out of the default partition, create the partition, and insert them again.';
        END;
        RETURN NEXT partition::regclass;
    END LOOP;
END
$$;

CREATE FUNCTION flakeid_create_partitions(
    parent regclass, start_at timestamptz, end_at timestamptz, step interval
) RETURNS SETOF regclass
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT flakeid_create_partitions(parent, start_at, end_at, step, '');
END;

CREATE FUNCTION flakeid_drop_partitions(parent regclass, before timestamptz, layout text) RETURNS SETOF text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text;
    rule record;
    partition text;
    kind text;
BEGIN
    SELECT extnamespace::regnamespace INTO home FROM pg_extension WHERE extname = 'flakeid';
    EXECUTE format('SELECT * FROM %s.flakeid_partition_rule($1, $2)', home) INTO rule USING parent, layout;
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);

    FOR partition, kind IN EXECUTE format(
        'SELECT format(''%%I.%%I'', n.nspname, c.relname), CASE c.relkind WHEN ''f'' THEN ''FOREIGN TABLE'' ELSE ''TABLE'' END
        FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
            JOIN pg_namespace AS n ON n.oid = c.relnamespace
            CROSS JOIN substring(pg_get_expr(c.relpartbound, c.oid) FROM ''TO \(''''([^'''']+)''''\)$'') AS bound
        WHERE i.inhparent = $1 AND NOT i.inhdetachpending AND bound IS NOT NULL AND %s
        ORDER BY bound::%s', rule.all_older, rule.type
    ) USING parent, before LOOP
        -- Detach it first: a partition that foreign keys point to cannot be dropped at once.
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, partition);
        EXECUTE format('DROP %s %s', kind, partition);
        RETURN NEXT partition;
    END LOOP;
END
$$;

CREATE FUNCTION flakeid_drop_partitions(parent regclass, before timestamptz) RETURNS SETOF text
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT flakeid_drop_partitions(parent, before, '');
END;

COMMENT ON FUNCTION flakeid_partition_key(regclass, text) IS 'type of the ID that a table is partitioned by, if it sorts by time in this layout; otherwise an error that says why not';
COMMENT ON FUNCTION flakeid_partition_key(regclass) IS 'type of the ID that a table is partitioned by, if it sorts by time; otherwise an error that says why not';
COMMENT ON FUNCTION flakeid_partition_rule(regclass, text) IS 'how the IDs that a table is partitioned by tell the time';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval, text) IS 'the same for a table keyed by uuid (layout uuid7 or ulid) or bigint (a name in flakeid_layouts)';
COMMENT ON FUNCTION flakeid_create_partitions(regclass, timestamptz, timestamptz, interval) IS 'create the partitions by time that are missing, step by step in UTC; returns those created';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz, text) IS 'the same for a table keyed by uuid (layout uuid7 or ulid) or bigint (a name in flakeid_layouts)';
COMMENT ON FUNCTION flakeid_drop_partitions(regclass, timestamptz) IS 'drop the partitions that hold nothing but IDs before an instant; returns their names';
/* ---------- numbering the rows that there are ---------- */

CREATE FUNCTION flakeid_tick_of(format text, at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_tick_start(format text, tick bigint) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flakeid_tick_of(text, timestamptz) IS 'tick of a type of ID that holds an instant';
COMMENT ON FUNCTION flakeid_tick_start(text, bigint) IS 'first microsecond of a tick of a type of ID';

-- Only flakeid_put_backfill() writes this table, and users see it through a view.  A dump
-- does not carry it: it says what was done on this server, and the table that is
-- backfilled itself says what is left to do.
CREATE TABLE _flakeid.backfill (
    schema name NOT NULL,
    name name NOT NULL,
    id_column name NOT NULL,
    time_column name NOT NULL,
    type name NOT NULL,
    number int NOT NULL,
    finished boolean NOT NULL,
    rows bigint NOT NULL,
    rounded bigint NOT NULL,
    most_lost interval NOT NULL,
    next_numbers bigint NOT NULL,
    moved bigint NOT NULL,
    most_moved interval NOT NULL,
    position text NOT NULL,
    started timestamptz NOT NULL,
    updated timestamptz NOT NULL,
    PRIMARY KEY (schema, name, id_column)
);
REVOKE ALL ON _flakeid.backfill FROM PUBLIC;

CREATE FUNCTION flakeid_put_backfill(schema text, name text, entry jsonb) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp;

CREATE VIEW flakeid_backfills AS
SELECT b.*
FROM _flakeid.backfill AS b
    JOIN pg_catalog.pg_namespace AS n ON n.nspname = b.schema
    JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = b.name
WHERE pg_catalog.pg_has_role(c.relowner, 'USAGE');
GRANT SELECT ON flakeid_backfills TO PUBLIC;

COMMENT ON TABLE _flakeid.backfill IS 'rows of the view flakeid_backfills';
COMMENT ON FUNCTION flakeid_put_backfill(text, text, jsonb) IS 'notes how far flakeid_backfill is, for the owner of the table';
COMMENT ON VIEW flakeid_backfills IS 'what flakeid_backfill has done, of your tables';
COMMENT ON COLUMN flakeid_backfills.schema IS 'schema of the table';
COMMENT ON COLUMN flakeid_backfills.name IS 'table';
COMMENT ON COLUMN flakeid_backfills.id_column IS 'column that gets the IDs';
COMMENT ON COLUMN flakeid_backfills.time_column IS 'column that tells their time';
COMMENT ON COLUMN flakeid_backfills.type IS 'type of the IDs';
COMMENT ON COLUMN flakeid_backfills.number IS 'first partition, shard or worker of the IDs; -1 if the type has none';
COMMENT ON COLUMN flakeid_backfills.finished IS 'false while the backfill is at work, and after it was interrupted: then call it again';
COMMENT ON COLUMN flakeid_backfills.rows IS 'rows that got an ID';
COMMENT ON COLUMN flakeid_backfills.rounded IS 'rows whose ID has an earlier instant than they, as it holds fewer digits';
COMMENT ON COLUMN flakeid_backfills.most_lost IS 'the most by which the ID''s instant is earlier than the row''s';
COMMENT ON COLUMN flakeid_backfills.next_numbers IS 'rows whose ID has a later partition, shard or worker than the first, because too many rows share a tick';
COMMENT ON COLUMN flakeid_backfills.moved IS 'rows whose ID has a later tick than their own, which was full';
COMMENT ON COLUMN flakeid_backfills.most_moved IS 'the most by which the ID''s instant is later than the row''s';
COMMENT ON COLUMN flakeid_backfills.position IS 'value of the time column that the backfill has reached';
COMMENT ON COLUMN flakeid_backfills.started IS 'when the backfill began';
COMMENT ON COLUMN flakeid_backfills.updated IS 'when the last batch was done';

-- Check the arguments of a backfill and return what it needs to know: the type of the IDs,
-- the order of the rows, and, as expressions, the time in the time column, the ID of the
-- tick's instant $1 and the place k in the tick, and the place of an ID.
CREATE FUNCTION flakeid_backfill_rule(
    target regclass, id_column name, time_column name, number int, meta int, siq_type text,
    OUT type text, OUT first int, OUT capacity bigint, OUT each bigint,
    OUT instant text, OUT row_order text, OUT making text, OUT place text, OUT ours text
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := '@extschema@';
    kind "char";
    id_type oid;
    time_type oid;
    numbers int := 1;    -- how many partitions, shards or workers the backfill may fill
    highest int;
    own int;
    domain bigint;
    bits int;
BEGIN
    SELECT relkind INTO kind FROM pg_class WHERE oid = target;
    IF kind NOT IN ('r', 'p') THEN
        RAISE '"%" is not a table', target USING ERRCODE = 'wrong_object_type';
    END IF;
    SELECT atttypid INTO id_type FROM pg_attribute WHERE attrelid = target AND attname = id_column AND attnum > 0;
    IF NOT FOUND THEN
        RAISE 'column "%" of table "%" does not exist', id_column, target
            USING ERRCODE = 'undefined_column', HINT = 'Add it with ALTER TABLE ... ADD COLUMN ... sno, which does not rewrite the table.';
    END IF;
    SELECT atttypid INTO time_type FROM pg_attribute WHERE attrelid = target AND attname = time_column AND attnum > 0;
    IF NOT FOUND THEN
        RAISE 'column "%" of table "%" does not exist', time_column, target USING ERRCODE = 'undefined_column';
    END IF;

    SELECT f.name INTO type FROM @extschema@.flakeid_formats AS f
    WHERE to_regtype(format('%s.%I', home, f.name)) = id_type;
    IF type IS NULL OR type NOT IN ('sno', 'flax', 'siq', 'uid64', 'snowflake') THEN
        RAISE 'column "%" cannot be backfilled', id_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', format_type(id_type, NULL)),
            HINT = 'sno, flax, siq, uid64 and snowflake can, as they sort by time.';
    END IF;
    -- without an index, every batch would read the table to find the greatest ID of a tick
    IF NOT EXISTS (
        SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = target AND a.attname = id_column
        WHERE i.indrelid = target AND i.indisvalid AND i.indkey[0] = a.attnum AND i.indpred IS NULL
    ) THEN
        RAISE 'column "%" of table "%" has no index', id_column, target
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('CREATE UNIQUE INDEX CONCURRENTLY ON %s (%I);', target, id_column);
    END IF;

    instant := CASE
        WHEN time_type IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) THEN '%1$I::timestamptz'
        WHEN time_type = 'uuid'::regtype THEN home || '.uuid7_timestamp(%1$I)::timestamptz'
        WHEN time_type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN home || '.ulid_timestamp(%1$I::text)::timestamptz'
        ELSE (SELECT format('%s.%I(%%1$I)::timestamptz', home, f.name || '_timestamp') FROM @extschema@.flakeid_formats AS f
            WHERE to_regtype(format('%s.%I', home, f.name)) = time_type)
    END;
    IF instant IS NULL THEN
        RAISE 'column "%" does not tell the time', time_column
            USING ERRCODE = 'wrong_object_type',
            DETAIL = format('It is of type %s.', format_type(time_type, NULL)),
            HINT = 'Times, dates, uuid of version 7, ULIDs as text, and IDs of flakeid do.';
    END IF;
    instant := format(instant, time_column);
    -- rows of the same instant come in the order of the primary key
    SELECT concat_ws(', ', quote_ident(time_column),
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.n)
        FROM pg_index AS i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
            JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = k.attnum
        WHERE i.indrelid = target AND i.indisprimary)) INTO row_order;

    IF meta NOT BETWEEN 0 AND 255 OR (meta <> 0 AND type <> 'sno') THEN
        RAISE 'meta is out of range for type %: %', type, meta
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It is 0 to 255 for sno, and 0 for all others.';
    ELSIF (type = 'siq') <> (siq_type <> '') THEN
        RAISE 'siq_type is for siq, which needs one' USING ERRCODE = 'invalid_parameter_value', HINT = 'Such as siq_type => ''message''.';
    END IF;

    -- Take numbers that this database's own generator does not use, so that the backfill
    -- makes none of its IDs, not even one that is not in the table any more.
    IF type IN ('sno', 'siq', 'snowflake') THEN
        numbers := CASE type WHEN 'sno' THEN 128 WHEN 'siq' THEN 16 ELSE 1 END;
        highest := CASE type WHEN 'sno' THEN 65535 WHEN 'siq' THEN 255 ELSE 31 END;
        SELECT CASE type WHEN 'sno' THEN c.sno_partition WHEN 'siq' THEN c.siq_shard ELSE c.snowflake_worker END, c.siq_domain
        INTO own, domain FROM @extschema@.flakeid_clock AS c;
        first := number;
        IF first = -1 THEN
            first := highest - numbers + 1;
            IF own >= first THEN
                first := first - numbers;
            END IF;
        END IF;
        numbers := least(numbers, highest - first + 1);
        IF first NOT BETWEEN 0 AND highest THEN
            RAISE 'number is out of range for type %: %', type, number
                USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is 0 to %s.', highest);
        ELSIF own BETWEEN first AND first + numbers - 1 THEN
            RAISE 'number % of type % is this database''s own', own, type
                USING ERRCODE = 'invalid_parameter_value',
                DETAIL = format('A backfill from number %s on uses the numbers up to %s.', first, first + numbers - 1),
                HINT = 'Leave the argument number out, or choose numbers that no server makes new IDs with.';
        END IF;
    ELSIF number <> -1 THEN
        RAISE 'type % has no partitions, shards or workers', type USING ERRCODE = 'invalid_parameter_value';
    ELSE
        first := -1;
    END IF;

    CASE type
    WHEN 'sno' THEN
        each := 65536;
        making := format('%s.sno_make($1, %s, %s + (k / 65536)::int, (k %% 65536)::int)', home, meta, first);
        place := format('(%1$s.sno_partition(%2$I) - %3$s)::bigint * 65536 + %1$s.sno_sequence(%2$I)', home, id_column, first);
        ours := format('NOT %1$s.sno_tick_tock(%2$I) AND %1$s.sno_meta(%2$I) = %3$s AND %1$s.sno_partition(%2$I) BETWEEN %4$s AND %5$s',
            home, id_column, meta, first, first + numbers - 1);
    WHEN 'siq' THEN
        -- how many bits of the last 16 the type takes is where a serial of 1 stands
        EXECUTE format('SELECT log(2, (get_byte(b, 12) * 256 + get_byte(b, 13)) - (get_byte(a, 12) * 256 + get_byte(a, 13)))::int
            FROM CAST(%1$s.siq_make(''2020-01-01Z'', 0, 0, 1, %2$L) AS bytea) AS b, CAST(%1$s.siq_make(''2020-01-01Z'', 0, 0, 0, %2$L) AS bytea) AS a',
            home, siq_type) INTO bits;
        each := 65536 >> bits;
        making := format('%s.siq_make($1, %s + (k / %s)::int, %s, (k %% %3$s)::int, %5$L)', home, first, each, domain, siq_type);
        place := format('(%1$s.siq_shard(%2$I) - %3$s)::bigint * %4$s + %1$s.siq_serial(%2$I)', home, id_column, first, each);
        ours := format('%1$s.siq_domain(%2$I) = %3$s AND %1$s.siq_type_of(%2$I) = %4$L AND %1$s.siq_shard(%2$I) BETWEEN %5$s AND %6$s',
            home, id_column, domain, siq_type, first, first + numbers - 1);
    WHEN 'snowflake' THEN
        each := 131072;
        making := format('%s.snowflake_make($1, %s + (k / 131072)::int, (k / 4096 %% 32)::int, (k %% 4096)::int)', home, first);
        place := format('((%1$s.snowflake_worker(%2$I) - %3$s)::bigint * 32 + %1$s.snowflake_process(%2$I)) * 4096 + %1$s.snowflake_sequence(%2$I)',
            home, id_column, first);
        ours := format('%s.snowflake_worker(%I) BETWEEN %s AND %s', home, id_column, first, first + numbers - 1);
    WHEN 'uid64' THEN
        each := 16384;
        making := format('%s.uid64_make($1, k::int)', home);
        place := format('%s.uid64_sequence(%I)::bigint', home, id_column);
        ours := 'true';
    WHEN 'flax' THEN
        -- all other bits are random: IDs of one millisecond are in no order, and never too many
        each := 9223372036854775807;
        making := format('%s.flax_new_at($1)', home);
        place := '0::bigint';
        ours := 'false';
    END CASE;
    capacity := CASE type WHEN 'flax' THEN 1000000000 ELSE each * numbers END;
END
$$;

-- Give IDs to the first rows without one from "start" on, a text of the time column
-- ('': from the first row on), and return how many rows that were and how far it got.
-- The column itself tells which places of a tick are taken, whoever took them, so an
-- interrupted backfill can go on.  A row gets the place after that of the row before it,
-- or the start of its own tick if that is later, and never a place that is taken.
CREATE FUNCTION flakeid_backfill_batch(
    target regclass, id_column name, time_column name, batch int,
    number int, meta int, siq_type text, start text,
    OUT count int, OUT reached text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    who record;
    noted record;
    done record;
    tables oid[];
    rows tid[];
    instants timestamptz[];
    least_places numeric[];    -- the earliest place of each row: tick * capacity + place in the tick
    places numeric[];
    taken int;
BEGIN
    SELECT n.nspname AS schema, c.relname AS name INTO who
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = target;
    SELECT * INTO noted FROM @extschema@.flakeid_backfills AS b
    WHERE b.schema = who.schema AND b.name = who.name AND b.id_column = flakeid_backfill_batch.id_column;
    -- an interrupted backfill goes on with the number that it began with, whatever the settings are now
    SELECT * INTO rule FROM @extschema@.flakeid_backfill_rule(target, id_column, time_column,
        CASE WHEN number = -1 AND NOT noted.finished THEN noted.number ELSE number END, meta, siq_type);

    -- two backfills of one table take turns; nobody else waits for them
    PERFORM pg_advisory_xact_lock(hashtextextended('flakeid_backfill ' || target::oid, 0));
    -- a batch is a small part of the table, whatever the estimates say
    PERFORM set_config('enable_seqscan', 'off', true);

    EXECUTE format(
        'WITH picked AS MATERIALIZED (
            SELECT tableoid AS relation, ctid AS row, %1$s AS at, %2$I::text AS reached FROM %3$s
            WHERE %4$I IS NULL AND %1$s IS NOT NULL %5$s
            ORDER BY %6$s LIMIT %7$s FOR UPDATE
        )
        SELECT count(*), array_agg(relation), array_agg(row), array_agg(at), (array_agg(reached))[count(*)],
            array_agg(@extschema@.flakeid_tick_of(%8$L, at)::numeric * %9$s)
        FROM picked',
        rule.instant, time_column, target, id_column,
        CASE WHEN start <> '' THEN format('AND %I >= %L', time_column, start) END, rule.row_order, batch, rule.type, rule.capacity)
    INTO count, tables, rows, instants, reached, least_places;
    reached := coalesce(reached, '');
    SELECT 0::bigint AS rounded, interval '0' AS most_lost, 0::bigint AS next_numbers, 0::bigint AS moved, interval '0' AS most_moved INTO done;

    IF count > 0 THEN
        LOOP
            SELECT array_agg(p.place ORDER BY p.i) INTO places
            FROM (SELECT i, i + max(l - i) OVER (ORDER BY i) AS place FROM unnest(least_places) WITH ORDINALITY AS u (l, i)) AS p;
            EXIT WHEN rule.type = 'flax';
            EXECUTE format(
                'WITH taken AS MATERIALIZED (
                    SELECT tick, tick::numeric * %1$s + max(place) + 1 AS free
                    FROM (
                        SELECT @extschema@.flakeid_tick_of(%2$L, @extschema@.%3$I(%4$I)) AS tick, %5$s AS place FROM %6$s
                        WHERE %4$I OPERATOR(@extschema@.>=) @extschema@.%7$I(@extschema@.flakeid_tick_start(%2$L, div($1[1], %1$s)::bigint))
                            AND %4$I OPERATOR(@extschema@.<=) @extschema@.%8$I(@extschema@.flakeid_tick_start(%2$L, div($1[$2], %1$s)::bigint)) AND %9$s
                    ) AS present
                    GROUP BY tick
                )
                SELECT count(t.free), array_agg(coalesce(t.free, p.place) ORDER BY p.i)
                FROM unnest($1) WITH ORDINALITY AS p (place, i)
                    LEFT JOIN taken AS t ON t.tick = div(p.place, %1$s)::bigint AND p.place < t.free',
                rule.capacity, rule.type, rule.type || '_timestamp', id_column, rule.place, target,
                rule.type || '_min', rule.type || '_max', rule.ours)
            INTO taken, least_places USING places, count;
            EXIT WHEN taken = 0;
        END LOOP;

        EXECUTE format(
            'WITH made AS MATERIALIZED (
                SELECT relation, row, at, k, %1$s AS id
                FROM (
                    SELECT relation, row, at, mod(place, %2$s)::bigint AS k, @extschema@.flakeid_tick_start(%3$L, div(place, %2$s)::bigint) AS tick_at
                    FROM unnest($1, $2, $3, $4) AS u (relation, row, at, place)
                ) AS p
            ), changed AS (
                UPDATE %4$s AS t SET %5$I = made.id FROM made WHERE t.ctid = ANY ($2) AND t.ctid = made.row AND t.tableoid = made.relation
                RETURNING t.%5$I
            )
            SELECT (SELECT count(%5$I) FROM changed) AS rows, count(*) FILTER (WHERE @extschema@.%6$I(id) < at) AS rounded,
                coalesce(max(at - @extschema@.%6$I(id)), ''0'') AS most_lost,
                count(*) FILTER (WHERE k >= %7$s) AS next_numbers,
                count(*) FILTER (WHERE @extschema@.%6$I(id) > at) AS moved,
                coalesce(max(@extschema@.%6$I(id) - at), ''0'') AS most_moved
            FROM made',
            replace(rule.making, '$1', 'tick_at'), rule.capacity, rule.type, target, id_column, rule.type || '_timestamp', rule.each)
        INTO done USING tables, rows, instants, places;
        IF done.rows < count THEN
            RAISE 'a trigger keeps rows of table "%" from getting an ID', target
                USING ERRCODE = 'triggered_action_exception', DETAIL = format('Of %s rows %s have one.', count, done.rows);
        END IF;
    END IF;

    -- add up this backfill, and the interrupted one that it goes on with
    PERFORM @extschema@.flakeid_put_backfill(who.schema, who.name, jsonb_build_object(
        'id_column', id_column, 'time_column', time_column, 'type', rule.type, 'number', rule.first,
        'finished', count = 0 AND start = '',
        'rows', count + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.rows, 0) END,
        'rounded', done.rounded + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.rounded, 0) END,
        'most_lost', greatest(done.most_lost, CASE WHEN NOT noted.finished THEN noted.most_lost END, '0'),
        'next_numbers', done.next_numbers + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.next_numbers, 0) END,
        'moved', done.moved + CASE WHEN noted.finished THEN 0 ELSE coalesce(noted.moved, 0) END,
        'most_moved', greatest(done.most_moved, CASE WHEN NOT noted.finished THEN noted.most_moved END, '0'),
        'position', CASE WHEN count > 0 THEN reached ELSE coalesce(noted.position, '') END,
        'started', CASE WHEN NOT noted.finished THEN noted.started ELSE now() END,
        'updated', clock_timestamp()));
END
$$;

-- Say what a finished backfill has done, for a NOTICE.
CREATE FUNCTION flakeid_backfill_report(target regclass, id_column name, time_column name) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    b record;
    left_out bigint;
BEGIN
    SELECT f.* INTO b FROM @extschema@.flakeid_backfills AS f JOIN pg_namespace AS n ON n.nspname = f.schema
        JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = f.name
    WHERE c.oid = target AND f.id_column = flakeid_backfill_report.id_column;
    EXECUTE format('SELECT count(*) FROM %s WHERE %I IS NULL', target, id_column) INTO left_out;
    RETURN concat_ws(' ',
        format('%s rows of table "%s" got an ID.', b.rows, target),
        CASE WHEN b.rounded > 0 THEN format('Of %s the ID''s time is earlier than "%s", by up to %s: it has no more digits.', b.rounded, time_column, b.most_lost) END,
        CASE WHEN b.type = 'flax' THEN 'Those of one millisecond are in no order.' END,
        CASE WHEN b.next_numbers > 0 THEN format('So many share a tick that %s got a partition, shard or worker after the first.', b.next_numbers) END,
        CASE WHEN b.moved > 0 THEN format('So many share a tick that %s got a later one, by up to %s.', b.moved, b.most_moved) END,
        CASE WHEN left_out > 0 THEN format('%s rows have no time, and got none.', left_out) END);
END
$$;

-- A procedure with a SET clause for search_path could not commit.  So this one sets the
-- search_path in each of its transactions, before it looks anything up.
CREATE PROCEDURE flakeid_backfill(
    target regclass, id_column name, time_column name, batch int DEFAULT 10000,
    number int DEFAULT -1, meta int DEFAULT 0, siq_type text DEFAULT ''
)
    LANGUAGE plpgsql
AS $$
DECLARE
    start text := '';
    rows int;
BEGIN
    -- first, so that a call within a transaction fails at once
    COMMIT;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCAL search_path = pg_catalog, pg_temp;
    IF target IS NULL OR id_column IS NULL OR time_column IS NULL OR number IS NULL OR meta IS NULL OR siq_type IS NULL THEN
        RAISE 'arguments of flakeid_backfill must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch IS NULL OR batch NOT BETWEEN 1 AND 1000000 THEN
        RAISE 'batch is out of range: %', batch USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It is 1 to 1000000 rows.';
    END IF;

    LOOP
        SELECT b.count, b.reached INTO rows, start
        FROM @extschema@.flakeid_backfill_batch(target, id_column, time_column, batch, number, meta, siq_type, start) AS b;
        COMMIT;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCAL search_path = pg_catalog, pg_temp;
        -- At the end begin once more with the first row, for rows that came meanwhile.
        EXIT WHEN rows = 0 AND (
            SELECT f.finished FROM @extschema@.flakeid_backfills AS f JOIN pg_namespace AS n ON n.nspname = f.schema
                JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = f.name
            WHERE c.oid = target AND f.id_column = flakeid_backfill.id_column);
    END LOOP;
    RAISE NOTICE '%', @extschema@.flakeid_backfill_report(target, id_column, time_column);
END
$$;

COMMENT ON FUNCTION flakeid_backfill_rule(regclass, name, name, int, int, text) IS 'how flakeid_backfill makes the IDs of a column';
COMMENT ON FUNCTION flakeid_backfill_batch(regclass, name, name, int, int, int, text, text) IS 'a batch of flakeid_backfill';
COMMENT ON FUNCTION flakeid_backfill_report(regclass, name, name) IS 'what flakeid_backfill did, in words';
COMMENT ON PROCEDURE flakeid_backfill(regclass, name, name, int, int, int, text) IS 'give the rows without an ID one of their time, in batches with commits; call it again if it was interrupted';

/* ---------- keeping partitions ---------- */

-- A dump carries this table.  It holds names, because after a restore an OID may be another table's.
CREATE TABLE _flakeid.keep (
    schema name NOT NULL,
    name name NOT NULL,
    step interval NOT NULL CHECK (step > '0'),
    ahead int NOT NULL CHECK (ahead BETWEEN 0 AND 1000),
    retain interval NOT NULL CHECK (retain >= '0'),
    layout text NOT NULL,
    start_at timestamptz NOT NULL CHECK (isfinite(start_at)),
    last_run timestamptz,
    last_error text,
    PRIMARY KEY (schema, name)
);
REVOKE ALL ON _flakeid.keep FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('_flakeid.keep', '');
GRANT SELECT, INSERT ON _flakeid.keep TO pg_database_owner;

CREATE FUNCTION flakeid_put_keep(schema text, name text, entry jsonb) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp;

-- Return what is to be done for a table now: the starts of the partitions that are missing,
-- among that of now and the next "ahead" ones, and the names of those that are too old; or
-- the error that keeps both from being told.
CREATE FUNCTION flakeid_keep_plan(
    parent regclass, step interval, ahead int, retain interval, layout text, start_at timestamptz,
    OUT to_create timestamptz[], OUT to_drop text[], OUT fault text
)
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    rule record;
    start_utc timestamp := start_at AT TIME ZONE 'UTC';
    now_utc timestamp := now() AT TIME ZONE 'UTC';
    n int;
    lower_at timestamptz;
    lower_id text;
    upper_id text;
    old text[];
BEGIN
    SELECT * INTO rule FROM @extschema@.flakeid_partition_rule(parent, layout);
    to_create := '{}';
    -- find the last n with start + n * step <= now; months differ, so estimate and correct n
    n := greatest(0, floor(extract(epoch FROM now_utc - start_utc) / extract(epoch FROM step))::int - 2);
    WHILE start_utc + (n + 1) * step <= now_utc LOOP
        n := n + 1;
    END LOOP;
    WHILE n > 0 AND start_utc + n * step > now_utc LOOP
        n := n - 1;
    END LOOP;
    FOR i IN n .. n + ahead LOOP
        lower_at := (start_utc + i * step) AT TIME ZONE 'UTC';
        EXECUTE format('SELECT %s::text, %s::text', rule.least_id, replace(rule.least_id, '$1', '$2'))
            INTO lower_id, upper_id USING lower_at, (start_utc + (i + 1) * step) AT TIME ZONE 'UTC';
        IF NOT EXISTS (
            SELECT FROM pg_inherits AS h JOIN pg_class AS c ON c.oid = h.inhrelid
            WHERE h.inhparent = parent
                AND pg_get_expr(c.relpartbound, c.oid) = format('FOR VALUES FROM (%L) TO (%L)', lower_id, upper_id)
        ) THEN
            to_create := to_create || lower_at;
        END IF;
    END LOOP;
    to_drop := '{}';
    IF retain > '0' THEN
        EXECUTE format(
            'SELECT array_agg(format(''%%I.%%I'', n.nspname, c.relname) ORDER BY bound::%s)
            FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
                CROSS JOIN substring(pg_get_expr(c.relpartbound, c.oid) FROM ''TO \(''''([^'''']+)''''\)$'') AS bound
            WHERE i.inhparent = $1 AND NOT i.inhdetachpending AND bound IS NOT NULL AND %s', rule.type, rule.all_older)
        INTO old USING parent, now() - retain;
        to_drop := coalesce(old, '{}');
    END IF;
EXCEPTION WHEN OTHERS THEN
    to_create := NULL;
    to_drop := NULL;
    fault := SQLERRM;
END
$$;

CREATE VIEW flakeid_kept AS
SELECT k.schema, k.name, k.step, k.ahead, k.retain, k.layout, k.start_at,
    p.to_create, p.to_drop, coalesce(p.fault, CASE WHEN c.oid IS NULL THEN 'table does not exist' END) AS fault,
    k.last_run, CASE WHEN c.oid IS NULL OR pg_catalog.pg_has_role(c.relowner, 'USAGE') THEN k.last_error END AS last_error
FROM _flakeid.keep AS k
    LEFT JOIN (pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace)
        ON n.nspname = k.schema AND c.relname = k.name
    LEFT JOIN LATERAL flakeid_keep_plan(c.oid::regclass, k.step, k.ahead, k.retain, k.layout, k.start_at) AS p ON c.oid IS NOT NULL;
GRANT SELECT ON flakeid_kept TO PUBLIC;

CREATE FUNCTION flakeid_keep(
    parent regclass, step interval, ahead int DEFAULT 1, retain interval DEFAULT '0',
    layout text DEFAULT '', start_at timestamptz DEFAULT '2000-01-01 00:00:00+00'
) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    who record;
BEGIN
    PERFORM @extschema@.flakeid_partition_rule(parent, layout);
    IF step <= '0' OR NOT isfinite(step) OR retain < '0' OR ahead NOT BETWEEN 0 AND 1000 OR NOT isfinite(start_at) OR start_at > now() THEN
        RAISE 'partitions of table "%" cannot be kept so', parent
            USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('step is %s, ahead %s, retain %s, start_at %s.', step, ahead, retain, start_at),
            HINT = 'step is greater than zero, ahead is 0 to 1000 partitions, retain is not negative (0: for ever), start_at has passed.';
    END IF;
    SELECT n.nspname AS schema, c.relname AS name INTO who
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = parent;
    PERFORM @extschema@.flakeid_put_keep(who.schema, who.name, jsonb_build_object(
        'step', step, 'ahead', ahead, 'retain', retain, 'layout', layout, 'start_at', start_at));
END
$$;

CREATE FUNCTION flakeid_unkeep(schema text, name text) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM @extschema@.flakeid_put_keep(schema, name, '{}');
END
$$;

CREATE FUNCTION flakeid_keep_now(parent regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kept record;
    start_utc timestamp;
    lower_at timestamptz;
    n_about int;    -- about how many steps the partition is after the first one ...
    margin int;     -- ... and by how much that may be wrong, as months differ
BEGIN
    SELECT k.* INTO kept FROM @extschema@.flakeid_kept AS k JOIN pg_namespace AS n ON n.nspname = k.schema
        JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = k.name
    WHERE c.oid = parent;
    IF kept.fault IS NOT NULL THEN
        RAISE '%', kept.fault USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    start_utc := kept.start_at AT TIME ZONE 'UTC';
    FOREACH lower_at IN ARRAY coalesce(kept.to_create, '{}') LOOP
        n_about := floor(extract(epoch FROM lower_at - kept.start_at) / extract(epoch FROM kept.step));
        margin := CASE WHEN extract(year FROM kept.step) > 0 OR extract(month FROM kept.step) > 0 THEN n_about ELSE 0 END + 2;
        -- create them one at a time: from "start_at" on, those dropped before would be created, too
        PERFORM @extschema@.flakeid_create_partitions(parent, lower_at,
            least_end, least_end - lower_at, kept.layout)
        FROM (
            SELECT (start_utc + n * kept.step) AT TIME ZONE 'UTC' AS least_end
            FROM generate_series(greatest(1, n_about - margin), n_about + margin) AS n
            WHERE (start_utc + n * kept.step) AT TIME ZONE 'UTC' > lower_at ORDER BY n LIMIT 1
        ) AS bound;
    END LOOP;
    IF kept.retain > '0' THEN
        PERFORM @extschema@.flakeid_drop_partitions(parent, now() - kept.retain, kept.layout);
    END IF;
END
$$;

CREATE FUNCTION flakeid_keep_as_owner(parent regclass) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp;

-- Do what is to be done for one table that the caller may maintain, and note how that
-- ended.  Returns the error, or ''.
CREATE FUNCTION flakeid_maintain_one(schema text, name text) RETURNS text
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    parent regclass := to_regclass(format('%I.%I', schema, name));
    kept record;
    error text := '';
BEGIN
    IF current_setting('lock_timeout') = '0' THEN
        PERFORM set_config('lock_timeout', '5s', true);
    END IF;
    BEGIN
        PERFORM @extschema@.flakeid_keep_as_owner(parent);
    EXCEPTION WHEN OTHERS THEN
        error := format('%s: %s', SQLSTATE, SQLERRM);
    END;
    SELECT k.step, k.ahead, k.retain, k.layout, k.start_at INTO kept
    FROM @extschema@.flakeid_kept AS k WHERE k.schema = $1 AND k.name = $2;
    PERFORM @extschema@.flakeid_put_keep(schema, name,
        to_jsonb(kept) || jsonb_build_object('last_run', clock_timestamp(), 'last_error', nullif(error, '')));
    RETURN error;
END
$$;

-- Each table has a transaction of its own, so that the locks on it are gone before the
-- next.  Like flakeid_backfill(), this procedure cannot have a SET clause for search_path.
CREATE PROCEDURE flakeid_maintain()
    LANGUAGE plpgsql
AS $$
DECLARE
    schemas name[];
    names name[];
    error text;
BEGIN
    COMMIT;
    SET LOCAL search_path = pg_catalog, pg_temp;
    SELECT array_agg(k.schema ORDER BY k.schema, k.name), array_agg(k.name ORDER BY k.schema, k.name) INTO schemas, names
    FROM @extschema@.flakeid_kept AS k JOIN pg_namespace AS n ON n.nspname = k.schema
        JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = k.name
    WHERE pg_has_role(c.relowner, 'USAGE');
    FOR i IN 1 .. coalesce(cardinality(names), 0) LOOP
        -- a lock that another session holds now may be free in a second
        FOR attempt IN 1 .. 3 LOOP
            error := @extschema@.flakeid_maintain_one(schemas[i], names[i]);
            COMMIT;
            SET LOCAL search_path = pg_catalog, pg_temp;
            EXIT WHEN error NOT LIKE '55P03:%';
            PERFORM pg_sleep(1);
        END LOOP;
        IF error <> '' THEN
            RAISE WARNING 'partitions of table "%" are not kept: %', format('%I.%I', schemas[i], names[i]), error;
        END IF;
    END LOOP;
END
$$;

COMMENT ON TABLE _flakeid.keep IS 'what flakeid_keep has been told; written by flakeid_put_keep() alone';
COMMENT ON FUNCTION flakeid_put_keep(text, text, jsonb) IS 'stores what flakeid_keep is told, for the owner of the table';
COMMENT ON FUNCTION flakeid_keep_plan(regclass, interval, int, interval, text, timestamptz) IS 'what flakeid_maintain would do for a table now';
COMMENT ON FUNCTION flakeid_keep(regclass, interval, int, interval, text, timestamptz) IS 'have flakeid_maintain create partitions ahead of time and drop those older than retain (0: none)';
COMMENT ON FUNCTION flakeid_unkeep(text, text) IS 'forget what flakeid_keep was told about a table';
COMMENT ON FUNCTION flakeid_keep_now(regclass) IS 'the work of flakeid_maintain for a table';
COMMENT ON FUNCTION flakeid_keep_as_owner(regclass) IS 'flakeid_keep_now with the rights of the table''s owner';
COMMENT ON FUNCTION flakeid_maintain_one(text, text) IS 'a transaction of flakeid_maintain';
COMMENT ON PROCEDURE flakeid_maintain() IS 'create and drop the partitions of all tables in flakeid_kept that the caller may; to be called every day, or more often';
COMMENT ON VIEW flakeid_kept IS 'tables whose partitions flakeid_maintain keeps, and what it would do now';
COMMENT ON COLUMN flakeid_kept.schema IS 'schema of the table';
COMMENT ON COLUMN flakeid_kept.name IS 'table';
COMMENT ON COLUMN flakeid_kept.step IS 'how long a partition is';
COMMENT ON COLUMN flakeid_kept.ahead IS 'how many partitions there should be after that of now';
COMMENT ON COLUMN flakeid_kept.retain IS 'how old IDs must be for their partition to be dropped; 0: none is dropped';
COMMENT ON COLUMN flakeid_kept.layout IS 'how a uuid or bigint tells the time; empty for IDs of flakeid';
COMMENT ON COLUMN flakeid_kept.start_at IS 'partitions begin here, and a step, two steps and so on later';
COMMENT ON COLUMN flakeid_kept.to_create IS 'starts of the partitions that flakeid_maintain would create now';
COMMENT ON COLUMN flakeid_kept.to_drop IS 'partitions that flakeid_maintain would drop now';
COMMENT ON COLUMN flakeid_kept.fault IS 'why flakeid_maintain can do nothing for the table; NULL if it can';
COMMENT ON COLUMN flakeid_kept.last_run IS 'when flakeid_maintain last worked on the table';
COMMENT ON COLUMN flakeid_kept.last_error IS 'SQLSTATE and message if the last run failed, for the table''s owner; NULL if it did not';

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

/* ---------- what is this? ---------- */

-- List every format that accepts the text.  Those in which the ID is of now or the past
-- come first, the newest in front.
CREATE FUNCTION flakeid_guess(id text, OUT format text, OUT "timestamp" timestamptz, OUT parts jsonb) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home text := '@extschema@';
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

    -- our own, of their text, or of the uuid that they have been cast to
    FOR kind IN SELECT f.name FROM @extschema@.flakeid_formats AS f LOOP
        BEGIN
            EXECUTE pg_catalog.format('SELECT i."timestamp", to_jsonb(i) - ''{text,bytes,timestamp}''::text[] FROM %1$s.%2$I(%3$L::text::%1$s.%4$I) AS i',
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
            EXECUTE pg_catalog.format('SELECT i."timestamp", to_jsonb(i) - ''{bytes,timestamp}''::text[] FROM %1$s.%2$I(%3$L::uuid::%1$s.%4$I) AS i',
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
        instants := instants || @extschema@.uuid7_timestamp(value)::timestamptz;
        all_parts := all_parts || CASE kind WHEN 'uuid' THEN '{}' ELSE jsonb_build_object('version', substr(kind, 7)::int) END;
        "timestamp" := @extschema@.ulid_timestamp(value);
        IF kind <> 'uuid v7' AND "timestamp" BETWEEN '2010-01-01Z' AND now() + interval '1 day' THEN
            formats := formats || 'ulid as uuid'::text;
            instants := instants || "timestamp";
            all_parts := all_parts || '{}'::jsonb;
        END IF;
    END IF;
    IF number IS NOT NULL THEN
        FOR layout IN SELECT * FROM @extschema@.flakeid_layouts LOOP
            formats := formats || ('bigint, layout ' || layout.name);
            instants := instants || @extschema@.layout_timestamp(number, layout.name)::timestamptz;
            all_parts := all_parts || jsonb_build_object(layout.low_parts, number & ((1::bigint << layout.low_bits) - 1));
        END LOOP;
    END IF;

    RETURN QUERY SELECT u.f, u.t, u.p
        FROM unnest(formats, instants, all_parts) WITH ORDINALITY AS u (f, t, p, n)
        ORDER BY u.t IS NULL, u.t > now() + interval '1 day', u.t DESC, u.n;
END
$$;

CREATE FUNCTION flakeid_library_version() RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_library_layout() RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_version(OUT library text, OUT extension text, OUT layout int)
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT flakeid_library_version(), extversion, flakeid_library_layout() FROM pg_extension WHERE extname = 'flakeid';
END;

COMMENT ON FUNCTION flakeid_guess(text) IS 'formats that a text can be an ID of, with its instant and parts in each; what is likelier first';
COMMENT ON FUNCTION flakeid_library_version() IS 'version of the library that this session has loaded';
COMMENT ON FUNCTION flakeid_library_layout() IS 'layout of the shared memory that this library makes';
COMMENT ON FUNCTION flakeid_version() IS 'versions of the library that this session has loaded, and of the extension''s SQL, which differ between an upgrade''s steps; and the layout of shared memory: a library with another one needs a restart';
-- last: from here on IDs may be made
SELECT _flakeid.flakeid_mark_take_over();
