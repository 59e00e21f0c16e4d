/*
 * codec_test.c
 *		Texts and bytes of IDs.
 */
#include "types/sno.h"
#include "tsv.h"

static const FlakeFormat *const sno = &flake_sno;

/* ---------- sno's vectors ---------- */

static void
sno_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/sno.tsv");
	while (tsv_next(&tsv))
	{
		const char *hex = tsv_text(&tsv, "hex");
		const char *text = tsv_text(&tsv, "text");
		int64_t		us = tsv_int(&tsv, "timestamp_ns") / 1000;
		char		got[FLAKE_MAX_TEXT + 1];
		char		digits[2 * FLAKE_MAX_BYTES + 1];
		uint8_t		id[10];
		uint8_t		back[10];
		uint8_t		least[10];
		uint8_t		greatest[10];
		SnoParts	parts;

		if (tsv_hex(&tsv, "hex", id, sizeof(id)) != 10)
			bail_out("line %d: not 10 bytes", tsv.line);
		sno->encode(id, got);
		check_str(got, text, "line %d: encode", tsv.line);
		check(sno->decode(text, strlen(text), back), "line %d: decode", tsv.line);
		check_str(hex_of(back, 10, digits), hex, "line %d: decode", tsv.line);
		check_int(flake_id_us(sno, id), us, "line %d: instant", tsv.line);

		sno_unpack(id, &parts);
		check_int(parts.units, flake_tick_of(&sno->rate, us), "line %d: units", tsv.line);
		check_int(parts.tick_tock, tsv_int(&tsv, "tick_tock"), "line %d: tick_tock", tsv.line);
		check_int(parts.meta, tsv_int(&tsv, "meta"), "line %d: meta", tsv.line);
		check_int(parts.partition, tsv_int(&tsv, "partition"), "line %d: partition", tsv.line);
		check_int(parts.sequence, tsv_int(&tsv, "sequence"), "line %d: sequence", tsv.line);

		/*
		 * from the columns, so that an error of unpack cannot undo itself in
		 * pack
		 */
		parts.units = flake_tick_of(&sno->rate, us);
		parts.tick_tock = (unsigned) tsv_int(&tsv, "tick_tock");
		parts.meta = (unsigned) tsv_int(&tsv, "meta");
		parts.partition = (unsigned) tsv_int(&tsv, "partition");
		parts.sequence = (unsigned) tsv_int(&tsv, "sequence");
		sno_pack(&parts, back);
		check_str(hex_of(back, 10, digits), hex, "line %d: pack", tsv.line);

		/*
		 * the bounds of the ID's unit: any of its instants gives the same
		 * ones
		 */
		flake_least(sno, us + (int64_t) random_below(4000), least);
		flake_greatest(sno, us + (int64_t) random_below(4000), greatest);
		check(flake_compare(least, id, 10) <= 0 && flake_compare(id, greatest, 10) <= 0,
			  "line %d: within its unit's bounds", tsv.line);
		check_int(flake_id_us(sno, least), us, "line %d: the least ID's instant", tsv.line);
		check_int(flake_id_us(sno, greatest), us, "line %d: the greatest ID's instant", tsv.line);
		sno_unpack(least, &parts);
		check(parts.tick_tock == 0 && parts.meta == 0 && parts.partition == 0 && parts.sequence == 0,
			  "line %d: nothing sorts below the least of the unit", tsv.line);
		sno_unpack(greatest, &parts);
		check(parts.tick_tock == 1 && parts.meta == 255 && parts.partition == 65535 &&
			  parts.sequence == 65535, "line %d: nothing sorts above the greatest", tsv.line);
	}
	conclude("sno.tsv: bytes, text, instant, parts and bounds of every row");
}

static void
sno_bad_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/sno_bad.tsv");
	while (tsv_next(&tsv))
	{
		uint8_t		text[64];
		size_t		length = tsv_hex(&tsv, "input_hex", text, sizeof(text));
		uint8_t		id[10];
		uint8_t		before[10];

		check_int(length, tsv_int(&tsv, "len"), "line %d: length", tsv.line);
		memset(before, 0xa5, sizeof(before));
		memcpy(id, before, sizeof(id));
		check(!sno->decode((const char *) text, length, id), "line %d: %s: refused", tsv.line,
			  tsv_text(&tsv, "note"));
		check(memcmp(id, before, sizeof(id)) == 0, "line %d: the ID is left alone", tsv.line);
	}
	conclude("sno_bad.tsv: every row is refused and writes nothing");
}

/* Outside the span there is no unit; the results are the ends of the type. */
static void
bounds_outside_the_span(void)
{
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *f = flake_formats[i];
		int64_t		outside[] = {INT64_MIN, f->rate.epoch_us - 1, flake_last_us(&f->rate) + 1, INT64_MAX};

		for (int n = 0; n < 4; n++)
		{
			uint8_t		want[FLAKE_MAX_BYTES];
			uint8_t		least[FLAKE_MAX_BYTES];
			uint8_t		greatest[FLAKE_MAX_BYTES];

			memset(want, n < 2 ? 0x00 : 0xff, sizeof(want));
			flake_least(f, outside[n], least);
			flake_greatest(f, outside[n], greatest);
			check(memcmp(least, want, f->bytes) == 0, "%s: least of %" PRId64, f->name, outside[n]);
			check(memcmp(greatest, want, f->bytes) == 0, "%s: greatest of %" PRId64, f->name, outside[n]);
		}
	}
	conclude("least and greatest outside the span are the ends of the type");
}

/* ---------- every format ---------- */

/*
 * Return what is wrong with a descriptor, or NULL, so that an incomplete format fails
 * here, with a name, instead of in production.
 */
static const char *
descriptor_fault(const FlakeFormat *f)
{
	uint8_t		ends[2][FLAKE_MAX_BYTES];
	uint8_t		back[FLAKE_MAX_BYTES];
	char		text[FLAKE_MAX_TEXT + 1];
	int64_t		last_us;
	uint32_t	pages = 0;

	if (f == NULL || f->name == NULL || f->shape == NULL || f->digits == NULL || f->pattern == NULL)
		return "name, shape, digits or pattern is missing";
	if (f->bytes < 8 || f->bytes > FLAKE_MAX_BYTES || f->text_length > FLAKE_MAX_TEXT)
		return "bytes or text_length is out of range";
	if (f->encode == NULL || f->decode == NULL)
		return "a function is missing";
	if ((f->bounds == NULL || f->instant == NULL) && (f->timestamp_bits < 1 || f->timestamp_bits > 63))
		return "timestamp_bits is out of range";
	if (f->instant == NULL && f->rate.last_tick != (UINT64_C(1) << f->timestamp_bits) - 1)
		return "timestamp_bits do not hold the span";
	if (f->rate.epoch_us % FLAKE_US_PER_SECOND != 0)
		return "the epoch is not a whole second";
	if (f->rate.mul == 0 || f->rate.mul >= f->rate.div)
		return "a tick must be longer than a microsecond";
	if ((uint64_t) (f->rate.per_second - 1) * f->rate.div / f->rate.mul >= FLAKE_US_PER_SECOND)
		return "the second is shorter than its ticks";
	if (f->drawn_from == NULL && (f->numbers == 0) != (f->sequence_bits == 0))
		return "a generator needs numbers and a sequence";
	if (f->drawn_from != NULL && (f->numbers != 0 || f->drawn_from->numbers == 0))
		return "IDs are drawn from a generator of their own, or from a format that has one";
	for (const FlakeNotation *n = f->notations; n != NULL && n->name != NULL; n++)
		if (n->alphabet == NULL || n->shape == NULL || n->most > FLAKE_MAX_DIGITS || flake_find_notation(f, n->name) != n)
			return "a notation has no alphabet, no shape or another one's name, or is too long";
	for (int i = 0; i < FLAKE_FORMATS; i++)
		pages += flake_pages(flake_formats[i]);
	if (pages > FLAKE_PAGES)
		return "the formats have more pages than there are";

	last_us = flake_last_us(&f->rate);
	memset(ends[0], 0x00, f->bytes);
	memset(ends[1], 0xff, f->bytes);
	for (int i = 0; i < 2; i++)
	{
		f->encode(ends[i], text);
		if (strlen(text) > f->text_length)
			return "a text is longer than text_length";
		if (!f->decode(text, strlen(text), back) || memcmp(back, ends[i], f->bytes) != 0)
			return "a text does not decode to its ID";
	}
	if (flake_id_us(f, ends[0]) != f->rate.epoch_us)
		return "the zero ID is not of the epoch";
	flake_bounds(f, f->rate.epoch_us, ends[0], back);
	if (flake_id_us(f, ends[0]) != f->rate.epoch_us ||
		(f->time_ordered && flake_id_us(f, back) != f->rate.epoch_us))
		return "bounds leave the first unit of time";
	flake_bounds(f, last_us, back, ends[1]);
	if ((f->time_ordered && flake_tick_of(&f->rate, flake_id_us(f, back)) != f->rate.last_tick) ||
		flake_tick_of(&f->rate, flake_id_us(f, ends[1])) != f->rate.last_tick)
		return "bounds leave the last unit of time";
	return NULL;
}

static void
descriptors(void)
{
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *f = flake_formats[i];
		const char *fault = descriptor_fault(f);

		check(fault == NULL, "%s", fault);
		check(f != NULL && (int) f->id == i, "the descriptor is at the index of its id");
	}
	conclude("no descriptor has a fault");
}

/* descriptor_fault() must itself be able to fail. */
static void
descriptor_faults(void)
{
	static const FlakeNotation twice[] = {
		{"x", &flake_hex, 16, 1, 32, 0, "It is a number."}, {"x", &flake_hex, 16, 1, 32, 0, "It is one, too."}, {.name = NULL}
	};
	static const FlakeNotation bare[] = {{"x", &flake_hex, 16, 1, 32, 0, NULL}, {.name = NULL}};
	FlakeFormat f;

#define FAULT(change, what) \
	do { \
		f = flake_sno; \
		change; \
		check(descriptor_fault(&f) != NULL, what); \
	} while (0)

	check(descriptor_fault(NULL) != NULL, "a missing descriptor");
	FAULT(f.name = NULL, "no name");
	FAULT(f.pattern = NULL, "no pattern");
	FAULT(f.bytes = FLAKE_MAX_BYTES + 1, "too wide");
	FAULT(f.bytes = 7, "too narrow for flake_compare");
	FAULT(f.text_length = 15, "a text longer than text_length");
	FAULT(f.decode = NULL, "no decoder");
	FAULT(f.rate.epoch_us += 1, "an epoch within a second");
	FAULT((f = flake_uid64, f.rate.epoch_us += FLAKE_US_PER_SECOND), "an epoch that differs from the instants' epoch");
	FAULT(f.rate.mul = 4000, "a tick of a microsecond");
	FAULT(f.rate.per_second = 251, "more ticks than the second holds");
	FAULT(f.rate.last_tick += 1, "a span too long for the bits");
	FAULT(f.numbers = 0, "a generator without a number");
	FAULT(f.sequence_bits = 0, "a generator without a sequence");
	FAULT(f.drawn_from = &flake_uid64, "two generators");
	FAULT(f.instant = flake_uid64.instant, "an instant that is not the ID's");
	FAULT(f.notations = twice, "two notations with one name");
	FAULT(f.notations = bare, "a notation without a description of its text");
	FAULT(f.timestamp_bits = 0, "bounds of no bits");
	FAULT(f.timestamp_bits = 38, "bounds that cut the tick's last bit off");
	FAULT(f.timestamp_bits = 40, "bounds that take the bit after the tick for its last");
	f = flake_uid96;
	f.rate.last_tick++;
	check(descriptor_fault(&f) != NULL, "the same if IDs are not in the order of time");
	conclude("a faulty descriptor is detected");
#undef FAULT
}

/* All formats but decimal ones have texts of one length. */
static bool
fixed_length(const FlakeFormat *f)
{
	uint8_t		zero[FLAKE_MAX_BYTES] = {0};
	char		text[FLAKE_MAX_TEXT + 1];

	f->encode(zero, text);
	return strlen(text) == f->text_length;
}

static void
round_trip_and_order(const FlakeFormat *f)
{
	bool		fixed = fixed_length(f);

	for (int n = 0; n < 100000; n++)
	{
		uint8_t		id[2][24];	/* as far as flake_compare() could read, for
								 * gcc's warnings */
		uint8_t		back[FLAKE_MAX_BYTES];
		char		text[2][FLAKE_MAX_TEXT + 1];
		size_t		same = random_below(f->bytes + 1u);
		int			order;

		/*
		 * equal up to a random byte, so that late differences count as much
		 * as early ones
		 */
		random_fill(id[0], f->bytes);
		random_fill(id[1], f->bytes);
		memcpy(id[1], id[0], same);
		for (int i = 0; i < 2; i++)
		{
			f->encode(id[i], text[i]);
			check(f->decode(text[i], strlen(text[i]), back) &&
				  memcmp(back, id[i], f->bytes) == 0, "%s does not come back", text[i]);
			check(strspn(text[i], f->digits) == strlen(text[i]), "%s has other characters", text[i]);
			check(fixed ? strlen(text[i]) == f->text_length : strlen(text[i]) <= f->text_length,
				  "%s has another length", text[i]);
		}
		order = memcmp(id[0], id[1], f->bytes);
		order = (order > 0) - (order < 0);
		check_int(flake_compare(id[0], id[1], f->bytes), order, "flake_compare of %s and %s",
				  text[0], text[1]);
		if (fixed)
		{
			order -= strcmp(text[0], text[1]) > 0;
			order += strcmp(text[0], text[1]) < 0;
			check_int(order, 0, "strcmp of %s and %s", text[0], text[1]);
		}
	}
	conclude("%s: random bytes come back%s", f->name,
			 fixed ? "; texts and bytes have one order" : " and have flake_compare's order");
}

/* The formats in which every bit pattern has exactly one accepted text. */
static const FlakeFormat *const strict[] = {&flake_sno, &flake_flax};

/* Each of the 256 bytes at each position, in an otherwise valid text. */
static void
every_byte_everywhere(const FlakeFormat *f)
{
	for (int position = 0; position < f->text_length; position++)
	{
		for (int byte = 0; byte < 256; byte++)
		{
			uint8_t		id[FLAKE_MAX_BYTES];
			uint8_t		got[FLAKE_MAX_BYTES];
			char		text[FLAKE_MAX_TEXT + 1];
			char		again[FLAKE_MAX_TEXT + 1];
			bool		digit = byte != 0 && strchr(f->digits, byte) != NULL;

			random_fill(id, f->bytes);
			f->encode(id, text);
			text[position] = (char) byte;
			check(f->decode(text, f->text_length, got) == digit, "byte %02x at %d", byte, position);
			if (!digit)
				continue;
			f->encode(got, again);
			check_str(again, text, "byte %02x at %d", byte, position);
		}
	}
	conclude("%s: a byte is accepted if and only if it is a digit there", f->name);
}

static void
lengths(const FlakeFormat *f)
{
	char		text[2 * FLAKE_MAX_TEXT];
	uint8_t		id[FLAKE_MAX_BYTES];

	memset(text, f->digits[0], sizeof(text));
	for (size_t length = 0; length < sizeof(text); length++)
		check(f->decode(text, length, id) == (length == f->text_length), "%zu characters", length);
	conclude("%s: the length is exact", f->name);
}

static void
hex_form(void)
{
	for (size_t bytes = 8; bytes <= FLAKE_MAX_BYTES; bytes += 2)
	{
		size_t		length = 2 + 2 * bytes;
		uint8_t		id[FLAKE_MAX_BYTES];
		uint8_t		got[FLAKE_MAX_BYTES];
		char		text[2 * FLAKE_MAX_BYTES + 8] = "\\x";

		random_fill(id, bytes);
		hex_of(id, bytes, text + 2);
		check(flake_decode_hex(text, length, got, bytes) && memcmp(got, id, bytes) == 0, "%s", text);
		for (char *p = text + 2; *p != '\0'; p++)
			if (*p >= 'a')
				*p -= 'a' - 'A';
		check(flake_decode_hex(text, length, got, bytes) && memcmp(got, id, bytes) == 0, "%s", text);

		strcat(text, "00");
		for (size_t wrong = 0; wrong <= length + 2; wrong++)
			check(flake_decode_hex(text, wrong, got, bytes) == (wrong == length),
				  "%zu characters for %zu bytes", wrong, bytes);

		for (size_t position = 0; position < length; position++)
		{
			for (int byte = 0; byte < 256; byte++)
			{
				char		good = text[position];
				bool		want = byte != 0 && strchr("0123456789abcdefABCDEF", byte) != NULL;

				if (position < 2)
					want = byte == good;
				text[position] = (char) byte;
				memset(got, 0xa5, sizeof(got));
				check(flake_decode_hex(text, length, got, bytes) == want,
					  "byte %02x at %zu of %zu bytes", byte, position, bytes);
				check(want || got[0] == 0xa5, "a refused text leaves the ID alone");
				text[position] = good;
			}
		}
	}
	conclude("\\x and hex digits of both cases in exactly the ID's width");
}

/* ---------- texts, compared with simpler ways to write and read them ---------- */

/* A text is some zero bits, the ID's bits, and zero bits up to the last digit's end. */
typedef struct Shape
{
	const FlakeFormat *format;
	unsigned	bits;			/* per digit */
	unsigned	lead;
	size_t		chars;
	const char *zeros;			/* characters read as digit 0 ... */
	const char *ones;			/* ... and as digit 1 */
} Shape;

static const Shape shapes[] = {
	{&flake_sno, 5, 0, 16, "", ""},
	{&flake_flax, 6, 0, 16, "", ""},
	{&flake_siq, 5, 3, 23, "Oo", "IiLl"},
	{&flake_uid64, 6, 0, 11, "", ""},
	{&flake_uid96, 6, 0, 16, "", ""},
	{&flake_ulid, 5, 2, 26, "Oo", "IiLl"},
};

static void
plain_encode(const Shape *shape, const uint8_t *id, char *text)
{
	for (size_t i = 0; i < shape->chars; i++)
	{
		unsigned	digit = 0;

		for (size_t bit = i * shape->bits; bit < (i + 1) * shape->bits; bit++)
		{
			size_t		own = bit - shape->lead;

			digit <<= 1;
			if (bit >= shape->lead && own < 8u * shape->format->bytes)
				digit |= id[own / 8] >> (7 - own % 8) & 1;
		}
		text[i] = shape->format->digits[digit];
	}
	text[shape->chars] = '\0';
}

/* A digit's value, or -1. */
static int
plain_digit(const char *digits, unsigned bits, const char *zeros, const char *ones, char c)
{
	const char *at;

	if (c == '\0')
		return -1;
	at = memchr(digits, c, (size_t) 1 << bits);
	if (at == NULL && zeros[0] != '\0')
	{
		if (strchr(zeros, c) != NULL)
			return 0;
		if (strchr(ones, c) != NULL)
			return 1;
		at = c >= 'a' && c <= 'z' ? strchr(digits, c - 'a' + 'A') : NULL;
	}
	return at != NULL ? (int) (at - digits) : -1;
}

static bool
plain_decode(const Shape *shape, const char *text, uint8_t *id)
{
	int			digits[FLAKE_MAX_TEXT];
	uint8_t		result[FLAKE_MAX_BYTES] = {0};

	for (size_t i = 0; i < shape->chars; i++)
		if ((digits[i] = plain_digit(shape->format->digits, shape->bits, shape->zeros, shape->ones, text[i])) < 0)
			return false;
	for (size_t bit = 0; bit < shape->chars * shape->bits; bit++)
	{
		size_t		own = bit - shape->lead;

		if ((digits[bit / shape->bits] >> (shape->bits - 1 - bit % shape->bits) & 1) == 0)
			continue;
		if (bit < shape->lead || own >= 8u * shape->format->bytes)
			return false;
		result[own / 8] |= (uint8_t) (0x80 >> own % 8);
	}
	memcpy(id, result, shape->format->bytes);
	return true;
}

/* Every value of every pair of neighbours: bytes of the ID, and characters of the text. */
static void
like_the_plain_ones(const Shape *shape)
{
	const FlakeFormat *f = shape->format;
	uint8_t		id[FLAKE_MAX_BYTES];
	uint8_t		got[FLAKE_MAX_BYTES];
	uint8_t		want[FLAKE_MAX_BYTES];
	char		text[FLAKE_MAX_TEXT + 1];
	char		plain[FLAKE_MAX_TEXT + 1];

	for (size_t at = 0; at + 1 < f->bytes; at++)
	{
		random_fill(id, f->bytes);
		for (unsigned pair = 0; pair < 65536; pair++)
		{
			flake_store(id + at, 2, pair);
			f->encode(id, text);
			plain_encode(shape, id, plain);
			check_str(text, plain, "bytes %04x at %zu", pair, at);
		}
	}
	for (size_t at = 0; at + 1 < shape->chars; at++)
	{
		random_fill(id, f->bytes);
		plain_encode(shape, id, text);
		for (unsigned pair = 0; pair < 65536; pair++)
		{
			bool		good;

			flake_store((uint8_t *) text + at, 2, pair);
			memset(got, 0xa5, sizeof(got));
			memset(want, 0xa5, sizeof(want));
			good = plain_decode(shape, text, want);
			check(f->decode(text, shape->chars, got) == good, "characters %04x at %zu", pair, at);
			check(memcmp(got, want, sizeof(got)) == 0, "characters %04x at %zu: the ID", pair, at);
		}
	}
	conclude("%s: written and read as bit by bit, for all pairs of bytes and of characters", f->name);
}

/* ---------- numbers ---------- */

static void
plain_write_number(const FlakeNotation *notation, const uint8_t *id, size_t bytes, char *text)
{
	uint8_t		rest[FLAKE_MAX_BYTES + 1] = {0};
	char		reversed[FLAKE_MAX_DIGITS];
	unsigned	digits = 0;
	unsigned	carry = 0;

	for (size_t i = bytes + 1; i-- > 0; carry >>= 8)
	{
		carry |= (i > 0 ? id[i - 1] : 0u) << notation->shift;
		rest[i] = (uint8_t) carry;
	}
	for (;;)
	{
		unsigned	remainder = 0;
		unsigned	any = 0;

		for (size_t i = 0; i <= bytes; i++)
			any |= rest[i];
		if (any == 0 && digits >= notation->least)
			break;
		for (size_t i = 0; i <= bytes; i++)
		{
			remainder = remainder << 8 | rest[i];
			rest[i] = (uint8_t) (remainder / notation->base);
			remainder %= notation->base;
		}
		reversed[digits++] = notation->alphabet->digits[remainder];
	}
	while (digits > 0)
		*text++ = reversed[--digits];
	*text = '\0';
}

static bool
plain_read_number(const FlakeNotation *notation, const char *text, size_t length,
				  uint8_t *id, size_t bytes)
{
	uint8_t		value[FLAKE_MAX_BYTES + 1] = {0};

	if (length < notation->least || length > notation->most)
		return false;
	for (size_t n = 0; n < length; n++)
	{
		unsigned	carry = notation->alphabet->value[(uint8_t) text[n]] - 1u;

		if (carry >= notation->base)
			return false;
		for (size_t i = bytes + 1; i-- > 0; carry >>= 8)
		{
			carry += value[i] * notation->base;
			value[i] = (uint8_t) carry;
		}
		if (carry != 0)
			return false;
	}
	if (value[0] >> notation->shift != 0 || (value[bytes] & ((1u << notation->shift) - 1)) != 0)
		return false;
	for (size_t i = 0; i < bytes; i++)
		id[i] = (uint8_t) ((value[i] << 8 | value[i + 1]) >> notation->shift);
	return true;
}

static void
numbers(const FlakeNotation *notation, size_t bytes)
{
	char		text[FLAKE_MAX_DIGITS + 2];
	char		plain[FLAKE_MAX_DIGITS + 2];
	uint8_t		id[FLAKE_MAX_BYTES];
	uint8_t		got[FLAKE_MAX_BYTES];
	uint8_t		want[FLAKE_MAX_BYTES];

	for (int n = 0; n < 4000; n++)
	{
		size_t		length = random_below(notation->most + 2);

		/* of any magnitude, and the greatest */
		random_fill(id, bytes);
		memset(id, n == 0 ? 0xff : 0x00, random_below(bytes + 1));
		if (n == 0)
			memset(id, 0xff, bytes);
		flake_write_number(notation, id, bytes, text);
		plain_write_number(notation, id, bytes, plain);
		check_str(text, plain, "%s", notation->name);
		check(flake_read_number(notation, text, strlen(text), got, bytes) &&
			  memcmp(got, id, bytes) == 0, "%s: %s does not come back", notation->name, text);

		/*
		 * any digits, many of which make too great a number, and a byte that
		 * may not be a digit
		 */
		for (size_t i = 0; i < length; i++)
			text[i] = notation->alphabet->digits[random_below(i < length / 4 ? 2 : notation->base)];
		if (length > 0 && n % 2 == 0)
			text[random_below(length)] = (char) random_bits();
		memset(got, 0xa5, sizeof(got));
		memset(want, 0xa5, sizeof(want));
		check(flake_read_number(notation, text, length, got, bytes) ==
			  plain_read_number(notation, text, length, want, bytes),
			  "%s: %.*s", notation->name, (int) length, text);
		check(memcmp(got, want, sizeof(got)) == 0, "%s: %.*s: the ID", notation->name, (int) length, text);
	}
	conclude("%s of %zu bytes: numbers as by long division", notation->name, bytes);
}

int
main(void)
{
	seed_random();
	descriptors();
	descriptor_faults();
	sno_vectors();
	sno_bad_vectors();
	bounds_outside_the_span();
	for (int i = 0; i < FLAKE_FORMATS; i++)
		round_trip_and_order(flake_formats[i]);
	for (size_t i = 0; i < sizeof(strict) / sizeof(strict[0]); i++)
	{
		every_byte_everywhere(strict[i]);
		lengths(strict[i]);
	}
	hex_form();
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		like_the_plain_ones(&shapes[i]);
	for (size_t bytes = 8; bytes <= FLAKE_MAX_NUMBER; bytes += 2)
		numbers(&flake_decimal, bytes);
	for (int i = 0; i < FLAKE_FORMATS; i++)
		for (const FlakeNotation *n = flake_formats[i]->notations; n != NULL && n->name != NULL; n++)
			numbers(n, flake_formats[i]->bytes);
	return done();
}
