/*
 * slots.c
 *		The generations of a database, and the slots of its generators.
 *
 * A generator (a format's partition, shard or worker) has a slot while it is used;
 * it gets one on first use, and slots are recycled when their tick is past.
 */
#include "flakeid.h"

#include "storage/lwlock.h"

/* ---------- the generation ---------- */

/*
 * Begin a new generation, on a timeline.  FlakeDatabase.lock is held exclusively.
 *
 * The exchange is a full barrier: if a session swaps a word at the same time, either
 * that session sees the new generation afterwards, or the caller, reading the word
 * after this, sees the swap.
 */
void
flake_new_generation(FlakeDatabase *db, unsigned timeline)
{
	uint64		number = pg_atomic_fetch_add_u64(&flake->generation, 1) + 1;

	pg_atomic_exchange_u64(&db->generation, number << 1 | timeline);
}

/* The same on the timeline in force. */
void
flake_void_generation(FlakeDatabase *db)
{
	flake_new_generation(db, FLAKE_TIMELINE(pg_atomic_read_u64(&db->generation)));
}

/* Raise an atomic that only a reset lowers.  FlakeDatabase.lock is held exclusively. */
void
flake_raise(pg_atomic_uint64 *value, uint64 least)
{
	if (pg_atomic_read_u64(value) < least)
		pg_atomic_write_u64(value, least);
}

/* ---------- slots ---------- */

/*
 * Return the generator's slot, or -1.  Without the lock another generator may have it
 * at once; see look_at().
 */
int
flake_find_slot(uint32 key)
{
	uint32		first;
	uint32		slots = flake_slots(flake_formats[FLAKE_KEY_FORMAT(key)], &first);
	uint32		at = FLAKE_KEY_NUMBER(key) % slots;

	for (uint32 i = 0; i < slots; i++)
	{
		if (pg_atomic_read_u32(&flake_db->keys[first + at]) == key)
			return first + at;
		if (++at == slots)
			at = 0;
	}
	return -1;
}

/*
 * Hand a slot, whose word was found recyclable, over to another generator.  Returns
 * false if the old one has used it meanwhile.  FlakeDatabase.lock is held exclusively.
 *
 * Clear the key before changing the word, and set the new key only afterwards.  A
 * session reads the word first and then checks the key, so it can never pair the
 * new word with the old owner's key.  Change the word by compare-and-swap: the old
 * owner may lease a range until the last moment, and a plain store would lose that
 * lease and issue the range again.
 */
static bool
hand_over(const FlakeFormat *format, uint32 slot, uint64 word, unsigned timeline, uint64 floor,
		  unsigned in_force, uint32 key)
{
	FlakeGenerator *generator = &flake_db->generators[slot];
	uint32		old = pg_atomic_read_u32(&flake_db->keys[slot]);
	FlakeWord	start;

	flake_raise(&flake_db->floor[format->id][timeline], floor);
	start.timeline = in_force;
	start.tick = pg_atomic_read_u64(&flake_db->floor[format->id][in_force]);
	start.next = 0;

	pg_atomic_write_u32(&flake_db->keys[slot], 0);
	pg_memory_barrier();
	if (!pg_atomic_compare_exchange_u64(&generator->word, &word, flake_word(format, start)))
	{
		pg_atomic_write_u32(&flake_db->keys[slot], old);
		return false;
	}
	pg_atomic_fetch_add_u64(&flake_db->recycled[format->id],
							pg_atomic_exchange_u64(&generator->issued, 0));
	pg_atomic_write_u64(&generator->overflow_tick, 0);
	pg_atomic_write_u64(&generator->last_overflow, 0);
	pg_atomic_write_u64(&generator->wait_us, 0);
	pg_atomic_write_u64(&generator->overflows, 0);
	pg_atomic_write_u64(&generator->overflow_ticks, 0);
	pg_atomic_write_u32(&generator->regressions, 0);
	pg_memory_barrier();
	pg_atomic_write_u32(&flake_db->keys[slot], key);
	return true;
}

/*
 * Give the generator a slot, and return it: a free one, or one whose tick is past and
 * becomes a floor for all generators of the format.  Returns -1 if every slot of the
 * format is in use within the present tick.
 *
 * The slot starts at the floor and never at zero, so that no value of its word ever
 * comes again: a session that read the word before the slot changed hands cannot swap
 * it any more.
 */
int
flake_give_slot(const FlakeFormat *format, uint32 key)
{
	uint32		first;
	uint32		slots = flake_slots(format, &first);
	uint32		at = FLAKE_KEY_NUMBER(key) % slots;
	int			slot;

	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	slot = flake_find_slot(key);
	if (slot < 0)
	{
		int64		now = flake_clock();
		unsigned	in_force = flake_timeline(format, pg_atomic_read_u64(&flake_db->generation));

		for (uint32 i = 0; i < slots && slot < 0; i++)
		{
			FlakeGenerator *generator = &flake_db->generators[first + at];
			uint64		word = pg_atomic_read_u64(&generator->word);
			unsigned	timeline = 0;
			uint64		floor = 0;

			if ((pg_atomic_read_u32(&flake_db->keys[first + at]) == 0 ||
				 flake_recyclable(format, word, now, in_force, &timeline, &floor)) &&
				hand_over(format, first + at, word, timeline, floor, in_force, key))
				slot = first + at;
			if (++at == slots)
				at = 0;
		}
	}
	LWLockRelease(&flake_db->lock);
	return slot;
}

/*
 * Set back to us the words and floors above it, the mark's floor too, and the decisions
 * to go ahead of the clock.  FlakeDatabase.lock is held exclusively, and a new
 * generation has begun: a session that leases on a word that it read before gives the
 * range back.
 */
void
flake_rewind(FlakeMarkKind kind, int64 us)
{
	unsigned	timeline = kind == FLAKE_MARK_TOCK ? 1 : 0;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		uint64		tick = flake_tick_from(&format->rate, us);
		uint32		first;
		uint32		slots = flake_slots(format, &first);

		if (flake_mark_kind(format, timeline) != kind)
			continue;
		for (uint32 slot = first; slot < first + slots; slot++)
		{
			pg_atomic_uint64 *word = &flake_db->generators[slot].word;
			uint64		old = pg_atomic_read_u64(word);
			FlakeWord	w = flake_unword(format, old);

			while (w.timeline == timeline && w.tick > tick)
			{
				w.tick = tick;
				w.next = 0;
				if (pg_atomic_compare_exchange_u64(word, &old, flake_word(format, w)))
					break;
				w = flake_unword(format, old);
			}
		}
		if (pg_atomic_read_u64(&flake_db->floor[i][timeline]) > tick)
			pg_atomic_write_u64(&flake_db->floor[i][timeline], tick);
		if (pg_atomic_read_u64(&flake_db->ahead_until[i][timeline]) > tick)
			pg_atomic_write_u64(&flake_db->ahead_until[i][timeline], tick);
		flake_db->clock.refused_until[i] = 0;
	}
	if ((int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]) > us)
		pg_atomic_write_u64(&flake_db->mark_floor[kind], (uint64) us);
	flake_db->resets++;
}
