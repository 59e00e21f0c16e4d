/* ---------- views ---------- */

CREATE FUNCTION _flakeid_functions.flakeid_show_formats(
    OUT name text, OUT bytes int, OUT text_length int, OUT alphabet text, OUT pattern text,
    OUT epoch timestamptz, OUT last_timestamp timestamptz, OUT resolution interval,
    OUT timestamp_bits int, OUT sequence_bits int, OUT random_bits int,
    OUT generators int, OUT tick_tock boolean, OUT time_ordered boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
CREATE VIEW flakeid_formats AS SELECT * FROM _flakeid_functions.flakeid_show_formats();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_formats() IS 'rows of the view flakeid_formats';
COMMENT ON VIEW flakeid_formats IS 'the ID types and what they hold';
COMMENT ON COLUMN flakeid_formats.name IS 'the SQL type';
COMMENT ON COLUMN flakeid_formats.bytes IS 'bytes that an ID takes on disk';
COMMENT ON COLUMN flakeid_formats.text_length IS 'characters of an ID as text, or of the longest where they vary';
COMMENT ON COLUMN flakeid_formats.alphabet IS 'characters of the text, in the order of their values';
COMMENT ON COLUMN flakeid_formats.pattern IS 'regular expression that every canonical text matches; for ksuid and snowflake, numbers above the highest ID match it, too';
COMMENT ON COLUMN flakeid_formats.epoch IS 'instant of the first ID';
COMMENT ON COLUMN flakeid_formats.last_timestamp IS 'last instant that an ID can hold';
COMMENT ON COLUMN flakeid_formats.resolution IS 'the tick: the unit of time that an ID counts, to the microsecond';
COMMENT ON COLUMN flakeid_formats.timestamp_bits IS 'bits of the time';
COMMENT ON COLUMN flakeid_formats.sequence_bits IS 'bits of the sequence, from which a generator has a pool of sequence numbers for each tick; 0: it has none';
COMMENT ON COLUMN flakeid_formats.random_bits IS 'random bits of an ID';
COMMENT ON COLUMN flakeid_formats.generators IS 'how many generators IDs can tell apart: partitions, shards or workers; 0: it draws from another type''s generator, or has none';
COMMENT ON COLUMN flakeid_formats.tick_tock IS 'has a second timeline, on which it continues when the clock steps back';
COMMENT ON COLUMN flakeid_formats.time_ordered IS 'the order of IDs is the order of their instants';

CREATE FUNCTION _flakeid_functions.flakeid_show_generators(
    OUT type text, OUT number int, OUT tick timestamptz, OUT tick_tock int,
    OUT sequence int, OUT used int, OUT capacity int, OUT sequence_min int, OUT sequence_max int,
    OUT issued bigint, OUT waiting int, OUT overflows bigint, OUT overflow_ticks bigint,
    OUT last_overflow timestamptz, OUT wait_time interval, OUT regressions bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE VIEW flakeid_generators AS SELECT * FROM _flakeid_functions.flakeid_show_generators();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_generators() IS 'rows of the view flakeid_generators';
COMMENT ON VIEW flakeid_generators IS 'generators of this database that have issued since flakeid_clock.issued_since, or for which a call waits';
COMMENT ON COLUMN flakeid_generators.type IS 'type that the generator serves; uid96 draws from that of uid64, uuid7_new() from that of ulid';
COMMENT ON COLUMN flakeid_generators.number IS 'partition of sno, shard of siq, worker of snowflake; 0 for other types';
COMMENT ON COLUMN flakeid_generators.tick IS 'instant of the last tick in which sequence numbers were leased; NULL: none yet';
COMMENT ON COLUMN flakeid_generators.tick_tock IS 'timeline of that tick: 0 or 1';
COMMENT ON COLUMN flakeid_generators.sequence IS 'last sequence number leased of that tick; NULL: none of the pool yet';
COMMENT ON COLUMN flakeid_generators.used IS 'sequence numbers that this tick can no longer issue: those leased, and those below one leased before the pool was changed';
COMMENT ON COLUMN flakeid_generators.capacity IS 'size of the pool: sequence numbers that this database has for a tick';
COMMENT ON COLUMN flakeid_generators.sequence_min IS 'first sequence number of the pool';
COMMENT ON COLUMN flakeid_generators.sequence_max IS 'last sequence number of the pool';
COMMENT ON COLUMN flakeid_generators.issued IS 'IDs issued since flakeid_clock.issued_since, including those of rolled back transactions; those of another session are counted when its lease ends';
COMMENT ON COLUMN flakeid_generators.waiting IS 'calls that are waiting for the clock now';
COMMENT ON COLUMN flakeid_generators.overflows IS 'calls that found the tick used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.overflow_ticks IS 'ticks that were used up, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.last_overflow IS 'when a call last found the tick used up; NULL: never since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.wait_time IS 'time that all calls together have waited for the clock, since flakeid_clock.since';
COMMENT ON COLUMN flakeid_generators.regressions IS 'times that the clock was found behind this generator, since flakeid_clock.since';

CREATE FUNCTION _flakeid_functions.flakeid_show_clock(
    OUT clock timestamptz, OUT high_water timestamptz, OUT mark timestamptz, OUT ahead_by interval,
    OUT tick_tock int, OUT regressions bigint, OUT toggles bigint, OUT went_ahead bigint,
    OUT steps_back bigint, OUT last_step_back timestamptz, OUT node int, OUT node_source text, OUT sno_partition int,
    OUT siq_shard int, OUT snowflake_worker int, OUT siq_domain bigint, OUT uid_node bigint,
    OUT setting_fault text, OUT memory text, OUT generators int, OUT sessions int,
    OUT refused bigint, OUT last_refused timestamptz, OUT last_refused_reason text,
    OUT late bigint, OUT since timestamptz, OUT issued_since timestamptz, OUT horizon timestamptz, OUT held_by int, OUT horizon_asked timestamptz
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 1;
CREATE VIEW flakeid_clock AS SELECT * FROM _flakeid_functions.flakeid_show_clock();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_clock() IS 'row of the view flakeid_clock';
COMMENT ON VIEW flakeid_clock IS 'the clock compared with this database''s IDs, the regressions seen, and this database''s numbers';
COMMENT ON COLUMN flakeid_clock.clock IS 'what the server''s clock reads';
COMMENT ON COLUMN flakeid_clock.high_water IS 'time of the last IDs that this database has made, for sno on the timeline that it uses now; NULL: none since issued_since';
COMMENT ON COLUMN flakeid_clock.mark IS 'instant on disk; IDs of this database may have been issued up to it; it is up to two seconds ahead of them';
COMMENT ON COLUMN flakeid_clock.ahead_by IS 'how far the last IDs are ahead of the clock; normally less than a tick';
COMMENT ON COLUMN flakeid_clock.tick_tock IS 'timeline on which sno makes IDs: 0 or 1, the tick-tock bit of its IDs';
COMMENT ON COLUMN flakeid_clock.regressions IS 'times that the clock was found behind the IDs issued, since flakeid_clock.since; each type that refuses counts once more';
COMMENT ON COLUMN flakeid_clock.toggles IS 'of these, times that sno changed to its other timeline';
COMMENT ON COLUMN flakeid_clock.went_ahead IS 'of these, times that generators continued ahead of the clock';
COMMENT ON COLUMN flakeid_clock.steps_back IS 'of these, times that it was behind by a second or more; NTP and hypervisors set a clock back by milliseconds';
COMMENT ON COLUMN flakeid_clock.last_step_back IS 'what the clock read at the last of these steps; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.node IS 'number of this database; see node_source';
COMMENT ON COLUMN flakeid_clock.node_source IS 'where node comes from: flakeid.node, or the system identifier and database';
COMMENT ON COLUMN flakeid_clock.sno_partition IS 'partition under which this database makes snos; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.siq_shard IS 'shard under which this database makes siqs; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.snowflake_worker IS 'worker under which this database makes snowflakes; NULL: it has none, see setting_fault';
COMMENT ON COLUMN flakeid_clock.siq_domain IS 'hash of flakeid.siq_domain and flakeid.siq_local_id, which every siq carries';
COMMENT ON COLUMN flakeid_clock.uid_node IS 'node under which this database makes uid96s: a hash of flakeid.uid_node, or of the node';
COMMENT ON COLUMN flakeid_clock.setting_fault IS 'what is wrong with the settings, or with the numbers that they give this database; NULL if nothing is';
COMMENT ON COLUMN flakeid_clock.memory IS 'preloaded, if flakeid is in shared_preload_libraries, otherwise dynamic';
COMMENT ON COLUMN flakeid_clock.generators IS 'generators of this database that have issued since issued_since';
COMMENT ON COLUMN flakeid_clock.sessions IS 'sessions of this database that have used its generators or looked at these views, including the one that asks';
COMMENT ON COLUMN flakeid_clock.refused IS 'calls since flakeid_clock.since that ended with an error because they could not get an ID or write the mark, for one of the reasons in last_refused_reason; SQLSTATE 22008 where the clock is outside the span of the type, otherwise 55000. Calls of flax_new(), and calls on a standby, are not counted';
COMMENT ON COLUMN flakeid_clock.last_refused IS 'when the last call was refused; NULL: none since flakeid_clock.since';
COMMENT ON COLUMN flakeid_clock.last_refused_reason IS 'why the last call was refused: "clock too far behind", "waited for flakeid.max_wait", "sequence used up", "out of the type''s span", "table of the mark locked", "mark not written within flakeid.max_wait", "table of the mark changed in the transaction" or "table of the mark damaged"';
COMMENT ON COLUMN flakeid_clock.late IS 'rows whose IDs readers may have passed, as flakeid_late_id() has found since flakeid_clock.since; including those that it refused or renewed';
COMMENT ON COLUMN flakeid_clock.since IS 'when the counters began, except issued: with the memory of this database, or the last flakeid_stats_reset()';
COMMENT ON COLUMN flakeid_clock.issued_since IS 'when the memory of this database was made, from which issued in flakeid_generators counts';
COMMENT ON COLUMN flakeid_clock.horizon IS 'instant up to which feeds can read: the time of clock, or of the first ID of the oldest open transaction; NULL: unknown, in recovery, or while a prepared transaction from before the last start or promotion is open';
COMMENT ON COLUMN flakeid_clock.held_by IS 'process whose transaction keeps the horizon from rising; 0: a prepared transaction; NULL: none; see flakeid_horizon_holders';
COMMENT ON COLUMN flakeid_clock.horizon_asked IS 'when a horizon was first asked for, of IDs or of a sequence; NULL: never since issued_since';

CREATE FUNCTION _flakeid_functions.flakeid_show_issued(
    OUT kind int, OUT issued_from timestamptz, OUT issued_to timestamptz, OUT is_current boolean
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 6;
CREATE VIEW flakeid_issued AS SELECT * FROM _flakeid_functions.flakeid_show_issued();

COMMENT ON FUNCTION _flakeid_functions.flakeid_show_issued() IS 'rows of the view flakeid_issued';
COMMENT ON VIEW flakeid_issued IS 'when this database has issued IDs: up to six intervals of each kind; flakeid_clock_reset() can go back to any instant outside them';
COMMENT ON COLUMN flakeid_issued.kind IS '0 and 1: sno, by its tick-tock bit; 2: all other types';
COMMENT ON COLUMN flakeid_issued.issued_from IS 'first instant of the interval; -infinity: all before its end';
COMMENT ON COLUMN flakeid_issued.issued_to IS 'first instant after the interval; that of the current one is the mark, and leads the IDs by up to two seconds';
COMMENT ON COLUMN flakeid_issued.is_current IS 'IDs are being issued in this interval, and never again in the others';

CREATE FUNCTION flakeid_stats_reset() RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE ALL ON FUNCTION flakeid_stats_reset() FROM PUBLIC;

COMMENT ON FUNCTION flakeid_stats_reset() IS 'restart the counts of regressions, refusals, overflows, waits, late IDs and unannounced draws in this database, but not of IDs issued; returns the instant from which they count';
