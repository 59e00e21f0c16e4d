-- snowflake: what only this type has
--
--     casts             numeric, bigint, int, smallint
--     comparison        with bigint
--     time              snowflake_min, _max, _timestamp, with an epoch
--     new IDs           snowflake_new, snowflake_new_at, snowflake_make
--     parts             snowflake_worker, _process, _sequence, snowflake_inspect
--     other notations   snowflake_format, snowflake_parse
--     to siq            siq_from_snowflake
-- @
-- @ The rest is in type.sql, time.sql and horizon.sql, which take these words:
-- @TEMPLATES@ type time horizon
-- @STORAGE@ LIKE = pg_catalog.int8
-- @BYTES@ 8
-- @INSTANT@ instant of a snowflake with the epoch 2015-01-01 UTC: the start of its millisecond
-- @SPAN@ 2015-2154
-- @BY@ , with the epoch 2015-01-01 UTC

COMMENT ON TYPE snowflake IS 'sortable ID of 8 bytes, Discord''s flavour, after SUOU: 1 ms time, worker, process, sequence; decimal text; epoch 2015-01-01 UTC in casts and comparisons';
COMMENT ON OPERATOR CLASS snowflake_ops USING btree IS 'order of time, then of the bytes that follow';

-- casts

CREATE FUNCTION _flakeid_functions.snowflake_to_numeric(snowflake) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_from_numeric(numeric) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_to_bigint(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_from_bigint(bigint) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_from_int(int) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.snowflake_from_smallint(smallint) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.snowflake_to_numeric(snowflake) IS 'snowflake as a number';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_numeric(numeric) IS 'snowflake from its number';
COMMENT ON FUNCTION _flakeid_functions.snowflake_to_bigint(snowflake) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_bigint(bigint) IS 'snowflake from its number, which must not be negative';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_int(int) IS 'snowflake from its number, which must not be negative';
COMMENT ON FUNCTION _flakeid_functions.snowflake_from_smallint(smallint) IS 'snowflake from its number, which must not be negative';

CREATE CAST (snowflake AS numeric) WITH FUNCTION _flakeid_functions.snowflake_to_numeric(snowflake);
CREATE CAST (numeric AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_numeric(numeric);
CREATE CAST (snowflake AS bigint) WITH FUNCTION _flakeid_functions.snowflake_to_bigint(snowflake) AS ASSIGNMENT;
-- not implicit: a snowflake can be compared with an instant, and an integer must not be
CREATE CAST (bigint AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_bigint(bigint) AS ASSIGNMENT;
CREATE CAST (int AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_int(int) AS ASSIGNMENT;
CREATE CAST (smallint AS snowflake) WITH FUNCTION _flakeid_functions.snowflake_from_smallint(smallint) AS ASSIGNMENT;

COMMENT ON CAST (snowflake AS numeric) IS 'snowflake as a number';
COMMENT ON CAST (numeric AS snowflake) IS 'snowflake from its number';
COMMENT ON CAST (snowflake AS bigint) IS 'snowflake as a number; out of range from 2^63 on';
COMMENT ON CAST (bigint AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (int AS snowflake) IS 'snowflake from its number, which must not be negative';
COMMENT ON CAST (smallint AS snowflake) IS 'snowflake from its number, which must not be negative';

-- comparison with integers: see src/planner/integer.c

CREATE FUNCTION _flakeid_functions.snowflake_bigint_upto(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_bigint_below(snowflake) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
@EACH lt le eq ne ge gt@ CREATE FUNCTION _flakeid_functions.snowflake_@NAME@_bigint(snowflake, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_@NAME@_support;
CREATE FUNCTION _flakeid_functions.snowflake_cmp_bigint(snowflake, bigint) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
@EACH lt le eq ne ge gt@ CREATE FUNCTION _flakeid_functions.bigint_@NAME@_snowflake(bigint, snowflake) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT _flakeid_functions.flakeid_@NAME@_support;
CREATE FUNCTION _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_hash_bigint(bigint) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.snowflake_hash_bigint_extended(bigint, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.snowflake_bigint_upto(snowflake) IS 'greatest bigint that is not above the snowflake';
COMMENT ON FUNCTION _flakeid_functions.snowflake_bigint_below(snowflake) IS 'greatest bigint below the snowflake';
@EACH lt le eq ne ge gt@ COMMENT ON FUNCTION _flakeid_functions.snowflake_@NAME@_bigint(snowflake, bigint) IS 'implementation of @OP@ operator';
COMMENT ON FUNCTION _flakeid_functions.snowflake_cmp_bigint(snowflake, bigint) IS 'less-equal-greater';
@EACH lt le eq ne ge gt@ COMMENT ON FUNCTION _flakeid_functions.bigint_@NAME@_snowflake(bigint, snowflake) IS 'implementation of @OP@ operator';
COMMENT ON FUNCTION _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.snowflake_hash_bigint(bigint) IS 'hash of the snowflake that equals the number';
COMMENT ON FUNCTION _flakeid_functions.snowflake_hash_bigint_extended(bigint, bigint) IS 'hash of the snowflake that equals the number, 64 bits with a seed';

@EACH lt le@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_@NAME@_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_eq_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_ne_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
@EACH ge gt@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = snowflake, RIGHTARG = bigint, FUNCTION = _flakeid_functions.snowflake_@NAME@_bigint,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);
@EACH lt le@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_@NAME@_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_eq_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_ne_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
@EACH ge gt@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = bigint, RIGHTARG = snowflake, FUNCTION = _flakeid_functions.bigint_@NAME@_snowflake,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);

-- The families compare two numbers by these, as for id < ANY (numbers).  They cannot use core's
-- operators: how the planner joins and sorts by bigint depends on the families that core's are in.
@EACH lt le@ CREATE OPERATOR _flakeid_functions.|@OP@ (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8@NAME@,
    COMMUTATOR = OPERATOR(_flakeid_functions.|@COMMUTATOR@), NEGATOR = OPERATOR(_flakeid_functions.|@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);
CREATE OPERATOR _flakeid_functions.|= (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8eq,
    COMMUTATOR = OPERATOR(_flakeid_functions.|=), NEGATOR = OPERATOR(_flakeid_functions.|<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES
);
@EACH ne ge gt@ CREATE OPERATOR _flakeid_functions.|@OP@ (
    LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_catalog.int8@NAME@,
    COMMUTATOR = OPERATOR(_flakeid_functions.|@COMMUTATOR@), NEGATOR = OPERATOR(_flakeid_functions.|@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);

@EACH lt le eq ne ge gt@ COMMENT ON OPERATOR pg_catalog.@OP@ (snowflake, bigint) IS '@MEANS@';
@EACH lt le eq ne ge gt@ COMMENT ON OPERATOR pg_catalog.@OP@ (bigint, snowflake) IS '@MEANS@';
@EACH lt le eq ne ge gt@ COMMENT ON OPERATOR _flakeid_functions.|@OP@ (bigint, bigint) IS '@MEANS@, for operator families of IDs';

ALTER OPERATOR FAMILY snowflake_ops USING btree ADD
    OPERATOR 1 < (snowflake, bigint),
    OPERATOR 2 <= (snowflake, bigint),
    OPERATOR 3 = (snowflake, bigint),
    OPERATOR 4 >= (snowflake, bigint),
    OPERATOR 5 > (snowflake, bigint),
    FUNCTION 1 (snowflake, bigint) _flakeid_functions.snowflake_cmp_bigint(snowflake, bigint),
    OPERATOR 1 < (bigint, snowflake),
    OPERATOR 2 <= (bigint, snowflake),
    OPERATOR 3 = (bigint, snowflake),
    OPERATOR 4 >= (bigint, snowflake),
    OPERATOR 5 > (bigint, snowflake),
    FUNCTION 1 (bigint, snowflake) _flakeid_functions.bigint_cmp_snowflake(bigint, snowflake),
    OPERATOR 1 _flakeid_functions.|< (bigint, bigint),
    OPERATOR 2 _flakeid_functions.|<= (bigint, bigint),
    OPERATOR 3 _flakeid_functions.|= (bigint, bigint),
    OPERATOR 4 _flakeid_functions.|>= (bigint, bigint),
    OPERATOR 5 _flakeid_functions.|> (bigint, bigint),
    FUNCTION 1 (bigint, bigint) pg_catalog.btint8cmp(bigint, bigint);
ALTER OPERATOR FAMILY snowflake_hash_ops USING hash ADD
    OPERATOR 1 = (snowflake, bigint),
    OPERATOR 1 = (bigint, snowflake),
    OPERATOR 1 _flakeid_functions.|= (bigint, bigint),
    FUNCTION 1 (bigint, bigint) _flakeid_functions.snowflake_hash_bigint(bigint),
    FUNCTION 2 (bigint, bigint) _flakeid_functions.snowflake_hash_bigint_extended(bigint, bigint);
ALTER OPERATOR FAMILY snowflake_minmax_ops USING brin ADD
    OPERATOR 1 < (snowflake, bigint),
    OPERATOR 2 <= (snowflake, bigint),
    OPERATOR 3 = (snowflake, bigint),
    OPERATOR 4 >= (snowflake, bigint),
    OPERATOR 5 > (snowflake, bigint);
ALTER OPERATOR FAMILY snowflake_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (snowflake, bigint),
    OPERATOR 2 <= (snowflake, bigint),
    OPERATOR 3 = (snowflake, bigint),
    OPERATOR 4 >= (snowflake, bigint),
    OPERATOR 5 > (snowflake, bigint);

-- time

CREATE FUNCTION snowflake_min(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_max(timestamptz, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_timestamp(snowflake, epoch timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_min(timestamptz, timestamptz) IS 'least snowflake at or after the instant, with the given epoch; outside its 139 years the least or greatest of all';
COMMENT ON FUNCTION snowflake_max(timestamptz, timestamptz) IS 'greatest snowflake at or before the instant, with the given epoch; outside its 139 years the least or greatest of all';
COMMENT ON FUNCTION snowflake_timestamp(snowflake, timestamptz) IS 'instant of a snowflake with the given epoch: the start of its millisecond';

-- new IDs

CREATE FUNCTION snowflake_new() RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION snowflake_new(epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION snowflake_new_at(at timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION snowflake_make(at timestamptz, worker int, process int, sequence int) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_make(at timestamptz, worker int, process int, sequence int, epoch timestamptz) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_new() IS 'new snowflake of this database''s worker, with the epoch 2015-01-01 UTC';
COMMENT ON FUNCTION snowflake_new(timestamptz) IS 'new snowflake of this database''s worker, with another epoch, which casts and comparisons with timestamptz do not know';
COMMENT ON FUNCTION snowflake_new_at(timestamptz) IS 'snowflake for an instant, with the epoch 2015-01-01 UTC, to backfill; can repeat once a session has made a pool of IDs for one tick, and may equal a live ID of that tick';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int) IS 'snowflake from its parts, with the epoch 2015-01-01 UTC';
COMMENT ON FUNCTION snowflake_make(timestamptz, int, int, int, timestamptz) IS 'snowflake from its parts, with the given epoch';

-- parts

CREATE FUNCTION snowflake_worker(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_process(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_sequence(snowflake) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION snowflake_inspect(
    id snowflake, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT worker int, OUT process int, OUT sequence int
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, @extschema@.snowflake_timestamp(id),
        @extschema@.snowflake_worker(id), @extschema@.snowflake_process(id), @extschema@.snowflake_sequence(id);
END;

COMMENT ON FUNCTION snowflake_worker(snowflake) IS 'worker of a snowflake, 0 to 31';
COMMENT ON FUNCTION snowflake_process(snowflake) IS 'process number of a snowflake, 0 to 31';
COMMENT ON FUNCTION snowflake_sequence(snowflake) IS 'sequence number of a snowflake, 0 to 4095';
COMMENT ON FUNCTION snowflake_inspect(snowflake) IS 'every part of a snowflake, its instant with the epoch 2015-01-01 UTC';

-- other notations

CREATE FUNCTION snowflake_format(snowflake, format text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION snowflake_parse(text, format text) RETURNS snowflake
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION snowflake_format(snowflake, text) IS 'snowflake in a notation of SUOU: b (base 64), c and 0c (Crockford), d (decimal), l (base 32), o (octal), x (hexadecimal)';
COMMENT ON FUNCTION snowflake_parse(text, text) IS 'snowflake from its text in one of the notations that snowflake_format writes';

-- to siq

CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type text) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION siq_from_snowflake(snowflake, domain text, type text, epoch timestamptz) RETURNS siq
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, text) IS 'siq from a snowflake that counts from 2015-01-01 UTC; no two snowflakes become one siq of a type';
COMMENT ON FUNCTION siq_from_snowflake(snowflake, text, text, timestamptz) IS 'siq from a snowflake that counts from another epoch; no two snowflakes become one siq of a type';

