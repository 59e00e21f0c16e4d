/*
 * gist.c
 *		GiST indexes on IDs, alone or together with ranges: one implementation for all
 *		types.
 *
 * A key is a range of IDs, stored as a bytea: the least ID and then the greatest, which in a
 * leaf are the same.  A key's length tells the width of its type, so only the functions that see
 * an ID itself (compress, fetch and consistent) exist once a type, in type.h.  The strategy
 * numbers are core's RT..., as gist_translate_cmptype_common() of PostgreSQL 18 has them.
 */
#include "types/types.h"

#include <float.h>

#include "access/gist.h"
#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"

typedef struct Key
{
	const uint8 *least;
	const uint8 *greatest;
	int			bytes;			/* of one ID */
} Key;

static Key
key_of(Datum datum)
{
	/* an index tuple stores so short a value with a header of one byte */
	const bytea *stored = PG_DETOAST_DATUM_PACKED(datum);
	Key			key;

	key.bytes = VARSIZE_ANY_EXHDR(stored) / 2;
	key.least = (const uint8 *) VARDATA_ANY(stored);
	key.greatest = key.least + key.bytes;
	return key;
}

static Datum
store_key(Key key)
{
	bytea	   *stored = palloc(VARHDRSZ + 2 * key.bytes);

	SET_VARSIZE(stored, VARHDRSZ + 2 * key.bytes);
	memcpy(VARDATA(stored), key.least, key.bytes);
	memcpy(VARDATA(stored) + key.bytes, key.greatest, key.bytes);
	return PointerGetDatum(stored);
}

/* Extend the key's range to contain another key's. */
static void
extend(Key *key, Key by)
{
	if (flake_compare(by.least, key->least, key->bytes) < 0)
		key->least = by.least;
	if (flake_compare(by.greatest, key->greatest, key->bytes) > 0)
		key->greatest = by.greatest;
}

/* ---------- with the type: see type.h ---------- */

/* Make a leaf's key of an ID. */
Datum
flake_gist_compress(const FlakeFormat *format, Datum datum)
{
	GISTENTRY  *entry = (GISTENTRY *) DatumGetPointer(datum);
	GISTENTRY  *result;
	Key			key;

	if (!entry->leafkey)
		return datum;
	key.least = key.greatest = flake_datum_bytes(format, &entry->key);
	key.bytes = format->bytes;
	result = palloc(sizeof(GISTENTRY));
	gistentryinit(*result, store_key(key), entry->rel, entry->page, entry->offset, false);
	return PointerGetDatum(result);
}

/* Make an ID of a leaf's key, for index-only scans. */
Datum
flake_gist_fetch(const FlakeFormat *format, Datum datum)
{
	GISTENTRY  *entry = (GISTENTRY *) DatumGetPointer(datum);
	GISTENTRY  *result = palloc(sizeof(GISTENTRY));
	Key			key = key_of(entry->key);
	Datum		id;

	if (format->bytes == 8 && FLOAT8PASSBYVAL)
	{
		int64		value;

		memcpy(&value, key.least, sizeof(value));
		id = Int64GetDatum(value);
	}
	else
		id = PointerGetDatum(memcpy(palloc(format->bytes), key.least, format->bytes));
	gistentryinit(*result, id, entry->rel, entry->page, entry->offset, false);
	return PointerGetDatum(result);
}

/*
 * Can an ID below the entry satisfy "id operator query"?  The query is an ID or, if the
 * subtype is timestamptz, an instant, which precedes every ID of its time or later.
 */
bool
flake_gist_consistent(const FlakeFormat *format, Datum datum, Datum query,
					  int strategy, Oid subtype, bool *recheck)
{
	GISTENTRY  *entry = (GISTENTRY *) DatumGetPointer(datum);
	Key			key = key_of(entry->key);
	int			least;
	int			greatest;

	*recheck = false;
	if (subtype == TIMESTAMPTZOID)
	{
		TimestampTz t = DatumGetTimestampTz(query);

		/* the family has < and >= only */
		least = flake_instant(format, key.least) < t ? -1 : 1;
		greatest = flake_instant(format, key.greatest) < t ? -1 : 1;
	}
	else
	{
		const uint8 *id = flake_datum_bytes(format, &query);

		least = flake_compare(key.least, id, format->bytes);
		greatest = flake_compare(key.greatest, id, format->bytes);
	}
	switch (strategy)
	{
		case RTLessStrategyNumber:
			return least < 0;
		case RTLessEqualStrategyNumber:
			return least <= 0;
		case RTEqualStrategyNumber:
			return least <= 0 && greatest >= 0;
		case RTGreaterEqualStrategyNumber:
			return greatest >= 0;
		case RTGreaterStrategyNumber:
			return greatest > 0;
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
}

/* ---------- for all types ---------- */

PG_FUNCTION_INFO_V1(flakeid_gist_union);
Datum
flakeid_gist_union(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	int		   *size = (int *) PG_GETARG_POINTER(1);
	Key			key = key_of(entries->vector[0].key);

	for (int i = 1; i < entries->n; i++)
		extend(&key, key_of(entries->vector[i].key));
	*size = VARHDRSZ + 2 * key.bytes;
	PG_RETURN_DATUM(store_key(key));
}

PG_FUNCTION_INFO_V1(flakeid_gist_same);
Datum
flakeid_gist_same(PG_FUNCTION_ARGS)
{
	Key			a = key_of(PG_GETARG_DATUM(0));
	Key			b = key_of(PG_GETARG_DATUM(1));
	bool	   *same = (bool *) PG_GETARG_POINTER(2);

	*same = memcmp(a.least, b.least, 2 * a.bytes) == 0;
	PG_RETURN_POINTER(same);
}

/*
 * Return how much of a key's range would be new if another key were added to it, as
 * a fraction of the range that results.  Only a range that would not grow gives 0.
 */
PG_FUNCTION_INFO_V1(flakeid_gist_penalty);
Datum
flakeid_gist_penalty(PG_FUNCTION_ARGS)
{
	Key			key = key_of(((GISTENTRY *) PG_GETARG_POINTER(0))->key);
	Key			added = key_of(((GISTENTRY *) PG_GETARG_POINTER(1))->key);
	float	   *penalty = (float *) PG_GETARG_POINTER(2);
	double		before = flake_distance(key.least, key.greatest, key.bytes);
	double		after;

	extend(&key, added);
	after = flake_distance(key.least, key.greatest, key.bytes);
	*penalty = after > before ? (float) (FLT_MIN + (after - before) / after) : 0.0f;
	PG_RETURN_POINTER(penalty);
}

static int
compare_keys(Key a, Key b)
{
	int			order = flake_compare(a.least, b.least, a.bytes);

	return order != 0 ? order : flake_compare(a.greatest, b.greatest, a.bytes);
}

typedef struct SplitItem
{
	Key			key;
	OffsetNumber offset;
} SplitItem;

static int
compare_split_items(const void *a, const void *b)
{
	return compare_keys(((const SplitItem *) a)->key, ((const SplitItem *) b)->key);
}

/* Put the lower half of the keys on the left page and the upper half on the right one. */
PG_FUNCTION_INFO_V1(flakeid_gist_picksplit);
Datum
flakeid_gist_picksplit(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	GIST_SPLITVEC *split = (GIST_SPLITVEC *) PG_GETARG_POINTER(1);
	int			count = entries->n - FirstOffsetNumber;
	int			half = count / 2;
	SplitItem  *items = palloc(sizeof(SplitItem) * count);
	Key			left;
	Key			right;

	for (int i = 0; i < count; i++)
	{
		items[i].offset = FirstOffsetNumber + i;
		items[i].key = key_of(entries->vector[items[i].offset].key);
	}
	qsort(items, count, sizeof(SplitItem), compare_split_items);

	split->spl_left = palloc(sizeof(OffsetNumber) * count);
	split->spl_right = palloc(sizeof(OffsetNumber) * count);
	split->spl_nleft = split->spl_nright = 0;
	left = items[0].key;
	right = items[half].key;
	for (int i = 0; i < count; i++)
	{
		extend(i < half ? &left : &right, items[i].key);
		if (i < half)
			split->spl_left[split->spl_nleft++] = items[i].offset;
		else
			split->spl_right[split->spl_nright++] = items[i].offset;
	}
	split->spl_ldatum = store_key(left);
	split->spl_rdatum = store_key(right);
	PG_RETURN_POINTER(split);
}

static int
compare_stored(Datum a, Datum b, SortSupport ssup pg_attribute_unused())
{
	return compare_keys(key_of(a), key_of(b));
}

/* Have CREATE INDEX sort the keys; without abbreviated ones, which would not save time for GiST. */
PG_FUNCTION_INFO_V1(flakeid_gist_sortsupport);
Datum
flakeid_gist_sortsupport(PG_FUNCTION_ARGS)
{
	((SortSupport) PG_GETARG_POINTER(0))->comparator = compare_stored;
	PG_RETURN_VOID();
}
