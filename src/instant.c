/*
 * instant.c
 *		What the planner makes of conditions on the instant of an ID.
 *
 * A function that takes the time out of an ID, such as uuid7_timestamp(uuid), returns
 * the domain flakeid_instant.  The comparisons of this domain are core's own functions
 * with a support function of ours, which looks at the argument.  If it is a call of such
 * a function, then
 *
 *		uuid7_timestamp(id) >= t	becomes		id >= uuid7_from(t) AND is_uuid7(id)
 *
 * by the operator of the column's own type, so that its indexes, partitions and foreign
 * servers answer it as any other condition.  What stands in the place of t, and that both
 * forms are true of the same rows, says layout.c.  IDs of our own types are compared with
 * the instant itself, as support.c explains.
 *
 * Where there is no such call the comparison becomes core's for timestamptz, which is what
 * an index on a column of the domain knows.  Not so while the planner may still put
 * a call in the place of an argument: it asks again when it has.
 *
 * A constant t is replaced by its bound here, because the planner prunes and estimates by
 * constants and does not fold what a support function returns.
 */
#include "flakeid.h"

#include "access/stratnum.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_language.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "layout.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/* A constant multirange of more ranges is searched as one range and then filtered. */
#define MAX_RANGES	16

/* ---------- which functions take the time out of an ID ---------- */

/* Of a type that is not ours: see layout.c. */
typedef struct BoundKind
{
	PGFunction	instant;
	Oid			type;
	int16		typlen;
	bool		typbyval;
	const char *from_name;
	PGFunction	from;
	const char *upto_name;
	PGFunction	upto;
	const char *filter_name;	/* true for IDs that have an instant, else NULL; no name: all have */
} BoundKind;

static const BoundKind bound_kinds[] = {
	{uuid7_timestamp, UUIDOID, 16, false, "uuid7_from", uuid7_from, "uuid7_upto", uuid7_upto, "is_uuid7"},
	{layout_timestamp, INT8OID, 8, FLOAT8PASSBYVAL, "layout_from", layout_from, "layout_upto", layout_upto, NULL},
	{ulid_timestamp_text, TEXTOID, -1, false, "ulid_text_from", ulid_text_from, "ulid_text_upto", ulid_text_upto, NULL},
	{ulid_timestamp_uuid, UUIDOID, 16, false, "ulid_uuid_from", ulid_uuid_from, "ulid_uuid_upto", ulid_uuid_upto, NULL},
	{ulid_timestamp_bytea, BYTEAOID, -1, false, "ulid_bytea_from", ulid_bytea_from, "ulid_bytea_upto", ulid_bytea_upto, NULL},
};

extern PGDLLEXPORT Datum flakeid_next_instant(PG_FUNCTION_ARGS);

/*
 * Of our own types.  (That of a type that does not sort by time returns no
 * flakeid_instant, and is never asked for.)
 */
#define FLAKE_FORMAT(id, name)	extern PGDLLEXPORT Datum name##_timestamp(PG_FUNCTION_ARGS);
#include "formatlist.h"
#undef FLAKE_FORMAT

static const PGFunction own_instants[] = {
#define FLAKE_FORMAT(id, name)	name##_timestamp,
#include "formatlist.h"
#undef FLAKE_FORMAT
};

typedef enum SourceKind
{
	SOURCE_NONE,				/* the function has nothing to do with IDs */
	SOURCE_BOUNDS,				/* an ID of another type */
	SOURCE_OWN,					/* an ID of ours */
	SOURCE_INSTANT				/* no function: an instant is compared as it is */
} SourceKind;

/* What is known of a function, by its OID. */
typedef struct Source
{
	Oid			function;		/* key */
	SourceKind	kind;
	const BoundKind *bounds;
	Oid			from;
	Oid			upto;
	Oid			filter;
	Oid			next;			/* flakeid_next_instant(), for our own types */
	Oid			operators[BTMaxStrategyNumber + 1]; /* by strategy */
} Source;

static HTAB *sources;
static uint64 sources_version;	/* how often they were forgotten */

static void
forget_sources(Datum arg pg_attribute_unused(), int cache pg_attribute_unused(),
			   uint32 hash pg_attribute_unused())
{
	HASH_SEQ_STATUS status;
	Source	   *source;

	sources_version++;
	hash_seq_init(&status, sources);
	while ((source = hash_seq_search(&status)) != NULL)
		hash_search(sources, &source->function, HASH_REMOVE, NULL);
}

/* The function of this name, with these arguments, in a schema; InvalidOid if there is none. */
static Oid
find_function(const char *name, Oid schema, int nargs, const Oid *types)
{
	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(name),
						   PointerGetDatum(buildoidvector(types, nargs)),
						   ObjectIdGetDatum(schema));
}

/*
 * The C function behind an SQL function, if that is written in C and ours or, which does no
 * harm, some other library's; NULL otherwise.  Ours are known by it, whatever their schema.
 */
static PGFunction
c_function(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;
	FmgrInfo	info;
	bool		ours;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	ours = form->prolang == ClanguageId && form->prorettype != TIMESTAMPTZOID &&
		form->proisstrict && !form->prosecdef && !form->proretset;
	ReleaseSysCache(tuple);
	if (!ours || getBaseType(get_func_rettype(function)) != TIMESTAMPTZOID)
		return NULL;
	fmgr_info(function, &info);
	return info.fn_addr;
}

static void
describe_bounds(Source *source, const BoundKind *bounds, int nargs)
{
	Oid			schema = get_func_namespace(source->function);
	Oid			family = lookup_type_cache(bounds->type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	const Oid	types[] = {TIMESTAMPTZOID, TEXTOID};
	Oid			op = InvalidOid;

	source->bounds = bounds;
	source->from = find_function(bounds->from_name, schema, nargs, types);
	source->upto = find_function(bounds->upto_name, schema, nargs, types);
	source->filter = bounds->filter_name == NULL ? InvalidOid :
		find_function(bounds->filter_name, schema, 1, &bounds->type);
	for (int strategy = 1; strategy <= BTMaxStrategyNumber; strategy++)
		source->operators[strategy] = op =
			get_opfamily_member(family, bounds->type, bounds->type, strategy);
	if (OidIsValid(source->from) && OidIsValid(source->upto) && OidIsValid(op) &&
		(bounds->filter_name == NULL || OidIsValid(source->filter)))
		source->kind = SOURCE_BOUNDS;
}

static void
describe_own(Source *source, Oid type)
{
	Oid			schema = get_func_namespace(source->function);
	Oid			family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	const Oid	types[] = {TIMESTAMPTZOID};

	/* the two that indexes and pruning know; the others become one of these */
	source->operators[BTLessStrategyNumber] =
		get_opfamily_member(family, type, TIMESTAMPTZOID, BTLessStrategyNumber);
	source->operators[BTGreaterEqualStrategyNumber] =
		get_opfamily_member(family, type, TIMESTAMPTZOID, BTGreaterEqualStrategyNumber);
	source->next = find_function("flakeid_next_instant", schema, 1, types);
	if (OidIsValid(source->operators[BTLessStrategyNumber]) &&
		OidIsValid(source->operators[BTGreaterEqualStrategyNumber]) && OidIsValid(source->next))
		source->kind = SOURCE_OWN;
}

/* Find out what a function is, in source, whose kind is SOURCE_NONE so far. */
static void
describe(Source *source)
{
	PGFunction	function = c_function(source->function);
	Oid		   *types;
	int			nargs;

	if (function == NULL)
		return;
	get_func_signature(source->function, &types, &nargs);
	for (size_t i = 0; i < lengthof(bound_kinds); i++)
		if (function == bound_kinds[i].instant && nargs > 0 && types[0] == bound_kinds[i].type)
			describe_bounds(source, &bound_kinds[i], nargs);
	for (size_t i = 0; i < lengthof(own_instants); i++)
		if (function == own_instants[i] && nargs == 1)
			describe_own(source, types[0]);
}

/*
 * What is known of a function.  The answer is kept until any function changes: looking
 * names up takes longer than all the rest of planning a condition.
 */
static Source
find_source(Oid function)
{
	Source		result = {.function = function, .kind = SOURCE_NONE};
	Source	   *known;
	uint64		version;

	if (sources == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(Oid), .entrysize = sizeof(Source)};

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

/* ---------- expressions ---------- */

/*
 * Is what a PlaceHolderVar holds NULL where an outer join makes the columns of its
 * relations NULL?  Columns from beside them, which LATERAL lets in, are not.
 */
static bool
null_with_relations(const PlaceHolderVar *phv)
{
	ListCell   *cell;

	if (contain_nonstrict_functions((Node *) phv->phexpr))
		return false;
	foreach(cell, pull_vars_of_level((Node *) phv->phexpr, 0))
	{
		Node	   *node = lfirst(cell);

		if (IsA(node, Var) ? bms_is_member(((Var *) node)->varno, phv->phrels) :
			bms_is_subset(((PlaceHolderVar *) node)->phrels, phv->phrels))
			return true;
	}
	return false;
}

/*
 * What an expression is below what does not change its value: a domain's name, and
 * a PlaceHolderVar that no outer join makes NULL.
 */
static Node *
strip(Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, PlaceHolderVar))
		{
			PlaceHolderVar *phv = (PlaceHolderVar *) node;
			bool		with_relations pg_attribute_unused() = null_with_relations(phv);

			if (!flake_placeholder_transparent(phv, with_relations))
				return node;
			node = (Node *) phv->phexpr;
		}
		else
			return node;
	}
}

/* The same expression, but of the base type of its domain. */
static Node *
without_domain(Node *node)
{
	Oid			type = exprType(node);
	Oid			base;

	node = copyObject(node);
	if (type == TIMESTAMPTZOID || type == TIMESTAMPOID || type == DATEOID ||
		(base = getBaseType(type)) == type)
		return node;
	if (IsA(node, RelabelType) && exprType((Node *) ((RelabelType *) node)->arg) == base)
		return (Node *) ((RelabelType *) node)->arg;
	if (IsA(node, Const))
	{
		((Const *) node)->consttype = base;
		return node;
	}
	return (Node *) makeRelabelType((Expr *) node, base, -1, InvalidOid, COERCE_IMPLICIT_CAST);
}

static Node *
instant_constant(TimestampTz t)
{
	return (Node *) makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
							  TimestampTzGetDatum(t), false, FLOAT8PASSBYVAL);
}

static Node *
call(Oid function, Oid result, List *args)
{
	return (Node *) makeFuncExpr(function, result, args,
								 result == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

/* A call of one of the extension's helpers; NULL if the SQL is older than the library. */
static Node *
helper(Oid schema, const char *name, Oid type, Oid result, Node *arg)
{
	Oid			function = find_function(name, schema, 1, &type);

	if (!OidIsValid(function))
		return NULL;
	return call(function, result, list_make1(arg));
}

/* The other side of a comparison as a timestamptz; NULL if there is no way. */
static Node *
as_instant(Oid schema, Node *node)
{
	node = without_domain(node);
	switch (exprType(node))
	{
		case TIMESTAMPTZOID:
			return node;
		case DATEOID:
			return helper(schema, "flakeid_date_instant", DATEOID, TIMESTAMPTZOID, node);
		case TIMESTAMPOID:
			return helper(schema, "flakeid_timestamp_instant", TIMESTAMPOID, TIMESTAMPTZOID, node);
		default:
			return NULL;
	}
}

static bool
is_constant(Node *node)
{
	return IsA(node, Const) && !((Const *) node)->constisnull;
}

/*
 * May the planner still put another expression in the place of this one?  Then it
 * simplifies the condition again, and what is a column now may be a call that has
 * an ID.
 */
static bool
undecided(PlannerInfo *root, Node *node)
{
	Oid			type = exprType(node);

	if (type == TIMESTAMPTZOID || type == TIMESTAMPOID || type == DATEOID)
		return false;
	node = strip(node);
	if (IsA(node, PlaceHolderVar))
		return true;
	if (IsA(node, Var) && root != NULL)
	{
		Var		   *var = (Var *) node;

		if (var->varlevelsup > 0)
			return true;
		if (var->varno > 0 && (int) var->varno <= list_length(root->parse->rtable))
			return flake_stands_for_expressions(rt_fetch(var->varno, root->parse->rtable));
	}
	return false;
}

/* ---------- comparisons ---------- */

/* An instant, or the ID that it is in, on one side of a comparison. */
typedef struct Side
{
	Source		source;
	Node	   *expr;			/* the ID, or the instant itself */
	Node	   *layout;			/* second argument of the function; NULL if it has none */
} Side;

static bool
contains_call(Node *node, Oid *function)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcid == *function)
		return true;
	return flake_walk(node, contains_call, function);
}

/*
 * Is what a function answers in a column of grouping sets?  Then that is NULL in the
 * groups without it, and the ID that it comes from is not.
 */
static bool
in_grouping_sets(PlannerInfo *root, Oid function)
{
	ListCell   *cell;

	if (root == NULL || root->parse->groupingSets == NIL)
		return false;
	foreach(cell, root->parse->groupClause)
		if (contains_call(get_sortgroupclause_expr(lfirst(cell), root->parse->targetList), &function))
			return true;
	return false;
}

/* Is the expression an instant taken out of an ID? */
static bool
is_of_id(PlannerInfo *root, Node *node, Side *side)
{
	FuncExpr   *function;

	node = strip(node);
	if (!IsA(node, FuncExpr))
		return false;
	function = (FuncExpr *) node;
	side->source = find_source(function->funcid);
	if (side->source.kind == SOURCE_NONE || in_grouping_sets(root, function->funcid))
		return false;
	side->expr = linitial(function->args);
	side->layout = list_length(function->args) > 1 ? lsecond(function->args) : NULL;
	/* an ID of another kind is asked twice: where it begins, and what it is */
	return !OidIsValid(side->source.filter) || flake_may_repeat(root, side->expr);
}

static void
is_instant(Node *node, Side *side)
{
	memset(side, 0, sizeof(Side));
	side->source.kind = SOURCE_INSTANT;
	side->expr = node;
}

static Node *
operation(Oid operator, Node *left, Node *right, Oid collation)
{
	OpExpr	   *clause = (OpExpr *) make_opclause(operator, BOOLOID, false, (Expr *) left,
												  (Expr *) right, InvalidOid, collation);

	set_opfuncid(clause);
	return (Node *) clause;
}

/* An ID that is not ours, compared with the bound that stands for an instant. */
static Node *
compare_bound(const Side *side, int strategy, Node *time)
{
	const BoundKind *kind = side->source.bounds;
	bool		upto = strategy == BTLessEqualStrategyNumber || strategy == BTGreaterStrategyNumber;
	Node	   *id = copyObject(side->expr);
	Oid			collation = InvalidOid;
	Node	   *bound;

	if (kind->type == TEXTOID)
	{
		/*
		 * The order of ULIDs is that of bytes, and so must be the comparison's.  (The bound
		 * has the default collation, as literals have, or no foreign server is asked.)
		 */
		collation = exprCollation(id);
		if (!OidIsValid(collation) || !flake_collates_bytes(collation))
		{
			collation = C_COLLATION_OID;
			id = (Node *) makeRelabelType((Expr *) id, TEXTOID, -1, collation, COERCE_EXPLICIT_CAST);
		}
	}
	if (is_constant(time) && (side->layout == NULL || is_constant(side->layout)))
		bound = (Node *)
			makeConst(kind->type, -1, kind->type == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid, kind->typlen,
					  DirectFunctionCall2(upto ? kind->upto : kind->from,
										  ((Const *) time)->constvalue,
										  side->layout ? ((Const *) side->layout)->constvalue : (Datum) 0),
					  false, kind->typbyval);
	else
	{
		List	   *args = list_make1(time);

		if (side->layout != NULL)
			args = lappend(args, copyObject(side->layout));
		bound = call(upto ? side->source.upto : side->source.from, kind->type, args);
		if (side->layout != NULL)
			((FuncExpr *) bound)->inputcollid = exprCollation(side->layout);
	}
	return operation(side->source.operators[strategy], id, bound, collation);
}

/* An ID of ours compared with an instant, by one of the two operators that the index knows. */
static Node *
compare_own(const Side *side, int strategy, Node *time)
{
	bool		next = strategy == BTLessEqualStrategyNumber || strategy == BTGreaterStrategyNumber;

	if (next && is_constant(time))
		time = instant_constant(DatumGetTimestampTz(
								DirectFunctionCall1(flakeid_next_instant, ((Const *) time)->constvalue)));
	else if (next)
		time = call(side->source.next, TIMESTAMPTZOID, list_make1(time));
	strategy = strategy <= BTLessEqualStrategyNumber ? BTLessStrategyNumber : BTGreaterEqualStrategyNumber;
	return operation(side->source.operators[strategy], copyObject(side->expr), time, InvalidOid);
}

/* Core's comparison of two instants, dates or timestamps; NULL if there is none. */
static Node *
compare_instants(Node *left, int strategy, Node *right)
{
	Oid			family = lookup_type_cache(TIMESTAMPTZOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator;

	left = without_domain(left);
	right = without_domain(right);
	operator = get_opfamily_member(family, exprType(left), exprType(right), strategy);
	return OidIsValid(operator) ? operation(operator, left, right, InvalidOid) : NULL;
}

/* A side compared with a timestamptz, but for the filter. */
static Node *
compare(const Side *side, int strategy, Node *time)
{
	switch (side->source.kind)
	{
		case SOURCE_BOUNDS:
			return compare_bound(side, strategy, time);
		case SOURCE_OWN:
			return compare_own(side, strategy, time);
		default:
			return compare_instants(side->expr, strategy, time);
	}
}

/*
 * Both conditions, without an AND below the AND.  What a child of an append relation is
 * asked the planner does not flatten once more, and it looks there for the indexes of
 * an OR as if it had: an AND too many would be taken for something else.
 */
static Node *
both(Node *left, Node *right)
{
	return (Node *) make_andclause(list_concat_copy(make_ands_implicit((Expr *) left),
													make_ands_implicit((Expr *) right)));
}

/* A condition on a side, with the filter that its IDs need. */
static Node *
filtered(const Side *side, Node *condition)
{
	Node	   *filter;

	if (condition == NULL || !OidIsValid(side->source.filter))
		return condition;
	filter = call(side->source.filter, BOOLOID, list_make1(copyObject(side->expr)));
	return both(condition, filter);
}

/* What becomes of "left op right", of which one is a flakeid_instant; NULL: nothing. */
static Node *
simplify_comparison(Node *request, int strategy)
{
	static const int mirrored[] = {
		0, BTGreaterStrategyNumber, BTGreaterEqualStrategyNumber, 0,
		BTLessEqualStrategyNumber, BTLessStrategyNumber
	};
	PlannerInfo *root;
	FuncExpr   *function;
	Node	   *left;
	Node	   *right;
	Node	   *time;
	Side		side;

	if (!IsA(request, SupportRequestSimplify))
		return NULL;
	root = ((SupportRequestSimplify *) request)->root;
	function = ((SupportRequestSimplify *) request)->fcall;
	if (list_length(function->args) != 2)
		return NULL;
	left = linitial(function->args);
	right = lsecond(function->args);
	if (is_of_id(root, left, &side))
	{
		time = as_instant(get_func_namespace(function->funcid), right);
		return time == NULL ? NULL : filtered(&side, compare(&side, strategy, time));
	}
	if (is_of_id(root, right, &side))
	{
		time = as_instant(get_func_namespace(function->funcid), left);
		return time == NULL ? NULL : filtered(&side, compare(&side, mirrored[strategy], time));
	}
	if (undecided(root, left) || undecided(root, right))
		return NULL;
	return compare_instants(left, strategy, right);
}

PG_FUNCTION_INFO_V1(flakeid_instant_lt_support);
Datum
flakeid_instant_lt_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTLessStrategyNumber));
}

PG_FUNCTION_INFO_V1(flakeid_instant_le_support);
Datum
flakeid_instant_le_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTLessEqualStrategyNumber));
}

PG_FUNCTION_INFO_V1(flakeid_instant_ge_support);
Datum
flakeid_instant_ge_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTGreaterEqualStrategyNumber));
}

PG_FUNCTION_INFO_V1(flakeid_instant_gt_support);
Datum
flakeid_instant_gt_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_comparison((Node *) PG_GETARG_POINTER(0), BTGreaterStrategyNumber));
}

/*
 * The filter that stands beside a condition on version 7 UUIDs is true of all rows, as
 * far as the planner is concerned, and as cheap as a comparison.
 */
PG_FUNCTION_INFO_V1(is_uuid7_support);
Datum
is_uuid7_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
	{
		((SupportRequestSelectivity *) request)->selectivity = 1.0;
		PG_RETURN_POINTER(request);
	}
	if (IsA(request, SupportRequestCost))
	{
		((SupportRequestCost *) request)->startup = 0;
		((SupportRequestCost *) request)->per_tuple = cpu_operator_cost;
		PG_RETURN_POINTER(request);
	}
	PG_RETURN_POINTER(NULL);
}

/* ---------- dates and timestamps ---------- */

/*
 * A date or timestamp as an instant.  Core compares those that no timestamptz reaches;
 * a cast would be an error.  They become the first or last finite instant, which no ID
 * has, so that they compare the same with IDs.
 */
static Datum
saturated(PGFunction compare_with, PGFunction cast, Datum value)
{
	if (DatumGetInt32(DirectFunctionCall2(compare_with, value, TimestampTzGetDatum(MIN_TIMESTAMP))) <= 0)
		return TimestampTzGetDatum(MIN_TIMESTAMP);
	if (DatumGetInt32(DirectFunctionCall2(compare_with, value, TimestampTzGetDatum(END_TIMESTAMP - 1))) >= 0)
		return TimestampTzGetDatum(END_TIMESTAMP - 1);
	return DirectFunctionCall1(cast, value);
}

PG_FUNCTION_INFO_V1(flakeid_date_instant);
Datum
flakeid_date_instant(PG_FUNCTION_ARGS)
{
	DateADT		date = PG_GETARG_DATEADT(0);

	if (DATE_NOT_FINITE(date))
		PG_RETURN_TIMESTAMPTZ(DATE_IS_NOBEGIN(date) ? DT_NOBEGIN : DT_NOEND);
	return saturated(date_cmp_timestamptz, date_timestamptz, DateADTGetDatum(date));
}

PG_FUNCTION_INFO_V1(flakeid_timestamp_instant);
Datum
flakeid_timestamp_instant(PG_FUNCTION_ARGS)
{
	Timestamp	timestamp = PG_GETARG_TIMESTAMP(0);

	if (TIMESTAMP_NOT_FINITE(timestamp))
		PG_RETURN_TIMESTAMPTZ(timestamp);
	return saturated(timestamp_cmp_timestamptz, timestamp_timestamptz, TimestampGetDatum(timestamp));
}

/* ---------- ranges ---------- */

/*
 * The first and the last instant in a range, infinities included, since the instants of
 * bigints can be infinite; infinity and -infinity if it has none.
 */
static void
range_ends(RangeType *range, TimestampTz *first, TimestampTz *last)
{
	TypeCacheEntry *type = lookup_type_cache(RangeTypeGetOid(range), TYPECACHE_RANGE_INFO);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(type, range, &lower, &upper, &empty);
	if (!empty)
	{
		*first = lower.infinite ? DT_NOBEGIN : DatumGetTimestampTz(lower.val);
		*last = upper.infinite ? DT_NOEND : DatumGetTimestampTz(upper.val);
		if (!lower.infinite && !lower.inclusive)
		{
			empty = TIMESTAMP_IS_NOEND(*first);
			*first = TIMESTAMP_IS_NOBEGIN(*first) ? MIN_TIMESTAMP :
				*first < END_TIMESTAMP - 1 ? *first + 1 : DT_NOEND;
		}
		if (!upper.infinite && !upper.inclusive)
		{
			empty = empty || TIMESTAMP_IS_NOBEGIN(*last);
			*last = TIMESTAMP_IS_NOEND(*last) ? END_TIMESTAMP - 1 :
				*last > MIN_TIMESTAMP ? *last - 1 : DT_NOBEGIN;
		}
	}
	if (empty)
	{
		*first = DT_NOEND;
		*last = DT_NOBEGIN;
	}
}

PG_FUNCTION_INFO_V1(flakeid_range_first);
Datum
flakeid_range_first(PG_FUNCTION_ARGS)
{
	TimestampTz first;
	TimestampTz last;

	range_ends(PG_GETARG_RANGE_P(0), &first, &last);
	PG_RETURN_TIMESTAMPTZ(first);
}

PG_FUNCTION_INFO_V1(flakeid_range_last);
Datum
flakeid_range_last(PG_FUNCTION_ARGS)
{
	TimestampTz first;
	TimestampTz last;

	range_ends(PG_GETARG_RANGE_P(0), &first, &last);
	PG_RETURN_TIMESTAMPTZ(last);
}

PG_FUNCTION_INFO_V1(flakeid_within_tstzrange);
Datum
flakeid_within_tstzrange(PG_FUNCTION_ARGS)
{
	RangeType  *range = PG_GETARG_RANGE_P(1);
	TypeCacheEntry *type = lookup_type_cache(RangeTypeGetOid(range), TYPECACHE_RANGE_INFO);

	PG_RETURN_BOOL(range_contains_elem_internal(type, range, PG_GETARG_DATUM(0)));
}

PG_FUNCTION_INFO_V1(flakeid_within_tstzmultirange);
Datum
flakeid_within_tstzmultirange(PG_FUNCTION_ARGS)
{
	MultirangeType *ranges = PG_GETARG_MULTIRANGE_P(1);
	TypeCacheEntry *type = lookup_type_cache(MultirangeTypeGetOid(ranges), TYPECACHE_MULTIRANGE_INFO);

	PG_RETURN_BOOL(multirange_contains_elem_internal(type->rngtype, ranges, PG_GETARG_DATUM(0)));
}

/* A side between two instants, but for the filter. */
static Node *
between(const Side *side, Node *first, Node *last)
{
	Node	   *lower = compare(side, BTGreaterEqualStrategyNumber, first);
	Node	   *upper = compare(side, BTLessEqualStrategyNumber, last);

	if (lower == NULL || upper == NULL)
		return NULL;
	return both(lower, upper);
}

/* A side within a constant range: without the end that is open. */
static Node *
within_constant(const Side *side, RangeType *range)
{
	TimestampTz first;
	TimestampTz last;

	range_ends(range, &first, &last);
	if (TIMESTAMP_IS_NOEND(last))
		return compare(side, BTGreaterEqualStrategyNumber, instant_constant(first));
	if (TIMESTAMP_IS_NOBEGIN(first))
		return compare(side, BTLessEqualStrategyNumber, instant_constant(last));
	return between(side, instant_constant(first), instant_constant(last));
}

/* A side within some ranges that are constant: within one or another of them. */
static Node *
within_any(const Side *side, MultirangeType *ranges)
{
	TypeCacheEntry *type = lookup_type_cache(MultirangeTypeGetOid(ranges), TYPECACHE_MULTIRANGE_INFO);
	List	   *conditions = NIL;

	for (uint32 i = 0; i < ranges->rangeCount; i++)
		conditions = lappend(conditions,
							 within_constant(side, multirange_get_range(type->rngtype, ranges, i)));
	if (conditions == NIL)
		return within_constant(side, make_empty_range(type->rngtype));
	return list_length(conditions) == 1 ? linitial(conditions) : (Node *) make_orclause(conditions);
}

/*
 * flakeid_within(instant, range or ranges) as comparisons.  Many ranges, and those that
 * are not constant, are looked for from the first to the last one and then asked for the
 * instant by core's function, which the planner does not bring back here.
 */
static Node *
simplify_within(Node *request)
{
	PlannerInfo *root;
	FuncExpr   *function;
	Node	   *instant;
	Node	   *range;
	Node	   *recheck = NULL;
	Node	   *condition;
	Oid			schema;
	Side		side;

	if (!IsA(request, SupportRequestSimplify))
		return NULL;
	root = ((SupportRequestSimplify *) request)->root;
	function = ((SupportRequestSimplify *) request)->fcall;
	if (list_length(function->args) != 2)
		return NULL;
	instant = linitial(function->args);
	range = lsecond(function->args);
	if (exprType(range) != TSTZRANGEOID && exprType(range) != TSTZMULTIRANGEOID)
		return NULL;			/* some other function that a superuser tied to this */
	if (!is_of_id(root, instant, &side))
	{
		if (undecided(root, instant))
			return NULL;
		is_instant(instant, &side);
	}
	if (!flake_may_repeat(root, side.expr))
		return NULL;
	if (is_constant(range) && exprType(range) == TSTZRANGEOID)
		return filtered(&side, within_constant(&side, DatumGetRangeTypeP(((Const *) range)->constvalue)));
	if (is_constant(range) &&
		DatumGetMultirangeTypeP(((Const *) range)->constvalue)->rangeCount <= MAX_RANGES)
		return filtered(&side, within_any(&side, DatumGetMultirangeTypeP(((Const *) range)->constvalue)));

	/* a range from elsewhere in the query is worth two looks */
	if (contain_volatile_functions(range) ||
		(contain_subplans(range) && contain_vars_of_level(range, 0)))
		return NULL;
	range = copyObject(range);
	if (exprType(range) != TSTZRANGEOID)
	{
		recheck = operation(OID_MULTIRANGE_ELEM_CONTAINED_OP, without_domain(instant),
							copyObject(range), InvalidOid);
		range = call(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, list_make1(range));
		if (is_constant(linitial(((FuncExpr *) range)->args)))
			range = eval_const_expressions(NULL, range);
	}
	schema = get_func_namespace(function->funcid);
	if (is_constant(range))
		condition = within_constant(&side, DatumGetRangeTypeP(((Const *) range)->constvalue));
	else
	{
		Node	   *first = helper(schema, "flakeid_range_first", TSTZRANGEOID, TIMESTAMPTZOID, range);
		Node	   *last = helper(schema, "flakeid_range_last", TSTZRANGEOID, TIMESTAMPTZOID, copyObject(range));

		condition = first == NULL || last == NULL ? NULL : between(&side, first, last);
	}
	if (condition == NULL || recheck == NULL)
		return filtered(&side, condition);
	return both(condition, recheck);
}

PG_FUNCTION_INFO_V1(flakeid_instant_within_support);
Datum
flakeid_instant_within_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(simplify_within((Node *) PG_GETARG_POINTER(0)));
}
