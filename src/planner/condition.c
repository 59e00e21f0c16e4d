/*
 * condition.c
 *		What a condition on the time of an ID says about the ID.
 *
 * Where a condition filters rows, NULL is as good as false.  There, of the time of an ID,
 *
 *		time < t, <=, >=, >				is one comparison of the ID
 *		time <@ ranges, NOT of it		is those with the ends, or an OR of them
 *		time IN (t, u)					is an OR of those with the ends of each, between the first and the last;
 *										implies it, if they are no constant instants
 *		time = t						implies those with both ends
 *		(time, ...) < (t, ...)			implies <=
 *
 * An ID of one of our types may stand in its time's place in <@ range.  "time" is what a
 * function of source.c returns, or the cast of an ID of ours; bound.c makes the comparisons, and
 * where.c puts them into the query.
 */
#include "planner/planner.h"

#include "catalog/pg_operator.h"
#include "utils/array.h"

/* core's family of timestamptz, date and timestamp, for which its headers have no name */
#define DATETIME_FAMILY		434

/* ---------- what is compared ---------- */

/* Is it known of the UUIDs whose time core's function returns that they are in its order? */
static bool
is_proven(const FlakePlace *place, FlakeSubject *subject)
{
	const Var  *id = (const Var *) flake_strip(subject->expr);
	const RangeTblEntry *rte = IsA(id, Var) && id->varattno > 0 ? planner_rt_fetch(id->varno, place->root) : NULL;
	FlakeVersions versions = rte == NULL || rte->rtekind != RTE_RELATION ? FLAKE_VERSIONS_UNKNOWN :
		flake_versions(rte->relid, id, rte->inh, place->conditions);

	subject->unfiltered = versions == FLAKE_VERSIONS_ONLY_7 && !OidIsValid(subject->filter);
	return versions != FLAKE_VERSIONS_UNKNOWN;
}

/* Is the expression the time of an ID of the table? */
static bool
is_time(const FlakePlace *place, Node *node, FlakeSubject *subject)
{
	FuncExpr   *call;

	if (!flake_may_be_time(node))
		return false;
	call = (FuncExpr *) flake_strip(node);
	return IsA(call, FuncExpr) && flake_may_have_source(call->funcid) && call->args != NIL &&
		flake_is_here(place, linitial(call->args)) && flake_time_subject(place->root, call, subject) &&
		(!flake_is_core(&subject->source) || is_proven(place, subject));
}

/* Is the other side the same for all rows of a scan of the ID's table? */
static bool
is_outside(const FlakePlace *place, const FlakeSubject *subject, Node *other)
{
	return !contain_volatile_functions(other) &&
		!bms_overlap(pull_varnos(place->root, other), pull_varnos(place->root, subject->expr));
}

/* Fill in what is implied; return false if there is no such condition. */
static bool
implies(FlakeImplied *implied, const FlakeSubject *subject, Node *condition, bool exact)
{
	if (condition == NULL)
		return false;
	implied->filter = flake_filter_of(subject);
	implied->condition = condition;
	implied->exact = exact && !subject->unfiltered;
	return true;
}

/*
 * May rows be left out that a condition would look at?  Texts and bytea that are no IDs raise an error; only
 * before and after an instant is it said that those outside are not looked at.
 */
static bool
may_leave_out(const FlakePlace *place, const FlakeSubject *subject)
{
	const Var  *id = (const Var *) flake_strip(flake_strip_padding(subject->expr));
	const RangeTblEntry *rte;

	if (subject->source.kind == FLAKE_SOURCE_OWN || subject->source.bounds->typlen >= 0)
		return true;
	if (!IsA(id, Var))
		return false;
	rte = planner_rt_fetch(id->varno, place->root);
	return rte->rtekind == RTE_RELATION && flake_constraint_excludes_null(rte->relid, id->varno, subject->call);
}

/* ---------- the conditions ---------- */

/* The two comparisons are of one instant. */
static void
mark_one_time(List *ends)
{
	linitial_node(OpExpr, ends)->location = FLAKE_ONE_TIME;
	lsecond_node(OpExpr, ends)->location = FLAKE_REDUNDANT;
}

/*
 * The comparison of the time, on side 0 or 1, with an instant.  An equality with another
 * table's column implies nothing: the planner merges or hashes by it, which a comparison
 * beside it would forbid, and it is estimated as it is.
 */
static bool
comparison_implies(const FlakePlace *place, const OpExpr *clause, int side, const FlakeSubject *subject, FlakeImplied *implied)
{
	Node	   *other = list_nth(clause->args, 1 - side);
	int			strategy = get_op_opfamily_strategy(clause->opno, DATETIME_FAMILY);

	if (strategy == 0 || !is_outside(place, subject, other))
		return false;
	if (strategy != BTEqualStrategyNumber)
		return implies(implied, subject, flake_bound(subject, side == 0 ? strategy : flake_commuted(strategy), other), true);
	if (contain_var_clause(other) || contain_subplans(other) || !may_leave_out(place, subject) ||
		!implies(implied, subject, flake_between(subject, other, other), false))
		return false;

	/*
	 * how many rows are of an instant that is not known yet is told of its
	 * begin
	 */
	if (IsA(other, Const) || flake_is_constant(estimate_expression_value(place->root, other)))
		return true;
	if (implied->filter == NULL && flake_is_stored(place->root, subject->expr))
		implied->filter = flake_call_helper("flakeid_marker", ANYELEMENTOID, copyObject(subject->expr));
	if (implied->filter != NULL)
		mark_one_time(make_ands_implicit((Expr *) implied->condition));
	return true;
}

/* time <@ range, or range @> time */
static bool
range_implies(const FlakePlace *place, const OpExpr *clause, int side, const FlakeSubject *subject, FlakeImplied *implied)
{
	Oid			operators[2][2] = {
		{OID_RANGE_ELEM_CONTAINED_OP, OID_MULTIRANGE_ELEM_CONTAINED_OP},
		{OID_RANGE_CONTAINS_ELEM_OP, OID_MULTIRANGE_CONTAINS_ELEM_OP}
	};
	Node	   *range = list_nth(clause->args, 1 - side);
	Node	   *condition;
	bool		exact;

	if ((clause->opno != operators[side][0] && clause->opno != operators[side][1]) || !is_outside(place, subject, range))
		return false;
	condition = flake_in_ranges(subject, range, &exact);
	if (!implies(implied, subject, condition, exact))
		return false;
	implied->instants = flake_instants_in_range(subject, range);
	return true;
}

/* id <@ range, or range @> id, of one of our types: the range is of the domain flakeid_period */
static bool
own_range_implies(const FlakePlace *place, OpExpr *clause, FlakeImplied *implied)
{
	FlakeSubject subject;
	Oid			type;
	int			side = flake_is_range(linitial(clause->args), &type) ? 1 : 0;
	Node	   *range = flake_without_domain(list_nth(clause->args, 1 - side));
	Node	   *condition;
	bool		exact;

	set_opfuncid(clause);
	if (!flake_has_support(clause->opfuncid, flakeid_instant_support) ||
		!flake_own_subject(list_nth(clause->args, side), &subject) || !flake_is_here(place, subject.expr) ||
		!is_outside(place, &subject, range) || !flake_may_repeat(place->root, subject.expr))
		return false;
	condition = flake_in_ranges(&subject, range, &exact);
	return implies(implied, &subject, condition, exact);
}

/* Of the times of two tables the left one is compared, when its table is looked at. */
static bool
operator_implies(const FlakePlace *place, OpExpr *clause, FlakeImplied *implied)
{
	const FlakePlace anywhere = {.root = place->root};
	FlakeSubject subject;
	FlakeSubject left;

	if (list_length(clause->args) != 2)
		return false;
	if (clause->opno == TextEqualOperator)
		return flake_shown_implied(place, clause, implied);
	for (int side = 0; side < 2; side++)
	{
		if (!is_time(place, list_nth(clause->args, side), &subject))
			continue;
		if (side == 1 && is_time(&anywhere, linitial(clause->args), &left))
			return false;
		return comparison_implies(place, clause, side, &subject, implied) ||
			range_implies(place, clause, side, &subject, implied);
	}
	return clause->opno >= FirstNormalObjectId && own_range_implies(place, clause, implied);
}

static bool
is_constant_range(Node *node)
{
	Oid			type;

	return flake_is_range(node, &type) && flake_is_constant(flake_strip_relabeling(node));
}

/* NOT (time <@ range): no operator is the negation.  Of a constant range it is before it or after it. */
static bool
negation_implies(const FlakePlace *place, BoolExpr *clause, FlakeImplied *implied)
{
	OpExpr	   *negated = linitial(clause->args);

	if (clause->boolop != NOT_EXPR || !IsA(negated, OpExpr) || list_length(negated->args) != 2 ||
		(!is_constant_range(linitial(negated->args)) && !is_constant_range(lsecond(negated->args))) ||
		!operator_implies(place, negated, implied) || !implied->exact)
		return false;
	implied->condition = negate_clause((Node *) make_ands_explicit(flake_without_ends(make_ands_implicit((Expr *) implied->condition))));
	implied->instants = NULL;	/* they are those inside */
	return true;
}

static int
compare_instants(const void *left, const void *right)
{
	TimestampTz a = DatumGetTimestampTz(*(const Datum *) left);
	TimestampTz b = DatumGetTimestampTz(*(const Datum *) right);

	return a < b ? -1 : a > b;
}

/* Return the instants of an array as periods, in order and each once; NULL if all are NULL. */
static FlakePeriod *
read_instants(ArrayType *array, int *count)
{
	Datum	   *times;
	bool	   *nulls;
	int			length;
	int			found = 0;
	FlakePeriod *periods;

	deconstruct_array(array, TIMESTAMPTZOID, sizeof(TimestampTz), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &times, &nulls, &length);
	for (int i = 0; i < length; i++)
		if (!nulls[i])
			times[found++] = times[i];
	if (found == 0)
		return NULL;
	qsort(times, found, sizeof(Datum), compare_instants);
	periods = palloc(sizeof(FlakePeriod) * found);
	*count = 0;
	for (int i = 0; i < found; i++)
		if (i == 0 || compare_instants(&times[i - 1], &times[i]) != 0)
		{
			periods[*count].first = periods[*count].last = DatumGetTimestampTz(times[i]);
			++*count;
		}
	return periods;
}

/* Return the elements of an array that is written as such, or a constant; NIL: it has none, or is another one. */
static List *
elements_of(Node *array)
{
	const Const *constant = (const Const *) array;
	List	   *elements = NIL;
	Oid			type;
	int16		length;
	bool		by_value;
	char		align;
	Datum	   *values;
	bool	   *nulls;
	int			count;

	if (IsA(array, ArrayExpr) && !((ArrayExpr *) array)->multidims)
		return ((ArrayExpr *) array)->elements;
	if (!flake_is_constant(array))
		return NIL;
	type = get_element_type(constant->consttype);
	get_typlenbyvalalign(type, &length, &by_value, &align);
	deconstruct_array(DatumGetArrayTypeP(constant->constvalue), type, length, by_value, align, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			elements = lappend(elements, makeConst(type, -1, InvalidOid, length, values[i], false, by_value));
	return elements;
}

/* time IN (...), of what are no constant instants, such as dates or now() */
static bool
elements_imply(const ScalarArrayOpExpr *clause, const FlakeSubject *subject, FlakeImplied *implied)
{
	List	   *elements = elements_of(lsecond(clause->args));
	List	   *arms = NIL;
	ListCell   *cell;

	if (elements == NIL || list_length(elements) > FLAKE_MAX_PERIODS || contain_var_clause((Node *) elements) ||
		contain_subplans((Node *) elements) || contain_volatile_functions((Node *) elements))
		return false;
	foreach(cell, elements)
	{
		Node	   *between = flake_between(subject, lfirst(cell), lfirst(cell));

		if (between == NULL)
			return false;
		arms = lappend(arms, between);
	}
	return implies(implied, subject, list_length(arms) == 1 ? linitial(arms) : (Node *) make_orclause(arms), false);
}

/* time IN (...) */
static bool
list_implies(const FlakePlace *place, ScalarArrayOpExpr *clause, FlakeImplied *implied)
{
	Const	   *array = lsecond(clause->args);
	FlakeSubject subject;
	FlakePeriod *periods;
	int			count;

	if (clause->opno == TextEqualOperator)
		return flake_shown_list_implied(place, clause, implied);
	if (!clause->useOr || !is_time(place, linitial(clause->args), &subject) ||
		get_op_opfamily_strategy(clause->opno, DATETIME_FAMILY) != BTEqualStrategyNumber ||
		!may_leave_out(place, &subject))
		return false;
	if (!flake_is_constant((Node *) array) || array->consttype != TIMESTAMPTZARRAYOID)
		return elements_imply(clause, &subject, implied);
	periods = read_instants(DatumGetArrayTypeP(array->constvalue), &count);
	return periods != NULL && implies(implied, &subject, flake_in_periods(&subject, periods, count), count <= FLAKE_MAX_PERIODS);
}

/* The comparison of rows is one of their first columns, which may be equal. */
static bool
row_implies(const FlakePlace *place, RowCompareExpr *row, FlakeImplied *implied)
{
	FlakeSubject subject;
	bool		left = is_time(place, linitial(row->largs), &subject);
	Node	   *other = linitial(left ? row->rargs : row->largs);
	int			strategy = get_op_opfamily_strategy(linitial_oid(row->opnos), DATETIME_FAMILY);

	if ((!left && !is_time(place, linitial(row->rargs), &subject)) || strategy == 0 || strategy == BTEqualStrategyNumber ||
		contain_subplans(other) || !is_outside(place, &subject, other) || !may_leave_out(place, &subject))
		return false;
	if (!left)
		strategy = flake_commuted(strategy);
	strategy = flake_is_lower_end(strategy) ? BTGreaterEqualStrategyNumber : BTLessEqualStrategyNumber;
	return implies(implied, &subject, flake_bound(&subject, strategy, other), false);
}

/*
 * Find out what a condition that filters rows says about an ID of the table; return false:
 * nothing.  AND and OR are the caller's to go through.
 */
bool
flake_implied(const FlakePlace *place, Node *clause, FlakeImplied *implied)
{
	memset(implied, 0, sizeof(FlakeImplied));
	switch (nodeTag(clause))
	{
		case T_OpExpr:
			return operator_implies(place, (OpExpr *) clause, implied);
		case T_BoolExpr:
			return negation_implies(place, (BoolExpr *) clause, implied);
		case T_ScalarArrayOpExpr:
			return list_implies(place, (ScalarArrayOpExpr *) clause, implied);
		case T_RowCompareExpr:
			return row_implies(place, (RowCompareExpr *) clause, implied);
		default:
			return false;
	}
}

/*
 * Return the time of an ID of the table whose statistics core asks for: it must equal something of another table, or
 * be NULL or not, or rows are grouped by it.  NULL if the expression is none of these.
 */
Node *
flake_asked_time(const FlakePlace *place, Node *node)
{
	const OpExpr *equality = (const OpExpr *) node;
	FlakeSubject subject;

	if (IsA(node, NullTest))
		node = (Node *) ((NullTest *) node)->arg;
	if (is_time(place, node, &subject))
		return (Node *) subject.call;
	if (!IsA(equality, OpExpr) || list_length(equality->args) != 2 ||
		get_op_opfamily_strategy(equality->opno, DATETIME_FAMILY) != BTEqualStrategyNumber)
		return NULL;
	for (int side = 0; side < 2; side++)
	{
		Node	   *other = list_nth(equality->args, 1 - side);

		if (is_time(place, list_nth(equality->args, side), &subject) && is_outside(place, &subject, other) && contain_var_clause(other))
			return (Node *) subject.call;
	}
	return NULL;
}
