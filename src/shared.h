/*
 * shared.h
 *		What is in shared memory: what the sessions of a server share, and what those
 *		of a database do.
 */
#ifndef FLAKE_SHARED_H
#define FLAKE_SHARED_H

#include "pg.h"
#include "flake.h"

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "storage/lwlock.h"
#include "utils/dsa.h"

/* ---------- the memory; see shmem.c ---------- */

/*
 * A generator fills a cache line, so that sessions that use different generators do
 * not disturb each other.  Everything is atomic and needs no lock.
 */
typedef struct FlakeGenerator
{
	pg_atomic_uint64 word;		/* see sequence.c */
	pg_atomic_uint64 issued;	/* IDs, but for those of leases in use */
	pg_atomic_uint64 overflow_tick; /* the last tick counted in overflow_ticks */
	pg_atomic_uint64 last_overflow; /* timestamptz */
	pg_atomic_uint64 overflows; /* calls that found the tick exhausted */
	pg_atomic_uint64 overflow_ticks;	/* ticks that were exhausted */
	pg_atomic_uint64 wait_us;	/* slept, by all callers together */
	pg_atomic_uint32 waiting;	/* callers waiting at this moment */
	pg_atomic_uint32 regressions;	/* times that the clock was found behind */
} FlakeGenerator;

/*
 * A session's line fills a cache line, as readers of the horizon look at all of them.  A
 * session has the same place here as in PostgreSQL's own array of processes, so it need
 * not claim one, and it alone writes there.
 */
typedef struct FlakeSession
{
	pg_atomic_uint64 database;	/* dsa_pointer of the FlakeDatabase it is
								 * attached to, or 0 */
	volatile int32 pid;
	uint32		unused;
	pg_atomic_uint64 announced; /* us: all IDs of the transaction under way
								 * are of this instant or later; 0: it has
								 * made none */
	uint64		padding[5];
} FlakeSession;

/* The marks of a database; see mark.c. */
typedef enum FlakeMarkKind
{
	FLAKE_MARK_TICK,			/* tick-tock formats, timeline 0 */
	FLAKE_MARK_TOCK,			/* and timeline 1 */
	FLAKE_MARK_AHEAD,			/* all other formats that have a generator */
	FLAKE_MARK_READERS,			/* those that have none: only readers of the
								 * horizon move it */
	FLAKE_MARK_KINDS
} FlakeMarkKind;

/* Why a generator refused an ID; the views say it in words. */
typedef enum FlakeRefusal
{
	FLAKE_REFUSED_BEHIND,		/* the clock is too far behind what was issued */
	FLAKE_REFUSED_WAIT,			/* the next ID may be made only after
								 * flakeid.max_wait */
	FLAKE_REFUSED_EXHAUSTED,	/* the tick's pool is used up, and the clock
								 * does not move */
	FLAKE_REFUSED_SPAN,			/* the clock is outside the format's span, or
								 * all of it is issued */
	FLAKE_REFUSED_RECOVERY,		/* the server is a standby */
	FLAKE_REFUSED_LOCKED,		/* others kept the table of the mark locked
								 * for flakeid.max_wait */
	FLAKE_REFUSED_WRITING,		/* another session has been writing the mark
								 * for flakeid.max_wait */
	FLAKE_REFUSED_CHANGED,		/* the transaction has changed the table of
								 * the mark */
	FLAKE_REFUSED_DAMAGED		/* the table of the mark is damaged */
} FlakeRefusal;

typedef struct FlakeClockStats
{
	uint64		regressions;	/* times that the clock was found behind ... */
	uint64		toggles;		/* ... and sno changed to the other timeline */
	uint64		went_ahead;		/* ... and generators went ahead of the clock */
	TimestampTz last_regression;
	int64		last_logged[FLAKE_FORMATS][2];	/* when going ahead, and
												 * toggling, was logged:
												 * monotonic clock, us */
	int64		refused_until[FLAKE_FORMATS];	/* us: no other refusal counts
												 * as a regression before */
	uint64		refused;		/* calls that flake_count_refused() has
								 * counted */
	TimestampTz last_refused;	/* 0: none */
	FlakeRefusal why;
	TimestampTz born;			/* when the memory was made, from which
								 * "issued" counts */
	TimestampTz since;			/* when the other counters began: born, or the
								 * last flakeid_stats_reset() */
} FlakeClockStats;

/*
 * A prepared transaction that has made IDs; see horizon.c.  "announced" is written before
 * xid is.
 */
typedef struct FlakePrepared
{
	pg_atomic_uint32 xid;		/* 0: the entry is free */
	pg_atomic_uint64 announced; /* as FlakeSession.announced */
} FlakePrepared;

#define FLAKE_RESERVED_XID	1	/* no transaction's: somebody fills the entry
								 * in */

/* How many prepared transactions the memory of a database can list. */
#define FLAKE_PREPARED		256

/*
 * A database: everything that its sessions share.  It is made when the database
 * first needs a generator, and freed some time after the database was dropped (shmem.c).
 * Sessions of other databases read and write nothing in it but what FlakeShared.lock
 * protects.
 */
typedef struct FlakeDatabase
{
	dsa_pointer next;			/* in FlakeShared.databases; FlakeShared.lock */
	dsa_pointer self;
	Oid			oid;			/* constant, like the next */

	/*
	 * Protects decisions about the clock, "identity" and "clock", and the
	 * published mark.  Held for microseconds: never while a session waits,
	 * writes to disk or reports an error.
	 */
	LWLock		lock;

	/*
	 * The session that has the writer's turn: its place plus one, or 0.  The
	 * turn is held while the WAL is flushed, so it is no LWLock: a session
	 * that waits for it can be interrupted, and waits no longer than
	 * flakeid.max_wait.
	 */
	pg_atomic_uint32 writer;

	/*
	 * generation << 1 | timeline, one word so that they change together.  A
	 * new generation makes every session drop its leases and read again what
	 * it decides on.  Generations come from FlakeShared.generation and never
	 * repeat.
	 */
	pg_atomic_uint64 generation;
	FlakeClockStats clock;

	/*
	 * No tick below it is issued again on that timeline, by any generator of
	 * the format.
	 */
	pg_atomic_uint64 floor[FLAKE_FORMATS][2];

	/*
	 * While the clock is behind this tick, generators of tick-tock formats go
	 * ahead of the clock instead of changing timelines.  All other formats
	 * can only go ahead; for them it keeps one regression from being counted
	 * twice.  0: no decision is in force.
	 */
	pg_atomic_uint64 ahead_until[FLAKE_FORMATS][2];
	/*
	 * flake_clock_offset() as a session has seen it last, and as the first one
	 * did, or flakeid_stats_reset().  0: nobody has looked yet.
	 */
	pg_atomic_uint64 clock_offset;
	pg_atomic_uint64 clock_offset_then;
	pg_atomic_uint32 backfillers[FLAKE_FORMATS];	/* sessions that have
													 * called T_new_at */

	/*
	 * The mark.  A session reads "mark", and then "mark_floor", without a
	 * lock; who publishes raises the floor first, and who lowers them begins
	 * a generation before.
	 */
	pg_atomic_uint32 relation;	/* the table that they were read from; 0: not
								 * read yet */
	pg_atomic_uint32 file;		/* and its file */
	pg_atomic_uint64 mark[FLAKE_MARK_KINDS];	/* that of "issued" */
	pg_atomic_uint64 mark_floor[FLAKE_MARK_KINDS];	/* us: no tick that starts
													 * before it may be issued */
	/*
	 * What is published.  It changes under the lock, and only while a session
	 * has the writer's turn.
	 */
	FlakeIssued issued[FLAKE_MARK_KINDS];
	pg_atomic_uint64 found[FLAKE_MARK_KINDS];	/* us: the mark as memory found
												 * it first; what was issued
												 * before lies below it */
	/* The rest of the mark belongs to the session that has the writer's turn. */
	FlakeIssued written[FLAKE_MARK_KINDS];	/* what this server wrote to the
											 * page last, or found there */
	int64		moved[FLAKE_MARK_KINDS];	/* flake_monotonic_us() of the
											 * last move in this life, or 0 */

	/*
	 * What is announced, beside the sessions' lines; see horizon.c.  Nothing
	 * guards it but the order of reads and writes.  Transaction IDs that
	 * count on instead of wrapping around stand for themselves and all before.
	 */
	pg_atomic_uint64 known_since;	/* transactions before it may have made
									 * IDs that the memory does not know of */
	pg_atomic_uint32 made_in_recovery;	/* known_since is from then: see
										 * flake_forget_recovery() */
	pg_atomic_uint64 notes_cleared; /* no transaction before it has left a
									 * note */
	pg_atomic_uint64 late;		/* rows that flakeid_late_id() has found late */
	FlakePrepared prepared[FLAKE_PREPARED];
	/*
	 * Of transactions that have committed: see flake_note().  Eight to a
	 * cache line, which those that end at once pass on to each other: one
	 * transfer a commit.
	 */
	pg_atomic_uint64 notes[FLAKE_NOTES];

	/*
	 * The pages of the generators, one after the other for each format; 0:
	 * none of the page's generators was ever asked for.  See generators.c.
	 */
	pg_atomic_uint64 pages[FLAKE_PAGES];
} FlakeDatabase;

/* What the databases of a server share. */
typedef struct FlakeShared
{
	/*
	 * Protects everything below except atomics and sessions.  Held for
	 * microseconds, like FlakeDatabase.lock.
	 */
	LWLock		lock;
	pg_atomic_uint64 generation;	/* the last one given to a database */
	dsa_pointer databases;
	uint32		database_count;
	uint32		sweep_at;		/* with so many the next one looks which were
								 * dropped */

	uint32		session_count;
	FlakeSession sessions[FLEXIBLE_ARRAY_MEMBER] pg_attribute_aligned(64);
} FlakeShared;

/* Raise this when the layout of shared memory changes: libraries of two layouts cannot share it. */
#define FLAKE_LAYOUT		1

#endif							/* FLAKE_SHARED_H */
