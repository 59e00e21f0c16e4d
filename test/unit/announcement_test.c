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

static const struct
{
	const char *name;
	uint64_t	left,
				expected;
	bool		own;
}			turns[] = {
	{"the first place", 0, 0, true},
	{"the next one of the place is expected", 5, 5 + FLAKE_NOTES, false},
	{"the one before is expected", 5 + FLAKE_NOTES, 5, false},
	{"many turns later", 5, 5 + (UINT64_C(1) << 20) * FLAKE_NOTES - FLAKE_NOTES, false},
};

static void
test_notes(void)
{
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
	{
		check_int(flake_is_noted(flake_note(turns[i].left, MS(LIVE)), turns[i].expected), turns[i].own, "%s", turns[i].name);
		check_int(flake_is_noted(flake_note(turns[i].left, INT64_MAX), turns[i].expected), turns[i].own, "%s, the end of time", turns[i].name);
	}
	conclude("notes: whose place it was");

	check_int((int64_t) flake_noted(flake_note(5, MS(LIVE) + 999)), (int64_t) MS(LIVE), "rounded down to the millisecond");
	check_int((int64_t) flake_noted(flake_note(5 + FLAKE_NOTES, MS(LIVE))), (int64_t) MS(LIVE), "in a later round");
	check_int((int64_t) flake_noted(flake_note(5, 1)), 1, "the first microsecond of all");
	check_int(flake_noted(flake_note(5, INT64_MAX)) < INT64_MAX && flake_noted(flake_note(5, INT64_MAX)) > MS(LIVE), true, "the end of time");
	conclude("notes: the instant");
}

static const struct
{
	const char *name;
	uint64_t	place;
	uint32_t	session;
	uint32_t	position;
}			values[] = {
	{"the first of all", 0, 0, 0},
	{"a later round", 5 + FLAKE_NOTES, 7, 9},
	{"the last session and position", 5, FLAKE_NOTE_SESSIONS - 1, FLAKE_NOTE_POSITIONS - 1},
	{"a position of which only the lower bits are kept", 5, 3, 5 * FLAKE_NOTE_POSITIONS + 9},
	{"the last place of all", UINT64_MAX, FLAKE_NOTE_SESSIONS - 1, FLAKE_NOTE_POSITIONS - 1},
};

static void
test_draw_notes(void)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
	{
		uint64_t	note = flake_value_note(values[i].place, values[i].session, values[i].position);

		check_int(flake_is_noted(note, values[i].place), true, "%s: its place", values[i].name);
		check_int(flake_is_noted(note, values[i].place - FLAKE_NOTES), false, "%s: not the round before", values[i].name);
		check_int(flake_noted_session(note), values[i].session, "%s: the session", values[i].name);
		check_int(flake_noted_position(note), values[i].position % FLAKE_NOTE_POSITIONS, "%s: the position", values[i].name);
	}
	conclude("notes of values");
}

static const struct
{
	const char *name;
	int64_t		last;
	int64_t		announced;		/* INT64_MAX: nothing */
	bool		lost;
	int64_t		horizon;
}			sequences[] = {
	{"nothing announced", 10, INT64_MAX, false, 11},
	{"a value announced", 10, 7, false, 7},
	{"the next one announced", 10, 11, false, 11},
	{"a later one announced", 10, 15, false, 11},
	{"nobody knows", 10, 7, true, INT64_MIN},
	{"negative values", -10, -12, false, -12},
	{"... and nothing announced", -10, INT64_MAX, false, -9},
	{"across zero", 3, -3, false, -3},
	{"the greatest value", INT64_MAX, INT64_MAX, false, INT64_MAX},
	{"the least value announced", 10, INT64_MIN, false, INT64_MIN},
};

static void
test_sequences(void)
{
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
	{
		FlakeSeen	seen = {flake_value_rank(sequences[i].announced), sequences[i].lost, false};

		check_int(flake_value_horizon(sequences[i].last, &seen), sequences[i].horizon, "%s", sequences[i].name);
		check_int(flake_ranked_value(flake_value_rank(sequences[i].announced)), sequences[i].announced, "%s: the rank's value", sequences[i].name);
	}
	conclude("the horizon of a sequence");
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
	test_draw_notes();
	test_sequences();
	test_worn();
	test_closing();
	test_horizon();
	test_answers();
	return done();
}
