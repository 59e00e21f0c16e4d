-- flakeid: what ALTER EXTENSION flakeid UPDATE does to version 1.0.

-- complain if this script is sourced in psql instead of by ALTER EXTENSION
\echo Use "ALTER EXTENSION flakeid UPDATE" to load this file. \quit

-- A preloaded library is not replaced by new sessions.
DO $update$
BEGIN
    EXECUTE replace(pg_get_functiondef('flakeid_doctor'::regproc),
$old$install the library and start new sessions.', version, sql_version);
$old$,
$new$install the library and %s.', version, sql_version,
            CASE WHEN clock.memory = 'preloaded' THEN 'restart the server, which has preloaded it' ELSE 'start new sessions' END);
$new$);
END
$update$;

CREATE FUNCTION flakeid_release() RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_release() IS 'release of the library that this session has loaded, such as 1.1.0: of one version, a later release has corrections';
