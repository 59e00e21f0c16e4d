/*
 * foreign.c
 *		Conditions with a horizon on foreign tables, and on those that a subscription fills,
 *		which are refused.
 *
 * A horizon tells of this server's transactions, and of the rows that the statement's snapshot
 * sees here.  Another server's rows are read with another snapshot, or arrive later, and some
 * would be missed.
 */
#include "planner/planner.h"

#include "horizon/horizon.h"

#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "utils/builtins.h"

/* Has this session planned a horizon? */
bool		flake_horizon_asked = false;

/* Support of the functions T_horizon() and flakeid_horizon(): it makes the planner load the library, and tells them from others. */
PG_FUNCTION_INFO_V1(flakeid_horizon_support);
Datum
flakeid_horizon_support(PG_FUNCTION_ARGS pg_attribute_unused())
{
	flake_horizon_asked = true;
	PG_RETURN_POINTER(NULL);
}

/* Report 0A000: the condition is on a foreign table. */
static void
refuse(const char *type, const char *table)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot follow foreign table \"%s\" by a horizon of this server", table),
			 errdetail("%s_horizon() knows only the transactions of this server, so rows that are committed on the other one would be missed.", type),
			 errhint("On the other server, CREATE VIEW feed AS SELECT * FROM %s WHERE id < %s_horizon(%s), and read that by a foreign table.",
					 quote_identifier(table), type, strcmp(type, "flakeid") == 0 ? "'sequence'" : "")));
}

/* Report 0A000: the condition is on a table that a subscription fills. */
static void
refuse_subscribed(const char *type, const char *table, const char *subscription)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot follow table \"%s\" by a horizon of this server", table),
			 errdetail("Subscription \"%s\" fills it, and %s_horizon() knows only the transactions of this server, so rows that are committed on the other one would be missed.",
					   subscription, type),
			 errhint("Read the table on the server that its rows come from, or on a standby of it.%s", strcmp(type, "flakeid") != 0 ? ""
					 : " If only this server fills the column, fetch the horizon in an earlier statement.")));
}

/*
 * flakeid_foreign_horizon(horizon, type, table): takes the place of the horizon in a condition on a
 * partition that may turn out not to be read: reports 0A000 when a row of it is looked at.
 */
PG_FUNCTION_INFO_V1(flakeid_foreign_horizon);
Datum
flakeid_foreign_horizon(PG_FUNCTION_ARGS)
{
	refuse(text_to_cstring(PG_GETARG_TEXT_PP(1)), text_to_cstring(PG_GETARG_TEXT_PP(2)));
	PG_RETURN_NULL();
}

/* ---------- what a condition has ---------- */

/* Is it a call of one of the functions T_horizon(), or of flakeid_horizon()? */
static bool
is_horizon(Node *node)
{
	return IsA(node, FuncExpr) && flake_has_support(((FuncExpr *) node)->funcid, flakeid_horizon_support);
}

/* Return the name of the function's type: "ulid" of ulid_horizon(), "flakeid" of a sequence's, or of one just dropped. */
static const char *
type_of(FuncExpr *horizon)
{
	char	   *name = get_func_name(horizon->funcid);
	char	   *end = name != NULL ? strstr(name, "_horizon") : NULL;

	if (end != NULL)
		*end = '\0';
	return name != NULL ? name : "flakeid";
}

/* Return the target of the sub-SELECT, evaluated once, that a parameter stands for, or NULL. */
static Node *
target_of(PlannerInfo *root, Param *param)
{
	for (; param->paramkind == PARAM_EXEC && root != NULL; root = root->parent_root)
	{
		ListCell   *cell;

		foreach(cell, root->init_plans)
		{
			SubPlan    *plan = lfirst_node(SubPlan, cell);
			PlannerInfo *inner = list_nth(root->glob->subroots, plan->plan_id - 1);

			if (list_length(plan->setParam) == 1 && linitial_int(plan->setParam) == param->paramid && plan->subLinkType == EXPR_SUBLINK)
				return (Node *) linitial_node(TargetEntry, inner->parse->targetList)->expr;
		}
	}
	return NULL;
}

typedef struct Found
{
	PlannerInfo *root;
	FuncExpr   *horizon;		/* the first one, or NULL */
	bool		params;			/* there are parameters whose values are not
								 * known yet */
} Found;

/* Look for horizons and parameters; never return true, so that all of the expression is seen. */
static bool
look(Node *node, void *context)
{
	Found	   *found = context;
	Node	   *target;

	if (node == NULL)
		return false;
	if (IsA(node, RestrictInfo))
		return look((Node *) ((RestrictInfo *) node)->clause, context);
	if (is_horizon(node) && found->horizon == NULL)
		found->horizon = (FuncExpr *) node;
	if (IsA(node, Param))
	{
		target = target_of(found->root, (Param *) node);
		if (target != NULL && is_horizon(target) && found->horizon == NULL)
			found->horizon = (FuncExpr *) target;
		found->params = true;
	}
	return flake_walk(node, look, context);
}

/* ---------- refusing ---------- */

typedef struct Replacing
{
	PlannerInfo *root;
	Oid			function;
	const char *table;
} Replacing;

static Node *
text_constant(const char *text)
{
	return (Node *) makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(text), false, false);
}

/* Put the calls of T_horizon(), and the sub-SELECTs of it, into calls of flakeid_foreign_horizon(). */
static Node *
replace(Node *node, void *context)
{
	Replacing  *with = context;
	Node	   *horizon = node;

	if (node == NULL)
		return NULL;
	if (IsA(node, Param))
		horizon = target_of(with->root, (Param *) node);
	if (horizon != NULL && is_horizon(horizon))
		return flake_call(with->function, exprType(node),
						  list_make3(node, text_constant(type_of((FuncExpr *) horizon)), text_constant(with->table)));
	return flake_mutate(node, replace, context);
}

/*
 * The planner has found the ways to read a table.  A foreign one must not have a condition with
 * a horizon.  A partition that is left although a condition has parameters may be pruned when
 * they are known, so it is refused when a row of it is looked at.
 */
static void
look_at_foreign_table(PlannerInfo *root, RelOptInfo *rel, const Found *found, const char *table)
{
	Oid			types[] = {ANYELEMENTOID, TEXTOID, TEXTOID};
	Replacing	with = {root, InvalidOid, table};
	ListCell   *cell;

	if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL && found->params)
		with.function = flake_find_function("flakeid_foreign_horizon", flake_helpers(), lengthof(types), types);
	if (!OidIsValid(with.function))
		refuse(type_of(found->horizon), table);

	/*
	 * The wrapper may have this condition in its list of those that the other
	 * server evaluates, for an aggregate or a join: it must not be there as
	 * it was.  For the scan it is a new one, which the wrapper finds to be
	 * for this server: the other may not have the function, and would call it
	 * while planning.
	 */
	foreach(cell, rel->baserestrictinfo)
	{
		RestrictInfo *info = lfirst_node(RestrictInfo, cell);
		RestrictInfo *ours = makeNode(RestrictInfo);

		info->clause = (Expr *) replace((Node *) info->clause, &with);
		*ours = *info;
		lfirst(cell) = ours;
	}
}

/* The planner has found the ways to read a table: refuse some of its conditions. */
void
flake_horizons_planned(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *table)
{
	Found		found = {.root = root};
	const char *subscription;

	if (IS_DUMMY_REL(rel))
		return;
	(void) look((Node *) rel->baserestrictinfo, &found);
	if (found.horizon == NULL)
		return;
	if (table->relkind == RELKIND_FOREIGN_TABLE)
		look_at_foreign_table(root, rel, &found, get_rel_name(table->relid));
	else if ((subscription = flake_subscription_of(table->relid)) != NULL)
		refuse_subscribed(type_of(found.horizon), get_rel_name(table->relid), subscription);
}
