/*
 * flakeid.h
 *		The server's side: shared memory, generators, settings, types.
 */
#ifndef FLAKEID_H
#define FLAKEID_H

#include "pg.h"
#include "flake.h"

#include "datatype/timestamp.h"
#include "lib/stringinfo.h"
#include "port/atomics.h"
#include "storage/buf.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"
#include "utils/numeric.h"
#include "utils/sortsupport.h"

#pragma GCC visibility push(hidden)

/* ---------- time ---------- */

/* From timestamptz, microseconds since 2000, to the kernel's, since 1970. */
#define FLAKE_PG_EPOCH_US \
	((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* Every instant of every format is a timestamptz: the widest ends in 36812. */
static inline TimestampTz
flake_timestamptz(int64 us)
{
	return us - FLAKE_PG_EPOCH_US;
}

/*
 * An ID's instant.  Always finite, so that infinities need no care where
 * instants are compared.
 */
static inline TimestampTz
flake_instant(const FlakeFormat *format, const uint8 *id)
{
	return flake_timestamptz(format->instant(id));
}

extern int64 flake_us_saturated(TimestampTz t);
extern int64 flake_us_in_span(const FlakeFormat *format, TimestampTz t);
extern int	flake_span_detail(const FlakeFormat *format);
extern void flake_clock_out_of_span(const FlakeFormat *format, int64 us);

/* ---------- shmem.c ---------- */

#define FLAKE_SHARDS	1024	/* backends shown in the view */
#define FLAKE_MARKS		256		/* databases whose marks are cached at a time */

/*
 * One generator, one cache line, so that backends busy with different ones do
 * not disturb each other.  Everything is atomic and needs no lock, but the slot
 * changes hands only under FlakeShared.lock.
 */
typedef struct FlakeGenerator
{
	pg_atomic_uint64 word;		/* see sequence.c */
	pg_atomic_uint64 issued;	/* but for what is pending in shards[] */
	pg_atomic_uint64 overflow_tick; /* the last tick counted in overflow_ticks */
	pg_atomic_uint64 last_overflow; /* timestamptz */
	pg_atomic_uint64 overflows; /* calls that found the tick exhausted */
	pg_atomic_uint64 overflow_ticks;	/* ticks that ran out */
	pg_atomic_uint64 wait_us;	/* slept, by all callers together */
	pg_atomic_uint32 waiting;	/* callers waiting at this moment */
	pg_atomic_uint32 regressions;	/* times that the clock was found behind */
} FlakeGenerator;

/*
 * One backend, one cache line, written by that backend alone and read without a
 * lock by the views.  Claimed and given back under FlakeShared.lock.
 */
typedef struct FlakeShard
{
	volatile int32 pid;			/* 0: free */
	volatile uint32 key;		/* the generator of the lease shown */
	volatile uint64 tick;		/* the lease shown: [next, end) of this tick is left ... */
	volatile uint32 start;		/* ... of [start, end) */
	volatile uint32 next;
	volatile uint32 end;
	volatile uint32 numbers;	/* shard numbers this backend is bound to: see flake_own_number() */
	volatile uint64 pending;	/* issued with this generator, but not yet in its count */
	volatile uint64 issued;		/* by this backend, but for what is pending */
	char		padding[16];
} FlakeShard;

/* What is written ahead of the IDs; see mark.c. */
typedef enum FlakeMarkKind
{
	FLAKE_MARK_TICK,			/* tick-tock formats, timeline 0 */
	FLAKE_MARK_TOCK,			/* and timeline 1 */
	FLAKE_MARK_RUN_ON,			/* all other formats */
	FLAKE_MARK_KINDS
} FlakeMarkKind;

/* The values of a mark, in us, in the order of flakeid_mark's columns; 0: none. */
typedef enum FlakeMarkValue
{
	FLAKE_MARK,					/* ticks starting before it may be issued */
	FLAKE_JUMP_FROM,			/* nothing was issued from here ... */
	FLAKE_JUMP_TO,				/* ... up to here, when the clock jumped */
	FLAKE_BURNT_FROM,			/* never to be issued again: left by a reset */
	FLAKE_BURNT_TO,
	FLAKE_MARK_VALUES
} FlakeMarkValue;

typedef struct FlakeMarkValues
{
	int64		us[FLAKE_MARK_VALUES];
} FlakeMarkValues;

/* The shared entry of a database. */
typedef struct FlakeMark
{
	pg_atomic_uint32 database;	/* 0: free */
	pg_atomic_uint32 version;	/* of the entry: how often it changed hands */
	TransactionId maker;		/* made for an extension that this transaction creates, or 0 */
	pg_atomic_uint64 value[FLAKE_MARK_KINDS][FLAKE_MARK_VALUES];
	pg_atomic_uint64 floor[FLAKE_MARK_KINDS];	/* us: ticks starting before it may not be issued */
	int64		reach[FLAKE_MARK_KINDS];	/* us: ticks starting before it may be issued in this life */
	int64		moved[FLAKE_MARK_KINDS];	/* flake_monotonic_us() of the last move in this life, or 0 */
} FlakeMark;

/* The settings that make the identity, parsed.  No padding: compared as bytes. */
typedef struct FlakeSettings
{
	int32		node;			/* -1: derived */
	int32		sno_partition;	/* -1: the node */
	uint32		sno_min,
				sno_max;
	uint32		siq_domain_set;
	uint32		siq_domain;		/* hash */
	int32		siq_local_id;
	uint32		siq_shard_min,
				siq_shard_max;
	int32		snowflake_worker;	/* -1: the node */
	uint32		uid_node_set;
	uint32		uid_node;		/* hash */
} FlakeSettings;

/* Who this server is, by the settings of the backend that read them last. */
typedef struct FlakeIdentity
{
	TimestampTz reloaded;		/* PgReloadTime of that backend; 0: nobody yet */
	FlakeSettings given;
	int32		node;			/* 0 .. 65535 */
	uint32		node_derived;	/* from the system identifier, not set */
	int32		sno_partition;
	uint32		siq_domain;		/* hash of flakeid.siq_domain and siq_local_id */
	int32		snowflake_worker;	/* 0 .. 31, or -1: the node, which was set and exceeds 31 */
	uint32		uid_node;
} FlakeIdentity;

typedef struct FlakeClockStats
{
	uint64		regressions;	/* decisions taken on a clock found behind ... */
	uint64		toggles;		/* ... by going to the other timeline */
	uint64		run_ons;		/* ... by running on ahead of the clock */
	TimestampTz last_regression;
	int64		last_logged[FLAKE_FORMATS][2];	/* run ons and toggles, by the monotonic clock, in us */
} FlakeClockStats;

typedef struct FlakeShared
{
	uint64		magic;
	uint32		layout;
	uint32		size;

	/*
	 * Guards claiming and recycling slots and shards, toggling, marks, identity
	 * and clock statistics.  Held for microseconds, and never while waiting.
	 */
	LWLock		lock;
	int			tranche;

	/*
	 * epoch << 1 | timeline, one word so that they change together.  A new epoch
	 * makes every backend drop its leases and read what stands below again.
	 */
	pg_atomic_uint64 era;
	uint64		resets;			/* how often time was set back by flakeid_clock_reset() */
	FlakeIdentity identity;
	FlakeClockStats clock;

	/* No tick below it is issued again on that timeline, by any generator of the format. */
	pg_atomic_uint64 floor[FLAKE_FORMATS][2];
	/* Behind a tick up to this one it is decided to run on; where that is the only way, counted. */
	pg_atomic_uint64 run_on[FLAKE_FORMATS][2];
	pg_atomic_uint64 backfilled[FLAKE_FORMATS]; /* T_new_at's counter */
	pg_atomic_uint64 recycled[FLAKE_FORMATS];	/* issued by slots that went to others */

	FlakeMark	marks[FLAKE_MARKS];
	/* What resets have burnt for all databases: from, to. */
	pg_atomic_uint64 burnt[FLAKE_MARK_KINDS][FLAKE_BURNT - 1][2];
	int64		left[FLAKE_MARK_KINDS]; /* the highest reach of an entry that was taken over */
	pg_atomic_uint32 keys[FLAKE_SLOTS]; /* which generator the slot is; 0: free */
	FlakeGenerator generators[FLAKE_SLOTS] pg_attribute_aligned(64);
	FlakeShard	shards[FLAKE_SHARDS] pg_attribute_aligned(64);
} FlakeShared;

#define FLAKE_ERA_TIMELINE(era)		((unsigned) ((era) & 1))

/* A generator's key: its format and its partition or shard number. */
#define FLAKE_KEY(format, number)	(((uint32) (format) + 1) << 24 | (uint32) (number))
#define FLAKE_KEY_FORMAT(key)		((FlakeFormatId) (((key) >> 24) - 1))
#define FLAKE_KEY_NUMBER(key)		((key) & 0xffffff)

extern FlakeShared *flake;		/* NULL before flake_attach() */
extern bool flake_preloaded;

extern void flake_shmem_init(void);
extern void flake_attach(void);

/* ---------- slots.c ---------- */

/* The timeline of a format's IDs in an era. */
static inline unsigned
flake_timeline(const FlakeFormat *format, uint64 era)
{
	return format->tick_tock ? FLAKE_ERA_TIMELINE(era) : 0;
}

static inline FlakeMarkKind
flake_mark_kind(const FlakeFormat *format, unsigned timeline)
{
	if (!format->tick_tock)
		return FLAKE_MARK_RUN_ON;
	return timeline == 0 ? FLAKE_MARK_TICK : FLAKE_MARK_TOCK;
}

extern void flake_new_era(unsigned timeline);
extern void flake_new_epoch(void);
extern void flake_raise(pg_atomic_uint64 *value, uint64 least);
extern uint32 flake_slots(const FlakeFormat *format, uint32 *first);
extern int	flake_find_slot(uint32 key);
extern int	flake_claim_slot(const FlakeFormat *format, uint32 key);
extern void flake_rewind(FlakeMarkKind kind, int64 us);

/* ---------- mark.c ---------- */

/* How far ahead of the IDs a mark is moved. */
#define FLAKE_LEAD_US		(2 * FLAKE_US_PER_SECOND)

/* The mark opened for writing; open it before taking FlakeShared.lock. */
typedef struct FlakeMarkPage
{
	Relation	relation;
	Buffer		buffer;
	LOCKMODE	lock;
	bool		created;		/* the relation, by this transaction */
	bool		rewritten;		/* into a new file, by this transaction */
	bool		replaced;		/* and an older one dropped by it */
	bool		made;			/* the entry was, of this page */
} FlakeMarkPage;

/* What a mark means for a step: see FlakeView. */
typedef struct FlakeMarkView
{
	int64		mark;
	int64		floor;
	FlakeInterval burnt[FLAKE_BURNT];
} FlakeMarkView;

typedef enum FlakeReset
{
	FLAKE_RESET_DONE,
	FLAKE_RESET_ISSUED,			/* refused: IDs may have been issued after the instant */
	FLAKE_RESET_ISSUED_ELSEWHERE,	/* the same, by another database */
	FLAKE_RESET_BURNT,			/* refused: other times are burnt already */
} FlakeReset;

extern void flake_refuse_recovery(void);
extern void flake_mark_open(FlakeMarkPage *page);
extern void flake_mark_close(FlakeMarkPage *page);
extern void flake_mark_merge(FlakeMarkPage *page);
extern void flake_mark_move(FlakeMarkPage *page, FlakeMarkKind kind, int64 us);
extern bool flake_mark(FlakeMarkKind kind, FlakeMarkView *view);
extern void flake_mark_extend(FlakeMarkKind kind, int64 us, uint64 era);
extern void flake_mark_ahead(FlakeMarkKind kind, int64 us, uint64 era);
extern void flake_mark_raise(const FlakeMarkValues least[FLAKE_MARK_KINDS]);
extern FlakeReset flake_mark_reset(int64 us, bool force, FlakeMarkValues *issued);
extern void flake_mark_forget_dropped(void);
extern int64 flake_mark_safe(FlakeMarkKind kind, int64 now);
extern int64 flake_mark_used(FlakeMarkKind kind);
extern void flake_mark_show(FlakeMarkValues values[FLAKE_MARK_KINDS]);

/* ---------- generate.c ---------- */

#define FLAKE_OWN		(-1)	/* this server's partition, this backend's shard number */

/* What a generator answers, until this backend's next call: the format packs it with its other parts. */
typedef struct FlakeTicket
{
	uint64		tick;
	unsigned	timeline;
	uint32		number;
	uint32		sequence;
	const FlakeIdentity *identity;	/* in force with it */
} FlakeTicket;

extern int64 flake_clock(void);
extern const FlakeTicket *flake_generate(const FlakeFormat *format, int32 number, uint32 stride);
extern uint32 flake_backfill(const FlakeFormat *format);
extern uint32 flake_own_number(const FlakeFormat *format);
extern void flake_pool(const FlakeFormat *format, uint32 *min, uint32 *max);
extern void flake_sync(FlakeIdentity *identity);
extern void flake_void_leases(void);
extern void flake_release(void);

/* ---------- turn.c ---------- */

extern int64 flake_monotonic_us(void);
extern bool flake_wait_until(int64 until, int64 *budget, FlakeGenerator *generator);
extern void flake_stop_waiting(void);
extern void flake_count_overflow(FlakeGenerator *generator, uint64 tick);
extern void flake_report_too_far(const FlakeFormat *format, uint64 tick, int64 now);
extern void flake_report_wait(const FlakeFormat *format, int64 until, int64 now);
extern void flake_report_exhausted(const FlakeFormat *format, uint32 number, uint64 tick, int64 now);
extern uint64 flake_run_on(const FlakeFormat *format, unsigned timeline, uint64 decided, int64 now);
extern void flake_ran_on(const FlakeFormat *format, uint64 tick, int64 now);
extern FlakeTurn flake_turn_now(const FlakeFormat *format, uint32 key, int slot, uint64 era,
								FlakeView *view, FlakeTurned *turned);

/* ---------- state.c ---------- */

/* The state of a generator of a tick-tock format, in ticks. */
typedef struct FlakeSnapshot
{
	uint64		now;			/* the clock */
	uint64		high;			/* everything on the timeline in force is up to here */
	uint64		safe;			/* and on the other one */
	uint64		drifts;			/* odd on timeline 1 */
	uint32		next;			/* the first number free in the tick "high" */
} FlakeSnapshot;

extern void flake_snapshot(const FlakeFormat *format, uint32 number, FlakeSnapshot *state);
extern void flake_restore(const FlakeFormat *format, const uint64 used[2]);

/* ---------- guc.c ---------- */

extern int	flake_max_ahead;	/* ms */
extern int	flake_max_wait;		/* ms */

extern void flake_define_settings(void);
extern void flake_check_settings(void);
extern void flake_identify(FlakeIdentity *identity, const FlakeIdentity *in_force);

/* ---------- formats, for each other ---------- */

extern bool siq_hash_domain(const char *domain, int local_id, uint32 *hash);

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
extern double flake_distance(const uint8 *a, const uint8 *b, int bytes);
extern bool flake_neighbour(uint8 *id, int bytes, int by);

/* ---------- support.c: time conditions ---------- */

/* The instants from start on that are before end. */
typedef struct FlakePeriod
{
	TimestampTz start;
	TimestampTz end;
} FlakePeriod;

extern TimestampTz flake_next_instant(TimestampTz t);
extern FlakePeriod flake_period(Datum range);
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

/* The bytes of an ID in a Datum, for code that serves all types. */
static inline const uint8 *
flake_datum_bytes(const FlakeFormat *format, const Datum *datum)
{
	return format->bytes == 8 && FLOAT8PASSBYVAL
		? (const uint8 *) datum : (const uint8 *) DatumGetPointer(*datum);
}

#pragma GCC visibility pop

#endif							/* FLAKEID_H */
