/*
 * schedule.h
 *		Random schedules: their kinds, the schedule under way, and what the files
 *		that run it share.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "checks.h"

/* ---------- kinds.c ---------- */

typedef enum Event
{
	EV_TICK,					/* the clock goes on by about a tick */
	/* It goes on by up to some seconds, or to an earlier instant. */
	EV_FORWARD,
	EV_JUMP,					/* it goes on by minutes */
	EV_BACK,					/* it steps back by some ticks */
	/* It steps back by up to some seconds, or to an earlier instant. */
	EV_BACK_FAR,
	EV_UNJUMP,					/* it steps back to about before a jump */
	EV_EXIT,					/* a backend leaves, another takes its place */
	/* A backend that is making an ID is canceled or terminated. */
	EV_INTERRUPT,
	EV_STALL,					/* a backend does not run for a while */
	/* All memory is lost, and some of the WAL that was not flushed. */
	EV_CRASH,
	/* All memory is lost; any prefix of the flushed WAL remains. */
	EV_PROMOTE,
	/* flakeid_mark is dropped, created or rewritten. */
	EV_DDL,
	/* A backend does so in a transaction, which ends at some later time. */
	EV_TRANSACTION,
	/* The settings change, for each session with its next transaction. */
	EV_RELOAD,
	/* A session gets settings that differ from the file's. */
	EV_SET,
	EV_RESTORE,					/* flake_restore() */
	EV_ADVANCE,					/* flakeid_advance(), or a row of a dump */
	EV_RESET,					/* flakeid_clock_reset() */
	EV_LOOK,					/* a snapshot or the view of the marks */
	EV_FLUSH,					/* another session's commit flushes the WAL */
	/* Another library moves the mark and issues IDs below it. */
	EV_FOREIGN,
	/* A database is dropped; a new one gets its number, now or later. */
	EV_DATABASE,
	/* All idle backends but one leave, so that databases can be dropped. */
	EV_STORM,
	EVENTS
} Event;

typedef struct Kind
{
	const char *name;
	int			databases;
	int			partitions;		/* of sno, that callers ask for */
	bool		small_pools;	/* pools are used up all the time */
	bool		frozen;			/* the clock only moves by events */
	bool		small_limits;	/* max_ahead and max_wait are small */
	/* The schedule ends with a reset, after the clock has jumped. */
	bool		mended;
	bool		numbers;		/* sessions of a database have different ones */
	/* Nothing happens to database 0; the clock never steps back. */
	bool		island;
	/* Transactions write IDs, and readers ask for the horizon. */
	bool		feeds;
	/* They also draw from sequences, and readers follow these. */
	bool		draws;
	bool		failures;		/* writing the mark may fail */

	/*
	 * The clock jumps by hours, some resets are forced, and restored rows
	 * have intervals.
	 */
	bool		intervals;
	uint32		events_in_100;	/* rounds */
	uint8		weight[EVENTS];
} Kind;

extern const Kind kinds[];
extern const size_t kinds_count;

/* ---------- schedule.c ---------- */

/* What happened in the schedules of a kind: for the test's line, and to see that they do something. */
typedef struct Count
{
	long		ids;
	long		events[EVENTS];
	long		toggles;
	long		went_ahead;
	long		errors;
	long		polls;			/* answers of the horizon */
	long		waiting;		/* how many of them were the least ID */
	long		forgotten;		/* IDs that the replayed WAL does not cover */
	long		freed;			/* how often a database's memory was freed */
} Count;

extern Count count;

/* The schedule under way. */
extern const Kind *kind;		/* NULL: a world */

/* The events are over, and the clock may step in an island's schedule, too. */
extern bool concluding;
extern int	round_number;
extern uint8 weights[EVENTS];
extern bool formats_used[FLAKE_FORMATS];
extern int64 before_jump;		/* the clock before the last jump, or 0 */

extern bool schedule(const Kind *of, uint64 seed);
extern bool in_island(const Backend *backend);
extern void start_backend(Backend *backend);
extern void restart(int records);
extern void resume(Backend *backend, int points);
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
