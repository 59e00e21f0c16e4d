/*
 * integer.c
 *		Comparing snowflakes with integers.
 *
 * People write WHERE id = 175928847299117063, and drivers send a bigint.  There is no
 * implicit cast between the two types: with one, every integer could be compared with
 * an instant, as snowflakes can.  So snowflake has operators with bigint instead.  In their
 * order, which is the one of all whole numbers, negative numbers come before every
 * snowflake, and snowflakes from 2^63 on come after every bigint.
 *
 * The operators are members of snowflake's operator families, so an index on a snowflake
 * column serves parameters and arrays of bigint.  For all else the planner asks the support
 * function below:
 *
 *		snowflake op 5				becomes		snowflake op '5'
 *		bigint op '5'				becomes		bigint op 5
 *		bigint >= snowflake_min(now())	becomes		bigint > snowflake_bigint_below(...)
 *
 * and so on, by the operators of one type, which statistics, pruning and all indexes of
 * this type support.  Without the last two forms, comparing a bigint key with the bound of
 * a snowflake would silently read the whole table.
 */
#include "planner/source.h"

#include "catalog/pg_am.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* ---------- the functions ---------- */

/* Compare a snowflake with a number; return -1, 0 or 1. */
static int
compare_number(const uint8 *id, int64 number)
{
	uint64		value = flake_load(id, 8);

	if (number < 0)
		return 1;
	return value < (uint64) number ? -1 : value > (uint64) number;
}

#define NUMBER_OPERATOR(function, nth_id, nth_number, op) \
	PG_FUNCTION_INFO_V1(function); \
	Datum \
	function(PG_FUNCTION_ARGS) \
	{ \
		FLAKE_ARG_VALUE(id, nth_id); \
		PG_RETURN_BOOL(compare_number(id, PG_GETARG_INT64(nth_number)) op 0); \
	}

NUMBER_OPERATOR(snowflake_lt_bigint, 0, 1, <)
NUMBER_OPERATOR(snowflake_le_bigint, 0, 1, <=)
NUMBER_OPERATOR(snowflake_eq_bigint, 0, 1, ==)
NUMBER_OPERATOR(snowflake_ne_bigint, 0, 1, !=)
NUMBER_OPERATOR(snowflake_ge_bigint, 0, 1, >=)
NUMBER_OPERATOR(snowflake_gt_bigint, 0, 1, >)
NUMBER_OPERATOR(bigint_lt_snowflake, 1, 0, >)
NUMBER_OPERATOR(bigint_le_snowflake, 1, 0, >=)
NUMBER_OPERATOR(bigint_eq_snowflake, 1, 0, ==)
NUMBER_OPERATOR(bigint_ne_snowflake, 1, 0, !=)
NUMBER_OPERATOR(bigint_ge_snowflake, 1, 0, <=)
NUMBER_OPERATOR(bigint_gt_snowflake, 1, 0, <)

PG_FUNCTION_INFO_V1(snowflake_cmp_bigint);
Datum
snowflake_cmp_bigint(PG_FUNCTION_ARGS)
{
	FLAKE_ARG_VALUE(id, 0);

	PG_RETURN_INT32(compare_number(id, PG_GETARG_INT64(1)));
}

PG_FUNCTION_INFO_V1(bigint_cmp_snowflake);
Datum
bigint_cmp_snowflake(PG_FUNCTION_ARGS)
{
	FLAKE_ARG_VALUE(id, 1);

	PG_RETURN_INT32(-compare_number(id, PG_GETARG_INT64(0)));
}

/* The hashes of a number are those of the snowflake that equals it. */
PG_FUNCTION_INFO_V1(snowflake_hash_bigint);
Datum
snowflake_hash_bigint(PG_FUNCTION_ARGS)
{
	uint8		id[8];

	flake_store(id, 8, (uint64) PG_GETARG_INT64(0));
	return hash_any(id, 8);
}

PG_FUNCTION_INFO_V1(snowflake_hash_bigint_extended);
Datum
snowflake_hash_bigint_extended(PG_FUNCTION_ARGS)
{
	uint8		id[8];

	flake_store(id, 8, (uint64) PG_GETARG_INT64(0));
	return hash_any_extended(id, 8, PG_GETARG_INT64(1));
}

/* The greatest bigint that is not above a snowflake. */
static int64
bigint_upto(const uint8 *id)
{
	return (int64) Min(flake_load(id, 8), (uint64) PG_INT64_MAX);
}

PG_FUNCTION_INFO_V1(snowflake_bigint_upto);
Datum
snowflake_bigint_upto(PG_FUNCTION_ARGS)
{
	FLAKE_ARG_VALUE(id, 0);

	PG_RETURN_INT64(bigint_upto(id));
}

/* The greatest bigint below a snowflake: -1 below the first. */
PG_FUNCTION_INFO_V1(snowflake_bigint_below);
Datum
snowflake_bigint_below(PG_FUNCTION_ARGS)
{
	uint64		value;

	FLAKE_ARG_VALUE(id, 0);

	value = flake_load(id, 8);
	PG_RETURN_INT64(value > PG_INT64_MAX ? PG_INT64_MAX : (int64) value - 1);
}

/* ---------- what the planner makes of them ---------- */

/* <> has no strategy number; it takes the one after the last. */
#define NOT_EQUAL	(BTMaxStrategyNumber + 1)

static const struct
{
	PGFunction	function;
	int			strategy;		/* of "snowflake operator bigint" */
	bool		id_first;
}			operators[] = {
	{snowflake_lt_bigint, BTLessStrategyNumber, true},
	{snowflake_le_bigint, BTLessEqualStrategyNumber, true},
	{snowflake_eq_bigint, BTEqualStrategyNumber, true},
	{snowflake_ne_bigint, NOT_EQUAL, true},
	{snowflake_ge_bigint, BTGreaterEqualStrategyNumber, true},
	{snowflake_gt_bigint, BTGreaterStrategyNumber, true},
	{bigint_lt_snowflake, BTGreaterStrategyNumber, false},
	{bigint_le_snowflake, BTGreaterEqualStrategyNumber, false},
	{bigint_eq_snowflake, BTEqualStrategyNumber, false},
	{bigint_ne_snowflake, NOT_EQUAL, false},
	{bigint_ge_snowflake, BTLessEqualStrategyNumber, false},
	{bigint_gt_snowflake, BTLessStrategyNumber, false},
};

/* A comparison, as "snowflake operator bigint", whichever way round it is written. */
typedef struct Comparison
{
	Node	   *id;
	Node	   *number;
	int			strategy;
	Oid			function;		/* the operator's, in the extension's schema */
} Comparison;

/* Read the comparison that a function makes of two arguments; return false if it makes none. */
static bool
read_comparison(Oid function, List *args, Comparison *comparison)
{
	FmgrInfo	info;

	if (list_length(args) != 2)
		return false;
	fmgr_info(function, &info);
	for (size_t i = 0; i < lengthof(operators); i++)
	{
		if (info.fn_addr != operators[i].function)
			continue;
		comparison->id = operators[i].id_first ? linitial(args) : lsecond(args);
		comparison->number = operators[i].id_first ? lsecond(args) : linitial(args);
		comparison->strategy = operators[i].strategy;
		comparison->function = function;
		return true;
	}
	return false;
}

/* Build "left operator right" of two values of one type; NULL if its family lacks the operator. */
static Node *
compare(Oid type, Node *left, int strategy, Node *right)
{
	Oid			family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(family, type, type,
											   strategy == NOT_EQUAL ? BTEqualStrategyNumber : strategy);

	if (OidIsValid(operator) && strategy == NOT_EQUAL)
		operator = get_negator(operator);
	return OidIsValid(operator) ? flake_operation(operator, copyObject(left), right, InvalidOid) : NULL;
}

static Node *
constant(Oid type, int64 value)
{
	return (Node *) makeConst(type, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

static bool
is_constant(Node *node)
{
	return IsA(node, Const) && !((Const *) node)->constisnull;
}

/* Is "snowflake operator bigint" true of a snowflake above the number, as all are above -1? */
static bool
true_above(int strategy)
{
	return strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber || strategy == NOT_EQUAL;
}

/* Compare a snowflake with a constant number: as snowflakes. */
static Node *
compare_ids(const Comparison *comparison, Oid type)
{
	int64		number = DatumGetInt64(((Const *) comparison->number)->constvalue);
	int			strategy = comparison->strategy;
	int64		value = 0;

	if (number < 0)
		strategy = true_above(strategy) ? BTGreaterEqualStrategyNumber : BTLessStrategyNumber;
	else
		flake_store((uint8 *) &value, 8, (uint64) number);
	return compare(type, comparison->id, strategy, constant(type, value));
}

/* Compare a number with a constant snowflake: as numbers. */
static Node *
compare_numbers(const Comparison *comparison)
{
	static const int mirrored[] = {
		0, BTGreaterStrategyNumber, BTGreaterEqualStrategyNumber, BTEqualStrategyNumber,
		BTLessEqualStrategyNumber, BTLessStrategyNumber, NOT_EQUAL
	};
	int64		id = DatumGetInt64(((Const *) comparison->id)->constvalue);
	int			strategy = mirrored[comparison->strategy];

	if (flake_load((uint8 *) &id, 8) > PG_INT64_MAX)
		strategy = true_above(comparison->strategy) ? BTLessEqualStrategyNumber : BTGreaterStrategyNumber;
	return compare(INT8OID, comparison->number, strategy, constant(INT8OID, bigint_upto((uint8 *) &id)));
}

/*
 * Compare a number with a snowflake that is computed: as numbers, by the bigint at or below
 * the snowflake.  Not if both may be columns, as the index may be on either; nor for = and <>,
 * since a snowflake that no bigint equals would need a number that none equals either.
 */
static Node *
compare_computed(const Comparison *comparison, Oid type)
{
	bool		below = comparison->strategy == BTLessEqualStrategyNumber || comparison->strategy == BTGreaterStrategyNumber;
	Oid			function;
	Node	   *bound;

	if (comparison->strategy == BTEqualStrategyNumber || comparison->strategy == NOT_EQUAL ||
		contain_var_clause(comparison->id) || !contain_var_clause(comparison->number))
		return NULL;
	function = flake_find_helper(below ? "snowflake_bigint_below" : "snowflake_bigint_upto", type);
	if (!OidIsValid(function))
		return NULL;
	bound = (Node *) makeFuncExpr(function, INT8OID, list_make1(copyObject(comparison->id)),
								  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	return compare(INT8OID, comparison->number,
				   comparison->strategy <= BTLessEqualStrategyNumber ? BTGreaterStrategyNumber : BTLessEqualStrategyNumber,
				   bound);
}

/* Return the comparison of one type that replaces one of these; NULL to leave it alone. */
static Node *
simplify(SupportRequestSimplify *request)
{
	Comparison	comparison;
	Oid			type;

	if (!read_comparison(request->fcall->funcid, request->fcall->args, &comparison))
		return NULL;
	type = getBaseType(exprType(comparison.id));
	if (is_constant(comparison.number))
		return compare_ids(&comparison, type);
	if (is_constant(comparison.id))
		return compare_numbers(&comparison);
	return compare_computed(&comparison, type);
}

/*
 * Return the condition by which an index on a bigint answers "bigint = snowflake" for a
 * snowflake that is known only when the query runs.  It is lossy, as above the last bigint
 * there is none to look for.
 */
static Node *
index_condition(SupportRequestIndexCondition *request)
{
	OpExpr	   *clause = (OpExpr *) request->node;
	Comparison	comparison;
	Oid			type;
	Oid			function;
	Oid			operator;

	if (!IsA(clause, OpExpr) || !read_comparison(request->funcid, clause->args, &comparison) ||
		comparison.strategy != BTEqualStrategyNumber ||
		list_nth(clause->args, request->indexarg) != comparison.number ||
		request->index->opcintype[request->indexcol] != INT8OID ||
		!is_pseudo_constant_for_index(request->root, comparison.id, request->index))
		return NULL;
	operator = get_opfamily_member(request->opfamily, INT8OID, INT8OID,
								   request->index->relam == HASH_AM_OID ? HTEqualStrategyNumber : BTEqualStrategyNumber);
	if ((request->index->relam != BTREE_AM_OID && request->index->relam != HASH_AM_OID) || !OidIsValid(operator))
		return NULL;
	type = getBaseType(exprType(comparison.id));
	function = flake_find_helper("snowflake_bigint_upto", type);
	if (!OidIsValid(function))
		return NULL;
	request->lossy = true;
	return (Node *) list_make1(flake_operation(operator, comparison.number,
											   (Node *) makeFuncExpr(function, INT8OID, list_make1(comparison.id),
																	 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL),
											   InvalidOid));
}

PG_FUNCTION_INFO_V1(snowflake_bigint_support);
Datum
snowflake_bigint_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	Node	   *answer = NULL;

	if (IsA(request, SupportRequestSimplify))
		answer = simplify((SupportRequestSimplify *) request);
	else if (IsA(request, SupportRequestIndexCondition))
		answer = index_condition((SupportRequestIndexCondition *) request);
	PG_RETURN_POINTER(answer);
}
