# What somebody does first, and what goes wrong then: make demo and its end, ^C, a copy
# of PostgreSQL that was interrupted or met a full disk, no right to install, a build in
# another directory, make installcheck.
#
# In a copy of the checkout, which has private servers of its own.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Cwd qw(getcwd);
use File::Temp ();
use Files;
use Test::More;
use Time::HiRes qw(time usleep);

# A shell that starts a job in the background has it ignore ^C, and what that starts, too.
$SIG{$_} = 'DEFAULT' foreach qw(INT QUIT);

my $make = $ENV{MAKE} || 'make';
my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
my $seed = $ENV{FLAKEID_SEED} || int rand 2**31;

# The servers' user reads it; a folder of its own for what is not of the checkout.
my $checkout = getcwd();
my $dir = File::Temp->newdir('flakeid_XXXXXX', TMPDIR => 1);
my $copy = "$dir/flake id";
my ($home, $running);

delete @ENV{qw(PGHOST PGPORT PGUSER PGDATABASE MAKEFLAGS MAKELEVEL MFLAGS T)};
$ENV{PATH} = join ':', grep { !m{^/tmp/flakeid-} } split /:/, $ENV{PATH};
srand $seed;
note "again with: FLAKEID_SEED=$seed";

END
{
	local $?;
	if ($home)
	{
		kill 'KILL', -$running if $running;
		system("cd '$copy' && for name in demo x; do test/server.sh stop \$name; done; test/server.sh clean");
		chdir $checkout;
		undef $dir;
	}
}

# Output and errors together, and the exit status.
sub try
{
	my ($command) = @_;
	my $out = `{ $command; } 2>&1 </dev/null`;

	return ($out, $? >> 8);
}

sub works
{
	my ($command, $name) = @_;
	my ($out, $rc) = try($command);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($rc, 0, $name) or diag $out;
	return $out;
}

# Begin a command in a process group of its own, as a terminal does.
sub begin
{
	my ($command, $log) = @_;

	defined($running = fork) or die "fork: $!";
	if (!$running)
	{
		setpgrp;
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', $log;
		open STDERR, '>&', \*STDOUT;
		exec 'bash', '-c', "exec $command" or die;
	}
	return;
}

# Send a signal to the group, as ^C does; how long until it has ended.
sub interrupt
{
	my ($signal) = @_;
	my $start = time;

	kill $signal, -$running;
	waitpid $running, 0;
	undef $running;
	return time - $start;
}

# Files of the copy of PostgreSQL that are not as the system's are.
sub broken
{
	return () unless -d "$home/pg";
	return grep { -e "/$_" && (-s "/$_" || 0) != (-s "$home/pg/$_" || 0) }
	  split /\n/, `cd '$home/pg' && find . -type f ! -name 'flakeid*'`;
}

# Processes whose program is in a folder.
sub processes
{
	my ($folder) = @_;

	return grep { (readlink "/proc/$_/exe" || '') =~ /^\Q$folder\E\// } map { m{(\d+)$} } glob '/proc/[0-9]*';
}

# A server of the private copy, and of nothing else, makes an ID.
sub makes_an_id
{
	my ($name) = @_;
	my ($out, $rc) = try('test/server.sh start x && test/server.sh psql x -Atc "CREATE EXTENSION flakeid" -c "SELECT sno_new(0)"');
	my ($postmaster) = -e "$home/run/x/data/postmaster.pid" ? slurp("$home/run/x/data/postmaster.pid") =~ /^(\d+)/ : ();

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok($rc == 0 && $out =~ /^[2-9a-x]{16}$/m, "$name: a server starts and makes an ID") or diag $out;
	like($postmaster ? readlink "/proc/$postmaster/exe" : '', qr{^\Q$home\E/pg/}, "$name: it is the private copy's");
	works('test/server.sh stop x', "$name: and stops");
	return;
}

chmod 0755, "$dir";
system('test/copy.sh', $copy) == 0 or die;
chdir $copy or die;
($home) = `test/server.sh status` =~ /^(\S+)/ or die;
my $bindir = `$pg_config --bindir` =~ s/\n//r;

# ---------- help, and what the documents say ----------

my $help = works("$make help", 'make help');
my $makefiles = slurp('Makefile') . slurp('test/Makefile');
my @targets = ($help =~ /^ *make ([a-z][a-z-]*)/mg, $help =~ /\b(test-[a-z]+)\b/g);

cmp_ok(scalar @targets, '>', 15, 'it names targets');
is(join(' ', grep { $_ ne 'install' && $makefiles !~ /^([a-z -]+ )?\Q$_\E( [a-z -]+)?:/m } @targets), '', 'which are all there');

# ---------- a build in another directory ----------

SKIP:
{
	my $beside = "$dir/beside";

	# PGXS takes no space in the name of the sources' directory
	system('cp', '-r', $copy, "$dir/sources") == 0 && mkdir $beside or die;
	works("$make -s all && cd '$dir/sources' && $make -s all", 'a build in the directory itself');
	works("cd $beside && $make -s -f ../sources/Makefile all", 'and one in another, though it was built there before');
	works("$make -s install DESTDIR='$dir/1' >/dev/null && cd $beside && $make -s -f ../sources/Makefile install DESTDIR=$dir/2", 'both are installed');
	my ($files) = try("cd $dir/1 && find . -type f | sort");
	like($files, qr/flakeid\.so\n/, 'with a library');
	is((try("cd $dir/2 && find . -type f | sort"))[0], $files, 'with the same files');
	is((try("diff -r -x flakeid.so $dir/1 $dir/2"))[0], '', 'with the same contents');
}

# ---------- a copy of PostgreSQL that is interrupted ----------

# certainly in the middle of it: cp leaves half a program and is killed with its parents
mkdir "$dir/stubs";
spew("$dir/stubs/cp", <<'SH');
#!/bin/sh
PATH=${PATH#*:}
cp "$@"
for file in "$HALF"/new/pg/*/*/*/*/bin/createdb "$HALF"/new/pg/*/*/*/bin/createdb "$HALF"/pg/*/*/*/*/bin/createdb; do
	[ ! -f "$file" ] || truncate -s 1000 "$file"
done
kill -9 0
SH
chmod 0755, "$dir/stubs/cp";
begin("env HALF='$home' PATH='$dir/stubs':\"\$PATH\" test/server.sh install", "$dir/log");
waitpid $running, 0;
is($? & 127, 9, 'the copy is killed');
undef $running;
makes_an_id('killed with half a program');
is(join(' ', broken()), '', 'killed with half a program: every file is whole');

# at any moment, also when there is a copy that is brought up to date
my $ended = 0;
my @spoiled;
foreach my $round (1 .. 12)
{
	system("test/server.sh clean") if $round % 2;
	system("find '$home/pg' -type f -name '*.so' -exec touch {} + 2>/dev/null") unless $round % 2;
	begin('test/server.sh install', "$dir/log");
	usleep(rand 300_000);
	interrupt(('INT', 'TERM', 'KILL')[ $round % 3 ]);
	$ended++ if $? != 0;
	push @spoiled, map { "$round: $_" } broken();
}
note "$ended of 12 were interrupted";
is("@spoiled", '', 'interrupted at any moment: no file is in place before it is whole');
makes_an_id('interrupted at any moment');

# ---------- a full disk ----------

SKIP:
{
	my $script = q(mount -t tmpfs -o size=$1,mode=711 tmpfs "$0" && test/server.sh install; echo "status $?"; mount -o remount,size=800m "$0" && test/server.sh start x && test/server.sh psql x -Atc "CREATE EXTENSION flakeid" -c "SELECT sno_new(0)"; test/server.sh stop x);

	system('test/server.sh clean');
	mkdir $home, 0711;
	skip 'no small file system can be mounted here', 4 if $> != 0 || system("unshare -m sh -c 'mount -t tmpfs tmpfs \"\$0\"' '$home' 2>/dev/null") != 0;
	foreach my $size ('4m', '25m')
	{
		my ($out) = try("unshare -m sh -c '$script' '$home' $size");

		like($out, qr/No space left on device.*^status [1-9]/ms, "a disk of $size is full");
		like($out, qr/^[2-9a-x]{16}$/m, "a disk of $size was full: afterwards a server makes an ID") or diag $out;
	}
	system('test/server.sh clean');
}

# ---------- ^C, and the demo ----------

foreach my $signal ('INT', 'TERM', 'INT')
{
	my $moment = 0.2 + rand 8;
	my $name = sprintf '%s after %.1f s of make demo', $signal, $moment;
	my $seconds;

	begin("$make demo", "$dir/log");
	usleep(1e6 * $moment);
	$seconds = interrupt($signal);
	isnt($?, 0, "$name: it ends in $seconds s");
	is(join(' ', processes($home)), '', "$name: nothing is left running");
	like(slurp("$dir/log"), qr/^Interrupted/m, "$name: it says so");
}
my $demo = works("$make demo", 'make demo');
like($demo, qr/^\s+make demo-stop$/m, 'says how to end it');
unlike($demo, qr/ERROR|FATAL/, 'without an error');
my ($said, $rc) = try("$make -s clean");
like($said, qr/running: demo.*make demo-stop/s, 'make clean leaves it alone and says so');
cmp_ok(scalar processes($home), '>', 1, 'it is running');
like(works("$make -s demo-stop", 'make demo-stop'), qr/server is stopped/, 'says what it did');
is(join(' ', processes($home)), '', 'nothing is running');
like(works("$make -s demo-stop", 'make demo-stop again'), qr/No demo is running/, 'says that there is nothing to do');

# ^C in the tests, where servers of tests are running
begin("$make test-tap T=005_lifecycle", "$dir/log");
foreach (1 .. 600)
{
	last if grep { (eval { slurp("/proc/$_/cmdline") } // '') =~ /tmp_check/ } processes($home);    # unless it has ended
	usleep(100_000);
}
usleep(rand 3e6);
interrupt('INT');
isnt($?, 0, '^C ends make test-tap');
is(join(' ', processes($home)), '', 'and its servers');
like(slurp("$dir/log"), qr/^Interrupted/m, 'and says so');

# ---------- make installcheck ----------

SKIP:
{
	skip 'make installcheck: no user postgres', 5 if $> == 0 && !getpwnam('postgres');
	system("chown -R postgres: '$copy'") if $> == 0;
	works('test/server.sh start x', 'a server for make installcheck');
	my $out = works("eval \"\$(test/server.sh env x)\" && test/server.sh run env PGHOST=\$PGHOST PGPORT=\$PGPORT PGUSER=\$PGUSER $make -s installcheck PG_CONFIG=$bindir/pg_config bindir='$home/bin' REGRESS=sno PROVE_TESTS=test/t/003_pool.pl",
		'make installcheck');
	like($out, qr/^(test sno .* ok|ok 1 .*sno) /m, 'has run the SQL tests');
	like($out, qr{^(.*003_pool\.pl \.+ ok|TAP tests skipped: they need)}m, 'and the TAP tests');
	works('test/server.sh stop x', 'and the server stops');
}

# ---------- nothing can be installed ----------

foreach my $program (qw(apt-get sudo))
{
	spew("$dir/stubs/$program", "#!/bin/sh\necho no network, no rights >&2\nexit 100\n");
	chmod 0755, "$dir/stubs/$program";
}
unlink "$dir/stubs/cp";
foreach my $target ('demo', 'test', 'test-regress')
{
	my ($out, $status) = try("PATH='$dir/stubs':\"\$PATH\" $make $target PG_CONFIG=/nowhere/pg_config");
	my @sentences = $out =~ /^(flakeid: .*)$/mg;

	isnt($status, 0, "make $target without network or rights");
	is(scalar @sentences, 1, 'it ends with one sentence') or diag $out;
	like($sentences[0] // '', qr/postgresql-server-dev.*try again|try again.*postgresql-server-dev/, 'which says what to do');
	# a machine that takes longer shows how far the log is
	unlike($out =~ s/^ *\.\.\. \d+ s so far.*\n//mgr, qr/\d failed|no network, no rights/, 'no test failed, and apt-get says nothing');
	like($out, qr/^no test was run$/m, 'none was run') if $target ne 'demo';
	is((slurp('README.md') =~ /^make test .*?(\d+) minutes/m)[0], $out =~ /^\d+ parts: .* about (\d+) minutes/m ? $1 : undef,
		'but first it is said how long it takes, as in README.md') if $target eq 'test';
}

done_testing();
