/*
 * mark.h
 *		The mark: the instant up to which IDs were issued, on disk.
 */
#ifndef FLAKE_MARK_H
#define FLAKE_MARK_H

#include "session/session.h"

#include "access/htup_details.h"

#pragma GCC visibility push(hidden)

/* ---------- markpage.c: the table _flakeid.mark ---------- */

extern Oid	flake_mark_relation(void);
extern bool flake_is_mark(Oid oid);
extern bool flake_is_deleted(HeapTupleHeader row);
extern bool flake_was_deleted(HeapTupleHeader row);
extern bool flake_mark_known(Oid relation, Oid file);
extern void flake_refuse_recovery(void);

/* ---------- mark.c: the mark in memory ---------- */

/* The part of FlakeView that the mark determines. */
typedef struct FlakeMarkView
{
	int64		mark;
	int64		floor;
} FlakeMarkView;

extern bool flake_mark(FlakeMarkKind kind, FlakeMarkView *view);
extern void flake_mark_extend(FlakeMarkKind kind, int64 us, uint64 generation, bool wait);
extern void flake_mark_ahead(FlakeMarkKind kind, int64 us, uint64 generation);
extern void flake_mark_add(const FlakeIssued others[FLAKE_MARK_KINDS]);
extern void flake_mark_dropped(Oid oid);
extern bool flake_mark_show(FlakeIssued issued[FLAKE_MARK_KINDS]);
extern int64 flake_mark_used(FlakeMarkKind kind);
extern int64 flake_mark_safe(FlakeMarkKind kind);

/* ---------- regression.c ---------- */

extern uint64 flake_ahead_until(const FlakeFormat *format, unsigned timeline, uint64 decided, int64 now);
extern void flake_went_ahead(const FlakeFormat *format, uint64 tick, int64 now);
extern void flake_refuse_behind(const char *name, const FlakeFormat *format, FlakeGenerator *generator,
								unsigned timeline, uint64 tick, int64 now);
extern FlakeRegression flake_regression_now(const FlakeFormat *format, FlakeGenerator *generator,
											FlakeView *view, FlakeRegressed *regressed);

#pragma GCC visibility pop

#endif							/* FLAKE_MARK_H */
