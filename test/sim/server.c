/*
 * server.c
 *		The server that the simulated backends believe to run in.
 *
 * What the library uses of the server, in which file it is faked, and what using
 * it wrongly makes a fault of the schedule.  "Point" says that another backend may
 * run before it; whatever two backends share has one.
 *
 * fake/postgres.h
 *	pg_atomic_*			point.  What is written may be seen late: see stores.c.  Fault:
 *						of memory that was freed
 * process.c
 *	processes			backend_start(), backend_exit(); every backend is a coroutine
 *						with a copy of the library
 *	LWLock				LWLock*(); point at acquiring and releasing.  Fault: taken in
 *						another order than the header's before a database's
 * memory.c
 *	shared memory		GetNamedDSMSegment(), dsa_*(): there until server_stop(); what is
 *						freed is overwritten, and may be handed out again at once.
 *						Fault: allocated or freed under a LWLock, freed twice
 * marktable.c
 *	the mark's table	flake_page_*(), flake_mark_relation(), flake_mark_known() instead
 *						of markpage.c.  Points; a page is four rows.  Fault: under a
 *						LWLock, not opened, opened for nothing
 *	catalogs			the same.  What a transaction did is seen by its backend alone:
 *						view().  Others see what there was when they last looked at the
 *						messages of invalidation
 *	invalidation		AcceptInvalidationMessages(); where a relation is locked, or a
 *						transaction begins; with server.discards whenever a catalog is
 *						looked at, and then of everything
 *	XLogFlush()			point before it and behind it, so that a crash or another
 *						backend comes between the disk and the memory.  Fault: under a
 *						LWLock
 *	WAL, crash, standby	wal[], flush(), server_replay(): a crash leaves what was
 *						flushed and any part of the rest, a standby has a prefix
 *	transactions		transaction_change(), transaction_end()
 * transactions.c
 *	snapshots			what runs, and what a snapshot takes for running
 * clock.c
 *	clock				sim_clock_gettime(): server.now; point.  The monotonic one
 *						moves a second each time
 *	latch, sleep		sleep_for(): others run, then the clock goes on if it runs; a
 *						latch may wake early.  Fault: under a LWLock
 *	interrupts			sim_check_for_interrupts(): cancel, terminate
 * errors.c
 *	errors				errcode() ... sim_throw().  Fault: under a LWLock
 * standins.c
 *	recovery			RecoveryInProgress(): server.recovering
 *	settings			flake_check_settings() instead of guc.c: each backend has some of
 *						server.settings[]
 *
 * A fault, too: a lock left held when a call is through, a deadlock, a call that
 * does not end.  Whatever is added and keeps a state belongs into server_state().
 */
#include "server.h"

Server		server;

/* ---------- the state, for schedules that go on from one ---------- */

/* Tell of all that the server and the first so many backends keep, but for the stacks. */
void
server_state(int sessions)
{
	state_piece(&server, offsetof(Server, wal), NULL);
	state_piece(server.wal, sizeof(server.wal[0]), &server.inserted);
	state_piece(server.invalidated, sizeof(server.invalidated[0]), &server.invalidations);
	state_piece(server.settings, sizeof(server.settings[0]), &server.settings_count);
	state_piece(server.transactions, sizeof(server.transactions[0]), &server.transactions_count);
	state_piece(&server.transactions_count, sizeof(server.transactions_count), NULL);
	transactions_state(sessions);
	memory_state(sessions);
	state_piece(backends, sizeof(Backend) * sessions, NULL);
	for (int i = 0; i < sessions; i++)
		state_piece(backends[i].library.data, backends[i].library.size, NULL);
}

/* ---------- the server's life ---------- */

/* A new cluster, with the extension in every database. */
void
server_create(void)
{
	/* the WAL and the messages are not looked at beyond their counts */
	server.steps_back = 0;
	server.monotonic = 0;
	server.inserted = server.flushed = 0;
	server.invalidations = 0;
	server.incarnation = 0;
	server.cut_off = 0;
	server.next_oid = 1000;
	transactions_begin();
	memset(server.databases, 0, sizeof(server.databases));
	memset(server.dropped, 0, sizeof(server.dropped));
	server_stop();
	for (int i = 0; i < SIM_DATABASES; i++)
		extension_create(i);
}

/* Everything in memory is lost: shared buffers, locks, backends. */
void
server_stop(void)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		backends[i].state = BACKEND_GONE;
		backends[i].lwlocks_held = 0;
		backends[i].relation_locks = 0;
		backends[i].pages = 0;
	}
	for (int i = 0; i < SIM_DATABASES; i++)
	{
		server.databases[i].holders = 0;
		server.databases[i].ddl = false;
		server.databases[i].owner = 0;
	}
	memset(server.replaced, 0, sizeof(server.replaced));
	server.has_root = false;
	memory_lost();
	transactions_lost();
	server.recovering = false;
	server.incarnation++;
}

/* The pages are what the first so many records of the WAL made them; the rest is lost. */
void
server_replay(int records)
{
	for (int i = 0; i < records; i++)
	{
		WalRecord  *record = &server.wal[i];
		Database   *d = &server.databases[record->database];

		if (record->uncommitted)
			continue;
		d->exists = record->exists;
		d->relation.oid = record->relation;
		d->relation.rd_locator.relNumber = record->file;
		d->page = d->durable = record->page;
		d->lsn = (XLogRecPtr) i;
	}
}
