/*
 * late.c
 *		flakeid_late_id(): a trigger for tables that readers follow, which handles rows
 *		whose IDs readers may have passed.
 *
 * An ID that was made in an earlier transaction, by a client, by T_new_at() or by another
 * server may be below a horizon that was returned before the row is written.  Readers that
 * have continued from there would miss the row.  So may a value of a sequence.
 */
#include "horizon/reader.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "rewrite/rewriteHandler.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

/* What to do with a row that is late. */
typedef enum LateAction
{
	LATE_REFUSE,
	LATE_RENEW,
	LATE_COUNT
} LateAction;

/* What the trigger was created with. */
typedef struct LateTrigger
{
	Relation	relation;
	int			column;			/* its number */
	const FlakeFormat *format;	/* NULL: it has values of a sequence */
	bool		uuid;			/* core's type, as uuid7_new() fills it */
	Oid			type;			/* int2, int4 or int8 */
	Oid			sequence;
	Oid			role;			/* that must be allowed to draw from it */
	LateAction	action;
} LateTrigger;

/* ---------- what it was created with ---------- */

/* Return the action that the trigger's second argument names; without it, to refuse. */
static LateAction
action_of(const Trigger *trigger)
{
	if (trigger->tgnargs < 2 || strcmp(trigger->tgargs[1], "refuse") == 0)
		return LATE_REFUSE;
	if (strcmp(trigger->tgargs[1], "renew") == 0)
		return LATE_RENEW;
	if (strcmp(trigger->tgargs[1], "count") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unrecognized argument of trigger \"%s\": \"%s\"", trigger->tgname, trigger->tgargs[1]),
				 errdetail("The action for a late ID must be \"refuse\", \"renew\" or \"count\".")));
	return LATE_COUNT;
}

/* Find the column of the trigger and its format, or report why it cannot be used. */
static void
find_column(LateTrigger *late, const char *name)
{
	TupleDesc	desc = RelationGetDescr(late->relation);
	Oid			type;

	late->column = SPI_fnumber(desc, name);
	if (late->column <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist", name, RelationGetRelationName(late->relation))));
	type = getBaseType(TupleDescAttr(desc, late->column - 1)->atttypid);
	if (TupleDescAttr(desc, late->column - 1)->attgenerated != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" is a generated column", name),
				 errdetail("Its value is not known yet when triggers fire.")));
	late->type = type;
	if (type == INT8OID || type == INT4OID || type == INT2OID)
		return;
	late->uuid = type == UUIDOID;
	late->format = late->uuid ? flake_formats[FLAKE_ULID] : flake_format_of_type(&type);
	if (late->format == NULL || late->format->numbers == 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" is of type %s, which has no horizon", name, format_type_be(type)),
				 errdetail("Readers can follow columns of the types that have a function T_horizon(), of type uuid, and of integer types that a sequence fills."),
				 errhint("Use a column of type ulid or sno, whose DEFAULT makes the ID.")));
}

/* Find the sequence of an integer column, and report 55000 if there are several. */
static void
find_sequence(LateTrigger *late, const Trigger *trigger)
{
	FlakeFollowed followed = flake_followed(trigger->tgoid, late->relation, trigger->tgargs[0], trigger->tgnargs > 2 ? trigger->tgargs[2] : NULL);

	if (followed.count != 1)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column \"%s\" of relation \"%s\" has several sequences", trigger->tgargs[0],
						RelationGetRelationName(late->relation)),
				 errhint("Name the right one, with its schema: EXECUTE FUNCTION flakeid_late_id('id', 'refuse', 'public.outbox_id_seq').")));
	late->sequence = followed.sequence[0];
	late->role = flake_drawing_role(&followed, late->relation);
}

static LateTrigger
late_trigger(const TriggerData *data)
{
	const Trigger *trigger = data->tg_trigger;
	LateTrigger late = {.relation = data->tg_relation};
	ErrorContextCallback context = {error_context_stack, flake_trigger_context, unconstify(TriggerData *, data)};

	error_context_stack = &context;
	if (trigger->tgnargs < 1 || trigger->tgnargs > 3)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("trigger \"%s\" needs one to three arguments", trigger->tgname),
				 errhint("Write EXECUTE FUNCTION flakeid_late_id('id', 'refuse'), or 'renew' or 'count'.")));
	late.action = action_of(trigger);
	find_column(&late, trigger->tgargs[0]);
	if (late.format == NULL)
	{
		flake_attach();
		find_sequence(&late, trigger);
	}
	else if (trigger->tgnargs > 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("trigger \"%s\" names a sequence, but column \"%s\" is no integer", trigger->tgname, trigger->tgargs[0])));
	error_context_stack = context.previous;
	return late;
}

/* ---------- rows ---------- */

/* Return a value of an integer column. */
static int64
integer(const LateTrigger *late, Datum value)
{
	return late->type == INT8OID ? DatumGetInt64(value) : late->type == INT4OID ? DatumGetInt32(value) : DatumGetInt16(value);
}

/*
 * May the row be written with this ID?  If not, *passed is the instant up to which readers
 * may have got, or 0 for a UUID of another version, which does not sort by time; of a sequence,
 * the value up to which they may.
 */
static bool
in_time(const LateTrigger *late, Datum value, int64 *passed)
{
	const uint8 *id;

	if (late->format == NULL)
		return flake_value_in_time(late->sequence, late->role, integer(late, value), passed);
	id = late->uuid ? DatumGetUUIDP(value)->data : flake_datum_bytes(late->format, &value);
	*passed = 0;
	if (late->uuid && id[6] >> 4 != 7)
		return false;
	/* a UUID has the milliseconds where a ulid has them */
	return flake_in_time(late->format, flake_id_us(late->format, id), passed);
}

/* Report 55000: readers may have passed the ID. */
static void
refuse(const LateTrigger *late, Datum value, int64 passed)
{
	const char *column = NameStr(TupleDescAttr(RelationGetDescr(late->relation), late->column - 1)->attname);
	const char *table = RelationGetRelationName(late->relation);
	const uint8 *id;
	char	   *instant;

	if (late->format == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("value in column \"%s\" of relation \"%s\" is too late for readers", column, table),
				 errdetail("It is " INT64_FORMAT ", and readers may have passed everything below " INT64_FORMAT ".",
						   integer(late, value), passed),
				 errhint("Have the INSERT draw it, with the trigger flakeid_follow() on the table, or flakeid_nextval() in the transaction that writes the row."),
				 errtablecol(late->relation, late->column)));
	if (passed == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("value of column \"%s\" of relation \"%s\" is not a UUID of version 7", column, table),
				 errdetail("Readers that follow the table by its IDs could miss it, because UUIDs of other versions are not in time order."),
				 errtablecol(late->relation, late->column)));
	id = late->uuid ? DatumGetUUIDP(value)->data : flake_datum_bytes(late->format, &value);
	instant = pstrdup(timestamptz_to_str(flake_timestamptz(flake_id_us(late->format, id))));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("ID in column \"%s\" of relation \"%s\" is too late for readers", column, table),
			 errdetail("Its time is %s, and readers may have passed everything before %s.",
					   instant, timestamptz_to_str(flake_timestamptz(passed))),
			 errhint("Have the column's DEFAULT make the ID in the transaction that writes the row; for IDs that clients make, raise flakeid.horizon_lag for the database."),
			 errtablecol(late->relation, late->column)));
}

/* Return the row with a new value of the sequence.  Reports 22003 if the column cannot hold it, 23514 if it is not in its domain. */
static HeapTuple
draw_again(const LateTrigger *late, HeapTuple row)
{
	int			number = late->column;
	Oid			type = TupleDescAttr(RelationGetDescr(late->relation), number - 1)->atttypid;
	Datum		value = Int64GetDatum(flake_draw_announced(late->sequence));
	bool		isnull = false;

	if (late->type == INT4OID)
		value = DirectFunctionCall1(int84, value);
	else if (late->type == INT2OID)
		value = DirectFunctionCall1(int82, value);
	if (type != late->type)
		domain_check(value, isnull, type, NULL, NULL);
	return heap_modify_tuple_by_cols(row, RelationGetDescr(late->relation), 1, &number, &value, &isnull);
}

/* Return the row with the column's DEFAULT, as in an INSERT that does not name the column. */
static HeapTuple
renew(const LateTrigger *late, HeapTuple row)
{
	TupleDesc	desc = RelationGetDescr(late->relation);
	Form_pg_attribute column = TupleDescAttr(desc, late->column - 1);
	Expr	   *expr = (Expr *) build_column_default(late->relation, late->column);
	int			number = late->column;
	EState	   *estate;
	Datum		value;
	bool		isnull;
	int64		passed;

	if (expr == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column \"%s\" of relation \"%s\" has no DEFAULT to renew a late ID", NameStr(column->attname),
						RelationGetRelationName(late->relation)),
				 errtablecol(late->relation, late->column)));
	estate = CreateExecutorState();
	value = ExecEvalExprSwitchContext(ExecPrepareExpr(expr, estate), GetPerTupleExprContext(estate), &isnull);
	if (!isnull && !in_time(late, value, &passed))
		refuse(late, value, passed);
	row = heap_modify_tuple_by_cols(row, desc, 1, &number, &value, &isnull);
	FreeExecutorState(estate);
	return row;
}

/*
 * flakeid_late_id(column, action, sequence): handle a row with a late ID.  A row that keeps its ID
 * does not move.
 */
PG_FUNCTION_INFO_V1(flakeid_late_id);
Datum
flakeid_late_id(PG_FUNCTION_ARGS)
{
	const TriggerData *data = flake_trigger_data(fcinfo, "flakeid_late_id", true);
	bool		update = TRIGGER_FIRED_BY_UPDATE(data->tg_event);
	HeapTuple	row = update ? data->tg_newtuple : data->tg_trigtuple;
	LateTrigger late = late_trigger(data);
	TupleDesc	desc = RelationGetDescr(late.relation);
	Form_pg_attribute column = TupleDescAttr(desc, late.column - 1);
	bool		isnull;
	Datum		value = heap_getattr(row, late.column, desc, &isnull);
	int64		passed;

	if (isnull)
		return PointerGetDatum(row);
	if (update)
	{
		bool		was_null;
		Datum		was = heap_getattr(data->tg_trigtuple, late.column, desc, &was_null);

		if (!was_null && datumIsEqual(was, value, column->attbyval, column->attlen))
			return PointerGetDatum(row);
	}
	if (in_time(&late, value, &passed))
		return PointerGetDatum(row);
	flake_attach();
	pg_atomic_fetch_add_u64(&flake_db->late_ids, 1);
	if (late.action == LATE_COUNT)
		return PointerGetDatum(row);
	if (late.action == LATE_REFUSE)
		refuse(&late, value, passed);
	return PointerGetDatum(late.format == NULL ? draw_again(&late, row) : renew(&late, row));
}
