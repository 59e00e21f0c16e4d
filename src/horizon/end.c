/*
 * end.c
 *		The end of a transaction that has announced something: it leaves its notes, and only then
 *		withdraws its announcements.
 */
#include "horizon/reader.h"

#include "access/transam.h"
#include "access/xact.h"

/* How many transactions of this session that announced something have ended. */
uint64		flake_ended = 0;

/* Has the one that is open announced something? */
static bool watched = false;

/*
 * The transaction has ended, and other sessions already see its rows.  Leave a note, and then
 * withdraw the announcement.  Without a transaction ID nothing was written, and nobody ever sees
 * what was rolled back.  The next transaction must announce again, so it must not start with the
 * lease in use.
 */
static void
end_of_transaction(XactEvent event, void *arg pg_attribute_unused())
{
	FullTransactionId xid = GetTopFullTransactionIdIfAny();
	FlakeValues *values;
	uint64		announced;
	bool		noted = false;

	if (flake_db == NULL || !watched)
		return;
	values = &flake_session->values;
	announced = pg_atomic_read_u64(&flake_session->announced);
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PARALLEL_PRE_COMMIT:
			return;
		case XACT_EVENT_PRE_PREPARE:
			flake_end_finished();
			flake_reserve_entry(XidFromFullTransactionId(xid));
			return;
		case XACT_EVENT_PREPARE:
			flake_list_prepared(XidFromFullTransactionId(xid), announced);
			break;
		case XACT_EVENT_COMMIT:
			if (FullTransactionIdIsValid(xid))
			{
				flake_clear_worn_notes(U64FromFullTransactionId(xid));
				flake_leave_notes(XidFromFullTransactionId(xid), announced, values, (uint32) (flake_session - flake->sessions));
				noted = true;
				if (flake_may_draw_any(values))
					flake_forget_before(U64FromFullTransactionId(ReadNextFullTransactionId()));
			}
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_PARALLEL_ABORT:
			flake_release_entry();
			break;
	}
	flake_injection_point("flakeid-horizon-noted");
	if (announced != 0)
		flake_leave_lease();
	pg_memory_barrier();
	if (announced != 0)
		pg_atomic_write_u64(&flake_session->announced, 0);
	if (!flake_is_empty(values))
		flake_empty_values(values, noted);
	watched = false;
	flake_ended++;
}

/* Have the end of the transaction noted, before it announces anything. */
void
flake_watch_transaction(void)
{
	static bool registered = false;

	if (!registered)
		RegisterXactCallback(end_of_transaction, NULL);
	registered = true;
	watched = true;
}
