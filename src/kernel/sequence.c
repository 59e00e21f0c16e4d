/*
 * sequence.c
 *		The generator's policy: what to lease, when to wait, when to change timelines.
 *
 * Pure functions of what the caller has read.  generate.c reads the shared
 * memory and the clock, swaps words, waits, writes marks and reports; the unit
 * tests and the simulation do the same with a made-up clock.
 *
 * Why no ID is issued twice: a generator's sequence numbers of a tick are handed out in disjoint
 * ranges, by compare-and-swap on its word.  A generator that has left a tick never enters
 * it again, because words only rise on a timeline, and a timeline is entered again only
 * above everything that may have been issued on it.
 */
#include "kernel/flake.h"

static inline unsigned
next_bits(const FlakeFormat *format)
{
	return format->sequence_bits + 1u;
}

uint64_t
flake_word(const FlakeFormat *format, FlakeWord word)
{
	return (uint64_t) word.timeline << 63 | word.tick << next_bits(format) | word.next;
}

FlakeWord
flake_unword(const FlakeFormat *format, uint64_t word)
{
	FlakeWord	result;

	result.timeline = (unsigned) (word >> 63);
	result.tick = (word & INT64_MAX) >> next_bits(format);
	result.next = (uint32_t) (word & ((UINT64_C(1) << next_bits(format)) - 1));
	return result;
}

static inline uint32_t
aligned(uint32_t next, uint32_t stride)
{
	return (next + stride - 1) & ~(stride - 1);
}

/* Return the last tick that both the format and the word can hold. */
static inline uint64_t
last_tick(const FlakeFormat *format)
{
	uint64_t	fits = (UINT64_C(1) << (63 - next_bits(format))) - 1;

	return format->rate.last_tick < fits ? format->rate.last_tick : fits;
}

/*
 * Lease up to "want" sequence numbers, or return what prevents it.
 *
 * While the clock reads less than the word's tick (or the floor), continue in that tick,
 * ahead of the clock.  Open the next tick ahead of the clock only when the clock has moved
 * by a tick since this one was found exhausted, so that load alone never increases the
 * distance: otherwise a busy server would exceed max_ahead after every restart.
 */
FlakeVerdict
flake_step(const FlakeFormat *format, const FlakeView *view, uint32_t want,
		   FlakePatience *patience, FlakeStep *step)
{
	FlakeWord	word = flake_unword(format, view->word);
	FlakeWord	leased;
	uint64_t	clock_tick;
	uint64_t	high = view->floor;
	uint64_t	tick;
	uint32_t	next = view->min;

	if (!flake_in_span(&format->rate, view->now))
		return FLAKE_OUT_OF_SPAN;
	clock_tick = flake_tick_of(&format->rate, view->now);

	if (word.timeline == view->timeline && word.tick > high)
		high = word.tick;
	tick = high > clock_tick ? high : clock_tick;

	if (word.timeline == view->timeline && word.tick == tick && word.next > next)
		next = word.next;
	if (aligned(next, view->stride) + view->stride - 1 > view->max)
	{
		/* a tick found exhausted before the clock stepped back does not count */
		bool		known = patience->exhausted && patience->tick == tick &&
			clock_tick >= patience->clock_tick;

		if (tick > clock_tick && known && clock_tick > patience->clock_tick)
		{
			tick++;
			next = view->min;
		}
		else
		{
			if (!known)
			{
				patience->exhausted = true;
				patience->tick = tick;
				patience->clock_tick = clock_tick;
			}
			step->tick = tick;
			step->until = flake_us_of(&format->rate, clock_tick + 1);
			return FLAKE_EXHAUSTED;
		}
	}

	step->tick = tick;
	if (tick > last_tick(format))
		return FLAKE_OUT_OF_SPAN;
	if (tick > clock_tick)
	{
		int64_t		start = flake_us_of(&format->rate, tick);
		bool		too_far = start - view->now > view->max_ahead;

		if (format->tick_tock && (too_far || tick > view->ahead_until))
			return FLAKE_BEHIND;
		step->until = start - view->max_ahead;
		if (too_far)
			return FLAKE_TOO_FAR;
	}
	if (flake_us_of(&format->rate, tick) >= view->mark)
		return FLAKE_UNMARKED;

	step->next = aligned(next, view->stride);
	if (want < view->stride)
		want = view->stride;
	step->end = want < view->max + 1 - step->next ? step->next + want : view->max + 1;
	leased.timeline = view->timeline;
	leased.tick = tick;
	leased.next = step->end;
	step->word = flake_word(format, leased);
	return FLAKE_LEASE;
}

/*
 * Return how many numbers to lease next: four times as many while a session is busy,
 * one after a pause, a 32nd of the pool at most.  So on an idle server the IDs of all
 * sessions are in order and no number is wasted, and a bulk load swaps the shared word
 * once in hundreds of IDs.
 */
uint32_t
flake_next_want(uint32_t want, bool busy, uint32_t min, uint32_t max)
{
	uint32_t	most = (max - min + 1) / 32;

	if (!busy || most == 0)
		return 1;
	return want * 4 < most ? want * 4 : most;
}

/*
 * Can [next, end), the unused tail of a lease, go back?  Only while no other session
 * has leased numbers above it.  *shorter is then the word to swap in.
 */
bool
flake_give_back(const FlakeFormat *format, uint64_t word, unsigned timeline,
				uint64_t tick, uint32_t next, uint32_t end, uint64_t *shorter)
{
	FlakeWord	now = flake_unword(format, word);

	if (next >= end || now.timeline != timeline || now.tick != tick || now.next != end)
		return false;
	now.next = next;
	*shorter = flake_word(format, now);
	return true;
}

/*
 * The clock reads less than a tick-tock generator has issued: wait, change timelines
 * or go ahead?
 *
 * "safe" is the mark of the other timeline, never the highest tick seen on it: a backend
 * that sleeps between its decision and its swap may still swap in any tick below the mark.
 */
FlakeRegression
flake_regression(const FlakeFormat *format, const FlakeView *v, FlakeRegressed *regressed)
{
	const FlakeRate *rate = &format->rate;
	FlakeWord	word = flake_unword(format, v->word);
	uint64_t	clock_tick = flake_tick_of(rate, v->now);
	uint64_t	high = v->floor;
	bool		going_ahead;
	bool		too_far;

	if (word.timeline == v->timeline && word.tick > high)
		high = word.tick;
	if (high <= clock_tick)
		return FLAKE_REGRESSION_NONE;

	going_ahead = v->ahead_until > clock_tick;
	if (going_ahead && word.timeline == v->timeline && word.tick == high && word.next > v->max)
		high++;
	regressed->tick = high;
	regressed->until = flake_us_of(rate, high) - v->max_ahead;
	too_far = regressed->until > v->now;

	/*
	 * Another session already goes ahead of the clock.  A change of timelines
	 * would take its IDs back in time although the clock did not step, so all
	 * sessions go ahead until the clock has caught up.
	 */
	if (going_ahead)
	{
		if (too_far)
			return FLAKE_REGRESSION_TOO_FAR;
		if (high <= v->ahead_until)
			return FLAKE_REGRESSION_NONE;

		/*
		 * a second at a time: otherwise an exhausted pool would take the lock
		 * every tick
		 */
		regressed->ahead_until = high + rate->per_second;
		return FLAKE_REGRESSION_AHEAD;
	}

	if (high - clock_tick <= 1)
	{
		regressed->until = flake_us_of(rate, high);
		return FLAKE_REGRESSION_WAIT;
	}

	if (v->now >= v->safe)
	{
		/*
		 * Timeline 0 sorts below timeline 1 in the same tick, and other
		 * sessions may have issued in this tick on timeline 1: begin timeline
		 * 0 with the next tick.
		 */
		uint64_t	next = v->timeline == 1 ? clock_tick + 1 : clock_tick;
		uint64_t	above = flake_tick_from(rate, v->safe);

		regressed->floor = next > above ? next : above;
		return FLAKE_REGRESSION_TOGGLE;
	}

	if (too_far)
	{
		/*
		 * until the clock is close enough to go ahead, or the other timeline
		 * is safe
		 */
		if (v->safe < regressed->until)
			regressed->until = v->safe;
		return FLAKE_REGRESSION_TOO_FAR;
	}
	regressed->ahead_until = high;
	return FLAKE_REGRESSION_AHEAD;
}

/* Return the sequence number that a count selects: after the pool's last one the count starts again. */
uint32_t
flake_roll_over(uint64_t count, uint32_t min, uint32_t max)
{
	return min + (uint32_t) (count % ((uint64_t) max - min + 1));
}

/*
 * Return where the session with this ordinal (0, 1, 2, ...) begins in a pool.  Reversing
 * the ordinal's bits puts the first sessions as far apart as possible.
 */
uint32_t
flake_spread(uint32_t ordinal, uint32_t pool)
{
	uint64_t	reversed = 0;

	for (int bit = 0; bit < 32; bit++)
		reversed = reversed << 1 | (ordinal >> bit & 1);
	return (uint32_t) (reversed * pool >> 32);
}
