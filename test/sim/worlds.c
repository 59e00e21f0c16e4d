/*
 * worlds.c
 *		The small worlds.  All their schedules are searched: see search.c.
 *
 * A world is a server that has been in use for a moment, two sessions that make two IDs
 * each, and one event, which may happen at any moment.  Other worlds have writers and
 * readers instead, which have lists of acts.
 */
#include "world.h"

#define SECOND			USECS_PER_SEC
#define SNO_UNIT		4000	/* us */

#define ID(session, number)		{STEP_ID, session, number, 0}
#define CLOCK(us)				{STEP_CLOCK, 0, 0, us}
#define LEAVE(session)			{STEP_LEAVE, session, 0, 0}
#define RESET(session)			{STEP_RESET, session, 0, 0}
#define FORCE(session, us)		{STEP_FORCE, session, 0, us}
#define LOOK(session)			{STEP_LOOK, session, 0, 0}
#define ADVANCE(session, us)	{STEP_ADVANCE, session, 0, us}
#define MERGE(session, us)		{STEP_MERGE, session, 0, us}
#define CRASH					{STEP_CRASH, 0, 0, 0}
#define REWRITE(session)		{STEP_REWRITE, session, 0, 0}
#define COMMIT(session)			{STEP_COMMIT, session, 0, 0}
#define CUT_OFF(session, at)	{STEP_CUT_OFF, session, at, 0}
#define CUT_OFF_FORCED(session, at, us) {STEP_CUT_OFF, session, at, us}
#define RECREATE				{STEP_RECREATE, 0, 0, 0}
#define RELOAD					{STEP_RELOAD, 0, 0, 0}
#define STANDBY					{STEP_STANDBY, 0, 0, 0}
#define DROP(session)			{STEP_DROP, session, 0, 0}
#define ACT(session, act)		{STEP_ACT, session, ACT_##act, 0}

/* Writers begin with a lease, and the reader has used the database before. */
#define FEEDS_BEGIN				ACT(0, ID), ACT(0, COMMIT), ACT(1, ID), ACT(1, COMMIT), ACT(1, POLL)

#define SEQUENCES				.happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .beginnings = 1
#define SEQUENCES_CRASH			.happening = HAPPEN_CRASH, .format = FLAKE_SNOWFLAKE, .beginnings = 1

static const World worlds[] = {
	{
		.name = "all-tick", .happening = HAPPEN_CLOCK, .us = SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-unit-back", .happening = HAPPEN_CLOCK, .us = -SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-toggle", .happening = HAPPEN_CLOCK, .us = -10 * SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/* The clock steps back to timeline 1; some seconds later, timeline 0 is safe again. */
		.name = "all-toggle-back", .happening = HAPPEN_CLOCK, .us = -10 * SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-10 * SNO_UNIT), ID(0, 0), CLOCK(3 * SECOND), ID(1, 0), ID(0, 0)},
	},
	{
		/*
		 * Back to timeline 0, while a session goes on with another partition on timeline 1.
		 * In the meantime, the clock enters the next unit.
		 */
		.name = "all-toggle-unit", .happening = HAPPEN_NOTHING, .drift = 400, .beginnings = 1,
		.numbers = {{0, 0}, {5, 5}},
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-10 * SNO_UNIT), ID(0, 0), ID(1, 5), CLOCK(3 * SECOND), ID(0, 0), CLOCK(-10 * SNO_UNIT + 6000)},
	},
	{
		/* Timeline 0 is not safe yet: timeline 1 goes ahead. */
		.name = "all-run-on", .happening = HAPPEN_CLOCK, .us = -4500000,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-10 * SNO_UNIT), ID(0, 0), CLOCK(3 * SECOND), ID(1, 0), ID(0, 0)},
	},
	{
		.name = "all-pool", .happening = HAPPEN_CLOCK, .us = SNO_UNIT, .sno_max = 1,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/* Both sessions create a page of generators, and then another one. */
		.name = "all-page", .happening = HAPPEN_CLOCK, .us = SNO_UNIT, .numbers = {{2, 4}, {2, 4}},
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-page-back", .happening = HAPPEN_CLOCK, .us = -10 * SNO_UNIT, .numbers = {{2, 2}, {3, 2}},
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/*
		 * Database 2 was dropped and is created again.  A session connects to it and leaves,
		 * while others free its memory.
		 */
		.name = "all-dropped", .ids = 1, .beginnings = 1, .happening = HAPPEN_GUEST, .database = {0, 0, 2}, .guest = JOB_GENERATE, .leaves = true,
		.prelude = {ID(2, 0), LEAVE(2), DROP(2)},
	},
	{
		/* A session begins while another one moves the mark before any session must wait for it. */
		.name = "all-new", .happening = HAPPEN_GUEST, .guest = JOB_GENERATE, .at_once = true,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(1100000)},
	},
	{
		/* While the clock was an hour ahead, both sessions made IDs; now it is set right. */
		.name = "all-reset", .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0)},
	},
	{
		/*
		 * Sessions must see the new generation before the lowered floor, however the
		 * processor orders its stores.
		 */
		.name = "all-reset-barrier", .happening = HAPPEN_GUEST, .guest = JOB_RESET, .guest_us = -SNO_UNIT, .beginnings = 1,
		.stores_late = true,
		.prelude = {ID(0, 0), CLOCK(3600 * SECOND), ID(1, 0), CRASH, CLOCK(-3590 * SECOND), LOOK(0), LOOK(1)},
	},
	{
		.name = "all-reset-late", .happening = HAPPEN_GUEST, .guest = JOB_RESET,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND)},
	},
	{
		/* As before, but these IDs are the first ones at the wrong time. */
		.name = "all-reset-first", .ids = 1, .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET, .sure = true,
		.format = FLAKE_SIQ,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND)},
	},
	{
		/*
		 * They are the first IDs of all: the generator's page is created while the reset
		 * goes over the others.
		 */
		.name = "all-reset-page", .ids = 1, .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET, .sure = true,
		.format = FLAKE_SIQ,
		.prelude = {LOOK(0), LOOK(1), CLOCK(3600 * SECOND)},
	},
	{
		/* The reset goes to a little after now; at the wrong time, no ID of partition 5 was made. */
		.name = "all-reset-ahead", .ids = 1, .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET, .guest_us = SECOND,
		.numbers = {{5, 5}, {5, 5}},
		.prelude = {ID(0, 0), ID(1, 5), CLOCK(3600 * SECOND), ID(0, 0)},
	},
	{
		/*
		 * After a forced reset, the same tick is used again; then a session with an older
		 * lease leaves.
		 */
		.name = "all-reset-force", .happening = HAPPEN_GUEST, .guest = JOB_EXIT,
		.prelude = {ID(2, 0), CLOCK(SECOND), ID(2, 0), ID(2, 0), FORCE(1, -SECOND / 2), ID(1, 0), ID(1, 0)},
	},
	{
		/*
		 * A forced reset undoes what a session has just leased.  Before that session
		 * notices, another one leases the same: as both are busy, the range is large enough
		 * for two IDs.
		 */
		.name = "all-reset-undone", .happening = HAPPEN_GUEST, .guest = JOB_RESET, .guest_us = -SNO_UNIT, .force = true,
		.beginnings = 1, .preemptions = 3,
		.prelude = {CLOCK(SNO_UNIT - 100), ID(0, 0), ID(1, 0), CLOCK(100)},
	},
	{
		/*
		 * A session that has no place for another lease gives back the tail of an old one.
		 * Meanwhile a forced reset undoes that lease, and another session leases the same
		 * range: as both are busy, it is large enough for two IDs.
		 */
		.name = "all-reset-tail", .happening = HAPPEN_GUEST, .guest = JOB_RESET, .guest_us = -SNO_UNIT, .force = true,
		.numbers = {{3, 0}, {0, 0}}, .beginnings = 1,
		.prelude = {CLOCK(SNO_UNIT - 100), ID(0, 1), ID(0, 0), ID(1, 0), CLOCK(100), ID(0, 0), ID(0, 2)},
	},
	{
		/*
		 * The clock steps back when it is about to reach an interval that was issued, and
		 * the pool of the tick before that interval is used up.
		 */
		.name = "all-issued-ahead", .ids = 1, .happening = HAPPEN_CLOCK, .us = -2000, .format = FLAKE_SNOWFLAKE, .snowflake_bits = 1,
		.beginnings = 1,
		.prelude = {ID(0, FLAKE_OWN), CLOCK(3600 * SECOND), ID(0, FLAKE_OWN), CLOCK(-3590 * SECOND), RESET(0),
		CLOCK(3590 * SECOND - 1000), ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		/* A row of a dump has a second interval, far ahead of the clock. */
		.name = "all-restore", .ids = 1, .happening = HAPPEN_GUEST, .guest = JOB_MERGE, .guest_us = -SECOND,
		.interval_us = {3600 * SECOND, 3610 * SECOND}, .always = true, .format = FLAKE_SIQ,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/* The clock reaches the wrong time, at which partition 5 has made no ID. */
		.name = "all-issued", .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .numbers = {{5, 0}, {5, 0}},
		.prelude = {ID(0, 0), ID(1, 5), CLOCK(3600 * SECOND), ID(0, 0), CLOCK(-3590 * SECOND), RESET(0), ID(1, 0)},
	},
	{
		/* The same, with a format that can only go ahead. */
		.name = "all-issued-siq", .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .format = FLAKE_SIQ,
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN), CLOCK(3600 * SECOND), ID(0, FLAKE_OWN), CLOCK(-3590 * SECOND), RESET(0), ID(1, FLAKE_OWN)},
	},
	{
		/* The wrong time is within the lead of the mark, which was moved a moment before. */
		.name = "all-issued-edge", .happening = HAPPEN_CLOCK, .us = SECOND, .numbers = {{5, 0}, {5, 0}}, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 5), CLOCK(3600 * SECOND), ID(0, 0), CLOCK(-3590 * SECOND), RESET(0), CLOCK(3589 * SECOND), ID(0, 0), ID(1, 0)},
	},
	{
		/* The clock jumps beyond the wrong time. */
		.name = "all-issued-beyond", .happening = HAPPEN_CLOCK, .us = 3600 * SECOND, .numbers = {{5, 0}, {5, 0}},
		.prelude = {ID(0, 0), ID(1, 5), CLOCK(3600 * SECOND), ID(0, 0), CLOCK(-3590 * SECOND), RESET(0), ID(1, 0)},
	},
	{
		/* The server was restarted at the wrong time; it is reset, and the clock reaches that time. */
		.name = "all-issued-restart", .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), CRASH, CLOCK(5 * SECOND), ID(0, 0), CLOCK(-3595 * SECOND), RESET(0), ID(1, 0)},
	},
	{
		/* The server crashes, and the clock reaches that time before it starts again. */
		.name = "all-issued-crash", .happening = HAPPEN_CRASH, .us = 3590 * SECOND, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), CLOCK(-3590 * SECOND), RESET(0), ID(1, 0)},
	},
	{
		/* The clock is set right in two steps, while sessions make IDs. */
		.name = "all-reset-twice", .happening = HAPPEN_GUEST, .us = -1790 * SECOND, .guest = JOB_RESET,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), CLOCK(-1800 * SECOND), RESET(0), ID(1, 0)},
	},
	{
		/* The reset would go to a time that was issued: it is refused. */
		.name = "all-reset-issued", .happening = HAPPEN_GUEST, .us = -3600 * SECOND - SNO_UNIT, .guest = JOB_RESET,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0)},
	},
	{
		/* A row of a dump has an interval around now. */
		.name = "all-restore-now", .happening = HAPPEN_GUEST, .us = 1, .guest = JOB_MERGE, .guest_us = -3600 * SECOND,
		.interval_us = {-SECOND, SECOND}, .format = FLAKE_SIQ,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/* The clock jumps to a time in the row's second interval. */
		.name = "all-restore-later", .happening = HAPPEN_GUEST, .us = 70 * SECOND, .guest = JOB_MERGE, .guest_us = -3600 * SECOND,
		.interval_us = {-SECOND, SECOND}, .format = FLAKE_SNOWFLAKE,
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		/*
		 * Only memory knows the wrong time when the extension is created again; then the
		 * clock reaches it.
		 */
		.name = "all-drop-wrong", .ids = 1, .happening = HAPPEN_DROP, .us = 3590 * SECOND, .numbers = {{5, 0}, {0, 5}},
		.prelude = {ID(0, 0), ID(1, 5), CLOCK(3600 * SECOND), ID(0, 0), CLOCK(-3590 * SECOND), RESET(0), ID(1, 0)},
	},
	{
		.name = "all-advance", .happening = HAPPEN_GUEST, .guest = JOB_ADVANCE, .guest_us = SECOND,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-snapshot", .happening = HAPPEN_GUEST, .us = -10 * SNO_UNIT, .guest = JOB_SNAPSHOT,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-exit", .happening = HAPPEN_GUEST, .guest = JOB_EXIT, .us = SNO_UNIT,
		.prelude = {ID(2, 0), ID(2, 0), ID(0, 0), ID(1, 0), ID(2, 0), ID(2, 0)},
	},
	{
		.name = "all-drop", .happening = HAPPEN_DROP,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/* The new table must also cover what was issued on the timeline that is left. */
		.name = "all-drop-back", .ids = 1, .happening = HAPPEN_DROP, .us = -10 * SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/*
		 * The clock was ahead, so only the floor of timeline 0 knows what was issued there.  Its
		 * mark has been raised by hand, and the new table does not take that over.  Then the clock
		 * gets there again, and steps back.
		 */
		.name = "all-drop-raised", .ids = 1, .happening = HAPPEN_CLOCK, .us = -11 * SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-20 * SECOND), ID(0, 0), ADVANCE(1, 23 * SECOND), RECREATE, ID(0, 0), CLOCK(20 * SECOND + 10 * SNO_UNIT), ID(0, 0)},
	},
	{
		/* Only the mark knows what was issued before the last start; session 0 has read it. */
		.name = "all-drop-start", .ids = 1, .happening = HAPPEN_DROP,
		.prelude = {ID(0, 0), ID(1, 0), CRASH, LOOK(0)},
	},
	{
		/*
		 * A transaction that rewrites the table restores a row below the mark.  An advance
		 * came first, so that the row changes nothing that is issued.
		 */
		.name = "all-transaction", .ids = 1, .happening = HAPPEN_CLOCK, .us = SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0), ADVANCE(1, 1), REWRITE(1), MERGE(1, SECOND), COMMIT(1)},
	},
	{
		.name = "all-rewrite", .happening = HAPPEN_REWRITE,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-crash", .happening = HAPPEN_CRASH,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-crash-back", .happening = HAPPEN_CRASH, .us = -SECOND,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-failover", .happening = HAPPEN_FAILOVER,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-failover-back", .happening = HAPPEN_FAILOVER, .us = -SECOND,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-promote", .happening = HAPPEN_PROMOTE,
		.prelude = {ID(0, 0), ID(1, 0), STANDBY},
	},
	{
		.name = "all-promote-back", .happening = HAPPEN_PROMOTE, .us = -SECOND,
		.prelude = {ID(0, 0), ID(1, 0), STANDBY},
	},
	{
		.name = "all-cut-off", .happening = HAPPEN_CUT_OFF,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-cut-off-toggle", .happening = HAPPEN_CUT_OFF,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-10 * SNO_UNIT)},
	},
	{
		/* The mark is moved over a gap; then the clock is set right, to an instant in the gap. */
		.name = "all-cut-off-gap", .happening = HAPPEN_CUT_OFF, .us = -5 * SECOND,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND)},
	},
	{
		/*
		 * A clock that was an hour ahead is set right; the reset is cut off, and repeated
		 * while others make IDs.
		 */
		.name = "all-cut-off-reset", .happening = HAPPEN_GUEST, .guest = JOB_RESET, .format = FLAKE_SNOWFLAKE, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND), CUT_OFF(0, 2)},
	},
	{
		/* The reset is repeated before the others make IDs; then the clock reaches the wrong time. */
		.name = "all-reset-again", .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .format = FLAKE_SNOWFLAKE, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND), CUT_OFF(0, 2), RESET(0), ID(1, 0)},
	},
	{
		/*
		 * A reset that is forced to an instant before the clock is cut off when it is already
		 * on disk, and completed while others make IDs.
		 */
		.name = "all-cut-off-force", .happening = HAPPEN_GUEST, .guest = JOB_ADVANCE, .guest_us = -2 * SECOND, .beginnings = 1,
		.prelude = {ID(0, 0), CLOCK(SECOND), ID(0, 0), ID(1, 0), CUT_OFF_FORCED(0, 2, -SECOND / 2)},
	},
	{
		/* The reset is cut off before it is on disk; then the clock reaches the wrong time. */
		.name = "all-reset-fails", .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .format = FLAKE_SNOWFLAKE, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND), CUT_OFF(0, 1)},
	},
	{
		.name = "all-reload", .happening = HAPPEN_RELOAD, .numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}},
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		.name = "all-cancel", .happening = HAPPEN_CANCEL, .sno_max = 1,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-terminate", .happening = HAPPEN_TERMINATE, .sno_max = 1,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-latch", .happening = HAPPEN_LATCH, .sno_max = 1,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-siq", .happening = HAPPEN_CLOCK, .us = -40, .format = FLAKE_SIQ,
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		.name = "all-uid64", .happening = HAPPEN_CLOCK, .us = -2100, .format = FLAKE_UID64,
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		.name = "all-snowflake", .happening = HAPPEN_CLOCK, .us = -2000, .format = FLAKE_SNOWFLAKE,
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},

	/* Worlds of writers and of readers that follow them. */
	{
		/* Each look at the clock is a tick later. */
		.name = "feed", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		/* A writer keeps its lease while the clock goes on. */
		.name = "feed-kept", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 60, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN, CLOCK(300)},
	},
	{
		.name = "feed-back", .happening = HAPPEN_CLOCK, .us = -3000, .format = FLAKE_SNOWFLAKE, .drift = 400, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		.name = "feed-ids", .happening = HAPPEN_CLOCK, .us = -3000, .format = FLAKE_SNOWFLAKE, .drift = 400, .beginnings = 1,
		.acts = {{ACT_ID, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		/* Two writers; the reader asks twice with one snapshot. */
		.name = "feed-two", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT}, {ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL_AGAIN}},
		.prelude = {FEEDS_BEGIN, ACT(2, POLL)},
	},
	{
		/* Two writers of two IDs each, and the clock goes on by a tick. */
		.name = "feed-two-ticks", .happening = HAPPEN_CLOCK, .us = 1000, .format = FLAKE_SNOWFLAKE, .drift = 60, .beginnings = 1,
		.acts = {{ACT_ID, ACT_ID, ACT_COMMIT}, {ACT_ID, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN, ACT(2, POLL)},
	},
	{
		/* Two readers follow a writer with two transactions. */
		.name = "feed-readers", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN, ACT(2, POLL)},
	},
	{
		/* Two formats in a transaction; the clock steps back between them. */
		.name = "feed-formats", .happening = HAPPEN_CLOCK, .us = -3000, .format = FLAKE_SNOWFLAKE, .drift = 400, .beginnings = 1,
		.acts = {{ACT_SIQ, ACT_ID, ACT_COMMIT, ACT_ID, ACT_SIQ, ACT_COMMIT}, {ACT_POLL, ACT_POLL_SIQ}},
		.prelude = {FEEDS_BEGIN, ACT(0, SIQ), ACT(0, COMMIT)},
	},
	{
		/*
		 * There are four places for notes: a later transaction takes the first one's place,
		 * and the other way round.
		 */
		.name = "feed-notes", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_WRITE, ACT_ID, ACT_COMMIT}, {ACT_WRITE, ACT_COMMIT, ACT_WRITE, ACT_COMMIT, ACT_WRITE, ACT_COMMIT, ACT_ID, ACT_COMMIT}, {ACT_POLL}},
		.prelude = {FEEDS_BEGIN, ACT(2, POLL)},
	},
	{
		/* A session polls in the transaction that makes IDs. */
		.name = "feed-own", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 400, .beginnings = 1,
		.acts = {{ACT_ID, ACT_POLL, ACT_ID, ACT_POLL_AGAIN, ACT_COMMIT}, {ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		.name = "feed-rolled-back", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_ID, ACT_ROLL_BACK, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		.name = "feed-prepared", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_ID, ACT_PREPARE, ACT_FINISH}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		/* Two readers free each other's entries, and a third session finishes the transaction. */
		.name = "feed-prepared-two", .happening = HAPPEN_NOTHING, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_FINISH, ACT_POLL}, {ACT_POLL}, {ACT_POLL}},
		.prelude = {FEEDS_BEGIN, ACT(2, POLL), ACT(0, ID), ACT(0, PREPARE)},
	},
	{
		/* The clock steps back: sno changes to the other timeline, or goes ahead. */
		.name = "feed-sno", .happening = HAPPEN_CLOCK, .us = -10 * SNO_UNIT, .drift = SNO_UNIT, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		/*
		 * The clock has passed timeline 0's mark while timeline 1 was in force, and has
		 * stepped back.  A writer changes to timeline 0 while a reader compares the floors.
		 */
		.name = "feed-sno-back", .happening = HAPPEN_NOTHING, .beginnings = 1,
		.acts = {{ACT_ID, ACT_ROLL_BACK}, {ACT_POLL}, {ACT_ID, ACT_COMMIT}},
		.prelude = {ACT(0, ID), CLOCK(-10 * SNO_UNIT), ACT(0, ID), ACT(0, COMMIT), ACT(1, POLL), ACT(2, POLL),
		CLOCK(3 * SECOND), ACT(0, ID), ACT(0, COMMIT), CLOCK(-10 * SNO_UNIT)},
	},
	{
		.name = "feed-sno-crash", .happening = HAPPEN_CRASH, .us = -10 * SNO_UNIT, .drift = SNO_UNIT, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT}, {ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		/* A prepared transaction survives the crash. */
		.name = "feed-crash", .happening = HAPPEN_CRASH, .us = -3000, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_ID, ACT_PREPARE, ACT_FINISH}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		/* A clock that was an hour ahead is set right, and reset, while readers ask. */
		.name = "feed-reset", .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET, .format = FLAKE_SNOWFLAKE,
		.drift = 1000, .sure = true, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN, CLOCK(3600 * SECOND), ACT(0, ID), ACT(0, COMMIT), ACT(1, POLL)},
	},
	{
		/* The same with readers that publish, and so move the mark. */
		.name = "feed-reset-publishing", .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET,
		.format = FLAKE_SNOWFLAKE, .drift = 1000, .publishing = true, .sure = true, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT, ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN, CLOCK(3600 * SECOND), ACT(0, ID), ACT(0, COMMIT), ACT(1, POLL)},
	},
	{
		/* The extension is dropped and created again while a transaction is open. */
		.name = "feed-drop", .happening = HAPPEN_DROP, .format = FLAKE_SNOWFLAKE, .drift = 1000, .beginnings = 1,
		.acts = {{ACT_ID, ACT_COMMIT}, {ACT_POLL, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},

	/* Worlds of writers that draw from sequences, and of readers that follow these. */
	{
		.name = "draw", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL_A}},
	},
	{
		/* Rows get versions, which a reader follows. */
		.name = "draw-rows", SEQUENCES,
		.acts = {{ACT_ROW_A, ACT_ROW_A, ACT_COMMIT}, {ACT_ROW_A, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL_A}},
	},
	{
		/* Two writers; one draws twice. */
		.name = "draw-two", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_DRAW_A, ACT_COMMIT}, {ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A}},
	},
	{
		/* The same, and the first statement polls with an old snapshot. */
		.name = "draw-older", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_COMMIT}, {ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A_AGAIN, ACT_POLL_A}},
		.prelude = {ACT(2, POLL_A)},
	},
	{
		.name = "draw-readers", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL_A}, {ACT_POLL_A}},
	},
	{
		.name = "draw-rolled-back", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_ROLL_BACK, ACT_DRAW_B, ACT_DRAW_A, ACT_COMMIT}, {ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A}},
	},
	{
		/* Two sequences in a transaction. */
		.name = "draw-sequences", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_DRAW_B, ACT_COMMIT, ACT_DRAW_B, ACT_DRAW_A, ACT_COMMIT}, {ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A}},
	},
	{
		/* Later transactions overwrite what the ring had, which has two places. */
		.name = "draw-ring", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_B, ACT_COMMIT, ACT_DRAW_B, ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A_AGAIN, ACT_POLL_A_AGAIN}},
		.prelude = {ACT(1, POLL_A)},
	},
	{
		/* A transaction with three sequences gets a larger ring. */
		.name = "draw-grows", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_DRAW_B, ACT_DRAW_C, ACT_COMMIT}, {ACT_POLL_A}},
		.prelude = {ACT(0, DRAW_B), ACT(0, COMMIT), ACT(1, POLL_A)},
	},
	{
		/* The lost announcement comes from a ring that grows afterwards. */
		.name = "draw-grows-later", SEQUENCES,
		.acts = {{ACT_DRAW_B, ACT_DRAW_C, ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A_AGAIN}},
		.prelude = {ACT(1, POLL_A), ACT(0, DRAW_A), ACT(0, COMMIT), ACT(0, DRAW_B), ACT(0, DRAW_C), ACT(0, COMMIT)},
	},
	{
		/* There are four places for notes. */
		.name = "draw-notes", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_COMMIT}, {ACT_WRITE, ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A_AGAIN}},
		.prelude = {ACT(2, POLL_A)},
	},
	{
		/* A session polls in the transaction that draws. */
		.name = "draw-own", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_POLL_A, ACT_DRAW_A, ACT_POLL_A_AGAIN, ACT_COMMIT}, {ACT_POLL_A}},
	},
	{
		/* IDs and sequences in one transaction. */
		.name = "draw-ids", SEQUENCES,
		.acts = {{ACT_ID, ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL}},
		.prelude = {FEEDS_BEGIN},
	},
	{
		.name = "draw-prepared", SEQUENCES,
		.acts = {{ACT_DRAW_A, ACT_PREPARE, ACT_FINISH}, {ACT_POLL_A, ACT_POLL_A}},
	},
	{
		/* Two readers free each other's entries, and a third session finishes the transaction. */
		.name = "draw-prepared-two", SEQUENCES,
		.acts = {{ACT_FINISH, ACT_POLL_A}, {ACT_POLL_A}, {ACT_POLL_A}},
		.prelude = {ACT(0, DRAW_A), ACT(0, PREPARE), ACT(2, POLL_A)},
	},
	{
		/* An entry of the list is used again, and its ring grows. */
		.name = "draw-prepared-again", SEQUENCES,
		.acts = {{ACT_FINISH, ACT_DRAW_B, ACT_DRAW_C, ACT_DRAW_A, ACT_PREPARE, ACT_FINISH}, {ACT_POLL_A_AGAIN, ACT_POLL_A}},
		.prelude = {ACT(1, POLL_A), ACT(0, DRAW_A), ACT(0, PREPARE)},
	},
	{
		/* What was drawn and rolled back is not on disk when a reader asks and the server crashes. */
		.name = "draw-crash", SEQUENCES_CRASH,
		.acts = {{ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A}},
		.prelude = {ACT(0, DRAW_A), ACT(0, ROLL_BACK)},
	},
	{
		.name = "draw-crash-prepared", SEQUENCES_CRASH,
		.acts = {{ACT_DRAW_A, ACT_PREPARE, ACT_FINISH}, {ACT_POLL_A, ACT_POLL_A}},
	},
	{
		/* Values that are written after they were drawn without being announced. */
		.name = "draw-late", SEQUENCES,
		.acts = {{ACT_NEXTVAL, ACT_RENEW, ACT_COMMIT}, {ACT_POLL_A}, {ACT_DRAW_A, ACT_COMMIT}},
		.prelude = {ACT(0, NEXTVAL), ACT(0, RENEW), ACT(0, COMMIT)},
	},
	{
		.name = "draw-late-polls", SEQUENCES,
		.acts = {{ACT_NEXTVAL, ACT_RENEW, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL_A}},
		.prelude = {ACT(0, NEXTVAL), ACT(0, RENEW), ACT(0, COMMIT)},
	},
	{
		/* Nobody has asked for the horizon or the floor yet. */
		.name = "draw-late-first", SEQUENCES,
		.acts = {{ACT_NEXTVAL, ACT_RENEW, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL_A}},
	},
	{
		/* Two sessions begin the floor. */
		.name = "draw-late-two", SEQUENCES,
		.acts = {{ACT_NEXTVAL, ACT_REFUSE, ACT_COMMIT}, {ACT_NEXTVAL, ACT_REFUSE, ACT_COMMIT}, {ACT_POLL_A}},
	},
	{
		.name = "draw-late-crash", SEQUENCES_CRASH,
		.acts = {{ACT_NEXTVAL, ACT_RENEW, ACT_COMMIT}, {ACT_POLL_A}},
		.prelude = {ACT(0, NEXTVAL), ACT(0, RENEW), ACT(0, COMMIT)},
	},
	{
		/* Values that an earlier transaction has drawn. */
		.name = "draw-fetched", SEQUENCES,
		.acts = {{ACT_NEXTVAL, ACT_COMMIT, ACT_REFUSE, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL_A}, {ACT_DRAW_A, ACT_COMMIT}},
		.prelude = {ACT(0, NEXTVAL), ACT(0, REFUSE), ACT(0, COMMIT)},
	},
	{
		.name = "draw-fetched-crash", SEQUENCES_CRASH,
		.acts = {{ACT_NEXTVAL, ACT_COMMIT, ACT_REFUSE, ACT_COMMIT}, {ACT_POLL_A}},
		.prelude = {ACT(0, NEXTVAL), ACT(0, REFUSE), ACT(0, COMMIT)},
	},
	{
		/* A sequence without a horizon gets one, under a snapshot from before. */
		.name = "draw-altered", SEQUENCES, .cached = true,
		.acts = {{ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_COMMIT}, {ACT_ALTER}, {ACT_POLL_A_AGAIN, ACT_POLL_A}},
		.prelude = {FEEDS_BEGIN, ACT(2, POLL)},
	},
	{
		/* There is no memory for announcements. */
		.name = "draw-no-memory", SEQUENCES, .no_memory = true,
		.acts = {{ACT_DRAW_A, ACT_COMMIT, ACT_DRAW_A, ACT_COMMIT}, {ACT_POLL_A, ACT_POLL_A}},
		.prelude = {ACT(1, POLL_A)},
	},
	{
		.name = "draw-no-memory-prepared", SEQUENCES, .no_memory = true,
		.acts = {{ACT_DRAW_A, ACT_PREPARE, ACT_FINISH}, {ACT_POLL_A, ACT_POLL_A}},
		.prelude = {ACT(1, POLL_A)},
	},
};

const World *
find_world(const char *name)
{
	for (size_t i = 0; i < lengthof(worlds); i++)
		if (strcmp(worlds[i].name, name) == 0)
			return &worlds[i];
	return NULL;
}

/* Return the name of world i, or NULL if there are fewer. */
const char *
world_name(int i)
{
	return i < (int) lengthof(worlds) ? worlds[i].name : NULL;
}
