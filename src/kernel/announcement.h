/*
 * announcement.h
 *		Announcements of IDs that may still become visible; announcement.c.
 */
#ifndef FLAKE_ANNOUNCEMENT_H
#define FLAKE_ANNOUNCEMENT_H

#include "kernel/tick.h"

#pragma GCC visibility push(hidden)

/* So many transactions, the last to commit, have each left a note, in the order of their turns. */
#define FLAKE_NOTE_BITS		11
#define FLAKE_NOTES			(1 << FLAKE_NOTE_BITS)

#define FLAKE_SEEN_NOTHING	UINT64_MAX

/* What a reader has found out about IDs, or values of a sequence, that its snapshot does not see. */
typedef struct FlakeSeen
{
	/*
	 * The least announcement that counts, or FLAKE_SEEN_NOTHING: us, or
	 * flake_value_rank().
	 */
	uint64_t	announced;
	/* A transaction may have made IDs whose announcement is lost. */
	bool		lost;
	/* A note that counts may have been overwritten. */
	bool		unknown;
} FlakeSeen;

/* Of the notes about values: how many sessions, or entries of the list, they tell apart, and how many positions in one. */
#define FLAKE_NOTE_SESSIONS	(UINT64_C(1) << 19)
#define FLAKE_NOTE_POSITIONS	(UINT64_C(1) << 25)

/* How old a snapshot is. */
typedef struct FlakeSnapshotAge
{
	/* To it, this transaction ID and later ones are still running ... */
	uint32_t	xmax;
	uint32_t	running;		/* ... and so many earlier ones */
} FlakeSnapshotAge;

extern uint64_t flake_announcement(uint64_t announced, int64_t us);
extern uint64_t flake_note(uint64_t place, uint64_t announced);
extern uint64_t flake_value_note(uint64_t place, uint32_t session, uint32_t position);
extern uint32_t flake_noted_session(uint64_t note);
extern uint32_t flake_noted_position(uint64_t note);
extern uint64_t flake_value_rank(int64_t value);
extern int64_t flake_ranked_value(uint64_t rank);
extern int64_t flake_value_horizon(int64_t last, const FlakeSeen *seen);
extern bool flake_is_noted(uint64_t note, uint64_t place);
extern uint64_t flake_noted(uint64_t note);
extern bool flake_notes_worn(uint64_t since, uint64_t at);
extern uint64_t flake_closing_tick(const FlakeRate *rate, int64_t now, int64_t mark);
extern uint64_t flake_horizon_tick(const FlakeRate *rate, uint64_t closed, int64_t mark,
								   const FlakeSeen *seen);
extern bool flake_answer_holds(const FlakeSnapshotAge *then, const FlakeSnapshotAge *now);

#pragma GCC visibility pop

#endif							/* FLAKE_ANNOUNCEMENT_H */
