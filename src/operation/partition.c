/*
 * partition.c
 *		Bounds of partitions as instants.
 *
 * The only file that knows which partition keys hold the time: our own types; uuid, text and
 * bytea with the layout uuid7 or ulid; bigint with a layout in flakeid_layouts or of one's own.
 */
#include "operation/operation.h"

#include "access/relation.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "commands/extension.h"
#include "partitioning/partbounds.h"
#include "partitioning/partdesc.h"
#include "planner/planner.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* How the partition key of a table holds the time. */
typedef struct Key
{
	PartitionKey key;
	Oid			type;			/* that its operators take */
	const FlakeFormat *format;	/* of one of our types; NULL: of another type,
								 * and ... */
	PGFunction	instant;		/* ... of an ID and the arguments */
	PGFunction	least;			/* ... the least ID from an instant on, and
								 * the arguments */
	int			nargs;
	Datum		args[3];
	const char *what;			/* for messages */
} Key;

/* Call a function of a value and the layout's arguments. */
static Datum
call(const Key *key, PGFunction function, Datum value)
{
	return key->nargs == 0 ? DirectFunctionCall1(function, value)
		: key->nargs == 1 ? DirectFunctionCall2(function, value, key->args[0])
		: DirectFunctionCall4(function, value, key->args[0], key->args[1], key->args[2]);
}

/* Read a value from a text by a type's input function, with a modifier of -1. */
static Datum
read_value(PGFunction input, const char *text)
{
	return DirectFunctionCall3(input, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

/*
 * Fill in the layout of a bigint: one of one's own, which is written as its arguments, the epoch
 * with its time zone, or the name of one in flakeid_layouts.
 */
static void
describe_bigint(Key *key, Datum layout)
{
	const char *given = TextDatumGetCString(layout);
	char		epoch[50];
	char		low_bits[20];
	char		unit[50] = "1 ms";
	int			end = 0;

	key->instant = layout_timestamp;
	key->least = layout_min;
	key->nargs = 1;
	key->args[0] = layout;
	if (sscanf(given, "epoch => %49[0-9 .:Z+-], low_bits => %19[0-9-]%n, unit => %49[0-9a-z.: ]%n", epoch, low_bits, &end, unit, &end) >= 2 &&
		given[end] == '\0' && strlen(epoch) > 10 && strpbrk(epoch + 10, "Z+-") != NULL)
	{
		key->nargs = 3;
		key->args[0] = read_value(timestamptz_in, epoch);
		key->args[1] = read_value(int4in, low_bits);
		key->args[2] = read_value(interval_in, unit);
	}
	/* report now what is wrong with it */
	(void) call(key, key->least, TimestampTzGetDatum(0));
}

/* Report 42809 unless the table is a permanent one, partitioned by the range of one column. */
static PartitionKey
check_parent(Relation parent)
{
	const char *name = RelationGetRelationName(parent);
	PartitionKey key = parent->rd_rel->relkind == RELKIND_PARTITIONED_TABLE ? RelationGetPartitionKey(parent) : NULL;

	if (key == NULL || key->strategy != PARTITION_STRATEGY_RANGE || key->partnatts != 1)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("table \"%s\" is not partitioned by the range of one column", name),
				 errhint("Create it with PARTITION BY RANGE on the ID alone; partitions can be partitioned in turn.")));
	if (parent->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("table \"%s\" is temporary", name),
				 errhint("Create its partitions with CREATE TEMPORARY TABLE ... PARTITION OF.")));
	return key;
}

/* Describe the partition key of a table, which is open. */
static Key
describe(Relation parent, Datum layout)
{
	char	   *name = TextDatumGetCString(layout);
	Key			key = {.key = check_parent(parent), .what = psprintf("layout %s", name)};
	bool		is_ulid = strcmp(name, "ulid") == 0;
	bool		known;

	key.type = key.key->partopcintype[0];
	if (name[0] == '\0')
	{
		key.format = flake_format_of_type(&key.type);
		known = key.format != NULL && key.format->time_ordered &&
			getExtensionOfObject(TypeRelationId, key.type) == get_extension_oid("flakeid", true);
		if (known)
			key.what = psprintf("type %s", key.format->name);
	}
	else if (!is_ulid && strcmp(name, "uuid7") != 0)
	{
		known = key.type == INT8OID;
		if (known)
			describe_bigint(&key, layout);
	}
	else
	{
		bool		is_text = is_ulid && key.type == TEXTOID && key.key->partcollation[0] == C_COLLATION_OID;
		bool		is_bytea = is_ulid && key.type == BYTEAOID;

		/* a uuid has the same bits in both, and its bounds have no version */
		known = is_text || is_bytea || key.type == UUIDOID;
		key.instant = is_text ? ulid_timestamp_text : is_bytea ? ulid_timestamp_bytea : ulid_timestamp_uuid;
		key.least = is_text ? ulid_text_min : is_bytea ? ulid_bytea_min : is_ulid ? ulid_uuid_min : uuid7_min;
	}
	if (!known)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 name[0] == '\0'
				 ? errmsg("table \"%s\" is not partitioned by an ID that sorts by time", RelationGetRelationName(parent))
				 : errmsg("table \"%s\" is not partitioned by an ID of %s", RelationGetRelationName(parent), key.what),
				 errdetail("Its partition key is of type %s.", format_type_be(key.type)),
				 errhint("For other types pass the ID's layout: uuid7; ulid; for bigint a name in flakeid_layouts, or 'epoch => 2020-01-01Z, low_bits => 22, unit => 1 ms'.")));
	return key;
}

/* Return the least ID at or after an instant; at the ends of the span, the least or greatest. */
static Datum
least_from(const Key *key, TimestampTz t)
{
	uint8	   *id;

	if (key->format == NULL)
		return call(key, key->least, TimestampTzGetDatum(t));
	id = palloc0(FLAKE_MAX_BYTES);
	flake_min(key->format, flake_us_saturated(t), id);
	return key->format->bytes == 8 && FLOAT8PASSBYVAL ? *(Datum *) id : PointerGetDatum(id);
}

/*
 * Return the instant of a ULID as text or bytea.  A bound may be shorter, or longer, than an ID:
 * it is filled up to the least ID from there on.
 */
static TimestampTz
ulid_instant(const Key *key, Datum bound)
{
	bool		is_text = key->type == TEXTOID;
	size_t		size = is_text ? 26 : 16;
	struct varlena *given = PG_DETOAST_DATUM_PACKED(bound);
	size_t		length = Min(VARSIZE_ANY_EXHDR(given), size);
	struct varlena *id = palloc(VARHDRSZ + size);

	if (is_text && length > 0 && *(uint8 *) VARDATA_ANY(given) > '7')
		return DT_NOEND;
	SET_VARSIZE(id, VARHDRSZ + size);
	memset(VARDATA(id), is_text ? '0' : 0, size);
	memcpy(VARDATA(id), VARDATA_ANY(given), length);
	return DatumGetTimestampTz(call(key, key->instant, PointerGetDatum(id)));
}

/* Return the instant of an ID, whose tick contains it. */
static TimestampTz
instant_of(const Key *key, Datum id)
{
	if (key->format != NULL)
		return flake_instant(key->format, flake_datum_bytes(key->format, &id));
	if (key->type == TEXTOID || key->type == BYTEAOID)
		return ulid_instant(key, id);
	return DatumGetTimestampTz(call(key, key->instant, id));
}

/*
 * Return the first instant of which all IDs are at or after a bound.  If the bound lies within a
 * tick, this is a microsecond after the tick's beginning.
 */
static TimestampTz
bound_instant(const Key *key, PartitionBoundInfo bounds, int i)
{
	TimestampTz t;

	if (bounds->kind[i][0] != PARTITION_RANGE_DATUM_VALUE)
		return bounds->kind[i][0] == PARTITION_RANGE_DATUM_MINVALUE ? DT_NOBEGIN : DT_NOEND;
	t = instant_of(key, bounds->datums[i][0]);
	if (!TIMESTAMP_NOT_FINITE(t) &&
		DatumGetInt32(FunctionCall2Coll(&key->key->partsupfunc[0], key->key->partcollation[0],
										bounds->datums[i][0], least_from(key, t))) > 0)
		t = flake_next_instant(t);
	return t;
}

/*
 * Add up the bytes of a partition, or of its leaves.  It has rows if one of them has a block, or is
 * foreign and may have rows.  Leaves that another session has locked exclusively are skipped: the
 * caller waits for nobody.
 */
static int64
size_of(Oid partition, FlakeRows *rows)
{
	int64		size = 0;
	bool		skipped = false;
	bool		some = false;
	ListCell   *cell;

	foreach(cell, flake_tree_below(partition))
	{
		Oid			leaf = lfirst_oid(cell);
		Relation	relation;

		if (!ConditionalLockRelationOid(leaf, AccessShareLock))
		{
			skipped = true;
			continue;
		}
		relation = try_relation_open(leaf, NoLock);
		if (relation != NULL)
		{
			if (relation->rd_rel->relkind == RELKIND_FOREIGN_TABLE)
				some = true;
			else if (RELKIND_HAS_STORAGE(relation->rd_rel->relkind))
			{
				size += DatumGetInt64(DirectFunctionCall1(pg_table_size, ObjectIdGetDatum(leaf)));
				some |= RelationGetNumberOfBlocks(relation) > 0;
			}
			relation_close(relation, NoLock);
		}
		UnlockRelationOid(leaf, AccessShareLock);
	}
	*rows = some ? FLAKE_ROWS_SOME : skipped ? FLAKE_ROWS_UNKNOWN : FLAKE_ROWS_NONE;
	return size;
}

/* Is the partition among those that queries see?  One that is being detached is not. */
static bool
is_attached(PartitionDesc seen, Oid partition)
{
	for (int i = 0; i < seen->nparts; i++)
		if (seen->oids[i] == partition)
			return true;
	return false;
}

/* Return the partitions of a table, by time, the default partition last; FlakePartition. */
List *
flake_partitions(Oid table, Datum layout)
{
	Relation	parent = table_open(table, AccessShareLock);
	Key			key = describe(parent, layout);
	PartitionDesc partitions = RelationGetPartitionDesc(parent, false);
	PartitionDesc seen = RelationGetPartitionDesc(parent, true);
	PartitionBoundInfo bounds = partitions->boundinfo;
	List	   *all = NIL;

	/* bound i is the upper one of a partition, and bound i - 1 its lower one */
	for (int i = 0; i <= (bounds == NULL ? -1 : bounds->ndatums); i++)
	{
		bool		is_default = i == bounds->ndatums;
		int			index = is_default ? bounds->default_index : bounds->indexes[i];
		FlakePartition *part;

		if (index < 0)
			continue;
		part = palloc0(sizeof(FlakePartition));
		part->oid = partitions->oids[index];
		part->is_default = is_default;
		part->detaching = seen->nparts < partitions->nparts && !is_attached(seen, part->oid);
		part->lower = is_default ? DT_NOBEGIN : bound_instant(&key, bounds, i - 1);
		part->upper = is_default ? DT_NOBEGIN : bound_instant(&key, bounds, i);
		part->size = size_of(part->oid, &part->rows);
		all = lappend(all, part);
	}
	table_close(parent, NoLock);
	return all;
}

/*
 * flakeid_partition_bound(parent, layout, at, OUT bound, OUT instant): the least ID at or after an
 * instant, as a text, and its own instant.  Report 22008 if the key holds no such time.
 */
PG_FUNCTION_INFO_V1(flakeid_partition_bound);
Datum
flakeid_partition_bound(PG_FUNCTION_ARGS)
{
	Relation	parent = table_open(PG_GETARG_OID(0), AccessShareLock);
	Key			key = describe(parent, PG_GETARG_DATUM(1));
	TimestampTz t = PG_GETARG_TIMESTAMPTZ(2);
	Datum		id = least_from(&key, t);
	TimestampTz instant = instant_of(&key, id);
	Datum		values[2];
	Oid			output;
	bool		varlena;

	if (TIMESTAMP_NOT_FINITE(instant) || instant < t || (key.type == INT8OID && DatumGetInt64(id) < 0) ||
		(instant > t && instant == instant_of(&key, least_from(&key, MIN_TIMESTAMP))))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("partition bound is out of range for %s: \"%s\"", key.what, timestamptz_to_str(t)),
				 key.format != NULL ? flake_span_detail(key.format) :
				 errdetail("No ID of %s has this time.", key.what)));
	getTypeOutputInfo(key.type, &output, &varlena);
	values[0] = CStringGetTextDatum(OidOutputFunctionCall(output, id));
	values[1] = TimestampTzGetDatum(instant);
	table_close(parent, NoLock);
	PG_RETURN_DATUM(flake_row(fcinfo, values));
}

/*
 * flakeid_partition_name(parent, suffix): a name for a new partition, with its schema: that of the
 * table and the suffix, cut to fit, and with a number if it is taken.  Reports 42P01 if there is
 * no such table, and 42622 for a suffix of more than 32 bytes.
 */
PG_FUNCTION_INFO_V1(flakeid_partition_name);
Datum
flakeid_partition_name(PG_FUNCTION_ARGS)
{
	const char *table = get_rel_name(PG_GETARG_OID(0));
	Oid			schema = get_rel_namespace(PG_GETARG_OID(0));
	const char *suffix = TextDatumGetCString(PG_GETARG_DATUM(1));
	char	   *name;

	/*
	 * anybody may call this, with whatever arguments, of which
	 * makeObjectName() checks nothing
	 */
	if (table == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", PG_GETARG_OID(0))));
	if (strlen(suffix) > NAMEDATALEN / 2)
		ereport(ERROR,
				(errcode(ERRCODE_NAME_TOO_LONG),
				 errmsg("suffix is too long: \"%s\"", suffix)));
	name = makeObjectName(table, NULL, suffix);
	for (int n = 1; OidIsValid(get_relname_relid(name, schema)) ||
		 SearchSysCacheExists2(TYPENAMENSP, CStringGetDatum(name), ObjectIdGetDatum(schema)); n++)
		name = makeObjectName(table, NULL, psprintf("%s_%d", suffix, n));
	PG_RETURN_TEXT_P(cstring_to_text(quote_qualified_identifier(get_namespace_name(schema), name)));
}

/* flakeid_partition_instant(parent, layout, id): the instant of an ID that is given as text. */
PG_FUNCTION_INFO_V1(flakeid_partition_instant);
Datum
flakeid_partition_instant(PG_FUNCTION_ARGS)
{
	Relation	parent = table_open(PG_GETARG_OID(0), AccessShareLock);
	Key			key = describe(parent, PG_GETARG_DATUM(1));
	Oid			input;
	Oid			parameter;
	Datum		id;

	getTypeInputInfo(key.type, &input, &parameter);
	id = OidInputFunctionCall(input, TextDatumGetCString(PG_GETARG_DATUM(2)), parameter, -1);
	table_close(parent, NoLock);
	PG_RETURN_TIMESTAMPTZ(instant_of(&key, id));
}
