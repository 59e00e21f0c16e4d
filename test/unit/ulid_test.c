/*
 * ulid_test.c
 *		ulid compared with the reference's vectors, version 7 UUIDs with the RFC's.
 *
 * Texts and bytes of every format are in codec_test.c.
 */
#include "types/ulid.h"
#include "tsv.h"

static const FlakeFormat *const ulid = &flake_ulid;

static void
vectors(void)
{
	Tsv			tsv;
	char		last[32] = "";

	tsv_open(&tsv, "test/vectors/ulid.tsv");
	while (tsv_next(&tsv))
	{
		const char *hex = tsv_text(&tsv, "hex");
		const char *text = tsv_text(&tsv, "text");
		int64_t		ms = tsv_int(&tsv, "unix_ms");
		int64_t		us = ms * 1000;
		char		got[FLAKE_MAX_TEXT + 1];
		char		digits[2 * FLAKE_MAX_BYTES + 1];
		uint8_t		id[16];
		uint8_t		back[16];
		uint8_t		least[16];
		uint8_t		greatest[16];
		UlidParts	parts;

		if (tsv_hex(&tsv, "hex", id, sizeof(id)) != 16)
			bail_out("line %d: not 16 bytes", tsv.line);
		ulid->encode(id, got);
		check_str(got, text, "line %d: encode", tsv.line);
		check(ulid->decode(text, strlen(text), back), "line %d: decode", tsv.line);
		check_str(hex_of(back, 16, digits), hex, "line %d: decode", tsv.line);
		check_int(flake_id_us(ulid, id), us, "line %d: instant", tsv.line);
		check_int(flake_tick_of(&ulid->rate, us + (int64_t) random_below(1000)), ms, "line %d: tick", tsv.line);

		ulid_unpack(id, &parts);
		check_int(parts.ms, ms, "line %d: ms", tsv.line);
		parts.ms = (uint64_t) ms;
		ulid_pack(&parts, back);
		check_str(hex_of(back, 16, digits), hex, "line %d: pack", tsv.line);

		/*
		 * the bounds of the ID's millisecond: any of its instants gives the
		 * same ones
		 */
		flake_least(ulid, us + (int64_t) random_below(1000), least);
		flake_greatest(ulid, us + (int64_t) random_below(1000), greatest);
		check(flake_compare(least, id, 16) <= 0 && flake_compare(id, greatest, 16) <= 0,
			  "line %d: within its millisecond's bounds", tsv.line);
		ulid_unpack(least, &parts);
		check(parts.ms == (uint64_t) ms && parts.counter == 0 && parts.random == 0,
			  "line %d: the least ID", tsv.line);
		ulid_unpack(greatest, &parts);
		check(parts.ms == (uint64_t) ms && parts.counter == (1u << ULID_COUNTER_BITS) - 1 &&
			  parts.random == UINT64_MAX >> 2, "line %d: the greatest ID", tsv.line);

		if (strstr(tsv_text(&tsv, "note"), "in turn") != NULL)
		{
			check(strcmp(last, text) < 0, "line %d: the reference's monotonic ones increase", tsv.line);
			strcpy(last, text);
		}
	}
	check(last[0] != '\0', "there were monotonic ones");
	conclude("ulid.tsv: bytes, text, instant and bounds of every row");
}

static void
texts(void)
{
	int			good = 0;
	int			bad = 0;
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/ulid_texts.tsv");
	while (tsv_next(&tsv))
	{
		const char *text = tsv_text(&tsv, "text");
		const char *want = tsv_text(&tsv, "hex_or_error");
		char		digits[2 * FLAKE_MAX_BYTES + 1];
		uint8_t		id[16];
		uint8_t		before[16];

		memset(before, 0xa5, sizeof(before));
		memcpy(id, before, sizeof(id));
		if (strcmp(want, "ULID_INVALID") == 0)
		{
			check(!ulid->decode(text, strlen(text), id), "\"%s\" is refused", text);
			check(memcmp(id, before, sizeof(id)) == 0, "\"%s\": the ID is left alone", text);
			bad++;
			continue;
		}
		check(ulid->decode(text, strlen(text), id), "\"%s\"", text);
		check_str(hex_of(id, 16, digits), want, "\"%s\"", text);
		good++;
	}
	check_int(good, 9, "texts that are read");
	check_int(bad, 14, "texts that are not");
	conclude("ulid_texts.tsv: both cases, I, L and O read, overflows and everything else refused");
}

/* The parts are where the diagrams in ulid.c and uuid7.c show them. */
static void
places(void)
{
	UlidParts	parts = {.ms = UINT64_C(0x017f22e279b0), .counter = 0xcc3 << 6 | 0x18, .random = UINT64_C(0xc4dc0c0c07398f)};
	UlidParts	back;
	char		digits[2 * FLAKE_MAX_BYTES + 1];
	uint8_t		id[16];

	uuid7_pack(&parts, id);
	check_str(hex_of(id, 16, digits), "017f22e279b07cc398c4dc0c0c07398f", "RFC 9562, A.6");
	parts.counter = 0x3ffff;
	uuid7_pack(&parts, id);
	check_str(hex_of(id, 16, digits), "017f22e279b07fffbfc4dc0c0c07398f", "the greatest counter");
	parts.counter = 0;
	parts.random = UINT64_MAX;
	uuid7_pack(&parts, id);
	check_str(hex_of(id, 16, digits), "017f22e279b0700080ffffffffffffff", "the least; surplus random bits are left out");

	parts.counter = 0x2aaab;
	parts.random = UINT64_C(0x123456789abcdef0);
	ulid_pack(&parts, id);

	/*
	 * 10 1010 1010 1010 1011; the last two bits precede the random ones
	 */
	check_str(hex_of(id, 16, digits), "017f22e279b0aaaad23456789abcdef0", "a ulid");
	ulid_unpack(id, &back);
	check_int(back.ms, parts.ms, "ms");
	check_int(back.counter, parts.counter, "counter");
	check(back.random == parts.random, "random");
	conclude("every part in its place, RFC 9562's example among them");
}

/* An ID with a later millisecond, or with a greater counter in the same one, is greater. */
static void
order(void)
{
	for (int n = 0; n < 100000; n++)
	{
		UlidParts	parts[2];
		uint8_t		id[2][16];
		int			want;

		for (int i = 0; i < 2; i++)
		{
			parts[i].ms = random_below(UINT64_C(1) << 48);
			parts[i].counter = (uint32_t) random_below(1u << ULID_COUNTER_BITS);
			parts[i].random = random_bits();
		}
		/* near ones, too */
		if (n % 2 == 0)
			parts[1].ms = parts[0].ms;
		if (n % 4 == 0)
			parts[1].counter = parts[0].counter ^ 1u << random_below(ULID_COUNTER_BITS);
		if (parts[0].ms == parts[1].ms && parts[0].counter == parts[1].counter)
			continue;
		want = parts[0].ms != parts[1].ms ? (parts[0].ms > parts[1].ms ? 1 : -1)
			: parts[0].counter > parts[1].counter ? 1 : -1;
		for (int i = 0; i < 2; i++)
			ulid_pack(&parts[i], id[i]);
		check_int(flake_compare(id[0], id[1], 16), want, "ulid");
		for (int i = 0; i < 2; i++)
		{
			uuid7_pack(&parts[i], id[i]);
			check(id[i][6] >> 4 == 7 && id[i][8] >> 6 == 2, "version and variant");
		}
		check_int(flake_compare(id[0], id[1], 16), want, "uuid7");
	}
	conclude("the order of IDs is that of milliseconds, then of the counter");
}

static void
span(void)
{
	check_int(ulid->rate.epoch_us, 0, "1970-01-01T00:00:00Z");
	check_int(flake_last_us(&ulid->rate), INT64_C(281474976710655999), "10889-08-02T05:31:50.655999Z");
	conclude("the span is 1970-01-01 to 10889-08-02");
}

int
main(void)
{
	seed_random();
	vectors();
	texts();
	places();
	order();
	span();
	return done();
}
