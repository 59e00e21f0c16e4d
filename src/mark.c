/*
 * mark.c
 *		The mark: the instant below which everything may have been issued.
 *
 * A tick may be issued only if it starts before the mark of the caller's
 * database, and the mark is moved two seconds of time at once, so that it costs
 * nothing per ID.  A timeline that was left is entered again only above the
 * marks of all databases, never above the highest tick seen: a backend put to
 * sleep may still publish any tick below its mark.
 *
 * There are three of them: one for each timeline of the tick-tock formats, one
 * for the formats that run on.  They live in shared memory.
 *
 * FlakeShared.lock guards every write; reads need no lock, but must look at
 * "database" after what they read, because an entry may change hands.
 */
#include "flakeid.h"

#include "miscadmin.h"
#include "storage/lwlock.h"

/* How far ahead of the IDs the mark is moved, and how near they may come before it is. */
#define FLAKE_LEAD_US		(2 * FLAKE_US_PER_SECOND)
#define FLAKE_NEAR_US		(1 * FLAKE_US_PER_SECOND)

static FlakeMark *mine = NULL;	/* the entry of this backend's database, if it still is */

/* Find or make the entry of this database.  The lock is held exclusively. */
static FlakeMark *
attach_locked(void)
{
	FlakeMark  *free = NULL;

	for (int i = 0; i < FLAKE_MARKS; i++)
	{
		FlakeMark  *entry = &flake->marks[i];
		Oid			database = pg_atomic_read_u32(&entry->database);

		if (database == MyDatabaseId)
			return entry;
		if (database == InvalidOid && free == NULL)
			free = entry;
	}
	if (free == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("flakeid's generators are in use in too many databases"),
				 errdetail("There is room for %d.", FLAKE_MARKS)));
	pg_atomic_write_u32(&free->database, MyDatabaseId);
	return free;
}

/* The mark of this database, and the floor below which it may not issue. */
int64
flake_mark(FlakeMarkKind kind, int64 *floor)
{
	for (;;)
	{
		if (mine != NULL)
		{
			int64		mark = (int64) pg_atomic_read_u64(&mine->mark[kind]);

			*floor = (int64) pg_atomic_read_u64(&mine->floor[kind]);
			pg_read_barrier();
			if (pg_atomic_read_u32(&mine->database) == MyDatabaseId)
				return mark;
		}
		LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
		mine = attach_locked();
		LWLockRelease(&flake->lock);
	}
}

/* Raise a mark of this database to us at least.  The lock is held exclusively. */
static void
raise_locked(FlakeMarkKind kind, int64 us)
{
	mine = attach_locked();
	if (us > (int64) pg_atomic_read_u64(&mine->mark[kind]))
		pg_atomic_write_u64(&mine->mark[kind], (uint64) us);
}

/* A tick that starts at us is wanted and the mark does not allow it: move it. */
void
flake_mark_extend(FlakeMarkKind kind, int64 us)
{
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	raise_locked(kind, us + FLAKE_LEAD_US);
	LWLockRelease(&flake->lock);
}

/* The same before anybody has to wait for it; one backend does it, the others go on. */
void
flake_mark_ahead(FlakeMarkKind kind, int64 us)
{
	int64		floor;

	if (flake_mark(kind, &floor) - us < FLAKE_NEAR_US &&
		LWLockConditionalAcquire(&flake->lock, LW_EXCLUSIVE))
	{
		raise_locked(kind, us + FLAKE_LEAD_US);
		LWLockRelease(&flake->lock);
	}
}

/*
 * Everything before us counts as issued by this database (a restored state).
 * The lock is held exclusively; the caller starts a new epoch.
 */
void
flake_mark_restore(FlakeMarkKind kind, int64 us)
{
	raise_locked(kind, us);
	if (us > (int64) pg_atomic_read_u64(&mine->floor[kind]))
		pg_atomic_write_u64(&mine->floor[kind], (uint64) us);
}

/* A toggle: this database begins on a timeline at us.  The lock is held exclusively. */
void
flake_mark_begin(FlakeMarkKind kind, int64 us)
{
	raise_locked(kind, us + FLAKE_LEAD_US);
}

/* The highest mark of any database.  The lock is held. */
int64
flake_mark_highest(FlakeMarkKind kind)
{
	uint64		highest = 0;

	for (int i = 0; i < FLAKE_MARKS; i++)
	{
		uint64		mark = pg_atomic_read_u64(&flake->marks[i].mark[kind]);

		if (mark > highest)
			highest = mark;
	}
	return (int64) highest;
}
