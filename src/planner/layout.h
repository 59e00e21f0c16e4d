/*
 * layout.h
 *		The time in IDs that are not of flakeid's types: see layout.c.
 */
#ifndef FLAKE_LAYOUT_H
#define FLAKE_LAYOUT_H

#include "server/pg.h"

#pragma GCC visibility push(hidden)

/* How a system packs the time into a bigint: above the low bits, with a sign. */
typedef struct FlakeLayout
{
	const char *name;
	int64		epoch_us;		/* of the ID 0, since 1970 */
	int64		unit_us;
	int			low_bits;
	const char *low_parts;		/* what the low bits are, for the view */
} FlakeLayout;

#define FLAKE_LAYOUTS	7

extern const FlakeLayout flake_layouts[FLAKE_LAYOUTS];

extern bool flake_is_uuid7(const uint8 *uuid);

#pragma GCC visibility pop

/* Functions that the planner's side recognizes and calls. */
extern PGDLLEXPORT Datum uuid7_timestamp(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum uuid7_min(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum uuid7_max(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_timestamp_text(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_text_min(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_text_max(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_timestamp_uuid(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_uuid_min(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_uuid_max(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_timestamp_bytea(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_bytea_min(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum ulid_bytea_max(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum layout_timestamp(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum layout_min(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum layout_max(PG_FUNCTION_ARGS);

#endif							/* FLAKE_LAYOUT_H */
