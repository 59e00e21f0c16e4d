/*
 * random.c
 *		The only source of randomness.  A seed repeats it.
 */
#include "sim.h"

static uint64 random_state;
bool		random_quiet;

static uint64
random_next(void)
{
	uint64		z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void
random_seed(uint64 seed)
{
	random_state = seed * UINT64_C(0xd1342543de82ef95);
	(void) random_next();
}

uint32
random_below(uint32 n)
{
	if (random_quiet)
		return n - 1;
	return (uint32) ((random_next() >> 32) * n >> 32);
}
