/*
 * formatlist.h
 *		The list of formats: the one line that makes a format known.
 *
 * A line names the format's place in FlakeFormatId and the SQL type NAME, whose code is in
 * NAME.c and NAME.sql; the Makefile reads the names here.  The SQL script has the types in this
 * order, so a type that names another in its SQL comes after it.  No guard: include it with
 * FLAKE_FORMAT(id, name) defined.
 */

FLAKE_FORMAT(FLAKE_SNO, sno)
FLAKE_FORMAT(FLAKE_FLAX, flax)
FLAKE_FORMAT(FLAKE_SIQ, siq)
FLAKE_FORMAT(FLAKE_UID64, uid64)
FLAKE_FORMAT(FLAKE_UID96, uid96)
FLAKE_FORMAT(FLAKE_SNOWFLAKE, snowflake)
FLAKE_FORMAT(FLAKE_ULID, ulid)
FLAKE_FORMAT(FLAKE_KSUID, ksuid)
