/*
 * typeid.c
 *		A uuid as a TypeID, such as user_01h455vb4pex5vsknk084sn02q, after
 *		github.com/jetify-com/typeid, version 0.3.0 of its specification.
 *
 * A TypeID is a prefix, an underscore unless the prefix is empty, and the 128 bits in 26
 * digits of Crockford's base 32, only of lower case, of which the first is 0 to 7.  The
 * uuid is what is stored; how conditions on its TypeID find it is in planner/shown.c.
 */
#include "types/ulid.h"

#include "utils/builtins.h"
#include "utils/uuid.h"

#define MAX_PREFIX	63

#define PREFIX_SHAPE	"A prefix is up to 63 characters, a to z and underscores, and neither begins nor ends with an underscore."
#define TYPEID_SHAPE	"A TypeID is a prefix, an underscore if the prefix is not empty, and 26 digits of base 32 in lower case (0 to 9 and a to z without i, l, o and u), of which the first is 0 to 7."

static const uint8_t typeid_value[256] = {FLAKE_CROCKFORD_LOWER_VALUES};
static const FlakeAlphabet typeid_alphabet = {FLAKE_CROCKFORD_LOWER, typeid_value, 5};

static bool
is_prefix(const char *prefix, size_t length)
{
	if (length > MAX_PREFIX)
		return false;
	for (size_t i = 0; i < length; i++)
	{
		if (!(prefix[i] >= 'a' && prefix[i] <= 'z') && !(prefix[i] == '_' && i > 0 && i < length - 1))
			return false;
	}
	return true;
}

bool
typeid_is_prefix(const text *prefix)
{
	return is_prefix(VARDATA_ANY(prefix), VARSIZE_ANY_EXHDR(prefix));
}

/* Raise an error (22023) unless it is a TypeID's prefix. */
static void
check_prefix(const text *prefix)
{
	if (!typeid_is_prefix(prefix))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid prefix of a TypeID: \"%s\"", text_to_cstring(prefix)),
				 errdetail(PREFIX_SHAPE)));
}

/* Read a TypeID of this prefix, which must be valid; return false if it is none. */
bool
typeid_read(const text *id, const text *prefix, uint8 *uuid)
{
	size_t		before = VARSIZE_ANY_EXHDR(prefix);
	const char *letters = VARDATA_ANY(id);

	if (VARSIZE_ANY_EXHDR(id) != before + (before > 0) + ULID_TEXT ||
		memcmp(letters, VARDATA_ANY(prefix), before) != 0 || (before > 0 && letters[before] != '_'))
		return false;
	return ulid_get_digits(&typeid_alphabet, letters + before + (before > 0), uuid);
}

/* typeid(uuid, prefix) */
PG_FUNCTION_INFO_V1(typeid);
Datum
typeid(PG_FUNCTION_ARGS)
{
	const uint8 *uuid = PG_GETARG_UUID_P(0)->data;
	const text *prefix = PG_GETARG_TEXT_PP(1);
	size_t		before = VARSIZE_ANY_EXHDR(prefix);
	char		letters[MAX_PREFIX + 1 + ULID_TEXT];

	check_prefix(prefix);
	memcpy(letters, VARDATA_ANY(prefix), before);
	if (before > 0)
		letters[before++] = '_';
	ulid_put_digits(&typeid_alphabet, uuid, letters + before);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(letters, (int) before + ULID_TEXT));
}

/* typeid_uuid(text, prefix): the uuid of a TypeID; an error (22P02) for one of another prefix. */
PG_FUNCTION_INFO_V1(typeid_uuid);
Datum
typeid_uuid(PG_FUNCTION_ARGS)
{
	const text *id = PG_GETARG_TEXT_PP(0);
	const text *prefix = PG_GETARG_TEXT_PP(1);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	check_prefix(prefix);
	if (!typeid_read(id, prefix, uuid->data))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 VARSIZE_ANY_EXHDR(prefix) > 0 ?
				 errmsg("invalid TypeID of prefix %s: \"%s\"", text_to_cstring(prefix), text_to_cstring(id)) :
				 errmsg("invalid TypeID: \"%s\"", text_to_cstring(id)),
				 errdetail(TYPEID_SHAPE)));
	PG_RETURN_UUID_P(uuid);
}

/* typeid_prefix(text): the prefix of any TypeID, which may be empty. */
PG_FUNCTION_INFO_V1(typeid_prefix);
Datum
typeid_prefix(PG_FUNCTION_ARGS)
{
	const text *id = PG_GETARG_TEXT_PP(0);
	const char *letters = VARDATA_ANY(id);
	int			before = (int) VARSIZE_ANY_EXHDR(id) - ULID_TEXT;	/* with the underscore */
	uint8		uuid[UUID_LEN];

	if (before < 0 || before == 1 || (before > 0 && letters[before - 1] != '_') ||
		!is_prefix(letters, before > 0 ? before - 1 : 0) || !ulid_get_digits(&typeid_alphabet, letters + before, uuid))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid TypeID: \"%s\"", text_to_cstring(id)),
				 errdetail(TYPEID_SHAPE)));
	PG_RETURN_TEXT_P(cstring_to_text_with_len(letters, before > 0 ? before - 1 : 0));
}

/* Return the uuid that typeid(uuid, prefix) shows as this text; NULL if there is none. */
PG_FUNCTION_INFO_V1(typeid_match);
Datum
typeid_match(PG_FUNCTION_ARGS)
{
	const text *prefix = PG_GETARG_TEXT_PP(1);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	check_prefix(prefix);
	if (!typeid_read(PG_GETARG_TEXT_PP(0), prefix, uuid->data))
		PG_RETURN_NULL();
	PG_RETURN_UUID_P(uuid);
}
