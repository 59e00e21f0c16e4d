/*
 * reset.c
 *		What people do to the mark: flakeid_advance(), flakeid_clock_reset(), and
 *		restoring a dump (the trigger of _flakeid.mark).
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
 * its generators back, or return why not, with the mark in the way in *issued.
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
		 * Change the generation first, then the words, and the marks last.  A
		 * session that decided before fails at the generation or at the word;
		 * and none sees the lower marks beside the old words, because
		 * adopting a generation takes the lock.
		 */
		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		flake_void_generation(flake_db);
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		{
			if (plans[kind].lower || force)
				flake_rewind(kind, us);
			flake_writer_publish(&writer, kind, 0);
		}
		LWLockRelease(&flake_db->lock);
	}
	flake_writer_end(&writer);
	return result;
}

/* ---------- SQL ---------- */

/*
 * Return the instant to set a mark to, in us.  Reports 22008 for one that the clock
 * cannot read while the format has IDs, and for 1970 and before: in a mark 0 says
 * that there is none.
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
 * The trigger that keeps _flakeid.mark from being lowered.  It merges a row that is
 * inserted, by a dump that is restored, into the mark; ignores one that logical
 * replication brings, which is the publisher's mark; and refuses everything else.
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
				 errdetail("The table says which IDs were issued. Without it they would be issued again."),
				 errhint("To raise the mark use flakeid_advance(); to lower it after the clock was wrong, flakeid_clock_reset().")));

	/*
	 * do not ask for session_replication_role: tools that restore a dump set
	 * it, too
	 */
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
		 * Do not restore jump_from and jump_to: they describe a jump of the
		 * dumped server's clock, which says nothing about ours.
		 */
		if (valid && i != FLAKE_JUMP_FROM && i != FLAKE_JUMP_TO && !TIMESTAMP_IS_NOBEGIN(value))
			least[kind].us[i] = instant_argument(kind == FLAKE_MARK_AHEAD ? &flake_siq : &flake_sno, value);
	}
	if (!valid)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid row for table \"_flakeid.mark\""),
				 errdetail("kind must be 0, 1 or 2, and no instant may be NULL or infinity.")));
	flake_mark_raise(least);
	return PointerGetDatum(NULL);
}

/*
 * flakeid_advance(timestamptz, force): count everything before the instant as issued
 * in this database, by all generators.  Returns the instant.  One more than
 * flakeid.max_ahead from now stops the generators until the clock is near it: that is
 * a warning, and 22023 for more than a day unless forced.
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
				 errdetail("The generators of this database would stop until the clock is there."),
				 errhint("If that is what you want, SELECT flakeid_advance(..., force => true).")));
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		least[kind].us[FLAKE_MARK] = us;
	flake_mark_raise(least);
	if (ahead > (int64) flake_max_ahead * 1000)
		ereport(WARNING,
				(errmsg("no IDs are made in this database until the clock is near %s", timestamptz_to_str(until)),
				 errdetail("The instant is more than flakeid.max_ahead (%s) ahead of the clock.", flake_ms_text(flake_max_ahead)),
				 errhint("If that is a mistake, take it back with SELECT flakeid_clock_reset(now(), force => true).")));
	PG_RETURN_TIMESTAMPTZ(until);
}

static char *
instant_text(int64 us)
{
	return pstrdup(timestamptz_to_str(us == 0 ? DT_NOBEGIN : flake_timestamptz(us)));
}

/*
 * Report 55000: IDs may have been issued after t; *issued is the mark that says so.
 * Where the clock jumped there, IDs were made; without a jump somebody may have raised
 * the mark by hand.
 */
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
				 errhint("Wait until the clock is past that. If that is so only because flakeid_advance() was called by mistake, or if it does not matter that IDs come again, SELECT flakeid_clock_reset(now(), force => true).")));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("IDs may have been issued after %s", wanted),
			 errdetail("They count as issued until %s and again from %s to %s.",
					   instant_text(issued->us[FLAKE_JUMP_FROM]), instant_text(issued->us[FLAKE_JUMP_TO]), mark),
			 errhint("Wait until the clock is past the first of these, or reset to between the first two, or, if it does not matter that IDs come again, with force => true.")));
}

/*
 * flakeid_clock_reset(timestamptz, force): go back to the instant after the clock
 * was wrong, which lowers the marks of this database.  Reports 55000 if IDs might come
 * again, or if the time between two retired intervals would be lost.  Forced, it goes
 * back all the same, and forgets what is retired beyond the instant.
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
			break;
		case FLAKE_RESET_ISSUED:
			report_issued(t, &issued);
			break;
		case FLAKE_RESET_RETIRED:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("IDs of an earlier wrong time would come again"),
					 errdetail("An earlier reset has retired the IDs from %s to %s, and this one would have to retire those from %s to %s; only one retired interval is kept.",
							   instant_text(issued.us[FLAKE_RETIRED_FROM]), instant_text(issued.us[FLAKE_RETIRED_TO]),
							   instant_text(issued.us[FLAKE_JUMP_TO]), instant_text(issued.us[FLAKE_MARK])),
					 errhint("If it does not matter that the earlier ones come again when the clock reaches %s, SELECT flakeid_clock_reset(now(), force => true). Until then no ID repeats.",
							 instant_text(issued.us[FLAKE_RETIRED_FROM]))));
			break;
	}
	PG_RETURN_TIMESTAMPTZ(t);
}
