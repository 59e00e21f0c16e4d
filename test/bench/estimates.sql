-- For bench.pl's part "estimates": how many rows the planner expects in windows of time, by
-- IDs and by a timestamptz column of the same table.  Give the number of rows as "count".
--
-- The data span a year: two thirds steady, a third in twenty bursts of an hour, and twenty
-- gaps of a day.  Then a fifth more rows are inserted, over 73 days, without ANALYZE.
\set ON_ERROR_STOP on
CREATE TABLE est (at timestamptz, sno sno, flax flax, siq siq, uid64 uid64, snowflake snowflake, ulid ulid, ksuid ksuid) WITH (autovacuum_enabled = off);
CREATE TABLE est_column AS SELECT name FROM flakeid_formats WHERE time_ordered;
CREATE FUNCTION est_start() RETURNS timestamptz LANGUAGE sql IMMUTABLE RETURN timestamptz '2025-01-01 00:00+00';

CREATE PROCEDURE est_fill(target text, rows int, first int, days int) LANGUAGE sql AS $$
    INSERT INTO est
    SELECT at, sno_min(at), flax_min(at), siq_min(at), uid64_min(at), snowflake_min(at), ulid_min(at), ksuid_min(at)
    FROM (
        SELECT est_start() + first * interval '1 day' + (n + 0.5) / (rows * 2 / 3) * days * interval '1 day'
        FROM generate_series(0, rows * 2 / 3 - 1) AS n
        UNION ALL
        SELECT est_start() + (first + days / 20.0 * (n % 20) + 3.3) * interval '1 day' + n * 3600.0 / (rows / 3) * interval '1 s'
        FROM generate_series(0, rows / 3 - 1) AS n
    ) AS s (at)
    WHERE (extract(epoch FROM at - est_start()) / 86400)::numeric(8, 2) % 18 NOT BETWEEN 10 AND 11
    ORDER BY at
$$;
CALL est_fill('est', :count, 0, 365);
CREATE INDEX ON est (at);
CREATE INDEX ON est (sno);
CREATE INDEX ON est (flax);
CREATE INDEX ON est (siq);
CREATE INDEX ON est (uid64);
CREATE INDEX ON est (snowflake);
CREATE INDEX ON est (ulid);
CREATE INDEX ON est (ksuid);

-- And a table with five partitions for each.
DO $$
DECLARE
    name text;
    bound text;
BEGIN
    FOR name, bound IN SELECT 'at', '%s' UNION ALL SELECT c.name, c.name || '_min(%s)' FROM est_column AS c LOOP
        EXECUTE format('CREATE TABLE est_%1$s (%1$s %2$s) PARTITION BY RANGE (%1$s)', name, CASE name WHEN 'at' THEN 'timestamptz' ELSE name END);
        FOR part IN 0 .. 4 LOOP
            EXECUTE format('CREATE TABLE est_%1$s_%2$s PARTITION OF est_%1$s FOR VALUES FROM (%3$s) TO (%4$s)', name, part,
                format(bound, format('est_start() + interval ''%s days''', 100 * part)), format(bound, format('est_start() + interval ''%s days''', 100 * part + 100)));
        END LOOP;
        -- ANALYZE reads all rows: samples of two tables would differ
        EXECUTE format('ALTER TABLE est_%1$s ALTER COLUMN %1$s SET STATISTICS 1000', name);
        EXECUTE format('INSERT INTO est_%1$s SELECT %1$s FROM est', name);
        EXECUTE format('CREATE INDEX ON est_%1$s (%1$s)', name);
    END LOOP;
END $$;
VACUUM ANALYZE est, est_at, est_sno, est_flax, est_siq, est_uid64, est_snowflake, est_ulid, est_ksuid;

CREATE FUNCTION est_windows(days int) RETURNS TABLE (period text, a timestamptz, b timestamptz) LANGUAGE sql AS $$
    SELECT period, est_start() + a::interval, est_start() + a::interval + len::interval FROM (VALUES
        ('a second', '150 days 07:00', '1 s'), ('a minute', '150 days 07:00', '1 min'), ('an hour', '150 days 07:00', '1 h'),
        ('a day', '150 days 07:00', '1 day'), ('a month', '150 days 07:00', '1 month'),
        ('the first hour', '0', '1 h'), ('the last hour', days - 1 || ' days 23 h', '1 h'), ('the last day', days - 1 || ' days', '1 day'),
        ('bursts and gaps', '190 days', '20 days')) AS v (period, a, len)
$$;

-- The rows that the planner expects for a form of condition on a column x.
CREATE FUNCTION est_rows(form text, x text, a timestamptz, b timestamptz) RETURNS float LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    query text := format('SELECT FROM %s WHERE ', CASE form WHEN 'partitions' THEN 'est_' || x ELSE 'est' END) || CASE form
        WHEN 'two comparisons' THEN 'x >= a AND x < b'
        WHEN 'partitions' THEN 'x >= a AND x < b'
        WHEN '`BETWEEN`' THEN 'x BETWEEN a AND b'
        WHEN '`<@`' THEN CASE x WHEN 'at' THEN 'x >= a AND x < b' ELSE 'x <@ tstzrange(a, b)' END
        WHEN 'OR' THEN 'x >= a AND x < b OR x >= c AND x < d'
        WHEN '`now()`' THEN 'x >= now() - (now() - a) AND x < now() - (now() - b)'
        WHEN 'one end' THEN 'x >= a'
        ELSE 'x >= $1 AND x < $2' END;
BEGIN
    query := regexp_replace(regexp_replace(query, '\ma\M', format('timestamptz %L', a), 'g'), '\mb\M', format('timestamptz %L', b), 'g');
    query := regexp_replace(replace(query, 'x >= c', format('x >= timestamptz %L', est_start() + interval '103 days')),
        'x < d', format('x < timestamptz %L', est_start() + interval '104 days'));
    query := regexp_replace(query, '\mx\M', x, 'g');
    IF form ~ 'plan' THEN
        PERFORM set_config('plan_cache_mode', CASE form WHEN 'generic plan' THEN 'force_generic_plan' ELSE 'force_custom_plan' END, true);
        EXECUTE 'PREPARE est_query (timestamptz, timestamptz) AS ' || query;
        EXECUTE format('EXPLAIN (FORMAT JSON) EXECUTE est_query (%L, %L)', a, b) INTO plan;
        DEALLOCATE est_query;
    ELSE
        EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    END IF;
    RETURN plan->0->'Plan'->>'Plan Rows';
END $$;
CREATE FUNCTION est_actual(form text, a timestamptz, b timestamptz) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM est WHERE at >= a AND (at < b OR form = 'one end')
        OR form = 'OR' AND at >= est_start() + interval '103 days' AND at < est_start() + interval '104 days'
$$;

-- All estimates.
CREATE TABLE est_result (moment text, form text, period text, name text, actual float, by_at float, by_id float);
CREATE PROCEDURE est_measure(moment text, days int) LANGUAGE sql AS $$
    INSERT INTO est_result
    SELECT moment, form, w.period, c.name, greatest(w.actual, 1), w.by_at, est_rows(form, c.name, a, b)
    FROM unnest('{two comparisons,`BETWEEN`,`<@`,OR,`now()`,one end,partitions,custom plan,generic plan}'::text[]) AS form
        CROSS JOIN LATERAL (
            SELECT period, a, b, est_actual(form, a, b) AS actual, est_rows(form, 'at', a, b) AS by_at FROM est_windows(days) OFFSET 0
        ) AS w CROSS JOIN est_column AS c
$$;
CALL est_measure('fresh', 365);
CALL est_fill('est', :count / 5, 365, 73);
DO $$
BEGIN
    EXECUTE (SELECT string_agg(format('INSERT INTO est_%1$s SELECT %1$s FROM est WHERE at >= est_start() + interval ''365 days''', name), '; ')
        FROM (SELECT 'at' AS name UNION ALL SELECT name FROM est_column) AS c);
END $$;
CALL est_measure('a fifth more', 438);

-- The worst q-error of a column's nine windows, which is max(expected / actual, actual / expected).
CREATE FUNCTION est_q(actual float, expected float) RETURNS float LANGUAGE sql IMMUTABLE
RETURN greatest(actual / greatest(expected, 1), greatest(expected, 1) / actual);

-- Planning a query for one day: the mean of the faster half of its runs, in ms, for each column in turn.
CREATE FUNCTION est_planning(times int) RETURNS TABLE (name text, ms float) LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    CREATE TEMP TABLE run (name text, ms float);
    FOR i IN 1 .. times LOOP
        FOR name IN SELECT 'at' UNION ALL SELECT c.name FROM est_column AS c LOOP
            EXECUTE format('EXPLAIN (FORMAT JSON, SUMMARY) SELECT * FROM est WHERE %1$s >= %2$L::timestamptz AND %1$s < %3$L::timestamptz',
                name, est_start() + interval '150 days', est_start() + interval '151 days') INTO plan;
            INSERT INTO run VALUES (name, (plan->0->>'Planning Time')::float);
        END LOOP;
    END LOOP;
    RETURN QUERY SELECT r.name, avg(r.ms) FROM (SELECT *, percent_rank() OVER (PARTITION BY run.name ORDER BY run.ms) AS place FROM run) AS r
        WHERE place <= 0.5 GROUP BY r.name;
END $$;
