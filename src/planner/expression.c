/*
 * expression.c
 *		The planner's expressions, read and built.
 */
#include "planner/planner.h"

#include "optimizer/cost.h"

/* ---------- expressions ---------- */

/*
 * Is the expression in a PlaceHolderVar NULL wherever an outer join makes the columns of
 * its relations NULL?  Not if all its columns are other relations', by LATERAL.
 */
static bool
null_with_relations(const PlaceHolderVar *phv)
{
	ListCell   *cell;

	if (contain_nonstrict_functions((Node *) phv->phexpr))
		return false;
	foreach(cell, pull_vars_of_level((Node *) phv->phexpr, 0))
	{
		Node	   *node = lfirst(cell);

		if (IsA(node, Var) ? bms_is_member(((Var *) node)->varno, phv->phrels) :
			bms_is_subset(((PlaceHolderVar *) node)->phrels, phv->phrels))
			return true;
	}
	return false;
}

/*
 * Return the expression without the nodes around it that do not change its value:
 * conversions to a domain, and a PlaceHolderVar that is NULL only where its content is.
 */
Node *
flake_strip(Node *node)
{
	Node	   *held = node;

	while (held != NULL)
	{
		node = held;
		held = IsA(node, RelabelType) ? (Node *) ((RelabelType *) node)->arg :
			IsA(node, PlaceHolderVar) ? flake_without_placeholder((PlaceHolderVar *) node, null_with_relations((PlaceHolderVar *) node)) : NULL;
	}
	return node;
}

/*
 * Return the char(n) that an expression converts to text, else the expression itself.  Both
 * types sort alike, because the conversion removes the blanks at the end, which char(n) ignores.
 */
Node *
flake_strip_padding(Node *node)
{
	const FuncExpr *conversion = (FuncExpr *) flake_strip(node);

	return IsA(conversion, FuncExpr) && conversion->funcid == F_TEXT_BPCHAR ? linitial(conversion->args) : node;
}

/* Return the same expression, but of the base type of its domain. */
Node *
flake_without_domain(Node *node)
{
	Oid			type = exprType(node);
	Oid			base;

	/*
	 * core's own types are no domains, and nearly all expressions are of
	 * these
	 */
	if (type < FirstGenbkiObjectId || (base = getBaseType(type)) == type)
		return node;
	if (IsA(node, RelabelType) && exprType((Node *) ((RelabelType *) node)->arg) == base)
		return (Node *) ((RelabelType *) node)->arg;
	if (IsA(node, Const))
	{
		node = copyObject(node);
		((Const *) node)->consttype = base;
		return node;
	}
	return (Node *) makeRelabelType((Expr *) node, base, -1, exprCollation(node), COERCE_IMPLICIT_CAST);
}

bool
flake_is_constant(const Node *node)
{
	return IsA(node, Const) && !((const Const *) node)->constisnull;
}

/*
 * May an expression be evaluated twice?  Not if it is volatile or a sub-SELECT, which with
 * TABLESAMPLE or SKIP LOCKED may return something else each time even without volatile
 * functions, nor if the second evaluation would cost more than the index saves.
 */
bool
flake_may_repeat(PlannerInfo *root, Node *expr)
{
	QualCost	cost;

	if (IsA(expr, Var))
		return true;
	if (contain_volatile_functions(expr) || contain_subplans(expr))
		return false;
	cost_qual_eval_node(&cost, expr, root);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/* ---------- comparisons ---------- */

/* Return the operator of the same comparison with its sides exchanged. */
int
flake_commuted(int strategy)
{
	return strategy == FLAKE_NOT_EQUAL ? strategy : BTMaxStrategyNumber + 1 - strategy;
}

/* Read "left operator right", of which the first (0) or second (1) is the ID. */
FlakeComparison
flake_comparison(List *args, int id, int strategy)
{
	FlakeComparison result = {list_nth(args, id), list_nth(args, 1 - id), id == 0 ? strategy : flake_commuted(strategy)};

	return result;
}

Node *
flake_strip_relabeling(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/* Return the condition that is this clause, of a list; NULL: there is none. */
RestrictInfo *
flake_find_condition(List *conditions, const Node *clause)
{
	ListCell   *cell;

	foreach(cell, conditions)
	{
		RestrictInfo *info = lfirst(cell);

		if (IsA(info, RestrictInfo) && equal(info->clause, clause))
			return info;
	}
	return NULL;
}

/* Do others beside it imply this comparison? */
bool
flake_is_redundant(const Node *clause)
{
	return flake_is_end_of_list(clause) || (IsA(clause, OpExpr) && ((const OpExpr *) clause)->location == FLAKE_REDUNDANT);
}

/* Is it the first or the last instant of several, which the OR before it implies? */
bool
flake_is_end_of_list(const Node *clause)
{
	return IsA(clause, OpExpr) && ((const OpExpr *) clause)->location == FLAKE_END_OF_LIST;
}

/* Return conditions without ends of lists. */
List *
flake_without_ends(const List *conditions)
{
	List	   *others = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		if (!flake_is_end_of_list(lfirst(cell)))
			others = lappend(others, lfirst(cell));
	}
	return others;
}

/* Return the boolean expression "left operator right"; NULL if there is no such operator. */
Node *
flake_operation(Oid operator, Node *left, Node *right, Oid collation)
{
	OpExpr	   *clause;

	if (!OidIsValid(operator))
		return NULL;
	clause = (OpExpr *) make_opclause(operator, BOOLOID, false, (Expr *) left, (Expr *) right, InvalidOid, collation);
	set_opfuncid(clause);
	return (Node *) clause;
}

/* Return "left operator right" by the order of a type, which may be that of the left operand only. */
Node *
flake_operation_of_type(Oid type, Node *left, int strategy, Node *right)
{
	Oid			family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(family, exprType(left), exprType(right),
											   strategy == FLAKE_NOT_EQUAL ? BTEqualStrategyNumber : strategy);

	if (OidIsValid(operator) && strategy == FLAKE_NOT_EQUAL)
		operator = get_negator(operator);
	return flake_operation(operator, left, right, InvalidOid);
}
