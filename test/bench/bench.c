/*
 * bench.c
 *		A module for the benchmark only: times calls in the server, so that the
 *		figures exclude protocol, parser and planner.  Also functions that do
 *		as little as a generator can, for comparison.
 */
#include "postgres.h"

#include <time.h>

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "parser/analyze.h"
#include "parser/parser.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

PG_MODULE_MAGIC;

/* A prime, so that samples do not keep in step with leases and caches of round sizes. */
#define SAMPLE_EVERY	61
#define MAX_SAMPLES		(1 << 20)

/* An SQL expression, ready to be evaluated again and again. */
typedef struct Probe
{
	ExprState  *state;
	ExprContext *context;
	Datum	   *inputs;			/* the values of $1, in turn; NULL: none */
	uint64		count;
	uint64		next;
} Probe;

static inline int64
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Store a query's column as a probe's inputs, and return its type. */
static Oid
read_inputs(Probe *probe, const char *query)
{
	Oid			type;
	int16		length;
	bool		by_value;
	MemoryContext old;

	if (SPI_execute(query, true, 0) != SPI_OK_SELECT || SPI_processed == 0)
		elog(ERROR, "no inputs: %s", query);
	type = SPI_gettypeid(SPI_tuptable->tupdesc, 1);
	get_typlenbyval(type, &length, &by_value);
	old = MemoryContextSwitchTo(probe->context->ecxt_per_query_memory);
	probe->count = SPI_processed;
	probe->inputs = palloc(probe->count * sizeof(Datum));
	for (uint64 i = 0; i < probe->count; i++)
	{
		bool		isnull;
		Datum		value = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &isnull);

		probe->inputs[i] = datumCopy(value, by_value, length);
	}
	MemoryContextSwitchTo(old);
	return type;
}

/*
 * Prepare an expression as the executor does.  A query after "<-" returns the
 * values of its $1.
 */
static void
prepare(Probe *probe, EState *estate, char *expression)
{
	char	   *query = strstr(expression, "<-");
	Oid			type = InvalidOid;
	List	   *parsed;
	Query	   *analyzed;
	MemoryContext old;

	memset(probe, 0, sizeof(Probe));
	probe->context = CreateExprContext(estate);
	if (query)
	{
		ParamListInfo params = makeParamList(1);

		*query = '\0';
		type = read_inputs(probe, query + 2);
		params->params[0].ptype = type;
		params->params[0].pflags = 0;
		params->params[0].isnull = false;
		probe->context->ecxt_param_list_info = params;
	}
	parsed = raw_parser(psprintf("SELECT %s", expression), RAW_PARSE_DEFAULT);
	analyzed = parse_analyze_fixedparams(linitial(parsed), expression, &type, query ? 1 : 0, NULL);
	old = MemoryContextSwitchTo(estate->es_query_cxt);
	probe->state = ExecPrepareExpr(linitial_node(TargetEntry, analyzed->targetList)->expr, estate);
	MemoryContextSwitchTo(old);
}

/* Not inlined: callgrind counts its instructions by its name. */
static pg_noinline void
bench_evaluate(Probe *probe, int calls)
{
	for (int i = 0; i < calls; i++)
	{
		bool		isnull;

		if (probe->inputs)
		{
			probe->context->ecxt_param_list_info->params[0].value = probe->inputs[probe->next];
			if (++probe->next == probe->count)
				probe->next = 0;
		}
		ResetExprContext(probe->context);	/* as for every row of a query */
		(void) ExecEvalExprSwitchContext(probe->state, probe->context, &isnull);
	}
}

static ArrayType *
float_array(double *values, int count)
{
	Datum	   *datums = palloc(count * sizeof(Datum));

	for (int i = 0; i < count; i++)
		datums[i] = Float8GetDatum(values[i]);
	return construct_array(datums, count, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
}

/*
 * bench_calls(expressions text[], calls int, rounds int) -> float8[]: nanoseconds
 * per call, for each round and in it for each expression.  The expressions take
 * turns, so that other load on the machine affects all of them; calls should be
 * few enough that most turns are not interrupted.
 */
PG_FUNCTION_INFO_V1(bench_calls);
Datum
bench_calls(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	int			calls = PG_GETARG_INT32(1);
	int			rounds = PG_GETARG_INT32(2);
	int			count;
	Datum	   *expressions;
	Probe	   *probes;
	double	   *ns;
	EState	   *estate;

	SPI_connect();
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(0), TEXTOID, -1, false, TYPALIGN_INT, &expressions, NULL, &count);
	estate = CreateExecutorState();
	probes = palloc(count * sizeof(Probe));
	for (int i = 0; i < count; i++)
		prepare(&probes[i], estate, TextDatumGetCString(expressions[i]));

	ns = MemoryContextAllocHuge(caller, (Size) count * (rounds + 1) * sizeof(double));
	for (int round = 0; round <= rounds; round++)
	{
		for (int i = 0; i < count; i++)
		{
			int64		start = clock_ns(CLOCK_MONOTONIC);

			bench_evaluate(&probes[i], calls);
			ns[round * count + i] = (double) (clock_ns(CLOCK_MONOTONIC) - start) / calls;
		}
		CHECK_FOR_INTERRUPTS();
	}
	FreeExecutorState(estate);
	SPI_finish();

	/* without the first round, which warms up */
	PG_RETURN_ARRAYTYPE_P(float_array(ns + count, count * rounds));
}

/* bench_cpu() -> float8: the milliseconds for which this session has had a processor. */
PG_FUNCTION_INFO_V1(bench_cpu);
Datum
bench_cpu(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e6);
}

static int
compare_ns(const void *a, const void *b)
{
	uint32		x = *(const uint32 *) a;
	uint32		y = *(const uint32 *) b;

	return (x > y) - (x < y);
}

/*
 * bench_load(expression text, start timestamptz, seconds float8) -> float8[]:
 * evaluate from an instant on, which sessions share, as often as possible; return
 * calls per second and the 50th, 99th and 99.9th percentile of the nanoseconds of
 * a call, clock read included; some calls are timed one by one.
 */
PG_FUNCTION_INFO_V1(bench_load);
Datum
bench_load(PG_FUNCTION_ARGS)
{
	int64		start = (PG_GETARG_TIMESTAMPTZ(1) +
						 (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY) * 1000;
	int64		end;
	uint32	   *samples = palloc(MAX_SAMPLES * sizeof(uint32));
	uint64		calls = 0;
	int			sampled = 0;
	int64		now;
	double		result[4];
	EState	   *estate;
	Probe		probe;

	SPI_connect();
	estate = CreateExecutorState();
	prepare(&probe, estate, text_to_cstring(PG_GETARG_TEXT_PP(0)));
	bench_evaluate(&probe, 1);

	now = clock_ns(CLOCK_REALTIME);
	if (now < start)
		pg_usleep((start - now) / 1000);
	start = now = clock_ns(CLOCK_REALTIME);
	end = start + (int64) (PG_GETARG_FLOAT8(2) * 1e9);
	do
	{
		int64		before;

		bench_evaluate(&probe, SAMPLE_EVERY - 1);
		before = clock_ns(CLOCK_REALTIME);
		bench_evaluate(&probe, 1);
		now = clock_ns(CLOCK_REALTIME);
		calls += SAMPLE_EVERY;
		if (sampled < MAX_SAMPLES)
			samples[sampled++] = now - before;
		CHECK_FOR_INTERRUPTS();
	} while (now < end);
	FreeExecutorState(estate);
	SPI_finish();

	qsort(samples, sampled, sizeof(uint32), compare_ns);
	result[0] = calls * 1e9 / (now - start);
	result[1] = samples[sampled / 2];
	result[2] = samples[sampled - 1 - sampled / 100];
	result[3] = samples[sampled - 1 - sampled / 1000];
	PG_RETURN_ARRAYTYPE_P(float_array(result, 4));
}

/* ---------- functions to compare flakeid with ---------- */

/*
 * The floor of a generator: functions that read the clock and return a value of a type's
 * size.  One function does both, because a processor does much of the one during the other.
 */
static inline void
read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
}

PG_FUNCTION_INFO_V1(bench_floor_8);
Datum
bench_floor_8(PG_FUNCTION_ARGS)
{
	read_clock();
	return UInt64GetDatum(0);
}

#define FLOOR(bytes) \
PG_FUNCTION_INFO_V1(bench_floor_##bytes); \
Datum \
bench_floor_##bytes(PG_FUNCTION_ARGS) \
{ \
	read_clock(); \
	PG_RETURN_POINTER(palloc(bytes)); \
} \
extern Datum bench_floor_##bytes(PG_FUNCTION_ARGS)

FLOOR(10);
FLOOR(12);
FLOOR(14);
FLOOR(16);
FLOOR(20);

/* Like core's uuidv7() of PostgreSQL 18, for older servers: random except for its time. */
PG_FUNCTION_INFO_V1(bench_uuidv7);
Datum
bench_uuidv7(PG_FUNCTION_ARGS)
{
	static int64 last = 0;
	pg_uuid_t  *uuid = palloc(UUID_LEN);
	int64		ns = Max(clock_ns(CLOCK_REALTIME), last + 245); /* 2^-12 ms */
	int64		ms = ns / 1000000;
	int			fraction = (int) (((ns % 1000000) << 12) / 1000000);

	last = ns;
	for (int i = 0; i < 6; i++)
		uuid->data[i] = (unsigned char) (ms >> (40 - 8 * i));
	if (!pg_strong_random(&uuid->data[8], 8))
		elog(ERROR, "no random bytes");
	uuid->data[6] = 0x70 | fraction >> 8;
	uuid->data[7] = (unsigned char) fraction;
	uuid->data[8] = (uuid->data[8] & 0x3f) | 0x80;
	PG_RETURN_UUID_P(uuid);
}
