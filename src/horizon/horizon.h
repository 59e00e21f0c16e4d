/*
 * horizon.h
 *		Which IDs may still become visible.
 *
 * The words of shared memory that this folder uses; README.md has the rules that their order
 * keeps.  Nothing guards them but that order, except where a lock is named.
 *
 *	word					written by				read by
 *	FlakeSession
 *	  database				its session, before it	readers
 *							announces
 *	  announced				its session: before it	readers, after the floor
 *							uses a lease; 0 at the
 *							transaction's end
 *	  values				its session: before it	readers, after the
 *							draws; empty at the		sequence's last value
 *							transaction's end
 *	  drawing_since			its session, before		views.c
 *							"values"
 *	  reserved				its session				its session
 *	FlakeDatabase
 *	  floor_tick			readers raise it, a		whoever announces, after
 *							reset lowers it: lock	announcing; readers
 *	  mark, mark_at_start	mark/					readers, to stay below
 *	  prepared				whoever prepares, and	readers, after the sessions
 *							frees it after a note
 *	  notes, and those of values:
 *		next_place			whoever leaves a note,	readers, before the notes
 *							first
 *		note				whoever has committed;	readers, last
 *							cleared under lock
 *		lost, lost_next		whoever leaves a note,	readers, after the notes
 *							before it overwrites one
 *	  sequences				whoever draws or asks	everybody
 *							first, by compare-and-swap
 *		prepared			whoever prepares, in	readers, with "prepared"
 *							the entry it reserved
 *		floors				readers raise them;		whoever has a value,
 *							added to under lock		after announcing it
 *	  known_since			raised only				readers, after a note that is
 *													not there
 *	  made_in_recovery		shmem.c; 0 after a		whoever reads known_since,
 *							promotion				before that
 *	  notes_since			lock, after the notes	whoever leaves a note or looks
 *							were cleared			for one, before that
 *	  late_ids				late.c					views.c
 *	  horizon_asked			readers, once			views.c
 *
 * Where memory is weakly ordered, these pairs keep the order.  (Taking and releasing a lock are
 * full barriers.)
 *
 * - announced and floor: a session writes its announcement and then reads the floor; a reader
 *   raises the floor, or finds it raised, and then reads the announcements.  Both have a full
 *   barrier in between, so they cannot both miss the other's write, even if a third session
 *   raised the floor.  A session that has announced enough had its barrier then.
 * - announced, prepared and notes: the note is swapped in, or the entry filled in, before a full
 *   barrier and the end of the announcement.  A reader that misses the announcement has a read
 *   barrier before the entries and another one before the notes, so it finds one of them, and
 *   the transaction's ID is below the next one, which the reader reads later, under a lock.
 * - prepared: the announcement is written before the transaction ID, and read after it.  If the
 *   entry is freed and filled in again in between, the reader pairs the first transaction with
 *   the second one's instant; but the first one's note was left before, and is read later.
 *   Both notes of a transaction count, so a reader that ends an entry a second time does no
 *   harm.
 * - notes: whoever leaves one reserves its place, writes the instant, and then the transaction.
 *   Readers read the transaction last, so it has left its note in the place of the instant or
 *   later.  One whose note is not ready has not withdrawn its announcement, nor freed its entry.
 * - note and lost: lost and lost_next are raised before a place is reserved, and read after the
 *   notes.
 * - values: an announcement is written as stamp 0, value, stamp, and then its position is
 *   published in "range", after the ring if that is a new one.  Readers read the range, the ring, and
 *   then stamp, value, stamp: another position, or 0, is another transaction's.  The lock of the
 *   sequence's page is a full barrier between a draw's announcement and the reader's look.
 * - note, lost and known_since: known_since is raised before the others are cleared, and
 *   read after them.
 *
 * An announcement that is withdrawn late, or read late, only holds the horizon back for longer.
 */
#ifndef FLAKE_HORIZON_H
#define FLAKE_HORIZON_H

#include "mark/mark.h"

#include "utils/snapshot.h"

#pragma GCC visibility push(hidden)

/* ---------- seq_ring.c ---------- */

extern bool flake_show_value(FlakeValues *values, uint32 *n, Oid *sequence, int64 *value);

/* ---------- notes.c ---------- */

extern void flake_forget_recovery(void);
extern FlakeValues *flake_prepared_values(const FlakePrepared *prepared);
extern TransactionId flake_unlisted_prepared(int i, Snapshot snapshot);

/* ---------- id_announce.c ---------- */

extern void flake_refuse_worker(const char *name);
extern bool flake_announce(const FlakeFormat *format, unsigned timeline, uint64 tick);
extern bool flake_in_time(const FlakeFormat *format, int64 us, int64 *passed);

/* ---------- seq_floors.c ---------- */

extern bool flake_is_asked(Oid sequence);
extern void flake_forget_noticed(FlakeFloor *floor);
extern FlakeFloor *flake_next_floor(FlakeFloor *floor, int *bucket);

/* ---------- answer.c ---------- */

extern void flake_horizon(const FlakeFormat *format, uint8 *id);

/* ---------- subscribed.c ---------- */

extern const char *flake_subscription_of(Oid table);

#pragma GCC visibility pop

#endif							/* FLAKE_HORIZON_H */
