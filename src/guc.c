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
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

int			flake_max_ahead;
int			flake_max_wait;

static int	node;
static int	sno_partition;
static char *sno_sequence;

/* What is known of each setting, in the order in which they are defined. */
typedef enum FlakeSettingId
{
	NODE,
	SNO_PARTITION,
	SNO_SEQUENCE,
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

#define RANGE_HOOKS(id, name) \
	static bool check_##name(char **value, void **extra pg_attribute_unused(), \
							 GucSource source pg_attribute_unused()) \
	{ return check_range(id, *value); } \
	static void assign_##name(const char *value pg_attribute_unused(), \
							  void *extra pg_attribute_unused()) \
	{ assigned(id); }

NUMBER_HOOKS(NODE, node)
NUMBER_HOOKS(SNO_PARTITION, sno_partition)
RANGE_HOOKS(SNO_SEQUENCE, sno_sequence)
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

/* 16 bits of the system identifier, the same on every architecture. */
static int32
derived_node(void)
{
	uint8		bytes[8];

	flake_store(bytes, sizeof(bytes), GetSystemIdentifier());
	return DatumGetUInt32(hash_any(bytes, sizeof(bytes))) & 0xffff;
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
	identity->node = node < 0 ? derived_node() : node;
	identity->sno_partition = sno_partition < 0 ? identity->node : sno_partition;
	if (!parse_range(sno_sequence, 0, 65535, &identity->sno_min, &identity->sno_max))
		elog(ERROR, "flakeid.sno_sequence passed its check with a wrong value: %s", sno_sequence);
}
