/*
 * place.c
 *		Where this server is: a hint to whether its files were moved or cloned.
 *
 * A clone has the system identifier of its original, and so derives the same numbers.
 * Nothing on a machine is both stable and different in every clone, so the place is no
 * guard.  It stands beside the mark, and a server that finds another place there warns
 * (mark.c, flakeid_doctor()) until somebody calls flakeid_accept_place().
 */
#include "flakeid.h"

#include <unistd.h>

#include "access/xlog.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/fd.h"

/* As long as the identifier in /etc/machine-id. */
#define MACHINE_ID_CHARS	32

/*
 * Return hashes of the system identifier (upper half) and of the machine and the
 * data directory (lower half).  The machine is its identifier or, where it has
 * none, as in many containers, its host name.
 */
int64
flake_place(void)
{
	char		machine[256] = "";
	FILE	   *file = AllocateFile("/etc/machine-id", "r");
	char	   *directory;
	StringInfoData text;
	uint8		identifier[8];

	if (file != NULL)
	{
		if (fgets(machine, MACHINE_ID_CHARS + 1, file) == NULL)
			machine[0] = '\0';
		FreeFile(file);
	}
	if (strspn(machine, "0123456789abcdef") != MACHINE_ID_CHARS &&
		gethostname(machine, sizeof(machine) - 1) != 0)
		machine[0] = '\0';

	initStringInfo(&text);
	directory = realpath(DataDir, NULL);
	appendStringInfo(&text, "%s:%s", machine, directory != NULL ? directory : DataDir);
	free(directory);
	flake_store(identifier, 8, GetSystemIdentifier());
	return (int64) ((uint64) hash_bytes(identifier, sizeof(identifier)) << 32 |
					hash_bytes((const unsigned char *) text.data, text.len));
}

/* flakeid_place(): the place of this server, for flakeid_doctor(). */
PG_FUNCTION_INFO_V1(flakeid_place);
Datum
flakeid_place(PG_FUNCTION_ARGS pg_attribute_unused())
{
	PG_RETURN_INT64(flake_place());
}
