/*
 * ulid.h
 *		The parts of a ulid and of a version 7 UUID, which are the same: see ulid.c and uuid7.c.
 */
#ifndef ULID_H
#define ULID_H

#include "kernel/flake.h"
#ifndef FLAKE_STANDALONE
#include "types/types.h"
#endif

#pragma GCC visibility push(hidden)

typedef struct UlidParts
{
	uint64_t	ms;				/* since 1970: 48 bits */
	uint32_t	counter;		/* 18 bits; random in IDs made elsewhere */
	uint64_t	random;			/* 62 bits; the last 56 of a UUID */
} UlidParts;

#define ULID_COUNTER_BITS	18
#define ULID_TEXT			26	/* digits of 128 bits in base 32; the first is
								 * 0 to 7 */

extern void ulid_pack(const UlidParts *parts, uint8_t *id);
extern void ulid_unpack(const uint8_t *id, UlidParts *parts);
extern void uuid7_pack(const UlidParts *parts, uint8_t *uuid);

/* Write 16 bytes as ULID_TEXT digits, without a terminator. */
static inline void
ulid_put_digits(const FlakeAlphabet *alphabet, const uint8_t *id, char *digits)
{
	flake_put_digits(alphabet, flake_load(id, 6), digits, 10);
	flake_put_digits(alphabet, flake_load(id + 6, 5), digits + 10, 8);
	flake_put_digits(alphabet, flake_load(id + 11, 5), digits + 18, 8);
}

/* Read ULID_TEXT digits; return false if one is wrong. */
static inline bool
ulid_get_digits(const FlakeAlphabet *alphabet, const char *digits, uint8_t *id)
{
	uint64_t	parts[3];

	if (!flake_get_digits(alphabet, digits, 10, &parts[0]) || parts[0] >> 48 != 0 ||
		!flake_get_digits(alphabet, digits + 10, 8, &parts[1]) ||
		!flake_get_digits(alphabet, digits + 18, 8, &parts[2]))
		return false;
	flake_store(id, 6, parts[0]);
	flake_store(id + 6, 5, parts[1]);
	flake_store(id + 11, 5, parts[2]);
	return true;
}

#ifndef FLAKE_STANDALONE

/* Fill in the parts of an ID: its place in the generator, and bits that nobody can guess. */
static inline void
ulid_fill(FlakeTicket ticket, UlidParts *parts)
{
	parts->ms = ticket.tick;
	parts->counter = ticket.sequence;
	parts->random = flake_random(ticket.leased);
}

/* Return the parts of the next ULID or version 7 UUID; the errors of flake_counted_next() call it "name". */
static inline UlidParts
ulid_next(const char *name)
{
	UlidParts	parts;

	ulid_fill(flake_counted_next(name, &flake_ulid), &parts);
	return parts;
}

extern void ulid_next_at(int64 us, UlidParts *parts);

#endif

#pragma GCC visibility pop

#endif							/* ULID_H */
