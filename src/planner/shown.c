/*
 * shown.c
 *		A uuid that a function shows as a text, found by the text.
 *
 * typeid(uuid, prefix) returns a domain over text, whose = is core's with a support
 * function:
 *
 *		typeid(id, 'user') = t						id = typeid_match(t, 'user') AND is_typeid(t, 'user')
 *		typeid(x, 'user') = typeid(y, 'user')		x = y
 *		any other comparison						core's
 *
 * Where typeid() never returns the text, the comparison is false: typeid_match() is NULL
 * there, and is_typeid() false.  Neither has a column of the ID's table, so the latter is
 * evaluated once.  A constant text leaves "id = constant", or false.
 */
#include "planner/planner.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/uuid.h"

/* core's uuid = uuid, for which its headers have no name */
#define UUID_EQUAL_OPERATOR	2972

/* A call of typeid(), if the prefix is the same in all rows. */
typedef struct Shown
{
	FlakeSource source;
	Node	   *id;
	Node	   *prefix;
} Shown;

static bool
is_shown(Node *node, Shown *shown)
{
	FuncExpr   *call;

	node = flake_strip(node);
	if (!IsA(node, FuncExpr))
		return false;
	call = (FuncExpr *) node;
	shown->source = flake_find_source(call->funcid);
	if (shown->source.kind != FLAKE_SOURCE_SHOWN)
		return false;
	shown->id = linitial(call->args);
	shown->prefix = lsecond(call->args);
	if (IsA(shown->prefix, Const))
		return flake_is_constant(shown->prefix) && typeid_is_prefix(DatumGetTextPP(((Const *) shown->prefix)->constvalue));
	return !contain_var_clause(shown->prefix) && !contain_volatile_functions(shown->prefix) &&
		!contain_subplans(shown->prefix);
}

/* Is it what a sub-SELECT of IN returns?  Core hashes these rows only by its own operators. */
static bool
is_sublink_result(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_SUBLINK)
		return true;
	return flake_walk(node, is_sublink_result, context);
}

/* Return core's comparison, which can be hashed and merged. */
static Node *
compare_texts(SupportRequestSimplify *request)
{
	List	   *args = request->fcall->args;

	return flake_operation(TextEqualOperator, flake_without_domain(linitial(args)), flake_without_domain(lsecond(args)),
						   request->fcall->inputcollid);
}

/* Return false, but NULL where the ID is, unless it filters rows. */
static Node *
false_or_null(PlannerInfo *root, Node *id)
{
	NullTest   *test = makeNode(NullTest);

	if (flake_filters_union(root, id))
		return makeBoolConst(false, false);
	test->arg = copyObject((Expr *) id);
	test->nulltesttype = IS_NULL;
	test->location = -1;
	return (Node *) make_andclause(list_make2(test, makeBoolConst(false, true)));
}

static Node *
compare_uuids(Node *id, Node *other)
{
	OpExpr	   *clause = (OpExpr *) make_opclause(UUID_EQUAL_OPERATOR, BOOLOID, false, copyObject((Expr *) id), (Expr *) other, InvalidOid, InvalidOid);

	clause->opfuncid = F_UUID_EQ;
	return (Node *) clause;
}

/* Compare with a text that is not constant. */
static Node *
compare_computed(PlannerInfo *root, const Shown *shown, Node *other)
{
	Node	   *match = compare_uuids(shown->id, flake_call(shown->source.match, UUIDOID,
															list_make2(copyObject(other), copyObject(shown->prefix))));
	Node	   *is = flake_call(shown->source.is, BOOLOID, list_make2(copyObject(other), copyObject(shown->prefix)));
	Node	   *both = (Node *) make_andclause(list_make2(match, is));

	if (flake_filters_union(root, shown->id))
		return both;
	return (Node *) make_orclause(list_make2(false_or_null(root, shown->id), both));
}

/* Return what replaces "shown = text"; NULL to leave it alone until it is decided. */
Node *
flake_rewrite_shown(SupportRequestSimplify *request)
{
	PlannerInfo *root = request->root;
	List	   *args = request->fcall->args;
	Shown		shown[2];
	bool		is[2];
	int			place;
	Node	   *other;
	Oid			collation = request->fcall->inputcollid;

	if (list_length(args) != 2)
		return NULL;
	for (int i = 0; i < 2; i++)
		is[i] = is_shown(list_nth(args, i), &shown[i]);
	if (!is[0] && !is[1])
		return flake_undecided(root, linitial(args)) || flake_undecided(root, lsecond(args)) ? NULL : compare_texts(request);
	place = is[0] ? 0 : 1;
	other = list_nth(args, 1 - place);
	if (flake_in_grouping_sets(root, shown[place].source.function) || (!is[1 - place] && flake_undecided(root, other)))
		return NULL;
	if (OidIsValid(collation) && collation != DEFAULT_COLLATION_OID && !get_collation_isdeterministic(collation))
		return compare_texts(request);
	if (is[0] && is[1])
		return IsA(shown[0].prefix, Const) && equal(shown[0].prefix, shown[1].prefix) ?
			compare_uuids(shown[0].id, copyObject(shown[1].id)) : compare_texts(request);
	if (flake_is_constant(other) && IsA(shown[place].prefix, Const))
	{
		pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

		if (!typeid_read(DatumGetTextPP(((Const *) other)->constvalue),
						 DatumGetTextPP(((Const *) shown[place].prefix)->constvalue), uuid->data))
			return flake_may_repeat(root, shown[place].id) ? false_or_null(root, shown[place].id) : compare_texts(request);
		return compare_uuids(shown[place].id, (Node *)
							 makeConst(UUIDOID, -1, InvalidOid, UUID_LEN, UUIDPGetDatum(uuid), false, false));
	}
	other = flake_without_domain(other);
	if (!flake_may_repeat(root, other) || !flake_may_repeat(root, shown[place].id) || is_sublink_result(other, NULL) ||
		is_sublink_result(shown[place].id, NULL))
		return compare_texts(request);
	return compare_computed(root, &shown[place], other);
}
