/*
 * times.c
 *		The times of a table's IDs: which expressions are these, and how many there are.
 *
 * How many rows have one time is told by an index that does not exist, on the time: it is never
 * scanned, but core asks for the statistics of its column, and so estimates joins by the time,
 * and sorts by it and further keys, as it does those by a column.
 */
#include "planner/planner.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_statistic_ext.h"

static get_index_stats_hook_type next_stats_hook;

/* ---------- the time of an ID ---------- */

/*
 * Is the expression the time of an ID, and does it never decrease while the ID increases?
 * The function's other arguments must be the same for all rows.
 */
bool
flake_is_time(Node *node, FlakeTimeKey *key)
{
	FuncExpr   *call = (FuncExpr *) flake_strip(node);
	FlakeSource source;
	List	   *layout;

	if (!IsA(call, FuncExpr) || !flake_may_have_source(call->funcid))
		return false;
	source = flake_find_source(call->funcid);
	if (source.kind != FLAKE_SOURCE_BOUNDS && source.kind != FLAKE_SOURCE_OWN)
		return false;
	layout = list_copy_tail(call->args, 1);
	if (contain_var_clause((Node *) layout) || contain_volatile_functions((Node *) layout) || contain_subplans((Node *) layout))
		return false;
	memset(key, 0, sizeof(FlakeTimeKey));
	key->source = source;
	key->call = call;
	key->id = flake_strip_padding(linitial(call->args));
	key->type = exprType(key->id);
	key->id = flake_strip(key->id);
	key->family = lookup_type_cache(key->type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	key->refuses = key->source.kind == FLAKE_SOURCE_BOUNDS && key->source.bounds->typlen < 0;
	key->partial = key->refuses || OidIsValid(key->source.filter) || flake_is_core(&key->source);
	key->family_of_time = lookup_type_cache(TIMESTAMPTZOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	return true;
}

/* ---------- how many rows have one time ---------- */

/* Is the value one of which the function raises no error?  Statistics may be older than the constraint. */
static bool
is_readable(const FlakeTimeKey *key, const Const *id)
{
	if (!flake_is_constant((const Node *) id))
		return false;
	return key->source.bounds->type == TEXTOID ? flake_is_of_layout(key->call, DatumGetTextPP(id->constvalue)) :
		VARSIZE_ANY_EXHDR(DatumGetByteaPP(id->constvalue)) == 16;
}

/* Evaluate the time of a value of the ID while planning; return false if it has none, or an infinite one. */
static bool
time_of(PlannerInfo *root, const FlakeTimeKey *key, Node *id, TimestampTz *instant)
{
	Const	   *value = (Const *) estimate_expression_value(root, id);

	if (key->refuses && !is_readable(key, value))
		return false;
	value = (Const *) estimate_expression_value(root, flake_call(key->call->funcid, key->call->funcresulttype,
																 lcons(value, list_copy_tail(key->call->args, 1))));
	if (!flake_is_constant((Node *) value))
		return false;
	*instant = DatumGetTimestampTz(value->constvalue);
	return !TIMESTAMP_NOT_FINITE(*instant);
}

/* Return the unit in which IDs count time, in microseconds; 0: not known. */
static int64
unit_of_time(PlannerInfo *root, const FlakeTimeKey *key, TimestampTz instant)
{
	Oid			type = key->type;
	const FlakeFormat *format = key->source.kind == FLAKE_SOURCE_OWN ? flake_format_of_type(&type) : NULL;
	TimestampTz next;
	Node	   *id;

	if (format != NULL)
		return Max(flake_us_of(&format->rate, 1) - flake_us_of(&format->rate, 0), 1);
	if (!OidIsValid(key->source.min))
		return 0;				/* of core's function without the extension,
								 * too */

	/* from this unit to the one that begins next */
	id = flake_call(key->source.min, key->source.bounds->type,
					lcons(makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz), TimestampTzGetDatum(instant + 1),
									false, FLOAT8PASSBYVAL), list_copy_tail(key->call->args, 1)));
	return time_of(root, key, id, &next) ? next - instant : 0;
}

/* Find the first, or from the end the last, of the statistics' values that has a time. */
static bool
end_of_times(PlannerInfo *root, const FlakeTimeKey *key, const AttStatsSlot *slot, bool last, TimestampTz *instant)
{
	const Node *arg = linitial(key->call->args);
	int16		typlen;
	bool		typbyval;

	get_typlenbyval(exprType(arg), &typlen, &typbyval);
	for (int i = 0; i < slot->nvalues; i++)
	{
		Const	   *id = makeConst(exprType(arg), -1, exprCollation(arg), typlen,
								   slot->values[last ? slot->nvalues - 1 - i : i], false, typbyval);

		if (time_of(root, key, (Node *) id, instant))
			return true;
	}
	return false;
}

/* Return how many units of time there are from the first to the last time in the statistics, 0: not known; and lower *ids to the number of different IDs. */
static double
units_of_times(PlannerInfo *root, const FlakeTimeKey *key, double *ids)
{
	VariableStatData vardata;
	AttStatsSlot slot;
	TimestampTz first;
	TimestampTz last;
	int64		unit;
	double		units = 0.0;
	bool		is_default;
	double		distinct;

	examine_variable(root, key->id, 0, &vardata);
	distinct = get_variable_numdistinct(&vardata, &is_default);
	if (!is_default)
		*ids = Min(*ids, distinct);
	if (HeapTupleIsValid(vardata.statsTuple) && statistic_proc_security_check(&vardata, key->call->funcid) &&
		get_attstatsslot(&slot, vardata.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid, ATTSTATSSLOT_VALUES))
	{
		if (end_of_times(root, key, &slot, false, &first) && end_of_times(root, key, &slot, true, &last) &&
			(unit = unit_of_time(root, key, first)) > 0)
			units = ((double) last - (double) first) / (double) unit + 1.0;
		free_attstatsslot(&slot);
	}
	ReleaseVariableStats(vardata);
	return units;
}

/* ---------- the index that does not exist ---------- */

/* Return what is noted of a time of a table; NULL: nothing. */
static IndexOptInfo *
find_note(const RelOptInfo *rel, const Node *time)
{
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		if (flake_is_note(index) && equal(linitial(index->indexprs), time))
			return index;
	}
	return NULL;
}

/* Note that a table is joined, or sorted, by this time of its ID.  No query implies the index's predicate, so it has no path. */
void
flake_note_time(RelOptInfo *rel, Node *time)
{
	IndexOptInfo *note;

	if (find_note(rel, time) != NULL)
		return;
	note = makeNode(IndexOptInfo);
	note->rel = rel;
	note->hypothetical = true;
	note->ncolumns = note->nkeycolumns = 1;
	note->indexkeys = palloc0(sizeof(int));
	note->indexcollations = palloc0(sizeof(Oid));
	note->opfamily = palloc0(sizeof(Oid));
	note->opcintype = palloc0(sizeof(Oid));
	note->canreturn = palloc0(sizeof(bool));
	note->indexprs = list_make1(copyObject(time));
	note->indextlist = list_make1(makeTargetEntry((Expr *) copyObject(time), 1, NULL, false));
	note->indpred = list_make1(makeBoolConst(false, false));
	note->tuples = -1;			/* how many different times there are, once
								 * that is known */
	rel->indexlist = lappend(rel->indexlist, note);
}

/* Estimate how many different times a table has: its different IDs fall into the units of time at random.  It is found out once. */
double
flake_distinct_times(PlannerInfo *root, RelOptInfo *rel, const FlakeTimeKey *key)
{
	IndexOptInfo *note = find_note(rel, (Node *) key->call);
	double		ids = rel->tuples;
	double		units;

	if (note != NULL && note->tuples >= 0)
		return note->tuples;
	units = units_of_times(root, key, &ids);
	units = clamp_row_est(units > 0.0 ? units * -expm1(-ids / units) : ids);
	if (note != NULL)
		note->tuples = units;
	return units;
}

/* Has the table's owner created statistics of the expression?  Core looks at these next. */
static bool
has_extended_statistics(const RelOptInfo *rel, Node *expr)
{
	ListCell   *cell;

	foreach(cell, rel->statlist)
	{
		const StatisticExtInfo *info = lfirst(cell);

		if (info->kind == STATS_EXT_EXPRESSIONS && list_member(info->exprs, expr))
			return true;
	}
	return false;
}

/* Answer for the statistics of the time: the ID's, with the number of different times, and without values. */
static bool
index_stats(PlannerInfo *root, Oid index, AttrNumber column, VariableStatData *data)
{
	FlakeTimeKey key;
	VariableStatData id;

	if (OidIsValid(index))
		return next_stats_hook != NULL && next_stats_hook(root, index, column, data);
	if (data->rel == NULL || data->rel->tuples <= 0 || data->var == NULL || !flake_is_time(data->var, &key) ||
		has_extended_statistics(data->rel, data->var))
		return true;
	examine_variable(root, key.id, 0, &id);
	if (HeapTupleIsValid(id.statsTuple))
	{
		Form_pg_statistic form;

		data->statsTuple = heap_copytuple(id.statsTuple);
		data->freefunc = heap_freetuple;
		form = (Form_pg_statistic) GETSTRUCT(data->statsTuple);
		if (OidIsValid(key.source.filter) && IsA(key.id, Var) && !key.refuses)
			form->stanullfrac = 1.0 - (1.0 - form->stanullfrac) * flake_passed_alone(root, key.source.filter, key.id, flake_is_uuid7);
		form->stadistinct = -(float4) Min(flake_distinct_times(root, data->rel, &key) / data->rel->tuples, 1.0);
		form->stakind1 = form->stakind2 = form->stakind3 = form->stakind4 = form->stakind5 = 0;
	}
	ReleaseVariableStats(id);
	return true;
}

/* Called once, when the library is loaded. */
void
flake_times_init(void)
{
	next_stats_hook = get_index_stats_hook;
	get_index_stats_hook = index_stats;
}
