-- siq compared with the answers of its reference, SUOU, and with a second reading of
-- its bits in plain SQL.  If the reference has a bug, the test says which answer it
-- expects; test/vectors/README.md explains each.
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
BEGIN;
SET LOCAL timezone = 'UTC';
SELECT no_plan();

CREATE TEMP TABLE ids (
    decimal numeric, hex text, hex28 text, base64 text, cb32 text, b32l text, did text, oct text,
    seconds bigint, fraction bigint, ref_float numeric, shard int, domain_hash bigint,
    buggy_domain bigint, low16 int, type text, domain text, local_id text, note text
);
CREATE TEMP TABLE types (
    n serial, name text, value int, bits int, code text, serials int,
    first int, second int, last int
);
CREATE TEMP TABLE domains (domain text, local_id text, hash text);
CREATE TEMP TABLE dids (did text, result text, note text);
CREATE TEMP TABLE formats (decimal numeric, method text, result text);
CREATE TEMP TABLE snowflakes (
    snowflake text, epoch_ms bigint, domain text, type text, decimal_ref numeric,
    hex_ref text, hex_exact text, quirk text, note text
);
CREATE TEMP TABLE ulids (ulid text, domain text, type text, decimal_ref numeric, hex_ref text, quirk text);

-- tab separated and never quoted: CSV with a quote that does not occur
\copy ids FROM 'test/vectors/siq.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy types (name, value, bits, code, serials, first, second, last) FROM 'test/vectors/siq_type.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy domains FROM 'test/vectors/siq_domain.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy dids FROM 'test/vectors/siq_did.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy formats FROM 'test/vectors/siq_format.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy snowflakes FROM 'test/vectors/snowflake_siq.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy ulids FROM 'test/vectors/ulid_siq.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')

SELECT is(ARRAY[(SELECT count(*) FROM ids), (SELECT count(*) FROM types), (SELECT count(*) FROM domains),
                (SELECT count(*) FROM dids), (SELECT count(*) FROM formats),
                (SELECT count(*) FROM snowflakes), (SELECT count(*) FROM ulids)],
          ARRAY[310, 15, 95, 50, 83, 155, 51]::bigint[], 'every row of every file was read');

-- The second reading: 23 digits of Crockford's alphabet as 3 zero bits and 112 others.
CREATE FUNCTION pg_temp.bits(id siq) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id::text, i, 1)) - 1)::bit(5)::text, '' ORDER BY i)
    FROM generate_series(1, 23) i
$$;
CREATE FUNCTION pg_temp.part(id siq, first int, bits int) RETURNS bigint LANGUAGE sql AS $$
    SELECT lpad(substr(pg_temp.bits(id), 4 + first, bits), 64, '0')::bit(64)::bigint
$$;
-- The instant of a tick: its first whole microsecond.
CREATE FUNCTION pg_temp.instant(ticks numeric) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT timestamptz 'epoch' + div(ticks, 65536)::bigint / 86400 * interval '1 day'
        + div(ticks, 65536)::bigint % 86400 * interval '1 second'
        + ceil(mod(ticks, 65536) * 1000000 / 65536) * interval '1 microsecond'
$$;

-- ---------- siq.tsv ----------

CREATE TEMP TABLE read AS SELECT ('\x' || hex28)::bytea::siq AS id, * FROM ids;

SELECT is_empty($$ SELECT * FROM read WHERE id::text <> lpad(cb32, 23, '0') $$, 'text');
SELECT is_empty($$ SELECT * FROM read WHERE id::numeric <> decimal OR decimal::siq <> id $$, 'numeric');
SELECT is_empty($$ SELECT * FROM read WHERE encode(id::bytea, 'hex') <> hex28 $$, 'bytes');
SELECT is_empty($$ SELECT * FROM read WHERE lpad(cb32, 23, '0')::siq <> id OR lower(lpad(cb32, 23, '0'))::siq <> id
                   OR translate(lpad(cb32, 23, '0'), '01', 'oL')::siq <> id OR did::siq <> id $$, 'text input');
SELECT is_empty($$ SELECT * FROM read WHERE length(cb32) >= 20 AND cb32::siq <> id $$, 'text input without the leading zeros that SUOU strips');
SELECT is_empty($$ SELECT f, siq_format(id, f), text
                   FROM read, LATERAL (VALUES ('b', base64), ('c', cb32), ('0c', '0' || cb32), ('d', decimal::text), ('l', b32l),
                                              ('o', oct), ('u', substr(did, 9)), ('x', hex)) AS v(f, text)
                   WHERE siq_format(id, f) <> text OR siq_parse(text, f) <> id $$, 'siq_format and siq_parse');
SELECT is_empty($$ SELECT * FROM read WHERE siq_did(id) <> did $$, 'siq_did');

SELECT is_empty($$ SELECT * FROM read WHERE siq_timestamp(id) <> pg_temp.instant(seconds * 65536::numeric + fraction)
                   OR id::timestamptz <> siq_timestamp(id) $$, 'instant: the first microsecond of the tick');
-- The reference's timestamp() is the tick's start as a double: up to 1 us earlier, within the double's precision.
SELECT is_empty($$ SELECT * FROM read WHERE extract(epoch FROM siq_timestamp(id)) - ref_float::numeric
                       NOT BETWEEN -1e-9 - ref_float * 2e-16 AND 1e-6 + 1e-9 + ref_float * 2e-16 $$,
                'instant: within 1 us of the reference''s');
SELECT is_empty($$ SELECT * FROM read WHERE siq_shard(id) <> shard $$, 'siq_shard');
-- Q4: the reference's domain_name() is wrong; it is the number of the first 12 bytes modulo 2^32 - 1.
SELECT is_empty($$ SELECT * FROM read WHERE siq_domain(id) <> domain_hash
                   OR mod(div(decimal, 65536), 4294967295) <> buggy_domain $$, 'siq_domain, not the reference''s domain_name()');
SELECT is_empty($$ SELECT * FROM read
                   WHERE siq_serial(id) * (CASE WHEN low16 % 2 = 1 THEN 8 WHEN low16 % 8 = 6 THEN 16 ELSE 32 END)
                       + siq_qualifier(id) <> low16 $$, 'siq_serial and siq_qualifier');
SELECT is_empty($$ SELECT * FROM read WHERE type <> '' AND upper(siq_type_of(id)::text) IS DISTINCT FROM type $$, 'siq_type_of');
SELECT is_empty($$ SELECT * FROM read WHERE (siq_type_of(id) IN ('content', 'multi', 'manytomany', 'ternary')) IS TRUE <> siq_is_leaf(id) $$, 'siq_is_leaf');
SELECT is_empty($$ SELECT * FROM read WHERE type <> '' AND
                       siq_domain_hash(domain, CASE WHEN local_id = '' THEN 0 ELSE local_id::int END) <> domain_hash $$, 'the generator''s domain hash');
SELECT is_empty($$ SELECT * FROM read WHERE siq_make(siq_timestamp(id), shard, domain_hash, low16) <> id $$, 'siq_make of 16 bits');
SELECT is_empty($$ SELECT * FROM read WHERE type <> '' AND
                       siq_make(siq_timestamp(id), shard, domain_hash, siq_serial(id), lower(type)) <> id $$, 'siq_make of serial and type');
SELECT is_empty($$ SELECT * FROM read WHERE encode(siq_min(siq_timestamp(id))::bytea, 'hex') <> substr(hex28, 1, 14) || repeat('0', 14)
                   OR encode(siq_max(siq_timestamp(id))::bytea, 'hex') <> substr(hex28, 1, 14) || repeat('f', 14) $$, 'siq_min and siq_max');
SELECT is_empty($$ SELECT * FROM read a JOIN read b ON (a.decimal < b.decimal) <> (a.id < b.id)
                   OR (a.decimal < b.decimal) <> (a.id::text COLLATE "C" < b.id::text) OR (a.decimal < b.decimal) <> (a.id::uuid < b.id::uuid) $$,
                'IDs, texts and uuids sort as the numbers do');
SELECT is_empty($$ SELECT id, u FROM (SELECT id, hex28, id::uuid AS u, ('x' || replace(id::uuid::text, '-', ''))::bit(128)::text AS b FROM read) x
                   WHERE u::siq <> id OR substr(b, 49, 4) <> '1000' OR substr(b, 65, 2) <> '10' OR right(b, 10) <> '0000000000'
                   OR ('x' || hex28)::bit(112)::text <> substr(b, 1, 48) || substr(b, 53, 12) || substr(b, 67, 52) $$, 'uuid: version 8, the bits in order');
SELECT throws_ok($$ SELECT '123e4567-e89b-12d3-a456-426614174000'::uuid::siq $$, '22P03', 'uuid is not a siq: "123e4567-e89b-12d3-a456-426614174000"', 'another uuid');
SELECT throws_ok($$ SELECT '006b0158-1234-8000-8000-000000011c01'::uuid::siq $$, '22P03', 'uuid is not a siq: "006b0158-1234-8000-8000-000000011c01"', 'a uuid with a last bit set');
SELECT throws_ok($$ SELECT '006b0158-1234-8000-c000-000000011c00'::uuid::siq $$, '22P03', 'uuid is not a siq: "006b0158-1234-8000-c000-000000011c00"', 'a uuid of another variant');

-- ---------- siq_type.tsv ----------

SELECT throws_ok($$ SELECT siq_new('toaster') $$, '22P02', 'unrecognized type of siq: "toaster"', 'no type');
SELECT is_empty($$ SELECT * FROM types, LATERAL (VALUES (0, first), (1, second), (serials - 1, last)) AS v(serial, low16),
                       siq_make(timestamptz 'epoch', 0, 0, serial, lower(name)) AS id
                   WHERE id::numeric <> low16 OR siq_type_of(id)::text <> lower(name) OR siq_serial(id) <> serial
                   OR siq_qualifier(id) <> ('b' || code)::varbit::bit(5)::int >> (5 - bits) OR siq_qualifier(id) + (1 << bits) <> value $$,
                'the first, second and last serial of each type');
SELECT throws_ok(format('SELECT siq_make(timestamptz %L, 0, 0, %s, %L)', 'epoch', serials, lower(name)), '22003', NULL, name || ': no serial after the last')
FROM types;
SELECT results_eq($$ SELECT DISTINCT siq_qualifier(siq_make(timestamptz 'epoch', 0, 0, q)) FROM generate_series(0, 65535) q
                     WHERE siq_type_of(siq_make(timestamptz 'epoch', 0, 0, q)) IS NULL ORDER BY 1 $$,
                  ARRAY[18, 26, 28], 'three qualifiers have no type');

-- ---------- siq_domain.tsv ----------

SELECT is_empty($$ SELECT * FROM domains WHERE hash NOT LIKE 'ERROR%' AND local_id = '' AND siq_domain_hash(domain) <> hash::bigint $$, 'siq_domain_hash');
SELECT is_empty($$ SELECT * FROM domains WHERE local_id <> '' AND siq_domain_hash(domain, local_id::int) <> hash::bigint $$, 'siq_domain_hash with a local ID');
SELECT is((SELECT count(*)::int FROM domains WHERE hash LIKE 'ERROR UnicodeEncodeError%'), 1, 'the reference refuses what is not ASCII');
SELECT throws_ok($$ SELECT siq_domain_hash(U&'b\00FCcher.example') $$, '22023', NULL, 'and so do we');
SELECT throws_ok($$ SELECT siq_new('user', U&'b\00FCcher.example') $$, '22023', NULL, 'in a new ID, too');
SELECT throws_ok($$ SELECT siq_domain_hash('example.com', -1) $$, '22003', NULL, 'a negative local ID');

-- ---------- siq_did.tsv ----------

CREATE FUNCTION pg_temp.read_did(text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN siq_parse($1, 'u')::numeric;
EXCEPTION WHEN invalid_text_representation THEN
    RETURN 'ERROR';
END $$;
CREATE FUNCTION pg_temp.read_siq(text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN $1::siq::numeric;
EXCEPTION WHEN invalid_text_representation THEN
    RETURN 'ERROR';
END $$;

-- The reference decodes 5 characters to 0, with the checksum 0.
SELECT is_empty($$ SELECT did, result, pg_temp.read_did(did) FROM dids
                   WHERE pg_temp.read_did(did) <> CASE WHEN result LIKE 'ERROR%' OR did = 'did:siq:aaaaa' THEN 'ERROR' ELSE result END $$,
                'siq_parse, notation u');
SELECT is_empty($$ SELECT did, result, pg_temp.read_siq(did) FROM dids
                   WHERE pg_temp.read_siq(did) <> CASE WHEN result LIKE 'ERROR%' OR did = 'did:siq:aaaaa' OR did NOT LIKE 'did:siq:%' THEN 'ERROR' ELSE result END $$,
                'text input takes a DID with its prefix only');

-- ---------- siq_format.tsv ----------

SELECT is_empty($$
    SELECT * FROM (
        SELECT f.*, CASE method
            WHEN 'to_bytes' THEN encode(id::bytea, 'hex')
            WHEN 'to_bytes(16)' THEN '0000' || encode(id::bytea, 'hex')
            WHEN 'to_hex' THEN siq_format(id, 'x')
            WHEN 'to_base64' THEN siq_format(id, 'b')
            WHEN 'to_base64(16)' THEN rtrim(translate(encode('\x0000' || id::bytea, 'base64'), '+/', '-_'), '=')
            WHEN 'to_cb32' THEN siq_format(id, 'c')
            WHEN 'format_0c' THEN siq_format(id, '0c')
            WHEN 'to_b32l' THEN siq_format(id, 'l')
            WHEN 'format_u' THEN siq_format(id, 'u')
            WHEN 'to_did' THEN siq_did(id)
            WHEN 'to_mastodon(example.com)' THEN '@' || siq_format(id, 'u') || '@example.com'
            WHEN 'to_matrix(example.com)' THEN '@' || siq_format(id, 'u') || ':example.com'
            -- Q6: without a domain the reference ends in None, and str() is repr()
            WHEN 'to_mastodon()' THEN '@' || siq_format(id, 'u') || 'None'
            WHEN 'repr' THEN 'Siq(' || id::numeric || ')'
            WHEN 'str' THEN 'Siq(' || id::numeric || ')'
            -- Q5: the reference cannot read its own Crockford digits
            WHEN 'from_cb32(to_cb32)' THEN CASE WHEN siq_parse(siq_format(id, 'c'), 'c') = id THEN result END
        END AS ours
        FROM formats f, LATERAL (SELECT decimal::siq AS id) s
        WHERE decimal BETWEEN 0 AND 5192296858534827628530496329220095
    ) x WHERE ours IS DISTINCT FROM result $$, 'every method of numbers of 112 bits');
-- Q8: the reference writes some greater ones as 120 bits and refuses others; there are none here.
SELECT throws_ok(format('SELECT (%s)::numeric::siq', decimal), '22003', NULL, decimal || ' is no siq')
FROM (SELECT DISTINCT decimal FROM formats WHERE decimal NOT BETWEEN 0 AND 5192296858534827628530496329220095) d;

-- ---------- snowflake_siq.tsv ----------

-- M1: the reference adds milliseconds to the milliseconds, although it names them otherwise; here it is an instant.
-- M3: the reference's floats round some instants after 2038 up; the columns of exact arithmetic are right.
CREATE TEMP TABLE migrated AS
    SELECT *, timestamptz 'epoch' + epoch_ms * interval '1 millisecond' AS epoch, lower(type) AS typ
    FROM snowflakes WHERE note NOT LIKE 'serial_mask=%';
SELECT is((SELECT count(*)::int FROM migrated), 154, 'every row but that of another mask');
SELECT is_empty($$ SELECT * FROM migrated WHERE encode(siq_from_snowflake(snowflake::snowflake, domain, typ, epoch)::bytea, 'hex') <> hex_exact $$,
                'siq_from_snowflake with an epoch');
SELECT is_empty($$ SELECT * FROM migrated WHERE epoch = timestamptz '2015-01-01Z'
                   AND encode(siq_from_snowflake(snowflake::snowflake, domain, typ)::bytea, 'hex') <> hex_exact $$,
                'siq_from_snowflake');
SELECT is_empty($$ SELECT * FROM migrated WHERE quirk = '' AND siq_from_snowflake(snowflake::snowflake, domain, typ, epoch)::numeric <> decimal_ref $$,
                'and, where the reference has no bug, its number');
-- M2: the reference takes the last 16 bits modulo 65535, so that the last serial of content becomes serial 0 of user.
SELECT is((SELECT decimal_ref + 65535 FROM snowflakes WHERE note LIKE 'serial_mask=%'),
          (SELECT siq_make(siq_timestamp(decimal_ref::siq), siq_shard(decimal_ref::siq), siq_domain(decimal_ref::siq), 8191, 'content')::numeric
           FROM snowflakes WHERE note LIKE 'serial_mask=%'), 'the row of another mask, its last 16 bits kept');
SELECT is((SELECT count(DISTINCT siq_from_snowflake((((1::bigint << 40) + (g & 4194303)) # ((g & 3)::bigint << 20))::text::snowflake, '', t))::int
           FROM generate_series(0, 4194303, 61) g, unnest(ARRAY['content', 'thread', 'user']) t),
          3 * (4194303 / 61 + 1), 'no two snowflakes become one siq');
SELECT throws_ok($$ SELECT siq_from_snowflake('0', '', 'user', '1969-12-31 23:59:59Z') $$, '22008', NULL, 'before 1970');
SELECT throws_ok($$ SELECT siq_from_snowflake('18446744073709551615', '', 'user', '36812-02-01Z') $$, '22008', NULL, 'after the last');
SELECT throws_ok($$ SELECT siq_from_snowflake('18446744073709551615', '', 'user', '294276-12-31Z') $$, '22008', NULL, 'after what a timestamptz holds');
SELECT throws_ok($$ SELECT siq_from_snowflake('0', '', 'user', 'infinity') $$, '22008', NULL, 'an infinite epoch');
SELECT lives_ok($$ SELECT siq_from_snowflake('0', '', 'user', siq_timestamp('3ZZZZZZZZZZZZZZZZZZZZZZ')) $$, 'the last tick');
SELECT throws_ok($$ SELECT siq_from_snowflake('2048', '', 'user', siq_timestamp('3ZZZZZZZZZZZZZZZZZZZZZZ')) $$, '22008', NULL, 'the last tick, and one added');

-- ---------- ulid_siq.tsv ----------

CREATE FUNCTION pg_temp.ulid(hex text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr('00' || ('x' || hex)::bit(128)::text, 5 * i + 1, 5)::bit(5)::int + 1, 1), '' ORDER BY i)
    FROM generate_series(0, 25) i
$$;
SELECT is_empty($$ SELECT * FROM ulids WHERE siq_from_ulid(pg_temp.ulid(ulid), domain, lower(type))::numeric <> decimal_ref
                   OR siq_from_ulid(lower(pg_temp.ulid(ulid)), domain, lower(type))::bytea <> ('\x' || hex_ref)::bytea $$, 'siq_from_ulid');
-- M2 again
SELECT is(siq_from_ulid(pg_temp.ulid(repeat('0', 12) || '0003fffc000000000000'), '', 'content')::numeric, 65535::numeric, 'the last 16 bits are kept');
SELECT is(siq_timestamp(siq_from_ulid('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '', 'user'))::timestamptz, timestamptz '10889-08-02 05:31:50.655961Z', 'the last ULID');
SELECT throws_ok(format('SELECT siq_from_ulid(%L, %L, %L)', bad, '', 'user'), '22P02', NULL, 'no ULID: ' || bad)
FROM unnest(ARRAY['', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ', '7ZZZZZZZZZZZZZZZZZZZZZZZZ', '7ZZZZZZZZZZZZZZZZZZZZZZZZZZ', 'U0000000000000000000000000']) AS bad;

-- ---------- suou_probes.txt ----------

-- Q1: the reference repeats 177,029 of 200,000 IDs.  (Q7: its cache repeats all.)
CREATE TEMP TABLE fresh AS
    SELECT g, t, siq_new(t, 'example.com') AS id
    -- no join, which might take the rows in another order
    FROM (SELECT g, (SELECT lower(name) FROM types WHERE n = 1 + g % 15) AS t FROM generate_series(1, 10000) g OFFSET 0) x;
CREATE TEMP TABLE span AS SELECT clock_timestamp() AS ended;
SELECT is((SELECT count(DISTINCT id) FROM fresh), 10000::bigint, 'no ID twice');
SELECT is_empty($$ SELECT * FROM (SELECT id, lag(id) OVER (ORDER BY g) AS before FROM fresh) x WHERE id <= before $$, 'each greater than the one before');

-- the second reading
SELECT is_empty($$ SELECT * FROM fresh WHERE left(pg_temp.bits(id), 3) <> '000' $$, 'new IDs: 112 bits');
SELECT is_empty($$ SELECT * FROM fresh WHERE pg_temp.instant(pg_temp.part(id, 0, 56)) <> siq_timestamp(id) $$, 'new IDs: the ticks are the instant');
SELECT is_empty($$ SELECT * FROM fresh, span WHERE pg_temp.instant(pg_temp.part(id, 0, 56)) NOT BETWEEN now() - interval '10 ms' AND ended + interval '10 s' $$,
                'new IDs: the instant is now, or what the generators run ahead');
SELECT is_empty($$ SELECT * FROM fresh WHERE pg_temp.part(id, 56, 8) <> siq_shard(id) $$, 'new IDs: shard');
SELECT is((SELECT count(DISTINCT siq_shard(id)) FROM fresh), 1::bigint, 'new IDs: one shard a session');
SELECT is_empty($$ SELECT * FROM fresh WHERE pg_temp.part(id, 64, 32) <> get_byte(sha256('example.com'), 28) * 16777216::bigint
                   + get_byte(sha256('example.com'), 29) * 65536 + get_byte(sha256('example.com'), 30) * 256 + get_byte(sha256('example.com'), 31) $$,
                'new IDs: the end of the domain''s SHA-256');
SELECT is_empty($$ SELECT * FROM fresh JOIN types ON name = upper(t::text)
                   WHERE right(pg_temp.bits(id), bits) <> code OR pg_temp.part(id, 96, 16 - bits) <> siq_serial(id) $$, 'new IDs: type and serial');
SELECT is((SELECT DISTINCT siq_domain(siq_new('user'))), (SELECT siq_domain FROM flakeid_clock), 'without a domain it is that of the settings');

-- IDs for an instant: 2048 serials of a type, and then the first again
CREATE TEMP TABLE backfilled AS
    SELECT g, siq_new_at('2020-02-02 02:02:02.020202Z', 'user', 'example.com') AS id FROM generate_series(1, 4096) g;
SELECT is((SELECT array_agg(DISTINCT siq_timestamp(id)) FROM backfilled), ARRAY[siq_timestamp(siq_max('2020-02-02 02:02:02.020202Z'))], 'siq_new_at: the instant');
SELECT is_empty($$ SELECT id FROM backfilled GROUP BY id HAVING count(*) <> 2 $$, 'siq_new_at: the counter rolls over in the serials of the type');
SELECT is((SELECT count(DISTINCT siq_new_at('2020-02-02Z', 'content')) FROM generate_series(1, 8192)), 8192::bigint, 'siq_new_at: 8192 of a leaf');
SELECT is((SELECT count(DISTINCT siq_new_at('2020-02-02Z', 'message')) FROM generate_series(1, 4096)), 4096::bigint, 'siq_new_at: 4096 of a message');
SELECT throws_ok($$ SELECT siq_new_at('1969-12-31 23:59:59.999999Z', 'user') $$, '22008', NULL, 'siq_new_at: before 1970');

-- ---------- errors ----------

SELECT throws_ok(format('SELECT %L::siq', bad), '22P02', NULL, 'no siq: ' || bad)
FROM unnest(ARRAY['', '40000000000000000000000', 'u0000000000000000000000', '000000000000000000000000', '0000000000000000000', 'did:siq:', 'did:siq:aaaaa',
                  'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaab', '\x00', '2020-01-01']) AS bad;
SELECT throws_ok($$ SELECT '\x00'::bytea::siq $$, '22P03', NULL, 'bytea of another length');
SELECT throws_ok($$ SELECT 0.5::numeric::siq $$, '22003', NULL, 'no whole number');
SELECT throws_ok($$ SELECT siq_make(timestamptz 'epoch', 256, 0, 0) $$, '22003', NULL, 'a shard too great');
SELECT throws_ok($$ SELECT siq_make(timestamptz 'epoch', 0, 4294967296, 0) $$, '22003', NULL, 'a domain hash too great');
SELECT throws_ok($$ SELECT siq_make(timestamptz 'epoch', 0, -1, 0) $$, '22003', NULL, 'a negative domain hash');
SELECT throws_ok($$ SELECT siq_make(timestamptz 'epoch', 0, 0, 65536) $$, '22003', NULL, 'more than 16 bits');
SELECT throws_ok($$ SELECT siq_make('36813-01-01Z', 0, 0, 0) $$, '22008', NULL, 'after the span');
SELECT throws_ok($$ SELECT siq_make('infinity', 0, 0, 0) $$, '22008', NULL, 'infinity');
SELECT throws_ok($$ SELECT siq_format(siq_min('epoch'), 'X') $$, '22023', NULL, 'no such notation');
SELECT throws_ok($$ SELECT siq_parse('0', '') $$, '22023', NULL, 'no notation');
SELECT throws_ok($$ SELECT siq_parse('g', 'x') $$, '22P02', NULL, 'not in that notation');

-- from PostgreSQL 16 on bad text is reported softly
CREATE FUNCTION pg_temp.is_valid(text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    result boolean;
BEGIN
    EXECUTE 'SELECT pg_input_is_valid($1, $2)' INTO result USING $1, 'siq';
    RETURN result;
END $$;
SELECT CASE WHEN current_setting('server_version_num')::int < 160000 THEN skip('PostgreSQL 15 has no soft errors', 1)
    ELSE is(ARRAY(SELECT pg_temp.is_valid(t) FROM unnest(ARRAY['did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaab', 'x']) t),
            ARRAY[true, false, false], 'soft errors') END;

SELECT * FROM finish();
ROLLBACK;
