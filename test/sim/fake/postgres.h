/*
 * postgres.h
 *		A PostgreSQL small enough to be taken apart: what the generator's files
 *		use of the server, for the simulation.
 *
 * It takes the place of all of the server's headers (build.sh makes empty ones
 * under the other names).  Whatever two backends share goes through
 * sim_point(), where the scheduler may let another backend run; server.c holds
 * the rest.
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
#define pg_attribute_unused()	__attribute__((unused))
#define pg_attribute_aligned(n)	__attribute__((aligned(n)))
#define StaticAssertDecl(condition, message)	_Static_assert(condition, message)
#define Assert(condition) \
	do { if (!(condition)) sim_fault("assertion failed: %s", #condition); } while (0)
#define PG_USED_FOR_ASSERTS_ONLY

/* Only ever pointed to. */
typedef struct varlena bytea;
typedef struct StringInfoData *StringInfo;
typedef struct NumericData *Numeric;
typedef struct SortSupportData *SortSupport;
struct Node;

/* ---------- the scheduler ---------- */

extern int	sim_left;			/* points that the running backend has left */
extern bool sim_tracing;

extern void sim_preempt(void);
extern void sim_log_access(const char *what, const volatile void *address, uint64 value);
extern void sim_fault(const char *format,...) __attribute__((format(printf, 1, 2), noreturn));

/* Everything shared is touched right after one of these. */
static inline void
sim_point(void)
{
	if (unlikely(--sim_left <= 0))
		sim_preempt();
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

/* One thread runs it all, so the order of memory is the order of the program. */
#define pg_memory_barrier()		((void) 0)
#define pg_read_barrier()		((void) 0)
#define pg_write_barrier()		((void) 0)

#define SIM_ATOMICS(bits) \
	static inline void \
	pg_atomic_init_u##bits(volatile pg_atomic_uint##bits *p, uint##bits value) \
	{ \
		p->value = value; \
	} \
	static inline uint##bits \
	pg_atomic_read_u##bits(volatile pg_atomic_uint##bits *p) \
	{ \
		sim_point(); \
		sim_accessed("read", p, p->value); \
		return p->value; \
	} \
	static inline void \
	pg_atomic_write_u##bits(volatile pg_atomic_uint##bits *p, uint##bits value) \
	{ \
		sim_point(); \
		p->value = value; \
		sim_accessed("write", p, value); \
	} \
	static inline uint##bits \
	pg_atomic_exchange_u##bits(volatile pg_atomic_uint##bits *p, uint##bits value) \
	{ \
		uint##bits	old; \
		sim_point(); \
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
extern bool LWLockHeldByMe(LWLock *lock);

/* The status of every transaction is kept. */
#define XactTruncationLock				(&sim_truncation_lock)
#define TransamVariables				(&sim_transactions)

extern LWLock sim_truncation_lock;
extern struct SimTransactions
{
	TransactionId oldestClogXid;
}			sim_transactions;

#define LWLockNewTrancheId()			0
#define LWLockRegisterTranche(id, name)	((void) (id), (void) (name))

/* ---------- shared memory, start and exit of backends ---------- */

typedef void (*shmem_request_hook_type) (void);
typedef void (*shmem_startup_hook_type) (void);
typedef void (*sim_exit_callback) (int code, Datum arg);

extern shmem_request_hook_type shmem_request_hook;
extern shmem_startup_hook_type shmem_startup_hook;
extern bool process_shared_preload_libraries_in_progress;
extern LWLock *AddinShmemInitLock;

extern void RequestAddinShmemSpace(Size size);
extern void *ShmemInitStruct(const char *name, Size size, bool *found);
extern void *GetNamedDSMSegment(const char *name, Size size, void (*init) (void *), bool *found);
extern void before_shmem_exit(sim_exit_callback callback, Datum arg);
extern bool RecoveryInProgress(void);

/* ---------- the running backend ---------- */

/* What the server keeps in variables of each process. */
typedef struct SimProcess
{
	int			pid;
	Oid			database;
	TimestampTz reloaded;
	jmp_buf    *exception_stack;
} SimProcess;

extern SimProcess *sim_process;

#define IsUnderPostmaster	true
#define PostmasterIsAlive()	true
#define MyProcPid			(sim_process->pid)
#define MyDatabaseId		(sim_process->database)
#define PgReloadTime		(sim_process->reloaded)
#define ConfigReloadPending	false
#define PG_exception_stack	(sim_process->exception_stack)

extern void *BackendPidGetProc(int pid);

/* ---------- errors ---------- */

#define LOG					15
#define ERROR				21
#define FATAL				22

typedef enum SimSqlState
{
	ERRCODE_SUCCESSFUL_COMPLETION,
	ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
	ERRCODE_INVALID_PARAMETER_VALUE,
	ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
	ERRCODE_DATETIME_VALUE_OUT_OF_RANGE,
	ERRCODE_READ_ONLY_SQL_TRANSACTION,
	ERRCODE_QUERY_CANCELED,
	ERRCODE_ADMIN_SHUTDOWN,
	ERRCODE_INTERNAL_ERROR
} SimSqlState;

extern int	errcode(int sqlstate);
extern int	errmsg(const char *format,...) __attribute__((format(printf, 1, 2)));
extern int	errdetail(const char *format,...) __attribute__((format(printf, 1, 2)));
extern int	errhint(const char *format,...) __attribute__((format(printf, 1, 2)));
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

#define PG_TRY() \
	do { \
		jmp_buf    *save_ = PG_exception_stack; \
		jmp_buf		here_; \
		volatile bool rethrow_ = false; \
		if (_setjmp(here_) == 0) \
		{ \
			PG_exception_stack = &here_
#define PG_FINALLY() \
		} \
		else \
			rethrow_ = true; \
		{ \
			PG_exception_stack = save_
#define PG_END_TRY() \
		} \
		if (rethrow_) \
			sim_throw(); \
	} while (0)

#define pstrdup(text)		((char *) (text))
#define palloc(size)		malloc(size)

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
#define CHECK_FOR_INTERRUPTS()			sim_check_for_interrupts()

/* What pg.h offers beside: whether a text is a date, a setting in the file; nobody asks here. */
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

/* ---------- relations, locks, catalogs ---------- */

typedef int LOCKMODE;
typedef uint32 RelFileNumber;

#define NoLock				0
#define AccessShareLock		1
#define RowExclusiveLock	3
#define HEAP_TABLE_AM_OID			2
#define RELPERSISTENCE_PERMANENT	'p'
#define InvalidTransactionId		0
#define InvalidSubTransactionId		0
#define TransactionIdIsValid(xid)	((xid) != InvalidTransactionId)

typedef struct RelationData
{
	Oid			oid;
	struct
	{
		RelFileNumber relNumber;
	}			rd_locator;
	struct
	{
		char		relpersistence;
		Oid			relam;
	}		   *rd_rel;
	uint32		rd_createSubid;	/* by the transaction under way, as the next */
	uint32		rd_firstRelfilelocatorSubid;
} RelationData;
typedef RelationData *Relation;

#define RelationGetRelid(relation)				((relation)->oid)
#define RelationNeedsWAL(relation)				((void) (relation), true)
#define RelationGetNumberOfBlocks(relation)		((void) (relation), 1)
#define RelationGetDescr(relation)				(relation)
#define RelationGetRelationName(relation)		((void) (relation), "flakeid_mark")
typedef Relation TupleDesc;

extern void LockRelationOid(Oid oid, LOCKMODE mode);
extern bool ConditionalLockRelationOid(Oid oid, LOCKMODE mode);
extern void UnlockRelationOid(Oid oid, LOCKMODE mode);
extern Relation try_table_open(Oid oid, LOCKMODE mode);
extern Relation table_open(Oid oid, LOCKMODE mode);
extern void table_close(Relation relation, LOCKMODE mode);
extern Oid	get_extension_oid(const char *name, bool missing_ok);
extern Oid	get_relname_relid(const char *name, Oid schema);
extern void CacheRegisterRelcacheCallback(void (*callback) (Datum arg, Oid relation), Datum arg);

typedef struct HeapTupleHeaderData
{
	uint16		t_infomask;
	uint16		t_hoff;
	TransactionId t_xmin;
	TransactionId t_xmax;
} HeapTupleHeaderData;
typedef HeapTupleHeaderData *HeapTupleHeader;

/* The extension's row of pg_extension, far enough to find its schema. */
typedef struct FormData_pg_extension
{
	HeapTupleHeader t_data;
	Oid			extnamespace;
} FormData_pg_extension;
typedef FormData_pg_extension *Form_pg_extension;
typedef Form_pg_extension HeapTuple;
typedef void *SysScanDesc;
typedef int ScanKeyData;

#define ExtensionRelationId			3079
#define ExtensionOidIndexId			((intptr_t) 3080)
#define ExtensionNameIndexId		((intptr_t) 3081)
#define SearchSysCacheExists1(cache, key)	((void) (key), true)
#define SearchSysCache1(cache, key)			((void) (key), (HeapTuple) NULL)
#define ReleaseSysCache(tuple)				((void) (tuple))
#define IsParallelWorker()					false
#define ScanKeyInit(key, attribute, strategy, procedure, argument) \
	((void) (key), (void) (argument))
#define ObjectIdGetDatum(oid)		((Datum) (oid))
#define CStringGetDatum(text)		((Datum) (text))
#define HeapTupleIsValid(tuple)		((tuple) != NULL)
#define GETSTRUCT(tuple)			(tuple)
#define systable_beginscan(catalog, index, ...)	((void *) (index))
#define systable_endscan(scan)		((void) (scan))

extern HeapTuple systable_getnext(SysScanDesc scan);

/* ---------- pages, buffers, Generic WAL ---------- */

/* A page of flakeid_mark: rows of a kind and five instants. */
#define SIM_ROWS			4
typedef struct SimRow
{
	HeapTupleHeaderData header;
	int64		kind;
	TimestampTz value[5];
} SimRow;

typedef struct SimPage
{
	SimRow		row[SIM_ROWS];
} SimPage;

typedef SimPage *Page;
typedef SimRow *ItemId;
typedef uint16 OffsetNumber;
typedef int Buffer;
typedef uint64 XLogRecPtr;
typedef struct GenericXLogState GenericXLogState;

#define FirstOffsetNumber					1
#define PageGetMaxOffsetNumber(page)		((void) (page), SIM_ROWS)
#define PageGetItemId(page, offset)			(&(page)->row[(offset) - 1])
#define PageGetItem(page, item)				(&(item)->header)
#define ItemIdIsNormal(item)				((item)->header.t_hoff != 0)
#define ItemIdGetLength(item)				((void) (item), sizeof(SimRow))
#define HEAP_HASNULL						1
#define HEAP_XMAX_INVALID					2
#define HeapTupleHeaderGetXmin(tuple)		((tuple)->t_xmin)
#define HeapTupleHeaderGetUpdateXid(tuple)	((tuple)->t_xmax)
#define HeapTupleHeaderXminCommitted(tuple)	((void) (tuple), false)

extern bool TransactionIdIsCurrentTransactionId(TransactionId xid);
extern bool TransactionIdDidCommit(TransactionId xid);
extern bool TransactionIdPrecedes(TransactionId a, TransactionId b);
extern TransactionId GetTopTransactionIdIfAny(void);

#define BUFFER_LOCK_UNLOCK		0
#define BUFFER_LOCK_SHARE		1
#define BUFFER_LOCK_EXCLUSIVE	2

extern Buffer ReadBuffer(Relation relation, int block);
extern void ReleaseBuffer(Buffer buffer);
extern void UnlockReleaseBuffer(Buffer buffer);
extern void LockBuffer(Buffer buffer, int mode);
extern Page BufferGetPage(Buffer buffer);
extern XLogRecPtr BufferGetLSNAtomic(Buffer buffer);
extern GenericXLogState *GenericXLogStart(Relation relation);
#define wal_consistency_checking	((bool[]) {false})
#define RM_GENERIC_ID				0
#define GENERIC_XLOG_FULL_IMAGE		1
extern Page GenericXLogRegisterBuffer(GenericXLogState *state, Buffer buffer, int flags);
extern XLogRecPtr GenericXLogFinish(GenericXLogState *state);
extern void GenericXLogAbort(GenericXLogState *state);
extern void XLogFlush(XLogRecPtr lsn);

/* ---------- functions and triggers ---------- */

typedef struct FunctionCallInfoBaseData
{
	void	   *context;
	Datum		args[2];
} FunctionCallInfoBaseData;
typedef FunctionCallInfoBaseData *FunctionCallInfo;

#define PG_FUNCTION_ARGS			FunctionCallInfo fcinfo
#define PG_FUNCTION_INFO_V1(name)	extern Datum name(PG_FUNCTION_ARGS)
#define PG_GETARG_TIMESTAMPTZ(n)	((TimestampTz) fcinfo->args[n])
#define PG_GETARG_BOOL(n)			(fcinfo->args[n] != 0)
#define PG_RETURN_TIMESTAMPTZ(t)	return (Datum) (t)
#define PointerGetDatum(pointer)	((Datum) (pointer))
#define DatumGetInt64(datum)		((int64) (datum))
#define DatumGetTimestampTz(datum)	((TimestampTz) (datum))

/* A trigger is only ever fired by the insertion of a row {kind, mark}. */
typedef struct TriggerData
{
	int			tg_event;
	Datum	   *tg_trigtuple;
	Relation	tg_relation;
} TriggerData;

#define CALLED_AS_TRIGGER(fcinfo)		((fcinfo)->context != NULL)
#define TRIGGER_FIRED_BEFORE(event)		((void) (event), true)
#define TRIGGER_FIRED_BY_INSERT(event)	((void) (event), true)
#define TRIGGER_FIRED_FOR_ROW(event)	((void) (event), true)
#define IsLogicalWorker()				false
#define heap_getattr(tuple, column, descriptor, isnull) \
	((void) (descriptor), *(isnull) = false, (tuple)[(column) - 1])

#endif							/* SIM_POSTGRES_H */
