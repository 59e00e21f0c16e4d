/*
 * extension.c
 *		What belongs to the extension, and to which role a relation belongs.
 */
#include "server/server.h"

#include "access/htup_details.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_language.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

/*
 * Is a schema the extension's, which has this function without arguments?  Membership does not prove
 * it.  After a superuser has renamed ours, the extension's owner, who need not be a superuser, can make one of
 * the same name and add it to the extension.  But he can neither write a function in C nor move ours.
 */
bool
flake_is_own_schema(Oid schema, const char *function)
{
	Oid			extension = get_extension_oid("flakeid", true);
	HeapTuple	tuple;
	bool		ours;

	if (!OidIsValid(extension) || getExtensionOfObject(NamespaceRelationId, schema) != extension)
		return false;
	tuple = SearchSysCache3(PROCNAMEARGSNSP, CStringGetDatum(function), PointerGetDatum(buildoidvector(NULL, 0)), ObjectIdGetDatum(schema));
	if (!HeapTupleIsValid(tuple))
		return false;
	ours = ((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId;
	ReleaseSysCache(tuple);
	return ours;
}

/* Return the role that owns a relation, or InvalidOid if there is no such relation. */
Oid
flake_owner_of(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}
