/*
 * horizon.c
 *		T_horizon(): whatever has an ID below it and will ever be visible is visible to
 *		the statement that asks.
 *
 * IDs are made before their transactions commit, so a reader that goes on from the last
 * ID it has seen misses those that are committed later.  The horizon lies below all of
 * these.  It rests on the order in which both sides write and read:
 *
 *	1. A session announces the instant of a lease in its line before its transaction makes
 *	   the first ID from it, and only then looks whether the format's floor still allows
 *	   the lease's tick (flake_announce()).
 *	2. A transaction that has committed leaves a note of what it announced, in a place
 *	   that its transaction ID has, and only then takes the announcement back.  Others see
 *	   its rows before either happens (end_of_transaction()).
 *	3. A reader raises the floor to the clock, and only then reads the announcements.
 *	   Whoever announces later finds the floor and makes no ID below it.
 *	4. The reader's snapshot is older than that.  So the transactions that it takes for
 *	   running count, too: those that have committed since have left a note, and the
 *	   notes are read last.
 *	5. An announcement moves from the session's line to the list of prepared transactions,
 *	   or to a note, or from the list to a note; readers look in the same order, so that
 *	   none slips past them.
 *	6. Floors are in memory, so the horizon stays at or below the mark, which a crash
 *	   leaves.  All IDs ever made lie below the mark, so this hides none.
 *	7. One query gets one answer, and the queries of functions that have its snapshot get
 *	   the same.  With two, a partition that was scanned first would lack what lies between
 *	   them, and the reader would go past it.
 *
 * The floor is raised on both timelines of a tick-tock format, and the horizon stays
 * below both marks: neither a clock that steps back nor a crash leads IDs below it.
 *
 * Where memory is weak, the order holds by these pairs.  (An exchange and a
 * compare-and-swap are full barriers, and so is a lock that is taken or released.)
 *
 * - Announcement and floor: a session exchanges its announcement and then reads the
 *   floor; a reader raises the floor, or finds it raised, and has a full barrier before it
 *   reads the announcements.  With a full barrier on both sides they cannot both miss the
 *   other's, also if the floor was raised by a third one.  A session that has announced
 *   enough before has had its exchange then.  That it is attached stands in its line
 *   before it announces, so the same goes for that.
 * - Note, list and announcement: the note is swapped in, or the entry of the list is
 *   filled in, before a full barrier and the end of the announcement.  A reader that
 *   misses the announcement has a read barrier before it looks at the list, and another
 *   one before the notes, so it finds what came instead.  The same barriers let it see the
 *   transaction's ID below the next one, which it reads behind a lock after that.
 * - An entry of the list: what it announces is written before its transaction ID, and
 *   read after it.  If it is freed and filled in by another transaction between these two
 *   reads, the reader takes the wrong instant for the first one; but the note of that one
 *   was there before the entry was free, and is read later.  Of two notes of a transaction
 *   the earlier instant stays, so a reader that then ends the entry again spoils nothing.
 * - Notes and known_since: whoever clears the notes moves known_since before, and a reader
 *   that misses a note reads known_since after it.
 * - What is taken back late, or read late, holds the horizon longer than it must.
 *
 * An ID is made by a transaction's own process: parallel workers make none, since the
 * leader, which ends the transaction, would know nothing of what they have announced.
 */
#include "lease.h"

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

/* No more transaction IDs behind the snapshot are looked at one by one. */
#define LOOK_MOST			(4 * FLAKE_NOTES)

/* ---------- notes ---------- */

/*
 * From here on transactions below "at" are older than the memory: what they have made
 * need not be found in it.
 */
static void
forget_before(uint64 at)
{
	uint64		since = pg_atomic_read_u64(&flake_db->known_since);

	while (since < at && !pg_atomic_compare_exchange_u64(&flake_db->known_since, &since, at))
		continue;
}

/*
 * Memory that was made on a standby knows of no transaction of the primary.  So after a
 * promotion all that there have been until somebody asks first are older than the memory.
 * Whoever looks at known_since calls this before.
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
 * Clear all notes if the oldest may be too old to be compared; "at" is where the
 * transaction IDs stand.  Whoever leaves a note or looks for one asks before.
 *
 * A reader takes its note first and known_since afterwards, so that is changed before
 * the notes are.  Sessions of later transactions wait for the lock until all are
 * cleared, or their notes would be, too.
 *
 * So transaction IDs are compared over less than 2^31 of them, however long a database
 * was left alone: neither a note nor known_since is further back than 2^30 when somebody
 * looks.  Between two looks of one reader not that many can pass, since its snapshot
 * keeps the server from giving so many out.
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
		pg_atomic_write_u64(&flake_db->notes_cleared, at);
	}
	LWLockRelease(&flake_db->lock);
}

/* Leave a note of what a transaction that is over has announced. */
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
 * A prepared transaction is over: leave its note, and free its entry.  Whoever has a
 * snapshot that takes it for running, and finds the entry free, finds the note.
 */
static void
end_prepared(FlakePrepared *prepared, TransactionId xid, uint64 announced)
{
	clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
	leave_note(xid, announced);
	(void) pg_atomic_compare_exchange_u32(&prepared->xid, &xid, InvalidTransactionId);
}

/* Free the entries of prepared transactions that are over, so that there is room. */
static void
end_finished(void)
{
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
 * Put this transaction, which is prepared by now, into the list.  Nobody can finish it
 * before the callbacks are through.  Without room for it, it counts as older than the
 * memory, and readers look for it where the server lists prepared transactions.
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
 * For each format the least instant, as announced, that the floor has allowed in this
 * transaction; 0: none.  No reader passes it before the transaction has ended, however
 * far the floor rises meanwhile.
 */
static uint64 allowed[FLAKE_FORMATS];

/*
 * The transaction is over, and others see its rows already.  Leave the note first and
 * take the announcement back afterwards: a reader looks in the reverse order.  Without a
 * transaction ID nothing was written, and what was rolled back is never seen.
 *
 * The next transaction must announce again, so it does not begin with the lease in use.
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
 * Announce that this transaction makes IDs of the tick, and return whether the floor
 * still allows it.  The announcement is in memory before the floor is read: a reader
 * raises the floor before it reads the announcements, so one of the two learns of the
 * other.  What was announced before need not be announced again, but the floor may be
 * that of another format.
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
					 errhint("Functions that make IDs are PARALLEL RESTRICTED; so must be those that call them.")));
		if (!registered)
			RegisterXactCallback(end_of_transaction, NULL);
		registered = true;
		pg_atomic_exchange_u64(&flake_session->announced, wanted);	/* a full barrier */
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

/* Return the least of the marks of the timelines of a format. */
static int64
least_mark(const FlakeFormat *format)
{
	int64		mark = flake_mark_safe(flake_mark_kind(format, 0));

	return format->tick_tock ? Min(mark, flake_mark_safe(flake_mark_kind(format, 1))) : mark;
}

/* Return the least of the floors of the timelines of a format. */
static uint64
least_floor(const FlakeFormat *format)
{
	uint64		floor = pg_atomic_read_u64(&flake_db->floor[format->id][0]);

	if (format->tick_tock)
		floor = Min(floor, pg_atomic_read_u64(&flake_db->floor[format->id][1]));
	return floor;
}

/*
 * Return the tick below which readers may have passed: the floor, or what the mark was
 * when the memory was made, as the horizons answered before lie below that.
 */
static uint64
passed_tick(const FlakeFormat *format)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->found[flake_mark_kind(format, 0)]);

	if (format->tick_tock)
		found = flake_earlier(found, (int64) pg_atomic_read_u64(&flake_db->found[flake_mark_kind(format, 1)]));
	return flake_later_tick(least_floor(format), flake_tick_from(&format->rate, found));
}

/* Make sure that the published mark is that of the table as it is now. */
static void
look_up_mark(const FlakeFormat *format)
{
	FlakeMarkView mark;

	(void) flake_mark(flake_mark_kind(format, 0), &mark);
}

/*
 * Where no generator does, have the mark of the timeline in force lead the clock, but no
 * further than "most".  The generation is read before the clock: a reset in between, after
 * the clock was wrong, keeps the mark from being moved there.
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
 * Is an ID of an instant, wherever it was made, in time for this transaction to write it?
 * If so, it is announced from here on, as those that the transaction makes are.
 * Otherwise readers may have passed it, and *passed is the instant up to which; what was
 * announced before stays as it was, or a row of last year would hold all readers there.
 *
 * Announcing comes first, and a look before it keeps most late IDs from being announced
 * at all.  The mark follows the clock here, too: where clients make all IDs, nobody else
 * moves it, and the horizon stays below it.
 *
 * The mark of a format without a generator is left to its readers: new IDs go no further
 * back than that, so whoever may create a trigger could stop them.  No row is missed by
 * that.  Each reader moves the mark before passing anything, so after a restart what was
 * passed lies below the mark that is found, and IDs there are late; what is above, and was
 * committed before, is still to be read.
 */
bool
flake_in_time(const FlakeFormat *format, int64 us, int64 *passed)
{
	uint64		tick = flake_tick_of(&format->rate, us);
	uint64		before;

	flake_attach();
	if (allowed[format->id] != 0 && us >= (int64) allowed[format->id])
		return true;
	if (format->numbers > 0)
		lead_with_mark(format, PG_INT64_MAX);
	else
		look_up_mark(format);
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

/* ---------- IDs without a generator ---------- */

/* Return the tick below which readers may have passed: the floor, or that of the mark. */
static uint64
readers_tick(const FlakeFormat *format)
{
	int64		floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[flake_mark_kind(format, 0)]);

	return flake_later_tick(least_floor(format), flake_tick_from(&format->rate, floor));
}

/* Return what the clock reads, in us.  Reports 22008 if that is outside the format's span. */
static int64
clock_in_span(const FlakeFormat *format)
{
	int64		now = flake_clock();

	if (!flake_in_span(&format->rate, now))
		flake_clock_out_of_span(format, now);
	return now;
}

/*
 * Readers have passed the clock, which reads now.  Go on ahead of it, no further than
 * generators may: return false if the caller must look again, after a sleep, as the tick is
 * too far ahead.  Reports 55000 when that would take longer than flakeid.max_wait.
 */
static bool
may_go_ahead(const FlakeFormat *format, uint64 tick, int64 now, int64 *budget)
{
	int64		until = flake_us_of(&format->rate, tick) - (int64) flake_max_ahead * 1000;

	if (tick > format->rate.last_tick)
		flake_clock_out_of_span(format, flake_us_of(&format->rate, tick));
	if (until <= now)
		return true;
	if (until - now > *budget || !flake_sleep(until - now, budget))
		flake_refuse_behind(format->name, format, NULL, 0, tick, now);
	return false;
}

/*
 * The first ID of a transaction, or of a clock that has stepped back: announce its tick,
 * which is the clock's unless readers have passed that.  How far they had come before the
 * last start is said by the floor of the mark, and so is how far those had come whose rows
 * were restored since: look it up, as generators do.  The mark itself is no limit: a reader
 * moves it before he passes anything.
 */
static pg_noinline uint64
announce_first(const FlakeFormat *format, int64 *now)
{
	int64		budget = 0;
	bool		checked = false;

	flake_attach();
	look_up_mark(format);
	pg_read_barrier();
	for (;; *now = clock_in_span(format))
	{
		uint64		clock = flake_tick_of(&format->rate, *now);
		uint64		tick = flake_later_tick(clock, readers_tick(format));

		if (tick > clock && !checked)
		{
			flake_check_settings();
			budget = (int64) flake_max_wait * 1000;
			checked = true;
		}
		if (tick > clock && !may_go_ahead(format, tick, *now, &budget))
			continue;
		if (!flake_announce(format->name, format, 0, tick))
			continue;
		if (tick > clock + 1)
			flake_went_ahead(format, tick, *now);
		return tick;
	}
}

/*
 * Return the tick of the next ID of a format that has no generator, and store what the
 * clock reads, in us.  Further IDs of a transaction need not look at what sessions share:
 * whatever is later than the transaction's first ID is announced with that, and no reader
 * passes it.  On a standby nothing is announced, as nothing can be written.
 *
 * Reports 22008 if the clock is outside the format's span, 55000 if it is too far behind
 * what readers have passed, 25000 in a parallel worker.
 */
uint64
flake_tick_now(const FlakeFormat *format, int64 *now)
{
	*now = clock_in_span(format);
	if (likely(allowed[format->id] != 0 && *now >= (int64) allowed[format->id]) || RecoveryInProgress())
		return flake_tick_of(&format->rate, *now);
	return announce_first(format, now);
}

/* ---------- the marks, where no generator moves them ---------- */

/*
 * Nobody moves the mark of the timeline that is not in force, so move it here, as far
 * as the other one allows.  That is why sno_horizon() is not for everybody.  (Nor is that of
 * a format without a generator, for which the mark follows the clock when readers ask.)
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

/* What the clock read flakeid.horizon_lag ago: readers go no further. */
static int64
readers_clock(void)
{
	return flake_clock() - (int64) flake_horizon_lag * 1000;
}

/*
 * Close all ticks of a format that the clock has left, so that IDs below are made only
 * by transactions that have announced them.  Returns the floor.  The clock is read under
 * the lock: a reset of the clock, which lowers floors and marks, would otherwise be
 * undone by what it read before.
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
 * Look at the announcements of the sessions of this database.  This session's counts,
 * too: its transaction may make IDs below its own horizon, of the lease that it has.
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

/* Look at the prepared transactions that the memory lists; drop those that are over. */
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
 * Return the transaction that is the server's prepared one number i, if it was prepared
 * in this database before the memory was made, as prepared transactions outlive a crash
 * and a promotion, and is not finished: nobody knows what IDs it has made.  Otherwise return
 * InvalidTransactionId.
 */
TransactionId
flake_unlisted_prepared(int i)
{
	volatile PGPROC *proc = &PreparedXactProcs[i];
	TransactionId since = (TransactionId) pg_atomic_read_u64(&flake_db->known_since);
	TransactionId xid = proc->xid;

	if (TransactionIdIsNormal(xid) && TransactionIdPrecedes(xid, since) &&
		proc->databaseId == MyDatabaseId && !is_listed(xid) && TransactionIdIsInProgress(xid))
		return xid;
	return InvalidTransactionId;
}

/* Look for prepared transactions of which nothing is known. */
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

/* Look for the note of a transaction that the snapshot takes for running. */
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
 * Look at the notes of the transactions that the snapshot takes for running.  Those
 * that run still have left none; they were among the announcements.
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
	uint64		generation;		/* 0: none.  A reset of the clock begins
								 * another one */
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
 * Return the horizon of a format for a snapshot, as a tick.  The order is that of the
 * announcements: see the head of this file.
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
	if (format->numbers == 0)
		lead_with_mark(format, PG_INT64_MAX);
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
 * The answers that a snapshot has got.  It is held for as long as they are kept, so that no
 * other snapshot comes to its address.
 */
typedef struct Kept
{
	struct Kept *next;
	Snapshot	snapshot;
	bool		known[FLAKE_FORMATS];
	uint64		tick[FLAKE_FORMATS];
} Kept;

static Kept *all_kept = NULL;	/* of this transaction */
static MemoryContext watched = NULL;	/* its end tells that queries are over */

/* Forget the answers of queries that are over: nobody else holds their snapshots. */
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
 * The transaction ends.  Before a commit the snapshots are given back; a rollback frees
 * them by itself.
 */
static void
end_of_answers(XactEvent event, void *arg pg_attribute_unused())
{
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		forget_answers(true);
	else
		all_kept = NULL;
}

/* A statement is over: in a transaction that stays open its snapshot holds vacuum no longer. */
static void
end_of_portal(void *arg pg_attribute_unused())
{
	watched = NULL;
	forget_answers(false);
}

static void
watch_portal(void)
{
	MemoryContextCallback *callback;

	if (ActivePortal == NULL || ActivePortal->portalContext == watched)
		return;
	callback = MemoryContextAllocZero(ActivePortal->portalContext, sizeof(MemoryContextCallback));
	callback->func = end_of_portal;
	MemoryContextRegisterResetCallback(ActivePortal->portalContext, callback);
	watched = ActivePortal->portalContext;
}

/*
 * Return what is kept for a snapshot, which is registered.  The query that asks may be the
 * inner one of a function, and be over long before the query that calls the function: so
 * neither its memory nor its end tells how long the answer is needed, but whether anybody
 * still holds the snapshot.
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
		elog(ERROR, "cannot tell the horizon here");
	return snapshot;
}

/*
 * Return the horizon of a format for a snapshot: that of this server's memory, or for a
 * snapshot that was taken in recovery what the primary has published; and not above what
 * publishers of subscriptions have.
 */
static uint64
answer(const FlakeFormat *format, Snapshot snapshot)
{
	uint64		published = flake_published_elsewhere(format, snapshot);
	uint64		tick;

	if (RecoveryInProgress() || snapshot->takenDuringRecovery)
		tick = flake_published_here(format, snapshot);
	else
	{
		/*
		 * On a subscriber that makes few IDs or none, nobody moves the mark,
		 * and the horizon stays below it.  So move it here, as far as both
		 * the publisher and this server's clock have come: whoever may only
		 * ask leads no generator ahead by that.
		 */
		if (published != FLAKE_NO_HORIZON)
			lead_with_mark(format, flake_us_of(&format->rate, published));
		tick = horizon_of(format, snapshot);
	}
	return Min(tick, published);
}

/*
 * Store the least ID of the type that may still become visible to a statement that
 * comes after the one that asks: all lower ones are visible to this one.  The
 * snapshots of the planner and of simple expressions are not registered, and nothing
 * holds them: their answers are not kept.
 */
void
flake_horizon(const FlakeFormat *format, uint8 *id)
{
	const FlakeFormat *generator = flake_generator_of(format);
	Snapshot	snapshot = asking_snapshot();
	uint64		tick;

	if (snapshot->regd_count == 0)
		tick = answer(generator, snapshot);
	else
	{
		Kept	   *kept = kept_for(snapshot);

		if (!kept->known[generator->id])
			kept->tick[generator->id] = answer(generator, snapshot);
		kept->known[generator->id] = true;
		tick = kept->tick[generator->id];
	}
	flake_least(format, tick == 0 ? PG_INT64_MIN : flake_us_of(&generator->rate, tick), id);
}
