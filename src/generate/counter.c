/*
 * counter.c
 *		Counters before random bits, which keep IDs of one tick in order.
 *
 * Such IDs contain no number of the server, so a standby makes them, too, with a random counter.
 */
#include "generate/generate.h"

#include "access/xlog.h"

/* Return a random counter; "now" is for flake_random(). */
static inline uint32
random_counter(const FlakeFormat *format, uint64 now)
{
	return (uint32) (flake_random(now) >> (64 - format->sequence_bits));
}

/* What flake_counted_next() returns if it needs another lease, or there is none on a standby. */
pg_noinline FlakeTicket
flake_counted_anew(const char *name, const FlakeFormat *format)
{
	FlakeTicket ticket = {0};
	int64		now;

	if (!RecoveryInProgress())
		return *flake_generate_anew(name, format, FLAKE_OWN, 1);
	now = flake_clock();
	if (!flake_in_span(&format->rate, now))
		flake_clock_out_of_span(format, now);
	ticket.tick = flake_tick_of(&format->rate, now);
	ticket.leased = (uint64) now * 1000;
	ticket.sequence = random_counter(format, ticket.leased);
	return ticket;
}

/*
 * Return a ticket for an ID of an instant of the span, in us.  A session's counters for one
 * tick increase until the pool is used up, and then start again.
 */
FlakeTicket
flake_counted_at(const FlakeFormat *format, int64 us)
{
	FlakeTicket ticket = {.tick = flake_tick_of(&format->rate, us), .leased = (uint64) flake_clock() * 1000};

	ticket.sequence = RecoveryInProgress() ? random_counter(format, ticket.leased)
		: flake_new_at(format, 0, ticket.tick, 1);
	return ticket;
}
