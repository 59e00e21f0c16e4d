/*
 * sno.c
 *		sno: 10 bytes that sort by time, after github.com/muyo/sno.
 *
 *		  0         1         2         3         4         5   ..   9
 *		 +---------+---------+---------+---------+-------+-+-------+------+----------+
 *		 |  ticks of 4 ms since 2010-01-01: 39 bits      |t| meta: | part-| sequence:|
 *		 |  (until 2079-09-07T15:47:35.551999Z)          | | 8     | ition| 16       |
 *		 +-----------------------------------------------+-+-------+  16  +----------+
 *
 * t is the tick-tock bit: when the clock steps back, the generator continues in the past
 * with the bit flipped, so that no ID made on the first pass is repeated.
 *
 * Text: 16 characters of 5 bits, most significant first, in an ascending alphabet.
 */
#include "types/sno.h"

#define SNO_EPOCH_US	INT64_C(1262304000000000)	/* 2010-01-01T00:00:00Z */

static const uint8_t sno_value[256] = {
	['2'] = 1, ['3'] = 2, ['4'] = 3, ['5'] = 4, ['6'] = 5, ['7'] = 6, ['8'] = 7, ['9'] = 8,
	['a'] = 9, ['b'] = 10, ['c'] = 11, ['d'] = 12, ['e'] = 13, ['f'] = 14, ['g'] = 15, ['h'] = 16,
	['i'] = 17, ['j'] = 18, ['k'] = 19, ['l'] = 20, ['m'] = 21, ['n'] = 22, ['o'] = 23, ['p'] = 24,
	['q'] = 25, ['r'] = 26, ['s'] = 27, ['t'] = 28, ['u'] = 29, ['v'] = 30, ['w'] = 31, ['x'] = 32,
};

#define SNO_DIGITS		"23456789abcdefghijklmnopqrstuvwx"
static const FlakeAlphabet sno_alphabet = {SNO_DIGITS, sno_value, 5};

inline void
sno_pack(const SnoParts *parts, uint8_t *id)
{
	flake_store(id, 8, parts->units << 25 | (uint64_t) parts->tick_tock << 24 |
				parts->meta << 16 | parts->partition);
	flake_store(id + 8, 2, parts->sequence);
}

void
sno_unpack(const uint8_t *id, SnoParts *parts)
{
	uint64_t	head = flake_load(id, 5);

	parts->units = head >> 1;
	parts->tick_tock = head & 1;
	parts->meta = id[5];
	parts->partition = (unsigned) flake_load(id + 6, 2);
	parts->sequence = (unsigned) flake_load(id + 8, 2);
}

static void
sno_encode(const uint8_t *id, char *text)
{
	flake_encode_16(&sno_alphabet, id, text);
}

static bool
sno_decode(const char *text, size_t length, uint8_t *id)
{
	return flake_decode_16(&sno_alphabet, text, length, id);
}

const FlakeFormat flake_sno = {
	.name = "sno",
	.id = FLAKE_SNO,
	.shape = "A sno is 16 characters, each 2 to 9 or a to x.",
	.digits = SNO_DIGITS,
	.pattern = "^[2-9a-x]{16}$",
	.bytes = 10,
	.text_length = 16,
	.timestamp_bits = 39,
	.time_ordered = true,
	.rate = {
		.epoch_us = SNO_EPOCH_US,
		.per_second = 250,
		.mul = 1,
		.div = 4000,
		.last_tick = (UINT64_C(1) << 39) - 1,
	},
	.sequence_bits = 16,
	.least_pool = SNO_LEAST_POOL,
	.numbers = 65536,
	.tick_tock = true,
	.encode = sno_encode,
	.decode = sno_decode,
};

/*
 * Check the sequence bounds of a snapshot by the rules of the Go library's code, and correct
 * them in place as it does: 0 for max means 65535 (unless min is that), bounds in the wrong
 * order are swapped, 0 for the sequence means min.
 */
SnoBounds
sno_check_bounds(uint32_t *min, uint32_t *max, uint32_t *sequence)
{
	if (*max == 0 && *min != 65535)
		*max = 65535;
	if (*min == *max)
		return SNO_BOUNDS_IDENTICAL;
	if (*max < *min)
	{
		uint32_t	swap = *max;

		*max = *min;
		*min = swap;
	}
	if (*max - *min + 1 < SNO_LEAST_POOL)
		return SNO_BOUNDS_TOO_FEW;
	if (*sequence == 0)
		*sequence = *min;
	if (*sequence < *min)
		return SNO_BOUNDS_UNDERFLOW;
	return SNO_BOUNDS_OK;
}

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#define FT_NAME		sno
#define FT_FORMAT	flake_sno
#define FT_BYTES	10
#define FT_UUID
#define FT_HORIZON
#define FT_PARTS	SnoParts
#define FT_UNPACK	sno_unpack
#include "types/type.h"

#include "utils/jsonb.h"

/* sno_new(meta), sno_new(meta, partition): the next ID of this database's or of the partition given. */
PG_FUNCTION_INFO_V1(sno_new);
Datum
sno_new(PG_FUNCTION_ARGS)
{
	int32		meta = flake_part(&flake_sno, "meta", PG_GETARG_INT32(0), 255);
	int32		partition = PG_NARGS() < 2 ? FLAKE_OWN
		: flake_part(&flake_sno, "partition", PG_GETARG_INT32(1), 65535);
	const FlakeTicket *ticket = flake_generate(flake_sno.name, &flake_sno, partition, 1);
	SnoParts	parts;

	FLAKE_RESULT_REF(id, 10);

	parts.units = ticket->tick;
	parts.tick_tock = ticket->timeline;
	parts.meta = meta;
	parts.partition = ticket->number;
	parts.sequence = ticket->sequence;
	sno_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/*
 * sno_new_at(timestamptz, meta), sno_new_at(timestamptz, meta, partition): an ID for an
 * instant, with the next number that flake_new_at() gives and tick-tock bit 0.
 */
PG_FUNCTION_INFO_V1(sno_new_at);
Datum
sno_new_at(PG_FUNCTION_ARGS)
{
	int64		us = flake_us_in_span(&flake_sno, PG_GETARG_TIMESTAMPTZ(0));
	SnoParts	parts;

	FLAKE_RESULT_REF(id, 10);

	parts.units = flake_tick_of(&flake_sno.rate, us);
	parts.tick_tock = 0;
	parts.meta = flake_part(&flake_sno, "meta", PG_GETARG_INT32(1), 255);
	parts.partition = PG_NARGS() < 3 ? (unsigned) flake_own(&flake_sno)->number
		: (unsigned) flake_part(&flake_sno, "partition", PG_GETARG_INT32(2), 65535);
	parts.sequence = flake_new_at(&flake_sno, parts.partition, parts.units, 1);
	sno_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* sno_make(timestamptz, meta, partition, sequence, tick_tock): an ID from its parts. */
PG_FUNCTION_INFO_V1(sno_make);
Datum
sno_make(PG_FUNCTION_ARGS)
{
	SnoParts	parts;

	FLAKE_RESULT_REF(id, 10);

	parts.units = flake_tick_of(&flake_sno.rate,
								flake_us_in_span(&flake_sno, PG_GETARG_TIMESTAMPTZ(0)));
	parts.meta = flake_part(&flake_sno, "meta", PG_GETARG_INT32(1), 255);
	parts.partition = flake_part(&flake_sno, "partition", PG_GETARG_INT32(2), 65535);
	parts.sequence = flake_part(&flake_sno, "sequence", PG_GETARG_INT32(3), 65535);
	parts.tick_tock = PG_GETARG_BOOL(4);
	sno_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

FT_MAKER(sno_zero, memset(id, 0, 10))

/* The accessors: one part each. */
FT_PART(tick_tock, PG_RETURN_BOOL, parts.tick_tock)
FT_PART(meta, PG_RETURN_INT32, parts.meta)
FT_PART(partition, PG_RETURN_INT32, parts.partition)
FT_PART(sequence, PG_RETURN_INT32, parts.sequence)

/* The mutators: the same ID with one part replaced. */
#define SNO_SET(part, max) \
	PG_FUNCTION_INFO_V1(sno_set_##part); \
	Datum \
	sno_set_##part(PG_FUNCTION_ARGS) \
	{ \
		SnoParts	parts; \
		FLAKE_ARG_REF(id, 0); \
		FLAKE_RESULT_REF(result, 10); \
		sno_unpack(id, &parts); \
		parts.part = flake_part(&flake_sno, #part, PG_GETARG_INT32(1), max); \
		sno_pack(&parts, result); \
		FLAKE_RETURN_REF(result); \
	}

SNO_SET(meta, 255)
SNO_SET(partition, 65535)
SNO_SET(sequence, 65535)

/*
 * sno_snapshot(), sno_snapshot(partition): a generator's state in the words of
 * the Go library's GeneratorSnapshot, whose times are ticks.  A generator of the library
 * that is restored from it repeats no ID issued before the call.
 */
PG_FUNCTION_INFO_V1(sno_snapshot);
Datum
sno_snapshot(PG_FUNCTION_ARGS)
{
	const FlakeOwn *own = &flake_identity.own[FLAKE_SNO];
	FlakeSaved	state;
	int32		partition;
	uint32		last;
	char	   *json;

	flake_sync();
	partition = PG_NARGS() < 1 ? (int32) flake_own(&flake_sno)->number
		: flake_part(&flake_sno, "partition", PG_GETARG_INT32(0), 65535);
	flake_save(&flake_sno, partition, &state);

	/* the library's "sequence" is the last number issued in wallHi */
	last = state.next > own->min ? Min(state.next - 1, own->max) : own->min;
	json = psprintf("{\"partition\": [%d, %d], \"sequenceMin\": %u, \"sequenceMax\": %u, "
					"\"sequence\": %u, \"now\": " UINT64_FORMAT ", \"wallHi\": " UINT64_FORMAT ", "
					"\"wallSafe\": " UINT64_FORMAT ", \"drifts\": " UINT64_FORMAT "}",
					partition >> 8, partition & 0xff, own->min, own->max,
					last, state.now, state.high, state.safe, state.drifts);
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
}

/* Return a number of a snapshot; raise an error (22023) unless it is whole and 0 to max. */
static uint64
snapshot_number(JsonbContainer *object, const char *name, uint64 max)
{
	JsonbValue	value;
	char	   *text;
	uint64		number;

	if (getKeyJsonValueFromContainer(object, name, strlen(name), &value) == NULL ||
		value.type != jbvNumeric)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("snapshot has no number \"%s\"", name),
				 errhint("A snapshot is the object that sno_snapshot() or the Go library writes.")));
	text = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value.val.numeric)));
	number = strtou64(text, NULL, 10);
	if (strspn(text, "0123456789") != strlen(text) || strlen(text) > 18 || number > max)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" of the snapshot is out of range: %s", name, text),
				 errdetail("It must be a whole number from 0 to " UINT64_FORMAT ".", max)));
	return number;
}

/* Raise an error (22023) unless a snapshot's partition is two numbers 0 to 255, as the library writes it. */
static void
check_snapshot_partition(JsonbContainer *object)
{
	JsonbValue	partition;
	bool		good = getKeyJsonValueFromContainer(object, "partition", strlen("partition"), &partition) != NULL &&
		partition.type == jbvBinary && JsonContainerIsArray(partition.val.binary.data) &&
		!JsonContainerIsScalar(partition.val.binary.data) && JsonContainerSize(partition.val.binary.data) == 2;

	for (uint32 i = 0; i < 2 && good; i++)
	{
		JsonbValue *byte = getIthJsonbValueFromContainer(partition.val.binary.data, i);
		char	   *text = NULL;

		if (byte->type == jbvNumeric)
			text = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(byte->val.numeric)));
		good = text != NULL && strlen(text) <= 3 && strspn(text, "0123456789") == strlen(text) && strtol(text, NULL, 10) <= 255;
	}
	if (!good)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("snapshot has no \"partition\" of two bytes"),
				 errhint("A snapshot is the object that sno_snapshot() or the Go library writes.")));
}

/*
 * sno_restore(snapshot, force): never again issue what a generator with that state may
 * have issued.  A snapshot from further ahead than flakeid.max_ahead needs force, because
 * it stops the sno generators of this database until the clock gets there.
 */
PG_FUNCTION_INFO_V1(sno_restore);
Datum
sno_restore(PG_FUNCTION_ARGS)
{
	Jsonb	   *snapshot = PG_GETARG_JSONB_P(0);
	bool		force = PG_GETARG_BOOL(1);
	JsonbContainer *object = &snapshot->root;
	const FlakeOwn *own = &flake_identity.own[FLAKE_SNO];
	uint32		min;
	uint32		max;
	uint32		sequence;
	uint64		used[2];		/* the last tick of each timeline */
	unsigned	timeline;
	int64		high_us;

	if (!JB_ROOT_IS_OBJECT(snapshot))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("snapshot is not a JSON object"),
				 errhint("A snapshot is the object that sno_snapshot() or the Go library writes.")));

	flake_sync();
	min = (uint32) snapshot_number(object, "sequenceMin", 65535);
	max = (uint32) snapshot_number(object, "sequenceMax", 65535);
	sequence = (uint32) snapshot_number(object, "sequence", PG_UINT32_MAX);
	if (sno_check_bounds(&min, &max, &sequence) != SNO_BOUNDS_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sequence bounds of the snapshot are invalid"),
				 errdetail("The library needs six numbers or more, and a sequence that is not below them. The snapshot has %u-%u and %u.",
						   min, max, sequence)));
	if (min != own->min || max != own->max)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sequence bounds of the snapshot are not those of this session"),
				 errdetail("The snapshot has %u to %u, but flakeid.sno_sequence_min is %u and flakeid.sno_sequence_max %u.",
						   min, max, own->min, own->max),
				 errhint("A role that may set these can restore it in a session with the bounds of the snapshot.")));

	timeline = snapshot_number(object, "drifts", PG_UINT32_MAX) & 1;
	used[timeline] = snapshot_number(object, "wallHi", flake_sno.rate.last_tick);
	used[1 - timeline] = snapshot_number(object, "wallSafe", flake_sno.rate.last_tick);
	/* these are not used, but an object without them is no snapshot */
	snapshot_number(object, "now", flake_sno.rate.last_tick);
	check_snapshot_partition(object);

	/* wallSafe is the other timeline's mark, which leads the IDs issued */
	high_us = Max(flake_us_of(&flake_sno.rate, used[timeline]),
				  flake_us_of(&flake_sno.rate, used[1 - timeline]) - FLAKE_LEAD_US);
	if (!force && high_us - flake_clock() > (int64) flake_max_ahead * 1000)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("snapshot is too far ahead of the clock"),
				 errdetail("The generator of the snapshot was used up to %s, which is more than flakeid.max_ahead (%s) from now.",
						   timestamptz_to_str(flake_timestamptz(high_us)), flake_ms_text(flake_max_ahead)),
				 errhint("If the clock and the snapshot are right, call sno_restore(snapshot, true). No sno is made in this database until the clock gets there.")));

	flake_restore(&flake_sno, used);
	PG_RETURN_VOID();
}

#endif							/* !FLAKE_STANDALONE */
