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

/* Is transaction a before b? */
static inline bool
before(uint32_t a, uint32_t b)
{
	return (int32_t) (a - b) < 0;
}

/* Return the transaction that left a note; xid is any transaction with the same place. */
static inline uint32_t
noter(uint64_t note, uint32_t xid)
{
	return (uint32_t) (note >> NOTE_MS_BITS) << FLAKE_NOTE_BITS | (xid & (FLAKE_NOTES - 1));
}

/*
 * Return the note to put into a transaction's place, where "note" is: the announcement of
 * the transaction, rounded down to a millisecond.  The note of a later transaction stays, so
 * that a reader of the older one's knows nothing; of one transaction's, the earlier stays.
 */
uint64_t
flake_note(uint64_t note, uint32_t xid, uint64_t announced)
{
	uint64_t	ms = announced / 1000;
	uint64_t	mine;

	if (ms > NOTE_MS_MAX)
		ms = NOTE_MS_MAX;
	mine = (uint64_t) (xid >> FLAKE_NOTE_BITS) << NOTE_MS_BITS | ms;
	if (note != 0 && (before(xid, noter(note, xid)) || (noter(note, xid) == xid && note < mine)))
		return note;
	return mine;
}

/*
 * Return the transaction whose note is not kept when xid leaves one in a place with "note",
 * or 0.  The result is rounded up, so that it changes seldom.
 */
uint32_t
flake_note_lost(uint64_t note, uint32_t xid)
{
	uint32_t	other = noter(note, xid);

	if (note == 0 || other == xid)
		return 0;
	return (before(other, xid) ? other : xid) | (FLAKE_NOTES / 4 - 1);
}

/*
 * What does the note in a transaction's place say about it?  Unless that is nothing, stores an
 * instant (us) that is not later than the announcement of the transaction that left the note.
 */
FlakeNoted
flake_noted(uint64_t note, uint32_t xid, uint64_t *announced)
{
	if (note == 0 || before(noter(note, xid), xid))
		return FLAKE_NOTED_NOTHING;
	*announced = flake_announcement(0, (int64_t) (note & NOTE_MS_MAX) * 1000);
	return noter(note, xid) == xid ? FLAKE_NOTED : FLAKE_NOTED_LATER;
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
 * Conclude from a transaction that runs according to the snapshot and has no note, or that a
 * later one's has replaced.  "committed": it has committed by now; otherwise its announcement
 * was read, or it has no visible rows.  "old": it is older than the notes.
 */
void
flake_see_no_note(FlakeSeen *seen, FlakeNoted noted, bool old, bool committed)
{
	if (!committed)
		return;
	seen->unknown |= noted == FLAKE_NOTED_LATER;
	seen->lost |= old;
}

/*
 * Return the horizon: the least tick that may still get a visible row.  "closed" is the least
 * floor of the format's timelines, after the reader has raised them, and "mark" (us) the least
 * of their marks, above which generators continue after a crash.  Wrong if seen->unknown.
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

/* Does the snapshot "now" see whatever "then" sees, so that an answer for "then" is right for it? */
bool
flake_answer_holds(const FlakeSnapshotAge *then, const FlakeSnapshotAge *now)
{
	if (then->xmax == now->xmax)
		return then->running >= now->running;
	return before(then->xmax, now->xmax);
}
