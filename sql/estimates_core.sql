--
-- How many rows the planner expects for conditions on the time of IDs in columns of uuid and
-- text: as many as for the same conditions on a timestamptz column.
--
-- These conditions keep core's operators, and the extension stores its estimates where the
-- planner keeps core's, which works only if the planner estimates conditions in their order.
-- If a PostgreSQL does not, this test fails; the estimates are then core's, and queries
-- return the same rows.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/plans.psql

-- A row for each instant, with its IDs; in "others" rows of a hundred the UUID has version 4.
CREATE TYPE pg_temp.ids AS (at timestamptz, u7 uuid, ulid_uuid uuid, ulid_text text);
CREATE FUNCTION pg_temp.ids(at timestamptz, n bigint, others int) RETURNS SETOF pg_temp.ids STABLE LANGUAGE sql AS $$
    SELECT at, CASE WHEN n * 7919 % 100 < others THEN version_4
            ELSE overlay(overlay(version_4::text PLACING '7' FROM 15) PLACING left(uuid7_min(at)::text, 13) FROM 1)::uuid END,
        ulid::uuid, ulid::text
    FROM (SELECT overlay(overlay(bits::uuid::text PLACING '4' FROM 15) PLACING 'a' FROM 20)::uuid AS version_4,
            ulid_make(at, decode(left(bits, 20), 'hex')) AS ulid
        FROM md5(n || at::text) AS bits) AS i
$$;
-- One row per minute from one instant to another.
CREATE FUNCTION pg_temp.fill(tbl text, first timestamptz, last timestamptz, others int DEFAULT 0) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO %s SELECT i.* FROM generate_series($1, $2 - interval ''1 min'', ''1 min'') WITH ORDINALITY AS g (t, n), LATERAL pg_temp.ids(t + interval ''0.5 s'', n, $3) AS i', tbl)
        USING first, last, others;
END $$;
-- The rows without time.
CREATE FUNCTION pg_temp.fill_nulls(tbl text, rows int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO %s SELECT FROM generate_series(1, $1)', tbl) USING rows;
END $$;

SELECT format('CREATE TABLE core_%s (at timestamptz, u7 uuid, ulid_uuid uuid, ulid_text text COLLATE "C") WITH (autovacuum_enabled = off)', shape)
FROM unnest('{steady,bursty,grown,deleted,emptied,instant,nulls,mixed,mixed_grown}'::text[]) AS shape \gexec
SELECT pg_temp.fill('core_steady', '2024-03-01', '2024-03-22');
INSERT INTO core_bursty TABLE core_steady;
INSERT INTO core_grown SELECT * FROM core_steady WHERE at < '2024-03-17';
INSERT INTO core_deleted TABLE core_steady;
INSERT INTO core_emptied TABLE core_steady;
INSERT INTO core_instant TABLE core_steady;
INSERT INTO core_instant SELECT i.* FROM generate_series(1, 9000) AS n, LATERAL pg_temp.ids('2024-03-15 22:30:00.5', n, 0) AS i;
INSERT INTO core_nulls TABLE core_steady;
SELECT pg_temp.fill_nulls('core_nulls', 9000);
SELECT pg_temp.fill('core_mixed', '2024-03-01', '2024-03-22', 30);
SELECT pg_temp.fill('core_mixed_grown', '2024-03-01', '2024-03-17', 10);
SELECT format('CREATE INDEX ON core_%s (%s)', shape, columns) FROM unnest('{steady,bursty,grown,deleted,emptied,instant,nulls,mixed,mixed_grown}'::text[]) AS shape,
    unnest('{at,u7,ulid_uuid DESC,"ulid_text, at"}'::text[]) AS columns \gexec
DELETE FROM core_bursty WHERE extract(hour FROM at) < 8 OR extract(isodow FROM at) > 5;
INSERT INTO core_bursty SELECT i.* FROM core_bursty AS b, generate_series(1, 20) AS s, LATERAL pg_temp.ids(b.at + s * interval '2 s', s, 0) AS i WHERE extract(hour FROM b.at) = 12;
DELETE FROM core_emptied WHERE at < '2024-03-12';
SELECT format('ANALYZE core_%s', shape) FROM unnest('{steady,bursty,grown,deleted,emptied,instant,nulls,mixed,mixed_grown}'::text[]) AS shape \gexec
INSERT INTO core_grown SELECT * FROM core_steady WHERE at >= '2024-03-17';
SELECT pg_temp.fill('core_mixed_grown', '2024-03-17', '2024-03-22', 10);
DELETE FROM core_deleted WHERE at < '2024-03-12';

-- Conditions on x for windows from a to b.
CREATE TEMP TABLE form (name text, by_id text, by_at text);
INSERT INTO form VALUES
    ('two comparisons', 'x >= a AND x < b', 'x >= a AND x < b'),
    ('turned', 'a <= x AND b > x', 'a <= x AND b > x'),
    ('BETWEEN', 'x BETWEEN a AND b', 'x BETWEEN a AND b'),
    ('within', 'x <@ tstzrange(a, b)', 'x >= a AND x < b'),
    ('an end', 'x >= a', 'x >= a'),
    ('the other', 'x < b', 'x < b'),
    ('or', 'x >= a AND x < b OR x >= c AND x < d', 'x >= a AND x < b OR x >= c AND x < d'),
    ('not', 'NOT (x >= a AND x < b)', 'NOT (x >= a AND x < b)'),
    ('stable', 'x >= a + (now() - now()) AND x < b', 'x >= a + (now() - now()) AND x < b'),
    ('several ends', 'x >= c AND x < b AND x >= a', 'x >= c AND x < b AND x >= a');
CREATE TEMP TABLE kind (name text, x text);
INSERT INTO kind VALUES ('uuid7', 'uuid7_timestamp(u7)'), ('ulid text', 'ulid_timestamp(ulid_text)'), ('ulid uuid', 'ulid_timestamp(ulid_uuid)');

-- The planner's estimate for each condition on each window, by an ID and by the instant, and the actual numbers,
-- unless the estimates are of about the same number: then neither is much worse, whatever that is.
CREATE FUNCTION pg_temp.asked(tbl text, condition text, x text, a timestamptz, b timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT format('FROM %s WHERE (', tbl) || regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(condition, '\mx\M', x, 'g'),
        '\ma\M', format('timestamptz %L', a), 'g'), '\mb\M', format('timestamptz %L', b), 'g'),
        '\mc\M', format('timestamptz %L', '2024-03-12'), 'g'), '\md\M', format('timestamptz %L', '2024-03-12 12:00'), 'g') || ')'
$$;
CREATE FUNCTION pg_temp.measured(tbl text) RETURNS TABLE (kind text, form text, a timestamptz, b timestamptz, by_id float, rows bigint, by_at float, rows_at bigint) LANGUAGE plpgsql AS $$
DECLARE
    f form;
    k kind;
    query text;
    others bool;
BEGIN
    FOR f IN TABLE form LOOP
        form := f.name;
        FOR a, b IN SELECT start, start + length
            FROM unnest('{2024-02-28 23:00,2024-03-04 03:00,2024-03-12 11:30,2024-03-15 22:30,2024-03-21 23:00}'::timestamptz[]) AS start,
                unnest('{1 s,1 h,1 day,7 days}'::interval[]) AS length
        LOOP
            query := pg_temp.asked(tbl, f.by_at, 'at', a, b);
            by_at := pg_temp.estimated('SELECT ' || query);
            FOR k IN TABLE kind LOOP
                kind := k.name;
                by_id := pg_temp.estimated('SELECT ' || pg_temp.asked(tbl, f.by_id, k.x, a, b));
                others := kind = 'uuid7' AND tbl ~ 'mixed';
                rows := NULL;
                rows_at := NULL;
                IF others OR greatest(by_id, by_at, 1) > 1.1 * greatest(least(by_id, by_at), 1) THEN
                    EXECUTE format('SELECT count(*) FILTER (WHERE NOT %L OR _flakeid_functions.is_uuid7(u7)), count(*) ', others) || query INTO rows, rows_at;
                END IF;
                RETURN NEXT;
            END LOOP;
        END LOOP;
    END LOOP;
END $$;
CREATE TEMP TABLE measured AS
SELECT shape, m.*, q_id / q_at AS ratio
FROM unnest('{steady,bursty,grown,deleted,emptied,instant,nulls,mixed,mixed_grown}'::text[]) AS shape, LATERAL pg_temp.measured('core_' || shape) AS m,
    LATERAL (SELECT greatest(by_id, 1) / greatest(rows, 1) AS off_id, greatest(by_at, 1) / greatest(rows_at, 1) AS off_at) AS v,
    LATERAL (SELECT greatest(off_id, 1 / off_id) AS q_id, greatest(off_at, 1 / off_at) AS q_at) AS q;

-- No estimate of a window is more than a fifth worse than the timestamptz column's.  (Ten rows more or less
-- do not count.)
SELECT shape, kind, count(*) AS windows, count(*) FILTER (WHERE ratio > 1.2 AND abs(by_id - rows) > 10) AS worse
FROM measured GROUP BY shape, kind ORDER BY shape COLLATE "C", kind COLLATE "C";
SELECT shape, kind, form, a, b, by_id, rows, by_at, rows_at FROM measured
WHERE ratio > 1.2 AND abs(by_id - rows) > 10 ORDER BY ratio DESC LIMIT 20;

-- A user's own comparison of the IDs is estimated together with them, even if it precedes them, so that core
-- has already estimated it.
CREATE FUNCTION pg_temp.about(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    rows bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM (%s) AS q', query) INTO rows;
    RETURN pg_temp.estimated(query) BETWEEN rows / 1.2 - 10 AND rows * 1.2 + 10;
END $$;
SELECT pg_temp.about($$ SELECT FROM core_steady WHERE uuid7_timestamp(u7) < '2024-03-05 01:00' AND u7 >= uuid7_min('2024-03-05') $$) AS behind,
    pg_temp.about($$ SELECT FROM core_steady WHERE uuid7_timestamp(u7) >= '2024-03-05' AND u7 < '018e0c00-0000-7000-8000-000000000000' $$) AS literal,
    pg_temp.about($$ SELECT FROM core_steady WHERE ulid_timestamp(ulid_text) >= '2024-03-20' AND ulid_timestamp(ulid_text) < '20000-01-01' $$) AS after_all,
    pg_temp.about($$ SELECT FROM core_steady WHERE ulid_timestamp(ulid_text) < '2024-03-05' AND ulid_text >= '01HR' $$) AS beginning,
    pg_temp.about($$ SELECT FROM core_steady WHERE u7 >= uuid7_min('2024-03-05') AND uuid7_timestamp(u7) < '2024-03-05 01:00' $$) AS before;
-- Several columns, OR of them, joins, outer joins, groups, sub-SELECTs, ranges.
SELECT pg_temp.about($$ SELECT FROM core_steady WHERE uuid7_timestamp(u7) < '2024-03-03' OR ulid_timestamp(ulid_text) >= '2024-03-20' $$) AS two_columns,
    pg_temp.about($$ SELECT FROM core_steady AS a JOIN core_steady AS b USING (at) WHERE uuid7_timestamp(a.u7) BETWEEN '2024-03-05' AND '2024-03-06' $$) AS joined,
    pg_temp.about($$ SELECT FROM core_nulls AS a LEFT JOIN core_steady AS b ON a.at = b.at AND uuid7_timestamp(b.u7) BETWEEN '2024-03-05' AND '2024-03-06'
        WHERE ulid_timestamp(a.ulid_text) < '2024-03-06' $$) AS outer,
    pg_temp.estimated($$ SELECT FROM core_steady AS a WHERE EXISTS (SELECT FROM core_grown AS b WHERE b.at = a.at AND ulid_timestamp(b.ulid_uuid) < '2024-03-05') $$)
        = pg_temp.estimated($$ SELECT FROM core_steady AS a WHERE EXISTS (SELECT FROM core_grown AS b WHERE b.at = a.at AND b.at < '2024-03-05') $$) AS semi,
    pg_temp.about($$ SELECT at FROM core_steady GROUP BY at, u7 HAVING uuid7_timestamp(u7) < '2024-03-03' $$) AS groups,
    pg_temp.about($$ SELECT FROM core_steady WHERE uuid7_timestamp(u7) <@ '{[2024-03-05,2024-03-06),[2024-03-08,2024-03-09)}'::tstzmultirange $$) AS ranges,
    pg_temp.about($$ SELECT FROM core_mixed WHERE _flakeid_functions.is_uuid7(u7) AND uuid7_timestamp(u7) < '2024-03-12' $$) AS of_a_kind;
SET geqo_threshold = 2;
SELECT pg_temp.about($$ SELECT FROM core_steady AS a JOIN core_grown AS b USING (at) JOIN core_nulls AS c USING (at)
    WHERE uuid7_timestamp(a.u7) BETWEEN '2024-03-05' AND '2024-03-08' $$) AS geqo;
RESET geqo_threshold;
-- One UUID of another version that many rows have is not of the day that its bytes would tell.
CREATE TABLE core_common AS SELECT CASE WHEN extract(minute FROM at)::int % 3 = 0 THEN overlay(uuid7_min('2024-03-05')::text PLACING '4' FROM 15)::uuid ELSE u7 END AS u7 FROM core_steady;
ANALYZE core_common;
SELECT pg_temp.about($$ SELECT FROM core_common WHERE uuid7_timestamp(u7) BETWEEN '2024-03-04' AND '2024-03-06' $$) AS within,
    pg_temp.about($$ SELECT FROM core_common WHERE uuid7_timestamp(u7) < '2024-03-05' $$) AS below;
DROP TABLE core_common;
-- Parameters: a custom plan uses their values, a generic one core's defaults.
PREPARE asked (timestamptz, timestamptz) AS SELECT FROM core_steady WHERE uuid7_timestamp(u7) >= $1 AND uuid7_timestamp(u7) < $2;
SELECT pg_temp.estimated($$ EXECUTE asked ('2024-03-05', '2024-03-06') $$) BETWEEN 1200 AND 1700 AS custom;
SET plan_cache_mode = force_generic_plan;
SELECT pg_temp.estimated($$ EXECUTE asked ('2024-03-05', '2024-03-06') $$) = round(30240 * 0.005) AS generic;
RESET plan_cache_mode;
DEALLOCATE asked;

-- Partitions, pruned or not, and an expression with an index.
CREATE TABLE core_parts (LIKE core_steady) PARTITION BY RANGE (u7);
SELECT flakeid_create_partitions('core_parts', '2024-03-01', '2024-03-29', '1 week', 'uuid7');
INSERT INTO core_parts TABLE core_steady;
CREATE TABLE core_doc AS SELECT jsonb_build_object('id', u7) AS doc FROM core_steady;
CREATE INDEX ON core_doc (((doc ->> 'id')::uuid));
ANALYZE core_parts, core_doc;
SELECT pg_temp.about($$ SELECT FROM core_parts WHERE uuid7_timestamp(u7) >= '2024-03-06' AND uuid7_timestamp(u7) < '2024-03-09' $$) AS parts,
    pg_temp.about($$ SELECT FROM core_parts WHERE ulid_timestamp(ulid_text) >= '2024-03-06' AND ulid_timestamp(ulid_text) < '2024-03-09' $$) AS other_column,
    pg_temp.about($$ SELECT FROM core_doc WHERE uuid7_timestamp((doc ->> 'id')::uuid) >= '2024-03-06' AND uuid7_timestamp((doc ->> 'id')::uuid) < '2024-03-07' $$) AS expression;

-- The rows outside a range in a table that has grown; the two parts are not independent.
SELECT name, pg_temp.estimated(format('SELECT FROM core_grown WHERE NOT (%s >= ''2024-03-17'' AND %1$s < ''2024-03-18'')', x)) > 0.93 * pg_temp.estimated('SELECT FROM core_grown') AS outside
FROM kind ORDER BY name;

-- A user's own comparison of the ID, before the condition on time and after it; also in a table with
-- extended statistics, in which the second filter stays.
CREATE STATISTICS core_grown_both ON u7, at FROM core_grown;
ANALYZE core_grown;
SELECT tbl,
    pg_temp.about(format($$ SELECT FROM %I WHERE u7 >= uuid7_min('2024-03-05') AND uuid7_timestamp(u7) < '2024-03-05 03:00' $$, tbl)) AS lower_before,
    pg_temp.about(format($$ SELECT FROM %I WHERE u7 < uuid7_min('2024-03-05 03:00') AND uuid7_timestamp(u7) >= '2024-03-05' $$, tbl)) AS upper_before,
    pg_temp.about(format($$ SELECT FROM %I WHERE uuid7_timestamp(u7) < '2024-03-05 03:00' AND u7 >= uuid7_min('2024-03-05') $$, tbl)) AS behind,
    pg_temp.about(format($$ SELECT FROM %I WHERE u7 >= uuid7_min('2024-03-04') AND uuid7_timestamp(u7) < '2024-03-05 03:00' AND uuid7_timestamp(u7) >= '2024-03-05' $$, tbl)) AS wider_before,
    pg_temp.about(format($$ SELECT FROM %I WHERE u7 >= uuid7_min('2024-03-05') AND uuid7_timestamp(u7) < '2024-03-05 03:00' AND uuid7_timestamp(u7) >= '2024-03-04' $$, tbl)) AS narrower_before
FROM unnest('{core_steady,core_grown,core_nulls}'::text[]) AS tbl;

-- One filter for both ends of a range, but not if a call may answer differently each time.
CREATE FUNCTION pg_temp.filters(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    line text;
    times bigint := 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        times := times + (length(line) - length(replace(line, 'is_uuid7', ''))) / length('is_uuid7');
    END LOOP;
    RETURN times;
END $$;
SELECT pg_temp.filters($$ SELECT FROM core_steady WHERE uuid7_timestamp(u7) >= '2024-03-05' AND uuid7_timestamp(u7) < '2024-03-06' $$) AS range,
    pg_temp.filters($$ SELECT FROM core_grown WHERE uuid7_timestamp(u7) >= '2024-03-05' AND uuid7_timestamp(u7) < '2024-03-06' $$) AS extended_statistics,
    pg_temp.filters($$ SELECT FROM core_parts WHERE uuid7_timestamp(u7) >= '2024-03-05' AND uuid7_timestamp(u7) < '2024-03-06' $$) AS a_partition,
    pg_temp.filters($$ SELECT FROM core_steady AS a JOIN core_nulls AS b USING (at) WHERE uuid7_timestamp(a.u7) >= '2024-03-05' AND uuid7_timestamp(b.u7) < '2024-03-06' $$) AS of_two,
    pg_temp.filters($$ SELECT FROM core_steady WHERE _flakeid_functions.is_uuid7(gen_random_uuid()) AND _flakeid_functions.is_uuid7(gen_random_uuid()) $$) AS volatile;

-- A range that is a column, mostly another table's: as many as core expects for at <@ range, wherever it is written.
CREATE TABLE core_shift AS SELECT n::int AS n, tstzrange(t, t + interval '1 h') AS during, tstzmultirange(tstzrange(t, t + interval '1 h')) AS times
    FROM generate_series(timestamptz '2024-03-01', '2024-03-21', interval '1 day') WITH ORDINALITY AS g (t, n);
CREATE TABLE core_shift_parts (LIKE core_shift) PARTITION BY RANGE (n);
CREATE TABLE core_shift_parts_1 PARTITION OF core_shift_parts FOR VALUES FROM (0) TO (11);
CREATE TABLE core_shift_parts_2 PARTITION OF core_shift_parts FOR VALUES FROM (11) TO (99);
INSERT INTO core_shift_parts SELECT * FROM core_shift;
CREATE TABLE core_duty AS SELECT row_number() OVER () AS n, at, u7, ulid_text, ulid_uuid, uuid_send(ulid_uuid) AS ulid_bytea, layout_min(at, 'mastodon') AS mastodon,
    layout_min(at, '2020-01-01Z', 22) AS own, sno_min(at) AS sno, tstzrange(at, at + interval '1 s') AS during FROM core_steady;
ANALYZE core_shift, core_shift_parts, core_duty;
WITH kind (name, instant) AS (VALUES ('uuid7', 'uuid7_timestamp(u7)'), ('ulid_text', 'ulid_timestamp(ulid_text)'), ('ulid_uuid', 'ulid_timestamp(ulid_uuid)'),
        ('ulid_bytea', 'ulid_timestamp(ulid_bytea)'), ('mastodon', $$layout_timestamp(mastodon, 'mastodon')$$), ('own', $$layout_timestamp(own, '2020-01-01Z', 22)$$),
        ('sno', 'sno_timestamp(sno)')),
    query (query) AS (VALUES ('FROM core_duty AS d JOIN core_shift AS s ON WITHIN(s.during)'), ('FROM core_duty AS d, core_shift AS s WHERE WITHIN(s.times)'),
        ('FROM core_duty AS d, core_shift AS s WHERE WITHIN(tstzrange(lower(s.during), upper(s.during)))'), ('FROM core_duty AS d LEFT JOIN core_shift AS s ON WITHIN(s.during)'),
        ('FROM core_shift AS s LEFT JOIN core_duty AS d ON WITHIN(s.during)'), ('FROM core_shift AS s LEFT JOIN core_duty AS d ON WITHIN(s.during) OR s.n = d.n'),
        ('FROM core_duty AS d WHERE EXISTS (SELECT FROM core_shift AS s WHERE WITHIN(s.during))'), ('FROM core_duty AS d WHERE NOT EXISTS (SELECT FROM core_shift AS s WHERE WITHIN(s.during))'),
        ('FROM core_duty AS d, core_shift AS s WHERE NOT WITHIN(s.during)'), ('FROM core_duty AS d, core_shift_parts AS s WHERE WITHIN(s.during)'),
        ('FROM core_duty AS d WHERE WITHIN(d.during)'), ('FROM core_duty AS d WHERE WITHIN((SELECT during FROM core_shift LIMIT 1))'))
SELECT name, query, by_id, by_at
FROM kind, query, LATERAL pg_temp.estimated('SELECT ' || regexp_replace(query, 'WITHIN\(', format('%s <@ (', instant))) AS by_id,
    LATERAL pg_temp.estimated('SELECT ' || regexp_replace(query, 'WITHIN\(', 'at <@ (')) AS by_at
WHERE by_id <> by_at;
SELECT pg_temp.estimated('SELECT FROM core_duty, core_shift AS s WHERE sno_timestamp(sno) <@ times') = pg_temp.estimated('SELECT FROM core_duty, core_shift AS s WHERE at <@ times') AS own_ranges;
DROP TABLE core_shift, core_shift_parts, core_duty;

-- Without statistics, such as in an empty partition: core's estimate.
CREATE TABLE core_unknown (at timestamptz, u7 uuid, ulid_text text, ulid_uuid uuid);
SELECT x, condition, by_id, by_at
FROM unnest('{uuid7_timestamp(u7),ulid_timestamp(ulid_text),ulid_timestamp(ulid_uuid)}'::text[]) AS x,
    unnest(ARRAY['x >= now()', 'x >= now() - interval $$1 h$$ AND x < now()', 'NOT x BETWEEN $$2024-03-05$$ AND $$2024-03-06$$', 'x < NULL::timestamptz',
        'x >= now() + current_setting($$flakeid.none$$, true)::interval AND x < now()']) AS condition,
    LATERAL pg_temp.estimated('SELECT FROM core_unknown WHERE ' || regexp_replace(condition, '\mx\M', x, 'g')) AS by_id,
    LATERAL pg_temp.estimated('SELECT FROM core_unknown WHERE ' || regexp_replace(condition, '\mx\M', 'at', 'g')) AS by_at
WHERE by_id <> by_at;
DROP TABLE core_unknown;

-- Core estimates values without a time: texts that are not ULIDs, and statistics that the user must not see.
CREATE TABLE core_odd AS SELECT lpad(n::text, 26, 'x') AS id, '01KEJK7S000000000000000000'::varchar AS short FROM generate_series(1, 1000) AS n;
INSERT INTO core_odd SELECT NULL, ulid_text FROM core_steady;
ANALYZE core_odd;
-- without the warning's detail, which names one of the texts: a sample has not all of them
\set VERBOSITY terse
SELECT pg_temp.estimated($$ SELECT FROM core_odd WHERE ulid_timestamp(id) >= '2024-03-05' AND ulid_timestamp(id) < '2024-03-06' $$) <= 1000 AS odd,
    pg_temp.about($$ SELECT FROM core_odd WHERE ulid_timestamp(short) >= '2024-03-05' AND ulid_timestamp(short) < '2024-03-06' $$) AS varying,
    pg_temp.about($$ SELECT FROM core_steady WHERE ulid_timestamp(ulid_text) >= '2024-03-05' AND ulid_text < '01xyz' $$) AS no_ulid;
\set VERBOSITY default
-- Statistics that ANALYZE does not make, whose frequencies sum to more than 1, are no error.
CREATE TABLE core_frequent AS SELECT CASE WHEN n % 3 = 0 THEN 'f6418868-9f2e-4f2d-8760-85a46b19c79e' WHEN n % 3 = 1 THEN '8a8405d6-73f0-4790-993a-756c06453ec2'
    WHEN n % 6 = 2 THEN uuid7_min(timestamptz '2024-03-01' + n * interval '1 h') ELSE md5(n::text)::uuid END AS u7 FROM generate_series(1, 6000) AS n;
ANALYZE core_frequent;
CREATE INDEX ON core_frequent (u7);
CREATE FUNCTION pg_temp.within(frequencies real[]) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
    UPDATE pg_statistic SET stanumbers1 = frequencies WHERE starelid = 'core_frequent'::regclass;
    RETURN bool_and(pg_temp.estimated('SELECT FROM core_frequent WHERE ' || condition) BETWEEN 1 AND 6000) FROM unnest(ARRAY[
        $q$ uuid7_timestamp(u7) < '-infinity' OR uuid7_timestamp(u7) > '2020-06-01' $q$, $q$ NOT uuid7_timestamp(u7) BETWEEN '2024-04-01' AND '2024-04-02' $q$,
        $q$ uuid7_timestamp(u7) > '2024-04-01' AND uuid7_timestamp(u7) < '2024-04-02' $q$, $q$ uuid7_timestamp(u7) IS NOT NULL ORDER BY uuid7_timestamp(u7) $q$]) AS condition;
END $$;
SELECT frequencies, pg_temp.within(frequencies) FROM unnest('{"{0.7326101064682007,0.2673899233341217}","{0.9,0.9}","{-3,1}","{NaN,0.1}","{Infinity,1}"}'::text[]) AS f, LATERAL CAST(f AS real[]) AS frequencies;
DROP TABLE core_frequent;
-- A filter in an arm of an OR beside an equality; what a CASE compares with is not evaluated while planning.
SELECT condition, pg_temp.estimated('SELECT FROM core_mixed WHERE ' || condition) > 0 AS estimated
FROM unnest(ARRAY[
    $$ (uuid7_timestamp(u7) > '2024-03-05' OR at IS NULL) AND u7 = '018de000-0000-7000-8000-000000000000' $$,
    $$ (uuid7_timestamp(u7) > '2024-03-05' OR at IS NULL) AND (uuid7_timestamp(u7) < '2024-03-02' OR at > now()) AND (u7 = '018de000-0000-7000-8000-000000000000' OR at IS NULL) $$,
    $$ uuid7_timestamp(u7) > '2024-03-05' AND CASE WHEN at IS NULL THEN u7 > current_setting('flakeid.none')::uuid ELSE true END $$]) AS condition;
-- Columns whose statistics this session keeps in one place are estimated together.
CREATE TABLE core_wide AS SELECT u7, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, sno_min(at) AS h, sno_min(at) AS i FROM core_mixed WHERE at IS NOT NULL;
INSERT INTO core_wide SELECT (ARRAY['018de000-0000-7000-8000-000000000000', '9c5b94b1-35ad-49bb-b118-8e8fc24abf80']::uuid[])[1 + n % 2] FROM generate_series(1, 1000) AS n;
ANALYZE core_wide;
SELECT count(DISTINCT pg_temp.estimated(format($$ SELECT FROM core_wide
    WHERE uuid7_timestamp(u7) >= '2024-03-05' AND uuid7_timestamp(u7) < '2024-03-07' OR %s < timestamptz '2024-03-02' $$, x))) AS estimates
FROM unnest('{h,i}'::text[]) AS x;
DROP TABLE core_wide;
CREATE ROLE regress_flakeid_core;
CREATE VIEW core_view WITH (security_barrier) AS SELECT uuid7_timestamp(u7) AS created_at FROM core_steady WHERE u7 IS NOT NULL;
GRANT SELECT ON core_view TO regress_flakeid_core;
ALTER TABLE core_steady ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_rows ON core_steady USING (u7 IS NOT NULL);
GRANT SELECT ON core_steady TO regress_flakeid_core;
BEGIN;
SET LOCAL ROLE regress_flakeid_core;
SELECT pg_temp.estimated($$ SELECT FROM core_view WHERE created_at >= '2024-03-05' AND created_at < '2024-03-05 02:00' $$) BETWEEN 100 AND 140 AS barrier,
    pg_temp.estimated($$ SELECT FROM core_steady WHERE uuid7_timestamp(u7) >= '2024-03-05' AND uuid7_timestamp(u7) < '2024-03-05 02:00' $$) BETWEEN 100 AND 140 AS row_security;
RESET ROLE;
ALTER FUNCTION _flakeid_functions.is_uuid7 NOT LEAKPROOF;
SET LOCAL ROLE regress_flakeid_core;
SELECT pg_temp.estimated($$ SELECT FROM core_steady WHERE uuid7_timestamp(u7) >= '2024-03-05' AND uuid7_timestamp(u7) < '2024-03-05 02:00' $$) BETWEEN 100 AND 140 AS may_leak;
ROLLBACK;

-- Properties of the filter and the marker themselves.
SELECT _flakeid_functions.is_ulid('01KEJK7S000000000000000000'), _flakeid_functions.is_ulid(NULL::text) AS nothing, _flakeid_functions.flakeid_marker('00000000-0000-0000-0000-000000000000'::uuid) AS nil, _flakeid_functions.flakeid_marker(NULL::uuid) AS nulls;
\set VERBOSITY terse
SELECT _flakeid_functions.is_ulid('01kejk7s000000000000000000');
SELECT _flakeid_functions.is_ulid('81KEJK7S000000000000000000');
SELECT _flakeid_functions.is_ulid('');
SELECT _flakeid_functions.is_ulid('01KEJK7S00000000000000000U');
\set VERBOSITY default
DROP VIEW core_view;
DROP TABLE core_steady, core_bursty, core_grown, core_deleted, core_emptied, core_instant, core_nulls, core_mixed, core_mixed_grown, core_parts, core_doc, core_odd;
DROP ROLE regress_flakeid_core;
