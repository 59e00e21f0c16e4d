/*
 * clock.c
 *		The clock, which the schedule sets; sleeping, and interrupts.
 */
#include "server.h"

void
clock_set(int64 us)
{
	if (us < server.now)
		server.steps_back++;
	server.now = us;
	server.lowest = Min(server.lowest, us);
	for (int i = 0; i < SIM_BACKENDS; i++)
	{
		backends[i].clock_max = Max(backends[i].clock_max, us);
		backends[i].clock_min = Min(backends[i].clock_min, us);
	}
}

int
sim_clock_gettime(clockid_t clock, struct timespec *now)
{
	if (clock == CLOCK_MONOTONIC)
	{
		now->tv_sec = server.monotonic++;
		now->tv_nsec = 0;
		return 0;
	}
	sim_point();
	if (server.drift != 0)
		clock_set(server.now + server.drift);
	now->tv_sec = server.now / USECS_PER_SEC;
	now->tv_nsec = server.now % USECS_PER_SEC * 1000;
	trace("clock: %ld", (long) server.now);
	return 0;
}

TimestampTz
GetCurrentTimestamp(void)
{
	return server.now - FLAKE_PG_EPOCH_US;
}

void
sleep_for(int64 us)
{
	no_lwlock_held("sleeps");
	trace("sleeps %ld us", (long) us);
	sim_barrier();
	self->naps++;
	self->awake_for = 0;
	self->yields = true;
	sim_preempt();
	self->yields = false;
	if (server.clock_runs)
		clock_set(server.now + us);
}

int
WaitLatch(void *latch pg_attribute_unused(), int events pg_attribute_unused(), long timeout,
		  uint32 event pg_attribute_unused())
{
	if (self->latch)
		timeout = 0;
	sleep_for(timeout * 1000);
	if (!self->latch)
		return once_in(8) ? WL_LATCH_SET : WL_TIMEOUT;
	self->latch = false;
	return WL_LATCH_SET;
}

void
pg_usleep(long us)
{
	sleep_for(us);
}

void
sim_check_for_interrupts(void)
{
	Backend    *backend = self;

	if (backend->terminate)
	{
		trace("terminated");
		backend_exit();
	}
	if (backend->cancel)
	{
		backend->cancel = false;
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("canceled")));
	}
}
