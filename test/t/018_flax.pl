# The random bytes that flax keeps are drawn by the process that uses them, and not
# long ago: neither a process forked from one that has some nor the copy of a virtual
# machine woken from a snapshot makes IDs of the same ones.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_server('flax');

# A backend that draws and then becomes two.  While they say that they are the same
# process, they are what two copies of a machine are.
append_to_file($node->basedir . '/split.c', q(
	#include "postgres.h"
	#include "fmgr.h"
	#include "miscadmin.h"
	#if __has_include("varatt.h")
	#include "varatt.h"
	#endif
	#include <sys/wait.h>
	#include <unistd.h>

	PG_MODULE_MAGIC;

	PG_FUNCTION_INFO_V1(split);

	/* split(function, own_pid, wait): the IDs of both, the wait, in ms, after it became two. */
	Datum
	split(PG_FUNCTION_ARGS)
	{
		bytea	   *ids = palloc(VARHDRSZ + 24);
		int			ends[2];
		pid_t		child;
		char	   *id;

		SET_VARSIZE(ids, VARHDRSZ + 24);
		OidFunctionCall0(PG_GETARG_OID(0));
		if (pipe(ends) != 0 || (child = fork()) < 0)
			elog(ERROR, "no child: %m");
		if (child == 0 && PG_GETARG_BOOL(1))
			MyProcPid = getpid();
		for (int ms = 0; ms < PG_GETARG_INT32(2); ms += 50)
			usleep(50000);
		id = DatumGetPointer(OidFunctionCall0(PG_GETARG_OID(0)));
		if (child == 0)
			_exit(write(ends[1], id, 12) != 12);
		memcpy(VARDATA(ids), id, 12);
		close(ends[1]);
		if (read(ends[0], VARDATA(ids) + 12, 12) != 12)
			elog(ERROR, "no ID of the child");
		close(ends[0]);
		waitpid(child, NULL, 0);
		PG_RETURN_BYTEA_P(ids);
	}
));

my $library = build_library($node, 'split', $node->basedir . '/split.c');

plan skip_all => 'no compiler, or no headers of PostgreSQL' unless $library;
$node->safe_psql('postgres', "CREATE FUNCTION split(regprocedure, boolean, int) RETURNS bytea AS '$library' LANGUAGE C STRICT");

foreach my $case ([ 'a child', 'true, 0' ], [ 'a copy, later', 'false, 1500' ])
{
	my ($name, $arguments) = @$case;

	# the random bits alone, as the times may tell IDs apart
	is($node->safe_psql('postgres', "
			SELECT flax_random(substr(ids, 1, 12)::flax) = flax_random(substr(ids, 13, 12)::flax), length(ids)
			FROM split('flax_new()', $arguments) AS ids"),
		'f|24', "$name has random bytes of its own");
}

$node->stop;
done_testing();
