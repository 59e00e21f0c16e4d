-- @ A template: the built flakeid--VERSION.sql, where the types have their names, is what to grep.
-- @
-- @ What every type has.  make puts it in front of the type's own file, with the type's name for
-- @ @T@ and the words that the type's own file gives: @STORAGE@, how CREATE TYPE has the IDs
-- @ stored, and @BYTES@, how many bytes an ID has.  type.h makes the functions.  Lines that begin
-- @ with these two dashes and @ do not go into the script.  What begins with @EACH is for each.awk.
/* ---------- @T@ ---------- */

CREATE TYPE @T@;

CREATE FUNCTION _flakeid_functions.@T@_in(cstring) RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.@T@_out(@T@) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.@T@_recv(internal) RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.@T@_send(@T@) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE @T@ (
    INPUT = _flakeid_functions.@T@_in,
    OUTPUT = _flakeid_functions.@T@_out,
    RECEIVE = _flakeid_functions.@T@_recv,
    SEND = _flakeid_functions.@T@_send,
    @STORAGE@
);

COMMENT ON FUNCTION _flakeid_functions.@T@_in(cstring) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.@T@_out(@T@) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.@T@_recv(internal) IS 'I/O';
COMMENT ON FUNCTION _flakeid_functions.@T@_send(@T@) IS 'I/O';

-- comparison

@EACH lt le eq ne ge gt@ CREATE FUNCTION _flakeid_functions.@T@_@NAME@(@T@, @T@) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_cmp(@T@, @T@) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION _flakeid_functions.@T@_hash(@T@) RETURNS int
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_hash_extended(@T@, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

@EACH lt le eq ne ge gt@ COMMENT ON FUNCTION _flakeid_functions.@T@_@NAME@(@T@, @T@) IS 'implementation of @OP@ operator';
COMMENT ON FUNCTION _flakeid_functions.@T@_cmp(@T@, @T@) IS 'less-equal-greater';
COMMENT ON FUNCTION _flakeid_functions.@T@_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION _flakeid_functions.@T@_hash(@T@) IS 'hash';
COMMENT ON FUNCTION _flakeid_functions.@T@_hash_extended(@T@, bigint) IS 'hash, 64 bits with a seed';

@EACH lt le@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = @T@, RIGHTARG = @T@, FUNCTION = _flakeid_functions.@T@_@NAME@,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);
CREATE OPERATOR pg_catalog.= (
    LEFTARG = @T@, RIGHTARG = @T@, FUNCTION = _flakeid_functions.@T@_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
CREATE OPERATOR pg_catalog.<> (
    LEFTARG = @T@, RIGHTARG = @T@, FUNCTION = _flakeid_functions.@T@_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
@EACH ge gt@ CREATE OPERATOR pg_catalog.@OP@ (
    LEFTARG = @T@, RIGHTARG = @T@, FUNCTION = _flakeid_functions.@T@_@NAME@,
    COMMUTATOR = OPERATOR(pg_catalog.@COMMUTATOR@), NEGATOR = OPERATOR(pg_catalog.@NEGATOR@),
    RESTRICT = @CORE@sel, JOIN = @CORE@joinsel
);

@EACH lt le eq ne ge gt@ COMMENT ON OPERATOR pg_catalog.@OP@ (@T@, @T@) IS '@MEANS@';

CREATE OPERATOR CLASS @T@_ops DEFAULT FOR TYPE @T@ USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _flakeid_functions.@T@_cmp(@T@, @T@),
    FUNCTION 2 _flakeid_functions.@T@_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS @T@_hash_ops DEFAULT FOR TYPE @T@ USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _flakeid_functions.@T@_hash(@T@),
    FUNCTION 2 _flakeid_functions.@T@_hash_extended(@T@, bigint);

COMMENT ON OPERATOR CLASS @T@_hash_ops USING hash IS 'hash of the bytes';

CREATE FUNCTION _flakeid_functions.@T@_smaller(@T@, @T@) RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_larger(@T@, @T@) RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE AGGREGATE min(@T@) (
    SFUNC = _flakeid_functions.@T@_smaller, STYPE = @T@, COMBINEFUNC = _flakeid_functions.@T@_smaller, SORTOP = <, PARALLEL = SAFE
);
CREATE AGGREGATE max(@T@) (
    SFUNC = _flakeid_functions.@T@_larger, STYPE = @T@, COMBINEFUNC = _flakeid_functions.@T@_larger, SORTOP = >, PARALLEL = SAFE
);

COMMENT ON FUNCTION _flakeid_functions.@T@_smaller(@T@, @T@) IS 'smaller of two';
COMMENT ON FUNCTION _flakeid_functions.@T@_larger(@T@, @T@) IS 'larger of two';
COMMENT ON AGGREGATE min(@T@) IS 'minimum value of all @T@ input values';
COMMENT ON AGGREGATE max(@T@) IS 'maximum value of all @T@ input values';

-- casts

CREATE FUNCTION _flakeid_functions.@T@_to_bytea(@T@) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE FUNCTION _flakeid_functions.@T@_from_bytea(bytea) RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.@T@_to_bytea(@T@) IS 'the @BYTES@ bytes of a @T@';
COMMENT ON FUNCTION _flakeid_functions.@T@_from_bytea(bytea) IS '@T@ from @BYTES@ bytes';

CREATE CAST (text AS @T@) WITH INOUT AS ASSIGNMENT;
CREATE CAST (varchar AS @T@) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bpchar AS @T@) WITH INOUT AS ASSIGNMENT;
CREATE CAST (@T@ AS bytea) WITH FUNCTION _flakeid_functions.@T@_to_bytea(@T@);
CREATE CAST (bytea AS @T@) WITH FUNCTION _flakeid_functions.@T@_from_bytea(bytea);

COMMENT ON CAST (text AS @T@) IS '@T@ from its text';
COMMENT ON CAST (varchar AS @T@) IS '@T@ from its text';
COMMENT ON CAST (bpchar AS @T@) IS '@T@ from its text';
COMMENT ON CAST (@T@ AS bytea) IS 'the @BYTES@ bytes of a @T@';
COMMENT ON CAST (bytea AS @T@) IS '@T@ from @BYTES@ bytes';

-- block ranges

CREATE FUNCTION _flakeid_functions.@T@_brin_distance(@T@, @T@) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;

COMMENT ON FUNCTION _flakeid_functions.@T@_brin_distance(@T@, @T@) IS 'how many IDs the second @T@ lies after the first';

CREATE OPERATOR CLASS @T@_minmax_ops DEFAULT FOR TYPE @T@ USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_consistent(internal, internal, internal),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS @T@_minmax_multi_ops FOR TYPE @T@ USING brin AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 _flakeid_functions.flakeid_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 _flakeid_functions.flakeid_minmax_multi_consistent(internal, internal, internal, int),
    FUNCTION 4 _flakeid_functions.flakeid_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 _flakeid_functions.@T@_brin_distance(@T@, @T@);
CREATE OPERATOR CLASS @T@_bloom_ops FOR TYPE @T@ USING brin AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, int),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 _flakeid_functions.@T@_hash(@T@);

COMMENT ON OPERATOR CLASS @T@_minmax_ops USING brin IS 'least and greatest @T@ of a block range';
COMMENT ON OPERATOR CLASS @T@_minmax_multi_ops USING brin IS 'several ranges of @T@ for a block range';
COMMENT ON OPERATOR CLASS @T@_bloom_ops USING brin IS 'filter of the hashes of @T@ in a block range';

-- skip scans, which PostgreSQL has from 18 on

CREATE FUNCTION _flakeid_functions.@T@_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION _flakeid_functions.@T@_skipsupport(internal) IS 'skip support';

DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY @T@_ops USING btree ADD FUNCTION 6 (@T@, @T@) _flakeid_functions.@T@_skipsupport(internal);
    END IF;
END
$$;

