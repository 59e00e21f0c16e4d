/*
 * postgres.h
 *		A PostgreSQL that is small enough to be simulated: what the generator's files
 *		use of the server.
 *
 * It replaces all of the server's headers (build.sh makes empty ones with the other
 * names).  Before each access to what two backends share comes a sim_point(), where the
 * scheduler may let another backend run.  server.c says where everything else is.
 */
#ifndef SIM_POSTGRES_H
#define SIM_POSTGRES_H

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The version whose API this is; for pg.h. */
#define PG_VERSION_NUM		170000

/* ---------- c.h ---------- */

typedef int8_t int8;
typedef int16_t int16;
typedef int32_t int32;
typedef int64_t int64;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef size_t Size;
typedef uintptr_t Datum;
typedef unsigned int Oid;
typedef uint32 TransactionId;
typedef int64 TimestampTz;
typedef int32 fsec_t;

#define PG_INT64_MIN		INT64_MIN
#define PG_INT64_MAX		INT64_MAX
#define PG_UINT32_MAX		UINT32_MAX
#define PG_UINT64_MAX		UINT64_MAX
#define UINT64CONST(c)		UINT64_C(c)
#define INT64_FORMAT		"%ld"
#define UINT64_FORMAT		"%lu"
#define InvalidOid			((Oid) 0)
#define OidIsValid(oid)		((oid) != InvalidOid)
#define Min(a, b)			((a) < (b) ? (a) : (b))
#define Max(a, b)			((a) > (b) ? (a) : (b))
#define lengthof(array)		(sizeof(array) / sizeof((array)[0]))
#define likely(x)			__builtin_expect((x) != 0, 1)
#define unlikely(x)			__builtin_expect((x) != 0, 0)
#define pg_noinline			__attribute__((noinline))
#define PGDLLEXPORT
#define pg_attribute_unused()	__attribute__((unused))
#define pg_attribute_aligned(n)	__attribute__((aligned(n)))
/* Nothing to assert: the sizes are not those of the server. */
#define StaticAssertDecl(condition, message)	struct Node
#define FLEXIBLE_ARRAY_MEMBER
#define PGDLLEXPORT
#define TYPEALIGN(to, n)	(((n) + ((to) - 1)) & ~((Size) (to) - 1))
#define unconstify(type, p)	((type) (p))
#define Assert(condition) \
	do { if (!(condition)) sim_fault("assertion failed: %s", #condition); } while (0)
#define PG_USED_FOR_ASSERTS_ONLY

/* Only ever pointed to. */
typedef struct varlena bytea;
typedef struct varlena text;
typedef struct StringInfoData
{
	char	   *data;
	int			len;
} StringInfoData;
typedef StringInfoData *StringInfo;
typedef struct NumericData *Numeric;
typedef struct SortSupportData *SortSupport;
struct Node;

/* ---------- the scheduler ---------- */

extern int	sim_left;			/* points that the running backend has left */
extern bool sim_tracing;

extern void sim_preempt(void);
extern void sim_log_access(const char *what, const volatile void *address, uint64 value);
extern void sim_fault(const char *format,...) __attribute__((format(printf, 1, 2), noreturn));

/* Every access to what backends share comes right after one of these. */
static inline void
sim_point(void)
{
	if (unlikely(--sim_left <= 0))
		sim_preempt();
}

/* The shared memory, in lines. */
#define SIM_MEMORY_BYTES	(128 * 1024)
#define SIM_LINE			64

/* What a line is part of. */
enum
{
	SIM_LINE_SHARED,			/* memory for all, or none */
	SIM_LINE_FREED,				/* memory that was freed */
	SIM_LINE_DATABASE			/* + n: the memory of database n */
};

extern char sim_memory[SIM_MEMORY_BYTES];
extern uint8 sim_lines[SIM_MEMORY_BYTES / SIM_LINE];
extern void sim_check_owner(int line, const volatile void *address);

static inline void
sim_check_address(const volatile void *address)
{
	size_t		at = (size_t) ((const volatile char *) address - sim_memory);

	if (unlikely(at < SIM_MEMORY_BYTES && sim_lines[at / SIM_LINE] == SIM_LINE_FREED))
		sim_fault("freed memory is used");
}

/* Sessions write to the memory of their own database only. */
static inline void
sim_check_write(const volatile void *address)
{
	size_t		at = (size_t) ((const volatile char *) address - sim_memory);

	if (at < SIM_MEMORY_BYTES && sim_lines[at / SIM_LINE] != SIM_LINE_SHARED)
		sim_check_owner(sim_lines[at / SIM_LINE], address);
}

#define sim_accessed(what, address, value) \
	do { if (unlikely(sim_tracing)) sim_log_access(what, address, value); } while (0)

/* ---------- port/atomics.h ---------- */

typedef struct pg_atomic_uint32
{
	volatile uint32 value;
} pg_atomic_uint32;

typedef struct pg_atomic_uint64
{
	volatile uint64 value;
} pg_atomic_uint64;

/* One thread runs everything, but other backends may see a store late: see stores.c. */
extern int	sim_stores;			/* of all backends, that have not arrived */
extern bool sim_store_late(volatile void *address, int bytes, uint64 value);
extern bool sim_read_stored(const volatile void *address, uint64 *value);
extern void sim_barrier(void);
extern void sim_write_barrier(void);

#define pg_memory_barrier()		sim_barrier()
#define pg_read_barrier()		((void) 0)
#define pg_write_barrier()		sim_write_barrier()

#define SIM_ATOMICS(bits) \
	static inline void \
	pg_atomic_init_u##bits(volatile pg_atomic_uint##bits *p, uint##bits value) \
	{ \
		p->value = value; \
	} \
	static inline uint##bits \
	pg_atomic_read_u##bits(volatile pg_atomic_uint##bits *p) \
	{ \
		uint64		stored; \
		sim_point(); \
		sim_check_address(p); \
		if (likely(sim_stores == 0) || !sim_read_stored(p, &stored)) \
			stored = p->value; \
		sim_accessed("read", p, stored); \
		return (uint##bits) stored; \
	} \
	static inline void \
	pg_atomic_write_u##bits(volatile pg_atomic_uint##bits *p, uint##bits value) \
	{ \
		sim_point(); \
		sim_check_write(p); \
		if (sim_store_late(p, sizeof(p->value), value)) \
			return; \
		p->value = value; \
		sim_accessed("write", p, value); \
	} \
	static inline uint##bits \
	pg_atomic_exchange_u##bits(volatile pg_atomic_uint##bits *p, uint##bits value) \
	{ \
		uint##bits	old; \
		sim_point(); \
		sim_barrier(); \
		sim_check_write(p); \
		old = p->value; \
		p->value = value; \
		sim_accessed("exchange", p, value); \
		return old; \
	} \
	static inline uint##bits \
	pg_atomic_fetch_add_u##bits(volatile pg_atomic_uint##bits *p, int##bits add) \
	{ \
		uint##bits	old; \
		sim_point(); \
		sim_barrier(); \
		sim_check_write(p); \
		old = p->value; \
		p->value = old + (uint##bits) add; \
		sim_accessed("add", p, p->value); \
		return old; \
	} \
	static inline uint##bits \
	pg_atomic_fetch_sub_u##bits(volatile pg_atomic_uint##bits *p, int##bits subtract) \
	{ \
		return pg_atomic_fetch_add_u##bits(p, -subtract); \
	} \
	static inline bool \
	pg_atomic_compare_exchange_u##bits(volatile pg_atomic_uint##bits *p, uint##bits *expected, uint##bits value) \
	{ \
		sim_point(); \
		sim_barrier(); \
		sim_check_write(p); \
		if (p->value != *expected) \
		{ \
			*expected = p->value; \
			sim_accessed("swap failed", p, p->value); \
			return false; \
		} \
		p->value = value; \
		sim_accessed("swap", p, value); \
		return true; \
	}

SIM_ATOMICS(32)
SIM_ATOMICS(64)

/* ---------- storage/lwlock.h ---------- */

typedef enum LWLockMode
{
	LW_EXCLUSIVE,
	LW_SHARED
} LWLockMode;

typedef struct LWLock
{
	bool		exclusive;
	int			shared;
} LWLock;

extern void LWLockInitialize(LWLock *lock, int tranche);
extern bool LWLockAcquire(LWLock *lock, LWLockMode mode);
extern bool LWLockConditionalAcquire(LWLock *lock, LWLockMode mode);
extern void LWLockRelease(LWLock *lock);

#define LWLockNewTrancheId()			0
#define LWLockRegisterTranche(id, name)	((void) (id), (void) (name))

/* ---------- shared memory, start and exit of backends ---------- */

typedef void (*shmem_request_hook_type) (void);
typedef void (*shmem_startup_hook_type) (void);
typedef void (*sim_exit_callback) (int code, Datum arg);

extern shmem_request_hook_type shmem_request_hook;
extern shmem_startup_hook_type shmem_startup_hook;
extern bool process_shared_preload_libraries_in_progress;
#define AddinShmemInitLock	(&sim_init_lock)
extern LWLock sim_init_lock;
#define ProcArrayLock		(&sim_procarray_lock)
extern LWLock sim_procarray_lock;

extern void RequestAddinShmemSpace(Size size);
extern void *ShmemInitStruct(const char *name, Size size, bool *found);
extern void *GetNamedDSMSegment(const char *name, Size size, void (*init) (void *), bool *found);

/* ---------- utils/dsa.h, memory contexts ---------- */

typedef struct dsa_area dsa_area;
typedef uint64 dsa_pointer;
typedef uint32 dsa_handle;

#define InvalidDsaPointer				((dsa_pointer) 0)
#define DsaPointerIsValid(p)			((p) != InvalidDsaPointer)
#define DSA_ALLOC_NO_OOM				2
#define DSA_ALLOC_ZERO					4
#define dsa_allocate(area, size)		dsa_allocate_extended(area, size, 0)
#define dsa_allocate0(area, size)		dsa_allocate_extended(area, size, DSA_ALLOC_ZERO)
#define dsa_pin(area)					((void) (area))
#define dsa_on_shmem_exit_release_in_place	NULL
#define on_shmem_exit(callback, arg)	((void) (callback), (void) (arg))
#define dsa_pin_mapping(area)			((void) (area))
#define dsa_detach(area)				((void) (area))
#define dsa_set_size_limit(area, size)	((void) (area), (void) (size))
#define dsa_minimum_size()				((Size) 1024)
#define dsa_get_handle(area)			((void) (area), (dsa_handle) 1)

extern dsa_area *dsa_create(int tranche);
extern dsa_area *dsa_create_in_place(void *place, Size size, int tranche, void *segment);
extern dsa_area *dsa_attach(dsa_handle handle);
extern dsa_area *dsa_attach_in_place(void *place, void *segment);
extern dsa_pointer dsa_allocate_extended(dsa_area *area, Size size, int flags);
extern void dsa_free(dsa_area *area, dsa_pointer pointer);
extern void *dsa_get_address(dsa_area *area, dsa_pointer pointer);

typedef void *MemoryContext;
typedef void *ResourceOwner;

#define TopMemoryContext				NULL
#define MemoryContextAlloc(context, size)	palloc(size)
static inline MemoryContext
MemoryContextSwitchTo(MemoryContext context)
{
	return context;
}


/* All strings that are copied are constants. */
#define MemoryContextStrdup(context, text)	(text)

extern void *palloc(Size size);
extern void initStringInfo(StringInfo text);
extern void appendBinaryStringInfo(StringInfo text, const void *data, int length);

#define pfree(pointer)					((void) (pointer))
#define pstrdup(text)					((char *) (text))
#define psprintf(...)					((char *) "")
#define quote_identifier(name)			(name)
#define GetConfigOption(name, missing_ok, restrict_privileged)	(name)

extern void before_shmem_exit(sim_exit_callback callback, Datum arg);
extern void cancel_before_shmem_exit(sim_exit_callback callback, Datum arg);
extern bool RecoveryInProgress(void);
extern void PreventCommandDuringRecovery(const char *cmdname);

/* ---------- the running backend ---------- */

/* What the server keeps in global variables of each process. */
typedef struct SimProcess
{
	int			pid;
	int			number;
	Oid			database;
	jmp_buf    *exception_stack;
} SimProcess;

extern SimProcess *sim_process;

#define IsUnderPostmaster	true
#define PostmasterIsAlive()	true
#define MyProcPid			(sim_process->pid)
#define MyDatabaseId		(sim_process->database)
#define PG_exception_stack	(sim_process->exception_stack)

#define PG_ENSURE_ERROR_CLEANUP(cleanup, arg) \
	do { \
		jmp_buf    *outer = PG_exception_stack; \
		jmp_buf		inner; \
		before_shmem_exit(cleanup, arg); \
		if (_setjmp(inner) == 0) \
		{ \
			PG_exception_stack = &inner

#define PG_END_ENSURE_ERROR_CLEANUP(cleanup, arg) \
			cancel_before_shmem_exit(cleanup, arg); \
			PG_exception_stack = outer; \
		} \
		else \
		{ \
			cancel_before_shmem_exit(cleanup, arg); \
			PG_exception_stack = outer; \
			cleanup(0, arg); \
			sim_throw(); \
		} \
	} while (0)

#define MyProcNumber		(sim_process->number)
#define MaxBackends			sim_max_backends

extern int	sim_max_backends;

/* ---------- errors ---------- */

#define LOG					15
#define WARNING				19
#define ERROR				21
#define FATAL				22

typedef enum SimSqlState
{
	ERRCODE_SUCCESSFUL_COMPLETION,
	ERRCODE_DISK_FULL,
	ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
	ERRCODE_INVALID_PARAMETER_VALUE,
	ERRCODE_UNDEFINED_COLUMN,
	ERRCODE_FEATURE_NOT_SUPPORTED,
	ERRCODE_DATATYPE_MISMATCH,
	ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
	ERRCODE_DATETIME_VALUE_OUT_OF_RANGE,
	ERRCODE_READ_ONLY_SQL_TRANSACTION,
	ERRCODE_INVALID_TRANSACTION_STATE,
	ERRCODE_QUERY_CANCELED,
	ERRCODE_ADMIN_SHUTDOWN,
	ERRCODE_UNDEFINED_DATABASE,
	ERRCODE_OUT_OF_MEMORY,
	ERRCODE_INSUFFICIENT_RESOURCES,
	ERRCODE_INTERNAL_ERROR
} SimSqlState;

#define ERRCODE_TO_CATEGORY(code) \
	((code) == ERRCODE_DISK_FULL || (code) == ERRCODE_OUT_OF_MEMORY ? ERRCODE_INSUFFICIENT_RESOURCES : (code))

extern int	errcode(int sqlstate);
extern int	errmsg(const char *format,...) __attribute__((format(printf, 1, 2)));
extern int	errdetail(const char *format,...) __attribute__((format(printf, 1, 2)));
extern int	errhint(const char *format,...) __attribute__((format(printf, 1, 2)));
extern int	errhidestmt(bool hide);
extern void sim_report(int level);
extern void sim_throw(void) __attribute__((noreturn));

#define ereport(level, ...) \
	do { \
		(void) errcode(ERRCODE_INTERNAL_ERROR); \
		(void) (__VA_ARGS__); \
		sim_report(level); \
		if ((level) >= ERROR) \
			sim_throw(); \
	} while (0)
#define elog(level, ...)	ereport(level, errmsg(__VA_ARGS__))
#define errtablecol(table, column)	((void) (table), (void) (column), 0)

typedef struct ErrorContextCallback
{
	struct ErrorContextCallback *previous;
	void		(*callback) (void *arg);
	void	   *arg;
} ErrorContextCallback;

extern ErrorContextCallback *error_context_stack;

/* ---------- time and waiting ---------- */

#define POSTGRES_EPOCH_JDATE	2451545
#define UNIX_EPOCH_JDATE		2440588
#define USECS_PER_DAY			INT64_C(86400000000)
#define USECS_PER_SEC			INT64_C(1000000)
#define DT_NOBEGIN				INT64_MIN
#define DT_NOEND				INT64_MAX
#define TIMESTAMP_IS_NOBEGIN(t)	((t) == DT_NOBEGIN)
#define TIMESTAMP_IS_NOEND(t)	((t) == DT_NOEND)

extern int	sim_clock_gettime(clockid_t clock, struct timespec *now);
extern TimestampTz GetCurrentTimestamp(void);
extern const char *timestamptz_to_str(TimestampTz t);

#define GetCurrentStatementStartTimestamp()		((TimestampTz) 1)
#define GetUserId()								InvalidOid

#define clock_gettime(clock, now)	sim_clock_gettime(clock, now)

#define WL_LATCH_SET			1
#define WL_TIMEOUT				2
#define WL_EXIT_ON_PM_DEATH		4
#define MyLatch					NULL

extern int	WaitLatch(void *latch, int events, long timeout, uint32 event);
extern void pg_usleep(long us);
extern void sim_check_for_interrupts(void);

#define ResetLatch(latch)				((void) 0)
#define WaitEventExtensionNew(name)		((uint32) sizeof(name))
#define INJECTION_POINT(name)			((void) name)
#define CHECK_FOR_INTERRUPTS()			sim_check_for_interrupts()

/* What else pg.h needs: to parse a date, and to find a setting.  Nothing calls it here. */
typedef int DateTimeErrorExtra;
struct pg_tm
{
	int			unused;
};
#define DecodeDateTime(field, ftype, nf, dtype, tm, fsec, tz, extra) \
	((void) (field), (void) (ftype), (void) (nf), (void) (dtype), (void) (tm), \
	 (void) (fsec), (void) (tz), (void) (extra), 1)
struct config_generic
{
	int			status;
};
#define GUC_IS_IN_FILE			1
#define find_option(name, create, skip, level)	((void) (name), (struct config_generic *) NULL)

/* ---------- names, hashes, identity ---------- */

extern char *get_database_name(Oid database);
extern int	oid_cmp(const void *a, const void *b);
extern Datum hash_any(const unsigned char *bytes, int length);

#define FLOAT8PASSBYVAL	1
#define DatumGetPointer(datum)	((char *) (uintptr_t) (datum))
#define DatumGetUInt32(datum)		((uint32) (datum))
#define GetSystemIdentifier()		UINT64CONST(7000000000000000001)
#define IsParallelWorker()			false

/* ---------- transactions, invalidation ---------- */

typedef enum XactEvent
{
	XACT_EVENT_PRE_COMMIT,
	XACT_EVENT_COMMIT,
	XACT_EVENT_ABORT,
	XACT_EVENT_PRE_PREPARE,
	XACT_EVENT_PREPARE,
	XACT_EVENT_PARALLEL_PRE_COMMIT,
	XACT_EVENT_PARALLEL_COMMIT,
	XACT_EVENT_PARALLEL_ABORT
} XactEvent;

typedef enum SubXactEvent
{
	SUBXACT_EVENT_ABORT_SUB
} SubXactEvent;
typedef uint32 SubTransactionId;
#define RegisterSubXactCallback(callback, arg)	((void) (callback))
extern void RegisterXactCallback(void (*callback) (XactEvent event, void *arg), void *arg);
extern void AcceptInvalidationMessages(void);

/* Transactions and snapshots: see transactions.c. */
typedef struct FullTransactionId
{
	uint64		value;
} FullTransactionId;

#define InvalidTransactionId			((TransactionId) 0)
#define FirstNormalTransactionId		((TransactionId) 3)
#define TransactionIdIsNormal(xid)		((xid) >= FirstNormalTransactionId)
#define TransactionIdPrecedes(a, b)		((int32) ((a) - (b)) < 0)
#define IsolationUsesXactSnapshot()		false
#define TransactionIdAdvance(xid) \
	do { if (++(xid) < FirstNormalTransactionId) (xid) = FirstNormalTransactionId; } while (0)
#define U64FromFullTransactionId(xid)	((xid).value)
#define XidFromFullTransactionId(xid)	((TransactionId) (xid).value)
#define FullTransactionIdIsValid(xid)	((xid).value != 0)
#define ReadNextTransactionId()			XidFromFullTransactionId(ReadNextFullTransactionId())

extern FullTransactionId ReadNextFullTransactionId(void);
extern FullTransactionId GetTopFullTransactionIdIfAny(void);
extern bool TransactionIdIsInProgress(TransactionId xid);
extern bool TransactionIdDidCommit(TransactionId xid);

/* A prepared transaction has a PGPROC, but no process. */
typedef struct PGPROC
{
	TransactionId xid;
	Oid			databaseId;
	int			pgxactoff;
} PGPROC;

typedef struct PROC_HDR
{
	TransactionId *xids;
} PROC_HDR;

extern PROC_HDR *ProcGlobal;

#define max_prepared_xacts				2

extern PGPROC PreparedXactProcs[max_prepared_xacts];

/* How many transactions below its xmax a snapshot can consider running. */
#define SIM_RUNNING						32

typedef struct SnapshotData
{
	TransactionId xmin,
				xmax;
	TransactionId xip[SIM_RUNNING];
	uint32		xcnt;
	uint32		regd_count;
	uint32		active_count;
	bool		takenDuringRecovery;
} SnapshotData;
typedef SnapshotData *Snapshot;

#define IsMVCCSnapshot(snapshot)		((void) (snapshot), true)
#define ActiveSnapshotSet()				true

extern Snapshot GetActiveSnapshot(void);
extern bool XidInMVCCSnapshot(TransactionId xid, Snapshot snapshot);

/* answer.c keeps nothing for a query here. */
typedef struct MemoryContextCallback
{
	void		(*func) (void *arg);
	void	   *arg;
	struct MemoryContextCallback *next;
} MemoryContextCallback;

typedef struct
{
	MemoryContextCallback *reset_cbs;
}		   *PortalContext;

/* No allocation fails: see dsa_allocate_extended(). */
#define CurrentMemoryContext					((MemoryContext) NULL)
#define CurrentResourceOwner					(*(ResourceOwner *) &(ResourceOwner) {NULL})
#define ResourceOwnerCreate(parent, name)		(parent)
#define ResourceOwnerRelease(owner, phase, is_commit, is_top)	((void) (owner))
#define ResourceOwnerDelete(owner)				((void) (owner))
#define PG_TRY()								do {
#define PG_CATCH()								} while (0); if (false) {
#define PG_END_TRY()							}
#define PG_RE_THROW()							abort()
#define FlushErrorState()						((void) 0)
#define LWLockReleaseAll()						((void) 0)
#define geterrcode()							0

#define TopTransactionContext					NULL
#define TopTransactionResourceOwner				NULL
#define MemoryContextAllocZero(context, size)	((void) (context), (void *) NULL)
#define RegisterSnapshotOnOwner(snapshot, owner)	((void) (owner), (snapshot))
#define UnregisterSnapshotFromOwner(snapshot, owner)	((void) (owner), (void) (snapshot))

typedef struct PortalData
{
	PortalContext portalContext;
} PortalData;

#define ActivePortal							((PortalData *) NULL)
#define MemoryContextRegisterResetCallback(context, callback)	((void) (context), (void) (callback))

/* ---------- relations, which are only compared: see markpage.c ---------- */

typedef uint32 RelFileNumber;

#define InvalidSubTransactionId		0

typedef struct RelationData
{
	Oid			oid;
	struct
	{
		RelFileNumber relNumber;
	}			rd_locator;
	/* The transaction under way has created it, or given it a new file. */
	uint32		rd_createSubid;
	uint32		rd_firstRelfilelocatorSubid;
} RelationData;
typedef RelationData *Relation;
typedef Relation TupleDesc;

#define RelationGetRelid(relation)				((relation)->oid)
#define RelationGetRelationName(relation)		((void) (relation), "")
#define get_rel_name(oid)						((void) (oid), "")
#define RelationNeedsWAL(relation)				((void) (relation), true)
#define NoLock									0
extern Relation relation_open(Oid oid, int mode);

#define SearchSysCacheExists1(cache, key)		((void) (key), true)
#define ObjectIdGetDatum(oid)					(oid)
#define RelationGetDescr(relation)				(relation)

typedef int Buffer;
typedef uint32 BlockNumber;
typedef uint64 XLogRecPtr;

extern XLogRecPtr BufferGetLSNAtomic(Buffer buffer);
extern void XLogFlush(XLogRecPtr lsn);

/* ---------- sequences and hashes: see sequences.c ---------- */

extern int64 nextval_internal(Oid oid, bool check_permissions);

typedef enum HASHACTION
{
	HASH_FIND,
	HASH_ENTER
} HASHACTION;

typedef struct HASHCTL
{
	size_t		keysize;
	size_t		entrysize;
} HASHCTL;

typedef struct HTAB
{
	int			count;
	uint64		at[4][4];
} HTAB;

#define HASH_ELEM				0
#define HASH_BLOBS				0

extern HTAB *hash_create(const char *name, long elements, const HASHCTL *info, int flags);
extern void *hash_search(HTAB *table, const void *key, HASHACTION action, bool *found);

/* ---------- functions and triggers ---------- */

typedef struct FmgrInfo
{
	MemoryContext fn_mcxt;
} FmgrInfo;

typedef struct FunctionCallInfoBaseData
{
	void	   *context;
	Datum		args[2];
} FunctionCallInfoBaseData;
typedef FunctionCallInfoBaseData *FunctionCallInfo;

#define PGDLLEXPORT
#define PG_FUNCTION_ARGS			FunctionCallInfo fcinfo pg_attribute_unused()
#define PG_FUNCTION_INFO_V1(name)	extern Datum name(PG_FUNCTION_ARGS)
#define PG_GETARG_TIMESTAMPTZ(n)	((TimestampTz) fcinfo->args[n])
#define PG_GETARG_BOOL(n)			(fcinfo->args[n] != 0)
#define PG_RETURN_TIMESTAMPTZ(t)	return (Datum) (t)
#define PG_RETURN_VOID()			return (Datum) 0
#define PG_RETURN_INT32(value)	return (Datum) (value)
#define PG_RETURN_INT64(value)	return (Datum) (value)
#define PG_GETARG_OID(n)		((Oid) fcinfo->args[n])
#define PointerGetDatum(pointer)	((Datum) (pointer))
#define DatumGetInt64(datum)		((int64) (datum))
#define DatumGetTimestampTz(datum)	((TimestampTz) (datum))

/* Only the insertion of a row fires triggers.  A row is an array of its columns, all of them bigint. */
typedef Datum *HeapTuple;
typedef struct HeapTupleHeaderData *HeapTupleHeader;

typedef struct FormData_pg_attribute
{
	char		attgenerated;
	char		attidentity;
	Oid			atttypid;
} FormData_pg_attribute;
typedef FormData_pg_attribute *Form_pg_attribute;

#define INT8OID							20
#define TupleDescAttr(descriptor, n)	((void) (descriptor), (void) (n), &(FormData_pg_attribute) {.atttypid = INT8OID})
#define SPI_fnumber(descriptor, name)	((void) (descriptor), (void) (name), 1)
#define format_type_be(type)			((void) (type), "")

typedef struct Trigger
{
	Oid			tgoid;
	const char *tgname;
	int			tgnargs;
	const char **tgargs;
} Trigger;

typedef struct TriggerData
{
	int			tg_event;
	HeapTuple	tg_trigtuple;
	HeapTuple	tg_newtuple;
	Relation	tg_relation;
	Trigger    *tg_trigger;
} TriggerData;

#define CALLED_AS_TRIGGER(fcinfo)		((fcinfo)->context != NULL)
#define TRIGGER_FIRED_BEFORE(event)		((void) (event), true)
#define TRIGGER_FIRED_BY_INSERT(event)	((void) (event), true)
#define TRIGGER_FIRED_BY_UPDATE(event)	((void) (event), false)
#define TRIGGER_FIRED_FOR_ROW(event)	((void) (event), true)
#define IsLogicalWorker()				false
#define Int64GetDatum(value)			((Datum) (value))
#define heap_getattr(tuple, column, descriptor, isnull) \
	((void) (descriptor), *(isnull) = false, (tuple)[(column) - 1])
#define heap_modify_tuple_by_cols(tuple, descriptor, count, columns, values, nulls) \
	((void) (descriptor), (void) (count), (void) (nulls), (tuple)[*(columns) - 1] = *(values), (tuple))

#endif							/* SIM_POSTGRES_H */
