/*
 * writer.h
 *		Writing the mark: the table opened, and a session's turn.  Private to this folder.
 */
#ifndef FLAKE_WRITER_H
#define FLAKE_WRITER_H

#include "mark/mark.h"

#include "access/xlogdefs.h"
#include "storage/buf.h"
#include "utils/relcache.h"

#pragma GCC visibility push(hidden)

/* ---------- markpage.c ---------- */

/* What a rollback of this transaction, or a crash, would do to the table. */
typedef enum FlakeRollback
{
	FLAKE_ROLLBACK_KEEPS,		/* nothing: it had this file before */
	FLAKE_ROLLBACK_REMOVES,		/* remove it, as the transaction created the
								 * extension */
	FLAKE_ROLLBACK_RESTORES_FILE,	/* bring back the file that it had before */
	FLAKE_ROLLBACK_RESTORES_OLDER	/* bring back an older flakeid's table in
									 * its place */
} FlakeRollback;

/* The mark's table opened: its first page is pinned, and the table cannot be rewritten. */
typedef struct FlakeMarkPage
{
	Relation	relation;
	Buffer		buffer;
	bool		writing;		/* to move the mark, not only to read it */
	FlakeRollback rollback;
	FlakeIssued rows[FLAKE_MARK_KINDS]; /* as read, or written since */
} FlakeMarkPage;

extern void flake_page_watch(void);
extern bool flake_page_open(FlakeMarkPage *page, bool writing, bool wait);
extern void flake_page_close(FlakeMarkPage *page);
extern void flake_page_read(FlakeMarkPage *page, FlakeIssued issued[FLAKE_MARK_KINDS]);
extern XLogRecPtr flake_page_write(FlakeMarkPage *page, const FlakeIssued issued[FLAKE_MARK_KINDS],
								   FlakeIssued *written);
extern void flake_page_flush(const FlakeMarkPage *page, XLogRecPtr lsn);
extern bool flake_page_open_dropped(FlakeMarkPage *page, Oid oid);

/* ---------- mark.c ---------- */

/* A session's turn as the writer: to move the mark, to change timelines or to reset. */
typedef struct FlakeWriter
{
	FlakeMarkPage page;
	bool		counts;			/* what is written stays if the transaction
								 * aborts */
	/* As published; the session changes it and publishes it again. */
	FlakeIssued issued[FLAKE_MARK_KINDS];
} FlakeWriter;

extern void flake_mark_invalidated(Oid relation);
extern bool flake_writer_begin(FlakeWriter *writer, bool wait, bool always);
extern void flake_writer_publish(const FlakeWriter *writer, FlakeMarkKind kind, int64 floor);
extern void flake_writer_end(FlakeWriter *writer);

#pragma GCC visibility pop

#endif							/* FLAKE_WRITER_H */
