/*
 * lease.c
 *		The leases that a session keeps, one on each of the generators it used last.
 *
 * generate.c takes leases and makes IDs from them.  This file keeps them, shows the one
 * in use in the session's line, gives back what is left when another generator needs the
 * entry or the session ends, and voids all of them when the mark that allowed them may be
 * gone.
 */
#include "lease.h"

#include "storage/ipc.h"

/*
 * How many leases a session keeps.  With one, a statement that uses two partitions
 * would lease a new range for every ID and use up the pool.
 */
#define FLAKE_LEASES		16

static FlakeLease leases[FLAKE_LEASES];
FlakeLease *flake_shown = leases;

/*
 * Add the session's pending count to that of its generator, or to the format's if that
 * has lost its slot.
 */
static void
count_pending(void)
{
	uint64		pending = flake_session->pending;
	uint32		key = flake_session->key;
	int			slot;

	if (pending == 0)
		return;
	flake_session->issued += pending;
	flake_session->pending = 0;
	slot = flake_find_slot(key);
	if (slot >= 0)
		pg_atomic_fetch_add_u64(&flake_db->generators[slot].issued, pending);
	else
		pg_atomic_fetch_add_u64(&flake_db->recycled[FLAKE_KEY_FORMAT(key)], pending);
}

/* Show this lease in the session's line, as the one that is used. */
void
flake_show_lease(FlakeLease *lease)
{
	if (flake_session->key != lease->key)
		count_pending();
	flake_session->key = lease->key;
	flake_session->tick = lease->ticket.tick;
	flake_session->start = lease->next;
	flake_session->next = lease->next;
	flake_session->end = lease->end;
	flake_shown = lease;
}

/* Give the unused tail of a lease back, if it is still the last of its tick. */
static void
give_back(FlakeLease *lease)
{
	const FlakeFormat *format;
	FlakeGenerator *generator;
	uint64		word;
	uint64		shorter;

	if (lease->key != 0 && lease->next < lease->end)
	{
		format = flake_formats[FLAKE_KEY_FORMAT(lease->key)];
		generator = &flake_db->generators[lease->slot];
		word = pg_atomic_read_u64(&generator->word);
		pg_read_barrier();
		if (pg_atomic_read_u32(&flake_db->keys[lease->slot]) == lease->key &&
		/* in a later generation, after a reset, the tick may be in use again */
			pg_atomic_read_u64(&flake_db->generation) == lease->generation &&
			flake_give_back(format, word, lease->ticket.timeline, lease->ticket.tick,
							lease->next, lease->end, &shorter))
			pg_atomic_compare_exchange_u64(&generator->word, &word, shorter);
	}
	memset(lease, 0, sizeof(FlakeLease));
}

/*
 * Make this session lease anew before its next ID: the mark that allowed its leases
 * may be gone.  Touches nothing but the session's own memory, because the callbacks
 * of cache invalidation call it.
 */
void
flake_void_leases(void)
{
	for (int i = 0; i < FLAKE_LEASES; i++)
		leases[i].length = 0;
}

/*
 * Give back all that the session has leased, when it ends.  Takes no lock: the session
 * may end by an error that was raised while it held one, and in the middle of a wait.
 */
static void
give_back_all(int code pg_attribute_unused(), Datum arg pg_attribute_unused())
{
	if (flake_db == NULL)
		return;
	flake_stop_waiting();
	count_pending();
	for (int i = 0; i < FLAKE_LEASES; i++)
		give_back(&leases[i]);
}

/*
 * Return this session's lease on the generator, or an unused entry.  There is at
 * most one lease per generator, whether the caller named the partition or took the
 * database's own: with two, IDs would alternate between two ranges and not increase.
 *
 * Exit callbacks run in the reverse order of their registration, and flake_attach() has
 * come before this one: so the leases end before the session detaches from the database.
 */
FlakeLease *
flake_kept_lease(uint32 key)
{
	static bool registered = false;
	static int	victim = 0;
	FlakeLease *unused = NULL;

	if (!registered)
	{
		before_shmem_exit(give_back_all, (Datum) 0);
		registered = true;
	}

	for (int i = 0; i < FLAKE_LEASES; i++)
	{
		if (leases[i].key == key)
			return &leases[i];
		if (leases[i].key == 0 && unused == NULL)
			unused = &leases[i];
	}
	if (unused == NULL)
	{
		victim = (victim + 1) % FLAKE_LEASES;
		unused = &leases[victim];
		if (unused == flake_shown)
			count_pending();
		give_back(unused);
	}
	return unused;
}
