# Sessions run out of memory anywhere in the code, while the clock steps and marks are
# raised: each error leaves the generators in a correct state, so that no ID is issued twice
# and all sessions continue.
#
# First allocations fail at random (malloc.c), then there is no memory to write a mark, and
# the server is killed; finally there is no address space.  TORTURE_SECONDS sets the duration
# (600), half of it for each.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use Time::HiRes qw(time usleep);

plan skip_all => 'no compiler' unless clock_available();

use constant SECONDS => int(($ENV{TORTURE_SECONDS} || 600) / 2) || 1;

my $tempdir = PostgreSQL::Test::Utils::tempdir();
my $control = "$tempdir/rates";
my @files;

# One allocation in so many fails, and one of the large ones.
sub set_rates
{
	open my $out, '+<', $control or die;
	syswrite $out, pack 'LL', @_;
	return;
}

append_to_file($control, "\0" x 4096);
chmod 0666, $control;
system_or_bail('cc', '-O2', '-shared', '-fPIC', '-fno-builtin', '-o', "$tempdir/malloc.so", "$FindBin::RealBin/malloc.c");
$ENV{FLAKEID_MALLOC} = $control;
$ENV{LD_PRELOAD} = "$tempdir/malloc.so";
my $node = new_server('memory', clock => 1, conf => [ 'flakeid.node = 11' ],
	server => [ 'shared_buffers = 1MB', 'work_mem = 64kB', 'restart_after_crash = off', 'log_min_error_statement = panic' ]);

# Each statement fails separately, and the IDs that a failed one has printed count, too.
my $make = making(3) . ";\n";
my $hungry = "SELECT count(made) FROM (SELECT array_agg(sno_new(0, 1)::text || repeat('x', 1000)) AS made FROM generate_series(1, 300000)) AS all_of_it;\n";
my @scripts = map { "\\set ON_ERROR_STOP 0\n$_" } (
	$make x 10000,
	"BEGIN;\n$make${make}ROLLBACK;\n" x 5000,
	"DISCARD ALL;\n$make" x 3000,
	"BEGIN;\n${make}CREATE TEMP TABLE t ON COMMIT DROP AS SELECT sno_new(0, 1), siq_new('user');\n${make}COMMIT;\n" x 1000,
	"SELECT flakeid_advance(clock_timestamp() + interval '20 ms');\n\\! sleep 0.05\n" x 100);

# Read the server's log, which grows by megabytes: how many errors, how many of them for
# allocations so large that only the writing of a mark makes them, and whether a process died.
my ($read, $errors, $mark_errors, $died) = (0, 0, 0, 0);

sub read_log
{
	my $more = slurp_file($node->logfile, $read) =~ s/[^\n]*\z//r;

	$read += length $more;
	$errors += () = $more =~ /ERROR:  out of memory/g;
	$mark_errors += () = $more =~ /Failed on request of size [67]\d{4} /g;
	$died ||= $more =~ /PANIC|TRAP|terminated by signal/;
	return;
}

# Kill the server and its sessions.
sub kill_all
{
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	my @pids = split ' ', slurp_file("/proc/$postmaster/task/$postmaster/children");

	$node->kill9;
	kill 'KILL', @pids;
	wait_for_exit($postmaster, @pids);
	return;
}

# Run sessions with a clock that steps, until the time is over; in each round some must be
# short of memory.
sub attack
{
	my ($name, $rates, @scripts) = @_;
	my $end = time + SECONDS;
	my ($rounds, $idle) = (0, 0);

	telling(
		sub { return "$name: $errors statements found no memory, $mark_errors of them for a mark" },
		sub {
			while (time < $end)
			{
				my @sessions = start_sessions($node, @scripts);
				my $before = $errors;

				push @files, map { $_->{out} } @sessions;
				usleep(200_000);    # enough for most of them to connect
				set_rates(@$rates);
				foreach (1 .. 10)
				{
					usleep(rand 300_000);
					set_clock($node, (qw(-4 -4 -4.012 -5 -7))[ rand 5 ]);
				}
				if ($rates->[1] > 0)
				{
					my $there;

					# a session that continued although no mark could be written would repeat IDs after the start
					set_clock($node, '-4');
					usleep(500_000);
					set_rates(0, 1);
					set_clock($node, '+0');
					$there = time;
					usleep(1_500_000);
					kill_all();
					set_rates(0, 0);
					start_server($node);
					set_clock($node, sprintf '%+.3f', $there - time);
					push @sessions, start_sessions($node, "$make\\! sleep 0.001\n" x 400);
					push @files, $sessions[-1]{out};
				}
				# some have lost their connection
				eval { finish_sessions($_) } foreach @sessions;
				read_log();
				$rounds++;
				$idle++ if $errors == $before;
			}
		});
	cmp_ok($rounds, '>', 0, "$name: $rounds rounds, $errors statements found no memory, $mark_errors of them for a mark");
	is($idle, 0, "$name: some in every round");
	return;
}

sub all_well
{
	my ($name) = @_;
	my $session;
	my %ids;

	set_clock($node, '+0');
	$session = session($node);
	%ids = probe($session);
	is((grep { !/^\\x[0-9a-f]+$/ } values %ids), 0, "$name: every generator continues") or diag explain \%ids;
	$session->quit;
	ok($node->poll_query_until('postgres', 'SELECT sessions = 1 FROM flakeid_clock'), "$name: no session is left in the view");
	is($node->safe_psql('postgres', 'SELECT sum(waiting) FROM flakeid_generators'), '0', "$name: and nobody waits");
	read_log();
	ok(!$died, "$name: no process has died");
	return;
}

seeded();
attack('failing allocations', [ 400, 4 ], @scripts);
cmp_ok($mark_errors, '>', 0, 'failing allocations: marks, too');
all_well('failing allocations');

# a limit for later sessions
my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
my ($kilobytes) = slurp_file("/proc/$postmaster/status") =~ /^VmSize:\s+(\d+)/m;
system_or_bail('prlimit', "--pid=$postmaster", '--as=' . ($kilobytes + 100 * 1024) * 1024 . ':unlimited');
attack('no address space', [ 0, 0 ], map { ($scripts[$_] =~ s/\n/\n$hungry/r) x 2 } 0 .. 2);
system_or_bail('prlimit', "--pid=$postmaster", '--as=unlimited:unlimited');
all_well('no address space');

telling(sub { return 'looking for two alike' }, sub { making_unique('all sessions', $node, \@files) });
$node->stop;
done_testing();
