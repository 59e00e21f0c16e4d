/*
 * sequences.c
 *		Sequences: instead of seq_page.c and of the server's nextval().
 *
 * A draw writes a record of the WAL when it goes beyond what the last one covers, which is one
 * value more than was drawn.  A crash leaves the sequence where the flushed WAL has it.
 */
#include "server.h"

static SimSequence *
sequence_of(Oid oid)
{
	return &server.sequences[self->database][oid - SIM_SEQUENCE];
}

static int
number_of(Relation relation)
{
	return (int) (relation->oid - SIM_SEQUENCE);
}

/* Create the sequences of all databases. */
void
sequences_create(void)
{
	memset(server.sequences, 0, sizeof(server.sequences));
	for (int d = 0; d < SIM_DATABASES; d++)
		for (int i = 0; i < SIM_SEQUENCES; i++)
		{
			server.sequences[d][i].relation.oid = SIM_SEQUENCE + i;
			server.sequences[d][i].relation.rd_locator.relNumber = 1;
			server.sequences[d][i].rises = true;
		}
}

/* The server has stopped. */
void
sequences_lost(void)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		for (int i = 0; i < SIM_SEQUENCES; i++)
			server.sequences[d][i].last = server.sequences[d][i].logged = server.sequences[d][i].durable;
}

/* A transaction commits: all that was written before is on disk. */
void
sequences_flush(void)
{
	for (int d = 0; d < SIM_DATABASES; d++)
		for (int i = 0; i < SIM_SEQUENCES; i++)
			server.sequences[d][i].durable = server.sequences[d][i].logged;
}

/* Is the sequence locked by another session? */
static bool
locked_by_another(int number)
{
	for (int i = 0; i < SIM_BACKENDS; i++)
		if (i != self->index && backends[i].database == self->database && backends[i].state != BACKEND_GONE &&
			((backends[i].sequences_used | backends[i].sequences_asked) >> number & 1) != 0)
			return true;
	return false;
}

/*
 * ALTER SEQUENCE ... CACHE 1, committed at once.  (It waits for all who have the lock: here it does
 * nothing then.)
 */
bool
sequence_alter(int number)
{
	SimSequence *sequence = &server.sequences[self->database][number];

	sim_point();
	if (locked_by_another(number))
		return false;
	sequence->changed = transaction_assign();
	sequence->rises = true;
	sequence->relation.rd_locator.relNumber++;
	transaction_decide(sequence->changed, true);
	transaction_stop(sequence->changed);
	return true;
}

/* ---------- instead of seq_page.c ---------- */

Relation
flake_sequence_open(Oid oid, Oid role pg_attribute_unused(), bool *used)
{
	sim_point();
	*used = (self->sequences_used >> (oid - SIM_SEQUENCE) & 1) != 0;
	self->sequences_used |= 1 << (oid - SIM_SEQUENCE);
	return &sequence_of(oid)->relation;
}

Relation
relation_open(Oid oid, int mode pg_attribute_unused())
{
	return &sequence_of(oid)->relation;
}

Relation
flake_sequence_ask(Oid oid)
{
	sim_point();
	self->sequences_asked |= 1 << (oid - SIM_SEQUENCE);
	if (!sequence_of(oid)->rises)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the sequence has no horizon")));
	return &sequence_of(oid)->relation;
}

void
flake_sequence_close(Relation relation, bool keep_lock)
{
	if (!keep_lock)
		self->sequences_asked &= ~(1 << number_of(relation));
}

bool
flake_sequence_rises(Relation relation)
{
	return sequence_of(relation->oid)->rises;
}

bool
flake_sequence_ascends(Relation relation pg_attribute_unused())
{
	return true;
}

bool
flake_sequence_visible(Relation relation, Snapshot snapshot)
{
	TransactionId changed = sequence_of(relation->oid)->changed;

	return changed == InvalidTransactionId || !snapshot_lacks(changed, snapshot);
}

/* The lock on the page is a full barrier. */
int64
flake_sequence_last(Relation relation, XLogRecPtr *lsn)
{
	SimSequence *sequence = sequence_of(relation->oid);

	no_lwlock_held("sequence read");
	sim_point();
	sim_barrier();
	if (lsn != NULL)
		*lsn = (XLogRecPtr) number_of(relation) << 32 | (XLogRecPtr) sequence->logged;
	trace("last value %ld", (long) sequence->last);
	return sequence->last;
}

void
flake_sequence_flush(XLogRecPtr lsn)
{
	SimSequence *sequence = &server.sequences[self->database][lsn >> 32];

	no_lwlock_held("flushed");
	sim_point();
	sequence->durable = Max(sequence->durable, (int64) (uint32) lsn);
}

/* The next draw writes a record again. */
void
flake_sequence_log(Relation relation)
{
	SimSequence *sequence = sequence_of(relation->oid);

	no_lwlock_held("sequence logged");
	sim_point();
	sim_barrier();
	sequence->logged = sequence->last;
}

/* ---------- nextval() ---------- */

int64
nextval_internal(Oid oid, bool check_permissions pg_attribute_unused())
{
	SimSequence *sequence = sequence_of(oid);

	sim_point();
	sim_barrier();
	self->sequences_used |= 1 << (oid - SIM_SEQUENCE);
	sequence->last++;
	if (sequence->last > sequence->logged)
		sequence->logged = sequence->last + 1;
	trace("drawn %ld", (long) sequence->last);
	return sequence->last;
}

/* ---------- the answers that a session keeps: a hash of seq_horizon.c ---------- */

HTAB *
hash_create(const char *name pg_attribute_unused(), long elements pg_attribute_unused(),
			const HASHCTL *info, int flags pg_attribute_unused())
{
	if (info->entrysize > sizeof(self->answers.at[0]))
		abort();
	return &self->answers;
}

void *
hash_search(HTAB *table, const void *key, HASHACTION action, bool *found pg_attribute_unused())
{
	for (int i = 0; i < table->count; i++)
		if (memcmp(&table->at[i], key, sizeof(uint64)) == 0)
			return &table->at[i];
	if (action == HASH_FIND)
		return NULL;
	if (table->count == (int) lengthof(table->at))
		abort();
	memset(&table->at[table->count], 0, sizeof(table->at[0]));
	memcpy(&table->at[table->count], key, sizeof(uint64));
	return &table->at[table->count++];
}
