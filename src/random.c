/*
 * random.c
 *		Random bits for IDs that nobody may guess.
 */
#include "flakeid.h"

#include "miscadmin.h"

#define FLAKE_RANDOM_AGE_NS		UINT64_C(1000000000)

/*
 * Random bytes for the next IDs, as the system's generator takes twenty times as
 * long for a call as an ID takes without it, however few it is asked for.  They are
 * no easier to guess than if they were drawn one by one: they stay in this process's
 * own memory, which holds the server's secrets anyway, and each is wiped as it is
 * used, so that nobody who reads that memory later learns the IDs made before.  They
 * are drawn after the process was forked, and not for long: the copy of a virtual
 * machine woken from a snapshot must not go on with the same ones.
 */
typedef struct FlakeRandom
{
	int			pid;			/* who drew them */
	uint64		drawn;			/* when, in ns */
	uint32		used;			/* how many words */
	uint64		words[1024];
} FlakeRandom;

static FlakeRandom buffer;

static pg_noinline void
draw(uint64 now)
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
 * Return 64 bits that nobody has seen nor will see again.  "now" is what the clock
 * read lately, in ns modulo 2^64: it tells how old the bytes are, and whoever makes
 * an ID has read it already.  One caller's may be older than what they were drawn at
 * for another.
 */
uint64
flake_random(uint64 now)
{
	uint64		bits;

	if (unlikely(buffer.pid != MyProcPid || buffer.used == lengthof(buffer.words) ||
				 now - buffer.drawn + FLAKE_RANDOM_AGE_NS > 2 * FLAKE_RANDOM_AGE_NS))
		draw(now);
	bits = buffer.words[buffer.used];
	buffer.words[buffer.used++] = 0;
	return bits;
}
