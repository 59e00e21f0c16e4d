# A server whose psql() and safe_psql() take a new session each, but no new process of psql:
# starting one, and Perl's work for that, cost more than most statements.  One psql serves a
# whole script.  Between two calls it is connected to this process, as it ends without any
# connection.
package Flakeid::Node;

use strict;
use warnings;

use parent 'PostgreSQL::Test::Cluster';

use Flakeid::Files;
use IO::Handle;
use IO::Socket::UNIX;
use IPC::Open3;
use PostgreSQL::Test::Utils qw(slurp_file);
use Test::More import => ["diag"];
use Time::HiRes qw(usleep);

# The psql between two calls: its pid, its in and out, its err and sql (files), the socket that
# it connects to, and for whom it was started.
my $idle = { for => '' };

# As in the base class, to which all other options are left, and commands of psql itself, whose
# settings would stay.
sub psql
{
	my ($self, $database, $sql, %params) = @_;
	my @options = @{ $params{extra_params} || [] };
	my $connstr = $self->connstr($database);
	my $plain = $sql =~ s/'[^']*'//gr !~ /\\[a-z.]/ && !grep { !/^(stdout|stderr|on_error_stop|on_error_die|extra_params)$/ } keys %params;
	my $verbosity = 'default';

	while (my ($option, $value) = splice @options, 0, 2)
	{
		if ($option eq '-U') { $connstr .= " user='$value'" }
		elsif ("$option $value" eq '-v VERBOSITY=verbose') { $verbosity = 'verbose' }
		else { $plain = 0 }
	}
	my ($status, $out, $err) = $plain ? $self->ask_idle($connstr, "\\set VERBOSITY $verbosity\n\\set ON_ERROR_STOP " . ($params{on_error_stop} // 1), $sql) : ();

	return $self->SUPER::psql($database, $sql, %params) unless defined $status;
	${ $params{stdout} } = $out if $params{stdout};
	${ $params{stderr} } = $err if $params{stderr};
	die "psql returns $status: '$err'\nwhile running '$sql'" if $status && ($status > 255 || $params{on_error_die});
	return ($status, $out, $err) if wantarray;
	print STDOUT $out unless $params{stdout};
	print STDERR $err unless $params{stderr};
	return $status;
}

# As in the base class, with this psql().
sub poll_query_until
{
	my ($self, $database, $query, $expected) = @_;
	my ($out, $err);

	return $self->SUPER::poll_query_until($database, $query, $expected) unless defined $query;
	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		$self->psql($database, $query, stdout => \$out, stderr => \$err, on_error_stop => 0);
		return 1 if $out eq ($expected // 't') && $err eq '';
		usleep(100_000);
	}
	diag "timed out: $query\nlast answer: $out$err";
	return 0;
}

# The exit status, the output and the errors of a psql that runs these statements with these
# settings, or nothing if it cannot connect.  It ends as a psql of its own would, at an error or
# when the server is gone; the next call starts another one.
sub ask_idle
{
	my ($self, $connstr, $settings, $sql) = @_;
	my $connect = $self->start_idle($connstr) ? '' : qq(\\connect "$connstr");
	my ($out, $status);

	replace_file($idle->{sql}, $sql);
	truncate $idle->{err}, 0 or die "$idle->{err}: $!";
	$out = tell_idle(<<~"END");
		\\set ON_ERROR_STOP 1
		$connect
		\\echo (connected)
		$settings
		\\i '$idle->{sql}'
		\\echo (done)
		\\connect "host='$idle->{host}' port=1"
		END
	if ($out =~ s/\(done\)\n\z//)
	{
		$status = 0;
		take_idle_back();
	}
	else
	{
		waitpid $idle->{pid}, 0;
		$status = $? & 127 ? $? << 8 : $? >> 8;
		$idle->{for} = '';
	}
	$out =~ s/\A\(connected\)\n// or return;
	my $err = slurp_file($idle->{err}) =~ s/^psql:\Q$idle->{sql}\E:/psql:<stdin>:/mgr;
	chomp($out, $err);
	return ($status, $out, $err);
}

# Write commands for psql, and return its output until they are done or psql ends.
sub tell_idle
{
	my ($commands) = @_;
	my $out = '';

	local $SIG{PIPE} = 'IGNORE';
	print { $idle->{in} } $commands;
	while (defined(my $line = readline $idle->{out}))
	{
		$out .= $line;
		last if $line =~ /\(done\)\n\z/;
	}
	return $out;
}

# Let psql connect to this process, which answers its first message as a server without a
# password does.
sub take_idle_back
{
	my $psql = $idle->{listener}->accept or die "accept: $!";

	sysread $psql, my $startup, 8192;
	syswrite $psql, pack('a N N', 'R', 8, 0) . pack('a N a', 'Z', 5, 'I');
	$idle->{connection} = $psql;
	return;
}

# Start psql, connected, unless there is one of this process and with the same environment.
sub start_idle
{
	my ($self, $connstr) = @_;
	my $psql = $self->installed_command('psql');

	local %ENV = $self->_get_env(PGHOST => undef, PGPORT => undef);
	my $for = join "\n", $$, $psql, map { "$_=$ENV{$_}" } sort grep { /^(PG|LC_|LANG|TZ|PATH|LD_)/ } keys %ENV;
	return 0 if $idle->{for} eq $for;

	my $dir = PostgreSQL::Test::Utils::tempdir_short();
	$idle = { for => $for, sql => "$dir/sql", err => "$dir/err", host => $dir };
	$idle->{listener} = IO::Socket::UNIX->new(Local => "$dir/.s.PGSQL.1", Listen => 1) or die "$dir: $!";
	open my $err, '>>', $idle->{err} or die "$idle->{err}: $!";
	$idle->{pid} = open3($idle->{in}, $idle->{out}, '>&' . fileno $err, $psql, '-XAtq', '-f', '-', '-d', $connstr);
	$idle->{in}->autoflush;
	return 1;
}

1;
