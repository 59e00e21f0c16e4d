/*
 * server.h
 *		What the files of the simulated server share with each other; sim.h has what
 *		the schedules use.
 */
#ifndef SERVER_H
#define SERVER_H

#include "sim.h"

/* process.c */
extern Database *view(const Backend *backend);
extern void no_lwlock_held(const char *what);

/* memory.c: add its part to the state, and forget it when the server stops. */
extern void memory_state(int sessions);
extern void memory_lost(void);

/* transactions.c: the same. */
extern void transactions_begin(void);
extern void transactions_state(int sessions);
extern void transactions_lost(void);

/* sequences.c: the same. */
extern void sequences_create(void);
extern void sequences_lost(void);

/* clock.c */
extern void sleep_for(int64 us);

#endif							/* SERVER_H */
