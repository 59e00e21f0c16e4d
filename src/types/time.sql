-- @ A template: the built flakeid--VERSION.sql, where the types have their names, is what to grep.
-- @
-- @ What the types that sort by time have.  make puts it after type.sql, with the words of the
-- @ type's own file: @INSTANT@, which instant an ID has; @SPAN@, the years that IDs can hold;
-- @ @BY@, what this depends on, or nothing.

-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION @T@_timestamp(@T@) RETURNS flakeid_instant
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION @T@_min(timestamptz) RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION @T@_max(timestamptz) RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

CREATE CAST (@T@ AS timestamptz) WITH FUNCTION @T@_timestamp(@T@);

COMMENT ON FUNCTION @T@_timestamp(@T@) IS '@INSTANT@';
COMMENT ON FUNCTION @T@_min(timestamptz) IS 'least @T@ at or after the instant; outside @SPAN@ the least or greatest of all';
COMMENT ON FUNCTION @T@_max(timestamptz) IS 'greatest @T@ at or before the instant; outside @SPAN@ the least or greatest of all';
COMMENT ON CAST (@T@ AS timestamptz) IS '@INSTANT@';

-- comparison with instants

CREATE FUNCTION _flakeid_functions.@T@_lt_timestamptz(@T@, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.@T@_le_timestamptz(@T@, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.@T@_ge_timestamptz(@T@, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.@T@_gt_timestamptz(@T@, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.@T@_cmp_timestamptz(@T@, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_cmp_le_timestamptz(@T@, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.timestamptz_lt_@T@(timestamptz, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_lt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_le_@T@(timestamptz, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_le_support;
CREATE FUNCTION _flakeid_functions.timestamptz_ge_@T@(timestamptz, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_ge_support;
CREATE FUNCTION _flakeid_functions.timestamptz_gt_@T@(timestamptz, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_gt_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_@T@(timestamptz, @T@) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_contained_by_tstzrange(@T@, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_@T@(flakeid_period, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION flakeid_within(id @T@, periods tstzmultirange) RETURNS boolean
    AS 'MODULE_PATHNAME', '@T@_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_within_support;
CREATE FUNCTION _flakeid_functions.@T@_in_range(@T@, @T@, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.@T@_lt_timestamptz(@T@, timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.@T@_le_timestamptz(@T@, timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.@T@_ge_timestamptz(@T@, timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.@T@_gt_timestamptz(@T@, timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.@T@_cmp_timestamptz(@T@, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.@T@_cmp_le_timestamptz(@T@, timestamptz) IS 'implementation of |<= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_lt_@T@(timestamptz, @T@) IS 'implementation of < operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_le_@T@(timestamptz, @T@) IS 'implementation of <= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_ge_@T@(timestamptz, @T@) IS 'implementation of >= operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_gt_@T@(timestamptz, @T@) IS 'implementation of > operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_@T@(timestamptz, @T@) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.@T@_contained_by_tstzrange(@T@, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_@T@(flakeid_period, @T@) IS 'implementation of @> operator';
COMMENT ON FUNCTION flakeid_within(@T@, tstzmultirange) IS 'is the instant of the @T@ in one of the periods?';
COMMENT ON FUNCTION _flakeid_functions.@T@_in_range(@T@, @T@, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = @T@, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.@T@_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = @T@, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.@T@_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = @T@, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.@T@_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = @T@, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.@T@_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.< (
    LEFTARG = timestamptz, RIGHTARG = @T@, FUNCTION = _flakeid_functions.timestamptz_lt_@T@,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = _flakeid_functions.flakeid_ltsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<= (
    LEFTARG = timestamptz, RIGHTARG = @T@, FUNCTION = _flakeid_functions.timestamptz_le_@T@,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.>= (
    LEFTARG = timestamptz, RIGHTARG = @T@, FUNCTION = _flakeid_functions.timestamptz_ge_@T@,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = _flakeid_functions.flakeid_gesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.> (
    LEFTARG = timestamptz, RIGHTARG = @T@, FUNCTION = _flakeid_functions.timestamptz_gt_@T@,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = _flakeid_functions.flakeid_gtsel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = @T@, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.@T@_cmp_le_timestamptz,
    RESTRICT = _flakeid_functions.flakeid_lesel, JOIN = _flakeid_functions.flakeid_joinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = @T@, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.@T@_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = @T@, FUNCTION = _flakeid_functions.tstzrange_contains_@T@,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = _flakeid_functions.flakeid_withinsel, JOIN = contjoinsel
);

COMMENT ON OPERATOR pg_catalog.< (@T@, timestamptz) IS 'before the instant@BY@';
COMMENT ON OPERATOR pg_catalog.<= (@T@, timestamptz) IS 'at or before the instant@BY@';
COMMENT ON OPERATOR pg_catalog.>= (@T@, timestamptz) IS 'at or after the instant@BY@';
COMMENT ON OPERATOR pg_catalog.> (@T@, timestamptz) IS 'after the instant@BY@';
COMMENT ON OPERATOR pg_catalog.< (timestamptz, @T@) IS 'before the instant of the @T@@BY@';
COMMENT ON OPERATOR pg_catalog.<= (timestamptz, @T@) IS 'at or before the instant of the @T@@BY@';
COMMENT ON OPERATOR pg_catalog.>= (timestamptz, @T@) IS 'at or after the instant of the @T@@BY@';
COMMENT ON OPERATOR pg_catalog.> (timestamptz, @T@) IS 'after the instant of the @T@@BY@';
COMMENT ON OPERATOR pg_catalog.|<= (@T@, timestamptz) IS 'less than or equal, as @T@_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (@T@, flakeid_period) IS 'instant is contained by@BY@';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, @T@) IS 'contains the instant of the @T@@BY@';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/rewrite.c.
ALTER OPERATOR FAMILY @T@_ops USING btree ADD
    OPERATOR 1 < (@T@, timestamptz),
    OPERATOR 2 |<= (@T@, timestamptz),
    OPERATOR 4 >= (@T@, timestamptz),
    FUNCTION 1 (@T@, timestamptz) _flakeid_functions.@T@_cmp_timestamptz(@T@, timestamptz),
    OPERATOR 2 <= (timestamptz, @T@),
    OPERATOR 5 > (timestamptz, @T@),
    FUNCTION 1 (timestamptz, @T@) _flakeid_functions.timestamptz_cmp_@T@(timestamptz, @T@),
    OPERATOR 1 _flakeid_functions.|< (timestamptz, timestamptz),
    OPERATOR 2 _flakeid_functions.|<= (timestamptz, timestamptz),
    OPERATOR 4 _flakeid_functions.|>= (timestamptz, timestamptz),
    OPERATOR 5 _flakeid_functions.|> (timestamptz, timestamptz),
    FUNCTION 1 (timestamptz, timestamptz) timestamptz_cmp(timestamptz, timestamptz),
    FUNCTION 3 (@T@, interval) _flakeid_functions.@T@_in_range(@T@, @T@, interval, boolean, boolean);
ALTER OPERATOR FAMILY @T@_minmax_ops USING brin ADD
    OPERATOR 1 < (@T@, timestamptz),
    OPERATOR 4 >= (@T@, timestamptz);
ALTER OPERATOR FAMILY @T@_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (@T@, timestamptz),
    OPERATOR 4 >= (@T@, timestamptz);

