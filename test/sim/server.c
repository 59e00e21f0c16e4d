/*
 * server.c
 *		The server that the simulated backends believe to run in.
 *
 * What the library uses of the server, where it is faked, and what using it
 * wrongly makes a fault of the schedule.  "Point" says that another backend may
 * run before it; whatever two backends share has one.
 *
 *	pg_atomic_*			fake/postgres.h; point.  Barriers are nothing: one thread
 *						runs it all, in the order of the program.  Fault: of memory
 *						that was freed
 *	LWLock				LWLock*(); point at acquiring and releasing.  Fault: taken in
 *						another order than the header's before a database's
 *	shared memory		GetNamedDSMSegment(), dsa_*(): there until server_stop(); what is
 *						freed is overwritten, and may be handed out again at once.
 *						Fault: allocated or freed under a LWLock, freed twice
 *	the mark's table	flake_page_*(), flake_mark_relation(), flake_mark_file() instead
 *						of markpage.c, flake_place() instead of place.c.  Points; a
 *						page is three rows.  Fault: under a LWLock, not opened, opened
 *						for nothing
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
 *	clock				sim_clock_gettime(): server.now; point.  The monotonic one
 *						moves a second each time
 *	latch, sleep		sleep_for(): others run, then the clock goes on if it runs; a
 *						latch may wake early.  Fault: under a LWLock
 *	errors				errcode() ... sim_throw().  Fault: under a LWLock
 *	interrupts			sim_check_for_interrupts(): cancel, terminate
 *	processes			backend_start(), backend_exit(); every backend is a coroutine
 *						with a copy of the library
 *	recovery			RecoveryInProgress(): server.recovering
 *	settings			flake_setting_text(), flake_read_settings() instead of guc.c: the
 *						text of the first setting says which of server.settings[]
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

/* The shared memory, and what is allocated in it. */
char		sim_memory[SIM_MEMORY_BYTES] __attribute__((aligned(64)));
uint8		sim_lines[SIM_MEMORY_BYTES / SIM_LINE];
LWLock		sim_init_lock;
int			sim_max_backends = SIM_BACKENDS;
FlakeShared *shared;
static uint64 root[64 / sizeof(uint64)];

typedef struct Block
{
	int			offset;
	int			size;
	bool		used;
} Block;

static Block blocks[256];
static int	blocks_count;
static int	memory_used;		/* bytes, of blocks freed as well */
static int	lines_used;

int			sim_left;
bool		sim_tracing;
char		sim_failure[400];
jmp_buf		sim_failed;

static jmp_buf scheduler;
static ucontext_t first_context;

shmem_request_hook_type shmem_request_hook;
shmem_startup_hook_type shmem_startup_hook;
bool		process_shared_preload_libraries_in_progress;

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

/* One access to shared memory, in terms of FlakeDatabase. */
void
sim_log_access(const char *what, const volatile void *address, uint64 value)
{
	size_t		at = (size_t) ((const volatile char *) address - sim_memory);
	FlakeDatabase *db = NULL;

#define FIELD(name) \
	(at >= offsetof(FlakeDatabase, name) && at < offsetof(FlakeDatabase, name) + sizeof(db->name))
#define INDEX(name)		((at - offsetof(FlakeDatabase, name)) / sizeof(db->name[0]))
#define REST(name)		((at - offsetof(FlakeDatabase, name)) % sizeof(db->name[0]))

	if (at >= SIM_MEMORY_BYTES)
		return;
	for (int i = 0; i < blocks_count; i++)
		if (blocks[i].size == sizeof(FlakeDatabase) &&
			(int) at >= blocks[i].offset && (int) at < blocks[i].offset + blocks[i].size)
		{
			at -= blocks[i].offset;
			db = (FlakeDatabase *) (sim_memory + blocks[i].offset);
			break;
		}
	if (db == NULL)
		return;
	if (FIELD(generation))
		trace("%s generation: %ld timeline %d", what, (long) (value >> 1), (int) (value & 1));
	else if (FIELD(writer))
		trace("%s writer: %d", what, (int) value);
	else if (FIELD(floor))
		trace("%s floor[%s][%d]: %ld", what, flake_formats[INDEX(floor)]->name,
			  (int) (REST(floor) / 8), (long) value);
	else if (FIELD(ahead_until))
		trace("%s ahead_until[%s][%d]: %ld", what, flake_formats[INDEX(ahead_until)]->name,
			  (int) (REST(ahead_until) / 8), (long) value);
	else if (FIELD(keys))
		trace("%s keys[%d]: %x", what, (int) INDEX(keys), (unsigned) value);
	else if (FIELD(generators))
	{
		if (REST(generators) == offsetof(FlakeGenerator, word))
			trace("%s word[%d]: %s", what, (int) INDEX(generators), word_text(INDEX(generators), value));
	}
	else if (FIELD(relation))
		trace("%s relation: %u", what, (unsigned) value);
	else if (FIELD(file))
		trace("%s file: %u", what, (unsigned) value);
	else if (FIELD(mark_floor))
		trace("%s mark_floor[%d]: %ld", what, (int) INDEX(mark_floor), (long) value);
	else if (FIELD(value) && (REST(value) == 0 || value != 0))
		trace("%s value[%d][%d]: %ld", what, (int) INDEX(value), (int) (REST(value) / 8), (long) value);
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
			backend->heap_used = 0;
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
		SYMBOL(own, "flake_own");
		SYMBOL(identity, "flake_identity");
		SYMBOL(database, "flake_db");
		SYMBOL(take_over, "flakeid_mark_take_over");
		SYMBOL(show, "flake_mark_show");
		SYMBOL(release, "flake_writer_release");
		SYMBOL(issued, "flake_issued");
		SYMBOL(guard, "flakeid_mark_guard");
		SYMBOL(advance, "flakeid_advance");
		SYMBOL(reset, "flakeid_clock_reset");
		dl_iterate_phdr(find_data, library);
		library->pristine = malloc(library->size);
		memcpy(library->pristine, library->data, library->size);
		backends[i].index = i;
		create_coroutine(&backends[i]);
	}
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
		.cached = false,
	};

	memcpy(fresh.idle, backend->idle, sizeof(fresh.idle));
	fresh.process.pid = pid;
	fresh.process.number = backend->index;
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
release_lwlocks(Backend *backend)
{
	while (backend->lwlocks_held > 0)
	{
		backend->lwlocks_held--;
		if (backend->lwlocks[backend->lwlocks_held].mode == LW_EXCLUSIVE)
			backend->lwlocks[backend->lwlocks_held].lock->exclusive = false;
		else
			backend->lwlocks[backend->lwlocks_held].lock->shared--;
	}
}

static void
release_relations(Backend *backend)
{
	view(backend)->holders -= backend->relation_locks;
	backend->relation_locks = 0;
	backend->pages = 0;
}

/*
 * The running backend leaves in order, as proc_exit() does: the library's callback
 * is run, then the transaction ends and locks are released; the stack is left as it is.
 */
void
backend_exit(void)
{
	Backend    *backend = self;
	jmp_buf		boundary;

	release_lwlocks(backend);
	backend->process.exception_stack = &boundary;
	if (_setjmp(boundary) == 0)
	{
		/* the callback registered last comes first */
		while (backend->exit_callbacks_count > 0)
			backend->exit_callbacks[--backend->exit_callbacks_count] (0, (Datum) 0);
		backend_abort(backend);
	}
	else
		sim_fault("error at exit: %s", backend->message);
	backend->state = BACKEND_GONE;
	leave();
}

/* After an error: as the end of a transaction does. */
void
backend_abort(Backend *backend)
{
	release_lwlocks(backend);
	if (backend->xact_callback != NULL)
		backend->xact_callback(XACT_EVENT_ABORT, NULL);
	release_relations(backend);
	transaction_end(backend, false);
}

/* Does it hold anything that a call should have given back? */
bool
backend_holds_locks(const Backend *backend)
{
	return backend->lwlocks_held > 0 || backend->pages != 0 || backend->relation_locks != 0;
}

static bool
lwlock_free(const LWLock *lock, LWLockMode mode)
{
	return !lock->exclusive && (mode == LW_SHARED || lock->shared == 0);
}

bool
backend_runnable(const Backend *backend)
{
	if (backend->state == BACKEND_GONE)
		return false;
	if (backend->wants_lwlock != NULL)
		return lwlock_free(backend->wants_lwlock, backend->wants_mode);
	return true;
}

/* ---------- lightweight locks ---------- */

/* Locks are taken in this order only. */
static int
rank(const LWLock *lock)
{
	if (lock == &sim_init_lock)
		return 0;
	return shared != NULL && lock == &shared->lock ? 1 : 2;
}

static void
no_lwlock_held(const char *what)
{
	if (self != NULL && self->lwlocks_held > 0)
		sim_fault("%s under a lock", what);
}

void
LWLockInitialize(LWLock *lock, int tranche pg_attribute_unused())
{
	lock->exclusive = false;
	lock->shared = 0;
}

bool
LWLockAcquire(LWLock *lock, LWLockMode mode)
{
	for (int i = 0; i < self->lwlocks_held; i++)
		if (rank(self->lwlocks[i].lock) >= rank(lock))
			sim_fault("locks are taken in the wrong order");
	sim_point();
	sim_check_address(lock);
	while (!lwlock_free(lock, mode))
	{
		self->wants_lwlock = lock;
		self->wants_mode = mode;
		block();
		self->wants_lwlock = NULL;
		sim_check_address(lock);
	}
	if (mode == LW_EXCLUSIVE)
		lock->exclusive = true;
	else
		lock->shared++;
	self->lwlocks[self->lwlocks_held].lock = lock;
	self->lwlocks[self->lwlocks_held++].mode = mode;
	trace("locked%s%s", rank(lock) == 1 ? " the header" : "", mode == LW_SHARED ? " shared" : "");
	return true;
}

void
LWLockRelease(LWLock *lock)
{
	int			i = self->lwlocks_held;

	while (i > 0 && self->lwlocks[i - 1].lock != lock)
		i--;
	if (i == 0)
		sim_fault("LWLock released that is not held");
	sim_point();
	sim_check_address(lock);
	if (self->lwlocks[i - 1].mode == LW_EXCLUSIVE)
		lock->exclusive = false;
	else
		lock->shared--;
	for (; i < self->lwlocks_held; i++)
		self->lwlocks[i - 1] = self->lwlocks[i];
	self->lwlocks_held--;
	trace("unlocked%s", rank(lock) == 1 ? " the header" : "");
}

/* ---------- memory ---------- */

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
	no_lwlock_held("memory made");
	sim_point();
	if (size > sizeof(root))
		abort();
	*found = server.has_root;
	if (!server.has_root)
		init(root);
	server.has_root = true;
	return root;
}

static dsa_area *const the_area = (dsa_area *) root;

dsa_area *
dsa_create(int tranche pg_attribute_unused())
{
	memset(sim_lines, 0, sizeof(sim_lines));
	blocks_count = 0;
	memory_used = SIM_LINE;		/* 0 is no pointer */
	return the_area;
}

dsa_area *
dsa_attach(dsa_handle handle pg_attribute_unused())
{
	return the_area;
}

dsa_area *
dsa_create_in_place(void *place pg_attribute_unused(), Size size pg_attribute_unused(),
					int tranche pg_attribute_unused(), void *segment pg_attribute_unused())
{
	abort();
}

dsa_area *
dsa_attach_in_place(void *place pg_attribute_unused(), void *segment pg_attribute_unused())
{
	abort();
}

static void
mark_block(const Block *block, int line)
{
	memset(sim_lines + block->offset / SIM_LINE, line, TYPEALIGN(SIM_LINE, block->size) / SIM_LINE);
}

/* A line that is not for all is written to. */
void
sim_check_owner(int line, const volatile void *address)
{
	size_t		at = (size_t) ((const volatile char *) address - sim_memory);

	if (line == SIM_LINE_FREED)
		sim_fault("memory is written to that was freed");
	if (self == NULL || line == SIM_LINE_DATABASE + self->database)
		return;
	/* settings are put in force for all */
	for (int i = 0; i < blocks_count; i++)
		if (blocks[i].offset + offsetof(FlakeDatabase, generation) == at && shared->lock.exclusive &&
			self->lwlocks_held == 2 && self->lwlocks[0].lock == &shared->lock)
			return;
	sim_fault("the memory of database %d is written to by a session of database %d",
			  line - SIM_LINE_DATABASE, self->database);
}

dsa_pointer
dsa_allocate_extended(dsa_area *area pg_attribute_unused(), Size size, int flags)
{
	Block	   *block = NULL;

	/* the header is made under the lock that is there for it */
	if (self->lwlocks_held > 0 && self->lwlocks[0].lock != &sim_init_lock)
		sim_fault("memory allocated under a lock");
	sim_point();

	/*
	 * what was freed last is handed out first; but not always, or what still
	 * points to it may find its own
	 */
	for (int i = blocks_count - 1; i >= 0 && block == NULL; i--)
		if (!blocks[i].used && blocks[i].size == (int) size && (random_quiet || !once_in(3)))
			block = &blocks[i];
	if (block == NULL)
	{
		int			bytes = TYPEALIGN(SIM_LINE, (int) size);

		if (blocks_count == (int) lengthof(blocks) || memory_used + bytes > SIM_MEMORY_BYTES)
			sim_fault("out of shared memory");
		block = &blocks[blocks_count++];
		block->offset = memory_used;
		block->size = (int) size;
		memory_used += bytes;
		memset(sim_memory + block->offset, 0xa5, bytes);
	}
	block->used = true;
	mark_block(block, size == sizeof(FlakeDatabase) ? SIM_LINE_DATABASE + self->database : SIM_LINE_SHARED);
	lines_used = memory_used / SIM_LINE;
	if (flags & DSA_ALLOC_ZERO)
		memset(sim_memory + block->offset, 0, size);
	if (blocks_count == 1)
		shared = (FlakeShared *) (sim_memory + block->offset);
	return (dsa_pointer) block->offset;
}

void
dsa_free(dsa_area *area pg_attribute_unused(), dsa_pointer pointer)
{
	no_lwlock_held("memory freed");
	sim_point();
	for (int i = 0; i < blocks_count; i++)
		if (blocks[i].offset == (int) pointer && blocks[i].used)
		{
			trace("freed %d bytes at %d", blocks[i].size, blocks[i].offset);
			if (blocks[i].size == sizeof(FlakeDatabase))
				memory_freed((FlakeDatabase *) (sim_memory + blocks[i].offset));
			for (int b = 0; b < SIM_BACKENDS; b++)
				if (backends[b].state != BACKEND_GONE && backends[b].library.database != NULL &&
					*backends[b].library.database == (void *) (sim_memory + blocks[i].offset))
					sim_fault("a database's memory is freed while backend %d is attached", b);
			blocks[i].used = false;
			mark_block(&blocks[i], SIM_LINE_FREED);
			memset(sim_memory + blocks[i].offset, 0xdd, blocks[i].size);
			return;
		}
	sim_fault("memory freed that is not allocated");
}

void *
dsa_get_address(dsa_area *area pg_attribute_unused(), dsa_pointer pointer)
{
	if (pointer == 0 || pointer >= (dsa_pointer) memory_used)
		sim_fault("no pointer to shared memory: %lx", (unsigned long) pointer);
	sim_check_address(sim_memory + pointer);
	return sim_memory + pointer;
}

static char heaps[SIM_BACKENDS][8192];

/* What a backend allocates for itself is gone with its job. */
void *
palloc(Size size)
{
	Backend    *backend = self;
	void	   *room = heaps[backend->index] + backend->heap_used;

	backend->heap_used += (int) TYPEALIGN(8, size);
	if (backend->heap_used > (int) sizeof(heaps[0]))
		sim_fault("out of memory");
	return room;
}

void
initStringInfo(StringInfo text)
{
	text->data = palloc(64);
	text->len = 0;
}

void
appendBinaryStringInfo(StringInfo text, const void *data, int length)
{
	if (text->len + length > 64)
		abort();
	memcpy(text->data + text->len, data, (size_t) length);
	text->len += length;
}

/* The memory of a database, or NULL: for the checks. */
FlakeDatabase *
database_memory(int database)
{
	dsa_pointer at = shared != NULL ? shared->databases : 0;

	while (at != 0 && ((FlakeDatabase *) (sim_memory + at))->oid != database_oid(database))
		at = ((FlakeDatabase *) (sim_memory + at))->next;
	return at == 0 ? NULL : (FlakeDatabase *) (sim_memory + at);
}

/* ---------- start and exit ---------- */

void
before_shmem_exit(sim_exit_callback callback, Datum arg pg_attribute_unused())
{
	if (self->exit_callbacks_count == lengthof(self->exit_callbacks))
		abort();
	self->exit_callbacks[self->exit_callbacks_count++] = callback;
}

void
RegisterXactCallback(void (*callback) (XactEvent event, void *arg), void *arg pg_attribute_unused())
{
	self->xact_callback = callback;
}

bool
RecoveryInProgress(void)
{
	return server.recovering;
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

int
errhidestmt(bool hide pg_attribute_unused())
{
	return 0;
}

void
sim_report(int level)
{
	trace("%s: %s", level >= ERROR ? "ERROR" : "LOG", self->message);
	no_lwlock_held("reported");
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
flake_refuse_recovery(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot make this ID during recovery")));
}

void
flake_check_settings(void)
{
}

bool
flake_settings_good(void)
{
	return true;
}

const char *
flake_setting_fault(void)
{
	return NULL;
}

/* Which of server.settings[] the backend has read. */
const char *
flake_setting_text(FlakeSettingId id)
{
	char	   *text;

	if (id != FLAKE_SET_NODE)
		return "";
	text = palloc(8);
	snprintf(text, 8, "%d", self->settings);
	return text;
}

bool
flake_setting_refused(FlakeSettingId id pg_attribute_unused())
{
	return false;
}

void
flake_read_settings(const char *const texts[FLAKE_IDENTITY_SETTINGS], const char *database, FlakeSettings *settings)
{
	*settings = server.settings[atoi(texts[FLAKE_SET_NODE])].of[database[1] - '0'];
}

char *
get_database_name(Oid oid)
{
	static char names[][3] = {"d0", "d1", "d2", "d3"};

	for (int i = 0; i < SIM_DATABASES; i++)
		if (database_oid(i) == oid)
			return server.dropped[i] ? NULL : names[i];
	return NULL;
}

Datum
hash_any(const unsigned char *bytes, int length)
{
	uint32		hash = 2166136261u;

	for (int i = 0; i < length; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
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
	no_lwlock_held("sleeps");
	trace("sleeps %ld us", (long) us);
	self->naps++;
	self->awake_for = 0;
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
	if (self->latch)
		timeout = 0;
	sleep_for(timeout * 1000);
	if (!self->latch)
		return once_in(8) ? WL_LATCH_SET : WL_TIMEOUT;
	self->latch = false;
	return WL_LATCH_SET;
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
	return 100 + database * server.oid_step;
}

static void
invalidate_backend(Backend *backend, Oid relation)
{
	backend->cached = false;
	if (backend->invalidate != NULL)
		backend->invalidate((Datum) 0, relation);
}

void
accept_invalidations(Backend *backend)
{
	backend->drops = server.databases[backend->database].drops;
	while (backend->invalidations < server.invalidations)
	{
		int			i = backend->invalidations++;

		if (server.invalidated[i].database == backend->database)
			invalidate_backend(backend, server.invalidated[i].relation);
	}
}

void
AcceptInvalidationMessages(void)
{
	accept_invalidations(self);
}

static void
invalidate(int database, Oid relation)
{
	if (server.invalidations == SIM_RECORDS)
		abort();
	server.invalidated[server.invalidations].relation = relation;
	server.invalidated[server.invalidations++].database = database;
}

void
CacheRegisterRelcacheCallback(void (*callback) (Datum arg, Oid relation), Datum arg pg_attribute_unused())
{
	self->invalidate = callback;
}

/* What the backend's caches say: what there was when they were filled. */
static void
look_in_cache(void)
{
	Database   *d;

	no_lwlock_held("catalog read");
	sim_point();
	if (self->cached && !server.discards)
		return;
	accept_invalidations(self);
	if (server.discards)
		invalidate_backend(self, InvalidOid);
	d = view(self);
	self->cached = true;
	self->cached_relation = d->exists ? d->relation.oid : InvalidOid;
	self->cached_file = d->relation.rd_locator.relNumber;
}

Oid
flake_mark_relation(void)
{
	look_in_cache();
	return self->cached_relation;
}

Oid
flake_mark_file(Oid relation)
{
	look_in_cache();
	return relation == self->cached_relation ? self->cached_file : InvalidOid;
}

/* ---------- the mark's table, pages and WAL ---------- */

static void sleep_for(int64 us);

int64
row_us(const SimPage *page, FlakeMarkKind kind, FlakeMarkValue value)
{
	return page->values[kind].us[value];
}

static void
report_damaged(const char *what)
{
	self->library.release();
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the mark is damaged: %s", what)));
}

static void
lock_page(void)
{
	self->relation_locks++;
	view(self)->holders++;
}

static void
unlock_page(void)
{
	sim_point();
	self->relation_locks--;
	view(self)->holders--;
}

bool
flake_page_open(FlakeMarkPage *page, bool writing pg_attribute_unused(), bool wait)
{
	int64		budget = (int64) flake_max_wait * 1000;
	Database   *database;

	no_lwlock_held("relation locked");
	for (;;)
	{
		Oid			oid = flake_mark_relation();

		if (!OidIsValid(oid))
			report_damaged("it does not exist");
		sim_point();
		while (view(self)->ddl)
		{
			if (!wait)
				return false;
			if (budget <= 0)
				ereport(ERROR,
						(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						 errmsg("could not lock the mark")));
			sleep_for(10000);
			budget -= 10000;
			sim_check_for_interrupts();
		}
		lock_page();
		accept_invalidations(self);
		database = view(self);
		if (database->exists && database->relation.oid == oid)
			break;
		unlock_page();
	}
	page->relation = &database->relation;
	page->buffer = 1;
	page->created = database->relation.rd_createSubid != InvalidSubTransactionId;
	page->replaced = page->created && database->drops > server.databases[self->database].drops;
	page->rewritten = !page->created && database->relation.rd_firstRelfilelocatorSubid != InvalidSubTransactionId;
	page->weak = false;
	self->pages++;
	return true;
}

/* As INSERT does before it fires a trigger; NULL if there is no table, or it is locked. */
Relation
mark_insert_begin(void)
{
	accept_invalidations(self);
	if (!view(self)->exists || view(self)->ddl)
		return NULL;
	lock_page();
	return &view(self)->relation;
}

void
mark_insert_end(void)
{
	unlock_page();
}

static void
check_page(const FlakeMarkPage *page)
{
	no_lwlock_held("the mark's page used");
	if (self->pages == 0 || page->relation != &view(self)->relation)
		sim_fault("the mark's page is used, and is not open");
}

void
flake_page_close(FlakeMarkPage *page)
{
	check_page(page);
	self->pages--;
	unlock_page();
}

void
flake_page_mend(Oid oid pg_attribute_unused())
{
	sim_fault("triggers are mended");
}

void
flake_page_read(FlakeMarkPage *page, FlakeMarkValues values[FLAKE_MARK_KINDS])
{
	check_page(page);
	sim_point();
	memcpy(values, view(self)->page.values, sizeof(view(self)->page.values));
	page->origin = view(self)->page.origin;
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

/* Errors come before the page is changed, and before it is flushed. */
static void
may_fail(int place)
{
	if (!(server.failures && once_in(12)) && server.cut_off != place)
		return;
	server.cut_off = 0;
	ereport(ERROR,
			(errcode(ERRCODE_OUT_OF_MEMORY),
			 errmsg("out of memory")));
}

void
flake_page_write(FlakeMarkPage *page, const FlakeMarkValues values[FLAKE_MARK_KINDS])
{
	XLogRecPtr	lsn;

	check_page(page);
	may_fail(1);
	sim_point();
	memcpy(view(self)->page.values, values, sizeof(view(self)->page.values));
	view(self)->page.origin = page->origin;
	trace("page: %ld %ld %ld", (long) values[0].us[0], (long) values[1].us[0], (long) values[2].us[0]);
	lsn = insert_record(view(self));
	may_fail(2);
	XLogFlush(lsn);
}

XLogRecPtr
BufferGetLSNAtomic(Buffer buffer pg_attribute_unused())
{
	sim_point();
	return view(self)->lsn;
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
	no_lwlock_held("flushed");
	sim_point();
	flush((int) lsn);
	trace("flushed");
	sim_point();
}

/* ---------- DDL ---------- */

static const SimPage empty_page = {.origin = {.numbers = {-1, -1, -1, -1}}};

/* All of it is one server at one place. */
int64
flake_place(void)
{
	return INT64_C(1) << 32 | 1;
}

void
extension_drop(int database)
{
	Database   *d = &server.databases[database];

	d->exists = false;
	d->page = empty_page;
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
	d->page = empty_page;
	invalidate(database, d->relation.oid);
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
		u->holders = 0;
		d->owner = backend->index + 1;
		d->ddl = d->exists;
	}
	accept_invalidations(backend);
	invalidate_backend(backend, u->relation.oid);
	if (u->exists && rewrite)
	{
		u->relation.rd_locator.relNumber = server.next_oid++;
		u->relation.rd_firstRelfilelocatorSubid = 1;
	}
	else if (u->exists)
	{
		u->exists = false;
		u->page = empty_page;
		u->drops++;
	}
	else
	{
		u->exists = true;
		u->relation.oid = server.next_oid++;
		u->relation.rd_locator.relNumber = server.next_oid++;
		u->relation.rd_createSubid = 1;
		u->relation.rd_firstRelfilelocatorSubid = 0;
		u->page = empty_page;
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
		flush((int) insert_record(d));
		invalidate(backend->database, old);
		invalidate(backend->database, d->relation.oid);
	}
	else
		invalidate_backend(backend, u->relation.oid);
	transaction_over(backend, xid, commit);
}

/*
 * DROP DATABASE and CREATE DATABASE under the same number, while nobody is
 * connected.  A copy of the same template has the same relation in the same file.
 */
void
database_replace(int database, bool same)
{
	Database   *d = &server.databases[database];

	d->exists = true;
	if (!same)
	{
		d->relation.oid = server.next_oid++;
		d->relation.rd_locator.relNumber = server.next_oid++;
	}
	d->page = empty_page;
	flush((int) insert_record(d));
}

/* Somebody else, who knows nothing of our memory, moves a mark. */
void
mark_by_hand(int database, FlakeMarkKind kind, int64 us)
{
	Database   *d = &server.databases[database];

	d->page.values[kind].us[FLAKE_MARK] = us;
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
	state_piece(server.settings, sizeof(server.settings[0]), &server.settings_count);
	state_piece(sim_memory, 1, &memory_used);
	state_piece(sim_lines, sizeof(sim_lines[0]), &lines_used);
	state_piece(blocks, sizeof(blocks[0]), &blocks_count);
	state_piece(&blocks_count, sizeof(blocks_count), NULL);
	state_piece(&memory_used, sizeof(memory_used), NULL);
	state_piece(&lines_used, sizeof(lines_used), NULL);
	state_piece(&shared, sizeof(shared), NULL);
	state_piece(root, sizeof(root), NULL);
	state_piece(&sim_init_lock, sizeof(sim_init_lock), NULL);
	state_piece(backends, sizeof(Backend) * sessions, NULL);
	for (int i = 0; i < sessions; i++)
		state_piece(heaps[i], 1, &backends[i].heap_used);
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
	server.next_xid = 2;
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
	memset(server.last_born, 0, sizeof(server.last_born));
	server.has_root = false;
	memset(root, 0, sizeof(root));
	memset(&sim_init_lock, 0, sizeof(sim_init_lock));
	shared = NULL;
	blocks_count = memory_used = lines_used = 0;
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
