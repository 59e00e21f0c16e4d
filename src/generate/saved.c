/*
 * saved.c
 *		The state of a tick-tock generator, taken and restored.
 */
#include "generate/generate.h"

#include "storage/lwlock.h"

/* Store what a generator of a tick-tock format has used, perhaps without IDs issued meanwhile. */
void
flake_save(const FlakeFormat *format, uint32 number, FlakeSaved *state)
{
	/* per timeline, the first tick that is certainly free */
	uint64		used[2];
	int64		now;
	unsigned	timeline;
	FlakeGenerator *generator;

	for (;;)
	{
		flake_sync();
		for (unsigned i = 0; i < 2; i++)
			used[i] = flake_tick_from(&format->rate, flake_mark_used(flake_mark_kind(format, i)));
		LWLockAcquire(&flake_db->lock, LW_SHARED);
		if (pg_atomic_read_u64(&flake_db->generation) == flake_generation)
			break;
		LWLockRelease(&flake_db->lock);
	}
	timeline = flake_timeline(format, flake_generation);
	for (unsigned i = 0; i < 2; i++)
		used[i] = flake_later_tick(used[i], pg_atomic_read_u64(&flake_db->floor_tick[format->id][i]));
	now = flake_clock();
	used[1 - timeline] = flake_later_tick(used[1 - timeline],
										  flake_tick_from(&format->rate,
														  flake_mark_safe(flake_mark_kind(format, 1 - timeline))));
	state->high = used[timeline] > 0 ? used[timeline] - 1 : 0;
	state->next = PG_UINT32_MAX;
	generator = flake_find_generator(format, number);
	if (generator != NULL)
	{
		FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&generator->word));

		if (word.timeline == timeline && word.tick >= used[timeline])
		{
			state->high = word.tick;
			state->next = word.next;
		}
	}
	state->safe = used[1 - timeline] > 0 ? used[1 - timeline] - 1 : 0;
	state->drifts = flake_db->clock.toggles;
	if ((state->drifts & 1) != timeline)
		state->drifts++;
	LWLockRelease(&flake_db->lock);
	if (!flake_in_span(&format->rate, now))
		flake_clock_out_of_span(format, now);
	state->now = flake_tick_of(&format->rate, now);
}

/* Count the ticks up to used[timeline] as issued in this database, for a tick-tock format; 0: none. */
void
flake_restore(const FlakeFormat *format, const uint64 used[2])
{
	FlakeIssued others[FLAKE_MARK_KINDS] = {0};

	for (unsigned timeline = 0; timeline < 2; timeline++)
		if (used[timeline] > 0)
			others[flake_mark_kind(format, timeline)] =
				flake_issued_before(flake_us_of(&format->rate, used[timeline] + 1));
	flake_mark_add(others);
}
