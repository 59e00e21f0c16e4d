/*
 * column.c
 *		Statistics of a column of IDs: how many of its rows are below a point.
 *
 * The rules are those of core's ineq_histogram_selectivity(), so that a condition on an ID
 * is estimated like the same condition on a timestamptz column: from the most common
 * values, nulls, the histogram, and the table's current ends, which an index tells.  One
 * thing differs.  Within the histogram's bin that contains the point, core interpolates
 * for its own types only and takes half of the bin for all others, so that a window within
 * a bin would be estimated at one row; here the times of the IDs are interpolated.
 */
#include "planner/planner.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/visibilitymap.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "executor/tuptable.h"
#include "optimizer/paths.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* A walk gives up after so many pages of dead rows, as core does, or IDs that do not belong. */
#define STEPS_LIMIT		100

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
 * Return how many microseconds an ID is after its instant: the IDs of a tick are spread evenly over it, by the
 * bits that follow the timestamp.  Several ticks of uid64, which no clock writes, have one instant: these are
 * spread between its least and greatest ID.
 */
static double
past_instant(const FlakeFormat *format, int64 us, const uint8 *id)
{
	uint8		least[FLAKE_MAX_BYTES] = {0};
	uint8		greatest[FLAKE_MAX_BYTES];
	double		part;

	if (format->bounds != NULL)
	{
		flake_bounds(format, us, least, greatest);
		part = flake_distance(least, id, format->bytes) / (flake_distance(least, greatest, format->bytes) + 1.0);
	}
	else
	{
		memcpy(least, id, format->bytes);
		part = ldexp((double) (flake_load(least, 8) << format->timestamp_bits |
							   flake_load(least + 8, 8) >> (64 - format->timestamp_bits)), -64);
	}
	return part * format->rate.div / format->rate.mul;
}

/*
 * Return how far one ID is after another, in microseconds.  Distances between bytes would mislead, because some
 * formats leave part of their numbers unused, like uid64 5 % after each million seconds.  A type that does not
 * sort by time has only the bytes.
 */
double
flake_way(const FlakeFormat *format, const uint8 *from, const uint8 *to)
{
	int64		start;
	int64		end;

	if (!format->time_ordered)
		return flake_distance(from, to, format->bytes);
	start = flake_id_us(format, from);
	end = flake_id_us(format, to);
	return (double) (end - start) + (past_instant(format, end, to) - past_instant(format, start, from));
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
 * the times of IDs: if there are none, if some texts are not IDs, or if texts are sorted differently.
 */
static bool
read_slots(const FlakeColumn *column, HeapTuple row, AttStatsSlot *mcv, AttStatsSlot *histogram)
{
	get_attstatsslot(mcv, row, STATISTIC_KIND_MCV, InvalidOid, ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
	get_attstatsslot(histogram, row, STATISTIC_KIND_HISTOGRAM, InvalidOid, ATTSTATSSLOT_VALUES);
	if (column->type == TEXTOID && (!read_texts(column, mcv) || !read_texts(column, histogram)))
		return false;
	for (int i = 1; column->type == TEXTOID && i < histogram->nvalues; i++)
		if (flake_compare((uint8 *) DatumGetPointer(histogram->values[i - 1]),
						  (uint8 *) DatumGetPointer(histogram->values[i]), column->format->bytes) > 0)
			return false;
	return histogram->nvalues > 1 || mcv->nvalues > 0;
}

/* A row of pg_statistic, compared by its bytes: without gaps between members. */
typedef struct Row
{
	Oid			relation;
	Oid			type;			/* of the column when its values were read */
	TransactionId xmin;			/* invalid if nothing is kept */
	int32		inherited;
	int16		attribute;
	ItemPointerData place;
} Row;

/* Its values. */
typedef struct Kept
{
	Row			row;
	MemoryContext context;
	bool		usable;
	AttStatsSlot mcv;
	AttStatsSlot histogram;
	FlakeBelongs pure;			/* all of them belong by it; NULL: not known */
} Kept;

/*
 * Read the values that ANALYZE found in the column; return false if they are of no use.  Reading 101 texts
 * takes as long as all the rest of planning a simple query, and unpacking as many UUIDs 7 % of it.  So this
 * session keeps those of up to eight columns, and uses them while their row in pg_statistic has the same place
 * and xmin, as PL/pgSQL keeps a function.  (Extended statistics and those that a hook supplies have no such row.)
 * The type must be the same, too: VACUUM FULL may put a row at the place of another one of the same transaction,
 * from before the column's type was changed.
 *
 * The next call may free what is kept.  So while a column is open, its user must not do
 * anything that plans another query, which evaluating an expression may do.
 */
static bool
read_values(FlakeColumn *column)
{
	static Kept kept_columns[8];
	HeapTuple	tuple = column->vardata.statsTuple;
	Form_pg_statistic form = (Form_pg_statistic) GETSTRUCT(tuple);
	bool		keep = column->vardata.freefunc == ReleaseSysCache;
	Kept	   *kept = keep ? &kept_columns[(form->starelid + form->staattnum) % lengthof(kept_columns)] : palloc0(sizeof(Kept));
	Row			row = {.relation = form->starelid, .type = column->type, .xmin = HeapTupleHeaderGetRawXmin(tuple->t_data),
	.inherited = form->stainherit, .attribute = form->staattnum, .place = tuple->t_self};

	if (!TransactionIdIsValid(kept->row.xmin) || memcmp(&kept->row, &row, sizeof(row)) != 0)
	{
		MemoryContext caller;

		kept->row.xmin = InvalidTransactionId;
		if (kept->context == NULL)
			kept->context = AllocSetContextCreate(keep ? CacheMemoryContext : CurrentMemoryContext,
												  "flakeid statistics", ALLOCSET_SMALL_SIZES);
		MemoryContextReset(kept->context);
		caller = MemoryContextSwitchTo(kept->context);
		kept->usable = read_slots(column, tuple, &kept->mcv, &kept->histogram);
		MemoryContextSwitchTo(caller);
		kept->row = row;
		kept->pure = NULL;
	}
	column->mcv = kept->mcv;
	column->histogram = kept->histogram;
	column->pure = &kept->pure;
	return kept->usable;
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
	if (*column->pure != belongs && all_belong(column, &column->histogram, belongs) && all_belong(column, &column->mcv, belongs))
		*column->pure = belongs;
	return *column->pure == belongs;
}

/*
 * Open the column that examine_variable() has put into vardata: of IDs of ours, or of uuid or text, whose IDs
 * are read as ULIDs.  Return false, with the variable released, if nothing is known of its IDs.  "function"
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
	if (column->type == UUIDOID || column->type == TEXTOID)
		column->format = &flake_ulid;
	if (column->format == NULL || !HeapTupleIsValid(vardata->statsTuple) ||
		!statistic_proc_security_check(vardata, function) || !read_values(column))
	{
		ReleaseVariableStats(*vardata);
		return false;
	}
	column->nonnull = 1.0 - ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;
	for (int i = 0; i < column->mcv.nnumbers; i++)
		column->common += column->mcv.numbers[i];
	return true;
}

/* ---------- the ends of the table ---------- */

/* Has the entry that a scan is at a row that vacuum cannot remove yet? */
static bool
has_row(IndexScanDesc scan, TupleTableSlot *slot, Buffer *visibility)
{
	if (VM_ALL_VISIBLE(scan->heapRelation, ItemPointerGetBlockNumber(&scan->xs_heaptid), visibility))
		return true;
	if (!index_fetch_heap(scan, slot))
		return false;
	ExecClearTuple(slot);
	return true;
}

/*
 * Store in *id the first ID of a scan that has a row and belongs, if the caller says which do.  Return false
 * if none is found.  The row may be another version, without this value, so the value is the entry's own.
 */
static bool
first_of_scan(const FlakeColumn *column, IndexScanDesc scan, ScanDirection direction, FlakeBelongs belongs, uint8 *id)
{
	TupleTableSlot *slot = table_slot_create(scan->heapRelation, NULL);
	Buffer		visibility = InvalidBuffer; /* of the visibility map, pinned */
	BlockNumber last = InvalidBlockNumber;	/* the last page with a dead row */
	int			steps = 0;		/* pages with dead rows, and IDs that do not
								 * belong */
	bool		found = false;

	while (!found && steps <= STEPS_LIMIT && index_getnext_tid(scan, direction) != NULL)
	{
		Datum		value;
		bool		isnull;

		if (!has_row(scan, slot, &visibility))
		{
			steps += ItemPointerGetBlockNumber(&scan->xs_heaptid) != last;
			last = ItemPointerGetBlockNumber(&scan->xs_heaptid);
			continue;
		}
		value = index_getattr(scan->xs_itup, 1, scan->xs_itupdesc, &isnull);
		/* it is not NULL, as the scan's key says */
		if (isnull || !read_id(column, value, id))
			break;
		found = belongs == NULL || belongs(id);
		steps++;
	}
	if (BufferIsValid(visibility))
		ReleaseBuffer(visibility);
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
	ListCell   *lc;

	if (rel == NULL || rel->indexlist == NIL || planner_rt_fetch(rel->relid, column->root)->relkind == RELKIND_PARTITIONED_TABLE)
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
 *
 * It is an index-only scan whose snapshot sees every row that vacuum cannot remove yet.  So rows of open
 * transactions count, but dead ones at the end of a queue do not; and the scan marks their index
 * entries, so that the next one need not visit them again.
 */
bool
flake_column_first(const FlakeColumn *column, const IndexOptInfo *info, bool backward,
				   const uint8 *from, FlakeBelongs belongs, uint8 *id)
{
	/* the planner has locked both */
	Relation	table = table_open(planner_rt_fetch(info->rel->relid, column->root)->relid, NoLock);
	Relation	index = index_open(info->indexoid, NoLock);
	SnapshotData snapshot;
	IndexScanDesc scan;
	ScanKeyData key;
	bool		found;

	if (from == NULL)
		ScanKeyEntryInitialize(&key, SK_ISNULL | SK_SEARCHNOTNULL, 1, InvalidStrategy,
							   InvalidOid, InvalidOid, InvalidOid, (Datum) 0);
	else
		ScanKeyEntryInitialize(&key, 0, 1, backward ? BTLessEqualStrategyNumber : BTGreaterEqualStrategyNumber,
							   InvalidOid, InvalidOid, backward ? F_UUID_LE : F_UUID_GE, PointerGetDatum(from));
	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	scan = flake_index_beginscan(table, index, &snapshot, 1);
	scan->xs_want_itup = true;
	index_rescan(scan, &key, 1, NULL, 0);
	found = first_of_scan(column, scan, info->reverse_sort[0] != backward ? BackwardScanDirection : ForwardScanDirection, belongs, id);
	index_endscan(scan);
	index_close(index, NoLock);
	table_close(table, NoLock);
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
	if (!column->looked[which])
	{
		const IndexOptInfo *info = flake_column_index(column);

		column->looked[which] = true;
		column->found[which] = info != NULL && flake_column_first(column, info, which == 1, NULL, NULL, column->end[which]);
	}
	return column->found[which] ? column->end[which] : NULL;
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
 * Return the number, from 1, of the histogram's bin that contains the cut.  A cut outside
 * all of them is in the first or the last one.
 */
static int
find_bin(const FlakeColumn *column, const FlakeCut *cut)
{
	int			low = 1;
	int			high = column->histogram.nvalues - 1;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (flake_is_below(column->format, flake_datum_bytes(column->format, &column->histogram.values[middle]), cut))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Find the IDs between which the rows of a bin are.  The first bin begins and the last one
 * ends where the table does now; return false if no index tells where that is.
 */
static bool
ends_of_bin(FlakeColumn *column, int bin, const uint8 **low, const uint8 **high)
{
	const FlakeFormat *format = column->format;
	const Datum *values = column->histogram.values;
	const uint8 *first = bin == 1 ? actual_end(column, 0) : flake_datum_bytes(format, &values[bin - 1]);
	const uint8 *last = bin == column->histogram.nvalues - 1 ? actual_end(column, 1) : flake_datum_bytes(format, &values[bin]);

	*low = first ? first : flake_datum_bytes(format, &values[bin - 1]);
	*high = last ? last : flake_datum_bytes(format, &values[bin]);
	return first && last;
}

/*
 * Return the fraction of the histogram that is below a cut between the ends of its bin.
 * Each value stands for the rows up to it, so that counts those that are equal to the
 * cut's ID.  Only the first value is the first of its bin.
 */
static double
within_bin(FlakeColumn *column, int bin, const uint8 *low, const FlakeCut *cut, const uint8 *high)
{
	double		width = flake_way(column->format, low, high);
	double		part = width > 0.0 ? flake_way(column->format, low, cut->id) / width : 0.5;
	double		below = (bin - 1 + part) / (column->histogram.nvalues - 1);

	if (bin == 1)
		below += one_value(column) * (1.0 - part);
	if (!cut->after)
		below -= one_value(column);
	return below;
}

/*
 * Return the fraction of the histogram that is below the cut, from 0 to 1; one half if there is
 * no histogram.  The rules are those of core's ineq_histogram_selectivity().
 */
static double
histogram_below(FlakeColumn *column, const FlakeCut *cut)
{
	int			bins = column->histogram.nvalues - 1;
	int			bin;
	const uint8 *low;
	const uint8 *high;
	double		least;
	double		below;

	if (bins < 1)
		return 0.5;
	bin = find_bin(column, cut);
	/* there may be rows beyond an end that is not known, so never none or all */
	least = ends_of_bin(column, bin, &low, &high) ? 0.0 : 0.01 / bins;
	if (!flake_is_below(column->format, low, cut))
		below = 0.0;
	else if (flake_is_below(column->format, high, cut))
		below = 1.0;
	else
		below = within_bin(column, bin, low, cut, high);
	return Max(least, Min(1.0 - least, below));
}

/* Return the fraction of all rows that is below the cut, given statistics. */
double
flake_column_below(FlakeColumn *column, const FlakeCut *cut)
{
	double		below = (column->nonnull - column->common) * histogram_below(column, cut);

	for (int i = 0; i < column->mcv.nvalues; i++)
		if (flake_is_below(column->format, flake_datum_bytes(column->format, &column->mcv.values[i]), cut))
			below += column->mcv.numbers[i];
	CLAMP_PROBABILITY(below);
	return below;
}
