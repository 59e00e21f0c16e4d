/*
 * issued_test.c
 *		The intervals in which IDs were issued: tested with tables, with all sequences
 *		of a few operations, with long random ones, and with clock incidents.
 *
 * FLAKEID_DEPTH=n tries sequences of n more operations than usual; each additional one
 * takes about 50 times as long.
 */
#include "kernel/flake.h"
#include "tap.h"

#define S(seconds)		((int64_t) (seconds) * FLAKE_US_PER_SECOND)
#define HOUR			3600

/*
 * Values are written as text: the intervals in seconds, the current one with a star,
 * 0 for the beginning of time.  "0-1000 5000-5002*" was issued up to 1000, and again
 * from 5000 on; the mark is 5002.
 */
static FlakeIssued
value(const char *text)
{
	FlakeIssued issued = {0};

	while (*text != '\0')
	{
		char	   *end;
		FlakeInterval *at = &issued.at[issued.count];

		if (issued.count == FLAKE_INTERVALS)
			bail_out("too many intervals: %s", text);
		at->from = S(strtoll(text, &end, 10));
		if (*end++ != '-')
			bail_out("no interval: %s", text);
		at->to = S(strtoll(end, &end, 10));
		if (*end == '*')
		{
			issued.current = issued.count;
			end++;
		}
		issued.count++;
		text = end + strspn(end, " ");
	}
	return issued;
}

static const char *
text_of(const FlakeIssued *issued)
{
	static char texts[4][400];
	static int	next = 0;
	char	   *text = texts[next = (next + 1) % 4];
	size_t		length = 0;

	for (int i = 0; i < issued->count; i++)
		length += snprintf(text + length, sizeof(texts[0]) - length, "%s%" PRId64 "-%" PRId64 "%s", i > 0 ? " " : "",
						   issued->at[i].from / S(1), issued->at[i].to / S(1), i == issued->current ? "*" : "");
	return text;
}

static void
check_value(const FlakeIssued *got, const char *want, const char *name)
{
	FlakeIssued wanted = value(want);

	check_str(text_of(got), want, "%s", name);
	check(flake_issued_equal(got, &wanted), "%s: the bytes that are not used are zero", name);
}

/* ---------- advance ---------- */

static const struct
{
	const char *name;
	const char *before;
	int64_t		at,				/* s */
				elapsed;
	bool		moved;
	const char *after;
	int64_t		floor;
}			advances[] = {
	{"the first move", "0-0*", 1000, 0, true, "1000-1002*", 1000},
	{"at the mark", "0-1000*", 1000, 1, true, "0-1002*", 0},
	{"near the mark", "0-1001*", 1001, 1, true, "0-1003*", 0},
	{"another session was faster", "0-1002*", 1000, 1, false, "0-1002*", 0},
	{"a second before the mark is not near", "0-1001*", 1000, 1, false, "0-1001*", 0},
	{"a minute is no jump", "0-1000*", 1060, 0, true, "0-1062*", 0},
	{"more is one, and the time between stays free", "0-1000*", 1061, 0, true, "0-1000 1061-1063*", 1061},
	{"time that has passed is no jump", "0-1000*", 5000, 3990, true, "0-5002*", 0},
	{"a jump over an issued interval", "0-1000* 2000-3000", 9000, 0, true, "0-1000 2000-3000 9000-9002*", 9000},
	{"a jump into one", "0-1000* 2000-3000", 2500, 0, true, "0-1000 2000-3002*", 3000},
	{"a jump to the start of one", "0-1000* 2000-3000", 2000, 0, true, "0-1000 2000-3002*", 3000},
	{"a jump to the end of one goes on with it", "0-1000* 2000-3000", 3000, 0, true, "0-1000 2000-3002*", 3000},
	{"a jump back to an older one", "0-1000 5000-6000*", 4000, 0, false, "0-1000 5000-6000*", 0},
	{"the mark stops at the next interval", "0-1000* 1001-1500", 1000, 1, true, "0-1001* 1001-1500", 0},
	{"and stays there", "0-1001* 1001-1500", 1000, 1, false, "0-1001* 1001-1500", 0},
	{"until the clock is there: the floor is its end", "0-1001* 1001-1500", 1001, 1, true, "0-1502*", 1500},
	{"time that passed beyond it", "0-1000* 1001-1500", 5000, 4000, true, "0-5002*", 1500},
	{"over two", "0-1000* 1001-1500 1600-1700", 1650, 700, true, "0-1702*", 1700},
	{"the lead after one stops at the next", "0-1001* 1001-1500 1501-1700", 1001, 1, true, "0-1501* 1501-1700", 1500},
	{"a seventh gives up the gap that is least against the time since",
		"0-1000 1100-2000 9000-10000 20000-30000 40000-50000 60000-70000*", 90000, 0, true,
	"0-2000 9000-10000 20000-30000 40000-50000 60000-70000 90000-90002*", 90000},
	{"not the newest jump, though it is the narrowest",
		"0-1000000 1010000-2000000 2010000-3000000 3010000-4000000 4010000-5000000 5010000-6000000*", 6000100, 0, true,
	"0-2000000 2010000-3000000 3010000-4000000 4010000-5000000 5010000-6000000 6000100-6000102*", 6000100},
};

static void
test_advance(void)
{
	for (size_t i = 0; i < sizeof(advances) / sizeof(advances[0]); i++)
	{
		FlakeIssued issued = value(advances[i].before);
		int64_t		floor = -1;

		check_int(flake_issued_advance(&issued, S(advances[i].at), S(advances[i].elapsed), &floor),
				  advances[i].moved, "%s: moved", advances[i].name);
		check_value(&issued, advances[i].after, advances[i].name);
		check_int(floor, S(advances[i].floor), "%s: floor", advances[i].name);
	}
	conclude("advance: %zu cases", sizeof(advances) / sizeof(advances[0]));
}

/* ---------- add ---------- */

static const struct
{
	const char *name;
	const char *before;
	int64_t		from,
				to;
	const char *after;
	int64_t		floor;
}			adds[] = {
	{"nothing", "0-1000*", 500, 500, "0-1000*", 0},
	{"within the current one: IDs are issued above it only", "0-1000*", 300, 900, "0-1000*", 900},
	{"a longer one", "0-1000*", 300, 1100, "0-1100*", 1100},
	{"an old one stops nothing", "500-1000*", 100, 300, "100-300 500-1000*", 0},
	{"one of the future stops nothing now", "0-1000*", 5000, 6000, "0-1000* 5000-6000", 0},
	{"one that begins at the mark", "0-1000*", 1000, 1100, "0-1000* 1000-1100", 0},
	{"one that ends where the current one begins", "500-1000*", 100, 500, "100-1000*", 0},
	{"without beginning", "500-1000*", 0, 1200, "0-1200*", 1200},
	{"without beginning, before the current one", "200-300 500-1000*", 0, 400, "0-400 500-1000*", 0},
	{"without beginning, where nothing was issued", "0-0*", 0, 1200, "0-1200*", 1200},
	{"with one, where nothing was issued", "0-0*", 300, 1200, "0-0* 300-1200", 0},
	{"it joins others, above", "0-1000* 2000-3000", 900, 2500, "0-3000*", 3000},
	{"and below", "0-100 200-300 500-1000*", 250, 600, "0-100 200-1000*", 600},
	{"others may be joined without the current one", "0-100 200-300 500-1000*", 50, 250, "0-300 500-1000*", 0},
	{"above it, too", "0-100* 200-300 500-1000", 250, 600, "0-100* 200-1000", 0},
	{"around an empty current one", "0-100 500-500*", 400, 600, "0-100 400-600*", 600},
	{"at an empty current one", "0-100 500-500*", 500, 600, "0-100 500-500* 500-600", 0},
	{"a seventh above: the narrowest gap goes, but not the one next to the mark",
		"0-1000* 1001-1100 1200-1300 1500-1600 2000-2100 3000-3100", 9000, 9100,
	"0-1000* 1001-1300 1500-1600 2000-2100 3000-3100 9000-9100", 0},
};

static void
test_add(void)
{
	for (size_t i = 0; i < sizeof(adds) / sizeof(adds[0]); i++)
	{
		FlakeIssued issued = value(adds[i].before);
		FlakeInterval other = {S(adds[i].from), S(adds[i].to)};

		check_int(flake_issued_add(&issued, other), S(adds[i].floor), "%s: floor", adds[i].name);
		check_value(&issued, adds[i].after, adds[i].name);
	}
	conclude("add: %zu cases", sizeof(adds) / sizeof(adds[0]));
}

static void
test_add_all(void)
{
	FlakeIssued issued = value("0-100 500-1000*");
	FlakeIssued others = value("0-50 700-800* 900-950 5000-6000");

	check_int(flake_issued_add_all(&issued, &others), S(950), "the highest floor of all");
	check_value(&issued, "0-100 500-1000* 5000-6000", "another value");
	others = issued;
	check_int(flake_issued_add_all(&issued, &others), S(1000), "its own: the floor is the mark");
	check_value(&issued, "0-100 500-1000* 5000-6000", "its own");
	conclude("add all");
}

/* ---------- adopt ---------- */

static void
test_adopt(void)
{
	FlakeIssued issued = value("0-0* 100-200 300-400 5000-6000");

	check_int(flake_issued_adopt(&issued, S(99)), 0, "before all of them");
	check_value(&issued, "0-0* 100-200 300-400 5000-6000", "before all of them");
	check_int(flake_issued_adopt(&issued, S(4999)), S(400), "between them");
	check_value(&issued, "100-200 300-400* 5000-6000", "between them");
	check_int(flake_issued_adopt(&issued, S(7000)), 0, "not where the server has issued itself");
	check_value(&issued, "100-200 300-400* 5000-6000", "not where the server has issued itself");
	conclude("adopt");
}

/* ---------- until ---------- */

static void
test_until(void)
{
	FlakeIssued issued = value("0-100 500-1000* 5000-6000 7000-8000");

	check_int(flake_issued_until(&issued, S(99)), S(100), "within the first");
	check_int(flake_issued_until(&issued, S(700)), S(100), "the current one does not count");
	check_int(flake_issued_until(&issued, S(4999)), S(100), "before the third");
	check_int(flake_issued_until(&issued, S(5000)), S(6000), "at its start");
	check_int(flake_issued_until(&issued, S(9000)), S(8000), "above all");
	issued = flake_issued_before(0);
	check_int(flake_issued_until(&issued, S(9000)), 0, "nothing issued");
	conclude("until");
}

/* ---------- reset ---------- */

static const struct
{
	const char *name;
	const char *before;
	int64_t		to;
	bool		force;
	bool		done;
	bool		lower;
	const char *after;
	int64_t		lost_from,
				lost_to;
}			resets[] = {
	{"a mark that leads as it always does stays", "0-1002*", 1000, false, true, false, "0-1002*", 0, 0},
	{"a mark of the past stays", "0-500*", 1000, false, true, false, "0-500*", 0, 0},
	{"no gap: refused", "0-2000*", 1000, false, false, true, NULL, 0, 0},
	{"before the gap: refused", "0-1500 9000-9002*", 1499, false, false, true, NULL, 0, 0},
	{"after the gap: refused", "0-1500 8000-9002*", 8000, false, false, true, NULL, 0, 0},
	{"into an older interval: refused", "0-500 1000-1500 9000-9002*", 1200, false, false, true, NULL, 0, 0},
	{"into an interval above: stays below it", "0-1000* 2000-3000", 2500, false, true, false, "0-1000* 2000-3000", 0, 0},
	{"into the gap: what was issued above stays issued", "0-1500 9000-9002*", 1600, false, true, true,
	"0-1500 1600-1600* 9000-9002", 0, 0},
	{"at the gap's beginning: goes on with the interval", "0-1500 9000-9002*", 1500, false, true, true,
	"0-1500* 9000-9002", 0, 0},
	{"at the gap's last instant", "0-1500 9000-9002*", 8999, false, true, true, "0-1500 8999-8999* 9000-9002", 0, 0},
	{"the second incident", "0-1500 1600-1700 20000-20002* 99000-99002", 1800, false, true, true,
	"0-1500 1600-1700 1800-1800* 20000-20002 99000-99002", 0, 0},
	{"corrected in two steps", "0-1500 5000-5000* 9000-9002", 1600, false, true, true,
	"0-1500 1600-1600* 9000-9002", 0, 0},
	{"into an older gap", "0-1500 5000-6000 9000-9002*", 3000, false, true, true,
	"0-1500 3000-3000* 5000-9002", 0, 0},
	{"an interval above within an hour is joined", "0-1500 9000-9100 12700-12702*", 1600, false, true, true,
	"0-1500 1600-1600* 9000-12702", 0, 0},
	{"more than an hour apart is not", "0-1500 9000-9100 12701-12703*", 1600, false, true, true,
	"0-1500 1600-1600* 9000-9100 12701-12703", 0, 0},
	{"and none below", "0-1000 1100-1500 9000-9100*", 1600, false, true, true,
	"0-1000 1100-1500 1600-1600* 9000-9100", 0, 0},
	{"a seventh gives up a gap below first", "0-1000 1100-5000 6000-7000 20000-21000 40000-41000 60000-61000*", 8000, false, true, true,
	"0-5000 6000-7000 8000-8000* 20000-21000 40000-41000 60000-61000", 0, 0},
	{"where there is none below, the narrowest above", "1000-1100 20000-21000 30000-31000 40000-41000 60000-61000 99000-99100*", 500, false, true, true,
	"500-500* 1000-1100 20000-31000 40000-41000 60000-61000 99000-99100", 21000, 30000},
	{"force goes anywhere", "0-2000*", 1000, true, true, true, "0-1000*", 0, 0},
	{"force forgets what was issued after the instant, in its interval alone", "0-2000* 3000-4000", 1000, true, true, true, "0-1000* 3000-4000", 0, 0},
	{"force into an older interval", "0-2000 5000-6000*", 1500, true, true, true, "0-1500* 5000-6000", 0, 0},
	{"force into one to come", "0-500* 3000-4000", 3500, true, true, false, "0-500* 3000-3500", 0, 0},
	{"force to where the mark runs into the next", "0-1500* 1200-1300 9000-9001", 1250, true, true, true, "0-1250* 1200-1250 9000-9001", 0, 0},
	{"but not before it", "0-2000 3000-4000*", 3500, true, true, true, "0-2000 3000-3500*", 0, 0},
	{"force into a gap", "0-2000 3000-4000*", 2500, true, true, true, "0-2000 2500-2500* 3000-4000", 0, 0},
	{"force above the mark, where nothing was issued", "0-500* 3000-4000", 1000, true, true, false, "0-500* 3000-4000", 0, 0},
	{"force never raises", "0-500*", 1000, true, true, false, "0-500*", 0, 0},
	{"force takes back less than the lead, too", "0-1002*", 1001, true, true, true, "0-1001*", 0, 0},
	{"force before everything", "500-600 1000-1100*", 100, true, true, true, "100-100* 500-1100", 0, 0},
};

static void
test_reset(void)
{
	for (size_t i = 0; i < sizeof(resets) / sizeof(resets[0]); i++)
	{
		const char *name = resets[i].name;
		FlakeIssued issued = value(resets[i].before);
		FlakeIssuedPlan plan;

		memset(&plan, 0xa5, sizeof(plan));	/* like uninitialized memory */
		check_int(flake_issued_reset(&issued, S(resets[i].to), resets[i].force, &plan), resets[i].done, "%s", name);
		check_value(&issued, resets[i].before, name);
		check_int(plan.lower, resets[i].lower, "%s: lower", name);
		if (!resets[i].done)
		{
			check(flake_issued_at(&issued, S(resets[i].to)) != NULL, "%s: an interval says why", name);
			check_int(plan.write, false, "%s: write", name);
			continue;
		}
		check_value(&plan.issued, resets[i].after, name);
		check_int(plan.write, strcmp(resets[i].before, resets[i].after) != 0, "%s: write", name);
		check_int(plan.lost.from, S(resets[i].lost_from), "%s: lost from", name);
		check_int(plan.lost.to, S(resets[i].lost_to), "%s: lost to", name);
	}
	conclude("reset: %zu cases", sizeof(resets) / sizeof(resets[0]));
}

/* ---------- all sequences of operations ---------- */

/*
 * A database with one generator, on a few instants, which are its only ticks.  Besides
 * the value it has the floor, the generator's word as the index of the first tick that
 * it has not passed, and, as the judge's own record, which ticks were issued at all, and
 * which with the present word.
 */
#define MOST_TICKS		16

typedef struct State
{
	FlakeIssued issued;
	int64_t		floor;
	int			word;
	uint32_t	used;
	uint32_t	own;
} State;

static int64_t ticks[MOST_TICKS];
static int	tick_count;
static uint64_t steps;
static uint64_t refusals;
static uint64_t losses;
static char story[1000];		/* the operations that led here */

/* The first tick that starts at or after us. */
static int
tick_from(int64_t us)
{
	int			t = 0;

	while (t < tick_count && ticks[t] < us)
		t++;
	return t;
}

/* The ticks that start in [from, to). */
static uint32_t
ticks_in(int64_t from, int64_t to)
{
	uint32_t	set = 0;

	for (int t = 0; t < tick_count; t++)
		if (ticks[t] >= from && ticks[t] < to)
			set |= UINT32_C(1) << t;
	return set;
}

static void
check_state(const State *state)
{
	const FlakeIssued *issued = &state->issued;
	int64_t		mark = flake_mark_of(issued);
	uint32_t	covered = 0;

	check(issued->count >= 1 && issued->count <= FLAKE_INTERVALS && issued->current >= 0 && issued->current < issued->count,
		  "%s: %s", story, text_of(issued));
	for (int i = 0; i < issued->count; i++)
	{
		check(issued->at[i].from < issued->at[i].to || i == issued->current, "%s: none is empty: %s", story, text_of(issued));
		if (i > 0)
			check(issued->at[i - 1].to <= issued->at[i].from, "%s: in order: %s", story, text_of(issued));
		covered |= ticks_in(issued->at[i].from, issued->at[i].to);
	}
	check((state->used & ~covered) == 0, "%s: forgets issued IDs: %s", story, text_of(issued));
	check(state->floor >= issued->at[issued->current].from, "%s: the floor is below the current interval: %s", story, text_of(issued));
	check((ticks_in(state->floor, mark) & state->used & ~state->own) == 0, "%s: may issue again, from %" PRId64 ": %s",
		  story, state->floor / S(1), text_of(issued));
}

/* Make an ID while the clock reads this tick. */
static void
make(State *state, int at, int64_t elapsed)
{
	int			t = tick_from(state->floor);
	int64_t		floor;

	t = t > at ? t : at;
	t = t > state->word ? t : state->word;
	if (t >= tick_count)
		return;
	(void) flake_issued_advance(&state->issued, ticks[t], elapsed, &floor);
	if (floor > state->floor)
		state->floor = floor;
	check(flake_mark_of(&state->issued) > ticks[t] || state->floor > ticks[t], "%s: no way on: %s", story, text_of(&state->issued));
	t = t > tick_from(state->floor) ? t : tick_from(state->floor);
	if (t >= tick_count || ticks[t] >= flake_mark_of(&state->issued))
		return;
	check((state->used >> t & 1) == 0, "%s: tick %d is issued again", story, t);
	state->used |= UINT32_C(1) << t;
	state->own |= UINT32_C(1) << t;
	state->word = t + 1;
}

static void
add(State *state, int64_t from, int64_t to)
{
	FlakeInterval other = {from, to};
	int64_t		floor = flake_issued_add(&state->issued, other);

	if (floor > state->floor)
		state->floor = floor;
	floor = flake_issued_adopt(&state->issued, ticks[tick_count / 2]);
	if (floor > state->floor)
		state->floor = floor;
	state->used |= ticks_in(from, to);
	state->own &= ~ticks_in(from, to);
}

static void
start(State *state)
{
	state->floor = flake_mark_of(&state->issued);
	state->word = 0;
	state->own = 0;
}

static void
reset(State *state, int64_t us, bool force)
{
	FlakeIssuedPlan plan;

	uint32_t	forgotten = 0;

	for (int i = 0; i < state->issued.count; i++)
		if (state->issued.at[i].from <= us && state->issued.at[i].to > us)
			forgotten |= ticks_in(us, state->issued.at[i].to);
	if (!flake_issued_reset(&state->issued, us, force, &plan))
	{
		refusals++;
		check(!force && flake_issued_at(&state->issued, us) != NULL, "%s: refused without a reason", story);
		return;
	}
	if (plan.lost.from < plan.lost.to)
	{
		losses++;
		check(plan.lost.from >= us && flake_issued_at(&state->issued, plan.lost.from) == NULL &&
			  flake_issued_at(&plan.issued, plan.lost.from) != NULL, "%s: lost what it was not", story);
	}
	state->issued = plan.issued;
	if (force)
		state->used &= ~forgotten;
	state->own &= state->used;
	if (plan.lower)
	{
		int			word = tick_from(us);

		state->floor = us;
		state->own = 0;
		state->word = word < state->word ? word : state->word;
	}
}

/* Do operation "op" of all operations; false if there is none with that number. */
static bool
operate(State *state, int op, char *said)
{
	if (op < 2 * tick_count)
	{
		sprintf(said, " make %" PRId64 "%s", ticks[op / 2] / S(1), op % 2 ? " later" : "");
		make(state, op / 2, op % 2 ? S(1000000000) : 0);
		return true;
	}
	op -= 2 * tick_count;
	if (op < 2 * tick_count)
	{
		sprintf(said, " reset %" PRId64 "%s", ticks[op / 2] / S(1), op % 2 ? " forced" : "");
		reset(state, ticks[op / 2], op % 2);
		return true;
	}
	op -= 2 * tick_count;
	for (int x = -1; x < tick_count; x += 2)
		for (int y = x + 1 + (x < 0); y < tick_count; y += 2)
			if (op-- == 0)
			{
				int64_t		from = x < 0 ? 0 : ticks[x];

				sprintf(said, " add %" PRId64 "-%" PRId64, from / S(1), ticks[y] / S(1));
				add(state, from, ticks[y]);
				return true;
			}
	sprintf(said, " start");
	start(state);
	return op == 0;
}

static void
explore(const State *from, int depth)
{
	char	   *end = story + strlen(story);

	for (int op = 0;; op++)
	{
		State		state = *from;
		bool		more = operate(&state, op, end);

		if (!more)
			break;
		steps++;
		check_state(&state);
		if (depth > 1 && memcmp(&state, from, sizeof(state)) != 0)
			explore(&state, depth - 1);
	}
	*end = '\0';
}

static int
depth_of(int usual)
{
	const char *more = getenv("FLAKEID_DEPTH");

	return usual + (more != NULL ? atoi(more) : 0);
}

static void
begin_story(State *state, const char *issued)
{
	memset(state, 0, sizeof(*state));
	state->issued = value(issued);
	for (int i = 0; i < state->issued.count; i++)
		state->used |= ticks_in(state->issued.at[i].from, state->issued.at[i].to);
	start(state);
	sprintf(story, "%s:", text_of(&state->issued));
}

/* The lead, the jump, and the hour of a reset each fit between two instants. */
static void
test_all_from_nothing(void)
{
	static const int64_t at[] = {1000, 1001, 1002, 1030, 1100, 1101, 5000, 5001, 9000};
	int			depth = depth_of(4);
	State		state;

	tick_count = sizeof(at) / sizeof(at[0]);
	for (int t = 0; t < tick_count; t++)
		ticks[t] = S(at[t]);
	steps = refusals = 0;
	begin_story(&state, "0-0*");
	explore(&state, depth);
	check(refusals > 0, "a reset was refused");
	conclude("all sequences of %d operations on %d instants: %" PRIu64 " steps", depth, tick_count, steps);
}

/* There are six intervals already; any of them is the current one. */
static void
test_all_from_full(void)
{
	static const int64_t gaps[2][FLAKE_INTERVALS] = {{100, 101, 102, 103, 104, 105}, {9000, 5000, 8000, 20000, 4000, 70}};
	int			depth = depth_of(2);

	steps = losses = 0;
	for (int g = 0; g < 2; g++)
		for (int current = 0; current < FLAKE_INTERVALS; current++)
		{
			FlakeIssued issued = {.count = FLAKE_INTERVALS, .current = current};
			State		state;
			int64_t		at = 1000;

			ticks[0] = S(at - 100);
			tick_count = 1;
			for (int i = 0; i < FLAKE_INTERVALS; i++)
			{
				ticks[tick_count++] = S(at);
				ticks[tick_count++] = S(at + 10);
				issued.at[i].from = S(at);
				issued.at[i].to = S(at + 10);
				at += gaps[g][i];
			}
			ticks[tick_count++] = S(at);
			begin_story(&state, text_of(&issued));
			explore(&state, depth);
		}
	check(losses > 0, "a gap above was given up");
	conclude("all sequences of %d operations on six intervals: %" PRIu64 " steps", depth, steps);
}

/* ---------- long random ones ---------- */

static uint64_t seed;

static uint32_t
below(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t) (seed >> 33) % n;
}

static void
test_random(void)
{
	static const int64_t apart[] = {1, 1, 2, 30, 70, 1000, 4000, 100000};
	const char *given = getenv("FLAKEID_SEED");

	seed = given != NULL ? strtoull(given, NULL, 10) : (uint64_t) time(NULL);
	diag("FLAKEID_SEED=%" PRIu64, seed);
	steps = refusals = 0;
	for (int walk = 0; walk < 20000; walk++)
	{
		int64_t		at = 1000;
		State		state;

		tick_count = MOST_TICKS;
		for (int t = 0; t < tick_count; t++, at += apart[below(8)])
			ticks[t] = S(at);
		begin_story(&state, "0-0*");
		if (walk % 2)
		{
			FlakeIssued issued = {.count = FLAKE_INTERVALS, .current = below(FLAKE_INTERVALS)};

			for (int i = 0; i < FLAKE_INTERVALS; i++)
			{
				issued.at[i].from = ticks[2 * i + 2];
				issued.at[i].to = ticks[2 * i + 3];
			}
			begin_story(&state, text_of(&issued));
		}
		for (int i = 0; i < 30; i++)
		{
			/* half of them IDs; and fewer of the many pairs to add */
			int			op = below(2) ? below(2 * tick_count) : below(4 * tick_count + 20);

			(void) operate(&state, op, story + strlen(story));
			steps++;
			check_state(&state);
		}
	}
	check(refusals > 0, "a reset was refused");
	conclude("random operations: %" PRIu64 " steps", steps);
}

/* ---------- incidents ---------- */

/*
 * A generator that can only go ahead of the clock, by ten seconds, over years: the
 * instants it has issued, and how often a reset had to be forced.
 */
typedef struct Server
{
	FlakeIssued issued;
	int64_t		floor;
	int64_t		word;			/* the instant after the last ID */
	int64_t		now;			/* the right time, in s */
	int64_t		wrong;			/* the clock is ahead by this */
	int64_t		moved;			/* when the mark was moved; 0: before a start */
	int64_t		ids[400];
	int			count;
	int			forced;
	int			again;
	int			refused;
} Server;

static void
server_make(Server *server)
{
	for (int tries = 0; tries < 10; tries++)
	{
		int64_t		clock = S(server->now + server->wrong);
		int64_t		at = clock;
		int64_t		floor;

		at = at > server->floor ? at : server->floor;
		at = at > server->word ? at : server->word;
		if (at - clock > S(10))
		{
			server->refused++;
			return;
		}
		if (at >= flake_mark_of(&server->issued))
		{
			(void) flake_issued_advance(&server->issued, at, server->moved != 0 ? S(server->now - server->moved) : 0, &floor);
			server->moved = server->now;
			server->floor = floor > server->floor ? floor : server->floor;
			continue;
		}
		for (int i = 0; i < server->count; i++)
			server->again += server->ids[i] == at;
		if (server->count < (int) (sizeof(server->ids) / sizeof(server->ids[0])))
			server->ids[server->count++] = at;
		server->word = at + 1;
		return;
	}
	check(false, "the mark does not move: %s", text_of(&server->issued));
}

static void
server_restart(Server *server, int64_t down)
{
	server->now += down;
	server->floor = flake_mark_of(&server->issued);
	server->word = 0;
	server->moved = 0;
	server_make(server);
	server->now += 5;
	server_make(server);
}

static void
server_reset(Server *server)
{
	int64_t		us = S(server->now + server->wrong);
	FlakeIssuedPlan plan;

	if (!flake_issued_reset(&server->issued, us, false, &plan))
	{
		server->forced++;
		(void) flake_issued_reset(&server->issued, us, true, &plan);
	}
	server->issued = plan.issued;
	if (plan.lower)
	{
		server->word = server->word < us ? server->word : us;
		server->floor = us;
	}
	server_make(server);
}

/* How far ahead: longer than all incidents last, or the right time may have been issued. */
static const int64_t errors[] = {24 * HOUR, 48 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 365 * 24 * HOUR, 3650 * 24 * HOUR};

/* So many incidents, each with so many restarts at the wrong time; then the clock passes everything. */
static void
incidents(Server *server, int count, int restarts, bool two_steps)
{
	memset(server, 0, sizeof(*server));
	server->issued = flake_issued_before(0);
	server->now = 1000000000;
	for (int i = 0; i < count; i++)
	{
		server->now += HOUR + below(HOUR);
		server_make(server);
		server->now += 120 + below(600);
		server->wrong = errors[below(sizeof(errors) / sizeof(errors[0]))] + below(1000);
		server_make(server);
		server->now += 60 + below(600);
		server_make(server);
		for (int r = 0; r < restarts; r++)
			server_restart(server, 120 + below(600));
		server->now += 10;
		if (two_steps)
		{
			server->wrong /= 2;
			server->now += 10;
			server_reset(server);
			server->now += 10;
			server_make(server);
		}
		server->wrong = 0;
		server->now += 10;
		server_reset(server);
		server->now += 10;
		server_make(server);
	}
	for (;;)
	{
		int64_t		next = INT64_MAX;

		/*
		 * to the next ID that was made at a wrong time, just before it and at
		 * it
		 */
		for (int i = 0; i < server->count; i++)
			if (server->ids[i] / S(1) > server->now + 1 && server->ids[i] < next)
				next = server->ids[i];
		if (next == INT64_MAX)
			break;
		server->now = next / S(1) - 1;
		server_make(server);
		server->now++;
		server_make(server);
	}
}

static void
test_incidents(void)
{
	static const struct
	{
		int			count,
					restarts;
		bool		two_steps;
	}			cases[] = {
		{1, 0, false}, {2, 0, false}, {3, 0, false}, {4, 0, false},
		{1, 1, false}, {2, 1, false}, {1, 2, false}, {2, 2, false}, {1, 3, false},
		{1, 0, true}, {2, 0, true}, {1, 1, true}, {1, 2, true},
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
	{
		int			forced = 0;

		for (int run = 0; run < 200; run++)
		{
			Server		server;

			incidents(&server, cases[c].count, cases[c].restarts, cases[c].two_steps);
			forced += server.forced > 0;
			check(server.forced > 0 || server.again == 0, "an ID is issued again");
		}
		diag("%d incidents with %d restarts in each%s: force needed in %d of 200 runs", cases[c].count, cases[c].restarts,
			 cases[c].two_steps ? ", corrected in two steps" : "", forced);
		check_int(forced, 0, "%d incidents with %d restarts in each", cases[c].count, cases[c].restarts);
	}
	conclude("no incident needs force because it was the second, or for a restart in the wrong time");
}

/* A year with a restart every month, then a wrong clock with restarts, then the reset. */
static void
test_year(void)
{
	for (int restarts = 0; restarts <= 4; restarts++)
	{
		int			forced = 0;

		for (int run = 0; run < 200; run++)
		{
			Server		server = {.issued = flake_issued_before(0), .now = 1000000000};

			for (int month = 0; month < 12; month++)
			{
				server.now += 30 * 24 * HOUR;
				server_make(&server);
				server_restart(&server, 120 + below(3 * HOUR));
			}
			server.now += 24 * HOUR;
			server_make(&server);
			server.now += 60;
			server.wrong = 3 * HOUR + below(1000000);
			server_make(&server);
			for (int r = 0; r < restarts; r++)
				server_restart(&server, 120 + below(600));
			server.now += 10;
			server.wrong = 0;
			server_reset(&server);
			forced += server.forced;
			check_int(server.again, 0, "an ID is issued again");
		}
		diag("a year, then %d restarts in a wrong time: force needed in %d of 200 runs", restarts, forced);
		check_int(forced, 0, "%d restarts", restarts);
	}
	conclude("a year of restarts leaves the jump of yesterday");
}

int
main(void)
{
	test_advance();
	test_add();
	test_add_all();
	test_adopt();
	test_until();
	test_reset();
	test_all_from_nothing();
	test_all_from_full();
	test_random();
	test_incidents();
	test_year();
	return done();
}
