/*
 * world.h
 *		A world, the one that is searched, and what the files that search it know
 *		of each other.
 */
#ifndef WORLD_H
#define WORLD_H

#include "checks.h"

#define SESSIONS		2
#define GUEST			2		/* one more session, which begins when it
								 * happens */
#define EVENT			3		/* in a schedule: it happens; more for the
								 * other ways */
#define IDS				2		/* made by a session, at most */
#define ACTS			12		/* of a session, where IDs are written and
								 * read */

/* ---------- worlds.c ---------- */

typedef enum Happening
{
	HAPPEN_CLOCK,				/* the clock is set, relative to now */
	HAPPEN_CRASH,				/* the same, and all memory is lost */
	HAPPEN_FAILOVER,			/* the same, and the WAL from some record on,
								 * though it was flushed */
	HAPPEN_PROMOTE,				/* a standby's recovery ends */
	HAPPEN_CUT_OFF,				/* who writes the mark gets an error, before
								 * the page is changed or before it is flushed */
	HAPPEN_DROP,				/* the extension is dropped and created again,
								 * without a lock in the way */
	HAPPEN_REWRITE,				/* flakeid_mark gets another file */
	HAPPEN_RELOAD,				/* the settings change */
	HAPPEN_CANCEL,				/* session 0 is canceled */
	HAPPEN_TERMINATE,			/* session 0 is terminated */
	HAPPEN_LATCH,				/* the latch of session 0 is set, so that its
								 * next sleep is none */
	HAPPEN_GUEST,				/* the clock is set, and the guest begins */
	HAPPEN_NOTHING
} Happening;

/* What a session does where IDs are written by transactions and followed by readers. */
typedef enum Act
{
	ACT_NONE,					/* it is through */
	ACT_WRITE,					/* the transaction gets an ID of its own */
	ACT_ID,						/* it makes an ID, to be written */
	ACT_SIQ,					/* the same, of another format */
	ACT_COMMIT,
	ACT_ROLL_BACK,
	ACT_PREPARE,
	ACT_FINISH,					/* a prepared transaction is committed */
	ACT_POLL,					/* a statement asks for the horizon ... */
	ACT_POLL_AGAIN,				/* ... with the snapshot of the one before */
	ACT_POLL_SIQ
} Act;

typedef struct Step
{
	enum
	{
		STEP_END,
		STEP_ID,				/* a session makes an ID */
		STEP_CLOCK,				/* the clock goes on */
		STEP_LEAVE,				/* a session ends, and another one takes its
								 * place */
		STEP_RESET,				/* a session goes back to the clock, which was
								 * wrong */
		STEP_FORCE,				/* the same by force, to before the clock */
		STEP_CUT_OFF,			/* the first, but it gets an error, before the
								 * page is changed or before it is flushed */
		STEP_LOOK,				/* a session looks at the mark, and makes no
								 * ID */
		STEP_ADVANCE,			/* a session counts everything before an
								 * instant as issued */
		STEP_MERGE,				/* the same by a row of a dump, for timeline 0
								 * alone */
		STEP_CRASH,				/* the memory is lost */
		STEP_REWRITE,			/* a session rewrites flakeid_mark, and does
								 * not commit */
		STEP_COMMIT,			/* it does */
		STEP_RELOAD,			/* the settings change */
		STEP_STANDBY,			/* the server is a standby from now on */
		STEP_DROP,				/* the database of a session that has left is
								 * dropped, until it happens */
		STEP_ACT				/* a session acts, as the number says */
	}			what;
	int			session;
	int32		number;			/* partition; of STEP_CUT_OFF where, as in
								 * server.cut_off */
	int64		us;
} Step;

typedef struct World
{
	const char *name;
	Happening	happening;
	int64		us;				/* that the clock is set by then */
	int			ids;			/* made by a session: IDS */
	FlakeFormatId format;
	int			database[SESSIONS + 1];
	int32		numbers[SESSIONS][IDS]; /* partitions */
	uint32		sno_max;		/* of the sequence: 255 */
	uint32		snowflake_bits; /* 8 */
	int			drift;			/* added to the clock each time it is read */
	JobKind		guest;			/* what the guest does ... */
	int64		guest_us;		/* ... up to this much after now */
	FlakeInterval interval_us;	/* ... of which the row that it restores has
								 * another interval, after now */
	bool		reload;			/* the settings change as well, but for the
								 * pools, and the guest reads them */
	bool		sure;			/* nobody is refused, after it ... */
	bool		always;			/* ... and before */
	bool		stores_late;	/* see stores.c */
	bool		leaves;			/* the guest ends when it is through */
	bool		at_once;		/* the guest never sleeps, where the mark need
								 * not be moved for it */
	int			beginnings;		/* only so many of moves[] (0: all) */
	Act			acts[SESSIONS + 1][ACTS];	/* in place of IDs */
	Step		prelude[12];
} World;

extern const World *find_world(const char *name);
extern const char *world_name(int i);

/* ---------- world.c: the one that is searched ---------- */

extern const World *world;
extern int	sessions;			/* in it */
extern int64 world_move;		/* of the clock, between the prelude and the
								 * schedule */

/* Where the world's sessions stand. */
typedef struct Progress
{
	int			done[SESSIONS + 1]; /* IDs asked for */
	bool		happened;
	long		at;				/* accesses and other stops so far; not of the
								 * state's identity */
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

/* A copy of the state; copies are kept for all depths of the search. */
typedef struct Checkpoint
{
	char	   *copy;
	size_t		size;			/* of the memory for it */
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
