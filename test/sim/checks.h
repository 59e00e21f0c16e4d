/*
 * checks.h
 *		What a backend is asked to do, and what is checked of its answers: in
 *		random schedules and in those of worlds alike.
 */
#ifndef CHECKS_H
#define CHECKS_H

#include "sim.h"

#define BASE_US			INT64_C(1700000000000000)
#define ROUNDS			260		/* of a random schedule */

/* ---------- jobs.c ---------- */

typedef enum JobKind
{
	JOB_GENERATE,
	JOB_RESTORE,
	JOB_ADVANCE,
	JOB_MERGE,					/* a row of a dump */
	JOB_RESET,
	JOB_SNAPSHOT,
	JOB_SHOW,
	JOB_TAKE_OVER,				/* the last statement of CREATE EXTENSION */
	JOB_POLL,					/* a reader asks for the horizon */
	JOB_WRITE,					/* the transaction gets an ID, if "feeds" */
	JOB_END,					/* the transaction ends, if "feeds" */
	JOB_FINISH,					/* a prepared transaction is finished */
	JOB_EXIT
} JobKind;

typedef struct Job
{
	JobKind		kind;
	const FlakeFormat *format;
	int32		number;
	uint32		stride;
	int64		us[FLAKE_MARK_KINDS];
	FlakeMarkKind mark;
	FlakeInterval interval;		/* the second one of a row of a dump; 0: none */
	bool		force;			/* of a reset; of a poll: by the snapshot of
								 * before; a prepared one is committed */
	bool		feed;			/* the ID is written by a transaction, which
								 * JOB_END ends */
	int			end;			/* FeedEnd */
	bool		free;			/* nothing may hold the horizon */
	bool		sure;			/* nothing may keep it from its ID */
	bool		failed;
	int			steps_back;		/* steps_back() when it began */
	int			issued;			/* ids_issued when it began, for a snapshot */
	int64		raised[FLAKE_MARK_KINDS];	/* raised[] when it began */
	int64		forced_to;		/* the lowest that a forced reset went to
								 * since it began */
	int			promises;		/* promise_interval() was called so often
								 * before it began */
	bool		recovering;		/* the server was, when it began */
	int			drops;			/* of the extension, known to the backend when
								 * it began */
	int			resets;			/* reset_stamp() when it began */
} Job;

extern Job	jobs[SIM_BACKENDS];

/* ---------- checks.c ---------- */

extern void checks_begin(void);
extern void checks_state(int sessions, FlakeFormatId format);
extern void checks_after_run(void);
extern void go_down(int records);
extern void count_memory(void);

/* ---------- issued.c: what was issued ---------- */

typedef struct Issued
{
	uint64		tick;
	int64		start;
	uint32		number;
	uint32		unit;
	int			schedule;		/* other schedules' entries are empty */
	int			order;			/* when it was issued last: ids_issued */
	int			incarnation;
	int			resets;
	uint8		format;
	uint8		timeline;
	TransactionId xid;			/* by a transaction that may take it back, or
								 * 0 */
	uint8		databases;		/* set of those that must not issue it again
								 * ... */
	uint8		steady;			/* ... unless the clock has ever stepped back
								 * ... */
	uint8		rolled_back;	/* ... and while the server runs: made with an
								 * extension that never was */
	uint8		late;			/* set of those where it was issued after the
								 * extension was dropped, by a call that began
								 * before */
	uint8		backend;
	uint8		database;		/* of the last who issued it */
} Issued;

extern int	ids_issued;			/* in this schedule */
extern int	max_ahead;			/* the most that flake_max_ahead was */
extern int64 raised[SIM_DATABASES][FLAKE_MARK_KINDS];	/* promised by a restore
														 * or advance */
extern int	raised_since[SIM_DATABASES];	/* who has not heard this of
											 * server.invalidations may not
											 * know of it */

/* The transaction under way dropped the extension. */
extern bool dropped[SIM_DATABASES];

extern void issued_begin(void);
extern void issued_state(void);
extern void issued_stop(void);
extern size_t issued_size(void);
extern char *issued_save(char *to);
extern void issued_load(const char *from);
extern uint64 issued_hash(void);
extern Issued *look_up(const FlakeFormat *format, const FlakeTicket *ticket, uint32 unit);
extern void check_issue(Backend *backend, const Job *job, const FlakeTicket *ticket);
extern void check_snapshot(Backend *backend, const Job *job, const FlakeSnapshot *state);
extern void check_counts(void);
extern void check_marked(void);
extern int	promises;
extern int	forcing[SIM_DATABASES];
extern int64 forced_to[SIM_DATABASES];
extern void forget_intervals(int database, int64 us);
extern void promise_interval(const Backend *backend, const Job *job, FlakeMarkKind mark, FlakeInterval interval);
extern void promise(const Backend *backend, const Job *job, FlakeMarkKind mark, int64 us);
extern void forget_promises(int database);
extern void forget_issued(int database, int64 us);
extern void forget_unmarked(void);
extern void issue_elsewhere(int database);
extern void drop_extension(int database);
extern void replace_database(int database, bool gone);

/* ---------- identities.c: whose number it is ---------- */

extern void identities_state(void);
extern void identities_stop(void);
extern void note_generations(void);
extern void check_identity(const Backend *backend, const Job *job, const FlakeTicket *ticket);

/* ---------- feeds.c: readers that follow the IDs ---------- */

typedef enum FeedEnd
{
	FEED_COMMIT,
	FEED_ROLL_BACK,
	FEED_PREPARE
} FeedEnd;

extern void feeds_begin(void);
extern void feeds_state(void);
extern void feeds_stop(void);
extern bool feeds_room(void);
extern void feeds_reset(int database);
extern void feed_before(Backend *backend);
extern void feed_write(Backend *backend);
extern void feed_row(Backend *backend, const FlakeFormat *format, const FlakeTicket *ticket);
extern void feed_end(Backend *backend, FeedEnd end);
extern void feed_finish_prepared(bool commit);
extern void feed_poll(Backend *backend, const FlakeFormat *format, bool keep);
extern void feed_check_free(Backend *backend, const FlakeFormat *format);

/* ---------- order.c: a session's IDs, one after the other ---------- */

/* Resets set the order back; while one is under way, nothing can be said about it. */
extern int	resets[SIM_DATABASES];
extern int	resets_active[SIM_DATABASES];
extern bool resets_cut_off[SIM_DATABASES];	/* by an error: completed with
											 * some later generation */
extern int	raises[SIM_DATABASES];	/* see steps_back() */
extern bool load_checked;		/* it can be told from the IDs */

extern void order_begin(void);
extern void order_state(int sessions, FlakeFormatId format);
extern void order_stop(void);
extern int	reset_stamp(int database);
extern int	steps_back(int database);
extern void check_order(Backend *backend, const Job *job, const FlakeTicket *ticket);
extern void check_load(int database, const Job *job, const FlakeTicket *ticket);
extern void forget_order(const Backend *backend);
extern void note_ahead_until(void);

#endif							/* CHECKS_H */
