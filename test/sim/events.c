/*
 * events.c
 *		What happens in a random schedule while its backends run: what they ask for,
 *		how the clock and the settings change, and all other events.
 */
#include "schedule.h"

/* ---------- choosing ---------- */

/* Instants that the clock may go back to. */
static int64 instants[16];
uint32		instants_kept;

void
keep_instant(int64 us)
{
	instants[instants_kept++ % lengthof(instants)] = us;
}

static int64
some_instant(void)
{
	static const int64 near[] = {0, 0, 0, -1, 1, -4000, 4000, -1000, 1000, -16, 16};
	int64		us;

	if (once_in(3))
	{
		/* The beginning or end of an interval on a page. */
		const FlakeIssued *rows = &server.databases[random_below(kind->databases)].page.issued[random_below(FLAKE_MARK_KINDS)];
		const FlakeInterval *at = &rows->at[random_below(rows->count)];

		us = once_in(2) ? at->from : at->to;
		if (us == 0)
			us = server.now;
	}
	else
		us = instants[random_below(Min(instants_kept, lengthof(instants)))];
	return us + near[random_below(lengthof(near))];
}

/* Return a span of time, in us, near one that matters to a format or the mark. */
int64
some_us(void)
{
	static const int64 some[] = {
		1, 16, 300, 1000, 1024, 2000, 4000, 4000, 8000, 12000, 40000,
		300000, 999999, 1000000, 1500000, 2000000, 3000000, 9000000, 11000000
	};

	return some[random_below(lengthof(some))];
}

/* Choose the settings of a database. */
static void
choose_for_database(FlakeSettings *settings, int database)
{
	static const uint32 small[] = {0, 1, 2, 5};
	static const uint32 large[] = {5, 127, 255, 1023};
	uint32		size = kind->small_pools ? small[random_below(lengthof(small))] : large[random_below(lengthof(large))];
	uint32		most = UINT32_C(1) << flake_snowflake.sequence_bits;

	memset(settings, 0, sizeof(*settings));
	settings->sno_min = once_in(2) ? 0 : (int) random_below(5);
	settings->sno_max = settings->sno_min + (int) size;
	settings->siq_shard = settings->snowflake_worker = settings->snowflake_process = -1;
	settings->node = database == 0 && once_in(8) ? -1 : database * 3 + (int32) random_below(3);
	if (!kind->numbers)
		return;

	/* Others may have the same numbers, and the same or overlapping pools. */
	settings->node = (int32) random_below(4) - 1;
	if (once_in(2))
		settings->siq_shard = (int32) random_below(2);
	if (once_in(2))
		settings->snowflake_worker = (int32) random_below(2);
	if (once_in(2) && most >= flake_formats[FLAKE_SNOWFLAKE]->pool_parts)
		settings->snowflake_process = (int32) random_below(2);
}

/* Append other settings to the list. */
void
choose_settings(void)
{
	if (server.settings_count == SIM_SETTINGS)
		return;
	for (int d = 0; d < SIM_DATABASES; d++)
		choose_for_database(&server.settings[server.settings_count].of[d], d);
	server.settings_count++;
}

/* Choose an ID of a format in use. */
void
choose_generate(Job *job)
{
	static const FlakeFormatId some[] = {
		FLAKE_SNO, FLAKE_SNO, FLAKE_SNO, FLAKE_SIQ, FLAKE_UID64, FLAKE_SNOWFLAKE, FLAKE_UID96
	};
	FlakeFormatId format;

	do
		format = some[random_below(lengthof(some))];
	while (!formats_used[format == FLAKE_UID96 ? FLAKE_UID64 : format]);
	job->kind = JOB_GENERATE;
	job->format = flake_formats[format];
	job->number = format == FLAKE_SNO && !once_in(3) ? (int32) random_below(kind->partitions) : FLAKE_OWN;
	job->stride = format == FLAKE_SIQ ? 1 << random_below(3) : 1;
}

/* Choose whether to make an ID, end a transaction, or ask for the horizon. */
void
choose_feed_job(Job *job)
{
	static const FlakeFormatId some[] = {FLAKE_SNO, FLAKE_SIQ, FLAKE_UID64, FLAKE_SNOWFLAKE};
	static const JobKind draws[] = {JOB_DRAW, JOB_DRAW, JOB_DRAW, JOB_NEXTVAL, JOB_LATE, JOB_POLL_SEQUENCE, JOB_POLL_SEQUENCE};
	uint32		ticket = random_below(12);

	memset(job, 0, sizeof(*job));
	if (kind->draws && !once_in(3))
	{
		job->kind = draws[random_below(lengthof(draws))];
		job->format = &flake_sno;
		job->sequence = once_in(4) ? 1 + (int) random_below(SIM_SEQUENCES - 1) : 0;
		job->renew = once_in(2);
		job->force = once_in(3);
		return;
	}
	if (ticket < 5)
	{
		do
			choose_generate(job);
		while (job->format->id == FLAKE_UID96);
		job->feed = true;
		return;
	}
	do
		job->format = flake_formats[some[random_below(lengthof(some))]];
	while (!formats_used[job->format->id]);
	job->kind = ticket < 8 ? JOB_END : ticket < 11 ? JOB_POLL : JOB_FINISH;
	job->end = once_in(8) ? FEED_ROLL_BACK : once_in(5) ? FEED_PREPARE : FEED_COMMIT;
	job->force = once_in(3);
}

/* ---------- happening ---------- */

/* Set the clock, but not days away from where it began. */
void
set_clock(int64 us)
{
	us = Max(us, BASE_US - 600 * USECS_PER_SEC);
	us = Min(us, BASE_US + 4 * 86400 * USECS_PER_SEC);
	trace("clock set to %ld (%+ld)", (long) us, (long) (us - server.now));
	clock_set(us);
	if (once_in(2))
		keep_instant(us);
}

/* Return some idle backend; NULL if a few tries find none. */
static Backend *
idle_backend(void)
{
	for (int tries = 0; tries < 4; tries++)
	{
		Backend    *backend = &backends[random_below(SIM_BACKENDS)];

		if (backend->state == BACKEND_IDLE)
			return backend;
	}
	return NULL;
}

/* Move the clock.  Return false, as the functions below do, if the event cannot happen now. */
static bool
happen_to_clock(Event event)
{
	static const int64 on[] = {1, 16, 17, 700, 1000, 1024, 2000, 4000, 4000, 5000, 9000};
	static const int64 back[] = {1, 16, 32, 700, 1000, 1024, 4000, 4000, 8000, 12000, 24000, 80000};
	int64		us;

	switch (event)
	{
		case EV_TICK:
			us = server.now + on[random_below(lengthof(on))];
			break;
		case EV_FORWARD:
			us = once_in(2) ? some_instant() : server.now + some_us();
			us = Max(us, server.now + 1);
			break;
		case EV_JUMP:
			if (server.now > BASE_US + 86400 * USECS_PER_SEC)
				return false;
			before_jump = server.now;
			us = server.now + (61 + random_below(kind->intervals && once_in(2) ? 20000 : 1000)) * USECS_PER_SEC;
			break;
		case EV_BACK:
			us = server.now - back[random_below(lengthof(back))];
			break;
		case EV_BACK_FAR:
			us = once_in(2) ? some_instant() : server.now - some_us();
			us = Min(us, server.now - 1);
			break;
		default:				/* EV_UNJUMP */
			if (before_jump == 0)
				return false;
			us = before_jump + some_us();
			break;
	}
	set_clock(us);
	if (event == EV_UNJUMP && once_in(2))
		before_jump = 0;
	return true;
}

/* Crash the server, or promote a standby that has less of the WAL. */
static void
happen_to_server(Event event)
{
	int			least = server.flushed;

	if (event == EV_PROMOTE)
	{
		int			lost = once_in(8) ? server.flushed : 4;

		least = Max(server.flushed - lost, SIM_DATABASES);
	}
	if (once_in(2))
		set_clock(once_in(2) ? some_instant() : server.now + (once_in(2) ? some_us() : -some_us()));
	if (event == EV_CRASH)
	{
		restart(least + (int) random_below(server.inserted - server.flushed + 1));
		return;
	}
	restart(least + (int) random_below(server.flushed - least + 1));
	server.recovering = once_in(2);
}

/*
 * Drop or create the extension of a database, or rewrite its table.  Dropping and
 * rewriting take two events: the first one locks the table.
 */
static bool
change_table(void)
{
	int			database = (int) random_below(kind->databases);
	Database   *d = &server.databases[database];

	if (d->owner != 0 || server.dropped[database] || (kind->island && database == 0))
		return false;
	if (!d->exists)
		extension_create(database);
	else if (d->ddl)
	{
		if (once_in(4))
			extension_rewrite(database);
		else
			drop_extension(database);
		forget_promises(database);
		d->ddl = false;
	}
	else if (d->holders == 0)
		d->ddl = true;
	trace("database %d: %s", database, !d->exists ? "dropped" : d->ddl ? "locked" : "created or rewritten");
	return true;
}

/* Let a backend do the same in a transaction, which another event ends. */
static bool
change_in_transaction(Backend *backend)
{
	Database   *d = &server.databases[backend->database];
	bool		exists;

	if (backend->state != BACKEND_IDLE || (kind->island && backend->database == 0))
		return false;
	if (backend->xid != InvalidTransactionId && !once_in(3))
	{
		transaction_end(backend, !once_in(3));
		return true;
	}
	if (d->owner != backend->index + 1 && (d->owner != 0 || d->ddl || d->holders != 0))
		return true;
	exists = d->owner != 0 ? server.uncommitted[backend->database].exists : d->exists;
	transaction_change(backend, once_in(3));
	if (!server.uncommitted[backend->database].exists)
		dropped[backend->database] = true;
	trace("backend %d changes the table in transaction %u: %s", backend->index, backend->xid,
		  server.uncommitted[backend->database].exists ? "created or rewritten" : "dropped");
	if (!exists && server.uncommitted[backend->database].exists && !once_in(8))
	{
		jobs[backend->index].kind = JOB_TAKE_OVER;
		begin_job(backend);
	}
	return true;
}

/* Choose a row of a dump to restore, or flakeid_advance(). */
static void
choose_raise(Job *job)
{
	static const int64 seconds[] = {-30, -5, 0, 3, 60, 150, 5000};

	job->kind = once_in(2) ? JOB_ADVANCE : JOB_MERGE;
	job->mark = random_below(FLAKE_MARK_KINDS);
	if (once_in(8))
		job->us[0] += 3600 * USECS_PER_SEC;
	if (kind->intervals && once_in(4) && before_jump != 0)
		job->us[0] = before_jump;
	job->interval.from = job->interval.to = 0;
	if (!kind->intervals || !once_in(2))
		return;
	job->interval.from = server.now + seconds[random_below(lengthof(seconds))] * USECS_PER_SEC;
	job->interval.to = job->interval.from + (1 + random_below(40)) * USECS_PER_SEC;
	job->us[0] = once_in(2) ? 0 : job->interval.from - 60 * USECS_PER_SEC;
	job->kind = JOB_MERGE;
}

/* Let an idle backend restore, advance, reset or look at the mark. */
static bool
work_on_mark(Event event)
{
	Backend    *backend = idle_backend();
	Job		   *job;

	if (backend == NULL || (kind->island && backend->database == 0 && event != EV_LOOK))
		return false;
	job = &jobs[backend->index];
	for (int i = 0; i < FLAKE_MARK_KINDS; i++)
		job->us[i] = once_in(2) ? some_instant() : server.now + (once_in(2) ? some_us() : -some_us());
	if (event == EV_RESTORE)
	{
		job->kind = JOB_RESTORE;
		if (once_in(2))
			job->us[random_below(2)] = 0;
	}
	else if (event == EV_RESET)
	{
		job->kind = JOB_RESET;
		if (!once_in(3))
			job->us[0] = server.now;
		job->force = kind->intervals && once_in(8);
	}
	else if (event == EV_LOOK)
	{
		job->kind = once_in(4) ? JOB_SHOW : JOB_SNAPSHOT;
		job->number = (int32) random_below(kind->partitions);
	}
	else
		choose_raise(job);
	begin_job(backend);
	/* Often go on with it now, while others are in the middle of a call. */
	while (once_in(2) && backend->state == BACKEND_BUSY && backend_runnable(backend))
		resume(backend, 100);
	note_generations();
	return true;
}

/* Let a backend leave, give it other settings, or interrupt it. */
static bool
happen_to_backend(Event event, Backend *backend)
{
	if (event == EV_INTERRUPT)
	{
		if (backend->state != BACKEND_BUSY || jobs[backend->index].kind != JOB_GENERATE)
			return false;
		*(once_in(2) ? &backend->cancel : &backend->terminate) = true;
		return true;
	}
	backend = idle_backend();
	if (backend == NULL)
		return false;
	if (event == EV_EXIT)
	{
		jobs[backend->index].kind = JOB_EXIT;
		begin_job(backend);
		return true;
	}
	choose_settings();
	use_settings(backend, server.settings_count - 1);
	return true;
}

/* Let all idle backends of a database, or (-1) of any, leave, except for one. */
static void
leave_idle(int database, int stays)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (i != stays && (database < 0 || backends[i].database == database) && backends[i].state == BACKEND_IDLE)
		{
			jobs[i].kind = JOB_EXIT;
			run_alone(&backends[i]);
		}
}

/* Create a database that was dropped, or drop one in which no backend is busy. */
static bool
replace_some_database(void)
{
	int			database = (int) kind->island + (int) random_below(kind->databases - kind->island);
	int			there = 0;

	if (server.dropped[database])
	{
		trace("database %d is created", database);
		server.dropped[database] = false;
		return true;
	}
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (backends[i].database == database && backends[i].state != BACKEND_GONE &&
			(backends[i].state != BACKEND_IDLE || server.databases[database].owner != 0))
			return false;
	leave_idle(database, -1);
	for (int i = 0; i < kind->databases; i++)
		there += !server.dropped[i];
	trace("database %d is dropped", database);
	replace_database(database, there > 1 && !once_in(3));
	return true;
}

/* Let an event happen.  Return false if it cannot happen now. */
static bool
try_event(Event event, Backend *backend)
{
	switch (event)
	{
		case EV_TICK:
		case EV_FORWARD:
		case EV_JUMP:
		case EV_BACK:
		case EV_BACK_FAR:
		case EV_UNJUMP:
			return happen_to_clock(event);
		case EV_EXIT:
		case EV_INTERRUPT:
		case EV_SET:
			return happen_to_backend(event, backend);
		case EV_STALL:
			backend->stalled_until = round_number + 1 + (int) random_below(100);
			break;
		case EV_CRASH:
		case EV_PROMOTE:
			happen_to_server(event);
			break;
		case EV_DDL:
			return change_table();
		case EV_TRANSACTION:
			return change_in_transaction(backend);
		case EV_RELOAD:
			choose_settings();
			server.postmaster = server.file = server.settings_count - 1;
			for (int i = 0; i < SIM_BACKENDS; i++)
				backends[i].reload = true;
			trace("reload");
			break;
		case EV_RESTORE:
		case EV_ADVANCE:
		case EV_RESET:
		case EV_LOOK:
			return work_on_mark(event);
		case EV_FLUSH:
			XLogFlush((XLogRecPtr) server.inserted);
			break;
		case EV_FOREIGN:
			issue_elsewhere((int) kind->island + (int) random_below(kind->databases - kind->island));
			break;
		case EV_DATABASE:
			return replace_some_database();
		case EV_STORM:
			leave_idle(-1, (int) random_below(SIM_BACKENDS));
			if (once_in(2))
				set_clock(server.now + FLAKE_LEAD_US + some_us());
			break;
		case EVENTS:
			return false;
	}
	return true;
}

/* Let an event happen, if it can happen now. */
void
happen(Event event)
{
	if (try_event(event, &backends[random_below(SIM_BACKENDS)]))
		count.events[event]++;
}
