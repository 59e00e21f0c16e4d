/*
 * worlds.c
 *		All schedules of small worlds, with few preemptions.
 *
 * A world is a server that has been in use for a moment, two sessions that make
 * two IDs each, and something that happens once, whenever it may.  A schedule
 * runs a session until it waits, sleeps or is through; before each access to
 * shared memory it may be preempted, and so it is, at each of them, but no more
 * often than the given number of times in one schedule.  What happens is the act
 * of one more session, so that it counts as a preemption as well.  (Most faults
 * of this kind need two preemptions; random schedules seldom hit upon the two.)
 *
 * The search goes from state to state: at each access everything is saved, the
 * others are run, everything is restored and the session goes on.  A state that was
 * seen before, with the same session running and no fewer preemptions left, is
 * not searched again; states are told apart by 64 bits of a hash of everything in
 * them, stacks and variables of the sessions included.  (To see that the hash leaves
 * nothing out: with SIM_PRUNE=0 everything is searched again, and there must be
 * just as many states.)  Those are counted in which a session may be preempted.
 *
 * A schedule is written as its beginning (see moves[]) and the places at which
 * another session goes on, counted in accesses since: "0,17:1,40:e0" says that
 * session 1 goes on before access 17 and that before access 40 it happens (e1 and
 * so on where it may happen in several ways).
 */
#include "sim.h"

#define SECOND			USECS_PER_SEC
#define SNO_UNIT		4000	/* us */

#define SESSIONS		2
#define GUEST			2		/* one more session, which begins when it happens */
#define EVENT			3		/* in a schedule: it happens; more for the other ways */
#define IDS				2		/* made by a session, at most */
#define NAPS			1		/* sleeps of a session before another one goes on */
#define DROWSY			8		/* accesses from one nap to the next */
#define STACK_CLEAN		2048	/* bytes, deeper than any call goes from an access to the next */

/* ---------- the worlds ---------- */

typedef enum Happening
{
	HAPPEN_CLOCK,				/* the clock is set, relative to now */
	HAPPEN_CRASH,				/* the same, and all memory is lost */
	HAPPEN_FAILOVER,			/* the same, and the WAL from some record on, though it was flushed */
	HAPPEN_PROMOTE,				/* a standby's recovery ends */
	HAPPEN_CUT_OFF,				/* who writes the mark gets an error, before the page is changed or before it is flushed */
	HAPPEN_DROP,				/* the extension is dropped and created again, without a lock in the way */
	HAPPEN_REWRITE,				/* flakeid_mark gets another file */
	HAPPEN_RELOAD,				/* the settings change */
	HAPPEN_CANCEL,				/* session 0 is canceled */
	HAPPEN_TERMINATE,			/* session 0 is terminated */
	HAPPEN_LATCH,				/* the latch of session 0 is set, so that its next sleep is none */
	HAPPEN_GUEST,				/* the clock is set, and the guest begins */
	HAPPEN_NOTHING
} Happening;

typedef struct Step
{
	enum
	{
		STEP_END,
		STEP_ID,				/* a session makes an ID */
		STEP_CLOCK,				/* the clock goes on */
		STEP_LEAVE,				/* a session ends, and another one takes its place */
		STEP_RESET,				/* a session goes back to the clock, which was wrong */
		STEP_FORCE,				/* the same by force, to before the clock */
		STEP_CUT_OFF,			/* the first, but it gets an error, before the page is changed or before it is flushed */
		STEP_LOOK,				/* a session looks at the mark, and makes no ID */
		STEP_ADVANCE,			/* a session counts everything before an instant as issued */
		STEP_CRASH,				/* the memory is lost */
		STEP_REWRITE,			/* a session rewrites flakeid_mark, and does not commit */
		STEP_COMMIT,			/* it does */
		STEP_RELOAD,			/* the settings change */
		STEP_STANDBY			/* the server is a standby from now on */
	}			what;
	int			session;
	int32		number;			/* partition; of STEP_CUT_OFF where, as in server.cut_off */
	int64		us;
} Step;

#define ID(session, number)		{STEP_ID, session, number, 0}
#define CLOCK(us)				{STEP_CLOCK, 0, 0, us}
#define LEAVE(session)			{STEP_LEAVE, session, 0, 0}
#define RESET(session)			{STEP_RESET, session, 0, 0}
#define FORCE(session, us)		{STEP_FORCE, session, 0, us}
#define LOOK(session)			{STEP_LOOK, session, 0, 0}
#define ADVANCE(session, us)	{STEP_ADVANCE, session, 0, us}
#define CRASH					{STEP_CRASH, 0, 0, 0}
#define REWRITE(session)		{STEP_REWRITE, session, 0, 0}
#define COMMIT(session)			{STEP_COMMIT, session, 0, 0}
#define CUT_OFF(session, at)	{STEP_CUT_OFF, session, at, 0}
#define RELOAD					{STEP_RELOAD, 0, 0, 0}
#define STANDBY					{STEP_STANDBY, 0, 0, 0}

typedef struct World
{
	const char *name;
	Happening	happening;
	int64		us;				/* that the clock is set by then */
	int			ids;			/* made by a session: IDS */
	FlakeFormatId format;
	int			database[SESSIONS + 1];
	int32		numbers[SESSIONS][IDS];	/* partitions */
	uint32		sno_slots;		/* 4 */
	uint32		sno_max;		/* of the sequence: 255 */
	uint32		snowflake_bits; /* 8 */
	int			drift;			/* added to the clock each time it is read */
	int32		nodes[2][SESSIONS];	/* of databases 0 and 1, before and after a reload (and a second one brings back the first), where they meet */
	JobKind		guest;			/* what the guest does ... */
	int64		guest_us;		/* ... up to this much after now */
	int64		retired_us[2];	/* ... which restores this as retired, after now */
	bool		reload;			/* the settings change as well, but for the pools, and the guest reads them */
	bool		sure;			/* nobody is refused, after it ... */
	bool		always;			/* ... and before */
	bool		at_once;		/* the guest never sleeps, where the mark need not be moved for it */
	int			beginnings;		/* only so many of moves[] (0: all) */
	Step		prelude[12];
} World;

/* Most are searched twice: as they are, and when the mark has to be moved. */
static const int64 moves[] = {0, 2100000};

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
		/* to timeline 1 and some seconds on, so that timeline 0 is safe again */
		.name = "all-toggle-back", .happening = HAPPEN_CLOCK, .us = -10 * SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-10 * SNO_UNIT), ID(0, 0), CLOCK(3 * SECOND), ID(1, 0), ID(0, 0)},
	},
	{
		/*
		 * back to timeline 0, while a session goes on with another partition on timeline 1;
		 * in the meantime the clock enters the next unit
		 */
		.name = "all-toggle-unit", .happening = HAPPEN_NOTHING, .drift = 400, .beginnings = 1,
		.numbers = {{0, 0}, {5, 5}},
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-10 * SNO_UNIT), ID(0, 0), ID(1, 5), CLOCK(3 * SECOND), ID(0, 0), CLOCK(-10 * SNO_UNIT + 2000)},
	},
	{
		/* not so far that it is: the timeline goes ahead */
		.name = "all-run-on", .happening = HAPPEN_CLOCK, .us = -4500000,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(-10 * SNO_UNIT), ID(0, 0), CLOCK(3 * SECOND), ID(1, 0), ID(0, 0)},
	},
	{
		.name = "all-pool", .happening = HAPPEN_CLOCK, .us = SNO_UNIT, .sno_max = 1,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-recycle", .happening = HAPPEN_CLOCK, .us = SNO_UNIT, .sno_slots = 2,
		.numbers = {{2, 0}, {0, 3}},
		.prelude = {ID(0, 0), ID(1, 1), CLOCK(SNO_UNIT), ID(0, 0)},
	},
	{
		.name = "all-recycle-back", .happening = HAPPEN_CLOCK, .us = -10 * SNO_UNIT, .sno_slots = 2,
		.numbers = {{2, 0}, {0, 0}},
		.prelude = {ID(0, 0), ID(1, 1), CLOCK(SNO_UNIT), ID(1, 0)},
	},
	{
		.name = "all-evict", .happening = HAPPEN_GUEST, .database = {0, 0, 2}, .guest = JOB_GENERATE,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-evict-other", .happening = HAPPEN_GUEST, .database = {0, 1, 2}, .guest = JOB_GENERATE,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/* session 0 is the first in its database since all have left, and session 1 frees its memory */
		.name = "all-return", .happening = HAPPEN_CLOCK, .us = SNO_UNIT, .database = {0, 1, 2}, .beginnings = 1,
		.prelude = {ID(0, 0), LEAVE(0), ID(2, 0), CLOCK(3 * SECOND)},
	},
	{
		.name = "all-return-back", .happening = HAPPEN_CLOCK, .us = -2 * SECOND, .database = {0, 1, 2}, .beginnings = 1,
		.prelude = {ID(0, 0), LEAVE(0), ID(2, 0), CLOCK(3 * SECOND)},
	},
	{
		/* the last of its database leaves while the memory could be freed */
		.name = "all-leave", .happening = HAPPEN_GUEST, .database = {1, 2, 0}, .guest = JOB_EXIT, .beginnings = 1,
		.prelude = {ID(2, 0), ID(0, 0), CLOCK(3 * SECOND)},
	},
	{
		/* a new session, while somebody moves the mark before anybody has to wait for it */
		.name = "all-new", .happening = HAPPEN_GUEST, .guest = JOB_GENERATE, .at_once = true,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(1100000)},
	},
	{
		/* while the clock stood wrong, an hour ahead, both made IDs; now it is set right */
		.name = "all-reset", .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0)},
	},
	{
		.name = "all-reset-late", .happening = HAPPEN_GUEST, .guest = JOB_RESET,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND)},
	},
	{
		/* as before, but these IDs are the first at the wrong time */
		.name = "all-reset-first", .ids = 1, .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET, .sure = true,
		.format = FLAKE_SIQ,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND)},
	},
	{
		/* to a little after now, and of partition 5 no ID was made at the wrong time */
		.name = "all-reset-ahead", .ids = 1, .happening = HAPPEN_GUEST, .us = -3590 * SECOND, .guest = JOB_RESET, .guest_us = SECOND,
		.numbers = {{5, 5}, {5, 5}},
		.prelude = {ID(0, 0), ID(1, 5), CLOCK(3600 * SECOND), ID(0, 0)},
	},
	{
		/* after a forced reset the same tick is used again; then a session leaves that has a lease of before */
		.name = "all-reset-force", .happening = HAPPEN_GUEST, .guest = JOB_EXIT,
		.prelude = {ID(2, 0), ID(2, 0), FORCE(1, -SECOND), ID(1, 0), ID(1, 0)},
	},
	{
		/*
		 * The clock is about to reach a time that is retired, and the pool of the tick
		 * before it is used up, when the clock steps back.
		 */
		.name = "all-retired-ahead", .ids = 1, .happening = HAPPEN_CLOCK, .us = -2000, .format = FLAKE_SNOWFLAKE, .snowflake_bits = 1,
		.beginnings = 1,
		.prelude = {ID(0, FLAKE_OWN), CLOCK(3600 * SECOND), ID(0, FLAKE_OWN), CLOCK(-3590 * SECOND), RESET(0),
		CLOCK(3590 * SECOND - 1000), ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		/* a row of a dump, which has retired a time far ahead of the clock */
		.name = "all-restore", .ids = 1, .happening = HAPPEN_GUEST, .guest = JOB_MERGE, .guest_us = -SECOND,
		.retired_us = {3600 * SECOND, 3610 * SECOND}, .always = true, .format = FLAKE_SIQ,
		.prelude = {ID(0, 0), ID(1, 0)},
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
		/* what was issued on the timeline that is left stands in the new table as well */
		.name = "all-drop-back", .ids = 1, .happening = HAPPEN_DROP, .us = -10 * SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0)},
	},
	{
		/* what was issued before the last start is known by the mark alone, which session 0 has looked at */
		.name = "all-drop-start", .ids = 1, .happening = HAPPEN_DROP,
		.prelude = {ID(0, 0), ID(1, 0), CRASH, LOOK(0)},
	},
	{
		/* below the mark, by a transaction that rewrites the table */
		.name = "all-transaction", .ids = 1, .happening = HAPPEN_CLOCK, .us = SNO_UNIT,
		.prelude = {ID(0, 0), ID(1, 0), REWRITE(1), ADVANCE(1, SECOND), COMMIT(1)},
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
		/* the mark is moved over a gap; then the clock is set right, into the gap */
		.name = "all-cut-off-gap", .happening = HAPPEN_CUT_OFF, .us = -5 * SECOND,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND)},
	},
	{
		/* a clock that was an hour ahead is set right; the reset is cut off, and made again, beside the others ... */
		.name = "all-cut-off-reset", .happening = HAPPEN_GUEST, .guest = JOB_RESET, .format = FLAKE_SNOWFLAKE, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND), CUT_OFF(0, 2)},
	},
	{
		/* ... or before them; then the time comes that it has retired */
		.name = "all-reset-again", .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .format = FLAKE_SNOWFLAKE, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND), CUT_OFF(0, 2), RESET(0), ID(1, 0)},
	},
	{
		/* the reset has retired nothing, as nothing of it is on disk; then that time comes */
		.name = "all-reset-fails", .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .format = FLAKE_SNOWFLAKE, .beginnings = 1,
		.prelude = {ID(0, 0), ID(1, 0), CLOCK(3600 * SECOND), ID(0, 0), ID(1, 0), CLOCK(-3590 * SECOND), CUT_OFF(0, 1)},
	},
	{
		.name = "all-reload", .happening = HAPPEN_RELOAD, .numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}},
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		/* two databases want number 1, until they read that one has another */
		.name = "all-claim", .happening = HAPPEN_RELOAD, .database = {0, 1}, .nodes = {{1, 1}, {2, 1}},
		.numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}},
		.prelude = {ID(0, FLAKE_OWN)},
	},
	{
		/* they exchange their numbers */
		.name = "all-exchange", .happening = HAPPEN_RELOAD, .database = {0, 1}, .nodes = {{1, 2}, {2, 1}},
		.numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}},
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN)},
	},
	{
		/* database 1 gives its number up, which database 0 wants, while another session is about to make an ID under it */
		.name = "all-give-up", .ids = 1, .beginnings = 1, .happening = HAPPEN_GUEST, .guest = JOB_GENERATE, .database = {1, 0, 1}, .reload = true,
		.nodes = {{3, 1}, {1, 2}}, .numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}},
		.prelude = {ID(0, FLAKE_OWN), ID(1, FLAKE_OWN), CLOCK(SNO_UNIT)},
	},
	{
		/* database 0 takes back a number that it gave to database 1, while a session there works out that it has it */
		.name = "all-take-back", .ids = 1, .beginnings = 1, .happening = HAPPEN_GUEST, .us = 100, .guest = JOB_GENERATE, .database = {1, 0, 0}, .reload = true,
		.nodes = {{1, 2}, {3, 1}}, .numbers = {{FLAKE_OWN}, {5}},
		.prelude = {ID(0, FLAKE_OWN), ID(1, 5), ID(2, FLAKE_OWN), RELOAD, ID(2, FLAKE_OWN), CLOCK(SNO_UNIT)},
	},
	{
		/* all sessions of database 1 have left, database 0 takes its number; then the clock steps back */
		.name = "all-take-over", .ids = 1, .happening = HAPPEN_CLOCK, .us = -3 * SECOND, .database = {0, 0, 1}, .nodes = {{1, 1}, {1, 1}},
		.numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}}, .beginnings = 1,
		.prelude = {ID(2, FLAKE_OWN), ID(0, 5), ID(1, 5), LEAVE(2), CLOCK(3 * SECOND)},
	},
	{
		/*
		 * Database 1 made IDs under number 1 at a wrong time, an hour ahead, and retired
		 * them.  That time has just come, so its memory may be freed, and its number
		 * taken; then the clock steps back into it.
		 */
		.name = "all-retired", .happening = HAPPEN_CLOCK, .us = -3 * SECOND, .database = {0, 0, 1}, .nodes = {{1, 1}, {1, 1}},
		.numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}}, .beginnings = 1,
		.prelude = {ID(2, FLAKE_OWN), CLOCK(3600 * SECOND), ID(2, FLAKE_OWN), CLOCK(-3590 * SECOND), RESET(2), ID(0, 5), ID(1, 5), LEAVE(2), CLOCK(3593 * SECOND)},
	},
	{
		/*
		 * The same IDs, but database 1 has another number since, and database 0
		 * wants number 1.  Then the time comes that is retired.
		 */
		.name = "all-retired-given-up", .ids = 1, .happening = HAPPEN_CLOCK, .us = 3590 * SECOND, .database = {0, 0, 1}, .reload = true,
		.nodes = {{2, 1}, {1, 2}}, .numbers = {{FLAKE_OWN, FLAKE_OWN}, {FLAKE_OWN, FLAKE_OWN}}, .beginnings = 1,
		.prelude = {ID(2, FLAKE_OWN), CLOCK(3600 * SECOND), ID(2, FLAKE_OWN), CLOCK(-3590 * SECOND), RESET(2), RELOAD, ID(2, FLAKE_OWN)},
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
};

static const World *world;		/* the one that is searched */
static int	sessions;			/* in it */

/* ---------- the state ---------- */

typedef struct Piece
{
	void	   *start;
	size_t		bytes;
	const int  *count;
} Piece;

static Piece pieces[64];
static int	pieces_count;

/*
 * Everything that makes a difference to what comes must be told of here, or it is
 * not restored: new shared memory, variables of the simulated server, what the
 * checks remember.
 */
void
state_piece(void *start, size_t bytes, const int *count)
{
	if (pieces_count == (int) lengthof(pieces))
		abort();
	pieces[pieces_count++] = (Piece) {start, bytes, count};
}

/* Where the world's sessions stand. */
static struct
{
	int			done[SESSIONS + 1]; /* IDs asked for */
	bool		happened;
	long		at;				/* accesses and other stops so far; not of the state's identity */
} progress;

static void
collect_pieces(void)
{
	pieces_count = 0;
	server_state(sessions);
	checks_state(sessions, world->format);
	state_piece(progress.done, sizeof(progress.done), NULL);
	state_piece(&progress.happened, sizeof(progress.happened), NULL);
}

static inline size_t
piece_bytes(const Piece *piece)
{
	return piece->count ? piece->bytes * *piece->count : piece->bytes;
}

/* A copy of the state; copies are kept for all depths of the search. */
typedef struct Checkpoint
{
	char	   *copy;
	size_t		size;			/* of the memory for it */
	long		at;
} Checkpoint;

static Checkpoint checkpoints[256];

static void
save(Checkpoint *checkpoint)
{
	size_t		size = issued_size();
	char	   *to;

	for (int i = 0; i < pieces_count; i++)
		size += sizeof(size_t) + piece_bytes(&pieces[i]);
	for (int i = 0; i < sessions; i++)
		size += backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used;
	if (size > checkpoint->size)
	{
		free(checkpoint->copy);
		checkpoint->size = size * 2;
		checkpoint->copy = malloc(checkpoint->size);
	}
	to = checkpoint->copy;
	for (int i = 0; i < pieces_count; i++)
	{
		size_t		bytes = piece_bytes(&pieces[i]);

		memcpy(to, &bytes, sizeof(bytes));
		memcpy(to + sizeof(bytes), pieces[i].start, bytes);
		to += sizeof(bytes) + bytes;
	}
	for (int i = 0; i < sessions; i++)
	{
		size_t		bytes = backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used;

		memcpy(to, backends[i].stack_used, bytes);
		to += bytes;
	}
	(void) issued_save(to);
	checkpoint->at = progress.at;
}

static void
restore(const Checkpoint *checkpoint)
{
	const char *from = checkpoint->copy;

	for (int i = 0; i < pieces_count; i++)
	{
		size_t		bytes;

		memcpy(&bytes, from, sizeof(bytes));
		memcpy(pieces[i].start, from + sizeof(bytes), bytes);
		from += sizeof(bytes) + bytes;
	}
	for (int i = 0; i < sessions; i++)
	{
		size_t		bytes = backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used;

		memcpy(backends[i].stack_used, from, bytes);
		from += bytes;
	}
	issued_load(from);
	progress.at = checkpoint->at;
}

/* 16 bytes by one multiplication, whose halves are folded; four of them at a time. */
static inline uint64
fold(uint64 hash, const char *at)
{
	uint64		word[2];
	__uint128_t product;

	memcpy(word, at, sizeof(word));
	product = (__uint128_t) (word[0] ^ hash) * (word[1] ^ UINT64_C(0x9e3779b97f4a7c15));
	return (uint64) product ^ (uint64) (product >> 64) ^ hash << 1;
}

static uint64
hash_bytes(uint64 hash, const void *start, size_t bytes)
{
	const char *at = start;
	uint64		lane[4] = {hash, hash ^ UINT64_C(0xbf58476d1ce4e5b9), ~hash, hash ^ UINT64_C(0x94d049bb133111eb)};
	char		rest[16];

	for (; bytes >= 64; bytes -= 64, at += 64)
		for (int i = 0; i < 4; i++)
			lane[i] = fold(lane[i], at + 16 * i);
	for (; bytes >= 16; bytes -= 16, at += 16)
		lane[0] = fold(lane[0], at);
	memset(rest, 0, sizeof(rest));
	memcpy(rest, at, bytes);
	hash = fold(~hash, rest);
	hash = fold(hash, (char *) &lane[0]);
	return fold(hash, (char *) &lane[2]);
}

static uint64
hash_state(int running)
{
	uint64		hash = issued_hash() ^ (uint64) (running + 1);

	for (int i = 0; i < pieces_count; i++)
		hash = hash_bytes(hash, pieces[i].start, piece_bytes(&pieces[i]));
	for (int i = 0; i < sessions; i++)
		hash = hash_bytes(hash, backends[i].stack_used,
						  backends[i].stack + SIM_STACK_BYTES - backends[i].stack_used);
	return hash | 1;
}

/* The states seen, each with the most preemptions that were left there. */
static struct
{
	uint64		hash;			/* 0: free */
	int			left;
}		   *seen;
static size_t seen_size;
static size_t seen_count;

static void
forget_seen(void)
{
	if (seen_size == 0)
		seen = calloc(seen_size = 1 << 16, sizeof(*seen));
	else
		memset(seen, 0, seen_size * sizeof(*seen));
	seen_count = 0;
}

/* Has all of this been searched, or is being searched? */
static bool
seen_before(uint64 hash, int left)
{
	size_t		i;

	if (seen_count > seen_size / 2)
	{
		size_t		old_size = seen_size;
		__typeof__(seen) old = seen;

		seen = calloc(seen_size *= 2, sizeof(*seen));
		for (size_t j = 0; j < old_size; j++)
			if (old[j].hash != 0)
			{
				for (i = old[j].hash >> 20 & (seen_size - 1); seen[i].hash != 0; i = (i + 1) & (seen_size - 1))
					;
				seen[i] = old[j];
			}
		free(old);
	}
	for (i = hash >> 20 & (seen_size - 1); seen[i].hash != 0; i = (i + 1) & (seen_size - 1))
		if (seen[i].hash == hash)
		{
			if (seen[i].left >= left)
				return true;
			seen[i].left = left;
			return false;
		}
	seen[i].hash = hash;
	seen[i].left = left;
	seen_count++;
	return false;
}

/* ---------- a world's life ---------- */

static int64 world_move;

static void
start_session(int session)
{
	backend_start(&backends[session], session + 1, world->database[session]);
	forget_order(&backends[session]);
	backends[session].state = BACKEND_IDLE;
}

/* Let a session go on by so many accesses, or until it stops by itself. */
static void
go_on(int session, int accesses)
{
	int			naps = backends[session].naps;

	/* what calls long over have left there would stand between the variables of the next */
	memset(backends[session].stack_used - STACK_CLEAN, 0, STACK_CLEAN);
	backend_resume(&backends[session], accesses);
	progress.at += accesses - Max(sim_left, 0) + (sim_left > 0);
	if (backends[session].naps == naps)
		backends[session].awake_for += accesses - Max(sim_left, 0);
	if (world->at_once && session == GUEST && world_move == 0 && backends[session].naps > naps)
		sim_fault("the session sleeps, although the mark need not be moved for it");
	if (backends[session].awake_for > DROWSY)
		backends[session].naps = 0;
	checks_after_run();
}

/* Is nobody else in the middle of anything, and has it happened? */
static bool
nothing_under_way(int session)
{
	for (int i = 0; i < sessions; i++)
		if (i != session && backends[i].state == BACKEND_BUSY)
			return false;
	return progress.happened;
}

/* As a transaction begins: messages and settings are taken notice of. */
static void
begin_job(int session)
{
	Backend    *backend = &backends[session];

	if (backend->reload)
		read_settings(backend);
	accept_invalidations(backend);
}

static void
choose_id(int session, int32 number)
{
	Job		   *job = &jobs[session];

	memset(job, 0, sizeof(*job));
	job->kind = JOB_GENERATE;
	job->format = flake_formats[world->format];
	job->number = job->format->id == FLAKE_SNO ? number : FLAKE_OWN;
	job->stride = 1;
	job->sure = world->always || (world->sure && nothing_under_way(session));
}

/* Everybody is told that the settings have changed. */
static void
reload(void)
{
	server.file = !server.file;
	server.postmaster = server.file;
	server.postmaster_reloaded = GetCurrentTimestamp();
	for (int i = 0; i < sessions; i++)
		backends[i].reload = true;
}

static void
begin_world(void)
{
	uint32		slots = world->sno_slots ? world->sno_slots : 4;

	sessions = world->happening == HAPPEN_GUEST || world->database[GUEST] != 0 ? GUEST + 1 : SESSIONS;
	random_quiet = true;
	formats_choose(slots, 4, 4, 9, world->snowflake_bits ? world->snowflake_bits : 8, 8, 32);
	flake_max_ahead = 10000;
	flake_max_wait = 50;
	checks_begin();
	memset(server.settings, 0, sizeof(server.settings));
	for (int i = 0; i < 2; i++)
		for (int d = 0; d < SIM_DATABASES; d++)
		{
			FlakeSettings *settings = &server.settings[i].of[d];

			settings->node = d + i;
			if (world->nodes[i][0] + world->nodes[i][1] > 0 && d < SESSIONS)
				settings->node = world->nodes[i][d];
			settings->sno_partition = settings->siq_shard = settings->snowflake_worker = -1;
			settings->sno_min = world->reload ? 0 : 5 * i;
			settings->sno_max = world->sno_max ? world->sno_max : 255;
			settings->snowflake_max = (1 << flake_snowflake.sequence_bits) - 1;
		}
	server.settings_count = 2;
	server.file = 0;
	server.oid_step = 1;
	server.failures = false;
	server.discards = false;
	server.now = server.lowest = BASE_US;
	server.clock_runs = true;
	server.drift = 0;
	server_create();
	server.postmaster = server.file;
	server.postmaster_reloaded = GetCurrentTimestamp();
	memset(jobs, 0, sizeof(jobs));
	memset(&progress, 0, sizeof(progress));
	for (int i = 0; i < sessions; i++)
		start_session(i);

	for (const Step *step = world->prelude; step->what != STEP_END; step++)
		switch (step->what)
		{
			case STEP_END:
				break;
			case STEP_CLOCK:
				clock_set(server.now + step->us);
				break;
			case STEP_ID:
			case STEP_LEAVE:
			case STEP_RESET:
			case STEP_FORCE:
			case STEP_CUT_OFF:
			case STEP_LOOK:
			case STEP_ADVANCE:
				choose_id(step->session, step->number);
				if (step->what == STEP_LEAVE)
					jobs[step->session].kind = JOB_EXIT;
				else if (step->what == STEP_RESET || step->what == STEP_FORCE || step->what == STEP_CUT_OFF)
					jobs[step->session].kind = JOB_RESET;
				else if (step->what == STEP_LOOK)
					jobs[step->session].kind = JOB_SNAPSHOT;
				else if (step->what == STEP_ADVANCE)
					jobs[step->session].kind = JOB_ADVANCE;
				jobs[step->session].us[0] = server.now + step->us;
				jobs[step->session].force = step->what == STEP_FORCE;
				server.cut_off = step->what == STEP_CUT_OFF ? step->number : 0;
				begin_job(step->session);
				do
					go_on(step->session, 1000000);
				while (backends[step->session].state == BACKEND_BUSY);
				if (jobs[step->session].failed != (step->what == STEP_CUT_OFF))
					sim_fault("the prelude fails: %s", backends[step->session].message);
				if (step->what == STEP_LEAVE)
					start_session(step->session);
				break;
			case STEP_REWRITE:
				transaction_change(&backends[step->session], true);
				break;
			case STEP_COMMIT:
				transaction_end(&backends[step->session], true);
				break;
			case STEP_RELOAD:
				reload();
				break;
			case STEP_CRASH:
			case STEP_STANDBY:
				go_down(server.flushed);
				server.recovering = step->what == STEP_STANDBY;
				for (int i = 0; i < sessions; i++)
					start_session(i);
				break;
		}
	clock_set(server.now + world_move);
	server.drift = world->drift;
	progress.at = 0;
	collect_pieces();
}

/* In how many ways may it happen now? */
static int
ways_to_happen(void)
{
	Database   *database = &server.databases[0];

	if (progress.happened)
		return 0;
	switch (world->happening)
	{
		case HAPPEN_CRASH:
			return server.inserted - server.flushed + 1;
		case HAPPEN_FAILOVER:
			return server.flushed - SIM_DATABASES + 1;
		case HAPPEN_CUT_OFF:
			return database_memory(0) != NULL && database_memory(0)->writer.value != 0 ? 2 : 0;
		case HAPPEN_DROP:
		case HAPPEN_REWRITE:
			return database->holders == 0 && !database->ddl;
		case HAPPEN_CANCEL:
		case HAPPEN_TERMINATE:
		case HAPPEN_LATCH:
			return backends[0].state == BACKEND_BUSY;
		case HAPPEN_NOTHING:
			return 0;
		case HAPPEN_PROMOTE:
		case HAPPEN_CLOCK:
		case HAPPEN_RELOAD:
		case HAPPEN_GUEST:
			break;
	}
	return 1;
}

/* Make it happen; answers who goes on: the guest or (-1) anybody. */
static int
happen(int way)
{
	Job		   *job = &jobs[GUEST];

	trace("it happens");
	progress.happened = true;
	progress.at++;
	clock_set(server.now + world->us);
	switch (world->happening)
	{
		case HAPPEN_CLOCK:
		case HAPPEN_NOTHING:
			break;
		case HAPPEN_CRASH:
		case HAPPEN_FAILOVER:
			/* (before the extension was made there is nothing) */
			go_down((world->happening == HAPPEN_CRASH ? server.flushed : SIM_DATABASES) + way);
			memset(&progress.done, 0, sizeof(progress.done));
			for (int i = 0; i < sessions; i++)
				start_session(i);
			break;
		case HAPPEN_PROMOTE:
			server.recovering = false;
			break;
		case HAPPEN_CUT_OFF:
			server.cut_off = way + 1;
			break;
		case HAPPEN_DROP:
			drop_extension(0);
			extension_create(0);
			forget_promises(0);
			break;
		case HAPPEN_REWRITE:
			extension_rewrite(0);
			break;
		case HAPPEN_RELOAD:
			reload();
			break;
		case HAPPEN_CANCEL:
			backends[0].cancel = true;
			break;
		case HAPPEN_TERMINATE:
			backends[0].terminate = true;
			break;
		case HAPPEN_LATCH:
			backends[0].latch = true;
			break;
		case HAPPEN_GUEST:
			if (world->reload)
				reload();
			choose_id(GUEST, world->reload ? FLAKE_OWN : 0);
			job->kind = world->guest;
			job->sure = false;
			job->mark = job->format->tick_tock ? FLAKE_MARK_TICK : FLAKE_MARK_AHEAD;
			for (int i = 0; i < FLAKE_MARK_KINDS; i++)
				job->us[i] = server.now + world->guest_us;
			for (int i = 0; i < 2 && world->retired_us[1] != 0; i++)
				job->retired[i] = server.now + world->retired_us[i];
			begin_job(GUEST);
			go_on(GUEST, 1);
			return GUEST;
	}
	return -1;
}

/* Has it anything left to do? */
static bool
unfinished(int session)
{
	if (backends[session].state != BACKEND_IDLE)
		return backends[session].state == BACKEND_BUSY;
	return session < SESSIONS && progress.done[session] < (world->ids ? world->ids : IDS);
}

static bool
ready(int session)
{
	return unfinished(session) && backend_runnable(&backends[session]);
}

/*
 * The sessions that may go on when none must.  One that sleeps again and again does
 * not while others could: what it waits for is theirs to do.
 */
static int
ready_sessions(int *options)
{
	int			n = 0;
	int			awake = 0;

	for (int i = 0; i < sessions; i++)
		awake += ready(i) && backends[i].naps < NAPS;
	for (int i = 0; i < sessions; i++)
		if (ready(i) && (awake == 0 || backends[i].naps < NAPS))
			options[n++] = i;
	return n;
}

/* Has it happened, and are all others through?  Then nothing can be preempted for. */
static bool
alone(int session)
{
	for (int i = 0; i < sessions; i++)
		if (i != session && unfinished(i))
			return false;
	return progress.happened;
}

/* Go on with a session, which may have to begin its next ID first. */
static void
advance(int session, int accesses)
{
	if (backends[session].state == BACKEND_IDLE)
	{
		choose_id(session, world->numbers[session][progress.done[session]++]);
		begin_job(session);
	}
	for (int i = 0; i < sessions; i++)
		if (i != session && backends[session].awake_for > DROWSY)
			backends[i].naps = 0;
	go_on(session, accesses);
	if (progress.at > 20000)
		sim_fault("a call does not end");
}

/* ---------- the search ---------- */

typedef struct Choice
{
	long		at;
	int			who;			/* a session, or EVENT + way */
} Choice;

static Choice choices[2 * lengthof(checkpoints)];
static int	choices_count;
static long schedules;
static long states;
static bool prune;

static void search(int running, int left, int depth);

/* Try what "who" stands for at a checkpoint, and everything after it. */
static void
try(int who, int left, int depth)
{
	choices[choices_count++] = (Choice) {progress.at, who};
	if (who >= EVENT)
	{
		search(happen(who - EVENT), left, depth + 1);
	}
	else
	{
		backends[who].yields = false;
		search(who, left, depth + 1);
	}
	choices_count--;
}

/*
 * Search all schedules from here on, with so many preemptions left, while a
 * session runs; -1: any may go on.
 */
static void
search(int running, int left, int depth)
{
	Checkpoint *here = &checkpoints[depth];

	if (depth == (int) lengthof(checkpoints))
		sim_fault("too many choices");
	for (;;)
	{
		int			options[EVENT + SIM_RECORDS];
		int			n = 0;
		bool		goes_on = running >= 0 && ready(running) && !backends[running].yields;

		if (!goes_on)
			n = ready_sessions(options);
		if (!goes_on && n == 0)
		{
			for (int i = 0; i < sessions; i++)
				if (unfinished(i))
					sim_fault("deadlock of session %d, which %s", i, backends[i].wants_lwlock != NULL ? "wants a lock" : "is not to be run");
			check_counts();
			check_marked();
			schedules++;
			/* after all this only a crash makes more of it */
			if (left > 0 && !progress.happened && (world->happening == HAPPEN_CRASH || world->happening == HAPPEN_FAILOVER))
				try(EVENT, left - 1, depth);
			return;
		}
		if (goes_on && (left == 0 || alone(running)))
		{
			advance(running, INT_MAX);
			continue;
		}
		if (left > 0 && seen_before(hash_state(goes_on ? running : -1), left) && prune)
			return;
		if (goes_on)
			for (int i = 0; i < sessions; i++)
				if (i != running && ready(i))
					options[n++] = i;
		save(here);
		if (left > 0)
		{
			for (int i = 0; goes_on && i < n; i++)
			{
				try(options[i], left - 1, depth);
				restore(here);
			}
			for (int way = 0, ways = ways_to_happen(); way < ways; way++)
			{
				try(EVENT + way, left - 1, depth);
				restore(here);
			}
		}
		if (!goes_on)
		{
			for (int i = 0; i + 1 < n; i++)
			{
				try(options[i], left, depth);
				restore(here);
			}
			running = options[n - 1];
			/* it is no choice where it is the only one */
			if (n > 1)
			{
				try(running, left, depth);
				return;
			}
		}
		advance(running, left > 0 ? 1 : INT_MAX);
	}
}

/* Search a world, from each of its beginnings; answers the one in which a fault was found, or -1. */
static int
explore(const World *of, int preemptions)
{
	volatile int move;

	world = of;
	prune = getenv("SIM_PRUNE") == NULL || atoi(getenv("SIM_PRUNE")) != 0;
	schedules = 0;
	states = 0;
	for (move = 0; move < (of->beginnings != 0 ? of->beginnings : (int) lengthof(moves)); move++)
	{
		forget_seen();
		choices_count = 0;
		self = NULL;
		if (_setjmp(sim_failed) != 0)
			return move;
		world_move = moves[move];
		begin_world();
		search(-1, preemptions, 0);
		states += seen_count;
	}
	return -1;
}

/* The schedule that was under way, as world_replay() reads it; first of all, from which beginning. */
static const char *
choices_text(int move)
{
	static char text[2000];
	int			length = snprintf(text, sizeof(text), "%d", move);

	for (int i = 0; i < choices_count && length < (int) sizeof(text) - 40; i++)
		if (choices[i].who < EVENT)
			length += snprintf(text + length, sizeof(text) - length, ",%ld:%d", choices[i].at, choices[i].who);
		else
			length += snprintf(text + length, sizeof(text) - length, ",%ld:e%d", choices[i].at, choices[i].who - EVENT);
	return text;
}

/* ---------- for main() ---------- */

static const World *
find_world(const char *name)
{
	for (size_t i = 0; i < lengthof(worlds); i++)
		if (strcmp(worlds[i].name, name) == 0)
			return &worlds[i];
	return NULL;
}

/* The name of world i, or NULL when there are less. */
const char *
world_name(int i)
{
	return i < (int) lengthof(worlds) ? worlds[i].name : NULL;
}

/*
 * All schedules of a world.  True when nothing was found; then "line" tells what
 * was searched, and otherwise which schedule of which world it was.
 */
bool
world_explore(const char *name, int preemptions, char *line, size_t size)
{
	int			move = explore(find_world(name), preemptions);

	if (move < 0)
		snprintf(line, size, "all schedules of world %s with up to %d preemptions: %ld, %ld states; no duplicate",
				 name, preemptions, schedules, states);
	else
		snprintf(line, size, "%s %s", name, choices_text(move));
	return move < 0;
}

/* One schedule, as world_explore() has told it. */
bool
world_replay(const char *name, const char *schedule)
{
	char	   *at;
	int			running = -1;
	int			move = (int) strtol(schedule, &at, 10);

	world = find_world(name);
	self = NULL;
	if (move < 0 || move >= (int) lengthof(moves))
		return false;
	if (_setjmp(sim_failed) != 0)
		return false;
	world_move = moves[move];
	begin_world();
	for (;;)
	{
		bool		goes_on = running >= 0 && ready(running) && !backends[running].yields;
		int			options[SESSIONS + 1];

		if (*at == ',' && strtol(at + 1, NULL, 10) <= progress.at)
		{
			(void) strtol(at + 1, &at, 10);
			if (*at++ != ':')
				return false;
			if (*at == 'e')
			{
				running = happen((int) strtol(at + 1, &at, 10));
			}
			else
			{
				running = (int) strtol(at, &at, 10);
				backends[running].yields = false;
			}
			continue;
		}
		if (!goes_on)
		{
			int			n = ready_sessions(options);

			if (n == 0)
			{
				for (int i = 0; i < sessions; i++)
					if (unfinished(i))
						sim_fault("deadlock");
				check_counts();
				check_marked();
				return true;
			}
			running = options[n - 1];
		}
		advance(running, 1);
	}
}
