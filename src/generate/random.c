/*
 * random.c
 *		Random bits for IDs that nobody may guess.
 */
#include "generate/generate.h"

#include "miscadmin.h"

#define FLAKE_RANDOM_AGE_NS		UINT64_C(1000000000)

/*
 * Random bytes for the next IDs.  Many are drawn at a time, because a call of the system's
 * generator takes twenty times as long as the rest of an ID, even for a few bytes.  That
 * does not make them easier to guess: they stay in this process's own memory, which
 * contains the server's secrets anyway, and each is wiped when it is used, so that
 * somebody who reads the memory later does not learn earlier IDs.  They are drawn after
 * the process was forked, and discarded when they are old: two copies of a virtual
 * machine, resumed from one snapshot, must not continue with the same bytes.
 */
typedef struct FlakeRandom
{
	int			pid;			/* of the process that drew them */
	uint64		drawn;			/* when, in ns modulo 2^64 */
	uint32		used;			/* how many of the words */
	uint64		words[1024];
} FlakeRandom;

static FlakeRandom buffer;

static pg_noinline void
draw(uint64 now)
{
	/*
	 * if the postmaster drew them, all its children would inherit the same
	 * bytes
	 */
	Assert(IsUnderPostmaster || !IsPostmasterEnvironment);

	/* if drawing fails, the buffer must not be used */
	buffer.pid = 0;
	if (!pg_strong_random(buffer.words, sizeof(buffer.words)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	buffer.pid = MyProcPid;
	buffer.drawn = now;
	buffer.used = 0;
}

/*
 * Return 64 random bits that are never used again.  "now" is what the clock read lately,
 * in ns modulo 2^64; it tells how old the bytes are.  It may be a little earlier than
 * the time at which they were drawn for another caller.
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
