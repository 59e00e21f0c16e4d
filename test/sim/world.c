/*
 * world.c
 *		A world's life: how it begins, and how one of its sessions goes on.
 */
#include "world.h"

#define NAPS			1		/* sleeps of a session before another one goes
								 * on */
#define DROWSY			8		/* accesses from one nap to the next */
#define STACK_CLEAN		2048	/* bytes, deeper than any call goes from an
								 * access to the next */

const World *world;
int			sessions;
int64		world_move;
Progress	progress;

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
	 * what calls long over have left there would stand between the variables
	 * of the next
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

/* Is nobody else in the middle of anything, and has it happened? */
static bool
nothing_under_way(int session)
{
	for (int i = 0; i < sessions; i++)
		if (i != session && backends[i].state == BACKEND_BUSY)
			return false;
	return progress.happened;
}

/* As a transaction begins: messages and settings are taken notice of. */
static void
begin_job(int session)
{
	Backend    *backend = &backends[session];

	if (backend->reload)
		use_settings(backend, server.file);
	accept_invalidations(backend);
}

/* Are IDs written by transactions, and read? */
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

/* Everybody is told that the settings have changed. */
static void
reload(void)
{
	server.file = !server.file;
	server.postmaster = server.file;
	for (int i = 0; i < sessions; i++)
		backends[i].reload = true;
}

/* Make the world as its prelude leaves it. */
void
begin_world(void)
{
	sessions = world->happening == HAPPEN_GUEST || world->database[GUEST] != 0 || world->acts[GUEST][0] != ACT_NONE ? GUEST + 1 : SESSIONS;
	random_quiet = true;
	stores_late = world->stores_late;
	formats_choose(9, world->snowflake_bits ? world->snowflake_bits : 8, 8);
	flake_max_ahead = 10000;
	flake_max_wait = 50;
	checks_begin();
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
	server.oid_step = 1;
	server.failures = false;
	server.discards = false;
	server.now = server.lowest = BASE_US;
	server.clock_runs = true;
	server.drift = 0;
	server_create();
	server.postmaster = server.file;
	memset(jobs, 0, sizeof(jobs));
	memset(&progress, 0, sizeof(progress));
	for (int i = 0; i < sessions; i++)
		start_session(i);

	for (const Step *step = world->prelude; step->what != STEP_END; step++)
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
				choose_id(step->session, step->number);
				if (step->what == STEP_ACT)
					choose_act(step->session, (Act) step->number);
				else if (step->what == STEP_LEAVE)
					jobs[step->session].kind = JOB_EXIT;
				else if (step->what == STEP_RESET || step->what == STEP_FORCE || step->what == STEP_CUT_OFF)
					jobs[step->session].kind = JOB_RESET;
				else if (step->what == STEP_LOOK)
					jobs[step->session].kind = JOB_SNAPSHOT;
				else if (step->what == STEP_ADVANCE)
					jobs[step->session].kind = JOB_ADVANCE;
				else if (step->what == STEP_MERGE)
				{
					jobs[step->session].kind = JOB_MERGE;
					jobs[step->session].mark = FLAKE_MARK_TICK;
				}
				jobs[step->session].us[0] = server.now + step->us;
				jobs[step->session].force = step->what == STEP_FORCE || (step->what == STEP_CUT_OFF && step->us != 0);
				server.cut_off = step->what == STEP_CUT_OFF ? step->number : 0;
				begin_job(step->session);
				do
					go_on(step->session, 1000000);
				while (backends[step->session].state == BACKEND_BUSY);
				if (jobs[step->session].failed != (step->what == STEP_CUT_OFF))
					sim_fault("the prelude fails: %s", backends[step->session].message);
				if (step->what == STEP_LEAVE)
					start_session(step->session);
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
			case STEP_DROP:
				replace_database(world->database[step->session], true);
				break;
			case STEP_CRASH:
			case STEP_STANDBY:
				go_down(server.flushed);
				server.recovering = step->what == STEP_STANDBY;
				for (int i = 0; i < sessions; i++)
					start_session(i);
				break;
		}
	clock_set(server.now + world_move);
	server.drift = world->drift;
	progress.at = 0;
	collect_pieces();
}

/* In how many ways may it happen now? */
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

/* Make it happen; answers who goes on: the guest or (-1) anybody. */
int
world_happen(int way)
{
	Job		   *job = &jobs[GUEST];

	trace("it happens");
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
			/* (before the extension was made there is nothing) */
			go_down((world->happening == HAPPEN_CRASH ? server.flushed : SIM_DATABASES) + way);
			memset(&progress.done, 0, sizeof(progress.done));
			for (int i = 0; i < sessions; i++)
				start_session(i);
			break;
		case HAPPEN_PROMOTE:
			server.recovering = false;
			break;
		case HAPPEN_CUT_OFF:
			server.cut_off = way + 1;
			break;
		case HAPPEN_DROP:
			drop_extension(0);
			extension_create(0);
			forget_promises(0);
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
			if (world->reload)
				reload();
			choose_id(GUEST, world->reload ? FLAKE_OWN : 0);
			job->kind = world->guest;
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
			return GUEST;
	}
	return -1;
}

/* Has it anything left to do? */
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

/* Could it go on? */
bool
ready(int session)
{
	return unfinished(session) && backend_runnable(&backends[session]);
}

/*
 * The sessions that may go on when none must.  One that sleeps again and again does
 * not while others could: what it waits for is theirs to do.
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

/* Has it happened, and are all others through?  Then nothing can be preempted for. */
bool
alone(int session)
{
	for (int i = 0; i < sessions; i++)
		if (i != session && unfinished(i))
			return false;
	return progress.happened;
}

/* Go on with a session, which may have to begin its next ID first. */
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
