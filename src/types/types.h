/*
 * types.h
 *		The functions of ID types: bodies for type.h, and what other folders may call.
 */
#ifndef FLAKE_TYPES_H
#define FLAKE_TYPES_H

#include "generate/generate.h"

#include "lib/stringinfo.h"
#include "utils/numeric.h"
#include "utils/sortsupport.h"

#pragma GCC visibility push(hidden)

/* ---------- ksuid.c ---------- */

extern void ksuid_fill(FlakeTicket ticket, uint8 *id);

/* ---------- siq.c ---------- */

extern const struct SiqType *siq_type_named(const text *name);

/* ---------- type.c: bodies of the functions in type.h ---------- */

extern bool flake_in(const FlakeFormat *format, const char *text, uint8 *id, struct Node *escontext);
extern void flake_recv(const FlakeFormat *format, StringInfo buffer, uint8 *id);
extern bytea *flake_to_bytea(const FlakeFormat *format, const uint8 *id);
extern void flake_from_bytea(const FlakeFormat *format, const bytea *bytes, uint8 *id);
extern void flake_to_uuid(const FlakeFormat *format, const uint8 *id, uint8 *uuid);
extern void flake_from_uuid(const FlakeFormat *format, const uint8 *uuid, uint8 *id);
extern Numeric flake_to_numeric(const FlakeFormat *format, const uint8 *id);
extern void flake_from_numeric(const FlakeFormat *format, Numeric number, uint8 *id);
extern void flake_sort_support(SortSupport ssup, int (*compare) (Datum, Datum, SortSupport),
							   Datum (*abbreviate) (Datum, SortSupport));
extern const uint8 *flake_sort_first(SortSupport ssup, const uint8 *id, int bytes);
extern Datum flake_sort_key(SortSupport ssup, uint64 key);
extern void flake_part_out_of_range(const FlakeFormat *format, const char *part, int64 value, int64 max);

/* Return a part that the user gave; raise an error (22003) unless it is 0 to max. */
static inline int64
flake_part(const FlakeFormat *format, const char *part, int64 value, int64 max)
{
	if (unlikely(value < 0 || value > max))
		flake_part_out_of_range(format, part, value, max);
	return value;
}

extern int	flake_compare_instant(const FlakeFormat *format, const uint8 *id, TimestampTz t);
extern Datum flake_in_range(const FlakeFormat *format, const uint8 *id, const uint8 *base,
							Datum offset, bool sub, bool less);
extern bool flake_neighbour(uint8 *id, int bytes, int by);
extern const FlakeNotation *flake_notation_named(const FlakeFormat *format, const text *name);
extern void flake_not_in_notation(const FlakeFormat *format, const FlakeNotation *notation,
								  const char *text, const char *detail);
extern const FlakeFormat *flake_format_named(const text *name);
extern Datum flake_row(FunctionCallInfo fcinfo, Datum *values);

extern Datum flake_make(const FlakeFormat *format, TimestampTz t, const char *what, const bytea *bytes);
extern bytea *flake_bytes_after_time(const FlakeFormat *format, const uint8 *id);

/* ---------- ulid.c ---------- */

extern bool ulid_read_text(const char *text, size_t length, bool upper, uint8 *id);
extern void ulid_from_text(const text *text, bool upper, bool show, uint8 *id);

/* ---------- typeid.c ---------- */

extern bool typeid_is_prefix(const text *prefix);
extern bool typeid_read(const text *id, const text *prefix, uint8 *uuid);

/*
 * An ID as an argument or result of a function: by reference, or (8 bytes) by
 * value, where the Datum's memory holds the big-endian bytes all the same.
 */
#define FLAKE_ARG_REF(id, n) \
	const uint8 *id = (const uint8 *) PG_GETARG_POINTER(n)
#define FLAKE_ARG_VALUE(id, n) \
	int64 id##_value = PG_GETARG_INT64(n); \
	const uint8 *id = (const uint8 *) &id##_value
#define FLAKE_RESULT_REF(id, bytes) \
	uint8 *id = (uint8 *) palloc(bytes)
#define FLAKE_RESULT_VALUE(id) \
	int64 id##_value = 0; \
	uint8 *id = (uint8 *) &id##_value
#define FLAKE_RETURN_REF(id)	PG_RETURN_POINTER(id)
#define FLAKE_RETURN_VALUE(id)	PG_RETURN_INT64(id##_value)

#pragma GCC visibility pop

#endif							/* FLAKE_TYPES_H */
