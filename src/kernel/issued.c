/*
 * issued.c
 *		The intervals in which a database has issued IDs: growing, merging, resetting.
 */
#include "kernel/flake.h"

/* If the mark would move this much further than the time that has passed, the clock has jumped. */
#define JUMP_US			(60 * FLAKE_US_PER_SECOND)

/* A reset joins intervals above itself that are this close: a wrong time with restarts in it is one. */
#define JOIN_US			(3600 * FLAKE_US_PER_SECOND)

/* Remove an interval.  A caller that removes the current one sets another. */
static void
take_out(FlakeIssued *issued, int i)
{
	issued->count--;
	memmove(&issued->at[i], &issued->at[i + 1], (issued->count - i) * sizeof(FlakeInterval));
	memset(&issued->at[issued->count], 0, sizeof(FlakeInterval));
	if (issued->current > i)
		issued->current--;
}

/* Insert an interval in order, an empty one below one that begins with it; return its index. */
static int
put_in(FlakeIssued *issued, int64_t from, int64_t to)
{
	int			i = 0;

	while (i < issued->count &&
		   (issued->at[i].from < from || (issued->at[i].from == from && issued->at[i].to < to)))
		i++;
	memmove(&issued->at[i + 1], &issued->at[i], (issued->count - i) * sizeof(FlakeInterval));
	issued->at[i].from = from;
	issued->at[i].to = to;
	issued->count++;
	if (issued->current >= i)
		issued->current++;
	return i;
}

/* Join an interval with the next one; the time between them counts as issued from now on. */
static void
join_next(FlakeIssued *issued, int i)
{
	FlakeInterval *low = &issued->at[i];
	const FlakeInterval *high = &issued->at[i + 1];

	if (high->from < low->from)
		low->from = high->from;
	if (high->to > low->to)
		low->to = high->to;
	if (issued->current == i + 1)
		issued->current = i;
	take_out(issued, i + 1);
}

/*
 * Return the interval whose gap above it is given up when there are too many: below the current
 * one, the gap that is smallest compared with the time since it, as a reset needs a jump that
 * has just happened; if there is none below, the narrowest above, in which no IDs are made then.
 * Never the gap above the current interval, which the mark would skip.
 */
static int
least_gap(const FlakeIssued *issued)
{
	bool		below = issued->current > 0;
	int			end = below ? issued->current : issued->count - 1;
	double		least = 0.0;
	int			found = -1;

	for (int i = below ? 0 : 1; i < end; i++)
	{
		double		width = (double) (issued->at[i + 1].from - issued->at[i].to);

		if (below)
			width /= (double) (issued->at[issued->current].to - issued->at[i + 1].from + 1);
		if (found < 0 || width < least)
		{
			least = width;
			found = i;
		}
	}
	return found;
}

/*
 * Bring a value that is being changed into its normal form: no empty interval except the
 * current one, no two that touch except it and the next above, and not too many.  Returns the
 * gap above the current interval that was given up, or an empty one.
 */
static FlakeInterval
tidy(FlakeIssued *issued)
{
	FlakeInterval lost = {0};

	for (int i = issued->count; i-- > 0;)
		if (i != issued->current && issued->at[i].from >= issued->at[i].to)
			take_out(issued, i);
	for (int i = 0; i + 1 < issued->count;)
	{
		if (i != issued->current && issued->at[i].to >= issued->at[i + 1].from)
			join_next(issued, i);
		else
			i++;
	}
	while (issued->count > FLAKE_INTERVALS)
	{
		int			i = least_gap(issued);

		if (i > issued->current)
		{
			lost.from = issued->at[i].to;
			lost.to = issued->at[i + 1].from;
		}
		join_next(issued, i);
	}
	return lost;
}

/*
 * Let the current interval absorb those that it has grown into, and those that begin at or
 * before us.  Returns the end of the last of these, below which nothing may be issued, or 0.
 */
static int64_t
take_in(FlakeIssued *issued, int64_t us)
{
	int64_t		end = 0;

	while (issued->current > 0 && issued->at[issued->current - 1].to > issued->at[issued->current].from)
	{
		end = issued->at[issued->current - 1].to > end ? issued->at[issued->current - 1].to : end;
		join_next(issued, issued->current - 1);
	}
	while (issued->current + 1 < issued->count &&
		   (issued->at[issued->current + 1].from < issued->at[issued->current].to ||
			issued->at[issued->current + 1].from <= us))
	{
		end = issued->at[issued->current + 1].to > end ? issued->at[issued->current + 1].to : end;
		join_next(issued, issued->current);
	}
	return end;
}

/* Everything before us is issued; with 0 nothing is. */
FlakeIssued
flake_issued_before(int64_t us)
{
	FlakeIssued issued = {.count = 1, .at = {{0, us}}};

	return issued;
}

/* Return the interval that contains us, or NULL. */
const FlakeInterval *
flake_issued_at(const FlakeIssued *issued, int64_t us)
{
	for (int i = 0; i < issued->count; i++)
		if (us >= issued->at[i].from && us < issued->at[i].to)
			return &issued->at[i];
	return NULL;
}

/* Return the end of the last interval but the current one that begins at or before us, or 0. */
int64_t
flake_issued_until(const FlakeIssued *issued, int64_t us)
{
	int64_t		until = 0;

	for (int i = 0; i < issued->count; i++)
		if (i != issued->current && issued->at[i].from <= us)
			until = issued->at[i].to;
	return until;
}

/*
 * Advance the mark to the lead above us, so that a tick that starts at us may be issued, and
 * store the floor: the instant before which no ID may be issued from now on, or 0.  "elapsed"
 * is the real time (us) since the mark was moved last, or 0 if nobody knows it.  If us is much
 * further, the clock has jumped, and the time between stays free.  The mark passes the start of
 * another interval only with the floor at that one's end.  Returns whether anything changes.
 */
bool
flake_issued_advance(FlakeIssued *issued, int64_t us, int64_t elapsed, int64_t *floor)
{
	int64_t		mark = flake_mark_of(issued);
	FlakeIssued advanced = *issued;
	int64_t		end;
	int64_t		wanted;

	*floor = 0;
	if (us - mark <= -FLAKE_NEAR_US)
		return false;
	if (us - mark - elapsed > JUMP_US)
	{
		advanced.current = put_in(&advanced, us, us);
		*floor = us;
	}
	end = take_in(&advanced, us);
	if (end > *floor)
		*floor = end;
	wanted = (end > us ? end : us) + FLAKE_LEAD_US;
	if (advanced.current + 1 < advanced.count && advanced.at[advanced.current + 1].from < wanted)
		wanted = advanced.at[advanced.current + 1].from;
	if (wanted > advanced.at[advanced.current].to)
		advanced.at[advanced.current].to = wanted;
	(void) tidy(&advanced);
	if (flake_issued_equal(&advanced, issued))
		return false;
	*issued = advanced;
	return true;
}

/*
 * Add an interval of somebody else's IDs, or of a time that flakeid_advance() gives up, which
 * has no beginning.  If it meets the current interval, that grows, and IDs are issued only above
 * it.  Returns the instant before which none may be issued from now on, or 0.
 */
int64_t
flake_issued_add(FlakeIssued *issued, FlakeInterval other)
{
	FlakeInterval *current = &issued->at[issued->current];
	int64_t		floor = 0;
	int64_t		end;

	if (other.from >= other.to)
		return 0;
	if ((other.from < current->to || other.from == 0) && other.to > current->from)
	{
		if (other.from < current->from)
			current->from = other.from;
		if (other.to > current->to)
			current->to = other.to;
		end = take_in(issued, current->from);
		floor = end > other.to ? end : other.to;
	}
	else
		(void) put_in(issued, other.from, other.to);
	(void) tidy(issued);
	return floor;
}

/* Add all intervals of another value, as flake_issued_add() does. */
int64_t
flake_issued_add_all(FlakeIssued *issued, const FlakeIssued *others)
{
	int64_t		floor = 0;

	for (int i = 0; i < others->count; i++)
	{
		int64_t		end = flake_issued_add(issued, others->at[i]);

		if (end > floor)
			floor = end;
	}
	return floor;
}

/* Do the others say nothing that this value does not say? */
bool
flake_issued_includes(const FlakeIssued *issued, const FlakeIssued *others)
{
	FlakeIssued all = *issued;

	(void) flake_issued_add_all(&all, others);
	return flake_issued_equal(&all, issued);
}

/*
 * If nothing was issued here yet, continue with the last of the others' intervals that begins
 * at or before us.  Returns the instant before which none may be issued from now on, or 0.
 */
int64_t
flake_issued_adopt(FlakeIssued *issued, int64_t us)
{
	if (flake_mark_of(issued) != 0)
		return 0;
	for (int i = 0; i < issued->count; i++)
		if (issued->at[i].from <= us)
			issued->current = i;
	(void) tidy(issued);
	return flake_mark_of(issued);
}

/*
 * Plan a reset of the clock to us.  Returns false if IDs were issued there, in the interval that
 * flake_issued_at() returns; if forced, it forgets what was issued from us on in that interval,
 * but in no other.  A mark that is no further ahead of us than marks always are stays where it
 * is.  Otherwise (plan->lower) a new current interval begins at us, everything above stays
 * issued, the words above us must be set back, and us is the floor.
 */
bool
flake_issued_reset(const FlakeIssued *issued, int64_t us, bool force, FlakeIssuedPlan *plan)
{
	FlakeIssued *reset = &plan->issued;

	memset(plan, 0, sizeof(*plan));
	*reset = *issued;
	plan->lower = flake_mark_of(issued) - us > (force ? 0 : FLAKE_LEAD_US);
	if (!force && !plan->lower)
		return true;
	if (!force && flake_issued_at(issued, us) != NULL)
		return false;
	for (int i = 0; i < reset->count; i++)
		if (reset->at[i].from <= us && reset->at[i].to > us)
			reset->at[i].to = us;
	if (plan->lower && flake_mark_of(reset) != us)
		reset->current = put_in(reset, us, us);
	for (int i = reset->current + 1; plan->lower && i + 1 < reset->count;)
	{
		if (reset->at[i + 1].from - reset->at[i].to <= JOIN_US)
			join_next(reset, i);
		else
			i++;
	}
	plan->lost = tidy(reset);
	plan->write = !flake_issued_equal(reset, issued);
	return true;
}
