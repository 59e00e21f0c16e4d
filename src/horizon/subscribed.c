/*
 * subscribed.c
 *		Does a subscription bring rows of a table?
 *
 * Such rows were made on another server, and arrive at any time.  This server's horizons say
 * nothing about them, because their values were not drawn from its sequences.
 */
#include "horizon/horizon.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/partition.h"
#include "catalog/pg_subscription.h"
#include "catalog/pg_subscription_rel.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/plancache.h"
#include "utils/syscache.h"

/* How often this session has heard of a change of the subscriptions. */
static uint64 changes = 0;

/*
 * Conditions are refused while a plan is made, so a plan from before the subscription must not be
 * used.
 */
static void
subscriptions_changed(Datum arg pg_attribute_unused(), int cache pg_attribute_unused(), uint32 hash pg_attribute_unused())
{
	changes++;
	ResetPlanCache();
}

/*
 * Return the name of a subscription if it is this database's and its owner may write the table, or
 * NULL.  A subscription of another owner brings no row, and must not stop the readers.
 */
static const char *
writing_name(Oid subscription, Oid table, Oid owner)
{
	HeapTuple	tuple = SearchSysCache1(SUBSCRIPTIONOID, ObjectIdGetDatum(subscription));
	Form_pg_subscription form;
	const char *name = NULL;
	bool		missing = false;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	form = (Form_pg_subscription) GETSTRUCT(tuple);
	if (form->subdbid == MyDatabaseId &&
		(pg_class_aclcheck_ext(table, form->subowner, ACL_INSERT | ACL_UPDATE, &missing) == ACLCHECK_OK ||
		 is_member_of_role(form->subowner, owner)))
		name = pstrdup(NameStr(form->subname));
	ReleaseSysCache(tuple);
	return name;
}

/* Return the name of a subscription that brings rows of this very table, or NULL; *any: somebody's names it. */
static const char *
find_subscription(Oid table, Oid owner, bool *any)
{
	Relation	catalog = table_open(SubscriptionRelRelationId, AccessShareLock);
	const char *name = NULL;
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	row;

	ScanKeyInit(&key, Anum_pg_subscription_rel_srrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(table));
	scan = systable_beginscan(catalog, SubscriptionRelSrrelidSrsubidIndexId, true, NULL, 1, &key);
	while (name == NULL && HeapTupleIsValid(row = systable_getnext(scan)))
	{
		*any = true;
		name = writing_name(((Form_pg_subscription_rel) GETSTRUCT(row))->srsubid, table, owner);
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return name;
}

/*
 * Return the name of a subscription that brings rows of a table, or of a partitioned one above it;
 * NULL if none does.  Everybody may lock the catalogs with the answer (see lockwait.c), so the
 * tables last found in no subscription are looked up again only after a change.
 */
const char *
flake_subscription_of(Oid table)
{
	static bool registered = false;
	static struct
	{
		Oid			table;
		uint64		changes;
	}			unsubscribed[16];
	int			place = table % lengthof(unsubscribed);
	bool		partition = get_rel_relispartition(table);
	bool		any = partition;
	const char *name;
	uint64		before;

	if (!registered)
	{
		CacheRegisterSyscacheCallback(SUBSCRIPTIONRELMAP, subscriptions_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(SUBSCRIPTIONOID, subscriptions_changed, (Datum) 0);
	}
	registered = true;
	AcceptInvalidationMessages();
	before = changes;
	if (!partition && unsubscribed[place].table == table && unsubscribed[place].changes == before)
		return NULL;
	flake_lock_catalogs(FLAKE_LOOK_SUBSCRIPTION);
	name = find_subscription(table, flake_owner_of(table), &any);
	if (partition)
	{
		ListCell   *cell;

		foreach(cell, get_partition_ancestors(table))
		{
			if (name == NULL)
				name = find_subscription(lfirst_oid(cell), flake_owner_of(lfirst_oid(cell)), &any);
		}
	}
	flake_unlock_catalogs(FLAKE_LOOK_SUBSCRIPTION);
	if (!any)
	{
		unsubscribed[place].table = table;
		unsubscribed[place].changes = before;
	}
	return name;
}
