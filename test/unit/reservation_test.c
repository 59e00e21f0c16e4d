/*
 * reservation_test.c
 *		The rules of a mark, by tables: merge, advance, raise, reset.
 */
#include "flake.h"
#include "tap.h"

#define S(seconds)		((int64_t) (seconds) * FLAKE_US_PER_SECOND)

/* A mark in seconds: the mark, the gap, what is retired. */
typedef struct Mark
{
	int64_t		mark,
				jump_from,
				jump_to,
				retired_from,
				retired_to;
} Mark;

static FlakeMarkValues
values_of(Mark mark)
{
	FlakeMarkValues values = {{S(mark.mark), S(mark.jump_from), S(mark.jump_to), S(mark.retired_from), S(mark.retired_to)}};

	return values;
}

static void
check_mark(const FlakeMarkValues *got, Mark mark, const char *name)
{
	FlakeMarkValues want = values_of(mark);

	for (int i = 0; i < FLAKE_MARK_VALUES; i++)
		check_int(got->us[i], want.us[i], "%s: value %d", name, i);
}

/* ---------- merge ---------- */

static const struct
{
	const char *name;
	Mark		a,
				b,
				merged;
}			merges[] = {
	{"equal marks", {100, 0, 0, 0, 0}, {100, 0, 0, 0, 0}, {100, 0, 0, 0, 0}},
	{"the later mark wins", {100, 0, 0, 0, 0}, {200, 0, 0, 0, 0}, {200, 0, 0, 0, 0}},
	{"an unset mark loses", {100, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {100, 0, 0, 0, 0}},
	{"the gap belongs to the later mark", {100, 10, 20, 0, 0}, {200, 0, 0, 0, 0}, {200, 0, 0, 0, 0}},
	{"what either has retired stays retired", {100, 0, 0, 300, 400}, {200, 0, 0, 0, 0}, {200, 0, 0, 300, 400}},
	{"and is joined", {100, 0, 0, 300, 400}, {200, 0, 0, 500, 600}, {200, 0, 0, 300, 600}},
};

static void
test_merge(void)
{
	for (size_t i = 0; i < sizeof(merges) / sizeof(merges[0]); i++)
		for (int swapped = 0; swapped < 2; swapped++)
		{
			FlakeMarkValues values = values_of(swapped ? merges[i].b : merges[i].a);
			FlakeMarkValues other = values_of(swapped ? merges[i].a : merges[i].b);

			flake_mark_merge_values(&values, &other);
			check_mark(&values, merges[i].merged, merges[i].name);
		}
	conclude("merge: %zu pairs, either way round", sizeof(merges) / sizeof(merges[0]));
}

/* ---------- advance ---------- */

static const struct
{
	const char *name;
	Mark		mark;
	int64_t		at,				/* s */
				elapsed;
	bool		moved;
	Mark		after;
	int64_t		floor;
}			advances[] = {
	{"the first move", {0, 0, 0, 0, 0}, 1000, 0, true, {1002, 0, 1000, 0, 0}, 1000},
	{"at the mark", {1000, 0, 0, 0, 0}, 1000, 1, true, {1002, 0, 0, 0, 0}, 0},
	{"near the mark", {1001, 0, 0, 0, 0}, 1001 - 0, 1, true, {1003, 0, 0, 0, 0}, 0},
	{"another session was faster", {1002, 0, 0, 0, 0}, 1000, 1, false, {1002, 0, 0, 0, 0}, 0},
	{"a second before the mark is not near", {1001, 0, 0, 0, 0}, 1000, 1, false, {1001, 0, 0, 0, 0}, 0},
	{"a minute is no jump", {1000, 0, 0, 0, 0}, 1060, 0, true, {1062, 0, 0, 0, 0}, 0},
	{"more is one, and nothing is issued in the gap", {1000, 0, 0, 0, 0}, 1061, 0, true, {1063, 1000, 1061, 0, 0}, 1061},
	{"time that has passed is no jump", {1000, 0, 0, 0, 0}, 5000, 3990, true, {5002, 0, 0, 0, 0}, 0},
	{"the jump is remembered by later moves", {1063, 1000, 1061, 0, 0}, 1064, 1, true, {1066, 1000, 1061, 0, 0}, 0},
	{"a later jump takes its place", {1063, 1000, 1061, 0, 0}, 9000, 1, true, {9002, 1063, 9000, 0, 0}, 9000},
	{"what is retired stays", {1000, 0, 0, 7000, 8000}, 1000, 1, true, {1002, 0, 0, 7000, 8000}, 0},
};

static void
test_advance(void)
{
	for (size_t i = 0; i < sizeof(advances) / sizeof(advances[0]); i++)
	{
		FlakeMarkValues values = values_of(advances[i].mark);
		int64_t		floor = -1;

		check_int(flake_mark_advance(&values, S(advances[i].at), S(advances[i].elapsed), &floor),
				  advances[i].moved, "%s: moved", advances[i].name);
		check_mark(&values, advances[i].after, advances[i].name);
		check_int(floor, S(advances[i].floor), "%s: floor", advances[i].name);
	}
	conclude("advance: %zu cases", sizeof(advances) / sizeof(advances[0]));
}

/* ---------- raise ---------- */

static const struct
{
	const char *name;
	Mark		mark;
	int64_t		to,
				retired_from,
				retired_to;
	bool		changed;
	Mark		after;
}			raises[] = {
	{"nothing to raise", {1000, 0, 0, 0, 0}, 0, 0, 0, false, {1000, 0, 0, 0, 0}},
	{"an older instant", {1000, 0, 0, 0, 0}, 900, 0, 0, false, {1000, 0, 0, 0, 0}},
	{"the same instant", {1000, 0, 0, 0, 0}, 1000, 0, 0, false, {1000, 0, 0, 0, 0}},
	{"a later one", {1000, 0, 0, 0, 0}, 1100, 0, 0, true, {1100, 0, 0, 0, 0}},
	{"ends the gap, which counts as issued", {1000, 500, 900, 0, 0}, 1100, 0, 0, true, {1100, 0, 0, 0, 0}},
	{"within the gap it shortens it", {1000, 500, 900, 0, 0}, 600, 0, 0, true, {1000, 600, 900, 0, 0}},
	{"after the gap, before the mark: nothing is left of it", {1000, 500, 900, 0, 0}, 950, 0, 0, true, {1000, 900, 900, 0, 0}},
	{"an interval to retire", {1000, 0, 0, 0, 0}, 0, 2000, 3000, true, {1000, 0, 0, 2000, 3000}},
	{"one that is retired already", {1000, 0, 0, 2000, 3000}, 0, 2100, 2900, false, {1000, 0, 0, 2000, 3000}},
	{"an empty one", {1000, 0, 0, 2000, 3000}, 0, 5000, 5000, false, {1000, 0, 0, 2000, 3000}},
};

static void
test_raise(void)
{
	for (size_t i = 0; i < sizeof(raises) / sizeof(raises[0]); i++)
	{
		FlakeMarkValues values = values_of(raises[i].mark);
		FlakeInterval retired = {S(raises[i].retired_from), S(raises[i].retired_to)};

		check_int(flake_mark_raise_values(&values, S(raises[i].to), retired), raises[i].changed,
				  "%s: changed", raises[i].name);
		check_mark(&values, raises[i].after, raises[i].name);
	}
	conclude("raise: %zu cases", sizeof(raises) / sizeof(raises[0]));
}

/* ---------- reset ---------- */

static const struct
{
	const char *name;
	Mark		mark;
	int64_t		to;
	bool		force;
	FlakeReset	result;
	bool		lower;
	Mark		after;
}			resets[] = {
	{"a mark that leads as it always does stays", {1002, 0, 0, 0, 0}, 1000, false,
	FLAKE_RESET_DONE, false, {1002, 0, 0, 0, 0}},
	{"a mark of the past stays", {500, 0, 0, 0, 0}, 1000, false,
	FLAKE_RESET_DONE, false, {500, 0, 0, 0, 0}},
	{"no gap: refused", {2000, 0, 0, 0, 0}, 1000, false,
	FLAKE_RESET_ISSUED, true, {0, 0, 0, 0, 0}},
	{"before the gap: refused", {9002, 1500, 9000, 0, 0}, 1499, false,
	FLAKE_RESET_ISSUED, true, {0, 0, 0, 0, 0}},
	{"after the gap: refused", {9002, 1500, 8000, 0, 0}, 8001, false,
	FLAKE_RESET_ISSUED, true, {0, 0, 0, 0, 0}},
	{"into the gap: what is after it is retired", {9002, 1500, 9000, 0, 0}, 1600, false,
	FLAKE_RESET_DONE, true, {1600, 0, 0, 9000, 9002}},
	{"at the gap's beginning", {9002, 1500, 9000, 0, 0}, 1500, false,
	FLAKE_RESET_DONE, true, {1500, 0, 0, 9000, 9002}},
	{"what was retired and is past makes room", {9002, 1500, 9000, 1000, 1400}, 1600, false,
	FLAKE_RESET_DONE, true, {1600, 0, 0, 9000, 9002}},
	{"a near one is joined", {9002, 1500, 9000, 9100, 9200}, 1600, false,
	FLAKE_RESET_DONE, true, {1600, 0, 0, 9000, 9200}},
	{"one more than an hour away: refused", {9002, 1500, 9000, 12603, 12700}, 1600, false,
	FLAKE_RESET_RETIRED, true, {0, 0, 0, 0, 0}},
	{"an hour away exactly is joined", {9002, 1500, 9000, 12602, 12700}, 1600, false,
	FLAKE_RESET_DONE, true, {1600, 0, 0, 9000, 12700}},
	{"force goes anywhere", {2000, 0, 0, 0, 0}, 1000, true,
	FLAKE_RESET_DONE, true, {1000, 0, 0, 0, 0}},
	{"force forgets what is retired after the instant", {2000, 0, 0, 3000, 4000}, 1000, true,
	FLAKE_RESET_DONE, true, {1000, 0, 0, 0, 0}},
	{"but not what is retired before it", {2000, 0, 0, 500, 1500}, 1000, true,
	FLAKE_RESET_DONE, true, {1000, 0, 0, 500, 1000}},
	{"force never raises", {500, 0, 0, 0, 0}, 1000, true,
	FLAKE_RESET_DONE, false, {500, 0, 0, 0, 0}},
};

static void
test_reset(void)
{
	for (size_t i = 0; i < sizeof(resets) / sizeof(resets[0]); i++)
	{
		const char *name = resets[i].name;
		FlakeMarkValues values = values_of(resets[i].mark);
		FlakeResetPlan plan;

		check_int(flake_plan_reset(&values, S(resets[i].to), resets[i].force, &plan), resets[i].result, "%s", name);
		check_mark(&values, resets[i].mark, name);
		if (resets[i].result != FLAKE_RESET_DONE)
			continue;
		check_int(plan.lower, resets[i].lower, "%s: lower", name);
		check_mark(&plan.values, resets[i].after, name);
		check(!plan.lower || plan.write, "%s: what is lower is written", name);
	}
	conclude("reset: %zu cases", sizeof(resets) / sizeof(resets[0]));
}

/* ---------- where sessions begin to backfill ---------- */

static void
test_spread(void)
{
	static const uint32_t pools[] = {6, 64, 1000, 8192, 16384, 65536, 131072};

	for (size_t p = 0; p < sizeof(pools) / sizeof(pools[0]); p++)
		for (uint32_t sessions = 1; sessions <= pools[p] && sessions <= 256; sessions *= 2)
			for (uint32_t i = 0; i < sessions; i++)
			{
				uint32_t	at = flake_spread(i, pools[p]);

				check(at < pools[p], "session %u of %u lies in the pool of %u", i, sessions, pools[p]);
				for (uint32_t j = 0; j < i; j++)
				{
					uint32_t	other = flake_spread(j, pools[p]);

					check((at > other ? at - other : other - at) >= pools[p] / sessions,
						  "sessions %u and %u of %u are far apart in %u", i, j, sessions, pools[p]);
				}
			}
	conclude("backfilling sessions divide a pool evenly");
}

int
main(void)
{
	test_merge();
	test_advance();
	test_raise();
	test_reset();
	test_spread();
	return done();
}
