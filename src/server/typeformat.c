/*
 * typeformat.c
 *		The format of an SQL type.
 */
#include "server/server.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "utils/syscache.h"

/* Return the format of an ID type, or of a domain over one, which is replaced by that type; or NULL. */
const FlakeFormat *
flake_format_of_type(Oid *type)
{
	const FlakeFormat *found = NULL;
	Oid			base;

	do
	{
		HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(*type));
		Form_pg_type form;

		if (!HeapTupleIsValid(tuple))
			return NULL;
		form = (Form_pg_type) GETSTRUCT(tuple);
		base = form->typtype == TYPTYPE_DOMAIN ? form->typbasetype : InvalidOid;
		if (OidIsValid(base))
			*type = base;
		else
			for (int i = 0; i < FLAKE_FORMATS; i++)
				if (form->typlen == flake_formats[i]->bytes &&
					strcmp(NameStr(form->typname), flake_formats[i]->name) == 0)
					found = flake_formats[i];
		ReleaseSysCache(tuple);
	} while (OidIsValid(base));
	return found;
}
