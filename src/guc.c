/*
 * guc.c
 *		The settings, and who this server is by them.
 *
 * All are read from the configuration file only (SIGHUP): no session, role or
 * database may take another node's numbers.  A bad value never becomes the
 * default.  Preloaded, the server refuses it at reload and the old value stays.
 * Not preloaded, the server cannot know the settings before the library is
 * loaded, and what it then finds wrong is replaced by the default; that is
 * noticed here, and the generators of this backend report 22023 until it is
 * mended.
 */
#include "flakeid.h"

#include "access/xlog.h"
#include "common/hashfn.h"
#include "common/string.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

int			flake_max_ahead;
int			flake_max_wait;

static int	node;
static int	sno_partition;
static char *sno_sequence;
static char *siq_domain;
static int	siq_local_id;
static char *siq_shards;
static int	snowflake_worker;
static char *uid_node;

/* What is known of each setting, in the order in which they are defined. */
typedef enum FlakeSettingId
{
	NODE,
	SNO_PARTITION,
	SNO_SEQUENCE,
	SIQ_DOMAIN,
	SIQ_LOCAL_ID,
	SIQ_SHARDS,
	SNOWFLAKE_WORKER,
	UID_NODE,
	MAX_AHEAD,
	MAX_WAIT,
	SETTINGS
} FlakeSettingId;

typedef struct FlakeSetting
{
	const char *name;
	int			min;			/* of a number */
	int			max;
	int			flags;			/* GUC_UNIT_MS */
	char	   *wrong;			/* the value that was given and could not be used, or NULL */
	bool		refused;		/* a value was refused since the last reload was looked at */
} FlakeSetting;

static FlakeSetting settings[SETTINGS] = {
	[NODE] = {.name = "flakeid.node", .min = -1, .max = 65535},
	[SNO_PARTITION] = {.name = "flakeid.sno_partition", .min = -1, .max = 65535},
	[SNO_SEQUENCE] = {.name = "flakeid.sno_sequence", .min = 0, .max = 65535},
	[SIQ_DOMAIN] = {.name = "flakeid.siq_domain"},
	[SIQ_LOCAL_ID] = {.name = "flakeid.siq_local_id", .min = 0, .max = INT_MAX},
	[SIQ_SHARDS] = {.name = "flakeid.siq_shards", .min = 0, .max = 255},
	[SNOWFLAKE_WORKER] = {.name = "flakeid.snowflake_worker", .min = -1, .max = 31},
	[UID_NODE] = {.name = "flakeid.uid_node"},
	[MAX_AHEAD] = {.name = "flakeid.max_ahead", .min = 0, .max = INT_MAX, .flags = GUC_UNIT_MS},
	[MAX_WAIT] = {.name = "flakeid.max_wait", .min = 0, .max = INT_MAX, .flags = GUC_UNIT_MS},
};

static TimestampTz checked = 0; /* PgReloadTime when "wrong" was looked at last */

/* ---------- ranges ---------- */

/* Read "low-high", both in min .. max and low not above high. */
static bool
parse_range(const char *text, int min, int max, uint32 *low, uint32 *high)
{
	unsigned long bound[2];

	for (int i = 0; i < 2; i++)
	{
		char	   *end;

		if (*text < '0' || *text > '9')
			return false;
		errno = 0;
		bound[i] = strtoul(text, &end, 10);
		if (errno != 0 || bound[i] < (unsigned long) min || bound[i] > (unsigned long) max)
			return false;
		if (i == 0 && *end++ != '-')
			return false;
		text = end;
	}
	if (*text != '\0' || bound[0] > bound[1])
		return false;
	*low = (uint32) bound[0];
	*high = (uint32) bound[1];
	return true;
}

/* ---------- hooks ---------- */

/*
 * The bounds of numbers are checked here and not by the server, because a
 * refused value must be noticed: see wrong_setting().
 */
static bool
check_number(FlakeSettingId id, int value)
{
	FlakeSetting *setting = &settings[id];

	if (value >= setting->min && value <= setting->max)
		return true;
	setting->refused = true;
	GUC_check_errdetail("It must be %d to %d.", setting->min, setting->max);
	return false;
}

static bool
check_range(FlakeSettingId id, const char *value)
{
	FlakeSetting *setting = &settings[id];
	uint32		low;
	uint32		high;

	if (parse_range(value, setting->min, setting->max, &low, &high))
		return true;
	setting->refused = true;
	GUC_check_errdetail("It must be a range \"low-high\" within %d to %d, low not above high.",
						setting->min, setting->max);
	return false;
}

/* A domain name is hashed as ASCII, like the library does, which knows no IDNA. */
static bool
check_ascii(FlakeSettingId id, const char *value)
{
	if (pg_is_ascii(value))
		return true;
	settings[id].refused = true;
	GUC_check_errdetail("It must be ASCII; write an international domain name in its xn-- form.");
	return false;
}

/* An Erlang atom has 255 characters at most. */
static bool
check_atom(FlakeSettingId id, const char *value)
{
	if (strlen(value) <= 255)
		return true;
	settings[id].refused = true;
	GUC_check_errdetail("It must not be longer than 255 bytes.");
	return false;
}

/* A value was accepted: whatever was wrong is mended. */
static void
assigned(FlakeSettingId id)
{
	settings[id].wrong = NULL;
}

#define NUMBER_HOOKS(id, name) \
	static bool check_##name(int *value, void **extra pg_attribute_unused(), \
							 GucSource source pg_attribute_unused()) \
	{ return check_number(id, *value); } \
	static void assign_##name(int value pg_attribute_unused(), \
							  void *extra pg_attribute_unused()) \
	{ assigned(id); }

#define STRING_HOOKS(id, name, check) \
	static bool check_##name(char **value, void **extra pg_attribute_unused(), \
							 GucSource source pg_attribute_unused()) \
	{ return check(id, *value); } \
	static void assign_##name(const char *value pg_attribute_unused(), \
							  void *extra pg_attribute_unused()) \
	{ assigned(id); }

NUMBER_HOOKS(NODE, node)
NUMBER_HOOKS(SNO_PARTITION, sno_partition)
STRING_HOOKS(SNO_SEQUENCE, sno_sequence, check_range)
STRING_HOOKS(SIQ_DOMAIN, siq_domain, check_ascii)
NUMBER_HOOKS(SIQ_LOCAL_ID, siq_local_id)
STRING_HOOKS(SIQ_SHARDS, siq_shards, check_range)
NUMBER_HOOKS(SNOWFLAKE_WORKER, snowflake_worker)
STRING_HOOKS(UID_NODE, uid_node, check_atom)
NUMBER_HOOKS(MAX_AHEAD, max_ahead)
NUMBER_HOOKS(MAX_WAIT, max_wait)

/* ---------- definition ---------- */

/* Is the value in force the one that was given? */
static bool
took_effect(const FlakeSetting *setting, const char *given)
{
	const char *effective = GetConfigOption(setting->name, false, false);
	int			given_number;
	int			effective_number;

	if (strcmp(given, effective) == 0)
		return true;
	return parse_int(given, &given_number, setting->flags, NULL) &&
		parse_int(effective, &effective_number, setting->flags, NULL) &&
		given_number == effective_number;
}

/* Define the settings; from _PG_init. */
void
flake_define_settings(void)
{
	char	   *given[SETTINGS];

	for (int i = 0; i < SETTINGS; i++)
	{
		const char *value = GetConfigOption(settings[i].name, true, false);

		given[i] = value ? MemoryContextStrdup(TopMemoryContext, value) : NULL;
	}

	DefineCustomIntVariable("flakeid.node",
							"Number of this server, -1 to 65535.",
							"It is the partition of sno unless flakeid.sno_partition is set. "
							"Servers whose IDs meet need different ones. "
							"-1 derives it from the system identifier, which copies of a server share.",
							&node,
							-1,
							INT_MIN,
							INT_MAX,
							PGC_SIGHUP,
							0,
							check_node,
							assign_node,
							NULL);
	DefineCustomIntVariable("flakeid.sno_partition",
							"Partition of the sno IDs made here, -1 to 65535.",
							"-1 takes flakeid.node.",
							&sno_partition,
							-1,
							INT_MIN,
							INT_MAX,
							PGC_SIGHUP,
							0,
							check_sno_partition,
							assign_sno_partition,
							NULL);
	DefineCustomStringVariable("flakeid.sno_sequence",
							   "Range of the sequence numbers of the sno IDs made here, within 0-65535.",
							   "Servers that share a partition need ranges that do not overlap.",
							   &sno_sequence,
							   "0-65535",
							   PGC_SIGHUP,
							   0,
							   check_sno_sequence,
							   assign_sno_sequence,
							   NULL);
	DefineCustomStringVariable("flakeid.siq_domain",
							   "Domain name whose hash the siq IDs made here carry.",
							   "Empty gives a hash of 0.",
							   &siq_domain,
							   "",
							   PGC_SIGHUP,
							   0,
							   check_siq_domain,
							   assign_siq_domain,
							   NULL);
	DefineCustomIntVariable("flakeid.siq_local_id",
							"Number that tells apart servers of one flakeid.siq_domain; modulo 256.",
							"0 for none.",
							&siq_local_id,
							0,
							INT_MIN,
							INT_MAX,
							PGC_SIGHUP,
							0,
							check_siq_local_id,
							assign_siq_local_id,
							NULL);
	DefineCustomStringVariable("flakeid.siq_shards",
							   "Range of the shard numbers of this server's siq IDs, within 0-255.",
							   "Each session is bound to one of them. Servers of one domain hash need ranges that do not overlap.",
							   &siq_shards,
							   "0-255",
							   PGC_SIGHUP,
							   0,
							   check_siq_shards,
							   assign_siq_shards,
							   NULL);
	DefineCustomIntVariable("flakeid.snowflake_worker",
							"Worker number of the snowflake IDs made here, -1 to 31.",
							"-1 takes flakeid.node, which then must not exceed 31; of a derived node, its last 5 bits.",
							&snowflake_worker,
							-1,
							INT_MIN,
							INT_MAX,
							PGC_SIGHUP,
							0,
							check_snowflake_worker,
							assign_snowflake_worker,
							NULL);
	DefineCustomStringVariable("flakeid.uid_node",
							   "Name, as of an Erlang node, whose hash the uid96 IDs made here carry.",
							   "Empty takes a hash of flakeid.node and the system identifier.",
							   &uid_node,
							   "",
							   PGC_SIGHUP,
							   0,
							   check_uid_node,
							   assign_uid_node,
							   NULL);
	DefineCustomIntVariable("flakeid.max_ahead",
							"How far IDs may run ahead of the clock after it stepped back.",
							"Further back than that, generators that cannot go on wait and then report an error.",
							&flake_max_ahead,
							10000,
							INT_MIN,
							INT_MAX,
							PGC_SIGHUP,
							GUC_UNIT_MS,
							check_max_ahead,
							assign_max_ahead,
							NULL);
	DefineCustomIntVariable("flakeid.max_wait",
							"How long a generator waits for an ID before it reports an error.",
							NULL,
							&flake_max_wait,
							5000,
							INT_MIN,
							INT_MAX,
							PGC_SIGHUP,
							GUC_UNIT_MS,
							check_max_wait,
							assign_max_wait,
							NULL);
	MarkGUCPrefixReserved("flakeid");

	for (int i = 0; i < SETTINGS; i++)
	{
		if (given[i] != NULL && !took_effect(&settings[i], given[i]))
			settings[i].wrong = given[i];
		settings[i].refused = false;
	}
	checked = PgReloadTime;
}

/* ---------- identity ---------- */

/* The first setting that was given a value which is not in force, or NULL. */
static const FlakeSetting *
wrong_setting(void)
{
	const FlakeSetting *first = NULL;
	bool		reloaded = checked != PgReloadTime;

	for (int i = 0; i < SETTINGS; i++)
	{
		/*
		 * A reload that refused nothing has found the bad value gone from the
		 * file, also when the default took its place (which assigns nothing).
		 */
		if (reloaded && !settings[i].refused)
			settings[i].wrong = NULL;
		settings[i].refused = false;
		if (settings[i].wrong != NULL && first == NULL)
			first = &settings[i];
	}
	checked = PgReloadTime;
	return first;
}

/* A hash of the system identifier and a number, the same on every architecture. */
static uint32
derived_hash(uint32 number)
{
	uint8		bytes[12];

	flake_store(bytes, 8, GetSystemIdentifier());
	flake_store(bytes + 8, 4, number);
	return DatumGetUInt32(hash_any(bytes, sizeof(bytes)));
}

static void
range_in_force(const char *text, uint32 *low, uint32 *high)
{
	if (!parse_range(text, 0, 65535, low, high))
		elog(ERROR, "a range passed its check with a wrong value: %s", text);
}

/*
 * Who this server is by this backend's settings.  Reports 22023 for a setting
 * that was given a value which could not be used.
 */
void
flake_identify(FlakeIdentity *identity)
{
	const FlakeSetting *wrong = wrong_setting();

	if (wrong != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for parameter \"%s\": \"%s\"", wrong->name, wrong->wrong),
				 errdetail("No ID is made with another value than the one that was asked for."),
				 errhint("Set it in postgresql.conf or with ALTER SYSTEM, within its range, and reload the configuration; it cannot be set for a session, a role or a database.")));

	memset(identity, 0, sizeof(*identity)); /* compared as bytes */
	identity->reloaded = PgReloadTime;
	identity->node_derived = node < 0;
	identity->node = node < 0 ? (int32) (derived_hash(0) & 0xffff) : node;
	identity->sno_partition = sno_partition < 0 ? identity->node : sno_partition;
	range_in_force(sno_sequence, &identity->sno_min, &identity->sno_max);
	identity->siq_domain = siq_hash_domain(siq_domain, siq_local_id);
	range_in_force(siq_shards, &identity->siq_shard_min, &identity->siq_shard_max);
	if (snowflake_worker >= 0)
		identity->snowflake_worker = snowflake_worker;
	else if (identity->node_derived)
		identity->snowflake_worker = identity->node % 32;
	else
		identity->snowflake_worker = node <= 31 ? node : -1;
	identity->uid_node = uid_node[0] != '\0' ? uid_hash_node(uid_node, strlen(uid_node))
		: derived_hash((uint32) identity->node);
}
