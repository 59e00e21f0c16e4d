/*
 * guc.c
 *		The settings, and the values of them that are valid in this session.
 *
 * Superusers, and roles with GRANT SET ON PARAMETER, give them in the configuration file,
 * for a database, for a role or in a session (PGC_SUSET).  For a defined setting, the
 * server enforces that.  But for a name that it does not know yet, it keeps any text, from
 * anybody, as a placeholder.  When the setting is defined, the server replaces a text that
 * it does not accept by the default: the number of another node.  Hence the rule:
 *
 * A setting is defined only when the server would accept the value that it takes over.
 * Until then the session reads the placeholder by the same rule, and if that value would
 * not be accepted, no generator of the session runs (22023).
 *
 * In a parallel operation the server assigns no values, so nothing is defined then.  A
 * parallel worker never defines a setting: it receives its leader's value as a
 * placeholder, with the role that set it, and could not take over one that is not
 * accepted.
 */
#include "server/server.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "catalog/pg_parameter_acl.h"
#include "common/string.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"

FlakeSettings flake_settings;
int			flake_max_ahead;
int			flake_max_wait;
int			flake_promotion_gap;
int			flake_horizon_lag;
bool		flake_settings_defined = false;

/* The maximum number of characters of an Erlang atom, and so of a node's name. */
#define MAX_NODE_NAME	255

/* No session waits longer for a lock, even if flakeid.max_wait is longer: in us. */
#define LOCK_WAIT_US	(60 * FLAKE_US_PER_SECOND)

typedef struct FlakeSetting
{
	const char *name;
	const char *what;			/* for pg_settings: what it is and does */
	const char *consequence;
	int		   *number;			/* the variable, if it is an int ... */
	int			initial;
	int			min;
	int			max;
	int			unit;			/* 0 or GUC_UNIT_MS */
	char	  **text;			/* ... or if it is a string */
	/* What is wrong with a string: for DETAIL, or NULL. */
	const char *(*fault) (const char *text);
	bool		defined;
} FlakeSetting;

static const char *domain_fault(const char *text);
static const char *node_name_fault(const char *text);

static FlakeSetting settings[] = {
	{
		.name = "flakeid.node",
		.what = "Number of this database, or of all databases of the server.",
		.consequence = "It is the partition of sno and, unless those are set, the shard of siq and the worker of snowflake. "
		"Servers and databases whose IDs meet need different numbers. "
		"-1 derives it from the system identifier, which copies of a server share, and the database.",
		.number = &flake_settings.node, .initial = -1, .min = -1, .max = 65535
	},
	{
		.name = "flakeid.sno_sequence_min",
		.what = "First sequence number of the sno IDs made here.",
		.consequence = "Servers that make IDs of one partition need ranges that do not overlap, of six numbers or more.",
		.number = &flake_settings.sno_min, .initial = 0, .min = 0, .max = 65535
	},
	{
		.name = "flakeid.sno_sequence_max",
		.what = "Last sequence number of the sno IDs made here.",
		.consequence = "Servers that make IDs of one partition need ranges that do not overlap, of six numbers or more.",
		.number = &flake_settings.sno_max, .initial = 65535, .min = 0, .max = 65535
	},
	{
		.name = "flakeid.siq_domain",
		.what = "Domain name whose hash the siq IDs made here carry.",
		.consequence = "Empty gives a hash of 0.",
		.text = &flake_settings.siq_domain, .fault = domain_fault
	},
	{
		.name = "flakeid.siq_local_id",
		.what = "Number that distinguishes the servers of one siq domain, modulo 256.",
		.consequence = "0 for none. It has no effect on siq IDs without a domain.",
		.number = &flake_settings.siq_local_id, .initial = 0, .min = 0, .max = INT_MAX
	},
	{
		.name = "flakeid.siq_shard",
		.what = "Shard of the siq IDs made here.",
		.consequence = "Servers of one domain hash need different ones. "
		"-1 takes flakeid.node, which then must not exceed 255, or the last 8 bits of a derived node.",
		.number = &flake_settings.siq_shard, .initial = -1, .min = -1, .max = 255
	},
	{
		.name = "flakeid.snowflake_worker",
		.what = "Worker of the snowflake IDs made here.",
		.consequence = "-1 takes flakeid.node, which then must not exceed 31, or the last 5 bits of a derived node.",
		.number = &flake_settings.snowflake_worker, .initial = -1, .min = -1, .max = 31
	},
	{
		.name = "flakeid.snowflake_process",
		.what = "Process of the snowflake IDs made here.",
		.consequence = "Servers that share a worker need different ones. -1 uses all 32, which extends the sequence.",
		.number = &flake_settings.snowflake_process, .initial = -1, .min = -1, .max = 31
	},
	{
		.name = "flakeid.uid_node",
		.what = "Name, as of an Erlang node, whose hash the uid96 IDs made here carry.",
		.consequence = "Empty takes a hash of the node and the system identifier.",
		.text = &flake_settings.uid_node, .fault = node_name_fault
	},
	{
		.name = "flakeid.max_ahead",
		.what = "How far IDs may be ahead of the clock after it stepped back.",
		.consequence = "If the clock steps back further, generators that cannot continue in the past report an error, or wait if flakeid.max_wait is long enough.",
		.number = &flake_max_ahead, .initial = 10000, .min = 0, .max = INT_MAX, .unit = GUC_UNIT_MS
	},
	{
		.name = "flakeid.max_wait",
		.what = "How long a generator waits for an ID before it reports an error.",
		.consequence = "It waits for the clock, for another session that writes the mark, or for a lock on the table of the mark.",
		.number = &flake_max_wait, .initial = 5000, .min = 0, .max = INT_MAX, .unit = GUC_UNIT_MS
	},
	{
		.name = "flakeid.promotion_gap",
		.what = "How far above the clock a server begins after a start or a promotion.",
		.consequence = "The gap has to cover what the old primary may have issued under marks that did not arrive, and the difference between the two clocks. It should be less than flakeid.max_ahead.",
		.number = &flake_promotion_gap, .initial = 0, .min = 0, .max = INT_MAX, .unit = GUC_UNIT_MS
	},
	{
		.name = "flakeid.horizon_lag",
		.what = "How far T_horizon() stays behind the clock.",
		.consequence = "IDs that clients make have this much time to arrive before readers pass them. "
		"Set it for the database, because what one reader has passed counts as passed for all.",
		.number = &flake_horizon_lag, .initial = 0, .min = 0, .max = INT_MAX, .unit = GUC_UNIT_MS
	}
};

/* Called when a value has changed, also at the end of a transaction. */
static void (*changed) (void);

/* ---------- values ---------- */

static const char *
domain_fault(const char *text)
{
	/* the library hashes ASCII and knows no IDNA */
	return pg_is_ascii(text) ? NULL : "It must be ASCII; write an international domain name in its xn-- form.";
}

static const char *
node_name_fault(const char *text)
{
	int			characters = 0;

	/* in UTF-8 */
	for (; *text != '\0'; text++)
		characters += (*text & 0xc0) != 0x80;
	return characters <= MAX_NODE_NAME ? NULL : "It must be a name of 255 characters at most, as an Erlang atom.";
}

static bool
check_text(char *const *text, const char *(*fault) (const char *))
{
	const char *what = fault(*text);

	if (what != NULL)
		GUC_check_errdetail("%s", what);
	return what == NULL;
}

static bool
check_domain(char **text, void **extra pg_attribute_unused(), GucSource source pg_attribute_unused())
{
	return check_text(text, domain_fault);
}

static bool
check_node_name(char **text, void **extra pg_attribute_unused(), GucSource source pg_attribute_unused())
{
	return check_text(text, node_name_fault);
}

static void
assign_number(int value pg_attribute_unused(), void *extra pg_attribute_unused())
{
	changed();
}

static void
assign_text(const char *value pg_attribute_unused(), void *extra pg_attribute_unused())
{
	changed();
}

/*
 * How long a session may wait for a lock, in us: flakeid.max_wait, or lock_timeout if that
 * is shorter.  Before the settings have been read, a minute.
 */
int64
flake_lock_wait_us(void)
{
	int64		allowed = LOCK_WAIT_US;

	if (flake_settings_defined)
		allowed = Min(allowed, (int64) flake_max_wait * 1000);
	if (LockTimeout > 0)
		allowed = Min(allowed, (int64) LockTimeout * 1000);
	return allowed;
}

/* ---------- placeholders ---------- */

/* A value that the server keeps for a setting, and what is wrong with it. */
typedef struct FlakeGiven
{
	const char *text;			/* NULL: none, so that the initial one counts */
	int			number;
	/* For DETAIL; NULL: the server would accept it. */
	const char *fault;
	bool		denied;			/* the role that set it may not */
	bool		locked;			/* whether it may cannot be looked up */
} FlakeGiven;

/*
 * Would the server let this role set a setting from there?  As in set_config_option();
 * outside a transaction, where rights cannot be looked up, it would not.  Do not wait for
 * the catalog: once read, it is cached for the server's own lookup, which would wait.
 */
static bool
allowed(const char *name, GucContext context, Oid role, bool *locked)
{
	FlakeLocked in_the_way;
	bool		result;

	if (context != PGC_USERSET && context != PGC_BACKEND)
		return true;
	if (!IsTransactionState())
		return false;
	*locked = !flake_try_catalogs(FLAKE_LOOK_PARAMETER, flake_lock_wait_us(), &in_the_way);
	if (*locked)
		return false;
	result = pg_parameter_aclcheck(name, role, ACL_SET) == ACLCHECK_OK;
	flake_unlock_catalogs(FLAKE_LOOK_PARAMETER);
	return result;
}

/* Read a placeholder's text, and find out what is wrong with it. */
static void
read_text(const FlakeSetting *setting, const char *text, GucContext context, Oid role, FlakeGiven *given)
{
	const char *hint = NULL;	/* of parse_int(), about units */

	given->text = text;
	if (!allowed(setting->name, context, role, &given->locked))
	{
		given->denied = !given->locked;
		given->fault = given->locked
			? "Another transaction keeps the table \"pg_parameter_acl\", which records who may set it."
			: "It was set for the session, the role or the database by a role without the privilege to set it.";
	}
	else if (setting->number == NULL)
		given->fault = setting->fault(text);
	else if (!parse_int(text, &given->number, setting->unit, &hint) ||
			 given->number < setting->min || given->number > setting->max)
	{
		static char fault[128];

		snprintf(fault, sizeof(fault), "It must be a whole number from %d to %d%s.", setting->min, setting->max,
				 setting->unit != 0 ? ", in milliseconds if it has no unit" : "");
		given->fault = fault;
	}
}

/*
 * Look up what the server keeps for a setting that is not defined: the current value or,
 * with "reset", the one that it takes over when the setting is defined.
 */
static void
look_up(const FlakeSetting *setting, bool reset, FlakeGiven *given)
{
	struct config_generic *known = flake_find_setting(setting->name);
	const char *text;

	memset(given, 0, sizeof(*given));
	given->number = setting->initial;

	/*
	 * a line that was removed from the file leaves a placeholder without a
	 * value
	 */
	if (known == NULL || (reset ? known->reset_source : known->source) == PGC_S_DEFAULT)
		return;
	text = reset ? GetConfigOptionResetString(setting->name) : GetConfigOption(setting->name, true, false);
	if (text == NULL)
		return;
	if (reset)
		read_text(setting, text, known->reset_scontext, known->reset_srole, given);
	else
		read_text(setting, text, known->scontext, known->srole, given);
}

/* ---------- definitions ---------- */

/*
 * Define a setting.  "text" is the value that is in force, or "" for none; NULL if the server
 * will not accept that, and go back to the one before.
 *
 * If the server has no memory for a string, it says so only by a WARNING, and keeps the
 * default, under which the session would make another server's IDs: then end the session.
 * After an ERROR the setting is defined again, which works, or fails because the server knows
 * it.
 */
static void
define(FlakeSetting *setting, const char *text)
{
	if (setting->number != NULL)
	{
		/* the server insists that the variable has its initial value */
		*setting->number = setting->initial;
		DefineCustomIntVariable(setting->name, setting->what, setting->consequence,
								setting->number, setting->initial, setting->min, setting->max,
								PGC_SUSET, setting->unit, NULL, assign_number, NULL);
	}
	else
	{
		*setting->text = NULL;
		DefineCustomStringVariable(setting->name, setting->what, setting->consequence,
								   setting->text, "", PGC_SUSET, 0,
								   setting->fault == domain_fault ? check_domain : check_node_name, assign_text, NULL);
		if (text != NULL && strcmp(*setting->text, text) != 0)
			ereport(FATAL,
					(errcode(ERRCODE_OUT_OF_MEMORY),
					 errmsg("could not take over the value of parameter \"%s\"", setting->name)));
	}
	setting->defined = true;
}

/* Report what is wrong with the value of a setting: 22023. */
static void
report_setting(int level, const FlakeSetting *setting, const FlakeGiven *given)
{
	ereport(level,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value for parameter \"%s\": \"%s\"", setting->name, given->text),
			 errdetail("%s", given->fault),
			 given->locked
			 ? errhint("End that transaction, and try again.")
			 : given->denied
			 ? errhint("Undo it with RESET, or in the connection options. Superusers may set it, and so may roles with GRANT SET ON PARAMETER %s.", setting->name)
			 : errhint("Correct it where it was set: in postgresql.conf, by ALTER SYSTEM, ALTER DATABASE or ALTER ROLE, or in the session.")));
}

/*
 * Define the settings that can be defined now, and read the others.  Returns the first
 * whose value must not be used, and stores that value; or NULL.
 */
static const FlakeSetting *
read_settings(FlakeGiven *given)
{
	bool		may_define = !IsInParallelMode() && !IsParallelWorker();
	const FlakeSetting *wrong = NULL;
	bool		all = true;

	if (flake_settings_defined)
		return NULL;
	for (int i = 0; i < (int) lengthof(settings); i++)
	{
		FlakeSetting *setting = &settings[i];
		FlakeGiven	read;

		if (setting->defined)
			continue;
		look_up(setting, true, &read);

		/*
		 * Now the server also looks up who has set the value, and would wait
		 * for the catalog.
		 */
		if (may_define && read.fault == NULL)
		{
			FlakeGiven	now;

			look_up(setting, false, &now);
			if (now.locked)
				read = now;
			else
			{
				/* a copy: the server frees its own */
				define(setting, now.fault == NULL ? pstrdup(now.text != NULL ? now.text : "") : NULL);
				continue;
			}
		}
		all = false;

		/*
		 * at the start of the server nothing else reports it; without fork
		 * every process comes here
		 */
		if (process_shared_preload_libraries_in_progress && !IsUnderPostmaster)
			report_setting(WARNING, setting, &read);
		look_up(setting, false, &read);
		if (setting->number != NULL)
			*setting->number = read.fault == NULL ? read.number : setting->initial;
		else
			*setting->text = read.fault == NULL && read.text != NULL ? unconstify(char *, read.text) : NULL;
		if (read.fault != NULL && wrong == NULL)
		{
			wrong = setting;
			*given = read;
		}
	}
	flake_settings_defined = all;
	if (all)
		MarkGUCPrefixReserved("flakeid");
	return wrong;
}

/*
 * Make sure that the settings of this session are valid: 22023 otherwise.  Called before
 * they are used; the caller holds no lock.
 */
void
flake_check_settings(void)
{
	FlakeGiven	given;
	const FlakeSetting *wrong = read_settings(&given);

	if (wrong != NULL)
		report_setting(ERROR, wrong, &given);
}

/*
 * The same for the views, which must work all the same: returns a sentence that says what
 * is wrong, or NULL.
 */
const char *
flake_setting_fault(void)
{
	FlakeGiven	given;
	const FlakeSetting *wrong = read_settings(&given);

	if (wrong == NULL)
		return NULL;
	return psprintf("invalid value for parameter \"%s\": \"%s\". %s", wrong->name, given.text, given.fault);
}

/*
 * Define the settings; from _PG_init().  The function is called when a value changes,
 * also by the end of a transaction, so it must not fail.
 */
void
flake_define_settings(void (*on_change) (void))
{
	FlakeGiven	given;

	changed = on_change;
	(void) read_settings(&given);
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
