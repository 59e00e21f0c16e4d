/*
 * estimate.c
 *		How many rows satisfy comparisons of an ID: a column and its ends become numbers.
 *
 * Core estimates a comparison by the column's statistics, and the two ends of a range as one
 * condition.  But it cannot interpolate between two IDs: see column.c.
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
#include "utils/array.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* A column's rows are divided by at most so many ends; the others are as core estimates them. */
#define ENDS_LIMIT		64

/* A point at which a comparison of the ID with a constant divides the rows. */
typedef struct End
{
	RestrictInfo *info;			/* where the planner keeps its estimate; NULL:
								 * nowhere */
	Oid			operator;
	const Const *bound;
	int			strategy;
	FlakeCut	cut;
	double		below;			/* the fraction of the rows below it ... */
	double		belonging;		/* ... and if all rows were of the kind that
								 * belongs */
} End;

/* The ends that an ID is compared with in the conditions of its table. */
typedef struct Search
{
	PlannerInfo *root;
	RelOptInfo *rel;
	Node	   *id;
	List	   *ends;
	List	   *lists;			/* = ANY of constants: core needs their points
								 * only where it is answered anyway */
	List	   *infos;			/* the RestrictInfos of these, and of ORs */
	bool		blind;			/* without statistics: core's estimate is
								 * told, for which it would evaluate what the
								 * ID is compared with, for each empty
								 * partition */
	bool		untold;			/* one is not estimated yet ... */
	bool		bare;			/* ... and one never is: there is no place */
} Search;

/* ---------- the ends ---------- */

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

	end->info = info;
	end->operator = operator;
	end->bound = bound;
	end->strategy = strategy;
	search->ends = lappend(search->ends, end);
}

/* Add what a comparison compares the ID with, if that is known now; return false if it is none of the ID. */
static bool
read_comparison(Search *search, RestrictInfo *info, Oid operator, Node *left, Node *right)
{
	int			side = equal(flake_strip_relabeling(left), search->id) ? 0 :
		equal(flake_strip_relabeling(right), search->id) ? 1 : -1;
	int			strategy = side < 0 ? 0 : strategy_of(operator);
	Const	   *bound;
	bool		bare;

	if (strategy == 0)
		return false;
	if (search->blind)
	{
		if (info != NULL && info->norm_selec < 0.0 && strategy != BTEqualStrategyNumber)
			info->norm_selec = DEFAULT_INEQ_SEL;
		return true;
	}
	bound = (Const *) (side == 0 ? right : left);
	if (!IsA(bound, Const))
		bound = (Const *) estimate_expression_value(search->root, (Node *) bound);
	if (!flake_is_constant((Node *) bound))
		return true;
	bare = info == NULL;
	if (!bare && info->norm_selec >= 0.0)
		info = NULL;
	search->infos = lappend(search->infos, info);
	if (strategy != BTEqualStrategyNumber)
	{
		search->bare |= bare;
		search->untold |= info != NULL;
		add_end(search, info, operator, bound, side == 0 ? strategy : flake_commuted(strategy));
	}
	else
	{
		/*
		 * the points before it and after it; the estimate is core's, which
		 * needs none of this
		 */
		add_end(search, NULL, operator, bound, BTLessStrategyNumber);
		add_end(search, NULL, operator, bound, BTLessEqualStrategyNumber);
	}
	return true;
}

/* Add the members of a list of constants. */
static void
read_members(Search *search, const ScalarArrayOpExpr *list)
{
	ArrayType  *array = DatumGetArrayTypeP(((Const *) lsecond(list->args))->constvalue);
	ArrayIterator members = array_create_iterator(array, 0, NULL);
	Oid			type = ARR_ELEMTYPE(array);
	Datum		value;
	bool		isnull;

	for (int i = 0; i < ENDS_LIMIT && array_iterate(members, &value, &isnull); i++)
		if (!isnull)
			(void) read_comparison(search, NULL, list->opno, search->id,
								   (Node *) makeConst(type, -1, InvalidOid, get_typlen(type), value, false, get_typbyval(type)));
}

/* The same, but core, which asks for each member of a list, estimates = ANY by the statistics as they are. */
static void
read_list(Search *search, ScalarArrayOpExpr *list)
{
	int			strategy = strategy_of(list->opno);

	if (strategy == 0 || !flake_is_constant(lsecond(list->args)) || !equal(flake_strip_relabeling(linitial(list->args)), search->id))
		return;
	if (strategy == BTEqualStrategyNumber)
		search->lists = lappend(search->lists, list);
	else
		read_members(search, list);
}

/*
 * Tell the estimate of a comparison of an ID, on the left, that core shall multiply with the others.  It would
 * take the comparison for an end of a range otherwise, and add the NULLs, which two ends exclude twice: so the
 * right side is said to have columns.  (No table has the number 0.)
 */
void
flake_tell_alone(RestrictInfo *info, double selectivity)
{
	MemoryContext caller = MemoryContextSwitchTo(GetMemoryChunkContext(info));

	info->norm_selec = info->outer_selec = selectivity;
	if (bms_is_empty(info->right_relids))
		info->right_relids = bms_make_singleton(0);
	MemoryContextSwitchTo(caller);
}

/*
 * Tell the estimate of a comparison that says itself what it is; return false if it does not.  For the start
 * of a range that is a column core takes a third of the rows; so the end is what is missing then.
 */
bool
flake_tell_marked(RestrictInfo *info)
{
	int			mark = IsA(info->clause, OpExpr) ? ((OpExpr *) info->clause)->location : -1;

	if (flake_is_redundant((Node *) info->clause))
		flake_tell_alone(info, 1.0);
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
	/* after so many that need no answer, or have one, the others are left to core */
	if (!search->untold && list_length(search->ends) >= 2 * ENDS_LIMIT)
		return true;
	CHECK_FOR_INTERRUPTS();
	if (IsA(node, RestrictInfo))
	{
		info = (RestrictInfo *) node;
		node = (Node *) (info->orclause ? info->orclause : info->clause);
		if (info->orclause != NULL)
			search->infos = lappend(search->infos, info);
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

/*
 * Read a text as a point: the beginning of an ID is before the IDs that begin with it.  A text that is after all
 * IDs, as '8', is none, and core's estimate is right.
 */
static bool
cut_by_text(const FlakeColumn *column, const text *value, FlakeCut *cut)
{
	char		letters[FLAKE_MAX_TEXT];
	size_t		length = Min((size_t) VARSIZE_ANY_EXHDR(value), column->format->text_length);

	memset(letters, '0', column->format->text_length);
	memcpy(letters, VARDATA_ANY(value), length);
	return ulid_read_text(letters, column->format->text_length, true, cut->id);
}

/* Read the bound as a point; return false if it is neither an instant nor an ID, nor the beginning of one. */
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

/* Tell the planner the estimates of the ends, of all rows that are not null; "belonging": as if all were of that kind. */
static void
tell_all(const List *ends, bool belonging, double nonnull)
{
	ListCell   *cell;

	foreach(cell, ends)
	{
		const End  *end = lfirst(cell);
		double		below = belonging ? end->belonging : end->below;
		double		selectivity = flake_is_lower_end(end->strategy) ? nonnull - below : below;

		CLAMP_PROBABILITY(selectivity);
		if (end->info != NULL)
			end->info->norm_selec = end->info->outer_selec = selectivity;
	}
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
	FlakeNamed *query = flake_find_named(search->root);
	List	   *conditions = NIL;
	double		selectivity;
	ListCell   *cell;

	foreach(cell, search->infos)
	{
		RestrictInfo *info = lfirst(cell);

		if (info != NULL && info->orclause != NULL)
			info->norm_selec = -1.0;
	}
	foreach(cell, search->rel->baserestrictinfo)
	{
		if (list_member_ptr(search->infos, lfirst(cell)))
			conditions = lappend(conditions, lfirst(cell));
	}
	query->estimating = true;
	selectivity = clauselist_selectivity(search->root, conditions, 0, JOIN_INNER, NULL);
	query->estimating = false;
	return selectivity;
}

/* Divide the rows of a column of two kinds by the ends; return the fraction that belongs. */
static double
divide_mixed(Search *search, const FlakeMixed *mixed, double nonnull)
{
	double		of_kind = flake_mixed_below(mixed, true, NULL);
	ListCell   *cell;

	foreach(cell, search->ends)
	{
		End		   *end = lfirst(cell);
		double		belonging = flake_mixed_below(mixed, true, &end->cut);

		end->below = belonging + flake_mixed_below(mixed, false, &end->cut);
		end->belonging = belonging / of_kind * nonnull;
	}
	return of_kind;
}

/*
 * Tell the estimates of all IDs, which an index reads, and return which fraction of those that
 * pass belongs.  The column is not open any more: other conditions may be estimated, too.
 */
static double
tell_mixed(Search *search, double of_kind, double nonnull)
{
	double		rows;

	tell_all(search->ends, true, nonnull);
	rows = estimated(search) * of_kind / nonnull;
	tell_all(search->ends, false, nonnull);
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
	const FlakeNamed *query = flake_find_named(root);
	FlakeColumn column = {0};
	FlakeMixed	mixed;
	double		of_kind;
	bool		is_mixed;

	search.rel = flake_relation_of(root, search.id);
	if (search.rel == NULL || query == NULL || query->estimating)
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
	if (!flake_column_open(&column, root, function))
		return 1.0;
	divide(&search, &column);
	is_mixed = belongs != NULL && flake_mixed_open(&mixed, &column, belongs);
	of_kind = is_mixed ? divide_mixed(&search, &mixed, column.nonnull) : 1.0;
	ReleaseVariableStats(column.vardata);
	if (is_mixed)
		return tell_mixed(&search, of_kind, column.nonnull);
	tell_all(search.ends, false, column.nonnull);
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
	if (!flake_column_open(&column, root, function))
		return 1.0;
	if (flake_mixed_open(&mixed, &column, belongs))
		part = flake_mixed_below(&mixed, true, NULL) / column.nonnull;
	ReleaseVariableStats(column.vardata);
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

/* Return a column's statistics with these most common values, which are all of its values. */
static HeapTuple
with_values(const FlakeColumn *column, Datum *ids, Datum *rows, int count)
{
	Relation	statistics = table_open(StatisticRelationId, AccessShareLock);
	Datum		values[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	bool		replace[Natts_pg_statistic] = {0};
	int16		typlen;
	bool		typbyval;
	char		typalign;
	HeapTuple	result;
	Form_pg_statistic form;

	get_typlenbyvalalign(column->type, &typlen, &typbyval, &typalign);
	values[Anum_pg_statistic_stanumbers1 - 1] = PointerGetDatum(construct_array(rows, count, FLOAT4OID, sizeof(float4), true, TYPALIGN_INT));
	values[Anum_pg_statistic_stavalues1 - 1] = PointerGetDatum(construct_array(ids, count, column->type, typlen, typbyval, typalign));
	replace[Anum_pg_statistic_stanumbers1 - 1] = replace[Anum_pg_statistic_stavalues1 - 1] = true;
	result = heap_modify_tuple(column->vardata.statsTuple, RelationGetDescr(statistics), values, nulls, replace);
	table_close(statistics, AccessShareLock);
	form = (Form_pg_statistic) GETSTRUCT(result);
	form->stakind1 = STATISTIC_KIND_MCV;
	form->stakind2 = form->stakind3 = form->stakind4 = form->stakind5 = 0;
	return result;
}

/*
 * Return statistics of a column whose rows are divided by ends: a most common value in each part, which is
 * the least ID that may be in it.
 */
static HeapTuple
as_statistics(FlakeColumn *column, const List *ends)
{
	const FlakeFormat *format = column->format;
	List	   *points = list_truncate(list_copy(ends), ENDS_LIMIT);
	int			count = list_length(points);
	Datum	   *values = palloc((count + 1) * sizeof(Datum));
	Datum	   *rows = palloc((count + 1) * sizeof(Datum));
	int			found = 0;
	double		before = 0.0;

	list_sort(points, compare_ends);
	for (int i = 0; i <= count; i++)
	{
		const End  *from = i > 0 ? list_nth(points, i - 1) : NULL;
		const End  *to = i < count ? list_nth(points, i) : NULL;
		double		upto = to == NULL ? column->nonnull : Max(to->below, before);
		uint8	   *id = palloc0(FLAKE_MAX_BYTES);

		if (from != NULL)
			memcpy(id, from->cut.id, FLAKE_MAX_BYTES);
		if ((from != NULL && from->cut.after && !flake_neighbour(id, format->bytes, 1)) ||
			(to != NULL && !flake_is_below(format, id, &to->cut)))
			continue;
		values[found] = format->bytes == 8 && FLOAT8PASSBYVAL ? *(Datum *) id : PointerGetDatum(id);
		rows[found++] = Float4GetDatum((float4) Max(upto - before, 0.0));
		before = upto;
	}
	return with_values(column, values, rows, found);
}

/*
 * The same for one comparison alone, in fewer instructions: statistics without values, for which core takes
 * half of the rows that are not null.
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

/*
 * Is it a comparison of the ID that divides no rows, as <> is?  Core estimates it by the statistics as they are.  A
 * query may have thousands, and for each of them all of its conditions would be looked at.  (Before the first of all
 * conditions, core may be estimating what it has taken out of the ORs of joins.)
 */
static bool
is_of_another_kind(const RelOptInfo *rel, const RestrictInfo *info, const Node *id)
{
	const OpExpr *comparison = info == NULL ? NULL : (const OpExpr *) info->clause;

	return comparison != NULL && IsA(comparison, OpExpr) && strategy_of(comparison->opno) == 0 &&
		(rel->joininfo == NIL || info != linitial(rel->baserestrictinfo)) &&
		(equal(flake_strip_relabeling(linitial(comparison->args)), id) || equal(flake_strip_relabeling(llast(comparison->args)), id));
}

/* Answer for the statistics of a column of our types whose table is about to be estimated; return false: they are as they are. */
bool
flake_answer(PlannerInfo *root, RelOptInfo *rel, VariableStatData *data)
{
	static VariableStatData *asked; /* what is asked for here */
	Search		search = {.root = root, .rel = rel, .id = data->var};
	FlakeColumn column = {0};
	const RestrictInfo *estimated = current(rel);
	Oid			type = data->vartype;	/* which may be a domain over another
										 * type than ours */
	int			ends;
	ListCell   *cell;

	if (data == asked || is_of_another_kind(rel, estimated, data->var))
		return false;
	find_ends((Node *) rel->baserestrictinfo, &search);
	ends = list_length(search.ends);
	find_ends((Node *) rel->joininfo, &search);

	/*
	 * core takes conditions of the table out of the ORs of joins, and
	 * estimates these first
	 */
	search.bare = search.bare || list_length(search.ends) > ends;
	if ((!search.untold && !search.bare) || flake_format_of_type(&type) == NULL)
	{
		list_free_deep(search.ends);
		return false;
	}
	foreach(cell, search.lists)
		read_members(&search, lfirst(cell));
	asked = &column.vardata;
	examine_variable(root, data->var, 0, asked);
	asked = NULL;
	if (!flake_column_open(&column, root, get_opcode(((End *) linitial(search.ends))->operator)))
		return false;
	divide(&search, &column);
	if (search.ends == NIL)
	{
		ReleaseVariableStats(column.vardata);
		return false;
	}
	tell_all(search.ends, false, column.nonnull);
	foreach(cell, search.bare ? NIL : search.ends)
	{
		if (estimated != NULL && ((End *) lfirst(cell))->info == estimated)
			data->statsTuple = as_half(column.vardata.statsTuple, estimated->norm_selec);
	}
	if (data->statsTuple == NULL)
		data->statsTuple = as_statistics(&column, search.ends);
	data->freefunc = heap_freetuple;
	data->acl_ok = column.vardata.acl_ok;
	ReleaseVariableStats(column.vardata);
	return true;
}
