/*
 * catalog.c
 *		Locking catalogs and the mark's table without queueing for them.
 *
 * Everybody may read a catalog, and so block others: if one session has read it in a
 * transaction, and another one queues for an exclusive lock, to which it need not have the
 * right, every later reader queues, too.  So code that makes IDs locks catalogs here,
 * without queueing, before it calls functions that read them: a session that holds a lock
 * gets it again immediately. lockwait.c tries it for a while.
 *
 * If the cache has lost what it knew of a catalog itself, as after a vacuum of it, these
 * functions read further catalogs.  Locking all of them each time would stop sessions that
 * need none of them, so such waits are left to core, limited by lock_timeout.
 */
#include "server/server.h"

#include "catalog/pg_am.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_database.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_index.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_parameter_acl.h"
#include "catalog/pg_subscription.h"
#include "catalog/pg_subscription_rel.h"
#include "catalog/pg_trigger.h"
#include "storage/lmgr.h"
#include "utils/guc.h"

/* The relations that are read for each purpose.  An index has its table's name. */
typedef struct Catalog
{
	FlakeLook	look;
	FlakeLocked relation;
} Catalog;

static const Catalog catalogs[] = {
	{FLAKE_LOOK_NAME, {NamespaceRelationId, "pg_namespace"}},
	{FLAKE_LOOK_NAME, {NamespaceNameIndexId, "pg_namespace"}},
	{FLAKE_LOOK_NAME, {NamespaceOidIndexId, "pg_namespace"}},
	{FLAKE_LOOK_NAME, {RelationRelationId, "pg_class"}},
	{FLAKE_LOOK_NAME, {ClassNameNspIndexId, "pg_class"}},
	{FLAKE_LOOK_NAME, {ClassOidIndexId, "pg_class"}},

	{FLAKE_LOOK_TABLE, {AttributeRelationId, "pg_attribute"}},
	{FLAKE_LOOK_TABLE, {AttributeRelidNumIndexId, "pg_attribute"}},
	{FLAKE_LOOK_TABLE, {AttrDefaultRelationId, "pg_attrdef"}},
	{FLAKE_LOOK_TABLE, {AttrDefaultIndexId, "pg_attrdef"}},
	{FLAKE_LOOK_TABLE, {ConstraintRelationId, "pg_constraint"}},
	{FLAKE_LOOK_TABLE, {ConstraintRelidTypidNameIndexId, "pg_constraint"}},
	{FLAKE_LOOK_TABLE, {TriggerRelationId, "pg_trigger"}},
	{FLAKE_LOOK_TABLE, {TriggerRelidNameIndexId, "pg_trigger"}},
	{FLAKE_LOOK_TABLE, {AccessMethodRelationId, "pg_am"}},
	{FLAKE_LOOK_TABLE, {AmOidIndexId, "pg_am"}},
	{FLAKE_LOOK_TABLE, {IndexRelationId, "pg_index"}},
	{FLAKE_LOOK_TABLE, {IndexRelidIndexId, "pg_index"}},
	{FLAKE_LOOK_TABLE, {OperatorClassRelationId, "pg_opclass"}},
	{FLAKE_LOOK_TABLE, {OpclassOidIndexId, "pg_opclass"}},
	{FLAKE_LOOK_TABLE, {AccessMethodProcedureRelationId, "pg_amproc"}},
	{FLAKE_LOOK_TABLE, {AccessMethodProcedureIndexId, "pg_amproc"}},

	{FLAKE_LOOK_EXTENSION, {ExtensionRelationId, "pg_extension"}},
	{FLAKE_LOOK_EXTENSION, {ExtensionNameIndexId, "pg_extension"}},
	{FLAKE_LOOK_EXTENSION, {DependRelationId, "pg_depend"}},
	{FLAKE_LOOK_EXTENSION, {DependDependerIndexId, "pg_depend"}},
	{FLAKE_LOOK_EXTENSION, {DependReferenceIndexId, "pg_depend"}},

	{FLAKE_LOOK_ENUM, {EnumRelationId, "pg_enum"}},
	{FLAKE_LOOK_ENUM, {EnumTypIdLabelIndexId, "pg_enum"}},

	{FLAKE_LOOK_DATABASE, {DatabaseRelationId, "pg_database"}},
	{FLAKE_LOOK_DATABASE, {DatabaseOidIndexId, "pg_database"}},

	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionRelationId, "pg_subscription"}},
	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionObjectIndexId, "pg_subscription"}},
	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionRelRelationId, "pg_subscription_rel"}},
	{FLAKE_LOOK_SUBSCRIPTION, {SubscriptionRelSrrelidSrsubidIndexId, "pg_subscription_rel"}},

	{FLAKE_LOOK_PARAMETER, {ParameterAclRelationId, "pg_parameter_acl"}},
	{FLAKE_LOOK_PARAMETER, {ParameterAclParnameIndexId, "pg_parameter_acl"}},
};

/*
 * Lock a relation of this name against being rewritten or dropped.  Returns false, and
 * stores what is locked, instead of waiting.
 */
bool
flake_try_lock(Oid oid, const char *name, FlakeLocked *locked)
{
	if (ConditionalLockRelationOid(oid, AccessShareLock))
		return true;
	locked->oid = oid;
	locked->name = name;
	return false;
}

/* The nesting levels of settings that limit waits in core. */
static int	limits[FLAKE_LOOKS];

/*
 * Until end_limit(), or an error, core reports 55P03 instead of waiting for a lock longer
 * than so many us.  Looks end in the opposite order in which they began.
 */
static void
begin_limit(FlakeLook look, int64 limit)
{
	char		ms[32];

	snprintf(ms, sizeof(ms), "%d", (int) Max(limit / 1000, 1));
	limits[look] = NewGUCNestLevel();
	(void) set_config_option("lock_timeout", ms, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

static void
end_limit(FlakeLook look)
{
	AtEOXact_GUC(false, limits[look]);
}

/* Unlock those of the first "end" catalogs that are read for this. */
static void
unlock(FlakeLook look, size_t end)
{
	while (end-- > 0)
		if (catalogs[end].look == look)
			UnlockRelationOid(catalogs[end].relation.oid, AccessShareLock);
}

void
flake_unlock_catalogs(FlakeLook look)
{
	unlock(look, lengthof(catalogs));
	end_limit(look);
}

/*
 * Lock the catalogs that are read for this, until flake_unlock_catalogs().  Returns false,
 * with none of them locked, and stores which one is, instead of waiting.  If core has to
 * wait meanwhile for a lock on another one, it may do so for "limit" us each time.
 */
bool
flake_try_catalogs(FlakeLook look, int64 limit, FlakeLocked *locked)
{
	begin_limit(look, limit);	/* locking may read catalogs, too */
	for (size_t i = 0; i < lengthof(catalogs); i++)
		if (catalogs[i].look == look &&
			!flake_try_lock(catalogs[i].relation.oid, catalogs[i].relation.name, locked))
		{
			unlock(look, i);
			end_limit(look);
			return false;
		}
	return true;
}
