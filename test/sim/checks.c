/*
 * checks.c
 *		The checks as a whole: how they begin, what they check whenever a backend
 *		has run, what they forget when the server stops, and what they add to a
 *		state.
 */
#include "schedule.h"

/* Forget what the checks know of a running server: it has stopped. */
static void
forget_server(void)
{
	identities_stop();
	issued_stop();
	order_stop();
	feeds_stop();
}

/* A schedule begins: forget everything. */
void
checks_begin(void)
{
	issued_begin();
	feeds_begin();
	order_begin();
	forget_server();
}

/* Check what may have changed while a backend ran. */
void
checks_after_run(void)
{
	note_generations();
	note_ahead_until();
}

/* Add up the counters of the server's memory before it is lost. */
void
count_memory(void)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		if (database_memory(d) != NULL)
		{
			count.toggles += database_memory(d)->clock.toggles;
			count.went_ahead += database_memory(d)->clock.went_ahead;
		}
}

/* Stop the server, and restart it with the pages that the first so many records give. */
void
go_down(int records)
{
	bool		lost = records < server.flushed;

	count_memory();
	if (!lost)
		check_marked();
	trace("restart with %d of %d records, %d flushed", records, server.inserted, server.flushed);
	server_stop();
	server_replay(records);
	server.inserted = server.flushed = records;
	forget_unmarked();
	server.postmaster = server.file;
	forget_server();
}

/*
 * Add to the state what the checks remember while sessions make IDs of one format,
 * except for what was issued: see issued_save().
 */
void
checks_state(int sessions, FlakeFormatId format)
{
	state_piece(jobs, sizeof(jobs[0]) * sessions, NULL);
	identities_state();
	issued_state();
	order_state(sessions, format);
	feeds_state();
}
