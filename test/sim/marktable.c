/*
 * marktable.c
 *		The mark's table: the catalogs and their invalidation, its pages, the WAL, and
 *		DDL.
 */
#include "server.h"

/* ---------- relations and invalidation ---------- */

static void
invalidate_backend(Backend *backend, Oid relation)
{
	backend->cached = false;
	if (backend->watches)
		backend->library.invalidated(relation);
}

void
accept_invalidations(Backend *backend)
{
	backend->drops = server.databases[backend->database].drops;
	while (backend->invalidations < server.invalidations)
	{
		int			i = backend->invalidations++;

		if (server.invalidated[i].database == backend->database)
			invalidate_backend(backend, server.invalidated[i].relation);
	}
}

void
AcceptInvalidationMessages(void)
{
	accept_invalidations(self);
}

static void
invalidate(int database, Oid relation)
{
	if (server.invalidations == SIM_RECORDS)
		abort();
	server.invalidated[server.invalidations].relation = relation;
	server.invalidated[server.invalidations++].database = database;
}

void
flake_page_watch(void)
{
	self->watches = true;
}

/* Look a table up in the backend's caches, which hold what existed when they were filled. */
static void
look_in_cache(void)
{
	Database   *d;

	no_lwlock_held("catalog read");
	sim_point();
	if (self->cached && !server.discards)
		return;
	accept_invalidations(self);
	if (server.discards)
		invalidate_backend(self, InvalidOid);
	d = view(self);
	self->cached = true;
	self->cached_relation = d->exists ? d->relation.oid : InvalidOid;
	self->cached_file = d->relation.rd_locator.relNumber;
}

Oid
flake_mark_relation(void)
{
	look_in_cache();
	return self->cached_relation;
}

/*
 * An error may occur before the page is changed (place 1), before it is flushed (2), and
 * when the catalogs are looked at (3).
 */
static void
may_fail(int place)
{
	if (!(server.failures && once_in(12)) && server.cut_off != place)
		return;
	server.cut_off = 0;
	ereport(ERROR,
			(errcode(ERRCODE_OUT_OF_MEMORY),
			 errmsg("out of memory")));
}

bool
flake_mark_known(Oid relation, Oid file)
{
	may_fail(3);
	look_in_cache();
	return OidIsValid(relation) && self->cached_relation == relation && self->cached_file == file;
}

/* ---------- the mark's table, pages and WAL ---------- */

int64
page_mark(const SimPage *page, FlakeMarkKind kind)
{
	return flake_mark_of(&page->issued[kind]);
}

static void
report_damaged(const char *what)
{
	self->library.release();
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the mark is damaged: %s", what)));
}

static void
lock_page(void)
{
	sim_barrier();
	self->relation_locks++;
	view(self)->holders++;
}

static void
unlock_page(void)
{
	sim_point();
	sim_barrier();
	self->relation_locks--;
	view(self)->holders--;
}

bool
flake_page_open(FlakeMarkPage *page, bool writing pg_attribute_unused(), bool wait)
{
	bool		created;
	int64		budget = (int64) flake_max_wait * 1000;
	Database   *database;

	no_lwlock_held("relation locked");
	flake_page_watch();
	for (;;)
	{
		Oid			oid = flake_mark_relation();

		if (!OidIsValid(oid))
			report_damaged("it does not exist");
		sim_point();
		while (view(self)->ddl)
		{
			if (!wait)
				return false;
			if (budget <= 0)
				ereport(ERROR,
						(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						 errmsg("could not lock the mark")));
			sleep_for(10000);
			budget -= 10000;
			sim_check_for_interrupts();
		}
		lock_page();
		accept_invalidations(self);
		database = view(self);
		if (database->exists && database->relation.oid == oid)
			break;
		unlock_page();
	}
	page->relation = &database->relation;
	page->buffer = 1;
	created = database->relation.rd_createSubid != InvalidSubTransactionId;
	if (created)
		page->rollback = database->drops > server.databases[self->database].drops ? FLAKE_ROLLBACK_RESTORES_OLDER : FLAKE_ROLLBACK_REMOVES;
	else
		page->rollback = database->relation.rd_firstRelfilelocatorSubid != InvalidSubTransactionId ? FLAKE_ROLLBACK_RESTORES_FILE : FLAKE_ROLLBACK_KEEPS;
	self->pages++;
	return true;
}

/* As INSERT does before it fires a trigger; NULL if there is no table, or it is locked. */
Relation
mark_insert_begin(void)
{
	accept_invalidations(self);
	if (!view(self)->exists || view(self)->ddl)
		return NULL;
	lock_page();
	return &view(self)->relation;
}

void
mark_insert_end(void)
{
	unlock_page();
}

static void
check_page(const FlakeMarkPage *page)
{
	no_lwlock_held("the mark's page used");
	if (self->pages == 0 || page->relation != &view(self)->relation)
		sim_fault("the mark's page is used, and is not open");
}

void
flake_page_close(FlakeMarkPage *page)
{
	check_page(page);
	self->pages--;
	unlock_page();
}

bool
flake_page_open_dropped(FlakeMarkPage *page pg_attribute_unused(), Oid oid pg_attribute_unused())
{
	sim_fault("a table is about to be dropped by a statement");
	return false;
}

void
flake_page_read(FlakeMarkPage *page, FlakeIssued issued[FLAKE_MARK_KINDS])
{
	check_page(page);
	sim_point();
	memcpy(issued, view(self)->page.issued, sizeof(view(self)->page.issued));
}

static XLogRecPtr
insert_record(Database *d)
{
	WalRecord  *record = &server.wal[server.inserted++];

	record->uncommitted = d >= server.uncommitted && d < server.uncommitted + SIM_DATABASES;
	record->database = (int) (d - (record->uncommitted ? server.uncommitted : server.databases));
	record->exists = d->exists;
	record->relation = d->relation.oid;
	record->file = d->relation.rd_locator.relNumber;
	record->page = d->page;
	d->lsn = (XLogRecPtr) server.inserted;
	return (XLogRecPtr) server.inserted;
}

XLogRecPtr
flake_page_write(FlakeMarkPage *page, const FlakeIssued issued[FLAKE_MARK_KINDS], FlakeIssued *written)
{
	check_page(page);
	may_fail(1);
	sim_point();
	memcpy(view(self)->page.issued, issued, sizeof(view(self)->page.issued));
	trace("page: %ld %ld %ld", (long) flake_mark_of(&issued[0]), (long) flake_mark_of(&issued[1]), (long) flake_mark_of(&issued[2]));
	if (written != NULL)
		memcpy(written, issued, sizeof(view(self)->page.issued));
	return insert_record(view(self));
}

void
flake_page_flush(const FlakeMarkPage *page, XLogRecPtr lsn)
{
	check_page(page);
	may_fail(2);
	XLogFlush(lsn);
}

static void
flush(int records)
{
	for (; server.flushed < records; server.flushed++)
		if (!server.wal[server.flushed].uncommitted)
			server.databases[server.wal[server.flushed].database].durable = server.wal[server.flushed].page;
}

void
XLogFlush(XLogRecPtr lsn)
{
	no_lwlock_held("flushed");
	sim_point();
	flush((int) lsn);
	trace("flushed");
	sim_point();
}

/* ---------- DDL ---------- */

/* The rows that the extension's script inserts. */
static const SimPage empty_page = {{{.count = 1}, {.count = 1}, {.count = 1}}};

void
extension_drop(int database)
{
	Database   *d = &server.databases[database];

	d->exists = false;
	d->page = empty_page;
	d->drops++;
	invalidate(database, d->relation.oid);
	flush((int) insert_record(d));
}

void
extension_create(int database)
{
	Database   *d = &server.databases[database];

	d->exists = true;
	d->relation.oid = server.next_oid++;
	d->relation.rd_locator.relNumber = server.next_oid++;
	d->page = empty_page;
	invalidate(database, d->relation.oid);
	flush((int) insert_record(d));
}

/*
 * In the backend's transaction: create the extension if it does not exist; otherwise
 * rewrite the table, or drop the extension.
 */
void
transaction_change(Backend *backend, bool rewrite)
{
	Database   *d = &server.databases[backend->database];
	Database   *u = &server.uncommitted[backend->database];

	if (d->owner == 0)
	{
		backend->xid = transaction_assign();
		*u = *d;
		u->holders = 0;
		d->owner = backend->index + 1;
		d->ddl = d->exists;
	}
	accept_invalidations(backend);
	invalidate_backend(backend, u->relation.oid);
	if (u->exists && rewrite)
	{
		u->relation.rd_locator.relNumber = server.next_oid++;
		u->relation.rd_firstRelfilelocatorSubid = 1;
	}
	else if (u->exists)
	{
		u->exists = false;
		u->page = empty_page;
		u->drops++;
	}
	else
	{
		u->exists = true;
		u->relation.oid = server.next_oid++;
		u->relation.rd_locator.relNumber = server.next_oid++;
		u->relation.rd_createSubid = 1;
		u->relation.rd_firstRelfilelocatorSubid = 0;
		u->page = empty_page;
	}
	insert_record(u);
}

void
transaction_end(Backend *backend, bool commit)
{
	Database   *d = &server.databases[backend->database];
	Database   *u = &server.uncommitted[backend->database];
	TransactionId xid = backend->xid;

	if (xid == InvalidTransactionId)
		return;
	backend->xid = InvalidTransactionId;
	transaction_decide(xid, commit);
	transaction_stop(xid);
	d->owner = 0;
	d->ddl = false;
	if (commit)
	{
		Oid			old = d->relation.oid;

		d->exists = u->exists;
		d->relation = u->relation;
		d->relation.rd_createSubid = d->relation.rd_firstRelfilelocatorSubid = InvalidSubTransactionId;
		d->page = u->page;
		d->drops = u->drops;
		flush((int) insert_record(d));
		invalidate(backend->database, old);
		invalidate(backend->database, d->relation.oid);
	}
	else
		invalidate_backend(backend, u->relation.oid);
	transaction_over(backend, xid, commit);
}

/*
 * DROP DATABASE, and CREATE DATABASE with the same number, while no session is connected.
 * If both are copies of the same template, they have the same relation in the same file.
 */
void
database_replace(int database, bool same)
{
	Database   *d = &server.databases[database];

	d->exists = true;
	if (!same)
	{
		d->relation.oid = server.next_oid++;
		d->relation.rd_locator.relNumber = server.next_oid++;
	}
	d->page = empty_page;
	flush((int) insert_record(d));
}

/* Move a mark as another library does, which does not know our memory. */
void
mark_by_hand(int database, FlakeMarkKind kind, int64 us)
{
	Database   *d = &server.databases[database];

	d->page.issued[kind].at[d->page.issued[kind].current].to = us;
	flush((int) insert_record(d));
}

/* As VACUUM FULL does: put the same rows into another file. */
void
extension_rewrite(int database)
{
	Database   *d = &server.databases[database];

	d->relation.rd_locator.relNumber = server.next_oid++;
	invalidate(database, d->relation.oid);
	flush((int) insert_record(d));
}
