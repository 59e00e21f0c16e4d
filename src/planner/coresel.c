/*
 * coresel.c
 *		Estimates for core's comparisons of a uuid or text that bound.c has made from
 *		conditions on time.
 *
 * The planner keeps a clause's estimate in its RestrictInfo, in norm_selec, and calls the
 * estimator only if nothing is kept there.  The filter is_uuid7(id) or the marker is_ulid(id)
 * precedes the comparisons, so the planner asks its support function first, which puts the
 * estimates there.  A clause that has already been estimated is left alone, and so is one
 * about which nothing is known: then the estimate is core's.  The same would happen in a
 * PostgreSQL that estimates in another order.
 *
 * A range that is a column, mostly of another table, has become two comparisons with its
 * ends, for each of which core assumes a third of the rows.  There the call is
 * flakeid_is_range(r), and the two together get core's estimate for <@.
 *
 * Each of the two comparisons of a range has a call of its own, because the planner
 * simplifies one after the other.  drop_repeated() removes the second one.
 */
#include "planner/planner.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"

/* At most so many values are remembered; a list of conditions is searched for each of its own. */
#define VALUES_LIMIT	16

/* A comparison of the ID with a constant, and the place where the planner keeps its selectivity. */
typedef struct Clause
{
	RestrictInfo *info;
	const Const *bound;			/* NULL: the begin of an instant that is not known */
	int			strategy;
	bool		greater;		/* id > or >= bound */

	/*
	 * The OR that it is an arm of, or the AND below one; NULL if it must be
	 * true of all rows.
	 */
	const Node *within;
	double		selectivity;	/* once it is estimated */
	bool		told;			/* the planner has an estimate already */
} Clause;

/* ---------- values known while planning ---------- */

/*
 * The values of expressions in the query that is being planned.  Each partition is
 * compared with the same bounds, and evaluating uuid7_min(now()) takes longer than
 * estimating the comparison.
 */
static struct
{
	const PlannerGlobal *query; /* or NULL */
	List	   *exprs;
	List	   *values;			/* as many; a Const where the value is known */
}			known;

static void
forget_values(void *query)
{
	if (known.query == query)
		known.query = NULL;
}

/*
 * Return an expression's value: a Const if it is known while planning, otherwise something
 * else.  This may run functions, and plan their queries.
 */
static Node *
value_of(PlannerInfo *root, Node *expr)
{
	MemoryContext caller;
	Node	   *value;
	ListCell   *cell;
	ListCell   *of;

	if (IsA(expr, Const))
		return expr;
	if (known.query == root->glob)
	{
		forboth(cell, known.exprs, of, known.values)
		{
			if (equal(lfirst(cell), expr))
				return lfirst(of);
		}
	}
	value = estimate_expression_value(root, expr);

	caller = MemoryContextSwitchTo(root->planner_cxt);
	if (known.query != root->glob)
	{
		MemoryContextCallback *callback = palloc(sizeof(MemoryContextCallback));

		callback->func = forget_values;
		callback->arg = root->glob;
		MemoryContextRegisterResetCallback(root->planner_cxt, callback);
		known.query = root->glob;
		known.exprs = known.values = NIL;
	}
	if (list_length(known.exprs) < VALUES_LIMIT)
	{
		known.exprs = lappend(known.exprs, copyObject(expr));
		known.values = lappend(known.values, value = copyObject(value));
	}
	MemoryContextSwitchTo(caller);
	return value;
}

/* ---------- the comparisons ---------- */

/* Return the strategy of core's ordering operators; 0 of another one. */
static int
strategy_of(Oid operator)
{
	switch (get_oprrest(operator))
	{
		case F_SCALARLTSEL:
			return BTLessStrategyNumber;
		case F_SCALARLESEL:
			return BTLessEqualStrategyNumber;
		case F_SCALARGESEL:
			return BTGreaterEqualStrategyNumber;
		case F_SCALARGTSEL:
			return BTGreaterStrategyNumber;
		default:
			return 0;
	}
}

/* Read a clause; return false if it does not compare the ID with a value that is known now. */
static bool
read_clause(PlannerInfo *root, RestrictInfo *info, Node *id, Clause *clause)
{
	FlakeComparison comparison;
	Node	   *other;

	if (!flake_read_clause((Node *) info, id, strategy_of, &comparison))
		return false;
	other = value_of(root, comparison.other);
	if (!flake_is_constant(other) && ((OpExpr *) info->clause)->location != FLAKE_ONE_TIME)
		return false;
	clause->info = info;
	clause->bound = flake_is_constant(other) ? (Const *) other : NULL;
	clause->strategy = comparison.strategy;
	clause->greater = flake_is_lower_end(comparison.strategy);
	clause->told = info->norm_selec >= 0.0;
	return true;
}

/* Add the comparisons of the ID in a condition, or in a list of conditions, to those found. */
static List *
find_comparisons(PlannerInfo *root, Node *node, Node *id, const Node *within, List *found)
{
	RestrictInfo *info = NULL;
	Clause		clause;

	if (node == NULL)
		return found;
	if (IsA(node, RestrictInfo))
	{
		info = (RestrictInfo *) node;
		node = (Node *) (info->orclause ? info->orclause : info->clause);
	}
	if (IsA(node, List) || is_andclause(node) || is_orclause(node))
	{
		ListCell   *cell;

		CHECK_FOR_INTERRUPTS();
		if (within != NULL || is_orclause(node))
			within = node;
		foreach(cell, IsA(node, List) ? (List *) node : ((BoolExpr *) node)->args)
			found = find_comparisons(root, lfirst(cell), id, within, found);
	}
	else if (info != NULL && flake_is_redundant((Node *) info->clause))
		info->norm_selec = 1.0;
	else if (info != NULL && read_clause(root, info, id, &clause))
	{
		clause.within = within;
		found = lappend(found, memcpy(palloc(sizeof(Clause)), &clause, sizeof(Clause)));
	}
	return found;
}

/* Return the relation whose conditions may contain the ID, or NULL. */
static RelOptInfo *
relation_of(PlannerInfo *root, Node *id)
{
	int			relid;

	if (root->simple_rel_array == NULL)
		return NULL;
	if (IsA(id, Var) && ((Var *) id)->varlevelsup == 0)
		relid = ((Var *) id)->varno;
	else if (!bms_get_singleton_member(pull_varnos(root, id), &relid))
		return NULL;
	return relid > 0 && relid < root->simple_rel_array_size ? root->simple_rel_array[relid] : NULL;
}

/* ---------- what they let through ---------- */

/*
 * Read the bound as a point; return false if it is neither an ID nor the beginning or end
 * of all IDs.
 */
static bool
read_cut(const FlakeColumn *column, const Clause *comparison, FlakeCut *cut)
{
	char		letters[FLAKE_MAX_TEXT];
	const		text *value;
	size_t		length;

	cut->after = flake_divides_after(comparison->strategy);
	if (comparison->bound->consttype != column->type && getBaseType(comparison->bound->consttype) != column->type)
		return false;
	if (column->type == UUIDOID)
	{
		memcpy(cut->id, DatumGetPointer(comparison->bound->constvalue), column->format->bytes);
		return true;
	}

	/*
	 * '8' is after all IDs, and the beginning of an ID is before the IDs that
	 * begin with it
	 */
	value = DatumGetTextPP(comparison->bound->constvalue);
	length = Min((size_t) VARSIZE_ANY_EXHDR(value), column->format->text_length);
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

/* The fraction of the rows of a kind between all the ends that have been looked at. */
typedef struct Window
{
	double		first;
	double		last;
} Window;

static void
narrow(Window *window, bool greater, double below)
{
	if (greater)
		window->first = Max(window->first, below);
	else
		window->last = Min(window->last, below);
}

/*
 * Put the selectivity of a comparison into its RestrictInfo, unless the planner already
 * has one.  For a range the planner combines the selectivities of both ends, so both must
 * come from the same estimator.  A comparison before the filter already has core's; then
 * correct the other end by the difference.
 */
static void
tell(const List *found)
{
	/* The tightest end of either direction: our estimate, and the planner's. */
	double		known_best[2] = {1.0, 1.0};
	double		told_best[2] = {1.0, 1.0};
	ListCell   *cell;

	foreach(cell, found)
	{
		const Clause *comparison = lfirst(cell);

		if (!comparison->told)
			comparison->info->norm_selec = comparison->selectivity;
		if (comparison->within != NULL)
			continue;
		known_best[comparison->greater] = Min(known_best[comparison->greater], comparison->selectivity);
		told_best[comparison->greater] = Min(told_best[comparison->greater], comparison->info->norm_selec);
	}
	foreach(cell, found)
	{
		const Clause *comparison = lfirst(cell);
		double		selectivity = comparison->selectivity +
			known_best[!comparison->greater] - told_best[!comparison->greater];

		if (comparison->told || comparison->within != NULL)
			continue;
		CLAMP_PROBABILITY(selectivity);
		comparison->info->norm_selec = selectivity;
	}
}

/*
 * No row satisfies both arms of id < a OR id >= b, into which NOT turns a range.  Core
 * takes the arms of an OR to be independent and subtracts the rows that would be in both.
 * In a column of two kinds, one may be in the first arm and the other in the second; so
 * add to the second arm what core is going to subtract.
 */
static void
tell_disjoint(const List *found)
{
	for (int i = 0; i < list_length(found); i++)
	{
		const Clause *first = list_nth(found, i);

		if (first->within == NULL || !is_orclause(first->within) || first->info->norm_selec >= 1.0)
			continue;
		for (int j = i + 1; j < list_length(found); j++)
		{
			const Clause *second = list_nth(found, j);
			double		selectivity;

			if (second->within != first->within)
				break;
			if (second->told || second->greater == first->greater ||
				first->selectivity + second->selectivity > 1.0)
				continue;
			selectivity = second->selectivity / (1.0 - first->info->norm_selec);
			CLAMP_PROBABILITY(selectivity);
			second->info->norm_selec = selectivity;
			break;
		}
	}
}

/* The rows of a kind that satisfy the comparisons looked at so far. */
typedef struct Passing
{
	Window		window;			/* those that must be true of all rows */
	double		arms;			/* those in an arm of the OR */
} Passing;

/*
 * Estimate a comparison for each kind of IDs, and add it to what passes.  Return the
 * fraction of all rows that is below the cut.
 */
static double
below_by_kind(const FlakeMixed *mixed, const Clause *comparison, const FlakeCut *cut, Passing *passing)
{
	double		below = 0.0;

	for (int i = 0; i < 2; i++)
	{
		double		of_kind = flake_mixed_below(mixed, i, cut);

		if (comparison->within == NULL)
			narrow(&passing[i].window, comparison->greater, of_kind);
		else
			passing[i].arms += comparison->greater ? flake_mixed_all(mixed, i) - of_kind : of_kind;
		below += of_kind;
	}
	return below;
}

/*
 * Return the fraction that belongs of the rows that pass; "arms" says whether they must be
 * in an OR's arm, too.
 */
static double
belonging(const FlakeMixed *mixed, const Passing *passing, bool arms)
{
	double		rows[2];

	for (int i = 0; i < 2; i++)
	{
		rows[i] = Max(Min(passing[i].window.last, flake_mixed_all(mixed, i)) - passing[i].window.first, 0.0);
		if (arms)
			rows[i] = Min(rows[i], passing[i].arms);
	}
	return rows[0] + rows[1] > 0.0 ? rows[0] / (rows[0] + rows[1]) : 1.0;
}

/* Estimate the fraction of the rows that have one time, of milliseconds: they fall into these at random. */
static double
of_one_time(const FlakeColumn *column)
{
	const AttStatsSlot *histogram = &column->histogram;
	double		rows = column->vardata.rel != NULL ? column->vardata.rel->tuples : 0.0;
	double		units;

	if (histogram->nvalues < 2 || rows <= 0.0)
		return DEFAULT_RANGE_INEQ_SEL;
	units = flake_way(column->format, flake_datum_bytes(column->format, &histogram->values[0]),
					  flake_datum_bytes(column->format, &histogram->values[histogram->nvalues - 1])) / 1000.0 + 1.0;
	return column->nonnull / Max(-units * expm1(-rows / units), 1.0);
}

/*
 * Estimate the comparisons, and tell the planner.  For a column of two kinds, return the
 * fraction that belongs of the rows between all ends, or outside them for NOT of a range;
 * else 1.
 */
static double
estimate(FlakeColumn *column, List *found, FlakeBelongs belongs)
{
	FlakeMixed	mixed;
	bool		is_mixed = belongs != NULL && flake_mixed_open(&mixed, column, belongs);
	Passing		passing[2] = {{{0.0, 1.0}, 0.0}, {{0.0, 1.0}, 0.0}};
	const Node *arms = NULL;	/* the OR that comparisons are arms of */
	bool		simple = true;	/* and there is no other, nor an AND in it */
	ListCell   *cell;

	foreach(cell, found)
	{
		Clause	   *comparison = lfirst(cell);
		FlakeCut	cut;
		double		below;

		if (comparison->bound == NULL && !comparison->told)
			comparison->info->norm_selec = of_one_time(column);
		if (comparison->bound == NULL || !read_cut(column, comparison, &cut))
		{
			found = foreach_delete_current(found, cell);
			continue;
		}
		if (comparison->within != NULL)
		{
			simple = simple && is_orclause(comparison->within) && (arms == NULL || arms == comparison->within);
			arms = comparison->within;
		}
		below = is_mixed ? below_by_kind(&mixed, comparison, &cut, passing) : flake_column_below(column, &cut);
		if (comparison->greater)
			below = column->nonnull - below;
		CLAMP_PROBABILITY(below);
		comparison->selectivity = below;
	}
	tell(found);
	if (is_mixed)
		tell_disjoint(found);
	return is_mixed && simple ? belonging(&mixed, passing, arms != NULL) : 1.0;
}

/*
 * Tell the planner core's estimate for comparisons of a column without statistics.  Core
 * would first evaluate the bounds, for each empty partition.
 */
static void
tell_default(const List *found)
{
	ListCell   *cell;

	foreach(cell, found)
	{
		const Clause *comparison = lfirst(cell);

		if (!comparison->told)
			comparison->info->norm_selec = comparison->bound == NULL ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
	}
}

/* Does the planner have an estimate for each of the comparisons? */
static bool
all_told(const List *found)
{
	ListCell   *cell;

	foreach(cell, found)
	{
		if (!((const Clause *) lfirst(cell))->told)
			return false;
	}
	return true;
}

/*
 * Remove a call from the conditions of its relation where it is repeated: those of WHERE
 * and of ON have one each.  The planner asks about the first one while it
 * goes through the list, and has not reached the others yet.  (Extended statistics are
 * applied by the positions of conditions, so nothing is removed where there are any.)
 */
static void
drop_repeated(RelOptInfo *relation, Oid function)
{
	RestrictInfo *first = NULL;
	ListCell   *cell;

	if (relation->statlist != NIL)
		return;
	foreach(cell, relation->baserestrictinfo)
	{
		RestrictInfo *info = lfirst(cell);

		if (!IsA(info->clause, FuncExpr) || ((FuncExpr *) info->clause)->funcid != function)
			continue;
		if (first == NULL)
			first = info;
		else if (info->security_level == first->security_level && equal(info->clause, first->clause) &&
				 (IsA(linitial(((FuncExpr *) info->clause)->args), Var) || !contain_volatile_functions((Node *) info->clause)))
			relation->baserestrictinfo = foreach_delete_current(relation->baserestrictinfo, cell);
	}
}

/*
 * Estimate the comparisons of an ID that are ANDed with a call whose only argument is the
 * ID. "belongs" says which IDs pass the call, if it is a filter.
 *
 * Return the fraction that pass the call of the rows that pass the comparisons; 1 for a
 * second call, which finds nothing left to estimate.
 */
double
flake_core_selectivity(PlannerInfo *root, Oid function, List *args, int rel, FlakeBelongs belongs)
{
	Node	   *id = flake_strip_relabeling(linitial(args));
	RelOptInfo *relation = relation_of(root, id);
	FlakeColumn column = {0};
	List	   *found = NIL;
	double		passed;

	if (relation == NULL)
		return 1.0;
	drop_repeated(relation, function);
	examine_variable(root, linitial(args), rel, &column.vardata);

	/*
	 * this may evaluate expressions, so it comes before the column is opened:
	 * see read_values() in column.c
	 */
	found = find_comparisons(root, (Node *) relation->baserestrictinfo, id, NULL, NIL);
	found = find_comparisons(root, (Node *) relation->joininfo, id, (Node *) relation->joininfo, found);
	if (!HeapTupleIsValid(column.vardata.statsTuple) || all_told(found))
	{
		tell_default(found);
		ReleaseVariableStats(column.vardata);
		return 1.0;
	}
	if (!flake_column_open_core(&column, root, column.vardata.acl_ok ? InvalidOid : function))
		return 1.0;
	passed = estimate(&column, found, belongs);
	flake_column_close(&column);
	return passed;
}

/* Return the fraction of a column's IDs that belong, as far as statistics tell; 1: all, or not known. */
double
flake_core_part(PlannerInfo *root, Oid function, Node *id, FlakeBelongs belongs)
{
	FlakeColumn column = {0};
	FlakeMixed	mixed;
	const Passing passing[2] = {{{0.0, 1.0}, 0.0}, {{0.0, 1.0}, 0.0}};
	double		part = 1.0;

	examine_variable(root, id, 0, &column.vardata);
	if (!HeapTupleIsValid(column.vardata.statsTuple))
	{
		ReleaseVariableStats(column.vardata);
		return 1.0;
	}
	if (!flake_column_open_core(&column, root, column.vardata.acl_ok ? InvalidOid : function))
		return 1.0;
	if (flake_mixed_open(&mixed, &column, belongs))
		part = belonging(&mixed, passing, false);
	flake_column_close(&column);
	return part;
}

/* ---------- ranges that are columns ---------- */

/* Estimate the comparisons with the ends of ranges in a condition, or in a list of conditions. */
static void
tell_ranges(Node *node)
{
	RestrictInfo *info = NULL;
	OpExpr	   *clause;
	int			strategy;
	double		selectivity;

	if (node == NULL)
		return;
	if (IsA(node, RestrictInfo))
	{
		info = (RestrictInfo *) node;
		node = (Node *) (info->orclause ? info->orclause : info->clause);
	}
	if (IsA(node, List) || IsA(node, BoolExpr))
	{
		ListCell   *cell;

		CHECK_FOR_INTERRUPTS();
		foreach(cell, IsA(node, List) ? (List *) node : ((BoolExpr *) node)->args)
			tell_ranges(lfirst(cell));
		return;
	}
	clause = (OpExpr *) node;
	if (info == NULL || info->norm_selec >= 0.0 || !IsA(clause, OpExpr) || list_length(clause->args) != 2 ||
		(strategy = strategy_of(clause->opno)) == 0 ||
		!flake_range_column_selectivity(lsecond(clause->args), flake_is_lower_end(strategy),
										bms_membership(info->clause_relids) == BMS_MULTIPLE, &selectivity))
		return;
	info->norm_selec = info->outer_selec = selectivity;
}

/*
 * Estimate the comparisons with the ends of ranges that are ANDed with a call whose only
 * argument is a range.  Join conditions of a partitioned table are the table's, not its
 * partitions'.
 */
void
flake_core_ranges(PlannerInfo *root, const List *args)
{
	RelOptInfo *relation = relation_of(root, linitial(args));

	while (relation != NULL)
	{
		tell_ranges((Node *) relation->baserestrictinfo);
		tell_ranges((Node *) relation->joininfo);
		if (root->append_rel_array == NULL || root->append_rel_array[relation->relid] == NULL)
			break;
		relation = root->simple_rel_array[root->append_rel_array[relation->relid]->parent_relid];
	}
}
