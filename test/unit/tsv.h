/*
 * tsv.h
 *		Read a table of test/vectors: a header line, then one row per line.
 *
 * Fields are separated by single tabs, may be empty and are never quoted.
 */
#ifndef TSV_H
#define TSV_H

#include "tap.h"

#define TSV_COLUMNS		24
#define TSV_LINE		1024

typedef struct Tsv
{
	const char *path;
	FILE	   *file;
	int			line;			/* of the row, for messages */
	int			columns;
	char		names[TSV_LINE];
	char	   *name[TSV_COLUMNS];
	char		row[TSV_LINE];
	char	   *field[TSV_COLUMNS];
} Tsv;

/* Cut a line into its fields; return how many, 0 at the end of the file. */
static inline int
tsv_line(Tsv *tsv, char *line, char **field)
{
	int			n = 0;

	if (fgets(line, TSV_LINE, tsv->file) == NULL)
		return 0;
	tsv->line++;
	if (strchr(line, '\n') == NULL)
		bail_out("%s:%d: line too long or not ended", tsv->path, tsv->line);
	*strchr(line, '\n') = '\0';
	for (char *p = line; p != NULL; n++)
	{
		if (n == TSV_COLUMNS)
			bail_out("%s:%d: too many fields", tsv->path, tsv->line);
		field[n] = p;
		p = strchr(p, '\t');
		if (p != NULL)
			*p++ = '\0';
	}
	return n;
}

static inline void
tsv_open(Tsv *tsv, const char *path)
{
	tsv->path = path;
	tsv->line = 0;
	tsv->file = fopen(path, "r");
	if (tsv->file == NULL)
		bail_out("cannot open %s; run the test from the repository's root", path);
	tsv->columns = tsv_line(tsv, tsv->names, tsv->name);
}

/* The next row, if there is one; closes the file after the last. */
static inline bool
tsv_next(Tsv *tsv)
{
	int			n = tsv_line(tsv, tsv->row, tsv->field);

	if (n == 0)
	{
		fclose(tsv->file);
		return false;
	}
	if (n != tsv->columns)
		bail_out("%s:%d: %d fields, the header has %d", tsv->path, tsv->line, n, tsv->columns);
	return true;
}

static inline const char *
tsv_text(const Tsv *tsv, const char *name)
{
	for (int i = 0; i < tsv->columns; i++)
		if (strcmp(tsv->name[i], name) == 0)
			return tsv->field[i];
	bail_out("%s has no column %s", tsv->path, name);
}

/* A field that must be a whole number and nothing else. */
static inline int64_t
tsv_int(const Tsv *tsv, const char *name)
{
	const char *text = tsv_text(tsv, name);
	char	   *end;
	int64_t		value = strtoll(text, &end, 10);

	if (end == text || *end != '\0')
		bail_out("%s:%d: \"%s\" is no number", tsv->path, tsv->line, text);
	return value;
}

static inline int
tsv_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int) (at - digits) : -1;
}

/* A field of lower-case hex digits; return how many bytes. */
static inline size_t
tsv_hex(const Tsv *tsv, const char *name, uint8_t *bytes, size_t room)
{
	const char *text = tsv_text(tsv, name);
	size_t		n = strlen(text) / 2;

	if (strlen(text) % 2 != 0 || n > room)
		bail_out("%s:%d: %s has a wrong length", tsv->path, tsv->line, name);
	for (size_t i = 0; i < n; i++)
	{
		int			high = tsv_digit(text[2 * i]);
		int			low = tsv_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			bail_out("%s:%d: %s is not hex", tsv->path, tsv->line, name);
		bytes[i] = (uint8_t) (high << 4 | low);
	}
	return n;
}

/* An ID as lower-case hex digits, to compare with a field; needs 2 * n + 1 bytes. */
static inline char *
hex_of(const uint8_t *bytes, size_t n, char *text)
{
	for (size_t i = 0; i < n; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return text;
}

#endif							/* TSV_H */
