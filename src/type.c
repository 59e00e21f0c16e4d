/*
 * type.c
 *		What the functions of type.h do, for any format.
 */
#include "flakeid.h"

#include "common/hashfn.h"
#include "common/int.h"
#include "lib/hyperloglog.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

/* ---------- time ---------- */

/* A timestamptz in microseconds since 1970; the infinities are the ends of int64. */
int64
flake_us_saturated(TimestampTz t)
{
	int64		us;

	if (TIMESTAMP_IS_NOBEGIN(t))
		return PG_INT64_MIN;
	if (TIMESTAMP_IS_NOEND(t) || pg_add_s64_overflow(t, FLAKE_PG_EPOCH_US, &us))
		return PG_INT64_MAX;
	return us;
}

/* The same for an ID to be made: 22008, naming both ends, outside the format's span. */
int64
flake_us_in_span(const FlakeFormat *format, TimestampTz t)
{
	int64		us = flake_us_saturated(t);

	if (!flake_in_span(&format->rate, us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for type %s: \"%s\"",
						format->name, timestamptz_to_str(t)),
				 flake_span_detail(format)));
	return us;
}

/* "A sno holds instants from ... to ...", for ereport(). */
int
flake_span_detail(const FlakeFormat *format)
{
	/* timestamptz_to_str() answers in one static buffer */
	char	   *first = pstrdup(timestamptz_to_str(flake_timestamptz(format->rate.epoch_us)));
	char	   *last = pstrdup(timestamptz_to_str(flake_timestamptz(flake_last_us(&format->rate))));

	return errdetail("Type %s holds instants from %s to %s.", format->name, first, last);
}

/* The clock reads an instant that the format cannot carry: 22008. */
void
flake_clock_out_of_span(const FlakeFormat *format, int64 us)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("the clock is out of range for type %s: \"%s\"",
					format->name, timestamptz_to_str(flake_timestamptz(us))),
			 flake_span_detail(format)));
}

/*
 * The order of IDs and instants, one for both: an instant stands before every ID
 * of its time or later.  It is a point between IDs, or, where it begins a unit of
 * time, that unit's least ID: a partition bound that was written with T_min(t) is
 * t to the planner, which leaves the partition before it alone.  (An instant equal
 * to all IDs of its unit would make pruning wrong where a bound is inside a unit.)
 */
int
flake_compare_instant(const FlakeFormat *format, const uint8 *id, TimestampTz t)
{
	TimestampTz instant = flake_instant(format, id);
	uint8		least[FLAKE_MAX_BYTES];

	if (instant != t)
		return instant < t ? -1 : 1;
	flake_least(format, flake_us_saturated(t), least);
	return memcmp(id, least, format->bytes) == 0 ? 0 : 1;
}

/* Window frames of ORDER BY id RANGE BETWEEN interval ...: core's, of the instants. */
Datum
flake_in_range(const FlakeFormat *format, const uint8 *id, const uint8 *base,
			   Datum offset, bool sub, bool less)
{
	return DirectFunctionCall5(in_range_timestamptz_interval,
							   TimestampTzGetDatum(flake_instant(format, id)),
							   TimestampTzGetDatum(flake_instant(format, base)),
							   offset, BoolGetDatum(sub), BoolGetDatum(less));
}

/* ---------- text and binary ---------- */

/*
 * Would timestamptz's input take this text?  Then the user meant an instant.
 * Asked only of texts without names: PostgreSQL 15 reports a time zone that it
 * does not know by itself.
 */
static bool
reads_as_timestamp(const char *text)
{
	static const char *const words[] = {"now", "today", "tomorrow", "yesterday", "infinity", "-infinity"};
	char		buffer[MAXDATELEN + MAXDATEFIELDS];
	char	   *field[MAXDATEFIELDS];
	int			ftype[MAXDATEFIELDS];
	int			nf;

	for (size_t i = 0; i < lengthof(words); i++)
		if (pg_strcasecmp(text, words[i]) == 0)
			return true;
	return strlen(text) <= MAXDATELEN &&
		strspn(text, "0123456789-:.+/ TZ") == strlen(text) &&
		ParseDateTime(text, buffer, sizeof(buffer), field, ftype, MAXDATEFIELDS, &nf) == 0 &&
		flake_decode_datetime(field, ftype, nf);
}

/*
 * Return the text in the case of the format's alphabet if that is an ID's, or NULL:
 * something on its way may have changed a good one.  An alphabet of both cases has
 * no such text: there the other case is another ID.
 */
static const char *
other_case(const FlakeFormat *format, const char *text)
{
	bool		upper = strpbrk(format->digits, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
	bool		lower = strpbrk(format->digits, "abcdefghijklmnopqrstuvwxyz") != NULL;
	size_t		length = strlen(text);
	uint8		id[FLAKE_MAX_BYTES];
	char	   *other;

	if (upper == lower || length > FLAKE_MAX_TEXT)
		return NULL;
	other = pstrdup(text);
	for (char *c = other; *c != '\0'; c++)
		*c = upper ? pg_ascii_toupper((unsigned char) *c) : pg_ascii_tolower((unsigned char) *c);
	return format->decode(other, length, id) ? other : NULL;
}

/*
 * Read an ID: the format's text, or bytea's hex form of the type's width, as
 * drivers send it.  On bad text reports 22P02 to escontext and answers false.
 */
bool
flake_in(const FlakeFormat *format, const char *text, uint8 *id, struct Node *escontext)
{
	size_t		length = strlen(text);
	const char *other;

	if (format->decode(text, length, id) || flake_decode_hex(text, length, id, format->bytes))
		return true;
	other = other_case(format, text);
	ereturn(escontext, false,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type %s: \"%s\"", format->name, text),
			 errdetail("%s", format->shape),
			 other != NULL ? errhint("Case matters: \"%s\" is a %s.", other, format->name)
			 : !reads_as_timestamp(text) ? 0
			 : format->time_ordered
			 ? errhint("To compare with an instant write timestamptz '%s' or %s_min('%s'); for a parameter, $1::timestamptz or %s_min($1).",
					   text, format->name, text, format->name)
			 : errhint("To compare with an instant write %s_min('%s'); for a parameter, %s_min($1).",
					   format->name, text, format->name)));
}

/* Read the raw big-endian bytes; 22P03 unless there are exactly as many as the type has. */
void
flake_recv(const FlakeFormat *format, StringInfo buffer, uint8 *id)
{
	int			length = buffer->len - buffer->cursor;

	if (length != format->bytes)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid binary length for type %s", format->name),
				 errdetail("A %s has %d bytes, not %d.", format->name, format->bytes, length)));
	memcpy(id, pq_getmsgbytes(buffer, length), length);
}

/* The raw big-endian bytes, for both _send and the cast to bytea. */
bytea *
flake_to_bytea(const FlakeFormat *format, const uint8 *id)
{
	bytea	   *result = palloc(VARHDRSZ + format->bytes);

	SET_VARSIZE(result, VARHDRSZ + format->bytes);
	memcpy(VARDATA(result), id, format->bytes);
	return result;
}

void
flake_from_bytea(const FlakeFormat *format, const bytea *bytes, uint8 *id)
{
	if (VARSIZE_ANY_EXHDR(bytes) != format->bytes)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid length of bytea for type %s", format->name),
				 errdetail("A %s has %d bytes, not %d.",
						   format->name, format->bytes, (int) VARSIZE_ANY_EXHDR(bytes))));
	memcpy(id, VARDATA_ANY(bytes), format->bytes);
}

/*
 * A format whose text has 16 characters has a uuid of the same order: the
 * characters are its bytes.
 */
void
flake_to_uuid(const FlakeFormat *format, const uint8 *id, uint8 *uuid)
{
	char		text[FLAKE_MAX_TEXT + 1];

	Assert(format->text_length == UUID_LEN);
	format->encode(id, text);
	memcpy(uuid, text, UUID_LEN);
}

void
flake_from_uuid(const FlakeFormat *format, const uint8 *uuid, uint8 *id)
{
	if (!format->decode((const char *) uuid, UUID_LEN, id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("uuid holds no %s", format->name),
				 errdetail("Its 16 bytes are not the characters of one. %s", format->shape)));
}

/* ---------- numbers ---------- */

/* The ID as an unsigned number of 8 bits a byte. */
Numeric
flake_to_numeric(const FlakeFormat *format, const uint8 *id)
{
	char		text[FLAKE_MAX_DIGITS + 1];

	flake_write_number(&flake_decimal, id, format->bytes, text);
	return DatumGetNumeric(DirectFunctionCall3(numeric_in,
											   CStringGetDatum(text),
											   ObjectIdGetDatum(InvalidOid),
											   Int32GetDatum(-1)));
}

/* And back; 22003 for a fraction, which core would round, as for what has no ID. */
void
flake_from_numeric(const FlakeFormat *format, Numeric number, uint8 *id)
{
	char	   *text = numeric_normalize(number);	/* 5.0 gives 5 */

	if (!flake_read_number(&flake_decimal, text, strlen(text), id, format->bytes))
	{
		uint8		last[FLAKE_MAX_BYTES];
		char		greatest[FLAKE_MAX_DIGITS + 1];

		memset(last, 0xff, format->bytes);
		flake_write_number(&flake_decimal, last, format->bytes, greatest);
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("number out of range for type %s: %s", format->name, text),
				 errdetail("It must be a whole number from 0 to %s.", greatest)));
	}
}

/* ---------- parts ---------- */

/* Check a part given by the user, 0 .. max; 22003 otherwise. */
int64
flake_part(const FlakeFormat *format, const char *part, int64 value, int64 max)
{
	if (value < 0 || value > max)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("%s out of range for type %s: " INT64_FORMAT, part, format->name, value),
				 errdetail("It must be 0 to " INT64_FORMAT ".", max)));
	return value;
}

/* ---------- sorting ---------- */

typedef struct FlakeSort
{
	int64		count;			/* values abbreviated */
	uint8		first[FLAKE_MAX_BYTES]; /* of them, where keys are made by it */
	bool		estimating;		/* still counting distinct keys? */
	hyperLogLogState distinct;
} FlakeSort;

/*
 * Give abbreviation up when the leading bytes tell too few IDs apart: a table of
 * IDs made in few units of time has its differences in the last bytes.  Once
 * 100,000 keys differ it has paid for itself and is no longer doubted.
 */
static bool
sort_abort(int memtupcount, SortSupport ssup)
{
	FlakeSort  *state = ssup->ssup_extra;
	double		distinct;

	if (memtupcount < 10000 || state->count < 10000 || !state->estimating)
		return false;
	distinct = estimateHyperLogLog(&state->distinct);
	if (distinct > 100000.0)
	{
		state->estimating = false;
		return false;
	}
	/* as for uuid: worth it while one key in 2000 differs, so cheap are the ties */
	return distinct < state->count / 2000.0 + 0.5;
}

/* The ID that this sort has abbreviated first, which may be this one. */
const uint8 *
flake_sort_first(SortSupport ssup, const uint8 *id, int bytes)
{
	FlakeSort  *state = ssup->ssup_extra;

	if (state->count == 0)
		memcpy(state->first, id, bytes);
	return state->first;
}

/* Called by the type's abbreviate function with each key it makes: the key as a Datum, which may be shorter. */
Datum
flake_sort_key(SortSupport ssup, uint64 key)
{
	FlakeSort  *state = ssup->ssup_extra;

	key >>= 8 * (sizeof(uint64) - sizeof(Datum));
	state->count++;
	if (state->estimating)
		addHyperLogLog(&state->distinct, DatumGetUInt32(hash_uint32((uint32) (key ^ key >> 32))));
	return (Datum) key;
}

void
flake_sort_support(SortSupport ssup, int (*compare) (Datum, Datum, SortSupport),
				   Datum (*abbreviate) (Datum, SortSupport))
{
	ssup->comparator = compare;
	if (ssup->abbreviate)
	{
		MemoryContext context = MemoryContextSwitchTo(ssup->ssup_cxt);
		FlakeSort  *state = palloc(sizeof(FlakeSort));

		state->count = 0;
		state->estimating = true;
		initHyperLogLog(&state->distinct, 10);
		ssup->ssup_extra = state;
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbreviate;
		ssup->abbrev_abort = sort_abort;
		ssup->abbrev_full_comparator = compare;
		MemoryContextSwitchTo(context);
	}
}

/* ---------- indexes ---------- */

/*
 * The next ID of all (by = 1) or the one before (-1) in place; false, and the ID
 * is left alone, at the end.
 */
bool
flake_neighbour(uint8 *id, int bytes, int by)
{
	const uint8 end = by > 0 ? 0xff : 0x00;
	int			i = bytes;

	while (i > 0 && id[i - 1] == end)
		i--;
	if (i == 0)
		return false;
	id[i - 1] += by;
	memset(id + i, (uint8) ~end, bytes - i);
	return true;
}
