-- @ A template: the built flakeid--VERSION.sql, where the types have their names, is what to grep.
-- @
-- @ What the types that sort by time have.  make puts it after type.sql, with the words of the
-- @ type's own file: @INSTANT@, which instant an ID has; @SPAN@, the years that IDs can hold;
-- @ @BY@, what this depends on, or nothing.

-- the instant of an ID, and the least and the greatest ID by an instant

CREATE FUNCTION @T@_timestamp(@T@) RETURNS timestamptz
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

@EACH lt le ge gt@ CREATE FUNCTION _flakeid_functions.@T@_@NAME@_timestamptz(@T@, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_@NAME@_support;
CREATE FUNCTION _flakeid_functions.@T@_cmp_timestamptz(@T@, timestamptz) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_cmp_le_timestamptz(@T@, timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
@EACH lt le ge gt@ CREATE FUNCTION _flakeid_functions.timestamptz_@NAME@_@T@(timestamptz, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_@NAME@_support;
CREATE FUNCTION _flakeid_functions.timestamptz_cmp_@T@(timestamptz, @T@) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_contained_by_tstzrange(@T@, flakeid_period) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION _flakeid_functions.tstzrange_contains_@T@(flakeid_period, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_instant_support;
CREATE FUNCTION _flakeid_functions.@T@_in_range(@T@, @T@, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

@EACH lt le ge gt@ COMMENT ON FUNCTION _flakeid_functions.@T@_@NAME@_timestamptz(@T@, timestamptz) IS 'implementation of @OP@ operator';
COMMENT ON FUNCTION _flakeid_functions.@T@_cmp_timestamptz(@T@, timestamptz) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.@T@_cmp_le_timestamptz(@T@, timestamptz) IS 'implementation of |<= operator';
@EACH lt le ge gt@ COMMENT ON FUNCTION _flakeid_functions.timestamptz_@NAME@_@T@(timestamptz, @T@) IS 'implementation of @OP@ operator';
COMMENT ON FUNCTION _flakeid_functions.timestamptz_cmp_@T@(timestamptz, @T@) IS 'less-greater';
COMMENT ON FUNCTION _flakeid_functions.@T@_contained_by_tstzrange(@T@, flakeid_period) IS 'implementation of <@ operator';
COMMENT ON FUNCTION _flakeid_functions.tstzrange_contains_@T@(flakeid_period, @T@) IS 'implementation of @> operator';
COMMENT ON FUNCTION _flakeid_functions.@T@_in_range(@T@, @T@, interval, boolean, boolean) IS 'window RANGE support';

@EACH lt le ge gt@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = @T@, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.@T@_@NAME@_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);
@EACH lt le ge gt@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = timestamptz, RIGHTARG = @T@, FUNCTION = _flakeid_functions.timestamptz_@NAME@_@T@,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);
CREATE OPERATOR pg_catalog.|<= (
    LEFTARG = @T@, RIGHTARG = timestamptz, FUNCTION = _flakeid_functions.@T@_cmp_le_timestamptz,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR pg_catalog.<@ (
    LEFTARG = @T@, RIGHTARG = flakeid_period, FUNCTION = _flakeid_functions.@T@_contained_by_tstzrange,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = contsel, JOIN = contjoinsel
);
CREATE OPERATOR pg_catalog.@> (
    LEFTARG = flakeid_period, RIGHTARG = @T@, FUNCTION = _flakeid_functions.tstzrange_contains_@T@,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = contsel, JOIN = contjoinsel
);

@EACH lt le ge gt@ COMMENT ON OPERATOR pg_catalog.@OP@ (@T@, timestamptz) IS '@WHEN@ the instant@BY@';
@EACH lt le ge gt@ COMMENT ON OPERATOR pg_catalog.@OP@ (timestamptz, @T@) IS '@WHEN@ the instant of the @T@@BY@';
COMMENT ON OPERATOR pg_catalog.|<= (@T@, timestamptz) IS 'less than or equal, as @T@_cmp_timestamptz says, for the operator family';
COMMENT ON OPERATOR pg_catalog.<@ (@T@, flakeid_period) IS 'instant is contained by@BY@';
COMMENT ON OPERATOR pg_catalog.@> (flakeid_period, @T@) IS 'contains the instant of the @T@@BY@';

-- In the family's order an instant is less than every ID of its time or later.  Only operators
-- that mean the same in this order are members: see src/planner/bound.c.
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

