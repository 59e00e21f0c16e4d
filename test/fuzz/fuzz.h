/*
 * fuzz.h
 *		Code shared by the fuzz targets.
 *
 * A target is LLVMFuzzerTestOneInput(), which aborts when something that must
 * hold does not.  clang -fsanitize=fuzzer provides the main() that searches for
 * such an input: see test/fuzz/run.sh.  With -DFLAKE_FUZZ_MAIN any compiler makes
 * a plain program of the same file, which takes two of libFuzzer's options and its
 * files:
 *
 *		build/sanitize/decode_fuzz [-runs=N] [-seed=N] [FILE ...]
 *
 * It replays the files or, without one, tries random inputs; that is one test.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/flake.h"

/* Not assert(): it must hold in a build with NDEBUG too. */
#define must(good) \
	do { \
		if (!(good)) \
		{ \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #good); \
			abort(); \
		} \
	} while (0)

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef FLAKE_FUZZ_MAIN

#include <time.h>

#define FUZZ_INPUT		4096

/* splitmix64 */
static uint64_t
fuzz_random(uint64_t *state)
{
	uint64_t	z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void
fuzz_replay(const char *path)
{
	/*
	 * exactly the file's size, so that a sanitizer detects a read past its
	 * end
	 */
	uint8_t		buffer[FUZZ_INPUT];
	uint8_t    *data;
	size_t		size;
	FILE	   *file = fopen(path, "rb");

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	size = fread(buffer, 1, sizeof(buffer), file);
	fclose(file);
	data = malloc(size + (size == 0));
	must(data != NULL);
	memcpy(data, buffer, size);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int
main(int argc, char **argv)
{
	uint64_t	runs = 50000;
	uint64_t	seed = (uint64_t) time(NULL);
	int			files = 0;

	for (int i = 1; i < argc; i++)
	{
		if (sscanf(argv[i], "-runs=%" SCNu64, &runs) == 1 ||
			sscanf(argv[i], "-seed=%" SCNu64, &seed) == 1)
			continue;
		fuzz_replay(argv[i]);
		files++;
	}
	if (files > 0)
	{
		printf("ok 1 - %d files replayed\n1..1\n", files);
		return 0;
	}

	/* before the runs: the one that aborts must be repeatable */
	printf("# -runs=%" PRIu64 " -seed=%" PRIu64 "\n", runs, seed);
	fflush(stdout);
	for (uint64_t run = 0; run < runs; run++)
	{
		size_t		size = fuzz_random(&seed) % 1024;
		uint8_t    *data = malloc(size + 1);

		must(data != NULL);
		if (fuzz_random(&seed) % 2 == 0)
			size %= 32;			/* texts are short */
		for (size_t i = 0; i < size; i++)
			data[i] = (uint8_t) fuzz_random(&seed);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	printf("ok 1 - %" PRIu64 " random inputs\n1..1\n", runs);
	return 0;
}

#endif							/* FLAKE_FUZZ_MAIN */

#endif							/* FUZZ_H */
