/*
 * count.c
 *		Counts in front of random bits: they keep IDs of one tick in order.
 *
 * A format whose other bits are random needs no number of the server, so a standby
 * makes its IDs, too.  A standby has no generator; the count is random there.
 */
#include "flakeid.h"

#include "access/xlog.h"

/* Return a random count; "now" is for flake_random(). */
static inline uint32
random_count(const FlakeFormat *format, uint64 now)
{
	return (uint32) (flake_random(now) >> (64 - format->sequence_bits));
}

/*
 * Return tick and count of the next ID of a format; "name" is for errors.  On a standby
 * IDs of one tick are in no order.  Reports 22008 if the clock is outside the span, and
 * what flake_generate() reports.
 */
FlakeCount
flake_count_next(const char *name, const FlakeFormat *format)
{
	FlakeCount	count;

	if (unlikely(RecoveryInProgress()))
	{
		int64		now = flake_clock();

		if (!flake_in_span(&format->rate, now))
			flake_clock_out_of_span(format, now);
		count.tick = flake_tick_of(&format->rate, now);
		count.now = (uint64) now * 1000;
		count.number = random_count(format, count.now);
	}
	else
	{
		const FlakeTicket *ticket = flake_generate_for(name, format);

		count.tick = ticket->tick;
		count.number = ticket->sequence;
		count.now = ticket->leased;
	}
	return count;
}

/*
 * Return tick and count of an ID for an instant of the span, in us.  A session's counts
 * for one tick increase until the pool is used up, and then start again.
 */
FlakeCount
flake_count_at(const FlakeFormat *format, int64 us)
{
	FlakeCount	count;

	count.tick = flake_tick_of(&format->rate, us);
	count.now = (uint64) flake_clock() * 1000;
	count.number = RecoveryInProgress() ? random_count(format, count.now)
		: flake_backfill(format, 0, count.tick, 1);
	return count;
}
