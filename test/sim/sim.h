/*
 * sim.h
 *		The simulated server, as the schedules see it.
 *
 * Backends are coroutines of one thread.  Each has its own copy of the library,
 * and so of the library's variables.  A backend runs until it has used up its
 * points (see sim_point()), blocks, or ends its job; then the scheduler continues.
 * Everything depends on the seed alone.
 */
#ifndef SIM_H
#define SIM_H

#include "mark/writer.h"
#include "horizon/reader.h"
#include "generate/generate.h"

#define SIM_BACKENDS	5
#define SIM_DATABASES	4
#define SIM_RECORDS		400		/* of WAL, in one schedule */

/* ---------- randomness ---------- */

/* Nothing is left to chance: random_below(n) returns n - 1, so once_in() is false. */
extern bool random_quiet;
extern void random_seed(uint64 seed);
extern uint32 random_below(uint32 n);

/* Return true once in n times. */
static inline bool
once_in(uint32 n)
{
	return random_below(n) == 0;
}

/* ---------- backends ---------- */

/* The entry points of a backend's copy of the library. */
typedef struct Library
{
	/* Its variables, and a copy of them from when it was loaded. */
	char	   *data;
	char	   *pristine;
	size_t		size;			/* of either */
	const FlakeTicket *(*generate) (const FlakeFormat *, int32, uint32);
	void		(*restore) (const FlakeFormat *, const uint64[2]);
	void		(*snapshot) (const FlakeFormat *, uint32, FlakeSaved *);
	const FlakeOwn *(*own) (const FlakeFormat *);
	const FlakeIdentity *identity;
	FlakeDatabase **database;	/* the variable flake_db */
	void		(*release) (void);
	void		(*invalidated) (Oid);
	void		(*count) (void);
	void		(*changed) (void);
	int64		(*issued) (FlakeMarkKind);
	bool		(*show) (FlakeIssued *);
	Datum		(*guard) (PG_FUNCTION_ARGS);
	Datum		(*take_over) (PG_FUNCTION_ARGS);
	Datum		(*advance) (PG_FUNCTION_ARGS);
	Datum		(*reset) (PG_FUNCTION_ARGS);
	void		(*horizon) (const FlakeFormat *, uint8 *);
	int64		(*own_horizon) (const FlakeFormat *);
	Datum		(*sequence_horizon) (PG_FUNCTION_ARGS);
	Datum		(*draw) (PG_FUNCTION_ARGS);
	Datum		(*row) (PG_FUNCTION_ARGS);
	bool		(*in_time) (Oid, Oid, int64, int64 *);
} Library;

typedef enum BackendState
{
	BACKEND_IDLE,
	BACKEND_BUSY,				/* in the middle of a job */
	BACKEND_GONE				/* exited, or the server is down */
} BackendState;

/* A store that no other backend has seen yet. */
typedef struct LateStore
{
	volatile void *address;
	uint64		value;
	int			bytes;
	int			barriers;		/* write barriers before it */
} LateStore;

/* What runs when a process exits. */
typedef struct ExitCallback
{
	sim_exit_callback run;
	Datum		arg;
} ExitCallback;

typedef struct Backend
{
	/* The first member, so that sim_process points to the backend. */
	SimProcess	process;
	int			index;
	int			database;		/* 0 .. SIM_DATABASES - 1 */
	BackendState state;
	Library		library;
	int			settings;		/* index into server.settings */
	/* The configuration has changed, and the backend has not read it yet. */
	bool		reload;
	bool		cancel;			/* an interrupt is pending: cancel */
	bool		terminate;		/* an interrupt is pending: terminate */
	bool		latch;			/* its latch is set */
	/* The backend does not run before this round of the schedule. */
	int			stalled_until;

	/* The coroutine. */
	char	   *stack;

	/*
	 * The stack is in use from here to its end: while another backend runs,
	 * and between two jobs.
	 */
	char	   *stack_used;
	char	   *stack_idle;
	bool		yields;			/* it sleeps, so any other may run as well */
	/* How often it has slept with only a few accesses in between. */
	int			naps;
	int			awake_for;		/* accesses since it last slept */
	jmp_buf		idle;			/* where it waits for a job */
	jmp_buf		context;		/* where it was in the middle of a job */

	LateStore	stores[8];		/* in program order */
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
	int			pages;			/* open pages of the mark */

	/* Its caches of the catalogs. */
	bool		cached;
	Oid			cached_relation;
	Oid			cached_file;

	/* What the library has registered, and the backend's transactions. */
	ExitCallback exit_callbacks[4];
	int			exit_callbacks_count;
	bool		watches;		/* invalidations */
	/* The callback registered last is called first. */
	void		(*xact_callbacks[2]) (XactEvent, void *);
	int			xact_callbacks_count;
	int			invalidations;	/* messages that it has processed */
	/* How often, by these messages, the database's extension was dropped. */
	int			drops;
	TransactionId xid;			/* of the transaction that changes tables */
	/* The ID of the transaction that writes rows, if it has one. */
	TransactionId feed_xid;

	/*
	 * Sequences: which its transaction has locked, and its statement; a value
	 * that it has drawn.
	 */
	int			sequences_used;
	int			sequences_asked;
	int64		drawn;
	int			drawn_from;
	HTAB		answers;

	/* It has the snapshot of a poll, which the next poll may use again. */
	bool		has_snapshot;

	/* The error reported last. */
	int			sqlstate;
	char		message[160];

	/* The clock since the job began. */
	int64		clock_max;
	int64		clock_min;

	int			heap_used;		/* bytes that this job has allocated */
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
 * The server calls these functions of the checks: run_job() (jobs.c) when an idle
 * backend goes on; feed_abort() (feeds.c) when a transaction is aborted; and, of
 * issued.c, memory_made() and memory_freed() when a database's memory is created
 * or freed, and transaction_over() when a transaction that changed tables has ended.
 */
extern void run_job(Backend *backend);
extern void feed_abort(Backend *backend);
extern void memory_made(int database);
extern void memory_freed(const FlakeDatabase *db);
extern void transaction_over(Backend *backend, TransactionId xid, bool committed);

/* ---------- stores.c ---------- */

extern bool stores_late;		/* other backends may see a store late */
extern void stores_settle(void);
extern void stores_forget(Backend *backend);

/* ---------- the server ---------- */

/* A page of the mark's table. */
typedef struct SimPage
{
	FlakeIssued issued[FLAKE_MARK_KINDS];
} SimPage;

/* A version of postgresql.conf: the settings of every database. */
typedef struct Settings
{
	FlakeSettings of[SIM_DATABASES];
} Settings;

#define SIM_SETTINGS	64

/* A record holds a database's page, or says that its extension was dropped. */
typedef struct WalRecord
{
	int			database;
	bool		uncommitted;	/* a crash voids it */
	bool		exists;
	Oid			relation;
	RelFileNumber file;
	SimPage		page;
} WalRecord;

typedef struct Database
{
	/* The extension exists, and with it the relation. */
	bool		exists;
	RelationData relation;
	SimPage		page;			/* in shared buffers */
	XLogRecPtr	lsn;			/* of the page's last change */
	SimPage		durable;		/* as the flushed WAL has it */
	int			drops;			/* how often the extension was dropped */
	/* 1 + the backend whose transaction changes the relation, or 0. */
	int			owner;
	int			holders;		/* locks held on the relation */
	bool		ddl;			/* the relation is locked exclusively */
} Database;

#define SIM_SEQUENCE	5000	/* the OID of the first */
#define SIM_SEQUENCES	3

typedef struct SimSequence
{
	RelationData relation;
	int64		last;			/* on the page */
	int64		logged;			/* as the WAL has it */
	int64		durable;		/* as the flushed WAL has it */
	bool		rises;			/* it has a horizon */
	TransactionId changed;		/* that has altered it */
} SimSequence;

/* A transaction that has an ID. */
typedef struct SimTransaction
{
	bool		running;		/* for snapshots that are taken now */
	bool		committed;
	bool		prepared;
	bool		locked;			/* a backend is preparing or finishing it */
} SimTransaction;

#define SIM_XIDS		1000	/* in one schedule */

/* Notes last for 2^4 transactions here: see build.sh.  At twice that age IDs look later. */
#define XID_LOOKS_LATER	32
#define PREPARED_LAST	12

typedef struct Server
{
	int64		now;			/* us: the clock */
	/* The earliest that now was since the schedule set it. */
	int64		lowest;
	/* Seconds since the machine started; each look adds one. */
	int			monotonic;
	int			drift;			/* added to the clock each time it is read */
	bool		clock_runs;		/* the clock goes on while a backend sleeps */
	int			steps_back;		/* how often the clock has stepped back */
	bool		recovering;
	int			incarnation;	/* counts starts */
	bool		has_root;		/* the first shared memory has been created */
	bool		failures;		/* writing the mark may fail */
	/* Each look at a catalog voids all caches, as debug_discard_caches does. */
	bool		discards;
	/* Readers publish the horizon, which moves the mark. */
	bool		publishing;
	/* The mark's next write (1) or flush (2) fails; 0: neither. */
	int			cut_off;
	bool		no_memory;		/* there is none for announcements of draws */
	SimSequence sequences[SIM_DATABASES][SIM_SEQUENCES];
	int			oid_step;		/* from a database's OID to the next one's */

	Database	databases[SIM_DATABASES];
	Database	uncommitted[SIM_DATABASES]; /* what the owner sees instead */
	/* The database is dropped; it will be empty when it is created again. */
	bool		dropped[SIM_DATABASES];
	/* The database was dropped since the server started. */
	bool		replaced[SIM_DATABASES];
	int			inserted;		/* records in wal */
	int			flushed;		/* how many of them are on disk */
	Oid			next_oid;
	int			invalidations;	/* messages in invalidated */

	/* Indexes into settings: postgresql.conf, and the postmaster's copy. */
	int			file;
	int			postmaster;
	int			settings_count;

	/* The lists: only as many entries as their counts say mean anything. */
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
extern uint32 transaction_age(TransactionId xid);
extern bool snapshot_lacks(TransactionId xid, Snapshot snapshot);
extern void transaction_decide(TransactionId xid, bool commit);
extern void transaction_stop(TransactionId xid);
extern void snapshot_take(void);
extern bool sequence_alter(int number);
extern void sequences_flush(void);
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

/* sim_fault() fills sim_failure and jumps there. */
extern jmp_buf sim_failed;

extern void trace(const char *format,...) __attribute__((format(printf, 1, 2)));

/* ---------- state.c ---------- */

/* Add a piece of the state: so many bytes, or *count elements of that size. */
extern void state_piece(void *start, size_t bytes, const int *count);

/* ---------- formats.c ---------- */

extern void formats_choose(uint32 siq_bits, uint32 snowflake_bits, uint32 uid_bits);

#endif							/* SIM_H */
