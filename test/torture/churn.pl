# Short connections, each for a few IDs, while sessions are terminated all the time and
# single processes killed now and then: no ID is issued twice, and no trace of a session
# remains in shared memory.
#
# TORTURE_SECONDS sets the duration (600), FLAKEID_SEED repeats the same kills.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use Time::HiRes qw(time usleep);

use constant SECONDS => $ENV{TORTURE_SECONDS} || 600;
use constant CLIENTS => 8;
use constant KILL_EVERY => 15;    # seconds

my $node = new_server('churn', preload => 1, conf => [ 'flakeid.node = 11' ], server => [ 'restart_after_crash = on' ]);
my $dir = id_file($node, 'made');
my $going = "$dir/going";
my %done = (terminated => 0, killed => 0);

# Kinds of connections: few IDs or more, committed or not, into separate files; and how often
# each is used.  The last one is a target for kills; all its IDs would take gigabytes.
my @scripts = (
	[ 10, "COPY (${\ making(3)}) TO ':file' (DELIMITER '|');" ],
	[ 10, "BEGIN; COPY (${\ making(50)}) TO ':file' (DELIMITER '|'); ROLLBACK;" ],
	[ 10, "BEGIN READ ONLY; COPY (${\ making(1)}) TO ':file' (DELIMITER '|'); COMMIT;" ],
	[ 1, "COPY (${\ making(20000)} OFFSET 19000) TO ':file' (DELIMITER '|');" ]);

# Clients that never give up: pgbench ends with the first connection it loses.
sub start_clients
{
	my @files = map { "$dir.$_.sql" } 0 .. $#scripts;

	append_to_file($files[$_], "\\set n random(1, 9000000000000000000)\n" . ($scripts[$_][1] =~ s{:file}{$dir/:n}r) . "\n") foreach 0 .. $#files;
	append_to_file($going, '');
	return map {
		IPC::Run::start([ 'sh', '-c', 'while [ -e "$0" ]; do "$@" || sleep 0.1; done', $going,
				$node->installed_command('pgbench'), '-n', '-C', '-T', '10', (map { ('-f', "$files[$_]\@$scripts[$_][0]") } 0 .. $#files), $node->connstr('postgres') ],
			'>', '/dev/null', '2>', "$dir.err");
	} 1 .. CLIENTS;
}

# Does the view show only existing sessions?  A minute is enough for those that are ending.
sub none_left_behind
{
	local $PostgreSQL::Test::Utils::timeout_default = 60;

	return $node->poll_query_until('postgres',
		q(SELECT sessions <= (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') FROM flakeid_clock));
}

sub kill_some
{
	my $end = time + SECONDS;
	my $next = time + KILL_EVERY;

	while (time < $end)
	{
		usleep(rand 300_000);
		$done{terminated} += $node->safe_psql('postgres',
			q(SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2) AS victim));
		if (time > $next)
		{
			my @pids;

			none_left_behind() or $done{'left behind'} = 1, last;
			# most have ended before the signal arrives
			until_true(sub {
				my @rows = split /\n/, $node->safe_psql('postgres', q(SELECT pid, state = 'active' AND query LIKE 'COPY%' FROM pg_stat_activity WHERE pid <> pg_backend_pid()));
				my ($pid) = map { /(\d+)\|t/ } @rows;

				@pids = map { /(\d+)/ } @rows;
				return $pid && kill_alive($pid);
			}) or die 'nobody to be killed';
			$done{killed}++;
			$next = time + KILL_EVERY;
			wait_for_exit(@pids);
			wait_for_server($node);
		}
	}
	return;
}

sub connections
{
	opendir my $handle, $dir or die;
	return scalar grep { /\d/ } readdir $handle;
}

# in any case
END { unlink $going if defined $going }

seeded();
mkdir $dir or die;
chmod 0777, $dir;
my @clients = start_clients();

telling(sub { return sprintf '%d connections made IDs, %d were terminated, %d killed', connections(), @done{qw(terminated killed)} }, \&kill_some);
unlink $going;
$_->finish foreach @clients;

ok($done{terminated} > 0 && $done{killed} > 0, "sessions were terminated ($done{terminated}) and killed ($done{killed})");
ok(!$done{'left behind'}, 'no ended session stayed in the view');
is($node->safe_psql('postgres', 'SELECT sessions FROM flakeid_clock'), '1', 'only the asking session at the end');
is($node->safe_psql('postgres', 'SELECT sum(waiting) FROM flakeid_generators'), '0', 'and nobody waits');

my $connections = connections();
telling(sub { return 'looking for two alike' }, sub { making_unique("$connections connections", $node, [$dir]) });
$node->stop;
done_testing();
