/* ---------- the mark ---------- */

-- What may have been issued, by kind: 0 and 1 are the timelines of sno, 2 all
-- other generators.  Written in place by the library and by nobody else.
CREATE TABLE flakeid_mark (
    kind bigint NOT NULL,
    mark timestamptz NOT NULL,
    jump_from timestamptz NOT NULL,
    jump_to timestamptz NOT NULL,
    burnt_from timestamptz NOT NULL,
    burnt_to timestamptz NOT NULL
);
INSERT INTO flakeid_mark
    SELECT kind, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity'
    FROM generate_series(0, 2) AS kind;

CREATE FUNCTION flakeid_mark_guard() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_mark_guard() FROM PUBLIC;
CREATE TRIGGER flakeid_mark_insert BEFORE INSERT ON flakeid_mark
    FOR EACH ROW EXECUTE FUNCTION flakeid_mark_guard();
CREATE TRIGGER flakeid_mark_change BEFORE UPDATE OR DELETE ON flakeid_mark
    FOR EACH ROW EXECUTE FUNCTION flakeid_mark_guard();
CREATE TRIGGER flakeid_mark_truncate BEFORE TRUNCATE ON flakeid_mark
    FOR EACH STATEMENT EXECUTE FUNCTION flakeid_mark_guard();
ALTER TABLE flakeid_mark ENABLE ALWAYS TRIGGER flakeid_mark_insert;
ALTER TABLE flakeid_mark ENABLE ALWAYS TRIGGER flakeid_mark_change;
ALTER TABLE flakeid_mark ENABLE ALWAYS TRIGGER flakeid_mark_truncate;

-- a dump carries the marks, and restoring it merges them; the owner of the
-- database, who need not be a superuser, must be able to do both
SELECT pg_extension_config_dump('flakeid_mark', '');
REVOKE ALL ON flakeid_mark FROM PUBLIC;
GRANT SELECT, INSERT ON flakeid_mark TO pg_database_owner;

CREATE FUNCTION flakeid_advance(until timestamptz) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_advance(timestamptz) FROM PUBLIC;
CREATE FUNCTION flakeid_clock_reset(back_to timestamptz, force boolean DEFAULT false) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_clock_reset(timestamptz, boolean) FROM PUBLIC;

COMMENT ON TABLE flakeid_mark IS 'instants below which IDs of this database may have been issued; written by the library only';
COMMENT ON FUNCTION flakeid_mark_guard() IS 'keeps flakeid_mark from being lowered';
COMMENT ON TRIGGER flakeid_mark_insert ON flakeid_mark IS 'merges a restored row into the mark';
COMMENT ON TRIGGER flakeid_mark_change ON flakeid_mark IS 'refuses changes by hand';
COMMENT ON TRIGGER flakeid_mark_truncate ON flakeid_mark IS 'refuses changes by hand';
COMMENT ON FUNCTION flakeid_advance(timestamptz) IS 'count everything before an instant as issued in this database';
COMMENT ON FUNCTION flakeid_clock_reset(timestamptz, boolean) IS 'lower the marks of this database to an instant, after a wrong clock; force where IDs may have been issued';

/* ---------- the whole ---------- */

CREATE FUNCTION flakeid_show_formats(
    OUT name text, OUT bytes int, OUT text_length int, OUT alphabet text, OUT pattern text,
    OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT sequence_bits int, OUT random_bits int,
    OUT generators int, OUT tick_tock boolean, OUT time_ordered boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 6;
CREATE VIEW flakeid_formats AS SELECT * FROM flakeid_show_formats();
GRANT SELECT ON flakeid_formats TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_formats() IS 'rows of the view flakeid_formats';
COMMENT ON VIEW flakeid_formats IS 'the ID types and what they hold';

CREATE FUNCTION flakeid_show_generators(
    OUT type text, OUT number int, OUT tick timestamptz, OUT tick_tock int,
    OUT sequence int, OUT used int, OUT capacity int, OUT sequence_min int, OUT sequence_max int,
    OUT issued bigint, OUT waiting int, OUT overflows bigint, OUT overflow_ticks bigint,
    OUT last_overflow timestamptz, OUT wait_time interval, OUT regressions bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_generators AS SELECT * FROM flakeid_show_generators();
GRANT SELECT ON flakeid_generators TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_generators() IS 'rows of the view flakeid_generators';
COMMENT ON VIEW flakeid_generators IS 'generators in shared memory; number is the partition or shard, NULL sums up those that gave their place to others';

CREATE FUNCTION flakeid_show_shards(
    OUT pid int, OUT type text, OUT number int, OUT tick timestamptz,
    OUT lease_start int, OUT lease_next int, OUT lease_end int, OUT issued bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_shards AS SELECT * FROM flakeid_show_shards();
GRANT SELECT ON flakeid_shards TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_shards() IS 'rows of the view flakeid_shards';
COMMENT ON VIEW flakeid_shards IS 'sessions that made IDs: the generator used last and the range of its sequence they hold';

CREATE FUNCTION flakeid_show_clock(
    OUT clock timestamptz, OUT high_water timestamptz, OUT mark timestamptz, OUT ahead_by interval,
    OUT tick_tock int, OUT regressions bigint, OUT toggles bigint, OUT run_ons bigint,
    OUT last_regression timestamptz, OUT node int, OUT node_source text, OUT sno_partition int,
    OUT snowflake_worker int, OUT siq_domain bigint, OUT uid_node bigint,
    OUT memory text, OUT generators int, OUT sessions int
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 1;
CREATE VIEW flakeid_clock AS SELECT * FROM flakeid_show_clock();
GRANT SELECT ON flakeid_clock TO PUBLIC;

COMMENT ON FUNCTION flakeid_show_clock() IS 'row of the view flakeid_clock';
COMMENT ON VIEW flakeid_clock IS 'the clock beside the IDs, regressions seen, and who this server is';
