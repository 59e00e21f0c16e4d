/*
 * checks.h
 *		What a backend is asked to do, and how its answers are checked, in random
 *		schedules and in those of worlds.
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
	/* Transactions, in schedules and worlds that have "feeds": */
	JOB_WRITE,					/* the transaction gets an ID */
	JOB_END,					/* the transaction ends */
	JOB_FINISH,					/* a prepared transaction is finished */
	JOB_DRAW,					/* flakeid_nextval() */
	JOB_ROW,					/* flakeid_rowversion() */
	JOB_NEXTVAL,				/* nextval(); nothing is written yet */
	JOB_LATE,					/* the value that it has drawn is written, if
								 * it is not late */
	JOB_ALTER,					/* ALTER SEQUENCE */
	JOB_POLL_SEQUENCE,			/* a reader asks for a sequence's horizon */
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
	/* The second interval of a row of a dump; 0: the row has none. */
	FlakeInterval interval;

	/*
	 * The reset is forced; the poll uses the snapshot of the one before; the
	 * prepared transaction is committed.
	 */
	bool		force;
	/* A transaction writes the ID, and JOB_END ends it. */
	bool		feed;
	int			end;			/* FeedEnd */
	int			sequence;
	bool		renew;			/* a late value is replaced */
	bool		free;			/* nothing may hold the horizon back */
	bool		sure;			/* the ID must not be refused */
	bool		failed;

	/* What the checks need to know of the moment when the job began. */
	int			steps_back;		/* steps_back() */
	int			issued;			/* ids_issued, for a snapshot */
	int64		raised[FLAKE_MARK_KINDS];
	int			promises;		/* how often promise_interval() was called */
	bool		recovering;		/* the server was in recovery */
	int			drops;			/* Backend.drops */
	int			resets;			/* reset_stamp() */
	/* The earliest instant to which a reset has been forced since. */
	int64		forced_to;
} Job;

extern Job	jobs[SIM_BACKENDS];

/* ---------- checks.c ---------- */

extern void checks_begin(void);
extern void checks_state(int sessions, FlakeFormatId format);
extern void checks_after_run(void);
extern void go_down(int records);
extern void count_memory(void);

/* ---------- issued.c: which IDs were issued ---------- */

typedef struct Issued
{
	uint64		tick;
	int64		start;
	uint32		number;
	uint32		unit;
	int			schedule;		/* other schedules' entries are empty */
	int			order;			/* ids_issued when it was issued last */
	int			incarnation;
	int			resets;
	uint8		format;
	uint8		timeline;
	/* The transaction that may still take it back, or 0. */
	TransactionId xid;

	uint8		database;
	uint8		backend;		/* that issued it last */
	/* It must not be issued again. */
	bool		counts;
	/* But it may if the clock has ever stepped back. */
	bool		steady;

	/*
	 * It must not be issued again while the server runs, because it was made
	 * with an extension whose creation was rolled back.
	 */
	bool		rolled_back;

	/*
	 * A call that began before the extension was dropped issued it
	 * afterwards.
	 */
	bool		late;

	/* For each backend that takes a snapshot, a bit: see note_apart(). */
	uint32		apart;
} Issued;

extern int	ids_issued;			/* in this schedule */
extern int	max_ahead;			/* the most that flake_max_ahead was */

/* No ID below it may be issued: a restore or an advance has promised that. */
extern int64 raised[SIM_DATABASES][FLAKE_MARK_KINDS];

/* A backend that has processed fewer messages of invalidation may not know of raised[]. */
extern int	raised_since[SIM_DATABASES];

/* The transaction under way has dropped the extension. */
extern bool dropped[SIM_DATABASES];

extern void issued_begin(void);
extern void issued_state(void);
extern void issued_stop(void);
extern size_t issued_size(void);
extern char *issued_save(char *to);
extern void issued_load(const char *from);
extern uint64 issued_hash(void);
extern void check_issue(Backend *backend, const Job *job, const FlakeTicket *ticket);
extern void note_apart(const Backend *backend, bool begins);
extern void check_snapshot(Backend *backend, const Job *job, const FlakeSaved *state);
extern void check_counts(void);
extern void check_marked(void);

/* How often promise_interval() was called. */
extern int	promises;

/* The forced resets under way: their number, and the instant from which IDs may come again. */
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
extern bool feeds_have_space(void);
extern void feeds_reset(int database);
extern void feed_before(Backend *backend);
extern void feed_write(Backend *backend);
extern void feed_row(Backend *backend, const FlakeFormat *format, const FlakeTicket *ticket);
extern void feed_drawn(Backend *backend, int sequence, int64 value);
extern void feed_poll_sequence(Backend *backend, int sequence, bool keep);
extern void feed_check_sequence(const Backend *backend, int sequence);
extern void feed_end(Backend *backend, FeedEnd end);
extern void feed_finish_prepared(bool commit);
extern void feed_poll(Backend *backend, const FlakeFormat *format, bool keep);
extern void feed_check_free(Backend *backend, const FlakeFormat *format);

/* ---------- order.c: a session's IDs, one after the other ---------- */

/* Resets set the order back; while one is under way, the order cannot be checked. */
extern int	resets[SIM_DATABASES];
extern int	resets_active[SIM_DATABASES];

/* An error has cut a reset off; a later generation may complete it. */
extern bool resets_cut_off[SIM_DATABASES];
extern int	raises[SIM_DATABASES];	/* see steps_back() */
extern bool load_checked;		/* check_load() can judge by the IDs */

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
