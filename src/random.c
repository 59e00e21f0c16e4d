/*
 * random.c
 *		Random bits for IDs that nobody may guess.
 */
#include "flakeid.h"

#include <time.h>

#include "miscadmin.h"

/* The clock tells their age, in milliseconds, which at least Linux has at a fifth of the price. */
#ifdef CLOCK_REALTIME_COARSE
#define FLAKE_RANDOM_CLOCK		CLOCK_REALTIME_COARSE
#else
#define FLAKE_RANDOM_CLOCK		CLOCK_REALTIME
#endif
#define FLAKE_RANDOM_AGE_MS		1000

/*
 * Random bytes for the next IDs, as the system's generator takes twenty times as
 * long for a call as an ID takes without it.  They are this process's own, drawn
 * after it was forked, and not for long: the copy of a virtual machine woken from
 * a snapshot must not go on with the same ones.
 */
typedef struct FlakeRandom
{
	int			pid;			/* who drew them */
	int64		drawn;			/* when, in ms */
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

/* Return 64 bits that nobody has seen nor will see again. */
uint64
flake_random(void)
{
	struct timespec clock;
	int64		now;
	uint64		bits;

	clock_gettime(FLAKE_RANDOM_CLOCK, &clock);
	now = (int64) clock.tv_sec * 1000 + clock.tv_nsec / 1000000;
	if (unlikely(buffer.pid != MyProcPid || buffer.used == lengthof(buffer.words) ||
				 (uint64) (now - buffer.drawn) > FLAKE_RANDOM_AGE_MS))
		draw(now);
	bits = buffer.words[buffer.used];
	buffer.words[buffer.used++] = 0;
	return bits;
}
