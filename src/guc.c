/*
 * guc.c
 *		The settings, and who this server is by them.
 *
 * All are read from the configuration file only (SIGHUP): no session, role or
 * database may take another node's numbers.  A bad value never becomes the
 * default.  Preloaded, the server refuses it at reload and the old value stays.
 * Not preloaded, the server cannot judge the settings before the library is
 * loaded; what it then finds wrong it replaces by the default, which is noticed
 * here, and the generators of this backend report 22023 until it is mended.
 *
 * All are strings to the server, numbers too: a value that is refused must be
 * noticed here (see flake_check_settings()), and the server asks a check hook about every
 * string, but judges what is no number alone.
 */
#include "flakeid.h"

#include "access/parallel.h"
#include "access/xlog.h"
#include "common/hashfn.h"
#include "common/string.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

int			flake_max_ahead;
int			flake_max_wait;

/* The settings that make the identity, as this backend read them. */
static FlakeSettings own;

/* In the order in which they are defined. */
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
	const char *initial;
	const char *what;			/* for pg_settings: what it is, and what follows from it */
	const char *consequence;
	int			min;			/* of a number or a range */
	int			max;
	int			flags;			/* GUC_UNIT_MS: a number may have a unit of time */
	char	   *value;			/* the text in force */
	char	   *wrong;			/* the text that was given before the library was loaded, if not in force */
	bool		refused;		/* a text was refused since one was assigned */
} FlakeSetting;

static FlakeSetting settings[SETTINGS] = {
	[NODE] = {
		.name = "flakeid.node",
		.initial = "-1",
		.what = "Number of this server, -1 to 65535.",
		.consequence = "It is the partition of sno unless flakeid.sno_partition is set, and the worker of snowflake. "
		"Servers whose IDs meet need different ones. "
		"-1 derives it from the system identifier, which copies of a server share.",
		.min = -1,
		.max = 65535,
	},
	[SNO_PARTITION] = {
		.name = "flakeid.sno_partition",
		.initial = "-1",
		.what = "Partition of the sno IDs made here, -1 to 65535.",
		.consequence = "-1 takes flakeid.node.",
		.min = -1,
		.max = 65535,
	},
	[SNO_SEQUENCE] = {
		.name = "flakeid.sno_sequence",
		.initial = "0-65535",
		.what = "Range of the sequence numbers of the sno IDs made here, within 0-65535.",
		.consequence = "Servers that share a partition need ranges that do not overlap.",
		.min = 0,
		.max = 65535,
	},
	[SIQ_DOMAIN] = {
		.name = "flakeid.siq_domain",
		.initial = "",
		.what = "Domain name whose hash the siq IDs made here carry.",
		.consequence = "Empty gives a hash of 0.",
	},
	[SIQ_LOCAL_ID] = {
		.name = "flakeid.siq_local_id",
		.initial = "0",
		.what = "Number that tells apart servers of one flakeid.siq_domain; modulo 256.",
		.consequence = "0 for none.",
		.min = 0,
		.max = INT_MAX,
	},
	[SIQ_SHARDS] = {
		.name = "flakeid.siq_shards",
		.initial = "0-255",
		.what = "Range of the shard numbers of this server's siq IDs, within 0-255.",
		.consequence = "Each session is bound to one of them. "
		"Servers of one domain hash need ranges that do not overlap.",
		.min = 0,
		.max = 255,
	},
	[SNOWFLAKE_WORKER] = {
		.name = "flakeid.snowflake_worker",
		.initial = "-1",
		.what = "Worker number of the snowflake IDs made here, -1 to 31.",
		.consequence = "-1 takes flakeid.node, which then must not exceed 31; of a derived node, its last 5 bits.",
		.min = -1,
		.max = 31,
	},
	[UID_NODE] = {
		.name = "flakeid.uid_node",
		.initial = "",
		.what = "Name, as of an Erlang node, whose hash the uid96 IDs made here carry.",
		.consequence = "Empty takes a hash of flakeid.node and the system identifier.",
	},
	[MAX_AHEAD] = {
		.name = "flakeid.max_ahead",
		.initial = "10s",
		.what = "How far IDs may run ahead of the clock after it stepped back.",
		.consequence = "Further back than that, generators that cannot go on wait and then report an error. "
		"In milliseconds unless a unit is given.",
		.min = 0,
		.max = INT_MAX,
		.flags = GUC_UNIT_MS,
	},
	[MAX_WAIT] = {
		.name = "flakeid.max_wait",
		.initial = "5s",
		.what = "How long a generator waits for an ID before it reports an error.",
		.consequence = "In milliseconds unless a unit is given.",
		.min = 0,
		.max = INT_MAX,
		.flags = GUC_UNIT_MS,
	},
};

static TimestampTz checked = 0; /* PgReloadTime when "wrong" was looked at last */
static bool defining = false;

/* ---------- reading values ---------- */

/*
 * Does the server read the text as people do?  To it 010, as in a host's name, is 8,
 * and 10.6 is 11.
 */
static bool
is_plain(const char *text, int number)
{
	char	   *end;

	return strtol(text, &end, 10) == number && end[strspn(end, " \t")] == '\0';
}

static bool
parse_number(const FlakeSetting *setting, const char *text, int *number)
{
	const char *hint = NULL;

	if (!parse_int(text, number, setting->flags, &hint))
		GUC_check_errdetail("It is not a whole number.");
	else if (setting->flags == 0 && !is_plain(text, *number))
		GUC_check_errdetail("It is not a whole number in decimal, which must not begin with 0.");
	else if (*number < setting->min || *number > setting->max)
		GUC_check_errdetail("It must be %d to %d.", setting->min, setting->max);
	else
		return true;
	if (hint != NULL)
		GUC_check_errhint("%s", hint);
	return false;
}

/* Read "low-high", both within the setting's bounds and low not above high. */
static bool
parse_range(const FlakeSetting *setting, const char *text, uint32 *low, uint32 *high)
{
	unsigned long bound[2];

	for (int i = 0; i < 2; i++)
	{
		char	   *end;

		if (*text < '0' || *text > '9')
			break;
		errno = 0;
		bound[i] = strtoul(text, &end, 10);
		if (errno != 0 || bound[i] < (unsigned long) setting->min || bound[i] > (unsigned long) setting->max)
			break;
		if (i == 1 && *end == '\0' && bound[0] <= bound[1])
		{
			*low = (uint32) bound[0];
			*high = (uint32) bound[1];
			return true;
		}
		if (*end != '-')
			break;
		text = end + 1;
	}
	GUC_check_errdetail("It must be a range \"low-high\" within %d to %d, low not above high.",
						setting->min, setting->max);
	return false;
}

/* What a check hook has read, for the assign hook, which must not fail. */
typedef struct FlakeRead
{
	FlakeSettings settings;		/* one setting's part of it is filled in */
	int			number;			/* of a setting that is no part of the identity */
} FlakeRead;

/* Read the text of a setting.  False, with a detail for the report, if it cannot be read. */
static bool
read_setting(FlakeSettingId id, const char *text, FlakeRead *into)
{
	const FlakeSetting *setting = &settings[id];
	FlakeSettings *given = &into->settings;

	switch (id)
	{
		case NODE:
			return parse_number(setting, text, &given->node);
		case SNO_PARTITION:
			return parse_number(setting, text, &given->sno_partition);
		case SNO_SEQUENCE:
			return parse_range(setting, text, &given->sno_min, &given->sno_max);
		case SIQ_DOMAIN:
			/* the library hashes ASCII and knows no IDNA */
			if (!pg_is_ascii(text))
			{
				GUC_check_errdetail("It must be ASCII; write an international domain name in its xn-- form.");
				return false;
			}
			given->siq_domain_set = text[0] != '\0' && strcmp(text, "0") != 0;
			if (!siq_hash_domain(text, 0, &given->siq_domain))
			{
				GUC_check_errdetail("Its SHA-256 could not be computed.");
				return false;
			}
			return true;
		case SIQ_LOCAL_ID:
			return parse_number(setting, text, &given->siq_local_id);
		case SIQ_SHARDS:
			return parse_range(setting, text, &given->siq_shard_min, &given->siq_shard_max);
		case SNOWFLAKE_WORKER:
			return parse_number(setting, text, &given->snowflake_worker);
		case UID_NODE:
			if (strlen(text) > 255)
			{
				GUC_check_errdetail("An Erlang atom has 255 bytes at most.");
				return false;
			}
			given->uid_node_set = text[0] != '\0';
			given->uid_node = uid_hash_node(text, strlen(text));
			return true;
		case MAX_AHEAD:
		case MAX_WAIT:
			return parse_number(setting, text, &into->number);
		case SETTINGS:
			break;
	}
	return false;
}

/* Copy one setting's part of the identity. */
static void
copy_setting(FlakeSettingId id, FlakeSettings *to, const FlakeSettings *from)
{
	switch (id)
	{
		case NODE:
			to->node = from->node;
			break;
		case SNO_PARTITION:
			to->sno_partition = from->sno_partition;
			break;
		case SNO_SEQUENCE:
			to->sno_min = from->sno_min;
			to->sno_max = from->sno_max;
			break;
		case SIQ_DOMAIN:
			to->siq_domain_set = from->siq_domain_set;
			to->siq_domain = from->siq_domain;
			break;
		case SIQ_LOCAL_ID:
			to->siq_local_id = from->siq_local_id;
			break;
		case SIQ_SHARDS:
			to->siq_shard_min = from->siq_shard_min;
			to->siq_shard_max = from->siq_shard_max;
			break;
		case SNOWFLAKE_WORKER:
			to->snowflake_worker = from->snowflake_worker;
			break;
		case UID_NODE:
			to->uid_node_set = from->uid_node_set;
			to->uid_node = from->uid_node;
			break;
		case MAX_AHEAD:
		case MAX_WAIT:
		case SETTINGS:
			break;
	}
}

static bool
check(FlakeSettingId id, const char *text, void **extra)
{
	FlakeRead	read;

	if (read_setting(id, text, &read) &&
		(*extra = flake_guc_malloc(sizeof(FlakeRead))) != NULL)
	{
		memcpy(*extra, &read, sizeof(FlakeRead));
		return true;
	}
	settings[id].refused = true;
	return false;
}

static void
assign(FlakeSettingId id, const FlakeRead *read)
{
	/* a parallel worker is handed its leader's, which may be older than those that it was forked with */
	if (IsParallelWorker() && !defining)
		return;
	copy_setting(id, &own, &read->settings);
	if (id == MAX_AHEAD)
		flake_max_ahead = read->number;
	if (id == MAX_WAIT)
		flake_max_wait = read->number;
	settings[id].wrong = NULL;
	/* not when it is checked, as ALTER SYSTEM does that for others */
	settings[id].refused = false;
}

#define HOOKS(id) \
	static bool check_##id(char **text, void **extra, GucSource source pg_attribute_unused()) \
	{ return check(id, *text, extra); } \
	static void assign_##id(const char *text pg_attribute_unused(), void *extra) \
	{ assign(id, extra); }

HOOKS(NODE)
HOOKS(SNO_PARTITION)
HOOKS(SNO_SEQUENCE)
HOOKS(SIQ_DOMAIN)
HOOKS(SIQ_LOCAL_ID)
HOOKS(SIQ_SHARDS)
HOOKS(SNOWFLAKE_WORKER)
HOOKS(UID_NODE)
HOOKS(MAX_AHEAD)
HOOKS(MAX_WAIT)

static const GucStringCheckHook check_hooks[SETTINGS] = {
	check_NODE, check_SNO_PARTITION, check_SNO_SEQUENCE, check_SIQ_DOMAIN, check_SIQ_LOCAL_ID,
	check_SIQ_SHARDS, check_SNOWFLAKE_WORKER, check_UID_NODE, check_MAX_AHEAD, check_MAX_WAIT,
};

static const GucStringAssignHook assign_hooks[SETTINGS] = {
	assign_NODE, assign_SNO_PARTITION, assign_SNO_SEQUENCE, assign_SIQ_DOMAIN, assign_SIQ_LOCAL_ID,
	assign_SIQ_SHARDS, assign_SNOWFLAKE_WORKER, assign_UID_NODE, assign_MAX_AHEAD, assign_MAX_WAIT,
};

/* Has the last reload found the setting in the configuration file? */
static bool
in_file(const char *name)
{
	struct config_generic *setting = flake_find_setting(name);

	return setting != NULL && (setting->status & GUC_IS_IN_FILE) != 0;
}

/* Is nothing in force but what it was defined with? */
static bool
by_default(const char *name)
{
	struct config_generic *setting = flake_find_setting(name);

	return setting == NULL || setting->source == PGC_S_DEFAULT;
}

/* Define the settings; from _PG_init. */
void
flake_define_settings(void)
{
	defining = true;
	for (int i = 0; i < SETTINGS; i++)
	{
		FlakeSetting *setting = &settings[i];
		const char *given = GetConfigOption(setting->name, true, false);

		/* a line that was removed leaves an empty text behind in PostgreSQL 18 */
		if (given != NULL && *given == '\0' && !in_file(setting->name))
			given = NULL;
		/* defining it frees the text that the server has kept until now */
		if (given != NULL)
			given = MemoryContextStrdup(TopMemoryContext, given);
		DefineCustomStringVariable(setting->name,
								   setting->what,
								   setting->consequence,
								   &setting->value,
								   setting->initial,
								   PGC_SIGHUP,
								   0,
								   check_hooks[i],
								   assign_hooks[i],
								   NULL);

		/*
		 * The text of the default may stand in place of the file's value as any
		 * other that a session was started with.
		 */
		setting->wrong = given != NULL && (strcmp(given, setting->value) != 0 || by_default(setting->name))
			? (char *) given : NULL;
		setting->refused = false;
	}
	defining = false;
	MarkGUCPrefixReserved("flakeid");
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
		/* gone from the file, the default is meant; that assigns nothing */
		if (reloaded && settings[i].wrong != NULL && !in_file(settings[i].name))
			settings[i].wrong = NULL;
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

/* Report 22023 for a setting that was given a value which could not be used. */
void
flake_check_settings(void)
{
	const FlakeSetting *wrong = wrong_setting();

	if (wrong != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for parameter \"%s\": \"%s\"", wrong->name, wrong->wrong),
				 errdetail("No ID is made with another value than the one that was asked for."),
				 errhint("Set it in postgresql.conf, within its range, and reload the configuration; it cannot be set for a session, a role or a database.")));
}

/*
 * Who this server is by this backend's settings, which have been checked;
 * "in_force" is what it is by the others', or NULL.
 */
void
flake_identify(FlakeIdentity *identity, const FlakeIdentity *in_force)
{
	FlakeSettings *given = &identity->given;

	memset(identity, 0, sizeof(*identity)); /* compared as bytes */
	identity->reloaded = PgReloadTime;
	*given = own;

	/*
	 * Where this backend's last reload was refused a value, what it keeps may be
	 * older than what is in force: it may have slept through reloads in between.
	 */
	for (int id = 0; id < SETTINGS && in_force != NULL; id++)
		if (settings[id].refused)
			copy_setting(id, given, &in_force->given);

	identity->node_derived = given->node < 0;
	identity->node = given->node < 0 ? (int32) (derived_hash(0) & 0xffff) : given->node;
	identity->sno_partition = given->sno_partition < 0 ? identity->node : given->sno_partition;
	identity->siq_domain = given->siq_domain;
	if (given->siq_domain_set && given->siq_local_id != 0)
		identity->siq_domain = (given->siq_domain & 0xffffff) | (uint32) given->siq_local_id << 24;
	if (given->snowflake_worker >= 0)
		identity->snowflake_worker = given->snowflake_worker;
	else if (identity->node_derived)
		identity->snowflake_worker = identity->node % 32;
	else
		identity->snowflake_worker = identity->node <= 31 ? identity->node : -1;
	identity->uid_node = given->uid_node_set ? given->uid_node : derived_hash((uint32) identity->node);
}
