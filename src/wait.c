/*
 * wait.c
 *		Waiting until the clock has moved, and what is told of it.
 */
#include "flakeid.h"

#include "miscadmin.h"
#include "storage/latch.h"
#include "utils/timestamp.h"

static FlakeGenerator *waiting_for = NULL;	/* where we are counted as waiting */

/* Return a duration as it is written in a setting: 5s, 250ms. */
const char *
flake_ms_text(int ms)
{
	if (ms >= 1000 && ms % 1000 == 0)
		return psprintf("%ds", ms / 1000);
	return psprintf("%dms", ms);
}

/*
 * Sleep for so many microseconds, interruptibly: whole milliseconds on the latch,
 * the rest in a short sleep or, where that would oversleep, a spin.  What was
 * slept is taken off *budget by counting the sleeps, as a clock that stands still
 * would not tell.  Returns false, at once, when the budget is used up.
 */
bool
flake_sleep(int64 us, int64 *budget)
{
	static uint32 event = 0;
	int64		slept;

	if (*budget <= 0)
		return false;
	us = Min(us, *budget);
	if (us >= 1000)
	{
		/* at most 100 ms: the clock may be set right meanwhile */
		long		ms = Min(us / 1000, 100);

		if (event == 0)
			event = flake_wait_event_new("FlakeidNextTick");
		slept = ms * 1000;
		if (WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, ms, event) & WL_LATCH_SET)
		{
			slept = 1000;		/* woken early; never nothing, or the budget might last for ever */
			ResetLatch(MyLatch);
		}
	}
	else
	{
		slept = us;
		if (us >= 50)
			pg_usleep(us);
	}
	*budget -= slept;
	CHECK_FOR_INTERRUPTS();
	return true;
}

/* End being counted as waiting: also after an abort and at backend exit, as a wait may end by an error. */
void
flake_stop_waiting(void)
{
	if (waiting_for != NULL)
		pg_atomic_fetch_sub_u32(&waiting_for->waiting, 1);
	waiting_for = NULL;
}

/*
 * Sleep until the clock reads "until", or for a part of that time.  Returns false
 * when the budget is used up; see flake_sleep().  The caller looks again in either
 * case.  "generator" counts us as waiting, and how long.
 */
bool
flake_wait_until(int64 until, int64 *budget, FlakeGenerator *generator)
{
	int64		left = until - flake_clock();
	int64		before = *budget;
	bool		slept;

	if (*budget <= 0)
		return false;
	if (left <= 0)
		return true;

	pg_atomic_fetch_add_u32(&generator->waiting, 1);
	waiting_for = generator;
	slept = flake_sleep(left, budget);
	flake_stop_waiting();
	pg_atomic_fetch_add_u64(&generator->wait_us, before - *budget);
	return slept;
}

/* The tick ran out under a caller; once a call. */
void
flake_count_overflow(FlakeGenerator *generator, uint64 tick)
{
	uint64		counted = pg_atomic_read_u64(&generator->overflow_tick);

	pg_atomic_fetch_add_u64(&generator->overflows, 1);
	pg_atomic_write_u64(&generator->last_overflow, GetCurrentTimestamp());
	if (counted != tick &&
		pg_atomic_compare_exchange_u64(&generator->overflow_tick, &counted, tick))
		pg_atomic_fetch_add_u64(&generator->overflow_ticks, 1);
}

/* A call of a generator, or of what moves the mark, is about to end with an error. */
void
flake_count_refused(FlakeRefusal why)
{
	pg_atomic_fetch_add_u64(&flake_db->refused, 1);
	pg_atomic_write_u64(&flake_db->last_refused, flake_refused_word(GetCurrentTimestamp(), why));
}

/* What to do about a time whose IDs are retired, for ereport(). */
int
flake_hint_retired(void)
{
	return errhint("IDs of the time that the clock reads were made while it was wrong, and retired by flakeid_clock_reset(). Wait until the clock has passed them, or, if it does not matter that they come again, SELECT flakeid_clock_reset(now(), force => true) in this database.");
}

/*
 * No ID before "until", which is longer than the caller may wait: 55000.  "name" is
 * of the type that was asked for, here and below.
 */
void
flake_report_wait(const char *name, int64 until, int64 now, bool retired)
{
	char	   *clock = pstrdup(timestamptz_to_str(flake_timestamptz(now)));
	char	   *next = pstrdup(timestamptz_to_str(flake_timestamptz(until)));

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("could not generate %s within flakeid.max_wait (%s)", name, flake_ms_text(flake_max_wait)),
			 errdetail("The clock reads %s, and the next ID may be made at %s.", clock, next),
			 retired ? flake_hint_retired() : errhint("The clock stands still, or steps back again and again: correct it.")));
}

/* The tick is exhausted, and the next one does not come: 55000. */
void
flake_report_exhausted(const char *name, uint32 number, uint64 tick, int64 now)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("could not generate %s within flakeid.max_wait (%s)", name, flake_ms_text(flake_max_wait)),
			 errdetail("Generator %u has used up the sequence of tick " UINT64_FORMAT ", and the clock reads %s.",
					   number, tick, timestamptz_to_str(flake_timestamptz(now))),
			 errhint("A clock that stands still or a very small sequence range causes this.")));
}
