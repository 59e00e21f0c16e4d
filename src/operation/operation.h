/*
 * operation.h
 *		What the files of this folder share.
 */
#ifndef FLAKE_OPERATION_H
#define FLAKE_OPERATION_H

#include "types/types.h"

#include "nodes/pg_list.h"

#pragma GCC visibility push(hidden)

/* ---------- owner.c ---------- */

extern List *flake_tree_below(Oid relation);

#pragma GCC visibility pop

#endif							/* FLAKE_OPERATION_H */
