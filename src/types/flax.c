/*
 * flax.c
 *		flax: 12 bytes, a millisecond and randomness, after ergeon/flax-id.
 *
 *		  0    1    2    3    4    5    6    7    8    9   10   11
 *		 +------------------------+----------------------------------+
 *		 | ms since 2015-01-01: 40 | random: 56                       |
 *		 | (until 2049-11-03)      |                                  |
 *		 +------------------------+----------------------------------+
 *
 * There is no generator: two flaxes of one millisecond are in no order, and 56 bits of
 * the operating system's randomness tell them apart.
 *
 * Text: 16 characters of 6 bits in ASCII order.
 */
#include "types/flax.h"

#define FLAX_EPOCH_US	INT64_C(1420070400000000)	/* 2015-01-01T00:00:00Z */

#define FLAX_DIGITS		"-" FLAKE_DIGITS_63
static const uint8_t flax_value[256] = {['-'] = 1, FLAKE_VALUES_63};
static const FlakeAlphabet flax_alphabet = {FLAX_DIGITS, flax_value, 6};

inline void
flax_pack(const FlaxParts *parts, uint8_t *id)
{
	flake_store(id, 5, parts->ms);
	flake_store(id + 5, 7, parts->random);
}

void
flax_unpack(const uint8_t *id, FlaxParts *parts)
{
	parts->ms = flake_load(id, 5);
	parts->random = flake_load(id + 5, 7);
}

static void
flax_encode(const uint8_t *id, char *text)
{
	flake_encode_16(&flax_alphabet, id, text);
}

static bool
flax_decode(const char *text, size_t length, uint8_t *id)
{
	return flake_decode_16(&flax_alphabet, text, length, id);
}

const FlakeFormat flake_flax = {
	.name = "flax",
	.id = FLAKE_FLAX,
	.shape = "A flax is 16 characters, each -, 0 to 9, A to Z, _ or a to z.",
	.digits = FLAX_DIGITS,
	.pattern = "^[-0-9A-Z_a-z]{16}$",
	.bytes = 12,
	.text_length = 16,
	.timestamp_bits = 40,
	.time_ordered = true,
	.random_bits = 56,
	.rate = {
		.epoch_us = FLAX_EPOCH_US,
		.per_second = 1000,
		.mul = 1,
		.div = 1000,
		.last_tick = (UINT64_C(1) << 40) - 1,
	},
	.encode = flax_encode,
	.decode = flax_decode,
};

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#define FT_NAME		flax
#define FT_FORMAT	flake_flax
#define FT_BYTES	12
#define FT_UUID
#define FT_NUMERIC				/* the reference's id_num */
#define FT_PARTS	FlaxParts
#define FT_UNPACK	flax_unpack
#include "types/type.h"

#define FLAX_RANDOM_MAX		((INT64_C(1) << 56) - 1)

/* flax_new(): an ID of the current time.  Reports 22008 if the clock is outside the span. */
PG_FUNCTION_INFO_V1(flax_new);
Datum
flax_new(PG_FUNCTION_ARGS pg_attribute_unused())
{
	int64		now = flake_clock();
	FlaxParts	parts;

	FLAKE_RESULT_REF(id, 12);

	if (!flake_in_span(&flake_flax.rate, now))
		flake_clock_out_of_span(&flake_flax, now);
	parts.ms = flake_tick_of(&flake_flax.rate, now);
	parts.random = flake_random((uint64) now * 1000) & FLAX_RANDOM_MAX;
	flax_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* flax_new_at(timestamptz): an ID for an instant, as random as one of flax_new(). */
PG_FUNCTION_INFO_V1(flax_new_at);
Datum
flax_new_at(PG_FUNCTION_ARGS)
{
	FlaxParts	parts;

	FLAKE_RESULT_REF(id, 12);

	parts.ms = flake_tick_of(&flake_flax.rate,
							 flake_us_in_span(&flake_flax, PG_GETARG_TIMESTAMPTZ(0)));
	parts.random = flake_random((uint64) flake_clock() * 1000) & FLAX_RANDOM_MAX;
	flax_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* flax_make(timestamptz, random): an ID from its parts. */
PG_FUNCTION_INFO_V1(flax_make);
Datum
flax_make(PG_FUNCTION_ARGS)
{
	FlaxParts	parts;

	FLAKE_RESULT_REF(id, 12);

	parts.ms = flake_tick_of(&flake_flax.rate,
							 flake_us_in_span(&flake_flax, PG_GETARG_TIMESTAMPTZ(0)));
	parts.random = flake_part(&flake_flax, "random", PG_GETARG_INT64(1), FLAX_RANDOM_MAX);
	flax_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* The accessor: 0 .. 2^56 - 1. */
FT_PART(random, PG_RETURN_INT64, parts.random)

#endif							/* !FLAKE_STANDALONE */
