/*
 * snowflake.h
 *		The parts of a snowflake: see snowflake.c for the drawing.
 */
#ifndef SNOWFLAKE_H
#define SNOWFLAKE_H

#include "kernel/flake.h"

#pragma GCC visibility push(hidden)

typedef struct SnowflakeParts
{
	uint64_t	ms;				/* since the epoch: 42 bits */
	unsigned	worker;			/* 5 bits */
	unsigned	process;		/* 5 bits */
	unsigned	sequence;		/* 12 bits */
} SnowflakeParts;

extern void snowflake_pack(const SnowflakeParts *parts, uint8_t *id);
extern void snowflake_unpack(const uint8_t *id, SnowflakeParts *parts);

#pragma GCC visibility pop

#endif							/* SNOWFLAKE_H */
