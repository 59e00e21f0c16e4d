/*
 * tick.c
 *		Ticks and time, in integers only.
 *
 * A tick contains the instants from its start up to the next tick's start.  If a tick
 * starts between two microseconds (siq counts 1/65536 s), its instant is the first whole
 * microsecond inside it, so that tick_of(us_of(t)) = t always.
 */
#include "kernel/flake.h"

/* Return the tick that contains us, which must not be before the epoch. */
uint64_t
flake_tick_of(const FlakeRate *rate, int64_t us)
{
	uint64_t	past = (uint64_t) (us - rate->epoch_us);
	uint64_t	seconds = past / FLAKE_US_PER_SECOND;
	uint64_t	rest = past % FLAKE_US_PER_SECOND;

	return seconds * rate->per_second + rest * rate->mul / rate->div;
}

/* The first tick that starts at or after us; 0 for an instant before the epoch. */
uint64_t
flake_tick_from(const FlakeRate *rate, int64_t us)
{
	uint64_t	tick;

	if (us <= rate->epoch_us)
		return 0;
	tick = flake_tick_of(rate, us);
	return flake_us_of(rate, tick) < us ? tick + 1 : tick;
}

/* The last microsecond of the span. */
int64_t
flake_last_us(const FlakeRate *rate)
{
	return flake_us_of(rate, rate->last_tick + 1) - 1;
}

/* Is us within the span? */
bool
flake_in_span(const FlakeRate *rate, int64_t us)
{
	return us >= rate->epoch_us && us <= flake_last_us(rate);
}
