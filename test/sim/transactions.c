/*
 * transactions.c
 *		Transactions and snapshots: which transactions exist, how they ended, and which
 *		of them a snapshot considers running.
 *
 * A transaction commits in the server's order: first TransactionIdDidCommit() says that
 * it has committed, then new snapshots no longer consider it running, and then the
 * library's callbacks are called.
 */
#include "server.h"

PGPROC		PreparedXactProcs[max_prepared_xacts];

/* The running ones of these; the places keep their IDs after the end. */
static TransactionId prepared_xids[max_prepared_xacts];
static PROC_HDR header = {prepared_xids};
PROC_HDR   *ProcGlobal = &header;

static SnapshotData active[SIM_BACKENDS];

static TransactionId
next_xid(void)
{
	return FirstNormalTransactionId + (TransactionId) server.transactions_count;
}

static SimTransaction *
transaction(TransactionId xid)
{
	if (xid < FirstNormalTransactionId || xid >= next_xid())
		sim_fault("transaction %u does not exist", xid);
	return &server.transactions[xid - FirstNormalTransactionId];
}

uint32
transaction_age(TransactionId xid)
{
	return next_xid() - xid;
}

/* Return the ID of a new transaction. */
TransactionId
transaction_assign(void)
{
	TransactionId xid = next_xid();
	SimTransaction *t;

	if (server.transactions_count == SIM_XIDS)
		abort();
	sim_barrier();				/* as the server's lock is one */
	server.transactions_count++;
	t = transaction(xid);
	memset(t, 0, sizeof(*t));
	t->running = true;
	trace("transaction %u", xid);
	return xid;
}

/* Prepare a transaction, so that a crash does not end it, and lock it. */
void
transaction_prepare(TransactionId xid)
{
	transaction(xid)->prepared = true;
	transaction(xid)->locked = true;
}

void
transaction_unlock(TransactionId xid)
{
	transaction(xid)->locked = false;
}

/*
 * Lock a prepared transaction, which only one backend at a time may prepare or finish.
 * Return false if another backend has it locked.
 */
bool
transaction_lock(TransactionId xid)
{
	SimTransaction *t = transaction(xid);

	if (t->locked)
		return false;
	return t->locked = true;
}

bool
transaction_committed(TransactionId xid)
{
	return transaction(xid)->committed;
}

bool
transaction_running(TransactionId xid)
{
	return transaction(xid)->running;
}

/* Decide whether a transaction has committed. */
void
transaction_decide(TransactionId xid, bool commit)
{
	transaction(xid)->committed = commit;
}

/* From now on, new snapshots do not consider the transaction running. */
void
transaction_stop(TransactionId xid)
{
	transaction(xid)->running = false;
}

/*
 * The server compares 32 bits of transaction IDs: one that is older than 2^31 looks like a
 * later one.
 */
static bool
looks_later(TransactionId xid, TransactionId than)
{
	return than > xid && than - xid > XID_LOOKS_LATER;
}

/* ---------- what the library calls ---------- */

FullTransactionId
ReadNextFullTransactionId(void)
{
	FullTransactionId next;

	sim_point();
	next.value = next_xid();
	return next;
}

FullTransactionId
GetTopFullTransactionIdIfAny(void)
{
	FullTransactionId xid = {self->feed_xid};

	return xid;
}

bool
TransactionIdIsInProgress(TransactionId xid)
{
	sim_point();
	return transaction(xid)->running || looks_later(xid, next_xid());
}

bool
TransactionIdDidCommit(TransactionId xid)
{
	sim_point();
	return transaction(xid)->committed;
}

bool
XidInMVCCSnapshot(TransactionId xid, Snapshot snapshot)
{
	return looks_later(xid, snapshot->xmax) || snapshot_lacks(xid, snapshot);
}

/* Is the transaction's commit later than the snapshot? */
bool
snapshot_lacks(TransactionId xid, Snapshot snapshot)
{
	if (xid >= snapshot->xmax)
		return true;
	for (uint32 i = 0; i < snapshot->xcnt; i++)
		if (snapshot->xip[i] == xid)
			return true;
	return false;
}

Snapshot
GetActiveSnapshot(void)
{
	return &active[self->index];
}

/* Take a snapshot for the running backend. */
void
snapshot_take(void)
{
	SnapshotData *snapshot = &active[self->index];

	sim_point();
	sim_barrier();				/* as the server's lock is one */
	memset(snapshot, 0, sizeof(*snapshot));
	snapshot->xmax = next_xid();
	while (snapshot->xmax > FirstNormalTransactionId && transaction(snapshot->xmax - 1)->running)
		snapshot->xmax--;
	snapshot->xmin = snapshot->xmax;
	for (TransactionId xid = snapshot->xmax; xid-- > FirstNormalTransactionId;)
		if (transaction(xid)->running && xid != self->feed_xid)
		{
			if (snapshot->xcnt == SIM_RUNNING)
				abort();
			snapshot->xip[snapshot->xcnt++] = xid;
			snapshot->xmin = xid;
		}
}

/*
 * Store the start of a tick instead of its least ID: the simulation compares the answers
 * of T_horizon() with ticks.
 */
void
flake_least(const FlakeFormat *format pg_attribute_unused(), int64 us, uint8 *id)
{
	memcpy(id, &us, sizeof(us));
}

/* ---------- the state ---------- */

/* Begin without transactions: the cluster is new. */
void
transactions_begin(void)
{
	server.transactions_count = 0;
	memset(PreparedXactProcs, 0, sizeof(PreparedXactProcs));
	for (int i = 0; i < max_prepared_xacts; i++)
		PreparedXactProcs[i].pgxactoff = i;
	memset(prepared_xids, 0, sizeof(prepared_xids));
}

void
transactions_state(int sessions)
{
	state_piece(active, sizeof(active[0]) * sessions, NULL);
	state_piece(PreparedXactProcs, sizeof(PreparedXactProcs), NULL);
	state_piece(prepared_xids, sizeof(prepared_xids), NULL);
}

/* The server has stopped: all transactions that ran are rolled back, except prepared ones. */
void
transactions_lost(void)
{
	for (TransactionId xid = FirstNormalTransactionId; xid < next_xid(); xid++)
	{
		transaction(xid)->locked = false;
		if (!transaction(xid)->prepared || transaction(xid)->committed)
			transaction_stop(xid);
	}
}
