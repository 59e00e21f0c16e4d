/*
 * sno_test.c
 *		sno's generator compared with its Go library's: the library's traces and
 *		its bounds.
 */
#include "generator.h"
#include "types/sno.h"
#include "tsv.h"

/* ---------- the Go library's traces ---------- */

/* The number after "key": in a snapshot. */
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
 * drifts' parity is the timeline, and nothing on the other timeline is after
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

/* The reverse: GeneratorSnapshot as the library writes it. */
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
 * A clock that steps back into a safe past: the library always toggles
 * immediately, to the very unit the clock reads.  We differ twice.
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
	 * timeline 1 in the unit the clock reads: timeline 0 begins with the next
	 * unit, for which the caller waits.
	 */
	restore_at_1000(&s, 1, "990,991");
	check(lease_one(&s, &step) && *s.script == '\0', "the caller waited");
	check_int(step.tick, 991, "the unit after the clock's");
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
	 * The only pair in which a max of 0 is not a default but the lower bound,
	 * in the wrong place.
	 */
	min = 65535;
	max = 0;
	sequence = 0;
	check_int(sno_check_bounds(&min, &max, &sequence), SNO_BOUNDS_OK, "65535 and 0 are bounds");
	check_int(min, 0, "the lower one");
	check_int(max, 65535, "the upper one");
	conclude("bounds 65535 and 0 are swapped, as the library does");
}

int
main(void)
{
	library_traces();
	unlike_the_library();
	new_with_time_vectors();
	snapshot_vectors();
	return done();
}
