/*
 * identity.c
 *		Who this database is: the settings in force, and the numbers they give it.
 *
 * The settings in force are those of the session that read them last.  A session in
 * a long query reads the configuration again only when the query has ended, so the
 * settings that others have read count for it, too.  The time of the reload tells which
 * are newer.
 *
 * From the settings in force each database works out its identity.  Two databases of a
 * server are to each other as two servers are: nothing keeps them from having one number.
 *
 * Lock order: FlakeShared.lock, FlakeDatabase.lock.  While either is held, nothing
 * waits, allocates or reports.
 */
#include "flakeid.h"

#include "access/parallel.h"
#include "access/xlog.h"
#include "commands/dbcommands.h"
#include "common/hashfn.h"
#include "postmaster/interrupt.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

FlakeIdentity flake_identity;
uint64		flake_generation = PG_UINT64_MAX;
TimestampTz flake_reload = -1;

uint64		flake_resets = 0;	/* FlakeDatabase.resets, as of
								 * flake_generation */

/* ---------- the settings in force ---------- */

/* Return a copy of the texts in force, or NULL if there are none yet. */
static char *
copy_settings(uint64 *version, uint32 *size)
{
	char	   *texts = NULL;
	uint32		room = 0;

	for (;;)
	{
		LWLockAcquire(&flake->lock, LW_SHARED);
		*version = pg_atomic_read_u64(&flake->settings_version);
		*size = flake->settings_size;
		if (*version == 0 || *size <= room)
			break;
		LWLockRelease(&flake->lock);
		if (texts != NULL)
			pfree(texts);
		room = *size;
		texts = palloc(room);
	}
	if (*version != 0)
		memcpy(texts, dsa_get_address(flake_area, flake->settings), *size);
	LWLockRelease(&flake->lock);
	return texts;
}

/* Store where each setting's text begins. */
static void
split_settings(const char *texts, const char *split[FLAKE_IDENTITY_SETTINGS])
{
	for (int i = 0; i < FLAKE_IDENTITY_SETTINGS; i++)
	{
		split[i] = texts;
		texts += strlen(texts) + 1;
	}
}

/* Put the texts in force and give every database a new generation.  FlakeShared.lock is held exclusively. */
static void
put_settings(dsa_pointer texts, uint32 size)
{
	flake_map_lists();
	flake->settings = texts;
	flake->settings_size = size;
	pg_atomic_fetch_add_u64(&flake->settings_version, 1);
	for (dsa_pointer at = flake->databases; DsaPointerIsValid(at);)
	{
		FlakeDatabase *db = dsa_get_address(flake_area, at);

		LWLockAcquire(&db->lock, LW_EXCLUSIVE);
		flake_void_generation(db);
		LWLockRelease(&db->lock);
		at = db->next;
	}
}

/*
 * Put this session's settings, which have been checked, in force, unless those in force
 * are newer.
 */
static void
publish_settings(void)
{
	/*
	 * A parallel worker has its leader's settings, however old, but the time
	 * of the last reload.  Publish them as the oldest, to count only until a
	 * session puts its own in force.
	 */
	TimestampTz reloaded = IsParallelWorker() ? 1 : Max(PgReloadTime, 1);

	for (;;)
	{
		const char *in_force[FLAKE_IDENTITY_SETTINGS];
		char	   *texts;
		uint64		version;
		uint32		size;
		StringInfoData ours;
		dsa_pointer published;
		dsa_pointer unused;
		bool		again;

		/*
		 * if the server refused a text, it has kept one that may be older
		 * than the one in force
		 */
		texts = copy_settings(&version, &size);
		if (texts != NULL)
			split_settings(texts, in_force);
		initStringInfo(&ours);
		for (int i = 0; i < FLAKE_IDENTITY_SETTINGS; i++)
		{
			const char *text = texts != NULL && flake_setting_refused(i) ? in_force[i] : flake_setting_text(i);

			appendBinaryStringInfo(&ours, text, strlen(text) + 1);
		}
		published = dsa_allocate(flake_area, ours.len);
		memcpy(dsa_get_address(flake_area, published), ours.data, ours.len);
		unused = published;

		LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
		again = pg_atomic_read_u64(&flake->settings_version) != version;

		/*
		 * A time of reload in the future was taken before the clock stepped
		 * back; it must not keep newer settings out.  This session's settings
		 * do not count while it has yet to read newer ones, whatever the
		 * times say.
		 */
		if (!again &&
			(flake->reloaded == 0 ||
			 (!ConfigReloadPending && !IsParallelWorker() &&
			  (reloaded > flake->reloaded || flake->reloaded > flake_timestamptz(flake_clock())))))
		{
			if (texts == NULL || size != (uint32) ours.len || memcmp(texts, ours.data, size) != 0)
			{
				unused = flake->settings;
				put_settings(published, ours.len);
			}
			flake->reloaded = reloaded;
		}
		LWLockRelease(&flake->lock);

		if (DsaPointerIsValid(unused))
			dsa_free(flake_area, unused);
		pfree(ours.data);
		if (texts != NULL)
			pfree(texts);
		if (!again)
			break;
	}
	flake_reload = PgReloadTime;
}

/* ---------- what the settings make of a database ---------- */

/* Return this database's name, which cannot change while a session is connected to it. */
static const char *
database_name(void)
{
	static const char *known = NULL;

	if (known == NULL)
	{
		const char *name;

		flake_lock_catalogs(FLAKE_LOOK_DATABASE);
		name = get_database_name(MyDatabaseId);
		flake_unlock_catalogs(FLAKE_LOOK_DATABASE);
		if (name == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_DATABASE),
					 errmsg("database with OID %u does not exist", MyDatabaseId)));
		known = MemoryContextStrdup(TopMemoryContext, name);
	}
	return known;
}

/* Return a hash of the system identifier and a number, the same on every architecture. */
static uint32
derived_hash(uint32 number)
{
	uint8		bytes[12];

	flake_store(bytes, 8, GetSystemIdentifier());
	flake_store(bytes + 8, 4, number);
	return DatumGetUInt32(hash_any(bytes, sizeof(bytes)));
}

/* Which settings give a format its number and its part of the pool. */
typedef struct FlakeNumbering
{
	const char *setting;		/* NULL: the format has no number of its own */
	const char *field;			/* the ID's field that holds the number */
	size_t		number;			/* in FlakeSettings: an int32, -1 for the
								 * node; of a hash, "set" and the hash */
	size_t		pool;			/* in FlakeSettings, two uint32; 0: always all
								 * of it */
} FlakeNumbering;

static const FlakeNumbering numberings[FLAKE_FORMATS] = {
	[FLAKE_SNO] = {
		"flakeid.sno_partition", "partition",
		offsetof(FlakeSettings, sno_partition), offsetof(FlakeSettings, sno_min)
	},
	[FLAKE_SIQ] = {
		"flakeid.siq_shard", "shard",
		offsetof(FlakeSettings, siq_shard), 0
	},
	[FLAKE_SNOWFLAKE] = {
		"flakeid.snowflake_worker", "worker",
		offsetof(FlakeSettings, snowflake_worker), offsetof(FlakeSettings, snowflake_min)
	},
	[FLAKE_UID96] = {
		"flakeid.uid_node", "node",
		offsetof(FlakeSettings, uid_node_set), 0
	},
};

/* Return how many numbers a format has, or 0 if its IDs carry none of the database's. */
static uint64
numbers_of(int format)
{
	if (flake_formats[format]->hashed_number)
		return UINT64CONST(1) << 32;
	return flake_formats[format]->numbers > 1 ? flake_formats[format]->numbers : 0;
}

/* Return the number that a node stands for. */
static int64
number_of_node(int format, int32 node)
{
	return flake_formats[format]->hashed_number ? (int64) derived_hash((uint32) node) : node;
}

/* Work out one number: what the setting says, or else the node, if the format's field can hold it. */
static void
number_of(int format, const FlakeSettings *given, const FlakeIdentity *identity, FlakeOwn *own)
{
	const char *field = (const char *) given + numberings[format].number;
	const int32 *number = (const int32 *) field;
	const uint32 *hash = (const uint32 *) field;
	bool		hashed = flake_formats[format]->hashed_number;
	bool		set = hashed ? hash[0] != 0 : *number >= 0;
	int64		node = number_of_node(format, identity->node);

	own->derived = !set && identity->node_derived;
	if (set)
		own->number = hashed ? (int64) hash[1] : *number;
	else if (own->derived)
		own->number = node % (int64) numbers_of(format);
	else if (node < (int64) numbers_of(format))
		own->number = node;
	else
	{
		own->number = -1;
		own->fault = FLAKE_NUMBER_TOO_GREAT;
	}
}

/* Work out a database's identity from its settings. */
static void
identify(FlakeIdentity *identity, Oid database, const FlakeSettings *given, uint64 version)
{
	memset(identity, 0, sizeof(*identity)); /* compared as bytes */
	identity->settings = version;
	identity->node_derived = given->node < 0;

	/*
	 * Add the OID instead of hashing it, too: databases made one after the
	 * other get different nodes that way.  After a crash the server counts
	 * OIDs from the next multiple of 8192 on, which the last bits of a node,
	 * a shard and a worker, would not tell apart.
	 */
	identity->node = given->node < 0 ? (int32) ((derived_hash(0) + database + database / 8192) & 0xffff) : given->node;
	identity->siq_local_id = given->siq_local_id;
	identity->siq_domain = given->siq_domain;
	if (given->siq_domain_set && given->siq_local_id != 0)
		identity->siq_domain = (given->siq_domain & 0xffffff) | (uint32) given->siq_local_id << 24;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		FlakeOwn   *own = &identity->own[i];
		const uint32 *pool = (const uint32 *) ((const char *) given + numberings[i].pool);

		own->min = numberings[i].pool != 0 ? pool[0] : 0;
		own->max = numberings[i].pool != 0 ? pool[1] : (UINT32_C(1) << flake_formats[i]->sequence_bits) - 1;
		if (numbers_of(i) != 0)
			number_of(i, given, identity, own);
	}
}

/* ---------- making it ---------- */

/* Make this database's identity from the settings in force, unless it is of these or newer ones. */
static void
make_identity(void)
{
	const char *split[FLAKE_IDENTITY_SETTINGS];
	FlakeSettings given;
	FlakeIdentity identity;
	FlakeIdentity *shared = &flake_db->identity;
	uint64		version;
	uint32		size;
	char	   *texts = copy_settings(&version, &size);

	if (texts == NULL)
		return;
	split_settings(texts, split);
	flake_read_settings(split, database_name(), &given);
	pfree(texts);
	identify(&identity, MyDatabaseId, &given, version);

	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	if (shared->settings < version || shared->settings == PG_UINT64_MAX)
	{
		if (memcmp(&shared->node, &identity.node, sizeof(identity) - offsetof(FlakeIdentity, node)) != 0)
			flake_void_generation(flake_db);
		*shared = identity;
	}
	LWLockRelease(&flake_db->lock);
}

/*
 * Copy the generation and identity that this database's sessions share, and make the
 * identity first if it is not yet of the settings in force.
 */
static void
adopt(void)
{
	for (;;)
	{
		LWLockAcquire(&flake_db->lock, LW_SHARED);
		flake_generation = pg_atomic_read_u64(&flake_db->generation);
		flake_identity = flake_db->identity;
		flake_resets = flake_db->resets;
		LWLockRelease(&flake_db->lock);
		if (flake_identity.settings == pg_atomic_read_u64(&flake->settings_version))
			return;
		make_identity();
	}
}

static void
synchronize(void)
{
	if (flake_generation == pg_atomic_read_u64(&flake_db->generation) &&
		flake_identity.settings == pg_atomic_read_u64(&flake->settings_version))
		return;
	adopt();
}

/*
 * Put this session's settings in force if they are the newest, and take over identity
 * and generation.  Reports 22023 if the settings of this session are wrong.  The caller
 * holds no lock.
 */
void
flake_sync(void)
{
	flake_attach();
	flake_check_settings();
	if (flake_reload != PgReloadTime)
		publish_settings();
	synchronize();
}

/*
 * Take over identity and generation for the views, which must answer whatever the
 * settings are.  If this session's are wrong, those in force count; if none are in
 * force, the identity is empty and its "settings" 0.  Returns what is wrong with the
 * settings, or NULL.
 */
const char *
flake_look(void)
{
	const char *fault;

	flake_attach();
	fault = flake_setting_fault();
	if (flake_settings_good())
		flake_sync();
	else
		synchronize();
	return fault;
}

/* ---------- numbers ---------- */

/*
 * Return the number of this database for a format, and its part of the pool, until
 * the next flake_sync().  Reports 22023 if the node is too great for it.
 */
const FlakeOwn *
flake_own(const FlakeFormat *format)
{
	const FlakeOwn *own = &flake_identity.own[format->id];
	const FlakeNumbering *numbering = &numberings[format->id];

	flake_sync();

	if (own->fault == FLAKE_NUMBER_TOO_GREAT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("flakeid.node is too great for a %s's %s: %d", format->name, numbering->field, flake_identity.node),
				 errdetail("A %s is 0 to %u.", numbering->field, format->numbers - 1),
				 errhint("Set %s.", numbering->setting)));
	return own;
}
