/*
 * malloc.c
 *		A library to preload into a server: its sessions run out of memory.
 *
 * The file that FLAKEID_MALLOC names holds numbers: one allocation in so many fails, and
 * one in so many of more than 64 kB, such as a mark's; 0: none.  The fourth is how many
 * allocations it takes until one fails, and then none.  Only in sessions, because other
 * processes of a server may not survive without memory.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static volatile uint32_t *shared;	/* the numbers; the third counts allocations */
static void **port;				/* postgres: a session's connection, or NULL */

__attribute__((constructor)) static void
begin(void)
{
	const char *name = getenv("FLAKEID_MALLOC");
	int			fd = name ? open(name, O_RDWR) : -1;
	void	   *map = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	port = dlsym(RTLD_DEFAULT, "MyProcPort");
	if (port != NULL && map != MAP_FAILED)
		shared = map;
}

static int
fails(size_t size)
{
	uint32_t	every;

	if (shared == NULL || *port == NULL)
		return 0;
	if (shared[3] != 0 && __sync_sub_and_fetch(&shared[3], 1) == 0)
	{
		errno = ENOMEM;
		return 1;
	}
	if ((every = shared[size > 64 * 1024]) == 0)
		return 0;
	/* a count with its bits mixed, so that no allocation keeps in step with it */
	if (((__sync_add_and_fetch(&shared[2], 1) * UINT32_C(2654435761)) >> 8) % every != 0)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t size)
{
	return fails(size) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails(count * size) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return fails(size) ? NULL : __libc_realloc(old, size);
}
