/* ---------- uuid v7 ---------- */

CREATE FUNCTION uuid7_new() RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION uuid7_new_at(at timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;

COMMENT ON FUNCTION uuid7_new() IS 'new uuid of version 7: the millisecond, a counter of 18 bits and 56 random bits; on a standby 74 random bits';
COMMENT ON FUNCTION uuid7_new_at(timestamptz) IS 'uuid of version 7 for an instant, to backfill: its millisecond, a counter of this session and 56 random bits';

CREATE FUNCTION uuid7_horizon() RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION uuid7_horizon() IS 'a uuid below which no further row will appear, because this statement sees every row that will ever be committed with a lower ID from uuid7_new()';
