/*
 * standins.c
 *		Stand-ins for functions of published.c, seq_follow.c, type.c, guc.c and domain.c, and
 *		for small functions of the server.
 */
#include "server.h"

#include "horizon/reader.h"

ErrorContextCallback *error_context_stack = NULL;

int			flake_max_ahead;
int			flake_max_wait;
int			flake_promotion_gap;
int			flake_horizon_lag;

/* ---------- of published.c ---------- */

uint64
flake_published(const FlakeFormat *format, Snapshot snapshot pg_attribute_unused())
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("no horizon of %s has been published", format->name)));
	return 0;
}

int64
flake_sequence_published(Oid oid pg_attribute_unused(), Snapshot snapshot pg_attribute_unused())
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("no horizon of the sequence has been published")));
	return 0;
}

void
flake_sequence_allow(Oid oid pg_attribute_unused())
{
}

/* ---------- of seq_follow.c ---------- */

const TriggerData *
flake_trigger_data(FunctionCallInfo fcinfo, const char *function pg_attribute_unused(), bool row pg_attribute_unused())
{
	return fcinfo->context;
}

void
flake_trigger_context(void *data pg_attribute_unused())
{
}

/* The trigger's OID is the sequence's. */
FlakeFollowed
flake_followed(Oid trigger, Relation table pg_attribute_unused(), const char *column pg_attribute_unused(), const char *name pg_attribute_unused())
{
	FlakeFollowed followed = {.trigger = trigger, .named = true, .count = 1, .sequence = {trigger}};

	return followed;
}

/* ---------- of type.c ---------- */

int64
flake_us_saturated(TimestampTz t)
{
	if (t == DT_NOBEGIN)
		return PG_INT64_MIN;
	return t == DT_NOEND ? PG_INT64_MAX : t + FLAKE_PG_EPOCH_US;
}

int
flake_span_detail(const FlakeFormat *format pg_attribute_unused())
{
	return 0;
}

void
flake_clock_out_of_span(const FlakeFormat *format, int64 us pg_attribute_unused())
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("the clock is out of range for type %s", format->name)));
}

void
flake_refuse_recovery(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot make this ID during recovery")));
}

/* ---------- of guc.c ---------- */

FlakeSettings flake_settings;
bool		flake_settings_defined = true;

/* Use the settings of the backend that runs. */
void
flake_check_settings(void)
{
	flake_settings = server.settings[self->settings].of[self->database];
}

const char *
flake_setting_fault(void)
{
	flake_check_settings();
	return NULL;
}

/* Give a backend other settings, as the server does. */
void
use_settings(Backend *backend, int settings)
{
	backend->reload = false;
	backend->settings = settings;
	backend->library.changed();
	trace("backend %d has the settings %d", backend->index, backend->settings);
}

/* ---------- of domain.c ---------- */

uint32
flake_hash_domain(const char *domain pg_attribute_unused(), int local_id pg_attribute_unused())
{
	return 0;
}

/* ---------- the server ---------- */

bool
RecoveryInProgress(void)
{
	return server.recovering;
}

void
PreventCommandDuringRecovery(const char *cmdname)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s during recovery", cmdname)));
}

char *
get_database_name(Oid oid)
{
	static char names[][3] = {"d0", "d1", "d2", "d3"};

	for (int i = 0; i < SIM_DATABASES; i++)
		if (database_oid(i) == oid)
			return server.dropped[i] ? NULL : names[i];
	return NULL;
}

bool
flake_try_catalogs(FlakeLook look pg_attribute_unused(), FlakeLocked *locked pg_attribute_unused())
{
	no_lwlock_held("catalog read");
	return true;
}

void
flake_lock_catalogs(FlakeLook look pg_attribute_unused())
{
	no_lwlock_held("catalog read");
}

void
flake_unlock_catalogs(FlakeLook look pg_attribute_unused())
{
}

int
oid_cmp(const void *a, const void *b)
{
	Oid			x = *(const Oid *) a;
	Oid			y = *(const Oid *) b;

	return (x > y) - (x < y);
}

Datum
hash_any(const unsigned char *bytes, int length)
{
	uint32		hash = 2166136261u;

	for (int i = 0; i < length; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

const char *
timestamptz_to_str(TimestampTz t pg_attribute_unused())
{
	return "";
}
