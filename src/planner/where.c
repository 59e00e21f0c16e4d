/*
 * where.c
 *		Conditions on the time of IDs, changed where they stand.
 *
 * When the planner looks a table up, the conditions of WHERE and ON are in their lists still:
 * constants are folded, sub-SELECTs have become parameters, and views are part of the
 * query, but no condition has been given to a table.  In these lists, and under AND and OR
 * in them, NULL is as good as false.  There, what condition.c finds about an ID of the
 * table takes the condition's place if it is true of the same rows, and is put before it
 * otherwise.  Everything else is core's: what is negated, shown, aggregated or grouped, and
 * ON of a FULL JOIN, which can be merged or hashed only by what core knows.
 *
 * A condition stays, too, if the table has an index on an expression of ours, a partial one,
 * or partitions by one: these are recognized by the expression itself.
 */
#include "planner/planner.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_statistic.h"
#include "optimizer/appendinfo.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "optimizer/restrictinfo.h"
#include "utils/partcache.h"
#include "utils/rel.h"

static flake_table_hook_type next_table_hook;
static set_rel_pathlist_hook_type next_paths_hook;
static get_relation_stats_hook_type next_stats_hook;

/* ---------- which conditions stay ---------- */

/* Is it a call of a function that names the query as ours, or such an operator? */
static bool
is_call(Node *node)
{
	node = flake_strip(node);
	if (IsA(node, FuncExpr))
		return flake_has_support(((FuncExpr *) node)->funcid, flakeid_instant_support) ||
			(OidIsValid(FLAKE_CORE_TIME) && ((FuncExpr *) node)->funcid == FLAKE_CORE_TIME);
	if (!IsA(node, OpExpr))
		return false;
	set_opfuncid((OpExpr *) node);
	return flake_has_support(((OpExpr *) node)->opfuncid, flakeid_instant_support);
}

static bool
has_call(Node *node, void *context)
{
	return node != NULL && (is_call(node) || flake_walk(node, has_call, context));
}

static bool
is_one_a_call(List *expressions)
{
	ListCell   *cell;

	foreach(cell, expressions)
	{
		if (is_call(lfirst(cell)))
			return true;
	}
	return false;
}

/* Is a column of an index of the table one of these, or is one in its predicate? */
static bool
is_call_indexed(Relation relation)
{
	List	   *indexes = relation->rd_rel->relhasindex ? RelationGetIndexList(relation) : NIL;
	bool		found = false;
	ListCell   *cell;

	foreach(cell, indexes)
	{
		Relation	index = found ? NULL : index_open(lfirst_oid(cell), AccessShareLock);

		if (index == NULL)
			break;
		found = is_one_a_call(RelationGetIndexExpressions(index)) || has_call((Node *) RelationGetIndexPredicate(index), NULL);
		index_close(index, NoLock);
	}
	list_free(indexes);
	return found;
}

/*
 * Must conditions on the table stay?  Partitions have the indexes of their table.  Children
 * of a table that is not partitioned are excluded by constraints, which may have the function.
 */
static bool
must_stay(const RangeTblEntry *rte)
{
	Relation	relation;
	bool		found;

	if (rte->inh && rte->relkind != RELKIND_PARTITIONED_TABLE)
		return true;
	relation = table_open(rte->relid, NoLock);
	found = is_call_indexed(relation) ||
		(rte->relkind == RELKIND_PARTITIONED_TABLE && is_one_a_call(RelationGetPartitionKey(relation)->partexprs));
	table_close(relation, NoLock);
	return found;
}

/* ---------- changing them ---------- */

/* What is done to the conditions on a table's IDs. */
typedef struct FlakeChange
{
	FlakePlace	place;
	bool		stay;			/* what is implied is added only */
	bool		added;			/* there are conditions beside others that
								 * imply them */
	List	   *filters;		/* all that conditions have brought */
	List	   *passed;			/* those that a row has passed where the next
								 * list is evaluated, or passes in it */
	List	   *asked;			/* times whose statistics core asks for */
} FlakeChange;

static List *change_list(FlakeChange *change, List *conditions);

/* Change the arms of an OR, and return the conditions that take its place; the OR itself if none is changed. */
static List *
change_or(FlakeChange *change, Node *clause)
{
	int			passed = list_length(change->passed);
	List	   *arms = NIL;
	bool		changed = false;
	ListCell   *cell;

	foreach(cell, ((BoolExpr *) clause)->args)
	{
		List	   *arm = make_ands_implicit(lfirst(cell));
		List	   *result = change_list(change, arm);

		changed = changed || result != arm;
		arms = lappend(arms, make_ands_explicit(flake_without_ends(result)));
		change->passed = list_truncate(change->passed, passed);
	}
	if (!changed)
		return list_make1(clause);
	/* a filter that is in all arms comes out */
	return make_ands_implicit((Expr *) canonicalize_qual(make_orclause(arms), false));
}

/* Return a condition's filter, and what is implied by it, which take its place. */
static List *
with_implied(FlakeChange *change, Node *clause, const FlakeImplied *implied)
{
	List	   *parts = make_ands_implicit((Expr *) implied->condition);
	List	   *conditions = NIL;

	if (implied->filter != NULL)
	{
		change->filters = list_append_unique(change->filters, implied->filter);
		conditions = list_make1(implied->filter);
	}
	conditions = list_concat(conditions, parts);
	change->added = change->added || change->stay || !implied->exact || flake_is_redundant(llast(parts));
	if (implied->exact && !change->stay)
		return conditions;
	if (change->stay && implied->instants != NULL)
		conditions = list_concat(conditions, make_ands_implicit((Expr *) implied->instants));
	return lappend(conditions, clause);
}

/* Return the conditions that take the place of one; it alone if nothing is to be changed. */
static List *
change_condition(FlakeChange *change, Node *clause)
{
	FlakeImplied implied;
	Node	   *time;

	if (is_orclause(clause))
		return change_or(change, clause);
	if ((time = flake_asked_time(&change->place, clause)) != NULL)
		change->asked = list_append_unique(change->asked, time);
	else if (flake_implied(&change->place, clause, &implied))
		return with_implied(change, clause, &implied);
	return list_make1(clause);
}

/*
 * Change conditions that must all be true.  Return the same list if there is nothing to change; else
 * a new one, with the filters first, so that they are estimated first.  A filter that rows have
 * passed is left out; so ORs come last, whose arms do not need those of the others.
 */
static List *
change_list(FlakeChange *change, List *conditions)
{
	List	   *filters = NIL;
	List	   *others = NIL;
	List	   *around = change->place.conditions;
	bool		changed = false;
	ListCell   *cell;
	ListCell   *part;

	change->place.conditions = conditions;
	for (int ors = 0; ors < 2; ors++)
	{
		foreach(cell, conditions)
		{
			Node	   *clause = lfirst(cell);
			List	   *result;

			if (is_orclause(clause) != (ors == 1))
				continue;
			result = change_condition(change, clause);
			changed = changed || list_length(result) != 1 || linitial(result) != clause;
			foreach(part, result)
			{
				if (!list_member(change->filters, lfirst(part)))
					others = lappend(others, lfirst(part));
				else if (!list_member(change->passed, lfirst(part)))
				{
					filters = lappend(filters, lfirst(part));
					change->passed = lappend(change->passed, lfirst(part));
				}
			}
		}
	}
	change->place.conditions = around;
	return changed ? list_concat(filters, others) : conditions;
}

/*
 * Change the conditions of WHERE, and of ON in all joins, and before them those of row security and of views
 * with security_barrier.  Rows that an outer join makes NULL have not passed the filters below it, and
 * those that its ON does not join have not passed its own.
 */
static void
change_jointree(FlakeChange *change, Node *node)
{
	ListCell   *cell;

	if (IsA(node, RangeTblRef) && ((RangeTblRef *) node)->rtindex == change->place.table)
	{
		foreach(cell, change->place.root->simple_rte_array[change->place.table]->securityQuals)
			lfirst(cell) = change_list(change, lfirst(cell));
	}
	else if (IsA(node, FromExpr))
	{
		FromExpr   *from = (FromExpr *) node;

		foreach(cell, from->fromlist)
			change_jointree(change, lfirst(cell));
		from->quals = (Node *) change_list(change, (List *) from->quals);
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;
		int			passed = list_length(change->passed);

		change_jointree(change, join->larg);
		if (join->jointype != JOIN_FULL)
			passed = list_length(change->passed);
		change_jointree(change, join->rarg);
		if (join->jointype != JOIN_FULL)
			join->quals = (Node *) change_list(change, (List *) join->quals);
		if (IS_OUTER_JOIN(join->jointype))
			change->passed = list_truncate(change->passed, passed);
	}
}

/* ---------- the arms of a UNION ALL ---------- */

/*
 * Return what takes the place of a condition of a UNION ALL in one of its arms: the
 * condition itself, if nothing is to be changed.  Where the arm is a query of its own, its tables
 * are looked up later.  Core goes through all conditions of one arm, and then through those of the next.
 */
Node *
flake_where_in_arm(PlannerInfo *root, Node *condition)
{
	FlakeNamed *query = root == NULL ? NULL : flake_find_named(root);
	int			table;
	const RangeTblEntry *rte;
	ListCell   *cell;

	if (query == NULL || root->simple_rel_array == NULL || !bms_get_singleton_member(pull_varnos(root, condition), &table) ||
		(rte = planner_rt_fetch(table, root))->rtekind != RTE_RELATION)
		return condition;
	if (query->arm == NULL || query->arm->place.root != root || query->arm->place.table != table)
	{
		query->arm = palloc0(sizeof(FlakeChange));
		query->arm->place.root = root;
		query->arm->place.table = table;
		query->arm->stay = must_stay(rte);
		foreach(cell, rte->securityQuals)
			query->arm->passed = list_concat(query->arm->passed, lfirst(cell));
	}
	return (Node *) make_ands_explicit(change_list(query->arm, list_make1(condition)));
}

/*
 * An arm gets its copy of the conditions after it is looked up, and core simplifies the copy: so
 * a condition on an ID of the arm is put into flakeid_where(), whose support function is
 * then asked.  Nobody can write its second argument, and so call it where it does not filter rows.
 */
static void
mark_conditions(PlannerInfo *root, AppendRelInfo *arm)
{
	FlakeChange change = {.place = {root, (int) arm->child_relid, NIL}};
	Oid			where = flake_where_function();
	ListCell   *cell;

	foreach(cell, root->simple_rel_array[arm->parent_relid]->baserestrictinfo)
	{
		RestrictInfo *marked = makeNode(RestrictInfo);
		List	   *here;

		*marked = *lfirst_node(RestrictInfo, cell);
		here = list_make1(adjust_appendrel_attrs(root, (Node *) marked->clause, 1, &arm));
		if (!OidIsValid(where) || change_list(&change, here) == here ||
			(IsA(marked->clause, FuncExpr) && ((FuncExpr *) marked->clause)->funcid == where))
			continue;
		marked->clause = (Expr *) flake_call(where, BOOLOID, list_make2(marked->clause, makeConst(INTERNALOID, -1, InvalidOid, sizeof(Datum), (Datum) 0, true, true)));
		marked->orclause = NULL;
		lfirst(cell) = marked;
	}
}

/* flakeid_where(condition, NULL): the condition.  flakeid_where(true, arms) is folded while planning: see arms.c. */
PG_FUNCTION_INFO_V1(flakeid_where);
Datum
flakeid_where(PG_FUNCTION_ARGS)
{
	if (!PG_ARGISNULL(1))
		flake_take_arms((FlakeArms *) PG_GETARG_POINTER(1));
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(PG_GETARG_BOOL(0));
}

/* ---------- estimates ---------- */

/* Return the fraction of the rows that have one time, of an equality that is not null. */
static double
of_one_time(PlannerInfo *root, RelOptInfo *rel, const OpExpr *equality)
{
	FlakeTimeKey key;
	VariableStatData id;
	double		fraction;

	if (!flake_is_time(linitial(equality->args), &key) && !flake_is_time(lsecond(equality->args), &key))
		return DEFAULT_RANGE_INEQ_SEL;
	fraction = 1.0 / flake_distinct_times(root, rel, &key);
	examine_variable(root, key.id, 0, &id);
	if (HeapTupleIsValid(id.statsTuple))
		fraction *= 1.0 - ((Form_pg_statistic) GETSTRUCT(id.statsTuple))->stanullfrac;
	ReleaseVariableStats(id);
	return fraction;
}

/* Are all of these clauses conditions of a list? */
static bool
are_conditions(List *conditions, List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		if (flake_find_condition(conditions, lfirst(cell)) == NULL)
			return false;
	}
	return true;
}

/* Does a list of conditions say this?  A partition may have some arms of an OR only, or one of them, and no ends of the list. */
static bool
is_said(List *conditions, Node *part)
{
	ListCell   *cell;

	if (flake_is_end_of_list(part) || flake_find_condition(conditions, part) != NULL)
		return true;
	if (!is_orclause(part))
		return false;
	foreach(cell, ((BoolExpr *) part)->args)
	{
		if (are_conditions(conditions, make_ands_implicit(lfirst(cell))))
			return true;
	}
	foreach(cell, conditions)
	{
		RestrictInfo *info = lfirst(cell);

		if (IsA(info, RestrictInfo) && is_orclause(info->clause) &&
			list_difference(((BoolExpr *) info->clause)->args, ((BoolExpr *) part)->args) == NIL)
			return true;
	}
	return false;
}

/*
 * Tell the estimate of a condition that stays beside all that it implies, which is estimated: it
 * lets all of their rows through.  (An equality that core has derived may have nothing, or one end, beside it.)
 * How many rows are of an instant that is not known yet is told of its begin.
 */
static void
tell_original(const FlakePlace *place, RelOptInfo *rel, RestrictInfo *info, List *beside)
{
	FlakeImplied implied;
	List	   *parts;
	OpExpr	   *first;
	RestrictInfo *bound;
	ListCell   *cell;

	if (info->norm_selec >= 0.0 || !flake_implied(place, (Node *) info->clause, &implied))
		return;
	parts = make_ands_implicit((Expr *) implied.condition);
	foreach(cell, parts)
	{
		if (!is_said(beside, lfirst(cell)))
			return;
	}

	/*
	 * first, because the next asks for statistics of the ID, and so comes
	 * here again
	 */
	info->norm_selec = info->outer_selec = 1.0;
	first = linitial(parts);
	bound = flake_find_condition(beside, (Node *) first);
	if (IsA(first, OpExpr) && first->location == FLAKE_ONE_TIME && bound->norm_selec < 0.0)
		flake_tell_alone(bound, of_one_time(place->root, rel, (OpExpr *) info->clause));
}

static void
tell_in_list(const FlakePlace *place, RelOptInfo *rel, List *conditions)
{
	ListCell   *cell;

	foreach(cell, conditions)
	{
		RestrictInfo *info = lfirst(cell);

		if (is_andclause(info))
			tell_in_list(place, rel, ((BoolExpr *) info)->args);
		else if (IsA(info, RestrictInfo) && info->orclause != NULL)
			tell_in_list(place, rel, ((BoolExpr *) info->orclause)->args);
		else if (IsA(info, RestrictInfo) && !flake_tell_marked(info))
			tell_original(place, rel, info, conditions);
	}
}

/* Return a table's conditions without some, in the table's memory: that in which the planner tries joins (GEQO) ends before. */
static List *
without(RelOptInfo *rel, const List *conditions, const List *dropped)
{
	MemoryContext caller = MemoryContextSwitchTo(GetMemoryChunkContext(rel));
	List	   *result = list_difference_ptr(conditions, dropped);

	MemoryContextSwitchTo(caller);
	return result;
}

/*
 * Leave the ends of lists to the table's indexes, which are read from one to the other.  Among the
 * table's conditions, each scan for an arm of the OR beside them would get them, too; then the OR
 * is no longer what the scans say, and the planner proves each arm by each scan.  (Before the planner
 * has looked at the indexes, they have no conditions.  Where there are none, the ends are evaluated before the OR.)
 */
static void
leave_ends_to_indexes(RelOptInfo *rel)
{
	List	   *ends = NIL;
	ListCell   *cell;

	if (rel->rows != 0 || rel->indexlist == NIL || linitial_node(IndexOptInfo, rel->indexlist)->indrestrictinfo == NIL)
		return;
	foreach(cell, rel->baserestrictinfo)
	{
		if (flake_is_end_of_list((Node *) lfirst_node(RestrictInfo, cell)->clause))
			ends = lappend(ends, lfirst(cell));
	}
	if (ends != NIL)
		rel->baserestrictinfo = without(rel, rel->baserestrictinfo, ends);
}

/* Tell the estimates of a table's conditions that stay beside others, once for each list of them. */
void
flake_tell_originals(PlannerInfo *root, RelOptInfo *rel)
{
	FlakeNamed *query = flake_find_named(root);
	FlakePlace	place = {.root = root};

	if (rel == NULL || query == NULL || !query->kept)
		return;
	if (query->told != rel->baserestrictinfo || query->told_count != list_length(rel->baserestrictinfo))
	{
		query->told = rel->baserestrictinfo;
		query->told_count = list_length(query->told);
		place.table = (int) rel->relid;
		place.conditions = extract_actual_clauses(rel->baserestrictinfo, false);
		tell_in_list(&place, rel, rel->baserestrictinfo);
	}
	leave_ends_to_indexes(rel);
}

/*
 * Answer for the statistics of a column of ours, and tell the estimates of a table's conditions; return false: they are
 * core's.  In this order, because telling may ask for the same statistics, and an end that is told then is not
 * answered again.
 */
static pg_noinline bool
answer(PlannerInfo *root, RelOptInfo *rel, VariableStatData *data)
{
	bool		answered = data->vartype >= FirstNormalObjectId && flake_answer(root, rel, data);

	if (flake_named != NULL)
		flake_tell_originals(root, rel);
	return answered;
}

/* Return the number of a table of the query; 0 if it is none.  Partitions are asked about one after the other. */
static int
number_of(PlannerInfo *root, const RangeTblEntry *rte)
{
	static int	last = 0;
	int			size = root->simple_rel_array_size;

	for (int tried = 0; tried < size; tried++, last++)
	{
		last %= size;
		if (root->simple_rte_array[last] == rte)
			return last;
	}
	return 0;
}

/*
 * The planner asks for a column's statistics.  If it has not counted the rows of the table, it is about to
 * estimate a condition on it.  (Otherwise, core may not have filled in "data": it does not for BRIN.  For a
 * column of a sub-SELECT it has the outer query's variable.)
 */
static bool
relation_stats(PlannerInfo *root, RangeTblEntry *rte, AttrNumber column, VariableStatData *data)
{
	int			table = number_of(root, rte);
	RelOptInfo *rel = table > 0 ? root->simple_rel_array[table] : NULL;

	if (rel != NULL && rel->rows == 0 && data->var != NULL && IsA(data->var, Var) &&
		((Var *) data->var)->varno == table && ((Var *) data->var)->varattno == column &&
		(flake_named != NULL || data->vartype >= FirstNormalObjectId) && answer(root, rel, data))
		return true;
	return next_stats_hook != NULL && next_stats_hook(root, rte, column, data);
}

/*
 * Drop a call from the conditions of a table that the planner is estimating.  It goes through a list of its own, so
 * the table gets another one.
 */
void
flake_drop_condition(RelOptInfo *rel, Oid function, const List *args)
{
	RestrictInfo *dropped = NULL;
	ListCell   *cell;

	foreach(cell, rel == NULL ? NIL : rel->baserestrictinfo)
	{
		const FuncExpr *call = (FuncExpr *) lfirst_node(RestrictInfo, cell)->clause;

		if (IsA(call, FuncExpr) && call->funcid == function && equal(call->args, args))
			dropped = lfirst(cell);
	}
	if (dropped == NULL)
		return;
	rel->baserestrictinfo = without(rel, rel->baserestrictinfo, list_make1(dropped));
	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		index->indrestrictinfo = without(rel, index->indrestrictinfo, list_make1(dropped));
	}
}

/* ---------- the hooks ---------- */

/* Core asks how many different values the expressions have that rows are grouped by. */
static void
note_groups(FlakeChange *change)
{
	const Query *query = change->place.root->parse;
	ListCell   *cell;

	foreach(cell, list_concat_copy(query->groupClause, query->distinctClause))
	{
		Node	   *time = flake_asked_time(&change->place, get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), query->targetList));

		if (time != NULL)
			change->asked = list_append_unique(change->asked, time);
	}
}

static pg_noinline void
look_at_table(PlannerInfo *root, RelOptInfo *rel, FlakeNamed *query)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];
	AppendRelInfo *arm = root->append_rel_array == NULL ? NULL : root->append_rel_array[rel->relid];
	FlakeChange change = {.place = {root, (int) rel->relid, NIL}};
	ListCell   *cell;

	if (rte->rtekind != RTE_RELATION)
		return;
	if (arm != NULL)
		flake_join_child(root, rel, arm);
	/* partitions and children get the conditions of their table */
	if (arm != NULL && root->simple_rte_array[arm->parent_relid]->rtekind != RTE_SUBQUERY)
	{
		flake_give_arms(root, query, root->simple_rel_array[arm->parent_relid], rte->relid);
		return;
	}
	change.stay = must_stay(rte);
	if (arm != NULL)
	{
		RangeTblRef table = {T_RangeTblRef, (int) rel->relid};

		mark_conditions(root, arm);
		change_jointree(&change, (Node *) &table);
	}
	else
		change_jointree(&change, (Node *) root->parse->jointree);
	note_groups(&change);
	foreach(cell, change.asked)
		flake_note_time(rel, lfirst(cell));
	if (change.added || arm != NULL)
		query->kept = true;
}

/* Is core's function among the operands of a condition?  It has no support function, which would say so. */
static bool
has_core_call(Node *node, void *context)
{
	if (node == NULL || IsA(node, Var))
		return false;
	if (IsA(node, FuncExpr))
		return ((FuncExpr *) node)->funcid == FLAKE_CORE_TIME;
	return flake_walk(node, has_core_call, context);
}

/* Has the table an index on UUIDs? */
static bool
has_uuid_index(const RelOptInfo *rel)
{
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		const IndexOptInfo *index = lfirst(cell);

		for (int i = 0; i < index->nkeycolumns; i++)
			if (index->opcintype[i] == UUIDOID)
				return true;
	}
	return false;
}

/* May a table be sorted by the time of an ID?  Core's function does not name the query. */
static bool
may_have_times(PlannerInfo *root, const RelOptInfo *rel)
{
	return flake_find_named(root) != NULL || (OidIsValid(FLAKE_CORE_TIME) && has_uuid_index(rel));
}

/* Look whether a query is ours after all: only where the table has an index on UUIDs. */
static bool
names_core(PlannerInfo *root, const RelOptInfo *rel)
{
	const AppendRelInfo *arm = root->append_rel_array == NULL ? NULL : root->append_rel_array[rel->relid];

	if (!root->simple_rte_array[rel->relid]->inh && !has_uuid_index(rel))
		return false;
	if (arm != NULL)
		return root->simple_rte_array[arm->parent_relid]->rtekind == RTE_SUBQUERY && has_core_call((Node *) arm->translated_vars, NULL);
	return has_core_call((Node *) root->parse->jointree, NULL) ||
		has_core_call((Node *) root->simple_rte_array[rel->relid]->securityQuals, NULL);
}

FLAKE_TABLE_HOOK(table_hook)
{
	FlakeNamed *query = flake_find_named(root);

	if (query == NULL && OidIsValid(FLAKE_CORE_TIME) && names_core(root, rel))
	{
		flake_name_query(root);
		query = flake_find_named(root);
	}
	if (query != NULL && root->parse->jointree != NULL)
		look_at_table(root, rel, query);
	if (next_table_hook != NULL)
		flake_next_table_hook(next_table_hook);
}

/* Add paths to those that core has made for a table, and refuse conditions that it cannot answer. */
static pg_noinline void
add_paths(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte)
{
	if (flake_horizon_asked && rte->rtekind == RTE_RELATION)
		flake_horizons_planned(root, rel, rte);
	if (flake_named != NULL && rel->joininfo != NIL)
		(void) flake_tell_ranges((Node *) rel->joininfo, NULL);
	if (rte->rtekind == RTE_RELATION && (rel->indexlist != NIL || rte->inh) && may_have_times(root, rel) && flake_order_by_time && !IS_DUMMY_REL(rel))
	{
		if (rte->tablesample == NULL)
			flake_order_paths(root, rel, rte);
		flake_join_paths(root, rel, rte);
	}
}

/*
 * The planner has made the paths of a table.  Other extensions' hooks come later, and have the last word: one of
 * them replaces all paths, where not all rows are in the table and its indexes.
 */
static void
paths_hook(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	if (flake_named != NULL || flake_horizon_asked || OidIsValid(FLAKE_CORE_TIME))
		add_paths(root, rel, rte);
	if (next_paths_hook != NULL)
		next_paths_hook(root, rel, rti, rte);
}

/* Called once, when the library is loaded. */
void
flake_where_init(void)
{
	next_paths_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = paths_hook;
	next_table_hook = flake_table_hook;
	flake_table_hook = table_hook;
	next_stats_hook = get_relation_stats_hook;
	get_relation_stats_hook = relation_stats;
}
