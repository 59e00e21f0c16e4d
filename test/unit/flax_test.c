/*
 * flax_test.c
 *		flax compared with the reference's vectors, and deliberate differences.
 *
 * Texts and bytes of every format are in codec_test.c.  F1 .. F7 are the faults
 * of the reference that docs/flax.md lists.
 */
#include "types/flax.h"
#include "tsv.h"

#define EPOCH_MS	INT64_C(1420070400000)	/* 2015-01-01T00:00:00Z */

static const FlakeFormat *const flax = &flake_flax;

/* A field of 14 hex digits: the random bits. */
static uint64_t
tsv_random(const Tsv *tsv)
{
	uint8_t		bytes[7];

	if (tsv_hex(tsv, "random56_hex", bytes, sizeof(bytes)) != 7)
		bail_out("%s:%d: not 56 bits", tsv->path, tsv->line);
	return flake_load(bytes, 7);
}

static void
vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/flax.tsv");
	while (tsv_next(&tsv))
	{
		const char *hex = tsv_text(&tsv, "hex");
		const char *text = tsv_text(&tsv, "text");
		int64_t		ms = tsv_int(&tsv, "ms_since_2015");
		int64_t		us = tsv_int(&tsv, "unix_ms") * 1000;
		uint64_t	random = tsv_random(&tsv);
		char		got[FLAKE_MAX_TEXT + 1];
		char		digits[2 * FLAKE_MAX_BYTES + 1];
		uint8_t		id[12];
		uint8_t		back[12];
		uint8_t		least[12];
		uint8_t		greatest[12];
		FlaxParts	parts;

		if (tsv_hex(&tsv, "hex", id, sizeof(id)) != 12)
			bail_out("line %d: not 12 bytes", tsv.line);
		flax->encode(id, got);
		check_str(got, text, "line %d: encode", tsv.line);
		check(flax->decode(text, strlen(text), back), "line %d: decode", tsv.line);
		check_str(hex_of(back, 12, digits), hex, "line %d: decode", tsv.line);
		check_int(flake_id_us(flax, id), us, "line %d: instant", tsv.line);

		flax_unpack(id, &parts);
		check_int(parts.ms, ms, "line %d: ms", tsv.line);
		check_int(parts.random, random, "line %d: random", tsv.line);
		check_int(flake_tick_of(&flax->rate, us), ms, "line %d: tick", tsv.line);

		/*
		 * from the columns, so that an error of unpack cannot undo itself in
		 * pack
		 */
		parts.ms = (uint64_t) ms;
		parts.random = random;
		flax_pack(&parts, back);
		check_str(hex_of(back, 12, digits), hex, "line %d: pack", tsv.line);

		/*
		 * the bounds of the ID's millisecond: any of its instants gives the
		 * same ones
		 */
		flake_least(flax, us + (int64_t) random_below(1000), least);
		flake_greatest(flax, us + (int64_t) random_below(1000), greatest);
		check(flake_compare(least, id, 12) <= 0 && flake_compare(id, greatest, 12) <= 0,
			  "line %d: within its millisecond's bounds", tsv.line);
		flax_unpack(least, &parts);
		check(parts.ms == (uint64_t) ms && parts.random == 0, "line %d: the least ID", tsv.line);
		flax_unpack(greatest, &parts);
		check(parts.ms == (uint64_t) ms && parts.random == (UINT64_C(1) << 56) - 1,
			  "line %d: the greatest ID", tsv.line);
	}
	conclude("flax.tsv: bytes, text, instant, parts and bounds of every row");
}

static int
sign(int n)
{
	return (n > 0) - (n < 0);
}

static void
order(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/flax_order.tsv");
	while (tsv_next(&tsv))
	{
		const char *a = tsv_text(&tsv, "text_a");
		const char *b = tsv_text(&tsv, "text_b");
		uint8_t		id[2][12];

		check(flax->decode(a, strlen(a), id[0]) && flax->decode(b, strlen(b), id[1]),
			  "line %d: decode", tsv.line);
		check_int(flake_compare(id[0], id[1], 12), tsv_int(&tsv, "cmp"), "line %d: bytes", tsv.line);
		check_int(sign(strcmp(a, b)), tsv_int(&tsv, "cmp"), "line %d: texts", tsv.line);
	}
	conclude("flax_order.tsv: the order of bytes and of texts is the reference's");
}

/* "2519582027.776" in milliseconds, without going through a float as the reference does. */
static int64_t
exact_ms(const char *seconds)
{
	char	   *point;
	int64_t		ms = strtoll(seconds, &point, 10) * 1000;

	if (*point == '.')
		for (int64_t unit = 100; *++point != '\0'; unit /= 10)
			ms += (*point - '0') * unit;
	return ms;
}

static void
quirks(void)
{
	int			outside = 0;
	int			lost = 0;
	int			exact = 0;
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/flax_quirks.tsv");
	while (tsv_next(&tsv))
	{
		const char *note = tsv_text(&tsv, "note");
		const char *text = tsv_text(&tsv, "text_or_error");
		int64_t		ms = exact_ms(tsv_text(&tsv, "unix_seconds_float"));
		uint8_t		theirs[12];
		uint8_t		ours[12];
		FlaxParts	parts;

		check(flax->decode(text, strlen(text), theirs), "line %d: decode", tsv.line);
		flax_unpack(theirs, &parts);
		if (strncmp(note, "FLOAT", 5) != 0)
		{
			/*
			 * none of our IDs has this instant, nor does the one the
			 * reference made
			 */
			check(!flake_in_span(&flax->rate, ms * 1000), "line %d: refused", tsv.line);
			check(flake_id_us(flax, theirs) != ms * 1000, "line %d: the reference is wrong", tsv.line);
			outside++;
			continue;
		}
		if (strstr(note, "lose one ms") != NULL)
		{
			check_int(parts.ms + 1, ms - EPOCH_MS, "line %d: one ms is lost", tsv.line);
			lost++;
			continue;
		}
		parts.ms = flake_tick_of(&flax->rate, ms * 1000);
		parts.random = tsv_random(&tsv);
		flax_pack(&parts, ours);
		check(memcmp(ours, theirs, 12) == 0, "line %d: the same ID", tsv.line);
		exact++;
	}
	check_int(outside, 8, "rows outside the span");
	check_int(lost, 6, "rows that lose a millisecond");
	check_int(exact, 2, "rows that lose nothing");
	conclude("flax_quirks.tsv: F1, F2: refused outside the span; F4: no millisecond is lost");
}

/* F4 again, at the time at which a float loses most: every millisecond of a second in 2038. */
static void
milliseconds(void)
{
	for (int64_t ms = INT64_C(2147483648000); ms < INT64_C(2147483649000); ms++)
		for (int64_t us = ms * 1000; us < ms * 1000 + 1000; us += 333)
			check_int(flake_tick_of(&flax->rate, us), ms - EPOCH_MS, "%" PRId64 " us", us);
	conclude("F4: every millisecond is distinct");
}

/* F7: "30+ years" end on this day. */
static void
span(void)
{
	check_int(flax->rate.epoch_us, EPOCH_MS * 1000, "2015-01-01T00:00:00Z");
	check_int(flake_last_us(&flax->rate), INT64_C(2519582027775999), "2049-11-03T19:53:47.775999Z");
	conclude("F7: the span is 2015-01-01 to 2049-11-03");
}

/* F6: the reference's pattern finds an ID in any text with one good character. */
static void
pattern(void)
{
	static const char *const bad[] = {
		"0", "0RdKJcxqVBiAiQr", "0RdKJcxqVBiAiQr00", " 0RdKJcxqVBiAiQr", "0RdKJcxqVBiAiQ=="
	};
	uint8_t		id[12];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check(!flax->decode(bad[i], strlen(bad[i]), id), "\"%s\"", bad[i]);
	conclude("F6: sixteen characters and nothing else");
}

int
main(void)
{
	seed_random();
	vectors();
	order();
	quirks();
	milliseconds();
	span();
	pattern();
	return done();
}
