/*
 * checks.c
 *		The checks as a whole: how they begin, what they look at whenever a
 *		backend was run, what they forget when the server stops, and what they
 *		add to a state.
 */
#include "schedule.h"

/* What the checks know of a server that runs. */
static void
forget_server(void)
{
	identities_stop();
	issued_stop();
	order_stop();
	feeds_stop();
}

/* Nothing has been issued yet. */
void
checks_begin(void)
{
	issued_begin();
	feeds_begin();
	order_begin();
	forget_server();
}

/* After each time that a backend was run. */
void
checks_after_run(void)
{
	note_generations();
	note_ahead_until();
}

/* Count what the server saw before its memory is lost. */
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

/* The server stops, and has the pages as the first so many records made them. */
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

/* What the checks keep while IDs of one format are made, but for what was issued. */
void
checks_state(int sessions, FlakeFormatId format)
{
	state_piece(jobs, sizeof(jobs[0]) * sessions, NULL);
	identities_state();
	issued_state();
	order_state(sessions, format);
	feeds_state();
}
