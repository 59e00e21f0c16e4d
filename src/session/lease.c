/*
 * lease.c
 *		The leases that a session keeps: one on each of the generators that it used last.
 */
#include "session/session.h"

#include "storage/ipc.h"

/* With one lease, a statement that uses two partitions would lease for every ID, and use up the pool. */
#define FLAKE_LEASES		16

static FlakeLease leases[FLAKE_LEASES];
FlakeLease	flake_no_lease;
FlakeLease *flake_last_lease = &flake_no_lease;
FlakeLease *flake_left_lease = &flake_no_lease;

/* Add the IDs of a lease to the count of its generator. */
void
flake_count_lease(FlakeLease *lease)
{
	if (lease->issued == 0)
		return;
	pg_atomic_fetch_add_u64(&lease->generator->issued, lease->issued);
	lease->issued = 0;
}

/* Count all IDs that this session has issued, so that it sees them in the views. */
void
flake_count_leases(void)
{
	for (int i = 0; i < FLAKE_LEASES; i++)
		flake_count_lease(&leases[i]);
}

/* Make the session's next ID go through lease_for(), where it is announced. */
void
flake_leave_lease(void)
{
	if (flake_last_lease != &flake_no_lease)
		flake_left_lease = flake_last_lease;
	flake_last_lease = &flake_no_lease;
}

/*
 * Give the unused tail of a lease back, if it is still the last of its tick.  After a reset the
 * same word may be another session's lease, so no reset may come between the check and the swap,
 * and if the lock is not free, the tail is lost.
 */
static void
give_back(FlakeLease *lease)
{
	FlakeGenerator *generator = lease->generator;

	flake_count_lease(lease);
	if (generator != NULL && lease->next < lease->end &&
		LWLockConditionalAcquire(&flake_db->lock, LW_SHARED))
	{
		uint64		word = pg_atomic_read_u64(&generator->word);
		uint64_t	shorter;

		if (pg_atomic_read_u64(&flake_db->generation) == lease->generation &&
			flake_give_back(lease->format, word, lease->ticket.timeline, lease->ticket.tick,
							lease->next, lease->end, &shorter))
			pg_atomic_compare_exchange_u64(&generator->word, &word, shorter);
		LWLockRelease(&flake_db->lock);
	}
	memset(lease, 0, sizeof(FlakeLease));
}

/*
 * Make this session take a new lease before its next ID.  Touches only the session's own memory,
 * because callbacks of cache invalidation call it.
 */
void
flake_void_leases(void)
{
	for (int i = 0; i < FLAKE_LEASES; i++)
		leases[i].length = 0;
}

/* Give back all leases, when the session ends.  Waits for no lock, because it may end while it holds one. */
static void
give_back_all(int code pg_attribute_unused(), Datum arg pg_attribute_unused())
{
	if (flake_db == NULL)
		return;
	for (int i = 0; i < FLAKE_LEASES; i++)
		give_back(&leases[i]);
}

/*
 * Return this session's lease on the generator, or an unused entry.  There is at most one for a
 * generator, whether the caller named the partition or took the database's own.  With two, IDs
 * would alternate between two ranges and not increase.
 */
FlakeLease *
flake_kept_lease(const FlakeGenerator *generator)
{
	static bool registered = false;
	static int	victim = 0;
	FlakeLease *unused = NULL;

	if (!registered)
	{
		/* after flake_attach(): leases end before the session detaches */
		before_shmem_exit(give_back_all, (Datum) 0);
		registered = true;
	}

	for (int i = 0; i < FLAKE_LEASES; i++)
	{
		if (leases[i].generator == generator)
			return &leases[i];
		if (leases[i].generator == NULL && unused == NULL)
			unused = &leases[i];
	}
	if (unused == NULL)
	{
		victim = (victim + 1) % FLAKE_LEASES;
		unused = &leases[victim];
		give_back(unused);
	}
	return unused;
}
