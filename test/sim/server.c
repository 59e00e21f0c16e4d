/*
 * server.c
 *		The server that the simulated backends believe to run in.
 *
 * What the library uses of the server, where it is faked, and what using it
 * wrongly makes a fault of the schedule.  "Point" says that another backend may
 * run before it; whatever two backends share has one.
 *
 *	pg_atomic_*			fake/postgres.h; point.  Barriers are nothing: one thread
 *						runs it all, in the order of the program
 *	LWLock				LWLock*(); point at acquiring and releasing.  Fault: a second
 *						one held, one taken under a buffer's lock
 *	shared memory		GetNamedDSMSegment(): "memory", there until server_stop()
 *	relation locks		*RelationOid(); point; waits for DDL only.  Fault: under a
 *						LWLock or a buffer's lock
 *	catalogs			table_open(), get_*(), systable_*(); point.  What a transaction
 *						did is seen by its backend alone: view().  Fault: as before
 *	invalidation		accept_invalidations(), where a relation is locked or a
 *						catalog opened, or a transaction begins
 *	buffers				ReadBuffer(), LockBuffer(); point at locking and unlocking and
 *						before the page is looked at.  Fault: not pinned, locked twice,
 *						of a relation that is not locked
 *	Generic WAL			GenericXLog*(): a copy of the page until Finish (point), which
 *						inserts a record.  Fault: without the buffer's exclusive lock
 *	XLogFlush()			point before it and behind it, so that a crash or another
 *						backend comes between the disk and the memory
 *	WAL, crash, standby	wal[], flush(), server_replay(): a crash leaves what was
 *						flushed and any part of the rest, a standby has a prefix
 *	transactions		transaction_change(), transaction_end()
 *	clock				sim_clock_gettime(): server.now; point.  The monotonic one
 *						moves a second each time
 *	latch, sleep		sleep_for(): others run, then the clock goes on if it runs.
 *						Fault: under any lock
 *	errors				errcode() ... sim_throw(); PG_TRY() in fake/postgres.h
 *	interrupts			sim_check_for_interrupts(): cancel, terminate
 *	processes			backend_start(), backend_exit(), BackendPidGetProc(); every
 *						backend is a coroutine with a copy of the library
 *	recovery			RecoveryInProgress(): server.recovering
 *	settings			flake_identify(): of the copy of the file that the backend read
 *
 * A fault, too: a lock left held when a call is through, a deadlock, a call that
 * does not end.  Whatever is added and keeps a state belongs into server_state().
 */
#define _GNU_SOURCE
#include "sim.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <ucontext.h>
#include <unistd.h>

Backend		backends[SIM_BACKENDS];
Backend    *self;
SimProcess *sim_process;
Server		server;

/* The shared memory; 8 bytes aligned, never moved. */
static uint64 memory[256 * 1024 / sizeof(uint64)];
FlakeShared *shared = (FlakeShared *) memory;

int			sim_left;
bool		sim_tracing;
char		sim_failure[400];
jmp_buf		sim_failed;

static jmp_buf scheduler;
static ucontext_t first_context;

shmem_request_hook_type shmem_request_hook;
shmem_startup_hook_type shmem_startup_hook;
bool		process_shared_preload_libraries_in_progress;
LWLock	   *AddinShmemInitLock;

int			flake_max_ahead;
int			flake_max_wait;

/* ---------- randomness ---------- */

static uint64 random_state;
bool		random_quiet;

static uint64
random_next(void)
{
	uint64		z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void
random_seed(uint64 seed)
{
	random_state = seed * UINT64_C(0xd1342543de82ef95);
	(void) random_next();
}

uint32
random_below(uint32 n)
{
	if (random_quiet)
		return n - 1;
	return (uint32) ((random_next() >> 32) * n >> 32);
}

/* ---------- faults and the trace ---------- */

void
sim_fault(const char *format,...)
{
	va_list		args;
	int			length = 0;

	if (self != NULL)
		length = snprintf(sim_failure, sizeof(sim_failure), "backend %d: ", self->index);
	va_start(args, format);
	vsnprintf(sim_failure + length, sizeof(sim_failure) - length, format, args);
	va_end(args);
	trace("FAULT: %s", sim_failure);
	self = NULL;
	_longjmp(sim_failed, 1);
}

void
trace(const char *format,...)
{
	va_list		args;

	if (!sim_tracing)
		return;
	if (self != NULL)
		printf("# %*s%d: ", self->index * 2, "", self->index);
	else
		printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

/* A word of the generator with number i as text. */
static const char *
word_text(size_t i, uint64 word)
{
	static char text[100];
	uint32		first = 0;

	for (int f = 0; f < FLAKE_FORMATS; f++)
	{
		const FlakeFormat *format = flake_formats[f];
		unsigned	bits = format->sequence_bits + 1u;

		if (i - first < format->slots)
			snprintf(text, sizeof(text), "%s timeline %d tick %ld next %ld", format->name,
					 (int) (word >> 63), (long) ((word & INT64_MAX) >> bits),
					 (long) (word & ((UINT64_C(1) << bits) - 1)));
		first += format->slots;
	}
	return text;
}

/* One access to shared memory, in terms of FlakeShared. */
void
sim_log_access(const char *what, const volatile void *address, uint64 value)
{
	size_t		at = (size_t) ((const volatile char *) address - (const char *) shared);

#define FIELD(name) \
	(at >= offsetof(FlakeShared, name) && at < offsetof(FlakeShared, name) + sizeof(shared->name))
#define INDEX(name)		((at - offsetof(FlakeShared, name)) / sizeof(shared->name[0]))
#define REST(name)		((at - offsetof(FlakeShared, name)) % sizeof(shared->name[0]))

	if (at >= sizeof(memory))
		return;
	if (FIELD(era))
		trace("%s era: epoch %ld timeline %d", what, (long) (value >> 1), (int) (value & 1));
	else if (FIELD(floor))
		trace("%s floor[%s][%d]: %ld", what, flake_formats[INDEX(floor)]->name,
			  (int) (REST(floor) / 8), (long) value);
	else if (FIELD(run_on))
		trace("%s run_on[%s][%d]: %ld", what, flake_formats[INDEX(run_on)]->name,
			  (int) (REST(run_on) / 8), (long) value);
	else if (FIELD(keys))
		trace("%s keys[%d]: %x", what, (int) INDEX(keys), (unsigned) value);
	else if (FIELD(generators))
	{
		if (REST(generators) == offsetof(FlakeGenerator, word))
			trace("%s word[%d]: %s", what, (int) INDEX(generators), word_text(INDEX(generators), value));
	}
	else if (FIELD(marks))
	{
		size_t		rest = REST(marks);

		if (rest == offsetof(FlakeMark, database))
			trace("%s marks[%d].database: %u", what, (int) INDEX(marks), (unsigned) value);
		else if (rest < offsetof(FlakeMark, value))
			return;
		else if (rest >= offsetof(FlakeMark, floor))
			trace("%s marks[%d].floor[%d]: %ld", what, (int) INDEX(marks),
				  (int) (rest - offsetof(FlakeMark, floor)) / 8, (long) value);
		else
		{
			rest = (rest - offsetof(FlakeMark, value)) / 8;
			if (rest % FLAKE_MARK_VALUES == 0 || value != 0)
				trace("%s marks[%d].value[%d][%d]: %ld", what, (int) INDEX(marks),
					  (int) (rest / FLAKE_MARK_VALUES), (int) (rest % FLAKE_MARK_VALUES), (long) value);
		}
	}
}

/* ---------- coroutines ---------- */

static void
enter(Backend *backend)
{
	self = backend;
	sim_process = &backend->process;
}

static void
leave(void)
{
	self = NULL;
	_longjmp(scheduler, 1);
}

/* The end of the caller's stack frame: what lies beyond is not in use. */
static pg_noinline char *
stack_end(void)
{
	return __builtin_frame_address(0);
}

/* The life of a coroutine: job after job. */
static void
live(void)
{
	Backend    *backend = self;

	for (;;)
	{
		backend->stack_used = backend->stack_idle = stack_end();
		if (_setjmp(backend->idle) == 0)
			leave();
		run_job(backend);
	}
}

/* The running backend lets others run. */
void
sim_preempt(void)
{
	Backend    *backend = self;

	if (backend == NULL)
		return;					/* the scheduler itself looks at something */
	backend->stack_used = stack_end();
	if (_setjmp(backend->context) == 0)
		leave();
}

/* Wait until backend_runnable(). */
static void
block(void)
{
	sim_preempt();
}

/* Make the coroutine of a backend: once, as it outlives all crashes. */
static void
create_coroutine(Backend *backend)
{
	static ucontext_t back;

	backend->stack = malloc(SIM_STACK_BYTES);
	getcontext(&first_context);
	first_context.uc_stack.ss_sp = backend->stack;
	first_context.uc_stack.ss_size = SIM_STACK_BYTES;
	first_context.uc_link = NULL;
	makecontext(&first_context, live, 0);
	enter(backend);
	if (_setjmp(scheduler) == 0)
		swapcontext(&back, &first_context);
}

/* Let a backend run for so many points; one that is idle begins its job. */
void
backend_resume(Backend *backend, int points)
{
	sim_left = points;
	enter(backend);
	if (_setjmp(scheduler) == 0)
	{
		if (backend->state == BACKEND_IDLE)
		{
			backend->state = BACKEND_BUSY;
			backend->clock_min = backend->clock_max = server.now;
			_longjmp(backend->idle, 1);
		}
		_longjmp(backend->context, 1);
	}
}

/* ---------- the library, once for each backend ---------- */

static int
find_data(struct dl_phdr_info *info, size_t size pg_attribute_unused(), void *arg)
{
	Library    *library = arg;
	uintptr_t	inside = (uintptr_t) library->generate;

	for (int i = 0; i < info->dlpi_phnum; i++)
	{
		uintptr_t	start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
			inside >= start && inside < start + info->dlpi_phdr[i].p_memsz)
			for (int j = 0; j < info->dlpi_phnum; j++)
				if (info->dlpi_phdr[j].p_type == PT_LOAD && info->dlpi_phdr[j].p_flags & PF_W)
				{
					library->data = (char *) info->dlpi_addr + info->dlpi_phdr[j].p_vaddr;
					library->size = info->dlpi_phdr[j].p_memsz;
					return 1;
				}
	}
	return 0;
}

static void *
symbol(void *handle, const char *name)
{
	void	   *address = dlsym(handle, name);

	if (address == NULL)
	{
		printf("Bail out! %s\n", dlerror());
		exit(255);
	}
	return address;
}

/* Load a copy under a name of its own, or the loader would answer with the first one. */
static void *
load_copy(const char *path)
{
	char		copy[] = "/tmp/flakeid-sim-XXXXXX";
	char		buffer[65536];
	size_t		bytes;
	FILE	   *from = fopen(path, "rb");
	int			fd = mkstemp(copy);
	FILE	   *to = fd < 0 ? NULL : fdopen(fd, "wb");
	void	   *handle;

	if (from == NULL || to == NULL)
	{
		printf("Bail out! cannot copy %s to %s\n", path, copy);
		exit(255);
	}
	while ((bytes = fread(buffer, 1, sizeof(buffer), from)) > 0)
		fwrite(buffer, 1, bytes, to);
	fclose(from);
	fclose(to);
	handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
	unlink(copy);
	if (handle == NULL)
	{
		printf("Bail out! %s\n", dlerror());
		exit(255);
	}
	return handle;
}

void
sim_load(const char *path)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		Library    *library = &backends[i].library;
		void	   *handle = load_copy(path);

#define SYMBOL(field, name)	*(void **) &library->field = symbol(handle, name)
		SYMBOL(generate, "flake_generate");
		SYMBOL(restore, "flake_restore");
		SYMBOL(snapshot, "flake_snapshot");
		SYMBOL(sync, "flake_sync");
		SYMBOL(show, "flake_mark_show");
		SYMBOL(guard, "flakeid_mark_guard");
		SYMBOL(advance, "flakeid_advance");
		SYMBOL(reset, "flakeid_clock_reset");
		dl_iterate_phdr(find_data, library);
		library->pristine = malloc(library->size);
		memcpy(library->pristine, library->data, library->size);
		backends[i].index = i;
		create_coroutine(&backends[i]);
	}
	if (sizeof(FlakeShared) > sizeof(memory))
		abort();
}

/* A new process in the place of one that is gone. */
void
backend_start(Backend *backend, int pid, int database)
{
	Backend		fresh = {
		.index = backend->index,
		.library = backend->library,
		.stack = backend->stack,
		.stack_used = backend->stack_idle,
		.stack_idle = backend->stack_idle,
		.database = database,
		.settings = server.postmaster,
	};

	memcpy(fresh.idle, backend->idle, sizeof(fresh.idle));
	fresh.process.pid = pid;
	fresh.process.database = database_oid(database);
	fresh.process.reloaded = server.postmaster_reloaded;
	fresh.invalidations = server.invalidations;
	fresh.drops = server.databases[database].drops;
	memcpy(backend->library.data, backend->library.pristine, backend->library.size);
	*backend = fresh;
}

/* The database as the backend sees it: with what its own transaction did. */
static Database *
view(const Backend *backend)
{
	if (server.databases[backend->database].owner == backend->index + 1)
		return &server.uncommitted[backend->database];
	return &server.databases[backend->database];
}

static void
release_locks(Backend *backend)
{
	Database   *database = view(backend);

	if (backend->lwlock != NULL)
	{
		if (backend->lwlock_mode == LW_EXCLUSIVE)
			backend->lwlock->exclusive = false;
		else
			backend->lwlock->shared--;
		backend->lwlock = NULL;
	}
	if (backend->buffer_lock == BUFFER_LOCK_SHARE)
		database->readers--;
	else if (backend->buffer_lock == BUFFER_LOCK_EXCLUSIVE)
		database->writer = false;
	backend->buffer_lock = BUFFER_LOCK_UNLOCK;
	backend->pins = 0;
	database->holders -= backend->relation_locks;
	backend->relation_locks = 0;
}

/*
 * The running backend leaves in order, as proc_exit() does: locks are released,
 * the library's callback is run, the stack is left as it is.
 */
void
backend_exit(void)
{
	Backend    *backend = self;
	jmp_buf		boundary;

	release_locks(backend);
	backend->process.exception_stack = &boundary;
	if (_setjmp(boundary) == 0)
	{
		if (backend->exit_callback != NULL)
			backend->exit_callback(0, (Datum) 0);
	}
	else
		sim_fault("error at exit: %s", backend->message);
	transaction_end(backend, false);
	backend->state = BACKEND_GONE;
	leave();
}

/* After an error: as the end of a transaction does. */
void
backend_abort(Backend *backend)
{
	release_locks(backend);
	transaction_end(backend, false);
}

/* Does it hold anything that a call should have given back? */
bool
backend_holds_locks(const Backend *backend)
{
	return backend->lwlock != NULL || backend->buffer_lock != BUFFER_LOCK_UNLOCK ||
		backend->pins != 0 || backend->relation_locks != 0;
}

static bool
lwlock_free(const LWLock *lock, LWLockMode mode)
{
	return !lock->exclusive && (mode == LW_SHARED || lock->shared == 0);
}

static bool
buffer_free(const Database *database, int mode)
{
	return !database->writer && (mode == BUFFER_LOCK_SHARE || database->readers == 0);
}

bool
backend_runnable(const Backend *backend)
{
	if (backend->state == BACKEND_GONE)
		return false;
	if (backend->wants_lwlock != NULL)
		return lwlock_free(backend->wants_lwlock, backend->wants_mode);
	if (backend->wants_buffer_lock != BUFFER_LOCK_UNLOCK)
		return buffer_free(view(backend), backend->wants_buffer_lock);
	if (backend->wants_relation)
		return !view(backend)->ddl;
	return true;
}

/* ---------- lightweight locks ---------- */

void
LWLockInitialize(LWLock *lock, int tranche pg_attribute_unused())
{
	lock->exclusive = false;
	lock->shared = 0;
}

static void
lwlock_take(LWLock *lock, LWLockMode mode)
{
	if (mode == LW_EXCLUSIVE)
		lock->exclusive = true;
	else
		lock->shared++;
	self->lwlock = lock;
	self->lwlock_mode = mode;
	trace("locked%s", mode == LW_SHARED ? " shared" : "");
}

LWLock		sim_truncation_lock;
struct SimTransactions sim_transactions;

bool
LWLockHeldByMe(LWLock *lock)
{
	return self->lwlock == lock;
}

bool
LWLockAcquire(LWLock *lock, LWLockMode mode)
{
	if (lock == XactTruncationLock)
		return true;
	if (self->lwlock != NULL)
		sim_fault("LWLock acquired while another is held");
	if (self->buffer_lock != BUFFER_LOCK_UNLOCK)
		sim_fault("LWLock acquired under a buffer's lock");
	sim_point();
	while (!lwlock_free(lock, mode))
	{
		self->wants_lwlock = lock;
		self->wants_mode = mode;
		block();
		self->wants_lwlock = NULL;
	}
	lwlock_take(lock, mode);
	return true;
}

bool
LWLockConditionalAcquire(LWLock *lock, LWLockMode mode)
{
	if (self->lwlock != NULL || self->buffer_lock != BUFFER_LOCK_UNLOCK)
		sim_fault("LWLock acquired under another lock");
	sim_point();
	if (!lwlock_free(lock, mode))
		return false;
	lwlock_take(lock, mode);
	return true;
}

void
LWLockRelease(LWLock *lock)
{
	if (lock == XactTruncationLock)
		return;
	if (self->lwlock != lock)
		sim_fault("LWLock released that is not held");
	sim_point();
	if (self->lwlock_mode == LW_EXCLUSIVE)
		lock->exclusive = false;
	else
		lock->shared--;
	self->lwlock = NULL;
	trace("unlocked");
}

/* ---------- shared memory, start and exit ---------- */

void
RequestAddinShmemSpace(Size size pg_attribute_unused())
{
}

void *
ShmemInitStruct(const char *name pg_attribute_unused(), Size size pg_attribute_unused(),
				bool *found pg_attribute_unused())
{
	abort();
}

void *
GetNamedDSMSegment(const char *name pg_attribute_unused(), Size size, void (*init) (void *), bool *found)
{
	if (size > sizeof(memory))
		abort();
	*found = server.has_memory;
	if (!server.has_memory)
		init(memory);
	server.has_memory = true;
	return memory;
}

void
before_shmem_exit(sim_exit_callback callback, Datum arg pg_attribute_unused())
{
	self->exit_callback = callback;
}

bool
RecoveryInProgress(void)
{
	return server.recovering;
}

void *
BackendPidGetProc(int pid)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (backends[i].state != BACKEND_GONE && backends[i].process.pid == pid)
			return &backends[i];
	return NULL;
}

/* ---------- errors ---------- */

int
errcode(int sqlstate)
{
	self->sqlstate = sqlstate;
	return 0;
}

int
errmsg(const char *format,...)
{
	va_list		args;

	if (!sim_tracing && self->sqlstate != ERRCODE_INTERNAL_ERROR)
		return 0;
	va_start(args, format);
	vsnprintf(self->message, sizeof(self->message), format, args);
	va_end(args);
	return 0;
}

int
errdetail(const char *format pg_attribute_unused(),...)
{
	return 0;
}

int
errhint(const char *format pg_attribute_unused(),...)
{
	return 0;
}

void
sim_report(int level)
{
	trace("%s: %s", level >= ERROR ? "ERROR" : "LOG", self->message);
}

void
sim_throw(void)
{
	_longjmp(*self->process.exception_stack, 1);
}

const char *
timestamptz_to_str(TimestampTz t pg_attribute_unused())
{
	return "";
}

/* ---------- of type.c and guc.c ---------- */

int64
flake_us_saturated(TimestampTz t)
{
	if (t == DT_NOBEGIN)
		return PG_INT64_MIN;
	return t == DT_NOEND ? PG_INT64_MAX : t + FLAKE_PG_EPOCH_US;
}

int
flake_span_detail(const FlakeFormat *format pg_attribute_unused())
{
	return 0;
}

void
flake_clock_out_of_span(const FlakeFormat *format, int64 us pg_attribute_unused())
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("the clock is out of range for type %s", format->name)));
}

void
flake_check_settings(void)
{
}

void
flake_identify(FlakeIdentity *identity, const FlakeIdentity *in_force pg_attribute_unused())
{
	memset(identity, 0, sizeof(*identity));
	identity->reloaded = PgReloadTime;
	identity->given = self->settings;
	identity->sno_partition = self->settings.sno_partition;
	identity->snowflake_worker = 1;
}

/* ---------- the clock, sleeping, interrupts ---------- */

void
clock_set(int64 us)
{
	if (us < server.now)
		server.steps_back++;
	server.now = us;
	server.lowest = Min(server.lowest, us);
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		backends[i].clock_max = Max(backends[i].clock_max, us);
		backends[i].clock_min = Min(backends[i].clock_min, us);
	}
}

int
sim_clock_gettime(clockid_t clock, struct timespec *now)
{
	if (clock == CLOCK_MONOTONIC)
	{
		now->tv_sec = server.monotonic++;
		now->tv_nsec = 0;
		return 0;
	}
	sim_point();
	if (server.drift != 0)
		clock_set(server.now + server.drift);
	now->tv_sec = server.now / USECS_PER_SEC;
	now->tv_nsec = server.now % USECS_PER_SEC * 1000;
	trace("clock: %ld", (long) server.now);
	return 0;
}

TimestampTz
GetCurrentTimestamp(void)
{
	return server.now - FLAKE_PG_EPOCH_US;
}

static void
sleep_for(int64 us)
{
	if (self->lwlock != NULL || self->buffer_lock != BUFFER_LOCK_UNLOCK || self->relation_locks > 0)
		sim_fault("sleeps while it holds a lock");
	trace("sleeps %ld us", (long) us);
	self->yields = true;
	sim_preempt();
	self->yields = false;
	if (server.clock_runs)
		clock_set(server.now + us);
}

int
WaitLatch(void *latch pg_attribute_unused(), int events pg_attribute_unused(), long timeout,
		  uint32 event pg_attribute_unused())
{
	sleep_for(timeout * 1000);
	return once_in(8) ? WL_LATCH_SET : WL_TIMEOUT;
}

void
pg_usleep(long us)
{
	sleep_for(us);
}

void
sim_check_for_interrupts(void)
{
	Backend    *backend = self;

	if (backend->terminate)
	{
		trace("terminated");
		backend_exit();
	}
	if (backend->cancel)
	{
		backend->cancel = false;
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("canceled")));
	}
}

/* ---------- relations and invalidation ---------- */

Oid
database_oid(int database)
{
	return 100 + database;
}

void
accept_invalidations(Backend *backend)
{
	backend->drops = server.databases[backend->database].drops;
	while (backend->invalidations < server.invalidations)
	{
		int			i = backend->invalidations++;

		if (server.invalidated[i].database == backend->database && backend->invalidate != NULL)
			backend->invalidate((Datum) 0, server.invalidated[i].relation);
	}
}

static void
invalidate(int database, Oid relation)
{
	if (server.invalidations == SIM_RECORDS)
		abort();
	server.invalidated[server.invalidations].relation = relation;
	server.invalidated[server.invalidations++].database = database;
}

static void
no_lock_held(const char *what)
{
	if (self->lwlock != NULL || self->buffer_lock != BUFFER_LOCK_UNLOCK)
		sim_fault("%s under a lock", what);
}

void
LockRelationOid(Oid oid pg_attribute_unused(), LOCKMODE mode pg_attribute_unused())
{
	no_lock_held("relation locked");
	sim_point();
	while (view(self)->ddl)
	{
		self->wants_relation = true;
		block();
		self->wants_relation = false;
	}
	self->relation_locks++;
	view(self)->holders++;
	accept_invalidations(self);
}

bool
ConditionalLockRelationOid(Oid oid, LOCKMODE mode)
{
	no_lock_held("relation locked");
	sim_point();
	if (view(self)->ddl)
		return false;
	LockRelationOid(oid, mode);
	return true;
}

void
UnlockRelationOid(Oid oid pg_attribute_unused(), LOCKMODE mode pg_attribute_unused())
{
	if (self->relation_locks == 0)
		sim_fault("relation unlocked that is not locked");
	sim_point();
	self->relation_locks--;
	view(self)->holders--;
}

Relation
try_table_open(Oid oid, LOCKMODE mode)
{
	Database   *database = view(self);

	no_lock_held("relation opened");
	if (mode == NoLock && self->relation_locks == 0)
		sim_fault("relation opened without a lock");
	if (!database->exists || database->relation.oid != oid)
		return NULL;
	return &database->relation;
}

static RelationData catalog;

Relation
table_open(Oid oid pg_attribute_unused(), LOCKMODE mode pg_attribute_unused())
{
	no_lock_held("catalog read");
	accept_invalidations(self);
	return &catalog;
}

void
table_close(Relation relation, LOCKMODE mode)
{
	if (relation != &catalog && mode != NoLock)
		UnlockRelationOid(relation->oid, mode);
}

Oid
get_extension_oid(const char *name pg_attribute_unused(), bool missing_ok pg_attribute_unused())
{
	no_lock_held("catalog read");
	sim_point();
	return view(self)->exists ? 50 : InvalidOid;
}

/* The extension's row; by name also the one that this transaction has deleted. */
HeapTuple
systable_getnext(SysScanDesc scan)
{
	static HeapTupleHeaderData header;
	static FormData_pg_extension row = {.t_data = &header, .extnamespace = 2200};
	bool		dropped = view(self)->drops > server.databases[self->database].drops;

	no_lock_held("catalog read");
	header.t_xmax = self->xid;
	return (scan == (void *) ExtensionNameIndexId ? dropped : view(self)->exists) ? &row : NULL;
}

Oid
get_relname_relid(const char *name pg_attribute_unused(), Oid schema)
{
	Database   *database = view(self);

	no_lock_held("catalog read");
	sim_point();
	return OidIsValid(schema) && database->exists ? database->relation.oid : InvalidOid;
}

void
CacheRegisterRelcacheCallback(void (*callback) (Datum arg, Oid relation), Datum arg pg_attribute_unused())
{
	self->invalidate = callback;
}

/* ---------- pages and WAL ---------- */

struct GenericXLogState
{
	bool		used;
	SimPage		copy;
};

static GenericXLogState xlog_states[SIM_BACKENDS];

int64
row_us(const SimPage *page, FlakeMarkKind kind, FlakeMarkValue value)
{
	int64		best = 0;
	int64		us = 0;

	for (int i = 0; i < SIM_ROWS; i++)
		if (page->row[i].kind == kind && page->row[i].value[0] != DT_NOBEGIN &&
			page->row[i].value[0] + FLAKE_PG_EPOCH_US > best)
		{
			best = page->row[i].value[0] + FLAKE_PG_EPOCH_US;
			us = page->row[i].value[value] == DT_NOBEGIN ? 0 : page->row[i].value[value] + FLAKE_PG_EPOCH_US;
		}
	return us;
}

Buffer
ReadBuffer(Relation relation, int block pg_attribute_unused())
{
	no_lock_held("buffer read");
	if (relation != &view(self)->relation || self->relation_locks == 0)
		sim_fault("buffer of a relation read that is not locked");
	self->pins++;
	return 1;
}

void
ReleaseBuffer(Buffer buffer pg_attribute_unused())
{
	if (self->pins-- == 0)
		sim_fault("buffer released that is not pinned");
}

void
LockBuffer(Buffer buffer pg_attribute_unused(), int mode)
{
	Database   *database = view(self);

	sim_point();
	if (mode == BUFFER_LOCK_UNLOCK)
	{
		if (self->buffer_lock == BUFFER_LOCK_UNLOCK)
			sim_fault("buffer unlocked that is not locked");
		if (self->buffer_lock == BUFFER_LOCK_SHARE)
			database->readers--;
		else
			database->writer = false;
		self->buffer_lock = mode;
		return;
	}
	if (self->pins == 0)
		sim_fault("buffer locked that is not pinned");
	if (self->buffer_lock != BUFFER_LOCK_UNLOCK)
		sim_fault("buffer locked twice");
	while (!buffer_free(database, mode))
	{
		self->wants_buffer_lock = mode;
		block();
		self->wants_buffer_lock = BUFFER_LOCK_UNLOCK;
	}
	if (mode == BUFFER_LOCK_SHARE)
		database->readers++;
	else
		database->writer = true;
	self->buffer_lock = mode;
}

void
UnlockReleaseBuffer(Buffer buffer)
{
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	ReleaseBuffer(buffer);
}

Page
BufferGetPage(Buffer buffer pg_attribute_unused())
{
	if (self->buffer_lock == BUFFER_LOCK_UNLOCK)
		sim_fault("page looked at without its lock");
	sim_point();
	return &view(self)->page;
}

XLogRecPtr
BufferGetLSNAtomic(Buffer buffer pg_attribute_unused())
{
	return view(self)->lsn;
}

bool
TransactionIdIsCurrentTransactionId(TransactionId xid)
{
	return xid == self->xid && xid != InvalidTransactionId;
}

bool
TransactionIdPrecedes(TransactionId a, TransactionId b)
{
	return a < b;
}

bool
TransactionIdDidCommit(TransactionId xid)
{
	sim_point();
	return xid < SIM_RECORDS && server.committed[xid];
}

TransactionId
GetTopTransactionIdIfAny(void)
{
	return self->xid;
}

GenericXLogState *
GenericXLogStart(Relation relation pg_attribute_unused())
{
	GenericXLogState *state = &xlog_states[self->index];

	state->used = true;
	return state;
}

Page
GenericXLogRegisterBuffer(GenericXLogState *state, Buffer buffer, int flags pg_attribute_unused())
{
	if (self->buffer_lock != BUFFER_LOCK_EXCLUSIVE)
		sim_fault("page changed without its lock");
	state->copy = *BufferGetPage(buffer);
	return &state->copy;
}

static XLogRecPtr
insert_record(Database *d)
{
	WalRecord  *record = &server.wal[server.inserted++];

	record->uncommitted = d >= server.uncommitted && d < server.uncommitted + SIM_DATABASES;
	record->database = (int) (d - (record->uncommitted ? server.uncommitted : server.databases));
	record->exists = d->exists;
	record->relation = d->relation.oid;
	record->file = d->relation.rd_locator.relNumber;
	record->page = d->page;
	d->lsn = (XLogRecPtr) server.inserted;
	return (XLogRecPtr) server.inserted;
}

XLogRecPtr
GenericXLogFinish(GenericXLogState *state)
{
	sim_point();
	if (self->buffer_lock != BUFFER_LOCK_EXCLUSIVE)
		sim_fault("page changed without its lock");
	view(self)->page = state->copy;
	state->used = false;
	trace("page: %ld %ld %ld", (long) row_us(&state->copy, 0, 0), (long) row_us(&state->copy, 1, 0),
		  (long) row_us(&state->copy, 2, 0));
	return insert_record(view(self));
}

void
GenericXLogAbort(GenericXLogState *state)
{
	state->used = false;
}

static void
flush(int records)
{
	for (; server.flushed < records; server.flushed++)
		if (!server.wal[server.flushed].uncommitted)
			server.databases[server.wal[server.flushed].database].durable = server.wal[server.flushed].page;
}

void
XLogFlush(XLogRecPtr lsn)
{
	sim_point();
	flush((int) lsn);
	trace("flushed");
	sim_point();
}

/* ---------- DDL ---------- */

static SimPage
empty_page(TransactionId xid)
{
	SimPage		page;

	memset(&page, 0, sizeof(page));
	for (int i = 0; i < SIM_ROWS; i++)
	{
		SimRow	   *row = &page.row[i];

		/* a kind may have two rows, and one of a transaction rolled back is no row */
		row->header.t_hoff = offsetof(SimRow, kind);
		row->header.t_xmin = xid;
		row->kind = i < FLAKE_MARK_KINDS ? i : (int) random_below(FLAKE_MARK_KINDS);
		for (int v = 0; v < FLAKE_MARK_VALUES; v++)
			row->value[v] = DT_NOBEGIN;
	}
	return page;
}

void
extension_drop(int database)
{
	Database   *d = &server.databases[database];

	d->exists = false;
	d->page = empty_page(1);
	d->drops++;
	invalidate(database, d->relation.oid);
	flush((int) insert_record(d));
}

void
extension_create(int database)
{
	Database   *d = &server.databases[database];

	d->exists = true;
	d->relation.oid = server.next_oid++;
	d->relation.rd_locator.relNumber = server.next_oid++;
	d->page = empty_page(1);
	flush((int) insert_record(d));
}

/*
 * In the backend's transaction: drop the extension or, if it is not there, create
 * it; or rewrite the table.
 */
void
transaction_change(Backend *backend, bool rewrite)
{
	Database   *d = &server.databases[backend->database];
	Database   *u = &server.uncommitted[backend->database];

	if (d->owner == 0)
	{
		backend->xid = server.next_xid++;
		*u = *d;
		u->readers = u->holders = 0;
		u->writer = false;
		d->owner = backend->index + 1;
		d->ddl = d->exists;
	}
	accept_invalidations(backend);
	if (backend->invalidate != NULL)
		backend->invalidate((Datum) 0, u->relation.oid);
	if (u->exists && rewrite)
	{
		u->relation.rd_locator.relNumber = server.next_oid++;
		u->relation.rd_firstRelfilelocatorSubid = 1;
	}
	else if (u->exists)
	{
		u->exists = false;
		u->page = empty_page(1);
		u->drops++;
	}
	else
	{
		u->exists = true;
		u->relation.oid = server.next_oid++;
		u->relation.rd_locator.relNumber = server.next_oid++;
		u->relation.rd_createSubid = 1;
		u->relation.rd_firstRelfilelocatorSubid = 0;
		u->page = empty_page(backend->xid);
	}
	insert_record(u);
}

void
transaction_end(Backend *backend, bool commit)
{
	Database   *d = &server.databases[backend->database];
	Database   *u = &server.uncommitted[backend->database];
	TransactionId xid = backend->xid;

	if (xid == InvalidTransactionId)
		return;
	backend->xid = InvalidTransactionId;
	d->owner = 0;
	d->ddl = false;
	if (commit)
	{
		Oid			old = d->relation.oid;

		d->exists = u->exists;
		d->relation = u->relation;
		d->relation.rd_createSubid = d->relation.rd_firstRelfilelocatorSubid = InvalidSubTransactionId;
		d->page = u->page;
		d->drops = u->drops;
		server.committed[xid] = true;
		flush((int) insert_record(d));
		invalidate(backend->database, old);
		invalidate(backend->database, d->relation.oid);
	}
	else if (backend->invalidate != NULL)
		backend->invalidate((Datum) 0, u->relation.oid);
	transaction_over(backend, xid, commit);
}

/* Somebody else, who knows nothing of our memory, moves a mark. */
void
mark_by_hand(int database, FlakeMarkKind kind, int64 us)
{
	Database   *d = &server.databases[database];

	for (int i = 0; i < SIM_ROWS; i++)
		if (d->page.row[i].kind == (int64) kind)
			d->page.row[i].value[FLAKE_MARK] = us - FLAKE_PG_EPOCH_US;
	flush((int) insert_record(d));
}

/* VACUUM FULL and the like: the same rows in another file. */
void
extension_rewrite(int database)
{
	Database   *d = &server.databases[database];

	d->relation.rd_locator.relNumber = server.next_oid++;
	invalidate(database, d->relation.oid);
	flush((int) insert_record(d));
}

/* ---------- the state, for schedules that go on from one ---------- */

/* Tell of all that the server and the first so many backends keep, but for the stacks. */
void
server_state(int sessions)
{
	state_piece(&server, offsetof(Server, wal), NULL);
	state_piece(server.wal, sizeof(server.wal[0]), &server.inserted);
	state_piece(server.invalidated, sizeof(server.invalidated[0]), &server.invalidations);
	state_piece(server.committed, sizeof(server.committed[0]), (int *) &server.next_xid);
	state_piece(memory, sizeof(FlakeShared), NULL);
	state_piece(xlog_states, sizeof(xlog_states[0]) * sessions, NULL);
	state_piece(backends, sizeof(Backend) * sessions, NULL);
	for (int i = 0; i < sessions; i++)
		state_piece(backends[i].library.data, backends[i].library.size, NULL);
}

/* ---------- the server's life ---------- */

/* A new cluster, with the extension in every database. */
void
server_create(void)
{
	static __typeof__(*((Relation) 0)->rd_rel) permanent = {.relpersistence = RELPERSISTENCE_PERMANENT, .relam = HEAP_TABLE_AM_OID};

	/* the WAL and the messages are not looked at beyond their counts */
	server.steps_back = 0;
	server.monotonic = 0;
	server.inserted = server.flushed = 0;
	server.invalidations = 0;
	server.incarnation = 0;
	server.next_oid = 1000;
	server.next_xid = 2;
	memset(server.committed, 0, sizeof(server.committed));
	server.committed[1] = true;
	memset(server.databases, 0, sizeof(server.databases));
	server_stop();
	for (int i = 0; i < SIM_DATABASES; i++)
	{
		server.databases[i].relation.rd_rel = &permanent;
		extension_create(i);
	}
}

/* Everything in memory is lost: shared buffers, locks, backends. */
void
server_stop(void)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		backends[i].state = BACKEND_GONE;
		backends[i].lwlock = NULL;
		backends[i].buffer_lock = BUFFER_LOCK_UNLOCK;
		backends[i].relation_locks = 0;
		backends[i].pins = 0;
	}
	for (int i = 0; i < SIM_DATABASES; i++)
	{
		server.databases[i].holders = 0;
		server.databases[i].readers = 0;
		server.databases[i].writer = false;
		server.databases[i].ddl = false;
		server.databases[i].owner = 0;
	}
	server.has_memory = false;
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
