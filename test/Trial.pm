# A copy of the checkout in a path with a space, with its own private servers, and functions
# shared by the scripts that try things there. At the end all of it is removed.
package Trial;

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Cwd qw(getcwd);
use Exporter 'import';
use File::Temp ();
use Files;
use Test::More;
use Time::HiRes qw(time usleep);

our @EXPORT = qw($make $dir $copy $home try works begin wait_until wait_for_end interrupt processes);

# A shell makes background jobs ignore ^C, and so do the processes that they start.
$SIG{$_} = 'DEFAULT' foreach qw(INT QUIT);

# $dir is a folder for files outside the checkout, which the servers' user can read; $home is
# what server.sh status calls HOME.
our $make = $ENV{MAKE} || 'make';
our $dir = File::Temp->newdir('flakeid_XXXXXX', TMPDIR => 1);
our $copy = "$dir/flake id";
our $home;

my $seed = $ENV{FLAKEID_SEED} || int rand 2**31;
my $checkout = getcwd();
my $running;

# builds without optimization, which take half the time
$ENV{COPT} = '-O0';
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

# Start a command in its own process group, as a terminal does. From now on the log is the command's.
sub begin
{
	my ($command, $log) = @_;

	spew($log, '');
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

# Wait for a moment, or until it can no longer come: the condition says both. What follows tells which.
sub wait_until
{
	my ($condition) = @_;

	foreach (1 .. 12_000)
	{
		last if $condition->();
		usleep(50_000);
	}
	return;
}

# Wait until the command ends by itself; its status is in $?.
sub wait_for_end
{
	waitpid $running, 0;
	undef $running;
	return;
}

# Send a signal to the group, as ^C does; return how long it takes to end.
sub interrupt
{
	my ($signal) = @_;
	my $start = time;

	kill $signal, -$running;
	wait_for_end();
	return time - $start;
}

# Processes that run a program of a folder.
sub processes
{
	my ($folder) = @_;

	return grep { (readlink "/proc/$_/exe" || '') =~ /^\Q$folder\E\// } map { m{(\d+)$} } glob '/proc/[0-9]*';
}

chmod 0755, "$dir";
# no test here needs what npm would install
mkdir "$dir/bin";
spew("$dir/bin/npm", "#!/bin/sh\nexit 1\n");
chmod 0755, "$dir/bin/npm";
$ENV{PATH} = "$dir/bin:$ENV{PATH}";
system('test/copy.sh', $copy) == 0 or die;
chdir $copy or die;
($home) = `test/server.sh status` =~ /^(\S+)/ or die;

1;
