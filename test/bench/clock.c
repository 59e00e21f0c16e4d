/*
 * clock.c
 *		A clock for instructions.sh: each reading is 50 ns later than the last one.
 *
 * It is preloaded before libc, so that the ticks and leases that a call finds depend
 * neither on the load of the machine, nor on how much slower it is under valgrind.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STEP_NS		50

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	static struct timespec start[2];
	static long looks;
	long		ns;

	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return (int) syscall(SYS_clock_gettime, clock, now);
	if (start[clock].tv_sec == 0 && syscall(SYS_clock_gettime, clock, &start[clock]) != 0)
		return -1;
	ns = start[clock].tv_nsec + ++looks * STEP_NS;
	now->tv_sec = start[clock].tv_sec + ns / 1000000000;
	now->tv_nsec = ns % 1000000000;
	return 0;
}
