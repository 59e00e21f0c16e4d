/*
 * announcement.c
 *		Announcements, notes, and a reader's conclusions from both.
 *
 * Transaction IDs are PostgreSQL's: they wrap around, and one is before another if it is
 * less by the signed difference.
 */
#include "kernel/flake.h"

/* Notes stay comparable for 2^30 transactions: half the range of the signed difference. */
#define NOTES_LAST_BITS		30

/* A note has milliseconds in these bits, and the round of its place above. */
#define NOTE_MS_BITS		44
#define NOTE_MS_MAX			((UINT64_C(1) << NOTE_MS_BITS) - 1)

/* ---------- announcing ---------- */

/*
 * Return what a transaction announces, in us, when it makes an ID at us and has announced
 * "announced" (0: nothing): never a later instant than before, and never 0.
 */
uint64_t
flake_announcement(uint64_t announced, int64_t us)
{
	uint64_t	wanted = us > 0 ? (uint64_t) us : 1;

	return announced == 0 || wanted < announced ? wanted : announced;
}

/* ---------- notes ---------- */

/* Return the bits of a note that tell the rounds of places apart. */
static inline uint64_t
round_of(uint64_t place)
{
	return place / FLAKE_NOTES << NOTE_MS_BITS;
}

/*
 * Return the note that is left in a place: the announcement of the transaction, rounded down to
 * a millisecond.
 */
uint64_t
flake_note(uint64_t place, uint64_t announced)
{
	uint64_t	ms = announced / 1000;

	return round_of(place) | (ms < NOTE_MS_MAX ? ms : NOTE_MS_MAX);
}

/*
 * Return the note that is left in a place by a transaction that has drawn from sequences: where
 * its last announcement is.  Of the position only the lower bits are kept.
 */
uint64_t
flake_value_note(uint64_t place, uint32_t session, uint32_t position)
{
	return round_of(place) | session * FLAKE_NOTE_POSITIONS | position % FLAKE_NOTE_POSITIONS;
}

uint32_t
flake_noted_session(uint64_t note)
{
	return (uint32_t) (note / FLAKE_NOTE_POSITIONS % FLAKE_NOTE_SESSIONS);
}

uint32_t
flake_noted_position(uint64_t note)
{
	return (uint32_t) (note % FLAKE_NOTE_POSITIONS);
}

/* Is a note the one that was left in this place, and in no earlier or later round? */
bool
flake_is_noted(uint64_t note, uint64_t place)
{
	return (note ^ round_of(place)) <= NOTE_MS_MAX;
}

/* Return the instant (us) of a note: no later than the announcement. */
uint64_t
flake_noted(uint64_t note)
{
	return flake_announcement(0, (int64_t) (note & NOTE_MS_MAX) * 1000);
}

/*
 * May some notes be so old that they would look like notes of later transactions?  "since" was
 * the current full transaction ID when the first of them was left, "at" is the current one.
 */
bool
flake_notes_worn(uint64_t since, uint64_t at)
{
	return at > since && at - since >= UINT64_C(1) << NOTES_LAST_BITS;
}

/* ---------- what a reader concludes ---------- */

/*
 * Return the tick to which a reader raises the floor of a format before it reads the
 * announcements: the clock's, but not beyond the mark, so that a clock that is far ahead does
 * not drive generators there.
 */
uint64_t
flake_closing_tick(const FlakeRate *rate, int64_t now, int64_t mark)
{
	uint64_t	unmarked = flake_tick_from(rate, mark);
	uint64_t	tick;

	if (!flake_in_span(rate, now))
		return 0;
	tick = flake_tick_of(rate, now);
	return tick < unmarked ? tick : unmarked;
}

/*
 * Return the horizon: the least tick that may still get a visible row. "closed" is the
 * least floor of the format's timelines, after the reader has raised them, and "mark" the
 * least of their marks: a crash forgets the floors, and the generators continue above the
 * mark.  The answer is wrong if seen->unknown.
 */
uint64_t
flake_horizon_tick(const FlakeRate *rate, uint64_t closed, int64_t mark, const FlakeSeen *seen)
{
	uint64_t	tick = flake_tick_from(rate, mark);

	if (seen->lost)
		return 0;
	if (closed < tick)
		tick = closed;
	if (seen->announced != FLAKE_SEEN_NOTHING)
	{
		int64_t		us = (int64_t) seen->announced;
		uint64_t	held = us <= rate->epoch_us ? 0 : flake_tick_of(rate, us);

		if (held < tick)
			tick = held;
	}
	return tick;
}

/* Return a sequence's value as a number that is never negative, in the same order. */
uint64_t
flake_value_rank(int64_t value)
{
	return (uint64_t) value ^ UINT64_C(1) << 63;
}

/* Return the value of a rank. */
int64_t
flake_ranked_value(uint64_t rank)
{
	return (int64_t) (rank ^ UINT64_C(1) << 63);
}

/*
 * Return the horizon of a sequence whose last value is "last": the least value that may still
 * get a visible row.  Nobody is visible at the greatest value of all.  The answer is wrong if
 * seen->unknown.
 */
int64_t
flake_value_horizon(int64_t last, const FlakeSeen *seen)
{
	int64_t		horizon = last < INT64_MAX ? last + 1 : last;

	if (seen->lost)
		return INT64_MIN;
	return seen->announced < flake_value_rank(horizon) ? flake_ranked_value(seen->announced) : horizon;
}

/* Is transaction a before b? */
static inline bool
before(uint32_t a, uint32_t b)
{
	return (int32_t) (a - b) < 0;
}

/*
 * Is an answer for the snapshot "then" right for the snapshot "now"?  It is if "then" is
 * the same or older: whatever it sees, "now" sees, too.
 */
bool
flake_answer_holds(const FlakeSnapshotAge *then, const FlakeSnapshotAge *now)
{
	if (then->xmax == now->xmax)
		return then->running >= now->running;
	return before(then->xmax, now->xmax);
}
