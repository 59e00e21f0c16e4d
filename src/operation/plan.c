/*
 * plan.c
 *		What flakeid_maintain() has to do with the partitions of a table.
 *
 * A step from now on needs a partition where none covers it; kernel/retention.c decides which past
 * partitions go.  No row is read.
 */
#include "operation/operation.h"

#include "access/xact.h"
#include "catalog/pg_class.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

#define MAX_AHEAD			1000	/* partitions */
#define MAX_RETAIN			5000	/* years; no timestamp is before 4714 BC */

/* Where steps begin that continue no others: a month, and a Monday. */
#define FIRST_MONTH			INT64CONST(0)	/* 2000-01-01 UTC */
#define FIRST_MONDAY		(2 * USECS_PER_DAY)

static char *
interval_text(const Interval *interval)
{
	return DatumGetCString(DirectFunctionCall1(interval_out, IntervalPGetDatum(interval)));
}

static char *
instant_text(TimestampTz t)
{
	return DatumGetCString(DirectFunctionCall1(timestamptz_out, TimestampTzGetDatum(t)));
}

/* Return n steps after an instant, in UTC. */
static TimestampTz
steps_after(TimestampTz t, const Interval *step, int64 n)
{
	Datum		whole = DirectFunctionCall2(interval_mul, IntervalPGetDatum(step), Float8GetDatum((double) n));

	return DatumGetTimestampTz(DirectFunctionCall2(timestamp_pl_interval, TimestampTzGetDatum(t), whole));
}

/* flakeid_check_step(step): report 22023 unless it is positive, and has either months or less. */
PG_FUNCTION_INFO_V1(flakeid_check_step);
Datum
flakeid_check_step(PG_FUNCTION_ARGS)
{
	Interval   *step = PG_GETARG_INTERVAL_P(0);
	Interval	zero = {0};

	if (!DatumGetBool(DirectFunctionCall1(interval_finite, IntervalPGetDatum(step))) ||
		!DatumGetBool(DirectFunctionCall2(interval_gt, IntervalPGetDatum(step), IntervalPGetDatum(&zero))))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("step must be greater than zero and finite"),
				 errdetail("It is %s.", interval_text(step))));
	if (step->month < 0 || (step->month != 0 && (step->day != 0 || step->time != 0)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("step mixes months with days or hours"),
				 errdetail("It is %s.", interval_text(step)),
				 errhint("A step has months and years, such as 3 months, or weeks, days and less, such as 7 days.")));
	PG_RETURN_VOID();
}

/*
 * Return the instant from which steps are counted, and how many of them have passed.  They
 * continue those of the last partition that is one step long.
 */
static TimestampTz
first_step(List *there, const Interval *step, TimestampTz now, int64 *passed)
{
	TimestampTz first = step->month != 0 ? FIRST_MONTH : FIRST_MONDAY;
	ListCell   *cell;

	foreach(cell, there)
	{
		FlakePartition *part = lfirst(cell);

		if (!TIMESTAMP_NOT_FINITE(part->lower) && part->upper == steps_after(part->lower, step, 1))
			first = part->lower;
	}
	/* months are of different lengths */
	*passed = (now - first) / (steps_after(first, step, 1) - first);
	while (steps_after(first, step, *passed) > now)
		(*passed)--;
	while (steps_after(first, step, *passed + 1) <= now)
		(*passed)++;
	return first;
}

/* Do partitions, which are in the order of time, cover all the time between? */
static bool
covered(List *there, TimestampTz lower, TimestampTz upper)
{
	ListCell   *cell;

	foreach(cell, there)
	{
		FlakePartition *part = lfirst(cell);

		if (!part->detaching && part->lower <= lower && part->upper > lower)
			lower = part->upper;
	}
	return lower >= upper;
}

/* Return a partition to be created for each of the current step and so many later ones that none covers. */
static List *
steps_to_create(List *there, const Interval *step, int ahead, TimestampTz now)
{
	List	   *missing = NIL;
	int64		passed;
	TimestampTz first = first_step(there, step, now, &passed);

	for (int i = 0; i <= ahead; i++)
	{
		FlakePartition *part = palloc0(sizeof(FlakePartition));

		part->lower = steps_after(first, step, passed + i);
		part->upper = steps_after(first, step, passed + i + 1);
		if (!covered(there, Max(part->lower, now), part->upper))
			missing = lappend(missing, part);
	}
	return missing;
}

/*
 * Report 55000 if a partition to be created lies before all that may have rows: such a clock is
 * behind, and what was written into the new partition would be past its time as soon as the
 * clock is right.
 */
static void
check_clock(Oid table, List *there, List *missing, TimestampTz now)
{
	TimestampTz rows_from = DT_NOEND;
	ListCell   *cell;

	foreach(cell, there)
	{
		FlakePartition *part = lfirst(cell);

		if (!part->is_default && part->rows != FLAKE_ROWS_NONE)
			rows_from = Min(rows_from, part->lower);
	}
	foreach(cell, missing)
	{
		FlakePartition *part = lfirst(cell);

		if (rows_from != DT_NOEND && part->upper <= rows_from)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the clock reads %s, but the first rows of table \"%s\" are of %s or later",
							instant_text(now), get_rel_name(table), instant_text(rows_from)),
					 errdetail("A partition from %s to %s would lie before all partitions with rows. Nothing has been created or removed.",
							   instant_text(part->lower), instant_text(part->upper)),
					 errhint("If the clock is behind, set it right. If it is right, create this partition with flakeid_create_partitions().")));
	}
}

/* Order partitions from the newest to the oldest, and the default partition last. */
static int
newest_first(const ListCell *a, const ListCell *b)
{
	TimestampTz one = ((FlakePartition *) lfirst(a))->upper;
	TimestampTz other = ((FlakePartition *) lfirst(b))->upper;

	return one > other ? -1 : one < other;
}

/* Return where the partition of the present begins, there or to be created. */
static TimestampTz
present_from(List *all, TimestampTz now)
{
	ListCell   *cell;

	foreach(cell, all)
	{
		FlakePartition *part = lfirst(cell);

		if (!part->detaching && part->lower <= now && now < part->upper && part->upper != DT_NOEND)
			return part->lower;
	}
	return DT_NOBEGIN;
}

/* Name the partitions that cover a part of a step to be created; NULL if none does. */
static char *
covered_in_part(List *there, const FlakePartition *step)
{
	StringInfoData names;
	ListCell   *cell;

	initStringInfo(&names);
	foreach(cell, there)
	{
		FlakePartition *part = lfirst(cell);

		if (part->lower < step->upper && part->upper > step->lower)
			appendStringInfo(&names, "%s%s", names.len == 0 ? "covered in part by " : ", ",
							 DatumGetCString(DirectFunctionCall1(regclassout, ObjectIdGetDatum(part->oid))));
	}
	return names.len == 0 ? NULL : names.data;
}

/* How many rows a partition has, by the statistics. */
static int64
rows_of(Oid partition)
{
	int64		rows = DatumGetInt64(DirectFunctionCall1(pg_stat_get_live_tuples, ObjectIdGetDatum(partition)));
	HeapTuple	tuple = rows > 0 ? NULL : SearchSysCache1(RELOID, ObjectIdGetDatum(partition));

	if (HeapTupleIsValid(tuple))
	{
		rows = (int64) Max(((Form_pg_class) GETSTRUCT(tuple))->reltuples, 0);
		ReleaseSysCache(tuple);
	}
	return rows;
}

/* Say what happens to a partition that is there, and why it is kept though it is past "retain". */
static char *
fate(const FlakePartition *part, FlakeRetention *retention, bool detach, char **note)
{
	int64_t		newer;
	Interval	span = {0};

	if (part->is_default || part->detaching)
	{
		*note = part->is_default ? "the default partition" : "incompletely detached";
		return NULL;
	}
	if (flake_retention_next(retention, part->lower, part->upper, part->rows, &newer))
		return detach ? "detach" : "drop";
	if (retention->retain > 0 && part->upper <= retention->now - retention->retain)
	{
		span.day = newer / USECS_PER_DAY;
		span.time = newer % USECS_PER_DAY;
		*note = psprintf(part->rows == FLAKE_ROWS_NONE ? "kept: the newer partitions that count span only %s"
						 : "kept: the newer partitions that count, up to the newest with rows, span only %s", interval_text(&span));
	}
	return NULL;
}

/* Return retain in microseconds; report 22023 for a wrong argument. */
static int64
check_arguments(int ahead, const Interval *retain, TimestampTz now)
{
	Interval	least = {0};
	Interval	most = {.month = MAX_RETAIN * MONTHS_PER_YEAR};
	bool		fits = DatumGetBool(DirectFunctionCall2(interval_ge, IntervalPGetDatum(retain), IntervalPGetDatum(&least))) &&
		DatumGetBool(DirectFunctionCall2(interval_le, IntervalPGetDatum(retain), IntervalPGetDatum(&most)));
	int64		us = !fits ? -1 : now -
		DatumGetTimestampTz(DirectFunctionCall2(timestamp_mi_interval, TimestampTzGetDatum(now), IntervalPGetDatum(retain)));

	if (ahead < 0 || ahead > MAX_AHEAD || us < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ahead or retain is out of range"),
				 errdetail("ahead is %d, retain %s.", ahead, interval_text(retain)),
				 errhint("ahead must be 0 to %d partitions, and retain 0 to %d years.", MAX_AHEAD, MAX_RETAIN)));
	return us;
}

/*
 * flakeid_partitions_as_owner(parent, step, ahead, retain, detach, layout): the partitions of a table, and
 * what flakeid_maintain() with these arguments would do.  A step of 0 creates none; a retain of 0
 * means forever.
 */
PG_FUNCTION_INFO_V1(flakeid_partitions_as_owner);
Datum
flakeid_partitions_as_owner(PG_FUNCTION_ARGS)
{
	Oid			table = PG_GETARG_OID(0);
	Interval   *step = PG_GETARG_INTERVAL_P(1);
	TimestampTz now = GetCurrentTransactionStartTimestamp();
	FlakeRetention retention = {.now = now, .ahead = PG_GETARG_INT32(2)};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *there;
	List	   *all;
	ListCell   *cell;

	retention.retain = check_arguments(retention.ahead, PG_GETARG_INTERVAL_P(3), now);
	flake_hold_to_read(table);
	there = all = flake_partitions(table, PG_GETARG_DATUM(5));
	if (step->month != 0 || step->day != 0 || step->time != 0)
	{
		List	   *missing;

		DirectFunctionCall1(flakeid_check_step, IntervalPGetDatum(step));
		missing = steps_to_create(there, step, retention.ahead, now);
		check_clock(table, there, missing, now);
		all = list_concat_copy(there, missing);
	}
	retention.unbroken_from = present_from(all, now);
	list_sort(all, newest_first);

	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, all)
	{
		FlakePartition *part = lfirst(cell);
		bool		is_there = OidIsValid(part->oid);
		char	   *note = is_there ? NULL : covered_in_part(there, part);
		char	   *action = is_there ? fate(part, &retention, PG_GETARG_BOOL(4), &note) : "create";
		Datum		values[] = {ObjectIdGetDatum(part->oid), TimestampTzGetDatum(part->lower), TimestampTzGetDatum(part->upper),
			is_there ? Int64GetDatum(rows_of(part->oid)) : (Datum) 0, Int64GetDatum(part->size),
		action == NULL ? (Datum) 0 : CStringGetTextDatum(action), note == NULL ? (Datum) 0 : CStringGetTextDatum(note)};
		bool		nulls[] = {!is_there, part->is_default, part->is_default, !is_there, !is_there, action == NULL, note == NULL};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
