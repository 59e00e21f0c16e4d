/*
 * order.c
 *		The order of a session's IDs, what sets it back, and how far ahead of the clock
 *		load alone may push them.
 */
#include "checks.h"

int			resets[SIM_DATABASES];
int			resets_active[SIM_DATABASES];

/* A reset that was cut off may be completed long after its call: with any later generation. */
bool		resets_cut_off[SIM_DATABASES];
static uint64 generations_of[SIM_DATABASES];

/*
 * Return a number that changes with each reset of the database; while a reset is under
 * way, each call returns another one.
 */
int
reset_stamp(int database)
{
	const FlakeDatabase *db = database_memory(database);

	if (db != NULL)
	{
		resets[database] += resets_cut_off[database] && generations_of[database] != db->generation.value;
		generations_of[database] = db->generation.value;
	}
	return resets_active[database] > 0 ? ++resets[database] : resets[database];
}

int			raises[SIM_DATABASES];

/*
 * Return how many times sno's order may have been set back: by steps of the clock, and
 * by restores and advances in the database, which may change to the other timeline.
 */
int
steps_back(int database)
{
	return server.steps_back + raises[database];
}

static uint64 was_ahead_until[SIM_DATABASES][2];

/*
 * A backend that is stopped between reading the clock and swapping the word may end a
 * decision to go ahead although the clock has stepped back.  That sets sno's order back,
 * in one of 100,000 schedules.
 */
void
note_ahead_until(void)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		for (int timeline = 0; timeline < 2; timeline++)
		{
			FlakeDatabase *db = database_memory(d);
			uint64		is = db != NULL ? db->ahead_until[FLAKE_SNO][timeline].value : 0;

			if (is < was_ahead_until[d][timeline] && flake_us_of(&flake_sno.rate, was_ahead_until[d][timeline]) > server.now)
				raises[d]++;
			was_ahead_until[d][timeline] = is;
		}
}

/* The last ID that a backend got from a generator. */
typedef struct Last
{
	bool		any;
	uint64		time;			/* the tick; for sno << 1 | timeline */
	uint32		number;
	uint32		sequence;
	int			steps_back;
	int			resets;
} Last;

/* Of the database's own number, and then of the numbers that callers gave. */
static Last last_ids[SIM_BACKENDS][FLAKE_FORMATS][17];

/*
 * Check that a session's IDs of a generator increase, unless something has set them back
 * in the meantime.  IDs of the database's own number are compared while it stays the same.
 */
void
check_order(Backend *backend, const Job *job, const FlakeTicket *ticket)
{
	bool		tick_tock = job->format->tick_tock;
	Last	   *last = &last_ids[backend->index][job->format->id][job->number == FLAKE_OWN ? 0 : 1 + ticket->number % 16];
	Last		now = {
		.any = true,
		.time = ticket->tick << tick_tock | ticket->timeline,
		.number = ticket->number,
		.sequence = ticket->sequence,
		.steps_back = job->steps_back,
		.resets = job->resets,
	};
	bool		comparable = last->any && last->resets == reset_stamp(backend->database) && last->number == ticket->number;

	/* sno is in order while the clock does not step back, others always. */
	if (tick_tock)
		comparable &= last->steps_back == steps_back(backend->database);
	if (comparable &&
		(now.time < last->time ||
		 (now.time == last->time && now.sequence <= last->sequence)))
		sim_fault("%s out of order: tick %ld number %u sequence %u after tick %ld number %u sequence %u",
				  job->format->name, (long) (now.time >> tick_tock), now.number, now.sequence,
				  (long) (last->time >> tick_tock), last->number, last->sequence);
	*last = now;
}

/* Forget the last IDs of a backend, which is another process now. */
void
forget_order(const Backend *backend)
{
	memset(last_ids[backend->index], 0, sizeof(last_ids[0]));
}

/*
 * While the clock does not step, load alone must not open tick after tick ahead of it:
 * for each tick that is opened, the clock has to move by one.
 */
typedef struct Ahead
{
	uint64		tick;			/* issued last */
	uint64		clock_tick;
	/* Ticks opened, minus the ticks that the clock has moved by. */
	int64		opened;
	int			stamp;
} Ahead;

static Ahead ahead[SIM_DATABASES][FLAKE_FORMATS][16];
bool		load_checked;

void
check_load(int database, const Job *job, const FlakeTicket *ticket)
{
	const FlakeRate *rate = &job->format->rate;
	Ahead	   *a = &ahead[database][job->format->id][ticket->number % 16];
	uint64		clock_tick = flake_tick_of(rate, server.now);
	int			stamp = (server.incarnation * 1000 + steps_back(database)) * 1000 + reset_stamp(database);

	if (!load_checked || (job->format->id != FLAKE_SNO && job->format->id != FLAKE_UID64))
		return;
	if (a->stamp != stamp)
	{
		memset(a, 0, sizeof(*a));
		a->stamp = stamp;
	}
	else
	{
		a->opened -= Min(a->opened, (int64) (clock_tick - Min(clock_tick, a->clock_tick)));
		if (ticket->tick == a->tick + 1 && ticket->tick > clock_tick)
			a->opened++;
		/* A backend may get an ID long after its tick was opened. */
		if (a->opened > 3 + SIM_BACKENDS)
			sim_fault("%s %u goes ahead of the clock by load", job->format->name, ticket->number);
	}
	a->tick = Max(a->tick, ticket->tick);
	a->clock_tick = Max(a->clock_tick, clock_tick);
}

/* A schedule begins: forget everything. */
void
order_begin(void)
{
	load_checked = false;
	memset(resets, 0, sizeof(resets));
	memset(resets_cut_off, 0, sizeof(resets_cut_off));
	memset(generations_of, 0, sizeof(generations_of));
	memset(raises, 0, sizeof(raises));
	memset(ahead, 0, sizeof(ahead));
	memset(was_ahead_until, 0, sizeof(was_ahead_until));
	memset(last_ids, 0, sizeof(last_ids));
}

/* The server has stopped: no reset is under way. */
void
order_stop(void)
{
	memset(resets_active, 0, sizeof(resets_active));
}

void
order_state(int sessions, FlakeFormatId format)
{
	for (int i = 0; i < sessions; i++)
	{
		state_piece(last_ids[i][format], sizeof(last_ids[0][0]), NULL);
		if (format != FLAKE_SIQ)
			state_piece(last_ids[i][FLAKE_SIQ], sizeof(last_ids[0][0]), NULL);
	}
	state_piece(resets, sizeof(resets), NULL);
	state_piece(resets_cut_off, sizeof(resets_cut_off), NULL);
	state_piece(generations_of, sizeof(generations_of), NULL);
	state_piece(resets_active, sizeof(resets_active), NULL);
	state_piece(raises, sizeof(raises), NULL);
	state_piece(was_ahead_until, sizeof(was_ahead_until), NULL);
}
