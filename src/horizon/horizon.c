/*
 * horizon.c
 *		The horizon of a snapshot: what a reader looks at, in which order.
 */
#include "horizon/reader.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "storage/procarray.h"
#include "utils/hsearch.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

/* ---------- floors ---------- */

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
	if (flake_least_floor(format) < flake_closing_tick(&format->rate, readers_clock(), flake_least_mark(format)))
	{
		uint64		tick;

		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		tick = flake_closing_tick(&format->rate, readers_clock(), flake_least_mark(format));
		for (unsigned timeline = 0; timeline <= (unsigned) format->tick_tock; timeline++)
			flake_raise(&flake_db->floor[format->id][timeline], tick);
		LWLockRelease(&flake_db->lock);
	}
	pg_memory_barrier();
	return flake_least_floor(format);
}

/* ---------- announcements ---------- */

/* What a reader looks for, and what it has found. */
typedef struct Look
{
	Snapshot	snapshot;
	FlakeNotes *notes;
	Oid			sequence;		/* its values; InvalidOid: IDs */
	FlakeSeen	seen;
} Look;

static inline void
see(Look *look, uint64 announced)
{
	look->seen.announced = Min(look->seen.announced, announced);
}

/* Return what a transaction has announced that is looked for, or FLAKE_SEEN_NOTHING. */
static inline uint64
announced_in(Look *look, uint64 announced, FlakeDrawer *drawer)
{
	if (look->sequence != InvalidOid)
		return drawer == NULL ? FLAKE_SEEN_NOTHING : flake_drawn(drawer, look->sequence, &look->seen.lost);
	return announced == 0 ? FLAKE_SEEN_NOTHING : announced;
}

/* Store the same for a transaction that has left this note, and return true; false: nobody knows. */
static inline bool
noted_in(const Look *look, uint64 note, uint64 *announced)
{
	if (look->sequence != InvalidOid)
		return flake_noted_draws(note, look->sequence, announced);
	*announced = flake_noted(note);
	return true;
}

/*
 * Look at the announcements of the sessions of this database.  This session's counts, too:
 * its transaction may make IDs below its own horizon, from its current lease, and draw further
 * values.
 */
static void
look_at_sessions(Look *look)
{
	uint32		used = pg_atomic_read_u32(&flake->sessions_used);

	for (uint32 i = 0; i < used; i++)
	{
		FlakeSession *session = &flake->sessions[i];

		if (pg_atomic_read_u64(&session->database) == flake_db->self)
			see(look, announced_in(look, pg_atomic_read_u64(&session->announced), &session->drawer));
	}
}

/* Look at the prepared transactions that the memory lists; drop those that would count, but have ended. */
static void
look_at_prepared(Look *look)
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
		announced = announced_in(look, made, flake_prepared_drawer(prepared));
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
look_for_unlisted(Look *look)
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
 * Look at the notes, from the last turn back to one before the snapshot: it sees the
 * transactions of all earlier turns, see leave_note().  A place may have the note of another
 * turn than is expected, whose session was asleep or is not ready.
 *
 * A note that has changed meanwhile is not unknown: the transaction has either left this one, and
 * then it counts as lost, or the later one, and then its announcement was still there.
 */
static void
look_at_notes(Look *look)
{
	FlakeNotes *notes = look->notes;
	Snapshot	snapshot = look->snapshot;
	uint64		turn = pg_atomic_read_u64(&notes->turn);

	for (int places = (int) Min(turn, FLAKE_NOTES); places > 0; places--)
	{
		FlakeNote  *place = &notes->note[--turn % FLAKE_NOTES];
		uint64		note = pg_atomic_read_u64(&place->note);
		uint64		xids;
		uint64		announced;
		bool		known;

		pg_read_barrier();
		xids = pg_atomic_read_u64(&place->xids);
		if (xids == 0 || xids == FLAKE_NOTE_RESERVED)
			continue;
		if (!TransactionIdPrecedes((TransactionId) (xids >> 32), snapshot->xmax))
		{
			known = noted_in(look, note, &announced);
			if ((!known || announced < look->seen.announced) && is_running((TransactionId) xids, snapshot))
			{
				see(look, announced);
				pg_read_barrier();
				look->seen.unknown |= !known && pg_atomic_read_u64(&place->note) == note;
			}
		}
		else if (flake_is_noted(note, turn))
			break;
	}
	pg_read_barrier();
	look->seen.unknown |= is_since(pg_atomic_read_u32(&notes->lost), snapshot->xmin) &&
		is_since(pg_atomic_read_u32(&notes->lost_next), snapshot->xmax);
}

/* Has a transaction that is older than the memory committed?  Nobody knows what IDs it has made. */
static void
look_at_old(TransactionId xid, TransactionId since, FlakeSeen *seen)
{
	if (TransactionIdPrecedes(xid, since) && TransactionIdDidCommit(xid))
		seen->lost = true;
}

/*
 * Look for transactions that are running according to the snapshot, older than the memory, and
 * have committed.  One that has not either has no visible rows, or was still running when the
 * announcements were read, and its own was among them.
 */
static void
look_for_old(Snapshot snapshot, FlakeSeen *seen)
{
	TransactionId next = ReadNextTransactionId();
	TransactionId since = (TransactionId) pg_atomic_read_u64(&flake_db->known_since);
	int			most = FLAKE_NOTES;

	if (!TransactionIdPrecedes(snapshot->xmin, since))
		return;
	for (uint32 i = 0; i < snapshot->xcnt; i++)
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
static void
look_at_all(Look *look)
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

/* ---------- the horizon ---------- */

/* The last answer of this session for a format. */
typedef struct Answer
{
	/* The answer is void in any other.  0: there is no answer. */
	uint64		generation;
	FlakeSnapshotAge age;
	uint64		tick;
} Answer;

static void
note_asking(void)
{
	if (pg_atomic_read_u64(&flake_db->horizon_asked) == 0)
		pg_atomic_write_u64(&flake_db->horizon_asked, (uint64) GetCurrentTimestamp());
}

/* Report 55000: the snapshot is too old for the horizon of a type, or of a sequence. */
pg_noreturn static void
report_too_old(const char *whose, const char *why)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the snapshot is too old for the horizon of %s", whose),
			 errdetail("%s", why),
			 IsolationUsesXactSnapshot()
			 ? errhint("Poll in a transaction of its own in READ COMMITTED, or ask for the horizon in the first statement of the transaction.")
			 : errhint("Poll again: the statement or cursor had been running, or waiting for a lock, for long when it asked. If that happens again and again, let a shorter one poll, whose table has the condition directly, or open the cursor anew for each poll.")));
}

/*
 * Return the horizon of a format for a snapshot, as a tick.  Reports 55000 if the snapshot
 * is too old.  The floor is raised first, and read before anything that look() finds.
 */
uint64
flake_horizon_of(const FlakeFormat *format, Snapshot snapshot)
{
	static Answer answers[FLAKE_FORMATS];
	Answer	   *last = &answers[format->id];
	FlakeSnapshotAge age = {.xmax = snapshot->xmax, .running = snapshot->xcnt};
	Look		look = {.snapshot = snapshot, .seen.announced = FLAKE_SEEN_NOTHING};
	uint64		generation;
	uint64		closed;

	flake_check_settings();
	flake_attach();
	note_asking();
	flake_look_up_mark(format);
	flake_forget_recovery();
	flake_clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
	if (format->tick_tock)
		move_idle_mark(format);
	generation = pg_atomic_read_u64(&flake_db->generation);

	closed = close_ticks(format);
	flake_injection_point("flakeid-horizon-closed");
	look.notes = &flake_db->notes;
	look_at_all(&look);
	if (!look.seen.unknown || look.seen.lost)
	{
		last->generation = generation;
		last->age = age;
		last->tick = flake_horizon_tick(&format->rate, closed, flake_least_mark(format), &look.seen);
	}
	else if (last->generation != generation || !flake_answer_holds(&last->age, &age))
		report_too_old(format->name, "Too many transactions that made IDs have committed since it was taken.");
	return last->tick;
}

/* ---------- the horizon of a sequence ---------- */

/* The last answer of this session for a sequence.  In another file it begins anew. */
typedef struct SequenceAnswer
{
	uint64		key;			/* OID << 32 | file number */
	FlakeSnapshotAge age;
	int64		horizon;
} SequenceAnswer;

static SequenceAnswer *
sequence_answer(uint64 key, HASHACTION action)
{
	static HTAB *answers = NULL;

	if (answers == NULL)
	{
		HASHCTL		info = {.keysize = sizeof(uint64), .entrysize = sizeof(SequenceAnswer)};

		answers = hash_create("flakeid sequences", 16, &info, HASH_ELEM | HASH_BLOBS);
	}
	return hash_search(answers, &key, action, NULL);
}

/*
 * Return the horizon of a sequence for a snapshot: the least value that may still get a visible
 * row, or INT64_MIN while nobody knows.  Reports 55000 if the snapshot is too old or the
 * sequence has no horizon, and 42501 without the right to ask.
 *
 * The last value is read first.  Who has drawn a value up to there has announced before.  Its
 * WAL is flushed, or a crash would bring the value back.  The floor is raised for those that
 * announce later a value that they had before.
 */
int64
flake_sequence_horizon_of(Oid oid, Snapshot snapshot)
{
	FlakeSnapshotAge age = {.xmax = snapshot->xmax, .running = snapshot->xcnt};
	Look		look = {.snapshot = snapshot, .sequence = oid, .seen.announced = FLAKE_SEEN_NOTHING};
	SequenceAnswer *last;
	XLogRecPtr	lsn;
	int64		value;
	int64		next;
	uint64		key;
	Relation	sequence;

	flake_attach();
	note_asking();
	look.notes = &flake_draws()->notes;
	flake_forget_recovery();
	flake_clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
	sequence = flake_sequence_ask(oid);
	if (!flake_sequence_visible(sequence, snapshot))
		report_too_old(psprintf("sequence \"%s\"", flake_sequence_name(sequence)), "The sequence was changed after the snapshot was taken.");
	flake_log_sequence(sequence);
	value = flake_sequence_last(sequence, &lsn);
	flake_sequence_flush(lsn);
	next = flake_next_value(value);
	flake_raise_floor(sequence, next);
	pg_memory_barrier();
	flake_injection_point("flakeid-horizon-closed");
	look_at_all(&look);
	flake_watch_sequence(sequence, next, look.seen.announced != FLAKE_SEEN_NOTHING);
	key = (uint64) oid << 32 | flake_file_number(sequence);
	if (!look.seen.unknown || look.seen.lost)
	{
		last = sequence_answer(key, HASH_ENTER);
		last->age = age;
		last->horizon = flake_draw_horizon(value, &look.seen);
	}
	else
	{
		last = sequence_answer(key, HASH_FIND);
		if (last == NULL || !flake_answer_holds(&last->age, &age))
			report_too_old(psprintf("sequence \"%s\"", flake_sequence_name(sequence)), "Too many transactions that drew from sequences have committed since it was taken.");
	}
	flake_sequence_close(sequence, false);
	return Min(last->horizon, next);
}
