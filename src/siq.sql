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
    INTERNALLENGTH = 14,
    ALIGNMENT = char,
    STORAGE = plain
);

COMMENT ON TYPE siq IS 'sortable ID of 14 bytes after SIS (SUOU): time in 1/65536 s, shard, domain hash, serial, type of what it names; text of 23 digits of Crockford base 32';
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

COMMENT ON OPERATOR CLASS siq_ops USING btree IS 'order of time, then of the bytes that follow';
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
CREATE FUNCTION siq_to_uuid(siq) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_from_uuid(uuid) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_to_numeric(siq) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_from_numeric(numeric) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_timestamp(siq) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION siq_to_bytea(siq) IS 'the 14 bytes of a siq';
COMMENT ON FUNCTION siq_from_bytea(bytea) IS 'siq of 14 bytes';
COMMENT ON FUNCTION siq_to_uuid(siq) IS 'siq as a UUIDv8 that sorts the same';
COMMENT ON FUNCTION siq_from_uuid(uuid) IS 'siq of a UUIDv8 made by siq_to_uuid';
COMMENT ON FUNCTION siq_to_numeric(siq) IS 'the 14 bytes of a siq as a number';
COMMENT ON FUNCTION siq_from_numeric(numeric) IS 'siq of a number, 0 to 2^112 - 1';
COMMENT ON FUNCTION siq_timestamp(siq) IS 'instant of a siq: the first microsecond of its 1/65536 s';

CREATE CAST (text AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS siq) WITH INOUT AS ASSIGNMENT;
CREATE CAST (siq AS bytea) WITH FUNCTION siq_to_bytea(siq);
CREATE CAST (bytea AS siq) WITH FUNCTION siq_from_bytea(bytea);
CREATE CAST (siq AS uuid) WITH FUNCTION siq_to_uuid(siq);
CREATE CAST (uuid AS siq) WITH FUNCTION siq_from_uuid(uuid);
CREATE CAST (siq AS numeric) WITH FUNCTION siq_to_numeric(siq);
CREATE CAST (numeric AS siq) WITH FUNCTION siq_from_numeric(numeric);
CREATE CAST (siq AS timestamptz) WITH FUNCTION siq_timestamp(siq);

COMMENT ON CAST (text AS siq) IS 'siq of its text';
COMMENT ON CAST (varchar AS siq) IS 'siq of its text';
COMMENT ON CAST (bpchar AS siq) IS 'siq of its text';
COMMENT ON CAST (siq AS bytea) IS 'the 14 bytes of a siq';
COMMENT ON CAST (bytea AS siq) IS 'siq of 14 bytes';
COMMENT ON CAST (siq AS uuid) IS 'siq as a UUIDv8 that sorts the same';
COMMENT ON CAST (uuid AS siq) IS 'siq of a UUIDv8 made from a siq';
COMMENT ON CAST (siq AS numeric) IS 'the 14 bytes of a siq as a number';
COMMENT ON CAST (numeric AS siq) IS 'siq of a number, 0 to 2^112 - 1';
COMMENT ON CAST (siq AS timestamptz) IS 'instant of a siq: the first microsecond of its 1/65536 s';

-- time

CREATE FUNCTION siq_min(timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION siq_max(timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION siq_min(timestamptz) IS 'least siq of the 1/65536 s that holds the instant; outside 1970-36812 the least or greatest of all';
COMMENT ON FUNCTION siq_max(timestamptz) IS 'greatest siq of the 1/65536 s that holds the instant; outside 1970-36812 the least or greatest of all';

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
COMMENT ON FUNCTION siq_new_at(timestamptz, siq_type) IS 'siq for an instant, to backfill: a session''s own repeat after a pool''s worth in one tick; beside live IDs of that tick any can';
COMMENT ON FUNCTION siq_new_at(timestamptz, siq_type, text) IS 'siq of a domain for an instant, to backfill: a session''s own repeat after a pool''s worth in one tick; beside live IDs of that tick any can';
COMMENT ON FUNCTION siq_make(timestamptz, int, bigint, int, siq_type) IS 'siq of its parts';
COMMENT ON FUNCTION siq_make(timestamptz, int, bigint, int) IS 'siq of its parts, the last 16 bits as a number';

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
COMMENT ON FUNCTION siq_parse(text, text) IS 'siq of its text in one of SUOU''s notations: b, c, 0c, d, l, o, u or x';
COMMENT ON FUNCTION siq_did(siq) IS 'siq as a decentralized identifier, did:siq: and a checksum';
COMMENT ON FUNCTION siq_mastodon(siq, text) IS 'siq as an account of a Mastodon server, of the own one if the domain is empty';
COMMENT ON FUNCTION siq_matrix(siq, text) IS 'siq as a user of a Matrix server';

-- migration

CREATE FUNCTION siq_from_ulid(ulid text, domain text, type siq_type) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type siq_type) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type siq_type, epoch timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_from_ulid(text, text, siq_type) IS 'siq of a ULID, of whose 80 random bits 25 to 27 are kept';
COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, siq_type) IS 'siq of a snowflake that counts from 2015-01-01 UTC; no two become one';
COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, siq_type, timestamptz) IS 'siq of a snowflake that counts from another epoch; no two become one';

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
COMMENT ON OPERATOR CLASS siq_minmax_multi_ops USING brin IS 'several such ranges of siq for a block range';
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

-- time queries

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

-- an instant stands before every ID of its time or later: only what this gives a meaning to is a member
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

