/*
 * comparison.c
 *		Comparisons of an ID with something else, read and built.
 */
#include "planner/planner.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/typcache.h"

/* Return the operator of the same comparison with its sides exchanged. */
int
flake_commuted(int strategy)
{
	static const int commuted[] = {
		0, BTGreaterStrategyNumber, BTGreaterEqualStrategyNumber, BTEqualStrategyNumber,
		BTLessEqualStrategyNumber, BTLessStrategyNumber, FLAKE_NOT_EQUAL
	};

	return commuted[strategy];
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

/*
 * Read a clause, or a RestrictInfo of one; return false if it does not compare the ID by
 * one of the operators of which "strategy_of" returns the strategy, not 0.
 */
bool
flake_read_clause(Node *node, Node *id, int (*strategy_of) (Oid operator), FlakeComparison *comparison)
{
	OpExpr	   *clause;
	int			place;
	int			strategy;

	if (IsA(node, RestrictInfo))
		node = (Node *) ((RestrictInfo *) node)->clause;
	clause = (OpExpr *) node;
	if (!IsA(node, OpExpr) || list_length(clause->args) != 2)
		return false;
	id = flake_strip_relabeling(id);
	place = equal(flake_strip_relabeling(linitial(clause->args)), id) ? 0 : 1;
	if ((place == 1 && !equal(flake_strip_relabeling(lsecond(clause->args)), id)) ||
		(strategy = strategy_of(clause->opno)) == 0)
		return false;
	*comparison = flake_comparison(clause->args, place, strategy);
	return true;
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
