/*
 * regression_test.c
 *		The generator's policy when the clock is behind its IDs: going ahead,
 *		and the consequences of a step back.
 */
#include "generator.h"

/* ---------- ahead of the clock ---------- */

static void
patience_ahead(void)
{
	const FlakeFormat *formats[] = {sno, &plain};

	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		uint64_t	ahead = BASE + 50;
		FlakePatience patience = {0};
		FlakePatience other = {0};
		FlakeStep	step;
		FlakeView	v = open_view(word(0, ahead, 65536), us_of(BASE) + 3999);

		v.ahead_until = UINT64_MAX;
		v.max_ahead = FLAKE_US_PER_SECOND;
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "found exhausted");
		check_int(step.until, us_of(BASE + 1), "until the clock's next tick");
		check_int(step.tick, ahead, "the tick");
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "the clock has not moved");
		v.now++;
		check_int(flake_step(f, &v, 1, &other, &step), FLAKE_EXHAUSTED, "another finds it exhausted now");
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_LEASE, "the clock has moved by a tick");
		check_int(step.tick, ahead + 1, "one tick further");
		check_int(step.next, 0, "from the pool's start");
		v.now += 3999;
		check_int(flake_step(f, &v, 1, &other, &step), FLAKE_EXHAUSTED, "less than a tick since he found it");
		v.now = us_of(BASE + 7);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_LEASE, "the clock has moved by seven");
		check_int(step.tick, ahead + 1, "still one tick further");

		/* exhausted again by somebody else: the wait starts again */
		v.word = word(0, ahead + 1, 65536);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "the next one is exhausted");
		v.now = us_of(BASE + 8);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_LEASE, "the clock has moved by a tick");
		check_int(step.tick, ahead + 2, "and the next one");
	}
	conclude("ahead of the clock, tick T + 1 opens a tick after T was found exhausted");

	/*
	 * The clock steps back while a caller waits: the caller remembers a later
	 * clock, and must not wait for it.
	 */
	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		FlakePatience patience = {0};
		FlakeStep	step;
		FlakeView	v = open_view(word(0, BASE, 65536), us_of(BASE));

		v.max_ahead = 60 * FLAKE_US_PER_SECOND;
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "exhausted in the present");
		v.now = us_of(BASE - 1000);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "the clock stepped back");
		v.now = us_of(BASE - 999);
		check_int(flake_step(f, &v, 1, &patience, &step), f->tick_tock ? FLAKE_BEHIND : FLAKE_LEASE,
				  "%s: a tick later it goes on", f->tick_tock ? "sno" : "plain");
		check_int(step.tick, BASE + 1, "with the next tick");
	}
	conclude("a caller's patience does not outlast a clock that steps back");
}

/*
 * Several callers that take all they can get, a generator that is "ahead"
 * ticks ahead of the clock after a restart, a clock that moves by less than a
 * tick.
 */
static void
overload(const FlakeFormat *format, uint64_t ahead)
{
	Server		s = {
		.format = format,
		.max_ahead = us_of(ahead) - us_of(0),
		.min = 100,
		.max = 163,
		.now = us_of(BASE),
	};
	FlakePatience patience[3] = {0};
	FlakeStep	step;
	uint64_t	first_tick = BASE + ahead;
	FlakeWord	used = {0, first_tick, s.max + 1};
	uint64_t	last = 0;
	uint64_t	most = 0;

	s.word = flake_word(format, used);
	s.mark[1] = FOREVER;		/* a past that is not safe */
	s.script = "";				/* a caller that must wait gives up for this
								 * round */

	for (int n = 0; n < 100000; n++)
	{
		int			callers = 0;

		s.now += 500 + (int64_t) random_below(3500);
		for (int c = (int) random_below(3); callers < 3; c = (c + 1) % 3, callers++)
		{
			/* a tick's pool at most, and one number at least each time */
			for (uint32_t leases = s.min; leases <= s.max + 1; leases++)
			{
				uint64_t	clock_tick = flake_tick_of(&format->rate, s.now);
				uint64_t	at;

				if (!lease(&s, 1 + (uint32_t) random_below(40), &patience[c], &step))
					break;
				at = step.tick << 16 | step.next;
				check(at >= last, "numbers rise");
				last = step.tick << 16 | step.end;
				if (step.tick > clock_tick && step.tick - clock_tick > most)
					most = step.tick - clock_tick;
			}
		}
	}
	check(most <= ahead, "%" PRIu64 " ticks ahead, %" PRIu64 " at the start", most, ahead);
	check_int((last >> 16) - first_tick, flake_tick_of(&format->rate, s.now) - BASE,
			  "yet every tick of the clock opens one");
	conclude("%s, overload from %" PRIu64 " ticks ahead: the distance does not grow",
			 format->tick_tock ? "sno" : "plain", ahead);
}

/* ---------- turns ---------- */

/* One view to decide on; by default the past is safe, nothing is decided, and max_ahead has no limit. */
typedef struct TurnCase
{
	const char *what;
	unsigned	timeline;
	int			word;			/* ticks from BASE, on the timeline in force */
	uint32_t	next;
	bool		other;			/* the word has the other timeline */
	int			floor;			/* ticks from BASE; 0 for none */
	int			clock;			/* ticks from BASE */
	int			clock_us;		/* and microseconds */
	int			safe;			/* microseconds from BASE's start */
	int			ahead_until;	/* ticks from BASE; 0 for none */
	int			max_ahead;		/* microseconds; 0 for no limit */

	FlakeRegression turn;
	int			result;			/* floor or ahead_until in ticks from BASE,
								 * until in microseconds */
} TurnCase;

#define LONG_AGO	(-1000000000)

static const TurnCase turn_cases[] = {
	{.what = "the clock has caught up", .word = 5, .clock = 5, .safe = LONG_AGO, .turn = FLAKE_REGRESSION_NONE},
	{.what = "the clock is past", .word = 5, .clock = 9, .safe = LONG_AGO, .turn = FLAKE_REGRESSION_NONE},
	{.what = "another toggled in the meantime", .word = 500, .other = true, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_NONE},

	{.what = "one unit behind", .word = 10, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "a microsecond behind", .word = 10, .clock = 9, .clock_us = 3999, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "one unit behind, unsafe", .word = 10, .clock = 9, .safe = 1000000,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "one unit behind, too far", .word = 10, .clock = 9, .safe = 1000000, .max_ahead = 1,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "one unit behind the floor", .word = 3, .floor = 10, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},

	{.what = "two units behind", .word = 11, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "two units behind the floor", .word = 3, .floor = 11, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "the floor of a generator that is on the other timeline", .word = 900, .other = true,
	.floor = 11, .clock = 9, .safe = LONG_AGO, .turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "behind and exhausted", .word = 11, .next = 65536, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "farther behind than max_ahead, safe", .word = 100000, .clock = 9, .safe = LONG_AGO,
	.max_ahead = 1000, .turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "from 1 to 0: the next unit", .timeline = 1, .word = 100, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 10},
	{.what = "safe this very microsecond", .word = 100, .clock = 9, .safe = 36000,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "safe within this unit: above it", .word = 100, .clock = 9, .clock_us = 1, .safe = 36001,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 10},
	{.what = "safe within this unit, from 1 to 0: above it, once", .timeline = 1, .word = 100,
	.clock = 9, .clock_us = 1, .safe = 36001, .turn = FLAKE_REGRESSION_TOGGLE, .result = 10},

	{.what = "safe in a microsecond", .word = 100, .clock = 9, .safe = 36001,
	.turn = FLAKE_REGRESSION_AHEAD, .result = 100},
	{.what = "unsafe", .timeline = 1, .word = 100, .clock = 9, .safe = 9999999,
	.turn = FLAKE_REGRESSION_AHEAD, .result = 100},
	{.what = "unsafe, the floor is higher", .word = 100, .floor = 200, .clock = 9,
	.safe = 9999999, .turn = FLAKE_REGRESSION_AHEAD, .result = 200},
	{.what = "unsafe, just not too far", .word = 100, .clock = 9, .safe = 9999999,
	.max_ahead = 364000, .turn = FLAKE_REGRESSION_AHEAD, .result = 100},
	{.what = "unsafe and too far by a microsecond", .word = 100, .clock = 9, .safe = 9999999,
	.max_ahead = 363999, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 36001},
	{.what = "unsafe and too far, but safe before it is near enough", .word = 100, .clock = 9,
	.safe = 36002, .max_ahead = 363990, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 36002},

	{.what = "others go ahead: no toggling", .word = 100, .clock = 9, .safe = LONG_AGO, .ahead_until = 100,
	.turn = FLAKE_REGRESSION_NONE},
	{.what = "others go ahead, one unit left: no waiting", .word = 10, .clock = 9, .safe = LONG_AGO,
	.ahead_until = 10, .turn = FLAKE_REGRESSION_NONE},
	{.what = "going ahead, exhausted within what was decided", .word = 100, .next = 65536, .clock = 9,
	.safe = LONG_AGO, .ahead_until = 101, .turn = FLAKE_REGRESSION_NONE},
	{.what = "going ahead, exhausted at its end", .word = 100, .next = 65536, .clock = 9,
	.safe = LONG_AGO, .ahead_until = 100, .turn = FLAKE_REGRESSION_AHEAD, .result = 101 + 250},
	{.what = "going ahead, too far", .word = 100, .clock = 9, .safe = LONG_AGO, .ahead_until = 100,
	.max_ahead = 363999, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 36001},
	{.what = "going ahead, exhausted and the next tick too far", .word = 100, .next = 65536, .clock = 9,
	.safe = LONG_AGO, .ahead_until = 350, .max_ahead = 364000, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 40000},
	{.what = "the clock has reached the end of going ahead", .word = 100, .clock = 50,
	.safe = LONG_AGO, .ahead_until = 50, .turn = FLAKE_REGRESSION_TOGGLE, .result = 50},

	{.what = "others go ahead, but not as far as this one is: no toggling", .word = 1000,
	.clock = 9, .safe = LONG_AGO, .ahead_until = 100, .turn = FLAKE_REGRESSION_AHEAD, .result = 1000 + 250},
};

static void
turns(void)
{
	for (size_t i = 0; i < sizeof(turn_cases) / sizeof(turn_cases[0]); i++)
	{
		const TurnCase *c = &turn_cases[i];
		uint64_t	tick = BASE + (uint64_t) c->word;
		FlakeView	v = open_view(word(c->other ? 1 - c->timeline : c->timeline, tick, c->next),
								  us_of(BASE + (uint64_t) c->clock) + c->clock_us);
		FlakeRegressed regressed = {0};
		FlakeRegression turn;

		v.timeline = c->timeline;
		v.max_ahead = c->max_ahead != 0 ? c->max_ahead : INT64_C(3600) * FLAKE_US_PER_SECOND;
		if (c->floor != 0)
			v.floor = BASE + (uint64_t) c->floor;
		if (c->ahead_until != 0)
			v.ahead_until = BASE + (uint64_t) c->ahead_until;
		v.safe = us_of(BASE) + c->safe;

		turn = flake_regression(sno, &v, &regressed);
		check_int(turn, c->turn, "%s", c->what);
		if (turn != c->turn)
			continue;
		switch (turn)
		{
			case FLAKE_REGRESSION_NONE:
				break;
			case FLAKE_REGRESSION_TOGGLE:
				check_int(regressed.floor - BASE, c->result, "%s: floor", c->what);
				break;
			case FLAKE_REGRESSION_AHEAD:
				check_int(regressed.ahead_until - BASE, c->result, "%s: ahead_until", c->what);
				break;
			case FLAKE_REGRESSION_WAIT:
			case FLAKE_REGRESSION_TOO_FAR:
				check_int(regressed.until - us_of(BASE), c->result, "%s: until", c->what);
				check(regressed.until > v.now, "%s: an instant to come", c->what);
				break;
		}
	}
	conclude("the consequences of a clock behind the generator");
}

/*
 * There and back again: what each timeline has issued stays below what it issues
 * next, and whatever max_ahead is, a caller who cannot lease waits.
 */
static void
timelines(int64_t max_ahead)
{
	Server		s = {.format = sno, .max_ahead = max_ahead, .max = 5, .now = us_of(BASE)};
	uint64_t	top[2] = {0, 0};	/* one past the highest (tick, number) of
									 * each timeline */

	for (int n = 0; n < 20000; n++)
	{
		FlakeStep	step;
		int64_t		jump = (int64_t) random_below(2000);

		/* now and then the clock is set, as often forward as back */
		if (random_below(25) == 0)
			jump = (int64_t) random_below(UINT64_C(1) << random_below(24)) * (random_below(2) ? 1 : -1);
		s.now += jump;
		if (!lease_one(&s, &step))
			continue;
		check((step.tick << 16 | step.next) >= top[s.timeline], "%" PRIu64 ":%" PRIu32 " on timeline %u",
			  step.tick, step.next, s.timeline);
		check(us_of(step.tick) < s.mark[s.timeline], "below the mark");
		check(us_of(step.tick) - s.now <= max_ahead, "within max_ahead");
		top[s.timeline] = step.tick << 16 | step.end;
	}
	check(s.toggles > 10 && s.waits > 10, "%" PRIu32 " toggles and %d waits", s.toggles, s.waits);
	conclude("a clock that steps back at random, %" PRId64 " us ahead at most: timelines only rise",
			 max_ahead);
}

int
main(void)
{
	seed_random();
	make_plain();

	patience_ahead();
	overload(&plain, 0);
	overload(&plain, 250);
	overload(sno, 250);
	turns();
	timelines(0);
	timelines(10000);
	timelines(FLAKE_US_PER_SECOND);
	return done();
}
