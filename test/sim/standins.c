/*
 * standins.c
 *		What stands for functions of type.c and guc.c, and for small ones of
 *		the server.
 */
#include "server.h"

int			flake_max_ahead;
int			flake_max_wait;

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

void
flake_check_settings(void)
{
}

bool
flake_settings_good(void)
{
	return true;
}

const char *
flake_setting_fault(void)
{
	return NULL;
}

/* The backend reads the settings that are in the file. */
void
read_settings(Backend *backend)
{
	backend->reload = false;
	backend->settings = server.file;
	backend->process.reloaded = GetCurrentTimestamp();
	trace("backend %d reads the settings %d", backend->index, backend->settings);
}

/* Which of server.settings[] the backend has read. */
const char *
flake_setting_text(FlakeSettingId id)
{
	char	   *text;

	if (id != FLAKE_SET_NODE)
		return "";
	text = palloc(8);
	snprintf(text, 8, "%d", self->settings);
	return text;
}

bool
flake_setting_refused(FlakeSettingId id pg_attribute_unused())
{
	return false;
}

void
flake_read_settings(const char *const texts[FLAKE_IDENTITY_SETTINGS], const char *database, FlakeSettings *settings)
{
	*settings = server.settings[atoi(texts[FLAKE_SET_NODE])].of[database[1] - '0'];
}

/* ---------- the server ---------- */

bool
RecoveryInProgress(void)
{
	return server.recovering;
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
