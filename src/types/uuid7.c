/*
 * uuid7.c
 *		Version 7 UUIDs (RFC 9562) for core's type uuid, in the order of generation.
 *
 *		  0    1    2    3    4    5    6      7    8            9  ..         15
 *		 +-----------------------------+----+------+----+--------+---------------+
 *		 | ms since 1970-01-01: 48      | 7: | counter   | counter | random: 56    |
 *		 |                              | 4  | : 12 | 2: |: 6     |               |
 *		 +-----------------------------+----+------+----+--------+---------------+
 *
 * The counter has 18 bits, twelve before the variant (2 bits, binary 10) and six after it,
 * like the RFC's "fixed bit-length dedicated counter" (section 6.2, method 1).  The
 * numbers come from ulid's generator: see ulid.c.
 */
#include "types/ulid.h"

inline void
uuid7_pack(const UlidParts *parts, uint8_t *uuid)
{
	flake_store(uuid, 8, parts->ms << 16 | UINT64_C(7) << 12 | parts->counter >> 6);
	flake_store(uuid + 8, 8, UINT64_C(2) << 62 | (uint64_t) (parts->counter & 0x3f) << 56 |
				(parts->random & (UINT64_MAX >> 8)));
}

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#include "types/types.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

/* uuid7_new(): the next UUID. */
PG_FUNCTION_INFO_V1(uuid7_new);
Datum
uuid7_new(PG_FUNCTION_ARGS pg_attribute_unused())
{
	UlidParts	parts = ulid_next("uuid7");
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	uuid7_pack(&parts, uuid->data);
	PG_RETURN_UUID_P(uuid);
}

/* uuid7_new_at(timestamptz): a UUID for an instant; an error (22008) outside the span. */
PG_FUNCTION_INFO_V1(uuid7_new_at);
Datum
uuid7_new_at(PG_FUNCTION_ARGS)
{
	int64		us = flake_us_saturated(PG_GETARG_TIMESTAMPTZ(0));
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	UlidParts	parts;

	/* flake_us_in_span() would name type ulid */
	if (!flake_in_span(&flake_ulid.rate, us))
	{
		char	   *first = pstrdup(timestamptz_to_str(flake_timestamptz(flake_ulid.rate.epoch_us)));
		char	   *last = pstrdup(timestamptz_to_str(flake_timestamptz(flake_last_us(&flake_ulid.rate))));

		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for a version 7 UUID: \"%s\"",
						timestamptz_to_str(PG_GETARG_TIMESTAMPTZ(0))),
				 errdetail("A version 7 UUID holds instants from %s to %s.", first, last)));
	}
	ulid_next_at(us, &parts);
	uuid7_pack(&parts, uuid->data);
	PG_RETURN_UUID_P(uuid);
}

/* uuid7_horizon(): the least UUID of the first millisecond that may still get a visible one. */
PG_FUNCTION_INFO_V1(uuid7_horizon);
Datum
uuid7_horizon(PG_FUNCTION_ARGS pg_attribute_unused())
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	UlidParts	parts;

	flake_horizon(&flake_ulid, uuid->data);
	ulid_unpack(uuid->data, &parts);
	uuid7_pack(&parts, uuid->data);
	PG_RETURN_UUID_P(uuid);
}

/*
 * flakeid_gregorian(uuid): the time in a UUID of version 1 or 6, which counts 100 ns since the
 * Gregorian calendar of 1582; NULL for others.
 */
PG_FUNCTION_INFO_V1(flakeid_gregorian);
Datum
flakeid_gregorian(PG_FUNCTION_ARGS)
{
	const uint8 *id = PG_GETARG_UUID_P(0)->data;
	uint64		last = flake_load(id + 6, 2) & 0xfff;
	uint64		ticks;

	if ((id[8] & 0xc0) != 0x80 || (id[6] >> 4 != 1 && id[6] >> 4 != 6))
		PG_RETURN_NULL();
	/* version 1 begins with the lowest bits, version 6 with the highest */
	ticks = id[6] >> 4 == 6 ? flake_load(id, 6) << 12 | last
		: last << 48 | flake_load(id + 4, 2) << 32 | flake_load(id, 4);
	PG_RETURN_TIMESTAMPTZ((int64) (ticks / 10) - INT64CONST(13165977600000000));
}

#endif							/* !FLAKE_STANDALONE */
