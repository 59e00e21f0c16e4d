/*
 * notation_fuzz.c
 *		The other ways to write a siq or a snowflake: read, or refused untouched.
 *
 * The first byte picks the notation, the rest is the text.  A text that reads as an
 * ID must be written with the same digits, except for zeros in front and for letters
 * that mean the same.  The same bytes, taken as an ID, are written, and the text must
 * read as this ID.
 */
#include "fuzz.h"
#include "types/siq.h"

static const char *const snowflake_names[] = {"b", "c", "0c", "d", "l", "o", "x"};

#define SNOWFLAKE_NOTATIONS ((int) (sizeof(snowflake_names) / sizeof(snowflake_names[0])))

/* Long enough for the prefix did:siq:, too. */
#define TEXT_ROOM		64

static bool
read_text(int which, const char *text, size_t length, uint8_t *id, uint64_t *checksum)
{
	*checksum = 0;
	if (which < SIQ_NOTATIONS)
		return siq_read((SiqNotationId) which, text, length, id, checksum);
	return flake_read_number(flake_find_notation(&flake_snowflake, snowflake_names[which - SIQ_NOTATIONS]),
							 text, length, id, 8);
}

/* The text must end within the size that it is given, and read back. */
static void
write_text(int which, const uint8_t *id, size_t bytes, uint64_t checksum, char *text)
{
	uint8_t		back[FLAKE_MAX_BYTES];
	uint64_t	again;

	memset(text, 'z', TEXT_ROOM);
	if (which < SIQ_NOTATIONS)
		siq_write((SiqNotationId) which, id, (uint32_t) checksum, text);
	else
		flake_write_number(flake_find_notation(&flake_snowflake, snowflake_names[which - SIQ_NOTATIONS]), id, 8, text);
	must(memchr(text, '\0', FLAKE_MAX_DIGITS + 1) != NULL);
	must(read_text(which, text, strlen(text), back, &again));
	must(memcmp(back, id, bytes) == 0);
	must(which != SIQ_DID || again == (uint32_t) checksum);
}

/* A digit, the same for all characters that mean the same. */
static char
plain(char c)
{
	if (c >= 'A' && c <= 'Z')
		c = (char) (c - 'A' + 'a');
	return c == 'o' ? '0' : c == 'i' || c == 'l' ? '1' : c;
}

static size_t
leading_zeros(const char *text, size_t length, char zero)
{
	size_t		n = 0;

	while (n < length && plain(text[n]) == zero)
		n++;
	return n;
}

/* Are they the same number?  A text of more than fits into an ID is not. */
static void
same_digits(const char *a, size_t a_length, const char *b, size_t b_length)
{
	char		zero;
	size_t		skip;

	if (a_length > 8 && memcmp(a, "did:siq:", 8) == 0)
	{
		a += 8;
		a_length -= 8;
	}
	zero = a_length > b_length ? plain(a[0]) : plain(b[0]);
	must(zero == '0' || zero == 'a' || a_length == b_length);
	skip = leading_zeros(a, a_length, zero);
	a += skip;
	a_length -= skip;
	skip = leading_zeros(b, b_length, zero);
	b += skip;
	b_length -= skip;
	must(a_length == b_length);
	for (size_t i = 0; i < a_length; i++)
		must(plain(a[i]) == plain(b[i]));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int			which;
	size_t		bytes;
	uint8_t		id[FLAKE_MAX_BYTES];
	uint8_t		before[FLAKE_MAX_BYTES];
	char		text[TEXT_ROOM];
	uint64_t	checksum;

	if (size == 0)
		return 0;
	which = data[0] % (SIQ_NOTATIONS + SNOWFLAKE_NOTATIONS);
	bytes = which < SIQ_NOTATIONS ? 14 : 8;
	data++;
	size--;

	memset(before, 0xa5, sizeof(before));
	memcpy(id, before, sizeof(id));
	if (read_text(which, (const char *) data, size, id, &checksum))
	{
		write_text(which, id, bytes, checksum, text);

		/*
		 * a did's 33rd bit is refused by the caller, with the rest of a wrong
		 * checksum
		 */
		if (checksum <= UINT32_MAX)
			same_digits((const char *) data, size, text, strlen(text));
	}
	else
		must(memcmp(id, before, sizeof(id)) == 0);

	if (size >= bytes)
		write_text(which, data, bytes, size > 14 ? data[14] * UINT64_C(0x01010101) : 0, text);
	return 0;
}
