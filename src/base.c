/*
 * base.c
 *		Texts of IDs, base 32 and base 64 in an ascending alphabet and hex; bits.
 *
 * A text is the ID's bits, most significant first, "bits" to a character, with
 * "lead" zero bits before them and zero bits behind them up to the last
 * character's end.  Decoders refuse texts in which one of these is set: they
 * would be a second text of the same ID.
 */
#include "flake.h"

/*
 * Write the chars characters of an ID; no NUL is added.  chars * bits must be
 * at least lead + 8 * bytes.
 */
void
flake_encode(const FlakeAlphabet *alphabet, const uint8_t *id, size_t bytes,
			 unsigned lead, char *text, size_t chars)
{
	const unsigned bits = alphabet->bits;
	const uint32_t mask = (UINT32_C(1) << bits) - 1;
	const uint8_t *end = id + bytes;
	uint32_t	pending = 0;
	unsigned	have = lead;

	for (size_t i = 0; i < chars; i++)
	{
		if (have < bits)
		{
			pending = pending << 8 | (id < end ? *id++ : 0);
			have += 8;
		}
		have -= bits;
		text[i] = alphabet->digits[pending >> have & mask];
	}
}

/*
 * Read the chars characters of a text.  Answers false, and leaves id alone, for
 * a character outside the alphabet and for bits beside the ID's own.
 */
bool
flake_decode(const FlakeAlphabet *alphabet, const char *text, size_t chars,
			 unsigned lead, uint8_t *id, size_t bytes)
{
	const unsigned bits = alphabet->bits;
	uint8_t		result[FLAKE_MAX_BYTES];
	size_t		done = 0;
	uint32_t	pending = 0;
	unsigned	have = 0;

	for (size_t i = 0; i < chars; i++)
	{
		uint32_t	digit = alphabet->value[(uint8_t) text[i]];

		if (digit-- == 0)
			return false;
		pending = pending << bits | digit;
		have += bits;
		if (i == 0)
		{
			if (digit >> (bits - lead) != 0)
				return false;
			have -= lead;
		}
		if (have >= 8 && done < bytes)
		{
			have -= 8;
			result[done++] = (uint8_t) (pending >> have);
		}
	}
	if (done < bytes || (pending & ((UINT32_C(1) << have) - 1)) != 0)
		return false;
	memcpy(id, result, bytes);
	return true;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/*
 * Read bytea's hex form, \x and exactly two digits of either case a byte, as
 * drivers send it for a type they do not know.
 */
bool
flake_decode_hex(const char *text, size_t length, uint8_t *id, size_t bytes)
{
	uint8_t		result[FLAKE_MAX_BYTES];

	if (length != 2 + 2 * bytes || text[0] != '\\' || text[1] != 'x')
		return false;
	for (size_t i = 0; i < bytes; i++)
	{
		int			high = hex_digit(text[2 + 2 * i]);
		int			low = hex_digit(text[3 + 2 * i]);

		if (high < 0 || low < 0)
			return false;
		result[i] = (uint8_t) (high << 4 | low);
	}
	memcpy(id, result, bytes);
	return true;
}

/* The "bits" bits (64 at most) that begin "from" bits after the ID's first. */
uint64_t
flake_get_bits(const uint8_t *id, unsigned from, unsigned bits)
{
	uint64_t	value = 0;

	for (unsigned i = from; i < from + bits; i++)
		value = value << 1 | (id[i / 8] >> (7 - i % 8) & 1);
	return value;
}
