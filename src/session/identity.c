/*
 * identity.c
 *		The identity under which a session makes IDs: the numbers from its settings.
 *
 * Two databases of one server are like two servers.  Nothing prevents them from having the
 * same number.
 */
#include "session/session.h"

#include "access/xlog.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/builtins.h"

FlakeIdentity flake_identity;
uint64		flake_generation = PG_UINT64_MAX;

/* A setting has changed since flake_identity was computed. */
static bool outdated = true;

/* ---------- numbers ---------- */

/* Return a hash of the system identifier and a number, the same on every architecture. */
static uint32
derived_hash(uint32 number)
{
	uint8		bytes[12];

	flake_store(bytes, 8, GetSystemIdentifier());
	flake_store(bytes + 8, 4, number);
	return DatumGetUInt32(hash_any(bytes, sizeof(bytes)));
}

/*
 * Return the node that a database has without a setting: the hash plus the OID, so that databases
 * made one after the other get different nodes, plus OID / 8192, because after a crash the server
 * counts OIDs from the next multiple of 8192 on, which shard and worker would not tell apart.
 */
static int32
derived_node(Oid database)
{
	return (int32) ((derived_hash(0) + database + database / 8192) & 0xffff);
}

/*
 * Where FlakeSettings has the number of a format, an int that is -1 if the format takes the node;
 * 0: it always does.
 */
static const size_t number_settings[FLAKE_FORMATS] = {
	[FLAKE_SIQ] = offsetof(FlakeSettings, siq_shard),
	[FLAKE_SNOWFLAKE] = offsetof(FlakeSettings, snowflake_worker),
};

/* Compute the number of a format that has a field for it, if the node fits. */
static void
set_number(FlakeFormatId format, const FlakeSettings *given)
{
	FlakeOwn   *own = &flake_identity.own[format];
	int64		numbers = flake_formats[format]->numbers;
	int			set = -1;

	if (number_settings[format] != 0)
		set = *(const int *) ((const char *) given + number_settings[format]);
	own->number = set >= 0 ? set : flake_identity.node;
	/* the field has the last bits of a derived node */
	if (set < 0 && flake_identity.node_derived)
		own->number %= numbers;
	if (own->number >= numbers)
	{
		own->number = -1;
		own->fault = FLAKE_NUMBER_TOO_GREAT;
	}
}

/* Compute a database's identity from the settings of this session. */
static void
identify(const FlakeSettings *given, Oid database)
{
	FlakeOwn   *own = flake_identity.own;

	/* may fail, so it is first */
	uint32		domain = given->siq_domain == NULL ? 0 : flake_hash_domain(given->siq_domain, given->siq_local_id);

	memset(&flake_identity, 0, sizeof(flake_identity));
	flake_identity.node_derived = given->node < 0;
	flake_identity.node = given->node < 0 ? derived_node(database) : given->node;
	flake_identity.siq_domain = domain;
	flake_identity.siq_local_id = given->siq_local_id;
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		own[i].max = (UINT32_C(1) << flake_formats[i]->sequence_bits) - 1;
		if (flake_formats[i]->numbers > 1 && !flake_formats[i]->hashed_number)
			set_number(i, given);
	}

	own[FLAKE_UID96].number = given->uid_node != NULL && given->uid_node[0] != '\0'
		? flake_formats[FLAKE_UID96]->hash_name(given->uid_node, strlen(given->uid_node))
		: derived_hash((uint32) flake_identity.node);
	own[FLAKE_SNO].min = given->sno_min;
	own[FLAKE_SNO].max = given->sno_max;
	if (given->sno_max - given->sno_min + 1 < flake_formats[FLAKE_SNO]->least_pool)
		own[FLAKE_SNO].fault = FLAKE_POOL_TOO_SMALL;
	if (given->snowflake_process >= 0)
	{
		uint32		pool = (own[FLAKE_SNOWFLAKE].max + 1) / flake_formats[FLAKE_SNOWFLAKE]->pool_parts;

		own[FLAKE_SNOWFLAKE].min = given->snowflake_process * pool;
		own[FLAKE_SNOWFLAKE].max = own[FLAKE_SNOWFLAKE].min + pool - 1;
	}
	flake_identity.known = true;
}

/* ---------- for the generators ---------- */

/*
 * A setting has changed, so have numbers computed, and ranges leased, again.  Called in the middle
 * of the server's work, also at the end of a transaction, so it must not fail.
 */
void
flake_settings_changed(void)
{
	outdated = true;
	flake_void_leases();
}

/* Take up the generation of this database's memory. */
static void
take_up_generation(void)
{
	if (flake_generation == pg_atomic_read_u64(&flake_db->generation))
		return;

	/* no session gets in between a reset's words and marks */
	LWLockAcquire(&flake_db->lock, LW_SHARED);
	flake_generation = pg_atomic_read_u64(&flake_db->generation);
	LWLockRelease(&flake_db->lock);
}

/*
 * Compute the numbers from the current settings, and take up the generation.  Reports 22023 if
 * a setting must not be used.  The caller holds no lock.
 */
void
flake_sync(void)
{
	flake_attach();
	if (outdated || !flake_settings_defined)
	{
		flake_check_settings();
		identify(&flake_settings, MyDatabaseId);
		outdated = false;
	}
	take_up_generation();
}

/* The same for the views: if a setting must not be used, no number is known; return what is wrong, or NULL. */
const char *
flake_look(void)
{
	const char *fault;

	flake_attach();
	fault = flake_setting_fault();
	if (fault == NULL)
		identify(&flake_settings, MyDatabaseId);
	else
		memset(&flake_identity, 0, sizeof(flake_identity));
	outdated = fault != NULL;
	take_up_generation();
	return fault;
}

/*
 * Return the number of this database for a format, and its part of the pool, until
 * the next flake_sync().  Reports 22023 if there is no number, or the pool is too small.
 */
const FlakeOwn *
flake_own(const FlakeFormat *format)
{
	const FlakeOwn *own = &flake_identity.own[format->id];

	flake_sync();
	switch ((FlakeNumberFault) own->fault)
	{
		case FLAKE_NUMBER_OK:
			break;
		case FLAKE_NUMBER_TOO_GREAT:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("flakeid.node is too large for a %s's %s: %d", format->name, format->number_field, flake_identity.node),
					 errdetail("A %s is 0 to %u.", format->number_field, format->numbers - 1),
					 errhint("Set flakeid.%s_%s.", format->name, format->number_field)));
			break;
		case FLAKE_POOL_TOO_SMALL:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("flakeid.sno_sequence_min and flakeid.sno_sequence_max leave too few numbers: %u to %u", own->min, own->max),
					 errdetail("A generator of sno needs %d numbers or more.", format->least_pool),
					 errhint("Set flakeid.sno_sequence_max to flakeid.sno_sequence_min + %d or more.", format->least_pool - 1)));
			break;
	}
	return own;
}

/* flakeid_derived_node(oid): the node of a database of this server without a setting. */
PG_FUNCTION_INFO_V1(flakeid_derived_node);
Datum
flakeid_derived_node(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(derived_node(PG_GETARG_OID(0)));
}
