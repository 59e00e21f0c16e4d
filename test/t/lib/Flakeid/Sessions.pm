# Concurrent sessions, and their answers.
package Flakeid::Sessions;

use strict;
use warnings;

use Exporter 'import';
use Flakeid::Files;
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(
  run_sessions start_sessions finish_sessions session attempt in_one_session quit_session
  until_gone answers_in telling seeded
);

# Run scripts for psql simultaneously, each in its own session; all must succeed.  Returns
# their outputs.
sub run_sessions
{
	return finish_sessions(start_sessions(@_));
}

# Use files and not pipes, which would have to be served for every session.
sub start_sessions
{
	my ($node, @scripts) = @_;

	return map {
		my $base = PostgreSQL::Test::Utils::tempdir() . '/session';
		my $session = { out => "$base.out", err => "$base.err", limit => IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default) };

		replace_file("$base.sql", $_);
		$session->{run} = IPC::Run::start(
			[ $node->installed_command('psql'), '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres') ],
			'<', "$base.sql", '>', $session->{out}, '2>', $session->{err}, $session->{limit});
		$session;
	} @scripts;
}

# The limit is one of waiting: sessions may have run for longer before.
sub finish_sessions
{
	my (@sessions) = @_;

	return map {
		my $out;

		$_->{limit}->start;
		$_->{run}->finish or die 'session failed: ' . slurp_file($_->{err});
		chomp($out = slurp_file($_->{out}));
		$out;
	} @sessions;
}

# A session that stays open; its errors include their SQLSTATE.
sub session
{
	my ($node, %option) = @_;
	my $connstr = $node->connstr($option{database} || 'postgres') . ($option{user} ? " user='$option{user}'" : '');
	my $session = $node->connect_psql($connstr, "\\set VERBOSITY verbose\n\\set ON_ERROR_STOP 0");

	die $session->{stderr} if defined $session->{status};
	return $session;
}

# A statement's answer, or its error with SQLSTATE, detail and hint.
sub attempt
{
	my ($session, $sql) = @_;

	$session->send("$sql;");
	return $session->answer;
}

# A function that runs statements as safe_psql does, but all in one session, because new processes
# of psql and of the server cost more than most statements.  Each call finds the session as
# if it was new, except for the memory of the library; without arguments it ends the session.
sub in_one_session
{
	my ($node, $database) = @_;
	my ($session, $server);

	return sub {
		my $sql = join ';', @_;
		my $answer;

		if ($session && (!@_ || $server != $node->{_pid}))
		{
			$session->quit;
			undef $session;
		}
		return if !@_;
		($session, $server) = (session($node, database => $database), $node->{_pid}) unless $session;
		$answer = attempt($session, "$sql;\nDISCARD ALL");
		die "$answer\nwhile running: $sql" if $session->{stderr} =~ /ERROR/;
		return $answer;
	};
}

# End a session, and wait until its process has released what it held: psql ends earlier.
sub quit_session
{
	my ($node, $session) = @_;
	my $pid = attempt($session, 'SELECT pg_backend_pid()');

	$session->quit;
	$node->poll_query_until('postgres', "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid)") or die "session $pid does not end";
	return;
}

# The same for sessions of psql that have ended by themselves: wait until only the asking
# session is attached to a database's memory.
sub until_gone
{
	my ($node, $database) = @_;

	$node->poll_query_until($database || 'postgres', 'SELECT sessions = 1 FROM flakeid_clock') or die 'sessions do not end';
	return;
}

# A statement's answers, or its errors, in a new session of each of these databases, all at once.
sub answers_in
{
	my ($node, $sql, @databases) = @_;
	my @sessions = map { session($node, database => $_) } @databases;
	my @answers;

	$_->send("$sql;") foreach @sessions;
	@answers = map { $_->answer } @sessions;
	$_->quit foreach @sessions;
	return @answers;
}

# Do long work, and report progress all the time.
sub telling
{
	my ($tell, $work) = @_;
	my @answer;

	local $SIG{ALRM} = sub { diag $tell->(); alarm 20 };
	alarm 20;
	@answer = eval { $work->() };
	alarm 0;                 # a later SIGALRM would end the test before it stops its servers
	die $@ if $@;
	return wantarray ? @answer : $answer[0];
}

# Seed rand() and print how to repeat the test.
sub seeded
{
	my $seed = $ENV{FLAKEID_SEED} || int rand 2**31;

	srand $seed;
	note "again with: FLAKEID_SEED=$seed";
	return $seed;
}

1;
