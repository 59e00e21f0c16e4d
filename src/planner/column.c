/*
 * column.c
 *		What is known about a column of IDs: how many of its rows are below a point.
 *
 * The rules are those of core's ineq_histogram_selectivity(), so that a condition on an ID
 * is estimated like the same condition on a timestamptz column: from the most common
 * values, nulls, the histogram, and the table's current ends, which an index tells.  Two
 * things differ.  Within the histogram's bin that contains the point, core interpolates
 * for its own types only and takes half of the bin for all others, so that a window within
 * a bin would be estimated at one row; here the times of the IDs are interpolated.  And
 * growth of the table since the last ANALYZE is taken into account: see grown().
 */
#include "planner/column.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/visibilitymap.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "parser/parsetree.h"
#include "storage/bufmgr.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* After reading so many pages of the table, give up looking for its end, as core does. */
#define HEAP_PAGES_LIMIT	100

/* ---------- IDs and instants ---------- */

/* Set the cut that has exactly the IDs before t below it. */
void
flake_cut_at(const FlakeFormat *format, TimestampTz t, FlakeCut *cut)
{
	int64		us = flake_us_saturated(t);

	flake_least(format, us, cut->id);
	cut->after = flake_id_us(format, cut->id) < us;
	/* t is inside a tick, or after the last one: all of the tick is before t */
	if (cut->after)
		flake_greatest(format, us, cut->id);
}

/* Is the ID below the cut? */
bool
flake_is_below(const FlakeFormat *format, const uint8 *id, const FlakeCut *cut)
{
	int			order = flake_compare(id, cut->id, format->bytes);

	return order < 0 || (order == 0 && cut->after);
}

/*
 * An ID's place in time, in microseconds, with the IDs of a tick spread evenly over the
 * tick.  Distances between bytes would mislead, because some formats leave part of their
 * numbers unused, like uid64 5 % after each million seconds.  A type that does not sort by
 * time has only the bytes.
 */
typedef struct Place
{
	const uint8 *id;
	int64		us;				/* where the tick begins */
	double		past;			/* and how far after that */
} Place;

/* Return which part of its tick an ID is after, 0 to 1: the bits that follow the timestamp, as a fraction. */
static double
part_of_tick(const FlakeFormat *format, const uint8 *id)
{
	unsigned	bits = format->timestamp_bits;
	uint8		rest[8] = {0};

	memcpy(rest, id + 8, Min(format->bytes - 8, 8));
	return ldexp((double) (flake_load(id, 8) << bits | flake_load(rest, 8) >> (64 - bits)), -64);
}

/*
 * The same between the least and the greatest ID of the instant, for a format of which
 * several ticks have one instant: those of uid64 that no clock writes.
 */
static double
part_of_bounds(const FlakeFormat *format, int64 us, const uint8 *id)
{
	uint8		least[FLAKE_MAX_BYTES];
	uint8		greatest[FLAKE_MAX_BYTES];

	flake_bounds(format, us, least, greatest);
	return flake_distance(least, id, format->bytes) / (flake_distance(least, greatest, format->bytes) + 1.0);
}

static Place
place_of(const FlakeFormat *format, const uint8 *id)
{
	Place		place = {.id = id};

	if (format->time_ordered)
	{
		place.us = flake_id_us(format, id);
		place.past = (format->instant == NULL ? part_of_tick(format, id) : part_of_bounds(format, place.us, id)) *
			format->rate.div / format->rate.mul;
	}
	return place;
}

/* Return how far one place is after another. */
static double
distance(const FlakeFormat *format, Place from, Place to)
{
	if (!format->time_ordered)
		return flake_distance(from.id, to.id, format->bytes);
	return (double) (to.us - from.us) + (to.past - from.past);
}

/*
 * Return how far an ID is along the way from one ID to another, 0 to 1; one half if these
 * two are at the same place.
 */
static double
part_of_way(const FlakeFormat *format, const uint8 *from, const uint8 *id, const uint8 *to)
{
	Place		start = place_of(format, from);
	double		width = distance(format, start, place_of(format, to));

	return width > 0.0 ? distance(format, start, place_of(format, id)) / width : 0.5;
}

/* Return how far one ID is after another: in microseconds if the format sorts by time. */
double
flake_way(const FlakeFormat *format, const uint8 *from, const uint8 *to)
{
	return distance(format, place_of(format, from), place_of(format, to));
}

/* ---------- statistics ---------- */

/* Read a value of the column as an ID; return false if it is not one, as a text may be. */
static bool
read_id(const FlakeColumn *column, Datum value, uint8 *id)
{
	const struct varlena *text = (struct varlena *) DatumGetPointer(value);

	if (column->type == TEXTOID)
		return column->format->decode(VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text), id);
	memcpy(id, flake_datum_bytes(column->format, &value), column->format->bytes);
	return true;
}

/* Replace texts by the IDs that they are; return false if one is not an ID. */
static bool
read_texts(const FlakeColumn *column, AttStatsSlot *slot)
{
	for (int i = 0; i < slot->nvalues; i++)
	{
		uint8	   *id = palloc(column->format->bytes);

		if (!read_id(column, slot->values[i], id))
			return false;
		slot->values[i] = PointerGetDatum(id);
	}
	return true;
}

/*
 * Read the values from their row in pg_statistic.  Return false if they tell nothing about
 * the times of IDs: if some texts are not IDs, or if texts are sorted differently.
 */
static bool
read_slots(const FlakeColumn *column, HeapTuple row, AttStatsSlot *mcv, AttStatsSlot *histogram)
{
	get_attstatsslot(mcv, row, STATISTIC_KIND_MCV, InvalidOid, ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
	get_attstatsslot(histogram, row, STATISTIC_KIND_HISTOGRAM, InvalidOid, ATTSTATSSLOT_VALUES);
	if (column->type != TEXTOID)
		return true;
	if (!read_texts(column, mcv) || !read_texts(column, histogram))
		return false;
	for (int i = 1; i < histogram->nvalues; i++)
		if (flake_compare((uint8 *) DatumGetPointer(histogram->values[i - 1]),
						  (uint8 *) DatumGetPointer(histogram->values[i]), column->format->bytes) > 0)
			return false;
	return true;
}

/* The values that this session read last, of several columns: see read_values(). */
typedef struct FlakeKept
{
	MemoryContext context;
	Oid			relation;		/* which column */
	int16		attribute;
	bool		inherited;
	Oid			type;			/* of the values */
	TransactionId xmin;			/* which row; invalid if nothing is kept */
	ItemPointerData place;
	bool		usable;
	AttStatsSlot mcv;
	AttStatsSlot histogram;
	/* All of the histogram belongs by it; NULL if that is not known. */
	FlakeBelongs pure;
} FlakeKept;

static FlakeKept kept_columns[8];

/*
 * Read the values that ANALYZE found in the column.
 *
 * Unpacking them takes as long as all the rest of an estimate, and each end of a range
 * needs them.  So this session keeps the values that it read last, of up to eight columns,
 * and uses them while their row in pg_statistic has the same place and xmin; PL/pgSQL
 * recognizes a changed function in the same way.  (A row from elsewhere has neither, and
 * is not kept.)  The type must be the same, too: VACUUM FULL may put a row at the place of
 * another row of the same transaction, from before the column's type was changed, whose
 * values must be read in another way.
 *
 * The next call may free what is kept.  So while a column is open, its user must not do
 * anything that plans another query, which evaluating an expression may do.
 */
static void
read_values(FlakeColumn *column)
{
	HeapTuple	row = column->vardata.statsTuple;
	Form_pg_statistic form = (Form_pg_statistic) GETSTRUCT(row);
	TransactionId xmin = HeapTupleHeaderGetRawXmin(row->t_data);
	FlakeKept  *kept = &kept_columns[(form->starelid + form->staattnum) % lengthof(kept_columns)];

	if (column->vardata.freefunc != ReleaseSysCache)
	{
		column->own_values = true;
		column->known = read_slots(column, row, &column->mcv, &column->histogram);
		return;
	}
	if (!TransactionIdIsValid(xmin) || kept->xmin != xmin || !ItemPointerEquals(&kept->place, &row->t_self) ||
		kept->relation != form->starelid || kept->attribute != form->staattnum || kept->inherited != form->stainherit ||
		kept->type != column->type)
	{
		MemoryContext caller;

		kept->xmin = InvalidTransactionId;
		if (kept->context == NULL)
			kept->context = AllocSetContextCreate(CacheMemoryContext, "flakeid statistics", ALLOCSET_SMALL_SIZES);
		MemoryContextReset(kept->context);
		caller = MemoryContextSwitchTo(kept->context);
		kept->usable = read_slots(column, row, &kept->mcv, &kept->histogram);
		MemoryContextSwitchTo(caller);
		kept->relation = form->starelid;
		kept->attribute = form->staattnum;
		kept->inherited = form->stainherit;
		kept->type = column->type;
		kept->pure = NULL;
		kept->place = row->t_self;
		kept->xmin = xmin;
	}
	column->kept = kept;
	column->known = kept->usable;
	column->mcv = kept->mcv;
	column->histogram = kept->histogram;
}

static bool
all_belong(const FlakeColumn *column, const AttStatsSlot *slot, FlakeBelongs belongs)
{
	for (int i = 0; i < slot->nvalues; i++)
		if (!belongs(flake_datum_bytes(column->format, &slot->values[i])))
			return false;
	return true;
}

/* Do all values in an open column's statistics belong? */
bool
flake_column_is_pure(const FlakeColumn *column, FlakeBelongs belongs)
{
	if (column->kept != NULL && column->kept->pure == belongs)
		return true;
	if (!all_belong(column, &column->histogram, belongs) || !all_belong(column, &column->mcv, belongs))
		return false;
	if (column->kept != NULL)
		column->kept->pure = belongs;
	return true;
}

/* Read the statistics, for a query that calls this function. */
static void
read_statistics(FlakeColumn *column, Oid function)
{
	VariableStatData *vardata = &column->vardata;

	column->known = HeapTupleIsValid(vardata->statsTuple);
	if (!column->known)
		return;
	column->nonnull = 1.0 - ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;
	if (!statistic_proc_security_check(vardata, function))
		return;
	read_values(column);
	for (int i = 0; i < column->mcv.nnumbers; i++)
		column->common += column->mcv.numbers[i];
}

/*
 * Open the column that get_restriction_variable() or examine_variable() has put into
 * vardata.  Return false, with the variable released, if it does not hold IDs. "function"
 * is the one that the query calls, directly or by an operator: if it may leak its
 * arguments, the values in the statistics are used only where the user may read the
 * column.
 */
bool
flake_column_open(FlakeColumn *column, PlannerInfo *root, Oid function)
{
	VariableStatData *vardata = &column->vardata;

	column->root = root;
	column->type = vardata->vartype;
	column->format = flake_format_of_type(&column->type);
	if (column->format == NULL)
	{
		ReleaseVariableStats(*vardata);
		return false;
	}
	read_statistics(column, function);
	return true;
}

/*
 * The same for a column of uuid or text whose IDs are ULIDs or version 7 UUIDs.  Return
 * false if their times are not known, too.
 */
bool
flake_column_open_core(FlakeColumn *column, PlannerInfo *root, Oid function)
{
	column->root = root;
	column->type = column->vardata.vartype;
	if (column->type != UUIDOID)
		column->type = getBaseType(column->type);
	column->format = &flake_ulid;
	if (column->type == UUIDOID || column->type == TEXTOID)
		read_statistics(column, function);
	if (column->known && (column->histogram.nvalues > 1 || column->mcv.nvalues > 0))
		return true;
	flake_column_close(column);
	return false;
}

void
flake_column_close(FlakeColumn *column)
{
	if (column->own_values)
	{
		free_attstatsslot(&column->mcv);
		free_attstatsslot(&column->histogram);
	}
	ReleaseVariableStats(column->vardata);
}

/* ---------- the ends of the table ---------- */

/*
 * Store in *id the first ID of an index in one direction, starting at the scan key; the
 * first that belongs, if the caller says which do.  Return false if there is none, or if
 * none is found within HEAP_PAGES_LIMIT pages of the table or as many IDs.
 *
 * This is an index-only scan whose snapshot sees every row that vacuum cannot remove yet.
 * So rows of open transactions count, but dead ones at the end of a queue do not; and the
 * scan marks their index entries, so that the next call need not visit them again.  The
 * value is the index entry's own, because the row found may be another version, without
 * this value.
 */
static bool
first_of_index(const FlakeColumn *column, Relation table, Relation index, ScanDirection direction,
			   ScanKey from, FlakeBelongs belongs, uint8 *id)
{
	SnapshotData snapshot;
	IndexScanDesc scan;
	TupleTableSlot *slot = table_slot_create(table, NULL);
	Buffer		visibility = InvalidBuffer;
	BlockNumber last = InvalidBlockNumber;
	int			pages = 0;
	int			others = 0;
	bool		found = false;
	ItemPointer tid;

	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	scan = flake_index_beginscan(table, index, &snapshot, 1);
	scan->xs_want_itup = true;
	index_rescan(scan, from, 1, NULL, 0);
	while (!found && (tid = index_getnext_tid(scan, direction)) != NULL)
	{
		BlockNumber block = ItemPointerGetBlockNumber(tid);

		if (!VM_ALL_VISIBLE(table, block, &visibility))
		{
			if (!index_fetch_heap(scan, slot))
			{
				if (block != last && ++pages > HEAP_PAGES_LIMIT)
					break;
				last = block;
				continue;
			}
			ExecClearTuple(slot);
		}
		if (scan->xs_itup == NULL || scan->xs_recheck)
			break;
		{
			Datum		values[INDEX_MAX_KEYS];
			bool		nulls[INDEX_MAX_KEYS];

			index_deform_tuple(scan->xs_itup, scan->xs_itupdesc, values, nulls);
			if (nulls[0] || !read_id(column, values[0], id))
				break;
			found = belongs == NULL || belongs(id);
			if (!found && ++others > HEAP_PAGES_LIMIT)
				break;
		}
	}
	if (BufferIsValid(visibility))
		ReleaseBuffer(visibility);
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	return found;
}

/*
 * Return an index that sorts the column's IDs in their order, or NULL.  A partitioned
 * table has none: it has no rows of its own, so its index has no entries.
 */
IndexOptInfo *
flake_column_index(const FlakeColumn *column)
{
	RelOptInfo *rel = column->vardata.rel;
	RangeTblEntry *rte;
	ListCell   *lc;

	if (rel == NULL || rel->indexlist == NIL)
		return NULL;
	rte = planner_rt_fetch(rel->relid, column->root);
	if (rte->rtekind != RTE_RELATION || rte->relkind == RELKIND_PARTITIONED_TABLE)
		return NULL;
	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *info = lfirst_node(IndexOptInfo, lc);

		/* another operator class may sort differently */
		if (info->relam == BTREE_AM_OID && info->indpred == NIL && !info->hypothetical &&
			match_index_to_operand(column->vardata.var, 0, info) &&
			info->indexcollations[0] == column->histogram.stacoll &&
			get_op_opfamily_strategy(column->histogram.staop, info->sortopfamily[0]) == BTLessStrategyNumber)
			return info;
	}
	return NULL;
}

/*
 * Store in *id the first ID of the column's index in the order of IDs, or the last one if
 * "backward"; starting at an ID, and only one that belongs, if these are given.  Return
 * false if none is found.  The caller must have checked that the user may see the
 * histogram.
 */
bool
flake_column_first(const FlakeColumn *column, const IndexOptInfo *info, bool backward,
				   const uint8 *from, FlakeBelongs belongs, uint8 *id)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "flakeid actual end",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	/* the planner has locked both */
	Relation	table = table_open(planner_rt_fetch(info->rel->relid, column->root)->relid, NoLock);
	Relation	index = index_open(info->indexoid, NoLock);
	ScanKeyData key;
	bool		found;

	if (from == NULL)
		ScanKeyEntryInitialize(&key, SK_ISNULL | SK_SEARCHNOTNULL, 1, InvalidStrategy,
							   InvalidOid, InvalidOid, InvalidOid, (Datum) 0);
	else
		ScanKeyEntryInitialize(&key, 0, 1, backward ? BTLessEqualStrategyNumber : BTGreaterEqualStrategyNumber,
							   InvalidOid, InvalidOid, backward ? F_UUID_LE : F_UUID_GE, PointerGetDatum(from));
	found = first_of_index(column, table, index,
						   info->reverse_sort[0] != backward ? BackwardScanDirection : ForwardScanDirection,
						   &key, belongs, id);
	index_close(index, NoLock);
	table_close(table, NoLock);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return found;
}

/*
 * Return the least (0) or greatest (1) ID that is in the table now, or NULL if no index
 * tells.  The histogram's own ends are as old as the last ANALYZE, and new IDs are beyond
 * its end.
 */
static const uint8 *
actual_end(FlakeColumn *column, int which)
{
	IndexOptInfo *info;
	uint8		id[FLAKE_MAX_BYTES];

	if (column->looked[which])
		return column->end[which];
	column->looked[which] = true;
	info = flake_column_index(column);
	if (info != NULL && flake_column_first(column, info, which == 1, NULL, NULL, id))
	{
		column->end[which] = palloc(column->format->bytes);
		memcpy(column->end[which], id, column->format->bytes);
	}
	return column->end[which];
}

/*
 * Return the greatest ID in the table, or NULL, as actual_end() does.  Looking into the
 * index takes as long as all the rest of planning a simple query, so this session
 * remembers the answer until the index's number of pages changes, or until a condition on
 * the newest IDs looks there anyway: the rows may have been deleted or rolled back.
 */
static const uint8 *
remembered_end(FlakeColumn *column, const IndexOptInfo *info)
{
	static struct
	{
		Oid			index;
		BlockNumber pages;
		bool		found;
		uint8		id[FLAKE_MAX_BYTES];
	}			remembered[64];
	int			place = info->indexoid % lengthof(remembered);

	if (remembered[place].index != info->indexoid || remembered[place].pages != info->pages || column->looked[1])
	{
		const uint8 *end = actual_end(column, 1);

		remembered[place].index = info->indexoid;
		remembered[place].pages = info->pages;
		remembered[place].found = end != NULL;
		if (end != NULL)
			memcpy(remembered[place].id, end, column->format->bytes);
	}
	return remembered[place].found ? remembered[place].id : NULL;
}

/*
 * Return the fraction of the rows that were added since the last ANALYZE, at most: as far
 * as both the table and the index have grown since then.
 */
double
flake_column_growth(const FlakeColumn *column, const IndexOptInfo *info)
{
	const Oid	relations[] = {planner_rt_fetch(info->rel->relid, column->root)->relid, info->indexoid};
	double		growth = 1.0;

	for (int i = 0; i < 2; i++)
	{
		HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relations[i]));
		Form_pg_class form;
		double		then;
		double		now;

		if (!HeapTupleIsValid(tuple))
			return 0.0;
		form = (Form_pg_class) GETSTRUCT(tuple);
		then = i == 0 ? form->reltuples : form->relpages;
		now = i == 0 ? info->rel->tuples : info->pages;
		ReleaseSysCache(tuple);
		if (then <= 0.0 || now <= then * 1.01)
			return 0.0;
		growth = Min(growth, 1.0 - then / now);
	}
	return growth;
}

/*
 * Return the fraction of the rows that were added since the last ANALYZE, from 0 to 1.
 *
 * Core stretches the histogram's last bin over them, so that the last day of a table that
 * grew by a fifth seems to have a hundredth of its rows.  For a timestamptz core cannot
 * know better, but new IDs are the newest, so they are beyond the histogram's end.  The
 * planner has estimated from the table's size how many rows there are now.
 *
 * But a table also grows by updates and by imports of old rows, and taking those for new
 * IDs would be worse than core's rule.  So growth counts only as far as the index, which
 * updates need not enlarge, has grown, too; and only as far as new IDs explain it at the
 * earlier pace: the slower pace of the whole histogram and of its last bin.  If that pace
 * yields more than four times the growth, the newest IDs do not continue the earlier ones:
 * those were loaded in bulk, or an ID is from the far future.  Then core's rule applies,
 * as it does to growth below a hundredth, the size of a bin.
 */
static double
grown(FlakeColumn *column)
{
	const FlakeFormat *format = column->format;
	const Datum *values = column->histogram.values;
	int			bins = column->histogram.nvalues - 1;
	IndexOptInfo *info;
	double		growth;
	const uint8 *end;
	Place		last;
	double		pace;
	double		ratio;

	if (column->grown_known)
		return column->grown;
	column->grown_known = true;
	if (!format->time_ordered || bins < 2 || (info = flake_column_index(column)) == NULL)
		return 0.0;
	growth = flake_column_growth(column, info);
	if (growth <= 0.0)
		return 0.0;
	end = remembered_end(column, info);
	if (end == NULL || flake_compare(end, flake_datum_bytes(format, &values[bins]), format->bytes) <= 0)
		return 0.0;

	/*
	 * the time in which as many rows as there were are added; then, new rows
	 * for each old one
	 */
	last = place_of(format, flake_datum_bytes(format, &values[bins]));
	pace = distance(format, place_of(format, flake_datum_bytes(format, &values[0])), last);
	pace = Max(pace, distance(format, place_of(format, flake_datum_bytes(format, &values[bins - 1])), last) * bins);
	if (pace <= 0.0)
		return 0.0;
	ratio = distance(format, last, place_of(format, end)) / pace;
	if (ratio > 4.0 * growth / (1.0 - growth))
		return 0.0;
	column->grown = Min(growth, ratio / (1.0 + ratio));
	return column->grown;
}

/* ---------- the parts of the rows ---------- */

/*
 * Return the fraction of the rows that have one particular value, not a most common one; 0
 * if unknown.
 */
static double
one_value(FlakeColumn *column)
{
	bool		is_default;
	double		distinct = get_variable_numdistinct(&column->vardata, &is_default) - column->mcv.nvalues;

	return distinct > 1 ? 1.0 / distinct : 0.0;
}

/*
 * Return the fraction of the histogram that is below the cut, from 0 to 1; -1 if there is
 * no histogram.  The rules are those of core's ineq_histogram_selectivity(), except for
 * grown().
 */
static double
histogram_below(FlakeColumn *column, const FlakeCut *cut)
{
	const FlakeFormat *format = column->format;
	const Datum *values = column->histogram.values;
	int			bins = column->histogram.nvalues - 1;
	int			bin = 1;
	int			behind = bins;
	const uint8 *low;
	const uint8 *high;
	const uint8 *end = NULL;
	bool		stale = false;	/* no index told where the table ends */
	double		newer;			/* fraction of rows beyond the histogram */
	double		below;

	if (bins < 1)
		return -1.0;

	/*
	 * find the bin, from values[bin - 1] to values[bin]; a cut outside all of
	 * them is in the first or the last
	 */
	while (bin < behind)
	{
		int			middle = (bin + behind) / 2;

		if (flake_is_below(format, flake_datum_bytes(format, &values[middle]), cut))
			bin = middle + 1;
		else
			behind = middle;
	}
	low = flake_datum_bytes(format, &values[bin - 1]);
	high = flake_datum_bytes(format, &values[bin]);
	if (bin == 1)
	{
		end = actual_end(column, 0);
		stale = end == NULL;
		low = end ? end : low;
	}
	if (bin == bins)
	{
		end = actual_end(column, 1);
		stale |= end == NULL;
		high = end && grown(column) == 0.0 ? end : high;
	}
	newer = grown(column);
	if (!flake_is_below(format, low, cut))
		below = 0.0;
	else if (flake_is_below(format, high, cut))
	{
		below = 1.0;
		if (newer > 0.0 && end != NULL && !flake_is_below(format, end, cut))
			newer *= 1.0 - part_of_way(format, high, cut->id, end);
		else
			newer = 0.0;
	}
	else
	{
		double		part = part_of_way(format, low, cut->id, high);

		below = (bin - 1 + part) / bins;

		/*
		 * Each value stands for the rows up to it, so this counts those that
		 * are equal to the cut's ID.  Only the first value is the first of
		 * its bin.
		 */
		if (bin == 1)
			below += one_value(column) * (1.0 - part);
		if (!cut->after)
			below -= one_value(column);
	}
	below *= 1.0 - newer;
	CLAMP_PROBABILITY(below);
	if (stale)
	{
		/*
		 * there may be rows beyond the histogram's end, so never say none or
		 * all of them
		 */
		double		least = 0.01 / bins;

		below = Max(least, Min(1.0 - least, below));
	}
	return below;
}

/* Return the fraction of all rows that is below the cut, given statistics. */
double
flake_column_below(FlakeColumn *column, const FlakeCut *cut)
{
	double		part = histogram_below(column, cut);
	double		below = (column->nonnull - column->common) * (part < 0.0 ? 0.5 : part);

	for (int i = 0; i < column->mcv.nvalues; i++)
		if (flake_is_below(column->format, flake_datum_bytes(column->format, &column->mcv.values[i]), cut))
			below += column->mcv.numbers[i];
	CLAMP_PROBABILITY(below);
	return below;
}

/* Is the instant in one of the periods, which are in order? */
static bool
in_periods(TimestampTz t, const FlakePeriod *periods, int count)
{
	int			low = 0;
	int			high = count;

	/* the first period that ends after t */
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (periods[middle].end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && periods[low].start <= t;
}

/*
 * Return the fraction of all rows whose instant is in one of the periods, which are in
 * order and do not overlap.  There may be many periods and many most common values, so no
 * loop visits all pairs of them.
 */
double
flake_column_within(FlakeColumn *column, const FlakePeriod *periods, int count)
{
	const FlakeFormat *format = column->format;
	double		part = 0.0;		/* of the histogram */
	double		within;

	if (!column->known)
		return DEFAULT_RANGE_INEQ_SEL;
	for (int i = 0; i < count; i++)
	{
		FlakeCut	start;
		FlakeCut	end;

		CHECK_FOR_INTERRUPTS();
		flake_cut_at(format, periods[i].start, &start);
		flake_cut_at(format, periods[i].end, &end);
		part += Max(histogram_below(column, &end) - histogram_below(column, &start), 0.0);
	}
	within = (column->nonnull - column->common) * part;
	for (int i = 0; i < column->mcv.nvalues; i++)
		if (in_periods(flake_instant(format, flake_datum_bytes(format, &column->mcv.values[i])), periods, count))
			within += column->mcv.numbers[i];
	CLAMP_PROBABILITY(within);
	return within;
}
