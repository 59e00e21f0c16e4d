/*
 * claim.c
 *		The numbers that the databases of a server hold.
 *
 * Databases claim their numbers: two databases of a server never issue under the same
 * number at once if it is set in both, or derived in both, unless their pools or siq
 * domains differ.  A database that takes a number over begins above everything that its
 * last holder issued.  Where every number is held, databases share derived ones.
 *
 * Nothing here waits, allocates or reports: FlakeShared.lock is held.
 */
#include "flakeid.h"

#include "miscadmin.h"
#include "storage/lwlock.h"

/* How many numbers free_number() looks at. */
#define FLAKE_REACH		65536

/* Return how many numbers a format has, or 0 if databases do not claim its numbers. */
uint64
flake_claimable(int format)
{
	if (flake_formats[format]->hashed_number)
		return UINT64CONST(1) << 32;
	if (flake_formats[format]->numbers > 1)
		return flake_formats[format]->numbers;
	return 0;
}

/* Are, or were, IDs issued under this number? */
static inline bool
is_used(const FlakeOwn *own)
{
	return own->fault == FLAKE_NUMBER_OK && own->number >= 0;
}

/* Does it keep other databases from the number? */
static inline bool
is_claimed(const FlakeOwn *own)
{
	return is_used(own) && !own->shared;
}

/* If the two numbers are the same, do their pools overlap, so that IDs could be? */
static inline bool
meets(const FlakeOwn *a, const FlakeOwn *b)
{
	return a->scope == b->scope && a->min <= b->max && b->min <= a->max;
}

/*
 * Does the first number comprise the second, with its whole pool?  A set number and a
 * derived one are different things: the one does not keep others from the other.
 */
static inline bool
contains(const FlakeOwn *own, const FlakeOwn *other)
{
	return is_used(own) && own->number == other->number && own->scope == other->scope &&
		own->derived == other->derived && own->min <= other->min && own->max >= other->max;
}

/* Does the first number keep other databases from everything that was issued under the second? */
static inline bool
covers(const FlakeOwn *own, const FlakeOwn *other)
{
	return is_claimed(own) && contains(own, other);
}

/* Up to when IDs of a format are retired under the numbers of a record, in microseconds, or 0. */
static int64
retired_to(const FlakeClaim *claim, int format)
{
	const FlakeFormat *generator = flake_generator_of(flake_formats[format]);
	int64		until = 0;

	for (unsigned timeline = 0; timeline <= (unsigned) generator->tick_tock; timeline++)
		until = Max(until, claim->retired_to[flake_mark_kind(generator, timeline)]);
	return until;
}

/*
 * Return the database that keeps the record's number of a format from others, or
 * InvalidOid.  That is the holder; or the database that gave the number up, until the
 * clock is past what it has retired: another one would issue that again, as its own mark
 * says nothing of it.
 */
static Oid
keeper(const FlakeClaim *claim, int format, int64 now)
{
	Oid			database = claim->held ? claim->database : claim->giver;

	if (!is_claimed(&claim->own[format]) || database == MyDatabaseId)
		return InvalidOid;
	return claim->held || retired_to(claim, format) > now ? database : InvalidOid;
}

/*
 * Return the derived number to take: the preferred one or the next that no other
 * database holds, or -1 if all within reach are held.
 */
static int64
free_number(int format, const FlakeOwn *own, int64 preferred, int64 now)
{
	static uint8 held[FLAKE_REACH / 8];
	uint64		width = flake_claimable(format);
	uint64		reach = Min(width, FLAKE_REACH);

	memset(held, 0, sizeof(held));
	for (dsa_pointer at = flake->claims; DsaPointerIsValid(at);)
	{
		const FlakeClaim *claim = dsa_get_address(flake_area, at);
		const FlakeOwn *other = &claim->own[format];

		if (other->derived && meets(own, other) && OidIsValid(keeper(claim, format, now)))
		{
			uint64		step = (uint64) (other->number - preferred + (int64) width) % width;

			if (step < reach)
				held[step / 8] |= 1 << step % 8;
		}
		at = claim->next;
	}
	for (uint64 step = 0; step < reach; step++)
		if ((held[step / 8] & 1 << step % 8) == 0)
			return (int64) (((uint64) preferred + step) % width);
	return -1;
}

/*
 * Choose the numbers of an identity: those set, unless another database holds them,
 * and free ones where they are derived.  FlakeShared.lock is held exclusively.
 */
void
flake_claim_numbers(FlakeIdentity *identity, const FlakeClaim *mine)
{
	int64		now = flake_clock();

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		FlakeOwn   *own = &identity->own[format];

		if (flake_claimable(format) == 0 || own->fault != FLAKE_NUMBER_OK)
			continue;
		if (own->derived)
		{
			const FlakeOwn *last = &mine->own[format];
			int64		number;

			/* prefer the number that the database had before */
			number = free_number(format, own, last->derived && is_claimed(last) ? last->number : own->number, now);
			own->shared = number < 0;
			if (number >= 0)
				own->number = number;
			continue;
		}
		for (dsa_pointer at = flake->claims; DsaPointerIsValid(at);)
		{
			const FlakeClaim *claim = dsa_get_address(flake_area, at);
			const FlakeOwn *other = &claim->own[format];

			if (!other->derived && other->number == own->number && meets(own, other))
				own->holder = keeper(claim, format, now);
			if (OidIsValid(own->holder))
			{
				own->fault = FLAKE_NUMBER_HELD;
				break;
			}
			at = claim->next;
		}
	}
}

/*
 * Begin above what earlier holders of the numbers issued, and remove these numbers from
 * their records.  Returns a list of the records that are now empty, unlinked, for the
 * caller to free.  Both locks are held exclusively.
 */
dsa_pointer
flake_claim_take_over(const FlakeIdentity *identity, FlakeClaim *mine)
{
	dsa_pointer emptied = InvalidDsaPointer;
	dsa_pointer *link = &flake->claims;

	while (DsaPointerIsValid(*link))
	{
		dsa_pointer at = *link;
		FlakeClaim *claim = dsa_get_address(flake_area, at);
		bool		empty = true;

		for (int i = 0; i < FLAKE_FORMATS && !claim->held; i++)
		{
			const FlakeOwn *own = &identity->own[i];
			FlakeOwn   *other = &claim->own[i];
			const FlakeFormat *format = flake_generator_of(flake_formats[i]);

			if (flake_claimable(i) == 0 || !is_used(other))
				continue;
			if (is_used(own) && own->number == other->number && meets(own, other))
			{
				/*
				 * The words of this memory still tell what it issued itself.
				 * Who shared the number kept nobody from it: were it a floor,
				 * a database could be set ahead by another.
				 */
				for (unsigned timeline = 0;
					 timeline <= (unsigned) format->tick_tock && claim->left_by != flake_db->born && is_claimed(other);
					 timeline++)
				{
					int64		issued = claim->issued[flake_mark_kind(format, timeline)];
					uint64		tick;

					if (issued <= format->rate.epoch_us)
						continue;
					tick = flake_tick_from(&format->rate, issued);
					flake_raise(&flake_db->floor[format->id][timeline], tick);
					if (claim->database != MyDatabaseId && claim->giver != MyDatabaseId)
						flake_raise(&flake_db->inherited[format->id][timeline], tick);
				}
				if (covers(own, other))
					other->number = -1;
			}
			empty = empty && !is_used(other);
		}
		if (!claim->held && empty && claim != mine)
		{
			*link = claim->next;
			claim->next = emptied;
			emptied = at;
		}
		else
			link = &claim->next;
	}
	return emptied;
}

/*
 * Fill in a record of the numbers that a database gives up for others: those it holds,
 * by its own record, and does not have in this identity.  Returns false if it gives up
 * none.  Both locks are held.
 */
bool
flake_claim_leave(const FlakeDatabase *db, const FlakeIdentity *identity, const FlakeClaim *mine, FlakeClaim *left)
{
	bool		any = false;

	memcpy(left->own, mine->own, sizeof(left->own));
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeOwn *old = &mine->own[i];
		const FlakeOwn *own = &identity->own[i];

		/*
		 * Do not record a number that the database shares and goes on with,
		 * or there would be ever more records.  One that it held, and now
		 * shares, does not keep others from it any more.
		 */
		if (flake_claimable(i) != 0 && is_used(old) &&
			!(is_claimed(old) ? covers(own, old) : contains(own, old)))
			any = true;
		else
			left->own[i].number = -1;
	}
	left->database = InvalidOid;
	left->held = 0;
	left->giver = db->oid;
	left->left_by = mine->held ? db->born : 0;
	for (int kind = 0; kind < FLAKE_MARK_KINDS; kind++)
	{
		left->issued[kind] = mine->held ? flake_issued(db, kind) : mine->issued[kind];
		left->retired_to[kind] = (int64) pg_atomic_read_u64(&unconstify(FlakeDatabase *, db)->value[kind][FLAKE_RETIRED_TO]);
	}
	return any;
}

/*
 * Take from a database the numbers that it would not even prefer in this identity, and
 * the parts of a pool that it does not have there, and fill in the record of them.
 * Returns false if it loses none.  Both locks are held.
 */
bool
flake_claim_lose(const FlakeDatabase *db, const FlakeIdentity *identity, FlakeClaim *left)
{
	FlakeClaim *claim = flake_claim_of(db->oid);
	FlakeIdentity kept = *identity;

	if (claim == NULL || !claim->held)
		return false;
	for (int i = 0; i < FLAKE_FORMATS; i++)
	{
		const FlakeOwn *own = &identity->own[i];
		const FlakeOwn *old = &claim->own[i];

		kept.own[i] = *old;
		if (is_used(old) && is_used(own) && own->derived == old->derived && meets(own, old) &&
			(own->derived || own->number == old->number))
		{
			kept.own[i].min = Max(own->min, old->min);
			kept.own[i].max = Min(own->max, old->max);
		}
		else
			kept.own[i].number = -1;
	}
	if (!flake_claim_leave(db, &kept, claim, left))
		return false;
	memcpy(claim->own, kept.own, sizeof(claim->own));
	return true;
}

/*
 * Up to when the holder of a number, which another database is refused, has IDs retired
 * under it, in microseconds, if it keeps the number for nothing else; 0 if it issues
 * under it.  FlakeShared.lock is not held.
 */
int64
flake_claim_kept_until(int format, const FlakeOwn *own)
{
	int64		until = 0;

	LWLockAcquire(&flake->lock, LW_SHARED);
	for (dsa_pointer at = flake->claims; DsaPointerIsValid(at);)
	{
		const FlakeClaim *claim = dsa_get_address(flake_area, at);
		const FlakeOwn *other = &claim->own[format];

		at = claim->next;
		if (!is_claimed(other) || other->derived || other->number != own->number || !meets(own, other) ||
			(claim->held ? claim->database : claim->giver) != own->holder)
			continue;
		until = Max(until, claim->held ? PG_INT64_MAX : retired_to(claim, format));
	}
	LWLockRelease(&flake->lock);
	return until == PG_INT64_MAX ? 0 : until;
}

/* Return the record of a database's claims, or NULL.  FlakeShared.lock is held. */
FlakeClaim *
flake_claim_of(Oid database)
{
	for (dsa_pointer at = flake->claims; DsaPointerIsValid(at);)
	{
		FlakeClaim *claim = dsa_get_address(flake_area, at);

		if (claim->database == database)
			return claim;
		at = claim->next;
	}
	return NULL;
}
