/*
 * tick.h
 *		Ticks and time, in integers only.
 *
 * A tick contains the instants from its start up to the next tick's start.  If a tick
 * starts between two microseconds (siq counts 1/65536 s), its instant is the first whole
 * microsecond inside it, so that tick_of(us_of(t)) = t always.
 *
 * All of it is inline, so where the rate is a constant, the divisors are, too.
 */
#ifndef FLAKE_TICK_H
#define FLAKE_TICK_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define FLAKE_US_PER_SECOND		INT64_C(1000000)

/*
 * How a format counts time: "per_second" ticks a second.  Microsecond u of a second
 * lies in tick floor(u * mul / div) of that second.
 */
typedef struct FlakeRate
{
	int64_t		epoch_us;		/* start of tick 0, a whole second */
	uint32_t	per_second;
	uint32_t	mul;
	uint32_t	div;
	uint64_t	last_tick;		/* the last one that the format can hold */
} FlakeRate;

/* The first whole microsecond of a tick, since 1970. */
static inline int64_t
flake_us_of(const FlakeRate *rate, uint64_t tick)
{
	uint64_t	seconds = tick / rate->per_second;
	uint64_t	rest = tick % rate->per_second * rate->div;

	return rate->epoch_us + (int64_t) (seconds * FLAKE_US_PER_SECOND +
									   (rest + rate->mul - 1) / rate->mul);
}

/* Return the tick that contains a microsecond of a second since the epoch. */
static inline uint64_t
flake_tick_in(const FlakeRate *rate, uint64_t second, uint64_t us)
{
	return second * rate->per_second + us * rate->mul / rate->div;
}

/* Return the tick that contains us, which must not be before the epoch. */
static inline uint64_t
flake_tick_of(const FlakeRate *rate, int64_t us)
{
	uint64_t	past = (uint64_t) (us - rate->epoch_us);

	return flake_tick_in(rate, past / FLAKE_US_PER_SECOND, past % FLAKE_US_PER_SECOND);
}

/* The first tick that starts at or after us; 0 for an instant before the epoch. */
static inline uint64_t
flake_tick_from(const FlakeRate *rate, int64_t us)
{
	uint64_t	tick;

	if (us <= rate->epoch_us)
		return 0;
	tick = flake_tick_of(rate, us);
	return flake_us_of(rate, tick) < us ? tick + 1 : tick;
}

/* The last microsecond of the span. */
static inline int64_t
flake_last_us(const FlakeRate *rate)
{
	return flake_us_of(rate, rate->last_tick + 1) - 1;
}

/* Is us within the span? */
static inline bool
flake_in_span(const FlakeRate *rate, int64_t us)
{
	return us >= rate->epoch_us && flake_tick_of(rate, us) <= rate->last_tick;
}

#pragma GCC visibility pop

#endif							/* FLAKE_TICK_H */
