/*
 * setting.c
 *		The texts of settings: whole numbers, ranges, and lists by database.
 *
 * Pure functions.  guc.c says what each setting may hold, and reports.
 */
#include "flake.h"

/*
 * Read a whole number, min .. max, the way people read it: in decimal, without
 * leading zeros.  (The server would read 010, as a host name may have it, as 8, and
 * 10.6 as 11.)  Returns false, and stores nothing, if the text is anything else.
 */
bool
flake_read_int(const char *text, int32_t min, int32_t max, int32_t *number)
{
	bool		negative = text[0] == '-';
	const char *digits = text + negative;
	int64_t		value = 0;

	if (*digits == '\0' || (digits[0] == '0' && (negative || digits[1] != '\0')))
		return false;
	for (const char *c = digits; *c != '\0'; c++)
	{
		if (*c < '0' || *c > '9' || value > INT32_MAX)
			return false;
		value = value * 10 + (*c - '0');
	}
	if (negative)
		value = -value;
	if (value < min || value > max)
		return false;
	*number = (int32_t) value;
	return true;
}

/* Read digits up to "end".  Returns false unless they are a number from 0 to max. */
static bool
read_bound(const char *text, const char *end, uint32_t max, uint32_t *number)
{
	uint64_t	value = 0;

	if (text == end)
		return false;
	for (; text < end; text++)
	{
		if (*text < '0' || *text > '9')
			return false;
		value = value * 10 + (uint64_t) (*text - '0');
		if (value > max)
			return false;
	}
	*number = (uint32_t) value;
	return true;
}

/*
 * Read a range "low-high" within 0 .. max that holds "least" numbers or more.
 * Returns false, and stores nothing, if the text is anything else.
 */
bool
flake_read_range(const char *text, uint32_t max, uint32_t least, uint32_t *low, uint32_t *high)
{
	const char *hyphen = strchr(text, '-');
	uint32_t	bounds[2];

	if (hyphen == NULL ||
		!read_bound(text, hyphen, max, &bounds[0]) ||
		!read_bound(hyphen + 1, hyphen + 1 + strlen(hyphen + 1), max, &bounds[1]) ||
		bounds[1] < bounds[0] || bounds[1] - bounds[0] + 1 < least)
		return false;
	*low = bounds[0];
	*high = bounds[1];
	return true;
}

/* ---------- lists ---------- */

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Is the text a database's name that SQL takes without quotes?  Bytes beyond ASCII are letters. */
static bool
is_name(const char *text)
{
	for (const char *c = text; *c != '\0'; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' || (*c & 0x80) != 0 ||
			  (c > text && ((*c >= '0' && *c <= '9') || *c == '$'))))
			return false;
	return *text != '\0';
}

/* A part of an entry, with its quotes removed. */
typedef struct Token
{
	char	   *text;
	bool		quoted;
} Token;

/*
 * Read the text before the next comma, equals sign or end, and copy it without the
 * spaces around it to *room.  A text in double quotes may contain all of these, and
 * quotes, which are doubled.  Moves both pointers on.
 */
static FlakeListFault
read_token(const char **text, char **room, Token *token)
{
	const char *from = *text;
	char	   *to = *room;

	while (is_space(*from))
		from++;
	token->text = to;
	token->quoted = *from == '"';
	if (token->quoted)
	{
		for (from++;; from++)
		{
			if (*from == '\0')
			{
				*to = '\0';
				return FLAKE_LIST_UNCLOSED;
			}
			if (*from == '"' && *++from != '"')
				break;
			*to++ = *from;
		}
		while (is_space(*from))
			from++;
	}
	else
	{
		while (*from != '\0' && *from != ',' && *from != '=' && *from != '"')
			*to++ = *from++;
		while (to > token->text && is_space(to[-1]))
			to--;
	}
	*to++ = '\0';
	*text = from;
	*room = to;
	return *from == '\0' || *from == ',' || *from == '=' ? FLAKE_LIST_OK : FLAKE_LIST_GARBLED;
}

/* Return how many entries the list has at most. */
size_t
flake_list_length(const char *text)
{
	size_t		length = 1;

	for (; *text != '\0'; text++)
		length += *text == ',';
	return length;
}

/*
 * Read a list "default, database = value, ..." of at least one value.  A text that is
 * blank, or has neither comma, equals sign nor quote, is the default alone.
 *
 * "entries" has room for flake_list_length(text), "room" for the characters of the
 * text and one more; the entries point into "room".  If the list is wrong, *wrong
 * points to the name or the text that the fault is about, in "room", too.
 */
FlakeListFault
flake_read_list(const char *text, char *room, FlakeListEntry *entries, size_t *length, const char **wrong)
{
	const FlakeListEntry *other = NULL;

	*length = 0;
	for (;; text++)
	{
		FlakeListEntry *entry = &entries[*length];
		FlakeListFault fault;
		Token		name = {NULL, false};
		Token		value;

		fault = read_token(&text, &room, &value);
		*wrong = value.text;
		if (fault != FLAKE_LIST_OK)
			return fault;
		if (*text == '=')
		{
			name = value;
			if (name.quoted ? *name.text == '\0' : !is_name(name.text))
				return FLAKE_LIST_NO_NAME;
			text++;
			fault = read_token(&text, &room, &value);
			if (fault != FLAKE_LIST_OK)
			{
				*wrong = value.text;
				return fault;
			}
			*wrong = name.text;
			if (*text == '=')
				return FLAKE_LIST_GARBLED;
		}
		/* the whole text may be blank, and so may a value in quotes */
		if (*value.text == '\0' && !value.quoted && (name.text != NULL || *length > 0 || *text != '\0'))
			return name.text != NULL ? FLAKE_LIST_NO_VALUE : FLAKE_LIST_EMPTY;

		for (other = entries; other < entry; other++)
		{
			if (other->database == NULL && name.text == NULL)
				return FLAKE_LIST_TWO_DEFAULTS;
			if (other->database != NULL && name.text != NULL && strcmp(other->database, name.text) == 0)
				return FLAKE_LIST_TWICE;
		}
		entry->database = name.text;
		entry->value = value.text;
		(*length)++;
		if (*text == '\0')
			return FLAKE_LIST_OK;
	}
}
