# A newcomer's first commands, and their failures: make help, make demo and its end, ^C,
# make installcheck.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin, "$FindBin::RealBin/../packaging";

use Files;
use Test::More;
use Time::HiRes qw(usleep);
use Trial;

my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
my $bindir = `$pg_config --bindir` =~ s/\n//r;

# ---------- help, and what the documents say ----------

my $help = works("$make help", 'make help');
my $makefiles = slurp('Makefile') . slurp('test/Makefile');
my @targets = ($help =~ /^ *make ([a-z][a-z-]*)/mg, $help =~ /\b(test-[a-z]+)\b/g);

cmp_ok(scalar @targets, '>', 15, 'it names targets');
is(join(' ', grep { $_ ne 'install' && $makefiles !~ /^([a-z -]+ )?\Q$_\E( [a-z -]+)?:/m } @targets), '', 'which are all there');

# ---------- ^C, and the demo ----------

# Interrupt each of its steps; the last one inserts rows for seconds.
foreach my $step ([ 'INT', 'build flakeid' ], [ 'TERM', 'start a private server' ], [ 'INT', 'A million rows' ])
{
	my ($signal, $title) = @$step;
	my $name = "$signal in make demo, at: $title";
	my $seconds;

	begin("$make demo", "$dir/log");
	wait_until(sub { return slurp("$dir/log") =~ /^== \Q$title\E|^make: \*\*\*/m });
	usleep(rand 300_000);
	$seconds = interrupt($signal);
	isnt($?, 0, "$name: it ends in $seconds s");
	is(join(' ', processes($home)), '', "$name: nothing is left running");
	like(slurp("$dir/log"), qr/^Interrupted/m, "$name: it says so");
}
# once more, on a machine that has no network by now
my $offline = $> == 0 && system('unshare -n true 2>/dev/null') == 0 ? 'unshare -n' : '';
my $demo = works("$offline $make demo", 'make demo');
like($demo, qr/^\s+make demo-stop$/m, 'says how to end it');
my @ways = $demo =~ /^    (\S.*psql .*)$/mg;
is(scalar @ways, 2, 'and two ways to connect');
is(works("$_ -Atc 'SELECT current_database()'", $_), "postgres\n", '... to the database into which README.md can be typed') foreach @ways;
unlike($demo, qr/ERROR|FATAL/, 'without an error');
my ($said, $rc) = try("$make -s clean");
like($said, qr/running: demo.*make demo-stop/s, 'make clean leaves it alone and says so');
cmp_ok(scalar processes($home), '>', 1, 'it is running');
like(works("$make -s demo-stop", 'make demo-stop'), qr/server is stopped/, 'says what it did');
is(join(' ', processes($home)), '', 'nothing is running');
like(works("$make -s demo-stop", 'make demo-stop again'), qr/No demo is running/, 'says that there is nothing to do');

# ^C in the tests, while servers of tests are running, and another part beside them
begin('env T=005_lifecycle test/run.sh sim tap', "$dir/log");
wait_until(sub { return grep { (eval { slurp("/proc/$_/cmdline") } // '') =~ /tmp_check/ } processes($home) });    # unless it has already ended
usleep(rand 3e6);
interrupt('INT');
isnt($?, 0, '^C ends parts of the tests');
is(join(' ', processes($home)), '', 'and their servers');
is(join(' ', processes($copy)), '', 'and the part beside them');
like(slurp("$dir/log"), qr/^Interrupted/m, 'and says so');

# ---------- make installcheck ----------

SKIP:
{
	skip 'make installcheck: no user postgres', 6 if $> == 0 && !getpwnam('postgres');
	system("chown -R postgres: '$copy'") if $> == 0;
	# a user's own server may have other settings, a superuser of any name, and statistics that change at any moment
	works("test/server.sh start x random_page_cost=1.1 default_statistics_target=500 constraint_exclusion=on compute_query_id=on timezone=Asia/Kathmandu"
		  . " autovacuum_naptime=1 autovacuum_analyze_threshold=0 autovacuum_vacuum_threshold=0", 'a server for make installcheck');
	works("test/server.sh psql x -c 'CREATE ROLE newcomer SUPERUSER LOGIN'", 'its superuser');
	my $out = works("eval \"\$(test/server.sh env x)\" && test/server.sh run env PGHOST=\$PGHOST PGPORT=\$PGPORT PGUSER=newcomer $make -s installcheck PG_CONFIG=$bindir/pg_config bindir='$home/bin' REGRESS='sno generate time estimates instant' PROVE_TESTS=test/t/003_pool.pl",
		'make installcheck');
	like($out, qr/^(test $_ .* ok|ok \d+ .*$_) /m, "has run the SQL tests: $_") foreach qw(sno generate time estimates instant);
	like($out, qr{^(.*003_pool\.pl \.+ ok|TAP tests skipped: they need)}m, 'and the TAP tests');
	works('test/server.sh stop x', 'and the server stops');
}

done_testing();
