--
-- sno: input and output, parts, casts, operators.  Errors are in errors.sql.
--
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql
SET bytea_output = 'hex';
\pset null NULL

--
-- Text and binary
--

-- The IDs of the library's own tests and README, and the two ends.
CREATE TEMP TABLE known (id sno, bytes bytea, at timestamptz);
INSERT INTO known VALUES
    ('2222222222222222', '\x00000000000000000000', '2010-01-01'),
    ('brpk4q72xwf2m63l', '\x4e6f2160a0ff9a0a1033', '2031-05-08 23:03:34.976'),
    ('aaaaaaaa55aaaaaa', '\x421084210818d0842108', '2027-12-26 04:04:32.4'),
    ('xxxxxxxxxxxxxxxx', '\xffffffffffffffffffff', '2079-09-07 15:47:35.548');
SELECT id, id::bytea AS bytea, id::bytea = bytes AND _flakeid_functions.sno_send(id) = bytes AS same,
    id::timestamptz AS timestamptz, id::timestamptz = at AS same
FROM known ORDER BY id;

-- bytea's hex form is accepted, too, in either case.
SELECT sno '\x4e6f2160a0ff9a0a1033', sno '\x4E6F2160A0FF9A0A1033';

-- One text per ID: every letter of the alphabet is read and written, in every place.
SELECT count(*), count(*) FILTER (WHERE text::sno::text = text COLLATE "C") AS same
FROM generate_series(0, 15) AS place,
    string_to_table('23456789abcdefghijklmnopqrstuvwx', NULL) AS letter,
    overlay('brpk4q72xwf2m63l' placing letter from place + 1) AS text;

-- Texts sort as the bytes do, and as the IDs do.
SELECT bool_and(a.id < b.id IS NOT DISTINCT FROM a.bytes < b.bytes
    AND a.id < b.id IS NOT DISTINCT FROM a.id::text < b.id::text COLLATE "C") AS same_order
FROM known AS a, known AS b;

-- Binary input, by COPY (recv) and back.
CREATE TEMP TABLE copied (LIKE known);
\copy known TO 'results/sno.data' (FORMAT binary)
\copy copied FROM 'results/sno.data' (FORMAT binary)
SELECT count(*) FROM (TABLE known INTERSECT TABLE copied) AS same;

--
-- Casts
--

-- Texts are assigned ...
CREATE TEMP TABLE texts (t text, v varchar, c char(16));
INSERT INTO texts VALUES ('brpk4q72xwf2m63l', 'brpk4q72xwf2m63l', 'brpk4q72xwf2m63l');
INSERT INTO known (id) SELECT t FROM texts;
INSERT INTO known (id) SELECT v FROM texts;
INSERT INTO known (id) SELECT c FROM texts;
SELECT count(*) FROM known WHERE id = 'brpk4q72xwf2m63l';
UPDATE known SET id = t FROM texts WHERE id = c::sno;
DELETE FROM known WHERE bytes IS NULL;
-- ... and cast, but never implicitly (42883: no such operator or function).
SELECT t::sno, v::sno, c::sno FROM texts;
\set VERBOSITY sqlstate
SELECT id FROM known, texts WHERE id = t;
SELECT sno_meta(t) FROM texts;
\set VERBOSITY default

-- Any string type gets an ID.
INSERT INTO texts SELECT id, id, id FROM known WHERE bytes = '\xffffffffffffffffffff';
SELECT * FROM texts;

-- bytea needs an explicit cast, and there is no cast from an instant (42804: datatype mismatch).
SELECT bytes::sno, bytes::sno = id AS same FROM known ORDER BY bytes;
\set VERBOSITY sqlstate
INSERT INTO known (id) SELECT bytes FROM known;
INSERT INTO known (bytes) SELECT id FROM known;
INSERT INTO known (id) VALUES (now());
\set VERBOSITY default

-- A uuid contains the 16 characters: it sorts as the IDs do, and converts back.
SELECT id, id::uuid AS uuid, id::uuid::sno = id AS same,
    decode(replace(id::uuid::text, '-', ''), 'hex') = id::text::bytea AS characters
FROM known ORDER BY id::uuid;

--
-- Parts
--
SELECT id, sno_timestamp(id), sno_tick_tock(id), sno_meta(id), sno_partition(id), sno_sequence(id)
FROM known ORDER BY id;
SELECT * FROM sno_inspect('brpk4q72xwf2m63l');
SELECT sno_zero(), sno_zero() = '2222222222222222' AS zero;

-- From parts and back.  The instant is truncated to its 4 ms.
SELECT sno_make('2031-05-08 23:03:34.979999', 255, 39434, 4147);
SELECT sno_make('2031-05-08 23:03:34.976', 255, 39434, 4147, true);
SELECT sno_make(at => '2031-05-08 23:03:34.976', meta => 255, partition => 39434, sequence => 4147);
SELECT bool_and(id = sno_make(sno_timestamp(id), sno_meta(id), sno_partition(id), sno_sequence(id), sno_tick_tock(id)))
FROM known;

-- The extreme values of every part affect only that part.
SELECT sno_make('2010-01-01', 0, 0, 0)::bytea AS least,
    sno_make('2079-09-07 15:47:35.551999', 0, 0, 0)::bytea AS time,
    sno_make('2010-01-01', 0, 0, 0, true)::bytea AS tick_tock,
    sno_make('2010-01-01', 255, 0, 0)::bytea AS meta,
    sno_make('2010-01-01', 0, 65535, 0)::bytea AS partition,
    sno_make('2010-01-01', 0, 0, 65535)::bytea AS sequence,
    sno_make('2079-09-07 15:47:35.551999', 255, 65535, 65535, true)::bytea AS greatest \gx

-- The mutators change only their part.
SELECT id, sno_set_meta(id, 1)::bytea AS meta, sno_set_partition(id, 513)::bytea AS partition,
    sno_set_sequence(id, 1027)::bytea AS sequence
FROM known ORDER BY id;

-- An ID for an instant: time, meta and partition are as requested, the tick-tock bit is off.
SELECT sno_timestamp(id), sno_tick_tock(id), sno_meta(id), sno_partition(id)
FROM sno_new_at('2015-06-30 23:59:59.999', 7, 4711) AS id;
SELECT sno_meta(sno_new_at('2015-06-30')) AS meta,
    sno_meta(sno_new_at('2015-06-30', 200)) AS meta,
    sno_partition(sno_new_at('2015-06-30')) = sno_partition(sno_new()) AS own_partition;
-- The next one for the same instant is different.
SELECT count(DISTINCT sno_new_at('2015-06-30', 0, 4711)) FROM generate_series(1, 100);

--
-- Bounds of time
--

-- The least ID at or after an instant and the greatest at or before it ...
SELECT sno_min(at)::bytea, sno_max(at)::bytea, sno_min(at)::timestamptz = sno_max(at)::timestamptz AS same_unit
FROM (VALUES (timestamptz '2010-01-01'), ('2020-02-29 12:00:00.003999'), ('2020-02-29 12:00:00.004'),
    ('2079-09-07 15:47:35.551999')) AS v (at);
-- ... and outside the span, of all IDs.
SELECT at, sno_min(at), sno_max(at)
FROM (VALUES (timestamptz '-infinity'), ('4713-01-01 BC'), ('2009-12-31 23:59:59.999999'), ('2079-09-07 15:47:35.552'),
    ('294276-12-31 23:59:59.999999'), ('infinity')) AS v (at);

-- IDs of a unit are within its bounds, those of adjacent units are not.
SELECT n, id BETWEEN sno_min(at) AND sno_max(at) AS within
FROM (SELECT timestamptz '2020-02-29 12:00') AS v (at), generate_series(-1, 4) AS n,
    sno_make(at + n * interval '1 ms', 128, 32768, 32768, n = 2) AS id;

-- The tick-tock bit precedes the meta: on the second pass IDs sort after those of the first.
SELECT sno_make('2020-01-01', 255, 65535, 65535, false) < sno_make('2020-01-01', 0, 0, 0, true)
    AND sno_make('2020-01-01', 0, 0, 0, true) < sno_make('2020-01-01 00:00:00.004', 0, 0, 0, false) AS between;

--
-- Comparing
--

-- All operators, compared with bytea's, and sno_cmp.
SELECT count(*),
    count(*) FILTER (WHERE (a.id < b.id, a.id <= b.id, a.id = b.id, a.id <> b.id, a.id >= b.id, a.id > b.id)
        = (x < y, x <= y, x = y, x <> y, x >= y, x > y)) AS same,
    count(*) FILTER (WHERE _flakeid_functions.sno_cmp(a.id, b.id) = CASE WHEN x < y THEN -1 WHEN x = y THEN 0 ELSE 1 END) AS cmp,
    count(*) FILTER (WHERE (_flakeid_functions.sno_smaller(a.id, b.id), _flakeid_functions.sno_larger(a.id, b.id)) = (least(x, y)::sno, greatest(x, y)::sno)) AS smaller_larger
FROM known AS a, known AS b, LATERAL (SELECT a.bytes, b.bytes) AS v (x, y)
WHERE a.bytes IS NOT NULL AND b.bytes IS NOT NULL;

-- Every one of the 10 bytes counts, the sign of none does.
SELECT count(*) FILTER (WHERE a.id < b.id) AS less, count(*) FILTER (WHERE a.id = b.id) AS equal,
    count(*) FILTER (WHERE _flakeid_functions.sno_hash(a.id) = _flakeid_functions.sno_hash(b.id)) AS same_hash
FROM generate_series(0, 9) AS n,
    LATERAL (SELECT set_byte('\x80808080808080808080', n, 127)::sno) AS a (id),
    LATERAL (SELECT set_byte('\x80808080808080808080', n, 128)::sno) AS b (id);

-- ORDER BY, in both directions, with NULLs in the expected place.
CREATE TEMP TABLE several (id sno);
INSERT INTO several SELECT id FROM known UNION ALL SELECT NULL UNION ALL SELECT id FROM known;
SELECT * FROM several ORDER BY id;
SELECT * FROM several ORDER BY id DESC NULLS LAST;
SELECT DISTINCT id FROM several ORDER BY id USING <;

-- min() and max(); of no rows; of NULLs.
SELECT min(id), max(id) FROM several;
SELECT min(id), max(id) FROM several WHERE false;
SELECT min(id), max(id) FROM several WHERE id IS NULL;

-- In arrays and rows.
SELECT '{xxxxxxxxxxxxxxxx,2222222222222222,NULL}'::sno[] AS array,
    sno 'brpk4q72xwf2m63l' = ANY ('{2222222222222222,brpk4q72xwf2m63l}') AS any,
    (1, sno 'brpk4q72xwf2m63l') < (1, sno 'brpk4q72xwf2m63m') AS row;

--
-- Hashes never change: tables are partitioned by them.
--
SELECT id, _flakeid_functions.sno_hash(id), _flakeid_functions.sno_hash_extended(id, 0), _flakeid_functions.sno_hash_extended(id, 42) FROM known ORDER BY id;
-- The lower half of the extended hash with seed 0 is the standard hash.
SELECT bool_and(_flakeid_functions.sno_hash(id) = (_flakeid_functions.sno_hash_extended(id, 0)::bit(64) << 32)::bit(32)::int) AS lower_half FROM known;

--
-- NULL in, NULL out
--
SELECT sno_timestamp(NULL) IS NULL AND sno_meta(NULL) IS NULL AND sno_partition(NULL) IS NULL
    AND sno_sequence(NULL) IS NULL AND sno_tick_tock(NULL) IS NULL AND sno_min(NULL) IS NULL
    AND sno_max(NULL) IS NULL AND sno_set_meta(NULL, 1) IS NULL AND sno_set_meta(sno_zero(), NULL) IS NULL
    AND sno_set_partition(sno_zero(), NULL) IS NULL AND sno_set_sequence(sno_zero(), NULL) IS NULL
    AND sno_make(NULL, 0, 0, 0) IS NULL AND sno_make('2020-01-01', 0, 0, 0, NULL) IS NULL
    AND sno_new(NULL) IS NULL AND sno_new(0, NULL) IS NULL AND sno_new_at(NULL) IS NULL
    AND sno_snapshot(NULL) IS NULL AND NULL::sno::bytea IS NULL AND NULL::sno::uuid IS NULL
    AND NULL::text::sno IS NULL AND NULL::bytea::sno IS NULL AND NULL::uuid::sno IS NULL
    AND (sno_zero() = NULL) IS NULL AND (NULL < sno_zero()) IS NULL AS all_null;
SELECT * FROM sno_inspect(NULL);
