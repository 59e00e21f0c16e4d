-- uid64: what only this type has
--
--     new IDs   uid64_new, uid64_new_at, uid64_make
--     parts     uid64_sequence, uid64_zero, uid64_inspect
-- @
-- @ The rest is in type.sql, time.sql and horizon.sql, which take these words:
-- @TEMPLATES@ type time horizon
-- @STORAGE@ LIKE = pg_catalog.int8
-- @BYTES@ 8
-- @INSTANT@ instant of a uid64: the start of its 1.024 ms
-- @SPAN@ 1970-35198
-- @BY@

COMMENT ON TYPE uid64 IS 'sortable ID of 8 bytes after fogfish/uid, local: 1.024 ms time, sequence; text of 11 characters [.0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS uid64_ops USING btree IS 'order of time, then of the sequence';

-- new IDs

CREATE FUNCTION uid64_new() RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid64_new_at(at timestamptz) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid64_make(at timestamptz, sequence int) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid64_new() IS 'new uid64, unique within this database';
COMMENT ON FUNCTION uid64_new_at(timestamptz) IS 'uid64 for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION uid64_make(timestamptz, int) IS 'uid64 from its parts';

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
    SELECT id::text, id::bytea, @extschema@.uid64_timestamp(id), @extschema@.uid64_sequence(id);
END;

COMMENT ON FUNCTION uid64_sequence(uid64) IS 'sequence number of a uid64, 0 to 16383';
COMMENT ON FUNCTION uid64_zero() IS 'the least uid64';
COMMENT ON FUNCTION uid64_inspect(uid64) IS 'every part of a uid64';

