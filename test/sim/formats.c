/*
 * formats.c
 *		The formats of the simulation: the real ones with few slots and short
 *		sequences, so that both run out.
 *
 * The generator is compiled with flake_sno renamed to sim_sno and so on; here
 * both names are known.
 */
#include "flake.h"

FlakeFormat sim_sno;
FlakeFormat sim_flax;
FlakeFormat sim_siq;
FlakeFormat sim_uid64;
FlakeFormat sim_uid96;
FlakeFormat sim_snowflake;
FlakeFormat sim_ulid;

const FlakeFormat *const sim_formats[FLAKE_FORMATS] = {
	[FLAKE_SNO] = &sim_sno,
	[FLAKE_FLAX] = &sim_flax,
	[FLAKE_SIQ] = &sim_siq,
	[FLAKE_UID64] = &sim_uid64,
	[FLAKE_UID96] = &sim_uid96,
	[FLAKE_SNOWFLAKE] = &sim_snowflake,
	[FLAKE_ULID] = &sim_ulid,
};

void		formats_choose(uint32_t sno_slots, uint32_t siq_slots, uint32_t snowflake_slots,
						   uint32_t siq_bits, uint32_t snowflake_bits, uint32_t uid_bits,
						   uint32_t workers);

void
formats_choose(uint32_t sno_slots, uint32_t siq_slots, uint32_t snowflake_slots,
			   uint32_t siq_bits, uint32_t snowflake_bits, uint32_t uid_bits,
						   uint32_t workers)
{
	sim_sno = flake_sno;
	sim_flax = flake_flax;
	sim_siq = flake_siq;
	sim_uid64 = flake_uid64;
	sim_uid96 = flake_uid96;
	sim_snowflake = flake_snowflake;
	sim_ulid = flake_ulid;
	sim_sno.slots = sno_slots;
	sim_siq.slots = siq_slots;
	sim_snowflake.slots = snowflake_slots;
	sim_siq.sequence_bits = (uint8_t) siq_bits;
	sim_snowflake.sequence_bits = (uint8_t) snowflake_bits;
	sim_uid64.sequence_bits = (uint8_t) uid_bits;
	sim_snowflake.numbers = workers;
}
