/*
 * owner.c
 *		Whose table is it?  Who works on a table must own it, and locks it before a query
 *		names it.
 */
#include "types/types.h"

#include "access/htup_details.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/*
 * The last number in the tag of an advisory lock; those of pg_advisory_lock() have 1, for a key
 * of 64 bits, or 2, for two keys of 32.
 */
#define BACKFILL_LOCK	3

/* Return the role that owns a relation, or InvalidOid if there is no such relation. */
static Oid
owner_of(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/*
 * Report 42501 unless the caller is a member of the role that owns the relation.  A
 * superuser who is not a member is refused, too: the owner's code in a table, such as a
 * trigger, runs with the rights of the user who works on the table.
 */
static void
check_owner_of_one(Oid relation, Oid owner)
{
	if (!is_member_of_role_nosuper(GetUserId(), owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of table \"%s\"", get_rel_name(relation)),
				 errdetail("Its owner is role \"%s\".", GetUserNameFromId(owner, true)),
				 errhint("Call this in a session of the owner, as pg_cron does for a job that the owner has scheduled, because the owner's code in the table runs with the rights of the caller.")));
}

/*
 * Check the owner of the relation, and of everything that PostgreSQL works on with it: its
 * partitions and inheritance children, and the tables of which it is a partition, whose
 * indexes it has.  They are not locked, so one that has just been dropped is skipped; only
 * the owner of both tables can add one.
 */
static void
check_owner(Oid relation)
{
	ListCell   *cell;

	if (!OidIsValid(owner_of(relation)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	foreach(cell, list_concat(find_all_inheritors(relation, NoLock, NULL), get_partition_ancestors(relation)))
	{
		Oid			owner = owner_of(lfirst_oid(cell));

		if (OidIsValid(owner))
			check_owner_of_one(lfirst_oid(cell), owner);
	}
}

/* flakeid_check_owner(relation) */
PG_FUNCTION_INFO_V1(flakeid_check_owner);
Datum
flakeid_check_owner(PG_FUNCTION_ARGS)
{
	check_owner(PG_GETARG_OID(0));
	PG_RETURN_VOID();
}

/*
 * Lock a relation until the end of the transaction, so that it is neither dropped nor renamed.
 *
 * A query finds a table by its name.  If the table could be dropped between the check of its
 * owner and the query, anybody who may create objects in its schema could put a view there,
 * whose functions would run with the rights of the caller.  So the owner is checked before
 * the lock, which strangers must not be able to take, and again under it.  (The owner of the
 * schema can still rename that, as under core's own queries for foreign keys.)
 */
static void
hold(Oid relation, LOCKMODE mode)
{
	check_owner(relation);
	LockRelationOid(relation, mode);
	check_owner(relation);
}

/*
 * flakeid_hold(relation, alone): hold the relation and return its name for a query.  "alone"
 * also keeps out other callers that say so, and whatever else changes its partitions.
 */
PG_FUNCTION_INFO_V1(flakeid_hold);
Datum
flakeid_hold(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);

	hold(relation, PG_GETARG_BOOL(1) ? ShareUpdateExclusiveLock : AccessShareLock);
	PG_RETURN_TEXT_P(cstring_to_text(quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation))));
}

/*
 * flakeid_lock_backfill(relation): hold the relation, and make backfills of it take turns until
 * the end of the transaction.  Nothing else waits for their lock, not even vacuum, and only the
 * table's owner can take it: pg_advisory_lock() has other numbers in its tag.
 */
PG_FUNCTION_INFO_V1(flakeid_lock_backfill);
Datum
flakeid_lock_backfill(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	LOCKTAG		tag;

	check_owner(relation);
	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, relation, 0, BACKFILL_LOCK);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
	hold(relation, AccessShareLock);
	PG_RETURN_VOID();
}
