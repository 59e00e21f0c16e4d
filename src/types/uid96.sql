-- uid96: what only this type has
--
--     casts                   timestamptz, with a drift
--     time                    uid96_min, uid96_max, with a drift
--     new IDs                 uid96_new, uid96_new_at, uid96_make
--     parts                   uid96_sequence, _node, uid96_inspect
--     from one to the other   uid96_to_local, uid64_to_global, uid_node_hash
--     distance                uid_distance
-- @
-- @ The rest is in type.sql, which takes these words:
-- @TEMPLATES@ type
-- @STORAGE@ INTERNALLENGTH = 12, ALIGNMENT = char, STORAGE = plain
-- @BYTES@ 12

COMMENT ON TYPE uid96 IS 'sortable ID of 12 bytes after fogfish/uid, global: 1.024 ms time with a node of 32 bits in it, sequence; text of 16 characters [.0-9A-Z_a-z]';
COMMENT ON OPERATOR CLASS uid96_ops USING btree IS 'order of the neighbourhood (256 s), then of the node, then of time';

-- casts

CREATE FUNCTION uid96_timestamp(uid96) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_timestamp(uid96, drift int) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_timestamp(uid96) IS 'instant of a uid96 made with drift 8: the start of its 1.024 ms';
COMMENT ON FUNCTION uid96_timestamp(uid96, int) IS 'instant of a uid96 made with this drift: the start of its 1.024 ms';

CREATE CAST (uid96 AS timestamptz) WITH FUNCTION uid96_timestamp(uid96);

COMMENT ON CAST (uid96 AS timestamptz) IS 'instant of a uid96 made with drift 8: the start of its 1.024 ms';

-- time

CREATE FUNCTION uid96_min(timestamptz) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_max(timestamptz) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_min(timestamptz, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_max(timestamptz, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_min(timestamptz) IS 'least uid96 of the 256 s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid96_max(timestamptz) IS 'greatest uid96 of the 256 s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid96_min(timestamptz, int) IS 'least uid96 of the 2^drift s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';
COMMENT ON FUNCTION uid96_max(timestamptz, int) IS 'greatest uid96 of the 2^drift s that hold the instant, whatever its node; outside 1970-35198 the least or greatest of all';

-- new IDs

CREATE FUNCTION uid96_new() RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid96_new(drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid96_new_at(at timestamptz) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uid96_make(at timestamptz, node bigint, sequence int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_make(at timestamptz, node bigint, sequence int, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_new() IS 'new uid96 of this database''s node, drift 8; it shares a generator with uid64_new()';
COMMENT ON FUNCTION uid96_new(int) IS 'new uid96 of this database''s node, drift 5 to 10; it shares a generator with uid64_new()';
COMMENT ON FUNCTION uid96_new_at(timestamptz) IS 'uid96 for an instant, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION uid96_make(timestamptz, bigint, int) IS 'uid96 from its parts, drift 8';
COMMENT ON FUNCTION uid96_make(timestamptz, bigint, int, int) IS 'uid96 from its parts, drift 5 to 10';

-- parts

CREATE FUNCTION uid96_sequence(uid96) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_node(uid96) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_node(uid96, drift int) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid96_inspect(
    id uid96, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT node bigint, OUT sequence int
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.uid96_timestamp(id), @extschema@.uid96_node(id), @extschema@.uid96_sequence(id);
END;

COMMENT ON FUNCTION uid96_sequence(uid96) IS 'sequence number of a uid96, 0 to 16383';
COMMENT ON FUNCTION uid96_node(uid96) IS 'node of a uid96 made with drift 8, 0 to 4294967295';
COMMENT ON FUNCTION uid96_node(uid96, int) IS 'node of a uid96 made with this drift, 0 to 4294967295';
COMMENT ON FUNCTION uid96_inspect(uid96) IS 'every part of a uid96 made with drift 8';

-- from one to the other

CREATE FUNCTION uid96_to_local(uid96) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uid96_to_local(uid96, drift int) RETURNS uid64
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_to_global(uid64) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid64_to_global(uid64, drift int) RETURNS uid96
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid_node_hash(name text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid96_to_local(uid96) IS 'uid64 with the time and sequence of a uid96 made with drift 8';
COMMENT ON FUNCTION uid96_to_local(uid96, int) IS 'uid64 with the time and sequence of a uid96 made with this drift';
COMMENT ON FUNCTION uid64_to_global(uid64) IS 'uid96 with this database''s node and the time and sequence of a uid64, drift 8';
COMMENT ON FUNCTION uid64_to_global(uid64, int) IS 'uid96 with this database''s node and the time and sequence of a uid64, drift 5 to 10';
COMMENT ON FUNCTION uid_node_hash(text) IS 'node number of a node''s name: Erlang''s phash2 of the atom';

-- distance

CREATE FUNCTION uid_distance(a uid64, b uid64, OUT elapsed interval, OUT sequence int)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION uid_distance(a uid96, b uid96, OUT elapsed interval, OUT sequence int)
    AS 'MODULE_PATHNAME', 'uid_distance_uid96' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION uid_distance(uid64, uid64) IS 'time from b to a, and a''s sequence number minus b''s';
COMMENT ON FUNCTION uid_distance(uid96, uid96) IS 'time from b to a, and a''s sequence number minus b''s; both of one node';

