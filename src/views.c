/*
 * views.c
 *		The rows behind the views flakeid_formats, _generators, _shards and _clock.
 *
 * Everything is read without a lock where the generators write without one, so a
 * row may be a moment old in one column and new in the next; counts are exact
 * once the sessions counted are idle.
 */
#include "flakeid.h"

#include "miscadmin.h"
#include "storage/lwlock.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#define MAX_COLUMNS		20

/* A row under construction: columns are added from the left. */
typedef struct Row
{
	Datum		values[MAX_COLUMNS];
	bool		nulls[MAX_COLUMNS];
	int			columns;
} Row;

static void
add(Row *row, Datum value)
{
	Assert(row->columns < MAX_COLUMNS);
	row->values[row->columns] = value;
	row->nulls[row->columns++] = false;
}

static void
add_null(Row *row)
{
	Assert(row->columns < MAX_COLUMNS);
	row->values[row->columns] = (Datum) 0;
	row->nulls[row->columns++] = true;
}

/* Microseconds since 1970 as timestamptz; NULL for 0, which says "never". */
static void
add_instant(Row *row, int64 us)
{
	if (us == 0)
		add_null(row);
	else
		add(row, TimestampTzGetDatum(flake_timestamptz(us)));
}

static void
add_interval(Row *row, int64 us)
{
	Interval   *interval = palloc0(sizeof(Interval));

	interval->time = us;
	add(row, IntervalPGetDatum(interval));
}

static void
put(FunctionCallInfo fcinfo, Row *row)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	if (result->setDesc->natts != row->columns)
		elog(ERROR, "flakeid's SQL is of another version: %d columns instead of %d",
			 result->setDesc->natts, row->columns);
	tuplestore_putvalues(result->setResult, result->setDesc, row->values, row->nulls);
	row->columns = 0;
}

/* One row a format: the constants of its definition. */
PG_FUNCTION_INFO_V1(flakeid_show_formats);
Datum
flakeid_show_formats(PG_FUNCTION_ARGS)
{
	Row			row = {0};

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		int64		unit = flake_us_of(&format->rate, 1) - flake_us_of(&format->rate, 0);

		add(&row, CStringGetTextDatum(format->name));
		add(&row, Int32GetDatum(format->bytes));
		add(&row, Int32GetDatum(format->text_length));
		add(&row, CStringGetTextDatum(format->digits));
		add(&row, CStringGetTextDatum(format->pattern));
		add(&row, TimestampTzGetDatum(flake_timestamptz(format->rate.epoch_us)));
		add(&row, TimestampTzGetDatum(flake_timestamptz(flake_last_us(&format->rate))));
		add_interval(&row, unit);
		add(&row, Int32GetDatum(format->timestamp_bits));
		add(&row, Int32GetDatum(format->sequence_bits));
		add(&row, Int32GetDatum(format->random_bits));
		add(&row, Int32GetDatum(format->numbers));
		add(&row, BoolGetDatum(format->tick_tock));
		add(&row, BoolGetDatum(format->time_ordered));
		put(fcinfo, &row);
	}
	return (Datum) 0;
}

/* Issued with a generator, but still pending in the shards. */
static uint64
pending_of(uint32 key)
{
	uint64		pending = 0;

	for (int i = 0; i < FLAKE_SHARDS; i++)
	{
		const FlakeShard *shard = &flake->shards[i];

		if (shard->pid != 0 && shard->key == key)
			pending += shard->pending;
	}
	return pending;
}

/*
 * One row a generator that has a slot, and one a format, with NULL for its
 * number, for all whose slots went to others.
 */
PG_FUNCTION_INFO_V1(flakeid_show_generators);
Datum
flakeid_show_generators(PG_FUNCTION_ARGS)
{
	Row			row = {0};

	InitMaterializedSRF(fcinfo, 0);
	flake_sync(NULL);
	for (int i = 0; i < FLAKE_SLOTS; i++)
	{
		FlakeGenerator *generator = &flake->generators[i];
		uint32		key = pg_atomic_read_u32(&flake->keys[i]);
		const FlakeFormat *format;
		FlakeWord	word;
		uint32		min;
		uint32		max;
		uint64		last_overflow;

		if (key == 0)
			continue;
		format = flake_formats[FLAKE_KEY_FORMAT(key)];
		word = flake_unword(format, pg_atomic_read_u64(&generator->word));
		flake_pool(format, &min, &max);

		add(&row, CStringGetTextDatum(format->name));
		add(&row, Int32GetDatum(FLAKE_KEY_NUMBER(key)));
		add_instant(&row, flake_us_of(&format->rate, word.tick));
		add(&row, Int32GetDatum(word.timeline));
		/* the last number leased, and how many of this tick's pool are */
		if (word.next > min)
			add(&row, Int32GetDatum(word.next - 1));
		else
			add_null(&row);
		add(&row, Int32GetDatum(word.next > min ? word.next - min : 0));
		add(&row, Int32GetDatum(max - min + 1));
		add(&row, Int32GetDatum(min));
		add(&row, Int32GetDatum(max));
		add(&row, Int64GetDatum(pg_atomic_read_u64(&generator->issued) +
								pending_of(key)));
		add(&row, Int32GetDatum(pg_atomic_read_u32(&generator->waiting)));
		add(&row, Int64GetDatum(pg_atomic_read_u64(&generator->overflows)));
		add(&row, Int64GetDatum(pg_atomic_read_u64(&generator->overflow_ticks)));
		last_overflow = pg_atomic_read_u64(&generator->last_overflow);
		if (last_overflow == 0)
			add_null(&row);
		else
			add(&row, TimestampTzGetDatum((TimestampTz) last_overflow));
		add_interval(&row, (int64) pg_atomic_read_u64(&generator->wait_us));
		add(&row, Int64GetDatum(pg_atomic_read_u32(&generator->regressions)));
		put(fcinfo, &row);
	}
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		uint64		recycled = pg_atomic_read_u64(&flake->recycled[i]);

		/* pending with a generator that has lost its slot */
		for (int j = 0; j < FLAKE_SHARDS; j++)
		{
			const FlakeShard *shard = &flake->shards[j];
			uint32		key = shard->key;

			if (shard->pid != 0 && key != 0 && (int) FLAKE_KEY_FORMAT(key) == i && flake_find_slot(key) < 0)
				recycled += shard->pending;
		}
		if (recycled == 0)
			continue;
		add(&row, CStringGetTextDatum(flake_formats[i]->name));
		for (int column = 1; column < 9; column++)
			add_null(&row);
		add(&row, Int64GetDatum(recycled));
		for (int column = 10; column < 16; column++)
			add_null(&row);
		put(fcinfo, &row);
	}
	return (Datum) 0;
}

/* One row a backend that has made IDs: the lease it used last. */
PG_FUNCTION_INFO_V1(flakeid_show_shards);
Datum
flakeid_show_shards(PG_FUNCTION_ARGS)
{
	Row			row = {0};

	InitMaterializedSRF(fcinfo, 0);
	flake_attach();
	for (int i = 0; i < FLAKE_SHARDS; i++)
	{
		FlakeShard	shard = flake->shards[i];	/* one copy, so that the columns agree */
		const FlakeFormat *format;

		if (shard.pid == 0 || shard.key == 0)
			continue;
		format = flake_formats[FLAKE_KEY_FORMAT(shard.key)];
		add(&row, Int32GetDatum(shard.pid));
		add(&row, CStringGetTextDatum(format->name));
		add(&row, Int32GetDatum(FLAKE_KEY_NUMBER(shard.key)));
		add_instant(&row, flake_us_of(&format->rate, shard.tick));
		add(&row, Int32GetDatum(shard.start));
		add(&row, Int32GetDatum(shard.next));
		add(&row, Int32GetDatum(shard.end));
		add(&row, Int64GetDatum(shard.issued + shard.pending));
		put(fcinfo, &row);
	}
	return (Datum) 0;
}

/* One row: the clock, who this server is, and what has been seen. */
PG_FUNCTION_INFO_V1(flakeid_show_clock);
Datum
flakeid_show_clock(PG_FUNCTION_ARGS)
{
	Row			row = {0};
	FlakeIdentity identity;
	FlakeClockStats clock;
	int64		now = flake_clock();
	int64		high = 0;
	int64		mark = 0;
	FlakeMarkValues marks[FLAKE_MARK_KINDS];
	int			slots = 0;
	int			sessions = 0;
	uint64		era;

	InitMaterializedSRF(fcinfo, 0);
	flake_sync(&identity);
	LWLockAcquire(&flake->lock, LW_SHARED);
	era = pg_atomic_read_u64(&flake->era);
	clock = flake->clock;
	for (int i = 0; i < FLAKE_SLOTS; i++)
	{
		uint32		key = pg_atomic_read_u32(&flake->keys[i]);
		const FlakeFormat *format;
		FlakeWord	word;

		if (key == 0)
			continue;
		slots++;
		format = flake_formats[FLAKE_KEY_FORMAT(key)];
		word = flake_unword(format, pg_atomic_read_u64(&flake->generators[i].word));
		/* a slot just claimed stands at the floor; a timeline left does not count */
		if (word.next > 0 && (!format->tick_tock || word.timeline == FLAKE_ERA_TIMELINE(era)))
			high = Max(high, flake_us_of(&format->rate, word.tick));
	}
	for (int i = 0; i < FLAKE_SHARDS; i++)
		if (flake->shards[i].pid != 0)
			sessions++;
	LWLockRelease(&flake->lock);
	flake_mark_show(marks);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		mark = Max(mark, marks[kind].us[FLAKE_MARK]);

	add_instant(&row, now);
	add_instant(&row, high);
	add_instant(&row, mark);
	add_interval(&row, high > 0 && high > now ? high - now : 0);
	add(&row, Int32GetDatum(FLAKE_ERA_TIMELINE(era)));
	add(&row, Int64GetDatum(clock.regressions));
	add(&row, Int64GetDatum(clock.toggles));
	add(&row, Int64GetDatum(clock.run_ons));
	if (clock.last_regression == 0)
		add_null(&row);
	else
		add(&row, TimestampTzGetDatum(clock.last_regression));
	add(&row, Int32GetDatum(identity.node));
	add(&row, CStringGetTextDatum(identity.node_derived ? "system identifier" : "flakeid.node"));
	add(&row, Int32GetDatum(identity.sno_partition));
	if (identity.snowflake_worker < 0)
		add_null(&row);
	else
		add(&row, Int32GetDatum(identity.snowflake_worker));
	add(&row, Int64GetDatum(identity.siq_domain));
	add(&row, Int64GetDatum(identity.uid_node));
	add(&row, CStringGetTextDatum(flake_preloaded ? "preloaded" : "dynamic"));
	add(&row, Int32GetDatum(slots));
	add(&row, Int32GetDatum(sessions));
	put(fcinfo, &row);
	return (Datum) 0;
}
