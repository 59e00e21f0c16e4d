/*
 * coresel.c
 *		How many rows core's comparisons of a uuid or text let through, where instant.c has
 *		made them of conditions on time.
 *
 * These comparisons have core's operators, and must have them: users' indexes, partitions
 * and foreign servers know no others.  Core's estimators take half of a histogram's bin for
 * any point in it, so that both ends of a window within a bin get the same number and one
 * row remains.  The planner keeps what an estimator said of a clause in its RestrictInfo, in
 * norm_selec, and asks only where nothing is kept.  So the numbers are put there before it
 * asks.
 *
 * The occasion is a call that instant.c puts before the comparisons: the filter is_uuid7(id)
 * or the marker is_ulid(id).  The planner estimates clauses in their order, so it asks the
 * call's support function first, and that one estimates the comparisons of the same ID that
 * stand in the conditions of its relation.  The planner then pairs the two ends of a range,
 * and computes the costs of indexes by the same numbers.
 *
 * A clause that has been estimated already is left as it is, and so is one that nothing is
 * known about: then the estimate is core's.  So it would be with a PostgreSQL that
 * estimates in another order.
 */
#include "column.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"

#define ULID_TEXT	26

/* A comparison of the ID with a constant, and where the planner keeps what it lets through. */
typedef struct Comparison
{
	RestrictInfo *info;
	const Const *bound;
	bool		greater;		/* id > or >= bound */
	bool		or_equal;
	bool		always;			/* it must be true of all rows: it is in no OR */
} Comparison;

/* ---------- the comparisons ---------- */

/* Say which of core's comparisons the operator is; return false if it is none of order. */
static bool
read_operator(Oid operator, Comparison *comparison)
{
	Oid			estimator = get_oprrest(operator);

	comparison->greater = estimator == F_SCALARGTSEL || estimator == F_SCALARGESEL;
	comparison->or_equal = estimator == F_SCALARLESEL || estimator == F_SCALARGESEL;
	return comparison->greater || comparison->or_equal || estimator == F_SCALARLTSEL;
}

static Node *
strip_relabeling(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/* Read a clause; return false if it does not compare the ID with what is known now, or is estimated already. */
static bool
read_comparison(PlannerInfo *root, RestrictInfo *info, const Node *id, Comparison *comparison)
{
	OpExpr	   *clause = (OpExpr *) info->clause;
	Node	   *other;

	if (info->norm_selec >= 0.0 || !IsA(clause, OpExpr) || list_length(clause->args) != 2 ||
		!equal(strip_relabeling(linitial(clause->args)), id) ||
		!read_operator(clause->opno, comparison))
		return false;
	other = lsecond(clause->args);
	if (!IsA(other, Const))
		other = estimate_expression_value(root, other);
	if (!IsA(other, Const) || ((Const *) other)->constisnull)
		return false;
	comparison->info = info;
	comparison->bound = (Const *) other;
	return true;
}

/* Add the comparisons of the ID in a condition, or in a list of such, to those found. */
static List *
find_comparisons(PlannerInfo *root, Node *node, const Node *id, bool always, List *found)
{
	RestrictInfo *info = NULL;
	Comparison	comparison;

	if (node == NULL)
		return found;
	if (IsA(node, RestrictInfo))
	{
		info = (RestrictInfo *) node;
		node = (Node *) (info->orclause ? info->orclause : info->clause);
	}
	if (IsA(node, List) || is_andclause(node) || is_orclause(node))
	{
		ListCell   *cell;

		CHECK_FOR_INTERRUPTS();
		foreach(cell, IsA(node, List) ? (List *) node : ((BoolExpr *) node)->args)
			found = find_comparisons(root, lfirst(cell), id, always && !is_orclause(node), found);
	}
	else if (info != NULL && read_comparison(root, info, id, &comparison))
	{
		comparison.always = always;
		found = lappend(found, memcpy(palloc(sizeof(Comparison)), &comparison, sizeof(Comparison)));
	}
	return found;
}

/* The relation whose conditions the ID may stand in, or NULL. */
static RelOptInfo *
relation_of(PlannerInfo *root, Node *id)
{
	int			relid;

	if (root->simple_rel_array == NULL)
		return NULL;
	if (IsA(id, Var) && ((Var *) id)->varlevelsup == 0)
		relid = ((Var *) id)->varno;
	else if (!bms_get_singleton_member(pull_varnos(root, id), &relid))
		return NULL;
	return relid > 0 && relid < root->simple_rel_array_size ? root->simple_rel_array[relid] : NULL;
}

/* ---------- what they let through ---------- */

/* Read the point that the bound is; return false if it is no ID, nor where IDs begin or end. */
static bool
read_cut(const FlakeColumn *column, const Comparison *comparison, FlakeCut *cut)
{
	char		letters[ULID_TEXT];
	char		canonical[ULID_TEXT + 1];
	const text *value;
	int			length;

	cut->after = comparison->greater != comparison->or_equal;
	if (getBaseType(comparison->bound->consttype) != column->type)
		return false;
	if (column->type == UUIDOID)
	{
		memcpy(cut->id, DatumGetPointer(comparison->bound->constvalue), column->format->bytes);
		return true;
	}

	/* '8' is behind all of them, and the beginning of an ID is before the IDs that begin so */
	value = DatumGetTextPP(comparison->bound->constvalue);
	length = Min((int) VARSIZE_ANY_EXHDR(value), ULID_TEXT);
	if (length > 0 && VARDATA_ANY(value)[0] > '7')
	{
		memset(cut->id, 0xff, column->format->bytes);
		cut->after = true;
		return true;
	}
	memset(letters, '0', ULID_TEXT);
	memcpy(letters, VARDATA_ANY(value), length);
	if (!column->format->decode(letters, ULID_TEXT, cut->id))
		return false;
	column->format->encode(cut->id, canonical);
	return memcmp(letters, canonical, ULID_TEXT) == 0;
}

/* How many rows of a kind there are between all the ends that have been looked at. */
typedef struct Window
{
	double		first;
	double		last;
} Window;

static void
narrow(Window *window, bool greater, double below)
{
	if (greater)
		window->first = Max(window->first, below);
	else
		window->last = Min(window->last, below);
}

/*
 * Put into the RestrictInfos of the comparisons what these let through.  Of a column of
 * two kinds, return which part of the rows between all ends belongs; else 1.
 */
static double
estimate(FlakeColumn *column, const List *found, FlakeBelongs belongs)
{
	FlakeMixed	mixed;
	bool		is_mixed = belongs != NULL && flake_mixed_open(&mixed, column, belongs);
	Window		windows[2] = {{0.0, 1.0}, {0.0, 1.0}};
	bool		always = true;
	double		in;
	double		out;
	ListCell   *cell;

	foreach(cell, found)
	{
		const Comparison *comparison = lfirst(cell);
		FlakeCut	cut;
		double		below = 0.0;

		if (!read_cut(column, comparison, &cut))
			continue;
		if (!is_mixed)
			below = flake_column_below(column, &cut);
		for (int i = 0; i < 2 && is_mixed; i++)
		{
			double		of_kind = flake_mixed_below(&mixed, i, &cut);

			narrow(&windows[i], comparison->greater, of_kind);
			below += of_kind;
		}
		if (comparison->greater)
			below = column->nonnull - below;
		CLAMP_PROBABILITY(below);
		comparison->info->norm_selec = below;
		always = always && comparison->always;
	}
	if (!is_mixed || !always)
		return 1.0;
	for (int i = 0; i < 2; i++)
		windows[i].last = Min(windows[i].last, flake_mixed_all(&mixed, i));
	in = Max(windows[0].last - windows[0].first, 0.0);
	out = Max(windows[1].last - windows[1].first, 0.0);
	return in + out > 0.0 ? in / (in + out) : 1.0;
}

/*
 * Estimate the comparisons of an ID beside a call that has these arguments, of which the ID
 * is the only one.  "belongs" says which IDs the call lets through, if it is a filter.
 *
 * Return the part of the rows that pass the call, of those that pass the comparisons; 1
 * for a second call, which finds nothing left to estimate.
 */
double
flake_core_selectivity(PlannerInfo *root, Oid function, List *args, int rel, FlakeBelongs belongs)
{
	Node	   *id = strip_relabeling(linitial(args));
	RelOptInfo *relation = relation_of(root, id);
	FlakeColumn column = {0};
	List	   *found;
	double		passed;

	if (relation == NULL)
		return 1.0;

	/*
	 * this may evaluate expressions, so it comes before the column is opened:
	 * see read_values() in column.c
	 */
	found = find_comparisons(root, (Node *) relation->baserestrictinfo, id, true, NIL);
	found = find_comparisons(root, (Node *) relation->joininfo, id, false, found);
	if (found == NIL)
		return 1.0;
	examine_variable(root, linitial(args), rel, &column.vardata);
	if (!flake_column_open_core(&column, root, column.vardata.acl_ok ? InvalidOid : function))
		return 1.0;
	passed = estimate(&column, found, belongs);
	flake_column_close(&column);
	return passed;
}
