/*
 * column.h
 *		A column of IDs in a query, and how many of its rows are below a point: see
 *		column.c.
 */
#ifndef FLAKE_COLUMN_H
#define FLAKE_COLUMN_H

#include "flakeid.h"

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

/* An ID in a query with what the statistics say of it. */
typedef struct FlakeColumn
{
	const FlakeFormat *format;
	Oid			type;
	PlannerInfo *root;
	VariableStatData vardata;
	bool		known;			/* there are statistics */
	double		nonnull;		/* the part of the rows that is not null */
	double		common;			/* the part of the rows that are most common
								 * values */
	AttStatsSlot mcv;
	AttStatsSlot histogram;
	bool		own_values;		/* these two must be freed with the column */
	/* the least and the greatest ID in the table: see actual_end() */
	bool		looked[2];
	uint8	   *end[2];
	bool		grown_known;	/* the part of the rows that came after the
								 * histogram: see grown() */
	double		grown;
} FlakeColumn;

/* Fill in vardata first, by get_restriction_variable() or examine_variable(). */
extern bool flake_column_open(FlakeColumn *column, PlannerInfo *root, Oid function);
extern void flake_column_close(FlakeColumn *column);
extern void flake_cut_at(const FlakeFormat *format, TimestampTz t, FlakeCut *cut);
extern double flake_column_below(FlakeColumn *column, const FlakeCut *cut);
extern double flake_column_within(FlakeColumn *column, const FlakePeriod *periods, int count);

#pragma GCC visibility pop

#endif							/* FLAKE_COLUMN_H */
