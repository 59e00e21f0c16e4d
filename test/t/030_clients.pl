# Real clients: every program of docs/clients.md runs, in order, in one database,
# over TCP and with a password, as a role that is no superuser.  The ``` block
# after a program is its output.
#
# A program whose library or tool this machine lacks is skipped.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

my $document = 'docs/clients.md';
my $dir = PostgreSQL::Test::Utils::tempdir();

# Debian's, for Debian's packages, whatever other Python there is.
my $python = -x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3';
my $jar = '/usr/share/java/postgresql.jar';
my $include = `"\${PG_CONFIG:-pg_config}" --includedir`;

chomp $include;

# By language: the file a program is written to, how to run it, and what fails where
# something that it needs is missing; of its text, the names of libraries.
my %language = (
	sql => { file => 'client.sql', run => [ 'psql', '-Xq', '-P', 'footer=off', '-v', 'ON_ERROR_STOP=1', '-f', 'client.sql' ],
		needs => sub { 'true' } },
	python => { file => 'client.py', run => [ $python, 'client.py' ],
		needs => sub { $python, '-c', join "\n", map { "import $_" } $_[0] =~ /^(?:import|from) (\w+)/mg } },
	js => { file => 'client.js', run => [ 'node', 'client.js' ],
		needs => sub { 'node', '-e', join "\n", $_[0] =~ /(require\(.*?\))/g } },
	java => { file => 'Client.java', run => [ 'java', '-cp', $jar, 'Client.java' ],
		needs => sub { 'sh', '-c', 'command -v javac && ls "$0"', $jar } },
	c => { file => 'client.c', run => [ 'sh', '-c', 'cc -Wall -Wextra -I"$0" -o client client.c -lpq && ./client', $include ],
		needs => sub { 'sh', '-c', 'command -v cc && ls "$0"/libpq-fe.h', $include } });

# Run a command in $dir: whether it succeeded, and what it printed, with its errors
# if it did not.
sub run
{
	my (@command) = @_;
	my ($out, $err) = ('', '');
	my $ok = eval {
		IPC::Run::run(\@command, '<', \undef, '>', \$out, '2>', \$err,
			init => sub { chdir $dir or die "$dir: $!" },
			IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	};

	$out =~ s/[ \t]+$//mg;
	$out =~ s/\A\n+|\n+\z//g;
	return ($ok, $ok ? $out : $out . $err . ($@ || "exit status $?"));
}

# ---------- the server ----------

my $node = new_server('clients');

$node->append_conf('postgresql.conf', "listen_addresses = '127.0.0.1'\ntimezone = 'UTC'");
unlink $node->data_dir . '/pg_hba.conf';
$node->append_conf('pg_hba.conf', "local all all trust\nhost clients client 127.0.0.1/32 scram-sha-256");
$node->restart;
$node->safe_psql('postgres', "CREATE ROLE client LOGIN PASSWORD 'secret'");
$node->safe_psql('postgres', 'CREATE DATABASE clients OWNER client');
$node->safe_psql('clients', 'CREATE EXTENSION flakeid');

# libpq's variables, which all the drivers but Java's read
@ENV{qw(PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE)} = ('127.0.0.1', $node->port, 'client', 'secret', 'clients');
$ENV{JDBC_URL} = 'jdbc:postgresql://127.0.0.1:' . $node->port . '/clients?user=client&password=secret';
$ENV{NODE_PATH} = "$FindBin::RealBin/../clients/node_modules";
$ENV{TZ} = 'UTC';

# ---------- the programs ----------

my $text = slurp_file("$FindBin::RealBin/../../$document");

while ($text =~ /^```(\w+)\n(.*?)^```\n(?:```\n(.*?)^```\n)?/gms)
{
	my ($kind, $program, $expected) = ($1, $2, $3);
	my $name = "$document:" . (1 + (substr($text, 0, $-[0]) =~ tr/\n//));
	my $language = $language{$kind} or die "$name: who runs $kind?";
	my ($ok, $out);

  SKIP:
	{
		($ok, $out) = run($language->{needs}->($program));
		skip "$name: $kind: " . ($out =~ /^(.*Error.*)/m ? $1 : 'missing'), 1 unless $ok;

		unlink "$dir/$language->{file}";
		append_to_file("$dir/$language->{file}", $program);
		($ok, $out) = run(@{ $language->{run} });
		is($out, ($expected // '') =~ s/\n\z//r, "$name: $kind");
	}
}

$node->stop;
done_testing();
