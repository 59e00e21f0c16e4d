/*
 * mark.c
 *		The mark in memory: reading it, moving it, raising it.
 */
#include "mark/writer.h"

#include "access/xlog.h"
#include "storage/bufmgr.h"
#include "storage/lwlock.h"
#include "utils/inval.h"
#include "utils/rel.h"

/* How often a session that only reads checks whether the table is free, in us. */
#define TABLE_SLEEP_US	1000

/* The mark's table whose values this session reads from memory; InvalidOid after an invalidation. */
static Oid	relation_oid = InvalidOid;
static Oid	checking = InvalidOid;	/* becomes that if a check succeeds */

/* The catalogs tell this session that a relation has changed, or with InvalidOid that any may have. */
void
flake_mark_invalidated(Oid relation)
{
	if (relation == InvalidOid || relation == relation_oid || relation == checking)
	{
		relation_oid = checking = InvalidOid;
		flake_void_leases();
	}
}

/* ---------- what is published ---------- */

/*
 * Publish the writer's value of a kind, which is on disk, and a floor, in us: ticks that start
 * before it may not be issued.  FlakeDatabase.lock is held exclusively.
 */
void
flake_writer_publish(const FlakeWriter *writer, FlakeMarkKind kind, int64 floor)
{
	int64		mark = flake_mark_of(&writer->issued[kind]);

	if (mark != flake_mark_of(&flake_db->issued[kind]))
		flake_db->mark_moved[kind] = flake_monotonic_us();
	flake_raise(&flake_db->mark_floor[kind], (uint64) floor);
	pg_write_barrier();
	pg_atomic_write_u64(&flake_db->mark[kind], (uint64) mark);
	flake_db->issued[kind] = writer->issued[kind];
}

/* ---------- page and memory ---------- */

/*
 * Return an instant (us) above every ID that was issued, or that a session may still issue under
 * the published mark.  If the floor has reached the mark, it was raised by hand, and the
 * mark counts no further than IDs may be ahead of the clock.  The session has the writer's turn.
 */
static int64
issuable(FlakeMarkKind kind)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->mark_at_start[kind]);
	int64		floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);
	int64		mark = (int64) pg_atomic_read_u64(&flake_db->mark[kind]);
	int64		limit = flake_clock() + (int64) flake_max_ahead * 1000;
	int64		since = flake_later(flake_issued(kind), floor < mark ? mark : Min(mark, limit));

	return flake_later(found, since);
}

/*
 * Return the floor that another table takes over: the mark found at the start, or the current
 * floor, unless it was raised by hand, further ahead of the clock than marks are.
 */
static int64
kept_floor(FlakeMarkKind kind)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->mark_at_start[kind]);
	int64		floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);

	return floor <= flake_clock() + FLAKE_LEAD_US ? flake_later(found, floor) : found;
}

/* Add to a new table's value what memory knows to be issued. */
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

/* What the page that was read is to memory. */
typedef enum PageIs
{
	PAGE_FIRST,					/* the first since the start: memory knows no
								 * table */
	PAGE_ANOTHER,				/* of another table than memory knows */
	PAGE_CHANGED,				/* of the table that memory knows; somebody
								 * else wrote to it */
	PAGE_OURS					/* as this server wrote it */
} PageIs;

/* Does the page say less than this server wrote to it, so that it is another database's of the same OID? */
static bool
says_less(const FlakeIssued found[FLAKE_MARK_KINDS])
{
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		if (flake_mark_of(&found[kind]) < flake_mark_of(&flake_db->mark_written[kind]))
			return true;
	return false;
}

static PageIs
page_is(Oid oid, const FlakeIssued found[FLAKE_MARK_KINDS])
{
	Oid			known = pg_atomic_read_u32(&flake_db->mark_table);

	if (known == InvalidOid)
		return PAGE_FIRST;
	if (known == oid && memcmp(found, flake_db->mark_written, sizeof(flake_db->mark_written)) == 0)
		return PAGE_OURS;
	return known == oid && !says_less(found) ? PAGE_CHANGED : PAGE_ANOTHER;
}

/* Count as issued what another server may have issued up to gap_to (us), as if this one had. */
static void
add_gap(FlakeIssued *issued, int64 gap_to)
{
	FlakeInterval gap = {gap_to - FLAKE_LEAD_US, gap_to};
	int64_t		floor;

	if (gap_to <= flake_mark_of(issued))
		return;
	(void) flake_issued_advance(issued, gap.from, 0, &floor);
	(void) flake_issued_add(issued, gap);
}

/*
 * Merge the page's value of a kind, which is in *issued, with the published one.  Returns the
 * instant before which no ID may be issued from now on, or 0.
 */
static int64
merge_kind(PageIs is, FlakeMarkKind kind, FlakeIssued *issued, int64 gap_to)
{
	const FlakeIssued *published = &flake_db->issued[kind];
	FlakeIssued found = *issued;

	switch (is)
	{
		case PAGE_FIRST:
			add_gap(issued, gap_to);
			return flake_mark_of(issued);
		case PAGE_ANOTHER:
			take_over(kind, issued);
			return flake_later(flake_mark_of(&found), kept_floor(kind));
		case PAGE_CHANGED:
			*issued = *published;
			return flake_issued_add_all(issued, &found);
		case PAGE_OURS:
			break;
	}

	/*
	 * if it is not published, an error intervened, so continue as after a
	 * start
	 */
	return flake_issued_equal(&found, published) ? 0 : flake_mark_of(&found);
}

/* Have the generators go ahead of the clock up to the end of the gap and a lead further, which is no regression. */
static void
go_ahead(int64 gap_to)
{
	for (int i = 0; i < FLAKE_FORMATS; i++)
		flake_raise(&flake_db->ahead_until[i][0], flake_tick_from(&flake_formats[i]->rate, gap_to + FLAKE_LEAD_US));
}

/* Publish the merged values, as a reset does: first the generation, and the marks last. */
static void
publish_merged(const FlakeWriter *writer, PageIs is, const int64 floor[FLAKE_MARK_KINDS], int64 gap_to)
{
	bool		another = is == PAGE_FIRST || is == PAGE_ANOTHER;

	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (is != PAGE_FIRST)
		flake_void_generation();
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		if (is == PAGE_FIRST)
			pg_atomic_write_u64(&flake_db->mark_at_start[kind], (uint64) floor[kind]);
		/* another table's floor may be lower */
		if (another)
			pg_atomic_write_u64(&flake_db->mark_floor[kind], (uint64) floor[kind]);
		flake_writer_publish(writer, kind, floor[kind]);
		if (another)
			flake_db->mark_moved[kind] = 0;
	}
	if (gap_to > 0)
		go_ahead(gap_to);
	pg_atomic_write_u32(&flake_db->mark_table, RelationGetRelid(writer->page.relation));
	pg_atomic_write_u32(&flake_db->mark_file, flake_file_number(writer->page.relation));
	LWLockRelease(&flake_db->lock);
}

/* Merge the page with what is published into the writer's values.  The session has the writer's turn. */
static void
merge_page(FlakeWriter *writer)
{
	int64		floor[FLAKE_MARK_KINDS];
	int64		gap_to = 0;
	PageIs		is;

	flake_page_read(&writer->page, writer->issued);
	is = page_is(RelationGetRelid(writer->page.relation), writer->issued);
	if (is == PAGE_OURS && memcmp(writer->issued, flake_db->issued, sizeof(writer->issued)) == 0)
	{
		pg_atomic_write_u32(&flake_db->mark_file, flake_file_number(writer->page.relation));
		return;
	}
	if (is == PAGE_FIRST && flake_promotion_gap > 0 && writer->page.rollback != FLAKE_ROLLBACK_REMOVES)
		gap_to = flake_clock() + (int64) flake_promotion_gap * 1000;
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		floor[kind] = merge_kind(is, kind, &writer->issued[kind], gap_to);

	/*
	 * even if the first rows say the same, because they also do after others
	 * were deleted
	 */
	flake_page_flush(&writer->page, flake_page_write(&writer->page, writer->issued, flake_db->mark_written));
	publish_merged(writer, is, floor, gap_to);
}

/* Is what is written to the page permanent?  A rollback that removes the table removes the IDs, too. */
static bool
counts(const FlakeMarkPage *page)
{
	return page->rollback != FLAKE_ROLLBACK_RESTORES_FILE && page->rollback != FLAKE_ROLLBACK_RESTORES_OLDER;
}

/*
 * Take the writer's turn with the page open and merged; flake_writer_end() ends it.  Returns
 * false instead of waiting if "wait" is.  Reports 55000 in a transaction that has changed the
 * table, or with "always" only reads the page: it is merged after the commit.
 */
bool
flake_writer_begin(FlakeWriter *writer, bool wait, bool always)
{
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
	if (!flake_turn_take(wait))
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

/* Write the writer's values to the page and to disk; if they count, the caller publishes them next. */
static void
write_values(FlakeWriter *writer)
{
	flake_page_flush(&writer->page, flake_page_write(&writer->page, writer->issued, writer->counts ? flake_db->mark_written : NULL));
}

void
flake_writer_end(FlakeWriter *writer)
{
	flake_turn_end();
	flake_page_close(&writer->page);
}

/* ---------- reading ---------- */

/*
 * Make sure that the published values are the table's current ones: the catalogs say so and no
 * invalidation arrives meanwhile, or the table is locked and merged, which none disturbs.
 */
static void
attach_mark(void)
{
	FlakeWriter writer;

	flake_refuse_recovery();
	flake_page_watch();
	AcceptInvalidationMessages();
	relation_oid = InvalidOid;

	/* an invalidation that arrives with the check clears this */
	checking = pg_atomic_read_u32(&flake_db->mark_table);
	if (flake_mark_known(checking, pg_atomic_read_u32(&flake_db->mark_file)) && OidIsValid(checking))
	{
		relation_oid = checking;
		return;
	}
	(void) flake_writer_begin(&writer, true, false);
	relation_oid = RelationGetRelid(writer.page.relation);
	flake_writer_end(&writer);
}

/* Read the mark of a kind, and then its floor.  Returns false if the table was locked for it, which may take long. */
bool
flake_mark(FlakeMarkKind kind, FlakeMarkView *view)
{
	bool		at_once = true;

	for (;;)
	{
		if (OidIsValid(relation_oid) && pg_atomic_read_u32(&flake_db->mark_table) == relation_oid)
		{
			view->mark = (int64) pg_atomic_read_u64(&flake_db->mark[kind]);
			pg_read_barrier();
			view->floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);
			return at_once;
		}
		attach_mark();
		at_once = false;
	}
}

/* ---------- moving ---------- */

/*
 * Advance the writer's mark of a kind so that a tick that starts at us may be issued, and write
 * the page.  Returns whether that changes anything, in which case the caller publishes it, with *floor.
 */
static bool
advance(FlakeWriter *writer, FlakeMarkKind kind, int64 us, int64_t *floor)
{
	int64		elapsed = 0;

	/* 0 if the mark was moved before the start, nobody knows how long ago */
	if (flake_db->mark_moved[kind] != 0)
		elapsed = flake_monotonic_us() - flake_db->mark_moved[kind];
	if (!flake_issued_advance(&writer->issued[kind], us, elapsed, floor))
		return false;
	write_values(writer);
	return true;
}

/*
 * Move the mark of a kind so that a tick that starts at us may be issued, unless the generation
 * has changed since, because us may be from a clock that was wrong.  Does nothing instead of waiting if
 * "wait" is false.
 */
void
flake_mark_extend(FlakeMarkKind kind, int64 us, uint64 generation, bool wait)
{
	FlakeWriter writer;
	int64_t		floor;

	if (!flake_writer_begin(&writer, wait, false))
		return;
	if (pg_atomic_read_u64(&flake_db->generation) == generation &&
		advance(&writer, kind, us, &floor))
	{
		flake_injection_point("flakeid-mark-flushed");
		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		flake_writer_publish(&writer, kind, floor);
		LWLockRelease(&flake_db->lock);
	}
	flake_writer_end(&writer);
}

/* Move the mark, if the IDs have come close to it and no other session is moving it. */
void
flake_mark_ahead(FlakeMarkKind kind, int64 us, uint64 generation)
{
	FlakeMarkView view;

	(void) flake_mark(kind, &view);
	if (view.mark - us < FLAKE_NEAR_US && pg_atomic_read_u32(&flake_db->writer) == 0)
		flake_mark_extend(kind, us, generation, false);
}

/*
 * Add what others have issued to the writer's value of a kind.  Returns the resulting floor, or
 * 0.  Where nothing can be published yet, a floor changes the value: after the commit, sessions
 * merge the page only if it is not as this server wrote it.
 */
static int64
add_kind(FlakeWriter *writer, FlakeMarkKind kind, const FlakeIssued *others)
{
	FlakeIssued *issued = &writer->issued[kind];
	FlakeIssued before = *issued;
	int64		floor = flake_issued_add_all(issued, others);

	floor = flake_later(floor, flake_issued_adopt(issued, flake_clock()));
	if (floor > (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]) && writer->page.rollback == FLAKE_ROLLBACK_RESTORES_FILE &&
		flake_issued_equal(issued, &before))
	{
		FlakeInterval longer = {flake_mark_of(issued) - 1, flake_mark_of(issued) + 1};

		(void) flake_issued_add(issued, longer);
	}
	return floor;
}

/* Count the intervals of others[kind] as issued in this database.  If that changes anything, all leases are void. */
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
		write_values(&writer);
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

/* The last statement of CREATE EXTENSION's script: write to the new table what was issued in the database before. */
PG_FUNCTION_INFO_V1(flakeid_mark_take_over);
Datum
flakeid_mark_take_over(PG_FUNCTION_ARGS pg_attribute_unused())
{
	FlakeWriter writer;

	if (RecoveryInProgress())
		PG_RETURN_VOID();

	/* if what is written counts, merging the page has taken it over */
	(void) flake_writer_begin(&writer, true, true);
	if (!writer.counts)
	{
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
			take_over(kind, &writer.issued[kind]);
		write_values(&writer);
	}
	flake_writer_end(&writer);
	PG_RETURN_VOID();
}

/*
 * Read the table that this transaction is about to drop into memory, so that a new extension's
 * table begins above it.  A rollback does no harm.
 */
void
flake_mark_dropped(Oid oid)
{
	FlakeWriter writer;

	if (!flake_page_open_dropped(&writer.page, oid))
		return;
	flake_attach();
	(void) flake_turn_take(true);
	merge_page(&writer);
	flake_turn_end();
	flake_page_close(&writer.page);
}

/* ---------- for views and snapshots ---------- */

/*
 * Read the page, also during recovery, or, while the table is locked, what is published.  Returns
 * false, with nothing issued, if neither can be read within flakeid.max_wait.
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
			flake_mark_known(pg_atomic_read_u32(&flake_db->mark_table), pg_atomic_read_u32(&flake_db->mark_file)))
		{
			LWLockAcquire(&flake_db->lock, LW_SHARED);
			memcpy(issued, flake_db->issued, sizeof(flake_db->issued));
			LWLockRelease(&flake_db->lock);
			return true;
		}
	} while (flake_sleep(TABLE_SLEEP_US, &budget));
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		issued[kind] = flake_issued_before(0);
	return false;
}

/*
 * Return an instant (us) above all IDs that no generator in memory knows of: the floor (during
 * recovery, the mark), or the end of another issued interval if the clock is inside it.
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
		/* the page may join an interval for which the floor is yet to rise */
		(void) flake_mark(kind, &view);
		LWLockAcquire(&flake_db->lock, LW_SHARED);
		issued[kind] = flake_db->issued[kind];
		view.floor = (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]);
		LWLockRelease(&flake_db->lock);
	}
	return flake_later(view.floor, flake_issued_until(&issued[kind], flake_clock()));
}

/* Return the instant from which a timeline may be entered: its mark, up to which sessions may still issue IDs. */
int64
flake_mark_safe(FlakeMarkKind kind)
{
	return (int64) pg_atomic_read_u64(&flake_db->mark[kind]);
}
