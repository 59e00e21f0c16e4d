/*
 * server.c
 *		The server in which the simulated backends run.
 *
 * This is what the library uses of the server, the file that fakes it, and the wrong uses
 * of it that are faults.  "Point" means that another backend may run before it; whatever
 * two backends share has a point.
 *
 * fake/postgres.h
 *	pg_atomic_*			point.  Others may see a write late: see stores.c.  Fault: in
 *						memory that was freed
 * process.c
 *	processes			backend_start(), backend_exit(); every backend is a coroutine
 *						with a copy of the library
 *	LWLock				LWLock*(); point before acquiring and releasing.  Fault: taken in
 *						the wrong order, which is the header's before a database's
 * memory.c
 *	shared memory		GetNamedDSMSegment(), dsa_*(): exists until server_stop(); freed
 *						memory is overwritten, and may be allocated again immediately.
 *						Fault: allocated or freed under an LWLock, freed twice
 * marktable.c
 *	the mark's table	flake_page_*(), flake_mark_relation(), flake_mark_known() instead
 *						of markpage.c.  Points; a page has three rows.  Fault: under an
 *						LWLock, used without opening it, left open
 *	catalogs			the same functions.  Only its own backend sees what a transaction
 *						has changed: view().  Other backends see what existed when they
 *						last processed the messages of invalidation
 *	invalidation		AcceptInvalidationMessages(); also when a relation is locked or a
 *						transaction begins; with server.discards, each look at a catalog
 *						invalidates everything
 *	XLogFlush()			points before and after it, so that a crash or another backend
 *						can act between the write to disk and that to memory.  Fault:
 *						under an LWLock
 *	WAL, crash, standby	wal[], flush(), server_replay(): a crash leaves what was
 *						flushed and any part of the rest, a standby has a prefix
 *	transactions		transaction_change(), transaction_end()
 * sequences.c
 *	sequences			flake_sequence_*() instead of seq_page.c, nextval(); points
 * transactions.c
 *	snapshots			which transactions run, and which a snapshot considers running
 * clock.c
 *	clock				sim_clock_gettime(): server.now; point.  The monotonic clock
 *						moves by a second each time
 *	latch, sleep		sleep_for(): others run, then the clock moves if clock_runs; a
 *						latch may end the sleep early.  Fault: under an LWLock
 *	interrupts			sim_check_for_interrupts(): cancel, terminate
 * errors.c
 *	errors				errcode() ... sim_throw().  Fault: under an LWLock
 * standins.c
 *	recovery			RecoveryInProgress(): server.recovering
 *	settings			flake_check_settings() instead of guc.c: each backend has an
 *						element of server.settings
 *
 * These are faults, too: a lock that is still held when a call has ended, a deadlock, and
 * a call that does not end.  New variables that are part of the state belong in
 * server_state().
 */
#include "server.h"

Server		server;

/* ---------- the state: see state.c ---------- */

/* Add all that the server and the first so many backends keep, except for the stacks. */
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

/* Make a new cluster, with the extension in every database. */
void
server_create(void)
{
	/* Nothing reads the WAL or the messages beyond their counts. */
	server.steps_back = 0;
	server.monotonic = 0;
	server.inserted = server.flushed = 0;
	server.invalidations = 0;
	server.incarnation = 0;
	server.cut_off = 0;
	server.next_oid = 1000;
	transactions_begin();
	sequences_create();
	memset(server.databases, 0, sizeof(server.databases));
	memset(server.dropped, 0, sizeof(server.dropped));
	server_stop();
	for (int i = 0; i < SIM_DATABASES; i++)
		extension_create(i);
}

/* Stop the server: everything in memory is lost, with shared buffers, locks and backends. */
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
	sequences_lost();
	server.recovering = false;
	server.incarnation++;
}

/* Set the pages to what the first so many records of the WAL contain; the rest is lost. */
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
