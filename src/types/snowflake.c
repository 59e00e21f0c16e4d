/*
 * snowflake.c
 *		snowflake: 8 bytes, Discord's flavour, as in SUOU.
 *
 *		 63                        22 21    17 16    12 11          0
 *		+----------------------------+--------+--------+-------------+
 *		| ms since the epoch: 42     | worker | process| sequence: 12|
 *		| (139 years; 2015 to 2154)  | : 5    | : 5    |             |
 *		+----------------------------+--------+--------+-------------+
 *
 * The ID does not tell the epoch, which is 2015-01-01 UTC unless a function is given
 * another one.
 *
 * Text: the unsigned number in decimal, so texts do not sort as IDs do.
 */
#include "types/snowflake.h"

#define SNOWFLAKE_EPOCH_US	INT64_C(1420070400000000)	/* 2015-01-01T00:00:00Z */
#define SNOWFLAKE_SPAN_US	((INT64_C(1) << 42) * 1000)
#define SNOWFLAKE_TEXT		20

void
snowflake_pack(const SnowflakeParts *parts, uint8_t *id)
{
	flake_store(id, 8, parts->ms << 22 | (uint64_t) parts->worker << 17 |
				(uint64_t) parts->process << 12 | parts->sequence);
}

void
snowflake_unpack(const uint8_t *id, SnowflakeParts *parts)
{
	uint64_t	value = flake_load(id, 8);

	parts->ms = value >> 22;
	parts->worker = value >> 17 & 0x1f;
	parts->process = value >> 12 & 0x1f;
	parts->sequence = value & 0xfff;
}

static void
snowflake_encode(const uint8_t *id, char *text)
{
	/* two halves, so that the processor can divide both at a time */
	uint64_t	high = flake_load(id, 8) / UINT64_C(10000000000);
	uint64_t	low = flake_load(id, 8) % UINT64_C(10000000000);
	char		digits[SNOWFLAKE_TEXT];
	size_t		zeros = 0;

	for (int i = 10; i-- > 0; high /= 10, low /= 10)
	{
		digits[i] = (char) ('0' + high % 10);
		digits[10 + i] = (char) ('0' + low % 10);
	}
	while (zeros < SNOWFLAKE_TEXT - 1 && digits[zeros] == '0')
		zeros++;
	memcpy(text, digits + zeros, SNOWFLAKE_TEXT - zeros);
	text[SNOWFLAKE_TEXT - zeros] = '\0';
}

static bool
snowflake_decode(const char *text, size_t length, uint8_t *id)
{
	return !(length > 1 && text[0] == '0') &&
		flake_read_number(&flake_decimal, text, length, id, 8);
}

/*
 * SUOU's notations, by its letters.  Each writes the number in another base, with two
 * oddities of the library: b writes 9 bytes, the first of them zero; c and 0c write the 8
 * bytes followed by a zero bit, and 0c a digit more than these need.
 */
static const FlakeNotation snowflake_notations[] = {
	{"b", &flake_base64, 64, 12, 12, 0,
	"It is 12 characters of base 64 (A to Z, a to z, 0 to 9, - and _), of which the first is A and the second A to P."},
	{"c", &flake_crockford, 32, 13, 13, 1,
	"It is 13 digits of Crockford's base 32, of which the last stands for an even number."},
	{"0c", &flake_crockford, 32, 14, 14, 1,
	"It is 14 digits of Crockford's base 32, of which the first is 0 and the last stands for an even number."},
	{"d", &flake_hex, 10, 1, 20, 0,
	"It is a number below 2^64 in decimal, with 20 digits at most."},
	{"l", &flake_base32, 32, 0, 16, 0,
	"It is a number below 2^64 in base 32 (a to z and 2 to 7), with 16 digits at most."},
	{"o", &flake_hex, 8, 1, 22, 0,
	"It is a number below 2^64 in octal, with 22 digits at most."},
	{"x", &flake_hex, 16, 1, 16, 0,
	"It is a number below 2^64 in hexadecimal, with 16 digits at most."},
	{.name = NULL}
};

const FlakeFormat flake_snowflake = {
	.name = "snowflake",
	.id = FLAKE_SNOWFLAKE,
	.shape = "A snowflake is a decimal number from 0 to 18446744073709551615 without leading zeros.",
	.digits = "0123456789",
	.pattern = "^[0-9]{1,20}$",
	.bytes = 8,
	.text_length = SNOWFLAKE_TEXT,
	.timestamp_bits = 42,
	.time_ordered = true,
	.rate = {
		.epoch_us = SNOWFLAKE_EPOCH_US,
		.per_second = 1000,
		.mul = 1,
		.div = 1000,
		.last_tick = (UINT64_C(1) << 42) - 1,
	},
	.sequence_bits = 17,		/* process and sequence: one pool */
	.pool_parts = 32,			/* processes */
	.numbers = 32,
	.number_field = "worker",
	.encode = snowflake_encode,
	.decode = snowflake_decode,
	.notations = snowflake_notations,
};

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#define FT_NAME		snowflake
#define FT_FORMAT	flake_snowflake
#define FT_BYTES	8
#define FT_NUMERIC
#define FT_OWN_TIME
#define FT_HORIZON
#define FT_PARTS	SnowflakeParts
#define FT_UNPACK	snowflake_unpack
#include "types/type.h"

/*
 * Return the format, with its epoch taken from argument n if there is one; valid until the
 * next call.  Raise an error (22008) unless int64 can count the 139 years from the epoch on,
 * and unless it has whole milliseconds: a horizon is the same instant in all epochs.
 */
static const FlakeFormat *
format_since(FunctionCallInfo fcinfo, int n)
{
	static FlakeFormat format;
	TimestampTz epoch;
	int64		us;

	if (PG_NARGS() <= n)
		return &flake_snowflake;
	epoch = PG_GETARG_TIMESTAMPTZ(n);
	us = flake_us_saturated(epoch);
	if (us == PG_INT64_MIN || us > PG_INT64_MAX - SNOWFLAKE_SPAN_US)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("epoch out of range for type snowflake: \"%s\"", timestamptz_to_str(epoch)),
				 errdetail("It must be finite and not after %s.",
						   timestamptz_to_str(flake_timestamptz(PG_INT64_MAX - SNOWFLAKE_SPAN_US)))));
	if (us % 1000 != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("epoch for type snowflake is not a whole millisecond: \"%s\"", timestamptz_to_str(epoch))));
	format = flake_snowflake;
	format.rate.epoch_us = us;
	return &format;
}

/* The functions of type.h, with an optional epoch: snowflake_timestamp(snowflake, epoch) ... */
FT_READER(snowflake_timestamp, 0, PG_RETURN_TIMESTAMPTZ, flake_instant(format_since(fcinfo, 1), id))
FT_MAKER(snowflake_min, flake_min(format_since(fcinfo, 1), flake_us_saturated(PG_GETARG_TIMESTAMPTZ(0)), id))
FT_MAKER(snowflake_max, flake_greatest(format_since(fcinfo, 1), flake_us_saturated(PG_GETARG_TIMESTAMPTZ(0)), id))

/*
 * Fill in the parts below the time.  The generator's sequence has the process above the ID's
 * own sequence, which is its last 12 bits.
 */
static inline void
snowflake_number(SnowflakeParts *parts, uint32 worker, uint32 sequence)
{
	parts->worker = worker;
	parts->process = sequence >> 12;
	parts->sequence = sequence & 0xfff;
}

/*
 * Return the millisecond of a tick since the epoch in argument 0; raise an error (22008) if it
 * is outside the span.
 */
static pg_noinline uint64
ms_since(FunctionCallInfo fcinfo, uint64 tick)
{
	const FlakeFormat *format = format_since(fcinfo, 0);
	int64		us = flake_us_of(&flake_snowflake.rate, tick);

	if (!flake_in_span(&format->rate, us))
		flake_clock_out_of_span(format, us);
	return flake_tick_of(&format->rate, us);
}

/*
 * snowflake_new(), snowflake_new(epoch): the next ID of this database's worker.  One
 * generator, which counts from the default epoch, serves every epoch.
 */
PG_FUNCTION_INFO_V1(snowflake_new);
Datum
snowflake_new(PG_FUNCTION_ARGS)
{
	const FlakeTicket *ticket;
	SnowflakeParts parts;

	FLAKE_RESULT_VALUE(id);

	ticket = flake_generate(flake_snowflake.name, &flake_snowflake, FLAKE_OWN, 1);
	parts.ms = PG_NARGS() == 0 ? ticket->tick : ms_since(fcinfo, ticket->tick);
	snowflake_number(&parts, ticket->number, ticket->sequence);
	snowflake_pack(&parts, id);
	FLAKE_RETURN_VALUE(id);
}

/*
 * snowflake_new_at(timestamptz): an ID for an instant, with the next number that
 * flake_new_at() gives.
 */
PG_FUNCTION_INFO_V1(snowflake_new_at);
Datum
snowflake_new_at(PG_FUNCTION_ARGS)
{
	int64		us = flake_us_in_span(&flake_snowflake, PG_GETARG_TIMESTAMPTZ(0));
	SnowflakeParts parts;
	uint32		worker;

	FLAKE_RESULT_VALUE(id);

	parts.ms = flake_tick_of(&flake_snowflake.rate, us);
	worker = (uint32) flake_own(&flake_snowflake)->number;
	snowflake_number(&parts, worker, flake_new_at(&flake_snowflake, worker, parts.ms, 1));
	snowflake_pack(&parts, id);
	FLAKE_RETURN_VALUE(id);
}

/*
 * snowflake_make(timestamptz, worker, process, sequence), and with a fifth
 * argument the epoch: an ID from its parts.
 */
PG_FUNCTION_INFO_V1(snowflake_make);
Datum
snowflake_make(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = format_since(fcinfo, 4);
	SnowflakeParts parts;

	FLAKE_RESULT_VALUE(id);

	parts.ms = flake_tick_of(&format->rate, flake_us_in_span(format, PG_GETARG_TIMESTAMPTZ(0)));
	parts.worker = flake_part(&flake_snowflake, "worker", PG_GETARG_INT32(1), 31);
	parts.process = flake_part(&flake_snowflake, "process", PG_GETARG_INT32(2), 31);
	parts.sequence = flake_part(&flake_snowflake, "sequence", PG_GETARG_INT32(3), 4095);
	snowflake_pack(&parts, id);
	FLAKE_RETURN_VALUE(id);
}

/* The accessors: one part each. */
FT_PART(worker, PG_RETURN_INT32, parts.worker)
FT_PART(process, PG_RETURN_INT32, parts.process)
FT_PART(sequence, PG_RETURN_INT32, parts.sequence)

/* Write the ID of a number; raise an error (22003) for a negative one. */
static void
from_signed(int64 number, uint8 *id)
{
	if (number < 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("number out of range for type snowflake: " INT64_FORMAT, number),
				 errdetail("It must not be negative.")));
	flake_store(id, 8, (uint64) number);
}

FT_MAKER(snowflake_from_smallint, from_signed(PG_GETARG_INT16(0), id))
FT_MAKER(snowflake_from_int, from_signed(PG_GETARG_INT32(0), id))
FT_MAKER(snowflake_from_bigint, from_signed(PG_GETARG_INT64(0), id))

/* The cast to bigint: an error (22003) from 2^63 on, which snowflakes of the default epoch reach in 2084. */
PG_FUNCTION_INFO_V1(snowflake_to_bigint);
Datum
snowflake_to_bigint(PG_FUNCTION_ARGS)
{
	uint64		number;

	FLAKE_ARG_VALUE(id, 0);

	number = flake_load(id, 8);
	if (number > PG_INT64_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value \"" UINT64_FORMAT "\" is out of range for type bigint", number),
				 errdetail("A bigint ends at " INT64_FORMAT ".", PG_INT64_MAX),
				 errhint("Cast it to numeric.")));
	PG_RETURN_INT64((int64) number);
}

/* snowflake_format(snowflake, format): an ID in another notation. */
PG_FUNCTION_INFO_V1(snowflake_format);
Datum
snowflake_format(PG_FUNCTION_ARGS)
{
	const FlakeNotation *notation = flake_notation_named(&flake_snowflake, PG_GETARG_TEXT_PP(1));
	char		written[FLAKE_MAX_DIGITS + 1];

	FLAKE_ARG_VALUE(id, 0);

	flake_write_number(notation, id, 8, written);
	PG_RETURN_TEXT_P(cstring_to_text(written));
}

/* snowflake_parse(text, format): the ID of a text; an error (22P02) for what flake_read_number() refuses. */
PG_FUNCTION_INFO_V1(snowflake_parse);
Datum
snowflake_parse(PG_FUNCTION_ARGS)
{
	text	   *written = PG_GETARG_TEXT_PP(0);
	const FlakeNotation *notation = flake_notation_named(&flake_snowflake, PG_GETARG_TEXT_PP(1));

	FLAKE_RESULT_VALUE(id);

	if (!flake_read_number(notation, VARDATA_ANY(written), VARSIZE_ANY_EXHDR(written), id, 8))
		flake_not_in_notation(&flake_snowflake, notation, text_to_cstring(written), notation->shape);
	FLAKE_RETURN_VALUE(id);
}

#endif							/* !FLAKE_STANDALONE */
