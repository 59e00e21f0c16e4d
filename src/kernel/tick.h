/*
 * tick.h
 *		Ticks and time; tick.c.
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

extern uint64_t flake_tick_of(const FlakeRate *rate, int64_t us);
extern uint64_t flake_tick_from(const FlakeRate *rate, int64_t us);
extern int64_t flake_last_us(const FlakeRate *rate);
extern bool flake_in_span(const FlakeRate *rate, int64_t us);

#pragma GCC visibility pop

#endif							/* FLAKE_TICK_H */
