/*
 * regression.c
 *		A clock that reads less than what was issued: changing timelines, going ahead, refusing.
 */
#include "mark/writer.h"

#include "storage/lwlock.h"
#include "utils/timestamp.h"

/*
 * Return the tick up to which the database has decided to go ahead of the clock, or 0; end the
 * decision if the clock has got there.  "decided" was read before the clock: a session that read
 * the clock before it stepped back must not end the decision about that step.
 */
uint64
flake_ahead_until(const FlakeFormat *format, unsigned timeline, uint64 decided, int64 now)
{
	pg_atomic_uint64 *ahead_until = &flake_db->ahead_until[format->id][timeline];

	if (decided != 0 && now >= flake_us_of(&format->rate, decided) &&
		pg_atomic_compare_exchange_u64(ahead_until, &decided, 0))
		return 0;
	return pg_atomic_read_u64(ahead_until);
}

/*
 * Is the clock behind the tick only because the generators started above the mark?  After a crash
 * the mark is ahead of a clock that nobody has set back.
 */
static bool
since_start(const FlakeFormat *format, unsigned timeline, uint64 tick, int64 now)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->mark_at_start[flake_mark_kind(format, timeline)]);
	int64		born = flake_db->clock.born + FLAKE_PG_EPOCH_US;

	return now >= born && found <= born + 2 * FLAKE_LEAD_US && flake_us_of(&format->rate, tick) <= found + FLAKE_LEAD_US;
}

/*
 * Count that the clock was found behind a tick.  NTP and hypervisors set it back by milliseconds,
 * which nobody has to look at.  FlakeDatabase.lock is held exclusively.
 */
static void
count_behind(const FlakeFormat *format, uint64 tick, int64 now)
{
	flake_db->clock.regressions++;
	if (flake_us_of(&format->rate, tick) - now < USECS_PER_SEC)
		return;
	flake_db->clock.steps_back++;
	flake_db->clock.last_step_back = flake_timestamptz(now);
}

/*
 * Count a regression, except what is left of a start.  Returns whether to log it: each kind
 * once a second.  FlakeDatabase.lock is held exclusively.
 */
static bool
count_regression(const FlakeFormat *format, uint64 tick, int64 now, bool toggled, bool start)
{
	int64	   *last = &flake_db->clock.last_logged[format->id][toggled];

	if (!start)
	{
		count_behind(format, tick, now);
		if (toggled)
			flake_db->clock.toggles++;
		else
			flake_db->clock.went_ahead++;
	}
	if (*last != 0 && flake_monotonic_us() - *last < USECS_PER_SEC)
		return false;
	*last = flake_monotonic_us();
	return true;
}

static void
log_regression(const FlakeFormat *format, uint64 tick, int64 now, bool toggled, bool start)
{
	int64		ms = (flake_us_of(&format->rate, tick) - now) / 1000;

	ereport(LOG,
			(start
			 ? errmsg("clock is " INT64_FORMAT " ms behind the mark of %s IDs found at the start, as after a crash", ms, format->name)
			 : errmsg("clock is " INT64_FORMAT " ms behind the %s IDs already issued in this database", ms, format->name),
			 toggled
			 ? errdetail("Generators continue at the clock's time with the tick-tock bit flipped.")
			 : errdetail("Generators continue ahead of the clock until it has caught up.")));
}

/* Count and log that a format without a second timeline goes ahead of the clock, once until it has caught up. */
void
flake_went_ahead(const FlakeFormat *format, uint64 tick, int64 now)
{
	pg_atomic_uint64 *ahead_until = &flake_db->ahead_until[format->id][0];
	bool		log = false;
	bool		start;

	if (tick <= pg_atomic_read_u64(ahead_until))
		return;
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	start = since_start(format, 0, tick, now);
	if (pg_atomic_read_u64(ahead_until) == 0)
	{
		log = count_regression(format, tick, now, false, start);
		flake_raise(ahead_until, tick);
	}
	else						/* by a second, to take the lock seldom */
		flake_raise(ahead_until, tick + format->rate.per_second);
	LWLockRelease(&flake_db->lock);
	if (log)
		log_regression(format, tick, now, false, start);
}

/*
 * Report 55000: the clock is too far behind the tick of an ID of type "name".  Counts a
 * regression, once per format until the clock has caught up, unless going ahead was counted.
 */
void
flake_refuse_behind(const char *name, const FlakeFormat *format, FlakeGenerator *generator,
					unsigned timeline, uint64 tick, int64 now)
{
	int64		issued = flake_us_of(&format->rate, tick);
	int64	   *until = &flake_db->clock.refused_until[format->id];

	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (*until <= now && pg_atomic_read_u64(&flake_db->ahead_until[format->id][timeline]) == 0)
	{
		pg_atomic_fetch_add_u32(&generator->regressions, 1);
		count_behind(format, tick, now);
	}
	*until = Max(*until, issued);
	LWLockRelease(&flake_db->lock);
	flake_count_refused(FLAKE_REFUSED_BEHIND);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the clock is too far behind the %s IDs already issued", name),
			 errdetail("The clock reads %s, but IDs count as issued up to %s, which is more than flakeid.max_ahead (%s) later.",
					   flake_instant_text(now), flake_instant_text(issued), flake_ms_text(flake_max_ahead)),
			 errhint("If the clock is right now and was ahead before, SELECT flakeid_clock_reset(now()) in this database. Otherwise correct the clock or wait until it catches up.")));
}

/*
 * Look at the generator again, for a decision.  FlakeDatabase.lock is held exclusively.  Returns
 * false if the generation is no longer this session's, or the clock is out of the span.
 */
static bool
look_again(const FlakeFormat *format, FlakeGenerator *generator, FlakeView *view)
{
	unsigned	other = 1 - view->timeline;
	uint64		decided;

	if (pg_atomic_read_u64(&flake_db->generation) != flake_generation)
		return false;
	decided = pg_atomic_read_u64(&flake_db->ahead_until[format->id][view->timeline]);
	view->now = flake_clock();
	if (!flake_in_span(&format->rate, view->now))
		return false;
	view->ahead_until = flake_ahead_until(format, view->timeline, decided, view->now);
	view->word = pg_atomic_read_u64(&generator->word);
	view->safe = flake_later(flake_mark_safe(flake_mark_kind(format, other)),
							 flake_us_of(&format->rate, pg_atomic_read_u64(&flake_db->floor_tick[format->id][other])));
	return true;
}

/* Carry out what was decided on a timeline.  FlakeDatabase.lock is held exclusively. */
static void
carry_out(const FlakeFormat *format, unsigned timeline, FlakeRegression decision,
		  const FlakeRegressed *regressed)
{
	unsigned	other = 1 - timeline;
	FlakeMarkKind left = flake_mark_kind(format, timeline);

	if (decision == FLAKE_REGRESSION_TOGGLE)
	{
		flake_raise(&flake_db->floor_tick[format->id][other], regressed->floor);
		flake_new_generation(other);

		/*
		 * Keep in the floor what the words say was issued on this timeline.
		 * Read them after the generation has changed, because a session that
		 * leases a tick of this timeline from here on gives it back.
		 */
		flake_raise(&flake_db->floor_tick[format->id][timeline],
					flake_tick_from(&format->rate, flake_issued(left)));
	}
	else if (decision == FLAKE_REGRESSION_AHEAD)
	{
		/* at least until the clock is past what any generator has issued */
		flake_raise(&flake_db->ahead_until[format->id][timeline],
					flake_later_tick(regressed->ahead_until,
									 flake_tick_from(&format->rate, flake_issued(left))));
	}
}

/*
 * Decide for the whole database what to do about a clock that reads less than a tick-tock
 * generator has issued, and store in *view what that rests on.  Holds the writer's turn, so
 * that no other session moves a mark or decides meanwhile.
 */
FlakeRegression
flake_regression_now(const FlakeFormat *format, FlakeGenerator *generator,
					 FlakeView *view, FlakeRegressed *regressed)
{
	FlakeWriter writer;
	FlakeRegression decision = FLAKE_REGRESSION_NONE;
	bool		log = false;
	bool		start = false;

	(void) flake_writer_begin(&writer, true, false);
	flake_map_generators(flake_mark_kind(format, view->timeline));
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (look_again(format, generator, view))
		decision = flake_regression(format, view, regressed);
	carry_out(format, view->timeline, decision, regressed);
	if (decision == FLAKE_REGRESSION_TOGGLE || decision == FLAKE_REGRESSION_AHEAD)
	{
		start = since_start(format, view->timeline, regressed->tick, view->now);
		log = count_regression(format, regressed->tick, view->now, decision == FLAKE_REGRESSION_TOGGLE, start);
	}
	LWLockRelease(&flake_db->lock);
	flake_writer_end(&writer);

	if (log)
		log_regression(format, regressed->tick, view->now, decision == FLAKE_REGRESSION_TOGGLE, start);
	return decision;
}
