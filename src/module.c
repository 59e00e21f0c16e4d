/*
 * module.c
 *		What happens when the library is loaded, and whether another one has been
 *		installed since.
 */
#include "flakeid.h"

#include <dlfcn.h>
#include <sys/stat.h>

FLAKE_MODULE_MAGIC;

void		_PG_init(void);

static struct stat loaded;		/* the file that was loaded; no inode: not known */

/* Look at the file that the library has come from.  Return false if it is not there. */
static bool
look_at_file(struct stat *file)
{
	Dl_info		info;

	return dladdr((void *) (uintptr_t) _PG_init, &info) != 0 && stat(info.dli_fname, file) == 0;
}

void
_PG_init(void)
{
	if (!look_at_file(&loaded))
		loaded.st_ino = 0;
	flake_define_settings(flake_settings_changed);
	flake_shmem_init();
}

/*
 * flakeid_library_replaced(): whether the file is another one than that which was loaded.  The
 * inode of a file that is mapped is not given to another one.
 */
PG_FUNCTION_INFO_V1(flakeid_library_replaced);
Datum
flakeid_library_replaced(PG_FUNCTION_ARGS pg_attribute_unused())
{
	struct stat now;

	if (loaded.st_ino == 0 || !look_at_file(&now))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(now.st_ino != loaded.st_ino || now.st_dev != loaded.st_dev || now.st_size != loaded.st_size);
}
