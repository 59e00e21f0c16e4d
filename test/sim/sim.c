/*
 * sim.c
 *		Schedules that try to make the generator issue an ID twice.
 *
 *		sim				every kind of random schedule, SIM_SCHEDULES (6000) of each, from
 *						seed SIM_SEED (1) on, and all schedules of every world with up to
 *						SIM_PREEMPTIONS (2) preemptions; the answer is TAP.  (SIM_PRUNE=0:
 *						see search.c)
 *		sim NAME		one kind or world
 *		sim -k, sim -w	the names of the kinds, of the worlds
 *		sim KIND SEED, sim WORLD SCHEDULE
 *						one schedule, with everything that happens in it
 *		sim -m N, sim -a
 *						for mutants: up to N schedules of every kind, in turns, or all of
 *						every world; ends with the first that fails
 *		-l FILE			the library, instead of flake.so beside the program
 *
 * The code that is run is the server's own, generate.c, mark.c and identity.c with
 * all that belongs to them.  Around it there are
 *
 *		server.c		the server that is simulated: what of it is faked, and where
 *		kinds.c, schedule.c, events.c, end.c
 *						random schedules
 *		worlds.c, world.c, state.c, search.c
 *						small worlds, and all their schedules
 *		jobs.c			what backends are asked to do, in both
 *		checks.c, issued.c, identities.c, order.c, feeds.c
 *						what is checked of it
 *		formats.c		the formats, with few numbers and short sequences
 */
#include "schedule.h"
#include "world.h"

#include <unistd.h>

static long
number_from(const char *text, long otherwise)
{
	return text != NULL && *text != '\0' ? atol(text) : otherwise;
}

/* Run the schedules of a kind or (NULL) all those of a world; true when nothing was found. */
static bool
test(int number, const Kind *of, const char *world, long seed)
{
	long		schedules = number_from(getenv("SIM_SCHEDULES"), 6000);
	char		line[2400];
	long		n;

	kind = of;
	if (of == NULL)
	{
		bool		good = world_explore(world, (int) number_from(getenv("SIM_PREEMPTIONS"), 2), line, sizeof(line));

		printf("%s %d - %s\n", good ? "ok" : "not ok", number, line);
		if (!good)
			fprintf(stderr, "# %s\n# replay: build/sim/sim %s\n", sim_failure, line);
		return good;
	}
	memset(&count, 0, sizeof(count));
	for (n = 0; n < schedules && schedule(of, seed + n); n++)
		;
	if (n < schedules)
	{
		printf("not ok %d - schedule %lu of kind %s\n", number, (unsigned long) (seed + n), of->name);
		fprintf(stderr, "# %s\n# replay: build/sim/sim %s %lu\n", sim_failure, of->name, (unsigned long) (seed + n));
		return false;
	}
	printf("ok %d - %ld schedules of kind %s: %ld IDs, %ld crashes, %ld promotions, %ld toggles, %ld times gone ahead, %ld errors; no duplicate\n",
		   number, n, of->name, count.ids, count.events[EV_CRASH], count.events[EV_PROMOTE],
		   count.toggles, count.went_ahead, count.errors);
	return true;
}

int
main(int argc, char **argv)
{
	long		seed = number_from(getenv("SIM_SEED"), 1);
	long		hunt = -1;
	bool		all = false;
	char		library[4096];
	const char *slash = strrchr(argv[0], '/');
	const Kind *only = NULL;
	const char *world = NULL;
	int			option;
	int			tests = 0;
	int			failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(library, sizeof(library), "%.*sflake.so", slash ? (int) (slash - argv[0]) + 1 : 0, argv[0]);
	while ((option = getopt(argc, argv, "akl:m:w")) != -1)
		switch (option)
		{
			case 'k':
				for (size_t i = 0; i < kinds_count; i++)
					puts(kinds[i].name);
				return 0;
			case 'w':
				for (int i = 0; (world = world_name(i)) != NULL; i++)
					puts(world);
				return 0;
			case 'a':
				all = true;
				break;
			case 'l':
				snprintf(library, sizeof(library), "%s", optarg);
				break;
			case 'm':
				hunt = atol(optarg);
				break;
			default:
				return 2;
		}
	if (optind < argc)
	{
		for (size_t i = 0; i < kinds_count; i++)
			if (strcmp(kinds[i].name, argv[optind]) == 0)
				only = &kinds[i];
		for (int i = 0; world_name(i) != NULL; i++)
			if (strcmp(world_name(i), argv[optind]) == 0)
				world = argv[optind];
		if (only == NULL && world == NULL)
		{
			fprintf(stderr, "no such kind or world: %s\n", argv[optind]);
			return 2;
		}
	}
	sim_load(library);

	if (optind + 1 < argc)
	{
		sim_tracing = true;
		if (only ? schedule(only, strtoull(argv[optind + 1], NULL, 10)) : world_replay(world, argv[optind + 1]))
			return 0;
		printf("# %s\n", sim_failure);
		return 1;
	}

	for (int i = 0; all && world_name(i) != NULL; i++)
	{
		char		line[2400];

		if ((world == NULL || strcmp(world, world_name(i)) == 0) && !world_explore(world_name(i), 2, line, sizeof(line)))
		{
			printf("world %s: %s\n", line, sim_failure);
			return 0;
		}
	}
	for (long from = 0; from < hunt; from += 200)
		for (size_t i = 0; i < kinds_count; i++)
			for (long s = seed + from; s < seed + from + 200; s++)
				if ((only == NULL || only == &kinds[i]) && !schedule(&kinds[i], (uint64) s))
				{
					printf("kind %s seed %ld: %s\n", kinds[i].name, s, sim_failure);
					return 0;
				}
	if (all || hunt >= 0)
		return 1;

	for (size_t i = 0; i < kinds_count; i++)
		if (world == NULL && (only == NULL || only == &kinds[i]))
			failed += !test(++tests, &kinds[i], NULL, seed);
	for (int i = 0; world_name(i) != NULL; i++)
		if (only == NULL && (world == NULL || strcmp(world, world_name(i)) == 0))
			failed += !test(++tests, NULL, world_name(i), seed);
	printf("1..%d\n", tests);
	return failed > 0;
}
