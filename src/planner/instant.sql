/* ---------- time on the IDs that people have ---------- */

-- A condition on one of the functions below, such as uuid7_timestamp(id) >= t, becomes
-- a condition on the column: see src/planner/rewrite.c.  The domain flakeid_instant, in head.sql, tells
-- these conditions from those on any other timestamptz.



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

CREATE FUNCTION _flakeid_functions.flakeid_is_range_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.flakeid_is_range(tstzrange) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_is_range_support;

COMMENT ON FUNCTION _flakeid_functions.flakeid_date_instant(date) IS 'midnight of a date in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_timestamp_instant(timestamp) IS 'instant of a timestamp in the session''s time zone, or the first or last finite instant';
COMMENT ON FUNCTION _flakeid_functions.flakeid_is_range_support(internal) IS 'planner support for flakeid_is_range';
COMMENT ON FUNCTION _flakeid_functions.flakeid_is_range(tstzrange) IS 'always true; makes the planner estimate the conditions on time next to it, which compare with the ends of the range';
COMMENT ON FUNCTION _flakeid_functions.flakeid_range_last(tstzrange) IS 'last instant in a range, infinity included; -infinity if it is empty';

-- comparison: core's functions, which the planner asks flakeid about

CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamptz) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_le' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(timestamptz, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_lt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_le_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_ge_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamp) RETURNS boolean
    AS 'timestamptz_gt_timestamp' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(timestamp, flakeid_instant) RETURNS boolean
    AS 'timestamp_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_lt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_le_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_ge_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, date) RETURNS boolean
    AS 'timestamptz_gt_date' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_lt(date, flakeid_instant) RETURNS boolean
    AS 'date_lt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_le(date, flakeid_instant) RETURNS boolean
    AS 'date_le_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_ge(date, flakeid_instant) RETURNS boolean
    AS 'date_ge_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.flakeid_instant_gt(date, flakeid_instant) RETURNS boolean
    AS 'date_gt_timestamptz' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_gt_support;

COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(timestamptz, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(timestamptz, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(timestamptz, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(timestamptz, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, timestamp) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, timestamp) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, timestamp) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, timestamp) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(timestamp, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(timestamp, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(timestamp, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(timestamp, flakeid_instant) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(flakeid_instant, date) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(flakeid_instant, date) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(flakeid_instant, date) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(flakeid_instant, date) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_lt(date, flakeid_instant) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_le(date, flakeid_instant) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_ge(date, flakeid_instant) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.flakeid_instant_gt(date, flakeid_instant) IS 'implementation of > operator';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = timestamp, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamp, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = flakeid_instant, RIGHTARG = date, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = date, RIGHTARG = flakeid_instant, FUNCTION = _flakeid_functions.flakeid_instant_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, timestamptz) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, timestamptz) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, timestamptz) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, timestamptz) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, timestamp) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, timestamp) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, timestamp) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, timestamp) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (timestamp, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (timestamp, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (timestamp, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (timestamp, flakeid_instant) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (flakeid_instant, date) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (flakeid_instant, date) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (flakeid_instant, date) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (flakeid_instant, date) IS 'greater than';
COMMENT ON OPERATOR pg_catalog.< (date, flakeid_instant) IS 'less than';
COMMENT ON OPERATOR pg_catalog.<= (date, flakeid_instant) IS 'less than or equal';
COMMENT ON OPERATOR pg_catalog.>= (date, flakeid_instant) IS 'greater than or equal';
COMMENT ON OPERATOR pg_catalog.> (date, flakeid_instant) IS 'greater than';

-- The family has no class, because no index is made with it.  Row comparisons such as
-- (created_at, id) < (t, n) ask a family for the order of their operators.
CREATE OPERATOR FAMILY flakeid_instant_ops USING btree;
ALTER OPERATOR FAMILY flakeid_instant_ops USING btree ADD
    OPERATOR 1 < (flakeid_instant, flakeid_instant),
    OPERATOR 2 <= (flakeid_instant, flakeid_instant),
    OPERATOR 4 >= (flakeid_instant, flakeid_instant),
    OPERATOR 5 > (flakeid_instant, flakeid_instant),
    FUNCTION 1 (flakeid_instant, flakeid_instant) timestamptz_cmp(timestamptz, timestamptz),
    OPERATOR 1 < (flakeid_instant, timestamptz),
    OPERATOR 2 <= (flakeid_instant, timestamptz),
    OPERATOR 4 >= (flakeid_instant, timestamptz),
    OPERATOR 5 > (flakeid_instant, timestamptz),
    FUNCTION 1 (flakeid_instant, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    OPERATOR 1 < (timestamptz, flakeid_instant),
    OPERATOR 2 <= (timestamptz, flakeid_instant),
    OPERATOR 4 >= (timestamptz, flakeid_instant),
    OPERATOR 5 > (timestamptz, flakeid_instant),
    FUNCTION 1 (timestamptz, flakeid_instant) timestamptz_cmp(timestamptz, timestamptz),
    OPERATOR 1 < (flakeid_instant, timestamp),
    OPERATOR 2 <= (flakeid_instant, timestamp),
    OPERATOR 4 >= (flakeid_instant, timestamp),
    OPERATOR 5 > (flakeid_instant, timestamp),
    FUNCTION 1 (flakeid_instant, timestamp) timestamptz_cmp_timestamp(timestamptz, timestamp),
    OPERATOR 1 < (timestamp, flakeid_instant),
    OPERATOR 2 <= (timestamp, flakeid_instant),
    OPERATOR 4 >= (timestamp, flakeid_instant),
    OPERATOR 5 > (timestamp, flakeid_instant),
    FUNCTION 1 (timestamp, flakeid_instant) timestamp_cmp_timestamptz(timestamp, timestamptz),
    OPERATOR 1 < (flakeid_instant, date),
    OPERATOR 2 <= (flakeid_instant, date),
    OPERATOR 4 >= (flakeid_instant, date),
    OPERATOR 5 > (flakeid_instant, date),
    FUNCTION 1 (flakeid_instant, date) timestamptz_cmp_date(timestamptz, date),
    OPERATOR 1 < (date, flakeid_instant),
    OPERATOR 2 <= (date, flakeid_instant),
    OPERATOR 4 >= (date, flakeid_instant),
    OPERATOR 5 > (date, flakeid_instant),
    FUNCTION 1 (date, flakeid_instant) date_cmp_timestamptz(date, timestamptz);

COMMENT ON OPERATOR FAMILY flakeid_instant_ops USING btree IS 'order of flakeid_instant, for row comparisons';

-- ranges: by functions, because operators would change what core's mean with a literal

CREATE FUNCTION flakeid_within(flakeid_instant, tstzrange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzrange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(flakeid_instant, tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', 'flakeid_within_tstzmultirange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;

COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzrange) IS 'is the instant in the range?';
COMMENT ON FUNCTION flakeid_within(flakeid_instant, tstzmultirange) IS 'is the instant in one of the ranges?';

-- version 7 UUIDs

CREATE FUNCTION uuid7_timestamp(uuid) RETURNS flakeid_instant
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

CREATE FUNCTION ulid_timestamp(text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_timestamp(uuid) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'ulid_timestamp_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION ulid_timestamp(bytea) RETURNS flakeid_instant
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

CREATE FUNCTION _flakeid_functions.is_ulid_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_ulid(text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.is_ulid_support;
CREATE FUNCTION _flakeid_functions.is_ulid(uuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'is_ulid_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.is_ulid_support;

COMMENT ON FUNCTION _flakeid_functions.is_ulid_support(internal) IS 'planner support for is_ulid';
COMMENT ON FUNCTION _flakeid_functions.is_ulid(text) IS 'true for a text that ulid_timestamp() reads, an error for any other; makes the planner estimate the conditions on time next to it';
COMMENT ON FUNCTION _flakeid_functions.is_ulid(uuid) IS 'always true, because ulid_timestamp() reads every UUID; makes the planner estimate the conditions on time next to it';

-- texts of a named layout

CREATE FUNCTION layout_timestamp(id text, layout text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME', 'layout_timestamp_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_text_min(at timestamptz, layout text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_text_max(at timestamptz, layout text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_layout_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.is_layout(text, text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.is_layout_support;

COMMENT ON FUNCTION layout_timestamp(text, text) IS 'instant of an ID that is a text of a layout (aid, aidx, cuid, ksuid, meid, meidg, objectid, ulid, ulid_lower, uuid7, xid): the start of its unit of time; an error for any other text';
COMMENT ON FUNCTION layout_text_min(timestamptz, text) IS 'lower bound, in the collation "C", of the texts whose instant is at or after this one';
COMMENT ON FUNCTION layout_text_max(timestamptz, text) IS 'upper bound, in the collation "C", of the texts whose instant is at or before this one';
COMMENT ON FUNCTION _flakeid_functions.is_layout_support(internal) IS 'planner support for is_layout';
COMMENT ON FUNCTION _flakeid_functions.is_layout(text, text) IS 'true for a text that layout_timestamp() reads, NULL for a UUID of another version, an error for any other';

-- bigints of a named layout

CREATE FUNCTION layout_timestamp(id bigint, layout text) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION layout_min(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION layout_max(at timestamptz, layout text) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION layout_timestamp(bigint, text) IS 'instant of an ID of a layout in flakeid_layouts: the start of its unit of time; the infinities for the least and the greatest bigint';
COMMENT ON FUNCTION layout_min(timestamptz, text) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION layout_max(timestamptz, text) IS 'upper bound of the IDs whose instant is at or before this one';

CREATE FUNCTION layout_timestamp(id bigint, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS flakeid_instant
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

