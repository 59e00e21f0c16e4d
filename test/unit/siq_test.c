/*
 * siq_test.c
 *		siq: IDs, notations and types of the reference, and the capacity of a tick.
 */
#include "types/siq.h"
#include "tsv.h"

static const FlakeFormat *const siq = &flake_siq;

/* CRC-32 bit by bit, as in the definition. */
static uint32_t
crc32(const uint8_t *bytes, size_t n)
{
	uint32_t	crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++)
	{
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~crc;
}

/* As siq_read(), with the checksum compared. */
static bool
read_checked(SiqNotationId notation, const char *text, uint8_t *id)
{
	uint8_t		got[14];
	uint64_t	checksum = 0;

	if (!siq_read(notation, text, strlen(text), got, &checksum) ||
		(notation == SIQ_DID && checksum != crc32(got, 14)))
		return false;
	memcpy(id, got, 14);
	return true;
}

static SiqNotationId
notation_of(const char *letters)
{
	for (int i = 0; i < SIQ_NOTATIONS; i++)
		if (strcmp(siq_notations[i].name, letters) == 0)
			return (SiqNotationId) i;
	bail_out("no notation %s", letters);
}

/* Both directions of one notation of one row. */
static void
check_notation(const Tsv *tsv, const char *letters, const char *text, const uint8_t *id)
{
	SiqNotationId notation = notation_of(letters);
	char		got[FLAKE_MAX_DIGITS + 1];
	uint8_t		back[14];

	siq_write(notation, id, crc32(id, 14), got);
	check_str(got, text, "line %d: write %s", tsv->line, letters);
	check(read_checked(notation, text, back) && memcmp(back, id, 14) == 0,
		  "line %d: read %s", tsv->line, letters);
}

/* ---------- vectors ---------- */

static void
siq_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/siq.tsv");
	while (tsv_next(&tsv))
	{
		const char *hex28 = tsv_text(&tsv, "hex28");
		const char *cb32 = tsv_text(&tsv, "cb32");
		int64_t		fraction = tsv_int(&tsv, "fraction_65536");
		int64_t		us = tsv_int(&tsv, "unix_seconds") * FLAKE_US_PER_SECOND +
			(fraction * FLAKE_US_PER_SECOND + 65535) / 65536;
		double		reference = strtod(tsv_text(&tsv, "ref_timestamp_float"), NULL) * 1e6;
		double		off = (double) us - reference;
		char		text[FLAKE_MAX_TEXT + 1];
		char		padded[FLAKE_MAX_TEXT + 1];
		char		prefixed[FLAKE_MAX_DIGITS + 1] = "0";
		char		digits[2 * FLAKE_MAX_BYTES + 1];
		uint8_t		id[14];
		uint8_t		back[14];
		uint8_t		least[14];
		uint8_t		greatest[14];
		uint64_t	remainder = 0;
		SiqParts	parts;

		if (tsv_hex(&tsv, "hex28", id, sizeof(id)) != 14)
			bail_out("line %d: not 14 bytes", tsv.line);

		/* the type's own text is the reference's with its leading zeros */
		memset(padded, '0', sizeof(padded));
		strcpy(padded + siq->text_length - strlen(cb32), cb32);
		siq->encode(id, text);
		check_str(text, padded, "line %d: encode", tsv.line);
		check(siq->decode(padded, strlen(padded), back) && memcmp(back, id, 14) == 0,
			  "line %d: decode", tsv.line);
		check_int(siq->decode(cb32, strlen(cb32), back), strlen(cb32) >= 20,
				  "line %d: up to three zeros may be missing", tsv.line);

		check_notation(&tsv, "b", tsv_text(&tsv, "base64"), id);
		check_notation(&tsv, "c", cb32, id);
		strcpy(prefixed + 1, cb32);
		check_notation(&tsv, "0c", prefixed, id);
		check_notation(&tsv, "d", tsv_text(&tsv, "decimal"), id);
		check_notation(&tsv, "l", tsv_text(&tsv, "b32l"), id);
		check_notation(&tsv, "o", tsv_text(&tsv, "oct"), id);
		check_notation(&tsv, "u", tsv_text(&tsv, "did") + strlen("did:siq:"), id);
		check_notation(&tsv, "x", tsv_text(&tsv, "hex"), id);
		check(read_checked(SIQ_DID, tsv_text(&tsv, "did"), back) && memcmp(back, id, 14) == 0,
			  "line %d: read did:siq:", tsv.line);

		siq_unpack(id, &parts);
		check_int(parts.ticks, tsv_int(&tsv, "unix_seconds") << 16 | fraction, "line %d: ticks", tsv.line);
		check_int(parts.shard, tsv_int(&tsv, "shard"), "line %d: shard", tsv.line);
		check_int(parts.domain, tsv_int(&tsv, "domain_hash"), "line %d: domain", tsv.line);
		check_int(parts.low16, tsv_int(&tsv, "low16"), "line %d: low16", tsv.line);
		parts.ticks = (uint64_t) tsv_int(&tsv, "unix_seconds") << 16 | (uint64_t) fraction;
		parts.shard = (unsigned) tsv_int(&tsv, "shard");
		parts.domain = (uint32_t) tsv_int(&tsv, "domain_hash");
		parts.low16 = (unsigned) tsv_int(&tsv, "low16");
		siq_pack(&parts, back);
		check_str(hex_of(back, 14, digits), hex28, "line %d: pack", tsv.line);

		/*
		 * The instant is the first microsecond inside the tick; the
		 * reference's is the tick's start as a double, so it is up to one
		 * microsecond earlier, within the double's precision.
		 */
		check_int(flake_id_us(siq, id), us, "line %d: instant", tsv.line);
		check(off > -1e-15 * reference - 0.01 && off < 1.01 + 1e-15 * reference,
			  "line %d: off the reference's timestamp by %g us", tsv.line, off);
		flake_least(siq, us, least);
		flake_greatest(siq, us, greatest);
		check(flake_compare(least, id, 14) <= 0 && flake_compare(id, greatest, 14) <= 0,
			  "line %d: within its unit's bounds", tsv.line);
		check(flake_id_us(siq, least) == us && flake_id_us(siq, greatest) == us,
			  "line %d: the bounds' instants", tsv.line);

		/*
		 * The reference's domain_name() is not the domain's hash but this
		 * remainder.
		 */
		for (int i = 0; i < 12; i++)
			remainder = (remainder << 8 | id[i]) % UINT32_MAX;
		check_int(remainder, tsv_int(&tsv, "ref_domain_name_BUGGY"), "line %d: domain_name()", tsv.line);

		if (*tsv_text(&tsv, "type") != '\0')
		{
			int			type = siq_find_type(parts.low16);
			char		label[32] = "";

			if (type >= 0)
				for (int i = 0; siq_types[type].label[i] != '\0'; i++)
					label[i] = (char) (siq_types[type].label[i] - 'a' + 'A');
			check_str(label, tsv_text(&tsv, "type"), "line %d: type", tsv.line);
		}
	}
	conclude("siq.tsv: bytes, text, notations, instant, parts, bounds and type of every row");
}

static void
type_vectors(void)
{
	Tsv			tsv;
	int			n = 0;

	tsv_open(&tsv, "test/vectors/siq_type.tsv");
	for (; tsv_next(&tsv); n++)
	{
		const SiqType *type = &siq_types[n];
		unsigned	prefix = (unsigned) strtoul(tsv_text(&tsv, "low_bits_prefix_code"), NULL, 2);
		unsigned	last;

		check(strlen(tsv_text(&tsv, "name")) == strlen(type->label), "line %d: name", tsv.line);
		for (size_t i = 0; i < strlen(type->label); i++)
			check_int(type->label[i] & ~0x20, tsv_text(&tsv, "name")[i], "line %d: name", tsv.line);
		check_int(1 << type->bits | type->qualifier, tsv_int(&tsv, "value"), "line %d: value", tsv.line);
		check_int(type->bits, tsv_int(&tsv, "n_bits"), "line %d: bits", tsv.line);
		check_int(strlen(tsv_text(&tsv, "low_bits_prefix_code")), type->bits, "line %d: code", tsv.line);
		check_int(type->qualifier, prefix, "line %d: qualifier", tsv.line);
		check_int(1 << (16 - type->bits), tsv_int(&tsv, "serials_per_tick"), "line %d: serials", tsv.line);
		check_int(type->qualifier, tsv_int(&tsv, "prepend_0"), "line %d: serial 0", tsv.line);
		check_int(1 << type->bits | type->qualifier, tsv_int(&tsv, "prepend_1"), "line %d: serial 1", tsv.line);
		last = ((1u << (16 - type->bits)) - 1) << type->bits | type->qualifier;
		check_int(last, tsv_int(&tsv, "prepend_last"), "line %d: the last serial", tsv.line);
		check_int(siq_find_type(last), n, "line %d: found again", tsv.line);
	}
	check_int(n, SIQ_TYPES, "as many types");
	conclude("siq_type.tsv: every type, in their order");
}

/* The reference takes a text of any length that its base 32 decodes, if the checksum is right. */
static void
did_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/siq_did.tsv");
	while (tsv_next(&tsv))
	{
		const char *did = tsv_text(&tsv, "did");
		const char *want = tsv_text(&tsv, "from_did_decimal_or_error");
		char		got[FLAKE_MAX_DIGITS + 1] = "ERROR";
		uint8_t		id[14];

		if (read_checked(SIQ_DID, did, id))
			siq_write(SIQ_DECIMAL, id, 0, got);
		if (strncmp(want, "ERROR", 5) == 0 || strcmp(did, "did:siq:aaaaa") == 0)
			want = "ERROR";
		check_str(got, want, "line %d: %s", tsv.line, tsv_text(&tsv, "note"));
	}
	conclude("siq_did.tsv: every row, but that five characters are no ID here");
}

/* The rows for which there is a notation; the others are methods of Python objects. */
static void
format_vectors(void)
{
	static const char *const methods[][2] = {
		{"to_base64", "b"}, {"to_cb32", "c"}, {"format_0c", "0c"}, {"to_b32l", "l"},
		{"format_u", "u"}, {"to_did", "u"}, {"to_hex", "x"},
	};
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/siq_format.tsv");
	while (tsv_next(&tsv))
	{
		const char *decimal = tsv_text(&tsv, "decimal");
		const char *result = tsv_text(&tsv, "result");
		bool		fits = strcmp(decimal, "-1") != 0 &&
			(strlen(decimal) < 34 || (strlen(decimal) == 34 &&
									  strcmp(decimal, "5192296858534827628530496329220095") <= 0));
		uint8_t		id[14];

		/*
		 * The reference writes some numbers that are not siqs, with 120 bits;
		 * we have none of these.
		 */
		check_int(read_checked(SIQ_DECIMAL, decimal, id), fits, "line %d: read %s", tsv.line, decimal);
		if (!fits)
			continue;
		for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
			if (strcmp(tsv_text(&tsv, "method"), methods[i][0]) == 0)
				check_notation(&tsv, methods[i][1],
							   result + (strncmp(result, "did:siq:", 8) == 0 ? 8 : 0), id);
	}
	conclude("siq_format.tsv: every notation of the rows that are 112 bits");
}

/* ---------- notations ---------- */

/* A text with one byte changed is refused, or is a valid text of the ID it is read as. */
static void
changed_bytes(void)
{
	for (int notation = 0; notation < SIQ_NOTATIONS; notation++)
	{
		for (int n = 0; n < 100000; n++)
		{
			char		text[FLAKE_MAX_DIGITS + 2];
			char		again[FLAKE_MAX_DIGITS + 1];
			uint8_t		id[14];
			uint8_t		got[14];
			uint8_t		back[14];
			size_t		length;
			size_t		at;
			uint64_t	checksum;
			char		old;

			random_fill(id, 14);
			memset(id, 0, random_below(15));	/* short numbers, too */
			siq_write((SiqNotationId) notation, id, crc32(id, 14), text);
			length = strlen(text);
			check(length <= FLAKE_MAX_DIGITS, "%s: %zu characters", siq_notations[notation].name, length);
			check(read_checked((SiqNotationId) notation, text, got) && memcmp(got, id, 14) == 0,
				  "%s: %s does not come back", siq_notations[notation].name, text);
			if (length == 0)
				continue;
			at = random_below(length);
			old = text[at];
			text[at] = (char) random_below(256);
			memset(got, 0xa5, 14);
			memcpy(back, got, 14);
			if (text[at] == old || text[at] == '\0')
				continue;
			if (!siq_read((SiqNotationId) notation, text, length, got, &checksum))
			{
				check(memcmp(got, back, 14) == 0, "a refused text leaves the ID alone");
				continue;
			}
			if (notation == SIQ_DID)
			{
				check(!read_checked(SIQ_DID, text, got) || (text[at] ^ old) == 0x20,
					  "%s: one wrong character passes", text);
				continue;
			}
			check(text[at] > ' ' && text[at] <= 'z', "%s: byte %02x", text, (uint8_t) text[at]);
			siq_write((SiqNotationId) notation, got, 0, again);
			check(read_checked((SiqNotationId) notation, again, back) && memcmp(back, got, 14) == 0,
				  "%s is read, but %s is not", text, again);
		}
	}
	conclude("notations: random IDs come back, a changed byte is refused, or is another ID where nothing can tell");
}

static void
notation_edges(void)
{
	static const struct
	{
		const char *letters;
		const char *text;
		const char *hex;		/* NULL: refused */
	}			edges[] = {
		{"c", "", "0000000000000000000000000000"},
		{"c", "0", "0000000000000000000000000000"},
		{"c", "z", "000000000000000000000000001f"},
		{"c", "oil", "0000000000000000000000000021"},
		{"c", "03ZZZZZZZZZZZZZZZZZZZZZZ", "ffffffffffffffffffffffffffff"},
		{"c", "40000000000000000000000", NULL},
		{"c", "1000000000000000000000000", NULL},
		{"c", "000000000000000000000000", "0000000000000000000000000000"},
		{"c", "0000000000000000000000000", NULL},
		{"c", "U", NULL},
		{"0c", "", NULL},
		{"0c", "0", "0000000000000000000000000000"},
		{"0c", "Z", NULL},
		{"0c", "0Z", "000000000000000000000000001f"},
		{"d", "", NULL},
		{"d", "-1", NULL},
		{"d", "+1", NULL},
		{"d", "1_0", NULL},
		{"d", " 1", NULL},
		{"d", "a", NULL},
		{"d", "5192296858534827628530496329220095", "ffffffffffffffffffffffffffff"},
		{"d", "5192296858534827628530496329220096", NULL},
		{"d", "9999999999999999999999999999999999", NULL},
		{"d", "00000000000000000000000000000000001", NULL},
		{"o", "177777777777777777777777777777777777777", NULL},
		{"o", "37777777777777777777777777777777777777", NULL},
		{"o", "17777777777777777777777777777777777777", "ffffffffffffffffffffffffffff"},
		{"o", "20000000000000000000000000000000000000", NULL},
		{"o", "8", NULL},
		{"x", "", NULL},
		{"x", "FFFFFFFFFFFFFFFFFFFFFFFFFFFF", "ffffffffffffffffffffffffffff"},
		{"x", "10000000000000000000000000000", NULL},
		{"x", "000000000000000000000000001f", "000000000000000000000000001f"},
		{"x", "0x1f", NULL},
		{"x", "g", NULL},
		{"b", "AP__________________", "ffffffffffffffffffffffffffff"},
		{"b", "AQAAAAAAAAAAAAAAAAAA", NULL},
		{"b", "BAAAAAAAAAAAAAAAAAAA", NULL},
		{"b", "AP//////////////////", NULL},
		{"b", "AP_________________", NULL},
		{"b", "AP__________________==", NULL},
		{"l", "ad7777777777777777777777", "ffffffffffffffffffffffffffff"},
		{"l", "aeaaaaaaaaaaaaaaaaaaaaaa", NULL},
		{"l", "baaaaaaaaaaaaaaaaaaaaaaa", NULL},
		{"l", "ad777777777777777777777", NULL},
		{"l", "ad7777777777777777777770", NULL},
		{"u", "bheje2x7777777777777777777777", "ffffffffffffffffffffffffffff"},
		{"u", "did:siq:bheje2x7777777777777777777777", "ffffffffffffffffffffffffffff"},
		{"u", "did:siq:did:siq:bheje2x7777777777777777777777", NULL},
		{"u", "did:SIQ:bheje2x7777777777777777777777", NULL},
		{"u", "bheje2x777777777777777777777", NULL},
		{"u", "rheje2x7777777777777777777777", NULL},
	};

	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
	{
		char		digits[2 * 14 + 1] = "refused";
		uint8_t		id[14];

		if (read_checked(notation_of(edges[i].letters), edges[i].text, id))
			hex_of(id, 14, digits);
		check_str(digits, edges[i].hex != NULL ? edges[i].hex : "refused",
				  "%s: \"%s\"", edges[i].letters, edges[i].text);
	}
	conclude("notations: lengths, leading zeros, aliases and the ends of the range");
}

/* The type's own text: what is accepted besides the canonical text, and nothing more. */
static void
text_input(void)
{
	static const struct
	{
		const char *text;
		const char *canonical;	/* NULL: refused */
	}			texts[] = {
		{"3ZZZZZZZZZZZZZZZZZZZZZZ", "3ZZZZZZZZZZZZZZZZZZZZZZ"},
		{"3zzzzzzzzzzzzzzzzzzzzzz", "3ZZZZZZZZZZZZZZZZZZZZZZ"},
		{"006p0aqhax6a0000000001z", "006P0AQHAX6A0000000001Z"},
		{"6P0AQHAX6A0000000001Z", "006P0AQHAX6A0000000001Z"},
		{"OO6POAQHAX6AOOOOOOooolZ", "006P0AQHAX6A0000000001Z"},
		{"0IiLl000000000000000000", "01111000000000000000000"},
		{"10000000000000000000", "00010000000000000000000"},
		{"1000000000000000000", NULL},
		{"40000000000000000000000", NULL},
		{"000000000000000000000000", NULL},
		{"U0000000000000000000000", NULL},
		{"0000000000-000000000000", NULL},
		{"", NULL},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
	{
		char		got[FLAKE_MAX_TEXT + 1] = "refused";
		uint8_t		id[14];

		if (siq->decode(texts[i].text, strlen(texts[i].text), id))
			siq->encode(id, got);
		check_str(got, texts[i].canonical != NULL ? texts[i].canonical : "refused", "%s", texts[i].text);
	}
	conclude("text: lower case, O, I and L, up to three missing zeros");
}

/* ---------- types ---------- */

/* Whatever the last 16 bits are, they are a serial and exactly one qualifier. */
static void
prefix_code(void)
{
	int			unassigned = 0;

	for (unsigned low16 = 0; low16 < 65536; low16++)
	{
		int			found = -1;

		for (int i = 0; i < SIQ_TYPES; i++)
		{
			if ((low16 & ((1u << siq_types[i].bits) - 1)) == siq_types[i].qualifier)
			{
				check(found < 0, "%u ends in two qualifiers", low16);
				found = i;
				check_int(siq_qualifier_bits(low16), siq_types[i].bits, "bits of %u", low16);
			}
		}
		check_int(siq_find_type(low16), found, "type of %u", low16);
		/* the leaves are those of 3 bits, and those are the odd ones */
		check_int(found >= 0 && found < 4, low16 & 1, "%u is a leaf", low16);
		if (found < 0)
		{
			unsigned	qualifier = low16 & 31;

			unassigned++;
			check_int(siq_qualifier_bits(low16), 5, "bits of %u", low16);
			check(qualifier == 18 || qualifier == 26 || qualifier == 28, "%u has no type", low16);
		}
	}
	check_int(unassigned, 3 * 2048, "the qualifiers 18, 26 and 28 have no type");
	conclude("types: every 16 bits end in one qualifier");
}

/* ---------- the capacity of a tick ---------- */

/*
 * All the IDs that can be made while the clock is stopped, with the given
 * strides as a repeated pattern: how many, and they increase.
 */
static int
ids_in_a_tick(const unsigned *bits, int patterns, bool *seen)
{
	FlakePatience patience = {0};
	FlakeView	view = {
		.now = INT64_C(1800000000000000),
		.mark = INT64_MAX,
		.max = 8191,
	};
	uint64_t	tick = flake_tick_of(&siq->rate, view.now);
	int64_t		last = -1;
	int			count = 0;
	FlakeVerdict verdict;
	FlakeStep	step;

	for (;;)
	{
		unsigned	n = bits[count % patterns];
		unsigned	low16;

		view.stride = 1u << (n - 3);
		verdict = flake_step(siq, &view, view.stride, &patience, &step);
		if (verdict != FLAKE_LEASE)
			break;
		check_int(step.tick, tick, "in the tick");
		check_int(step.next % view.stride, 0, "aligned to %u", view.stride);
		low16 = step.next << 3;
		check_int((step.next >> (n - 3)) << n, low16, "the serial precedes %u bits", n);
		check(low16 > last && low16 + (1u << n) <= 65536, "%u follows " "%" PRId64, low16, last);
		last = low16 + (1u << n) - 1;	/* whatever the qualifier is, it is
										 * not above */
		check(!seen[low16 >> 3], "%u occurs once", low16);
		seen[low16 >> 3] = true;
		view.word = step.word;
		count++;
	}
	check_int(verdict, FLAKE_EXHAUSTED, "then the tick is exhausted");
	check_int(step.until, flake_us_of(&siq->rate, tick + 1), "until the next");
	return count;
}

static void
stride_pools(void)
{
	static const unsigned three[] = {3};
	static const unsigned four[] = {4};
	static const unsigned five[] = {5};
	static const unsigned mixed[] = {5, 3, 4, 3, 3, 5, 4};
	bool		seen[4][8192] = {{false}};
	int			count;

	check_int(ids_in_a_tick(three, 1, seen[0]), 8192, "3 bits");
	check_int(ids_in_a_tick(four, 1, seen[1]), 4096, "4 bits");
	check_int(ids_in_a_tick(five, 1, seen[2]), 2048, "5 bits");
	count = ids_in_a_tick(mixed, 7, seen[3]);
	check(count > 2048 && count < 8192, "mixed: %d", count);
	conclude("a tick holds 8192, 4096 or 2048 IDs of a type; IDs of mixed types increase");
}

int
main(void)
{
	seed_random();
	siq_vectors();
	type_vectors();
	did_vectors();
	format_vectors();
	changed_bytes();
	notation_edges();
	text_input();
	prefix_code();
	stride_pools();
	return done();
}
