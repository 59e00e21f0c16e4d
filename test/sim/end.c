/*
 * end.c
 *		The end of a random schedule: whatever happened is over, and everything must
 *		work again.
 */
#include "schedule.h"

/* Run all calls under way to their end. */
static void
settle(void)
{
	server.clock_runs = true;
	server.drift = 1;
	for (int rounds = 0;; rounds++)
	{
		bool		busy = false;
		bool		ran = false;

		for (int i = 0; i < SIM_BACKENDS; i++)
		{
			Backend    *backend = &backends[i];

			if (backend->state != BACKEND_BUSY)
				continue;
			busy = true;
			if (!backend_runnable(backend))
				continue;
			resume(backend, 500);
			if (backend->state == BACKEND_IDLE)
				transaction_end(backend, once_in(2));
			note_generations();
			ran = true;
		}
		if (!busy)
			return;
		if (!ran)
			sim_fault("deadlock");
		if (rounds > 20000)
			sim_fault("a call does not end");
	}
}

/* Return an idle backend of the database, or NULL. */
static Backend *
idle_backend_of(int database)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (backends[i].state == BACKEND_IDLE && backends[i].database == database)
			return &backends[i];
	return NULL;
}

/* Check that every generator answers a backend of the database. */
static void
check_alive(int database, const char *when)
{
	Backend    *backend = idle_backend_of(database);

	if (backend == NULL)
	{
		backend = &backends[0];
		if (backend->state != BACKEND_GONE)
		{
			jobs[backend->index].kind = JOB_EXIT;
			run_alone(backend);
		}
		start_backend(backend);
		backend_start(backend, backend->process.pid, database);
		backend->state = BACKEND_IDLE;
	}
	for (int i = 0; i < 6; i++)
	{
		static const FlakeFormatId each[] = {
			FLAKE_SNO, FLAKE_SNO, FLAKE_SIQ, FLAKE_UID64, FLAKE_SNOWFLAKE, FLAKE_SNO
		};
		Job		   *job = &jobs[backend->index];

		job->kind = JOB_GENERATE;
		job->format = flake_formats[each[i]];
		job->number = each[i] == FLAKE_SNO && i > 0 ? (int32) random_below(kind->partitions) : FLAKE_OWN;
		job->stride = 1;
		run_alone(backend);
		if (job->failed)
			sim_fault("%s %d makes no ID %s in database %d at %ld", job->format->name, job->number, when,
					  database, (long) server.now);
	}
}

/* End all transactions, and check that then no horizon stays behind, and that none was too high. */
static void
check_feeds(void)
{
	static const FlakeFormatId each[] = {FLAKE_SNO, FLAKE_SIQ, FLAKE_UID64, FLAKE_SNOWFLAKE};

	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		jobs[i].kind = JOB_END;
		jobs[i].end = once_in(2) ? FEED_COMMIT : FEED_ROLL_BACK;
		if (backends[i].state == BACKEND_IDLE)
			run_alone(&backends[i]);
	}
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		if (backends[i].state != BACKEND_IDLE)
			continue;
		for (int j = 0; j < max_prepared_xacts; j++)
		{
			jobs[i].kind = JOB_FINISH;
			jobs[i].force = once_in(2);
			run_alone(&backends[i]);
		}
		for (size_t j = 0; j < lengthof(each); j++)
		{
			jobs[i].kind = JOB_POLL;
			jobs[i].format = flake_formats[each[j]];
			jobs[i].force = false;
			jobs[i].free = true;
			run_alone(&backends[i]);
			jobs[i].free = false;
		}
		for (int j = 0; j < SIM_SEQUENCES && kind->draws; j++)
		{
			jobs[i].kind = JOB_POLL_SEQUENCE;
			jobs[i].sequence = j;
			jobs[i].free = true;
			run_alone(&backends[i]);
			jobs[i].free = false;
		}
	}
}

/* Return the latest instant in the words, the floors and the marks of the database. */
static int64
highest(int database)
{
	int64		us = 0;
	const SimPage *page = &server.databases[database].page;
	const FlakeDatabase *db = database_memory(database);

	for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
	{
		us = Max(us, flake_later(page_mark(page, mark), flake_issued_until(&page->issued[mark], INT64_MAX)));

		/*
		 * After the database was created again, memory may know of more than
		 * the page.
		 */
		if (db != NULL)
			us = Max(us, flake_later(flake_mark_of(&db->issued[mark]), flake_issued_until(&db->issued[mark], INT64_MAX)));
	}
	for (int f = 0; db != NULL && f < FLAKE_FORMATS; f++)
	{
		const FlakeFormat *format = flake_formats[f];

		for (uint32 n = 0; n < format->numbers; n++)
		{
			FlakeGenerator *generator = generator_memory(db, f, n);

			if (generator != NULL)
				us = Max(us, flake_us_of(&format->rate, (generator->word.value & INT64_MAX) >>
										 (format->sequence_bits + 1)));
		}
		for (int timeline = 0; timeline < 2; timeline++)
			us = Max(us, flake_us_of(&format->rate, db->floor_tick[f][timeline].value));
	}
	return us;
}

/*
 * Return us, or the end of an earlier interval of the marks that contains us or begins at
 * most "span" after it.
 */
static int64
past_issued(int database, int64 us, int64 span)
{
	const SimPage *page = &server.databases[database].page;
	const FlakeDatabase *db = database_memory(database);

	for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
	{
		us = Max(us, flake_issued_until(&page->issued[mark], us + span));
		if (db != NULL)
			us = Max(us, flake_issued_until(&db->issued[mark], us + span));
	}
	return us;
}

/*
 * Return whether another call may still move the marks: it could do so after a reset.
 * Such calls are another reset, and any call that is writing the page.
 */
static bool
marks_may_move(void)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		JobKind		busy = backends[i].state == BACKEND_IDLE ? JOB_GENERATE : jobs[i].kind;

		if (backends[i].lwlocks_held > 0 || backends[i].pages > 0 ||
			busy == JOB_RESTORE || busy == JOB_ADVANCE || busy == JOB_MERGE || busy == JOB_RESET)
			return true;
	}
	return false;
}

/*
 * Set a wrong clock right and reset the database, while other backends are in the middle
 * of their calls.  All generators must answer, unless the clock is now where IDs were
 * issued.
 */
static void
reset_at_end(int database)
{
	Backend    *backend = idle_backend_of(database);
	int64		us;

	if (backend == NULL || marks_may_move() || server.databases[database].owner != 0)
		return;
	if (before_jump != 0)
		set_clock(before_jump + some_us());
	us = server.now;
	jobs[backend->index].kind = JOB_RESET;
	jobs[backend->index].us[0] = us;
	run_alone(backend);

	if (!jobs[backend->index].failed && past_issued(database, us, 20 * USECS_PER_SEC) == us)
	{
		settle();
		max_ahead = flake_max_ahead = 10000;
		flake_max_wait = 5000;
		clock_set(us);
		check_alive(database, "after a reset");
	}
}

/* Set the clock to where all generators of the database must answer, and ask them. */
static void
check_last(int database)
{
	int64		high = highest(database);

	if (high == 0)
		return;
	if (weights[EV_RELOAD] > 0)
		set_clock(high + random_below(1000) * 1000);
	else if (once_in(2))
	{
		max_ahead = flake_max_ahead = 10000;
		set_clock(high - random_below(10000) * 1000);
	}
	else
	{
		flake_max_ahead = 0;
		set_clock(high - random_below(4000) * 1000);
	}
	flake_max_wait = 5000;
	for (int i = 0; i < FLAKE_MARK_KINDS; i++)
		set_clock(past_issued(database, server.now, 20 * USECS_PER_SEC));
	check_alive(database, "at last");
}

/* End the events, let all calls end, and check that everything works again. */
void
conclude(void)
{
	int			database = (int) random_below(kind->databases);

	server.recovering = false;
	server.failures = false;
	concluding = true;
	memset(server.dropped, 0, sizeof(server.dropped));
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (backends[i].state == BACKEND_IDLE)
			transaction_end(&backends[i], once_in(2));
	for (int i = 0; i < SIM_DATABASES; i++)
		if (server.databases[i].owner == 0)
			server.databases[i].ddl = false;
	if (!server.databases[database].exists && server.databases[database].owner == 0)
		extension_create(database);

	if (kind->mended || (weights[EV_RESET] > 0 && once_in(2)))
		reset_at_end(database);

	settle();
	if (kind->feeds)
		check_feeds();
	check_counts();
	check_memory();
	check_marked();
	if (once_in(3))
		return;

	if (once_in(2))
		restart(server.inserted);
	if (!server.databases[database].exists)
		extension_create(database);
	check_last(database);
}
