/*
 * period.c
 *		Instants, and ranges of them.
 *
 * The planner replaces operands of conditions on the time of IDs by calls of these functions,
 * or by their results; conditions that it has not rewritten are evaluated here.
 */
#include "server/server.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/* ---------- instants ---------- */

/* Return a timestamptz in microseconds since 1970; an infinity becomes the end of int64 on its side. */
int64
flake_us_saturated(TimestampTz t)
{
	int64		us;

	if (TIMESTAMP_IS_NOBEGIN(t))
		return PG_INT64_MIN;
	if (TIMESTAMP_IS_NOEND(t) || pg_add_s64_overflow(t, FLAKE_PG_EPOCH_US, &us))
		return PG_INT64_MAX;
	return us;
}

/* Return a timestamptz in microseconds since 1970; raise an error (22008) if it is outside the format's span. */
int64
flake_us_in_span(const FlakeFormat *format, TimestampTz t)
{
	int64		us = flake_us_saturated(t);

	if (!flake_in_span(&format->rate, us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for type %s: \"%s\"",
						format->name, timestamptz_to_str(t)),
				 flake_span_detail(format)));
	return us;
}

/* Name the format's span, as the DETAIL of an ereport(). */
int
flake_span_detail(const FlakeFormat *format)
{
	/* timestamptz_to_str() returns a static buffer */
	char	   *first = pstrdup(timestamptz_to_str(flake_timestamptz(format->rate.epoch_us)));
	char	   *last = pstrdup(timestamptz_to_str(flake_timestamptz(flake_last_us(&format->rate))));

	return errdetail("Type %s holds instants from %s to %s.", format->name, first, last);
}

/* Raise the error (22008) for a clock that reads an instant outside the format's span. */
void
flake_clock_out_of_span(const FlakeFormat *format, int64 us)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("the clock is out of range for type %s: \"%s\"",
					format->name, timestamptz_to_str(flake_timestamptz(us))),
			 flake_span_detail(format)));
}

/* ---------- periods ---------- */

/* Return the instant after t: infinity after the last one; an infinity itself. */
TimestampTz
flake_next_instant(TimestampTz t)
{
	if (TIMESTAMP_NOT_FINITE(t))
		return t;
	return IS_VALID_TIMESTAMP(t + 1) ? t + 1 : DT_NOEND;
}

static const FlakePeriod never = {DT_NOEND, DT_NOBEGIN};

/* Return a range that is not empty, by its bounds, as a period. */
static FlakePeriod
period_of(const RangeBound *lower, const RangeBound *upper)
{
	FlakePeriod period = {DT_NOBEGIN, DT_NOEND};

	if (!lower->infinite)
		period.first = DatumGetTimestampTz(lower->val);
	if (!upper->infinite)
		period.last = DatumGetTimestampTz(upper->val);
	if (!lower->infinite && !lower->inclusive)
	{
		if (TIMESTAMP_IS_NOEND(period.first))
			return never;
		period.first = TIMESTAMP_IS_NOBEGIN(period.first) ? MIN_TIMESTAMP : flake_next_instant(period.first);
	}
	if (!upper->infinite && !upper->inclusive)
	{
		if (TIMESTAMP_IS_NOBEGIN(period.last))
			return never;
		period.last = TIMESTAMP_IS_NOEND(period.last) ? END_TIMESTAMP - 1 :
			period.last > MIN_TIMESTAMP ? period.last - 1 : DT_NOBEGIN;
	}
	return period;
}

/* Return a tstzrange as a period. */
static FlakePeriod
period(Datum datum)
{
	RangeType  *range = DatumGetRangeTypeP(datum);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(lookup_type_cache(RangeTypeGetOid(range), TYPECACHE_RANGE_INFO), range, &lower, &upper, &empty);
	return empty ? never : period_of(&lower, &upper);
}

/*
 * Return how many periods a value of type tstzrange or tstzmultirange is.  They do not
 * overlap and are in order; an empty value is one empty period.
 */
int
flake_periods(Datum datum, Oid type, FlakePeriod **periods)
{
	MultirangeType *multirange;
	TypeCacheEntry *range;
	int			count;

	*periods = palloc(sizeof(FlakePeriod));
	if (type != TSTZMULTIRANGEOID)
	{
		**periods = period(datum);
		return 1;
	}
	multirange = DatumGetMultirangeTypeP(datum);
	range = lookup_type_cache(MultirangeTypeGetOid(multirange), TYPECACHE_MULTIRANGE_INFO)->rngtype;
	count = Max((int) multirange->rangeCount, 1);
	*periods = repalloc(*periods, sizeof(FlakePeriod) * count);
	**periods = never;
	for (uint32 i = 0; i < multirange->rangeCount; i++)
	{
		RangeBound	lower;
		RangeBound	upper;

		multirange_get_bounds(range, multirange, i, &lower, &upper);
		(*periods)[i] = period_of(&lower, &upper);
	}
	return count;
}

PG_FUNCTION_INFO_V1(flakeid_next_instant);
Datum
flakeid_next_instant(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(flake_next_instant(PG_GETARG_TIMESTAMPTZ(0)));
}

PG_FUNCTION_INFO_V1(flakeid_range_start);
Datum
flakeid_range_start(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(period(PG_GETARG_DATUM(0)).first);
}

PG_FUNCTION_INFO_V1(flakeid_range_last);
Datum
flakeid_range_last(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(period(PG_GETARG_DATUM(0)).last);
}

/* The body of <@ and @>, for a range that the planner has not rewritten. */
bool
flake_within(const FlakeFormat *format, const uint8 *id, Datum range)
{
	TimestampTz instant = flake_instant(format, id);
	FlakePeriod within = period(range);

	return within.first <= instant && instant <= within.last;
}

/* ---------- dates and timestamps ---------- */

/*
 * Return a date or timestamp as an instant; one beyond timestamptz as the first or last finite
 * instant, which no ID has, because core compares those, too, and a cast would be an error.
 */
static Datum
saturated(PGFunction compare_with, PGFunction cast, Datum value)
{
	if (DatumGetInt32(DirectFunctionCall2(compare_with, value, TimestampTzGetDatum(MIN_TIMESTAMP))) <= 0)
		return TimestampTzGetDatum(MIN_TIMESTAMP);
	if (DatumGetInt32(DirectFunctionCall2(compare_with, value, TimestampTzGetDatum(END_TIMESTAMP - 1))) >= 0)
		return TimestampTzGetDatum(END_TIMESTAMP - 1);
	return DirectFunctionCall1(cast, value);
}

PG_FUNCTION_INFO_V1(flakeid_date_instant);
Datum
flakeid_date_instant(PG_FUNCTION_ARGS)
{
	DateADT		date = PG_GETARG_DATEADT(0);

	if (DATE_NOT_FINITE(date))
		PG_RETURN_TIMESTAMPTZ(DATE_IS_NOBEGIN(date) ? DT_NOBEGIN : DT_NOEND);
	return saturated(date_cmp_timestamptz, date_timestamptz, DateADTGetDatum(date));
}

PG_FUNCTION_INFO_V1(flakeid_timestamp_instant);
Datum
flakeid_timestamp_instant(PG_FUNCTION_ARGS)
{
	Timestamp	timestamp = PG_GETARG_TIMESTAMP(0);

	if (TIMESTAMP_NOT_FINITE(timestamp))
		PG_RETURN_TIMESTAMPTZ(timestamp);
	return saturated(timestamp_cmp_timestamptz, timestamp_timestamptz, TimestampGetDatum(timestamp));
}
