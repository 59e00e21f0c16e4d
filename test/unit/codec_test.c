/*
 * codec_test.c
 *		Texts and bytes of IDs.
 */
#include "flake.h"
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
		check_int(sno->instant(id), us, "line %d: instant", tsv.line);

		sno_unpack(id, &parts);
		check_int(parts.units, flake_tick_of(&sno->rate, us), "line %d: units", tsv.line);
		check_int(parts.tick_tock, tsv_int(&tsv, "tick_tock"), "line %d: tick_tock", tsv.line);
		check_int(parts.meta, tsv_int(&tsv, "meta"), "line %d: meta", tsv.line);
		check_int(parts.partition, tsv_int(&tsv, "partition"), "line %d: partition", tsv.line);
		check_int(parts.sequence, tsv_int(&tsv, "sequence"), "line %d: sequence", tsv.line);

		/* from the columns, so that an error of unpack cannot undo itself in pack */
		parts.units = flake_tick_of(&sno->rate, us);
		parts.tick_tock = (unsigned) tsv_int(&tsv, "tick_tock");
		parts.meta = (unsigned) tsv_int(&tsv, "meta");
		parts.partition = (unsigned) tsv_int(&tsv, "partition");
		parts.sequence = (unsigned) tsv_int(&tsv, "sequence");
		sno_pack(&parts, back);
		check_str(hex_of(back, 10, digits), hex, "line %d: pack", tsv.line);

		/* the bounds of the ID's unit: any of its instants gives the same ones */
		flake_least(sno, us + (int64_t) random_below(4000), least);
		flake_greatest(sno, us + (int64_t) random_below(4000), greatest);
		check(flake_compare(least, id, 10) <= 0 && flake_compare(id, greatest, 10) <= 0,
			  "line %d: within its unit's bounds", tsv.line);
		check_int(sno->instant(least), us, "line %d: the least ID's instant", tsv.line);
		check_int(sno->instant(greatest), us, "line %d: the greatest ID's instant", tsv.line);
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

/* Beside the span there is no unit; the answers are the ends of the type. */
static void
bounds_beside_the_span(void)
{
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *f = flake_formats[i];
		int64_t		beside[] = {INT64_MIN, f->rate.epoch_us - 1, flake_last_us(&f->rate) + 1, INT64_MAX};

		for (int n = 0; n < 4; n++)
		{
			uint8_t		want[FLAKE_MAX_BYTES];
			uint8_t		least[FLAKE_MAX_BYTES];
			uint8_t		greatest[FLAKE_MAX_BYTES];

			memset(want, n < 2 ? 0x00 : 0xff, sizeof(want));
			flake_least(f, beside[n], least);
			flake_greatest(f, beside[n], greatest);
			check(memcmp(least, want, f->bytes) == 0, "%s: least of %" PRId64, f->name, beside[n]);
			check(memcmp(greatest, want, f->bytes) == 0, "%s: greatest of %" PRId64, f->name, beside[n]);
		}
	}
	conclude("least and greatest beside the span are the ends of the type");
}

/* ---------- every format ---------- */

static void
descriptors(void)
{
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *f = flake_formats[i];
		const char *fault = flake_format_fault(f);

		check(fault == NULL, "%s", fault);
		check(f != NULL && (int) f->id == i, "the descriptor stands where its id says");
	}
	conclude("no descriptor has a fault");
}

/* flake_format_fault must itself be able to fail. */
static void
descriptor_faults(void)
{
	FlakeFormat f;

#define FAULT(change, what) \
	do { \
		f = flake_sno; \
		change; \
		check(flake_format_fault(&f) != NULL, what); \
	} while (0)

	check(flake_format_fault(NULL) != NULL, "a missing descriptor");
	FAULT(f.name = NULL, "no name");
	FAULT(f.pattern = NULL, "no pattern");
	FAULT(f.bytes = FLAKE_MAX_BYTES + 1, "too wide");
	FAULT(f.bytes = 7, "too narrow for flake_compare");
	FAULT(f.text_length = 15, "a text longer than text_length");
	FAULT(f.decode = NULL, "no decoder");
	FAULT(f.rate.epoch_us += 1, "an epoch within a second");
	FAULT(f.rate.epoch_us += FLAKE_US_PER_SECOND, "an epoch that is not the IDs'");
	FAULT(f.rate.mul = 4000, "a tick of a microsecond");
	FAULT(f.rate.per_second = 251, "more ticks than the second holds");
	FAULT(f.rate.last_tick += 1, "a span that the bits do not hold");
	FAULT(f.numbers = 0, "a generator without a number");
	FAULT(f.sequence_bits = 0, "a generator without a sequence");
	FAULT(f.instant = flake_flax.instant, "an instant that is not the ID's");
	f = flake_uid96;
	f.rate.last_tick++;
	check(flake_format_fault(&f) != NULL, "likewise where IDs are not in the order of time");
	conclude("a descriptor with a fault is found out");
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
		uint8_t		id[2][FLAKE_MAX_BYTES];
		uint8_t		back[FLAKE_MAX_BYTES];
		char		text[2][FLAKE_MAX_TEXT + 1];
		size_t		same = random_below(f->bytes + 1u);
		int			order;

		/* equal up to a random byte, so that late differences count as much as early ones */
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

/* The formats whose every bit pattern has one text and no other that is accepted. */
static const FlakeFormat *const strict[] = {&flake_sno, &flake_flax};

/* Each of the 256 bytes at each position, in a text that is good otherwise. */
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
	conclude("%s: a byte is accepted where and only where it is a digit", f->name);
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

/* ---------- texts with bits beside the ID's own ---------- */

/*
 * Alphabets as other formats have them: 23 characters of 5 bits hold 14 bytes
 * behind three leading zero bits; 11 of 6 bits hold 8 bytes and two bits more.
 */
typedef struct Shape
{
	const char *digits;
	unsigned	bits;
	unsigned	lead;
	size_t		bytes;
	size_t		chars;
} Shape;

static const Shape shapes[] = {
	{"0123456789ABCDEFGHJKMNPQRSTVWXYZ", 5, 3, 14, 23},
	{".0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", 6, 0, 8, 11},
	{"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", 6, 0, 12, 16},
	{"23456789abcdefghijklmnopqrstuvwx", 5, 0, 10, 16},
};

/* Bit number "bit" of the text, counted from the most significant. */
static unsigned
text_bit(const Shape *shape, const char *text, size_t bit)
{
	size_t		digit = (size_t) (strchr(shape->digits, text[bit / shape->bits]) - shape->digits);

	return digit >> (shape->bits - 1 - bit % shape->bits) & 1;
}

static void
beside_bits(const Shape *shape)
{
	uint8_t		value[256] = {0};
	FlakeAlphabet alphabet = {shape->digits, value, shape->bits};
	size_t		all = shape->chars * shape->bits;

	for (size_t i = 0; i < strlen(shape->digits); i++)
		value[(uint8_t) shape->digits[i]] = (uint8_t) (i + 1);

	for (int n = 0; n < 20000; n++)
	{
		uint8_t		id[FLAKE_MAX_BYTES];
		uint8_t		got[FLAKE_MAX_BYTES];
		char		text[FLAKE_MAX_TEXT];
		size_t		bit = random_below(all);
		size_t		at = bit / shape->bits;
		bool		own = bit >= shape->lead && bit < shape->lead + 8 * shape->bytes;
		size_t		digit;

		random_fill(id, shape->bytes);
		flake_encode(&alphabet, id, shape->bytes, shape->lead, text, shape->chars);
		for (size_t i = 0; i < all; i++)
		{
			size_t		own_bit = i - shape->lead;
			unsigned	want = 0;

			if (i >= shape->lead && own_bit < 8 * shape->bytes)
				want = id[own_bit / 8] >> (7 - own_bit % 8) & 1;
			check_int(text_bit(shape, text, i), want, "bit %zu of the text", i);
		}
		check(flake_decode(&alphabet, text, shape->chars, shape->lead, got, shape->bytes) &&
			  memcmp(got, id, shape->bytes) == 0, "%.*s does not come back", (int) shape->chars, text);

		/* One bit flipped: another ID if the bit is the ID's, no ID otherwise. */
		digit = (size_t) (strchr(shape->digits, text[at]) - shape->digits);
		text[at] = shape->digits[digit ^ (size_t) 1 << (shape->bits - 1 - bit % shape->bits)];
		memcpy(got, id, sizeof(got));
		check(flake_decode(&alphabet, text, shape->chars, shape->lead, got, shape->bytes) == own,
			  "%.*s with bit %zu flipped", (int) shape->chars, text, bit);
		check((memcmp(got, id, shape->bytes) != 0) == own, "bit %zu changes the ID", bit);
	}
	conclude("%zu bytes in %zu characters of %u bits behind %u: bit by bit", shape->bytes,
			 shape->chars, shape->bits, shape->lead);
}

int
main(void)
{
	seed_random();
	descriptors();
	descriptor_faults();
	sno_vectors();
	sno_bad_vectors();
	bounds_beside_the_span();
	for (int i = 0; i < FLAKE_FORMATS; i++)
		round_trip_and_order(flake_formats[i]);
	for (size_t i = 0; i < sizeof(strict) / sizeof(strict[0]); i++)
	{
		every_byte_everywhere(strict[i]);
		lengths(strict[i]);
	}
	hex_form();
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		beside_bits(&shapes[i]);
	return done();
}
