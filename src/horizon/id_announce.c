/*
 * id_announce.c
 *		What transactions that make IDs announce, and how far readers of IDs may have got.
 */
#include "horizon/reader.h"

#include "access/parallel.h"

/* ---------- announcing ---------- */

/*
 * For each format, the earliest announced instant that the floor has allowed in this transaction,
 * or 0.  No reader passes it before the transaction ends, no matter how far the floor rises
 * meanwhile.
 */
static uint64 earliest_announced[FLAKE_FORMATS];

/* Return the one of a format. */
static uint64 *
earliest(const FlakeFormat *format)
{
	static uint64 transaction = 0;

	if (transaction != flake_ended)
		memset(earliest_announced, 0, sizeof(earliest_announced));
	transaction = flake_ended;
	return &earliest_announced[format->id];
}

/* Refuse to make IDs in a parallel worker (25000): README.md says why.  "name" is the type. */
void
flake_refuse_worker(const char *name)
{
	if (IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot generate %s in a parallel worker", name),
				 errhint("Functions that make IDs are PARALLEL RESTRICTED, and functions that call them must be, too.")));
}

/*
 * Announce that this transaction makes IDs of the tick, and then return whether the floor
 * still allows that.  An earlier announcement covers later instants of all formats, but
 * every format has its own floor to check.
 */
static bool
announce(const FlakeFormat *format, unsigned timeline, uint64 tick)
{
	uint64		announced = pg_atomic_read_u64(&flake_session->announced);
	uint64		wanted = flake_announcement(announced, flake_us_of(&format->rate, tick));

	if (wanted != announced)
	{
		flake_watch_transaction();
		pg_atomic_write_u64(&flake_session->announced, wanted);
		pg_memory_barrier();
	}
	return tick >= pg_atomic_read_u64(&flake_db->floor_tick[format->id][timeline]);
}

/*
 * Do the same for a generator, which looks at its word and the clock again if the floor does
 * not allow the tick.
 */
bool
flake_announce(const FlakeFormat *format, unsigned timeline, uint64 tick)
{
	if (!announce(format, timeline, tick))
		return false;
	*earliest(format) = flake_announcement(*earliest(format), flake_us_of(&format->rate, tick));
	return true;
}

/* ---------- how far readers may have got ---------- */

/* Return the lowest mark of a format's timelines. */
int64
flake_least_mark(const FlakeFormat *format)
{
	int64		mark = flake_mark_safe(flake_mark_kind(format, 0));

	return format->tick_tock ? flake_earlier(mark, flake_mark_safe(flake_mark_kind(format, 1))) : mark;
}

/* Return the lowest floor of a format's timelines. */
uint64
flake_least_floor(const FlakeFormat *format)
{
	uint64		floor = pg_atomic_read_u64(&flake_db->floor_tick[format->id][0]);

	if (format->tick_tock)
		floor = flake_earlier_tick(floor, pg_atomic_read_u64(&flake_db->floor_tick[format->id][1]));
	return floor;
}

/*
 * Return the instant (us) up to which readers of any format may have passed since the memory was
 * created, or 0 if nobody has asked for a horizon.
 */
static int64
latest_floor_us(void)
{
	int64		latest = 0;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		uint64		floor = flake_least_floor(flake_formats[i]);

		if (floor > 0)
			latest = flake_later(latest, flake_us_of(&flake_formats[i]->rate, floor));
	}
	return latest;
}

/*
 * Return the tick up to which readers may have passed: the floor, or the mark at the time when the
 * memory was created, because earlier horizons are below that.  Readers of other formats count,
 * too, because an announcement holds all of them back.  An ID of a format that nobody reads must
 * not be announced at an instant that they have long passed.
 */
static uint64
passed_tick(const FlakeFormat *format)
{
	int64		found = (int64) pg_atomic_read_u64(&flake_db->mark_at_start[flake_mark_kind(format, 0)]);
	int64		latest = latest_floor_us();
	uint64		passed = latest <= format->rate.epoch_us ? 0 : flake_tick_of(&format->rate, latest);

	if (format->tick_tock)
		found = flake_earlier(found, (int64) pg_atomic_read_u64(&flake_db->mark_at_start[flake_mark_kind(format, 1)]));
	passed = flake_later_tick(passed, flake_tick_from(&format->rate, found));
	return flake_later_tick(passed, flake_least_floor(format));
}

/* Make sure that the published mark is the table's current one. */
void
flake_look_up_mark(const FlakeFormat *format)
{
	FlakeMarkView mark;

	(void) flake_mark(flake_mark_kind(format, 0), &mark);
}

/*
 * Where no generator does it, move the mark of the current timeline ahead of the clock.  The
 * generation is read before the clock, so that a reset in between, after the clock was wrong,
 * prevents the move.
 */
void
flake_lead_with_mark(const FlakeFormat *format)
{
	uint64		generation;

	flake_attach();
	flake_look_up_mark(format);
	generation = pg_atomic_read_u64(&flake_db->generation);
	pg_read_barrier();
	flake_mark_ahead(flake_mark_kind(format, flake_timeline(format, generation)), flake_clock(), generation);
}

/* ---------- IDs that were made elsewhere ---------- */

/*
 * Return whether it is early enough for this transaction to write an ID of this instant, wherever
 * the ID was made.  If so, announce it like the IDs that the transaction makes itself.  If not,
 * store in *passed how far readers may have got (us).  The announcement then stays as it was, or a
 * row of last year would hold all readers back to that time.
 *
 * The check follows the announcement; an earlier check avoids announcing most late IDs at all.  The
 * mark follows the clock here, too, because the horizon stays below it, and nothing else moves it
 * where clients make all IDs.
 */
bool
flake_in_time(const FlakeFormat *format, int64 us, int64 *passed)
{
	uint64		tick = flake_tick_of(&format->rate, us);
	uint64		before;

	flake_attach();
	if (*earliest(format) != 0 && us >= (int64) *earliest(format))
		return true;
	flake_lead_with_mark(format);
	before = pg_atomic_read_u64(&flake_session->announced);
	if (tick >= passed_tick(format))
	{
		(void) announce(format, 0, tick);
		if (tick >= passed_tick(format))
		{
			*earliest(format) = flake_announcement(*earliest(format), us);
			return true;
		}
		pg_atomic_write_u64(&flake_session->announced, before);
	}
	*passed = flake_us_of(&format->rate, passed_tick(format));
	return false;
}
