/*
 * turn.c
 *		When no ID can be had at once: waiting, and turning to the clock.
 */
#include "flakeid.h"

#include <time.h>

#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "utils/timestamp.h"

static FlakeGenerator *waiting_for = NULL;	/* where we are counted as waiting */

/* Time since the machine started: for intervals, as the clock may step. */
int64
flake_monotonic_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

/* ---------- waiting ---------- */

/* 55000 with the two times and what to do. */
void
flake_report_too_far(const FlakeFormat *format, uint64 tick, int64 now)
{
	char	   *clock = pstrdup(timestamptz_to_str(flake_timestamptz(now)));
	char	   *ahead = pstrdup(timestamptz_to_str(flake_timestamptz(flake_us_of(&format->rate, tick))));

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the clock is too far behind the %s IDs already issued", format->name),
			 errdetail("The clock reads %s, but IDs count as issued up to %s, which is more than flakeid.max_ahead (%d ms) later.",
					   clock, ahead, flake_max_ahead),
			 errhint("Correct the clock, wait until it has caught up, or raise flakeid.max_ahead.")));
}

/* No ID before "until", which is longer than the caller may wait: 55000. */
void
flake_report_wait(const FlakeFormat *format, int64 until, int64 now)
{
	char	   *clock = pstrdup(timestamptz_to_str(flake_timestamptz(now)));
	char	   *next = pstrdup(timestamptz_to_str(flake_timestamptz(until)));

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("no %s ID to be had within flakeid.max_wait (%d ms)", format->name, flake_max_wait),
			 errdetail("The clock reads %s, and the next ID may be made at %s.", clock, next),
			 errhint("The clock stands still, or what it shows was a wrong time once, whose IDs a flakeid_clock_reset() has left behind.")));
}

void
flake_report_exhausted(const FlakeFormat *format, uint32 number, uint64 tick, int64 now)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("no %s ID to be had within flakeid.max_wait (%d ms)", format->name, flake_max_wait),
			 errdetail("Generator %u has used up the sequence of tick " UINT64_FORMAT ", and the clock reads %s.",
					   number, tick, timestamptz_to_str(flake_timestamptz(now))),
			 errhint("A clock that stands still or a very small sequence range causes this.")));
}

/* A FATAL error leaves a wait without unwinding: at backend exit. */
void
flake_stop_waiting(void)
{
	if (waiting_for != NULL)
		pg_atomic_fetch_sub_u32(&waiting_for->waiting, 1);
	waiting_for = NULL;
}

/*
 * Sleep until the clock reads "until", interruptibly: whole milliseconds on the
 * latch, the rest in a short sleep or, where that would oversleep, a spin.  What
 * was slept is taken off *budget by counting the sleeps, as a clock that stands
 * still would not tell; false when the budget is used up.
 */
bool
flake_wait_until(int64 until, int64 *budget, FlakeGenerator *generator)
{
	static uint32 event = 0;
	int64		left = until - flake_clock();
	volatile int64 slept;		/* set between setjmp() and its use */

	if (*budget <= 0)
		return false;
	if (left <= 0)
		return true;
	left = Min(left, *budget);

	pg_atomic_fetch_add_u32(&generator->waiting, 1);
	waiting_for = generator;
	PG_TRY();
	{
		if (left >= 1000)
		{
			/* at most 100 ms: the clock may be set right meanwhile */
			long		ms = Min(left / 1000, 100);

			if (event == 0)
				event = flake_wait_event_new("FlakeidNextTick");
			slept = ms * 1000;
			if (WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, ms, event) & WL_LATCH_SET)
			{
				slept = 1000;	/* woken early; never nothing, or the budget might last for ever */
				ResetLatch(MyLatch);
			}
		}
		else
		{
			slept = left;
			if (left >= 50)
				pg_usleep(left);
		}
		CHECK_FOR_INTERRUPTS();
	}
	PG_FINALLY();
	{
		flake_stop_waiting();
	}
	PG_END_TRY();

	pg_atomic_fetch_add_u64(&generator->wait_us, slept);
	*budget -= slept;
	return true;
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

/* ---------- turning ---------- */

/*
 * Up to which tick it is decided to run on.  Once the clock has got there the
 * decision is over; left standing, it would be taken for one about a later step.
 * "decided" is what stood there before the clock was read, or a clock read before
 * a step back would end the decision about that step.
 */
uint64
flake_run_on(const FlakeFormat *format, unsigned timeline, uint64 decided, int64 now)
{
	pg_atomic_uint64 *run_on = &flake->run_on[format->id][timeline];

	if (decided != 0 && now >= flake_us_of(&format->rate, decided) &&
		pg_atomic_compare_exchange_u64(run_on, &decided, 0))
		return 0;
	return pg_atomic_read_u64(run_on);
}

/* The clock was found behind; the lock is held.  Answers whether to log it: once a second of each kind. */
static bool
count_regression(const FlakeFormat *format, int64 now, bool toggled)
{
	int64	   *last = &flake->clock.last_logged[format->id][toggled];

	flake->clock.regressions++;
	flake->clock.last_regression = flake_timestamptz(now);
	if (*last != 0 && flake_monotonic_us() - *last < USECS_PER_SEC)
		return false;
	*last = flake_monotonic_us();
	return true;
}

static void
log_regression(const FlakeFormat *format, uint64 tick, int64 now, bool toggled)
{
	ereport(LOG,
			(errmsg("flakeid found the clock " INT64_FORMAT " ms behind the %s IDs already issued",
					(flake_us_of(&format->rate, tick) - now) / 1000, format->name),
			 toggled
			 ? errdetail("It goes on at the clock's time with the tick-tock bit flipped.")
			 : errdetail("It goes on ahead of the clock until that has caught up.")));
}

/*
 * A format that only ever runs on has leased a tick ahead of the clock.  Nothing
 * was to be decided, but it is to be known: once, until the clock has caught up.
 */
void
flake_ran_on(const FlakeFormat *format, uint64 tick, int64 now)
{
	pg_atomic_uint64 *run_on = &flake->run_on[format->id][0];
	bool		log = false;

	if (tick <= pg_atomic_read_u64(run_on))
		return;
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	if (pg_atomic_read_u64(run_on) == 0)
	{
		flake->clock.run_ons++;
		log = count_regression(format, now, false);
		flake_raise(run_on, tick);
	}
	else						/* an exhausted pool opens tick after tick: not for each of them */
		flake_raise(run_on, tick + format->rate.per_second);
	LWLockRelease(&flake->lock);
	if (log)
		log_regression(format, tick, now, false);
}

/*
 * The clock was found behind a tick-tock generator.  Decide for the whole
 * server, on what stands now that the lock is held.  Without a slot (-1) the
 * generator stands where the furthest of the others does: they keep it from
 * having one.  None in any other era than the caller's: it must look again.
 */
FlakeRegression
flake_regression_now(const FlakeFormat *format, uint32 key, int slot, uint64 era,
			   FlakeView *view, FlakeRegressed *regressed)
{
	uint32		first;
	uint32		slots;
	unsigned	other;
	FlakeRegressionView tv;
	FlakeRegression	decision = FLAKE_REGRESSION_NONE;
	FlakeMarkPage page;
	uint64		decided;
	int64		floor;
	bool		log = false;

	flake_mark_forget_dropped();
	flake_mark_open(&page);
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	flake_mark_merge(&page);
	decided = pg_atomic_read_u64(&flake->run_on[format->id][view->timeline]);
	view->now = flake_clock();
	if (pg_atomic_read_u64(&flake->era) != era || (slot >= 0 && pg_atomic_read_u32(&flake->keys[slot]) != key) ||
		!flake_in_span(&format->rate, view->now))
	{
		LWLockRelease(&flake->lock);
		flake_mark_close(&page);
		return FLAKE_REGRESSION_NONE;
	}
	view->run_on = flake_run_on(format, view->timeline, decided, view->now);

	/* not this database's own floor: nothing was issued there since the start */
	tv.high = pg_atomic_read_u64(&flake->floor[format->id][view->timeline]);
	slots = flake_slots(format, &first);
	for (uint32 i = first; i < first + slots; i++)
	{
		FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&flake->generators[i].word));

		if (pg_atomic_read_u32(&flake->keys[i]) != 0 &&
			word.timeline == view->timeline && word.tick > tv.high)
			tv.high = word.tick;
	}
	if (slot >= 0)
		view->word = pg_atomic_read_u64(&flake->generators[slot].word);
	else
	{
		FlakeWord	furthest = {.timeline = view->timeline, .tick = tv.high};

		view->word = flake_word(format, furthest);
	}
	tv.view = *view;
	other = 1 - view->timeline;
	floor = flake_us_of(&format->rate, pg_atomic_read_u64(&flake->floor[format->id][other]));
	tv.safe = Max(flake_mark_safe(flake_mark_kind(format, other), view->now), floor);

	decision = flake_regression(format, &tv, regressed);
	if (decision == FLAKE_REGRESSION_TOGGLE)
	{
		/* on disk before anybody issues on the new timeline */
		flake_mark_move(&page, flake_mark_kind(format, other),
						flake_us_of(&format->rate, regressed->floor));
		flake_raise(&flake->floor[format->id][other], regressed->floor);
		flake_new_era(other);
		flake->clock.toggles++;
	}
	else if (decision == FLAKE_REGRESSION_RUN_ON)
	{
		flake_raise(&flake->run_on[format->id][view->timeline], regressed->run_on);
		flake->clock.run_ons++;
	}
	if (decision == FLAKE_REGRESSION_TOGGLE || decision == FLAKE_REGRESSION_RUN_ON)
		log = count_regression(format, view->now, decision == FLAKE_REGRESSION_TOGGLE);
	LWLockRelease(&flake->lock);
	flake_mark_close(&page);

	if (log)
		log_regression(format, regressed->tick, view->now, decision == FLAKE_REGRESSION_TOGGLE);
	return decision;
}
