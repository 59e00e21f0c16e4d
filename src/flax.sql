/* ---------- flax ---------- */

CREATE TYPE flax;

CREATE FUNCTION flax_in(cstring) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_out(flax) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_recv(internal) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_send(flax) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE flax (
    INPUT = flax_in,
    OUTPUT = flax_out,
    RECEIVE = flax_recv,
    SEND = flax_send,
    INTERNALLENGTH = 12,
    ALIGNMENT = char,
    STORAGE = plain
);

COMMENT ON TYPE flax IS 'sortable ID of 12 bytes after ergeon/flax-id: 1 ms time, 56 random bits; text of 16 characters [-0-9A-Z_a-z]';
COMMENT ON FUNCTION flax_in(cstring) IS 'I/O';
COMMENT ON FUNCTION flax_out(flax) IS 'I/O';
COMMENT ON FUNCTION flax_recv(internal) IS 'I/O';
COMMENT ON FUNCTION flax_send(flax) IS 'I/O';

-- comparison

CREATE FUNCTION flax_lt(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_le(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_eq(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_ne(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_ge(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_gt(flax, flax) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_cmp(flax, flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_hash(flax) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_hash_extended(flax, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flax_lt(flax, flax) IS 'implementation of < operator';
COMMENT ON FUNCTION flax_le(flax, flax) IS 'implementation of <= operator';
COMMENT ON FUNCTION flax_eq(flax, flax) IS 'implementation of = operator';
COMMENT ON FUNCTION flax_ne(flax, flax) IS 'implementation of <> operator';
COMMENT ON FUNCTION flax_ge(flax, flax) IS 'implementation of >= operator';
COMMENT ON FUNCTION flax_gt(flax, flax) IS 'implementation of > operator';
COMMENT ON FUNCTION flax_cmp(flax, flax) IS 'less-equal-greater';
COMMENT ON FUNCTION flax_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION flax_hash(flax) IS 'hash';
COMMENT ON FUNCTION flax_hash_extended(flax, bigint) IS 'hash, 64 bits with a seed';

CREATE OPERATOR < (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_lt,
    COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_le,
    COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_eq,
    COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR <> (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_ne,
    COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_ge,
    COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
    LEFTARG = flax, RIGHTARG = flax, FUNCTION = flax_gt,
    COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR < (flax, flax) IS 'less than';
COMMENT ON OPERATOR <= (flax, flax) IS 'less than or equal';
COMMENT ON OPERATOR = (flax, flax) IS 'equal';
COMMENT ON OPERATOR <> (flax, flax) IS 'not equal';
COMMENT ON OPERATOR >= (flax, flax) IS 'greater than or equal';
COMMENT ON OPERATOR > (flax, flax) IS 'greater than';

CREATE OPERATOR CLASS flax_ops DEFAULT FOR TYPE flax USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 flax_cmp(flax, flax),
    FUNCTION 2 flax_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS flax_hash_ops DEFAULT FOR TYPE flax USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 flax_hash(flax),
    FUNCTION 2 flax_hash_extended(flax, bigint);

COMMENT ON OPERATOR CLASS flax_ops USING btree IS 'order of time, then of the bytes that follow';
COMMENT ON OPERATOR CLASS flax_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION flax_smaller(flax, flax) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_larger(flax, flax) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(flax) (
    SFUNC = flax_smaller, STYPE = flax, COMBINEFUNC = flax_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(flax) (
    SFUNC = flax_larger, STYPE = flax, COMBINEFUNC = flax_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION flax_smaller(flax, flax) IS 'smaller of two';
COMMENT ON FUNCTION flax_larger(flax, flax) IS 'larger of two';
COMMENT ON AGGREGATE min(flax) IS 'minimum value of all flax input values';
COMMENT ON AGGREGATE max(flax) IS 'maximum value of all flax input values';

-- casts

CREATE FUNCTION flax_to_bytea(flax) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_bytea(bytea) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_to_uuid(flax) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_uuid(uuid) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_to_numeric(flax) RETURNS numeric
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_from_numeric(numeric) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_timestamp(flax) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flax_to_bytea(flax) IS 'the 12 bytes of a flax';
COMMENT ON FUNCTION flax_from_bytea(bytea) IS 'flax of 12 bytes';
COMMENT ON FUNCTION flax_to_uuid(flax) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON FUNCTION flax_from_uuid(uuid) IS 'flax of a uuid made by flax_to_uuid';
COMMENT ON FUNCTION flax_to_numeric(flax) IS 'the 12 bytes of a flax as one number';
COMMENT ON FUNCTION flax_from_numeric(numeric) IS 'flax of the number of its 12 bytes';
COMMENT ON FUNCTION flax_timestamp(flax) IS 'instant of a flax: the start of its millisecond';

CREATE CAST (text AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS flax) WITH INOUT AS ASSIGNMENT;
CREATE CAST (flax AS bytea) WITH FUNCTION flax_to_bytea(flax);
CREATE CAST (bytea AS flax) WITH FUNCTION flax_from_bytea(bytea);
CREATE CAST (flax AS uuid) WITH FUNCTION flax_to_uuid(flax);
CREATE CAST (uuid AS flax) WITH FUNCTION flax_from_uuid(uuid);
CREATE CAST (flax AS numeric) WITH FUNCTION flax_to_numeric(flax);
CREATE CAST (numeric AS flax) WITH FUNCTION flax_from_numeric(numeric);
CREATE CAST (flax AS timestamptz) WITH FUNCTION flax_timestamp(flax);

COMMENT ON CAST (text AS flax) IS 'flax of its text';
COMMENT ON CAST (varchar AS flax) IS 'flax of its text';
COMMENT ON CAST (bpchar AS flax) IS 'flax of its text';
COMMENT ON CAST (flax AS bytea) IS 'the 12 bytes of a flax';
COMMENT ON CAST (bytea AS flax) IS 'flax of 12 bytes';
COMMENT ON CAST (flax AS uuid) IS 'the 16 characters of a flax as the bytes of a uuid';
COMMENT ON CAST (uuid AS flax) IS 'flax of a uuid made from a flax';
COMMENT ON CAST (flax AS numeric) IS 'the 12 bytes of a flax as one number';
COMMENT ON CAST (numeric AS flax) IS 'flax of the number of its 12 bytes';
COMMENT ON CAST (flax AS timestamptz) IS 'instant of a flax: the start of its millisecond';

-- time

CREATE FUNCTION flax_min(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_max(timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION flax_min(timestamptz) IS 'least flax of the millisecond that holds the instant; outside 2015-2049 the least or greatest of all';
COMMENT ON FUNCTION flax_max(timestamptz) IS 'greatest flax of the millisecond that holds the instant; outside 2015-2049 the least or greatest of all';

-- new IDs

CREATE FUNCTION flax_new() RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_new_at(at timestamptz) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION flax_make(at timestamptz, random bigint) RETURNS flax
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION flax_new() IS 'new flax: the millisecond and 56 random bits';
COMMENT ON FUNCTION flax_new_at(timestamptz) IS 'flax for an instant, to backfill: its millisecond and 56 random bits';
COMMENT ON FUNCTION flax_make(timestamptz, bigint) IS 'flax of its parts';

-- parts

CREATE FUNCTION flax_random(flax) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION flax_inspect(
    id flax, OUT text text, OUT bytes bytea, OUT "timestamp" timestamptz,
    OUT random bigint
)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT id::text, id::bytea, flax_timestamp(id),
        flax_random(id);
END;

COMMENT ON FUNCTION flax_random(flax) IS 'random bits of a flax, 0 to 72057594037927935';
COMMENT ON FUNCTION flax_inspect(flax) IS 'every part of a flax';

