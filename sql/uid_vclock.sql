-- Vector clocks over uid96[]: an entry for each node, the latest of its IDs.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;
RESET client_min_messages;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET intervalstyle = 'postgres';

-- an entry of node 1 to 9, so many seconds after an instant
CREATE FUNCTION pg_temp.entry(node int, second int, sequence int DEFAULT 0) RETURNS uid96
    RETURN uid96_make(timestamptz '2026-11-21 10:00+00' + interval '1 second' * second, node, sequence);
-- and a clock in words
CREATE FUNCTION pg_temp.words(clock uid96[]) RETURNS text
    RETURN (SELECT string_agg(coalesce(uid96_node(id) || ':' || to_char(id::timestamptz, 'MI:SS') || ':' || uid96_sequence(id), 'NULL'), ' ' ORDER BY n)
        FROM unnest(clock) WITH ORDINALITY AS t (id, n));

-- this server's new entry is added in front, and replaces its old one

SELECT array_ndims(new), array_length(new, 1), uid96_node(new[1]) = uid_node AS own FROM uid_vclock() AS new, flakeid_clock;
SELECT array_length(uid_vclock('{}'), 1), array_length(uid_vclock(uid_vclock()), 1);
CREATE TEMP TABLE clocks AS
    SELECT old, uid_vclock(old) AS new
    FROM (SELECT ARRAY[pg_temp.entry(2, 0), pg_temp.entry(1, 0)] || uid_vclock() || pg_temp.entry(3, 0)) AS t (old);
SELECT array_length(old, 1), array_length(new, 1), new[1] > old[3] AS later, pg_temp.words(new[2:]) AS others FROM clocks;
SELECT uid_vclock_descends(new, old) AS forth, uid_vclock_descends(old, new) AS back FROM clocks;
SELECT (SELECT array_agg(uid96_node(id) = (SELECT uid_node FROM flakeid_clock)) FROM uid_vclock_diff(old, new)) AS diff FROM clocks;
-- each step is later than the previous one
DO $$
DECLARE
    clock uid96[] := uid_vclock();
    next uid96[];
BEGIN
    FOR i IN 1 .. 20000 LOOP
        next := uid_vclock(clock);
        ASSERT array_length(next, 1) = 1 AND next[1] > clock[1], 'not later';
        clock := next;
    END LOOP;
END $$;
-- also later than IDs that another session has just made from the numbers after this session's lease
SELECT bool_and(new[1] > ahead) AS later
FROM (
    SELECT ahead, uid_vclock(ARRAY[ahead]) AS new
    FROM (
        SELECT uid96_make(id::timestamptz, uid96_node(id), least(uid96_sequence(id) + 200, 16383)) AS ahead
        FROM (SELECT uid96_new() AS id FROM generate_series(1, 100)) AS s
    ) AS s
) AS s;
-- an entry of this node that it cannot have made
\set VERBOSITY sqlstate
SELECT uid_vclock(ARRAY[uid96_make('2200-01-01', uid_node, 0)]) FROM flakeid_clock;
\set VERBOSITY default

-- join: the later entry of each node

SELECT pg_temp.words(uid_vclock_join(ARRAY[pg_temp.entry(2, 1), pg_temp.entry(1, 5)], ARRAY[pg_temp.entry(3, 0), pg_temp.entry(1, 6), pg_temp.entry(2, 0)]));
SELECT pg_temp.words(uid_vclock_join(ARRAY[pg_temp.entry(1, 5, 7)], ARRAY[pg_temp.entry(1, 5, 8)])) AS by_sequence;
SELECT uid_vclock_join('{}', '{}'), uid_vclock_join(NULL, '{}');

-- descends, with every node and without one of them

SELECT a, b, uid_vclock_descends(x.clock, y.clock) AS descends, uid_vclock_descends(1, x.clock, y.clock) AS but_for_1
FROM (VALUES ('empty', ARRAY[]::uid96[]), ('1', ARRAY[pg_temp.entry(1, 0)]), ('1 later', ARRAY[pg_temp.entry(1, 1)]),
        ('1, 2', ARRAY[pg_temp.entry(1, 0), pg_temp.entry(2, 0)])) AS x (a, clock),
    (VALUES ('empty', ARRAY[]::uid96[]), ('1', ARRAY[pg_temp.entry(1, 0)]), ('1 later', ARRAY[pg_temp.entry(1, 1)]),
        ('2, 1', ARRAY[pg_temp.entry(2, 0), pg_temp.entry(1, 0)])) AS y (b, clock);

-- diff: what the second has seen and the first has not

SELECT node, id = entry AS entry, elapsed, sequence
FROM uid_vclock_diff(ARRAY[pg_temp.entry(1, 0, 5), pg_temp.entry(2, 3), pg_temp.entry(4, 9)],
        ARRAY[pg_temp.entry(3, 1, 8), pg_temp.entry(2, 3), pg_temp.entry(1, 90, 2), pg_temp.entry(4, 8)]),
    unnest(ARRAY[pg_temp.entry(3, 1, 8), pg_temp.entry(1, 90, 2)]) AS entry
WHERE id = entry;
SELECT count(*) FROM uid_vclock_diff('{}', '{}');

-- NULL elements do not count, the latest of several entries of a node counts, dimensions do not matter

SELECT pg_temp.words(uid_vclock_join(ARRAY[NULL, pg_temp.entry(1, 0)], ARRAY[pg_temp.entry(1, 1), NULL, pg_temp.entry(1, 2)]));
SELECT uid_vclock_descends(ARRAY[NULL, pg_temp.entry(1, 2), pg_temp.entry(1, 0)], ARRAY[pg_temp.entry(1, 1), NULL]) AS t,
    uid_vclock_descends(2, ARRAY[NULL, pg_temp.entry(1, 2)], ARRAY[NULL, pg_temp.entry(2, 1)]) AS t,
    uid_vclock_descends(ARRAY[NULL]::uid96[], ARRAY[pg_temp.entry(1, 1), NULL]) AS f;
SELECT node, elapsed FROM uid_vclock_diff(ARRAY[NULL, pg_temp.entry(1, 2), pg_temp.entry(1, 0)], ARRAY[NULL, pg_temp.entry(1, 3), pg_temp.entry(2, 0)]);
SELECT pg_temp.words((uid_vclock(ARRAY[NULL, pg_temp.entry(1, 2), NULL]))[2:]);
SELECT pg_temp.words((uid_vclock(ARRAY[[pg_temp.entry(1, 2), NULL], [pg_temp.entry(3, 0), pg_temp.entry(2, 0)]]))[2:]);
SELECT pg_temp.words(uid_vclock_join(ARRAY[[pg_temp.entry(2, 2)], [pg_temp.entry(1, 0)]], ARRAY[pg_temp.entry(3, 0)]));

-- the laws: a join descends from both, is the least that does, and order does not matter

CREATE TEMP TABLE clock AS
    SELECT n, ARRAY(SELECT pg_temp.entry(node, n / node % 3) FROM generate_series(1, 4) AS node WHERE n >> node & 1 = 1) AS clock
    FROM generate_series(1, 40) AS n;
SELECT bool_and(uid_vclock_descends(j, a.clock) AND uid_vclock_descends(j, b.clock)
        AND j = uid_vclock_join(b.clock, a.clock) AND j = uid_vclock_join(j, a.clock)
        AND (uid_vclock_descends(a.clock, b.clock) = (j = uid_vclock_join(a.clock, a.clock)))
        AND (uid_vclock_descends(a.clock, b.clock) = NOT EXISTS (SELECT FROM uid_vclock_diff(a.clock, b.clock)))
        AND j = uid_vclock_join(a.clock, ARRAY(SELECT id FROM uid_vclock_diff(a.clock, b.clock)))) AS laws
FROM clock AS a, clock AS b, uid_vclock_join(a.clock, b.clock) AS j;

DROP TABLE clocks, clock;
