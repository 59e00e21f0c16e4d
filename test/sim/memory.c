/*
 * memory.c
 *		The shared memory and what is allocated in it; the memory of a backend.
 */
#include "server.h"

/* The shared memory, and what is allocated in it. */
char		sim_memory[SIM_MEMORY_BYTES] __attribute__((aligned(64)));
uint8		sim_lines[SIM_MEMORY_BYTES / SIM_LINE];
LWLock		sim_init_lock;
LWLock		sim_procarray_lock;
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
static int	memory_used;		/* bytes, freed blocks included */
static int	lines_used;

shmem_request_hook_type shmem_request_hook;
shmem_startup_hook_type shmem_startup_hook;
bool		process_shared_preload_libraries_in_progress;

/* ---------- shared memory ---------- */

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
	sim_barrier();
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
	memory_used = SIM_LINE;		/* 0 is InvalidDsaPointer */
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

/* Return whether it is a page of generators: nothing else has that size. */
static bool
is_page(const Block *block)
{
	return block->size == 2 * sizeof(FlakeGenerator) + sizeof(uint64) ||
		block->size == (FLAKE_PAGE + 1) * sizeof(FlakeGenerator) + FLAKE_PAGE * sizeof(uint64);
}

static void
mark_block(const Block *block, int line)
{
	memset(sim_lines + block->offset / SIM_LINE, line, TYPEALIGN(SIM_LINE, block->size) / SIM_LINE);
}

/* Check that the running backend may write to a line of this kind. */
void
sim_check_owner(int line, const volatile void *address pg_attribute_unused())
{
	if (line == SIM_LINE_FREED)
		sim_fault("freed memory is written to");
	if (self == NULL || line == SIM_LINE_DATABASE + self->database)
		return;
	sim_fault("the memory of database %d is written to by a session of database %d",
			  line - SIM_LINE_DATABASE, self->database);
}

dsa_pointer
dsa_allocate_extended(dsa_area *area pg_attribute_unused(), Size size, int flags)
{
	Block	   *block = NULL;

	if (server.no_memory && (flags & DSA_ALLOC_NO_OOM) != 0)
		return InvalidDsaPointer;

	/* The header is created under a lock of its own. */
	if (self->lwlocks_held > 0 && self->lwlocks[0].lock != &sim_init_lock)
		sim_fault("memory allocated under a lock");
	sim_point();
	sim_barrier();

	/*
	 * What was freed last is allocated first, but not always: a stale pointer
	 * could find its own data there.
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
	mark_block(block, size == sizeof(FlakeDatabase) || is_page(block) ? SIM_LINE_DATABASE + self->database : SIM_LINE_SHARED);
	lines_used = memory_used / SIM_LINE;
	if (flags & DSA_ALLOC_ZERO)
		memset(sim_memory + block->offset, 0, size);
	if (size == sizeof(FlakeDatabase))
		memory_made(self->database);
	if (blocks_count == 1)
		shared = (FlakeShared *) (sim_memory + block->offset);
	return (dsa_pointer) block->offset;
}

void
dsa_free(dsa_area *area pg_attribute_unused(), dsa_pointer pointer)
{
	no_lwlock_held("memory freed");
	sim_point();
	sim_barrier();
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
	sim_fault("memory is freed, but is not allocated");
}

void *
dsa_get_address(dsa_area *area pg_attribute_unused(), dsa_pointer pointer)
{
	if (pointer == 0 || pointer >= (dsa_pointer) memory_used)
		sim_fault("not a pointer to shared memory: %lx", (unsigned long) pointer);
	sim_check_address(sim_memory + pointer);
	return sim_memory + pointer;
}

Oid
database_oid(int database)
{
	return 100 + database * server.oid_step;
}

/* Return the memory of a database, or NULL: for the checks. */
FlakeDatabase *
database_memory(int database)
{
	dsa_pointer at = shared != NULL ? shared->databases : 0;

	while (at != 0 && ((FlakeDatabase *) (sim_memory + at))->oid != database_oid(database))
		at = ((FlakeDatabase *) (sim_memory + at))->next;
	return at == 0 ? NULL : (FlakeDatabase *) (sim_memory + at);
}

/* Return a generator of a database, or NULL if its page does not exist: for the checks. */
FlakeGenerator *
generator_memory(const FlakeDatabase *db, int format, uint32 number)
{
	uint32		page = number / FLAKE_PAGE;

	for (int f = 0; f < format; f++)
		page += flake_pages(flake_formats[f]);
	if (db->generator_pages[page].value == 0)
		return NULL;
	return (FlakeGenerator *) (sim_memory + db->generator_pages[page].value) + number % FLAKE_PAGE;
}

/* Check that all allocated memory is in use.  No call may be under way. */
void
check_memory(void)
{
	int			pages = 0;
	int			databases = 0;

	for (int i = 0; i < blocks_count; i++)
		if (blocks[i].used && is_page(&blocks[i]))
			pages++;
		else if (blocks[i].used && blocks[i].size == sizeof(FlakeDatabase))
			databases++;
	for (int d = 0; d < SIM_DATABASES; d++)
	{
		const FlakeDatabase *db = database_memory(d);

		databases -= db != NULL;
		for (int i = 0; db != NULL && i < FLAKE_PAGES; i++)
			pages -= db->generator_pages[i].value != 0;
	}
	if (databases != 0 || pages != 0)
		sim_fault("memory of %d databases and %d pages of generators is lost", databases, pages);
}

/* ---------- of a backend ---------- */

static char heaps[SIM_BACKENDS][8192];

/* Allocate memory that a backend has until its job ends. */
void *
palloc(Size size)
{
	Backend    *backend = self;
	void	   *memory = heaps[backend->index] + backend->heap_used;

	backend->heap_used += (int) TYPEALIGN(8, size);
	if (backend->heap_used > (int) sizeof(heaps[0]))
		sim_fault("out of memory");
	return memory;
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

/* ---------- the trace ---------- */

/* Trace an access to the word of a generator; leave out any other. */
static void
log_word(const char *what, const volatile void *address, uint64 word)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		for (int f = 0; f < FLAKE_FORMATS && database_memory(d) != NULL; f++)
			for (uint32 n = 0; n < flake_formats[f]->numbers; n++)
			{
				unsigned	bits = flake_formats[f]->sequence_bits + 1u;

				if (generator_memory(database_memory(d), f, n) == address)
					trace("%s word of %s %u: timeline %d tick %ld next %ld", what, flake_formats[f]->name, n,
						  (int) (word >> 63), (long) ((word & INT64_MAX) >> bits),
						  (long) (word & ((UINT64_C(1) << bits) - 1)));
			}
}

/* Trace an access to a FlakeDatabase, so many bytes after its beginning. */
static void
log_database(const char *what, size_t at, uint64 value)
{
#define SIZE(name)		sizeof(((FlakeDatabase *) NULL)->name)
#define FIELD(name) \
	(at >= offsetof(FlakeDatabase, name) && at < offsetof(FlakeDatabase, name) + SIZE(name))
#define INDEX(name)		((at - offsetof(FlakeDatabase, name)) / SIZE(name[0]))
#define REST(name)		((at - offsetof(FlakeDatabase, name)) % SIZE(name[0]))

	if (FIELD(generation))
		trace("%s generation: %ld timeline %d", what, (long) (value >> 1), (int) (value & 1));
	else if (FIELD(writer))
		trace("%s writer: %d", what, (int) value);
	else if (FIELD(floor_tick))
		trace("%s floor_tick[%s][%d]: %ld", what, flake_formats[INDEX(floor_tick)]->name,
			  (int) (REST(floor_tick) / 8), (long) value);
	else if (FIELD(ahead_until))
		trace("%s ahead_until[%s][%d]: %ld", what, flake_formats[INDEX(ahead_until)]->name,
			  (int) (REST(ahead_until) / 8), (long) value);
	else if (FIELD(generator_pages))
		trace("%s generator_pages[%d]: %ld", what, (int) INDEX(generator_pages), (long) value);
	else if (FIELD(mark_table))
		trace("%s mark_table: %u", what, (unsigned) value);
	else if (FIELD(mark_file))
		trace("%s mark_file: %u", what, (unsigned) value);
	else if (FIELD(known_since))
		trace("%s known_since: %ld", what, (long) value);
	else if (FIELD(made_in_recovery))
		trace("%s made_in_recovery: %d", what, (int) value);
	else if (FIELD(notes_since))
		trace("%s notes_since: %ld", what, (long) value);
	else if (FIELD(notes.lost))
		trace("%s notes.lost: %ld", what, (long) value);
	else if (FIELD(notes.lost_next))
		trace("%s notes.lost_next: %ld", what, (long) value);
	else if (FIELD(notes.next_place))
		trace("%s notes.next_place: %ld", what, (long) value);
	else if (FIELD(notes.note))
		trace("%s notes[%d]%s: %lx", what, (int) INDEX(notes.note),
			  REST(notes.note) == offsetof(FlakeNote, xids) ? " xids" : "", (long) value);
	else if (FIELD(sequences))
		trace("%s sequences: %ld", what, (long) value);
	else if (FIELD(prepared))
		trace("%s prepared[%d]%s: %ld", what, (int) INDEX(prepared),
			  REST(prepared) == offsetof(FlakePrepared, xid) ? " xid" : "", (long) value);
	else if (FIELD(mark_floor))
		trace("%s mark_floor[%d]: %ld", what, (int) INDEX(mark_floor), (long) value);
	else if (FIELD(mark))
		trace("%s mark[%d]: %ld", what, (int) INDEX(mark), (long) value);
}

/* Trace an access to shared memory. */
void
sim_log_access(const char *what, const volatile void *address, uint64 value)
{
	size_t		at = (size_t) ((const volatile char *) address - sim_memory);

	if (at >= SIM_MEMORY_BYTES)
		return;
	for (int i = 0; i < blocks_count; i++)
		if (blocks[i].size == sizeof(FlakeDatabase) &&
			(int) at >= blocks[i].offset && (int) at < blocks[i].offset + blocks[i].size)
		{
			log_database(what, at - blocks[i].offset, value);
			return;
		}
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		if (shared != NULL && address == &shared->sessions[i].announced)
			trace("%s announced[%d]: %ld", what, i, (long) value);
		if (shared != NULL && address == &shared->sessions[i].values.range)
			trace("%s values[%d]: %ld to %ld", what, i, (long) (value >> 32), (long) (uint32) value);
	}
	for (int i = 0; i < blocks_count; i++)
		if ((int) at >= blocks[i].offset && (int) at < blocks[i].offset + blocks[i].size)
			trace("%s block of %d, byte %d: %lx", what, blocks[i].size, (int) at - blocks[i].offset, (long) value);
	log_word(what, address, value);
}

/* ---------- the state ---------- */

/* Add the shared memory, and the memory of the first so many backends, to the state. */
void
memory_state(int sessions)
{
	state_piece(sim_memory, 1, &memory_used);
	state_piece(sim_lines, sizeof(sim_lines[0]), &lines_used);
	state_piece(blocks, sizeof(blocks[0]), &blocks_count);
	state_piece(&sim_stores, sizeof(sim_stores), NULL);
	state_piece(&blocks_count, sizeof(blocks_count), NULL);
	state_piece(&memory_used, sizeof(memory_used), NULL);
	state_piece(&lines_used, sizeof(lines_used), NULL);
	state_piece(&shared, sizeof(shared), NULL);
	state_piece(root, sizeof(root), NULL);
	state_piece(&sim_init_lock, sizeof(sim_init_lock), NULL);
	state_piece(&sim_procarray_lock, sizeof(sim_procarray_lock), NULL);
	for (int i = 0; i < sessions; i++)
		state_piece(heaps[i], 1, &backends[i].heap_used);
}

/* The server has stopped: its memory is lost. */
void
memory_lost(void)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
		stores_forget(&backends[i]);
	memset(root, 0, sizeof(root));
	memset(&sim_init_lock, 0, sizeof(sim_init_lock));
	memset(&sim_procarray_lock, 0, sizeof(sim_procarray_lock));
	shared = NULL;
	blocks_count = memory_used = lines_used = 0;
}
