/*
 * textlayout.c
 *		The time in IDs that are texts, of the layouts that well-known libraries write.
 *
 * layout_timestamp(text, layout) reads the time, layout_text_min() and layout_text_max()
 * are where an instant begins and ends in the order of bytes, as layout.c has it for other
 * kinds of IDs.  In most layouts some digits, of one alphabet whose digits ascend, are the
 * time; the table says which.  A KSUID is one number of base 62, and a UUID has hyphens
 * and a version: these have functions of their own.
 *
 * The order of texts is that of the time only while they have one form, one case and one
 * number of digits.  So each layout has a first and a last unit of time, and any other
 * text is an error, also in a condition that compares texts: is_layout() raises it there.
 * In the order, '' precedes all texts of a layout, and '~' follows them.
 */
#include "planner/planner.h"

#include "access/xact.h"
#include "catalog/pg_statistic.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/rls.h"

#define BASE32_HEX		"0123456789abcdefghijklmnopqrstuv"
#define BASE36			"0123456789abcdefghijklmnopqrstuvwxyz"
#define BASE16			"0123456789abcdef"

#define MAX_LENGTH		36
#define EPOCH_2000_US	INT64CONST(946684800000000)

typedef struct TextLayout
{
	const char *name;
	FlakeUnits	units;			/* of the form that sorts by time */
	int			length;
	const char *digits;			/* ascending, from '0' on */
	int			base;			/* how many */
	char		prefix;			/* or '\0' */
	int			time_digits;	/* after the prefix */
	int			shift;			/* bits below the time in these digits */
	int64		offset;			/* what is added to the time */
	const char *last_digits;	/* of the last place, or NULL: all */

	/*
	 * Read a text of the right length by its digits' values: its unit, or -1:
	 * no time.  NULL: as the members above say.
	 */
	bool		(*read) (const char *text, const uint8 *values, int64 *unit);
	/* Write the least text of a unit, or the greatest. */
	void		(*write) (int64 unit, bool greatest, char *text);
	const char *shape;
} TextLayout;

static bool read_ksuid(const char *text, const uint8 *values, int64 *unit);
static void write_ksuid(int64 unit, bool greatest, char *text);
static bool read_uuid7(const char *text, const uint8 *values, int64 *unit);
static void write_uuid7(int64 unit, bool greatest, char *text);

#define MS(first, last)			{0, 1000, first, last, 0}
#define MS_OF_2000(last)		{EPOCH_2000_US, 1000, 0, last, 0}
#define SECONDS(epoch, last)	{epoch * INT64CONST(1000000), 1000000, 0, last, 0}
#define DIGITS(all)				.digits = all, .base = sizeof(all) - 1
#define BITS(n)					((INT64CONST(1) << (n)) - 1)
#define BASE36_7				INT64CONST(78364164096)
#define BASE36_8				INT64CONST(2821109907456)

/* docs/existing.md says where these come from. */
static const TextLayout layouts[] = {
	{.name = "aid", .units = MS_OF_2000(BASE36_8 - 1), .length = 10, DIGITS(BASE36), .time_digits = 8,
	.shape = "10 digits of base 36 in lower case, of which the first 8 are the time"},
	{.name = "aidx", .units = MS_OF_2000(BASE36_8 - 1), .length = 16, DIGITS(BASE36), .time_digits = 8,
	.shape = "16 digits of base 36 in lower case, of which the first 8 are the time"},
	{.name = "cuid", .units = MS(BASE36_7, BASE36_8 - 1), .length = 25, DIGITS(BASE36), .prefix = 'c', .time_digits = 8,
	.shape = "c and 24 digits of base 36 in lower case, of which the first 8 are the time, from 1972-06 to 2059-05"},
	{.name = "ksuid", .units = SECONDS(1400000000, BITS(32)), .length = 27, DIGITS(FLAKE_BASE62_DIGITS), .read = read_ksuid, .write = write_ksuid,
	.shape = "27 digits of base 62, up to aWgEPTl1tmebfsQzFP4bxwgy80V"},
	{.name = "meid", .units = MS(0, BITS(47)), .length = 24, DIGITS(BASE16), .time_digits = 12, .offset = INT64CONST(1) << 47,
	.shape = "24 hexadecimal digits in lower case, of which the first is 8 or above"},
	{.name = "meidg", .units = MS(0, BITS(44)), .length = 24, DIGITS(BASE16), .prefix = 'g', .time_digits = 11,
	.shape = "g and 23 hexadecimal digits in lower case"},
	{.name = "objectid", .units = SECONDS(0, BITS(31)), .length = 24, DIGITS(BASE16), .time_digits = 8,
	.shape = "24 hexadecimal digits in lower case, of which the first is 0 to 7"},
	{.name = "ulid", .units = MS(0, BITS(48)), .length = 26, DIGITS(FLAKE_CROCKFORD_DIGITS), .time_digits = 10,
	.shape = "26 digits of Crockford's base 32 in upper case, of which the first is 0 to 7"},
	{.name = "ulid_lower", .units = MS(0, BITS(48)), .length = 26, DIGITS(FLAKE_CROCKFORD_LOWER), .time_digits = 10,
	.shape = "26 digits of Crockford's base 32 in lower case, of which the first is 0 to 7"},
	{.name = "uuid7", .units = MS(0, BITS(48)), .length = 36, DIGITS(BASE16), .read = read_uuid7, .write = write_uuid7,
	.shape = "a UUID in lower case with four hyphens"},
	{.name = "xid", .units = SECONDS(0, BITS(32)), .length = 20, DIGITS(BASE32_HEX), .time_digits = 7, .shift = 3, .last_digits = "0g",
	.shape = "20 digits, 0 to 9 and a to v, of which the last is 0 or g"},
};

/* ---------- digits ---------- */

/* Return the values of a layout's digits plus one, by their characters; 0: no digit. */
static const uint8 *
values_of(const TextLayout *layout)
{
	static uint8 values[lengthof(layouts)][256];
	uint8	   *known = values[layout - layouts];

	if (known['0'] == 0)
		for (int i = 0; i < layout->base; i++)
			known[(uint8) layout->digits[i]] = (uint8) (i + 1);
	return known;
}

/* Return a number above PG_UINT8_MAX if one of the characters is no digit. */
static inline unsigned
check_digits(const uint8 *values, const char *text, int count)
{
	unsigned	all = 0;

	for (int i = 0; i < count; i++)
		all |= values[(uint8) text[i]] - 1u;
	return all;
}

/* The same; put the digits behind a number. */
static inline unsigned
read_digits(const uint8 *values, const char *text, int count, int base, uint64 *number)
{
	unsigned	all = 0;

	for (int i = 0; i < count; i++)
	{
		unsigned	digit = values[(uint8) text[i]] - 1u;

		all |= digit;
		*number = *number * base + digit;
	}
	return all;
}

/* ---------- layouts with functions of their own ---------- */

static bool
read_ksuid(const char *text, const uint8 *values pg_attribute_unused(), int64 *unit)
{
	uint8		id[FLAKE_MAX_BYTES];

	if (!flake_ksuid.decode(text, flake_ksuid.text_length, id))
		return false;
	*unit = (int64) flake_load(id, 4);
	return true;
}

static void
write_ksuid(int64 unit, bool greatest, char *text)
{
	uint8		id[FLAKE_MAX_BYTES];
	char		letters[FLAKE_MAX_TEXT + 1];

	memset(id, greatest ? 0xff : 0x00, flake_ksuid.bytes);
	flake_store(id, 4, (uint64) unit);
	flake_ksuid.encode(id, letters);
	memcpy(text, letters, flake_ksuid.text_length);
}

static bool
read_uuid7(const char *text, const uint8 *values, int64 *unit)
{
	uint64		ms = 0;

	*unit = -1;
	if (text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' ||
		(read_digits(values, text, 8, 16, &ms) | read_digits(values, text + 9, 4, 16, &ms) | check_digits(values, text + 14, 4) |
		 check_digits(values, text + 19, 4) | check_digits(values, text + 24, 12)) > PG_UINT8_MAX)
		return false;
	if (text[14] == '7' && text[19] >= '8' && text[19] <= 'b')
		*unit = (int64) ms;
	return true;
}

static void
write_uuid7(int64 unit, bool greatest, char *text)
{
	char		letters[MAX_LENGTH + 1];

	snprintf(letters, sizeof(letters), "%08x-%04x-%s", (unsigned) (unit >> 16), (unsigned) (unit & 0xffff),
			 greatest ? "7fff-bfff-ffffffffffff" : "7000-8000-000000000000");
	memcpy(text, letters, MAX_LENGTH);
}

/* ---------- all layouts ---------- */

/* Read a text: its unit, or -1 if it has no time; return false if it is not of the layout. */
static bool
read_text(const TextLayout *layout, const char *text, int length, int64 *unit)
{
	const uint8 *values = values_of(layout);
	int			first = layout->prefix != '\0';
	int			time_end = first + layout->time_digits;
	uint64		number = 0;

	if (length != layout->length)
		return false;
	if (layout->read != NULL)
		return layout->read(text, values, unit);
	if ((first && text[0] != layout->prefix) ||
		(read_digits(values, text + first, layout->time_digits, layout->base, &number) |
		 check_digits(values, text + time_end, length - time_end)) > PG_UINT8_MAX)
		return false;
	*unit = (int64) (number >> layout->shift) - layout->offset;
	return *unit >= layout->units.first && *unit <= layout->units.last &&
		(layout->last_digits == NULL || strchr(layout->last_digits, text[length - 1]) != NULL);
}

static Datum
write_text(const TextLayout *layout, int64 unit, bool greatest)
{
	int			base = layout->base;
	int			first = layout->prefix != '\0';
	char		text[MAX_LENGTH];
	int64		number = (unit + layout->offset) << layout->shift | (greatest ? BITS(layout->shift) : 0);

	if (layout->write != NULL)
	{
		layout->write(unit, greatest, text);
		return PointerGetDatum(cstring_to_text_with_len(text, layout->length));
	}
	memset(text, layout->digits[greatest ? base - 1 : 0], layout->length);
	if (first)
		text[0] = layout->prefix;
	for (int i = first + layout->time_digits; i-- > first; number /= base)
		text[i] = layout->digits[number % base];
	if (layout->last_digits != NULL)
		text[layout->length - 1] = layout->last_digits[greatest ? strlen(layout->last_digits) - 1 : 0];
	return PointerGetDatum(cstring_to_text_with_len(text, layout->length));
}

/* Find a layout by its name; raise an error (22023) that lists them if there is none. */
static const TextLayout *
named(const text *name)
{
	StringInfoData names;

	for (int i = 0; i < (int) lengthof(layouts); i++)
	{
		if (strlen(layouts[i].name) == VARSIZE_ANY_EXHDR(name) &&
			memcmp(layouts[i].name, VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name)) == 0)
			return &layouts[i];
	}
	initStringInfo(&names);
	for (int i = 0; i < (int) lengthof(layouts); i++)
		appendStringInfo(&names, "%s%s", i > 0 ? ", " : "", layouts[i].name);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized layout of a text: \"%s\"", text_to_cstring(name)),
			 errdetail("The layouts of texts are %s.", names.data),
			 errhint("For a layout of bigint, which flakeid_layouts describes, cast the ID: layout_timestamp(id::bigint, layout).")));
}

/* The same of an expression in a query; NULL: not known yet.  Without a name it is ulid. */
static const TextLayout *
of_name(const Node *name)
{
	static const TextLayout *ulid = NULL;

	if (name == NULL)
		return ulid != NULL ? ulid : (ulid = named(cstring_to_text("ulid")));
	return flake_is_constant(name) ? named(DatumGetTextPP(((const Const *) name)->constvalue)) : NULL;
}

/* Say of which layouts a text is, or that it must be in lower case; return '' if neither. */
static const char *
advice(const TextLayout *layout, const char *text, int length)
{
	char		lower_case[MAX_LENGTH];
	StringInfoData hint;
	int64		unit;

	initStringInfo(&hint);
	for (int i = 0; i < (int) lengthof(layouts); i++)
	{
		if (read_text(&layouts[i], text, length, &unit))
			appendStringInfo(&hint, "%s%s", hint.len == 0 ? "It is of layout " : " or ", layouts[i].name);
	}
	if (hint.len == 0 && length <= MAX_LENGTH)
	{
		for (int i = 0; i < length; i++)
			lower_case[i] = pg_ascii_tolower((unsigned char) text[i]);
		if (read_text(layout, lower_case, length, &unit))
			appendStringInfoString(&hint, "Its letters must be in lower case here, because upper case sorts differently");
	}
	return hint.data;
}

/* Raise an error (22P02) that names the layout to use; "show" says whether the message has the text. */
pg_noreturn static void
report(const TextLayout *layout, const char *text, int length, bool show)
{
	const char *hint = advice(layout, text, length);

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 show ? errmsg("invalid ID of layout %s: \"%s\"", layout->name, pnstrdup(text, length)) :
			 errmsg("invalid ID of layout %s", layout->name),
			 errdetail("It must be %s.", layout->shape),
			 hint[0] != '\0' ? errhint("%s.", hint) : 0));
}

/*
 * Find a text that is not of the layout among five of a column's statistics, its ends too;
 * return NULL if there is none.
 */
static char *
wrong_text(const TextLayout *layout, const AttStatsSlot *slot)
{
	for (int i = 0; i < 5 && slot->nvalues > 0; i++)
	{
		const text *value = DatumGetTextPP(slot->values[(int64) i * (slot->nvalues - 1) / 4]);
		int			length = (int) VARSIZE_ANY_EXHDR(value);
		int64		unit;

		if (getBaseType(slot->valuetype) == BPCHAROID)
			length = bpchartruelen(VARDATA_ANY(value), length);
		if (!read_text(layout, VARDATA_ANY(value), length, &unit))
			return pnstrdup(VARDATA_ANY(value), length);
	}
	return NULL;
}

/* Is a security barrier between the query's tables and the user: a policy, or a view with security_barrier? */
static bool
behind_barrier(PlannerInfo *root)
{
	if (root->qual_security_level > 0)
		return true;
	while ((root = root->parent_root) != NULL)
	{
		ListCell   *cell;

		foreach(cell, root->parse->rtable)
		{
			if (lfirst_node(RangeTblEntry, cell)->security_barrier)
				return true;
		}
	}
	return false;
}

/* May the current user, not only the owner of a view, read all values of a column? */
static bool
may_show(PlannerInfo *root, const Var *column)
{
	const RangeTblEntry *rte = planner_rt_fetch(column->varno, root);

	return rte->rtekind == RTE_RELATION && !behind_barrier(root) &&
		check_enable_rls(rte->relid, InvalidOid, true) != RLS_ENABLED &&
		(pg_class_aclcheck(rte->relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		 pg_attribute_aclcheck(rte->relid, column->varattno, GetUserId(), ACL_SELECT) == ACLCHECK_OK);
}

/* Does a function of texts return the time of this one, without an error? */
bool
flake_is_of_layout(const FuncExpr *call, const text *id)
{
	const TextLayout *layout = of_name(list_length(call->args) == 2 ? lsecond(call->args) : NULL);
	int64		unit;

	return layout != NULL && read_text(layout, VARDATA_ANY(id), (int) VARSIZE_ANY_EXHDR(id), &unit);
}

/*
 * Warn, once in a statement, if the statistics of a column have a text that is not of the
 * layout: where a condition does not find it, there is no error.  The warning shows the
 * text to those who may read it.  "args" are those of is_layout(), or of is_ulid().
 */
void
flake_check_texts(PlannerInfo *root, List *args, int rel)
{
	static TimestampTz warned = 0;
	const TextLayout *layout;
	const Node *name = list_length(args) == 2 ? lsecond(args) : NULL;
	VariableStatData vardata;
	AttStatsSlot slot;
	const char *wrong = NULL;
	const char *hint;
	bool		show = false;

	if (warned == GetCurrentStatementStartTimestamp() || (layout = of_name(name)) == NULL)
		return;
	examine_variable(root, flake_strip_padding(linitial(args)), rel, &vardata);
	if (HeapTupleIsValid(vardata.statsTuple) && vardata.acl_ok && vardata.var != NULL && IsA(vardata.var, Var) &&
		(get_attstatsslot(&slot, vardata.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid, ATTSTATSSLOT_VALUES) ||
		 get_attstatsslot(&slot, vardata.statsTuple, STATISTIC_KIND_MCV, InvalidOid, ATTSTATSSLOT_VALUES)))
	{
		wrong = wrong_text(layout, &slot);
		show = wrong != NULL && may_show(root, (Var *) vardata.var);
		free_attstatsslot(&slot);
	}
	ReleaseVariableStats(vardata);
	if (wrong == NULL)
		return;
	warned = GetCurrentStatementStartTimestamp();
	hint = advice(layout, wrong, (int) strlen(wrong));
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("a column has texts that are not of layout %s", layout->name),
			 show ? errdetail("One is \"%s\". A condition on the time does not find these, or is an error.", wrong) :
			 errdetail("A condition on the time does not find these, or is an error."),
			 hint[0] != '\0' ? errhint("%s.", hint) : 0));
}

/* ---------- the functions ---------- */

/*
 * Return the layout that a function's second argument names; without one it is ulid, of which only
 * upper case sorts.  A name that is the same in all calls is looked up once.
 */
static const TextLayout *
text_layout(FunctionCallInfo fcinfo)
{
	const TextLayout *layout = fcinfo->flinfo == NULL ? NULL : fcinfo->flinfo->fn_extra;

	if (PG_NARGS() == 1)
		return of_name(NULL);
	if (layout != NULL)
		return layout;
	layout = named(PG_GETARG_TEXT_PP(1));
	if (fcinfo->flinfo != NULL && get_fn_expr_arg_stable(fcinfo->flinfo, 1))
		fcinfo->flinfo->fn_extra = (void *) layout;
	return layout;
}

/* Read the ID that is a function's argument; return -1 if it has no time.  "show" says whether an error has the text. */
static int64
read_argument(FunctionCallInfo fcinfo, const TextLayout *layout, bool show)
{
	const text *id = PG_GETARG_TEXT_PP(0);
	uint8		bytes[FLAKE_MAX_BYTES];
	int64		unit;

	if (read_text(layout, VARDATA_ANY(id), (int) VARSIZE_ANY_EXHDR(id), &unit))
		return unit;
	if (PG_NARGS() == 1)
		ulid_from_text(id, true, show, bytes);	/* an error of ulid's */
	report(layout, VARDATA_ANY(id), (int) VARSIZE_ANY_EXHDR(id), show);
}

PG_FUNCTION_INFO_V1(layout_timestamp_text);
Datum
layout_timestamp_text(PG_FUNCTION_ARGS)
{
	const TextLayout *layout = text_layout(fcinfo);
	int64		unit = read_argument(fcinfo, layout, true);

	if (unit < 0)
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(flake_unit_instant(&layout->units, unit));
}

/*
 * Return true for a text with a time, NULL for one without; raise an error for any other.
 * The error does not show the text: the condition may be evaluated for rows that a view
 * with security_barrier hides, before the view's own.
 */
PG_FUNCTION_INFO_V1(is_layout);
Datum
is_layout(PG_FUNCTION_ARGS)
{
	if (read_argument(fcinfo, text_layout(fcinfo), false) < 0)
		PG_RETURN_NULL();
	PG_RETURN_BOOL(true);
}

static Datum
text_bound(FunctionCallInfo fcinfo, bool max)
{
	const TextLayout *layout = text_layout(fcinfo);
	int64		unit = flake_unit_at(&layout->units, PG_GETARG_TIMESTAMPTZ(0), max);

	if (unit < layout->units.first)
		PG_RETURN_TEXT_P(cstring_to_text(""));
	if (unit > layout->units.last)
		PG_RETURN_TEXT_P(cstring_to_text(PG_NARGS() == 1 ? "8" : "~"));
	return write_text(layout, unit, max);
}

FLAKE_FUNCTION(layout_text_min, text_bound(fcinfo, false))
FLAKE_FUNCTION(layout_text_max, text_bound(fcinfo, true))

/* The functions of ULIDs, whose layout needs no name. */
FLAKE_FUNCTION(ulid_timestamp_text, layout_timestamp_text(fcinfo))
FLAKE_FUNCTION(is_ulid, is_layout(fcinfo))
FLAKE_FUNCTION(ulid_text_min, text_bound(fcinfo, false))
FLAKE_FUNCTION(ulid_text_max, text_bound(fcinfo, true))
