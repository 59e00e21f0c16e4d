--
-- Conditions on time in an EXISTS that is no join.  While core tries to hash it, it
-- simplifies the conditions of the EXISTS with the query around it as their root, where
-- the same numbers are other tables and columns.  The query around has a JOIN at the place
-- that table i3 has inside, with fewer columns than i3.
--
\getenv dir PG_ABS_SRCDIR
\set lines 'Index Cond'
\i :dir/sql/plans.psql
SET enable_seqscan = off;
SET enable_bitmapscan = off;

CREATE TABLE o1 (a int);
CREATE TABLE o2 (a int);
CREATE TABLE i1 (b int);
CREATE TABLE i2 (b int);
INSERT INTO o1 SELECT generate_series(1, 4);
INSERT INTO o2 SELECT generate_series(1, 4);
INSERT INTO i1 SELECT generate_series(1, 2);
INSERT INTO i2 VALUES (0);
CREATE TABLE i3 (c1 int, c2 int, c3 int, c4 int, c5 int, c6 int, c7 tstzrange, c8 timestamptz, c9 timestamptz, b int,
    id uuid, s sno, l text, n bigint, name text);
INSERT INTO i3 SELECT 1, 2, 3, 4, 5, 6, tstzrange(at, at + interval '1 day'), at, at + interval '1 day', b,
    uuid7_min(at), sno_min(at), ulid_min(at)::text, layout_min(at, 'discord'), typeid(uuid7_min(at), 'user')
FROM (VALUES (1, timestamptz '2026-03-01'), (2, '2026-01-15')) AS v (b, at);

-- Without a table.
SELECT o1.a, EXISTS (
    SELECT FROM (VALUES (1), (2)) AS i1 (b), (VALUES (1), (2)) AS i2 (b),
        (VALUES (1, 2, 3, 4, 5, 6, 7, '019c9e80-0000-7000-8000-000000000000'::uuid)) AS i3 (c1, c2, c3, c4, c5, c6, c7, id)
    WHERE uuid7_timestamp(i3.id) >= timestamptz '2026-02-01' AND i1.b = o1.a)
FROM (VALUES (1), (2), (3)) AS o1 (a) JOIN (VALUES (1), (2), (3)) AS o2 (a) ON o1.a = o2.a ORDER BY 1;

-- Each condition, in each place of an EXISTS, beside the same condition on the instant, which is column 8.
CREATE FUNCTION answers(condition text, OUT place text, OUT answer text) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
    inner_query text := format('EXISTS (SELECT FROM i1, i2, i3 WHERE %s AND i1.b = o1.a AND i3.b = i1.b)', condition);
BEGIN
    FOR place, answer IN VALUES
        ('select list', 'SELECT string_agg(q::text, '' '' ORDER BY q) FROM (SELECT o1.a, %s FROM o1 JOIN o2 ON o1.a = o2.a) AS q'),
        ('or', 'SELECT string_agg(o1.a::text, '' '' ORDER BY o1.a) FROM o1 JOIN o2 ON o1.a = o2.a WHERE o1.a = 4 OR %s'),
        ('case', 'SELECT string_agg(CASE WHEN %s THEN o1.a::text ELSE ''-'' END, '' '' ORDER BY o1.a) FROM o1 JOIN o2 ON o1.a = o2.a'),
        ('having', 'SELECT string_agg(q::text, '' '' ORDER BY q) FROM (SELECT o1.a FROM o1 JOIN o2 ON o1.a = o2.a GROUP BY o1.a HAVING count(*) > 1 OR %s) AS q'),
        ('not', 'SELECT string_agg(o1.a::text, '' '' ORDER BY o1.a) FROM o1 JOIN o2 ON o1.a = o2.a WHERE o1.a = 4 OR NOT %s')
    LOOP
        EXECUTE format(answer, inner_query) INTO answer;
        RETURN NEXT;
    END LOOP;
END $$;
WITH forms (form, plain) AS (VALUES
    ('uuid7_timestamp(i3.id) >= timestamptz ''2026-02-01''', 'i3.c8 >= timestamptz ''2026-02-01'''),
    ('uuid7_timestamp(i3.id) < timestamptz ''2026-02-01''', 'i3.c8 < timestamptz ''2026-02-01'''),
    ('uuid7_timestamp(i3.id) = timestamptz ''2026-03-01''', 'i3.c8 = timestamptz ''2026-03-01'''),
    ('uuid7_timestamp(i3.id) <@ tstzrange(i3.c8, i3.c9)', 'i3.c8 <@ tstzrange(i3.c8, i3.c9)'),
    ('i3.s <@ i3.c7', 'i3.c8 <@ i3.c7'),
    ('i3.s >= timestamptz ''2026-02-01''', 'i3.c8 >= timestamptz ''2026-02-01'''),
    ('sno_timestamp(i3.s) > timestamptz ''2026-02-01''', 'i3.c8 > timestamptz ''2026-02-01'''),
    ('ulid_timestamp(i3.l) >= timestamptz ''2026-02-01''', 'i3.c8 >= timestamptz ''2026-02-01'''),
    ('ulid_timestamp(i3.id) >= timestamptz ''2026-02-01''', 'i3.c8 >= timestamptz ''2026-02-01'''),
    ('layout_timestamp(i3.n, ''discord'') >= timestamptz ''2026-02-01''', 'i3.c8 >= timestamptz ''2026-02-01'''),
    ('typeid(i3.id, ''user'') = i3.name', 'true'),
    ('i3.name = typeid(i3.id, ''user'')', 'true'))
SELECT form, count(*), count(*) FILTER (WHERE answer IS DISTINCT FROM plain_answer) AS differ
FROM forms, LATERAL (SELECT a.answer, p.answer AS plain_answer FROM answers(form) AS a JOIN answers(plain) AS p USING (place)) AS q
GROUP BY form ORDER BY form COLLATE "C";
SELECT * FROM answers('uuid7_timestamp(i3.id) >= timestamptz ''2026-02-01''');

-- As an application may write it, and in an UPDATE.
CREATE TABLE account (id int PRIMARY KEY, plan int);
CREATE TABLE plan (plan int PRIMARY KEY);
CREATE TABLE event (id sno PRIMARY KEY);
CREATE TABLE seen (account int, event sno);
CREATE TABLE period (c1 int, c2 int, c3 int, c4 int, c5 int, c6 int, during tstzrange);
INSERT INTO plan VALUES (1);
INSERT INTO account VALUES (1, 1), (2, 1);
INSERT INTO event VALUES (sno_min('2026-03-01 12:00'));
INSERT INTO seen SELECT 2, id FROM event;
INSERT INTO period (during) VALUES ('[2026-03-01,2026-03-02)');
SELECT a.id, EXISTS (SELECT FROM event e, seen s, period p WHERE s.event = e.id AND s.account = a.id AND e.id <@ p.during)
FROM account a JOIN plan USING (plan) ORDER BY a.id;
UPDATE account SET plan = 2 FROM plan
WHERE account.plan = plan.plan AND (account.id = 7 OR EXISTS (
    SELECT FROM event e, seen s, period p WHERE s.event = e.id AND s.account = account.id AND e.id <@ p.during));
SELECT * FROM account ORDER BY id;

-- The index serves the EXISTS of a view, too, whose column the first look takes for the other query's.
CREATE TABLE ev (id uuid PRIMARY KEY, acct int);
CREATE VIEW evt AS SELECT *, uuid7_timestamp(id) AS created_at FROM ev;
SELECT pg_temp.scans($$SELECT a.id, EXISTS (SELECT FROM evt e WHERE e.created_at >= timestamptz '2026-11-04' AND e.acct = a.id) FROM account a$$);
SELECT pg_temp.scans($$SELECT e.id FROM evt e WHERE e.created_at >= timestamptz '2026-11-04' AND
    (e.acct = 1 OR EXISTS (SELECT FROM evt x WHERE x.created_at < timestamptz '2026-12-04' AND x.acct = e.acct))$$);

DROP VIEW evt;
DROP TABLE o1, o2, i1, i2, i3, account, plan, event, seen, period, ev;
DROP FUNCTION answers;
