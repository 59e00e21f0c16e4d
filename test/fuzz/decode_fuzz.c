/*
 * decode_fuzz.c
 *		Any bytes as the text of an ID: refused, or read as the one ID it encodes.
 *
 * The first byte picks the format, the rest is the text.  The same input, taken as
 * the bytes of an ID, is encoded and must be decoded to the same bytes, because
 * mutations of texts rarely reach a valid one.
 */
#include "fuzz.h"

/* Encode, and check what must hold for a canonical text. */
static void
canonical(const FlakeFormat *format, const uint8_t *id, char *text)
{
	uint8_t		back[FLAKE_MAX_BYTES];

	memset(text, 'z', FLAKE_MAX_TEXT + 1);
	format->encode(id, text);
	must(memchr(text, '\0', format->text_length + 1u) != NULL);
	must(strspn(text, format->digits) == strlen(text));
	must(format->decode(text, strlen(text), back));
	must(memcmp(back, id, format->bytes) == 0);
}

/* bytea's hex form has one ID, too, and one text except for the digits' case. */
static void
hex(const FlakeFormat *format, const char *text, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t		id[FLAKE_MAX_BYTES];

	if (!flake_decode_hex(text, size, id, format->bytes))
		return;
	must(size == 2 + 2u * format->bytes && text[0] == '\\' && text[1] == 'x');
	for (size_t i = 2; i < size; i++)
	{
		char		c = text[i] >= 'A' && text[i] <= 'F' ? (char) (text[i] - 'A' + 'a') : text[i];

		must(c == digits[id[i / 2 - 1] >> (i % 2 == 0 ? 4 : 0) & 15]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const FlakeFormat *format;
	const char *text;
	uint8_t		id[FLAKE_MAX_BYTES];
	uint8_t		before[FLAKE_MAX_BYTES];
	char		own[FLAKE_MAX_TEXT + 1];

	if (size == 0)
		return 0;
	format = flake_formats[data[0] % FLAKE_FORMATS];
	text = (const char *) ++data;
	size--;

	memset(before, 0xa5, sizeof(before));
	memcpy(id, before, sizeof(id));
	if (format->decode(text, size, id))
	{
		canonical(format, id, own);
		/* others may allow more than one text of an ID; sno does not */
		if (format == &flake_sno)
			must(strlen(own) == size && memcmp(own, text, size) == 0);
	}
	else
		must(memcmp(id, before, sizeof(id)) == 0);
	hex(format, text, size);

	if (size >= format->bytes)
		canonical(format, data, own);
	return 0;
}
