/*
 * formats.c
 *		The descriptors of all formats, in the order of formatlist.h.
 */
#include "flake.h"

const FlakeFormat *const flake_formats[FLAKE_FORMATS] = {
#define FLAKE_FORMAT(id, name)	[id] = &flake_##name,
#include "formatlist.h"
#undef FLAKE_FORMAT
};

/*
 * Store the least ID of the tick that holds us; the least of all IDs if us lies
 * before the span, the greatest of all if it lies after.
 */
void
flake_least(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	uint8_t		greatest[FLAKE_MAX_BYTES];

	if (us < f->rate.epoch_us)
		memset(id, 0x00, f->bytes);
	else if (us > flake_last_us(&f->rate))
		memset(id, 0xff, f->bytes);
	else
		f->bounds(us, id, greatest);
}

/* Store the greatest ID of that tick; outside the span the same as flake_least(). */
void
flake_greatest(const FlakeFormat *f, int64_t us, uint8_t *id)
{
	uint8_t		least[FLAKE_MAX_BYTES];

	if (us < f->rate.epoch_us)
		memset(id, 0x00, f->bytes);
	else if (us > flake_last_us(&f->rate))
		memset(id, 0xff, f->bytes);
	else
		f->bounds(us, least, id);
}
