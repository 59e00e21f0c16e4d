/*
 * id_horizon.c
 *		The horizon of IDs of a format for a snapshot.
 */
#include "horizon/reader.h"

#include "access/transam.h"
#include "access/xact.h"

/* ---------- floors ---------- */

/*
 * Generators do not move the mark of the timeline that is not in force, so move it here,
 * as far as the other one allows.  That is why not everybody may call sno_horizon().
 */
static void
move_idle_mark(const FlakeFormat *format)
{
	uint64		generation = pg_atomic_read_u64(&flake_db->generation);
	unsigned	in_force = flake_timeline(format, generation);
	FlakeMarkView mark;

	(void) flake_mark(flake_mark_kind(format, in_force), &mark);
	if (mark.mark > 0)
		flake_mark_ahead(flake_mark_kind(format, 1 - in_force), flake_earlier(flake_clock(), mark.mark), generation);
}

/* Return what the clock read flakeid.horizon_lag ago: readers go no further. */
static int64
readers_clock(void)
{
	return flake_clock() - (int64) flake_horizon_lag * 1000;
}

/*
 * Close all ticks of a format that the clock has left, so that only transactions that have
 * announced them make IDs below.  Returns the floor.  The clock is read under the lock, or an
 * earlier reading could undo a reset of the clock, which lowers floors and marks.
 */
static uint64
close_ticks(const FlakeFormat *format)
{
	if (flake_least_floor(format) < flake_closing_tick(&format->rate, readers_clock(), flake_least_mark(format)))
	{
		uint64		tick;

		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		tick = flake_closing_tick(&format->rate, readers_clock(), flake_least_mark(format));
		for (unsigned timeline = 0; timeline <= (unsigned) format->tick_tock; timeline++)
			flake_raise(&flake_db->floor_tick[format->id][timeline], tick);
		LWLockRelease(&flake_db->lock);
	}
	pg_memory_barrier();
	return flake_least_floor(format);
}

/* ---------- the horizon ---------- */

/* The last answer of this session for a format. */
typedef struct Answer
{
	/* The answer is void in any other.  0: there is no answer. */
	uint64		generation;
	FlakeSnapshotAge age;
	uint64		tick;
} Answer;

/*
 * Return the horizon of a format for a snapshot, as a tick.  Reports 55000 if the snapshot
 * is too old.  The floor is raised first, and read before anything that look() finds.
 */
uint64
flake_horizon_of(const FlakeFormat *format, Snapshot snapshot)
{
	static Answer answers[FLAKE_FORMATS];
	Answer	   *last = &answers[format->id];
	FlakeSnapshotAge age = {.xmax = snapshot->xmax, .running = snapshot->xcnt};
	FlakeReader look = {.snapshot = snapshot, .seen.announced = FLAKE_SEEN_NOTHING};
	uint64		generation;
	uint64		closed;

	flake_check_settings();
	flake_attach();
	flake_note_asking();
	flake_look_up_mark(format);
	flake_forget_recovery();
	flake_clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
	if (format->tick_tock)
		move_idle_mark(format);
	generation = pg_atomic_read_u64(&flake_db->generation);

	closed = close_ticks(format);
	flake_injection_point("flakeid-horizon-closed");
	look.notes = &flake_db->notes;
	flake_look_at_all(&look);
	if (!look.seen.unknown || look.seen.lost)
	{
		last->generation = generation;
		last->age = age;
		last->tick = flake_horizon_tick(&format->rate, closed, flake_least_mark(format), &look.seen);
	}
	else if (last->generation != generation || !flake_answer_holds(&last->age, &age))
		flake_report_too_old(format->name, "Too many transactions that made IDs have committed since it was taken.");
	return last->tick;
}
