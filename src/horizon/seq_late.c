/*
 * seq_late.c
 *		Values that were drawn elsewhere: may a transaction still write them?
 */
#include "horizon/reader.h"

/*
 * Return whether a value is at or above the last horizon that readers got for its sequence.  They
 * do not come back for lower ones.  A sequence that does not ascend has no such order.
 */
static bool
in_time_without_horizon(Relation sequence, int64 value, int64 *passed)
{
	return !flake_sequence_ascends(sequence) || !flake_had_passed(sequence, passed) || value >= *passed;
}

/*
 * Return whether it is early enough for this transaction to write this value, wherever it was
 * drawn.  If so, announce it.  If not, store in *passed how far readers may have got, and announce
 * only for values drawn later, so that the late value does not hold readers back.  "role" must be
 * allowed to draw from the sequence (42501).
 */
bool
flake_value_in_time(Oid oid, Oid role, int64 value, int64 *passed)
{
	FlakeDrawing *mine = flake_drawing(oid);
	FlakeFloor *floor;
	Relation	sequence;
	int64		next;
	bool		used;
	bool		in_time;

	if (mine != NULL && mine->file == 0)
		flake_announce_again(mine);
	if (mine != NULL && mine->kept && value >= mine->least)
		return true;
	flake_attach();
	sequence = flake_sequence_open(oid, role, &used);
	if ((mine == NULL || !mine->kept) && !flake_sequence_rises(sequence))
	{
		if (mine == NULL)
			(void) flake_announce_nothing(sequence);
		in_time = in_time_without_horizon(sequence, value, passed);
		flake_sequence_close(sequence, true);
		return in_time;
	}
	floor = flake_ready_floor(sequence);
	next = mine != NULL && mine->kept ? mine->least : flake_next_value(flake_sequence_last(sequence, NULL));
	if (mine == NULL)
		mine = flake_announce_value(sequence, next);
	*passed = flake_passed_value(floor, oid);
	if (value >= *passed)
	{
		flake_change_announced(mine, Min(value, next));
		pg_memory_barrier();
		flake_injection_point("flakeid-value-announced");
		*passed = flake_passed_value(floor, oid);
		if (value < *passed)
			flake_change_announced(mine, next);
	}
	flake_sequence_close(sequence, true);
	return value >= *passed;
}
