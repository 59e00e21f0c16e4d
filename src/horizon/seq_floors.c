/*
 * seq_floors.c
 *		How far readers of a sequence may have got, for values that were drawn elsewhere: by a
 *		client, or in an earlier transaction.
 *
 * Values that are announced before they are drawn need no floor.  A value that was drawn earlier
 * is announced late, and a reader may have passed it.  So readers raise the floor before they
 * look at the announcements, and a writer announces its value before it looks at the floor.
 *
 * A sequence gets a floor when somebody first asks for its horizon, or for its floor.  Readers
 * may have come before that, so the floor begins above all values drawn by then.
 */
#include "horizon/reader.h"

#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* ---------- the list of floors ---------- */

static pg_atomic_uint64 *
bucket_of(Oid sequence)
{
	return &flake_sequences()->floors[sequence * 2654435769U >> 16 & (FLAKE_FLOORS - 1)];
}

static FlakeFloor *
floor_at(uint64 pointer)
{
	return pointer == InvalidDsaPointer ? NULL : dsa_get_address(flake_area, (dsa_pointer) pointer);
}

static FlakeFloor *
next_floor(FlakeFloor *floor)
{
	return floor_at(pg_atomic_read_u64(&floor->next));
}

/* Return a sequence's floor, or NULL, also where there is no memory for floors yet. */
static FlakeFloor *
find_floor(Oid sequence)
{
	FlakeFloor *floor;

	if (pg_atomic_read_u64(&flake_db->sequences) == InvalidDsaPointer)
		return NULL;
	floor = floor_at(pg_atomic_read_u64(bucket_of(sequence)));
	while (floor != NULL && pg_atomic_read_u32(&floor->sequence) != sequence)
		floor = next_floor(floor);
	return floor;
}

/* Return an element of a sequence's bucket whose sequence was dropped, and store its OID. */
static FlakeFloor *
find_dropped(Oid sequence, Oid *dropped)
{
	FlakeFloor *floor = floor_at(pg_atomic_read_u64(bucket_of(sequence)));

	while (floor != NULL)
	{
		*dropped = pg_atomic_read_u32(&floor->sequence);
		if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(*dropped)))
			break;
		floor = next_floor(floor);
	}
	return floor;
}

/* Forget what the doctor would say of a sequence. */
void
flake_forget_noticed(FlakeFloor *floor)
{
	pg_atomic_write_u32(&floor->asked_file, 0);
	pg_atomic_write_u32(&floor->moved, 0);
	pg_atomic_write_u32(&floor->heard, 0);
	pg_atomic_write_u64(&floor->unannounced, 0);
	pg_atomic_write_u64(&floor->told, (uint64) PG_INT64_MIN);
	pg_atomic_write_u32(&floor->back, 0);
}

static void
begin_floor(FlakeFloor *floor, Oid sequence)
{
	pg_atomic_write_u32(&floor->file, 0);
	pg_atomic_write_u32(&floor->begun, 0);
	pg_atomic_write_u32(&floor->lowered, 0);
	pg_atomic_write_u32(&floor->logged, 0);
	pg_atomic_write_u64(&floor->floor_value, (uint64) PG_INT64_MIN);
	pg_atomic_write_u64(&floor->asked, 0);
	pg_atomic_write_u64(&floor->asked_next, 0);
	flake_forget_noticed(floor);
	pg_write_barrier();
	pg_atomic_write_u32(&floor->sequence, sequence);
}

/*
 * Return a sequence's floor, which is added to the list if it is not there.  The entry of a dropped
 * sequence is reused.  A session that still points to it sees that it belongs to another sequence,
 * and looks again.  NULL if another session was faster, or "allocate" finds no memory.
 */
static FlakeFloor *
make_floor(Oid sequence, dsa_pointer (*allocate) (Size))
{
	Oid			dropped;
	FlakeFloor *used = find_dropped(sequence, &dropped);
	dsa_pointer made = used == NULL ? allocate(sizeof(FlakeFloor)) : InvalidDsaPointer;
	FlakeFloor *floor;

	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	floor = find_floor(sequence);
	if (floor == NULL && used != NULL && pg_atomic_read_u32(&used->sequence) == dropped)
	{
		floor = used;
		pg_atomic_write_u32(&floor->sequence, InvalidOid);
		pg_memory_barrier();
		begin_floor(floor, sequence);
	}
	else if (floor == NULL && DsaPointerIsValid(made))
	{
		floor = floor_at(made);
		begin_floor(floor, sequence);
		pg_atomic_write_u64(&floor->next, pg_atomic_read_u64(bucket_of(sequence)));
		pg_write_barrier();
		pg_atomic_write_u64(bucket_of(sequence), made);
		pg_atomic_fetch_add_u64(&flake_db->bytes, sizeof(FlakeFloor));
		made = InvalidDsaPointer;
	}
	LWLockRelease(&flake_db->lock);
	if (DsaPointerIsValid(made))
		flake_free(made, sizeof(FlakeFloor));
	return floor;
}

static FlakeFloor *
floor_of(Oid sequence)
{
	FlakeFloor *floor = find_floor(sequence);

	while (floor == NULL)
		floor = make_floor(sequence, flake_allocate);
	return floor;
}

/* ---------- readers ---------- */

/*
 * This session, which has locked a sequence, asks for its horizon.  The first to do so for a file
 * makes sure that the sequence's WAL brings back all values drawn.
 */
void
flake_log_sequence(Relation sequence)
{
	FlakeFloor *floor = floor_of(RelationGetRelid(sequence));
	uint32		file = flake_file_number(sequence);

	if (likely(pg_atomic_read_u32(&floor->logged) == file))
		return;
	flake_sequence_log(sequence);
	pg_atomic_write_u32(&floor->logged, file);
}

static void
raise_to(pg_atomic_uint64 *least, int64 value)
{
	uint64		old = pg_atomic_read_u64(least);

	while ((int64) old < value && !pg_atomic_compare_exchange_u64(least, &old, (uint64) value))
		continue;
}

/*
 * A reader is going to read all values below this one.  It has the sequence's lock, so nobody
 * gives the sequence another file.
 */
void
flake_raise_floor(Relation sequence, int64 value)
{
	Oid			oid = RelationGetRelid(sequence);
	FlakeFloor *floor;

	do
	{
		floor = floor_of(oid);
		if (pg_atomic_read_u64(&floor->asked) == 0)
			pg_atomic_write_u64(&floor->asked, (uint64) GetCurrentTimestamp());
		raise_to(&floor->floor_value, value);
	} while (pg_atomic_read_u32(&floor->sequence) != oid);
}

/*
 * A reader has found that the next value is "next".  If readers were told more, look again, because
 * another reader may have been faster.  If it is still more, somebody has set the sequence back.
 */
static void
watch_told(FlakeFloor *floor, Relation sequence, int64 next)
{
	int64		told = (int64) pg_atomic_read_u64(&floor->told);
	bool		back = false;

	if (unlikely(told > next))
	{
		pg_read_barrier();
		back = told > flake_next_value(flake_sequence_last(sequence, NULL));
	}
	if (unlikely(back != (pg_atomic_read_u32(&floor->back) != 0)))
		pg_atomic_write_u32(&floor->back, back);
	raise_to(&floor->told, next);
}

/*
 * A reader has looked, and found that the next value is "next".  Has the sequence moved since the
 * first one looked at this file, and has nobody announced that, readers miss rows.
 */
void
flake_watch_sequence(Relation sequence, int64 next, bool announced)
{
	FlakeFloor *floor = floor_of(RelationGetRelid(sequence));
	uint32		file = flake_file_number(sequence);

	watch_told(floor, sequence, next);
	if (unlikely(pg_atomic_read_u32(&floor->asked_file) != file))
	{
		pg_atomic_write_u64(&floor->asked_next, (uint64) next);
		pg_atomic_write_u32(&floor->moved, 0);
		pg_atomic_write_u32(&floor->heard, 0);
		pg_atomic_write_u32(&floor->asked_file, file);
	}
	if (announced)
		flake_announced_one(RelationGetRelid(sequence));
	else if (next != (int64) pg_atomic_read_u64(&floor->asked_next) && pg_atomic_read_u32(&floor->heard) == 0)
		pg_atomic_write_u32(&floor->moved, 1);
}

/* ---------- writers ---------- */

/* A transaction has announced what it draws from a sequence, or is about to. */
void
flake_announced_one(Oid sequence)
{
	FlakeFloor *floor = find_floor(sequence);

	if (floor != NULL && pg_atomic_read_u32(&floor->heard) == 0)
		pg_atomic_write_u32(&floor->heard, 1);
}

/*
 * A transaction is going to draw from a sequence that has no horizon.  If the sequence was set back
 * when it got this file, readers have to go back, too, and have passed nothing.
 */
void
flake_lower_floor(Relation sequence)
{
	FlakeFloor *floor = find_floor(RelationGetRelid(sequence));
	uint32		file = flake_file_number(sequence);
	uint64		next;
	uint64		old;

	if (floor == NULL || pg_atomic_read_u32(&floor->lowered) == file)
		return;
	next = (uint64) flake_next_value(flake_sequence_last(sequence, NULL));
	old = pg_atomic_read_u64(&floor->floor_value);
	while ((int64) old > (int64) next && !pg_atomic_compare_exchange_u64(&floor->floor_value, &old, next))
		continue;
	pg_atomic_write_u32(&floor->lowered, file);
}

/*
 * Begin the floor of a sequence's file.  The floor is in the list, and is set back, before the last
 * value is read: a reader that raised it earlier, or did not find it, has read no later one.
 */
static void
begin_file(FlakeFloor *floor, Relation sequence)
{
	uint32		file = flake_file_number(sequence);

	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (pg_atomic_read_u32(&floor->begun) != file)
	{
		pg_atomic_write_u32(&floor->file, 0);
		pg_atomic_write_u64(&floor->floor_value, (uint64) PG_INT64_MIN);
		pg_atomic_write_u32(&floor->begun, file);
	}
	LWLockRelease(&flake_db->lock);
	raise_to(&floor->floor_value, flake_next_value(flake_sequence_last(sequence, NULL)));
	pg_memory_barrier();
	pg_atomic_write_u32(&floor->file, file);
}

/* Return the floor of a sequence that this transaction has locked. */
FlakeFloor *
flake_ready_floor(Relation sequence)
{
	FlakeFloor *floor = floor_of(RelationGetRelid(sequence));

	if (pg_atomic_read_u32(&floor->file) != flake_file_number(sequence))
		begin_file(floor, sequence);
	pg_read_barrier();
	return floor;
}

/* Return up to where readers may have got. */
int64
flake_passed_value(FlakeFloor *floor, Oid sequence)
{
	int64		passed = (int64) pg_atomic_read_u64(&floor->floor_value);

	pg_read_barrier();
	return pg_atomic_read_u32(&floor->sequence) == sequence ? passed : PG_INT64_MAX;
}

/* Store how far readers had got while a sequence had a horizon, and return true if that is known. */
bool
flake_had_passed(Relation sequence, int64 *passed)
{
	FlakeFloor *floor = find_floor(RelationGetRelid(sequence));

	if (floor == NULL || pg_atomic_read_u64(&floor->asked) == 0)
		return false;
	flake_lower_floor(sequence);
	*passed = flake_passed_value(floor, RelationGetRelid(sequence));
	return true;
}

/* ---------- transactions that announce too late ---------- */

/*
 * This transaction has used a sequence before it announced anything, so readers may miss values
 * that it has drawn.  Without memory nobody counts it.
 */
void
flake_count_unannounced(Oid sequence)
{
	FlakeFloor *floor;

	if (!flake_make_sequences())
		return;
	floor = find_floor(sequence);
	if (floor == NULL)
		floor = make_floor(sequence, flake_try_allocate);
	if (floor != NULL)
		pg_atomic_fetch_add_u64(&floor->unannounced, 1);
}

/* ---------- views ---------- */

/* Has anybody asked for the horizon of a sequence since the memory was created? */
bool
flake_is_asked(Oid sequence)
{
	FlakeFloor *floor = find_floor(sequence);

	return floor != NULL && pg_atomic_read_u64(&floor->asked) != 0;
}

/* Return the next sequence of the list, and store the bucket; begin with NULL and 0.  NULL: there is none. */
FlakeFloor *
flake_next_floor(FlakeFloor *floor, int *bucket)
{
	if (pg_atomic_read_u64(&flake_db->sequences) == InvalidDsaPointer)
		return NULL;
	floor = floor == NULL ? floor_at(pg_atomic_read_u64(&flake_sequences()->floors[*bucket])) : next_floor(floor);
	while (floor == NULL && ++*bucket < FLAKE_FLOORS)
		floor = floor_at(pg_atomic_read_u64(&flake_sequences()->floors[*bucket]));
	return floor;
}
