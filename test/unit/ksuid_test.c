/*
 * ksuid_test.c
 *		ksuid compared with the reference's vectors, its base 62 with a simpler one.
 *
 * Texts and bytes of every format are in codec_test.c.
 */
#include "kernel/flake.h"
#include "tsv.h"

#define BYTES	20
#define CHARS	27

static const FlakeFormat *const ksuid = &flake_ksuid;

static void
vectors(void)
{
	Tsv			tsv;
	char		last[CHARS + 1] = "";

	tsv_open(&tsv, "test/vectors/ksuid.tsv");
	while (tsv_next(&tsv))
	{
		const char *hex = tsv_text(&tsv, "hex");
		const char *text = tsv_text(&tsv, "text");
		int64_t		seconds = tsv_int(&tsv, "unix_s");
		int64_t		us = seconds * 1000000;
		char		got[FLAKE_MAX_TEXT + 1];
		char		digits[2 * FLAKE_MAX_BYTES + 1];
		uint8_t		id[BYTES];
		uint8_t		back[BYTES];
		uint8_t		want[BYTES];

		if (tsv_hex(&tsv, "hex", id, sizeof(id)) != BYTES)
			bail_out("line %d: not %d bytes", tsv.line, BYTES);
		ksuid->encode(id, got);
		check_str(got, text, "line %d: encode", tsv.line);
		check(ksuid->decode(text, strlen(text), back), "line %d: decode", tsv.line);
		check_str(hex_of(back, BYTES, digits), hex, "line %d: decode", tsv.line);
		check_int(flake_id_us(ksuid, id), us, "line %d: instant", tsv.line);
		check_int(flake_tick_of(&ksuid->rate, us + (int64_t) random_below(1000000)), seconds - 1400000000,
				  "line %d: tick", tsv.line);
		check_str(hex + 8, tsv_text(&tsv, "payload"), "line %d: the payload follows the time", tsv.line);

		/*
		 * the bounds of the ID's second: any of its instants gives the same
		 * ones
		 */
		memcpy(want, id, 4);
		memset(want + 4, 0x00, BYTES - 4);
		flake_least(ksuid, us + (int64_t) random_below(1000000), back);
		check(memcmp(back, want, BYTES) == 0, "line %d: the least ID of the second", tsv.line);
		memset(want + 4, 0xff, BYTES - 4);
		flake_greatest(ksuid, us + (int64_t) random_below(1000000), back);
		check(memcmp(back, want, BYTES) == 0, "line %d: the greatest ID of the second", tsv.line);

		if (strstr(tsv_text(&tsv, "note"), "in turn") != NULL)
		{
			check(strcmp(last, text) < 0, "line %d: the reference's sequence increases", tsv.line);
			strcpy(last, text);
		}
	}
	check(last[0] != '\0', "there was a sequence");
	conclude("ksuid.tsv: bytes, text, instant and bounds of every row");
}

/* The reference reads other characters as digits; we do not. */
static void
texts(void)
{
	int			good = 0;
	int			bad = 0;
	int			no_digits = 0;
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/ksuid_texts.tsv");
	while (tsv_next(&tsv))
	{
		const char *text = tsv_text(&tsv, "text");
		const char *want = tsv_text(&tsv, "hex_or_error");
		bool		error = strncmp(want, "ERROR", 5) == 0;
		bool		no_digit = strncmp(tsv_text(&tsv, "note"), "no digit", 8) == 0;
		char		digits[2 * FLAKE_MAX_BYTES + 1];
		uint8_t		id[BYTES];
		uint8_t		before[BYTES];

		memset(before, 0xa5, sizeof(before));
		memcpy(id, before, sizeof(id));
		if (error || no_digit)
		{
			check(!ksuid->decode(text, strlen(text), id), "\"%s\" is refused", text);
			check(memcmp(id, before, sizeof(id)) == 0, "\"%s\": the ID is left alone", text);
			bad += error;
			no_digits += no_digit;
			continue;
		}
		check(ksuid->decode(text, strlen(text), id), "\"%s\"", text);
		check_str(hex_of(id, BYTES, digits), want, "\"%s\"", text);
		good++;
	}
	check_int(good, 4, "texts that are read");
	check_int(bad, 15, "texts that are not");
	check_int(no_digits, 9, "texts that only the reference reads");
	conclude("ksuid_texts.tsv: overflows and everything else refused, also characters that are not digits");
}

/* ---------- base 62, a byte and a digit at a time ---------- */

static void
plain_encode(const uint8_t *id, char *text)
{
	uint8_t		rest[BYTES];

	memcpy(rest, id, BYTES);
	text[CHARS] = '\0';
	for (size_t at = CHARS; at-- > 0;)
	{
		unsigned	remainder = 0;

		for (size_t i = 0; i < BYTES; i++)
		{
			remainder = remainder << 8 | rest[i];
			rest[i] = (uint8_t) (remainder / 62);
			remainder %= 62;
		}
		text[at] = ksuid->digits[remainder];
	}
}

static bool
plain_decode(const char *text, uint8_t *id)
{
	uint8_t		result[BYTES] = {0};

	for (size_t at = 0; at < CHARS; at++)
	{
		const char *digit = text[at] == '\0' ? NULL : strchr(ksuid->digits, text[at]);
		unsigned	carry;

		if (digit == NULL)
			return false;
		carry = (unsigned) (digit - ksuid->digits);
		for (size_t i = BYTES; i-- > 0; carry >>= 8)
		{
			carry += result[i] * 62u;
			result[i] = (uint8_t) carry;
		}
		if (carry != 0)
			return false;
	}
	memcpy(id, result, BYTES);
	return true;
}

static void
compare_text(const char *text, const char *what)
{
	uint8_t		got[BYTES];
	uint8_t		want[BYTES];
	bool		good;

	memset(got, 0xa5, sizeof(got));
	memset(want, 0xa5, sizeof(want));
	good = plain_decode(text, want);
	check(ksuid->decode(text, CHARS, got) == good, "%s: \"%.27s\"", what, text);
	check(memcmp(got, want, BYTES) == 0, "%s: \"%.27s\": the ID", what, text);
}

/* Every value of every pair of neighbours: bytes of the ID, and characters of the text. */
static void
like_the_plain_ones(void)
{
	uint8_t		id[BYTES];
	char		text[CHARS + 1];
	char		plain[CHARS + 1];

	for (size_t at = 0; at + 1 < BYTES; at++)
	{
		random_fill(id, BYTES);
		for (unsigned pair = 0; pair < 65536; pair++)
		{
			flake_store(id + at, 2, pair);
			ksuid->encode(id, text);
			plain_encode(id, plain);
			check_str(text, plain, "bytes %04x at %zu", pair, at);
		}
	}
	for (size_t at = 0; at + 1 < CHARS; at++)
	{
		random_fill(id, BYTES);
		plain_encode(id, text);
		for (unsigned pair = 0; pair < 65536; pair++)
		{
			flake_store((uint8_t *) text + at, 2, pair);
			compare_text(text, "a pair");
		}
	}
	conclude("written and read as a byte at a time, for all pairs of bytes and of characters");
}

/* The last valid text and those around it: its first characters, and then others. */
static void
overflow(void)
{
	static const char greatest[] = "aWgEPTl1tmebfsQzFP4bxwgy80V";
	int			good = 0;
	int			bad = 0;

	for (size_t same = 0; same <= CHARS; same++)
	{
		for (int n = 0; n < 2000; n++)
		{
			char		text[CHARS + 1];
			uint8_t		id[BYTES];

			strcpy(text, greatest);
			for (size_t at = same; at < CHARS; at++)
				text[at] = ksuid->digits[random_below(62)];
			compare_text(text, "next to the greatest");
			check(ksuid->decode(text, CHARS, id) == (strcmp(text, greatest) <= 0), "%s", text);
			if (strcmp(text, greatest) <= 0)
				good++;
			else
				bad++;
		}
	}
	check(good > 5000 && bad > 5000, "both were there: %d and %d", good, bad);
	conclude("a text is an ID up to that of 2^160 - 1 and not beyond");
}

static void
span(void)
{
	check_int(ksuid->rate.epoch_us, INT64_C(1400000000000000), "2014-05-13T16:53:20Z");
	check_int(flake_last_us(&ksuid->rate), INT64_C(5694967295999999), "2150-06-19T23:21:35.999999Z");
	conclude("the span is 2014-05-13 to 2150-06-19");
}

int
main(void)
{
	seed_random();
	vectors();
	texts();
	like_the_plain_ones();
	overflow();
	span();
	return done();
}
