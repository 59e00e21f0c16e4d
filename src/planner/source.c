/*
 * source.c
 *		The functions that return the time of an ID or show it as a text, and the operators
 *		that compare their IDs.
 *
 * bound.c asks whether a call's function is one of these, such as
 * uuid7_timestamp(uuid).  The C function decides, not the name: the extension may be in
 * any schema, and anybody may have created a function of the same name.
 */
#include "planner/planner.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/syscache.h"

/* The functions for types that are not ours: see layout.c. */
#define BOUNDS(name)	#name, name##_min, name##_max

static const FlakeBoundKind bound_kinds[] = {
	{uuid7_timestamp, BOUNDS(uuid7), UUIDOID, 16, false, "is_uuid7", NULL},
	{layout_timestamp, BOUNDS(layout), INT8OID, 8, FLOAT8PASSBYVAL, NULL, NULL},
	{ulid_timestamp_text, BOUNDS(ulid_text), TEXTOID, -1, false, "is_ulid", NULL},
	{layout_timestamp_text, BOUNDS(layout_text), TEXTOID, -1, false, "is_layout", NULL},
	{ulid_timestamp_uuid, BOUNDS(ulid_uuid), UUIDOID, 16, false, NULL, "flakeid_marker"},
	{ulid_timestamp_bytea, BOUNDS(ulid_bytea), BYTEAOID, -1, false, NULL, NULL},
};

/*
 * The functions for our own types.  (A type that does not sort by time has one, too.)
 */
#define FLAKE_FORMAT(id, name)	extern PGDLLEXPORT Datum name##_timestamp(PG_FUNCTION_ARGS);
#include "types/formatlist.h"
#undef FLAKE_FORMAT

static const PGFunction own_instants[] = {
#define FLAKE_FORMAT(id, name)	name##_timestamp,
#include "types/formatlist.h"
#undef FLAKE_FORMAT
};

static HTAB *sources;
static uint64 sources_version;	/* how often forget_sources() was called */

static void
forget_sources(Datum arg pg_attribute_unused(), int cache pg_attribute_unused(),
			   uint32 hash pg_attribute_unused())
{
	HASH_SEQ_STATUS status;
	FlakeSource *source;

	sources_version++;
	hash_seq_init(&status, sources);
	while ((source = hash_seq_search(&status)) != NULL)
		hash_search(sources, &source->function, HASH_REMOVE, NULL);
}

/* Find the function of this name, with these arguments, in a schema; InvalidOid if there is none, or no schema. */
Oid
flake_find_function(const char *name, Oid schema, int nargs, const Oid *types)
{
	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(name),
						   PointerGetDatum(buildoidvector(types, nargs)),
						   ObjectIdGetDatum(schema));
}

/*
 * Return the schema _flakeid_functions, or InvalidOid if the schema of that name is not the
 * extension's: a superuser can rename ours, and anybody make another one.
 */
Oid
flake_helpers(void)
{
	static Oid	proved = InvalidOid;
	Oid			schema = get_namespace_oid("_flakeid_functions", true);

	if (OidIsValid(schema) && schema != proved)
	{
		if (!flake_is_own_schema(schema, "flakeid_library"))
			return InvalidOid;
		proved = schema;
	}
	return schema;
}

Node *
flake_call(Oid function, Oid result, List *args)
{
	return (Node *) makeFuncExpr(function, result, args,
								 result == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Return a call of one of our functions that plans call and no user does, by the type of its argument; NULL if there is none. */
Node *
flake_call_helper(const char *name, Oid type, Node *arg)
{
	Oid			function = flake_find_function(name, flake_helpers(), 1, &type);

	return OidIsValid(function) ? flake_call(function, get_func_rettype(function), list_make1(arg)) : NULL;
}

/* Is this the support function of an SQL function? */
bool
flake_has_support(Oid function, PGFunction support)
{
	RegProcedure found = function < FirstNormalObjectId ? InvalidOid : get_func_support(function);
	FmgrInfo	info;

	if (!OidIsValid(found))
		return false;
	fmgr_info(found, &info);
	return info.fn_addr == support;
}

/*
 * Return the C function of an SQL function that is declared like ours, else NULL.  It may
 * be another library's, which does no harm: it equals none of ours.
 */
static PGFunction
c_function(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;
	FmgrInfo	info;
	Oid			result;
	bool		ours;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	result = form->prorettype;
	ours = form->prolang == ClanguageId && form->proisstrict && !form->prosecdef && !form->proretset;
	ReleaseSysCache(tuple);
	if (!ours || (result != TIMESTAMPTZOID && result != TEXTOID))
		return NULL;
	fmgr_info(function, &info);
	return info.fn_addr;
}

/*
 * Describe a function that returns the time of an ID that is not ours.  Leave the kind as it is without its
 * functions in that schema; but without the extension, constants are compared by core's function, too.
 */
static void
describe_bounds(FlakeSource *source, const FlakeBoundKind *bounds, Oid schema, int nargs, Oid *types)
{
	Oid			family = lookup_type_cache(bounds->type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			any = ANYELEMENTOID;
	Oid			filter = bounds->filter_name == NULL ? InvalidOid : flake_find_function(bounds->filter_name, flake_helpers(), nargs, types);
	Oid			min;
	Oid			max;

	types[0] = TIMESTAMPTZOID;	/* in the ID's place; what follows is the same */
	min = flake_find_function(psprintf("%s_min", bounds->name), schema, nargs, types);
	max = flake_find_function(psprintf("%s_max", bounds->name), schema, nargs, types);
	if (!flake_is_core(source) && (!OidIsValid(min) || !OidIsValid(max) || (bounds->filter_name != NULL && !OidIsValid(filter))))
		return;
	source->kind = FLAKE_SOURCE_BOUNDS;
	source->bounds = bounds;
	source->min = min;
	source->max = max;
	source->filter = filter;
	if (bounds->marker_name != NULL)
		source->marker = flake_find_function(bounds->marker_name, flake_helpers(), 1, &any);
	for (int strategy = 1; strategy <= BTMaxStrategyNumber; strategy++)
		source->operators[strategy] = get_opfamily_member(family, bounds->type, bounds->type, strategy);
}

/*
 * Describe an ID of one of our types.  Its operator family's two operators with instants serve all
 * comparisons: see bound.c.  Return false if it has lost them, or the type does not sort by time.
 */
bool
flake_own_source(FlakeSource *source, Oid type)
{
	const FlakeFormat *format = type < FirstNormalObjectId ? NULL : flake_format_of_type(&type);
	Oid			family;
	Oid			before;
	Oid			since;

	if (format == NULL || !format->time_ordered)
		return false;
	family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	before = get_opfamily_member(family, type, TIMESTAMPTZOID, BTLessStrategyNumber);
	since = get_opfamily_member(family, type, TIMESTAMPTZOID, BTGreaterEqualStrategyNumber);
	if (!OidIsValid(before) || !OidIsValid(since))
		return false;
	source->kind = FLAKE_SOURCE_OWN;
	source->operators[BTLessStrategyNumber] = source->operators[BTLessEqualStrategyNumber] = before;
	source->operators[BTGreaterEqualStrategyNumber] = source->operators[BTGreaterStrategyNumber] = since;
	return true;
}

/* Describe core's function, whose times are those of uuid7_timestamp() for version 7. */
static void
describe_core(FlakeSource *source)
{
	Oid			extension = get_extension_oid("flakeid", true);
	Oid			types[] = {UUIDOID};

	describe_bounds(source, &bound_kinds[0], OidIsValid(extension) ? flake_extension_schema(extension) : InvalidOid, 1, types);
}

/* Find out what source->function is; leave the kind FLAKE_SOURCE_NONE if it is none of these. */
static void
describe(FlakeSource *source)
{
	PGFunction	function;
	Oid		   *types;
	int			nargs;

	if (flake_is_core(source))
	{
		describe_core(source);
		return;
	}
	function = c_function(source->function);
	if (function == NULL)
		return;
	get_func_signature(source->function, &types, &nargs);
	for (size_t i = 0; i < lengthof(bound_kinds); i++)
		if (function == bound_kinds[i].instant && nargs > 0 && types[0] == bound_kinds[i].type)
			describe_bounds(source, &bound_kinds[i], get_func_namespace(source->function), nargs, types);
	for (size_t i = 0; i < lengthof(own_instants); i++)
		if (function == own_instants[i] && nargs == 1)
			flake_own_source(source, types[0]);
	if (function == typeid && nargs == 2 && types[0] == UUIDOID && types[1] == TEXTOID)
	{
		types[0] = TEXTOID;
		source->match = flake_find_function("typeid_match", flake_helpers(), nargs, types);
		if (OidIsValid(source->match))
			source->kind = FLAKE_SOURCE_SHOWN;
	}
}

/*
 * Say what a function is.  The answer is kept until any function changes, because looking
 * names up takes longer than all the rest of planning a condition.
 */
FlakeSource
flake_find_source(Oid function)
{
	FlakeSource result = {.function = function, .kind = FLAKE_SOURCE_NONE};
	FlakeSource *known;
	uint64		version;

	if (sources == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(Oid), .entrysize = sizeof(FlakeSource)};

		sources = hash_create("flakeid functions", 16, &control, HASH_ELEM | HASH_BLOBS);
		CacheRegisterSyscacheCallback(PROCOID, forget_sources, (Datum) 0);
	}
	known = hash_search(sources, &function, HASH_FIND, NULL);
	if (known != NULL)
		return *known;
	version = sources_version;
	describe(&result);
	if (version == sources_version)
	{
		known = hash_search(sources, &function, HASH_ENTER, NULL);
		*known = result;
	}
	return result;
}

/* ---------- the queries that name one of these ---------- */

FlakeNamed *flake_named;

static void
forget_query(void *query)
{
	FlakeNamed **place = &flake_named;

	while (*place != query)
		place = &(*place)->next;
	*place = (*place)->next;
}

/*
 * Keep that a query has named one of these functions, until its planning ends.  Memory is that of
 * "glob", because a PlannerInfo of which core has filled in little else may ask: for an EXISTS, from 19 on.
 */
void
flake_name_query(PlannerInfo *root)
{
	MemoryContext context;
	FlakeNamed *query;

	if (flake_find_named(root) != NULL)
		return;
	context = GetMemoryChunkContext(root->glob);
	query = MemoryContextAllocZero(context, sizeof(FlakeNamed));
	query->query = root->glob;
	query->next = flake_named;
	query->forget.func = forget_query;
	query->forget.arg = query;
	MemoryContextRegisterResetCallback(context, &query->forget);
	flake_named = query;
}

/*
 * The support function of these functions, and of <@ of an ID of ours.  Nothing replaces the call,
 * but the query has conditions to look at: see where.c.
 */
PG_FUNCTION_INFO_V1(flakeid_instant_support);
Datum
flakeid_instant_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify) && request->root != NULL)
		flake_name_query(request->root);
	PG_RETURN_POINTER(NULL);
}
