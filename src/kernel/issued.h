/*
 * issued.h
 *		The intervals in which a database has issued IDs; issued.c.
 */
#ifndef FLAKE_ISSUED_H
#define FLAKE_ISSUED_H

#include "kernel/tick.h"

#include <string.h>

#pragma GCC visibility push(hidden)

/* The instants from .. to - 1, in us; empty if to <= from. */
typedef struct FlakeInterval
{
	int64_t		from;
	int64_t		to;
} FlakeInterval;

/* How far ahead of the IDs a mark is moved. */
#define FLAKE_LEAD_US		(2 * FLAKE_US_PER_SECOND)

/*
 * A mark is moved when the IDs are this close to it.  (The lead must be less than
 * flakeid.max_ahead, or a format that can only go ahead made no IDs right after a crash.)
 */
#define FLAKE_NEAR_US		(1 * FLAKE_US_PER_SECOND)

/* How many intervals a database remembers: six leave one free after four clock incidents in a row. */
#define FLAKE_INTERVALS	6

/*
 * The intervals in which IDs of a kind count as issued, ascending and disjoint; 0 is the
 * beginning of time.  The end of the current one is the mark; it alone may be empty, and is
 * [0, 0) before the first ID.  Unused members are zero, because values are compared as bytes.
 */
typedef struct FlakeIssued
{
	int32_t		count;
	int32_t		current;		/* index in "at" */
	/* The last element is used only while a function changes the value. */
	FlakeInterval at[FLAKE_INTERVALS + 1];
} FlakeIssued;

/* The mark: ticks that start before it may be issued. */
static inline int64_t
flake_mark_of(const FlakeIssued *issued)
{
	return issued->at[issued->current].to;
}

static inline bool
flake_issued_equal(const FlakeIssued *a, const FlakeIssued *b)
{
	return memcmp(a, b, sizeof(FlakeIssued)) == 0;
}

/* What a reset of the clock does to what was issued. */
typedef struct FlakeIssuedPlan
{
	FlakeIssued issued;			/* afterwards */
	bool		lower;			/* the mark is lowered */
	bool		write;			/* the value changes */
	/* A gap above that counts as issued from now on; from = to: none. */
	FlakeInterval lost;
} FlakeIssuedPlan;

extern FlakeIssued flake_issued_before(int64_t us);
extern int64_t flake_issued_until(const FlakeIssued *issued, int64_t us);
extern const FlakeInterval *flake_issued_at(const FlakeIssued *issued, int64_t us);
extern bool flake_issued_advance(FlakeIssued *issued, int64_t us, int64_t elapsed, int64_t *floor);
extern int64_t flake_issued_add(FlakeIssued *issued, FlakeInterval other);
extern int64_t flake_issued_add_all(FlakeIssued *issued, const FlakeIssued *others);
extern bool flake_issued_includes(const FlakeIssued *issued, const FlakeIssued *others);
extern int64_t flake_issued_adopt(FlakeIssued *issued, int64_t us);
extern bool flake_issued_reset(const FlakeIssued *issued, int64_t us, bool force, FlakeIssuedPlan *plan);

#pragma GCC visibility pop

#endif							/* FLAKE_ISSUED_H */
