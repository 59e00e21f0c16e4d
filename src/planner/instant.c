/*
 * instant.c
 *		What the planner makes of conditions on the instant of an ID.
 *
 * A function that returns the time of an ID, such as uuid7_timestamp(uuid), returns the
 * domain flakeid_instant.  The comparisons of this domain are core's own functions with a
 * support function of ours, which looks at the argument.  If that is a call of such a
 * function, then
 *
 *		uuid7_timestamp(id) >= t	becomes		is_uuid7(id) AND id >= uuid7_min(t)
 *
 * by the operator of the column's own type, so that its indexes, partitions and foreign
 * servers serve it like any other condition. layout.c explains what replaces t, and why
 * both forms are true of the same rows.  IDs of our own types are compared with the
 * instant itself, as support.c explains.
 *
 * That is the form in a filter.  uuid7_timestamp(id) is NULL for UUIDs of other versions,
 * and so is a comparison with it, whose value may also be negated, stored or shown.  So
 * filtered() builds an expression that is NULL for them, too, and of which core makes the
 * form above where it filters rows.
 *
 * The filter is_uuid7(id) is first, because the planner then estimates it first, which
 * lets coresel.c estimate the comparison.  ULIDs in text and uuid need no filter, because
 * all of them have an instant; they get is_ulid(id) for the sake of the estimate.
 *
 * Without such a call, the comparison becomes core's for timestamptz, which an index on a
 * column of the domain supports.  It is left alone while the planner may still replace an
 * argument by such a call; the planner asks again afterwards.
 *
 * A constant t is replaced by its bound here, because the planner prunes and estimates by
 * constants and does not fold what a support function returns.
 */
#include "planner/source.h"

#include "planner/column.h"
#include "planner/layout.h"

#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/* A constant multirange with more ranges is searched as one range and then filtered. */
#define MAX_RANGES	16

/* ---------- expressions ---------- */

/*
 * Is the expression in a PlaceHolderVar NULL wherever an outer join makes the columns of
 * its relations NULL?  Not if all its columns are other relations', by LATERAL.
 */
static bool
null_with_relations(const PlaceHolderVar *phv)
{
	ListCell   *cell;

	if (contain_nonstrict_functions((Node *) phv->phexpr))
		return false;
	foreach(cell, pull_vars_of_level((Node *) phv->phexpr, 0))
	{
		Node	   *node = lfirst(cell);

		if (IsA(node, Var) ? bms_is_member(((Var *) node)->varno, phv->phrels) :
			bms_is_subset(((PlaceHolderVar *) node)->phrels, phv->phrels))
			return true;
	}
	return false;
}

/*
 * Return the expression without the nodes around it that do not change its value:
 * conversions to a domain, and a PlaceHolderVar that is NULL only where its content is.
 */
static Node *
strip(Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, PlaceHolderVar))
		{
			PlaceHolderVar *phv = (PlaceHolderVar *) node;
			Node	   *held = flake_without_placeholder(phv, null_with_relations(phv));

			if (held == NULL)
				return node;
			node = held;
		}
		else
			return node;
	}
}

/* Return the same expression, but of the base type of its domain. */
static Node *
without_domain(Node *node)
{
	Oid			type = exprType(node);
	Oid			base;

	node = copyObject(node);
	if (type == TIMESTAMPTZOID || type == TIMESTAMPOID || type == DATEOID ||
		(base = getBaseType(type)) == type)
		return node;
	if (IsA(node, RelabelType) && exprType((Node *) ((RelabelType *) node)->arg) == base)
		return (Node *) ((RelabelType *) node)->arg;
	if (IsA(node, Const))
	{
		((Const *) node)->consttype = base;
		return node;
	}
	return (Node *) makeRelabelType((Expr *) node, base, -1, InvalidOid, COERCE_IMPLICIT_CAST);
}

static Node *
call(Oid function, Oid result, List *args)
{
	return (Node *) makeFuncExpr(function, result, args,
								 result == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Return a call of one of the extension's helpers; NULL if the SQL is older than the library. */
static Node *
helper(const char *name, Oid type, Node *arg)
{
	Oid			function = flake_find_helper(name, type);

	if (!OidIsValid(function))
		return NULL;
	return call(function, get_func_rettype(function), list_make1(arg));
}

/*
 * Return the other side of a comparison as a timestamptz; NULL if it is neither that nor a
 * date or timestamp.
 */
static Node *
as_instant(Node *node)
{
	node = without_domain(node);
	switch (exprType(node))
	{
		case TIMESTAMPTZOID:
			return node;
		case DATEOID:
			return helper("flakeid_date_instant", DATEOID, node);
		case TIMESTAMPOID:
			return helper("flakeid_timestamp_instant", TIMESTAMPOID, node);
		default:
			return NULL;
	}
}

static bool
is_constant(Node *node)
{
	return IsA(node, Const) && !((Const *) node)->constisnull;
}

/*
 * May the planner still replace this expression by another one?  Then it will simplify the
 * condition again, and where there is a column now it may find the call of a function that
 * returns the time of an ID.
 */
static bool
undecided(PlannerInfo *root, Node *node)
{
	Oid			type = exprType(node);

	if (type == TIMESTAMPTZOID || type == TIMESTAMPOID || type == DATEOID)
		return false;
	node = strip(node);
	if (IsA(node, PlaceHolderVar))
		return true;
	if (IsA(node, Var) && root != NULL)
	{
		Var		   *var = (Var *) node;

		if (var->varlevelsup > 0)
			return true;
		if (var->varno > 0 && (int) var->varno <= list_length(root->parse->rtable))
			return flake_stands_for_expressions(rt_fetch(var->varno, root->parse->rtable));
	}
	return false;
}

/* ---------- comparisons ---------- */

/* One side of a comparison: an instant, or the ID that contains it. */
typedef struct Side
{
	FlakeSource source;
	Node	   *expr;			/* the ID, or the instant itself */
	List	   *layout;			/* the function's other arguments */
	Oid			filter;			/* or marker, to precede conditions */
} Side;

/*
 * Is the expression a column of a table that is stored here?  The planner could not send a
 * marker on a foreign table's column to its server, and so could not send joins and
 * aggregates either.  The table that an INSERT writes to does not count: nothing is
 * estimated, and ON CONFLICT looks for an index on the same expression, which has no
 * marker.
 */
static bool
is_stored_column(PlannerInfo *root, Node *node)
{
	Var		   *var = (Var *) node;
	RangeTblEntry *rte;

	if (root == NULL || !IsA(node, Var) || var->varlevelsup > 0 || var->varno <= 0 ||
		(int) var->varno > list_length(root->parse->rtable))
		return false;
	if (root->parse->commandType == CMD_INSERT && var->varno == root->parse->resultRelation)
		return false;
	rte = rt_fetch(var->varno, root->parse->rtable);
	return rte->rtekind == RTE_RELATION && rte->relkind != RELKIND_FOREIGN_TABLE;
}

/* Is the expression the instant of an ID? */
static bool
is_of_id(PlannerInfo *root, Node *node, Side *side)
{
	FuncExpr   *function;

	node = strip(node);
	if (!IsA(node, FuncExpr))
		return false;
	function = (FuncExpr *) node;
	side->source = flake_find_source(function->funcid);
	if (side->source.kind == FLAKE_SOURCE_NONE || flake_in_grouping_sets(root, function->funcid))
		return false;
	side->expr = linitial(function->args);
	side->layout = list_copy_tail(function->args, 1);
	if (contain_volatile_functions((Node *) side->layout))
		return false;
	side->filter = side->source.filter;
	if (OidIsValid(side->source.marker) && is_stored_column(root, strip(side->expr)))
		side->filter = side->source.marker;

	/*
	 * with a filter, the ID is evaluated twice: for the comparison and for
	 * the filter
	 */
	return !OidIsValid(side->source.filter) || flake_may_repeat(root, side->expr);
}

static void
is_instant(Node *node, Side *side)
{
	memset(side, 0, sizeof(Side));
	side->source.kind = FLAKE_SOURCE_INSTANT;
	side->expr = node;
}

/* Call a function of an instant and a layout, which are constants. */
static Datum
call_bound(PGFunction function, Node *time, List *layout)
{
	LOCAL_FCINFO(fcinfo, 4);
	int			nargs = 0;
	ListCell   *cell;
	Datum		bound;

	InitFunctionCallInfoData(*fcinfo, NULL, list_length(layout) + 1, InvalidOid, NULL, NULL);
	fcinfo->args[nargs].value = ((Const *) time)->constvalue;
	fcinfo->args[nargs++].isnull = false;
	foreach(cell, layout)
	{
		fcinfo->args[nargs].value = ((Const *) lfirst(cell))->constvalue;
		fcinfo->args[nargs++].isnull = false;
	}
	bound = function(fcinfo);
	Assert(!fcinfo->isnull);
	return bound;
}

static bool
are_constant(List *nodes)
{
	ListCell   *cell;

	foreach(cell, nodes)
	{
		if (!is_constant(lfirst(cell)))
			return false;
	}
	return true;
}

/* Compare an ID that is not ours with the bound for an instant. */
static Node *
compare_bound(const Side *side, int strategy, Node *time)
{
	const FlakeBoundKind *kind = side->source.bounds;
	bool		max = strategy == BTLessEqualStrategyNumber || strategy == BTGreaterStrategyNumber;
	Node	   *id = copyObject(side->expr);
	Oid			collation = InvalidOid;
	Node	   *bound;

	if (kind->type == TEXTOID)
	{
		/*
		 * ULIDs sort by their bytes, so the comparison must, too.  (The bound
		 * has the default collation, as literals have: postgres_fdw sends no
		 * other to its server.)
		 */
		collation = exprCollation(id);
		if (!OidIsValid(collation) || !flake_collates_bytes(collation))
		{
			collation = C_COLLATION_OID;
			id = (Node *) makeRelabelType((Expr *) id, TEXTOID, -1, collation, COERCE_EXPLICIT_CAST);
		}
	}
	if (is_constant(time) && are_constant(side->layout))
		bound = (Node *)
			makeConst(kind->type, -1, kind->type == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid, kind->typlen,
					  call_bound(max ? kind->max : kind->min, time, side->layout), false, kind->typbyval);
	else
	{
		bound = call(max ? side->source.max : side->source.min, kind->type,
					 list_concat(list_make1(time), copyObject(side->layout)));
		if (side->layout != NIL)
			((FuncExpr *) bound)->inputcollid = exprCollation(linitial(side->layout));
	}
	return flake_operation(side->source.operators[strategy], id, bound, collation);
}

/* Compare an ID of ours with an instant, by one of the two operators that indexes support. */
static Node *
compare_own(const Side *side, int strategy, Node *time)
{
	bool		next = strategy == BTLessEqualStrategyNumber || strategy == BTGreaterStrategyNumber;

	if (next && is_constant(time))
		time = flake_instant_constant(flake_next_instant(DatumGetTimestampTz(((Const *) time)->constvalue)));
	else if (next)
		time = call(side->source.next, TIMESTAMPTZOID, list_make1(time));
	strategy = strategy <= BTLessEqualStrategyNumber ? BTLessStrategyNumber : BTGreaterEqualStrategyNumber;
	return flake_operation(side->source.operators[strategy], copyObject(side->expr), time, InvalidOid);
}

/* Build core's comparison of two instants, dates or timestamps; return NULL if there is none. */
static Node *
compare_instants(Node *left, int strategy, Node *right)
{
	Oid			family = lookup_type_cache(TIMESTAMPTZOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator;

	left = without_domain(left);
	right = without_domain(right);
	operator = get_opfamily_member(family, exprType(left), exprType(right), strategy);
	return OidIsValid(operator) ? flake_operation(operator, left, right, InvalidOid) : NULL;
}

/* Compare a side with a timestamptz; the caller adds the filter. */
static Node *
compare(const Side *side, int strategy, Node *time)
{
	switch (side->source.kind)
	{
		case FLAKE_SOURCE_BOUNDS:
			return compare_bound(side, strategy, time);
		case FLAKE_SOURCE_OWN:
			return compare_own(side, strategy, time);
		default:
			return compare_instants(side->expr, strategy, time);
	}
}

/*
 * Return both conditions, without an AND below the AND.  The planner does not flatten the
 * conditions of an append relation's child again, but expects them to be flat when it
 * looks for indexes that serve an OR; it would not recognize an AND below an AND.
 */
static Node *
both(Node *left, Node *right)
{
	return (Node *) make_andclause(list_concat_copy(make_ands_implicit((Expr *) left),
													make_ands_implicit((Expr *) right)));
}

/*
 * Return a condition on a side, or NULL where the filter or marker is not true:
 *
 *		(NOT filter AND NULL) OR ((filter OR NULL) AND condition)
 *
 * Where it filters rows, NULL is as good as false, and canonicalize_qual() makes it filter
 * AND condition.  Of NOT of it, the planner makes (filter OR NULL) AND ((NOT filter AND
 * NULL) OR NOT condition), and of that, filter AND NOT condition.
 */
static Node *
filtered(PlannerInfo *root, const Side *side, Node *condition)
{
	Expr	   *filter;
	Node	   *otherwise;

	if (condition == NULL || !OidIsValid(side->filter))
		return condition;
	filter = (Expr *) call(side->filter, BOOLOID, list_make1(copyObject(side->expr)));
	if (flake_filters_union(root, side->expr))
		return both((Node *) filter, condition);
	otherwise = both((Node *) make_notclause(copyObject(filter)), makeBoolConst(false, true));
	filter = make_orclause(list_make2(filter, makeBoolConst(false, true)));
	return (Node *) make_orclause(list_make2(otherwise, both((Node *) filter, condition)));
}

/* Return what replaces "left op right", one of which is a flakeid_instant; NULL to leave it alone. */
static Node *
simplify_comparison(Node *request, int strategy)
{
	static const int mirrored[] = {
		0, BTGreaterStrategyNumber, BTGreaterEqualStrategyNumber, 0,
		BTLessEqualStrategyNumber, BTLessStrategyNumber
	};
	PlannerInfo *root;
	FuncExpr   *function;
	Node	   *left;
	Node	   *right;
	Node	   *time;
	Side		side;

	if (!IsA(request, SupportRequestSimplify))
		return NULL;
	root = ((SupportRequestSimplify *) request)->root;
	function = ((SupportRequestSimplify *) request)->fcall;
	if (list_length(function->args) != 2)
		return NULL;
	left = linitial(function->args);
	right = lsecond(function->args);
	if (is_of_id(root, left, &side))
	{
		time = as_instant(right);
		return time == NULL ? NULL : filtered(root, &side, compare(&side, strategy, time));
	}
	if (is_of_id(root, right, &side))
	{
		time = as_instant(left);
		return time == NULL ? NULL : filtered(root, &side, compare(&side, mirrored[strategy], time));
	}
	if (undecided(root, left) || undecided(root, right))
		return NULL;
	return compare_instants(left, strategy, right);
}

PG_FUNCTION_INFO_V1(flakeid_instant_lt_support);
Datum
flakeid_instant_lt_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTLessStrategyNumber));
}

PG_FUNCTION_INFO_V1(flakeid_instant_le_support);
Datum
flakeid_instant_le_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTLessEqualStrategyNumber));
}

PG_FUNCTION_INFO_V1(flakeid_instant_ge_support);
Datum
flakeid_instant_ge_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTGreaterEqualStrategyNumber));
}

PG_FUNCTION_INFO_V1(flakeid_instant_gt_support);
Datum
flakeid_instant_gt_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTGreaterStrategyNumber));
}

/*
 * Answer the planner's requests about a filter: which fraction of the rows passes it, and
 * what it costs.  It costs a little more than a comparison, so that it is evaluated after
 * the comparisons, although it is before them.
 */
static Node *
support_filter(Node *request, FlakeBelongs belongs)
{
	if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *asked = (SupportRequestSelectivity *) request;

		asked->selectivity = 1.0;
		if (!asked->is_join && list_length(asked->args) == 1)
			asked->selectivity = flake_core_selectivity(asked->root, asked->funcid, asked->args,
														asked->varRelid, belongs);
		return request;
	}
	if (IsA(request, SupportRequestSimplify))
	{
		SupportRequestSimplify *asked = (SupportRequestSimplify *) request;

		flake_core_inherited(asked->root, asked->fcall->funcid, asked->fcall->args);
		return NULL;
	}
	if (IsA(request, SupportRequestCost))
	{
		((SupportRequestCost *) request)->startup = 0;
		((SupportRequestCost *) request)->per_tuple = 1.001 * cpu_operator_cost;
		return request;
	}
	return NULL;
}

PG_FUNCTION_INFO_V1(is_uuid7_support);
Datum
is_uuid7_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(support_filter((Node *) PG_GETARG_POINTER(0), flake_is_uuid7));
}

PG_FUNCTION_INFO_V1(is_ulid_support);
Datum
is_ulid_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(support_filter((Node *) PG_GETARG_POINTER(0), NULL));
}

PG_FUNCTION_INFO_V1(flakeid_is_range_support);
Datum
flakeid_is_range_support(PG_FUNCTION_ARGS)
{
	SupportRequestSelectivity *request = (SupportRequestSelectivity *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSelectivity) || list_length(request->args) != 1)
		PG_RETURN_POINTER(NULL);
	flake_core_ranges(request->root, request->args);
	request->selectivity = 1.0;
	PG_RETURN_POINTER(request);
}

/* ---------- ranges ---------- */

/* Compare a side with the two instants between which it must be; the caller adds the filter. */
static Node *
between(const Side *side, Node *first, Node *last)
{
	Node	   *lower = compare(side, BTGreaterEqualStrategyNumber, first);
	Node	   *upper = compare(side, BTLessEqualStrategyNumber, last);

	if (lower == NULL || upper == NULL)
		return NULL;
	return both(lower, upper);
}

/* The same for a constant range; an infinite end needs no comparison. */
static Node *
within_constant(const Side *side, RangeType *range)
{
	TimestampTz first;
	TimestampTz last;

	flake_range_ends(RangeTypePGetDatum(range), &first, &last);
	if (TIMESTAMP_IS_NOEND(last))
		return compare(side, BTGreaterEqualStrategyNumber, flake_instant_constant(first));
	if (TIMESTAMP_IS_NOBEGIN(first))
		return compare(side, BTLessEqualStrategyNumber, flake_instant_constant(last));
	return between(side, flake_instant_constant(first), flake_instant_constant(last));
}

/* The same for several constant ranges, one of which must contain the side. */
static Node *
within_any(const Side *side, MultirangeType *ranges)
{
	TypeCacheEntry *type = lookup_type_cache(MultirangeTypeGetOid(ranges), TYPECACHE_MULTIRANGE_INFO);
	List	   *conditions = NIL;

	for (uint32 i = 0; i < ranges->rangeCount; i++)
		conditions = lappend(conditions,
							 within_constant(side, multirange_get_range(type->rngtype, ranges, i)));
	if (conditions == NIL)
		return within_constant(side, make_empty_range(type->rngtype));
	return list_length(conditions) == 1 ? linitial(conditions) : (Node *) make_orclause(conditions);
}

/*
 * Compare a side with the ends of a range that is not constant.  If it contains columns,
 * put a marker of the range first, which gets the comparisons estimated; but not if a
 * column is not stored here, because the planner could not send the marker.
 */
static Node *
within_range(PlannerInfo *root, const Side *side, Node *range)
{
	Node	   *first = helper("flakeid_range_first", TSTZRANGEOID, range);
	Node	   *last = helper("flakeid_range_last", TSTZRANGEOID, copyObject(range));
	Node	   *condition = first == NULL || last == NULL ? NULL : between(side, first, last);
	List	   *columns = pull_vars_of_level(range, 0);
	Node	   *marker;
	ListCell   *cell;

	if (condition == NULL || columns == NIL || side->source.kind == FLAKE_SOURCE_OWN)
		return condition;
	foreach(cell, columns)
	{
		if (!is_stored_column(root, lfirst(cell)))
			return condition;
	}
	marker = helper("flakeid_is_range", TSTZRANGEOID, copyObject(range));
	return marker == NULL ? condition : both(marker, condition);
}

/*
 * Rewrite flakeid_within(instant, range or ranges) as comparisons.  If there are many
 * ranges, or they are not constant, compare with the first and the last instant of all of
 * them, and recheck with core's own operator, about which the planner does not ask flakeid
 * again.
 */
static Node *
simplify_within(Node *request)
{
	PlannerInfo *root;
	FuncExpr   *function;
	Node	   *instant;
	Node	   *range;
	Node	   *recheck = NULL;
	Node	   *condition;
	Side		side;

	if (!IsA(request, SupportRequestSimplify))
		return NULL;
	root = ((SupportRequestSimplify *) request)->root;
	function = ((SupportRequestSimplify *) request)->fcall;
	if (list_length(function->args) != 2)
		return NULL;
	instant = linitial(function->args);
	range = lsecond(function->args);
	if (exprType(range) != TSTZRANGEOID && exprType(range) != TSTZMULTIRANGEOID)
		return NULL;			/* a superuser attached another function */
	if (flake_in_grouping_sets(root, function->funcid))
		return NULL;
	if (!is_of_id(root, instant, &side))
	{
		if (undecided(root, instant))
			return NULL;
		is_instant(instant, &side);
	}
	if (!flake_may_repeat(root, side.expr) || !flake_may_repeat(root, (Node *) side.layout))
		return NULL;
	if (is_constant(range) && exprType(range) == TSTZRANGEOID)
		return filtered(root, &side, within_constant(&side, DatumGetRangeTypeP(((Const *) range)->constvalue)));
	if (is_constant(range) &&
		DatumGetMultirangeTypeP(((Const *) range)->constvalue)->rangeCount <= MAX_RANGES)
		return filtered(root, &side, within_any(&side, DatumGetMultirangeTypeP(((Const *) range)->constvalue)));

	if (!flake_may_split(root, range))
		return NULL;
	range = copyObject(range);
	if (exprType(range) != TSTZRANGEOID)
	{
		recheck = flake_operation(OID_MULTIRANGE_ELEM_CONTAINED_OP, without_domain(instant),
								  copyObject(range), InvalidOid);
		range = call(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, list_make1(range));
		if (is_constant(linitial(((FuncExpr *) range)->args)))
			range = eval_const_expressions(NULL, range);
	}
	if (is_constant(range))
		condition = within_constant(&side, DatumGetRangeTypeP(((Const *) range)->constvalue));
	else
		condition = within_range(root, &side, range);
	if (condition != NULL && recheck != NULL)
		condition = both(condition, recheck);
	return filtered(root, &side, condition);
}

/* Estimate flakeid_within() where it is not rewritten, as core estimates <@ of an unknown range. */
static Node *
estimate_within(SupportRequestSelectivity *request)
{
	request->selectivity = request->is_join ? FLAKE_RANGE_JOIN_SEL : DEFAULT_RANGE_INEQ_SEL;
	return (Node *) request;
}

PG_FUNCTION_INFO_V1(flakeid_instant_within_support);
Datum
flakeid_instant_within_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
		PG_RETURN_POINTER(estimate_within((SupportRequestSelectivity *) request));
	PG_RETURN_POINTER(simplify_within(request));
}
