-- @ A template: the built flakeid--VERSION.sql, where the types have their names, is what to grep.
-- @
-- @ What the types that feeds can follow have.  make puts it after time.sql.

-- the horizon

CREATE FUNCTION @T@_horizon() RETURNS @T@
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED SUPPORT _flakeid_functions.flakeid_horizon_support;

COMMENT ON FUNCTION @T@_horizon() IS 'a @T@ below which no further row will appear, because this statement sees every row that will ever be committed with a lower ID from @T@_new()';
