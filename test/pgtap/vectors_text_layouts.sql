-- IDs of other systems' libraries that are texts, and random ones as a second implementation
-- reads them, in numeric arithmetic.
\ir shared.psql
BEGIN;
CREATE TEMPORARY TABLE vectors (layout text, id text COLLATE "C", instant_ms numeric, source text);
\copy vectors FROM 'test/vectors/text_layouts.tsv' (FORMAT text, HEADER)
SELECT plan(3 + 11);
SELECT diag('seed ' || :'seed');
SELECT setseed(:seed);
SELECT is((SELECT count(DISTINCT layout)::int FROM vectors), 11, 'a layout for each');
SELECT is_empty($$ SELECT layout, id, source FROM vectors WHERE extract(epoch FROM layout_timestamp(id, layout)) * 1000 IS DISTINCT FROM instant_ms $$, 'their times');
SELECT is_empty($$ SELECT layout, id FROM vectors, LATERAL (SELECT layout_timestamp(id, layout)::timestamptz AS t) AS x
    WHERE id NOT BETWEEN layout_text_min(t, layout) AND layout_text_max(t, layout) OR layout_text_min(t + interval '1 us', layout) <= id OR layout_text_max(t - interval '1 us', layout) >= id $$, 'between the bounds of their times, and not of those beside them');

-- the second implementation: the first digits as a number, from the layouts' documents
CREATE FUNCTION pg_temp.ms(layout text, id text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE layout
        WHEN 'aid' THEN pg_temp.number_of(left(id, 8), '0123456789abcdefghijklmnopqrstuvwxyz') + 946684800000
        WHEN 'aidx' THEN pg_temp.number_of(left(id, 8), '0123456789abcdefghijklmnopqrstuvwxyz') + 946684800000
        WHEN 'cuid' THEN pg_temp.number_of(substr(id, 2, 8), '0123456789abcdefghijklmnopqrstuvwxyz')
        WHEN 'ksuid' THEN (div(pg_temp.number_of(id, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'), 2::numeric ^ 128) + 1400000000) * 1000
        WHEN 'meid' THEN pg_temp.number_of(left(id, 12), '0123456789abcdef') - 2::numeric ^ 47
        WHEN 'meidg' THEN pg_temp.number_of(substr(id, 2, 11), '0123456789abcdef')
        WHEN 'objectid' THEN pg_temp.number_of(left(id, 8), '0123456789abcdef') * 1000
        WHEN 'ulid' THEN pg_temp.number_of(left(id, 10), '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
        WHEN 'ulid_lower' THEN pg_temp.number_of(left(id, 10), '0123456789abcdefghjkmnpqrstvwxyz')
        WHEN 'uuid7' THEN pg_temp.number_of(left(replace(id, '-', ''), 12), '0123456789abcdef')
        WHEN 'xid' THEN div(pg_temp.number_of(left(id, 7), '0123456789abcdefghijklmnopqrstuv'), 8) * 1000 END
$$;
-- random texts: a vector of the layout, with other digits from a random place on
CREATE TEMPORARY TABLE random AS
SELECT v.layout, left(v.id, k) || substr(other.id, k + 1) AS id
FROM vectors AS v JOIN vectors AS other USING (layout), LATERAL (SELECT (random() * length(v.id))::int AS k FROM generate_series(1, 20)) AS place;
SELECT is((SELECT count(*) FROM random AS r WHERE r.layout = l.layout AND extract(epoch FROM layout_timestamp(id, layout)) * 1000 IS DISTINCT FROM round(pg_temp.ms(layout, id))),
    0::bigint, format('%s, by a second implementation', l.layout)) FROM (SELECT DISTINCT layout FROM vectors ORDER BY 1) AS l;
SELECT * FROM finish();
ROLLBACK;
