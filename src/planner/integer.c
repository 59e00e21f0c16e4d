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
 * column serves parameters and arrays of bigint.  For all else the planner asks the
 * operators' support functions, and bound.c asks flake_rewrite_number():
 *
 *		snowflake op 5				becomes		snowflake op '5'
 *		bigint op '5'				becomes		bigint op 5
 *		bigint >= snowflake_min(now())	becomes		bigint > snowflake_bigint_below(...)
 *
 * and so on, by the operators of one type, which statistics, pruning and all indexes of
 * this type support.  Without the last two forms, comparing a bigint key with the bound of
 * a snowflake would silently read the whole table.
 */
#include "planner/planner.h"

#include "catalog/pg_am.h"
#include "common/hashfn.h"

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

#define NUMBER_OPERATOR(function, nth_id, op) \
	PG_FUNCTION_INFO_V1(function); \
	Datum \
	function(PG_FUNCTION_ARGS) \
	{ \
		FLAKE_ARG_VALUE(id, nth_id); \
		PG_RETURN_BOOL(compare_number(id, PG_GETARG_INT64(1 - (nth_id))) op 0); \
	}

NUMBER_OPERATOR(snowflake_lt_bigint, 0, <)
NUMBER_OPERATOR(snowflake_le_bigint, 0, <=)
NUMBER_OPERATOR(snowflake_eq_bigint, 0, ==)
NUMBER_OPERATOR(snowflake_ne_bigint, 0, !=)
NUMBER_OPERATOR(snowflake_ge_bigint, 0, >=)
NUMBER_OPERATOR(snowflake_gt_bigint, 0, >)
NUMBER_OPERATOR(bigint_lt_snowflake, 1, >)
NUMBER_OPERATOR(bigint_le_snowflake, 1, >=)
NUMBER_OPERATOR(bigint_eq_snowflake, 1, ==)
NUMBER_OPERATOR(bigint_ne_snowflake, 1, !=)
NUMBER_OPERATOR(bigint_ge_snowflake, 1, <=)
NUMBER_OPERATOR(bigint_gt_snowflake, 1, <)

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

/* Return the greatest bigint that is not above a snowflake. */
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

/* Return the greatest bigint below a snowflake: -1 below the first. */
PG_FUNCTION_INFO_V1(snowflake_bigint_below);
Datum
snowflake_bigint_below(PG_FUNCTION_ARGS)
{
	FLAKE_ARG_VALUE(id, 0);

	PG_RETURN_INT64(flake_load(id, 8) > PG_INT64_MAX ? PG_INT64_MAX : bigint_upto(id) - 1);
}

/* ---------- what the planner makes of them ---------- */

static Node *
constant(Oid type, int64 value)
{
	return (Node *) makeConst(type, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

/* Is "snowflake operator bigint" true of a snowflake above the number, as all are above -1? */
static bool
true_above(int strategy)
{
	return flake_is_lower_end(strategy) || strategy == FLAKE_NOT_EQUAL;
}

/* Compare a snowflake with a constant number, as snowflakes. */
static Node *
compare_ids(const FlakeComparison *comparison, Oid type)
{
	int64		number = DatumGetInt64(((Const *) comparison->other)->constvalue);
	int			strategy = comparison->strategy;
	int64		value = 0;

	if (number < 0)
		strategy = true_above(strategy) ? BTGreaterEqualStrategyNumber : BTLessStrategyNumber;
	else
		flake_store((uint8 *) &value, 8, (uint64) number);
	return flake_operation_of_type(type, comparison->id, strategy, constant(type, value));
}

/* Compare a number with a constant snowflake, as numbers. */
static Node *
compare_numbers(const FlakeComparison *comparison)
{
	int64		id = DatumGetInt64(((Const *) comparison->id)->constvalue);
	int			strategy = flake_commuted(comparison->strategy);

	if (flake_load((uint8 *) &id, 8) > PG_INT64_MAX)
		strategy = true_above(comparison->strategy) ? BTLessEqualStrategyNumber : BTGreaterStrategyNumber;
	return flake_operation_of_type(INT8OID, comparison->other, strategy, constant(INT8OID, bigint_upto((uint8 *) &id)));
}

/*
 * Compare a number with a snowflake that is computed, as numbers, by the bigint at or below
 * the snowflake.  Return NULL if both may be columns, because the index may be on either;
 * and for = and <>, because a snowflake that no bigint equals would need a number that none
 * equals either.
 */
static Node *
compare_computed(const FlakeComparison *comparison, Oid type)
{
	Node	   *bound;

	if (comparison->strategy == BTEqualStrategyNumber || comparison->strategy == FLAKE_NOT_EQUAL ||
		contain_var_clause(comparison->id) || !contain_var_clause(comparison->other))
		return NULL;
	bound = flake_call_helper(flake_divides_after(comparison->strategy) ? "snowflake_bigint_below" : "snowflake_bigint_upto",
							  type, comparison->id);
	if (bound == NULL)
		return NULL;
	return flake_operation_of_type(INT8OID, comparison->other,
								   flake_is_lower_end(comparison->strategy) ? BTLessEqualStrategyNumber : BTGreaterStrategyNumber,
								   bound);
}

/* Return the comparison of one type that replaces "snowflake operator bigint"; NULL to leave it alone. */
Node *
flake_rewrite_number(const FlakeComparison *comparison)
{
	Oid			type = getBaseType(exprType(comparison->id));

	if (flake_is_constant(comparison->other))
		return compare_ids(comparison, type);
	if (flake_is_constant(comparison->id))
		return compare_numbers(comparison);
	return compare_computed(comparison, type);
}

/*
 * Return the condition by which an index on a bigint answers "bigint = snowflake" for a
 * snowflake that is known only when the query runs.  It is lossy, as above the last bigint
 * there is none to look for.
 */
List *
flake_index_number(SupportRequestIndexCondition *request)
{
	OpExpr	   *clause = (OpExpr *) request->node;
	bool		hash = request->index->relam == HASH_AM_OID;
	Node	   *number;
	Node	   *id;
	Node	   *bound;
	Node	   *condition;

	if (!IsA(clause, OpExpr) || list_length(clause->args) != 2 || (request->index->relam != BTREE_AM_OID && !hash) ||
		request->index->opcintype[request->indexcol] != INT8OID)
		return NIL;
	number = list_nth(clause->args, request->indexarg);
	id = list_nth(clause->args, 1 - request->indexarg);
	if (!is_pseudo_constant_for_index(request->root, id, request->index))
		return NIL;
	bound = flake_call_helper("snowflake_bigint_upto", getBaseType(exprType(id)), id);
	condition = bound == NULL ? NULL :
		flake_operation(get_opfamily_member(request->opfamily, INT8OID, INT8OID,
											hash ? HTEqualStrategyNumber : BTEqualStrategyNumber),
						number, bound, InvalidOid);
	request->lossy = true;
	return condition == NULL ? NIL : list_make1(condition);
}
