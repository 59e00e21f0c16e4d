/*
 * shared.h
 *		The shared memory: what the sessions of a server share, and those of a database.
 */
#ifndef FLAKE_SHARED_H
#define FLAKE_SHARED_H

#include "server/pg.h"
#include "kernel/flake.h"

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "storage/lwlock.h"
#include "utils/dsa.h"

/* ---------- the memory; see shmem.c ---------- */

/* A generator fills a cache line of its own.  Everything is atomic and needs no lock. */
typedef struct FlakeGenerator
{
	pg_atomic_uint64 word;		/* see sequence.c */
	pg_atomic_uint64 issued;	/* IDs, except those of leases in use */
	pg_atomic_uint64 overflow_tick; /* the last tick counted in overflow_ticks */
	pg_atomic_uint64 last_overflow; /* timestamptz */
	pg_atomic_uint64 overflows; /* calls that found the tick exhausted */
	pg_atomic_uint64 overflow_ticks;	/* ticks that were exhausted */
	pg_atomic_uint64 wait_us;	/* total sleep of all callers */
	pg_atomic_uint32 waiting;	/* callers that are waiting now */
	pg_atomic_uint32 regressions;	/* how often the clock was found behind */
} FlakeGenerator;

/*
 * What a transaction has announced for a sequence; see seq_announce.c.  One session at a time writes it,
 * in the order stamp = 0, value, stamp; it is read in the order stamp, value, stamp.
 */
typedef struct FlakeValue
{
	/*
	 * FIRST_VALUE | position << 32 | OID of the sequence; 0: being changed,
	 * or never used
	 */
	pg_atomic_uint64 stamp;
	pg_atomic_uint64 value;		/* int64: the transaction draws no lower value */
} FlakeValue;

/* The last "size" announcements of a session's ring, each at its position modulo the size. */
typedef struct FlakeRing
{
	dsa_pointer previous;		/* the smaller one before it, where readers
								 * may still be; or 0 */
	uint32		size;			/* constant; a power of 2 */
	FlakeValue	value[FLEXIBLE_ARRAY_MEMBER];
} FlakeRing;

/* Return how many bytes a ring of so many places takes. */
static inline Size
flake_ring_bytes(uint32 size)
{
	return offsetof(FlakeRing, value) + size * sizeof(FlakeValue);
}

#define FLAKE_ANY_VALUE		(UINT64CONST(1) << 63)
/* Positions are modulo this plus one. */
#define FLAKE_POSITIONS		0x7fffffff

/*
 * Where a session, or an entry of the list of prepared transactions, keeps what its
 * transaction has announced, and what those before it had.
 */
typedef struct FlakeValues
{
	/*
	 * The positions [first, next) of the transaction's announcements: first
	 * << 32 | next; both alike: there are none.  With FLAKE_ANY_VALUE there
	 * was no memory for them: it may draw any value of any sequence.
	 */
	pg_atomic_uint64 range;
	pg_atomic_uint64 ring;		/* dsa_pointer of a FlakeRing; 0: nobody has
								 * drawn yet */
} FlakeValues;

/*
 * A session's entry fills a cache line, because readers of the horizon look at all of
 * them.  A process gets the next place when it first makes an ID or asks for a horizon, and
 * leaves it to the next process that has its number in PostgreSQL's own array, so readers look
 * at no more places than were ever in use.  Only the session writes there.
 */
typedef struct FlakeSession
{
	pg_atomic_uint64 database;	/* that it is attached to: dsa_pointer, or 0 */
	volatile int32 pid;

	/*
	 * Of the process whose number in PostgreSQL's array this is: its place
	 * plus one, or 0.
	 */
	uint32		place;

	/*
	 * us: every ID of the current transaction has this instant or a later
	 * one; 0: it has made none.
	 */
	pg_atomic_uint64 announced;

	FlakeValues values;			/* what it has drawn from sequences */

	/*
	 * timestamptz: the start of the statement that announced the first of
	 * them
	 */
	pg_atomic_uint64 drawing_since;

	/*
	 * Of the entry that it has reserved in FlakeDatabase.prepared: the index
	 * plus one, or 0.
	 */
	uint32		reserved;
	uint32		padding[3];
} FlakeSession;

/* The marks of a database; see mark.c. */
typedef enum FlakeMarkKind
{
	FLAKE_MARK_TICK,			/* tick-tock formats, timeline 0 */
	FLAKE_MARK_TOCK,			/* and timeline 1 */
	FLAKE_MARK_AHEAD,			/* all other formats */
	FLAKE_MARK_KINDS
} FlakeMarkKind;

/* Why a generator refused an ID; the views say it in words. */
typedef enum FlakeRefusal
{
	FLAKE_REFUSED_BEHIND,		/* the clock is too far behind what was issued */
	FLAKE_REFUSED_WAIT,			/* the next ID is due after flakeid.max_wait */
	FLAKE_REFUSED_EXHAUSTED,	/* the tick's pool, and the clock does not
								 * move */
	FLAKE_REFUSED_SPAN,			/* the clock or the next tick is outside the
								 * span */
	FLAKE_REFUSED_LOCKED,		/* others kept the mark's table locked */
	FLAKE_REFUSED_WRITING,		/* another session kept writing the mark */
	FLAKE_REFUSED_CHANGED,		/* the transaction changed the mark's table */
	FLAKE_REFUSED_DAMAGED		/* the mark's table is damaged */
} FlakeRefusal;

typedef struct FlakeClockStats
{
	uint64		regressions;	/* how often the clock was found behind ... */
	uint64		toggles;		/* ... and sno changed to the other timeline */
	uint64		went_ahead;		/* ... and generators went ahead of the clock */
	uint64		steps_back;		/* ... by a second or more */
	TimestampTz last_step_back; /* the last of these; 0: none */
	/* When going ahead, and toggling, was logged: monotonic clock, us. */
	int64		last_logged[FLAKE_FORMATS][2];
	/* us: until then, no further refusal counts as a regression. */
	int64		refused_until[FLAKE_FORMATS];
	uint64		refused;		/* calls counted by flake_count_refused() */
	TimestampTz last_refused;	/* 0: none */
	FlakeRefusal why;
	TimestampTz born;			/* of the memory; "issued" counts from then */
	TimestampTz since;			/* the others do: born or
								 * flakeid_stats_reset() */
} FlakeClockStats;

/*
 * A prepared transaction that has made IDs or drawn from sequences; see notes.c.  "announced"
 * is written before "xid".
 */
typedef struct FlakePrepared
{
	pg_atomic_uint32 xid;		/* 0: the entry is free */
	pg_atomic_uint64 announced; /* as FlakeSession.announced; 0: it has made
								 * no IDs */
	pg_atomic_uint64 drawing_since; /* as FlakeSession.drawing_since */
} FlakePrepared;

/* An xid that no transaction has: a session is filling in the entry. */
#define FLAKE_RESERVED_XID	1

/* The note of a transaction that has committed; see notes.c.  "xids" is written last. */
typedef struct FlakeNote
{
	/*
	 * The next transaction ID when it was left << 32 | the transaction's; 0:
	 * there is none.
	 */
	pg_atomic_uint64 xids;
	pg_atomic_uint64 note;		/* as flake_note() or flake_value_note()
								 * returns it */
} FlakeNote;

/* The xids of a note that a session is leaving. */
#define FLAKE_NOTE_RESERVED FLAKE_RESERVED_XID

/* How many prepared transactions the memory of a database can list. */
#define FLAKE_PREPARED		256

/* The notes of the transactions that have committed last, and of which notes are lost. */
typedef struct FlakeNotes
{
	pg_atomic_uint64 next_place;	/* for the next note; it goes into "note"
									 * modulo FLAKE_NOTES */

	/*
	 * Of the notes that were overwritten, the latest transaction, and the
	 * latest one that was the next when a note was left; 0: none was.
	 */
	pg_atomic_uint32 lost;
	pg_atomic_uint32 lost_next;

	/*
	 * Four share a cache line, which transactions that end at the same time
	 * pass to each other.
	 */
	FlakeNote	note[FLAKE_NOTES];
} FlakeNotes;

/* A sequence that readers, or rows made elsewhere, have asked about; see seq_floors.c. */
typedef struct FlakeFloor
{
	pg_atomic_uint64 next;		/* dsa_pointer of the next in its bucket */
	pg_atomic_uint32 sequence;	/* its OID */
	/* Its file number, to which the floor belongs, or will soon; 0: to none. */
	pg_atomic_uint32 file;
	pg_atomic_uint32 begun;		/* the file number for which the floor was set
								 * back last; or 0 */
	pg_atomic_uint32 lowered;	/* the last one without a horizon, for which
								 * it was lowered; or 0 */
	pg_atomic_uint32 logged;	/* its file number, when a reader had its page
								 * written to the WAL; or 0 */
	pg_atomic_uint32 asked_file;	/* its file number, when readers first
									 * asked for that */
	pg_atomic_uint64 floor_value;	/* int64: readers may have passed all
									 * lower values */
	pg_atomic_uint64 asked;		/* timestamptz of the first flakeid_horizon(),
								 * or 0 */
	pg_atomic_uint64 asked_next;	/* int64: the next value when readers
									 * first asked for "asked_file" */
	pg_atomic_uint32 moved;		/* it has moved since, and nobody had
								 * announced that */
	pg_atomic_uint32 heard;		/* a transaction has announced something since */
	pg_atomic_uint64 unannounced;	/* transactions that used it before they
									 * announced */
	pg_atomic_uint64 told;		/* int64: readers were told that all lower
								 * values are visible */
	pg_atomic_uint32 back;		/* the last reader found the sequence below
								 * that */
} FlakeFloor;

#define FLAKE_FLOORS		512 /* buckets; a power of 2 */

/* What a database keeps of its sequences, from the first draw or question on; see seq_announce.c. */
typedef struct FlakeSequences
{
	FlakeNotes	notes;
	FlakeValues prepared[FLAKE_PREPARED];	/* of FlakeDatabase.prepared */
	/* dsa_pointers of FlakeFloor; added to under FlakeDatabase.lock */
	pg_atomic_uint64 floors[FLAKE_FLOORS];
} FlakeSequences;

/*
 * A database: everything that its sessions share.  Sessions of other databases access only the
 * members that FlakeShared.lock protects.
 */
typedef struct FlakeDatabase
{
	dsa_pointer next;			/* in FlakeShared.databases; FlakeShared.lock */
	dsa_pointer self;			/* constant, like the next */
	Oid			oid;
	pg_atomic_uint64 bytes;		/* with its pages */

	/*
	 * Protects decisions about the clock, the member "clock", and the
	 * published mark.  Held for microseconds: never while a session waits,
	 * writes to disk or reports an error.
	 */
	LWLock		lock;

	/* The session that has the writer's turn: its place plus one, or 0. */
	pg_atomic_uint32 writer;

	/*
	 * generation << 1 | timeline, which change together.  A new generation
	 * makes every session drop its leases and read again what it decides on.
	 * Generations never repeat.
	 */
	pg_atomic_uint64 generation;
	FlakeClockStats clock;

	/* No tick below it is issued there, unless a reset lowers it. */
	pg_atomic_uint64 floor_tick[FLAKE_FORMATS][2];

	/*
	 * While the clock is behind this tick, generators of tick-tock formats go
	 * ahead of the clock instead of changing timelines, and no regression of
	 * the other formats is counted again.  0: no decision is in force.
	 */
	pg_atomic_uint64 ahead_until[FLAKE_FORMATS][2];

	/*
	 * flake_clock_offset() as the last session saw it, and as the first one
	 * or flakeid_stats_reset() did.  0: no session has looked yet.
	 */
	pg_atomic_uint64 clock_offset;
	pg_atomic_uint64 clock_offset_first;
	/* How many sessions have called T_new_at. */
	pg_atomic_uint32 backfillers[FLAKE_FORMATS];

	/*
	 * The mark.  A session reads "mark", and then "mark_floor", without a
	 * lock.  To publish, raise the floor first; to lower them, begin a new
	 * generation first.
	 */
	pg_atomic_uint32 mark_table;	/* that they were read from, or 0 */
	pg_atomic_uint32 mark_file;
	pg_atomic_uint64 mark[FLAKE_MARK_KINDS];	/* the one of "issued" */
	/* us: no tick that starts before it may be issued. */
	pg_atomic_uint64 mark_floor[FLAKE_MARK_KINDS];

	/* What is published: changed with the writer's turn, under the lock. */
	FlakeIssued issued[FLAKE_MARK_KINDS];
	/* us: the mark found first; what was issued earlier is below it. */
	pg_atomic_uint64 mark_at_start[FLAKE_MARK_KINDS];

	/*
	 * The next two belong to the session that has the writer's turn: what
	 * this server last wrote to the page, and flake_monotonic_us() of the
	 * last move since the memory was created, or 0.
	 */
	FlakeIssued mark_written[FLAKE_MARK_KINDS];
	int64		mark_moved[FLAKE_MARK_KINDS];

	/*
	 * What transactions have announced, besides the sessions' entries; see
	 * horizon.h.  Only the order of reads and writes guards it.  Transactions
	 * before known_since may have made IDs that the memory does not know of.
	 */
	pg_atomic_uint64 known_since;
	/* known_since was set during recovery: see flake_forget_recovery(). */
	pg_atomic_uint32 made_in_recovery;
	/* No transaction before it has left a note. */
	pg_atomic_uint64 notes_since;
	pg_atomic_uint64 late_ids;	/* rows that flakeid_late_id() has found late */
	pg_atomic_uint64 horizon_asked; /* timestamptz of the first question for a
									 * horizon, or 0 */
	FlakePrepared prepared[FLAKE_PREPARED];
	FlakeNotes	notes;
	pg_atomic_uint64 sequences; /* dsa_pointer of its FlakeSequences; 0: not
								 * needed yet */

	/* The pages of the generators, format by format; 0: not needed yet. */
	pg_atomic_uint64 generator_pages[FLAKE_PAGES];
} FlakeDatabase;

/* What the databases of a server share. */
typedef struct FlakeShared
{
	/* Protects everything below except atomics and sessions; likewise. */
	LWLock		lock;
	pg_atomic_uint64 generation;	/* the last one given to a database */
	dsa_pointer databases;
	uint32		database_count;
	pg_atomic_uint64 allocated; /* bytes of all databases */
	pg_atomic_uint64 sweep_at;	/* see FLAKE_SWEEP_BYTES */

	uint32		session_count;
	/* How many places have ever been used: raised before the first use. */
	pg_atomic_uint32 sessions_used;
	FlakeSession sessions[FLEXIBLE_ARRAY_MEMBER] pg_attribute_aligned(64);
} FlakeShared;

/* Raise this when the layout of shared memory changes: libraries of two layouts cannot share it. */
#define FLAKE_LAYOUT		1

#endif							/* FLAKE_SHARED_H */
