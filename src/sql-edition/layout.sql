/* ---------- bigints of a layout ---------- */

-- A layout is an array of three numbers: its epoch and its unit in microseconds, and the bits
-- below its time.  The planner computes it once where the layout is a constant.

CREATE FUNCTION @schema@._flakeid_layout(layout text) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    numbers CONSTANT bigint[] := CASE layout
        WHEN 'discord' THEN '{1420070400000000, 1000, 22}'
        WHEN 'instagram' THEN '{1314220021721000, 1000, 23}'
        WHEN 'mastodon' THEN '{0, 1000, 16}'
        WHEN 'pgedge' THEN '{1672531200000000, 1000, 22}'
        WHEN 'sonyflake' THEN '{1409529600000000, 10000, 24}'
        WHEN 'sonyflake2' THEN '{1735689600000000, 10000, 24}'
        WHEN 'twitter' THEN '{1288834974657000, 1000, 22}'
    END;
BEGIN
    IF numbers IS NULL THEN
        RAISE 'unrecognized layout: "%"', layout
            USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'The layouts are discord, instagram, mastodon, pgedge, sonyflake, sonyflake2, twitter.',
                HINT = 'The view flakeid_layouts describes them. For a layout of your own, give epoch, low_bits and unit instead of a name.';
    END IF;
    RETURN numbers;
END
$body$;
CREATE FUNCTION @schema@._flakeid_own_layout(epoch timestamptz, low_bits int, unit interval) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
    SET DateStyle = 'ISO'
AS $body$
BEGIN
    IF NOT (epoch >= '1970-01-01 00:00+00' AND epoch <= '9999-12-31 23:59:59.999999+00') THEN
        RAISE 'epoch of a layout is out of range: "%"', epoch
            USING ERRCODE = 'datetime_field_overflow', DETAIL = 'It must be from 1970-01-01 to 9999-12-31 UTC.';
    ELSIF low_bits NOT BETWEEN 0 AND 62 THEN
        RAISE 'low_bits of a layout is out of range: %', low_bits
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be 0 to 62, the bits of a bigint below its time.';
    ELSIF encode(substr(interval_send(unit), 9), 'hex') <> '0000000000000000' OR unit <= '0' THEN
        RAISE 'unit of a layout is out of range: "%"', unit
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'It must be at least a microsecond, and be written without days and months.';
    END IF;
    RETURN ARRAY[('x' || encode(timestamptz_send(epoch), 'hex'))::bit(64)::bigint + 946684800000000,
        ('x' || encode(substr(interval_send(unit), 1, 8), 'hex'))::bit(64)::bigint, low_bits];
END
$body$;

COMMENT ON FUNCTION @schema@._flakeid_layout(text) IS 'the numbers of a layout, or an error';
COMMENT ON FUNCTION @schema@._flakeid_own_layout(timestamptz, int, interval) IS 'the numbers of a layout of one''s own, or an error';

-- In both, first and last are the units that have a finite instant.
CREATE FUNCTION @schema@._flakeid_layout_instant(id bigint, layout bigint[]) RETURNS timestamptz
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    epoch CONSTANT bigint := layout[1];
    unit CONSTANT bigint := layout[2];
    low_bits CONSTANT int := layout[3];
    first CONSTANT bigint := greatest((-9223372036854775808) >> low_bits, (-210866803199999999 - epoch) / unit);
    last CONSTANT bigint := least(9223372036854775807 >> low_bits, (9223372036854775806 - epoch) / unit);
    us bigint;
BEGIN
    IF id <= greatest(first << low_bits, -9223372036854775807) - 1 THEN
        RETURN '-infinity';
    ELSIF id >= least((last << low_bits) | ((1::bigint << low_bits) - 1), 9223372036854775806) + 1 THEN
        RETURN 'infinity';
    END IF;
    us := epoch + (id >> low_bits) * unit;
    RETURN (timestamp '1970-01-01' + make_interval(days => (us / 86400000000)::int, secs => (us % 86400000000)::float8 / 1000000)) AT TIME ZONE interval '0';
END
$body$;
-- The lower bound if side is 1, the upper one if it is -1.
CREATE FUNCTION @schema@._flakeid_layout_bound(at timestamptz, layout bigint[], side int) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $body$
DECLARE
    epoch CONSTANT bigint := layout[1];
    unit CONSTANT bigint := layout[2];
    low_bits CONSTANT int := layout[3];
    first CONSTANT bigint := greatest((-9223372036854775808) >> low_bits, (-210866803199999999 - epoch) / unit);
    last CONSTANT bigint := least(9223372036854775807 >> low_bits, (9223372036854775806 - epoch) / unit);
    below CONSTANT bigint := (1::bigint << low_bits) - 1;
    us bigint;
    tick bigint;
BEGIN
    IF at = '-infinity' AND side > 0 THEN
        RETURN -9223372036854775808;
    ELSIF at = 'infinity' AND side < 0 THEN
        RETURN 9223372036854775807;
    ELSIF isfinite(at) THEN
        us := least(('x' || encode(timestamptz_send(at), 'hex'))::bit(64)::bigint, 9222425352054775807) + 946684800000000 - epoch;
        tick := us / unit + CASE WHEN us % unit * side > 0 THEN side ELSE 0 END;
    END IF;
    IF side > 0 AND (at = 'infinity' OR tick > last) THEN
        RETURN least((last << low_bits) | below, 9223372036854775806) + 1;
    ELSIF side > 0 THEN
        RETURN greatest(greatest(tick, first) << low_bits, -9223372036854775807);
    ELSIF at = '-infinity' OR tick < first THEN
        RETURN greatest(first << low_bits, -9223372036854775807) - 1;
    END IF;
    RETURN least((least(tick, last) << low_bits) | below, 9223372036854775806);
END
$body$;

COMMENT ON FUNCTION @schema@._flakeid_layout_instant(bigint, bigint[]) IS 'instant of an ID of a layout';
COMMENT ON FUNCTION @schema@._flakeid_layout_bound(timestamptz, bigint[], int) IS 'bound of the IDs of a layout, lower or upper';

CREATE FUNCTION @schema@.layout_timestamp(id bigint, layout text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN id IS NOT NULL THEN @schema@._flakeid_layout_instant(id, @schema@._flakeid_layout(layout)) END;
CREATE FUNCTION @schema@.layout_min(at timestamptz, layout text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN at IS NOT NULL THEN @schema@._flakeid_layout_bound(at, @schema@._flakeid_layout(layout), 1) END;
CREATE FUNCTION @schema@.layout_max(at timestamptz, layout text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN at IS NOT NULL THEN @schema@._flakeid_layout_bound(at, @schema@._flakeid_layout(layout), -1) END;
CREATE FUNCTION @schema@.layout_timestamp(id bigint, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN id IS NOT NULL THEN @schema@._flakeid_layout_instant(id, @schema@._flakeid_own_layout(epoch, low_bits, unit)) END;
CREATE FUNCTION @schema@.layout_min(at timestamptz, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN at IS NOT NULL THEN @schema@._flakeid_layout_bound(at, @schema@._flakeid_own_layout(epoch, low_bits, unit), 1) END;
CREATE FUNCTION @schema@.layout_max(at timestamptz, epoch timestamptz, low_bits int, unit interval DEFAULT '1 ms') RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN at IS NOT NULL THEN @schema@._flakeid_layout_bound(at, @schema@._flakeid_own_layout(epoch, low_bits, unit), -1) END;

COMMENT ON FUNCTION @schema@.layout_timestamp(bigint, text) IS 'instant of an ID of a layout in flakeid_layouts: the start of its unit of time; the infinities for the least and the greatest bigint';
COMMENT ON FUNCTION @schema@.layout_min(timestamptz, text) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION @schema@.layout_max(timestamptz, text) IS 'upper bound of the IDs whose instant is at or before this one';
COMMENT ON FUNCTION @schema@.layout_timestamp(bigint, timestamptz, int, interval) IS 'instant of an ID of a layout of your own: epoch + unit * (id >> low_bits); the infinities for the least and the greatest bigint, and beyond timestamptz';
COMMENT ON FUNCTION @schema@.layout_min(timestamptz, timestamptz, int, interval) IS 'lower bound of the IDs whose instant is at or after this one; also a partition bound';
COMMENT ON FUNCTION @schema@.layout_max(timestamptz, timestamptz, int, interval) IS 'upper bound of the IDs whose instant is at or before this one';

CREATE VIEW @schema@.flakeid_layouts AS
    SELECT l.name, @schema@.layout_timestamp(bigint '0', l.name)::timestamptz AS epoch,
        @schema@.layout_timestamp(bigint '9223372036854775806', l.name)::timestamptz + interval '1 us' * (n.numbers[2] - bigint '1')::float8 AS last_timestamp,
        interval '1 us' * (n.numbers[2])::float8 AS resolution, 63 - (n.numbers[3])::int AS timestamp_bits, (n.numbers[3])::int AS low_bits, l.low_parts
    FROM (VALUES ('discord'::text, 'worker 5, process 5, increment 12'::text), ('instagram', 'shard 13, sequence 10'), ('mastodon', 'sequence 16'),
        ('pgedge', 'node 10, counter 12'), ('sonyflake', 'sequence 8, machine 16'), ('sonyflake2', 'sequence 8, machine 16'),
        ('twitter', 'datacenter 5, worker 5, sequence 12')) AS l (name, low_parts),
        LATERAL (SELECT @schema@._flakeid_layout(l.name) AS numbers) AS n;
GRANT SELECT ON @schema@.flakeid_layouts TO PUBLIC;

COMMENT ON VIEW @schema@.flakeid_layouts IS 'layouts of bigint IDs that layout_timestamp knows';
COMMENT ON COLUMN @schema@.flakeid_layouts.name IS 'what the functions call the layout';
COMMENT ON COLUMN @schema@.flakeid_layouts.epoch IS 'instant of the ID 0';
COMMENT ON COLUMN @schema@.flakeid_layouts.last_timestamp IS 'last instant of the last ID';
COMMENT ON COLUMN @schema@.flakeid_layouts.resolution IS 'the unit of time that the ID counts';
COMMENT ON COLUMN @schema@.flakeid_layouts.timestamp_bits IS 'bits of the time, above the others and below the sign';
COMMENT ON COLUMN @schema@.flakeid_layouts.low_bits IS 'bits below the time';
COMMENT ON COLUMN @schema@.flakeid_layouts.low_parts IS 'what the bits below the time are, from the highest';
