/*
 * generate.h
 *		Making IDs.
 */
#ifndef FLAKE_GENERATE_H
#define FLAKE_GENERATE_H

#include "horizon/horizon.h"

#pragma GCC visibility push(hidden)

/* ---------- generate.c ---------- */

#define FLAKE_OWN		(-1)	/* the number of this database */

extern const FlakeTicket *flake_generate(const FlakeFormat *format, int32 number, uint32 stride);
extern const FlakeTicket *flake_generate_for(const char *name, const FlakeFormat *format);

/* ---------- new_at.c ---------- */

extern uint32 flake_new_at(const FlakeFormat *format, uint32 number, uint64 tick, uint32 stride);

/* ---------- counter.c ---------- */

/* The tick of an ID, and the counter that keeps the IDs of one tick in order. */
typedef struct FlakeCounted
{
	uint64		tick;
	uint32		counter;
	uint64		now;			/* for flake_random() */
} FlakeCounted;

extern FlakeCounted flake_counted_next(const char *name, const FlakeFormat *format);
extern FlakeCounted flake_counted_at(const FlakeFormat *format, int64 us);

/* ---------- random.c ---------- */

extern uint64 flake_random(uint64 now);

/* ---------- snapshot.c ---------- */

/* The state of a generator of a tick-tock format; times in ticks. */
typedef struct FlakeSnapshot
{
	uint64		now;			/* the clock */
	uint64		high;			/* the last tick used on the current timeline */
	/* The last tick that may have been used on the other timeline. */
	uint64		safe;
	uint64		drifts;			/* odd on timeline 1 */
	uint32		next;			/* the first sequence number free in "high" */
} FlakeSnapshot;

extern void flake_snapshot(const FlakeFormat *format, uint32 number, FlakeSnapshot *state);
extern void flake_restore(const FlakeFormat *format, const uint64 used[2]);

#pragma GCC visibility pop

#endif							/* FLAKE_GENERATE_H */
