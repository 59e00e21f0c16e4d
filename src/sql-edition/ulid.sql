/* ---------- ULIDs, as they are stored ---------- */

CREATE FUNCTION @schema@.ulid_timestamp(text) RETURNS timestamptz
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    ms bigint := 0;
BEGIN
    IF $1 COLLATE "C" !~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' THEN
        RAISE 'invalid ULID: "%"', $1
            USING ERRCODE = 'invalid_text_representation',
                DETAIL = 'A ULID is 26 digits of Crockford''s base 32 (0 to 9 and A to Z without I, L, O and U), of which the first is 0 to 7. Its letters must be in upper case here, because lower case sorts differently.';
    END IF;
    FOR digit IN 1..10 LOOP
        ms := ms << 5 | strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr($1, digit, 1) COLLATE "C") - 1;
    END LOOP;
    RETURN (timestamp '1970-01-01' + interval '65.536 s' * (ms >> 16) + interval '1 ms' * (ms & 65535)) AT TIME ZONE interval '0';
END
$body$;
CREATE FUNCTION @schema@.ulid_timestamp(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 = uuid '00000000-0000-0000-0000-000000000000' THEN timestamptz '-infinity'
    WHEN $1 = uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN timestamptz 'infinity'
    ELSE (timestamp '1970-01-01' + interval '65.536 s' * (('x' || substr($1::text, 1, 8))::bit(32)::bigint)::float8
        + interval '1 ms' * (('x' || substr($1::text, 10, 4))::bit(16)::int)::float8) AT TIME ZONE interval '0' END;
CREATE FUNCTION @schema@.ulid_timestamp(bytea) RETURNS timestamptz
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    IF length($1) <> 16 THEN
        RAISE 'invalid length of bytea for a ULID'
            USING ERRCODE = 'invalid_binary_representation', DETAIL = format('A ULID has 16 bytes, not %s.', length($1));
    END IF;
    RETURN (timestamp '1970-01-01' + interval '65.536 s' * ('x' || encode(substr($1, 1, 4), 'hex'))::bit(32)::bigint
        + interval '1 ms' * ('x' || encode(substr($1, 5, 2), 'hex'))::bit(16)::int) AT TIME ZONE interval '0';
END
$body$;

COMMENT ON FUNCTION @schema@.ulid_timestamp(text) IS 'instant of a ULID in its 26 upper-case characters: the start of its millisecond';
COMMENT ON FUNCTION @schema@.ulid_timestamp(uuid) IS 'instant of a ULID stored as uuid: the start of its millisecond; the infinities for the nil and the max UUID';
COMMENT ON FUNCTION @schema@.ulid_timestamp(bytea) IS 'instant of a ULID stored as 16 bytes: the start of its millisecond';

-- text in and out of a uuid

CREATE FUNCTION @schema@.ulid_text(id uuid) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    bits CONSTANT bit(130) := B'00' || ('x' || encode(uuid_send(id), 'hex'))::bit(128);
    digits text := '';
BEGIN
    FOR digit IN 0..25 LOOP
        digits := digits || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substring(bits, 5 * digit + 1, 5)::bit(5)::int + 1, 1);
    END LOOP;
    RETURN digits;
END
$body$;
CREATE FUNCTION @schema@.ulid_uuid(id text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    digits CONSTANT text := translate(upper(id COLLATE "C"), 'OIL', '011');
    bits bit varying := B'';
BEGIN
    IF digits COLLATE "C" !~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' THEN
        RAISE 'invalid ULID: "%"', id
            USING ERRCODE = 'invalid_text_representation',
                DETAIL = 'A ULID is 26 digits of Crockford''s base 32 (0 to 9 and A to Z without I, L, O and U), of which the first is 0 to 7.';
    END IF;
    FOR digit IN 1..26 LOOP
        bits := bits || (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(digits, digit, 1) COLLATE "C") - 1)::bit(5);
    END LOOP;
    RETURN lpad(to_hex(substring(bits, 3, 64)::bit(64)::bigint), 16, '0') || lpad(to_hex(substring(bits, 67, 64)::bit(64)::bigint), 16, '0');
END
$body$;

COMMENT ON FUNCTION @schema@.ulid_text(uuid) IS 'the 26 characters of a ULID that is stored as uuid';
COMMENT ON FUNCTION @schema@.ulid_uuid(text) IS 'uuid with the bytes of a ULID, whose text is read as type ulid reads it';

-- bounds

CREATE FUNCTION @schema@.ulid_uuid_min(timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
    WHEN $1 <= timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000001'
    WHEN $1 > timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    WHEN $1 IS NOT NULL THEN (@schema@._flakeid_hex_from($1) || '00000000000000000000'::text)::uuid END;
CREATE FUNCTION @schema@.ulid_uuid_max(timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 < timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
    WHEN $1 = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    WHEN $1 >= timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-fffffffffffe'
    WHEN $1 IS NOT NULL THEN (@schema@._flakeid_hex_upto($1) || 'ffffffffffffffffffff'::text)::uuid END;
CREATE FUNCTION @schema@.ulid_text_min(timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 > timestamptz '10889-08-02 05:31:50.655+00' THEN '8'::text
    WHEN $1 IS NOT NULL THEN @schema@.ulid_text((@schema@._flakeid_hex_from($1) || '00000000000000000000'::text)::uuid) END;
CREATE FUNCTION @schema@.ulid_text_max(timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 < timestamptz '1970-01-01 00:00+00' THEN ''::text
    WHEN $1 IS NOT NULL THEN @schema@.ulid_text((@schema@._flakeid_hex_upto($1) || 'ffffffffffffffffffff'::text)::uuid) END;
CREATE FUNCTION @schema@.ulid_bytea_min(timestamptz) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 > timestamptz '10889-08-02 05:31:50.655+00' THEN decode('ffffffffffffffffffffffffffffffffff', 'hex')
    WHEN $1 IS NOT NULL THEN decode(@schema@._flakeid_hex_from($1) || '00000000000000000000'::text, 'hex') END;
CREATE FUNCTION @schema@.ulid_bytea_max(timestamptz) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 < timestamptz '1970-01-01 00:00+00' THEN decode('', 'hex')
    WHEN $1 IS NOT NULL THEN decode(@schema@._flakeid_hex_upto($1) || 'ffffffffffffffffffff'::text, 'hex') END;

COMMENT ON FUNCTION @schema@.ulid_text_min(timestamptz) IS 'lower bound of the ULIDs as text whose instant is at or after this one';
COMMENT ON FUNCTION @schema@.ulid_text_max(timestamptz) IS 'upper bound of the ULIDs as text whose instant is at or before this one';
COMMENT ON FUNCTION @schema@.ulid_uuid_min(timestamptz) IS 'lower bound of the ULIDs as uuid whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION @schema@.ulid_uuid_max(timestamptz) IS 'upper bound of the ULIDs as uuid whose instant is at or before this one';
COMMENT ON FUNCTION @schema@.ulid_bytea_min(timestamptz) IS 'lower bound of the ULIDs as bytea whose instant is at or after this one';
COMMENT ON FUNCTION @schema@.ulid_bytea_max(timestamptz) IS 'upper bound of the ULIDs as bytea whose instant is at or before this one';
