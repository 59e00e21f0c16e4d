/*
 * union_all.c
 *		Conditions on the instants that the queries of a UNION ALL return.
 *
 * rewrite.c replaces a comparison by an expression that has the same value for every ID,
 * and core simplifies that where it filters rows.  But a condition on the result of a UNION
 * ALL is simplified there, where the instant is just a column.  Core then copies the
 * condition to each query, puts the call of uuid7_timestamp() in the column's place, and
 * does not simplify it as a filter again.  So here it must be known whether the comparison
 * filters rows.
 *
 * A support function is not told the place of its call in the condition, so the answer is
 * about all conditions on the UNION ALL.
 */
#include "planner/planner.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

/* Is this the call of a function or operator that compares an instant, or a TypeID? */
static bool
compares_domain(Node *node)
{
	List	   *args = NIL;
	ListCell   *cell;

	if (IsA(node, FuncExpr))
		args = ((FuncExpr *) node)->args;
	else if (IsA(node, OpExpr))
		args = ((OpExpr *) node)->args;
	if (args == NIL || exprType(node) != BOOLOID)
		return false;
	foreach(cell, args)
	{
		Oid			type = exprType(lfirst(cell));
		Oid			base = getBaseType(type);

		if (type != base && (base == TIMESTAMPTZOID || base == TEXTOID))
			return true;
	}
	return false;
}

/*
 * Is one of these, or part of one, a condition on an instant?  A column is what the query
 * returns there, which may be such a condition, too.
 */
static bool
contains_condition(Node *node, void *context)
{
	const AppendRelInfo *query = context;
	const Var  *var = (const Var *) node;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return (Index) var->varno == query->parent_relid && var->varlevelsup == 0 && var->varattno > 0 &&
			contains_condition(list_nth(query->translated_vars, var->varattno - 1), context);
	return compares_domain(node) || flake_walk(node, contains_condition, context);
}

/* Does this condition, if it compares an instant, use the comparison only as a filter? */
static bool
only_filters(Node *condition, AppendRelInfo *query)
{
	ListCell   *cell;

	if (!is_andclause(condition) && !is_orclause(condition))
		return !flake_walk(condition, contains_condition, query);
	foreach(cell, ((BoolExpr *) condition)->args)
	{
		if (!only_filters(lfirst(cell), query))
			return false;
	}
	return true;
}

/*
 * Does a comparison with the instant of this ID filter the rows of a query of a UNION ALL?
 * False if it does not, if it may not, and if there is no UNION ALL.
 */
bool
flake_filters_union(PlannerInfo *root, Node *id)
{
	List	   *columns;
	const Var  *column;
	AppendRelInfo *query;
	ListCell   *cell;

	if (root == NULL || root->simple_rel_array == NULL || root->append_rel_array == NULL)
		return false;
	columns = pull_vars_of_level(id, 0);
	if (columns == NIL || !IsA(linitial(columns), Var))
		return false;
	column = linitial(columns);
	query = (int) column->varno < root->simple_rel_array_size ? root->append_rel_array[column->varno] : NULL;
	if (query == NULL || planner_rt_fetch(query->parent_relid, root)->rtekind != RTE_SUBQUERY)
		return false;
	foreach(cell, root->simple_rel_array[query->parent_relid]->baserestrictinfo)
	{
		if (!only_filters((Node *) lfirst_node(RestrictInfo, cell)->clause, query))
			return false;
	}
	return true;
}
