/*
 * generate.c
 *		Making IDs: taking leases, and using them.
 *
 * Reading order matters everywhere: word, clock, generation, and then everything that the
 * generation covers.  See FlakeView.
 */
#include "generate/generate.h"

#include "access/xlog.h"
#include "miscadmin.h"
#include "utils/timestamp.h"

/*
 * How long a lease may be used, in microseconds.  After a pause, a session would make IDs that
 * sort below those of all others, in the middle of their indexes.
 */
#define FLAKE_LEASE_US		200

/* The tick that this session used last on timeline 1. */
static uint64 last_tock = 0;

/*
 * Use this lease from now on.  Where the server does not report every change of a setting,
 * the settings are checked again for each ID.
 */
static void
use_lease(FlakeLease *lease)
{
	if (lease->ticket.timeline == 1)
		last_tock = lease->ticket.tick;
	flake_last_lease = flake_settings_defined ? lease : &flake_no_lease;
}

/* ---------- leasing ---------- */

/* One look at a generator: what the caller asked for, and what flake_step() decides on. */
typedef struct Look
{
	const char *name;			/* the type asked for, for errors */
	const FlakeFormat *format;
	int32		asked;			/* the number asked for, or FLAKE_OWN */
	uint32		stride;
	uint32		number;			/* the generator's */
	FlakeGenerator *generator;
	FlakeLease *lease;			/* on the generator, or an unused entry */
	bool		kept;			/* its generator and generation match */
	FlakeMarkKind kind;
	uint64		word;			/* its current value, for the swap */
	uint64		decided;		/* ahead_until, read before the clock */
	FlakeView	view;
} Look;

/*
 * Look at the generator, in the order that FlakeView requires.  Returns false if the
 * generation changed meanwhile, so look again.
 */
static bool
look_at(Look *look)
{
	const FlakeFormat *format = look->format;
	const FlakeOwn *own = flake_own(format);
	FlakeView  *view = &look->view;

	look->number = look->asked == FLAKE_OWN ? own->number : look->asked;
	look->generator = flake_generator(format, look->number);
	look->lease = flake_kept_lease(look->generator);

	look->word = pg_atomic_read_u64(&look->generator->word);
	pg_read_barrier();
	view->timeline = flake_timeline(format, flake_generation);
	look->decided = pg_atomic_read_u64(&flake_db->ahead_until[format->id][view->timeline]);
	pg_read_barrier();
	view->now = flake_clock();
	pg_read_barrier();
	if (pg_atomic_read_u64(&flake_db->generation) != flake_generation)
		return false;
	pg_read_barrier();
	view->word = look->word;
	view->stride = look->stride;
	view->min = own->min;
	view->max = own->max;
	view->max_ahead = (int64) flake_max_ahead * 1000;
	look->kind = flake_mark_kind(format, view->timeline);
	look->kept = look->lease->generator == look->generator &&
		look->lease->generation == flake_generation;
	return true;
}

/* Does the session hold a lease that is still good for this ID? */
static bool
lease_is_good(const Look *look)
{
	uint32		sequence;

	return look->kept && flake_lease_good_at(look->lease, (uint64) look->view.now * 1000) &&
		flake_lease_fits(look->lease, look->stride, &sequence);
}

/* Read the mark and the floors.  Returns false if that took so long that the session must look again. */
static bool
read_limits(Look *look)
{
	const FlakeFormat *format = look->format;
	FlakeView  *view = &look->view;
	FlakeMarkView mark;

	/* decide as if the rest of the session's lease had been given back */
	if (look->kept)
		flake_give_back(format, look->word, view->timeline, look->lease->ticket.tick,
						look->lease->next, look->lease->end, &view->word);

	if (!flake_mark(look->kind, &mark))
		return false;
	view->mark = mark.mark;
	view->floor = flake_later_tick(pg_atomic_read_u64(&flake_db->floor_tick[format->id][view->timeline]),
								   flake_tick_from(&format->rate, mark.floor));
	view->ahead_until = flake_ahead_until(format, view->timeline, look->decided, view->now);

	/*
	 * Timeline 0 sorts below 1 in the same tick, which this session may have
	 * used while the change to timeline 0 was being written.
	 */
	if (format->tick_tock && view->timeline == 0 &&
		last_tock == flake_tick_of(&format->rate, view->now))
		view->floor = Max(view->floor, last_tock + 1);

	/* values of two generations do not belong together */
	pg_read_barrier();
	return pg_atomic_read_u64(&flake_db->generation) == flake_generation;
}

/* Swap in the step's word and fill in the lease.  Returns NULL if another session was faster. */
static FlakeLease *
take_lease(Look *look, const FlakeStep *step)
{
	const FlakeFormat *format = look->format;
	FlakeLease *lease = look->lease;
	FlakeGenerator *generator = look->generator;
	uint64		word = look->word;
	int64		start = flake_us_of(&format->rate, step->tick);
	int64		end = flake_us_of(&format->rate, step->tick + 1);

	/* a floor may be one tick ahead although the clock did not step back */
	bool		behind = step->tick > flake_tick_of(&format->rate, look->view.now) + 1;
	bool		counted = lease->ahead && lease->generator == generator;

	flake_injection_point("flakeid-lease");
	if (!pg_atomic_compare_exchange_u64(&generator->word, &word, step->word))
		return NULL;
	pg_memory_barrier();		/* see flake_new_generation() */

	/* a reset may have set the word back to what this session had read */
	if (pg_atomic_read_u64(&flake_db->generation) != flake_generation)
	{
		flake_undo_lease(format, look->number, flake_generation, step->word, look->word);
		return NULL;
	}

	if (behind && !counted)
		pg_atomic_fetch_add_u32(&generator->regressions, 1);
	flake_count_lease(lease);
	lease->ticket.tick = step->tick;
	lease->ticket.timeline = look->view.timeline;
	lease->ticket.number = look->number;
	lease->format = format;
	lease->number = look->asked;
	lease->generation = flake_generation;
	lease->ticket.leased = (uint64) look->view.now * 1000;
	lease->length = Min(end - look->view.now, FLAKE_LEASE_US) * 1000;
	lease->next = step->next;
	lease->end = step->end;
	lease->want = step->end - step->next;
	lease->generator = generator;
	lease->ahead = start > look->view.now && (behind || counted);
	use_lease(lease);
	if (behind && !format->tick_tock)
		flake_went_ahead(format, step->tick, look->view.now);
	flake_mark_ahead(look->kind, start, flake_generation);
	return lease;
}

/* Do what is decided for the whole database about a clock that reads less than the generator has issued. */
static void
regress(Look *look, int64 *budget)
{
	FlakeRegressed regressed;
	int64		now;

	switch (flake_regression_now(look->format, look->generator, &look->view, &regressed))
	{
		case FLAKE_REGRESSION_WAIT:
			if (!flake_wait_until(regressed.until, budget, look->generator))
				flake_report_wait(look->name, regressed.until, look->view.now);
			break;
		case FLAKE_REGRESSION_TOO_FAR:
			now = look->view.now;
			if (regressed.until - now > *budget || !flake_wait_until(regressed.until, budget, look->generator))
				flake_refuse_behind(look->name, look->format, look->generator, look->view.timeline, regressed.tick, now);
			break;
		case FLAKE_REGRESSION_NONE:
		case FLAKE_REGRESSION_TOGGLE:
		case FLAKE_REGRESSION_AHEAD:
			break;
	}
}

/* Clear what prevents a lease: wait, move the mark, decide about the clock, or report. */
static void
clear_the_way(Look *look, FlakeVerdict verdict, const FlakeStep *step, int64 *budget, bool *overflowed)
{
	const FlakeFormat *format = look->format;
	FlakeGenerator *generator = look->generator;
	int64		now = look->view.now;

	switch (verdict)
	{
		case FLAKE_LEASE:
			break;

		case FLAKE_EXHAUSTED:
			if (!*overflowed)
				flake_count_overflow(generator, step->tick);
			*overflowed = true;
			if (!flake_wait_until(step->until, budget, generator))
				flake_report_exhausted(look->name, look->number, flake_us_of(&format->rate, step->tick), now);
			break;

		case FLAKE_UNMARKED:
			flake_mark_extend(look->kind, flake_us_of(&format->rate, step->tick), flake_generation, true);
			break;

		case FLAKE_BEHIND:
			regress(look, budget);
			break;

		case FLAKE_TOO_FAR:
			/* this session may have slept since it looked at the clock */
			now = flake_clock();
			if (step->until > now &&
				(step->until - now > *budget || !flake_wait_until(step->until, budget, generator)))
				flake_refuse_behind(look->name, format, generator, look->view.timeline, step->tick, now);
			break;

		case FLAKE_OUT_OF_SPAN:
			flake_count_refused(FLAKE_REFUSED_SPAN);
			if (!flake_in_span(&format->rate, now))
				flake_clock_out_of_span(format, now);
			ereport(ERROR,
					(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
					 errmsg("could not generate %s after the last instant of its span", look->name),
					 errdetail("IDs count as issued up to the last tick that the generator can count."),
					 errhint("If the clock is right now and was ahead before, SELECT flakeid_clock_reset(now()) in this database.")));
			break;
	}
}

/* Return the lease that the previous transaction used last, announced, if it is still good; or NULL. */
static FlakeLease *
resume(const FlakeFormat *format, int32 number, uint32 stride)
{
	FlakeLease *lease = flake_left_lease;
	uint32		sequence;

	if (!flake_lease_serves(lease, format, number, stride, &sequence))
		return NULL;
	if (!flake_announce(format, lease->ticket.timeline, lease->ticket.tick))
	{
		lease->length = 0;
		return NULL;
	}
	use_lease(lease);
	return lease;
}

/* Return a lease, announced, that holds at least one ID.  "name" is for errors. */
static pg_noinline FlakeLease *
lease_for(const char *name, const FlakeFormat *format, int32 number, uint32 stride)
{
	Look		look = {.name = name, .format = format, .asked = number, .stride = stride};
	FlakePatience patience = {0};
	int64		budget = (int64) flake_max_wait * 1000;
	bool		overflowed = false;
	FlakeLease *left;

	flake_refuse_worker(name);
	left = resume(format, number, stride);
	if (left != NULL)
		return left;

	/*
	 * not counted, because it is a mistake of the caller, while nothing is
	 * wrong with the generators
	 */
	flake_refuse_recovery();
	for (;;)
	{
		FlakeVerdict verdict;
		FlakeStep	step;
		uint32		want;
		bool		busy;

		CHECK_FOR_INTERRUPTS();
		if (!look_at(&look))
			continue;
		if (lease_is_good(&look))
		{
			if (!flake_announce(format, look.lease->ticket.timeline, look.lease->ticket.tick))
			{
				look.lease->length = 0;
				continue;
			}
			look.lease->format = format;
			look.lease->number = number;
			if (look.lease != flake_last_lease)
				use_lease(look.lease);
			return look.lease;
		}
		if (!read_limits(&look))
			continue;

		busy = look.lease->generator == look.generator &&
			(uint64) look.view.now * 1000 - look.lease->ticket.leased < FLAKE_LEASE_US * 1000;
		want = flake_next_want(look.lease->want, busy, look.view.min, look.view.max);
		verdict = flake_step(format, &look.view, want, &patience, &step);
		if (verdict == FLAKE_LEASE)
		{
			FlakeLease *lease;

			if (!flake_announce(format, look.view.timeline, step.tick))
				continue;
			lease = take_lease(&look, &step);
			if (lease != NULL)
				return lease;
		}
		clear_the_way(&look, verdict, &step, &budget, &overflowed);
	}
}

const FlakeTicket *
flake_generate_anew(const char *name, const FlakeFormat *format, int32 number, uint32 stride)
{
	FlakeLease *lease = lease_for(name, format, number, stride);
	uint32		sequence;

	(void) flake_lease_fits(lease, stride, &sequence);
	return flake_lease_use(lease, sequence, stride);
}
