/*
 * retention.c
 *		Which partitions are past their time.
 *
 * A past partition goes when it is past "retain", and the newer past ones span "retain".  Those
 * with rows count; empty ones count in an unbroken row of partitions up to the present, except
 * the last "ahead", which may have been made ahead of time.  One with rows goes only by what lies
 * below the newest past one with rows.
 *
 * So a clock that is ahead for a night, however far, costs one step: in its time there are few
 * partitions, and between them and the others is a gap.  A clock that is ahead by less than
 * "ahead" steps finds those that were made ahead, without rows: they do not count.
 */
#include "kernel/flake.h"

/*
 * Does the next partition go?  To be asked of all that have an end, from the newest to the oldest,
 * after the first three fields and "ahead" were set and the others are 0.  "newer" becomes what
 * the newer ones span: if the partition is past "retain" and stays, that is less than "retain".
 *
 * One that is locked is taken for the one of both that keeps more.
 */
bool
flake_retention_next(FlakeRetention *state, int64_t lower, int64_t upper, FlakeRows rows,
					 int64_t *newer)
{
	bool		unbroken = lower != FLAKE_NO_BEGIN && upper == state->unbroken_from;
	bool		counts = lower != FLAKE_NO_BEGIN && rows == FLAKE_ROWS_SOME;

	*newer = rows == FLAKE_ROWS_NONE ? state->newer : state->newer_below;
	if (upper > state->now)
		return false;
	if (unbroken && state->ahead > 0)
		state->ahead--;
	else if (unbroken)
		counts = true;
	state->unbroken_from = unbroken ? lower : FLAKE_NO_BEGIN;
	state->seen_rows |= rows == FLAKE_ROWS_SOME;
	if (counts)
		state->newer += upper - lower;
	if (counts && state->seen_rows)
		state->newer_below += upper - lower;
	return state->retain > 0 && upper <= state->now - state->retain && *newer >= state->retain;
}
