/*
 * step_fuzz.c
 *		Backends, a clock and a schedule made of the input's bytes.
 *
 * The server here has four generators.  Three backends do what a backend does, and
 * may be interrupted after reading the word, after deciding, and before swapping.
 * Between their steps the clock moves either way, the pool and max_ahead change, and
 * the server crashes, which leaves only the marks.
 *
 * In every case no (timeline, tick, number) of a generator is issued twice, a number
 * is in the pool, a tick is below the mark, at or above the floor and not too far
 * ahead of the clock, a backend sees its numbers of a timeline rise, and a caller
 * that cannot lease gets an instant to wait for.
 */
#include "fuzz.h"

#define GENERATORS		4
#define BACKENDS		3
#define LEASES			1024	/* of one schedule */

/* More decisions than this without a wait are an endless loop. */
#define ROUNDS			8

typedef struct Lease
{
	int			generator;
	unsigned	timeline;
	uint64_t	tick;
	uint32_t	next;
	uint32_t	end;
} Lease;

typedef enum Phase
{
	IDLE,
	HAS_WORD,					/* has read the word of its generator */
	HAS_DECIDED					/* has read the rest and knows what to do */
} Phase;

typedef struct Backend
{
	Phase		phase;
	int			generator;
	FlakeView	view;
	uint32_t	want;
	uint32_t	stride;
	FlakePatience patience;
	FlakeVerdict verdict;
	FlakeStep	step;
	Lease	   *lease;			/* the last one; NULL once given back or lost */
	struct
	{
		uint64_t	tick;
		uint32_t	next;
	}			seen[GENERATORS][2];	/* later ones must be above, per
										 * timeline */
} Backend;

typedef struct Server
{
	const FlakeFormat *format;
	int64_t		now;
	unsigned	timeline;
	uint64_t	floor[2];
	uint64_t	ahead_until;
	int64_t		mark[2];
	int64_t		max_ahead;
	uint32_t	min;
	uint32_t	max;
	uint64_t	words[GENERATORS];
	Backend		backends[BACKENDS];
	Lease		leases[LEASES]; /* all that was issued */
	int			issued;
} Server;

static Server server;

static int64_t
us_of(uint64_t tick)
{
	return flake_us_of(&server.format->rate, tick);
}

static uint64_t
clock_tick(int64_t now)
{
	return flake_tick_of(&server.format->rate, now);
}

static void
read_word(Backend *b, int generator)
{
	/*
	 * a new request starts with fresh patience, one that waited goes on with
	 * its own
	 */
	if (b->generator != generator)
		memset(&b->patience, 0, sizeof(b->patience));
	b->generator = generator;
	b->view.word = server.words[generator];
	b->phase = HAS_WORD;
}

static void
read_rest(Backend *b)
{
	/* decided for a step back that the clock has since caught up with */
	if (server.now >= us_of(server.ahead_until))
		server.ahead_until = 0;
	b->view.now = server.now;
	b->view.timeline = server.timeline;
	b->view.floor = server.floor[server.timeline];
	b->view.ahead_until = server.ahead_until;
	b->view.mark = server.mark[server.timeline];
	b->view.max_ahead = server.max_ahead;
	b->view.min = server.min;
	b->view.max = server.max;
	/* formats with changeable pools take one number per ID */
	b->view.stride = server.min == 0 && server.max + 1 >= b->stride ? b->stride : 1;
}

/* The size of a request; a tick-tock format's IDs take one number each. */
static void
ask(Backend *b, uint8_t how)
{
	b->want = 1 + how % 16;
	b->stride = server.format->tick_tock ? 1 : UINT32_C(1) << (how >> 4) % 4;
}

static void
decide(Backend *b)
{
	read_rest(b);
	b->verdict = flake_step(server.format, &b->view, b->want, &b->patience, &b->step);
	b->phase = HAS_DECIDED;
}

static void
issue(Backend *b)
{
	const FlakeView *v = &b->view;
	const FlakeStep *s = &b->step;
	FlakeWord	after = flake_unword(server.format, s->word);
	Lease	   *lease;

	if (server.words[b->generator] != v->word || server.issued == LEASES)
		return;
	server.words[b->generator] = s->word;

	must(after.timeline == v->timeline && after.tick == s->tick && after.next == s->end);
	must(s->end - s->next >= v->stride && s->next % v->stride == 0);
	must(s->end - s->next <= (b->want > v->stride ? b->want : v->stride));
	must(s->next >= v->min && s->end <= v->max + 1);
	must(s->tick >= v->floor && s->tick <= server.format->rate.last_tick);
	must(us_of(s->tick) < v->mark);
	if (s->tick > clock_tick(v->now))
	{
		must(us_of(s->tick) - v->now <= v->max_ahead);
		must(!server.format->tick_tock || s->tick <= v->ahead_until);
	}
	else
		must(s->tick == clock_tick(v->now));

	for (int i = 0; i < server.issued; i++)
	{
		const Lease *l = &server.leases[i];

		must(l->generator != b->generator || l->timeline != v->timeline || l->tick != s->tick ||
			 l->end <= s->next || l->next >= s->end);
	}
	must(s->tick > b->seen[b->generator][v->timeline].tick ||
		 (s->tick == b->seen[b->generator][v->timeline].tick &&
		  s->next >= b->seen[b->generator][v->timeline].next));
	b->seen[b->generator][v->timeline].tick = s->tick;
	b->seen[b->generator][v->timeline].next = s->end;

	lease = &server.leases[server.issued++];
	lease->generator = b->generator;
	lease->timeline = v->timeline;
	lease->tick = s->tick;
	lease->next = s->next;
	lease->end = s->end;
	b->lease = lease;
	memset(&b->patience, 0, sizeof(b->patience));
}

/* Runs under the lock, so without interruption; return whether the caller must wait. */
static bool
turn(Backend *b)
{
	FlakeView	v;
	FlakeRegressed regressed;
	unsigned	other = 1 - server.timeline;

	must(server.format->tick_tock);
	b->view.word = server.words[b->generator];
	read_rest(b);
	if (!flake_in_span(&server.format->rate, server.now))
		return true;
	v = b->view;
	v.safe = server.mark[other];

	switch (flake_regression(server.format, &v, &regressed))
	{
		case FLAKE_REGRESSION_NONE:
			return false;
		case FLAKE_REGRESSION_WAIT:
			must(regressed.until > server.now);
			must(regressed.until <= us_of(clock_tick(server.now) + 1));
			return true;
		case FLAKE_REGRESSION_TOO_FAR:
			must(regressed.until > server.now);
			return true;
		case FLAKE_REGRESSION_AHEAD:
			must(regressed.ahead_until > clock_tick(server.now));
			server.ahead_until = regressed.ahead_until;
			return false;
		case FLAKE_REGRESSION_TOGGLE:
			must(server.now >= v.safe);
			must(us_of(regressed.floor) >= v.safe);
			must(regressed.floor <= clock_tick(server.now) + 1);
			must(other == 1 || regressed.floor > clock_tick(server.now));
			for (int i = 0; i < server.issued; i++)
				must(server.leases[i].timeline != other || server.leases[i].tick < regressed.floor);
			server.floor[other] = regressed.floor;
			server.timeline = other;
			return false;
	}
	must(false);
	return true;
}

/* Do what was decided; return whether there is more to do without a wait. */
static bool
act(Backend *b, uint8_t lead)
{
	b->phase = IDLE;
	switch (b->verdict)
	{
		case FLAKE_LEASE:
			issue(b);
			return false;
		case FLAKE_UNMARKED:
			{
				int64_t		mark = us_of(b->step.tick + 1) + lead * INT64_C(1000);

				if (server.mark[b->view.timeline] < mark)
					server.mark[b->view.timeline] = mark;
				return true;
			}
		case FLAKE_BEHIND:
			return !turn(b);
		case FLAKE_EXHAUSTED:
			must(b->step.until > b->view.now);
			must(b->step.until <= us_of(clock_tick(b->view.now) + 1));
			return false;
		case FLAKE_TOO_FAR:
			must(b->step.until > b->view.now);
			return false;
		case FLAKE_OUT_OF_SPAN:
			must(!flake_in_span(&server.format->rate, b->view.now) ||
				 b->step.tick > server.format->rate.last_tick);
			return false;
	}
	must(false);
	return false;
}

static void
uninterrupted(Backend *b, int generator, uint8_t lead)
{
	int			rounds = 0;

	do
	{
		must(rounds++ < ROUNDS);
		read_word(b, generator);
		decide(b);
	} while (act(b, lead));
}

static void
give_back(Backend *b, uint8_t used)
{
	uint64_t	shorter;
	uint32_t	next;

	if (b->lease == NULL)
		return;
	/* at least one is used: the lease was taken for it */
	next = b->lease->next + 1 + used % (b->lease->end - b->lease->next);
	if (flake_give_back(server.format, server.words[b->lease->generator], b->lease->timeline,
						b->lease->tick, next, b->lease->end, &shorter))
	{
		server.words[b->lease->generator] = shorter;
		b->lease->end = next;
		b->seen[b->lease->generator][b->lease->timeline].next = next;
	}
	b->lease = NULL;
}

static void
crash(unsigned timeline)
{
	memset(server.words, 0, sizeof(server.words));
	for (int i = 0; i < BACKENDS; i++)
	{
		server.backends[i].phase = IDLE;
		server.backends[i].lease = NULL;
		memset(&server.backends[i].patience, 0, sizeof(FlakePatience));
	}
	server.timeline = server.format->tick_tock ? timeline : 0;
	for (int i = 0; i < 2; i++)
		server.floor[i] = flake_tick_from(&server.format->rate, server.mark[i]);
	server.ahead_until = 0;
}

/* The pool is at any place, and often so small that it is soon exhausted. */
static void
change_pool(uint8_t how)
{
	static const struct
	{
		uint32_t	min;
		uint32_t	max;
	}			pools[] = {{0, 65535}, {0, 3}, {2, 9}, {7, 7}, {65530, 65535}, {4, 200}, {65535, 65535}, {0, 0}};

	server.min = pools[how % 8].min;
	server.max = pools[how % 8].max;
}

static void
start(uint8_t how)
{
	static FlakeFormat plain;
	const FlakeRate *rate = &flake_sno.rate;
	int64_t		starts[] = {
		flake_us_of(rate, UINT64_C(100000000)),
		rate->epoch_us,
		flake_last_us(rate) - 3000,
		flake_last_us(rate) - 2000000,
	};

	memset(&server, 0, sizeof(server));
	plain = flake_sno;
	plain.tick_tock = false;
	server.format = (how & 1) != 0 ? &plain : &flake_sno;
	server.now = starts[how >> 1 & 3];
	server.max_ahead = FLAKE_US_PER_SECOND;
	change_pool(how >> 3);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	start(data[0]);

	/* two bytes per event: which one and by whom, and how */
	for (size_t i = 1; i + 1 < size; i += 2)
	{
		uint8_t		what = data[i] & 15;
		int			who = data[i] >> 4 & 3;
		int			generator = data[i] >> 6;
		uint8_t		how = data[i + 1];
		Backend    *b = &server.backends[who % BACKENDS];

		switch (what)
		{
			case 0:
				server.now += how * INT64_C(50);
				break;
			case 1:
				server.now += how * INT64_C(4000);
				break;
			case 2:
				server.now -= how * INT64_C(50);
				break;
			case 3:
				server.now -= how * INT64_C(4000);
				break;
			case 4:
				read_word(b, generator);
				break;
			case 5:
				if (b->phase == HAS_WORD)
				{
					ask(b, how);
					decide(b);
				}
				break;
			case 6:
				if (b->phase == HAS_DECIDED)
					act(b, how);
				break;
			case 7:
				give_back(b, how);
				break;
			case 8:
				change_pool(how);
				break;
			case 9:
				server.max_ahead = how * INT64_C(1500);
				break;
			case 10:
				/* rare enough that something happens in between */
				if (how < 32)
					crash(how & 1);
				break;
			case 11:
				/* a whole number of units or nearly so */
				server.now = us_of(clock_tick(server.now) + how % 8) - (how >> 3 & 1);
				break;
			default:
				ask(b, how);
				uninterrupted(b, generator, how);
				break;
		}
	}
	return 0;
}
