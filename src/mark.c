/*
 * mark.c
 *		The mark: the instant below which everything may have been issued.
 *
 * Memory forgets; what was issued must not come again after a crash, a restart,
 * a restore or a promotion.  So a tick may be issued only if it starts before
 * the mark of the caller's database, and the mark is on disk before it is in
 * memory.  It is moved two seconds of time at once, early, so that it costs
 * nothing per ID and nobody waits for it.  Whoever uses the generators of a
 * database for the first time after a start reads the mark and begins above it.
 *
 * There are three marks: one for each timeline of the tick-tock formats, and one
 * for the formats that run on.  (With one for both timelines the past that a
 * toggle enters cannot be told from the one it left.)
 *
 * They are rows of flakeid_mark, an ordinary table of the extension, but written
 * as sequences are: in place, outside transactions, by Generic WAL, whose redo is
 * in core, so that a standby needs no library; and flushed before they count, so
 * that neither synchronous_commit nor a rollback matters.  No transaction ID is
 * needed, and read-only transactions and parallel workers may do it.  The values
 * stand in the tuples, because Generic WAL does not keep what lies between them.
 *
 * The shared entries are a cache of it, by database; any may be dropped and read
 * again.  Every merge, of memory and page, of two rows, of a
 * dump restored over a live mark, is the maximum.
 *
 * Order of locks: the relation's (RowExclusive, released at once), then
 * FlakeShared.lock, then the buffer's.  Nothing heavier is taken, no catalog is
 * read and nobody sleeps under FlakeShared.lock.  Reads of the shared entries
 * need no lock, but look at "database" and "version" afterwards, since an entry
 * may change hands.
 */
#include "flakeid.h"

#include "access/generic_xlog.h"
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/parallel.h"
#include "access/rmgr.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/indexing.h"
#include "catalog/pg_am.h"
#include "catalog/pg_extension.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/pmsignal.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/*
 * How near the IDs may come to a mark before it is moved.  (The lead itself must
 * stay below flakeid.max_ahead, or a format that runs on stands still after a
 * crash.)
 */
#define NEAR_US			(1 * FLAKE_US_PER_SECOND)

/* A mark that jumps further than this left a gap worth remembering. */
#define JUMP_US			(60 * FLAKE_US_PER_SECOND)

/* This database's burnt intervals are not joined over more than this. */
#define BURNT_GAP_US	(3600 * FLAKE_US_PER_SECOND)

/* The columns of flakeid_mark, as they lie in the tuple. */
typedef struct MarkRow
{
	int64		kind;
	TimestampTz value[FLAKE_MARK_VALUES];
} MarkRow;

static FlakeMark *mine = NULL;	/* the entry of this backend's database, if it still is */
static Oid	relation_oid = InvalidOid;	/* flakeid_mark, until an invalidation says otherwise */

/* ---------- the relation ---------- */

/* flakeid_mark was dropped, re-created, rewritten, or everything may have been. */
static void
invalidated(Datum arg pg_attribute_unused(), Oid relid)
{
	if (relid == InvalidOid || relid == relation_oid)
	{
		relation_oid = InvalidOid;
		flake_void_leases();
	}
}

/* The schema of the extension, wherever it was moved. */
static Oid
extension_schema(void)
{
	Oid			extension = get_extension_oid("flakeid", true);
	Oid			schema = InvalidOid;
	Relation	catalog;
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	catalog = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyInit(&key, Anum_pg_extension_oid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(extension));
	scan = systable_beginscan(catalog, ExtensionOidIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		schema = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return schema;
}

/*
 * Call it before an error that may be reported under FlakeShared.lock: reporting
 * sends to the client, with all LWLocks held, and a client that does not read
 * would keep the generators of the whole server waiting.
 */
static void
unlock_for_error(void)
{
	if (flake != NULL && LWLockHeldByMe(&flake->lock))
		LWLockRelease(&flake->lock);
}

/*
 * Has this transaction dropped the extension that was there before it?  Of what
 * was issued with that only its mark may tell, which is back if we roll back.
 */
static bool
dropped_by_us(void)
{
	bool		dropped = false;
	Relation	catalog = table_open(ExtensionRelationId, AccessShareLock);
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	/* all versions of the row: ours, and what we have deleted */
	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum("flakeid"));
	scan = systable_beginscan(catalog, ExtensionNameIndexId, true, SnapshotAny, 1, &key);
	while (!dropped && HeapTupleIsValid(tuple = systable_getnext(scan)))
		dropped = !TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple->t_data)) &&
			(tuple->t_data->t_infomask & HEAP_XMAX_INVALID) == 0 &&
			TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetUpdateXid(tuple->t_data));
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return dropped;
}

static void
report_damaged(const char *what)
{
	unlock_for_error();
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("flakeid's mark is damaged"),
			 errdetail("%s", what),
			 errhint("Without it nothing tells which IDs were issued. Re-create the extension, then call flakeid_advance() with an instant after the last ID.")));
}

/*
 * Has the transaction that this parallel worker works for changed flakeid_mark?
 * The relation cache of a worker cannot tell a new file of it.
 */
static bool
changed_by_leader(Oid oid)
{
	bool		changed;
	HeapTuple	tuple;

	if (!IsParallelWorker())
		return false;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(oid));
	changed = HeapTupleIsValid(tuple) &&
		TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple->t_data));
	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return changed;
}

/*
 * Open the mark for reading or writing: relation locked, page pinned.  With
 * "wait" false answers false instead of waiting for the relation's lock.
 */
static bool
open_page(FlakeMarkPage *page, LOCKMODE lock, bool wait)
{
	static bool registered = false;
	Oid			oid;

	/*
	 * A backend that has outlived its postmaster must not write any more: a new
	 * one may be starting on the same files.
	 */
	if (lock != AccessShareLock && IsUnderPostmaster && !PostmasterIsAlive())
		ereport(FATAL,
				(errcode(ERRCODE_ADMIN_SHUTDOWN),
				 errmsg("terminating connection due to unexpected postmaster exit")));

	if (!registered)
	{
		CacheRegisterRelcacheCallback(invalidated, (Datum) 0);
		registered = true;
	}
	for (;;)
	{
		oid = relation_oid;
		if (!OidIsValid(oid))
		{
			Oid			schema = extension_schema();

			oid = get_relname_relid("flakeid_mark", schema);
			if (!OidIsValid(oid) && extension_schema() != schema)
				continue;		/* it has just been moved */
		}
		if (!OidIsValid(oid))
			report_damaged("The table flakeid_mark does not exist.");
		if (wait)
			LockRelationOid(oid, lock);
		else if (!ConditionalLockRelationOid(oid, lock))
			return false;
		page->relation = try_table_open(oid, NoLock);
		if (page->relation != NULL)
			break;
		/* dropped while we waited for the lock; perhaps there is another by now */
		UnlockRelationOid(oid, lock);
		relation_oid = InvalidOid;
	}
	page->lock = lock;
	page->created = page->relation->rd_createSubid != InvalidSubTransactionId;
	page->replaced = page->created && dropped_by_us();
	page->made = false;
	page->rewritten = !page->created && (flake_rewritten(page->relation) || changed_by_leader(oid));
	if (page->relation->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
		report_damaged("The table flakeid_mark is not permanent.");
	if (page->relation->rd_rel->relam != HEAP_TABLE_AM_OID)
		report_damaged("The table flakeid_mark is not of the access method heap.");
	if (RelationGetNumberOfBlocks(page->relation) == 0)
		report_damaged("The table flakeid_mark is empty.");
	page->buffer = ReadBuffer(page->relation, 0);
	return true;
}

void
flake_mark_open(FlakeMarkPage *page)
{
	(void) open_page(page, RowExclusiveLock, true);
}

void
flake_mark_close(FlakeMarkPage *page)
{
	ReleaseBuffer(page->buffer);
	table_close(page->relation, page->lock);
}

/*
 * The next row of a kind (any for -1) from *offset on, or NULL.  Rows of
 * transactions that rolled back do not count.  The buffer is locked.
 */
static MarkRow *
next_row(Page page, int kind, OffsetNumber *offset)
{
	for (; *offset <= PageGetMaxOffsetNumber(page); (*offset)++)
	{
		ItemId		item = PageGetItemId(page, *offset);
		HeapTupleHeader tuple;
		MarkRow    *row;

		if (!ItemIdIsNormal(item))
			continue;
		tuple = (HeapTupleHeader) PageGetItem(page, item);
		if ((tuple->t_infomask & HEAP_HASNULL) != 0 ||
			ItemIdGetLength(item) < tuple->t_hoff + sizeof(MarkRow))
			continue;
		if (!HeapTupleHeaderXminCommitted(tuple) &&
			!TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple)) &&
			!TransactionIdDidCommit(HeapTupleHeaderGetXmin(tuple)))
			continue;
		row = (MarkRow *) ((char *) tuple + tuple->t_hoff);
		if (kind >= 0 ? row->kind == kind : (row->kind >= 0 && row->kind < FLAKE_MARK_KINDS))
		{
			(*offset)++;
			return row;
		}
	}
	return NULL;
}

/* What the page says of a kind: the maximum of all its rows.  False: no row. */
static bool
read_rows(Page page, FlakeMarkKind kind, FlakeMarkValues *values)
{
	OffsetNumber offset = FirstOffsetNumber;
	MarkRow    *row;
	bool		found = false;

	memset(values, 0, sizeof(*values));
	while ((row = next_row(page, kind, &offset)) != NULL)
	{
		int64		mark = Max(flake_us_saturated(row->value[FLAKE_MARK]), 0);

		/* the intervals belong to the mark beside them */
		if (!found || mark > values->us[FLAKE_MARK])
			for (int i = 0; i < FLAKE_MARK_VALUES; i++)
				values->us[i] = Max(flake_us_saturated(row->value[i]), 0);
		found = true;
	}
	return found;
}

/*
 * Write what stands in "values" to every row of the kind, and wait until it is
 * on disk.  FlakeShared.lock is held; the buffer is not locked.
 */
static void
write_rows(FlakeMarkPage *mark, FlakeMarkKind kind, const FlakeMarkValues *values)
{
	OffsetNumber offset = FirstOffsetNumber;
	GenericXLogState *state;
	Page		page;
	MarkRow    *row;
	bool		found = false;
	XLogRecPtr	lsn;

	LockBuffer(mark->buffer, BUFFER_LOCK_EXCLUSIVE);
	state = GenericXLogStart(mark->relation);
	/* a difference lacks the hint bits, and the check, which compares all, stops the server's recovery */
	page = GenericXLogRegisterBuffer(state, mark->buffer,
									 wal_consistency_checking[RM_GENERIC_ID] ? GENERIC_XLOG_FULL_IMAGE : 0);
	while ((row = next_row(page, kind, &offset)) != NULL)
	{
		for (int i = 0; i < FLAKE_MARK_VALUES; i++)
			row->value[i] = values->us[i] == 0 ? DT_NOBEGIN : flake_timestamptz(values->us[i]);
		found = true;
	}
	if (!found)
	{
		GenericXLogAbort(state);
		UnlockReleaseBuffer(mark->buffer);
		report_damaged("The table flakeid_mark lacks a row.");
	}
	lsn = GenericXLogFinish(state);
	LockBuffer(mark->buffer, BUFFER_LOCK_UNLOCK);
	if (RelationNeedsWAL(mark->relation))
		XLogFlush(lsn);
}

static void
read_page(FlakeMarkPage *mark, FlakeMarkValues values[FLAKE_MARK_KINDS])
{
	bool		found = true;

	LockBuffer(mark->buffer, BUFFER_LOCK_SHARE);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		found &= read_rows(BufferGetPage(mark->buffer), kind, &values[kind]);
	LockBuffer(mark->buffer, BUFFER_LOCK_UNLOCK);
	if (!found)
		report_damaged("The table flakeid_mark lacks a row.");
}

/* ---------- the shared entries ---------- */

static void
get_values(FlakeMark *entry, FlakeMarkKind kind, FlakeMarkValues *values)
{
	for (int i = 0; i < FLAKE_MARK_VALUES; i++)
		values->us[i] = (int64) pg_atomic_read_u64(&entry->value[kind][i]);
}

/* Into memory; FlakeShared.lock is held exclusively. */
static void
set_values(FlakeMark *entry, FlakeMarkKind kind, const FlakeMarkValues *values)
{
	for (int i = 0; i < FLAKE_MARK_VALUES; i++)
		pg_atomic_write_u64(&entry->value[kind][i], (uint64) values->us[i]);
}

/* What was written by this server just now. */
static void
publish(FlakeMark *entry, FlakeMarkKind kind, const FlakeMarkValues *values)
{
	entry->moved[kind] = flake_monotonic_us();
	set_values(entry, kind, values);
}

/* Before set_values(): whoever sees the new mark must see the floor. */
static void
raise_floor(FlakeMark *entry, FlakeMarkKind kind, int64 us)
{
	if (us > (int64) pg_atomic_read_u64(&entry->floor[kind]))
		pg_atomic_write_u64(&entry->floor[kind], (uint64) us);
	pg_write_barrier();
}

/* What is burnt for all databases; the last of the intervals is left alone. */
static void
get_burnt(FlakeMarkKind kind, FlakeInterval burnt[FLAKE_BURNT])
{
	for (int i = 0; i < FLAKE_BURNT - 1; i++)
	{
		burnt[i].from = (int64) pg_atomic_read_u64(&flake->burnt[kind][i][0]);
		burnt[i].to = (int64) pg_atomic_read_u64(&flake->burnt[kind][i][1]);
	}
}

/* An entry that its database loses; FlakeShared.lock is held exclusively. */
static void
leave_entry(FlakeMark *entry)
{
	/* with the entry or without: nobody may toggle into what was issued */
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		flake->left[kind] = Max(flake->left[kind], entry->reach[kind]);
	pg_atomic_fetch_add_u32(&entry->version, 1);
	pg_atomic_write_u32(&entry->database, InvalidOid);
	pg_write_barrier();
}

/* The entry of this database, or one to make it in: free, or taken from another. */
static FlakeMark *
find_entry(bool *found)
{
	static uint32 victim = 0;
	FlakeMark  *entry = NULL;

	for (int i = 0; i < FLAKE_MARKS; i++)
	{
		Oid			database = pg_atomic_read_u32(&flake->marks[i].database);

		if (database == MyDatabaseId)
		{
			*found = true;
			return &flake->marks[i];
		}
		if (database == InvalidOid && entry == NULL)
			entry = &flake->marks[i];
	}
	*found = false;
	if (entry == NULL)
	{
		/* the other database reads its mark again when it needs it */
		entry = &flake->marks[victim++ % FLAKE_MARKS];
		leave_entry(entry);
	}
	return entry;
}

/*
 * A mark that is written to a file of an open transaction is gone when that rolls
 * back or the server crashes, so it must not count in shared memory, and no ID is
 * made by it: 55000.  The exception is the transaction that creates the extension
 * where it was not, and takes back the IDs with their type; its entry tells of
 * it, and is dropped when it turns out to have rolled back.  Call it after
 * flake_mark_merge().
 */
static void
refuse_uncommitted(const FlakeMarkPage *page)
{
	if ((page->created || page->rewritten) && mine->maker != GetTopTransactionIdIfAny())
	{
		if (page->made)
			leave_entry(mine);	/* nothing is known yet of what will be there */
		unlock_for_error();
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot make this ID in a transaction that has changed flakeid_mark"),
				 errdetail("What is written to the table now may be rolled back."),
				 errhint("Commit first.")));
	}
}

/*
 * Has the transaction that made an entry rolled back?  Of an old one there may be
 * no status any more; taken for committed, its entry can only raise the mark.
 */
static bool
rolled_back(TransactionId xid)
{
	bool		result;

	LWLockAcquire(XactTruncationLock, LW_SHARED);
	result = !TransactionIdPrecedes(xid, flake_oldest_clog_xid()) && !TransactionIdDidCommit(xid);
	LWLockRelease(XactTruncationLock);
	return result;
}

/*
 * Merge the page into this database's entry, making that if need be.  What the
 * page has above memory was issued by somebody else, before a restart or since:
 * it becomes the floor.  FlakeShared.lock is held exclusively.
 */
void
flake_mark_merge(FlakeMarkPage *page)
{
	FlakeMarkValues values[FLAKE_MARK_KINDS];
	bool		found;
	bool		raised = false;
	FlakeMark  *entry;

	read_page(page, values);
	entry = find_entry(&found);
	if (found && TransactionIdIsValid(entry->maker) && entry->maker != GetTopTransactionIdIfAny())
	{
		if (rolled_back(entry->maker))
		{
			/* the extension for which it was made was never there */
			leave_entry(entry);
			entry = find_entry(&found);
		}
		else
			entry->maker = InvalidTransactionId;
	}
	if (found && (page->created || page->rewritten) && entry->maker != GetTopTransactionIdIfAny())
	{
		/* nothing counts before it is committed, but memory must not be lost by it */
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		{
			FlakeMarkValues known;

			get_values(entry, kind, &known);
			if (values[kind].us[FLAKE_MARK] < known.us[FLAKE_MARK])
				write_rows(page, kind, &known);
		}
		mine = entry;
		return;
	}
	/* on disk before it is in memory, also what others wrote */
	if (RelationNeedsWAL(page->relation))
		XLogFlush(BufferGetLSNAtomic(page->buffer));
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		int64		here = values[kind].us[FLAKE_MARK];
		FlakeMarkValues known;

		if (!found)
		{
			pg_atomic_write_u64(&entry->floor[kind], (uint64) here);
			entry->reach[kind] = entry->moved[kind] = 0;
			set_values(entry, kind, &values[kind]);
			continue;
		}
		get_values(entry, kind, &known);
		if (here > known.us[FLAKE_MARK])
		{
			raise_floor(entry, kind, here);
			entry->reach[kind] = here;
			entry->moved[kind] = 0;
			set_values(entry, kind, &values[kind]);
			raised = true;
		}
		else if (here < known.us[FLAKE_MARK])
		{
			/* a new file: the extension was dropped and created again */
			write_rows(page, kind, &known);
		}
	}
	if (!found)
	{
		/* whoever read the version while the entry was nobody's reads again */
		pg_atomic_fetch_add_u32(&entry->version, 1);
		entry->maker = page->created && !page->replaced ? GetTopTransactionIdIfAny() : InvalidTransactionId;
		pg_write_barrier();
		pg_atomic_write_u32(&entry->database, MyDatabaseId);
		page->made = true;
	}
	mine = entry;
	if (raised)
		flake_new_epoch();
}

/* Generators that keep state cannot write it here: 25006. */
void
flake_refuse_recovery(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot make this ID during recovery"),
				 errdetail("A standby cannot write down how far IDs were issued."),
				 errhint("Make IDs on the primary, or use flax_new(), which needs no state.")));
}

/* Make sure that the entry of this database is there and is of the relation as it is now. */
static void
attach(void)
{
	FlakeMarkPage page;

	flake_refuse_recovery();
	flake_mark_open(&page);
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	flake_mark_merge(&page);
	refuse_uncommitted(&page);
	LWLockRelease(&flake->lock);
	relation_oid = RelationGetRelid(page.relation);
	flake_mark_close(&page);
}

/*
 * The mark of this database, the floor below it and what is burnt.  False: it took
 * a lock to find them, and perhaps long.
 */
bool
flake_mark(FlakeMarkKind kind, FlakeMarkView *view)
{
	bool		at_once = true;

	for (;;)
	{
		if (mine != NULL && OidIsValid(relation_oid) &&
			pg_atomic_read_u32(&mine->database) == MyDatabaseId)
		{
			uint32		version;
			FlakeMarkValues values;

			pg_read_barrier();
			version = pg_atomic_read_u32(&mine->version);
			pg_read_barrier();

			/* the floor last: it is raised before the mark that goes with it */
			get_values(mine, kind, &values);
			pg_read_barrier();
			view->floor = (int64) pg_atomic_read_u64(&mine->floor[kind]);
			pg_read_barrier();
			if (pg_atomic_read_u32(&mine->database) == MyDatabaseId &&
				pg_atomic_read_u32(&mine->version) == version)
			{
				view->mark = values.us[FLAKE_MARK];
				get_burnt(kind, view->burnt);
				view->burnt[FLAKE_BURNT - 1].from = values.us[FLAKE_BURNT_FROM];
				view->burnt[FLAKE_BURNT - 1].to = values.us[FLAKE_BURNT_TO];
				return at_once;
			}
		}
		attach();
		at_once = false;
	}
}

/*
 * Move a mark of this database past us, by the lead.  FlakeShared.lock is held exclusively.
 * What the page has above memory is taken over first, and is then the floor.
 */
void
flake_mark_move(FlakeMarkPage *page, FlakeMarkKind kind, int64 us)
{
	FlakeMarkValues values;
	int64		jump;			/* how much of the time since the last move the clock jumped over */

	flake_mark_merge(page);
	refuse_uncommitted(page);
	get_values(mine, kind, &values);
	jump = us - values.us[FLAKE_MARK];
	if (jump <= -NEAR_US)
		return;					/* somebody was faster */

	/* of a mark from before the start nobody knows how long ago that was */
	if (mine->moved[kind] != 0)
		jump -= flake_monotonic_us() - mine->moved[kind];
	if (jump > JUMP_US)
	{
		values.us[FLAKE_JUMP_FROM] = values.us[FLAKE_MARK];
		values.us[FLAKE_JUMP_TO] = us;
	}
	values.us[FLAKE_MARK] = us + FLAKE_LEAD_US;
	write_rows(page, kind, &values);
	if (jump > JUMP_US)
		raise_floor(mine, kind, us);	/* so that nothing is issued in the gap */
	mine->reach[kind] = values.us[FLAKE_MARK];
	publish(mine, kind, &values);
}

/*
 * A tick that starts at us is wanted, as decided in that era, and the mark does
 * not allow it: move it.  In another era the tick may have been a wrong clock's.
 */
void
flake_mark_extend(FlakeMarkKind kind, int64 us, uint64 era)
{
	FlakeMarkPage page;

	flake_refuse_recovery();
	flake_mark_open(&page);
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	if (pg_atomic_read_u64(&flake->era) == era)
		flake_mark_move(&page, kind, us);
	LWLockRelease(&flake->lock);
	flake_mark_close(&page);
}

/*
 * The same before anybody has to wait for it: one backend does it, unless it
 * would have to wait for a lock itself, and the others go on.
 */
void
flake_mark_ahead(FlakeMarkKind kind, int64 us, uint64 era)
{
	FlakeMarkView view;
	FlakeMarkPage page;

	(void) flake_mark(kind, &view);
	if (view.mark - us >= NEAR_US)
		return;
	if (!open_page(&page, RowExclusiveLock, false))
		return;
	if (LWLockConditionalAcquire(&flake->lock, LW_EXCLUSIVE))
	{
		if (pg_atomic_read_u64(&flake->era) == era)
			flake_mark_move(&page, kind, us);
		LWLockRelease(&flake->lock);
	}
	flake_mark_close(&page);
}

/* One interval is kept: with another, what lies between them belongs to it, too. */
static void
join(FlakeInterval *interval, FlakeInterval other)
{
	if (other.from >= other.to)
		return;
	if (interval->from >= interval->to)
		*interval = other;
	else
	{
		interval->from = Min(interval->from, other.from);
		interval->to = Max(interval->to, other.to);
	}
}

/*
 * Everything before the mark in least[kind] counts as issued by this database (a
 * restored state or dump, an advance), and what is burnt there is burnt here.
 * Drops all leases.
 */
void
flake_mark_raise(const FlakeMarkValues least[FLAKE_MARK_KINDS])
{
	FlakeMarkPage page;

	flake_refuse_recovery();
	flake_mark_open(&page);
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	flake_mark_merge(&page);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		int64		us = least[kind].us[FLAKE_MARK];
		FlakeInterval burnt = {least[kind].us[FLAKE_BURNT_FROM], least[kind].us[FLAKE_BURNT_TO]};
		FlakeMarkValues values;
		int64		mark;

		if (us == 0 && burnt.to == 0)
			continue;
		get_values(mine, kind, &values);
		mark = values.us[FLAKE_MARK];
		values.us[FLAKE_MARK] = Max(mark, us);
		/* what counts as issued is no gap to go back to */
		if (us > mark)
			values.us[FLAKE_JUMP_FROM] = values.us[FLAKE_JUMP_TO] = 0;
		else if (us > values.us[FLAKE_JUMP_FROM])
			values.us[FLAKE_JUMP_FROM] = Min(us, values.us[FLAKE_JUMP_TO]);
		join(&burnt, (FlakeInterval) {values.us[FLAKE_BURNT_FROM], values.us[FLAKE_BURNT_TO]});
		values.us[FLAKE_BURNT_FROM] = burnt.from;
		values.us[FLAKE_BURNT_TO] = burnt.to;
		write_rows(&page, kind, &values);
		/* in an open transaction's file it counts when that has committed */
		if (!page.rewritten && (!page.created || mine->maker == GetTopTransactionIdIfAny()))
		{
			raise_floor(mine, kind, us);
			publish(mine, kind, &values);
		}
	}
	flake_new_epoch();
	LWLockRelease(&flake->lock);
	flake_mark_close(&page);
}

/*
 * Burn another interval in a database, at a reset to us.  One is kept: what lies
 * between it and an older one would be lost, too, so they must be near each
 * other, of one wrong time.
 */
static bool
burn(FlakeInterval *burnt, FlakeInterval more, int64 us)
{
	if (burnt->to <= us)
		*burnt = more;
	else if (more.from - burnt->to > BURNT_GAP_US || burnt->from - more.to > BURNT_GAP_US)
		return false;
	else
		join(burnt, more);
	return true;
}

/* The same for all databases: there is room for some that do not touch. */
static bool
burn_everywhere(FlakeInterval burnt[FLAKE_BURNT], FlakeInterval more, int64 us)
{
	FlakeInterval *room = NULL;

	for (int i = 0; i < FLAKE_BURNT - 1; i++)
	{
		if (burnt[i].to > us && burnt[i].from <= more.to && burnt[i].to >= more.from)
		{
			join(&burnt[i], more);
			return true;
		}
		if (burnt[i].to <= us)
			room = &burnt[i];
	}
	if (room != NULL)
		*room = more;
	return room != NULL;
}

/* Forget what is burnt beyond us. */
static void
forget(FlakeInterval *burnt, int64 us)
{
	burnt->to = Min(burnt->to, us);
	if (burnt->from >= burnt->to)
		burnt->from = burnt->to = 0;
}

/* What a reset does to the marks of a kind. */
typedef struct Reset
{
	bool		lower;			/* this database's mark */
	bool		rewind;			/* the generators, to "words" */
	int64		words;
	FlakeMarkValues values;		/* this database's afterwards */
	FlakeInterval everywhere[FLAKE_BURNT];
} Reset;

static inline bool
in_gap(const FlakeMarkValues *values, int64 us)
{
	return us >= values->us[FLAKE_JUMP_FROM] && us <= values->us[FLAKE_JUMP_TO];
}

static FlakeReset
plan_reset(FlakeMarkKind kind, int64 us, bool force, Reset *reset, FlakeMarkValues *issued)
{
	int64	   *v = reset->values.us;
	FlakeInterval burnt;

	get_values(mine, kind, &reset->values);
	*issued = reset->values;
	burnt.from = v[FLAKE_BURNT_FROM];
	burnt.to = v[FLAKE_BURNT_TO];
	get_burnt(kind, reset->everywhere);
	if (force)
	{
		forget(&burnt, us);
		for (int i = 0; i < FLAKE_BURNT - 1; i++)
			forget(&reset->everywhere[i], us);
	}

	reset->words = us;
	reset->lower = reset->rewind = force ? us < v[FLAKE_MARK] : v[FLAKE_MARK] - us > FLAKE_LEAD_US;
	if (!reset->lower)
		reset->words = Max(us, v[FLAKE_MARK]);
	else if (!force)
	{
		FlakeInterval here = {v[FLAKE_JUMP_TO], v[FLAKE_MARK]};

		if (!in_gap(&reset->values, us))
			return FLAKE_RESET_ISSUED;
		if (!burn(&burnt, here, us) || !burn_everywhere(reset->everywhere, here, us))
			return FLAKE_RESET_BURNT;
	}

	for (int i = 0; i < FLAKE_MARKS; i++)
	{
		FlakeMark  *entry = &flake->marks[i];
		int64		reach = entry->reach[kind];
		FlakeMarkValues other;

		if (entry == mine || pg_atomic_read_u32(&entry->database) == InvalidOid || reach <= us)
			continue;
		if (reach - us <= FLAKE_LEAD_US)
		{
			reset->words = Max(reset->words, reach);
			continue;
		}
		reset->rewind = true;
		if (force)
			continue;
		get_values(entry, kind, &other);
		*issued = other;
		if (!in_gap(&other, us))
			return FLAKE_RESET_ISSUED_ELSEWHERE;	/* used where ours has a gap */
		if (!burn_everywhere(reset->everywhere, (FlakeInterval) {other.us[FLAKE_JUMP_TO], reach}, us))
			return FLAKE_RESET_BURNT;
	}
	if (flake->left[kind] - us > FLAKE_LEAD_US)
	{
		reset->rewind = true;
		memset(issued, 0, sizeof(*issued));
		issued->us[FLAKE_MARK] = flake->left[kind];
		if (!force)
			return FLAKE_RESET_ISSUED_ELSEWHERE;
	}
	else
		reset->words = Max(reset->words, flake->left[kind]);

	v[FLAKE_BURNT_FROM] = burnt.from;
	v[FLAKE_BURNT_TO] = burnt.to;
	if (reset->lower)
	{
		v[FLAKE_MARK] = us;
		v[FLAKE_JUMP_FROM] = v[FLAKE_JUMP_TO] = 0;
	}
	return FLAKE_RESET_DONE;
}

/*
 * Go back to us after the clock was wrong: lower the marks of this database and
 * set the generators back, or say why not: *issued is the mark in the way.
 *
 * When the clock jumps ahead, nothing is issued between the old mark and the new
 * time; going back to within that gap repeats nothing, as long as what was issued
 * at the wrong time is never issued again: it is burnt.  Anywhere else IDs may
 * have been issued already, and it takes force, which also forgets what is burnt
 * beyond us.  A mark that only leads the clock, as it always does, stays.
 *
 * Other databases have issued up to their own marks, which become their floors
 * until they are reset themselves.  So that this one does not issue what they did
 * at the wrong time, nor they what it did, all of that is burnt for the whole
 * server, until it restarts.
 */
FlakeReset
flake_mark_reset(int64 us, bool force, FlakeMarkValues *issued)
{
	Reset		resets[FLAKE_MARK_KINDS];
	FlakeReset	result = FLAKE_RESET_DONE;
	FlakeMarkPage page;

	flake_refuse_recovery();
	flake_mark_open(&page);
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	flake_mark_merge(&page);
	refuse_uncommitted(&page);
	for (int kind = 0; kind < FLAKE_MARK_KINDS && result == FLAKE_RESET_DONE; kind++)
		result = plan_reset(kind, us, force, &resets[kind], issued);
	if (result == FLAKE_RESET_DONE)
	{
		/*
		 * On disk first, as always.  Then the epoch, the words and last the
		 * marks: what was decided before fails at the epoch or at the word, and
		 * nobody sees the lower marks beside the old words, because it takes the
		 * lock to adopt an epoch.
		 */
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		{
			if (resets[kind].lower || force)
				write_rows(&page, kind, &resets[kind].values);
			for (int i = 0; i < FLAKE_BURNT - 1; i++)
			{
				pg_atomic_write_u64(&flake->burnt[kind][i][0], (uint64) resets[kind].everywhere[i].from);
				pg_atomic_write_u64(&flake->burnt[kind][i][1], (uint64) resets[kind].everywhere[i].to);
			}
		}
		flake_new_epoch();
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		{
			if (resets[kind].rewind)
			{
				for (int i = 0; i < FLAKE_MARKS; i++)
				{
					FlakeMark  *entry = &flake->marks[i];

					if (entry != mine)
						raise_floor(entry, kind, (int64) pg_atomic_read_u64(&entry->value[kind][FLAKE_MARK]));
					entry->reach[kind] = Min(entry->reach[kind], resets[kind].words);
				}
				flake->left[kind] = Min(flake->left[kind], resets[kind].words);
				flake_rewind(kind, resets[kind].words);
			}
			if (resets[kind].lower && (int64) pg_atomic_read_u64(&mine->floor[kind]) > us)
				pg_atomic_write_u64(&mine->floor[kind], (uint64) us);
			publish(mine, kind, &resets[kind].values);
		}
	}
	LWLockRelease(&flake->lock);
	flake_mark_close(&page);
	return result;
}

/*
 * Take the entries of databases that were dropped out of the way: nobody moves
 * their marks any more, and one that stood far ahead would keep all others from
 * toggling.  Call it before taking FlakeShared.lock.
 */
void
flake_mark_forget_dropped(void)
{
	for (int i = 0; i < FLAKE_MARKS; i++)
	{
		FlakeMark  *entry = &flake->marks[i];
		Oid			database = pg_atomic_read_u32(&entry->database);

		if (database == InvalidOid || SearchSysCacheExists1(DATABASEOID, ObjectIdGetDatum(database)))
			continue;
		LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
		if (pg_atomic_read_u32(&entry->database) == database)
			leave_entry(entry);
		LWLockRelease(&flake->lock);
	}
}

/*
 * From when on a timeline may be entered: the highest mark of any database that
 * has used the generators, since a sleeping backend may yet issue up to it.
 * FlakeShared.lock is held.
 *
 * Another database's mark that lies further ahead than flakeid.max_ahead, an
 * advance or a restored dump, stops that database alone: of it counts only what
 * may have been issued since the start.
 */
int64
flake_mark_safe(FlakeMarkKind kind, int64 now)
{
	int64		limit = now + (int64) flake_max_ahead * 1000;
	int64		safe = flake->left[kind];

	for (int i = 0; i < FLAKE_MARKS; i++)
	{
		FlakeMark  *entry = &flake->marks[i];
		Oid			database = pg_atomic_read_u32(&entry->database);
		int64		mark = (int64) pg_atomic_read_u64(&entry->value[kind][FLAKE_MARK]);

		if (database == InvalidOid)
			continue;
		if (database != MyDatabaseId && mark > limit)
			mark = entry->reach[kind];
		safe = Max(safe, mark);
	}
	return safe;
}

/* What is on the page, for views: also during recovery, and touching nothing. */
void
flake_mark_show(FlakeMarkValues values[FLAKE_MARK_KINDS])
{
	FlakeMarkPage page;

	(void) open_page(&page, AccessShareLock, true);
	read_page(&page, values);
	flake_mark_close(&page);
}

/*
 * Before this instant IDs may have been issued that no generator in memory tells
 * of, for a snapshot: also during recovery, where memory has nothing.
 */
int64
flake_mark_used(FlakeMarkKind kind)
{
	FlakeMarkValues values[FLAKE_MARK_KINDS];
	FlakeMarkView view;

	if (RecoveryInProgress())
	{
		flake_mark_show(values);
		return values[kind].us[FLAKE_MARK];
	}
	(void) flake_mark(kind, &view);
	return view.floor;
}
