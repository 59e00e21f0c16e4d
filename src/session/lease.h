/*
 * lease.h
 *		The leases of a session: see lease.c.
 */
#ifndef FLAKE_LEASE_H
#define FLAKE_LEASE_H

#include "server/flakeid.h"

#pragma GCC visibility push(hidden)

/* A range of a tick's sequence that this session holds. */
typedef struct FlakeLease
{
	FlakeTicket ticket;			/* of the last ID */
	FlakeGenerator *generator;	/* NULL: no lease */
	const FlakeFormat *format;
	int32		number;			/* the one that the last caller asked for */
	uint64		generation;		/* the lease is void in any other */
	/* How long it may be used, in ns: see good_at() in generate.c. */
	uint64		length;
	uint32		next;			/* [next, end) is left */
	uint32		end;
	uint32		want;			/* how many numbers the session leased last */
	uint32		issued;			/* IDs that the generator has not counted yet */
	bool		ahead;			/* its tick lies ahead of the clock */
} FlakeLease;

/* Fits no ID, so that the next one goes through lease_for(). */
extern FlakeLease flake_no_lease;

/* The one used last, or flake_no_lease. */
extern FlakeLease *flake_last_lease;

/* The one that the previous transaction used last: only use_lease() has chosen it. */
extern FlakeLease *flake_left_lease;

extern FlakeLease *flake_kept_lease(const FlakeGenerator *generator);
extern void flake_count_lease(FlakeLease *lease);
extern void flake_leave_lease(void);
extern void flake_void_leases(void);

#pragma GCC visibility pop

#endif							/* FLAKE_LEASE_H */
