/*
 * ulid.c
 *		ulid: 16 bytes, a millisecond and 80 bits, after github.com/ulid/spec.
 *
 *		  0    1    2    3    4    5    6    7    8    9  ..            15
 *		 +-----------------------------+-----------+----------------------+
 *		 | ms since 1970-01-01: 48      | counter:  | random: 62           |
 *		 | (until 10889-08-02)          | 18        |                      |
 *		 +-----------------------------+-----------+----------------------+
 *
 * The specification calls the last 80 bits randomness, and lets a generator count in them
 * within a millisecond.  Ours counts in the first 18; in a ULID made elsewhere there is no
 * counter.
 *
 * Text: the number of 128 bits in Crockford's base 32, upper case, 26 digits, of which the
 * first is 0 to 7.
 */
#include "types/ulid.h"

static const uint8_t ulid_value[256] = {FLAKE_CROCKFORD_VALUES};
static const FlakeAlphabet ulid_alphabet = {FLAKE_CROCKFORD_DIGITS, ulid_value, 5};

inline void
ulid_pack(const UlidParts *parts, uint8_t *id)
{
	flake_store(id, 8, parts->ms << 16 | parts->counter >> 2);
	flake_store(id + 8, 8, (uint64_t) parts->counter << 62 | (parts->random & (UINT64_MAX >> 2)));
}

void
ulid_unpack(const uint8_t *id, UlidParts *parts)
{
	uint64_t	low = flake_load(id + 8, 8);

	parts->ms = flake_load(id, 6);
	parts->counter = (uint32_t) (flake_load(id + 6, 2) << 2 | low >> 62);
	parts->random = low & (UINT64_MAX >> 2);
}

static void
ulid_encode(const uint8_t *id, char *text)
{
	ulid_put_digits(&ulid_alphabet, id, text);
	text[ULID_TEXT] = '\0';
}

static bool
ulid_decode(const char *text, size_t length, uint8_t *id)
{
	return length == ULID_TEXT && ulid_get_digits(&ulid_alphabet, text, id);
}

const FlakeFormat flake_ulid = {
	.name = "ulid",
	.id = FLAKE_ULID,
	.shape = "A ulid is 26 digits of Crockford's base 32 (0 to 9 and A to Z without I, L, O and U), of which the first is 0 to 7.",
	.digits = FLAKE_CROCKFORD_DIGITS,
	.pattern = "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
	.bytes = 16,
	.text_length = ULID_TEXT,
	.timestamp_bits = 48,
	.time_ordered = true,
	.random_bits = 62,
	.rate = {
		.epoch_us = 0,
		.per_second = 1000,
		.mul = 1,
		.div = 1000,
		.last_tick = (UINT64_C(1) << 48) - 1,
	},
	/* the generator's word leaves 44 bits for the tick: until 2527 */
	.sequence_bits = ULID_COUNTER_BITS,
	.numbers = 1,
	.encode = ulid_encode,
	.decode = ulid_decode,
};

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#define FT_NAME		ulid
#define FT_FORMAT	flake_ulid
#define FT_BYTES	16
#define FT_HORIZON
#include "types/type.h"

/* Fill in the parts of an ID for an instant of the span, in us: see flake_counted_at(). */
void
ulid_next_at(int64 us, UlidParts *parts)
{
	ulid_fill(flake_counted_at(&flake_ulid, us), parts);
}

/* ulid_new(): the next ID. */
PG_FUNCTION_INFO_V1(ulid_new);
Datum
ulid_new(PG_FUNCTION_ARGS pg_attribute_unused())
{
	UlidParts	parts = ulid_next(flake_ulid.name);

	FLAKE_RESULT_REF(id, 16);

	ulid_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* ulid_new_at(timestamptz): an ID for an instant. */
PG_FUNCTION_INFO_V1(ulid_new_at);
Datum
ulid_new_at(PG_FUNCTION_ARGS)
{
	UlidParts	parts;

	FLAKE_RESULT_REF(id, 16);

	ulid_next_at(flake_us_in_span(&flake_ulid, PG_GETARG_TIMESTAMPTZ(0)), &parts);
	ulid_pack(&parts, id);
	FLAKE_RETURN_REF(id);
}

/* ulid_make(timestamptz, random): an ID from its parts; an error (22P03) unless "random" has 10 bytes. */
PG_FUNCTION_INFO_V1(ulid_make);
Datum
ulid_make(PG_FUNCTION_ARGS)
{
	return flake_make(&flake_ulid, PG_GETARG_TIMESTAMPTZ(0), "random bytes", PG_GETARG_BYTEA_PP(1));
}

/* The accessor: the 10 bytes that the specification calls random. */
FT_READER(ulid_random, 0, PG_RETURN_BYTEA_P, flake_bytes_after_time(&flake_ulid, id))

/* Read a ULID's text, only of upper case if "upper"; return false if it is none. */
bool
ulid_read_text(const char *text, size_t length, bool upper, uint8 *id)
{
	char		again[ULID_TEXT + 1];

	if (!ulid_decode(text, length, id))
		return false;
	if (upper)
		ulid_encode(id, again);
	return !upper || memcmp(text, again, ULID_TEXT) == 0;
}

/* The same; raise an error (22P02) if it is none, which has the text if "show". */
void
ulid_from_text(const text *text, bool upper, bool show, uint8 *id)
{
	if (ulid_read_text(VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text), upper, id))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 show ? errmsg("invalid ULID: \"%s\"", text_to_cstring(text)) : errmsg("invalid ULID"),
			 errdetail("A ULID is 26 digits of Crockford's base 32 (0 to 9 and A to Z without I, L, O and U), of which the first is 0 to 7.%s",
					   upper ? " Its letters must be in upper case here, because lower case sorts differently." : ""),
			 upper ? errhint("For lower case, use layout_timestamp(id, 'ulid_lower').") : 0));
}

/* ulid_text(uuid): the 26 digits of the ULID that a uuid holds. */
PG_FUNCTION_INFO_V1(ulid_text);
Datum
ulid_text(PG_FUNCTION_ARGS)
{
	char		digits[ULID_TEXT + 1];

	ulid_encode(PG_GETARG_UUID_P(0)->data, digits);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, ULID_TEXT));
}

/* ulid_uuid(text): the uuid with the bytes of a ULID, which is read as ulid's input reads it. */
PG_FUNCTION_INFO_V1(ulid_uuid);
Datum
ulid_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	ulid_from_text(PG_GETARG_TEXT_PP(0), false, true, uuid->data);
	PG_RETURN_UUID_P(uuid);
}

#endif							/* !FLAKE_STANDALONE */
