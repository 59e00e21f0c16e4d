/*
 * state.c
 *		The generators' time, set by hand: advance, reset, snapshot, restore.
 */
#include "flakeid.h"

#include "commands/trigger.h"
#include "replication/logicalworker.h"
#include "storage/lwlock.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/*
 * What has been used by a generator of a tick-tock format.  The lock keeps slots
 * and timeline where they are; IDs issued meanwhile may or may not be in it.
 */
void
flake_snapshot(const FlakeFormat *format, uint32 number, FlakeSnapshot *state)
{
	uint64		used[2];		/* per timeline, the first tick that is free for certain */
	int64		now;
	uint64		era;
	unsigned	timeline;
	int			slot;

	flake_sync(NULL);
	flake_mark_forget_dropped();
	for (;;)
	{
		era = pg_atomic_read_u64(&flake->era);
		for (unsigned i = 0; i < 2; i++)
			used[i] = flake_tick_from(&format->rate, flake_mark_used(flake_mark_kind(format, i)));
		LWLockAcquire(&flake->lock, LW_SHARED);
		if (pg_atomic_read_u64(&flake->era) == era)
			break;
		LWLockRelease(&flake->lock);
	}
	timeline = flake_timeline(format, era);
	for (unsigned i = 0; i < 2; i++)
		used[i] = Max(used[i], pg_atomic_read_u64(&flake->floor[format->id][i]));
	now = flake_clock();
	used[1 - timeline] = Max(used[1 - timeline],
							 flake_tick_from(&format->rate,
											 flake_mark_safe(flake_mark_kind(format, 1 - timeline), now)));
	state->high = used[timeline] > 0 ? used[timeline] - 1 : 0;
	state->next = PG_UINT32_MAX;
	slot = flake_find_slot(FLAKE_KEY(format->id, number));
	if (slot >= 0)
	{
		FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&flake->generators[slot].word));

		if (word.timeline == timeline && word.tick >= used[timeline])
		{
			state->high = word.tick;
			state->next = word.next;
		}
	}
	state->safe = used[1 - timeline] > 0 ? used[1 - timeline] - 1 : 0;
	state->drifts = flake->clock.toggles;
	if ((state->drifts & 1) != timeline)
		state->drifts++;
	LWLockRelease(&flake->lock);
	if (!flake_in_span(&format->rate, now))
		flake_clock_out_of_span(format, now);
	state->now = flake_tick_of(&format->rate, now);
}

/*
 * Count the ticks up to used[timeline] as used, on both timelines of a tick-tock
 * format, for this database.
 */
void
flake_restore(const FlakeFormat *format, const uint64 used[2])
{
	FlakeMarkValues least[FLAKE_MARK_KINDS] = {0};

	flake_sync(NULL);
	for (unsigned timeline = 0; timeline < 2; timeline++)
		if (used[timeline] > 0)
			least[flake_mark_kind(format, timeline)].us[FLAKE_MARK] =
				flake_us_of(&format->rate, used[timeline] + 1);
	flake_mark_raise(least);
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
 * The trigger that keeps flakeid_mark from being lowered.  A row that is inserted
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
		strcmp(RelationGetRelationName(trigger->tg_relation), "flakeid_mark") != 0 ||
		(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) && !TRIGGER_FIRED_FOR_ROW(trigger->tg_event)))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("flakeid_mark_guard() is for the triggers of flakeid_mark only")));
	if (!TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("flakeid_mark cannot be changed"),
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
		/* gaps are of the clock that made them */
		if (valid && i != FLAKE_JUMP_FROM && i != FLAKE_JUMP_TO && !TIMESTAMP_IS_NOBEGIN(value))
			least[kind].us[i] = instant_argument(kind == FLAKE_MARK_RUN_ON ? &flake_siq : &flake_sno, value);
	}
	if (!valid)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("row is no mark of flakeid")));
	flake_attach();
	flake_mark_raise(least);
	return PointerGetDatum(NULL);
}

/*
 * flakeid_advance(timestamptz): count everything before the instant as issued in
 * this database, by all generators.  Answers the instant.
 */
PG_FUNCTION_INFO_V1(flakeid_advance);
Datum
flakeid_advance(PG_FUNCTION_ARGS)
{
	FlakeMarkValues least[FLAKE_MARK_KINDS] = {0};

	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		least[kind].us[FLAKE_MARK] = instant_argument(&flake_sno, PG_GETARG_TIMESTAMPTZ(0));
	flake_sync(NULL);
	flake_mark_raise(least);
	PG_RETURN_TIMESTAMPTZ(PG_GETARG_TIMESTAMPTZ(0));
}

static char *
instant_text(int64 us)
{
	return pstrdup(timestamptz_to_str(us == 0 ? DT_NOBEGIN : flake_timestamptz(us)));
}

/*
 * flakeid_clock_reset(timestamptz, force): go back to the instant after the clock
 * was wrong, which lowers the marks of this database.  55000 where IDs might come
 * again, or time would be lost between what is burnt at two wrong times, unless
 * forced, which also forgets what is burnt beyond the instant.
 */
PG_FUNCTION_INFO_V1(flakeid_clock_reset);
Datum
flakeid_clock_reset(PG_FUNCTION_ARGS)
{
	TimestampTz t = PG_GETARG_TIMESTAMPTZ(0);
	FlakeMarkValues issued;
	FlakeReset	result;
	const char *where;

	flake_sync(NULL);
	result = flake_mark_reset(instant_argument(&flake_sno, t), PG_GETARG_BOOL(1), &issued);
	switch (result)
	{
		case FLAKE_RESET_DONE:
			break;
		case FLAKE_RESET_ISSUED:
		case FLAKE_RESET_ISSUED_ELSEWHERE:
			where = result == FLAKE_RESET_ISSUED ? "They count" : "In another database of this server they count";
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("IDs may have been issued after %s", pstrdup(timestamptz_to_str(t))),
					 issued.us[FLAKE_JUMP_TO] == 0
					 ? errdetail("%s as issued up to %s.", where, instant_text(issued.us[FLAKE_MARK]))
					 : errdetail("%s as issued until %s and again from %s to %s.", where,
								 instant_text(issued.us[FLAKE_JUMP_FROM]),
								 instant_text(issued.us[FLAKE_JUMP_TO]),
								 instant_text(issued.us[FLAKE_MARK])),
					 issued.us[FLAKE_JUMP_TO] == 0
					 ? errhint("If it does not matter that IDs come again, reset with force.")
					 : errhint("Reset to between the first two, or, if it does not matter that IDs come again, with force.")));
			break;
		case FLAKE_RESET_BURNT:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("IDs of another wrong time would come again"),
					 errdetail("An earlier reset has left out the IDs of another time; one such time is remembered, and this one is from %s to %s.",
							   instant_text(issued.us[FLAKE_JUMP_TO]),
							   instant_text(issued.us[FLAKE_MARK])),
					 errhint("If it does not matter that the earlier ones come again when their time comes, reset with force.")));
			break;
	}
	PG_RETURN_TIMESTAMPTZ(t);
}
