/*
 * tick_test.c
 *		Ticks and time, compared with each format's definition written by hand.
 */
#include "kernel/flake.h"
#include "tap.h"

/*
 * The oracles count from the format's specification, not from mul and div, which
 * are what they test.  us is not before the epoch.  64 bits are enough for each.
 */

/* sno: floor((nanoseconds since 1970 - those of 2010) / 4,000,000) */
static uint64_t
sno_tick(int64_t us)
{
	return (uint64_t) ((us * 1000 - INT64_C(1262304000) * 1000000000) / 4000000);
}

/* siq: 1/65536 s since 1970, the fraction's 16 bits by long division */
static uint64_t
siq_tick(int64_t us)
{
	uint64_t	tick = (uint64_t) us / 1000000;
	uint64_t	rest = (uint64_t) us % 1000000;

	for (int bit = 0; bit < 16; bit++)
	{
		rest *= 2;
		tick = tick << 1 | (rest >= 1000000);
		rest %= 1000000;
	}
	return tick;
}

/* uid: erlang's {A, B, C} with the low ten bits of C dropped, 977 units per second */
static uint64_t
uid_tick(int64_t us)
{
	return (uint64_t) (us / 1000000 * 977 + (us % 1000000 >> 10));
}

/* flax: milliseconds since 2015 */
static uint64_t
ms_tick(int64_t us)
{
	return (uint64_t) (us / 1000 - INT64_C(1420070400000));
}

typedef struct Case
{
	const char *name;
	FlakeRate	rate;
	uint64_t	(*tick_of) (int64_t us);
} Case;

static Case cases[] = {
	{"sno: 4 ms since 2010", {0}, sno_tick},	/* the rate is flake_sno's */
	{"1/65536 s since 1970", {0, 65536, 1024, 15625, (UINT64_C(1) << 56) - 1}, siq_tick},
	{"1.024 ms since 1970", {0, 977, 1, 1024, UINT64_C(1048576) * 1000000 * 977 - 1}, uid_tick},
	{"1 ms since 2015", {INT64_C(1420070400000000), 1000, 1, 1000, (UINT64_C(1) << 40) - 1}, ms_tick},
};

#define CASES	(sizeof(cases) / sizeof(cases[0]))

/* What must hold of every tick of the format. */
static void
check_tick(const Case *c, uint64_t tick)
{
	const FlakeRate *rate = &c->rate;
	int64_t		us = flake_us_of(rate, tick);

	check_int(flake_tick_of(rate, us), tick, "tick %" PRIu64 " has its instant inside", tick);
	check_int(c->tick_of(us), tick, "tick %" PRIu64 " starts where it is defined to", tick);
	check(us == rate->epoch_us || c->tick_of(us - 1) < tick,
		  "us_of(%" PRIu64 ") is the tick's first microsecond", tick);
	check(tick == rate->last_tick || flake_us_of(rate, tick + 1) > us,
		  "tick %" PRIu64 " starts before the next", tick);
	check(flake_in_span(rate, us), "tick %" PRIu64 " starts in the span", tick);
}

/* What must hold of every instant of the span. */
static void
check_instant(const Case *c, int64_t us)
{
	const FlakeRate *rate = &c->rate;
	uint64_t	tick = flake_tick_of(rate, us);
	uint64_t	from = flake_tick_from(rate, us);

	check_int(tick, c->tick_of(us), "tick of %" PRId64, us);
	check(flake_in_span(rate, us), "%" PRId64 " is in the span", us);
	check(flake_us_of(rate, from) >= us && (from == 0 || flake_us_of(rate, from - 1) < us),
		  "tick_from(%" PRId64 ") = %" PRIu64 " is the first that starts there or later", us, from);
}

int
main(void)
{
	seed_random();
	cases[0].rate = flake_sno.rate;

	for (size_t i = 0; i < CASES; i++)
	{
		const Case *c = &cases[i];
		const FlakeRate *rate = &c->rate;
		int64_t		last_us = flake_last_us(rate);
		int64_t		second;

		check_int(flake_us_of(rate, 0), rate->epoch_us, "tick 0 starts at the epoch");
		check_int(flake_tick_from(rate, rate->epoch_us), 0, "tick_from the epoch");
		check_int(flake_tick_from(rate, rate->epoch_us + 1), 1, "tick_from after the epoch");
		check_int(flake_tick_from(rate, rate->epoch_us - 1), 0, "tick_from before the epoch");
		check_int(flake_tick_from(rate, INT64_MIN), 0, "tick_from the beginning of time");
		check(!flake_in_span(rate, rate->epoch_us - 1), "the microsecond before the epoch");
		check(!flake_in_span(rate, INT64_MIN), "the beginning of time");
		check_int(flake_tick_of(rate, last_us), rate->last_tick, "the last microsecond's tick");
		check_int(c->tick_of(last_us + 1), rate->last_tick + 1, "the next microsecond has another");
		check(!flake_in_span(rate, last_us + 1), "the microsecond after the span");
		check(!flake_in_span(rate, INT64_MAX), "the end of time");
		check_instant(c, rate->epoch_us);
		check_instant(c, last_us);
		conclude("%s: the ends of the span", c->name);

		for (uint64_t tick = 0; tick < 3 * (uint64_t) rate->per_second; tick++)
		{
			check_tick(c, tick);
			check_tick(c, rate->last_tick - tick);
		}
		for (int n = 0; n < 100000; n++)
			check_tick(c, random_below(rate->last_tick + 1));
		conclude("%s: ticks, the first and last seconds and at random", c->name);

		/* every microsecond of one whole second and a few around it */
		second = rate->epoch_us / FLAKE_US_PER_SECOND +
			(int64_t) random_below((uint64_t) (last_us - rate->epoch_us) / FLAKE_US_PER_SECOND - 1);
		for (int64_t us = -10; us < FLAKE_US_PER_SECOND + 10; us++)
		{
			int64_t		at = second * FLAKE_US_PER_SECOND + us;

			if (at >= rate->epoch_us)
				check_int(flake_tick_of(rate, at), c->tick_of(at), "tick of %" PRId64, at);
		}
		for (int n = 0; n < 100000; n++)
			check_instant(c, rate->epoch_us +
						  (int64_t) random_below((uint64_t) (last_us - rate->epoch_us) + 1));
		conclude("%s: instants, second %" PRId64 " and at random", c->name, second);
	}
	return done();
}
