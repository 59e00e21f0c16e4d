/*
 * support.c
 *		Time conditions on IDs: what the planner makes of them.
 *
 * Of the comparisons of an ID with an instant two are in the operator families,
 * those which "an instant stands before every ID of its time or later" gives
 * a meaning to (see flake_compare_instant()):
 *
 *		id < t		and t > id
 *		id >= t		and t <= id
 *
 * The index and partition pruning know nothing but these.  The others have their
 * plain meaning when they are called, and are rewritten where they are planned;
 * timestamptz counts microseconds, so the instant after t is t + 1:
 *
 *		id <= t		and t >= id		id < flakeid_next_instant(t)
 *		id > t		and t < id		id >= flakeid_next_instant(t)
 *		id <@ r		and r @> id		id >= flakeid_range_start(r) AND id < flakeid_range_end(r)
 *
 * A constant t or r is replaced by its instants here, because the planner prunes
 * and estimates by constants and does not fold what a support function returns.
 */
#include "flakeid.h"

#include "access/stratnum.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/* ---------- instants ---------- */

/* The instant after t; the last one's, as infinity's, is infinity, and -infinity's is itself. */
static TimestampTz
next_instant(TimestampTz t)
{
	if (TIMESTAMP_NOT_FINITE(t))
		return t;
	return IS_VALID_TIMESTAMP(t + 1) ? t + 1 : DT_NOEND;
}

/*
 * A range as instants: t is in it if and only if *start <= t < *end.  Nothing is
 * in an empty one.
 */
static void
range_instants(RangeType *range, TimestampTz *start, TimestampTz *end)
{
	TypeCacheEntry *type = lookup_type_cache(RangeTypeGetOid(range), TYPECACHE_RANGE_INFO);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(type, range, &lower, &upper, &empty);
	*start = empty ? DT_NOEND : DT_NOBEGIN;
	*end = empty ? DT_NOBEGIN : DT_NOEND;
	if (!empty && !lower.infinite)
	{
		*start = DatumGetTimestampTz(lower.val);
		if (!lower.inclusive)
			*start = next_instant(*start);
	}
	if (!empty && !upper.infinite)
	{
		*end = DatumGetTimestampTz(upper.val);
		if (upper.inclusive)
			*end = next_instant(*end);
	}
}

PG_FUNCTION_INFO_V1(flakeid_next_instant);
Datum
flakeid_next_instant(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(next_instant(PG_GETARG_TIMESTAMPTZ(0)));
}

PG_FUNCTION_INFO_V1(flakeid_range_start);
Datum
flakeid_range_start(PG_FUNCTION_ARGS)
{
	TimestampTz start;
	TimestampTz end;

	range_instants(PG_GETARG_RANGE_P(0), &start, &end);
	PG_RETURN_TIMESTAMPTZ(start);
}

PG_FUNCTION_INFO_V1(flakeid_range_end);
Datum
flakeid_range_end(PG_FUNCTION_ARGS)
{
	TimestampTz start;
	TimestampTz end;

	range_instants(PG_GETARG_RANGE_P(0), &start, &end);
	PG_RETURN_TIMESTAMPTZ(end);
}

/* The body of <@ and @>, for a range that the planner left as it is. */
bool
flake_within(const FlakeFormat *format, const uint8 *id, Datum range)
{
	TimestampTz instant = flake_instant(format, id);
	TimestampTz start;
	TimestampTz end;

	range_instants(DatumGetRangeTypeP(range), &start, &end);
	return start <= instant && instant < end;
}

/* ---------- rewriting ---------- */

/* A call to rewrite: its arguments, whichever way round, and where its relatives are. */
typedef struct TimeCall
{
	Node	   *id;
	Node	   *time;			/* the timestamptz or tstzrange */
	Oid			type;			/* of the ID */
	Oid			family;			/* the type's btree family */
	Oid			schema;			/* the extension's */
} TimeCall;

/* What the support function was called for; false if that is no rewriting of a time condition. */
static bool
time_call(Node *request, TimeCall *call)
{
	FuncExpr   *expr;
	Oid		   *types;
	int			nargs;
	int			id;

	if (!IsA(request, SupportRequestSimplify))
		return false;
	expr = ((SupportRequestSimplify *) request)->fcall;
	get_func_signature(expr->funcid, &types, &nargs);
	if (nargs != 2 || list_length(expr->args) != 2)
		return false;
	id = types[0] == TIMESTAMPTZOID || getBaseType(types[0]) == TSTZRANGEOID ? 1 : 0;
	call->id = list_nth(expr->args, id);
	call->time = list_nth(expr->args, 1 - id);
	/* the operators' own name for tstzrange is not the helpers' */
	if (IsA(call->time, RelabelType) &&
		exprType((Node *) ((RelabelType *) call->time)->arg) == getBaseType(types[1 - id]))
		call->time = (Node *) ((RelabelType *) call->time)->arg;
	call->type = types[id];
	call->family = lookup_type_cache(call->type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	call->schema = get_func_namespace(expr->funcid);
	return OidIsValid(call->family);
}

static Node *
constant(TimestampTz t)
{
	return (Node *) makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
							  TimestampTzGetDatum(t), false, FLOAT8PASSBYVAL);
}

/* helper(time), for one of the three above; NULL if there is no such function. */
static Node *
helper(const TimeCall *call, const char *name, Oid type)
{
	Oid			function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
										   CStringGetDatum(name),
										   PointerGetDatum(buildoidvector(&type, 1)),
										   ObjectIdGetDatum(call->schema));

	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, TIMESTAMPTZOID, list_make1(copyObject(call->time)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* "id < instant" or "id >= instant"; NULL if the family has lost the operator. */
static Node *
compare(const TimeCall *call, int strategy, Node *instant)
{
	Oid			operator = get_opfamily_member(call->family, call->type, TIMESTAMPTZOID, strategy);
	Expr	   *clause;

	if (!OidIsValid(operator) || instant == NULL)
		return NULL;
	clause = make_opclause(operator, BOOLOID, false, (Expr *) copyObject(call->id),
						   (Expr *) instant, InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return (Node *) clause;
}

/* id compared with the instant after t. */
static Node *
compare_next(Node *request, int strategy)
{
	TimeCall	call;
	Node	   *next;

	if (!time_call(request, &call))
		return NULL;
	if (IsA(call.time, Const))
		next = constant(next_instant(DatumGetTimestampTz(((Const *) call.time)->constvalue)));
	else
		next = helper(&call, "flakeid_next_instant", TIMESTAMPTZOID);
	return compare(&call, strategy, next);
}

/*
 * May an expression be evaluated twice?  Not when it is volatile, nor when that
 * would cost more than a look into the index saves.
 */
bool
flake_may_repeat(PlannerInfo *root, Node *expr)
{
	QualCost	cost;

	if (contain_volatile_functions(expr) || contain_subplans(expr))
		return false;
	cost_qual_eval_node(&cost, expr, root);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/* id <@ range as one or two comparisons. */
static Node *
compare_range(Node *request)
{
	TimeCall	call;
	Node	   *start;
	Node	   *end;

	if (!time_call(request, &call))
		return NULL;
	if (IsA(call.time, Const))
	{
		TimestampTz instants[2];

		range_instants(DatumGetRangeTypeP(((Const *) call.time)->constvalue),
					   &instants[0], &instants[1]);
		/* one end will do where the other is open, as every instant of an ID is finite */
		if (instants[1] == DT_NOEND)
			return compare(&call, BTGreaterEqualStrategyNumber, constant(instants[0]));
		if (instants[0] == DT_NOBEGIN)
			return compare(&call, BTLessStrategyNumber, constant(instants[1]));
		start = constant(instants[0]);
		end = constant(instants[1]);
	}
	else
	{
		/* a range from elsewhere in the query is worth two looks */
		if (contain_volatile_functions(call.time) ||
			(contain_subplans(call.time) && contain_vars_of_level(call.time, 0)))
			return NULL;
		start = helper(&call, "flakeid_range_start", TSTZRANGEOID);
		end = helper(&call, "flakeid_range_end", TSTZRANGEOID);
	}
	if (!flake_may_repeat(((SupportRequestSimplify *) request)->root, call.id))
		return NULL;
	start = compare(&call, BTGreaterEqualStrategyNumber, start);
	end = compare(&call, BTLessStrategyNumber, end);
	if (start == NULL || end == NULL)
		return NULL;
	return (Node *) make_andclause(list_make2(start, end));
}

/* For id <= t and t >= id. */
PG_FUNCTION_INFO_V1(flakeid_not_after_support);
Datum
flakeid_not_after_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(compare_next((Node *) PG_GETARG_POINTER(0), BTLessStrategyNumber));
}

/* For id > t and t < id. */
PG_FUNCTION_INFO_V1(flakeid_after_support);
Datum
flakeid_after_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(compare_next((Node *) PG_GETARG_POINTER(0), BTGreaterEqualStrategyNumber));
}

/* For id <@ r and r @> id. */
PG_FUNCTION_INFO_V1(flakeid_within_support);
Datum
flakeid_within_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(compare_range((Node *) PG_GETARG_POINTER(0)));
}
