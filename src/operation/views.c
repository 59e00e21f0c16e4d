/*
 * views.c
 *		Rows of the views flakeid_formats, _generators, _clock, _issued and _horizon_holders,
 *		what the doctor asks of the library, and flakeid_stats_reset().
 *
 * IDs of a lease that another session holds are not counted yet.
 */
#include "types/types.h"

#ifdef __linux__
#include <sys/timex.h>
#endif

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/twophase.h"
#include "access/xlog.h"
#include "storage/lwlock.h"
#include "storage/procarray.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

/* A row under construction: columns are added from the left, each by its name in the view. */
typedef struct Row
{
	ReturnSetInfo *result;
	Datum	   *values;
	bool	   *nulls;
	int			columns;
} Row;

/* Begin the answer of a function that returns rows. */
static Row
begin(FunctionCallInfo fcinfo)
{
	Row			row = {0};

	InitMaterializedSRF(fcinfo, 0);
	row.result = (ReturnSetInfo *) fcinfo->resultinfo;
	row.values = palloc(row.result->setDesc->natts * sizeof(Datum));
	row.nulls = palloc(row.result->setDesc->natts * sizeof(bool));
	return row;
}

/* Report XX000 unless the next column has this name; NULL: unless there is none. */
static void
expect(const Row *row, const char *name)
{
	TupleDesc	desc = row->result->setDesc;
	const char *next = row->columns < desc->natts ? NameStr(TupleDescAttr(desc, row->columns)->attname) : NULL;

	if (name == NULL ? next != NULL : next == NULL || strcmp(next, name) != 0)
		elog(ERROR, "flakeid's SQL and library have different versions: column \"%s\" instead of \"%s\"",
			 next != NULL ? next : "", name != NULL ? name : "");
}

static void
add_if(Row *row, const char *name, bool known, Datum value)
{
	expect(row, name);
	row->values[row->columns] = value;
	row->nulls[row->columns++] = !known;
}

static void
add(Row *row, const char *name, Datum value)
{
	add_if(row, name, true, value);
}

/* NULL for 0, which says "never". */
static void
add_timestamp(Row *row, const char *name, TimestampTz t)
{
	add_if(row, name, t != 0, TimestampTzGetDatum(t));
}

/* The same for microseconds since 1970. */
static void
add_instant(Row *row, const char *name, int64 us)
{
	add_if(row, name, us != 0, TimestampTzGetDatum(flake_timestamptz(us)));
}

static void
add_text(Row *row, const char *name, const char *text)
{
	add_if(row, name, text != NULL, text != NULL ? CStringGetTextDatum(text) : (Datum) 0);
}

static void
add_interval(Row *row, const char *name, int64 us)
{
	Interval   *interval = palloc0(sizeof(Interval));

	interval->time = us;
	add(row, name, IntervalPGetDatum(interval));
}

/* Store the row, and begin the next one. */
static void
put(Row *row)
{
	expect(row, NULL);
	tuplestore_putvalues(row->result->setResult, row->result->setDesc, row->values, row->nulls);
	row->columns = 0;
}

/* One row per format: the constants of its definition. */
PG_FUNCTION_INFO_V1(flakeid_show_formats);
Datum
flakeid_show_formats(PG_FUNCTION_ARGS)
{
	Row			row = begin(fcinfo);

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		int64		unit = flake_us_of(&format->rate, 1) - flake_us_of(&format->rate, 0);

		add_text(&row, "name", format->name);
		add(&row, "bytes", Int32GetDatum(format->bytes));
		add(&row, "text_length", Int32GetDatum(format->text_length));
		add_text(&row, "alphabet", format->digits);
		add_text(&row, "pattern", format->pattern);
		add(&row, "epoch", TimestampTzGetDatum(flake_timestamptz(format->rate.epoch_us)));
		add(&row, "last_timestamp", TimestampTzGetDatum(flake_timestamptz(flake_last_us(&format->rate))));
		add_interval(&row, "resolution", unit);
		add(&row, "timestamp_bits", Int32GetDatum(format->timestamp_bits));
		add(&row, "sequence_bits", Int32GetDatum(format->sequence_bits));
		add(&row, "random_bits", Int32GetDatum(format->random_bits));
		add(&row, "generators", Int32GetDatum(format->numbers));
		add(&row, "tick_tock", BoolGetDatum(format->tick_tock));
		add(&row, "time_ordered", BoolGetDatum(format->time_ordered));
		put(&row);
	}
	return (Datum) 0;
}

/* Store the part of a format's pool that this database uses: all of it, before any settings are in force. */
static void
pool_of(const FlakeFormat *format, uint32 *min, uint32 *max)
{
	const FlakeOwn *own = &flake_identity.own[format->id];

	*min = 0;
	*max = (UINT32_C(1) << format->sequence_bits) - 1;
	if (flake_identity.known)
	{
		*min = own->min;
		*max = own->max;
	}
}

/* Add the row of a generator. */
static void
add_generator(Row *row, const FlakeFormat *format, uint32 number, FlakeGenerator *generator)
{
	uint64		state = pg_atomic_read_u64(&generator->word);
	FlakeWord	word = flake_unword(format, state);
	uint32		min;
	uint32		max;
	uint32		next;

	pool_of(format, &min, &max);

	/* an idle generator's word may be outside a pool that was set later */
	next = Min(Max(word.next, min), max + 1);

	add_text(row, "type", format->name);
	add(row, "number", Int32GetDatum(number));
	add_instant(row, "tick", state == 0 ? 0 : flake_us_of(&format->rate, word.tick));
	add(row, "tick_tock", Int32GetDatum(word.timeline));

	/* the last number leased, and how many the tick can no longer issue */
	add_if(row, "sequence", word.next > min, Int32GetDatum(word.next - 1));
	add(row, "used", Int32GetDatum(next - min));
	add(row, "capacity", Int32GetDatum(max - min + 1));
	add(row, "sequence_min", Int32GetDatum(min));
	add(row, "sequence_max", Int32GetDatum(max));
	add(row, "issued", Int64GetDatum(pg_atomic_read_u64(&generator->issued)));
	add(row, "waiting", Int32GetDatum(pg_atomic_read_u32(&generator->waiting)));
	add(row, "overflows", Int64GetDatum(pg_atomic_read_u64(&generator->overflows)));
	add(row, "overflow_ticks", Int64GetDatum(pg_atomic_read_u64(&generator->overflow_ticks)));
	add_timestamp(row, "last_overflow", (TimestampTz) pg_atomic_read_u64(&generator->last_overflow));
	add_interval(row, "wait_time", (int64) pg_atomic_read_u64(&generator->wait_us));
	add(row, "regressions", Int64GetDatum(pg_atomic_read_u32(&generator->regressions)));
}

/* One row per generator that has issued IDs, or that callers wait for. */
PG_FUNCTION_INFO_V1(flakeid_show_generators);
Datum
flakeid_show_generators(PG_FUNCTION_ARGS)
{
	Row			row = begin(fcinfo);
	FlakeGenerator *generator;

	flake_look();
	flake_count_leases();
	for (int i = 0; i < FLAKE_FORMATS; i++)
		for (uint32 n = 0; (generator = flake_next_generator(flake_formats[i], &n)) != NULL; n++)
		{
			if (pg_atomic_read_u64(&generator->word) == 0 && pg_atomic_read_u32(&generator->waiting) == 0)
				continue;
			add_generator(&row, flake_formats[i], n, generator);
			put(&row);
		}
	return (Datum) 0;
}

/* Add this database's number for a format; NULL if it has none. */
static void
add_number(Row *row, const char *name, FlakeFormatId format)
{
	int64		number = flake_identity.own[format].number;

	add_if(row, name, flake_identity.known && number >= 0,
		   flake_formats[format]->hashed_number ? Int64GetDatum(number) : Int32GetDatum((int32) number));
}

/* Add this database's node, the node's source, and its numbers; NULL before any settings are in force. */
static void
add_identity(Row *row)
{
	bool		known = flake_identity.known;

	add_if(row, "node", known, Int32GetDatum(flake_identity.node));
	add_text(row, "node_source", !known ? NULL : flake_identity.node_derived ? "system identifier and database" : "flakeid.node");
	add_number(row, "sno_partition", FLAKE_SNO);
	add_number(row, "siq_shard", FLAKE_SIQ);
	add_number(row, "snowflake_worker", FLAKE_SNOWFLAKE);
	add_if(row, "siq_domain", known, Int64GetDatum(flake_identity.siq_domain));
	add_number(row, "uid_node", FLAKE_UID96);
}

/* Add a clause about some formats to a sentence. */
static void
say(StringInfo text, const char *clause, const char *formats)
{
	if (*formats != '\0')
		appendStringInfo(text, "%s%s %s", text->len > 0 ? "; " : "", clause, formats);
}

/* Return the names of the formats that have this fault. */
static char *
formats_with(FlakeNumberFault fault)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < FLAKE_FORMATS; i++)
		if (flake_identity.own[i].fault == fault)
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "", flake_formats[i]->name);
	return names.data;
}

/* What the view says about refusals. */
static const char *const refusals[] = {
	[FLAKE_REFUSED_BEHIND] = "clock too far behind",
	[FLAKE_REFUSED_WAIT] = "waited for flakeid.max_wait",
	[FLAKE_REFUSED_EXHAUSTED] = "sequence used up",
	[FLAKE_REFUSED_SPAN] = "out of the type's span",
	[FLAKE_REFUSED_LOCKED] = "table of the mark locked",
	[FLAKE_REFUSED_WRITING] = "mark not written within flakeid.max_wait",
	[FLAKE_REFUSED_CHANGED] = "table of the mark changed in the transaction",
	[FLAKE_REFUSED_DAMAGED] = "table of the mark damaged"
};

/* ---------- who holds the horizons ---------- */

/* A transaction that may hold the horizons of this database. */
typedef struct Holder
{
	int32		pid;			/* 0: it is prepared */
	TransactionId xid;			/* of a prepared one */
	bool		made;			/* it has made IDs, ... */
	uint64		since;			/* ... us: the first; 0: nobody knows */
	FlakeValues *values;		/* what it has drawn from sequences; or NULL */
	TimestampTz drawing_since;	/* 0: nobody knows */
} Holder;

typedef struct Holders
{
	Holder	   *at;
	int			count;
	const Holder *first;		/* the one that holds those of IDs longest, or
								 * NULL */
} Holders;

/* Find the sessions and prepared transactions of this database that may hold its horizons. */
static void
look_for_holders(Holders *holders)
{
	Holder	   *holder = palloc0((flake->session_count + FLAKE_PREPARED + max_prepared_xacts) * sizeof(Holder));

	holders->at = holder;
	for (uint32 i = 0; i < pg_atomic_read_u32(&flake->sessions_used); i++)
	{
		FlakeSession *session = &flake->sessions[i];
		uint64		announced = pg_atomic_read_u64(&session->announced);

		if (pg_atomic_read_u64(&session->database) != flake_db->self)
			continue;
		holder->pid = session->pid;
		holder->made = announced != 0;
		holder->since = announced;
		holder->values = &session->values;
		holder->drawing_since = (TimestampTz) pg_atomic_read_u64(&session->drawing_since);
		holder++;
	}
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		TransactionId xid = pg_atomic_read_u32(&flake_db->prepared[i].xid);
		uint64		announced = pg_atomic_read_u64(&flake_db->prepared[i].announced);

		if (!TransactionIdIsNormal(xid) || !TransactionIdIsInProgress(xid))
			continue;
		holder->xid = xid;
		holder->made = announced != 0;
		holder->since = announced;
		holder->values = flake_prepared_values(&flake_db->prepared[i]);
		holder->drawing_since = (TimestampTz) pg_atomic_read_u64(&flake_db->prepared[i].drawing_since);
		holder++;
	}

	/* those that were prepared before the memory was created */
	flake_forget_recovery();
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		TransactionId xid = flake_unlisted_prepared(i, NULL);

		if (!TransactionIdIsNormal(xid))
			continue;
		holder->xid = xid;
		holder->made = true;
		holder++;
	}
	holders->count = holder - holders->at;
	holders->first = NULL;
	for (int i = 0; i < holders->count; i++)
		if (holders->at[i].made && (holders->first == NULL || holders->at[i].since < holders->first->since))
			holders->first = &holders->at[i];
}

/*
 * Add the instant that the horizons reach, and who holds them there, which a standby does not
 * know.  T_horizon() may return less, because it stays below the mark: that hides no row.
 */
static void
add_horizon(Row *row, int64 now)
{
	Holders		holders = {0};

	if (!RecoveryInProgress())
		look_for_holders(&holders);
	if (holders.first != NULL)
		now = Min(now, (int64) holders.first->since);
	add_instant(row, "horizon", RecoveryInProgress() ? 0 : now);
	add_if(row, "held_by", holders.first != NULL, Int32GetDatum(holders.first != NULL ? holders.first->pid : 0));
}

/*
 * Return the instant (us) of the last tick leased on the timeline in force, or 0, and store
 * how many generators have issued.  FlakeDatabase.lock is held.
 */
static int64
high_water(uint64 generation, int *generators)
{
	int64		high = 0;

	*generators = 0;
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		FlakeGenerator *generator;

		for (uint32 n = 0; (generator = flake_next_generator(format, &n)) != NULL; n++)
		{
			uint64		state = pg_atomic_read_u64(&generator->word);
			FlakeWord	word = flake_unword(format, state);

			*generators += state != 0;

			/* a word that was set back has leased nothing of its tick */
			if (word.next > 0 && word.timeline == flake_timeline(format, generation))
				high = Max(high, flake_us_of(&format->rate, word.tick));
		}
	}
	return high;
}

/* Add what is wrong with the settings, or with the numbers that they give; NULL if nothing is. */
static void
add_fault(Row *row, const char *wrong)
{
	StringInfoData fault;

	initStringInfo(&fault);
	if (wrong != NULL)
		appendStringInfoString(&fault, wrong);
	say(&fault, "flakeid.node is too large for", formats_with(FLAKE_NUMBER_TOO_GREAT));
	say(&fault, "flakeid.sno_sequence_min and flakeid.sno_sequence_max leave too few numbers for", formats_with(FLAKE_POOL_TOO_SMALL));
	add_text(row, "setting_fault", fault.len > 0 ? fault.data : NULL);
}

/* One row: the clock, this database's identity, and the statistics. */
PG_FUNCTION_INFO_V1(flakeid_show_clock);
Datum
flakeid_show_clock(PG_FUNCTION_ARGS)
{
	Row			row = begin(fcinfo);
	FlakeClockStats clock;
	const char *wrong;
	int64		now = flake_clock();
	int64		high;
	int64		mark = 0;
	FlakeIssued issued[FLAKE_MARK_KINDS];
	int			generators;
	uint64		generation;

	wrong = flake_look();
	LWLockAcquire(&flake_db->lock, LW_SHARED);
	generation = pg_atomic_read_u64(&flake_db->generation);
	clock = flake_db->clock;
	high = high_water(generation, &generators);
	LWLockRelease(&flake_db->lock);
	(void) flake_mark_show(issued);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		mark = Max(mark, flake_mark_of(&issued[kind]));

	add_instant(&row, "clock", now);
	add_instant(&row, "high_water", high);
	add_instant(&row, "mark", mark);
	add_interval(&row, "ahead_by", high > 0 && high > now ? high - now : 0);
	add(&row, "tick_tock", Int32GetDatum(FLAKE_TIMELINE(generation)));
	add(&row, "regressions", Int64GetDatum(clock.regressions));
	add(&row, "toggles", Int64GetDatum(clock.toggles));
	add(&row, "went_ahead", Int64GetDatum(clock.went_ahead));
	add(&row, "steps_back", Int64GetDatum(clock.steps_back));
	add_timestamp(&row, "last_step_back", clock.last_step_back);
	add_identity(&row);
	add_fault(&row, wrong);
	add_text(&row, "memory", flake_preloaded ? "preloaded" : "dynamic");
	add(&row, "generators", Int32GetDatum(generators));
	add(&row, "sessions", Int32GetDatum(flake_sessions(flake_db)));
	add(&row, "refused", Int64GetDatum(clock.refused));
	/* not by last_refused, which is 0 at the start of the year 2000 */
	add_if(&row, "last_refused", clock.refused != 0, TimestampTzGetDatum(clock.last_refused));
	add_text(&row, "last_refused_reason", clock.refused != 0 ? refusals[clock.why] : NULL);
	add(&row, "late", Int64GetDatum(pg_atomic_read_u64(&flake_db->late_ids)));
	add(&row, "since", TimestampTzGetDatum(clock.since));
	add(&row, "issued_since", TimestampTzGetDatum(clock.born));
	add_horizon(&row, now);
	add_timestamp(&row, "horizon_asked", (TimestampTz) pg_atomic_read_u64(&flake_db->horizon_asked));
	put(&row);
	return (Datum) 0;
}

/* One row per interval in which IDs of a kind count as issued, in ascending order. */
PG_FUNCTION_INFO_V1(flakeid_show_issued);
Datum
flakeid_show_issued(PG_FUNCTION_ARGS)
{
	Row			row = begin(fcinfo);
	FlakeIssued issued[FLAKE_MARK_KINDS];

	(void) flake_mark_show(issued);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		for (int i = 0; i < issued[kind].count; i++)
		{
			const FlakeInterval *at = &issued[kind].at[i];

			/* nothing was issued yet */
			if (at->to == 0)
				continue;
			add(&row, "kind", Int32GetDatum(kind));
			add(&row, "issued_from", TimestampTzGetDatum(at->from == 0 ? DT_NOBEGIN : flake_timestamptz(at->from)));
			add(&row, "issued_to", TimestampTzGetDatum(flake_timestamptz(at->to)));
			add(&row, "is_current", BoolGetDatum(i == issued[kind].current));
			put(&row);
		}
	return (Datum) 0;
}

/*
 * flakeid_mark_rows(): the OID of the mark's table, how many rows it has, and of how many kinds,
 * for flakeid_doctor().  Reports 42P01 if there is no such table.
 */
PG_FUNCTION_INFO_V1(flakeid_mark_rows);
Datum
flakeid_mark_rows(PG_FUNCTION_ARGS)
{
	Row			row = begin(fcinfo);
	Oid			oid = flake_mark_relation();
	Relation	relation = OidIsValid(oid) ? try_table_open(oid, AccessShareLock) : NULL;
	SysScanDesc scan;
	HeapTuple	tuple;
	int			rows = 0;
	uint32		kinds = 0;

	if (relation == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table \"_flakeid.mark\" does not exist")));
	scan = systable_beginscan(relation, InvalidOid, false, GetActiveSnapshot(), 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;
		int64		kind = DatumGetInt64(heap_getattr(tuple, 1, RelationGetDescr(relation), &isnull));

		rows++;
		if (!isnull && kind >= 0 && kind < FLAKE_MARK_KINDS)
			kinds |= (uint32) 1 << kind;
	}
	systable_endscan(scan);
	table_close(relation, AccessShareLock);

	add(&row, "relation", ObjectIdGetDatum(oid));
	add(&row, "rows", Int32GetDatum(rows));
	add(&row, "kinds", Int32GetDatum(pg_popcount32(kinds)));
	put(&row);
	return (Datum) 0;
}

/* flakeid_clock_synchronized(): whether the kernel considers its clock synchronized; true where it cannot tell. */
PG_FUNCTION_INFO_V1(flakeid_clock_synchronized);
Datum
flakeid_clock_synchronized(PG_FUNCTION_ARGS pg_attribute_unused())
{
#ifdef __linux__
	struct timex clock = {0};

	PG_RETURN_BOOL(adjtimex(&clock) != TIME_ERROR);
#else
	PG_RETURN_BOOL(true);
#endif
}

/*
 * flakeid_clock_jump(): by how much the clock was set ahead since the memory of this database was
 * created or flakeid_stats_reset(), in whole milliseconds; negative if it was set back; NULL if no
 * session has looked yet.
 */
PG_FUNCTION_INFO_V1(flakeid_clock_jump);
Datum
flakeid_clock_jump(PG_FUNCTION_ARGS pg_attribute_unused())
{
	Interval   *jump = palloc0(sizeof(Interval));
	uint64		then;

	flake_attach();
	then = pg_atomic_read_u64(&flake_db->clock_offset_first);
	if (then == 0)
		PG_RETURN_NULL();
	jump->time = (flake_clock_offset() - (int64) then) / 1000 * 1000;
	PG_RETURN_INTERVAL_P(jump);
}

/* flakeid_stats_reset(): set all counts of this database but those of IDs to zero, and return the instant. */
PG_FUNCTION_INFO_V1(flakeid_stats_reset);
Datum
flakeid_stats_reset(PG_FUNCTION_ARGS pg_attribute_unused())
{
	FlakeClockStats *clock;
	FlakeGenerator *generator;
	TimestampTz since = GetCurrentTimestamp();
	FlakeFloor *floor = NULL;
	int			bucket = 0;

	flake_attach();
	while ((floor = flake_next_floor(floor, &bucket)) != NULL)
		flake_forget_noticed(floor);
	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	clock = &flake_db->clock;
	clock->regressions = clock->toggles = clock->went_ahead = clock->steps_back = clock->refused = 0;
	clock->last_step_back = clock->last_refused = 0;
	clock->since = since;
	pg_atomic_write_u64(&flake_db->clock_offset_first, flake_clock_offset());
	pg_atomic_write_u64(&flake_db->late_ids, 0);
	for (int i = 0; i < FLAKE_FORMATS; i++)
		for (uint32 n = 0; (generator = flake_next_generator(flake_formats[i], &n)) != NULL; n++)
		{
			pg_atomic_write_u64(&generator->last_overflow, 0);
			pg_atomic_write_u64(&generator->overflows, 0);
			pg_atomic_write_u64(&generator->overflow_ticks, 0);
			pg_atomic_write_u64(&generator->wait_us, 0);
			pg_atomic_write_u32(&generator->regressions, 0);
		}
	LWLockRelease(&flake_db->lock);
	PG_RETURN_TIMESTAMPTZ(since);
}

/* May the caller ask for the horizon of a sequence?  Not of one that was dropped meanwhile. */
static bool
may_ask(Oid sequence)
{
	bool		missing = false;

	return pg_class_aclcheck_ext(sequence, GetUserId(), ACL_SELECT | ACL_USAGE, &missing) == ACLCHECK_OK && !missing;
}

/* Store a row for a holder; no sequence: the horizons of all, or of all IDs.  The value is for those who may ask for it. */
static void
put_holder(Row *row, const Holder *holder, TimestampTz since, Oid sequence, int64 value)
{
	add_if(row, "pid", holder->pid != 0, Int32GetDatum(holder->pid));
	add_if(row, "xid", TransactionIdIsValid(holder->xid), TransactionIdGetDatum(holder->xid));
	add_timestamp(row, "since", since);
	add_if(row, "sequence", OidIsValid(sequence), ObjectIdGetDatum(sequence));
	add_if(row, "value", OidIsValid(sequence) && may_ask(sequence), Int64GetDatum(value));
	put(row);
}

/*
 * One row per session and prepared transaction that holds the horizons, and for each of its sequences
 * whose horizon somebody has asked for.  Without memory for what it draws, it holds those of all.
 */
PG_FUNCTION_INFO_V1(flakeid_show_horizon_holders);
Datum
flakeid_show_horizon_holders(PG_FUNCTION_ARGS)
{
	Row			row = begin(fcinfo);
	Holders		holders;

	flake_attach();
	look_for_holders(&holders);
	for (const Holder *holder = holders.at; holder < holders.at + holders.count; holder++)
	{
		uint32		n = 0;
		Oid			sequence;
		int64		value;

		if (holder->made)
			put_holder(&row, holder, holder->since == 0 ? 0 : flake_timestamptz((int64) holder->since), InvalidOid, 0);
		if (holder->values == NULL)
			continue;
		if ((pg_atomic_read_u64(&holder->values->range) & FLAKE_ANY_VALUE) != 0)
			put_holder(&row, holder, holder->drawing_since, InvalidOid, 0);
		while (flake_show_value(holder->values, &n, &sequence, &value))
			if (flake_is_asked(sequence))
				put_holder(&row, holder, holder->drawing_since, sequence, value);
	}
	return (Datum) 0;
}

/* One row per sequence that somebody has asked about, or that was used before that was announced. */
PG_FUNCTION_INFO_V1(flakeid_show_sequences);
Datum
flakeid_show_sequences(PG_FUNCTION_ARGS)
{
	Row			row = begin(fcinfo);
	FlakeFloor *floor = NULL;
	int			bucket = 0;

	flake_attach();
	while ((floor = flake_next_floor(floor, &bucket)) != NULL)
	{
		add(&row, "sequence", ObjectIdGetDatum(pg_atomic_read_u32(&floor->sequence)));
		add_timestamp(&row, "asked", (TimestampTz) pg_atomic_read_u64(&floor->asked));
		add(&row, "unannounced", Int64GetDatum(pg_atomic_read_u64(&floor->unannounced)));
		add(&row, "silent", BoolGetDatum(pg_atomic_read_u32(&floor->moved) != 0 && pg_atomic_read_u32(&floor->heard) == 0));
		add(&row, "back", BoolGetDatum(pg_atomic_read_u32(&floor->back) != 0));
		put(&row);
	}
	return (Datum) 0;
}
