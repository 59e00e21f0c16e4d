/*
 * notes.c
 *		The notes that transactions leave for readers when they end, and the list of prepared
 *		transactions.
 */
#include "horizon/reader.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "storage/procarray.h"
#include "utils/snapmgr.h"

/* ---------- what the memory knows ---------- */

/*
 * From now on transactions before "at" count as older than the memory, which need not know which
 * IDs they have made.
 */
void
flake_forget_before(uint64 at)
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
		flake_forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
		pg_write_barrier();
		pg_atomic_write_u32(&flake_db->made_in_recovery, 0);
	}
	pg_read_barrier();
}

/* ---------- prepared transactions of the server ---------- */

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
 * Free the entries of prepared transactions that the server no longer has.  Their transaction IDs
 * may be so old that they would look like those of later transactions, which still run.  They leave
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
		flake_forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
		(void) pg_atomic_compare_exchange_u32(&prepared->xid, &xid, InvalidTransactionId);
	}
}

/* ---------- notes ---------- */

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
		flake_forget_before(at);
		clear_notes(&flake_db->notes);
		if (pg_atomic_read_u64(&flake_db->sequences) != InvalidDsaPointer)
			clear_notes(&((FlakeSequences *) dsa_get_address(flake_area, pg_atomic_read_u64(&flake_db->sequences)))->notes);
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
 * Leave a note of the announcement of a transaction that has ended.  For IDs that is an instant
 * (us), for values the position of the last one.  Places are taken one after the other.  If
 * transaction IDs decided whose note is overwritten, a stranger could use up many.  Readers are
 * told before a note is overwritten, and read that after the notes.
 *
 * The next transaction ID is read after the place is taken.  A snapshot that ends above it was
 * taken later, so it sees this transaction and those of all earlier places.
 */
static void
leave_note(FlakeNotes *notes, TransactionId xid, uint64 announced, const FlakeNotedValues *noted)
{
	for (;;)
	{
		uint64		place = pg_atomic_fetch_add_u64(&notes->next_place, 1);
		FlakeNote  *note = &notes->note[place % FLAKE_NOTES];
		TransactionId next = ReadNextTransactionId();
		uint64		old = pg_atomic_read_u64(&note->xids);

		if (old == FLAKE_NOTE_RESERVED)
			continue;			/* its session sleeps, since all other places
								 * were taken */
		if (old != 0)
			lose_note(notes, old);
		if (!pg_atomic_compare_exchange_u64(&note->xids, &old, FLAKE_NOTE_RESERVED))
			continue;
		pg_atomic_write_u64(&note->note, noted == NULL ? flake_note(place, announced) :
							flake_value_note(place, noted->session, noted->last));
		pg_write_barrier();
		pg_atomic_write_u64(&note->xids, (uint64) next << 32 | xid);
		return;
	}
}

/* Leave the notes of a transaction: of the IDs that it has made, and of what it has drawn. */
void
flake_leave_notes(TransactionId xid, uint64 announced, FlakeValues *values, uint32 number)
{
	FlakeNotedValues noted = {.session = number};

	if (announced != 0)
		leave_note(&flake_db->notes, xid, announced, NULL);
	if (values != NULL && flake_last_value(values, &noted.last))
		leave_note(&flake_sequences()->notes, xid, 0, &noted);
}

/* ---------- the list of prepared transactions ---------- */

/*
 * Return the values that a prepared transaction of the list has announced, or NULL if nobody in the
 * database has drawn anything yet.
 */
FlakeValues *
flake_prepared_values(const FlakePrepared *prepared)
{
	if (pg_atomic_read_u64(&flake_db->sequences) == InvalidDsaPointer)
		return NULL;
	return &flake_sequences()->prepared[prepared - flake_db->prepared];
}

/*
 * A prepared transaction has ended: leave its notes, and free its entry.  A reader whose
 * snapshot has it as running, and that finds the entry free, finds the note.  Clear worn
 * notes before reading the entry.
 */
void
flake_end_prepared(FlakePrepared *prepared, TransactionId xid, uint64 announced)
{
	flake_leave_notes(xid, announced, flake_prepared_values(prepared), flake->session_count + (uint32) (prepared - flake_db->prepared));
	(void) pg_atomic_compare_exchange_u32(&prepared->xid, &xid, InvalidTransactionId);
}

/* Free the entries of prepared transactions that have ended. */
void
flake_end_finished(void)
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
void
flake_release_entry(void)
{
	if (flake_session->reserved != 0)
		pg_atomic_write_u32(&flake_db->prepared[flake_session->reserved - 1].xid, InvalidTransactionId);
	flake_session->reserved = 0;
}

/*
 * Reserve an entry of the list for this transaction, and copy the values there that it has
 * announced.  Without memory for them it gets no entry.
 */
void
flake_reserve_entry(TransactionId xid)
{
	if (flake_may_draw_any(&flake_session->values))
		return;
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		uint32		n = (xid + i) % FLAKE_PREPARED;
		uint32		nobody = InvalidTransactionId;

		if (!pg_atomic_compare_exchange_u32(&flake_db->prepared[n].xid, &nobody, FLAKE_RESERVED_XID))
			continue;
		flake_session->reserved = n + 1;
		pg_atomic_write_u64(&flake_db->prepared[n].drawing_since, pg_atomic_read_u64(&flake_session->drawing_since));
		if (flake_prepared_values(&flake_db->prepared[n]) != NULL &&
			!flake_copy_values(&flake_session->values, flake_prepared_values(&flake_db->prepared[n])))
			flake_release_entry();
		return;
	}
}

/*
 * Fill in the entry of this transaction, which is already prepared.  No session can finish
 * it before the callbacks have run.  Without an entry it counts as older than the memory, and
 * readers look for it in the server's own list of prepared transactions.
 */
void
flake_list_prepared(TransactionId xid, uint64 announced)
{
	FlakePrepared *prepared;

	if (flake_session->reserved == 0)
	{
		flake_forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
		return;
	}
	prepared = &flake_db->prepared[flake_session->reserved - 1];
	pg_atomic_write_u64(&prepared->announced, announced);
	pg_write_barrier();
	pg_atomic_write_u32(&prepared->xid, xid);
	flake_session->reserved = 0;
}

/* Is a prepared transaction in the list?  It is where flake_list_prepared() begins, or soon after. */
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
 * is older than the memory, and unfinished both now and to the snapshot (if there is one).
 * Nobody knows which IDs it has made.
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
