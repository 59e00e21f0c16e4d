/*
 * issued.c
 *		What was issued, and so must not be issued again.
 *
 * Each ID is remembered with the database that must not issue it again, for as long as a
 * server can know of it: until the page that tells of it is lost, its extension or its
 * database is dropped, its transaction is rolled back, or a reset is forced to an instant
 * before it.
 */
#include "schedule.h"

#define TABLE		8192
static Issued table[TABLE];
static Issued *issued[TABLE];
static int	issued_count;
static int	schedule_stamp;
int			ids_issued;

/*
 * The memory of each database, the value of ids_issued when it was first used, and the
 * IDs that it has issued.
 */
static const FlakeDatabase *memory_of[SIM_DATABASES];
static int	memory_since[SIM_DATABASES];
static uint64 issued_here[SIM_DATABASES][FLAKE_FORMATS];

/*
 * 1 + how often the extension had been dropped when an ID was last issued with the table
 * that existed then.
 */
static int	issued_in[SIM_DATABASES];

int			max_ahead;
int64		raised[SIM_DATABASES][FLAKE_MARK_KINDS];

/* What raised[] will be if the transaction that changes the table commits. */
static int64 raised_at_commit[SIM_DATABASES][FLAKE_MARK_KINDS];
int			raised_since[SIM_DATABASES];
bool		dropped[SIM_DATABASES];

/* Return the entry of a database's ID.  A new one does not count as issued. */
static Issued *
look_up(int database, const FlakeFormat *format, const FlakeTicket *ticket, uint32 unit)
{
	uint64		hash = (ticket->tick * 31 + ticket->number) * 4099 + unit * 17 + ticket->timeline * 5 + format->id;

	hash = hash * SIM_DATABASES + (uint64) database;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	for (uint32 i = (uint32) (hash >> 51);; i = (i + 1) % TABLE)
	{
		Issued	   *entry = &table[i];

		if (entry->schedule != schedule_stamp)
		{
			entry->schedule = schedule_stamp;
			entry->database = (uint8) database;
			entry->format = format->id;
			entry->tick = ticket->tick;
			entry->number = ticket->number;
			entry->unit = unit;
			entry->timeline = ticket->timeline;
			entry->counts = false;
			entry->rolled_back = false;
			entry->late = false;
			entry->steady = false;
			entry->apart = 0;
			entry->xid = InvalidTransactionId;
			issued[issued_count++] = entry;
			return entry;
		}
		if (entry->tick == ticket->tick && entry->number == ticket->number && entry->unit == unit &&
			entry->format == format->id && entry->timeline == ticket->timeline && entry->database == database)
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

/* Return whether the page says that IDs were issued at that instant. */
static bool
on_page(const SimPage *page, FlakeMarkKind mark, int64 start)
{
	return flake_issued_at(&page->issued[mark], start) != NULL;
}

/* Return whether that instant is in an interval other than the current one. */
static bool
in_interval_before(const FlakeIssued *rows, int64 start)
{
	const FlakeInterval *at = flake_issued_at(rows, start);

	return at != NULL && at != &rows->at[rows->current];
}

/* ---------- restored intervals ---------- */

/* A restored interval: no call that begins afterwards issues an ID in it. */
typedef struct Forbidden
{
	FlakeInterval interval;
	int			number;			/* of "promises" when it was restored */
} Forbidden;

#define FORBIDS		8

static Forbidden forbids[SIM_DATABASES][FLAKE_MARK_KINDS][FORBIDS];
int			promises;

int64		forced_to[SIM_DATABASES];
int			forcing[SIM_DATABASES];

static void
check_forbidden(const Backend *backend, const Job *job, FlakeMarkKind mark, int64 start)
{
	for (int i = 0; i < FORBIDS; i++)
	{
		const Forbidden *forbidden = &forbids[backend->database][mark][i];

		if (job->promises >= forbidden->number && start >= forbidden->interval.from && start < forbidden->interval.to)
			sim_fault("%ld is issued, in an interval that was restored: %ld to %ld", (long) start,
					  (long) forbidden->interval.from, (long) forbidden->interval.to);
	}
}

/* The page was set back: forget the intervals that it does not have. */
static void
forget_forbidden(int database)
{
	for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
		for (int i = 0; i < FORBIDS; i++)
		{
			FlakeInterval *interval = &forbids[database][mark][i].interval;
			const FlakeInterval *at = flake_issued_at(&server.databases[database].durable.issued[mark], interval->from);

			if (at == NULL || at->to < interval->to)
				interval->to = interval->from;
		}
}

/*
 * Return whether the page has an interval that begins after us and contains "at".  A
 * reset that is forced to us does not change that interval.
 */
static bool
stays(int database, FlakeMarkKind mark, int64 us, int64 at)
{
	const FlakeIssued *page = &server.databases[database].durable.issued[mark];

	for (int i = 0; i < page->count; i++)
		if (page->at[i].from > us && at >= page->at[i].from && at < page->at[i].to)
			return true;
	return false;
}

/* From us on, IDs may be issued again in restored intervals. */
void
forget_intervals(int database, int64 us)
{
	for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
		for (int i = 0; i < FORBIDS; i++)
		{
			FlakeInterval *interval = &forbids[database][mark][i].interval;

			if (!stays(database, mark, us, interval->from))
				interval->to = Min(interval->to, us);
		}
}

/* ---------- an ID is issued ---------- */

/* Count an ID, by the memory that has issued it. */
static void
count_issue(const Backend *backend, const FlakeFormat *format)
{
	int			database = backend->database;

	count.ids++;
	ids_issued++;
	if (memory_of[database] != *backend->library.database)
	{
		memset(issued_here[database], 0, sizeof(issued_here[0]));
		memory_since[database] = ids_issued - 1;
	}
	memory_of[database] = *backend->library.database;
	issued_here[database][format->id]++;
}

/* Check that none of the ticket's IDs was issued before, and remember them. */
static void
check_new(const Backend *backend, const Job *job, const FlakeTicket *ticket, int64 start)
{
	const FlakeFormat *format = job->format;
	const Database *database = &server.databases[backend->database];

	for (uint32 i = 0; i < job->stride; i++)
	{
		Issued	   *entry = look_up(backend->database, format, ticket, ticket->sequence + i);

		if ((entry->counts && !(entry->steady && server.steps_back > 0)) ||
			(entry->rolled_back && entry->incarnation == server.incarnation && entry->resets == job->resets))
			sim_fault("%s issued twice: timeline %u tick %ld (%ld) number %u sequence %u, first by backend %d",
					  format->name, ticket->timeline, (long) ticket->tick, (long) start, ticket->number,
					  ticket->sequence + i, entry->backend);
		entry->counts = true;
		entry->steady = false;
		entry->xid = backend->xid;
		entry->order = ids_issued;
		entry->start = start;
		entry->incarnation = server.incarnation;
		entry->resets = job->resets;
		entry->late = job->drops != database->drops;
		entry->backend = (uint8) backend->index;
	}
}

/*
 * Check that the mark on disk covers the ID.  A statement that began before the extension
 * was dropped may go on with the old mark; the transaction that creates the extension has
 * a mark of its own.
 */
static void
check_covered(const Backend *backend, const Job *job, const FlakeTicket *ticket, int64 start)
{
	const FlakeFormat *format = job->format;
	const Database *database = &server.databases[backend->database];
	FlakeMarkKind mark = mark_kind(format, ticket->timeline);

	if (database->owner == backend->index + 1 &&
		server.uncommitted[backend->database].relation.rd_createSubid != 0)
	{
		if (!on_page(&server.uncommitted[backend->database].page, mark, start))
			sim_fault("%s issued above the mark written by the transaction", format->name);
	}
	else if (job->drops == database->drops && database->exists)
	{
		if (!on_page(&database->durable, mark, start))
			sim_fault("%s issued outside of what the disk covers: timeline %u tick %ld (%ld), mark %ld",
					  format->name, ticket->timeline, (long) ticket->tick, (long) start,
					  (long) page_mark(&database->durable, mark));
		issued_in[backend->database] = database->drops + 1;
	}
}

/* Check what must hold of an ID that a backend got. */
void
check_issue(Backend *backend, const Job *job, const FlakeTicket *ticket)
{
	const FlakeFormat *format = job->format;
	int64		start = flake_us_of(&format->rate, ticket->tick);
	int64		end = flake_us_of(&format->rate, ticket->tick + 1);
	FlakeMarkKind mark = mark_kind(format, ticket->timeline);

	/*
	 * An ID may be one tick further ahead than an instant.  A uid's ticks
	 * differ in length.
	 */
	int64		ahead = flake_us_of(&format->rate, ticket->tick - 1) - backend->clock_max;

	trace("got %s timeline %u tick %ld (%ld) number %u sequence %u", format->name, ticket->timeline,
		  (long) ticket->tick, (long) start, ticket->number, ticket->sequence);
	count_issue(backend, format);
	if (once_in(4))
		keep_instant(start);
	check_identity(backend, job, ticket);

	/*
	 * The generator decided on the ID before a reset was forced to an instant
	 * before it: then the ID may be issued again.
	 */
	if (start >= job->forced_to)
		return;
	check_new(backend, job, ticket, start);
	check_covered(backend, job, ticket, start);
	if (ahead > (int64) max_ahead * 1000)
		sim_fault("%s issued %ld us ahead of the clock", format->name, (long) (start - backend->clock_max));
	if (end <= backend->clock_min)
		sim_fault("%s issued %ld us behind the clock", format->name, (long) (backend->clock_min - start));
	check_forbidden(backend, job, mark, start);
	if (start < job->raised[mark])
		sim_fault("%s issued below what was restored: %ld, %ld", format->name, (long) start,
				  (long) job->raised[mark]);
	if (ticket->sequence + job->stride > UINT32_C(1) << format->sequence_bits)
		sim_fault("%s has no sequence %u", format->name, ticket->sequence);
	if (in_island(backend) && ahead > 0)
		sim_fault("%s issued ahead of the clock in a database that nothing happened to", format->name);
	check_order(backend, job, ticket);
	check_load(backend->database, job, ticket);
}

/*
 * A backend that takes a snapshot begins, or is resumed: note which IDs are in an interval
 * other than the current one, which a snapshot leaves out.  A reset may have made it
 * another one, and the clock may make it the current one before the call ends.
 */
void
note_apart(const Backend *backend, bool begins)
{
	const FlakeDatabase *db = database_memory(backend->database);
	const FlakeIssued *page = server.databases[backend->database].page.issued;
	uint32		bit = UINT32_C(1) << backend->index;

	for (int i = 0; i < issued_count; i++)
	{
		Issued	   *entry = issued[i];

		if (begins)
			entry->apart &= ~bit;
		if (entry->format == FLAKE_SNO && entry->database == backend->database &&
			((db != NULL && in_interval_before(&db->issued[entry->timeline], entry->start)) ||
			 in_interval_before(&page[entry->timeline], entry->start)))
			entry->apart |= bit;
	}
}

/*
 * Check that a Go library that is restored from the snapshot repeats none of the IDs
 * issued before, except for those that were apart at some moment of the call.
 */
void
check_snapshot(Backend *backend, const Job *job, const FlakeSaved *state)
{
	if (server.databases[backend->database].drops > 0)
		return;
	note_apart(backend, false);
	for (int i = 0; i < issued_count; i++)
	{
		Issued	   *entry = issued[i];

		/* The member "order" knows only of the last issue. */
		if (entry->order > job->issued || entry->format != FLAKE_SNO || entry->number != (uint32) job->number ||
			!entry->counts || entry->database != backend->database || (entry->apart >> backend->index & 1) != 0)
			continue;

		/*
		 * The clock was wrong then.  If that time has come since, the ID is
		 * in the current interval.
		 */
		if (kind != NULL && kind->intervals && entry->start > flake_us_of(&flake_sno.rate, state->now) + 20 * USECS_PER_SEC)
			continue;

		if (entry->timeline == (state->drifts & 1)
			? entry->tick > state->high || (entry->tick == state->high && entry->unit >= state->next)
			: entry->tick > state->safe)
			sim_fault("snapshot (high %ld next %u safe %ld drifts %ld) leaves out timeline %u tick %ld sequence %u",
					  (long) state->high, state->next, (long) state->safe, (long) state->drifts,
					  entry->timeline, (long) entry->tick, entry->unit);
	}
}

/* From now on, no ID in the interval may be issued, unless a drop or a reset has undone that. */
void
promise_interval(const Backend *backend, const Job *job, FlakeMarkKind mark, FlakeInterval interval)
{
	Forbidden  *forbidden;

	if (interval.to == 0 || server.databases[backend->database].owner == backend->index + 1 ||
		job->drops != server.databases[backend->database].drops || job->resets != reset_stamp(backend->database))
		return;
	keep_instant(interval.from);
	forbidden = &forbids[backend->database][mark][promises++ % FORBIDS];
	forbidden->interval = interval;
	forbidden->number = promises;
}

/* From now on, no ID before us may be issued, unless a drop or a reset has undone that. */
void
promise(const Backend *backend, const Job *job, FlakeMarkKind mark, int64 us)
{
	keep_instant(us);
	raises[backend->database]++;

	/* In a transaction that has changed the table, it counts after commit. */
	if (server.databases[backend->database].owner == backend->index + 1)
		raised_at_commit[backend->database][mark] = Max(raised_at_commit[backend->database][mark], us);
	else if (job->drops == server.databases[backend->database].drops && job->resets == reset_stamp(backend->database))
		raised[backend->database][mark] = Max(raised[backend->database][mark], us);
}

/* ---------- what must hold at any time ---------- */

/*
 * Check that the marks on disk cover all IDs that must not be issued again, including
 * those issued with an earlier table, because the server could crash now.  Once the
 * extension has been dropped, this need not hold until the first ID is made with the new
 * one.
 */
void
check_marked(void)
{
	for (int i = 0; i < issued_count; i++)
	{
		const Issued *entry = issued[i];
		int			d = entry->database;
		const Database *database = &server.databases[d];

		if (!entry->counts || entry->late || entry->steady || !database->exists || database->owner != 0 ||
			issued_in[d] != database->drops + 1 || (forcing[d] > 0 && entry->start >= forced_to[d]) ||
			entry->incarnation != server.incarnation ||
			entry->order <= memory_since[d] || memory_of[d] != database_memory(d))
			continue;
		if (!on_page(&database->durable, mark_kind(flake_formats[entry->format], entry->timeline), entry->start))
			sim_fault("the mark on disk lacks a %s of database %d: timeline %u tick %ld (%ld)",
					  flake_formats[entry->format]->name, d, entry->timeline, (long) entry->tick, (long) entry->start);
	}
}

/* Check that, with the leases counted, shared memory has counted the IDs that were issued. */
void
check_counts(void)
{
	int			left = sim_left;

	/* No other backend may run meanwhile. */
	sim_left = INT_MAX;
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (backends[i].state != BACKEND_GONE)
			backends[i].library.count();
	sim_left = left;
	for (int d = 0; d < SIM_DATABASES; d++)
	{
		FlakeDatabase *db = database_memory(d);

		for (int f = 0; db != NULL && f < FLAKE_FORMATS; f++)
		{
			uint64		counted = 0;
			uint64		is = memory_of[d] == db ? issued_here[d][f] : 0;

			for (uint32 n = 0; n < flake_formats[f]->numbers; n++)
			{
				const FlakeGenerator *generator = generator_memory(db, f, n);

				if (generator == NULL)
					continue;
				counted += generator->issued.value;
				if (generator->waiting.value != 0)
					sim_fault("%s: a caller is still counted as waiting", flake_formats[f]->name);
			}
			if (counted != is)
				sim_fault("database %d, %s: %ld issued, %ld counted", d, flake_formats[f]->name, (long) is, (long) counted);
		}
		if (db != NULL && db->writer.value != 0)
			sim_fault("the writer's turn is left held in database %d", d);
	}
}

/* ---------- what may be issued again ---------- */

/*
 * A forced reset begins or ends: IDs from us on may be issued again, including those that
 * calls under way issue, but not those in intervals of their own.
 */
void
forget_issued(int database, int64 us)
{
	/* With another one under way, the earlier of the two instants counts. */
	forced_to[database] = forcing[database] > 1 ? Min(forced_to[database], us) : us;
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (backends[i].state == BACKEND_BUSY && backends[i].database == database)
			jobs[i].forced_to = Min(jobs[i].forced_to, us);
	for (int i = 0; i < issued_count; i++)
		if (issued[i]->database == database && issued[i]->start >= us &&
			!stays(database, mark_kind(flake_formats[issued[i]->format], issued[i]->timeline), us, issued[i]->start))
			issued[i]->counts = false;
}

/* The pages were set back: forget all IDs that they do not cover. */
void
forget_unmarked(void)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		for (int mark = 0; mark < FLAKE_MARK_KINDS; mark++)
			raised[d][mark] = Min(raised[d][mark], page_mark(&server.databases[d].durable, mark));
	for (int d = 0; d < SIM_DATABASES; d++)
		forget_forbidden(d);
	for (int i = 0; i < issued_count; i++)
	{
		Issued	   *entry = issued[i];
		FlakeMarkKind mark = mark_kind(flake_formats[entry->format], entry->timeline);

		if (entry->counts && !on_page(&server.databases[entry->database].durable, mark, entry->start))
		{
			entry->counts = false;
			count.forgotten++;
		}
	}
}

/*
 * Another library, with its own memory, works in the same database: it moves a mark and
 * issues IDs below it.
 */
void
issue_elsewhere(int database)
{
	Database   *d = &server.databases[database];
	FlakeMarkKind mark = random_below(FLAKE_MARK_KINDS);
	int64		us = page_mark(&d->page, mark);

	/*
	 * Not while a session moves the mark here: a server never runs two
	 * libraries simultaneously.
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

		if (format->numbers == 0 || mark_kind(format, ticket.timeline) != mark)
			continue;
		for (int i = 0; i < 30; i++)
		{
			Issued	   *entry;

			ticket.tick = flake_tick_from(&format->rate, us) + random_below(2);
			ticket.number = random_below(4);
			entry = look_up(database, format, &ticket, (f == FLAKE_SNO ? server.settings[server.file].of[database].sno_min : 0) + random_below(4));
			if (entry->counts)
				continue;
			entry->counts = true;
			entry->start = flake_us_of(&format->rate, ticket.tick);
			entry->incarnation = -1;
			entry->order = INT_MAX;
			entry->backend = 99;
		}
	}
}

/*
 * The extension was dropped, and its mark with it.  What was issued under this memory is
 * still known, unless a reset has lowered its words and it is in no interval; other IDs, if
 * the page does not cover them, may be issued again.
 */
static void
forget_unknown(int database, TransactionId xid)
{
	FlakeDatabase *db = database_memory(database);
	const Library *library = &backends[0].library;
	FlakeDatabase *attached = *library->database;
	int64		known[FLAKE_MARK_KINDS] = {0};
	int			left = sim_left;

	forget_intervals(database, 0);
	/* No other backend may run meanwhile, and free the memory. */
	sim_left = INT_MAX;
	*library->database = db;
	for (int mark = 0; db != NULL && mark < FLAKE_MARK_KINDS; mark++)
		known[mark] = library->issued(mark);
	*library->database = attached;
	sim_left = left;
	for (int i = 0; i < issued_count; i++)
	{
		FlakeMarkKind mark = mark_kind(flake_formats[issued[i]->format], issued[i]->timeline);

		if (issued[i]->database != database || (xid != InvalidTransactionId && issued[i]->xid == xid) ||
			on_page(&server.databases[database].page, mark, issued[i]->start) ||
			(db != NULL && issued[i]->start < (int64) db->mark_at_start[mark].value))
			continue;

		/*
		 * A mark that memory did not find when it was created counts only if
		 * it does not look wrong: see kept_floor() in mark.c.
		 */
		if (db != NULL && server.steps_back == 0 && issued[i]->start < (int64) db->mark_floor[mark].value &&
			(int64) db->mark_floor[mark].value <= server.now + FLAKE_LEAD_US && raised[database][mark] == 0)
			issued[i]->steady = true;
		else if (db == NULL || memory_of[database] != db ||
				 issued[i]->incarnation != server.incarnation ||
				 issued[i]->order <= memory_since[database] ||
				 (issued[i]->resets != reset_stamp(database) && issued[i]->start >= known[mark] &&
				  !in_interval_before(&db->issued[mark], issued[i]->start)))
			issued[i]->counts = false;
	}
}

void
drop_extension(int database)
{
	extension_drop(database);
	forget_unknown(database, InvalidTransactionId);
}

/* Replace a database by a new one.  While it is "gone", no session can connect to it. */
void
replace_database(int database, bool gone)
{
	server.dropped[database] = gone;
	server.replaced[database] = true;
	database_replace(database, once_in(2));
	issued_in[database] = 0;
	forget_unknown(database, InvalidTransactionId);
	forget_promises(database);
}

/* A database gets memory: what an earlier database of its number has issued is forgotten. */
void
memory_made(int database)
{
	if (server.replaced[database] && database_memory(database) == NULL)
		forget_unknown(database, InvalidTransactionId);
}

/* A database's memory is freed.  If others could find it, the database must have been dropped. */
void
memory_freed(const FlakeDatabase *db)
{
	int			database = (int) (db->oid - database_oid(0)) / server.oid_step;

	if (db->generation.value == 0)
		return;
	count.freed++;
	if (!server.replaced[database])
		sim_fault("the memory of database %d is freed, but the database was not dropped", database);
	count.toggles += db->clock.toggles;
	count.went_ahead += db->clock.went_ahead;
	if (memory_of[database] == db)
		memory_of[database] = NULL;
	/* This changes something only if the extension or database was dropped. */
	forget_unknown(database, InvalidTransactionId);
}

/* Forget what was restored or advanced to. */
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

		if (ours && !committed)
		{
			entry->counts = false;
			entry->rolled_back = true;
		}
		if (committed && ours && !dropped[backend->database] && entry->counts &&
			!on_page(&d->durable, mark_kind(flake_formats[entry->format], entry->timeline), entry->start))
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

/* ---------- the beginning, and the state ---------- */

/* A schedule begins: forget everything. */
void
issued_begin(void)
{
	max_ahead = flake_max_ahead;
	schedule_stamp++;
	issued_count = 0;
	ids_issued = 0;
	memset(raised, 0, sizeof(raised));
	memset(raised_since, 0, sizeof(raised_since));
	memset(forbids, 0, sizeof(forbids));
	promises = 0;
}

/* The server has stopped: forget what only its memory and its open transactions knew. */
void
issued_stop(void)
{
	memset(memory_of, 0, sizeof(memory_of));
	memset(dropped, 0, sizeof(dropped));
	memset(forcing, 0, sizeof(forcing));
	memset(raised_at_commit, 0, sizeof(raised_at_commit));
	memset(issued_here, 0, sizeof(issued_here));
	memset(issued_in, 0, sizeof(issued_in));
}

/* Add to the state all that is kept here, except for the IDs: see issued_save(). */
void
issued_state(void)
{
	state_piece(memory_of, sizeof(memory_of), NULL);
	state_piece(memory_since, sizeof(memory_since), NULL);
	state_piece(raised, sizeof(raised), NULL);
	state_piece(raised_since, sizeof(raised_since), NULL);
	state_piece(forbids, sizeof(forbids), NULL);
	state_piece(forced_to, sizeof(forced_to), NULL);
	state_piece(forcing, sizeof(forcing), NULL);
	state_piece(&promises, sizeof(promises), NULL);
	state_piece(dropped, sizeof(dropped), NULL);
	state_piece(issued_here, sizeof(issued_here), NULL);
	state_piece(issued_in, sizeof(issued_in), NULL);
	state_piece(&ids_issued, sizeof(ids_issued), NULL);
}

/* Write the IDs issued to "to", and return the end of what was written. */
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

/* Go back to what was saved.  It is a beginning of the present list, so look_up() still works. */
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

/*
 * Return a hash of the IDs issued.  Their order does not matter to it, except that a
 * snapshot under way has some before and some after it.
 */
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
		hash = (hash ^ hash >> 31 ^ e->format ^ (uint64) e->timeline << 8 ^ (uint64) e->database << 16 ^
				(uint64) (e->counts << 3 | e->steady << 2 | e->rolled_back << 1 | e->late) << 56 ^ (uint64) e->incarnation << 32) * UINT64_C(0x94d049bb133111eb);
		hash = (hash ^ hash >> 30 ^ e->xid ^ (uint64) e->resets << 32 ^ (uint64) (e->order > before) << 63) * UINT64_C(0x9e3779b97f4a7c15);
		sum += hash ^ hash >> 32;
	}
	return sum;
}
