/*
 * identities.c
 *		Whose number it is: an ID has the number, and its sequence is in the part of
 *		the pool, that the settings of its session give; and no generation repeats.
 */
#include "checks.h"

/* The last generation of each database, and all generations, which the databases share. */
static uint64 generations_seen[SIM_DATABASES];
static bool generations_used[4096];

/* Remember the present generation of each database.  Check that a new one is really new. */
void
note_generations(void)
{
	if (shared == NULL)
		return;
	for (int d = 0; d < SIM_DATABASES; d++)
	{
		FlakeDatabase *db = database_memory(d);

		if (db == NULL)
			generations_seen[d] = 0;
		else if (db->generation.value != generations_seen[d])
		{
			bool	   *used = &generations_used[(db->generation.value >> 1) % lengthof(generations_used)];

			if (*used)
				sim_fault("generation %ld was in force before", (long) (db->generation.value >> 1));
			*used = true;
			generations_seen[d] = db->generation.value;
		}
	}
}

/* Return the number that the settings give for a format, or -1 if it is derived. */
static int64
set_number(FlakeFormatId format, const FlakeSettings *given)
{
	switch (format)
	{
		case FLAKE_SNO:
			return given->node;
		case FLAKE_SIQ:
			return given->siq_shard >= 0 ? given->siq_shard : given->node;
		case FLAKE_SNOWFLAKE:
			return given->snowflake_worker >= 0 ? given->snowflake_worker : given->node;
		default:
			return -1;
	}
}

/* Check the number and the sequence against the session's settings, which no call changes. */
void
check_identity(const Backend *backend, const Job *job, const FlakeTicket *ticket)
{
	const FlakeSettings *given = &server.settings[backend->settings].of[backend->database];
	FlakeFormatId format = job->format->id;
	int64		number = job->number != FLAKE_OWN ? job->number : set_number(format, given);
	uint32		min = 0;
	uint32		max = (UINT32_C(1) << job->format->sequence_bits) - 1;

	note_generations();
	if (format == FLAKE_UID96)
		return;
	if (format == FLAKE_SNO)
	{
		min = (uint32) given->sno_min;
		max = (uint32) given->sno_max;
	}
	if (format == FLAKE_SNOWFLAKE && given->snowflake_process >= 0)
	{
		uint32		part = (max + 1) / flake_formats[FLAKE_SNOWFLAKE]->pool_parts;

		min = (uint32) given->snowflake_process * part;
		max = min + part - 1;
	}
	if ((number >= 0 && number != ticket->number) || ticket->sequence < min || ticket->sequence + job->stride - 1 > max)
		sim_fault("%s of another identity: number %u sequence %u, not %ld and %u to %u", job->format->name,
				  ticket->number, ticket->sequence, (long) number, min, max);
}

/* The server has stopped: its generations begin again. */
void
identities_stop(void)
{
	memset(generations_seen, 0, sizeof(generations_seen));
	memset(generations_used, 0, sizeof(generations_used));
}

void
identities_state(void)
{
	state_piece(generations_seen, sizeof(generations_seen), NULL);
	state_piece(generations_used, 64, NULL);
}
