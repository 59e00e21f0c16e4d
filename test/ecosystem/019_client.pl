# A client that does not read its answer keeps its own backend waiting, and no other: no
# error is reported while a lock of the generators is held.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use IO::Socket::UNIX;

plan skip_all => 'the server has no Unix-domain socket' unless $use_unix_sockets;

my $node = new_server('client');

# Not preloaded, so that an ordinary user's value is refused only when it is used.
sub connection
{
	my $socket = IO::Socket::UNIX->new(Peer => $node->host . '/.s.PGSQL.' . $node->port) or die "no connection: $!";
	my $startup = pack 'N(Z*)*x', 196608, user => 'plain', database => 'postgres', options => '-c flakeid.node=5';
	my $answer = '';

	print {$socket} pack('N', 4 + length $startup), $startup;
	$socket->flush;
	until ($answer =~ /Z\x00\x00\x00\x05I\z/)
	{
		sysread($socket, $answer, 65536, length $answer) or die "no session: $answer";
	}
	return ($socket, unpack('N', $answer =~ /K\x00\x00\x00\x0c(....)/s ? $1 : die 'no pid'));
}

# Ask for so many rows followed by the error, and read nothing.
sub ask
{
	my ($socket, $rows) = @_;
	my $query = pack 'Z*', "SELECT CASE WHEN i <= $rows THEN repeat('x', 1000) ELSE sno_new(0)::text END FROM generate_series(1, $rows + 1) AS i";

	print {$socket} 'Q', pack('N', 4 + length $query), $query;
	$socket->flush;
	return;
}

# Wait until the backend waits for the client, which is for ever, or is done.
sub settled
{
	my ($pid) = @_;
	my $state;

	until_true(
		sub {
			$state = $node->safe_psql('postgres',
				"SELECT CASE WHEN state = 'idle' THEN 'through' ELSE wait_event END FROM pg_stat_activity WHERE pid = $pid AND query LIKE 'SELECT CASE%'");
			return $state =~ /^(through|ClientWrite)$/;
		}) or die "neither through nor waiting: $state";
	return $state;
}

# How many rows it takes depends on the socket's buffers: with too few, the error is sent,
# too; with too many, the backend never reaches it.
sub stuck_at_error
{
	my ($few, $rows, $many) = (0, 196, undef);

	while (!defined $many || $many - $few > 1)
	{
		my $at = -s $node->logfile;
		my ($socket, $pid) = connection();
		my $state;

		ask($socket, $rows);
		$state = settled($pid);
		if ($state eq 'through')
		{
			$few = $rows;
		}
		elsif (slurp_file($node->logfile, $at) =~ /\[$pid\].*ERROR:  invalid value for parameter "flakeid\.node": "5"/)
		{
			note "$rows rows";
			return ($socket, $pid);
		}
		else
		{
			$many = $rows;
		}
		close $socket;
		$rows = defined $many ? int(($few + $many) / 2) : 2 * $rows;
	}
	die 'no number of rows keeps a session waiting at the error';
}

$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN');

my ($socket, $pid) = stuck_at_error();
my ($id, $timed_out);

# statement_timeout does not end the wait for a lock of that kind
$node->psql('postgres', "SET statement_timeout = '${PostgreSQL::Test::Utils::timeout_default}s'; SELECT sno_new(0)",
	stdout => \$id, timeout => $PostgreSQL::Test::Utils::timeout_default, timed_out => \$timed_out);
like($id // '', qr/^[2-9a-x]{16}$/, 'while a client does not read an error: another session makes an ID');
is(settled($pid), 'ClientWrite', 'while a client does not read an error: its own session waits');
close $socket;
$node->stop;

done_testing();
