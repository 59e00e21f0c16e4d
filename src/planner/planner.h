/*
 * planner.h
 *		What the files of this folder share; README.md says what they are.
 */
#ifndef FLAKE_PLANNER_H
#define FLAKE_PLANNER_H

#include "types/types.h"

#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#pragma GCC visibility push(hidden)

/* ---------- expression.c ---------- */

/* <> has no strategy number; it takes the one after the last. */
#define FLAKE_NOT_EQUAL		(BTMaxStrategyNumber + 1)

/* The location of a comparison that others beside it imply: its estimate is 1. */
#define FLAKE_REDUNDANT		(-2)

/*
 * That of the first and the last instant of several, right behind the OR of all: an index may be read from one
 * to the other, in its order.  They are in lists of conditions only, never below OR or NOT.
 */
#define FLAKE_END_OF_LIST	(-6)

/* That of the begin of an instant whose end is redundant: its estimate is that of one time. */
#define FLAKE_ONE_TIME		(-3)

/* Those of the start and the end of a range that is a column: together they are estimated as <@. */
#define FLAKE_RANGE_START	(-4)
#define FLAKE_RANGE_END		(-5)

/* A comparison, as "id operator other", whichever way round it is written. */
typedef struct FlakeComparison
{
	Node	   *id;
	Node	   *other;
	int			strategy;		/* the operator: BTLessStrategyNumber and so
								 * on, or FLAKE_NOT_EQUAL */
} FlakeComparison;

/* Is it id > other or id >= other? */
static inline bool
flake_is_lower_end(int strategy)
{
	return strategy == BTGreaterEqualStrategyNumber || strategy == BTGreaterStrategyNumber;
}

/* Does it divide the IDs after the other, as <= and > do, not before it? */
static inline bool
flake_divides_after(int strategy)
{
	return strategy == BTLessEqualStrategyNumber || strategy == BTGreaterStrategyNumber;
}

extern Node *flake_strip(Node *node);
extern Node *flake_strip_padding(Node *node);
extern Node *flake_without_domain(Node *node);
extern bool flake_is_constant(const Node *node);
extern bool flake_may_repeat(PlannerInfo *root, Node *expr);
extern RestrictInfo *flake_find_condition(List *conditions, const Node *clause);
extern bool flake_is_redundant(const Node *clause);
extern bool flake_is_end_of_list(const Node *clause);
extern List *flake_without_ends(const List *conditions);
extern int	flake_commuted(int strategy);
extern FlakeComparison flake_comparison(List *args, int id, int strategy);
extern Node *flake_strip_relabeling(Node *node);
extern Node *flake_operation(Oid operator, Node *left, Node *right, Oid collation);
extern Node *flake_operation_of_type(Oid type, Node *left, int strategy, Node *right);

/* ---------- source.c ---------- */

/* A function that returns the instant of an ID of a type that is not ours, and its helpers: see layout.c. */
typedef struct FlakeBoundKind
{
	PGFunction	instant;
	const char *name;			/* of NAME_min() and NAME_max() */
	PGFunction	min;
	PGFunction	max;
	Oid			type;
	int16		typlen;
	bool		typbyval;

	/*
	 * A filter that returns NULL for IDs without an instant, otherwise true.
	 * NULL: every ID has an instant.
	 */
	const char *filter_name;
	/* The filter that serves estimates only; every ID has an instant. */
	const char *marker_name;
} FlakeBoundKind;

typedef enum FlakeSourceKind
{
	FLAKE_SOURCE_NONE,			/* nothing to do with IDs */
	FLAKE_SOURCE_BOUNDS,		/* an ID of another type */
	FLAKE_SOURCE_OWN,			/* an ID of ours */
	FLAKE_SOURCE_SHOWN			/* a uuid that the function shows as a text */
} FlakeSourceKind;

/* What is known of a function, by its OID, or of an ID that is compared without one. */
typedef struct FlakeSource
{
	Oid			function;		/* key */
	FlakeSourceKind kind;
	const FlakeBoundKind *bounds;
	Oid			min;
	Oid			max;
	Oid			filter;
	Oid			marker;
	Oid			match;			/* of a text: the uuid that the function shows
								 * so */
	Oid			operators[BTMaxStrategyNumber + 1]; /* by strategy */
} FlakeSource;

/* May the function be one of these?  Nearly none is. */
static inline bool
flake_may_have_source(Oid function)
{
	return function >= FirstNormalObjectId || (OidIsValid(FLAKE_CORE_TIME) && function == FLAKE_CORE_TIME);
}

/* Is it core's uuid_extract_timestamp()?  Then version.c must have proof. */
static inline bool
flake_is_core(const FlakeSource *source)
{
	return OidIsValid(FLAKE_CORE_TIME) && source->function == FLAKE_CORE_TIME;
}

extern FlakeSource flake_find_source(Oid function);
extern bool flake_has_support(Oid function, PGFunction support);
extern bool flake_own_source(FlakeSource *source, Oid type);
extern Oid	flake_find_function(const char *name, Oid schema, int nargs, const Oid *types);

/* A query that is being planned and has named one of these functions. */
typedef struct FlakeNamed
{
	const PlannerGlobal *query;
	bool		kept;			/* there are conditions beside what implies
								 * them */
	bool		estimating;		/* conditions together: see estimate.c */
	const List *told;			/* a table's conditions whose estimates were
								 * told last ... */
	int			told_count;		/* ... and how many they were: core asks for
								 * statistics once for each arm of an OR */
	struct FlakeChange *arm;	/* of a UNION ALL, whose conditions are being
								 * changed: see where.c */
	List	   *partitioned;	/* tables that give their partitions arms of
								 * an OR */
	struct FlakeNamed *next;
	MemoryContextCallback forget;
} FlakeNamed;

/* Several, while one that is being planned has folded a function that plans others; nearly always none. */
extern FlakeNamed *flake_named;

/* Return what is kept of a query that has named one of these functions; NULL if it has not. */
static inline FlakeNamed *
flake_find_named(const PlannerInfo *root)
{
	FlakeNamed *found = flake_named;

	while (found != NULL && found->query != root->glob)
		found = found->next;
	return found;
}

extern void flake_name_query(PlannerInfo *root);
extern Oid	flake_helpers(void);
extern Node *flake_call(Oid function, Oid result, List *args);
extern Node *flake_call_helper(const char *name, Oid type, Node *arg);

/* ---------- bound.c ---------- */

/* So many instants of IN or ranges are looked up one by one.  With more, planning would take long. */
#define FLAKE_MAX_PERIODS	100

/* What is compared with an instant: an ID. */
typedef struct FlakeSubject
{
	FlakeSource source;
	Node	   *expr;			/* the ID */
	List	   *layout;			/* the other arguments of the function that
								 * returns the ID's instant */
	FuncExpr   *call;			/* of that function; NULL: the ID itself is
								 * compared */
	Oid			filter;			/* or marker, to precede conditions; or
								 * InvalidOid */
	bool		unfiltered;		/* IDs without a time are not left out by a
								 * filter */
} FlakeSubject;

/* The table whose IDs conditions are looked at for. */
typedef struct FlakePlace
{
	PlannerInfo *root;
	int			table;			/* its number in the query; 0: any */
	List	   *conditions;		/* all of which each row must satisfy */
} FlakePlace;

extern bool flake_is_here(const FlakePlace *place, Node *id);
extern bool flake_is_stored(PlannerInfo *root, Node *id);
extern bool flake_own_subject(Node *node, FlakeSubject *subject);
extern bool flake_time_subject(PlannerInfo *root, FuncExpr *call, FlakeSubject *subject);
extern Node *flake_filter_of(const FlakeSubject *subject);
extern Node *flake_bound(const FlakeSubject *subject, int strategy, const Node *time);
extern Node *flake_between(const FlakeSubject *subject, const Node *from, const Node *upto);
extern bool flake_is_range(Node *node, Oid *type);
extern Node *flake_in_periods(const FlakeSubject *subject, const FlakePeriod *periods, int count);
extern Node *flake_in_ranges(const FlakeSubject *subject, Node *range, bool *exact);
extern Node *flake_instants_in_range(const FlakeSubject *subject, const Node *range);
extern Node *flake_rewrite_comparison(SupportRequestSimplify *request, int strategy);

/* ---------- condition.c, shown.c ---------- */

/* What a condition says about an ID. */
typedef struct FlakeImplied
{
	Node	   *filter;			/* or marker, which must be true as well; or
								 * NULL */
	Node	   *condition;
	bool		exact;			/* together they are true of the same rows,
								 * otherwise of more */
	Node	   *instants;		/* the same as comparisons of the time, for
								 * partitions bounded by it; or NULL */
} FlakeImplied;

extern bool flake_implied(const FlakePlace *place, Node *clause, FlakeImplied *implied);
extern Node *flake_asked_time(const FlakePlace *place, Node *node);
extern bool flake_shown_implied(const FlakePlace *place, const OpExpr *clause, FlakeImplied *implied);
extern bool flake_shown_list_implied(const FlakePlace *place, const ScalarArrayOpExpr *clause, FlakeImplied *implied);

/* ---------- where.c ---------- */

extern void flake_where_init(void);
extern void flake_drop_condition(RelOptInfo *rel, Oid function, const List *args);
extern void flake_tell_originals(PlannerInfo *root, RelOptInfo *rel);
extern Node *flake_where_in_arm(PlannerInfo *root, Node *condition);

/* ---------- arms.c ---------- */

typedef struct FlakeArms FlakeArms;

extern Oid	flake_where_function(void);
extern void flake_give_arms(PlannerInfo *root, FlakeNamed *query, RelOptInfo *table, Oid partition);
extern void flake_take_arms(FlakeArms *arms);

/* ---------- integer.c ---------- */

extern Node *flake_rewrite_number(const FlakeComparison *comparison);
extern List *flake_index_number(SupportRequestIndexCondition *request);

/* ---------- column.c, mixed.c ---------- */

/* A point in the order of IDs: right before an ID, or right after it. */
typedef struct FlakeCut
{
	uint8		id[FLAKE_MAX_BYTES];
	bool		after;
} FlakeCut;

/* Is this ID one of those that are looked for? */
typedef bool (*FlakeBelongs) (const uint8 *id);

/*
 * An ID in a query, and its statistics.  A column of uuid or text is read as one of ULIDs:
 * their first 48 bits are milliseconds, like those of a version 7 UUID.
 */
typedef struct FlakeColumn
{
	const FlakeFormat *format;
	Oid			type;
	PlannerInfo *root;
	VariableStatData vardata;
	/* The fractions of the rows that are not null, and most common values. */
	double		nonnull;
	double		common;

	/*
	 * The values are IDs in the format's bytes, even for a column of text.
	 * The session may keep them until the next column is opened only.
	 */
	AttStatsSlot mcv;
	AttStatsSlot histogram;
	FlakeBelongs *pure;			/* all values belong by it; NULL: not known */
	/* The least and the greatest ID in the table: see actual_end(). */
	bool		looked[2];
	bool		found[2];
	uint8		end[2][FLAKE_MAX_BYTES];
} FlakeColumn;

/* A column of two kinds of IDs: those that belong, and all others. */
typedef struct FlakeMixed
{
	const FlakeColumn *column;
	FlakeBelongs belongs;
	int			count;			/* of the histogram's values that belong */
	const uint8 **ids;			/* these, between the first ID in the table
								 * that belongs and the last */
	double	   *upto;			/* the fraction of all rows up to each, of
								 * those that belong */
	double		others;			/* the fraction that does not belong */
} FlakeMixed;

extern bool flake_column_open(FlakeColumn *column, PlannerInfo *root, Oid function);
extern void flake_cut_at(const FlakeFormat *format, TimestampTz t, FlakeCut *cut);
extern double flake_column_below(FlakeColumn *column, const FlakeCut *cut);

extern bool flake_mixed_open(FlakeMixed *mixed, const FlakeColumn *column, FlakeBelongs belongs);
extern double flake_mixed_below(const FlakeMixed *mixed, bool belonging, const FlakeCut *cut);

extern bool flake_is_below(const FlakeFormat *format, const uint8 *id, const FlakeCut *cut);
extern bool flake_column_is_pure(const FlakeColumn *column, FlakeBelongs belongs);
extern double flake_way(const FlakeFormat *format, const uint8 *from, const uint8 *to);
extern IndexOptInfo *flake_column_index(const FlakeColumn *column);
extern bool flake_column_first(const FlakeColumn *column, const IndexOptInfo *info, bool backward,
							   const uint8 *from, FlakeBelongs belongs, uint8 *id);

/* ---------- estimate.c ---------- */

/* What core's contjoinsel() estimates for a join by <@. */
#define FLAKE_RANGE_JOIN_SEL	0.001

extern RelOptInfo *flake_relation_of(PlannerInfo *root, Node *id);
extern void flake_tell_alone(RestrictInfo *info, double selectivity);
extern bool flake_tell_marked(RestrictInfo *info);
extern bool flake_tell_ranges(Node *node, void *context);
extern double flake_passed(PlannerInfo *root, Oid function, List *args, int rel, FlakeBelongs belongs);
extern bool flake_answer(PlannerInfo *root, RelOptInfo *rel, VariableStatData *data);
extern double flake_passed_alone(PlannerInfo *root, Oid function, Node *id, FlakeBelongs belongs);

/* ---------- foreign.c ---------- */

extern bool flake_horizon_asked;
extern void flake_horizons_planned(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *table);

/* ---------- textlayout.c ---------- */

extern bool flake_is_of_layout(const FuncExpr *call, const text *id);
extern void flake_check_texts(PlannerInfo *root, List *args, int rel);

/* ---------- join.c ---------- */

extern void flake_join_paths(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte);
extern void flake_join_child(PlannerInfo *root, RelOptInfo *rel, AppendRelInfo *child);

/* ---------- version.c ---------- */

/* What is known of the UUIDs whose time core's function returns. */
typedef enum FlakeVersions
{
	FLAKE_VERSIONS_UNKNOWN,		/* another version may have a time, in another
								 * order */
	FLAKE_VERSIONS_ONLY_7,		/* where there is a time, it is that of
								 * version 7 */
	FLAKE_VERSIONS_ALL_TIMED	/* and all but NULL have one */
} FlakeVersions;

extern FlakeVersions flake_versions(Oid table, const Var *column, bool children, List *conditions);

/* ---------- times.c, order.c, proof.c ---------- */

/* A constraint that the session has parsed. */
typedef struct FlakeConstraint
{
	List	   *conditions;		/* of which all must be true */
	AttrNumber	column;			/* of UUIDs, of which they exclude these
								 * kinds: see version.c; 0: not known */
	uint32		excluded;
} FlakeConstraint;


/* The time of an ID, by which rows may be sorted. */
typedef struct FlakeTimeKey
{
	EquivalenceClass *class;
	FuncExpr   *call;
	FlakeSource source;
	Node	   *id;				/* as an index has it */
	Oid			type;			/* by which indexes sort the ID ... */
	Oid			family;			/* ... and how */
	Oid			family_of_time;
	bool		partial;		/* not every value of the type is an ID with a
								 * time */
	bool		refuses;		/* and for some the function raises an error:
								 * texts, bytea */
	bool		never_null;
	double		part;			/* of the rows between the ends of the scan
								 * that have a time */
	List	   *paths;			/* core's, if no order has been claimed yet */
} FlakeTimeKey;

/* May the expression be the time of an ID?  Nearly all others are told from it at a glance. */
static inline bool
flake_may_be_time(const Node *node)
{
	return IsA(node, FuncExpr) ? flake_may_have_source(((const FuncExpr *) node)->funcid) :
		IsA(node, RelabelType) || IsA(node, PlaceHolderVar);
}

/* Is an index a note of a time?  HypoPG's have an OID. */
static inline bool
flake_is_note(const IndexOptInfo *index)
{
	return index->hypothetical && !OidIsValid(index->indexoid);
}

extern void flake_times_init(void);
extern bool flake_is_time(Node *node, FlakeTimeKey *key);
extern void flake_note_time(RelOptInfo *rel, Node *time);
extern double flake_distinct_times(PlannerInfo *root, RelOptInfo *rel, const FlakeTimeKey *key);

extern bool flake_order_by_time;
extern void flake_order_init(void);
extern void flake_order_paths(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte);
extern List *flake_indexes_on(RelOptInfo *rel, const FlakeTimeKey *key);
extern FlakeConstraint *flake_parse_constraint(const char *text, Index varno);
extern bool flake_condition_excludes_null(RelOptInfo *rel, const FlakeTimeKey *key);
extern bool flake_constraint_excludes_null(Oid table, Index varno, const FuncExpr *call);
extern double flake_part_with_time(PlannerInfo *root, RelOptInfo *rel, const FlakeTimeKey *key);

/* ---------- layout.c ---------- */

/* How IDs of a kind count time: "first" to "last" units since the epoch. */
typedef struct FlakeUnits
{
	int64		epoch_us;		/* since 1970, not negative */
	int64		unit_us;
	int64		first;
	int64		last;
	int			low_bits;		/* of a bigint, below the units */
} FlakeUnits;

extern int64 flake_unit_at(const FlakeUnits *units, TimestampTz t, bool upto);
extern TimestampTz flake_unit_instant(const FlakeUnits *units, int64 unit);
extern bool flake_is_uuid7(const uint8 *uuid);

#pragma GCC visibility pop

/* An SQL function that is another one, or one of a pair. */
#define FLAKE_FUNCTION(function, result) \
	PG_FUNCTION_INFO_V1(function); \
	Datum \
	function(PG_FUNCTION_ARGS) \
	{ \
		return result; \
	}

#define FLAKE_BOUNDS(instant, name) \
	extern PGDLLEXPORT Datum instant(PG_FUNCTION_ARGS); \
	extern PGDLLEXPORT Datum name##_min(PG_FUNCTION_ARGS); \
	extern PGDLLEXPORT Datum name##_max(PG_FUNCTION_ARGS)

FLAKE_BOUNDS(uuid7_timestamp, uuid7);
FLAKE_BOUNDS(layout_timestamp, layout);
FLAKE_BOUNDS(ulid_timestamp_text, ulid_text);
FLAKE_BOUNDS(layout_timestamp_text, layout_text);
FLAKE_BOUNDS(ulid_timestamp_uuid, ulid_uuid);
FLAKE_BOUNDS(ulid_timestamp_bytea, ulid_bytea);
extern PGDLLEXPORT Datum typeid(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum flakeid_instant_support(PG_FUNCTION_ARGS);

#endif							/* FLAKE_PLANNER_H */
