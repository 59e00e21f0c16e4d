/*
 * announcement_test.c
 *		What transactions announce and leave in notes, and what readers conclude, in tables.
 */
#include "kernel/flake.h"
#include "tap.h"

#define MS(n)			((uint64_t) (n) * 1000)
#define LIVE			(UINT64_C(1790000000000))	/* ms: some time of 2026 */

/* ---------- announcing ---------- */

static const struct
{
	const char *name;
	uint64_t	announced;
	int64_t		us;
	uint64_t	then;
}			announcements[] = {
	{"the first ID", 0, 5000, 5000},
	{"a later one", 5000, 6000, 5000},
	{"one of the same instant", 5000, 5000, 5000},
	{"an earlier one, of a lease that was kept or of a coarser format", 5000, 4000, 4000},
	{"the first microsecond of all is announced, too", 0, 0, 1},
	{"... and so is everything before it", 5000, -7, 1},
};

static void
test_announcement(void)
{
	for (size_t i = 0; i < sizeof(announcements) / sizeof(announcements[0]); i++)
		check_int((int64_t) flake_announcement(announcements[i].announced, announcements[i].us),
				  (int64_t) announcements[i].then, "%s", announcements[i].name);
	conclude("announcing: only ever an earlier instant");
}

/* ---------- notes ---------- */

/* Two transactions with one place: what each finds there after both have written their notes, in this order. */
static const struct
{
	const char *name;
	uint32_t	first,
				second;
	FlakeNoted	of_first,
				of_second;
}			pairs[] = {
	{"a later one takes the place", 5, 5 + FLAKE_NOTES, FLAKE_NOTED_LATER, FLAKE_NOTED},
	{"an older one does not", 5 + FLAKE_NOTES, 5, FLAKE_NOTED, FLAKE_NOTED_LATER},
	{"later, across the wraparound", UINT32_MAX - FLAKE_NOTES + 6, 5 + 0, FLAKE_NOTED_LATER, FLAKE_NOTED},
	{"older, across the wraparound", 5, UINT32_MAX - FLAKE_NOTES + 6, FLAKE_NOTED, FLAKE_NOTED_LATER},
	{"2^30 later", 5, 5 + (1u << 30), FLAKE_NOTED_LATER, FLAKE_NOTED},
	{"2^30 older", 5 + (1u << 30), 5, FLAKE_NOTED, FLAKE_NOTED_LATER},
};

static void
test_notes(void)
{
	uint64_t	note;
	uint64_t	announced = 0;

	check_int(flake_noted(0, 5, &announced), FLAKE_NOTED_NOTHING, "an empty place");
	note = flake_note(0, 5, MS(LIVE) + 999);
	check_int(flake_noted(note, 5, &announced), FLAKE_NOTED, "its own");
	check_int((int64_t) announced, (int64_t) MS(LIVE), "rounded down to the millisecond");
	check_int(flake_noted(note, 5 + FLAKE_NOTES, &announced), FLAKE_NOTED_NOTHING, "a later one looks");
	check_int(flake_noted(note, 5 - FLAKE_NOTES, &announced), FLAKE_NOTED_LATER, "an older one looks");

	/*
	 * a session that found the entry of a prepared transaction after another
	 * one had taken it
	 */
	check_int((int64_t) flake_note(note, 5, MS(LIVE) + 7000), (int64_t) note, "noted twice: the later instant is ignored");
	(void) flake_noted(flake_note(note, 5, MS(LIVE) - 7000), 5, &announced);
	check_int((int64_t) announced, (int64_t) MS(LIVE) - 7000, "noted twice: the earlier instant counts");

	/* an instant too great for a note */
	(void) flake_noted(flake_note(0, 5, INT64_MAX), 5, &announced);
	check_int(announced < INT64_MAX && announced > MS(LIVE), true, "the end of time");
	check_int(flake_noted(flake_note(0, 5, INT64_MAX), 5, &announced), FLAKE_NOTED, "... does not touch the transaction");
	conclude("notes: what one holds");

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
	{
		check_int(pairs[i].first % FLAKE_NOTES, pairs[i].second % FLAKE_NOTES, "%s: one place", pairs[i].name);
		note = flake_note(0, pairs[i].first, MS(LIVE));
		note = flake_note(note, pairs[i].second, MS(LIVE + 1));
		check_int(flake_noted(note, pairs[i].first, &announced), pairs[i].of_first, "%s: the first", pairs[i].name);
		check_int(flake_noted(note, pairs[i].second, &announced), pairs[i].of_second, "%s: the second", pairs[i].name);
	}
	conclude("notes: two transactions with one place");
}

static void
test_lost(void)
{
	uint64_t	note = flake_note(0, 8 * FLAKE_NOTES + 5, MS(LIVE));
	uint32_t	round = FLAKE_NOTES / 4 - 1;
	uint64_t	announced = 0;

	check_int(flake_note_lost(0, 5), 0, "an empty place");
	check_int(flake_note_lost(note, 8 * FLAKE_NOTES + 5), 0, "its own");
	check_int(flake_note_lost(note, 9 * FLAKE_NOTES + 5), (8 * FLAKE_NOTES + 5) | round, "a later transaction's replaces it");
	check_int(flake_note_lost(note, 7 * FLAKE_NOTES + 5), (7 * FLAKE_NOTES + 5) | round, "an older transaction's is not kept");
	check_int(flake_note_lost(note, UINT32_MAX - FLAKE_NOTES + 6), (UINT32_MAX - FLAKE_NOTES + 6) | round, "... across the wraparound");
	check_int(flake_noted(note, 7 * FLAKE_NOTES + 5, &announced), FLAKE_NOTED_LATER, "who looks for the older one");
	check_int((int64_t) announced, (int64_t) MS(LIVE), "... finds the later one's instant");
	conclude("notes: which is lost");
}

static void
test_worn(void)
{
	uint64_t	since = (UINT64_C(7) << 32) + 5;

	check_int(flake_notes_worn(since, since), false, "at once");
	check_int(flake_notes_worn(since, since - 1), false, "an older transaction");
	check_int(flake_notes_worn(since, 5), false, "a much older one");
	check_int(flake_notes_worn(since, since + (1u << 30) - 1), false, "just before");
	check_int(flake_notes_worn(since, since + (1u << 30)), true, "2^30 transactions later");
	check_int(flake_notes_worn(since, since + (UINT64_C(1) << 32)), true, "2^32 transactions later, where the IDs are the same again");
	conclude("notes: when they are worn");
}

/* ---------- what a reader concludes ---------- */

/* Ticks of a millisecond, by the epoch of second 1000. */
static const FlakeRate rate = {
	.epoch_us = 1000 * FLAKE_US_PER_SECOND,
	.per_second = 1000,
	.mul = 1,
	.div = 1000,
	.last_tick = 1000000,
};

#define AT(tick)		(1000 * FLAKE_US_PER_SECOND + (int64_t) (tick) * 1000)

static void
test_closing(void)
{
	check_int((int64_t) flake_closing_tick(&rate, AT(500) + 999, AT(900)), 500, "the clock's tick");
	check_int((int64_t) flake_closing_tick(&rate, AT(5000), AT(900)), 900, "not beyond the mark");
	check_int((int64_t) flake_closing_tick(&rate, AT(5000), AT(900) + 1), 901, "the first tick that starts at the mark or later");
	check_int((int64_t) flake_closing_tick(&rate, AT(500), 0), 0, "no mark yet");
	check_int((int64_t) flake_closing_tick(&rate, rate.epoch_us - 1, AT(900)), 0, "a clock before the span");
	check_int((int64_t) flake_closing_tick(&rate, AT(rate.last_tick + 1), AT(900)), 0, "a clock after the span");
	conclude("closing: up to the clock, and to the mark");
}

static const struct
{
	const char *name;
	uint64_t	closed;
	int64_t		mark;
	FlakeSeen	seen;
	uint64_t	tick;
}			horizons[] = {
	{"nobody has announced", 500, AT(900), {FLAKE_SEEN_NOTHING, false, false}, 500},
	{"the floor is beyond the mark", 950, AT(900), {FLAKE_SEEN_NOTHING, false, false}, 900},
	{"a transaction that is open", 500, AT(900), {(uint64_t) AT(300), false, false}, 300},
	{"... within a tick", 500, AT(900), {(uint64_t) AT(300) + 999, false, false}, 300},
	{"... of the same tick", 500, AT(900), {(uint64_t) AT(500), false, false}, 500},
	{"... ahead of the floor", 500, AT(900), {(uint64_t) AT(700), false, false}, 500},
	{"... and beyond the mark", 500, AT(200), {(uint64_t) AT(300), false, false}, 200},
	{"... from before the format's time", 500, AT(900), {1, false, false}, 0},
	{"one with nothing known about it", 500, AT(900), {(uint64_t) AT(300), true, false}, 0},
	{"no mark yet", 0, 0, {FLAKE_SEEN_NOTHING, false, false}, 0},
};

static void
test_horizon(void)
{
	for (size_t i = 0; i < sizeof(horizons) / sizeof(horizons[0]); i++)
		check_int((int64_t) flake_horizon_tick(&rate, horizons[i].closed, horizons[i].mark, &horizons[i].seen),
				  (int64_t) horizons[i].tick, "%s", horizons[i].name);
	conclude("the horizon: the least of floor, mark and announcements");
}

static const struct
{
	const char *name;
	FlakeNoted	noted;
	bool		old,
				committed,
				lost,
				unknown;
}			missing[] = {
	{"it runs still, or was rolled back", FLAKE_NOTED_NOTHING, false, false, false, false},
	{"it has committed and made no IDs", FLAKE_NOTED_NOTHING, false, true, false, false},
	{"it is older than the memory, and runs still", FLAKE_NOTED_NOTHING, true, false, false, false},
	{"it is older than the memory, and has committed", FLAKE_NOTED_NOTHING, true, true, true, false},
	{"a later one has its place, and it runs still", FLAKE_NOTED_LATER, false, false, false, false},
	{"a later one has its place, and it has committed", FLAKE_NOTED_LATER, false, true, false, true},
	{"the same, and it is older than the memory", FLAKE_NOTED_LATER, true, true, true, true},
};

static void
test_no_note(void)
{
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
	{
		FlakeSeen	seen = {.announced = FLAKE_SEEN_NOTHING};

		flake_see_no_note(&seen, missing[i].noted, missing[i].old, missing[i].committed);
		check_int(seen.lost, missing[i].lost, "%s: lost", missing[i].name);
		check_int(seen.unknown, missing[i].unknown, "%s: unknown", missing[i].name);
	}
	conclude("a transaction without a note");
}

static const struct
{
	const char *name;
	FlakeSnapshotAge then,
				now;
	bool		holds;
}			answers[] = {
	{"the same snapshot", {100, 3}, {100, 3}, true},
	{"a later one", {100, 3}, {101, 3}, true},
	{"a later one, with more that run", {100, 3}, {101, 9}, true},
	{"one that is as late, but less is running in it", {100, 3}, {100, 2}, true},
	{"one that is as late, but more is running in it", {100, 3}, {100, 4}, false},
	{"an older one", {100, 3}, {99, 3}, false},
	{"a later one, across the wraparound", {UINT32_MAX, 3}, {3, 0}, true},
	{"an older one, across the wraparound", {3, 0}, {UINT32_MAX, 3}, false},
};

static void
test_answers(void)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		check_int(flake_answer_holds(&answers[i].then, &answers[i].now), answers[i].holds, "%s", answers[i].name);
	conclude("an answer holds for later snapshots");
}

int
main(void)
{
	test_announcement();
	test_notes();
	test_lost();
	test_worn();
	test_closing();
	test_horizon();
	test_no_note();
	test_answers();
	return done();
}
