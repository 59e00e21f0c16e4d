/*
 * module.c
 *		The library: loading it, its version, its replacement; and dropping the extension.
 */
#include "operation/operation.h"
#include "planner/planner.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include "catalog/objectaccess.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

FLAKE_MODULE_MAGIC;

void		_PG_init(void);

/* The file that was loaded; no inode: not known. */
static struct stat loaded;

/* Look at the file that the library has come from.  Return false if it is not there. */
static bool
look_at_file(struct stat *file)
{
	Dl_info		info;

	return dladdr((void *) (uintptr_t) _PG_init, &info) != 0 && stat(info.dli_fname, file) == 0;
}

static object_access_hook_type next_hook;

/*
 * Called before a table is dropped, by whatever statement: look whether it is the mark's.  And after a
 * type was created: look whether that may be.
 */
static void
object_access(ObjectAccessType access, Oid class, Oid object, int column, void *arg)
{
	if (access == OAT_DROP && class == RelationRelationId && column == 0)
	{
		const char *name = get_rel_name(object);

		if (name != NULL && strcmp(name, "mark") == 0 && get_rel_relkind(object) == RELKIND_RELATION && flake_is_mark(object))
			flake_mark_dropped(object);
	}
	if (access == OAT_POST_CREATE && class == TypeRelationId)
		flake_check_new_type(object);
	if (next_hook != NULL)
		next_hook(access, class, object, column, arg);
}

void
_PG_init(void)
{
	if (!look_at_file(&loaded))
		loaded.st_ino = 0;
	flake_times_init();
	flake_order_init();
	flake_where_init();
	flake_define_settings(flake_settings_changed);
	flake_shmem_init();
	next_hook = object_access_hook;
	object_access_hook = object_access;
}

/* flakeid_library_replaced(): whether the file is another one than was loaded; no other file gets a mapped inode. */
PG_FUNCTION_INFO_V1(flakeid_library_replaced);
Datum
flakeid_library_replaced(PG_FUNCTION_ARGS pg_attribute_unused())
{
	struct stat now;

	if (loaded.st_ino == 0 || !look_at_file(&now))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(now.st_ino != loaded.st_ino || now.st_dev != loaded.st_dev || now.st_size != loaded.st_size);
}

/* flakeid_library(): this library's version and release, the layout of shared memory that it makes, and whether it is preloaded. */
PG_FUNCTION_INFO_V1(flakeid_library);
Datum
flakeid_library(PG_FUNCTION_ARGS)
{
	Datum		values[] = {
		CStringGetTextDatum(FLAKE_VERSION), CStringGetTextDatum(FLAKE_RELEASE), Int32GetDatum(FLAKE_LAYOUT),
		BoolGetDatum(flake_preloaded)
	};

	PG_RETURN_DATUM(flake_row(fcinfo, values));
}
