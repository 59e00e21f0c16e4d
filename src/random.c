/*
 * random.c
 *		Random bits for IDs that nobody may guess.
 */
#include "flakeid.h"

#include "miscadmin.h"

/* How old the bytes may get, in microseconds. */
#define FLAKE_RANDOM_AGE_US		FLAKE_US_PER_SECOND

/*
 * Random bytes for the next IDs, as the system's generator takes twenty times as
 * long for a call as an ID takes without it.  They are this process's own, drawn
 * after it was forked, and not for long: the copy of a virtual machine woken from
 * a snapshot must not go on with the same ones.
 */
typedef struct FlakeRandom
{
	int			pid;			/* who drew them */
	int64		drawn;			/* when, by the clock */
	uint32		used;			/* how many words */
	uint64		words[512];
} FlakeRandom;

static FlakeRandom buffer;

static pg_noinline void
draw(int64 now)
{
	/* a child of the postmaster must not inherit what others inherit too */
	Assert(IsUnderPostmaster || !IsPostmasterEnvironment);

	buffer.pid = 0;				/* should drawing fail */
	if (!pg_strong_random(buffer.words, sizeof(buffer.words)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	buffer.pid = MyProcPid;
	buffer.drawn = now;
	buffer.used = 0;
}

/*
 * Return 64 bits that nobody has seen nor will see again.  "now" is the clock, in
 * us; the tick of an ID just made will do.
 */
uint64
flake_random(int64 now)
{
	uint64		bits;

	if (unlikely(buffer.pid != MyProcPid || buffer.used == lengthof(buffer.words) ||
				 now < buffer.drawn || now - buffer.drawn > FLAKE_RANDOM_AGE_US))
		draw(now);
	bits = buffer.words[buffer.used];
	buffer.words[buffer.used++] = 0;
	return bits;
}
