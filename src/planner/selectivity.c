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
#include "planner/column.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/timestamp.h"

/*
 * A clause that compares the column with something: id < other, or the same with the sides
 * exchanged.
 */
typedef struct Comparison
{
	Node	   *other;			/* its value, if that can be known now */
	bool		greater;		/* id > or >= other */
	bool		or_equal;
	bool		earlier;		/* the clause precedes the estimated one */
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
 * for a null, and for a value that differs from row to row, such as another column: it
 * says nothing about the range.
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

/* The OIDs of these four that this session has called so far, by "greater" and "or_equal". */
static Oid	estimators[2][2];

/* Does the operator have one of these estimators?  If so, store which one. */
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

/*
 * Find the list of clauses ANDed with the one that has these operands, anywhere in a
 * condition; NIL if the clause is not there. "list" is the AND list that contains the node
 * itself; NIL if there is none.
 *
 * The planner estimates the arms of an OR one after the other.  So the search begins in
 * the arm where the last one ended, and an OR of a thousand windows takes a thousand
 * steps, not a million.  The session remembers a number, not a pointer, so a wrong one
 * only costs time.
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
		OpExpr	   *clause;
		bool		id_first;
		Comparison	next;

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
			!which_end(clause->opno, &next.greater, &next.or_equal))
			continue;
		next.greater = id_first == next.greater;
		if (lower && !next.greater)
			continue;
		next.other = (Node *) (id_first ? lsecond(clause->args) : linitial(clause->args));
		if (!IsA(next.other, Const))
			next.other = estimate_expression_value(root, next.other);
		next.earlier = !passed;
		found = lappend(found, memcpy(palloc(sizeof(Comparison)), &next, sizeof(Comparison)));
	}
	return found;
}

/*
 * Return the selectivity of one end, given the others, which are Comparisons: see the head
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
		Comparison *other = lfirst(lc);
		End			next;

		if (!read_end(column, other, &next))
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
 * support.c and instant.c turn id <@ r into two comparisons, with calls for the start and
 * the end of r.  If r is another table's column, or in an index condition that is made
 * from id <@ r alone, neither is known.  Core estimates such ranges as a whole, so here
 * the start returns 1, and the end returns core's estimate for <@.
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
		*is_end = function == flakeid_range_end || function == flakeid_range_last;
		if (*is_end || function == flakeid_range_start || function == flakeid_range_first)
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
 * Return the function that must be leakproof for the statistics to be used; none if the
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
 * Return the fraction of the rows whose ID, given as an expression, is in one of the
 * periods. "function" is the one that the query calls with the ID and the periods.
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
