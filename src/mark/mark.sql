/* ---------- the mark ---------- */

CREATE SCHEMA _flakeid;

-- The intervals in which IDs may have been issued, by kind: 0 and 1 are the timelines of
-- sno, 2 all other generators.  The end of the current one is the mark.  An interval from
-- -infinity to -infinity is none.  Only the library writes the table, and it writes in place.
CREATE TABLE _flakeid.mark (
    kind bigint NOT NULL,
    current bigint NOT NULL,
    from_1 timestamptz NOT NULL, to_1 timestamptz NOT NULL,
    from_2 timestamptz NOT NULL, to_2 timestamptz NOT NULL,
    from_3 timestamptz NOT NULL, to_3 timestamptz NOT NULL,
    from_4 timestamptz NOT NULL, to_4 timestamptz NOT NULL,
    from_5 timestamptz NOT NULL, to_5 timestamptz NOT NULL,
    from_6 timestamptz NOT NULL, to_6 timestamptz NOT NULL
) USING heap;
INSERT INTO _flakeid.mark
    SELECT kind, 1, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity',
        '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', '-infinity'
    FROM pg_catalog.generate_series(0, 2) AS kind;

CREATE FUNCTION _flakeid.flakeid_mark_guard() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_guard() FROM PUBLIC;
CREATE TRIGGER mark_insert BEFORE INSERT ON _flakeid.mark
    FOR EACH ROW EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
CREATE TRIGGER mark_change BEFORE UPDATE OR DELETE ON _flakeid.mark
    FOR EACH ROW EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
CREATE TRIGGER mark_truncate BEFORE TRUNCATE ON _flakeid.mark
    FOR EACH STATEMENT EXECUTE FUNCTION _flakeid.flakeid_mark_guard();
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert;
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change;
ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_truncate;

-- A dump contains the marks, and restoring it merges them.  The call is qualified: otherwise a
-- function (text, text) in the extension's schema would run with a superuser's rights.
SELECT pg_catalog.pg_extension_config_dump('_flakeid.mark', '');

CREATE FUNCTION _flakeid.flakeid_mark_take_over() RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION _flakeid.flakeid_mark_take_over() FROM PUBLIC;

CREATE FUNCTION flakeid_advance(until timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_advance(timestamptz, boolean) FROM PUBLIC;
CREATE FUNCTION flakeid_clock_reset(back_to timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_clock_reset(timestamptz, boolean) FROM PUBLIC;

COMMENT ON SCHEMA _flakeid IS 'flakeid''s own tables';
COMMENT ON TABLE _flakeid.mark IS 'when IDs of this database may have been issued, as the view flakeid_issued shows; only the library writes the table, and it must have no index';
COMMENT ON FUNCTION _flakeid.flakeid_mark_guard() IS 'keeps the mark from being lowered';
COMMENT ON FUNCTION _flakeid.flakeid_mark_take_over() IS 'records in a new mark what was issued in this database before';
COMMENT ON TRIGGER mark_insert ON _flakeid.mark IS 'adds a restored row to the issued intervals';
COMMENT ON TRIGGER mark_change ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON TRIGGER mark_truncate ON _flakeid.mark IS 'refuses changes by hand';
COMMENT ON FUNCTION flakeid_advance(timestamptz, boolean) IS 'count everything before an instant as issued in this database; force is needed if the instant is more than a day ahead';
COMMENT ON FUNCTION flakeid_clock_reset(timestamptz, boolean) IS 'go back to an instant at which no ID was issued, after the clock was wrong; use force if IDs were issued then and repeated IDs do not matter';
