/*
 * pg.h
 *		What differs between PostgreSQL 15 and 19, and nothing else.
 *
 * The only file that looks at PG_VERSION_NUM.
 */
#ifndef FLAKE_PG_H
#define FLAKE_PG_H

#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/dsm_impl.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/wait_event.h"

#if PG_VERSION_NUM < 150000
#error "flakeid needs PostgreSQL 15 or newer"
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif
#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#endif

/* Input functions report through the caller's context from 16 on; before, they throw. */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#else
#define ereturn(escontext, result, ...) \
	do { (void) (escontext); ereport(ERROR, __VA_ARGS__); return result; } while (0)
#endif

/* Does the text read as a date or timestamp? */
static inline bool
flake_decode_datetime(char **field, int *ftype, int nf)
{
	int			dtype;
	int			tz;
	fsec_t		fsec;
	struct pg_tm tm;
#if PG_VERSION_NUM >= 160000
	DateTimeErrorExtra extra;

	return DecodeDateTime(field, ftype, nf, &dtype, &tm, &fsec, &tz, &extra) == 0;
#else
	return DecodeDateTime(field, ftype, nf, &dtype, &tm, &fsec, &tz) == 0;
#endif
}

/*
 * B-tree skip support is new in 18.  Before, the type's function is there all
 * the same, in no operator class, so that every version has the same functions.
 */
#if PG_VERSION_NUM >= 180000
#include "utils/skipsupport.h"
#else
typedef struct SkipSupportData
{
	Datum		low_elem;
	Datum		high_elem;
	Datum		(*decrement) (struct RelationData *rel, Datum existing, bool *overflow);
	Datum		(*increment) (struct RelationData *rel, Datum existing, bool *overflow);
} SkipSupportData;
typedef struct SkipSupportData *SkipSupport;
#endif

/* What the server knows of a setting; NULL if it has not heard of it. */
static inline struct config_generic *
flake_find_setting(const char *name)
{
#if PG_VERSION_NUM >= 160000
	return find_option(name, false, true, LOG);
#else
	struct config_generic **all = get_guc_variables();

	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
#endif
}

/* Memory for what a check hook hands to its assign hook; NULL if there is none. */
#if PG_VERSION_NUM >= 160000
#define flake_guc_malloc(size)	guc_malloc(LOG, size)
#else
#define flake_guc_malloc(size)	malloc(size)
#endif

/* Was the relation made, or given a new file, by a transaction that is not through? */
#if PG_VERSION_NUM >= 160000
#define flake_rewritten(relation)	((relation)->rd_firstRelfilelocatorSubid != InvalidSubTransactionId)
#else
#define flake_rewritten(relation)	((relation)->rd_firstRelfilenodeSubid != InvalidSubTransactionId)
#endif

/* Wait events of extensions have names from 17 on; before, all are called "Extension". */
#if PG_VERSION_NUM >= 170000
#define flake_wait_event_new(name)	WaitEventExtensionNew(name)
#else
#define flake_wait_event_new(name)	((void) (name), PG_WAIT_EXTENSION)
#endif

/* An LWLock tranche: allocated with the shared memory, named in every backend. */
#if PG_VERSION_NUM >= 190000
#define flake_tranche_new(name)				LWLockNewTrancheId(name)
#define flake_tranche_register(id, name)	((void) 0)
#else
#define flake_tranche_new(name)				LWLockNewTrancheId()
#define flake_tranche_register(id, name)	LWLockRegisterTranche(id, name)
#endif

/*
 * Find the shared memory of this name, or make it, on a server that did not
 * preload us.  init runs once, under the registry's lock.  15 and 16 have no
 * registry: there the structure goes into the slack of the main segment, as
 * pg_prewarm does; NULL when that is used up.
 */
#if PG_VERSION_NUM >= 190000
static inline void
flake_dsm_callback(void *memory, void *arg)
{
	(*(void (**) (void *)) arg) (memory);
}
#endif

static inline void *
flake_shmem_attach(const char *name, Size size, void (*init) (void *))
{
	bool		found;
#if PG_VERSION_NUM >= 190000
	return GetNamedDSMSegment(name, size, flake_dsm_callback, &found, &init);
#elif PG_VERSION_NUM >= 170000
	return GetNamedDSMSegment(name, size, init, &found);
#else
	void	   *volatile memory = NULL;
	MemoryContext context = CurrentMemoryContext;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	PG_TRY();
	{
		memory = ShmemInitStruct(name, size, &found);
		if (!found)
			init(memory);
	}
	PG_CATCH();
	{
		/* the error has set the count to zero that releasing the lock takes back */
		HOLD_INTERRUPTS();
		/* the caller says better what is missing and what to do about it */
		MemoryContextSwitchTo(context);
		FlushErrorState();
	}
	PG_END_TRY();
	LWLockRelease(AddinShmemInitLock);
	return memory;
#endif
}

/* Of older transactions than this there is no status; XactTruncationLock is held. */
#if PG_VERSION_NUM >= 170000
#define flake_oldest_clog_xid()	(TransamVariables->oldestClogXid)
#else
#define flake_oldest_clog_xid()	(ShmemVariableCache->oldestClogXid)
#endif

/* An index scan without ORDER BY; include access/genam.h. */
#if PG_VERSION_NUM >= 190000
#define flake_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, NULL, keys, 0, 0)
#elif PG_VERSION_NUM >= 180000
#define flake_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, NULL, keys, 0)
#else
#define flake_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, keys, 0)
#endif

#if PG_VERSION_NUM >= 180000
#define FLAKE_MODULE_MAGIC	PG_MODULE_MAGIC_EXT(.name = "flakeid", .version = FLAKE_VERSION)
#else
#define FLAKE_MODULE_MAGIC	PG_MODULE_MAGIC
#endif

#endif							/* FLAKE_PG_H */
