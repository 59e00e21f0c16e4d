/*
 * expression.c
 *		The planner's expressions: what they contain, and what may be done with them.
 */
#include "planner/planner.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_language.h"
#include "catalog/pg_partitioned_table.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/syscache.h"

/* ---------- what is compared ---------- */

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
Node *
flake_strip(Node *node)
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

/*
 * Return the char(n) that an expression converts to text, else the expression itself.  Both
 * types sort alike, because the conversion removes the blanks at the end, which char(n) ignores.
 */
Node *
flake_strip_padding(Node *node)
{
	const FuncExpr *conversion = (FuncExpr *) flake_strip(node);

	return IsA(conversion, FuncExpr) && conversion->funcid == F_TEXT_BPCHAR ? linitial(conversion->args) : node;
}

/* Return the same expression, but of the base type of its domain. */
Node *
flake_without_domain(Node *node)
{
	Oid			type = exprType(node);
	Oid			base;

	/* core's own types are no domains, and nearly all expressions are of these */
	if (type < FirstGenbkiObjectId || (base = getBaseType(type)) == type)
		return node;
	if (IsA(node, RelabelType) && exprType((Node *) ((RelabelType *) node)->arg) == base)
		return (Node *) ((RelabelType *) node)->arg;
	if (IsA(node, Const))
	{
		node = copyObject(node);
		((Const *) node)->consttype = base;
		return node;
	}
	return (Node *) makeRelabelType((Expr *) node, base, -1, exprCollation(node), COERCE_IMPLICIT_CAST);
}

bool
flake_is_constant(const Node *node)
{
	return IsA(node, Const) && !((const Const *) node)->constisnull;
}

/* ---------- whose column it is ---------- */

/* Add the sub-SELECT of each EXISTS to the list. */
static bool
collect_exists(Node *node, void *queries)
{
	if (node == NULL)
		return false;
	if (IsA(node, SubLink) && ((SubLink *) node)->subLinkType == EXISTS_SUBLINK)
		*(List **) queries = lappend(*(List **) queries, ((SubLink *) node)->subselect);
	if (IsA(node, Query))
		return flake_walk_query((Query *) node, collect_exists, queries);
	return flake_walk(node, collect_exists, queries);
}

/*
 * Return the queries of which a column in an expression may be that the planner simplifies
 * with this root: the root's own, and each EXISTS in it.  The conditions of an EXISTS are
 * simplified with the root of the query around it, too (see core's
 * convert_EXISTS_to_ANY()), and nothing tells which of both it is this time.  So a question
 * about a column is asked of all of them, and what is not known is left alone: the EXISTS
 * is simplified again with a root of its own.
 */
static List *
queries_of(PlannerInfo *root)
{
	List	   *queries = NIL;

	if (root == NULL)
		return NIL;
	if (root->parse->hasSubLinks)
	{
		flake_walk_query(root->parse, collect_exists, &queries);
		collect_exists((Node *) root->append_rel_list, &queries);
	}
	return lcons(root->parse, queries);
}

/* Return what a column would be of in this query; NULL if it is none of this query. */
static RangeTblEntry *
entry_in(const Query *query, const Var *var)
{
	if (var->varlevelsup > 0 || var->varno <= 0 || (int) var->varno > list_length(query->rtable))
		return NULL;
	return rt_fetch(var->varno, query->rtable);
}

/* Does this query have the column of something that stands for expressions? */
static bool
stands_for_expressions(const Query *query, const Var *var)
{
	RangeTblEntry *rte = entry_in(query, var);

	return rte != NULL && flake_stands_for_expressions(rte);
}

/* Does this query have the column of a table that is stored here, and not written to by its INSERT? */
static bool
is_stored_in(const Query *query, const Var *var)
{
	RangeTblEntry *rte = entry_in(query, var);

	return rte != NULL && rte->rtekind == RTE_RELATION && rte->relkind != RELKIND_FOREIGN_TABLE &&
		!(query->commandType == CMD_INSERT && var->varno == query->resultRelation);
}

/*
 * May the planner still replace this expression by another one?  Then it will simplify the
 * condition again, and where there is a column now it may find the call of a function that
 * returns the time of an ID, or its TypeID.
 */
bool
flake_undecided(PlannerInfo *root, Node *node)
{
	Oid			type = exprType(node);
	ListCell   *cell;

	if (type == TIMESTAMPTZOID || type == TIMESTAMPOID || type == DATEOID || type == TEXTOID)
		return false;
	node = flake_strip(node);
	if (IsA(node, PlaceHolderVar))
		return true;
	if (!IsA(node, Var) || root == NULL)
		return false;
	if (((Var *) node)->varlevelsup > 0)
		return true;
	foreach(cell, queries_of(root))
	{
		if (stands_for_expressions(lfirst(cell), (Var *) node))
			return true;
	}
	return false;
}

/*
 * Is the expression a column of a table that is stored here?  The planner could not send a
 * marker on a foreign table's column to its server, and so could not send joins and
 * aggregates either.  The table that an INSERT writes to does not count: nothing is
 * estimated, and ON CONFLICT looks for an index on the same expression, which has no
 * marker.
 */
bool
flake_is_stored_column(PlannerInfo *root, Node *node)
{
	ListCell   *cell;

	if (root == NULL || !IsA(node, Var))
		return false;
	foreach(cell, queries_of(root))
	{
		if (!is_stored_in(lfirst(cell), (Var *) node))
			return false;
	}
	return true;
}

/* Return the expressions by which a partitioned table is partitioned, as those of a table of this number. */
static List *
partition_expressions(Oid table, int varno)
{
	HeapTuple	tuple = SearchSysCache1(PARTRELID, ObjectIdGetDatum(table));
	Datum		stored;
	bool		none;
	List	   *keys = NIL;

	if (!HeapTupleIsValid(tuple))
		return NIL;
	stored = SysCacheGetAttr(PARTRELID, tuple, Anum_pg_partitioned_table_partexprs, &none);
	if (!none)
		keys = stringToNode(TextDatumGetCString(stored));
	ReleaseSysCache(tuple);
	ChangeVarNodes((Node *) keys, 1, varno, 0);
	return keys;
}

/* Is it an expression by which a table of the query is partitioned? */
bool
flake_is_partition_key(PlannerInfo *root, Node *node)
{
	List	   *columns = root == NULL ? NIL : pull_vars_of_level(node, 0);
	Var		   *var = columns == NIL ? NULL : linitial(columns);
	ListCell   *cell;

	if (var == NULL || !IsA(var, Var))
		return false;
	foreach(cell, queries_of(root))
	{
		RangeTblEntry *rte = entry_in(lfirst(cell), var);

		if (rte != NULL && rte->rtekind == RTE_RELATION && rte->relkind == RELKIND_PARTITIONED_TABLE &&
			list_member(partition_expressions(rte->relid, var->varno), node))
			return true;
	}
	return false;
}

/* ---------- what may be evaluated twice ---------- */

static bool has_subselect(Node *node, void *queries);
static bool column_has_subselect(Query *query, AttrNumber column);

/* Is the column of this query a sub-SELECT, or does it have one? */
static bool
var_has_subselect(Query *query, const Var *var)
{
	RangeTblEntry *rte = entry_in(query, var);

	if (rte == NULL || var->varattno <= 0)
		return false;
	if (rte->rtekind == RTE_SUBQUERY)
		return column_has_subselect(rte->subquery, var->varattno);
	return rte->rtekind == RTE_JOIN && var->varattno <= list_length(rte->joinaliasvars) &&
		has_subselect(list_nth(rte->joinaliasvars, var->varattno - 1), list_make1(query));
}

/*
 * Does the expression contain a sub-SELECT, or a subquery's column that is one?  The
 * planner may replace a subquery's column by its expression later: a function in FROM is
 * simplified before that.  "queries" are those of which its columns may be.
 */
static bool
has_subselect(Node *node, void *queries)
{
	ListCell   *cell;

	if (node == NULL)
		return false;
	if (IsA(node, SubLink) || IsA(node, SubPlan) || IsA(node, AlternativeSubPlan))
		return true;
	if (!IsA(node, Var))
		return flake_walk(node, has_subselect, queries);
	foreach(cell, (List *) queries)
	{
		if (var_has_subselect(lfirst(cell), (Var *) node))
			return true;
	}
	return false;
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
	return entry != NULL && has_subselect((Node *) entry->expr, list_make1(query));
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
	return !contain_volatile_functions(range) && !has_subselect(range, queries_of(root));
}

/*
 * May an expression be evaluated twice?  Not if it is volatile, or if the second
 * evaluation would cost more than the index saves.
 */
bool
flake_may_repeat(PlannerInfo *root, Node *expr)
{
	QualCost	cost;

	if (contain_volatile_functions(expr) || has_subselect(expr, queries_of(root)))
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

