/*
 * mark.c
 *		The mark in memory: reading it, moving it, raising it.
 *
 * A crash, a restart, a restore or a promotion empties the memory, and the IDs issued
 * before must not come again.  So a tick may be issued only if it starts before the
 * mark of its database, and the mark is on disk before it is in memory.  A session
 * moves it by two seconds at once, before anybody needs that, so that it costs nothing
 * per ID and nobody waits for it.  The first session of a database after a start reads
 * the mark and begins above it.
 *
 * There are four marks: one for each timeline of the tick-tock formats, one for the
 * formats that can only go on ahead of the clock, and one for those that have no generator,
 * which only readers of the horizon move.  (With one mark for both
 * timelines, a time that was issued on the one could not be told from a time that is
 * free on the other.)  Each is the end of the current one of the intervals in which IDs
 * count as issued: issued.c decides on these, markpage.c writes them.
 *
 * A session that changes a mark takes the writer's turn (FlakeDatabase.writer), from
 * reading the page to publishing, and holds it while the WAL is flushed.  It takes
 * FlakeDatabase.lock only to publish.  So no session waits for the disk but those that
 * want to write themselves: the others read the published mark, without a lock, and
 * make IDs before it.
 *
 * A reader takes the mark first and the floor after it.  A publisher stores the floor
 * first and the mark after it, so that nobody sees a mark that has moved over something
 * beside the floor of before.  Who lowers them, or sets words back, begins a generation
 * first: the reader, who looks at that last, begins anew.
 *
 * Order of locks: the table's, the writer's turn, FlakeDatabase.lock or the
 * buffer's.  A session that has the writer's turn waits for nothing but the disk, and
 * reads no catalog.
 */
#include "lease.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "storage/bufmgr.h"
#include "storage/lwlock.h"
#include "utils/inval.h"
#include "utils/rel.h"

/* How often a session looks whether the writer's turn is free, in us. */
#define WRITER_SLEEP_US	1000

/*
 * The table of the mark that this session reads from memory; InvalidOid after an
 * invalidation: look it up again.
 */
static Oid	relation_oid = InvalidOid;

/* ---------- the writer's turn ---------- */

/* At abort: the error may have ended a call that had the writer's turn, or that counted as waiting. */
static void
release_after_abort(XactEvent event, void *arg pg_attribute_unused())
{
	if (event != XACT_EVENT_ABORT && event != XACT_EVENT_PARALLEL_ABORT)
		return;
	flake_stop_waiting();
	flake_writer_release();
}

static void
release_after_subabort(SubXactEvent event, SubTransactionId mine pg_attribute_unused(),
					   SubTransactionId parent pg_attribute_unused(), void *arg pg_attribute_unused())
{
	if (event != SUBXACT_EVENT_ABORT_SUB)
		return;
	flake_stop_waiting();
	flake_writer_release();
}

static void
invalidated(Datum arg pg_attribute_unused(), Oid relid)
{
	if (relid == InvalidOid || relid == relation_oid)
	{
		relation_oid = InvalidOid;
		flake_void_leases();
	}
}

/* Register the callbacks, once in a session. */
static void
register_callbacks(void)
{
	static bool registered = false;

	if (registered)
		return;
	CacheRegisterRelcacheCallback(invalidated, (Datum) 0);
	RegisterXactCallback(release_after_abort, NULL);
	RegisterSubXactCallback(release_after_subabort, NULL);
	registered = true;
}

/* Take the writer's turn.  Returns false if another session has it and "wait" is false. */
static bool
take_turn(bool wait)
{
	int64		budget = (int64) flake_max_wait * 1000;

	for (;;)
	{
		uint32		nobody = 0;

		if (pg_atomic_compare_exchange_u32(&flake_db->writer, &nobody, flake_my_turn()))
			return true;
		if (!wait)
			return false;
		if (!flake_sleep(WRITER_SLEEP_US, &budget))
		{
			int32		pid = nobody > 0 ? flake->sessions[nobody - 1].pid : 0;

			flake_count_refused(FLAKE_REFUSED_WRITING);
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("could not move the mark of flakeid within flakeid.max_wait (%s)",
							flake_ms_text(flake_max_wait)),
					 errdetail("Process %d has been writing it.", pid),
					 errhint("The disk of the write-ahead log may be slow or hang.")));
		}
	}
}

/* ---------- what is published ---------- */

/*
 * Publish what the writer has for a kind, which is on disk, and a floor: ticks that
 * start before it may not be issued.  FlakeDatabase.lock is held exclusively.
 */
void
flake_writer_publish(const FlakeWriter *writer, FlakeMarkKind kind, int64 floor)
{
	int64		mark = flake_mark_of(&writer->issued[kind]);

	if (mark != flake_mark_of(&flake_db->issued[kind]))
		flake_db->moved[kind] = flake_monotonic_us();
	flake_raise(&flake_db->mark_floor[kind], (uint64) floor);
	pg_write_barrier();
	pg_atomic_write_u64(&flake_db->mark[kind], (uint64) mark);
	flake_db->issued[kind] = writer->issued[kind];
}

/* ---------- page and memory ---------- */

/*
 * Return the instant before which IDs may have been issued in this database, or may
 * still be by sessions that go on with the published mark.  That is the mark as it was
 * found at the start, whatever the clock says now; and since then what the words tell,
 * or the mark, but of the mark no more than IDs may be ahead of the clock.  (Beyond
 * that, somebody has raised it by hand.)
 */
static int64
issuable(FlakeMarkKind kind)
{
	int64		mark = (int64) pg_atomic_read_u64(&flake_db->mark[kind]);
	int64		limit = flake_clock() + (int64) flake_max_ahead * 1000;
	int64		since = flake_later(flake_issued(kind), Min(mark, limit));

	return flake_later((int64) pg_atomic_read_u64(&flake_db->found[kind]), since);
}

/*
 * Return the floor that another table takes over: the mark as it was found at the
 * start, below which everything issued before lies; or the floor of now, unless it is
 * further ahead than marks lead the clock, as then it was raised by hand.
 */
static int64
kept_floor(FlakeMarkKind kind)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->found[kind]);
	int64		floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);

	return floor <= flake_clock() + FLAKE_LEAD_US ? flake_later(found, floor) : found;
}

/*
 * Take over from memory, into a table that is new to it, what was issued in this
 * database: all before the instant up to which IDs can have been made, and the other
 * intervals.  A mark that was raised by hand goes with its table.
 */
static void
take_over(FlakeMarkKind kind, FlakeIssued *issued)
{
	const FlakeIssued *known = &flake_db->issued[kind];
	FlakeIssued before = flake_issued_before(issuable(kind));

	(void) flake_issued_add_all(issued, &before);
	for (int i = 0; i < known->count; i++)
		if (i != known->current)
			(void) flake_issued_add(issued, known->at[i]);
}

/* What merge_page() has found out. */
typedef struct Merge
{
	bool		first;			/* memory knows no table */
	int64		gap_to;			/* us: all before it counts as issued by the
								 * old primary; 0: this one was not promoted */
	bool		known;			/* memory knows this one */
	int64		floor[FLAKE_MARK_KINDS];
} Merge;

/*
 * Merge what the page says of a kind into the writer's value.
 *
 * If the page is what this server wrote last, and is not what is published, an error
 * came between: go on above the mark, as after a start.
 *
 * If it is not, somebody else wrote to the table that memory knows: rows of a dump were
 * restored behind the triggers' back, or by a transaction that gave the table its file.
 * What they say is added.
 *
 * If the table is another one (the extension or the database was dropped and created
 * again), it takes over what was issued under the old one, on disk before the first ID.
 */
static void
merge_kind(Merge *merge, FlakeMarkKind kind, const FlakeIssued *found, bool own, FlakeIssued *issued)
{
	const FlakeIssued *published = &flake_db->issued[kind];
	int64		mark = flake_mark_of(found);

	*issued = *found;
	if (merge->first)
	{
		FlakeIssued gap = flake_issued_before(merge->gap_to);

		/*
		 * where nobody has read the horizon, as far as is known, there is
		 * nothing to go above
		 */
		if (merge->gap_to > mark && (kind != FLAKE_MARK_READERS || mark > 0))
		{
			(void) flake_issued_add_all(issued, &gap);
			mark = merge->gap_to;
		}
		merge->floor[kind] = mark;
		pg_atomic_write_u64(&flake_db->found[kind], (uint64) mark);
	}
	else if (!merge->known)
	{
		take_over(kind, issued);
		merge->floor[kind] = flake_later(mark, kept_floor(kind));
	}
	else if (!own)
	{
		*issued = *published;
		merge->floor[kind] = flake_issued_add_all(issued, found);
	}
	else if (!flake_issued_equal(found, published))
		merge->floor[kind] = mark;
}

/* Publish what was merged, as a reset does: first the generation, and the marks last. */
static void
publish_merged(const FlakeWriter *writer, const Merge *merge, Oid oid, Oid file)
{
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (!merge->first)
		flake_void_generation();
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		if (!merge->known)
			pg_atomic_write_u64(&flake_db->mark_floor[kind], 0);
		flake_writer_publish(writer, kind, merge->floor[kind]);
		if (!merge->known)
			flake_db->moved[kind] = 0;
	}
	pg_atomic_write_u32(&flake_db->relation, oid);
	pg_atomic_write_u32(&flake_db->file, file);
	LWLockRelease(&flake_db->lock);
}

/*
 * Bring the page and what is published together; the writer's values are then those of
 * both.  The session has the writer's turn.
 */
static void
merge_page(FlakeWriter *writer)
{
	Relation	relation = writer->page.relation;
	Oid			oid = RelationGetRelid(relation);
	Oid			file = flake_file_number(relation);
	Merge		merge = {0};
	FlakeIssued found[FLAKE_MARK_KINDS];
	bool		own;

	flake_page_read(&writer->page, found);
	merge.first = pg_atomic_read_u32(&flake_db->relation) == InvalidOid;
	merge.known = pg_atomic_read_u32(&flake_db->relation) == oid;
	if (merge.first && flake_promotion_gap > 0 && flake_page_of_older_timeline(&writer->page))
		merge.gap_to = flake_clock() + (int64) flake_promotion_gap * 1000;
	own = merge.known && memcmp(found, flake_db->written, sizeof(found)) == 0;

	/*
	 * with less than this server wrote it is the page of another database
	 * that got the same OID
	 */
	for (int kind = 0; kind < FLAKE_MARK_KINDS && !own; kind++)
		if (flake_mark_of(&found[kind]) < flake_mark_of(&flake_db->written[kind]))
			merge.known = false;
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		merge_kind(&merge, kind, &found[kind], own, &writer->issued[kind]);
	if (own && memcmp(found, flake_db->issued, sizeof(found)) == 0)
	{
		pg_atomic_write_u32(&flake_db->file, file);
		return;
	}

	if (memcmp(found, writer->issued, sizeof(found)) != 0)
		flake_page_flush(&writer->page, flake_page_write(&writer->page, writer->issued, flake_db->written));
	else
	{
		memcpy(flake_db->written, found, sizeof(found));
		/* others may not have flushed it yet */
		flake_page_flush(&writer->page, BufferGetLSNAtomic(writer->page.buffer));
	}
	publish_merged(writer, &merge, oid, file);
}

/*
 * Will what is written to the page stay?  Not if this transaction gave the table its
 * file: a rollback or a crash takes it back, so no ID may rest on it.  The exception
 * is a transaction that creates the extension where there was none: its rollback takes
 * back the IDs with their types.
 */
static bool
counts(const FlakeMarkPage *page)
{
	return !page->rewritten && !page->replaced;
}

/*
 * Take the writer's turn with the page open and merged; flake_writer_end() ends it.
 * With "wait" false returns false instead of waiting.  In a transaction that has changed the table this reports
 * 55000; with "always" it does not merge the page: what is written to it counts once
 * the transaction has committed, and the page is read again then.
 */
bool
flake_writer_begin(FlakeWriter *writer, bool wait, bool always)
{
	register_callbacks();
	flake_refuse_recovery();
	flake_attach();
	if (!flake_page_open(&writer->page, true, wait))
		return false;
	writer->counts = counts(&writer->page);
	if (!writer->counts && !always)
	{
		flake_page_close(&writer->page);
		flake_count_refused(FLAKE_REFUSED_CHANGED);
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot make this ID in a transaction that has changed table \"_flakeid.mark\""),
				 errdetail("What the server writes to the table now may be rolled back."),
				 errhint("Commit the transaction first.")));
	}
	if (!take_turn(wait))
	{
		flake_page_close(&writer->page);
		return false;
	}
	if (writer->counts)
		merge_page(writer);
	else
		flake_page_read(&writer->page, writer->issued);
	return true;
}

/* Write the writer's values to the page and to disk; publish them next, if they count. */
void
flake_writer_write(FlakeWriter *writer)
{
	flake_page_flush(&writer->page, flake_page_write(&writer->page, writer->issued, writer->counts ? flake_db->written : NULL));
}

void
flake_writer_end(FlakeWriter *writer)
{
	Oid			oid = RelationGetRelid(writer->page.relation);

	flake_writer_release();
	flake_page_close(&writer->page);
	if (writer->page.weak)
		flake_page_mend(oid);
}

/* ---------- reading ---------- */

/*
 * Make sure that the published values are those of the table as it is now.  With
 * "at_once", do not lock the table if the catalogs say that it and its file are those
 * that memory knows.  An invalidation that arrives during this look makes it worthless,
 * and with debug_discard_caches every look brings one, so the caller asks for it once.
 * With the table locked nothing can change.
 */
static void
attach_mark(bool at_once)
{
	FlakeWriter writer;

	flake_refuse_recovery();
	register_callbacks();
	AcceptInvalidationMessages();
	if (at_once)
	{
		/*
		 * set it before the look, so that an invalidation which comes with
		 * the look takes it away
		 */
		relation_oid = pg_atomic_read_u32(&flake_db->relation);
		if (flake_mark_known(relation_oid, pg_atomic_read_u32(&flake_db->file)))
			return;
	}
	relation_oid = InvalidOid;
	(void) flake_writer_begin(&writer, true, false);
	relation_oid = RelationGetRelid(writer.page.relation);
	flake_writer_end(&writer);
}

/*
 * Read the mark of a kind, and then the floor below it.  Returns false if the session
 * had to lock the table, which may have taken long.
 */
bool
flake_mark(FlakeMarkKind kind, FlakeMarkView *view)
{
	bool		at_once = true;

	for (;;)
	{
		if (OidIsValid(relation_oid) && pg_atomic_read_u32(&flake_db->relation) == relation_oid)
		{
			view->mark = (int64) pg_atomic_read_u64(&flake_db->mark[kind]);
			pg_read_barrier();
			view->floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);
			return at_once;
		}
		attach_mark(at_once);
		at_once = false;
	}
}

/* ---------- moving ---------- */

/*
 * Advance the writer's mark of a kind so that a tick starting at us may be issued,
 * and write the page.  Returns false if that changes nothing, as another session was
 * faster; otherwise the caller publishes the value, with *floor.
 */
bool
flake_writer_advance(FlakeWriter *writer, FlakeMarkKind kind, int64 us, int64 *floor)
{
	int64		elapsed = 0;

	/* 0 if the mark was moved before the start: nobody knows how long ago */
	if (flake_db->moved[kind] != 0)
		elapsed = flake_monotonic_us() - flake_db->moved[kind];
	if (!flake_issued_advance(&writer->issued[kind], us, elapsed, floor))
		return false;
	flake_writer_write(writer);
	return true;
}

/*
 * Move the mark of a kind so that a tick that starts at us may be issued, unless the
 * generation has changed since the caller decided that: us may have come from a clock that
 * was wrong.  With "wait" false does nothing instead of waiting.
 */
void
flake_mark_extend(FlakeMarkKind kind, int64 us, uint64 generation, bool wait)
{
	FlakeWriter writer;
	int64		floor;

	if (!flake_writer_begin(&writer, wait, false))
		return;
	if (pg_atomic_read_u64(&flake_db->generation) == generation &&
		flake_writer_advance(&writer, kind, us, &floor))
	{
		flake_injection_point("flakeid-mark-flushed");
		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		flake_writer_publish(&writer, kind, floor);
		LWLockRelease(&flake_db->lock);
	}
	flake_writer_end(&writer);
}

/*
 * Move the mark before anybody has to wait for it, if the IDs have come near it.  One
 * session does so while the others go on.
 */
void
flake_mark_ahead(FlakeMarkKind kind, int64 us, uint64 generation)
{
	FlakeMarkView view;

	(void) flake_mark(kind, &view);
	if (view.mark - us < FLAKE_NEAR_US && pg_atomic_read_u32(&flake_db->writer) == 0)
		flake_mark_extend(kind, us, generation, false);
}

/*
 * Add what others have issued to the writer's value of a kind.  Returns the floor that
 * comes of it, or 0.
 *
 * Where the transaction has given the table its file, nothing can be published: after
 * the commit sessions add what they find there, unless it is what this server wrote.  So
 * it must be another value, even if this database's mark, which leads its own IDs, is
 * past the others' IDs already.
 */
static int64
add_kind(FlakeWriter *writer, FlakeMarkKind kind, const FlakeIssued *others)
{
	FlakeIssued *issued = &writer->issued[kind];
	FlakeIssued before = *issued;
	int64		floor = flake_issued_add_all(issued, others);

	floor = flake_later(floor, flake_issued_adopt(issued, flake_clock()));
	if (floor > (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]) && writer->page.rewritten &&
		flake_issued_equal(issued, &before))
	{
		FlakeInterval longer = {flake_mark_of(issued) - 1, flake_mark_of(issued) + 1};

		(void) flake_issued_add(issued, longer);
	}
	return floor;
}

/*
 * Count as issued in this database what others[kind] says (a restored state or dump, an
 * advance).  If that changes anything, all leases are void.
 */
void
flake_mark_add(const FlakeIssued others[FLAKE_MARK_KINDS])
{
	FlakeWriter writer;
	FlakeIssued before[FLAKE_MARK_KINDS];
	int64		floor[FLAKE_MARK_KINDS];
	bool		write;
	bool		raise = false;

	(void) flake_writer_begin(&writer, true, true);
	memcpy(before, writer.issued, sizeof(before));
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		floor[kind] = add_kind(&writer, kind, &others[kind]);
		raise |= floor[kind] > (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);
	}
	write = memcmp(before, writer.issued, sizeof(before)) != 0;
	if (write)
		flake_writer_write(&writer);
	if ((write || raise) && writer.counts)
	{
		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
			flake_writer_publish(&writer, kind, floor[kind]);
		flake_void_generation();
		LWLockRelease(&flake_db->lock);
	}
	flake_writer_end(&writer);
}

/*
 * Write to the table, which this transaction has just created, what was issued in the
 * database before, so that neither a crash nor a restart forgets that.  This is the
 * last statement of CREATE EXTENSION's script.
 */
PG_FUNCTION_INFO_V1(flakeid_mark_take_over);
Datum
flakeid_mark_take_over(PG_FUNCTION_ARGS pg_attribute_unused())
{
	FlakeWriter writer;

	if (RecoveryInProgress())
		PG_RETURN_VOID();

	/* where what is written counts, the merge of the page has taken it over */
	(void) flake_writer_begin(&writer, true, true);
	if (!writer.counts)
	{
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
			take_over(kind, &writer.issued[kind]);
		flake_writer_write(&writer);
	}
	flake_writer_end(&writer);
	PG_RETURN_VOID();
}

/*
 * The table is about to be dropped by this transaction: remember what it says, as the
 * first ID after a start does.  Otherwise nobody may have read it since then, and the
 * table of a new extension would begin where the clock is.  If the transaction is rolled
 * back, no harm is done.
 */
void
flake_mark_dropped(Oid oid)
{
	FlakeWriter writer;

	if (!flake_page_open_dropped(&writer.page, oid))
		return;
	register_callbacks();
	flake_attach();
	(void) take_turn(true);
	merge_page(&writer);
	flake_writer_release();
	flake_page_close(&writer.page);
}

/* ---------- for views and snapshots ---------- */

/*
 * Read the page, also during recovery, without changing anything; or, while the table
 * is locked, what is published.  Waits up to flakeid.max_wait.  Returns false, and that
 * nothing was issued, if neither can be read.
 */
bool
flake_mark_show(FlakeIssued issued[FLAKE_MARK_KINDS])
{
	int64		budget = (int64) flake_max_wait * 1000;
	FlakeMarkPage page;

	do
	{
		if (flake_page_open(&page, false, false))
		{
			flake_page_read(&page, issued);
			flake_page_close(&page);
			return true;
		}
		if (flake_db != NULL &&
			flake_mark_known(pg_atomic_read_u32(&flake_db->relation), pg_atomic_read_u32(&flake_db->file)))
		{
			LWLockAcquire(&flake_db->lock, LW_SHARED);
			memcpy(issued, flake_db->issued, sizeof(flake_db->issued));
			LWLockRelease(&flake_db->lock);
			return true;
		}
	} while (flake_sleep(WRITER_SLEEP_US, &budget));
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		issued[kind] = flake_issued_before(0);
	return false;
}

/*
 * Return, for a snapshot, the instant before which IDs may have been issued that no
 * generator in memory tells of: the floor, or during recovery, when the memory is
 * empty, the mark; or the end of another interval that the clock has reached.
 */
int64
flake_mark_used(FlakeMarkKind kind)
{
	FlakeIssued issued[FLAKE_MARK_KINDS];
	FlakeMarkView view;

	if (RecoveryInProgress())
	{
		if (!flake_mark_show(issued))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("could not read table \"_flakeid.mark\" within flakeid.max_wait (%s)",
							flake_ms_text(flake_max_wait)),
					 errhint("Wait until the transaction that holds a lock on it has been replayed.")));
		view.floor = flake_mark_of(&issued[kind]);
	}
	else
	{
		/*
		 * What is published, not the page: a session that is about to publish
		 * may have joined an interval there for which it has yet to raise the
		 * floor.
		 */
		(void) flake_mark(kind, &view);
		LWLockAcquire(&flake_db->lock, LW_SHARED);
		issued[kind] = flake_db->issued[kind];
		view.floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);
		LWLockRelease(&flake_db->lock);
	}
	return flake_later(view.floor, flake_issued_until(&issued[kind], flake_clock()));
}

/*
 * Return the instant from which a timeline may be entered: its mark, since a session
 * that was put to sleep may still issue on it up to there.
 */
int64
flake_mark_safe(FlakeMarkKind kind)
{
	return (int64) pg_atomic_read_u64(&flake_db->mark[kind]);
}
