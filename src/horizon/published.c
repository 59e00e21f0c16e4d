/*
 * published.c
 *		What standbys know of the horizons: the table _flakeid.horizon.
 *
 * Only the server that makes the IDs knows which of them are still to be committed.  There,
 * flakeid_publish_horizon() writes its horizons into an ordinary row, in a transaction.  A
 * standby replays commits in the order of the primary's, so a snapshot that sees the row sees
 * everything that was committed before the row was written, and nothing else will ever be below
 * its horizons.  Hence the row is read with the snapshot of the statement that asks.
 *
 * A row names its database by the server's system identifier and the database's OID, because a
 * copy of the database has the row, too, and so may a subscriber to all tables.  The horizons of
 * sequences are in the same row, by their names.
 */
#include "horizon/reader.h"

#include "access/relation.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xlog.h"
#include "catalog/namespace.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/* ---------- the table ---------- */

/*
 * Return the OID of the table.  Reports 55000 if a superuser has renamed its schema, because a
 * stranger may have created one of that name.
 */
static Oid
find_table(void)
{
	Oid			oid = InvalidOid;
	Oid			schema;

	flake_lock_catalogs(FLAKE_LOOK_EXTENSION);
	schema = get_namespace_oid("_flakeid", true);
	if (OidIsValid(schema) && flake_is_own_schema(schema, "flakeid_mark_take_over"))
		oid = get_relname_relid("horizon", schema);
	flake_unlock_catalogs(FLAKE_LOOK_EXTENSION);
	if (!OidIsValid(oid))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"_flakeid.horizon\" is not the extension's"),
				 errhint("Give the schemas of flakeid their names again.")));
	return oid;
}

/*
 * Report 42501 unless the caller may write the table, because its rows decide what readers on
 * standbys see.
 */
void
flake_check_publisher(void)
{
	AclMode		needed = ACL_INSERT | ACL_UPDATE;

	if (pg_class_aclmask(find_table(), GetUserId(), needed, ACLMASK_ALL) != needed)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, "horizon");
}

/* ---------- its row ---------- */

/* What a horizon is of. */
typedef struct Whose
{
	const FlakeFormat *format;	/* NULL: of a sequence */
	const char *sequence;		/* its name, with its schema */
	uint32		file;			/* of the sequence, in which it was published */
} Whose;

/* Return a column of a row of the table, by its name.  Reports 55000 if there is no such column. */
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

/* Return one of the two numbers that a row has for a sequence, the sequence's file or its horizon. */
static int64
published_element(Datum published, int32 element)
{
	Datum		found = DirectFunctionCall2(jsonb_array_element_text, published, Int32GetDatum(element));

	return DatumGetInt64(DirectFunctionCall1(int8in, CStringGetDatum(TextDatumGetCString(found))));
}

/*
 * Store the horizon that a row has, an instant (us) for a format, a value for a sequence; return
 * false if it has none.  A horizon of another file does not count.  The sequence was dropped or set
 * back since, and its new values are below that horizon.
 */
static bool
has_horizon(TupleTableSlot *slot, const Whose *whose, int64 *horizon)
{
	bool		isnull;
	Datum		value = column(slot, whose->format != NULL ? whose->format->name : "sequences", &isnull);
	Datum		key;

	if (isnull)
		return false;
	if (whose->format != NULL)
	{
		*horizon = flake_us_saturated(DatumGetTimestampTz(value));
		return true;
	}
	key = CStringGetTextDatum(whose->sequence);
	if (!DatumGetBool(DirectFunctionCall2(jsonb_exists, value, key)))
		return false;
	value = DirectFunctionCall2(jsonb_object_field, value, key);
	*horizon = published_element(value, 1);
	return published_element(value, 0) == whose->file;
}

/* Do the same with this database's row, as the snapshot sees it. */
static bool
is_published(const Whose *whose, Snapshot snapshot, int64 *horizon)
{
	Oid			oid = find_table();
	bool		published = false;
	Relation	relation;
	TupleTableSlot *slot;
	TableScanDesc scan;

	flake_lock_relation(oid, "_flakeid.horizon");
	relation = table_open(oid, NoLock);
	slot = table_slot_create(relation, NULL);
	scan = flake_table_beginscan(relation, snapshot);
	while (!published && table_scan_getnextslot(scan, ForwardScanDirection, slot))
		published = is_own(slot) && has_horizon(slot, whose, horizon);
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	table_close(relation, AccessShareLock);
	return published;
}

/* ---------- what the primary has published ---------- */

/* Return the horizon.  Reports 55000 if the primary has published none. */
static int64
published(const Whose *whose, Snapshot snapshot)
{
	int64		horizon;

	if (!is_published(whose, snapshot, &horizon))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 whose->format != NULL ? errmsg("no horizon of %s has been published", whose->format->name)
				 : errmsg("no horizon of sequence \"%s\" has been published", whose->sequence),
				 errdetail("Only the primary knows which transactions have made IDs; a standby reads what the primary publishes."),
				 errhint("On the primary, CALL flakeid_publish_horizon(%s) in this database, as often as readers of the standby need to move on.",
						 whose->format == NULL ? psprintf("sequences => '{%s}'", whose->sequence)
						 : whose->format->tick_tock ? "with_sno => true" : "")));
	return horizon;
}

/* Return the horizon of a format, as a tick. */
uint64
flake_published(const FlakeFormat *format, Snapshot snapshot)
{
	Whose		whose = {.format = format};
	int64		us = published(&whose, snapshot);

	return us <= format->rate.epoch_us ? 0 : flake_tick_of(&format->rate, us);
}

/* Return the horizon of a sequence, whose files are the primary's.  Reports 42P01 if there is none of this OID. */
int64
flake_sequence_published(Oid oid, Snapshot snapshot)
{
	Relation	sequence = relation_open(oid, AccessShareLock);
	Whose		whose = {.file = flake_file_number(sequence)};

	whose.sequence = quote_qualified_identifier(get_namespace_name(RelationGetNamespace(sequence)), RelationGetRelationName(sequence));
	relation_close(sequence, AccessShareLock);
	return published(&whose, snapshot);
}
