/*
 * flax.h
 *		The parts of a flax: see flax.c for the drawing.
 */
#ifndef FLAX_H
#define FLAX_H

#include "kernel/flake.h"

#pragma GCC visibility push(hidden)

typedef struct FlaxParts
{
	uint64_t	ms;				/* since 2015: 40 bits */
	uint64_t	random;			/* 56 bits */
} FlaxParts;

extern void flax_pack(const FlaxParts *parts, uint8_t *id);
extern void flax_unpack(const uint8_t *id, FlaxParts *parts);

#pragma GCC visibility pop

#endif							/* FLAX_H */
