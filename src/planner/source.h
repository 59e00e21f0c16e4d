/*
 * source.h
 *		The functions that return the time of an ID: see source.c.
 */
#ifndef FLAKE_SOURCE_H
#define FLAKE_SOURCE_H

#include "types/types.h"

#include "access/stratnum.h"
#include "nodes/nodes.h"

#pragma GCC visibility push(hidden)

struct PlannerInfo;

/* A function for IDs of a type that is not ours, and its helpers: see layout.c. */
typedef struct FlakeBoundKind
{
	PGFunction	instant;
	Oid			type;
	int16		typlen;
	bool		typbyval;
	const char *min_name;
	PGFunction	min;
	const char *max_name;
	PGFunction	max;

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
	FLAKE_SOURCE_NONE,			/* the function has nothing to do with IDs */
	FLAKE_SOURCE_BOUNDS,		/* an ID of another type */
	FLAKE_SOURCE_OWN,			/* an ID of ours */
	FLAKE_SOURCE_INSTANT		/* no function: an instant itself is compared */
} FlakeSourceKind;

/* What is known of a function, by its OID. */
typedef struct FlakeSource
{
	Oid			function;		/* key */
	FlakeSourceKind kind;
	const FlakeBoundKind *bounds;
	Oid			min;
	Oid			max;
	Oid			filter;
	Oid			marker;
	Oid			next;			/* flakeid_next_instant(), for our own types */
	Oid			operators[BTMaxStrategyNumber + 1]; /* by strategy */
} FlakeSource;

extern FlakeSource flake_find_source(Oid function);
extern Oid	flake_find_function(const char *name, Oid schema, int nargs, const Oid *types);
extern Oid	flake_find_helper(const char *name, Oid type);

/* In union.c. */
extern bool flake_filters_union(struct PlannerInfo *root, Node *id);

/* In support.c: what it and instant.c build conditions from. */
extern Node *flake_instant_constant(TimestampTz t);
extern Node *flake_operation(Oid operator, Node *left, Node *right, Oid collation);
extern bool flake_may_split(struct PlannerInfo *root, Node *range);
extern bool flake_may_repeat(struct PlannerInfo *root, Node *expr);
extern bool flake_in_grouping_sets(struct PlannerInfo *root, Oid function);

#pragma GCC visibility pop

#endif							/* FLAKE_SOURCE_H */
