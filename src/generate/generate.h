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

/* What makes an ID of the lease used last is inline: most arguments are constants in a type's function. */

/* Store the first sequence number of a lease's next ID.  Returns whether the lease holds the ID as a whole. */
static inline bool
flake_lease_fits(const FlakeLease *lease, uint32 stride, uint32 *sequence)
{
	*sequence = (lease->next + stride - 1) & ~(stride - 1);
	return *sequence + stride <= lease->end;
}

/* May a lease be used while the clock reads "ns" modulo 2^64?  Only the time since it was taken counts. */
static inline bool
flake_lease_good_at(const FlakeLease *lease, uint64 ns)
{
	return ns - lease->ticket.leased < lease->length;
}

/*
 * May a lease be used now?  Reads the generation after the clock: if the timeline has changed
 * meanwhile, the lease is void.  A lease ahead of the clock needs no check of its own: the
 * decision to go ahead ends when the clock reaches its tick.
 */
static inline bool
flake_lease_good_now(const FlakeLease *lease)
{
	static struct timespec now; /* not on the stack, which would have to be
								 * checked then */

	clock_gettime(CLOCK_REALTIME, &now);
	pg_read_barrier();
	return likely(flake_lease_good_at(lease, (uint64) now.tv_sec * 1000000000 + now.tv_nsec)) &&
		likely(pg_atomic_read_u64(&flake_db->generation) == lease->generation);
}

/* May an ID of this generator be made now from this lease?  Stores its first sequence number. */
static inline bool
flake_lease_serves(const FlakeLease *lease, const FlakeFormat *format, int32 number, uint32 stride, uint32 *sequence)
{
	return likely(lease->format == format) && likely(lease->number == number) &&
		likely(flake_lease_good_now(lease)) && likely(flake_lease_fits(lease, stride, sequence));
}

/* Return the ticket of an ID that a lease serves. */
static inline const FlakeTicket *
flake_lease_use(FlakeLease *lease, uint32 sequence, uint32 stride)
{
	lease->ticket.sequence = sequence;
	lease->next = sequence + stride;
	lease->issued++;
	return &lease->ticket;
}

/* Return the next ticket of the lease used last, or NULL if another lease is needed. */
static inline const FlakeTicket *
flake_generate_on(const FlakeFormat *format, int32 number, uint32 stride)
{
	FlakeLease *lease = flake_last_lease;
	uint32		sequence;

	if (unlikely(!flake_lease_serves(lease, format, number, stride, &sequence)))
		return NULL;
	return flake_lease_use(lease, sequence, stride);
}

/* The first ticket of another lease; what flake_generate() reports. */
extern const FlakeTicket *flake_generate_anew(const char *name, const FlakeFormat *format, int32 number, uint32 stride);

/*
 * Hand out the next "stride" sequence numbers (a power of two, aligned) of a generator: "number"
 * is FLAKE_OWN or a partition.  Errors call the ID "name": 55000 if flakeid.max_ahead and
 * flakeid.max_wait allow none, 22008 if the clock is outside the format's span, 22023 for invalid
 * settings, 25000 in a parallel worker, 25006 on a standby.
 */
static inline const FlakeTicket *
flake_generate(const char *name, const FlakeFormat *format, int32 number, uint32 stride)
{
	const FlakeTicket *ticket = flake_generate_on(format, number, stride);

	return likely(ticket != NULL) ? ticket : flake_generate_anew(name, format, number, stride);
}

/* ---------- new_at.c ---------- */

extern uint32 flake_new_at(const FlakeFormat *format, uint32 number, uint64 tick, uint32 stride);

/* ---------- counter.c: tickets of formats whose sequence is a counter before random bits ---------- */

extern FlakeTicket flake_counted_anew(const char *name, const FlakeFormat *format);
extern FlakeTicket flake_counted_at(const FlakeFormat *format, int64 us);

/*
 * Return a ticket for the next ID of a format; "name" is for errors, which are those of
 * flake_generate().  On a standby, where no session has a lease, IDs of one tick are in no order.
 */
static inline FlakeTicket
flake_counted_next(const char *name, const FlakeFormat *format)
{
	const FlakeTicket *ticket = flake_generate_on(format, FLAKE_OWN, 1);

	return likely(ticket != NULL) ? *ticket : flake_counted_anew(name, format);
}

/* ---------- random.c ---------- */

/*
 * Random bytes for the next IDs.  Many are drawn at a time, because a call of the system's
 * generator takes twenty times as long as the rest of an ID.  Each is wiped when it is used, so
 * that the memory does not tell earlier IDs.  They are drawn after the process was forked, and
 * discarded when they are old: two virtual machines resumed from one snapshot must not continue
 * with the same bytes.
 */
typedef struct FlakeRandom
{
	int			pid;			/* of the process that drew them */
	uint64		drawn;			/* when, in ns modulo 2^64 */
	uint32		left;			/* how many of the words are not used yet */
	uint64		words[2048];
} FlakeRandom;

#define FLAKE_RANDOM_AGE_NS		UINT64_C(1000000000)

extern FlakeRandom flake_random_bits;

extern void flake_draw_random(uint64 now);

/*
 * Make sure that so many words are left, and fresh.  "now" is what the clock read lately, in ns
 * modulo 2^64, perhaps a little before the bytes were drawn.
 */
static inline void
flake_need_random(uint64 now, uint32 words)
{
	const FlakeRandom *random = &flake_random_bits;

	if (unlikely(random->pid != MyProcPid) || unlikely(random->left < words) ||
		unlikely(now - random->drawn + FLAKE_RANDOM_AGE_NS > 2 * FLAKE_RANDOM_AGE_NS))
		flake_draw_random(now);
}

/* Return 64 random bits that are never used again.  The caller has made sure that a word is left. */
static inline uint64
flake_take_random(void)
{
	uint64	   *word = &flake_random_bits.words[--flake_random_bits.left];
	uint64		bits = *word;

	*word = 0;
	return bits;
}

/* Do both. */
static inline uint64
flake_random(uint64 now)
{
	flake_need_random(now, 1);
	return flake_take_random();
}

/* ---------- saved.c ---------- */

/* The state of a generator of a tick-tock format; times in ticks. */
typedef struct FlakeSaved
{
	uint64		now;			/* the clock */
	uint64		high;			/* the last tick used on the current timeline */
	uint64		safe;			/* likewise, on the other timeline */
	uint64		drifts;			/* odd on timeline 1 */
	uint32		next;			/* the first sequence number free in "high" */
} FlakeSaved;

extern void flake_save(const FlakeFormat *format, uint32 number, FlakeSaved *state);
extern void flake_restore(const FlakeFormat *format, const uint64 used[2]);

#pragma GCC visibility pop

#endif							/* FLAKE_GENERATE_H */
