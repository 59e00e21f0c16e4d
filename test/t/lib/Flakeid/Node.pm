# A server whose psql() and safe_psql() take a new session each, but seldom a new process of psql.
package Flakeid::Node;

use strict;
use warnings;

use parent 'PostgreSQL::Test::Cluster';

use Flakeid::Files;
use Flakeid::Psql;
use Test::More import => ["diag"];
use Time::HiRes qw(usleep);

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
	return $self->SUPER::psql($database, $sql, %params) unless $plain;
	my ($status, $out, $err) = $self->run_psql($connstr, "\\set VERBOSITY $verbosity\n\\set ON_ERROR_STOP " . ($params{on_error_stop} // 1), $sql);
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
# settings.  It ends as a psql of its own would, at an error or when the server is gone; the
# next call starts another one.
sub run_psql
{
	my ($self, $connstr, $settings, $sql) = @_;
	my $psql = $self->connect_psql($connstr, $settings);
	my $file = "$psql->{files}.sql";

	if (!defined $psql->{status})
	{
		replace_file($file, $sql);
		$psql->send("\\i '$file'");
		$psql->wait(0);
	}
	my ($status, $out, $err) = ($psql->{status} // 0, $psql->{stdout}, $psql->{stderr} =~ s/^psql:\Q$file\E:/psql:<stdin>:/mgr);
	$psql->quit;
	return ($status & 127 ? $status << 8 : $status >> 8, $out, $err);
}

# A psql in a new session, with these settings.
sub connect_psql
{
	my ($self, $connstr, $settings) = @_;

	local %ENV = $self->_get_env(PGHOST => undef, PGPORT => undef);
	return Flakeid::Psql->connect($self->installed_command('psql'), $connstr, $settings);
}

1;
