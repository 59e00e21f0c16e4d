/* ---------- versions ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_library(OUT version text, OUT release text, OUT layout int, OUT preloaded boolean)
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION flakeid_version(OUT library text, OUT extension text, OUT release text, OUT layout int)
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT l.version, x.extversion, l.release, l.layout FROM _flakeid_functions.flakeid_library() AS l, pg_catalog.pg_extension AS x WHERE x.extname OPERATOR(pg_catalog.=) 'flakeid';
END;

COMMENT ON FUNCTION _flakeid_functions.flakeid_library() IS 'version and release of the library that this session has loaded, the layout of the shared memory that it makes, and whether the server has preloaded it';
COMMENT ON FUNCTION flakeid_version() IS 'versions of the library that this session has loaded and of the extension''s SQL, which differ in the middle of an upgrade; the library''s release, such as 1.0.3, whose third number counts corrections; and the layout of its shared memory, which cannot change without a restart';
