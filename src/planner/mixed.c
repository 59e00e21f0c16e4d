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
#include "catalog/pg_type.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* The search of the index begins so many bins before the statistics' first value of a kind. */
#define BINS_BEFORE		8

/* The least and the greatest ID that belongs, according to the index. */
typedef struct Ends
{
	bool		found;
	uint8		id[2][FLAKE_MAX_BYTES];
} Ends;

/* Select the histogram's values of one kind, in order. */
static FlakePart
select_values(const FlakeMixed *mixed, bool belongs)
{
	const AttStatsSlot *histogram = &mixed->column->histogram;
	FlakePart	part = {0};

	/* two more: an end on either side */
	part.ids = palloc((histogram->nvalues + 2) * sizeof(uint8 *));
	part.upto = palloc0((histogram->nvalues + 2) * sizeof(double));
	for (int i = 0; i < histogram->nvalues; i++)
	{
		const uint8 *id = flake_datum_bytes(mixed->column->format, &histogram->values[i]);

		if (mixed->belongs(id) == belongs)
			part.ids[part.count++] = id;
	}
	return part;
}

/*
 * Look up the ends in the index.  IDs of the other kind may surround them, so begin some
 * bins before the first value, and at tomorrow.  This takes as long as all the rest of
 * planning a simple query, so the session remembers the answer until the index's number of
 * pages changes.
 */
static const Ends *
find_ends(const FlakeMixed *mixed, const IndexOptInfo *info, const FlakePart *part)
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
	int64		first = flake_id_us(format, part->ids[0]);
	int64		bin = flake_id_us(format, part->ids[1]) - first;
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

/* Return the fraction of an index's pages that were added since the last ANALYZE. */
static double
growth(const IndexOptInfo *info)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(info->indexoid));
	double		then;

	if (!HeapTupleIsValid(tuple))
		return 0.0;
	then = ((Form_pg_class) GETSTRUCT(tuple))->relpages;
	ReleaseSysCache(tuple);
	return then > 0.0 && info->pages > then * 1.01 ? 1.0 - then / info->pages : 0.0;
}

/*
 * Return how many bins' worth of rows are between the first or last value of a part and
 * the end found in the index; *newer is the share that was added after ANALYZE.  Without
 * an end it is half of the bin between the value and the other kind beyond it.
 */
static double
bins_outside(const FlakeMixed *mixed, const FlakePart *part, bool upper, const uint8 *end, double added, double *newer)
{
	const FlakeFormat *format = mixed->column->format;
	const AttStatsSlot *histogram = &mixed->column->histogram;
	const uint8 *inner = part->ids[upper ? part->count - 1 : 0];
	const uint8 *next = part->ids[upper ? part->count - 2 : 1];
	bool		outermost = inner == flake_datum_bytes(format, &histogram->values[upper ? histogram->nvalues - 1 : 0]);

	/* of the rows that ANALYZE saw */
	double		most = outermost ? 0.0 : 1.0;
	double		bin = upper ? flake_way(format, next, inner) : flake_way(format, inner, next);
	double		bins;

	*newer = 0.0;
	if (end == NULL || bin <= 0.0)
		return most / 2.0;
	bins = (upper ? flake_way(format, inner, end) : flake_way(format, end, inner)) / bin;
	bins = Max(bins, 0.0);
	if (added > 0.0 && bins > most)
		*newer = Min(bins - most, histogram->nvalues * added / (1.0 - added));
	return Min(bins, most) + *newer;
}

/*
 * Add the two ends to the part of the IDs that belong, and count the rows up to each of
 * its points, in bins of the histogram.  Return how many were added after ANALYZE, also in
 * bins; all of these belong.
 */
static double
count_bins(const FlakeMixed *mixed, FlakePart *part)
{
	IndexOptInfo *info = mixed->column->type == UUIDOID ? flake_column_index(mixed->column) : NULL;
	const Ends *ends = info ? find_ends(mixed, info, part) : NULL;
	int			values = part->count;
	const uint8 *end[2] = {part->ids[0], part->ids[values - 1]};
	double		outside[2];
	double		newer;

	for (int upper = 0; upper < 2; upper++)
	{
		const uint8 *found = ends && ends->found ? ends->id[upper] : NULL;

		outside[upper] = bins_outside(mixed, part, upper, found,
									  found && upper ? growth(info) : 0.0, &newer);
		if (found)
			end[upper] = memcpy(palloc(FLAKE_MAX_BYTES), found, FLAKE_MAX_BYTES);
	}
	memmove(part->ids + 1, part->ids, values * sizeof(uint8 *));
	part->ids[0] = end[0];
	part->ids[values + 1] = end[1];
	part->count += 2;
	for (int i = 1; i <= values; i++)
		part->upto[i] = outside[0] + i - 1;
	part->upto[values + 1] = part->upto[values] + outside[1];
	return newer;
}

/*
 * Split the statistics of an open column by kind.  Return false if there is only one kind,
 * or too few values that belong to say anything.
 */
bool
flake_mixed_open(FlakeMixed *mixed, const FlakeColumn *column, FlakeBelongs belongs)
{
	FlakePart  *in = &mixed->parts[0];
	FlakePart  *out = &mixed->parts[1];
	int			bins = column->histogram.nvalues - 1;
	double		rows = Max(column->nonnull - column->common, 0.0);
	double		total;
	double		others;

	mixed->column = column;
	mixed->belongs = belongs;
	if (bins < 2 || flake_column_is_pure(column, belongs))
		return false;
	*in = select_values(mixed, true);
	*out = select_values(mixed, false);
	if (in->count < 3)
		return false;
	total = bins + count_bins(mixed, in);
	others = Max(total - in->upto[in->count - 1], 0.0);
	for (int i = 0; i < in->count; i++)
		in->upto[i] *= rows / total;
	for (int i = 0; i < out->count; i++)
		out->upto[i] = others * rows / total * (out->count > 1 ? (double) i / (out->count - 1) : 1.0);
	return true;
}

/* Return the fraction of all rows that are of one kind and below the cut. */
double
flake_mixed_below(const FlakeMixed *mixed, int which, const FlakeCut *cut)
{
	const FlakeFormat *format = mixed->column->format;
	const AttStatsSlot *mcv = &mixed->column->mcv;
	const FlakePart *part = &mixed->parts[which];
	double		below = 0.0;
	int			next = 0;

	/* the first point that is not below the cut */
	while (next < part->count && flake_is_below(format, part->ids[next], cut))
		next++;
	if (next == part->count)
		below = next > 0 ? part->upto[next - 1] : 0.0;
	else if (next > 0)
	{
		double		way = flake_way(format, part->ids[next - 1], part->ids[next]);
		double		gone = way > 0.0 ? flake_way(format, part->ids[next - 1], cut->id) / way : 0.5;

		below = part->upto[next - 1] + gone * (part->upto[next] - part->upto[next - 1]);
	}
	for (int i = 0; i < mcv->nvalues; i++)
	{
		const uint8 *id = flake_datum_bytes(format, &mcv->values[i]);

		if (mixed->belongs(id) == (which == 0) && flake_is_below(format, id, cut))
			below += mcv->numbers[i];
	}
	return below;
}

/* Return the fraction of all rows that are of one kind. */
double
flake_mixed_all(const FlakeMixed *mixed, int which)
{
	const FlakePart *part = &mixed->parts[which];
	const AttStatsSlot *mcv = &mixed->column->mcv;
	double		all = part->count > 0 ? part->upto[part->count - 1] : 0.0;

	for (int i = 0; i < mcv->nvalues; i++)
		if (mixed->belongs(flake_datum_bytes(mixed->column->format, &mcv->values[i])) == (which == 0))
			all += mcv->numbers[i];
	return all;
}
