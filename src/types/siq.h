/*
 * siq.h
 *		The parts of a siq, what it can name, and the ways to write it: see siq.c.
 */
#ifndef SIQ_H
#define SIQ_H

#include "kernel/flake.h"

#pragma GCC visibility push(hidden)

typedef struct SiqParts
{
	uint64_t	ticks;			/* of 1/65536 s since 1970: 56 bits */
	unsigned	shard;			/* 8 bits */
	uint32_t	domain;
	unsigned	low16;			/* serial, and the qualifier below it */
} SiqParts;

extern void siq_pack(const SiqParts *parts, uint8_t *id);
extern void siq_unpack(const uint8_t *id, SiqParts *parts);

/* What a siq can name. */
typedef struct SiqType
{
	const char *label;
	unsigned	bits;			/* of the qualifier: 3, 4 or 5 */
	unsigned	qualifier;		/* the last bits of the ID */
} SiqType;

#define SIQ_TYPES			15

extern const SiqType siq_types[SIQ_TYPES];
extern unsigned siq_qualifier_bits(unsigned low16);
extern int	siq_find_type(unsigned low16);

/* The library's ways to write a siq. */
typedef enum SiqNotationId
{
	SIQ_BASE64,
	SIQ_CROCKFORD,
	SIQ_CROCKFORD_0,
	SIQ_DECIMAL,
	SIQ_BASE32,
	SIQ_OCTAL,
	SIQ_DID,
	SIQ_HEX,
	SIQ_NOTATIONS				/* how many there are */
} SiqNotationId;

extern const FlakeNotation siq_notations[];
extern void siq_write(SiqNotationId which, const uint8_t *id, uint32_t checksum, char *text);
extern bool siq_read(SiqNotationId which, const char *text, size_t length, uint8_t *id,
					 uint64_t *checksum);

#pragma GCC visibility pop

#endif							/* SIQ_H */
