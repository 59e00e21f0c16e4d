/*
 * retention.h
 *		Which partitions of a table are past their time; retention.c.
 */
#ifndef FLAKE_RETENTION_H
#define FLAKE_RETENTION_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The ends of a partition that has none. */
#define FLAKE_NO_BEGIN		INT64_MIN
#define FLAKE_NO_END		INT64_MAX

typedef enum FlakeRows
{
	FLAKE_ROWS_NONE,
	FLAKE_ROWS_SOME,
	FLAKE_ROWS_UNKNOWN			/* because another session has locked the
								 * partition */
} FlakeRows;

/* Instants and lengths are in us.  The last four fields change with each partition. */
typedef struct FlakeRetention
{
	int64_t		now;
	int64_t		retain;			/* 0: for ever */

	/*
	 * Where the partition of the present begins; FLAKE_NO_BEGIN if there is
	 * none with two ends.
	 */
	int64_t		unbroken_from;
	int			ahead;			/* so many empty ones of the unbroken row do
								 * not count */
	bool		seen_rows;
	int64_t		newer;			/* what counts of the newer partitions spans
								 * so much ... */
	int64_t		newer_below;	/* ... and this lies below the newest rows */
} FlakeRetention;

extern bool flake_retention_next(FlakeRetention *state, int64_t lower, int64_t upper, FlakeRows rows,
								 int64_t *newer);

#pragma GCC visibility pop

#endif							/* FLAKE_RETENTION_H */
