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
 * Return how many microseconds an ID is after its instant: the IDs of an instant are spread evenly over a tick.
 * (Several ticks of uid64 have one instant, but no clock writes these.)
 */
static double
past_instant(const FlakeFormat *format, int64 us, const uint8 *id)
{
	uint8		least[FLAKE_MAX_BYTES];
	uint8		greatest[FLAKE_MAX_BYTES];

	flake_bounds(format, us, least, greatest);
	return flake_distance(least, id, format->bytes) / (flake_distance(least, greatest, format->bytes) + 1.0) *
		format->rate.div / format->rate.mul;
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

/* How many columns this session has opened whose values it keeps. */
static uint64 opened;

/*
 * Read the values that ANALYZE found in the column.  Unpacking them takes as long as all the
 * rest of an estimate, so this session keeps those of up to eight columns, and uses them
 * while their row in pg_statistic has the same place and xmin, as PL/pgSQL keeps a function.
 * (Statistics that a hook supplies have no such row.)  The type must be the same, too:
 * VACUUM FULL may put a row at the place of another one of the same transaction, from before
 * the column's type was changed.
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
	column->opened = ++opened;
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
	/* otherwise its values may have been freed */
	Assert(column->kept == NULL || column->opened == opened);
	if (column->own_values)
	{
		free_attstatsslot(&column->mcv);
		free_attstatsslot(&column->histogram);
	}
	ReleaseVariableStats(column->vardata);
}

/* ---------- the ends of the table ---------- */

/*
 * A walk along an index, from a scan key in one direction.  It is an index-only scan whose
 * snapshot sees every row that vacuum cannot remove yet.  So rows of open transactions
 * count, but dead ones at the end of a queue do not; and the scan marks their index
 * entries, so that the next walk need not visit them again.
 */
typedef struct Walk
{
	Relation	table;
	IndexScanDesc scan;
	ScanDirection direction;
	ItemPointer tid;			/* of the entry's row */
	SnapshotData snapshot;
	TupleTableSlot *slot;
	Buffer		visibility;		/* of the visibility map, pinned */
	BlockNumber last;			/* the last page with a dead row */
	int			steps;			/* pages with dead rows, and IDs that do not
								 * belong */
} Walk;

static void
begin_walk(Walk *walk, Relation table, Relation index, ScanDirection direction, ScanKey from)
{
	walk->table = table;
	walk->direction = direction;
	walk->slot = table_slot_create(table, NULL);
	walk->visibility = InvalidBuffer;
	walk->last = InvalidBlockNumber;
	walk->steps = 0;
	InitNonVacuumableSnapshot(walk->snapshot, GlobalVisTestFor(table));
	walk->scan = flake_index_beginscan(table, index, &walk->snapshot, 1);
	walk->scan->xs_want_itup = true;
	index_rescan(walk->scan, from, 1, NULL, 0);
}

static void
end_walk(Walk *walk)
{
	if (BufferIsValid(walk->visibility))
		ReleaseBuffer(walk->visibility);
	index_endscan(walk->scan);
	ExecDropSingleTupleTableSlot(walk->slot);
}

/* Go to the next entry; return false at the index's end, or after so many steps that the walk gives up. */
static bool
next_entry(Walk *walk)
{
	if (walk->steps > STEPS_LIMIT)
		return false;
	walk->tid = index_getnext_tid(walk->scan, walk->direction);
	return walk->tid != NULL;
}

/* Has the entry a row that vacuum cannot remove yet? */
static bool
visible(Walk *walk)
{
	BlockNumber block = ItemPointerGetBlockNumber(walk->tid);

	if (VM_ALL_VISIBLE(walk->table, block, &walk->visibility))
		return true;
	if (index_fetch_heap(walk->scan, walk->slot))
	{
		ExecClearTuple(walk->slot);
		return true;
	}
	walk->steps += block != walk->last;
	walk->last = block;
	return false;
}

/*
 * Read the ID of an entry; return false if it has none.  The row found may be another
 * version, without this value, so the value is the entry's own.
 */
static bool
read_entry(const FlakeColumn *column, IndexScanDesc scan, uint8 *id)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	if (scan->xs_itup == NULL || scan->xs_recheck)
		return false;
	index_deform_tuple(scan->xs_itup, scan->xs_itupdesc, values, nulls);
	return !nulls[0] && read_id(column, values[0], id);
}

/*
 * Store in *id the first ID on a walk, or the first that belongs, if the caller says which
 * do.  Return false if none is found.
 */
static bool
first_on_walk(const FlakeColumn *column, Walk *walk, FlakeBelongs belongs, uint8 *id)
{
	while (next_entry(walk))
	{
		if (!visible(walk))
			continue;
		if (!read_entry(column, walk->scan, id))
			return false;
		if (belongs == NULL || belongs(id))
			return true;
		walk->steps++;
	}
	return false;
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
	Walk		walk;
	bool		found;

	if (from == NULL)
		ScanKeyEntryInitialize(&key, SK_ISNULL | SK_SEARCHNOTNULL, 1, InvalidStrategy,
							   InvalidOid, InvalidOid, InvalidOid, (Datum) 0);
	else
		ScanKeyEntryInitialize(&key, 0, 1, backward ? BTLessEqualStrategyNumber : BTGreaterEqualStrategyNumber,
							   InvalidOid, InvalidOid, backward ? F_UUID_LE : F_UUID_GE, PointerGetDatum(from));
	begin_walk(&walk, table, index,
			   info->reverse_sort[0] != backward ? BackwardScanDirection : ForwardScanDirection, &key);
	found = first_on_walk(column, &walk, belongs, id);
	end_walk(&walk);
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
 * Return the fraction of the histogram that is below the cut, from 0 to 1; -1 if there is
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
		return -1.0;
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
	double		part = histogram_below(column, cut);
	double		below = (column->nonnull - column->common) * (part < 0.0 ? 0.5 : part);

	for (int i = 0; i < column->mcv.nvalues; i++)
		if (flake_is_below(column->format, flake_datum_bytes(column->format, &column->mcv.values[i]), cut))
			below += column->mcv.numbers[i];
	CLAMP_PROBABILITY(below);
	return below;
}
