/*
 * reader.h
 *		Reading the horizon.  Private to this folder.
 */
#ifndef FLAKE_READER_H
#define FLAKE_READER_H

#include "horizon/horizon.h"

#include "access/xlogdefs.h"
#include "commands/trigger.h"
#include "utils/relcache.h"

#pragma GCC visibility push(hidden)

/* ---------- seq_ring.c ---------- */

/* Where the last announcement of a transaction is that has ended. */
typedef struct FlakeNotedValues
{
	uint32		session;		/* its number: a place among the sessions, or
								 * beyond them an entry of the list */
	uint32		last;			/* the position */
} FlakeNotedValues;

extern bool flake_has_room(FlakeValues *values, uint32 more, uint32 size);
extern uint32 flake_add_value(FlakeValues *values, Oid sequence, int64 least);
extern void flake_change_value(FlakeValues *values, uint32 position, int64 least);
extern bool flake_is_empty(FlakeValues *values);
extern bool flake_may_draw_any(FlakeValues *values);
extern bool flake_copy_values(FlakeValues *from, FlakeValues *to);
extern bool flake_last_value(FlakeValues *values, uint32 *last);
extern uint64 flake_least_value(FlakeValues *values, Oid sequence, bool *any);
extern bool flake_noted_value(uint64 note, Oid sequence, uint64 *least);

/* ---------- notes.c ---------- */

extern void flake_forget_before(uint64 at);
extern void flake_clear_worn_notes(uint64 at);
extern void flake_leave_notes(TransactionId xid, uint64 announced, FlakeValues *values, uint32 number);
extern void flake_end_prepared(FlakePrepared *prepared, TransactionId xid, uint64 announced);
extern void flake_end_finished(void);
extern void flake_release_entry(void);
extern void flake_reserve_entry(TransactionId xid);
extern void flake_list_prepared(TransactionId xid, uint64 announced);

/* ---------- end.c ---------- */

extern uint64 flake_ended;

extern void flake_watch_transaction(void);

/* ---------- look.c ---------- */

/* A reader's question, and the answer so far. */
typedef struct FlakeReader
{
	Snapshot	snapshot;
	FlakeNotes *notes;
	Oid			sequence;		/* its values; InvalidOid: IDs */
	FlakeSeen	seen;
} FlakeReader;

extern void flake_look_at_all(FlakeReader *look);
extern void flake_note_asking(void);
pg_noreturn extern void flake_report_too_old(const char *whose, const char *why);

/* ---------- id_announce.c ---------- */

extern int64 flake_least_mark(const FlakeFormat *format);
extern uint64 flake_least_floor(const FlakeFormat *format);
extern void flake_look_up_mark(const FlakeFormat *format);
extern void flake_lead_with_mark(const FlakeFormat *format);

/* ---------- id_horizon.c ---------- */

extern uint64 flake_horizon_of(const FlakeFormat *format, Snapshot snapshot);

/* ---------- seq_page.c ---------- */

extern Relation flake_sequence_open(Oid oid, Oid role, bool *used);
extern void flake_sequence_allow(Oid oid);
extern Relation flake_sequence_ask(Oid oid);
extern void flake_sequence_close(Relation sequence, bool keep_lock);
extern bool flake_sequence_rises(Relation sequence);
extern bool flake_sequence_ascends(Relation sequence);
extern bool flake_sequence_visible(Relation sequence, Snapshot snapshot);
extern int64 flake_sequence_last(Relation sequence, XLogRecPtr *lsn);
extern void flake_sequence_log(Relation sequence);
extern void flake_sequence_flush(XLogRecPtr lsn);

/*
 * Return the least value that can be drawn after this one.  The least of all may not have been drawn
 * yet, because there is no value before it.
 */
static inline int64
flake_next_value(int64 last)
{
	return last > PG_INT64_MIN && last < PG_INT64_MAX ? last + 1 : last;
}

/* ---------- seq_floors.c ---------- */

extern void flake_log_sequence(Relation sequence);
extern void flake_raise_floor(Relation sequence, int64 value);
extern void flake_watch_sequence(Relation sequence, int64 next, bool announced);
extern void flake_announced_one(Oid sequence);
extern void flake_lower_floor(Relation sequence);
extern FlakeFloor *flake_ready_floor(Relation sequence);
extern int64 flake_passed_value(FlakeFloor *floor, Oid sequence);
extern bool flake_had_passed(Relation sequence, int64 *passed);
extern void flake_count_unannounced(Oid sequence);

/* ---------- seq_announce.c ---------- */

/* What this transaction has announced for a sequence. */
typedef struct FlakeDrawing
{
	Oid			sequence;
	uint32		file;			/* the sequence's, when it was announced; 0:
								 * look again */
	bool		kept;			/* false: there is nothing to announce, or no
								 * memory for it */
	uint32		position;		/* among the session's values */
	int64		least;			/* it draws no lower value */
} FlakeDrawing;

extern FlakeDrawing *flake_drawing(Oid sequence);
extern FlakeDrawing *flake_announce_value(Relation sequence, int64 least);
extern FlakeDrawing *flake_announce_nothing(Relation sequence);
extern void flake_announce_again(FlakeDrawing *mine);
extern FlakeDrawing *flake_announce_sequence(Oid oid, Oid role);
extern void flake_change_announced(FlakeDrawing *mine, int64 least);
extern int64 flake_draw_value(Oid sequence);
extern int64 flake_draw_announced(Oid sequence);

/* ---------- seq_late.c ---------- */

extern bool flake_value_in_time(Oid oid, Oid role, int64 value, int64 *passed);

/* ---------- seq_horizon.c ---------- */

extern int64 flake_sequence_horizon_of(Oid oid, Snapshot snapshot);

/* ---------- seq_follow.c ---------- */

/* The greatest number of sequences that a column's DEFAULT may use. */
#define FLAKE_FOLLOWED	8

/* The sequences of a trigger's column. */
typedef struct FlakeFollowed
{
	Oid			trigger;
	Oid			table;
	bool		named;			/* by an argument: any relation may get the
								 * name */
	bool		stale;			/* look again what has the name */
	int			count;
	Oid			sequence[FLAKE_FOLLOWED];
} FlakeFollowed;

extern const TriggerData *flake_trigger_data(FunctionCallInfo fcinfo, const char *function, bool row);
extern void flake_trigger_context(void *data);
extern Oid	flake_drawing_role(const FlakeFollowed *followed, Relation table);
extern FlakeFollowed flake_followed(Oid trigger, Relation table, const char *column, const char *name);

/* ---------- published.c ---------- */

extern void flake_check_publisher(void);
extern uint64 flake_published(const FlakeFormat *format, Snapshot snapshot);
extern int64 flake_sequence_published(Oid oid, Snapshot snapshot);

/* ---------- answer.c ---------- */

extern int64 flake_own_horizon(const FlakeFormat *format);
extern int64 flake_own_sequence_horizon(Oid sequence);

#pragma GCC visibility pop

#endif							/* FLAKE_READER_H */
