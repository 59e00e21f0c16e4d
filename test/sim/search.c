/*
 * search.c
 *		All schedules of small worlds, with few preemptions.
 *
 * A world is a server that has been in use for a moment, two sessions that make
 * two IDs each, and one event, which may happen at any moment.  A schedule runs a
 * session until it waits, sleeps or has finished.  Before each access to shared memory
 * the session may be preempted.  The search tries that at every access, but at most a
 * given number of times in one schedule.  The event counts as a preemption, too.  (Most
 * faults of this kind need two preemptions, and random schedules seldom find both.)
 *
 * The search goes from state to state: at each access it saves everything, runs the
 * other sessions, restores everything and lets the session go on.  A state that was
 * seen before, with the same session running and at least as many preemptions left, is
 * not searched again.  States are told apart by a 64-bit hash of everything in
 * them, including the stacks and variables of the sessions.  (With SIM_PRUNE=0 such
 * states are searched again, and there must be just as many states: this shows that the
 * hash leaves nothing out.)  Only states in which a session may be preempted are
 * counted.
 *
 * A schedule is written as its beginning (see moves[]) and the places where another
 * session goes on, counted in accesses since the beginning: "0,17:1,40:e0" says that
 * session 1 goes on before access 17, and that the event happens before access 40 (e1
 * and so on where it may happen in several ways).
 */
#include "world.h"

/* ---------- the states seen ---------- */

/* The states seen, each with the most preemptions that were left there. */
typedef struct Seen
{
	uint64		hash;			/* 0: free */
	int			left;
} Seen;

static Seen *seen;
static size_t seen_size;
static size_t seen_count;

static void
forget_seen(void)
{
	if (seen_size == 0)
		seen = calloc(seen_size = 1 << 16, sizeof(*seen));
	else
		memset(seen, 0, seen_size * sizeof(*seen));
	seen_count = 0;
}

/* Return whether the state, with so many preemptions left, was searched or is being searched. */
static bool
seen_before(uint64 hash, int left)
{
	size_t		i;

	if (seen_count > seen_size / 2)
	{
		size_t		old_size = seen_size;
		Seen	   *old = seen;

		seen = calloc(seen_size *= 2, sizeof(*seen));
		for (size_t j = 0; j < old_size; j++)
			if (old[j].hash != 0)
			{
				for (i = old[j].hash >> 20 & (seen_size - 1); seen[i].hash != 0; i = (i + 1) & (seen_size - 1))
					;
				seen[i] = old[j];
			}
		free(old);
	}
	for (i = hash >> 20 & (seen_size - 1); seen[i].hash != 0; i = (i + 1) & (seen_size - 1))
		if (seen[i].hash == hash)
		{
			if (seen[i].left >= left)
				return true;
			seen[i].left = left;
			return false;
		}
	seen[i].hash = hash;
	seen[i].left = left;
	seen_count++;
	return false;
}

/* ---------- the search ---------- */

/* Most worlds are searched twice: as they are, and so late that the mark must be moved. */
static const int64 moves[] = {0, 2100000};

static Checkpoint checkpoints[256];

typedef struct Choice
{
	long		at;
	int			who;			/* a session, or EVENT + way */
} Choice;

static Choice choices[2 * lengthof(checkpoints)];
static int	choices_count;
static long schedules;
static long states;
static bool prune;

static void search(int running, int left, int depth);

/* At a checkpoint, let "who" go on or happen, and search everything after it. */
static void
try(int who, int left, int depth)
{
	Choice		choice = {progress.at, who};

	choices[choices_count++] = choice;
	if (who >= EVENT)
		search(world_happen(who - EVENT), left, depth + 1);
	else
	{
		backends[who].yields = false;
		search(who, left, depth + 1);
	}
	choices_count--;
}

/* At a checkpoint, try each preemption: by one of these sessions, or by the event. */
static void
try_preemptions(const Checkpoint *here, const int *others, int n, int left, int depth)
{
	for (int i = 0; i < n; i++)
	{
		try(others[i], left - 1, depth);
		state_restore(here);
	}
	for (int way = 0, ways = ways_to_happen(); way < ways; way++)
	{
		try(EVENT + way, left - 1, depth);
		state_restore(here);
	}
}

/* No session can go on: check that all have finished, and what must hold then. */
static void
check_end(void)
{
	for (int i = 0; i < sessions; i++)
		if (unfinished(i))
			sim_fault("deadlock of session %d, which %s", i,
					  backends[i].wants_lwlock != NULL ? "waits for a lock" : "cannot run");
	check_counts();
	check_memory();
	check_marked();
}

/*
 * Search all schedules from here on, with so many preemptions left.  The session
 * "running" goes on unless it is preempted; -1: any may go on.
 */
static void
search(int running, int left, int depth)
{
	Checkpoint *here = &checkpoints[depth];

	if (depth == (int) lengthof(checkpoints))
		sim_fault("too many choices");
	for (;;)
	{
		int			options[EVENT + SIM_RECORDS];
		int			n = 0;
		bool		goes_on = running >= 0 && ready(running) && !backends[running].yields;

		if (!goes_on)
			n = ready_sessions(options);
		if (!goes_on && n == 0)
		{
			check_end();
			schedules++;
			/* Of all events, only a crash can show a fault so late. */
			if (left > 0 && !progress.happened && (world->happening == HAPPEN_CRASH || world->happening == HAPPEN_FAILOVER))
				try(EVENT, left - 1, depth);
			return;
		}
		if (goes_on && (left == 0 || alone(running)))
		{
			world_advance(running, INT_MAX);
			continue;
		}
		if (left > 0 && seen_before(hash_state(goes_on ? running : -1), left) && prune)
			return;
		if (goes_on)
			for (int i = 0; i < sessions; i++)
				if (i != running && ready(i))
					options[n++] = i;
		state_save(here);
		if (left > 0)
			try_preemptions(here, options, goes_on ? n : 0, left, depth);
		if (!goes_on)
		{
			for (int i = 0; i + 1 < n; i++)
			{
				try(options[i], left, depth);
				state_restore(here);
			}
			running = options[n - 1];
			/* The only session is no choice. */
			if (n > 1)
			{
				try(running, left, depth);
				return;
			}
		}
		world_advance(running, left > 0 ? 1 : INT_MAX);
	}
}

/* Search a world, from each of its beginnings.  Return the beginning that led to a fault, or -1. */
static int
explore(const World *of, int preemptions)
{
	volatile int move;

	world = of;
	prune = getenv("SIM_PRUNE") == NULL || atoi(getenv("SIM_PRUNE")) != 0;
	schedules = 0;
	states = 0;
	for (move = 0; move < (of->beginnings != 0 ? of->beginnings : (int) lengthof(moves)); move++)
	{
		forget_seen();
		choices_count = 0;
		self = NULL;
		if (_setjmp(sim_failed) != 0)
			return move;
		world_move = moves[move];
		begin_world();
		search(-1, preemptions, 0);
		states += seen_count;
	}
	return -1;
}

/* Return the schedule under way, as world_replay() reads it: its beginning, then its choices. */
static const char *
choices_text(int move)
{
	static char text[2000];
	int			length = snprintf(text, sizeof(text), "%d", move);

	for (int i = 0; i < choices_count && length < (int) sizeof(text) - 40; i++)
		if (choices[i].who < EVENT)
			length += snprintf(text + length, sizeof(text) - length, ",%ld:%d", choices[i].at, choices[i].who);
		else
			length += snprintf(text + length, sizeof(text) - length, ",%ld:e%d", choices[i].at, choices[i].who - EVENT);
	return text;
}

/* ---------- for main() ---------- */

/*
 * Search all schedules of a world.  Return whether no fault was found.  Store in "line"
 * what was searched, or the schedule and the world of the fault.
 */
bool
world_explore(const char *name, int preemptions, char *line, size_t size)
{
	const World *of = find_world(name);
	int			move;

	preemptions = Max(preemptions, of->preemptions);
	move = explore(of, preemptions);
	if (move < 0)
		snprintf(line, size, "all schedules of world %s with up to %d preemptions: %ld, %ld states; no duplicate",
				 name, preemptions, schedules, states);
	else
		snprintf(line, size, "%s %s", name, choices_text(move));
	return move < 0;
}

/* Run one schedule, as world_explore() has stored it.  Return whether no fault was found. */
bool
world_replay(const char *name, const char *schedule)
{
	char	   *at;
	int			running = -1;
	int			move = (int) strtol(schedule, &at, 10);

	world = find_world(name);
	self = NULL;
	if (move < 0 || move >= (int) lengthof(moves))
		return false;
	if (_setjmp(sim_failed) != 0)
		return false;
	world_move = moves[move];
	begin_world();
	for (;;)
	{
		bool		goes_on = running >= 0 && ready(running) && !backends[running].yields;
		int			options[SESSIONS + 1];

		if (*at == ',' && strtol(at + 1, NULL, 10) <= progress.at)
		{
			(void) strtol(at + 1, &at, 10);
			if (*at++ != ':')
				return false;
			if (*at == 'e')
				running = world_happen((int) strtol(at + 1, &at, 10));
			else
			{
				running = (int) strtol(at, &at, 10);
				backends[running].yields = false;
			}
			continue;
		}
		if (!goes_on)
		{
			int			n = ready_sessions(options);

			if (n == 0)
			{
				check_end();
				return true;
			}
			running = options[n - 1];
		}
		world_advance(running, 1);
	}
}
