# Servers with flakeid, with or without a clock that can be set, and clusters of Citus.
package Flakeid::Servers;

use strict;
use warnings;

use Exporter 'import';
use Flakeid::Files;
use IPC::Run ();
use POSIX qw(strftime);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(
  new_server server_from start_server configure write_settings sno_range clock_available
  clock_reaches set_clock yesterday citus_available citus_cluster
);

my $faketime = (glob('/usr/lib/*/faketime/libfaketime.so.1'), glob('/usr/lib*/faketime/libfaketime.so.1'),
	glob('/usr/local/lib/faketime/libfaketime.so.1'))[0];

# ---------- servers ----------

# A running server with the extension in database postgres.  Options: preload,
# clock (true: set_clock works), conf (lines for flakeid.conf), server (lines for
# postgresql.conf), init (of the cluster), extension (false: do not create it),
# install_path (of another PostgreSQL).
sub new_server
{
	my ($name, %option) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name, install_path => $option{install_path});

	init_server($node, extra => [ '--no-locale', '-E', 'UTF8' ], %{ $option{init} || {} });

	# log no statements: some are long, and there are thousands
	$node->append_conf('postgresql.conf', "log_statement = none\nautovacuum = off\nmax_connections = 60\n");
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'flakeid'\n") if $option{preload};
	$node->append_conf('postgresql.conf', "include = 'flakeid.conf'\n");
	$node->append_conf('postgresql.conf', "$_\n") foreach @{ $option{server} || [] };
	write_settings($node, @{ $option{conf} || [] });
	if ($option{clock})
	{
		$node->{flakeid_clock} = $node->basedir . '/clock';
		set_clock($node, '+0');
	}
	start_server($node);
	$node->safe_psql('postgres', 'CREATE EXTENSION flakeid') unless defined $option{extension} && !$option{extension};
	return $node;
}

# The data directories that run.sh has created by initdb with new_server's options.  A script
# uses each of them once, so that each of its servers has its own system identifier, from
# which numbers are derived.
my @templates = $ENV{TEMPLATES} ? glob "$ENV{TEMPLATES}/*" : ();

# Initialize a server with a copy of a template, if one is left, instead of initdb, which
# init() of PostgreSQL's module runs.  That module's own templates (INITDB_TEMPLATE, since
# version 17) are created without options.
sub init_server
{
	my ($node, %init) = @_;
	my $run = \&PostgreSQL::Test::Utils::system_or_bail;
	my $standard = !$node->{_install_path} && "@{ $init{extra} }" eq '--no-locale -E UTF8';
	my $template = $standard ? shift @templates : undef;
	no warnings 'redefine';
	local *PostgreSQL::Test::Utils::system_or_bail = sub { $run->($template && $_[0] eq 'initdb' ? ('cp', '-a', $template, $node->data_dir) : @_) };

	$node->init(%init);
	return;
}

# A server from another one's backup, not started: with the other's settings, and its own
# clock if the other has one.
sub server_from
{
	my ($name, $origin, $backup, %option) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init_from_backup($origin, $backup, %option);
	$node->append_conf('postgresql.conf', "archive_mode = off\n");    # not into the same directory
	if ($origin->{flakeid_clock})
	{
		$node->{flakeid_clock} = $node->basedir . '/clock';
		set_clock($node, '+0');
	}
	return $node;
}

# The memory that libfaketime's processes share is removed when the first of them, pg_ctl,
# ends.  If server processes are not forked, each looks up the memory by its name: this is
# the name of one that lasts as long as this process.
my ($lasting, $lasting_name);
my $lasting_input = '';

sub lasting_memory
{
	local %ENV = (%ENV, LD_PRELOAD => $faketime, FAKETIME => '+0');

	$lasting ||= IPC::Run::start([ $^X, '-e', '$| = 1; print "$ENV{FAKETIME_SHARED}\n"; 1 while <STDIN>' ], '<', \$lasting_input, '>', \$lasting_name);
	$lasting->pump until $lasting_name =~ /\n/;
	return $lasting_name =~ s/\n//r;
}

# Start a server again with the clock it was created with; the time since the machine started
# is the real one, unless FAKETIME_DONT_FAKE_MONOTONIC is 0.
sub start_server
{
	my ($node) = @_;
	local %ENV = %ENV;

	if ($node->{flakeid_clock})
	{
		$ENV{LD_PRELOAD} = join ' ', $faketime, $ENV{LD_PRELOAD} || ();
		$ENV{FAKETIME_TIMESTAMP_FILE} = $node->{flakeid_clock};
		$ENV{FAKETIME_NO_CACHE} = 1;
		$ENV{FAKETIME_DONT_FAKE_MONOTONIC} //= 1;
		$ENV{TZ} = 'UTC';
		delete $ENV{FAKETIME};
		$ENV{FAKETIME_SHARED} = lasting_memory() if $node->config_data('--cppflags') =~ /EXEC_BACKEND/;
	}
	$node->start;
	return;
}

# Replace flakeid's lines of the configuration by these and reload; returns when new sessions
# see them.  Open sessions see them with their next command.
sub configure
{
	my ($node, @lines) = @_;
	my $before = $node->safe_psql('postgres', 'SELECT pg_conf_load_time()');

	write_settings($node, @lines);
	$node->reload;
	$node->poll_query_until('postgres', "SELECT pg_conf_load_time() <> '$before'") or die 'no reload';
	return;
}

sub write_settings
{
	my ($node, @lines) = @_;

	replace_file($node->data_dir . '/flakeid.conf', join('', map { "$_\n" } @lines));
	return;
}

# The lines that set the range of sno's sequence numbers.
sub sno_range
{
	my ($low, $high) = split /-/, $_[0];

	return ("flakeid.sno_sequence_min = $low", "flakeid.sno_sequence_max = $high");
}

# ---------- the clock ----------

sub clock_available
{
	return defined $faketime;
}

# Does a clock set so many years away show them?  One of 32 bits ends in 2038.  Ask Perl,
# because date may have 64 bits where servers have 32.
sub clock_reaches
{
	my ($years) = @_;
	local $ENV{LD_PRELOAD} = join ' ', $faketime, $ENV{LD_PRELOAD} || ();
	local $ENV{FAKETIME} = sprintf '%+dy', $years;
	delete local $ENV{FAKETIME_TIMESTAMP_FILE};

	return abs(`$^X -e 'print +(gmtime)[5]'` - (gmtime)[5] - $years) <= 1;
}

# Set the server's clock in libfaketime's format: '-10s' runs ten seconds behind the real
# time, '2020-01-01 00:00:00' stops the clock.
sub set_clock
{
	my ($node, $time) = @_;

	replace_file($node->{flakeid_clock}, "$time\n");
	return;
}

# A time of yesterday for set_clock, at which the clock stops.  It must not be longer ago: a
# checkpointer that wakes up with the clock 25 days back passes the kernel a timeout out of
# range, which ends a server with assertions.
my $yesterday = strftime('%Y-%m-%d', gmtime(time - 86400));

sub yesterday
{
	my ($time) = @_;

	return "$yesterday $time";
}

# ---------- clusters of Citus ----------

sub citus_available
{
	return -e PostgreSQL::Test::Cluster->new('none')->config_data('--sharedir') . '/extension/citus.control';
}

# That many servers with both extensions; the first is the coordinator.  The name of each ends
# with its group, from which "conf" makes lines for flakeid.conf; "server" contains lines for
# postgresql.conf.
sub citus_cluster
{
	my ($count, %option) = @_;
	my @nodes = map {
		my $host = PostgreSQL::Test::Cluster->new("host$_")->host;

		new_server("group$_",
			extension => 0,
			init => { allows_streaming => 'logical' },
			conf => [ $option{conf}->($_) ],
			server => [
				"shared_preload_libraries = 'citus'", "citus.node_conninfo = 'sslmode=prefer'", "citus.local_hostname = '$host'",
				@{ $option{server} || [] }
			])
	} 0 .. $count - 1;
	my ($coordinator, @workers) = @nodes;

	$_->safe_psql('postgres', 'CREATE EXTENSION citus') foreach @nodes;
	$coordinator->safe_psql('postgres', "SELECT citus_set_coordinator_host('${\$coordinator->host}', ${\$coordinator->port})");
	$coordinator->safe_psql('postgres', "SELECT citus_add_node('${\$_->host}', ${\$_->port})") foreach @workers;
	$coordinator->safe_psql('postgres', 'CREATE EXTENSION flakeid');
	return @nodes;
}

1;
