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
