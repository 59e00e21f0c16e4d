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
    LIKE = pg_catalog.int8,
    -- a number among numbers, so that IN (1, 2) and coalesce(id, 0) are of this type
    CATEGORY = 'N'
);

COMMENT ON TYPE snowflake IS 'sortable ID of 8 bytes, Discord''s flavour, after SUOU: 1 ms time, worker, process, sequence; decimal text; epoch 2015-01-01 UTC in casts and comparisons';
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

COMMENT ON OPERATOR CLASS snowflake_ops USING btree IS 'order of time, then of the bytes that follow';
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
CREATE FUNCTION snowflake_timestamp(snowflake) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION snowflake_to_bytea(snowflake) IS 'the 8 bytes of a snowflake';
COMMENT ON FUNCTION snowflake_from_bytea(bytea) IS 'snowflake of 8 bytes';
COMMENT ON FUNCTION snowflake_to_numeric(snowflake) IS 'snowflake as a number';
COMMENT ON FUNCTION snowflake_from_numeric(numeric) IS 'snowflake of its number';
COMMENT ON FUNCTION snowflake_to_bigint(snowflake) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON FUNCTION snowflake_from_bigint(bigint) IS 'snowflake of its number, which must not be negative';
COMMENT ON FUNCTION snowflake_from_int(int) IS 'snowflake of its number, which must not be negative';
COMMENT ON FUNCTION snowflake_from_smallint(smallint) IS 'snowflake of its number, which must not be negative';
COMMENT ON FUNCTION snowflake_timestamp(snowflake) IS 'instant of a snowflake by the epoch 2015-01-01 UTC: the start of its millisecond';

CREATE CAST (text AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS snowflake) WITH INOUT AS ASSIGNMENT;
CREATE CAST (snowflake AS bytea) WITH FUNCTION snowflake_to_bytea(snowflake);
CREATE CAST (bytea AS snowflake) WITH FUNCTION snowflake_from_bytea(bytea);
CREATE CAST (snowflake AS numeric) WITH FUNCTION snowflake_to_numeric(snowflake);
CREATE CAST (numeric AS snowflake) WITH FUNCTION snowflake_from_numeric(numeric);
CREATE CAST (snowflake AS bigint) WITH FUNCTION snowflake_to_bigint(snowflake) AS ASSIGNMENT;
-- implicit, because people write WHERE id = 175928847299117063, and drivers send small numbers
-- as smallint
CREATE CAST (bigint AS snowflake) WITH FUNCTION snowflake_from_bigint(bigint) AS IMPLICIT;
CREATE CAST (int AS snowflake) WITH FUNCTION snowflake_from_int(int) AS IMPLICIT;
CREATE CAST (smallint AS snowflake) WITH FUNCTION snowflake_from_smallint(smallint) AS IMPLICIT;
CREATE CAST (snowflake AS timestamptz) WITH FUNCTION snowflake_timestamp(snowflake);

COMMENT ON CAST (text AS snowflake) IS 'snowflake of its text';
COMMENT ON CAST (varchar AS snowflake) IS 'snowflake of its text';
COMMENT ON CAST (bpchar AS snowflake) IS 'snowflake of its text';
COMMENT ON CAST (snowflake AS bytea) IS 'the 8 bytes of a snowflake';
COMMENT ON CAST (bytea AS snowflake) IS 'snowflake of 8 bytes';
COMMENT ON CAST (snowflake AS numeric) IS 'snowflake as a number';
COMMENT ON CAST (numeric AS snowflake) IS 'snowflake of its number';
COMMENT ON CAST (snowflake AS bigint) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON CAST (bigint AS snowflake) IS 'snowflake of its number, which must not be negative';
COMMENT ON CAST (int AS snowflake) IS 'snowflake of its number, which must not be negative';
COMMENT ON CAST (smallint AS snowflake) IS 'snowflake of its number, which must not be negative';
COMMENT ON CAST (snowflake AS timestamptz) IS 'instant of a snowflake by the epoch 2015-01-01 UTC: the start of its millisecond';

-- time

CREATE FUNCTION snowflake_min(timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_max(timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_min(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_max(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_timestamp(snowflake, epoch timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_min(timestamptz) IS 'least snowflake of the millisecond that holds the instant, by the epoch 2015-01-01 UTC; outside 2015-2154 the least or greatest of all';
COMMENT ON FUNCTION snowflake_max(timestamptz) IS 'greatest snowflake of the millisecond that holds the instant, by the epoch 2015-01-01 UTC; outside 2015-2154 the least or greatest of all';
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
COMMENT ON FUNCTION snowflake_new(timestamptz) IS 'new snowflake of this database''s worker, by an epoch; casts and comparisons with timestamptz do not know it';
COMMENT ON FUNCTION snowflake_new_at(timestamptz) IS 'snowflake for an instant, by the epoch 2015-01-01 UTC, to backfill: a session''s own repeat after a pool''s worth in one tick; beside live IDs of that tick any can';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int) IS 'snowflake of its parts, by the epoch 2015-01-01 UTC';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int, timestamptz) IS 'snowflake of its parts, by an epoch';

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
COMMENT ON FUNCTION snowflake_parse(text, text) IS 'snowflake of its text in one of the notations that snowflake_format writes';

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
COMMENT ON OPERATOR CLASS snowflake_minmax_multi_ops USING brin IS 'several such ranges of snowflake for a block range';
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

-- time queries

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

-- an instant stands before every ID of its time or later: only what this gives a meaning to is a member
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

