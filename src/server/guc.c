/*
 * guc.c
 *		The settings, and the values of them that are valid in this session.
 *
 * README says when a setting is defined, and what counts until then.
 */
#include "server/server.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "catalog/pg_parameter_acl.h"
#include "common/string.h"
#include "miscadmin.h"
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

/* What flake_define_settings() was given. */
static void (*changed) (void);

/* ---------- values ---------- */

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

/* ---------- placeholders ---------- */

/* A value that the server keeps for a setting. */
typedef struct FlakeGiven
{
	const char *text;			/* NULL: none, so that the initial one counts */
	int			number;
	/* What is wrong with it, for DETAIL; NULL: the server would accept it. */
	const char *fault;
} FlakeGiven;

/* Which value: the one that counts now, or the one that the server takes over at the definition. */
typedef enum FlakeWhich
{
	IN_FORCE,
	TAKEN_OVER
} FlakeWhich;

static const char denied[] = "It was set for the session, the role or the database by a role without the privilege to set it.";
static const char unknown[] = "Another transaction keeps the table \"pg_parameter_acl\", which records who may set it.";

/*
 * Return why the server would not let this role set a setting from there, or NULL; as in
 * set_config_option().  Outside a transaction rights cannot be looked up, and the catalog is not
 * waited for: then it would not.
 */
static const char *
refusal(const char *name, GucContext context, Oid role)
{
	FlakeLocked locked;
	bool		allowed;

	if (context != PGC_USERSET && context != PGC_BACKEND)
		return NULL;
	if (!IsTransactionState())
		return denied;
	if (!flake_try_catalogs(FLAKE_LOOK_PARAMETER, &locked))
		return unknown;
	allowed = pg_parameter_aclcheck(name, role, ACL_SET) == ACLCHECK_OK;
	flake_unlock_catalogs(FLAKE_LOOK_PARAMETER);
	return allowed ? NULL : denied;
}

/* Return what is wrong with a setting's text, or NULL; store the number that it is. */
static const char *
text_fault(const FlakeSetting *setting, const char *text, int *number)
{
	const char *hint = NULL;	/* of parse_int(), about units */

	if (setting->number == NULL)
		return setting->fault(text);
	if (parse_int(text, number, setting->unit, &hint) && *number >= setting->min && *number <= setting->max)
		return NULL;
	return psprintf("It must be a whole number from %d to %d%s.", setting->min, setting->max,
					setting->unit != 0 ? ", in milliseconds if it has no unit" : "");
}

/* Look up what the server keeps for a setting that is not defined. */
static void
look_up(const FlakeSetting *setting, FlakeWhich which, FlakeGiven *given)
{
	struct config_generic *known = flake_find_setting(setting->name);
	bool		reset = which == TAKEN_OVER;

	memset(given, 0, sizeof(*given));
	given->number = setting->initial;

	/* a line removed from the file leaves a placeholder without a value */
	if (known == NULL || (reset ? known->reset_source : known->source) == PGC_S_DEFAULT)
		return;
	given->text = reset ? GetConfigOptionResetString(setting->name) : GetConfigOption(setting->name, true, false);
	if (given->text == NULL)
		return;
	given->fault = reset ? refusal(setting->name, known->reset_scontext, known->reset_srole)
		: refusal(setting->name, known->scontext, known->srole);
	if (given->fault == NULL)
		given->fault = text_fault(setting, given->text, &given->number);
}

/* ---------- definitions ---------- */

/*
 * Define a setting.  "text" is the value that is in force, or "" for none; NULL if the server
 * will not accept that, and go back to the one before.  If the server has no memory for a
 * string, it only warns and keeps the default, another server's number.  End the session then.
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
			 given->fault == unknown
			 ? errhint("End that transaction, and try again.")
			 : given->fault == denied
			 ? errhint("Undo it with RESET, or in the connection options. Superusers may set it, and so may roles with GRANT SET ON PARAMETER %s.", setting->name)
			 : errhint("Correct it where it was set: in postgresql.conf, by ALTER SYSTEM, ALTER DATABASE or ALTER ROLE, or in the session.")));
}

/* Define a setting, if the server assigns values now and would accept the old one; return whether it is defined. */
static bool
try_define(FlakeSetting *setting)
{
	FlakeGiven	taken_over;
	FlakeGiven	in_force;

	if (setting->defined)
		return true;
	if (IsInParallelMode() || IsParallelWorker())
		return false;
	look_up(setting, TAKEN_OVER, &taken_over);
	look_up(setting, IN_FORCE, &in_force);

	/* the server would look up who has set it, and wait for the catalog */
	if (taken_over.fault != NULL || in_force.fault == unknown)
		return false;
	/* a copy: the server frees its own */
	define(setting, in_force.fault == NULL ? pstrdup(in_force.text != NULL ? in_force.text : "") : NULL);
	return true;
}

/*
 * Store the value of a setting that is not defined: the one in force or, if that must not
 * be used, the initial one.  Returns whether it may be used.
 */
static bool
remember(const FlakeSetting *setting, FlakeGiven *given)
{
	look_up(setting, IN_FORCE, given);
	if (setting->number != NULL)
		*setting->number = given->fault == NULL ? given->number : setting->initial;
	else
		*setting->text = given->fault == NULL && given->text != NULL ? unconstify(char *, given->text) : NULL;

	/* nothing else reports it then; without fork every process comes here */
	if (given->fault != NULL && process_shared_preload_libraries_in_progress && !IsUnderPostmaster)
		report_setting(WARNING, setting, given);
	return given->fault == NULL;
}

/*
 * Define the settings that can be defined now, and remember the values of the others.  Returns
 * the first whose value must not be used, and stores that value; or NULL.
 */
static const FlakeSetting *
read_settings(FlakeGiven *given)
{
	const FlakeSetting *wrong = NULL;
	bool		all = true;

	if (flake_settings_defined)
		return NULL;
	for (int i = 0; i < (int) lengthof(settings); i++)
	{
		FlakeSetting *setting = &settings[i];
		FlakeGiven	read;

		if (!(try_define(setting) || remember(setting, &read)) && wrong == NULL)
		{
			wrong = setting;
			*given = read;
		}
		all = all && setting->defined;
	}
	flake_settings_defined = all;
	if (all)
		MarkGUCPrefixReserved("flakeid");
	return wrong;
}

/* Report 22023 unless the settings of this session are valid.  The caller holds no lock. */
void
flake_check_settings(void)
{
	FlakeGiven	given;
	const FlakeSetting *wrong = read_settings(&given);

	if (wrong != NULL)
		report_setting(ERROR, wrong, &given);
}

/* The same for the views, which must work all the same: returns what is wrong, or NULL. */
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
 * Define the settings; from _PG_init().  on_change() is called when a value changes, also by the
 * end of a transaction, so it must not fail.
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
