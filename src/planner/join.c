/*
 * join.c
 *		Joins by an equal time: nested loops by the index on the ID.
 *
 *		time = other.at			the ID is between the ends of other.at
 *
 * The equality stays as core knows it: it may be merged, hashed, or a member of a class of
 * equals.  While core makes the paths of an index on the ID, the two comparisons stand among the
 * table's join clauses, so that it makes paths with other.at as a parameter.  They are in no other
 * list before and after: the paths' own conditions have the equality alone, as those of core's
 * other paths with the same parameter.  It is the filter, whatever the index returns besides.
 */
#include "planner/planner.h"

#include "access/amapi.h"
#include "optimizer/appendinfo.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"

/* ---------- arms and children ---------- */

/* The times in a class of equals of a UNION ALL, as those of one of its arms. */
static void
note_class(PlannerInfo *root, RelOptInfo *rel, AppendRelInfo *arm, EquivalenceClass *class)
{
	RelOptInfo *parent = root->simple_rel_array[arm->parent_relid];
	FlakeTimeKey key;

	flake_foreach_member(member, class, parent->relids)
	{
		Node	   *time;

		if (!bms_equal(member->em_relids, parent->relids) || list_length(class->ec_members) == 1)
			continue;
		time = adjust_appendrel_attrs(root, (Node *) member->em_expr, 1, &arm);
		if (flake_may_be_time(time) && flake_is_time(time, &key) && !flake_is_core(&key.source))
			flake_note_time(rel, flake_strip(time));
	}
}

/* A child is joined by what its parent is joined by. */
void
flake_join_child(PlannerInfo *root, RelOptInfo *rel, AppendRelInfo *child)
{
	ListCell   *cell;

	foreach(cell, root->simple_rel_array[child->parent_relid]->indexlist)
	{
		const IndexOptInfo *index = lfirst(cell);

		if (flake_is_note(index))
			flake_note_time(rel, adjust_appendrel_attrs(root, linitial(index->indexprs), 1, &child));
	}
	if (root->simple_rte_array[child->parent_relid]->rtekind != RTE_SUBQUERY)
		return;
	foreach(cell, root->eq_classes)
		note_class(root, rel, child, lfirst(cell));
}

/* ---------- the two comparisons ---------- */

/* The operator by which the executor may remember the rows of an expression's value, as core's check_memoizable() finds it. */
static Oid
memoize_operator(Node *expr)
{
	const TypeCacheEntry *type = lookup_type_cache(exprType(expr), TYPECACHE_HASH_PROC | TYPECACHE_EQ_OPR);

	return OidIsValid(type->hash_proc) ? type->eq_opr : InvalidOid;
}

/*
 * Return a comparison as a condition that stands where the equality does.  It is in no class of
 * equals: core would take the equality for implied by it, and leave it out.
 */
static RestrictInfo *
make_bound(PlannerInfo *root, const RestrictInfo *equality, OpExpr *clause)
{
	RestrictInfo *info = makeNode(RestrictInfo);
	Node	   *left = linitial(clause->args);
	Node	   *right = lsecond(clause->args);

	*info = *equality;
	info->clause = (Expr *) clause;
	info->orclause = NULL;
	info->left_relids = pull_varnos(root, left);
	info->right_relids = pull_varnos(root, right);
	info->clause_relids = bms_union(info->left_relids, info->right_relids);
	info->parent_ec = info->left_ec = info->right_ec = NULL;
	info->left_em = info->right_em = NULL;
	info->mergeopfamilies = NIL;
	info->scansel_cache = NIL;
	info->hashjoinoperator = InvalidOid;
	info->left_hasheqoperator = memoize_operator(left);
	info->right_hasheqoperator = memoize_operator(right);
	info->norm_selec = info->outer_selec = -1;
	info->eval_cost.startup = -1;
	info->leakproof = info->security_level > 0 && !contain_leaked_vars((Node *) clause);
	flake_set_new_serial(root, info);
	return info;
}

/* Return the comparisons of the ID with both ends of an instant of another table, for an equality of its time; NIL: none. */
static List *
bounds_of(PlannerInfo *root, RelOptInfo *rel, const RestrictInfo *equality, const FlakeTimeKey *key)
{
	OpExpr	   *clause = (OpExpr *) equality->clause;
	FlakeSubject subject;
	List	   *bounds = NIL;
	ListCell   *cell;

	if (!IsA(clause, OpExpr) || list_length(clause->args) != 2 ||
		get_op_opfamily_strategy(clause->opno, key->family_of_time) != BTEqualStrategyNumber)
		return NIL;
	for (int side = 0; side < 2; side++)
	{
		Node	   *time = list_nth(clause->args, side);
		Node	   *other = list_nth(clause->args, 1 - side);
		Node	   *between;

		if (!flake_may_be_time(time) || !equal(flake_strip(time), key->call) || bms_overlap(pull_varnos(root, other), rel->relids) ||
			contain_volatile_functions(other) || contain_subplans(other) || !flake_time_subject(root, key->call, &subject))
			continue;
		between = flake_between(&subject, other, other);
		foreach(cell, between == NULL ? NIL : make_ands_implicit((Expr *) between))
			bounds = lappend(bounds, make_bound(root, equality, lfirst_node(OpExpr, cell)));
		return bounds;
	}
	return NIL;
}

/* ---------- paths ---------- */

/* What is joined by, while core makes the paths of an index. */
typedef struct Joined
{
	FlakeTimeKey key;
	double		selectivity;	/* of both comparisons together */
	List	   *bounds;			/* in pairs */
	List	   *derived;		/* more of them, of an instant */
	bool		ranges;			/* they are ends of ranges, and join
								 * conditions */
} Joined;

/* A copy of an index, of which core asks for the cost by a function that is told no more. */
typedef struct JoinedIndex
{
	IndexOptInfo index;
	const Joined *joined;
	amcostestimate_function core_cost;
} JoinedIndex;

/* Return an index clause with the estimates of our comparisons: core would take each for a third. */
static IndexClause *
with_estimates(const IndexClause *clause, const RelOptInfo *rel, const Joined *joined, bool *told)
{
	IndexClause *result = makeNode(IndexClause);
	ListCell   *cell;

	*result = *clause;
	if (!list_member_ptr(joined->bounds, clause->rinfo) && !list_member_ptr(joined->derived, clause->rinfo))
		return result;
	result->indexquals = NIL;
	foreach(cell, clause->indexquals)
	{
		RestrictInfo *info = makeNode(RestrictInfo);

		*info = *lfirst_node(RestrictInfo, cell);
		/* an estimate is looked for only in a condition of one table */
		info->clause_relids = rel->relids;
		flake_set_one_base_rel(info);
		info->norm_selec = info->outer_selec = *told ? 1.0 : joined->selectivity;
		*told = true;
		result->indexquals = lappend(result->indexquals, info);
	}
	return result;
}

/* It may evaluate a function that plans another query, whose joins are costed meanwhile. */
static void
cost(PlannerInfo *root, IndexPath *path, double loops, Cost *startup, Cost *total, Selectivity *selectivity, double *correlation, double *pages)
{
	const JoinedIndex *index = (const JoinedIndex *) path->indexinfo;
	IndexPath	copy = *path;
	bool		told = false;
	ListCell   *cell;

	copy.indexclauses = NIL;
	foreach(cell, path->indexclauses)
		copy.indexclauses = lappend(copy.indexclauses, with_estimates(lfirst(cell), path->path.parent, index->joined, &told));
	index->core_cost(root, &copy, loops, startup, total, selectivity, correlation, pages);
}

/* Is this member of a class of equals the time? */
static bool
is_time_of(PlannerInfo *root pg_attribute_unused(), RelOptInfo *rel pg_attribute_unused(), EquivalenceClass *class pg_attribute_unused(),
		   EquivalenceMember *member, void *context)
{
	Node	   *time = (Node *) member->em_expr;

	return flake_may_be_time(time) && equal(flake_strip(time), ((const FlakeTimeKey *) context)->call);
}

/* Return the comparisons for all equalities by which other tables are joined to this time. */
static List *
find_bounds(PlannerInfo *root, RelOptInfo *rel, FlakeTimeKey *key)
{
	List	   *equalities = NIL;
	List	   *bounds = NIL;
	ListCell   *cell;

	if (rel->has_eclass_joins)
		equalities = generate_implied_equalities_for_column(root, rel, is_time_of, key, rel->lateral_referencers);
	foreach(cell, rel->joininfo)
	{
		if (join_clause_is_movable_to(lfirst(cell), rel))
			equalities = lappend(equalities, lfirst(cell));
	}
	foreach(cell, equalities)
		bounds = list_concat(bounds, bounds_of(root, rel, lfirst(cell), key));
	return bounds;
}

/* Return those for the equality with an instant that core has derived, unless both are conditions: other tables' time is equal to both. */
static List *
find_derived(PlannerInfo *root, RelOptInfo *rel, const FlakeTimeKey *key)
{
	ListCell   *cell;
	ListCell   *bound;

	foreach(cell, rel->baserestrictinfo)
	{
		List	   *bounds = bounds_of(root, rel, lfirst(cell), key);

		foreach(bound, bounds)
		{
			if (flake_find_condition(rel->baserestrictinfo, (Node *) lfirst_node(RestrictInfo, bound)->clause) == NULL)
				return bounds;
		}
	}
	return NIL;
}

static bool
has_bound(const IndexPath *path, List *bounds)
{
	ListCell   *cell;

	foreach(cell, path->indexclauses)
	{
		if (list_member_ptr(bounds, lfirst_node(IndexClause, cell)->rinfo))
			return true;
	}
	return false;
}

/*
 * Have core make the paths of a copy of one index, with the comparisons among the join clauses, and return
 * them; the table is as before.  The paths' conditions are made from an empty list of parameters, because those in
 * the table's are shared.  A bitmap of the rows of one time is never better.
 */
static List *
make_paths(PlannerInfo *root, RelOptInfo *rel, const IndexOptInfo *index, const Joined *joined)
{
	RelOptInfo	before = *rel;
	JoinedIndex copy = {*index, joined, (amcostestimate_function) index->amcostestimate};
	List	   *paths;

	rel->pathlist = rel->partial_pathlist = rel->ppilist = NIL;
	rel->indexlist = list_make1(&copy.index);
	rel->joininfo = list_union_ptr(before.joininfo, joined->bounds);
	copy.index.indrestrictinfo = list_concat_copy(index->indrestrictinfo, joined->derived);
	copy.index.amhasgetbitmap = false;
	copy.index.amcostestimate = (void *) cost;
	create_index_paths(root, rel);
	paths = rel->pathlist;
	rel->pathlist = before.pathlist;
	rel->partial_pathlist = before.partial_pathlist;
	rel->ppilist = before.ppilist;
	rel->indexlist = before.indexlist;
	rel->joininfo = before.joininfo;
	return paths;
}

/* The path has the conditions that all paths with the same parameters have, and their rows. */
static void
share_parameters(PlannerInfo *root, RelOptInfo *rel, Path *path, const Joined *joined)
{
	ParamPathInfo *info = get_baserel_parampathinfo(root, rel, path->param_info->ppi_req_outer);

	if (joined->ranges)
		info->ppi_rows = Min(info->ppi_rows, clamp_row_est(rel->rows * joined->selectivity));
	path->param_info = info;
	path->rows = info->ppi_rows;
}

static void
add_paths(PlannerInfo *root, RelOptInfo *rel, IndexOptInfo *index, const Joined *joined)
{
	ListCell   *cell;

	foreach(cell, make_paths(root, rel, index, joined))
	{
		IndexPath  *path = lfirst(cell);

		if (!IsA(path, IndexPath) || !(has_bound(path, joined->bounds) || has_bound(path, joined->derived)))
			continue;
		path->indexinfo = index;
		if (path->path.param_info != NULL)
			share_parameters(root, rel, &path->path, joined);
		add_path(rel, (Path *) path);
	}
}

/* Is the index a note of a time that may be compared with an instant beside its equality?  A text may hide an error so, without a constraint. */
static bool
is_note_of(PlannerInfo *root, const IndexOptInfo *index, FlakeTimeKey *key)
{
	Index		table = index->rel->relid;

	return flake_is_note(index) && flake_is_time(linitial(index->indexprs), key) &&
		(!key->refuses || flake_constraint_excludes_null(root->simple_rte_array[table]->relid, table, key->call));
}

/* Add the paths of a table by an equal time of another one. */
static void
add_joined(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *cell;
	ListCell   *one;

	foreach(cell, rel->indexlist)
	{
		Joined		joined = {0};
		List	   *indexes;
		VariableStatData vardata;
		bool		is_default;

		if (!is_note_of(root, lfirst(cell), &joined.key) || (indexes = flake_indexes_on(rel, &joined.key)) == NIL)
			continue;
		joined.bounds = find_bounds(root, rel, &joined.key);
		joined.derived = find_derived(root, rel, &joined.key);
		if (joined.bounds == NIL && joined.derived == NIL)
			continue;
		examine_variable(root, (Node *) joined.key.call, 0, &vardata);
		joined.selectivity = 1.0 / Max(get_variable_numdistinct(&vardata, &is_default), 1.0);
		ReleaseVariableStats(vardata);
		foreach(one, indexes)
			add_paths(root, rel, lfirst(one), &joined);
	}
}

/*
 * Add the paths of a table by ranges of another one.  Core makes the same, but takes each of the
 * two comparisons for a third of the rows wherever the other table's values are parameters.
 */
static void
add_ranges(PlannerInfo *root, RelOptInfo *rel)
{
	Joined		joined = {.selectivity = FLAKE_RANGE_JOIN_SEL, .ranges = true};
	ListCell   *cell;

	foreach(cell, rel->joininfo)
	{
		const OpExpr *clause = (OpExpr *) lfirst_node(RestrictInfo, cell)->clause;

		if (IsA(clause, OpExpr) && (clause->location == FLAKE_RANGE_START || clause->location == FLAKE_RANGE_END))
			joined.bounds = lappend(joined.bounds, lfirst(cell));
	}
	foreach(cell, joined.bounds == NIL ? NIL : rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		if (index->indpred == NIL || index->predOK)
			add_paths(root, rel, index, &joined);
	}
}

/* A partitioned table prunes partitions while the query runs by the conditions of its paths that have parameters. */
static void
complete_append(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *cell;
	ListCell   *one;
	ListCell   *equality;
	FlakeTimeKey key;

	foreach(cell, rel->indexlist)
	{
		if (!is_note_of(root, lfirst(cell), &key))
			continue;
		foreach(one, rel->ppilist)
		{
			ParamPathInfo *info = lfirst(one);
			List	   *bounds = NIL;

			foreach(equality, info->ppi_clauses)
				bounds = list_concat(bounds, bounds_of(root, rel, lfirst(equality), &key));
			info->ppi_clauses = list_concat_copy(info->ppi_clauses, bounds);
		}
	}
}

/* The planner has found the paths of a table, and order.c has added its own. */
void
flake_join_paths(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte)
{
	if (rte->inh)
		complete_append(root, rel);
	else if (rte->tablesample == NULL)
	{
		add_ranges(root, rel);
		add_joined(root, rel);
	}
}
