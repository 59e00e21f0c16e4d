/*
 * shmem.c
 *		The shared memory: a root of a few bytes, a header, and a chunk per database.
 *
 * Preloading is not needed: the first session that needs the memory makes a dynamic
 * shared memory area, which stays until the server stops and grows with the number of
 * databases.  With flakeid in shared_preload_libraries the area begins in memory that
 * is reserved at server start; nothing else changes.
 *
 * The root has one name and one size for ever, with the version of the layout
 * inside.  (A version in the name would let an old and a new library run two sets
 * of generators side by side.)
 *
 * A database's chunk is allocated when one of its sessions first needs it.  It may
 * be freed only while no session of the database is attached and the clock is past
 * everything issued there: then the marks on disk tell all that is needed to begin
 * again.  If it were freed under a session, that session could lease from memory that
 * is another database's by now.  If it were freed with marks ahead of the clock, the
 * database would begin ahead of the clock when it comes back, each time by the lead of
 * a mark.  One that was dropped does not come back: its chunk is freed wherever its marks
 * stand.
 */
#include "flakeid.h"

#include "commands/dbcommands.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#define FLAKE_MAGIC			UINT64CONST(0x64696b61656c6631)

/* How many databases keep their memory, and so their counters, although no session uses it. */
#define FLAKE_KEPT			64

/* For how many databases memory is reserved if flakeid is preloaded. */
#define FLAKE_RESERVED		8

/*
 * Sessions find the root by its name.  It always has 64 bytes, so that a library of any
 * version can read it.
 */
typedef struct FlakeRoot
{
	uint64		magic;
	uint32		layout;
	int32		tranche;		/* of all our locks */
	dsa_handle	area;			/* 0: none yet, or the area begins behind the
								 * root */
	uint32		reserved;		/* bytes of the area behind the root; 0: it
								 * stands by itself */
	uint64		header;			/* dsa_pointer, which has 32 or 64 bits:
								 * FlakeShared */
	uint8		padding[32];
} FlakeRoot;

StaticAssertDecl(sizeof(FlakeRoot) == 64, "the size may never change");
StaticAssertDecl(sizeof(FlakeGenerator) == 64, "a generator is a cache line");
StaticAssertDecl(sizeof(FlakeDatabase) > 8192, "large objects of an area begin with a page, and so with a cache line");

dsa_area   *flake_area = NULL;
FlakeShared *flake = NULL;
FlakeDatabase *flake_db = NULL;
FlakeSession *flake_session = NULL;
bool		flake_preloaded = false;

static FlakeRoot *root = NULL;
static shmem_request_hook_type previous_request_hook = NULL;
static shmem_startup_hook_type previous_startup_hook = NULL;

/* ---------- the root and the header ---------- */

/* Fill a new root; runs once, under the lock of whoever made it. */
static void
initialize_root(void *memory)
{
	FlakeRoot  *new_root = memory;

	memset(new_root, 0, sizeof(FlakeRoot));
	new_root->tranche = flake_tranche_new("flakeid");
	new_root->layout = FLAKE_LAYOUT;
	new_root->magic = FLAKE_MAGIC;
}

/* Allocate an object that begins with a page, filled with zeros. */
static dsa_pointer
allocate_pages(dsa_area *area, Size size)
{
	return dsa_allocate_extended(area, Max(size, 8193), DSA_ALLOC_ZERO);
}

static Size
header_size(void)
{
	return offsetof(FlakeShared, sessions) + (Size) MaxBackends * sizeof(FlakeSession);
}

static dsa_pointer
make_header(dsa_area *area, int tranche)
{
	dsa_pointer pointer = allocate_pages(area, header_size());
	FlakeShared *shared = dsa_get_address(area, pointer);

	LWLockInitialize(&shared->lock, tranche);
	pg_atomic_init_u64(&shared->generation, 0);
	pg_atomic_init_u64(&shared->settings_version, 0);
	shared->session_count = MaxBackends;
	for (int i = 0; i < MaxBackends; i++)
		pg_atomic_init_u64(&shared->sessions[i].database, InvalidDsaPointer);
	return pointer;
}

static Size
reserved_size(void)
{
	return TYPEALIGN(8192, dsa_minimum_size() + header_size() +
					 FLAKE_RESERVED * (sizeof(FlakeDatabase) + FLAKE_PAGE * sizeof(FlakeGenerator)) + 128 * 1024);
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
		/* the postmaster itself must not make segments */
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

/*
 * Map the area, and make it if this is the first session that needs it.  Without room
 * for it the server reports 53100 or 53200, and the next call tries again.
 */
static void
map_area(void)
{
	MemoryContext context = MemoryContextSwitchTo(TopMemoryContext);
	dsa_area   *area;

	if (root->reserved != 0)
		area = dsa_attach_in_place(root + 1, NULL);
	else
	{
		LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
		if (root->area == 0)
		{
			area = dsa_create(root->tranche);
			root->header = make_header(area, root->tranche);

			/*
			 * pin it before others can find it, or it would go away when this
			 * session ends
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

static dsa_pointer
make_database(void)
{
	dsa_pointer pointer = allocate_pages(flake_area, sizeof(FlakeDatabase));
	FlakeDatabase *db = dsa_get_address(flake_area, pointer);

	db->self = pointer;
	db->oid = MyDatabaseId;
	LWLockInitialize(&db->lock, root->tranche);
	pg_atomic_init_u32(&db->writer, 0);
	pg_atomic_init_u64(&db->generation, 0);
	db->clock.born = db->clock.since = GetCurrentTimestamp();
	pg_atomic_init_u64(&db->refused, 0);
	pg_atomic_init_u64(&db->last_refused, 0);
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		for (int timeline = 0; timeline < 2; timeline++)
		{
			pg_atomic_init_u64(&db->floor[i][timeline], 0);
			pg_atomic_init_u64(&db->ahead_until[i][timeline], 0);
		}
		pg_atomic_init_u32(&db->backfillers[i], 0);
	}
	pg_atomic_init_u32(&db->relation, InvalidOid);
	pg_atomic_init_u32(&db->file, InvalidOid);
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		pg_atomic_init_u64(&db->mark[kind], 0);
		db->issued[kind] = flake_issued_before(0);
		pg_atomic_init_u64(&db->mark_floor[kind], 0);
	}
	for (int i = 0; i < FLAKE_PAGES; i++)
		pg_atomic_init_u64(&db->pages[i], InvalidDsaPointer);
	return pointer;
}

/* Return the place of the page that holds a number of a format. */
pg_atomic_uint64 *
flake_page_place(const FlakeDatabase *db, const FlakeFormat *format, uint32 number)
{
	uint32		first = 0;

	Assert(number < format->numbers);
	for (int i = 0; i < (int) format->id; i++)
		first += flake_pages(flake_formats[i]);
	return &unconstify(FlakeDatabase *, db)->pages[first + number / FLAKE_PAGE];
}

/* Return the generators of a page, which begin at the first cache line of what was allocated. */
FlakeGenerator *
flake_page_generators(dsa_pointer page)
{
	return (FlakeGenerator *) TYPEALIGN(sizeof(FlakeGenerator), (uintptr_t) dsa_get_address(flake_area, page));
}

/*
 * Return the first generator of a format from *number on that has a place, and store its
 * number; NULL if there is none.
 */
FlakeGenerator *
flake_next_generator(const FlakeDatabase *db, const FlakeFormat *format, uint32 *number)
{
	for (; *number < format->numbers; *number += FLAKE_PAGE - *number % FLAKE_PAGE)
	{
		uint64		page = pg_atomic_read_u64(flake_page_place(db, format, *number));

		if (DsaPointerIsValid(page))
			return &flake_page_generators((dsa_pointer) page)[*number % FLAKE_PAGE];
	}
	return NULL;
}

/*
 * Return the instant, in us, before which all IDs of a kind lie that a database has
 * issued since its memory was made.  Only words and floors count: a mark may have been
 * raised by hand.
 */
int64
flake_issued(const FlakeDatabase *db, FlakeMarkKind kind)
{
	unsigned	timeline = kind == FLAKE_MARK_TOCK ? 1 : 0;
	int64		issued = 0;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		uint64		floor = pg_atomic_read_u64(&unconstify(FlakeDatabase *, db)->floor[i][timeline]);
		FlakeGenerator *generator;

		if (flake_mark_kind(format, timeline) != kind)
			continue;
		if (floor > 0)
			issued = Max(issued, flake_us_of(&format->rate, floor));
		for (uint32 n = 0; (generator = flake_next_generator(db, format, &n)) != NULL; n++)
		{
			FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&generator->word));

			if (word.timeline == timeline && word.tick > 0)
				issued = Max(issued, flake_us_of(&format->rate, word.tick) + 1);
		}
	}
	return issued;
}

/* Is another session than this one attached to the database?  FlakeShared.lock is held. */
static bool
in_use(const FlakeDatabase *db)
{
	for (uint32 i = 0; i < flake->session_count; i++)
		if (&flake->sessions[i] != flake_session &&
			pg_atomic_read_u64(&flake->sessions[i].database) == db->self)
			return true;
	return false;
}

/*
 * May the database's memory be freed?  FlakeShared.lock is held exclusively, so no
 * session can attach meanwhile.
 *
 * The clock must be past the mark as well, since the database begins above it when it
 * comes back; but not past a mark that is a floor already (raised by hand, or by a
 * clock that was wrong), as that stays a floor.
 */
static bool
is_idle(const FlakeDatabase *db, int64 now)
{
	if (db == flake_db || in_use(db))
		return false;
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		pg_atomic_uint64 *published = &unconstify(FlakeDatabase *, db)->mark[kind];
		pg_atomic_uint64 *floor = &unconstify(FlakeDatabase *, db)->mark_floor[kind];
		uint64		mark = pg_atomic_read_u64(published);

		if (flake_issued(db, kind) > now ||
			((int64) mark > now && mark != pg_atomic_read_u64(floor)))
			return false;
	}
	return true;
}

/*
 * Take a database out of the list.  FlakeShared.lock is held exclusively; the caller
 * frees the memory after giving it back.
 */
static void
unlink_database(FlakeDatabase *db)
{
	dsa_pointer *link = &flake->databases;

	while (*link != db->self)
		link = &((FlakeDatabase *) dsa_get_address(flake_area, *link))->next;
	*link = db->next;
	flake->database_count--;
}

/*
 * Map all memory that the list of databases lies in.  That can fail, so do it before
 * anything is changed: walking it again under the same lock cannot fail any more.
 * FlakeShared.lock is held.
 */
void
flake_map_lists(void)
{
	for (dsa_pointer at = flake->databases; DsaPointerIsValid(at);)
		at = ((FlakeDatabase *) dsa_get_address(flake_area, at))->next;
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

/* Free a database's memory, wherever its marks stand, if the database was dropped. */
static void
free_if_dropped(Oid oid)
{
	FlakeDatabase *db;
	FlakeLocked locked;
	dsa_pointer unlinked = InvalidDsaPointer;
	uint64		generation;
	bool		dropped;

	LWLockAcquire(&flake->lock, LW_SHARED);
	db = find_database(oid);
	generation = db != NULL ? pg_atomic_read_u64(&db->generation) : 0;
	LWLockRelease(&flake->lock);

	/* where a lock is in the way, the next session may find out */
	if (!flake_try_catalogs(FLAKE_LOOK_DATABASE, &locked))
		return;
	dropped = get_database_name(oid) == NULL;
	flake_unlock_catalogs(FLAKE_LOOK_DATABASE);
	if (!dropped)
		return;

	/*
	 * Another database may have been created under the OID meanwhile.  If it
	 * has made use of the memory, the generation is another one, as the table
	 * of its mark is.
	 */
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	flake_map_lists();
	db = find_database(oid);
	if (db != NULL && pg_atomic_read_u64(&db->generation) == generation && is_idle(db, PG_INT64_MAX))
	{
		unlink_database(db);
		unlinked = db->self;
	}
	LWLockRelease(&flake->lock);
	if (DsaPointerIsValid(unlinked))
		dsa_free(flake_area, unlinked);
}

/*
 * Return the least OID above "after" of a database that has its memory, or InvalidOid.
 * The list itself cannot be walked from one to the next: the lock is given back between
 * them, and databases come and go.
 */
static Oid
next_database(Oid after)
{
	Oid			next = InvalidOid;

	LWLockAcquire(&flake->lock, LW_SHARED);
	for (dsa_pointer at = flake->databases; DsaPointerIsValid(at);)
	{
		const FlakeDatabase *db = dsa_get_address(flake_area, at);

		if (db->oid > after && (next == InvalidOid || db->oid < next))
			next = db->oid;
		at = db->next;
	}
	LWLockRelease(&flake->lock);
	return next;
}

/* Free the memory of every database that was dropped. */
static void
free_dropped(void)
{
	for (Oid database = next_database(InvalidOid); OidIsValid(database); database = next_database(database))
		free_if_dropped(database);
}

/*
 * Unlink idle databases beyond the FLAKE_KEPT newest ones, "most" at a time.  Returns
 * how many; the caller frees them.  FlakeShared.lock is held exclusively.
 */
static int
unlink_idle(dsa_pointer *unlinked, int most)
{
	int64		now = flake_clock();
	uint32		at_hand = 0;
	int			count = 0;
	dsa_pointer next;

	for (dsa_pointer at = flake->databases; DsaPointerIsValid(at) && count < most; at = next)
	{
		FlakeDatabase *db = dsa_get_address(flake_area, at);

		next = db->next;
		if (++at_hand > FLAKE_KEPT && is_idle(db, now))
		{
			unlink_database(db);
			unlinked[count++] = at;
		}
	}
	return count;
}

/* ---------- sessions ---------- */

/* Return what FlakeDatabase.writer holds while this session has the writer's turn. */
uint32
flake_my_turn(void)
{
	return (uint32) (flake_session - flake->sessions) + 1;
}

/* Give the writer's turn back if this session has it; also called after an error and at backend exit. */
void
flake_writer_release(void)
{
	if (flake_db != NULL && pg_atomic_read_u32(&flake_db->writer) == flake_my_turn())
	{
		pg_write_barrier();
		pg_atomic_write_u32(&flake_db->writer, 0);
	}
}

/*
 * Detach from the database, at backend exit.  Takes no lock: the session may exit by an
 * error that was raised while it held one.
 */
static void
detach(int code pg_attribute_unused(), Datum arg pg_attribute_unused())
{
	if (flake_db == NULL)
		return;
	flake_writer_release();
	flake_session->pid = 0;
	pg_write_barrier();			/* from here on the memory may be freed */
	pg_atomic_write_u64(&flake_session->database, InvalidDsaPointer);
	flake_db = NULL;
}

/*
 * Attach to the database's chunk.  A session that finds no other one attached must
 * look up the table of the mark, and the settings for the database's name: while no
 * session was connected, the database may have been renamed, or dropped and another
 * created with its OID.
 */
static void
attach_database(void)
{
	dsa_pointer made = InvalidDsaPointer;
	dsa_pointer unlinked[8];
	int			count = 0;
	FlakeDatabase *db;

	for (;;)
	{
		dsa_pointer at;

		LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
		db = find_database(MyDatabaseId);
		at = db != NULL ? db->self : InvalidDsaPointer;
		if (!DsaPointerIsValid(at) && DsaPointerIsValid(made))
		{
			count = unlink_idle(unlinked, lengthof(unlinked));
			at = made;
			made = InvalidDsaPointer;
			db = dsa_get_address(flake_area, at);
			db->born = pg_atomic_fetch_add_u64(&flake->generation, 1) + 1;
			pg_atomic_write_u64(&db->generation, db->born << 1);
			db->next = flake->databases;
			flake->databases = at;
			flake->database_count++;
		}
		if (DsaPointerIsValid(at))
		{
			if (!in_use(db))
			{
				pg_atomic_write_u32(&db->file, InvalidOid);

				/*
				 * Not 0, which means that there is no identity: then a change
				 * of numbers would not be logged.
				 */
				if (db->identity.settings != 0)
					db->identity.settings = PG_UINT64_MAX;
			}
			pg_atomic_write_u64(&flake_session->database, at);
			flake_db = db;
		}
		LWLockRelease(&flake->lock);
		if (flake_db != NULL)
			break;

		/*
		 * Whoever creates databases and drops them may have set the mark
		 * years ahead in each, so that it never becomes idle: free what was
		 * dropped before taking more.
		 */
		free_dropped();
		made = make_database(); /* not under the lock: it may make a segment,
								 * or fail */
		flake_injection_point("flakeid-attach");
	}
	if (DsaPointerIsValid(made))
		dsa_free(flake_area, made);
	for (int i = 0; i < count; i++)
		dsa_free(flake_area, unlinked[i]);
}

/*
 * Make sure that "flake" and "flake_db" point to the shared memory, once in a
 * session.  Reports 55000 if a library with another layout has made it, and the
 * server's own error if there is no memory.
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
		flake_session = &flake->sessions[number];
		flake_session->pid = MyProcPid;
	}
	attach_database();
}
