/*
 * pg.h
 *		Differences between PostgreSQL 15 and 19: the only file that looks at PG_VERSION_NUM.
 */
#ifndef FLAKE_PG_H
#define FLAKE_PG_H

#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/wait_event.h"

#if PG_VERSION_NUM < 150000
#error "flakeid needs PostgreSQL 15 or newer"
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif
#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#include "utils/injection_point.h"
#endif

/* From 18 on it precedes a declaration; before, an attribute follows one. */
#if PG_VERSION_NUM < 180000
#define pg_noreturn __attribute__((noreturn))
#endif

/* Input functions report through the caller's context from 16 on; before, they throw. */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#else
#define ereturn(escontext, result, ...) \
	do { (void) (escontext); ereport(ERROR, __VA_ARGS__); return result; } while (0)
#endif

/* Does the text read as a date or timestamp? */
static inline bool
flake_decode_datetime(char **field, int *ftype, int nf)
{
	int			dtype;
	int			tz;
	fsec_t		fsec;
	struct pg_tm tm;
#if PG_VERSION_NUM >= 160000
	DateTimeErrorExtra extra;

	return DecodeDateTime(field, ftype, nf, &dtype, &tm, &fsec, &tz, &extra) == 0;
#else
	return DecodeDateTime(field, ftype, nf, &dtype, &tm, &fsec, &tz) == 0;
#endif
}

/* B-tree skip support is new in 18.  Before, the type's function is there, in no operator class. */
#if PG_VERSION_NUM >= 180000
#include "utils/skipsupport.h"
#else
typedef struct SkipSupportData
{
	Datum		low_elem;
	Datum		high_elem;
	Datum		(*decrement) (struct RelationData *rel, Datum existing, bool *overflow);
	Datum		(*increment) (struct RelationData *rel, Datum existing, bool *overflow);
} SkipSupportData;
typedef struct SkipSupportData *SkipSupport;
#endif

/* What the server knows of a setting; NULL if it has not heard of it. */
static inline struct config_generic *
flake_find_setting(const char *name)
{
#if PG_VERSION_NUM >= 160000
	return find_option(name, false, true, LOG);
#else
	struct config_generic **all = get_guc_variables();

	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
#endif
}

/* Was the relation created, or given a new file, by a transaction that has not ended? */
#if PG_VERSION_NUM >= 160000
#define flake_rewritten(relation)	((relation)->rd_firstRelfilelocatorSubid != InvalidSubTransactionId)
#else
#define flake_rewritten(relation)	((relation)->rd_firstRelfilenodeSubid != InvalidSubTransactionId)
#endif

/* The number of a relation's file, as pg_class.relfilenode has it. */
#if PG_VERSION_NUM >= 160000
#define flake_file_number(relation)	((relation)->rd_locator.relNumber)
#else
#define flake_file_number(relation)	((relation)->rd_node.relNode)
#endif

/* Walk an expression or a query, or copy an expression with changes.  Before 16 the function has no prototype, which C23 takes for (void). */
#if PG_VERSION_NUM >= 160000
#define flake_walk(node, walker, context)	expression_tree_walker(node, walker, context)
#define flake_walk_query(query, walker, context)	query_tree_walker(query, walker, context, 0)
#define flake_mutate(node, mutator, context)	expression_tree_mutator(node, mutator, context)
#else
#define flake_walk(node, walker, context) \
	expression_tree_walker(node, (bool (*) ()) (void (*) (void)) (walker), context)
#define flake_walk_query(query, walker, context) \
	query_tree_walker(query, (bool (*) ()) (void (*) (void)) (walker), context, 0)
#define flake_mutate(node, mutator, context) \
	expression_tree_mutator(node, (Node *(*) ()) (void (*) (void)) (mutator), context)
#endif

/* The sequence of an IDENTITY column, or InvalidOid; include catalog/dependency.h. */
#if PG_VERSION_NUM >= 170000
#define flake_identity_sequence(relation, column)	getIdentitySequence(relation, column, true)
#else
#define flake_identity_sequence(relation, column)	getIdentitySequence(RelationGetRelid(relation), column, true)
#endif

/* Wait events of extensions have names from 17 on; before, all are called "Extension". */
#if PG_VERSION_NUM >= 170000
#define flake_wait_event_new(name)	WaitEventExtensionNew(name)
#else
#define flake_wait_event_new(name)	((void) (name), PG_WAIT_EXTENSION)
#endif

/*
 * A place where a test may hold or end a session, on servers configured with
 * --enable-injection-points.  No LWLock and no buffer lock is held there, and there is none
 * where an ID is made from the current lease.
 */
#if PG_VERSION_NUM >= 180000
#define flake_injection_point(name)	INJECTION_POINT(name, NULL)
#elif PG_VERSION_NUM >= 170000
#define flake_injection_point(name)	INJECTION_POINT(name)
#else
#define flake_injection_point(name)	((void) 0)
#endif

/* An LWLock tranche: allocated with the shared memory, named in every backend. */
#if PG_VERSION_NUM >= 190000
#define flake_tranche_new(name)				LWLockNewTrancheId(name)
#define flake_tranche_register(id, name)	((void) 0)
#else
#define flake_tranche_new(name)				LWLockNewTrancheId()
#define flake_tranche_register(id, name)	LWLockRegisterTranche(id, name)
#endif

/*
 * Find the few bytes of shared memory of this name, or create them, on a server that did not
 * preload us.  init() runs once, under the server's lock.  15 and 16 take them from the slack of
 * the main segment.
 */
#if PG_VERSION_NUM >= 190000
static inline void
flake_root_callback(void *memory, void *arg)
{
	(*(void (**) (void *)) arg) (memory);
}
#elif PG_VERSION_NUM < 170000
static inline void
flake_root_context(void *arg)
{
	(void) arg;
	errhint("Add flakeid to shared_preload_libraries and restart the server.");
}
#endif

static inline void *
flake_find_root(const char *name, Size size, void (*init) (void *))
{
	bool		found;
#if PG_VERSION_NUM >= 190000
	return GetNamedDSMSegment(name, size, flake_root_callback, &found, &init);
#elif PG_VERSION_NUM >= 170000
	return GetNamedDSMSegment(name, size, init, &found);
#else
	ErrorContextCallback hint = {error_context_stack, flake_root_context, NULL};
	void	   *memory;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	error_context_stack = &hint;
	memory = ShmemInitStruct(name, size, &found);
	error_context_stack = hint.previous;
	if (!found)
		init(memory);
	LWLockRelease(AddinShmemInitLock);
	return memory;
#endif
}

/* This session's place in the server's array of processes, below MaxBackends. */
#if PG_VERSION_NUM >= 170000
#define flake_my_proc_number()	((uint32) MyProcNumber)
#else
#define flake_my_proc_number()	((uint32) MyProc->pgprocno)
#endif

/*
 * What can replace a PlaceHolderVar, or NULL: its content, if no outer join makes it NULL, or if
 * they make the content NULL with it ("with_relations").  From 16 on it records which joins do,
 * and its columns must record that instead.
 */
#if PG_VERSION_NUM >= 160000
#include "rewrite/rewriteManip.h"
#define flake_without_placeholder(phv, with_relations) \
	((phv)->phlevelsup != 0 ? NULL : \
	 bms_is_empty((phv)->phnullingrels) ? (Node *) (phv)->phexpr : \
	 !(with_relations) ? NULL : \
	 add_nulling_relids((Node *) (phv)->phexpr, (phv)->phrels, (phv)->phnullingrels))
#else
#define flake_without_placeholder(phv, with_relations) \
	((phv)->phlevelsup == 0 && (with_relations) ? (Node *) (phv)->phexpr : NULL)
#endif

/* Do columns of this entry of the range table stand for expressions that the planner may put in their place? */
#if PG_VERSION_NUM >= 180000
#define flake_stands_for_expressions(rte) \
	((rte)->rtekind == RTE_SUBQUERY || (rte)->rtekind == RTE_JOIN || (rte)->rtekind == RTE_GROUP)
#else
#define flake_stands_for_expressions(rte) \
	((rte)->rtekind == RTE_SUBQUERY || (rte)->rtekind == RTE_JOIN)
#endif

/* Does a collation compare bytes?  The header would include ICU's, which a machine need not have. */
#undef USE_ICU
#include "utils/pg_locale.h"
#if PG_VERSION_NUM >= 180000
#define flake_collates_bytes(collation)	(pg_newlocale_from_collation(collation)->collate_is_c)
#else
#define flake_collates_bytes(collation)	lc_collate_is_c(collation)
#endif

/* An index scan without ORDER BY; include access/genam.h. */
#if PG_VERSION_NUM >= 190000
#define flake_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, NULL, keys, 0, 0)
#elif PG_VERSION_NUM >= 180000
#define flake_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, NULL, keys, 0)
#else
#define flake_index_beginscan(table, index, snapshot, keys) \
	index_beginscan(table, index, snapshot, keys, 0)
#endif

#if PG_VERSION_NUM >= 190000
#define flake_table_beginscan(relation, snapshot)	table_beginscan(relation, snapshot, 0, NULL, 0)
#else
#define flake_table_beginscan(relation, snapshot)	table_beginscan(relation, snapshot, 0, NULL)
#endif

/*
 * The planner's classes of equal expressions; include optimizer/paths.h.  Those of a
 * partition or another child are kept apart from 18 on.
 */
#if PG_VERSION_NUM >= 180000
#define flake_foreach_member(member, class, relids) \
	EquivalenceMemberIterator member##_iterator; \
	setup_eclass_member_iterator(&member##_iterator, class, relids); \
	for (EquivalenceMember *member; (member = eclass_member_iterator_next(&member##_iterator)) != NULL;)
#else
#define flake_foreach_member(member, class, relids) \
	for (int member##_i = 0; member##_i < list_length((class)->ec_members); member##_i++) \
		for (EquivalenceMember *member = list_nth((class)->ec_members, member##_i); member != NULL; member = NULL)
#endif

/* Find the class of an expression; NULL if there is none. */
#if PG_VERSION_NUM >= 160000
#define flake_find_eclass(root, expr, families, type, collation, relids) \
	get_eclass_for_sort_expr(root, expr, families, type, collation, 0, relids, false)
#else
#define flake_find_eclass(root, expr, families, type, collation, relids) \
	get_eclass_for_sort_expr(root, expr, NULL, families, type, collation, 0, relids, false)
#endif

/* A pathkey's direction, and a pathkey of another class in that direction. */
#if PG_VERSION_NUM >= 180000
#define flake_pathkey_descends(pathkey)	((pathkey)->pk_cmptype == COMPARE_GT)
#define flake_pathkey_like(root, pathkey, class, family, nulls_first) \
	make_canonical_pathkey(root, class, family, (pathkey)->pk_cmptype, nulls_first)
#else
#define flake_pathkey_descends(pathkey)	((pathkey)->pk_strategy == BTGreaterStrategyNumber)
#define flake_pathkey_like(root, pathkey, class, family, nulls_first) \
	make_canonical_pathkey(root, class, family, (pathkey)->pk_strategy, nulls_first)
#endif

/*
 * Core's functions that read a UUID's time and version; 17's has no time for version 7, so it is none here.  And the
 * schema of an extension, of which only those need to know; include commands/extension.h.
 */
#if PG_VERSION_NUM >= 180000
#define FLAKE_CORE_TIME		F_UUID_EXTRACT_TIMESTAMP
#define FLAKE_CORE_VERSION	F_UUID_EXTRACT_VERSION
#define flake_extension_schema(extension)	get_extension_schema(extension)
#else
#define FLAKE_CORE_TIME		InvalidOid
#define FLAKE_CORE_VERSION	InvalidOid
#define flake_extension_schema(extension)	((void) (extension), InvalidOid)
#endif

/*
 * Virtual generated columns: has a table any; an expression with theirs in their place; that of one
 * which is NOT NULL, with the columns of table 1, else NULL.  Include rewrite/rewriteHandler.h.
 */
#if PG_VERSION_NUM >= 180000
#define flake_has_virtual_columns(relation) \
	((relation)->rd_att->constr != NULL && (relation)->rd_att->constr->has_generated_virtual)
#define flake_expand_virtual_columns(list, relation, varno) \
	(flake_has_virtual_columns(relation) ? expand_generated_columns_in_expr((Node *) copyObject(list), relation, (int) (varno)) : (Node *) (list))
#define flake_virtual_not_null(relation, column) \
	(TupleDescAttr((relation)->rd_att, (column) - 1)->attgenerated == ATTRIBUTE_GENERATED_VIRTUAL && \
	 !TupleDescAttr((relation)->rd_att, (column) - 1)->attisdropped && \
	 TupleDescCompactAttr((relation)->rd_att, (column) - 1)->attnullability == ATTNULLABLE_VALID ? \
	 build_generation_expression(relation, column) : NULL)
#else
#define flake_has_virtual_columns(relation)	((void) (relation), false)
#define flake_expand_virtual_columns(list, relation, varno)	((Node *) (list))
#define flake_virtual_not_null(relation, column)	((Node *) NULL)
#endif

/* The hook that the planner calls for each table when it looks it up, before conditions are given to tables. */
#if PG_VERSION_NUM >= 190000
#define flake_table_hook_type	build_simple_rel_hook_type
#define flake_table_hook	build_simple_rel_hook
#define FLAKE_TABLE_HOOK(function)	static void function(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte)
#define flake_next_table_hook(next)	(next)(root, rel, rte)
#else
#define flake_table_hook_type	get_relation_info_hook_type
#define flake_table_hook	get_relation_info_hook
#define FLAKE_TABLE_HOOK(function)	static void function(PlannerInfo *root, Oid table, bool inherited, RelOptInfo *rel)
#define flake_next_table_hook(next)	(next)(root, table, inherited, rel)
#endif

/* A RestrictInfo that is a copy of another one's: with a number of its own, or of one table's columns. */
#if PG_VERSION_NUM >= 160000
#define flake_set_new_serial(root, info)	((info)->rinfo_serial = ++(root)->last_rinfo_serial)
#define flake_set_one_base_rel(info)	((info)->num_base_rels = 1)
#else
#define flake_set_new_serial(root, info)	((void) (root))
#define flake_set_one_base_rel(info)	((void) (info))
#endif

/* Do all rows satisfy a CHECK constraint? */
#if PG_VERSION_NUM >= 180000
#define flake_check_holds(check)	((check)->ccvalid && (check)->ccenforced)
#else
#define flake_check_holds(check)	((check)->ccvalid)
#endif

#if PG_VERSION_NUM >= 180000
#define FLAKE_MODULE_MAGIC	PG_MODULE_MAGIC_EXT(.name = "flakeid", .version = FLAKE_RELEASE)
#else
#define FLAKE_MODULE_MAGIC	PG_MODULE_MAGIC
#endif

#endif							/* FLAKE_PG_H */
