-- ksuid: what only this type has
--
--     new IDs   ksuid_new, ksuid_new_at, ksuid_make
--     parts     ksuid_payload, ksuid_inspect
--     order     ksuid_next, ksuid_prev
-- @
-- @ The rest is in type.sql, time.sql and horizon.sql, which take these words:
-- @TEMPLATES@ type time horizon
-- @STORAGE@ INTERNALLENGTH = 20, ALIGNMENT = char, STORAGE = plain
-- @BYTES@ 20
-- @INSTANT@ instant of a ksuid: the start of its second
-- @SPAN@ 2014-2150
-- @BY@

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

