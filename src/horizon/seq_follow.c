/*
 * seq_follow.c
 *		flakeid_follow(): a trigger that announces, before a statement computes its first row,
 *		that the statement may draw from the sequences of a column.
 */
#include "horizon/reader.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "commands/sequence.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

/* ---------- which sequences ---------- */

static HTAB *all_followed = NULL;

/* The trigger's sequences that were found last, or NULL. */
static const FlakeFollowed *last_followed = NULL;

/* How often any relation has changed. */
static uint64 changes = 0;

/*
 * Forget all sequences, or those that were found with the help of a relation.  A sequence that a
 * trigger names is looked up again, because another one may have the name now; if none has, the
 * sequence was renamed.
 */
static void
forget_followed(Oid relation, bool all)
{
	HASH_SEQ_STATUS status;
	FlakeFollowed *followed;

	changes++;
	last_followed = NULL;
	if (all_followed == NULL)
		return;
	hash_seq_init(&status, all_followed);
	while ((followed = hash_seq_search(&status)) != NULL)
	{
		bool		changed = all || followed->table == relation;

		followed->stale = followed->named;

		for (int i = 0; i < followed->count; i++)
			changed |= followed->sequence[i] == relation;
		if (changed && !followed->named)
			hash_search(all_followed, &followed->trigger, HASH_REMOVE, NULL);
	}
}

static void
relation_changed(Datum arg pg_attribute_unused(), Oid oid)
{
	forget_followed(oid, !OidIsValid(oid));
}

/* A schema may have another name, and so the sequences in it.  Each session's temporary schema is one. */
static void
schema_changed(Datum arg pg_attribute_unused(), int cache pg_attribute_unused(), uint32 hash pg_attribute_unused())
{
	forget_followed(InvalidOid, false);
}

/* Add a sequence, if it is one.  Reports 54000 if there are too many. */
static void
add_sequence(FlakeFollowed *followed, Oid oid)
{
	if (!OidIsValid(oid) || get_rel_relkind(oid) != RELKIND_SEQUENCE)
		return;
	for (int i = 0; i < followed->count; i++)
		if (followed->sequence[i] == oid)
			return;
	if (followed->count == FLAKE_FOLLOWED)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the DEFAULT of a column uses more than %d sequences", FLAKE_FOLLOWED),
				 errhint("Let the DEFAULT draw by flakeid_nextval(), without a trigger.")));
	followed->sequence[followed->count++] = oid;
}

/* Add the sequences that a column's DEFAULT depends on. */
static void
add_defaults(FlakeFollowed *followed, Oid attrdef)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(AttrDefaultRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(attrdef));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		if (form->refclassid == RelationRelationId)
			add_sequence(followed, form->refobjid);
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
}

/*
 * Add the sequences of a column's IDENTITY or DEFAULT.  Everybody may lock the catalogs that name
 * them; see lockwait.c.
 */
static void
add_own(FlakeFollowed *followed, Relation table, int number)
{
	flake_lock_catalogs(FLAKE_LOOK_SEQUENCES);
	if (TupleDescAttr(RelationGetDescr(table), number - 1)->attidentity != '\0')
		add_sequence(followed, flake_identity_sequence(table, number));
	if (TupleDescAttr(RelationGetDescr(table), number - 1)->atthasdef)
		add_defaults(followed, GetAttrDefaultOid(RelationGetRelid(table), number));
	flake_unlock_catalogs(FLAKE_LOOK_SEQUENCES);
}

/* Report 42P01, because no sequence has the name in the trigger's argument. */
pg_noreturn static void
report_unknown(Relation table, int number, const char *name)
{
	FlakeFollowed own = {0};

	add_own(&own, table, number);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("relation \"%s\" does not exist", name),
			 own.count == 1
			 ? errhint("If the sequence was renamed to %s, from which the column draws, drop the trigger and create it with that name.",
					   quote_qualified_identifier(get_namespace_name(get_rel_namespace(own.sequence[0])), get_rel_name(own.sequence[0])))
			 : errhint("If the sequence was renamed, drop the trigger and create it with the new name."),
			 errtablecol(table, number)));
}

/*
 * Return the sequence that a trigger's argument names.  "before" had the name when this session
 * last looked.  If no other relation has taken the name, it is still the one, whatever it is called
 * now.  The writer's search_path and rights on the schema do not matter: as with a DEFAULT, writers
 * need not know of the sequence.
 */
static Oid
named_sequence(Relation table, int number, const char *name, Oid before)
{
	List	   *names = textToQualifiedNameList(cstring_to_text(name));
	char	   *schema;
	char	   *relation;
	Oid			namespace;
	Oid			oid;

	DeconstructQualifiedName(names, &schema, &relation);
	if (schema == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("the name of sequence \"%s\" has no schema", name),
				 errhint("Write it with its schema, as in 'public.outbox_id_seq'.")));
	namespace = get_namespace_oid(schema, true);
	oid = OidIsValid(namespace) ? get_relname_relid(relation, namespace) : InvalidOid;
	if (!OidIsValid(oid) && OidIsValid(before) && get_rel_relkind(before) == RELKIND_SEQUENCE)
		return before;
	if (!OidIsValid(oid))
		report_unknown(table, number, psprintf("%s.%s", schema, relation));
	if (get_rel_relkind(oid) != RELKIND_SEQUENCE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a sequence", get_rel_name(oid))));
	return oid;
}

/*
 * Find the sequence in the trigger's argument, or without one those of the column's IDENTITY or
 * DEFAULT.
 */
static void
find_sequences(FlakeFollowed *followed, Relation table, const char *column, const char *name, Oid before)
{
	int			number = SPI_fnumber(RelationGetDescr(table), column);

	if (number <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist", column, RelationGetRelationName(table))));
	if (name != NULL)
	{
		add_sequence(followed, named_sequence(table, number, name, before));
		return;
	}
	add_own(followed, table, number);
	if (followed->count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("no sequence is known for column \"%s\" of relation \"%s\"", column, RelationGetRelationName(table)),
				 errdetail("The column is no IDENTITY column, and its DEFAULT depends on no sequence."),
				 errhint("Name the sequence, with its schema, in the trigger's last argument, as 'schema.sequence'."),
				 errtablecol(table, number)));
}

/*
 * Return the sequences of a table's column.  "trigger" is its OID.  They are kept until the table
 * or one of them changes; with a name they are looked up again after any change, because another
 * one may get it.
 */
FlakeFollowed
flake_followed(Oid trigger, Relation table, const char *column, const char *name)
{
	FlakeFollowed found = {.trigger = trigger, .table = RelationGetRelid(table), .named = name != NULL};
	FlakeFollowed *followed = NULL;
	uint64		before;

	if (likely(last_followed != NULL && last_followed->trigger == trigger))
		return *last_followed;
	if (all_followed != NULL)
		followed = hash_search(all_followed, &trigger, HASH_FIND, NULL);
	if (followed != NULL && !followed->stale)
	{
		last_followed = followed;
		return *followed;
	}
	if (all_followed == NULL)
	{
		HASHCTL		info = {.keysize = sizeof(Oid), .entrysize = sizeof(FlakeFollowed)};

		all_followed = hash_create("flakeid triggers", 16, &info, HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(NAMESPACEOID, schema_changed, (Datum) 0);
	}
	before = changes;
	find_sequences(&found, table, column, name, followed != NULL ? followed->sequence[0] : InvalidOid);
	if (before == changes)
		*(FlakeFollowed *) hash_search(all_followed, &trigger, HASH_ENTER, NULL) = found;
	return found;
}

/*
 * Return the role that must be allowed to draw: the owner of the table, who has given the column its
 * sequence.  Anybody with the privilege TRIGGER can create such a trigger, so if it
 * names a sequence, the writer needs the right to draw from it.
 */
Oid
flake_drawing_role(const FlakeFollowed *followed, Relation table)
{
	return followed->named ? GetUserId() : table->rd_rel->relowner;
}

/* ---------- the trigger ---------- */

/*
 * Report 39P01 unless the function of this name was called by a trigger BEFORE INSERT or UPDATE,
 * for each row or for a statement.
 */
const TriggerData *
flake_trigger_data(FunctionCallInfo fcinfo, const char *function, bool row)
{
	const TriggerData *data = (const TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" was not called by trigger manager", function)));
	if (!TRIGGER_FIRED_BEFORE(data->tg_event) || (bool) TRIGGER_FIRED_FOR_ROW(data->tg_event) != row)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" must be fired BEFORE %s", function, row ? "ROW" : "STATEMENT")));
	if (!TRIGGER_FIRED_BY_INSERT(data->tg_event) && !TRIGGER_FIRED_BY_UPDATE(data->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" must be fired for INSERT or UPDATE", function)));
	return data;
}

/* Errors name the trigger, because the table's writers need not know of it. */
void
flake_trigger_context(void *data)
{
	errcontext("trigger \"%s\" of relation \"%s\"", ((const TriggerData *) data)->tg_trigger->tgname,
			   RelationGetRelationName(((const TriggerData *) data)->tg_relation));
}

/* Report 22023 unless the trigger has a column, and perhaps a sequence. */
static void
check_arguments(const Trigger *trigger)
{
	if (trigger->tgnargs < 1 || trigger->tgnargs > 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("trigger \"%s\" needs one or two arguments", trigger->tgname),
				 errhint("Write EXECUTE FUNCTION flakeid_follow('id'), or with the sequence, flakeid_follow('id', 'public.outbox_id_seq').")));
}

/*
 * flakeid_follow(column, sequence): announce that the statement may draw from the sequences of a
 * column.  A statement's BEFORE trigger fires before its first row is computed, so before an
 * IDENTITY column or a DEFAULT draws.
 */
PG_FUNCTION_INFO_V1(flakeid_follow);
Datum
flakeid_follow(PG_FUNCTION_ARGS)
{
	const TriggerData *data = flake_trigger_data(fcinfo, "flakeid_follow", false);
	const Trigger *trigger = data->tg_trigger;
	ErrorContextCallback context = {error_context_stack, flake_trigger_context, fcinfo->context};
	FlakeFollowed followed;

	error_context_stack = &context;
	check_arguments(trigger);
	flake_attach();
	followed = flake_followed(trigger->tgoid, data->tg_relation, trigger->tgargs[0],
							  trigger->tgnargs > 1 ? trigger->tgargs[1] : NULL);
	for (int i = 0; i < followed.count; i++)
	{
		FlakeDrawing *mine = flake_drawing(followed.sequence[i]);

		if (mine == NULL)
			(void) flake_announce_sequence(followed.sequence[i], flake_drawing_role(&followed, data->tg_relation));
		else
			flake_announce_again(mine);
	}
	error_context_stack = context.previous;
	flake_injection_point("flakeid-draw-announced");
	return PointerGetDatum(NULL);
}
