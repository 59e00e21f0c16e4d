-- The demonstration that `make demo` runs, on an empty database: every statement,
-- then its output and how long it took.
\set ON_ERROR_STOP on
\pset pager off
\pset footer off
\pset null '-'
SET timezone = 'UTC';
-- Plans with one line per node, and times without JIT and parallel workers.
SET max_parallel_workers_per_gather = 0;
SET jit = off;
\set ECHO queries

\echo
\echo '== A table whose key makes itself'
\echo
\timing on
CREATE EXTENSION flakeid;
\echo
CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), body text);

\echo
\echo '== A million rows'
\echo
INSERT INTO event (body)
SELECT 'event ' || n FROM generate_series(1, 1000000) AS n;
\echo
SELECT count(*) AS rows, count(DISTINCT id) AS ids FROM event;
\echo
VACUUM ANALYZE event;
\timing off

\echo
\echo '== What an ID holds'
\echo
SELECT id, id::timestamptz AS made_at, body FROM event ORDER BY id LIMIT 5;
\x on
SELECT i.* FROM event, sno_inspect(id) AS i ORDER BY id LIMIT 1;
\x off
\echo 'As text and as bytes, and back:'
\echo
SELECT id::text AS text, id::bytea AS bytes,
       id::text::sno = id AND id::bytea::sno = id AS "and back"
FROM event ORDER BY id LIMIT 1;

\echo '== IDs sort by time: the newest row is at the end of the primary key'
\echo
\timing on
SELECT id FROM event ORDER BY id DESC LIMIT 1;
\timing off
\echo
EXPLAIN (COSTS OFF) SELECT id FROM event ORDER BY id DESC LIMIT 1;

\echo '== Time is in the ID: the primary key answers questions about it'
\echo
INSERT INTO event (body) VALUES ('just now')
RETURNING id, id::timestamptz AS made_at;
\timing on
SELECT count(*) FROM event WHERE id >= now() - interval '1 second';
\timing off
\echo
EXPLAIN (COSTS OFF)
SELECT count(*) FROM event WHERE id >= now() - interval '1 second';
\set ECHO none
SELECT tstzrange(min(id)::timestamptz, min(id)::timestamptz + interval '100 ms') AS first
FROM event \gset
\set ECHO queries
\echo 'The rows of the first 100 milliseconds:'
\echo
\timing on
SELECT count(*) FROM event WHERE id <@ :'first'::tstzrange;
\timing off

\echo
\echo '== Partitions by time, without a column for the time'
\echo
CREATE TABLE log (id sno DEFAULT sno_new(0), body text)
PARTITION BY RANGE (id);
\echo
SELECT flakeid_create_partitions('log', '2026-01-01', '2026-04-01', '1 month');
\echo 'Only one of the three is looked at:'
\echo
EXPLAIN (COSTS OFF)
SELECT * FROM log WHERE id >= timestamptz '2026-03-10';

\echo '== Six types of four libraries'
\echo
SELECT type, bytes, id, made_at
FROM sno_new(0) AS a, flax_new() AS b, siq_new('user') AS c,
     uid64_new() AS d, uid96_new() AS e, snowflake_new() AS f,
     LATERAL (VALUES
         ('sno', pg_column_size(a), a::text, a::timestamptz),
         ('flax', pg_column_size(b), b::text, b::timestamptz),
         ('siq', pg_column_size(c), c::text, c::timestamptz),
         ('uid64', pg_column_size(d), d::text, d::timestamptz),
         ('uid96', pg_column_size(e), e::text, e::timestamptz),
         ('snowflake', pg_column_size(f), f::text, f::timestamptz)
     ) AS new(type, bytes, id, made_at);
\echo 'An ID tells its time as exactly as its resolution (of siq it is 15.26 microseconds, which an'
\echo 'interval rounds up), until the last day of its format:'
\echo
SELECT name, resolution, epoch::date, last_timestamp::date AS until
FROM flakeid_formats;

\echo '== How fast one session makes IDs, compared with a sequence'
\echo
\set ECHO none
\set calls 1000000
\echo :calls 'calls of each in a query, the best of three runs:'
\echo
CREATE SEQUENCE s;
CREATE TEMP TABLE run (call text, seconds numeric);
SELECT set_config('demo.calls', :'calls', false) \g /dev/null
DO $$
DECLARE
    -- n: the cost of the query itself
    calls text[] := ARRAY['n', 'sno_new(0)', 'uid64_new()', 'uid96_new()', 'siq_new(''user'')',
        'snowflake_new()', 'flax_new()', 'nextval(''s'')', 'gen_random_uuid()'];
    call text;
    start timestamptz;
BEGIN
    FOREACH call IN ARRAY calls || calls || calls
    LOOP
        start := clock_timestamp();
        EXECUTE format('SELECT count(%s) FROM (SELECT generate_series(1, %s) AS n) AS loop',
            call, current_setting('demo.calls'));
        INSERT INTO run VALUES (call, extract(epoch FROM clock_timestamp() - start));
    END LOOP;
END $$;
SELECT CASE call WHEN 'n' THEN 'nothing' ELSE call END AS call,
       round(min(seconds), 3) AS seconds,
       to_char(:calls / min(seconds), '999,999,999') AS "calls a second"
FROM run GROUP BY 1 ORDER BY 2;
\set ECHO queries

\echo '== What the generators say about themselves'
\echo
\echo 'A row for each generator: how many IDs of its newest tick are used, of how many it has;'
\echo 'all that were issued; how often a tick was full, and how long sessions waited then:'
\echo
SELECT type, number, used, capacity, issued, overflows, wait_time
FROM flakeid_generators;
\echo 'The server: its clock, the time of its newest ID (high_water), the instant before which IDs may'
\echo 'have been issued (mark: it is on disk before they are), how far IDs are ahead of the clock, how'
\echo 'often it stepped back, and the numbers that IDs of this server carry:'
\echo
\x on
SELECT * FROM flakeid_clock;
