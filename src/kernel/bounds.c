/*
 * bounds.c
 *		The IDs at the ends of a tick.
 */
#include "kernel/flake.h"

/* Write the least and the greatest ID of the tick that contains us, which must be in the span. */
void
flake_bounds(const FlakeFormat *f, int64_t us, uint8_t *least, uint8_t *greatest)
{
	uint64_t	tick;

	if (f->bounds != NULL)
	{
		f->bounds(us, least, greatest);
		return;
	}
	tick = flake_tick_of(&f->rate, us) << (64 - f->timestamp_bits);
	memset(least, 0x00, f->bytes);
	memset(greatest, 0xff, f->bytes);
	flake_store(least, 8, tick);
	flake_store(greatest, 8, tick | UINT64_MAX >> f->timestamp_bits);
}

/* Write the least ID of the tick that contains us; before the span the least of all IDs, after it the greatest. */
void
flake_least(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	uint8_t		greatest[FLAKE_MAX_BYTES];

	if (us < f->rate.epoch_us)
		memset(id, 0x00, f->bytes);
	else if (us > flake_last_us(&f->rate))
		memset(id, 0xff, f->bytes);
	else
		flake_bounds(f, us, id, greatest);
}

/* Write the least ID whose instant is at or after us; after the last instant, the greatest of all. */
void
flake_min(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	flake_least(f, flake_in_span(&f->rate, us) ? flake_us_of(&f->rate, flake_tick_from(&f->rate, us)) : us, id);
}

/* Write the greatest ID of the tick, likewise. */
void
flake_greatest(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	uint8_t		least[FLAKE_MAX_BYTES];

	if (us < f->rate.epoch_us)
		memset(id, 0x00, f->bytes);
	else if (us > flake_last_us(&f->rate))
		memset(id, 0xff, f->bytes);
	else
		flake_bounds(f, us, least, id);
}
