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
 * The epoch is not in the ID: it is 2015-01-01 UTC unless a function is told
 * another.
 *
 * Text: the unsigned number in decimal, so texts do not sort as IDs do.
 */
#include "flake.h"

#define SNOWFLAKE_EPOCH_US	INT64_C(1420070400000000)	/* 2015-01-01T00:00:00Z */
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
	uint64_t	value = flake_load(id, 8);
	char		reversed[SNOWFLAKE_TEXT];
	size_t		digits = 0;

	do
		reversed[digits++] = (char) ('0' + value % 10);
	while ((value /= 10) != 0);
	while (digits > 0)
		*text++ = reversed[--digits];
	*text = '\0';
}

static bool
snowflake_decode(const char *text, size_t length, uint8_t *id)
{
	uint64_t	value = 0;

	if (length < 1 || length > SNOWFLAKE_TEXT || (text[0] == '0' && length > 1))
		return false;
	for (size_t i = 0; i < length; i++)
	{
		uint64_t	digit = (uint64_t) (text[i] - '0');

		if (text[i] < '0' || text[i] > '9' ||
			value > UINT64_MAX / 10 || value * 10 > UINT64_MAX - digit)
			return false;
		value = value * 10 + digit;
	}
	flake_store(id, 8, value);
	return true;
}

static int64_t
snowflake_instant(const uint8_t *id)
{
	return SNOWFLAKE_EPOCH_US + (int64_t) (flake_load(id, 8) >> 22) * 1000;
}

static void
snowflake_bounds(int64_t us, uint8_t *least, uint8_t *greatest)
{
	uint64_t	ms = (uint64_t) (us - SNOWFLAKE_EPOCH_US) / 1000;

	flake_store(least, 8, ms << 22);
	flake_store(greatest, 8, ms << 22 | 0x3fffff);
}

const FlakeFormat flake_snowflake = {
	.name = "snowflake",
	.id = FLAKE_SNOWFLAKE,
	.shape = "A snowflake is a decimal number from 0 to 18446744073709551615 without leading zeros.",
	.digits = "0123456789",
	.pattern = "^(0|[1-9][0-9]{0,19})$",
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
	.sequence_bits = 12,
	.numbers = 1024,			/* worker << 5 | process */
	.slots = 64,
	.encode = snowflake_encode,
	.decode = snowflake_decode,
	.instant = snowflake_instant,
	.bounds = snowflake_bounds,
};
