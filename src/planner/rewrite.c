/*
 * rewrite.c
 *		Conditions on the time of IDs, as conditions on the key.
 *
 * What is compared is an ID of ours, the call of a function that returns the instant of an
 * ID, such as uuid7_timestamp(uuid) (see source.c), or an instant itself.  What it is
 * compared with is an instant, or a range of instants, which is two comparisons:
 *
 *		our ID >= t					id >= t
 *		our ID <= t					id < flakeid_next_instant(t)
 *		uuid7_timestamp(id) >= t	is_uuid7(id) AND id >= uuid7_min(t)
 *		an instant >= t				core's comparison
 *
 * For our types, < and >= with an instant are members of the operator families, and so all
 * that indexes and partition pruning serve: in the common order of IDs and instants an
 * instant precedes every ID of its time or later (see flake_compare_instant()).  As
 * timestamptz counts microseconds, the instant after t is t + 1.  Other types have their
 * own operators, which their indexes, partitions and foreign servers know; layout.c
 * explains what replaces t.
 *
 * A constant t is replaced by its bound here, because the planner prunes and estimates by
 * constants and does not fold what a support function returns.
 */
#include "planner/planner.h"

#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/*
 * A constant multirange becomes an OR of so many ranges at most, for an ID of ours (a year
 * with one a day) and for the instant of an ID.  Without an index, a row is compared with one after
 * the other, while the function searches a sorted array; and only bitmap scans serve an OR.
 * Beyond the limit our IDs have an estimator and an index condition of their own.
 */
#define OWN_WINDOWS		366
#define OTHER_WINDOWS	16

/* ---------- what is compared ---------- */

/* What is compared with an instant: an ID, or an instant itself. */
typedef struct Subject
{
	FlakeSource source;
	Node	   *expr;			/* the ID, or the instant */
	List	   *layout;			/* the other arguments of the function that returns the ID's instant */
	Oid			filter;			/* or marker, to precede conditions; or InvalidOid */
	bool		direct;			/* the ID itself is compared, without such a function */
	Node	   *pruned;			/* the instant, if partitions are bounded by it, or NULL */
} Subject;

/* Is the expression an ID of ours?  The caller then calls own_source(). */
static bool
is_own_id(Node *node, Subject *subject)
{
	Oid			type = exprType(node);
	const FlakeFormat *format = type < FirstNormalObjectId ? NULL : flake_format_of_type(&type);

	if (format == NULL || !format->time_ordered)
		return false;
	memset(subject, 0, sizeof(Subject));
	subject->expr = node;
	subject->direct = true;
	return true;
}

/* Find the operators of an ID of ours; return false if its type's family has lost them. */
static bool
own_source(Subject *subject)
{
	Oid			type = getBaseType(exprType(subject->expr));

	return flake_own_source(&subject->source, type, lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf);
}

/* Is the expression the instant of an ID? */
static bool
is_instant_of_id(PlannerInfo *root, Node *node, Subject *subject)
{
	FuncExpr   *function;

	node = flake_strip(node);
	if (!IsA(node, FuncExpr))
		return false;
	function = (FuncExpr *) node;
	memset(subject, 0, sizeof(Subject));
	subject->source = flake_find_source(function->funcid);
	if (subject->source.kind == FLAKE_SOURCE_NONE || subject->source.kind == FLAKE_SOURCE_SHOWN || flake_in_grouping_sets(root, function->funcid))
		return false;
	subject->expr = linitial(function->args);
	subject->layout = list_copy_tail(function->args, 1);
	if (contain_volatile_functions((Node *) subject->layout))
		return false;
	subject->filter = subject->source.filter;
	if (OidIsValid(subject->source.marker) && flake_is_stored_column(root, flake_strip(flake_strip_padding(subject->expr))))
		subject->filter = subject->source.marker;

	/*
	 * with a filter, the ID is evaluated twice: for the comparison and for
	 * the filter
	 */
	return !OidIsValid(subject->source.filter) || flake_may_repeat(root, subject->expr);
}

/*
 * If partitions are bounded by the instant, have it compared, too: core prunes these only
 * by a comparison of their key.
 */
static void
note_partitions(PlannerInfo *root, Node *instant, Subject *subject)
{
	instant = flake_strip(instant);
	if (OidIsValid(subject->filter) && flake_is_partition_key(root, instant))
		subject->pruned = instant;
}

/* Find which argument, 0 or 1, contains an ID; -1 if none does. */
static int
find_subject(PlannerInfo *root, const List *args, Subject *subject)
{
	for (int i = 0; i < 2; i++)
		if (is_own_id(list_nth(args, i), subject))
			return i;
	for (int i = 0; i < 2; i++)
		if (is_instant_of_id(root, list_nth(args, i), subject))
			return i;
	return -1;
}

/*
 * Return the other side of a comparison as a timestamptz; NULL if it is neither that nor a
 * date or timestamp.  Core's cast of these raises an error beyond the ends of timestamptz,
 * but core can compare them with a timestamptz, and so do we: in a cast that is not
 * written in the query, too, they become the first or last instant.
 */
static Node *
as_instant(Node *node)
{
	const FuncExpr *cast;

	node = flake_without_domain(node);
	cast = (const FuncExpr *) node;
	if (IsA(node, FuncExpr) && cast->funcformat == COERCE_IMPLICIT_CAST &&
		(cast->funcid == F_TIMESTAMPTZ_DATE || cast->funcid == F_TIMESTAMPTZ_TIMESTAMP))
		node = flake_without_domain(linitial(cast->args));
	switch (exprType(node))
	{
		case TIMESTAMPTZOID:
			return node;
		case DATEOID:
			return flake_call_helper("flakeid_date_instant", DATEOID, node);
		case TIMESTAMPOID:
			return flake_call_helper("flakeid_timestamp_instant", TIMESTAMPOID, node);
		default:
			return NULL;
	}
}

/* ---------- comparisons ---------- */

static Node *
instant_constant(TimestampTz t)
{
	return (Node *) makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
							  TimestampTzGetDatum(t), false, FLOAT8PASSBYVAL);
}

static bool
are_constant(List *nodes)
{
	ListCell   *cell;

	foreach(cell, nodes)
	{
		if (!flake_is_constant(lfirst(cell)))
			return false;
	}
	return true;
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

/* Compare an ID that is not ours with the bound for an instant. */
static Node *
compare_bound(const Subject *subject, int strategy, Node *time)
{
	const FlakeBoundKind *kind = subject->source.bounds;
	bool		max = flake_divides_after(strategy);
	Node	   *id = copyObject(flake_strip_padding(subject->expr));
	Oid			type = kind->type;
	Oid			operator = subject->source.operators[strategy];
	Oid			collation = InvalidOid;
	Node	   *bound;

	if (kind->type == TEXTOID && exprType(id) == BPCHAROID)
	{
		type = BPCHAROID;
		operator = get_opfamily_member(lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf, type, type, strategy);
	}
	if (kind->type == TEXTOID)
	{
		/*
		 * Texts with a time sort by their bytes, so the comparison must, too.  (The bound
		 * has the default collation, as literals have: postgres_fdw sends no
		 * other to its server.)
		 */
		collation = exprCollation(id);
		if (!OidIsValid(collation) || !flake_collates_bytes(collation))
		{
			collation = C_COLLATION_OID;
			id = (Node *) makeRelabelType((Expr *) id, type, -1, collation, COERCE_EXPLICIT_CAST);
		}
	}
	if (flake_is_constant(time) && are_constant(subject->layout))
		bound = (Node *)
			makeConst(type, -1, kind->type == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid, kind->typlen,
					  call_bound(max ? kind->max : kind->min, time, subject->layout), false, kind->typbyval);
	else
	{
		bound = flake_call(max ? subject->source.max : subject->source.min, kind->type,
						   list_concat(list_make1(time), copyObject(subject->layout)));
		if (subject->layout != NIL)
			((FuncExpr *) bound)->inputcollid = exprCollation(linitial(subject->layout));
		if (type != kind->type)
			bound = (Node *) makeRelabelType((Expr *) bound, type, -1, exprCollation(bound), COERCE_IMPLICIT_CAST);
	}
	return flake_operation(operator, id, bound, collation);
}

/* Compare an ID of ours with an instant, by one of the two operators that indexes support. */
static Node *
compare_own(const Subject *subject, int strategy, Node *time)
{
	if (flake_divides_after(strategy) && flake_is_constant(time))
		time = instant_constant(flake_next_instant(DatumGetTimestampTz(((Const *) time)->constvalue)));
	else if (flake_divides_after(strategy))
		time = flake_call_helper("flakeid_next_instant", TIMESTAMPTZOID, time);
	return time == NULL ? NULL :
		flake_operation(subject->source.operators[strategy], copyObject(subject->expr), time, InvalidOid);
}

/*
 * Return both conditions, without an AND below the AND; NULL if one of them is.  The
 * planner does not flatten the conditions of an append relation's child again, but expects
 * them to be flat when it looks for indexes that serve an OR; it would not recognize an
 * AND below an AND.
 */
static Node *
both(Node *left, Node *right)
{
	if (left == NULL || right == NULL)
		return NULL;
	return (Node *) make_andclause(list_concat_copy(make_ands_implicit((Expr *) left),
													make_ands_implicit((Expr *) right)));
}

/* Compare an instant itself, by core's operator. */
static Node *
compare_instants(Node *instant, int strategy, Node *time)
{
	return flake_operation_of_type(TIMESTAMPTZOID, flake_without_domain(copyObject(instant)), strategy, time);
}

/*
 * Compare a subject with a timestamptz; the caller adds the filter.  Return NULL if "time"
 * is, or if there is no operator.
 */
static Node *
condition_on(const Subject *subject, int strategy, Node *time)
{
	if (time == NULL)
		return NULL;
	switch (subject->source.kind)
	{
		case FLAKE_SOURCE_BOUNDS:
			if (subject->pruned == NULL || contain_volatile_functions(time) || contain_subplans(time))
				return compare_bound(subject, strategy, time);
			return both(compare_bound(subject, strategy, time),
						compare_instants(subject->pruned, strategy, copyObject(time)));
		case FLAKE_SOURCE_OWN:
			return compare_own(subject, strategy, time);
		default:
			return compare_instants(subject->expr, strategy, time);
	}
}

/*
 * Return a condition on a subject, or NULL where the filter or marker is not true:
 *
 *		(NOT filter AND NULL) OR ((filter OR NULL) AND condition)
 *
 * Where it filters rows, NULL is as good as false, and canonicalize_qual() makes it filter
 * AND condition.  Of NOT of it, the planner makes (filter OR NULL) AND ((NOT filter AND
 * NULL) OR NOT condition), and of that, filter AND NOT condition.
 */
static Node *
filtered(PlannerInfo *root, const Subject *subject, Node *condition)
{
	Expr	   *filter;
	Node	   *otherwise;

	if (condition == NULL || !OidIsValid(subject->filter))
		return condition;
	filter = (Expr *) flake_call(subject->filter, BOOLOID,
								 list_concat(list_make1(copyObject(subject->expr)), copyObject(subject->layout)));
	if (flake_filters_union(root, subject->expr))
		return both((Node *) filter, condition);
	otherwise = both((Node *) make_notclause(copyObject(filter)), makeBoolConst(false, true));
	filter = make_orclause(list_make2(filter, makeBoolConst(false, true)));
	return (Node *) make_orclause(list_make2(otherwise, both((Node *) filter, condition)));
}

/*
 * Return what replaces "left operator right"; NULL to leave it alone.  A comparison that
 * may become one with the instant of an ID waits until it is decided; the planner asks
 * again then.  One that cannot becomes core's, which an index on a column of the domain
 * supports.
 */
Node *
flake_rewrite_comparison(SupportRequestSimplify *request, int strategy)
{
	PlannerInfo *root = request->root;
	List	   *args = request->fcall->args;
	Subject subject;
	FlakeComparison comparison;
	int			place;
	Node	   *time;

	if (list_length(args) != 2 || flake_in_grouping_sets(root, request->fcall->funcid))
		return NULL;
	place = find_subject(root, args, &subject);
	if (place < 0)
	{
		if (flake_undecided(root, linitial(args)) || flake_undecided(root, lsecond(args)))
			return NULL;
		return flake_operation_of_type(TIMESTAMPTZOID, flake_without_domain(linitial(args)), strategy,
									   flake_without_domain(lsecond(args)));
	}
	comparison = flake_comparison(args, place, strategy);
	time = as_instant(comparison.other);
	if (time == NULL)
		return subject.direct && getBaseType(exprType(comparison.other)) == INT8OID ? flake_rewrite_number(&comparison) : NULL;
	if (strategy == BTEqualStrategyNumber || strategy == FLAKE_NOT_EQUAL)
		return NULL;
	/* a member of the operator families needs to be written differently for a cast only */
	if (subject.direct && ((!flake_divides_after(comparison.strategy) && time == comparison.other) || !own_source(&subject)))
		return NULL;
	note_partitions(root, comparison.id, &subject);
	return filtered(root, &subject, condition_on(&subject, comparison.strategy, time));
}

/*
 * Return the condition on the ID that "instant operator time" is; without the filter, so it
 * may be true of IDs without an instant.  NULL: there is none.
 */
Node *
flake_bound_condition(PlannerInfo *root, Node *instant, int strategy, Node *time)
{
	Subject subject;

	if (!is_instant_of_id(root, instant, &subject))
		return NULL;
	return condition_on(&subject, strategy, as_instant(copyObject(time)));
}

/* ---------- ranges ---------- */

/* The operators take the domain flakeid_period; return tstzrange itself, which the helpers take. */
static Node *
strip_period(Node *range)
{
	return IsA(range, RelabelType) ? flake_without_domain(range) : range;
}

/* Has the expression ranges of instants?  Store their type, not that of a domain. */
bool
flake_is_range(Node *node, Oid *type)
{
	*type = getBaseType(exprType(node));
	return *type == TSTZRANGEOID || *type == TSTZMULTIRANGEOID;
}

/*
 * Compare a subject with a constant period.  An infinite end needs no comparison, nor does
 * one that is beyond all finite instants, which those of our own IDs are.
 */
static Node *
in_period(const Subject *subject, const FlakePeriod *period)
{
	bool		own = subject->source.kind == FLAKE_SOURCE_OWN;
	Node	   *first = condition_on(subject, BTGreaterEqualStrategyNumber, instant_constant(period->first));
	Node	   *last = condition_on(subject, BTLessEqualStrategyNumber, instant_constant(period->last));

	if (TIMESTAMP_IS_NOEND(own ? flake_next_instant(period->last) : period->last))
		return first;
	if (TIMESTAMP_IS_NOBEGIN(period->first) || (own && period->first == MIN_TIMESTAMP))
		return last;
	return both(first, last);
}

/* Compare a subject with the periods of a constant, of which there must be few; else return NULL. */
static Node *
in_periods(const Subject *subject, const FlakePeriod *periods, int count)
{
	List	   *conditions = NIL;

	if (count > (subject->direct ? OWN_WINDOWS : OTHER_WINDOWS))
		return NULL;
	for (int i = 0; i < count; i++)
		conditions = lappend(conditions, in_period(subject, &periods[i]));
	if (list_member_ptr(conditions, NULL))
		return NULL;
	return count == 1 ? linitial(conditions) : (Node *) make_orclause(conditions);
}

/*
 * Compare a subject with the ends of a range that is not constant.  If it contains columns,
 * put a marker of the range before comparisons by core's operators, which gets these
 * estimated; but not if a column is not stored here, because the planner could not send
 * the marker.
 */
static Node *
in_range(PlannerInfo *root, const Subject *subject, Node *range)
{
	bool		own = subject->source.kind == FLAKE_SOURCE_OWN;
	Node	   *condition =
		both(condition_on(subject, BTGreaterEqualStrategyNumber,
						  flake_call_helper("flakeid_range_start", TSTZRANGEOID, copyObject(range))),
			 own ? condition_on(subject, BTLessStrategyNumber,
								flake_call_helper("flakeid_range_end", TSTZRANGEOID, copyObject(range)))
			 : condition_on(subject, BTLessEqualStrategyNumber,
							flake_call_helper("flakeid_range_last", TSTZRANGEOID, copyObject(range))));
	List	   *columns = own ? NIL : pull_vars_of_level(range, 0);
	ListCell   *cell;

	if (columns == NIL)
		return condition;
	foreach(cell, columns)
	{
		if (!flake_is_stored_column(root, lfirst(cell)))
			return condition;
	}
	return both(flake_call_helper("flakeid_is_range", TSTZRANGEOID, copyObject(range)), condition);
}

static Node *
merged(Node *multirange)
{
	return flake_call(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, list_make1(multirange));
}

/*
 * Compare a subject with all instants from the first to the last of several ranges, which
 * are many or not constant, and recheck with core's own operator, about which the planner
 * does not ask flakeid.  An ID of ours is left alone: see flake_index_range().
 */
static Node *
in_multirange(PlannerInfo *root, const Subject *subject, Node *instant, Node *multirange, FlakePeriod *all)
{
	if (subject->direct)
		return NULL;
	return both(all != NULL ? in_period(subject, all) : in_range(root, subject, merged(copyObject(multirange))),
				flake_operation(OID_MULTIRANGE_ELEM_CONTAINED_OP, flake_without_domain(copyObject(instant)),
								multirange, InvalidOid));
}

/*
 * Return the comparisons that replace "subject <@ range", range @> subject or
 * flakeid_within(subject, range or ranges); NULL to leave it alone.
 *
 * A range that is a sub-SELECT must be evaluated once, because two results may differ.  So
 * such a condition stays as it is.  By the time the planner asks which index conditions
 * serve it, a sub-SELECT that depends on no outer row has become a parameter, and both of
 * its ends can be used.
 */
Node *
flake_rewrite_range(SupportRequestSimplify *request)
{
	PlannerInfo *root = request->root;
	List	   *args = request->fcall->args;
	Subject subject;
	FlakePeriod *periods;
	Oid			type;
	int			place;
	Node	   *instant;
	Node	   *range;
	Node	   *condition;

	if (list_length(args) != 2 || flake_in_grouping_sets(root, request->fcall->funcid))
		return NULL;
	place = flake_is_range(linitial(args), &type) ? 1 : 0;
	instant = list_nth(args, place);
	range = strip_period(list_nth(args, 1 - place));
	if (!flake_is_range(range, &type))
		return NULL;			/* a superuser attached another function */
	if (is_own_id(instant, &subject))
	{
		if (!own_source(&subject))
			return NULL;
	}
	else if (!is_instant_of_id(root, instant, &subject))
	{
		if (getBaseType(exprType(instant)) != TIMESTAMPTZOID || flake_undecided(root, instant))
			return NULL;
		memset(&subject, 0, sizeof(subject));
		subject.source.kind = FLAKE_SOURCE_INSTANT;
		subject.expr = instant;
	}
	note_partitions(root, instant, &subject);
	if (flake_is_constant(range))
	{
		int			count = flake_periods(((Const *) range)->constvalue, type, &periods);
		FlakePeriod all = {periods[0].first, periods[count - 1].last};

		condition = in_periods(&subject, periods, count);
		if (condition == NULL)
			condition = in_multirange(root, &subject, instant, range, &all);
	}
	else if (!flake_may_split(root, range))
		return NULL;
	else if (type == TSTZRANGEOID)
		condition = in_range(root, &subject, range);
	else
		condition = in_multirange(root, &subject, instant, range, NULL);
	if (condition == NULL || (IsA(condition, BoolExpr) &&
							  !(flake_may_repeat(root, subject.expr) && flake_may_repeat(root, (Node *) subject.layout))))
		return NULL;
	return filtered(root, &subject, condition);
}

/*
 * Where "id <@ range" or flakeid_within(id, ranges) is not rewritten, have the index return
 * the IDs between the first and the last instant.  For a range these are exactly the
 * matching IDs; for a multirange the function decides about those in between.
 */
List *
flake_index_range(SupportRequestIndexCondition *request)
{
	List	   *args = IsA(request->node, OpExpr) ? ((OpExpr *) request->node)->args :
		IsA(request->node, FuncExpr) ? ((FuncExpr *) request->node)->args : NIL;
	Subject subject = {0};
	Oid			key = request->index->opcintype[request->indexcol];
	Node	   *range;
	Oid			type;
	Node	   *ends[2];

	if (list_length(args) != 2 || flake_format_of_type(&key) == NULL)
		return NIL;
	subject.expr = list_nth(args, request->indexarg);
	range = strip_period(list_nth(args, 1 - request->indexarg));

	/*
	 * a sub-SELECT that depends on an outer row would be evaluated by each
	 * end
	 */
	if (!flake_is_range(range, &type) ||
		contain_subplans(range) ||
		!is_pseudo_constant_for_index(request->root, range, request->index) ||
		!flake_own_source(&subject.source, key, request->opfamily))
		return NIL;
	if (flake_is_constant(range))
	{
		FlakePeriod *periods;
		int			count = flake_periods(((Const *) range)->constvalue, type, &periods);

		ends[0] = instant_constant(periods[0].first);
		ends[1] = instant_constant(flake_next_instant(periods[count - 1].last));
	}
	else
	{
		if (type == TSTZMULTIRANGEOID)
			range = merged(range);
		ends[0] = flake_call_helper("flakeid_range_start", TSTZRANGEOID, copyObject(range));
		ends[1] = flake_call_helper("flakeid_range_end", TSTZRANGEOID, copyObject(range));
	}
	ends[0] = condition_on(&subject, BTGreaterEqualStrategyNumber, ends[0]);
	ends[1] = condition_on(&subject, BTLessStrategyNumber, ends[1]);
	if (ends[0] == NULL || ends[1] == NULL)
		return NIL;
	request->lossy = type == TSTZMULTIRANGEOID;
	return list_make2(ends[0], ends[1]);
}
