/*
 * uid.h
 *		The common part of uid64 and uid96: 8 and 12 bytes, local and global, after
 *		fogfish/uid.
 *
 *		 uid64	| A: 20 | B: 20                      | C: 10 | sequence: 14 |
 *		 uid96	| A: 20 | B above: 20 - I | node: 32 | B below: I | C: 10 | sequence: 14 |
 *
 * A counts megaseconds since 1970, B the seconds of the megasecond, C units of 1.024 ms
 * of the second.
 *
 * Fields can hold what no clock writes: a million seconds and more in B, 977 units and more in
 * C.  The instant of such an ID is the last microsecond of the megasecond, or of the second, so
 * that time never runs against the order.
 */
#ifndef UID_H
#define UID_H

#include "kernel/flake.h"

#pragma GCC visibility push(hidden)

/* uid96.c: the hash of a node's name in a uid96. */
extern uint32_t uid_hash_node(const char *name, size_t length);

#define UID_SECONDS			1000000 /* in a megasecond */
#define UID_UNITS			977 /* in a second; the last one is short */

/* Text: characters of 6 bits in ASCII order. */
#define UID_DIGITS			"." FLAKE_DIGITS_63
static const uint8_t uid_value[256] = {['.'] = 1, FLAKE_VALUES_63};
static const FlakeAlphabet uid_alphabet = {UID_DIGITS, uid_value, 6};

typedef struct UidParts
{
	unsigned	megaseconds;	/* A: 20 bits */
	unsigned	seconds;		/* B: 20 bits */
	unsigned	units;			/* C >> 10, units of 1.024 ms: 10 bits */
	unsigned	sequence;		/* 14 bits */
	uint32_t	node;			/* uid96 only */
} UidParts;

#define UID_RATE { \
		.epoch_us = 0, \
		.per_second = UID_UNITS, \
		.mul = 1, \
		.div = 1024, \
		.last_tick = (UINT64_C(1) << 20) * UID_SECONDS * UID_UNITS - 1, \
	}

/* uid64.c; uid96_to_local() makes one, too. */
static inline void
uid64_pack(const UidParts *parts, uint8_t *id)
{
	flake_store(id, 8, (uint64_t) parts->megaseconds << 44 | (uint64_t) parts->seconds << 24 |
				(uint64_t) parts->units << 14 | parts->sequence);
}

static inline void
uid64_unpack(const uint8_t *id, UidParts *parts)
{
	uint64_t	value = flake_load(id, 8);

	parts->megaseconds = (unsigned) (value >> 44);
	parts->seconds = value >> 24 & 0xfffff;
	parts->units = value >> 14 & 0x3ff;
	parts->sequence = value & 0x3fff;
	parts->node = 0;
}

/* uid96.c */
#define UID_DRIFT_MIN		5
#define UID_DRIFT_MAX		10
#define UID_DRIFT_DEFAULT	8

extern void uid96_pack(const UidParts *parts, unsigned drift, uint8_t *id);
extern void uid96_unpack(const uint8_t *id, unsigned drift, UidParts *parts);
extern void uid96_neighbourhood(int64_t us, unsigned drift, uint8_t *least, uint8_t *greatest);
extern uint64_t uid96_abbreviate(const uint8_t *id, const uint8_t *first);

/* ---------- time ---------- */

/* Fill in the fields of time of a tick of the generator, which counts 977 a second since 1970. */
static inline void
uid_parts_of_tick(uint64_t tick, UidParts *parts)
{
	uint64_t	seconds = tick / UID_UNITS;

	parts->megaseconds = (unsigned) (seconds / UID_SECONDS);
	parts->seconds = (unsigned) (seconds % UID_SECONDS);
	parts->units = (unsigned) (tick % UID_UNITS);
}

/* Return the instant of the fields of time, in microseconds since 1970: see the top. */
static inline int64_t
uid_instant(const UidParts *parts)
{
	int64_t		second = (int64_t) parts->megaseconds * UID_SECONDS;
	int64_t		us = (int64_t) parts->units << 10;

	if (parts->seconds >= UID_SECONDS)
		return (second + UID_SECONDS) * FLAKE_US_PER_SECOND - 1;
	if (us >= FLAKE_US_PER_SECOND)
		us = FLAKE_US_PER_SECOND - 1;
	return (second + parts->seconds) * FLAKE_US_PER_SECOND + us;
}

/* Fill in the least and the greatest fields of the tick that contains us, with those that no clock writes. */
static inline void
uid_unit(int64_t us, UidParts *least, UidParts *greatest)
{
	uid_parts_of_tick(flake_tick_of(&flake_uid64.rate, us), least);
	least->sequence = 0;
	least->node = 0;
	*greatest = *least;
	greatest->sequence = 0x3fff;
	greatest->node = UINT32_MAX;
	if (greatest->units == UID_UNITS - 1)
	{
		greatest->units = 0x3ff;
		if (greatest->seconds == UID_SECONDS - 1)
			greatest->seconds = 0xfffff;
	}
}

#pragma GCC visibility pop

/* ---------- what PostgreSQL sees ---------- */

#ifndef FLAKE_STANDALONE

#include "types/types.h"

/*
 * Fill in the time and sequence of the next ID.  Both types draw from uid64's generator, so
 * uid96_to_local() returns no uid64 that uid64_new() has made.
 */
static inline void
uid_next(const FlakeFormat *format, UidParts *parts)
{
	const FlakeTicket *ticket = flake_generate(format->name, &flake_uid64, FLAKE_OWN, 1);

	uid_parts_of_tick(ticket->tick, parts);
	parts->sequence = ticket->sequence;
}

/* Fill in the fields of time of an instant and return its tick; raise an error (22008) outside the span. */
static inline uint64
uid_parts_at(const FlakeFormat *format, TimestampTz at, UidParts *parts)
{
	uint64		tick = flake_tick_of(&format->rate, flake_us_in_span(format, at));

	uid_parts_of_tick(tick, parts);
	return tick;
}

#pragma GCC visibility push(hidden)
extern Datum uid_difference(FunctionCallInfo fcinfo, const UidParts *a, const UidParts *b);
#pragma GCC visibility pop

#endif							/* !FLAKE_STANDALONE */

#endif							/* UID_H */
