/*
 * sim.c
 *		Schedules that try to make the generator issue an ID twice.
 *
 *		sim				every kind of random schedule, SIM_SCHEDULES (6000) of each, from
 *						seed SIM_SEED (1) on, and all schedules of every world with up to
 *						SIM_PREEMPTIONS (2) preemptions; the answer is TAP.  (SIM_PRUNE=0:
 *						see worlds.c)
 *		sim NAME		one kind or world
 *		sim -k, sim -w	the names of the kinds, of the worlds
 *		sim KIND SEED, sim WORLD SCHEDULE
 *						one schedule, with everything that happens in it
 *		sim -m N, sim -a
 *						for mutants: up to N schedules of every kind, in turns, or all of
 *						every world; ends with the first that fails
 *		-l FILE			the library, instead of flake.so beside the program
 *
 * The code that is run is the server's own, generate.c, mark.c and identity.c with
 * all that belongs to them; see server.c for what stands under it.  The worlds are in
 * worlds.c; here are the random schedules, and what is checked in both.  A random
 * schedule is some hundred rounds: in each a backend goes on by a few accesses to
 * shared memory, or something happens to the clock, a backend, the server or its
 * settings.
 */
#include "sim.h"

#include <stdarg.h>
#include <unistd.h>

#define ROUNDS			260

/* ---------- kinds of schedules ---------- */

typedef enum Event
{
	EV_TICK,					/* the clock goes on by about a tick */
	EV_FORWARD,					/* by up to some seconds, or to an instant
								 * known */
	EV_JUMP,					/* by minutes */
	EV_BACK,					/* steps back by some ticks */
	EV_BACK_FAR,				/* by up to some seconds, or to an instant
								 * known */
	EV_UNJUMP,					/* back to before a jump */
	EV_EXIT,					/* a backend leaves, another takes its place */
	EV_INTERRUPT,				/* one that waits is canceled or terminated */
	EV_STALL,					/* one is not run for a while */
	EV_CRASH,					/* all memory is lost, and what of the WAL was
								 * not flushed */
	EV_PROMOTE,					/* the same, with any prefix of the WAL that
								 * was flushed */
	EV_DDL,						/* flakeid_mark is dropped, created or
								 * rewritten */
	EV_TRANSACTION,				/* the same by a backend in a transaction,
								 * which ends some day */
	EV_RELOAD,					/* the settings change */
	EV_RESTORE,					/* flake_restore() */
	EV_ADVANCE,					/* flakeid_advance(), or a row of a dump */
	EV_RESET,					/* flakeid_clock_reset() */
	EV_LOOK,					/* a snapshot or the view of the marks */
	EV_FLUSH,					/* the WAL is flushed for somebody else */
	EV_FOREIGN,					/* another library moves the mark and issues
								 * below it */
	EV_DATABASE,				/* a database is dropped, and another made
								 * under its number, at once or later */
	EV_STORM,					/* all idle backends but one leave: memory
								 * goes, or numbers change hands */
	EVENTS
} Event;

typedef struct Kind
{
	const char *name;
	int			databases;
	int			partitions;		/* of sno, used by callers */
	uint32		sno_slots;
	bool		small_pools;	/* they run out all the time */
	bool		frozen;			/* the clock only moves by events */
	bool		small_limits;	/* max_ahead and max_wait */
	bool		mended;			/* ends with a reset of a clock that had
								 * jumped */
	bool		claims;			/* databases want the same numbers */
	bool		island;			/* nothing but the clock, which never steps
								 * back, happens to database 0 */
	bool		failures;		/* the mark cannot always be written */
	uint32		events_in_100;	/* rounds */
	uint8		weight[EVENTS];
} Kind;

static const Kind kinds[] = {
	{
		.name = "clock", .databases = 1, .partitions = 2, .sno_slots = 4, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 3, [EV_BACK] = 8, [EV_BACK_FAR] = 4,
		[EV_EXIT] = 1, [EV_STALL] = 3, [EV_LOOK] = 1},
	},
	{
		.name = "ahead", .databases = 1, .partitions = 2, .sno_slots = 4, .events_in_100 = 14,
		.weight = {[EV_TICK] = 6, [EV_FORWARD] = 6, [EV_BACK] = 4, [EV_BACK_FAR] = 8,
		[EV_EXIT] = 1, [EV_STALL] = 4},
	},
	{
		.name = "crash", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 4, [EV_BACK] = 6, [EV_BACK_FAR] = 4, [EV_CRASH] = 5,
		[EV_EXIT] = 1, [EV_STALL] = 3, [EV_FLUSH] = 1, [EV_LOOK] = 1},
	},
	{
		.name = "failover", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 4, [EV_BACK] = 6, [EV_BACK_FAR] = 4, [EV_PROMOTE] = 4,
		[EV_CRASH] = 1, [EV_EXIT] = 1, [EV_STALL] = 3, [EV_FLUSH] = 1, [EV_LOOK] = 2},
	},
	{
		.name = "recycle", .databases = 2, .partitions = 6, .sno_slots = 2, .events_in_100 = 12,
		.weight = {[EV_TICK] = 12, [EV_FORWARD] = 2, [EV_BACK] = 8, [EV_BACK_FAR] = 2, [EV_CRASH] = 1,
		[EV_EXIT] = 1, [EV_STALL] = 4},
	},
	{
		.name = "pool", .databases = 1, .partitions = 2, .sno_slots = 3, .events_in_100 = 10,
		.small_pools = true,
		.weight = {[EV_TICK] = 12, [EV_FORWARD] = 2, [EV_BACK] = 6, [EV_BACK_FAR] = 2, [EV_CRASH] = 1,
		[EV_EXIT] = 1, [EV_INTERRUPT] = 2, [EV_STALL] = 3},
	},
	{
		.name = "frozen", .databases = 2, .partitions = 3, .sno_slots = 2, .events_in_100 = 10,
		.small_pools = true, .frozen = true, .small_limits = true,
		.weight = {[EV_TICK] = 4, [EV_FORWARD] = 1, [EV_BACK] = 4, [EV_BACK_FAR] = 2, [EV_CRASH] = 1,
		[EV_EXIT] = 1, [EV_INTERRUPT] = 4, [EV_STALL] = 2},
	},
	{
		.name = "databases", .databases = 3, .partitions = 2, .sno_slots = 4, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 3, [EV_BACK] = 6, [EV_BACK_FAR] = 4, [EV_CRASH] = 1,
		[EV_EXIT] = 4, [EV_STALL] = 3, [EV_ADVANCE] = 1, [EV_LOOK] = 1},
	},
	{
		.name = "ddl", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 14,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_BACK] = 6, [EV_BACK_FAR] = 3, [EV_CRASH] = 3,
		[EV_DDL] = 8, [EV_EXIT] = 1, [EV_STALL] = 3},
	},
	{
		.name = "transaction", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 16,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_BACK] = 4, [EV_BACK_FAR] = 3, [EV_CRASH] = 2,
			[EV_TRANSACTION] = 14, [EV_DDL] = 2, [EV_ADVANCE] = 4, [EV_INTERRUPT] = 1, [EV_EXIT] = 1,
		[EV_STALL] = 3},
	},
	{
		.name = "restore", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 12,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 3, [EV_BACK] = 6, [EV_BACK_FAR] = 3, [EV_CRASH] = 2,
		[EV_RESTORE] = 4, [EV_ADVANCE] = 3, [EV_FOREIGN] = 2, [EV_EXIT] = 1, [EV_STALL] = 3, [EV_LOOK] = 3},
	},
	{
		.name = "reset", .databases = 3, .partitions = 2, .sno_slots = 4, .events_in_100 = 14,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_JUMP] = 4, [EV_BACK] = 4, [EV_BACK_FAR] = 2,
		[EV_UNJUMP] = 5, [EV_CRASH] = 1, [EV_RESET] = 6, [EV_EXIT] = 1, [EV_STALL] = 3, [EV_LOOK] = 1},
	},
	{
		.name = "mended", .databases = 1, .partitions = 4, .sno_slots = 5, .events_in_100 = 10,
		.mended = true,
		.weight = {[EV_TICK] = 12, [EV_FORWARD] = 1, [EV_JUMP] = 2, [EV_BACK] = 2, [EV_EXIT] = 1,
		[EV_STALL] = 6},
	},
	{
		.name = "identity", .databases = 2, .partitions = 3, .sno_slots = 4, .events_in_100 = 14,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 2, [EV_BACK] = 4, [EV_BACK_FAR] = 2, [EV_CRASH] = 1,
		[EV_RELOAD] = 8, [EV_EXIT] = 2, [EV_STALL] = 3},
	},
	{
		.name = "claims", .databases = 3, .partitions = 2, .sno_slots = 4, .events_in_100 = 16, .claims = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 4, [EV_BACK] = 3, [EV_BACK_FAR] = 1, [EV_RELOAD] = 8,
		[EV_EXIT] = 3, [EV_STORM] = 3, [EV_STALL] = 3, [EV_DATABASE] = 2, [EV_CRASH] = 1},
	},
	{
		.name = "retired", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 16, .claims = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 8, [EV_JUMP] = 3, [EV_UNJUMP] = 3, [EV_RESET] = 6, [EV_RELOAD] = 4,
		[EV_DATABASE] = 2, [EV_EXIT] = 1, [EV_STALL] = 2},
	},
	{
		.name = "evict", .databases = 4, .partitions = 2, .sno_slots = 4, .events_in_100 = 16,
		.weight = {[EV_TICK] = 6, [EV_FORWARD] = 8, [EV_BACK] = 2, [EV_BACK_FAR] = 2, [EV_EXIT] = 6, [EV_STORM] = 6,
		[EV_DATABASE] = 3, [EV_ADVANCE] = 1, [EV_DDL] = 1, [EV_CRASH] = 1, [EV_STALL] = 3},
	},
	{
		.name = "island", .databases = 3, .partitions = 2, .sno_slots = 4, .events_in_100 = 20, .island = true,
		.weight = {[EV_TICK] = 10, [EV_FORWARD] = 2, [EV_ADVANCE] = 6, [EV_RESTORE] = 3, [EV_RESET] = 3, [EV_DDL] = 3,
			[EV_TRANSACTION] = 3, [EV_FOREIGN] = 2, [EV_INTERRUPT] = 2, [EV_EXIT] = 4, [EV_STORM] = 2, [EV_STALL] = 3,
		[EV_DATABASE] = 1},
	},
	{
		.name = "failures", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 14, .failures = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 6, [EV_BACK] = 5, [EV_BACK_FAR] = 5, [EV_CRASH] = 2, [EV_DDL] = 1,
		[EV_RESTORE] = 2, [EV_ADVANCE] = 2, [EV_RESET] = 1, [EV_INTERRUPT] = 3, [EV_EXIT] = 1, [EV_STALL] = 3},
	},
	{
		.name = "cut-off", .databases = 2, .partitions = 2, .sno_slots = 4, .events_in_100 = 14, .failures = true,
		.weight = {[EV_TICK] = 8, [EV_FORWARD] = 3, [EV_JUMP] = 4, [EV_BACK] = 2, [EV_UNJUMP] = 5, [EV_CRASH] = 1,
		[EV_RESET] = 8, [EV_EXIT] = 1, [EV_STALL] = 3},
	},
	{
		.name = "everything", .databases = 3, .partitions = 5, .sno_slots = 3, .events_in_100 = 14,
		.weight = {[EV_TICK] = 16, [EV_FORWARD] = 4, [EV_JUMP] = 1, [EV_BACK] = 8, [EV_BACK_FAR] = 4,
			[EV_UNJUMP] = 1, [EV_CRASH] = 2, [EV_PROMOTE] = 1, [EV_DDL] = 2, [EV_TRANSACTION] = 2, [EV_RELOAD] = 2,
			[EV_RESTORE] = 1, [EV_ADVANCE] = 1, [EV_RESET] = 1, [EV_EXIT] = 2, [EV_INTERRUPT] = 2,
		[EV_STALL] = 4, [EV_LOOK] = 1, [EV_FLUSH] = 1, [EV_FOREIGN] = 1, [EV_STORM] = 1, [EV_DATABASE] = 1},
	},
};

/* What the schedules of a kind came to; for the test's line, and to see that they do something. */
static struct
{
	long		ids;
	long		events[EVENTS];
	long		toggles;
	long		went_ahead;
	long		errors;
	long		forgotten;		/* IDs beyond what a standby had */
	long		freed;			/* databases' memory */
	long		taken_over;		/* IDs under a number that another database
								 * had before */
}			count;

/* ---------- the schedule under way ---------- */

static const Kind *kind;		/* NULL: a world */
static bool concluding;			/* whatever happened is over, and the clock
								 * may step: see Kind.island */
static int	round_number;
static uint8 weights[EVENTS];
static uint32 weights_sum;
static bool formats_used[FLAKE_FORMATS];
static int	grain;				/* points that a backend runs for, at most */
static int	max_ahead;			/* the most that flake_max_ahead was */
static int64 before_jump;		/* the clock before the last jump, or 0 */
static int64 raised[SIM_DATABASES][FLAKE_MARK_KINDS];	/* promised by a restore
														 * or advance */
static int64 raised_at_commit[SIM_DATABASES][FLAKE_MARK_KINDS]; /* the same, of the
																 * transaction that has
																 * rewritten the table */
static int	raised_since[SIM_DATABASES];	/* who has not heard this of
											 * server.invalidations may not
											 * know of it */

/* Instants worth going back to. */
static int64 instants[16];
static uint32 instants_kept;

static void
keep_instant(int64 us)
{
	instants[instants_kept++ % lengthof(instants)] = us;
}

/* ---------- jobs ---------- */

Job			jobs[SIM_BACKENDS];

/* Identities that were in force since the server started, of each database. */
static FlakeIdentity identities[SIM_DATABASES][ROUNDS + 64];
static int	identities_seen[SIM_DATABASES];
static TimestampTz reloaded_seen;

/* Whether a generation was in force before is told by its number, whatever database had it. */
static uint64 generations_seen[SIM_DATABASES];
static bool generations_used[4096];

static void
note_identity(void)
{
	if (shared == NULL)
		return;
	if (shared->reloaded != reloaded_seen)
	{
		if (shared->reloaded < reloaded_seen && reloaded_seen + FLAKE_PG_EPOCH_US <= server.lowest)
			sim_fault("settings read at %ld are put in force after those read at %ld",
					  (long) (shared->reloaded + FLAKE_PG_EPOCH_US), (long) (reloaded_seen + FLAKE_PG_EPOCH_US));
		reloaded_seen = shared->reloaded;
		server.lowest = server.now;
	}
	for (int d = 0; d < SIM_DATABASES; d++)
	{
		FlakeDatabase *db = database_memory(d);
		int			seen = identities_seen[d];

		if (db == NULL)
		{
			generations_seen[d] = 0;
			continue;
		}
		if (db->generation.value != generations_seen[d])
		{
			bool	   *used = &generations_used[(db->generation.value >> 1) % lengthof(generations_used)];

			if (*used)
				sim_fault("generation %ld was in force before", (long) (db->generation.value >> 1));
			*used = true;
			generations_seen[d] = db->generation.value;
		}
		if (db->identity.settings == 0 || seen == (int) lengthof(identities[0]) ||
			(seen > 0 && memcmp(&identities[d][seen - 1], &db->identity, sizeof(FlakeIdentity)) == 0))
			continue;
		identities[d][identities_seen[d]++] = db->identity;
		for (int f = 0; sim_tracing && f < FLAKE_FORMATS; f++)
		{
			const FlakeOwn *own = &db->identity.own[f];

			trace("database %d: %s %ld%s%s, %u-%u of %u, %s", d, flake_formats[f]->name, (long) own->number,
				  own->derived ? " derived" : "", own->shared ? " shared" : "", own->min, own->max, own->scope,
				  own->fault == FLAKE_NUMBER_OK ? "its own" : own->fault == FLAKE_NUMBER_HELD ? "held" : "too great");
		}
	}
}

/* Resets set the order back; while one is under way, nothing can be said about it. */
static int	resets[SIM_DATABASES];
static int	resets_active[SIM_DATABASES];

/* What each database's memory counts as resets: one that was cut off may be completed long after its call. */
static const FlakeDatabase *resets_of[SIM_DATABASES];
static uint64 resets_seen[SIM_DATABASES];

static int
reset_stamp(int database)
{
	const FlakeDatabase *db = database_memory(database);

	if (db != NULL)
	{
		resets[database] += resets_of[database] == db && resets_seen[database] != db->resets;
		resets_of[database] = db;
		resets_seen[database] = db->resets;
	}
	return resets_active[database] > 0 ? ++resets[database] : resets[database];
}

/*
 * What sets sno's order back: steps of the clock, and a restore or advance in the
 * database, which may turn to the other timeline.
 */
static int	raises[SIM_DATABASES];

static int
steps_back(int database)
{
	return server.steps_back + raises[database];
}

/* ---------- what was issued ---------- */

typedef struct Issued
{
	uint64		tick;
	int64		start;
	uint32		number;
	uint32		unit;
	int			schedule;		/* other schedules' entries are empty */
	int			order;			/* when it was issued last: ids_issued */
	int			incarnation;
	int			resets;
	uint8		format;
	uint8		timeline;
	TransactionId xid;			/* by a transaction that may take it back, or
								 * 0 */
	uint8		databases;		/* set of those that must not issue it again
								 * ... */
	uint8		steady;			/* ... unless the clock has ever stepped back
								 * ... */
	uint8		rolled_back;	/* ... and while the server runs: made with an
								 * extension that never was */
	uint8		late;			/* set of those where it was issued after the
								 * extension was dropped, by a call that began
								 * before */
	uint8		backend;
	uint8		database;		/* of the last who issued it */

	/*
	 * How each database has issued it under its own number while the server
	 * runs.
	 */
	uint8		own[SIM_DATABASES]; /* 0: it has not; 1: a set one; 2: a
									 * derived one */
	uint32		scope[SIM_DATABASES];
} Issued;

#define TABLE		8192
static Issued table[TABLE];
static Issued *issued[TABLE];
static int	issued_count;
static int	schedule_stamp;
static int	ids_issued;			/* in this schedule */

static uint64 issued_here[SIM_DATABASES][FLAKE_FORMATS];	/* since the database's
															 * memory was made */
static const FlakeDatabase *memory_of[SIM_DATABASES];	/* which is this ... */
static int	memory_since[SIM_DATABASES];	/* ... and was first used after so
											 * many IDs */

static int	issued_in[SIM_DATABASES];	/* 1 + how often the extension had
										 * been dropped when an ID was issued
										 * last with the table there was then */

static Issued *
look_up(const FlakeFormat *format, const FlakeTicket *ticket, uint32 unit)
{
	uint64		hash = (ticket->tick * 31 + ticket->number) * 4099 + unit * 17 + ticket->timeline * 5 + format->id;

	hash *= UINT64_C(0x9e3779b97f4a7c15);
	for (uint32 i = (uint32) (hash >> 51);; i = (i + 1) % TABLE)
	{
		Issued	   *entry = &table[i];

		if (entry->schedule != schedule_stamp)
		{
			entry->schedule = schedule_stamp;
			entry->format = format->id;
			entry->tick = ticket->tick;
			entry->number = ticket->number;
			entry->unit = unit;
			entry->timeline = ticket->timeline;
			entry->databases = 0;
			entry->rolled_back = 0;
			entry->late = 0;
			entry->steady = 0;
			memset(entry->own, 0, sizeof(entry->own));
			memset(entry->scope, 0, sizeof(entry->scope));
			entry->xid = InvalidTransactionId;
			issued[issued_count++] = entry;
			return entry;
		}
		if (entry->tick == ticket->tick && entry->number == ticket->number && entry->unit == unit &&
			entry->format == format->id && entry->timeline == ticket->timeline)
			return entry;
	}
}

static FlakeMarkKind
mark_kind(const FlakeFormat *format, unsigned timeline)
{
	if (!format->tick_tock)
		return FLAKE_MARK_AHEAD;
	return timeline == 0 ? FLAKE_MARK_TICK : FLAKE_MARK_TOCK;
}

static bool
is_retired(const SimPage *page, FlakeMarkKind mark, int64 start)
{
	return start >= row_us(page, mark, FLAKE_RETIRED_FROM) && start < row_us(page, mark, FLAKE_RETIRED_TO);
}

static bool
below_mark(const SimPage *page, FlakeMarkKind mark, int64 start)
{
	return start < row_us(page, mark, FLAKE_MARK) || is_retired(page, mark, start);
}

/* Does the page say that nothing was issued there? */
static bool
in_gap(const SimPage *page, FlakeMarkKind mark, int64 start)
{
	return start >= row_us(page, mark, FLAKE_JUMP_FROM) && start < row_us(page, mark, FLAKE_JUMP_TO) &&
		!is_retired(page, mark, start);
}

/*
 * All that must not come again stands below the marks on disk, also what was issued
 * with an earlier table: a crash could come now.  Where the extension was dropped that
 * holds from the first ID on that is made with the new one.
 */
void
check_marked(void)
{
	for (int i = 0; i < issued_count; i++)
	{
		const Issued *entry = issued[i];

		for (int d = 0; d < SIM_DATABASES; d++)
		{
			const Database *database = &server.databases[d];

			if ((entry->databases & ~entry->late & ~entry->steady & 1 << d) == 0 || !database->exists || database->owner != 0 ||
				issued_in[d] != database->drops + 1 ||
				entry->incarnation != server.incarnation || entry->database != d ||
				entry->order <= memory_since[d] || memory_of[d] != database_memory(d))
				continue;
			if (!below_mark(&database->durable, mark_kind(flake_formats[entry->format], entry->timeline), entry->start))
				sim_fault("the mark on disk lacks a %s of database %d: timeline %u tick %ld (%ld)",
						  flake_formats[entry->format]->name, d, entry->timeline, (long) entry->tick, (long) entry->start);
		}
	}
}

/* A forced reset: what was issued from us on may come again. */
static void
forget_issued(int database, int64 us)
{
	for (int i = 0; i < issued_count; i++)
		if (issued[i]->start >= us)
			issued[i]->databases &= ~(1 << database);
}

/*
 * The pages were set back: what lies above them is no longer known to have been
 * issued, and if records were lost, nor is what lies in a gap.
 */
static void
forget_unmarked(bool lost)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
			raised[d][mark] = Min(raised[d][mark], row_us(&server.databases[d].durable, mark, FLAKE_MARK));
	for (int i = 0; i < issued_count; i++)
	{
		Issued	   *entry = issued[i];
		FlakeMarkKind mark = mark_kind(flake_formats[entry->format], entry->timeline);

		for (int d = 0; d < SIM_DATABASES; d++)
		{
			const SimPage *page = &server.databases[d].durable;

			if (entry->databases & 1 << d &&
				(!below_mark(page, mark, entry->start) ||
				 (lost && in_gap(page, mark, entry->start))))
			{
				entry->databases &= ~(1 << d);
				count.forgotten++;
			}
		}
	}
}

/*
 * Another library, with memory of its own, works in the same database: it moves a
 * mark and issues what starts below it.
 */
static void
issue_elsewhere(int database)
{
	Database   *d = &server.databases[database];
	FlakeMarkKind mark = random_below(FLAKE_MARK_KINDS);
	int64		us = row_us(&d->page, mark, FLAKE_MARK);

	/*
	 * not while somebody moves it here: two libraries at once were never one
	 * server's
	 */
	if (!d->exists || server.dropped[database] || d->owner != 0 || d->ddl || us == 0 ||
		(database_memory(database) != NULL && database_memory(database)->writer.value != 0))
		return;
	trace("a mark of database %d is moved from %ld by another library", database, (long) us);
	mark_by_hand(database, mark, us + FLAKE_LEAD_US);
	keep_instant(us);
	for (int f = 0; f < FLAKE_FORMATS; f++)
	{
		const FlakeFormat *format = flake_formats[f];
		FlakeTicket ticket = {.timeline = mark == FLAKE_MARK_TOCK};

		if (format->slots == 0 || mark_kind(format, ticket.timeline) != mark)
			continue;
		for (int i = 0; i < 30; i++)
		{
			Issued	   *entry;

			ticket.tick = flake_tick_from(&format->rate, us) + random_below(2);
			ticket.number = random_below(4);
			entry = look_up(format, &ticket, (f == FLAKE_SNO ? server.settings[server.file].of[database].sno_min : 0) + random_below(4));
			if (entry->databases != 0)
				continue;
			entry->databases = (uint8) (1 << database);
			entry->start = flake_us_of(&format->rate, ticket.tick);
			entry->incarnation = -1;
			entry->order = INT_MAX;
			entry->backend = 99;
		}
	}
}

/*
 * With the extension its mark is gone, but for what memory has issued.  What is
 * neither there nor on the page may come again.
 */
static void
forget_unknown(int database, TransactionId xid)
{
	FlakeDatabase *db = database_memory(database);
	int64		known[FLAKE_MARK_KINDS] = {0};
	int			left = sim_left;

	/* nobody else may run meanwhile, and free what is looked at */
	sim_left = INT_MAX;
	for (int mark = 0; db != NULL && mark < FLAKE_MARK_KINDS; mark++)
		known[mark] = backends[0].library.issued(db, mark);
	sim_left = left;
	for (int i = 0; i < issued_count; i++)
	{
		FlakeMarkKind mark = mark_kind(flake_formats[issued[i]->format], issued[i]->timeline);

		if ((xid != InvalidTransactionId && issued[i]->xid == xid) ||
			below_mark(&server.databases[database].page, mark, issued[i]->start))
			continue;

		/*
		 * of before the last start memory has the mark, and only if that does
		 * not look wrong
		 */
		if (db != NULL && server.steps_back == 0 && issued[i]->start < (int64) db->mark_floor[mark].value &&
			raised[database][mark] == 0)
			issued[i]->steady |= 1 << database;
		else if (issued[i]->start >= known[mark] || issued[i]->incarnation != server.incarnation ||
				 issued[i]->order <= memory_since[database] || memory_of[database] != db)
			issued[i]->databases &= ~(1 << database);
	}
}

void
drop_extension(int database)
{
	extension_drop(database);
	forget_unknown(database, InvalidTransactionId);
}

/*
 * A database is dropped, and another made, which nobody can connect to while it is
 * "gone".  What the old one has retired may come again under its number.
 */
static void
replace_database(int database, bool gone)
{
	FlakeDatabase *db = database_memory(database);
	int			left = sim_left;

	/* nobody else may run meanwhile */
	sim_left = INT_MAX;
	for (int i = 0; i < issued_count; i++)
	{
		FlakeMarkKind mark = mark_kind(flake_formats[issued[i]->format], issued[i]->timeline);

		if (is_retired(&server.databases[database].page, mark, issued[i]->start) ||
			(db != NULL && issued[i]->start >= backends[0].library.issued(db, mark)))
			issued[i]->own[database] = 0;
	}
	sim_left = left;
	server.dropped[database] = gone;
	server.last_born[database] = shared != NULL ? shared->generation.value : 0;
	database_replace(database, once_in(2));
	issued_in[database] = 0;
	forget_unknown(database, InvalidTransactionId);
	forget_promises(database);
}

/* A database's memory goes: by rule only when no session is attached and all of it is past. */
void
memory_freed(const FlakeDatabase *db)
{
	int			database = (int) (db->oid - database_oid(0)) / server.oid_step;
	int64		clock = self->clock_max;

	count.freed++;
	for (int mark = 0; db->born > server.last_born[database] && mark < FLAKE_MARK_KINDS; mark++)
		if ((int64) db->value[mark][FLAKE_MARK].value > clock &&
			db->value[mark][FLAKE_MARK].value != db->mark_floor[mark].value)
			sim_fault("the memory of database %d is freed with a mark ahead of the clock", database);
	for (int i = 0; db->born > server.last_born[database] && i < issued_count; i++)
		if (issued[i]->databases & 1 << database && issued[i]->incarnation == server.incarnation &&
			issued[i]->start > clock && memory_of[database] == db &&
			issued[i]->database == database && issued[i]->order > memory_since[database])
			sim_fault("the memory of database %d is freed with IDs ahead of the clock", database);
	count.toggles += db->clock.toggles;
	count.went_ahead += db->clock.went_ahead;
	if (memory_of[database] == db)
		memory_of[database] = NULL;
	/* nothing, unless the extension or the database was dropped meanwhile */
	forget_unknown(database, InvalidTransactionId);
}

/* The transaction under way dropped the extension. */
static bool dropped[SIM_DATABASES];

/* What was restored or advanced to is void. */
void
forget_promises(int database)
{
	memset(raised[database], 0, sizeof(raised[0]));
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (backends[i].database == database)
			memset(jobs[i].raised, 0, sizeof(jobs[i].raised));
}

void
transaction_over(Backend *backend, TransactionId xid, bool committed)
{
	const Database *d = &server.databases[backend->database];

	trace("backend %d %s transaction %u", backend->index, committed ? "commits" : "rolls back", xid);
	if (committed && dropped[backend->database])
		forget_unknown(backend->database, xid);
	for (int i = 0; i < issued_count; i++)
	{
		Issued	   *entry = issued[i];
		bool		ours = entry->xid == xid;
		uint8		bit = (uint8) (1 << backend->database);

		if (ours && !committed)
		{
			entry->databases &= ~bit;
			entry->rolled_back |= bit;
		}
		if (committed && ours && !dropped[backend->database] && entry->databases & bit &&
			!below_mark(&d->durable, mark_kind(flake_formats[entry->format], entry->timeline), entry->start))
			sim_fault("committed without the mark of its %s: %ld", flake_formats[entry->format]->name, (long) entry->start);
		if (ours)
			entry->xid = InvalidTransactionId;
	}
	forget_promises(backend->database);
	if (committed && !dropped[backend->database])
	{
		memcpy(raised[backend->database], raised_at_commit[backend->database], sizeof(raised[0]));
		raised_since[backend->database] = server.invalidations;
	}
	memset(raised_at_commit[backend->database], 0, sizeof(raised[0]));
	dropped[backend->database] = false;
}

/* The last ID that a backend got of a generator. */
typedef struct Last
{
	bool		any;
	uint64		time;			/* tick, and for sno the timeline below it */
	uint32		number;
	uint32		sequence;
	int			steps_back;
	int			resets;
} Last;

static Last last_ids[SIM_BACKENDS][FLAKE_FORMATS][9];	/* of the own number, of
														 * others */

static void
check_order(Backend *backend, const Job *job, const FlakeTicket *ticket)
{
	bool		tick_tock = job->format->tick_tock;
	Last	   *last = &last_ids[backend->index][job->format->id][job->number == FLAKE_OWN ? 0 : 1 + ticket->number % 8];
	Last		now = {
		.any = true,
		.time = ticket->tick << tick_tock | ticket->timeline,
		.number = ticket->number,
		.sequence = ticket->sequence,
		.steps_back = job->steps_back,
		.resets = job->resets,
	};
	bool		comparable = last->any && last->resets == reset_stamp(backend->database);

	/* sno is in order while the clock does not step back, the others always */
	if (tick_tock)
		comparable &= last->steps_back == steps_back(backend->database);
	if (comparable &&
		(now.time < last->time ||
		 (now.time == last->time &&
		  (now.number < last->number || (now.number == last->number && now.sequence <= last->sequence)))))
		sim_fault("%s out of order: tick %ld number %u sequence %u after tick %ld number %u sequence %u",
				  job->format->name, (long) (now.time >> tick_tock), now.number, now.sequence,
				  (long) (last->time >> tick_tock), last->number, last->sequence);
	*last = now;
}

/*
 * While the clock does not step, load alone must not open tick after tick ahead
 * of it: for each tick the clock has to move by one.
 */
typedef struct Ahead
{
	uint64		tick;			/* issued last */
	uint64		clock_tick;
	int64		opened;			/* ticks opened, less those that the clock
								 * moved by */
	int			stamp;
} Ahead;

static Ahead ahead[SIM_DATABASES][FLAKE_FORMATS][8];
static bool load_checked;		/* it can be told from the IDs */

static void
check_load(int database, const Job *job, const FlakeTicket *ticket)
{
	const FlakeRate *rate = &job->format->rate;
	Ahead	   *a = &ahead[database][job->format->id][ticket->number % 8];
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
		/* an ID may be handed out long after its tick was opened */
		if (a->opened > 3 + SIM_BACKENDS)
			sim_fault("%s %u goes ahead of the clock by load", job->format->name, ticket->number);
	}
	a->tick = Max(a->tick, ticket->tick);
	a->clock_tick = Max(a->clock_tick, clock_tick);
}

/*
 * The number and the sequence must be those of an identity in force during the
 * call.  Returns what the number is: see Issued.
 */
static int
check_identity(const Backend *backend, const Job *job, const FlakeTicket *ticket)
{
	FlakeFormatId format = job->format->id;
	bool		good = false;
	int			class = -1;

	note_identity();
	for (int i = Max(job->identity, 0); i < identities_seen[backend->database]; i++)
	{
		const FlakeOwn *own = &identities[backend->database][i].own[format];
		int			is;

		if (job->number == FLAKE_OWN && (own->fault != FLAKE_NUMBER_OK || own->number != ticket->number))
			continue;
		if (job->number != FLAKE_OWN && (uint32) job->number != ticket->number)
			continue;
		if (format != FLAKE_UID96 && (ticket->sequence < own->min || ticket->sequence + job->stride - 1 > own->max))
			continue;
		good = true;
		is = job->number != FLAKE_OWN || own->shared || format == FLAKE_UID64 ? 0 : own->derived ? 2 : 1;
		class = class < 0 || class == is ? is : 0;
	}
	for (int i = 0; !good && i < identities_seen[backend->database]; i++)
		trace("identity %d: number %ld fault %u of %u-%u%s", i, (long) identities[backend->database][i].own[format].number,
			  identities[backend->database][i].own[format].fault, identities[backend->database][i].own[format].min,
			  identities[backend->database][i].own[format].max, i < job->identity ? ", before" : "");
	if (!good)
		sim_fault("%s of another identity: number %u sequence %u", job->format->name,
				  ticket->number, ticket->sequence);
	return class;
}

/* No two databases issue an ID under numbers of their own, both set or both derived. */
static void
check_claim(const Backend *backend, const Job *job, Issued *entry, int class, uint32 scope)
{
	if (entry->incarnation != server.incarnation)
		memset(entry->own, 0, sizeof(entry->own));
	if (class == 0)
		return;
	for (int d = 0; d < SIM_DATABASES; d++)
		if (d != backend->database && entry->own[d] == class && entry->scope[d] == scope)
			sim_fault("%s issued in databases %d and %d: timeline %u tick %ld (%ld) number %u sequence %u",
					  job->format->name, d, backend->database, entry->timeline, (long) entry->tick,
					  (long) flake_us_of(&job->format->rate, entry->tick), entry->number, entry->unit);
	entry->own[backend->database] = (uint8) class;
	entry->scope[backend->database] = scope;
}

/* Is it in a database that nothing has happened to? */
static bool
in_island(const Backend *backend)
{
	return kind != NULL && kind->island && !concluding && backend->database == 0;
}

/* An ID was handed out. */
static void
check_issue(Backend *backend, const Job *job, const FlakeTicket *ticket)
{
	const FlakeFormat *format = job->format;
	Database   *database = &server.databases[backend->database];
	int64		start = flake_us_of(&format->rate, ticket->tick);
	int64		length = flake_us_of(&format->rate, ticket->tick + 1) - start;
	FlakeMarkKind mark = mark_kind(format, ticket->timeline);
	uint8		bit = (uint8) (1 << backend->database);
	const FlakeIdentity *identity = backend->library.identity;
	uint32		scope = format->id == FLAKE_SIQ ? identity->siq_domain : 0;
	int			class;

	trace("got %s timeline %u tick %ld (%ld) number %u sequence %u", format->name, ticket->timeline,
		  (long) ticket->tick, (long) start, ticket->number, ticket->sequence);
	count.ids++;
	ids_issued++;
	if (memory_of[backend->database] != *backend->library.database)
	{
		memset(issued_here[backend->database], 0, sizeof(issued_here[0]));
		memory_since[backend->database] = ids_issued - 1;
	}
	memory_of[backend->database] = *backend->library.database;
	issued_here[backend->database][format->id]++;
	if (once_in(4))
		keep_instant(start);
	class = check_identity(backend, job, ticket);

	for (uint32 i = 0; i < job->stride; i++)
	{
		Issued	   *entry = look_up(format, ticket, ticket->sequence + i);

		if ((entry->databases & bit && !(entry->steady & bit && server.steps_back > 0)) ||
			(entry->rolled_back & bit && entry->incarnation == server.incarnation && entry->resets == job->resets))
			sim_fault("%s issued twice: timeline %u tick %ld (%ld) number %u sequence %u, first by backend %d",
					  format->name, ticket->timeline, (long) ticket->tick, (long) start, ticket->number,
					  ticket->sequence + i, entry->backend);
		for (int d = 0; d < SIM_DATABASES; d++)
			if (d != backend->database && entry->databases & 1 << d && entry->tick == ticket->tick)
				count.taken_over++;
		check_claim(backend, job, entry, class, scope);
		entry->databases |= bit;
		entry->steady &= ~bit;
		entry->xid = backend->xid;
		entry->order = ids_issued;
		entry->start = start;
		entry->incarnation = server.incarnation;
		entry->resets = job->resets;
		entry->late = job->drops == database->drops ? entry->late & ~bit : entry->late | bit;
		entry->backend = (uint8) backend->index;
		entry->database = (uint8) backend->database;
	}

	/*
	 * A statement that began before the extension was dropped may go on with
	 * the old mark; the transaction that creates it has its own.
	 */
	if (database->owner == backend->index + 1 &&
		server.uncommitted[backend->database].relation.rd_createSubid != 0)
	{
		if (!below_mark(&server.uncommitted[backend->database].page, mark, start))
			sim_fault("%s issued above the mark written by the transaction", format->name);
	}
	else if (job->drops == database->drops && database->exists)
	{
		if (!below_mark(&database->durable, mark, start))
			sim_fault("%s issued above the mark on disk: timeline %u tick %ld (%ld), mark %ld",
					  format->name, ticket->timeline, (long) ticket->tick, (long) start,
					  (long) row_us(&database->durable, mark, FLAKE_MARK));
		issued_in[backend->database] = database->drops + 1;
		if (in_gap(&database->durable, mark, start))
			sim_fault("%s issued in the gap that the mark on disk tells of: timeline %u tick %ld (%ld)",
					  format->name, ticket->timeline, (long) ticket->tick, (long) start);
	}
	if (start - backend->clock_max > (int64) max_ahead * 1000 + length)
		sim_fault("%s issued %ld us ahead of the clock", format->name, (long) (start - backend->clock_max));
	if (start + length <= backend->clock_min)
		sim_fault("%s issued %ld us behind the clock", format->name, (long) (backend->clock_min - start));
	if (start < job->raised[mark])
		sim_fault("%s issued below what was restored: %ld, %ld", format->name, (long) start,
				  (long) job->raised[mark]);
	if (ticket->sequence + job->stride > UINT32_C(1) << format->sequence_bits)
		sim_fault("%s has no sequence %u", format->name, ticket->sequence);
	if (in_island(backend) && start > backend->clock_max + length)
		sim_fault("%s issued ahead of the clock in a database that nothing happened to", format->name);
	check_order(backend, job, ticket);
	check_load(backend->database, job, ticket);
}

/* A Go library restored from the snapshot must not repeat what was issued before it. */
static void
check_snapshot(Backend *backend, const Job *job, const FlakeSnapshot *state)
{
	const SimPage *page = &server.databases[backend->database].page;

	if (server.databases[backend->database].drops > 0)
		return;
	for (int i = 0; i < issued_count; i++)
	{
		Issued	   *entry = issued[i];

		/* "order" tells when the last database to issue it did so */
		if (entry->order > job->issued || entry->format != FLAKE_SNO || entry->number != (uint32) job->number ||
			!(entry->databases & 1 << backend->database) || entry->database != backend->database ||
			is_retired(page, entry->timeline, entry->start))
			continue;

		if (entry->timeline == (state->drifts & 1)
			? entry->tick > state->high || (entry->tick == state->high && entry->unit >= state->next)
			: entry->tick > state->safe)
			sim_fault("snapshot (high %ld next %u safe %ld drifts %ld) leaves out timeline %u tick %ld sequence %u",
					  (long) state->high, state->next, (long) state->safe, (long) state->drifts,
					  entry->timeline, (long) entry->tick, entry->unit);
	}
}

/* From now on nothing below us may be issued; unless that was undone meanwhile. */
static void
promise(const Backend *backend, const Job *job, FlakeMarkKind mark, int64 us)
{
	keep_instant(us);
	raises[backend->database]++;

	/*
	 * in a transaction that has changed the table it counts when that has
	 * committed
	 */
	if (server.databases[backend->database].owner == backend->index + 1)
		raised_at_commit[backend->database][mark] = Max(raised_at_commit[backend->database][mark], us);
	else if (job->drops == server.databases[backend->database].drops && job->resets == reset_stamp(backend->database))
		raised[backend->database][mark] = Max(raised[backend->database][mark], us);
}

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
	while (own->fault != FLAKE_NUMBER_OK)
	{
		(void) backend->library.own(&flake_uid96);
		ticket = *backend->library.generate(&flake_uid64, FLAKE_OWN, 1);
		uid64 = *job;
		uid64.format = &flake_uid64;
		check_issue(backend, &uid64, &ticket);
	}
	ticket.number = (uint32) own->number;
	check_claim(backend, job, look_up(&flake_uid96, &ticket, ticket.sequence),
				check_identity(backend, job, &ticket), 0);
	look_up(&flake_uid96, &ticket, ticket.sequence)->incarnation = server.incarnation;
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
	/* one being put in force under the lock is not yet */
	job->identity = identities_seen[backend->database] - 2;
	job->issued = job->kind == JOB_SNAPSHOT ? ids_issued : 0;
	job->failed = false;
	job->recovering = server.recovering;
	job->drops = backend->drops;
	job->resets = reset_stamp(backend->database);
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
				if (job->format->id == FLAKE_UID96)
					generate_uid96(backend, job);
				else
					check_issue(backend, job, library->generate(job->format, job->number, job->stride));
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
				for (int i = 0; i < FLAKE_MARK_KINDS; i++)
					promise(backend, job, i, job->us[0]);
				break;
			case JOB_MERGE:
				{
					Datum		row[1 + FLAKE_MARK_VALUES] = {job->mark, (Datum) (job->us[0] - FLAKE_PG_EPOCH_US)};
					TriggerData trigger = {.tg_trigtuple = row};

					for (int i = 1; i < FLAKE_MARK_VALUES; i++)
						row[1 + i] = (Datum) DT_NOBEGIN;
					for (int i = 0; i < 2 && job->retired[1] != 0; i++)
						row[1 + FLAKE_RETIRED_FROM + i] = (Datum) (job->retired[i] - FLAKE_PG_EPOCH_US);
					trace("merges row %d: %ld", job->mark, (long) job->us[0]);
					call.context = &trigger;
					trigger.tg_relation = mark_insert_begin();
					if (trigger.tg_relation == NULL)
						break;
					library->guard(&call);
					mark_insert_end();
					promise(backend, job, job->mark, job->us[0]);
				}
				break;
			case JOB_RESET:
				trace("resets to %ld", (long) job->us[0]);
				resets_active[backend->database]++;
				call.args[0] = (Datum) (job->us[0] - FLAKE_PG_EPOCH_US);
				call.args[1] = job->force;
				/* what was restored or advanced to is set back, too */
				forget_promises(backend->database);
				library->reset(&call);
				if (job->force)
					forget_issued(backend->database, job->us[0]);
				resets_active[backend->database]--;
				resets[backend->database]++;
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
					FlakeMarkValues values[FLAKE_MARK_KINDS];

					library->show(values);
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
			resets_active[backend->database]--;
			resets[backend->database]++;
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

/* ---------- choosing ---------- */

static int64
some_instant(void)
{
	static const int64 near[] = {0, 0, 0, -1, 1, -4000, 4000, -1000, 1000, -16, 16};
	int64		us;

	if (once_in(3))
	{
		/* of a page */
		us = row_us(&server.databases[random_below(kind->databases)].page,
					random_below(FLAKE_MARK_KINDS), random_below(FLAKE_MARK_VALUES));
		if (us == 0)
			us = server.now;
	}
	else
		us = instants[random_below(Min(instants_kept, lengthof(instants)))];
	return us + near[random_below(lengthof(near))];
}

static int64
some_us(void)
{
	static const int64 some[] = {
		1, 16, 300, 1000, 1024, 2000, 4000, 4000, 8000, 12000, 40000,
		300000, 999999, 1000000, 1500000, 2000000, 3000000, 9000000, 11000000
	};

	return some[random_below(lengthof(some))];
}

/* One database's settings. */
static void
choose_for_database(FlakeSettings *settings, int database)
{
	static const uint32 small[] = {0, 1, 2, 5};
	static const uint32 large[] = {5, 127, 255, 1023};
	uint32		size = kind->small_pools ? small[random_below(lengthof(small))] : large[random_below(lengthof(large))];
	uint32		most = (UINT32_C(1) << flake_snowflake.sequence_bits) - 1;

	memset(settings, 0, sizeof(*settings));
	settings->sno_min = once_in(2) ? 0 : random_below(5);
	settings->sno_max = settings->sno_min + size;
	settings->snowflake_max = most;
	settings->sno_partition = settings->siq_shard = settings->snowflake_worker = -1;
	if (kind->claims)
	{
		settings->node = (int32) random_below(4) - 2;
		settings->node = Max(settings->node, -1);
		if (once_in(2))
			settings->sno_partition = (int32) random_below(3);
		if (once_in(2))
			settings->siq_shard = (int32) random_below(2);
		if (once_in(3))
			settings->snowflake_worker = (int32) random_below(2);
		if (once_in(3))
			settings->snowflake_min = most / 2 + 1;
		else if (once_in(2))
			settings->snowflake_max = most / 2;
		settings->siq_domain_set = once_in(3);
		settings->siq_domain = settings->siq_domain_set ? 7 : 0;
		settings->uid_node_set = once_in(3);
		settings->uid_node = settings->uid_node_set ? random_below(2) : 0;
		return;
	}
	settings->node = database == 0 && once_in(8) ? -1 : database * 3 + (int32) random_below(3);
	if (database == 0 && once_in(4))
		settings->sno_partition = (int32) random_below(3);
}

/* Other settings in the file. */
static void
choose_settings(void)
{
	if (server.settings_count == SIM_SETTINGS)
		return;
	for (int d = 0; d < SIM_DATABASES; d++)
		choose_for_database(&server.settings[server.settings_count].of[d], d);
	server.file = server.settings_count++;
}

static void
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

void
read_settings(Backend *backend)
{
	backend->reload = false;
	backend->settings = server.file;
	backend->process.reloaded = GetCurrentTimestamp();
	trace("backend %d reads the settings %d", backend->index, backend->settings);
}

/* Begin a transaction: messages and settings may be taken notice of. */
static void
begin(Backend *backend)
{
	if (backend->reload && once_in(2))
		read_settings(backend);
	if (once_in(2))
		accept_invalidations(backend);
}

/* The backend is another process now. */
void
forget_order(const Backend *backend)
{
	memset(last_ids[backend->index], 0, sizeof(last_ids[0]));
}

static void
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

/* What the checks know of a server that runs. */
static void
forget_server(void)
{
	memset(identities_seen, 0, sizeof(identities_seen));
	reloaded_seen = 0;
	memset(generations_seen, 0, sizeof(generations_seen));
	memset(generations_used, 0, sizeof(generations_used));
	memset(memory_of, 0, sizeof(memory_of));
	memset(resets_active, 0, sizeof(resets_active));
	memset(dropped, 0, sizeof(dropped));
	memset(raised_at_commit, 0, sizeof(raised_at_commit));
	memset(issued_here, 0, sizeof(issued_here));
	memset(issued_in, 0, sizeof(issued_in));
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
	forget_unmarked(lost);
	server.postmaster = server.file;
	server.postmaster_reloaded = GetCurrentTimestamp();
	forget_server();
}

/* It comes up again. */
static void
restart(int records)
{
	go_down(records);
	start_server();
}

static void
set_clock(int64 us)
{
	us = Max(us, BASE_US - 600 * USECS_PER_SEC);
	us = Min(us, BASE_US + 86400 * USECS_PER_SEC);
	trace("clock set to %ld (%+ld)", (long) us, (long) (us - server.now));
	clock_set(us);
	if (once_in(2))
		keep_instant(us);
}

/* An idle backend, or NULL. */
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

static uint64 was_ahead_until[SIM_DATABASES][2];

/*
 * A backend put to sleep between its look at the clock and its swap may end a
 * decision to go ahead although the clock has stepped back; it costs sno's order, in
 * one of 100,000 schedules.
 */
static void
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

/* After each time that a backend was run. */
void
checks_after_run(void)
{
	note_identity();
	note_ahead_until();
}

/* Let a backend run for a while; it begins a job if it is idle. */
static void
run(Backend *backend)
{
	int			points = once_in(8) ? 200 : 1 + (int) random_below(grain);

	backend_resume(backend, points);
	checks_after_run();
	if (backend->state == BACKEND_BUSY && once_in(24))
		backend->stalled_until = round_number + 1 + (int) random_below(80);
}

static void run_alone(Backend *backend);

/* Have an idle backend begin what is said in its job. */
static void
begin_job(Backend *backend)
{
	begin(backend);
	run(backend);
}

static void
happen(Event event)
{
	Backend    *backend = &backends[random_below(SIM_BACKENDS)];
	Job		   *job;

	switch (event)
	{
		case EV_TICK:
			{
				static const int64 some[] = {1, 16, 17, 700, 1000, 1024, 2000, 4000, 4000, 5000, 9000};

				set_clock(server.now + some[random_below(lengthof(some))]);
			}
			break;
		case EV_FORWARD:
			{
				int64		us = once_in(2) ? some_instant() : server.now + some_us();

				set_clock(Max(us, server.now + 1));
			}
			break;
		case EV_JUMP:
			before_jump = server.now;
			set_clock(server.now + (61 + random_below(1000)) * USECS_PER_SEC);
			break;
		case EV_BACK:
			{
				static const int64 some[] = {1, 16, 32, 700, 1000, 1024, 4000, 4000, 8000, 12000, 24000, 80000};

				set_clock(server.now - some[random_below(lengthof(some))]);
			}
			break;
		case EV_BACK_FAR:
			{
				int64		us = once_in(2) ? some_instant() : server.now - some_us();

				set_clock(Min(us, server.now - 1));
			}
			break;
		case EV_UNJUMP:
			if (before_jump == 0)
				return;
			set_clock(before_jump + some_us());
			if (once_in(2))
				before_jump = 0;
			break;
		case EV_EXIT:
			backend = idle_backend();
			if (backend == NULL)
				return;
			jobs[backend->index].kind = JOB_EXIT;
			begin_job(backend);
			break;
		case EV_INTERRUPT:
			if (backend->state != BACKEND_BUSY || jobs[backend->index].kind != JOB_GENERATE)
				return;
			if (once_in(2))
				backend->cancel = true;
			else
				backend->terminate = true;
			break;
		case EV_STALL:
			backend->stalled_until = round_number + 1 + (int) random_below(100);
			break;
		case EV_CRASH:
			if (once_in(2))
				set_clock(once_in(2) ? some_instant() : server.now + (once_in(2) ? some_us() : -some_us()));
			restart(server.flushed + (int) random_below(server.inserted - server.flushed + 1));
			break;
		case EV_PROMOTE:
			{
				int			lost = once_in(8) ? server.flushed : 4;
				int			least = Max(server.flushed - lost, SIM_DATABASES);

				if (once_in(2))
					set_clock(once_in(2) ? some_instant() : server.now + (once_in(2) ? some_us() : -some_us()));
				restart(least + (int) random_below(server.flushed - least + 1));
				server.recovering = once_in(2);
			}
			break;
		case EV_DDL:
			{
				int			database = (int) random_below(kind->databases);
				Database   *d = &server.databases[database];

				if (d->owner != 0 || server.dropped[database] || (kind->island && database == 0))
					return;
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
			}
			break;
		case EV_TRANSACTION:
			{
				Database   *d = &server.databases[backend->database];

				if (backend->state != BACKEND_IDLE || (kind->island && backend->database == 0))
					return;
				if (backend->xid != InvalidTransactionId && !once_in(3))
					transaction_end(backend, !once_in(3));
				else if (d->owner == backend->index + 1 ||
						 (d->owner == 0 && !d->ddl && d->holders == 0))
				{
					bool		exists = d->owner != 0 ? server.uncommitted[backend->database].exists : d->exists;

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
				}
			}
			break;
		case EV_RELOAD:
			choose_settings();
			server.postmaster = server.file;
			server.postmaster_reloaded = GetCurrentTimestamp();
			for (int i = 0; i < SIM_BACKENDS; i++)
				backends[i].reload = true;
			trace("reload");
			break;
		case EV_RESTORE:
		case EV_ADVANCE:
		case EV_RESET:
		case EV_LOOK:
			backend = idle_backend();
			if (backend == NULL || (kind->island && backend->database == 0 && event != EV_LOOK))
				return;
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
			}
			else if (event == EV_LOOK)
			{
				job->kind = once_in(4) ? JOB_SHOW : JOB_SNAPSHOT;
				job->number = (int32) random_below(kind->partitions);
			}
			else
			{
				job->kind = once_in(2) ? JOB_ADVANCE : JOB_MERGE;
				job->mark = random_below(FLAKE_MARK_KINDS);
				if (once_in(8))
					job->us[0] += 3600 * USECS_PER_SEC;
			}
			begin_job(backend);
			/* often at once, while the others are in the middle of something */
			while (once_in(2) && backend->state == BACKEND_BUSY && backend_runnable(backend))
				backend_resume(backend, 100);
			note_identity();
			break;
		case EV_FLUSH:
			XLogFlush((XLogRecPtr) server.inserted);
			break;
		case EV_FOREIGN:
			issue_elsewhere((int) kind->island + (int) random_below(kind->databases - kind->island));
			break;
		case EV_DATABASE:
			{
				int			database = (int) kind->island + (int) random_below(kind->databases - kind->island);
				int			there = 0;

				if (server.dropped[database])
				{
					trace("database %d is created", database);
					server.dropped[database] = false;
					break;
				}
				for (int i = 0; i < SIM_BACKENDS; i++)
					if (backends[i].database == database && backends[i].state != BACKEND_GONE &&
						(backends[i].state != BACKEND_IDLE || server.databases[database].owner != 0))
						return;
				for (int i = 0; i < SIM_BACKENDS; i++)
					if (backends[i].database == database && backends[i].state == BACKEND_IDLE)
					{
						jobs[i].kind = JOB_EXIT;
						run_alone(&backends[i]);
					}
				for (int i = 0; i < kind->databases; i++)
					there += !server.dropped[i];
				trace("database %d is dropped", database);
				replace_database(database, there > 1 && !once_in(3));
			}
			break;
		case EV_STORM:
			{
				int			stays = (int) random_below(SIM_BACKENDS);

				for (int i = 0; i < SIM_BACKENDS; i++)
					if (i != stays && backends[i].state == BACKEND_IDLE)
					{
						jobs[i].kind = JOB_EXIT;
						run_alone(&backends[i]);
					}
				if (once_in(2))
					set_clock(server.now + FLAKE_LEAD_US + some_us());
			}
			break;
		case EVENTS:
			return;
	}
	count.events[event]++;
}

/* ---------- the end of a schedule ---------- */

/* Run what is under way to its end. */
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
			backend_resume(backend, 500);
			if (backend->state == BACKEND_IDLE)
				transaction_end(backend, once_in(2));
			note_identity();
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

/* Run one job alone to its end. */
static void
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
	note_identity();
}

/* The counts of shared memory must be those of the IDs that were issued. */
void
check_counts(void)
{
	for (int d = 0; d < SIM_DATABASES; d++)
	{
		FlakeDatabase *db = database_memory(d);
		uint32		first = 0;

		for (int f = 0; db != NULL && f < FLAKE_FORMATS; f++)
		{
			uint64		counted = db->recycled[f].value;
			uint64		is = memory_of[d] == db ? issued_here[d][f] : 0;

			for (uint32 i = first; i < first + flake_formats[f]->slots; i++)
			{
				counted += db->generators[i].issued.value;
				if (db->generators[i].waiting.value != 0)
					sim_fault("%s: a caller is still counted as waiting", flake_formats[f]->name);
			}
			for (int i = 0; i < SIM_BACKENDS; i++)
				if (shared->sessions[i].database.value == db->self && shared->sessions[i].pending > 0 &&
					(int) FLAKE_KEY_FORMAT(shared->sessions[i].key) == f)
					counted += shared->sessions[i].pending;
			first += flake_formats[f]->slots;
			if (counted != is)
				sim_fault("database %d, %s: %ld issued, %ld counted", d, flake_formats[f]->name, (long) is, (long) counted);
		}
		if (db != NULL && db->writer.value != 0)
			sim_fault("the writer's turn is left held in database %d", d);
	}
}

/*
 * When every backend has read the settings and made use of them, they are in
 * force; provided that the clock is past the time at which others were read.
 */
static void
check_settings(void)
{
	clock_set(Max(server.now, shared->reloaded + FLAKE_PG_EPOCH_US) + 1 + random_below(1000000));
	for (int i = 0; i < SIM_BACKENDS; i++)
		read_settings(&backends[i]);
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		Backend    *backend = &backends[i];

		if (backend->state != BACKEND_IDLE)
			continue;
		jobs[i].kind = JOB_GENERATE;
		jobs[i].format = &flake_sno;
		jobs[i].number = FLAKE_OWN;
		jobs[i].stride = 1;
		run_alone(backend);
		if (atoi(sim_memory + shared->settings) != server.file)
			sim_fault("the settings in force are not those that all have read last");
	}
}

/* Is the number that the job wants, or a part of its pool, another database's, as its memory says? */
static bool
held_elsewhere(const Backend *backend, const Job *job)
{
	const FlakeOwn *own = &backend->library.identity->own[job->format->id];

	if (job->number != FLAKE_OWN || own->fault != FLAKE_NUMBER_HELD)
		return false;
	for (int d = 0; d < SIM_DATABASES; d++)
		if (database_oid(d) == own->holder && database_memory(d) != NULL)
		{
			const FlakeOwn *other = &database_memory(d)->identity.own[job->format->id];

			return d != backend->database && other->fault == FLAKE_NUMBER_OK && other->number == own->number &&
				!other->derived && other->scope == own->scope && other->min <= own->max && own->min <= other->max;
		}
	return false;
}

/* Every generator must answer a backend of the database. */
static void
check_alive(int database, const char *when)
{
	Backend    *backend = NULL;

	for (int i = 0; i < SIM_BACKENDS && backend == NULL; i++)
		if (backends[i].state == BACKEND_IDLE && backends[i].database == database)
			backend = &backends[i];
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
		if (job->failed && !held_elsewhere(backend, job))
			sim_fault("%s %d makes no ID %s in database %d at %ld", job->format->name, job->number, when,
					  database, (long) server.now);
	}
}

/* The last instant that anything stands at: of the words, floors and this database's marks. */
static int64
highest(int database)
{
	int64		us = 0;
	uint32		first = 0;
	const SimPage *page = &server.databases[database].page;
	const FlakeDatabase *db = database_memory(database);

	for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
	{
		us = Max(us, row_us(page, mark, FLAKE_MARK));
		us = Max(us, row_us(page, mark, FLAKE_RETIRED_TO));

		/*
		 * memory may tell of more than the page of a database that was made
		 * anew
		 */
		if (db != NULL)
		{
			us = Max(us, (int64) db->value[mark][FLAKE_MARK].value);
			us = Max(us, (int64) db->value[mark][FLAKE_RETIRED_TO].value);
		}
	}
	for (int f = 0; db != NULL && f < FLAKE_FORMATS; f++)
	{
		const FlakeFormat *format = flake_formats[f];

		for (uint32 i = first; i < first + format->slots; i++)
			us = Max(us, flake_us_of(&format->rate, (db->generators[i].word.value & INT64_MAX) >>
									 (format->sequence_bits + 1)));
		for (int timeline = 0; timeline < 2; timeline++)
			us = Max(us, flake_us_of(&format->rate, db->floor[f][timeline].value));
		first += format->slots;
	}
	return us;
}

/* us, or the end of what is retired there or begins within "span" of it. */
static int64
past_retired(int database, int64 us, int64 span)
{
	const SimPage *page = &server.databases[database].page;
	const FlakeDatabase *db = database_memory(database);

	for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
	{
		if (us + span >= row_us(page, mark, FLAKE_RETIRED_FROM))
			us = Max(us, row_us(page, mark, FLAKE_RETIRED_TO));
		if (db != NULL && us + span >= (int64) db->value[mark][FLAKE_RETIRED_FROM].value)
			us = Max(us, (int64) db->value[mark][FLAKE_RETIRED_TO].value);
	}
	return us;
}

/* Set the clock right again after whatever happened: all must go on. */
static void
conclude(void)
{
	int			database = (int) random_below(kind->databases);
	int64		high;

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
	{
		/* a wrong clock is mended while others are in the middle of something */
		Backend    *backend = NULL;
		int64		us;

		for (int i = 0; i < SIM_BACKENDS && backend == NULL; i++)
			if (backends[i].state == BACKEND_IDLE && backends[i].database == database)
				backend = &backends[i];
		for (int i = 0; i < SIM_BACKENDS; i++)
		{
			JobKind		busy = backends[i].state == BACKEND_IDLE ? JOB_GENERATE : jobs[i].kind;

			/* what advances the marks meanwhile may do so after the reset */
			if (backends[i].lwlocks_held > 0 || backends[i].pages > 0 ||
				busy == JOB_RESTORE || busy == JOB_ADVANCE || busy == JOB_MERGE)
				backend = NULL;
		}
		if (backend != NULL && server.databases[database].owner == 0)
		{
			if (before_jump != 0)
				set_clock(before_jump + some_us());
			us = server.now;
			jobs[backend->index].kind = JOB_RESET;
			jobs[backend->index].us[0] = us;
			run_alone(backend);

			/*
			 * (a number that another database had comes with what was issued
			 * there, also at a wrong time)
			 */
			if (!jobs[backend->index].failed && past_retired(database, us, 20 * USECS_PER_SEC) == us && !kind->claims)
			{
				settle();
				max_ahead = flake_max_ahead = 10000;
				flake_max_wait = 5000;
				clock_set(us);
				check_alive(database, "after a reset");
			}
		}
	}

	settle();
	check_counts();
	check_marked();
	if (weights[EV_RELOAD] > 0 && shared != NULL)
		check_settings();
	if (once_in(3))
		return;

	if (once_in(2))
		restart(server.inserted);
	if (!server.databases[database].exists)
		extension_create(database);
	high = highest(database);
	if (high == 0)
		return;
	/* a number that another database had comes with what was issued there */
	for (int d = 0; kind->claims && d < SIM_DATABASES; d++)
		high = Max(high, highest(d));
	if (kind->partitions > (int) kind->sno_slots || kind->sno_slots < 3 || weights[EV_RELOAD] > 0)
		set_clock(high + random_below(1000) * 1000);	/* or the slots may be
														 * taken */
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
		set_clock(past_retired(database, server.now, 20 * USECS_PER_SEC));
	check_alive(database, "at last");
}

/* ---------- schedules ---------- */

/* Nothing has been issued yet. */
void
checks_begin(void)
{
	max_ahead = flake_max_ahead;
	load_checked = false;
	schedule_stamp++;
	issued_count = 0;
	ids_issued = 0;
	memset(resets, 0, sizeof(resets));
	memset(resets_of, 0, sizeof(resets_of));
	memset(resets_seen, 0, sizeof(resets_seen));
	memset(raises, 0, sizeof(raises));
	memset(raised, 0, sizeof(raised));
	memset(raised_since, 0, sizeof(raised_since));
	memset(ahead, 0, sizeof(ahead));
	memset(was_ahead_until, 0, sizeof(was_ahead_until));
	memset(last_ids, 0, sizeof(last_ids));
	forget_server();
}

/* What the checks keep while IDs of one format are made, but for what was issued. */
void
checks_state(int sessions, FlakeFormatId format)
{
	state_piece(jobs, sizeof(jobs[0]) * sessions, NULL);
	for (int i = 0; i < sessions; i++)
		state_piece(last_ids[i][format], sizeof(last_ids[0][0]), NULL);
	for (int d = 0; d < SIM_DATABASES; d++)
		state_piece(identities[d], sizeof(identities[0][0]), &identities_seen[d]);
	state_piece(identities_seen, sizeof(identities_seen), NULL);
	state_piece(&reloaded_seen, sizeof(reloaded_seen), NULL);
	state_piece(generations_seen, sizeof(generations_seen), NULL);
	state_piece(generations_used, 64, NULL);
	state_piece(memory_of, sizeof(memory_of), NULL);
	state_piece(memory_since, sizeof(memory_since), NULL);
	state_piece(resets, sizeof(resets), NULL);
	state_piece(resets_of, sizeof(resets_of), NULL);
	state_piece(resets_seen, sizeof(resets_seen), NULL);
	state_piece(resets_active, sizeof(resets_active), NULL);
	state_piece(raises, sizeof(raises), NULL);
	state_piece(raised, sizeof(raised), NULL);
	state_piece(raised_since, sizeof(raised_since), NULL);
	state_piece(was_ahead_until, sizeof(was_ahead_until), NULL);
	state_piece(dropped, sizeof(dropped), NULL);
	state_piece(issued_here, sizeof(issued_here), NULL);
	state_piece(issued_in, sizeof(issued_in), NULL);
	state_piece(&ids_issued, sizeof(ids_issued), NULL);
}

/* What was issued: written to "to"; answers its end. */
char *
issued_save(char *to)
{
	memcpy(to, &issued_count, sizeof(issued_count));
	to += sizeof(issued_count);
	for (int i = 0; i < issued_count; i++, to += sizeof(Issued))
		memcpy(to, issued[i], sizeof(Issued));
	return to;
}

size_t
issued_size(void)
{
	return sizeof(issued_count) + issued_count * sizeof(Issued);
}

/* Back to what was saved: a beginning of what there is now, so that look_up() finds its way. */
void
issued_load(const char *from)
{
	int			was;

	memcpy(&was, from, sizeof(was));
	from += sizeof(was);
	while (issued_count > was)
		issued[--issued_count]->schedule = 0;
	for (int i = 0; i < was; i++, from += sizeof(Issued))
		memcpy(issued[i], from, sizeof(Issued));
}

/* The same for the same IDs, in whatever order they were issued; but for a snapshot under way. */
uint64
issued_hash(void)
{
	uint64		sum = 0;
	int			before = 0;

	for (int i = 0; i < SIM_BACKENDS; i++)
		before = Max(before, jobs[i].issued);
	for (int i = 0; i < issued_count; i++)
	{
		const Issued *e = issued[i];
		uint64		hash = e->tick;

		hash = (hash ^ e->number) * UINT64_C(0x9e3779b97f4a7c15);
		hash = (hash ^ hash >> 29 ^ e->unit) * UINT64_C(0xbf58476d1ce4e5b9);
		hash = (hash ^ hash >> 31 ^ e->format ^ (uint64) e->timeline << 8 ^ (uint64) e->databases << 16 ^
				(uint64) e->rolled_back << 24 ^ (uint64) e->late << 56 ^ (uint64) e->incarnation << 32) * UINT64_C(0x94d049bb133111eb);
		hash = (hash ^ hash >> 30 ^ e->xid ^ (uint64) e->resets << 32 ^ (uint64) (e->order > before) << 63) * UINT64_C(0x9e3779b97f4a7c15);
		for (int d = 0; d < SIM_DATABASES; d++)
			hash = (hash ^ hash >> 29 ^ e->own[d] ^ (uint64) e->scope[d] << 8) * UINT64_C(0xbf58476d1ce4e5b9);
		sum += hash ^ hash >> 32;
	}
	return sum;
}

static void
begin_schedule(uint64 seed)
{
	static const int oid_steps[] = {1, 2, 32, 65536};
	uint32		slots;

	random_quiet = false;
	random_seed(seed * lengthof(kinds) + (uint64) (kind - kinds));
	checks_begin();
	instants_kept = 0;
	before_jump = 0;
	concluding = false;
	round_number = 0;

	/* every schedule has a mix of its own */
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
	slots = kind->sno_slots < 3 ? 2 : 6;
	if (kind->small_pools)
		formats_choose(kind->sno_slots, slots, slots, 2 + random_below(2), 1 + random_below(2), 1 + random_below(2), 32);
	else
		formats_choose(kind->sno_slots, slots, slots, once_in(2) ? 3 : 9, once_in(2) ? 2 : 8, once_in(2) ? 2 : 8,
					   kind->claims ? 2 << random_below(3) : 32);
	flake_max_ahead = kind->small_limits || once_in(4) ? (int) random_below(12) : 10000;
	max_ahead = flake_max_ahead;
	flake_max_wait = kind->small_limits ? (int) random_below(30) : 5000;
	server.failures = kind->failures;
	server.discards = kind->failures && once_in(8);
	server.settings_count = 0;
	server.oid_step = oid_steps[random_below(4)];
	choose_settings();

	server.now = BASE_US + random_below(1000000);
	server.clock_runs = !kind->frozen && !once_in(4);
	server.drift = once_in(4);
	server_create();
	keep_instant(server.now);

	/* A backend that moves to another number goes on above its own last tick. */
	load_checked = weights[EV_RELOAD] == 0 && !kind->claims;
	server.postmaster = server.file;
	server.postmaster_reloaded = GetCurrentTimestamp();
	start_server();
}

static void
run_rounds(void)
{
	for (; round_number < ROUNDS && server.inserted < SIM_RECORDS - 30 && server.invalidations < SIM_RECORDS - 10;
		 round_number++)
	{
		Backend    *backend = NULL;
		bool		stalled = false;

		if (random_below(100) < kind->events_in_100)
		{
			uint32		ticket = random_below(weights_sum);
			int			event = 0;

			while (ticket >= weights[event])
				ticket -= weights[event++];
			happen(event);
			continue;
		}
		if (server.recovering && once_in(8))
			server.recovering = false;

		for (uint32 i = 0, at = random_below(SIM_BACKENDS); i < SIM_BACKENDS; i++, at = (at + 1) % SIM_BACKENDS)
		{
			Backend    *candidate = &backends[at];

			if (candidate->state == BACKEND_GONE)
				start_backend(candidate);
			if (!backend_runnable(candidate))
				continue;
			if (candidate->stalled_until > round_number)
			{
				stalled = true;
				continue;
			}
			backend = candidate;
			break;
		}
		if (backend == NULL)
		{
			bool		ddl = false;

			for (int i = 0; i < SIM_DATABASES; i++)
				ddl |= server.databases[i].ddl;
			if (!stalled && !ddl)
				sim_fault("deadlock");
			for (int i = 0; i < SIM_BACKENDS; i++)
				backends[i].stalled_until = 0;
			continue;
		}
		if (backend->state == BACKEND_IDLE)
		{
			choose_generate(&jobs[backend->index]);
			begin_job(backend);
		}
		else
			run(backend);
	}
}

/* True when nothing was found. */
static bool
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

/* ---------- main ---------- */

static long
number_from(const char *text, long otherwise)
{
	return text != NULL && *text != '\0' ? atol(text) : otherwise;
}

/* Run the schedules of a kind or (NULL) all those of a world; true when nothing was found. */
static bool
test(int number, const Kind *of, const char *world, long seed)
{
	long		schedules = number_from(getenv("SIM_SCHEDULES"), 6000);
	char		line[2400];
	long		n;

	if (of == NULL)
	{
		bool		good = world_explore(world, (int) number_from(getenv("SIM_PREEMPTIONS"), 2), line, sizeof(line));

		printf("%s %d - %s\n", good ? "ok" : "not ok", number, line);
		if (!good)
			fprintf(stderr, "# %s\n# replay: build/sim/sim %s\n", sim_failure, line);
		return good;
	}
	memset(&count, 0, sizeof(count));
	for (n = 0; n < schedules && schedule(of, seed + n); n++)
		;
	if (n < schedules)
	{
		printf("not ok %d - schedule %lu of kind %s\n", number, (unsigned long) (seed + n), of->name);
		fprintf(stderr, "# %s\n# replay: build/sim/sim %s %lu\n", sim_failure, of->name, (unsigned long) (seed + n));
		return false;
	}
	printf("ok %d - %ld schedules of kind %s: %ld IDs, %ld crashes, %ld promotions, %ld toggles, %ld times gone ahead, %ld errors; no duplicate\n",
		   number, n, of->name, count.ids, count.events[EV_CRASH], count.events[EV_PROMOTE],
		   count.toggles, count.went_ahead, count.errors);
	return true;
}

int
main(int argc, char **argv)
{
	long		seed = number_from(getenv("SIM_SEED"), 1);
	long		hunt = -1;
	bool		all = false;
	char		library[4096];
	const char *slash = strrchr(argv[0], '/');
	const Kind *only = NULL;
	const char *world = NULL;
	int			option;
	int			tests = 0;
	int			failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(library, sizeof(library), "%.*sflake.so", slash ? (int) (slash - argv[0]) + 1 : 0, argv[0]);
	while ((option = getopt(argc, argv, "akl:m:w")) != -1)
		switch (option)
		{
			case 'k':
				for (size_t i = 0; i < lengthof(kinds); i++)
					puts(kinds[i].name);
				return 0;
			case 'w':
				for (int i = 0; (world = world_name(i)) != NULL; i++)
					puts(world);
				return 0;
			case 'a':
				all = true;
				break;
			case 'l':
				snprintf(library, sizeof(library), "%s", optarg);
				break;
			case 'm':
				hunt = atol(optarg);
				break;
			default:
				return 2;
		}
	if (optind < argc)
	{
		for (size_t i = 0; i < lengthof(kinds); i++)
			if (strcmp(kinds[i].name, argv[optind]) == 0)
				only = &kinds[i];
		for (int i = 0; world_name(i) != NULL; i++)
			if (strcmp(world_name(i), argv[optind]) == 0)
				world = argv[optind];
		if (only == NULL && world == NULL)
		{
			fprintf(stderr, "no such kind or world: %s\n", argv[optind]);
			return 2;
		}
	}
	sim_load(library);

	if (optind + 1 < argc)
	{
		sim_tracing = true;
		if (only ? schedule(only, strtoull(argv[optind + 1], NULL, 10)) : world_replay(world, argv[optind + 1]))
			return 0;
		printf("# %s\n", sim_failure);
		return 1;
	}

	for (int i = 0; all && world_name(i) != NULL; i++)
	{
		char		line[2400];

		if ((world == NULL || strcmp(world, world_name(i)) == 0) && !world_explore(world_name(i), 2, line, sizeof(line)))
		{
			printf("world %s: %s\n", line, sim_failure);
			return 0;
		}
	}
	for (long from = 0; from < hunt; from += 200)
		for (size_t i = 0; i < lengthof(kinds); i++)
			for (long s = seed + from; s < seed + from + 200; s++)
				if ((only == NULL || only == &kinds[i]) && !schedule(&kinds[i], (uint64) s))
				{
					printf("kind %s seed %ld: %s\n", kinds[i].name, s, sim_failure);
					return 0;
				}
	if (all || hunt >= 0)
		return 1;

	for (size_t i = 0; i < lengthof(kinds); i++)
		if (world == NULL && (only == NULL || only == &kinds[i]))
			failed += !test(++tests, &kinds[i], NULL, seed);
	for (int i = 0; world_name(i) != NULL; i++)
		if (only == NULL && (world == NULL || strcmp(world, world_name(i)) == 0))
			failed += !test(++tests, NULL, world_name(i), seed);
	printf("1..%d\n", tests);
	return failed > 0;
}
