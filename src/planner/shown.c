/*
 * shown.c
 *		A uuid that typeid() shows as a text, found by the text.
 *
 *		typeid(id, 'user') = t						is id = the uuid of t, or false
 *		typeid(id, 'user') IN (t, u)				is id = ANY (the uuids of t and u)
 *		typeid(x, 'user') = typeid(y, 'user')		is x = y
 *
 * Where typeid() never returns the text, typeid_match() is NULL.
 */
#include "planner/planner.h"

#include "catalog/pg_operator.h"
#include "utils/array.h"
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

/* Is it such a call, of a uuid of the table? */
static bool
is_shown(const FlakePlace *place, Node *node, Shown *shown)
{
	FuncExpr   *call = (FuncExpr *) flake_strip(node);

	if (!IsA(call, FuncExpr) || call->funcid < FirstNormalObjectId)
		return false;
	shown->source = flake_find_source(call->funcid);
	if (shown->source.kind != FLAKE_SOURCE_SHOWN || !flake_is_here(place, linitial(call->args)))
		return false;
	shown->id = linitial(call->args);
	shown->prefix = lsecond(call->args);
	if (IsA(shown->prefix, Const))
		return flake_is_constant(shown->prefix) && typeid_is_prefix(DatumGetTextPP(((Const *) shown->prefix)->constvalue));
	return !contain_var_clause(shown->prefix) && !contain_volatile_functions(shown->prefix) &&
		!contain_subplans(shown->prefix);
}

/* Are two texts equal only where their bytes are? */
static bool
compares_bytes(Oid collation)
{
	return !OidIsValid(collation) || get_collation_isdeterministic(collation);
}

/* Read a text as the uuid that is shown so; return false if there is none. */
static bool
read_shown(const Shown *shown, Datum value, Datum *uuid)
{
	pg_uuid_t  *bytes = palloc(sizeof(pg_uuid_t));

	*uuid = UUIDPGetDatum(bytes);
	return typeid_read(DatumGetTextPP(value), DatumGetTextPP(((Const *) shown->prefix)->constvalue), bytes->data);
}

static Node *
uuid_equals(const Shown *shown, Node *other)
{
	return flake_operation(UUID_EQUAL_OPERATOR, copyObject(shown->id), other, InvalidOid);
}

/* Return what "shown = other" is of the uuid; NULL if nothing. */
static Node *
equals(const FlakePlace *place, const Shown *shown, Node *other)
{
	const FlakePlace anywhere = {.root = place->root};
	Shown		second;
	Datum		uuid;

	if (is_shown(&anywhere, other, &second))
		return IsA(shown->prefix, Const) && equal(shown->prefix, second.prefix) ?
			uuid_equals(shown, copyObject(second.id)) : NULL;
	if (!flake_is_constant(other) || !IsA(shown->prefix, Const))
		return uuid_equals(shown, flake_call(shown->source.match, UUIDOID, list_make2(copyObject(other), copyObject(shown->prefix))));
	if (!read_shown(shown, ((Const *) other)->constvalue, &uuid))
		return makeBoolConst(false, false);
	return uuid_equals(shown, (Node *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN, uuid, false, false));
}

/* Find out what "text = text" says about a uuid of the table; return false: nothing. */
bool
flake_shown_implied(const FlakePlace *place, const OpExpr *clause, FlakeImplied *implied)
{
	Shown		shown;
	int			side = is_shown(place, linitial(clause->args), &shown) ? 0 : is_shown(place, lsecond(clause->args), &shown) ? 1 : -1;
	Node	   *other = side < 0 ? NULL : flake_strip_relabeling(list_nth(clause->args, 1 - side));

	if (side < 0 || !compares_bytes(clause->inputcollid) || contain_volatile_functions(other) ||
		bms_overlap(pull_varnos(place->root, other), pull_varnos(place->root, shown.id)))
		return false;
	implied->condition = equals(place, &shown, other);
	implied->exact = true;
	return implied->condition != NULL;
}

/* Return the uuids of those texts in an array that are shown so, as an array. */
static Node *
uuids_of(const Shown *shown, ArrayType *array)
{
	ArrayIterator texts = array_create_iterator(array, 0, NULL);
	ArrayBuildState *uuids = initArrayResult(UUIDOID, CurrentMemoryContext, false);
	Datum		text;
	Datum		uuid;
	bool		isnull;

	while (array_iterate(texts, &text, &isnull))
		if (!isnull && read_shown(shown, text, &uuid))
			accumArrayResult(uuids, uuid, false, UUIDOID, CurrentMemoryContext);
	return (Node *) makeConst(UUIDARRAYOID, -1, InvalidOid, -1, makeArrayResult(uuids, CurrentMemoryContext), false, false);
}

/* The same of "text = ANY (texts)". */
bool
flake_shown_list_implied(const FlakePlace *place, const ScalarArrayOpExpr *clause, FlakeImplied *implied)
{
	const Const *array = lsecond(clause->args);
	ScalarArrayOpExpr *condition;
	Shown		shown;

	if (!clause->useOr || !flake_is_constant((const Node *) array) || array->consttype != TEXTARRAYOID ||
		!is_shown(place, linitial(clause->args), &shown) || !IsA(shown.prefix, Const) || !compares_bytes(clause->inputcollid))
		return false;
	condition = makeNode(ScalarArrayOpExpr);
	condition->opno = UUID_EQUAL_OPERATOR;
	condition->opfuncid = F_UUID_EQ;
	condition->useOr = true;
	condition->location = -1;
	condition->args = list_make2(copyObject(shown.id), uuids_of(&shown, DatumGetArrayTypeP(array->constvalue)));
	implied->condition = (Node *) condition;
	implied->exact = true;
	return true;
}
