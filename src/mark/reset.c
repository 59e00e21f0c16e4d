/*
 * reset.c
 *		Changes of the mark by users: advances, resets, restored dumps.
 */
#include "mark/writer.h"

#include "commands/trigger.h"
#include "miscadmin.h"
#include "replication/logicalworker.h"
#include "storage/lwlock.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/*
 * Lower to us the floor of a kind's mark, and the mark that the memory found first.
 * FlakeDatabase.lock is held exclusively.
 */
static void
lower_mark(FlakeMarkKind kind, int64 us)
{
	if ((int64) pg_atomic_read_u64(&flake_db->mark_floor[kind]) > us)
		pg_atomic_write_u64(&flake_db->mark_floor[kind], (uint64) us);
	if ((int64) pg_atomic_read_u64(&flake_db->mark_at_start[kind]) > us)
		pg_atomic_write_u64(&flake_db->mark_at_start[kind], (uint64) us);
}

/*
 * Let no instant that the statistics keep be later than us, because what a wrong clock read would look as if
 * it had just happened until the clock gets there.  FlakeDatabase.lock is held exclusively.
 */
static void
take_back_instants(int64 us)
{
	/* 0 says "never" */
	TimestampTz latest = flake_later(flake_timestamptz(us), 1);
	FlakeClockStats *clock = &flake_db->clock;
	FlakeGenerator *generator;

	clock->last_step_back = Min(clock->last_step_back, latest);
	clock->last_refused = Min(clock->last_refused, latest);
	for (int i = 0; i < FLAKE_FORMATS; i++)
		for (uint32 n = 0; (generator = flake_next_generator(flake_formats[i], &n)) != NULL; n++)
		{
			uint64		last = pg_atomic_read_u64(&generator->last_overflow);

			/*
			 * a call that counts an overflow meanwhile takes no lock, and has
			 * read the clock since
			 */
			if ((TimestampTz) last > latest)
				pg_atomic_compare_exchange_u64(&generator->last_overflow, &last, (uint64) latest);
		}
}

/*
 * Go back to us, by the rules of flake_issued_reset().  Returns false if IDs were issued there,
 * with their interval; otherwise *interval is the time above that was given up, or empty.
 */
static bool
reset_clock(int64 us, bool force, FlakeInterval *interval)
{
	FlakeIssuedPlan plans[FLAKE_MARK_KINDS];
	bool		done = true;
	bool		write = false;
	XLogRecPtr	lsn = 0;
	FlakeWriter writer;

	interval->from = interval->to = 0;
	(void) flake_writer_begin(&writer, true, false);
	for (int kind = 0; kind < FLAKE_MARK_KINDS && done; kind++)
	{
		flake_map_generators(kind);
		done = flake_issued_reset(&writer.issued[kind], us, force, &plans[kind]);
		write |= plans[kind].write;
		if (!done)
			*interval = *flake_issued_at(&writer.issued[kind], us);
		else if (plans[kind].lost.from < plans[kind].lost.to)
			*interval = plans[kind].lost;
	}
	if (done)
	{
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
			writer.issued[kind] = plans[kind].issued;
		if (write)
			lsn = flake_page_write(&writer.page, writer.issued, flake_db->mark_written);

		/*
		 * Publish before the page is on disk, because an error while waiting
		 * for that must not leave sessions with a mark above the page's, and
		 * a crash restores the higher mark.  Change the generation first,
		 * even if nothing else changes, then the words, and the marks last: a
		 * session that decided by the wrong clock fails at the generation or
		 * the word, and as adopting a generation takes the lock, none sees
		 * the lower marks together with the old words.
		 */
		LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
		flake_void_generation();
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		{
			if (plans[kind].lower)
			{
				flake_rewind(kind, us);
				lower_mark(kind, us);
			}
			flake_writer_publish(&writer, kind, plans[kind].lower ? us : 0);
		}
		take_back_instants(us);
		LWLockRelease(&flake_db->lock);
		if (write)
			flake_page_flush(&writer.page, lsn);
	}
	flake_writer_end(&writer);
	return done;
}

/* ---------- SQL ---------- */

/*
 * Return the instant to set a mark to, in us.  Reports 22008 after the format's span, and for 1970
 * and before: a mark of 0 means that there is none.
 */
static int64
instant_argument(const FlakeFormat *format, TimestampTz t)
{
	int64		us = flake_us_saturated(t);

	if (us <= 0 || us > flake_last_us(&format->rate))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range: \"%s\"", timestamptz_to_str(t)),
				 flake_span_detail(format)));
	return us;
}

/* Return an instant of a row, in us; 0 for -infinity. */
static int64
instant_of_row(HeapTuple tuple, int column, TupleDesc row, int64 kind, bool *valid)
{
	bool		isnull;
	TimestampTz value = DatumGetTimestampTz(heap_getattr(tuple, column, row, &isnull));

	*valid &= !isnull && !TIMESTAMP_IS_NOEND(value);
	if (!*valid || TIMESTAMP_IS_NOBEGIN(value))
		return 0;
	return instant_argument(flake_formats[kind == FLAKE_MARK_AHEAD ? FLAKE_SIQ : FLAKE_SNO], value);
}

/*
 * The trigger that keeps _flakeid.mark from being lowered: adds a row that a dump inserts to what
 * was issued, ignores a publisher's from logical replication, and refuses everything else.
 */
PG_FUNCTION_INFO_V1(flakeid_mark_guard);
Datum
flakeid_mark_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	FlakeIssued others[FLAKE_MARK_KINDS] = {0};
	TupleDesc	row;
	int64		kind;
	bool		isnull;
	bool		valid;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		RelationGetRelid(trigger->tg_relation) != flake_mark_relation() ||
		(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) && !TRIGGER_FIRED_FOR_ROW(trigger->tg_event)))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("flakeid_mark_guard() is for the triggers of _flakeid.mark only")));
	if (!TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"_flakeid.mark\" cannot be changed"),
				 errdetail("The table says which IDs were issued. Without it they would be issued again."),
				 errhint("To raise the mark use flakeid_advance(); to lower it after the clock was wrong, flakeid_clock_reset().")));

	/* not session_replication_role, which tools that restore a dump set */
	if (IsLogicalWorker())
		return PointerGetDatum(NULL);

	row = RelationGetDescr(trigger->tg_relation);
	kind = DatumGetInt64(heap_getattr(trigger->tg_trigtuple, 1, row, &isnull));
	valid = !isnull && kind >= 0 && kind < FLAKE_MARK_KINDS;
	for (int i = 0; i < FLAKE_INTERVALS && valid; i++)
	{
		FlakeInterval *at = &others[kind].at[i];

		/* all are somebody else's, whichever is current */
		at->from = instant_of_row(trigger->tg_trigtuple, 2 * i + 3, row, kind, &valid);
		at->to = instant_of_row(trigger->tg_trigtuple, 2 * i + 4, row, kind, &valid);
		valid &= at->from <= at->to;
		others[kind].count = i + 1;
	}
	if (!valid)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid row for table \"_flakeid.mark\""),
				 errdetail("kind must be 0 to 2, no instant may be NULL or infinity, and no interval may end before it begins.")));
	flake_mark_add(others);
	return PointerGetDatum(NULL);
}

/*
 * flakeid_advance(timestamptz, force): count everything before the instant as issued in this
 * database, and return it.  Warns if that stops the generators until the clock is close to it;
 * for more than a day, unless forced, 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_advance);
Datum
flakeid_advance(PG_FUNCTION_ARGS)
{
	FlakeIssued others[FLAKE_MARK_KINDS];
	TimestampTz until = PG_GETARG_TIMESTAMPTZ(0);
	int64		us = instant_argument(flake_formats[FLAKE_SNO], until);
	int64		ahead = us - flake_clock();

	PreventCommandDuringRecovery("flakeid_advance()");
	if (ahead > USECS_PER_DAY && !PG_GETARG_BOOL(1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("instant is more than a day ahead of the clock: %s", timestamptz_to_str(until)),
				 errdetail("The generators of this database would stop until the clock gets there."),
				 errhint("If that is what you want, SELECT flakeid_advance(..., force => true).")));
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		others[kind] = flake_issued_before(us);
	flake_mark_add(others);
	if (ahead > (int64) flake_max_ahead * 1000)
		ereport(WARNING,
				(errmsg("no IDs are made in this database until the clock is near %s", timestamptz_to_str(until)),
				 errdetail("The instant is more than flakeid.max_ahead (%s) ahead of the clock.", flake_ms_text(flake_max_ahead)),
				 errhint("If that is a mistake, undo it with SELECT flakeid_clock_reset(now(), force => true).")));
	PG_RETURN_TIMESTAMPTZ(until);
}

/* Report 55000: IDs were issued at us, which is in the interval. */
static void
report_issued(int64 us, FlakeInterval interval)
{
	char	   *end = flake_instant_text(interval.to);

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("IDs were issued at %s", flake_instant_text(us)),
			 interval.from == 0
			 ? errdetail("IDs of this database count as issued up to %s.", end)
			 : errdetail("IDs of this database count as issued from %s to %s.", flake_instant_text(interval.from), end),
			 errhint("Wait until the clock is past that. If flakeid_advance() was a mistake, or repeated IDs do not matter, SELECT flakeid_clock_reset(now(), force => true).")));
}

/*
 * flakeid_clock_reset(timestamptz, force): go back to the instant after the clock was wrong.
 * Reports 55000 if IDs were issued at the instant; if forced, forgets what was issued from there
 * on in the interval that the error names.
 */
PG_FUNCTION_INFO_V1(flakeid_clock_reset);
Datum
flakeid_clock_reset(PG_FUNCTION_ARGS)
{
	TimestampTz t = PG_GETARG_TIMESTAMPTZ(0);
	bool		force = PG_GETARG_BOOL(1);
	int64		us = instant_argument(flake_formats[FLAKE_SNO], t);
	FlakeInterval interval;

	PreventCommandDuringRecovery("flakeid_clock_reset()");
	if (!reset_clock(us, force, &interval))
		report_issued(us, interval);
	if (interval.from < interval.to)
		ereport(WARNING,
				(errmsg("no IDs will be made from %s to %s", flake_instant_text(interval.from), flake_instant_text(interval.to)),
				 errdetail("The database remembers %d intervals in which it has issued IDs, so it gives up the time between two of them that are in the future.",
						   FLAKE_INTERVALS)));

	PG_RETURN_TIMESTAMPTZ(t);
}
