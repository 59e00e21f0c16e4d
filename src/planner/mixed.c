/*
 * mixed.c
 *		Statistics of a column that holds two kinds of IDs: how many of each are below a
 *		point.
 *
 * A column of uuid may contain UUIDs of version 7 as well as others, which are spread over
 * the whole order and tell no time.  Only the first kind can satisfy a condition on time,
 * but an index reads both.  So both are counted, each by those values of the statistics
 * that are of its kind.
 *
 * A bin of the histogram between a value of one kind and one of the other has rows of
 * both.  The estimate of the newest rows depends on where version 7 ends in it, so that is
 * looked up in the index; rows are assumed to be as dense there as in the neighbouring
 * bin.
 */
#include "planner/planner.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "utils/syscache.h"

/* The search of the index begins so many bins before the statistics' first value of a kind. */
#define BINS_BEFORE		8

/* The least and the greatest ID that belongs, according to the index. */
typedef struct Ends
{
	bool		found;
	uint8		id[2][FLAKE_MAX_BYTES];
} Ends;

/*
 * Look up the ends in the index.  IDs of the other kind may surround them, so begin some
 * bins before the first value, and at tomorrow.  This takes as long as all the rest of
 * planning a simple query, so the session remembers the answer until the index's number of
 * pages changes.
 */
static const Ends *
ends_of(const FlakeMixed *mixed, const IndexOptInfo *info, const uint8 **ids)
{
	static struct
	{
		Oid			index;
		BlockNumber pages;
		Ends		ends;
	}			remembered[64];
	int			place = info->indexoid % lengthof(remembered);
	const FlakeFormat *format = mixed->column->format;
	Ends	   *ends = &remembered[place].ends;
	int64		first = flake_id_us(format, ids[0]);
	int64		bin = flake_id_us(format, ids[1]) - first;
	uint8		from[FLAKE_MAX_BYTES];
	bool		found;

	if (remembered[place].index == info->indexoid && remembered[place].pages == info->pages)
		return ends;
	remembered[place].index = InvalidOid;
	flake_least(format, Max(first - BINS_BEFORE * bin, 0), from);
	found = flake_column_first(mixed->column, info, false, from, mixed->belongs, ends->id[0]);
	flake_greatest(format, flake_us_saturated(GetCurrentTimestamp() + USECS_PER_DAY), from);
	ends->found = found &&
		flake_column_first(mixed->column, info, true, from, mixed->belongs, ends->id[1]);
	remembered[place].index = info->indexoid;
	remembered[place].pages = info->pages;
	return ends;
}

/* Return how many times the rows that ANALYZE saw were added since, as an index's number of pages tells. */
static double
growth(const IndexOptInfo *info)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(info->indexoid));
	double		then = 0.0;

	if (HeapTupleIsValid(tuple))
	{
		then = ((Form_pg_class) GETSTRUCT(tuple))->relpages;
		ReleaseSysCache(tuple);
	}
	return then > 0.0 && info->pages > then * 1.01 ? info->pages / then - 1.0 : 0.0;
}

/*
 * Return how many bins' worth of rows are between the first or last value that belongs and
 * the end found in the index, if they are as dense as in the neighbouring bin: at most the bin
 * between the value and the other kind beyond it.  Store how many more were added after the
 * last one: at most as many as were added at all.
 */
static double
bins_outside(const FlakeMixed *mixed, bool upper, const uint8 *end, double added, double *newer)
{
	const FlakeFormat *format = mixed->column->format;
	const AttStatsSlot *histogram = &mixed->column->histogram;
	const uint8 *inner = mixed->ids[upper ? mixed->count : 1];
	const uint8 *next = mixed->ids[upper ? mixed->count - 1 : 2];
	double		bin = upper ? flake_way(format, next, inner) : flake_way(format, inner, next);
	double		most = inner == flake_datum_bytes(format, &histogram->values[upper ? histogram->nvalues - 1 : 0]) ? 0.0 : 1.0;
	double		bins;

	*newer = 0.0;
	if (end == NULL || bin <= 0.0)
		return most / 2.0;
	bins = Max((upper ? flake_way(format, inner, end) : flake_way(format, end, inner)) / bin, 0.0);
	*newer = Max(Min(bins - most, added * histogram->nvalues), 0.0);
	return Min(bins, most) + *newer;
}

/* Select the histogram's values of one kind, with a place before them and after them. */
static void
select_values(FlakeMixed *mixed)
{
	const AttStatsSlot *histogram = &mixed->column->histogram;

	mixed->ids = palloc((histogram->nvalues + 2) * sizeof(uint8 *));
	mixed->upto = palloc0((histogram->nvalues + 2) * sizeof(double));
	mixed->count = 0;
	for (int i = 0; i < histogram->nvalues; i++)
	{
		const uint8 *id = flake_datum_bytes(mixed->column->format, &histogram->values[i]);

		if (mixed->belongs(id))
			mixed->ids[++mixed->count] = id;
	}
}

/*
 * Split the statistics of an open column by kind: the points of the IDs that belong, from the
 * first in the table to the last, and the number of the others.  Return false if there is only
 * one kind, or too few values that belong to say anything.
 */
bool
flake_mixed_open(FlakeMixed *mixed, const FlakeColumn *column, FlakeBelongs belongs)
{
	IndexOptInfo *info;
	const Ends *ends;
	const uint8 *end[2];
	double		outside[2];
	double		newer;
	double		bin;

	mixed->column = column;
	mixed->belongs = belongs;
	if (column->histogram.nvalues < 3 || flake_column_is_pure(column, belongs))
		return false;
	select_values(mixed);
	if (mixed->count < 3)
		return false;
	info = column->type == UUIDOID ? flake_column_index(column) : NULL;
	ends = info != NULL ? ends_of(mixed, info, mixed->ids + 1) : NULL;
	for (int upper = 0; upper < 2; upper++)
	{
		end[upper] = ends != NULL && ends->found ? ends->id[upper] : NULL;
		outside[upper] = bins_outside(mixed, upper, end[upper], upper && end[upper] != NULL ? growth(info) : 0.0, &newer);
	}
	mixed->ids[0] = end[0] != NULL ? end[0] : mixed->ids[1];
	mixed->ids[mixed->count + 1] = end[1] != NULL ? end[1] : mixed->ids[mixed->count];
	bin = Max(column->nonnull - column->common, 0.0) / (column->histogram.nvalues - 1 + newer);
	for (int i = 1; i <= mixed->count; i++)
		mixed->upto[i] = (outside[0] + i - 1) * bin;
	mixed->upto[mixed->count + 1] = mixed->upto[mixed->count] + outside[1] * bin;
	mixed->others = Max((column->histogram.nvalues - 1 + newer) * bin - mixed->upto[mixed->count + 1], 0.0);
	return true;
}

/* Return the fraction of all rows that are below the cut, of the IDs that belong in the histogram. */
static double
belonging_below(const FlakeMixed *mixed, const FlakeCut *cut)
{
	const FlakeFormat *format = mixed->column->format;
	int			last = mixed->count + 1;
	int			next = 0;
	double		way;

	/* the first point that is not below the cut */
	while (next <= last && flake_is_below(format, mixed->ids[next], cut))
		next++;
	if (next == 0 || next > last)
		return next == 0 ? 0.0 : mixed->upto[last];
	way = flake_way(format, mixed->ids[next - 1], mixed->ids[next]);
	return mixed->upto[next - 1] + (mixed->upto[next] - mixed->upto[next - 1]) *
		(way > 0.0 ? flake_way(format, mixed->ids[next - 1], cut->id) / way : 0.5);
}

/* The same of the others, which are spread evenly over their values. */
static double
others_below(const FlakeMixed *mixed, const FlakeCut *cut)
{
	const AttStatsSlot *histogram = &mixed->column->histogram;
	int			others = histogram->nvalues - mixed->count;
	int			below = 0;

	for (int i = 0; i < histogram->nvalues; i++)
	{
		const uint8 *id = flake_datum_bytes(mixed->column->format, &histogram->values[i]);

		below += flake_is_below(mixed->column->format, id, cut) && !mixed->belongs(id);
	}
	return others > 0 ? mixed->others * below / others : 0.0;
}

/* Return the fraction of all rows that are of one kind and below the cut; NULL: all of the kind. */
double
flake_mixed_below(const FlakeMixed *mixed, bool belonging, const FlakeCut *cut)
{
	const FlakeFormat *format = mixed->column->format;
	const AttStatsSlot *mcv = &mixed->column->mcv;
	double		below = cut == NULL ? (belonging ? mixed->upto[mixed->count + 1] : mixed->others) :
		belonging ? belonging_below(mixed, cut) : others_below(mixed, cut);

	for (int i = 0; i < mcv->nvalues; i++)
	{
		const uint8 *id = flake_datum_bytes(format, &mcv->values[i]);

		if (mixed->belongs(id) == belonging && (cut == NULL || flake_is_below(format, id, cut)))
			below += mcv->numbers[i];
	}
	return below;
}
