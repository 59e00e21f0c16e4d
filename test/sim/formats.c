/*
 * formats.c
 *		The formats of the simulation: the real ones with few numbers, and with
 *		sequences so short that they are used up.
 *
 * The generator is compiled with flake_sno renamed to sim_sno, and so on.  This file
 * uses both names.
 */
#include "kernel/flake.h"

#define FLAKE_FORMAT(id, name)	FlakeFormat sim_##name;
#include "types/formatlist.h"
#undef FLAKE_FORMAT

const FlakeFormat *const sim_formats[FLAKE_FORMATS] = {
#define FLAKE_FORMAT(id, name)	[id] = &sim_##name,
#include "types/formatlist.h"
#undef FLAKE_FORMAT
};

void		formats_choose(uint32_t siq_bits, uint32_t snowflake_bits, uint32_t uid_bits);

void
formats_choose(uint32_t siq_bits, uint32_t snowflake_bits, uint32_t uid_bits)
{
#define FLAKE_FORMAT(id, name)	sim_##name = flake_##name;
#include "types/formatlist.h"
#undef FLAKE_FORMAT
	sim_sno.numbers = sim_siq.numbers = 16;
	sim_sno.least_pool = 1;
	sim_siq.sequence_bits = (uint8_t) siq_bits;
	sim_snowflake.sequence_bits = (uint8_t) snowflake_bits;
	sim_uid64.sequence_bits = (uint8_t) uid_bits;
	sim_uid96.drawn_from = &sim_uid64;
}
