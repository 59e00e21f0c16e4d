/*
 * format.h
 *		The descriptor of a format, and the registry of all formats, which the types fill.
 */
#ifndef FLAKE_FORMAT_H
#define FLAKE_FORMAT_H

#include "kernel/text.h"
#include "kernel/tick.h"

#pragma GCC visibility push(hidden)

/* ---------- the descriptors of the formats, which are in formats.c and each format's own file ---------- */

/* By the list in formatlist.h: FLAKE_SNO, FLAKE_FLAX ... */
typedef enum FlakeFormatId
{
#define FLAKE_FORMAT(id, name)	id,
#include "types/formatlist.h"
#undef FLAKE_FORMAT
	FLAKE_FORMATS				/* how many there are */
} FlakeFormatId;

typedef struct FlakeFormat
{
	const char *name;			/* of the SQL type */
	FlakeFormatId id;
	const char *shape;			/* of the text: one sentence for DETAIL */
	const char *digits;			/* the text's alphabet */
	const char *pattern;		/* a regular expression that each canonical
								 * text matches */
	uint8_t		bytes;
	uint8_t		text_length;	/* of the longest canonical text */
	uint8_t		timestamp_bits;
	uint8_t		random_bits;
	bool		time_ordered;	/* IDs sort by their instants */

	/* Time; the rate also drives the generator. */
	FlakeRate	rate;

	/*
	 * The generator has a pool of 2^sequence_bits a tick.  Partitions, shards
	 * or workers are 0 .. numbers - 1; with numbers = 0 the format has no
	 * generator (flax) or draws from another format's (uid96 from uid64's).
	 */
	uint8_t		sequence_bits;

	/*
	 * A part of the pool that a session may use has so many numbers or more
	 * ...
	 */
	uint8_t		least_pool;
	/* ... and settings can select one of so many equal parts; 0: any part. */
	uint8_t		pool_parts;
	uint32_t	numbers;

	/*
	 * What an ID's number is called, and its setting after the type; NULL:
	 * the node.
	 */
	const char *number_field;
	bool		tick_tock;		/* has a bit for a second timeline */
	/* The number is a 32-bit hash of a name or of the node. */
	bool		hashed_number;
	/* Hash a node's name in UTF-8.  NULL: nodes have no names. */
	uint32_t	(*hash_name) (const char *name, size_t length);
	/* The format whose generator serves this one; NULL: its own. */
	const struct FlakeFormat *drawn_from;

	/*
	 * Text.  encode() writes text_length characters at most, and a NUL.
	 * decode() accepts the canonical text and whatever else the format reads,
	 * and writes "id" only on success.
	 */
	void		(*encode) (const uint8_t *id, char *text);
	bool		(*decode) (const char *text, size_t length, uint8_t *id);
	/* Other ways to write it; the last one has no name.  NULL: none. */
	const FlakeNotation *notations;

	/*
	 * What flake_id_us() returns and flake_bounds() writes; NULL where the
	 * tick is the ID's first timestamp_bits.
	 */
	int64_t		(*instant) (const uint8_t *id);
	void		(*bounds) (int64_t us, uint8_t *least, uint8_t *greatest);
} FlakeFormat;

/* Return the format whose generator serves a format. */
static inline const FlakeFormat *
flake_generator_of(const FlakeFormat *format)
{
	return format->drawn_from != NULL ? format->drawn_from : format;
}

/* Return an ID's instant: the first whole microsecond of its tick. */
static inline int64_t
flake_id_us(const FlakeFormat *format, const uint8_t *id)
{
	if (format->instant != NULL)
		return format->instant(id);
	return flake_us_of(&format->rate, flake_load(id, 8) >> (64 - format->timestamp_bits));
}

extern const FlakeFormat *const flake_formats[FLAKE_FORMATS];

/* A page has so many generators of one format, with consecutive numbers. */
#define FLAKE_PAGE		64

/* The pages of all formats together. */
#define FLAKE_PAGES		1032

/* Return how many pages the generators of a format fill. */
static inline uint32_t
flake_pages(const FlakeFormat *format)
{
	return (format->numbers + FLAKE_PAGE - 1) / FLAKE_PAGE;
}

extern const FlakeNotation *flake_find_notation(const FlakeFormat *format, const char *name);

/* The descriptors: flake_sno, flake_flax ... */
#define FLAKE_FORMAT(id, name)	extern const FlakeFormat flake_##name;
#include "types/formatlist.h"
#undef FLAKE_FORMAT

/* ---------- bounds.c ---------- */

extern void flake_bounds(const FlakeFormat *format, int64_t us, uint8_t *least, uint8_t *greatest);
extern void flake_least(const FlakeFormat *format, int64_t us, uint8_t *id);
extern void flake_min(const FlakeFormat *format, int64_t us, uint8_t *id);
extern void flake_greatest(const FlakeFormat *format, int64_t us, uint8_t *id);

#pragma GCC visibility pop

#endif							/* FLAKE_FORMAT_H */
