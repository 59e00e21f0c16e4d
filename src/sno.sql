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
    INTERNALLENGTH = 10,
    ALIGNMENT = char,
    STORAGE = plain
);

COMMENT ON TYPE sno IS 'sortable ID of 10 bytes after muyo/sno: 4 ms time, tick-tock bit, meta, partition, sequence; text of 16 characters [2-9a-x]';
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

COMMENT ON OPERATOR CLASS sno_ops USING btree IS 'order of time, then of the bytes that follow';
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
CREATE FUNCTION sno_to_uuid(sno) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_from_uuid(uuid) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_timestamp(sno) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION sno_to_bytea(sno) IS 'the 10 bytes of a sno';
COMMENT ON FUNCTION sno_from_bytea(bytea) IS 'sno of 10 bytes';
COMMENT ON FUNCTION sno_to_uuid(sno) IS 'the 16 characters of a sno as the bytes of a uuid';
COMMENT ON FUNCTION sno_from_uuid(uuid) IS 'sno of a uuid made by sno_to_uuid';
COMMENT ON FUNCTION sno_timestamp(sno) IS 'instant of a sno: the start of its 4 ms';

CREATE CAST (text AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS sno) WITH INOUT AS ASSIGNMENT;
CREATE CAST (sno AS bytea) WITH FUNCTION sno_to_bytea(sno);
CREATE CAST (bytea AS sno) WITH FUNCTION sno_from_bytea(bytea);
CREATE CAST (sno AS uuid) WITH FUNCTION sno_to_uuid(sno);
CREATE CAST (uuid AS sno) WITH FUNCTION sno_from_uuid(uuid);
CREATE CAST (sno AS timestamptz) WITH FUNCTION sno_timestamp(sno);

COMMENT ON CAST (text AS sno) IS 'sno of its text';
COMMENT ON CAST (varchar AS sno) IS 'sno of its text';
COMMENT ON CAST (bpchar AS sno) IS 'sno of its text';
COMMENT ON CAST (sno AS bytea) IS 'the 10 bytes of a sno';
COMMENT ON CAST (bytea AS sno) IS 'sno of 10 bytes';
COMMENT ON CAST (sno AS uuid) IS 'the 16 characters of a sno as the bytes of a uuid';
COMMENT ON CAST (uuid AS sno) IS 'sno of a uuid made from a sno';
COMMENT ON CAST (sno AS timestamptz) IS 'instant of a sno: the start of its 4 ms';

-- time

CREATE FUNCTION sno_min(timestamptz) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION sno_max(timestamptz) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION sno_min(timestamptz) IS 'least sno of the 4 ms that hold the instant; outside 2010-2079 the least or greatest of all';
COMMENT ON FUNCTION sno_max(timestamptz) IS 'greatest sno of the 4 ms that hold the instant; outside 2010-2079 the least or greatest of all';

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
COMMENT ON FUNCTION sno_new_at(timestamptz, int) IS 'sno for an instant, to backfill: a session''s own repeat after a pool''s worth in one tick; beside live IDs of that tick any can';
COMMENT ON FUNCTION sno_new_at(timestamptz, int, int) IS 'sno for an instant in a partition, to backfill: a session''s own repeat after a pool''s worth in one tick; beside live IDs of that tick any can';
COMMENT ON FUNCTION sno_make(timestamptz, int, int, int, boolean) IS 'sno of its parts';

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
COMMENT ON FUNCTION sno_restore(jsonb, boolean) IS 'issue nothing any more that a generator with this snapshot may have issued';

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
COMMENT ON OPERATOR CLASS sno_minmax_multi_ops USING brin IS 'several such ranges of sno for a block range';
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

-- time queries

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

-- an instant stands before every ID of its time or later: only what this gives a meaning to is a member
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

