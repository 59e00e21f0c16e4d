/*
 * schedule.h
 *		Random schedules: their kinds, the one under way, and what the files that
 *		run it know of each other.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "checks.h"

/* ---------- kinds.c ---------- */

typedef enum Event
{
	EV_TICK,					/* the clock goes on by about a tick */
	EV_FORWARD,					/* by up to some seconds, or to an instant
								 * known */
	EV_JUMP,					/* by minutes */
	EV_BACK,					/* steps back by some ticks */
	EV_BACK_FAR,				/* by up to some seconds, or to an instant
								 * known */
	EV_UNJUMP,					/* back to before a jump */
	EV_EXIT,					/* a backend leaves, another takes its place */
	EV_INTERRUPT,				/* one that waits is canceled or terminated */
	EV_STALL,					/* one is not run for a while */
	EV_CRASH,					/* all memory is lost, and what of the WAL was
								 * not flushed */
	EV_PROMOTE,					/* the same, with any prefix of the WAL that
								 * was flushed */
	EV_DDL,						/* flakeid_mark is dropped, created or
								 * rewritten */
	EV_TRANSACTION,				/* the same by a backend in a transaction,
								 * which ends some day */
	EV_RELOAD,					/* the settings change, for each session with
								 * its next transaction */
	EV_SET,						/* a session gets other settings than the file
								 * has */
	EV_RESTORE,					/* flake_restore() */
	EV_ADVANCE,					/* flakeid_advance(), or a row of a dump */
	EV_RESET,					/* flakeid_clock_reset() */
	EV_LOOK,					/* a snapshot or the view of the marks */
	EV_FLUSH,					/* the WAL is flushed for somebody else */
	EV_FOREIGN,					/* another library moves the mark and issues
								 * below it */
	EV_DATABASE,				/* a database is dropped, and another made
								 * under its number, at once or later */
	EV_STORM,					/* all idle backends but one leave: databases
								 * are left, which can be dropped */
	EVENTS
} Event;

typedef struct Kind
{
	const char *name;
	int			databases;
	int			partitions;		/* of sno, used by callers */
	bool		small_pools;	/* they run out all the time */
	bool		frozen;			/* the clock only moves by events */
	bool		small_limits;	/* max_ahead and max_wait */
	bool		mended;			/* ends with a reset of a clock that had
								 * jumped */
	bool		numbers;		/* sessions of a database have different ones */
	bool		island;			/* nothing but the clock, which never steps
								 * back, happens to database 0 */
	bool		feeds;			/* IDs are written by transactions, and
								 * readers ask for the horizon */
	bool		failures;		/* the mark cannot always be written */
	bool		intervals;		/* the clock jumps by hours, resets are forced
								 * at times, and restored rows have intervals */
	uint32		events_in_100;	/* rounds */
	uint8		weight[EVENTS];
} Kind;

extern const Kind kinds[];
extern const size_t kinds_count;

/* ---------- schedule.c ---------- */

/* What the schedules of a kind came to; for the test's line, and to see that they do something. */
typedef struct Count
{
	long		ids;
	long		events[EVENTS];
	long		toggles;
	long		went_ahead;
	long		errors;
	long		polls;			/* answers of the horizon ... */
	long		waiting;		/* ... that was the least of all */
	long		forgotten;		/* IDs beyond what a standby had */
	long		freed;			/* databases' memory */
} Count;

extern Count count;

/* The schedule under way. */
extern const Kind *kind;		/* NULL: a world */
extern bool concluding;			/* whatever happened is over, and the clock
								 * may step: see Kind.island */
extern int	round_number;
extern uint8 weights[EVENTS];
extern bool formats_used[FLAKE_FORMATS];
extern int64 before_jump;		/* the clock before the last jump, or 0 */

extern bool schedule(const Kind *of, uint64 seed);
extern bool in_island(const Backend *backend);
extern void start_backend(Backend *backend);
extern void restart(int records);
extern void begin_job(Backend *backend);
extern void run_alone(Backend *backend);

/* ---------- events.c ---------- */

extern uint32 instants_kept;

extern void keep_instant(int64 us);
extern int64 some_us(void);
extern void choose_settings(void);
extern void choose_generate(Job *job);
extern void choose_feed_job(Job *job);
extern void set_clock(int64 us);
extern void happen(Event event);

/* ---------- end.c ---------- */

extern void conclude(void);

#endif							/* SCHEDULE_H */
