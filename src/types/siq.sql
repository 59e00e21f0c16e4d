-- siq: what only this type has
--
--     casts                     uuid, numeric
--     new IDs                   siq_domain_hash, siq_new, siq_new_at, siq_make
--     parts                     siq_shard, _domain, _serial, _qualifier, _type_of, _is_leaf, siq_inspect
--     the library's notations   siq_format, siq_parse, siq_did
--     migration                 siq_from_ulid; siq_from_snowflake is in snowflake.sql
-- @
-- @ The rest is in type.sql, time.sql and horizon.sql, which take these words:
-- @TEMPLATES@ type time horizon
-- @STORAGE@ INTERNALLENGTH = 14, ALIGNMENT = char, STORAGE = plain
-- @BYTES@ 14
-- @INSTANT@ instant of a siq: the first microsecond of its 1/65536 s
-- @SPAN@ 1970-36812
-- @BY@

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

COMMENT ON FUNCTION siq_format(siq, text) IS 'siq in one of SUOU''s notations: b, c, 0c, d, l, o, u or x';
COMMENT ON FUNCTION siq_parse(text, text) IS 'siq from its text in one of SUOU''s notations: b, c, 0c, d, l, o, u or x';
COMMENT ON FUNCTION siq_did(siq) IS 'siq as a decentralized identifier, did:siq: and a checksum';

-- migration

CREATE FUNCTION siq_from_ulid(ulid text, domain text, type text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_from_ulid(text, text, text) IS 'siq from a ULID, of whose 80 random bits 25 to 27 are kept';

