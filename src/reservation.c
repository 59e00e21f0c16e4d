/*
 * reservation.c
 *		The marks of a database: how they merge, advance, are raised and reset.
 *
 * Pure functions; mark.c and reset.c carry out what they decide: they take the locks
 * and write.
 *
 * A mark is the instant before which IDs may have been issued.  Whenever two
 * values of a mark meet (shared memory and page, two rows, a restored dump and the
 * live row), the later one wins; only a reset lowers a mark.  Beside the mark
 * stand two intervals.  In the first, from JUMP_FROM to JUMP_TO, nothing was issued,
 * because the clock jumped over it: a reset may go back there.  The second, from
 * RETIRED_FROM to RETIRED_TO, was issued while the clock was wrong, before a
 * reset: it is never issued again.
 */
#include "flake.h"

/* Where a mark moves further than this beyond the time that has passed, the gap is remembered. */
#define JUMP_US			(60 * FLAKE_US_PER_SECOND)

/* Retired intervals that are further apart are not joined: the time between them would be lost. */
#define JOIN_US			(3600 * FLAKE_US_PER_SECOND)

static inline bool
empty(FlakeInterval interval)
{
	return interval.from >= interval.to;
}

static inline FlakeInterval
retired_of(const FlakeMarkValues *values)
{
	FlakeInterval retired = {values->us[FLAKE_RETIRED_FROM], values->us[FLAKE_RETIRED_TO]};

	return retired;
}

static inline void
set_retired(FlakeMarkValues *values, FlakeInterval retired)
{
	values->us[FLAKE_RETIRED_FROM] = retired.from;
	values->us[FLAKE_RETIRED_TO] = retired.to;
}

/* Return the least interval that holds both. */
static FlakeInterval
interval_join(FlakeInterval a, FlakeInterval b)
{
	FlakeInterval both = {a.from < b.from ? a.from : b.from, a.to > b.to ? a.to : b.to};

	if (empty(a))
		return b;
	if (empty(b))
		return a;
	return both;
}

/*
 * Merge another value of the same mark into this one.  The later mark wins, and its
 * gap with it; what either has retired stays retired.
 */
void
flake_mark_merge_values(FlakeMarkValues *values, const FlakeMarkValues *other)
{
	FlakeInterval retired = interval_join(retired_of(values), retired_of(other));

	if (other->us[FLAKE_MARK] > values->us[FLAKE_MARK])
		*values = *other;
	set_retired(values, retired);
}

/*
 * Advance the mark to the lead above us, so that a tick that starts at us may be
 * issued.  "elapsed" is the real time since the mark was moved last, in us, or 0 if
 * the server has been restarted since.  Returns false, and changes nothing, if
 * another session has moved the mark meanwhile.
 *
 * *floor is 0 or, if the clock jumped, the instant before which no ID may be issued
 * from now on, so that the gap stays empty.
 */
bool
flake_mark_advance(FlakeMarkValues *values, int64_t us, int64_t elapsed, int64_t *floor)
{
	int64_t		jump = us - values->us[FLAKE_MARK];

	*floor = 0;
	if (jump <= -FLAKE_NEAR_US)
		return false;
	if (jump - elapsed > JUMP_US)
	{
		values->us[FLAKE_JUMP_FROM] = values->us[FLAKE_MARK];
		values->us[FLAKE_JUMP_TO] = us;
		*floor = us;
	}
	values->us[FLAKE_MARK] = us + FLAKE_LEAD_US;
	return true;
}

/*
 * Count everything before us as issued, and the interval as retired (a restored
 * state or dump, an advance).  Returns whether that changes anything.
 */
bool
flake_mark_raise_values(FlakeMarkValues *values, int64_t us, FlakeInterval retired)
{
	const FlakeMarkValues before = *values;

	if (us > values->us[FLAKE_MARK])
	{
		/* IDs count as issued in the gap, so no reset may go back to it */
		values->us[FLAKE_MARK] = us;
		values->us[FLAKE_JUMP_FROM] = values->us[FLAKE_JUMP_TO] = 0;
	}
	else if (us > values->us[FLAKE_JUMP_FROM])
		values->us[FLAKE_JUMP_FROM] = us < values->us[FLAKE_JUMP_TO] ? us : values->us[FLAKE_JUMP_TO];
	if (!empty(retired))
		set_retired(values, interval_join(retired_of(values), retired));
	return memcmp(&before, values, sizeof(before)) != 0;
}

/*
 * Plan a reset of the clock to us: what becomes of the mark, or why the reset is refused.
 *
 * When the clock jumps ahead, nothing is issued between the old mark and the new
 * time.  A reset into that gap repeats nothing, as long as what was issued at the
 * wrong time, from the gap's end to the mark, is never issued again: it is retired.
 * One retired interval is kept, so the next must be within an hour of it, unless us
 * is past it already.  A reset to anywhere else can repeat IDs and takes force, which
 * also forgets what is retired after us.  A mark that leads us by no more than marks
 * always lead stays where it is.
 */
FlakeReset
flake_plan_reset(const FlakeMarkValues *values, int64_t us, bool force, FlakeResetPlan *plan)
{
	int64_t		mark = values->us[FLAKE_MARK];
	FlakeInterval retired = retired_of(values);

	plan->values = *values;
	if (force)
	{
		if (retired.to > us)
			retired.to = us;
		if (empty(retired))
			memset(&retired, 0, sizeof(retired));
		plan->lower = us < mark;
	}
	else
		plan->lower = mark - us > FLAKE_LEAD_US;

	if (plan->lower && !force)
	{
		FlakeInterval wrong = {values->us[FLAKE_JUMP_TO], mark};

		if (us < values->us[FLAKE_JUMP_FROM] || us > values->us[FLAKE_JUMP_TO])
			return FLAKE_RESET_ISSUED;
		if (retired.to <= us)
			retired = wrong;
		else if (wrong.from - retired.to > JOIN_US || retired.from - wrong.to > JOIN_US)
			return FLAKE_RESET_RETIRED;
		else
			retired = interval_join(retired, wrong);
	}
	plan->write = plan->lower || force;
	set_retired(&plan->values, retired);
	if (plan->lower)
	{
		plan->values.us[FLAKE_MARK] = us;
		plan->values.us[FLAKE_JUMP_FROM] = plan->values.us[FLAKE_JUMP_TO] = 0;
	}
	return FLAKE_RESET_DONE;
}
