/*
 * horizon.h
 *		Which IDs may still become visible.
 */
#ifndef FLAKE_HORIZON_H
#define FLAKE_HORIZON_H

#include "mark/mark.h"

#pragma GCC visibility push(hidden)

/* ---------- horizon.c ---------- */

extern bool flake_announce(const char *name, const FlakeFormat *format, unsigned timeline, uint64 tick);
extern bool flake_in_time(const FlakeFormat *format, int64 us, int64 *passed);
extern void flake_forget_recovery(void);
extern TransactionId flake_unlisted_prepared(int i);
extern void flake_horizon(const FlakeFormat *format, uint8 *id);

#pragma GCC visibility pop

#endif							/* FLAKE_HORIZON_H */
