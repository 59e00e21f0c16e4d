/*
 * uid64.c
 *		uid64: 8 bytes, local, after fogfish/uid; see uid.h.
 *
 *		  0    1    2    3    4    5    6    7
 *		 +------------+------------+-----+--------+
 *		 | A: 20      | B: 20      | C:  | seq.:  |
 *		 | 10^6 s     | s          | 10  | 14     |
 *		 +------------+------------+-----+--------+
 *
 * Text: 11 characters of 6 bits in ASCII order, the last of which carries 4.
 */
#include "types/uid.h"

#define UID64_TEXT			11

static void
uid64_encode(const uint8_t *id, char *text)
{
	flake_put_digits(&uid_alphabet, flake_load(id, 6), text, 8);
	flake_put_digits(&uid_alphabet, flake_load(id + 6, 2) << 2, text + 8, 3);
	text[UID64_TEXT] = '\0';
}

static bool
uid64_decode(const char *text, size_t length, uint8_t *id)
{
	uint64_t	high;
	uint64_t	low;

	/* the two bits after the ID's must be zero: an ID has one text */
	if (length != UID64_TEXT || !flake_get_digits(&uid_alphabet, text, 8, &high) ||
		!flake_get_digits(&uid_alphabet, text + 8, 3, &low) || (low & 3) != 0)
		return false;
	flake_store(id, 6, high);
	flake_store(id + 6, 2, low >> 2);
	return true;
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

const FlakeFormat flake_uid64 = {
	.name = "uid64",
	.id = FLAKE_UID64,
	.shape = "A uid64 is 11 characters, each ., 0 to 9, A to Z, _ or a to z, the last of which is one of 16.",
	.digits = UID_DIGITS,
	.pattern = "^[.0-9A-Z_a-z]{10}[.37BFJNRVZcgkosw]$",
	.bytes = 8,
	.text_length = UID64_TEXT,
	.timestamp_bits = 50,
	.time_ordered = true,
	.rate = UID_RATE,
	.sequence_bits = 14,
	.numbers = 1,
	.encode = uid64_encode,
	.decode = uid64_decode,
	.instant = uid64_instant,
	.bounds = uid64_bounds,
};

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#define FT_NAME		uid64
#define FT_FORMAT	flake_uid64
#define FT_BYTES	8
#define FT_HORIZON
#define FT_PARTS	UidParts
#define FT_UNPACK	uid64_unpack
#include "types/type.h"

/* uid64_new(): the next ID of this database. */
PG_FUNCTION_INFO_V1(uid64_new);
Datum
uid64_new(PG_FUNCTION_ARGS pg_attribute_unused())
{
	UidParts	parts;

	FLAKE_RESULT_VALUE(id);

	uid_next(&flake_uid64, &parts);
	uid64_pack(&parts, id);
	FLAKE_RETURN_VALUE(id);
}

/* uid64_new_at(timestamptz): an ID for an instant, with the next number that flake_new_at() gives to both types. */
PG_FUNCTION_INFO_V1(uid64_new_at);
Datum
uid64_new_at(PG_FUNCTION_ARGS)
{
	UidParts	parts;

	FLAKE_RESULT_VALUE(id);

	parts.sequence = flake_new_at(&flake_uid64, 0, uid_parts_at(&flake_uid64, PG_GETARG_TIMESTAMPTZ(0), &parts), 1);
	uid64_pack(&parts, id);
	FLAKE_RETURN_VALUE(id);
}

/* uid64_make(timestamptz, sequence): an ID from its parts. */
PG_FUNCTION_INFO_V1(uid64_make);
Datum
uid64_make(PG_FUNCTION_ARGS)
{
	UidParts	parts;

	FLAKE_RESULT_VALUE(id);

	uid_parts_at(&flake_uid64, PG_GETARG_TIMESTAMPTZ(0), &parts);
	parts.sequence = flake_part(&flake_uid64, "sequence", PG_GETARG_INT32(1), 0x3fff);
	uid64_pack(&parts, id);
	FLAKE_RETURN_VALUE(id);
}

FT_MAKER(uid64_zero, memset(id, 0, 8))

/* The accessor: the only part besides the time. */
FT_PART(sequence, PG_RETURN_INT32, parts.sequence)

/*
 * The distance from b to a: time as "-" of their instants, and the difference of the
 * sequence numbers, which may have the other sign.
 */
Datum
uid_difference(FunctionCallInfo fcinfo, const UidParts *a, const UidParts *b)
{
	Datum		values[2];

	values[0] = DirectFunctionCall2(timestamp_mi,
									TimestampTzGetDatum(flake_timestamptz(uid_instant(a))),
									TimestampTzGetDatum(flake_timestamptz(uid_instant(b))));
	values[1] = Int32GetDatum((int32) a->sequence - (int32) b->sequence);
	return flake_row(fcinfo, values);
}

/* uid_distance(uid64, uid64); uid_distance(uid96, uid96) is in uid96.c. */
PG_FUNCTION_INFO_V1(uid_distance);
Datum
uid_distance(PG_FUNCTION_ARGS)
{
	UidParts	a_parts;
	UidParts	b_parts;

	FLAKE_ARG_VALUE(a, 0);
	FLAKE_ARG_VALUE(b, 1);

	uid64_unpack(a, &a_parts);
	uid64_unpack(b, &b_parts);
	return uid_difference(fcinfo, &a_parts, &b_parts);
}

#endif							/* !FLAKE_STANDALONE */
