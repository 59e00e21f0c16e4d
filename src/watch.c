/*
 * watch.c
 *		Recognise IDs that arrive with this database's number, but from elsewhere.
 *
 * Another server that has the same number, a twin, will some day make an ID that we
 * make, too.  An ID with our number whose tick is later than any that our generator has
 * issued cannot be our own, so it proves a twin.  An earlier one proves nothing: either
 * server may have made it.  IDs that somebody makes by hand for the future look like a
 * twin's.
 */
#include "flakeid.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* How long after a failed attempt to attach the next one is made, in us. */
#define RETRY_US		USECS_PER_SEC

/* The columns of a table whose IDs carry a number, kept as long as the trigger's FmgrInfo. */
typedef struct Watched
{
	Oid			relation;
	int			natts;			/* of the row type that the columns were
								 * looked up in */
	int			count;
	struct
	{
		int			attribute;
		const FlakeFormat *format;
	}			columns[FLEXIBLE_ARRAY_MEMBER];
} Watched;

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
 * Do so without an error, since rows have to arrive, by a subscription above all, even
 * while the generators refuse.  Returns false if there is nothing to compare with; the
 * next attempt is then made a second later.
 */
static bool
attach_quietly(void)
{
	static int64 retry = 0;
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool attached = true;

	if (flake_db != NULL && pg_atomic_read_u32(&flake_db->relation) != 0)
	{
		(void) flake_look();
		return true;
	}
	if (RecoveryInProgress() || (retry != 0 && flake_monotonic_us() < retry))
		return false;
	BeginInternalSubTransaction(NULL);
	PG_TRY();
	{
		attach();
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		if (error->sqlerrcode == ERRCODE_QUERY_CANCELED)
			ReThrowError(error);
		FreeErrorData(error);
		retry = flake_monotonic_us() + RETRY_US;
		attached = false;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return attached;
}

/*
 * Return the first tick that this database has certainly not issued under its own
 * number, on the issuer's timeline; "format" is the generator's.  FlakeDatabase.lock is
 * held, so that slots stay where they are and no timeline changes.
 *
 * Generators without a slot have left their tick in the floor.  On the timeline that is
 * not in force IDs may have been issued up to its mark.
 */
static uint64
first_not_issued(const FlakeFormat *format, const FlakeIssuer *issuer)
{
	FlakeMarkKind kind = flake_mark_kind(format, issuer->timeline);
	int			slot = flake_find_slot(FLAKE_KEY(format->id, format->numbers > 1 ? issuer->number : 0));
	uint64		first = flake_later_tick(pg_atomic_read_u64(&flake_db->floor[format->id][issuer->timeline]),
										 flake_tick_from(&format->rate, (int64) pg_atomic_read_u64(&flake_db->mark_floor[kind])));

	if (issuer->timeline != flake_timeline(format, pg_atomic_read_u64(&flake_db->generation)))
		first = flake_later_tick(first, flake_tick_from(&format->rate, flake_mark_safe(kind)));
	if (slot >= 0)
	{
		FlakeWord	word = flake_unword(format, pg_atomic_read_u64(&flake_db->generators[slot].word));

		if (word.timeline == issuer->timeline)
			first = Max(first, word.tick + 1);
	}
	return first;
}

/*
 * Is the ID a twin's: does it have this database's number, a sequence within its pool,
 * and a tick that its generator has not issued?  If so and "newest" is not NULL, set it
 * to the start of the first tick that was not issued, in us.
 */
static bool
is_twin(const FlakeFormat *format, const uint8 *id, int64 *newest)
{
	const FlakeOwn *own;
	const FlakeOwn *pool;
	const FlakeFormat *generator = flake_generator_of(format);
	FlakeIssuer issuer;
	FlakeMarkKind kind;
	uint64		tick;
	uint64		first;
	int64		us;
	bool		retired;

	if (format->issuer == NULL || !attach_quietly() || flake_identity.settings == 0)
		return false;
	format->issuer(id, &issuer);
	own = &flake_identity.own[format->id];
	pool = &flake_identity.own[generator->id];
	if (own->fault != FLAKE_NUMBER_OK || issuer.number != own->number || issuer.scope != own->scope ||
		issuer.sequence < pool->min || issuer.sequence > pool->max)
		return false;

	us = format->instant(id);
	tick = flake_tick_of(&generator->rate, us);
	kind = flake_mark_kind(generator, issuer.timeline);
	LWLockAcquire(&flake_db->lock, LW_SHARED);
	first = first_not_issued(generator, &issuer);
	/* this database itself issued the retired interval, before a reset */
	retired = us >= (int64) pg_atomic_read_u64(&flake_db->value[kind][FLAKE_RETIRED_FROM]) &&
		us < (int64) pg_atomic_read_u64(&flake_db->value[kind][FLAKE_RETIRED_TO]);
	LWLockRelease(&flake_db->lock);
	if (newest != NULL)
		*newest = flake_us_of(&generator->rate, first);
	return tick >= first && !retired;
}

/* Count a twin's ID in a table, keep it for the view, and log it, at most once a second. */
static void
count_twin(const FlakeFormat *format, const uint8 *id, Relation relation, int64 newest)
{
	FlakeTwins *twins = &flake_db->twins;
	char		text[FLAKE_MAX_TEXT + 1];
	int64		now = flake_monotonic_us();
	bool		log;

	LWLockAcquire(&flake_db->lock, LW_EXCLUSIVE);
	twins->count++;
	twins->last = GetCurrentTimestamp();
	twins->relation = RelationGetRelid(relation);
	twins->format = format->id;
	memcpy(twins->id, id, format->bytes);
	log = twins->last_logged == 0 || now - twins->last_logged >= USECS_PER_SEC;
	if (log)
		twins->last_logged = now;
	LWLockRelease(&flake_db->lock);
	if (!log)
		return;
	format->encode(id, text);
	ereport(LOG,
			(errmsg("%s \"%s\" in table \"%s.%s\" has this database's number, but was not issued here",
					format->name, text, get_namespace_name(RelationGetNamespace(relation)),
					RelationGetRelationName(relation)),
			 errdetail("Its time is %s.%s", timestamptz_to_str(flake_instant(format, id)),
					   newest > format->rate.epoch_us
					   ? psprintf(" This database has issued none under its number from %s on.",
								  pstrdup(timestamptz_to_str(flake_timestamptz(newest)))) : ""),
			 errhint("Another server may have the same flakeid.node: give each a number of its own.")));
}

/* Return the format of a type in the extension's schema if its IDs carry a number, or NULL. */
static const FlakeFormat *
watched_format(Oid type, Oid home)
{
	const FlakeFormat *format = NULL;
	HeapTuple	tuple;
	Form_pg_type form;

	if (type < FirstNormalObjectId)
		return NULL;
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(getBaseType(type)));
	if (!HeapTupleIsValid(tuple))
		return NULL;
	form = (Form_pg_type) GETSTRUCT(tuple);
	for (int i = 0; i < FLAKE_FORMATS && form->typnamespace == home; i++)
		if (strcmp(flake_formats[i]->name, NameStr(form->typname)) == 0 &&
			flake_formats[i]->issuer != NULL)
			format = flake_formats[i];
	ReleaseSysCache(tuple);
	return format;
}

/* Return the columns to look at in a row of a table. */
static const Watched *
watched_columns(FunctionCallInfo fcinfo, Relation relation)
{
	Watched    *watched = fcinfo->flinfo->fn_extra;
	TupleDesc	row = RelationGetDescr(relation);
	Oid			home;

	if (watched != NULL && watched->relation == RelationGetRelid(relation) && watched->natts == row->natts)
		return watched;
	home = get_func_namespace(fcinfo->flinfo->fn_oid);
	watched = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt,
								 offsetof(Watched, columns) + row->natts * sizeof(watched->columns[0]));
	watched->relation = RelationGetRelid(relation);
	watched->natts = row->natts;
	watched->count = 0;
	for (int i = 0; i < row->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(row, i);
		const FlakeFormat *format = attribute->attisdropped ? NULL : watched_format(attribute->atttypid, home);

		if (format == NULL)
			continue;
		watched->columns[watched->count].attribute = i + 1;
		watched->columns[watched->count++].format = format;
	}
	fcinfo->flinfo->fn_extra = watched;
	return watched;
}

/* flakeid_watch_row(): the trigger of tables that flakeid_watch() watches; it counts, and changes nothing. */
PG_FUNCTION_INFO_V1(flakeid_watch_row);
Datum
flakeid_watch_row(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	const Watched *watched;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("flakeid_watch_row() must be called by a trigger FOR EACH ROW on INSERT"),
				 errhint("Create the trigger with SELECT flakeid_watch('table').")));
	/* no other session can have put rows into a temporary table */
	if (trigger->tg_relation->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		PG_RETURN_POINTER(trigger->tg_trigtuple);
	watched = watched_columns(fcinfo, trigger->tg_relation);
	for (int i = 0; i < watched->count; i++)
	{
		const FlakeFormat *format = watched->columns[i].format;
		bool		null;
		int64		newest;
		Datum		value = heap_getattr(trigger->tg_trigtuple, watched->columns[i].attribute,
										 RelationGetDescr(trigger->tg_relation), &null);

		if (!null && is_twin(format, flake_datum_bytes(format, &value), &newest))
			count_twin(format, flake_datum_bytes(format, &value), trigger->tg_relation, newest);
	}
	PG_RETURN_POINTER(trigger->tg_trigtuple);
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
	PG_RETURN_BOOL(is_twin(format, id, NULL));
}
