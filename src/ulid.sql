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
    INTERNALLENGTH = 16,
    ALIGNMENT = char,
    STORAGE = plain
);

COMMENT ON TYPE ulid IS 'sortable ID of 16 bytes after ulid/spec: 1 ms time, 80 bits, random or counted; text of 26 digits of Crockford''s base 32';
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

COMMENT ON OPERATOR CLASS ulid_ops USING btree IS 'order of time, then of the bytes that follow';
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
CREATE FUNCTION ulid_timestamp(ulid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ulid_to_bytea(ulid) IS 'the 16 bytes of a ulid';
COMMENT ON FUNCTION ulid_from_bytea(bytea) IS 'ulid of 16 bytes';
COMMENT ON FUNCTION ulid_timestamp(ulid) IS 'instant of a ulid: the start of its millisecond';

CREATE CAST (text AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS ulid) WITH INOUT AS ASSIGNMENT;
CREATE CAST (ulid AS bytea) WITH FUNCTION ulid_to_bytea(ulid);
CREATE CAST (bytea AS ulid) WITH FUNCTION ulid_from_bytea(bytea);
-- the same bytes in the same order: ALTER TABLE ... TYPE rewrites no table
CREATE CAST (ulid AS uuid) WITHOUT FUNCTION;
CREATE CAST (uuid AS ulid) WITHOUT FUNCTION;
CREATE CAST (ulid AS timestamptz) WITH FUNCTION ulid_timestamp(ulid);

COMMENT ON CAST (text AS ulid) IS 'ulid of its text';
COMMENT ON CAST (varchar AS ulid) IS 'ulid of its text';
COMMENT ON CAST (bpchar AS ulid) IS 'ulid of its text';
COMMENT ON CAST (ulid AS bytea) IS 'the 16 bytes of a ulid';
COMMENT ON CAST (bytea AS ulid) IS 'ulid of 16 bytes';
COMMENT ON CAST (ulid AS uuid) IS 'the bytes of a ulid as those of a uuid';
COMMENT ON CAST (uuid AS ulid) IS 'ulid of the bytes of any uuid';
COMMENT ON CAST (ulid AS timestamptz) IS 'instant of a ulid: the start of its millisecond';

-- time

CREATE FUNCTION ulid_min(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_max(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ulid_min(timestamptz) IS 'least ulid of the millisecond that holds the instant; outside 1970-10889 the least or greatest of all';
COMMENT ON FUNCTION ulid_max(timestamptz) IS 'greatest ulid of the millisecond that holds the instant; outside 1970-10889 the least or greatest of all';

-- new IDs

CREATE FUNCTION ulid_new() RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_new_at(at timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION ulid_make(at timestamptz, random bytea) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_new() IS 'new ulid: the millisecond, a counter of 18 bits and 62 random bits; on a standby 80 random bits';
COMMENT ON FUNCTION ulid_new_at(timestamptz) IS 'ulid for an instant, to backfill: its millisecond, a counter of this session and 62 random bits';
COMMENT ON FUNCTION ulid_make(timestamptz, bytea) IS 'ulid of its parts: an instant and 10 bytes';

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
COMMENT ON OPERATOR CLASS ulid_minmax_multi_ops USING brin IS 'several such ranges of ulid for a block range';
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

-- time queries

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

-- an instant stands before every ID of its time or later: only what this gives a meaning to is a member
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

