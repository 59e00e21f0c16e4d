/*
 * text.h
 *		IDs as bytes and as text: loads and stores, alphabets, notations; base.c.
 */
#ifndef FLAKE_TEXT_H
#define FLAKE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Hide our names: PostgreSQL exports every name of a module unless told otherwise. */
#pragma GCC visibility push(hidden)

/* The widest ID, in bytes, and the longest canonical text, without its NUL. */
#define FLAKE_MAX_BYTES			20
#define FLAKE_MAX_TEXT			27

/* ---------- big-endian loads and stores ---------- */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FLAKE_SWAP(bits, v)		(v)
#else
#define FLAKE_SWAP(bits, v)		__builtin_bswap##bits(v)
#endif

/* Return the first n bytes (8 at most) as a number: one to three loads where n is a constant. */
static inline uint64_t
flake_load(const uint8_t *p, size_t n)
{
	uint64_t	v = 0;
	uint64_t	v8;
	uint32_t	v4;
	uint16_t	v2;

	if (n == 8)
	{
		memcpy(&v8, p, 8);
		return FLAKE_SWAP(64, v8);
	}
	if (n & 4)
	{
		memcpy(&v4, p, 4);
		v = FLAKE_SWAP(32, v4);
		p += 4;
	}
	if (n & 2)
	{
		memcpy(&v2, p, 2);
		v = v << 16 | FLAKE_SWAP(16, v2);
		p += 2;
	}
	if (n & 1)
		v = v << 8 | *p;
	return v;
}

/* Store the last n bytes (8 at most) of a number. */
static inline void
flake_store(uint8_t *p, size_t n, uint64_t v)
{
	uint64_t	v8;
	uint32_t	v4;
	uint16_t	v2;

	if (n == 8)
	{
		v8 = FLAKE_SWAP(64, v);
		memcpy(p, &v8, 8);
		return;
	}
	if (n & 1)
	{
		p[n - 1] = (uint8_t) v;
		v >>= 8;
	}
	if (n & 2)
	{
		v2 = FLAKE_SWAP(16, (uint16_t) v);
		memcpy(p + (n & 4), &v2, 2);
		v >>= 16;
	}
	if (n & 4)
	{
		v4 = FLAKE_SWAP(32, (uint32_t) v);
		memcpy(p, &v4, 4);
	}
}

/*
 * Compare two IDs of 24 bytes at most, byte by byte: -1, 0 or 1.  Where "bytes" is a constant,
 * that is one to three compares of registers instead of a call of memcmp().
 */
static inline int
flake_compare(const uint8_t *a, const uint8_t *b, size_t bytes)
{
	uint64_t	x = flake_load(a, 8);
	uint64_t	y = flake_load(b, 8);

	if (x == y)
	{
		x = flake_load(a + 8, bytes < 16 ? bytes - 8 : 8);
		y = flake_load(b + 8, bytes < 16 ? bytes - 8 : 8);
	}
	if (bytes > 16 && x == y)
	{
		x = flake_load(a + 16, bytes - 16);
		y = flake_load(b + 16, bytes - 16);
	}
	return (x > y) - (x < y);
}

/*
 * Return how many IDs b lies after a, or a negative number if b lies before a.  Subtracts them
 * as integers, because as doubles close IDs would be equal.
 */
static inline double
flake_distance(const uint8_t *a, const uint8_t *b, size_t bytes)
{
	static const double power[] = {0x1p0, 0x1p8, 0x1p16, 0x1p24, 0x1p32, 0x1p40, 0x1p48, 0x1p56, 0x1p64};
	bool		before = flake_compare(a, b, bytes) > 0;
	const uint8_t *from = before ? b : a;
	const uint8_t *to = before ? a : b;
	size_t		at = (bytes - 1) & ~(size_t) 7;
	size_t		n = bytes - at;
	double		distance = 0.0;
	double		scale = 1.0;
	bool		borrow = false;

	for (;; at -= 8, n = 8)
	{
		uint64_t	x = flake_load(from + at, n);
		uint64_t	y = flake_load(to + at, n);

		distance += scale * (double) ((y - x - borrow) & UINT64_MAX >> (64 - 8 * n));
		if (at == 0)
			return before ? -distance : distance;
		borrow = y < x || (y == x && borrow);
		scale *= power[n];
	}
}

/* ---------- texts ---------- */

/*
 * 2^bits digits.  value[c] is the digit's value plus one, or 0 if c is not a digit.  In the
 * alphabets of canonical texts the digits ascend.
 */
typedef struct FlakeAlphabet
{
	const char *digits;
	const uint8_t *value;
	unsigned	bits;			/* per digit: 4 to 6 */
} FlakeAlphabet;

/* All digits but the first are the same in all alphabets of 6 bits. */
#define FLAKE_DIGITS_63		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
#define FLAKE_VALUES_63 \
	['0'] = 2, ['1'] = 3, ['2'] = 4, ['3'] = 5, ['4'] = 6, ['5'] = 7, ['6'] = 8, ['7'] = 9, \
	['8'] = 10, ['9'] = 11, ['A'] = 12, ['B'] = 13, ['C'] = 14, ['D'] = 15, ['E'] = 16, ['F'] = 17, \
	['G'] = 18, ['H'] = 19, ['I'] = 20, ['J'] = 21, ['K'] = 22, ['L'] = 23, ['M'] = 24, ['N'] = 25, \
	['O'] = 26, ['P'] = 27, ['Q'] = 28, ['R'] = 29, ['S'] = 30, ['T'] = 31, ['U'] = 32, ['V'] = 33, \
	['W'] = 34, ['X'] = 35, ['Y'] = 36, ['Z'] = 37, ['_'] = 38, ['a'] = 39, ['b'] = 40, ['c'] = 41, \
	['d'] = 42, ['e'] = 43, ['f'] = 44, ['g'] = 45, ['h'] = 46, ['i'] = 47, ['j'] = 48, ['k'] = 49, \
	['l'] = 50, ['m'] = 51, ['n'] = 52, ['o'] = 53, ['p'] = 54, ['q'] = 55, ['r'] = 56, ['s'] = 57, \
	['t'] = 58, ['u'] = 59, ['v'] = 60, ['w'] = 61, ['x'] = 62, ['y'] = 63, ['z'] = 64

/* Crockford's base 32, read as he specifies: either case, O as 0, I and L as 1. */
#define FLAKE_CROCKFORD_DIGITS	"0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#define FLAKE_CROCKFORD_VALUES \
	FLAKE_CROCKFORD_LOWER_VALUES, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16, \
	['G'] = 17, ['H'] = 18, ['J'] = 19, ['K'] = 20, ['M'] = 21, ['N'] = 22, ['P'] = 23, ['Q'] = 24, \
	['R'] = 25, ['S'] = 26, ['T'] = 27, ['V'] = 28, ['W'] = 29, ['X'] = 30, ['Y'] = 31, ['Z'] = 32, \
	['O'] = 1, ['o'] = 1, ['I'] = 2, ['i'] = 2, ['L'] = 2, ['l'] = 2
/* The same in lower case alone. */
#define FLAKE_CROCKFORD_LOWER	"0123456789abcdefghjkmnpqrstvwxyz"
#define FLAKE_CROCKFORD_LOWER_VALUES \
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, \
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, \
	['g'] = 17, ['h'] = 18, ['j'] = 19, ['k'] = 20, ['m'] = 21, ['n'] = 22, ['p'] = 23, ['q'] = 24, \
	['r'] = 25, ['s'] = 26, ['t'] = 27, ['v'] = 28, ['w'] = 29, ['x'] = 30, ['y'] = 31, ['z'] = 32

/* Base 62, in the order of ASCII. */
#define FLAKE_BASE62_DIGITS		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Write the last n digits of a number; inline, as below, because alphabet and n are constants at every call. */
static inline void
flake_put_digits(const FlakeAlphabet *alphabet, uint64_t number, char *text, size_t n)
{
	for (size_t i = n; i-- > 0; number >>= alphabet->bits)
		text[i] = alphabet->digits[number & ((1u << alphabet->bits) - 1)];
}

/* Read a number of n digits; false if a character is not a digit. */
static inline bool
flake_get_digits(const FlakeAlphabet *alphabet, const char *text, size_t n, uint64_t *number)
{
	uint64_t	any = 0;

	/* A character that is not a digit sets all bits of "any". */
	*number = 0;
	for (size_t i = 0; i < n; i++)
	{
		uint64_t	digit = (uint64_t) alphabet->value[(uint8_t) text[i]] - 1;

		any |= digit;
		*number = *number << alphabet->bits | digit;
	}
	return any >> alphabet->bits == 0;
}

/* Write the text of 16 digits of an ID of 10 or 12 bytes: each half is "bits" bytes and 8 digits. */
static inline void
flake_encode_16(const FlakeAlphabet *alphabet, const uint8_t *id, char *text)
{
	flake_put_digits(alphabet, flake_load(id, alphabet->bits), text, 8);
	flake_put_digits(alphabet, flake_load(id + alphabet->bits, alphabet->bits), text + 8, 8);
	text[16] = '\0';
}

static inline bool
flake_decode_16(const FlakeAlphabet *alphabet, const char *text, size_t length, uint8_t *id)
{
	uint64_t	halves[2];

	if (length != 16 || !flake_get_digits(alphabet, text, 8, &halves[0]) ||
		!flake_get_digits(alphabet, text + 8, 8, &halves[1]))
		return false;
	flake_store(id, alphabet->bits, halves[0]);
	flake_store(id + alphabet->bits, alphabet->bits, halves[1]);
	return true;
}

/* A way to write an ID as one number, other than its canonical text. */
typedef struct FlakeNotation
{
	const char *name;
	const FlakeAlphabet *alphabet;
	unsigned	base;			/* how many digits of the alphabet are used */
	unsigned	least;			/* digits; leading zeros fill the text up */
	unsigned	most;			/* digits, leading zeros included */
	unsigned	shift;			/* zero bits after those of the ID */
	const char *shape;			/* one sentence for DETAIL */
} FlakeNotation;

/* The widest ID that is written as one number, and its digits in octal. */
#define FLAKE_MAX_NUMBER	14
#define FLAKE_MAX_DIGITS	38

extern const FlakeAlphabet flake_hex;
extern const FlakeAlphabet flake_base32;
extern const FlakeAlphabet flake_base64;
extern const FlakeAlphabet flake_crockford;
extern const FlakeNotation flake_decimal;

extern void flake_write_number(const FlakeNotation *notation, const uint8_t *id, size_t bytes,
							   char *text);
extern bool flake_read_number(const FlakeNotation *notation, const char *text, size_t length,
							  uint8_t *id, size_t bytes);
extern bool flake_decode_hex(const char *text, size_t length, uint8_t *id, size_t bytes);

#pragma GCC visibility pop

#endif							/* FLAKE_TEXT_H */
