/*
 * turn.c
 *		The writer's turn: one session at a time changes the mark of a database, switches
 *		its timeline or resets its clock.
 */
#include "session/session.h"

#include "access/xact.h"
#include "storage/ipc.h"

/* How often a waiting session checks whether the turn is free, in us. */
#define TURN_SLEEP_US	1000

/* Return the value of FlakeDatabase.writer while this session has the turn. */
static uint32
mine(void)
{
	return (uint32) (flake_session - flake->sessions) + 1;
}

/* End the turn, if this session has it. */
void
flake_turn_end(void)
{
	if (flake_db != NULL && pg_atomic_read_u32(&flake_db->writer) == mine())
	{
		pg_write_barrier();
		pg_atomic_write_u32(&flake_db->writer, 0);
	}
}

/* The error that causes an abort may have ended a call that had the turn. */
static void
end_at_abort(XactEvent event, void *arg pg_attribute_unused())
{
	if (event == XACT_EVENT_ABORT || event == XACT_EVENT_PARALLEL_ABORT)
		flake_turn_end();
}

static void
end_at_subabort(SubXactEvent event, SubTransactionId id pg_attribute_unused(),
				SubTransactionId parent pg_attribute_unused(), void *arg pg_attribute_unused())
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		flake_turn_end();
}

static void
end_at_exit(int code pg_attribute_unused(), Datum arg pg_attribute_unused())
{
	flake_turn_end();
}

/*
 * Register the callbacks, once in a session and after flake_attach(), because exit callbacks run in
 * reverse order, so the turn ends before the session detaches from the database.
 */
static void
register_callbacks(void)
{
	static bool registered = false;

	if (registered)
		return;
	RegisterXactCallback(end_at_abort, NULL);
	RegisterSubXactCallback(end_at_subabort, NULL);
	before_shmem_exit(end_at_exit, (Datum) 0);
	registered = true;
}

/*
 * Take the turn.  Returns false if another session has it and "wait" is false; reports
 * 55000 if it still has it after flakeid.max_wait.
 */
bool
flake_turn_take(bool wait)
{
	int64		budget = (int64) flake_max_wait * 1000;

	register_callbacks();
	for (;;)
	{
		uint32		nobody = 0;

		if (pg_atomic_compare_exchange_u32(&flake_db->writer, &nobody, mine()))
			return true;
		if (!wait)
			return false;
		if (!flake_sleep(TURN_SLEEP_US, &budget))
		{
			int32		pid = nobody > 0 ? flake->sessions[nobody - 1].pid : 0;

			flake_count_refused(FLAKE_REFUSED_WRITING);
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("could not move the mark of flakeid within flakeid.max_wait (%s)",
							flake_ms_text(flake_max_wait)),
					 errdetail("Process %d has been writing it.", pid),
					 errhint("The disk of the write-ahead log may be slow or hang.")));
		}
	}
}
