/*
 * time.c
 *		The clock, and the time since the machine started.
 */
#include "server/server.h"

#include <time.h>

/* Return what the clock reads, in microseconds since 1970.  It may step either way. */
int64
flake_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

/* Return the microseconds since the machine started: for intervals, because the clock may step. */
int64
flake_monotonic_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

/*
 * Return how many microseconds the clock is ahead of the time since the machine started,
 * including the time for which it slept.  The difference changes when somebody sets the
 * clock; slewing changes both alike.
 */
int64
flake_clock_offset(void)
{
#ifdef CLOCK_BOOTTIME
	clockid_t	uptime = CLOCK_BOOTTIME;
#else
	clockid_t	uptime = CLOCK_MONOTONIC;
#endif
	struct timespec before,
				after;
	int64		clock;

	/*
	 * a process that was stopped between two readings would mistake that for
	 * a jump
	 */
	do
	{
		clock_gettime(uptime, &before);
		clock = flake_clock();
		clock_gettime(uptime, &after);
	} while ((after.tv_sec - before.tv_sec) * USECS_PER_SEC + (after.tv_nsec - before.tv_nsec) / 1000 > 100000);
	return clock - ((int64) before.tv_sec * USECS_PER_SEC + before.tv_nsec / 1000);
}
