/*
 * seq_page.c
 *		Sequences as the server keeps them: locks, rights, the page with the last value.
 */
#include "horizon/reader.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "access/xloginsert.h"
#include "catalog/pg_class.h"
#include "catalog/pg_sequence.h"
#include "commands/sequence.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* ---------- opening ---------- */

/* Report 42809 if a relation is of another kind than a sequence. */
static void
check_kind(Oid oid, char kind)
{
	if (kind != RELKIND_SEQUENCE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a sequence", get_rel_name(oid))));
}

/* Open a sequence whose lock is held, and report 42809 if it is something else. */
static Relation
open_locked(Oid oid)
{
	Relation	sequence = relation_open(oid, NoLock);

	check_kind(oid, sequence->rd_rel->relkind);
	return sequence;
}

/* Report 42501 unless a role has one of the privileges. */
static void
check_rights(Relation sequence, Oid role, AclMode privileges)
{
	const char *why = (privileges & ACL_SELECT) != 0 ? "Readers of the horizon need a right to the sequence, too."
		: role != GetUserId() ? "The trigger draws as the table's owner." : "The role that writes a row draws from the sequence.";

	if (pg_class_aclcheck(RelationGetRelid(sequence), role, privileges) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for sequence %s", RelationGetRelationName(sequence)),
				 errdetail("%s", why),
				 errhint("GRANT %s ON SEQUENCE %s TO %s.", (privileges & ACL_SELECT) != 0 ? "SELECT" : "USAGE",
						 quote_qualified_identifier(get_namespace_name(RelationGetNamespace(sequence)), RelationGetRelationName(sequence)),
						 quote_identifier(GetUserNameFromId(role, true)))));
}

/*
 * Open a sequence to draw from it, with the rights of "role" (42501) or as its owner, and keep its
 * lock to the end of the transaction, also when a subtransaction is rolled back.  *used is set if
 * the transaction already held the lock, as it does after nextval().
 */
Relation
flake_sequence_open(Oid oid, Oid role, bool *used)
{
	char		kind = get_rel_relkind(oid);
	ResourceOwner owner = CurrentResourceOwner;
	LockAcquireResult result;
	LOCKTAG		tag;
	Relation	sequence;

	/*
	 * before it is locked, because the tag of a shared catalog would be
	 * wrong; a dropped relation has no kind
	 */
	if (kind != '\0')
		check_kind(oid, kind);
	SET_LOCKTAG_RELATION(tag, MyDatabaseId, oid);
	CurrentResourceOwner = TopTransactionResourceOwner;
	result = LockAcquire(&tag, RowExclusiveLock, false, false);
	CurrentResourceOwner = owner;
	AcceptInvalidationMessages();
	sequence = open_locked(oid);
	/* nobody else has drawn from a sequence that this transaction has created */
	*used = (result == LOCKACQUIRE_ALREADY_HELD || result == LOCKACQUIRE_ALREADY_CLEAR) && sequence->rd_createSubid == InvalidSubTransactionId;
	if (sequence->rd_rel->relowner != role)
		check_rights(sequence, role, ACL_USAGE | ACL_UPDATE);
	return sequence;
}

/* Lock and open a sequence, with the rights that currval() needs.  Reports 42809 or 42501. */
static Relation
open_to_ask(Oid oid, LOCKMODE mode)
{
	Relation	sequence;

	LockRelationOid(oid, mode);
	sequence = open_locked(oid);
	check_rights(sequence, GetUserId(), ACL_SELECT | ACL_USAGE);
	return sequence;
}

/* Report 42809 if it is no sequence, and 42501 without the rights that currval() needs. */
void
flake_sequence_allow(Oid oid)
{
	relation_close(open_to_ask(oid, AccessShareLock), AccessShareLock);
}

/*
 * Open a sequence to ask for its horizon, with the rights that currval() needs (42501).  Reports
 * 55000 if it has none.  The lock is nextval()'s, so that nobody changes the sequence meanwhile.
 */
Relation
flake_sequence_ask(Oid oid)
{
	Relation	sequence = open_to_ask(oid, RowExclusiveLock);

	if (!RelationIsPermanent(sequence))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence \"%s\" has no horizon", RelationGetRelationName(sequence)),
				 errdetail("It is temporary or unlogged, so after a crash it may start again."),
				 errhint("Use a sequence that is neither: SET LOGGED by ALTER SEQUENCE, or by ALTER TABLE if it belongs to an IDENTITY column.")));
	if (!XLogIsNeeded())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence \"%s\" has no horizon", RelationGetRelationName(sequence)),
				 errdetail("With wal_level = minimal a sequence may go back in a crash."),
				 errhint("Set wal_level to replica, and restart the server.")));
	if (!flake_sequence_rises(sequence))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence \"%s\" has no horizon", RelationGetRelationName(sequence)),
				 errdetail("A session may draw a lower value than another session has drawn before."),
				 errhint("ALTER SEQUENCE to a positive INCREMENT, CACHE 1 and NO CYCLE.")));
	return sequence;
}

void
flake_sequence_close(Relation sequence, bool keep_lock)
{
	relation_close(sequence, keep_lock ? NoLock : RowExclusiveLock);
}

/* ---------- what it is ---------- */

/* Does a sequence go up, and never begin again?  *cached: sessions draw several values in advance. */
static bool
look_up_ascends(Relation sequence, bool *cached)
{
	HeapTuple	tuple;
	Form_pg_sequence form;
	bool		ascends;

	if (!RelationIsPermanent(sequence))
		return false;
	tuple = SearchSysCache1(SEQRELID, ObjectIdGetDatum(RelationGetRelid(sequence)));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for sequence %u", RelationGetRelid(sequence));
	form = (Form_pg_sequence) GETSTRUCT(tuple);
	ascends = form->seqincrement > 0 && !form->seqcycle;
	*cached = form->seqcache > 1;
	ReleaseSysCache(tuple);
	return ascends;
}

bool
flake_sequence_ascends(Relation sequence)
{
	bool		cached;

	return look_up_ascends(sequence, &cached);
}

/*
 * Does every session draw values above all that were drawn before?  For the sequences used last
 * this needs no look at the catalog, because a change of the answer changes the file.
 */
bool
flake_sequence_rises(Relation sequence)
{
	static struct
	{
		Oid			oid;
		uint32		file;
	}			rising[16];
	Oid			oid = RelationGetRelid(sequence);
	uint32		file = flake_file_number(sequence);
	int			i = oid % lengthof(rising);
	bool		cached;

	if (likely(rising[i].oid == oid && rising[i].file == file))
		return true;
	if (!look_up_ascends(sequence, &cached) || cached)
		return false;
	rising[i].oid = oid;
	rising[i].file = file;
	return true;
}

/*
 * Did this transaction write the row of a catalog, and its snapshot is later than that?  In
 * REPEATABLE READ the snapshot is older than the lock of the ALTER, so other transactions may have
 * drawn in between, unless this one has created the sequence.
 */
static bool
is_written_before(HeapTuple tuple, Relation sequence, Snapshot snapshot)
{
	return sequence->rd_createSubid != InvalidSubTransactionId ||
		(!IsolationUsesXactSnapshot() && HeapTupleHeaderGetCmin(tuple->t_data) < snapshot->curcid);
}

/* Is the row of a catalog for a sequence, as the cache has it, visible to the snapshot? */
static bool
is_visible(int cache, Relation sequence, Snapshot snapshot)
{
	HeapTuple	tuple = SearchSysCache1(cache, ObjectIdGetDatum(RelationGetRelid(sequence)));
	TransactionId created;
	bool		visible = false;

	if (HeapTupleIsValid(tuple))
	{
		created = HeapTupleHeaderGetXmin(tuple->t_data);
		visible = !TransactionIdIsNormal(created) ||
			(TransactionIdIsCurrentTransactionId(created) ? is_written_before(tuple, sequence, snapshot) : !XidInMVCCSnapshot(created, snapshot));
		ReleaseSysCache(tuple);
	}
	return visible;
}

/*
 * Was the sequence as it is now when the snapshot was taken?  Otherwise rows that the snapshot does
 * not see may have got their values before, in another order.
 */
bool
flake_sequence_visible(Relation sequence, Snapshot snapshot)
{
	return is_visible(SEQRELID, sequence, snapshot) && is_visible(RELOID, sequence, snapshot);
}

/* ---------- its last value ---------- */

/* Lock a sequence's page, and store where its only row is. */
static Buffer
lock_page(Relation sequence, int mode, Form_pg_sequence_data *data)
{
	Buffer		buffer = ReadBuffer(sequence, 0);
	Page		page = BufferGetPage(buffer);
	HeapTupleData tuple;

	LockBuffer(buffer, mode);
	tuple.t_data = (HeapTupleHeader) PageGetItem(page, PageGetItemId(page, FirstOffsetNumber));
	*data = (Form_pg_sequence_data) GETSTRUCT(&tuple);
	return buffer;
}

/*
 * Return the value that was drawn last, or the one before the first, and store the position of the
 * WAL that brings it back after a crash.
 */
int64
flake_sequence_last(Relation sequence, XLogRecPtr *lsn)
{
	Form_pg_sequence_data data;
	Buffer		buffer = lock_page(sequence, BUFFER_LOCK_SHARE, &data);
	int64		last = data->last_value;

	if (!data->is_called && last > PG_INT64_MIN)
		last--;
	if (lsn != NULL)
		*lsn = PageGetLSN(BufferGetPage(buffer));
	UnlockReleaseBuffer(buffer);
	return last;
}

/*
 * Write what a sequence's page says to the WAL, and have the next draw do so, too.  CREATE DATABASE,
 * SET LOGGED and ALTER SEQUENCE START copy the number of draws that need no WAL, but not the WAL that
 * is ahead by as many: a crash would bring these values back.  If the commit of what has made the file
 * was asynchronous, it is in the WAL before this.
 */
void
flake_sequence_log(Relation sequence)
{
	Form_pg_sequence_data data;
	Buffer		buffer = lock_page(sequence, BUFFER_LOCK_EXCLUSIVE, &data);

	START_CRIT_SECTION();
	data->log_cnt = 0;
	MarkBufferDirty(buffer);
	(void) log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();
	UnlockReleaseBuffer(buffer);
}

/* Make sure that a crash does not take the sequence back to before that position. */
void
flake_sequence_flush(XLogRecPtr lsn)
{
	if (XLogNeedsFlush(lsn))
		XLogFlush(lsn);
}
