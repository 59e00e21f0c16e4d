/*
 * twice.c
 *		Does an ID occur twice in files that COPY has written in binary format?
 *
 *		twice BYTES ordered|random FILE...
 *
 * A row is an ID of so many bytes, at most 20.  The files NAME.1, NAME.2 and so on,
 * which must be consecutive arguments, are from one process.  Prints how many rows there
 * are and from how many processes, how many rows are equal to another, and how many are
 * not above the previous one of their process; the last figure only with "ordered".
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
#define MAX_BYTES	20			/* of an ID */

static int	bytes;				/* of an ID */
static int	row_bytes;			/* of a row */

typedef struct Run
{
	uint8_t    *next;			/* row */
	uint8_t    *end;
} Run;

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

/*
 * Map a file and sort it if necessary; return how many of its IDs are out of order, the
 * first one compared with *last, which is of the same process.  Leaves the last one there.
 */
static long
open_run(const char *file, uint8_t *last, Run *run)
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

	run->next = map + HEADER;
	run->end = map + st.st_size - 2;
	if ((run->end - run->next) % row_bytes != 0 || run->end[0] != 0xff || run->end[1] != 0xff)
		fail(file, "is not whole, or has other columns");
	for (uint8_t *row = run->next; row < run->end; row += row_bytes)
	{
		if (row[ID - 1] != bytes)
			fail(file, "has a column of another length");
		disorder += memcmp(row + ID, last, bytes) <= 0;
		memcpy(last, row + ID, bytes);
		sorted &= row == run->next || compare(row - row_bytes, row) <= 0;
	}
	if (!sorted)
		qsort(run->next, (run->end - run->next) / row_bytes, row_bytes, compare);
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
	int			processes = 0;
	long		rows = 0;
	long		twice = 0;
	long		disorder = 0;
	uint8_t		last[MAX_BYTES] = {0};

	if (argc < 4 || (bytes = atoi(argv[1])) < 1 || bytes > MAX_BYTES || heap == NULL)
		fail("usage", "twice BYTES ordered|random FILE...");
	row_bytes = ID + bytes;
	for (int i = 3; i < argc; i++)
	{
		size_t		stem = strrchr(argv[i], '.') ? (size_t) (strrchr(argv[i], '.') - argv[i]) : strlen(argv[i]);

		if (strncmp(argv[i], argv[i - 1], stem + 1) != 0)
		{
			processes++;
			memset(last, 0, sizeof(last));
		}
		disorder += open_run(argv[i], last, &heap[count]);
		if (heap[count].next < heap[count].end)
			count++;
	}
	for (int i = count / 2 - 1; i >= 0; i--)
		sink(heap, count, i);
	for (; count > 0; rows++)
	{
		twice += rows > 0 && memcmp(heap[0].next + ID, last, bytes) == 0;
		memcpy(last, heap[0].next + ID, bytes);
		heap[0].next += row_bytes;
		if (heap[0].next >= heap[0].end)
			heap[0] = heap[--count];
		sink(heap, count, 0);
	}
	if (strcmp(argv[2], "ordered") != 0)
		disorder = 0;
	printf("%ld rows by %d processes, %ld twice, %ld out of order\n", rows, processes, twice, disorder);
	return 0;
}
