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
\echo '== The table you have: its uuid v7 keys already hold the time'
\echo
CREATE EXTENSION flakeid;
\echo
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuid7_new(), total numeric);
\echo
\echo 'An order every 90 seconds for the last 104 days:'
\echo
INSERT INTO orders
SELECT uuid7_new_at(now() - n * interval '90 s'), n % 100
FROM generate_series(100000, 1, -1) AS n;
\echo
VACUUM ANALYZE orders;
\echo
\echo 'A view adds created_at, and the primary key finds the orders of the last day by it:'
\echo
CREATE VIEW orders_with_time AS
SELECT *, uuid7_timestamp(id) AS created_at FROM orders;
\echo
SELECT * FROM orders_with_time ORDER BY id LIMIT 2;
\timing on
SELECT count(*) FROM orders_with_time
WHERE created_at >= now() - interval '1 day';
\timing off
\echo
EXPLAIN (COSTS OFF)
SELECT count(*) FROM orders_with_time
WHERE created_at >= now() - interval '1 day';

\echo 'is_uuid7(id) leaves out UUIDs of other versions.'
\echo
\echo '== Reading what is new, missing nothing'
\echo
\set ECHO none
SELECT id AS last FROM orders ORDER BY id DESC LIMIT 1 \gset
\set ECHO queries
\echo 'A reader has read all orders so far. Then there are three new ones:'
\echo
INSERT INTO orders (total) VALUES (10), (20), (30);
\echo
\echo 'The reader asks for the orders after the last one that it knows. No row will appear below'
\echo 'uuid7_horizon() later, so it misses none, not even those of slow transactions:'
\echo
\set ECHO none
-- The horizon is a millisecond behind the clock.
SELECT pg_sleep(0.01) \g /dev/null
\set ECHO queries
SELECT * FROM orders WHERE id > :'last' AND id < uuid7_horizon()
ORDER BY id LIMIT 1000;

\echo '== A new table, with a key of 10 bytes'
\echo
\timing on
CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(), body text);

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
\echo 'tick_tock changes when the clock is set back, meta is a byte of your own (sno_new(7) puts a 7'
\echo 'there), partition is the number of this database, and sequence counts the IDs of 4 ms.'
\echo
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
CREATE TABLE log (id sno DEFAULT sno_new(), body text)
PARTITION BY RANGE (id);
\echo
SELECT flakeid_create_partitions('log', '2026-01-01', '2026-04-01', '1 month');
\echo 'Only one of the three is looked at:'
\echo
EXPLAIN (COSTS OFF)
SELECT * FROM log WHERE id >= timestamptz '2026-03-10';

\echo '== The types'
\echo
SELECT type, bytes, id, made_at
FROM uuid7_new() AS a, ulid_new() AS b, ksuid_new() AS c, flax_new() AS d,
     snowflake_new() AS e, sno_new() AS f, siq_new('user') AS g,
     uid64_new() AS h, uid96_new() AS i,
     LATERAL (VALUES
         ('uuid', pg_column_size(a), a::text, uuid7_timestamp(a)),
         ('ulid', pg_column_size(b), b::text, b::timestamptz),
         ('ksuid', pg_column_size(c), c::text, c::timestamptz),
         ('flax', pg_column_size(d), d::text, d::timestamptz),
         ('snowflake', pg_column_size(e), e::text, e::timestamptz),
         ('sno', pg_column_size(f), f::text, f::timestamptz),
         ('siq', pg_column_size(g), g::text, g::timestamptz),
         ('uid64', pg_column_size(h), h::text, h::timestamptz),
         ('uid96', pg_column_size(i), i::text, i::timestamptz)
     ) AS new(type, bytes, id, made_at);
\echo 'How exactly each of flakeid''s own types holds the time, and its first and last day'
\echo '(the 15.26 microseconds of siq are rounded up):'
\echo
SELECT name, resolution, epoch::date, last_timestamp::date AS until
FROM flakeid_formats;

\echo '== How fast one session makes IDs, compared with a sequence'
\echo
\set ECHO none
\set calls 100000
\echo :calls 'calls of each in a query, the best of 20 runs:'
\echo
CREATE SEQUENCE s;
CREATE TEMP TABLE run (call text, seconds numeric);
SELECT set_config('demo.calls', :'calls', false) \g /dev/null
DO $$
DECLARE
    -- n: the cost of the query itself
    calls text[] := ARRAY['n', 'uuid7_new()', 'ulid_new()', 'sno_new()', 'uid64_new()', 'uid96_new()',
        'siq_new(''user'')', 'snowflake_new()', 'flax_new()', 'nextval(''s'')', 'gen_random_uuid()'];
    call text;
    start timestamptz;
BEGIN
    FOR n IN 1..20 * cardinality(calls) LOOP
        call := calls[1 + n % cardinality(calls)];
        start := clock_timestamp();
        EXECUTE format('SELECT count(%s) FROM (SELECT generate_series(1, %s) AS n) AS loop',
            call, current_setting('demo.calls'));
        INSERT INTO run VALUES (call, extract(epoch FROM clock_timestamp() - start));
    END LOOP;
END $$;
SELECT CASE call WHEN 'n' THEN 'nothing' ELSE call END AS call,
       round(min(seconds) / :calls * 1e9) AS "ns a call",
       to_char(:calls / min(seconds), '999,999,999') AS "calls a second"
FROM run GROUP BY 1 ORDER BY 2;
\set ECHO queries

\echo '== What the generators say about themselves'
\echo
\echo 'A row for each generator: all IDs that it issued, how often a tick (4 ms for sno) had none'
\echo 'left, and how long calls waited then. uuid7_new() uses the generator of ulid:'
\echo
SELECT type, issued, overflows, wait_time FROM flakeid_generators;
\echo 'This database: how far its IDs are ahead of the clock, how often the clock was behind them,'
\echo 'how many calls were refused, this database''s number, and what is wrong with the settings:'
\echo
SELECT ahead_by, regressions, refused, node, setting_fault FROM flakeid_clock;
