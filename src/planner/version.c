/*
 * version.c
 *		Which UUIDs a table's constraints and a query's conditions let through.
 *
 * Core's uuid_extract_timestamp() has a time for version 1, too, in another order, and later
 * servers may add others.  So a condition on it says something about the order of UUIDs only if
 * no row has another version with a time.
 *
 * What a constraint says is found by trying it, not by its form.  UUIDs are of 17 kinds: 16
 * versions, and all of another variant, whose version is NULL.  A condition that depends on
 * the UUID only through uuid_extract_version(id), and can raise no error, is evaluated with one
 * UUID of each kind; it excludes those for which it becomes false, whatever the other columns are.
 */
#include "planner/planner.h"

#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "rewrite/rewriteHandler.h"
#include "utils/rel.h"
#include "utils/uuid.h"

#define KINDS			17
#define OTHER_VARIANT	16
#define ALL_KINDS		((1u << KINDS) - 1)
#define VERSION_7		(1u << 7)

/* The column of UUIDs, and the one that is tried in its place. */
typedef struct Trial
{
	Index		varno;
	AttrNumber	column;
	Node	   *uuid;
} Trial;

/* ---------- one UUID of each kind ---------- */

static Node *
uuid_of(int kind)
{
	pg_uuid_t  *uuid = palloc0(sizeof(pg_uuid_t));

	uuid->data[6] = (unsigned char) (kind == OTHER_VARIANT ? 7 << 4 : kind << 4);
	uuid->data[8] = kind == OTHER_VARIANT ? 0xc0 : 0x80;
	return (Node *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN, UUIDPGetDatum(uuid), false, false);
}

/* Return the kinds for which this server's function has a time. */
static uint32
kinds_with_time(void)
{
	static uint32 kinds = 0;
	uint32		found = 0;

	for (int kind = 0; kinds == 0 && kind < KINDS; kind++)
	{
		Const	   *time = (Const *) eval_const_expressions(NULL, flake_call(FLAKE_CORE_TIME, TIMESTAMPTZOID, list_make1(uuid_of(kind))));

		if (!IsA(time, Const) || !time->constisnull)
			found |= 1u << kind;
	}
	return kinds |= found;
}

/* ---------- what may be tried ---------- */

static bool
is_column(Node *node, const Trial *trial)
{
	const Var  *var = (const Var *) flake_strip(node);

	return IsA(var, Var) && var->varno == (int) trial->varno && var->varattno == trial->column && var->varlevelsup == 0;
}

/* Is it core's function, of the column? */
static bool
is_call_of(Node *node, Oid function, const Trial *trial)
{
	const FuncExpr *call = (const FuncExpr *) flake_strip(node);

	return IsA(call, FuncExpr) && call->funcid == function && is_column(linitial(call->args), trial);
}

/* May the function raise an error, return another value next time, or have a time of a later version? */
static bool
is_harmful(Oid function, void *context pg_attribute_unused())
{
	return function == FLAKE_CORE_TIME || !get_func_leakproof(function) || func_volatile(function) != PROVOLATILE_IMMUTABLE;
}

/*
 * Is there anything in the condition that is not to be tried?  Other columns stay columns, so
 * that the condition's value is not known where it depends on them.
 */
static bool
is_not_to_be_tried(Node *node, void *trial)
{
	if (node == NULL || is_call_of(node, FLAKE_CORE_VERSION, trial))
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
			return is_column(node, trial);
		case T_NullTest:
			if (((NullTest *) node)->argisrow)
				return true;
			if (is_column((Node *) ((NullTest *) node)->arg, trial))
				return false;
			break;
		case T_FuncExpr:
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
		case T_ScalarArrayOpExpr:
			if (check_functions_in_node(node, is_harmful, NULL))
				return true;
			break;
		case T_Const:
		case T_BoolExpr:
		case T_BooleanTest:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_CaseTestExpr:
		case T_CoalesceExpr:
		case T_ArrayExpr:
		case T_RelabelType:
		case T_List:
			break;
		default:
			return true;
	}
	return flake_walk(node, is_not_to_be_tried, trial);
}

/* Is the version in it?  Most conditions have nothing to do with it. */
static bool
has_version(Node *node, void *trial)
{
	return node != NULL && (is_call_of(node, FLAKE_CORE_VERSION, trial) || flake_walk(node, has_version, trial));
}

static Node *
replace_column(Node *node, void *trial)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && is_column(node, trial))
		return copyObject(((Trial *) trial)->uuid);
	return flake_mutate(node, replace_column, trial);
}

/* ---------- what is excluded ---------- */

/*
 * Is it "uuid_extract_timestamp(id) IS NOT NULL"?  It excludes what has no time.  (IS NULL proves
 * nothing: a version without a time now may have one on a later server, and rows of it be there.)
 */
static bool
demands_time(const NullTest *test, const Trial *trial)
{
	return IsA(test, NullTest) && test->nulltesttype == IS_NOT_NULL && !test->argisrow &&
		is_call_of((Node *) test->arg, FLAKE_CORE_TIME, trial);
}

/* Return the kinds that conditions exclude; of a query's ("of_query"), NULL excludes, too. */
static uint32
excluded_by(List *conditions, Trial *trial, bool of_query)
{
	uint32		excluded = 0;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		Node	   *condition = lfirst(cell);

		if (is_andclause(condition))
			excluded |= excluded_by(((BoolExpr *) condition)->args, trial, of_query);
		else if (demands_time((NullTest *) condition, trial))
			excluded |= ALL_KINDS & ~kinds_with_time();
		if (!has_version(condition, trial) || is_not_to_be_tried(condition, trial))
			continue;
		for (int kind = 0; kind < KINDS; kind++)
		{
			Const	   *value;

			trial->uuid = uuid_of(kind);
			value = (Const *) eval_const_expressions(NULL, replace_column(condition, trial));
			if (IsA(value, Const) && (value->constisnull ? of_query : !DatumGetBool(value->constvalue)))
				excluded |= 1u << kind;
		}
	}
	return excluded;
}

/* Return the kinds that the table's constraints exclude; the answer is kept with the parsed constraint. */
static uint32
excluded_by_constraints(Relation relation, Trial *trial, bool children)
{
	TupleConstr *constraints = relation->rd_att->constr;
	bool		only_here = children && relation->rd_rel->relkind != RELKIND_PARTITIONED_TABLE;
	bool		has_virtual = flake_has_virtual_columns(relation);
	uint32		excluded = 0;

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		FlakeConstraint *known;

		if (!flake_check_holds(&constraints->check[i]) || (only_here && constraints->check[i].ccnoinherit))
			continue;
		known = flake_parse_constraint(constraints->check[i].ccbin, trial->varno);

		/*
		 * the expression of a virtual column may change, while the
		 * constraint's text does not
		 */
		if (known->column != trial->column || has_virtual)
		{
			known->column = 0;
			known->excluded = excluded_by((List *) flake_expand_virtual_columns(known->conditions, relation, trial->varno), trial, false);
			known->column = trial->column;
		}
		excluded |= known->excluded;
	}
	/* a virtual column that is the time and NOT NULL */
	for (int i = 1; has_virtual && i <= RelationGetNumberOfAttributes(relation); i++)
	{
		const Trial in_table = {.varno = 1, .column = trial->column};
		Node	   *expression = flake_virtual_not_null(relation, i);

		if (expression != NULL && is_call_of(expression, FLAKE_CORE_TIME, &in_table))
			excluded |= ALL_KINDS & ~kinds_with_time();
	}
	return excluded;
}

/*
 * What is known of the UUIDs in a column of a table, whose children are read, too, or not?
 * "conditions" are those of the query that each row satisfies.
 */
FlakeVersions
flake_versions(Oid table, const Var *column, bool children, List *conditions)
{
	Trial		trial = {.varno = (Index) column->varno, .column = column->varattno};
	Relation	relation = table_open(table, NoLock);
	uint32		left = ALL_KINDS & ~(excluded_by(conditions, &trial, true) | excluded_by_constraints(relation, &trial, children));

	table_close(relation, NoLock);
	if ((left & kinds_with_time() & ~VERSION_7) != 0)
		return FLAKE_VERSIONS_UNKNOWN;
	return (left & ~kinds_with_time()) == 0 ? FLAKE_VERSIONS_ALL_TIMED : FLAKE_VERSIONS_ONLY_7;
}
