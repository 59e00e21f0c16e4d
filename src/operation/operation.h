/*
 * operation.h
 *		What the files of this folder share.
 */
#ifndef FLAKE_OPERATION_H
#define FLAKE_OPERATION_H

#include "types/types.h"

#include "nodes/pg_list.h"
#include "utils/timestamp.h"

#pragma GCC visibility push(hidden)

/* ---------- owner.c ---------- */

extern List *flake_tree_below(Oid relation);
extern void flake_hold_to_read(Oid relation);
extern void flake_check_new_type(Oid type);

/* ---------- partition.c ---------- */

/* A partition that is there or, without an OID, one to be created. */
typedef struct FlakePartition
{
	Oid			oid;
	bool		is_default;
	bool		detaching;		/* DETACH CONCURRENTLY has begun */
	TimestampTz lower;			/* DT_NOBEGIN: no lower end */
	TimestampTz upper;			/* DT_NOEND: no upper end; of the default
								 * partition: DT_NOBEGIN */
	FlakeRows	rows;
	int64		size;			/* bytes, without indexes */
} FlakePartition;

extern List *flake_partitions(Oid table, Datum layout);

#pragma GCC visibility pop

#endif							/* FLAKE_OPERATION_H */
