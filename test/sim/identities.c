/*
 * identities.c
 *		Whose number it is: an ID is of an identity that was in force while it
 *		was asked for.
 */
#include "checks.h"

/* Identities that were in force since the server started, of each database. */
static FlakeIdentity identities[SIM_DATABASES][ROUNDS + 64];
int			identities_seen[SIM_DATABASES];
static TimestampTz reloaded_seen;

/* Whether a generation was in force before is told by its number, whatever database had it. */
static uint64 generations_seen[SIM_DATABASES];
static bool generations_used[4096];

/* Look at what is in force in each database now, and remember it. */
void
note_identity(void)
{
	if (shared == NULL)
		return;
	if (shared->reloaded != reloaded_seen)
	{
		if (shared->reloaded < reloaded_seen && reloaded_seen + FLAKE_PG_EPOCH_US <= server.lowest)
			sim_fault("settings read at %ld are put in force after those read at %ld",
					  (long) (shared->reloaded + FLAKE_PG_EPOCH_US), (long) (reloaded_seen + FLAKE_PG_EPOCH_US));
		reloaded_seen = shared->reloaded;
		server.lowest = server.now;
	}
	for (int d = 0; d < SIM_DATABASES; d++)
	{
		FlakeDatabase *db = database_memory(d);
		int			seen = identities_seen[d];

		if (db == NULL)
		{
			generations_seen[d] = 0;
			continue;
		}
		if (db->generation.value != generations_seen[d])
		{
			bool	   *used = &generations_used[(db->generation.value >> 1) % lengthof(generations_used)];

			if (*used)
				sim_fault("generation %ld was in force before", (long) (db->generation.value >> 1));
			*used = true;
			generations_seen[d] = db->generation.value;
		}
		if (db->identity.settings == 0 || seen == (int) lengthof(identities[0]) ||
			(seen > 0 && memcmp(&identities[d][seen - 1], &db->identity, sizeof(FlakeIdentity)) == 0))
			continue;
		identities[d][identities_seen[d]++] = db->identity;
		for (int f = 0; sim_tracing && f < FLAKE_FORMATS; f++)
		{
			const FlakeOwn *own = &db->identity.own[f];

			trace("database %d: %s %ld%s, %u-%u, %s", d, flake_formats[f]->name, (long) own->number,
				  own->derived ? " derived" : "", own->min, own->max,
				  own->fault == FLAKE_NUMBER_OK ? "good" : "too great");
		}
	}
}

/* The number and the sequence must be those of an identity in force during the call. */
void
check_identity(const Backend *backend, const Job *job, const FlakeTicket *ticket)
{
	FlakeFormatId format = job->format->id;
	bool		good = false;

	note_identity();
	for (int i = Max(job->identity, 0); i < identities_seen[backend->database]; i++)
	{
		const FlakeOwn *own = &identities[backend->database][i].own[format];

		if (job->number == FLAKE_OWN && (own->fault != FLAKE_NUMBER_OK || own->number != ticket->number))
			continue;
		if (job->number != FLAKE_OWN && (uint32) job->number != ticket->number)
			continue;
		if (format != FLAKE_UID96 && (ticket->sequence < own->min || ticket->sequence + job->stride - 1 > own->max))
			continue;
		good = true;
	}
	for (int i = 0; !good && i < identities_seen[backend->database]; i++)
		trace("identity %d: number %ld fault %u of %u-%u%s", i, (long) identities[backend->database][i].own[format].number,
			  identities[backend->database][i].own[format].fault, identities[backend->database][i].own[format].min,
			  identities[backend->database][i].own[format].max, i < job->identity ? ", before" : "");
	if (!good)
		sim_fault("%s of another identity: number %u sequence %u", job->format->name,
				  ticket->number, ticket->sequence);
}

/* The server has stopped. */
void
identities_stop(void)
{
	memset(identities_seen, 0, sizeof(identities_seen));
	reloaded_seen = 0;
	memset(generations_seen, 0, sizeof(generations_seen));
	memset(generations_used, 0, sizeof(generations_used));
}

void
identities_state(void)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		state_piece(identities[d], sizeof(identities[0][0]), &identities_seen[d]);
	state_piece(identities_seen, sizeof(identities_seen), NULL);
	state_piece(&reloaded_seen, sizeof(reloaded_seen), NULL);
	state_piece(generations_seen, sizeof(generations_seen), NULL);
	state_piece(generations_used, 64, NULL);
}
