/*
 * negation.c
 *		The place of an instant's comparison in its query.
 *
 * uuid7_timestamp(id) is NULL for UUIDs of other versions, and so is a comparison with
 * it.  What instant.c makes of the comparison, is_uuid7(id) AND id >= bound, is NULL or
 * false for them.  Either one excludes rows where the condition filters rows, but NOT of
 * false is true.  So the replacement depends on the comparison's place:
 *
 *		it filters rows					is_uuid7(id) AND id >= bound
 *		it does, but below a NOT		NOT is_uuid7(id) OR id >= bound
 *		its value is used				the comparison itself
 *
 * The planner turns NOT of the second into is_uuid7(id) AND id < bound.
 *
 * A support function is not told the place of its call.  So the call is looked up in the
 * query, as the parser and the rewriter left it; parts that have been planned already look
 * different and are not found.  The first look at a query remembers all comparisons in
 * it.  In most queries all of them filter rows, and then no search is needed.
 */
#include "source.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* A comparison of an instant in a query. */
typedef struct Found
{
	Oid			function;
	List	   *args;
	FlakePlace	place;
} Found;

/* The comparisons in the last query that was looked at. */
static struct
{
	const PlannerInfo *root;	/* or NULL */
	/* The length of its range table, which grows as subqueries are pulled up. */
	int			relations;
	List	   *found;			/* of Found */
	bool		all_filter;
	bool		comparing;		/* is_call() is simplifying what was found */
}			known;

typedef struct Walk
{
	const Query *query;
	Oid			domain;
	FlakePlace	place;
	List	   *found;
} Walk;

static void
forget_places(void *root)
{
	if (known.root == root)
		known.root = NULL;
}

static bool walk(Node *node, void *context);

/* Walk on into a node that is in this place. */
static bool
walk_in(FlakePlace place, Node *node, Walk *context)
{
	FlakePlace	before = context->place;

	context->place = place;
	walk(node, context);
	context->place = before;
	return false;
}

/* Add the call of a function, or of an operator's, if it compares an instant. */
static void
add_call(Oid function, List *args, Walk *context)
{
	Found	   *found;

	if (list_length(args) != 2 ||
		(exprType(linitial(args)) != context->domain && exprType(lsecond(args)) != context->domain))
		return;
	found = palloc(sizeof(Found));
	found->function = function;
	found->args = args;
	found->place = context->place;
	context->found = lappend(context->found, found);
}

/* Of NOT, AND and OR. */
static bool
walk_bool(BoolExpr *expr, Walk *context)
{
	FlakePlace	place = context->place;

	if (expr->boolop == NOT_EXPR && place != FLAKE_PLACE_VALUE)
		place = place == FLAKE_PLACE_FILTER ? FLAKE_PLACE_NEGATED : FLAKE_PLACE_FILTER;
	return walk_in(place, (Node *) expr->args, context);
}

static bool
walk(Node *node, void *context)
{
	Walk	   *walking = context;
	FlakePlace	before;

	if (node != NULL && IsA(node, TargetEntry))
		node = (Node *) ((TargetEntry *) node)->expr;
	if (node == NULL || IsA(node, Query) || IsA(node, Var) || IsA(node, Const))
		return false;
	if (node == walking->query->havingQual && walking->place == FLAKE_PLACE_VALUE)
		return walk_in(FLAKE_PLACE_FILTER, node, walking);
	switch (nodeTag(node))
	{
		case T_List:
			return flake_walk(node, walk, context);
		case T_BoolExpr:
			return walk_bool((BoolExpr *) node, context);
		case T_FromExpr:
			walk_in(FLAKE_PLACE_VALUE, (Node *) ((FromExpr *) node)->fromlist, context);
			return walk_in(FLAKE_PLACE_FILTER, ((FromExpr *) node)->quals, context);
		case T_JoinExpr:
			walk_in(FLAKE_PLACE_VALUE, ((JoinExpr *) node)->larg, context);
			walk_in(FLAKE_PLACE_VALUE, ((JoinExpr *) node)->rarg, context);
			return walk_in(FLAKE_PLACE_FILTER, ((JoinExpr *) node)->quals, context);
		case T_OnConflictExpr:
			walk_in(FLAKE_PLACE_FILTER, ((OnConflictExpr *) node)->arbiterWhere, context);
			walk_in(FLAKE_PLACE_FILTER, ((OnConflictExpr *) node)->onConflictWhere, context);
			return walk_in(FLAKE_PLACE_VALUE, (Node *) ((OnConflictExpr *) node)->onConflictSet, context);
		case T_OpExpr:
			if (exprType(node) == BOOLOID)
				add_call(OidIsValid(((OpExpr *) node)->opfuncid) ? ((OpExpr *) node)->opfuncid :
						 get_opcode(((OpExpr *) node)->opno), ((OpExpr *) node)->args, context);
			break;
		case T_FuncExpr:
			if (exprType(node) == BOOLOID)
				add_call(((FuncExpr *) node)->funcid, ((FuncExpr *) node)->args, context);
			break;
		default:
			break;
	}
	before = walking->place;
	walking->place = FLAKE_PLACE_VALUE;
	flake_walk(node, walk, context);
	walking->place = before;
	return false;
}

/* Find the comparisons of a query; instants have this type. */
static void
look_at(PlannerInfo *root, Oid domain)
{
	MemoryContext caller = MemoryContextSwitchTo(root->planner_cxt);
	MemoryContextCallback *callback = palloc(sizeof(MemoryContextCallback));
	Walk		context = {.query = root->parse, .domain = domain, .place = FLAKE_PLACE_VALUE};
	ListCell   *cell;

	flake_walk_query(root->parse, walk, &context, QTW_IGNORE_JOINALIASES | QTW_IGNORE_RANGE_TABLE | QTW_IGNORE_CTE_SUBQUERIES);
	callback->func = forget_places;
	callback->arg = root;
	MemoryContextRegisterResetCallback(root->planner_cxt, callback);
	foreach(cell, root->parse->rtable)
		walk_in(FLAKE_PLACE_FILTER, (Node *) lfirst_node(RangeTblEntry, cell)->securityQuals, &context);
	known.root = root;
	known.relations = list_length(root->parse->rtable);
	known.found = context.found;
	known.comparing = false;	/* an error may have left it true */
	known.all_filter = true;
	foreach(cell, known.found)
		known.all_filter &= ((const Found *) lfirst(cell))->place == FLAKE_PLACE_FILTER;
	MemoryContextSwitchTo(caller);
}

/* Simplify an argument of a comparison that was found, in which there may be others. */
static Node *
simplified(PlannerInfo *root, Node *node)
{
	known.comparing = true;
	node = eval_const_expressions(root, copyObject(node));
	known.comparing = false;
	return node;
}

/* Is it the call that is being simplified, whose arguments are simplified already? */
static bool
is_call(PlannerInfo *root, const Found *found, const FuncExpr *call)
{
	ListCell   *left;
	ListCell   *right;

	if (found->function != call->funcid)
		return false;
	forboth(left, found->args, right, call->args)
	{
		if (!equal(lfirst(left), lfirst(right)) &&
			!equal(simplified(root, lfirst(left)), lfirst(right)))
			return false;
	}
	return true;
}

/*
 * Is the ID a column of a partition or child of a table?  All filters in the table's
 * conditions have been rewritten before, and the rest must stay as it is.
 */
static bool
is_inherited(PlannerInfo *root, const Node *id)
{
	const Var  *var = (const Var *) id;
	const AppendRelInfo *child;

	if (!IsA(var, Var) || var->varlevelsup > 0 || root->append_rel_array == NULL ||
		var->varno <= 0 || (int) var->varno >= root->simple_rel_array_size)
		return false;
	child = root->append_rel_array[var->varno];
	return child != NULL && planner_rt_fetch(child->parent_relid, root)->rtekind == RTE_RELATION;
}

/*
 * Return the place of an instant's comparison in its query while it is being simplified;
 * "domain" is the type of the instant.  If equal ones are in places of several kinds, the
 * answer is FLAKE_PLACE_VALUE, which is always safe.
 */
FlakePlace
flake_place(PlannerInfo *root, const FuncExpr *call, const Node *id, Oid domain)
{
	bool		seen[FLAKE_PLACE_VALUE + 1] = {false};
	bool		filters = false;
	ListCell   *cell;

	if (root == NULL)
		return FLAKE_PLACE_FILTER;
	if (root->simple_rel_array != NULL)
		return is_inherited(root, id) ? FLAKE_PLACE_VALUE : FLAKE_PLACE_FILTER;
	if (known.root != root || known.relations != list_length(root->parse->rtable))
		look_at(root, domain);
	if (known.all_filter)
		return FLAKE_PLACE_FILTER;
	/* a comparison inside one that was found, which would be looked up without end */
	if (known.comparing)
		return FLAKE_PLACE_VALUE;
	foreach(cell, known.found)
	{
		const Found *found = lfirst(cell);

		filters |= found->function == call->funcid && found->place == FLAKE_PLACE_FILTER;
		if (!seen[found->place] && is_call(root, found, call))
			seen[found->place] = true;
	}
	if (seen[FLAKE_PLACE_VALUE] || (seen[FLAKE_PLACE_FILTER] && seen[FLAKE_PLACE_NEGATED]))
		return FLAKE_PLACE_VALUE;
	if (seen[FLAKE_PLACE_NEGATED])
		return FLAKE_PLACE_NEGATED;
	return seen[FLAKE_PLACE_FILTER] || filters ? FLAKE_PLACE_FILTER : FLAKE_PLACE_VALUE;
}
