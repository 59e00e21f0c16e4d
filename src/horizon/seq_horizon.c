/*
 * seq_horizon.c
 *		The horizon of a sequence for a snapshot.
 */
#include "horizon/reader.h"

#include "access/transam.h"
#include "access/xact.h"
#include "utils/hsearch.h"
#include "utils/rel.h"

/* The last answer of this session for a sequence.  In another file it begins anew. */
typedef struct SequenceAnswer
{
	uint64		key;			/* OID << 32 | file number */
	FlakeSnapshotAge age;
	int64		horizon;
} SequenceAnswer;

static SequenceAnswer *
last_answer(uint64 key, HASHACTION action)
{
	static HTAB *answers = NULL;

	if (answers == NULL)
	{
		HASHCTL		info = {.keysize = sizeof(uint64), .entrysize = sizeof(SequenceAnswer)};

		answers = hash_create("flakeid sequences", 16, &info, HASH_ELEM | HASH_BLOBS);
	}
	return hash_search(answers, &key, action, NULL);
}

/*
 * Return the horizon of a sequence for a snapshot: the least value that may still get a visible
 * row, or INT64_MIN while nobody knows.  Reports 55000 if the snapshot is too old or the
 * sequence has no horizon, and 42501 without the right to ask.
 *
 * The last value is read first.  Every transaction that has drawn a value up to it had announced
 * before.  Its WAL is flushed, or a crash would bring the value back.  The floor is raised for
 * transactions that announce a value later than they drew it.
 */
int64
flake_sequence_horizon_of(Oid oid, Snapshot snapshot)
{
	FlakeSnapshotAge age = {.xmax = snapshot->xmax, .running = snapshot->xcnt};
	FlakeReader look = {.snapshot = snapshot, .sequence = oid, .seen.announced = FLAKE_SEEN_NOTHING};
	SequenceAnswer *last;
	XLogRecPtr	lsn;
	int64		value;
	int64		next;
	uint64		key;
	Relation	sequence;

	flake_attach();
	flake_note_asking();
	look.notes = &flake_sequences()->notes;
	flake_forget_recovery();
	flake_clear_worn_notes(U64FromFullTransactionId(ReadNextFullTransactionId()));
	sequence = flake_sequence_ask(oid);
	if (!flake_sequence_visible(sequence, snapshot))
		flake_report_too_old(psprintf("sequence \"%s\"", RelationGetRelationName(sequence)), "The sequence was changed after the snapshot was taken.");
	flake_log_sequence(sequence);
	value = flake_sequence_last(sequence, &lsn);
	flake_sequence_flush(lsn);
	next = flake_next_value(value);
	flake_raise_floor(sequence, next);
	pg_memory_barrier();
	flake_injection_point("flakeid-horizon-closed");
	flake_look_at_all(&look);
	flake_watch_sequence(sequence, next, look.seen.announced != FLAKE_SEEN_NOTHING);
	key = (uint64) oid << 32 | flake_file_number(sequence);
	if (!look.seen.unknown || look.seen.lost)
	{
		last = last_answer(key, HASH_ENTER);
		last->age = age;
		last->horizon = flake_value_horizon(value, &look.seen);
	}
	else
	{
		last = last_answer(key, HASH_FIND);
		if (last == NULL || !flake_answer_holds(&last->age, &age))
			flake_report_too_old(psprintf("sequence \"%s\"", RelationGetRelationName(sequence)), "Too many transactions that drew from sequences have committed since it was taken.");
	}
	flake_sequence_close(sequence, false);
	return Min(last->horizon, next);
}
