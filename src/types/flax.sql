-- flax: what only this type has
--
--     casts     uuid, numeric
--     new IDs   flax_new, flax_new_at, flax_make
--     parts     flax_random, flax_inspect
-- @
-- @ The rest is in type.sql and time.sql, which take these words:
-- @TEMPLATES@ type time
-- @STORAGE@ INTERNALLENGTH = 12, ALIGNMENT = char, STORAGE = plain
-- @BYTES@ 12
-- @INSTANT@ instant of a flax: the start of its millisecond
-- @SPAN@ 2015-2049
-- @BY@

COMMENT ON TYPE flax IS 'sortable ID of 12 bytes after ergeon/flax-id: 1 ms time, 56 random bits; text of 16 characters [-0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS flax_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION _flakeid_functions.flax_to_uuid(flax) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_from_uuid(uuid) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flax_to_numeric(flax) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.flax_from_numeric(numeric) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.flax_to_uuid(flax) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON FUNCTION _flakeid_functions.flax_from_uuid(uuid) IS 'flax from a uuid made from a flax';
COMMENT ON FUNCTION _flakeid_functions.flax_to_numeric(flax) IS 'the 12 bytes of a flax as one number';
COMMENT ON FUNCTION _flakeid_functions.flax_from_numeric(numeric) IS 'flax from the number of its 12 bytes';

CREATE CAST (flax AS uuid) WITH FUNCTION _flakeid_functions.flax_to_uuid(flax);
CREATE CAST (uuid AS flax) WITH FUNCTION _flakeid_functions.flax_from_uuid(uuid);
CREATE CAST (flax AS numeric) WITH FUNCTION _flakeid_functions.flax_to_numeric(flax);
CREATE CAST (numeric AS flax) WITH FUNCTION _flakeid_functions.flax_from_numeric(numeric);

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
    SELECT id::text, id::bytea, @extschema@.flax_timestamp(id),
        @extschema@.flax_random(id);
END;

COMMENT ON FUNCTION flax_random(flax) IS 'random bits of a flax, 0 to 72057594037927935';
COMMENT ON FUNCTION flax_inspect(flax) IS 'every part of a flax';
