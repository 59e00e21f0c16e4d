/*
 * twin.c
 *		Recognise IDs that have this database's number, but come from elsewhere.
 *
 * Another server that has the same number, a twin, will some day make an ID that we make,
 * too.  An ID with our number whose tick is later than any that our generator has issued
 * cannot be our own, so it proves a twin.  An earlier one proves nothing: either server
 * may have made it.  IDs for the future that somebody makes by hand look like a twin's.
 */
#include "types/types.h"

#include "access/xlog.h"

/* Make sure that the identity and the mark are in memory; reports the generators' errors. */
static void
attach(void)
{
	FlakeMarkView view;

	(void) flake_look();
	if (pg_atomic_read_u32(&flake_db->relation) == 0)
		(void) flake_mark(FLAKE_MARK_AHEAD, &view);
}

/*
 * Return the first tick that this database has certainly not issued under its own
 * number, on the issuer's timeline; "format" is the generator's.  FlakeDatabase.lock is
 * held, so that no timeline changes.
 *
 * On the timeline that is not in force IDs may have been issued up to its mark.
 */
static uint64
first_not_issued(const FlakeFormat *format, const FlakeIssuer *issuer)
{
	FlakeMarkKind kind = flake_mark_kind(format, issuer->timeline);
	FlakeGenerator *generator = flake_find_generator(format, format->numbers > 1 ? issuer->number : 0);
	uint64		first = flake_later_tick(pg_atomic_read_u64(&flake_db->floor[format->id][issuer->timeline]),
										 flake_tick_from(&format->rate, (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind])));

	if (issuer->timeline != flake_timeline(format, pg_atomic_read_u64(&flake_db->generation)))
		first = flake_later_tick(first, flake_tick_from(&format->rate, flake_mark_safe(kind)));
	if (generator != NULL)
	{
		FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&generator->word));

		if (word.timeline == issuer->timeline)
			first = Max(first, word.tick + 1);
	}
	return first;
}

/*
 * Is the ID a twin's: does it have this database's number, a sequence within its pool, and
 * a tick that its generator has not issued?  On a standby, which cannot know, no ID is.
 */
static bool
is_twin(const FlakeFormat *format, const uint8 *id)
{
	const FlakeOwn *own;
	const FlakeOwn *pool;
	const FlakeFormat *generator = flake_generator_of(format);
	FlakeIssuer issuer;
	FlakeMarkKind kind;
	uint64		tick;
	uint64		first;
	int64		us;
	const FlakeIssued *issued;
	const FlakeInterval *at;
	bool		elsewhere;

	if (format->issuer == NULL || RecoveryInProgress())
		return false;
	attach();
	if (!flake_identity.known)
		return false;
	format->issuer(id, &issuer);
	own = &flake_identity.own[format->id];
	pool = &flake_identity.own[generator->id];
	if (own->fault != FLAKE_NUMBER_OK || issuer.number != own->number ||
		issuer.scope != (format->id == FLAKE_SIQ ? flake_identity.siq_domain : 0) ||
		issuer.sequence < pool->min || issuer.sequence > pool->max)
		return false;

	us = flake_id_us(format, id);
	tick = flake_tick_of(&generator->rate, us);
	kind = flake_mark_kind(generator, issuer.timeline);
	issued = &flake_db->issued[kind];
	LWLockAcquire(&flake_db->lock, LW_SHARED);
	first = first_not_issued(generator, &issuer);
	/* before a reset this database itself issued there */
	at = flake_issued_at(issued, us);
	elsewhere = at != NULL && at != &issued->at[issued->current];
	LWLockRelease(&flake_db->lock);
	return tick >= first && !elsewhere;
}

/*
 * flakeid_of_twin(type, id as bytea): does the ID have this database's number although
 * it was not issued here?
 */
PG_FUNCTION_INFO_V1(flakeid_of_twin);
Datum
flakeid_of_twin(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = flake_format_named(PG_GETARG_TEXT_PP(0));
	uint8		id[FLAKE_MAX_BYTES];

	flake_from_bytea(format, PG_GETARG_BYTEA_PP(1), id);
	PG_RETURN_BOOL(is_twin(format, id));
}
