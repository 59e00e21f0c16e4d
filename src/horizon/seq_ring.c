/*
 * seq_ring.c
 *		Where announcements for sequences are kept, and how readers find them: the ring of a
 *		session, or of an entry of the list of prepared transactions.
 */
#include "horizon/reader.h"

#define FIRST_VALUE			(UINT64CONST(1) << 63)

/* The greatest number of places of a ring, because a note has to tell two rounds of it apart. */
#define VALUES_AT_MOST		(1 << 23)

/* The size of a prepared transaction's ring, when it is made. */
#define VALUES_OF_PREPARED	64

static inline uint32
first_of(uint64 range)
{
	return (uint32) (range >> 32) & FLAKE_POSITIONS;
}

static inline uint32
next_of(uint64 range)
{
	return (uint32) range;
}

static inline uint32
position_of(uint64 stamp)
{
	return (uint32) (stamp >> 32) & FLAKE_POSITIONS;
}

static inline FlakeRing *
ring_of(FlakeValues *values)
{
	return dsa_get_address(flake_area, (dsa_pointer) pg_atomic_read_u64(&values->ring));
}

static inline FlakeValue *
value_at(FlakeRing *ring, uint32 position)
{
	return &ring->value[position & (ring->size - 1)];
}

/* ---------- writing ---------- */

/*
 * Give values a ring of this size instead of its own, with the same announcements.  Readers may
 * still be in the old one, which stays.  In the new one, a place without an announcement has stamp
 * 0, which counts as unknown and never as absent.  Returns false if there is no memory.
 */
static bool
replace_ring(FlakeValues *values, uint32 size)
{
	dsa_pointer previous = (dsa_pointer) pg_atomic_read_u64(&values->ring);
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
			uint64		stamp = pg_atomic_read_u64(&old->value[i].stamp);
			FlakeValue *place = value_at(ring, position_of(stamp));

			if (stamp == 0)
				continue;
			pg_atomic_init_u64(&place->value, pg_atomic_read_u64(&old->value[i].value));
			pg_atomic_init_u64(&place->stamp, stamp);
		}
	}
	pg_write_barrier();
	pg_atomic_write_u64(&values->ring, made);
	return true;
}

/* Make sure that there is room for so many more announcements.  Returns false if there is no memory. */
bool
flake_has_room(FlakeValues *values, uint32 more, uint32 size)
{
	uint64		range = pg_atomic_read_u64(&values->range);
	uint32		wanted = ((next_of(range) - first_of(range)) & FLAKE_POSITIONS) + more;

	if (DsaPointerIsValid(pg_atomic_read_u64(&values->ring)))
	{
		size = ring_of(values)->size;
		if (likely(wanted <= size))
			return true;
	}
	while (size < wanted)
		size *= 4;
	return size <= VALUES_AT_MOST && replace_ring(values, size);
}

/* Add an announcement, for which there is room, to those of the transaction.  Returns its position. */
uint32
flake_add_value(FlakeValues *values, Oid sequence, int64 least)
{
	uint64		range = pg_atomic_read_u64(&values->range);
	uint32		first = first_of(range);
	uint32		next = next_of(range);
	FlakeValue *place = value_at(ring_of(values), next);

	pg_atomic_write_u64(&place->stamp, 0);
	pg_write_barrier();
	pg_atomic_write_u64(&place->value, (uint64) least);
	pg_write_barrier();
	pg_atomic_write_u64(&place->stamp, (first == next ? FIRST_VALUE : 0) | (uint64) next << 32 | sequence);
	pg_write_barrier();
	pg_atomic_write_u64(&values->range, (uint64) first << 32 | ((next + 1) & FLAKE_POSITIONS));
	return next;
}

/* Change an announcement. */
void
flake_change_value(FlakeValues *values, uint32 position, int64 least)
{
	pg_atomic_write_u64(&value_at(ring_of(values), position)->value, (uint64) least);
}

bool
flake_is_empty(FlakeValues *values)
{
	uint64		range = pg_atomic_read_u64(&values->range);

	return first_of(range) == next_of(range) && (range & FLAKE_ANY_VALUE) == 0;
}

/*
 * Was there no memory for an announcement of this transaction?  Then it may draw any value of any
 * sequence.
 */
bool
flake_may_draw_any(FlakeValues *values)
{
	return (pg_atomic_read_u64(&values->range) & FLAKE_ANY_VALUE) != 0;
}

/*
 * Copy this transaction's announcements into the entry that is reserved for it as a prepared one.
 * Returns false if there is no memory.
 */
bool
flake_copy_values(FlakeValues *from, FlakeValues *to)
{
	uint64		range = pg_atomic_read_u64(&from->range);
	uint32		count = (next_of(range) - first_of(range)) & FLAKE_POSITIONS;

	flake_empty_values(to, true);
	if (count == 0)
		return true;
	if (!flake_has_room(to, count, VALUES_OF_PREPARED))
		return false;
	for (uint32 at = first_of(range); at != next_of(range); at = (at + 1) & FLAKE_POSITIONS)
	{
		FlakeValue *place = value_at(ring_of(from), at);

		(void) flake_add_value(to, (Oid) pg_atomic_read_u64(&place->stamp), (int64) pg_atomic_read_u64(&place->value));
	}
	return true;
}

/* Store the position of the last announcement.  Returns false if there is none. */
bool
flake_last_value(FlakeValues *values, uint32 *last)
{
	uint64		range = pg_atomic_read_u64(&values->range);

	*last = (next_of(range) - 1) & FLAKE_POSITIONS;
	return first_of(range) != next_of(range);
}

/* ---------- reading ---------- */

/* Read what is at a position, if that is still there. */
static bool
read_value(FlakeRing *ring, uint32 position, uint32 positions, uint64 *stamp, int64 *value)
{
	FlakeValue *place = value_at(ring, position);

	*stamp = pg_atomic_read_u64(&place->stamp);
	pg_read_barrier();
	*value = (int64) pg_atomic_read_u64(&place->value);
	pg_read_barrier();
	return *stamp != 0 && pg_atomic_read_u64(&place->stamp) == *stamp &&
		((position_of(*stamp) ^ position) & positions) == 0;
}

/*
 * Return the least value that the transaction of these values may have drawn from a sequence, as a rank;
 * FLAKE_SEEN_NOTHING without any.  If another transaction's is in a place, this one has
 * ended, and has left a note, which is read later.
 */
uint64
flake_least_value(FlakeValues *values, Oid sequence, bool *any)
{
	uint64		range = pg_atomic_read_u64(&values->range);
	uint64		least = FLAKE_SEEN_NOTHING;
	FlakeRing  *ring;

	*any |= (range & FLAKE_ANY_VALUE) != 0;
	if (first_of(range) == next_of(range))
		return least;
	pg_read_barrier();
	ring = ring_of(values);
	for (uint32 at = first_of(range); at != next_of(range); at = (at + 1) & FLAKE_POSITIONS)
	{
		uint64		stamp;
		int64		value;

		if (read_value(ring, at, FLAKE_POSITIONS, &stamp, &value) && (Oid) stamp == sequence)
		{
			uint64		rank = flake_value_rank(value);

			least = Min(least, rank);
		}
	}
	return least;
}

/*
 * Store the same for a transaction that has left a note.  Return false if its announcements have
 * been overwritten.  Read from its last announcement back to its first.
 */
bool
flake_noted_value(uint64 note, Oid sequence, uint64 *least)
{
	uint32		number = flake_noted_session(note);
	uint32		at = flake_noted_position(note);
	uint32		positions = FLAKE_NOTE_POSITIONS - 1;
	FlakeValues *values = number < flake->session_count ? &flake->sessions[number].values
		: &flake_sequences()->prepared[number - flake->session_count];
	FlakeRing  *ring;
	uint64		stamp;
	int64		value;

	*least = FLAKE_SEEN_NOTHING;
	if (pg_atomic_read_u64(&values->ring) == InvalidDsaPointer)
		return false;			/* the note is not ready */
	ring = ring_of(values);
	do
	{
		if (!read_value(ring, at, positions, &stamp, &value))
			return false;
		if ((Oid) stamp == sequence)
		{
			uint64		rank = flake_value_rank(value);

			*least = Min(*least, rank);
		}
		at = (position_of(stamp) - 1) & FLAKE_POSITIONS;
		positions = FLAKE_POSITIONS;
	} while ((stamp & FIRST_VALUE) == 0);
	return true;
}

/*
 * For the view: find the next announcement, from the n-th on, and store
 * its sequence and value.  Begin with 0.
 */
bool
flake_show_value(FlakeValues *values, uint32 *n, Oid *sequence, int64 *value)
{
	uint64		range = pg_atomic_read_u64(&values->range);
	uint32		count = (next_of(range) - first_of(range)) & FLAKE_POSITIONS;
	uint64		stamp;

	pg_read_barrier();
	while (*n < count)
		if (read_value(ring_of(values), (first_of(range) + (*n)++) & FLAKE_POSITIONS, FLAKE_POSITIONS, &stamp, value))
		{
			*sequence = (Oid) stamp;
			return true;
		}
	return false;
}
