/*
 * publish.c
 *		The horizons that a database publishes for its standbys: see published.c.
 */
#include "horizon/reader.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

/* Return the format of this name.  Reports 22023 if it has no horizon. */
static const FlakeFormat *
format_argument(const char *name)
{
	for (int i = 0; i < FLAKE_FORMATS; i++)
		if (flake_formats[i]->numbers > 0 && strcmp(name, flake_formats[i]->name) == 0)
			return flake_formats[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("format \"%s\" has no horizon", name),
			 errhint("Formats that have a horizon are those of the types with a function T_horizon().")));
}

/*
 * flakeid_own_horizon(format): the instant of the horizon to publish.  Reports 42501 if the caller
 * may not publish: publishing moves the mark to the clock.
 */
PG_FUNCTION_INFO_V1(flakeid_own_horizon);
Datum
flakeid_own_horizon(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = format_argument(text_to_cstring(PG_GETARG_TEXT_PP(0)));

	flake_check_publisher();
	PG_RETURN_TIMESTAMPTZ(flake_timestamptz(flake_own_horizon(format)));
}

/* flakeid_own_sequence_horizon(sequence): the same for a sequence. */
PG_FUNCTION_INFO_V1(flakeid_own_sequence_horizon);
Datum
flakeid_own_sequence_horizon(PG_FUNCTION_ARGS)
{
	flake_check_publisher();
	PG_RETURN_INT64(flake_own_sequence_horizon(PG_GETARG_OID(0)));
}
