/*
 * feeds.c
 *		Readers that follow the IDs: what transactions write and commit, and what
 *		T_horizon() has answered.
 *
 * This must hold: if a row has an ID below an answer of T_horizon(), the statement that
 * got the answer sees the row, or no statement ever does.  It is checked when a row is
 * committed, against all answers so far, and when a statement gets its answer, against all
 * rows that were committed after its snapshot.
 */
#include "schedule.h"

#define ROWS			800		/* in one schedule */

/* An ID that a transaction has written somewhere. */
typedef struct Row
{
	enum
	{
		ROW_OPEN,				/* the backend's transaction goes on */
		ROW_PREPARED,
		ROW_COMMITTED,
		ROW_GONE				/* rolled back */
	}			state;
	int			database;
	int			backend;
	FlakeFormatId format;
	uint64		tick;			/* of the ID, or the value */
	int			sequence;		/* that the value is of, plus one; 0: it has
								 * an ID */
	TransactionId xid;
} Row;

static Row	rows[ROWS];
static int	rows_count;

/* The highest answers.  No row with an ID below them becomes visible. */
static uint64 answered[SIM_DATABASES][FLAKE_FORMATS];
static int64 answered_value[SIM_DATABASES][SIM_SEQUENCES];

void
feeds_begin(void)
{
	rows_count = 0;
	memset(answered, 0, sizeof(answered));
	memset(answered_value, 0, sizeof(answered_value));
}

void
feeds_state(void)
{
	state_piece(rows, sizeof(rows[0]), &rows_count);
	state_piece(&rows_count, sizeof(rows_count), NULL);
	state_piece(answered, sizeof(answered), NULL);
	state_piece(answered_value, sizeof(answered_value), NULL);
}

/*
 * The clock was reset: horizons go back in time, and readers must go back, too.  Answers
 * given during the reset no longer count.
 */
void
feeds_reset(int database)
{
	memset(answered[database], 0, sizeof(answered[database]));
}

/* Return whether the schedule may go on: the lists of rows and transactions have space. */
bool
feeds_have_space(void)
{
	return rows_count < ROWS - 20 && server.transactions_count < SIM_XIDS - 20;
}

/* A transaction becomes visible: check its rows. */
static void
commit_rows(TransactionId xid)
{
	for (int i = 0; i < rows_count; i++)
		if (rows[i].xid == xid && (rows[i].state == ROW_OPEN || rows[i].state == ROW_PREPARED))
		{
			rows[i].state = ROW_COMMITTED;
			if (rows[i].sequence != 0)
			{
				if ((int64) rows[i].tick < answered_value[rows[i].database][rows[i].sequence - 1])
					sim_fault("a row with value %ld of sequence %d becomes visible below the horizon %ld", (long) rows[i].tick,
							  rows[i].sequence - 1, (long) answered_value[rows[i].database][rows[i].sequence - 1]);
			}
			else if (resets_active[rows[i].database] == 0 && rows[i].tick < answered[rows[i].database][rows[i].format])
				sim_fault("a row of %s, tick %ld, becomes visible below the horizon %ld", flake_formats[rows[i].format]->name,
						  (long) rows[i].tick, (long) answered[rows[i].database][rows[i].format]);
		}
}

static void
drop_rows(TransactionId xid)
{
	for (int i = 0; i < rows_count; i++)
		if (rows[i].xid == xid && rows[i].state != ROW_COMMITTED)
			rows[i].state = ROW_GONE;
}

/* End a transaction in the server's order: decide the outcome, then tell new snapshots. */
static void
finish(TransactionId xid, bool commit)
{
	sim_point();
	if (commit)
		sequences_flush();
	transaction_decide(xid, commit);
	sim_point();
	transaction_stop(xid);
	if (commit)
		commit_rows(xid);
	else
		drop_rows(xid);
}

/* Finish a prepared transaction of this age or more, if there is one. */
static void
finish_prepared(uint32 age, bool commit)
{
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		TransactionId xid = ProcGlobal->xids[i];

		if (xid == InvalidTransactionId || transaction_age(xid) < age || !transaction_lock(xid))
			continue;
		trace("prepared transaction %u %s", xid, commit ? "is committed" : "is rolled back");
		finish(xid, commit);
		ProcGlobal->xids[i] = InvalidTransactionId;
		return;
	}
}

/* In a backend's coroutine: finish any prepared transaction, if there is one. */
void
feed_finish_prepared(bool commit)
{
	finish_prepared(0, commit);
}

/*
 * Give the backend's transaction an ID, if it has none, as its first write does.  None is
 * prepared, or stays so, when it is old: the server would assign no ID otherwise.
 */
void
feed_write(Backend *backend)
{
	if (backend->feed_xid != InvalidTransactionId)
		return;
	finish_prepared(PREPARED_LAST, once_in(2));
	backend->feed_xid = transaction_assign();
}

/* Before a transaction makes an ID: it may write something first, or only write the ID. */
void
feed_before(Backend *backend)
{
	if (once_in(3))
		feed_write(backend);
}

/* The backend's transaction has made an ID and will write it. */
void
feed_row(Backend *backend, const FlakeFormat *format, const FlakeTicket *ticket)
{
	Row			row = {ROW_OPEN, backend->database, backend->index, flake_generator_of(format)->id, ticket->tick, 0, InvalidTransactionId};

	if (rows_count == ROWS)
		abort();
	rows[rows_count++] = row;
	trace("row %s tick %ld", format->name, (long) ticket->tick);
}

/* The backend's transaction has drawn a value and will write it. */
void
feed_drawn(Backend *backend, int sequence, int64 value)
{
	Row			row = {ROW_OPEN, backend->database, backend->index, 0, (uint64) value, sequence + 1, InvalidTransactionId};

	if (rows_count == ROWS)
		abort();
	rows[rows_count++] = row;
	trace("row of sequence %d: %ld", sequence, (long) value);
}

/*
 * The server has stopped.  What was decided counts, even if new snapshots did not yet
 * know of it.  The other transactions are gone, except the prepared ones.
 */
void
feeds_stop(void)
{
	for (int i = 0; i < rows_count; i++)
		if (rows[i].state == ROW_OPEN && (rows[i].xid == InvalidTransactionId || !transaction_committed(rows[i].xid)))
			rows[i].state = ROW_GONE;
	for (int i = 0; i < rows_count; i++)
		if ((rows[i].state == ROW_OPEN || rows[i].state == ROW_PREPARED) && transaction_committed(rows[i].xid))
			commit_rows(rows[i].xid);
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		TransactionId xid = ProcGlobal->xids[i];

		if (xid != InvalidTransactionId && !transaction_running(xid))
		{
			drop_rows(xid);
			ProcGlobal->xids[i] = InvalidTransactionId;
		}
		PreparedXactProcs[i].xid = ProcGlobal->xids[i];
	}
}

/*
 * Give the rows that the backend's transaction has written its ID, which it gets now if
 * there are any.
 */
static void
own_rows(Backend *backend)
{
	bool		any = false;

	for (int i = 0; i < rows_count; i++)
		if (rows[i].state == ROW_OPEN && rows[i].backend == backend->index)
			any = true;
	if (any)
		feed_write(backend);
	for (int i = 0; i < rows_count && any; i++)
		if (rows[i].state == ROW_OPEN && rows[i].backend == backend->index)
			rows[i].xid = backend->feed_xid;
}

static PGPROC *
free_proc(void)
{
	for (int i = 0; i < max_prepared_xacts; i++)
		if (ProcGlobal->xids[i] == InvalidTransactionId)
			return &PreparedXactProcs[i];
	return NULL;
}

/* In a backend's coroutine: end its transaction. */
void
feed_end(Backend *backend, FeedEnd end)
{
	PGPROC	   *proc;

	own_rows(backend);
	if (end == FEED_PREPARE && (free_proc() == NULL ||
								(backend->feed_xid != InvalidTransactionId && transaction_age(backend->feed_xid) > PREPARED_LAST)))
		end = FEED_ROLL_BACK;
	trace("transaction %u %s", backend->feed_xid, end == FEED_COMMIT ? "commits" : end == FEED_PREPARE ? "is prepared" : "rolls back");
	switch (end)
	{
		case FEED_COMMIT:
			call_xact_callbacks(backend, XACT_EVENT_PRE_COMMIT);
			if (backend->feed_xid != InvalidTransactionId)
				finish(backend->feed_xid, true);
			call_xact_callbacks(backend, XACT_EVENT_COMMIT);
			break;
		case FEED_ROLL_BACK:
			if (backend->feed_xid != InvalidTransactionId)
				finish(backend->feed_xid, false);
			call_xact_callbacks(backend, XACT_EVENT_ABORT);
			break;
		case FEED_PREPARE:
			feed_write(backend);
			call_xact_callbacks(backend, XACT_EVENT_PRE_PREPARE);
			proc = free_proc();
			if (proc == NULL)
			{
				/* Another backend was faster. */
				finish(backend->feed_xid, false);
				call_xact_callbacks(backend, XACT_EVENT_ABORT);
				break;
			}
			proc->xid = ProcGlobal->xids[proc->pgxactoff] = backend->feed_xid;
			proc->databaseId = database_oid(backend->database);
			transaction_prepare(backend->feed_xid);
			for (int i = 0; i < rows_count; i++)
				if (rows[i].state == ROW_OPEN && rows[i].backend == backend->index)
					rows[i].state = ROW_PREPARED;
			call_xact_callbacks(backend, XACT_EVENT_PREPARE);
			transaction_unlock(backend->feed_xid);
			break;
	}
	backend->feed_xid = InvalidTransactionId;
	/* The snapshot ends with the transaction. */
	backend->has_snapshot = false;
	backend->sequences_used = backend->sequences_asked = 0;
}

/* The backend has exited, or an error has ended its transaction. */
void
feed_abort(Backend *backend)
{
	if (kind != NULL && !kind->feeds)
		return;
	for (int i = 0; i < rows_count; i++)
		if (rows[i].state == ROW_OPEN && rows[i].backend == backend->index)
			rows[i].state = ROW_GONE;
	if (backend->feed_xid != InvalidTransactionId)
		transaction_stop(backend->feed_xid);
	backend->feed_xid = InvalidTransactionId;
	/* The snapshot ends with the transaction. */
	backend->has_snapshot = false;
	backend->sequences_used = backend->sequences_asked = 0;
}

/*
 * In a backend's coroutine: ask for the horizon, with a new snapshot or, to "keep" it,
 * with that of the poll before.
 */
void
feed_poll(Backend *backend, const FlakeFormat *format, bool keep)
{
	int64		us;
	uint64		tick;
	uint8		id[FLAKE_MAX_BYTES];

	if (!keep || !backend->has_snapshot)
		snapshot_take();
	backend->has_snapshot = true;
	if (server.publishing)
		us = backend->library.own_horizon(format);
	else
	{
		backend->library.horizon(format, id);
		memcpy(&us, id, sizeof(us));
	}
	tick = us < format->rate.epoch_us ? 0 : flake_tick_of(&format->rate, us);
	trace("horizon of %s: %ld", format->name, (long) tick);
	if (reset_stamp(backend->database) != jobs[backend->index].resets)
		return;
	for (int i = 0; i < rows_count; i++)
		if (rows[i].state == ROW_COMMITTED && rows[i].database == backend->database &&
			rows[i].sequence == 0 && rows[i].format == format->id && rows[i].tick < tick &&
			snapshot_lacks(rows[i].xid, GetActiveSnapshot()))
			sim_fault("a statement does not see a row of %s, tick %ld, below its horizon %ld",
					  format->name, (long) rows[i].tick, (long) tick);
	answered[backend->database][format->id] = Max(answered[backend->database][format->id], tick);
	count.polls++;
	count.waiting += tick == 0;
}

/* In a backend's coroutine: ask for the horizon of a sequence, as feed_poll() does. */
void
feed_poll_sequence(Backend *backend, int sequence, bool keep)
{
	FunctionCallInfoBaseData call = {.args = {SIM_SEQUENCE + (Oid) sequence}};
	int64		value;

	if (!keep || !backend->has_snapshot)
		snapshot_take();
	backend->has_snapshot = true;
	value = (int64) backend->library.sequence_horizon(&call);
	trace("horizon of sequence %d: %ld", sequence, (long) value);
	for (int i = 0; i < rows_count; i++)
		if (rows[i].state == ROW_COMMITTED && rows[i].database == backend->database &&
			rows[i].sequence == sequence + 1 && (int64) rows[i].tick < value &&
			snapshot_lacks(rows[i].xid, GetActiveSnapshot()))
			sim_fault("a statement does not see a row with value %ld of sequence %d below its horizon %ld",
					  (long) rows[i].tick, sequence, (long) value);
	answered_value[backend->database][sequence] = Max(answered_value[backend->database][sequence], value);
	count.polls++;
	count.waiting += value == PG_INT64_MIN;
}

/* Check that the horizon has got to the last value: no transaction is under way. */
void
feed_check_sequence(const Backend *backend, int sequence)
{
	int64		last = server.sequences[backend->database][sequence].last;

	if (answered_value[backend->database][sequence] < last + 1)
		sim_fault("the horizon of sequence %d stays behind, at %ld instead of %ld", sequence,
				  (long) answered_value[backend->database][sequence], (long) last + 1);
}

/* Check that the horizon reaches the clock or the mark: no transaction is under way. */
void
feed_check_free(Backend *backend, const FlakeFormat *format)
{
	int64		now = server.now;
	const FlakeDatabase *db;
	int64		mark = INT64_MAX;
	uint64		tick;

	feed_poll(backend, format, false);
	db = database_memory(backend->database);
	for (unsigned timeline = 0; timeline <= (unsigned) format->tick_tock; timeline++)
		mark = Min(mark, (int64) db->mark[flake_mark_kind(format, timeline)].value);
	tick = flake_closing_tick(&format->rate, now, mark);
	if (answered[backend->database][format->id] < tick)
		sim_fault("the horizon of %s stays behind, at %ld instead of %ld", format->name,
				  (long) answered[backend->database][format->id], (long) tick);
}
