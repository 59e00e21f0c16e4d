/*
 * answer.c
 *		T_horizon(): the one answer that a query gets.
 */
#include "horizon/reader.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "tcop/pquery.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

/* ---------- one answer for one query ---------- */

/* What a query got. */
typedef struct KeptAnswer
{
	struct KeptAnswer *next;
	const FlakeFormat *format;	/* NULL: for a sequence */
	Oid			sequence;
	Oid			role;			/* that has asked, and so may */
	int64		horizon;		/* a tick, or a value of the sequence */
} KeptAnswer;

/*
 * The answers for a snapshot, which stays registered as long as they are kept, so that no other
 * snapshot gets its address.
 */
typedef struct Kept
{
	struct Kept *next;
	Snapshot	snapshot;
	KeptAnswer *answers;
} Kept;

static Kept *all_kept = NULL;	/* this transaction's */

/* Forget the answers of queries that have ended, whose snapshots nothing else holds. */
static void
forget_answers(bool all)
{
	for (Kept **link = &all_kept; *link != NULL;)
	{
		Kept	   *kept = *link;

		if (!all && (kept->snapshot->regd_count > 1 || kept->snapshot->active_count > 0))
		{
			link = &kept->next;
			continue;
		}
		*link = kept->next;
		UnregisterSnapshotFromOwner(kept->snapshot, TopTransactionResourceOwner);
		while (kept->answers != NULL)
		{
			KeptAnswer *known = kept->answers;

			kept->answers = known->next;
			pfree(known);
		}
		pfree(kept);
	}
}

/*
 * The transaction ends.  Before a commit, unregister the snapshots; a rollback frees them
 * by itself.
 */
static void
end_of_answers(XactEvent event, void *arg pg_attribute_unused())
{
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		forget_answers(true);
	else
		all_kept = NULL;
}

/*
 * A statement has ended.  If the transaction stays open, the statement's snapshot must no longer
 * hold back vacuum.
 */
static void
end_of_portal(void *arg pg_attribute_unused())
{
	forget_answers(false);
}

static void
watch_portal(void)
{
	MemoryContextCallback *callback;

	if (ActivePortal == NULL)
		return;
	for (callback = ActivePortal->portalContext->reset_cbs; callback != NULL; callback = callback->next)
		if (callback->func == end_of_portal)
			return;
	callback = MemoryContextAllocZero(ActivePortal->portalContext, sizeof(MemoryContextCallback));
	callback->func = end_of_portal;
	MemoryContextRegisterResetCallback(ActivePortal->portalContext, callback);
}

/*
 * Return what is kept for a registered snapshot.  The query that asks may be an inner one
 * of a function, and end long before the query that calls the function.  An answer is needed
 * until nothing else holds the snapshot, not until the query or its memory ends.
 */
static Kept *
kept_for(Snapshot snapshot)
{
	static bool registered = false;
	Kept	   *kept;

	for (kept = all_kept; kept != NULL; kept = kept->next)
		if (kept->snapshot == snapshot)
			return kept;
	forget_answers(false);
	if (!registered)
		RegisterXactCallback(end_of_answers, NULL);
	registered = true;
	watch_portal();
	kept = MemoryContextAllocZero(TopTransactionContext, sizeof(Kept));
	kept->snapshot = RegisterSnapshotOnOwner(snapshot, TopTransactionResourceOwner);
	kept->next = all_kept;
	all_kept = kept;
	return kept;
}

/* ---------- whose horizon ---------- */

/*
 * Return the snapshot of the statement that asks.  Reports 25000 in a parallel worker, because each
 * worker would get an answer of its own.
 */
static Snapshot
asking_snapshot(void)
{
	Snapshot	snapshot = ActiveSnapshotSet() ? GetActiveSnapshot() : NULL;

	if (IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot determine the horizon in a parallel worker"),
				 errhint("Functions that return a horizon are PARALLEL RESTRICTED, and functions that call them must be, too.")));
	if (snapshot == NULL || !IsMVCCSnapshot(snapshot))
		elog(ERROR, "cannot determine the horizon here");
	return snapshot;
}

/*
 * Return the horizon of a format, or else of a sequence, for a snapshot: the one in this server's
 * memory, or, for a snapshot that was taken in recovery, the one that the primary has published.
 */
static int64
look_up(const FlakeFormat *format, Oid sequence, Snapshot snapshot)
{
	bool		published = RecoveryInProgress() || snapshot->takenDuringRecovery;

	if (format != NULL)
		return (int64) (published ? flake_published(format, snapshot) : flake_horizon_of(format, snapshot));
	if (!published)
		return flake_sequence_horizon_of(sequence, snapshot);
	flake_sequence_allow(sequence);
	return flake_sequence_published(sequence, snapshot);
}

/*
 * Return what the query that asks gets.  Answers for the snapshots of the planner and of simple
 * expressions are not kept, because nothing registers these snapshots.
 */
static int64
answer(const FlakeFormat *format, Oid sequence)
{
	Snapshot	snapshot = asking_snapshot();
	KeptAnswer	found = {.format = format, .sequence = sequence, .role = GetUserId()};
	Kept	   *kept;

	if (snapshot->regd_count == 0)
		return look_up(format, sequence, snapshot);
	kept = kept_for(snapshot);
	for (KeptAnswer *known = kept->answers; known != NULL; known = known->next)
		if (known->format == format && known->sequence == sequence)
		{
			/* a query may call a function that is SECURITY DEFINER */
			if (unlikely(format == NULL && known->role != found.role))
				flake_sequence_allow(sequence);
			return known->horizon;
		}
	found.horizon = look_up(format, sequence, snapshot);
	found.next = kept->answers;
	kept->answers = MemoryContextAlloc(TopTransactionContext, sizeof(KeptAnswer));
	*kept->answers = found;
	return found.horizon;
}

/* ---------- SQL ---------- */

/*
 * Store the least ID of the type that may still become visible to a later statement; the statement
 * that asks sees all lower ones.
 */
void
flake_horizon(const FlakeFormat *format, uint8 *id)
{
	uint64		tick = (uint64) answer(format, InvalidOid);

	flake_least(format, tick == 0 ? PG_INT64_MIN : flake_us_of(&format->rate, tick), id);
}

/*
 * Return the instant of the horizon that the database publishes.  The mark is moved to the clock
 * first, because the horizon stays below it, and nothing else moves it where few IDs are made.
 */
int64
flake_own_horizon(const FlakeFormat *format)
{
	Snapshot	snapshot = asking_snapshot();

	flake_lead_with_mark(format);
	return flake_us_of(&format->rate, flake_horizon_of(format, snapshot));
}

/*
 * flakeid_horizon(sequence): the least value of the sequence that may still become visible to a
 * later statement.
 */
PG_FUNCTION_INFO_V1(flakeid_horizon);
Datum
flakeid_horizon(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(answer(NULL, PG_GETARG_OID(0)));
}

/* Return the horizon of a sequence that the database publishes. */
int64
flake_own_sequence_horizon(Oid sequence)
{
	return flake_sequence_horizon_of(sequence, asking_snapshot());
}
