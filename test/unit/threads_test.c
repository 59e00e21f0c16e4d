/*
 * threads_test.c
 *		Several threads lease from the same words by compare-and-swap, as backends
 *		do, with the machine's real clock: no number is leased twice, and each
 *		thread sees its numbers rise.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "kernel/flake.h"
#include "tap.h"

#define THREADS			4
#define GENERATORS		2
#define IDS_PER_THREAD	500000
#define SECONDS			20		/* a machine that needs longer is not waited
								 * for */

static const FlakeFormat *const sno = &flake_sno;

/*
 * The shared memory: a word per generator, one mark.  The second generator's
 * pool is so small that its ticks are exhausted all the time.
 */
static _Atomic uint64_t words[GENERATORS];
static _Atomic int64_t mark;
static const struct
{
	uint32_t	min;
	uint32_t	max;
}			pools[GENERATORS] = {{0, 65535}, {60000, 63999}};

/* A thread's part: what it issued, in order. */
typedef struct Worker
{
	pthread_t	thread;
	uint64_t	random;			/* state of its own; the shared one is not for
								 * threads */
	int			issued;
	int			lost;			/* swaps that another thread won */
	int			given_back;
	const char *fault;
	uint64_t	ids[IDS_PER_THREAD];
} Worker;

static Worker workers[THREADS];
static pthread_barrier_t all_here;

static int64_t
wall_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t) now.tv_sec * FLAKE_US_PER_SECOND + now.tv_nsec / 1000;
}

/* One number that sorts by generator, tick and sequence. */
static uint64_t
id_of(int generator, uint64_t tick, uint32_t sequence)
{
	return (uint64_t) generator << 63 | tick << 16 | sequence;
}

static uint32_t
draw(Worker *worker, uint32_t n)
{
	worker->random = worker->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t) ((worker->random >> 33) % n);
}

/*
 * Between reading and swapping a backend may be put to sleep.  On a machine with
 * few or busy cores that hardly happens by itself in so short a window.
 */
static void
doze(Worker *worker)
{
	if (draw(worker, 16) == 0)
		sched_yield();
}

typedef struct Lease
{
	uint64_t	tick;
	uint32_t	next;
	uint32_t	end;
	uint32_t	want;
} Lease;

/* Get numbers; false when time is up or at a verdict that a forward clock rules out. */
static bool
refill(Worker *worker, int generator, Lease *lease, int64_t deadline)
{
	FlakePatience patience = {0};

	for (;;)
	{
		FlakeView	view = {.stride = 1};
		FlakeStep	step;

		/* the order matters: see FlakeView */
		view.word = atomic_load(&words[generator]);
		view.now = wall_clock();
		view.mark = atomic_load(&mark);
		view.min = pools[generator].min;
		view.max = pools[generator].max;
		if (view.now > deadline)
			return false;

		switch (flake_step(sno, &view, lease->want, &patience, &step))
		{
			case FLAKE_LEASE:
				doze(worker);
				if (!atomic_compare_exchange_strong(&words[generator], &view.word, step.word))
				{
					worker->lost++;
					continue;
				}
				if (flake_us_of(&sno->rate, step.tick) >= view.mark)
					worker->fault = "a tick at or above the mark";
				if (step.next < view.min || step.end > view.max + 1 || step.next >= step.end)
					worker->fault = "a number outside the pool";
				lease->want = flake_next_want(lease->want, true, view.min, view.max);
				lease->tick = step.tick;
				lease->next = step.next;
				lease->end = step.end;
				return worker->fault == NULL;
			case FLAKE_UNMARKED:

				/*
				 * a tick's worth of lead, so that the mark moves often; lost
				 * to another is as good
				 */
				atomic_compare_exchange_strong(&mark, &view.mark,
											   flake_us_of(&sno->rate, step.tick + 2));
				continue;
			case FLAKE_EXHAUSTED:
			case FLAKE_BEHIND:	/* somebody adjusts the machine's clock */
				sched_yield();
				continue;
			case FLAKE_TOO_FAR:
			case FLAKE_OUT_OF_SPAN:
				worker->fault = "a verdict that does not belong here";
				return false;
		}
	}
}

static void *
work(void *arg)
{
	Worker	   *worker = arg;
	Lease		leases[GENERATORS] = {{.want = 1}, {.want = 1}};
	int64_t		deadline;

	pthread_barrier_wait(&all_here);
	deadline = wall_clock() + SECONDS * FLAKE_US_PER_SECOND;
	while (worker->issued < IDS_PER_THREAD)
	{
		int			generator = draw(worker, 8) == 0;
		Lease	   *lease = &leases[generator];
		uint64_t	clock_tick = flake_tick_of(&sno->rate, wall_clock());

		/* a lease of a tick that is over is dropped, as backends do */
		if ((lease->next == lease->end || lease->tick < clock_tick) &&
			!refill(worker, generator, lease, deadline))
			break;
		worker->ids[worker->issued++] = id_of(generator, lease->tick, lease->next++);

		if (draw(worker, 100) == 0)
		{
			uint64_t	word = atomic_load(&words[generator]);
			uint64_t	shorter;

			doze(worker);
			if (flake_give_back(sno, word, 0, lease->tick, lease->next, lease->end, &shorter) &&
				atomic_compare_exchange_strong(&words[generator], &word, shorter))
				worker->given_back++;

			/*
			 * given back or not: the tail is no longer ours, so wasted tails
			 * are tested too
			 */
			lease->next = lease->end;
		}
	}
	return NULL;
}

static int
by_value(const void *a, const void *b)
{
	uint64_t	x = *(const uint64_t *) a;
	uint64_t	y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

int
main(void)
{
	uint64_t   *all = malloc(sizeof(uint64_t) * THREADS * IDS_PER_THREAD);
	size_t		issued = 0;
	size_t		per_generator[GENERATORS] = {0};
	int			lost = 0;
	int			given_back = 0;

	if (all == NULL)
		bail_out("out of memory");
	seed_random();
	pthread_barrier_init(&all_here, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
	{
		workers[i].random = random_bits();
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			bail_out("cannot start a thread");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);

	for (int i = 0; i < THREADS; i++)
	{
		const Worker *w = &workers[i];
		uint64_t	last[GENERATORS] = {0};

		check(w->fault == NULL, "thread %d: %s", i, w->fault);
		for (int n = 0; n < w->issued; n++)
		{
			int			generator = (int) (w->ids[n] >> 63);

			check(w->ids[n] > last[generator], "thread %d: number %d rises", i, n);
			last[generator] = w->ids[n];
			per_generator[generator]++;
		}
		memcpy(all + issued, w->ids, sizeof(uint64_t) * (size_t) w->issued);
		issued += (size_t) w->issued;
		lost += w->lost;
		given_back += w->given_back;
	}
	conclude("each thread's numbers rise");

	qsort(all, issued, sizeof(uint64_t), by_value);
	for (size_t n = 1; n < issued; n++)
		check(all[n] != all[n - 1], "%016" PRIx64 " came twice", all[n]);
	conclude("no number is leased twice");

	/* a run in which the threads never met would prove nothing */
	diag("%zu and %zu numbers, %d swaps lost, %d tails given back",
		 per_generator[0], per_generator[1], lost, given_back);
	check(per_generator[0] > 10000 && per_generator[1] > 10000, "both generators were used");
	check(lost > 0, "threads competed");
	check(given_back > 0, "tails were given back");
	conclude("the threads got into each other's way");
	free(all);
	return done();
}
