/*
 * selectivity.c
 *		How many rows a comparison of an ID lets through.
 *
 * Core's scalarltsel and its relatives serve IDs badly.  They cannot interpolate between
 * two IDs (see column.c), and clauselist_selectivity() subtracts the two ends of a range
 * from each other only if both operators have core's estimators; it multiplies all others.
 * So the estimators here pair the ends of a range by themselves:
 *
 *		the tightest lower end returns the part of all rows that it lets through,
 *		the tightest upper end returns its part of the rows that the lower end lets through,
 *		every other end returns 1,
 *
 * and the product of these is the range's part.  Everything else is as in core: the defaults
 * for values that are known only when the query runs, and joins.
 *
 * All ordering operators of a type must have these estimators, or none of them may: one of
 * these is not paired with one of core's.
 *
 * The two ends of a range that is not known, as of id <@ range_column, stand for one
 * condition: see the section about them.
 */
#include "column.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/timestamp.h"

/* A clause that compares the column with something: id < other, whichever way round it is written. */
typedef struct Comparison
{
	Node	   *other;			/* its value, if that can be known now */
	bool		greater;		/* id > or >= other */
	bool		or_equal;
	bool		earlier;		/* the clause stands before the one that is
								 * estimated */
} Comparison;

/* Such a clause as one end of a range. */
typedef struct End
{
	bool		lower;			/* id > or >= other */
	bool		known;			/* the other is a constant */
	double		selectivity;	/* of the clause alone */
} End;

/* ---------- ends of ranges ---------- */

/*
 * Read a comparison as the end of a range.  Return true if the other side is a constant,
 * or a parameter or another pseudoconstant, whose value is not known yet.  Return false
 * for a null, and for what differs from row to row, such as another column: that says
 * nothing about the range.
 */
static bool
read_end(FlakeColumn *column, const Comparison *comparison, End *end)
{
	FlakeCut	cut = {.after = comparison->greater != comparison->or_equal};

	end->lower = comparison->greater;
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

/* The OIDs of these four, as far as this session has called them, by "greater" and "or_equal". */
static Oid	estimators[2][2];

/* Does the operator have one of these estimators?  If so, say which one. */
static bool
which_end(Oid operator, bool *greater, bool *or_equal)
{
	Oid			estimator = get_oprrest(operator);
	FmgrInfo	function;

	if (!OidIsValid(estimator))
		return false;
	for (int i = 0; i < 4; i++)
		if (estimator == estimators[i / 2][i % 2])
		{
			*greater = i / 2;
			*or_equal = i % 2;
			return true;
		}
	fmgr_info(estimator, &function);
	*greater = function.fn_addr == flakeid_gtsel || function.fn_addr == flakeid_gesel;
	*or_equal = function.fn_addr == flakeid_lesel || function.fn_addr == flakeid_gesel;
	return *greater || *or_equal || function.fn_addr == flakeid_ltsel;
}

/* Does the clause have these two operands?  They may have changed places, as in a clause made for an index. */
static bool
is_clause_of(const OpExpr *clause, const List *args)
{
	return list_length(clause->args) == 2 &&
		((linitial(clause->args) == linitial(args) && lsecond(clause->args) == lsecond(args)) ||
		 (linitial(clause->args) == lsecond(args) && lsecond(clause->args) == linitial(args)));
}

/*
 * Find the list of clauses ANDed with the one that has these operands, anywhere in
 * a condition; NIL if the clause is not there.  "list" is the list that the node
 * itself is ANDed in; NIL, if it is in none.
 *
 * The planner estimates the arms of an OR one after the other.  So the search begins
 * in the arm where the last one ended, and an OR of a thousand windows takes a thousand
 * steps, not a million.  What is remembered is a number and no pointer, so that a wrong
 * one costs nothing but time.
 */
static List *
find_and_list(Node *node, List *list, const List *args)
{
	static int	last_arm = 0;

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
		return find_and_list((Node *) ((BooleanTest *) node)->arg, NIL, args);
	if (IsA(node, List) || IsA(node, BoolExpr))
	{
		bool		is_and = IsA(node, List) || is_andclause(node);
		List	   *arms = IsA(node, List) ? (List *) node : ((BoolExpr *) node)->args;
		int			count = list_length(arms);
		int			first = is_and ? 0 : last_arm % Max(count, 1);

		for (int i = 0; i < count; i++)
		{
			int			arm = (first + i) % count;
			List	   *found = find_and_list(list_nth(arms, arm), is_and ? arms : NIL, args);

			if (found != NIL)
			{
				if (!is_and)
					last_arm = arm;
				return found;
			}
		}
	}
	return NIL;
}

/*
 * Return the clauses whose selectivities the planner multiplies with that of the clause
 * which has these operands.  An estimator is not told, so look in the places where the
 * planner has clauses from.  NIL if none has the clause; then it is estimated alone.
 */
static List *
clauses_beside(PlannerInfo *root, RelOptInfo *rel, const List *args)
{
	List	   *found;
	ListCell   *lc;

	if (rel != NULL)
	{
		found = find_and_list((Node *) rel->baserestrictinfo, NIL, args);
		if (found == NIL)
			found = find_and_list((Node *) rel->joininfo, NIL, args);
		if (found != NIL)
			return found;
		foreach(lc, rel->indexlist)
		{
			found = find_and_list((Node *) lfirst_node(IndexOptInfo, lc)->indpred, NIL, args);
			if (found != NIL)
				return found;
		}
	}
	return find_and_list(root->parse->havingQual, NIL, args);
}

/*
 * Collect the comparisons of the same column in the clauses beside the one that has these
 * operands.  "id" is the column as it stands in that clause, and "lower" says whether the
 * clause is a lower end.  If so, leave upper ends out: the estimate of an upper end accounts
 * for the lower end, not the other way round.
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
		OpExpr	   *clause;
		bool		id_first;
		Comparison	beside;

		CHECK_FOR_INTERRUPTS();
		if (IsA(node, RestrictInfo))
			node = (Node *) ((RestrictInfo *) node)->clause;
		if (!IsA(node, OpExpr) || list_length(((OpExpr *) node)->args) != 2)
			continue;
		clause = (OpExpr *) node;
		if (is_clause_of(clause, args))
		{
			passed = true;
			continue;
		}
		id_first = equal(linitial(clause->args), id);
		if (!(id_first || equal(lsecond(clause->args), id)) ||
			!which_end(clause->opno, &beside.greater, &beside.or_equal))
			continue;
		beside.greater = id_first == beside.greater;
		if (lower && !beside.greater)
			continue;
		beside.other = (Node *) (id_first ? lsecond(clause->args) : linitial(clause->args));
		if (!IsA(beside.other, Const))
			beside.other = estimate_expression_value(root, beside.other);
		beside.earlier = !passed;
		found = lappend(found, memcpy(palloc(sizeof(Comparison)), &beside, sizeof(Comparison)));
	}
	return found;
}

/* The selectivity of one end beside others, which are Comparisons: see the head of this file. */
static double
selectivity_beside(FlakeColumn *column, const End *end, const List *others)
{
	bool		ranged = false;
	End			lower = {0};
	double		range;
	ListCell   *lc;

	foreach(lc, others)
	{
		Comparison *other = lfirst(lc);
		End			beside;

		if (!read_end(column, other, &beside))
			continue;

		/*
		 * of several lower or upper ends the tightest counts, and the first
		 * of equals
		 */
		if (beside.lower == end->lower)
		{
			if (beside.selectivity < end->selectivity ||
				(beside.selectivity == end->selectivity && other->earlier))
				return 1.0;
		}
		else if (!ranged || beside.selectivity < lower.selectivity)
		{
			lower = beside;
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
		 * core's guess of a range, but no more than the end that is known
		 * lets through
		 */
		range = DEFAULT_RANGE_INEQ_SEL;
		if (end->known || lower.known)
			range = Min(range, end->known ? end->selectivity : lower.selectivity);
	}
	return lower.selectivity > 0.0 ? Max(range, 0.0) / lower.selectivity : 1.0;
}

/* ---------- ends of a range that is not known ---------- */

/*
 * support.c and instant.c make of id <@ r two comparisons, with calls for the start and the
 * end of r.  Where r is another table's column, and in an index condition that is made of
 * id <@ r alone, nothing is known of either.  Core estimates these ranges as a whole, so here
 * the start returns 1 and the end what core says of <@.
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
 * Return the call for the start or the end of a range, if the expression is one, or an ID or
 * instant made of one; else NULL.
 */
static const FuncExpr *
find_end(const Node *node, bool *is_end)
{
	for (int depth = 0; depth < 2; depth++)
	{
		PGFunction	function = called_function(node);

		if (function == NULL)
			return NULL;
		*is_end = function == flakeid_range_end || function == flakeid_range_last;
		if (*is_end || function == flakeid_range_start || function == flakeid_range_first)
			return (const FuncExpr *) node;
		node = linitial(((const FuncExpr *) node)->args);
	}
	return NULL;
}

/*
 * Is the other side of a comparison the start or the end of a range?  If so, set *selectivity,
 * given that of the range.  "greater" says whether the ID is to be greater.
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
 * The same where the range is a column, of another table if it joins.  The ends of a
 * multirange count for nothing, because its own operator stands beside them.
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
 * The join estimator of the comparisons of an ID with an instant.  What it says of any
 * but the ends of a range is what core's estimators say.
 */
PG_FUNCTION_INFO_V1(flakeid_joinsel);
Datum
flakeid_joinsel(PG_FUNCTION_ARGS)
{
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	bool		greater = false;
	bool		or_equal;
	double		selectivity = DEFAULT_INEQ_SEL;

	which_end(operator, &greater, &or_equal);
	if (!flake_range_column_selectivity(lsecond(args), greater, true, &selectivity))
		flake_range_column_selectivity(linitial(args), !greater, true, &selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/* ---------- the estimators ---------- */

/*
 * Return the function that must be leakproof if the statistics are to be used; none if the
 * user may read the column anyway.
 */
static Oid
asked_for_leaks(const FlakeColumn *column, Oid operator)
{
	return column->vardata.acl_ok ? InvalidOid : get_opcode(operator);
}

/* The body of the four estimators. */
static Datum
estimate_end(FunctionCallInfo fcinfo, bool greater, bool or_equal)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			rel = PG_GETARG_INT32(3);
	FlakeColumn column = {0};
	Comparison	own = {.or_equal = or_equal};
	bool		id_first;
	List	   *clauses;
	List	   *others;
	End			end;
	double		selectivity = DEFAULT_INEQ_SEL;

	estimators[greater][or_equal] = fcinfo->flinfo->fn_oid;
	if (!get_restriction_variable(root, args, rel, &column.vardata, &own.other, &id_first))
	{
		/* the range is a column of the same table */
		flake_range_column_selectivity(lsecond(args), greater, false, &selectivity);
		PG_RETURN_FLOAT8(selectivity);
	}
	own.greater = id_first == greater;

	/*
	 * this may evaluate expressions, so it comes before the column is opened:
	 * see read_values() in column.c
	 */
	clauses = clauses_beside(root, column.vardata.rel, args);
	others = comparisons_beside(root, clauses, (Node *) (id_first ? linitial(args) : lsecond(args)),
								own.greater, args);
	if (!flake_column_open(&column, root, asked_for_leaks(&column, operator)))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	if (IsA(own.other, Const) && ((Const *) own.other)->constisnull)
		selectivity = 0.0;		/* the operators are strict */
	else if (!read_end(&column, &own, &end))
		is_end_of_range(own.other, own.greater, rel != 0 ? FLAKE_RANGE_JOIN_SEL : DEFAULT_RANGE_INEQ_SEL, &selectivity);
	else if (clauses != NIL || !is_end_of_range(own.other, own.greater, DEFAULT_RANGE_INEQ_SEL, &selectivity))
		selectivity = selectivity_beside(&column, &end, others);
	flake_column_close(&column);
	CLAMP_PROBABILITY(selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

Datum
flakeid_ltsel(PG_FUNCTION_ARGS)
{
	return estimate_end(fcinfo, false, false);
}

Datum
flakeid_lesel(PG_FUNCTION_ARGS)
{
	return estimate_end(fcinfo, false, true);
}

Datum
flakeid_gesel(PG_FUNCTION_ARGS)
{
	return estimate_end(fcinfo, true, true);
}

Datum
flakeid_gtsel(PG_FUNCTION_ARGS)
{
	return estimate_end(fcinfo, true, false);
}

/* ---------- periods ---------- */

/*
 * Return the part of the rows whose ID, given as an expression, is in one of the periods.
 * "function" is the one that the query calls with the ID and the periods.
 */
double
flake_within_selectivity(struct PlannerInfo *root, Oid function, Node *id, int rel,
						 const FlakePeriod *periods, int count)
{
	FlakeColumn column = {0};
	double		selectivity;

	examine_variable(root, id, rel, &column.vardata);
	if (!flake_column_open(&column, root, function))
		return DEFAULT_RANGE_INEQ_SEL;
	selectivity = flake_column_within(&column, periods, count);
	flake_column_close(&column);
	return selectivity;
}

/* The estimator of id <@ range and range @> id where they are not rewritten: see support.c. */
PG_FUNCTION_INFO_V1(flakeid_withinsel);
Datum
flakeid_withinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			rel = PG_GETARG_INT32(3);
	FlakeColumn column = {0};
	Node	   *other;
	bool		id_first;
	double		selectivity = DEFAULT_RANGE_INEQ_SEL;

	/*
	 * the variable may be the range; then there are no statistics of IDs to
	 * use
	 */
	if (!get_restriction_variable(root, args, rel, &column.vardata, &other, &id_first) ||
		!flake_column_open(&column, root, asked_for_leaks(&column, operator)))
		PG_RETURN_FLOAT8(DEFAULT_RANGE_INEQ_SEL);
	if (IsA(other, Const) && ((Const *) other)->constisnull)
		selectivity = 0.0;
	else if (IsA(other, Const) && getBaseType(((Const *) other)->consttype) == TSTZRANGEOID)
	{
		FlakePeriod period = flake_period(((Const *) other)->constvalue);

		selectivity = flake_column_within(&column, &period, 1);
	}
	flake_column_close(&column);
	PG_RETURN_FLOAT8(selectivity);
}
