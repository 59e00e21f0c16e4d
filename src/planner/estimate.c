/*
 * estimate.c
 *		How many rows satisfy comparisons of an ID: a column and its ends become numbers.
 *
 * Core estimates a comparison by the column's statistics, and the two ends of a range as one
 * condition.  But it cannot interpolate between two IDs (see column.c): it takes half of the
 * histogram's bin, so a window within a bin would be one row.
 *
 * All ends that a query compares an ID with are in the table's lists of conditions before the
 * first of them is estimated.  So they are looked up there together, each becomes the number of
 * the rows below it, and the planner is told in its own words:
 *
 *		an estimate is put where the planner keeps it, in norm_selec of the RestrictInfo;
 *		the statistics of a column of our types are answered as those of its rows divided by
 *		the ends: each part is one most common value, so core's own estimators return
 *		the same numbers, wherever the comparison stands.
 *
 * It is told by the filter or the marker of an ID, flakeid_marker(), which precedes its
 * comparisons, so that the planner asks the support function of it first (support.c); and by the
 * hook for a column's statistics (where.c).  What is already estimated is left alone, and so is
 * that about which nothing is known: then the estimate is core's.  The same would happen in a
 * PostgreSQL that estimates in another order.
 */
#include "planner/planner.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/* At most so many values are remembered; a list of conditions is searched for each of its own. */
#define VALUES_LIMIT	16

/* A column's rows are divided by at most so many ends; the others are as core estimates them. */
#define ENDS_LIMIT		64

/* A comparison of the ID with a constant. */
typedef struct End
{
	RestrictInfo *info;			/* where the planner keeps its estimate; NULL:
								 * nowhere */
	Oid			operator;
	const Const *bound;
	int			strategy;
	FlakeCut	cut;
	double		below;			/* the fraction of the rows below it ... */
	double		belonging;		/* ... and of those that belong, of a column
								 * of two kinds */
} End;

/* The ends that an ID is compared with in the conditions of its table. */
typedef struct Search
{
	PlannerInfo *root;
	RelOptInfo *rel;
	FlakeNamed *query;
	Node	   *id;
	List	   *ends;
	bool		blind;			/* without statistics: core's estimate is told,
								 * for which it would evaluate what the ID is
								 * compared with, for each empty partition */
	bool		untold;			/* one is not estimated yet ... */
	bool		bare;			/* ... and one never is: there is no place */
	List	   *compounds;		/* the RestrictInfos of ORs */
} Search;

/* ---------- the ends ---------- */

/*
 * Return an expression's value: a Const if it is known while planning, otherwise something
 * else.  This may run functions, and plan their queries.  Each partition is compared with the same
 * bounds, and evaluating uuid7_min(now()) takes longer than estimating the comparison.
 */
static Node *
value_of(PlannerInfo *root, Node *expr)
{
	FlakeNamed *query = IsA(expr, Const) ? NULL : flake_find_named(root);
	MemoryContext caller;
	Node	   *value;

	for (int i = 0; query != NULL && i < list_length(query->values); i += 2)
		if (equal(list_nth(query->values, i), expr))
			return list_nth(query->values, i + 1);
	value = IsA(expr, Const) ? expr : estimate_expression_value(root, expr);
	if (query == NULL || list_length(query->values) >= 2 * VALUES_LIMIT)
		return value;
	caller = MemoryContextSwitchTo(GetMemoryChunkContext(query));
	query->values = lappend(query->values, copyObject(expr));
	query->values = lappend(query->values, value = copyObject(value));
	MemoryContextSwitchTo(caller);
	return value;
}

/* Return the strategy of core's ordering operators and equality; 0 of another one. */
static int
strategy_of(Oid operator)
{
	switch (get_oprrest(operator))
	{
		case F_SCALARLTSEL:
			return BTLessStrategyNumber;
		case F_SCALARLESEL:
			return BTLessEqualStrategyNumber;
		case F_EQSEL:
			return BTEqualStrategyNumber;
		case F_SCALARGESEL:
			return BTGreaterEqualStrategyNumber;
		case F_SCALARGTSEL:
			return BTGreaterStrategyNumber;
		default:
			return 0;
	}
}

static void
add_end(Search *search, RestrictInfo *info, Oid operator, const Const *bound, int strategy)
{
	End		   *end = palloc0(sizeof(End));

	end->info = info != NULL && info->norm_selec < 0.0 ? info : NULL;
	end->operator = operator;
	end->bound = bound;
	end->strategy = strategy;
	search->ends = lappend(search->ends, end);
	search->untold = search->untold || end->info != NULL;
	search->bare = search->bare || info == NULL;
}

/* Add what a comparison compares the ID with, if that is known now; return false if it is none of the ID. */
static bool
read_comparison(Search *search, RestrictInfo *info, Oid operator, Node *left, Node *right)
{
	int			side = equal(flake_strip_relabeling(left), search->id) ? 0 :
		equal(flake_strip_relabeling(right), search->id) ? 1 : -1;
	int			strategy = side < 0 ? 0 : strategy_of(operator);
	Node	   *value;

	if (strategy == 0)
		return false;
	if (search->blind)
	{
		if (info != NULL && info->norm_selec < 0.0 && strategy != BTEqualStrategyNumber)
			info->norm_selec = DEFAULT_INEQ_SEL;
		return true;
	}
	value = value_of(search->root, side == 0 ? right : left);
	if (flake_is_constant(value))
		add_end(search, info, operator, (Const *) value, side == 0 ? strategy : flake_commuted(strategy));
	return true;
}

/* Add the members of a list of constants. */
static void
read_list(Search *search, const ScalarArrayOpExpr *list)
{
	const Const *array = lsecond(list->args);
	Datum	   *values;
	bool	   *nulls;
	int			length;
	Oid			type;
	int16		typlen;
	bool		typbyval;
	char		typalign;

	if (!flake_is_constant((Node *) array) || !equal(flake_strip_relabeling(linitial(list->args)), search->id))
		return;
	type = ARR_ELEMTYPE(DatumGetArrayTypeP(array->constvalue));
	get_typlenbyvalalign(type, &typlen, &typbyval, &typalign);
	deconstruct_array(DatumGetArrayTypeP(array->constvalue), type, typlen, typbyval, typalign, &values, &nulls, &length);
	for (int i = 0; i < Min(length, ENDS_LIMIT); i++)
		if (!nulls[i])
			(void) read_comparison(search, NULL, list->opno, search->id,
								   (Node *) makeConst(type, -1, InvalidOid, typlen, values[i], false, typbyval));
}

/*
 * Tell the estimate of a comparison that says itself what it is; return false if it does not.  For the start
 * of a range that is a column core takes a third of the rows; so the end is what is missing then.
 */
bool
flake_tell_marked(RestrictInfo *info)
{
	int			mark = IsA(info->clause, OpExpr) ? ((OpExpr *) info->clause)->location : -1;

	if (mark == FLAKE_REDUNDANT)
		info->norm_selec = info->outer_selec = 1.0;
	else if (mark == FLAKE_RANGE_END)
		info->norm_selec = info->outer_selec =
			(bms_membership(info->clause_relids) == BMS_MULTIPLE ? FLAKE_RANGE_JOIN_SEL : DEFAULT_RANGE_INEQ_SEL) / DEFAULT_INEQ_SEL;
	else
		return false;
	return true;
}

/*
 * Find the comparisons of the ID in a condition, or in a list of conditions: those that core estimates, too.
 * Others, as below CASE, may never be evaluated, and what they compare with may be an error.
 */
static bool
find_ends(Node *node, void *context)
{
	Search	   *search = context;
	RestrictInfo *info = NULL;

	if (node == NULL)
		return false;
	/* if so many have been told before, all have */
	if (!search->untold && list_length(search->ends) >= ENDS_LIMIT)
		return true;
	CHECK_FOR_INTERRUPTS();
	if (IsA(node, RestrictInfo))
	{
		info = (RestrictInfo *) node;
		node = (Node *) (info->orclause ? info->orclause : info->clause);
		if (info->orclause != NULL)
			search->compounds = lappend(search->compounds, info);
		else if (flake_tell_marked(info))
			return false;
	}
	if (IsA(node, OpExpr) && list_length(((OpExpr *) node)->args) == 2 &&
		read_comparison(search, info, ((OpExpr *) node)->opno, linitial(((OpExpr *) node)->args), lsecond(((OpExpr *) node)->args)))
		return false;
	if (IsA(node, RowCompareExpr))
		(void) read_comparison(search, info, linitial_oid(((RowCompareExpr *) node)->opnos),
							   linitial(((RowCompareExpr *) node)->largs), linitial(((RowCompareExpr *) node)->rargs));
	else if (IsA(node, ScalarArrayOpExpr))
		read_list(search, (ScalarArrayOpExpr *) node);
	else if (IsA(node, List) || IsA(node, BoolExpr) || IsA(node, BooleanTest))
		return flake_walk(node, find_ends, search);
	return false;
}

/* Read a text as a point. */
static bool
cut_by_text(const FlakeColumn *column, const text * value, FlakeCut *cut)
{
	char		letters[FLAKE_MAX_TEXT];
	size_t		length = Min((size_t) VARSIZE_ANY_EXHDR(value), column->format->text_length);

	/*
	 * '8' is after all IDs, and the beginning of an ID is before the IDs that
	 * begin with it
	 */
	if (length > 0 && VARDATA_ANY(value)[0] > '7')
	{
		memset(cut->id, 0xff, column->format->bytes);
		cut->after = true;
		return true;
	}
	memset(letters, '0', column->format->text_length);
	memcpy(letters, VARDATA_ANY(value), length);
	return ulid_read_text(letters, column->format->text_length, true, cut->id);
}

/*
 * Read the bound as a point; return false if it is neither an instant nor an ID, nor the beginning
 * or end of all IDs.
 */
static bool
read_cut(const FlakeColumn *column, const Const *bound, FlakeCut *cut)
{
	TimestampTz t;

	if (bound->consttype == TIMESTAMPTZOID)
	{
		/* id <= t and id > t divide the IDs at the instant after t */
		t = DatumGetTimestampTz(bound->constvalue);
		flake_cut_at(column->format, cut->after ? flake_next_instant(t) : t, cut);
		return true;
	}
	if (bound->consttype != column->type && getBaseType(bound->consttype) != column->type)
		return false;
	if (column->type == TEXTOID)
		return cut_by_text(column, DatumGetTextPP(bound->constvalue), cut);
	memcpy(cut->id, flake_datum_bytes(column->format, &bound->constvalue), column->format->bytes);
	return true;
}

/*
 * Divide the rows of an open column by the ends; leave out those that say nothing, and those of operators that
 * may leak what the user may not see.
 */
static void
divide(Search *search, FlakeColumn *column)
{
	ListCell   *cell;

	foreach(cell, search->ends)
	{
		End		   *end = lfirst(cell);

		end->cut.after = flake_divides_after(end->strategy);
		if ((column->vardata.acl_ok || get_func_leakproof(get_opcode(end->operator))) && read_cut(column, end->bound, &end->cut))
			end->below = flake_column_below(column, &end->cut);
		else
			search->ends = foreach_delete_current(search->ends, cell);
	}
}

/* Tell the planner the estimate of an end, of which a fraction of the rows is below, of all that are not null. */
static void
tell(const End *end, double below, double nonnull)
{
	double		selectivity = flake_is_lower_end(end->strategy) ? nonnull - below : below;

	CLAMP_PROBABILITY(selectivity);
	if (end->info != NULL && end->strategy != BTEqualStrategyNumber)
		end->info->norm_selec = end->info->outer_selec = selectivity;
}

static void
tell_all(const List *ends, double nonnull)
{
	ListCell   *cell;

	foreach(cell, ends)
		tell(lfirst(cell), ((End *) lfirst(cell))->below, nonnull);
}

/* Tell the estimates of a table's join conditions that are ends of ranges, before joins are estimated; also of those below OR. */
bool
flake_tell_ranges(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RestrictInfo) && ((RestrictInfo *) node)->orclause == NULL)
		return flake_tell_marked((RestrictInfo *) node) && false;
	if (IsA(node, RestrictInfo))
		node = (Node *) ((RestrictInfo *) node)->orclause;
	return flake_walk(node, flake_tell_ranges, context);
}

/* ---------- columns with core's operators ---------- */

/* Return the relation whose conditions may contain the ID, or NULL. */
RelOptInfo *
flake_relation_of(PlannerInfo *root, Node *id)
{
	int			relid;

	if (root->simple_rel_array == NULL || !bms_get_singleton_member(pull_varnos(root, id), &relid) ||
		relid >= root->simple_rel_array_size)
		return NULL;
	return root->simple_rel_array[relid];
}

/* Estimate the conditions with comparisons of the ID together, as core does.  A filter in an arm of an OR is asked meanwhile. */
static double
estimated(Search *search)
{
	List	   *conditions = NIL;
	double		selectivity;
	ListCell   *cell;

	foreach(cell, search->compounds)
		lfirst_node(RestrictInfo, cell)->norm_selec = -1.0;
	foreach(cell, search->rel->baserestrictinfo)
	{
		RestrictInfo *info = lfirst(cell);

		if (list_member_ptr(search->compounds, info))
			conditions = lappend(conditions, info);
		else
		{
			ListCell   *one;

			foreach(one, search->ends)
			{
				if (((End *) lfirst(one))->info == info)
					conditions = lappend(conditions, info);
			}
		}
	}
	search->query->estimating = true;
	selectivity = clauselist_selectivity(search->root, conditions, 0, JOIN_INNER, NULL);
	search->query->estimating = false;
	return selectivity;
}

/* Divide the rows of a column of two kinds by the ends; return the fraction that belongs. */
static double
divide_mixed(Search *search, const FlakeMixed *mixed)
{
	ListCell   *cell;

	foreach(cell, search->ends)
	{
		End		   *end = lfirst(cell);

		end->belonging = flake_mixed_below(mixed, true, &end->cut);
		end->below = end->belonging + flake_mixed_below(mixed, false, &end->cut);
	}
	return flake_mixed_below(mixed, true, NULL);
}

/*
 * Tell the estimates of all IDs, which an index reads, and return which fraction of those that
 * pass belongs: first as if all IDs were of that kind.  The column is not open any more: other
 * conditions may be estimated, too.
 */
static double
tell_mixed(Search *search, double of_kind, double nonnull)
{
	double		rows;
	ListCell   *cell;

	foreach(cell, search->ends)
		tell(lfirst(cell), ((End *) lfirst(cell))->belonging / of_kind * nonnull, nonnull);
	rows = estimated(search) * of_kind / nonnull;
	tell_all(search->ends, nonnull);
	return Min(rows / Max(estimated(search), 1e-10), 1.0);
}

/*
 * Estimate the comparisons of an ID that are ANDed with a call whose only argument is the
 * ID. "belongs" says which IDs pass the call, if it is a filter.
 *
 * Return the fraction that pass the call of the rows that pass the comparisons; 1 for a
 * second call, which finds nothing left to estimate.
 */
double
flake_passed(PlannerInfo *root, Oid function, List *args, int rel, FlakeBelongs belongs)
{
	Search		search = {.root = root, .id = flake_strip_relabeling(linitial(args))};
	FlakeColumn column = {0};
	FlakeMixed	mixed;
	double		of_kind;
	bool		is_mixed;

	search.rel = flake_relation_of(root, search.id);
	search.query = flake_find_named(root);
	if (search.rel == NULL || search.query == NULL || search.query->estimating)
		return 1.0;
	examine_variable(root, linitial(args), rel, &column.vardata);

	search.blind = !HeapTupleIsValid(column.vardata.statsTuple);

	/*
	 * this may evaluate expressions, so it comes before the column is opened:
	 * see read_values() in column.c
	 */
	find_ends((Node *) search.rel->baserestrictinfo, &search);
	find_ends((Node *) search.rel->joininfo, &search);
	if (!search.untold)
	{
		ReleaseVariableStats(column.vardata);
		return 1.0;
	}
	if (!flake_column_open_core(&column, root, column.vardata.acl_ok ? InvalidOid : function))
		return 1.0;
	divide(&search, &column);
	is_mixed = belongs != NULL && flake_mixed_open(&mixed, &column, belongs);
	of_kind = is_mixed ? divide_mixed(&search, &mixed) : 1.0;
	flake_column_close(&column);
	if (is_mixed)
		return tell_mixed(&search, of_kind, column.nonnull);
	tell_all(search.ends, column.nonnull);
	return 1.0;
}

/* Return the fraction of a column's IDs that belong, as far as statistics tell; 1: all, or not known. */
double
flake_passed_alone(PlannerInfo *root, Oid function, Node *id, FlakeBelongs belongs)
{
	FlakeColumn column = {0};
	FlakeMixed	mixed;
	double		part = 1.0;

	examine_variable(root, id, 0, &column.vardata);
	if (!flake_column_open_core(&column, root, column.vardata.acl_ok ? InvalidOid : function))
		return 1.0;
	if (flake_mixed_open(&mixed, &column, belongs))
		part = flake_mixed_below(&mixed, true, NULL) / column.nonnull;
	flake_column_close(&column);
	return part;
}

/* ---------- columns of our types ---------- */

static int
compare_ends(const ListCell *left, const ListCell *right)
{
	const FlakeCut *a = &((End *) lfirst(left))->cut;
	const FlakeCut *b = &((End *) lfirst(right))->cut;
	int			order = memcmp(a->id, b->id, FLAKE_MAX_BYTES);

	return order != 0 ? order : (int) a->after - (int) b->after;
}

/* Return the points that divide a column, in order: of an equality both before it and after it. */
static List *
points_of(FlakeColumn *column, const List *ends)
{
	List	   *points = NIL;
	ListCell   *cell;

	foreach(cell, ends)
	{
		End		   *end = lfirst(cell);
		End		   *after;

		points = lappend(points, end);
		if (end->strategy != BTEqualStrategyNumber)
			continue;
		after = palloc(sizeof(End));
		*after = *end;
		after->cut.after = true;
		after->below = flake_column_below(column, &after->cut);
		points = lappend(points, after);
	}
	points = list_truncate(points, ENDS_LIMIT);
	list_sort(points, compare_ends);
	return points;
}

/* Find the least ID at a point or after it; return false if there is none, or none that is below the next point. */
static bool
first_of_part(const FlakeFormat *format, const End *from, const End *to, uint8 *id)
{
	memset(id, 0, FLAKE_MAX_BYTES);
	if (from != NULL)
		memcpy(id, from->cut.id, FLAKE_MAX_BYTES);
	if (from != NULL && from->cut.after && !flake_neighbour(id, format->bytes, 1))
		return false;
	return to == NULL || flake_is_below(format, id, &to->cut);
}

/* Return a column's statistics with these most common values, which are all of its values. */
static HeapTuple
with_values(const FlakeColumn *column, Datum *ids, Datum *rows, int count)
{
	static TupleDesc descriptor = NULL;
	Datum		values[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	bool		replace[Natts_pg_statistic] = {0};
	int16		typlen;
	bool		typbyval;
	char		typalign;

	if (descriptor == NULL)
	{
		Relation	statistics = table_open(StatisticRelationId, AccessShareLock);
		MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);

		descriptor = CreateTupleDescCopy(RelationGetDescr(statistics));
		MemoryContextSwitchTo(caller);
		table_close(statistics, AccessShareLock);
	}
	for (int slot = 0; slot < STATISTIC_NUM_SLOTS; slot++)
	{
		replace[Anum_pg_statistic_stakind1 - 1 + slot] = true;
		replace[Anum_pg_statistic_stanumbers1 - 1 + slot] = nulls[Anum_pg_statistic_stanumbers1 - 1 + slot] = slot > 0;
		replace[Anum_pg_statistic_stavalues1 - 1 + slot] = nulls[Anum_pg_statistic_stavalues1 - 1 + slot] = slot > 0;
		values[Anum_pg_statistic_stakind1 - 1 + slot] = Int16GetDatum(slot == 0 ? STATISTIC_KIND_MCV : 0);
	}
	replace[Anum_pg_statistic_stanumbers1 - 1] = replace[Anum_pg_statistic_stavalues1 - 1] = true;
	get_typlenbyvalalign(column->type, &typlen, &typbyval, &typalign);
	values[Anum_pg_statistic_stanumbers1 - 1] = PointerGetDatum(construct_array(rows, count, FLOAT4OID, sizeof(float4), true, TYPALIGN_INT));
	values[Anum_pg_statistic_stavalues1 - 1] = PointerGetDatum(construct_array(ids, count, column->type, typlen, typbyval, typalign));
	return heap_modify_tuple(column->vardata.statsTuple, descriptor, values, nulls, replace);
}

/* Return statistics of a column whose rows are divided by ends: a most common value in each part. */
static HeapTuple
as_statistics(FlakeColumn *column, const List *ends)
{
	List	   *points = points_of(column, ends);
	int			count = list_length(points);
	/* aligned: an ID that is passed by value is read as a Datum */
	uint8	  (*ids)[MAXALIGN(FLAKE_MAX_BYTES)] = palloc((count + 1) * sizeof(*ids));
	Datum	   *values = palloc((count + 1) * sizeof(Datum));
	Datum	   *rows = palloc((count + 1) * sizeof(Datum));
	int			found = 0;
	double		before = 0.0;

	for (int i = 0; i <= count; i++)
	{
		const End  *from = i > 0 ? list_nth(points, i - 1) : NULL;
		const End  *to = i < count ? list_nth(points, i) : NULL;
		double		upto = to == NULL ? column->nonnull : Max(to->below, before);

		if (!first_of_part(column->format, from, to, ids[found]))
			continue;
		values[found] = column->format->bytes == 8 && FLOAT8PASSBYVAL ? *(Datum *) ids[found] : PointerGetDatum(ids[found]);
		rows[found++] = Float4GetDatum((float4) Max(upto - before, 0.0));
		before = upto;
	}
	return with_values(column, values, rows, found);
}

/*
 * The same for one comparison alone: statistics without values, for which core takes half of the rows
 * that are not null.
 */
static HeapTuple
as_half(HeapTuple statistics, double selectivity)
{
	HeapTuple	copy = heap_copytuple(statistics);
	Form_pg_statistic form = (Form_pg_statistic) GETSTRUCT(copy);

	form->stanullfrac = (float4) (1.0 - 2.0 * selectivity);
	form->stakind1 = form->stakind2 = form->stakind3 = form->stakind4 = form->stakind5 = 0;
	return copy;
}

/* Return the condition that the planner is estimating: the first one that is not estimated; NULL: none. */
static const RestrictInfo *
current(const RelOptInfo *rel)
{
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		const RestrictInfo *info = lfirst(cell);

		if (info->norm_selec < 0.0 && !info->pseudoconstant)
			return info;
	}
	return NULL;
}

/* Tell the estimates of an open column's ends, and return statistics for the one that the planner is estimating. */
static HeapTuple
answer(Search *search, FlakeColumn *column, const RestrictInfo *estimated)
{
	ListCell   *cell;

	divide(search, column);
	tell_all(search->ends, column->nonnull);
	foreach(cell, search->bare ? NIL : search->ends)
	{
		const End  *end = lfirst(cell);

		if (end->info == estimated && end->strategy != BTEqualStrategyNumber)
			return as_half(column->vardata.statsTuple, estimated->norm_selec);
	}
	return as_statistics(column, search->ends);
}

/* Answer for the statistics of a column of our types whose table is about to be estimated; return false: they are as they are. */
bool
flake_answer(PlannerInfo *root, RelOptInfo *rel, VariableStatData *data)
{
	static VariableStatData *asked; /* what is asked for here */
	Search		search = {.root = root,.rel = rel,.id = data->var};
	FlakeColumn column = {0};
	const RestrictInfo *estimated = current(rel);
	int			ends;

	if (data == asked || (estimated == NULL && rel->joininfo == NIL))
		return false;
	find_ends((Node *) rel->baserestrictinfo, &search);
	ends = list_length(search.ends);
	find_ends((Node *) rel->joininfo, &search);
	/* core takes conditions of the table out of the ORs of joins, and estimates these first */
	search.bare = search.bare || list_length(search.ends) > ends;
	if (!search.untold && !search.bare)
		return false;
	asked = &column.vardata;
	examine_variable(root, data->var, 0, asked);
	asked = NULL;
	if (!HeapTupleIsValid(column.vardata.statsTuple))
	{
		ReleaseVariableStats(column.vardata);
		return false;
	}
	if (!flake_column_open(&column, root, get_opcode(((End *) linitial(search.ends))->operator)))
		return false;
	if (column.known && column.histogram.nvalues + column.mcv.nvalues > 0)
	{
		data->statsTuple = answer(&search, &column, estimated);
		data->freefunc = heap_freetuple;
		data->acl_ok = column.vardata.acl_ok;
	}
	flake_column_close(&column);
	return HeapTupleIsValid(data->statsTuple);
}
