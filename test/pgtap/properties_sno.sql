-- Properties of any sno, tested with random ones.  The seed is printed; another one:
-- FLAKEID_SEED=0.5 make test-pgtap T=properties
--
-- Each property is a query for its counterexamples, so that a failure shows some.

\set seed 0.4711
\getenv seed FLAKEID_SEED

BEGIN;
SET LOCAL timezone = 'UTC';
SELECT plan(25);
SELECT diag('setseed(' || :'seed' || ')');
SELECT setseed(:seed) \g /dev/null

CREATE FUNCTION pg_temp.never(counterexamples text, property text) RETURNS text LANGUAGE sql
RETURN is_empty(counterexamples || ' LIMIT 5', property);

-- Random bytes, a quarter of them 00 and another quarter ff, so that the ends of the parts occur.
CREATE TEMP TABLE random_bytes AS
SELECT n, decode(string_agg(CASE floor(random() * 4)
        WHEN 0 THEN '00' WHEN 1 THEN 'ff' ELSE lpad(to_hex(floor(random() * 256)::int), 2, '0') END, ''), 'hex') AS bytes
FROM generate_series(1, 20000) AS n, generate_series(1, 10) AS place
GROUP BY n;
CREATE TEMP TABLE ids AS
SELECT n, bytes, bytes::sno AS id, sno_timestamp(bytes::sno) AS at,
    floor(random() * 256)::int AS meta, floor(random() * 65536)::int AS partition, floor(random() * 65536)::int AS sequence,
    floor(random() * 4000)::int AS us
FROM random_bytes;

-- Pairs: neighbours in the table, and IDs that differ in one bit.
CREATE TEMP TABLE pairs AS
SELECT a.id AS a, b.id AS b FROM ids AS a JOIN ids AS b ON b.n = a.n + 1
UNION ALL
SELECT id, set_bit(bytes, bit, 1 - get_bit(bytes, bit))::sno FROM ids, LATERAL (SELECT (us + n) % 80 AS bit) AS r
UNION ALL
SELECT id, id FROM ids WHERE n % 100 = 0;

SELECT cmp_ok(count(DISTINCT id), '>', 15000::bigint, 'the IDs are random') FROM ids;

-- Round trips.
SELECT pg_temp.never('SELECT * FROM ids WHERE id::text::sno <> id', 'text and back');
SELECT pg_temp.never('SELECT * FROM ids WHERE id::bytea <> bytes OR _flakeid_functions.sno_send(id) <> bytes', 'bytes and back');
SELECT pg_temp.never('SELECT * FROM ids WHERE id::uuid::sno <> id', 'uuid and back');
SELECT pg_temp.never('SELECT * FROM ids WHERE bytes::text::sno <> id', 'from the hex form of bytea');
SELECT pg_temp.never($$ SELECT * FROM ids, flakeid_formats
    WHERE name = 'sno' AND (id::text !~ pattern OR length(id::text) <> text_length) $$, 'the text is of the pattern');
SELECT pg_temp.never($$ SELECT * FROM ids WHERE convert_from(decode(replace(id::uuid::text, '-', ''), 'hex'), 'UTF8') <> id::text $$,
    'the uuid holds the text');

-- No other text is accepted: one character replaced by one outside the alphabet.
CREATE FUNCTION pg_temp.refused(text text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM text::sno;
    RETURN false;
EXCEPTION
    WHEN invalid_text_representation THEN RETURN true;
    WHEN OTHERS THEN RETURN false;
END $$;
CREATE TEMP TABLE spoilt AS
SELECT overlay(id::text placing substr(others, 1 + floor(random() * length(others))::int, 1) from 1 + floor(random() * 16)::int) AS text
FROM ids, CAST(E' !"#$%&''()*+,-./01:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`yz{|}~\t\n\x7f\u00e9\u212a\U0001f600' AS text) AS others
WHERE n <= 5000;
SELECT pg_temp.never('SELECT * FROM spoilt WHERE NOT pg_temp.refused(text)', 'a character outside the alphabet is refused');
SELECT pg_temp.never($$ SELECT * FROM (SELECT left(id::text, us % 16) AS shorter, id::text || substr(id::text, 1 + us % 16) AS longer
    FROM ids WHERE n <= 5000) AS s WHERE NOT pg_temp.refused(shorter) OR NOT pg_temp.refused(longer) $$, 'another length is refused');

-- One order, in every form.
SELECT pg_temp.never($$ SELECT * FROM pairs
    WHERE (a < b) <> (a::bytea < b::bytea) OR (a < b) <> (a::text < b::text COLLATE "C") OR (a < b) <> (a::uuid < b::uuid) $$,
    'the order is that of bytes, of texts in the C collation, and of uuids');
SELECT pg_temp.never($$ SELECT * FROM pairs
    WHERE row(a < b, a <= b, a = b, a <> b, a >= b, a > b) <> CASE _flakeid_functions.sno_cmp(a, b)
        WHEN -1 THEN row(true, true, false, true, false, false)
        WHEN 0 THEN row(false, true, true, false, true, false)
        ELSE row(false, false, false, true, true, true) END $$,
    'all operators agree');
SELECT pg_temp.never('SELECT * FROM pairs WHERE (a < b) <> (b > a) OR (a <= b) <> (b >= a) OR (a = b) <> (b = a) OR _flakeid_functions.sno_cmp(a, b) <> -_flakeid_functions.sno_cmp(b, a)',
    'commuted');
SELECT pg_temp.never('SELECT * FROM pairs WHERE least(a, b) <> _flakeid_functions.sno_smaller(a, b) OR greatest(a, b) <> _flakeid_functions.sno_larger(a, b) OR _flakeid_functions.sno_smaller(a, b) > _flakeid_functions.sno_larger(a, b)',
    'the smaller and the larger');
SELECT pg_temp.never('SELECT * FROM pairs WHERE a < b AND sno_timestamp(a) > sno_timestamp(b)', 'the order is that of time');
SELECT pg_temp.never('SELECT * FROM pairs WHERE a = b AND (_flakeid_functions.sno_hash(a) <> _flakeid_functions.sno_hash(b) OR _flakeid_functions.sno_hash_extended(a, 7) <> _flakeid_functions.sno_hash_extended(b, 7))',
    'equal IDs have equal hashes');
SELECT cmp_ok(count(DISTINCT _flakeid_functions.sno_hash(id)), '>', count(DISTINCT id) * 99 / 100, 'other IDs have other hashes') FROM ids;

-- Time.
SELECT pg_temp.never($$ SELECT * FROM ids WHERE at <> id::timestamptz OR extract(microseconds FROM at)::bigint % 4000 <> 0
    OR at NOT BETWEEN '2010-01-01' AND '2079-09-07 15:47:35.548' $$, 'the instant is the start of 4 ms');
SELECT pg_temp.never('SELECT * FROM ids WHERE id NOT BETWEEN sno_min(at) AND sno_max(at) OR sno_timestamp(sno_min(at)) <> at OR sno_timestamp(sno_max(at)) <> at',
    'an ID is between the bounds of its instant, which have that instant');
SELECT pg_temp.never($$ SELECT * FROM (SELECT *, at + us * interval '1 microsecond' AS within FROM ids) AS i
    WHERE sno_max(within) <> sno_max(at) OR (sno_min(within) = sno_min(at)) <> (within = at) $$, 'an instant within the 4 ms has their end, and the beginning of the next');
SELECT pg_temp.never($$ SELECT * FROM ids WHERE at > '2010-01-01' AND sno_max(at - interval '1 microsecond') >= sno_min(at)
    OR at < '2079-09-07 15:47:35.548' AND sno_min(at + interval '4 ms') <= sno_max(at) $$, 'the bounds of one unit end before the next begins');
SELECT pg_temp.never('SELECT * FROM (SELECT a, sno_timestamp(b) AS t FROM pairs) AS p WHERE (a < sno_min(t)) <> (sno_timestamp(a) < t) OR (a > sno_max(t)) <> (sno_timestamp(a) > t)',
    'comparing with bounds is comparing instants');

-- Parts.
SELECT pg_temp.never('SELECT * FROM ids WHERE id <> sno_make(at, sno_meta(id), sno_partition(id), sno_sequence(id), sno_tick_tock(id))',
    'an ID is made of its parts');
SELECT pg_temp.never($$ SELECT * FROM (SELECT *, sno_make(at + us * interval '1 microsecond', meta, partition, sequence, us % 2 = 1) AS made FROM ids) AS i
    WHERE row(sno_timestamp(made), sno_meta(made), sno_partition(made), sno_sequence(made), sno_tick_tock(made))
        <> row(at, meta, partition, sequence, us % 2 = 1) $$, 'the parts are those it was made of');
SELECT pg_temp.never('SELECT * FROM ids
    WHERE sno_set_meta(id, meta) <> sno_make(at, meta, sno_partition(id), sno_sequence(id), sno_tick_tock(id))
        OR sno_set_partition(id, partition) <> sno_make(at, sno_meta(id), partition, sno_sequence(id), sno_tick_tock(id))
        OR sno_set_sequence(id, sequence) <> sno_make(at, sno_meta(id), sno_partition(id), sequence, sno_tick_tock(id))',
    'a mutator changes its part alone');
SELECT pg_temp.never('SELECT * FROM ids, sno_inspect(id) AS i
    WHERE i <> row(id::text, ids.bytes, at::timestamptz, sno_tick_tock(id), sno_meta(id), sno_partition(id), sno_sequence(id))', 'sno_inspect shows the parts');

SELECT * FROM finish();
ROLLBACK;
