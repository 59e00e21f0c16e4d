/*
 * time.c
 *		The clock, and the time since the machine started.
 */
#include "server/server.h"

/* Return the microseconds since the machine started, for intervals, because the clock may step. */
int64
flake_monotonic_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

/*
 * Return how many microseconds the clock is ahead of the time since the machine started, sleep
 * included.  It changes when somebody sets the clock; slewing changes both alike.
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

	/* to be stopped between two readings would look like a jump */
	do
	{
		clock_gettime(uptime, &before);
		clock = flake_clock();
		clock_gettime(uptime, &after);
	} while ((after.tv_sec - before.tv_sec) * USECS_PER_SEC + (after.tv_nsec - before.tv_nsec) / 1000 > 100000);
	return clock - ((int64) before.tv_sec * USECS_PER_SEC + before.tv_nsec / 1000);
}

/*
 * Report a clock that was set ahead by a second or more, once for each jump.  Called when the
 * mark has been written, which a jump ahead makes necessary immediately.
 */
void
flake_look_at_clock(void)
{
	int64		offset = flake_clock_offset();
	uint64		seen = pg_atomic_read_u64(&flake_db->clock_offset);
	uint64		none = 0;
	int64		ahead = offset - (int64) seen;

	pg_atomic_compare_exchange_u64(&flake_db->clock_offset_first, &none, offset);
	if (seen != 0 && ahead > -USECS_PER_SEC && ahead < USECS_PER_SEC)
		return;
	/* one of the sessions that see it reports it */
	if (pg_atomic_compare_exchange_u64(&flake_db->clock_offset, &seen, offset) && seen != 0 && ahead > 0)
		ereport(LOG,
				(errmsg("the clock was set ahead by " INT64_FORMAT " s", ahead / USECS_PER_SEC),
				 errdetail("It reads %s, and the IDs made from now on count as issued.",
						   timestamptz_to_str(flake_timestamptz(flake_clock()))),
				 errhint("If that is wrong, correct the clock, and SELECT flakeid_clock_reset(now()) in each database that made IDs meanwhile.")));
}
