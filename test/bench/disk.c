/*
 * disk.c
 *		A library to preload into a server: its disk flushes slowly, or never.
 *
 * The file that FLAKEID_DISK names holds three numbers of 32 bits: how many
 * milliseconds a flush takes in addition, or -1 until the number changes;
 * the error that whoever asks for shared memory gets, or 0; and how many
 * flushes are running, which this library counts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct Disk
{
	int32_t		delay_ms;
	int32_t		error;
	int32_t		flushing;
} Disk;

static Disk nothing;
static volatile Disk *disk = &nothing;

__attribute__((constructor)) static void
begin(void)
{
	const char *name = getenv("FLAKEID_DISK");
	int			fd = name ? open(name, O_RDWR) : -1;
	void	   *map = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map != MAP_FAILED)
		disk = map;
	if (fd >= 0)
		close(fd);
}

/*
 * Sleep so long, even if signals arrive.
 */
static void
sleep_ms(int32_t ms)
{
	struct timespec left = {ms / 1000, ms % 1000 * 1000000L};

	while (syscall(SYS_nanosleep, &left, &left) != 0 && errno == EINTR)
		;
}

static void
flush_slowly(void)
{
	if (disk->delay_ms == 0)
		return;
	(void) __atomic_add_fetch(&disk->flushing, 1, __ATOMIC_SEQ_CST);
	if (disk->delay_ms > 0)
		sleep_ms(disk->delay_ms);
	while (disk->delay_ms < 0)
		sleep_ms(5);
	(void) __atomic_sub_fetch(&disk->flushing, 1, __ATOMIC_SEQ_CST);
}

int
fdatasync(int fd)
{
	static int	(*real) (int);

	if (real == NULL)
		real = (int (*) (int)) dlsym(RTLD_NEXT, "fdatasync");
	flush_slowly();
	return real(fd);
}

int
fsync(int fd)
{
	static int	(*real) (int);

	if (real == NULL)
		real = (int (*) (int)) dlsym(RTLD_NEXT, "fsync");
	flush_slowly();
	return real(fd);
}

/* PostgreSQL calls this before it uses a segment of shared memory. */
int
posix_fallocate(int fd, off_t offset, off_t length)
{
	static int	(*real) (int, off_t, off_t);

	if (real == NULL)
		real = (int (*) (int, off_t, off_t)) dlsym(RTLD_NEXT, "posix_fallocate");
	return disk->error != 0 ? disk->error : real(fd, offset, length);
}

/* The same function for file lengths of 64 bits where off_t may have 32. */
int
posix_fallocate64(int fd, int64_t offset, int64_t length)
{
	static int	(*real) (int, int64_t, int64_t);

	if (real == NULL)
		real = (int (*) (int, int64_t, int64_t)) dlsym(RTLD_NEXT, "posix_fallocate64");
	return disk->error != 0 ? disk->error : real(fd, offset, length);
}
