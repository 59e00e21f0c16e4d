/*
 * inlined.c
 *		What the functions of the types have inlined, as functions that the simulation can call.
 *
 * A part of the library, not of the program.
 */
#include "generate/generate.h"

extern const FlakeTicket *sim_generate(const FlakeFormat *format, int32 number, uint32 stride);

const FlakeTicket *
sim_generate(const FlakeFormat *format, int32 number, uint32 stride)
{
	return flake_generate(format->name, format, number, stride);
}
