-- Every row of the reference's tables (test/vectors/sno*.tsv, see the README there), with the
-- type in SQL.  Run it from the repository's root, where \copy finds them.

BEGIN;

-- FORMAT text has no quotes, and the tables contain no backslash.
CREATE TEMP TABLE known (
    hex text, text text, timestamp_ns bigint, tick_tock int, meta int, partition int, sequence int,
    time_utc text, note text
);
\copy known FROM 'test/vectors/sno.tsv' (FORMAT text, HEADER)
CREATE TEMP TABLE bad (
    input_hex text, len int, error text, decoded_amd64_bmi2 text, decoded_amd64_sse2 text,
    decoded_portable text, reencoded_bmi2 text, note text
);
\copy bad FROM 'test/vectors/sno_bad.tsv' (FORMAT text, HEADER)
CREATE TEMP TABLE newwithtime (
    unix_ns bigint, meta int, partition int, seq_min int, seq_max int, call_index int, hex text, text text, note text
);
\copy newwithtime FROM 'test/vectors/sno_newwithtime.tsv' (FORMAT text, HEADER)
CREATE TEMP TABLE snapshot (
    in_min bigint, in_max bigint, in_sequence bigint, result text, out_min text, out_max text,
    out_sequence text, cap text, message text
);
\copy snapshot FROM 'test/vectors/sno_snapshot.tsv' (FORMAT text, HEADER)

-- The text of bytes; NULL if they are not text in this database.
CREATE FUNCTION pg_temp.text_of(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
    RETURN NULL;
END $$;
CREATE TEMP TABLE bad_text AS
SELECT *, decode(input_hex, 'hex') AS bytes, pg_temp.text_of(decode(input_hex, 'hex')) AS input FROM bad;

-- Nanoseconds since 1970, truncated to timestamptz's precision.
CREATE FUNCTION pg_temp.instant(ns bigint) RETURNS timestamptz LANGUAGE sql
RETURN timestamptz 'epoch' + ns / 1000 * interval '1 microsecond';

SELECT plan((
    1 + 2 * (SELECT count(*) FROM known)
    + 2 + (SELECT count(*) FROM bad_text WHERE input IS NOT NULL)
    + 1 + (SELECT count(*) FROM newwithtime) + (SELECT count(*) FROM newwithtime WHERE note !~ 'OUT OF RANGE')
    + 1 + (SELECT count(*) FROM snapshot)
)::int);

--
-- sno.tsv: the text from the bytes, the bytes from the text, and the parts; then the ID from
-- its parts.
--
SELECT cmp_ok(count(*), '>', 200::bigint, 'sno.tsv has been read') FROM known;
SELECT is(
    row(id, t.text::sno::bytea, extract(epoch FROM sno_timestamp(id)) * 1e9 = timestamp_ns,
        sno_tick_tock(id)::int, sno_meta(id), sno_partition(id), sno_sequence(id))::text,
    row(t.text, decode(hex, 'hex'), true, tick_tock, meta, partition, sequence)::text,
    format('sno.tsv %s: text and parts (%s)', hex, note))
FROM known AS t, CAST(decode(hex, 'hex') AS sno) AS id;
SELECT is(
    sno_make(pg_temp.instant(timestamp_ns), meta, partition, sequence, tick_tock = 1)::bytea,
    decode(hex, 'hex'),
    format('sno.tsv %s: made from parts (%s)', hex, note))
FROM known;

--
-- sno_bad.tsv: all of them are refused, also those that the library reads as some ID.  Bytes
-- that are not text in this database do not reach the type; test/unit tests those.
--
SELECT cmp_ok(count(*), '>', 200::bigint, 'sno_bad.tsv has been read') FROM bad;
SELECT is_empty(
    $$ SELECT * FROM bad_text WHERE input IS NULL AND input_hex !~ '^(..)*([89a-f].|00)' $$,
    'sno_bad.tsv: only bytes that are not ASCII are left to the unit tests');
SELECT throws_ok(format('SELECT %L::sno', input), '22P02',
    format('invalid input syntax for type sno: "%s"', input),
    format('sno_bad.tsv %s: refused (%s)', coalesce(nullif(input_hex, ''), '-'), note))
FROM bad_text WHERE input IS NOT NULL;

--
-- sno_newwithtime.tsv: the IDs, with the sequence counted by calls within the bounds; instants
-- out of range, which the library wraps, are refused.
--
SELECT cmp_ok(count(*), '>', 40::bigint, 'sno_newwithtime.tsv has been read') FROM newwithtime;
SELECT is(sno_make(pg_temp.instant(unix_ns), meta, partition, n)::bytea, decode(hex, 'hex'),
    format('sno_newwithtime.tsv %s: sno_make (%s)', hex, note))
FROM newwithtime, LATERAL (SELECT seq_min + call_index % (seq_max - seq_min + 1) AS n) AS s
WHERE note !~ 'OUT OF RANGE';
SELECT is(sno_set_sequence(sno_new_at(pg_temp.instant(unix_ns), meta, partition), n)::text, text,
    format('sno_newwithtime.tsv %s: sno_new_at but for the sequence (%s)', hex, note))
FROM newwithtime, LATERAL (SELECT seq_min + call_index % (seq_max - seq_min + 1) AS n) AS s
WHERE note !~ 'OUT OF RANGE';
SELECT throws_ok(format('SELECT sno_new_at(%L, %s, %s)', pg_temp.instant(unix_ns), meta, partition), '22008', NULL,
    format('sno_newwithtime.tsv %s: %s is refused', hex, unix_ns))
FROM newwithtime WHERE note ~ 'OUT OF RANGE';

--
-- sno_snapshot.tsv: bounds that the library refuses, and its results for the others, in a
-- session with these bounds.
--
SELECT cmp_ok(count(*), '>', 15::bigint, 'sno_snapshot.tsv has been read') FROM snapshot;
CREATE FUNCTION pg_temp.restored(min bigint, max bigint, sequence bigint, own_min text, own_max text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('flakeid.sno_sequence_min', own_min, true), set_config('flakeid.sno_sequence_max', own_max, true);
    PERFORM sno_restore(jsonb_build_object('partition', ARRAY[0, 0], 'now', 0, 'sequenceMin', min, 'sequenceMax', max, 'sequence', sequence,
        'wallHi', 0, 'wallSafe', 0, 'drifts', 0));
    RETURN format('%s-%s', s->'sequenceMin', s->'sequenceMax') FROM sno_snapshot() AS s;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'error';
END $$;
SELECT is(pg_temp.restored(in_min, in_max, in_sequence, coalesce(nullif(out_min, ''), '0'), coalesce(nullif(out_max, ''), '65535')),
    CASE result WHEN 'ok' THEN format('%s-%s', out_min, out_max) ELSE 'error' END,
    format('sno_snapshot.tsv %s-%s, %s', in_min, in_max, in_sequence))
FROM snapshot;

SELECT * FROM finish();
ROLLBACK;
