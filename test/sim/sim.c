/*
 * sim.c
 *		Schedules that try to make the generator issue an ID twice.
 *
 *		sim				run every kind of random schedule, SIM_SCHEDULES (6000) of each,
 *						from seed SIM_SEED (1) on, and all schedules of every world with
 *						up to SIM_PREEMPTIONS (2) preemptions; print TAP.  (SIM_PRUNE=0:
 *						see search.c)
 *		sim NAME		run one kind or world
 *		sim -k, sim -w	print the names of the kinds, of the worlds
 *		sim KIND SEED, sim WORLD SCHEDULE
 *						run one schedule, and print everything that happens in it
 *		sim -m N, sim -a
 *						for mutants: run up to N schedules of every kind, in turns, or
 *						all schedules of every world, and end with the first that fails
 *		-l FILE			the library, instead of flake.so in the program's directory
 *
 * The code that is tested is the server's own: generate.c, mark.c and identity.c, and
 * the files that they need.  The simulation consists of
 *
 *		server.c		the simulated server: what of it is faked, and where
 *		kinds.c, schedule.c, events.c, end.c
 *						random schedules
 *		worlds.c, world.c, state.c, search.c
 *						small worlds, and all their schedules
 *		jobs.c			what backends are asked to do, in both
 *		checks.c, issued.c, identities.c, order.c, feeds.c
 *						what is checked
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

/* Run all schedules of a world.  Return whether no fault was found. */
static bool
test_world(int number, const char *name)
{
	char		line[2400];
	bool		good;

	kind = NULL;
	good = world_explore(name, (int) number_from(getenv("SIM_PREEMPTIONS"), 2), line, sizeof(line));
	printf("%s %d - %s\n", good ? "ok" : "not ok", number, line);
	if (!good)
		fprintf(stderr, "# %s\n# replay: build/sim/sim %s\n", sim_failure, line);
	return good;
}

/* Run the schedules of a kind.  Return whether no fault was found. */
static bool
test_kind(int number, const Kind *of, long seed)
{
	long		schedules = number_from(getenv("SIM_SCHEDULES"), 6000);
	long		n;

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

/* What the command line asks for. */
typedef struct Arguments
{
	long		hunt;			/* -m; -1: not given */
	bool		all;			/* -a */
	const Kind *kind;			/* NULL: none is named */
	const char *world;			/* NULL: none is named */
	const char *schedule;		/* NULL: all of them */
	char		library[4096];
} Arguments;

static bool
wants_kind(const Arguments *args, const Kind *one)
{
	return args->kind == NULL || args->kind == one;
}

static bool
wants_world(const Arguments *args, const char *one)
{
	return args->world == NULL || strcmp(args->world, one) == 0;
}

static void
print_kinds(void)
{
	for (size_t i = 0; i < kinds_count; i++)
		puts(kinds[i].name);
}

static void
print_worlds(void)
{
	for (int i = 0; world_name(i) != NULL; i++)
		puts(world_name(i));
}

/* Find the kind or the world of that name. */
static void
choose_name(Arguments *args, const char *name)
{
	for (size_t i = 0; i < kinds_count; i++)
		if (strcmp(kinds[i].name, name) == 0)
			args->kind = &kinds[i];
	if (find_world(name) != NULL)
		args->world = name;
	if (args->kind == NULL && args->world == NULL)
	{
		fprintf(stderr, "no such kind or world: %s\n", name);
		exit(2);
	}
}

/* Read the command line.  Does not return if it only asks for names, or is wrong. */
static void
read_arguments(Arguments *args, int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	int			option;

	snprintf(args->library, sizeof(args->library), "%.*sflake.so",
			 slash ? (int) (slash - argv[0]) + 1 : 0, argv[0]);
	while ((option = getopt(argc, argv, "akl:m:w")) != -1)
		switch (option)
		{
			case 'k':
				print_kinds();
				exit(0);
			case 'w':
				print_worlds();
				exit(0);
			case 'a':
				args->all = true;
				break;
			case 'l':
				snprintf(args->library, sizeof(args->library), "%s", optarg);
				break;
			case 'm':
				args->hunt = atol(optarg);
				break;
			default:
				exit(2);
		}
	if (optind < argc)
		choose_name(args, argv[optind]);
	if (optind + 1 < argc)
		args->schedule = argv[optind + 1];
}

/* Run one schedule, and print everything that happens.  Return the exit status. */
static int
replay(const Arguments *args)
{
	sim_tracing = true;
	if (args->kind != NULL ? schedule(args->kind, strtoull(args->schedule, NULL, 10)) :
		world_replay(args->world, args->schedule))
		return 0;
	printf("# %s\n", sim_failure);
	return 1;
}

/* Look for a fault, and end with the first one.  Return the exit status: 0 if there is one. */
static int
hunt(const Arguments *args, long seed)
{
	char		line[2400];

	for (int i = 0; args->all && world_name(i) != NULL; i++)
		if (wants_world(args, world_name(i)) && !world_explore(world_name(i), 2, line, sizeof(line)))
		{
			printf("world %s: %s\n", line, sim_failure);
			return 0;
		}
	for (long from = 0; from < args->hunt; from += 200)
		for (size_t i = 0; i < kinds_count; i++)
			for (long s = seed + from; s < seed + from + 200; s++)
				if (wants_kind(args, &kinds[i]) && !schedule(&kinds[i], (uint64) s))
				{
					printf("kind %s seed %ld: %s\n", kinds[i].name, s, sim_failure);
					return 0;
				}
	return 1;
}

int
main(int argc, char **argv)
{
	static Arguments args = {.hunt = -1};
	long		seed = number_from(getenv("SIM_SEED"), 1);
	int			tests = 0;
	int			failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	read_arguments(&args, argc, argv);
	sim_load(args.library);
	if (args.schedule != NULL)
		return replay(&args);
	if (args.all || args.hunt >= 0)
		return hunt(&args, seed);

	for (size_t i = 0; i < kinds_count; i++)
		if (args.world == NULL && wants_kind(&args, &kinds[i]))
			failed += !test_kind(++tests, &kinds[i], seed);
	for (int i = 0; world_name(i) != NULL; i++)
		if (args.kind == NULL && wants_world(&args, world_name(i)))
			failed += !test_world(++tests, world_name(i));
	printf("1..%d\n", tests);
	return failed > 0;
}
