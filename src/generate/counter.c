/*
 * counter.c
 *		Counters before random bits: they keep IDs of one tick in order.
 *
 * A format whose other bits are random does not contain a number of the server, so a standby
 * makes its IDs, too.  A standby has no generator; the counter is random there.
 */
#include "generate/generate.h"

#include "access/xlog.h"

/* Return a random counter; "now" is for flake_random(). */
static inline uint32
random_counter(const FlakeFormat *format, uint64 now)
{
	return (uint32) (flake_random(now) >> (64 - format->sequence_bits));
}

/*
 * Return tick and counter of the next ID of a format; "name" is for errors.  On a standby
 * IDs of one tick are in no order.  Reports 22008 if the clock is outside the span, and
 * what flake_generate() reports.
 */
FlakeCounted
flake_counted_next(const char *name, const FlakeFormat *format)
{
	FlakeCounted counted;

	if (unlikely(RecoveryInProgress()))
	{
		int64		now = flake_clock();

		if (!flake_in_span(&format->rate, now))
			flake_clock_out_of_span(format, now);
		counted.tick = flake_tick_of(&format->rate, now);
		counted.now = (uint64) now * 1000;
		counted.counter = random_counter(format, counted.now);
	}
	else
	{
		const FlakeTicket *ticket = flake_generate_for(name, format);

		counted.tick = ticket->tick;
		counted.counter = ticket->sequence;
		counted.now = ticket->leased;
	}
	return counted;
}

/*
 * Return tick and counter of an ID for an instant of the span, in us.  A session's counters
 * for one tick increase until the pool is used up, and then start again.
 */
FlakeCounted
flake_counted_at(const FlakeFormat *format, int64 us)
{
	FlakeCounted counted;

	counted.tick = flake_tick_of(&format->rate, us);
	counted.now = (uint64) flake_clock() * 1000;
	counted.counter = RecoveryInProgress() ? random_counter(format, counted.now)
		: flake_new_at(format, 0, counted.tick, 1);
	return counted;
}
