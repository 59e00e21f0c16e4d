/*
 * guc.c
 *		The settings: what they may hold, and which texts count for this session.
 *
 * All settings come from the configuration file (SIGHUP): no session, role or database
 * may take another node's numbers.  A bad value never turns into the default.  A server
 * that knows the settings refuses a bad value and keeps the old one.  A server that does
 * not know them yet, because the library is not preloaded, keeps any text for any name,
 * as a placeholder.  A placeholder becomes a setting if its text comes from the file
 * and is good; until then the generators of this session report 22023, and the views
 * show why.
 *
 * The settings that make up the identity are strings.  Each may hold a list, with
 * values for single databases.  For a string, the server calls the check hook with
 * every text, so that this file learns of a refusal (see flake_setting_refused()); for a
 * number, it would call the hook with well-formed texts only.
 */
#include "flakeid.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "common/string.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

int			flake_max_ahead = 10000;
int			flake_max_wait = 5000;

typedef enum FlakeSettingKind
{
	FLAKE_KIND_NUMBER,			/* an int32 */
	FLAKE_KIND_RANGE,			/* two uint32: least and greatest */
	FLAKE_KIND_DOMAIN,			/* two uint32: whether it is set, and the hash */
	FLAKE_KIND_NODE_NAME,		/* two uint32: the same */
	FLAKE_KIND_MILLISECONDS		/* an int, read by the server; not a part of
								 * the identity */
} FlakeSettingKind;

typedef struct FlakeSetting
{
	const char *name;
	FlakeSettingKind kind;
	const char *initial;
	const char *what;			/* for pg_settings: what it is, and what
								 * follows from it */
	const char *consequence;
	size_t		offset;			/* in FlakeSettings */
	int		   *variable;		/* of FLAKE_KIND_MILLISECONDS */
	int			min;			/* of a number; a range begins at 0 */
	int			max;
	uint32		least;			/* how many numbers a range must hold */

	bool		defined;		/* the server knows the setting; otherwise it
								 * may keep a placeholder */
	char	   *value;			/* the text, if the server knows the setting */
	char	   *refused;		/* the text that was refused since one was
								 * assigned, or NULL */
	bool		refused_at_reload;
} FlakeSetting;

enum
{
	MAX_AHEAD = FLAKE_IDENTITY_SETTINGS,
	MAX_WAIT,
	SETTINGS
};

static FlakeSetting settings[SETTINGS] = {
	[FLAKE_SET_NODE] = {
		.name = "flakeid.node",
		.kind = FLAKE_KIND_NUMBER,
		.initial = "-1",
		.what = "Number of this server, -1 to 65535; or a list: 7, sales = 8.",
		.consequence = "It is the partition of sno, the worker of snowflake and the shard of siq, unless those are set. "
		"Servers whose IDs meet, and databases of a server, need different numbers. "
		"-1 derives it from the system identifier, which copies of a server share, and the database.",
		.offset = offsetof(FlakeSettings, node),
		.min = -1,
		.max = 65535,
	},
	[FLAKE_SET_SNO_PARTITION] = {
		.name = "flakeid.sno_partition",
		.kind = FLAKE_KIND_NUMBER,
		.initial = "-1",
		.what = "Partition of the sno IDs made here, -1 to 65535; or a list by database.",
		.consequence = "-1 takes flakeid.node.",
		.offset = offsetof(FlakeSettings, sno_partition),
		.min = -1,
		.max = 65535,
	},
	[FLAKE_SET_SNO_SEQUENCE] = {
		.name = "flakeid.sno_sequence",
		.kind = FLAKE_KIND_RANGE,
		.initial = "0-65535",
		.what = "Range of the sequence numbers of the sno IDs made here, within 0-65535; or a list by database.",
		.consequence = "Servers or databases that share a partition need ranges that do not overlap.",
		.offset = offsetof(FlakeSettings, sno_min),
		.max = 65535,
		.least = 6,				/* as the library demands: see
								 * sno_check_bounds() */
	},
	[FLAKE_SET_SIQ_DOMAIN] = {
		.name = "flakeid.siq_domain",
		.kind = FLAKE_KIND_DOMAIN,
		.initial = "",
		.what = "Domain name whose hash the siq IDs made here carry; or a list by database.",
		.consequence = "Empty gives a hash of 0.",
		.offset = offsetof(FlakeSettings, siq_domain_set),
	},
	[FLAKE_SET_SIQ_LOCAL_ID] = {
		.name = "flakeid.siq_local_id",
		.kind = FLAKE_KIND_NUMBER,
		.initial = "0",
		.what = "Number that tells apart servers of one siq domain, modulo 256; or a list by database.",
		.consequence = "0 for none. It has no effect on siq IDs without a domain.",
		.offset = offsetof(FlakeSettings, siq_local_id),
		.min = 0,
		.max = INT_MAX,
	},
	[FLAKE_SET_SIQ_SHARD] = {
		.name = "flakeid.siq_shard",
		.kind = FLAKE_KIND_NUMBER,
		.initial = "-1",
		.what = "Shard of the siq IDs made here, -1 to 255; or a list by database.",
		.consequence = "Servers of one domain hash need different ones. "
		"-1 takes flakeid.node, which then must not exceed 255; of a derived node, its last 8 bits.",
		.offset = offsetof(FlakeSettings, siq_shard),
		.min = -1,
		.max = 255,
	},
	[FLAKE_SET_SNOWFLAKE_WORKER] = {
		.name = "flakeid.snowflake_worker",
		.kind = FLAKE_KIND_NUMBER,
		.initial = "-1",
		.what = "Worker of the snowflake IDs made here, -1 to 31; or a list by database.",
		.consequence = "-1 takes flakeid.node, which then must not exceed 31; of a derived node, its last 5 bits.",
		.offset = offsetof(FlakeSettings, snowflake_worker),
		.min = -1,
		.max = 31,
	},
	[FLAKE_SET_SNOWFLAKE_SEQUENCE] = {
		.name = "flakeid.snowflake_sequence",
		.kind = FLAKE_KIND_RANGE,
		.initial = "0-131071",
		.what = "Range of process and sequence, as one number, of the snowflake IDs made here, within 0-131071; or a list by database.",
		.consequence = "Servers or databases that share a worker need ranges that do not overlap; process p has the numbers p * 4096 to p * 4096 + 4095.",
		.offset = offsetof(FlakeSettings, snowflake_min),
		.max = 131071,
		.least = 1,
	},
	[FLAKE_SET_UID_NODE] = {
		.name = "flakeid.uid_node",
		.kind = FLAKE_KIND_NODE_NAME,
		.initial = "",
		.what = "Name, as of an Erlang node, whose hash the uid96 IDs made here carry; or a list by database.",
		.consequence = "Empty takes a hash of the node and the system identifier.",
		.offset = offsetof(FlakeSettings, uid_node_set),
		.max = 255,
	},
	[MAX_AHEAD] = {
		.name = "flakeid.max_ahead",
		.kind = FLAKE_KIND_MILLISECONDS,
		.initial = "10s",
		.what = "How far IDs may be ahead of the clock after it stepped back.",
		.consequence = "If the clock steps back further, generators that cannot go on in the past wait, and then report an error.",
		.variable = &flake_max_ahead,
		.max = INT_MAX,
	},
	[MAX_WAIT] = {
		.name = "flakeid.max_wait",
		.kind = FLAKE_KIND_MILLISECONDS,
		.initial = "5s",
		.what = "How long a generator waits for an ID before it reports an error.",
		.consequence = "It waits for the clock, for another session that writes the mark, or for a lock on the table of the mark.",
		.variable = &flake_max_wait,
		.max = INT_MAX,
	},
};

/* Why a text cannot be used: sentences for DETAIL. */
typedef struct FlakeDetail
{
	char		text[256];
} FlakeDetail;

static bool settled = false;	/* all settings are defined */

/* ---------- reading texts ---------- */

/* Note why a text cannot be used, and return false. */
#define refuse(detail, ...) \
	(snprintf((detail)->text, sizeof((detail)->text), __VA_ARGS__), false)

/* Return how many characters a text in UTF-8 has. */
static int
characters(const char *text)
{
	int			count = 0;

	for (; *text != '\0'; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

/*
 * Read one value into its place in the settings.  Returns false, with a detail, if
 * it is not what the setting may hold.
 */
static bool
read_value(const FlakeSetting *setting, const char *text, FlakeSettings *into, FlakeDetail *detail)
{
	uint32	   *place = (uint32 *) ((char *) into + setting->offset);

	switch (setting->kind)
	{
		case FLAKE_KIND_NUMBER:
			if (flake_read_int(text, setting->min, setting->max, (int32 *) place))
				return true;
			return refuse(detail, "It must be a whole number from %d to %d, in decimal and without leading zeros.",
						  setting->min, setting->max);
		case FLAKE_KIND_RANGE:
			if (flake_read_range(text, setting->max, setting->least, &place[0], &place[1]))
				return true;
			return refuse(detail, "It must be a range \"low-high\" within 0 to %d that holds %u or more numbers.",
						  setting->max, setting->least);
		case FLAKE_KIND_DOMAIN:
			/* the library hashes ASCII and knows no IDNA */
			if (!pg_is_ascii(text))
				return refuse(detail, "It must be ASCII; write an international domain name in its xn-- form.");
			place[0] = text[0] != '\0' && strcmp(text, "0") != 0;
			if (flake_hash_domain(text, 0, &place[1]))
				return true;
			return refuse(detail, "Its SHA-256 could not be computed.");
		case FLAKE_KIND_NODE_NAME:
			if (characters(text) > setting->max)
				return refuse(detail, "It must be a name of %d characters at most, as an Erlang atom.", setting->max);
			place[0] = text[0] != '\0';
			place[1] = uid_hash_node(text, strlen(text));
			return true;
		case FLAKE_KIND_MILLISECONDS:
			break;
	}
	return false;
}

/*
 * Read a time, as the server does.  Returns false, with a detail, if it is not what the
 * setting may hold.
 */
static bool
read_milliseconds(const FlakeSetting *setting, const char *text, int *milliseconds, FlakeDetail *detail)
{
	const char *hint = NULL;

	if (parse_int(text, milliseconds, GUC_UNIT_MS, &hint) && *milliseconds >= setting->min)
		return true;
	*milliseconds = 0;
	return refuse(detail, "It must be %d to %d milliseconds.%s%s", setting->min, setting->max,
				  hint != NULL ? " " : "", hint != NULL ? hint : "");
}

/* Note what is wrong with a list, and return false. */
static bool
refuse_list(FlakeDetail *detail, FlakeListFault fault, const char *wrong)
{
	/* as much of a long text as leaves room for the sentence */
	int			some = pg_mbcliplen(wrong, strlen(wrong), 100);

	switch (fault)
	{
		case FLAKE_LIST_OK:
			break;
		case FLAKE_LIST_UNCLOSED:
			return refuse(detail, "The double quote before \"%.*s\" is not closed.", some, wrong);
		case FLAKE_LIST_GARBLED:
			return refuse(detail, "After \"%.*s\" there must be a comma or nothing; write a value that holds a comma, an equals sign or a quote in double quotes.",
						  some, wrong);
		case FLAKE_LIST_NO_NAME:
			return refuse(detail, "\"%.*s\" is not an SQL identifier; write the name of such a database in double quotes.",
						  some, wrong);
		case FLAKE_LIST_NO_VALUE:
			return refuse(detail, "Database \"%.*s\" has no value.", some, wrong);
		case FLAKE_LIST_EMPTY:
			return refuse(detail, "An entry of the list is empty.");
		case FLAKE_LIST_TWICE:
			return refuse(detail, "Database \"%.*s\" stands in the list twice.", some, wrong);
		case FLAKE_LIST_TWO_DEFAULTS:
			return refuse(detail, "The list has two values without a database; the second is \"%.*s\".", some, wrong);
	}
	return false;
}

/*
 * Read the value that the text of a setting has for a database, after checking all
 * values of a list.  Returns false, with a detail, if one of them cannot be used.
 */
static bool
read_setting(const FlakeSetting *setting, const char *text, const char *database, FlakeSettings *into,
			 FlakeDetail *detail)
{
	FlakeListEntry *entries;
	FlakeListFault fault;
	size_t		length;
	const char *wrong;
	const char *value = setting->initial;
	bool		found = false;
	bool		good = true;
	char	   *room;

	if (setting->kind == FLAKE_KIND_MILLISECONDS)
	{
		int			milliseconds;

		return read_milliseconds(setting, text, &milliseconds, detail);
	}

	entries = palloc(flake_list_length(text) * sizeof(FlakeListEntry));
	room = palloc(strlen(text) + 1);
	fault = flake_read_list(text, room, entries, &length, &wrong);
	if (fault != FLAKE_LIST_OK)
		good = refuse_list(detail, fault, wrong);
	for (size_t i = 0; i < length && good; i++)
	{
		good = read_value(setting, entries[i].value, into, detail);
		if (entries[i].database == NULL ? !found :
			database != NULL && strcmp(entries[i].database, database) == 0)
		{
			value = entries[i].value;
			found = entries[i].database != NULL;
		}
	}
	good = good && read_value(setting, value, into, detail);
	pfree(room);
	pfree(entries);
	return good;
}

/*
 * Read the values that the texts of the identity's settings have for a database.  Some
 * session has found these texts good.
 */
void
flake_read_settings(const char *const texts[FLAKE_IDENTITY_SETTINGS], const char *database,
					FlakeSettings *read)
{
	memset(read, 0, sizeof(*read));
	for (int i = 0; i < FLAKE_IDENTITY_SETTINGS; i++)
	{
		FlakeDetail detail;

		if (!read_setting(&settings[i], texts[i], database, read, &detail))
			elog(ERROR, "setting \"%s\" in force is invalid: \"%s\"", settings[i].name, texts[i]);
	}
}

/* ---------- hooks ---------- */

static void
forget_refusal(FlakeSetting *setting)
{
	free(setting->refused);
	setting->refused = NULL;
	setting->refused_at_reload = false;
}

/*
 * The check hook of a setting: remember a text that is refused, and tell the assign
 * hook which setting it is.
 */
static bool
check(int id, const char *text, void **extra)
{
	FlakeSetting *setting = &settings[id];
	FlakeSettings read;
	FlakeDetail detail;

	if (!read_setting(setting, text, NULL, &read, &detail))
	{
		GUC_check_errdetail("%s", detail.text);
		free(setting->refused);
		setting->refused = strdup(text);
		return false;
	}
	*extra = flake_guc_malloc(sizeof(int));
	if (*extra == NULL)
		return false;
	*(int *) *extra = id;
	return true;
}

/*
 * The assign hook: forget what was refused before.  (The check hook cannot do that, as
 * ALTER SYSTEM calls it, too, without assigning.)
 */
static void
assign(const char *text pg_attribute_unused(), void *extra)
{
	forget_refusal(&settings[*(int *) extra]);
}

/* The server does not tell a check hook which setting the text is for, so each setting has its own. */
#define CHECK_HOOK(id) \
	static bool check_##id(char **text, void **extra, GucSource source pg_attribute_unused()) \
	{ return check(id, *text, extra); }

CHECK_HOOK(FLAKE_SET_NODE)
CHECK_HOOK(FLAKE_SET_SNO_PARTITION)
CHECK_HOOK(FLAKE_SET_SNO_SEQUENCE)
CHECK_HOOK(FLAKE_SET_SIQ_DOMAIN)
CHECK_HOOK(FLAKE_SET_SIQ_LOCAL_ID)
CHECK_HOOK(FLAKE_SET_SIQ_SHARD)
CHECK_HOOK(FLAKE_SET_SNOWFLAKE_WORKER)
CHECK_HOOK(FLAKE_SET_SNOWFLAKE_SEQUENCE)
CHECK_HOOK(FLAKE_SET_UID_NODE)

#define CHECK_HOOK_OF(id) [id] = check_##id

static const GucStringCheckHook check_hooks[FLAKE_IDENTITY_SETTINGS] = {
	CHECK_HOOK_OF(FLAKE_SET_NODE),
	CHECK_HOOK_OF(FLAKE_SET_SNO_PARTITION),
	CHECK_HOOK_OF(FLAKE_SET_SNO_SEQUENCE),
	CHECK_HOOK_OF(FLAKE_SET_SIQ_DOMAIN),
	CHECK_HOOK_OF(FLAKE_SET_SIQ_LOCAL_ID),
	CHECK_HOOK_OF(FLAKE_SET_SIQ_SHARD),
	CHECK_HOOK_OF(FLAKE_SET_SNOWFLAKE_WORKER),
	CHECK_HOOK_OF(FLAKE_SET_SNOWFLAKE_SEQUENCE),
	CHECK_HOOK_OF(FLAKE_SET_UID_NODE),
};

/* ---------- placeholders and definitions ---------- */

/* The text that the server keeps for the name of a setting that is not defined yet. */
typedef struct FlakePlaceholder
{
	const char *text;			/* the initial one if there is none */
	bool		plain;			/* the setting can be defined, and takes the
								 * text over */
	bool		ours;			/* the text does not come from the file: a
								 * session, role or database set it */
} FlakePlaceholder;

static void
look_up_placeholder(const FlakeSetting *setting, FlakePlaceholder *placeholder)
{
	struct config_generic *known = flake_find_setting(setting->name);
	const char *text;

	placeholder->text = setting->initial;
	placeholder->plain = true;
	placeholder->ours = false;
	if (known == NULL)
		return;

	/*
	 * Defining it now would lose values that the end of a transaction may
	 * bring back, with a warning for each.
	 */
	placeholder->plain = known->stack == NULL;
	text = GetConfigOption(setting->name, true, false);

	/*
	 * a line was removed from the file: no value, which PostgreSQL 18 returns
	 * as an empty text
	 */
	if (text == NULL || known->source == PGC_S_DEFAULT)
		return;
	placeholder->text = text;
	placeholder->ours = known->source > PGC_S_ARGV;
}

static void
define(int id)
{
	FlakeSetting *setting = &settings[id];
	FlakeDetail detail;
	int			milliseconds;

	setting->defined = true;
	if (setting->kind == FLAKE_KIND_MILLISECONDS)
	{
		read_milliseconds(setting, setting->initial, &milliseconds, &detail);
		/* the server insists that the variable has its initial value */
		*setting->variable = milliseconds;
		DefineCustomIntVariable(setting->name, setting->what, setting->consequence,
								setting->variable, milliseconds, setting->min, setting->max,
								PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
	}
	else
		DefineCustomStringVariable(setting->name, setting->what, setting->consequence,
								   &setting->value, setting->initial,
								   PGC_SIGHUP, 0, check_hooks[id], assign, NULL);
}

/* Why the generators of this session must not run. */
typedef struct FlakeFault
{
	const FlakeSetting *setting;
	FlakePlaceholder given;
	FlakeDetail detail;
} FlakeFault;

/* Is the text that this session has for a setting one that must not be used? */
static bool
is_wrong(const FlakeSetting *setting, FlakeFault *fault)
{
	FlakeSettings read;

	if (setting->defined)
		return false;			/* the server has refused every wrong text */
	fault->setting = setting;
	look_up_placeholder(setting, &fault->given);
	if (fault->given.ours)
		return !refuse(&fault->detail, "Only the configuration file can set it: no session, role, database or connection.");
	return !read_setting(setting, fault->given.text, NULL, &read, &fault->detail);
}

/*
 * Define the settings that can be defined, and read the times of those that cannot.
 *
 * In a parallel operation define nothing: the server assigns no value then, so that of
 * the file would be lost.  Read the settings from the placeholders meanwhile, which a
 * parallel worker gets from its leader.  A worker never defines a setting: otherwise it
 * could not take over a leader's text that is wrong.
 */
static void
define_settings(void)
{
	bool		all = true;
	bool		parallel = IsParallelWorker() || IsInParallelMode();
	FlakeFault	fault;

	for (int i = 0; i < SETTINGS; i++)
	{
		FlakeSetting *setting = &settings[i];
		bool		wrong = is_wrong(setting, &fault);

		if (setting->defined)
			continue;
		if (!wrong && !parallel && fault.given.plain)
			define(i);
		else
		{
			all = false;
			if (!wrong && setting->kind == FLAKE_KIND_MILLISECONDS)
				read_milliseconds(setting, fault.given.text, setting->variable, &fault.detail);
		}
	}
	if (all)
	{
		settled = true;
		MarkGUCPrefixReserved("flakeid");
	}
}

/* ---------- what is wrong ---------- */

/* Has the last reload found the setting in the configuration file? */
static bool
in_file(const char *name)
{
	struct config_generic *known = flake_find_setting(name);

	return known != NULL && (known->status & GUC_IS_IN_FILE) != 0;
}

/*
 * Write to the server's log which values of the file cannot be used, as the server
 * itself does only for settings that it knows.  One session does so for all; it is done
 * again if a good file was read since, or if the values differ.
 */
static void
log_faults(void)
{
	FlakeFault	fault;
	uint32		complaint = 0;
	bool		first;

	for (int i = 0; i < SETTINGS; i++)
	{
		FlakeSetting *setting = &settings[i];
		const char *text = NULL;

		/*
		 * Without a line in the file the default counts, which the server
		 * does not assign if it is in force already.
		 */
		if (setting->refused != NULL && !in_file(setting->name))
			forget_refusal(setting);
		setting->refused_at_reload = setting->refused != NULL;
		if (is_wrong(setting, &fault) && !fault.given.ours)
			text = fault.given.text;
		else if (setting->refused_at_reload && !flake_preloaded)
			text = setting->refused;
		if (text != NULL)
			complaint = hash_combine(complaint, hash_combine(i + 1, string_hash(text, strlen(text) + 1)));
	}
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	first = complaint != flake->complaint;
	flake->complaint = complaint;
	LWLockRelease(&flake->lock);
	if (!first)
		return;

	for (int i = 0; i < SETTINGS; i++)
	{
		FlakeSetting *setting = &settings[i];
		FlakeSettings read;

		if (is_wrong(setting, &fault) && !fault.given.ours)
			ereport(LOG,
					(errhidestmt(true),
					 errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid value for parameter \"%s\": \"%s\"", setting->name, fault.given.text),
					 errdetail("%s", fault.detail.text),
					 errhint("Correct it in postgresql.conf and reload the configuration. Until then the generators of sessions that read it report an error.")));
		else if (setting->refused != NULL && !flake_preloaded &&
				 !read_setting(setting, setting->refused, NULL, &read, &fault.detail))
			ereport(LOG,
					(errhidestmt(true),
					 errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid value for parameter \"%s\": \"%s\"", setting->name, setting->refused),
					 errdetail("%s", fault.detail.text),
					 errhint("Correct it in postgresql.conf and reload the configuration. Until then sessions that have read a good value go on with it, and the generators of others report an error.")));
	}
}

/* Are this session's settings good? */
bool
flake_settings_good(void)
{
	FlakeFault	fault;

	for (int i = 0; i < SETTINGS && !settled; i++)
		if (is_wrong(&settings[i], &fault))
			return false;
	return true;
}

/*
 * Make sure that this session's settings are good: 22023 otherwise.  Called before
 * settings are read, with the shared memory attached and no lock held.
 */
void
flake_check_settings(void)
{
	static TimestampTz checked = -1;	/* PgReloadTime when they were looked
										 * at last */
	bool		reloaded = checked != PgReloadTime;
	FlakeFault	fault;

	/* they cannot change during a parallel operation */
	if (!reloaded && (settled || IsInParallelMode()))
		return;
	if (!settled)
		define_settings();
	if (reloaded)
		log_faults();
	for (int i = 0; i < SETTINGS && !settled; i++)
		if (is_wrong(&settings[i], &fault))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid value for parameter \"%s\": \"%s\"", fault.setting->name, fault.given.text),
					 errdetail("%s", fault.detail.text),
					 fault.given.ours
					 ? errhint("Take it back with RESET, or where it was set for the role, the database or the connection; postgresql.conf is the place to set it.")
					 : errhint("Correct it in postgresql.conf and reload the configuration.")));
	checked = PgReloadTime;
}

/*
 * Return a sentence that says what is wrong with this session's settings, for the
 * views, or NULL.
 */
const char *
flake_setting_fault(void)
{
	FlakeFault	fault;
	FlakeSettings read;

	for (int i = 0; i < SETTINGS; i++)
	{
		FlakeSetting *setting = &settings[i];

		if (is_wrong(setting, &fault))
			return psprintf("invalid value for parameter \"%s\": \"%s\". %s",
							setting->name, fault.given.text, fault.detail.text);
		if (setting->refused_at_reload && setting->refused != NULL &&
			!read_setting(setting, setting->refused, NULL, &read, &fault.detail))
			return psprintf("invalid value for parameter \"%s\": \"%s\", instead of which \"%s\" stays in force. %s",
							setting->name, setting->refused, setting->value, fault.detail.text);
	}
	return NULL;
}

/* Return the text that this session has for a setting, until the settings change. */
const char *
flake_setting_text(FlakeSettingId id)
{
	FlakePlaceholder placeholder;

	if (settings[id].defined)
		return settings[id].value;
	look_up_placeholder(&settings[id], &placeholder);
	return placeholder.text;
}

/*
 * Has the server refused a newer text than this session has?  Then the session's text
 * may be older than the one in force: the session may have missed reloads in between.
 */
bool
flake_setting_refused(FlakeSettingId id)
{
	return settings[id].refused != NULL;
}

/* Define the settings; from _PG_init. */
void
flake_define_settings(void)
{
	FlakeFault	fault;

	define_settings();

	/*
	 * after the start, the session that reads a bad value reports it; without
	 * fork, every process comes here
	 */
	for (int i = 0; i < SETTINGS && process_shared_preload_libraries_in_progress && !IsUnderPostmaster; i++)
		if (is_wrong(&settings[i], &fault))
			ereport(WARNING,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid value for parameter \"%s\": \"%s\"", fault.setting->name, fault.given.text),
					 errdetail("%s", fault.detail.text)));
}
