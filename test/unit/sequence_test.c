/*
 * sequence_test.c
 *		What the generator's policy leases: from which tick, and which part of
 *		its pool.
 */
#include "generator.h"

/* ---------- the word ---------- */

static void
words(void)
{
	static const uint32_t nexts[] = {0, 1, 65535, 65536};
	static const uint64_t ticks[] = {0, 1, BASE, (UINT64_C(1) << 39) - 1};

	for (unsigned timeline = 0; timeline < 2; timeline++)
	{
		uint64_t	last = 0;
		bool		first = true;

		for (int t = 0; t < 4; t++)
		{
			for (int n = 0; n < 4; n++)
			{
				uint64_t	packed = word(timeline, ticks[t], nexts[n]);
				FlakeWord	back = flake_unword(sno, packed);

				check_int(back.timeline, timeline, "timeline of %" PRIx64, packed);
				check_int(back.tick, ticks[t], "tick of %" PRIx64, packed);
				check_int(back.next, nexts[n], "next of %" PRIx64, packed);
				check(first || packed > last, "%" PRIx64 " is above the one before", packed);
				last = packed;
				first = false;
			}
		}
	}
	conclude("words come back and rise with tick and number, up to next = 65536");
}

/* ---------- steps ---------- */

/* One step from a view with fresh patience: [next, end) of tick, or another verdict. */
static void
check_lease(const FlakeFormat *format, FlakeView view, uint32_t want, uint64_t tick,
			uint32_t next, uint32_t end, const char *what)
{
	FlakePatience patience = {0};
	FlakeStep	step = {0};
	FlakeVerdict verdict = flake_step(format, &view, want, &patience, &step);
	FlakeWord	swapped = flake_unword(format, step.word);

	check_int(verdict, FLAKE_LEASE, "%s", what);
	check_int(step.tick, tick, "%s: tick", what);
	check_int(step.next, next, "%s: next", what);
	check_int(step.end, end, "%s: end", what);
	check(swapped.timeline == view.timeline && swapped.tick == tick && swapped.next == end,
		  "%s: the word to swap in says so", what);
}

static FlakeStep
check_verdict(const FlakeFormat *format, FlakeView view, FlakeVerdict want, const char *what)
{
	FlakePatience patience = {0};
	FlakeStep	step = {0};

	check_int(flake_step(format, &view, 1, &patience, &step), want, "%s", what);
	return step;
}

static void
steps(void)
{
	const FlakeFormat *formats[] = {sno, &plain};

	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		FlakeView	v = open_view(0, us_of(BASE) + 1234);

		check_lease(f, v, 8, BASE, 0, 8, "a fresh generator");
		v.min = 10;
		v.max = 20;
		check_lease(f, v, 8, BASE, 10, 18, "a fresh generator with a pool");
		check_lease(f, v, 100, BASE, 10, 21, "no more than the pool");
		v.word = word(0, BASE, 15);
		check_lease(f, v, 2, BASE, 15, 17, "further in the same tick");
		v.word = word(0, BASE, 20);
		check_lease(f, v, 2, BASE, 20, 21, "the pool's last number");
		v.word = word(0, BASE - 1, 15);
		check_lease(f, v, 2, BASE, 10, 12, "a new tick starts the pool again");
		v.word = word(0, BASE - 1, 21);
		check_lease(f, v, 2, BASE, 10, 12, "so it does after an exhausted one");
		v.word = word(0, BASE, 15);
		v.floor = BASE;
		check_lease(f, v, 2, BASE, 15, 17, "a floor at the tick itself");
		v.word = word(0, BASE - 5, 15);
		v.floor = BASE + 3;
		v.ahead_until = BASE + 3;
		v.max_ahead = FLAKE_US_PER_SECOND;
		check_lease(f, v, 2, BASE + 3, 10, 12, "a floor above clock and word");
		v.word = word(0, BASE + 2, 15);
		check_lease(f, v, 2, BASE + 3, 10, 12, "a floor above a word that runs ahead");
		v.word = word(0, BASE + 3, 15);
		check_lease(f, v, 2, BASE + 3, 15, 17, "a word ahead of the clock, on the floor");
	}
	conclude("what a step leases");

	{
		FlakeView	v = open_view(word(1, BASE + 1000, 30), us_of(BASE));

		v.timeline = 0;
		check_lease(sno, v, 2, BASE, 0, 2, "the word of the other timeline, ahead");
		v.word = word(1, BASE, 30);
		check_lease(sno, v, 2, BASE, 0, 2, "the word of the other timeline, in the same tick");
		v.word = word(0, BASE, 30);
		v.timeline = 1;
		check_lease(sno, v, 2, BASE, 0, 2, "the same from 0 to 1");
		v.floor = BASE;
		v.word = word(1, BASE - 1, 30);
		check_lease(sno, v, 2, BASE, 0, 2, "up to the floor of the timeline in force");
	}
	conclude("a word of the other timeline does not count");

	{
		FlakeView	v = open_view(0, us_of(BASE) + 100);

		v.mark = us_of(BASE);
		check_int(check_verdict(sno, v, FLAKE_UNMARKED, "a tick that starts at the mark").tick, BASE,
				  "the mark must pass this tick");
		v.mark = us_of(BASE) + 1;
		check_lease(sno, v, 1, BASE, 0, 1, "a tick that starts before the mark");
		v.mark = 0;
		check_verdict(sno, v, FLAKE_UNMARKED, "no mark at all");
	}
	conclude("a tick is issued if it starts before the mark");

	{
		FlakeView	v = open_view(word(0, BASE + 100, 7), us_of(BASE));

		v.max_ahead = us_of(BASE + 100) - v.now;
		check_lease(&plain, v, 1, BASE + 100, 7, 8, "as far ahead as allowed");
		v.max_ahead--;
		check_int(check_verdict(&plain, v, FLAKE_TOO_FAR, "one microsecond more").until, v.now + 1,
				  "the clock must read");
		v.ahead_until = BASE + 100;
		check_verdict(sno, v, FLAKE_BEHIND, "too far with a timeline to turn to");
		v.max_ahead++;
		check_lease(sno, v, 1, BASE + 100, 7, 8, "going ahead");
		v.ahead_until--;
		check_int(check_verdict(sno, v, FLAKE_BEHIND, "beyond what was decided").tick, BASE + 100,
				  "the tick ahead");
		v.ahead_until = 0;
		check_verdict(sno, v, FLAKE_BEHIND, "nothing was decided");
	}
	conclude("ahead of the clock: up to max_ahead, for sno up to what was decided");
}

static void
spans(void)
{
	const FlakeFormat *formats[] = {sno, &plain};
	uint64_t	last = sno->rate.last_tick;
	int64_t		last_us = flake_last_us(&sno->rate);

	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		FlakePatience patience = {0};
		FlakeStep	step;
		FlakeView	v = open_view(0, sno->rate.epoch_us);

		check_lease(f, v, 1, 0, 0, 1, "the first microsecond");
		v.now--;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a clock before the epoch");
		v.now = 0;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a clock of 1970");
		v.word = word(0, BASE, 1);
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a generator of today, a clock of 1970");
		v.word = 0;
		v.now = last_us;
		check_lease(f, v, 1, last, 0, 1, "the last microsecond");
		v.now++;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a clock after the span");

		v.word = word(0, last, 65536);
		v.now = last_us;
		check_verdict(f, v, FLAKE_EXHAUSTED, "the last tick is exhausted");

		/* ahead of the clock the ticks end as well */
		v.now = us_of(last - 10);
		v.ahead_until = UINT64_MAX;
		v.max_ahead = FOREVER;
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "ahead and exhausted");
		v.now = us_of(last - 9);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_OUT_OF_SPAN, "no tick after the last");
		v.word = word(0, BASE, 1);
		v.floor = last + 1;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a floor after the last tick");
	}
	conclude("a clock or a tick outside the span is refused, never wrapped");
}

/* ---------- pools ---------- */

static const struct
{
	uint32_t	min;
	uint32_t	max;
}			pools[] = {{0, 65535}, {10, 20}, {65530, 65535}, {7, 7}};

#define POOLS	(sizeof(pools) / sizeof(pools[0]))

/* Empty a tick's pool in leases of "size", 0 for doubling ones, -1 for random ones. */
static void
drain(FlakeView *view, int size)
{
	uint32_t	expected = view->min;
	uint32_t	want = 1;
	FlakePatience patience = {0};
	FlakeStep	step;

	/* bounded like the pool: a wrong policy must fail, not hang */
	for (uint32_t leases = view->min; leases <= view->max; leases++)
	{
		if (size > 0)
			want = (uint32_t) size;
		else if (size < 0)
			want = 1 + (uint32_t) random_below(1024);
		if (flake_step(sno, view, want, &patience, &step) != FLAKE_LEASE)
			break;
		check_int(step.next, expected, "a lease starts where the last one ended");
		check(step.end > step.next && step.end - step.next <= want, "it holds 1 to %" PRIu32, want);
		check(step.end <= view->max + 1, "it stays in the pool");
		expected = step.end;
		view->word = step.word;
		want = flake_next_want(want, true, view->min, view->max);
	}
	check_int(expected, view->max + 1, "the leases cover %" PRIu32 " to %" PRIu32, view->min, view->max);
	check_int(flake_step(sno, view, 1, &patience, &step), FLAKE_EXHAUSTED, "then there is no more");
	check_int(step.until, us_of(flake_tick_of(&sno->rate, view->now) + 1), "until the next tick starts");
}

static void
pool_exhaustion(void)
{
	for (size_t i = 0; i < POOLS; i++)
	{
		FlakeView	v = open_view(0, us_of(BASE));

		v.min = pools[i].min;
		v.max = pools[i].max;
		for (int size = -1; size <= 1024; size++)
		{
			drain(&v, size);
			v.now = us_of(flake_tick_of(&sno->rate, v.now) + 1) + (int64_t) random_below(4000);
		}
		conclude("pool %" PRIu32 "-%" PRIu32 ": each number of a tick once, in leases of any size",
				 v.min, v.max);
	}
}

static void
lease_sizes(void)
{
	uint32_t	want = 1;

	for (uint32_t expected = 1; expected < 2048; expected *= 4)
	{
		check_int(want, expected, "four times as much");
		want = flake_next_want(want, true, 0, 65535);
	}
	check_int(want, 2048, "up to a 32nd of the pool");
	check_int(flake_next_want(want, true, 0, 65535), 2048, "and no more");
	check_int(flake_next_want(want, false, 0, 65535), 1, "one after a pause");
	check_int(flake_next_want(4, true, 1000, 1319), 10, "a pool of 320");
	for (uint32_t max = 0; max < 63; max++)
		check_int(flake_next_want(1, true, 0, max), 1, "a pool of %" PRIu32, max + 1);
	check_int(flake_next_want(1, true, 0, 63), 2, "a pool of 64");
	conclude("leases of a busy session grow fourfold, to a 32nd of the pool");
}

/* Callers that take several aligned numbers per ID, mixed with others that take one. */
static void
strides(void)
{
	FlakeView	v = open_view(word(0, BASE, 0), us_of(BASE));

	v.stride = 8;
	check_lease(&plain, v, 1, BASE, 0, 8, "at least one ID's worth");
	check_lease(&plain, v, 20, BASE, 0, 20, "more, if wanted");
	v.word = word(0, BASE, 1);
	check_lease(&plain, v, 1, BASE, 8, 16, "aligned, and 1 to 7 are skipped");
	v.word = word(0, BASE, 16);
	check_lease(&plain, v, 1, BASE, 16, 24, "aligned already");
	v.word = word(0, BASE, 65528);
	check_lease(&plain, v, 64, BASE, 65528, 65536, "the pool's last ID");
	v.word = word(0, BASE, 65529);
	check_verdict(&plain, v, FLAKE_EXHAUSTED, "no space for another");
	v.stride = 4;
	check_lease(&plain, v, 1, BASE, 65532, 65536, "but for a smaller one");
	v.word = word(0, BASE, 10);
	v.stride = 8;
	v.max = 23;
	check_lease(&plain, v, 1, BASE, 16, 24, "a pool that ends where the ID does");
	v.max = 22;
	check_verdict(&plain, v, FLAKE_EXHAUSTED, "a pool that ends within it");

	for (int round = 0; round < 50; round++)
	{
		uint32_t	last = 0;

		v = open_view(word(0, BASE, 0), us_of(BASE));
		v.max = 4095 - (uint32_t) random_below(64);
		for (uint32_t leases = 0; leases <= v.max; leases++)
		{
			uint32_t	want = 1 + (uint32_t) random_below(100);
			FlakePatience patience = {0};
			FlakeStep	step;

			v.stride = UINT32_C(1) << random_below(6);
			if (flake_step(&plain, &v, want, &patience, &step) != FLAKE_LEASE)
			{
				check(last + 2 * v.stride - 1 > v.max + 1, "%" PRIu32 ": exhausted too early", last);
				break;
			}
			check(step.next >= last && step.next - last < v.stride, "after %" PRIu32, last);
			check_int(step.next % v.stride, 0, "aligned");
			check(step.end - step.next >= v.stride && step.end <= v.max + 1, "space for an ID, in the pool");
			last = step.end;
			v.word = step.word;
		}
	}
	conclude("IDs that take several numbers are aligned and do not overlap the others");
}

static void
giving_back(void)
{
	uint64_t	leased = word(1, BASE, 20);
	uint64_t	shorter = 0;

	check(flake_give_back(sno, leased, 1, BASE, 13, 20, &shorter), "the tail of the last lease");
	check_int(shorter, word(1, BASE, 13), "is free again");
	check(flake_give_back(sno, leased, 1, BASE, 10, 20, &shorter), "an unused lease");
	check_int(shorter, word(1, BASE, 10), "is free again");
	check(flake_give_back(sno, word(0, BASE, 65536), 0, BASE, 65535, 65536, &shorter), "of the pool's end");
	check_int(shorter, word(0, BASE, 65535), "the tick is no longer exhausted");

	shorter = 42;
	check(!flake_give_back(sno, leased, 1, BASE, 20, 20, &shorter), "no tail");
	check(!flake_give_back(sno, word(1, BASE, 21), 1, BASE, 13, 20, &shorter), "leased further since");
	check(!flake_give_back(sno, word(1, BASE, 13), 1, BASE, 13, 20, &shorter), "given back before");
	check(!flake_give_back(sno, word(1, BASE + 1, 20), 1, BASE, 13, 20, &shorter), "another tick");
	check(!flake_give_back(sno, word(0, BASE, 20), 1, BASE, 13, 20, &shorter), "another timeline");
	check_int(shorter, 42, "and there is no result");
	conclude("a lease's tail goes back while it is the last of its tick");
}

/* Rule: next = max(next, min), never a reset; so pools may even overlap. */
static void
changed_pools(void)
{
	FlakeView	v = open_view(word(0, BASE, 10), us_of(BASE));

	v.max = 100;
	check_lease(sno, v, 1, BASE, 10, 11, "the pool 0-100");
	v.min = 5;
	v.max = 20;
	check_lease(sno, v, 1, BASE, 10, 11, "moved to 5-20: goes on");
	v.min = 50;
	v.max = 60;
	check_lease(sno, v, 1, BASE, 50, 51, "moved up to 50-60: starts there");
	v.word = word(0, BASE, 61);
	check_verdict(sno, v, FLAKE_EXHAUSTED, "used up");
	v.min = 0;
	v.max = 100;
	check_lease(sno, v, 1, BASE, 61, 62, "and back: never again below 61");
	v.max = 5;
	check_verdict(sno, v, FLAKE_EXHAUSTED, "moved below what was leased");

	for (int round = 0; round < 200; round++)
	{
		static bool issued[65536];
		FlakePatience patience = {0};
		FlakeStep	step;

		memset(issued, 0, sizeof(issued));
		v = open_view(0, us_of(BASE + (uint64_t) round));
		for (int n = 0; n < 200; n++)
		{
			v.min = (uint32_t) random_below(65536);
			v.max = v.min + (uint32_t) random_below(65536 - v.min);
			if (flake_step(sno, &v, 1 + (uint32_t) random_below(300), &patience, &step) != FLAKE_LEASE)
				continue;
			for (uint32_t i = step.next; i < step.end; i++)
			{
				check(i >= v.min && i <= v.max, "%" PRIu32 " is in the pool", i);
				check(!issued[i], "%" PRIu32 " for the first time", i);
				issued[i] = true;
			}
			v.word = step.word;
		}
	}
	conclude("a pool changed within a tick repeats nothing");
}

/* ---------- where sessions start to backfill ---------- */

static void
test_spread(void)
{
	static const uint32_t sizes[] = {6, 64, 1000, 8192, 16384, 65536, 131072};

	for (size_t p = 0; p < sizeof(sizes) / sizeof(sizes[0]); p++)
		for (uint32_t sessions = 1; sessions <= sizes[p] && sessions <= 256; sessions *= 2)
			for (uint32_t i = 0; i < sessions; i++)
			{
				uint32_t	at = flake_spread(i, sizes[p]);

				check(at < sizes[p], "session %u of %u is in the pool of %u", i, sessions, sizes[p]);
				for (uint32_t j = 0; j < i; j++)
				{
					uint32_t	other = flake_spread(j, sizes[p]);

					check((at > other ? at - other : other - at) >= sizes[p] / sessions,
						  "sessions %u and %u of %u are far apart in %u", i, j, sessions, sizes[p]);
				}
			}
	conclude("backfilling sessions divide a pool evenly");
}

int
main(void)
{
	seed_random();
	make_plain();

	words();
	steps();
	spans();
	pool_exhaustion();
	lease_sizes();
	strides();
	giving_back();
	changed_pools();
	test_spread();
	return done();
}
