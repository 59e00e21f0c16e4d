/*
 * time.c
 *		The two clocks.
 */
#include "flakeid.h"

#include <time.h>

/* Return what the clock reads, in microseconds since 1970.  It may step either way. */
int64
flake_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

/* Return the microseconds since the machine started: for intervals, as the clock may step. */
int64
flake_monotonic_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}
