/*
 * owner.c
 *		Work on a table with its owner's rights, as VACUUM and REINDEX do it.
 *
 * A table holds code of its owner (triggers, constraints, expressions of indexes), so the work of
 * whoever has the owner's privileges runs as the owner, in a security-restricted operation: the
 * code cannot get at the rights of the caller.
 */
#include "operation/operation.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/namespace.h"
#include "catalog/partition.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "planner/planner.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* The last number in the tag of an advisory lock; those of pg_advisory_lock() have 1 or 2. */
#define BACKFILL_LOCK	3

/*
 * Return the owner of a relation.  Reports 42501 unless the current user is the owner, or has the
 * owner's privileges if these suffice, and 42P01 if there is no such relation.
 */
static Oid
check_owner(Oid relation, bool privileges_suffice)
{
	Oid			owner = flake_owner_of(relation);

	if (!OidIsValid(owner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	if (privileges_suffice ? !has_privs_of_role(GetUserId(), owner) : GetUserId() != owner)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of table \"%s\"", get_rel_name(relation)),
				 errdetail("Its owner is role \"%s\".", GetUserNameFromId(owner, true)),
				 privileges_suffice ? 0 : errhint("Members of the owner's role SET ROLE first.")));
	return owner;
}

/*
 * Return a relation and all that inherit from it, of which some may have been dropped.  They are not
 * locked, and for find_all_inheritors() a child that is dropped meanwhile is an error.
 */
List *
flake_tree_below(Oid relation)
{
	List	   *all = list_make1_oid(relation);
	ListCell   *cell;

	foreach(cell, all)
	{
		if (SearchSysCacheExists1(RELOID, ObjectIdGetDatum(lfirst_oid(cell))))
			all = list_concat_unique_oid(all, find_inheritance_children(lfirst_oid(cell), NoLock));
	}
	return all;
}

/*
 * Report 42501 unless everything that PostgreSQL works on with a relation has the same owner: its
 * partitions and inheritance children, and the tables of which it is a partition.  Membership
 * in the owner's role is not enough.  Children are not locked, so dropped ones are skipped.
 */
static void
check_tree(Oid relation, Oid owner)
{
	ListCell   *cell;

	foreach(cell, list_concat(flake_tree_below(relation), get_partition_ancestors(relation)))
	{
		Oid			other = flake_owner_of(lfirst_oid(cell));

		if (OidIsValid(other) && other != owner)
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("tables \"%s\" and \"%s\" have different owners", get_rel_name(relation), get_rel_name(lfirst_oid(cell))),
					 errdetail("Their owners are roles \"%s\" and \"%s\". The code of one table would run with the rights of the other's owner.", GetUserNameFromId(owner, true), GetUserNameFromId(other, true)),
					 errhint("Give them the same owner.")));
	}
}

/* Report 42P01 if a relation was dropped, else return its schema. */
static Oid
schema_of(Oid relation)
{
	Oid			schema = get_rel_namespace(relation);

	if (!OidIsValid(schema))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	return schema;
}

/*
 * Keep the name of a schema until the end of the transaction, by its row in pg_namespace, because
 * ALTER SCHEMA RENAME takes no other lock on new majors.  GRANT and ALTER SCHEMA OWNER keep the name, and
 * do not wait; what they have written, but not committed, is locked, too.  The lock of the schema
 * comes first: DROP SCHEMA takes it before it locks the tables, and removes the row at the end.
 */
static void
keep_schema(Oid schema)
{
	Relation	catalog;
	TM_Result	result = TM_Updated;

	LockDatabaseObject(NamespaceRelationId, schema, 0, AccessShareLock);
	catalog = table_open(NamespaceRelationId, RowShareLock);
	for (int tries = 0; result == TM_Updated && tries < 100; tries++)
	{
		HeapTuple	tuple;
		HeapTupleData row;
		Buffer		buffer;
		TM_FailureData failure;

		AcceptInvalidationMessages();
		tuple = SearchSysCache1(NAMESPACEOID, ObjectIdGetDatum(schema));
		if (!HeapTupleIsValid(tuple))
			break;
		row.t_self = tuple->t_self;
		ReleaseSysCache(tuple);
		result = heap_lock_tuple(catalog, &row, GetCurrentCommandId(true), LockTupleKeyShare, LockWaitBlock, true, &buffer, &failure);
		ReleaseBuffer(buffer);
	}
	if (result != TM_Ok && result != TM_SelfModified)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("schema with OID %u was renamed or dropped meanwhile", schema)));
	table_close(catalog, NoLock);
}

/*
 * Lock a relation, and keep its name and that of its schema, until the end of the transaction: a
 * query finds it by its name, and a stranger who owns the schema, or the relation, could put an object
 * of his in its place.  On a standby, where nobody can lock a row, the relation alone is locked.
 */
static void
keep_name(Oid relation, LOCKMODE mode)
{
	Oid			schema = schema_of(relation);

	if (!RecoveryInProgress())
		keep_schema(schema);
	LockRelationOid(relation, mode);
	if (schema_of(relation) != schema)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("table \"%s\" was moved to another schema meanwhile", get_rel_name(relation))));
}

/*
 * Lock a relation, whose whole tree the current user must own, as keep_name() does.  Check the owner
 * before the lock, which strangers must not be able to take, and again under it.
 */
static void
hold(Oid relation, LOCKMODE mode)
{
	check_tree(relation, check_owner(relation, false));
	keep_name(relation, mode);
	check_tree(relation, check_owner(relation, false));
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

/* Lock a relation, whose whole tree the current user must own, to read the catalogs: its schema can be renamed. */
void
flake_hold_to_read(Oid relation)
{
	check_tree(relation, check_owner(relation, false));
	LockRelationOid(relation, AccessShareLock);
	check_tree(relation, check_owner(relation, false));
}

/*
 * flakeid_hold_referred(relation): keep the names of the tables to which the foreign keys of a
 * relation refer that the current user owns and holds.  The mode is CREATE TABLE's, because a
 * weaker lock before it could deadlock.
 */
PG_FUNCTION_INFO_V1(flakeid_hold_referred);
Datum
flakeid_hold_referred(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	Relation	referring;
	List	   *referred = NIL;
	ListCell   *cell;

	(void) check_owner(relation, false);
	referring = table_open(relation, AccessShareLock);
	foreach(cell, RelationGetFKeyList(referring))
		referred = list_append_unique_oid(referred, lfirst_node(ForeignKeyCacheInfo, cell)->confrelid);
	table_close(referring, NoLock);
	list_sort(referred, list_oid_cmp);
	foreach(cell, list_delete_oid(referred, relation))
		keep_name(lfirst_oid(cell), ShareRowExclusiveLock);
	PG_RETURN_VOID();
}

/*
 * flakeid_lock_backfill(relation): hold the relation, and make backfills of it take turns until
 * the end of the transaction.  Nothing else waits for their lock, and only the owner can take it.
 */
PG_FUNCTION_INFO_V1(flakeid_lock_backfill);
Datum
flakeid_lock_backfill(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	LOCKTAG		tag;

	check_tree(relation, check_owner(relation, false));
	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, relation, 0, BACKFILL_LOCK);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
	hold(relation, RowExclusiveLock);
	PG_RETURN_VOID();
}

/* ---------- calls for the owner ---------- */

/* This session works for the owner of a table, who is another role than its own. */
static bool restricted = false;

/*
 * Report 42501 if the owner's code has created a type in the caller's pg_temp, which is looked up before
 * pg_catalog: whatever the caller casts next could run a CHECK of the owner's.  Old minor releases of
 * the server allow it, although the operation is security-restricted.  The type's row is not
 * visible to the caches yet.
 */
void
flake_check_new_type(Oid type)
{
	Relation	types;
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	if (!restricted)
		return;
	types = table_open(TypeRelationId, AccessShareLock);
	ScanKeyInit(&key, Anum_pg_type_oid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(type));
	scan = systable_beginscan(types, TypeOidIndexId, true, SnapshotSelf, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple) && isAnyTempNamespace(((Form_pg_type) GETSTRUCT(tuple))->typnamespace))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("cannot create a type in a temporary schema within security-restricted operation")));
	systable_endscan(scan);
	table_close(types, AccessShareLock);
}

/*
 * Return the function in _flakeid_functions that does the work of a function of ours: of the same
 * arguments, and with "_as_owner" or "_as_caller" after the name.
 */
static Oid
work_of(Oid function, const char *how)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;
	Oid			schema = flake_helpers();
	const char *name;
	Oid			work;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	if (!OidIsValid(schema))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("schema \"_flakeid_functions\" is not the extension's"),
				 errhint("Give the schemas of flakeid their names again.")));
	form = (Form_pg_proc) GETSTRUCT(tuple);
	name = psprintf("%s_as_%s", NameStr(form->proname), how);
	work = flake_find_function(name, schema, form->proargtypes.dim1, form->proargtypes.values);
	if (!OidIsValid(work))
		elog(ERROR, "function %s of _flakeid_functions does not exist", name);
	ReleaseSysCache(tuple);
	return work;
}

/* Call the function that does the work of the one that was called. */
static Datum
call_work(FunctionCallInfo fcinfo, const char *how)
{
	LOCAL_FCINFO(inner, FUNC_MAX_ARGS);
	FmgrInfo	work;
	Datum		result;

	fmgr_info_cxt(work_of(fcinfo->flinfo->fn_oid, how), &work, fcinfo->flinfo->fn_mcxt);
	memcpy(inner, fcinfo, SizeForFunctionCallInfo(PG_NARGS()));
	inner->flinfo = &work;
	result = FunctionCallInvoke(inner);
	fcinfo->isnull = inner->isnull;
	return result;
}

/* flakeid_as_caller(...): call the function that does the work, as the caller, because a procedure commits. */
PG_FUNCTION_INFO_V1(flakeid_as_caller);
Datum
flakeid_as_caller(PG_FUNCTION_ARGS)
{
	return call_work(fcinfo, "caller");
}

/*
 * flakeid_as_owner(relation, ...): call the function that does the work as the owner of the
 * relation, who must own its whole tree.  The work begins with flakeid_hold(), because a weaker
 * lock before it could deadlock.  The owner works without restriction if nobody else has logged
 * in and become the owner.  After an error the (sub)transaction's abort restores the user.
 */
PG_FUNCTION_INFO_V1(flakeid_as_owner);
Datum
flakeid_as_owner(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	Oid			caller;
	Oid			owner;
	int			context;
	int			guc_level;
	bool		restricted_before = restricted;
	Datum		result;

	owner = check_owner(relation, true);
	check_tree(relation, owner);

	GetUserIdAndSecContext(&caller, &context);
	guc_level = NewGUCNestLevel();
	if (caller != owner || GetSessionUserId() != owner || GetAuthenticatedUserId() != owner)
	{
		SetUserIdAndSecContext(owner, context | SECURITY_RESTRICTED_OPERATION);
		restricted = true;
	}
	set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	/* a policy that would hide rows is an error */
	set_config_option("row_security", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	PG_TRY();
	{
		result = call_work(fcinfo, "owner");
	}
	PG_FINALLY();
	{
		restricted = restricted_before;
	}
	PG_END_TRY();
	AtEOXact_GUC(false, guc_level);
	SetUserIdAndSecContext(caller, context);
	return result;
}
