/*
 * world.h
 *		A world, the world that is searched, and what the files that search it
 *		share.
 */
#ifndef WORLD_H
#define WORLD_H

#include "checks.h"

#define SESSIONS		2
#define GUEST			2		/* the session that begins with the event */
#define EVENT			3		/* in a schedule: the event; + the way */
#define IDS				2		/* of a session, at most */
#define ACTS			12		/* of a session, at most */

/* ---------- worlds.c ---------- */

/* The event, which also sets the clock, relative to now. */
typedef enum Happening
{
	HAPPEN_CLOCK,				/* nothing else happens */
	HAPPEN_CRASH,				/* all memory is lost */
	/* All memory is lost, and the WAL from some record on, though flushed. */
	HAPPEN_FAILOVER,
	HAPPEN_PROMOTE,				/* a standby's recovery ends */

	/*
	 * The session that writes the mark gets an error, before it changes the
	 * page or before it flushes the WAL.
	 */
	HAPPEN_CUT_OFF,
	/* The extension is dropped and created again; no lock is in the way. */
	HAPPEN_DROP,
	HAPPEN_REWRITE,				/* flakeid_mark gets another file */
	HAPPEN_RELOAD,				/* the settings change */
	HAPPEN_CANCEL,				/* session 0 is canceled */
	HAPPEN_TERMINATE,			/* session 0 is terminated */
	/* The latch of session 0 is set: its next sleep ends immediately. */
	HAPPEN_LATCH,
	HAPPEN_GUEST,				/* the guest begins */
	HAPPEN_NOTHING				/* there is no event */
} Happening;

/* What a session does where transactions write IDs and readers follow them. */
typedef enum Act
{
	ACT_NONE,					/* the session has finished */
	ACT_WRITE,					/* the transaction gets an ID of its own */
	ACT_ID,						/* it makes an ID, to be written */
	ACT_SIQ,					/* it makes a siq, to be written */
	ACT_COMMIT,
	ACT_ROLL_BACK,
	ACT_PREPARE,
	ACT_FINISH,					/* a prepared transaction is committed */
	ACT_POLL,					/* a statement asks for the horizon */
	/* A statement asks for it with the snapshot of the poll before. */
	ACT_POLL_AGAIN,
	ACT_POLL_SIQ,				/* a statement asks for siq's horizon */
	/* Sequences; the letter says which. */
	ACT_DRAW_A,					/* it draws a value, to be written */
	ACT_DRAW_B,
	ACT_DRAW_C,
	ACT_ROW_A,					/* its trigger gives a row a version of A */
	ACT_NEXTVAL,				/* it draws from A by nextval(), and writes
								 * nothing yet */
	ACT_RENEW,					/* it writes that value, or if it is late
								 * draws another one */
	ACT_REFUSE,					/* ... or if it is late writes nothing */
	ACT_ALTER,					/* ALTER SEQUENCE A, if nobody uses it */
	ACT_POLL_A,					/* a statement asks for A's horizon */
	ACT_POLL_A_AGAIN			/* ... with the snapshot of the poll before */
} Act;

typedef struct Step
{
	enum
	{
		STEP_END,
		STEP_ID,				/* a session makes an ID */
		STEP_CLOCK,				/* the clock goes on, or is set back */
		/* A session ends, and another one takes its place. */
		STEP_LEAVE,
		/* A session calls flakeid_clock_reset(): the clock was wrong. */
		STEP_RESET,
		/* It forces a reset to an instant before the clock. */
		STEP_FORCE,

		/*
		 * Either reset gets an error, before it changes the page or before it
		 * flushes the WAL.
		 */
		STEP_CUT_OFF,
		/* A session looks at the mark, and makes no ID. */
		STEP_LOOK,
		/* A session calls flakeid_advance(). */
		STEP_ADVANCE,
		/* A session restores a row of a dump, for timeline 0 alone. */
		STEP_MERGE,
		STEP_CRASH,				/* the memory is lost */
		/* A session rewrites flakeid_mark, and does not commit yet. */
		STEP_REWRITE,
		STEP_COMMIT,			/* it commits */
		STEP_RECREATE,			/* the extension is dropped and created again */
		STEP_RELOAD,			/* the settings change */
		STEP_STANDBY,			/* the server is a standby from now on */
		/* A database that its session has left is dropped until the event. */
		STEP_DROP,
		STEP_ACT				/* a session does what "number", an Act, says */
	}			what;
	int			session;
	/* A partition; an Act; of STEP_CUT_OFF a value of server.cut_off. */
	int32		number;
	int64		us;				/* relative to now */
} Step;

typedef struct World
{
	const char *name;
	Happening	happening;
	int64		us;				/* how far the event sets the clock */
	int			ids;			/* that each session makes; 0: IDS */
	FlakeFormatId format;
	int			database[SESSIONS + 1];
	int32		numbers[SESSIONS][IDS]; /* partitions */
	uint32		sno_max;		/* of the sequence; 0: 255 */
	uint32		snowflake_bits; /* of the sequence; 0: 8 */
	int			drift;			/* added to the clock each time it is read */
	bool		publishing;		/* readers publish the horizon */
	bool		cached;			/* sequence A has no horizon until it is
								 * altered */
	bool		no_memory;		/* there is none for announcements of draws */
	JobKind		guest;			/* what the guest does */
	int64		guest_us;		/* the instant that it gives, after now */
	bool		force;			/* its reset is forced */
	/* The row that the guest restores has this interval too, after now. */
	FlakeInterval interval_us;
	/* The guest begins with changed settings; the pools stay as they are. */
	bool		reload;
	bool		sure;			/* no ID is refused after the event */
	bool		always;			/* nor before it */
	bool		stores_late;	/* see stores.c */
	bool		leaves;			/* the guest ends after its job */
	/* The guest never sleeps where the mark need not be moved for it. */
	bool		at_once;
	int			beginnings;		/* how many of moves[] are searched; 0: all */
	int			preemptions;	/* its schedules have up to so many, at least */
	Act			acts[SESSIONS + 1][ACTS];	/* in place of IDs */
	Step		prelude[12];
} World;

extern const World *find_world(const char *name);
extern const char *world_name(int i);

/* ---------- world.c: the one that is searched ---------- */

extern const World *world;
extern int	sessions;			/* in it */

/* us: how far the clock goes on between the prelude and the schedule. */
extern int64 world_move;

/* How far the world's sessions have got. */
typedef struct Progress
{
	int			done[SESSIONS + 1]; /* IDs asked for, or acts begun */
	bool		happened;
	/* Accesses and other stops so far; the hash of the state leaves it out. */
	long		at;
} Progress;

extern Progress progress;

extern void begin_world(void);
extern int	ways_to_happen(void);
extern int	world_happen(int way);
extern bool unfinished(int session);
extern bool ready(int session);
extern int	ready_sessions(int *options);
extern bool alone(int session);
extern void world_advance(int session, int accesses);

/* ---------- state.c ---------- */

/* A copy of the state.  The search keeps one for each depth. */
typedef struct Checkpoint
{
	char	   *copy;
	size_t		size;			/* bytes allocated for it */
	long		at;
} Checkpoint;

extern void collect_pieces(void);
extern void state_save(Checkpoint *checkpoint);
extern void state_restore(const Checkpoint *checkpoint);
extern uint64 hash_state(int running);

/* ---------- search.c ---------- */

extern bool world_explore(const char *name, int preemptions, char *line, size_t size);
extern bool world_replay(const char *name, const char *schedule);

#endif							/* WORLD_H */
