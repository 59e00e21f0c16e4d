--
-- ORDER BY the time of an ID, by the ID's index; and for each rule a query in which the
-- index would give another order, or none.
--
-- Sorting costs more than anything else here, so a plan that sorts is the only one that is
-- possible.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

-- uuid v7, three rows a minute, of which two have the same time.
CREATE TABLE order_row (id uuid PRIMARY KEY, account int, total int);
INSERT INTO order_row
SELECT overlay(uuid7_min(timestamptz '2026-11-21' - n / 3 * interval '1 min' - n % 3 / 2 * interval '10 s')::text PLACING lpad(to_hex(n * 7919 % 65536), 12, '0') FROM 25)::uuid, n % 5, n % 100
FROM generate_series(0, 2999) AS n;
CREATE INDEX order_row_account ON order_row (account, id);
VACUUM ANALYZE order_row;
CREATE VIEW order_seen AS SELECT *, uuid7_timestamp(id) AS created_at FROM order_row WHERE uuid7_timestamp(id) IS NOT NULL;
CREATE VIEW order_all AS SELECT *, uuid7_timestamp(id) AS created_at FROM order_row;

-- The library is loaded in time by a session's first query.
\c -
SET timezone = 'UTC';
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT * FROM order_seen ORDER BY created_at DESC LIMIT 20;
SET enable_bitmapscan = off;
SET enable_hashagg = off;
SET enable_hashjoin = off;
\set lines 'Scan|Sort$|Index Cond|Presorted|Merge|Append|Unique|WindowAgg|GroupAggregate|LockRows'
\i :dir/sql/plans.psql

--
-- What the index gives
--
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at DESC NULLS LAST LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at DESC, id DESC LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at DESC, id LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at, total LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_seen WHERE account = 3 ORDER BY created_at DESC LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY account, created_at');
SELECT pg_temp.plans('SELECT max(created_at) FROM order_all');
SELECT pg_temp.plans('SELECT min(created_at) FROM order_all WHERE account = 3');
SELECT pg_temp.plans('SELECT DISTINCT ON (created_at) * FROM order_seen ORDER BY created_at, id');
SELECT pg_temp.plans('SELECT created_at, count(*) FROM order_seen GROUP BY created_at');
SELECT pg_temp.plans('SELECT rank() OVER (ORDER BY created_at) FROM order_seen');
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at FETCH FIRST 2 ROWS WITH TIES');
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at LIMIT 2 FOR UPDATE SKIP LOCKED');
SELECT pg_temp.plans('SELECT * FROM order_seen AS a JOIN order_seen AS b USING (created_at)');
SELECT pg_temp.plans('SELECT l.* FROM generate_series(0, 4) AS a, LATERAL (SELECT id FROM order_seen WHERE account = a ORDER BY created_at DESC LIMIT 3) AS l');
-- A page by the instant and the ID, whichever side the row is on.
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE (created_at, id) < (timestamptz '2026-11-20 23:50', '01a1fb67-1800-7000-8000-000000000000') ORDER BY created_at DESC, id DESC LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE (timestamptz '2026-11-20 23:50', uuid '01a1fb67-1800-7000-8000-000000000000') <= (created_at, id) ORDER BY created_at, id LIMIT 3$$);
-- Rows of the very instant are in it.
SELECT count(*) FROM (SELECT * FROM order_all
    WHERE (created_at, id) <= (timestamptz '2026-11-20 23:50', 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY created_at DESC, id DESC LIMIT 2) AS page
WHERE created_at = timestamptz '2026-11-20 23:50';
SELECT count(*) FROM (SELECT * FROM order_all
    WHERE (timestamptz '2026-11-20 23:50', uuid '00000000-0000-0000-0000-000000000000') < (created_at, id) ORDER BY created_at, id LIMIT 2) AS page
WHERE created_at = timestamptz '2026-11-20 23:50';
-- The switch.
SET flakeid.order_by_time = off;
SELECT pg_temp.plans('SELECT * FROM order_seen ORDER BY created_at LIMIT 3');
RESET flakeid.order_by_time;

--
-- UUIDs of other versions have no time: proof that there are none
--
SELECT pg_temp.plans('SELECT * FROM order_all ORDER BY created_at LIMIT 3');
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE created_at > '2026-11-20' ORDER BY created_at LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE created_at IN ('2026-11-20', '2026-11-21') ORDER BY created_at LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE created_at > '2026-11-20' OR created_at < '2026-01-01' ORDER BY created_at LIMIT 3$$);
-- True of NULL, too.
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE created_at > '2026-11-20' OR account = 1 ORDER BY created_at LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE (created_at IS NOT NULL) = (account > 3) ORDER BY created_at LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE created_at IS NULL ORDER BY created_at LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_all WHERE coalesce(created_at, now()) > '2026-11-20' ORDER BY created_at LIMIT 3$$);
-- A condition of a join comes after the scan.
SELECT pg_temp.plans($$SELECT * FROM order_all AS a JOIN order_all AS b ON a.created_at = b.created_at AND a.created_at > b.created_at$$);
-- Constraints that NULL passes, or rows that are older.
ALTER TABLE order_row ADD CONSTRAINT passes_null CHECK (uuid7_timestamp(id) > '2000-01-01');
SELECT pg_temp.plans('SELECT * FROM order_all ORDER BY created_at LIMIT 3');
ALTER TABLE order_row ADD CONSTRAINT has_time CHECK (uuid7_timestamp(id) IS NOT NULL) NOT VALID;
SELECT pg_temp.plans('SELECT * FROM order_all ORDER BY created_at LIMIT 3');
ALTER TABLE order_row VALIDATE CONSTRAINT has_time;
SELECT pg_temp.plans('SELECT * FROM order_all ORDER BY created_at LIMIT 3');
SELECT pg_temp.plans('(SELECT created_at FROM order_all UNION ALL SELECT created_at FROM order_all) ORDER BY created_at LIMIT 3');
-- A plan that is kept, and the constraint that goes.
SET plan_cache_mode = force_generic_plan;
PREPARE newest AS SELECT * FROM order_all ORDER BY created_at DESC LIMIT 3;
SELECT pg_temp.plans('EXECUTE newest');
ALTER TABLE order_row DROP CONSTRAINT has_time;
SELECT pg_temp.plans('EXECUTE newest');
ALTER TABLE order_row ADD CONSTRAINT has_time CHECK (uuid7_timestamp(id) IS NOT NULL) NOT VALID;
SELECT pg_temp.plans('EXECUTE newest');
ALTER TABLE order_row VALIDATE CONSTRAINT has_time;
SELECT pg_temp.plans('EXECUTE newest');
BEGIN;
ALTER TABLE order_row DROP CONSTRAINT has_time;
SELECT pg_temp.plans('EXECUTE newest');
ROLLBACK;
SELECT pg_temp.plans('EXECUTE newest');
ALTER TABLE order_row DROP CONSTRAINT has_time;
RESET plan_cache_mode;

-- Many UUIDs of other versions stand after all of version 7: a fifth of them, and a twentieth.
CREATE TABLE order_mixed (id uuid PRIMARY KEY);
INSERT INTO order_mixed SELECT uuid7_min(timestamptz '2026-11-21' - n * interval '1 min') FROM generate_series(0, 2999) AS n;
INSERT INTO order_mixed SELECT overlay(overlay(md5(n::text) PLACING '4' FROM 13) PLACING 'a' FROM 17)::uuid FROM generate_series(0, 749) AS n;
ANALYZE order_mixed;
SELECT pg_temp.plans('SELECT * FROM order_mixed WHERE uuid7_timestamp(id) IS NOT NULL ORDER BY uuid7_timestamp(id) DESC LIMIT 3');
SELECT pg_temp.plans($$SELECT * FROM order_mixed WHERE uuid7_timestamp(id) < '2026-11-20' ORDER BY uuid7_timestamp(id) DESC LIMIT 3$$);
DELETE FROM order_mixed WHERE id > '02000000-0000-7000-8000-000000000000' AND get_byte(uuid_send(id), 15) % 5 > 0;
ANALYZE order_mixed;
SELECT pg_temp.plans('SELECT * FROM order_mixed WHERE uuid7_timestamp(id) IS NOT NULL ORDER BY uuid7_timestamp(id) DESC LIMIT 3');

--
-- bigint: each has a time, and NULL has none
--
CREATE TABLE order_number (id bigint, a int, b int, layout text);
INSERT INTO order_number
SELECT CASE WHEN n % 100 > 0 THEN layout_min(timestamptz '2026-11-21' - n * interval '1 s', 'discord') END, n % 10, n % 7, CASE n % 2 WHEN 0 THEN 'discord' ELSE 'twitter' END
FROM generate_series(0, 2999) AS n;
CREATE INDEX order_number_id ON order_number (id);
ANALYZE order_number;
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, 'discord') DESC LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, 'discord') DESC NULLS LAST LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE id > 0 ORDER BY layout_timestamp(id, 'discord') DESC NULLS LAST LIMIT 3$$);
-- One layout for all rows.
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, layout) LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, CASE WHEN random() < 0.5 THEN 'discord' ELSE 'twitter' END) LIMIT 3$$);
SELECT pg_temp.plans($$SELECT *, (SELECT layout_timestamp(o.id, i.layout) FROM order_number AS i LIMIT 1) AS t FROM order_number AS o ORDER BY t LIMIT 3$$);
PREPARE by_layout (text) AS SELECT * FROM order_number ORDER BY layout_timestamp(id, $1) LIMIT 3;
SET plan_cache_mode = force_generic_plan;
SELECT pg_temp.plans($$EXECUTE by_layout ('discord')$$);
RESET plan_cache_mode;
-- Keys of the index before and after the ID.
DROP INDEX order_number_id;
CREATE INDEX order_number_a ON order_number (id, a);
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, 'discord'), id, a LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, 'discord'), a LIMIT 3$$);
DROP INDEX order_number_a;
CREATE INDEX order_number_b ON order_number (b, a, id);
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE b = 1 AND a = 2 ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE b = 1 ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
DROP INDEX order_number_b;
CREATE INDEX order_number_ba ON order_number (b, a);
CREATE INDEX order_number_bida ON order_number (b, id, a);
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE b = 1 ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
DROP INDEX order_number_ba, order_number_bida;
-- An index that has the time itself, or that has not all rows.
CREATE INDEX order_number_time ON order_number (layout_timestamp(id, 'discord'), id);
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, 'discord'), id LIMIT 3$$);
DROP INDEX order_number_time;
CREATE INDEX order_number_part ON order_number (id) WHERE a = 1;
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE a = 1 ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
DROP INDEX order_number_part;
CREATE INDEX order_number_id ON order_number (id);
-- A sample, which an index would not take.
SELECT pg_temp.plans($$SELECT * FROM order_number TABLESAMPLE SYSTEM (50) ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
-- The time as a constant: there is nothing to sort by, and the comparison implies a range of IDs.
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE layout_timestamp(id, 'discord') = timestamptz '2026-11-20' ORDER BY layout_timestamp(id, 'discord'), a LIMIT 3$$);
-- Another order of bigint has nothing to do with time.
CREATE FUNCTION order_backwards(bigint, bigint) RETURNS int LANGUAGE sql IMMUTABLE STRICT RETURN btint8cmp($2, $1);
CREATE OPERATOR CLASS order_backwards_ops FOR TYPE bigint USING btree AS
    OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <, FUNCTION 1 order_backwards(bigint, bigint);
DROP INDEX order_number_id;
CREATE INDEX order_number_back ON order_number (id order_backwards_ops);
SELECT pg_temp.plans($$SELECT * FROM order_number ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
DROP INDEX order_number_back;
CREATE INDEX order_number_id ON order_number (id);
-- Another order of time has nothing to do with bigints: such a join must find a plan.
CREATE OPERATOR === (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_eq, COMMUTATOR = ===, MERGES, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR CLASS order_time_ops FOR TYPE timestamptz USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 ===, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 timestamptz_cmp(timestamptz, timestamptz);
SET enable_nestloop = off;
SELECT pg_temp.plans($$SELECT * FROM order_number AS a, order_number AS b WHERE layout_timestamp(a.id, 'discord')::timestamptz === layout_timestamp(b.id, 'discord')::timestamptz$$);
RESET enable_nestloop;
DROP OPERATOR FAMILY order_time_ops USING btree;
DROP OPERATOR === (timestamptz, timestamptz);

-- A coarse unit: many rows have one time, and the planner is told how many.
CREATE TABLE order_hour (id bigint PRIMARY KEY, total int);
INSERT INTO order_hour SELECT (100 + n / 500 << 20) + n, n * 7919 % 1000 FROM generate_series(0, 4999) AS n;
ANALYZE order_hour;
SELECT pg_temp.plans($$SELECT * FROM order_hour ORDER BY layout_timestamp(id, '2020-01-01Z', 20, '1 h') LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_hour ORDER BY layout_timestamp(id, '2020-01-01Z', 20, '1 h'), total LIMIT 3$$);
SET enable_sort = on;
SELECT pg_temp.plans($$SELECT * FROM order_hour ORDER BY layout_timestamp(id, '2020-01-01Z', 40, '1 h'), total$$);
SET enable_sort = off;
SELECT pg_temp.plans($$SELECT * FROM order_hour ORDER BY layout_timestamp(id, '2020-01-01Z', 10, '1 h'), total LIMIT 3$$);
CREATE STATISTICS order_hour_time ON (layout_timestamp(id, '2020-01-01Z', 20, '1 h')) FROM order_hour;
ANALYZE order_hour;
SELECT pg_temp.plans($$SELECT * FROM order_hour ORDER BY layout_timestamp(id, '2020-01-01Z', 20, '1 h'), total LIMIT 3$$);

--
-- ULIDs: in bytes' order, and nothing else in the column
--
CREATE TABLE order_text (id text COLLATE "C", padded char(26) COLLATE "C", bytes bytea, u uuid);
INSERT INTO order_text
SELECT t, t, uuid_send(u), u FROM (SELECT ulid_text_min(i) AS t, ulid_uuid_min(i) AS u FROM (SELECT timestamptz '2026-11-21' - n * interval '1 min' AS i FROM generate_series(0, 999) AS n) AS i) AS v;
CREATE INDEX order_text_id ON order_text (id);
CREATE INDEX order_text_padded ON order_text (padded);
CREATE INDEX order_text_bytes ON order_text (bytes);
CREATE INDEX order_text_u ON order_text (u);
ANALYZE order_text;
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(u) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(id) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(padded) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(bytes) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text WHERE ulid_timestamp(id) IS NOT NULL ORDER BY ulid_timestamp(id) LIMIT 3');
SELECT pg_temp.plans($$SELECT * FROM order_text WHERE ulid_timestamp(bytes) > '2026-11-20' ORDER BY ulid_timestamp(bytes) LIMIT 3$$);
-- A condition does not help: the page would end before another text, which is an error.
SELECT pg_temp.plans($$SELECT * FROM order_text WHERE ulid_timestamp(id) > '2026-11-20' ORDER BY ulid_timestamp(id) LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_text WHERE ulid_timestamp(padded) > '2026-11-20' ORDER BY ulid_timestamp(padded) LIMIT 3$$);
ALTER TABLE order_text ADD CHECK (ulid_timestamp(id) IS NOT NULL), ADD CHECK (ulid_timestamp(padded) IS NOT NULL), ADD CHECK (ulid_timestamp(bytes) IS NOT NULL);
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(id) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(padded) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(bytes) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(id) DESC NULLS LAST LIMIT 3');
-- By the time and another column; the statistics may be older than the constraint.
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(id), u LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(padded) DESC, u LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(bytes), u LIMIT 3');
CREATE TABLE order_text_once (id text COLLATE "C", bytes bytea, n int);
CREATE INDEX ON order_text_once (id);
CREATE INDEX ON order_text_once (bytes);
INSERT INTO order_text_once SELECT CASE WHEN n < 500 THEN 'no ULID ' || n ELSE id END, CASE WHEN n < 500 THEN int8send(n) ELSE bytes END, n FROM (SELECT *, row_number() OVER () AS n FROM order_text) AS t;
ANALYZE order_text_once;
DELETE FROM order_text_once WHERE n < 500;
ALTER TABLE order_text_once ADD CHECK (ulid_timestamp(id) IS NOT NULL), ADD CHECK (ulid_timestamp(bytes) IS NOT NULL);
SELECT pg_temp.plans('SELECT * FROM order_text_once ORDER BY ulid_timestamp(id), n LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text_once ORDER BY ulid_timestamp(bytes), n LIMIT 3');
-- Without the index in the order of bytes.
SELECT collname AS other FROM pg_collation
    WHERE collprovider IN ('c', 'i') AND collname NOT IN ('C', 'POSIX', 'ucs_basic') AND collencoding IN (-1, pg_char_to_encoding('UTF8'))
    ORDER BY collname <> 'und-x-icu', collname LIMIT 1 \gset
DROP INDEX order_text_id, order_text_padded;
CREATE INDEX order_text_other ON order_text (id COLLATE :"other");
CREATE INDEX order_text_padded_other ON order_text (padded COLLATE :"other");
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(id) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_text ORDER BY ulid_timestamp(padded) LIMIT 3');

--
-- flakeid's own types; one that does not sort by time
--
CREATE TABLE order_own (a sno, b ksuid, c snowflake, d uid96);
INSERT INTO order_own SELECT sno_min(i), ksuid_min(i), snowflake_min(i), uid96_make(i, '1', 1) FROM (SELECT timestamptz '2026-11-21' - n * interval '1 min' AS i FROM generate_series(0, 999) AS n) AS i;
CREATE INDEX order_own_a ON order_own (a);
CREATE INDEX order_own_b ON order_own (b);
CREATE INDEX order_own_c ON order_own USING brin (c);
CREATE INDEX order_own_d ON order_own (d);
ANALYZE order_own;
SELECT pg_temp.plans('SELECT * FROM order_own ORDER BY a::timestamptz LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_own ORDER BY ksuid_timestamp(b), a LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_own ORDER BY snowflake_timestamp(c) LIMIT 3');
SELECT pg_temp.plans('SELECT * FROM order_own ORDER BY uid96_timestamp(d) LIMIT 3');

--
-- What core compares itself implies a range of IDs, or some: these are the index's, with and without ORDER BY
--
-- Whether an index-only scan costs less than a bitmap depends on another session's snapshot, which VACUUM regards.
SET enable_seqscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = on;
-- The plan, and whether the rows are the same without it.
CREATE FUNCTION pg_temp.implied(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan text := pg_temp.plans(query);
    rows text[];
    same boolean;
BEGIN
    EXECUTE format('SELECT array_agg(q::text ORDER BY q::text) FROM (%s) AS q', query) INTO rows;
    SET flakeid.order_by_time = off;
    EXECUTE format('SELECT array_agg(q::text ORDER BY q::text) IS NOT DISTINCT FROM $1 FROM (%s) AS q', query) INTO same USING rows;
    SET flakeid.order_by_time = on;
    RETURN plan || ' = ' || coalesce(array_length(rows, 1), 0) || CASE WHEN same THEN '' ELSE ', DIFFERENT' END;
END $$;
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at = '2026-11-20 12:00'$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE timestamp '2026-11-20 12:00:10' = created_at AND account = 4$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at = date '2026-11-21'$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at = 'infinity'$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at IN ('2026-11-20 12:00', '2026-11-20 20:00', NULL)$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at IN ('2026-11-20 12:00', '2026-11-20 12:00')$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at = ANY (ARRAY(SELECT timestamptz '2026-11-20 12:00' + n * interval '1 h' FROM generate_series(0, 1) AS n))$$);
SELECT count(*) FROM order_all WHERE created_at = ANY ((SELECT array_agg(timestamptz '2026-11-20 12:00' + n * interval '1 min') FROM generate_series(0, 200) AS n)::timestamptz[]);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at IN ('2026-11-20 12:00', '2026-11-20 20:00') AND created_at > '2026-11-20 15:00' ORDER BY created_at LIMIT 2$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at = ALL ('{2026-11-20 12:00, 2026-11-20 20:00}')$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at NOT IN ('2026-11-20 12:00') AND account = 7$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE (created_at, id) < (timestamptz '2026-11-20 07:23', '01a1f7d6-0000-7000-8000-000000000000')$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE (created_at, id) < (timestamptz '2026-11-20 07:23', '01a1f7d6-0000-7000-8000-000000000000') ORDER BY total, id LIMIT 3$$);
SELECT pg_temp.implied($$SELECT id FROM order_number WHERE layout_timestamp(id, 'discord') IN ('2026-11-20 23:59:50', '2026-11-20 23:59:48')$$);
PREPARE at (timestamptz) AS SELECT count(*) FROM order_all WHERE created_at = $1;
SET plan_cache_mode = force_generic_plan;
SELECT pg_temp.plans($$EXECUTE at ('2026-11-20 12:00')$$);
EXECUTE at ('2026-11-20 12:00');
RESET plan_cache_mode;
-- A scan that looks up the members of an array in a second column is in no order before 17.
DROP INDEX order_number_id;
CREATE INDEX order_number_a ON order_number (id, a);
SELECT substring(pg_temp.implied($$SELECT id FROM order_number WHERE a IN (1, 4) AND id > 0 ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$) FROM '[^=]*$');
DROP INDEX order_number_a;
CREATE INDEX order_number_id ON order_number (id);
-- Other operators imply no equality.
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at::timestamptz > '2026-11-20 23:50'$$);
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at <> '2026-11-20 12:00' AND account = 1$$);
-- Nothing is implied by a column of the same table, nor by what is random or may be another value each time.
SELECT pg_temp.plans($$SELECT id FROM order_all WHERE created_at = created_at - total * interval '1 s'$$);
SELECT pg_temp.plans($$SELECT id FROM order_all WHERE created_at = timestamptz '2026-11-20' + random() * interval '1 s'$$);
RESET enable_indexonlyscan;
-- Other texts, which the index would not reach, are errors: only where a constraint refuses them, the index finds what is asked for.
CREATE TABLE order_case (id text COLLATE "C");
INSERT INTO order_case SELECT lower(ulid_text_min(timestamptz '2026-11-21' - n * interval '1 min')) FROM generate_series(0, 99) AS n;
CREATE INDEX ON order_case (id);
ANALYZE order_case;
SELECT count(*) FROM order_case WHERE ulid_timestamp(id) = '2026-11-20 23:00';
ALTER TABLE order_case ADD CHECK (layout_timestamp(id, 'ulid_lower') IS NOT NULL);
SELECT pg_temp.implied($$SELECT id FROM order_case WHERE layout_timestamp(id, 'ulid_lower') = '2026-11-20 23:00'$$);
-- Own types, partitions.
SELECT pg_temp.implied($$SELECT a FROM order_own WHERE a::timestamptz = '2026-11-20 23:00'$$);
CREATE TABLE order_months (id uuid) PARTITION BY RANGE (id);
CREATE TABLE order_months_1 PARTITION OF order_months FOR VALUES FROM (MINVALUE) TO (uuid7_min('2026-11-01'));
CREATE TABLE order_months_2 PARTITION OF order_months FOR VALUES FROM (uuid7_min('2026-11-01')) TO (MAXVALUE);
CREATE INDEX ON order_months (id);
INSERT INTO order_months SELECT uuid7_min(timestamptz '2026-11-21' - n * interval '24 h') FROM generate_series(0, 40) AS n;
ANALYZE order_months;
SET enable_bitmapscan = off;
SELECT pg_temp.implied($$SELECT * FROM order_months WHERE uuid7_timestamp(id) = '2026-11-05'$$);
-- Compiled.
SET jit = on;
SET jit_above_cost = 0;
SELECT pg_temp.implied($$SELECT id FROM order_all WHERE created_at IN ('2026-11-20 12:00', '2026-11-20 20:00') ORDER BY created_at LIMIT 3$$);
SELECT pg_temp.implied($$SELECT id FROM order_seen ORDER BY created_at DESC, id DESC LIMIT 3$$);
SET jit = off;
SET enable_seqscan = on;

--
-- The narrowest and widest layouts: no bits below the time, and 62 of them
--
CREATE TABLE order_bits (id bigint PRIMARY KEY);
INSERT INTO order_bits SELECT (n - 500) * 9223372036854775 FROM generate_series(0, 1000) AS n;
INSERT INTO order_bits VALUES (9223372036854775807), (-9223372036854775808), (-1), (1), (4611686018427387904), (4611686018427387903);
ANALYZE order_bits;
SELECT pg_temp.plans($$SELECT * FROM order_bits ORDER BY layout_timestamp(id, '2020-01-01Z', 0, '1 us') DESC LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM order_bits ORDER BY layout_timestamp(id, '2020-01-01Z', 62, '24 h') LIMIT 3$$);
SELECT bits, every, array_agg(id ORDER BY place) = array_agg(id ORDER BY id) AND array_agg(t ORDER BY place) = array_agg(t ORDER BY t) AS sorted
    FROM (VALUES (0, interval '1 us'), (62, '24 h'), (62, '1 us')) AS layout (bits, every),
        LATERAL (SELECT id, layout_timestamp(id, '2020-01-01Z', bits, every)::timestamptz AS t, row_number() OVER (ORDER BY layout_timestamp(id, '2020-01-01Z', bits, every), id) AS place FROM order_bits) AS s GROUP BY bits, every ORDER BY 1, 2;
SET enable_seqscan = off;
SELECT pg_temp.implied($$SELECT * FROM order_bits WHERE layout_timestamp(id, '2020-01-01Z', 62, '24 h') = '2020-01-02Z'$$);
SELECT pg_temp.implied($$SELECT * FROM order_bits WHERE layout_timestamp(id, '2020-01-01Z', 62, '24 h') IN ('2020-01-01Z', 'infinity', '-infinity')$$);
SELECT pg_temp.implied($$SELECT * FROM order_bits WHERE layout_timestamp(id, '2020-01-01Z', 0, '1 us') = '2020-01-01 00:00:00.000001Z'$$);
SET enable_seqscan = on;

--
-- A cursor that goes back, rows that are locked
--
BEGIN;
DECLARE page SCROLL CURSOR FOR SELECT total FROM order_seen ORDER BY created_at DESC, id DESC;
SELECT pg_temp.plans('SELECT total FROM order_seen ORDER BY created_at DESC, id DESC FOR UPDATE');
FETCH 3 FROM page;
FETCH BACKWARD 2 FROM page;
FETCH LAST FROM page;
FETCH PRIOR FROM page;
FETCH ABSOLUTE 2 FROM page;
SELECT total FROM order_seen ORDER BY created_at DESC, id DESC LIMIT 2 FOR UPDATE;
COMMIT;

--
-- Partitions and inheritance: a child without proof is sorted, the others are not
--
CREATE TABLE order_part (id uuid, CHECK (uuid7_timestamp(id) IS NOT NULL)) PARTITION BY HASH (id);
CREATE TABLE order_part_0 PARTITION OF order_part FOR VALUES WITH (modulus 2, remainder 0);
CREATE TABLE order_part_1 PARTITION OF order_part FOR VALUES WITH (modulus 2, remainder 1);
CREATE INDEX ON order_part (id);
SELECT pg_temp.plans('SELECT * FROM order_part ORDER BY uuid7_timestamp(id) LIMIT 3');
CREATE TABLE order_parent (id uuid, CHECK (uuid7_timestamp(id) IS NOT NULL) NO INHERIT);
CREATE TABLE order_child () INHERITS (order_parent);
CREATE INDEX ON order_parent (id);
CREATE INDEX ON order_child (id);
INSERT INTO order_parent SELECT uuid7_min(timestamptz '2026-11-21' - n * interval '1 min') FROM generate_series(0, 2999) AS n;
ANALYZE order_parent;
RESET enable_sort;
SELECT pg_temp.plans('SELECT * FROM order_parent ORDER BY uuid7_timestamp(id) LIMIT 3');

--
-- Row security: a condition for the index comes before the policy only if it may
--
CREATE ROLE order_reader;
GRANT SELECT ON order_row TO order_reader;
ALTER TABLE order_row ENABLE ROW LEVEL SECURITY;
CREATE POLICY order_policy ON order_row USING (account = 1);
SET ROLE order_reader;
SELECT pg_temp.plans($$SELECT * FROM order_row WHERE (uuid7_timestamp(id), total) < (timestamptz '2026-11-20 23:50', 5) ORDER BY uuid7_timestamp(id) LIMIT 3$$);
RESET ROLE;
-- layout_timestamp() could tell in its error what the policy hides.
GRANT SELECT ON order_number TO order_reader;
ALTER TABLE order_number ENABLE ROW LEVEL SECURITY;
CREATE POLICY order_policy ON order_number USING (a = 1);
SET ROLE order_reader;
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE (layout_timestamp(id, 'discord'), b) < (timestamptz '2026-11-20 23:50', 5) ORDER BY layout_timestamp(id, 'discord') LIMIT 3$$);
RESET ROLE;

-- An equality is one, too: not for the index before the policy, and in a security barrier sorted alone.
SET ROLE order_reader;
SET enable_seqscan = off;
SELECT pg_temp.plans($$SELECT * FROM order_number WHERE layout_timestamp(id, 'discord') = timestamptz '2026-11-20 23:50'$$);
SELECT pg_temp.plans($$SELECT * FROM order_row WHERE uuid7_timestamp(id) = timestamptz '2026-11-20 23:50'$$);
RESET enable_seqscan;
RESET ROLE;
CREATE VIEW order_barrier WITH (security_barrier) AS SELECT *, uuid7_timestamp(id) AS created_at FROM order_row WHERE account = 1 AND uuid7_timestamp(id) IS NOT NULL;
SELECT pg_temp.plans('SELECT * FROM order_barrier ORDER BY created_at LIMIT 3');
SELECT pg_temp.plans($$SELECT * FROM order_barrier WHERE total < 5 AND created_at = '2026-11-20 12:00'$$);

SET client_min_messages = warning;
DROP TABLE order_row, order_mixed, order_number, order_hour, order_text, order_text_once, order_own, order_part, order_parent, order_case, order_months, order_bits CASCADE;
DROP ROLE order_reader;
DROP FUNCTION order_backwards(bigint, bigint) CASCADE;
