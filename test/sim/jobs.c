/*
 * jobs.c
 *		The jobs of backends: calls of the library, with what is remembered when
 *		one begins and what is checked when it is through.
 */
#include "schedule.h"

Job			jobs[SIM_BACKENDS];

/* As uid96_new() does: of uid64's generator, with the database's number beside it. */
static void
generate_uid96(Backend *backend, Job *job)
{
	const FlakeOwn *own = &backend->library.identity->own[FLAKE_UID96];
	FlakeTicket ticket;
	Job			uid64;

	ticket = *backend->library.generate(&flake_uid64, FLAKE_OWN, 1);
	uid64 = *job;				/* not before, as promises may be undone
								 * meanwhile */
	uid64.format = &flake_uid64;
	check_issue(backend, &uid64, &ticket);
	ticket.number = (uint32) own->number;
	check_identity(backend, job, &ticket);
}

/* As flax_new() does: it has no generator, so all that there is to check is how far ahead of the clock it goes. */
static void
generate_flax(Backend *backend, Job *job)
{
	FlakeTicket ticket = {0};
	int64		now;

	ticket.tick = backend->library.tick_now(job->format, &now);
	if (flake_us_of(&job->format->rate, ticket.tick) > backend->clock_max + (int64) max_ahead * 1000)
		sim_fault("a flax is too far ahead of the clock: tick %ld", (long) ticket.tick);
	count.ids++;
	if (job->feed)
		feed_row(backend, job->format, &ticket);
}

/* In a backend's coroutine: run its job. */
void
run_job(Backend *backend)
{
	Job		   *job = &jobs[backend->index];
	Library    *library = &backend->library;
	jmp_buf		boundary;
	FunctionCallInfoBaseData call = {0};

	if (job->kind == JOB_RESTORE || job->kind == JOB_ADVANCE || job->kind == JOB_MERGE)
		raises[backend->database]++;
	job->steps_back = steps_back(backend->database);
	job->issued = job->kind == JOB_SNAPSHOT ? ids_issued : 0;
	job->failed = false;
	job->recovering = server.recovering;
	job->drops = backend->drops;
	job->resets = reset_stamp(backend->database);
	job->promises = promises;
	job->forced_to = forcing[backend->database] > 0 ? forced_to[backend->database] : INT64_MAX;
	memcpy(job->raised, raised[backend->database], sizeof(job->raised));
	if (backend->invalidations < raised_since[backend->database])
		memset(job->raised, 0, sizeof(job->raised));

	backend->process.exception_stack = &boundary;
	if (_setjmp(boundary) == 0)
	{
		switch (job->kind)
		{
			case JOB_GENERATE:
				trace("calls for %s %d, stride %u", job->format->name, job->number, job->stride);
				if (job->feed)
					feed_before(backend);
				if (job->format->id == FLAKE_UID96)
					generate_uid96(backend, job);
				else if (job->format->id == FLAKE_FLAX)
					generate_flax(backend, job);
				else
				{
					const FlakeTicket *ticket = library->generate(job->format, job->number, job->stride);

					check_issue(backend, job, ticket);
					if (job->feed)
						feed_row(backend, job->format, ticket);
				}
				break;
			case JOB_POLL:
				if (job->free)
					feed_check_free(backend, job->format);
				else
					feed_poll(backend, job->format, job->force);
				break;
			case JOB_WRITE:
				feed_write(backend);
				break;
			case JOB_END:
				feed_end(backend, (FeedEnd) job->end);
				break;
			case JOB_FINISH:
				feed_finish_prepared(job->force);
				break;
			case JOB_TAKE_OVER:
				trace("takes over what was issued");
				library->take_over(&call);
				break;
			case JOB_RESTORE:
				{
					uint64		used[2];

					for (int i = 0; i < 2; i++)
						used[i] = job->us[i] == 0 ? 0 : flake_tick_of(&flake_sno.rate, job->us[i]);
					trace("restores ticks %ld %ld", (long) used[0], (long) used[1]);
					library->restore(&flake_sno, used);
					for (int i = 0; i < 2; i++)
						if (used[i] > 0)
							promise(backend, job, i, flake_us_of(&flake_sno.rate, used[i] + 1));
				}
				break;
			case JOB_ADVANCE:
				trace("advances to %ld", (long) job->us[0]);
				call.args[0] = (Datum) (job->us[0] - FLAKE_PG_EPOCH_US);
				call.args[1] = true;
				library->advance(&call);
				for (int i = 0; i < FLAKE_MARK_READERS; i++)
					promise(backend, job, i, job->us[0]);
				break;
			case JOB_MERGE:
				{
					Datum		row[2 + 2 * FLAKE_INTERVALS] = {job->mark, 1};
					TriggerData trigger = {.tg_trigtuple = row};

					for (int i = 2; i < (int) lengthof(row); i++)
						row[i] = (Datum) DT_NOBEGIN;
					if (job->us[0] != 0)
						row[3] = (Datum) (job->us[0] - FLAKE_PG_EPOCH_US);
					for (int i = 0; i < 2 && job->interval.to != 0; i++)
						row[4 + i] = (Datum) ((i == 0 ? job->interval.from : job->interval.to) - FLAKE_PG_EPOCH_US);
					trace("merges row %d: %ld", job->mark, (long) job->us[0]);
					call.context = &trigger;
					trigger.tg_relation = mark_insert_begin();
					if (trigger.tg_relation == NULL)
						break;
					library->guard(&call);
					mark_insert_end();
					if (job->us[0] != 0)
						promise(backend, job, job->mark, job->us[0]);
					promise_interval(backend, job, job->mark, job->interval);
				}
				break;
			case JOB_RESET:
				trace("resets to %ld", (long) job->us[0]);
				resets_active[backend->database]++;
				call.args[0] = (Datum) (job->us[0] - FLAKE_PG_EPOCH_US);
				call.args[1] = job->force;
				/* what was restored or advanced to is set back, too */
				forget_promises(backend->database);
				forcing[backend->database] += job->force;
				if (job->force)
					forget_issued(backend->database, job->us[0]);
				library->reset(&call);
				if (job->force)
				{
					forget_issued(backend->database, job->us[0]);
					forget_intervals(backend->database, job->us[0]);
					forcing[backend->database]--;
				}
				resets_active[backend->database]--;
				resets[backend->database]++;
				feeds_reset(backend->database);
				trace("reset done");
				break;
			case JOB_SNAPSHOT:
				{
					FlakeSnapshot state;

					library->snapshot(&flake_sno, (uint32) job->number, &state);
					trace("snapshot of %d: high %ld next %u safe %ld drifts %ld", job->number,
						  (long) state.high, state.next, (long) state.safe, (long) state.drifts);
					check_snapshot(backend, job, &state);
				}
				break;
			case JOB_SHOW:
				{
					FlakeIssued rows[FLAKE_MARK_KINDS];

					library->show(rows);
				}
				break;
			case JOB_EXIT:
				trace("exits");
				backend_exit();
		}
		if (backend_holds_locks(backend))
			sim_fault("a lock is left held");
	}
	else
	{
		count.errors++;
		job->failed = true;
		if (job->kind == JOB_RESET)
		{
			if (job->force)
			{
				forget_issued(backend->database, job->us[0]);
				forget_intervals(backend->database, job->us[0]);
				forcing[backend->database]--;
			}
			resets_active[backend->database]--;
			resets[backend->database]++;
			resets_cut_off[backend->database] = true;
		}
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
		backend_abort(backend);
	}
	backend->process.exception_stack = NULL;
	backend->state = BACKEND_IDLE;
}
