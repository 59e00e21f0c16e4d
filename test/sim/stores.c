/*
 * stores.c
 *		Stores that other backends see late.
 *
 * A processor buffers what it stores for a while: its own reads see a store immediately,
 * reads by other processors only when the store has reached memory.  Here, an atomic
 * write may stay in a list of the backend until the backend executes a full barrier:
 * pg_memory_barrier(), an atomic operation that reads and writes, or a lock.  Until then
 * stores arrive at any time and in any order, as on ARM, except that stores to one
 * address arrive in program order, and stores before a pg_write_barrier() arrive before
 * those after it.
 *
 * (Early reads are not simulated: a missing pg_read_barrier() is not found here.)
 */
#include "server.h"

bool		stores_late;
int			sim_stores;

/* Let a store arrive: now all backends see it. */
static void
arrive(Backend *backend, int i)
{
	LateStore	store = backend->stores[i];

	for (; i + 1 < backend->stores_count; i++)
		backend->stores[i] = backend->stores[i + 1];
	backend->stores_count--;
	sim_stores--;
	sim_check_address(store.address);
	if (store.bytes == sizeof(uint32))
		*(volatile uint32 *) store.address = (uint32) store.value;
	else
		*(volatile uint64 *) store.address = store.value;
	trace("a store of backend %d arrives:", backend->index);
	sim_accessed("write", store.address, store.value);
}

/* Return whether a store may arrive before the earlier stores that have not arrived. */
static bool
may_arrive(const Backend *backend, int i)
{
	if (backend->stores[i].barriers != backend->stores[0].barriers)
		return false;
	for (int j = 0; j < i; j++)
		if (backend->stores[j].address == backend->stores[i].address)
			return false;
	return true;
}

/*
 * Return whether a store arrives immediately in a world, where nothing is left to chance:
 * the first store after a barrier arrives last, at the next barrier, and the others
 * arrive immediately if they may overtake it.
 */
static bool
overtakes(const volatile void *address)
{
	for (int i = 0; i < self->stores_count; i++)
		if (self->stores[i].address == address || self->stores[i].barriers != self->write_barriers)
			return false;
	return self->stores_count > 0;
}

/* Store a value late.  Return false if the caller shall store it now. */
bool
sim_store_late(volatile void *address, int bytes, uint64 value)
{
	if (!stores_late || self == NULL)
		return false;
	if (random_quiet ? overtakes(address) : self->stores_count == 0 && once_in(2))
		return false;
	if (self->stores_count == (int) lengthof(self->stores))
		arrive(self, 0);
	self->stores[self->stores_count].address = address;
	self->stores[self->stores_count].value = value;
	self->stores[self->stores_count].bytes = bytes;
	self->stores[self->stores_count].barriers = self->write_barriers;
	self->stores_count++;
	sim_stores++;
	trace("backend %d stores, and no other backend sees it yet", self->index);
	return true;
}

/* Read what the running backend has stored there itself.  Return false if it has not. */
bool
sim_read_stored(const volatile void *address, uint64 *value)
{
	for (int i = self == NULL ? 0 : self->stores_count; i-- > 0;)
		if (self->stores[i].address == address)
		{
			*value = self->stores[i].value;
			return true;
		}
	return false;
}

/* A full barrier: all that the running backend has stored arrives. */
void
sim_barrier(void)
{
	while (self != NULL && self->stores_count > 0)
		arrive(self, 0);
}

/* The running backend's later stores arrive after its earlier ones. */
void
sim_write_barrier(void)
{
	if (self != NULL)
		self->write_barriers = self->stores_count == 0 ? 0 : self->write_barriers + 1;
}

/* Time goes by: let some stores of some backends arrive. */
void
stores_settle(void)
{
	if (sim_stores == 0)
		return;
	for (Backend *backend = backends; backend < backends + SIM_BACKENDS; backend++)
		while (backend->stores_count > 0 && once_in(4))
		{
			int			i = (int) random_below((uint32) backend->stores_count);

			if (may_arrive(backend, i))
				arrive(backend, i);
		}
}

/* Forget a backend's stores: the memory is lost, or the backend is a new process. */
void
stores_forget(Backend *backend)
{
	sim_stores -= backend->stores_count;
	backend->stores_count = 0;
	backend->write_barriers = 0;
}
