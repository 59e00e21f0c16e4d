/*
 * seq_version.c
 *		flakeid_rowversion(): a trigger that gives each row that is written the next value of a
 *		sequence, announced, so that readers can follow changes.
 */
#include "horizon/reader.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/rel.h"

/* Return the number of the column that gets the values, or report why it cannot. */
static int
version_column(const char *name, Relation table)
{
	int			column = SPI_fnumber(RelationGetDescr(table), name);
	Form_pg_attribute attribute;

	if (column <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist", name, RelationGetRelationName(table))));
	attribute = TupleDescAttr(RelationGetDescr(table), column - 1);
	if (attribute->attgenerated != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" is a generated column", name),
				 errtablecol(table, column)));
	if (attribute->attidentity != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" is an identity column", name),
				 errdetail("It would draw a second value for each row, without announcing it."),
				 errhint("Write DEFAULT 0."),
				 errtablecol(table, column)));
	if (attribute->atttypid != INT8OID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" is of type %s, but versions are bigint", name, format_type_be(attribute->atttypid)),
				 errtablecol(table, column)));
	return column;
}

/*
 * flakeid_rowversion(column, sequence): put the next value of the sequence into the column, as
 * flakeid_nextval() draws it, with the rights of the row's writer.
 */
PG_FUNCTION_INFO_V1(flakeid_rowversion);
Datum
flakeid_rowversion(PG_FUNCTION_ARGS)
{
	const TriggerData *data = flake_trigger_data(fcinfo, "flakeid_rowversion", true);
	const Trigger *trigger = data->tg_trigger;
	ErrorContextCallback context = {error_context_stack, flake_trigger_context, fcinfo->context};
	FlakeFollowed followed;
	int			column;
	Datum		value;
	bool		isnull = false;

	error_context_stack = &context;
	if (trigger->tgnargs != 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("trigger \"%s\" needs two arguments", trigger->tgname),
				 errhint("Write EXECUTE FUNCTION flakeid_rowversion('version', 'public.item_version').")));
	column = version_column(trigger->tgargs[0], data->tg_relation);
	followed = flake_followed(trigger->tgoid, data->tg_relation, trigger->tgargs[0], trigger->tgargs[1]);
	value = Int64GetDatum(flake_draw_value(followed.sequence[0]));
	error_context_stack = context.previous;
	return PointerGetDatum(heap_modify_tuple_by_cols(TRIGGER_FIRED_BY_UPDATE(data->tg_event) ? data->tg_newtuple : data->tg_trigtuple,
													 RelationGetDescr(data->tg_relation), 1, &column, &value, &isnull));
}
