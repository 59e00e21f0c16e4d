-- The reference's vectors for snowflake, and new IDs read by a second
-- implementation, in numeric arithmetic. N1 .. N5 are the faults listed in
-- docs/snowflake.md.
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
BEGIN;
SET LOCAL timezone = 'UTC';

CREATE TEMPORARY TABLE snowflake_vectors (
    decimal text, epoch_seconds numeric, unix_ms numeric, local_id int, shard_id int, counter int,
    base64 text, cb32 text, hex text, oct text, b32l text, note text
);
CREATE TEMPORARY TABLE snowflake_epochs (name text, value numeric, true_utc_value numeric, note text);
CREATE TEMPORARY TABLE snowflake_formats (decimal numeric, method text, result text);
\copy snowflake_vectors FROM 'test/vectors/snowflake.tsv' (FORMAT text, HEADER)
\copy snowflake_epochs FROM 'test/vectors/snowflake_epoch.tsv' (FORMAT text, HEADER)
\copy snowflake_formats FROM 'test/vectors/snowflake_format.tsv' (FORMAT text, HEADER)

-- the second implementation: a decimal number taken apart by division
CREATE FUNCTION pg_temp.part(number numeric, below numeric, count numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT mod(div(number, below), count)
$$;
CREATE FUNCTION pg_temp.digits(number numeric, alphabet text, width int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    base numeric := length(alphabet);
    text text := '';
BEGIN
    WHILE number > 0 OR length(text) < width LOOP
        text := substr(alphabet, mod(number, base)::int + 1, 1) || text;
        number := div(number, base);
    END LOOP;
    RETURN text;
END $$;
-- instants in microseconds and milliseconds since 1970, without floats
CREATE FUNCTION pg_temp.us(t timestamptz) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT extract(epoch FROM t) * 1000000
$$;
CREATE FUNCTION pg_temp.at_ms(ms numeric) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT timestamptz 'epoch' + make_interval(hours => div(ms, 3600000)::int)
        + mod(ms, 3600000)::int * interval '1 ms'
$$;

-- the number itself, where it is one of 64 bits
CREATE TEMPORARY VIEW is_id AS
SELECT decimal, method, result, decimal::snowflake AS id FROM snowflake_formats
WHERE decimal BETWEEN 0 AND 18446744073709551615;
CREATE TEMPORARY VIEW is_none AS
SELECT decimal, method, result FROM snowflake_formats
WHERE decimal NOT BETWEEN 0 AND 18446744073709551615;
CREATE TEMPORARY TABLE letters (method text, letter text);
INSERT INTO letters VALUES ('base64', 'b'), ('cb32', 'c'), ('hex', 'x'), ('oct', 'o'), ('b32l', 'l');

SELECT plan(26
    + (SELECT count(DISTINCT decimal)::int FROM is_none) * 2
    + (SELECT count(*)::int FROM is_none JOIN letters AS l ON is_none.method = 'to_' || l.method WHERE result NOT LIKE 'ERROR%'));

-- snowflake.tsv

SELECT is(count(*)::int, 167, 'snowflake.tsv: all rows') FROM snowflake_vectors;
SELECT is_empty($$
    SELECT decimal FROM snowflake_vectors, CAST(decimal AS snowflake) AS id
    WHERE id::text <> decimal
       OR id::numeric <> decimal::numeric
       OR decimal::numeric::snowflake <> id
       OR id::bytea <> decode(lpad(hex, 16, '0'), 'hex')
       OR decode(lpad(hex, 16, '0'), 'hex')::snowflake <> id
       OR _flakeid_functions.snowflake_send(id) <> id::bytea
$$, 'text, number and bytes of every row, both ways');
SELECT is_empty($$
    SELECT decimal FROM snowflake_vectors, CAST(decimal AS snowflake) AS id
    WHERE decimal::numeric <= 9223372036854775807
      AND (id::bigint <> decimal::bigint OR decimal::bigint <> id OR (id = decimal::bigint) IS NOT TRUE)
$$, 'bigint of every row that fits one, both ways');
SELECT is_empty($$
    SELECT decimal FROM snowflake_vectors, CAST(decimal AS snowflake) AS id, pg_temp.at_ms(epoch_seconds * 1000) AS epoch
    WHERE pg_temp.us(snowflake_timestamp(id, epoch)) <> unix_ms * 1000
       OR snowflake_worker(id) <> local_id OR snowflake_process(id) <> shard_id OR snowflake_sequence(id) <> counter
       OR snowflake_make(pg_temp.at_ms(unix_ms), local_id, shard_id, counter, epoch) <> id
$$, 'parts of every row by its epoch, both ways');
SELECT is_empty($$
    SELECT decimal FROM snowflake_vectors, CAST(decimal AS snowflake) AS id
    WHERE epoch_seconds = 1420070400
      AND (pg_temp.us(id::timestamptz) <> unix_ms * 1000
           OR snowflake_make(pg_temp.at_ms(unix_ms), local_id, shard_id, counter) <> id)
$$, 'and of the rows of our epoch without naming it');
SELECT is_empty($$
    SELECT decimal FROM snowflake_vectors, CAST(decimal AS snowflake) AS id,
        pg_temp.at_ms(epoch_seconds * 1000) AS epoch, pg_temp.at_ms(unix_ms) AS t
    WHERE snowflake_min(t, epoch)::numeric <> (unix_ms - epoch_seconds * 1000) * 4194304
       OR snowflake_max(t, epoch)::numeric <> (unix_ms - epoch_seconds * 1000 + 1) * 4194304 - 1
       OR snowflake_min(t - interval '999 us', epoch) <> snowflake_min(t, epoch)
       OR snowflake_max(t + interval '999 us', epoch) <> snowflake_max(t, epoch)
       OR (epoch_seconds = 1420070400 AND (snowflake_min(t) <> snowflake_min(t, epoch) OR snowflake_max(t) <> snowflake_max(t, epoch)))
$$, 'least and greatest ID of every row''s millisecond');
SELECT is_empty($$
    SELECT decimal FROM snowflake_vectors, CAST(decimal AS snowflake) AS id
    WHERE snowflake_format(id, 'b') <> base64 OR snowflake_format(id, 'c') <> cb32
       OR snowflake_format(id, '0c') <> '0' || cb32 OR snowflake_format(id, 'd') <> decimal
       OR snowflake_format(id, 'l') <> b32l OR snowflake_format(id, 'o') <> oct OR snowflake_format(id, 'x') <> hex
$$, 'notations of every row');
SELECT is_empty($$
    SELECT decimal FROM snowflake_vectors, CAST(decimal AS snowflake) AS id
    WHERE snowflake_parse(base64, 'b') <> id OR snowflake_parse(cb32, 'c') <> id
       OR snowflake_parse('0' || cb32, '0c') <> id OR snowflake_parse(decimal, 'd') <> id
       OR snowflake_parse(b32l, 'l') <> id OR snowflake_parse(oct, 'o') <> id OR snowflake_parse(hex, 'x') <> id
$$, 'and the way back');
SELECT results_eq(
    'SELECT decimal FROM snowflake_vectors ORDER BY decimal::snowflake, note',
    'SELECT decimal FROM snowflake_vectors ORDER BY decimal::numeric, note',
    'IDs sort as their numbers');

-- snowflake_epoch.tsv: N1, the reference's constants are midnight in another zone

SELECT is(count(*)::int, 3, 'snowflake_epoch.tsv: all rows') FROM snowflake_epochs;
SELECT is_empty('SELECT name FROM snowflake_epochs WHERE true_utc_value - value <> 3600',
    'N1: every constant is an hour early');
SELECT is(pg_temp.us(snowflake_timestamp('0')), true_utc_value * 1000000, 'N1: our epoch is midnight in UTC')
FROM snowflake_epochs WHERE name = 'JAN_1_2015';
SELECT is(pg_temp.us(snowflake_timestamp(snowflake_make(pg_temp.at_ms(value * 1000), 0, 0, 0, pg_temp.at_ms(value * 1000)),
                                         pg_temp.at_ms(value * 1000))),
          value * 1000000, 'N1: IDs by the constant are read with the constant: ' || name)
FROM snowflake_epochs;

-- snowflake_format.tsv

SELECT is(count(*)::int, 114, 'snowflake_format.tsv: all rows') FROM snowflake_formats;
SELECT is_empty($$
    SELECT method FROM snowflake_formats
    WHERE method NOT IN ('str', 'repr', 'to_bytes', 'to_bytes(8)')
      AND method NOT IN (SELECT 'to_' || method FROM letters)
      AND method NOT IN (SELECT format('from_%s(to_%s)', method, method) FROM letters)
$$, 'no method is left out');
SELECT is_empty($$
    SELECT decimal, method FROM is_id
    WHERE method IN ('str', 'repr') AND result <> format('Snowflake(%s)', id)
$$, 'str and repr are our text, within the name of a class');
SELECT is_empty($$
    SELECT decimal, method FROM is_id
    WHERE method IN ('to_bytes', 'to_bytes(8)')
      AND (encode(id::bytea, 'hex') <> right(result, 16) OR ltrim(left(result, -16), '0') <> '')
$$, 'N5: to_bytes writes 14 bytes; the last 8 are ours');
SELECT is_empty($$
    SELECT decimal, method FROM is_id JOIN letters AS l USING (method)
    WHERE snowflake_format(id, letter) <> result
$$, 'to_... is snowflake_format');
SELECT is_empty($$
    SELECT decimal, is_id.method FROM is_id JOIN letters AS l ON is_id.method = format('from_%s(to_%s)', l.method, l.method)
    WHERE snowflake_parse(snowflake_format(id, letter), letter) <> id
       OR (result <> format('Snowflake(%s)', id)) <> (letter = 'c' OR letter = 'x' AND length(snowflake_format(id, letter)) % 2 = 1)
$$, 'N4: snowflake_parse is from_..., also where that fails');
SELECT throws_ok(format('SELECT %L::numeric::snowflake', decimal), '22003', NULL, 'no ID of number ' || decimal)
FROM (SELECT DISTINCT decimal FROM is_none) AS s;
SELECT throws_ok(format('SELECT snowflake %L', decimal), '22P02', NULL, 'no ID of text ' || decimal)
FROM (SELECT DISTINCT decimal FROM is_none) AS s;
SELECT throws_ok(format('SELECT snowflake_parse(%L, %L)', result, letter), '22P02', NULL,
    format('N4: no ID of %s in format %s', result, letter))
FROM is_none JOIN letters AS l ON is_none.method = 'to_' || l.method WHERE result NOT LIKE 'ERROR%';

-- N2: the reference repeats itself, N3: its floats lose milliseconds

SELECT is(count(DISTINCT id)::int, 20000, 'N2: no ID is made twice')
FROM (SELECT snowflake_new() AS id FROM generate_series(1, 20000)) AS s;
SELECT is_empty($$
    SELECT ms FROM generate_series(1735689600000::numeric, 1735689609999) AS ms
    WHERE pg_temp.us(snowflake_timestamp(snowflake_make(pg_temp.at_ms(ms), 0, 0, 0))) <> ms * 1000
$$, 'N3: no millisecond is lost');

-- new IDs, read by the second implementation

CREATE TEMPORARY TABLE made AS
SELECT clock_timestamp() AS before, snowflake_new() AS id, snowflake_new('2020-01-01') AS of_2020, clock_timestamp() AS after
FROM generate_series(1, 10000);
-- they may be ahead of the clock as far as flakeid.max_ahead allows, never behind it
SELECT is_empty($$
    SELECT id, before, after FROM made,
        pg_temp.part(id::text::numeric, 4194304, 4398046511104) AS ms,
        pg_temp.part(of_2020::text::numeric, 4194304, 4398046511104) AS ms_of_2020
    WHERE ms + 1420070400000 NOT BETWEEN trunc(pg_temp.us(before) / 1000) AND trunc(pg_temp.us(after) / 1000) + 10000
       OR ms_of_2020 + 1577836800000 NOT BETWEEN trunc(pg_temp.us(before) / 1000) AND trunc(pg_temp.us(after) / 1000) + 10000
$$, 'new IDs have the current time, by either epoch');
SELECT is_empty($$
    SELECT id FROM made
    WHERE pg_temp.part(id::text::numeric, 131072, 32) <> (SELECT snowflake_worker FROM flakeid_clock)
       OR pg_temp.part(id::text::numeric, 131072, 32) <> snowflake_worker(id)
       OR pg_temp.part(id::text::numeric, 4096, 32) <> snowflake_process(id)
       OR pg_temp.part(id::text::numeric, 1, 4096) <> snowflake_sequence(id)
       OR pg_temp.digits(id::text::numeric, '0123456789abcdef', 16) <> encode(id::bytea, 'hex')
$$, 'new IDs: text, bytes and parts agree');
SELECT is_empty($$
    SELECT id FROM made, CAST(id::text AS numeric) AS n
    WHERE snowflake_format(id, 'b') <> pg_temp.digits(n, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 12)
       OR snowflake_format(id, 'c') <> pg_temp.digits(n * 2, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 13)
       OR snowflake_format(id, 'l') <> pg_temp.digits(n, 'abcdefghijklmnopqrstuvwxyz234567', 0)
       OR snowflake_format(id, 'o') <> pg_temp.digits(n, '01234567', 1)
       OR snowflake_format(id, 'x') <> pg_temp.digits(n, '0123456789abcdef', 1)
$$, 'new IDs in other notations');

SELECT * FROM finish();
ROLLBACK;
