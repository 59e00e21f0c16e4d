/*
 * process.c
 *		The backends: coroutines of one thread, each with a copy of the library; how
 *		they start and exit; and the LWLocks that they hold and wait for.
 */
#define _GNU_SOURCE
#include "server.h"

#include <dlfcn.h>
#include <link.h>
#include <ucontext.h>
#include <unistd.h>

Backend		backends[SIM_BACKENDS];
Backend    *self;
SimProcess *sim_process;
int			sim_left;

static jmp_buf scheduler;
static ucontext_t first_context;

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

/* Return the end of the caller's stack frame: nothing beyond it is in use. */
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
		sim_barrier();
	}
}

/* Let other backends run, until the scheduler resumes the running one. */
void
sim_preempt(void)
{
	Backend    *backend = self;

	if (backend == NULL)
		return;					/* the scheduler itself reads something */
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

/* Make a backend's coroutine, once: all processes that the backend stands for use it. */
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

/* Load a copy under another name, or the loader would return the first copy again. */
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
		SYMBOL(generate, "sim_generate");
		SYMBOL(restore, "flake_restore");
		SYMBOL(snapshot, "flake_save");
		SYMBOL(own, "flake_own");
		SYMBOL(identity, "flake_identity");
		SYMBOL(database, "flake_db");
		SYMBOL(take_over, "flakeid_mark_take_over");
		SYMBOL(show, "flake_mark_show");
		SYMBOL(release, "flake_turn_end");
		SYMBOL(invalidated, "flake_mark_invalidated");
		SYMBOL(count, "flake_count_leases");
		SYMBOL(changed, "flake_settings_changed");
		SYMBOL(issued, "flake_issued");
		SYMBOL(guard, "flakeid_mark_guard");
		SYMBOL(advance, "flakeid_advance");
		SYMBOL(reset, "flakeid_clock_reset");
		SYMBOL(horizon, "flake_horizon");
		SYMBOL(own_horizon, "flake_own_horizon");
		SYMBOL(sequence_horizon, "flakeid_horizon");
		SYMBOL(draw, "flakeid_nextval");
		SYMBOL(row, "flakeid_rowversion");
		SYMBOL(in_time, "flake_value_in_time");
		dl_iterate_phdr(find_data, library);
		library->pristine = malloc(library->size);
		memcpy(library->pristine, library->data, library->size);
		backends[i].index = i;
		create_coroutine(&backends[i]);
	}
}

/* Start a new process in the place of one that has ended. */
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

	stores_forget(backend);
	memcpy(fresh.idle, backend->idle, sizeof(fresh.idle));
	fresh.process.pid = pid;
	fresh.process.number = backend->index;
	fresh.process.database = database_oid(database);
	fresh.invalidations = server.invalidations;
	fresh.drops = server.databases[database].drops;
	memcpy(backend->library.data, backend->library.pristine, backend->library.size);
	*backend = fresh;
}

/* Return the database as the backend sees it: with what its own transaction has changed. */
Database *
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
 * End the running backend as proc_exit() does: run the library's callbacks, then end the
 * transaction and release the locks.  The stack is left as it is.
 */
void
backend_exit(void)
{
	Backend    *backend = self;
	jmp_buf		boundary;

	release_lwlocks(backend);
	sim_barrier();
	backend->process.exception_stack = &boundary;
	if (_setjmp(boundary) == 0)
	{
		/* The callback registered last is called first. */
		while (backend->exit_callbacks_count > 0)
		{
			ExitCallback *callback = &backend->exit_callbacks[--backend->exit_callbacks_count];

			callback->run(0, callback->arg);
		}
		backend_abort(backend);
	}
	else
		sim_fault("error at exit: %s", backend->message);
	sim_barrier();
	backend->state = BACKEND_GONE;
	leave();
}

void
call_xact_callbacks(Backend *backend, XactEvent event)
{
	for (int i = backend->xact_callbacks_count; i-- > 0;)
		backend->xact_callbacks[i] (event, NULL);
}

/* Clean up after an error, as the end of a transaction does. */
void
backend_abort(Backend *backend)
{
	release_lwlocks(backend);
	feed_abort(backend);
	call_xact_callbacks(backend, XACT_EVENT_ABORT);
	release_relations(backend);
	transaction_end(backend, false);
}

/* Return whether the backend holds anything that a call should have released. */
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

/* ---------- start and exit ---------- */

void
before_shmem_exit(sim_exit_callback callback, Datum arg)
{
	ExitCallback exit_callback = {callback, arg};

	if (self->exit_callbacks_count == lengthof(self->exit_callbacks))
		abort();
	self->exit_callbacks[self->exit_callbacks_count++] = exit_callback;
}

void
cancel_before_shmem_exit(sim_exit_callback callback, Datum arg)
{
	ExitCallback *last = &self->exit_callbacks[--self->exit_callbacks_count];

	if (last->run != callback || last->arg != arg)
		abort();
}

void
RegisterXactCallback(void (*callback) (XactEvent event, void *arg), void *arg pg_attribute_unused())
{
	if (self->xact_callbacks_count == lengthof(self->xact_callbacks))
		abort();
	self->xact_callbacks[self->xact_callbacks_count++] = callback;
}

/* ---------- lightweight locks ---------- */

/* Return a lock's place in the order in which locks must be taken. */
static int
rank(const LWLock *lock)
{
	if (lock == &sim_init_lock)
		return 0;
	if (lock == &sim_procarray_lock)
		return 3;
	return shared != NULL && lock == &shared->lock ? 1 : 2;
}

void
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

static void
hold(LWLock *lock, LWLockMode mode)
{
	if (mode == LW_EXCLUSIVE)
		lock->exclusive = true;
	else
		lock->shared++;
	self->lwlocks[self->lwlocks_held].lock = lock;
	self->lwlocks[self->lwlocks_held++].mode = mode;
	trace("locked%s%s", rank(lock) == 1 ? " the header" : "", mode == LW_SHARED ? " shared" : "");
}

bool
LWLockAcquire(LWLock *lock, LWLockMode mode)
{
	for (int i = 0; i < self->lwlocks_held; i++)
		if (rank(self->lwlocks[i].lock) >= rank(lock))
			sim_fault("locks are taken in the wrong order");
	sim_point();
	sim_barrier();
	sim_check_address(lock);
	while (!lwlock_free(lock, mode))
	{
		self->wants_lwlock = lock;
		self->wants_mode = mode;
		block();
		self->wants_lwlock = NULL;
		sim_check_address(lock);
	}
	hold(lock, mode);
	return true;
}

bool
LWLockConditionalAcquire(LWLock *lock, LWLockMode mode)
{
	sim_point();
	sim_barrier();
	sim_check_address(lock);
	if (!lwlock_free(lock, mode))
		return false;
	hold(lock, mode);
	return true;
}

void
LWLockRelease(LWLock *lock)
{
	int			i = self->lwlocks_held;

	while (i > 0 && self->lwlocks[i - 1].lock != lock)
		i--;
	if (i == 0)
		sim_fault("an LWLock is released, but is not held");
	sim_point();
	sim_barrier();
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
