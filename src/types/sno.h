/*
 * sno.h
 *		The parts of a sno, and the rules of its sequence: see sno.c for the drawing.
 */
#ifndef SNO_H
#define SNO_H

#include "kernel/flake.h"

#pragma GCC visibility push(hidden)

typedef struct SnoParts
{
	uint64_t	units;			/* of 4 ms since 2010: 39 bits */
	unsigned	tick_tock;		/* 1 bit */
	unsigned	meta;			/* 8 bits */
	unsigned	partition;		/* 16 bits */
	unsigned	sequence;		/* 16 bits */
} SnoParts;

/* The library wants at least so many numbers a tick, so the pool cannot be set smaller. */
#define SNO_LEAST_POOL	6

extern void sno_pack(const SnoParts *parts, uint8_t *id);
extern void sno_unpack(const uint8_t *id, SnoParts *parts);

/* The library's rules for the sequence bounds of a snapshot. */
typedef enum SnoBounds
{
	SNO_BOUNDS_OK,
	SNO_BOUNDS_IDENTICAL,
	SNO_BOUNDS_TOO_FEW,
	SNO_BOUNDS_UNDERFLOW
} SnoBounds;

extern SnoBounds sno_check_bounds(uint32_t *min, uint32_t *max, uint32_t *sequence);

#pragma GCC visibility pop

#endif							/* SNO_H */
