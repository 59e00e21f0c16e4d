# A newcomer's first installation, and its failures: a build in another directory, a copy of
# PostgreSQL that was interrupted or met a full disk, no right to install.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../packaging";

use Files;
use Test::More;
use Time::HiRes qw(usleep);
use Trial;

# The files in the copy of PostgreSQL that differ from the system's.
sub broken
{
	return () unless -d "$home/pg";
	return grep { -e "/$_" && (-s "/$_" || 0) != (-s "$home/pg/$_" || 0) }
	  split /\n/, `cd '$home/pg' && find . -type f ! -name 'flakeid*'`;
}

# A server of the private copy, using no other files, makes an ID.
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

# ---------- a build in another directory ----------

SKIP:
{
	my $beside = "$dir/beside";

	# PGXS does not support a space in the name of the sources' directory
	system('cp', '-r', $copy, "$dir/sources") == 0 && mkdir $beside or die;
	works("$make -s -j2 all && cd '$dir/sources' && $make -s -j2 all", 'a build in the directory itself');
	works("cd $beside && $make -s -j2 -f ../sources/Makefile all", 'and one in another, although it was built there before');
	works("$make -s install DESTDIR='$dir/1' >/dev/null && cd $beside && $make -s -f ../sources/Makefile install DESTDIR=$dir/2", 'both are installed');
	my ($files) = try("cd $dir/1 && find . -type f | sort");
	like($files, qr/flakeid\.so\n/, 'with a library');
	is((try("cd $dir/2 && find . -type f | sort"))[0], $files, 'with the same files');
	is((try("diff -r -x flakeid.so $dir/1 $dir/2"))[0], '', 'with the same contents');

	# everything built is removed, also for another version, or with a pg_config that is not in PATH
	my $left = "cd '$dir/sources' && find . -name '*.o' -o -name '*.so' -o -path './flakeid--*.sql' -o -path ./build";
	foreach my $clean ('clean', 'clean PG_CONFIG=/nowhere/pg_config')
	{
		spew("$dir/sources/$_", '') foreach 'flakeid--0.1.sql', 'flakeid.so', 'src/kernel/base.o';
		works("cd '$dir/sources' && $make -s $clean", "make $clean");
		is((try($left))[0], '', "make $clean: nothing is left");
	}

	# sources that belong to somebody else
	my $somebody = $> == 0 ? 'setpriv --reuid=65534 --regid=65534 --clear-groups' : '';
	system("chmod -R a+rX,a-w '$dir/sources'");
	like((try("cd '$dir/sources' && $somebody $make help"))[0], qr/^flakeid: PostgreSQL extension/, 'make help where nothing can be written');
	my ($out, $rc) = try("cd '$dir/sources' && $somebody $make src/kernel/base.o");
	like($out, qr{^flakeid: .* is not yours to write; build in another directory:\nmake -f '.*/sources/Makefile'$}m, 'a build there: an error');
	isnt($rc, 0, 'and refused');
	system("chmod -R u+w '$dir/sources'");
}

# ---------- a copy of PostgreSQL that is interrupted ----------

# reliably in the middle of the copy: cp leaves half a program and is killed with its parents
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
wait_for_end();
is($? & 127, 9, 'the copy is killed');
makes_an_id('killed with half a program');
is(join(' ', broken()), '', 'killed with half a program: every file is whole');

# after an update it has this checkout's versions and no others
{
	my ($extensions) = map { /^(.*)\/flakeid\.control$/ } split /\n/, `find '$home/pg' -name flakeid.control`;
	my $before = join "\n", sort glob "$extensions/flakeid*";

	spew("$extensions/flakeid--0.1.sql", '');
	works('test/server.sh install', 'installed again');
	is(join("\n", sort glob "$extensions/flakeid*"), $before, "installed again: an older checkout's files are gone");
}

# at any moment, also while an existing copy is updated
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
	# a slower machine reports the progress of the log
	unlike($out =~ s/^ *\.\.\. \d+ s so far.*\n//mgr, qr/\d failed|no network, no rights/, 'no test failed, and apt-get says nothing');
	like($out, qr/^no test was run$/m, 'none was run') if $target ne 'demo';
	is((slurp('README.md') =~ /^make test .*?(\d+) minutes/m)[0], $out =~ /^\d+ parts: .* about (\d+) minutes/m ? $1 : undef,
		'but first it prints how long it takes, as in README.md') if $target eq 'test';
}

# An installation that was interrupted is finished first; otherwise apt-get does nothing.
SKIP:
{
	skip 'nothing is installed without root', 6 if $> != 0;
	spew("$dir/stubs/$_->[0]", "#!/bin/sh\n[ \"\$1\" != --audit ] || echo in a mess\necho $_->[0] \"\$*\" >>'$dir/called'\nexit $_->[1]\n"), chmod 0755, "$dir/stubs/$_->[0]" foreach [ 'apt-get', 100 ], [ 'dpkg', 0 ];
	try("PATH='$dir/stubs':\"\$PATH\" $make demo PG_CONFIG=/nowhere/pg_config");
	like(slurp("$dir/called"), qr/^dpkg --configure -a\napt-get .* install -y .*postgresql-server-dev/m, 'an interrupted installation is finished first');
	unlink "$dir/called";
	try("PATH='$dir/stubs':\"\$PATH\" test/setup.sh");
	ok(!-e "$dir/called", 'if nothing is missing, neither apt-get nor dpkg is called');

	# as on a cloud's machines: a user without a password, of whom sudo -v would want one
	spew("$dir/stubs/$_->[0]", "#!/bin/sh\n$_->[1]\n"), chmod 0755, "$dir/stubs/$_->[0]" foreach [ 'id', 'echo 1000' ],
	  [ 'sudo', '[ "$1" != -v ] || exit 1; [ "$1" != -n ] || shift; exec "$@"' ];
	try("PATH='$dir/stubs':\"\$PATH\" PG_CONFIG=/nowhere/pg_config test/setup.sh");
	like(-e "$dir/called" ? slurp("$dir/called") : '', qr/^apt-get .* install -y .*postgresql-server-dev/m, 'sudo that asks nothing for a command is enough');

	unlink "$dir/called", map { "$dir/stubs/$_" } qw(id sudo);
	spew("$dir/stubs/apt-get", "#!/bin/sh\necho \$\$ >'$dir/called'\nexec sleep 600\n");
	begin("env PATH='$dir/stubs':\"\$PATH\" $make demo PG_CONFIG=/nowhere/pg_config", "$dir/log");
	wait_until(sub { return -s "$dir/called" || slurp("$dir/log") =~ /^make: \*\*\*/m });
	interrupt('INT');
	isnt($?, 0, '^C in the middle of an installation ends it');
	my $apt = int slurp("$dir/called");
	wait_until(sub { return !readlink "/proc/$apt/exe" });
	ok(!readlink "/proc/$apt/exe", '... and apt-get');
	like(slurp("$dir/log"), qr/^Interrupted/m, '... and says so');
}

done_testing();
