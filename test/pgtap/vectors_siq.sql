-- siq compared with its reference, SUOU, where the unit tests do not: the hash of a domain, and the siq that a
-- snowflake or a ULID becomes.  If the reference has a bug, the test says which answer it expects;
-- test/vectors/README.md explains each.
\ir shared.psql
BEGIN;
SET LOCAL timezone = 'UTC';
SELECT no_plan();

CREATE TEMP TABLE domains (domain text, local_id text, hash text);
CREATE TEMP TABLE snowflakes (
    snowflake text, epoch_ms bigint, domain text, type text, decimal_ref numeric,
    hex_ref text, hex_exact text, quirk text, note text
);
CREATE TEMP TABLE ulids (ulid text, domain text, type text, decimal_ref numeric, hex_ref text, quirk text);

-- tab separated and never quoted: CSV with a quote that does not occur
\copy domains FROM 'test/vectors/siq_domain.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy snowflakes FROM 'test/vectors/snowflake_siq.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
\copy ulids FROM 'test/vectors/ulid_siq.tsv' (FORMAT csv, HEADER, DELIMITER E'\t', QUOTE E'\x01', NULL E'\x02')
SELECT is(ARRAY[(SELECT count(*) FROM domains), (SELECT count(*) FROM snowflakes), (SELECT count(*) FROM ulids)],
          ARRAY[95, 73, 51]::bigint[], 'every row of every file was read');

-- ---------- siq_domain.tsv ----------

SELECT is_empty($$ SELECT * FROM domains WHERE hash NOT LIKE 'ERROR%' AND local_id = '' AND siq_domain_hash(domain) <> hash::bigint $$, 'siq_domain_hash');
SELECT is_empty($$ SELECT * FROM domains WHERE local_id <> '' AND siq_domain_hash(domain, local_id::int) <> hash::bigint $$, 'siq_domain_hash with a local ID');
SELECT is((SELECT count(*)::int FROM domains WHERE hash LIKE 'ERROR UnicodeEncodeError%'), 1, 'the reference refuses what is not ASCII');
SELECT throws_ok($$ SELECT siq_domain_hash(U&'b\00FCcher.example') $$, '22023', NULL, 'and so do we');
SELECT throws_ok($$ SELECT siq_new('user', U&'b\00FCcher.example') $$, '22023', NULL, 'in a new ID, too');
SELECT throws_ok($$ SELECT siq_domain_hash('example.com', -1) $$, '22003', NULL, 'a negative local ID');

-- ---------- snowflake_siq.tsv ----------

-- M1: the reference adds milliseconds to the milliseconds, although it names them otherwise; here it is an instant.
-- M3: the reference's floats round some instants after 2038 up; the columns of exact arithmetic are right.
CREATE TEMP TABLE migrated AS
    SELECT *, timestamptz 'epoch' + epoch_ms * interval '1 millisecond' AS epoch, lower(type) AS typ
    FROM snowflakes WHERE note NOT LIKE 'serial_mask=%';
SELECT is((SELECT count(*)::int FROM migrated), 72, 'every row but that of another mask');
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

SELECT * FROM finish();
ROLLBACK;
