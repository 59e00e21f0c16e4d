/*
 * bounds.c
 *		The IDs at the ends of a tick.
 */
#include "kernel/flake.h"

/*
 * Write the least and the greatest ID of the tick that contains us; before the span twice the
 * least of all IDs, after it twice the greatest.
 */
void
flake_bounds(const FlakeFormat *f, int64_t us, uint8_t *least, uint8_t *greatest)
{
	bool		within = flake_in_span(&f->rate, us);
	uint64_t	tick;

	if (within && f->bounds != NULL)
	{
		f->bounds(us, least, greatest);
		return;
	}
	memset(least, within || us < f->rate.epoch_us ? 0x00 : 0xff, f->bytes);
	memset(greatest, within || us > f->rate.epoch_us ? 0xff : 0x00, f->bytes);
	if (within)
	{
		tick = flake_tick_of(&f->rate, us) << (64 - f->timestamp_bits);
		flake_store(least, 8, tick);
		flake_store(greatest, 8, tick | UINT64_MAX >> f->timestamp_bits);
	}
}

/* Write the least of these, or the greatest. */
void
flake_least(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	uint8_t		greatest[FLAKE_MAX_BYTES];

	flake_bounds(f, us, id, greatest);
}

void
flake_greatest(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	uint8_t		least[FLAKE_MAX_BYTES];

	flake_bounds(f, us, least, id);
}

/* Write the least ID whose instant is at or after us; after the last instant, the greatest of all. */
void
flake_min(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	flake_least(f, flake_in_span(&f->rate, us) ? flake_us_of(&f->rate, flake_tick_from(&f->rate, us)) : us, id);
}
