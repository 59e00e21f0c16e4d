/*
 * generate.c
 *		Handing out IDs: leases, waiting, turning.
 *
 * The decisions are in sequence.c; here they are fed with the shared memory and
 * the clock, and carried out.  A backend keeps a lease for each of the last
 * generators it used.  The lease used last is shown in the backend's shard,
 * where an ID costs one store; everything else about an ID is local.
 *
 * Reading order matters everywhere: word, clock, era, and then what stands under
 * the era.  See FlakeView.
 */
#include "flakeid.h"

#include <time.h>

#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/procarray.h"
#include "utils/timestamp.h"

/*
 * Leases a backend keeps.  With one, a statement that uses two partitions would
 * lease a fresh range for every ID and burn the pool.
 */
#define FLAKE_LEASES		16

typedef struct FlakeLease
{
	uint32		key;			/* the generator; 0: no lease */
	uint64		asked;			/* format and number as the caller asked for them last */
	uint64		era;			/* the lease is void in any other */
	int64		from;			/* may be used while the clock reads [from, until) */
	int64		until;
	uint64		tick;
	uint32		next;			/* [next, end) is left */
	uint32		end;
	uint32		slot;			/* where it was found last */
	uint32		want;			/* how much was leased last */
	bool		ahead;			/* tick lies ahead of the clock */
} FlakeLease;

#define ASKED(format, number)	(((uint64) (format)->id + 1) << 32 | (uint32) (number))

static FlakeLease leases[FLAKE_LEASES];
static FlakeLease *shown = NULL;	/* the one used last */
static FlakeShard *shard = NULL;	/* where it is shown */
static FlakeGenerator *waiting_for = NULL;	/* where we are counted as waiting */
static FlakeShard hidden;		/* used when all shards are taken: counted late, not shown */

/* What this backend did with a format under a number of its own. */
typedef struct OwnNumber
{
	uint32		key;			/* the generator used last */
	uint64		last_tick;		/* what it leased there last */
	uint64		floor;			/* no tick below it: see floor_after_move() */
} OwnNumber;

static OwnNumber own_numbers[FLAKE_FORMATS];

/* The tick that this backend leased last on timeline 1. */
static uint64 last_tock = 0;

static uint64 my_era = PG_UINT64_MAX;
static uint64 my_resets = 0;
static FlakeIdentity my_identity;	/* as of my_era */
static TimestampTz my_reload = -1;	/* PgReloadTime when the settings were looked at last */

/* The clock, in microseconds since 1970. */
int64
flake_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

/* Time since the machine started: for intervals, as the clock may step. */
static int64
monotonic_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64) now.tv_sec * USECS_PER_SEC + now.tv_nsec / 1000;
}

/* ---------- what is shared ---------- */

static inline unsigned
timeline_of(const FlakeFormat *format, uint64 era)
{
	return format->tick_tock ? FLAKE_ERA_TIMELINE(era) : 0;
}

static inline FlakeMarkKind
mark_kind(const FlakeFormat *format, unsigned timeline)
{
	if (!format->tick_tock)
		return FLAKE_MARK_RUN_ON;
	return timeline == 0 ? FLAKE_MARK_TICK : FLAKE_MARK_TOCK;
}

/* Begin a new epoch, on a timeline.  The lock is held exclusively. */
static void
new_era(unsigned timeline)
{
	uint64		era = pg_atomic_read_u64(&flake->era);

	/* what belongs to the new era must be seen by whoever sees the era */
	pg_write_barrier();
	pg_atomic_write_u64(&flake->era, ((era >> 1) + 1) << 1 | timeline);
}

/* The same on the timeline in force. */
void
flake_new_epoch(void)
{
	new_era(FLAKE_ERA_TIMELINE(pg_atomic_read_u64(&flake->era)));
}

/* Raise an atomic that only ever rises.  The lock is held exclusively. */
static void
raise_to(pg_atomic_uint64 *value, uint64 least)
{
	if (pg_atomic_read_u64(value) < least)
		pg_atomic_write_u64(value, least);
}

/*
 * See to it that the identity in force is the one of whoever read the settings
 * last, and take it over.  A backend in a long query does not read the
 * configuration again until it is through, so the values of the others count for
 * it, too; the time of the reload tells whose are newer.
 */
void
flake_sync(FlakeIdentity *identity)
{
	flake_attach();
	if (my_reload != PgReloadTime)
	{
		FlakeIdentity read;
		FlakeIdentity old;
		TimestampTz now;

		LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
		old = flake->identity;
		now = flake_timestamptz(flake_clock());

		/*
		 * A time of reload that lies in the future was taken before the clock
		 * stepped back; it must not keep newer settings out.
		 */
		if (flake_identify(&read, old.reloaded != 0 ? &old : NULL) &&
			(read.reloaded > old.reloaded || old.reloaded > now))
		{
			flake->identity = read;
			old.reloaded = read.reloaded;
			if (memcmp(&old, &read, sizeof(read)) != 0)
				flake_new_epoch();
		}
		LWLockRelease(&flake->lock);
		my_reload = PgReloadTime;
	}
	if (my_era != pg_atomic_read_u64(&flake->era))
	{
		LWLockAcquire(&flake->lock, LW_SHARED);
		my_era = pg_atomic_read_u64(&flake->era);
		my_identity = flake->identity;
		if (my_resets != flake->resets)
		{
			my_resets = flake->resets;
			memset(own_numbers, 0, sizeof(own_numbers));
		}
		LWLockRelease(&flake->lock);
	}
	if (identity)
		*identity = my_identity;
}

/* The numbers of the sequence that this server may use; flake_sync() has been called. */
void
flake_pool(const FlakeFormat *format, uint32 *min, uint32 *max)
{
	*min = 0;
	*max = (UINT32_C(1) << format->sequence_bits) - 1;
	if (format->id == FLAKE_SNO)
	{
		*min = my_identity.given.sno_min;
		*max = my_identity.given.sno_max;
	}
}

/* ---------- slots ---------- */

/*
 * Each format has slots of its own: were one handed to another format, an old
 * word could come back with a different meaning.
 */
static uint32
slots_of(const FlakeFormat *format, uint32 *first)
{
	*first = 0;
	for (int i = 0; i < (int) format->id; i++)
		*first += flake_formats[i]->slots;
	return format->slots;
}

/* Where the generator is, or -1.  What is found may change hands at once; see lease_for(). */
static int
find_slot(uint32 key)
{
	uint32		first;
	uint32		slots = slots_of(flake_formats[FLAKE_KEY_FORMAT(key)], &first);
	uint32		at = FLAKE_KEY_NUMBER(key) % slots;

	for (uint32 i = 0; i < slots; i++)
	{
		if (pg_atomic_read_u32(&flake->keys[first + at]) == key)
			return first + at;
		if (++at == slots)
			at = 0;
	}
	return -1;
}

bool
flake_has_slot(uint32 key)
{
	return find_slot(key) >= 0;
}

/*
 * Hand a slot, whose word was found recyclable, over to another generator.  False
 * if the old one has used it meanwhile.  The lock is held exclusively.
 *
 * The key goes first and comes last: whoever reads the new word does not find the
 * old key after it.  The word is swapped, not written: a range leased in between
 * would be forgotten and leased again.
 */
static bool
hand_over(const FlakeFormat *format, uint32 slot, uint64 word, unsigned timeline, uint64 floor,
		  unsigned in_force, uint32 key)
{
	FlakeGenerator *generator = &flake->generators[slot];
	uint32		old = pg_atomic_read_u32(&flake->keys[slot]);
	FlakeWord	start;

	raise_to(&flake->floor[format->id][timeline], floor);
	start.timeline = in_force;
	start.tick = pg_atomic_read_u64(&flake->floor[format->id][in_force]);
	start.next = 0;

	pg_atomic_write_u32(&flake->keys[slot], 0);
	pg_memory_barrier();
	if (!pg_atomic_compare_exchange_u64(&generator->word, &word, flake_word(format, start)))
	{
		pg_atomic_write_u32(&flake->keys[slot], old);
		return false;
	}
	pg_atomic_fetch_add_u64(&flake->recycled[format->id],
							pg_atomic_exchange_u64(&generator->issued, 0));
	pg_atomic_write_u64(&generator->overflow_tick, 0);
	pg_atomic_write_u64(&generator->last_overflow, 0);
	pg_atomic_write_u64(&generator->wait_us, 0);
	pg_atomic_write_u32(&generator->overflows, 0);
	pg_atomic_write_u32(&generator->overflow_ticks, 0);
	pg_atomic_write_u32(&generator->regressions, 0);
	pg_memory_barrier();
	pg_atomic_write_u32(&flake->keys[slot], key);
	return true;
}

/*
 * Give the generator a slot: a free one, or one whose tick is past, which leaves
 * its tick behind as a floor for all.  -1 when every slot of the format is in use
 * within the present tick.
 *
 * The slot starts at the floor and never at zero, so that no value of its word
 * ever comes again: a backend that read the word before the slot changed hands
 * fails to swap it.
 */
static int
claim_slot(const FlakeFormat *format, uint32 key)
{
	uint32		first;
	uint32		slots = slots_of(format, &first);
	uint32		at = FLAKE_KEY_NUMBER(key) % slots;
	int			slot;

	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	slot = find_slot(key);
	if (slot < 0)
	{
		int64		now = flake_clock();
		unsigned	in_force = timeline_of(format, pg_atomic_read_u64(&flake->era));

		for (uint32 i = 0; i < slots && slot < 0; i++)
		{
			FlakeGenerator *generator = &flake->generators[first + at];
			uint64		word = pg_atomic_read_u64(&generator->word);
			unsigned	timeline = 0;
			uint64		floor = 0;

			if ((pg_atomic_read_u32(&flake->keys[first + at]) == 0 ||
				 flake_recyclable(format, word, now, in_force, &timeline, &floor)) &&
				hand_over(format, first + at, word, timeline, floor, in_force, key))
				slot = first + at;
			if (++at == slots)
				at = 0;
		}
	}
	LWLockRelease(&flake->lock);
	return slot;
}

/* ---------- shards ---------- */

/* Take a cache line of our own; without one we are counted late and not shown. */
static void
claim_shard(void)
{
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	/* a free one; if there is none, one whose owner died without exit callbacks */
	for (int i = 0; i < 2 * FLAKE_SHARDS && shard == NULL; i++)
	{
		FlakeShard *candidate = &flake->shards[i % FLAKE_SHARDS];

		if (candidate->pid == 0 ||
			(i >= FLAKE_SHARDS && BackendPidGetProc(candidate->pid) == NULL))
		{
			memset((void *) candidate, 0, sizeof(FlakeShard));
			candidate->pid = MyProcPid;
			shard = candidate;
		}
	}
	LWLockRelease(&flake->lock);
	if (shard == NULL)
		shard = &hidden;
}

/* Add what is pending to the count of its generator. */
static void
count_pending(void)
{
	uint64		pending = shard->pending;
	uint32		key = shard->key;
	int			slot;

	if (pending == 0)
		return;
	shard->issued += pending;
	shard->pending = 0;
	slot = find_slot(key);
	if (slot >= 0)
		pg_atomic_fetch_add_u64(&flake->generators[slot].issued, pending);
	else
		pg_atomic_fetch_add_u64(&flake->recycled[FLAKE_KEY_FORMAT(key)], pending);
}

/* Make this lease the one that is used and shown. */
static void
show(FlakeLease *lease)
{
	if (shard->key != lease->key)
		count_pending();
	shard->key = lease->key;
	shard->tick = lease->tick;
	shard->start = lease->next;
	shard->next = lease->next;
	shard->end = lease->end;
	shown = lease;
}

/* Give the unused tail of a lease back, if it is still the last of its tick. */
static void
drop(FlakeLease *lease)
{
	const FlakeFormat *format;
	FlakeGenerator *generator;
	uint64		word;
	uint64		shorter;

	if (lease->key != 0 && lease->next < lease->end)
	{
		format = flake_formats[FLAKE_KEY_FORMAT(lease->key)];
		generator = &flake->generators[lease->slot];
		word = pg_atomic_read_u64(&generator->word);
		pg_read_barrier();
		if (pg_atomic_read_u32(&flake->keys[lease->slot]) == lease->key &&
			flake_give_back(format, word, timeline_of(format, lease->era), lease->tick,
							lease->next, lease->end, &shorter))
			pg_atomic_compare_exchange_u64(&generator->word, &word, shorter);
	}
	memset(lease, 0, sizeof(FlakeLease));
}

/* ---------- numbers of our own ---------- */

/*
 * Which shard numbers a backend is bound to, in FlakeShard.numbers: the siq
 * shard in the low 16 bits, the snowflake process above, each plus one.
 */
static uint32
bound_number(uint32 numbers, int shift)
{
	return numbers >> shift & 0xffff;
}

/*
 * The shard number of this backend within low .. high: the one that the fewest
 * others are bound to, kept while it lies within.
 */
static uint32
bind_number(int shift, uint32 low, uint32 high)
{
	uint32		number = bound_number(shard->numbers, shift);
	uint32		users[256] = {0};

	Assert(high < lengthof(users));
	if (number > low && number <= high + 1)
		return number - 1;

	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	for (int i = 0; i < FLAKE_SHARDS; i++)
	{
		const FlakeShard *other = &flake->shards[i];

		number = bound_number(other->numbers, shift);
		if (other->pid != 0 && other != shard && number > 0 && number <= lengthof(users))
			users[number - 1]++;
	}
	number = low;
	for (uint32 i = low; i <= high; i++)
		if (users[i] < users[number])
			number = i;
	shard->numbers = (shard->numbers & ~((uint32) 0xffff << shift)) | (number + 1) << shift;
	LWLockRelease(&flake->lock);
	return number;
}

/*
 * The number a backend uses unless it is told one: this server's partition (sno),
 * or the shard number that this backend is bound to (siq, snowflake), which it
 * may share with others.  flake_sync() has been called.
 */
uint32
flake_own_number(const FlakeFormat *format)
{
	if (shard == NULL)
		claim_shard();
	switch (format->id)
	{
		case FLAKE_SNO:
			return my_identity.sno_partition;
		case FLAKE_SIQ:
			return bind_number(0, my_identity.given.siq_shard_min, my_identity.given.siq_shard_max);
		case FLAKE_SNOWFLAKE:
			if (my_identity.snowflake_worker < 0)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("flakeid.node is too great for a snowflake's worker: %d", my_identity.node),
						 errdetail("A worker is 0 to 31."),
						 errhint("Set flakeid.snowflake_worker.")));
			return my_identity.snowflake_worker << 5 | bind_number(16, 0, 31);
		case FLAKE_UID64:
			return 0;
		case FLAKE_FLAX:
		case FLAKE_UID96:
		case FLAKE_FORMATS:
			break;
	}
	elog(ERROR, "type %s has no generator of its own", format->name);
}

/*
 * After a move to another number this backend goes on above the last tick it
 * used with the old one, or its IDs would not increase: the number stands above
 * the sequence.
 */
static uint64
floor_after_move(const FlakeFormat *format, uint32 key)
{
	OwnNumber  *own = &own_numbers[format->id];

	if (own->key != key)
	{
		if (own->key != 0)
			own->floor = own->last_tick + 1;
		own->key = key;
	}
	return own->floor;
}

/* ---------- waiting ---------- */

/* 55000 with the two times and what to do. */
static void
report_too_far(const FlakeFormat *format, uint64 tick, int64 now)
{
	char	   *clock = pstrdup(timestamptz_to_str(flake_timestamptz(now)));
	char	   *ahead = pstrdup(timestamptz_to_str(flake_timestamptz(flake_us_of(&format->rate, tick))));

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the clock is too far behind the %s IDs already issued", format->name),
			 errdetail("The clock reads %s, but IDs were issued up to %s, which is more than flakeid.max_ahead (%d ms) later.",
					   clock, ahead, flake_max_ahead),
			 errhint("Correct the clock, wait until it has caught up, or raise flakeid.max_ahead.")));
}

static void
report_exhausted(const FlakeFormat *format, uint32 number, uint64 tick, int64 now)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("no %s ID to be had within flakeid.max_wait (%d ms)", format->name, flake_max_wait),
			 errdetail("Generator %u has used up the sequence of tick " UINT64_FORMAT ", and the clock reads %s.",
					   number, tick, timestamptz_to_str(flake_timestamptz(now))),
			 errhint("A clock that stands still or a very small sequence range causes this.")));
}

/*
 * Lease anew before the next ID: the mark that the leases were granted under may
 * have gone.  Only marks them, as it is called from invalidation.
 */
void
flake_void_leases(void)
{
	for (int i = 0; i < FLAKE_LEASES; i++)
		leases[i].until = leases[i].from;
}

static void
stop_waiting(void)
{
	if (waiting_for != NULL)
		pg_atomic_fetch_sub_u32(&waiting_for->waiting, 1);
	waiting_for = NULL;
}

/*
 * Sleep until the clock reads "until", interruptibly: whole milliseconds on the
 * latch, the rest in a short sleep or, where that would oversleep, a spin.  What
 * was slept is taken off *budget by counting the sleeps, as a clock that stands
 * still would not tell; false when the budget is used up.
 */
static bool
wait_until(int64 until, int64 *budget, FlakeGenerator *generator)
{
	static uint32 event = 0;
	int64		left = until - flake_clock();
	int64		slept;

	if (*budget <= 0)
		return false;
	if (left <= 0)
		return true;
	left = Min(left, *budget);

	pg_atomic_fetch_add_u32(&generator->waiting, 1);
	waiting_for = generator;
	PG_TRY();
	{
		if (left >= 1000)
		{
			/* at most 100 ms: the clock may be set right meanwhile */
			long		ms = Min(left / 1000, 100);

			if (event == 0)
				event = flake_wait_event_new("FlakeidNextTick");
			slept = ms * 1000;
			if (WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, ms, event) & WL_LATCH_SET)
			{
				slept = 1000;	/* woken early; never nothing, or the budget might last for ever */
				ResetLatch(MyLatch);
			}
		}
		else
		{
			slept = left;
			if (left >= 50)
				pg_usleep(left);
		}
		CHECK_FOR_INTERRUPTS();
	}
	PG_FINALLY();
	{
		stop_waiting();
	}
	PG_END_TRY();

	pg_atomic_fetch_add_u64(&generator->wait_us, slept);
	*budget -= slept;
	return true;
}

/* The tick ran out under a caller; once a call. */
static void
count_overflow(FlakeGenerator *generator, uint64 tick)
{
	uint64		counted = pg_atomic_read_u64(&generator->overflow_tick);

	pg_atomic_fetch_add_u32(&generator->overflows, 1);
	pg_atomic_write_u64(&generator->last_overflow, GetCurrentTimestamp());
	if (counted != tick &&
		pg_atomic_compare_exchange_u64(&generator->overflow_tick, &counted, tick))
		pg_atomic_fetch_add_u32(&generator->overflow_ticks, 1);
}

/* At backend exit. */
void
flake_release(void)
{
	stop_waiting();			/* a FATAL error leaves by here, without unwinding */
	if (shard == NULL)
		return;
	count_pending();
	shown = NULL;
	for (int i = 0; i < FLAKE_LEASES; i++)
		drop(&leases[i]);
	pg_write_barrier();			/* nothing of ours comes after the next owner's */
	shard->pid = 0;
	shard = NULL;
}

/* ---------- turning ---------- */

/*
 * Up to which tick it is decided to run on.  Once the clock has got there the
 * decision is over; left standing, it would be taken for one about a later step.
 * "decided" is what stood there before the clock was read, or a clock read before
 * a step back would end the decision about that step.
 */
static uint64
run_on_now(const FlakeFormat *format, unsigned timeline, uint64 decided, int64 now)
{
	pg_atomic_uint64 *run_on = &flake->run_on[format->id][timeline];

	if (decided != 0 && now >= flake_us_of(&format->rate, decided) &&
		pg_atomic_compare_exchange_u64(run_on, &decided, 0))
		return 0;
	return pg_atomic_read_u64(run_on);
}

/*
 * The clock was found behind a tick-tock generator.  Decide for the whole
 * server, on what stands now that the lock is held.  Without a slot (-1) the
 * generator stands where the furthest of the others does: they keep it from
 * having one.
 */
static FlakeTurn
turn(const FlakeFormat *format, uint32 key, int slot, FlakeView *view, FlakeTurned *turned)
{
	uint64		era;
	uint32		first;
	uint32		slots;
	unsigned	other;
	FlakeTurnView tv;
	FlakeTurn	decision = FLAKE_TURN_NONE;
	FlakeMarkPage page;
	uint64		decided;
	int64		floor;
	bool		log = false;

	flake_mark_forget_dropped();
	flake_mark_open(&page);
	LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
	flake_mark_merge(&page);
	era = pg_atomic_read_u64(&flake->era);
	decided = pg_atomic_read_u64(&flake->run_on[format->id][view->timeline]);
	view->now = flake_clock();
	if (era != my_era || (slot >= 0 && pg_atomic_read_u32(&flake->keys[slot]) != key) ||
		!flake_in_span(&format->rate, view->now))
	{
		LWLockRelease(&flake->lock);
		flake_mark_close(&page);
		return FLAKE_TURN_NONE;
	}
	view->run_on = run_on_now(format, view->timeline, decided, view->now);

	/* not this database's own floor: nothing was issued there since the start */
	tv.high = pg_atomic_read_u64(&flake->floor[format->id][view->timeline]);
	slots = slots_of(format, &first);
	for (uint32 i = first; i < first + slots; i++)
	{
		FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&flake->generators[i].word));

		if (pg_atomic_read_u32(&flake->keys[i]) != 0 &&
			word.timeline == view->timeline && word.tick > tv.high)
			tv.high = word.tick;
	}
	if (slot >= 0)
		view->word = pg_atomic_read_u64(&flake->generators[slot].word);
	else
	{
		FlakeWord	furthest = {.timeline = view->timeline, .tick = tv.high};

		view->word = flake_word(format, furthest);
	}
	tv.view = *view;
	other = 1 - view->timeline;
	floor = flake_us_of(&format->rate, pg_atomic_read_u64(&flake->floor[format->id][other]));
	tv.safe = Max(flake_mark_safe(mark_kind(format, other), view->now), floor);

	decision = flake_turn(format, &tv, turned);
	if (decision == FLAKE_TURN_TOGGLE)
	{
		/* on disk before anybody issues on the new timeline */
		flake_mark_move(&page, mark_kind(format, other),
						flake_us_of(&format->rate, turned->floor));
		raise_to(&flake->floor[format->id][other], turned->floor);
		new_era(other);
		flake->clock.toggles++;
	}
	else if (decision == FLAKE_TURN_RUN_ON)
	{
		raise_to(&flake->run_on[format->id][view->timeline], turned->run_on);
		flake->clock.run_ons++;
	}
	if (decision == FLAKE_TURN_TOGGLE || decision == FLAKE_TURN_RUN_ON)
	{
		TimestampTz now = flake_timestamptz(view->now);

		flake->clock.regressions++;
		flake->clock.last_regression = now;
		if (monotonic_us() - flake->clock.last_logged >= USECS_PER_SEC)
		{
			flake->clock.last_logged = monotonic_us();
			log = true;
		}
	}
	LWLockRelease(&flake->lock);
	flake_mark_close(&page);

	if (log)
		ereport(LOG,
				(errmsg("flakeid found the clock " INT64_FORMAT " ms behind the %s IDs already issued",
						(flake_us_of(&format->rate, turned->tick) - view->now) / 1000, format->name),
				 decision == FLAKE_TURN_TOGGLE
				 ? errdetail("It goes on at the clock's time with the tick-tock bit flipped.")
				 : errdetail("It goes on ahead of the clock until that has caught up.")));
	return decision;
}

/* ---------- leasing ---------- */

/*
 * The lease kept of this generator, or an empty one.  One a generator, however it
 * was asked for: of two, the IDs would not increase.
 */
static FlakeLease *
kept_lease(uint32 key)
{
	static int	victim = 0;
	FlakeLease *empty = NULL;

	for (int i = 0; i < FLAKE_LEASES; i++)
	{
		if (leases[i].key == key)
			return &leases[i];
		if (leases[i].key == 0 && empty == NULL)
			empty = &leases[i];
	}
	if (empty == NULL)
	{
		victim = (victim + 1) % FLAKE_LEASES;
		empty = &leases[victim];
		if (empty == shown)
		{
			count_pending();
			shown = NULL;
		}
		drop(empty);
	}
	return empty;
}

/* Is there a number left in a lease, aligned to the stride? */
static inline bool
fits(const FlakeLease *lease, uint32 stride)
{
	return ((lease->next + stride - 1) & ~(stride - 1)) + stride <= lease->end;
}

/*
 * A lease ahead of the clock is good while it is decided to run on as far: others
 * may go back to the clock's time when that is over.
 */
static inline bool
runs_on(const FlakeFormat *format, const FlakeLease *lease)
{
	return !lease->ahead || !format->tick_tock ||
		pg_atomic_read_u64(&flake->run_on[format->id][timeline_of(format, lease->era)]) >= lease->tick;
}

/* Answer a lease with at least one aligned number in it, shown. */
static FlakeLease *
lease_for(const FlakeFormat *format, int32 number, uint32 stride)
{
	FlakePatience patience = {0};
	int64		budget = (int64) flake_max_wait * 1000;
	bool		overflowed = false;

	flake_refuse_recovery();
	flake_attach();
	if (shard == NULL)
		claim_shard();

	for (;;)
	{
		FlakeLease *lease;
		FlakeGenerator *generator;
		FlakeMarkKind kind;
		FlakeVerdict verdict;
		FlakeTurned turned;
		FlakeView	view;
		FlakeStep	step;
		uint64		word;
		uint64		era;
		uint64		decided;
		FlakeMarkView mark;
		uint32		key;
		int			slot;

		CHECK_FOR_INTERRUPTS();
		flake_sync(NULL);
		key = FLAKE_KEY(format->id, number == FLAKE_OWN ? flake_own_number(format) : (uint32) number);

		lease = kept_lease(key);
		slot = lease->key == key &&
			pg_atomic_read_u32(&flake->keys[lease->slot]) == key ? (int) lease->slot : find_slot(key);
		if (slot < 0)
			slot = claim_slot(format, key);
		generator = slot >= 0 ? &flake->generators[slot] : NULL;

		view.word = word = slot >= 0 ? pg_atomic_read_u64(&generator->word) : 0;
		pg_read_barrier();
		if (slot >= 0 && pg_atomic_read_u32(&flake->keys[slot]) != key)
			continue;
		decided = pg_atomic_read_u64(&flake->run_on[format->id][timeline_of(format, my_era)]);
		pg_read_barrier();
		view.now = flake_clock();
		pg_read_barrier();
		era = pg_atomic_read_u64(&flake->era);
		if (era != my_era)
			continue;
		pg_read_barrier();

		/* come back to a lease that is still good */
		if (slot >= 0 && lease->key == key && lease->era == era && fits(lease, stride) &&
			view.now >= lease->from && view.now < lease->until && runs_on(format, lease))
		{
			lease->asked = ASKED(format, number);
			if (lease != shown)
				show(lease);
			return lease;
		}

		view.timeline = timeline_of(format, era);
		kind = mark_kind(format, view.timeline);
		flake_mark(kind, &mark);
		view.mark = mark.mark;
		view.burnt_from = mark.burnt_from;
		view.burnt_to = mark.burnt_to;
		view.floor = Max(pg_atomic_read_u64(&flake->floor[format->id][view.timeline]),
						 flake_tick_from(&format->rate, mark.floor));
		view.run_on = run_on_now(format, view.timeline, decided, view.now);

		/*
		 * Timeline 0 sorts below 1 in the same unit.  A toggle begins it with the
		 * next one, but may itself take longer than that, while we went on.
		 */
		if (format->tick_tock && view.timeline == 0 &&
			last_tock == flake_tick_of(&format->rate, view.now))
			view.floor = Max(view.floor, last_tock + 1);
		if (number == FLAKE_OWN)
			view.floor = Max(view.floor, floor_after_move(format, key));
		view.max_ahead = (int64) flake_max_ahead * 1000;
		view.stride = stride;
		flake_pool(format, &view.min, &view.max);

		if (slot < 0)
		{
			/*
			 * Every slot is in use within this tick, or ahead of the clock; if it
			 * is because the clock stepped back, turning makes room.
			 */
			FlakeGenerator unknown = {0};

			if (format->tick_tock &&
				turn(format, key, slot, &view, &turned) == FLAKE_TURN_TOGGLE)
				continue;
			if (!wait_until(view.now + 1000, &budget, &unknown))
				ereport(ERROR,
						(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						 errmsg("no %s generator to be had within flakeid.max_wait (%d ms)",
								format->name, flake_max_wait),
						 errdetail("All %u places are taken by others that are in use or ahead of the clock; number %u has none.",
								   format->slots, FLAKE_KEY_NUMBER(key)),
						 errhint("Use fewer at once, or wait until the clock has caught up.")));
			continue;
		}

		/* a view of before and after a new epoch is no view */
		pg_read_barrier();
		if (pg_atomic_read_u64(&flake->era) != era)
			continue;

		verdict = flake_step(format, &view,
							 flake_next_want(lease->want,
											 lease->key == key &&
											 view.now >= lease->from && view.now < lease->until,
											 view.min, view.max),
							 &patience, &step);

		switch (verdict)
		{
			case FLAKE_LEASE:
				if (!pg_atomic_compare_exchange_u64(&generator->word, &word, step.word))
					break;
				{
					int64		start = flake_us_of(&format->rate, step.tick);
					bool		ahead = start > view.now;

					if (ahead && !(lease->ahead && lease->key == key))
						pg_atomic_fetch_add_u32(&generator->regressions, 1);
					lease->asked = ASKED(format, number);
					lease->era = era;
					lease->from = ahead ? view.now : start;
					lease->until = flake_us_of(&format->rate, step.tick + 1);
					lease->tick = step.tick;
					lease->next = step.next;
					lease->end = step.end;
					lease->key = key;
					lease->slot = slot;
					lease->want = step.end - step.next;
					lease->ahead = ahead;
					if (number == FLAKE_OWN)
						own_numbers[format->id].last_tick = step.tick;
					if (view.timeline == 1)
						last_tock = step.tick;
					show(lease);
					flake_mark_ahead(kind, start, era);
				}
				return lease;

			case FLAKE_EXHAUSTED:
				if (!overflowed)
				{
					count_overflow(generator, step.tick);
					overflowed = true;
				}
				if (!wait_until(step.until, &budget, generator))
					report_exhausted(format, FLAKE_KEY_NUMBER(key), step.tick, view.now);
				break;

			case FLAKE_UNMARKED:
				flake_mark_extend(kind, flake_us_of(&format->rate, step.tick), era);
				break;

			case FLAKE_BEHIND:
				switch (turn(format, key, slot, &view, &turned))
				{
					case FLAKE_TURN_WAIT:
						if (!wait_until(turned.until, &budget, generator))
							report_too_far(format, turned.tick, view.now);
						break;
					case FLAKE_TURN_TOO_FAR:
						if (turned.until - view.now > budget ||
							!wait_until(turned.until, &budget, generator))
							report_too_far(format, turned.tick, view.now);
						break;
					case FLAKE_TURN_NONE:
					case FLAKE_TURN_TOGGLE:
					case FLAKE_TURN_RUN_ON:
						break;
				}
				break;

			case FLAKE_TOO_FAR:
				if (step.until - view.now > budget || !wait_until(step.until, &budget, generator))
					report_too_far(format, step.tick, view.now);
				break;

			case FLAKE_OUT_OF_SPAN:
				if (!flake_in_span(&format->rate, view.now))
					flake_clock_out_of_span(format, view.now);
				ereport(ERROR,
						(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
						 errmsg("no %s ID is left", format->name),
						 errdetail("IDs count as issued up to the end of the generator's time."),
						 errhint("If that is a mistake, call flakeid_clock_reset().")));
				break;
		}
	}
}

/*
 * Hand out the next number of a generator: "number" is FLAKE_OWN or a partition
 * given by the caller.  An ID takes "stride" numbers (a power of two), aligned.
 * Reports 55000 when none can be had within the limits of flakeid.max_ahead and
 * flakeid.max_wait, 22008 when the clock is outside the format's span, 22023 for
 * settings that are wrong.
 */
void
flake_generate(const FlakeFormat *format, int32 number, uint32 stride, FlakeTicket *ticket)
{
	FlakeLease *lease = shown;

	if (likely(lease != NULL && lease->asked == ASKED(format, number)))
	{
		int64		now = flake_clock();

		/* the era after the clock: a lease of a timeline left meanwhile is void */
		pg_read_barrier();
		if (unlikely(now < lease->from || now >= lease->until || !fits(lease, stride) ||
					 pg_atomic_read_u64(&flake->era) != lease->era || my_reload != PgReloadTime ||
					 !runs_on(format, lease)))
			lease = lease_for(format, number, stride);
	}
	else
		lease = lease_for(format, number, stride);

	ticket->tick = lease->tick;
	ticket->timeline = timeline_of(format, lease->era);
	ticket->number = FLAKE_KEY_NUMBER(lease->key);
	ticket->sequence = (lease->next + stride - 1) & ~(stride - 1);
	/* a lease is used in its own era only, which is my_era then */
	ticket->identity = &my_identity;
	lease->next = ticket->sequence + stride;
	shard->next = lease->next;
	shard->pending++;
}

/* ---------- state in and out ---------- */

/*
 * What has been used by a generator of a tick-tock format.  The lock keeps slots
 * and timeline where they are; IDs issued meanwhile may or may not be in it.
 */
void
flake_snapshot(const FlakeFormat *format, uint32 number, FlakeSnapshot *state)
{
	uint64		used[2];		/* per timeline, the first tick that is free for certain */
	int64		now;
	uint64		era;
	unsigned	timeline;
	int			slot;

	flake_sync(NULL);
	flake_mark_forget_dropped();
	for (;;)
	{
		era = pg_atomic_read_u64(&flake->era);
		for (unsigned i = 0; i < 2; i++)
			used[i] = flake_tick_from(&format->rate, flake_mark_used(mark_kind(format, i)));
		LWLockAcquire(&flake->lock, LW_SHARED);
		if (pg_atomic_read_u64(&flake->era) == era)
			break;
		LWLockRelease(&flake->lock);
	}
	timeline = timeline_of(format, era);
	for (unsigned i = 0; i < 2; i++)
		used[i] = Max(used[i], pg_atomic_read_u64(&flake->floor[format->id][i]));
	now = flake_clock();
	used[1 - timeline] = Max(used[1 - timeline],
							 flake_tick_from(&format->rate,
											 flake_mark_safe(mark_kind(format, 1 - timeline), now)));
	state->high = used[timeline] > 0 ? used[timeline] - 1 : 0;
	state->next = PG_UINT32_MAX;
	slot = find_slot(FLAKE_KEY(format->id, number));
	if (slot >= 0)
	{
		FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&flake->generators[slot].word));

		if (word.timeline == timeline && word.tick >= used[timeline])
		{
			state->high = word.tick;
			state->next = word.next;
		}
	}
	state->safe = used[1 - timeline] > 0 ? used[1 - timeline] - 1 : 0;
	state->drifts = flake->clock.toggles;
	if ((state->drifts & 1) != timeline)
		state->drifts++;
	LWLockRelease(&flake->lock);
	state->now = flake_tick_of(&format->rate, now);
}

/*
 * Count the ticks up to used[timeline] as used, on both timelines of a tick-tock
 * format, for this database.
 */
void
flake_restore(const FlakeFormat *format, const uint64 used[2])
{
	int64		us[FLAKE_MARK_KINDS] = {0};

	flake_sync(NULL);
	for (unsigned timeline = 0; timeline < 2; timeline++)
		if (used[timeline] > 0)
			us[mark_kind(format, timeline)] = flake_us_of(&format->rate, used[timeline] + 1);
	flake_mark_raise(us);
}

/*
 * Set back to us what stands above it: words, floors and what was decided on
 * them.  The lock is held exclusively, and a new epoch has begun.
 *
 * Every word changes, also one that stood lower: a backend that read it together
 * with the wrong clock must not swap it any more.
 */
void
flake_rewind(FlakeMarkKind kind, int64 us)
{
	unsigned	timeline = kind == FLAKE_MARK_TOCK ? 1 : 0;

	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeFormat *format = flake_formats[i];
		uint64		tick = flake_tick_from(&format->rate, us);
		uint32		first;
		uint32		slots = slots_of(format, &first);

		if (mark_kind(format, timeline) != kind)
			continue;
		for (uint32 slot = first; slot < first + slots; slot++)
		{
			pg_atomic_uint64 *word = &flake->generators[slot].word;
			uint64		old = pg_atomic_read_u64(word);
			FlakeWord	w;

			do
			{
				w = flake_unword(format, old);
				w.tick = w.timeline == timeline && w.tick > tick ? tick : w.tick + 1;
				w.next = 0;
			} while (!pg_atomic_compare_exchange_u64(word, &old, flake_word(format, w)));
		}
		if (pg_atomic_read_u64(&flake->floor[i][timeline]) > tick)
			pg_atomic_write_u64(&flake->floor[i][timeline], tick);
		if (pg_atomic_read_u64(&flake->run_on[i][timeline]) > tick)
			pg_atomic_write_u64(&flake->run_on[i][timeline], tick);
	}
	flake->resets++;
}

/* The next value of T_new_at's own counter, folded into the pool. */
uint32
flake_backfill(const FlakeFormat *format)
{
	uint32		min;
	uint32		max;

	flake_sync(NULL);
	flake_pool(format, &min, &max);
	return flake_roll_over(pg_atomic_fetch_add_u64(&flake->backfilled[format->id], 1), min, max);
}
