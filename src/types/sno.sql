-- sno: what only this type has
--
--     casts             uuid
--     new IDs           sno_new, sno_new_at, sno_make
--     parts             sno_tick_tock, _meta, _partition, _sequence, sno_set_..., sno_zero, sno_inspect
--     generator state   sno_snapshot, sno_restore
-- @
-- @ The rest is in type.sql, time.sql and horizon.sql, which take these words:
-- @TEMPLATES@ type time horizon
-- @STORAGE@ INTERNALLENGTH = 10, ALIGNMENT = char, STORAGE = plain
-- @BYTES@ 10
-- @INSTANT@ instant of a sno: the start of its 4 ms
-- @SPAN@ 2010-2079
-- @BY@

COMMENT ON TYPE sno IS 'sortable ID of 10 bytes after muyo/sno: 4 ms time, tick-tock bit, meta, partition, sequence; text of 16 characters [2-9a-x]';
COMMENT ON OPERATOR CLASS sno_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION _flakeid_functions.sno_to_uuid(sno) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.sno_from_uuid(uuid) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.sno_to_uuid(sno) IS 'the 16 characters of a sno as the bytes of a uuid';
COMMENT ON FUNCTION _flakeid_functions.sno_from_uuid(uuid) IS 'sno from a uuid made from a sno';

CREATE CAST (sno AS uuid) WITH FUNCTION _flakeid_functions.sno_to_uuid(sno);
CREATE CAST (uuid AS sno) WITH FUNCTION _flakeid_functions.sno_from_uuid(uuid);

COMMENT ON CAST (sno AS uuid) IS 'the 16 characters of a sno as the bytes of a uuid';
COMMENT ON CAST (uuid AS sno) IS 'sno from a uuid made from a sno';

-- new IDs

CREATE FUNCTION sno_new(meta int DEFAULT 0) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_new(meta int, partition int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_new_at(at timestamptz, meta int DEFAULT 0) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_new_at(at timestamptz, meta int, partition int) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_make(at timestamptz, meta int, partition int, sequence int, tick_tock boolean DEFAULT false) RETURNS sno
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION sno_new(int) IS 'new sno of this database''s partition; meta is 0 to 255';
COMMENT ON FUNCTION sno_new(int, int) IS 'new sno of a partition, 0 to 65535; meta is 0 to 255';
COMMENT ON FUNCTION sno_new_at(timestamptz, int) IS 'sno for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION sno_new_at(timestamptz, int, int) IS 'sno for an instant in a partition, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION sno_make(timestamptz, int, int, int, boolean) IS 'sno from its parts';

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
    SELECT id::text, id::bytea, @extschema@.sno_timestamp(id),
        @extschema@.sno_tick_tock(id), @extschema@.sno_meta(id), @extschema@.sno_partition(id), @extschema@.sno_sequence(id);
END;

COMMENT ON FUNCTION sno_tick_tock(sno) IS 'tick-tock bit: true on timeline 1, after an odd number of changes of timeline';
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
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_snapshot(partition int) RETURNS jsonb
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION sno_restore(snapshot jsonb, force boolean DEFAULT false) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION sno_restore(jsonb, boolean) FROM PUBLIC;

COMMENT ON FUNCTION sno_snapshot() IS 'state of the generator of this database''s partition, as the Go library''s GeneratorSnapshot';
COMMENT ON FUNCTION sno_snapshot(int) IS 'state of the generator of a partition, as the Go library''s GeneratorSnapshot';
COMMENT ON FUNCTION sno_restore(jsonb, boolean) IS 'never again issue an ID that a generator with this snapshot may have issued';

-- the horizon: while it is asked for, generators cannot go back to the other timeline

REVOKE ALL ON FUNCTION sno_horizon() FROM PUBLIC;
