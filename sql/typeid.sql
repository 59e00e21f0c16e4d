--
-- TypeIDs: a uuid shown with a prefix, and found by that text.  The vectors are in
-- test/pgtap/vectors_typeid.sql.
--
\getenv dir PG_ABS_SRCDIR
\set lines '^(?!.*Disabled: true)'
\i :dir/sql/plans.psql

SELECT typeid('01890a5d-ac96-774b-bcce-b302099a8057', 'prefix'), typeid('00000000-0000-0000-0000-000000000000', ''),
    typeid_uuid('prefix_01h455vb4pex5vsknk084sn02q', 'prefix'), typeid_prefix('pre_fix_00000000000000000000000000'), typeid_prefix('00000000000000000000000000') = '' AS none;
SELECT typeid(NULL, 'user'), typeid('01890a5d-ac96-774b-bcce-b302099a8057', NULL), typeid_uuid(NULL, 'user'), typeid_prefix(NULL);

-- errors
SELECT typeid('01890a5d-ac96-774b-bcce-b302099a8057', 'User');
SELECT typeid_uuid('user_01h455vb4pex5vsknk084sn02q', 'user_');
SELECT typeid_uuid('post_01h455vb4pex5vsknk084sn02q', 'user');
SELECT typeid_uuid('user_01h455vb4pex5vsknk084sn02q', '');
SELECT typeid_prefix('user_01H455VB4PEX5VSKNK084SN02Q');
SELECT typeid_prefix('user_00000000000000000000000A00');
-- also in a condition, whose prefix no planner may overlook
CREATE TEMP TABLE person (id uuid PRIMARY KEY, name text, word varchar);
INSERT INTO person SELECT overlay('01890a5d-ac96-774b-bcce-000000000000' PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, 'n' || n, 'w' FROM generate_series(1, 2000) AS n;
CREATE TEMP TABLE post (id uuid PRIMARY KEY, person_id uuid);
INSERT INTO post SELECT gen_random_uuid(), id FROM person;
CREATE INDEX ON post (person_id);
ANALYZE person, post;
SELECT * FROM person WHERE typeid(id, 'User') = 'x';

--
-- equality is answered by the key
--
CREATE TEMP VIEW people AS SELECT typeid(id, 'user') AS id, name FROM person;
SELECT id AS t FROM people WHERE name = 'n777' \gset
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM person WHERE typeid(id, 'user') = :'t';
EXPLAIN (COSTS OFF) SELECT * FROM people WHERE :'t' = id;
SELECT * FROM people WHERE id = :'t';
EXPLAIN (COSTS OFF) UPDATE people SET name = 'x' WHERE id = :'t';
EXPLAIN (COSTS OFF) DELETE FROM people WHERE id = :'t';
EXPLAIN (COSTS OFF) SELECT id, count(*) FROM people GROUP BY id HAVING id = :'t';
-- what typeid() never returns
SELECT pg_temp.scans($$SELECT * FROM people WHERE id = 'junk'$$);
SELECT count(*) FROM people WHERE id = 'post_01h455vb4pex5vsknk084sn02q' OR id = upper(:'t');
SELECT count(*) FROM people WHERE NOT (id = 'junk');
-- a list, with texts that it never returns
EXPLAIN (COSTS OFF) SELECT * FROM people WHERE id IN (:'t', 'junk', NULL, 'post_01h455vb4pex5vsknk084sn02q');
SELECT count(*) FROM people WHERE id IN (:'t', 'junk', NULL, 'post_01h455vb4pex5vsknk084sn02q');
SELECT count(*) FROM people WHERE id = ANY ('{junk}');
-- beside a condition on the time, which stays where an index has the time
CREATE INDEX person_time ON person (uuid7_timestamp(id));
SELECT count(*) FROM person WHERE uuid7_timestamp(id) <@ '[2020-01-01,2020-01-02)'::tstzrange OR typeid(id, 'user') = :'t';
SELECT count(*) FROM person WHERE uuid7_timestamp(id) <@ '[2020-01-01,2020-01-02)'::tstzrange OR typeid(id, 'user') IN (:'t', 'junk');
DROP INDEX person_time;
-- a parameter
SET plan_cache_mode = force_generic_plan;
PREPARE by_text (text) AS SELECT * FROM people WHERE id = $1;
SELECT pg_temp.scans(format('EXECUTE by_text(%L)', :'t'));
EXECUTE by_text(:'t');
EXECUTE by_text('junk');
PREPARE by_unknown AS SELECT * FROM people WHERE id = $1;
EXPLAIN (COSTS OFF) EXECUTE by_unknown(:'t');
PREPARE by_prefix (text, text) AS SELECT id FROM person WHERE typeid(id, $1) = $2;
EXECUTE by_prefix('user', :'t');
EXECUTE by_prefix('post', :'t');
EXECUTE by_prefix('', NULL);
EXECUTE by_prefix('User', :'t');
-- varchar is core's comparison: see typeid.sql
PREPARE by_varchar (varchar) AS SELECT * FROM people WHERE id = $1;
SELECT pg_temp.scans(format('EXECUTE by_varchar(%L)', :'t'));
EXECUTE by_varchar(:'t');
RESET plan_cache_mode;
-- joins
EXPLAIN (COSTS OFF) SELECT * FROM post LEFT JOIN people AS u ON u.id = typeid(post.person_id, 'user') WHERE post.id = '00000000-0000-0000-0000-000000000001';
EXPLAIN (COSTS OFF) SELECT * FROM (SELECT typeid(person_id, 'user') AS u FROM post) AS p JOIN people ON p.u = people.id WHERE people.id = :'t';
EXPLAIN (COSTS OFF) SELECT * FROM post WHERE typeid(person_id, 'user') IN (SELECT id FROM people WHERE id = :'t');
SELECT count(*) FROM person AS a JOIN post AS b ON typeid(a.id, 'user') = typeid(b.person_id, 'post');
-- NOT IN is hashed
SELECT count(*) AS hashed FROM pg_temp.scans($$ SELECT * FROM post WHERE typeid(person_id, 'user') NOT IN (SELECT name FROM person) $$) AS line WHERE line ~ 'hashed SubPlan';
-- UNION ALL
EXPLAIN (COSTS OFF) SELECT * FROM (SELECT id FROM people UNION ALL SELECT typeid(person_id, 'user') FROM post) AS x WHERE id = :'t';
-- security barrier, row security
CREATE TEMP VIEW guarded WITH (security_barrier) AS SELECT typeid(id, 'user') AS id, name FROM person WHERE name <> 'n1';
EXPLAIN (COSTS OFF) SELECT * FROM guarded WHERE id = :'t';
-- a stored column, and grouping sets, are core's
CREATE TEMP TABLE stored AS SELECT id FROM people ORDER BY 1 LIMIT 5;
SELECT pg_temp.scans(format('SELECT * FROM stored WHERE id = %L', :'t'));
SELECT id IS NULL AS total, count(*) FROM people GROUP BY ROLLUP (id) HAVING id = :'t';
RESET enable_seqscan;

--
-- the same value as core's comparison, in any place
--
SELECT setseed(0.25);
CREATE TEMP TABLE pair AS
SELECT CASE WHEN n % 7 = 0 THEN NULL ELSE id END AS id, CASE (random() * 6)::int WHEN 0 THEN NULL WHEN 1 THEN 'junk' WHEN 2 THEN upper(typeid(id, 'user'))
    WHEN 3 THEN typeid(id, 'post') WHEN 4 THEN typeid(gen_random_uuid(), 'user') ELSE typeid(id, 'user') END AS t
FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, 3000) AS n) AS x;
SELECT count(*) AS wrong FROM pair WHERE (typeid(id, 'user') = t) IS DISTINCT FROM ((typeid(id, 'user') || '') = t)
    OR (NOT t = typeid(id, 'user')) IS DISTINCT FROM (NOT (typeid(id, 'user') || '') = t)
    OR ((typeid(id, 'user') = t) IS NOT TRUE) IS DISTINCT FROM (((typeid(id, 'user') || '') = t) IS NOT TRUE)
    OR (typeid(id, 'user') = 'junk') IS DISTINCT FROM ((typeid(id, 'user') || '') = 'junk')
    OR (typeid(id, 'user') = typeid(id, 'post')) IS DISTINCT FROM ((typeid(id, 'user') || '') = (typeid(id, 'post') || ''))
    OR (typeid(id, 'user') IS DISTINCT FROM t) <> ((typeid(id, 'user') || '') IS DISTINCT FROM t);
SELECT (SELECT count(*) FROM pair WHERE typeid(id, 'user') = t) = (SELECT count(*) FROM pair WHERE (typeid(id, 'user') || '') = t) AS filter,
    (SELECT count(*) FROM pair WHERE NOT typeid(id, 'user') = t) = (SELECT count(*) FROM pair WHERE NOT (typeid(id, 'user') || '') = t) AS negated,
    (SELECT count(*) FROM pair WHERE NOT typeid(id, 'user') = 'junk') = (SELECT count(*) FROM pair WHERE NOT (typeid(id, 'user') || '') = 'junk') AS junk;
-- rows that an outer join extends with NULLs
SELECT count(*) AS rows, count(*) FILTER (WHERE (x.u = :'t') IS DISTINCT FROM (x.u || '' = :'t') OR (x.u = x.t) IS DISTINCT FROM (x.u || '' = x.t)) AS wrong
FROM (SELECT people.id AS u, pair.t FROM pair LEFT JOIN people ON typeid(pair.id, 'user') = people.id AND people.name LIKE '%7') AS x;
SELECT count(*) AS rows FROM post LEFT JOIN people AS u ON typeid(post.person_id, 'user') = u.id AND u.name LIKE '%77' WHERE (u.id = :'t') IS NOT TRUE;
-- another collation; and, where the server has ICU, one in which other texts are equal
SELECT count(*) FROM people WHERE id = :'t' COLLATE "C";
CREATE FUNCTION pg_temp.found_in_any_case(t text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
BEGIN
    CREATE COLLATION pg_temp.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    EXECUTE 'SELECT count(*) FROM people WHERE id = upper($1) COLLATE pg_temp.any_case' INTO found USING t;
    RETURN found;
EXCEPTION WHEN feature_not_supported THEN
    RETURN 1;
END $$;
SELECT pg_temp.found_in_any_case(:'t');

--
-- other comparisons of texts are what they are without the domain
--
CREATE TEMP TABLE word (a varchar(20) PRIMARY KEY, b varchar, c text, d name, e char(3), f varchar[]);
CREATE TEMP VIEW words AS SELECT a = 'x' AS r1, a = b AS r2, b = c AS r3, d = a AS r4, e = a AS r5, c = e AS r6, 'x' = ANY (f) AS r7, a IN ('p', 'q') AS r8, 'x' = a AS r9, 'a' = 'b' AS r10, ARRAY[a] = f AS r11 FROM word;
SELECT oprleft::regtype, oprright::regtype FROM pg_depend JOIN pg_operator AS o ON refclassid = 'pg_operator'::regclass AND refobjid = o.oid
WHERE objid = (SELECT oid FROM pg_rewrite WHERE ev_class = 'words'::regclass);
