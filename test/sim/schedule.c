/*
 * schedule.c
 *		A random schedule.
 *
 * Its seed chooses everything in it.  It has some hundred rounds.  In each of them, a
 * backend goes on by a few accesses to shared memory, or an event happens to the clock, a
 * backend, the server or its settings (see events.c).
 */
#include "schedule.h"

Count		count;

const Kind *kind;
bool		concluding;
int			round_number;
uint8		weights[EVENTS];
static uint32 weights_sum;
bool		formats_used[FLAKE_FORMATS];
static int	grain;				/* points that a backend runs for, at most */
int64		before_jump;

/* Return whether the backend is in the database that nothing happens to. */
bool
in_island(const Backend *backend)
{
	return kind != NULL && kind->island && !concluding && backend->database == 0;
}

/* ---------- backends ---------- */

/* Begin a transaction, which may process messages and read changed settings. */
static void
begin(Backend *backend)
{
	if (backend->reload && once_in(2))
		use_settings(backend, server.file);
	if (once_in(2))
		accept_invalidations(backend);
}

/* Start another process in the place of the backend, in a database that exists. */
void
start_backend(Backend *backend)
{
	static int	pid;
	int			database;

	do
		database = (int) random_below(kind->databases);
	while (server.dropped[database]);
	backend_start(backend, ++pid, database);
	forget_order(backend);
	backend->state = BACKEND_IDLE;
	trace("backend %d starts in database %d", backend->index, backend->database);
}

static void
start_server(void)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
		start_backend(&backends[i]);
}

/* Stop the server and start it again, with so many records of the WAL. */
void
restart(int records)
{
	go_down(records);
	start_server();
}

/* Let a backend go on, or begin its job, for so many points. */
void
resume(Backend *backend, int points)
{
	if (backend->state == BACKEND_BUSY && jobs[backend->index].kind == JOB_SNAPSHOT)
		note_apart(backend, false);
	backend_resume(backend, points);
}

/* Let a backend run for a while.  It begins its job if it is idle. */
static void
run(Backend *backend)
{
	int			points = once_in(8) ? 200 : 1 + (int) random_below(grain);

	stores_settle();
	resume(backend, points);
	checks_after_run();
	if (backend->state == BACKEND_BUSY && once_in(24))
		backend->stalled_until = round_number + 1 + (int) random_below(80);
}

/* Let an idle backend begin its job. */
void
begin_job(Backend *backend)
{
	begin(backend);
	run(backend);
}

/* Run a backend's job to its end, while no other backend runs. */
void
run_alone(Backend *backend)
{
	begin(backend);
	backend->cancel = backend->terminate = false;
	for (int rounds = 0; rounds == 0 || backend->state == BACKEND_BUSY; rounds++)
	{
		if (!backend_runnable(backend))
			sim_fault("deadlock of backend %d with itself", backend->index);
		backend_resume(backend, 500);
		if (rounds > 50000)
			sim_fault("a call does not end");
	}
	note_generations();
}

/* ---------- from its beginning to its end ---------- */

static void
begin_schedule(uint64 seed)
{
	static const int oid_steps[] = {1, 2, 32, 65536};

	random_quiet = false;
	random_seed(seed * kinds_count + (uint64) (kind - kinds));
	stores_late = once_in(2);
	checks_begin();
	instants_kept = 0;
	before_jump = 0;
	concluding = false;
	round_number = 0;

	/* Every schedule has its own mix of events. */
	weights_sum = 0;
	for (int i = 0; i < EVENTS; i++)
	{
		weights[i] = i == EV_TICK || !once_in(4) ? kind->weight[i] : 0;
		weights_sum += weights[i];
	}
	for (int i = 0; i < FLAKE_FORMATS; i++)
		formats_used[i] = once_in(2);
	formats_used[FLAKE_SNO] |= !formats_used[FLAKE_SIQ] && !formats_used[FLAKE_UID64] && !formats_used[FLAKE_SNOWFLAKE];
	grain = 1 << (2 + random_below(6));
	if (kind->small_pools)
		formats_choose(2 + random_below(2), 1 + random_below(2), 1 + random_below(2));
	else
		formats_choose(once_in(2) ? 3 : 9, once_in(2) ? 2 : 8, once_in(2) ? 2 : 8);
	flake_max_ahead = kind->small_limits || once_in(4) ? (int) random_below(12) : 10000;
	max_ahead = flake_max_ahead;
	flake_max_wait = kind->small_limits ? (int) random_below(30) : 5000;
	server.failures = kind->failures;
	server.discards = kind->failures && once_in(8);
	server.publishing = kind->feeds && once_in(8);
	server.settings_count = 0;
	server.oid_step = oid_steps[random_below(4)];
	choose_settings();
	server.file = 0;

	server.now = BASE_US + random_below(1000000);
	server.clock_runs = !kind->frozen && !once_in(4);
	server.drift = once_in(4);
	server_create();
	keep_instant(server.now);

	/* Sessions that use different parts of a pool open ticks for each other. */
	load_checked = weights[EV_RELOAD] == 0 && weights[EV_SET] == 0;
	server.postmaster = server.file;
	start_server();
}

/* Return whether another round follows: the lists must have space for it. */
static bool
another_round(void)
{
	return round_number < (kind->feeds ? 4 * ROUNDS : ROUNDS) && feeds_have_space() &&
		server.inserted < SIM_RECORDS - 30 && server.invalidations < SIM_RECORDS - 10;
}

/* Return an event, by the weights. */
static Event
choose_event(void)
{
	uint32		ticket = random_below(weights_sum);
	int			event = 0;

	while (ticket >= weights[event])
		ticket -= weights[event++];
	return event;
}

/* Return a backend that can run, or NULL; then store whether a backend is only stalled. */
static Backend *
choose_backend(bool *stalled)
{
	*stalled = false;
	for (uint32 i = 0, at = random_below(SIM_BACKENDS); i < SIM_BACKENDS; i++, at = (at + 1) % SIM_BACKENDS)
	{
		Backend    *backend = &backends[at];

		if (backend->state == BACKEND_GONE)
			start_backend(backend);
		if (!backend_runnable(backend))
			continue;
		if (backend->stalled_until <= round_number)
			return backend;
		*stalled = true;
	}
	return NULL;
}

/* No backend can run: that is a deadlock, unless some are stalled or wait for DDL. */
static void
end_stalls(bool stalled)
{
	bool		ddl = false;

	for (int i = 0; i < SIM_DATABASES; i++)
		ddl |= server.databases[i].ddl;
	if (!stalled && !ddl)
		sim_fault("deadlock");
	for (int i = 0; i < SIM_BACKENDS; i++)
		backends[i].stalled_until = 0;
}

static void
run_rounds(void)
{
	for (; another_round(); round_number++)
	{
		Backend    *backend;
		bool		stalled;

		if (random_below(100) < kind->events_in_100)
		{
			happen(choose_event());
			continue;
		}
		if (server.recovering && once_in(8))
			server.recovering = false;

		backend = choose_backend(&stalled);
		if (backend == NULL)
			end_stalls(stalled);
		else if (backend->state == BACKEND_IDLE)
		{
			if (kind->feeds)
				choose_feed_job(&jobs[backend->index]);
			else
				choose_generate(&jobs[backend->index]);
			begin_job(backend);
		}
		else
			run(backend);
	}
}

/* Run a schedule of a kind.  Return whether no fault was found. */
bool
schedule(const Kind *of, uint64 seed)
{
	kind = of;
	self = NULL;
	if (_setjmp(sim_failed) != 0)
		return false;
	begin_schedule(seed);
	run_rounds();
	conclude();
	count_memory();
	return true;
}
