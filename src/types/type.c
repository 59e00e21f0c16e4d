/*
 * type.c
 *		Bodies of the functions in type.h, for any format.
 */
#include "types/types.h"

#include "access/htup_details.h"
#include "common/hashfn.h"
#include "funcapi.h"
#include "lib/hyperloglog.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

/* ---------- time ---------- */

/*
 * Compare an ID with an instant; return -1, 0 or 1.  An instant is a point between two IDs or,
 * at the start of a tick, the tick's least ID; so a partition bound T_min(t) equals t.  (If it
 * equalled all IDs of its tick, pruning would be wrong where a bound is inside a tick.)
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

/* Is an ID's instant within an offset of another one's, for frames of ORDER BY id RANGE BETWEEN interval ...? */
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
 * Would timestamptz's input take this text?  Only texts without names are tried, because
 * PostgreSQL 15 itself raises an error for the name of a time zone that it does not know.
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
 * Return the text in the case of the format's alphabet if that is the text of an ID, else
 * NULL.  NULL for an alphabet of both cases, where the other case is another ID.
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
 * Read an ID from the format's text, or from bytea's hex form of the type's width, which
 * drivers send.  Report bad text (22P02) to escontext and return false.
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
			 ? errhint("To compare with an instant write timestamptz '%s'; for a parameter, $1::timestamptz.",
					   text)
			 : errhint("To compare with an instant write %s_min(timestamptz '%s'); for a parameter, %s_min($1::timestamptz).",
					   format->name, text, format->name)));
}

/* Read the raw big-endian bytes; raise an error (22P03) unless there are as many as the type has. */
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

/* Return the raw big-endian bytes, for both _send and the cast to bytea. */
bytea *
flake_to_bytea(const FlakeFormat *format, const uint8 *id)
{
	bytea	   *result = palloc(VARHDRSZ + format->bytes);

	SET_VARSIZE(result, VARHDRSZ + format->bytes);
	memcpy(VARDATA(result), id, format->bytes);
	return result;
}

/*
 * Make an ID of an instant and of all bytes after its time, which the message calls
 * "what"; an error (22P03) unless there are as many as the type has.
 */
Datum
flake_make(const FlakeFormat *format, TimestampTz t, const char *what, const bytea *bytes)
{
	int64		us = flake_us_in_span(format, t);
	int			first = format->timestamp_bits / 8;
	int			length = VARSIZE_ANY_EXHDR(bytes);
	uint8	   *id = palloc(format->bytes);

	if (length != format->bytes - first)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid length of %s for type %s", what, format->name),
				 errdetail("A %s has %d bytes after its time, not %d.", format->name, format->bytes - first, length)));
	flake_store(id, first, flake_tick_of(&format->rate, us));
	memcpy(id + first, VARDATA_ANY(bytes), length);
	return PointerGetDatum(id);
}

/* Return the bytes of an ID after its time. */
bytea *
flake_bytes_after_time(const FlakeFormat *format, const uint8 *id)
{
	int			first = format->timestamp_bits / 8;
	bytea	   *result = palloc(VARHDRSZ + format->bytes - first);

	SET_VARSIZE(result, VARHDRSZ + format->bytes - first);
	memcpy(VARDATA(result), id + first, format->bytes - first);
	return result;
}

/* Read the raw bytes of a bytea; raise an error (22P03) unless there are as many as the type has. */
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
 * Write the uuid whose bytes are the characters of the ID's text, for a format whose text
 * has 16 of them.  Such uuids sort as the IDs do.
 */
void
flake_to_uuid(const FlakeFormat *format, const uint8 *id, uint8 *uuid)
{
	char		text[FLAKE_MAX_TEXT + 1];

	Assert(format->text_length == UUID_LEN);
	format->encode(id, text);
	memcpy(uuid, text, UUID_LEN);
}

/* Read such a uuid; raise an error (22P03) for any other. */
void
flake_from_uuid(const FlakeFormat *format, const uint8 *uuid, uint8 *id)
{
	if (!format->decode((const char *) uuid, UUID_LEN, id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("uuid is not a %s: \"%s\"", format->name,
						DatumGetCString(DirectFunctionCall1(uuid_out, PointerGetDatum(uuid)))),
				 errdetail("The bytes of the uuid are not the characters of a text. %s", format->shape)));
}

/* ---------- other notations ---------- */

/* Return the format's notation that the user named; raise an error (22023) if there is none. */
const FlakeNotation *
flake_notation_named(const FlakeFormat *format, const text *name)
{
	const char *string = text_to_cstring(name);
	const FlakeNotation *notation = flake_find_notation(format, string);

	if (notation == NULL)
	{
		StringInfoData names;

		initStringInfo(&names);
		for (notation = format->notations; notation->name != NULL; notation++)
			appendStringInfo(&names, "%s%s",
							 notation == format->notations ? "" : notation[1].name == NULL ? " and " : ", ",
							 notation->name);
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unrecognized notation for type %s: \"%s\"", format->name, string),
				 errhint("The notations are %s.", names.data)));
	}
	return notation;
}

/* Raise the error (22P02) for a text that is no ID in the notation, with the sentence that says why. */
void
flake_not_in_notation(const FlakeFormat *format, const FlakeNotation *notation,
					  const char *text, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type %s in notation %s: \"%s\"", format->name, notation->name, text),
			 errdetail("%s", detail)));
}

/* ---------- numbers ---------- */

/* Return the ID's bytes as one unsigned number. */
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

/*
 * Read the ID that a number is.  Raise an error (22003) for a number that no ID has, and for
 * a fraction, which core's casts to integers would round.
 */
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

/* The error of flake_part(). */
void
flake_part_out_of_range(const FlakeFormat *format, const char *part, int64 value, int64 max)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("%s out of range for type %s: " INT64_FORMAT, part, format->name, value),
			 errdetail("It must be 0 to " INT64_FORMAT ".", max)));
}

/* ---------- sorting ---------- */

typedef struct FlakeSort
{
	int64		count;			/* values abbreviated */
	/* the first of these, if the type's keys depend on it */
	uint8		first[FLAKE_MAX_BYTES];
	bool		estimating;		/* still counting distinct keys? */
	hyperLogLogState distinct;
} FlakeSort;

/*
 * Do the leading bytes tell too few IDs apart?  IDs made within few ticks differ in their last
 * bytes only.  Once 100,000 keys differ, abbreviation has paid for itself.
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

	/* a tie costs little: as for uuid, one in 2000 must differ */
	return distinct < state->count / 2000.0 + 0.5;
}

/* Return the first ID that this sort has abbreviated; in the first call that is the ID given. */
const uint8 *
flake_sort_first(SortSupport ssup, const uint8 *id, int bytes)
{
	FlakeSort  *state = ssup->ssup_extra;

	if (state->count == 0)
		memcpy(state->first, id, bytes);
	return state->first;
}

/*
 * Count a key that the type's abbreviate function has made, and return it as a Datum, which
 * may be shorter than 64 bits.
 */
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
 * Replace an ID by the next one in order (by = 1) or the one before (-1).  At the end of
 * the order return false and leave the ID alone.
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

/* ---------- names and rows ---------- */

/* Return the format of that name, or report an error. */
const FlakeFormat *
flake_format_named(const text *name)
{
	const char *format_name = text_to_cstring(name);

	for (int i = 0; i < FLAKE_FORMATS; i++)
		if (strcmp(flake_formats[i]->name, format_name) == 0)
			return flake_formats[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized type of ID: \"%s\"", format_name),
			 errdetail("The view flakeid_formats lists the types.")));
}

/* Return a row with these values, none of which is NULL, of the type that the function declares. */
Datum
flake_row(FunctionCallInfo fcinfo, Datum *values)
{
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(desc, values, palloc0(desc->natts * sizeof(bool))));
}
