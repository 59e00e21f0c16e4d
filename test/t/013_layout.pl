# Shared memory that is missing, too full or another version's, and a backend that has
# outlived its postmaster: no ID is made that could be issued twice.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my @generators = generators();

# Does every generator of a session make an ID?
sub all_make
{
	my ($name, $session) = @_;
	my %answers = probe($session);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is((grep { !/^\\x[0-9a-f]+$/ } values %answers), 0, "$name: every generator makes IDs") or diag explain \%answers;
	return;
}

# Does every generator report this error, and everything else that needs the memory?
sub none_makes
{
	my ($name, $session, $error) = @_;
	my %answers = probe($session);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	like($answers{$_}, $error, "$name: no $_") foreach @generators;
	like(attempt($session, $_), $error, "$name: not $_")
	  foreach 'SELECT * FROM flakeid_clock', 'SELECT * FROM flakeid_generators', 'SELECT sno_snapshot()',
	  'SELECT flakeid_advance(now())', 'SELECT flakeid_clock_reset(now())', 'SELECT sno_new_at(now())',
	  'INSERT INTO _flakeid.mark SELECT * FROM _flakeid.mark';
	like(attempt($session, 'SELECT flax_new()'), qr/^[-0-9A-Za-z_]{16}$/, "$name: but a flax, which needs no memory");
	return;
}

# ---------- another layout ----------

# This checkout's library with another number for the layout of its memory, such as a
# newer version will have; without the planner and the operations, which the generators do not
# need and which take a third of the time.  A folder's files are one piece for the compiler, which
# then reads PostgreSQL's headers once, but for those that would define a name twice.
sub other_library
{
	my ($node) = @_;
	my $source = $node->basedir . '/src';
	my @alone = ("$source/horizon/subscribed.c");

	system_or_bail('cp', '-r', "$FindBin::RealBin/../../src", $source);
	my $header = slurp_file("$source/server/shared.h");
	$header =~ s/(#define FLAKE_LAYOUT\s+)(\d+)/$1 . ($2 + 1)/e or die 'no layout';
	unlink "$source/server/shared.h";
	append_to_file("$source/server/shared.h", $header);
	append_to_file("$source/init.c", q(
#include "session/session.h"

FLAKE_MODULE_MAGIC;
void		_PG_init(void);
void
_PG_init(void)
{
	flake_define_settings(flake_settings_changed);
	flake_shmem_init();
}
));
	foreach my $file (glob "$source/{kernel,server,session,mark,horizon,generate}/*.c")
	{
		append_to_file($file =~ s{/\w+[.]c$}{.c}r, qq(#include "$file"\n)) if $file ne $alone[0];
	}
	return build_library($node, 'other', "-I$source", '-DFLAKE_VERSION="2.0"', '-DFLAKE_RELEASE="2.0.0"', @alone, glob("$source/*.c $source/types/*.c"));
}

# The files of another version are installed while the server runs: two sets of
# generators side by side would issue the same IDs, so the library loaded second makes
# none until the restart.
SKIP:
{
	my $node = new_server('layout', conf => [ 'flakeid.node = 11' ]);
	my $library = other_library($node);
	my $refused = qr/ERROR:  55000: shared memory of flakeid was made by another version of the library\nDETAIL:  Its layout is (\d+), the layout of this library is (?!\1\b)\d+\.\nHINT:  Restart the server/s;
	my ($ours, $theirs);

	skip 'no compiler, or no headers of PostgreSQL', 1 unless $library;

	# a plain number, because our types would load our library into the session
	$node->safe_psql('postgres', "CREATE FUNCTION other() RETURNS bigint AS '$library', 'uid64_new' LANGUAGE C STRICT");

	($ours, $theirs) = (session($node), session($node));
	all_make('alone', $ours);
	like(attempt($theirs, 'SELECT other()'), $refused, 'the other library after ours');
	all_make('ours, besides', $ours);
	$_->quit foreach $ours, $theirs;

	$node->restart;
	($ours, $theirs) = (session($node), session($node));
	like(attempt($theirs, 'SELECT other()'), qr/^\d+$/, 'the other library alone');
	none_makes('ours after the other library', $ours, $refused);
	like(attempt($theirs, 'SELECT other()'), qr/^\d+$/, 'the other library, besides');
	$_->quit foreach $ours, $theirs;

	$node->restart;
	$ours = session($node);
	all_make('after the restart', $ours);
	$ours->quit;
	$node->stop;
}

# ---------- no memory ----------

# Locks take the rest of the main segment and keep it, except a few bytes, which are all
# that the generators need.
{
	my $node = new_server('locks', conf => [ 'flakeid.node = 11' ]);
	my $session;

	$node->restart;
	$session = session($node);
	like(attempt($session, 'SELECT count(pg_advisory_lock(n)) FROM (SELECT generate_series(1, 10000000) AS n) AS many'), qr/ERROR:  53200/, 'locks, until there is no memory');
	attempt($session, 'SELECT pg_advisory_unlock_all()');
	all_make('after locks', $session);
	$session->quit;
	$node->stop;
}

# Another library has taken the last of the segment, and the last entries of its index.
SKIP:
{
	my $node = new_server('size', conf => [ 'flakeid.node = 11' ]);
	my ($library, $session);

	skip 'from PostgreSQL 17 on the memory is not taken from there', 1 if $node->pg_version >= 17;
	append_to_file($node->basedir . '/take.c', q(
#include "postgres.h"
#include "fmgr.h"
#include "storage/shmem.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(take);
Datum
take(PG_FUNCTION_ARGS)
{
	while (ShmemAllocNoError(32) != NULL)
		;
	PG_RETURN_VOID();
}
));
	$library = build_library($node, 'take', $node->basedir . '/take.c');
	skip 'no compiler, or no headers of PostgreSQL', 1 unless $library;
	$node->safe_psql('postgres', "CREATE FUNCTION take() RETURNS void AS '$library' LANGUAGE C");
	$node->restart;
	$session = session($node);
	attempt($session, 'SELECT take()');
	none_makes('no memory', $session, qr/ERROR:  53200: .*(?:not enough|out of) shared memory.*HINT:  Add flakeid to shared_preload_libraries/si);
	like(attempt($session, "SET statement_timeout = '50ms'; SELECT pg_sleep(60)"), qr/ERROR:  57014/, 'no memory: the session can still be cancelled');
	$session->quit;

	# do what the hint says
	$node->append_conf('postgresql.conf', 'shared_preload_libraries = flakeid');
	$node->restart;
	$session = session($node);
	attempt($session, 'RESET statement_timeout; SELECT take()');
	all_make('preloaded', $session);
	$session->quit;
	$node->stop;
}

# The device of dynamic shared memory is full: the generators report it, and try again
# when it is not.  (A preloaded library pretends it is full; filling it would affect
# others.)
SKIP:
{
	my $tempdir = PostgreSQL::Test::Utils::tempdir();
	my $full = "$tempdir/full";
	my ($node, $library, $session, $other);
	my $error = qr/ERROR:  53100: could not resize shared memory segment.*No space left on device/s;

	skip 'no compiler', 1 if system('cc --version >/dev/null 2>&1') != 0;
	append_to_file("$tempdir/full.c", sprintf q(
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#define FULL(name, offset) \\
int \\
name(int fd, offset start, offset length) \\
{ \\
	int			(*real) (int, offset, offset) = dlsym(RTLD_NEXT, #name); \\
 \\
	return access("%s", F_OK) == 0 ? ENOSPC : real(fd, start, length); \\
}

FULL(posix_fallocate, off_t)
/* which a server of 32 bits calls */
FULL(posix_fallocate64, int64_t)
), $full);
	system_or_bail('cc', '-shared', '-fPIC', '-o', "$tempdir/full.so", "$tempdir/full.c", '-ldl');
	{
		local $ENV{LD_PRELOAD} = join ' ', "$tempdir/full.so", $ENV{LD_PRELOAD} || ();

		$node = new_server('full', conf => [ 'flakeid.node = 11' ], server => ['dynamic_shared_memory_type = posix']);
		$node->safe_psql('postgres', 'CREATE DATABASE other');
		$node->safe_psql('other', 'CREATE EXTENSION flakeid');
		$node->restart;
	}
	$session = session($node);
	append_to_file($full, '');
	none_makes('full', $session, $error);
	unlink $full;
	all_make('not full any more', $session);

	# generators that have their memory continue, and one that needs more does not start
	append_to_file($full, '');
	all_make('full again', $session);
	like(attempt($session, 'SELECT count(sno_new(0, n)) FROM generate_series(0, 65535) AS n'), $error, 'full again: not every partition');
	all_make('full again, a partition refused', $session);
	is(attempt($session, 'SELECT count(*) > 0, count(sno_new(0, number)) = count(*) FROM flakeid_generators WHERE type = $$sno$$'), 't|t',
		'full again: those that exist by now continue');
	unlink $full;
	$other = session($node, database => 'other');
	all_make('not full, another database', $other);
	is(attempt($session, 'SELECT count(sno_new(0, n)) FROM generate_series(0, 65535) AS n'), '65536', 'not full: every partition');
	$_->quit foreach $session, $other;
	$node->stop;
}

# ---------- orphans ----------

# A backend whose postmaster was killed continues until it needs a mark.  It must not
# move the mark any more, because the next server may already have read it.
{
	my $node = new_server('orphan', conf => [ 'flakeid.node = 11' ]);
	my $file = id_file($node, 'orphan');
	my ($busy) = start_sessions($node, 'COPY (' . making(1_000_000_000) =~ s/FROM (.*)/FROM (SELECT $1) AS endless/r . ") TO '$file' (DELIMITER '|')");
	my ($pid, $size, @marks, $more);

	$node->poll_query_until('postgres', 'SELECT sum(issued) > 1000 FROM flakeid_generators') or die 'no load';
	$pid = $node->safe_psql('postgres', q(SELECT pid FROM pg_stat_activity WHERE query LIKE 'COPY%'));
	@marks = marks($node);
	$size = -s $file;
	$node->kill9;
	until_true(sub { return !kill(0, $pid) || -s $file > 1e9 });    # its output must not fill the disk
	ok(!kill(0, $pid), 'orphan: it ends') or kill 'KILL', $pid;
	wait_for_exit($pid);
	eval { finish_sessions($busy) };
	cmp_ok(-s $file, '>', $size, 'orphan: it continued for a while');
	start_server($node);
	is(scalar(split /\n/, below($node, [ marks($node) ], last_made($file))), scalar @generators, 'orphan: but not beyond the marks');
	($more) = start_sessions($node, making(1000));
	finish_sessions($more);
	making_unique('orphan, and the next server', $node, [ $file, $more->{out} ]);
	$node->stop;
}

# A waiting backend notices immediately.
SKIP:
{
	my ($node, $waiting, $pid);

	skip 'no compiler', 1 unless clock_available();
	$node = new_server('waiting', clock => 1, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 1h', 'flakeid.sno_sequence_min = 0', 'flakeid.sno_sequence_max = 9' ]);
	set_clock($node, yesterday('10:00:00'));
	($waiting) = start_sessions($node, 'SELECT sno_new(0) FROM generate_series(1, 11)');
	$node->poll_query_until('postgres', 'SELECT sum(waiting) = 1 FROM flakeid_generators') or die 'nobody waits';
	$pid = $node->safe_psql('postgres', q(SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT sno_new%'));
	$node->kill9;
	ok(until_true(sub { return !kill 0, $pid }), 'waiting orphan: it ends');
	eval { finish_sessions($waiting) };
	isnt($@, '', 'waiting orphan: without an answer');
}

done_testing();
