# Servers with flakeid, with or without a clock that can be set, and clusters of Citus.
package Flakeid::Servers;

use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(O_CREAT O_RDWR);
use FindBin;
use Flakeid::Files;
use Flakeid::Node;
use POSIX qw(strftime);
use PostgreSQL::Test::Utils;
use Time::Local qw(timegm);

our @EXPORT = qw(
  new_server server_from start_server configure write_settings sno_range clock_available
  clock_reaches set_clock yesterday citus_available citus_cluster
);

# ---------- servers ----------

# A running server with the extension in database postgres.  Options: preload,
# clock (true: set_clock works), conf (lines for flakeid.conf), server (lines for
# postgresql.conf), init (of the cluster), extension (false: do not create it),
# install_path (of another PostgreSQL).
sub new_server
{
	my ($name, %option) = @_;
	my $node = Flakeid::Node->new($name, install_path => $option{install_path});
	my $extension = $option{extension} // 1;
	my $extended = init_server($node, $extension ? 'extension' : 'plain', extra => [ '--no-locale', '-E', 'UTF8' ], %{ $option{init} || {} });

	# log no statements: some are long, and there are thousands; and compile no
	# queries, which takes longer here than it saves
	$node->append_conf('postgresql.conf', "log_statement = none\nautovacuum = off\njit = off\nmax_connections = 60\n");
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
	$node->safe_psql('postgres', 'CREATE EXTENSION flakeid') if $extension && !$extended;
	return $node;
}

# Initialize a server as a copy of one that run.sh has created by initdb with new_server's options,
# with or without the extension, if there is one, instead of by initdb, which init() of
# PostgreSQL's module runs; returns the original.  That module's own templates
# (INITDB_TEMPLATE, since version 17) are created without options.
sub init_server
{
	my ($node, $kind, %init) = @_;
	my $run = \&PostgreSQL::Test::Utils::system_or_bail;
	my $standard = !$node->{_install_path} && "@{ $init{extra} }" eq '--no-locale -E UTF8';
	my $template = $standard && $ENV{TEMPLATES} ? "$ENV{TEMPLATES}/$kind" : undef;
	no warnings 'redefine';
	local *PostgreSQL::Test::Utils::system_or_bail = sub { $run->($template && $_[0] eq 'initdb' ? ('cp', '-a', $template, $node->data_dir) : @_) };

	$node->init(%init);
	own_identifier($node) if $template;
	return $template;
}

# Give a copy a system identifier of its own, as initdb makes it: numbers are derived from it.  It
# is what pg_control begins with; pg_resetwal corrects the checksum.
my $identifiers = 0;

sub own_identifier
{
	my ($node) = @_;
	my $control = $node->data_dir . '/global/pg_control';

	open my $file, '+<', $control or die "$control: $!";
	syswrite $file, pack 'Q', (time << 32) + ($$ % 2**20 << 12) + ++$identifiers or die "$control: $!";
	close $file;
	system_or_bail('pg_resetwal', '-f', $node->data_dir);
	return;
}

# A server from another one's backup, not started: with the other's settings, and its own
# clock if the other has one.
sub server_from
{
	my ($name, $origin, $backup, %option) = @_;
	my $node = Flakeid::Node->new($name);

	$node->init_from_backup($origin, $backup, %option);
	$node->append_conf('postgresql.conf', "archive_mode = off\n");    # not into the same directory
	if ($origin->{flakeid_clock})
	{
		$node->{flakeid_clock} = $node->basedir . '/clock';
		set_clock($node, '+0');
	}
	return $node;
}

# Start a server again with the clock it was created with; the time since the machine started
# is the real one, unless FLAKEID_CLOCK_MONOTONIC is set.
sub start_server
{
	my ($node) = @_;
	local %ENV = %ENV;

	if ($node->{flakeid_clock})
	{
		$ENV{LD_PRELOAD} = join ' ', clock_available(), $ENV{LD_PRELOAD} || ();
		$ENV{FLAKEID_CLOCK} = $node->{flakeid_clock};
		$ENV{TZ} = 'UTC';
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

# The library that servers with a clock preload, which the first script that asks compiles for all of
# run.sh's; undef if there is no compiler.
my $clock;

sub clock_available
{
	$clock //= ($ENV{TEMPLATES} || PostgreSQL::Test::Utils::tempdir()) . '/clock.so';
	return $clock if -e $clock;
	return unless system('cc', '-O2', '-shared', '-fPIC', '-D_GNU_SOURCE', '-o', "$clock.$$", "$FindBin::RealBin/../t/lib/clock.c", '-ldl') == 0;
	rename "$clock.$$", $clock or die "$clock: $!";    # complete, whoever else compiles it
	return $clock;
}

# Does a clock set so many years away show them?  One of 32 bits ends in 2038.
sub clock_reaches
{
	my ($years) = @_;

	return length pack('l!', 0) > 4 || (gmtime)[5] + 1900 + $years < 2038;
}

# Set the server's clock: '-10s' runs ten seconds behind the real time, '2020-01-01 00:00:00'
# stops the clock.  The server has the file in its memory, so it is not replaced.
sub set_clock
{
	my ($node, $time) = @_;
	my ($offset, $unit) = $time =~ /^([-+]?[\d.]+)([smhdy]?)$/;
	my ($year, $month, $day, $hour, $minute, $second, $us) = $time =~ /^(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)(?:\.(\d+))?$/;
	my %seconds = ('' => 1, s => 1, m => 60, h => 3600, d => 86_400, y => 365 * 86_400);

	die "a clock of $time" unless defined $offset || defined $year;
	sysopen my $file, $node->{flakeid_clock}, O_RDWR | O_CREAT or die "$node->{flakeid_clock}: $!";
	syswrite $file, pack 'q', defined $offset ? 2 * POSIX::floor($offset * $seconds{$unit} * 1e6 + 0.5)
	  : 2 * (timegm($second, $minute, $hour, $day, $month - 1, $year) * 1_000_000 + substr(($us // '') . '000000', 0, 6)) + 1;
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
	return -e Flakeid::Node->new('none')->config_data('--sharedir') . '/extension/citus.control';
}

# That many servers with both extensions; the first is the coordinator.  The name of each ends
# with its group, from which "conf" makes lines for flakeid.conf; "server" contains lines for
# postgresql.conf.
sub citus_cluster
{
	my ($count, %option) = @_;
	my @nodes = map {
		my $host = Flakeid::Node->new("host$_")->host;

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
