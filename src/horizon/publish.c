/*
 * publish.c
 *		The horizon that this database publishes; what others have published is in
 *		published.c.
 */
#include "horizon/published.h"

#include "catalog/dependency.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

/* Return the format of this T_horizon(), or NULL if it is not one of the extension's. */
static const FlakeFormat *
format_of_function(Oid function)
{
	const char *name = get_func_name(function);

	if (name == NULL || getExtensionOfObject(ProcedureRelationId, function) != get_extension_oid("flakeid", false))
		return NULL;
	for (int i = 0; i < FLAKE_FORMATS; i++)
		if (strcmp(name, psprintf("%s_horizon", flake_formats[i]->name)) == 0)
			return flake_formats[i];
	return NULL;
}

/*
 * Return the format whose horizon a function returns.  Reports 22023 if the function does
 * not, and 42501 if the caller may not call it or may not publish.  Publishing moves the
 * mark to the clock, so not everybody may.
 */
static const FlakeFormat *
check_function(Oid function)
{
	const FlakeFormat *format = format_of_function(function);

	if (format == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("function with OID %u returns no horizon that can be published", function)));
	if (!DatumGetBool(DirectFunctionCall2(has_function_privilege_id, ObjectIdGetDatum(function),
										  PointerGetDatum(cstring_to_text("EXECUTE")))))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FUNCTION, get_func_name(function));
	if (!flake_may_publish())
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, "horizon");
	return flake_generator_of(format);
}

/*
 * flakeid_own_horizon(function): the instant that the function, a T_horizon(), would
 * return without the subscriptions of this database; -infinity: see flake_own_horizon().
 */
PG_FUNCTION_INFO_V1(flakeid_own_horizon);
Datum
flakeid_own_horizon(PG_FUNCTION_ARGS)
{
	int64		us = flake_own_horizon(check_function(PG_GETARG_OID(0)));

	PG_RETURN_TIMESTAMPTZ(us == PG_INT64_MIN ? DT_NOBEGIN : flake_timestamptz(us));
}
