/*
 * module.c
 *		What happens when the library is loaded.
 */
#include "flakeid.h"

FLAKE_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	flake_define_settings();
	flake_shmem_init();
}
