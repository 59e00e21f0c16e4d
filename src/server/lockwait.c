/*
 * lockwait.c
 *		Locks that a session waits for no longer than flakeid.max_wait, and not in their queue.
 */
#include "server/server.h"

#include "catalog/catalog.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_database.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_parameter_acl.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_subscription.h"
#include "catalog/pg_subscription_rel.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "storage/proc.h"

/* The shortest and the longest sleep between two tries, in us. */
#define FIRST_SLEEP_US	1000
#define LONGEST_SLEEP_US	50000

/* No session waits longer for a lock, even if flakeid.max_wait is longer; in us. */
#define LOCK_WAIT_US	(60 * FLAKE_US_PER_SECOND)

/* For which looks a relation is read.  An index has its table's name. */
typedef struct Catalog
{
	int			looks;
	FlakeLocked relation;
} Catalog;

/* Core reads the catalogs of indexes to open an index that is not in its init file. */
#define OPENS_INDEX		(FLAKE_LOOK_EXTENSION | FLAKE_LOOK_PARAMETER | FLAKE_LOOK_SEQUENCES)

static const Catalog catalogs[] = {
	{FLAKE_LOOK_EXTENSION, {ExtensionRelationId, "pg_extension"}},
	{FLAKE_LOOK_EXTENSION, {ExtensionNameIndexId, "pg_extension"}},
	{FLAKE_LOOK_EXTENSION, {ProcedureNameArgsNspIndexId, "pg_proc"}},
	{FLAKE_LOOK_EXTENSION | FLAKE_LOOK_SEQUENCES, {DependRelationId, "pg_depend"}},
	{FLAKE_LOOK_EXTENSION | FLAKE_LOOK_SEQUENCES, {DependDependerIndexId, "pg_depend"}},
	{FLAKE_LOOK_EXTENSION | FLAKE_LOOK_SEQUENCES, {DependReferenceIndexId, "pg_depend"}},

	{FLAKE_LOOK_DATABASE, {DatabaseRelationId, "pg_database"}},
	{FLAKE_LOOK_DATABASE, {DatabaseOidIndexId, "pg_database"}},

	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionRelationId, "pg_subscription"}},
	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionObjectIndexId, "pg_subscription"}},
	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionRelRelationId, "pg_subscription_rel"}},
	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionRelSrrelidSrsubidIndexId, "pg_subscription_rel"}},
	{FLAKE_LOOK_SUBSCRIPTION, {InheritsRelationId, "pg_inherits"}},
	{FLAKE_LOOK_SUBSCRIPTION, {InheritsRelidSeqnoIndexId, "pg_inherits"}},

	{FLAKE_LOOK_PARAMETER, {ParameterAclRelationId, "pg_parameter_acl"}},
	{FLAKE_LOOK_PARAMETER, {ParameterAclParnameIndexId, "pg_parameter_acl"}},

	{OPENS_INDEX, {IndexRelationId, "pg_index"}},
	{OPENS_INDEX, {IndexRelidIndexId, "pg_index"}},
	{OPENS_INDEX, {OperatorClassRelationId, "pg_opclass"}},
	{OPENS_INDEX, {OpclassOidIndexId, "pg_opclass"}},
	{OPENS_INDEX, {AccessMethodProcedureRelationId, "pg_amproc"}},
	{OPENS_INDEX, {AccessMethodProcedureIndexId, "pg_amproc"}},
};

/* ---------- trying ---------- */

/* Lock a relation against being rewritten or dropped.  Returns false, and stores which it is, instead of waiting. */
bool
flake_try_lock(Oid oid, const char *name, FlakeLocked *locked)
{
	if (ConditionalLockRelationOid(oid, AccessShareLock))
		return true;
	locked->oid = oid;
	locked->name = name;
	return false;
}

/* Unlock those of the first "end" catalogs that are read for this. */
static void
unlock(FlakeLook look, size_t end)
{
	while (end-- > 0)
		if (catalogs[end].looks & look)
			UnlockRelationOid(catalogs[end].relation.oid, AccessShareLock);
}

void
flake_unlock_catalogs(FlakeLook look)
{
	unlock(look, lengthof(catalogs));
}

/*
 * Lock the catalogs that are read for this, until flake_unlock_catalogs().  Returns false, with
 * none of them locked, and stores which one is, instead of waiting.
 */
bool
flake_try_catalogs(FlakeLook look, FlakeLocked *locked)
{
	for (size_t i = 0; i < lengthof(catalogs); i++)
		if ((catalogs[i].looks & look) &&
			!flake_try_lock(catalogs[i].relation.oid, catalogs[i].relation.name, locked))
		{
			unlock(look, i);
			return false;
		}
	return true;
}

/* ---------- waiting ---------- */

/*
 * Return how long a session may wait for a lock, in us: flakeid.max_wait, or lock_timeout if
 * that is shorter; a minute before the settings have been read.
 */
static int64
lock_wait_us(void)
{
	int64		allowed = LOCK_WAIT_US;

	if (flake_settings_defined)
		allowed = Min(allowed, (int64) flake_max_wait * 1000);
	if (LockTimeout > 0)
		allowed = Min(allowed, (int64) LockTimeout * 1000);
	return allowed;
}

/*
 * Append the process IDs of the transactions that keep this session from a relation: the holder
 * of the exclusive lock or, if nobody holds it, those that wait for one, and their blockers; 0
 * for a prepared transaction.  Returns how many there are.
 */
static int
pids_in_the_way(Oid oid, StringInfo pids)
{
	LockData   *locks = GetLockStatusData();
	Oid			database = IsSharedRelation(oid) ? InvalidOid : MyDatabaseId;
	bool		held = false;
	int			count = 0;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < locks->nelements; i++)
		{
			LockInstanceData *lock = &locks->locks[i];
			bool		exclusive = (lock->holdMask & LOCKBIT_ON(AccessExclusiveLock)) != 0;

			if (lock->locktag.locktag_type != LOCKTAG_RELATION ||
				lock->locktag.locktag_field1 != database || lock->locktag.locktag_field2 != oid ||
				lock->pid == MyProcPid)
				continue;
			if (pass == 0)
				held |= exclusive;
			else if (exclusive || !held)
				appendStringInfo(pids, "%s%d%s", count++ > 0 ? ", " : "", lock->pid,
								 lock->pid == 0 ? " (a prepared transaction)" : "");
		}
	return count;
}

/* Report 55000: a relation is locked, and by whom; "waited" is for how long this session has waited, in us. */
pg_noreturn static void
report_locked(const FlakeLocked *locked, int64 waited)
{
	StringInfoData pids;
	int			count;

	initStringInfo(&pids);
	count = pids_in_the_way(locked->oid, &pids);
	if (flake_db != NULL)
		flake_count_refused(FLAKE_REFUSED_LOCKED);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("could not lock table \"%s\" within %s", locked->name, flake_ms_text((int) (waited / 1000))),
			 count > 0
			 ? errdetail_plural("Process %s holds or waits for a lock on the table.",
								"Processes %s hold or wait for a lock on the table.", count, pids.data)
			 : errdetail("Another transaction held a conflicting lock."),
			 errhint("End the blocking transactions. A VACUUM FULL, CLUSTER or ALTER TABLE that itself waits for a reader blocks, too.")));
}

/* Sleep before the next try to lock, or report 55000 after lock_wait_us().  Zero "wait" before the first. */
void
flake_wait_for_lock(FlakeLockWait *wait, const FlakeLocked *locked)
{
	if (wait->sleep == 0)
	{
		wait->allowed = wait->budget = lock_wait_us();
		wait->sleep = FIRST_SLEEP_US;
	}
	if (!flake_sleep(wait->sleep, &wait->budget))
		report_locked(locked, wait->allowed);
	wait->sleep = Min(wait->sleep * 2, LONGEST_SLEEP_US);
}

/* Lock a relation as flake_try_lock() does, or report as flake_wait_for_lock() does. */
void
flake_lock_relation(Oid oid, const char *name)
{
	FlakeLockWait wait = {0};
	FlakeLocked locked;

	while (!flake_try_lock(oid, name, &locked))
		flake_wait_for_lock(&wait, &locked);
}

/* Lock the catalogs that are read for this, likewise. */
void
flake_lock_catalogs(FlakeLook look)
{
	FlakeLockWait wait = {0};
	FlakeLocked locked;

	while (!flake_try_catalogs(look, &locked))
		flake_wait_for_lock(&wait, &locked);
}
