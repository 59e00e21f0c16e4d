/*
 * look.c
 *		What may hold a horizon back, in the order in which announcements move.
 */
#include "horizon/reader.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "storage/procarray.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

static inline void
see(FlakeReader *look, uint64 announced)
{
	look->seen.announced = Min(look->seen.announced, announced);
}

/* Return the transaction's announcement of the kind that the reader looks for, or FLAKE_SEEN_NOTHING. */
static inline uint64
announced_in(FlakeReader *look, uint64 announced, FlakeValues *values)
{
	if (look->sequence != InvalidOid)
		return values == NULL ? FLAKE_SEEN_NOTHING : flake_least_value(values, look->sequence, &look->seen.lost);
	return announced == 0 ? FLAKE_SEEN_NOTHING : announced;
}

/* Store the same for a transaction that has left this note.  Return false if nobody knows. */
static inline bool
noted_in(const FlakeReader *look, uint64 note, uint64 *announced)
{
	if (look->sequence != InvalidOid)
		return flake_noted_value(note, look->sequence, announced);
	*announced = flake_noted(note);
	return true;
}

/*
 * Look at the announcements of the sessions of this database.  This session's own counts, too,
 * because its transaction may make IDs below its own horizon, from its current lease, and draw
 * further values.
 */
static void
look_at_sessions(FlakeReader *look)
{
	uint32		used = pg_atomic_read_u32(&flake->sessions_used);

	for (uint32 i = 0; i < used; i++)
	{
		FlakeSession *session = &flake->sessions[i];

		if (pg_atomic_read_u64(&session->database) == flake_db->self)
			see(look, announced_in(look, pg_atomic_read_u64(&session->announced), &session->values));
	}
}

/*
 * Look at the prepared transactions in the memory's list.  Drop those that would count but have
 * ended.
 */
static void
look_at_prepared(FlakeReader *look)
{
	if (max_prepared_xacts == 0)
		return;
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		FlakePrepared *prepared = &flake_db->prepared[i];
		TransactionId xid = pg_atomic_read_u32(&prepared->xid);
		uint64		made;
		uint64		announced;

		if (!TransactionIdIsNormal(xid))
			continue;
		pg_read_barrier();
		made = pg_atomic_read_u64(&prepared->announced);
		announced = announced_in(look, made, flake_prepared_values(prepared));
		if (announced >= look->seen.announced)
			continue;			/* snapshots may be long to search */
		if (XidInMVCCSnapshot(xid, look->snapshot))
			see(look, announced);
		else
			flake_end_prepared(prepared, xid, made);
	}
}

/* Look for prepared transactions whose IDs are not known. */
static void
look_for_unlisted(FlakeReader *look)
{
	if (!TransactionIdPrecedes(look->snapshot->xmin, (TransactionId) pg_atomic_read_u64(&flake_db->known_since)))
		return;
	for (int i = 0; i < max_prepared_xacts && !look->seen.lost; i++)
		look->seen.lost = TransactionIdIsNormal(flake_unlisted_prepared(i, look->snapshot));
}

/* Is the transaction of a note running according to the snapshot?  It has no parent. */
static bool
is_running(TransactionId xid, Snapshot snapshot)
{
	if (!TransactionIdPrecedes(xid, snapshot->xmax))
		return true;
	for (uint32 i = 0; i < snapshot->xcnt; i++)
		if (snapshot->xip[i] == xid)
			return true;
	return false;
}

static bool
is_since(TransactionId xid, TransactionId since)
{
	return TransactionIdIsNormal(xid) && !TransactionIdPrecedes(xid, since);
}

/*
 * Look at the notes, from the last place back to one before the snapshot, which sees the
 * transactions of all earlier places (see leave_note()).  A place may hold the note of another
 * round, whose session was asleep or is not ready.
 *
 * A note that has changed meanwhile does not count as unknown.  If the transaction left the old
 * one, that counts as lost; if it left the new one, its announcement was still there.
 */
static void
look_at_notes(FlakeReader *look)
{
	FlakeNotes *notes = look->notes;
	Snapshot	snapshot = look->snapshot;
	uint64		place = pg_atomic_read_u64(&notes->next_place);

	for (int left = (int) Min(place, FLAKE_NOTES); left > 0; left--)
	{
		FlakeNote  *at = &notes->note[--place % FLAKE_NOTES];
		uint64		note = pg_atomic_read_u64(&at->note);
		uint64		xids;
		uint64		announced;
		bool		known;

		pg_read_barrier();
		xids = pg_atomic_read_u64(&at->xids);
		if (xids == 0 || xids == FLAKE_NOTE_RESERVED)
			continue;
		if (!TransactionIdPrecedes((TransactionId) (xids >> 32), snapshot->xmax))
		{
			known = noted_in(look, note, &announced);
			if ((!known || announced < look->seen.announced) && is_running((TransactionId) xids, snapshot))
			{
				see(look, announced);
				pg_read_barrier();
				look->seen.unknown |= !known && pg_atomic_read_u64(&at->note) == note;
			}
		}
		else if (flake_is_noted(note, place))
			break;
	}
	pg_read_barrier();
	look->seen.unknown |= is_since(pg_atomic_read_u32(&notes->lost), snapshot->xmin) &&
		is_since(pg_atomic_read_u32(&notes->lost_next), snapshot->xmax);
}

/* Has a transaction committed that is older than the memory?  Nobody knows which IDs it has made. */
static void
look_at_old(TransactionId xid, TransactionId since, FlakeSeen *seen)
{
	if (TransactionIdPrecedes(xid, since) && TransactionIdDidCommit(xid))
		seen->lost = true;
}

/*
 * Look for transactions that are running according to the snapshot, older than the memory, and
 * have committed.  A transaction that has not committed either aborted, so it has no visible rows, or
 * was still running when the announcements were read, and its own was among them.
 */
static void
look_for_old(Snapshot snapshot, FlakeSeen *seen)
{
	TransactionId next = ReadNextTransactionId();
	TransactionId since = (TransactionId) pg_atomic_read_u64(&flake_db->known_since);
	int			most = FLAKE_NOTES;

	if (!TransactionIdPrecedes(snapshot->xmin, since))
		return;
	for (uint32 i = 0; i < snapshot->xcnt && !seen->lost; i++)
		look_at_old(snapshot->xip[i], since, seen);
	for (TransactionId xid = snapshot->xmax; TransactionIdPrecedes(xid, since) && xid != next && !seen->lost;)
	{
		look_at_old(xid, since, seen);
		seen->lost |= most-- == 0;
		TransactionIdAdvance(xid);
	}
}

/*
 * Look at everything that may hold a horizon back for this snapshot, in the order in which
 * announcements move.
 */
void
flake_look_at_all(FlakeReader *look)
{
	look_at_sessions(look);
	pg_read_barrier();
	look_at_prepared(look);
	pg_read_barrier();
	look_for_unlisted(look);
	pg_read_barrier();
	look_at_notes(look);
	pg_read_barrier();
	look_for_old(look->snapshot, &look->seen);
}

/* ---------- asking ---------- */

void
flake_note_asking(void)
{
	if (pg_atomic_read_u64(&flake_db->horizon_asked) == 0)
		pg_atomic_write_u64(&flake_db->horizon_asked, (uint64) GetCurrentTimestamp());
}

/* Report 55000: the snapshot is too old for the horizon of a type, or of a sequence. */
void
flake_report_too_old(const char *whose, const char *why)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the snapshot is too old for the horizon of %s", whose),
			 IsolationUsesXactSnapshot()
			 ? errdetail("%s", why)
			 : errdetail("%s The statement or cursor ran, or waited for a lock, for too long before it asked.", why),
			 IsolationUsesXactSnapshot()
			 ? errhint("Poll in a transaction of its own in READ COMMITTED, or ask for the horizon in the first statement of the transaction.")
			 : errhint("Poll again. If this recurs, poll with a shorter statement whose table has the condition directly, or reopen the cursor for each poll.")));
}
