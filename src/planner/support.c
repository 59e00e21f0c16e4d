/*
 * support.c
 *		The support functions, by which the planner asks about our functions.
 *
 * An operator's support function is named after the operator, whatever its operands are:
 * an ID of ours and an instant, or a number.  What it answers is in bound.c and integer.c,
 * and for estimates in estimate.c.
 */
#include "planner/planner.h"

/* ---------- comparisons ---------- */

#define COMPARISON_SUPPORT(function, strategy) \
	PG_FUNCTION_INFO_V1(function); \
	Datum \
	function(PG_FUNCTION_ARGS) \
	{ \
		Node	   *request = (Node *) PG_GETARG_POINTER(0); \
\
		if (IsA(request, SupportRequestSimplify)) \
			PG_RETURN_POINTER(flake_rewrite_comparison((SupportRequestSimplify *) request, strategy)); \
		if (IsA(request, SupportRequestIndexCondition) && (strategy) == BTEqualStrategyNumber) \
			PG_RETURN_POINTER(flake_index_number((SupportRequestIndexCondition *) request)); \
		PG_RETURN_POINTER(NULL); \
	}

COMPARISON_SUPPORT(flakeid_lt_support, BTLessStrategyNumber)
COMPARISON_SUPPORT(flakeid_le_support, BTLessEqualStrategyNumber)
COMPARISON_SUPPORT(flakeid_eq_support, BTEqualStrategyNumber)
COMPARISON_SUPPORT(flakeid_ne_support, FLAKE_NOT_EQUAL)
COMPARISON_SUPPORT(flakeid_ge_support, BTGreaterEqualStrategyNumber)
COMPARISON_SUPPORT(flakeid_gt_support, BTGreaterStrategyNumber)

/* ---------- filters and markers ---------- */

/*
 * Answer the planner's requests about a filter: which fraction of the rows passes it, and
 * what it costs.  It costs a little more than a comparison, so that it is evaluated after
 * the comparisons, although it is before them.
 */
static Node *
support_filter(Node *request, FlakeBelongs belongs)
{
	if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *asked = (SupportRequestSelectivity *) request;

		asked->selectivity = 1.0;
		if (!asked->is_join)
		{
			flake_tell_originals(asked->root, flake_relation_of(asked->root, linitial(asked->args)));
			if (list_length(asked->args) == 1)
				asked->selectivity = flake_passed(asked->root, asked->funcid, asked->args, asked->varRelid, belongs);
		}
		/* statistics may be any numbers: pg_restore_attribute_stats() */
		CLAMP_PROBABILITY(asked->selectivity);
		return request;
	}
	if (IsA(request, SupportRequestCost))
	{
		((SupportRequestCost *) request)->startup = 0;
		((SupportRequestCost *) request)->per_tuple = 1.001 * cpu_operator_cost;
		return request;
	}
	return NULL;
}

PG_FUNCTION_INFO_V1(is_uuid7_support);
Datum
is_uuid7_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(support_filter((Node *) PG_GETARG_POINTER(0), flake_is_uuid7));
}

/* flakeid_marker(id): true. */
PG_FUNCTION_INFO_V1(flakeid_marker);
Datum
flakeid_marker(PG_FUNCTION_ARGS pg_attribute_unused())
{
	PG_RETURN_BOOL(true);
}

/* Answer about the marker of an ID: get the conditions next to it estimated.  Then it is not needed any more. */
PG_FUNCTION_INFO_V1(flakeid_marker_support);
Datum
flakeid_marker_support(PG_FUNCTION_ARGS)
{
	SupportRequestSelectivity *request = (SupportRequestSelectivity *) PG_GETARG_POINTER(0);
	Node	   *answer = support_filter((Node *) request, NULL);

	if (IsA(request, SupportRequestSelectivity) && !request->is_join)
		flake_drop_condition(flake_relation_of(request->root, linitial(request->args)), request->funcid, request->args);
	PG_RETURN_POINTER(answer);
}

/* Every text of a column is expected to be of the layout: any other is an error. */
PG_FUNCTION_INFO_V1(is_layout_support);
Datum
is_layout_support(PG_FUNCTION_ARGS)
{
	SupportRequestSelectivity *request = (SupportRequestSelectivity *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity) && !request->is_join)
		flake_check_texts(request->root, request->args, request->varRelid);
	PG_RETURN_POINTER(support_filter((Node *) request, NULL));
}

/* ---------- conditions where they stand ---------- */

/* Answer about a condition of a UNION ALL, in one of its arms. */
PG_FUNCTION_INFO_V1(flakeid_where_support);
Datum
flakeid_where_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify) || list_length(request->fcall->args) != 2)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(flake_where_in_arm(request->root, linitial(request->fcall->args)));
}
