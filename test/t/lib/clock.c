/*
 * clock.c
 *		A clock that a test sets: preloaded into a server, it answers what the time is.
 *
 * FLAKEID_CLOCK names a file with a number of 64 bits: twice the microseconds by which the
 * server's clock is ahead of the real one, or twice those since 1970 at which it stands, plus
 * one. The server reads it in its memory, also in signal handlers. The time since the machine
 * started is the real one, unless FLAKEID_CLOCK_MONOTONIC is set.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int	(*real_clock) (clockid_t, struct timespec *);
static const int64_t *setting;
static bool monotonic;

__attribute__((constructor)) static void
begin(void)
{
	const char *name = getenv("FLAKEID_CLOCK");
	int			fd = name ? open(name, O_RDONLY) : -1;
	void	   *map = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(*setting), PROT_READ, MAP_SHARED, fd, 0);

	if (map != MAP_FAILED)
		setting = map;
	if (fd >= 0)
		close(fd);
	monotonic = getenv("FLAKEID_CLOCK_MONOTONIC") != NULL;
}

int
clock_gettime(clockid_t which, struct timespec *now)
{
	int64_t		us;
	int			rc;

	if (real_clock == NULL)
		real_clock = (int (*) (clockid_t, struct timespec *))
			dlsym(RTLD_NEXT, sizeof(time_t) > sizeof(long) ? "__clock_gettime64" : "clock_gettime");
	rc = real_clock(which, now);
	if (rc != 0 || setting == NULL ||
		(which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE && !(monotonic && which == CLOCK_MONOTONIC)))
		return rc;

	us = __atomic_load_n(setting, __ATOMIC_RELAXED);
	if (us & 1)
		*now = (struct timespec) {0, 0};
	us = (us >> 1) + now->tv_nsec / 1000;
	now->tv_sec += us / 1000000 - (us % 1000000 < 0);
	now->tv_nsec = now->tv_nsec % 1000 + (us % 1000000 + (us % 1000000 < 0 ? 1000000 : 0)) * 1000;
	return 0;
}

int
gettimeofday(struct timeval *now, void *zone)
{
	struct timespec ts;

	(void) zone;
	if (clock_gettime(CLOCK_REALTIME, &ts) != 0)
		return -1;
	*now = (struct timeval) {ts.tv_sec, ts.tv_nsec / 1000};
	return 0;
}

time_t
time(time_t *now)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (now != NULL)
		*now = ts.tv_sec;
	return ts.tv_sec;
}
