/*
 * stores.c
 *		Stores that others see late.
 *
 * A processor keeps what it stores to itself for a while: its own reads see it at
 * once, those of other processors only when it has reached the memory.  Here an
 * atomic write may stay in a list of the backend's, until the backend comes to a full
 * barrier: that of pg_memory_barrier(), of every atomic operation that reads and
 * writes, of a lock.  Until then it arrives whenever it may, and in any order, as on
 * ARM; but stores to one address arrive in theirs, and those before a
 * pg_write_barrier() before those after it.
 *
 * (Reads that are done early are not simulated: what pg_read_barrier() is for is not
 * seen here.)
 */
#include "server.h"

bool		stores_late;
int			sim_stores;

/* Show one of them to all. */
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
	trace("what backend %d has stored arrives:", backend->index);
	sim_accessed("write", store.address, store.value);
}

/* May it arrive before all that was stored earlier and has not? */
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
 * In a world nothing is left to chance: the first store after a barrier arrives last, at
 * the next one, and the others at once, where they may overtake it.
 */
static bool
overtakes(const volatile void *address)
{
	for (int i = 0; i < self->stores_count; i++)
		if (self->stores[i].address == address || self->stores[i].barriers != self->write_barriers)
			return false;
	return self->stores_count > 0;
}

/* Store it late.  False: at once, by the caller. */
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
	trace("backend %d stores, and nobody sees it yet", self->index);
	return true;
}

/* What the running backend reads if it has stored there itself. */
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

/* A full barrier of the running backend. */
void
sim_barrier(void)
{
	while (self != NULL && self->stores_count > 0)
		arrive(self, 0);
}

/* Stores from here on arrive after those before. */
void
sim_write_barrier(void)
{
	if (self != NULL)
		self->write_barriers = self->stores_count == 0 ? 0 : self->write_barriers + 1;
}

/* Time goes by: some arrive, of some backends. */
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

/* They are lost with the memory, or their backend is another one now. */
void
stores_forget(Backend *backend)
{
	sim_stores -= backend->stores_count;
	backend->stores_count = 0;
	backend->write_barriers = 0;
}
