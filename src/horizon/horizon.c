/*
 * horizon.c
 *		T_horizon(): every row whose ID is below it and that will ever be visible is
 *		visible to the statement that asks.
 *
 * IDs are made before their transactions commit, so a reader that continues from the last
 * ID it has seen misses lower ones that are committed later.  The horizon is below all of
 * those.  It relies on the order in which both sides write and read:
 *
 *	1. Before its transaction makes the first ID from a lease, a session announces the
 *	   lease's instant in its entry.  Only then does it check that the format's floor
 *	   still allows the lease's tick (flake_announce()).
 *	2. A transaction that has committed leaves a note of what it announced, in the place
 *	   that its transaction ID selects, and only then withdraws the announcement.  Other
 *	   sessions see its rows before either happens (end_of_transaction()).
 *	3. A reader raises the floor to the clock, and only then reads the announcements.  A
 *	   session that announces later finds the raised floor and makes no ID below it.
 *	4. The reader's snapshot is older than that, so the transactions that are running
 *	   according to it count, too.  Those that have committed since have left a note,
 *	   and the notes are read last.
 *	5. An announcement moves from the session's entry to the list of prepared
 *	   transactions or to a note, or from the list to a note.  Readers look in the same
 *	   order, so they miss none.
 *	6. Floors are in memory, so the horizon stays at or below the mark, which survives a
 *	   crash.  All IDs ever made are below the mark, so this hides none.
 *	7. A query gets one answer, and the queries of functions that use its snapshot get
 *	   the same one.  With two, the rows between them would be missing from a partition
 *	   that was scanned early, and the reader would pass them.
 *
 * The floor is raised on both timelines of a tick-tock format, and the horizon stays below
 * both marks: neither a clock that steps back nor a crash makes IDs below it possible.
 *
 * On machines with weak memory ordering, these pairs keep the order.  (Taking and releasing
 * a lock are full barriers.)
 *
 * - Announcement and floor: a session writes its announcement and then reads the floor, with
 *   a full barrier in between; a reader raises the floor, or finds it raised, and has a full
 *   barrier before it reads the announcements.  With a full barrier on both sides they
 *   cannot both miss the other's write, even if a third session raised the floor.  A
 *   session that announced enough earlier had its barrier then.  Its entry names the
 *   database before it announces, so the same holds for that.
 * - Note, list and announcement: the note is swapped in, or the entry of the list is
 *   filled in, before a full barrier and the end of the announcement.  A reader that
 *   misses the announcement has a read barrier before it looks at the list, and another
 *   one before the notes, so it finds the entry or the note.  The same barriers ensure
 *   that the transaction's ID is below the next one, which the reader reads later, under a
 *   lock.
 * - An entry of the list: its announcement is written before its transaction ID, and read
 *   after it.  If the entry is freed and another transaction fills it in between these two
 *   reads, the reader pairs the first transaction with the wrong instant; but that
 *   transaction's note was left before the entry was freed, and is read later.  If a
 *   transaction leaves two notes, the earlier instant stays, so a reader that then ends
 *   the entry a second time does no harm.
 * - Notes and known_since: known_since is moved before the notes are cleared, and a reader
 *   that misses a note reads known_since after it.
 * - An announcement that is withdrawn late, or read late, only holds the horizon back for
 *   longer.
 *
 * An ID is made by a transaction's own process: parallel workers make none, because the
 * leader, which ends the transaction, would not know what they announced.
 */
#include "horizon/published.h"

#include "access/parallel.h"
#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "storage/procarray.h"
#include "tcop/pquery.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

/* At most so many transaction IDs after the snapshot's are looked at one by one. */
#define LOOK_MOST			(4 * FLAKE_NOTES)

/* ---------- notes ---------- */

/*
 * From now on transactions before "at" count as older than the memory, which need not know
 * what IDs they have made.
 */
static void
forget_before(uint64 at)
{
	uint64		since = pg_atomic_read_u64(&flake_db->known_since);

	while (since < at && !pg_atomic_compare_exchange_u64(&flake_db->known_since, &since, at))
		continue;
}

/*
 * Memory that was created on a standby does not know the primary's transactions.  So after
 * a promotion, all transactions before the first query for the horizon count as older than
 * the memory.  Call this before reading known_since.
 */
void
flake_forget_recovery(void)
{
	if (unlikely(pg_atomic_read_u32(&flake_db->made_in_recovery) != 0) && !RecoveryInProgress())
	{
		forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
		pg_write_barrier();
		pg_atomic_write_u32(&flake_db->made_in_recovery, 0);
	}
	pg_read_barrier();
}

/*
 * Is this the i-th of the server's prepared transactions?  Its place keeps the ID after the
 * end, until another transaction gets the place.
 */
static bool
is_in_place(TransactionId xid, int i)
{
	volatile PGPROC *proc = &PreparedXactProcs[i];
	bool		there;

	if (proc->xid != xid)
		return false;
	LWLockAcquire(ProcArrayLock, LW_SHARED);
	there = proc->xid == xid && ProcGlobal->xids[proc->pgxactoff] == xid;
	LWLockRelease(ProcArrayLock);
	return there;
}

static bool
is_prepared(TransactionId xid)
{
	for (int i = 0; i < max_prepared_xacts; i++)
		if (is_in_place(xid, i))
			return true;
	return false;
}

/*
 * Free the entries of prepared transactions that the server no longer has.  Their IDs may
 * be so old that they would look like those of later transactions, which run.  They leave
 * no note, but count as older than the memory.
 */
static void
free_worn_entries(void)
{
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		FlakePrepared *prepared = &flake_db->prepared[i];
		TransactionId xid = pg_atomic_read_u32(&prepared->xid);

		if (!TransactionIdIsNormal(xid) || is_prepared(xid))
			continue;
		forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
		(void) pg_atomic_compare_exchange_u32(&prepared->xid, &xid, InvalidTransactionId);
	}
}

/*
 * Clear all notes if the oldest may be too old to be compared; "at" is the current
 * transaction ID.  Call this before leaving a note or looking for one.
 *
 * A reader reads its note first and known_since afterwards, so known_since is changed
 * before the notes are.  Sessions of later transactions wait for the lock until all are
 * cleared; otherwise their notes would be cleared, too.
 *
 * So transaction IDs that are compared are less than 2^31 apart, no matter how long a
 * database was idle: neither a note nor known_since is more than 2^30 back when it is
 * read, nor the entry of a prepared transaction that has ended.  Between two reads of one
 * reader not that many can pass, because its snapshot keeps the server from assigning so
 * many.
 */
static void
clear_worn_notes(uint64 at)
{
	if (likely(!flake_notes_worn(pg_atomic_read_u64(&flake_db->notes_cleared), at)))
		return;
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (flake_notes_worn(pg_atomic_read_u64(&flake_db->notes_cleared), at))
	{
		forget_before(at);
		for (int i = 0; i < FLAKE_NOTES; i++)
			pg_atomic_exchange_u64(&flake_db->notes[i], 0);
		free_worn_entries();
		pg_atomic_write_u64(&flake_db->notes_cleared, at);
	}
	LWLockRelease(&flake_db->lock);
}

/* Leave a note of what a transaction that has ended had announced. */
static void
leave_note(TransactionId xid, uint64 announced)
{
	pg_atomic_uint64 *place = &flake_db->notes[xid % FLAKE_NOTES];
	uint64		old = pg_atomic_read_u64(place);
	uint64		note;

	do
		note = flake_note(old, xid, announced);
	while (note != old && !pg_atomic_compare_exchange_u64(place, &old, note));
}

/* ---------- prepared transactions ---------- */

/*
 * A prepared transaction has ended: leave its note, and free its entry.  A reader whose
 * snapshot has it as running, and that finds the entry free, finds the note.  Clear worn
 * notes before reading the entry.
 */
static void
end_prepared(FlakePrepared *prepared, TransactionId xid, uint64 announced)
{
	leave_note(xid, announced);
	(void) pg_atomic_compare_exchange_u32(&prepared->xid, &xid, InvalidTransactionId);
}

/* Free the entries of prepared transactions that have ended. */
static void
end_finished(void)
{
	clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		FlakePrepared *prepared = &flake_db->prepared[i];
		TransactionId xid = pg_atomic_read_u32(&prepared->xid);
		uint64		announced;

		if (!TransactionIdIsNormal(xid))
			continue;
		pg_read_barrier();
		announced = pg_atomic_read_u64(&prepared->announced);
		if (!TransactionIdIsInProgress(xid))
			end_prepared(prepared, xid, announced);
	}
}

/*
 * Put this transaction, which is already prepared, into the list.  No session can finish
 * it before the callbacks have run.  If the list is full, it counts as older than the
 * memory, and readers look for it in the server's own list of prepared transactions.
 */
static void
list_prepared(TransactionId xid, uint64 announced)
{
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		FlakePrepared *prepared = &flake_db->prepared[i];
		uint32		nobody = InvalidTransactionId;

		if (pg_atomic_compare_exchange_u32(&prepared->xid, &nobody, FLAKE_RESERVED_XID))
		{
			pg_atomic_write_u64(&prepared->announced, announced);
			pg_write_barrier();
			pg_atomic_write_u32(&prepared->xid, xid);
			return;
		}
	}
	forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
}

/* ---------- announcing ---------- */

/*
 * For each format, the earliest announced instant that the floor has allowed in this
 * transaction; 0: none.  No reader passes it before the transaction ends, no matter how
 * far the floor rises meanwhile.
 */
static uint64 allowed[FLAKE_FORMATS];

/*
 * The transaction has ended, and other sessions already see its rows.  Leave the note
 * first and withdraw the announcement afterwards: a reader looks in the reverse order.
 * Without a transaction ID nothing was written, and nobody ever sees what was rolled back.
 *
 * The next transaction must announce again, so it must not start with the lease in use.
 */
static void
end_of_transaction(XactEvent event, void *arg pg_attribute_unused())
{
	FullTransactionId xid = GetTopFullTransactionIdIfAny();
	uint64		announced;

	if (flake_db == NULL || (announced = pg_atomic_read_u64(&flake_session->announced)) == 0)
		return;
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PARALLEL_PRE_COMMIT:
			return;
		case XACT_EVENT_PRE_PREPARE:
			end_finished();
			return;
		case XACT_EVENT_PREPARE:
			list_prepared(XidFromFullTransactionId(xid), announced);
			break;
		case XACT_EVENT_COMMIT:
			if (FullTransactionIdIsValid(xid))
			{
				clear_worn_notes(U64FromFullTransactionId(xid));
				leave_note(XidFromFullTransactionId(xid), announced);
			}
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_PARALLEL_ABORT:
			break;
	}
	flake_injection_point("flakeid-horizon-noted");
	flake_leave_lease();
	memset(allowed, 0, sizeof(allowed));
	pg_memory_barrier();
	pg_atomic_write_u64(&flake_session->announced, 0);
}

/*
 * Announce that this transaction makes IDs of the tick, and return whether the floor still
 * allows that.  The announcement is in memory before the floor is read: a reader raises
 * the floor before it reads the announcements, so one of the two sees the other.  An
 * earlier announcement covers later instants of all formats, but every format has its own
 * floor to check.
 */
static bool
announce(const char *name, const FlakeFormat *format, unsigned timeline, uint64 tick)
{
	static bool registered = false;
	uint64		announced = pg_atomic_read_u64(&flake_session->announced);
	uint64		wanted = flake_announcement(announced, flake_us_of(&format->rate, tick));

	if (wanted != announced)
	{
		if (IsParallelWorker())
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
					 errmsg("cannot generate %s in a parallel worker", name),
					 errhint("Functions that make IDs are PARALLEL RESTRICTED, and functions that call them must be, too.")));
		if (!registered)
			RegisterXactCallback(end_of_transaction, NULL);
		registered = true;
		pg_atomic_write_u64(&flake_session->announced, wanted);
		pg_memory_barrier();
	}
	return tick >= pg_atomic_read_u64(&flake_db->floor[format->id][timeline]);
}

/*
 * The same for a generator, which looks at its word and the clock again if the floor does
 * not allow the tick.  Reports 25000 in a parallel worker; "name" is the type that the
 * caller asked for.
 */
bool
flake_announce(const char *name, const FlakeFormat *format, unsigned timeline, uint64 tick)
{
	if (!announce(name, format, timeline, tick))
		return false;
	allowed[format->id] = flake_announcement(allowed[format->id], flake_us_of(&format->rate, tick));
	return true;
}

/* ---------- what a reader looks at ---------- */

/* Return the lowest mark of a format's timelines. */
static int64
least_mark(const FlakeFormat *format)
{
	int64		mark = flake_mark_safe(flake_mark_kind(format, 0));

	return format->tick_tock ? flake_earlier(mark, flake_mark_safe(flake_mark_kind(format, 1))) : mark;
}

/* Return the lowest floor of a format's timelines. */
static uint64
least_floor(const FlakeFormat *format)
{
	uint64		floor = pg_atomic_read_u64(&flake_db->floor[format->id][0]);

	if (format->tick_tock)
		floor = flake_earlier_tick(floor, pg_atomic_read_u64(&flake_db->floor[format->id][1]));
	return floor;
}

/*
 * Return the tick up to which readers may have passed: the floor, or the mark at the time
 * when the memory was created, because earlier horizons are below that.
 */
static uint64
passed_tick(const FlakeFormat *format)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->found[flake_mark_kind(format, 0)]);

	if (format->tick_tock)
		found = flake_earlier(found, (int64) pg_atomic_read_u64(&flake_db->found[flake_mark_kind(format, 1)]));
	return flake_later_tick(least_floor(format), flake_tick_from(&format->rate, found));
}

/* Make sure that the published mark is the table's current one. */
static void
look_up_mark(const FlakeFormat *format)
{
	FlakeMarkView mark;

	(void) flake_mark(flake_mark_kind(format, 0), &mark);
}

/*
 * Where no generator does it, move the mark of the current timeline ahead of the clock,
 * but no further than "most".  The generation is read before the clock, so that a reset in
 * between, after the clock was wrong, prevents the move.
 */
static void
lead_with_mark(const FlakeFormat *format, int64 most)
{
	uint64		generation;

	flake_attach();
	look_up_mark(format);
	generation = pg_atomic_read_u64(&flake_db->generation);
	pg_read_barrier();
	flake_mark_ahead(flake_mark_kind(format, flake_timeline(format, generation)), flake_earlier(flake_clock(), most), generation);
}

/*
 * Return whether it is early enough for this transaction to write an ID of this instant,
 * wherever the ID was made.  If so, announce it like the IDs that the transaction makes
 * itself.  If not, readers may have passed it; store in *passed how far.  The announcement
 * then stays as it was: otherwise a row of last year would hold all readers back to that
 * time.
 *
 * The check follows the announcement; an earlier check avoids announcing most late IDs at
 * all.  The mark follows the clock here, too: where clients make all IDs, nothing else
 * moves it, and the horizon stays below it.
 */
bool
flake_in_time(const FlakeFormat *format, int64 us, int64 *passed)
{
	uint64		tick = flake_tick_of(&format->rate, us);
	uint64		before;

	flake_attach();
	if (allowed[format->id] != 0 && us >= (int64) allowed[format->id])
		return true;
	lead_with_mark(format, PG_INT64_MAX);
	before = pg_atomic_read_u64(&flake_session->announced);
	if (tick >= passed_tick(format))
	{
		(void) announce(format->name, format, 0, tick);
		if (tick >= passed_tick(format))
		{
			allowed[format->id] = flake_announcement(allowed[format->id], us);
			return true;
		}
		pg_atomic_write_u64(&flake_session->announced, before);
	}
	*passed = flake_us_of(&format->rate, passed_tick(format));
	return false;
}

/* ---------- the marks, where no generator moves them ---------- */

/*
 * Generators do not move the mark of the timeline that is not in force, so move it here,
 * as far as the other one allows.  That is why not everybody may call sno_horizon().
 */
static void
move_idle_mark(const FlakeFormat *format)
{
	uint64		generation = pg_atomic_read_u64(&flake_db->generation);
	unsigned	in_force = flake_timeline(format, generation);
	FlakeMarkView mark;

	(void) flake_mark(flake_mark_kind(format, in_force), &mark);
	if (mark.mark > 0)
		flake_mark_ahead(flake_mark_kind(format, 1 - in_force), flake_earlier(flake_clock(), mark.mark), generation);
}

/* Return what the clock read flakeid.horizon_lag ago: readers go no further. */
static int64
readers_clock(void)
{
	return flake_clock() - (int64) flake_horizon_lag * 1000;
}

/*
 * Close all ticks of a format that the clock has left, so that only transactions that have
 * announced them make IDs below.  Returns the floor.  The clock is read under the lock:
 * otherwise an earlier reading could undo a reset of the clock, which lowers floors and
 * marks.
 */
static uint64
close_ticks(const FlakeFormat *format)
{
	if (least_floor(format) < flake_closing_tick(&format->rate, readers_clock(), least_mark(format)))
	{
		uint64		tick;

		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		tick = flake_closing_tick(&format->rate, readers_clock(), least_mark(format));
		for (unsigned timeline = 0; timeline <= (unsigned) format->tick_tock; timeline++)
			flake_raise(&flake_db->floor[format->id][timeline], tick);
		LWLockRelease(&flake_db->lock);
	}
	pg_memory_barrier();
	return least_floor(format);
}

static inline void
see(FlakeSeen *seen, uint64 announced)
{
	if (announced != 0)
		seen->announced = Min(seen->announced, announced);
}

/*
 * Look at the announcements of the sessions of this database.  This session's counts, too:
 * its transaction may make IDs below its own horizon, from its current lease.
 */
static void
look_at_sessions(FlakeSeen *seen)
{
	for (uint32 i = 0; i < flake->session_count; i++)
	{
		FlakeSession *session = &flake->sessions[i];

		if (pg_atomic_read_u64(&session->database) == flake_db->self)
			see(seen, pg_atomic_read_u64(&session->announced));
	}
}

/* Look at the prepared transactions that the memory lists; drop those that have ended. */
static void
look_at_prepared(Snapshot snapshot, FlakeSeen *seen)
{
	if (max_prepared_xacts == 0)
		return;
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		FlakePrepared *prepared = &flake_db->prepared[i];
		TransactionId xid = pg_atomic_read_u32(&prepared->xid);
		uint64		announced;

		if (!TransactionIdIsNormal(xid))
			continue;
		pg_read_barrier();
		announced = pg_atomic_read_u64(&prepared->announced);
		if (XidInMVCCSnapshot(xid, snapshot))
			see(seen, announced);
		else
			end_prepared(prepared, xid, announced);
	}
}

static bool
is_listed(TransactionId xid)
{
	for (int i = 0; i < FLAKE_PREPARED; i++)
		if (pg_atomic_read_u32(&flake_db->prepared[i].xid) == xid)
			return true;
	return false;
}

/*
 * Return the i-th of the server's prepared transactions, if it belongs to this database,
 * is older than the memory, and is not finished: nobody knows what IDs it has made.
 * (Prepared transactions survive a crash and a promotion.)  Otherwise return
 * InvalidTransactionId.
 */
TransactionId
flake_unlisted_prepared(int i)
{
	volatile PGPROC *proc = &PreparedXactProcs[i];
	TransactionId since = (TransactionId) pg_atomic_read_u64(&flake_db->known_since);
	TransactionId xid = proc->xid;

	if (TransactionIdIsNormal(xid) && TransactionIdPrecedes(xid, since) &&
		proc->databaseId == MyDatabaseId && !is_listed(xid) && is_in_place(xid, i))
		return xid;
	return InvalidTransactionId;
}

/* Look for prepared transactions whose IDs are not known. */
static void
look_for_unlisted(Snapshot snapshot, FlakeSeen *seen)
{
	if (!TransactionIdPrecedes(snapshot->xmin, (TransactionId) pg_atomic_read_u64(&flake_db->known_since)))
		return;
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		TransactionId xid = flake_unlisted_prepared(i);

		if (TransactionIdIsNormal(xid) && XidInMVCCSnapshot(xid, snapshot))
			seen->lost = true;
	}
}

/* Look for the note of a transaction that is running according to the snapshot. */
static void
look_for_note(TransactionId xid, FlakeSeen *seen)
{
	uint64		note = pg_atomic_read_u64(&flake_db->notes[xid % FLAKE_NOTES]);
	uint64		announced = 0;
	FlakeNoted	noted = flake_noted(note, xid, &announced);
	bool		old;

	see(seen, announced);
	if (noted == FLAKE_NOTED)
		return;
	pg_read_barrier();
	old = TransactionIdPrecedes(xid, (TransactionId) pg_atomic_read_u64(&flake_db->known_since));
	if (old || noted == FLAKE_NOTED_LATER)
		flake_see_no_note(seen, noted, old, TransactionIdDidCommit(xid));
}

/*
 * Look at the notes of the transactions that are running according to the snapshot.  Those
 * that still run have left none; they were among the announcements.
 */
static void
look_at_notes(Snapshot snapshot, FlakeSeen *seen)
{
	TransactionId next = ReadNextTransactionId();

	for (uint32 i = 0; i < snapshot->xcnt; i++)
		look_for_note(snapshot->xip[i], seen);
	if (next - snapshot->xmax > LOOK_MOST)
	{
		seen->unknown = true;
		return;
	}
	for (TransactionId xid = snapshot->xmax; xid != next;)
	{
		look_for_note(xid, seen);
		TransactionIdAdvance(xid);
	}
}

/* ---------- the horizon of a snapshot ---------- */

/* The last answer of this session for a format. */
typedef struct Answer
{
	/* The answer is void in any other.  0: there is no answer. */
	uint64		generation;
	FlakeSnapshotAge age;
	uint64		tick;
} Answer;

/* Report 55000: too many transactions have ended since the snapshot was taken. */
static void
report_too_old(const FlakeFormat *format)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the snapshot is too old for the horizon of %s", format->name),
			 errdetail("Too many transactions have ended since it was taken."),
			 errhint("Poll in a transaction of its own in READ COMMITTED, or ask for the horizon in the first statement of the transaction.")));
}

/*
 * Return the horizon of a format for a snapshot, as a tick.  The order matters: see the
 * head of this file.
 */
static uint64
horizon_of(const FlakeFormat *format, Snapshot snapshot)
{
	static Answer answers[FLAKE_FORMATS];
	Answer	   *last = &answers[format->id];
	FlakeSnapshotAge age = {.xmax = snapshot->xmax, .running = snapshot->xcnt};
	FlakeSeen	seen = {.announced = FLAKE_SEEN_NOTHING};
	uint64		generation;
	uint64		closed;

	flake_check_settings();
	flake_attach();
	look_up_mark(format);
	flake_forget_recovery();
	clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
	if (format->tick_tock)
		move_idle_mark(format);
	generation = pg_atomic_read_u64(&flake_db->generation);

	closed = close_ticks(format);
	flake_injection_point("flakeid-horizon-closed");
	look_at_sessions(&seen);
	pg_read_barrier();
	look_at_prepared(snapshot, &seen);
	pg_read_barrier();
	look_for_unlisted(snapshot, &seen);
	pg_read_barrier();
	look_at_notes(snapshot, &seen);

	if (!seen.unknown || seen.lost)
	{
		last->generation = generation;
		last->age = age;
		last->tick = flake_horizon_tick(&format->rate, closed, least_mark(format), &seen);
	}
	else if (last->generation != generation || !flake_answer_holds(&last->age, &age))
		report_too_old(format);
	return last->tick;
}

/* ---------- one answer for one query ---------- */

/*
 * The answers for a snapshot.  It stays registered as long as they are kept, so that no
 * other snapshot gets its address.
 */
typedef struct Kept
{
	struct Kept *next;
	Snapshot	snapshot;
	bool		known[FLAKE_FORMATS];
	uint64		tick[FLAKE_FORMATS];
} Kept;

static Kept *all_kept = NULL;	/* this transaction's */

/* Forget the answers of queries that have ended: nothing else holds their snapshots. */
static void
forget_answers(bool all)
{
	for (Kept **link = &all_kept; *link != NULL;)
	{
		Kept	   *kept = *link;

		if (!all && (kept->snapshot->regd_count > 1 || kept->snapshot->active_count > 0))
		{
			link = &kept->next;
			continue;
		}
		*link = kept->next;
		UnregisterSnapshotFromOwner(kept->snapshot, TopTransactionResourceOwner);
		pfree(kept);
	}
}

/*
 * The transaction ends.  Before a commit, unregister the snapshots; a rollback frees them
 * by itself.
 */
static void
end_of_answers(XactEvent event, void *arg pg_attribute_unused())
{
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		forget_answers(true);
	else
		all_kept = NULL;
}

/*
 * A statement has ended: if the transaction stays open, its snapshot must not hold back
 * vacuum any longer.
 */
static void
end_of_portal(void *arg pg_attribute_unused())
{
	forget_answers(false);
}

static void
watch_portal(void)
{
	MemoryContextCallback *callback;

	if (ActivePortal == NULL)
		return;
	for (callback = ActivePortal->portalContext->reset_cbs; callback != NULL; callback = callback->next)
		if (callback->func == end_of_portal)
			return;
	callback = MemoryContextAllocZero(ActivePortal->portalContext, sizeof(MemoryContextCallback));
	callback->func = end_of_portal;
	MemoryContextRegisterResetCallback(ActivePortal->portalContext, callback);
}

/*
 * Return what is kept for a registered snapshot.  The query that asks may be an inner one
 * of a function, and end long before the query that calls the function.  So not its memory
 * or its end decides how long the answer is needed, but whether anything still holds the
 * snapshot.
 */
static Kept *
kept_for(Snapshot snapshot)
{
	static bool registered = false;
	Kept	   *kept;

	for (kept = all_kept; kept != NULL; kept = kept->next)
		if (kept->snapshot == snapshot)
			return kept;
	forget_answers(false);
	if (!registered)
		RegisterXactCallback(end_of_answers, NULL);
	registered = true;
	watch_portal();
	kept = MemoryContextAllocZero(TopTransactionContext, sizeof(Kept));
	kept->snapshot = RegisterSnapshotOnOwner(snapshot, TopTransactionResourceOwner);
	kept->next = all_kept;
	all_kept = kept;
	return kept;
}

/* Return the snapshot of the statement that asks. */
static Snapshot
asking_snapshot(void)
{
	Snapshot	snapshot = ActiveSnapshotSet() ? GetActiveSnapshot() : NULL;

	if (snapshot == NULL || !IsMVCCSnapshot(snapshot) || IsParallelWorker())
		elog(ERROR, "cannot determine the horizon here");
	return snapshot;
}

/*
 * Return the horizon of the IDs that this database makes: the one in this server's memory,
 * or, for a snapshot that was taken in recovery, the one that the primary has published.
 * The mark is moved first, as far as this server's clock has got, but no further than
 * "most": where few IDs or none are made, nothing else moves it, and the horizon stays
 * below it.
 */
static uint64
own_horizon(const FlakeFormat *format, Snapshot snapshot, int64 most)
{
	if (RecoveryInProgress() || snapshot->takenDuringRecovery)
		return flake_published_here(format, snapshot);
	if (most != PG_INT64_MIN)
		lead_with_mark(format, most);
	return horizon_of(format, snapshot);
}

/* Do the publishers' horizons tell nothing?  True also while one has sent none or copies tables. */
static bool
tells_nothing(uint64 published)
{
	return published >= FLAKE_COPYING && published != FLAKE_NO_HORIZON;
}

/*
 * Return the horizon of a format for a snapshot: this database's own, but never one above
 * those of the subscriptions' publishers.  Without them the mark stays where it is, and
 * otherwise it is not moved ahead of them: so a user who may only ask for the horizon cannot
 * drive a generator ahead.
 */
static uint64
answer(const FlakeFormat *format, Snapshot snapshot)
{
	uint64		published = flake_published_elsewhere(format, snapshot);
	uint64		own;

	if (tells_nothing(published))
		flake_refuse_published(format, published);
	own = own_horizon(format, snapshot,
					  published == FLAKE_NO_HORIZON ? PG_INT64_MIN : flake_us_of(&format->rate, published));
	return Min(own, published);
}

/*
 * Store the least ID of the type that may still become visible to a later statement: all
 * lower ones are visible to the one that asks.  Answers for the snapshots of the planner
 * and of simple expressions are not kept: these are not registered, so nothing holds them.
 */
void
flake_horizon(const FlakeFormat *format, uint8 *id)
{
	Snapshot	snapshot = asking_snapshot();
	uint64		tick;

	if (snapshot->regd_count == 0)
		tick = answer(format, snapshot);
	else
	{
		Kept	   *kept = kept_for(snapshot);

		if (!kept->known[format->id])
			kept->tick[format->id] = answer(format, snapshot);
		kept->known[format->id] = true;
		tick = kept->tick[format->id];
	}
	flake_least(format, tick == 0 ? PG_INT64_MIN : flake_us_of(&format->rate, tick), id);
}

/*
 * Return the instant of the horizon that the database publishes: its own, whatever its
 * publishers have sent, and up to the clock even if it makes no IDs, because readers of its
 * subscribers wait for it.  PG_INT64_MIN if what its publishers have sent tells nothing: its own
 * subscribers may get their rows, too, and do not know how far these have got.
 */
int64
flake_own_horizon(const FlakeFormat *format)
{
	Snapshot	snapshot = asking_snapshot();
	uint64		published = flake_published_elsewhere(format, snapshot);

	return tells_nothing(published) ? PG_INT64_MIN :
		flake_us_of(&format->rate, own_horizon(format, snapshot, PG_INT64_MAX));
}
