/*
 * draws.c
 *		flakeid_nextval() and the announcements for sequences: what a transaction announces
 *		before it draws, where that is kept, and how readers find it.
 *
 * A sequence has no time and needs none: its page, which every session locks to draw from it, is
 * the clock.  README.md has the rules.
 */
#include "horizon/reader.h"

#include "access/xact.h"
#include "commands/sequence.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* The size of a session's ring, and of a prepared transaction's, when it is made. */
#define DRAWS_OF_SESSION	1024
#define DRAWS_OF_PREPARED	64

/* A ring has at most so many places: a note has to tell two rounds of it apart. */
#define DRAWS_AT_MOST		(1 << 23)

#define DRAW_FIRST			(UINT64CONST(1) << 63)

/* ---------- what this transaction has announced ---------- */

#define ANNOUNCED_AT_FIRST	4

static FlakeAnnounced announced_at_first[ANNOUNCED_AT_FIRST];
static FlakeAnnounced *announced = announced_at_first;
static int	announced_count = 0;
static int	announced_room = ANNOUNCED_AT_FIRST;

/* The one used last, or NULL. */
static FlakeAnnounced *latest = NULL;

/* Has this transaction announced anything for sequences? */
bool
flake_has_drawn(void)
{
	return announced_count > 0;
}

/* Is there any sequence for which it has announced everything, for want of memory? */
bool
flake_has_drawn_any(void)
{
	return (pg_atomic_read_u64(&flake_session->drawer.draws) & FLAKE_DRAW_ANY) != 0;
}

/* The transaction has ended: withdraw what it has announced.  Did it leave a note? */
void
flake_withdraw_draws(bool noted)
{
	announced = announced_at_first;
	announced_count = 0;
	announced_room = ANNOUNCED_AT_FIRST;
	latest = NULL;
	flake_empty_drawer(&flake_session->drawer, noted);
}

/* Return what this transaction has announced for a sequence, or NULL. */
FlakeAnnounced *
flake_announced(Oid sequence)
{
	for (int i = 0; i < announced_count; i++)
		if (announced[i].sequence == sequence)
			return &announced[i];
	return NULL;
}

/*
 * A subtransaction has been rolled back: a sequence that it altered is again as it was before, without
 * the lock of what altered it.  Whoever draws next looks whether what was announced still holds.
 */
static void
end_of_subtransaction(SubXactEvent event, SubTransactionId mine pg_attribute_unused(),
					  SubTransactionId parent pg_attribute_unused(), void *arg pg_attribute_unused())
{
	if (event != SUBXACT_EVENT_ABORT_SUB)
		return;
	for (int i = 0; i < announced_count; i++)
		announced[i].file = 0;
	latest = NULL;
}

/* Return a new element of "announced", which lasts until the transaction ends. */
static FlakeAnnounced *
new_announced(Oid sequence)
{
	static bool registered = false;
	FlakeAnnounced *mine;

	flake_watch_transaction();
	if (!registered)
		RegisterSubXactCallback(end_of_subtransaction, NULL);
	registered = true;
	if (announced_count == announced_room)
	{
		FlakeAnnounced *more = MemoryContextAlloc(TopTransactionContext, 4 * announced_room * sizeof(FlakeAnnounced));

		memcpy(more, announced, announced_count * sizeof(FlakeAnnounced));
		announced = more;
		announced_room *= 4;
		latest = NULL;
	}
	mine = &announced[announced_count];
	memset(mine, 0, sizeof(*mine));
	mine->sequence = sequence;
	return mine;
}

/* ---------- drawers ---------- */

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
static bool
has_room(FlakeDrawer *drawer, uint32 more, uint32 size)
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
static uint32
add_draw(FlakeDrawer *drawer, Oid sequence, int64 least)
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

/* ---------- announcing ---------- */

/*
 * Keep that this transaction draws no value below "least" from a sequence, before it draws.  Without
 * memory for that it may draw any value of any sequence.
 */
static void
keep_draws(FlakeAnnounced *mine, int64 least)
{
	FlakeDrawer *drawer = &flake_session->drawer;
	uint64		draws = pg_atomic_read_u64(&drawer->draws);

	if (first_of(draws) == next_of(draws) && !flake_has_drawn_any())
		pg_atomic_write_u64(&flake_session->drawing_since, (uint64) GetCurrentStatementStartTimestamp());
	mine->least = least;
	if (!flake_has_drawn_any() && flake_make_draws() && has_room(drawer, 1, DRAWS_OF_SESSION))
	{
		/* map the notes now: when the transaction has ended an error would be a PANIC */
		(void) flake_draws();
		mine->kept = true;
		mine->position = add_draw(drawer, mine->sequence, least);
	}
	else
	{
		pg_atomic_write_u64(&drawer->draws, pg_atomic_read_u64(&drawer->draws) | FLAKE_DRAW_ANY);
		mine->least = PG_INT64_MIN;
	}
	pg_memory_barrier();
}

/* Announce that this transaction draws no value below "least" from a sequence. */
FlakeAnnounced *
flake_announce_draws(Relation sequence, int64 least)
{
	FlakeAnnounced *mine = new_announced(RelationGetRelid(sequence));

	keep_draws(mine, least);
	mine->file = flake_file_number(sequence);
	announced_count++;
	flake_announced_one(RelationGetRelid(sequence));
	return mine;
}

/* Remember that this transaction need not announce anything for a sequence without a horizon. */
FlakeAnnounced *
flake_announce_nothing(Relation sequence)
{
	FlakeAnnounced *mine = new_announced(RelationGetRelid(sequence));

	mine->least = PG_INT64_MIN;
	mine->file = flake_file_number(sequence);
	announced_count++;
	flake_lower_floor(sequence);
	return mine;
}

/* Change what was announced.  To lower it takes a full barrier afterwards. */
void
flake_change_draws(FlakeAnnounced *mine, int64 least)
{
	if (!mine->kept)
		return;
	mine->least = least;
	pg_atomic_write_u64(&draw_at(ring_of(&flake_session->drawer), mine->position)->value, (uint64) least);
}

/*
 * Announce that this transaction may draw from a sequence from now on, with the rights of "role"
 * (42501).  By the lock on the sequence, ALTER SEQUENCE waits for all who have announced, or have
 * not because of what it changes.  Who had the lock before may have drawn already.
 */
FlakeAnnounced *
flake_announce_sequence(Oid oid, Oid role)
{
	bool		used;
	Relation	sequence = flake_sequence_open(oid, role, &used);
	FlakeAnnounced *mine;

	if (flake_sequence_rises(sequence))
	{
		mine = flake_announce_draws(sequence, flake_next_value(flake_sequence_last(sequence, NULL)));
		if (unlikely(used))
			flake_count_unannounced(oid);
	}
	else
		mine = flake_announce_nothing(sequence);
	flake_sequence_close(sequence, true);
	return mine;
}

/*
 * Look again at a sequence for which this transaction has announced, and whose lock it has, if it may
 * have given the sequence another file since: by that it may have set the sequence back, or given it
 * the order that it did not have.
 */
void
flake_announce_again(FlakeAnnounced *mine)
{
	Relation	sequence = flake_sequence_open_again(mine->sequence);

	if (unlikely(mine->file != flake_file_number(sequence)))
	{
		int64		least = flake_next_value(flake_sequence_last(sequence, NULL));

		if (mine->kept && least < mine->least)
		{
			flake_change_draws(mine, least);
			pg_memory_barrier();
		}
		else if (!mine->kept && flake_sequence_rises(sequence))
			keep_draws(mine, least);
		else if (!mine->kept)
			flake_lower_floor(sequence);
		mine->file = flake_file_number(sequence);
	}
	flake_sequence_close(sequence, true);
}

/* ---------- flakeid_nextval() ---------- */

/* A value is below what was announced: this transaction has set the sequence back. */
static pg_noinline int64
drawn_below(FlakeAnnounced *mine, int64 value)
{
	flake_change_draws(mine, value);
	pg_memory_barrier();
	return value;
}

/* The first draw of a transaction from a sequence. */
static pg_noinline int64
draw_first(Oid oid)
{
	FlakeAnnounced *mine;
	int64		value;

	flake_attach();
	mine = flake_announce_sequence(oid, GetUserId());
	flake_injection_point("flakeid-draw-announced");
	value = nextval_internal(oid, true);
	if (unlikely(value < mine->least))
		value = drawn_below(mine, value);
	else
		flake_change_draws(mine, value);	/* no barrier: the lower one holds, too */
	latest = mine;
	return value;
}

/* Draw a value from a sequence as nextval() does, and announce it before. */
static int64
draw_value(Oid sequence)
{
	FlakeAnnounced *mine = latest;
	int64		value;

	if (unlikely(mine == NULL || mine->sequence != sequence))
	{
		mine = flake_announced(sequence);
		if (mine == NULL)
			return draw_first(sequence);
		if (unlikely(mine->file == 0))
			flake_announce_again(mine);
		latest = mine;
	}
	value = nextval_internal(sequence, true);
	return likely(value >= mine->least) ? value : drawn_below(mine, value);
}

/* Draw a value from a sequence that this transaction has announced, whose rights were checked then. */
int64
flake_draw_announced(Oid sequence)
{
	FlakeAnnounced *mine = flake_announced(sequence);
	int64		value = nextval_internal(sequence, false);

	return value >= mine->least ? value : drawn_below(mine, value);
}

/* flakeid_nextval(sequence): nextval(), whose values flakeid_horizon() follows. */
PG_FUNCTION_INFO_V1(flakeid_nextval);
Datum
flakeid_nextval(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(draw_value(PG_GETARG_OID(0)));
}

/* ---------- the end of a transaction; announce.c calls these ---------- */

/* Store the position of the last announcement of a drawer's transaction.  False: it has none. */
bool
flake_last_draw(FlakeDrawer *drawer, uint32 *last)
{
	uint64		draws = pg_atomic_read_u64(&drawer->draws);

	*last = (next_of(draws) - 1) & FLAKE_POSITIONS;
	return first_of(draws) != next_of(draws);
}

/*
 * Copy what this transaction has announced into the drawer of a prepared one, which is reserved for
 * it.  False: there is no memory.
 */
bool
flake_copy_draws(FlakeDrawer *drawer)
{
	flake_empty_drawer(drawer, true);
	if (announced_count == 0)
		return true;
	if (!has_room(drawer, announced_count, DRAWS_OF_PREPARED))
		return false;
	for (int i = 0; i < announced_count; i++)
		if (announced[i].kept)
			(void) add_draw(drawer, announced[i].sequence, announced[i].least);
	return true;
}

/* ---------- reading what others have announced ---------- */

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
