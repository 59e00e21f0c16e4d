/*
 * brin.c
 *		BRIN for columns of a domain over one of our types.
 *
 * Core's functions look for operators of the type that the index has for the column.  For core's
 * operator classes that is the type of the class, also if the column has a domain over it, because
 * core's catalog says that the class stores that type.  CREATE OPERATOR CLASS ignores STORAGE if it
 * is the same type, so the index has the domain, for which there are no operators: rows could not be
 * inserted.  Therefore core's functions are called with the base type of the domain.
 */
#include "types/types.h"

#include "access/brin_internal.h"
#include "access/brin_tuple.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* Call a support function, whose first arguments are an index and the values of one of its columns. */
static Datum
for_base_type(PGFunction function, FunctionCallInfo fcinfo)
{
	BrinDesc   *index = (BrinDesc *) PG_GETARG_POINTER(0);
	int			column = ((BrinValues *) PG_GETARG_POINTER(1))->bv_attno - 1;
	Oid			type = TupleDescAttr(index->bd_tupdesc, column)->atttypid;
	Oid			base = getBaseType(type);
	Size		size = offsetof(BrinDesc, bd_info) + sizeof(BrinOpcInfo *) * index->bd_tupdesc->natts;
	BrinDesc   *copy;
	Datum		result;

	if (base == type)
		return function(fcinfo);

	/* what the functions remember is in bd_info, which both share */
	copy = palloc(size);
	memcpy(copy, index, size);
	copy->bd_tupdesc = CreateTupleDescCopy(index->bd_tupdesc);
	TupleDescAttr(copy->bd_tupdesc, column)->atttypid = base;
	fcinfo->args[0].value = PointerGetDatum(copy);
	result = function(fcinfo);
	fcinfo->args[0].value = PointerGetDatum(index);
	FreeTupleDesc(copy->bd_tupdesc);
	pfree(copy);
	return result;
}

#define FOR_BASE_TYPE(name) \
	PG_FUNCTION_INFO_V1(flakeid_##name); \
	Datum \
	flakeid_##name(PG_FUNCTION_ARGS) \
	{ \
		return for_base_type(brin_##name, fcinfo); \
	}

FOR_BASE_TYPE(minmax_add_value)
FOR_BASE_TYPE(minmax_consistent)
FOR_BASE_TYPE(minmax_union)
FOR_BASE_TYPE(minmax_multi_add_value)
FOR_BASE_TYPE(minmax_multi_consistent)
FOR_BASE_TYPE(minmax_multi_union)
