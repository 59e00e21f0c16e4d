/*
 * backfill.c
 *		Ticks for flakeid_backfill(), and IDs that have a counter before random bits.
 */
#include "types/ulid.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

/* flakeid_tick_of(format, timestamptz): the tick that contains the instant; 22008 outside the format's span. */
PG_FUNCTION_INFO_V1(flakeid_tick_of);
Datum
flakeid_tick_of(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = flake_format_named(PG_GETARG_TEXT_PP(0));

	PG_RETURN_INT64((int64) flake_tick_of(&format->rate, flake_us_in_span(format, PG_GETARG_TIMESTAMPTZ(1))));
}

/* flakeid_tick_start(format, tick): the first whole microsecond of a tick. */
PG_FUNCTION_INFO_V1(flakeid_tick_start);
Datum
flakeid_tick_start(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = flake_format_named(PG_GETARG_TEXT_PP(0));
	int64		tick = PG_GETARG_INT64(1);

	if (tick < 0 || (uint64) tick > format->rate.last_tick)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("tick is out of range for type %s: " INT64_FORMAT, format->name, tick),
				 flake_span_detail(format)));
	PG_RETURN_TIMESTAMPTZ(flake_timestamptz(flake_us_of(&format->rate, (uint64) tick)));
}

/* The IDs that have a counter before random bits. */
typedef enum CountedType
{
	COUNTED_UUID7,
	COUNTED_ULID,
	COUNTED_KSUID
} CountedType;

static CountedType
counted_type(const text *name)
{
	const char *type = text_to_cstring(name);

	if (strcmp(type, "uuid7") == 0)
		return COUNTED_UUID7;
	if (strcmp(type, "ulid") == 0)
		return COUNTED_ULID;
	if (strcmp(type, "ksuid") == 0)
		return COUNTED_KSUID;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized type of ID: \"%s\"", type),
			 errdetail("Counted IDs are uuid7, ulid and ksuid.")));
	return COUNTED_UUID7;		/* not reached */
}

/*
 * flakeid_counted_id(type, tick, counter): the bytes of a new ID that begins with a tick and a
 * counter, the rest being random.  Reports 22003 for a tick or a counter that the type cannot hold.
 */
PG_FUNCTION_INFO_V1(flakeid_counted_id);
Datum
flakeid_counted_id(PG_FUNCTION_ARGS)
{
	CountedType type = counted_type(PG_GETARG_TEXT_PP(0));
	const FlakeFormat *format = type == COUNTED_KSUID ? &flake_ksuid : &flake_ulid;
	int64		tick = flake_part(format, "tick", PG_GETARG_INT64(1), (int64) format->rate.last_tick);
	int64		counter = flake_part(format, "counter", PG_GETARG_INT64(2), (INT64CONST(1) << format->sequence_bits) - 1);
	FlakeTicket ticket = {.tick = (uint64) tick, .sequence = (uint32) counter, .leased = (uint64) flake_clock() * 1000};
	bytea	   *result = palloc(VARHDRSZ + format->bytes);
	uint8	   *id = (uint8 *) VARDATA(result);
	UlidParts	parts;

	SET_VARSIZE(result, VARHDRSZ + format->bytes);
	if (type == COUNTED_KSUID)
		ksuid_fill(ticket, id);
	else
	{
		ulid_fill(ticket, &parts);
		if (type == COUNTED_ULID)
			ulid_pack(&parts, id);
		else
			uuid7_pack(&parts, id);
	}
	PG_RETURN_BYTEA_P(result);
}

/* flakeid_counter_of(type, bytes): the counter in the bytes of such an ID, which anybody may have made. */
PG_FUNCTION_INFO_V1(flakeid_counter_of);
Datum
flakeid_counter_of(PG_FUNCTION_ARGS)
{
	CountedType type = counted_type(PG_GETARG_TEXT_PP(0));
	const FlakeFormat *format = type == COUNTED_KSUID ? &flake_ksuid : &flake_ulid;
	bytea	   *bytes = PG_GETARG_BYTEA_PP(1);
	uint8		id[FLAKE_MAX_BYTES];

	flake_from_bytea(format, bytes, id);
	switch (type)
	{
		case COUNTED_UUID7:
			PG_RETURN_INT64((int64) (id[6] & 0x0f) << 14 | id[7] << 6 | (id[8] & 0x3f));
		case COUNTED_ULID:
			PG_RETURN_INT64((int64) flake_load(id + 6, 3) >> 6);
		case COUNTED_KSUID:
			PG_RETURN_INT64((int64) flake_load(id + 4, 4) >> 4);
	}
	PG_RETURN_NULL();			/* not reached */
}
