/*
 * markpage.c
 *		The table _flakeid.mark: finding, locking, reading and writing it.
 */
#include "mark/writer.h"

#include "access/generic_xlog.h"
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/rmgr.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_namespace.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/pmsignal.h"
#include "storage/smgr.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* The columns of _flakeid.mark, as they lie in the tuple. */
typedef struct MarkRow
{
	int64		kind;
	int64		current;		/* 1 .. FLAKE_INTERVALS */
	struct
	{
		TimestampTz from;
		TimestampTz to;
	}			at[FLAKE_INTERVALS];	/* unused: -infinity to -infinity */
} MarkRow;

StaticAssertDecl(sizeof(MarkRow) == (2 + 2 * FLAKE_INTERVALS) * 8, "columns of 8 bytes, without gaps");

/* ---------- errors ---------- */

/*
 * Report 55000: what is wrong with the table.  Ends the writer's turn first: a client that does
 * not read the report would keep all sessions of the database waiting.
 */
pg_noreturn static void
report_damaged(const FlakeMarkPage *page, const char *what)
{
	flake_turn_end();
	if (page->writing)
		flake_count_refused(FLAKE_REFUSED_DAMAGED);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("table \"_flakeid.mark\" is damaged"),
			 errdetail("%s", what),
			 errhint("SELECT * FROM flakeid_doctor() names the statement that fixes it, if there is one. Do not drop the extension without a dump: columns of its types go with it.")));
}

/* Report 55000: the extension has no table of the mark's name. */
pg_noreturn static void
report_missing(const FlakeMarkPage *page)
{
	if (page->writing)
		flake_count_refused(FLAKE_REFUSED_DAMAGED);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("table \"_flakeid.mark\" is not the extension's"),
			 errhint("Give the schemas of flakeid their names again.")));
}

/* Report 25006 during recovery, where the mark cannot be written. */
void
flake_refuse_recovery(void)
{
	if (RecoveryInProgress())
	{
		StringInfoData others;

		/* an ID with random bits needs no generator */
		initStringInfo(&others);
		for (int i = 0; i < FLAKE_FORMATS; i++)
			if (flake_formats[i]->random_bits > 0)
				appendStringInfo(&others, "%s_new(), ", flake_formats[i]->name);
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot make this ID during recovery"),
				 errdetail("A standby cannot record how far IDs were issued."),
				 errhint("Make IDs on the primary, or use %sor uuid7_new(), which work here.", others.data)));
	}
}

/* ---------- finding the table ---------- */

/*
 * Return the OID of the catalog's row with this name, and in this schema unless that is
 * InvalidOid; or InvalidOid.  The caches and the catalogs' snapshot may miss a DROP EXTENSION
 * that has just been committed.
 */
static Oid
look_up(Oid catalog, Oid index, AttrNumber column, const char *name, Oid schema)
{
	Relation	relation = table_open(catalog, AccessShareLock);
	Oid			oid = InvalidOid;
	bool		isnull;
	SysScanDesc scan;
	ScanKeyData key[2];
	HeapTuple	tuple;

	InvalidateCatalogSnapshot();
	ScanKeyInit(&key[0], column, BTEqualStrategyNumber, F_NAMEEQ, CStringGetDatum(name));
	ScanKeyInit(&key[1], Anum_pg_class_relnamespace, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(schema));
	scan = systable_beginscan(relation, index, true, NULL, OidIsValid(schema) ? 2 : 1, key);
	if (HeapTupleIsValid(tuple = systable_getnext(scan)))
		oid = DatumGetObjectId(heap_getattr(tuple, 1, RelationGetDescr(relation), &isnull));
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
	return oid;
}

/* Return the OID of the extension, or InvalidOid. */
static Oid
find_extension(void)
{
	return look_up(ExtensionRelationId, ExtensionNameIndexId, Anum_pg_extension_extname, "flakeid", InvalidOid);
}

/* Does the extension contain this table? */
static bool
contains(Oid extension, Oid oid)
{
	return OidIsValid(extension) && getExtensionOfObject(RelationRelationId, oid) == extension;
}

/* Return the OID of the table with the mark's name, if the extension contains it.  A stranger may have made another. */
static Oid
find_table(Oid extension)
{
	Oid			schema = look_up(NamespaceRelationId, NamespaceNameIndexId, Anum_pg_namespace_nspname, "_flakeid", InvalidOid);
	Oid			oid = InvalidOid;

	if (OidIsValid(schema))
		oid = look_up(RelationRelationId, ClassNameNspIndexId, Anum_pg_class_relname, "mark", schema);
	return OidIsValid(oid) && contains(extension, oid) && flake_is_own_schema(schema, "flakeid_mark_take_over") ? oid : InvalidOid;
}

/* Return the table's OID, or InvalidOid if the extension has none of its name. */
Oid
flake_mark_relation(void)
{
	return find_table(find_extension());
}

/* Is a table of the name "mark" the extension's, even if its schema was renamed? */
bool
flake_is_mark(Oid oid)
{
	return contains(find_extension(), oid);
}

/* Return the OID of the table that the caches find by its name, whoever made it, or InvalidOid. */
static Oid
find_by_name(void)
{
	Oid			schema = get_namespace_oid("_flakeid", true);

	return OidIsValid(schema) ? get_relname_relid("mark", schema) : InvalidOid;
}

/* Has a row been deleted or replaced, if only by a transaction that is running or rolled back? */
bool
flake_is_deleted(HeapTupleHeader row)
{
	return (row->t_infomask & HEAP_XMAX_INVALID) == 0 && !HEAP_XMAX_IS_LOCKED_ONLY(row->t_infomask);
}

/* Has a transaction that was committed, or this one, deleted or replaced a row? */
bool
flake_was_deleted(HeapTupleHeader row)
{
	TransactionId deleted;

	if (!flake_is_deleted(row))
		return false;
	deleted = HeapTupleHeaderGetUpdateXid(row);
	return TransactionIdIsCurrentTransactionId(deleted) || TransactionIdDidCommit(deleted);
}

/*
 * Has this transaction dropped an older flakeid?  Its table returns with a rollback, and tells
 * what it issued.  The catalog knows it even if the session had no library to see the drop.
 */
static bool
dropped_by_us(void)
{
	bool		dropped = false;
	Relation	catalog = table_open(ExtensionRelationId, AccessShareLock);
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	/* all versions of the row, those too that this transaction has deleted */
	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum("flakeid"));
	scan = systable_beginscan(catalog, ExtensionNameIndexId, true, SnapshotAny, 1, &key);
	while (!dropped && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		HeapTupleHeader header = tuple->t_data;

		dropped = !TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(header)) &&
			flake_is_deleted(header) &&
			TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetUpdateXid(header));
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return dropped;
}

/* ---------- opening the table ---------- */

/* Do the caches say that the table is this one, with this file? */
bool
flake_mark_known(Oid relation, Oid file)
{
	bool		known = false;

	if (OidIsValid(relation) && find_by_name() == relation)
	{
		HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));

		known = HeapTupleIsValid(tuple) && ((Form_pg_class) GETSTRUCT(tuple))->relfilenode == file;
		if (HeapTupleIsValid(tuple))
			ReleaseSysCache(tuple);
	}
	return known;
}

/* Return the reason why the table cannot be written in place, or NULL. */
static const char *
unfit(Relation relation)
{
	if (relation->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
		return "The table is not permanent.";
	if (relation->rd_rel->relam != HEAP_TABLE_AM_OID)
		return "The table is not of the access method heap.";

	/* it would lack what is written in place; relhasindex may be stale */
	if (relation->rd_rel->relhasindex && RelationGetIndexList(relation) != NIL)
		return "The table has an index, which must be dropped.";
	if (RelationGetNumberOfBlocks(relation) == 0)
		return "The table is empty.";
	return NULL;
}

/* The table that this session can open without reading a catalog; InvalidOid after an invalidation. */
static Oid	cached = InvalidOid;

static void
invalidated(Datum arg pg_attribute_unused(), Oid relid)
{
	if (relid == InvalidOid || relid == cached)
		cached = InvalidOid;
	flake_mark_invalidated(relid);
}

/* Learn of invalidations of the table from now on. */
void
flake_page_watch(void)
{
	static bool registered = false;

	if (!registered)
		CacheRegisterRelcacheCallback(invalidated, (Datum) 0);
	registered = true;
}

/* Open the table, which is locked; unlock it and return NULL if it was dropped before. */
static Relation
open_table(Oid oid)
{
	Relation	relation = try_table_open(oid, NoLock);

	if (relation == NULL)
		UnlockRelationOid(oid, AccessShareLock);
	return relation;
}

/*
 * The three ways to lock and open the table, the shortest first.  Each returns NULL if it does
 * not lead to the table; or if it would have to wait for a lock, and stores for which.
 */

/* The session has it in its relation cache, and memory knows the same one, so read no catalog. */
static Relation
from_cache(Oid known, FlakeLocked *locked)
{
	Oid			oid = cached;

	if (!OidIsValid(oid) || oid != known || !flake_try_lock(oid, "_flakeid.mark", locked))
		return NULL;
	if (cached == oid)
		return table_open(oid, NoLock);
	/* an invalidation arrived with the lock */
	UnlockRelationOid(oid, AccessShareLock);
	return NULL;
}

/* Memory knows the table with the name, so another session has had the proof that it is ours. */
static Relation
by_name(Oid known, FlakeLocked *locked)
{
	if (!OidIsValid(known) || find_by_name() != known || !flake_try_lock(known, "_flakeid.mark", locked))
		return NULL;
	return open_table(known);
}

/*
 * Lock and open the extension's table, or return NULL and store what is locked.  If the extension
 * is the same before and after looking for its table, it existed in between.
 */
static Relation
open_member(const FlakeMarkPage *page, FlakeLocked *locked)
{
	for (;;)
	{
		Oid			extension = find_extension();
		Oid			oid = find_table(extension);
		Relation	relation;

		if (!OidIsValid(extension))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("extension \"flakeid\" does not exist"),
					 errdetail("It was dropped while this statement was under way.")));
		if (!OidIsValid(oid) && find_extension() == extension)
			report_missing(page);
		if (OidIsValid(oid))
		{
			if (!flake_try_lock(oid, "_flakeid.mark", locked))
				return NULL;
			if ((relation = open_table(oid)) != NULL)
				return relation;
		}
		/* dropped meanwhile; there may be a new one by now */
	}
}

/* Memory does not know the table yet, so the catalogs prove that it is the extension's. */
static Relation
by_extension(const FlakeMarkPage *page, FlakeLocked *locked)
{
	Relation	relation;

	if (!flake_try_catalogs(FLAKE_LOOK_EXTENSION, locked))
		return NULL;
	relation = open_member(page, locked);
	flake_unlock_catalogs(FLAKE_LOOK_EXTENSION);
	return relation;
}

/* Lock and open the table.  Returns NULL, and stores which relation is locked, instead of waiting. */
static Relation
try_open(const FlakeMarkPage *page, FlakeLocked *locked)
{
	Oid			known = flake_db != NULL ? pg_atomic_read_u32(&flake_db->mark_table) : InvalidOid;
	Relation	relation;

	locked->oid = InvalidOid;
	if ((relation = from_cache(known, locked)) == NULL && !OidIsValid(locked->oid) &&
		(relation = by_name(known, locked)) == NULL && !OidIsValid(locked->oid))
		relation = by_extension(page, locked);
	if (relation != NULL)
		cached = RelationGetRelid(relation);
	return relation;
}

/* End a session that has outlived its postmaster, because a new one may be starting on the same files. */
static void
refuse_orphan(void)
{
	if (IsUnderPostmaster && !PostmasterIsAlive())
		ereport(FATAL,
				(errcode(ERRCODE_ADMIN_SHUTDOWN),
				 errmsg("terminating connection due to unexpected postmaster exit")));
}

/* Open the mark: lock the table and pin its page.  Returns false instead of waiting if "wait" is. */
bool
flake_page_open(FlakeMarkPage *page, bool writing, bool wait)
{
	FlakeLockWait waiting = {0};
	FlakeLocked locked = {0};
	const char *fault;

	page->writing = writing;

	if (writing)
		refuse_orphan();
	flake_page_watch();
	while ((page->relation = try_open(page, &locked)) == NULL)
	{
		if (!wait)
			return false;
		flake_wait_for_lock(&waiting, &locked);
	}
	if (page->relation->rd_createSubid != InvalidSubTransactionId)
		page->rollback = dropped_by_us() ? FLAKE_ROLLBACK_RESTORES_OLDER : FLAKE_ROLLBACK_REMOVES;
	else if (flake_rewritten(page->relation))
		page->rollback = FLAKE_ROLLBACK_RESTORES_FILE;
	else
		page->rollback = FLAKE_ROLLBACK_KEEPS;
	if ((fault = unfit(page->relation)) != NULL)
		report_damaged(page, fault);
	page->buffer = ReadBuffer(page->relation, 0);
	return true;
}

void
flake_page_close(FlakeMarkPage *page)
{
	ReleaseBuffer(page->buffer);
	table_close(page->relation, AccessShareLock);
	if (page->writing)
		flake_look_at_clock();
}

/* ---------- rows ---------- */

/* Return the row in a tuple, or NULL if somebody has written what is none. */
static MarkRow *
row_in(HeapTupleHeader tuple, Size length)
{
	MarkRow    *row = (MarkRow *) ((char *) tuple + tuple->t_hoff);

	if ((tuple->t_infomask & HEAP_HASNULL) != 0 || length < tuple->t_hoff + sizeof(MarkRow))
		return NULL;
	if (row->kind < 0 || row->kind >= FLAKE_MARK_KINDS || row->current < 1 || row->current > FLAKE_INTERVALS)
		return NULL;
	return row;
}

/*
 * Return the next row of a mark from *offset on, or NULL.  Rows of transactions that rolled back
 * do not count; the first of a kind does even if it was deleted.  The caller has locked the buffer.
 */
static MarkRow *
next_row(Page page, OffsetNumber *offset)
{
	for (; *offset <= PageGetMaxOffsetNumber(page); (*offset)++)
	{
		ItemId		item = PageGetItemId(page, *offset);
		HeapTupleHeader tuple;
		MarkRow    *row;

		if (!ItemIdIsNormal(item))
			continue;
		tuple = (HeapTupleHeader) PageGetItem(page, item);
		if ((row = row_in(tuple, ItemIdGetLength(item))) == NULL)
			continue;
		if (HeapTupleHeaderXminCommitted(tuple) ||
			TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple)) ||
			TransactionIdDidCommit(HeapTupleHeaderGetXmin(tuple)))
			return row;
	}
	return NULL;
}

/* A column as an instant of the kernel, and back: -infinity is 0. */
static int64
us_of_column(TimestampTz value)
{
	return Max(flake_us_saturated(value), 0);
}

static TimestampTz
column_of_us(int64 us)
{
	return us == 0 ? DT_NOBEGIN : flake_timestamptz(us);
}

/* Return a row's value, in the kernel's form even if somebody wrote it by hand. */
static FlakeIssued
issued_of(const MarkRow *row)
{
	FlakeIssued issued = {.count = 1};

	for (int i = 0; i < FLAKE_INTERVALS; i++)
	{
		/* the current one first, then add the others */
		int			at = i == 0 ? row->current - 1 : i <= row->current - 1 ? i - 1 : i;
		FlakeInterval interval = {us_of_column(row->at[at].from), us_of_column(row->at[at].to)};

		if (i > 0)
			(void) flake_issued_add(&issued, interval);
		else if (interval.from <= interval.to)
			issued.at[0] = interval;
	}
	return issued;
}

/* Does a row say nothing that this value does not say? */
static bool
adds_nothing(const FlakeIssued *issued, const MarkRow *row)
{
	FlakeIssued says = issued_of(row);

	return flake_issued_includes(issued, &says);
}

static void
fill_row(MarkRow *row, const FlakeIssued *issued)
{
	row->current = issued->current + 1;
	for (int i = 0; i < FLAKE_INTERVALS; i++)
	{
		row->at[i].from = column_of_us(issued->at[i].from);
		row->at[i].to = column_of_us(issued->at[i].to);
	}
}

/* Add the rows of a page to mark->rows.  The buffer is not locked. */
static void
read_buffer(FlakeMarkPage *mark, Buffer buffer, bool found[FLAKE_MARK_KINDS])
{
	Page		page = BufferGetPage(buffer);
	OffsetNumber offset = FirstOffsetNumber;
	MarkRow    *row;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	for (; (row = next_row(page, &offset)) != NULL; offset++)
	{
		FlakeIssued read = issued_of(row);

		if (!found[row->kind])
			mark->rows[row->kind] = read;
		else if (!flake_was_deleted((HeapTupleHeader) PageGetItem(page, PageGetItemId(page, offset))))
			(void) flake_issued_add_all(&mark->rows[row->kind], &read);
		found[row->kind] = true;
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
}

/*
 * Read the mark into mark->rows.  Returns false if the first page lacks a row of a kind.  Rows
 * that a dump restored with --disable-triggers has added, also to other pages, count.
 */
static bool
read_pages(FlakeMarkPage *mark)
{
	bool		found[FLAKE_MARK_KINDS] = {false};
	bool		complete = true;
	BlockNumber blocks = RelationGetNumberOfBlocks(mark->relation);

	read_buffer(mark, mark->buffer, found);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		complete &= found[kind];
	for (BlockNumber block = 1; block < blocks; block++)
	{
		Buffer		buffer = ReadBuffer(mark->relation, block);

		read_buffer(mark, buffer, found);
		ReleaseBuffer(buffer);
	}
	return complete;
}

void
flake_page_read(FlakeMarkPage *mark, FlakeIssued issued[FLAKE_MARK_KINDS])
{
	if (!read_pages(mark))
		report_damaged(mark, "The table lacks a row.");
	memcpy(issued, mark->rows, sizeof(mark->rows));
}

/*
 * Open the table that this transaction is about to drop, and has locked, if later ones must know
 * what it says.  Returns false if the transaction has created it, or if it is no mark's.
 */
bool
flake_page_open_dropped(FlakeMarkPage *page, Oid oid)
{
	Relation	relation = table_open(oid, AccessShareLock);

	refuse_orphan();
	memset(page, 0, sizeof(*page));
	page->relation = relation;
	page->writing = true;
	if (relation->rd_createSubid == InvalidSubTransactionId &&
		smgrexists(RelationGetSmgr(relation), MAIN_FORKNUM) && unfit(relation) == NULL)
	{
		page->buffer = ReadBuffer(relation, 0);
		if (read_pages(page))
			return true;
		ReleaseBuffer(page->buffer);
	}
	table_close(relation, AccessShareLock);
	return false;
}

/*
 * Write the values to the rows of their kinds on the first page and, unless it is NULL, to
 * *written.  Returns the end of the WAL record, for flake_page_flush().  The session has read
 * the mark and has the writer's turn, and no lock of a buffer.  A row that says more than was
 * read, because it has been committed since, is left to the next one who reads.
 */
XLogRecPtr
flake_page_write(FlakeMarkPage *mark, const FlakeIssued issued[FLAKE_MARK_KINDS], FlakeIssued *written)
{
	OffsetNumber offset = FirstOffsetNumber;
	GenericXLogState *state;
	Page		page;
	bool		found[FLAKE_MARK_KINDS] = {false};
	MarkRow    *row;
	XLogRecPtr	lsn;

	LockBuffer(mark->buffer, BUFFER_LOCK_EXCLUSIVE);
	state = GenericXLogStart(mark->relation);

	/* wal_consistency_checking compares pages with their unlogged hint bits */
	page = GenericXLogRegisterBuffer(state, mark->buffer,
									 wal_consistency_checking[RM_GENERIC_ID] ? GENERIC_XLOG_FULL_IMAGE : 0);
	for (; (row = next_row(page, &offset)) != NULL; offset++)
	{
		if (!found[row->kind] || adds_nothing(&mark->rows[row->kind], row))
			fill_row(row, &issued[row->kind]);
		found[row->kind] = true;
	}
	lsn = GenericXLogFinish(state);
	LockBuffer(mark->buffer, BUFFER_LOCK_UNLOCK);
	memcpy(mark->rows, issued, sizeof(mark->rows));
	if (written != NULL)
		memcpy(written, issued, sizeof(mark->rows));
	return lsn;
}

/* Wait until what was written is on disk. */
void
flake_page_flush(const FlakeMarkPage *mark, XLogRecPtr lsn)
{
	flake_injection_point("flakeid-mark-inserted");
	if (RelationNeedsWAL(mark->relation))
		XLogFlush(lsn);
}
