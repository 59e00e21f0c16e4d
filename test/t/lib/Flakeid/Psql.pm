# Processes of psql.  Starting one, and Perl's work for that, cost more than most statements, so
# that sessions take turns in them.  Between two sessions a psql is connected to this process, as
# it ends without any connection.
package Flakeid::Psql;

use strict;
use warnings;

use Carp qw(confess);
use IO::Handle;
use IO::Socket::UNIX;
use IPC::Open3;
use PostgreSQL::Test::Utils qw(slurp_file);

# Those between two sessions, by what they were started with; the socket that they connect to.
my ($owner, $dir, $listener, $started, %idle) = 0;

# A psql in a new session, with these settings (commands of psql), or one that has ended because it
# could not connect.
sub connect
{
	my ($class, $command, $connstr, $settings) = @_;
	my $for = join "\n", $command, map { "$_=$ENV{$_}" } sort grep { /^(PG|LC_|LANG|TZ|PATH|LD_)/ } keys %ENV;

	prepare() if $owner != $$;
	my $self = pop @{ $idle{$for} };
	if ($self) { $self->send("\\set ON_ERROR_STOP 1\n\\connect \"$connstr\"\n$settings") }
	else
	{
		$self = bless { for => $for, files => "$dir/" . ++$started, sent => 0, buffer => '' }, $class;
		open my $err, '>>', "$self->{files}.err" or die "$self->{files}.err: $!";
		$self->{pid} = open3($self->{in}, $self->{out}, '>&' . fileno $err, $command, '-XAtq', '-f', '-', '-d', $connstr);
		$self->{in}->autoflush;
		$self->send($settings);
	}
	$self->wait;
	return $self;
}

# A process that was forked has its own.
sub prepare
{
	($owner, %idle) = $$;
	$dir = PostgreSQL::Test::Utils::tempdir_short();
	$listener = IO::Socket::UNIX->new(Local => "$dir/.s.PGSQL.1", Listen => 1) or die "$dir: $!";
	return;
}

# Have psql run this, at once or after what it is doing.
sub send
{
	my ($self, $commands) = @_;

	local $SIG{PIPE} = 'IGNORE';
	$self->{asked} = $commands;
	print { $self->{in} } "$commands\n\\echo (done @{[++$self->{sent}]})\n" if !defined $self->{status};
	return;
}

# Has it done all that, or has it ended, now or within these seconds?
sub done
{
	my ($self, $seconds) = @_;
	my $last = "(done $self->{sent})\n";

	while (!defined $self->{status} && substr($self->{buffer}, -length $last) ne $last)
	{
		vec(my $ready = '', fileno $self->{out}, 1) = 1;
		return 0 if select($ready, undef, undef, $seconds || 0) <= 0;
		next if sysread $self->{out}, $self->{buffer}, 65_536, length $self->{buffer};
		1 while waitpid($self->{pid}, 0) == -1 && $!{EINTR};
		$self->{status} = $?;
	}
	return 1;
}

# Wait for that as long as for anything else, or so many seconds, or without a limit (0).  What it
# has written is in stdout and stderr then.  Returns false if it has ended, as it does without a server.
sub wait
{
	my ($self, $limit) = @_;
	my $ends = time + ($limit //= $PostgreSQL::Test::Utils::timeout_default);

	until ($self->done(1)) { confess "no answer within $limit s: $self->{asked}" if $limit && time > $ends }
	$self->{stdout} = $self->{buffer} =~ s/^\(done \d+\)\n//mgr;
	$self->{buffer} = $self->{stderr} = '';
	if (-s "$self->{files}.err")
	{
		$self->{stderr} = slurp_file("$self->{files}.err");
		truncate "$self->{files}.err", 0 or die "$self->{files}.err: $!";
	}
	chomp @$self{qw(stdout stderr)};
	return !defined $self->{status};
}

# What it has answered, or the errors.
sub answer
{
	my ($self) = @_;

	$self->wait or confess "psql has ended: $self->{stderr}\nwhile running: $self->{asked}";
	return $self->{stderr} =~ /ERROR/ ? $self->{stderr} : $self->{stdout};
}

# End the session.  The psql connects to this process, which answers its first message as a server
# without a password does.
sub quit
{
	my ($self) = @_;

	$self->send('');
	$self->wait or return;
	local $SIG{PIPE} = 'IGNORE';
	print { $self->{in} } qq(\\connect "host='$dir' port=1"\n);
	1 until $self->{connection} = $listener->accept or !$!{EINTR};
	sysread $self->{connection}, my $startup, 8192;
	syswrite $self->{connection}, pack('a N N', 'R', 8, 0) . pack('a N a', 'Z', 5, 'I');
	push @{ $idle{ $self->{for} } }, bless {%$self}, ref $self;
	$self->{status} = 0;
	return;
}

1;
