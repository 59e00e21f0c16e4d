/*
 * announce.c
 *		Announcements, the list of prepared transactions, and notes: what transactions
 *		that make IDs leave for readers of the horizon.
 */
#include "horizon/reader.h"

#include "access/parallel.h"
#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "storage/procarray.h"
#include "utils/snapmgr.h"

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

/* Clear a note, unless a session is leaving it, which has reserved the place. */
static void
clear_note(FlakeNote *note)
{
	uint64		xids = pg_atomic_read_u64(&note->xids);

	while (xids != 0 && xids != FLAKE_NOTE_RESERVED && !pg_atomic_compare_exchange_u64(&note->xids, &xids, 0))
		continue;
}

static void
clear_notes(FlakeNotes *notes)
{
	for (int i = 0; i < FLAKE_NOTES; i++)
		clear_note(&notes->note[i]);
	pg_atomic_write_u32(&notes->lost, InvalidTransactionId);
	pg_atomic_write_u32(&notes->lost_next, InvalidTransactionId);
}

/*
 * Clear all notes if the oldest may be too old to be compared; "at" is the current
 * transaction ID.  Call this before leaving a note or looking for one.  Sessions of later
 * transactions wait for the lock until all are cleared; otherwise their notes would be
 * cleared, too.
 *
 * So transaction IDs that are compared are less than 2^31 apart, no matter how long a
 * database was idle: neither a note nor known_since is more than 2^30 back when it is
 * read, nor the entry of a prepared transaction that has ended.  Between two reads of one
 * reader not that many can pass, because its snapshot keeps the server from assigning so
 * many.
 */
void
flake_clear_worn_notes(uint64 at)
{
	if (likely(!flake_notes_worn(pg_atomic_read_u64(&flake_db->notes_since), at)))
		return;
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (flake_notes_worn(pg_atomic_read_u64(&flake_db->notes_since), at))
	{
		forget_before(at);
		clear_notes(&flake_db->notes);
		if (pg_atomic_read_u64(&flake_db->draws) != InvalidDsaPointer)
			clear_notes(&((FlakeDraws *) dsa_get_address(flake_area, pg_atomic_read_u64(&flake_db->draws)))->notes);
		free_worn_entries();
		pg_atomic_write_u64(&flake_db->notes_since, at);
	}
	LWLockRelease(&flake_db->lock);
}

static void
raise_xid(pg_atomic_uint32 *word, TransactionId xid)
{
	TransactionId old = pg_atomic_read_u32(word);

	while ((!TransactionIdIsNormal(old) || TransactionIdPrecedes(old, xid)) &&
		   !pg_atomic_compare_exchange_u32(word, &old, xid))
		continue;
}

/* Tell readers that a note is overwritten. */
static void
lose_note(FlakeNotes *notes, uint64 xids)
{
	raise_xid(&notes->lost, (TransactionId) xids);
	raise_xid(&notes->lost_next, (TransactionId) (xids >> 32));
}

/*
 * Leave a note of what a transaction that has ended had announced: us, or of its draws where the
 * last announcement is.  Places are taken by turns, so that transaction IDs, of which a stranger
 * can use up many, do not decide whose note is overwritten.  Before it is, readers are told: they
 * read that after the notes.
 *
 * The next transaction ID is read after the turn is taken.  A snapshot that ends above it was
 * taken later, so it sees this transaction and those of all earlier turns.
 */
static void
leave_note(FlakeNotes *notes, TransactionId xid, uint64 announced, const FlakeDrawn *drawn)
{
	for (;;)
	{
		uint64		turn = pg_atomic_fetch_add_u64(&notes->turn, 1);
		FlakeNote  *note = &notes->note[turn % FLAKE_NOTES];
		TransactionId next = ReadNextTransactionId();
		uint64		old = pg_atomic_read_u64(&note->xids);

		if (old == FLAKE_NOTE_RESERVED)
			continue;			/* its session sleeps, since all other turns */
		if (old != 0)
			lose_note(notes, old);
		if (!pg_atomic_compare_exchange_u64(&note->xids, &old, FLAKE_NOTE_RESERVED))
			continue;
		pg_atomic_write_u64(&note->note, drawn == NULL ? flake_note(turn, announced) :
							flake_draw_note(turn, drawn->drawer, drawn->last));
		pg_write_barrier();
		pg_atomic_write_u64(&note->xids, (uint64) next << 32 | xid);
		return;
	}
}

/* Leave the notes of a transaction: of the IDs that it has made, and of what it has drawn. */
static void
leave_notes(TransactionId xid, uint64 announced, FlakeDrawer *drawer, uint32 number)
{
	FlakeDrawn	drawn = {.drawer = number};

	if (announced != 0)
		leave_note(&flake_db->notes, xid, announced, NULL);
	if (drawer != NULL && flake_last_draw(drawer, &drawn.last))
		leave_note(&flake_draws()->notes, xid, 0, &drawn);
}

/* ---------- prepared transactions ---------- */

/*
 * Return where an entry of the list keeps what its transaction has drawn; NULL if nobody in the
 * database has drawn anything yet.
 */
FlakeDrawer *
flake_prepared_drawer(const FlakePrepared *prepared)
{
	if (pg_atomic_read_u64(&flake_db->draws) == InvalidDsaPointer)
		return NULL;
	return &flake_draws()->prepared[prepared - flake_db->prepared];
}

/*
 * A prepared transaction has ended: leave its notes, and free its entry.  A reader whose
 * snapshot has it as running, and that finds the entry free, finds the note.  Clear worn
 * notes before reading the entry.
 */
void
flake_end_prepared(FlakePrepared *prepared, TransactionId xid, uint64 announced)
{
	leave_notes(xid, announced, flake_prepared_drawer(prepared), flake->session_count + (uint32) (prepared - flake_db->prepared));
	(void) pg_atomic_compare_exchange_u32(&prepared->xid, &xid, InvalidTransactionId);
}

/* Free the entries of prepared transactions that have ended. */
static void
end_finished(void)
{
	flake_clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
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
			flake_end_prepared(prepared, xid, announced);
	}
}

/* Free the entry that this transaction has reserved, if any. */
static void
release_entry(void)
{
	if (flake_session->reserved != 0)
		pg_atomic_write_u32(&flake_db->prepared[flake_session->reserved - 1].xid, InvalidTransactionId);
	flake_session->reserved = 0;
}

/*
 * Reserve an entry of the list for this transaction, and copy there what it has drawn.  Without
 * memory for that it gets none.
 */
static void
reserve_entry(TransactionId xid)
{
	if (flake_has_drawn_any())
		return;
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		uint32		n = (xid + i) % FLAKE_PREPARED;
		uint32		nobody = InvalidTransactionId;

		if (!pg_atomic_compare_exchange_u32(&flake_db->prepared[n].xid, &nobody, FLAKE_RESERVED_XID))
			continue;
		flake_session->reserved = n + 1;
		pg_atomic_write_u64(&flake_db->prepared[n].drawing_since, pg_atomic_read_u64(&flake_session->drawing_since));
		if (flake_prepared_drawer(&flake_db->prepared[n]) != NULL &&
			!flake_copy_draws(flake_prepared_drawer(&flake_db->prepared[n])))
			release_entry();
		return;
	}
}

/*
 * Fill in the entry of this transaction, which is already prepared.  No session can finish
 * it before the callbacks have run.  Without an entry it counts as older than the memory, and
 * readers look for it in the server's own list of prepared transactions.
 */
static void
list_prepared(TransactionId xid, uint64 announced)
{
	FlakePrepared *prepared;

	if (flake_session->reserved == 0)
	{
		forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
		return;
	}
	prepared = &flake_db->prepared[flake_session->reserved - 1];
	pg_atomic_write_u64(&prepared->announced, announced);
	pg_write_barrier();
	pg_atomic_write_u32(&prepared->xid, xid);
	flake_session->reserved = 0;
}

/* Is a prepared transaction in the list?  It is where list_prepared() begins, or soon after. */
static bool
is_listed(TransactionId xid)
{
	for (int i = 0; i < FLAKE_PREPARED; i++)
		if (pg_atomic_read_u32(&flake_db->prepared[(xid + i) % FLAKE_PREPARED].xid) == xid)
			return true;
	return false;
}

/*
 * Return the i-th of the server's prepared transactions, if it belongs to this database,
 * is older than the memory, and is not finished, nor to the snapshot: nobody knows what IDs
 * it has made.  Without a snapshot only the former counts.
 * (Prepared transactions survive a crash and a promotion.)  Otherwise return
 * InvalidTransactionId.
 */
TransactionId
flake_unlisted_prepared(int i, Snapshot snapshot)
{
	volatile PGPROC *proc = &PreparedXactProcs[i];
	TransactionId since = (TransactionId) pg_atomic_read_u64(&flake_db->known_since);
	TransactionId xid = proc->xid;

	if (TransactionIdIsNormal(xid) && TransactionIdPrecedes(xid, since) &&
		proc->databaseId == MyDatabaseId && (snapshot == NULL || !TransactionIdPrecedes(xid, snapshot->xmin)) &&
		!is_listed(xid) && (snapshot == NULL || XidInMVCCSnapshot(xid, snapshot)) && is_in_place(xid, i))
		return xid;
	return InvalidTransactionId;
}

/* ---------- announcing ---------- */

/*
 * For each format, the earliest announced instant that the floor has allowed in this
 * transaction; 0: none.  No reader passes it before the transaction ends, no matter how
 * far the floor rises meanwhile.
 */
static uint64 earliest_announced[FLAKE_FORMATS];

/*
 * Leave a note, and then withdraw the announcement: the transaction has ended, and other
 * sessions already see its rows.  Without a transaction ID nothing was written, and nobody
 * ever sees what was rolled back.  The next transaction must announce again, so it must not
 * start with the lease in use.
 */
static void
end_of_transaction(XactEvent event, void *arg pg_attribute_unused())
{
	FullTransactionId xid = GetTopFullTransactionIdIfAny();
	uint64		announced;
	bool		drawn;
	bool		noted = false;

	if (flake_db == NULL)
		return;
	announced = pg_atomic_read_u64(&flake_session->announced);
	drawn = flake_has_drawn();
	if (announced == 0 && !drawn)
		return;
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PARALLEL_PRE_COMMIT:
			return;
		case XACT_EVENT_PRE_PREPARE:
			end_finished();
			reserve_entry(XidFromFullTransactionId(xid));
			return;
		case XACT_EVENT_PREPARE:
			list_prepared(XidFromFullTransactionId(xid), announced);
			break;
		case XACT_EVENT_COMMIT:
			if (FullTransactionIdIsValid(xid))
			{
				flake_clear_worn_notes(U64FromFullTransactionId(xid));
				leave_notes(XidFromFullTransactionId(xid), announced, &flake_session->drawer, (uint32) (flake_session - flake->sessions));
				noted = true;
				if (flake_has_drawn_any())
					forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
			}
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_PARALLEL_ABORT:
			release_entry();
			break;
	}
	flake_injection_point("flakeid-horizon-noted");
	if (announced != 0)
	{
		flake_leave_lease();
		memset(earliest_announced, 0, sizeof(earliest_announced));
	}
	pg_memory_barrier();
	if (announced != 0)
		pg_atomic_write_u64(&flake_session->announced, 0);
	if (drawn)
		flake_withdraw_draws(noted);
}

/* Have the end of the transaction noted, before it announces anything. */
void
flake_watch_transaction(void)
{
	static bool registered = false;

	if (!registered)
		RegisterXactCallback(end_of_transaction, NULL);
	registered = true;
}

/* Refuse to make IDs in a parallel worker (25000): README.md says why.  "name" is the type. */
void
flake_refuse_worker(const char *name)
{
	if (IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot generate %s in a parallel worker", name),
				 errhint("Functions that make IDs are PARALLEL RESTRICTED, and functions that call them must be, too.")));
}

/*
 * Announce that this transaction makes IDs of the tick, and then return whether the floor
 * still allows that.  An earlier announcement covers later instants of all formats, but
 * every format has its own floor to check.
 */
static bool
announce(const FlakeFormat *format, unsigned timeline, uint64 tick)
{
	uint64		announced = pg_atomic_read_u64(&flake_session->announced);
	uint64		wanted = flake_announcement(announced, flake_us_of(&format->rate, tick));

	if (wanted != announced)
	{
		flake_watch_transaction();
		pg_atomic_write_u64(&flake_session->announced, wanted);
		pg_memory_barrier();
	}
	return tick >= pg_atomic_read_u64(&flake_db->floor[format->id][timeline]);
}

/*
 * Do the same for a generator, which looks at its word and the clock again if the floor does
 * not allow the tick.
 */
bool
flake_announce(const FlakeFormat *format, unsigned timeline, uint64 tick)
{
	if (!announce(format, timeline, tick))
		return false;
	earliest_announced[format->id] = flake_announcement(earliest_announced[format->id], flake_us_of(&format->rate, tick));
	return true;
}

/* ---------- how far readers may have got ---------- */

/* Return the lowest mark of a format's timelines. */
int64
flake_least_mark(const FlakeFormat *format)
{
	int64		mark = flake_mark_safe(flake_mark_kind(format, 0));

	return format->tick_tock ? flake_earlier(mark, flake_mark_safe(flake_mark_kind(format, 1))) : mark;
}

/* Return the lowest floor of a format's timelines. */
uint64
flake_least_floor(const FlakeFormat *format)
{
	uint64		floor = pg_atomic_read_u64(&flake_db->floor[format->id][0]);

	if (format->tick_tock)
		floor = flake_earlier_tick(floor, pg_atomic_read_u64(&flake_db->floor[format->id][1]));
	return floor;
}

/*
 * Return the instant (us) up to which readers of any format may have passed since the memory
 * was created; 0: nobody has asked for a horizon.
 */
static int64
latest_floor(void)
{
	int64		latest = 0;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		uint64		floor = flake_least_floor(flake_formats[i]);

		if (floor > 0)
			latest = flake_later(latest, flake_us_of(&flake_formats[i]->rate, floor));
	}
	return latest;
}

/*
 * Return the tick up to which readers may have passed: the floor, or the mark at the time
 * when the memory was created, because earlier horizons are below that.  Readers of other
 * formats count, too: an announcement holds all of them, so an ID of a format that nobody
 * reads must not be announced at an instant that they have long passed.
 */
static uint64
passed_tick(const FlakeFormat *format)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->mark_at_start[flake_mark_kind(format, 0)]);
	int64		latest = latest_floor();
	uint64		passed = latest <= format->rate.epoch_us ? 0 : flake_tick_of(&format->rate, latest);

	if (format->tick_tock)
		found = flake_earlier(found, (int64) pg_atomic_read_u64(&flake_db->mark_at_start[flake_mark_kind(format, 1)]));
	passed = flake_later_tick(passed, flake_tick_from(&format->rate, found));
	return flake_later_tick(passed, flake_least_floor(format));
}

/* Make sure that the published mark is the table's current one. */
void
flake_look_up_mark(const FlakeFormat *format)
{
	FlakeMarkView mark;

	(void) flake_mark(flake_mark_kind(format, 0), &mark);
}

/*
 * Where no generator does it, move the mark of the current timeline ahead of the clock.  The
 * generation is read before the clock, so that a reset in between, after the clock was wrong,
 * prevents the move.
 */
void
flake_lead_with_mark(const FlakeFormat *format)
{
	uint64		generation;

	flake_attach();
	flake_look_up_mark(format);
	generation = pg_atomic_read_u64(&flake_db->generation);
	pg_read_barrier();
	flake_mark_ahead(flake_mark_kind(format, flake_timeline(format, generation)), flake_clock(), generation);
}

/* ---------- IDs that were made elsewhere ---------- */

/*
 * Return whether it is early enough for this transaction to write an ID of this instant,
 * wherever the ID was made.  If so, announce it like the IDs that the transaction makes
 * itself.  If not, store in *passed how far readers may have got (us).  The announcement
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
	if (earliest_announced[format->id] != 0 && us >= (int64) earliest_announced[format->id])
		return true;
	flake_lead_with_mark(format);
	before = pg_atomic_read_u64(&flake_session->announced);
	if (tick >= passed_tick(format))
	{
		(void) announce(format, 0, tick);
		if (tick >= passed_tick(format))
		{
			earliest_announced[format->id] = flake_announcement(earliest_announced[format->id], us);
			return true;
		}
		pg_atomic_write_u64(&flake_session->announced, before);
	}
	*passed = flake_us_of(&format->rate, passed_tick(format));
	return false;
}
