/*
 * wait.c
 *		Waiting until the clock has moved; counting and reporting waits and refusals.
 */
#include "server/server.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "utils/timestamp.h"

/* Return a duration as it is written in a setting: 5s, 250ms. */
const char *
flake_ms_text(int ms)
{
	if (ms >= 1000 && ms % 1000 == 0)
		return psprintf("%ds", ms / 1000);
	return psprintf("%dms", ms);
}

/* Return the text of an instant in us; 0 is the beginning of time. */
char *
flake_instant_text(int64 us)
{
	return pstrdup(timestamptz_to_str(us == 0 ? DT_NOBEGIN : flake_timestamptz(us)));
}

/*
 * Sleep for so many microseconds or less, interruptibly; the caller checks again.  Subtracts the
 * sleep from *budget, by its nominal length, because a clock that stands still would not show it.
 * Returns false immediately if the budget is used up.
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
		/* at most 100 ms, because somebody may correct the clock meanwhile */
		long		ms = Min(us / 1000, 100);

		if (event == 0)
			event = flake_wait_event_new("FlakeidNextTick");
		slept = ms * 1000;
		if (WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, ms, event) & WL_LATCH_SET)
		{
			slept = 1000;		/* woken early; 0 might never use it up */
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

/* Stop counting this session as waiting for the generator. */
static void
stop_waiting(int code pg_attribute_unused(), Datum generator)
{
	pg_atomic_fetch_sub_u32(&((FlakeGenerator *) DatumGetPointer(generator))->waiting, 1);
}

/*
 * Sleep until the clock reads "until", or for part of that time, as flake_sleep() does.
 * "generator" counts this session as waiting, and for how long.
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
	/* also if the wait ends by an error, or with the session */
	PG_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(generator));
	{
		slept = flake_sleep(left, budget);
	}
	PG_END_ENSURE_ERROR_CLEANUP(stop_waiting, PointerGetDatum(generator));
	stop_waiting(0, PointerGetDatum(generator));
	pg_atomic_fetch_add_u64(&generator->wait_us, before - *budget);
	return slept;
}

/* Count that a call found the tick used up; once per call. */
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

/* Count that a call is about to end with an error.  The caller holds no lock. */
void
flake_count_refused(FlakeRefusal why)
{
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	flake_db->clock.refused++;
	flake_db->clock.last_refused = GetCurrentTimestamp();
	flake_db->clock.why = why;
	LWLockRelease(&flake_db->lock);
}

/* Report 55000: the next ID of the type "name" may be made at "until", later than the caller may wait. */
void
flake_report_wait(const char *name, int64 until, int64 now)
{
	flake_count_refused(FLAKE_REFUSED_WAIT);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("could not generate %s within flakeid.max_wait (%s)", name, flake_ms_text(flake_max_wait)),
			 errdetail("The clock reads %s, and the next ID may be made at %s.", flake_instant_text(now), flake_instant_text(until)),
			 errhint("Correct the clock, which has stopped or keeps stepping back.")));
}

/* Report 55000: the tick that starts at "start" is exhausted, and the clock does not reach the next one. */
void
flake_report_exhausted(const char *name, uint32 number, int64 start, int64 now)
{
	flake_count_refused(FLAKE_REFUSED_EXHAUSTED);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("could not generate %s within flakeid.max_wait (%s)", name, flake_ms_text(flake_max_wait)),
			 errdetail("Generator %u has used up the sequence of the tick that starts at %s, and the clock reads %s.",
					   number, flake_instant_text(start), flake_instant_text(now)),
			 errhint("Correct the clock if it stands still, or give this database a wider range of the sequence.")));
}
