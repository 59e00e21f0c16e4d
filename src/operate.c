/*
 * operate.c
 *		What functions written in SQL call in C: count in a format's ticks, make the
 *		IDs of a tick, check who owns a table, read a setting, tell versions.
 */
#include "ulid.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/partition.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "executor/spi.h"
#include "storage/lock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/*
 * The last number in the tag of an advisory lock; those of pg_advisory_lock() have 1, for a key
 * of 64 bits, or 2, for two keys of 32.
 */
#define BACKFILL_LOCK	3

/* Return the format of that name, or report an error. */
const FlakeFormat *
flake_format_named(const text *name)
{
	const char *format_name = text_to_cstring(name);

	for (int i = 0; i < FLAKE_FORMATS; i++)
		if (strcmp(flake_formats[i]->name, format_name) == 0)
			return flake_formats[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized type of ID: \"%s\"", format_name),
			 errdetail("The view flakeid_formats lists the types.")));
	return NULL;				/* not reached */
}

/*
 * flakeid_tick_of(format, timestamptz): the tick that contains the instant.  Reports 22008
 * outside the format's span.
 */
PG_FUNCTION_INFO_V1(flakeid_tick_of);
Datum
flakeid_tick_of(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = flake_format_named(PG_GETARG_TEXT_PP(0));

	PG_RETURN_INT64((int64) flake_tick_of(&format->rate, flake_us_in_span(format, PG_GETARG_TIMESTAMPTZ(1))));
}

/* flakeid_tick_start(format, tick): the first whole microsecond of a tick. */
PG_FUNCTION_INFO_V1(flakeid_tick_start);
Datum
flakeid_tick_start(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = flake_format_named(PG_GETARG_TEXT_PP(0));
	int64		tick = PG_GETARG_INT64(1);

	if (tick < 0 || (uint64) tick > format->rate.last_tick)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("tick is out of range for type %s: " INT64_FORMAT, format->name, tick),
				 flake_span_detail(format)));
	PG_RETURN_TIMESTAMPTZ(flake_timestamptz(flake_us_of(&format->rate, (uint64) tick)));
}

/* Return the role that owns a relation, or InvalidOid if there is no such relation. */
static Oid
owner_of(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/*
 * The formats whose IDs have a counter before random bits, and core's uuid as uuid7_new()
 * makes it.
 */
typedef enum CountedType
{
	COUNTED_UUID7,
	COUNTED_ULID,
	COUNTED_KSUID
} CountedType;

static CountedType
counted_type(const text *name)
{
	const char *type = text_to_cstring(name);

	if (strcmp(type, "uuid7") == 0)
		return COUNTED_UUID7;
	if (strcmp(type, "ulid") == 0)
		return COUNTED_ULID;
	if (strcmp(type, "ksuid") == 0)
		return COUNTED_KSUID;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized type of ID: \"%s\"", type),
			 errdetail("Counted IDs are uuid7, ulid and ksuid.")));
	return COUNTED_UUID7;		/* not reached */
}

/*
 * flakeid_counted_id(type, tick, counter): the bytes of a new ID that begins with a tick and a
 * counter, the rest being random.  Reports 22003 for a tick or a counter that the type cannot hold.
 */
PG_FUNCTION_INFO_V1(flakeid_counted_id);
Datum
flakeid_counted_id(PG_FUNCTION_ARGS)
{
	CountedType type = counted_type(PG_GETARG_TEXT_PP(0));
	const FlakeFormat *format = type == COUNTED_KSUID ? &flake_ksuid : &flake_ulid;
	int64		tick = flake_part(format, "tick", PG_GETARG_INT64(1), (int64) format->rate.last_tick);
	int64		counter = flake_part(format, "counter", PG_GETARG_INT64(2), (INT64CONST(1) << format->sequence_bits) - 1);
	FlakeCounted counted = {.tick = (uint64) tick, .counter = (uint32) counter, .now = (uint64) flake_clock() * 1000};
	bytea	   *result = palloc(VARHDRSZ + format->bytes);
	uint8	   *id = (uint8 *) VARDATA(result);
	UlidParts	parts;

	SET_VARSIZE(result, VARHDRSZ + format->bytes);
	if (type == COUNTED_KSUID)
		ksuid_fill(counted, id);
	else
	{
		ulid_fill(counted, &parts);
		if (type == COUNTED_ULID)
			ulid_pack(&parts, id);
		else
			uuid7_pack(&parts, id);
	}
	PG_RETURN_BYTEA_P(result);
}

/* flakeid_counter_of(type, bytes): the counter in the bytes of such an ID, which anybody may have made. */
PG_FUNCTION_INFO_V1(flakeid_counter_of);
Datum
flakeid_counter_of(PG_FUNCTION_ARGS)
{
	CountedType type = counted_type(PG_GETARG_TEXT_PP(0));
	const FlakeFormat *format = type == COUNTED_KSUID ? &flake_ksuid : &flake_ulid;
	bytea	   *bytes = PG_GETARG_BYTEA_PP(1);
	uint8		id[FLAKE_MAX_BYTES];

	flake_from_bytea(format, bytes, id);
	switch (type)
	{
		case COUNTED_UUID7:
			PG_RETURN_INT64((int64) (id[6] & 0x0f) << 14 | id[7] << 6 | (id[8] & 0x3f));
		case COUNTED_ULID:
			PG_RETURN_INT64((int64) flake_load(id + 6, 3) >> 6);
		case COUNTED_KSUID:
			PG_RETURN_INT64((int64) flake_load(id + 4, 4) >> 4);
	}
	PG_RETURN_NULL();			/* not reached */
}

/*
 * Report 42501 unless the caller is a member of the role that owns the relation.  A
 * superuser who is not a member is refused, too: the owner's code in a table, such as a
 * trigger, runs with the rights of the user who works on the table.
 */
static void
check_owner_of_one(Oid relation, Oid owner)
{
	if (!is_member_of_role_nosuper(GetUserId(), owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of table \"%s\"", get_rel_name(relation)),
				 errdetail("Its owner is role \"%s\".", GetUserNameFromId(owner, true)),
				 errhint("Call this in a session of the owner, as pg_cron does for a job that the owner has scheduled, because the owner's code in the table runs with the rights of the caller.")));
}

/*
 * Check the owner of the relation, and of everything that PostgreSQL works on with it: its
 * partitions and inheritance children, and the tables of which it is a partition, whose
 * indexes it has.  They are not locked, so one that has just been dropped is skipped; only
 * the owner of both tables can add one.
 */
static void
check_owner(Oid relation)
{
	ListCell   *cell;

	if (!OidIsValid(owner_of(relation)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	foreach(cell, list_concat(find_all_inheritors(relation, NoLock, NULL), get_partition_ancestors(relation)))
	{
		Oid			owner = owner_of(lfirst_oid(cell));

		if (OidIsValid(owner))
			check_owner_of_one(lfirst_oid(cell), owner);
	}
}

/* flakeid_check_owner(relation) */
PG_FUNCTION_INFO_V1(flakeid_check_owner);
Datum
flakeid_check_owner(PG_FUNCTION_ARGS)
{
	check_owner(PG_GETARG_OID(0));
	PG_RETURN_VOID();
}

/*
 * flakeid_lock_backfill(relation): make backfills of a table take turns, until the end of
 * the transaction.  Nothing else waits for this lock, not even vacuum, and only the
 * table's owner can take it: pg_advisory_lock() has other numbers in its tag.
 */
PG_FUNCTION_INFO_V1(flakeid_lock_backfill);
Datum
flakeid_lock_backfill(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	LOCKTAG		tag;

	check_owner(relation);
	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, relation, 0, BACKFILL_LOCK);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
	PG_RETURN_VOID();
}

/* flakeid_setting_number(text): the number that the server reads from a setting, or NULL. */
PG_FUNCTION_INFO_V1(flakeid_setting_number);
Datum
flakeid_setting_number(PG_FUNCTION_ARGS)
{
	int			number;

	if (!parse_int(text_to_cstring(PG_GETARG_TEXT_PP(0)), &number, 0, NULL))
		PG_RETURN_NULL();
	PG_RETURN_INT32(number);
}

/* flakeid_library(): this library's version, the release of it, and the layout of shared memory that it makes. */
PG_FUNCTION_INFO_V1(flakeid_library);
Datum
flakeid_library(PG_FUNCTION_ARGS)
{
	Datum		values[] = {
		CStringGetTextDatum(FLAKE_VERSION), CStringGetTextDatum(FLAKE_RELEASE), Int32GetDatum(FLAKE_LAYOUT)
	};

	PG_RETURN_DATUM(flake_row(fcinfo, values));
}
