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
 * There are three marks: one for each timeline of the tick-tock formats, and one
 * for the formats that can only go on ahead of the clock.  (With one mark for both
 * timelines, a time that was issued on the one could not be told from a time that is
 * free on the other.)  reservation.c decides on their values, markpage.c writes them.
 *
 * A session that changes a mark takes the writer's turn (FlakeDatabase.writer), from
 * reading the page to publishing, and holds it while the WAL is flushed.  It takes
 * FlakeDatabase.lock only to publish.  So no session waits for the disk but those that
 * want to write themselves: the others read the published mark, without a lock, and
 * make IDs before it.
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

/* ---------- the values in memory ---------- */

/*
 * Read the published values of a kind.  Without FlakeDatabase.lock they may be half
 * changed: see flake_mark().
 */
static void
read_values(FlakeMarkKind kind, FlakeMarkValues *values)
{
	for (int i = 0; i < FLAKE_MARK_VALUES; i++)
		values->us[i] = (int64) pg_atomic_read_u64(&flake_db->value[kind][i]);
}

/* Begin and end a change of what is published; FlakeDatabase.lock is held exclusively. */
static void
begin_change(void)
{
	pg_atomic_write_u32(&flake_db->version, pg_atomic_read_u32(&flake_db->version) + 1);
	pg_write_barrier();
}

static void
end_change(void)
{
	pg_write_barrier();
	pg_atomic_write_u32(&flake_db->version, pg_atomic_read_u32(&flake_db->version) + 1);
}

static void
write_values(FlakeMarkKind kind, const FlakeMarkValues *values)
{
	for (int i = 0; i < FLAKE_MARK_VALUES; i++)
		pg_atomic_write_u64(&flake_db->value[kind][i], (uint64) values->us[i]);
}

/*
 * Publish the writer's values of a kind, which are on disk, and a floor: ticks that
 * start before it may not be issued.  FlakeDatabase.lock is held exclusively.
 */
void
flake_writer_publish(FlakeWriter *writer, FlakeMarkKind kind, int64 floor)
{
	begin_change();
	if (floor > (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]))
		pg_atomic_write_u64(&flake_db->mark_floor[kind], (uint64) floor);
	write_values(kind, &writer->values[kind]);
	end_change();
	flake_db->moved[kind] = flake_monotonic_us();
}

/* ---------- page and memory ---------- */

/*
 * Return the instant before which IDs may have been issued in this database, or may
 * still be by sessions that go on with the published mark: what the words tell, or the
 * mark, but of the mark no more than IDs may be ahead of the clock.  (Beyond that,
 * somebody has raised it by hand.)
 */
static int64
issuable(FlakeMarkKind kind)
{
	int64		mark = (int64) pg_atomic_read_u64(&flake_db->value[kind][FLAKE_MARK]);
	int64		limit = flake_clock() + (int64) flake_max_ahead * 1000;

	return flake_later(flake_issued(flake_db, kind), Min(mark, limit));
}

/*
 * Return the floor that another table takes over: the mark as it was at the last
 * start, below which everything issued before lies; or 0 if it is further ahead than
 * marks lead the clock, as then it was raised by hand, or the clock was wrong.
 */
static int64
kept_floor(FlakeMarkKind kind)
{
	int64		floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);

	return floor <= flake_clock() + FLAKE_LEAD_US ? floor : 0;
}

/*
 * Bring the page and the published values together; the writer's values are then
 * those of both.  The session has the writer's turn.
 *
 * If memory knows the table, and the page says more than this server wrote, somebody
 * else issued the IDs up to there (the old primary before a promotion, or the server
 * whose dump was restored behind the triggers' back): they become the floor.  If it
 * says more than is published, an error cut off a move of this server: nothing was
 * issued by it, so there is no new floor unless the clock had jumped: the gap stays
 * empty.  If it says less than is published, an error cut off a reset, as nothing else
 * lowers a page.  The reset is completed here: a later one would find no mark to lower,
 * and leave the words and floors at the wrong time.
 *
 * If the table is another one (the extension or the database was dropped and created
 * again), it takes over what was issued under the old one, also before the last start,
 * on disk before the first ID; but not a mark that was raised by hand.  A page with
 * less than this server wrote belongs to another database that got the same OID.
 */
static void
merge_page(FlakeWriter *writer)
{
	Relation	relation = writer->page.relation;
	Oid			oid = RelationGetRelid(relation);
	Oid			file = flake_file_number(relation);
	bool		known = pg_atomic_read_u32(&flake_db->relation) == oid;
	bool		first = pg_atomic_read_u32(&flake_db->relation) == InvalidOid;
	FlakeMarkValues found[FLAKE_MARK_KINDS];
	int64		floor[FLAKE_MARK_KINDS];
	bool		lowered[FLAKE_MARK_KINDS] = {false};
	bool		changed = false;
	bool		lacking = false;

	flake_page_read(&writer->page, found);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		read_values(kind, &writer->values[kind]);
		if (found[kind].us[FLAKE_MARK] < flake_db->written[kind])
			known = false;
	}

	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		FlakeMarkValues *values = &writer->values[kind];
		int64		mark = found[kind].us[FLAKE_MARK];

		floor[kind] = 0;
		if (known)
		{
			lowered[kind] = mark < values->us[FLAKE_MARK];
			if (mark > flake_db->written[kind])
				floor[kind] = mark;
			else if (mark != values->us[FLAKE_MARK])
				floor[kind] = found[kind].us[FLAKE_JUMP_TO];	/* as the move that was
																 * cut off would have
																 * set it */
			if (mark != values->us[FLAKE_MARK] ||
				memcmp(&found[kind], values, sizeof(found[kind])) != 0)
				changed = true;
			*values = found[kind];
		}
		else
		{
			FlakeMarkValues remembered = *values;

			remembered.us[FLAKE_MARK] = first ? 0 : issuable(kind);
			remembered.us[FLAKE_JUMP_FROM] = remembered.us[FLAKE_JUMP_TO] = 0;	/* the gap's floor may
																				 * be lost */
			if (remembered.us[FLAKE_MARK] > mark || remembered.us[FLAKE_RETIRED_TO] > found[kind].us[FLAKE_RETIRED_TO])
				lacking = true;
			*values = found[kind];
			if (!first)
				flake_mark_merge_values(values, &remembered);
			floor[kind] = flake_later(mark, kept_floor(kind));
			changed = true;
		}
	}
	if (!changed && pg_atomic_read_u32(&flake_db->file) == file)
		return;

	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		flake_db->written[kind] = writer->values[kind].us[FLAKE_MARK];
		if (!known)
			flake_db->moved[kind] = 0;
	}
	if (lacking)
		flake_page_write(&writer->page, writer->values);
	else if (RelationNeedsWAL(relation))
		XLogFlush(BufferGetLSNAtomic(writer->page.buffer)); /* others may not have
															 * flushed it yet */

	/*
	 * as a reset does: first the generation, then the words, and the marks
	 * last
	 */
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (changed && !first)
		flake_void_generation(flake_db);
	begin_change();
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		if (lowered[kind])
			flake_rewind(kind, writer->values[kind].us[FLAKE_MARK]);
		if (!known || floor[kind] > (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]))
			pg_atomic_write_u64(&flake_db->mark_floor[kind], (uint64) floor[kind]);
		write_values(kind, &writer->values[kind]);
	}
	pg_atomic_write_u32(&flake_db->relation, oid);
	pg_atomic_write_u32(&flake_db->file, file);
	end_change();
	LWLockRelease(&flake_db->lock);
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
 * Take the writer's turn with the page open and merged.  With "wait" false returns
 * false instead of waiting.  In a transaction that has changed the table this reports
 * 55000; with "always" it does not merge the page: what is written to it counts once
 * the transaction has committed, and the page is read again then.
 */
static bool
begin(FlakeWriter *writer, bool wait, bool always)
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
		flake_page_read(&writer->page, writer->values);
	return true;
}

/*
 * begin() for whoever cannot go on with a page that a rollback may take back.  End it
 * with flake_writer_end().
 */
bool
flake_writer_begin(FlakeWriter *writer, bool wait)
{
	return begin(writer, wait, false);
}

/* Write the writer's values to the page and to disk; publish them next, if they count. */
void
flake_writer_write(FlakeWriter *writer)
{
	for (int kind = 0; kind < FLAKE_MARK_KINDS && writer->counts; kind++)
		flake_db->written[kind] = writer->values[kind].us[FLAKE_MARK];
	flake_page_write(&writer->page, writer->values);
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
	(void) flake_writer_begin(&writer, true);
	relation_oid = RelationGetRelid(writer.page.relation);
	flake_writer_end(&writer);
}

/*
 * Read the mark of a kind, the floor below it and the retired interval.  Returns false
 * if the session had to lock the table, which may have taken long.
 */
bool
flake_mark(FlakeMarkKind kind, FlakeMarkView *view)
{
	bool		at_once = true;

	for (;;)
	{
		if (OidIsValid(relation_oid) && pg_atomic_read_u32(&flake_db->relation) == relation_oid)
		{
			uint32		version = pg_atomic_read_u32(&flake_db->version);
			FlakeMarkValues values;

			pg_read_barrier();
			read_values(kind, &values);
			view->floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);
			pg_read_barrier();
			if ((version & 1) != 0 || pg_atomic_read_u32(&flake_db->version) != version)
			{
				/* another session publishes at this moment: wait for it */
				LWLockAcquire(&flake_db->lock, LW_SHARED);
				LWLockRelease(&flake_db->lock);
				continue;
			}
			view->mark = values.us[FLAKE_MARK];
			view->retired.from = values.us[FLAKE_RETIRED_FROM];
			view->retired.to = values.us[FLAKE_RETIRED_TO];
			return at_once;
		}
		attach_mark(at_once);
		at_once = false;
	}
}

/* ---------- moving ---------- */

/*
 * Advance the writer's mark of a kind so that a tick starting at us may be issued,
 * and write the page.  Returns false if another session was faster; otherwise the
 * caller publishes the values, with *floor.
 */
bool
flake_writer_advance(FlakeWriter *writer, FlakeMarkKind kind, int64 us, int64 *floor)
{
	int64		elapsed = 0;

	/* 0 if the mark was moved before the start: nobody knows how long ago */
	if (flake_db->moved[kind] != 0)
		elapsed = flake_monotonic_us() - flake_db->moved[kind];
	if (!flake_mark_advance(&writer->values[kind], us, elapsed, floor))
		return false;
	flake_writer_write(writer);
	return true;
}

/*
 * Move the mark of a kind past us, unless the generation has changed since the caller
 * decided that: us may have come from a clock that was wrong.
 */
static void
move(FlakeWriter *writer, FlakeMarkKind kind, int64 us, uint64 generation)
{
	int64		floor;

	if (pg_atomic_read_u64(&flake_db->generation) != generation ||
		!flake_writer_advance(writer, kind, us, &floor))
		return;
	flake_injection_point("flakeid-mark-flushed");
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	flake_writer_publish(writer, kind, floor);
	LWLockRelease(&flake_db->lock);
}

/* Move the mark of a kind so that a tick that starts at us may be issued; waits for that. */
void
flake_mark_extend(FlakeMarkKind kind, int64 us, uint64 generation)
{
	FlakeWriter writer;

	(void) flake_writer_begin(&writer, true);
	move(&writer, kind, us, generation);
	flake_writer_end(&writer);
}

/*
 * Move the mark before anybody has to wait for it, if the IDs have come near it.  One
 * session does so while the others go on; it gives up if it would have to wait for a
 * lock itself.
 */
void
flake_mark_ahead(FlakeMarkKind kind, int64 us, uint64 generation)
{
	FlakeMarkView view;
	FlakeWriter writer;

	(void) flake_mark(kind, &view);
	if (view.mark - us >= FLAKE_NEAR_US || pg_atomic_read_u32(&flake_db->writer) != 0)
		return;
	if (!flake_writer_begin(&writer, false))
		return;
	move(&writer, kind, us, generation);
	flake_writer_end(&writer);
}

/*
 * Raise the marks to those in least[kind], and retire what is retired there.  With
 * "elsewhere", another server has issued the IDs below them, so they are floors, too,
 * even if this database's mark, which leads its own IDs, is higher already.  If that
 * changes anything, all leases are void.
 */
static void
raise_marks(const FlakeMarkValues least[FLAKE_MARK_KINDS], bool elsewhere)
{
	FlakeWriter writer;
	bool		changed[FLAKE_MARK_KINDS];
	bool		write = false;
	bool		publish = false;

	(void) begin(&writer, true, true);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		FlakeInterval retired = {least[kind].us[FLAKE_RETIRED_FROM], least[kind].us[FLAKE_RETIRED_TO]};
		int64		us = least[kind].us[FLAKE_MARK];
		bool		raise_floor = elsewhere && us > (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);

		/*
		 * After the commit sessions take the page for a floor only if it says
		 * more than this server wrote.
		 */
		if (raise_floor && writer.page.rewritten)
			us = Max(us, flake_db->written[kind] + 1);
		changed[kind] = flake_mark_raise_values(&writer.values[kind], us, retired);
		write |= changed[kind];
		changed[kind] |= raise_floor;
		publish |= changed[kind];
	}
	if (write)
		flake_writer_write(&writer);
	if (publish && writer.counts)
	{
		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
			if (changed[kind])
				flake_writer_publish(&writer, kind, elsewhere ? least[kind].us[FLAKE_MARK] : 0);
		flake_void_generation(flake_db);
		LWLockRelease(&flake_db->lock);
	}
	flake_writer_end(&writer);
}

/*
 * Count everything before the mark in least[kind] as issued in this database (a
 * restored state or dump, an advance), and what is retired there as retired here.
 */
void
flake_mark_raise(const FlakeMarkValues least[FLAKE_MARK_KINDS])
{
	raise_marks(least, true);
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
	FlakeMarkValues least[FLAKE_MARK_KINDS] = {0};

	if (RecoveryInProgress())
		PG_RETURN_VOID();
	flake_attach();
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		least[kind].us[FLAKE_MARK] = issuable(kind);
	raise_marks(least, false);
	PG_RETURN_VOID();
}

/* ---------- for views and snapshots ---------- */

/*
 * Read the page, also during recovery, without changing anything; or, while the table
 * is locked, what is published.  Waits up to flakeid.max_wait.  Returns false, with
 * zeros, if neither can be read.
 */
bool
flake_mark_show(FlakeMarkValues values[FLAKE_MARK_KINDS])
{
	int64		budget = (int64) flake_max_wait * 1000;
	FlakeMarkPage page;

	do
	{
		if (flake_page_open(&page, false, false))
		{
			flake_page_read(&page, values);
			flake_page_close(&page);
			return true;
		}
		if (flake_db != NULL &&
			flake_mark_known(pg_atomic_read_u32(&flake_db->relation), pg_atomic_read_u32(&flake_db->file)))
		{
			LWLockAcquire(&flake_db->lock, LW_SHARED);
			for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
				read_values(kind, &values[kind]);
			LWLockRelease(&flake_db->lock);
			return true;
		}
	} while (flake_sleep(WRITER_SLEEP_US, &budget));
	memset(values, 0, FLAKE_MARK_KINDS * sizeof(FlakeMarkValues));
	return false;
}

/*
 * Return, for a snapshot, the instant before which IDs may have been issued that no
 * generator in memory tells of: the floor, or during recovery, when the memory is
 * empty, the mark.
 */
int64
flake_mark_used(FlakeMarkKind kind)
{
	FlakeMarkValues values[FLAKE_MARK_KINDS];
	FlakeMarkView view;

	if (RecoveryInProgress())
	{
		if (!flake_mark_show(values))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("could not read table \"_flakeid.mark\" within flakeid.max_wait (%s)",
							flake_ms_text(flake_max_wait)),
					 errhint("Wait until the transaction that holds a lock on it has been replayed.")));
		return values[kind].us[FLAKE_MARK];
	}
	(void) flake_mark(kind, &view);
	return view.floor;
}

/*
 * Return the instant from which a timeline may be entered: its mark, since a session
 * that was put to sleep may still issue on it up to there.
 */
int64
flake_mark_safe(FlakeMarkKind kind)
{
	return (int64) pg_atomic_read_u64(&flake_db->value[kind][FLAKE_MARK]);
}
