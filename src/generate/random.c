/*
 * random.c
 *		Random bits that nobody may guess.
 */
#include "generate/generate.h"

#include "miscadmin.h"

FlakeRandom flake_random_bits;

/* Draw new ones for flake_random(). */
pg_noinline void
flake_draw_random(uint64 now)
{
	FlakeRandom *random = &flake_random_bits;

	/* or all children of the postmaster would inherit the same bytes */
	Assert(IsUnderPostmaster || !IsPostmasterEnvironment);

	/* if drawing fails, the buffer must not be used */
	random->pid = 0;
	if (!pg_strong_random(random->words, sizeof(random->words)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	random->pid = MyProcPid;
	random->drawn = now;
	random->left = lengthof(random->words);
}
