/*
 * layout.c
 *		The time in IDs that are not of flakeid's types: UUIDs of version 7, ULIDs, and
 *		bigints of the layouts that well-known systems use.
 *
 * Each kind has a function that returns the instant of an ID, and two that return where
 * IDs begin and end in the order of their column:
 *
 *		instant(id) >= t	if and only if	id >= min(t)
 *		instant(id) <  t	if and only if	id <  min(t)
 *		instant(id) <= t	if and only if	id <= max(t)
 *		instant(id) >  t	if and only if	id >  max(t)
 *
 * min(t) is the first ID of the first unit of time that begins at or after t, max(t) the
 * last ID of the last unit that begins at or before t.  These must hold for all IDs and
 * instants, because bound.c replaces the left sides by the right ones.  At the ends of
 * the order there may be no value beyond the last ID, so each kind has its own solution:
 *
 *	- bigint: the least and the greatest one, and those whose time is out of range, have
 *	  the instants -infinity and infinity;
 *	- a ULID as uuid: the nil and the max UUID have these instants;
 *	- UUIDs of version 7: nil and max are of another version;
 *	- a ULID as text or bytea: '' is less than all of them, and '8' or 17 bytes are greater.
 *
 * Units of time are signed, because bigints below zero have instants before their layout's
 * epoch.
 */
#include "planner/planner.h"

#include "utils/builtins.h"
#include "utils/tuplestore.h"
#include "utils/uuid.h"

/*
 * Return the first unit that begins at or after t, last + 1 if there is none; or ("upto") the last one
 * that begins at or before it, first - 1 if there is none.
 */
int64
flake_unit_at(const FlakeUnits *units, TimestampTz t, bool upto)
{
	int64		us;
	int64		unit;

	if (TIMESTAMP_IS_NOBEGIN(t))
		return units->first - upto;
	if (TIMESTAMP_IS_NOEND(t))
		return units->last + !upto;
	us = flake_us_saturated(t) - units->epoch_us;
	unit = us / units->unit_us + (upto ? -(us % units->unit_us < 0) : us % units->unit_us > 0);
	return Min(Max(unit, units->first - upto), units->last + !upto);
}

TimestampTz
flake_unit_instant(const FlakeUnits *units, int64 unit)
{
	return flake_timestamptz(units->epoch_us + unit * units->unit_us);
}

/* ---------- UUIDs of version 7, ULIDs ---------- */

/* Both begin with the milliseconds since 1970 in 48 bits; the span ends in 10889. */
static const FlakeUnits milliseconds = {0, 1000, 0, (INT64CONST(1) << 48) - 1, 0};

/* Is it a UUID of version 7, of the RFC's variant? */
bool
flake_is_uuid7(const uint8 *uuid)
{
	return uuid[6] >> 4 == 7 && uuid[8] >> 6 == 2;
}

static TimestampTz
milliseconds_instant(const uint8 *id)
{
	return flake_unit_instant(&milliseconds, (int64) flake_load(id, 6));
}

/* Fill 16 bytes: the millisecond, then "rest" in each of the others. */
static void
fill(uint8 *id, int64 ms, uint8 rest)
{
	flake_store(id, 6, (uint64) ms);
	memset(id + 6, rest, 10);
}

/* Make a UUID of the given time one of version 7: the least (rest 0x00) or greatest (0xff). */
static void
set_version7(uint8 *id, uint8 rest)
{
	id[6] = 0x70 | (rest & 0x0f);
	id[8] = 0x80 | (rest & 0x3f);
}

/* Return min(t) or max(t) of a uuid, of version 7 or, as ULIDs are, of any. */
static Datum
uuid_bound(TimestampTz t, bool max, bool version7)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	int64		ms = flake_unit_at(&milliseconds, t, max);
	uint8		rest = max ? 0xff : 0x00;

	if (ms < 0 || ms > milliseconds.last)
		fill(uuid->data, max ? 0 : milliseconds.last, ~rest);
	else
	{
		fill(uuid->data, ms, rest);
		if (version7 && !TIMESTAMP_NOT_FINITE(t))
			set_version7(uuid->data, rest);
		else if (ms == (max ? milliseconds.last : 0) && !TIMESTAMP_NOT_FINITE(t))
			uuid->data[UUID_LEN - 1] ^= 1;	/* nil precedes every instant, max
											 * follows them all */
	}
	return UUIDPGetDatum(uuid);
}

FLAKE_FUNCTION(uuid7_min, uuid_bound(PG_GETARG_TIMESTAMPTZ(0), false, true))
FLAKE_FUNCTION(uuid7_max, uuid_bound(PG_GETARG_TIMESTAMPTZ(0), true, true))
FLAKE_FUNCTION(ulid_uuid_min, uuid_bound(PG_GETARG_TIMESTAMPTZ(0), false, false))
FLAKE_FUNCTION(ulid_uuid_max, uuid_bound(PG_GETARG_TIMESTAMPTZ(0), true, false))

PG_FUNCTION_INFO_V1(uuid7_timestamp);
Datum
uuid7_timestamp(PG_FUNCTION_ARGS)
{
	const uint8 *uuid = PG_GETARG_UUID_P(0)->data;

	if (!flake_is_uuid7(uuid))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(milliseconds_instant(uuid));
}

/* Return true for version 7, NULL for others, like uuid7_timestamp(). */
PG_FUNCTION_INFO_V1(is_uuid7);
Datum
is_uuid7(PG_FUNCTION_ARGS)
{
	if (!flake_is_uuid7(PG_GETARG_UUID_P(0)->data))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(true);
}

PG_FUNCTION_INFO_V1(ulid_timestamp_uuid);
Datum
ulid_timestamp_uuid(PG_FUNCTION_ARGS)
{
	const uint8 *id = PG_GETARG_UUID_P(0)->data;

	if (flake_load(id, 8) == 0 && flake_load(id + 8, 8) == 0)
		PG_RETURN_TIMESTAMPTZ(DT_NOBEGIN);
	if (~flake_load(id, 8) == 0 && ~flake_load(id + 8, 8) == 0)
		PG_RETURN_TIMESTAMPTZ(DT_NOEND);
	PG_RETURN_TIMESTAMPTZ(milliseconds_instant(id));
}

PG_FUNCTION_INFO_V1(ulid_timestamp_bytea);
Datum
ulid_timestamp_bytea(PG_FUNCTION_ARGS)
{
	bytea	   *id = PG_GETARG_BYTEA_PP(0);

	if (VARSIZE_ANY_EXHDR(id) != 16)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid length of bytea for a ULID"),
				 errdetail("A ULID has 16 bytes, not %d.", (int) VARSIZE_ANY_EXHDR(id))));
	PG_RETURN_TIMESTAMPTZ(milliseconds_instant((uint8 *) VARDATA_ANY(id)));
}

static Datum
ulid_bytea_bound(TimestampTz t, bool max)
{
	int64		ms = flake_unit_at(&milliseconds, t, max);
	int			length = ms < 0 ? 0 : ms > milliseconds.last ? 17 : 16;
	bytea	   *id = palloc(VARHDRSZ + length);

	SET_VARSIZE(id, VARHDRSZ + length);
	if (length == 16)
		fill((uint8 *) VARDATA(id), ms, max ? 0xff : 0x00);
	else
		memset(VARDATA(id), 0xff, length);
	return PointerGetDatum(id);
}

FLAKE_FUNCTION(ulid_bytea_min, ulid_bytea_bound(PG_GETARG_TIMESTAMPTZ(0), false))
FLAKE_FUNCTION(ulid_bytea_max, ulid_bytea_bound(PG_GETARG_TIMESTAMPTZ(0), true))

/* ---------- bigints ---------- */

/* How a system packs the time into a bigint: above the low bits, with a sign. */
typedef struct Layout
{
	const char *name;
	int64		epoch_us;		/* of the ID 0, since 1970 */
	int64		unit_us;
	int			low_bits;
	const char *low_parts;		/* what the low bits are, for the view */
} Layout;

/* docs/existing.md says where these numbers come from.  src/sql-edition/layout.sql has them, too. */
static const Layout layouts[] = {
	{"discord", INT64CONST(1420070400000000), 1000, 22, "worker 5, process 5, increment 12"},
	{"instagram", INT64CONST(1314220021721000), 1000, 23, "shard 13, sequence 10"},
	{"mastodon", 0, 1000, 16, "sequence 16"},
	{"pgedge", INT64CONST(1672531200000000), 1000, 22, "node 10, counter 12"},
	{"sonyflake", INT64CONST(1409529600000000), 10000, 24, "sequence 8, machine 16"},
	{"sonyflake2", INT64CONST(1735689600000000), 10000, 24, "sequence 8, machine 16"},
	{"twitter", INT64CONST(1288834974657000), 1000, 22, "datacenter 5, worker 5, sequence 12"},
};

/*
 * The first and the last finite instant of an ID, in us since 1970: the one after the first
 * of timestamptz, which stands for dates before all of these, and the last before those
 * that flake_us_saturated() makes equal, in January 294247.
 */
#define FIRST_US	(MIN_TIMESTAMP + FLAKE_PG_EPOCH_US + 1)
#define LAST_US		(PG_INT64_MAX - 1)

/*
 * Epochs end at 9999-12-31 23:59:59.999999, a little before subtracting one from an
 * instant would overflow.
 */
#define LAST_EPOCH_US	INT64CONST(253402300799999999)

/*
 * Return the units of a layout.  Those that begin before FIRST_US or after LAST_US have
 * infinite instants.
 */
static FlakeUnits
layout_units(int64 epoch_us, int64 unit_us, int low_bits)
{
	FlakeUnits	units = {.epoch_us = epoch_us, .unit_us = unit_us, .low_bits = low_bits};

	units.first = Max(PG_INT64_MIN >> low_bits, (FIRST_US - epoch_us) / unit_us);
	units.last = Min(PG_INT64_MAX >> low_bits, (LAST_US - epoch_us) / unit_us);
	return units;
}

/*
 * Return the units of a named layout; for an unknown name raise an error (22023) that
 * lists the layouts.
 */
static FlakeUnits
named_layout(const text *name)
{
	StringInfoData names;

	for (int i = 0; i < (int) lengthof(layouts); i++)
	{
		const Layout *layout = &layouts[i];
		size_t		length = strlen(layout->name);

		if (length == VARSIZE_ANY_EXHDR(name) && memcmp(layout->name, VARDATA_ANY(name), length) == 0)
			return layout_units(layout->epoch_us, layout->unit_us, layout->low_bits);
	}
	initStringInfo(&names);
	for (int i = 0; i < (int) lengthof(layouts); i++)
		appendStringInfo(&names, "%s%s", i > 0 ? ", " : "", layouts[i].name);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized layout: \"%s\"", text_to_cstring(name)),
			 errdetail("The layouts are %s.", names.data),
			 errhint("The view flakeid_layouts describes them. For a layout of your own, give epoch, low_bits and unit instead of a name.")));
}

/*
 * Return the units of a layout that the caller describes.  Raise an error (22008) for an
 * epoch that is not from 1970 to 9999, and (22023) for low bits that leave no time or a
 * unit that is not a positive number of microseconds.
 */
static FlakeUnits
own_layout(TimestampTz epoch, int32 low_bits, const Interval *unit)
{
	int64		epoch_us = flake_us_saturated(epoch);

	if (epoch_us < 0 || epoch_us > LAST_EPOCH_US)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("epoch of a layout is out of range: \"%s\"", timestamptz_to_str(epoch)),
				 errdetail("It must be from 1970-01-01 to 9999-12-31 UTC.")));
	if (low_bits < 0 || low_bits > 62)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("low_bits of a layout is out of range: %d", low_bits),
				 errdetail("It must be 0 to 62, the bits of a bigint below its time.")));
	if (unit->month != 0 || unit->day != 0 || unit->time <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unit of a layout is out of range: \"%s\"",
						DatumGetCString(DirectFunctionCall1(interval_out, IntervalPGetDatum(unit)))),
				 errdetail("It must be at least a microsecond, and be written without days and months.")));
	return layout_units(epoch_us, unit->time, low_bits);
}

/* Return the units of the layout that the arguments after the first one name or describe. */
static FlakeUnits
layout_argument(FunctionCallInfo fcinfo)
{
	if (PG_NARGS() == 2)
		return named_layout(PG_GETARG_TEXT_PP(1));
	return own_layout(PG_GETARG_TIMESTAMPTZ(1), PG_GETARG_INT32(2), PG_GETARG_INTERVAL_P(3));
}

/* Return the least or the greatest ID of a unit, of those that have finite instants. */
static int64
layout_id(const FlakeUnits *units, int64 unit, bool greatest)
{
	int64		id = (int64) ((uint64) unit << units->low_bits | (greatest ? (UINT64CONST(1) << units->low_bits) - 1 : 0));

	return greatest ? Min(id, PG_INT64_MAX - 1) : Max(id, PG_INT64_MIN + 1);
}

PG_FUNCTION_INFO_V1(layout_timestamp);
Datum
layout_timestamp(PG_FUNCTION_ARGS)
{
	int64		id = PG_GETARG_INT64(0);
	FlakeUnits	units = layout_argument(fcinfo);

	if (id < layout_id(&units, units.first, false))
		PG_RETURN_TIMESTAMPTZ(DT_NOBEGIN);
	if (id > layout_id(&units, units.last, true))
		PG_RETURN_TIMESTAMPTZ(DT_NOEND);
	PG_RETURN_TIMESTAMPTZ(flake_unit_instant(&units, id >> units.low_bits));
}

static Datum
layout_bound(FunctionCallInfo fcinfo, bool max)
{
	TimestampTz t = PG_GETARG_TIMESTAMPTZ(0);
	FlakeUnits	units = layout_argument(fcinfo);
	int64		unit = flake_unit_at(&units, t, max);

	if (max ? TIMESTAMP_IS_NOEND(t) : TIMESTAMP_IS_NOBEGIN(t))
		PG_RETURN_INT64(max ? PG_INT64_MAX : PG_INT64_MIN);
	if (unit < units.first)
		PG_RETURN_INT64(layout_id(&units, units.first, false) - 1);
	if (unit > units.last)
		PG_RETURN_INT64(layout_id(&units, units.last, true) + 1);
	PG_RETURN_INT64(layout_id(&units, unit, max));
}

FLAKE_FUNCTION(layout_min, layout_bound(fcinfo, false))
FLAKE_FUNCTION(layout_max, layout_bound(fcinfo, true))

/* Return a row for each layout, with the constants of its definition. */
PG_FUNCTION_INFO_V1(flakeid_show_layouts);
Datum
flakeid_show_layouts(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < (int) lengthof(layouts); i++)
	{
		const Layout *layout = &layouts[i];
		int64		units = (PG_INT64_MAX >> layout->low_bits) + 1;
		Interval   *unit = palloc0(sizeof(Interval));
		Datum		values[7];
		bool		nulls[7] = {0};

		unit->time = layout->unit_us;
		values[0] = CStringGetTextDatum(layout->name);
		values[1] = TimestampTzGetDatum(flake_timestamptz(layout->epoch_us));
		values[2] = TimestampTzGetDatum(flake_timestamptz(layout->epoch_us + units * layout->unit_us - 1));
		values[3] = IntervalPGetDatum(unit);
		values[4] = Int32GetDatum(63 - layout->low_bits);
		values[5] = Int32GetDatum(layout->low_bits);
		values[6] = CStringGetTextDatum(layout->low_parts);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
