/*
 * retention_test.c
 *		Which partitions go: the rule by tables and against its own words, and in worlds of nights
 *		with wrong clocks, pauses of the job, other steps, and rows on some days only; of these,
 *		RETENTION_WORLDS are random.
 */
#include "kernel/flake.h"
#include "tap.h"

#define MOST			11000	/* 400 calls create 25 at most */
#define DAY				24		/* an hour is a unit of time here */
#define YEAR			(365 * DAY)

typedef struct Part
{
	int64_t		lower;
	int64_t		upper;
	FlakeRows	rows;
	bool		goes;
} Part;

static Part parts[MOST];		/* by time */
static int	count;

static void
add(int64_t lower, int64_t upper, FlakeRows rows)
{
	if (count == MOST)
		bail_out("too many partitions");
	parts[count].lower = lower;
	parts[count].upper = upper;
	parts[count++].rows = rows;
}

/* ---------- the rule ---------- */

static int64_t
present_from(int64_t now)
{
	for (int i = 0; i < count; i++)
		if (parts[i].lower <= now && now < parts[i].upper && parts[i].upper != FLAKE_NO_END)
			return parts[i].lower;
	return FLAKE_NO_BEGIN;
}

static void
decide(int64_t now, int64_t retain, int ahead)
{
	FlakeRetention state = {.now = now, .retain = retain, .ahead = ahead, .unbroken_from = present_from(now)};
	int64_t		newer;

	for (int i = count - 1; i >= 0; i--)
		parts[i].goes = flake_retention_next(&state, parts[i].lower, parts[i].upper, parts[i].rows, &newer);
}

/* Does the rule, word for word, remove a partition? */
static bool
rule_says(const Part *part, int64_t now, int64_t retain, int ahead)
{
	int64_t		newest = FLAKE_NO_BEGIN;	/* end of the newest past one with
											 * rows */
	int64_t		span = 0;

	for (int i = 0; i < count; i++)
		if (parts[i].upper <= now && parts[i].rows == FLAKE_ROWS_SOME)
			newest = parts[i].upper;
	for (const Part *p = part + 1; p < parts + count && p->upper <= now; p++)
	{
		bool		unbroken = p->lower != FLAKE_NO_BEGIN;
		int			later = 0;	/* so many of the row are past and newer */

		for (const Part *q = p; unbroken && q->upper <= now; q++)
		{
			unbroken = q + 1 < parts + count && q[1].lower == q->upper && q[1].upper != FLAKE_NO_END;
			later += unbroken && q[1].upper <= now;
		}
		if (p->lower != FLAKE_NO_BEGIN && (p->rows == FLAKE_ROWS_SOME || (unbroken && later >= ahead)) &&
			(part->rows == FLAKE_ROWS_NONE || p->upper <= newest))
			span += p->upper - p->lower;
	}
	return part->upper <= now && part->upper <= now - retain && span >= retain;
}

/* Each letter is a partition of a day: r with rows, e empty, ? locked; a space is a day without one. */
static const struct
{
	const char *name;
	const char *there;
	int			now;			/* this day is the present */
	int			retain;			/* in days */
	int			ahead;
	const char *after;
}			rules[] = {
	{"rows every day", "rrrrrrre", 6, 3, 1, "   rrrre"},
	{"the first days", "rrre", 2, 3, 1, "rrre"},
	{"a gap without partitions does not count", "rrr          rre", 14, 3, 1, " rr          rre"},
	{"empty ones after a gap do not count either", "rrr   eeee  e", 12, 3, 0, "rrr   eeee  e"},
	{"empty ones in an unbroken row do", "rereeree", 6, 3, 0, "   eeree"},
	{"... except the last ahead", "rrreee", 5, 3, 2, "rrreee"},
	{"... of which those with rows count", "rrrrerree", 6, 3, 2, "  rrerree"},
	{"nobody writes: the newest rows stay", "rrrrreeeeeeeeee", 13, 3, 1, "  rrr    eeeeee"},
	{"no rows at all: empty ones go by what follows", "eeeeeeeee", 8, 3, 1, "    eeeee"},
	{"an empty one goes by what an older one with rows does not", "ereeee", 5, 3, 0, " reeee"},
	{"a locked one stays as if it had rows", "?reeee", 5, 3, 0, "?reeee"},
	{"... and is not the newest with rows", "rrrr?e", 5, 3, 0, " rrr?e"},
	{"... but fills the row", "rrr?rrr", 6, 3, 0, "   ?rrr"},
};

static void
test_rules(void)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
	{
		char		after[30] = {0};

		count = 0;
		for (int day = 0; rules[i].there[day] != '\0'; day++)
			if (rules[i].there[day] != ' ')
				add(day * DAY, day * DAY + DAY, rules[i].there[day] == 'r' ? FLAKE_ROWS_SOME : rules[i].there[day] == 'e' ? FLAKE_ROWS_NONE : FLAKE_ROWS_UNKNOWN);
		decide(rules[i].now * DAY + 3, rules[i].retain * DAY, rules[i].ahead);
		strcpy(after, rules[i].there);
		for (int p = 0; p < count; p++)
			if (parts[p].goes)
				after[parts[p].lower / DAY] = ' ';
		check_str(after, rules[i].after, "%s", rules[i].name);
	}
	conclude("the rule");
}

static void
test_words(void)
{
	for (int world = 0; world < 20000; world++)
	{
		int64_t		at = world % 5 == 0 ? FLAKE_NO_BEGIN : 0;
		int64_t		now = (int64_t) random_below(40 * DAY);
		int64_t		retain = (int64_t) (1 + random_below(12)) * DAY;
		int			ahead = (int) random_below(4);

		for (count = 0; count < 30;)
		{
			int64_t		upper = (at == FLAKE_NO_BEGIN ? 0 : at) + (1 + (int64_t) random_below(2)) * DAY;

			add(at, upper, random_below(3) == 0 ? FLAKE_ROWS_SOME : FLAKE_ROWS_NONE);
			at = upper + (random_below(12) == 0 ? DAY : 0);
		}
		if (world % 7 == 0)
			parts[count - 1].upper = FLAKE_NO_END;
		decide(now, retain, ahead);
		for (int i = 0; i < count; i++)
			check_int(parts[i].goes, rule_says(&parts[i], now, retain, ahead), "world %d, partition %d", world, i);
	}
	conclude("as its words say, in random tables");
}

/* ---------- nights ---------- */

/* What a call does; by the clock alone as a fault that must be found.  Returns the removed hours of ... */
static int64_t
call(int64_t now, int64_t step, int ahead, int64_t retain, bool by_clock, int64_t from, int64_t to)
{
	int64_t		present = now / step * step;
	int64_t		lost = 0;		/* ... partitions with rows between from and
								 * to */
	int			kept = 0;

	for (int n = 0; n <= ahead; n++)
	{
		int64_t		lower = present + n * step;
		int			i = count;

		while (i > 0 && parts[i - 1].lower >= lower + step)
			i--;
		if (i > 0 && parts[i - 1].upper > lower)
			continue;
		add(lower, lower + step, FLAKE_ROWS_NONE);
		for (Part new = parts[count - 1]; i < count; i++)
		{
			Part		moved = parts[i];

			parts[i] = new;
			new = moved;
		}
	}
	decide(now, retain, ahead);
	for (int i = 0; i < count; i++)
	{
		bool		goes = by_clock ? parts[i].upper <= now - retain : parts[i].goes;

		if (goes && parts[i].rows == FLAKE_ROWS_SOME && parts[i].upper > from && parts[i].lower <= to)
			lost += parts[i].upper - parts[i].lower;
		if (!goes)
			parts[kept++] = parts[i];
	}
	count = kept;
	return lost;
}

/* Write a row at an instant; false if no partition is there for it. */
static bool
put(int64_t at)
{
	for (int i = count - 1; i >= 0; i--)
		if (parts[i].lower <= at && at < parts[i].upper)
		{
			parts[i].rows = FLAKE_ROWS_SOME;
			return true;
		}
	return false;
}

static int64_t
widest(int64_t step)
{
	for (int i = 0; i < count; i++)
		if (parts[i].upper - parts[i].lower > step)
			step = parts[i].upper - parts[i].lower;
	return step;
}

static int64_t
one_of(const int64_t *list, size_t length)
{
	return list[random_below(length)];
}

#define ONE_OF(...)		one_of((const int64_t[]) {__VA_ARGS__}, sizeof((int64_t[]) {__VA_ARGS__}) / sizeof(int64_t))

/*
 * 400 nights, of which some are wrong, or one, whose steps, pauses and rows are random.  Counts the
 * right calls that removed what retain covers, and returns the worst wrong one, in steps.
 */
static double
world(bool by_clock, bool once, int *faults)
{
	int64_t		step = ONE_OF(1, DAY, DAY, 7 * DAY, 30 * DAY);
	int			ahead = (int) ONE_OF(0, 1, 2, 24);
	int64_t		retain = step * ONE_OF(1, 2, 3, 24, 90) + ONE_OF(0, 0, step / 2);
	int64_t		every = ONE_OF(DAY, DAY, 1, 3 * DAY);
	int64_t		percent = ONE_OF(100, 100, 70, 30, 5);	/* of the steps that
														 * have rows */
	bool		wrong_rows = random_below(2) == 0;
	int			wrong_night = 60 + (int) random_below(300);
	int64_t		t = 10000000;
	double		worst = 0;

	count = 0;
	for (int night = 0; night < 400; night++)
	{
		bool		wrong = once ? night == wrong_night : random_below(20) == 0;
		int64_t		skew = wrong ? ONE_OF(-YEAR, YEAR, 48, 40 * DAY, -40 * DAY) : 0;
		int64_t		length;
		int64_t		lost;

		t += every * (random_below(33) > 0 ? 1 : ONE_OF(3, 30));
		if (!once && random_below(100) == 0)
		{
			step = ONE_OF(1, DAY, 30 * DAY);
			retain = step > retain ? step : retain;
		}
		for (int i = 0; i < count; i++)
			if (parts[i].lower <= t && parts[i].lower >= t - every * 2 && random_below(100) < (uint64_t) percent)
				parts[i].rows = FLAKE_ROWS_SOME;
		if (skew != 0 && wrong_rows)
			(void) put(t + skew);
		length = widest(step);
		lost = call(t + skew, step, ahead, retain, by_clock, t - retain, t);
		if (skew == 0)
			*faults += lost > 0;
		else if ((double) lost / (double) length > worst)
			worst = (double) lost / (double) length;
	}
	return worst;
}

static void
test_worlds(void)
{
	int			faults = 0;
	int			by_clock_faults = 0;
	double		worst = 0;
	double		worst_of_many = 0;
	double		by_clock = 0;
	const char *given = getenv("RETENTION_WORLDS");

	for (int n = 0; n < (given == NULL ? 300 : atoi(given)); n++)
	{
		double		once = world(false, true, &faults);
		double		many = world(false, false, &faults);
		double		clock = world(true, true, &by_clock_faults);

		worst = once > worst ? once : worst;
		worst_of_many = many > worst_of_many ? many : worst_of_many;
		by_clock = clock > by_clock ? clock : by_clock;
	}
	diag("worst wrong night, in steps: the only one %.1f, one of many %.1f, by the clock alone %.1f", worst, worst_of_many, by_clock);
	ok(faults == 0, "a right clock removes nothing that retain covers");
	ok(worst <= 1, "the only wrong night removes one step at most");
	ok(by_clock > 1, "the clock alone removes more");
}

/* ---------- single worlds ---------- */

static bool
all_days(int64_t t)
{
	return t >= 0;
}

static bool
weekdays(int64_t t)
{
	return t / DAY % 7 < 5;
}

static bool
sundays(int64_t t)
{
	return t / DAY % 7 == 6;
}

static bool
office(int64_t t)
{
	return weekdays(t) && t % DAY >= 8 && t % DAY < 17;
}

static bool
never(int64_t t)
{
	return t < 0;
}

static const struct
{
	const char *name;
	bool		(*writes) (int64_t t);
	int64_t		step;
	int64_t		every;
	int			ahead;
	int			wrong_from;		/* hours after the start of day 50 ... */
	int			wrong_to;
	int64_t		skew;
	int			pause;			/* so many nights from day 80 on without the
								 * job */
	int			most_lost;		/* in steps */
	double		most_age;		/* of the oldest rows of right nights, in
								 * retain: 30 days */
	int			most_parts;
}			worlds[] = {
	{"rows every day", all_days, DAY, DAY, 2, 0, 0, 0, 0, 0, 1.07, 35},
	{"weekdays", weekdays, DAY, DAY, 2, 0, 0, 0, 0, 0, 1.15, 37},
	{"Sundays", sundays, DAY, DAY, 2, 0, 0, 0, 0, 0, 1.3, 41},
	{"Sundays, a weekly job", sundays, DAY, 7 * DAY, 9, 0, 0, 0, 0, 0, 1.5, 55},
	{"office hours", office, 1, DAY, 48, 0, 0, 0, 0, 0, 1.1, 850},
	{"never", never, DAY, DAY, 2, 0, 0, 0, 0, 0, 0, 36},
	{"a year ahead for a night", all_days, DAY, DAY, 2, 2, 26, YEAR, 0, 1, 1.1, 40},
	{"a year ahead for three", all_days, DAY, DAY, 4, 2, 74, YEAR, 0, 3, 1.2, 45},
	{"a year ahead for a night, steps of an hour", all_days, 1, DAY, 48, 2, 26, YEAR, 0, 50, 1.1, 900},
	{"two days ahead for a night", all_days, DAY, DAY, 2, 2, 26, 2 * DAY, 0, 2, 1.1, 40},
	{"twenty days ahead for a night", all_days, DAY, DAY, 30, 2, 26, 20 * DAY, 0, 2, 1.1, 85},
	{"a year behind for a night", all_days, DAY, DAY, 2, 2, 26, -YEAR, 0, 0, 1.1, 40},
	{"a job that is missed for a week", all_days, DAY, DAY, 9, 0, 0, 0, 7, 0, 1.35, 50},
	{"a job that is missed for a week, Sundays", sundays, DAY, DAY, 9, 0, 0, 0, 7, 0, 1.7, 60},
};

static void
test_single(void)
{
	const int64_t start = 7 * 1000 * DAY;
	const int64_t retain = 30 * DAY;

	for (size_t w = 0; w < sizeof(worlds) / sizeof(worlds[0]); w++)
	{
		const int64_t wrong = start + 50 * DAY;
		int64_t		lost = 0;
		int64_t		oldest = 0;
		int			most_parts = 0;

		count = 0;
		for (int64_t t = start; t < start + 200 * DAY; t++)
		{
			bool		is_wrong = t >= wrong + worlds[w].wrong_from && t < wrong + worlds[w].wrong_to;
			int64_t		now = t + (is_wrong ? worlds[w].skew : 0);
			bool		paused = t >= start + 80 * DAY && t < start + (80 + worlds[w].pause) * DAY;

			if (t % worlds[w].every == 3 % worlds[w].every && !paused)
				lost += call(now, worlds[w].step, worlds[w].ahead, retain, false, t - retain, t);
			if (worlds[w].writes(t) && !is_wrong && t > start + worlds[w].every)
				check(put(t), "%s: a partition for day %d", worlds[w].name, (int) ((t - start) / DAY));
			for (int i = 0; !is_wrong && !paused && i < count; i++)
				if (parts[i].rows == FLAKE_ROWS_SOME)
				{
					oldest = t - parts[i].lower > oldest ? t - parts[i].lower : oldest;
					break;
				}
			most_parts = count > most_parts ? count : most_parts;
		}
		diag("%s: lost %d steps, oldest %.2f of retain, %d partitions", worlds[w].name, (int) (lost / worlds[w].step), (double) oldest / (double) retain, most_parts);
		check(lost <= worlds[w].most_lost * worlds[w].step, "%s: lost", worlds[w].name);
		check((double) oldest <= worlds[w].most_age * (double) retain, "%s: the oldest rows", worlds[w].name);
		check(most_parts <= worlds[w].most_parts, "%s: partitions", worlds[w].name);
		conclude("%s", worlds[w].name);
	}
}

int
main(void)
{
	seed_random();
	test_rules();
	test_words();
	test_worlds();
	test_single();
	return done();
}
