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
 * No state: two flaxes of one millisecond stand in no order, and are told apart
 * by 56 bits of the operating system's randomness.
 *
 * Text: 16 characters of 6 bits in ASCII order, so texts sort as IDs do.
 */
#include "flake.h"

#define FLAX_EPOCH_US	INT64_C(1420070400000000)	/* 2015-01-01T00:00:00Z */
#define FLAX_TEXT		16

static const uint8_t flax_value[256] = {
	['-'] = 1, ['0'] = 2, ['1'] = 3, ['2'] = 4, ['3'] = 5, ['4'] = 6, ['5'] = 7, ['6'] = 8,
	['7'] = 9, ['8'] = 10, ['9'] = 11, ['A'] = 12, ['B'] = 13, ['C'] = 14, ['D'] = 15, ['E'] = 16,
	['F'] = 17, ['G'] = 18, ['H'] = 19, ['I'] = 20, ['J'] = 21, ['K'] = 22, ['L'] = 23, ['M'] = 24,
	['N'] = 25, ['O'] = 26, ['P'] = 27, ['Q'] = 28, ['R'] = 29, ['S'] = 30, ['T'] = 31, ['U'] = 32,
	['V'] = 33, ['W'] = 34, ['X'] = 35, ['Y'] = 36, ['Z'] = 37, ['_'] = 38, ['a'] = 39, ['b'] = 40,
	['c'] = 41, ['d'] = 42, ['e'] = 43, ['f'] = 44, ['g'] = 45, ['h'] = 46, ['i'] = 47, ['j'] = 48,
	['k'] = 49, ['l'] = 50, ['m'] = 51, ['n'] = 52, ['o'] = 53, ['p'] = 54, ['q'] = 55, ['r'] = 56,
	['s'] = 57, ['t'] = 58, ['u'] = 59, ['v'] = 60, ['w'] = 61, ['x'] = 62, ['y'] = 63, ['z'] = 64,
};

static const FlakeAlphabet flax_alphabet = {
	"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", flax_value, 6
};

void
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
	flake_encode(&flax_alphabet, id, 12, 0, text, FLAX_TEXT);
	text[FLAX_TEXT] = '\0';
}

static bool
flax_decode(const char *text, size_t length, uint8_t *id)
{
	return length == FLAX_TEXT && flake_decode(&flax_alphabet, text, FLAX_TEXT, 0, id, 12);
}

static int64_t
flax_instant(const uint8_t *id)
{
	return FLAX_EPOCH_US + (int64_t) flake_load(id, 5) * 1000;
}

static void
flax_bounds(int64_t us, uint8_t *least, uint8_t *greatest)
{
	uint64_t	ms = (uint64_t) (us - FLAX_EPOCH_US) / 1000;

	memset(least, 0x00, 12);
	memset(greatest, 0xff, 12);
	flake_store(least, 5, ms);
	flake_store(greatest, 5, ms);
}

const FlakeFormat flake_flax = {
	.name = "flax",
	.id = FLAKE_FLAX,
	.shape = "A flax is 16 characters, each -, 0 to 9, A to Z, _ or a to z.",
	.digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
	.pattern = "^[-0-9A-Z_a-z]{16}$",
	.bytes = 12,
	.text_length = FLAX_TEXT,
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
	.instant = flax_instant,
	.bounds = flax_bounds,
};
