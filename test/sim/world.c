/*
 * world.c
 *		A world's life: how it begins, and how one of its sessions goes on.
 */
#include "world.h"

/* A session that has slept so often lets the others go on. */
#define NAPS			1
#define DROWSY			8		/* accesses from one nap to the next */

/* Bytes: no call goes deeper from one access to the next. */
#define STACK_CLEAN		2048

const World *world;
int			sessions;
int64		world_move;
Progress	progress;

/* ---------- sessions and their jobs ---------- */

static void
start_session(int session)
{
	backend_start(&backends[session], session + 1, world->database[session]);
	forget_order(&backends[session]);
	backends[session].state = BACKEND_IDLE;
}

/* Let a session go on by so many accesses, or until it stops by itself. */
static void
go_on(int session, int accesses)
{
	int			naps = backends[session].naps;

	/*
	 * What earlier calls have left there would be part of the next calls'
	 * stack frames, and so of the state.
	 */
	memset(backends[session].stack_used - STACK_CLEAN, 0, STACK_CLEAN);
	backend_resume(&backends[session], accesses);
	progress.at += accesses - Max(sim_left, 0) + (sim_left > 0);
	if (backends[session].naps == naps)
		backends[session].awake_for += accesses - Max(sim_left, 0);
	if (world->at_once && session == GUEST && world_move == 0 && backends[session].naps > naps)
		sim_fault("the session sleeps, although the mark need not be moved for it");
	if (backends[session].awake_for > DROWSY)
		backends[session].naps = 0;
	checks_after_run();
}

/* Return whether the event has happened, and no other session has a job under way. */
static bool
nothing_under_way(int session)
{
	for (int i = 0; i < sessions; i++)
		if (i != session && backends[i].state == BACKEND_BUSY)
			return false;
	return progress.happened;
}

/* Begin a transaction: process messages, and read changed settings. */
static void
begin_job(int session)
{
	Backend    *backend = &backends[session];

	if (backend->reload)
		use_settings(backend, server.file);
	accept_invalidations(backend);
}

/* Return whether transactions write the IDs, and readers follow them. */
static bool
has_feeds(void)
{
	return world->acts[0][0] != ACT_NONE;
}

static void
choose_act(int session, Act act)
{
	Job		   *job = &jobs[session];

	memset(job, 0, sizeof(*job));
	job->format = act == ACT_SIQ || act == ACT_POLL_SIQ ? &flake_siq : flake_formats[world->format];
	job->number = FLAKE_OWN;
	job->stride = 1;
	job->feed = true;
	job->sequence = act == ACT_DRAW_B ? 1 : act == ACT_DRAW_C ? 2 : 0;
	switch (act)
	{
		case ACT_NONE:
			break;
		case ACT_WRITE:
			job->kind = JOB_WRITE;
			break;
		case ACT_ID:
		case ACT_SIQ:
			job->kind = JOB_GENERATE;
			job->sure = world->sure && nothing_under_way(session);
			break;
		case ACT_COMMIT:
		case ACT_ROLL_BACK:
		case ACT_PREPARE:
			job->kind = JOB_END;
			job->end = act == ACT_COMMIT ? FEED_COMMIT : act == ACT_PREPARE ? FEED_PREPARE : FEED_ROLL_BACK;
			break;
		case ACT_FINISH:
			job->kind = JOB_FINISH;
			job->force = true;
			break;
		case ACT_DRAW_A:
		case ACT_DRAW_B:
		case ACT_DRAW_C:
			job->kind = JOB_DRAW;
			break;
		case ACT_ROW_A:
			job->kind = JOB_ROW;
			break;
		case ACT_NEXTVAL:
			job->kind = JOB_NEXTVAL;
			break;
		case ACT_RENEW:
		case ACT_REFUSE:
			job->kind = JOB_LATE;
			job->renew = act == ACT_RENEW;
			break;
		case ACT_ALTER:
			job->kind = JOB_ALTER;
			break;
		case ACT_POLL_A:
		case ACT_POLL_A_AGAIN:
			job->kind = JOB_POLL_SEQUENCE;
			job->force = act == ACT_POLL_A_AGAIN;
			break;
		case ACT_POLL:
		case ACT_POLL_AGAIN:
		case ACT_POLL_SIQ:
			job->kind = JOB_POLL;
			job->force = act == ACT_POLL_AGAIN;
			break;
	}
}

static void
choose_id(int session, int32 number)
{
	Job		   *job = &jobs[session];

	memset(job, 0, sizeof(*job));
	job->kind = JOB_GENERATE;
	job->format = flake_formats[world->format];
	job->number = job->format->id == FLAKE_SNO ? number : FLAKE_OWN;
	job->stride = 1;
	job->sure = world->always || (world->sure && nothing_under_way(session));
}

/* Change the settings, and tell all sessions to read them. */
static void
reload(void)
{
	server.file = !server.file;
	server.postmaster = server.file;
	for (int i = 0; i < sessions; i++)
		backends[i].reload = true;
}

/* ---------- how it begins ---------- */

/* The guest is a session only where it has anything to do. */
static int
count_sessions(void)
{
	bool		guest = world->happening == HAPPEN_GUEST || world->database[GUEST] != 0 ||
		world->acts[GUEST][0] != ACT_NONE;

	return guest ? GUEST + 1 : SESSIONS;
}

/* Write two versions of the settings; a reload changes from one to the other. */
static void
make_settings(void)
{
	memset(server.settings, 0, sizeof(server.settings));
	for (int i = 0; i < 2; i++)
		for (int d = 0; d < SIM_DATABASES; d++)
		{
			FlakeSettings *settings = &server.settings[i].of[d];

			settings->node = d + i;
			settings->siq_shard = settings->snowflake_worker = settings->snowflake_process = -1;
			settings->sno_min = world->reload ? 0 : 5 * i;
			settings->sno_max = world->sno_max ? world->sno_max : 255;
		}
	server.settings_count = 2;
	server.file = 0;
}

static void
start_sessions(void)
{
	for (int i = 0; i < sessions; i++)
		start_session(i);
}

/* Start a server that nobody has used yet. */
static void
create_world(void)
{
	sessions = count_sessions();
	random_quiet = true;
	stores_late = world->stores_late;
	formats_choose(9, world->snowflake_bits ? world->snowflake_bits : 8, 8);
	flake_max_ahead = 10000;
	flake_max_wait = 50;
	checks_begin();
	make_settings();
	server.oid_step = 1;
	server.failures = false;
	server.discards = false;
	server.publishing = world->publishing;
	server.no_memory = world->no_memory;
	server.now = server.lowest = BASE_US;
	server.clock_runs = true;
	server.drift = 0;
	server_create();
	server.sequences[0][0].rises = !world->cached;
	server.postmaster = server.file;
	memset(jobs, 0, sizeof(jobs));
	memset(&progress, 0, sizeof(progress));
	start_sessions();
}

/* Choose the job of a session that a step of the prelude stands for. */
static void
choose_step(const Step *step)
{
	Job		   *job = &jobs[step->session];

	choose_id(step->session, step->number);
	switch (step->what)
	{
		case STEP_ACT:
			choose_act(step->session, (Act) step->number);
			break;
		case STEP_LEAVE:
			job->kind = JOB_EXIT;
			break;
		case STEP_RESET:
		case STEP_FORCE:
		case STEP_CUT_OFF:
			job->kind = JOB_RESET;
			break;
		case STEP_LOOK:
			job->kind = JOB_SNAPSHOT;
			break;
		case STEP_ADVANCE:
			job->kind = JOB_ADVANCE;
			break;
		case STEP_MERGE:
			job->kind = JOB_MERGE;
			job->mark = FLAKE_MARK_TICK;
			break;
		default:				/* STEP_ID */
			break;
	}
	job->us[0] = server.now + step->us;
	job->force = step->what == STEP_FORCE || (step->what == STEP_CUT_OFF && step->us != 0);
}

static void
recreate_extension(void)
{
	drop_extension(0);
	extension_create(0);
	forget_promises(0);
}

/* Let a session do its step alone.  A step that is cut off must fail, and no other. */
static void
run_step(const Step *step)
{
	choose_step(step);
	server.cut_off = step->what == STEP_CUT_OFF ? step->number : 0;
	begin_job(step->session);
	do
		go_on(step->session, 1000000);
	while (backends[step->session].state == BACKEND_BUSY);
	if (jobs[step->session].failed != (step->what == STEP_CUT_OFF))
		sim_fault("the prelude fails: %s", backends[step->session].message);
	if (step->what == STEP_LEAVE)
		start_session(step->session);
}

static void
take_step(const Step *step)
{
	switch (step->what)
	{
		case STEP_END:
			break;
		case STEP_CLOCK:
			clock_set(server.now + step->us);
			break;
		case STEP_ACT:
		case STEP_ID:
		case STEP_LEAVE:
		case STEP_RESET:
		case STEP_FORCE:
		case STEP_CUT_OFF:
		case STEP_LOOK:
		case STEP_ADVANCE:
		case STEP_MERGE:
			run_step(step);
			break;
		case STEP_REWRITE:
			transaction_change(&backends[step->session], true);
			break;
		case STEP_COMMIT:
			transaction_end(&backends[step->session], true);
			break;
		case STEP_RELOAD:
			reload();
			break;
		case STEP_RECREATE:
			recreate_extension();
			break;
		case STEP_DROP:
			replace_database(world->database[step->session], true);
			break;
		case STEP_CRASH:
		case STEP_STANDBY:
			go_down(server.flushed);
			server.recovering = step->what == STEP_STANDBY;
			start_sessions();
			break;
	}
}

/* Make the world as its prelude leaves it. */
void
begin_world(void)
{
	create_world();
	for (const Step *step = world->prelude; step->what != STEP_END; step++)
		take_step(step);
	clock_set(server.now + world_move);
	server.drift = world->drift;
	progress.at = 0;
	collect_pieces();
}

/* ---------- the event ---------- */

/* Begin what the guest does. */
static void
begin_guest(void)
{
	Job		   *job = &jobs[GUEST];

	if (world->reload)
		reload();
	choose_id(GUEST, world->reload ? FLAKE_OWN : 0);
	job->kind = world->guest;
	job->force = world->force;
	job->sure = false;
	job->mark = job->format->tick_tock ? FLAKE_MARK_TICK : FLAKE_MARK_AHEAD;
	for (int i = 0; i < FLAKE_MARK_KINDS; i++)
		job->us[i] = server.now + world->guest_us;
	if (world->interval_us.to != 0)
	{
		job->interval.from = server.now + world->interval_us.from;
		job->interval.to = server.now + world->interval_us.to;
	}
	begin_job(GUEST);
	go_on(GUEST, 1);
}

/* Return in how many ways the event may happen now. */
int
ways_to_happen(void)
{
	Database   *database = &server.databases[0];

	if (progress.happened)
		return 0;
	switch (world->happening)
	{
		case HAPPEN_CRASH:
			return server.inserted - server.flushed + 1;
		case HAPPEN_FAILOVER:
			return server.flushed - SIM_DATABASES + 1;
		case HAPPEN_CUT_OFF:
			return database_memory(0) != NULL && database_memory(0)->writer.value != 0 ? 2 : 0;
		case HAPPEN_DROP:
		case HAPPEN_REWRITE:
			return database->holders == 0 && !database->ddl;
		case HAPPEN_CANCEL:
		case HAPPEN_TERMINATE:
		case HAPPEN_LATCH:
			return backends[0].state == BACKEND_BUSY;
		case HAPPEN_NOTHING:
			return 0;
		case HAPPEN_PROMOTE:
		case HAPPEN_CLOCK:
		case HAPPEN_RELOAD:
		case HAPPEN_GUEST:
			break;
	}
	return 1;
}

/* Let the event happen.  Return the session that goes on: the guest, or -1 for any. */
int
world_happen(int way)
{
	trace("the event happens");
	progress.happened = true;
	progress.at++;
	clock_set(server.now + world->us);
	memset(server.dropped, 0, sizeof(server.dropped));
	switch (world->happening)
	{
		case HAPPEN_CLOCK:
		case HAPPEN_NOTHING:
			break;
		case HAPPEN_CRASH:
		case HAPPEN_FAILOVER:
			/* The first records create the extension in each database. */
			go_down((world->happening == HAPPEN_CRASH ? server.flushed : SIM_DATABASES) + way);
			memset(&progress.done, 0, sizeof(progress.done));
			start_sessions();
			break;
		case HAPPEN_PROMOTE:
			server.recovering = false;
			break;
		case HAPPEN_CUT_OFF:
			server.cut_off = way + 1;
			break;
		case HAPPEN_DROP:
			recreate_extension();
			break;
		case HAPPEN_REWRITE:
			extension_rewrite(0);
			break;
		case HAPPEN_RELOAD:
			reload();
			break;
		case HAPPEN_CANCEL:
			backends[0].cancel = true;
			break;
		case HAPPEN_TERMINATE:
			backends[0].terminate = true;
			break;
		case HAPPEN_LATCH:
			backends[0].latch = true;
			break;
		case HAPPEN_GUEST:
			begin_guest();
			return GUEST;
	}
	return -1;
}

/* ---------- how it goes on ---------- */

/* Return whether the session has anything left to do. */
bool
unfinished(int session)
{
	if (backends[session].state != BACKEND_IDLE)
		return backends[session].state == BACKEND_BUSY;
	if (has_feeds())
		return world->acts[session][progress.done[session]] != ACT_NONE;
	if (session == GUEST)
		return world->leaves && progress.happened;
	return progress.done[session] < (world->ids ? world->ids : IDS);
}

/* Return whether the session has anything left to do, and can do it now. */
bool
ready(int session)
{
	return unfinished(session) && backend_runnable(&backends[session]);
}

/*
 * Store the sessions that may go on when none must, and return their number.  A session
 * that sleeps again and again is not one of them while others can go on: it waits for
 * what they have to do.
 */
int
ready_sessions(int *options)
{
	int			n = 0;
	int			awake = 0;

	for (int i = 0; i < sessions; i++)
		awake += ready(i) && backends[i].naps < NAPS;
	for (int i = 0; i < sessions; i++)
		if (ready(i) && (awake == 0 || backends[i].naps < NAPS))
			options[n++] = i;
	return n;
}

/*
 * Return whether the event has happened and all other sessions have finished: then
 * there is nothing for which this session could be preempted.
 */
bool
alone(int session)
{
	for (int i = 0; i < sessions; i++)
		if (i != session && unfinished(i))
			return false;
	return progress.happened;
}

/* Let a session go on; it begins its next ID or act if it is idle. */
void
world_advance(int session, int accesses)
{
	if (backends[session].state == BACKEND_IDLE)
	{
		if (has_feeds())
			choose_act(session, world->acts[session][progress.done[session]++]);
		else if (session == GUEST)
		{
			choose_id(GUEST, 0);
			jobs[GUEST].kind = JOB_EXIT;
		}
		else
			choose_id(session, world->numbers[session][progress.done[session]++]);
		begin_job(session);
	}
	for (int i = 0; i < sessions; i++)
		if (i != session && backends[session].awake_for > DROWSY)
			backends[i].naps = 0;
	go_on(session, accesses);
	if (progress.at > 20000)
		sim_fault("a call does not end");
}
