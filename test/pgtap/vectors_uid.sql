-- uid64 and uid96 compared with the answers of fogfish/uid: test/vectors/uid*.
-- test/vectors/README.md says which are not reproduced, and why.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL timezone = 'UTC';
SET LOCAL client_min_messages = warning;
SELECT plan(27);

CREATE TEMP TABLE uid (
    hex text, text text, a_in int, b_in int, c_in int, seq_in int,
    a bigint, b bigint, c bigint, seq int, t_ms numeric, note text
);
CREATE TEMP TABLE uidg (
    drift int, node text, node_hash bigint, node_hash_hex text, a_in int, b_in int, c_in int, seq_in int,
    hex text, text text, decoded_node text, a bigint, b bigint, c bigint, seq int, t_ms numeric, note text
);
CREATE TEMP TABLE nodehash (node text, phash2 bigint, phash2_hex text, phash_old bigint, name_utf8_hex text);
CREATE TEMP TABLE distance (kind text, a text, b text, d text, t_ms_a numeric, t_ms_b numeric);
CREATE TEMP TABLE decoded (op text, input text, result text);

\copy uid FROM 'test/vectors/uid.tsv' (FORMAT csv, DELIMITER E'\t', QUOTE E'\x01', HEADER)
\copy uidg FROM 'test/vectors/uidg.tsv' (FORMAT csv, DELIMITER E'\t', QUOTE E'\x01', HEADER)
\copy nodehash FROM 'test/vectors/uid_nodehash.tsv' (FORMAT csv, DELIMITER E'\t', QUOTE E'\x01', HEADER)
\copy distance FROM 'test/vectors/uid_distance.tsv' (FORMAT csv, DELIMITER E'\t', QUOTE E'\x01', HEADER)
\copy decoded FROM 'test/vectors/uid_decode.tsv' (FORMAT csv, DELIMITER E'\t', QUOTE E'\x01', HEADER, NULL 'no null')

-- what a query reports; 00000 is success
CREATE FUNCTION pg_temp.sqlstate_of(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN '00000';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;

-- in days of UTC first: an interval's factor has only 53 bits
CREATE FUNCTION pg_temp.instant(a bigint, b bigint, c bigint) RETURNS timestamptz
    RETURN timestamptz 'epoch' + interval '1 day' * ((a * 1000000 + b) / 86400)
        + interval '1 second' * ((a * 1000000 + b) % 86400) + interval '1 microsecond' * c;
CREATE FUNCTION pg_temp.us(interval) RETURNS numeric RETURN extract(epoch FROM $1) * 1000000;
CREATE FUNCTION pg_temp.us(timestamptz) RETURNS numeric RETURN extract(epoch FROM $1) * 1000000;
CREATE FUNCTION pg_temp.ms(timestamptz) RETURNS numeric RETURN floor(extract(epoch FROM $1) * 1000);

-- ---------- uid.tsv ----------

SELECT is(count(*), 191::bigint, 'uid.tsv was read') FROM uid;
SELECT is_empty($$
    SELECT hex FROM uid
    WHERE text::uid64::bytea <> decode(hex, 'hex') OR decode(hex, 'hex')::uid64::text <> text
        OR ('\x' || hex)::uid64 <> text::uid64
$$, 'uid.tsv: text and bytes');
SELECT is_empty($$
    SELECT hex FROM uid WHERE uid64_sequence(text::uid64) <> seq
$$, 'uid.tsv: sequence');
SELECT is_empty($$
    SELECT hex FROM uid
    WHERE b < 1000000 AND c < 1000000 AND pg_temp.ms(text::uid64::timestamptz) <> t_ms
$$, 'uid.tsv: t/1');
SELECT is_empty($$
    SELECT hex, uid64_timestamp(text::uid64) FROM uid
    WHERE b >= 1000000 AND uid64_timestamp(text::uid64) <> pg_temp.instant(a + 1, 0, -1)
        OR b < 1000000 AND c >= 1000000 AND uid64_timestamp(text::uid64) <> pg_temp.instant(a, b + 1, -1)
$$, 'uid.tsv: what no clock writes, and t/1 carries over, ends with its second or megasecond');
SELECT is_empty($$
    SELECT hex FROM uid
    WHERE b < 1000000 AND c < 1000000 AND uid64_make(pg_temp.instant(a, b, c), seq) <> text::uid64
$$, 'uid.tsv: uid64_make');
SELECT is_empty($$
    SELECT a.text, b.text FROM uid AS a, uid AS b
    WHERE (a.text::uid64 < b.text::uid64) <> ((a.a, a.b, a.c, a.seq) < (b.a, b.b, b.c, b.seq))
        OR (a.text::uid64 < b.text::uid64) <> (a.text COLLATE "C" < b.text COLLATE "C")
$$, 'uid.tsv: order of the terms is order of the IDs and of the texts');
SELECT set_eq($$
    SELECT seq_in, pg_temp.sqlstate_of(format('SELECT uid64_make(now(), %s)', seq_in))
    FROM uid WHERE seq_in NOT BETWEEN 0 AND 16383
$$, $$VALUES (16384, '22003'), (-1, '22003')$$, 'uid.tsv: a sequence that wraps silently there is refused here');

-- ---------- uidg.tsv ----------

SELECT is(count(*), 267::bigint, 'uidg.tsv was read') FROM uidg;
SELECT is_empty($$
    SELECT hex FROM uidg
    WHERE text::uid96::bytea <> decode(hex, 'hex') OR decode(hex, 'hex')::uid96::text <> text
        OR ('\x' || hex)::uid96 <> text::uid96
$$, 'uidg.tsv: text and bytes');
SELECT is_empty($$
    SELECT hex FROM uidg
    WHERE uid96_node(text::uid96, drift) <> node_hash OR uid96_sequence(text::uid96) <> seq
        OR node IS NOT NULL AND uid_node_hash(node) <> node_hash
        OR uid96_to_local(text::uid96, drift)::bytea <> decode(
            lpad(to_hex(a), 5, '0') || lpad(to_hex((b << 24) | (c << 4) | seq), 11, '0'), 'hex')
$$, 'uidg.tsv: node, sequence and the local ID');
SELECT is_empty($$
    SELECT hex FROM uidg
    WHERE b < 1000000 AND c < 1000000
        AND (pg_temp.ms(uid96_timestamp(text::uid96, drift)) <> t_ms
            OR uid96_make(pg_temp.instant(a, b, c), node_hash, seq, drift) <> text::uid96)
$$, 'uidg.tsv: t/1 and uid96_make');
SELECT is_empty($$
    SELECT hex FROM uidg
    WHERE uid96_timestamp(text::uid96, drift) <> uid64_timestamp(uid96_to_local(text::uid96, drift))
$$, 'uidg.tsv: the instant is the local ID''s, also where no clock writes it');
SELECT is_empty($$
    SELECT hex FROM uidg
    WHERE drift = 8 AND (uid96_node(text::uid96) <> node_hash
        OR uid96_timestamp(text::uid96) <> uid96_timestamp(text::uid96, 8)
        OR uid96_to_local(text::uid96) <> uid96_to_local(text::uid96, 8)
        OR b < 1000000 AND c < 1000000 AND uid96_make(pg_temp.instant(a, b, c), node_hash, seq) <> text::uid96)
$$, 'uidg.tsv: drift 8 goes without saying');
SELECT is_empty($$
    SELECT hex FROM uidg
    WHERE NOT text::uid96 BETWEEN uid96_min(uid96_timestamp(text::uid96, drift), drift)
        AND uid96_max(uid96_timestamp(text::uid96, drift), drift)
$$, 'uidg.tsv: within the bounds of the neighbourhood');

-- ---------- uid_nodehash.tsv ----------

SELECT is(count(*), 38::bigint, 'uid_nodehash.tsv was read') FROM nodehash;
SELECT is_empty($$
    SELECT node FROM nodehash
    WHERE uid_node_hash(convert_from(decode(coalesce(name_utf8_hex, ''), 'hex'), 'UTF8')) <> phash2
$$, 'uid_nodehash.tsv: phash2');
SELECT results_eq($$
    SELECT pg_temp.sqlstate_of(format('SELECT uid_node_hash(repeat(U&''\20ac'', %s))', n)) FROM generate_series(255, 256) AS n
$$, ARRAY['00000', '22023'], 'an atom has 255 characters at most, not bytes');

-- ---------- uid_distance.tsv ----------

-- {uid,{A,B,C},Seq}, {uid,'name',{A,B,C},Seq} and {uid,<<1,2,3,4>>,{A,B,C},Seq}
CREATE FUNCTION pg_temp.terms(list text)
    RETURNS TABLE (n bigint, node bigint, a bigint, b bigint, c bigint, seq int, us numeric)
    LANGUAGE sql AS $$
    SELECT t.n,
        CASE WHEN m[1] LIKE '<<%' THEN (
                SELECT sum(byte::bigint << (8 * (4 - place)::int))
                FROM string_to_table(trim(m[1] COLLATE "C", '<>,'), ',') WITH ORDINALITY AS bytes (byte, place))
            WHEN m[1] <> '' THEN uid_node_hash(trim(m[1], ''','))
        END::bigint,
        m[2]::bigint, m[3]::bigint, m[4]::bigint, m[5]::int,
        (m[2]::numeric * 1000000 + m[3]::numeric) * 1000000 + m[4]::numeric
    FROM regexp_matches(list, '\{uid,(''[^'']*'',|<<[0-9,]*>>,|)\{([0-9-]+),([0-9-]+),([0-9-]+)\},([0-9-]+)\}', 'g')
        WITH ORDINALITY AS t (m, n)
$$;
CREATE FUNCTION pg_temp.local_of(term text) RETURNS uid64 LANGUAGE sql AS $$
    SELECT uid64_make(pg_temp.instant(a, b, c), seq) FROM pg_temp.terms(term)
$$;
CREATE FUNCTION pg_temp.global_of(term text) RETURNS uid96 LANGUAGE sql AS $$
    SELECT uid96_make(pg_temp.instant(a, b, c), node, seq) FROM pg_temp.terms(term)
$$;

SELECT results_eq($$SELECT kind, count(*) FROM distance GROUP BY kind ORDER BY kind$$,
    $$VALUES ('error', 1::bigint), ('g', 12), ('l', 49)$$, 'uid_distance.tsv was read');
SELECT is_empty($$
    SELECT distance.*, got.*
    FROM distance, LATERAL uid_distance(pg_temp.local_of(distance.a), pg_temp.local_of(distance.b)) AS got,
        LATERAL pg_temp.terms(d) AS want
    WHERE kind = 'l' AND (pg_temp.us(got.elapsed), got.sequence) IS DISTINCT FROM (want.us, want.seq)
$$, 'uid_distance.tsv: local');
SELECT is_empty($$
    SELECT distance.*, got.*
    FROM distance, LATERAL uid_distance(pg_temp.global_of(distance.a), pg_temp.global_of(distance.b)) AS got,
        LATERAL pg_temp.terms(d) AS want
    WHERE kind = 'g' AND (pg_temp.us(got.elapsed), got.sequence) IS DISTINCT FROM (want.us, want.seq)
$$, 'uid_distance.tsv: global');
SELECT results_eq($$
    SELECT pg_temp.sqlstate_of(format('SELECT uid_distance(%L::uid96, %L::uid96)',
        pg_temp.global_of(a), pg_temp.global_of(b)))
    FROM distance WHERE kind = 'error'
$$, ARRAY['22023'], 'uid_distance.tsv: different nodes');
SELECT is_empty($$
    SELECT a, b, d, t_ms_a, t_ms_b FROM distance
    WHERE kind <> 'error' AND (pg_temp.us(uid64_timestamp(pg_temp.local_of(a))), pg_temp.us(uid64_timestamp(pg_temp.local_of(b))))
        IS DISTINCT FROM ((SELECT us FROM pg_temp.terms(a)), (SELECT us FROM pg_temp.terms(b)))
$$, 'uid_distance.tsv: instants to the microsecond');

-- ---------- uid_decode.tsv ----------

-- our result for a row: the ID's fields in the reference's notation, or an SQLSTATE
CREATE FUNCTION pg_temp.answer(op text, input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    drift int := coalesce(substring(op FROM '\d\d?(?=\))')::int, 8);
    bytes bytea := CASE WHEN op LIKE 'decode%' THEN decode(input, 'hex') END;
    term record;
    id uid96;
BEGIN
    IF op LIKE 'encode%' THEN
        SELECT * INTO STRICT term FROM pg_temp.terms(input);
        IF term.node IS NULL THEN
            RETURN encode(uid64_make(pg_temp.instant(term.a, term.b, term.c), term.seq)::bytea, 'hex');
        END IF;
        RETURN encode(uid96_make(pg_temp.instant(term.a, term.b, term.c), term.node, term.seq, drift)::bytea, 'hex');
    ELSIF op LIKE 'decode64%' AND length(bytes) < 14 THEN
        RETURN encode(convert_from(bytes, 'UTF8')::uid64::bytea, 'hex');
    ELSIF op LIKE 'decode64%' THEN
        id := convert_from(bytes, 'UTF8')::uid96;
    ELSIF length(bytes) < 10 THEN
        RETURN encode(bytes::uid64::bytea, 'hex');
    ELSE
        id := bytes::uid96;
    END IF;
    RETURN lpad(to_hex(uid96_node(id, drift)), 8, '0') || ' ' || encode(uid96_to_local(id, drift)::bytea, 'hex');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
-- and the reference's answer: node and local ID, or the bytes
CREATE FUNCTION pg_temp.expected(result text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE
        WHEN result LIKE '<<%' THEN (
            SELECT string_agg(lpad(to_hex(byte::int), 2, '0'), '' ORDER BY place)
            FROM string_to_table(trim(result, '<>'), ',') WITH ORDINALITY AS bytes (byte, place))
        WHEN result LIKE '{uid%' THEN (
            SELECT concat_ws(' ', lpad(to_hex(node), 8, '0'), encode(uid64_make(pg_temp.instant(a, b, c), seq)::bytea, 'hex'))
            FROM pg_temp.terms(result))
    END
$$;
SELECT is(count(*), 45::bigint, 'uid_decode.tsv was read') FROM decoded;
SELECT set_eq($$
    SELECT op, input, pg_temp.answer(op, input) FROM decoded
    WHERE pg_temp.answer(op, input) IS DISTINCT FROM pg_temp.expected(result)
        AND input !~ 'node'
$$, $$
    -- a drift that the reference cannot encode, but decodes to anything
    SELECT op, input, '22003' FROM decoded
    WHERE op ~ 'code\((0|4|11|20|21)\)' AND (op LIKE 'decode%' OR input LIKE '%<<%')
    -- a wrong number of bytes
    UNION ALL SELECT op, input, '22P03' FROM decoded WHERE op = 'decode/1' AND result LIKE '{err%'
    -- an invalid text, or one (accepted there) with surplus bits or a surplus character
    UNION ALL SELECT op, input, '22P02' FROM decoded
    WHERE op = 'decode64/1'
        AND (result LIKE '{err%' OR input IN ('2e352e7458626864562e7a', '2e352e7458564566386e3876504e2e302e'))
$$, 'uid_decode.tsv: as the reference, but for what it takes or makes silently wrong');

SELECT is(uid96_to_local(pg_temp.global_of($$'{uid,'a@127.0.0.1',{1539,625275,432128},1}'$$)),
    pg_temp.local_of('{uid,{1539,625275,432128},1}'), 'gtol/1');
SELECT is(uid64_zero(), pg_temp.local_of('{uid,{0,0,0},0}'), 'z/0');

SELECT * FROM finish();
ROLLBACK;
