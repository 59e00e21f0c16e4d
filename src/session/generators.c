/*
 * generators.c
 *		The generations of a database, and the places of its generators.
 *
 * The place of a generator follows from its format and its number (the partition, shard or
 * worker).  Places are created a page at a time, and are zero while no ID was issued.
 */
#include "session/session.h"

#include "storage/lwlock.h"

/* ---------- the generation ---------- */

/*
 * Begin a new generation, on a timeline.  FlakeDatabase.lock is held exclusively.  A session that
 * swaps a word at the same time sees the new generation afterwards, or the caller sees the swap:
 * both have a full barrier between their write and their read.  (An atomic operation alone is
 * none on ARM without LSE.)
 */
void
flake_new_generation(unsigned timeline)
{
	uint64		number = pg_atomic_fetch_add_u64(&flake->generation, 1) + 1;

	pg_atomic_write_u64(&flake_db->generation, number << 1 | timeline);
	pg_memory_barrier();
}

/* The same on the timeline in force. */
void
flake_void_generation(void)
{
	flake_new_generation(FLAKE_TIMELINE(pg_atomic_read_u64(&flake_db->generation)));
}

/* Raise an atomic that only a reset lowers.  FlakeDatabase.lock is held exclusively. */
void
flake_raise(pg_atomic_uint64 *value, uint64 least)
{
	if (pg_atomic_read_u64(value) < least)
		pg_atomic_write_u64(value, least);
}

/* ---------- the generators ---------- */

/* Return the place where the page is noted that contains a number of a format. */
static pg_atomic_uint64 *
page_place(const FlakeFormat *format, uint32 number)
{
	static const FlakeFormat *last = NULL;
	static uint32 first;		/* the first page of that format */

	Assert(number < format->numbers);
	if (format != last)
	{
		first = 0;
		for (int i = 0; i < (int) format->id; i++)
			first += flake_pages(flake_formats[i]);
		last = format;
	}
	return &flake_db->generator_pages[first + number / FLAKE_PAGE];
}

/* Return the generators of a page, which begin at the first cache line of the allocation. */
static FlakeGenerator *
generators_at(dsa_pointer page)
{
	return (FlakeGenerator *) TYPEALIGN(sizeof(FlakeGenerator), (uintptr_t) dsa_get_address(flake_area, page));
}

/*
 * Return the place, after a page's generators, of a generator's last rewind: the generation of
 * the reset that set its word back.  FlakeDatabase.lock is held.
 */
static uint64 *
rewound_in(const FlakeFormat *format, uint32 number)
{
	dsa_pointer page = (dsa_pointer) pg_atomic_read_u64(page_place(format, number));

	return (uint64 *) (generators_at(page) + Min(format->numbers, FLAKE_PAGE)) + number % FLAKE_PAGE;
}

/* Return how many bytes a page of a format has. */
static Size
page_size(const FlakeFormat *format)
{
	uint32		count = Min(format->numbers, FLAKE_PAGE);

	return (count + 1) * sizeof(FlakeGenerator) + count * sizeof(uint64);
}

/* Allocate a page for generators of a format, or report 53100 or 53200. */
static dsa_pointer
make_page(const FlakeFormat *format)
{
	uint32		count = Min(format->numbers, FLAKE_PAGE);
	dsa_pointer page = flake_allocate(page_size(format));
	FlakeGenerator *generators = generators_at(page);

	for (uint32 i = 0; i < count; i++)
	{
		pg_atomic_init_u64(&generators[i].word, 0);
		pg_atomic_init_u64(&generators[i].issued, 0);
		pg_atomic_init_u64(&generators[i].overflow_tick, 0);
		pg_atomic_init_u64(&generators[i].last_overflow, 0);
		pg_atomic_init_u64(&generators[i].overflows, 0);
		pg_atomic_init_u64(&generators[i].overflow_ticks, 0);
		pg_atomic_init_u64(&generators[i].wait_us, 0);
		pg_atomic_init_u32(&generators[i].waiting, 0);
		pg_atomic_init_u32(&generators[i].regressions, 0);
	}
	return page;
}

/*
 * Return a generator of this database, which has a place from now on, or report 53100 or 53200.
 * The caller holds no lock.  A reset need not see a page that is created meanwhile: a session
 * that is still of the old generation notices that after its swap, and undoes it.
 */
FlakeGenerator *
flake_generator(const FlakeFormat *format, uint32 number)
{
	pg_atomic_uint64 *place = page_place(format, number);
	uint64		page = pg_atomic_read_u64(place);

	if (!DsaPointerIsValid(page))
	{
		dsa_pointer made = make_page(format);

		flake_injection_point("flakeid-page");
		if (pg_atomic_compare_exchange_u64(place, &page, made))
		{
			pg_atomic_fetch_add_u64(&flake_db->bytes, page_size(format));
			page = made;
		}
		else
			flake_free(made, page_size(format));
	}
	return &generators_at((dsa_pointer) page)[number % FLAKE_PAGE];
}

/* Return the first generator of a format that has a place, from *number on, and store its number; or NULL. */
FlakeGenerator *
flake_next_generator(const FlakeFormat *format, uint32 *number)
{
	for (; *number < format->numbers; *number += FLAKE_PAGE - *number % FLAKE_PAGE)
	{
		uint64		page = pg_atomic_read_u64(page_place(format, *number));

		if (DsaPointerIsValid(page))
			return &generators_at((dsa_pointer) page)[*number % FLAKE_PAGE];
	}
	return NULL;
}

/* Return the generator, or NULL if it has no place yet. */
FlakeGenerator *
flake_find_generator(const FlakeFormat *format, uint32 number)
{
	uint32		found = number;
	FlakeGenerator *generator = flake_next_generator(format, &found);

	return found == number ? generator : NULL;
}

/*
 * Return an instant (us) that is later than all IDs of the kind which this database has
 * issued since its memory was created.  Only words and floors count, because a mark may have been
 * raised by hand.
 */
int64
flake_issued(FlakeMarkKind kind)
{
	unsigned	timeline = kind == FLAKE_MARK_TOCK ? 1 : 0;
	int64		issued = 0;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		uint64		floor = pg_atomic_read_u64(&flake_db->floor_tick[i][timeline]);
		FlakeGenerator *generator;

		if (flake_mark_kind(format, timeline) != kind)
			continue;
		if (floor > 0)
			issued = Max(issued, flake_us_of(&format->rate, floor));
		for (uint32 n = 0; (generator = flake_next_generator(format, &n)) != NULL; n++)
		{
			FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&generator->word));

			if (word.timeline == timeline && word.tick > 0)
				issued = Max(issued, flake_us_of(&format->rate, word.tick) + 1);
		}
	}
	return issued;
}

/* Map all pages of a kind's generators into this process, so that reading them under a lock does not fail. */
void
flake_map_generators(FlakeMarkKind kind)
{
	(void) flake_issued(kind);
}

/* Set a generator's word back to a tick, if it is above the tick on the timeline; return whether it was. */
static bool
rewind_word(const FlakeFormat *format, FlakeGenerator *generator, unsigned timeline, uint64 tick)
{
	uint64		old = pg_atomic_read_u64(&generator->word);
	FlakeWord	word = flake_unword(format, old);

	while (word.timeline == timeline && word.tick > tick)
	{
		word.tick = tick;
		word.next = 0;
		if (pg_atomic_compare_exchange_u64(&generator->word, &old, flake_word(format, word)))
			return true;
		word = flake_unword(format, old);
	}
	return false;
}

/*
 * Set the words and floors above us back to us, and cancel the decisions to go ahead of the
 * clock.  FlakeDatabase.lock is held exclusively, and a new generation has begun.
 */
void
flake_rewind(FlakeMarkKind kind, int64 us)
{
	unsigned	timeline = kind == FLAKE_MARK_TOCK ? 1 : 0;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		uint64		tick = flake_tick_from(&format->rate, us);
		FlakeGenerator *generator;

		if (flake_mark_kind(format, timeline) != kind)
			continue;
		for (uint32 n = 0; (generator = flake_next_generator(format, &n)) != NULL; n++)
			if (rewind_word(format, generator, timeline, tick))
				*rewound_in(format, n) = pg_atomic_read_u64(&flake_db->generation);
		if (pg_atomic_read_u64(&flake_db->floor_tick[i][timeline]) > tick)
			pg_atomic_write_u64(&flake_db->floor_tick[i][timeline], tick);
		if (pg_atomic_read_u64(&flake_db->ahead_until[i][timeline]) > tick)
			pg_atomic_write_u64(&flake_db->ahead_until[i][timeline], tick);
		flake_db->clock.refused_until[i] = 0;
	}
}

/*
 * Set a generator's word back from "leased", which this session swapped in, to "before":
 * "generation" has ended.  If a reset has set the word back since, the same word may be another
 * session's lease.  The caller holds no lock.
 */
void
flake_undo_lease(const FlakeFormat *format, uint32 number, uint64 generation, uint64 leased, uint64 before)
{
	LWLockAcquire(&flake_db->lock, LW_SHARED);
	if (*rewound_in(format, number) <= generation)
		pg_atomic_compare_exchange_u64(&flake_generator(format, number)->word, &leased, before);
	LWLockRelease(&flake_db->lock);
}
