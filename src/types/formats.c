/*
 * formats.c
 *		The descriptors of all formats.  The list of formats is formatlist.h.
 */
#include "kernel/flake.h"

const FlakeFormat *const flake_formats[FLAKE_FORMATS] = {
#define FLAKE_FORMAT(id, name)	[id] = &flake_##name,
#include "types/formatlist.h"
#undef FLAKE_FORMAT
};
