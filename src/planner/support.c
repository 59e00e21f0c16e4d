/*
 * support.c
 *		Time conditions on IDs: what the planner makes of them.
 *
 * Two comparisons of an ID with an instant are members of the operator families.  These
 * have their plain meaning in the common order of IDs and instants, in which an instant
 * precedes every ID of its time or later (see flake_compare_instant()):
 *
 *		id < t		and t > id
 *		id >= t		and t <= id
 *
 * Indexes and partition pruning serve members only.  The other comparisons have their
 * plain meaning when they are called, and the planner rewrites them into members.  As
 * timestamptz counts microseconds, the instant after t is t + 1:
 *
 *		id <= t		and t >= id		id < flakeid_next_instant(t)
 *		id > t		and t < id		id >= flakeid_next_instant(t)
 *		id <@ r		and r @> id		id >= flakeid_range_start(r) AND id < flakeid_range_end(r)
 *		flakeid_within(id, m)				an OR of these for the ranges of m, where m is a constant
 *
 * A constant t or r is replaced by its instants here, because the planner prunes and
 * estimates by constants and does not fold what a support function returns.  A date or
 * timestamp t beyond the ends of timestamptz is replaced by the nearest end.
 *
 * A range that is a sub-SELECT must be evaluated once, because two results may differ.  So
 * such a condition stays as it is, and so does flakeid_within() of many ranges.  By the
 * time the planner asks which index conditions serve it, a sub-SELECT that depends on no
 * outer row has become a parameter, and both of its ends can be used.
 */
#include "planner/source.h"

#include "planner/column.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/* ---------- what instant.c builds conditions from, too ---------- */

Node *
flake_instant_constant(TimestampTz t)
{
	return (Node *) makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
							  TimestampTzGetDatum(t), false, FLOAT8PASSBYVAL);
}

/* The boolean expression "left operator right". */
Node *
flake_operation(Oid operator, Node *left, Node *right, Oid collation)
{
	OpExpr	   *clause = (OpExpr *) make_opclause(operator, BOOLOID, false, (Expr *) left,
												  (Expr *) right, InvalidOid, collation);

	set_opfuncid(clause);
	return (Node *) clause;
}

static bool column_has_subselect(Query *query, AttrNumber column);

/*
 * Does the expression contain a sub-SELECT, or a subquery's column that is one?  The
 * planner may replace a subquery's column by its expression later: a function in FROM is
 * simplified before that.
 */
static bool
has_subselect(Node *node, void *context)
{
	Query	   *query = context;

	if (node == NULL)
		return false;
	if (IsA(node, SubLink) || IsA(node, SubPlan) || IsA(node, AlternativeSubPlan))
		return true;
	if (query != NULL && IsA(node, Var) && ((Var *) node)->varlevelsup == 0 &&
		((Var *) node)->varno > 0 && (int) ((Var *) node)->varno <= list_length(query->rtable))
	{
		AttrNumber	column = ((Var *) node)->varattno;
		RangeTblEntry *rte = rt_fetch(((Var *) node)->varno, query->rtable);

		if (rte->rtekind == RTE_JOIN && column > 0)
			return has_subselect(list_nth(rte->joinaliasvars, column - 1), query);
		if (rte->rtekind == RTE_SUBQUERY)
			return column_has_subselect(rte->subquery, column);
		return false;
	}
	return flake_walk(node, has_subselect, query);
}

/* The same for a column of a subquery, including the arms of a set operation in it. */
static bool
column_has_subselect(Query *query, AttrNumber column)
{
	TargetEntry *entry;
	ListCell   *cell;

	if (query == NULL)
		return false;
	if (query->setOperations != NULL)
	{
		foreach(cell, query->rtable)
		{
			RangeTblEntry *rte = lfirst(cell);

			if (rte->rtekind == RTE_SUBQUERY && column_has_subselect(rte->subquery, column))
				return true;
		}
		return false;
	}
	entry = get_tle_by_resno(query->targetList, column);
	return entry != NULL && has_subselect((Node *) entry->expr, query);
}

/*
 * May a range be replaced by calls for its two ends, each of which evaluates it?  Not if
 * it is volatile or contains a sub-SELECT, because the ends could be those of two
 * different ranges: with TABLESAMPLE or SKIP LOCKED, even a sub-SELECT without volatile
 * functions may return something else each time.  Any other range is cheap compared with
 * what the index saves.
 */
bool
flake_may_split(PlannerInfo *root, Node *range)
{
	return !contain_volatile_functions(range) && !has_subselect(range, root ? root->parse : NULL);
}

/*
 * May an expression be evaluated twice?  Not if it is volatile, or if the second
 * evaluation would cost more than the index saves.
 */
bool
flake_may_repeat(PlannerInfo *root, Node *expr)
{
	QualCost	cost;

	if (contain_volatile_functions(expr) || has_subselect(expr, root ? root->parse : NULL))
		return false;
	cost_qual_eval_node(&cost, expr, root);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/* Is it a function that somebody wrote in SQL, whose call the planner may replace by its expression? */
static bool
is_sql_function(Oid function)
{
	HeapTuple	tuple = NULL;
	bool		sql;

	if (function >= FirstNormalObjectId)
		tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return false;
	sql = ((Form_pg_proc) GETSTRUCT(tuple))->prolang == SQLlanguageId;
	ReleaseSysCache(tuple);
	return sql;
}

/* Does the expression call this function, or may it do so when the planner has simplified it? */
static bool
contains_call(Node *node, void *function)
{
	Oid			called = InvalidOid;

	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr))
		called = ((FuncExpr *) node)->funcid;
	else if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		called = ((OpExpr *) node)->opfuncid;
	}
	if (OidIsValid(called) && (called == *(Oid *) function || is_sql_function(called)))
		return true;
	return flake_walk(node, contains_call, function);
}

/*
 * Do grouping sets group by the result of this function?  Then the result is NULL in the
 * groups without it, but the function's arguments are not; and the planner, before
 * PostgreSQL 18, finds the result by its expression.  So a call must not become another
 * expression, nor an AND or OR, which would be merged with one around it.
 */
bool
flake_in_grouping_sets(PlannerInfo *root, Oid function)
{
	ListCell   *cell;

	if (root == NULL || root->parse->groupingSets == NIL)
		return false;
	foreach(cell, root->parse->groupClause)
	{
		if (contains_call(get_sortgroupclause_expr(lfirst(cell), root->parse->targetList), &function))
			return true;
	}
	return false;
}

/* ---------- rewriting ---------- */

/* A call to rewrite: its two arguments, in either order, and where to find its replacement. */
typedef struct TimeCall
{
	Node	   *id;
	Node	   *time;			/* timestamptz, tstzrange or tstzmultirange */
	Oid			type;			/* of the ID */
	Oid			family;			/* the type's btree family */
} TimeCall;

/* The operators take the domain flakeid_period; return tstzrange itself, which the helpers take. */
static Node *
strip_domain(Node *time)
{
	if (IsA(time, RelabelType) &&
		exprType((Node *) ((RelabelType *) time)->arg) == getBaseType(exprType(time)))
		return (Node *) ((RelabelType *) time)->arg;
	return time;
}

/* Is it core's cast of a date or timestamp, which is not written in the query? */
static bool
is_cast(const Node *time)
{
	const FuncExpr *cast = (const FuncExpr *) time;

	return IsA(cast, FuncExpr) && cast->funcformat == COERCE_IMPLICIT_CAST &&
		(cast->funcid == F_TIMESTAMPTZ_DATE || cast->funcid == F_TIMESTAMPTZ_TIMESTAMP);
}

/*
 * Core has cast a date or timestamp that is compared with an ID to timestamptz, and its
 * cast raises an error beyond the ends of timestamptz.  Core itself can compare such a
 * date with a timestamptz, and so do we: return a call of a function that returns the
 * first or last instant there.
 */
static Node *
saturate(Node *time)
{
	FuncExpr   *cast = (FuncExpr *) time;
	Oid			type;
	Oid			function;

	if (!is_cast(time))
		return time;
	type = cast->funcid == F_TIMESTAMPTZ_DATE ? DATEOID : TIMESTAMPOID;
	function = flake_find_helper(type == DATEOID ? "flakeid_date_instant" : "flakeid_timestamp_instant", type);
	if (!OidIsValid(function))
		return time;
	return (Node *) makeFuncExpr(function, TIMESTAMPTZOID, list_make1(linitial(cast->args)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Read the planner's request; return false if it does not ask to rewrite a time condition. */
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
	if (nargs != 2 || list_length(expr->args) != 2 ||
		flake_in_grouping_sets(((SupportRequestSimplify *) request)->root, expr->funcid))
		return false;
	id = types[0] == TIMESTAMPTZOID || (types[1] != TIMESTAMPTZOID && getBaseType(types[0]) == TSTZRANGEOID) ? 1 : 0;
	call->id = list_nth(expr->args, id);
	call->time = saturate(strip_domain(list_nth(expr->args, 1 - id)));
	call->type = types[id];
	call->family = lookup_type_cache(call->type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	return OidIsValid(call->family);
}

/* Build helper(time), one of the three functions above; return NULL if the SQL of the extension lacks it. */
static Node *
helper(const TimeCall *call, const char *name, Oid type)
{
	Oid			function = flake_find_helper(name, type);

	if (!OidIsValid(function))
		return NULL;
	return (Node *) makeFuncExpr(function, TIMESTAMPTZOID, list_make1(copyObject(call->time)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Build "id < instant" or "id >= instant"; return NULL if the family has lost the operator. */
static Node *
compare(const TimeCall *call, int strategy, Node *instant)
{
	Oid			operator = get_opfamily_member(call->family, call->type, TIMESTAMPTZOID, strategy);

	if (!OidIsValid(operator) || instant == NULL)
		return NULL;
	return flake_operation(operator, copyObject(call->id), instant, InvalidOid);
}

/* Rewrite a comparison with t as one with the instant after t. */
static Node *
compare_next(Node *request, int strategy)
{
	TimeCall	call;
	Node	   *next;

	if (!time_call(request, &call))
		return NULL;
	if (IsA(call.time, Const))
		next = flake_instant_constant(flake_next_instant(DatumGetTimestampTz(((Const *) call.time)->constvalue)));
	else
		next = helper(&call, "flakeid_next_instant", TIMESTAMPTZOID);
	return compare(&call, strategy, next);
}

/* Rewrite a member's comparison if its instant comes from a date or timestamp. */
static Node *
compare_saturated(Node *request, int strategy)
{
	List	   *args;
	TimeCall	call;

	if (!IsA(request, SupportRequestSimplify))
		return NULL;
	args = ((SupportRequestSimplify *) request)->fcall->args;
	if (list_length(args) != 2 || !(is_cast(linitial(args)) || is_cast(lsecond(args))) || !time_call(request, &call))
		return NULL;
	return compare(&call, strategy, call.time);
}

/*
 * Build one or two comparisons that are true of the IDs in a constant period.  One is
 * enough if the period is infinite at the other end, because the instants of IDs are
 * finite.  Return NULL if compare() does.
 */
static Node *
compare_period(const TimeCall *call, const FlakePeriod *period)
{
	Node	   *start = compare(call, BTGreaterEqualStrategyNumber, flake_instant_constant(period->start));
	Node	   *end = compare(call, BTLessStrategyNumber, flake_instant_constant(period->end));

	if (period->end == DT_NOEND)
		return start;
	if (period->start == DT_NOBEGIN)
		return end;
	return start && end ? (Node *) make_andclause(list_make2(start, end)) : NULL;
}

/* Rewrite id <@ range as one or two comparisons. */
static Node *
compare_range(Node *request)
{
	TimeCall	call;
	Node	   *result;

	if (!time_call(request, &call))
		return NULL;
	if (IsA(call.time, Const))
	{
		FlakePeriod period = flake_period(((Const *) call.time)->constvalue);

		result = compare_period(&call, &period);
	}
	else
	{
		Node	   *start;
		Node	   *end;

		if (!flake_may_split(((SupportRequestSimplify *) request)->root, call.time))
			return NULL;
		start = compare(&call, BTGreaterEqualStrategyNumber, helper(&call, "flakeid_range_start", TSTZRANGEOID));
		end = compare(&call, BTLessStrategyNumber, helper(&call, "flakeid_range_end", TSTZRANGEOID));
		result = start && end ? (Node *) make_andclause(list_make2(start, end)) : NULL;
	}
	if (result && is_andclause(result) && !flake_may_repeat(((SupportRequestSimplify *) request)->root, call.id))
		return NULL;
	return result;
}

/*
 * Rewrite flakeid_within(id, constant) as an OR of windows.  Without an index, a row is
 * compared with one window after the other, while the function would search a sorted
 * array; hence the limit of a year with a window a day.
 */
#define WINDOWS_LIMIT	366

static Node *
compare_multirange(Node *request)
{
	TimeCall	call;
	FlakePeriod *periods;
	int			count;
	List	   *windows = NIL;

	if (!time_call(request, &call) || !IsA(call.time, Const))
		return NULL;
	count = flake_periods(((Const *) call.time)->constvalue, &periods);
	if (count > WINDOWS_LIMIT)
		return NULL;
	for (int i = 0; i < count; i++)
	{
		Node	   *window = compare_period(&call, &periods[i]);

		if (window == NULL)
			return NULL;
		windows = lappend(windows, window);
	}
	if ((count > 1 || is_andclause(linitial(windows))) &&
		!flake_may_repeat(((SupportRequestSimplify *) request)->root, call.id))
		return NULL;
	return count == 1 ? linitial(windows) : (Node *) make_orclause(windows);
}

/* The two ends of a constant range or multirange: the instants that an index condition needs. */
static void
constant_ends(Datum time, bool multirange, Node **ends)
{
	FlakePeriod period;
	FlakePeriod *periods = &period;
	int			count = 1;

	if (multirange)
		count = flake_periods(time, &periods);
	else
		period = flake_period(time);
	ends[0] = flake_instant_constant(periods[0].start);
	ends[1] = flake_instant_constant(periods[count - 1].end);
}

/*
 * Where id <@ r or flakeid_within(id, m) is not rewritten, have the index return the IDs
 * between the first and the last instant.  For a range these are exactly the matching IDs;
 * for a multirange the function decides about those in between.
 */
static Node *
index_condition(SupportRequestIndexCondition *request, bool multirange)
{
	List	   *args = IsA(request->node, OpExpr) ? ((OpExpr *) request->node)->args :
		IsA(request->node, FuncExpr) ? ((FuncExpr *) request->node)->args : NIL;
	TimeCall	call;
	Node	   *ends[2];
	bool		gist;

	if (list_length(args) != 2 || (multirange && request->indexarg != 0))
		return NULL;
	call.id = list_nth(args, request->indexarg);
	call.time = strip_domain(list_nth(args, 1 - request->indexarg));
	call.type = request->index->opcintype[request->indexcol];
	call.family = request->opfamily;

	/*
	 * a sub-SELECT that depends on an outer row would be evaluated by each
	 * end
	 */
	if (getBaseType(exprType(call.time)) != (multirange ? TSTZMULTIRANGEOID : TSTZRANGEOID) ||
		contain_subplans(call.time) ||
		!is_pseudo_constant_for_index(request->root, call.time, request->index))
		return NULL;
	if (IsA(call.time, Const))
		constant_ends(((Const *) call.time)->constvalue, multirange, ends);
	else
	{
		if (multirange)
			call.time = (Node *) makeFuncExpr(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, list_make1(call.time),
											  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
		ends[0] = helper(&call, "flakeid_range_start", TSTZRANGEOID);
		ends[1] = helper(&call, "flakeid_range_end", TSTZRANGEOID);
	}
	gist = request->index->relam == GIST_AM_OID;
	ends[0] = compare(&call, gist ? RTGreaterEqualStrategyNumber : BTGreaterEqualStrategyNumber, ends[0]);
	ends[1] = compare(&call, gist ? RTLessStrategyNumber : BTLessStrategyNumber, ends[1]);
	if (ends[0] == NULL || ends[1] == NULL)
		return NULL;
	request->lossy = multirange;
	return (Node *) list_make2(ends[0], ends[1]);
}

/* Estimate the selectivity of flakeid_within(id, m) where it is not rewritten. */
static Node *
estimate_multirange(SupportRequestSelectivity *request)
{
	Node	   *time;
	FlakePeriod *periods;
	int			count;

	if (list_length(request->args) != 2)
		return NULL;
	request->selectivity = request->is_join ? FLAKE_RANGE_JOIN_SEL : DEFAULT_RANGE_INEQ_SEL;
	if (request->is_join)
		return (Node *) request;
	time = estimate_expression_value(request->root, lsecond(request->args));
	if (IsA(time, Const))
	{
		if (((Const *) time)->constisnull)
			request->selectivity = 0.0;
		else
		{
			count = flake_periods(((Const *) time)->constvalue, &periods);
			request->selectivity = flake_within_selectivity(request->root, request->funcid, linitial(request->args),
															request->varRelid, periods, count);
		}
	}
	return (Node *) request;
}

/* For id < t and t > id. */
PG_FUNCTION_INFO_V1(flakeid_before_support);
Datum
flakeid_before_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(compare_saturated((Node *) PG_GETARG_POINTER(0), BTLessStrategyNumber));
}

/* For id >= t and t <= id. */
PG_FUNCTION_INFO_V1(flakeid_since_support);
Datum
flakeid_since_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(compare_saturated((Node *) PG_GETARG_POINTER(0), BTGreaterEqualStrategyNumber));
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
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestIndexCondition))
		PG_RETURN_POINTER(index_condition((SupportRequestIndexCondition *) request, false));
	PG_RETURN_POINTER(compare_range(request));
}

/* For flakeid_within(id, m). */
PG_FUNCTION_INFO_V1(flakeid_multirange_support);
Datum
flakeid_multirange_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	Node	   *answer = NULL;

	if (IsA(request, SupportRequestSimplify))
		answer = compare_multirange(request);
	else if (IsA(request, SupportRequestIndexCondition))
		answer = index_condition((SupportRequestIndexCondition *) request, true);
	else if (IsA(request, SupportRequestSelectivity))
		answer = estimate_multirange((SupportRequestSelectivity *) request);
	PG_RETURN_POINTER(answer);
}
