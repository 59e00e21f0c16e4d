# The random bytes kept for flax, ulid and uuid7 were drawn recently by the process that uses
# them: neither a process forked from one that holds some nor a copy of a virtual machine
# resumed from a snapshot makes IDs from the same bytes.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_server('flax');

# A backend that draws random bytes and then forks.  While both claim to be the same
# process, they behave like two copies of a machine.
append_to_file($node->basedir . '/split.c', q(
	#include "postgres.h"
	#include "fmgr.h"
	#include "miscadmin.h"
	#include "utils/lsyscache.h"
	#if __has_include("varatt.h")
	#include "varatt.h"
	#endif
	#include <sys/wait.h>
	#include <unistd.h>

	PG_MODULE_MAGIC;

	PG_FUNCTION_INFO_V1(split);

	#define RANDOM	7			/* the last bytes of an ID: its time and place are not these */

	static char *
	random_of(Oid function)
	{
		char	   *id = DatumGetPointer(OidFunctionCall0(function));

		return id + get_typlen(get_func_rettype(function)) - RANDOM;
	}

	/*
	 * split(function, own_pid, wait): the random bytes of both, the wait, in ms, after it
	 * became two.  The one goes on after the other: they have one place in shared memory.
	 */
	Datum
	split(PG_FUNCTION_ARGS)
	{
		Oid			function = PG_GETARG_OID(0);
		bytea	   *both = palloc(VARHDRSZ + 2 * RANDOM);
		int			ends[2];
		pid_t		child;

		SET_VARSIZE(both, VARHDRSZ + 2 * RANDOM);
		random_of(function);
		if (pipe(ends) != 0 || (child = fork()) < 0)
			elog(ERROR, "no child: %m");
		if (child == 0 && PG_GETARG_BOOL(1))
			MyProcPid = getpid();
		for (int ms = 0; ms < PG_GETARG_INT32(2); ms += 50)
			usleep(50000);
		if (child == 0)
			_exit(write(ends[1], random_of(function), RANDOM) != RANDOM);
		close(ends[1]);
		if (read(ends[0], VARDATA(both), RANDOM) != RANDOM)
			elog(ERROR, "no ID of the child");
		close(ends[0]);
		waitpid(child, NULL, 0);
		memcpy(VARDATA(both) + RANDOM, random_of(function), RANDOM);
		PG_RETURN_BYTEA_P(both);
	}
));

my $library = build_library($node, 'split', $node->basedir . '/split.c');

plan skip_all => 'no compiler, or no headers of PostgreSQL' unless $library;
$node->safe_psql('postgres', "CREATE FUNCTION split(regprocedure, boolean, int) RETURNS bytea AS '$library' LANGUAGE C STRICT");

foreach my $case ([ 'a child', 'true, 0' ], [ 'a copy, later', 'false, 1500' ])
{
	my ($name, $arguments) = @$case;

	foreach my $function ('flax_new()', 'ulid_new()', 'uuid7_new()')
	{
		is($node->safe_psql('postgres', "
				SELECT substr(bytes, 1, 7) = substr(bytes, 8), length(bytes) FROM split('$function', $arguments) AS bytes"),
			'f|14', "$function: $name has random bytes of its own");
	}
}

$node->stop;
done_testing();
