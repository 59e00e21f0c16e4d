/*
 * reader.h
 *		Reading the horizon.  Private to this folder.
 */
#ifndef FLAKE_READER_H
#define FLAKE_READER_H

#include "horizon/horizon.h"

#pragma GCC visibility push(hidden)

/* ---------- announce.c ---------- */

extern void flake_clear_worn_notes(uint64 at);
extern void flake_end_prepared(FlakePrepared *prepared, TransactionId xid, uint64 announced);
extern int64 flake_least_mark(const FlakeFormat *format);
extern uint64 flake_least_floor(const FlakeFormat *format);
extern void flake_look_up_mark(const FlakeFormat *format);
extern void flake_lead_with_mark(const FlakeFormat *format, int64 most);

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

extern uint64 flake_horizon_of(const FlakeFormat *format, Snapshot snapshot);

/* ---------- answer.c ---------- */

extern int64 flake_own_horizon(const FlakeFormat *format);

#pragma GCC visibility pop

#endif							/* FLAKE_READER_H */
