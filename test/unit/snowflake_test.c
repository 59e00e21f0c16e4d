/*
 * snowflake_test.c
 *		snowflake compared with the reference's vectors, and deliberate differences.
 *
 * N1 .. N5 are the faults of the reference that docs/snowflake.md lists.
 */
#include "types/snowflake.h"
#include "tsv.h"

static const FlakeFormat *const snowflake = &flake_snowflake;

static const char *const notation_names[] = {"b", "c", "0c", "d", "l", "o", "x"};

#define NOTATIONS	(sizeof(notation_names) / sizeof(notation_names[0]))

/* ---------- snowflake.tsv ---------- */

/* An ID in a notation is the text, and the text the ID. */
static void
check_notation(int line, const char *name, const uint8_t *id, const char *text)
{
	const FlakeNotation *notation = flake_find_notation(&flake_snowflake, name);
	char		got[FLAKE_MAX_DIGITS + 1];
	uint8_t		back[8];

	flake_write_number(notation, id, 8, got);
	check_str(got, text, "line %d: write %s", line, name);
	check(flake_read_number(notation, text, strlen(text), back, 8) && memcmp(back, id, 8) == 0,
		  "line %d: read %s", line, name);
}

static void
vectors(void)
{
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/snowflake.tsv");
	while (tsv_next(&tsv))
	{
		const char *decimal = tsv_text(&tsv, "decimal");
		int64_t		ms = tsv_int(&tsv, "unix_ms") - tsv_int(&tsv, "epoch_seconds") * 1000;
		int64_t		us = (ms + INT64_C(1420070400000)) * 1000;	/* by our epoch */
		char		got[FLAKE_MAX_TEXT + 1];
		char		zero_c[32];
		uint8_t		id[8];
		uint8_t		back[8];
		SnowflakeParts parts;

		check(snowflake->decode(decimal, strlen(decimal), id), "line %d: decode", tsv.line);
		snowflake->encode(id, got);
		check_str(got, decimal, "line %d: encode", tsv.line);
		check_int(flake_id_us(snowflake, id), us, "line %d: instant", tsv.line);

		snowflake_unpack(id, &parts);
		check_int(parts.ms, ms, "line %d: ms", tsv.line);
		check_int(parts.worker, tsv_int(&tsv, "local_id"), "line %d: worker", tsv.line);
		check_int(parts.process, tsv_int(&tsv, "shard_id"), "line %d: process", tsv.line);
		check_int(parts.sequence, tsv_int(&tsv, "counter"), "line %d: sequence", tsv.line);

		/*
		 * from the columns, so that an error of unpack cannot undo itself in
		 * pack
		 */
		parts.ms = (uint64_t) ms;
		parts.worker = (unsigned) tsv_int(&tsv, "local_id");
		parts.process = (unsigned) tsv_int(&tsv, "shard_id");
		parts.sequence = (unsigned) tsv_int(&tsv, "counter");
		snowflake_pack(&parts, back);
		check(memcmp(back, id, 8) == 0, "line %d: pack", tsv.line);

		check_notation(tsv.line, "b", id, tsv_text(&tsv, "base64"));
		check_notation(tsv.line, "c", id, tsv_text(&tsv, "cb32"));
		snprintf(zero_c, sizeof(zero_c), "0%s", tsv_text(&tsv, "cb32"));
		check_notation(tsv.line, "0c", id, zero_c);
		check_notation(tsv.line, "d", id, decimal);
		check_notation(tsv.line, "l", id, tsv_text(&tsv, "b32l"));
		check_notation(tsv.line, "o", id, tsv_text(&tsv, "oct"));
		check_notation(tsv.line, "x", id, tsv_text(&tsv, "hex"));

		/*
		 * the bounds of the ID's millisecond: any of its instants gives the
		 * same ones
		 */
		flake_least(snowflake, us + (int64_t) random_below(1000), back);
		check(flake_load(back, 8) == (uint64_t) ms << 22, "line %d: the least ID", tsv.line);
		flake_greatest(snowflake, us + (int64_t) random_below(1000), back);
		check(flake_load(back, 8) == ((uint64_t) ms << 22 | 0x3fffff), "line %d: the greatest ID", tsv.line);
	}
	conclude("snowflake.tsv: text, instant, parts, bounds and notations of every row");
}

/* ---------- snowflake_epoch.tsv ---------- */

static void
epochs(void)
{
	int			found = 0;
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/snowflake_epoch.tsv");
	while (tsv_next(&tsv))
	{
		check_int(tsv_int(&tsv, "true_utc_value") - tsv_int(&tsv, "value"), 3600,
				  "line %d: the reference's constant is an hour early", tsv.line);
		if (strcmp(tsv_text(&tsv, "name"), "JAN_1_2015") != 0)
			continue;
		check_int(snowflake->rate.epoch_us / FLAKE_US_PER_SECOND, tsv_int(&tsv, "true_utc_value"),
				  "ours is midnight UTC");
		found++;
	}
	check_int(found, 1, "rows of our epoch");
	conclude("snowflake_epoch.tsv: N1: the epoch is midnight in UTC");
}

/* ---------- snowflake_format.tsv ---------- */

/* Which of our notations each of the reference's methods is; NULL: none. */
static const FlakeNotation *
notation_of_method(const char *method)
{
	static const char *const names[][2] = {
		{"base64", "b"}, {"cb32", "c"}, {"b32l", "l"}, {"oct", "o"}, {"hex", "x"}
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(strchr(method, '_') != NULL ? strchr(method, '_') + 1 : "", names[i][0]) == 0)
			return flake_find_notation(&flake_snowflake, names[i][1]);
	return NULL;
}

/* A row with a number that is an ID. */
static void
check_method(const Tsv *tsv, const char *decimal, const uint8_t *id)
{
	const char *method = tsv_text(tsv, "method");
	const char *result = tsv_text(tsv, "result");
	const FlakeNotation *notation = notation_of_method(method);
	char		got[64];
	char		back[80];
	uint8_t		again[8];

	if (strncmp(method, "to_bytes", 8) == 0)
	{
		/* N5: theirs are 14 bytes unless told 8, ours always are 8 */
		hex_of(id, 8, got);
		check(strlen(result) == 16 || (strlen(result) == 28 && strspn(result, "0") >= 12),
			  "line %d: length", tsv->line);
		check_str(got, result + strlen(result) - 16, "line %d: bytes", tsv->line);
	}
	else if (strcmp(method, "str") == 0 || strcmp(method, "repr") == 0)
	{
		/* Python's repr for str, too; the text is the number in it */
		snowflake->encode(id, got);
		snprintf(back, sizeof(back), "Snowflake(%s)", got);
		check_str(back, result, "line %d: text", tsv->line);
	}
	else if (strncmp(method, "to_", 3) == 0 && notation != NULL)
	{
		flake_write_number(notation, id, 8, got);
		check_str(got, result, "line %d: %s", tsv->line, method);
	}
	else if (strncmp(method, "from_", 5) == 0)
	{
		/* N4: theirs fails for Crockford, and for an odd number of hex digits */
		char		name[16];
		bool		broken = strncmp(result, "ERROR", 5) == 0;

		snprintf(name, sizeof(name), "%.*s", (int) (strchr(method, '(') - method), method);
		notation = notation_of_method(name);
		if (notation == NULL)
			bail_out("line %d: unknown method %s", tsv->line, method);
		flake_write_number(notation, id, 8, got);
		check(flake_read_number(notation, got, strlen(got), again, 8) && memcmp(again, id, 8) == 0,
			  "line %d: %s", tsv->line, method);
		snprintf(back, sizeof(back), "Snowflake(%s)", decimal);
		check(broken == (notation->base == 32 ? notation->shift == 1
						 : notation->base == 16 && strlen(got) % 2 != 0),
			  "line %d: the reference fails", tsv->line);
		check(broken || strcmp(result, back) == 0, "line %d: the same ID", tsv->line);
	}
	else
		bail_out("line %d: unknown method %s", tsv->line, method);
}

static void
formats(void)
{
	int			refused = 0;
	int			same = 0;
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/snowflake_format.tsv");
	while (tsv_next(&tsv))
	{
		const char *decimal = tsv_text(&tsv, "decimal");
		const char *result = tsv_text(&tsv, "result");
		const FlakeNotation *notation = notation_of_method(tsv_text(&tsv, "method"));
		uint8_t		id[8];

		if (snowflake->decode(decimal, strlen(decimal), id))
		{
			check_method(&tsv, decimal, id);
			same++;
			continue;
		}

		/*
		 * negative or more than 64 bits: no ID, whatever the reference writes
		 * for it
		 */
		check(decimal[0] == '-' || strlen(decimal) > 20 || strcmp(decimal, "18446744073709551615") > 0,
			  "line %d: refused", tsv.line);
		check(notation == NULL || !flake_read_number(notation, result, strlen(result), id, 8),
			  "line %d: its text is refused: %s", tsv.line, result);
		refused++;
	}
	check_int(same, 55, "rows of IDs");
	check_int(refused, 59, "rows of numbers that are not IDs");
	conclude("snowflake_format.tsv: N4, N5: every notation can be read back; no negative ID, none above 64 bits");
}

/* ---------- ours ---------- */

static void
notations_are_known(void)
{
	static const char *const unknown[] = {"", "B", "C", "u", "cc", "x ", "0x", "c0"};

	for (size_t i = 0; i < NOTATIONS; i++)
		check(flake_find_notation(&flake_snowflake, notation_names[i]) != NULL, "%s", notation_names[i]);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		check(flake_find_notation(&flake_snowflake, unknown[i]) == NULL, "\"%s\"", unknown[i]);
	conclude("seven notations by name");
}

/* Any ID can be read back from any notation, with zeros in front and, except in b, in the other case. */
static void
round_trip(const FlakeNotation *notation)
{
	for (int n = 0; n < 50000; n++)
	{
		char		text[2 * FLAKE_MAX_DIGITS + 1];
		char		longer[2 * FLAKE_MAX_DIGITS + 1];
		uint8_t		id[8];
		uint8_t		back[8];
		size_t		length;
		size_t		room;

		/* of all magnitudes */
		flake_store(id, 8, n == 0 ? 0 : n == 1 ? UINT64_MAX : random_bits() >> random_below(64));
		flake_write_number(notation, id, 8, text);
		length = strlen(text);
		check(length >= notation->least && length <= notation->most, "%s: length", text);
		check(length == notation->least || text[0] != notation->alphabet->digits[0], "%s: leading zero", text);
		check(flake_read_number(notation, text, length, back, 8) && memcmp(back, id, 8) == 0, "%s", text);

		room = notation->most - length;
		memset(longer, notation->alphabet->digits[0], sizeof(longer));
		strcpy(longer + room, text);
		check(flake_read_number(notation, longer, strlen(longer), back, 8) && memcmp(back, id, 8) == 0,
			  "%s", longer);
		memset(longer, notation->alphabet->digits[0], room + 1);
		strcpy(longer + room + 1, text);
		check(!flake_read_number(notation, longer, strlen(longer), back, 8), "%s: too long", longer);

		if (notation->base == 64)
			continue;
		for (char *p = text; *p != '\0'; p++)
		{
			if (*p >= 'a' && *p <= 'z')
				*p = (char) (*p - 'a' + 'A');
			else if (*p >= 'A' && *p <= 'Z')
				*p = (char) (*p - 'A' + 'a');
		}
		check(flake_read_number(notation, text, length, back, 8) && memcmp(back, id, 8) == 0, "%s", text);
	}
	conclude("%s: random IDs come back", notation->name);
}

/* Each of the 256 bytes at each position: read if and only if it is a digit and the number fits. */
static void
every_byte_everywhere(const FlakeNotation *notation)
{
	static const char aliases[] = "OoIiLl";
	const char *digits = notation->alphabet->digits;
	const unsigned factor = 1u << notation->shift;
	char		text[FLAKE_MAX_DIGITS + 1];
	uint8_t		id[8];
	uint8_t		back[8];

	memset(text, digits[0], notation->most);
	text[notation->most] = '\0';
	for (unsigned position = 0; position < notation->most; position++)
	{
		for (int byte = 0; byte < 256; byte++)
		{
			const char *at = memchr(digits, byte, notation->base);
			int			digit = at != NULL ? (int) (at - digits) : -1;
			unsigned	behind = notation->most - 1 - position;
			bool		want;

			if (digit < 0 && notation->shift == 1 && byte != 0 && strchr(aliases, byte) != NULL)
				digit = byte == 'O' || byte == 'o' ? 0 : 1;
			else if (digit < 0 && notation->base != 64 && byte != 0 && byte < 128)
			{
				/* the other case of a letter */
				int			other = byte ^ 0x20;

				if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' &&
					(at = memchr(digits, other, notation->base)) != NULL)
					digit = (int) (at - digits);
			}
			/* digit * base^behind / factor must be a whole number of 64 bits */
			want = digit >= 0;
			if (want)
			{
				uint64_t	value = (uint64_t) digit;

				if (behind == 0)
					want = value % factor == 0;
				for (unsigned i = 0; want && i < behind; i++)
				{
					unsigned	base = i == 0 ? notation->base / factor : notation->base;

					want = value <= UINT64_MAX / base;
					value *= base;
				}
			}
			text[position] = (char) byte;
			memset(id, 0xa5, sizeof(id));
			memcpy(back, id, sizeof(back));
			check(flake_read_number(notation, text, notation->most, id, 8) == want,
				  "byte %02x at %u", byte, position);
			check(want || memcmp(id, back, sizeof(id)) == 0, "a refused text leaves the ID alone");
			text[position] = digits[0];
		}
	}
	conclude("%s: a byte is read if and only if it is a digit there", notation->name);
}

/* The type's own text is stricter: one text per ID. */
static void
decimal(void)
{
	static const char *const good[] = {"0", "1", "4294967296", "9223372036854775808", "18446744073709551615"};
	static const char *const bad[] = {
		"", " ", "+1", "-0", "-1", "00", "01", " 1", "1 ", "1.0", "1e3", "0x10", "1_000", "a",
		"18446744073709551616", "18446744073709551620", "20000000000000000000",
		"99999999999999999999", "100000000000000000000", "00000000000000000001"
	};
	uint8_t		id[8];
	char		text[FLAKE_MAX_TEXT + 1];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
	{
		check(snowflake->decode(good[i], strlen(good[i]), id), "%s", good[i]);
		snowflake->encode(id, text);
		check_str(text, good[i], "%s", good[i]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
	{
		memset(id, 0xa5, sizeof(id));
		check(!snowflake->decode(bad[i], strlen(bad[i]), id) && id[0] == 0xa5, "\"%s\"", bad[i]);
	}
	/* in the notation "d" zeros in front are the only difference */
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check(flake_read_number(flake_find_notation(&flake_snowflake, "d"), bad[i], strlen(bad[i]), id, 8) ==
			  (strlen(bad[i]) > 1 && strlen(bad[i]) <= 20 && strspn(bad[i], "01") == strlen(bad[i]) && bad[i][0] == '0'),
			  "\"%s\" in d", bad[i]);
	conclude("decimal: one text per ID");
}

int
main(void)
{
	seed_random();
	vectors();
	epochs();
	formats();
	notations_are_known();
	for (size_t i = 0; i < NOTATIONS; i++)
	{
		round_trip(flake_find_notation(&flake_snowflake, notation_names[i]));
		every_byte_everywhere(flake_find_notation(&flake_snowflake, notation_names[i]));
	}
	decimal();
	return done();
}
