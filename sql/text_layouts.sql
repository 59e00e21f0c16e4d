--
-- The time of IDs that are texts.  Vectors of their own libraries are in test/pgtap/vectors_text_layouts.sql.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql

CREATE TEMP TABLE layout (name text, sample text);
INSERT INTO layout VALUES ('aid', '9x2yr9b4ab'), ('aidx', '9x2yr9b4abcd0001'), ('cuid', 'cjld2cjxh0000qzrmn831i7rn'), ('ksuid', '0ujsswThIGTUYm2K8FjOOfXtY1K'), ('meid', '8192a3b4c5d6e7f8091a2b3c'), ('meidg', 'g192a3b4c5d6e7f8091a2b3c'),
    ('objectid', '507f1f77bcf86cd799439011'), ('ulid', '01ARZ3NDEKTSV4RRFFQ69G5FAV'), ('ulid_lower', '01arz3ndektsv4rrffq69g5fav'), ('uuid7', '01890a5d-ac96-774b-bcce-b302099a8057'), ('xid', '9m4e2mr0ui3e8a215n4g');
SELECT name, layout_timestamp(sample, name), layout_text_min('2026-11-21Z', name), layout_text_max('2026-11-21Z', name) FROM layout;
-- the ends
SELECT name, layout_text_min('-infinity', name), layout_text_max('-infinity', name), layout_text_min('infinity', name), layout_text_max('infinity', name) FROM layout;
SELECT name, layout_timestamp(layout_text_min('-infinity', name), name) AS first, layout_timestamp(layout_text_max('infinity', name), name) AS last FROM layout;
SELECT layout_timestamp(NULL::text, 'xid'), layout_timestamp('x', NULL), layout_timestamp('01890a5d-ac96-474b-bcce-b302099a8057', 'uuid7') AS v4;

-- errors name the layout to use
SELECT layout_timestamp('x', 'nosuch');
SELECT layout_timestamp('175928847299117063', 'discord');
SELECT layout_text_min(now(), 'discord');
SELECT layout_timestamp('01arz3ndektsv4rrffq69g5fav', 'ulid');
SELECT layout_timestamp('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid_lower');
SELECT layout_timestamp('507F1F77BCF86CD799439011', 'objectid');
SELECT layout_timestamp('8192a3b4c5d6e7f8091a2b3c', 'objectid');
SELECT layout_timestamp('507f1f77bcf86cd799439011', 'meid');
SELECT layout_timestamp('c0ld2cjxh0000qzrmn831i7rn', 'cuid');
SELECT layout_timestamp('9m4e2mr0ui3e8a215n4h', 'xid');
SELECT layout_timestamp('01890A5D-AC96-774B-BCCE-B302099A8057', 'uuid7');
SELECT layout_timestamp('01890a5dac96774bbcceb302099a8057', 'uuid7');
SELECT layout_timestamp('aWgEPTl1tmebfsQzFP4bxwgy80W', 'ksuid');
SELECT layout_timestamp('', 'aid');

--
-- conditions
--
CREATE FUNCTION pg_temp.id_of(layout text, at timestamptz) RETURNS text LANGUAGE sql AS $$
    -- between the bounds of its unit, but for a version digit
    SELECT CASE WHEN layout IN ('uuid7', 'ksuid') THEN CASE WHEN random() < 0.5 THEN layout_text_min(at, layout) ELSE layout_text_max(at, layout) END
        WHEN layout = 'aid' THEN left(layout_text_min(at, layout), -2) || '1b'
        ELSE left(layout_text_min(at, layout), -4) || CASE layout WHEN 'ulid' THEN '0Z00' WHEN 'xid' THEN '3v10' ELSE '3a1b' END END
$$;
SELECT setseed(0.5);
CREATE TEMP TABLE text_id (layout text, id text COLLATE "C", at timestamptz);
INSERT INTO text_id SELECT name, pg_temp.id_of(name, t), t FROM layout, LATERAL (SELECT date_trunc('second', timestamptz '2016-01-01Z' + n * interval '37 hours 11 s') AS t FROM generate_series(0, 999) AS n) AS u;
SELECT layout, count(*) FROM text_id WHERE layout_timestamp(id, layout) IS DISTINCT FROM at GROUP BY layout;
CREATE INDEX ON text_id (layout, id);
-- as core finds the instants, which are those of the IDs, at them, beside them and at the ends
CREATE FUNCTION pg_temp.wrong(layout text) RETURNS TABLE (operator text, bound timestamptz, rows bigint, expected bigint) LANGUAGE plpgsql AS $$
DECLARE
    t timestamptz;
    counts jsonb;
BEGIN
    FOR t IN SELECT unnest(ARRAY['-infinity', 'infinity', '1969-01-01Z', '1972-06-26Z', '2014-05-13Z', '2038-01-19 03:14:08Z', '2059-05-25Z', '4000-01-01Z', '12000-01-01Z', 'epoch']::timestamptz[])
        UNION ALL SELECT x.at + d FROM text_id AS x, unnest('{0 s,1 us,-1 us,1 ms,-1 ms}'::interval[]) AS d WHERE x.layout = wrong.layout AND x.at < '2016-02-20Z' LOOP
        SELECT jsonb_build_object('<', count(*) FILTER (WHERE at < t), '<=', count(*) FILTER (WHERE at <= t), '>', count(*) FILTER (WHERE at > t), '>=', count(*) FILTER (WHERE at >= t))
        INTO counts FROM text_id AS x WHERE x.layout = wrong.layout;
        FOREACH operator IN ARRAY '{<,<=,>,>=}'::text[] LOOP
            EXECUTE format('SELECT count(*) FROM text_id WHERE layout = %1$L AND layout_timestamp(id, %1$L) %2$s %3$L::timestamptz', layout, operator, t) INTO rows;
            expected := counts->>operator;
            IF rows <> expected THEN bound := t; RETURN NEXT; END IF;
        END LOOP;
    END LOOP;
END $$;
SELECT name, w.* FROM layout, LATERAL pg_temp.wrong(name) AS w;

-- by the index
CREATE TEMP TABLE laravel AS SELECT id, at FROM text_id WHERE layout = 'ulid_lower';
CREATE INDEX ON laravel (id);
ANALYZE laravel;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM laravel WHERE layout_timestamp(id, 'ulid_lower') >= '2016-05-01' AND layout_timestamp(id, 'ulid_lower') < '2016-06-01';
SELECT count(*) FROM laravel WHERE layout_timestamp(id, 'ulid_lower') >= '2016-05-01' AND layout_timestamp(id, 'ulid_lower') < '2016-06-01';
SELECT count(*) FROM laravel WHERE layout_timestamp(id, 'ulid_lower') <@ tstzrange('2016-05-01', '2016-06-01');
PREPARE since (timestamptz, text) AS SELECT count(*) FROM laravel WHERE layout_timestamp(id, $2) >= $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2016-05-01', 'ulid_lower');
EXECUTE since('2016-05-01', 'ulid_lower');
RESET plan_cache_mode;

--
-- A text of another form, where the condition would find it, is an error, not a row.
--
SELECT count(*) FROM laravel WHERE ulid_timestamp(id) > '2030-01-01';
DELETE FROM laravel WHERE ulid_timestamp(id) > now() + interval '1 day';
-- where it would not find it, the planner says so
SELECT count(*) FROM laravel WHERE ulid_timestamp(id) < '2030-01-01';
SELECT count(*) FROM laravel WHERE layout_timestamp(id, 'ulid') > '2030-01-01';
CREATE TEMP TABLE document (doc jsonb);
INSERT INTO document VALUES ('{"id": "hello"}'), ('{"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}');
SELECT doc FROM document WHERE ulid_timestamp(doc->>'id') > now();
SELECT doc FROM document WHERE ulid_timestamp(doc->>'id') < now();
SELECT doc FROM document WHERE layout_timestamp(doc->>'id', 'ulid') > now();
-- UUIDs of another version are NULL, as for uuid
CREATE TEMP TABLE mixed_text (id text COLLATE "C");
INSERT INTO mixed_text VALUES ('01890a5d-ac96-774b-bcce-b302099a8057'), ('9f8d3b6c-5a1e-4d7b-8c2f-0123456789ab'), (NULL);
SELECT id FROM mixed_text WHERE layout_timestamp(id, 'uuid7') > '2020-01-01';
SELECT count(*) FROM mixed_text WHERE NOT layout_timestamp(id, 'uuid7') > '2020-01-01';
SELECT id, (layout_timestamp(id, 'uuid7') > '2020-01-01') AS late FROM mixed_text ORDER BY id;

--
-- char(n), which Laravel's migrations make, and varchar: conditions, estimates and the order of the time, by the column's index
--
CREATE TEMP TABLE columns (padded char(26) COLLATE "C", wide char(30) COLLATE "C", letters varchar(26) COLLATE "C", at timestamptz);
INSERT INTO columns SELECT id, id, id, at FROM laravel;
CREATE INDEX ON columns (padded);
CREATE INDEX ON columns (wide);
CREATE INDEX ON columns (letters);
ANALYZE columns;
-- The nodes of a plan and their conditions, in one line, and whether the estimate is within a tenth of the rows.
CREATE FUNCTION pg_temp.plans(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    node json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, TIMING off, SUMMARY off, COSTS on) ' || query INTO plan;
    node := plan->0->'Plan';
    RETURN concat_ws(', ', node->>'Node Type', node#>>'{Plans,0,Node Type}', coalesce(node->>'Index Name', node#>>'{Plans,0,Index Name}'), coalesce(node->>'Index Cond', node#>>'{Plans,0,Index Cond}'),
        CASE WHEN (node->>'Plan Rows')::float / (node->>'Actual Rows')::float NOT BETWEEN 0.9 AND 1.1 THEN (node->>'Plan Rows') || ' rows expected of ' || (node->>'Actual Rows')::float END);
END $$;
SET enable_sort = off;
SET jit = off;
SELECT pg_temp.plans($$SELECT * FROM columns WHERE layout_timestamp(padded, 'ulid_lower') < '2017-05-01'$$);
SELECT pg_temp.plans($$SELECT * FROM columns WHERE layout_timestamp(wide, 'ulid_lower') < '2017-05-01'$$);
SELECT pg_temp.plans($$SELECT * FROM columns WHERE layout_timestamp(letters, 'ulid_lower') < '2017-05-01'$$);
SELECT pg_temp.plans($$SELECT * FROM columns WHERE layout_timestamp(padded, 'ulid_lower') >= '2017-05-01' AND layout_timestamp(padded, 'ulid_lower') < '2018-01-01'$$);
SELECT pg_temp.plans($$SELECT * FROM columns WHERE layout_timestamp(letters, 'ulid_lower') <@ tstzrange('2017-05-01', '2018-01-01', '[]')$$);
SELECT count(*) FILTER (WHERE at < '2017-05-01'), (SELECT count(*) FROM columns WHERE layout_timestamp(padded, 'ulid_lower') < '2017-05-01'),
    (SELECT count(*) FROM columns WHERE layout_timestamp(wide, 'ulid_lower') < '2017-05-01'), (SELECT count(*) FROM columns WHERE layout_timestamp(letters, 'ulid_lower') < '2017-05-01') FROM columns;
-- the order, with and without proof
SELECT pg_temp.plans($$SELECT * FROM columns ORDER BY layout_timestamp(padded, 'ulid_lower') LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM columns WHERE layout_timestamp(letters, 'ulid_lower') > '2017-05-01' ORDER BY layout_timestamp(letters, 'ulid_lower') LIMIT 3$$);
ALTER TABLE columns ADD CHECK (layout_timestamp(padded, 'ulid_lower') IS NOT NULL), ADD CHECK (layout_timestamp(wide, 'ulid_lower') IS NOT NULL), ADD CHECK (layout_timestamp(letters, 'ulid_lower') IS NOT NULL);
SELECT pg_temp.plans($$SELECT * FROM columns ORDER BY layout_timestamp(padded, 'ulid_lower') LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM columns ORDER BY layout_timestamp(wide, 'ulid_lower') DESC, wide DESC LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM columns ORDER BY layout_timestamp(letters, 'ulid_lower') DESC NULLS LAST LIMIT 3$$);
SELECT pg_temp.plans($$SELECT * FROM columns WHERE (layout_timestamp(padded, 'ulid_lower'), padded) < (timestamptz '2017-05-01', '01') ORDER BY layout_timestamp(padded, 'ulid_lower') DESC, padded DESC LIMIT 3$$);
-- a constraint of another layout is no proof
CREATE TEMP TABLE other_layout (id char(26) COLLATE "C" PRIMARY KEY CHECK (layout_timestamp(id, 'ulid') IS NOT NULL));
INSERT INTO other_layout SELECT layout_text_min(timestamptz '2016-01-01Z' + n * interval '1 h', 'ulid') FROM generate_series(0, 99) AS n;
SELECT pg_temp.plans($$SELECT * FROM other_layout ORDER BY layout_timestamp(id, 'ulid') LIMIT 3$$);
RESET enable_sort;
EXPLAIN (COSTS OFF) SELECT * FROM other_layout ORDER BY layout_timestamp(id, 'ulid_lower') LIMIT 3;
SET enable_sort = off;
-- the page is that of the times
SELECT array_agg(at) = (SELECT array_agg(at) FROM (SELECT at FROM columns ORDER BY at DESC LIMIT 20) AS page) FROM (SELECT at FROM columns ORDER BY layout_timestamp(padded, 'ulid_lower') DESC LIMIT 20) AS page;
-- Every layout gives its order, as text and as char(n).
CREATE FUNCTION pg_temp.sorted(layout text, type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan text;
    same boolean;
BEGIN
    EXECUTE format('CREATE TEMP TABLE sorted (id %s COLLATE "C" CHECK (layout_timestamp(id, %L) IS NOT NULL), at timestamptz)', type, layout);
    INSERT INTO sorted SELECT t.id, t.at FROM text_id AS t WHERE t.layout = sorted.layout;
    CREATE INDEX ON sorted (id);
    ANALYZE sorted;
    SELECT p INTO plan FROM pg_temp.plans(format('SELECT * FROM sorted ORDER BY layout_timestamp(id, %L) LIMIT 10', layout)) AS p;
    EXECUTE format('SELECT array_agg(at) = (SELECT array_agg(at ORDER BY at) FROM sorted) FROM (SELECT at FROM sorted ORDER BY layout_timestamp(id, %L)) AS s', layout) INTO same;
    DROP TABLE sorted;
    RETURN plan || ': ' || same;
END $$;
SELECT name, pg_temp.sorted(name, 'text'), pg_temp.sorted(name, 'char(40)') FROM layout;

-- The planner warns of texts of another form in these, too.
SELECT count(*) FROM columns WHERE layout_timestamp(padded, 'ulid') < '2030-01-01';
SELECT count(*) FROM columns WHERE layout_timestamp(wide, 'ulid') < '2030-01-01';
SELECT count(*) FROM columns WHERE ulid_timestamp(letters) < '2030-01-01';
-- Few of another case are at an end of the statistics; where each value is frequent there is nothing else.
CREATE TEMP TABLE cases (id char(26) COLLATE "C");
INSERT INTO cases SELECT upper(padded) FROM columns;
INSERT INTO cases SELECT padded FROM columns ORDER BY padded LIMIT 5;
ANALYZE cases;
SELECT count(*) FROM cases WHERE ulid_timestamp(id) < '2016-01-01';
TRUNCATE cases;
INSERT INTO cases SELECT id FROM (SELECT padded AS id FROM columns ORDER BY padded LIMIT 3) AS few, generate_series(1, 100);
ANALYZE cases;
SELECT count(*) FROM cases WHERE ulid_timestamp(id) < '2016-01-01';

--
-- Who may not read a text sees none in the WARNING, which planning has from the statistics,
-- nor in the error of a condition, which may be evaluated before those of a security_barrier.
--
CREATE ROLE regress_flakeid_texts;
CREATE TABLE hidden (own name, id text COLLATE "C");
INSERT INTO hidden SELECT 'regress_flakeid_texts', ulid_new_at(timestamptz '2026-01-01' + n * interval '1 h')::text FROM generate_series(1, 100) AS n;
INSERT INTO hidden SELECT 'somebody', 'the secret of ' || n FROM generate_series(1, 100) AS n;
ANALYZE hidden;
CREATE VIEW barrier WITH (security_barrier) AS SELECT id, ulid_timestamp(id) AS created_at, layout_timestamp(id, 'ulid') AS made_at FROM hidden WHERE own = current_setting('flakeid.none', true);
CREATE VIEW plain AS SELECT id, ulid_timestamp(id) AS created_at FROM hidden WHERE own = current_user;
GRANT SELECT ON barrier, plain TO regress_flakeid_texts;
CREATE FUNCTION pg_temp.says(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN 'nothing';
EXCEPTION WHEN invalid_text_representation THEN
    RETURN sqlerrm;
END $$;
SET ROLE regress_flakeid_texts;
SELECT pg_temp.says($$SELECT count(*) FROM barrier WHERE created_at > '2020-01-01'$$);
SELECT pg_temp.says($$SELECT count(*) FROM barrier WHERE made_at > '2020-01-01'$$);
SELECT pg_temp.says($$SELECT FROM plain WHERE created_at > '2020-01-01'$$);
RESET ROLE;
-- with SELECT on the column, but below a barrier or a policy
GRANT SELECT (id) ON hidden TO regress_flakeid_texts;
SET ROLE regress_flakeid_texts;
SELECT pg_temp.says($$SELECT FROM barrier WHERE created_at > '2020-01-01'$$);
SELECT pg_temp.says($$SELECT FROM plain WHERE created_at > '2020-01-01'$$);
SELECT pg_temp.says($$SELECT FROM hidden WHERE ulid_timestamp(id) > '2020-01-01'$$);
RESET ROLE;
CREATE POLICY own ON hidden USING (own = current_user);
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON hidden TO regress_flakeid_texts;
SET ROLE regress_flakeid_texts;
SELECT pg_temp.says($$SELECT FROM plain WHERE created_at > '2020-01-01'$$);
SELECT pg_temp.says($$SELECT FROM hidden WHERE ulid_timestamp(id) > '2020-01-01'$$);
RESET ROLE;
DROP VIEW barrier, plain;
DROP TABLE hidden;
DROP ROLE regress_flakeid_texts;
