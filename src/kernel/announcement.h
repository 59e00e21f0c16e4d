/*
 * announcement.h
 *		Announcements of IDs that may still become visible; announcement.c.
 */
#ifndef FLAKE_ANNOUNCEMENT_H
#define FLAKE_ANNOUNCEMENT_H

#include "kernel/tick.h"

#pragma GCC visibility push(hidden)

/* The last transactions to commit each leave a note, in the place that their transaction ID selects. */
#define FLAKE_NOTE_BITS		12
#define FLAKE_NOTES			(1 << FLAKE_NOTE_BITS)

typedef enum FlakeNoted
{
	FLAKE_NOTED_NOTHING,		/* it made no IDs, or has not committed */
	FLAKE_NOTED,				/* the note says what it announced */
	FLAKE_NOTED_LATER			/* nothing: a later transaction has the place */
} FlakeNoted;

#define FLAKE_SEEN_NOTHING	UINT64_MAX

/* What a reader has found out about IDs that its snapshot does not see. */
typedef struct FlakeSeen
{
	uint64_t	announced;		/* us: the earliest, or FLAKE_SEEN_NOTHING */
	bool		lost;			/* the announcement of some IDs may be lost */
	bool		unknown;		/* one that committed since may have made IDs */
} FlakeSeen;

/* How old a snapshot is. */
typedef struct FlakeSnapshotAge
{
	/* To it, this transaction ID and later ones are still running ... */
	uint32_t	xmax;
	uint32_t	running;		/* ... and so many earlier ones */
} FlakeSnapshotAge;

extern uint64_t flake_announcement(uint64_t announced, int64_t us);
extern uint64_t flake_note(uint64_t note, uint32_t xid, uint64_t announced);
extern uint32_t flake_note_lost(uint64_t note, uint32_t xid);
extern FlakeNoted flake_noted(uint64_t note, uint32_t xid, uint64_t *announced);
extern bool flake_notes_worn(uint64_t since, uint64_t at);
extern uint64_t flake_closing_tick(const FlakeRate *rate, int64_t now, int64_t mark);
extern void flake_see_no_note(FlakeSeen *seen, FlakeNoted noted, bool old, bool committed);
extern uint64_t flake_horizon_tick(const FlakeRate *rate, uint64_t closed, int64_t mark,
								   const FlakeSeen *seen);
extern bool flake_answer_holds(const FlakeSnapshotAge *then, const FlakeSnapshotAge *now);

#pragma GCC visibility pop

#endif							/* FLAKE_ANNOUNCEMENT_H */
