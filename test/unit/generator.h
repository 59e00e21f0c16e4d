/*
 * generator.h
 *		Generators for the tests of the policy, with a clock controlled by the test.
 */
#ifndef GENERATOR_H
#define GENERATOR_H

#include "kernel/flake.h"
#include "tap.h"

static const FlakeFormat *const sno = &flake_sno;

/* sno without its second timeline: the behaviour of a format that can only go ahead. */
static FlakeFormat plain;

static inline void
make_plain(void)
{
	plain = flake_sno;
	plain.tick_tock = false;
}

/* A unit in the middle of the span, for tests that do not care which. */
#define BASE		UINT64_C(100000000)
#define FOREVER		INT64_MAX

static inline int64_t
us_of(uint64_t tick)
{
	return flake_us_of(&sno->rate, tick);
}

static inline uint64_t
word(unsigned timeline, uint64_t tick, uint32_t next)
{
	FlakeWord	parts = {timeline, tick, next};

	return flake_word(sno, parts);
}

/* A view that is limited only by the clock. */
static inline FlakeView
open_view(uint64_t generator, int64_t now)
{
	FlakeView	view = {0};

	view.word = generator;
	view.now = now;
	view.timeline = (unsigned) (generator >> 63);
	view.mark = FOREVER;
	view.max = 65535;
	view.stride = 1;
	return view;
}

/* ---------- a server of one generator ---------- */

/*
 * The same steps as generate.c, without other generators: the mark has no lead,
 * so it always is the end of the last tick issued.
 */
typedef struct Server
{
	const FlakeFormat *format;
	uint64_t	word;
	unsigned	timeline;
	uint32_t	toggles;
	uint64_t	floor[2];
	uint64_t	ahead_until;
	int64_t		mark[2];
	int64_t		max_ahead;
	uint32_t	min;
	uint32_t	max;

	int64_t		now;
	const char *script;			/* units that the clock reads next; NULL:
								 * waiting takes the time it takes */
	int			waits;
} Server;

static inline FlakeView
view_of(const Server *s)
{
	FlakeView	view = {
		.word = s->word,
		.now = s->now,
		.timeline = s->timeline,
		.floor = s->floor[s->timeline],
		.ahead_until = s->ahead_until,
		.mark = s->mark[s->timeline],
		.max_ahead = s->max_ahead,
		.min = s->min,
		.max = s->max,
		.stride = 1,
	};

	return view;
}

/* The next number of the script, which is separated by commas. */
static inline bool
read_script(Server *s)
{
	char	   *end;
	uint64_t	units;

	if (*s->script == '\0')
		return false;
	units = strtoull(s->script, &end, 10);
	if (end == s->script || (*end != '\0' && *end != ','))
		bail_out("clock readings \"%s\" are no numbers", s->script);
	s->script = *end == ',' ? end + 1 : end;
	s->now = flake_us_of(&s->format->rate, units);
	return true;
}

static inline bool
wait_for(Server *s, int64_t until)
{
	s->waits++;
	check(until > s->now, "a wait is for an instant to come");
	if (s->script != NULL)
		return read_script(s);
	s->now = until;
	return true;
}

/* Lease as a backend does; false if the script ends before there is something to lease. */
static inline bool
lease(Server *s, uint32_t want, FlakePatience *patience, FlakeStep *step)
{
	for (int rounds = 0; rounds < 1000; rounds++)
	{
		/* decided for a step back that the clock has since caught up with */
		if (s->now >= flake_us_of(&s->format->rate, s->ahead_until))
			s->ahead_until = 0;
		FlakeView	view = view_of(s);
		FlakeRegressed regressed;

		view.safe = s->mark[1 - s->timeline];
		switch (flake_step(s->format, &view, want, patience, step))
		{
			case FLAKE_LEASE:
				s->word = step->word;
				return true;
			case FLAKE_UNMARKED:
				s->mark[s->timeline] = flake_us_of(&s->format->rate, step->tick + 1);
				continue;
			case FLAKE_EXHAUSTED:
			case FLAKE_TOO_FAR:
				if (!wait_for(s, step->until))
					return false;
				continue;
			case FLAKE_OUT_OF_SPAN:
				return false;
			case FLAKE_BEHIND:
				break;
		}

		switch (flake_regression(s->format, &view, &regressed))
		{
			case FLAKE_REGRESSION_NONE:
				break;
			case FLAKE_REGRESSION_WAIT:
			case FLAKE_REGRESSION_TOO_FAR:
				if (!wait_for(s, regressed.until))
					return false;
				break;
			case FLAKE_REGRESSION_TOGGLE:
				s->timeline = 1 - s->timeline;
				s->floor[s->timeline] = regressed.floor;
				s->toggles++;
				break;
			case FLAKE_REGRESSION_AHEAD:
				s->ahead_until = regressed.ahead_until;
				break;
		}
	}
	check(false, "a caller steps and turns for ever");
	return false;
}

static inline bool
lease_one(Server *s, FlakeStep *step)
{
	FlakePatience patience = {0};

	return lease(s, 1, &patience, step);
}

#endif							/* GENERATOR_H */
