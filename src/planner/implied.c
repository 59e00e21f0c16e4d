/*
 * implied.c
 *		Conditions on an ID that are implied by comparisons of its time with core's operators.
 *
 *		time = t				the ID is between the ends of t
 *		time IN (t, u)			the ID is between the ends of t or between those of u, and between
 *								the earlier one's first and the later one's last
 *		(time, ...) < (t, ...)	the ID is at most the end of t
 *
 * Core asks nobody about these, so rewrite.c does not see them.  They are the index's alone,
 * while core makes its paths; the comparison itself stays as the filter.  So the result is
 * the same, whatever the index returns besides.
 */
#include "planner/planner.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/array.h"
#include "utils/fmgroids.h"

/* Each instant of IN is looked up on its own.  With more of them, planning would take long. */
#define MAX_INSTANTS	100

/* Is it the time of the ID? */
static bool
is_time_of(Node *node, const FlakeTimeKey *key)
{
	return equal(flake_strip(node), key->call);
}

/* May it be evaluated once more, before the scan? */
static bool
is_the_same_for_all(Node *node)
{
	return !contain_var_clause(node) && !contain_volatile_functions(node) && !contain_subplans(node);
}

/* Return "instant BETWEEN from AND upto", as a condition on the ID; NULL if there is none. */
static Node *
between(PlannerInfo *root, Node *instant, Node *from, Node *upto)
{
	Node	   *first = flake_bound_condition(root, instant, BTGreaterEqualStrategyNumber, from);
	Node	   *last = flake_bound_condition(root, instant, BTLessEqualStrategyNumber, upto);

	if (first == NULL || last == NULL)
		return NULL;
	return (Node *) make_andclause(list_concat(make_ands_implicit((Expr *) first), make_ands_implicit((Expr *) last)));
}

static Node *
implied_by_equality(PlannerInfo *root, const OpExpr *clause, const FlakeTimeKey *key)
{
	int			place = is_time_of(linitial(clause->args), key) ? 0 : 1;
	Node	   *time;

	if (list_length(clause->args) != 2 ||
		get_op_opfamily_strategy(clause->opno, key->family_of_time) != BTEqualStrategyNumber ||
		!is_time_of(list_nth(clause->args, place), key))
		return NULL;
	time = list_nth(clause->args, 1 - place);
	return is_the_same_for_all(time) ? between(root, list_nth(clause->args, place), time, time) : NULL;
}

/* Only of constants, and only of timestamptz, as all but a list of dates or timestamps is. */
static Node *
implied_by_list(PlannerInfo *root, const ScalarArrayOpExpr *clause, const FlakeTimeKey *key)
{
	Node	   *instant = linitial(clause->args);
	Const	   *array = lsecond(clause->args);
	Const	   *first = NULL;
	Const	   *last = NULL;
	List	   *arms = NIL;
	Datum	   *times;
	bool	   *nulls;
	int			count;

	if (!clause->useOr || !is_time_of(instant, key) || !flake_is_constant((Node *) array) ||
		array->consttype != TIMESTAMPTZARRAYOID ||
		get_op_opfamily_strategy(clause->opno, key->family_of_time) != BTEqualStrategyNumber)
		return NULL;
	deconstruct_array(DatumGetArrayTypeP(array->constvalue), TIMESTAMPTZOID, sizeof(TimestampTz), FLOAT8PASSBYVAL,
					  TYPALIGN_DOUBLE, &times, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		Const	   *time = makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz), times[i], nulls[i], FLOAT8PASSBYVAL);

		if (nulls[i])
			continue;
		if (first == NULL || DatumGetTimestampTz(times[i]) < DatumGetTimestampTz(first->constvalue))
			first = time;
		if (last == NULL || DatumGetTimestampTz(times[i]) > DatumGetTimestampTz(last->constvalue))
			last = time;
		if (count <= MAX_INSTANTS)
			arms = lappend(arms, between(root, instant, (Node *) time, (Node *) time));
	}
	if (first == NULL || list_member_ptr(arms, NULL))
		return NULL;
	if (list_length(arms) > 1)
		arms = list_make1(make_orclause(arms));
	return (Node *) make_andclause(list_concat(make_ands_implicit((Expr *) between(root, instant, (Node *) first, (Node *) last)),
											   first == last ? NIL : arms));
}

/* The comparison of the first columns of two rows is one with the time: <= or >=. */
static Node *
implied_by_row(PlannerInfo *root, const RowCompareExpr *row, const FlakeTimeKey *key)
{
	Oid			operator = linitial_oid(row->opnos);
	bool		exchanged = !is_time_of(linitial(row->largs), key);
	Node	   *instant = linitial(exchanged ? row->rargs : row->largs);
	Node	   *time = linitial(exchanged ? row->largs : row->rargs);
	bool		less;

	if (!is_time_of(instant, key) || !is_the_same_for_all(time) ||
		(!op_in_opfamily(operator, key->family_of_time) && get_func_namespace(get_opcode(operator)) != flake_helpers()))
		return NULL;
	switch (get_oprrest(operator))
	{
		case F_SCALARLTSEL:
		case F_SCALARLESEL:
			less = true;
			break;
		case F_SCALARGTSEL:
		case F_SCALARGESEL:
			less = false;
			break;
		default:
			return NULL;
	}
	return flake_bound_condition(root, instant, less != exchanged ? BTLessEqualStrategyNumber : BTGreaterEqualStrategyNumber, time);
}

static Node *
implied_by(PlannerInfo *root, Node *clause, const FlakeTimeKey *key)
{
	switch (nodeTag(clause))
	{
		case T_OpExpr:
			return implied_by_equality(root, (OpExpr *) clause, key);
		case T_ScalarArrayOpExpr:
			return implied_by_list(root, (ScalarArrayOpExpr *) clause, key);
		case T_RowCompareExpr:
			return implied_by_row(root, (RowCompareExpr *) clause, key);
		default:
			return NULL;
	}
}

/* They are estimated now: while core makes the paths of one index, it sees no other one. */
static List *
append_estimated(PlannerInfo *root, List *conditions, Node *condition)
{
	RestrictInfo *implied = make_simple_restrictinfo(root, (Expr *) condition);

	(void) clause_selectivity(root, (Node *) implied, 0, JOIN_INNER, NULL);
	return lappend(conditions, implied);
}

/*
 * Store what the conditions of the scan imply for the ID, in key->implied, and of lists of
 * instants in key->alternatives, each of which is an OR.  A policy of row security comes
 * before conditions that might tell of the rows that it hides.
 */
void
flake_find_implied(PlannerInfo *root, RelOptInfo *rel, FlakeTimeKey *key)
{
	ListCell   *cell;
	ListCell   *part;

	key->implied = key->alternatives = NIL;
	foreach(cell, rel->baserestrictinfo)
	{
		RestrictInfo *info = lfirst(cell);
		Node	   *condition = restriction_is_securely_promotable(info, rel) ? implied_by(root, (Node *) info->clause, key) : NULL;

		if (condition == NULL)
			continue;
		foreach(part, make_ands_implicit((Expr *) condition))
		{
			if (is_orclause(lfirst(part)))
				key->alternatives = append_estimated(root, key->alternatives, lfirst(part));
			else
				key->implied = append_estimated(root, key->implied, lfirst(part));
		}
	}
}

/*
 * Have core make the paths of the indexes on the ID, with what is implied.  An error on the
 * way ends the planning, so nothing needs to be put back then.
 */
static void
add_paths(PlannerInfo *root, RelOptInfo *rel, List *indexes, const FlakeTimeKey *key)
{
	List	   *all = rel->indexlist;
	List	   *conditions = rel->baserestrictinfo;
	List	   *kept = NIL;
	ListCell   *cell;
	ListCell   *was;

	foreach(cell, indexes)
	{
		IndexOptInfo *index = lfirst(cell);

		kept = lappend(kept, index->indrestrictinfo);
		index->indrestrictinfo = list_concat_copy(index->indrestrictinfo, key->implied);
	}
	rel->indexlist = indexes;
	rel->baserestrictinfo = list_concat_copy(conditions, key->alternatives);
	create_index_paths(root, rel);
	rel->indexlist = all;
	rel->baserestrictinfo = conditions;
	forboth(cell, indexes, was, kept)
		((IndexOptInfo *) lfirst(cell))->indrestrictinfo = lfirst(was);
}

/* Return what a clause compares, if that may be the time of an ID; NULL: it is not. */
static Node *
compared_call(Node *clause)
{
	Node	   *sides[2] = {NULL, NULL};

	if (IsA(clause, OpExpr) && list_length(((OpExpr *) clause)->args) == 2)
	{
		sides[0] = linitial(((OpExpr *) clause)->args);
		sides[1] = lsecond(((OpExpr *) clause)->args);
	}
	else if (IsA(clause, ScalarArrayOpExpr))
		sides[0] = linitial(((ScalarArrayOpExpr *) clause)->args);
	else if (IsA(clause, RowCompareExpr))
	{
		sides[0] = linitial(((RowCompareExpr *) clause)->largs);
		sides[1] = linitial(((RowCompareExpr *) clause)->rargs);
	}
	for (int i = 0; i < 2; i++)
	{
		if (sides[i] != NULL && flake_may_be_time(sides[i]))
			return sides[i];
	}
	return NULL;
}

/*
 * Add paths by an index on an ID whose time is compared.  "ordered" has the calls for which
 * paths in their order have been added, and these have what a comparison of rows implies.
 */
void
flake_add_implied(PlannerInfo *root, RelOptInfo *rel, Oid table, List *ordered)
{
	List	   *seen = NIL;
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		Node	   *clause = (Node *) lfirst_node(RestrictInfo, cell)->clause;
		Node	   *call = compared_call(clause);
		FlakeTimeKey key;
		List	   *indexes;

		if (call == NULL || !flake_is_time(call, &key) || list_member(seen, key.call) ||
			(IsA(clause, RowCompareExpr) && list_member(ordered, key.call)))
			continue;
		seen = lappend(seen, key.call);
		indexes = flake_indexes_on(rel, &key);
		if (indexes == NIL || (key.refuses && !flake_constraint_excludes_null(table, rel->relid, &key)))
			continue;
		flake_find_implied(root, rel, &key);
		if (key.implied != NIL || key.alternatives != NIL)
			add_paths(root, rel, indexes, &key);
	}
}
