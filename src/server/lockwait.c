/*
 * lockwait.c
 *		Waiting for a lock no longer than flakeid.max_wait, and reporting who holds it.
 *
 * No session waits in the lock's queue, where it would wait for everybody before it, and
 * block everybody after it.
 */
#include "server/server.h"

#include "catalog/catalog.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "storage/proc.h"

/* The shortest and the longest sleep between two tries, in us. */
#define FIRST_SLEEP_US	1000
#define LONGEST_SLEEP_US	50000

/*
 * Append the process IDs of the transactions that keep this session from a relation: the
 * one that holds it exclusively, or else those that wait for such a lock and those that
 * they wait for.  Returns how many there are.  As in pg_blocking_pids(), 0 is a prepared
 * transaction.
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

pg_noreturn static void report_locked(const FlakeLocked *locked, int64 waited);

static void
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
			 errhint("End the transactions in the way. A VACUUM FULL, CLUSTER or ALTER TABLE that waits for a reader of the table is in the way, too.")));
}

/*
 * Sleep before the next try to lock, or report 55000 after flake_lock_wait_us().  Zero
 * "wait" before the first.
 */
void
flake_wait_for_lock(FlakeLockWait *wait, const FlakeLocked *locked)
{
	if (wait->sleep == 0)
	{
		wait->allowed = wait->budget = flake_lock_wait_us();
		wait->sleep = FIRST_SLEEP_US;
	}
	if (!flake_sleep(wait->sleep, &wait->budget))
		report_locked(locked, wait->allowed);
	wait->sleep = Min(wait->sleep * 2, LONGEST_SLEEP_US);
}

/* Lock a relation of this name against being rewritten or dropped; see flake_wait_for_lock(). */
void
flake_lock_relation(Oid oid, const char *name)
{
	FlakeLockWait wait = {0};
	FlakeLocked locked;

	while (!flake_try_lock(oid, name, &locked))
		flake_wait_for_lock(&wait, &locked);
}

/* Lock the catalogs that are read for this, until flake_unlock_catalogs(); see flake_wait_for_lock(). */
void
flake_lock_catalogs(FlakeLook look)
{
	FlakeLockWait wait = {0};
	FlakeLocked locked;

	while (!flake_try_catalogs(look, flake_lock_wait_us(), &locked))
		flake_wait_for_lock(&wait, &locked);
}
