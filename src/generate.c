/*
 * generate.c
 *		Handing out IDs: leases.
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
#include "postmaster/interrupt.h"
#include "storage/lwlock.h"
#include "storage/procarray.h"
#include "utils/timestamp.h"

/*
 * Leases a backend keeps.  With one, a statement that uses two partitions would
 * lease a fresh range for every ID and burn the pool.
 */
#define FLAKE_LEASES		16

/*
 * How long a lease may be used, in microseconds.  What is left then goes back, or
 * a session that pauses would later fill in below the IDs of all the others, in
 * the middle of their indexes.
 */
#define FLAKE_LEASE_US		200

typedef struct FlakeLease
{
	FlakeTicket ticket;			/* of the last ID */
	uint32		key;			/* the generator; 0: no lease */
	const FlakeFormat *format;	/* as the caller asked for it last */
	int32		number;
	uint64		era;			/* the lease is void in any other */
	uint64		from;			/* see good_at() */
	uint64		length;
	uint32		next;			/* [next, end) is left */
	uint32		end;
	uint32		slot;			/* where it was found last */
	uint32		want;			/* how much was leased last */
	bool		ahead;			/* its tick lies ahead of the clock */
} FlakeLease;

static FlakeLease leases[FLAKE_LEASES];
static FlakeLease *shown = leases;	/* the one used last */
static FlakeShard *shard = NULL;	/* where it is shown */
static FlakeShard hidden;		/* used when all shards are taken: counted late, not shown */

/* What this backend did with a format under a number of its own. */
typedef struct OwnNumber
{
	uint32		key;			/* the generator used last */
	uint64		last_tick;		/* what it leased there last ... */
	unsigned	last_timeline;	/* ... and where */
	uint64		floor;			/* no tick below it on its timeline: see floor_after_move() */
	unsigned	timeline;
} OwnNumber;

static OwnNumber own_numbers[FLAKE_FORMATS];

/* The tick that this backend used last on timeline 1. */
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

/* ---------- who this server is ---------- */

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

		flake_check_settings(); /* not under the lock: see unlock_for_error() */
		LWLockAcquire(&flake->lock, LW_EXCLUSIVE);
		old = flake->identity;
		now = flake_timestamptz(flake_clock());

		/*
		 * A time of reload that lies in the future was taken before the clock
		 * stepped back; it must not keep newer settings out.  Nor do ours count
		 * while we have yet to read newer ones, whatever the clock said when.
		 */
		flake_identify(&read, old.reloaded != 0 ? &old : NULL);
		if (old.reloaded == 0 ||
			(!ConfigReloadPending && (read.reloaded > old.reloaded || old.reloaded > now)))
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
	slot = flake_find_slot(key);
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
	if (lease->ticket.timeline == 1)
		last_tock = lease->ticket.tick;
	shard->key = lease->key;
	shard->tick = lease->ticket.tick;
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
			pg_atomic_read_u64(&flake->era) == lease->era &&	/* or the tick may be used anew, after a reset */
			flake_give_back(format, word, lease->ticket.timeline, lease->ticket.tick,
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
	uint32		users[256];

	Assert(high < lengthof(users));
	if (number > low && number <= high + 1)
		return number - 1;

	memset(users, 0, sizeof(users));
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
floor_after_move(const FlakeFormat *format, uint32 key, unsigned timeline)
{
	OwnNumber  *own = &own_numbers[format->id];

	if (own->key != key)
	{
		if (own->key != 0)
		{
			own->floor = own->last_tick + 1;
			own->timeline = own->last_timeline;
		}
		own->key = key;
	}
	return own->timeline == timeline ? own->floor : 0;
}

/* ---------- leasing ---------- */

/*
 * Lease anew before the next ID: the mark that the leases were granted under may
 * have gone.  Only marks them, as it is called from invalidation.
 */
void
flake_void_leases(void)
{
	for (int i = 0; i < FLAKE_LEASES; i++)
		leases[i].length = 0;
}

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
			count_pending();
		drop(empty);
	}
	return empty;
}

/* The first number of a lease's next ID ... */
static inline uint32
aligned_next(const FlakeLease *lease, uint32 stride)
{
	return (lease->next + stride - 1) & ~(stride - 1);
}

/* ... which is in the lease as a whole? */
static inline bool
fits(const FlakeLease *lease, uint32 stride)
{
	return aligned_next(lease, stride) + stride <= lease->end;
}

/*
 * May a lease be used while the clock reads "ns"?  Modulo 2^64, as a format's time
 * may go beyond 2262: what counts is how long ago the lease was taken.
 */
static inline bool
good_at(const FlakeLease *lease, uint64 ns)
{
	return ns - lease->from < lease->length;
}

/*
 * The same while an ID is made: in nanoseconds, as the clock is read.  The era is
 * read after it: a lease of a timeline left meanwhile is void.  (One ahead of the
 * clock does not outlive the decision to run on in the time that it has.)
 */
static inline bool
good_now(const FlakeLease *lease)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	pg_read_barrier();
	return good_at(lease, (uint64) now.tv_sec * 1000000000 + now.tv_nsec) &&
		pg_atomic_read_u64(&flake->era) == lease->era && my_reload == PgReloadTime;
}

/* Answer a lease with at least one aligned number in it, shown. */
static pg_noinline FlakeLease *
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
		FlakeRegressed regressed;
		FlakeView	view;
		FlakeStep	step;
		uint64		word;
		uint64		era;
		uint64		decided;
		FlakeMarkView mark;
		uint32		key;
		int			slot;
		bool		kept;

		CHECK_FOR_INTERRUPTS();
		flake_sync(NULL);
		key = FLAKE_KEY(format->id, number == FLAKE_OWN ? flake_own_number(format) : (uint32) number);

		lease = kept_lease(key);
		slot = lease->key == key &&
			pg_atomic_read_u32(&flake->keys[lease->slot]) == key ? (int) lease->slot : flake_find_slot(key);
		if (slot < 0)
			slot = flake_claim_slot(format, key);
		generator = slot >= 0 ? &flake->generators[slot] : NULL;

		view.word = word = slot >= 0 ? pg_atomic_read_u64(&generator->word) : 0;
		pg_read_barrier();
		if (slot >= 0 && pg_atomic_read_u32(&flake->keys[slot]) != key)
			continue;
		decided = pg_atomic_read_u64(&flake->run_on[format->id][flake_timeline(format, my_era)]);
		pg_read_barrier();
		view.now = flake_clock();
		pg_read_barrier();
		era = pg_atomic_read_u64(&flake->era);
		if (era != my_era)
			continue;
		pg_read_barrier();
		view.timeline = flake_timeline(format, era);
		view.stride = stride;
		flake_pool(format, &view.min, &view.max);

		/* come back to a lease that is still good */
		kept = slot >= 0 && lease->key == key && lease->era == era;
		if (kept && good_at(lease, (uint64) view.now * 1000) && fits(lease, stride))
		{
			lease->format = format;
			lease->number = number;
			if (lease != shown)
				show(lease);
			return lease;
		}

		/* what is left of it is leased again, as if given back, unless others came behind it */
		if (kept)
			flake_give_back(format, word, view.timeline, lease->ticket.tick,
							lease->next, lease->end, &view.word);

		kind = flake_mark_kind(format, view.timeline);
		if (!flake_mark(kind, &mark))
			continue;			/* it may have waited for the relation's lock, while the clock went on */
		view.mark = mark.mark;
		memcpy(view.burnt, mark.burnt, sizeof(view.burnt));
		view.floor = Max(pg_atomic_read_u64(&flake->floor[format->id][view.timeline]),
						 flake_tick_from(&format->rate, mark.floor));
		view.run_on = flake_run_on(format, view.timeline, decided, view.now);

		/*
		 * Timeline 0 sorts below 1 in the same unit.  A toggle begins it with the
		 * next one, but may itself take longer than that, while we went on.
		 */
		if (format->tick_tock && view.timeline == 0 &&
			last_tock == flake_tick_of(&format->rate, view.now))
			view.floor = Max(view.floor, last_tock + 1);
		if (number == FLAKE_OWN)
			view.floor = Max(view.floor, floor_after_move(format, key, view.timeline));
		view.max_ahead = (int64) flake_max_ahead * 1000;

		if (slot < 0)
		{
			/*
			 * Every slot is in use within this tick, or ahead of the clock; if it
			 * is because the clock stepped back, turning makes room.
			 */
			FlakeGenerator unknown = {0};

			if (format->tick_tock &&
				flake_regression_now(format, key, slot, era, &view, &regressed) == FLAKE_REGRESSION_TOGGLE)
				continue;
			if (!flake_wait_until(view.now + 1000, &budget, &unknown))
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
											 (uint64) view.now * 1000 - lease->from < FLAKE_LEASE_US * 1000,
											 view.min, view.max),
							 &patience, &step);

		switch (verdict)
		{
			case FLAKE_LEASE:
				if (!pg_atomic_compare_exchange_u64(&generator->word, &word, step.word))
					break;
				if (pg_atomic_read_u64(&flake->era) != era)
				{
					/*
					 * A reset may have set the word back to the very value that
					 * was read before it; what was leased at the wrong time is
					 * not used, and goes back.
					 */
					pg_atomic_compare_exchange_u64(&generator->word, &step.word, word);
					break;
				}
				{
					int64		start = flake_us_of(&format->rate, step.tick);
					int64		end = flake_us_of(&format->rate, step.tick + 1);
					bool		ahead = start > view.now;
					/* a floor may stand within the present tick: that is no step back */
					bool		behind = step.tick > flake_tick_of(&format->rate, view.now) + 1;

					if (behind && !(lease->ahead && lease->key == key))
						pg_atomic_fetch_add_u32(&generator->regressions, 1);
					lease->ticket.tick = step.tick;
					lease->ticket.timeline = view.timeline;
					lease->ticket.number = FLAKE_KEY_NUMBER(key);
					lease->ticket.identity = &my_identity;	/* era's, as long as the lease is good */
					lease->format = format;
					lease->number = number;
					lease->era = era;
					lease->from = (uint64) view.now * 1000;
					lease->length = Min(end - view.now, FLAKE_LEASE_US) * 1000;
					lease->next = step.next;
					lease->end = step.end;
					lease->want = step.end - step.next;
					lease->key = key;
					lease->slot = slot;
					lease->ahead = ahead;
					if (number == FLAKE_OWN)
					{
						own_numbers[format->id].last_tick = step.tick;
						own_numbers[format->id].last_timeline = view.timeline;
					}
					show(lease);
					if (behind && !format->tick_tock)
						flake_ran_on(format, step.tick, view.now);
					flake_mark_ahead(kind, start, era);
				}
				return lease;

			case FLAKE_EXHAUSTED:
				if (!overflowed)
				{
					flake_count_overflow(generator, step.tick);
					overflowed = true;
				}
				if (!flake_wait_until(step.until, &budget, generator))
					flake_report_exhausted(format, FLAKE_KEY_NUMBER(key), step.tick, view.now);
				break;

			case FLAKE_UNMARKED:
				flake_mark_extend(kind, flake_us_of(&format->rate, step.tick), era);
				break;

			case FLAKE_BEHIND:
				switch (flake_regression_now(format, key, slot, era, &view, &regressed))
				{
					case FLAKE_REGRESSION_WAIT:
						if (!flake_wait_until(regressed.until, &budget, generator))
							flake_report_wait(format, regressed.until, view.now);
						break;
					case FLAKE_REGRESSION_TOO_FAR:
						if (regressed.until - view.now > budget ||
							!flake_wait_until(regressed.until, &budget, generator))
							flake_report_too_far(format, regressed.tick, view.now);
						break;
					case FLAKE_REGRESSION_NONE:
					case FLAKE_REGRESSION_TOGGLE:
					case FLAKE_REGRESSION_RUN_ON:
						break;
				}
				break;

			case FLAKE_TOO_FAR:
				if (step.until - view.now > budget || !flake_wait_until(step.until, &budget, generator))
					flake_report_too_far(format, step.tick, view.now);
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
const FlakeTicket *
flake_generate(const FlakeFormat *format, int32 number, uint32 stride)
{
	FlakeLease *lease = shown;
	uint32		sequence;

	if (unlikely(lease->format != format || lease->number != number || !good_now(lease) || !fits(lease, stride)))
		lease = lease_for(format, number, stride);
	sequence = aligned_next(lease, stride);
	lease->ticket.sequence = sequence;
	lease->next = sequence + stride;
	shard->next = lease->next;
	shard->pending++;
	return &lease->ticket;
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

/* At backend exit. */
void
flake_release(void)
{
	flake_stop_waiting();			/* a FATAL error leaves by here, without unwinding */
	if (shard == NULL)
		return;
	count_pending();
	for (int i = 0; i < FLAKE_LEASES; i++)
		drop(&leases[i]);
	pg_write_barrier();			/* nothing of ours comes after the next owner's */
	shard->pid = 0;
	shard = NULL;
}
