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
    INTERNALLENGTH = 12,
    ALIGNMENT = char,
    STORAGE = plain
);

COMMENT ON TYPE flax IS 'sortable ID of 12 bytes after ergeon/flax-id: 1 ms time, 56 random bits; text of 16 characters [-0-9A-Z_a-z]';
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

COMMENT ON OPERATOR CLASS flax_ops USING btree IS 'order of time, then of the bytes that follow';
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
CREATE FUNCTION flax_to_uuid(flax) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_uuid(uuid) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_to_numeric(flax) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_numeric(numeric) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_timestamp(flax) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flax_to_bytea(flax) IS 'the 12 bytes of a flax';
COMMENT ON FUNCTION flax_from_bytea(bytea) IS 'flax of 12 bytes';
COMMENT ON FUNCTION flax_to_uuid(flax) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON FUNCTION flax_from_uuid(uuid) IS 'flax of a uuid made by flax_to_uuid';
COMMENT ON FUNCTION flax_to_numeric(flax) IS 'the 12 bytes of a flax as one number';
COMMENT ON FUNCTION flax_from_numeric(numeric) IS 'flax of the number of its 12 bytes';
COMMENT ON FUNCTION flax_timestamp(flax) IS 'instant of a flax: the start of its millisecond';

CREATE CAST (text AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (flax AS bytea) WITH FUNCTION flax_to_bytea(flax);
CREATE CAST (bytea AS flax) WITH FUNCTION flax_from_bytea(bytea);
CREATE CAST (flax AS uuid) WITH FUNCTION flax_to_uuid(flax);
CREATE CAST (uuid AS flax) WITH FUNCTION flax_from_uuid(uuid);
CREATE CAST (flax AS numeric) WITH FUNCTION flax_to_numeric(flax);
CREATE CAST (numeric AS flax) WITH FUNCTION flax_from_numeric(numeric);
CREATE CAST (flax AS timestamptz) WITH FUNCTION flax_timestamp(flax);

COMMENT ON CAST (text AS flax) IS 'flax of its text';
COMMENT ON CAST (varchar AS flax) IS 'flax of its text';
COMMENT ON CAST (bpchar AS flax) IS 'flax of its text';
COMMENT ON CAST (flax AS bytea) IS 'the 12 bytes of a flax';
COMMENT ON CAST (bytea AS flax) IS 'flax of 12 bytes';
COMMENT ON CAST (flax AS uuid) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON CAST (uuid AS flax) IS 'flax of a uuid made from a flax';
COMMENT ON CAST (flax AS numeric) IS 'the 12 bytes of a flax as one number';
COMMENT ON CAST (numeric AS flax) IS 'flax of the number of its 12 bytes';
COMMENT ON CAST (flax AS timestamptz) IS 'instant of a flax: the start of its millisecond';

-- time

CREATE FUNCTION flax_min(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_max(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flax_min(timestamptz) IS 'least flax of the millisecond that holds the instant; outside 2015-2049 the least or greatest of all';
COMMENT ON FUNCTION flax_max(timestamptz) IS 'greatest flax of the millisecond that holds the instant; outside 2015-2049 the least or greatest of all';

-- new IDs

CREATE FUNCTION flax_new() RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_new_at(at timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_make(at timestamptz, random bigint) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_new() IS 'new flax: the millisecond and 56 random bits';
COMMENT ON FUNCTION flax_new_at(timestamptz) IS 'flax for an instant, to backfill: its millisecond and 56 random bits';
COMMENT ON FUNCTION flax_make(timestamptz, bigint) IS 'flax of its parts';

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
COMMENT ON OPERATOR CLASS flax_minmax_multi_ops USING brin IS 'several such ranges of flax for a block range';
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

-- time queries

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

-- an instant stands before every ID of its time or later: only what this gives a meaning to is a member
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

