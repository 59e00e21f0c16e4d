-- ulid: what only this type has
--
--     casts     uuid
--     new IDs   ulid_new, ulid_new_at, ulid_make
--     parts     ulid_random, ulid_inspect
--     as uuid   ulid_text, ulid_uuid
-- @
-- @ The rest is in type.sql, time.sql and horizon.sql, which take these words:
-- @TEMPLATES@ type time horizon
-- @STORAGE@ INTERNALLENGTH = 16, ALIGNMENT = char, STORAGE = plain
-- @BYTES@ 16
-- @INSTANT@ instant of a ulid: the start of its millisecond
-- @SPAN@ 1970-10889
-- @BY@

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

-- ULIDs that stay uuid: their text

CREATE FUNCTION ulid_text(id uuid) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid(id text) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ulid_text(uuid) IS 'the 26 characters of a ULID that is stored as uuid';
COMMENT ON FUNCTION ulid_uuid(text) IS 'uuid with the bytes of a ULID, whose text is read as type ulid reads it';
