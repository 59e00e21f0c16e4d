# Killing processes, and waiting for servers to recover.
package Flakeid::Crashes;

use strict;
use warnings;

use Exporter 'import';
use Flakeid::Files;
use IPC::Run ();
use PostgreSQL::Test::Utils;

our @EXPORT = qw(
  crash kill_alive wait_for_exit wait_for_server
);

# The processes of a server except its first, including those that are about to end,
# which pg_stat_activity no longer has.
sub processes
{
	my ($postmaster) = @_;

	return grep { status($_) =~ /^PPid:\s*$postmaster$/m } map { m{(\d+)$} } glob '/proc/[0-9]*';
}

# The kernel's status of a process; empty when it is gone.
sub status
{
	my ($pid) = @_;

	return eval { slurp_file("/proc/$pid/status") } // '';
}

# kill -9 a process that is certain to die of it.  A process that has ended, but is not yet
# reaped, accepts the signal, too, but its server has no reason to restart.  So stop the
# process first; false if it does not stop.
sub kill_alive
{
	my ($pid) = @_;
	my $state;

	return 0 unless kill 'STOP', $pid;
	until_true(sub {
		$state = status($pid) =~ /^State:\s*(\S)/m ? $1 : 'X';
		return $state =~ /[TZX]/;
	}) or die "process $pid does not stop";
	return $state eq 'T' && kill 'KILL', $pid;
}

# Wait until they are gone: a server refuses to start while an old process is not yet reaped.
sub wait_for_exit
{
	my (@pids) = @_;

	foreach my $pid (@pids)
	{
		until_true(sub { return !kill 0, $pid }) or die "process $pid does not end";
	}
	return;
}

# kill -9 the postmaster, and with "all" every process of the server simultaneously; otherwise
# they notice and end by themselves.
sub crash
{
	my ($node, %option) = @_;
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	my @pids;

	kill 'STOP', $postmaster;    # no new ones start while they are counted
	@pids = processes($postmaster);
	$node->kill9;
	kill 'KILL', @pids if $option{all};
	wait_for_exit($postmaster, @pids);
	return;
}

# Wait until the server accepts connections again.
sub wait_for_server
{
	my ($node) = @_;
	my @isready = ($node->installed_command('pg_isready'), '-q', '-d', $node->connstr('postgres'));

	until_true(sub { return IPC::Run::run(\@isready) }) or die 'the server does not come back';
	return;
}

1;
