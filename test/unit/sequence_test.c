/*
 * sequence_test.c
 *		The generator's policy, with a clock that does what the test says.
 */
#include "flake.h"
#include "tsv.h"

static const FlakeFormat *const sno = &flake_sno;

/* sno without its second timeline: what a format that can only go ahead does. */
static FlakeFormat plain;

/* A unit in the middle of the span, for tests that do not care which. */
#define BASE		UINT64_C(100000000)
#define FOREVER		INT64_MAX

static int64_t
us_of(uint64_t tick)
{
	return flake_us_of(&sno->rate, tick);
}

static uint64_t
word(unsigned timeline, uint64_t tick, uint32_t next)
{
	FlakeWord	parts = {timeline, tick, next};

	return flake_word(sno, parts);
}

/* A view in which nothing but the clock stands in the way. */
static FlakeView
open_view(uint64_t generator, int64_t now)
{
	FlakeView	view = {0};

	view.word = generator;
	view.now = now;
	view.timeline = (unsigned) (generator >> 63);
	view.mark = FOREVER;
	view.max = 65535;
	view.stride = 1;
	return view;
}

/* ---------- a server of one generator ---------- */

/*
 * What generate.c does, without neighbours: the mark has no lead, so it always
 * is the end of the last tick issued.
 */
typedef struct Server
{
	const FlakeFormat *format;
	uint64_t	word;
	unsigned	timeline;
	uint32_t	toggles;
	uint64_t	floor[2];
	uint64_t	ahead_until;
	int64_t		mark[2];
	int64_t		max_ahead;
	int64_t		retired_from;
	int64_t		retired_to;
	uint32_t	min;
	uint32_t	max;

	int64_t		now;
	const char *script;			/* units that the clock reads next; NULL:
								 * waiting takes the time it takes */
	int			waits;
} Server;

static FlakeView
view_of(const Server *s)
{
	FlakeView	view = {
		.word = s->word,
		.now = s->now,
		.timeline = s->timeline,
		.floor = s->floor[s->timeline],
		.ahead_until = s->ahead_until,
		.mark = s->mark[s->timeline],
		.max_ahead = s->max_ahead,
		.retired = {s->retired_from, s->retired_to},
		.min = s->min,
		.max = s->max,
		.stride = 1,
	};

	return view;
}

/* The next number of the script, which is separated by commas. */
static bool
read_script(Server *s)
{
	char	   *end;
	uint64_t	units;

	if (*s->script == '\0')
		return false;
	units = strtoull(s->script, &end, 10);
	if (end == s->script || (*end != '\0' && *end != ','))
		bail_out("clock readings \"%s\" are no numbers", s->script);
	s->script = *end == ',' ? end + 1 : end;
	s->now = flake_us_of(&s->format->rate, units);
	return true;
}

static bool
wait_for(Server *s, int64_t until)
{
	s->waits++;
	check(until > s->now, "a wait is for an instant to come");
	if (s->script != NULL)
		return read_script(s);
	s->now = until;
	return true;
}

/* Lease as a backend does; false if the script ends before there is something to lease. */
static bool
lease(Server *s, uint32_t want, FlakePatience *patience, FlakeStep *step)
{
	for (int rounds = 0; rounds < 1000; rounds++)
	{
		/* decided for a step back that the clock has made up for */
		if (s->now >= flake_us_of(&s->format->rate, s->ahead_until))
			s->ahead_until = 0;
		FlakeView	view = view_of(s);
		FlakeRegressionView turn = {.view = view, .safe = s->mark[1 - s->timeline]};
		FlakeRegressed regressed;

		switch (flake_step(s->format, &view, want, patience, step))
		{
			case FLAKE_LEASE:
				s->word = step->word;
				return true;
			case FLAKE_UNMARKED:
				s->mark[s->timeline] = flake_us_of(&s->format->rate, step->tick + 1);
				continue;
			case FLAKE_EXHAUSTED:
			case FLAKE_TOO_FAR:
				if (!wait_for(s, step->until))
					return false;
				continue;
			case FLAKE_OUT_OF_SPAN:
				return false;
			case FLAKE_BEHIND:
				break;
		}

		if (flake_unword(s->format, s->word).timeline == s->timeline)
			turn.high = flake_unword(s->format, s->word).tick;
		switch (flake_regression(s->format, &turn, &regressed))
		{
			case FLAKE_REGRESSION_NONE:
				break;
			case FLAKE_REGRESSION_WAIT:
			case FLAKE_REGRESSION_TOO_FAR:
				if (!wait_for(s, regressed.until))
					return false;
				break;
			case FLAKE_REGRESSION_TOGGLE:
				s->timeline = 1 - s->timeline;
				s->floor[s->timeline] = regressed.floor;
				s->toggles++;
				break;
			case FLAKE_REGRESSION_AHEAD:
				s->ahead_until = regressed.ahead_until;
				break;
		}
	}
	check(false, "a caller steps and turns for ever");
	return false;
}

static bool
lease_one(Server *s, FlakeStep *step)
{
	FlakePatience patience = {0};

	return lease(s, 1, &patience, step);
}

/* ---------- the Go library's traces ---------- */

/* The number behind "key": in a snapshot. */
static uint64_t
json_number(const char *json, const char *key)
{
	char		quoted[32];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	at = strstr(json, quoted);
	if (at == NULL)
		bail_out("no %s in %s", quoted, json);
	return strtoull(at + strlen(quoted), NULL, 10);
}

/*
 * The library's state in our terms: wallHi and the sequence are the word, the
 * drifts' parity is the timeline, and nothing on the other timeline lies behind
 * the end of unit wallSafe.
 */
static void
restore(Server *s, const char *json)
{
	uint32_t	sequence = (uint32_t) json_number(json, "sequence");
	FlakeWord	generator;

	memset(s, 0, sizeof(*s));
	s->format = sno;
	s->min = (uint32_t) json_number(json, "sequenceMin");
	s->max = (uint32_t) json_number(json, "sequenceMax");
	check_int(sno_check_bounds(&s->min, &s->max, &sequence), SNO_BOUNDS_OK, "bounds of %s", json);
	s->toggles = (uint32_t) json_number(json, "drifts");
	s->timeline = s->toggles & 1;
	generator.timeline = s->timeline;
	generator.tick = json_number(json, "wallHi");
	generator.next = sequence + 1;
	s->word = flake_word(sno, generator);
	s->mark[s->timeline] = us_of(generator.tick + 1);
	s->mark[1 - s->timeline] = us_of(json_number(json, "wallSafe") + 1);
}

static uint64_t
wall_safe(const Server *s)
{
	return flake_tick_of(&sno->rate, s->mark[1 - s->timeline]) - 1;
}

/* And back: GeneratorSnapshot as the library writes it. */
static void
snapshot(const Server *s, unsigned partition, char *json, size_t room)
{
	FlakeWord	generator = flake_unword(sno, s->word);
	uint64_t	now = flake_tick_of(&sno->rate, s->now);

	snprintf(json, room, "{\"partition\":[%u,%u],\"sequenceMin\":%" PRIu32 ",\"sequenceMax\":%" PRIu32
			 ",\"sequence\":%" PRIu32 ",\"now\":%" PRIu64 ",\"wallHi\":%" PRIu64
			 ",\"wallSafe\":%" PRIu64 ",\"drifts\":%" PRIu32 "}", partition >> 8, partition & 255,
			 s->min, s->max, generator.tick == now ? generator.next - 1 : s->min, now,
			 generator.tick, wall_safe(s), s->toggles);
}

static void
library_traces(void)
{
	Tsv			tsv;
	Server		s = {0};
	unsigned	partition = 0;
	char		scenario[64] = "";

	tsv_open(&tsv, "test/vectors/sno_gen.tsv");
	while (tsv_next(&tsv))
	{
		const char *op = tsv_text(&tsv, "op");
		const char *note = tsv_text(&tsv, "note");
		FlakeWord	generator;

		if (strcmp(scenario, tsv_text(&tsv, "scenario")) != 0)
		{
			if (scenario[0] != '\0')
				conclude("sno_gen.tsv: %s", scenario);
			snprintf(scenario, sizeof(scenario), "%s", tsv_text(&tsv, "scenario"));
		}

		if (strcmp(op, "NewGenerator") == 0)
		{
			const char *bytes = strstr(note, "\"partition\":[");
			unsigned	high;
			unsigned	low;

			restore(&s, note);
			if (bytes == NULL || sscanf(bytes, "\"partition\":[%u,%u]", &high, &low) != 2)
				bail_out("line %d: no partition", tsv.line);
			partition = high << 8 | low;
			continue;
		}

		s.script = tsv_text(&tsv, "clock_readings");
		if (!read_script(&s))
			bail_out("line %d: no clock reading", tsv.line);
		if (strcmp(op, "Snapshot") == 0)
		{
			char		json[256];

			snapshot(&s, partition, json, sizeof(json));
			check_str(json, note, "line %d: snapshot", tsv.line);
		}
		else if (strcmp(op, "New") == 0)
		{
			SnoParts	parts;
			FlakeStep	step = {0};
			uint8_t		id[10];
			char		text[FLAKE_MAX_TEXT + 1];
			char		digits[2 * sizeof(id) + 1];

			check(lease_one(&s, &step), "line %d: an ID within the readings", tsv.line);
			check_str(s.script, "", "line %d: every reading is used", tsv.line);
			check_int(step.end - step.next, 1, "line %d: one number", tsv.line);
			parts.units = step.tick;
			parts.tick_tock = s.timeline;
			parts.meta = (unsigned) tsv_int(&tsv, "meta");
			parts.partition = partition;
			parts.sequence = step.next;
			sno_pack(&parts, id);
			sno->encode(id, text);
			check_str(hex_of(id, sizeof(id), digits), tsv_text(&tsv, "id_hex"), "line %d: ID", tsv.line);
			check_str(text, tsv_text(&tsv, "id_text"), "line %d: text", tsv.line);
			check_int(step.next, tsv_int(&tsv, "sequence"), "line %d: sequence", tsv.line);
		}
		else
			bail_out("line %d: unknown op %s", tsv.line, op);

		generator = flake_unword(sno, s.word);
		check_int(generator.tick, tsv_int(&tsv, "wall_hi"), "line %d: wallHi", tsv.line);
		check_int(wall_safe(&s), tsv_int(&tsv, "wall_safe"), "line %d: wallSafe", tsv.line);
		check_int(s.toggles, tsv_int(&tsv, "drifts"), "line %d: drifts", tsv.line);
		check_int(generator.timeline, s.toggles & 1, "line %d: tick-tock", tsv.line);
	}
	conclude("sno_gen.tsv: %s", scenario);
}

/*
 * A clock that steps back into a safe past: the library toggles at once, always
 * and to the very unit the clock reads.  We differ twice.
 */
static void
restore_at_1000(Server *s, unsigned drifts, const char *script)
{
	char		json[256];

	snprintf(json, sizeof(json), "{\"partition\":[0,1],\"sequenceMin\":0,\"sequenceMax\":0,"
			 "\"sequence\":4,\"now\":1000,\"wallHi\":1000,\"wallSafe\":0,\"drifts\":%u}", drifts);
	restore(s, json);
	s->script = script;
	read_script(s);
}

static void
unlike_the_library(void)
{
	Server		s;
	FlakeStep	step;

	/*
	 * One unit is less than many clocks wander: waiting it out keeps the
	 * order.
	 */
	restore_at_1000(&s, 0, "999,1000");
	check(lease_one(&s, &step) && *s.script == '\0', "the caller waited");
	check_int(step.tick, 1000, "in the unit it had come to");
	check_int(step.next, 5, "with the next number");
	check_int(s.toggles, 0, "on the same timeline");
	conclude("a step back of one unit waits (the library toggles)");

	/*
	 * Bit 0 sorts below bit 1 within a unit, and others may have issued on
	 * timeline 1 in the unit the clock reads: timeline 0 begins with the
	 * next, for which the caller waits.
	 */
	restore_at_1000(&s, 1, "990,991");
	check(lease_one(&s, &step) && *s.script == '\0', "the caller waited");
	check_int(step.tick, 991, "the unit behind the clock's");
	check_int(step.next, 0, "its first number");
	check_int(s.timeline, 0, "on the other timeline");
	conclude("from timeline 1 back to 0 begins with the next unit (the library: with the clock's)");
}

/* ---------- sno's other vectors ---------- */

static void
new_with_time_vectors(void)
{
	Tsv			tsv;
	int			outside = 0;

	tsv_open(&tsv, "test/vectors/sno_newwithtime.tsv");
	while (tsv_next(&tsv))
	{
		int64_t		us = tsv_int(&tsv, "unix_ns") / 1000;
		bool		wraps = strncmp(tsv_text(&tsv, "note"), "OUT OF RANGE", 12) == 0;
		SnoParts	parts = {0};
		uint8_t		id[10];
		char		text[FLAKE_MAX_TEXT + 1];
		char		digits[2 * sizeof(id) + 1];

		check_int(flake_in_span(&sno->rate, us), !wraps, "line %d: in the span", tsv.line);
		if (wraps)
		{
			outside++;
			continue;
		}
		parts.units = flake_tick_of(&sno->rate, us);
		parts.meta = (unsigned) tsv_int(&tsv, "meta");
		parts.partition = (unsigned) tsv_int(&tsv, "partition");
		parts.sequence = flake_roll_over((uint64_t) tsv_int(&tsv, "call_index"),
										 (uint32_t) tsv_int(&tsv, "seq_min"),
										 (uint32_t) tsv_int(&tsv, "seq_max"));
		sno_pack(&parts, id);
		sno->encode(id, text);
		check_str(hex_of(id, sizeof(id), digits), tsv_text(&tsv, "hex"), "line %d: ID", tsv.line);
		check_str(text, tsv_text(&tsv, "text"), "line %d: text", tsv.line);
	}
	check(outside > 0, "there are rows outside the span");
	conclude("sno_newwithtime.tsv: every row, outside the span refused");
}

static void
snapshot_vectors(void)
{
	static const struct
	{
		SnoBounds	bounds;
		const char *message;
	}			results[] = {
		{SNO_BOUNDS_IDENTICAL, "sequence bounds are identical"},
		{SNO_BOUNDS_TOO_FEW, "generators require a sequence pool"},
		{SNO_BOUNDS_UNDERFLOW, "current sequence underflows"},
	};
	uint32_t	min = 65535;
	uint32_t	max = 0;
	uint32_t	sequence = 0;
	Tsv			tsv;

	tsv_open(&tsv, "test/vectors/sno_snapshot.tsv");
	while (tsv_next(&tsv))
	{
		SnoBounds	got;
		SnoBounds	want = SNO_BOUNDS_OK;

		min = (uint32_t) tsv_int(&tsv, "in_min");
		max = (uint32_t) tsv_int(&tsv, "in_max");
		sequence = (uint32_t) tsv_int(&tsv, "in_sequence");
		got = sno_check_bounds(&min, &max, &sequence);
		if (strcmp(tsv_text(&tsv, "result"), "error") == 0)
		{
			for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
				if (strstr(tsv_text(&tsv, "message"), results[i].message) != NULL)
					want = results[i].bounds;
			check(want != SNO_BOUNDS_OK, "line %d: an error that we know", tsv.line);
		}
		check_int(got, want, "line %d: result", tsv.line);
		if (want != SNO_BOUNDS_OK)
			continue;
		check_int(min, tsv_int(&tsv, "out_min"), "line %d: min", tsv.line);
		check_int(max, tsv_int(&tsv, "out_max"), "line %d: max", tsv.line);
		check_int(sequence, tsv_int(&tsv, "out_sequence_when_now_eq_wallhi"), "line %d: sequence", tsv.line);
		check_int(max - min + 1, tsv_int(&tsv, "cap"), "line %d: cap", tsv.line);
	}
	conclude("sno_snapshot.tsv: every row");

	/*
	 * The one pair in which a max of 0 is no default but the lower bound, in
	 * the wrong place.
	 */
	min = 65535;
	max = 0;
	sequence = 0;
	check_int(sno_check_bounds(&min, &max, &sequence), SNO_BOUNDS_OK, "65535 and 0 are bounds");
	check_int(min, 0, "the lower one");
	check_int(max, 65535, "the upper one");
	conclude("bounds 65535 and 0 are swapped, as the library does");
}

/* ---------- the word ---------- */

static void
words(void)
{
	static const uint32_t nexts[] = {0, 1, 65535, 65536};
	static const uint64_t ticks[] = {0, 1, BASE, (UINT64_C(1) << 39) - 1};

	for (unsigned timeline = 0; timeline < 2; timeline++)
	{
		uint64_t	last = 0;
		bool		first = true;

		for (int t = 0; t < 4; t++)
		{
			for (int n = 0; n < 4; n++)
			{
				uint64_t	packed = word(timeline, ticks[t], nexts[n]);
				FlakeWord	back = flake_unword(sno, packed);

				check_int(back.timeline, timeline, "timeline of %" PRIx64, packed);
				check_int(back.tick, ticks[t], "tick of %" PRIx64, packed);
				check_int(back.next, nexts[n], "next of %" PRIx64, packed);
				check(first || packed > last, "%" PRIx64 " is above the one before", packed);
				last = packed;
				first = false;
			}
		}
	}
	conclude("words come back and rise with tick and number, up to next = 65536");
}

/* ---------- steps ---------- */

/* One step from a view with fresh patience: [next, end) of tick, or another verdict. */
static void
check_lease(const FlakeFormat *format, FlakeView view, uint32_t want, uint64_t tick,
			uint32_t next, uint32_t end, const char *what)
{
	FlakePatience patience = {0};
	FlakeStep	step = {0};
	FlakeVerdict verdict = flake_step(format, &view, want, &patience, &step);
	FlakeWord	swapped = flake_unword(format, step.word);

	check_int(verdict, FLAKE_LEASE, "%s", what);
	check_int(step.tick, tick, "%s: tick", what);
	check_int(step.next, next, "%s: next", what);
	check_int(step.end, end, "%s: end", what);
	check(swapped.timeline == view.timeline && swapped.tick == tick && swapped.next == end,
		  "%s: the word to swap in says so", what);
}

static FlakeStep
check_verdict(const FlakeFormat *format, FlakeView view, FlakeVerdict want, const char *what)
{
	FlakePatience patience = {0};
	FlakeStep	step = {0};

	check_int(flake_step(format, &view, 1, &patience, &step), want, "%s", what);
	return step;
}

static void
steps(void)
{
	const FlakeFormat *formats[] = {sno, &plain};

	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		FlakeView	v = open_view(0, us_of(BASE) + 1234);

		check_lease(f, v, 8, BASE, 0, 8, "a fresh generator");
		v.min = 10;
		v.max = 20;
		check_lease(f, v, 8, BASE, 10, 18, "a fresh generator with a pool");
		check_lease(f, v, 100, BASE, 10, 21, "no more than the pool");
		v.word = word(0, BASE, 15);
		check_lease(f, v, 2, BASE, 15, 17, "further in the same tick");
		v.word = word(0, BASE, 20);
		check_lease(f, v, 2, BASE, 20, 21, "the pool's last number");
		v.word = word(0, BASE - 1, 15);
		check_lease(f, v, 2, BASE, 10, 12, "a new tick starts the pool again");
		v.word = word(0, BASE - 1, 21);
		check_lease(f, v, 2, BASE, 10, 12, "so it does behind an exhausted one");
		v.word = word(0, BASE, 15);
		v.floor = BASE;
		check_lease(f, v, 2, BASE, 15, 17, "a floor at the tick itself");
		v.word = word(0, BASE - 5, 15);
		v.floor = BASE + 3;
		v.ahead_until = BASE + 3;
		v.max_ahead = FLAKE_US_PER_SECOND;
		check_lease(f, v, 2, BASE + 3, 10, 12, "a floor above clock and word");
		v.word = word(0, BASE + 2, 15);
		check_lease(f, v, 2, BASE + 3, 10, 12, "a floor above a word that runs ahead");
		v.word = word(0, BASE + 3, 15);
		check_lease(f, v, 2, BASE + 3, 15, 17, "a word ahead of the clock, on the floor");
	}
	conclude("what a step leases");

	{
		FlakeView	v = open_view(word(1, BASE + 1000, 30), us_of(BASE));

		v.timeline = 0;
		check_lease(sno, v, 2, BASE, 0, 2, "the word of the other timeline, ahead");
		v.word = word(1, BASE, 30);
		check_lease(sno, v, 2, BASE, 0, 2, "the word of the other timeline, in the same tick");
		v.word = word(0, BASE, 30);
		v.timeline = 1;
		check_lease(sno, v, 2, BASE, 0, 2, "likewise from 0 to 1");
		v.floor = BASE;
		v.word = word(1, BASE - 1, 30);
		check_lease(sno, v, 2, BASE, 0, 2, "up to the floor of the timeline in force");
	}
	conclude("a word of the other timeline counts for nothing");

	{
		FlakeView	v = open_view(0, us_of(BASE) + 100);

		v.mark = us_of(BASE);
		check_int(check_verdict(sno, v, FLAKE_UNMARKED, "a tick that starts at the mark").tick, BASE,
				  "the mark must pass this tick");
		v.mark = us_of(BASE) + 1;
		check_lease(sno, v, 1, BASE, 0, 1, "a tick that starts before the mark");
		v.mark = 0;
		check_verdict(sno, v, FLAKE_UNMARKED, "no mark at all");
	}
	conclude("a tick is issued if it starts before the mark");

	{
		FlakeView	v = open_view(word(0, BASE + 100, 7), us_of(BASE));

		v.max_ahead = us_of(BASE + 100) - v.now;
		check_lease(&plain, v, 1, BASE + 100, 7, 8, "as far ahead as may be");
		v.max_ahead--;
		check_int(check_verdict(&plain, v, FLAKE_TOO_FAR, "a microsecond farther").until, v.now + 1,
				  "the clock must read");
		v.ahead_until = BASE + 100;
		check_verdict(sno, v, FLAKE_BEHIND, "too far with a timeline to turn to");
		v.max_ahead++;
		check_lease(sno, v, 1, BASE + 100, 7, 8, "going ahead");
		v.ahead_until--;
		check_int(check_verdict(sno, v, FLAKE_BEHIND, "beyond what was decided").tick, BASE + 100,
				  "the tick ahead");
		v.ahead_until = 0;
		check_verdict(sno, v, FLAKE_BEHIND, "nothing was decided");
	}
	conclude("ahead of the clock: up to max_ahead, for sno up to what was decided");
}

static void
spans(void)
{
	const FlakeFormat *formats[] = {sno, &plain};
	uint64_t	last = sno->rate.last_tick;
	int64_t		last_us = flake_last_us(&sno->rate);

	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		FlakePatience patience = {0};
		FlakeStep	step;
		FlakeView	v = open_view(0, sno->rate.epoch_us);

		check_lease(f, v, 1, 0, 0, 1, "the first microsecond");
		v.now--;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a clock before the epoch");
		v.now = 0;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a clock of 1970");
		v.word = word(0, BASE, 1);
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a generator of today, a clock of 1970");
		v.word = 0;
		v.now = last_us;
		check_lease(f, v, 1, last, 0, 1, "the last microsecond");
		v.now++;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a clock behind the span");

		v.word = word(0, last, 65536);
		v.now = last_us;
		check_verdict(f, v, FLAKE_EXHAUSTED, "the last tick is exhausted");

		/* ahead of the clock the ticks end as well */
		v.now = us_of(last - 10);
		v.ahead_until = UINT64_MAX;
		v.max_ahead = FOREVER;
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "ahead and exhausted");
		v.now = us_of(last - 9);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_OUT_OF_SPAN, "no tick behind the last");
		v.word = word(0, BASE, 1);
		v.floor = last + 1;
		check_verdict(f, v, FLAKE_OUT_OF_SPAN, "a floor behind the last tick");
	}
	conclude("a clock or a tick outside the span is refused, never wrapped");
}

/* ---------- pools ---------- */

static const struct
{
	uint32_t	min;
	uint32_t	max;
}			pools[] = {{0, 65535}, {10, 20}, {65530, 65535}, {7, 7}};

#define POOLS	(sizeof(pools) / sizeof(pools[0]))

/* Empty a tick's pool in leases of "size", 0 for doubling ones, -1 for random ones. */
static void
drain(FlakeView *view, int size)
{
	uint32_t	expected = view->min;
	uint32_t	want = 1;
	FlakePatience patience = {0};
	FlakeStep	step;

	/* bounded, as the pool is: a policy gone wrong must fail, not hang */
	for (uint32_t leases = view->min; leases <= view->max; leases++)
	{
		if (size > 0)
			want = (uint32_t) size;
		else if (size < 0)
			want = 1 + (uint32_t) random_below(1024);
		if (flake_step(sno, view, want, &patience, &step) != FLAKE_LEASE)
			break;
		check_int(step.next, expected, "a lease starts where the last one ended");
		check(step.end > step.next && step.end - step.next <= want, "it holds 1 to %" PRIu32, want);
		check(step.end <= view->max + 1, "it stays in the pool");
		expected = step.end;
		view->word = step.word;
		want = flake_next_want(want, true, view->min, view->max);
	}
	check_int(expected, view->max + 1, "the leases cover %" PRIu32 " to %" PRIu32, view->min, view->max);
	check_int(flake_step(sno, view, 1, &patience, &step), FLAKE_EXHAUSTED, "then there is no more");
	check_int(step.until, us_of(flake_tick_of(&sno->rate, view->now) + 1), "until the next tick starts");
}

static void
pool_exhaustion(void)
{
	for (size_t i = 0; i < POOLS; i++)
	{
		FlakeView	v = open_view(0, us_of(BASE));

		v.min = pools[i].min;
		v.max = pools[i].max;
		for (int size = -1; size <= 1024; size++)
		{
			drain(&v, size);
			v.now = us_of(flake_tick_of(&sno->rate, v.now) + 1) + (int64_t) random_below(4000);
		}
		conclude("pool %" PRIu32 "-%" PRIu32 ": each number of a tick once, in leases of any size",
				 v.min, v.max);
	}
}

static void
lease_sizes(void)
{
	uint32_t	want = 1;

	for (uint32_t expected = 1; expected < 2048; expected *= 4)
	{
		check_int(want, expected, "four times as much");
		want = flake_next_want(want, true, 0, 65535);
	}
	check_int(want, 2048, "up to a 32nd of the pool");
	check_int(flake_next_want(want, true, 0, 65535), 2048, "and no more");
	check_int(flake_next_want(want, false, 0, 65535), 1, "one after a pause");
	check_int(flake_next_want(4, true, 1000, 1319), 10, "a pool of 320");
	for (uint32_t max = 0; max < 63; max++)
		check_int(flake_next_want(1, true, 0, max), 1, "a pool of %" PRIu32, max + 1);
	check_int(flake_next_want(1, true, 0, 63), 2, "a pool of 64");
	conclude("leases of a busy session grow fourfold, to a 32nd of the pool");
}

/* Callers that take several numbers an ID, aligned, mixed with others that take one. */
static void
strides(void)
{
	FlakeView	v = open_view(word(0, BASE, 0), us_of(BASE));

	v.stride = 8;
	check_lease(&plain, v, 1, BASE, 0, 8, "at least one ID's worth");
	check_lease(&plain, v, 20, BASE, 0, 20, "more, if wanted");
	v.word = word(0, BASE, 1);
	check_lease(&plain, v, 1, BASE, 8, 16, "aligned, and 1 to 7 are skipped");
	v.word = word(0, BASE, 16);
	check_lease(&plain, v, 1, BASE, 16, 24, "aligned already");
	v.word = word(0, BASE, 65528);
	check_lease(&plain, v, 64, BASE, 65528, 65536, "the pool's last ID");
	v.word = word(0, BASE, 65529);
	check_verdict(&plain, v, FLAKE_EXHAUSTED, "no room for another");
	v.stride = 4;
	check_lease(&plain, v, 1, BASE, 65532, 65536, "but for a smaller one");
	v.word = word(0, BASE, 10);
	v.stride = 8;
	v.max = 23;
	check_lease(&plain, v, 1, BASE, 16, 24, "a pool that ends where the ID does");
	v.max = 22;
	check_verdict(&plain, v, FLAKE_EXHAUSTED, "a pool that ends within it");

	for (int round = 0; round < 50; round++)
	{
		uint32_t	last = 0;

		v = open_view(word(0, BASE, 0), us_of(BASE));
		v.max = 4095 - (uint32_t) random_below(64);
		for (uint32_t leases = 0; leases <= v.max; leases++)
		{
			uint32_t	want = 1 + (uint32_t) random_below(100);
			FlakePatience patience = {0};
			FlakeStep	step;

			v.stride = UINT32_C(1) << random_below(6);
			if (flake_step(&plain, &v, want, &patience, &step) != FLAKE_LEASE)
			{
				check(last + 2 * v.stride - 1 > v.max + 1, "%" PRIu32 ": exhausted too early", last);
				break;
			}
			check(step.next >= last && step.next - last < v.stride, "behind %" PRIu32, last);
			check_int(step.next % v.stride, 0, "aligned");
			check(step.end - step.next >= v.stride && step.end <= v.max + 1, "room for an ID, in the pool");
			last = step.end;
			v.word = step.word;
		}
	}
	conclude("IDs that take several numbers are aligned and lie beside the others");
}

static void
giving_back(void)
{
	uint64_t	leased = word(1, BASE, 20);
	uint64_t	shorter = 0;

	check(flake_give_back(sno, leased, 1, BASE, 13, 20, &shorter), "the tail of the last lease");
	check_int(shorter, word(1, BASE, 13), "is free again");
	check(flake_give_back(sno, leased, 1, BASE, 10, 20, &shorter), "a lease of which nothing was used");
	check_int(shorter, word(1, BASE, 10), "is free again");
	check(flake_give_back(sno, word(0, BASE, 65536), 0, BASE, 65535, 65536, &shorter), "of the pool's end");
	check_int(shorter, word(0, BASE, 65535), "the tick is no longer exhausted");

	shorter = 42;
	check(!flake_give_back(sno, leased, 1, BASE, 20, 20, &shorter), "no tail");
	check(!flake_give_back(sno, word(1, BASE, 21), 1, BASE, 13, 20, &shorter), "leased further since");
	check(!flake_give_back(sno, word(1, BASE, 13), 1, BASE, 13, 20, &shorter), "given back before");
	check(!flake_give_back(sno, word(1, BASE + 1, 20), 1, BASE, 13, 20, &shorter), "another tick");
	check(!flake_give_back(sno, word(0, BASE, 20), 1, BASE, 13, 20, &shorter), "another timeline");
	check_int(shorter, 42, "and nothing is answered");
	conclude("a lease's tail goes back while it is the last of its tick");
}

/* Rule: next = max(next, min), never a reset; so pools may even overlap. */
static void
changed_pools(void)
{
	FlakeView	v = open_view(word(0, BASE, 10), us_of(BASE));

	v.max = 100;
	check_lease(sno, v, 1, BASE, 10, 11, "the pool 0-100");
	v.min = 5;
	v.max = 20;
	check_lease(sno, v, 1, BASE, 10, 11, "moved to 5-20: goes on");
	v.min = 50;
	v.max = 60;
	check_lease(sno, v, 1, BASE, 50, 51, "moved up to 50-60: starts there");
	v.word = word(0, BASE, 61);
	check_verdict(sno, v, FLAKE_EXHAUSTED, "used up");
	v.min = 0;
	v.max = 100;
	check_lease(sno, v, 1, BASE, 61, 62, "and back: never again below 61");
	v.max = 5;
	check_verdict(sno, v, FLAKE_EXHAUSTED, "moved below what was leased");

	for (int round = 0; round < 200; round++)
	{
		static bool issued[65536];
		FlakePatience patience = {0};
		FlakeStep	step;

		memset(issued, 0, sizeof(issued));
		v = open_view(0, us_of(BASE + (uint64_t) round));
		for (int n = 0; n < 200; n++)
		{
			v.min = (uint32_t) random_below(65536);
			v.max = v.min + (uint32_t) random_below(65536 - v.min);
			if (flake_step(sno, &v, 1 + (uint32_t) random_below(300), &patience, &step) != FLAKE_LEASE)
				continue;
			for (uint32_t i = step.next; i < step.end; i++)
			{
				check(i >= v.min && i <= v.max, "%" PRIu32 " is in the pool", i);
				check(!issued[i], "%" PRIu32 " for the first time", i);
				issued[i] = true;
			}
			v.word = step.word;
		}
	}
	conclude("a pool changed within a tick repeats nothing");
}

/* ---------- ahead of the clock ---------- */

static void
patience_ahead(void)
{
	const FlakeFormat *formats[] = {sno, &plain};

	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		uint64_t	ahead = BASE + 50;
		FlakePatience patience = {0};
		FlakePatience other = {0};
		FlakeStep	step;
		FlakeView	v = open_view(word(0, ahead, 65536), us_of(BASE) + 3999);

		v.ahead_until = UINT64_MAX;
		v.max_ahead = FLAKE_US_PER_SECOND;
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "found exhausted");
		check_int(step.until, us_of(BASE + 1), "until the clock's next tick");
		check_int(step.tick, ahead, "the tick");
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "the clock has not moved");
		v.now++;
		check_int(flake_step(f, &v, 1, &other, &step), FLAKE_EXHAUSTED, "another finds it exhausted now");
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_LEASE, "the clock has moved by a tick");
		check_int(step.tick, ahead + 1, "one tick further");
		check_int(step.next, 0, "from the pool's start");
		v.now += 3999;
		check_int(flake_step(f, &v, 1, &other, &step), FLAKE_EXHAUSTED, "less than a tick since he found it");
		v.now = us_of(BASE + 7);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_LEASE, "the clock has moved by seven");
		check_int(step.tick, ahead + 1, "still one tick further");

		/* exhausted again by somebody else: that is to be waited for anew */
		v.word = word(0, ahead + 1, 65536);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "the next one is exhausted");
		v.now = us_of(BASE + 8);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_LEASE, "the clock has moved by a tick");
		check_int(step.tick, ahead + 2, "and the next one");
	}
	conclude("ahead of the clock, tick T + 1 opens a tick after T was found exhausted");

	/*
	 * The clock steps back while a caller waits: what he remembers was found
	 * by a clock that has not come yet, and must not make him wait for it.
	 */
	for (int i = 0; i < 2; i++)
	{
		const FlakeFormat *f = formats[i];
		FlakePatience patience = {0};
		FlakeStep	step;
		FlakeView	v = open_view(word(0, BASE, 65536), us_of(BASE));

		v.max_ahead = 60 * FLAKE_US_PER_SECOND;
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "exhausted in the present");
		v.now = us_of(BASE - 1000);
		check_int(flake_step(f, &v, 1, &patience, &step), FLAKE_EXHAUSTED, "the clock stepped back");
		v.now = us_of(BASE - 999);
		check_int(flake_step(f, &v, 1, &patience, &step), f->tick_tock ? FLAKE_BEHIND : FLAKE_LEASE,
				  "%s: a tick later it goes on", f->tick_tock ? "sno" : "plain");
		check_int(step.tick, BASE + 1, "with the next tick");
	}
	conclude("a caller's patience does not outlast a clock that steps back");
}

/*
 * Several callers that take all they can get, a generator that a restart left
 * "ahead" ticks before the clock, a clock that moves by less than a tick.
 */
static void
overload(const FlakeFormat *format, uint64_t ahead)
{
	Server		s = {
		.format = format,
		.max_ahead = us_of(ahead) - us_of(0),
		.min = 100,
		.max = 163,
		.now = us_of(BASE),
	};
	FlakePatience patience[3] = {0};
	FlakeStep	step;
	uint64_t	first_tick = BASE + ahead;
	FlakeWord	used = {0, first_tick, s.max + 1};
	uint64_t	last = 0;
	uint64_t	most = 0;

	s.word = flake_word(format, used);
	s.mark[1] = FOREVER;		/* a past that is not safe */
	s.script = "";				/* a caller that must wait gives up for this
								 * round */

	for (int n = 0; n < 100000; n++)
	{
		int			callers = 0;

		s.now += 500 + (int64_t) random_below(3500);
		for (int c = (int) random_below(3); callers < 3; c = (c + 1) % 3, callers++)
		{
			/* a tick's pool at most, and one number at least each time */
			for (uint32_t leases = s.min; leases <= s.max + 1; leases++)
			{
				uint64_t	clock_tick = flake_tick_of(&format->rate, s.now);
				uint64_t	at;

				if (!lease(&s, 1 + (uint32_t) random_below(40), &patience[c], &step))
					break;
				at = step.tick << 16 | step.next;
				check(at >= last, "numbers rise");
				last = step.tick << 16 | step.end;
				if (step.tick > clock_tick && step.tick - clock_tick > most)
					most = step.tick - clock_tick;
			}
		}
	}
	check(most <= ahead, "%" PRIu64 " ticks ahead, %" PRIu64 " at the start", most, ahead);
	check_int((last >> 16) - first_tick, flake_tick_of(&format->rate, s.now) - BASE,
			  "yet every tick of the clock opens one");
	conclude("%s, overload from %" PRIu64 " ticks ahead: the distance does not grow",
			 format->tick_tock ? "sno" : "plain", ahead);
}

/*
 * Ticks that were issued before the clock was reset lie in the way of one that
 * moves on towards them, with a generator that is a little ahead of it.
 */
static void
retired_ticks(const FlakeFormat *format, uint64_t ahead)
{
	for (int round = 0; round < 100; round++)
	{
		uint64_t	from = BASE + ahead + random_below(20);
		uint64_t	to = from + random_below(30);
		Server		s = {
			.format = format,
			.max_ahead = (int64_t) random_below(100000),
			.retired_from = us_of(from),
			.retired_to = us_of(to),
			.ahead_until = BASE + ahead,
			.max = (uint32_t) random_below(8),
			.now = us_of(BASE),
		};
		FlakePatience patience = {0};
		FlakeStep	step = {0};
		FlakeWord	used = {0, BASE + ahead, s.max + 1};

		s.word = flake_word(format, used);
		for (int n = 0; n < 5000 && step.tick <= to + ahead; n++)
		{
			s.now += (int64_t) random_below(1000);
			check(lease(&s, 1, &patience, &step), "a lease, sooner or later");
			check(step.tick < from || step.tick >= to, "tick %" PRIu64 " in %" PRIu64 "-%" PRIu64,
				  step.tick, from, to);
		}
		check(step.tick > to + ahead, "the generator gets past");
	}
	conclude("%s, %" PRIu64 " ticks ahead: retired ticks are stepped over",
			 format->tick_tock ? "sno" : "plain", ahead);
}

/* ---------- turns ---------- */

/* One view to decide on; what is left out is open: a safe past, nothing decided, no limit ahead. */
typedef struct TurnCase
{
	const char *what;
	unsigned	timeline;
	int			word;			/* ticks from BASE, on the timeline in force */
	uint32_t	next;
	bool		other;			/* the word is of the other timeline */
	int			floor;			/* ticks from BASE; 0 for none */
	int			high;			/* of all generators, from BASE; 0 for this
								 * one's */
	int			clock;			/* ticks from BASE */
	int			clock_us;		/* and microseconds */
	int			safe;			/* microseconds from BASE's start */
	int			ahead_until;	/* ticks from BASE; 0 for none */
	int			max_ahead;		/* microseconds; 0 for no limit */

	FlakeRegression turn;
	int			result;			/* floor or ahead_until in ticks from BASE,
								 * until in microseconds */
} TurnCase;

#define LONG_AGO	(-1000000000)

static const TurnCase turn_cases[] = {
	{.what = "the clock has caught up", .word = 5, .clock = 5, .safe = LONG_AGO, .turn = FLAKE_REGRESSION_NONE},
	{.what = "the clock is past", .word = 5, .clock = 9, .safe = LONG_AGO, .turn = FLAKE_REGRESSION_NONE},
	{.what = "another toggled meanwhile", .word = 500, .other = true, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_NONE},

	{.what = "one unit behind", .word = 10, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "a microsecond behind", .word = 10, .clock = 9, .clock_us = 3999, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "one unit behind, unsafe", .word = 10, .clock = 9, .safe = 1000000,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "one unit behind, too far", .word = 10, .clock = 9, .safe = 1000000, .max_ahead = 1,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},
	{.what = "one unit behind the floor", .word = 3, .floor = 10, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_WAIT, .result = 40000},

	{.what = "two units behind", .word = 11, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "two units behind the floor", .word = 3, .floor = 11, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "the floor of a generator that is on the other timeline", .word = 900, .other = true,
	.floor = 11, .clock = 9, .safe = LONG_AGO, .turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "behind and exhausted", .word = 11, .next = 65536, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "behind farther than max_ahead, safe", .word = 100000, .clock = 9, .safe = LONG_AGO,
	.max_ahead = 1000, .turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "from 1 to 0: the next unit", .timeline = 1, .word = 100, .clock = 9, .safe = LONG_AGO,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 10},
	{.what = "safe this very microsecond", .word = 100, .clock = 9, .safe = 36000,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 9},
	{.what = "safe within this unit: above it", .word = 100, .clock = 9, .clock_us = 1, .safe = 36001,
	.turn = FLAKE_REGRESSION_TOGGLE, .result = 10},
	{.what = "safe within this unit, from 1 to 0: above it, once", .timeline = 1, .word = 100,
	.clock = 9, .clock_us = 1, .safe = 36001, .turn = FLAKE_REGRESSION_TOGGLE, .result = 10},

	{.what = "safe in a microsecond", .word = 100, .clock = 9, .safe = 36001,
	.turn = FLAKE_REGRESSION_AHEAD, .result = 100},
	{.what = "unsafe", .timeline = 1, .word = 100, .clock = 9, .safe = 9999999,
	.turn = FLAKE_REGRESSION_AHEAD, .result = 100},
	{.what = "unsafe, another generator is higher", .word = 100, .high = 150, .clock = 9,
	.safe = 9999999, .turn = FLAKE_REGRESSION_AHEAD, .result = 150},
	{.what = "unsafe, the floor is the highest", .word = 100, .high = 150, .floor = 200, .clock = 9,
	.safe = 9999999, .turn = FLAKE_REGRESSION_AHEAD, .result = 200},
	{.what = "unsafe, just not too far", .word = 100, .clock = 9, .safe = 9999999,
	.max_ahead = 364000, .turn = FLAKE_REGRESSION_AHEAD, .result = 100},
	{.what = "unsafe and too far by a microsecond", .word = 100, .clock = 9, .safe = 9999999,
	.max_ahead = 363999, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 36001},
	{.what = "unsafe and too far, but safe before it is near enough", .word = 100, .clock = 9,
	.safe = 36002, .max_ahead = 363990, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 36002},

	{.what = "others go ahead: no toggling", .word = 100, .clock = 9, .safe = LONG_AGO, .ahead_until = 100,
	.turn = FLAKE_REGRESSION_NONE},
	{.what = "others go ahead, one unit left: no waiting", .word = 10, .clock = 9, .safe = LONG_AGO,
	.ahead_until = 10, .turn = FLAKE_REGRESSION_NONE},
	{.what = "going ahead, exhausted within what was decided", .word = 100, .next = 65536, .clock = 9,
	.safe = LONG_AGO, .ahead_until = 101, .turn = FLAKE_REGRESSION_NONE},
	{.what = "going ahead, exhausted at its end", .word = 100, .next = 65536, .clock = 9,
	.safe = LONG_AGO, .ahead_until = 100, .turn = FLAKE_REGRESSION_AHEAD, .result = 101 + 250},
	{.what = "going ahead, too far", .word = 100, .clock = 9, .safe = LONG_AGO, .ahead_until = 100,
	.max_ahead = 363999, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 36001},
	{.what = "going ahead, exhausted and the next tick too far", .word = 100, .next = 65536, .clock = 9,
	.safe = LONG_AGO, .ahead_until = 350, .max_ahead = 364000, .turn = FLAKE_REGRESSION_TOO_FAR, .result = 40000},
	{.what = "the clock has come to the end of going ahead", .word = 100, .clock = 50,
	.safe = LONG_AGO, .ahead_until = 50, .turn = FLAKE_REGRESSION_TOGGLE, .result = 50},

	{.what = "others go ahead, but not as far as this one stands: no toggling", .word = 1000,
	.clock = 9, .safe = LONG_AGO, .ahead_until = 100, .turn = FLAKE_REGRESSION_AHEAD, .result = 1000 + 250},
};

static void
turns(void)
{
	for (size_t i = 0; i < sizeof(turn_cases) / sizeof(turn_cases[0]); i++)
	{
		const TurnCase *c = &turn_cases[i];
		uint64_t	tick = BASE + (uint64_t) c->word;
		FlakeRegressionView v = {.view = open_view(word(c->other ? 1 - c->timeline : c->timeline, tick, c->next),
												   us_of(BASE + (uint64_t) c->clock) + c->clock_us)};
		FlakeRegressed regressed = {0};
		FlakeRegression turn;

		v.view.timeline = c->timeline;
		v.view.max_ahead = c->max_ahead != 0 ? c->max_ahead : INT64_C(3600) * FLAKE_US_PER_SECOND;
		if (c->floor != 0)
			v.view.floor = BASE + (uint64_t) c->floor;
		if (c->ahead_until != 0)
			v.view.ahead_until = BASE + (uint64_t) c->ahead_until;
		if (!c->other)
			v.high = tick;
		if (c->high != 0)
			v.high = BASE + (uint64_t) c->high;
		v.safe = us_of(BASE) + c->safe;

		turn = flake_regression(sno, &v, &regressed);
		check_int(turn, c->turn, "%s", c->what);
		if (turn != c->turn)
			continue;
		switch (turn)
		{
			case FLAKE_REGRESSION_NONE:
				break;
			case FLAKE_REGRESSION_TOGGLE:
				check_int(regressed.floor - BASE, c->result, "%s: floor", c->what);
				break;
			case FLAKE_REGRESSION_AHEAD:
				check_int(regressed.ahead_until - BASE, c->result, "%s: ahead_until", c->what);
				break;
			case FLAKE_REGRESSION_WAIT:
			case FLAKE_REGRESSION_TOO_FAR:
				check_int(regressed.until - us_of(BASE), c->result, "%s: until", c->what);
				check(regressed.until > v.view.now, "%s: an instant to come", c->what);
				break;
		}
	}
	conclude("what a clock behind the generator leads to");
}

/*
 * There and back again: what each timeline has issued stays below what it issues
 * next, and whatever max_ahead is, a caller who cannot lease waits.
 */
static void
timelines(int64_t max_ahead)
{
	Server		s = {.format = sno, .max_ahead = max_ahead, .max = 5, .now = us_of(BASE)};
	uint64_t	top[2] = {0, 0};	/* one past the highest (tick, number) of
									 * each timeline */

	for (int n = 0; n < 20000; n++)
	{
		FlakeStep	step;
		int64_t		jump = (int64_t) random_below(2000);

		/* now and then the clock is set, as often forward as back */
		if (random_below(25) == 0)
			jump = (int64_t) random_below(UINT64_C(1) << random_below(24)) * (random_below(2) ? 1 : -1);
		s.now += jump;
		if (!lease_one(&s, &step))
			continue;
		check((step.tick << 16 | step.next) >= top[s.timeline], "%" PRIu64 ":%" PRIu32 " on timeline %u",
			  step.tick, step.next, s.timeline);
		check(us_of(step.tick) < s.mark[s.timeline], "below the mark");
		check(us_of(step.tick) - s.now <= max_ahead, "within max_ahead");
		top[s.timeline] = step.tick << 16 | step.end;
	}
	check(s.toggles > 10 && s.waits > 10, "%" PRIu32 " toggles and %d waits", s.toggles, s.waits);
	conclude("a clock that steps back at random, %" PRId64 " us ahead at most: timelines only rise",
			 max_ahead);
}

static void
recycling(void)
{
	unsigned	timeline = 9;
	uint64_t	floor = 0;

	check(!flake_recyclable(sno, word(1, BASE, 5), us_of(BASE + 1) - 1, 1, &timeline, &floor), "its tick lasts");
	check(!flake_recyclable(sno, word(1, BASE, 65536), us_of(BASE), 1, &timeline, &floor), "even exhausted");
	check(!flake_recyclable(sno, word(1, BASE + 9, 5), us_of(BASE), 1, &timeline, &floor), "ahead of the clock");
	check(!flake_recyclable(sno, word(1, BASE, 5), sno->rate.epoch_us - 1, 1, &timeline, &floor),
		  "a clock before the epoch");
	check(!flake_recyclable(sno, word(1, BASE, 5), flake_last_us(&sno->rate) + 1, 1, &timeline, &floor),
		  "a clock behind the span");
	check(timeline == 9 && floor == 0, "nothing is answered");
	check(flake_recyclable(sno, word(1, BASE, 5), us_of(BASE + 1), 1, &timeline, &floor), "its tick is past");
	check(timeline == 1 && floor == BASE + 1, "its timeline goes on above it");
	check(flake_recyclable(sno, 0, us_of(BASE), 0, &timeline, &floor), "never used");
	check(timeline == 0 && floor == 1, "likewise");
	check(flake_recyclable(sno, word(1, BASE + 9, 5), us_of(BASE), 0, &timeline, &floor),
		  "ahead of the clock, but on the timeline that was left");
	check(timeline == 1 && floor == BASE + 10, "which is entered again only above it");
	conclude("a slot is given away when its tick is past, and leaves a floor");
}

int
main(void)
{
	seed_random();
	plain = flake_sno;
	plain.tick_tock = false;

	library_traces();
	unlike_the_library();
	new_with_time_vectors();
	snapshot_vectors();
	words();
	steps();
	spans();
	pool_exhaustion();
	lease_sizes();
	strides();
	giving_back();
	changed_pools();
	patience_ahead();
	overload(&plain, 0);
	overload(&plain, 250);
	overload(sno, 250);
	retired_ticks(&plain, 0);
	retired_ticks(&plain, 10);
	retired_ticks(sno, 0);
	retired_ticks(sno, 10);
	turns();
	timelines(0);
	timelines(10000);
	timelines(FLAKE_US_PER_SECOND);
	recycling();
	return done();
}
