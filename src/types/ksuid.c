/*
 * ksuid.c
 *		ksuid: 20 bytes, a second and 128 bits, after github.com/segmentio/ksuid.
 *
 *		  0    1    2    3    4    5    6    7      8  ..                    19
 *		 +-------------------+--------------------+---------------------------+
 *		 | s since           | counter: 28        | random: 100               |
 *		 | 2014-05-13: 32    |                    |                           |
 *		 +-------------------+--------------------+---------------------------+
 *
 * The seconds count from 1,400,000,000 seconds after 1970 and last until 2150-06-19.
 * segmentio's library fills the other 128 bits, the payload, with random ones.  Ours
 * counts in the first 28 of them; in a KSUID made elsewhere there is no counter.
 *
 * Text: the number of 160 bits in base 62, 27 digits that ascend in ASCII.  A text above that
 * of 2^160 - 1 is not an ID.
 */
#include "kernel/flake.h"

#define KSUID_BYTES			20
#define KSUID_TEXT			27
#define KSUID_COUNTER_BITS	28

/*
 * Numbers are converted five digits at a time, because 62^5 is the highest power that fits
 * a word of 32 bits; an ID has five such words.
 */
#define KSUID_GROUP			5
#define KSUID_GROUP_BASE	UINT32_C(916132832)
#define KSUID_WORDS			(KSUID_BYTES / 4)

static void
ksuid_encode(const uint8_t *id, char *text)
{
	uint32_t	words[KSUID_WORDS];
	size_t		at = KSUID_TEXT;

	for (size_t i = 0; i < KSUID_WORDS; i++)
		words[i] = (uint32_t) flake_load(id + 4 * i, 4);
	text[at] = '\0';
	while (at > 0)
	{
		uint64_t	rest = 0;

		/* divide; the remainder is the last digits */
		for (size_t i = 0; i < KSUID_WORDS; i++)
		{
			rest = rest << 32 | words[i];
			words[i] = (uint32_t) (rest / KSUID_GROUP_BASE);
			rest %= KSUID_GROUP_BASE;
		}
		for (int i = 0; i < KSUID_GROUP && at > 0; i++, rest /= 62)
			text[--at] = FLAKE_BASE62_DIGITS[rest % 62];
	}
}

/* The value of a digit, or -1. */
static inline int
ksuid_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 36;
	return -1;
}

static bool
ksuid_decode(const char *text, size_t length, uint8_t *id)
{
	uint32_t	words[KSUID_WORDS] = {0};
	size_t		at = 0;

	if (length != KSUID_TEXT)
		return false;
	/* the first group is the one that is not full */
	for (size_t end = KSUID_TEXT % KSUID_GROUP; at < KSUID_TEXT; end += KSUID_GROUP)
	{
		uint64_t	carry = 0;

		for (; at < end; at++)
		{
			int			digit = ksuid_digit(text[at]);

			if (digit < 0)
				return false;
			carry = carry * 62 + (unsigned) digit;
		}
		for (size_t i = KSUID_WORDS; i-- > 0; carry >>= 32)
		{
			carry += (uint64_t) words[i] * KSUID_GROUP_BASE;
			words[i] = (uint32_t) carry;
		}
		if (carry != 0)
			return false;
	}
	for (size_t i = 0; i < KSUID_WORDS; i++)
		flake_store(id + 4 * i, 4, words[i]);
	return true;
}

const FlakeFormat flake_ksuid = {
	.name = "ksuid",
	.id = FLAKE_KSUID,
	.shape = "A ksuid is 27 characters, each 0 to 9, A to Z or a to z, and at most aWgEPTl1tmebfsQzFP4bxwgy80V.",
	.digits = FLAKE_BASE62_DIGITS,
	.pattern = "^[0-9A-Za-z]{27}$",
	.bytes = KSUID_BYTES,
	.text_length = KSUID_TEXT,
	.timestamp_bits = 32,
	.time_ordered = true,
	.random_bits = 128 - KSUID_COUNTER_BITS,
	.rate = {
		.epoch_us = 1400000000 * FLAKE_US_PER_SECOND,
		.per_second = 1,
		.mul = 1,
		.div = 1000000,
		.last_tick = UINT32_MAX,
	},
	.sequence_bits = KSUID_COUNTER_BITS,
	.numbers = 1,
	.encode = ksuid_encode,
	.decode = ksuid_decode,
};

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#define FT_NAME		ksuid
#define FT_FORMAT	flake_ksuid
#define FT_BYTES	KSUID_BYTES
#define FT_HORIZON
#include "types/type.h"

/* Fill in an ID: its place in the generator, and bits that nobody can guess. */
inline void
ksuid_fill(FlakeTicket ticket, uint8 *id)
{
	flake_need_random(ticket.leased, 2);
	flake_store(id, 4, ticket.tick);
	flake_store(id + 4, 8, (uint64) ticket.sequence << 36 | flake_take_random() >> 28);
	flake_store(id + 12, 8, flake_take_random());
}

/* ksuid_new(): the next ID. */
PG_FUNCTION_INFO_V1(ksuid_new);
Datum
ksuid_new(PG_FUNCTION_ARGS pg_attribute_unused())
{
	FlakeTicket ticket = flake_counted_next(flake_ksuid.name, &flake_ksuid);

	FLAKE_RESULT_REF(id, KSUID_BYTES);

	ksuid_fill(ticket, id);
	FLAKE_RETURN_REF(id);
}

/* ksuid_new_at(timestamptz): an ID for an instant. */
FT_MAKER(ksuid_new_at,
		 ksuid_fill(flake_counted_at(&flake_ksuid, flake_us_in_span(&flake_ksuid, PG_GETARG_TIMESTAMPTZ(0))), id))

/* ksuid_make(timestamptz, payload): an ID from its parts; an error (22P03) unless the payload has 16 bytes. */
PG_FUNCTION_INFO_V1(ksuid_make);
Datum
ksuid_make(PG_FUNCTION_ARGS)
{
	return flake_make(&flake_ksuid, PG_GETARG_TIMESTAMPTZ(0), "payload", PG_GETARG_BYTEA_PP(1));
}

/* The accessor: the 16 bytes after the time. */
FT_READER(ksuid_payload, 0, PG_RETURN_BYTEA_P, flake_bytes_after_time(&flake_ksuid, id))

/* Write the ID after or before a given one; an error (22003) at the end of the order. */
static void
ksuid_beside(const uint8 *of, int by, uint8 *id)
{
	memcpy(id, of, KSUID_BYTES);
	if (!flake_neighbour(id, KSUID_BYTES, by))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("ksuid out of range"),
				 errdetail("It is the %s ksuid.", by > 0 ? "last" : "first")));
}

FT_MAKER(ksuid_next, ksuid_beside((const uint8 *) PG_GETARG_POINTER(0), 1, id))
FT_MAKER(ksuid_prev, ksuid_beside((const uint8 *) PG_GETARG_POINTER(0), -1, id))

#endif							/* !FLAKE_STANDALONE */
