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
 * next is the first sequence number that is not yet leased in the tick; one past
 * the pool's maximum, for which n has an extra bit, means that the tick is exhausted.
 * One swap enters a new tick and starts its sequence: with two, another backend could
 * lease a sequence number of the old tick again in between.
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
 * What flake_step() decides on.  Read the word first, then the clock, the generation,
 * and only then the rest.  (A backend that read the timeline before the word could
 * swap a word of the new timeline for one with the old timeline's bit.)
 */
typedef struct FlakeView
{
	uint64_t	word;
	int64_t		now;			/* the clock */
	unsigned	timeline;		/* the one in force */
	/* No tick below it may be issued on this timeline. */
	uint64_t	floor;

	/*
	 * The database has decided to go ahead of the clock up to this tick.  0:
	 * it has not, or the clock has reached the tick.
	 */
	uint64_t	ahead_until;
	int64_t		mark;			/* ticks that start before it may be issued */

	/*
	 * For flake_regression(): everything on the other timeline is before this
	 * instant.
	 */
	int64_t		safe;
	int64_t		max_ahead;		/* how far a tick may be ahead of the clock */
	/* The pool: this database uses these sequence numbers. */
	uint32_t	min,
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
	/* Swap in "word"; then [next, end) of "tick" is ours. */
	FLAKE_LEASE,
	FLAKE_EXHAUSTED,			/* wait until the clock reads "until" */
	FLAKE_UNMARKED,				/* the mark must be moved past "tick" first */
	/* The clock is behind "tick": decide under the lock. */
	FLAKE_BEHIND,
	/* "tick" is beyond max_ahead: wait until the clock reads "until". */
	FLAKE_TOO_FAR,
	/* The clock or the next tick is outside the format's span. */
	FLAKE_OUT_OF_SPAN
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
 * The decision holds for the whole database: it is made under the database's lock, from
 * the word and the clock as read again there.
 */
typedef enum FlakeRegression
{
	/*
	 * The clock is no longer behind, or another session has decided: step
	 * again.
	 */
	FLAKE_REGRESSION_NONE,
	/* Wait for the next tick, until the clock reads "until". */
	FLAKE_REGRESSION_WAIT,
	/* Change to the other timeline, whose floor becomes "floor". */
	FLAKE_REGRESSION_TOGGLE,

	/*
	 * The other timeline is not safe: go ahead of the clock, at least to
	 * "ahead_until".
	 */
	FLAKE_REGRESSION_AHEAD,

	/*
	 * The other timeline is not safe, and the clock is too far behind to go
	 * ahead of it until it reads "until".
	 */
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
