/* ---------- time on the IDs that people have ---------- */

-- A condition on one of the functions below, such as uuid7_timestamp(id) >= t, becomes
-- a condition on the column: see src/planner/where.c.

-- what the planner puts in their place

CREATE FUNCTION _flakeid_functions.flakeid_date_instant(date) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_timestamp_instant(timestamp) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_range_last(tstzrange) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE FUNCTION _flakeid_functions.flakeid_foreign_horizon(anyelement, text, text) RETURNS anyelement
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION _flakeid_functions.flakeid_foreign_horizon(anyelement, text, text) IS 'an error: the planner puts T_horizon() into it, in conditions on foreign partitions that may turn out not to be read';

COMMENT ON FUNCTION _flakeid_functions.flakeid_date_instant(date) IS 'midnight of a date in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_timestamp_instant(timestamp) IS 'instant of a timestamp in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_last(tstzrange) IS 'last instant in a range, infinity included; -infinity if it is empty';

-- a condition of a UNION ALL, in one of its arms

CREATE FUNCTION _flakeid_functions.flakeid_where_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_where(boolean, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_where_support;

COMMENT ON FUNCTION _flakeid_functions.flakeid_where_support(internal) IS 'planner support for flakeid_where';
COMMENT ON FUNCTION _flakeid_functions.flakeid_where(boolean, internal) IS 'its first argument: a condition of a UNION ALL, which becomes one on the ID in each arm; no SQL can write the second argument';

-- version 7 UUIDs

CREATE FUNCTION uuid7_timestamp(uuid) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION uuid7_min(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION uuid7_max(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.is_uuid7_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_uuid7(uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.is_uuid7_support;

COMMENT ON FUNCTION uuid7_timestamp(uuid) IS 'instant of a version 7 UUID: the start of its millisecond; NULL for any other UUID';
COMMENT ON FUNCTION uuid7_min(timestamptz) IS 'lower bound of the UUIDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION uuid7_max(timestamptz) IS 'upper bound of the UUIDs whose instant is at or before this one';
COMMENT ON FUNCTION _flakeid_functions.is_uuid7_support(internal) IS 'planner support for is_uuid7';
COMMENT ON FUNCTION _flakeid_functions.is_uuid7(uuid) IS 'true for a version 7 UUID, NULL for any other';

-- ULIDs, as they are stored

CREATE FUNCTION ulid_timestamp(text) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'ulid_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_timestamp(uuid) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'ulid_timestamp_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_timestamp(bytea) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'ulid_timestamp_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_text_min(timestamptz) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_text_max(timestamptz) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid_min(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_uuid_max(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_bytea_min(timestamptz) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION ulid_bytea_max(timestamptz) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION ulid_timestamp(text) IS 'instant of a ULID in its 26 upper-case characters: the start of its millisecond';
COMMENT ON FUNCTION ulid_timestamp(uuid) IS 'instant of a ULID stored as uuid: the start of its millisecond; the infinities for the nil and the max UUID';
COMMENT ON FUNCTION ulid_timestamp(bytea) IS 'instant of a ULID stored as 16 bytes: the start of its millisecond';
COMMENT ON FUNCTION ulid_text_min(timestamptz) IS 'lower bound of the ULIDs as text whose instant is at or after this one';
COMMENT ON FUNCTION ulid_text_max(timestamptz) IS 'upper bound of the ULIDs as text whose instant is at or before this one';
COMMENT ON FUNCTION ulid_uuid_min(timestamptz) IS 'lower bound of the ULIDs as uuid whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION ulid_uuid_max(timestamptz) IS 'upper bound of the ULIDs as uuid whose instant is at or before this one';
COMMENT ON FUNCTION ulid_bytea_min(timestamptz) IS 'lower bound of the ULIDs as bytea whose instant is at or after this one';
COMMENT ON FUNCTION ulid_bytea_max(timestamptz) IS 'upper bound of the ULIDs as bytea whose instant is at or before this one';

CREATE FUNCTION _flakeid_functions.is_layout_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_ulid(text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.is_layout_support;
CREATE FUNCTION _flakeid_functions.flakeid_marker_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_marker(anyelement) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_marker_support;

COMMENT ON FUNCTION _flakeid_functions.is_layout_support(internal) IS 'planner support for is_ulid and is_layout';
COMMENT ON FUNCTION _flakeid_functions.is_ulid(text) IS 'true for a text that ulid_timestamp() reads, an error for any other; makes the planner estimate the conditions on time next to it';
COMMENT ON FUNCTION _flakeid_functions.flakeid_marker_support(internal) IS 'planner support for flakeid_marker';
COMMENT ON FUNCTION _flakeid_functions.flakeid_marker(anyelement) IS 'always true; makes the planner estimate the conditions on time next to it, and then goes';

-- texts of a named layout

CREATE FUNCTION layout_timestamp(id text, layout text) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'layout_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION layout_text_min(at timestamptz, layout text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_text_max(at timestamptz, layout text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_layout(text, text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.is_layout_support;

COMMENT ON FUNCTION layout_timestamp(text, text) IS 'instant of an ID that is a text of a layout (aid, aidx, cuid, ksuid, meid, meidg, objectid, ulid, ulid_lower, uuid7, xid): the start of its unit of time; an error for any other text';
COMMENT ON FUNCTION layout_text_min(timestamptz, text) IS 'lower bound, in the collation "C", of the texts whose instant is at or after this one';
COMMENT ON FUNCTION layout_text_max(timestamptz, text) IS 'upper bound, in the collation "C", of the texts whose instant is at or before this one';
COMMENT ON FUNCTION _flakeid_functions.is_layout(text, text) IS 'true for a text that layout_timestamp() reads, NULL for a UUID of another version, an error for any other';

-- bigints of a named layout

CREATE FUNCTION layout_timestamp(id bigint, layout text) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION layout_min(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_max(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION layout_timestamp(bigint, text) IS 'instant of an ID of a layout in flakeid_layouts: the start of its unit of time; the infinities for the least and the greatest bigint';
COMMENT ON FUNCTION layout_min(timestamptz, text) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION layout_max(timestamptz, text) IS 'upper bound of the IDs whose instant is at or before this one';

CREATE FUNCTION layout_timestamp(id bigint, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION layout_min(at timestamptz, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_max(at timestamptz, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION layout_timestamp(bigint, timestamptz, int, interval) IS 'instant of an ID of a layout of your own: epoch + unit * (id >> low_bits); the infinities for the least and the greatest bigint, and beyond timestamptz';
COMMENT ON FUNCTION layout_min(timestamptz, timestamptz, int, interval) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION layout_max(timestamptz, timestamptz, int, interval) IS 'upper bound of the IDs whose instant is at or before this one';

CREATE FUNCTION _flakeid_functions.flakeid_show_layouts(
    OUT name text, OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT low_bits int, OUT low_parts text
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 7;
CREATE VIEW flakeid_layouts AS SELECT * FROM _flakeid_functions.flakeid_show_layouts();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_layouts() IS 'rows of the view flakeid_layouts';
COMMENT ON VIEW flakeid_layouts IS 'layouts of bigint IDs that layout_timestamp knows';
COMMENT ON COLUMN flakeid_layouts.name IS 'what the functions call the layout';
COMMENT ON COLUMN flakeid_layouts.epoch IS 'instant of the ID 0';
COMMENT ON COLUMN flakeid_layouts.last_timestamp IS 'last instant of the last ID';
COMMENT ON COLUMN flakeid_layouts.resolution IS 'the unit of time that the ID counts';
COMMENT ON COLUMN flakeid_layouts.timestamp_bits IS 'bits of the time, above the others and below the sign';
COMMENT ON COLUMN flakeid_layouts.low_bits IS 'bits below the time';
COMMENT ON COLUMN flakeid_layouts.low_parts IS 'what the bits below the time are, from the highest';

