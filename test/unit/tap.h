/*
 * tap.h
 *		The Test Anything Protocol in one header, for tests that need no server.
 *
 * A test is one line of output: ok() prints it in one call, or conclude() combines
 * any number of check...() calls.  A conclusion without a single check fails, so
 * that an empty file or a loop that never runs is not a success.  main() ends with
 * "return done();".
 */
#ifndef TAP_H
#define TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* After this many failed checks in one test the others are only counted. */
#define TAP_SHOWN		5

static int	tap_tests;
static int	tap_failed;
static uint64_t tap_checks;		/* of the test being gathered */
static uint64_t tap_wrong;

#define TAP_PRINTF		__attribute__((format(printf, 1, 2), unused))

TAP_PRINTF static void
diag(const char *format,...)
{
	va_list		args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

/* The harness takes this for a failure of the whole program. */
__attribute__((noreturn)) TAP_PRINTF static void
bail_out(const char *format,...)
{
	va_list		args;

	printf("Bail out! ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	exit(255);
}

static inline bool
tap_count(bool good)
{
	tap_checks++;
	if (!good)
		tap_wrong++;
	return !good && tap_wrong <= TAP_SHOWN;
}

/* The arguments after the condition say what was checked; they are only evaluated to be shown. */
#define check(good, ...) \
	do { \
		if (tap_count(good)) \
			diag("failed: " __VA_ARGS__); \
	} while (0)

#define check_int(got, want, ...) \
	do { \
		intmax_t	got_ = (intmax_t) (got); \
		intmax_t	want_ = (intmax_t) (want); \
		\
		if (tap_count(got_ == want_)) \
		{ \
			diag("failed: " __VA_ARGS__); \
			diag("  got %jd, want %jd", got_, want_); \
		} \
	} while (0)

#define check_str(got, want, ...) \
	do { \
		const char *got_ = (got); \
		const char *want_ = (want); \
		\
		if (tap_count(strcmp(got_, want_) == 0)) \
		{ \
			diag("failed: " __VA_ARGS__); \
			diag("  got \"%s\", want \"%s\"", got_, want_); \
		} \
	} while (0)

TAP_PRINTF static void
conclude(const char *name,...)
{
	bool		good = tap_checks > 0 && tap_wrong == 0;
	va_list		args;

	if (tap_checks == 0)
		diag("nothing was checked");
	else if (tap_wrong > 0)
		diag("%" PRIu64 " of %" PRIu64 " checks failed", tap_wrong, tap_checks);
	printf("%s %d - ", good ? "ok" : "not ok", ++tap_tests);
	va_start(args, name);
	vprintf(name, args);
	va_end(args);
	if (tap_checks > 1)
		printf(" (%" PRIu64 " checks)", tap_checks);
	printf("\n");
	fflush(stdout);
	tap_failed += !good;
	tap_checks = tap_wrong = 0;
}

#define ok(good, ...) \
	do { \
		check(good, __VA_ARGS__); \
		conclude(__VA_ARGS__); \
	} while (0)

static inline int
done(void)
{
	if (tap_checks > 0)
		bail_out("checks after the last conclusion");
	printf("1..%d\n", tap_tests);
	if (tap_failed > 0)
		diag("%d of %d tests failed", tap_failed, tap_tests);
	return tap_failed > 0 || tap_tests == 0;
}

/* ---------- random numbers that a second run can repeat ---------- */

static uint64_t tap_random_state;

/* FLAKEID_SEED repeats the run that printed it. */
static inline void
seed_random(void)
{
	const char *given = getenv("FLAKEID_SEED");

	tap_random_state = given != NULL ? strtoull(given, NULL, 10) : (uint64_t) time(NULL);
	diag("FLAKEID_SEED=%" PRIu64, tap_random_state);
}

/* splitmix64 */
static inline uint64_t
random_bits(void)
{
	uint64_t	z = tap_random_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* 0 .. n - 1; the bias of the remainder does not matter to a test. */
static inline uint64_t
random_below(uint64_t n)
{
	return random_bits() % n;
}

static inline void
random_fill(uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t) random_bits();
}

#endif							/* TAP_H */
