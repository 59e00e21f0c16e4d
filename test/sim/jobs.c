/*
 * jobs.c
 *		The jobs of backends: calls of the library, with what is remembered when a
 *		job begins and what is checked when it ends.
 */
#include "schedule.h"

Job			jobs[SIM_BACKENDS];

/* ---------- making IDs ---------- */

/* As uid96_new() does: use uid64's generator, and add the database's number. */
static void
generate_uid96(Backend *backend, const Job *job)
{
	const FlakeOwn *own = &backend->library.identity->own[FLAKE_UID96];
	FlakeTicket ticket;
	Job			uid64;

	ticket = *backend->library.generate(&flake_uid64, FLAKE_OWN, 1);
	/* Copy the job only now: promises may have been undone during the call. */
	uid64 = *job;
	uid64.format = &flake_uid64;
	check_issue(backend, &uid64, &ticket);
	ticket.number = (uint32) own->number;
	check_identity(backend, job, &ticket);
}

static void
job_generate(Backend *backend, Job *job)
{
	trace("calls for %s %d, stride %u", job->format->name, job->number, job->stride);
	if (job->feed)
		feed_before(backend);
	if (job->format->id == FLAKE_UID96)
		generate_uid96(backend, job);
	else
	{
		const FlakeTicket *ticket = backend->library.generate(job->format, job->number, job->stride);

		check_issue(backend, job, ticket);
		if (job->feed)
			feed_row(backend, job->format, ticket);
	}
}

/* ---------- transactions that write IDs, and their readers ---------- */

static void
job_poll(Backend *backend, Job *job)
{
	if (job->free)
		feed_check_free(backend, job->format);
	else
		feed_poll(backend, job->format, job->force);
}

static void
job_write(Backend *backend, Job *job pg_attribute_unused())
{
	feed_write(backend);
}

static void
job_end(Backend *backend, Job *job)
{
	feed_end(backend, (FeedEnd) job->end);
}

static void
job_finish(Backend *backend pg_attribute_unused(), Job *job)
{
	feed_finish_prepared(job->force);
}

/* ---------- sequences ---------- */

static int64
draw(Backend *backend, int sequence)
{
	FunctionCallInfoBaseData call = {.args = {SIM_SEQUENCE + (Oid) sequence}};

	return (int64) backend->library.draw(&call);
}

static void
job_draw(Backend *backend, Job *job)
{
	feed_before(backend);
	feed_drawn(backend, job->sequence, draw(backend, job->sequence));
}

/* A row is written, and its trigger gives it a version. */
static void
job_row(Backend *backend, Job *job)
{
	Datum		row[1] = {0};
	Trigger		trigger = {.tgoid = SIM_SEQUENCE + (Oid) job->sequence, .tgnargs = 2, .tgargs = (const char *[]) {"version", "public.version"}};
	TriggerData data = {.tg_trigtuple = row, .tg_trigger = &trigger};
	FunctionCallInfoBaseData call = {.context = &data};

	feed_before(backend);
	(void) backend->library.row(&call);
	feed_drawn(backend, job->sequence, (int64) row[0]);
}

static void
job_nextval(Backend *backend, Job *job)
{
	backend->drawn = nextval_internal(SIM_SEQUENCE + (Oid) job->sequence, true);
	backend->drawn_from = job->sequence;
}

/* What flakeid_late_id() does. */
static void
job_late(Backend *backend, Job *job)
{
	int64		passed;

	if (backend->drawn == 0)
		return;
	job->sequence = backend->drawn_from;
	if (backend->library.in_time(SIM_SEQUENCE + (Oid) job->sequence, InvalidOid, backend->drawn, &passed))
		feed_drawn(backend, job->sequence, backend->drawn);
	else if (job->renew)
		feed_drawn(backend, job->sequence, draw(backend, job->sequence));
	backend->drawn = 0;
}

static void
job_alter(Backend *backend pg_attribute_unused(), Job *job)
{
	(void) sequence_alter(job->sequence);
}

static void
job_poll_sequence(Backend *backend, Job *job)
{
	feed_poll_sequence(backend, job->sequence, job->force);
	if (job->free)
		feed_check_sequence(backend, job->sequence);
}

/* ---------- the mark ---------- */

static void
job_take_over(Backend *backend, Job *job pg_attribute_unused())
{
	FunctionCallInfoBaseData call = {0};

	trace("takes over what was issued");
	backend->library.take_over(&call);
}

static void
job_restore(Backend *backend, Job *job)
{
	uint64		used[2];

	for (int i = 0; i < 2; i++)
		used[i] = job->us[i] == 0 ? 0 : flake_tick_of(&flake_sno.rate, job->us[i]);
	trace("restores ticks %ld %ld", (long) used[0], (long) used[1]);
	backend->library.restore(&flake_sno, used);
	for (int i = 0; i < 2; i++)
		if (used[i] > 0)
			promise(backend, job, i, flake_us_of(&flake_sno.rate, used[i] + 1));
}

static void
job_advance(Backend *backend, Job *job)
{
	FunctionCallInfoBaseData call = {.args = {(Datum) flake_timestamptz(job->us[0]), true}};

	trace("advances to %ld", (long) job->us[0]);
	backend->library.advance(&call);
	for (int i = 0; i < FLAKE_MARK_KINDS; i++)
		promise(backend, job, i, job->us[0]);
}

/* Insert a row of a dump: the trigger merges it into the mark. */
static void
job_merge(Backend *backend, Job *job)
{
	Datum		row[2 + 2 * FLAKE_INTERVALS] = {job->mark, 1};
	TriggerData trigger = {.tg_trigtuple = row};
	FunctionCallInfoBaseData call = {.context = &trigger};

	for (int i = 2; i < (int) lengthof(row); i++)
		row[i] = (Datum) DT_NOBEGIN;
	if (job->us[0] != 0)
		row[3] = (Datum) flake_timestamptz(job->us[0]);
	if (job->interval.to != 0)
	{
		row[4] = (Datum) flake_timestamptz(job->interval.from);
		row[5] = (Datum) flake_timestamptz(job->interval.to);
	}
	trace("merges row %d: %ld", job->mark, (long) job->us[0]);
	trigger.tg_relation = mark_insert_begin();
	if (trigger.tg_relation == NULL)
		return;
	backend->library.guard(&call);
	mark_insert_end();
	if (job->us[0] != 0)
		promise(backend, job, job->mark, job->us[0]);
	promise_interval(backend, job, job->mark, job->interval);
}

/* A reset has ended, with or without an error. */
static void
reset_over(int database, const Job *job)
{
	if (job->force)
	{
		forget_issued(database, job->us[0]);
		forget_intervals(database, job->us[0]);
		forcing[database]--;
	}
	resets_active[database]--;
	resets[database]++;
}

static void
job_reset(Backend *backend, Job *job)
{
	FunctionCallInfoBaseData call = {.args = {(Datum) flake_timestamptz(job->us[0]), job->force}};

	trace("resets to %ld", (long) job->us[0]);
	resets_active[backend->database]++;
	/* The reset also sets back what was restored or advanced to. */
	forget_promises(backend->database);
	forcing[backend->database] += job->force;
	if (job->force)
		forget_issued(backend->database, job->us[0]);
	backend->library.reset(&call);
	reset_over(backend->database, job);
	feeds_reset(backend->database);
	trace("reset done");
}

static void
job_snapshot(Backend *backend, Job *job)
{
	FlakeSaved	state;

	note_apart(backend, true);
	backend->library.snapshot(&flake_sno, (uint32) job->number, &state);
	trace("snapshot of %d: high %ld next %u safe %ld drifts %ld", job->number,
		  (long) state.high, state.next, (long) state.safe, (long) state.drifts);
	check_snapshot(backend, job, &state);
}

static void
job_show(Backend *backend, Job *job pg_attribute_unused())
{
	FlakeIssued rows[FLAKE_MARK_KINDS];

	backend->library.show(rows);
}

/* ---------- any job ---------- */

static void
job_exit(Backend *backend pg_attribute_unused(), Job *job pg_attribute_unused())
{
	trace("exits");
	backend_exit();
}

typedef void (*JobFunction) (Backend *backend, Job *job);

static const JobFunction job_functions[] = {
	[JOB_GENERATE] = job_generate,
	[JOB_RESTORE] = job_restore,
	[JOB_ADVANCE] = job_advance,
	[JOB_MERGE] = job_merge,
	[JOB_RESET] = job_reset,
	[JOB_SNAPSHOT] = job_snapshot,
	[JOB_SHOW] = job_show,
	[JOB_TAKE_OVER] = job_take_over,
	[JOB_POLL] = job_poll,
	[JOB_WRITE] = job_write,
	[JOB_END] = job_end,
	[JOB_FINISH] = job_finish,
	[JOB_DRAW] = job_draw,
	[JOB_ROW] = job_row,
	[JOB_NEXTVAL] = job_nextval,
	[JOB_LATE] = job_late,
	[JOB_ALTER] = job_alter,
	[JOB_POLL_SEQUENCE] = job_poll_sequence,
	[JOB_EXIT] = job_exit,
};

/* Remember, for the checks, the moment when a job begins. */
static void
remember_beginning(const Backend *backend, Job *job)
{
	int			database = backend->database;

	if (job->kind == JOB_RESTORE || job->kind == JOB_ADVANCE || job->kind == JOB_MERGE)
		raises[database]++;
	job->steps_back = steps_back(database);
	job->issued = job->kind == JOB_SNAPSHOT ? ids_issued : 0;
	job->failed = false;
	job->recovering = server.recovering;
	job->drops = backend->drops;
	job->resets = reset_stamp(database);
	job->promises = promises;
	job->forced_to = forcing[database] > 0 ? forced_to[database] : INT64_MAX;
	memcpy(job->raised, raised[database], sizeof(job->raised));
	if (backend->invalidations < raised_since[database])
		memset(job->raised, 0, sizeof(job->raised));
}

/* An error has ended the job: check that the job may get it. */
static void
check_error(const Backend *backend, const Job *job)
{
	switch (backend->sqlstate)
	{
		case ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE:
			if (in_island(backend))
				sim_fault("an error in a database that nothing happened to: %s", backend->message);
			if (job->sure)
				sim_fault("refused for no reason: %s", backend->message);
			break;
		case ERRCODE_QUERY_CANCELED:
			break;
		case ERRCODE_OUT_OF_MEMORY:
			if (kind != NULL && !server.failures)
				sim_fault("unexpected error: %s", backend->message);
			break;
		case ERRCODE_READ_ONLY_SQL_TRANSACTION:
			if (!job->recovering)
				sim_fault("refused as if in recovery");
			break;
		default:
			sim_fault("unexpected error: %s", backend->message);
	}
}

/* In a backend's coroutine: run its job. */
void
run_job(Backend *backend)
{
	Job		   *job = &jobs[backend->index];
	jmp_buf		boundary;

	remember_beginning(backend, job);
	backend->process.exception_stack = &boundary;
	if (_setjmp(boundary) == 0)
	{
		job_functions[job->kind] (backend, job);
		if (backend_holds_locks(backend))
			sim_fault("a lock is left held");
	}
	else
	{
		count.errors++;
		job->failed = true;
		if (job->kind == JOB_RESET)
		{
			reset_over(backend->database, job);
			resets_cut_off[backend->database] = true;
		}
		check_error(backend, job);
		backend_abort(backend);
	}
	backend->process.exception_stack = NULL;
	backend->state = BACKEND_IDLE;
}
