/*
 * seq_announce.c
 *		What a transaction announces before it draws from a sequence, and flakeid_nextval().
 *
 * A sequence has no time and needs none, because its page, which every session locks to draw
 * from it, is the clock.  README.md has the rules.
 */
#include "horizon/reader.h"

#include "access/relation.h"
#include "access/xact.h"
#include "commands/sequence.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* The size of a session's ring, when it is made. */
#define VALUES_OF_SESSION	1024

#define DRAWINGS_AT_FIRST	4

/* ---------- what this transaction has announced ---------- */

static FlakeDrawing drawings_at_first[DRAWINGS_AT_FIRST];

static FlakeDrawing *drawings = drawings_at_first;

static int	drawings_count = 0;

static int	drawings_room = DRAWINGS_AT_FIRST;

/* The one used last, or NULL. */
static FlakeDrawing *latest = NULL;

/* The number of the transaction that has announced these. */
static uint64 transaction = 0;

/* Forget what an earlier transaction has announced. */
static inline void
begin_anew(void)
{
	if (likely(transaction == flake_ended))
		return;
	drawings = drawings_at_first;
	drawings_count = 0;
	drawings_room = DRAWINGS_AT_FIRST;
	latest = NULL;
	transaction = flake_ended;
}

/* Return what this transaction has announced for a sequence, or NULL. */
FlakeDrawing *
flake_drawing(Oid sequence)
{
	begin_anew();
	for (int i = 0; i < drawings_count; i++)
		if (drawings[i].sequence == sequence)
			return &drawings[i];
	return NULL;
}

/*
 * A subtransaction has been rolled back.  A sequence that it altered is again as it was before, and
 * the lock of that ALTER is gone.  The next draw checks whether the announcement still holds.
 */
static void
end_of_subtransaction(SubXactEvent event, SubTransactionId mine pg_attribute_unused(),
					  SubTransactionId parent pg_attribute_unused(), void *arg pg_attribute_unused())
{
	if (event != SUBXACT_EVENT_ABORT_SUB)
		return;
	begin_anew();
	for (int i = 0; i < drawings_count; i++)
		drawings[i].file = 0;
	latest = NULL;
}

/* Return a new element of "drawings", which lasts until the transaction ends. */
static FlakeDrawing *
new_drawing(Oid sequence)
{
	static bool registered = false;
	FlakeDrawing *mine;

	begin_anew();
	flake_watch_transaction();
	if (!registered)
		RegisterSubXactCallback(end_of_subtransaction, NULL);
	registered = true;
	if (drawings_count == drawings_room)
	{
		FlakeDrawing *more = MemoryContextAlloc(TopTransactionContext, 4 * drawings_room * sizeof(FlakeDrawing));

		memcpy(more, drawings, drawings_count * sizeof(FlakeDrawing));
		drawings = more;
		drawings_room *= 4;
		latest = NULL;
	}
	mine = &drawings[drawings_count];
	memset(mine, 0, sizeof(*mine));
	mine->sequence = sequence;
	return mine;
}

/* ---------- announcing ---------- */

/*
 * Record, before it draws, that this transaction draws no value below "least" from a sequence.
 * Without memory for that, readers must expect any value of any sequence from it.
 */
static void
keep_value(FlakeDrawing *mine, int64 least)
{
	FlakeValues *values = &flake_session->values;

	if (flake_is_empty(values))
		pg_atomic_write_u64(&flake_session->drawing_since, (uint64) GetCurrentStatementStartTimestamp());
	mine->least = least;
	if (!flake_may_draw_any(values) && flake_make_sequences() && flake_has_room(values, 1, VALUES_OF_SESSION))
	{
		/*
		 * map the notes now: when the transaction has ended an error would be
		 * a PANIC
		 */
		(void) flake_sequences();
		mine->kept = true;
		mine->position = flake_add_value(values, mine->sequence, least);
	}
	else
	{
		pg_atomic_write_u64(&values->range, pg_atomic_read_u64(&values->range) | FLAKE_ANY_VALUE);
		mine->least = PG_INT64_MIN;
	}
	pg_memory_barrier();
}

/* Announce that this transaction draws no value below "least" from a sequence. */
FlakeDrawing *
flake_announce_value(Relation sequence, int64 least)
{
	FlakeDrawing *mine = new_drawing(RelationGetRelid(sequence));

	keep_value(mine, least);
	mine->file = flake_file_number(sequence);
	drawings_count++;
	flake_announced_one(RelationGetRelid(sequence));
	return mine;
}

/* Remember that this transaction need not announce anything for a sequence without a horizon. */
FlakeDrawing *
flake_announce_nothing(Relation sequence)
{
	FlakeDrawing *mine = new_drawing(RelationGetRelid(sequence));

	mine->least = PG_INT64_MIN;
	mine->file = flake_file_number(sequence);
	drawings_count++;
	flake_lower_floor(sequence);
	return mine;
}

/* Change what was announced.  To lower it takes a full barrier afterwards. */
void
flake_change_announced(FlakeDrawing *mine, int64 least)
{
	if (!mine->kept)
		return;
	mine->least = least;
	flake_change_value(&flake_session->values, mine->position, least);
}

/*
 * Announce that this transaction may draw from a sequence from now on, with the rights of "role"
 * (42501).  The lock on the sequence makes ALTER SEQUENCE wait for every transaction that has
 * announced, and for those that could not because the sequence has no order.  A transaction that
 * already held the lock may have drawn.
 */
FlakeDrawing *
flake_announce_sequence(Oid oid, Oid role)
{
	bool		used;
	Relation	sequence = flake_sequence_open(oid, role, &used);
	FlakeDrawing *mine;

	if (flake_sequence_rises(sequence))
	{
		mine = flake_announce_value(sequence, flake_next_value(flake_sequence_last(sequence, NULL)));
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
 * have given the sequence a new file since then.  That may have set the sequence back, or made it
 * ascending.
 */
void
flake_announce_again(FlakeDrawing *mine)
{
	Relation	sequence = relation_open(mine->sequence, NoLock);

	if (unlikely(mine->file != flake_file_number(sequence)))
	{
		int64		least = flake_next_value(flake_sequence_last(sequence, NULL));

		if (mine->kept && least < mine->least)
		{
			flake_change_announced(mine, least);
			pg_memory_barrier();
		}
		else if (!mine->kept && flake_sequence_rises(sequence))
			keep_value(mine, least);
		else if (!mine->kept)
			flake_lower_floor(sequence);
		mine->file = flake_file_number(sequence);
	}
	flake_sequence_close(sequence, true);
}

/* ---------- flakeid_nextval() ---------- */

/* A value is below the announced one, because this transaction has set the sequence back. */
static pg_noinline int64
drawn_below(FlakeDrawing *mine, int64 value)
{
	flake_change_announced(mine, value);
	pg_memory_barrier();
	return value;
}

/* The first draw of a transaction from a sequence. */
static pg_noinline int64
draw_first(Oid oid)
{
	FlakeDrawing *mine;
	int64		value;

	flake_attach();
	mine = flake_announce_sequence(oid, GetUserId());
	flake_injection_point("flakeid-draw-announced");
	value = nextval_internal(oid, true);
	if (unlikely(value < mine->least))
		value = drawn_below(mine, value);
	else
		flake_change_announced(mine, value);	/* no barrier: the lower one
												 * holds, too */
	latest = mine;
	return value;
}

/* Draw a value from a sequence as nextval() does, and announce it before. */
int64
flake_draw_value(Oid sequence)
{
	FlakeDrawing *mine = transaction == flake_ended ? latest : NULL;
	int64		value;

	if (unlikely(mine == NULL || mine->sequence != sequence))
	{
		mine = flake_drawing(sequence);
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
	FlakeDrawing *mine = flake_drawing(sequence);
	int64		value = nextval_internal(sequence, false);

	return value >= mine->least ? value : drawn_below(mine, value);
}

/* flakeid_nextval(sequence): nextval(), whose values flakeid_horizon() follows. */
PG_FUNCTION_INFO_V1(flakeid_nextval);

Datum
flakeid_nextval(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(flake_draw_value(PG_GETARG_OID(0)));
}
