/*
 * type.h
 *		The functions that every ID type has, as a template.
 *
 * Include it once in a type's file, with
 *
 *		FT_NAME			the SQL type's name, such as sno
 *		FT_FORMAT		its descriptor, such as flake_sno
 *		FT_BYTES		its width; 8 makes it a type passed by value
 *		FT_READ			optional: what _in calls, for a type that reads more than
 *						flake_in() does: bool (const char *text, uint8 *id,
 *						struct Node *escontext)
 *		FT_ABBREVIATE	optional: the first eight bytes to sort by, if not the ID's
 *						own: uint64 (const uint8 *id, const uint8 *first), where
 *						"first" is one ID of the sort, always the same
 *		FT_UUID			defined: its text, of 16 characters, is cast to uuid and back
 *		FT_NUMERIC		defined: it is cast to numeric and back
 *		FT_HORIZON		defined: it has a horizon
 *		FT_OWN_TIME		defined: the type brings _timestamp, _min and _max itself,
 *						because it has overloads of them
 *		FT_PARTS		for FT_PART(): the struct of the ID's parts
 *		FT_UNPACK		for FT_PART(): void (const uint8 *id, FT_PARTS *parts)
 *		FT_NO_TIME_ORDER	defined: the order of IDs is not that of their instants,
 *						so IDs are not compared with instants
 *
 * type.sql and time.sql declare the functions; the built flakeid--VERSION.sql has their full
 * names and is the place to grep.  Nothing is decided here: each function unpacks its arguments,
 * calls an ordinary function and packs the result.
 */
#include "types/types.h"

#include "common/hashfn.h"
#include "libpq/pqformat.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

/* the indirections make the preprocessor expand FT_NAME before it pastes */
#define FT_FN(what)			FT_FN_EXPAND(FT_NAME, what)
#define FT_FN_EXPAND(name, what)	FT_FN_PASTE(name, what)
#define FT_FN_PASTE(name, what)		name##_##what
/* and for a name that ends in FT_NAME */
#define FT_OF(what)			FT_FN_EXPAND(what, FT_NAME)

#if FT_BYTES == 8
#define FT_ARG(id, n)		FLAKE_ARG_VALUE(id, n)
#define FT_RESULT(id)		FLAKE_RESULT_VALUE(id)
#define FT_RETURN(id)		FLAKE_RETURN_VALUE(id)
#else
#define FT_ARG(id, n)		FLAKE_ARG_REF(id, n)
#define FT_RESULT(id)		FLAKE_RESULT_REF(id, FT_BYTES)
#define FT_RETURN(id)		FLAKE_RETURN_REF(id)
#endif

#ifndef FT_READ
#define FT_READ(text, id, escontext)	flake_in(&FT_FORMAT, text, id, escontext)
#endif

StaticAssertDecl(FT_BYTES <= FLAKE_MAX_BYTES, "FLAKE_MAX_BYTES is too small");

PG_FUNCTION_INFO_V1(FT_FN(in));
Datum
FT_FN(in) (PG_FUNCTION_ARGS)
{
	FT_RESULT(id);

	if (!FT_READ(PG_GETARG_CSTRING(0), id, fcinfo->context))
		PG_RETURN_NULL();
	FT_RETURN(id);
}

PG_FUNCTION_INFO_V1(FT_FN(out));
Datum
FT_FN(out) (PG_FUNCTION_ARGS)
{
	FT_ARG(id, 0);
	char	   *text = palloc(FT_FORMAT.text_length + 1);

	FT_FORMAT.encode(id, text);
	PG_RETURN_CSTRING(text);
}

/* A function whose result is an ID: "fill" writes its bytes. */
#define FT_MAKER(function, fill) \
	PG_FUNCTION_INFO_V1(function); \
	Datum \
	function(PG_FUNCTION_ARGS) \
	{ \
		FT_RESULT(id); \
		(void) fcinfo;			/* not all have arguments */ \
		fill; \
		FT_RETURN(id); \
	}

/* A function of an ID, its nth argument. */
#define FT_READER(function, nth_id, PG_RETURN, value) \
	PG_FUNCTION_INFO_V1(function); \
	Datum \
	function(PG_FUNCTION_ARGS) \
	{ \
		FT_ARG(id, nth_id); \
		PG_RETURN(value); \
	}

/* A function that returns a value of an ID's parts, as <name>_<what>. */
#define FT_PART(what, PG_RETURN, value) \
	PG_FUNCTION_INFO_V1(FT_FN(what)); \
	Datum \
	FT_FN(what) (PG_FUNCTION_ARGS) \
	{ \
		FT_PARTS	parts; \
		FT_ARG(id, 0); \
		FT_UNPACK(id, &parts); \
		PG_RETURN(value); \
	}

/* A function of two IDs. */
#define FT_OPERATOR(name, PG_RETURN, value) \
	PG_FUNCTION_INFO_V1(FT_FN(name)); \
	Datum \
	FT_FN(name) (PG_FUNCTION_ARGS) \
	{ \
		FT_ARG(a, 0); \
		FT_ARG(b, 1); \
		PG_RETURN(value); \
	}

FT_MAKER(FT_FN(recv), flake_recv(&FT_FORMAT, (StringInfo) PG_GETARG_POINTER(0), id))
FT_READER(FT_FN(send), 0, PG_RETURN_BYTEA_P, flake_to_bytea(&FT_FORMAT, id))
FT_READER(FT_FN(to_bytea), 0, PG_RETURN_BYTEA_P, flake_to_bytea(&FT_FORMAT, id))
FT_MAKER(FT_FN(from_bytea), flake_from_bytea(&FT_FORMAT, PG_GETARG_BYTEA_PP(0), id))

FT_OPERATOR(lt, PG_RETURN_BOOL, flake_compare(a, b, FT_BYTES) < 0)
FT_OPERATOR(le, PG_RETURN_BOOL, flake_compare(a, b, FT_BYTES) <= 0)
FT_OPERATOR(eq, PG_RETURN_BOOL, memcmp(a, b, FT_BYTES) == 0)
FT_OPERATOR(ne, PG_RETURN_BOOL, memcmp(a, b, FT_BYTES) != 0)
FT_OPERATOR(ge, PG_RETURN_BOOL, flake_compare(a, b, FT_BYTES) >= 0)
FT_OPERATOR(gt, PG_RETURN_BOOL, flake_compare(a, b, FT_BYTES) > 0)
FT_OPERATOR(cmp, PG_RETURN_INT32, flake_compare(a, b, FT_BYTES))
FT_OPERATOR(smaller, PG_RETURN_DATUM, PG_GETARG_DATUM(flake_compare(a, b, FT_BYTES) <= 0 ? 0 : 1))
FT_OPERATOR(larger, PG_RETURN_DATUM, PG_GETARG_DATUM(flake_compare(a, b, FT_BYTES) >= 0 ? 0 : 1))
FT_OPERATOR(brin_distance, PG_RETURN_FLOAT8, flake_distance(a, b, FT_BYTES))

/* Both hash the big-endian bytes, and may never change, because tables are partitioned by them. */
FT_READER(FT_FN(hash), 0, PG_RETURN_DATUM, hash_any(id, FT_BYTES))
FT_READER(FT_FN(hash_extended), 0, PG_RETURN_DATUM, hash_any_extended(id, FT_BYTES, PG_GETARG_INT64(1)))

static int
FT_FN(compare_datum) (Datum x, Datum y, SortSupport ssup pg_attribute_unused())
{
#if FT_BYTES == 8
	int64		a = DatumGetInt64(x);
	int64		b = DatumGetInt64(y);

	return flake_compare((uint8 *) &a, (uint8 *) &b, FT_BYTES);
#else
	return flake_compare((uint8 *) DatumGetPointer(x), (uint8 *) DatumGetPointer(y), FT_BYTES);
#endif
}

/* Return the leading bytes as a number, which sorts as the IDs do; compare_datum decides ties. */
static Datum
FT_FN(abbreviate_datum) (Datum original, SortSupport ssup)
{
#if FT_BYTES == 8
	int64		value = DatumGetInt64(original);
	const uint8 *id = (uint8 *) &value;
#else
	const uint8 *id = (uint8 *) DatumGetPointer(original);
#endif

#ifdef FT_ABBREVIATE
	return flake_sort_key(ssup, FT_ABBREVIATE(id, flake_sort_first(ssup, id, FT_BYTES)));
#else
	return flake_sort_key(ssup, flake_load(id, 8));
#endif
}

PG_FUNCTION_INFO_V1(FT_FN(sortsupport));
Datum
FT_FN(sortsupport) (PG_FUNCTION_ARGS)
{
	flake_sort_support((SortSupport) PG_GETARG_POINTER(0),
					   FT_FN(compare_datum), FT_FN(abbreviate_datum));
	PG_RETURN_VOID();
}

/* The ID before or after a given one, for skip scans of an index. */
static Datum
FT_FN(neighbour) (Datum existing, bool *overflow, int by)
{
#if FT_BYTES == 8
	int64		id = DatumGetInt64(existing);

	*overflow = !flake_neighbour((uint8 *) &id, FT_BYTES, by);
	return Int64GetDatum(id);
#else
	uint8		id[FT_BYTES];

	memcpy(id, DatumGetPointer(existing), FT_BYTES);
	*overflow = !flake_neighbour(id, FT_BYTES, by);
	return *overflow ? (Datum) 0 : datumCopy(PointerGetDatum(id), false, FT_BYTES);
#endif
}

static Datum
FT_FN(increment) (Relation rel pg_attribute_unused(), Datum existing, bool *overflow)
{
	return FT_FN(neighbour) (existing, overflow, 1);
}

static Datum
FT_FN(decrement) (Relation rel pg_attribute_unused(), Datum existing, bool *overflow)
{
	return FT_FN(neighbour) (existing, overflow, -1);
}

PG_FUNCTION_INFO_V1(FT_FN(skipsupport));
Datum
FT_FN(skipsupport) (PG_FUNCTION_ARGS)
{
	SkipSupport support = (SkipSupport) PG_GETARG_POINTER(0);
#if FT_BYTES == 8
	support->low_elem = Int64GetDatum(0);
	support->high_elem = Int64GetDatum(-1);
#else
	support->low_elem = PointerGetDatum(memset(palloc(FT_BYTES), 0x00, FT_BYTES));
	support->high_elem = PointerGetDatum(memset(palloc(FT_BYTES), 0xff, FT_BYTES));
#endif
	support->increment = FT_FN(increment);
	support->decrement = FT_FN(decrement);
	PG_RETURN_VOID();
}

#ifdef FT_UUID

/* The 16 characters of the text as the 16 bytes of a uuid, which sorts the same. */
PG_FUNCTION_INFO_V1(FT_FN(to_uuid));
Datum
FT_FN(to_uuid) (PG_FUNCTION_ARGS)
{
	FT_ARG(id, 0);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	flake_to_uuid(&FT_FORMAT, id, uuid->data);
	PG_RETURN_UUID_P(uuid);
}

FT_MAKER(FT_FN(from_uuid), flake_from_uuid(&FT_FORMAT, PG_GETARG_UUID_P(0)->data, id))

#endif							/* FT_UUID */

#ifdef FT_NUMERIC

StaticAssertDecl(FT_BYTES <= FLAKE_MAX_NUMBER, "FLAKE_MAX_NUMBER is too small");

/* The bytes as one unsigned number. */
FT_READER(FT_FN(to_numeric), 0, PG_RETURN_NUMERIC, flake_to_numeric(&FT_FORMAT, id))
FT_MAKER(FT_FN(from_numeric), flake_from_numeric(&FT_FORMAT, PG_GETARG_NUMERIC(0), id))

#endif							/* FT_NUMERIC */

#ifdef FT_HORIZON

/* The least ID that may still become visible; see answer.c. */
FT_MAKER(FT_FN(horizon), flake_horizon(&FT_FORMAT, id))

#endif							/* FT_HORIZON */

#ifndef FT_OWN_TIME

/* The ID's instant: the first whole microsecond of its tick. */
FT_READER(FT_FN(timestamp), 0, PG_RETURN_TIMESTAMPTZ, flake_instant(&FT_FORMAT, id))

/*
 * The least ID at or after an instant, and the greatest at or before it; outside the span,
 * the type's.
 */
FT_MAKER(FT_FN(min), flake_min(&FT_FORMAT, flake_us_saturated(PG_GETARG_TIMESTAMPTZ(0)), id))
FT_MAKER(FT_FN(max), flake_greatest(&FT_FORMAT, flake_us_saturated(PG_GETARG_TIMESTAMPTZ(0)), id))

#endif							/* !FT_OWN_TIME */

#ifndef FT_NO_TIME_ORDER

/*
 * Compare IDs with instants, by the ID's instant.  The operator families have lt and ge
 * with the ID on the left, gt and le with the ID on the right; the planner rewrites the
 * other four into these: see bound.c.
 */
#define FT_INSTANT_OPERATOR(function, nth_id, nth_instant, op) \
	FT_READER(function, nth_id, PG_RETURN_BOOL, flake_instant(&FT_FORMAT, id) op PG_GETARG_TIMESTAMPTZ(nth_instant))

FT_INSTANT_OPERATOR(FT_FN(lt_timestamptz), 0, 1, <)
FT_INSTANT_OPERATOR(FT_FN(le_timestamptz), 0, 1, <=)
FT_INSTANT_OPERATOR(FT_FN(ge_timestamptz), 0, 1, >=)
FT_INSTANT_OPERATOR(FT_FN(gt_timestamptz), 0, 1, >)
FT_INSTANT_OPERATOR(FT_OF(timestamptz_lt), 1, 0, >)
FT_INSTANT_OPERATOR(FT_OF(timestamptz_le), 1, 0, >=)
FT_INSTANT_OPERATOR(FT_OF(timestamptz_ge), 1, 0, <=)
FT_INSTANT_OPERATOR(FT_OF(timestamptz_gt), 1, 0, <)

FT_READER(FT_FN(cmp_timestamptz), 0, PG_RETURN_INT32,
		  flake_compare_instant(&FT_FORMAT, id, PG_GETARG_TIMESTAMPTZ(1)))
FT_READER(FT_OF(timestamptz_cmp), 1, PG_RETURN_INT32,
		  -flake_compare_instant(&FT_FORMAT, id, PG_GETARG_TIMESTAMPTZ(0)))

/* For row comparisons such as (id, n) < (t, 5), from which an index may get just "id |<= t". */
FT_READER(FT_FN(cmp_le_timestamptz), 0, PG_RETURN_BOOL,
		  flake_compare_instant(&FT_FORMAT, id, PG_GETARG_TIMESTAMPTZ(1)) <= 0)

FT_READER(FT_FN(contained_by_tstzrange), 0, PG_RETURN_BOOL, flake_within(&FT_FORMAT, id, PG_GETARG_DATUM(1)))
FT_READER(FT_OF(tstzrange_contains), 1, PG_RETURN_BOOL, flake_within(&FT_FORMAT, id, PG_GETARG_DATUM(0)))

PG_FUNCTION_INFO_V1(FT_FN(in_range));
Datum
FT_FN(in_range) (PG_FUNCTION_ARGS)
{
	FT_ARG(id, 0);
	FT_ARG(base, 1);

	return flake_in_range(&FT_FORMAT, id, base, PG_GETARG_DATUM(2),
						  PG_GETARG_BOOL(3), PG_GETARG_BOOL(4));
}

#endif							/* !FT_NO_TIME_ORDER */
