/*
 * proof.c
 *		Proof that each row of a table has a time, for order.c.
 *
 * uuid7_timestamp() is NULL for other versions, wherever they are in an index, and a text
 * that is no ULID is an error, which the scan of one page would not find.  So rows in the
 * order of the ID are in the order of such a time only if the scan returns no such row: by a
 * condition of the query, or by a constraint of the table.
 */
#include "planner/planner.h"

#include "access/table.h"
#include "common/hashfn.h"
#include "rewrite/rewriteManip.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* Is it a call of the filter of these IDs, which is NULL for everything else? */
static bool
is_filter(const FuncExpr *function, const FlakeTimeKey *key)
{
	return function->funcid == key->source.filter && list_length(function->args) == 1 &&
		equal(flake_strip(linitial(function->args)), flake_strip(linitial(key->call->args)));
}

/* Is the value NULL where the time is? */
static bool
is_null_with(Node *node, const FlakeTimeKey *key)
{
	List	   *args = NIL;
	ListCell   *cell;

	node = flake_strip(node);
	if (!key->partial && equal(node, key->id))
		return true;
	if (IsA(node, FuncExpr))
	{
		const FuncExpr *function = (FuncExpr *) node;

		if (is_filter(function, key) || equal(node, key->call))
			return true;
		if (func_strict(function->funcid))
			args = function->args;
	}
	else if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		if (func_strict(((OpExpr *) node)->opfuncid))
			args = ((OpExpr *) node)->args;
	}
	else if (IsA(node, RowCompareExpr))
		return is_null_with(linitial(((RowCompareExpr *) node)->largs), key) ||
			is_null_with(linitial(((RowCompareExpr *) node)->rargs), key);
	foreach(cell, args)
	{
		if (is_null_with(lfirst(cell), key))
			return true;
	}
	return false;
}

/* Is the condition NULL or false where the time is NULL?  (Below NOT or an operator, false is not enough.) */
static bool
excludes_null(Node *node, const FlakeTimeKey *key)
{
	bool		any = !is_orclause(node);
	ListCell   *cell;

	if (is_andclause(node) || is_orclause(node))
	{
		foreach(cell, ((BoolExpr *) node)->args)
		{
			if (excludes_null(lfirst(cell), key) == any)
				return any;
		}
		return !any;
	}
	if (IsA(node, NullTest))
		return ((NullTest *) node)->nulltesttype == IS_NOT_NULL && !((NullTest *) node)->argisrow &&
			is_null_with((Node *) ((NullTest *) node)->arg, key);
	if (IsA(node, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *any_of = (ScalarArrayOpExpr *) node;

		set_sa_opfuncid(any_of);
		return any_of->useOr && func_strict(any_of->opfuncid) && is_null_with(linitial(any_of->args), key);
	}
	return is_null_with(node, key);
}

/*
 * Does a condition of the scan exclude NULL?  (One of a join is too late.)  Of a text or bytea
 * none does: others are an error, which a page that ends before them would not report.
 */
bool
flake_condition_excludes_null(RelOptInfo *rel, const FlakeTimeKey *key)
{
	ListCell   *cell;

	if (key->refuses)
		return false;
	foreach(cell, rel->baserestrictinfo)
	{
		if (excludes_null((Node *) lfirst_node(RestrictInfo, cell)->clause, key))
			return true;
	}
	return false;
}

/*
 * Constraints that the session has parsed, by their texts: that takes longer than all the
 * rest, and partitions mostly have the same one.
 */
typedef struct Parsed
{
	MemoryContext context;		/* holds the others */
	char	   *text;			/* or NULL */
	FlakeConstraint constraint;
	int			varno;			/* whose columns are in its conditions */
} Parsed;

/* Return a constraint, for the columns of this table. */
FlakeConstraint *
flake_parse_constraint(const char *text, Index varno)
{
	static Parsed parsed[16];
	Parsed	   *known = &parsed[hash_bytes((const unsigned char *) text, (int) strlen(text)) % lengthof(parsed)];

	if (known->text == NULL || strcmp(known->text, text) != 0)
	{
		MemoryContext caller;

		if (known->context == NULL)
			known->context = AllocSetContextCreate(CacheMemoryContext, "flakeid constraint", ALLOCSET_SMALL_SIZES);
		known->text = NULL;
		MemoryContextReset(known->context);
		caller = MemoryContextSwitchTo(known->context);
		known->constraint.conditions = make_ands_implicit(stringToNode(text));
		known->constraint.column = 0;
		known->varno = 1;
		known->text = pstrdup(text);
		MemoryContextSwitchTo(caller);
	}
	ChangeVarNodes((Node *) known->constraint.conditions, known->varno, (int) varno, 0);
	known->varno = (int) varno;
	return &known->constraint;
}

/* Is one of the conditions of a constraint that the time is not NULL? */
static bool
contains_proof(List *conditions, const FuncExpr *call)
{
	ListCell   *cell;

	foreach(cell, conditions)
	{
		NullTest   *test = lfirst(cell);

		if (IsA(test, NullTest) && test->nulltesttype == IS_NOT_NULL && !test->argisrow &&
			equal(flake_strip((Node *) test->arg), call))
			return true;
	}
	return false;
}

/*
 * Does the table have a valid constraint CHECK (time IS NOT NULL)?  A condition that is
 * NULL for NULL, such as is_uuid7(id), lets NULL pass.  Constraints without the function are
 * not parsed: their texts name it by its OID.  Most are written as the query's call is; others are
 * simplified first, as that was.
 */
bool
flake_constraint_excludes_null(Oid table, Index varno, const FuncExpr *call)
{
	Relation	relation = table_open(table, NoLock);
	TupleConstr *constraints = relation->rd_att->constr;
	bool		excluded = false;
	char		name[32];

	snprintf(name, sizeof(name), ":funcid %u ", call->funcid);
	for (int i = 0; constraints != NULL && !excluded && i < constraints->num_check; i++)
	{
		List	   *conditions;

		if (!flake_check_holds(&constraints->check[i]) || strstr(constraints->check[i].ccbin, name) == NULL)
			continue;
		conditions = flake_parse_constraint(constraints->check[i].ccbin, varno)->conditions;
		excluded = contains_proof(conditions, call) ||
			contains_proof(make_ands_implicit((Expr *) eval_const_expressions(NULL, (Node *) make_ands_explicit(copyObject(conditions)))), call);
	}
	table_close(relation, NoLock);
	return excluded;
}

/* Estimate which part of the rows between the ends of the scan has a time. */
double
flake_part_with_time(PlannerInfo *root, RelOptInfo *rel, const FlakeTimeKey *key)
{
	ListCell   *cell;

	if (!OidIsValid(key->source.filter) || !IsA(key->id, Var) || key->refuses)
		return 1.0;
	foreach(cell, rel->baserestrictinfo)
	{
		RestrictInfo *info = lfirst(cell);

		if (IsA(info->clause, FuncExpr) && is_filter((FuncExpr *) info->clause, key) && info->norm_selec >= 0.0)
			return info->norm_selec;	/* the first one: see estimate.c */
	}
	return flake_passed_alone(root, key->source.filter, key->id, flake_is_uuid7);
}
