/*
 * operate.c
 *		What the functions in backfill.sql and partitions.sql cannot do in SQL: count in a format's
 *		ticks, write to the extension's tables, and work with an owner's rights.
 */
#include "flakeid.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "executor/spi.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* Return the format of that name, or report an error. */
const FlakeFormat *
flake_format_named(const text *name)
{
	const char *format_name = text_to_cstring(name);

	for (int i = 0; i < FLAKE_FORMATS; i++)
		if (strcmp(flake_formats[i]->name, format_name) == 0)
			return flake_formats[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized type of ID: \"%s\"", format_name),
			 errdetail("The view flakeid_formats has the types.")));
	return NULL;				/* not reached */
}

/*
 * flakeid_tick_of(format, timestamptz): the tick that holds the instant.  Reports 22008
 * outside the format's span.
 */
PG_FUNCTION_INFO_V1(flakeid_tick_of);
Datum
flakeid_tick_of(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = flake_format_named(PG_GETARG_TEXT_PP(0));

	PG_RETURN_INT64((int64) flake_tick_of(&format->rate, flake_us_in_span(format, PG_GETARG_TIMESTAMPTZ(1))));
}

/* flakeid_tick_start(format, tick): the first whole microsecond of a tick. */
PG_FUNCTION_INFO_V1(flakeid_tick_start);
Datum
flakeid_tick_start(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = flake_format_named(PG_GETARG_TEXT_PP(0));
	int64		tick = PG_GETARG_INT64(1);

	if (tick < 0 || (uint64) tick > format->rate.last_tick)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("tick is out of range for type %s: " INT64_FORMAT, format->name, tick),
				 flake_span_detail(format)));
	PG_RETURN_TIMESTAMPTZ(flake_timestamptz(flake_us_of(&format->rate, (uint64) tick)));
}

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
 * Report 42501 unless the caller has the rights of the role or, if that is InvalidOid,
 * of the database's owner.
 */
static void
check_rights(Oid role, const char *schema, const char *name)
{
	if (OidIsValid(role) ? has_privs_of_role(GetUserId(), role)
		: has_privs_of_role(GetUserId(), ROLE_PG_DATABASE_OWNER))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 OidIsValid(role) ? errmsg("must be owner of table %s", name)
			 : errmsg("must be owner of the database to forget a table that does not exist"),
			 errdetail("The table is \"%s.%s\".", schema, name)));
}

/*
 * Run a query with the rights of "role".  An error needs no clean-up here: the end of the
 * (sub)transaction sets the role back.  The SQL functions that come here have set
 * search_path, so that the query finds nobody's operators but core's.
 */
static void
run_as(Oid role, int context, const char *query, int count, Oid *types, Datum *values)
{
	Oid			caller;
	int			caller_context;

	GetUserIdAndSecContext(&caller, &caller_context);
	SetUserIdAndSecContext(role, caller_context | context);
	SPI_connect();
	if (SPI_execute_with_args(query, count, types, values, NULL, false, 0) < 0)
		elog(ERROR, "could not run \"%s\"", query);
	SPI_finish();
	SetUserIdAndSecContext(caller, caller_context);
}

/*
 * Replace the rows about the relation "schema"."name" in a table of the extension by
 * "entry", or remove them if "entry" is empty.  The caller needs no rights on that table,
 * but must own the relation, or the database if the relation does not exist.
 */
static void
put(FunctionCallInfo fcinfo, const char *table, const char *removal, const char *addition)
{
	Oid			home = get_namespace_oid("_flakeid", false);
	char	   *schema = text_to_cstring(PG_GETARG_TEXT_PP(0));
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(1));
	Oid			namespace = get_namespace_oid(schema, true);
	Oid			relation = OidIsValid(namespace) ? get_relname_relid(name, namespace) : InvalidOid;
	Oid			types[] = {TEXTOID, TEXTOID, JSONBOID};
	Datum		values[] = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), PG_GETARG_DATUM(2)};
	Oid			keeper = owner_of(get_relname_relid(table, home));

	check_rights(owner_of(relation), schema, name);
	run_as(keeper, SECURITY_LOCAL_USERID_CHANGE, removal, 3, types, values);
	run_as(keeper, SECURITY_LOCAL_USERID_CHANGE, addition, 3, types, values);
}

/* flakeid_put_backfill(schema, name, entry): note how far the backfill of a column has got. */
PG_FUNCTION_INFO_V1(flakeid_put_backfill);
Datum
flakeid_put_backfill(PG_FUNCTION_ARGS)
{
	put(fcinfo, "backfill",
		"DELETE FROM _flakeid.backfill WHERE schema = $1 AND name = $2 AND id_column = $3->>'id_column'",
		"INSERT INTO _flakeid.backfill SELECT r.* FROM pg_catalog.jsonb_populate_record(NULL::_flakeid.backfill,"
		" $3 || pg_catalog.jsonb_build_object('schema', $1, 'name', $2)) AS r");
	PG_RETURN_VOID();
}

/* flakeid_put_keep(schema, name, entry): replace what flakeid_keep() has stored about a table. */
PG_FUNCTION_INFO_V1(flakeid_put_keep);
Datum
flakeid_put_keep(PG_FUNCTION_ARGS)
{
	put(fcinfo, "keep",
		"DELETE FROM _flakeid.keep WHERE schema = $1 AND name = $2",
		"INSERT INTO _flakeid.keep SELECT r.* FROM pg_catalog.jsonb_populate_record(NULL::_flakeid.keep,"
		" $3 || pg_catalog.jsonb_build_object('schema', $1, 'name', $2)) AS r WHERE $3 <> '{}'");
	PG_RETURN_VOID();
}

/*
 * flakeid_keep_as_owner(parent): flakeid_keep_now(parent) with the rights of the table's
 * owner, whoever calls, as VACUUM does: what the owner has put into the table, such as a
 * function in a constraint, must not run with a superuser's rights.
 */
PG_FUNCTION_INFO_V1(flakeid_keep_as_owner);
Datum
flakeid_keep_as_owner(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	Oid			types[] = {REGCLASSOID};
	Datum		values[] = {ObjectIdGetDatum(relation)};
	Oid			owner = owner_of(relation);
	char	   *home = get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid));

	if (!OidIsValid(owner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table with OID %u does not exist", relation)));
	check_rights(owner, get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation));
	run_as(owner, SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION,
		   psprintf("SELECT %s.flakeid_keep_now($1)", quote_identifier(home)), 1, types, values);
	PG_RETURN_VOID();
}

/* flakeid_library_layout(): the layout of shared memory that this library makes. */
PG_FUNCTION_INFO_V1(flakeid_library_layout);
Datum
flakeid_library_layout(PG_FUNCTION_ARGS pg_attribute_unused())
{
	PG_RETURN_INT32(FLAKE_LAYOUT);
}

/* flakeid_release(): the release that this library is of, which the version leaves open. */
PG_FUNCTION_INFO_V1(flakeid_release);
Datum
flakeid_release(PG_FUNCTION_ARGS pg_attribute_unused())
{
	PG_RETURN_TEXT_P(cstring_to_text(FLAKE_RELEASE));
}

/* flakeid_library_version(): the version that this library was built as. */
PG_FUNCTION_INFO_V1(flakeid_library_version);
Datum
flakeid_library_version(PG_FUNCTION_ARGS pg_attribute_unused())
{
	PG_RETURN_TEXT_P(cstring_to_text(FLAKE_VERSION));
}
