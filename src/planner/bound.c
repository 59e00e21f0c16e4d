/*
 * bound.c
 *		A condition on the time of an ID, as one on the ID.
 *
 * The ID is of one of our types, or an argument of a function that returns the time of
 * another one, such as uuid7_timestamp(uuid): see source.c.
 *
 *		our ID >= t					id >= t
 *		our ID <= t					id < flakeid_next_instant(t)
 *		uuid7_timestamp(id) >= t	is_uuid7(id) AND id >= uuid7_min(t)
 *
 * For our types, < and >= with an instant are members of the operator families, and so all
 * that indexes and partition pruning serve: in the common order of IDs and instants an
 * instant precedes every ID of its time or later (see flake_compare_instant()).  As
 * timestamptz counts microseconds, the instant after t is t + 1.  Other types have their
 * own operators, which their indexes, partitions and foreign servers know; layout.c
 * explains what replaces t.
 *
 * A constant t is replaced by its bound here, because the planner prunes and estimates by
 * constants, and has folded them already.
 */
#include "planner/planner.h"

#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"

/* ---------- what is compared ---------- */

/* Is the expression an ID of ours, whose type still has its operators with instants? */
bool
flake_own_subject(Node *node, FlakeSubject *subject)
{
	memset(subject, 0, sizeof(FlakeSubject));
	subject->expr = node;
	return flake_own_source(&subject->source, exprType(node));
}

/* Is the ID a column of a table that is stored here? */
bool
flake_is_stored(PlannerInfo *root, Node *id)
{
	Node	   *node = flake_strip(flake_strip_padding(id));
	const RangeTblEntry *rte = IsA(node, Var) ? planner_rt_fetch(((Var *) node)->varno, root) : NULL;

	return rte != NULL && rte->rtekind == RTE_RELATION && rte->relkind != RELKIND_FOREIGN_TABLE;
}

/*
 * Does the function return the time of the ID that is its first argument?  The ID is
 * evaluated more than once afterwards.  Where there is only a marker, to have the condition
 * estimated, a foreign table gets none: the planner could not send it to its server.
 */
bool
flake_time_subject(PlannerInfo *root, FuncExpr *call, FlakeSubject *subject)
{
	FlakeSource source = flake_find_source(call->funcid);

	if (source.kind != FLAKE_SOURCE_BOUNDS && source.kind != FLAKE_SOURCE_OWN)
		return false;
	memset(subject, 0, sizeof(FlakeSubject));
	subject->source = source;
	subject->call = call;
	subject->expr = linitial(call->args);
	subject->layout = list_copy_tail(call->args, 1);
	if (contain_volatile_functions((Node *) subject->layout) || !flake_may_repeat(root, subject->expr))
		return false;
	subject->filter = source.filter;
	if (OidIsValid(source.marker) && flake_is_stored(root, subject->expr))
		subject->filter = source.marker;
	return true;
}

/* Is the ID one of the table's?  An expression may have its columns only. */
bool
flake_is_here(const FlakePlace *place, Node *id)
{
	int			table;

	id = flake_strip(flake_strip_padding(id));
	if (IsA(id, Var))
		table = (int) ((Var *) id)->varno;
	else if (!bms_get_singleton_member(pull_varnos(place->root, id), &table))
		return false;
	return place->table == 0 || table == place->table;
}

/* Return the call of a subject's filter or marker, which precedes its conditions; NULL: there is none. */
Node *
flake_filter_of(const FlakeSubject *subject)
{
	return !OidIsValid(subject->filter) ? NULL :
		flake_call(subject->filter, BOOLOID, list_concat(list_make1(copyObject(subject->expr)), copyObject(subject->layout)));
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
compare_bound(const FlakeSubject *subject, int strategy, Node *time)
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
		 * Texts with a time sort by their bytes, so the comparison must, too.
		 * (The bound has the default collation, as literals have:
		 * postgres_fdw sends no other to its server.)
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
	else if (!OidIsValid(max ? subject->source.max : subject->source.min))
		return NULL;
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
compare_own(const FlakeSubject *subject, int strategy, Node *time)
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

/*
 * Compare a subject with a timestamptz; the caller adds the filter.  Return NULL if "time"
 * is, or if there is no operator.
 */
static Node *
condition_on(const FlakeSubject *subject, int strategy, Node *time)
{
	if (time == NULL)
		return NULL;
	return subject->source.kind == FLAKE_SOURCE_BOUNDS ? compare_bound(subject, strategy, time) :
		compare_own(subject, strategy, time);
}

/* Compare a subject with an instant, or a date or timestamp; NULL: it is none, or there is no operator. */
Node *
flake_bound(const FlakeSubject *subject, int strategy, const Node *time)
{
	return condition_on(subject, strategy, as_instant((Node *) copyObject(time)));
}

/* Return the condition that the time is between two instants; NULL: there is none. */
Node *
flake_between(const FlakeSubject *subject, const Node *from, const Node *upto)
{
	return both(flake_bound(subject, BTGreaterEqualStrategyNumber, from), flake_bound(subject, BTLessEqualStrategyNumber, upto));
}

/*
 * Return what replaces "left operator right", of which one is an ID of ours; NULL to leave
 * it alone.  It is one comparison with the same value, so it may take the place of the
 * other anywhere: stored predicates are proven by it, too.
 */
Node *
flake_rewrite_comparison(SupportRequestSimplify *request, int strategy)
{
	List	   *args = request->fcall->args;
	FlakeSubject subject;
	FlakeComparison comparison;
	Node	   *time;

	if (list_length(args) != 2 ||
		(!flake_own_subject(linitial(args), &subject) && !flake_own_subject(lsecond(args), &subject)))
		return NULL;
	comparison = flake_comparison(args, subject.expr == linitial(args) ? 0 : 1, strategy);
	time = as_instant(comparison.other);
	if (time == NULL)
		return getBaseType(exprType(comparison.other)) == INT8OID ? flake_rewrite_number(&comparison) : NULL;
	if (strategy == BTEqualStrategyNumber || strategy == FLAKE_NOT_EQUAL)
		return NULL;

	/*
	 * a member of the operator families needs to be written differently for a
	 * cast only
	 */
	if (!flake_divides_after(comparison.strategy) && time == comparison.other)
		return NULL;
	return condition_on(&subject, comparison.strategy, time);
}

/* ---------- ranges ---------- */

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
in_period(const FlakeSubject *subject, const FlakePeriod *period)
{
	bool		own = subject->source.kind == FLAKE_SOURCE_OWN;
	Node	   *first = condition_on(subject, BTGreaterEqualStrategyNumber, instant_constant(period->first));
	Node	   *last = condition_on(subject, BTLessEqualStrategyNumber, instant_constant(period->last));

	/*
	 * none: an end that is before the begin would be estimated as if nothing
	 * were known of both
	 */
	if (period->first > period->last)
		return both(first, condition_on(subject, BTLessStrategyNumber, instant_constant(period->first)));
	if (TIMESTAMP_IS_NOEND(own ? flake_next_instant(period->last) : period->last))
		return first;
	if (TIMESTAMP_IS_NOBEGIN(period->first) || (own && period->first == MIN_TIMESTAMP))
		return last;
	return both(first, last);
}

/*
 * Compare a subject with periods that are in order.  Several become an OR, between the first
 * and the last instant of all, for an index that is read in its order; if there are too
 * many, the ends alone.  Return NULL if an operator is missing.
 */
Node *
flake_in_periods(const FlakeSubject *subject, const FlakePeriod *periods, int count)
{
	const FlakePeriod all = {periods[0].first, periods[count - 1].last};
	Node	   *ends = in_period(subject, &all);
	List	   *arms = NIL;
	ListCell   *cell;

	if (count == 1 || count > FLAKE_MAX_PERIODS || ends == NULL)
		return ends;
	for (int i = 0; i < count; i++)
		arms = lappend(arms, in_period(subject, &periods[i]));
	foreach(cell, make_ands_implicit((Expr *) ends))
		lfirst_node(OpExpr, cell)->location = FLAKE_END_OF_LIST;
	return (Node *) make_andclause(lcons(make_orclause(arms), make_ands_implicit((Expr *) ends)));
}

/*
 * Compare a subject with the ends of a range that is not constant.  If it is a column, these are
 * estimated together as <@; those of several ranges not at all, because the condition stays.
 */
static Node *
in_range(const FlakeSubject *subject, Node *range, bool several)
{
	Node	   *start = flake_call_helper("flakeid_range_start", TSTZRANGEOID, copyObject(range));
	Node	   *end = flake_call_helper("flakeid_range_last", TSTZRANGEOID, copyObject(range));
	Node	   *first = condition_on(subject, BTGreaterEqualStrategyNumber, start);
	Node	   *last = condition_on(subject, BTLessEqualStrategyNumber, end);

	if (first != NULL && last != NULL && contain_var_clause(range))
	{
		((OpExpr *) first)->location = several ? FLAKE_REDUNDANT : FLAKE_RANGE_START;
		((OpExpr *) last)->location = several ? FLAKE_REDUNDANT : FLAKE_RANGE_END;
	}
	return both(first, last);
}

/* Return "time <@ range" as comparisons of the time itself; NULL if the range is not one constant. */
Node *
flake_instants_in_range(const FlakeSubject *subject, const Node *range)
{
	FlakePeriod *period;
	Node	   *time = (Node *) subject->call;

	if (time == NULL || !flake_is_constant(range) || exprType(range) != TSTZRANGEOID)
		return NULL;
	(void) flake_periods(((const Const *) range)->constvalue, TSTZRANGEOID, &period);
	return both(flake_operation_of_type(TIMESTAMPTZOID, copyObject(time), BTGreaterEqualStrategyNumber, instant_constant(period->first)),
				flake_operation_of_type(TIMESTAMPTZOID, copyObject(time), BTLessEqualStrategyNumber, instant_constant(period->last)));
}

/*
 * Return the condition that the ID of a subject is in a range or ranges; NULL: there is none.
 * Store whether it is true of the same rows; if not, it is true of more: those between the
 * first and the last instant of many or unknown ranges.
 */
Node *
flake_in_ranges(const FlakeSubject *subject, Node *range, bool *exact)
{
	FlakePeriod *periods;
	Oid			type;

	if (!flake_is_range(range, &type))
		return NULL;
	if (flake_is_constant(range))
	{
		int			count = flake_periods(((Const *) range)->constvalue, type, &periods);

		*exact = count <= FLAKE_MAX_PERIODS;
		return flake_in_periods(subject, periods, count);
	}
	if (contain_volatile_functions(range) || contain_subplans(range))
		return NULL;
	*exact = type == TSTZRANGEOID;
	if (!*exact)
		range = flake_call(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, list_make1(range));
	return in_range(subject, range, !*exact);
}
