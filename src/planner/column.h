/*
 * column.h
 *		A column of IDs in a query, and how many of its rows are below a point: see
 *		column.c and mixed.c.
 */
#ifndef FLAKE_COLUMN_H
#define FLAKE_COLUMN_H

#include "types/types.h"

#include "nodes/pathnodes.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#pragma GCC visibility push(hidden)

/* A point in the order of IDs: right before an ID, or right after it. */
typedef struct FlakeCut
{
	uint8		id[FLAKE_MAX_BYTES];
	bool		after;
} FlakeCut;

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
	bool		known;			/* there are statistics */
	/* The fractions of the rows that are not null, and most common values. */
	double		nonnull;
	double		common;

	/*
	 * The values are IDs in the format's bytes, even for a column of text.
	 * They are freed with the column if they are its own; otherwise "kept" is
	 * where this session keeps them.
	 */
	AttStatsSlot mcv;
	AttStatsSlot histogram;
	bool		own_values;
	struct FlakeKept *kept;
	/* The least and the greatest ID in the table: see actual_end(). */
	bool		looked[2];
	uint8	   *end[2];
} FlakeColumn;

/* Is this ID one of those that are looked for? */
typedef bool (*FlakeBelongs) (const uint8 *id);

/* The IDs of one kind in a column of two kinds: the points up to which their share is known. */
typedef struct FlakePart
{
	int			count;
	const uint8 **ids;
	double	   *upto;			/* the fraction of all rows up to this ID */
} FlakePart;

/* A column of two kinds of IDs: those that belong (0) and all others (1). */
typedef struct FlakeMixed
{
	const FlakeColumn *column;
	FlakeBelongs belongs;
	FlakePart	parts[2];
} FlakeMixed;

/* Fill in vardata first, by get_restriction_variable() or examine_variable(). */
extern bool flake_column_open(FlakeColumn *column, PlannerInfo *root, Oid function);
extern bool flake_column_open_core(FlakeColumn *column, PlannerInfo *root, Oid function);
extern void flake_column_close(FlakeColumn *column);
extern void flake_cut_at(const FlakeFormat *format, TimestampTz t, FlakeCut *cut);
extern double flake_column_below(FlakeColumn *column, const FlakeCut *cut);
extern double flake_column_within(FlakeColumn *column, const FlakePeriod *periods, int count);

extern bool flake_mixed_open(FlakeMixed *mixed, const FlakeColumn *column, FlakeBelongs belongs);
extern double flake_mixed_below(const FlakeMixed *mixed, int which, const FlakeCut *cut);
extern double flake_mixed_all(const FlakeMixed *mixed, int which);

/* What core's contjoinsel() estimates for a join by <@. */
#define FLAKE_RANGE_JOIN_SEL	0.001

/* In selectivity.c, for coresel.c. */
extern bool flake_range_column_selectivity(const Node *other, bool greater, bool joins, double *selectivity);

/* In coresel.c, for support.c. */
extern void flake_core_ranges(PlannerInfo *root, const List *args);
extern double flake_core_selectivity(PlannerInfo *root, Oid function, List *args, int rel, FlakeBelongs belongs);
extern void flake_core_inherited(PlannerInfo *root, Oid function, const List *args);

/* In column.c, for mixed.c. */
extern bool flake_is_below(const FlakeFormat *format, const uint8 *id, const FlakeCut *cut);
extern bool flake_column_is_pure(const FlakeColumn *column, FlakeBelongs belongs);
extern double flake_way(const FlakeFormat *format, const uint8 *from, const uint8 *to);
extern IndexOptInfo *flake_column_index(const FlakeColumn *column);
extern bool flake_column_first(const FlakeColumn *column, const IndexOptInfo *info, bool backward,
							   const uint8 *from, FlakeBelongs belongs, uint8 *id);

/* ---------- selectivity.c ---------- */

extern double flake_within_selectivity(struct PlannerInfo *root, Oid function, struct Node *id, int rel,
									   const FlakePeriod *periods, int count);

#pragma GCC visibility pop

#endif							/* FLAKE_COLUMN_H */
