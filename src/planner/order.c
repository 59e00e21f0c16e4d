/*
 * order.c
 *		Scans of an index on an ID, in the order of its time.
 *
 * An index on an ID that sorts by time returns the rows in the order of the time, too, and
 * those of one time in the order of the ID.  The planner does not know that: for it, an
 * index on id provides ORDER BY id, and nothing else.  So flake_order_paths() adds paths:
 *
 *		what the index provides				what the path claims
 *		a, id, b							a, uuid7_timestamp(id), id, b
 *
 * with the NULLs and the direction of the ID.  Values are still compared, grouped and
 * shown by the function itself, so ties, GROUP BY, DISTINCT ON, windows and merge joins
 * are what they are with a sort.
 *
 * The claim is true of a function that never decreases while the ID increases, and that is
 * NULL only where the ID is; for others see proof.c.
 *
 * The paths are core's: create_index_paths() makes them, while the planner is told to want
 * the order of the index.
 */
#include "planner/planner.h"

#include "catalog/pg_am.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"

/*
 * UUIDs of other versions that are random stand after those of version 7, so all of them
 * may come before the first row of the result.  With more than this part of them, sort.
 */
#define MAX_OTHERS		0.1

bool		flake_order_by_time = true;

/* ---------- the time of an ID ---------- */

/* Is the table a partition or child of another one that the query names, not of a UNION ALL? */
static bool
is_child_of_table(PlannerInfo *root, RelOptInfo *rel)
{
	Index		top = rel->relid;

	if (root->append_rel_array == NULL)
		return false;
	while (root->append_rel_array[top] != NULL)
		top = root->append_rel_array[top]->parent_relid;
	return top != rel->relid && root->simple_rte_array[top]->rtekind == RTE_RELATION;
}

/* Find the time of this table's ID in a class of equal expressions; return false if there is none, as in nearly all. */
static bool
find_time(PlannerInfo *root, RelOptInfo *rel, EquivalenceClass *class, FlakeTimeKey *key)
{
	bool		may_be_time = false;

	flake_foreach_member(member, class, rel->relids)
	{
		/*
		 * the members of a table's partitions are made of its own, which
		 * precede them: there may be thousands
		 */
		if (member->em_is_child && !may_be_time && is_child_of_table(root, rel))
			return false;
		if (!flake_may_be_time((const Node *) member->em_expr))
			continue;
		may_be_time = true;
		if (bms_equal(member->em_relids, rel->relids) && flake_is_time((Node *) member->em_expr, key))
		{
			key->class = class;
			return true;
		}
	}
	return false;
}

/* ---------- paths ---------- */

/* Claim an order for a path.  The rows without a time that may come first cost as much as the others. */
static void
claim_path(RelOptInfo *rel, Path *path, bool partial, const FlakeTimeKey *key, List *claimed)
{
	path->pathkeys = claimed;
	path->startup_cost += (1.0 - key->part) * (path->total_cost - path->startup_cost);
	if (partial)
		add_partial_path(rel, path);
	else
		add_path(rel, path);
}

/* Claim the order of the time for the paths that core has made in the order of the index. */
static void
claim(RelOptInfo *rel, List *paths, bool partial, const FlakeTimeKey *key, List *pathkeys, List *claimed)
{
	ListCell   *cell;

	foreach(cell, paths)
	{
		Path	   *path = lfirst(cell);

		if (IsA(path, IndexPath) && compare_pathkeys(path->pathkeys, pathkeys) == PATHKEYS_EQUAL)
			claim_path(rel, path, partial, key, claimed);
	}
}

/* Does a path look up the members of an array?  Before 17, it may then be in no order. */
static bool
has_array(const IndexPath *path)
{
	ListCell   *cell;
	ListCell   *qual;

	foreach(cell, path->indexclauses)
	{
		foreach(qual, lfirst_node(IndexClause, cell)->indexquals)
		{
			if (IsA(lfirst_node(RestrictInfo, qual)->clause, ScalarArrayOpExpr))
				return true;
		}
	}
	return false;
}

/*
 * If core has made a path of this index for a condition, claim the order for a copy of it,
 * which takes less than to have it made again.  Return false if there is none.
 */
static bool
claim_copy(PlannerInfo *root, RelOptInfo *rel, IndexOptInfo *index, const FlakeTimeKey *key, ScanDirection direction, List *claimed)
{
	IndexPath  *path = NULL;
	IndexPath  *copy;
	ListCell   *cell;

	foreach(cell, key->paths)
	{
		IndexPath  *found = lfirst(cell);

		if (found->indexinfo != index || found->path.param_info != NULL || found->indexorderbys != NIL)
			continue;
		if (has_array(found))
			return false;
		path = found;
	}
	if (path == NULL)
		return false;
	copy = makeNode(IndexPath);
	*copy = *path;
	copy->indexscandir = direction;
	claim_path(rel, (Path *) copy, false, key, claimed);
	if (!index->amcanparallel || !rel->consider_parallel)
		return true;
	copy = create_index_path(root, index, path->indexclauses, NIL, NIL, NIL, direction, path->path.pathtype == T_IndexOnlyScan, NULL, 1.0, true);
	if (copy->path.parallel_workers > 0)
		claim_path(rel, (Path *) copy, true, key, claimed);
	return true;
}

/*
 * Have core make the paths of one index, which must return these pathkeys, and claim the
 * others for them.  An error on the way ends the planning, so nothing needs to be put back
 * then.
 */
static void
add_index_paths(PlannerInfo *root, RelOptInfo *rel, IndexOptInfo *index, const FlakeTimeKey *key,
				List *pathkeys, List *claimed)
{
	List	   *paths = rel->pathlist;
	List	   *partial_paths = rel->partial_pathlist;
	List	   *indexes = rel->indexlist;
	List	   *wanted = root->query_pathkeys;
	List	   *sorted = root->sort_pathkeys;
	bool		bitmaps = index->amhasgetbitmap;
	List	   *found;
	List	   *partial_found;

	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	rel->indexlist = list_make1(index);
	root->query_pathkeys = pathkeys;
	root->sort_pathkeys = pathkeys; /* from 19 on an order is useful only for
									 * these */
	index->amhasgetbitmap = false;
	create_index_paths(root, rel);
	found = rel->pathlist;
	partial_found = rel->partial_pathlist;
	rel->pathlist = paths;
	rel->partial_pathlist = partial_paths;
	rel->indexlist = indexes;
	root->query_pathkeys = wanted;
	root->sort_pathkeys = sorted;
	index->amhasgetbitmap = bitmaps;
	claim(rel, found, false, key, pathkeys, claimed);
	claim(rel, partial_found, true, key, pathkeys, claimed);
}

/* Return how the query wants the time sorted; NULL if it is only to be joined by. */
static const PathKey *
wanted_order(PlannerInfo *root, const FlakeTimeKey *key)
{
	ListCell   *cell;

	foreach(cell, root->query_pathkeys)
	{
		const PathKey *wanted = lfirst(cell);

		if (wanted->pk_eclass == key->class)
			return wanted;
	}
	return NULL;
}

/* Does the claim end with the time, while the query has further keys? */
static bool
lacks_keys(PlannerInfo *root, List *claimed, const PathKey *time)
{
	int			common;

	return llast(claimed) == time && !pathkeys_count_contained_in(root->query_pathkeys, claimed, &common) && common > 0;
}

/*
 * Add the paths of an index, one of whose columns is the ID, in the direction that the query
 * wants.  Merge joins without a wish use the ascending one, as core's do.
 */
static void
add_direction(PlannerInfo *root, RelOptInfo *rel, IndexOptInfo *index, int column, EquivalenceClass *ids, const FlakeTimeKey *key)
{
	const PathKey *wanted = wanted_order(root, key);
	bool		descending = wanted != NULL && flake_pathkey_descends(wanted);
	ScanDirection direction = index->reverse_sort[column] == descending ? ForwardScanDirection : BackwardScanDirection;
	List	   *pathkeys = build_index_pathkeys(root, index, direction);
	List	   *claimed = NIL;
	PathKey    *time = NULL;
	ListCell   *cell;

	foreach(cell, pathkeys)
	{
		PathKey    *pathkey = lfirst(cell);

		if (pathkey->pk_eclass == key->class)
			return;				/* an index on the function itself */
		if (pathkey->pk_eclass == ids)
		{
			time = flake_pathkey_like(root, pathkey, key->class, key->family_of_time,
									  key->never_null && wanted != NULL ? wanted->pk_nulls_first : pathkey->pk_nulls_first);
			claimed = lappend(claimed, time);
		}
		claimed = lappend(claimed, pathkey);
	}
	if (time == NULL)
		return;
	claimed = truncate_useless_pathkeys(root, rel, claimed);
	if (!list_member_ptr(claimed, time))
		return;
	if (lacks_keys(root, claimed, time))
		flake_note_time(rel, (Node *) key->call);
	if (!claim_copy(root, rel, index, key, direction, claimed))
		add_index_paths(root, rel, index, key, pathkeys, claimed);
}

/*
 * Make a class of the ID alone, for as long as its index is looked at: without one the
 * planner has no name for the order of the index.  It is in no relation's eclass_indexes, so
 * nothing is derived from it.
 */
static EquivalenceClass *
make_class(PlannerInfo *root, RelOptInfo *rel, Expr *id, List *families, Oid type, Oid collation)
{
	EquivalenceMember *member = makeNode(EquivalenceMember);
	EquivalenceClass *class = makeNode(EquivalenceClass);

	member->em_expr = id;
	member->em_relids = rel->relids;
	member->em_datatype = type;
	class->ec_opfamilies = families;
	class->ec_collation = collation;
	class->ec_members = list_make1(member);
	class->ec_relids = rel->relids;
	class->ec_min_security = UINT_MAX;
	root->eq_classes = lappend(root->eq_classes, class);
	return class;
}

/* Take it away again, and its pathkeys. */
static void
remove_class(PlannerInfo *root, EquivalenceClass *class)
{
	List	   *kept = NIL;
	ListCell   *cell;

	/* list_delete_ptr() would change the numbers in eclass_indexes */
	Assert(llast(root->eq_classes) == class);
	root->eq_classes = list_truncate(root->eq_classes, list_length(root->eq_classes) - 1);
	foreach(cell, root->canon_pathkeys)
	{
		if (((PathKey *) lfirst(cell))->pk_eclass != class)
			kept = lappend(kept, lfirst(cell));
	}
	root->canon_pathkeys = kept;
}

/* Add the paths of an index, one of whose columns is the ID. */
static void
add_index(PlannerInfo *root, RelOptInfo *rel, IndexOptInfo *index, int column, const FlakeTimeKey *key)
{
	TargetEntry *entry = list_nth(index->indextlist, column);
	Oid			type = index->opcintype[column];
	Oid			collation = index->indexcollations[column];
	Expr	   *id = canonicalize_ec_expression(entry->expr, type, collation);
	List	   *families = get_mergejoin_opfamilies(get_opfamily_member(key->family, type, type, BTEqualStrategyNumber));
	EquivalenceClass *ids = flake_find_eclass(root, id, families, type, collation, rel->relids);
	EquivalenceClass *made = ids != NULL ? NULL : make_class(root, rel, id, families, type, collation);

	add_direction(root, rel, index, column, made != NULL ? made : ids, key);
	if (made != NULL)
		remove_class(root, made);
}

/* Return which column of the index is the ID, in the order of the time; -1: none. */
static int
id_column(IndexOptInfo *index, const FlakeTimeKey *key)
{
	if (index->relam != BTREE_AM_OID || index->sortopfamily == NULL)
		return -1;
	for (int column = 0; column < index->nkeycolumns; column++)
	{
		if (index->sortopfamily[column] == key->family && match_index_to_operand(key->id, column, index) &&
			(!OidIsValid(index->indexcollations[column]) || flake_collates_bytes(index->indexcollations[column])))
			return column;
	}
	return -1;
}

/* Return the indexes that have the ID, in the order of the time, and all rows that the query wants. */
List *
flake_indexes_on(RelOptInfo *rel, const FlakeTimeKey *key)
{
	List	   *indexes = NIL;
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		if ((index->indpred == NIL || index->predOK) && id_column(index, key) >= 0)
			indexes = lappend(indexes, index);
	}
	return indexes;
}

/* ---------- the hook ---------- */

/* Are rows in the order of the ID in that of its time?  Find out whether all have one, and how many others a scan meets. */
static bool
sorts_by_time(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte, FlakeTimeKey *key)
{
	key->part = 1.0;
	key->never_null = flake_condition_excludes_null(rel, key);
	if (flake_is_core(&key->source))
	{
		FlakeVersions versions = !IsA(key->id, Var) ? FLAKE_VERSIONS_UNKNOWN :
			flake_versions(rte->relid, (Var *) key->id, false, extract_actual_clauses(rel->baserestrictinfo, false));

		return versions == FLAKE_VERSIONS_ALL_TIMED || (versions == FLAKE_VERSIONS_ONLY_7 && key->never_null);
	}
	if (key->never_null)
		key->part = flake_part_with_time(root, rel, key);
	else if (key->partial)
		key->never_null = flake_constraint_excludes_null(rte->relid, rel->relid, key->call);
	return (key->never_null || !key->partial) && key->part >= 1.0 - MAX_OTHERS;
}

/* Add the paths in the order of a time of an ID; return false if no order can be claimed. */
static bool
add_time(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte, FlakeTimeKey *key)
{
	List	   *indexes;
	ListCell   *cell;

	if (!list_member_oid(key->class->ec_opfamilies, key->family_of_time))
		return false;
	if (rte->inh)
	{
		/* its children are sorted further */
		if (!flake_is_core(&key->source))
			flake_note_time(rel, (Node *) key->call);
		return false;
	}
	indexes = flake_indexes_on(rel, key);
	if (indexes == NIL || !sorts_by_time(root, rel, rte, key))
		return false;
	foreach(cell, indexes)
		add_index(root, rel, lfirst(cell), id_column(lfirst(cell), key), key);
	return true;
}

/* Return core's paths by indexes.  Any other path is freed when a better one is added. */
static List *
index_paths(const RelOptInfo *rel)
{
	List	   *paths = NIL;
	ListCell   *cell;

	foreach(cell, rel->pathlist)
	{
		if (IsA(lfirst(cell), IndexPath))
			paths = lappend(paths, lfirst(cell));
	}
	return paths;
}

/* Add the paths of a table's indexes on IDs, in the order of their times. */
void
flake_order_paths(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte)
{
	int			i = -1;
	bool		claimed = false;
	FlakeTimeKey key;

	while ((i = bms_next_member(rel->eclass_indexes, i)) >= 0)
	{
		EquivalenceClass *class = list_nth(root->eq_classes, i);

		if (class->ec_has_const || class->ec_has_volatile || !find_time(root, rel, class, &key))
			continue;
		key.paths = claimed ? NIL : index_paths(rel);
		claimed = add_time(root, rel, rte, &key) || claimed;
	}
}

/* Called once, when the library is loaded. */
void
flake_order_init(void)
{
	DefineCustomBoolVariable("flakeid.order_by_time",
							 "Lets an index on an ID provide the order of its time.",
							 "Off, the rows are sorted, and equalities with a time do not use the index.",
							 &flake_order_by_time, true, PGC_USERSET, GUC_EXPLAIN, NULL, NULL, NULL);
}
