/*
 * flake.h
 *		The kernel: formats, alphabets, ticks and time, and the generator's policy.
 *
 * Nothing here knows PostgreSQL: no allocation, no clock, no lock, no error
 * thrown.  The kernel compiles alone (cc -std=c11 -DFLAKE_STANDALONE), so that
 * unit tests, sanitizers, fuzzers and the simulation drive the very code that
 * runs in the server.
 *
 * Units: "us" is microseconds since the Unix epoch, signed.  A "tick" is a
 * format's unit of time, counted from the format's own epoch.
 */
#ifndef FLAKE_H
#define FLAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Hide our names: PostgreSQL exports every name of a module unless told otherwise,
 * and calling a function that another library might replace takes a detour.
 */
#pragma GCC visibility push(hidden)

/* The widest ID, in bytes, and the longest canonical text, without its NUL. */
#define FLAKE_MAX_BYTES			20
#define FLAKE_MAX_TEXT			27

#define FLAKE_US_PER_SECOND		INT64_C(1000000)

/* ---------- big-endian loads and stores ---------- */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FLAKE_SWAP(bits, v)		(v)
#else
#define FLAKE_SWAP(bits, v)		__builtin_bswap##bits(v)
#endif

/*
 * Return the first n bytes (8 at most) as a number.  n is a constant at every call
 * that matters, so the compiler emits just one to three loads.
 */
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
 * Compare two IDs of 24 bytes at most, byte by byte: -1, 0 or 1.  "bytes" is a
 * constant at every call that matters, so the compiler emits one to three compares of
 * registers instead of a call of memcmp().
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
 * Return how many IDs b lies after a, as precisely as a double can, or a negative
 * number if b lies before a.  Subtract them as integers: as doubles, close IDs would be
 * equal.
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
 * 2^bits digits.  value[c] is the digit's value plus one, or 0 if c is not a digit.
 * In the alphabets of canonical texts the digits ascend, so that texts sort as the
 * IDs' bytes do.
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
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, \
	['8'] = 9, ['9'] = 10, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16, \
	['G'] = 17, ['H'] = 18, ['J'] = 19, ['K'] = 20, ['M'] = 21, ['N'] = 22, ['P'] = 23, ['Q'] = 24, \
	['R'] = 25, ['S'] = 26, ['T'] = 27, ['V'] = 28, ['W'] = 29, ['X'] = 30, ['Y'] = 31, ['Z'] = 32, \
	['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, \
	['g'] = 17, ['h'] = 18, ['j'] = 19, ['k'] = 20, ['m'] = 21, ['n'] = 22, ['p'] = 23, ['q'] = 24, \
	['r'] = 25, ['s'] = 26, ['t'] = 27, ['v'] = 28, ['w'] = 29, ['x'] = 30, ['y'] = 31, ['z'] = 32, \
	['O'] = 1, ['o'] = 1, ['I'] = 2, ['i'] = 2, ['L'] = 2, ['l'] = 2

/*
 * Write the last n digits of a number.  Inline, here and below, because alphabet
 * and n are constants at every call.
 */
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
	/* The first so many digits of the alphabet are used. */
	unsigned	base;
	/* Digits of the shortest text, which leading zeros fill up ... */
	unsigned	least;
	/* ... and of the longest, leading zeros included. */
	unsigned	most;
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

/* ---------- ticks and time; tick.c ---------- */

/*
 * How a format counts time: "per_second" ticks a second.  Microsecond u of a second
 * lies in tick floor(u * mul / div) of that second.
 */
typedef struct FlakeRate
{
	int64_t		epoch_us;		/* start of tick 0, a whole second */
	uint32_t	per_second;
	uint32_t	mul;
	uint32_t	div;
	uint64_t	last_tick;		/* the last one that the format can hold */
} FlakeRate;

/* The first whole microsecond of a tick, since 1970. */
static inline int64_t
flake_us_of(const FlakeRate *rate, uint64_t tick)
{
	uint64_t	seconds = tick / rate->per_second;
	uint64_t	rest = tick % rate->per_second * rate->div;

	return rate->epoch_us + (int64_t) (seconds * FLAKE_US_PER_SECOND +
									   (rest + rate->mul - 1) / rate->mul);
}

extern uint64_t flake_tick_of(const FlakeRate *rate, int64_t us);
extern uint64_t flake_tick_from(const FlakeRate *rate, int64_t us);
extern int64_t flake_last_us(const FlakeRate *rate);
extern bool flake_in_span(const FlakeRate *rate, int64_t us);

/* ---------- the descriptors of the formats, which are in formats.c and each format's own file ---------- */

/* By the list in formatlist.h: FLAKE_SNO, FLAKE_FLAX ... */
typedef enum FlakeFormatId
{
#define FLAKE_FORMAT(id, name)	id,
#include "types/formatlist.h"
#undef FLAKE_FORMAT
	FLAKE_FORMATS				/* how many there are */
} FlakeFormatId;

/* The parts of an ID that tell who issued it. */
typedef struct FlakeIssuer
{
	uint32_t	number;			/* partition, shard, worker or node */
	uint32_t	sequence;		/* the ID's place in the generator's pool */
	/* Equal numbers in two scopes do not collide: siq's domain, otherwise 0. */
	uint32_t	scope;
	unsigned	timeline;
} FlakeIssuer;

typedef struct FlakeFormat
{
	const char *name;			/* of the SQL type */
	FlakeFormatId id;
	/* What the text looks like: one sentence for DETAIL. */
	const char *shape;
	const char *digits;			/* the text's alphabet */
	/* A regular expression that matches the canonical text. */
	const char *pattern;
	uint8_t		bytes;
	/* The length of the canonical text; where it varies, of the longest. */
	uint8_t		text_length;
	uint8_t		timestamp_bits;
	uint8_t		random_bits;
	bool		time_ordered;	/* IDs sort by their instants */

	/* Time; the rate also drives the generator. */
	FlakeRate	rate;

	/*
	 * The generator has a pool of 2^sequence_bits a tick.  Partitions, shards
	 * or workers are 0 .. numbers - 1; with numbers = 0 the format has no
	 * generator (flax) or draws from another format's (uid96 from uid64's).
	 */
	uint8_t		sequence_bits;
	/* A part of the pool that a session may use has so many numbers or more ... */
	uint8_t		least_pool;
	/* ... and settings can select one of so many equal parts; 0: any part. */
	uint8_t		pool_parts;
	uint32_t	numbers;
	bool		tick_tock;		/* has a bit for a second timeline */
	/* The number is a 32-bit hash of a name or of the node. */
	bool		hashed_number;
	/* Hash the name of a node, which is in UTF-8.  NULL: nodes have no names. */
	uint32_t	(*hash_name) (const char *name, size_t length);
	/* The format whose generator serves this one; NULL: its own. */
	const struct FlakeFormat *drawn_from;

	/*
	 * Text.  encode() writes text_length characters at most, and a NUL.
	 * decode() accepts the canonical text and whatever else the format reads,
	 * and writes "id" only on success.
	 */
	void		(*encode) (const uint8_t *id, char *text);
	bool		(*decode) (const char *text, size_t length, uint8_t *id);
	/* Other ways to write it; the last one has no name.  NULL: none. */
	const FlakeNotation *notations;

	/*
	 * Return the ID's instant: the first whole microsecond of its tick.  NULL
	 * where the tick is the ID's first timestamp_bits: see flake_id_us().
	 */
	int64_t		(*instant) (const uint8_t *id);

	/*
	 * Write the least and the greatest ID of the tick that contains us, which
	 * is in the span.  NULL where the tick is the ID's first timestamp_bits:
	 * see flake_bounds().
	 */
	void		(*bounds) (int64_t us, uint8_t *least, uint8_t *greatest);
	/* Extract the issuer from an ID.  NULL: IDs carry no number. */
	void		(*issuer) (const uint8_t *id, FlakeIssuer *issuer);
} FlakeFormat;

/* Return the format whose generator serves a format. */
static inline const FlakeFormat *
flake_generator_of(const FlakeFormat *format)
{
	return format->drawn_from != NULL ? format->drawn_from : format;
}

/* Return an ID's instant in us. */
static inline int64_t
flake_id_us(const FlakeFormat *format, const uint8_t *id)
{
	if (format->instant != NULL)
		return format->instant(id);
	return flake_us_of(&format->rate, flake_load(id, 8) >> (64 - format->timestamp_bits));
}

extern const FlakeFormat *const flake_formats[FLAKE_FORMATS];

/* A page has so many generators of one format, with consecutive numbers. */
#define FLAKE_PAGE		64

/* The pages of all formats together. */
#define FLAKE_PAGES		1032

/* Return how many pages the generators of a format fill. */
static inline uint32_t
flake_pages(const FlakeFormat *format)
{
	return (format->numbers + FLAKE_PAGE - 1) / FLAKE_PAGE;
}

extern const FlakeNotation *flake_find_notation(const FlakeFormat *format, const char *name);

/* The descriptors: flake_sno, flake_flax ... */
#define FLAKE_FORMAT(id, name)	extern const FlakeFormat flake_##name;
#include "types/formatlist.h"
#undef FLAKE_FORMAT

/* ---------- bounds.c ---------- */

/*
 * Write the least and the greatest ID of the tick that contains us.  flake_bounds()
 * needs an instant in the span; the others take any, and write the type's least or
 * greatest ID for one outside the span.
 */
extern void flake_bounds(const FlakeFormat *format, int64_t us, uint8_t *least, uint8_t *greatest);
extern void flake_least(const FlakeFormat *format, int64_t us, uint8_t *id);
extern void flake_min(const FlakeFormat *format, int64_t us, uint8_t *id);
extern void flake_greatest(const FlakeFormat *format, int64_t us, uint8_t *id);

/* ---------- sequence.c: the generator's policy ---------- */

/*
 * A generator is one 64-bit word that is only ever changed by compare-and-swap:
 *
 *		timeline:1 | tick:63 - n | next:n		n = sequence_bits + 1
 *
 * next is the first sequence number that is not yet leased in the tick; one past
 * the pool's maximum, for which n has an extra bit, means that the tick is exhausted.
 * One swap enters a new tick and starts its sequence: with two, another backend could
 * lease a sequence number of the old tick again in between.
 */
typedef struct FlakeWord
{
	unsigned	timeline;		/* 0 or 1; the tick-tock bit */
	uint64_t	tick;
	uint32_t	next;
} FlakeWord;

extern uint64_t flake_word(const FlakeFormat *format, FlakeWord word);
extern FlakeWord flake_unword(const FlakeFormat *format, uint64_t word);

/* The instants from .. to - 1, in us; empty if to <= from. */
typedef struct FlakeInterval
{
	int64_t		from;
	int64_t		to;
} FlakeInterval;

/*
 * What flake_step() decides on.  Read the word first, then the clock, the generation,
 * and only then the rest.  (A backend that read the timeline before the word could
 * swap a word of the new timeline for one with the old timeline's bit.)
 */
typedef struct FlakeView
{
	uint64_t	word;
	int64_t		now;			/* the clock */
	unsigned	timeline;		/* the one in force */
	/* No tick below it may be issued on this timeline. */
	uint64_t	floor;

	/*
	 * The database has decided to go ahead of the clock up to this tick.  0:
	 * it has not, or the clock has reached the tick.
	 */
	uint64_t	ahead_until;
	int64_t		mark;			/* ticks that start before it may be issued */

	/*
	 * For flake_regression(): everything on the other timeline is before this
	 * instant.
	 */
	int64_t		safe;
	int64_t		max_ahead;		/* how far a tick may be ahead of the clock */
	/* The pool: this database uses these sequence numbers. */
	uint32_t	min,
				max;
	/* An ID takes so many sequence numbers, aligned; a power of two. */
	uint32_t	stride;
} FlakeView;

/* What a waiting caller remembers between its steps; zero it before the first. */
typedef struct FlakePatience
{
	bool		exhausted;		/* "tick" was found exhausted ... */
	uint64_t	tick;
	uint64_t	clock_tick;		/* ... when the clock was at this tick */
} FlakePatience;

typedef enum FlakeVerdict
{
	/* Swap in "word"; then [next, end) of "tick" is ours. */
	FLAKE_LEASE,
	FLAKE_EXHAUSTED,			/* wait until the clock reads "until" */
	FLAKE_UNMARKED,				/* the mark must be moved past "tick" first */
	/* The clock is behind "tick": decide under the lock. */
	FLAKE_BEHIND,
	/* "tick" is beyond max_ahead: wait until the clock reads "until". */
	FLAKE_TOO_FAR,
	/* The clock or the next tick is outside the format's span. */
	FLAKE_OUT_OF_SPAN
} FlakeVerdict;

typedef struct FlakeStep
{
	uint64_t	word;			/* the word to swap in */
	uint64_t	tick;
	uint32_t	next,
				end;
	int64_t		until;
} FlakeStep;

extern FlakeVerdict flake_step(const FlakeFormat *format, const FlakeView *view, uint32_t want,
							   FlakePatience *patience, FlakeStep *step);
extern uint32_t flake_next_want(uint32_t want, bool busy, uint32_t min, uint32_t max);
extern bool flake_give_back(const FlakeFormat *format, uint64_t word, unsigned timeline,
							uint64_t tick, uint32_t next, uint32_t end, uint64_t *shorter);

/*
 * What to do about FLAKE_BEHIND, which flake_step() returns for tick-tock formats only.
 * The decision holds for the whole database: it is made under the database's lock, from
 * the word and the clock as read again there.
 */
typedef enum FlakeRegression
{
	/*
	 * The clock is no longer behind, or another session has decided: step
	 * again.
	 */
	FLAKE_REGRESSION_NONE,
	/* Wait for the next tick, until the clock reads "until". */
	FLAKE_REGRESSION_WAIT,
	/* Change to the other timeline, whose floor becomes "floor". */
	FLAKE_REGRESSION_TOGGLE,

	/*
	 * The other timeline is not safe: go ahead of the clock, at least to
	 * "ahead_until".
	 */
	FLAKE_REGRESSION_AHEAD,

	/*
	 * The other timeline is not safe, and the clock is too far behind to go
	 * ahead of it until it reads "until".
	 */
	FLAKE_REGRESSION_TOO_FAR
} FlakeRegression;

typedef struct FlakeRegressed
{
	uint64_t	floor;
	uint64_t	ahead_until;
	uint64_t	tick;			/* the one that the clock is behind */
	int64_t		until;
} FlakeRegressed;

extern FlakeRegression flake_regression(const FlakeFormat *format, const FlakeView *v,
										FlakeRegressed *regressed);

/* The sequence of T_new_at: see new_at.c. */
extern uint32_t flake_roll_over(uint64_t count, uint32_t min, uint32_t max);
extern uint32_t flake_spread(uint32_t ordinal, uint32_t pool);

/* ---------- issued.c: when a database has issued IDs ---------- */

/* How far ahead of the IDs a mark is moved. */
#define FLAKE_LEAD_US		(2 * FLAKE_US_PER_SECOND)

/*
 * A mark is moved when the IDs are this close to it.  (The lead itself must be less
 * than flakeid.max_ahead: otherwise a format that can only go ahead of the clock could
 * make no IDs right after a crash.)
 */
#define FLAKE_NEAR_US		(1 * FLAKE_US_PER_SECOND)

/* How many intervals a database remembers: six leave one free after four clock incidents in a row. */
#define FLAKE_INTERVALS	6

/*
 * The intervals in which IDs of a kind count as issued, in ascending order and disjoint,
 * in us since 1970; 0 is the beginning of time.  There is always a current one, whose end
 * is the mark; it alone may be empty, and is [0, 0) before the first ID.  Unused members
 * are zero, so that values can be compared as bytes.
 */
typedef struct FlakeIssued
{
	int32_t		count;
	int32_t		current;		/* index in "at" */
	/* The last element is used only while a function changes the value. */
	FlakeInterval at[FLAKE_INTERVALS + 1];
} FlakeIssued;

/* The mark: ticks that start before it may be issued. */
static inline int64_t
flake_mark_of(const FlakeIssued *issued)
{
	return issued->at[issued->current].to;
}

static inline bool
flake_issued_equal(const FlakeIssued *a, const FlakeIssued *b)
{
	return memcmp(a, b, sizeof(FlakeIssued)) == 0;
}

/* What a reset of the clock does to what was issued. */
typedef struct FlakeIssuedPlan
{
	FlakeIssued issued;			/* afterwards */
	bool		lower;			/* the mark is lowered */
	bool		write;			/* the value changes */
	/* A gap above that counts as issued from now on; from = to: none. */
	FlakeInterval lost;
} FlakeIssuedPlan;

extern FlakeIssued flake_issued_before(int64_t us);
extern int64_t flake_issued_until(const FlakeIssued *issued, int64_t us);
extern const FlakeInterval *flake_issued_at(const FlakeIssued *issued, int64_t us);
extern bool flake_issued_advance(FlakeIssued *issued, int64_t us, int64_t elapsed, int64_t *floor);
extern int64_t flake_issued_add(FlakeIssued *issued, FlakeInterval other);
extern int64_t flake_issued_add_all(FlakeIssued *issued, const FlakeIssued *others);
extern bool flake_issued_includes(const FlakeIssued *issued, const FlakeIssued *others);
extern int64_t flake_issued_adopt(FlakeIssued *issued, int64_t us);
extern bool flake_issued_reset(const FlakeIssued *issued, int64_t us, bool force, FlakeIssuedPlan *plan);

/* ---------- announcement.c: which IDs may still become visible ---------- */

/* The last transactions to commit each leave a note, in the place that their transaction ID selects. */
#define FLAKE_NOTE_BITS		12
#define FLAKE_NOTES			(1 << FLAKE_NOTE_BITS)

typedef enum FlakeNoted
{
	/* The transaction made no IDs, or has not committed. */
	FLAKE_NOTED_NOTHING,
	FLAKE_NOTED,				/* the note says what it announced */
	/* A later transaction has the place, so nothing is known. */
	FLAKE_NOTED_LATER
} FlakeNoted;

#define FLAKE_SEEN_NOTHING	UINT64_MAX

/* What a reader has found out about IDs that its snapshot does not see. */
typedef struct FlakeSeen
{
	/* us: the earliest announcement that counts, or FLAKE_SEEN_NOTHING. */
	uint64_t	announced;
	/* A transaction may have made IDs whose announcement is lost. */
	bool		lost;
	/* A transaction that committed since the snapshot may have made IDs. */
	bool		unknown;
} FlakeSeen;

/* How old a snapshot is. */
typedef struct FlakeSnapshotAge
{
	/* To it, this transaction ID and later ones are still running ... */
	uint32_t	xmax;
	uint32_t	running;		/* ... and so many earlier ones */
} FlakeSnapshotAge;

extern uint64_t flake_announcement(uint64_t announced, int64_t us);
extern uint64_t flake_note(uint64_t note, uint32_t xid, uint64_t announced);
extern FlakeNoted flake_noted(uint64_t note, uint32_t xid, uint64_t *announced);
extern bool flake_notes_worn(uint64_t since, uint64_t at);
extern uint64_t flake_closing_tick(const FlakeRate *rate, int64_t now, int64_t mark);
extern void flake_see_no_note(FlakeSeen *seen, FlakeNoted noted, bool old, bool committed);
extern uint64_t flake_horizon_tick(const FlakeRate *rate, uint64_t closed, int64_t mark,
								   const FlakeSeen *seen);
extern bool flake_answer_holds(const FlakeSnapshotAge *then, const FlakeSnapshotAge *now);

#pragma GCC visibility pop

#endif							/* FLAKE_H */
