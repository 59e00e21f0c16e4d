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

COMMENT ON TYPE uid64 IS 'sortable ID of 8 bytes after fogfish/uid, local: 1.024 ms time, sequence; text of 11 characters [.0-9A-Z_a-z]';
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

COMMENT ON OPERATOR CLASS uid64_ops USING btree IS 'order of time, then of the sequence';
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
CREATE FUNCTION uid64_timestamp(uid64) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION uid64_to_bytea(uid64) IS 'the 8 bytes of a uid64';
COMMENT ON FUNCTION uid64_from_bytea(bytea) IS 'uid64 of 8 bytes';
COMMENT ON FUNCTION uid64_timestamp(uid64) IS 'instant of a uid64: the start of its 1.024 ms';

CREATE CAST (text AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS uid64) WITH INOUT AS ASSIGNMENT;
CREATE CAST (uid64 AS bytea) WITH FUNCTION uid64_to_bytea(uid64);
CREATE CAST (bytea AS uid64) WITH FUNCTION uid64_from_bytea(bytea);
CREATE CAST (uid64 AS timestamptz) WITH FUNCTION uid64_timestamp(uid64);

COMMENT ON CAST (text AS uid64) IS 'uid64 of its text';
COMMENT ON CAST (varchar AS uid64) IS 'uid64 of its text';
COMMENT ON CAST (bpchar AS uid64) IS 'uid64 of its text';
COMMENT ON CAST (uid64 AS bytea) IS 'the 8 bytes of a uid64';
COMMENT ON CAST (bytea AS uid64) IS 'uid64 of 8 bytes';
COMMENT ON CAST (uid64 AS timestamptz) IS 'instant of a uid64: the start of its 1.024 ms';

-- time

CREATE FUNCTION uid64_min(timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid64_max(timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION uid64_min(timestamptz) IS 'least uid64 of the 1.024 ms that hold the instant; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid64_max(timestamptz) IS 'greatest uid64 of the 1.024 ms that hold the instant; outside 1970-35198 the least or greatest of all';

-- new IDs

CREATE FUNCTION uid64_new() RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_new_at(at timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid64_make(at timestamptz, sequence int) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_new() IS 'new uid64, unique within this database';
COMMENT ON FUNCTION uid64_new_at(timestamptz) IS 'uid64 for an instant, to backfill: a session''s own repeat after a pool''s worth in one tick; beside live IDs of that tick any can';
COMMENT ON FUNCTION uid64_make(timestamptz, int) IS 'uid64 of its parts';

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
COMMENT ON OPERATOR CLASS uid64_minmax_multi_ops USING brin IS 'several such ranges of uid64 for a block range';
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

-- time queries

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

-- an instant stands before every ID of its time or later: only what this gives a meaning to is a member
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
    INTERNALLENGTH = 12,
    ALIGNMENT = char,
    STORAGE = plain
);

COMMENT ON TYPE uid96 IS 'sortable ID of 12 bytes after fogfish/uid, global: 1.024 ms time with a node of 32 bits in it, sequence; text of 16 characters [.0-9A-Z_a-z]';
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

COMMENT ON OPERATOR CLASS uid96_ops USING btree IS 'order of the neighbourhood (256 s), then of the node, then of time';
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
CREATE FUNCTION uid96_timestamp(uid96) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_timestamp(uid96, drift int) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_to_bytea(uid96) IS 'the 12 bytes of a uid96';
COMMENT ON FUNCTION uid96_from_bytea(bytea) IS 'uid96 of 12 bytes';
COMMENT ON FUNCTION uid96_timestamp(uid96) IS 'instant of a uid96 made with drift 8: the start of its 1.024 ms';
COMMENT ON FUNCTION uid96_timestamp(uid96, int) IS 'instant of a uid96 made with this drift: the start of its 1.024 ms';

CREATE CAST (text AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS uid96) WITH INOUT AS ASSIGNMENT;
CREATE CAST (uid96 AS bytea) WITH FUNCTION uid96_to_bytea(uid96);
CREATE CAST (bytea AS uid96) WITH FUNCTION uid96_from_bytea(bytea);
CREATE CAST (uid96 AS timestamptz) WITH FUNCTION uid96_timestamp(uid96);

COMMENT ON CAST (text AS uid96) IS 'uid96 of its text';
COMMENT ON CAST (varchar AS uid96) IS 'uid96 of its text';
COMMENT ON CAST (bpchar AS uid96) IS 'uid96 of its text';
COMMENT ON CAST (uid96 AS bytea) IS 'the 12 bytes of a uid96';
COMMENT ON CAST (bytea AS uid96) IS 'uid96 of 12 bytes';
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
COMMENT ON FUNCTION uid96_new_at(timestamptz) IS 'uid96 for an instant, to backfill: a session''s own repeat after a pool''s worth in one tick; beside live IDs of that tick any can';
COMMENT ON FUNCTION uid96_make(timestamptz, bigint, int) IS 'uid96 of its parts, drift 8';
COMMENT ON FUNCTION uid96_make(timestamptz, bigint, int, int) IS 'uid96 of its parts, drift 5 to 10';

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
COMMENT ON OPERATOR CLASS uid96_minmax_multi_ops USING brin IS 'several such ranges of uid96 for a block range';
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

/* ---------- uid64 and uid96 ---------- */

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
