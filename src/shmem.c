/*
 * shmem.c
 *		The shared memory of the generators.
 *
 * CREATE EXTENSION on a running server is enough: the first backend that needs
 * the memory makes it.  In shared_preload_libraries it is reserved at server
 * start instead; nothing else changes.
 *
 * The memory has one name and one size for ever, with its layout version inside.
 * (A version in the name would let an old and a new library run two sets of
 * generators side by side.)
 */
#include "flakeid.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#define FLAKE_MAGIC			UINT64CONST(0x64696b61656c6631)
#define FLAKE_LAYOUT		1
#define FLAKE_SHARED_BYTES	(192 * 1024)

StaticAssertDecl(sizeof(FlakeShared) <= FLAKE_SHARED_BYTES, "the size may never change");
StaticAssertDecl(sizeof(FlakeGenerator) == 64, "a generator is a cache line");
StaticAssertDecl(sizeof(FlakeShard) == 64, "a shard is a cache line");
StaticAssertDecl(offsetof(FlakeShared, generators) % 64 == 0 && offsetof(FlakeShared, shards) % 64 == 0,
				 "and begins with one, as the memory does");

FlakeShared *flake = NULL;
bool		flake_preloaded = false;

static shmem_request_hook_type previous_request_hook = NULL;
static shmem_startup_hook_type previous_startup_hook = NULL;

/* Fill new memory; runs once, under the lock of whoever made it. */
static void
initialize(void *memory)
{
	FlakeShared *shared = memory;

	memset(shared, 0, FLAKE_SHARED_BYTES);
	shared->tranche = flake_tranche_new("flakeid");
	LWLockInitialize(&shared->lock, shared->tranche);
	pg_atomic_init_u64(&shared->era, 0);
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		for (int timeline = 0; timeline < 2; timeline++)
		{
			pg_atomic_init_u64(&shared->floor[i][timeline], 0);
			pg_atomic_init_u64(&shared->run_on[i][timeline], 0);
		}
		pg_atomic_init_u64(&shared->backfilled[i], 0);
		pg_atomic_init_u64(&shared->recycled[i], 0);
	}
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		for (int i = 0; i < FLAKE_BURNT - 1; i++)
		{
			pg_atomic_init_u64(&shared->burnt[kind][i][0], 0);
			pg_atomic_init_u64(&shared->burnt[kind][i][1], 0);
		}
	for (int i = 0; i < FLAKE_MARKS; i++)
	{
		pg_atomic_init_u32(&shared->marks[i].database, 0);
		pg_atomic_init_u32(&shared->marks[i].version, 0);
		for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
		{
			for (int value = 0; value < FLAKE_MARK_VALUES; value++)
				pg_atomic_init_u64(&shared->marks[i].value[kind][value], 0);
			pg_atomic_init_u64(&shared->marks[i].floor[kind], 0);
		}
	}
	for (int i = 0; i < FLAKE_SLOTS; i++)
	{
		FlakeGenerator *generator = &shared->generators[i];

		pg_atomic_init_u32(&shared->keys[i], 0);
		pg_atomic_init_u64(&generator->word, 0);
		pg_atomic_init_u64(&generator->issued, 0);
		pg_atomic_init_u64(&generator->overflow_tick, 0);
		pg_atomic_init_u64(&generator->last_overflow, 0);
		pg_atomic_init_u64(&generator->wait_us, 0);
		pg_atomic_init_u32(&generator->waiting, 0);
		pg_atomic_init_u64(&generator->overflows, 0);
		pg_atomic_init_u64(&generator->overflow_ticks, 0);
		pg_atomic_init_u32(&generator->regressions, 0);
	}
	shared->size = sizeof(FlakeShared);
	shared->layout = FLAKE_LAYOUT;
	shared->magic = FLAKE_MAGIC;
}

static void
request_memory(void)
{
	if (previous_request_hook)
		previous_request_hook();
	RequestAddinShmemSpace(FLAKE_SHARED_BYTES);
}

static void
startup_memory(void)
{
	bool		found;

	if (previous_startup_hook)
		previous_startup_hook();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	flake = ShmemInitStruct("flakeid", FLAKE_SHARED_BYTES, &found);
	if (!found)
		initialize(flake);
	LWLockRelease(AddinShmemInitLock);
}

/* From _PG_init. */
void
flake_shmem_init(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	flake_preloaded = true;
	previous_request_hook = shmem_request_hook;
	shmem_request_hook = request_memory;
	previous_startup_hook = shmem_startup_hook;
	shmem_startup_hook = startup_memory;
}

static void
detach(int code pg_attribute_unused(), Datum arg pg_attribute_unused())
{
	flake_release();
}

/*
 * Make sure that "flake" points to the shared memory, once per backend.  Reports
 * 55000 where there is none to be had, or an older library's stands there.
 */
void
flake_attach(void)
{
	static bool attached = false;
	FlakeShared *shared = flake;

	if (attached)
		return;
	if (shared == NULL)
		shared = flake_shmem_attach("flakeid", FLAKE_SHARED_BYTES, initialize);
	if (shared == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("flakeid finds no room in shared memory"),
				 errdetail("It needs %d kB.", FLAKE_SHARED_BYTES / 1024),
				 errhint("Add flakeid to shared_preload_libraries and restart the server.")));
	if (shared->magic != FLAKE_MAGIC || shared->layout != FLAKE_LAYOUT ||
		shared->size != sizeof(FlakeShared))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("flakeid's shared memory was made by another version of the library"),
				 errdetail("Its layout is %u of %u bytes, this library's is %u of %zu bytes.",
						   shared->layout, shared->size, FLAKE_LAYOUT, sizeof(FlakeShared)),
				 errhint("Restart the server to complete the upgrade.")));
	flake_tranche_register(shared->tranche, "flakeid");
	before_shmem_exit(detach, (Datum) 0);
	flake = shared;
	attached = true;
}
