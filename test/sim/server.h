/*
 * server.h
 *		What the files of the simulated server know of each other; the schedules
 *		see what sim.h has.
 */
#ifndef SERVER_H
#define SERVER_H

#include "sim.h"

/* process.c */
extern Database *view(const Backend *backend);
extern void no_lwlock_held(const char *what);

/* memory.c: told of to state_piece(), and lost when the server stops. */
extern void memory_state(int sessions);
extern void memory_lost(void);

/* transactions.c: the same. */
extern void transactions_begin(void);
extern void transactions_state(int sessions);
extern void transactions_lost(void);

/* clock.c */
extern void sleep_for(int64 us);

#endif							/* SERVER_H */
