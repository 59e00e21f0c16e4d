/*
 * reset.c
 *		What is written to the mark by hand: flakeid_advance(), flakeid_clock_reset(),
 *		flakeid_accept_place(), and the trigger of _flakeid.mark.
 */
#include "flakeid.h"

#include "commands/trigger.h"
#include "miscadmin.h"
#include "replication/logicalworker.h"
#include "storage/lwlock.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/*
 * Go back to us after the clock was wrong: lower the marks of this database and set
 * its generators back, or return why not, with *issued the mark in the way.
 * flake_plan_reset() has the rules.
 */
static FlakeReset
reset_clock(int64 us, bool force, FlakeMarkValues *issued)
{
	FlakeResetPlan plans[FLAKE_MARK_KINDS];
	FlakeReset	result = FLAKE_RESET_DONE;
	FlakeWriter writer;
	bool		write = false;

	(void) flake_writer_begin(&writer, true);
	for (int kind = 0; kind < FLAKE_MARK_KINDS && result == FLAKE_RESET_DONE; kind++)
	{
		*issued = writer.values[kind];
		result = flake_plan_reset(&writer.values[kind], us, force, &plans[kind]);
		write |= plans[kind].write;
	}
	if (result == FLAKE_RESET_DONE)
	{
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
			writer.values[kind] = plans[kind].values;
		if (write)
			flake_writer_write(&writer);

		/*
		 * Now the generation, then the words and last the marks: what was decided
		 * before fails at the generation or at the word, and nobody sees the lower
		 * marks beside the old words, because it takes the lock to adopt a
		 * generation.
		 */
		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		flake_void_generation(flake_db);
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		{
			if (plans[kind].lower)
			{
				flake_rewind(kind, plans[kind].rewind_to);
				if ((int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]) > us)
					pg_atomic_write_u64(&flake_db->mark_floor[kind], (uint64) us);
			}
			flake_writer_publish(&writer, kind, 0);
		}
		LWLockRelease(&flake_db->lock);
	}
	flake_writer_end(&writer);
	return result;
}

/* ---------- SQL ---------- */

/*
 * An instant to set a mark to, in us: one that the clock may read some day while
 * the format has IDs.  0 says that there is none.
 */
static int64
instant_argument(const FlakeFormat *format, TimestampTz t)
{
	int64		us = flake_us_saturated(t);

	if (us <= 0 || us > flake_last_us(&format->rate))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range: \"%s\"", timestamptz_to_str(t)),
				 flake_span_detail(format)));
	return us;
}

/*
 * The trigger that keeps _flakeid.mark from being lowered.  A row that is inserted
 * (a dump restored) is merged into the mark instead; one that replication brings
 * is the publisher's business and ignored; nothing else may be done to the table.
 */
PG_FUNCTION_INFO_V1(flakeid_mark_guard);
Datum
flakeid_mark_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	FlakeMarkValues least[FLAKE_MARK_KINDS] = {0};
	TupleDesc	row;
	int64		kind;
	bool		isnull;
	bool		valid;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		RelationGetRelid(trigger->tg_relation) != flake_mark_relation() ||
		(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) && !TRIGGER_FIRED_FOR_ROW(trigger->tg_event)))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("flakeid_mark_guard() is for the triggers of _flakeid.mark only")));
	if (!TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"_flakeid.mark\" cannot be changed"),
				 errdetail("It says which IDs were issued; lowered, they would be issued again."),
				 errhint("To raise it use flakeid_advance(), to lower it after a wrong clock flakeid_clock_reset().")));
	/* not by the role: tools that restore a dump set that, too */
	if (IsLogicalWorker())
		return PointerGetDatum(NULL);

	row = RelationGetDescr(trigger->tg_relation);
	kind = DatumGetInt64(heap_getattr(trigger->tg_trigtuple, 1, row, &isnull));
	valid = !isnull && kind >= 0 && kind < FLAKE_MARK_KINDS;
	for (int i = 0; i < FLAKE_MARK_VALUES && valid; i++)
	{
		TimestampTz value = DatumGetTimestampTz(heap_getattr(trigger->tg_trigtuple, i + 2, row, &isnull));

		valid = !isnull && !TIMESTAMP_IS_NOEND(value);

		/*
		 * Do not restore jump_from and jump_to: they describe a jump of the dumped
		 * server's clock, which says nothing about ours.
		 */
		if (valid && i != FLAKE_JUMP_FROM && i != FLAKE_JUMP_TO && !TIMESTAMP_IS_NOBEGIN(value))
			least[kind].us[i] = instant_argument(kind == FLAKE_MARK_AHEAD ? &flake_siq : &flake_sno, value);
	}
	if (!valid)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid row for table \"_flakeid.mark\""),
				 errdetail("kind is 0, 1 or 2, and no instant is NULL or infinity.")));
	flake_mark_raise(least);
	return PointerGetDatum(NULL);
}

/*
 * flakeid_advance(timestamptz, force): count everything before the instant as issued
 * in this database, by all generators.  Returns the instant.  Beyond flakeid.max_ahead
 * it stops the generators until the clock is there: a warning, and 22023 for more than
 * a day, unless forced.
 */
PG_FUNCTION_INFO_V1(flakeid_advance);
Datum
flakeid_advance(PG_FUNCTION_ARGS)
{
	FlakeMarkValues least[FLAKE_MARK_KINDS] = {0};
	TimestampTz until = PG_GETARG_TIMESTAMPTZ(0);
	int64		us = instant_argument(&flake_sno, until);
	int64		ahead = us - flake_clock();

	if (ahead > USECS_PER_DAY && !PG_GETARG_BOOL(1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("instant is more than a day ahead of the clock: %s", timestamptz_to_str(until)),
				 errdetail("No IDs would be made in this database until the clock is there."),
				 errhint("If that is what you want, SELECT flakeid_advance(..., force => true).")));
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		least[kind].us[FLAKE_MARK] = us;
	flake_mark_raise(least);
	if (ahead > (int64) flake_max_ahead * 1000)
		ereport(WARNING,
				(errmsg("no IDs are made in this database until the clock is near %s", timestamptz_to_str(until)),
				 errdetail("That is more than flakeid.max_ahead (%s) ahead of the clock.", flake_ms_text(flake_max_ahead)),
				 errhint("If that is a mistake, SELECT flakeid_clock_reset(now(), force => true) takes it back.")));
	PG_RETURN_TIMESTAMPTZ(until);
}

static char *
instant_text(int64 us)
{
	return pstrdup(timestamptz_to_str(us == 0 ? DT_NOBEGIN : flake_timestamptz(us)));
}

/* 55000: IDs may have been issued after t; *issued is the mark that says so. */
static void
report_issued(TimestampTz t, const FlakeMarkValues *issued)
{
	char	   *wanted = instant_text(flake_us_saturated(t));
	char	   *mark = instant_text(issued->us[FLAKE_MARK]);

	if (issued->us[FLAKE_JUMP_TO] == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("IDs may have been issued after %s", wanted),
				 errdetail("They count as issued up to %s.", mark),
				 errhint("Wait until the clock is past that, or, if it does not matter that IDs come again, reset with force => true.")));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("IDs may have been issued after %s", wanted),
			 errdetail("They count as issued until %s and again from %s to %s.",
					   instant_text(issued->us[FLAKE_JUMP_FROM]), instant_text(issued->us[FLAKE_JUMP_TO]), mark),
			 errhint("Wait until the clock is past the first of these, or reset to between the first two, or, if it does not matter that IDs come again, with force => true.")));
}

/*
 * flakeid_clock_reset(timestamptz, force): go back to the instant after the clock
 * was wrong, which lowers the marks of this database.  55000 where IDs might come
 * again, or time would be lost between what is retired at two wrong times, unless
 * forced, which also forgets what is retired beyond the instant.
 */
PG_FUNCTION_INFO_V1(flakeid_clock_reset);
Datum
flakeid_clock_reset(PG_FUNCTION_ARGS)
{
	TimestampTz t = PG_GETARG_TIMESTAMPTZ(0);
	FlakeMarkValues issued;

	switch (reset_clock(instant_argument(&flake_sno, t), PG_GETARG_BOOL(1), &issued))
	{
		case FLAKE_RESET_DONE:
			/* nor does what is forgotten here keep others from numbers given up */
			if (PG_GETARG_BOOL(1))
				flake_claim_forget(MyDatabaseId);
			break;
		case FLAKE_RESET_ISSUED:
			report_issued(t, &issued);
			break;
		case FLAKE_RESET_RETIRED:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("IDs of an earlier wrong time would come again"),
					 errdetail("IDs from %s to %s are retired since an earlier reset, and those from %s to %s would have to be retired as well; only one such time is kept.",
							   instant_text(issued.us[FLAKE_RETIRED_FROM]), instant_text(issued.us[FLAKE_RETIRED_TO]),
							   instant_text(issued.us[FLAKE_JUMP_TO]), instant_text(issued.us[FLAKE_MARK])),
					 errhint("If it does not matter that the earlier ones come again when the clock reaches %s, SELECT flakeid_clock_reset(now(), force => true). Until then no ID repeats.",
							 instant_text(issued.us[FLAKE_RETIRED_FROM]))));
			break;
	}
	PG_RETURN_TIMESTAMPTZ(t);
}

/*
 * flakeid_accept_place(): this server may go on where it is with the numbers that it
 * derives, as no other one does.
 */
PG_FUNCTION_INFO_V1(flakeid_accept_place);
Datum
flakeid_accept_place(PG_FUNCTION_ARGS pg_attribute_unused())
{
	FlakeWriter writer;
	int64		place = flake_place();

	(void) flake_writer_begin(&writer, true);
	writer.page.origin.place = place;
	flake_writer_write(&writer);
	flake_writer_end(&writer);
	PG_RETURN_VOID();
}
