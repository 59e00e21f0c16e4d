/*
 * base.c
 *		Numbers in any base, hex, and the alphabets that several formats use.
 */
#include "kernel/flake.h"

/* Hexadecimal digits; letters are read in either case. */
static const uint8_t hex_value[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

const FlakeAlphabet flake_hex = {"0123456789abcdef", hex_value, 4};

/* RFC 4648's base 32, written in lower case and read in either. */
static const uint8_t base32_value[256] = {
	['a'] = 1, ['b'] = 2, ['c'] = 3, ['d'] = 4, ['e'] = 5, ['f'] = 6, ['g'] = 7, ['h'] = 8,
	['i'] = 9, ['j'] = 10, ['k'] = 11, ['l'] = 12, ['m'] = 13, ['n'] = 14, ['o'] = 15, ['p'] = 16,
	['q'] = 17, ['r'] = 18, ['s'] = 19, ['t'] = 20, ['u'] = 21, ['v'] = 22, ['w'] = 23, ['x'] = 24,
	['y'] = 25, ['z'] = 26, ['2'] = 27, ['3'] = 28, ['4'] = 29, ['5'] = 30, ['6'] = 31, ['7'] = 32,
	['A'] = 1, ['B'] = 2, ['C'] = 3, ['D'] = 4, ['E'] = 5, ['F'] = 6, ['G'] = 7, ['H'] = 8,
	['I'] = 9, ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
	['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
	['Y'] = 25, ['Z'] = 26,
};

const FlakeAlphabet flake_base32 = {"abcdefghijklmnopqrstuvwxyz234567", base32_value, 5};

/* RFC 4648's base 64 for URLs and file names. */
static const uint8_t base64_value[256] = {
	['A'] = 1, ['B'] = 2, ['C'] = 3, ['D'] = 4, ['E'] = 5, ['F'] = 6, ['G'] = 7, ['H'] = 8,
	['I'] = 9, ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
	['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
	['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
	['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
	['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
	['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
	['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['-'] = 63, ['_'] = 64,
};

const FlakeAlphabet flake_base64 = {
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", base64_value, 6
};

/* Crockford's base 32.  What writes or reads it for every ID has a copy of its own, which the compiler sees. */
static const uint8_t crockford_value[256] = {FLAKE_CROCKFORD_VALUES};

const FlakeAlphabet flake_crockford = {FLAKE_CROCKFORD_DIGITS, crockford_value, 5};

/* Any ID of up to 14 bytes as a decimal number, which has 34 digits at most. */
const FlakeNotation flake_decimal = {"d", &flake_hex, 10, 1, 34, 0, NULL};

/* A number is in two words of at most 56 bits, so that each has room for one more digit of base 64. */
#define LOW_BYTES	7
#define LOW_BITS	(8 * LOW_BYTES)
#define LOW_MASK	((UINT64_C(1) << LOW_BITS) - 1)

/* Write an ID of 8 to 14 bytes as one number; the text has room for FLAKE_MAX_DIGITS and a NUL. */
void
flake_write_number(const FlakeNotation *notation, const uint8_t *id, size_t bytes, char *text)
{
	const unsigned base = notation->base;
	uint64_t	low = flake_load(id + bytes - LOW_BYTES, LOW_BYTES) << notation->shift;
	uint64_t	high = flake_load(id, bytes - LOW_BYTES) << notation->shift | low >> LOW_BITS;
	char		reversed[FLAKE_MAX_DIGITS];
	size_t		digits = 0;

	low &= LOW_MASK;
	while (digits < notation->least || (high | low) != 0)
	{
		low |= high % base << LOW_BITS;
		high /= base;
		reversed[digits++] = notation->alphabet->digits[low % base];
		low /= base;
	}
	while (digits > 0)
		*text++ = reversed[--digits];
	*text = '\0';
}

/*
 * Read what flake_write_number() writes, with as many more zeros in front as the notation
 * allows.  Return false, and leave the ID alone, for anything else, such as a number that
 * needs more bytes.
 */
bool
flake_read_number(const FlakeNotation *notation, const char *text, size_t length,
				  uint8_t *id, size_t bytes)
{
	uint64_t	high = 0;
	uint64_t	low = 0;

	if (length < notation->least || length > notation->most)
		return false;
	for (size_t i = 0; i < length; i++)
	{
		unsigned	digit = notation->alphabet->value[(uint8_t) text[i]] - 1u;

		if (digit >= notation->base)
			return false;
		low = low * notation->base + digit;
		high = high * notation->base + (low >> LOW_BITS);
		low &= LOW_MASK;
		if (high >> (8 * (bytes - LOW_BYTES) + notation->shift) != 0)
			return false;
	}
	if ((low & ((1u << notation->shift) - 1)) != 0)
		return false;
	/* the shift below moves these bits into the second word */
	low |= high << LOW_BITS;
	flake_store(id, bytes - LOW_BYTES, high >> notation->shift);
	flake_store(id + bytes - LOW_BYTES, LOW_BYTES, low >> notation->shift);
	return true;
}

/*
 * Read bytea's hex form, \x and exactly two digits of either case a byte, which drivers
 * send for a type that they do not know.  Return false for anything else.
 */
bool
flake_decode_hex(const char *text, size_t length, uint8_t *id, size_t bytes)
{
	uint8_t		result[FLAKE_MAX_BYTES];

	if (length != 2 + 2 * bytes || text[0] != '\\' || text[1] != 'x')
		return false;
	for (size_t i = 0; i < bytes; i++)
	{
		uint64_t	byte;

		if (!flake_get_digits(&flake_hex, text + 2 + 2 * i, 2, &byte))
			return false;
		result[i] = (uint8_t) byte;
	}
	memcpy(id, result, bytes);
	return true;
}

/* Return the format's notation of that name, or NULL. */
const FlakeNotation *
flake_find_notation(const FlakeFormat *format, const char *name)
{
	for (const FlakeNotation *notation = format->notations; notation != NULL && notation->name != NULL; notation++)
		if (strcmp(notation->name, name) == 0)
			return notation;
	return NULL;
}
