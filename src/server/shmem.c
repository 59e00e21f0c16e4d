/*
 * shmem.c
 *		The shared memory: a root of a few bytes, a header, and a chunk per database.
 */
#include "server/server.h"

#include "access/transam.h"
#include "access/xlog.h"
#include "commands/dbcommands.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

#define FLAKE_MAGIC			UINT64CONST(0x64696b61656c6631)

/*
 * When the databases have so many bytes, the next allocation frees those of dropped ones, and
 * again when there are twice as many as were left.
 */
#define FLAKE_SWEEP_BYTES	4194304

/* Memory is reserved for so many databases if flakeid is preloaded. */
#define FLAKE_RESERVED		8

/* Sessions find the root by its name.  A library of any version can read its 64 bytes. */
typedef struct FlakeRoot
{
	uint64		magic;
	uint32		layout;
	int32		tranche;		/* of all our locks */
	dsa_handle	area;			/* 0: none yet, or it begins after the root */
	uint32		reserved;		/* bytes of the area after the root, or 0 */
	uint64		header;			/* the dsa_pointer, of any width, of
								 * FlakeShared */
	uint8		padding[32];
} FlakeRoot;

StaticAssertDecl(sizeof(FlakeRoot) == 64, "the size may never change");
StaticAssertDecl(sizeof(FlakeGenerator) == 64, "a generator is a cache line");
StaticAssertDecl(sizeof(FlakeSession) == 64, "a session is a cache line");

dsa_area   *flake_area = NULL;
FlakeShared *flake = NULL;
FlakeDatabase *flake_db = NULL;
FlakeSession *flake_session = NULL;
bool		flake_preloaded = false;

static FlakeRoot *root = NULL;
static shmem_request_hook_type previous_request_hook = NULL;
static shmem_startup_hook_type previous_startup_hook = NULL;

/* ---------- the root and the header ---------- */

/* Fill a new root; runs once, under the lock of the session that created it. */
static void
initialize_root(void *memory)
{
	FlakeRoot  *new_root = memory;

	memset(new_root, 0, sizeof(FlakeRoot));
	new_root->tranche = flake_tranche_new("flakeid");
	new_root->layout = FLAKE_LAYOUT;
	new_root->magic = FLAKE_MAGIC;
}

static Size
header_size(void)
{
	return offsetof(FlakeShared, sessions) + (Size) MaxBackends * sizeof(FlakeSession);
}

static void
init_values(FlakeValues *values)
{
	pg_atomic_init_u64(&values->range, 0);
	pg_atomic_init_u64(&values->ring, InvalidDsaPointer);
}

static dsa_pointer
make_header(dsa_area *area, int tranche)
{
	/* large enough to begin at a page, so the sessions at cache lines */
	dsa_pointer pointer = dsa_allocate0(area, Max(header_size(), 8193));
	FlakeShared *shared = dsa_get_address(area, pointer);

	LWLockInitialize(&shared->lock, tranche);
	pg_atomic_init_u64(&shared->generation, 0);
	pg_atomic_init_u64(&shared->allocated, 0);
	pg_atomic_init_u64(&shared->sweep_at, FLAKE_SWEEP_BYTES);
	shared->session_count = MaxBackends;
	pg_atomic_init_u32(&shared->sessions_used, 0);
	for (int i = 0; i < MaxBackends; i++)
	{
		pg_atomic_init_u64(&shared->sessions[i].database, InvalidDsaPointer);
		pg_atomic_init_u64(&shared->sessions[i].announced, 0);
		init_values(&shared->sessions[i].values);
		pg_atomic_init_u64(&shared->sessions[i].drawing_since, 0);
	}
	return pointer;
}

static Size
reserved_size(void)
{
	return TYPEALIGN(8192, dsa_minimum_size() + header_size() +
					 FLAKE_RESERVED * (sizeof(FlakeDatabase) + FLAKE_PAGE * (sizeof(FlakeGenerator) + sizeof(uint64))) + 128 * 1024);
}

static void
request_memory(void)
{
	if (previous_request_hook)
		previous_request_hook();
	RequestAddinShmemSpace(sizeof(FlakeRoot) + reserved_size());
}

static void
startup_memory(void)
{
	Size		size = reserved_size();
	bool		found;

	if (previous_startup_hook)
		previous_startup_hook();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	root = ShmemInitStruct("flakeid", sizeof(FlakeRoot) + size, &found);
	if (!found)
	{
		dsa_area   *area;

		initialize_root(root);
		root->reserved = size;
		area = dsa_create_in_place(root + 1, size, root->tranche, NULL);
		dsa_pin(area);
		/* the postmaster itself must not create segments */
		dsa_set_size_limit(area, size);
		root->header = make_header(area, root->tranche);
		dsa_set_size_limit(area, (size_t) -1);
		dsa_detach(area);
	}
	LWLockRelease(AddinShmemInitLock);
}

/* Reserve the memory, if the library is preloaded; called from _PG_init(). */
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

/* Map the area, which the first session creates; 53100 or 53200 without space, and the next call tries again. */
static void
map_area(void)
{
	MemoryContext context = MemoryContextSwitchTo(TopMemoryContext);
	dsa_area   *area;

	if (root->reserved != 0)
	{
		area = dsa_attach_in_place(root + 1, NULL);

		/* without a segment it is not told when a session ends */
		on_shmem_exit(dsa_on_shmem_exit_release_in_place, PointerGetDatum(root + 1));
	}
	else
	{
		LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
		if (root->area == 0)
		{
			area = dsa_create(root->tranche);
			root->header = make_header(area, root->tranche);

			/*
			 * before others can find it, because it must not end with this
			 * session
			 */
			dsa_pin(area);
			root->area = dsa_get_handle(area);
		}
		else
			area = dsa_attach(root->area);
		LWLockRelease(AddinShmemInitLock);
	}
	dsa_pin_mapping(area);
	flake_area = area;
	MemoryContextSwitchTo(context);
}

/* ---------- databases ---------- */

/* Return how many sessions are attached to a database.  None attaches while FlakeShared.lock is held. */
int
flake_sessions(const FlakeDatabase *db)
{
	int			sessions = 0;

	for (uint32 i = 0; i < pg_atomic_read_u32(&flake->sessions_used); i++)
		if (pg_atomic_read_u64(&flake->sessions[i].database) == db->self)
			sessions++;
	return sessions;
}

/* Return a database's memory, or NULL.  FlakeShared.lock is held. */
static FlakeDatabase *
find_database(Oid oid)
{
	for (dsa_pointer at = flake->databases; DsaPointerIsValid(at);)
	{
		FlakeDatabase *db = dsa_get_address(flake_area, at);

		if (db->oid == oid)
			return db;
		at = db->next;
	}
	return NULL;
}

/* Free memory of so many bytes. */
void
flake_free(dsa_pointer pointer, Size size)
{
	dsa_free(flake_area, pointer);
	pg_atomic_fetch_sub_u64(&flake->allocated, size);
}

/* Free what a database keeps of its sequences. */
static void
free_sequences(uint64 pointer)
{
	FlakeSequences *sequences;

	if (pointer == InvalidDsaPointer)
		return;
	sequences = dsa_get_address(flake_area, (dsa_pointer) pointer);
	for (int i = 0; i < FLAKE_PREPARED; i++)
		for (dsa_pointer ring = pg_atomic_read_u64(&sequences->prepared[i].ring); DsaPointerIsValid(ring);)
		{
			FlakeRing  *freed = dsa_get_address(flake_area, ring);
			dsa_pointer previous = freed->previous;

			flake_free(ring, flake_ring_bytes(freed->size));
			ring = previous;
		}
	for (int i = 0; i < FLAKE_FLOORS; i++)
		for (dsa_pointer floor = pg_atomic_read_u64(&sequences->floors[i]); DsaPointerIsValid(floor);)
		{
			dsa_pointer next = pg_atomic_read_u64(&((FlakeFloor *) dsa_get_address(flake_area, floor))->next);

			dsa_free(flake_area, floor);
			floor = next;
		}
	dsa_free(flake_area, (dsa_pointer) pointer);
}

/* Free a database's memory, which no other session can find. */
static void
free_database(FlakeDatabase *db)
{
	uint64		bytes = pg_atomic_read_u64(&db->bytes);

	free_sequences(pg_atomic_read_u64(&db->sequences));
	for (int i = 0; i < FLAKE_PAGES; i++)
	{
		uint64		page = pg_atomic_read_u64(&db->generator_pages[i]);

		if (DsaPointerIsValid(page))
			dsa_free(flake_area, (dsa_pointer) page);
	}
	flake_free(db->self, bytes);
}

/* Return the OIDs of the databases that have memory, except those added meanwhile, and store how many there are. */
static Oid *
databases_in_memory(uint32 *count)
{
	uint32		room = flake->database_count;
	Oid		   *oids = palloc(room * sizeof(Oid));

	*count = 0;
	LWLockAcquire(&flake->lock, LW_SHARED);
	for (dsa_pointer at = flake->databases; DsaPointerIsValid(at) && *count < room;)
	{
		const FlakeDatabase *db = dsa_get_address(flake_area, at);

		oids[(*count)++] = db->oid;
		at = db->next;
	}
	LWLockRelease(&flake->lock);
	return oids;
}

/* Keep the OIDs that no database has, in ascending order, and their count.  Returns false instead of waiting. */
static bool
keep_dropped(Oid *oids, uint32 *count)
{
	uint32		dropped = 0;
	FlakeLocked locked;

	if (!flake_try_catalogs(FLAKE_LOOK_DATABASE, &locked))
		return false;
	for (uint32 i = 0; i < *count; i++)
		if (get_database_name(oids[i]) == NULL)
			oids[dropped++] = oids[i];
	flake_unlock_catalogs(FLAKE_LOOK_DATABASE);
	qsort(oids, dropped, sizeof(Oid), oid_cmp);
	*count = dropped;
	return true;
}

/* Take the databases of these OIDs to which no session is attached off the list.  Returns a list of them. */
static dsa_pointer
unlink_databases(const Oid *oids, uint32 count)
{
	dsa_pointer unlinked = InvalidDsaPointer;

	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	for (dsa_pointer *link = &flake->databases; DsaPointerIsValid(*link);)
	{
		FlakeDatabase *db = dsa_get_address(flake_area, *link);

		if (bsearch(&db->oid, oids, count, sizeof(Oid), oid_cmp) != NULL && flake_sessions(db) == 0)
		{
			*link = db->next;
			db->next = unlinked;
			unlinked = db->self;
			flake->database_count--;
		}
		else
			link = &db->next;
	}
	LWLockRelease(&flake->lock);
	return unlinked;
}

/*
 * Free the memory of databases that were dropped.  The caller holds no lock.
 *
 * A database may have been created under the same OID after the look-up.  If no session is attached
 * to it, its memory is freed, too.  That is safe.  Its next memory begins above its mark, as after a
 * restart.  Readers of the horizon miss nothing, because no transaction that has announced IDs is
 * open, those that have ended are before known_since, and prepared ones are in the server's own list.
 */
static void
free_dropped(void)
{
	uint32		count;
	Oid		   *oids = databases_in_memory(&count);
	dsa_pointer unlinked;
	uint64		left;

	if (!keep_dropped(oids, &count))
		return;
	unlinked = unlink_databases(oids, count);
	while (DsaPointerIsValid(unlinked))
	{
		FlakeDatabase *db = dsa_get_address(flake_area, unlinked);

		unlinked = db->next;
		free_database(db);
	}
	left = pg_atomic_read_u64(&flake->allocated);
	pg_atomic_write_u64(&flake->sweep_at, Max(2 * left, FLAKE_SWEEP_BYTES));
}

/*
 * Allocate zeroed memory, or return InvalidDsaPointer if there is too little.  If the system has none
 * for another segment that is always an error.  It is caught without a subtransaction, which
 * cannot begin in a parallel operation.  The caller holds no LWLock, and all that such an error
 * leaves behind are those of the area and what the resource owner has.
 */
static dsa_pointer
try_to_allocate(Size size)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner outer = CurrentResourceOwner;
	ResourceOwner owner = ResourceOwnerCreate(outer, "flakeid");
	volatile dsa_pointer pointer = InvalidDsaPointer;

	CurrentResourceOwner = owner;
	PG_TRY();
	{
		pointer = dsa_allocate_extended(flake_area, size, DSA_ALLOC_ZERO | DSA_ALLOC_NO_OOM);
	}
	PG_CATCH();
	{
		if (ERRCODE_TO_CATEGORY(geterrcode()) != ERRCODE_INSUFFICIENT_RESOURCES)
			PG_RE_THROW();
		LWLockReleaseAll();
		MemoryContextSwitchTo(context);
		FlushErrorState();
	}
	PG_END_TRY();
	ResourceOwnerRelease(owner, RESOURCE_RELEASE_BEFORE_LOCKS, false, false);
	CurrentResourceOwner = outer;
	ResourceOwnerDelete(owner);
	return pointer;
}

/* Allocate zeroed memory, or return InvalidDsaPointer if there is too little.  The caller holds no lock. */
dsa_pointer
flake_try_allocate(Size size)
{
	dsa_pointer pointer = try_to_allocate(size);

	if (DsaPointerIsValid(pointer))
		pg_atomic_fetch_add_u64(&flake->allocated, size);
	return pointer;
}

/*
 * Allocate zeroed memory for a database, or report 53100 or 53200.  Frees that of dropped
 * databases if there is much of it or too little left.  The caller holds no lock.
 */
dsa_pointer
flake_allocate(Size size)
{
	dsa_pointer pointer;

	if (pg_atomic_read_u64(&flake->allocated) + size > pg_atomic_read_u64(&flake->sweep_at))
		free_dropped();
	pointer = try_to_allocate(size);
	if (!DsaPointerIsValid(pointer))
	{
		free_dropped();
		pointer = dsa_allocate0(flake_area, size);
	}
	pg_atomic_fetch_add_u64(&flake->allocated, size);
	return pointer;
}

static void
init_notes(FlakeNotes *notes)
{
	pg_atomic_init_u64(&notes->next_place, 0);
	pg_atomic_init_u32(&notes->lost, InvalidTransactionId);
	pg_atomic_init_u32(&notes->lost_next, InvalidTransactionId);
	for (int i = 0; i < FLAKE_NOTES; i++)
	{
		pg_atomic_init_u64(&notes->note[i].xids, 0);
		pg_atomic_init_u64(&notes->note[i].note, 0);
	}
}

/* Return new memory for this database. */
static FlakeDatabase *
make_database(void)
{
	dsa_pointer pointer = flake_allocate(sizeof(FlakeDatabase));
	FlakeDatabase *db = dsa_get_address(flake_area, pointer);

	db->self = pointer;
	db->oid = MyDatabaseId;
	pg_atomic_init_u64(&db->bytes, sizeof(FlakeDatabase));
	LWLockInitialize(&db->lock, root->tranche);
	pg_atomic_init_u32(&db->writer, 0);
	pg_atomic_init_u64(&db->generation, 0);
	db->clock.born = db->clock.since = GetCurrentTimestamp();
	pg_atomic_init_u64(&db->clock_offset, 0);
	pg_atomic_init_u64(&db->clock_offset_first, 0);
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		for (int timeline = 0; timeline < 2; timeline++)
		{
			pg_atomic_init_u64(&db->floor_tick[i][timeline], 0);
			pg_atomic_init_u64(&db->ahead_until[i][timeline], 0);
		}
		pg_atomic_init_u32(&db->backfillers[i], 0);
	}
	pg_atomic_init_u32(&db->mark_table, InvalidOid);
	pg_atomic_init_u32(&db->mark_file, InvalidOid);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		pg_atomic_init_u64(&db->mark[kind], 0);
		db->issued[kind] = flake_issued_before(0);
		pg_atomic_init_u64(&db->mark_floor[kind], 0);
		pg_atomic_init_u64(&db->mark_at_start[kind], 0);
	}
	/* check this first: a promotion may come between the two */
	pg_atomic_init_u32(&db->made_in_recovery, RecoveryInProgress());
	pg_atomic_init_u64(&db->known_since, U64FromFullTransactionId(ReadNextFullTransactionId()));
	pg_atomic_init_u64(&db->notes_since, pg_atomic_read_u64(&db->known_since));
	pg_atomic_init_u64(&db->late_ids, 0);
	pg_atomic_init_u64(&db->horizon_asked, 0);
	for (int i = 0; i < FLAKE_PREPARED; i++)
	{
		pg_atomic_init_u32(&db->prepared[i].xid, InvalidTransactionId);
		pg_atomic_init_u64(&db->prepared[i].announced, 0);
	}
	init_notes(&db->notes);
	pg_atomic_init_u64(&db->sequences, InvalidDsaPointer);
	for (int i = 0; i < FLAKE_PAGES; i++)
		pg_atomic_init_u64(&db->generator_pages[i], InvalidDsaPointer);
	return db;
}

/* Use new memory for what this database keeps of its sequences, unless it has some by now, which is returned. */
static uint64
install_sequences(dsa_pointer made)
{
	FlakeSequences *sequences = dsa_get_address(flake_area, made);
	uint64		pointer = InvalidDsaPointer;

	init_notes(&sequences->notes);
	for (int i = 0; i < FLAKE_PREPARED; i++)
		init_values(&sequences->prepared[i]);
	for (int i = 0; i < FLAKE_FLOORS; i++)
		pg_atomic_init_u64(&sequences->floors[i], InvalidDsaPointer);
	if (pg_atomic_compare_exchange_u64(&flake_db->sequences, &pointer, made))
	{
		pg_atomic_fetch_add_u64(&flake_db->bytes, sizeof(FlakeSequences));
		return made;
	}
	flake_free(made, sizeof(FlakeSequences));
	return pointer;
}

/* Make sure that flake_sequences() will need no memory.  False: there is none.  The caller holds no lock. */
bool
flake_make_sequences(void)
{
	dsa_pointer made;

	if (likely(pg_atomic_read_u64(&flake_db->sequences) != InvalidDsaPointer))
		return true;
	made = flake_try_allocate(sizeof(FlakeSequences));
	return DsaPointerIsValid(made) && install_sequences(made) != InvalidDsaPointer;
}

/*
 * Return what this database keeps of its sequences, which is created now if it has none.  The
 * caller holds no lock.  Reports the server's own error if there is no memory.
 */
FlakeSequences *
flake_sequences(void)
{
	static dsa_pointer known = InvalidDsaPointer;
	static FlakeSequences *sequences = NULL;
	uint64		pointer = pg_atomic_read_u64(&flake_db->sequences);

	if (likely(pointer != InvalidDsaPointer && pointer == known))
		return sequences;
	if (pointer == InvalidDsaPointer)
		pointer = install_sequences(flake_allocate(sizeof(FlakeSequences)));
	sequences = dsa_get_address(flake_area, (dsa_pointer) pointer);
	known = (dsa_pointer) pointer;
	return sequences;
}

/* ---------- sessions ---------- */

/*
 * A session's transaction has ended and no longer announces any sequence.  If it left no note,
 * nobody will look for its entries, so they are reused.
 */
void
flake_empty_values(FlakeValues *values, bool noted)
{
	uint64		range = pg_atomic_read_u64(&values->range) & ~FLAKE_ANY_VALUE;
	uint32		at = noted ? (uint32) range : (uint32) (range >> 32);

	pg_atomic_write_u64(&values->range, (uint64) at << 32 | at);
}

/*
 * Detach from the database, at backend exit.  Takes no lock, because the session may exit by an
 * error that was raised while it held one.
 */
static void
detach(int code pg_attribute_unused(), Datum arg pg_attribute_unused())
{
	if (flake_db == NULL)
		return;
	flake_session->pid = 0;

	/* an open transaction is rolled back, so nobody will see its IDs */
	pg_atomic_write_u64(&flake_session->announced, 0);
	flake_empty_values(&flake_session->values, false);
	if (flake_session->reserved != 0)
		pg_atomic_write_u32(&flake_db->prepared[flake_session->reserved - 1].xid, InvalidTransactionId);
	flake_session->reserved = 0;
	pg_write_barrier();			/* from here on the memory may be freed */
	pg_atomic_write_u64(&flake_session->database, InvalidDsaPointer);
	flake_db = NULL;
}

/*
 * Attach to the database's chunk.  A session that finds no other one attached must look up
 * the mark's table.  While no session was connected, the database may have been dropped and
 * another one created with its OID.
 */
static void
attach_database(void)
{
	FlakeDatabase *made = NULL;

	for (;;)
	{
		FlakeDatabase *db;

		LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
		db = find_database(MyDatabaseId);
		if (db == NULL && made != NULL)
		{
			db = made;
			made = NULL;
			pg_atomic_write_u64(&db->generation, (pg_atomic_fetch_add_u64(&flake->generation, 1) + 1) << 1);
			db->next = flake->databases;
			flake->databases = db->self;
			flake->database_count++;
		}
		if (db != NULL)
		{
			if (flake_sessions(db) == 0)
				pg_atomic_write_u32(&db->mark_file, InvalidOid);
			pg_atomic_write_u64(&flake_session->database, db->self);
			flake_db = db;
		}
		LWLockRelease(&flake->lock);
		if (flake_db != NULL)
			break;

		/* not under the lock, because it may make a segment, or fail */
		made = make_database();
		flake_injection_point("flakeid-attach");
	}
	if (made != NULL)
		free_database(made);
}

/*
 * Make sure that "flake" and "flake_db" point to the shared memory, once in a session.
 * Reports 55000 if a library with another layout has created it, and the server's own
 * error if there is no memory.
 */
void
flake_attach(void)
{
	static bool prepared = false;

	if (likely(flake_db != NULL))
		return;
	if (root == NULL)
		root = flake_find_root("flakeid", sizeof(FlakeRoot), initialize_root);
	if (root->magic != FLAKE_MAGIC || root->layout != FLAKE_LAYOUT)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("shared memory of flakeid was made by another version of the library"),
				 errdetail("Its layout is %u, the layout of this library is %u.", root->layout, FLAKE_LAYOUT),
				 errhint("Restart the server to complete the upgrade.")));
	if (!prepared)
	{
		flake_tranche_register(root->tranche, "flakeid");
		before_shmem_exit(detach, (Datum) 0);
		prepared = true;
	}
	if (flake_area == NULL)
		map_area();
	flake = dsa_get_address(flake_area, root->header);
	if (flake_session == NULL)
	{
		uint32		number = flake_my_proc_number();

		if (number >= flake->session_count)
			elog(ERROR, "this process has no place among the sessions of flakeid");
		if (flake->sessions[number].place == 0)
			flake->sessions[number].place = pg_atomic_fetch_add_u32(&flake->sessions_used, 1) + 1;
		flake_session = &flake->sessions[flake->sessions[number].place - 1];
		flake_session->pid = MyProcPid;
		pg_atomic_write_u64(&flake_session->announced, 0);
	}
	attach_database();
}
