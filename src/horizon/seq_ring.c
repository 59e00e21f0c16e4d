/*
 * seq_ring.c
 *		Where announcements for sequences are kept, and how readers find them: the ring of a
 *		session, or of an entry of the list of prepared transactions.
 */
#include "horizon/reader.h"

#define DRAW_FIRST			(UINT64CONST(1) << 63)

/* A ring has at most so many places: a note has to tell two rounds of it apart. */
#define DRAWS_AT_MOST		(1 << 23)

/* The size of a prepared transaction's ring, when it is made. */
#define DRAWS_OF_PREPARED	64

static inline uint32
first_of(uint64 draws)
{
	return (uint32) (draws >> 32) & FLAKE_POSITIONS;
}

static inline uint32
next_of(uint64 draws)
{
	return (uint32) draws;
}

static inline uint32
position_of(uint64 stamp)
{
	return (uint32) (stamp >> 32) & FLAKE_POSITIONS;
}

static inline FlakeRing *
ring_of(FlakeDrawer *drawer)
{
	return dsa_get_address(flake_area, (dsa_pointer) pg_atomic_read_u64(&drawer->ring));
}

static inline FlakeDraw *
draw_at(FlakeRing *ring, uint32 position)
{
	return &ring->draw[position & (ring->size - 1)];
}

/* ---------- writing ---------- */

/*
 * Give a drawer a ring of this size instead of its own, with the same announcements.  Readers may
 * still be in the old one, which stays.  What the new one has no announcement for, it does not
 * know: stamps are 0, and must never look as if there had been none.  False: there is no memory.
 */
static bool
replace_ring(FlakeDrawer *drawer, uint32 size)
{
	dsa_pointer previous = (dsa_pointer) pg_atomic_read_u64(&drawer->ring);
	dsa_pointer made = flake_try_allocate(flake_ring_bytes(size));
	FlakeRing  *ring;

	if (!DsaPointerIsValid(made))
		return false;
	ring = dsa_get_address(flake_area, made);
	ring->size = size;
	ring->previous = previous;
	if (DsaPointerIsValid(previous))
	{
		FlakeRing  *old = dsa_get_address(flake_area, previous);

		for (uint32 i = 0; i < old->size; i++)
		{
			uint64		stamp = pg_atomic_read_u64(&old->draw[i].stamp);
			FlakeDraw  *draw = draw_at(ring, position_of(stamp));

			if (stamp == 0)
				continue;
			pg_atomic_init_u64(&draw->value, pg_atomic_read_u64(&old->draw[i].value));
			pg_atomic_init_u64(&draw->stamp, stamp);
		}
	}
	pg_write_barrier();
	pg_atomic_write_u64(&drawer->ring, made);
	return true;
}

/* Make sure that a drawer has room for so many more announcements of a transaction.  False: there is no memory. */
bool
flake_has_room(FlakeDrawer *drawer, uint32 more, uint32 size)
{
	uint64		draws = pg_atomic_read_u64(&drawer->draws);
	uint32		wanted = ((next_of(draws) - first_of(draws)) & FLAKE_POSITIONS) + more;

	if (DsaPointerIsValid(pg_atomic_read_u64(&drawer->ring)))
	{
		size = ring_of(drawer)->size;
		if (likely(wanted <= size))
			return true;
	}
	while (size < wanted)
		size *= 4;
	return size <= DRAWS_AT_MOST && replace_ring(drawer, size);
}

/* Add an announcement, for which there is room, to those of a drawer's transaction.  Returns its position. */
uint32
flake_add_draw(FlakeDrawer *drawer, Oid sequence, int64 least)
{
	uint64		draws = pg_atomic_read_u64(&drawer->draws);
	uint32		first = first_of(draws);
	uint32		next = next_of(draws);
	FlakeDraw  *draw = draw_at(ring_of(drawer), next);

	pg_atomic_write_u64(&draw->stamp, 0);
	pg_write_barrier();
	pg_atomic_write_u64(&draw->value, (uint64) least);
	pg_write_barrier();
	pg_atomic_write_u64(&draw->stamp, (first == next ? DRAW_FIRST : 0) | (uint64) next << 32 | sequence);
	pg_write_barrier();
	pg_atomic_write_u64(&drawer->draws, (uint64) first << 32 | ((next + 1) & FLAKE_POSITIONS));
	return next;
}

/* Change an announcement of the drawer's transaction. */
void
flake_change_draw(FlakeDrawer *drawer, uint32 position, int64 least)
{
	pg_atomic_write_u64(&draw_at(ring_of(drawer), position)->value, (uint64) least);
}

bool
flake_is_empty(FlakeDrawer *drawer)
{
	uint64		draws = pg_atomic_read_u64(&drawer->draws);

	return first_of(draws) == next_of(draws) && (draws & FLAKE_DRAW_ANY) == 0;
}

/* May a drawer's transaction draw any value of any sequence, because there was no memory for what it announced? */
bool
flake_may_draw_any(FlakeDrawer *drawer)
{
	return (pg_atomic_read_u64(&drawer->draws) & FLAKE_DRAW_ANY) != 0;
}

/*
 * Copy what this transaction has announced into the drawer of a prepared one, which is reserved for
 * it.  False: there is no memory.
 */
bool
flake_copy_drawer(FlakeDrawer *from, FlakeDrawer *to)
{
	uint64		draws = pg_atomic_read_u64(&from->draws);
	uint32		count = (next_of(draws) - first_of(draws)) & FLAKE_POSITIONS;

	flake_empty_drawer(to, true);
	if (count == 0)
		return true;
	if (!flake_has_room(to, count, DRAWS_OF_PREPARED))
		return false;
	for (uint32 at = first_of(draws); at != next_of(draws); at = (at + 1) & FLAKE_POSITIONS)
	{
		FlakeDraw  *draw = draw_at(ring_of(from), at);

		(void) flake_add_draw(to, (Oid) pg_atomic_read_u64(&draw->stamp), (int64) pg_atomic_read_u64(&draw->value));
	}
	return true;
}

/* Store the position of the last announcement of a drawer's transaction.  False: it has none. */
bool
flake_last_draw(FlakeDrawer *drawer, uint32 *last)
{
	uint64		draws = pg_atomic_read_u64(&drawer->draws);

	*last = (next_of(draws) - 1) & FLAKE_POSITIONS;
	return first_of(draws) != next_of(draws);
}

/* ---------- reading ---------- */

/* Read what is at a position, if that is still there. */
static bool
read_draw(FlakeRing *ring, uint32 position, uint32 positions, uint64 *stamp, int64 *value)
{
	FlakeDraw  *draw = draw_at(ring, position);

	*stamp = pg_atomic_read_u64(&draw->stamp);
	pg_read_barrier();
	*value = (int64) pg_atomic_read_u64(&draw->value);
	pg_read_barrier();
	return *stamp != 0 && pg_atomic_read_u64(&draw->stamp) == *stamp &&
		((position_of(*stamp) ^ position) & positions) == 0;
}

/*
 * Return the least value that a drawer's transaction may have drawn from a sequence, as a rank;
 * FLAKE_SEEN_NOTHING without any.  If another transaction's is in a place, this one has
 * ended, and has left a note, which is read later.
 */
uint64
flake_drawn(FlakeDrawer *drawer, Oid sequence, bool *any)
{
	uint64		draws = pg_atomic_read_u64(&drawer->draws);
	uint64		least = FLAKE_SEEN_NOTHING;
	FlakeRing  *ring;

	*any |= (draws & FLAKE_DRAW_ANY) != 0;
	if (first_of(draws) == next_of(draws))
		return least;
	pg_read_barrier();
	ring = ring_of(drawer);
	for (uint32 at = first_of(draws); at != next_of(draws); at = (at + 1) & FLAKE_POSITIONS)
	{
		uint64		stamp;
		int64		value;

		if (read_draw(ring, at, FLAKE_POSITIONS, &stamp, &value) && (Oid) stamp == sequence)
		{
			uint64		rank = flake_draw_rank(value);

			least = Min(least, rank);
		}
	}
	return least;
}

/*
 * Store the same for a transaction that has left a note, and return true; false: others have
 * overwritten what it had announced.  Read from its last announcement back to its first.
 */
bool
flake_noted_draws(uint64 note, Oid sequence, uint64 *least)
{
	uint32		number = flake_noted_drawer(note);
	uint32		at = flake_noted_position(note);
	uint32		positions = FLAKE_NOTE_POSITIONS - 1;
	FlakeDrawer *drawer = number < flake->session_count ? &flake->sessions[number].drawer
		: &flake_draws()->prepared[number - flake->session_count];
	FlakeRing  *ring;
	uint64		stamp;
	int64		value;

	*least = FLAKE_SEEN_NOTHING;
	if (pg_atomic_read_u64(&drawer->ring) == InvalidDsaPointer)
		return false;			/* the note is not ready */
	ring = ring_of(drawer);
	do
	{
		if (!read_draw(ring, at, positions, &stamp, &value))
			return false;
		if ((Oid) stamp == sequence)
		{
			uint64		rank = flake_draw_rank(value);

			*least = Min(*least, rank);
		}
		at = (position_of(stamp) - 1) & FLAKE_POSITIONS;
		positions = FLAKE_POSITIONS;
	} while ((stamp & DRAW_FIRST) == 0);
	return true;
}

/*
 * For the view: find the next announcement of a drawer's transaction, from the n-th on, and store
 * its sequence and value.  Begin with 0.
 */
bool
flake_show_draw(FlakeDrawer *drawer, uint32 *n, Oid *sequence, int64 *value)
{
	uint64		draws = pg_atomic_read_u64(&drawer->draws);
	uint32		count = (next_of(draws) - first_of(draws)) & FLAKE_POSITIONS;
	uint64		stamp;

	pg_read_barrier();
	while (*n < count)
		if (read_draw(ring_of(drawer), (first_of(draws) + (*n)++) & FLAKE_POSITIONS, FLAKE_POSITIONS, &stamp, value))
		{
			*sequence = (Oid) stamp;
			return true;
		}
	return false;
}
