/*
 * sim.h
 *		The simulated server, as the schedules see it.
 *
 * Backends are coroutines of one thread, each with a private copy of the
 * library and so of its variables.  A backend runs until it comes to its last
 * point (see sim_point()), blocks, or is through with its job; then the
 * scheduler goes on.  Everything depends on the seed alone.
 */
#ifndef SIM_H
#define SIM_H

#include "flakeid.h"

#define SIM_BACKENDS	5
#define SIM_DATABASES	4
#define SIM_RECORDS		400		/* of WAL, in one schedule */

/* ---------- randomness ---------- */

extern bool random_quiet;		/* nothing is left to chance: always n - 1, so
								 * never once in n times */
extern void random_seed(uint64 seed);
extern uint32 random_below(uint32 n);

/* True once in n times. */
static inline bool
once_in(uint32 n)
{
	return random_below(n) == 0;
}

/* ---------- backends ---------- */

/* The entry points of a backend's copy of the library. */
typedef struct Library
{
	char	   *data;			/* its variables ... */
	char	   *pristine;		/* ... as they were when it was loaded */
	size_t		size;
	const FlakeTicket *(*generate) (const FlakeFormat *, int32, uint32);
	void		(*restore) (const FlakeFormat *, const uint64[2]);
	void		(*snapshot) (const FlakeFormat *, uint32, FlakeSnapshot *);
	const FlakeOwn *(*own) (const FlakeFormat *);
	const FlakeIdentity *identity;
	FlakeDatabase **database;	/* that it is attached to */
	void		(*release) (void);
	void		(*count) (void);
	void		(*changed) (void);
	int64		(*issued) (FlakeMarkKind);
	bool		(*show) (FlakeIssued *);
	Datum		(*guard) (PG_FUNCTION_ARGS);
	Datum		(*take_over) (PG_FUNCTION_ARGS);
	Datum		(*advance) (PG_FUNCTION_ARGS);
	Datum		(*reset) (PG_FUNCTION_ARGS);
	void		(*horizon) (const FlakeFormat *, uint8 *);
	uint64		(*tick_now) (const FlakeFormat *, int64 *);
} Library;

typedef enum BackendState
{
	BACKEND_IDLE,
	BACKEND_BUSY,				/* in the middle of a job */
	BACKEND_GONE				/* exited, or the server is down */
} BackendState;

/* A store that nobody else has seen yet. */
typedef struct LateStore
{
	volatile void *address;
	uint64		value;
	int			bytes;
	int			barriers;		/* write barriers before it */
} LateStore;

typedef struct Backend
{
	SimProcess	process;		/* first, so that sim_process points to the
								 * backend */
	int			index;
	int			database;		/* 0 .. SIM_DATABASES - 1 */
	BackendState state;
	Library		library;
	int			settings;		/* of server.settings[] */
	bool		reload;			/* the configuration was reloaded, but not
								 * here yet */
	bool		cancel;			/* an interrupt is pending: cancel, ... */
	bool		terminate;		/* ... or terminate */
	bool		latch;			/* its latch is set */
	int			stalled_until;	/* round of the schedule before which it is
								 * not run */

	/* The coroutine. */
	char	   *stack;
	char	   *stack_used;		/* in use from here to its end, while another
								 * runs ... */
	char	   *stack_idle;		/* ... and between two jobs */
	bool		yields;			/* it sleeps: any other may run as well ... */
	int			naps;			/* ... and has so often, without doing
								 * anything but look ... */
	int			awake_for;		/* ... for so many accesses since */
	jmp_buf		idle;			/* waits for a job */
	jmp_buf		context;		/* in the middle of one */

	LateStore	stores[8];		/* in the order of the program */
	int			stores_count;
	int			write_barriers;

	/* What it holds and waits for. */
	struct
	{
		LWLock	   *lock;
		LWLockMode	mode;
	}			lwlocks[4];
	int			lwlocks_held;
	LWLock	   *wants_lwlock;
	LWLockMode	wants_mode;
	int			relation_locks;
	int			pages;			/* of the mark, open */

	/* Its caches of the catalogs. */
	bool		cached;
	Oid			cached_relation;
	Oid			cached_file;

	/* Of the process's life. */
	sim_exit_callback exit_callbacks[4];
	int			exit_callbacks_count;
	void		(*invalidate) (Datum, Oid);
	void		(*xact_callbacks[2]) (XactEvent, void *);	/* the last one is
															 * called first */
	int			xact_callbacks_count;
	int			invalidations;	/* messages taken notice of */
	int			drops;			/* of the database's extension, by these */
	TransactionId xid;			/* of the transaction that changes tables ... */
	TransactionId feed_xid;		/* ... and of one that writes rows, if it has
								 * one */

	bool		has_snapshot;	/* of a poll, which it may use again */

	/* The error reported last. */
	int			sqlstate;
	char		message[160];

	/* The clock since the job began. */
	int64		clock_max;
	int64		clock_min;

	int			heap_used;		/* by what it has allocated in this job */
} Backend;

#define SIM_STACK_BYTES		(256 * 1024)

extern Backend backends[SIM_BACKENDS];
extern Backend *self;			/* the one that runs; NULL: the scheduler */

extern void sim_load(const char *library);
extern void backend_start(Backend *backend, int pid, int database);
extern void backend_exit(void);
extern void call_xact_callbacks(Backend *backend, XactEvent event);
extern void backend_abort(Backend *backend);
extern bool backend_holds_locks(const Backend *backend);
extern bool backend_runnable(const Backend *backend);
extern void backend_resume(Backend *backend, int points);

/*
 * Of the checks: what a backend runs that was idle (jobs.c); a database's memory
 * is made, or goes, and a transaction that changed tables is over (issued.c).
 */
extern void run_job(Backend *backend);
extern void memory_made(int database);
extern void memory_freed(const FlakeDatabase *db);
extern void feed_abort(Backend *backend);
extern void transaction_over(Backend *backend, TransactionId xid, bool committed);

/* ---------- stores.c ---------- */

extern bool stores_late;		/* a store may be seen late by the others */
extern void stores_settle(void);
extern void stores_forget(Backend *backend);

/* ---------- the server ---------- */

/* A page of the mark's table. */
typedef struct SimPage
{
	FlakeIssued issued[FLAKE_MARK_KINDS];
} SimPage;

/* postgresql.conf, at some time: the settings of every database. */
typedef struct Settings
{
	FlakeSettings of[SIM_DATABASES];
} Settings;

#define SIM_SETTINGS	64

/* One page of a database, or that the extension was dropped. */
typedef struct WalRecord
{
	int			database;
	bool		uncommitted;	/* means nothing after a crash */
	bool		exists;
	Oid			relation;
	RelFileNumber file;
	SimPage		page;
} WalRecord;

typedef struct Database
{
	bool		exists;			/* the extension, and so the relation */
	RelationData relation;
	SimPage		page;			/* in shared buffers */
	XLogRecPtr	lsn;			/* of its last change */
	SimPage		durable;		/* as of the WAL flushed */
	int			drops;			/* how often the extension was dropped */
	int			owner;			/* 1 + the backend whose transaction changes
								 * it, or 0 */
	int			holders;		/* of locks on the relation */
	bool		ddl;			/* it is locked exclusively */
} Database;

/* A transaction that has an ID. */
typedef struct SimTransaction
{
	bool		running;		/* for snapshots that are taken now */
	bool		committed;
	bool		prepared;
	bool		locked;			/* somebody is preparing or finishing it */
} SimTransaction;

#define SIM_XIDS		1000	/* in one schedule */

typedef struct Server
{
	int64		now;
	int64		lowest;			/* that now was, since the schedule set it */
	int			monotonic;		/* seconds since the machine started; each
								 * looks at it once */
	int			drift;			/* added to the clock each time it is read */
	bool		clock_runs;		/* sleeping takes time by the clock, too */
	int			steps_back;		/* of the clock, ever */
	bool		recovering;
	int			incarnation;	/* counts starts */
	bool		has_root;		/* the first of the shared memory */
	bool		failures;		/* the mark cannot always be written */
	bool		discards;		/* looking at a catalog voids all that was
								 * seen before: debug_discard_caches */
	int			cut_off;		/* the next time it is not written (1), or not
								 * flushed (2) */
	int			oid_step;		/* from a database to the next */

	Database	databases[SIM_DATABASES];
	Database	uncommitted[SIM_DATABASES]; /* what the owner sees instead */
	bool		dropped[SIM_DATABASES]; /* the database, which is empty when
										 * it is created again */
	bool		replaced[SIM_DATABASES];	/* it was dropped since the server
											 * started */
	int			inserted;		/* records in wal */
	int			flushed;		/* of them on disk */
	Oid			next_oid;
	int			invalidations;	/* messages in invalidated */

	int			file;			/* postgresql.conf: of settings[] */
	int			postmaster;		/* as the postmaster read it */
	int			settings_count;

	/* Below these, the lists: of each only the first so many count. */
	WalRecord	wal[SIM_RECORDS];
	struct
	{
		Oid			relation;
		int			database;
	}			invalidated[SIM_RECORDS];
	Settings	settings[SIM_SETTINGS];
	SimTransaction transactions[SIM_XIDS];
	int			transactions_count;
} Server;

extern Server server;
extern FlakeShared *shared;		/* the header of the shared memory, or NULL */
extern FlakeDatabase *database_memory(int database);
extern void check_memory(void);
extern FlakeGenerator *generator_memory(const FlakeDatabase *db, int format, uint32 number);

extern Oid	database_oid(int database);
extern int64 page_mark(const SimPage *page, FlakeMarkKind kind);
extern void server_create(void);
extern void server_stop(void);
extern void server_replay(int records);
extern void extension_drop(int database);
extern void extension_create(int database);
extern void extension_rewrite(int database);
extern void transaction_change(Backend *backend, bool rewrite);
extern void transaction_end(Backend *backend, bool commit);
extern TransactionId transaction_assign(void);
extern void transaction_prepare(TransactionId xid);
extern void transaction_unlock(TransactionId xid);
extern bool transaction_lock(TransactionId xid);
extern bool transaction_committed(TransactionId xid);
extern bool transaction_running(TransactionId xid);
extern void transaction_decide(TransactionId xid, bool commit);
extern void transaction_stop(TransactionId xid);
extern void snapshot_take(void);
extern Relation mark_insert_begin(void);
extern void mark_insert_end(void);
extern void database_replace(int database, bool same);
extern void mark_by_hand(int database, FlakeMarkKind kind, int64 us);
extern void clock_set(int64 us);
extern void use_settings(Backend *backend, int settings);
extern void accept_invalidations(Backend *backend);
extern void server_state(int sessions);

/* ---------- what happened ---------- */

extern char sim_failure[];
extern jmp_buf sim_failed;		/* where sim_fault() goes, with sim_failure
								 * filled */

extern void trace(const char *format,...) __attribute__((format(printf, 1, 2)));

/* ---------- state.c ---------- */

/* A piece of the state: so many bytes, or as many elements of that size as *count says. */
extern void state_piece(void *start, size_t bytes, const int *count);

/* ---------- formats.c ---------- */

extern void formats_choose(uint32 siq_bits, uint32 snowflake_bits, uint32 uid_bits);

#endif							/* SIM_H */
