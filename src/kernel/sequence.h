/*
 * sequence.h
 *		The generator's policy; sequence.c.
 */
#ifndef FLAKE_SEQUENCE_H
#define FLAKE_SEQUENCE_H

#include "kernel/format.h"

#pragma GCC visibility push(hidden)

/*
 * A generator is one 64-bit word that is only ever changed by compare-and-swap:
 *
 *		timeline:1 | tick:63 - n | next:n		n = sequence_bits + 1
 *
 * next is the first sequence number that is not yet leased in the tick; one past the pool's
 * maximum, for which n has an extra bit, means that the tick is exhausted.  One swap enters a
 * new tick and starts its sequence, so that no number of the old tick is leased in between.
 */
typedef struct FlakeWord
{
	unsigned	timeline;		/* 0 or 1; the tick-tock bit */
	uint64_t	tick;
	uint32_t	next;
} FlakeWord;

extern uint64_t flake_word(const FlakeFormat *format, FlakeWord word);
extern FlakeWord flake_unword(const FlakeFormat *format, uint64_t word);

/*
 * What flake_step() decides on.  Read the word first, then the clock, the generation, and only
 * then the rest.  With the timeline read before the word, a session could swap a word of the new
 * timeline for one with the old timeline's bit.
 */
typedef struct FlakeView
{
	uint64_t	word;
	int64_t		now;			/* the clock */
	unsigned	timeline;		/* the one in force */
	uint64_t	floor;			/* no tick below it may be issued on this
								 * timeline */
	/* The tick up to which the database goes ahead of the clock, or 0. */
	uint64_t	ahead_until;
	int64_t		mark;			/* ticks that start before it may be issued */
	/* Before it is everything on the other timeline: flake_regression(). */
	int64_t		safe;
	int64_t		max_ahead;		/* how far a tick may be ahead of the clock */
	uint32_t	min,			/* the pool of this database */
				max;
	/* An ID takes so many sequence numbers, aligned; a power of two. */
	uint32_t	stride;
} FlakeView;

/* What a waiting caller remembers between its steps; zero it before the first. */
typedef struct FlakePatience
{
	bool		exhausted;		/* "tick" was found exhausted ... */
	uint64_t	tick;
	uint64_t	clock_tick;		/* ... when the clock was at this tick */
} FlakePatience;

typedef enum FlakeVerdict
{
	FLAKE_LEASE,				/* swap in "word" for [next, end) of "tick" */
	FLAKE_EXHAUSTED,			/* wait until the clock reads "until" */
	FLAKE_UNMARKED,				/* the mark must be moved past "tick" first */
	FLAKE_BEHIND,				/* the clock is behind "tick":
								 * flake_regression() */
	FLAKE_TOO_FAR,				/* beyond max_ahead until the clock reads
								 * "until" */
	FLAKE_OUT_OF_SPAN			/* the clock or the next tick is */
} FlakeVerdict;

typedef struct FlakeStep
{
	uint64_t	word;			/* the word to swap in */
	uint64_t	tick;
	uint32_t	next,
				end;
	int64_t		until;
} FlakeStep;

extern FlakeVerdict flake_step(const FlakeFormat *format, const FlakeView *view, uint32_t want,
							   FlakePatience *patience, FlakeStep *step);
extern uint32_t flake_next_want(uint32_t want, bool busy, uint32_t min, uint32_t max);
extern bool flake_give_back(const FlakeFormat *format, uint64_t word, unsigned timeline,
							uint64_t tick, uint32_t next, uint32_t end, uint64_t *shorter);

/*
 * What to do about FLAKE_BEHIND, which flake_step() returns for tick-tock formats only.
 * The decision holds for the whole database, because it is made under the database's lock, from
 * the word and the clock as read again there.
 */
typedef enum FlakeRegression
{
	/* Step again: the clock has caught up, or another session has decided. */
	FLAKE_REGRESSION_NONE,
	/* Wait for the next tick, until the clock reads "until". */
	FLAKE_REGRESSION_WAIT,
	/* Change to the other timeline, whose floor becomes "floor". */
	FLAKE_REGRESSION_TOGGLE,
	/* The other timeline is not safe: go ahead to "ahead_until" or further. */
	FLAKE_REGRESSION_AHEAD,
	/* Neither is possible until the clock reads "until". */
	FLAKE_REGRESSION_TOO_FAR
} FlakeRegression;

typedef struct FlakeRegressed
{
	uint64_t	floor;
	uint64_t	ahead_until;
	uint64_t	tick;			/* the one that the clock is behind */
	int64_t		until;
} FlakeRegressed;

extern FlakeRegression flake_regression(const FlakeFormat *format, const FlakeView *v,
										FlakeRegressed *regressed);

/* The sequence of T_new_at: see new_at.c. */
extern uint32_t flake_roll_over(uint64_t count, uint32_t min, uint32_t max);
extern uint32_t flake_spread(uint32_t ordinal, uint32_t pool);

#pragma GCC visibility pop

#endif							/* FLAKE_SEQUENCE_H */
