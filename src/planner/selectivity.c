/*
 * selectivity.c
 *		Estimators: how many rows satisfy a comparison of an ID.
 *
 * Core's scalarltsel and its relatives serve IDs badly.  They cannot interpolate between
 * two IDs (see column.c), and clauselist_selectivity() subtracts the two ends of a range
 * from each other only if both operators have core's estimators; it multiplies all
 * others.  So the estimators here pair the ends of a range themselves:
 *
 *		the tightest lower end returns the fraction of all rows that satisfy it,
 *		the tightest upper end returns the fraction of those that satisfy it, too,
 *		every other end returns 1,
 *
 * and the product of these is the range's part.  Everything else is as in core: the
 * defaults for values that are known only when the query runs, and joins.
 *
 * Either all ordering operators of a type have these estimators, or none: one of these is
 * not paired with one of core's.
 *
 * The two ends of an unknown range, such as the one in id <@ range_column, are one
 * condition: see the section about them.
 */
#include "planner/planner.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/timestamp.h"

/* A clause that compares the column with something: its value, if that can be known now. */
typedef struct Clause
{
	FlakeComparison comparison;
	bool		earlier;		/* it precedes the estimated one */
} Clause;

/* Such a clause as one end of a range. */
typedef struct End
{
	bool		lower;
	bool		known;			/* the other is a constant */
	double		selectivity;	/* of the clause alone */
} End;

/* ---------- ends of ranges ---------- */

/*
 * Read a comparison as the end of a range.  Return true if the other side is a constant,
 * or a parameter or another pseudoconstant, whose value is not known yet.  Return false
 * for a null, and for a value that differs from row to row, such as another column: it
 * says nothing about the range.
 */
static bool
read_end(FlakeColumn *column, const FlakeComparison *comparison, End *end)
{
	FlakeCut	cut = {.after = flake_divides_after(comparison->strategy)};

	end->lower = flake_is_lower_end(comparison->strategy);
	end->known = false;
	end->selectivity = DEFAULT_INEQ_SEL;
	if (IsA(comparison->other, Const))
	{
		Const	   *constant = (Const *) comparison->other;

		if (constant->constisnull)
			return false;
		if (constant->consttype == TIMESTAMPTZOID)
		{
			TimestampTz t = DatumGetTimestampTz(constant->constvalue);

			/* id <= t and id > t divide the IDs at the instant after t */
			flake_cut_at(column->format, cut.after ? flake_next_instant(t) : t, &cut);
			end->known = column->known;
		}
		else if (constant->consttype == column->type || getBaseType(constant->consttype) == column->type)
		{
			memcpy(cut.id, flake_datum_bytes(column->format, &constant->constvalue), column->format->bytes);
			end->known = column->known;
		}
		if (end->known)
		{
			end->selectivity = flake_column_below(column, &cut);
			if (end->lower)
				end->selectivity = Max(column->nonnull - end->selectivity, 0.0);
		}
		return true;
	}
	return !contain_var_clause(comparison->other) && !contain_volatile_functions(comparison->other);
}

PG_FUNCTION_INFO_V1(flakeid_ltsel);
PG_FUNCTION_INFO_V1(flakeid_lesel);
PG_FUNCTION_INFO_V1(flakeid_gesel);
PG_FUNCTION_INFO_V1(flakeid_gtsel);

static struct
{
	PGFunction	function;
	int			strategy;		/* of its operators */
	Oid			oid;			/* once this session has called it */
}			estimators[] = {
	{flakeid_ltsel, BTLessStrategyNumber, InvalidOid},
	{flakeid_lesel, BTLessEqualStrategyNumber, InvalidOid},
	{flakeid_gesel, BTGreaterEqualStrategyNumber, InvalidOid},
	{flakeid_gtsel, BTGreaterStrategyNumber, InvalidOid},
};

/* Return the strategy of an operator that has one of these estimators; 0 of another one. */
static int
strategy_of(Oid operator)
{
	Oid			estimator = get_oprrest(operator);
	FmgrInfo	function;

	if (!OidIsValid(estimator))
		return 0;
	for (size_t i = 0; i < lengthof(estimators); i++)
		if (estimator == estimators[i].oid)
			return estimators[i].strategy;
	fmgr_info(estimator, &function);
	for (size_t i = 0; i < lengthof(estimators); i++)
		if (function.fn_addr == estimators[i].function)
			return estimators[i].strategy;
	return 0;
}

/*
 * Does the clause have these two operands?  They may be exchanged, as in a clause made for
 * an index.
 */
static bool
is_clause_of(const OpExpr *clause, const List *args)
{
	return list_length(clause->args) == 2 &&
		((linitial(clause->args) == linitial(args) && lsecond(clause->args) == lsecond(args)) ||
		 (linitial(clause->args) == lsecond(args) && lsecond(clause->args) == linitial(args)));
}

/* Has the planner an estimate of all clauses in an arm of an OR?  It estimates them in their order. */
static bool
is_estimated(Node *arm)
{
	while (is_andclause(arm))
		arm = llast(((BoolExpr *) arm)->args);
	return IsA(arm, RestrictInfo) && ((RestrictInfo *) arm)->norm_selec >= 0.0;
}

/*
 * Return the number of the first arm of an OR that is not estimated, 0 if there is none.
 * The clause that the planner asks about is in it, unless it keeps no estimate; so an OR of
 * a thousand windows takes 1.5 ms, not 34.
 */
static int
first_arm(List *arms)
{
	int			low = 0;
	int			high = list_length(arms);

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (is_estimated(list_nth(arms, middle)))
			low = middle + 1;
		else
			high = middle;
	}
	return low < list_length(arms) ? low : 0;
}

/*
 * Return the clauses of a condition or list that are ANDed with the one that has these
 * operands, and so multiplied with it; NIL if it is not there.  "list" is the AND list
 * that contains the node itself; NIL if there is none.
 */
static List *
clauses_multiplied_with(const List *args, Node *node, List *list)
{
	if (node == NULL)
		return NIL;
	if (IsA(node, RestrictInfo))
	{
		RestrictInfo *info = (RestrictInfo *) node;

		node = (Node *) (info->orclause ? info->orclause : info->clause);
	}
	if (IsA(node, OpExpr))
	{
		if (!is_clause_of((OpExpr *) node, args))
			return NIL;
		return list != NIL ? list : list_make1(node);
	}
	if (IsA(node, BooleanTest))
		return clauses_multiplied_with(args, (Node *) ((BooleanTest *) node)->arg, NIL);
	if (IsA(node, List) || IsA(node, BoolExpr))
	{
		List	   *arms = IsA(node, List) ? (List *) node : ((BoolExpr *) node)->args;
		int			first = is_orclause(node) ? first_arm(arms) : 0;

		for (int i = 0; i < list_length(arms); i++)
		{
			Node	   *arm = list_nth(arms, (first + i) % list_length(arms));
			List	   *found = clauses_multiplied_with(args, arm, IsA(node, List) || is_andclause(node) ? arms : NIL);

			if (found != NIL)
				return found;
		}
	}
	return NIL;
}

/*
 * Return the clauses whose selectivities the planner multiplies with that of the clause
 * that has these operands.  The planner does not tell an estimator, so look in the places
 * where it takes clauses from.  NIL if none has the clause; then it is estimated alone.
 */
static List *
clauses_beside(PlannerInfo *root, RelOptInfo *rel, const List *args)
{
	List	   *found;
	ListCell   *lc;

	if (rel != NULL)
	{
		found = clauses_multiplied_with(args, (Node *) rel->baserestrictinfo, NIL);
		if (found == NIL)
			found = clauses_multiplied_with(args, (Node *) rel->joininfo, NIL);
		foreach(lc, rel->indexlist)
		{
			if (found == NIL)
				found = clauses_multiplied_with(args, (Node *) lfirst_node(IndexOptInfo, lc)->indpred, NIL);
		}
		if (found != NIL)
			return found;
	}
	return clauses_multiplied_with(args, root->parse->havingQual, NIL);
}

/*
 * Collect the comparisons of the same column in the other clauses that are ANDed with the
 * one that has these operands. "id" is the column as that clause has it, and "lower" says
 * whether the clause is a lower end.  If so, leave upper ends out: the estimate of an
 * upper end accounts for the lower end, not the other way round.
 */
static List *
comparisons_beside(PlannerInfo *root, const List *clauses, Node *id, bool lower, const List *args)
{
	List	   *found = NIL;
	bool		passed = false; /* the clause itself, in the list */
	ListCell   *lc;

	foreach(lc, clauses)
	{
		Node	   *node = (Node *) lfirst(lc);
		Clause	   *next = palloc(sizeof(Clause));

		CHECK_FOR_INTERRUPTS();
		if (IsA(node, RestrictInfo))
			node = (Node *) ((RestrictInfo *) node)->clause;
		if (IsA(node, OpExpr) && is_clause_of((OpExpr *) node, args))
		{
			passed = true;
			continue;
		}
		if (!flake_read_clause(node, id, strategy_of, &next->comparison) ||
			(lower && !flake_is_lower_end(next->comparison.strategy)))
			continue;
		if (!IsA(next->comparison.other, Const))
			next->comparison.other = estimate_expression_value(root, next->comparison.other);
		next->earlier = !passed;
		found = lappend(found, next);
	}
	return found;
}

/*
 * Return the selectivity of one end, given the others, which are Clauses: see the head
 * of this file.
 */
static double
selectivity_beside(FlakeColumn *column, const End *end, const List *others)
{
	bool		ranged = false;
	End			lower = {0};
	double		range;
	ListCell   *lc;

	foreach(lc, others)
	{
		const Clause *other = lfirst(lc);
		End			next;

		if (!read_end(column, &other->comparison, &next))
			continue;

		/*
		 * the tightest of several lower or upper ends counts; of equal ones,
		 * the first
		 */
		if (next.lower == end->lower)
		{
			if (next.selectivity < end->selectivity ||
				(next.selectivity == end->selectivity && other->earlier))
				return 1.0;
		}
		else if (!ranged || next.selectivity < lower.selectivity)
		{
			lower = next;
			ranged = true;
		}
	}
	if (!ranged)
		return end->selectivity;
	if (end->known && lower.known)
		range = end->selectivity - (column->nonnull - lower.selectivity);
	else
	{
		/*
		 * core's guess for a range, but no more than the selectivity of the
		 * known end
		 */
		range = DEFAULT_RANGE_INEQ_SEL;
		if (end->known || lower.known)
			range = Min(range, end->known ? end->selectivity : lower.selectivity);
	}
	return lower.selectivity > 0.0 ? Max(range, 0.0) / lower.selectivity : 1.0;
}

/* ---------- ends of a range that is not known ---------- */

/*
 * bound.c turns id <@ r into two comparisons, with calls for the start and the end of r.  If
 * r is another table's column, or in an index condition that is made from id <@ r alone, neither
 * is known.  Core estimates such ranges as a whole, so here the start returns 1, and the end
 * returns core's estimate for <@.
 */

static PGFunction
called_function(const Node *node)
{
	FmgrInfo	function;

	if (!IsA(node, FuncExpr) || ((const FuncExpr *) node)->args == NIL)
		return NULL;
	fmgr_info(((const FuncExpr *) node)->funcid, &function);
	return function.fn_addr;
}

/*
 * Return the call for the start or the end of a range, if the expression is one, or an ID
 * or instant made from one; else NULL.
 */
static const FuncExpr *
find_end(const Node *node, bool *is_end)
{
	for (int depth = 0; depth < 2; depth++)
	{
		PGFunction	function = called_function(node);

		if (function == NULL)
			return NULL;
		*is_end = function == flakeid_range_last;
		if (*is_end || function == flakeid_range_start)
			return (const FuncExpr *) node;
		node = linitial(((const FuncExpr *) node)->args);
	}
	return NULL;
}

/*
 * Is the other side of a comparison the start or the end of a range?  If so, set
 * *selectivity, given that of the range. "greater" says whether the condition is that the
 * ID is greater.
 */
static bool
is_end_of_range(const Node *other, bool greater, double of_range, double *selectivity)
{
	bool		is_end;

	if (find_end(other, &is_end) == NULL)
		return false;
	if (is_end)
		*selectivity = greater ? 1.0 - of_range : of_range;
	else
		*selectivity = greater ? 1.0 : 0.0;
	return true;
}

/*
 * The same for a range that is a column, of another table if it joins.  The ends of a
 * multirange do not count, because the condition has the multirange's own operator as
 * well.
 */
bool
flake_range_column_selectivity(const Node *other, bool greater, bool joins, double *selectivity)
{
	double		of_range = joins ? FLAKE_RANGE_JOIN_SEL : DEFAULT_RANGE_INEQ_SEL;
	bool		is_end;
	const FuncExpr *end = find_end(other, &is_end);
	const FuncExpr *range = end == NULL ? NULL : linitial(end->args);

	if (range != NULL && IsA(range, FuncExpr) && range->funcid == F_RANGE_MERGE_ANYMULTIRANGE)
		of_range = 1.0;
	return is_end_of_range(other, greater, of_range, selectivity);
}

/*
 * The join estimator of the comparisons of an ID with an instant.  Except for the ends of
 * a range, it returns what core's estimators return.
 */
PG_FUNCTION_INFO_V1(flakeid_joinsel);
Datum
flakeid_joinsel(PG_FUNCTION_ARGS)
{
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	bool		greater = flake_is_lower_end(strategy_of(operator));
	double		selectivity = DEFAULT_INEQ_SEL;

	if (!flake_range_column_selectivity(lsecond(args), greater, true, &selectivity))
		flake_range_column_selectivity(linitial(args), !greater, true, &selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/* ---------- the estimators ---------- */

/* The body of the four estimators. */
static double
estimate_end(PlannerInfo *root, Oid operator, List *args, int rel, int strategy)
{
	FlakeColumn column = {0};
	FlakeComparison own;
	Node	   *other;
	bool		id_first;
	bool		lower;
	List	   *clauses;
	List	   *others;
	End			end;
	double		selectivity = DEFAULT_INEQ_SEL;

	if (!get_restriction_variable(root, args, rel, &column.vardata, &other, &id_first))
	{
		/* the range is a column of the same table */
		flake_range_column_selectivity(lsecond(args), flake_is_lower_end(strategy), false, &selectivity);
		return selectivity;
	}
	own = flake_comparison(args, id_first ? 0 : 1, strategy);
	own.other = other;
	lower = flake_is_lower_end(own.strategy);

	/*
	 * this may evaluate expressions, so it comes before the column is opened:
	 * see read_values() in column.c
	 */
	clauses = clauses_beside(root, column.vardata.rel, args);
	others = comparisons_beside(root, clauses, own.id, lower, args);
	if (!flake_column_open(&column, root, column.vardata.acl_ok ? InvalidOid : get_opcode(operator)))
		return DEFAULT_INEQ_SEL;
	if (IsA(other, Const) && ((Const *) other)->constisnull)
		selectivity = 0.0;		/* the operators are strict */
	else if (!read_end(&column, &own, &end))
		is_end_of_range(other, lower, rel != 0 ? FLAKE_RANGE_JOIN_SEL : DEFAULT_RANGE_INEQ_SEL, &selectivity);
	else if (clauses != NIL || !is_end_of_range(other, lower, DEFAULT_RANGE_INEQ_SEL, &selectivity))
		selectivity = selectivity_beside(&column, &end, others);
	flake_column_close(&column);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

#define END_ESTIMATOR(function, place) \
	Datum \
	function(PG_FUNCTION_ARGS) \
	{ \
		estimators[place].oid = fcinfo->flinfo->fn_oid; \
		PG_RETURN_FLOAT8(estimate_end((PlannerInfo *) PG_GETARG_POINTER(0), PG_GETARG_OID(1), \
									  (List *) PG_GETARG_POINTER(2), PG_GETARG_INT32(3), \
									  estimators[place].strategy)); \
	}

END_ESTIMATOR(flakeid_ltsel, 0)
END_ESTIMATOR(flakeid_lesel, 1)
END_ESTIMATOR(flakeid_gesel, 2)
END_ESTIMATOR(flakeid_gtsel, 3)
