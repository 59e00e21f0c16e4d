/*
 * server.h
 *		Time, settings, locks and shared memory, for the other folders.
 */
#ifndef FLAKE_SERVER_H
#define FLAKE_SERVER_H

#include "server/pg.h"
#include "kernel/flake.h"
#include "server/shared.h"

#include <time.h>

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

/* Return an ID's instant, which is always finite. */
static inline TimestampTz
flake_instant(const FlakeFormat *format, const uint8 *id)
{
	return flake_timestamptz(flake_id_us(format, id));
}

/* ---------- time.c: the two clocks ---------- */

/* Return what the clock reads, in microseconds since 1970.  It may step either way. */
static inline int64
flake_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

extern int64 flake_monotonic_us(void);
extern int64 flake_clock_offset(void);
extern void flake_look_at_clock(void);

/* ---------- period.c ---------- */

extern int64 flake_us_saturated(TimestampTz t);
extern int64 flake_us_in_span(const FlakeFormat *format, TimestampTz t);
extern int	flake_span_detail(const FlakeFormat *format);
extern void flake_clock_out_of_span(const FlakeFormat *format, int64 us);

/* The instants from the first to the last, infinities included; none if the last precedes the first. */
typedef struct FlakePeriod
{
	TimestampTz first;
	TimestampTz last;
} FlakePeriod;

extern TimestampTz flake_next_instant(TimestampTz t);
extern int	flake_periods(Datum range, Oid type, FlakePeriod **periods);
extern bool flake_within(const FlakeFormat *format, const uint8 *id, Datum range);

/* ---------- extension.c ---------- */

extern bool flake_is_own_schema(Oid schema, const char *function);
extern Oid	flake_owner_of(Oid relation);

/* ---------- typeformat.c ---------- */

extern const FlakeFormat *flake_format_of_type(Oid *type);

/* Return the bytes of an ID in a Datum, for code that serves all types. */
static inline const uint8 *
flake_datum_bytes(const FlakeFormat *format, const Datum *datum)
{
	return format->bytes == 8 && FLOAT8PASSBYVAL
		? (const uint8 *) datum : (const uint8 *) DatumGetPointer(*datum);
}

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

/* ---------- lockwait.c ---------- */

/* The purposes for which catalogs are read that no ordinary statement reads. */
typedef enum FlakeLook
{
	FLAKE_LOOK_EXTENSION = 1,	/* members of the extension */
	FLAKE_LOOK_DATABASE = 2,	/* the name of a database */
	FLAKE_LOOK_SUBSCRIPTION = 4,	/* the tables of subscriptions */
	FLAKE_LOOK_PARAMETER = 8,	/* who may set a parameter */
	FLAKE_LOOK_SEQUENCES = 16	/* the sequences of a column */
} FlakeLook;

/* A relation whose lock a session could not get. */
typedef struct FlakeLocked
{
	Oid			oid;
	const char *name;			/* for an index, its table's */
} FlakeLocked;

extern bool flake_try_lock(Oid oid, const char *name, FlakeLocked *locked);
extern bool flake_try_catalogs(FlakeLook look, FlakeLocked *locked);
extern void flake_unlock_catalogs(FlakeLook look);

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

/* ---------- wait.c ---------- */

extern const char *flake_ms_text(int ms);
extern char *flake_instant_text(int64 us);
extern bool flake_wait_until(int64 until, int64 *budget, FlakeGenerator *generator);
extern bool flake_sleep(int64 us, int64 *budget);
extern void flake_count_overflow(FlakeGenerator *generator, uint64 tick);
extern void flake_count_refused(FlakeRefusal why);
extern void flake_report_wait(const char *name, int64 until, int64 now);
extern void flake_report_exhausted(const char *name, uint32 number, int64 start, int64 now);

/* ---------- shmem.c ---------- */

#define FLAKE_TIMELINE(generation)	((unsigned) ((generation) & 1))

/*
 * Max() and Min() for values that are read from shared memory or from the clock.  The macros
 * would read the chosen one a second time, and another value may be there by then.
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
extern dsa_pointer flake_allocate(Size size);
extern void flake_free(dsa_pointer pointer, Size size);
extern dsa_pointer flake_try_allocate(Size size);
extern bool flake_make_sequences(void);
extern FlakeSequences *flake_sequences(void);
extern void flake_empty_values(FlakeValues *values, bool noted);

#pragma GCC visibility pop

/* In period.c: functions that the planner's side recognizes and calls. */
extern PGDLLEXPORT Datum flakeid_next_instant(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum flakeid_range_start(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum flakeid_range_last(PG_FUNCTION_ARGS);

#endif							/* FLAKE_SERVER_H */
