/*
 * backfill.c
 *		Ticks for flakeid_backfill(), and the IDs that it makes in them.
 */
#include "types/flax.h"
#include "types/siq.h"
#include "types/sno.h"
#include "types/ulid.h"

#include "catalog/dependency.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

/* flakeid_own_type(type): the name of a type of ours; NULL for others, also if they have such a name. */
PG_FUNCTION_INFO_V1(flakeid_own_type);
Datum
flakeid_own_type(PG_FUNCTION_ARGS)
{
	Oid			type = PG_GETARG_OID(0);
	const FlakeFormat *format;

	if (getExtensionOfObject(TypeRelationId, type) != get_extension_oid("flakeid", false) ||
		(format = flake_format_of_type(&type)) == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(format->name));
}

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

/* ---------- places ---------- */

/*
 * The IDs that a backfill can make in a tick have places: the partition, shard or worker, and the
 * sequence number below it.  The functions have these arguments first: the type, siq's type, the
 * first number, how many there are, sno's meta and siq's domain.
 */
typedef struct Places
{
	const FlakeFormat *format;	/* ulid's for version 7 UUIDs */
	bool		is_uuid;
	const SiqType *siq;			/* any, for other types */
	uint32		each;			/* places of one number */
	int64		first;
	int64		count;
	unsigned	meta;
	uint32		domain;
} Places;

/* Return the type, and the places that one number has.  Reports 22023 or 22P02 if there is no such type. */
static Places
places_of_type(FunctionCallInfo fcinfo)
{
	Places		places = {.siq = siq_types};

	places.is_uuid = strcmp(TextDatumGetCString(PG_GETARG_DATUM(0)), "uuid7") == 0;
	places.format = places.is_uuid ? &flake_ulid : flake_format_named(PG_GETARG_TEXT_PP(0));
	places.each = 1 << places.format->sequence_bits;
	if (places.format->id == FLAKE_SIQ)
	{
		places.siq = siq_type_named(PG_GETARG_TEXT_PP(1));
		places.each = 1 << (16 - places.siq->bits);
	}
	else if (places.format == &flake_flax)
		places.each = 1000000000;	/* all bits but the time are random: they never run out */
	return places;
}

static Places
places_argument(FunctionCallInfo fcinfo)
{
	Places		places = places_of_type(fcinfo);

	places.first = PG_GETARG_INT32(2);
	places.count = PG_GETARG_INT32(3);
	places.meta = (unsigned) PG_GETARG_INT32(4);
	places.domain = (uint32) PG_GETARG_INT64(5);
	return places;
}

/*
 * flakeid_backfill_numbers(type, siq_type, number, OUT first, OUT count, OUT domain, OUT each):
 * choose the partitions, shards or workers of a backfill, from "number" on or, if it is -1, among
 * the last: numbers under which this database makes no new IDs.  "each" is how many places one has
 * in a tick.  Reports 22023 for a number that cannot be.
 */
PG_FUNCTION_INFO_V1(flakeid_backfill_numbers);
Datum
flakeid_backfill_numbers(PG_FUNCTION_ARGS)
{
	Places		places = places_of_type(fcinfo);
	const FlakeFormat *format = places.format;
	const char *type = places.is_uuid ? "uuid7" : format->name;
	int64		number = PG_GETARG_INT32(2);
	int64		own = flake_look() == NULL ? flake_identity.own[format->id].number : -1;
	int64		first = number;
	int64		count = format == &flake_sno ? 128 : format == &flake_siq ? 16 : 1;
	Datum		values[4];

	if (format->numbers <= 1 && number != -1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type %s has no partitions, shards or workers", type)));
	if (number == -1)
		first = format->numbers <= 1 ? 0
			: format->numbers - count - (own >= format->numbers - count ? count : 0);
	count = Min(count, Max(format->numbers, 1) - first);
	if (first < 0 || count <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number is out of range for type %s: " INT64_FORMAT, type, number),
				 errdetail("It must be 0 to %u.", format->numbers - 1)));
	if (format->numbers > 1 && own >= first && own < first + count)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number " INT64_FORMAT " of type %s is this database's own", own, type),
				 errdetail("A backfill from number " INT64_FORMAT " on uses the numbers up to " INT64_FORMAT ".", first, first + count - 1),
				 errhint("Omit the argument number, or choose numbers that no server uses for new IDs.")));
	values[0] = Int32GetDatum((int32) first);
	values[1] = Int32GetDatum((int32) count);
	values[2] = Int64GetDatum(flake_identity.siq_domain);
	values[3] = Int64GetDatum(places.each);
	PG_RETURN_DATUM(flake_row(fcinfo, values));
}

/*
 * flakeid_backfill_id(..., tick, place): the bytes of a new ID of that place; bits that it does not
 * use are random.  Reports 22003 for a tick or a place that the type does not have.
 */
PG_FUNCTION_INFO_V1(flakeid_backfill_id);
Datum
flakeid_backfill_id(PG_FUNCTION_ARGS)
{
	Places		places = places_argument(fcinfo);
	const FlakeFormat *format = places.format;
	uint64		tick = (uint64) flake_part(format, "tick", PG_GETARG_INT64(6), (int64) format->rate.last_tick);
	int64		place = flake_part(format, "place", PG_GETARG_INT64(7), places.count * places.each - 1);
	unsigned	number = (unsigned) (places.first + place / places.each);
	uint32		sequence = (uint32) (place % places.each);
	FlakeTicket ticket = {.tick = tick, .sequence = sequence, .leased = (uint64) flake_clock() * 1000};
	bytea	   *result = palloc0(VARHDRSZ + format->bytes);
	uint8	   *id = (uint8 *) VARDATA(result);
	SnoParts	sno = {.units = tick, .meta = places.meta, .partition = number, .sequence = sequence};
	SiqParts	siq = {.ticks = tick, .shard = number, .domain = places.domain};
	FlaxParts	flax = {.ms = tick};
	UlidParts	ulid;

	SET_VARSIZE(result, VARHDRSZ + format->bytes);
	switch (format->id)
	{
		case FLAKE_SNO:
			sno_pack(&sno, id);
			break;
		case FLAKE_SIQ:
			siq.low16 = sequence << places.siq->bits | places.siq->qualifier;
			siq_pack(&siq, id);
			break;
		case FLAKE_KSUID:
			ksuid_fill(ticket, id);
			break;
		case FLAKE_ULID:
			ulid_fill(ticket, &ulid);
			(places.is_uuid ? uuid7_pack : ulid_pack) (&ulid, id);
			break;
		case FLAKE_FLAX:
			flax.random = flake_random(ticket.leased) & (UINT64_MAX >> 8);
			flax_pack(&flax, id);
			break;
		default:				/* the time is above the number, and the sequence below */
			flake_min(format, flake_us_of(&format->rate, tick), id);
			flake_store(id, 8, flake_load(id, 8) | (uint64) number << format->sequence_bits | sequence);
	}
	PG_RETURN_BYTEA_P(result);
}

/* flakeid_backfill_place(..., bytes): the place of an ID, which anybody may have made; NULL: none of these. */
PG_FUNCTION_INFO_V1(flakeid_backfill_place);
Datum
flakeid_backfill_place(PG_FUNCTION_ARGS)
{
	Places		places = places_argument(fcinfo);
	uint8		id[FLAKE_MAX_BYTES];
	int64		number = 0;
	int64		sequence = 0;
	bool		ours = true;
	SnoParts	sno;
	SiqParts	siq;

	flake_from_bytea(places.format, PG_GETARG_BYTEA_PP(6), id);
	switch (places.format->id)
	{
		case FLAKE_SNO:
			sno_unpack(id, &sno);
			number = sno.partition;
			sequence = sno.sequence;
			ours = sno.tick_tock == 0 && sno.meta == places.meta;
			break;
		case FLAKE_SIQ:
			siq_unpack(id, &siq);
			number = siq.shard;
			sequence = siq.low16 >> places.siq->bits;
			ours = siq.domain == places.domain && siq_find_type(siq.low16) == places.siq - siq_types;
			break;
		case FLAKE_KSUID:
			sequence = (int64) flake_load(id + 4, 4) >> 4;
			break;
		case FLAKE_ULID:
			sequence = places.is_uuid ? (int64) (id[6] & 0x0f) << 14 | id[7] << 6 | (id[8] & 0x3f)
				: (int64) flake_load(id + 6, 3) >> 6;
			break;
		case FLAKE_FLAX:
			ours = false;		/* IDs of one millisecond have no order */
			break;
		default:
			sequence = (int64) (flake_load(id, 8) & (places.each - 1));
			number = (int64) (flake_load(id, 8) >> places.format->sequence_bits) & (places.format->numbers - 1);
	}
	if (!ours || number < places.first || number >= places.first + places.count)
		PG_RETURN_NULL();
	PG_RETURN_INT64((number - places.first) * places.each + sequence);
}
