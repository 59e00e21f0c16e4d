/*
 * uid_test.c
 *		uid64 and uid96: the reference's vectors, drift, and what no clock writes.
 */
#include "types/uid.h"
#include "tsv.h"

static const FlakeFormat *const uid64 = &flake_uid64;
static const FlakeFormat *const uid96 = &flake_uid96;

/* The fields of a row, A to seq as the reference decoded them. */
static UidParts
parts_of_row(const Tsv *tsv)
{
	UidParts	parts;

	parts.megaseconds = (unsigned) tsv_int(tsv, "A");
	parts.seconds = (unsigned) tsv_int(tsv, "B");
	parts.units = (unsigned) tsv_int(tsv, "C") >> 10;
	parts.sequence = (unsigned) tsv_int(tsv, "seq");
	parts.node = 0;
	return parts;
}

/* Does a clock write these fields? */
static bool
is_regular(const UidParts *parts)
{
	return parts->seconds < 1000000 && parts->units < 977;
}

static void
check_parts(const Tsv *tsv, const UidParts *got, const UidParts *want)
{
	check_int(got->megaseconds, want->megaseconds, "line %d: megaseconds", tsv->line);
	check_int(got->seconds, want->seconds, "line %d: seconds", tsv->line);
	check_int(got->units, want->units, "line %d: units", tsv->line);
	check_int(got->sequence, want->sequence, "line %d: sequence", tsv->line);
	check_int(got->node, want->node, "line %d: node", tsv->line);
}

/*
 * The reference's t/1, milliseconds, compared with our instant.  If no clock
 * writes the fields, the reference adds them up all the same, and its time runs
 * against the order; ours is the last instant that keeps the order.
 */
static void
check_instant(const Tsv *tsv, const UidParts *parts)
{
	int64_t		us = uid_instant(parts);

	if (is_regular(parts))
		check_int(us / 1000, tsv_int(tsv, "t_ms"), "line %d: instant", tsv->line);
	else if (parts->seconds >= 1000000)
		check_int(us, (parts->megaseconds + INT64_C(1)) * 1000000 * 1000000 - 1,
				  "line %d: the megasecond's last instant", tsv->line);
	else
		check_int(us, (parts->megaseconds * INT64_C(1000000) + parts->seconds + 1) * 1000000 - 1,
				  "line %d: the second's last instant", tsv->line);
}

static void
check_text(const Tsv *tsv, const FlakeFormat *f, const uint8_t *id)
{
	const char *text = tsv_text(tsv, "text");
	char		got[FLAKE_MAX_TEXT + 1];
	char		digits[2 * FLAKE_MAX_BYTES + 1];
	uint8_t		back[FLAKE_MAX_BYTES];

	f->encode(id, got);
	check_str(got, text, "line %d: encode", tsv->line);
	check(f->decode(text, strlen(text), back), "line %d: decode", tsv->line);
	check_str(hex_of(back, f->bytes, digits), tsv_text(tsv, "hex"), "line %d: decode", tsv->line);
}

static void
local_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/uid.tsv");
	while (tsv_next(&tsv))
	{
		UidParts	want = parts_of_row(&tsv);
		UidParts	got;
		uint8_t		id[8];
		char		digits[17];

		check_int(tsv_hex(&tsv, "hex", id, sizeof(id)), 8, "line %d: width", tsv.line);
		check_text(&tsv, uid64, id);
		uid64_unpack(id, &got);
		check_parts(&tsv, &got, &want);
		uid64_pack(&want, id);
		check_str(hex_of(id, 8, digits), tsv_text(&tsv, "hex"), "line %d: pack", tsv.line);
		check_instant(&tsv, &want);
		check_int(flake_id_us(uid64, id), uid_instant(&want), "line %d: the format's instant", tsv.line);
	}
	conclude("uid.tsv: bytes, text, parts and instant of every row");
}

static void
global_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/uidg.tsv");
	while (tsv_next(&tsv))
	{
		unsigned	drift = (unsigned) tsv_int(&tsv, "drift");
		const char *name = tsv_text(&tsv, "node");
		UidParts	want = parts_of_row(&tsv);
		UidParts	got;
		uint8_t		id[12];
		char		digits[25];

		want.node = (uint32_t) tsv_int(&tsv, "node_hash");
		if (*name != '\0')
			check_int(uid_hash_node(name, strlen(name)), want.node, "line %d: node's hash", tsv.line);
		check_int(strtoull(tsv_text(&tsv, "node_hash_hex"), NULL, 16), want.node,
				  "line %d: node in hex", tsv.line);

		check_int(tsv_hex(&tsv, "hex", id, sizeof(id)), 12, "line %d: width", tsv.line);
		check_text(&tsv, uid96, id);
		uid96_unpack(id, drift, &got);
		check_parts(&tsv, &got, &want);
		memset(id, 0xa5, sizeof(id));
		uid96_pack(&want, drift, id);
		check_str(hex_of(id, 12, digits), tsv_text(&tsv, "hex"), "line %d: pack", tsv.line);
		check_instant(&tsv, &want);
		if (drift == UID_DRIFT_DEFAULT)
			check_int(flake_id_us(uid96, id), uid_instant(&want), "line %d: the format's instant", tsv.line);
	}
	conclude("uidg.tsv: bytes, text, parts, node and instant of every row at its drift");
}

static void
node_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/uid_nodehash.tsv");
	while (tsv_next(&tsv))
	{
		uint8_t		name[TSV_LINE];
		size_t		length = tsv_hex(&tsv, "name_utf8_hex", name, sizeof(name));

		check_int(uid_hash_node((char *) name, length), tsv_int(&tsv, "phash2"), "line %d: %s",
				  tsv.line, tsv_text(&tsv, "node"));
	}
	conclude("uid_nodehash.tsv: phash2 of every name");
}

/*
 * The reference's encoder takes any bytes; ours takes an ID's.  The reference's
 * text of fewer bytes is the beginning of ours except for the last character,
 * which holds the remaining bits.
 */
static void
base64_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/uid_b64.tsv");
	while (tsv_next(&tsv))
	{
		uint8_t		want[64];
		char		text[128];
		size_t		length = tsv_hex(&tsv, "text_hex", (uint8_t *) text, sizeof(text) - 1);
		uint8_t		got[FLAKE_MAX_BYTES];
		const char *result = tsv_text(&tsv, "binary_hex_or_error");
		size_t		bytes;

		text[length] = '\0';
		if (strcmp(tsv_text(&tsv, "op"), "decode") == 0)
		{
			/* no text is as long as an ID's */
			check(!uid64->decode(text, length, got) && !uid96->decode(text, length, got),
				  "line %d: refused", tsv.line);
			continue;
		}
		bytes = tsv_hex(&tsv, "binary_hex_or_error", want, sizeof(want));
		if (bytes <= 12)
		{
			uint8_t		id[12] = {0};
			char		mine[FLAKE_MAX_TEXT + 1];

			memcpy(id, want, bytes);
			uid96->encode(id, mine);
			check(strncmp(mine, text, length) == 0, "line %d: %s of %s", tsv.line, mine, result);
		}
		else
			for (size_t at = 0; at + 12 <= bytes; at += 3)
			{
				/* three bytes are four characters at any position */
				char		mine[FLAKE_MAX_TEXT + 1];

				uid96->encode(want + at, mine);
				check(strncmp(mine, text + at / 3 * 4, 16) == 0, "line %d: %s at %zu", tsv.line, mine, at);
				check(uid96->decode(text + at / 3 * 4, 16, got) && memcmp(got, want + at, 12) == 0,
					  "line %d: back at %zu", tsv.line, at);
			}
	}
	conclude("uid_b64.tsv: the alphabet and the order of the bits");
}

/* The fields in the reference's {uid,<<Node>>,{A,B,C},Seq} or {uid,{A,B,C},Seq}. */
static bool
read_term(const char *term, UidParts *parts)
{
	unsigned	node[4] = {0};
	unsigned	c;

	if (sscanf(term, "{uid,<<%u,%u,%u,%u>>,{%u,%u,%u},%u}", &node[0], &node[1], &node[2], &node[3],
			   &parts->megaseconds, &parts->seconds, &c, &parts->sequence) != 8 &&
		sscanf(term, "{uid,{%u,%u,%u},%u}", &parts->megaseconds, &parts->seconds, &c,
			   &parts->sequence) != 4)
		return false;
	parts->units = c >> 10;
	parts->node = node[0] << 24 | node[1] << 16 | node[2] << 8 | node[3];
	return true;
}

/* The bytes in <<1,2,3>>, as hex. */
static void
read_binary(const char *term, char *hex)
{
	for (const char *p = strpbrk(term, "0123456789"); p != NULL; p = strchr(p, ','))
	{
		p += *p == ',';
		hex += sprintf(hex, "%02x", (unsigned) strtoul(p, NULL, 10));
	}
}

static void
decode_vectors(void)
{
	Tsv			tsv;
	int			skipped = 0;

	tsv_open(&tsv, "test/vectors/uid_decode.tsv");
	while (tsv_next(&tsv))
	{
		const char *op = tsv_text(&tsv, "op");
		const char *input = tsv_text(&tsv, "input");
		const char *result = tsv_text(&tsv, "result");
		bool		has_id = strncmp(result, "{uid,", 5) == 0;
		UidParts	want = {0};
		UidParts	got;
		unsigned	drift;
		uint8_t		bytes[32];

		if (strcmp(op, "decode64/1") == 0)
		{
			size_t		length = tsv_hex(&tsv, "input", bytes, sizeof(bytes));
			uint8_t		id[12];
			bool		local = uid64->decode((char *) bytes, length, id);
			bool global = !local && uid96->decode((char *) bytes, length, id);

			/*
			 * not what the reference ignores: a 17th character, bits after
			 * the 64th
			 */
			if (length == 17 || bytes[10] == 'z')
				has_id = false;
			check(has_id == (local || global), "line %d: accepted or not", tsv.line);
			if (!has_id)
				continue;
			check(read_term(result, &want), "line %d: %s", tsv.line, result);
			if (local)
				uid64_unpack(id, &got);
			else
				uid96_unpack(id, UID_DRIFT_DEFAULT, &got);
			check_parts(&tsv, &got, &want);
		}
		else if (strcmp(op, "decode/1") == 0 || sscanf(op, "decode(%u)", &drift) == 1)
		{
			size_t		length = tsv_hex(&tsv, "input", bytes, sizeof(bytes));

			if (strcmp(op, "decode/1") == 0)
				drift = UID_DRIFT_DEFAULT;
			if (drift < UID_DRIFT_MIN || drift > UID_DRIFT_MAX || !has_id)
			{
				/* the SQL functions refuse these: see sql/uid.sql */
				skipped++;
				continue;
			}
			check(read_term(result, &want), "line %d: %s", tsv.line, result);
			if (length == 8)
				uid64_unpack(bytes, &got);
			else
				uid96_unpack(bytes, drift, &got);
			check_parts(&tsv, &got, &want);
		}
		else if (sscanf(op, "encode(%u)", &drift) == 1)
		{
			char		hex[64];
			char		digits[25];

			if (!read_term(input, &want) || result[0] != '<')
			{
				/*
				 * a node whose width is not 32 bits, or a drift with which
				 * the reference never returns
				 */
				skipped++;
				continue;
			}
			read_binary(result, hex);
			if (strlen(hex) == 16)
				uid64_pack(&want, bytes);
			else
				uid96_pack(&want, drift, bytes);
			check_str(hex_of(bytes, strlen(hex) / 2, digits), hex, "line %d: encode", tsv.line);
		}
		else
			check(false, "line %d: no such op: %s", tsv.line, op);
	}
	check_int(skipped, 18, "rows that say nothing about the kernel");
	conclude("uid_decode.tsv: what has an ID, at the drift given");
}

/* "kind a b d": d is the microseconds between our instants. */
static void
distance_vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/uid_distance.tsv");
	while (tsv_next(&tsv))
	{
		UidParts	parts[2];
		const char *column[] = {"a", "b"};
		long long	a,
					b,
					c,
					sequence;

		if (strcmp(tsv_text(&tsv, "kind"), "error") == 0)
			continue;
		for (int i = 0; i < 2; i++)
		{
			const char *fields = strstr(tsv_text(&tsv, column[i]), ",{");
			unsigned	micro;

			if (fields == NULL || sscanf(fields, ",{%u,%u,%u},%u}", &parts[i].megaseconds,
										 &parts[i].seconds, &micro, &parts[i].sequence) != 4)
				bail_out("line %d: not understood", tsv.line);
			parts[i].units = micro >> 10;
		}
		check(sscanf(strstr(tsv_text(&tsv, "d"), ",{"), ",{%lld,%lld,%lld},%lld}",
					 &a, &b, &c, &sequence) == 4, "line %d: d", tsv.line);
		check_int(uid_instant(&parts[0]) - uid_instant(&parts[1]), (a * 1000000 + b) * 1000000 + c,
				  "line %d: time", tsv.line);
		check_int((long long) parts[0].sequence - parts[1].sequence, sequence,
				  "line %d: sequence", tsv.line);
		check_int(uid_instant(&parts[0]) / 1000, tsv_int(&tsv, "t_ms_a"), "line %d: a", tsv.line);
		check_int(uid_instant(&parts[1]) / 1000, tsv_int(&tsv, "t_ms_b"), "line %d: b", tsv.line);
	}
	conclude("uid_distance.tsv: time and sequence of every row");
}

/* Fields in which edges are as likely as everything else together. */
static UidParts
random_parts(void)
{
	static const unsigned seconds[] = {0, 255, 256, 999935, 999936, 999998, 999999, 1000000, 1000191, 1000192, 0xfffff};
	static const unsigned units[] = {0, 1, 975, 976, 977, 978, 1022, 1023};
	static const unsigned megaseconds[] = {0, 1, 1777, 1048574, 1048575};
	UidParts	parts;

	parts.megaseconds = random_below(2) ? megaseconds[random_below(5)] : random_below(1 << 20);
	parts.seconds = random_below(2) ? seconds[random_below(11)] : random_below(1 << 20);
	parts.units = random_below(2) ? units[random_below(8)] : random_below(1 << 10);
	parts.sequence = random_below(2) ? random_below(2) * 0x3fff : random_below(1 << 14);
	parts.node = random_below(2) ? (uint32_t) -random_below(2) : (uint32_t) random_bits();
	return parts;
}

static void
every_drift(void)
{
	for (int n = 0; n < 100000; n++)
	{
		UidParts	want = random_parts();
		UidParts	got;
		unsigned	drift = UID_DRIFT_MIN + (unsigned) random_below(UID_DRIFT_MAX - UID_DRIFT_MIN + 1);
		uint8_t		id[12];
		uint8_t		back[12];

		random_fill(id, 12);
		uid96_pack(&want, drift, id);
		uid96_unpack(id, drift, &got);
		check(memcmp(&got, &want, sizeof(got)) == 0, "parts come back at drift %u", drift);

		random_fill(id, 12);
		uid96_unpack(id, drift, &got);
		uid96_pack(&got, drift, back);
		check(memcmp(back, id, 12) == 0, "random bytes come back at drift %u", drift);
	}
	conclude("uid96: every bit belongs to one part, at every drift");
}

/* Time never runs against uid64's order, and its bounds hold the unit and nothing else. */
static void
order_and_instants(void)
{
	for (int n = 0; n < 200000; n++)
	{
		UidParts	parts[2] = {random_parts(), random_parts()};
		uint8_t		id[2][8];
		uint8_t		least[8];
		uint8_t		greatest[8];
		int64_t		us[2];
		int			order;

		/* equal up to a random field */
		switch (random_below(4))
		{
			case 3:
				parts[1].units = parts[0].units;
				/* fall through */
			case 2:
				parts[1].seconds = parts[0].seconds;
				/* fall through */
			case 1:
				parts[1].megaseconds = parts[0].megaseconds;
		}
		for (int i = 0; i < 2; i++)
		{
			uid64_pack(&parts[i], id[i]);
			us[i] = flake_id_us(uid64, id[i]);
			check(flake_in_span(&uid64->rate, us[i]), "the instant is in the span");
			flake_least(uid64, us[i], least);
			flake_greatest(uid64, us[i], greatest);
			check(flake_compare(least, id[i], 8) <= 0 && flake_compare(id[i], greatest, 8) <= 0,
				  "an ID is within its instant's bounds");
		}
		order = flake_compare(id[0], id[1], 8);
		check(order == 0 || (order < 0) == (us[0] <= us[1]) || us[0] == us[1],
			  "order and instants agree: %" PRId64 " %" PRId64, us[0], us[1]);

		/*
		 * the ID is inside the bounds of the other's unit if and only if its
		 * tick is that unit's
		 */
		flake_least(uid64, us[1], least);
		flake_greatest(uid64, us[1], greatest);
		check((flake_compare(least, id[0], 8) <= 0 && flake_compare(id[0], greatest, 8) <= 0) ==
			  (flake_tick_of(&uid64->rate, us[0]) == flake_tick_of(&uid64->rate, us[1])),
			  "the bounds hold one unit");
	}
	conclude("uid64: time never runs against the order, also in units no clock writes");
}

/* Every ID with an instant in a range is between the bounds of the range's ends. */
static void
neighbourhoods(void)
{
	for (int n = 0; n < 200000; n++)
	{
		UidParts	parts = random_parts();
		UidParts	ends = random_parts();
		unsigned	drift = UID_DRIFT_MIN + (unsigned) random_below(UID_DRIFT_MAX - UID_DRIFT_MIN + 1);
		int64_t		us = uid_instant(&parts);
		int64_t		end = random_below(2) ? us + (int64_t) random_below(2000000) - 1000000 : uid_instant(&ends);
		uint8_t		id[12];
		uint8_t		least[12];
		uint8_t		greatest[12];

		if (!flake_in_span(&uid96->rate, end))
			continue;
		uid96_pack(&parts, drift, id);
		uid96_neighbourhood(end, drift, least, greatest);
		if (us >= end)
			check(flake_compare(least, id, 12) <= 0, "later than the least, drift %u", drift);
		if (us <= end)
			check(flake_compare(id, greatest, 12) <= 0, "before the greatest, drift %u", drift);

		/*
		 * and nothing else, except what no clock writes after the last unit
		 * of a megasecond
		 */
		uid_parts_of_tick(flake_tick_of(&uid96->rate, end), &ends);
		check((flake_compare(least, id, 12) <= 0 && flake_compare(id, greatest, 12) <= 0) ==
			  (parts.megaseconds == ends.megaseconds &&
			   (parts.seconds >> drift == ends.seconds >> drift ||
				(parts.seconds >= 1000000 && ends.seconds == 999999 && ends.units == 976))),
			  "the neighbourhood and nothing else, drift %u", drift);
	}
	conclude("uid96: bounds hold the neighbourhood of every node, at every drift");
}

/* What a sort compares first never contradicts the IDs, and distinguishes those of one node. */
static void
abbreviations(void)
{
	for (int n = 0; n < 1000000; n++)
	{
		uint8_t		id[3][12];
		uint64_t	key[2];
		int			order;
		bool		usual;

		/*
		 * equal from the start to a random byte, and again from another one
		 * on; the difference is small or large
		 */
		for (int i = 0; i < 3; i++)
		{
			unsigned	from = (unsigned) random_below(13);
			unsigned	to = (unsigned) random_below(13);

			for (unsigned byte = 0; byte < 12; byte++)
				id[i][byte] = i > 0 && (byte < from || byte >= to) ? id[i - 1][byte]
					: random_below(2) ? (uint8_t) random_below(256)
					: i > 0 ? (uint8_t) (id[i - 1][byte] + random_below(3) - 1) : 0xff;
		}
		order = flake_compare(id[0], id[1], 12);
		for (int i = 0; i < 2; i++)
			key[i] = uid96_abbreviate(id[i], id[2]);
		if (key[0] != key[1])
			check((key[0] < key[1]) == (order < 0), "the order of the keys is that of the IDs");
		usual = memcmp(id[0] + 4, id[2] + 4, 4) == 0 && memcmp(id[1] + 4, id[2] + 4, 4) == 0;
		if (usual)
			check((key[0] == key[1]) == (memcmp(id[0], id[1], 11) == 0 && id[0][11] >> 2 == id[1][11] >> 2),
				  "of one node, all but the last two bits tell");
	}
	conclude("uid96: abbreviated keys are in the order of the IDs");
}

/* A generator has 977 ticks per second, none of them in a unit that no clock writes. */
static void
ticks(void)
{
	for (int n = 0; n < 200000; n++)
	{
		uint64_t	second = random_below(UINT64_C(1048576) * 1000000);
		unsigned	unit = random_below(2) ? (unsigned) random_below(977) : 976 * (unsigned) random_below(2);
		uint64_t	tick = second * 977 + unit;
		UidParts	parts;

		uid_parts_of_tick(tick, &parts);
		check(is_regular(&parts), "a clock writes them");
		check_int(parts.megaseconds * UINT64_C(1000000) + parts.seconds, second, "seconds");
		check_int(parts.units, unit, "unit");
		check_int(uid_instant(&parts), flake_us_of(&uid64->rate, tick), "instant");
		check_int(flake_tick_of(&uid64->rate, uid_instant(&parts)), tick, "tick");
	}
	conclude("ticks are fields of time, both ways");
}

/* A uid64's last character has four bits of the ID; the other two must be zero. */
static void
last_character(void)
{
	int			accepted = 0;

	for (int byte = 0; byte < 256; byte++)
	{
		char		text[] = ".5.tXbhdV..";
		char		again[FLAKE_MAX_TEXT + 1];
		uint8_t		id[8];
		bool		want = byte != 0 && strchr(".37BFJNRVZcgkosw", byte) != NULL;

		text[10] = (char) byte;
		check(uid64->decode(text, 11, id) == want, "byte %02x", byte);
		if (!want)
			continue;
		accepted++;
		uid64->encode(id, again);
		check_str(again, text, "byte %02x", byte);
	}
	check_int(accepted, 16, "characters accepted");
	conclude("uid64: one text per ID");
}

int
main(void)
{
	seed_random();
	local_vectors();
	global_vectors();
	node_vectors();
	base64_vectors();
	decode_vectors();
	distance_vectors();
	every_drift();
	order_and_instants();
	neighbourhoods();
	abbreviations();
	ticks();
	last_character();
	return done();
}
