/*
 * session.h
 *		A session's numbers and leases, the places of generators, and the writer's turn.
 */
#ifndef FLAKE_SESSION_H
#define FLAKE_SESSION_H

#include "server/server.h"

#pragma GCC visibility push(hidden)

/* ---------- domain.c ---------- */

extern uint32 flake_hash_domain(const char *domain, int local_id);

/* ---------- identity.c ---------- */

/* Why a session can make no ID of a format. */
typedef enum FlakeNumberFault
{
	FLAKE_NUMBER_OK,
	FLAKE_NUMBER_TOO_GREAT,		/* the node that is set, for the format's
								 * field */
	FLAKE_POOL_TOO_SMALL		/* flakeid.sno_sequence_min and _max */
} FlakeNumberFault;

/* What distinguishes a session's IDs of a format from those of other databases. */
typedef struct FlakeOwn
{
	int64		number;			/* partition, shard, worker or node; -1: none */
	uint32		min,			/* the part of the pool that may be used */
				max;
	FlakeNumberFault fault;
} FlakeOwn;

/* The identity under which a session makes IDs. */
typedef struct FlakeIdentity
{
	bool		known;			/* false: a setting must not be used */
	int32		node;			/* 0 .. 65535 */
	bool		node_derived;	/* from the system identifier and the database */
	uint32		siq_domain;		/* hash of flakeid.siq_domain and siq_local_id */
	int32		siq_local_id;
	FlakeOwn	own[FLAKE_FORMATS]; /* flax has none; uid64's number is 0 */
} FlakeIdentity;

/* As of the last flake_sync(). */
extern FlakeIdentity flake_identity;
extern uint64 flake_generation;

extern void flake_settings_changed(void);
extern void flake_sync(void);
extern const char *flake_look(void);
extern const FlakeOwn *flake_own(const FlakeFormat *format);

/* ---------- generators.c ---------- */

/* Return the timeline of a format's IDs in a generation. */
static inline unsigned
flake_timeline(const FlakeFormat *format, uint64 generation)
{
	return format->tick_tock ? FLAKE_TIMELINE(generation) : 0;
}

static inline FlakeMarkKind
flake_mark_kind(const FlakeFormat *format, unsigned timeline)
{
	if (!format->tick_tock)
		return FLAKE_MARK_AHEAD;
	return timeline == 0 ? FLAKE_MARK_TICK : FLAKE_MARK_TOCK;
}

extern void flake_new_generation(unsigned timeline);
extern void flake_void_generation(void);
extern void flake_raise(pg_atomic_uint64 *value, uint64 least);
extern FlakeGenerator *flake_generator(const FlakeFormat *format, uint32 number);
extern FlakeGenerator *flake_find_generator(const FlakeFormat *format, uint32 number);
extern FlakeGenerator *flake_next_generator(const FlakeFormat *format, uint32 *number);
extern void flake_undo_lease(const FlakeFormat *format, uint32 number, uint64 generation, uint64 leased, uint64 before);
extern int64 flake_issued(FlakeMarkKind kind);
extern void flake_map_generators(FlakeMarkKind kind);
extern void flake_rewind(FlakeMarkKind kind, int64 us);

/* ---------- lease.c ---------- */

/*
 * What a generator returns, valid until this session's next call.  The format packs it
 * with its other parts.
 */
typedef struct FlakeTicket
{
	uint64		tick;
	unsigned	timeline;
	uint32		number;
	uint32		sequence;

	uint64		leased;			/* the clock at the lease: ns, modulo 2^64 */
} FlakeTicket;

/* A range of a tick's sequence that this session holds. */
typedef struct FlakeLease
{
	FlakeTicket ticket;			/* of the last ID */
	FlakeGenerator *generator;	/* NULL: no lease */
	const FlakeFormat *format;
	int32		number;			/* the one that the last caller asked for */
	uint64		generation;		/* the lease is void in any other */
	uint64		length;			/* ns: how long it may be used */
	uint32		next;			/* [next, end) is left */
	uint32		end;
	uint32		want;			/* how many numbers the session leased last */
	uint32		issued;			/* IDs that the generator has not counted yet */
	bool		ahead;			/* its tick lies ahead of the clock, which was
								 * found behind */
} FlakeLease;

/* Fits no ID, so that the next one goes through lease_for(). */
extern FlakeLease flake_no_lease;

/* The one used last, or flake_no_lease. */
extern FlakeLease *flake_last_lease;

/* The one that the previous transaction used last: only use_lease() has chosen it. */
extern FlakeLease *flake_left_lease;

extern FlakeLease *flake_kept_lease(const FlakeGenerator *generator);
extern void flake_count_lease(FlakeLease *lease);
extern void flake_leave_lease(void);
extern void flake_void_leases(void);
extern void flake_count_leases(void);

/* ---------- turn.c: the writer's turn ---------- */

extern bool flake_turn_take(bool wait);
extern void flake_turn_end(void);

#pragma GCC visibility pop

#endif							/* FLAKE_SESSION_H */
