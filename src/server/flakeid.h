/*
 * flakeid.h
 *		The server's side: generators, settings, types.
 */
#ifndef FLAKEID_H
#define FLAKEID_H

#include "server/pg.h"
#include "kernel/flake.h"
#include "server/shared.h"

#include "lib/stringinfo.h"
#include "storage/block.h"
#include "storage/buf.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"
#include "utils/numeric.h"
#include "utils/sortsupport.h"

#pragma GCC visibility push(hidden)

/* ---------- time ---------- */

/* A timestamptz counts microseconds since 2000, the kernel since 1970: the difference. */
#define FLAKE_PG_EPOCH_US \
	((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* timestamptz can represent every instant of every format: the last span ends in 36812. */
static inline TimestampTz
flake_timestamptz(int64 us)
{
	return us - FLAKE_PG_EPOCH_US;
}

/*
 * Return an ID's instant.  It is always finite, so that comparisons of instants need
 * not care about infinities.
 */
static inline TimestampTz
flake_instant(const FlakeFormat *format, const uint8 *id)
{
	return flake_timestamptz(flake_id_us(format, id));
}

/* ---------- time.c: the two clocks ---------- */

extern int64 flake_clock(void);
extern int64 flake_monotonic_us(void);
extern int64 flake_clock_offset(void);

/* ---------- typeformat.c ---------- */

extern const FlakeFormat *flake_format_of_type(Oid *type);

/* ---------- guc.c ---------- */

extern int	flake_max_ahead;	/* ms */
extern int	flake_max_wait;		/* ms */
extern int	flake_promotion_gap;	/* ms */
extern int	flake_horizon_lag;	/* ms */

/* The settings that determine the numbers, as this session has them. */
typedef struct FlakeSettings
{
	int			node;			/* -1: derived */
	int			sno_min;
	int			sno_max;
	char	   *siq_domain;		/* NULL or empty: none */
	int			siq_local_id;
	int			siq_shard;		/* -1: the node */
	int			snowflake_worker;	/* -1: the node */
	int			snowflake_process;	/* -1: all of them */
	char	   *uid_node;		/* NULL or empty: derived from the node */
} FlakeSettings;

extern FlakeSettings flake_settings;

/* The server guards all settings, and reports changes. */
extern bool flake_settings_defined;

extern void flake_define_settings(void (*on_change) (void));
extern void flake_check_settings(void);
extern const char *flake_setting_fault(void);
extern int64 flake_lock_wait_us(void);

/* ---------- identity.c ---------- */

/* Why a session can make no ID of a format. */
typedef enum FlakeNumberFault
{
	FLAKE_NUMBER_OK,
	/* The node is set, and does not fit the format's field. */
	FLAKE_NUMBER_TOO_GREAT,
	FLAKE_POOL_TOO_SMALL		/* flakeid.sno_sequence_min and _max */
} FlakeNumberFault;

/* What distinguishes a session's IDs of a format from those of other databases. */
typedef struct FlakeOwn
{
	/*
	 * sno's partition, siq's shard, snowflake's worker, uid96's node; -1:
	 * none.
	 */
	int64		number;
	uint32		min,			/* the part of the pool that may be used */
				max;
	FlakeNumberFault fault;
} FlakeOwn;

/* The identity under which a session makes IDs. */
typedef struct FlakeIdentity
{
	bool		known;			/* false: a setting must not be used */
	int32		node;			/* 0 .. 65535 */
	bool		node_derived;	/* from the system identifier and the database */
	uint32		siq_domain;		/* hash of flakeid.siq_domain and siq_local_id */
	int32		siq_local_id;
	FlakeOwn	own[FLAKE_FORMATS]; /* flax has none; uid64's number is 0 */
} FlakeIdentity;

/* As of the last flake_sync(). */
extern FlakeIdentity flake_identity;
extern uint64 flake_generation;

extern void flake_settings_changed(void);
extern void flake_sync(void);
extern const char *flake_look(void);
extern const FlakeOwn *flake_own(const FlakeFormat *format);

/* ---------- shmem.c ---------- */

#define FLAKE_TIMELINE(generation)	((unsigned) ((generation) & 1))

/*
 * Max() and Min() for values that are read from shared memory or from the clock.  The
 * macros would read the chosen one a second time; if another session writes, or the clock
 * steps back, that can be on the other side of the value that was compared.
 */
static inline uint64
flake_later_tick(uint64 a, uint64 b)
{
	return Max(a, b);
}

static inline uint64
flake_earlier_tick(uint64 a, uint64 b)
{
	return Min(a, b);
}

static inline int64
flake_later(int64 a, int64 b)
{
	return Max(a, b);
}

static inline int64
flake_earlier(int64 a, int64 b)
{
	return Min(a, b);
}

extern dsa_area *flake_area;
extern FlakeShared *flake;		/* NULL before flake_attach() */
extern FlakeDatabase *flake_db; /* this session's; NULL before flake_attach() */
extern FlakeSession *flake_session;
extern bool flake_preloaded;

extern void flake_shmem_init(void);
extern void flake_attach(void);
extern int	flake_sessions(const FlakeDatabase *db);

/* ---------- generators.c ---------- */

/* Return the timeline of a format's IDs in a generation. */
static inline unsigned
flake_timeline(const FlakeFormat *format, uint64 generation)
{
	return format->tick_tock ? FLAKE_TIMELINE(generation) : 0;
}

static inline FlakeMarkKind
flake_mark_kind(const FlakeFormat *format, unsigned timeline)
{
	if (flake_generator_of(format)->numbers == 0)
		return FLAKE_MARK_READERS;
	if (!format->tick_tock)
		return FLAKE_MARK_AHEAD;
	return timeline == 0 ? FLAKE_MARK_TICK : FLAKE_MARK_TOCK;
}

extern void flake_new_generation(unsigned timeline);
extern void flake_void_generation(void);
extern void flake_raise(pg_atomic_uint64 *value, uint64 least);
extern FlakeGenerator *flake_generator(const FlakeFormat *format, uint32 number);
extern FlakeGenerator *flake_find_generator(const FlakeFormat *format, uint32 number);
extern FlakeGenerator *flake_next_generator(const FlakeFormat *format, uint32 *number);
extern void flake_undo_lease(const FlakeFormat *format, uint32 number, uint64 generation, uint64 leased, uint64 before);
extern int64 flake_issued(FlakeMarkKind kind);
extern void flake_map_generators(FlakeMarkKind kind);
extern void flake_rewind(FlakeMarkKind kind, int64 us);

/* ---------- catalog.c: locks on catalogs ---------- */

/* The purposes for which catalogs are read. */
typedef enum FlakeLook
{
	FLAKE_LOOK_NAME,			/* a table by its name */
	FLAKE_LOOK_TABLE,			/* opening a table that is not in the cache */
	FLAKE_LOOK_EXTENSION,		/* members of the extension */
	FLAKE_LOOK_ENUM,			/* the labels of an enum */
	FLAKE_LOOK_DATABASE,		/* the name of a database */
	FLAKE_LOOK_SUBSCRIPTION,	/* the tables of subscriptions */
	FLAKE_LOOK_PARAMETER		/* who may set a parameter */
} FlakeLook;

#define FLAKE_LOOKS (FLAKE_LOOK_PARAMETER + 1)

/* A relation whose lock a session could not get. */
typedef struct FlakeLocked
{
	Oid			oid;
	const char *name;			/* for an index, its table's */
} FlakeLocked;

extern bool flake_try_lock(Oid oid, const char *name, FlakeLocked *locked);
extern bool flake_try_catalogs(FlakeLook look, int64 limit, FlakeLocked *locked);
extern void flake_unlock_catalogs(FlakeLook look);

/* ---------- lockwait.c ---------- */

/* How long a session has waited for a lock, in us; zero it before the first try. */
typedef struct FlakeLockWait
{
	int64		allowed;
	int64		budget;
	int64		sleep;
} FlakeLockWait;

extern void flake_wait_for_lock(FlakeLockWait *wait, const FlakeLocked *locked);
extern void flake_lock_relation(Oid oid, const char *name);
extern void flake_lock_catalogs(FlakeLook look);

/* ---------- turn.c: the writer's turn ---------- */

extern bool flake_turn_take(bool wait);
extern void flake_turn_end(void);

/* ---------- markpage.c: the table _flakeid.mark ---------- */

/* The mark's table opened: its first page is pinned, and the table cannot be rewritten. */
typedef struct FlakeMarkPage
{
	Relation	relation;
	Buffer		buffer;
	bool		writing;		/* to move the mark, not only to read it */
	bool		dropping;		/* the table is being dropped */
	/* This transaction gave the relation a new file. */
	bool		rewritten;
	/* This transaction created the relation and dropped an older flakeid. */
	bool		replaced;
	bool		damaged;		/* by a restored dump: see flake_page_repair() */
	/* What was read, or written since: if it is being dropped, as much as can be read. */
	BlockNumber blocks;
	FlakeIssued rows[FLAKE_MARK_KINDS];
} FlakeMarkPage;

extern Oid	flake_mark_relation(void);
extern bool flake_is_deleted(HeapTupleHeader row);
extern bool flake_was_deleted(HeapTupleHeader row);
extern bool flake_mark_known(Oid relation, Oid file);
extern void flake_refuse_recovery(void);
extern bool flake_page_open(FlakeMarkPage *page, bool writing, bool wait);
extern void flake_page_close(FlakeMarkPage *page);
extern void flake_page_read(FlakeMarkPage *page, FlakeIssued issued[FLAKE_MARK_KINDS]);
extern XLogRecPtr flake_page_write(FlakeMarkPage *page, const FlakeIssued issued[FLAKE_MARK_KINDS],
								   FlakeIssued *written);
extern void flake_page_flush(const FlakeMarkPage *page, XLogRecPtr lsn);
extern bool flake_page_open_dropped(FlakeMarkPage *page, Oid oid);
extern void flake_page_repair(Oid oid);
extern bool flake_page_of_older_timeline(const FlakeMarkPage *page);

/* ---------- mark.c: the mark in memory ---------- */

/* The part of FlakeView that the mark determines. */
typedef struct FlakeMarkView
{
	int64		mark;
	int64		floor;
} FlakeMarkView;

extern bool flake_mark(FlakeMarkKind kind, FlakeMarkView *view);
extern void flake_mark_extend(FlakeMarkKind kind, int64 us, uint64 generation, bool wait);
extern void flake_mark_ahead(FlakeMarkKind kind, int64 us, uint64 generation);
extern void flake_mark_add(const FlakeIssued others[FLAKE_MARK_KINDS]);
extern void flake_mark_dropped(Oid oid);
extern bool flake_mark_show(FlakeIssued issued[FLAKE_MARK_KINDS]);
extern int64 flake_mark_used(FlakeMarkKind kind);
extern int64 flake_mark_safe(FlakeMarkKind kind);

/* A session's turn as the writer: to move the mark, to change timelines or to reset. */
typedef struct FlakeWriter
{
	FlakeMarkPage page;
	/* What is written stays, even if the transaction aborts. */
	bool		counts;
	/* As published; the session changes it and publishes it again. */
	FlakeIssued issued[FLAKE_MARK_KINDS];
} FlakeWriter;

extern bool flake_writer_begin(FlakeWriter *writer, bool wait, bool always);
extern void flake_writer_write(FlakeWriter *writer);
extern bool flake_writer_advance(FlakeWriter *writer, FlakeMarkKind kind, int64 us, int64 *floor);
extern void flake_writer_publish(const FlakeWriter *writer, FlakeMarkKind kind, int64 floor);
extern void flake_writer_end(FlakeWriter *writer);

/* ---------- horizon.c ---------- */

extern bool flake_announce(const char *name, const FlakeFormat *format, unsigned timeline, uint64 tick);
extern uint64 flake_tick_now(const FlakeFormat *format, int64 *now);
extern bool flake_in_time(const FlakeFormat *format, int64 us, int64 *passed);
extern void flake_forget_recovery(void);
extern TransactionId flake_unlisted_prepared(int i);
extern void flake_horizon(const FlakeFormat *format, uint8 *id);
extern int64 flake_own_horizon(const FlakeFormat *format);

/* ---------- published.c ---------- */

#define FLAKE_NO_HORIZON	PG_UINT64_MAX	/* nothing is published */
#define FLAKE_UNPUBLISHED	(PG_UINT64_MAX - 1) /* not yet, but it should be */
#define FLAKE_COPYING		(PG_UINT64_MAX - 2) /* rows are still being copied */

extern void flake_refuse_published(const FlakeFormat *format, uint64 published);
extern uint64 flake_published_here(const FlakeFormat *format, Snapshot snapshot);
extern uint64 flake_published_elsewhere(const FlakeFormat *format, Snapshot snapshot);
extern bool flake_may_publish(void);

/* ---------- generate.c ---------- */

#define FLAKE_OWN		(-1)	/* the number of this database */

/*
 * What a generator returns, valid until this session's next call.  The format packs it
 * with its other parts.
 */
typedef struct FlakeTicket
{
	uint64		tick;
	unsigned	timeline;
	uint32		number;
	uint32		sequence;

	/*
	 * What the clock read at the lease, FLAKE_LEASE_US ago at most: ns,
	 * modulo 2^64.
	 */
	uint64		leased;
} FlakeTicket;

extern const FlakeTicket *flake_generate(const FlakeFormat *format, int32 number, uint32 stride);
extern const FlakeTicket *flake_generate_for(const char *name, const FlakeFormat *format);

/* ---------- lease.c ---------- */

extern void flake_count_leases(void);

/* ---------- new_at.c ---------- */

extern uint32 flake_new_at(const FlakeFormat *format, uint32 number, uint64 tick, uint32 stride);

/* ---------- counter.c ---------- */

/* The tick of an ID, and the counter that keeps the IDs of one tick in order. */
typedef struct FlakeCounted
{
	uint64		tick;
	uint32		counter;
	uint64		now;			/* for flake_random() */
} FlakeCounted;

extern FlakeCounted flake_counted_next(const char *name, const FlakeFormat *format);
extern FlakeCounted flake_counted_at(const FlakeFormat *format, int64 us);

/* ---------- random.c ---------- */

extern uint64 flake_random(uint64 now);

/* ---------- ksuid.c ---------- */

extern void ksuid_fill(FlakeCounted counted, uint8 *id);

/* ---------- wait.c ---------- */

extern const char *flake_ms_text(int ms);
extern char *flake_instant_text(int64 us);
extern bool flake_wait_until(int64 until, int64 *budget, FlakeGenerator *generator);
extern bool flake_sleep(int64 us, int64 *budget);
extern void flake_count_overflow(FlakeGenerator *generator, uint64 tick);
extern void flake_count_refused(FlakeRefusal why);
extern void flake_report_wait(const char *name, int64 until, int64 now);
extern void flake_report_exhausted(const char *name, uint32 number, int64 start, int64 now);

/* ---------- regression.c ---------- */

extern uint64 flake_ahead_until(const FlakeFormat *format, unsigned timeline, uint64 decided, int64 now);
extern void flake_went_ahead(const FlakeFormat *format, uint64 tick, int64 now);
extern void flake_refuse_behind(const char *name, const FlakeFormat *format, FlakeGenerator *generator,
								unsigned timeline, uint64 tick, int64 now);
extern FlakeRegression flake_regression_now(const FlakeFormat *format, FlakeGenerator *generator,
											FlakeView *view, FlakeRegressed *regressed);

/* ---------- snapshot.c ---------- */

/* The state of a generator of a tick-tock format; times in ticks. */
typedef struct FlakeSnapshot
{
	uint64		now;			/* the clock */
	uint64		high;			/* the last tick used on the current timeline */
	/* The last tick that may have been used on the other timeline. */
	uint64		safe;
	uint64		drifts;			/* odd on timeline 1 */
	uint32		next;			/* the first sequence number free in "high" */
} FlakeSnapshot;

extern void flake_snapshot(const FlakeFormat *format, uint32 number, FlakeSnapshot *state);
extern void flake_restore(const FlakeFormat *format, const uint64 used[2]);

/* ---------- domain.c ---------- */

extern uint32 flake_hash_domain(const char *domain, int local_id);

/* ---------- type.c: bodies of the functions in type.h ---------- */

extern bool flake_in(const FlakeFormat *format, const char *text, uint8 *id, struct Node *escontext);
extern void flake_recv(const FlakeFormat *format, StringInfo buffer, uint8 *id);
extern bytea *flake_to_bytea(const FlakeFormat *format, const uint8 *id);
extern void flake_from_bytea(const FlakeFormat *format, const bytea *bytes, uint8 *id);
extern void flake_to_uuid(const FlakeFormat *format, const uint8 *id, uint8 *uuid);
extern void flake_from_uuid(const FlakeFormat *format, const uint8 *uuid, uint8 *id);
extern Numeric flake_to_numeric(const FlakeFormat *format, const uint8 *id);
extern void flake_from_numeric(const FlakeFormat *format, Numeric number, uint8 *id);
extern void flake_sort_support(SortSupport ssup, int (*compare) (Datum, Datum, SortSupport),
							   Datum (*abbreviate) (Datum, SortSupport));
extern const uint8 *flake_sort_first(SortSupport ssup, const uint8 *id, int bytes);
extern Datum flake_sort_key(SortSupport ssup, uint64 key);
extern int64 flake_part(const FlakeFormat *format, const char *part, int64 value, int64 max);
extern int	flake_compare_instant(const FlakeFormat *format, const uint8 *id, TimestampTz t);
extern Datum flake_in_range(const FlakeFormat *format, const uint8 *id, const uint8 *base,
							Datum offset, bool sub, bool less);
extern bool flake_neighbour(uint8 *id, int bytes, int by);
extern const FlakeNotation *flake_notation_named(const FlakeFormat *format, const text *name);
extern void flake_not_in_notation(const FlakeFormat *format, const FlakeNotation *notation,
								  const char *text, const char *detail);
extern const FlakeFormat *flake_format_named(const text *name);
extern Datum flake_row(FunctionCallInfo fcinfo, Datum *values);

/* ---------- period.c ---------- */

extern int64 flake_us_saturated(TimestampTz t);
extern int64 flake_us_in_span(const FlakeFormat *format, TimestampTz t);
extern int	flake_span_detail(const FlakeFormat *format);
extern void flake_clock_out_of_span(const FlakeFormat *format, int64 us);

/* The instants from start on, before end. */
typedef struct FlakePeriod
{
	TimestampTz start;
	TimestampTz end;
} FlakePeriod;

extern TimestampTz flake_next_instant(TimestampTz t);
extern FlakePeriod flake_period(Datum range);
extern int	flake_periods(Datum multirange, FlakePeriod **periods);
extern void flake_range_ends(Datum range, TimestampTz *first, TimestampTz *last);
extern bool flake_within(const FlakeFormat *format, const uint8 *id, Datum range);
extern bool flake_within_any(const FlakeFormat *format, const uint8 *id, Datum multirange);

/* ---------- selectivity.c ---------- */

struct PlannerInfo;
struct Node;

extern double flake_within_selectivity(struct PlannerInfo *root, Oid function, struct Node *id, int rel,
									   const FlakePeriod *periods, int count);

/* ---------- gist.c ---------- */

extern Datum flake_gist_compress(const FlakeFormat *format, Datum entry);
extern Datum flake_gist_fetch(const FlakeFormat *format, Datum entry);
extern bool flake_gist_consistent(const FlakeFormat *format, Datum entry, Datum query,
								  int strategy, Oid subtype, bool *recheck);

/*
 * An ID as an argument or result of a function: by reference, or (8 bytes) by
 * value, where the Datum's memory holds the big-endian bytes all the same.
 */
#define FLAKE_ARG_REF(id, n) \
	const uint8 *id = (const uint8 *) PG_GETARG_POINTER(n)
#define FLAKE_ARG_VALUE(id, n) \
	int64 id##_value = PG_GETARG_INT64(n); \
	const uint8 *id = (const uint8 *) &id##_value
#define FLAKE_RESULT_REF(id, bytes) \
	uint8 *id = (uint8 *) palloc(bytes)
#define FLAKE_RESULT_VALUE(id) \
	int64 id##_value = 0; \
	uint8 *id = (uint8 *) &id##_value
#define FLAKE_RETURN_REF(id)	PG_RETURN_POINTER(id)
#define FLAKE_RETURN_VALUE(id)	PG_RETURN_INT64(id##_value)

/* Return the bytes of an ID in a Datum, for code that serves all types. */
static inline const uint8 *
flake_datum_bytes(const FlakeFormat *format, const Datum *datum)
{
	return format->bytes == 8 && FLOAT8PASSBYVAL
		? (const uint8 *) datum : (const uint8 *) DatumGetPointer(*datum);
}

#pragma GCC visibility pop

/* In period.c: functions that the planner's side recognizes and calls. */
extern PGDLLEXPORT Datum flakeid_next_instant(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum flakeid_range_start(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum flakeid_range_end(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum flakeid_range_first(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum flakeid_range_last(PG_FUNCTION_ARGS);

#endif							/* FLAKEID_H */
