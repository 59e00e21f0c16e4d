/*
 * sequence.c
 *		The generator's policy: leases, waits, and changes of timelines.
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

/* The highest tick that may have been used on the timeline in force. */
static inline uint64_t
highest(const FlakeView *view, FlakeWord word)
{
	return word.timeline == view->timeline && word.tick > view->floor ? word.tick : view->floor;
}

/*
 * Find the first free sequence number: step->tick and step->next.  Returns false if the tick is
 * exhausted and the next one must not begin yet.  Ahead of the clock it does only when the clock
 * has moved by a tick since this one was found exhausted, so that load alone never increases the
 * distance, and a busy server does not exceed max_ahead after every restart.
 */
static bool
next_number(const FlakeView *view, FlakeWord word, uint64_t clock_tick, FlakePatience *patience, FlakeStep *step)
{
	uint64_t	high = highest(view, word);
	bool		known;

	step->tick = high > clock_tick ? high : clock_tick;
	step->next = view->min;
	if (word.timeline == view->timeline && word.tick == step->tick && word.next > view->min)
		step->next = word.next;
	step->next = aligned(step->next, view->stride);
	if (step->next + view->stride - 1 <= view->max)
		return true;

	/* a tick found exhausted before the clock stepped back does not count */
	known = patience->exhausted && patience->tick == step->tick && clock_tick >= patience->clock_tick;
	if (known && step->tick > clock_tick && clock_tick > patience->clock_tick)
	{
		step->tick++;
		step->next = aligned(view->min, view->stride);
		return true;
	}
	if (!known)
	{
		patience->exhausted = true;
		patience->tick = step->tick;
		patience->clock_tick = clock_tick;
	}
	return false;
}

/* May the tick be leased?  Returns FLAKE_LEASE, or what prevents it. */
static FlakeVerdict
may_lease(const FlakeFormat *format, const FlakeView *view, uint64_t clock_tick, FlakeStep *step)
{
	int64_t		start = flake_us_of(&format->rate, step->tick);

	if (step->tick > last_tick(format))
		return FLAKE_OUT_OF_SPAN;
	if (step->tick > clock_tick)
	{
		bool		too_far = start - view->now > view->max_ahead;

		if (format->tick_tock && (too_far || step->tick > view->ahead_until))
			return FLAKE_BEHIND;
		step->until = start - view->max_ahead;
		if (too_far)
			return FLAKE_TOO_FAR;
	}
	if (start >= view->mark)
		return FLAKE_UNMARKED;
	return FLAKE_LEASE;
}

/* Lease up to "want" sequence numbers, or return what prevents it. */
FlakeVerdict
flake_step(const FlakeFormat *format, const FlakeView *view, uint32_t want,
		   FlakePatience *patience, FlakeStep *step)
{
	FlakeWord	leased = {.timeline = view->timeline};
	FlakeVerdict verdict;
	uint64_t	clock_tick;

	if (!flake_in_span(&format->rate, view->now))
		return FLAKE_OUT_OF_SPAN;
	clock_tick = flake_tick_of(&format->rate, view->now);
	if (!next_number(view, flake_unword(format, view->word), clock_tick, patience, step))
	{
		step->until = flake_us_of(&format->rate, clock_tick + 1);
		return FLAKE_EXHAUSTED;
	}
	if ((verdict = may_lease(format, view, clock_tick, step)) != FLAKE_LEASE)
		return verdict;

	if (want < view->stride)
		want = view->stride;
	step->end = want < view->max + 1 - step->next ? step->next + want : view->max + 1;
	leased.tick = step->tick;
	leased.next = step->end;
	step->word = flake_word(format, leased);
	return FLAKE_LEASE;
}

/*
 * Return how many numbers to lease next: four times as many while a session is busy, one after
 * a pause, so that on an idle server the IDs of all sessions are in order; a 32nd of the pool
 * at most.
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
 * Can [next, end), the unused tail of a lease, go back, as no other session has leased numbers
 * above it?  *shorter is then the word to swap in.
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
 * Return the tick with which the other timeline begins.  Timeline 0 sorts below timeline 1 in
 * the same tick, so it begins with the next one.
 */
static uint64_t
first_of_other(const FlakeRate *rate, const FlakeView *v, uint64_t clock_tick)
{
	uint64_t	next = v->timeline == 1 ? clock_tick + 1 : clock_tick;
	uint64_t	above = flake_tick_from(rate, v->safe);

	return next > above ? next : above;
}

/*
 * Return what to do if the clock reads less than a tick-tock generator has issued, with its
 * terms in *regressed.  The other timeline is safe from its mark on, not from the highest tick
 * seen on it, because a session that sleeps before its swap may still swap in any tick below the mark.
 */
FlakeRegression
flake_regression(const FlakeFormat *format, const FlakeView *v, FlakeRegressed *regressed)
{
	const FlakeRate *rate = &format->rate;
	FlakeWord	word = flake_unword(format, v->word);
	uint64_t	clock_tick = flake_tick_of(rate, v->now);
	uint64_t	high = highest(v, word);
	bool		going_ahead = v->ahead_until > clock_tick;
	bool		nearly_caught_up = high - clock_tick <= 1;
	bool		other_is_safe = v->now >= v->safe;
	bool		too_far;

	if (high <= clock_tick)
		return FLAKE_REGRESSION_NONE;
	if (going_ahead && word.timeline == v->timeline && word.tick == high && word.next > v->max)
		high++;
	regressed->tick = high;
	regressed->until = flake_us_of(rate, high) - v->max_ahead;
	too_far = regressed->until > v->now;

	/*
	 * Another session already goes ahead of the clock: a change of timelines
	 * would take its IDs back in time although the clock did not step.  Go a
	 * second further, or an exhausted pool would take the lock every tick.
	 */
	if (going_ahead)
	{
		regressed->ahead_until = high + rate->per_second;
		return too_far ? FLAKE_REGRESSION_TOO_FAR : high <= v->ahead_until ? FLAKE_REGRESSION_NONE : FLAKE_REGRESSION_AHEAD;
	}
	if (nearly_caught_up)
	{
		regressed->until = flake_us_of(rate, high);
		return FLAKE_REGRESSION_WAIT;
	}
	if (other_is_safe)
	{
		regressed->floor = first_of_other(rate, v, clock_tick);
		return FLAKE_REGRESSION_TOGGLE;
	}
	if (too_far)
	{
		/* until it is not, or the other timeline is safe */
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

/* Return where the session with this ordinal (0, 1, 2, ...) begins in a pool: far from those before it. */
uint32_t
flake_spread(uint32_t ordinal, uint32_t pool)
{
	uint64_t	reversed = 0;

	for (int bit = 0; bit < 32; bit++)
		reversed = reversed << 1 | (ordinal >> bit & 1);
	return (uint32_t) (reversed * pool >> 32);
}
