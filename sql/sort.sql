--
-- Sorting, indexing, grouping and joining, compared with bytea, which orders the same
-- bytes the same way.
--
-- Sorts compare the first 8 bytes as a number ("abbreviated keys") and the rest only if
-- these are equal.  After 10,240 values, and again after 20,480, they give that up if it
-- distinguishes too few.  So there are more values of each kind, and the kinds differ in
-- the bytes that distinguish them.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET work_mem = '64MB';

-- Hashes for bytes: random enough, and the same everywhere.
CREATE TEMP TABLE ids (kind text, id sno, bytes bytea);
INSERT INTO ids
SELECT kind, bytes::sno, bytes
FROM generate_series(1, 21000) AS n, LATERAL sha256(n::text::bytea) AS hash,
    LATERAL (VALUES
        -- all bytes differ
        ('random', substr(hash, 1, 10)),
        -- the first 8 do not: given up
        ('last bytes', '\x8070605040302010' || substr(hash, 1, 2)),
        -- the first 8 have one of two values, on both sides of the middle
        ('two numbers', (ARRAY['\x7fffffffffffffff', '\x8000000000000000'])[1 + n % 2]::bytea || substr(hash, 1, 2)),
        -- the sign bit of each byte
        ('signs', decode(translate(reverse(n::bit(20)::text), '01', '78'), 'hex')),
        -- few, each of them often: given up after 20,480
        ('equal', substr(sha256((n % 10)::text::bytea), 1, 10)),
        ('one', '\xffffffffffffffffffff'),
        -- like those of generators: many in one unit of time, in four partitions
        ('made', sno_make('2024-01-01'::timestamptz + n / 1000 * interval '4 ms', 0, n % 4, n % 1000)::bytea)
    ) AS v (kind, bytes)
WHERE n <= 11000 OR kind = 'equal';
INSERT INTO ids SELECT DISTINCT kind, NULL::sno, NULL::bytea FROM ids;
SELECT kind, count(*), count(DISTINCT bytes) AS distinct, count(DISTINCT substr(bytes, 1, 8)) AS leading
FROM ids GROUP BY kind ORDER BY kind COLLATE "C";

--
-- Sorting
--

-- How many IDs of a kind are in a different place than their bytes, sorted as specified.
CREATE FUNCTION pg_temp.misplaced(of_table text, of_kind text, direction text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    result bigint;
BEGIN
    EXECUTE format('
        SELECT count(*)
        FROM unnest(ARRAY (SELECT id FROM %3$I WHERE kind = %1$L ORDER BY id %2$s),
            ARRAY (SELECT bytes FROM %3$I WHERE kind = %1$L ORDER BY bytes %2$s)) AS v (id, bytes)
        WHERE id::bytea IS DISTINCT FROM bytes', of_kind, direction, of_table) INTO result;
    RETURN result;
END $$;
CREATE TEMP TABLE kinds AS SELECT DISTINCT kind FROM ids;

-- In memory; the greatest 100, for which no full sort is made; on disk.
SELECT kind, pg_temp.misplaced('ids', kind, 'ASC') AS asc, pg_temp.misplaced('ids', kind, 'DESC') AS desc,
    pg_temp.misplaced('ids', kind, 'DESC NULLS LAST LIMIT 100') AS limit
FROM kinds ORDER BY kind COLLATE "C";
SET work_mem = '64kB';
SELECT kind, pg_temp.misplaced('ids', kind, 'ASC') AS asc, pg_temp.misplaced('ids', kind, 'DESC') AS desc
FROM kinds ORDER BY kind COLLATE "C";
SET work_mem = '64MB';

-- uid96 compares other bytes first: the node in the middle is left out if it is the first
-- sorted ID's.
CREATE TEMP TABLE uid96_ids (kind text, id uid96, bytes bytea);
INSERT INTO uid96_ids
SELECT kind, bytes::uid96, bytes
FROM generate_series(1, 11000) AS n, LATERAL sha256(n::text::bytea) AS hash,
    LATERAL (VALUES
        ('random', substr(hash, 1, 12)),
        -- one neighbourhood, in which the last bytes differ: of one node, and of nodes below and above the first
        ('one node', '\x0065a1b270605040' || substr(hash, 1, 4)),
        ('three nodes', '\x0065a1b2'::bytea || (ARRAY['\x70605041', '\x70605040', '\x70605042'])[1 + n % 3]::bytea || substr(hash, 1, 4)),
        ('many nodes', '\x0065a1b2' || substr(hash, 1, 8)),
        -- neither: given up
        ('last bits', '\x0065a1b270605040302010'::bytea || set_byte('\x00', 0, n % 4))
    ) AS v (kind, bytes);
SELECT kind, count(*) AS ids, pg_temp.misplaced('uid96_ids', kind, 'ASC') AS asc, pg_temp.misplaced('uid96_ids', kind, 'DESC') AS desc
FROM uid96_ids GROUP BY kind ORDER BY kind COLLATE "C";

--
-- Indexes: built by a sort, and filled one by one.
--
CREATE INDEX built ON ids (id);
CREATE TEMP TABLE inserted (LIKE ids);
CREATE INDEX filled ON inserted (id);
INSERT INTO inserted SELECT * FROM ids;
VACUUM ANALYZE ids, inserted;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT id FROM ids ORDER BY id;
EXPLAIN (COSTS OFF) SELECT id FROM inserted ORDER BY id;
CREATE TEMP TABLE in_order AS
SELECT ARRAY (SELECT id FROM ids ORDER BY id) AS built, ARRAY (SELECT id FROM inserted ORDER BY id) AS filled;
SET enable_sort = on;
SELECT count(*), count(*) FILTER (WHERE b::bytea IS DISTINCT FROM bytes OR f::bytea IS DISTINCT FROM bytes) AS misplaced
FROM in_order, unnest(built, filled, ARRAY (SELECT bytes FROM ids ORDER BY bytes)) AS v (b, f, bytes);

-- Every fourth ID is found, as often as it exists.
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT count(*), count(*) FILTER (WHERE n <> in_built OR n <> in_filled) AS wrong
FROM (SELECT bytes, count(*) AS n FROM ids WHERE sno_sequence(id) % 4 = 3 GROUP BY bytes) AS d,
    LATERAL (SELECT count(*) AS in_built FROM ids WHERE id = d.bytes::sno) AS b,
    LATERAL (SELECT count(*) AS in_filled FROM inserted WHERE id = d.bytes::sno) AS f;

-- Ranges with every kind of bound, between equal IDs, too.
WITH place AS MATERIALIZED (
    SELECT bytes, min(n) - 1 AS below, max(n) AS up_to, (SELECT count(bytes) FROM ids) AS all
    FROM (SELECT bytes, row_number() OVER (ORDER BY bytes) AS n FROM ids) AS i GROUP BY bytes
)
SELECT count(*), count(*) FILTER (WHERE by_index <> by_bytes) AS wrong
FROM (SELECT DISTINCT ON (kind, sno_sequence(id) % 5) id AS x FROM ids WHERE id IS NOT NULL
        ORDER BY kind, sno_sequence(id) % 5, id) AS x,
    LATERAL (SELECT ARRAY[below, up_to, place.all - below, place.all - up_to] AS by_bytes FROM place WHERE bytes = x::bytea) AS b,
    LATERAL (SELECT ARRAY[(SELECT count(*) FROM ids WHERE id < x), (SELECT count(*) FROM ids WHERE id <= x),
        (SELECT count(*) FROM ids WHERE id >= x), (SELECT count(*) FROM ids WHERE id > x)] AS by_index) AS i;
DROP INDEX built;

-- Equal entries of an index share their space, because equal IDs have the same bytes.
CREATE INDEX shared ON ids (id) WHERE kind IN ('one', 'equal');
CREATE INDEX unshared ON ids (id) WITH (deduplicate_items = off) WHERE kind IN ('one', 'equal');
SELECT pg_relation_size('shared') < pg_relation_size('unshared') / 2 AS deduplicated;
DROP INDEX shared, unshared;

-- A hash index finds them, too: here a partial one, without the ID that exists 11000 times, so
-- the planner must recognize that one ID is not the other.
CREATE INDEX hashed ON ids USING hash (id) WHERE id <> 'xxxxxxxxxxxxxxxx';
EXPLAIN (COSTS OFF) SELECT FROM ids WHERE id = '2222222222222222';
SELECT count(*), count(*) FILTER (WHERE n <> in_hashed) AS wrong
FROM (SELECT bytes, count(*) AS n FROM ids WHERE kind <> 'one' AND sno_sequence(id) % 4 = 3 GROUP BY bytes) AS d,
    LATERAL (SELECT count(*) AS in_hashed FROM ids WHERE id = d.bytes::sno AND id <> 'xxxxxxxxxxxxxxxx') AS h;
RESET enable_seqscan;
RESET enable_bitmapscan;

--
-- Grouping: by hash, by sort, by bytes.
--
SELECT count(*), sum(n) FROM (SELECT bytes, count(*) AS n FROM ids GROUP BY bytes) AS g;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT id, count(*) FROM ids GROUP BY id;
SELECT count(*), sum(n) FROM (SELECT id, count(*) AS n FROM ids GROUP BY id) AS g;
SET enable_sort = on;
SET enable_hashagg = off;
EXPLAIN (COSTS OFF) SELECT id, count(*) FROM ids GROUP BY id;
SELECT count(*), sum(n) FROM (SELECT id, count(*) AS n FROM ids GROUP BY id) AS g;
SELECT count(DISTINCT id) FROM ids;
RESET enable_hashagg;

--
-- Joining: in three ways, and by bytes.
--
CREATE TEMP TABLE few AS SELECT DISTINCT id, bytes FROM ids WHERE sno_sequence(id) % 7 = 0;
ANALYZE few;
SET enable_nestloop = off;
SET enable_hashjoin = on;
SELECT count(*) FROM ids JOIN few USING (bytes);
EXPLAIN (COSTS OFF) SELECT count(*) FROM ids JOIN few USING (id);
SELECT count(*) FROM ids JOIN few USING (id);
SET enable_hashjoin = off;
SET enable_mergejoin = on;
EXPLAIN (COSTS OFF) SELECT count(*) FROM ids JOIN few USING (id);
SELECT count(*) FROM ids JOIN few USING (id);
SET enable_mergejoin = off;
SET enable_nestloop = on;
SET enable_memoize = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM inserted AS ids JOIN few USING (id);
SELECT count(*) FROM inserted AS ids JOIN few USING (id);
