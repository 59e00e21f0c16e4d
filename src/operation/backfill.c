/*
 * backfill.c
 *		The IDs of flakeid_backfill(): which ones rows get, and how they are made.
 *
 * The IDs that a backfill can make in a tick have places: the partition, shard or worker, and the
 * sequence number below it.  The column itself shows which places of a tick are taken, so an
 * interrupted backfill can be continued.
 */
#include "operation/operation.h"
#include "types/flax.h"
#include "types/siq.h"
#include "types/sno.h"
#include "types/ulid.h"

#include "catalog/dependency.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

extern PGDLLEXPORT Datum flakeid_hold(PG_FUNCTION_ARGS);

/* IDs of one tick that are fetched at once, once its first one is there. */
#define FETCH	100

/* What the IDs of a backfill have in common, and how far it got. */
typedef struct Backfill
{
	const FlakeFormat *format;	/* ulid's for version 7 UUIDs */
	bool		is_uuid;
	const char *label;			/* the column's type, in messages */
	const SiqType *siq;
	uint32		each;			/* places of one number in a tick */
	int64		first;			/* the first number */
	int64		numbers;		/* and how many there are */
	unsigned	meta;
	uint32		domain;

	/*
	 * The column: its type, and the query for its IDs from $1 on, in their
	 * order.
	 */
	Oid			type;
	int16		width;
	bool		by_value;
	char		align;
	SPIPlanPtr	from;

	/*
	 * The next place.  In the ticks from it up to "ahead" the column has no
	 * ID.
	 */
	uint64		tick;
	int64		place;
	uint64		ahead;
} Backfill;

/* ---------- the formats ---------- */

/* Make the ID of a number's place in a tick; bits that these do not use are random. */
typedef void (*Make) (const Backfill *b, FlakeTicket ticket, unsigned number, uint8 *id);

/* Read the number and the sequence number of an ID, which anybody may have made; false if no such backfill has. */
typedef bool (*Read) (const Backfill *b, const uint8 *id, unsigned *number, uint32 *sequence);

static void
make_sno(const Backfill *b, FlakeTicket ticket, unsigned number, uint8 *id)
{
	SnoParts	parts = {.units = ticket.tick, .meta = b->meta, .partition = number, .sequence = ticket.sequence};

	sno_pack(&parts, id);
}

static bool
read_sno(const Backfill *b, const uint8 *id, unsigned *number, uint32 *sequence)
{
	SnoParts	parts;

	sno_unpack(id, &parts);
	*number = parts.partition;
	*sequence = parts.sequence;
	return parts.tick_tock == 0 && parts.meta == b->meta;
}

static void
make_siq(const Backfill *b, FlakeTicket ticket, unsigned number, uint8 *id)
{
	SiqParts	parts = {.ticks = ticket.tick, .shard = number, .domain = b->domain};

	parts.low16 = ticket.sequence << b->siq->bits | b->siq->qualifier;
	siq_pack(&parts, id);
}

static bool
read_siq(const Backfill *b, const uint8 *id, unsigned *number, uint32 *sequence)
{
	SiqParts	parts;

	siq_unpack(id, &parts);
	*number = parts.shard;
	*sequence = parts.low16 >> b->siq->bits;
	return parts.domain == b->domain && siq_find_type(parts.low16) == b->siq - siq_types;
}

/* uid64 and snowflake: the time is above the number, and the sequence below. */
static void
make_packed(const Backfill *b, FlakeTicket ticket, unsigned number, uint8 *id)
{
	flake_min(b->format, flake_us_of(&b->format->rate, ticket.tick), id);
	flake_store(id, 8, flake_load(id, 8) | (uint64) number << b->format->sequence_bits | ticket.sequence);
}

static bool
read_packed(const Backfill *b, const uint8 *id, unsigned *number, uint32 *sequence)
{
	*number = (unsigned) (flake_load(id, 8) >> b->format->sequence_bits) & (Max(b->format->numbers, 1) - 1);
	*sequence = (uint32) flake_load(id, 8) & (b->each - 1);
	return true;
}

static void
make_ulid(const Backfill *b, FlakeTicket ticket, unsigned number pg_attribute_unused(), uint8 *id)
{
	UlidParts	parts;

	ulid_fill(ticket, &parts);
	(b->is_uuid ? uuid7_pack : ulid_pack) (&parts, id);
}

static bool
read_ulid(const Backfill *b, const uint8 *id, unsigned *number, uint32 *sequence)
{
	*number = 0;
	*sequence = b->is_uuid ? (uint32) (id[6] & 0x0f) << 14 | (uint32) id[7] << 6 | (id[8] & 0x3f)
		: (uint32) flake_load(id + 6, 3) >> 6;
	return !b->is_uuid || (id[6] >> 4 == 7 && id[8] >> 6 == 2);
}

static void
make_ksuid(const Backfill *b pg_attribute_unused(), FlakeTicket ticket, unsigned number pg_attribute_unused(), uint8 *id)
{
	ksuid_fill(ticket, id);
}

static bool
read_ksuid(const Backfill *b pg_attribute_unused(), const uint8 *id, unsigned *number, uint32 *sequence)
{
	*number = 0;
	*sequence = (uint32) flake_load(id + 4, 4) >> 4;
	return true;
}

static void
make_flax(const Backfill *b pg_attribute_unused(), FlakeTicket ticket, unsigned number pg_attribute_unused(), uint8 *id)
{
	FlaxParts	parts = {.ms = ticket.tick, .random = flake_random(ticket.leased) & (UINT64_MAX >> 8)};

	flax_pack(&parts, id);
}

typedef struct Way
{
	int			numbers;		/* partitions, shards or workers that a
								 * backfill uses */
	Make		make;
	Read		read;			/* NULL: all bits but the time are random, so
								 * a tick is never full */
} Way;

/* The formats that have a backfill. */
static const Way ways[FLAKE_FORMATS] = {
	[FLAKE_SNO] = {128, make_sno, read_sno},
	[FLAKE_FLAX] = {1, make_flax, NULL},
	[FLAKE_SIQ] = {16, make_siq, read_siq},
	[FLAKE_UID64] = {1, make_packed, read_packed},
	[FLAKE_SNOWFLAKE] = {1, make_packed, read_packed},
	[FLAKE_ULID] = {1, make_ulid, read_ulid},
	[FLAKE_KSUID] = {1, make_ksuid, read_ksuid},
};

/* ---------- arguments ---------- */

/* Return the format of a type of ours; NULL for others, also if they have such a name. */
static const FlakeFormat *
own_format(Oid type)
{
	if (getExtensionOfObject(TypeRelationId, type) != get_extension_oid("flakeid", false))
		return NULL;
	return flake_format_of_type(&type);
}

/* flakeid_own_type(type): the name of a type of ours; NULL for others, also if they have such a name. */
PG_FUNCTION_INFO_V1(flakeid_own_type);
Datum
flakeid_own_type(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = own_format(PG_GETARG_OID(0));

	if (format == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(format->name));
}

/*
 * Choose the partitions, shards or workers of a backfill, from "number" on or, if it is -1, among
 * the last: numbers under which this database makes no new IDs.  Reports 22023 for a number that
 * cannot be.
 */
static void
choose_numbers(Backfill *b, int64 number)
{
	const FlakeFormat *format = b->format;
	int64		own = flake_look() == NULL ? flake_identity.own[format->id].number : -1;
	int64		numbers = ways[format->id].numbers;

	if (format->numbers <= 1 && number != -1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type %s has no partitions, shards or workers", b->label)));
	if (format->numbers <= 1)
		number = 0;
	else if (number == -1)
		number = format->numbers - numbers - (own >= format->numbers - numbers ? numbers : 0);
	b->first = number;
	b->numbers = Min(numbers, Max(format->numbers, 1) - number);
	if (number < 0 || b->numbers <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number is out of range for type %s: " INT64_FORMAT, b->label, number),
				 errdetail("It must be 0 to %u.", format->numbers - 1)));
	if (format->numbers > 1 && own >= number && own < number + b->numbers)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number " INT64_FORMAT " of type %s is this database's own", own, b->label),
				 errdetail("A backfill from number " INT64_FORMAT " on uses the numbers up to " INT64_FORMAT ".", number, number + b->numbers - 1),
				 errhint("Omit the argument number, or choose numbers that no server uses for new IDs.")));
	b->domain = flake_identity.siq_domain;
}

/*
 * Return what the arguments (target, id_column, number, meta, siq_type) say of a backfill.  Reports
 * 42703 if there is no such column, 42809 for one whose type has none, and 22023 or 22P02 for wrong
 * arguments.
 */
static Backfill
backfill_arguments(FunctionCallInfo fcinfo)
{
	Oid			target = PG_GETARG_OID(0);
	const char *column = NameStr(*PG_GETARG_NAME(1));
	text	   *siq_type = PG_GETARG_TEXT_PP(4);
	Backfill	b = {.siq = siq_types, .meta = (unsigned) PG_GETARG_INT32(3)};

	b.type = get_atttype(target, get_attnum(target, column));
	if (!OidIsValid(b.type))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" does not exist", column)));
	b.is_uuid = b.type == UUIDOID;
	b.format = b.is_uuid ? &flake_ulid : own_format(b.type);
	if (b.format == NULL || ways[b.format->id].make == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("column \"%s\" cannot be backfilled", column),
				 errdetail("It is of type %s.", format_type_be(b.type)),
				 errhint("Columns of type sno, flax, siq, uid64, snowflake, ulid, ksuid and uuid can. A uuid gets version 7.")));
	b.label = b.is_uuid ? "uuid" : b.format->name;
	if (b.meta > (b.format->id == FLAKE_SNO ? 255 : 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("meta is out of range for type %s: %d", b.label, (int) b.meta),
				 errdetail("It must be 0 to 255 for sno, and 0 for all others.")));
	if ((b.format->id == FLAKE_SIQ) != (VARSIZE_ANY_EXHDR(siq_type) > 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("siq_type must be given for type siq, and only for it"),
				 errhint("For example, siq_type => 'message'.")));
	b.each = ways[b.format->id].read == NULL ? UINT32_MAX : UINT32_C(1) << b.format->sequence_bits;
	if (b.format->id == FLAKE_SIQ)
	{
		b.siq = siq_type_named(siq_type);
		b.each = 1 << (16 - b.siq->bits);
	}
	choose_numbers(&b, PG_GETARG_INT32(2));
	get_typlenbyvalalign(b.type, &b.width, &b.by_value, &b.align);
	return b;
}

/*
 * flakeid_backfill_span(target, id_column, number, meta, siq_type, OUT first_at, OUT last_at): check
 * the arguments, and return the first and the last instant that an ID of the column can have.
 */
PG_FUNCTION_INFO_V1(flakeid_backfill_span);
Datum
flakeid_backfill_span(PG_FUNCTION_ARGS)
{
	Backfill	b = backfill_arguments(fcinfo);
	Datum		values[] = {
		TimestampTzGetDatum(flake_timestamptz(b.format->rate.epoch_us)),
		TimestampTzGetDatum(flake_timestamptz(flake_last_us(&b.format->rate))),
	};

	PG_RETURN_DATUM(flake_row(fcinfo, values));
}

/* ---------- places ---------- */

/* An ID's bytes as a value of the column's type. */
static Datum
id_datum(const Backfill *b, const uint8 *id)
{
	int64		value;

	if (!b->by_value)
		return PointerGetDatum(memcpy(palloc(b->width), id, b->width));
	memcpy(&value, id, sizeof(value));
	return Int64GetDatum(value);
}

/* Return the first place of the tick after those that the column's IDs have, and note which tick has the next ID. */
static int64
free_place(Backfill *b)
{
	const FlakeFormat *format = b->format;
	uint8		least[FLAKE_MAX_BYTES];
	int64		free = 0;
	uint64		fetch;
	Datum		from;
	Portal		portal;

	if (b->tick < b->ahead || ways[format->id].read == NULL)
		return 0;
	flake_min(format, flake_us_of(&format->rate, b->tick), least);
	from = id_datum(b, least);
	portal = SPI_cursor_open(NULL, b->from, &from, NULL, true);
	b->ahead = b->tick;
	for (fetch = 1; b->ahead == b->tick; fetch = FETCH)
	{
		SPI_cursor_fetch(portal, true, (long) fetch);
		for (uint64 i = 0; i < SPI_processed && b->ahead == b->tick; i++)
		{
			bool		is_null;
			Datum		datum = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &is_null);
			int64		value = b->by_value ? DatumGetInt64(datum) : 0;
			const uint8 *id = b->by_value ? (uint8 *) &value : (uint8 *) DatumGetPointer(datum);
			unsigned	number;
			uint32		sequence;

			b->ahead = flake_tick_of(&format->rate, flake_id_us(format, id));
			if (b->ahead == b->tick && ways[format->id].read(b, id, &number, &sequence) &&
				number >= b->first && number < b->first + b->numbers)
				free = Max(free, (number - b->first) * b->each + sequence + 1);
		}
		if (SPI_processed < fetch && b->ahead == b->tick)
			b->ahead = UINT64_MAX;
		SPI_freetuptable(SPI_tuptable);
	}
	SPI_cursor_close(portal);
	return free;
}

/*
 * Make the ID of the next row, whose own tick is given: of the place after that of the previous
 * row, or the start of its own tick if that is later, and never of a place that is taken.
 */
static void
next_id(Backfill *b, uint64 tick, uint8 *id)
{
	const FlakeFormat *format = b->format;
	FlakeTicket ticket = {.leased = (uint64) flake_clock() * 1000};

	if (tick > b->tick || b->place < 0)
	{
		b->tick = tick;
		b->place = free_place(b);
	}
	while (b->place >= b->numbers * b->each)
	{
		if (b->tick++ == format->rate.last_tick)
			ereport(ERROR,
					(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
					 errmsg("too many rows have the last instant of type %s", b->label)));
		b->place = free_place(b);
	}
	ticket.tick = b->tick;
	ticket.sequence = (uint32) (b->place % b->each);
	ways[format->id].make(b, ticket, (unsigned) (b->first + b->place / b->each), id);
}

/* ---------- rows ---------- */

/* What a batch did: rows with an ID of an earlier instant, of a later number, of a later tick. */
typedef struct Done
{
	int64		rounded;
	int64		most_lost;		/* us */
	int64		next_numbers;
	int64		moved;
	int64		most_moved;		/* us */
} Done;

/* Make the IDs of rows, whose instants are in their order, as an array of the column's type. */
static ArrayType *
make_ids(Backfill *b, ArrayType *instants, Done *done)
{
	const FlakeRate *rate = &b->format->rate;
	Datum	   *ids;
	int			rows;

	deconstruct_array(instants, TIMESTAMPTZOID, sizeof(TimestampTz), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &ids, NULL, &rows);
	b->place = -1;
	for (int i = 0; i < rows; i++)
	{
		int64		due = flake_us_in_span(b->format, DatumGetTimestampTz(ids[i]));
		uint8		id[FLAKE_MAX_BYTES];
		int64		late;

		next_id(b, flake_tick_of(rate, due), id);
		ids[i] = id_datum(b, id);
		late = flake_us_of(rate, b->tick) - due;
		done->rounded += late < 0;
		done->most_lost = Max(done->most_lost, -late);
		done->next_numbers += b->place >= b->each;
		done->moved += late > 0;
		done->most_moved = Max(done->most_moved, late);
		b->place++;
	}
	return construct_array(ids, rows, b->type, b->width, b->by_value, b->align);
}

/* Give rows, by their tables and places in these, the IDs; return how many have one then. */
static int64
store_ids(const char *table, const char *column, Oid type, Datum tables, Datum rows, ArrayType *ids)
{
	Oid			types[] = {OIDARRAYOID, TIDARRAYOID, get_array_type(type)};
	Datum		values[] = {tables, rows, PointerGetDatum(ids)};
	bool		is_null;

	if (SPI_execute_with_args(psprintf("WITH changed AS ("
									   "UPDATE %1$s AS t SET %2$s = u.id FROM unnest($1, $2, $3) AS u (relation, row, id) "
									   "WHERE t.ctid = ANY ($2) AND t.ctid = u.row AND t.tableoid = u.relation RETURNING t.%2$s) "
									   "SELECT count(%2$s) FROM changed", table, column), 3, types, values, NULL, false, 0) != SPI_OK_SELECT)
		elog(ERROR, "rows of table %s could not be updated", table);
	return DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &is_null));
}

/*
 * flakeid_backfill_fill(target, id_column, number, meta, siq_type, tables, rows, instants, OUT
 * changed, OUT rounded, OUT most_lost, OUT next_numbers, OUT moved, OUT most_moved): give IDs to
 * rows, which the caller has locked, and whose instants are in their order.  Only the owner may.
 */
PG_FUNCTION_INFO_V1(flakeid_backfill_fill);
Datum
flakeid_backfill_fill(PG_FUNCTION_ARGS)
{
	const char *table = TextDatumGetCString(DirectFunctionCall2(flakeid_hold, PG_GETARG_DATUM(0), BoolGetDatum(false)));
	const char *column = quote_identifier(NameStr(*PG_GETARG_NAME(1)));
	Backfill	b = backfill_arguments(fcinfo);
	Done		done = {0};
	const char *const off[] = {"enable_seqscan", "enable_bitmapscan", "enable_sort", "jit"};
	int			guc_level;
	ArrayType  *ids;
	Datum		values[6];

	SPI_connect();
	guc_level = NewGUCNestLevel();

	/*
	 * the first rows of an index are read, whatever the estimates of all the
	 * others say
	 */
	for (size_t i = 0; i < lengthof(off); i++)
		set_config_option(off[i], "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	b.from = SPI_prepare(psprintf("SELECT %1$s FROM %2$s WHERE %1$s OPERATOR(pg_catalog.>=) $1 ORDER BY %1$s USING OPERATOR(pg_catalog.<)", column, table), 1, &b.type);
	ids = make_ids(&b, PG_GETARG_ARRAYTYPE_P(7), &done);
	AtEOXact_GUC(false, guc_level);
	values[0] = Int64GetDatum(store_ids(table, column, b.type, PG_GETARG_DATUM(5), PG_GETARG_DATUM(6), ids));
	SPI_finish();
	values[1] = Int64GetDatum(done.rounded);
	values[2] = DirectFunctionCall2(timestamp_mi, TimestampGetDatum(done.most_lost), TimestampGetDatum(0));
	values[3] = Int64GetDatum(done.next_numbers);
	values[4] = Int64GetDatum(done.moved);
	values[5] = DirectFunctionCall2(timestamp_mi, TimestampGetDatum(done.most_moved), TimestampGetDatum(0));
	PG_RETURN_DATUM(flake_row(fcinfo, values));
}
