/*
 * new_at.c
 *		The sequence of T_new_at: IDs for instants of the past.
 *
 * A session counts the IDs that it makes for each tick.  Sessions begin as far apart in the pool
 * as can be, but know nothing of each other.  To backfill one tick from several sessions, give
 * each a partition, a shard or a worker of its own.
 */
#include "generate/generate.h"

#include "utils/hsearch.h"
#include "utils/memutils.h"

/* A session remembers this many ticks at least, and up to twice as many. */
#define FLAKE_TICKS		32768

typedef struct TickKey
{
	uint64		tick;
	uint32		format;
	uint32		number;
} TickKey;

typedef struct TickCount
{
	TickKey		key;
	uint32		count;			/* numbers used, strides included */
} TickCount;

static HTAB *present = NULL;	/* the ticks met last ... */
static HTAB *past = NULL;		/* ... and those before */

static HTAB *
new_table(void)
{
	HASHCTL		control = {.keysize = sizeof(TickKey), .entrysize = sizeof(TickCount), .hcxt = TopMemoryContext};

	return hash_create("flakeid T_new_at", 1024, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* Return the session's count for the tick: 0 if the session has not used the tick, or not lately. */
static TickCount *
count_of(const TickKey *key)
{
	TickCount  *count;
	uint32		used = 0;

	if (present == NULL)
		present = new_table();
	count = hash_search(present, key, HASH_FIND, NULL);
	if (count != NULL)
		return count;
	if (past != NULL)
	{
		const TickCount *older = hash_search(past, key, HASH_FIND, NULL);

		if (older != NULL)
			used = older->count;
	}
	if (hash_get_num_entries(present) >= FLAKE_TICKS)
	{
		HTAB	   *fresh = new_table();

		if (past != NULL)
			hash_destroy(past);
		past = present;
		present = fresh;
	}
	count = hash_search(present, key, HASH_ENTER, NULL);
	count->count = used;
	return count;
}

/*
 * Return the first of the "stride" numbers (a power of two, aligned) of the next ID of that tick.
 * It repeats within a session only after the pool is used up, or after FLAKE_TICKS other ticks.
 */
uint32
flake_new_at(const FlakeFormat *format, uint32 number, uint64 tick, uint32 stride)
{
	static uint32 ordinal[FLAKE_FORMATS];	/* plus one; 0: not drawn yet */
	const FlakeOwn *own = &flake_identity.own[format->id];
	TickKey		key = {.tick = tick, .format = format->id, .number = number};
	TickCount  *count = count_of(&key);
	uint32		first;
	uint32		pool;
	uint32		start;

	flake_sync();
	first = (own->min + stride - 1) & ~(stride - 1);
	pool = own->max + 1 - first;
	if (ordinal[format->id] == 0)
		ordinal[format->id] = pg_atomic_fetch_add_u32(&flake_db->backfillers[format->id], 1) + 1;
	pool &= ~(stride - 1);
	start = flake_spread(ordinal[format->id] - 1, pool) & ~(stride - 1);
	count->count = (count->count + stride - 1) & ~(stride - 1);
	first = flake_roll_over((uint64) start + count->count, first, first + pool - 1);
	count->count = (count->count + stride) % pool;
	return first;
}
