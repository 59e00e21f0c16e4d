/*
 * formats.c
 *		What every format must keep to.  The list of formats is formatlist.h.
 */
#include "flake.h"

const FlakeFormat *const flake_formats[FLAKE_FORMATS] = {
#define FLAKE_FORMAT(id, name)	[id] = &flake_##name,
#include "formatlist.h"
#undef FLAKE_FORMAT
};

/*
 * What is wrong with a descriptor, or NULL.  The unit tests ask it of each, so
 * that a format added by halves fails with a name instead of in production.
 */
const char *
flake_format_fault(const FlakeFormat *f)
{
	uint8_t		ends[2][FLAKE_MAX_BYTES];
	uint8_t		back[FLAKE_MAX_BYTES];
	char		text[FLAKE_MAX_TEXT + 1];
	int64_t		last_us;
	uint32_t	slots = 0;

	if (f == NULL || f->name == NULL || f->shape == NULL || f->digits == NULL || f->pattern == NULL)
		return "name, shape, digits or pattern is missing";
	if (f->bytes < 8 || f->bytes > FLAKE_MAX_BYTES || f->text_length > FLAKE_MAX_TEXT)
		return "bytes or text_length is out of range";
	if (f->encode == NULL || f->decode == NULL || f->instant == NULL || f->bounds == NULL)
		return "a function is missing";
	if (f->rate.epoch_us % FLAKE_US_PER_SECOND != 0)
		return "the epoch is not a whole second";
	if (f->rate.mul == 0 || f->rate.mul >= f->rate.div)
		return "a tick must be longer than a microsecond";
	if ((uint64_t) (f->rate.per_second - 1) * f->rate.div / f->rate.mul >= FLAKE_US_PER_SECOND)
		return "the second is shorter than its ticks";
	if (f->slots != 0 && (f->numbers == 0 || f->sequence_bits == 0))
		return "a generator needs numbers and a sequence";
	for (int i = 0; i < FLAKE_FORMATS; i++)
		slots += flake_formats[i]->slots;
	if (slots > FLAKE_SLOTS)
		return "the formats have more slots than there are";

	last_us = flake_last_us(&f->rate);
	memset(ends[0], 0x00, f->bytes);
	memset(ends[1], 0xff, f->bytes);
	for (int i = 0; i < 2; i++)
	{
		f->encode(ends[i], text);
		if (strlen(text) > f->text_length)
			return "a text is longer than text_length";
		if (!f->decode(text, strlen(text), back) || memcmp(back, ends[i], f->bytes) != 0)
			return "a text does not decode to its ID";
	}
	if (f->instant(ends[0]) != f->rate.epoch_us)
		return "the zero ID is not of the epoch";
	f->bounds(f->rate.epoch_us, ends[0], back);
	if (f->instant(ends[0]) != f->rate.epoch_us ||
		(f->time_ordered && f->instant(back) != f->rate.epoch_us))
		return "bounds leave the first unit of time";
	f->bounds(last_us, back, ends[1]);
	if ((f->time_ordered && flake_tick_of(&f->rate, f->instant(back)) != f->rate.last_tick) ||
		flake_tick_of(&f->rate, f->instant(ends[1])) != f->rate.last_tick)
		return "bounds leave the last unit of time";
	return NULL;
}

/*
 * The least ID of the unit of time that holds us (microseconds since 1970);
 * before the span the least of all IDs, behind it the greatest.
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

/* The greatest ID of the unit, likewise. */
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
