/*
 * twice.c
 *		Does an ID occur twice in files that COPY has written in binary format?
 *
 *		twice BYTES ordered|random FILE...
 *
 * A row is an ID of so many bytes, or an ID and the number (int4) of the process
 * that made it; without numbers the files NAME.1, NAME.2 and so on belong to one
 * process.  Prints how many rows there are and from how many processes, how many
 * rows are equal to another, and how many are not above the previous one of their
 * process; the last figure only with "ordered".
 *
 * Because each process's IDs increase, most files are already sorted and need only
 * be merged; the others are sorted in place.  The files are mapped, so that memory
 * does not grow with them.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER	19				/* of a file, before its first row */
#define ID		6				/* in a row, after the number of its columns and its length */
#define PROCESSES	256			/* that work on one file */

static int	bytes;				/* of an ID */

typedef struct Run
{
	uint8_t    *next;			/* row */
	uint8_t    *end;
	size_t		bytes;			/* of a row */
} Run;

static struct
{
	uint32_t	number;
	uint8_t		last[16];
}			processes[PROCESSES];
static int	process_count;
static long all_processes;

static void
fail(const char *file, const char *what)
{
	fprintf(stderr, "twice: %s: %s\n", file, what);
	exit(2);
}

static int
compare(const void *a, const void *b)
{
	return memcmp((const uint8_t *) a + ID, (const uint8_t *) b + ID, bytes);
}

/* Is this ID above the previous one of its process? */
static int
in_order(const char *file, uint32_t number, const uint8_t *id)
{
	int			i;
	int			above;

	for (i = 0; i < process_count && processes[i].number != number; i++)
		;
	if (i == process_count)
	{
		if (process_count++ == PROCESSES)
			fail(file, "too many processes");
		processes[i].number = number;
		memset(processes[i].last, 0, sizeof(processes[i].last));
	}
	above = memcmp(id, processes[i].last, bytes) > 0;
	memcpy(processes[i].last, id, bytes);
	return above;
}

/* Map a file and sort it if necessary; return how many of its IDs are out of order. */
static long
open_run(const char *file, int ordered, Run *run)
{
	int			fd = open(file, O_RDWR);
	struct stat st;
	uint8_t    *map;
	long		disorder = 0;
	int			sorted = 1;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < HEADER + 2)
		fail(file, "cannot be read, or is no file of COPY");
	map = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED || memcmp(map, "PGCOPY\n\377\r\n", 11) != 0)
		fail(file, "is no binary file of COPY");

	run->bytes = ID + bytes + (map[HEADER + 1] == 2 ? 4 + 4 : 0);
	run->next = map + HEADER;
	run->end = map + st.st_size - 2;
	if ((run->end - run->next) % run->bytes != 0 || run->end[0] != 0xff || run->end[1] != 0xff)
		fail(file, "is not whole, or has other columns");
	for (uint8_t *row = run->next; row < run->end; row += run->bytes)
	{
		uint32_t	number = 0;

		if (row[ID - 1] != bytes)
			fail(file, "has a column of another length");
		if (row[1] == 2)
			memcpy(&number, row + ID + bytes + 4, sizeof(number));
		if (ordered)
			disorder += !in_order(file, number, row + ID);
		sorted &= row == run->next || compare(row - run->bytes, row) <= 0;
	}
	if (!sorted)
		qsort(run->next, (run->end - run->next) / run->bytes, run->bytes, compare);
	return disorder;
}

/* The heap of runs, the least ID first: move heap[i] down to its place. */
static void
sink(Run *heap, int count, int i)
{
	Run			run = heap[i];

	for (;;)
	{
		int			child = 2 * i + 1;

		if (child + 1 < count && compare(heap[child + 1].next, heap[child].next) < 0)
			child++;
		if (child >= count || compare(run.next, heap[child].next) <= 0)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = run;
}

int
main(int argc, char **argv)
{
	Run		   *heap = calloc(argc, sizeof(Run));
	int			count = 0;
	long		rows = 0;
	long		twice = 0;
	long		disorder = 0;
	uint8_t		last[16] = {0};

	if (argc < 4 || (bytes = atoi(argv[1])) < 1 || bytes > 16 || heap == NULL)
		fail("usage", "twice BYTES ordered|random FILE...");
	for (int i = 3; i < argc; i++)
	{
		size_t		stem = strrchr(argv[i], '.') ? (size_t) (strrchr(argv[i], '.') - argv[i]) : strlen(argv[i]);

		if (strncmp(argv[i], argv[i - 1], stem + 1) != 0)
			process_count = 0;
		all_processes -= process_count;
		disorder += open_run(argv[i], strcmp(argv[2], "ordered") == 0, &heap[count]);
		all_processes += process_count;
		if (heap[count].next < heap[count].end)
			count++;
	}
	for (int i = count / 2 - 1; i >= 0; i--)
		sink(heap, count, i);
	for (; count > 0; rows++)
	{
		twice += rows > 0 && memcmp(heap[0].next + ID, last, bytes) == 0;
		memcpy(last, heap[0].next + ID, bytes);
		heap[0].next += heap[0].bytes;
		if (heap[0].next >= heap[0].end)
			heap[0] = heap[--count];
		sink(heap, count, 0);
	}
	printf("%ld rows by %ld processes, %ld twice, %ld out of order\n", rows, all_processes, twice, disorder);
	return 0;
}
