/*
 * published.c
 *		Horizons of other databases, for standbys and subscribers: the table
 *		_flakeid.horizon.
 *
 * Only the server that makes the IDs knows which are still to be committed.  There,
 * flakeid_publish_horizon() writes its horizons into an ordinary row, in a transaction.  A
 * standby replays commits in the order of the primary's, and a subscription applies them
 * in that order, so a snapshot that sees the row sees everything that was committed before
 * the row was written: all there will ever be below its horizons.  Hence the row is read
 * with the snapshot of the statement that asks.
 *
 * A row belongs to a database, by the server's system identifier and its OID.  A standby
 * uses its own database's.  A subscriber makes IDs itself, so it uses the least of its own
 * horizon and those that its subscriptions have brought.
 *
 * A row tells of the IDs that its database has made, not of those that it has received: if
 * two servers that subscribe to each other published the least of both, each would wait for
 * its own old horizon to come back from the other, and neither would rise.  So a subscriber
 * needs the rows of all databases whose IDs it receives, each from that database itself: a
 * subscriber of a subscriber has no horizon.  As long as a subscriber lacks some of them, or
 * copies tables, its own row holds its subscribers at the beginning of time.
 *
 * The horizons of sequences are in the same row, by their names.  A subscriber's own sequences
 * may be ahead of rows that are on their way, so it uses what it has received.
 *
 * A subscription copies each table by itself, from a snapshot of its own.  Until a table
 * is ready, another one may be ahead of it.  See are_in_step().
 */
#include "horizon/reader.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_subscription.h"
#include "catalog/pg_subscription_rel.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* ---------- the table ---------- */

/*
 * The table, if it was found; the hash value by which invalidations name its row of
 * pg_class; and how often that row, or one of pg_subscription_rel, has changed.
 */
static Oid	found = InvalidOid;
static uint32 found_hash;
static uint64 moved = 0;
static uint64 resubscribed = 0;

/* Other tables' changes do not matter, or everybody who creates one makes us look again. */
static void
tables_changed(Datum arg pg_attribute_unused(), int cache pg_attribute_unused(), uint32 hash)
{
	if (hash == 0 || hash == found_hash || !OidIsValid(found))
		moved++;
}

static void
subscriptions_changed(Datum arg pg_attribute_unused(), int cache pg_attribute_unused(),
					  uint32 hash pg_attribute_unused())
{
	resubscribed++;
}

/* Learn of what other sessions have changed. */
static void
notice_changes(void)
{
	static bool registered = false;

	if (!registered)
	{
		CacheRegisterSyscacheCallback(RELOID, tables_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(SUBSCRIPTIONRELMAP, subscriptions_changed, (Datum) 0);
	}
	registered = true;
	AcceptInvalidationMessages();
}

/*
 * Return the OID of the table.  Reports 55000 if a superuser has renamed its schema: a
 * stranger may have created one of that name.  The catalogs are read only after a change,
 * because everybody may lock them, see lockwait.c.
 */
static Oid
find_table(void)
{
	static uint64 found_at = PG_UINT64_MAX;
	uint64		before;
	Oid			schema;
	Oid			oid = InvalidOid;

	notice_changes();
	if (found_at == moved && OidIsValid(found))
		return found;
	before = moved;
	found = InvalidOid;			/* a change that is noticed meanwhile counts */
	flake_lock_catalogs(FLAKE_LOOK_EXTENSION);
	schema = get_namespace_oid("_flakeid", true);
	if (OidIsValid(schema) && getExtensionOfObject(NamespaceRelationId, schema) == get_extension_oid("flakeid", false))
		oid = get_relname_relid("horizon", schema);
	flake_unlock_catalogs(FLAKE_LOOK_EXTENSION);
	if (!OidIsValid(oid))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"_flakeid.horizon\" is not the extension's"),
				 errhint("Give the schemas of flakeid their names again.")));
	found_hash = GetSysCacheHashValue1(RELOID, ObjectIdGetDatum(oid));
	found = oid;
	found_at = before;
	return found;
}

/* Return the column of a name, of a row of the table.  Reports 55000 if it is not there. */
static Datum
column(TupleTableSlot *slot, const char *name, bool *isnull)
{
	int			number = SPI_fnumber(slot->tts_tupleDescriptor, name);

	if (number <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"_flakeid.horizon\" has no column \"%s\"", name)));
	return slot_getattr(slot, number, isnull);
}

/* Is a row of the table this database's own? */
static bool
is_own(TupleTableSlot *slot)
{
	bool		isnull;

	return (uint64) DatumGetInt64(column(slot, "system", &isnull)) == GetSystemIdentifier() &&
		DatumGetObjectId(column(slot, "database", &isnull)) == MyDatabaseId;
}

/* What a horizon is of. */
typedef struct Whose
{
	const FlakeFormat *format;	/* NULL: of a sequence */
	const char *sequence;		/* its name, with its schema */
	uint32		file;			/* of the sequence, in which it was published; 0: in any */
} Whose;

/* Return the horizon of a format in a row, as a tick, or "otherwise". */
static uint64
format_published(TupleTableSlot *slot, const FlakeFormat *format, uint64 otherwise)
{
	bool		isnull;
	Datum		horizon = column(slot, format->name, &isnull);
	int64		us = isnull ? 0 : flake_us_saturated(DatumGetTimestampTz(horizon));

	if (isnull)
		return otherwise;
	return us <= format->rate.epoch_us ? 0 : flake_tick_of(&format->rate, us);
}

/* Return an element of what a row has of a sequence: the number of its file, and the horizon. */
static int64
published_element(Datum published, int32 element)
{
	Datum		found_text = DirectFunctionCall2(jsonb_array_element_text, published, Int32GetDatum(element));

	return DatumGetInt64(DirectFunctionCall1(int8in, CStringGetDatum(TextDatumGetCString(found_text))));
}

/*
 * Return the horizon of a sequence in a row, as a rank, or "otherwise".  One of another file is that
 * of a sequence that was dropped, or had not been set back: the new values are below it.
 */
static uint64
sequence_published(TupleTableSlot *slot, const Whose *whose, uint64 otherwise)
{
	bool		isnull;
	Datum		sequences = column(slot, "sequences", &isnull);
	Datum		key = CStringGetTextDatum(whose->sequence);
	Datum		published;

	if (isnull || !DatumGetBool(DirectFunctionCall2(jsonb_exists, sequences, key)))
		return otherwise;
	published = DirectFunctionCall2(jsonb_object_field, sequences, key);
	if (whose->file != 0 && published_element(published, 0) != whose->file)
		return otherwise;
	return Min(flake_draw_rank(published_element(published, 1)), FLAKE_COPYING - 1);
}

/*
 * Return the least horizon in the rows of this database, or in those of others, as the snapshot
 * sees them, and store how many rows there are.  FLAKE_NO_HORIZON without such a row, or if this
 * database's has none.  If another one's has none, 0 for a format, and FLAKE_UNPUBLISHED for a
 * sequence.
 */
static uint64
least_published(Oid oid, const Whose *whose, Snapshot snapshot, bool own, int *rows)
{
	bool		unpublished = false;
	Relation	relation;
	TupleTableSlot *slot;
	TableScanDesc scan;
	uint64		least = FLAKE_NO_HORIZON;

	flake_lock_relation(oid, "_flakeid.horizon");
	relation = table_open(oid, NoLock);
	slot = table_slot_create(relation, NULL);
	scan = flake_table_beginscan(relation, snapshot);
	*rows = 0;
	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		uint64		horizon;

		if (is_own(slot) != own)
			continue;
		horizon = whose->format != NULL ? format_published(slot, whose->format, own ? FLAKE_NO_HORIZON : 0)
			: sequence_published(slot, whose, FLAKE_NO_HORIZON);
		unpublished |= !own && horizon == FLAKE_NO_HORIZON;
		least = Min(least, horizon);
		(*rows)++;
	}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	table_close(relation, AccessShareLock);
	return unpublished ? FLAKE_UNPUBLISHED : least;
}

/* Report 55000: no horizon has been published, on the primary or else on a publisher. */
static void
report_unpublished(const Whose *whose, bool standby)
{
	const char *with = whose->format == NULL ? psprintf("sequences => '{%s}'", whose->sequence)
		: whose->format->tick_tock ? "with_sno => true" : "";

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 whose->format != NULL ? errmsg("no horizon of %s has been published", whose->format->name)
			 : errmsg("no horizon of sequence \"%s\" has been published", whose->sequence),
			 standby
			 ? errdetail("Only the primary knows which transactions have made IDs; a standby reads what the primary publishes.")
			 : whose->format != NULL
			 ? errdetail("Fewer other databases have a row in the table \"_flakeid.horizon\" than subscriptions replicate it.")
			 : errdetail("Not every database that the table \"_flakeid.horizon\" is replicated from has published it."),
			 standby
			 ? errhint("On the primary, CALL flakeid_publish_horizon(%s) in this database, as often as readers of the standby need to move on.", with)
			 : errhint("On each publisher, CALL flakeid_publish_horizon(%s), as often as readers need to move on. Drop subscriptions from which nothing comes any more. If two subscriptions have the same publisher, only one of them may bring the table.", with)));
}

/*
 * Report 55000: what publishers have sent tells nothing, and "published", which is what
 * flake_published_elsewhere() has returned, says why.
 */
static void
refuse_published(const Whose *whose, uint64 published)
{
	if (published == FLAKE_UNPUBLISHED)
		report_unpublished(whose, false);
	if (published == FLAKE_FORWARDED)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot determine the horizon of a subscriber's subscriber"),
				 errdetail("More other databases have a row in the table \"_flakeid.horizon\" than subscriptions replicate it, so a publisher forwards what it has received."),
				 errhint("Subscribe to each database that makes the IDs, and let no publisher forward what it has received. If nothing comes from a database any more, delete its row.")));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("cannot determine the horizon while a subscription copies tables"),
			 errdetail("Rows of a table that is being copied may arrive later than the publisher's horizon."),
			 errhint("Wait until all rows of pg_subscription_rel are in state r.")));
}

void
flake_refuse_published(const FlakeFormat *format, uint64 published)
{
	Whose		whose = {.format = format};

	refuse_published(&whose, published);
}

/* The name by which a sequence is in a row.  Reports 42P01 if there is none: the OID may be any. */
static Whose
whose_sequence(Oid oid)
{
	const char *name = get_rel_name(oid);
	const char *schema = get_namespace_name(get_rel_namespace(oid));
	Whose		whose = {0};

	if (name == NULL || schema == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", oid)));
	whose.sequence = quote_qualified_identifier(schema, name);
	return whose;
}

/* ---------- standbys ---------- */

/*
 * Return the horizon that the primary has published, as a tick.  Reports 55000 if it has
 * published none.
 */
uint64
flake_published_here(const FlakeFormat *format, Snapshot snapshot)
{
	Whose		whose = {.format = format};
	int			rows;
	uint64		tick = least_published(find_table(), &whose, snapshot, true, &rows);

	if (tick == FLAKE_NO_HORIZON)
		report_unpublished(&whose, true);
	return tick;
}

/* Return the same of a sequence, whose files are the primary's. */
int64
flake_sequence_published_here(Oid oid, Snapshot snapshot)
{
	Whose		whose = whose_sequence(oid);
	Relation	sequence = relation_open(oid, AccessShareLock);
	int			rows;
	uint64		rank;

	whose.file = flake_file_number(sequence);
	relation_close(sequence, AccessShareLock);
	rank = least_published(find_table(), &whose, snapshot, true, &rows);
	if (rank == FLAKE_NO_HORIZON)
		report_unpublished(&whose, true);
	return flake_ranked_value(rank);
}

/* ---------- subscribers ---------- */

/* Is this version of a row of a catalog visible to the snapshot, or to a later one? */
static bool
is_visible_since(HeapTupleHeader header, Snapshot snapshot)
{
	TransactionId created = HeapTupleHeaderGetXmin(header);
	TransactionId deleted;

	if (!TransactionIdIsCurrentTransactionId(created) && !TransactionIdDidCommit(created))
		return false;
	if (!flake_is_deleted(header))
		return true;
	deleted = HeapTupleHeaderGetUpdateXid(header);
	return XidInMVCCSnapshot(deleted, snapshot) || !TransactionIdDidCommit(deleted);
}

/*
 * Is a row of pg_subscription_rel about a subscription of this database?  A copy of
 * another database has rows of subscriptions that are not its own.  If a subscription has
 * been dropped, its rows were deleted in its own database, but not in copies.
 */
static bool
is_ours(HeapTuple row)
{
	Oid			subscription = ((Form_pg_subscription_rel) GETSTRUCT(row))->srsubid;
	HeapTuple	tuple = SearchSysCache1(SUBSCRIPTIONOID, ObjectIdGetDatum(subscription));
	bool		ours;

	if (!HeapTupleIsValid(tuple))
		return flake_was_deleted(row->t_data);
	ours = ((Form_pg_subscription) GETSTRUCT(tuple))->subdbid == MyDatabaseId;
	ReleaseSysCache(tuple);
	return ours;
}

/*
 * A table about which pg_subscription_rel had no row, not even one that was deleted and not
 * yet removed, when this session looked last; and how often that catalog had changed then.
 */
static Oid	unsubscribed = InvalidOid;
static uint64 unsubscribed_at;

/*
 * Return how many subscriptions of this database bring the table, or have done so since
 * the snapshot was taken.  Rows that arrived before a subscription was dropped are not
 * visible to an earlier snapshot, so the horizon must not pass them there.  The same holds
 * for a subscription that has been created since.  So look at all versions of the rows:
 * vacuum keeps those that the snapshot, or a later one, may see.
 */
static int
count_subscriptions(Oid oid, Snapshot snapshot)
{
	Relation	catalog = table_open(SubscriptionRelRelationId, AccessShareLock);
	uint64		before = resubscribed;
	bool		any = false;
	Oid			last = InvalidOid;
	int			count = 0;
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	row;

	ScanKeyInit(&key, Anum_pg_subscription_rel_srrelid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(oid));
	scan = systable_beginscan(catalog, SubscriptionRelSrrelidSrsubidIndexId, true, SnapshotAny, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		Oid			subscription = ((Form_pg_subscription_rel) GETSTRUCT(row))->srsubid;

		any = true;
		/* in the index, the versions of a row are next to each other */
		if (subscription != last && is_visible_since(row->t_data, snapshot) && is_ours(row))
		{
			last = subscription;
			count++;
		}
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	unsubscribed = any ? InvalidOid : oid;
	unsubscribed_at = before;
	return count;
}

/*
 * Is it certain, without a look at the catalogs, that no subscription brings the table?
 * Everybody may lock them, see lockwait.c.  Whoever creates a subscription tells the other
 * sessions right after the commit, long before its first row arrives.
 */
static bool
is_unsubscribed(Oid oid)
{
	return oid == unsubscribed && resubscribed == unsubscribed_at;
}

/*
 * Does the snapshot see all tables of the subscriptions as of one moment of the publisher,
 * or later than the horizons?  A table that was copied (SYNCDONE) may be ahead of those
 * that are ready, but not behind.  The table of the horizons must not be ahead, so it must
 * be ready itself: then all the others have got to the moment at which it was copied.
 */
static bool
are_in_step(Oid horizons, Snapshot snapshot)
{
	Relation	catalog = table_open(SubscriptionRelRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(catalog, InvalidOid, false, snapshot, 0, NULL);
	bool		in_step = true;
	HeapTuple	tuple;

	while (in_step && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_subscription_rel row = (Form_pg_subscription_rel) GETSTRUCT(tuple);

		if (row->srsubstate != SUBREL_STATE_READY && is_ours(tuple) &&
			get_rel_relkind(row->srrelid) != RELKIND_SEQUENCE)
			in_step = row->srsubstate == SUBREL_STATE_SYNCDONE && row->srrelid != horizons;
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return in_step;
}

/* Return what flake_published_elsewhere() does, from the catalogs and the table. */
static uint64
look_up_published(Oid oid, const Whose *whose, Snapshot snapshot)
{
	int			subscriptions = count_subscriptions(oid, snapshot);
	uint64		least;
	int			rows;

	if (subscriptions == 0)
		return FLAKE_NO_HORIZON;
	if (!are_in_step(oid, snapshot))
		return FLAKE_COPYING;
	least = least_published(oid, whose, snapshot, false, &rows);
	if (rows != subscriptions)
		return rows < subscriptions ? FLAKE_UNPUBLISHED : FLAKE_FORWARDED;
	return least;
}

/*
 * Return the least horizon that publishers have sent, as a tick; FLAKE_NO_HORIZON if no
 * subscription brings any; FLAKE_UNPUBLISHED if not all that should have sent one have done
 * so; FLAKE_FORWARDED if more have come than there are publishers; or FLAKE_COPYING while
 * tables of subscriptions are copied.
 */
static uint64
published_elsewhere(const Whose *whose, Snapshot snapshot)
{
	Oid			oid = find_table();
	uint64		published;

	if (is_unsubscribed(oid))
		return FLAKE_NO_HORIZON;
	flake_lock_catalogs(FLAKE_LOOK_SUBSCRIPTION);
	published = look_up_published(oid, whose, snapshot);
	flake_unlock_catalogs(FLAKE_LOOK_SUBSCRIPTION);
	return published;
}

uint64
flake_published_elsewhere(const FlakeFormat *format, Snapshot snapshot)
{
	Whose		whose = {.format = format};

	return published_elsewhere(&whose, snapshot);
}

/*
 * If subscriptions bring horizons, store the least one of a sequence and return true.  *own says
 * whether this database draws from its own sequence, too: it publishes that.  Reports 55000 if what
 * publishers have sent tells nothing; without "refuse", stores INT64_MIN then.
 */
bool
flake_sequence_published_elsewhere(Oid oid, Snapshot snapshot, bool refuse, int64 *horizon, bool *own)
{
	Whose		whose;
	uint64		rank;
	int			rows;

	if (is_unsubscribed(find_table()))
		return false;
	whose = whose_sequence(oid);
	rank = published_elsewhere(&whose, snapshot);
	if (rank == FLAKE_NO_HORIZON)
		return false;
	if (rank >= FLAKE_COPYING)
	{
		if (refuse)
			refuse_published(&whose, rank);
		rank = 0;
	}
	*horizon = flake_ranked_value(rank);
	*own = least_published(find_table(), &whose, snapshot, true, &rows) != FLAKE_NO_HORIZON;
	return true;
}

/* ---------- publishing ---------- */

/*
 * Report 42501 unless the caller may write the table, and so decide what readers on other
 * servers see.
 */
static void
check_publisher(void)
{
	AclMode		needed = ACL_INSERT | ACL_UPDATE;

	if (pg_class_aclmask(find_table(), GetUserId(), needed, ACLMASK_ALL) != needed)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, "horizon");
}

/* Return the format of this name.  Reports 22023 if it has no horizon. */
static const FlakeFormat *
format_argument(const char *name)
{
	for (int i = 0; i < FLAKE_FORMATS; i++)
		if (flake_formats[i]->numbers > 0 && strcmp(name, flake_formats[i]->name) == 0)
			return flake_formats[i];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("format \"%s\" has no horizon", name),
			 errhint("Formats that have a horizon are those of the types with a function T_horizon().")));
}

/*
 * flakeid_own_horizon(format): the instant of the horizon to publish; -infinity: see
 * flake_own_horizon().  Reports 42501 if the caller may not publish: publishing moves the
 * mark to the clock.
 */
PG_FUNCTION_INFO_V1(flakeid_own_horizon);
Datum
flakeid_own_horizon(PG_FUNCTION_ARGS)
{
	const FlakeFormat *format = format_argument(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	int64		us;

	check_publisher();
	us = flake_own_horizon(format);
	PG_RETURN_TIMESTAMPTZ(us == PG_INT64_MIN ? DT_NOBEGIN : flake_timestamptz(us));
}

/*
 * flakeid_own_sequence_horizon(sequence): the same for a sequence; the least bigint where nothing
 * may be published.
 */
PG_FUNCTION_INFO_V1(flakeid_own_sequence_horizon);
Datum
flakeid_own_sequence_horizon(PG_FUNCTION_ARGS)
{
	check_publisher();
	PG_RETURN_INT64(flake_own_sequence_horizon(PG_GETARG_OID(0)));
}
