-- uid64 and uid96: texts and bytes, order, parts, drift, new IDs, units that no
-- clock writes.
\getenv dir PG_ABS_SRCDIR
\i :dir/sql/shared.psql
SELECT setseed(0.25);

-- a query's error, as one line
CREATE FUNCTION pg_temp.report(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    message text;
    detail text;
    hint text;
BEGIN
    EXECUTE query;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' | ', SQLSTATE, message, nullif(detail, ''), nullif(hint, ''));
END $$;

-- the types; whether their 8 bytes are passed by value depends on the machine, and contract tests it

SELECT typname, typlen, typalign, typstorage, typcategory, typdelim
FROM pg_type WHERE typname IN ('uid64', 'uid96') ORDER BY typname;

-- text, bytes and back; the example of the library's documentation
SELECT '.5.tXbhdV.3'::uid64 AS id, '.5.tXbhdV.3'::uid64::bytea AS bytes, '.5.tXbhdV.3'::uid64::timestamptz AS at;
SELECT '.5.tXVEf8n4vPN.0'::uid96 AS id, '.5.tXVEf8n4vPN.0'::uid96::bytea AS bytes, '.5.tXVEf8n4vPN.0'::uid96::timestamptz AS at;
SELECT '\x0060398a7b698001'::uid64, '\x0060398A7B698001'::uid64, '\x0060398a03eb27317b698001'::uid96;
SELECT '\x0060398a7b698001'::bytea::uid64, '\x0060398a03eb27317b698001'::bytea::uid96;
SELECT _flakeid_functions.uid64_send('.5.tXbhdV.3'), _flakeid_functions.uid96_send('.5.tXVEf8n4vPN.0');
SELECT '.5.tXbhdV.3'::text::uid64, '.5.tXbhdV.3'::varchar::uid64, '.5.tXbhdV.3'::bpchar::uid64;
SELECT '.5.tXVEf8n4vPN.0'::text::uid96, '.5.tXVEf8n4vPN.0'::varchar::uid96, '.5.tXVEf8n4vPN.0'::bpchar::uid96;
SELECT uid64_zero(), '...........'::uid64 = uid64_zero() AS same;
SELECT 'zzzzzzzzzzw'::uid64::bytea, 'zzzzzzzzzzzzzzzz'::uid96::bytea;

-- invalid IDs: characters, lengths, bits after the 64th, another type's text
SELECT input, pg_temp.report(format('SELECT %L::uid64', input))
FROM unnest(ARRAY['', '.5.tXbhdV.', '.5.tXbhdV.3.', '.5.tXbhdV.z', '.5.tXbhdV.-', ' 5.tXbhdV.3', '.5.tXVEf8n4vPN.0',
    '\x0060398a7b6980', '\x0060398a7b69800', '\x0060398a7b69800g', '2026-11-21', 'now']) AS input;
SELECT input, pg_temp.report(format('SELECT %L::uid96', input))
FROM unnest(ARRAY['', '.5.tXVEf8n4vPN.', '.5.tXVEf8n4vPN.0.', '.5.tXVEf8n4vPN.-', '.5.tXVEf8n4vPN.=', '.5.tXbhdV.3',
    '\x0060398a03eb27317b6980', '2026-11-21 10:00']) AS input;
SELECT pg_temp.report($$SELECT '\x0060398a7b6980'::bytea::uid64$$), pg_temp.report($$SELECT '\x0060398a7b698001'::bytea::uid96$$);
SELECT pg_temp.report('SELECT uid64_zero()::bigint'), pg_temp.report('SELECT uid64_zero()::uuid');

-- binary, as COPY and drivers send it
CREATE TEMP TABLE wire (a uid64, b uid96);
INSERT INTO wire VALUES ('.5.tXbhdV.3', '.5.tXVEf8n4vPN.0'), ('zzzzzzzzzzw', 'zzzzzzzzzzzzzzzz'), (NULL, NULL);
\copy wire TO 'results/uid.bin' (FORMAT binary)
\copy wire FROM 'results/uid.bin' (FORMAT binary)
SELECT a, b, count(*) FROM wire GROUP BY a, b ORDER BY a, b;

-- order and hash

CREATE TEMP TABLE ordered AS
    SELECT n, decode(lpad(to_hex(n * 7919 % 251), 2, '0') || substr(md5(n::text), 1, 14), 'hex')::uid64 AS a,
        decode(lpad(to_hex(n * 7919 % 251), 2, '0') || substr(md5(n::text), 1, 22), 'hex')::uid96 AS b
    FROM generate_series(1, 1000) AS n;
INSERT INTO ordered VALUES (0, uid64_zero(), '................'), (1001, 'zzzzzzzzzzw', 'zzzzzzzzzzzzzzzz');
WITH bytes AS MATERIALIZED (
    SELECT n, a, a::bytea AS ab, a::text COLLATE "C" AS at, b, b::bytea AS bb, b::text COLLATE "C" AS bt FROM ordered
)
SELECT bool_and((x.a < y.a) = (x.ab < y.ab) AND (x.a <= y.a) = (x.ab <= y.ab)
        AND (x.a = y.a) = (x.n = y.n) AND (x.a <> y.a) = (x.n <> y.n)
        AND (x.a >= y.a) = (x.ab >= y.ab) AND (x.a > y.a) = (x.ab > y.ab)
        AND _flakeid_functions.uid64_cmp(x.a, y.a) = sign(byteacmp(x.ab, y.ab))
        AND (x.a < y.a) = (x.at < y.at)) AS uid64,
    bool_and((x.b < y.b) = (x.bb < y.bb) AND (x.b <= y.b) = (x.bb <= y.bb)
        AND (x.b = y.b) = (x.n = y.n) AND (x.b <> y.b) = (x.n <> y.n)
        AND (x.b >= y.b) = (x.bb >= y.bb) AND (x.b > y.b) = (x.bb > y.bb)
        AND _flakeid_functions.uid96_cmp(x.b, y.b) = sign(byteacmp(x.bb, y.bb))
        AND (x.b < y.b) = (x.bt < y.bt)) AS uid96
FROM bytes AS x, bytes AS y WHERE y.n % 4 = 1 OR y.n = 0;
SELECT array_agg(n ORDER BY a) = array_agg(n ORDER BY a::bytea) AS uid64,
    array_agg(n ORDER BY b) = array_agg(n ORDER BY b::bytea) AS uid96 FROM ordered;
SELECT min(a), max(a), min(b), max(b) FROM ordered;
CREATE UNIQUE INDEX ON ordered (a);
CREATE UNIQUE INDEX ON ordered (b);
CREATE INDEX ON ordered USING hash (a);
CREATE INDEX ON ordered USING hash (b);
SET enable_seqscan = off;
SELECT count(*) FROM ordered AS o WHERE EXISTS (SELECT FROM ordered WHERE a = o.a) AND EXISTS (SELECT FROM ordered WHERE b = o.b);
SELECT array_agg(n) = (SELECT array_agg(n ORDER BY a::bytea) FROM ordered) AS by_index FROM (SELECT n FROM ordered ORDER BY a) AS s;
RESET enable_seqscan;
SELECT opc.opcname, amvalidate(opc.oid) FROM pg_opclass AS opc WHERE opc.opcname ~ '^uid.._hash_ops$' ORDER BY opc.opcname;
-- tables are partitioned by these
SELECT _flakeid_functions.uid64_hash('.5.tXbhdV.3'), _flakeid_functions.uid64_hash_extended('.5.tXbhdV.3', 0), _flakeid_functions.uid64_hash_extended('.5.tXbhdV.3', 42);
SELECT _flakeid_functions.uid96_hash('.5.tXVEf8n4vPN.0'), _flakeid_functions.uid96_hash_extended('.5.tXVEf8n4vPN.0', 0), _flakeid_functions.uid96_hash_extended('.5.tXVEf8n4vPN.0', 42);

-- parts

SELECT * FROM uid64_inspect('.5.tXbhdV.3');
SELECT * FROM uid96_inspect('.5.tXVEf8n4vPN.0');
SELECT uid64_make('2018-10-15 17:41:15.432128+00', 1), uid96_make('2018-10-15 17:41:15.432128+00', 65742641, 1);
SELECT drift, id, uid96_node(id, drift) AS node, uid96_timestamp(id, drift) AS at, uid96_sequence(id) AS sequence,
    uid96_to_local(id, drift) AS local
FROM generate_series(5, 10) AS drift, LATERAL uid96_make('2018-10-15 17:41:15.432128+00', 65742641, 1, drift) AS id;
SELECT uid96_to_local('.5.tXVEf8n4vPN.0'), uid96_node('.5.tXVEf8n4vPN.0'), uid96_timestamp('.5.tXVEf8n4vPN.0');
SELECT uid_node_hash('uid@127.0.0.1'), uid_node_hash(''), uid_node_hash(repeat('e', 255)), uid_node_hash(repeat(U&'\20AC', 255)), uid_node_hash('aq') = uid_node_hash('ba') AS collision;

SELECT call, pg_temp.report('SELECT ' || call)
FROM unnest(ARRAY[
    $$uid64_make('1969-12-31 23:59:59.999999+00', 0)$$,
    $$uid64_make('35198-01-19 07:06:40+00', 0)$$,
    $$uid64_make('infinity', 0)$$,
    $$uid64_make('2026-01-01', 16384)$$,
    $$uid64_make('2026-01-01', -1)$$,
    $$uid64_new_at('-infinity')$$,
    $$uid96_make('1969-12-31 23:59:59.999999+00', 0, 0)$$,
    $$uid96_make('2026-01-01', -1, 0)$$,
    $$uid96_make('2026-01-01', 4294967296, 0)$$,
    $$uid96_make('2026-01-01', 0, 16384)$$,
    $$uid96_make('2026-01-01', 0, 0, 4)$$,
    $$uid96_make('2026-01-01', 0, 0, 11)$$,
    $$uid96_new_at('40000-01-01')$$,
    $$uid96_new(4)$$,
    $$uid96_new(-2147483648)$$,
    $$uid96_node('.5.tXVEf8n4vPN.0', 0)$$,
    $$uid96_timestamp('.5.tXVEf8n4vPN.0', 11)$$,
    $$uid96_to_local('.5.tXVEf8n4vPN.0', 2147483647)$$,
    $$uid64_to_global('.5.tXbhdV.3', 20)$$,
    $$uid96_min('2026-01-01', 4)$$,
    $$uid96_max('2026-01-01', 11)$$,
    $$uid96_min('-infinity', 4)$$,
    $$uid_node_hash(repeat('e', 256))$$, $$uid_node_hash(repeat(U&'\20AC', 256))$$]) AS call;
SELECT uid64_make(NULL, 0), uid96_new(NULL), uid96_node(NULL, 8), uid_node_hash(NULL);

-- distance

SELECT * FROM uid_distance('.5.tXbhdV.3'::uid64, uid64_make('2018-10-15 17:41:16+00', 7));
SELECT * FROM uid_distance(uid96_make('2026-01-01', 5, 0), uid96_make('2018-10-15', 5, 16383));
SELECT pg_temp.report($$SELECT uid_distance(uid96_make('2026-01-01', 5, 0), uid96_make('2026-01-01', 6, 0))$$);

-- new IDs, read by independent means: texts as strings of bits

CREATE FUNCTION pg_temp.bits(id text) RETURNS text
    RETURN (SELECT string_agg((strpos('.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', c) - 1)::bit(6)::text, '' ORDER BY n)
        FROM string_to_table(id, NULL) WITH ORDINALITY AS t (c, n));
CREATE FUNCTION pg_temp.number(bits text, first int, count int) RETURNS bigint
    RETURN (SELECT coalesce(sum((substr(bits, first + i, 1))::bigint << (count - 1 - i)), 0) FROM generate_series(0, count - 1) AS i);
CREATE FUNCTION pg_temp.parsed(id uid64, OUT a bigint, OUT b bigint, OUT c bigint, OUT sequence bigint, OUT tail text)
    LANGUAGE sql AS $$
    SELECT pg_temp.number(bits, 1, 20), pg_temp.number(bits, 21, 20), pg_temp.number(bits, 41, 10),
        pg_temp.number(bits, 51, 14), substr(bits, 65)
    FROM pg_temp.bits(id::text) AS bits
$$;
CREATE FUNCTION pg_temp.parsed(id uid96, drift int, OUT a bigint, OUT b bigint, OUT node bigint, OUT c bigint, OUT sequence bigint)
    LANGUAGE sql AS $$
    SELECT pg_temp.number(bits, 1, 20),
        (pg_temp.number(bits, 21, 20 - drift) << drift) + pg_temp.number(bits, 73 - drift, drift),
        pg_temp.number(bits, 41 - drift, 32), pg_temp.number(bits, 73, 10), pg_temp.number(bits, 83, 14)
    FROM pg_temp.bits(id::text) AS bits
$$;
-- seconds since 1970, numeric
CREATE FUNCTION pg_temp.seconds(a bigint, b bigint, c bigint) RETURNS numeric
    RETURN a * 1000000 + b + c * 0.001024;

CREATE TEMP TABLE fresh AS
    SELECT n, 5 + n % 6 AS drift, clock_timestamp() AS before, uid64_new() AS local, uid96_new(5 + n % 6) AS global,
        uid96_new() AS plain, clock_timestamp() AS after
    FROM generate_series(1, 600) AS n;
SELECT count(*), bool_and(p.tail = '00' AND p.b < 1000000 AND p.c < 977
        AND p.sequence = uid64_sequence(local)
        AND pg_temp.seconds(p.a, p.b, p.c) = extract(epoch FROM local::timestamptz)
        AND pg_temp.seconds(p.a, p.b, p.c) BETWEEN extract(epoch FROM before) - 0.001024 AND extract(epoch FROM after) + 10) AS uid64
FROM fresh, pg_temp.parsed(local) AS p;
SELECT count(*), bool_and(p.b < 1000000 AND p.c < 977 AND p.sequence = uid96_sequence(global)
        AND p.node = uid96_node(global, drift) AND p.node = uid_node
        AND pg_temp.seconds(p.a, p.b, p.c) = extract(epoch FROM uid96_timestamp(global, drift))
        AND pg_temp.seconds(p.a, p.b, p.c) BETWEEN extract(epoch FROM before) - 0.001024 AND extract(epoch FROM after) + 10) AS with_drift
FROM fresh, pg_temp.parsed(global, drift) AS p, flakeid_clock;
SELECT count(*), bool_and(p.node = uid96_node(plain) AND p.node = uid_node
        AND pg_temp.seconds(p.a, p.b, p.c) = extract(epoch FROM plain::timestamptz)) AS uid96
FROM fresh, pg_temp.parsed(plain, 8) AS p, flakeid_clock;

-- one generator numbers both types: increasing, and no uid96 is a uid64 with a node
CREATE TEMP TABLE made AS SELECT n, uid64_new() AS local, uid96_new() AS global FROM generate_series(1, 100000) AS n;
SELECT count(DISTINCT id) FROM (SELECT local FROM made UNION ALL SELECT uid96_to_local(global) FROM made) AS made (id);
SELECT bool_and(local < uid96_to_local(global) AND (n = 1 OR last < local)) AS increasing
FROM (SELECT n, local, global, lag(uid96_to_local(global)) OVER (ORDER BY n) AS last FROM made) AS made;
SELECT bool_and(last < global) FROM (SELECT global, lag(global) OVER (ORDER BY n) AS last FROM made) AS made WHERE last IS NOT NULL;
SELECT bool_and(uid64_timestamp(local) BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp() + '10 s') FROM made;
SELECT bool_and(uid96_to_local(uid64_to_global(local)) = local AND uid64_to_global(uid96_to_local(global)) = global) AS both_ways FROM made;
SELECT drift, bool_and(uid96_to_local(uid64_to_global(local, drift), drift) = local
        AND uid96_timestamp(uid64_to_global(local, drift), drift) = local::timestamptz
        AND uid96_node(uid64_to_global(local, drift), drift) = (SELECT uid_node FROM flakeid_clock)) AS back
FROM generate_series(5, 10) AS drift, (SELECT local FROM made LIMIT 10000) AS made GROUP BY drift ORDER BY drift;
SELECT type, number, issued >= 201800 AS issued FROM flakeid_generators WHERE type ~ '^uid';

-- a separate counter for given instants, one for both types
SELECT count(DISTINCT sequence), min(sequence), max(sequence), min(at), max(at)
FROM (
    SELECT uid64_sequence(id), id::timestamptz FROM (SELECT uid64_new_at('2020-02-29 12:00') FROM generate_series(1, 8192)) AS s (id)
    UNION ALL SELECT uid96_sequence(id), id::timestamptz FROM (SELECT uid96_new_at('2020-02-29 12:00') FROM generate_series(1, 8192)) AS s (id)
) AS s (sequence, at);
SELECT uid96_node(uid96_new_at('2020-02-29')) = uid_node AS own FROM flakeid_clock;

-- bounds

SELECT uid64_min('2026-11-21 10:00:00.5'), uid64_max('2026-11-21 10:00:00.5'),
    uid64_min('2026-11-21 10:00:00.5')::timestamptz, uid64_max('2026-11-21 10:00:00.5')::timestamptz;
SELECT uid96_min('2026-11-21 10:00:00.5'), uid96_max('2026-11-21 10:00:00.5'),
    uid96_min('2026-11-21 10:00:00.5')::timestamptz, uid96_max('2026-11-21 10:00:00.5')::timestamptz;
SELECT drift, low, high, uid96_timestamp(low, drift) AS first, uid96_timestamp(high, drift) AS last
FROM generate_series(5, 10) AS drift, uid96_min('2026-11-21 10:00:00.5', drift) AS low, uid96_max('2026-11-21 10:00:00.5', drift) AS high;
SELECT at, uid64_min(at), uid64_max(at), uid96_min(at), uid96_max(at), uid96_min(at, 5) AS min_5, uid96_max(at, 5) AS max_5
FROM unnest(ARRAY['-infinity', '1969-12-31 23:59:59.999999', '1970-01-01', '35198-01-19 07:06:39.999999',
    '35198-01-19 07:06:40', '294276-12-31', 'infinity']::timestamptz[]) AS at;
SELECT bool_and(local BETWEEN uid64_min(local::timestamptz) AND uid64_max(local::timestamptz)
    AND global BETWEEN uid96_min(global::timestamptz) AND uid96_max(global::timestamptz)) FROM made;

-- units that no clock writes: kept, and time never runs against the order

CREATE FUNCTION pg_temp.raw(a bigint, b bigint, c bigint, sequence bigint) RETURNS uid64
    RETURN decode(lpad(to_hex(a), 5, '0') || lpad(to_hex((b << 24) | (c << 14) | sequence), 11, '0'), 'hex')::uid64;
SELECT b, c, pg_temp.raw(1792, b, c, 1) AS id, pg_temp.raw(1792, b, c, 1)::timestamptz AS at
FROM (VALUES (0, 976), (0, 977), (0, 1023), (1, 0), (999999, 975), (999999, 976), (999999, 977), (1000000, 0), (1048575, 1023)) AS t (b, c);
CREATE TEMP TABLE raw AS
    SELECT pg_temp.raw(a, b, c, s) AS id
    FROM (VALUES (0), (1), (1792), (1048574), (1048575)) AS a (a),
        (VALUES (0), (1), (999936), (999998), (999999), (1000000), (1000191), (1000192), (1048575)) AS b (b),
        (VALUES (0), (1), (975), (976), (977), (1023)) AS c (c), (VALUES (0), (16383)) AS s (s)
    UNION SELECT pg_temp.raw(1792 + (random() * 2)::int, (random() * 1048575)::int, (random() * 1023)::int, (random() * 16383)::int)
    FROM generate_series(1, 5000);
SELECT bool_and(id::text::uid64 = id AND id::bytea::uid64 = id) AS kept,
    bool_and(id BETWEEN uid64_min(id::timestamptz - interval '1023 us') AND uid64_max(id::timestamptz)) AS within_bounds FROM raw;
SELECT bool_and(last_at <= at) AS ordered
FROM (SELECT id::timestamptz AS at, lag(id::timestamptz) OVER (ORDER BY id) AS last_at FROM raw) AS raw WHERE last_at IS NOT NULL;
SELECT drift, bool_and(uid96_to_local(global, drift) = raw.id AND uid96_timestamp(global, drift) = raw.id::timestamptz
    AND global BETWEEN uid96_min(uid96_timestamp(global, drift), drift) AND uid96_max(uid96_timestamp(global, drift), drift)) AS kept
FROM generate_series(5, 10) AS drift, raw, uid64_to_global(raw.id, drift) AS global GROUP BY drift ORDER BY drift;
-- for any instant, earlier and later IDs are on the correct side of its bounds
WITH written AS MATERIALIZED (
    SELECT id, id::timestamptz AS of FROM raw WHERE uid64_min(id::timestamptz)::timestamptz = id::timestamptz   -- what a clock writes
), bound AS MATERIALIZED (
    SELECT at, uid64_min(at) AS least, uid64_max(at) AS greatest
    FROM (SELECT id::timestamptz + interval '1 us' * d FROM raw, (VALUES (-1), (0), (1), (1023)) AS d (d) ORDER BY random() LIMIT 300) AS t (at)
)
SELECT bool_and((of < at) <= (id <= greatest) AND (of > at) <= (id >= least) AND (id < least) <= (of < at) AND (id > greatest) <= (of > at)) AS sides
FROM written, bound;

DROP TABLE wire, ordered, fresh, made, raw;
