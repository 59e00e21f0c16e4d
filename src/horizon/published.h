/*
 * published.h
 *		Horizons of other databases, and this one's for them: see published.c.  Private to this
 *		folder.
 */
#ifndef FLAKE_PUBLISHED_H
#define FLAKE_PUBLISHED_H

#include "horizon/horizon.h"

#include "utils/snapshot.h"

#pragma GCC visibility push(hidden)

/* ---------- published.c ---------- */

/* Horizons that tell nothing: see flake_published_elsewhere(). */
#define FLAKE_NO_HORIZON	PG_UINT64_MAX	/* no subscription brings any */
#define FLAKE_UNPUBLISHED	(PG_UINT64_MAX - 1) /* a publisher has sent none */
#define FLAKE_FORWARDED		(PG_UINT64_MAX - 2) /* a publisher sends others', too */
#define FLAKE_COPYING		(PG_UINT64_MAX - 3) /* tables are being copied */

extern void flake_refuse_published(const FlakeFormat *format, uint64 published);
extern uint64 flake_published_here(const FlakeFormat *format, Snapshot snapshot);
extern uint64 flake_published_elsewhere(const FlakeFormat *format, Snapshot snapshot);

/* ---------- horizon.c ---------- */

extern int64 flake_own_horizon(const FlakeFormat *format);

#pragma GCC visibility pop

#endif							/* FLAKE_PUBLISHED_H */
