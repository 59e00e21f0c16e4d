/*
 * clock.c
 *		A clock that a test sets: preloaded into a server, it answers what the time is.
 *
 * FLAKEID_CLOCK names a file with a number of 64 bits: twice the microseconds by which the
 * server's clock is ahead of the real one, or twice those since 1970 at which it stands, plus
 * one. The server reads it in its memory, also in signal handlers. The time since the machine
 * started is the real one, unless FLAKEID_CLOCK_MONOTONIC is set. A timer goes off after the
 * real time, and its handler finds the clock there, so that timeouts end where it stands.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
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
static int64_t due;				/* when the timer goes off, by the server's clock */
static volatile sig_atomic_t alarmed;	/* its handler runs */
static void (*alarm_handler) (int);

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
	if (alarmed && which == CLOCK_REALTIME && due > (int64_t) now->tv_sec * 1000000 + now->tv_nsec / 1000)
		*now = (struct timespec) {due / 1000000, due % 1000000 * 1000};
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

int
setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
	static int	(*real) (__itimer_which_t, const struct itimerval *, struct itimerval *);
	struct timeval now;

	if (real == NULL)
		real = (int (*) (__itimer_which_t, const struct itimerval *, struct itimerval *)) dlsym(RTLD_NEXT, "setitimer");
	gettimeofday(&now, NULL);
	due = (now.tv_sec + new->it_value.tv_sec) * INT64_C(1000000) + now.tv_usec + new->it_value.tv_usec;
	return real(which, new, old);
}

static void
handle_alarm(int signal)
{
	alarmed = 1;
	alarm_handler(signal);
	alarmed = 0;
}

int
sigaction(int which, const struct sigaction *new, struct sigaction *old)
{
	static int	(*real) (int, const struct sigaction *, struct sigaction *);
	struct sigaction ours;

	if (real == NULL)
		real = (int (*) (int, const struct sigaction *, struct sigaction *)) dlsym(RTLD_NEXT, "sigaction");
	if (which == SIGALRM && new != NULL && new->sa_handler != SIG_IGN && new->sa_handler != SIG_DFL)
	{
		ours = *new;
		alarm_handler = ours.sa_handler;
		ours.sa_handler = handle_alarm;
		new = &ours;
	}
	return real(which, new, old);
}
