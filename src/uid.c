/*
 * uid.c
 *		uid64 and uid96: 8 and 12 bytes, local and global, after fogfish/uid.
 *
 *		 uid64	| A: 20 | B: 20                      | C: 10 | sequence: 14 |
 *		 uid96	| A: 20 | B above: 20 - I | node: 32 | B below: I | C: 10 | sequence: 14 |
 *
 * A counts megaseconds since 1970, B the seconds in it, C units of 1.024 ms in
 * the second.  In uid96 the node stands before the last I bits of the seconds
 * (the drift: 5 to 10, 8 unless said otherwise), so that the IDs of one node
 * made within 2^I seconds stand together; I is not in the ID, both sides must
 * agree on it.
 *
 * Fields can hold what no clock writes: a million seconds and more in B, 977
 * units and more in C.  Such IDs are kept as they are; their instant is the last
 * microsecond of the megasecond, or of the second, so that time never runs
 * against the order.
 *
 * Text: 11 and 16 characters of 6 bits in ASCII order; the last character of a
 * uid64 carries 4 bits.
 */
#include "flake.h"

#define UID64_TEXT			11
#define UID96_TEXT			16

#define UID_SECONDS			1000000		/* in a megasecond */
#define UID_UNITS			977			/* in a second; the last one is short */

static const uint8_t uid_value[256] = {
	['.'] = 1, ['0'] = 2, ['1'] = 3, ['2'] = 4, ['3'] = 5, ['4'] = 6, ['5'] = 7, ['6'] = 8,
	['7'] = 9, ['8'] = 10, ['9'] = 11, ['A'] = 12, ['B'] = 13, ['C'] = 14, ['D'] = 15, ['E'] = 16,
	['F'] = 17, ['G'] = 18, ['H'] = 19, ['I'] = 20, ['J'] = 21, ['K'] = 22, ['L'] = 23, ['M'] = 24,
	['N'] = 25, ['O'] = 26, ['P'] = 27, ['Q'] = 28, ['R'] = 29, ['S'] = 30, ['T'] = 31, ['U'] = 32,
	['V'] = 33, ['W'] = 34, ['X'] = 35, ['Y'] = 36, ['Z'] = 37, ['_'] = 38, ['a'] = 39, ['b'] = 40,
	['c'] = 41, ['d'] = 42, ['e'] = 43, ['f'] = 44, ['g'] = 45, ['h'] = 46, ['i'] = 47, ['j'] = 48,
	['k'] = 49, ['l'] = 50, ['m'] = 51, ['n'] = 52, ['o'] = 53, ['p'] = 54, ['q'] = 55, ['r'] = 56,
	['s'] = 57, ['t'] = 58, ['u'] = 59, ['v'] = 60, ['w'] = 61, ['x'] = 62, ['y'] = 63, ['z'] = 64,
};

static const FlakeAlphabet uid_alphabet = {
	".0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", uid_value, 6
};

/* ---------- parts ---------- */

void
uid64_pack(const UidParts *parts, uint8_t *id)
{
	flake_store(id, 8, (uint64_t) parts->megaseconds << 44 | (uint64_t) parts->seconds << 24 |
				(uint64_t) parts->units << 14 | parts->sequence);
}

void
uid64_unpack(const uint8_t *id, UidParts *parts)
{
	uint64_t	value = flake_load(id, 8);

	parts->megaseconds = (unsigned) (value >> 44);
	parts->seconds = value >> 24 & 0xfffff;
	parts->units = value >> 14 & 0x3ff;
	parts->sequence = value & 0x3fff;
	parts->node = 0;
}

void
uid96_pack(const UidParts *parts, unsigned drift, uint8_t *id)
{
	unsigned	above = 40 - drift;	/* bits before the node */

	flake_put_bits(id, 0, above, ((uint64_t) parts->megaseconds << 20 | parts->seconds) >> drift);
	flake_put_bits(id, above, 32, parts->node);
	flake_put_bits(id, above + 32, drift, parts->seconds);
	flake_put_bits(id, 72, 10, parts->units);
	flake_put_bits(id, 82, 14, parts->sequence);
}

void
uid96_unpack(const uint8_t *id, unsigned drift, UidParts *parts)
{
	unsigned	above = 40 - drift;
	uint64_t	seconds = flake_get_bits(id, 0, above) << drift |
		flake_get_bits(id, above + 32, drift);

	parts->megaseconds = (unsigned) (seconds >> 20);
	parts->seconds = seconds & 0xfffff;
	parts->node = (uint32_t) flake_get_bits(id, above, 32);
	parts->units = (unsigned) flake_get_bits(id, 72, 10);
	parts->sequence = (unsigned) flake_get_bits(id, 82, 14);
}

/* A tick of the generator (977 a second since 1970) as the fields of time. */
void
uid_parts_of_tick(uint64_t tick, UidParts *parts)
{
	uint64_t	seconds = tick / UID_UNITS;

	parts->megaseconds = (unsigned) (seconds / UID_SECONDS);
	parts->seconds = (unsigned) (seconds % UID_SECONDS);
	parts->units = (unsigned) (tick % UID_UNITS);
}

/* The instant of the fields of time, as said at the top. */
int64_t
uid_instant(const UidParts *parts)
{
	int64_t		second = (int64_t) parts->megaseconds * UID_SECONDS;
	int64_t		us = (int64_t) parts->units << 10;

	if (parts->seconds >= UID_SECONDS)
		return (second + UID_SECONDS) * FLAKE_US_PER_SECOND - 1;
	if (us >= FLAKE_US_PER_SECOND)
		us = FLAKE_US_PER_SECOND - 1;
	return (second + parts->seconds) * FLAKE_US_PER_SECOND + us;
}

/*
 * The least and greatest fields of the unit that holds us: the last unit of a
 * second, and the last second of a megasecond, hold what no clock writes, too.
 */
static void
uid_unit(int64_t us, UidParts *least, UidParts *greatest)
{
	uid_parts_of_tick(flake_tick_of(&flake_uid64.rate, us), least);
	least->sequence = 0;
	least->node = 0;
	*greatest = *least;
	greatest->sequence = 0x3fff;
	greatest->node = UINT32_MAX;
	if (greatest->units == UID_UNITS - 1)
	{
		greatest->units = 0x3ff;
		if (greatest->seconds == UID_SECONDS - 1)
			greatest->seconds = 0xfffff;
	}
}

/* erlang:phash2 of the atom with this name (UTF-8), 28 bits. */
uint32_t
uid_hash_node(const char *name, size_t length)
{
	uint32_t	h = 0;

	for (size_t i = 0; i < length; i++)
	{
		uint32_t	c = (uint8_t) name[i];
		uint32_t	g;

		/* U+0080 to U+00FF are hashed as one byte, as in Latin-1 */
		if ((c == 0xc2 || c == 0xc3) && i + 1 < length && ((uint8_t) name[i + 1] & 0xc0) == 0x80)
			c = c << 6 | ((uint8_t) name[++i] & 0x3f);
		h = (h << 4) + (c & 0xff);
		g = h & 0xf0000000;
		if (g != 0)
		{
			h ^= g >> 24;
			h ^= g;
		}
	}
	return h;
}

/* ---------- uid64 ---------- */

static void
uid64_encode(const uint8_t *id, char *text)
{
	flake_encode(&uid_alphabet, id, 8, 0, text, UID64_TEXT);
	text[UID64_TEXT] = '\0';
}

static bool
uid64_decode(const char *text, size_t length, uint8_t *id)
{
	return length == UID64_TEXT && flake_decode(&uid_alphabet, text, UID64_TEXT, 0, id, 8);
}

static int64_t
uid64_instant(const uint8_t *id)
{
	UidParts	parts;

	uid64_unpack(id, &parts);
	return uid_instant(&parts);
}

static void
uid64_bounds(int64_t us, uint8_t *least, uint8_t *greatest)
{
	UidParts	from;
	UidParts	to;

	uid_unit(us, &from, &to);
	uid64_pack(&from, least);
	uid64_pack(&to, greatest);
}

#define UID_RATE { \
		.epoch_us = 0, \
		.per_second = UID_UNITS, \
		.mul = 1, \
		.div = 1024, \
		.last_tick = (UINT64_C(1) << 20) * UID_SECONDS * UID_UNITS - 1, \
	}

const FlakeFormat flake_uid64 = {
	.name = "uid64",
	.id = FLAKE_UID64,
	.shape = "A uid64 is 11 characters, each ., 0 to 9, A to Z, _ or a to z, the last of which is one of 16.",
	.digits = ".0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
	.pattern = "^[.0-9A-Z_a-z]{10}[.37BFJNRVZcgkosw]$",
	.bytes = 8,
	.text_length = UID64_TEXT,
	.timestamp_bits = 50,
	.time_ordered = true,
	.rate = UID_RATE,
	.sequence_bits = 14,
	.numbers = 1,
	.slots = 1,
	.encode = uid64_encode,
	.decode = uid64_decode,
	.instant = uid64_instant,
	.bounds = uid64_bounds,
};

/* ---------- uid96 ---------- */

static void
uid96_encode(const uint8_t *id, char *text)
{
	flake_encode(&uid_alphabet, id, 12, 0, text, UID96_TEXT);
	text[UID96_TEXT] = '\0';
}

static bool
uid96_decode(const char *text, size_t length, uint8_t *id)
{
	return length == UID96_TEXT && flake_decode(&uid_alphabet, text, UID96_TEXT, 0, id, 12);
}

static int64_t
uid96_instant(const uint8_t *id)
{
	UidParts	parts;

	uid96_unpack(id, UID_DRIFT_DEFAULT, &parts);
	return uid_instant(&parts);
}

/*
 * The bounds of the whole neighbourhood: 2^drift seconds, all nodes.  Finer ones
 * there are not, as the node stands before the rest of the time.
 */
void
uid96_neighbourhood(int64_t us, unsigned drift, uint8_t *least, uint8_t *greatest)
{
	UidParts	from;
	UidParts	to;
	unsigned	within = (1u << drift) - 1;

	uid_unit(us, &from, &to);
	from.seconds &= ~within;
	from.units = 0;
	to.seconds |= within;
	to.units = 0x3ff;
	uid96_pack(&from, drift, least);
	uid96_pack(&to, drift, greatest);
}

static void
uid96_bounds(int64_t us, uint8_t *least, uint8_t *greatest)
{
	uid96_neighbourhood(us, UID_DRIFT_DEFAULT, least, greatest);
}

const FlakeFormat flake_uid96 = {
	.name = "uid96",
	.id = FLAKE_UID96,
	.shape = "A uid96 is 16 characters, each ., 0 to 9, A to Z, _ or a to z.",
	.digits = ".0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
	.pattern = "^[.0-9A-Z_a-z]{16}$",
	.bytes = 12,
	.text_length = UID96_TEXT,
	.timestamp_bits = 50,
	.rate = UID_RATE,
	.sequence_bits = 14,
	.encode = uid96_encode,
	.decode = uid96_decode,
	.instant = uid96_instant,
	.bounds = uid96_bounds,
};
