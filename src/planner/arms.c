/*
 * arms.c
 *		The arms of an OR, partition by partition.
 *
 *		time IN (t, u)		in each partition only those instants that it can have
 *
 * Core gives each partition all conditions of its table.  An IN of a column stays one condition there,
 * but one of the times of IDs has become an OR, and planning takes for each of its arms what it takes
 * for a table.  So partitions get those arms alone for which core, asked about each arm, does not
 * prune them.
 *
 * Core copies the table's list right after it has looked a partition up.  So the table has the
 * partition's list from then on, until the first condition in it is copied: it is a call of
 * flakeid_where() which, when core folds it to true, gives the table its own list back.
 */
#include "planner/planner.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/restrictinfo.h"
#include "partitioning/partdesc.h"
#include "partitioning/partprune.h"
#include "utils/rel.h"

/* A partitioned table, whose partitions are being looked up. */
struct FlakeArms
{
	RelOptInfo *table;
	List	   *conditions;
	List	   *partitions;		/* for each condition: those of each arm of an
								 * OR, or NIL */
	PartitionDesc described;
	int			last;			/* looked up; in the order of these numbers */
};

/* Return the partitions in which each arm of an OR may be true. */
static List *
partitions_of_arms(const RelOptInfo *table, const RestrictInfo *info)
{
	RelOptInfo	asked = *table;
	List	   *partitions = NIL;
	ListCell   *cell;

	foreach(cell, is_orclause(info->clause) ? ((BoolExpr *) info->clause)->args : NIL)
	{
		asked.baserestrictinfo = list_make1(lfirst(cell));
		partitions = lappend(partitions, prune_append_rel_partitions(&asked));
	}
	return partitions;
}

/* Return what is known of a table; NULL: there is no OR among its conditions. */
static FlakeArms *
find_arms(PlannerInfo *root, FlakeNamed *query, RelOptInfo *table)
{
	FlakeArms  *arms;
	ListCell   *cell;

	foreach(cell, query->partitioned)
	{
		arms = lfirst(cell);
		if (arms->table == table)
			return arms->described == NULL ? NULL : arms;
	}
	arms = palloc0(sizeof(FlakeArms));
	arms->table = table;
	arms->conditions = table->baserestrictinfo;
	arms->last = -1;
	query->partitioned = lcons(arms, query->partitioned);
	foreach(cell, table->baserestrictinfo)
	{
		List	   *partitions = partitions_of_arms(table, lfirst(cell));

		arms->partitions = lappend(arms->partitions, partitions);
		if (partitions != NIL && arms->described == NULL)
		{
			Relation	relation = table_open(root->simple_rte_array[table->relid]->relid, NoLock);

			arms->described = PartitionDirectoryLookup(root->glob->partition_directory, relation);
			table_close(relation, NoLock);
		}
	}
	return arms->described == NULL ? NULL : arms;
}

/* Return an OR without the arms that are true of no row of the partition. */
static RestrictInfo *
without_others(RestrictInfo *info, const List *partitions, int partition)
{
	RestrictInfo *result;
	List	   *arms = NIL;
	ListCell   *arm;
	ListCell   *cell;

	forboth(arm, ((BoolExpr *) info->clause)->args, cell, partitions)
	{
		if (bms_is_member(partition, lfirst(cell)))
			arms = lappend(arms, lfirst(arm));
	}
	if (list_length(arms) == list_length(partitions))
		return info;
	result = makeNode(RestrictInfo);
	*result = *info;
	result->orclause = NULL;
	result->clause = arms == NIL ? (Expr *) makeBoolConst(false, false) :
		list_length(arms) == 1 ? linitial(arms) : make_orclause(arms);
	return result;
}

/* Return the conditions of a partition.  A list of which one instant is left needs no ends beside it. */
static List *
conditions_in(const FlakeArms *arms, int partition, bool *fewer)
{
	List	   *conditions = NIL;
	bool		one = false;
	ListCell   *cell;
	ListCell   *partitions;

	forboth(cell, arms->conditions, partitions, arms->partitions)
	{
		RestrictInfo *info = lfirst(cell);

		if (lfirst(partitions) != NIL)
		{
			info = without_others(info, lfirst(partitions), partition);
			*fewer = *fewer || info != lfirst(cell);
			one = !is_orclause(info->clause);
		}
		else if (one && flake_is_end_of_list((Node *) info->clause))
			continue;
		conditions = lappend(conditions, info);
	}
	return conditions;
}

/* Return the number of a partition in the order of bounds, in which core looks them up; -1: it is not known. */
static int
number_in(FlakeArms *arms, Oid partition)
{
	while ((arms->last = bms_next_member(arms->table->live_parts, arms->last)) >= 0)
	{
		if (arms->described->oids[arms->last] == partition)
			return arms->last;
	}
	arms->described = NULL;		/* another time it is not asked */
	return -1;
}

/* Return flakeid_where(), which nobody calls by SQL; InvalidOid: the extension is not there. */
Oid
flake_where_function(void)
{
	Oid			types[] = {BOOLOID, INTERNALOID};

	return flake_find_function("flakeid_where", flake_helpers(), lengthof(types), types);
}

/* Have a partition get its arms, when core copies the conditions of its table. */
void
flake_give_arms(PlannerInfo *root, FlakeNamed *query, RelOptInfo *table, Oid partition)
{
	FlakeArms  *arms = table->part_scheme == NULL ? NULL : find_arms(root, query, table);
	Oid			where = arms == NULL ? InvalidOid : flake_where_function();
	int			number = OidIsValid(where) ? number_in(arms, partition) : -1;
	bool		fewer = false;
	List	   *conditions = number < 0 ? NIL : conditions_in(arms, number, &fewer);
	RestrictInfo *first;

	if (!fewer)
		return;
	first = makeNode(RestrictInfo);
	*first = *linitial_node(RestrictInfo, conditions);
	first->clause = (Expr *) flake_call(where, BOOLOID, list_make2(makeBoolConst(true, false),
																   makeConst(INTERNALOID, -1, InvalidOid, sizeof(Datum), PointerGetDatum(arms), false, true)));
	table->baserestrictinfo = lcons(first, conditions);
}

/* Core copies the first of these conditions: the table gets its own back. */
void
flake_take_arms(FlakeArms *arms)
{
	arms->table->baserestrictinfo = arms->conditions;
}
