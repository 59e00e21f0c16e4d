/* ---------- uuid v7 ---------- */

-- The functions of this folder that are written in SQL are inlined into the query.  CASE keeps them
-- from being STRICT, which C's are: of a STRICT one that is inlined, nothing would keep the arguments
-- of a call inside it from being evaluated for NULL, and an unknown layout is an error.

-- the first 32 and the next 16 bits of the milliseconds, each as an interval that float8 holds exactly
CREATE FUNCTION @schema@.uuid7_timestamp(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN substr($1::text, 15, 1) = '7'::text AND strpos('89ab', substr($1::text, 20, 1)) > 0
    THEN (timestamp '1970-01-01' + interval '65.536 s' * (('x' || substr($1::text, 1, 8))::bit(32)::bigint)::float8
        + interval '1 ms' * (('x' || substr($1::text, 10, 4))::bit(16)::int)::float8) AT TIME ZONE interval '0' END;

COMMENT ON FUNCTION @schema@.uuid7_timestamp(uuid) IS 'instant of a version 7 UUID: the start of its millisecond; NULL for any other UUID';

-- The binary form is microseconds since 2000; extract() would be STABLE, and inexact in places.
CREATE FUNCTION @schema@._flakeid_microseconds(timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || encode(timestamptz_send($1), 'hex'))::bit(64)::bigint;

-- 12 hexadecimal digits: the first millisecond at or after an instant, and the last at or before it,
-- within the 48 bits.  least() and greatest() ignore NULL, so the callers look for it.
CREATE FUNCTION @schema@._flakeid_hex_from(timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lpad(to_hex((least(greatest(@schema@._flakeid_microseconds($1), bigint '-946684800000000'), bigint '280528291910655001')
    + bigint '946684800000999') / bigint '1000'), 12, '0');
CREATE FUNCTION @schema@._flakeid_hex_upto(timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lpad(to_hex((least(greatest(@schema@._flakeid_microseconds($1), bigint '-946684800000000'), bigint '280528291910655000')
    + bigint '946684800000000') / bigint '1000'), 12, '0');

COMMENT ON FUNCTION @schema@._flakeid_microseconds(timestamptz) IS 'microseconds since 2000; the infinities are the ends of bigint';
COMMENT ON FUNCTION @schema@._flakeid_hex_from(timestamptz) IS 'first millisecond at or after an instant, in 12 hexadecimal digits';
COMMENT ON FUNCTION @schema@._flakeid_hex_upto(timestamptz) IS 'last millisecond at or before an instant, in 12 hexadecimal digits';

CREATE FUNCTION @schema@.uuid7_min(timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 = timestamptz '-infinity' THEN uuid '00000000-0000-0000-0000-000000000000'
    WHEN $1 > timestamptz '10889-08-02 05:31:50.655+00' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    WHEN $1 IS NOT NULL THEN (@schema@._flakeid_hex_from($1) || '70008000000000000000'::text)::uuid END;
CREATE FUNCTION @schema@.uuid7_max(timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 < timestamptz '1970-01-01 00:00+00' THEN uuid '00000000-0000-0000-0000-000000000000'
    WHEN $1 = timestamptz 'infinity' THEN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    WHEN $1 IS NOT NULL THEN (@schema@._flakeid_hex_upto($1) || '7fffbfffffffffffffff'::text)::uuid END;

COMMENT ON FUNCTION @schema@.uuid7_min(timestamptz) IS 'lower bound of the UUIDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION @schema@.uuid7_max(timestamptz) IS 'upper bound of the UUIDs whose instant is at or before this one';

-- new ones: RFC 9562, section 6.2, method 3: 12 bits say where in its millisecond the microsecond is

CREATE FUNCTION @schema@._flakeid_uuid7(us bigint) RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN (lpad(to_hex((us / bigint '1000' << 16) + bigint '28672' + us % bigint '1000' * bigint '512' / bigint '125'), 16, '0')
    || substr(gen_random_uuid()::text, 20))::uuid;
CREATE FUNCTION @schema@._flakeid_no_uuid7(at timestamptz) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
    SET DateStyle = 'ISO'
AS $body$
BEGIN
    RAISE 'timestamp out of range for a version 7 UUID: "%"', at
        USING ERRCODE = 'datetime_field_overflow',
            DETAIL = format('A version 7 UUID holds instants from %s to %s.', timestamptz '1970-01-01 00:00+00', timestamptz '10889-08-02 05:31:50.655999+00');
END
$body$;

COMMENT ON FUNCTION @schema@._flakeid_uuid7(bigint) IS 'uuid of version 7 for a microsecond since 1970, with 62 random bits';
COMMENT ON FUNCTION @schema@._flakeid_no_uuid7(timestamptz) IS 'the error for an instant that no version 7 UUID holds';

-- What _flakeid_uuid7() computes, until the year 2540.  That names its argument twice, so with the clock it
-- would not be inlined.
DO $new$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        CREATE FUNCTION @schema@.uuid7_new() RETURNS uuid
            LANGUAGE sql VOLATILE PARALLEL SAFE
        RETURN uuidv7();
    ELSE
        CREATE FUNCTION @schema@.uuid7_new() RETURNS uuid
            LANGUAGE sql VOLATILE PARALLEL SAFE
        RETURN (overlay(lpad(to_hex((date_part('epoch', clock_timestamp()) * float8 '1000000')::bigint * bigint '512' / bigint '125'), 15, '0') PLACING '7' FROM 13 FOR 0)
            || substr(gen_random_uuid()::text, 20))::uuid;
    END IF;
END
$new$;
CREATE FUNCTION @schema@.uuid7_new_at(at timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN CASE WHEN at IS NULL THEN NULL::uuid
    WHEN at >= timestamptz '1970-01-01 00:00+00' AND at <= timestamptz '10889-08-02 05:31:50.655999+00'
        THEN @schema@._flakeid_uuid7(@schema@._flakeid_microseconds(at) + bigint '946684800000000')
    ELSE @schema@._flakeid_uuid7(@schema@._flakeid_no_uuid7(at)) END;

COMMENT ON FUNCTION @schema@.uuid7_new() IS 'new uuid of version 7: the clock''s microsecond and 62 random bits; on PostgreSQL 18 and newer, core''s uuidv7()';
COMMENT ON FUNCTION @schema@.uuid7_new_at(timestamptz) IS 'uuid of version 7 for an instant, to backfill: its microsecond and 62 random bits';
