# The server and some of its processes are killed over and over under load, and the
# clock steps back in between: no ID is issued twice, every session's IDs increase, and
# every generator continues.
#
# CRASH_ROUNDS sets the number of rounds (30), FLAKEID_SEED repeats a run.  The events are
# drawn from shuffled decks, so that 30 rounds include all of them.
#
# kill -9 takes away the memory of the processes; what they wrote to the operating system
# survives, so fsync = off changes nothing here.  WAL that was only inserted is part of
# that memory.  Only a mark may write it out in this test, so the WAL writer sleeps as
# long as it can and no transaction waits for its commit.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Time::HiRes qw(usleep);

plan skip_all => 'no compiler' unless clock_available();

use constant ROUNDS => $ENV{CRASH_ROUNDS} || whole_or_short(30, 10);
use constant LEAST => whole_or_short(10_000, 1_000);    # IDs of each generator in a round
use constant MAX_AHEAD => 10;    # the settings' defaults, in seconds
use constant MAX_WAIT => 5;

use constant ORDERED => scalar generators();

with_flax();

my @generators = generators();
my $node = new_server('crash', clock => 1, conf => [ 'flakeid.node = 11' ], extension => 0, server => [
	'restart_after_crash = on', 'synchronous_commit = off', 'wal_writer_delay = 10s', 'bgwriter_delay = 10s',
	'shared_buffers = 2MB' ]);
my $clock = 0;
my @files;    # of IDs, a column for each generator
my $total = 0;
my %decks;
my %seen = (recovered => 0, 'a client backend' => 0);    # how often each event was tried

seeded();

# The next card of a deck, which is shuffled again once all are drawn.
sub draw
{
	my ($deck, @cards) = @_;
	my $left = $decks{$deck} //= [];
	my $card;

	@$left = @cards unless @$left;
	$seen{"$deck: $_"} += 0 foreach @cards;
	$card = splice @$left, rand @$left, 1;
	$seen{"$deck: $card"}++;
	return $card;
}

# ---------- what a session does ----------

# In transactions that never end, that roll back, that write something and that are
# read-only: only IDs that psql has printed count.
sub scripts
{
	my $make = making(200) . ";\n";

	return (
		"BEGIN;\n" . $make x 5000,
		"BEGIN;\n${make}INSERT INTO t VALUES (1);\n${make}COMMIT;\nBEGIN;\n${make}ROLLBACK;\n" x 1500,
		"SET default_transaction_read_only = on;\n" . $make x 5000);
}

my $width = making_width() + 1;

# The number of lines, which all have the same length.
sub made
{
	my $bytes = 0;

	$bytes += -s $_ || 0 foreach @_;
	return $bytes / $width;
}

# ---------- what the test expects ----------

# How many seconds the marks are ahead of the clock, by kind.
sub ahead
{
	return split /\n/, $node->safe_psql('postgres', '
		SELECT CASE WHEN isfinite(mark) THEN extract(epoch FROM mark - clock_timestamp()) ELSE -1e6 END
		FROM (SELECT kind, max(' . MARKED . ') AS mark FROM _flakeid.mark GROUP BY kind) AS m ORDER BY kind');
}

# Make one ID with each generator after a start: immediately or within max_wait where
# the marks allow it, otherwise an error until max_ahead is raised.  Return whether it
# was raised.
sub goes_on
{
	my ($round) = @_;
	my $name = "round $round";
	my $file = id_file($node, "probe.$round");
	my $session = session($node);
	my %ids;
	my @refused;

	foreach my $generator (@generators)
	{
		my ($tick, $tock, $ahead_until) = ahead();
		# a sno continues from its mark, or changes the timeline if the other mark is past
		my $wait = $generator =~ /^sno / ? ($tick - MAX_AHEAD < $tock ? $tick - MAX_AHEAD : $tock)
		  : $generator eq 'flax' ? 0
		  : $ahead_until - MAX_AHEAD;
		my $answer = attempt($session, making(1, qr/^$generator$/));

		# if the clock has moved on since the test read it, both are right
		if ($wait > MAX_WAIT || ($wait > MAX_WAIT - 0.5 && $answer =~ /ERROR/))
		{
			like($answer, qr/$too_far_behind.*DETAIL: .*flakeid\.max_ahead.*HINT: .*flakeid_clock_reset/s, "$name: $generator: too far behind")
			  if $wait > MAX_WAIT + 0.5 || $answer =~ /ERROR/;
		}
		else
		{
			like($answer, qr/^\\x[0-9a-f]+$/, "$name: $generator goes on") or diag "marks ahead: $tick, $tock, $ahead_until";
		}
		$ids{$generator} = $answer unless $answer =~ /ERROR/;
	}
	@refused = grep { !$ids{$_} } @generators;
	configure($node, 'flakeid.node = 11', 'flakeid.max_ahead = 1d') if @refused;
	foreach my $generator (@refused)
	{
		$ids{$generator} = attempt($session, making(1, qr/^$generator$/));
		like($ids{$generator}, qr/^\\x[0-9a-f]+$/, "$name: $generator continues with max_ahead raised");
		$seen{"$generator refused"}++;
	}
	$session->quit;
	append_to_file($file, join('|', @ids{@generators}) . "\n");
	push @files, $file;
	return @refused > 0;
}

# ---------- a round ----------

# A step of the clock, and its name.  Each kind of kill has its own deck of them.
sub step
{
	my ($kind) = @_;
	my $step = draw("clock, $kind killed", 0, 0, -1, -1, -3, -3, -600, 'back', 'back', 'back');

	$seen{recovered}++ if $step eq 'back' && $clock < 0;

	# with an offset from real time, the clock runs on while the server is down
	$clock = $step eq 'back' ? 0 : $clock + $step;
	set_clock($node, sprintf '%+.3f', $clock);
	return $step;
}

sub round
{
	my ($round) = @_;
	my $raised = goes_on($round);
	my @sessions = start_sessions($node, scripts());
	my @out = map { $_->{out} } @sessions;
	my $kill = draw('killed', qw(postmaster all all client walwriter checkpointer));
	my $kind = $kill eq 'postmaster' || $kill eq 'all' ? 'server' : 'process';
	my ($step, $live, $killed, @pids);

	until_true(sub { return made(@out) >= LEAST }) or die 'too slow';
	push @files, @out;
	$node->safe_psql('postgres', q(SELECT flakeid_advance(clock_timestamp() + interval '3 s')))
	  if draw('advance', 1, 0, 0, 0, 0);

	# sometimes the clock steps while the clients are at work
	$live = draw("live, $kill killed", 1, 0, 0);
	$step = step($kind) if $live;
	usleep(rand whole_or_short(600_000, 300_000));    # a mark is moved every second

	if ($kind eq 'server')
	{
		crash($node, all => $kill eq 'all');
		$step = step($kind) unless $live;
		start_server($node);
	}
	else
	{
		@pids = split /\n/, $node->safe_psql('postgres', 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
		# a step back may have ended all clients
		until_true(sub {
			(my $pid, $killed) = split /\|/, $node->safe_psql('postgres', 'SELECT pid, backend_type FROM pg_stat_activity WHERE ' . ($kill eq 'client'
				? q(query LIKE 'SELECT sno%' OR backend_type = 'checkpointer' ORDER BY backend_type = 'checkpointer', random() LIMIT 1)
				: "backend_type = '$kill'"));
			return $pid && kill_alive($pid);
		});
		$seen{"a $killed"}++;
		wait_for_exit(@pids);
		$step = step($kind) unless $live;
		wait_for_server($node);
	}
	eval { finish_sessions($_) } foreach @sessions;
	$total += made(@out);
	(ROUNDS > 30 ? \&diag : \&note)->(sprintf 'round %d: %d of each, %s killed, clock %s%s', $round, made(@out), $kill, $step, $live ? ' before' : '');

	is((grep { made($_) != int made($_) } @out), 0, "round $round: every answer is whole");
	foreach my $out (@out)
	{
		my @back = steps_back($out);

		# a clock that steps back may move a sno to the other timeline
		@back[ 0, 1 ] = (0, 0) if $live;
		is("@back", join(' ', (0) x ORDERED), "round $round: a session's IDs increase");
	}
	configure($node, 'flakeid.node = 11') if $raised;
	return;
}

# How many lines of each column are not above the previous line; flax, the last column, has
# no order.
sub steps_back
{
	my ($file) = @_;
	my @back = (0) x ORDERED;
	my @last = ('') x ORDERED;

	open my $in, '<', $file or die "$file: $!";
	while (<$in>)
	{
		my @ids = split /\|/;

		$back[$_] += $ids[$_] le $last[$_] foreach 0 .. ORDERED - 1;
		@last = @ids;
	}
	return @back;
}

# ---------- the rounds ----------

# The extension is new, and its marks did not exist before the transaction.
$node->safe_psql('postgres', 'CREATE TABLE t (n int)');
push @files, id_file($node, 'first');
$node->safe_psql('postgres', "SET synchronous_commit = on; BEGIN; CREATE EXTENSION flakeid; COPY (@{[making(1000)]}) TO '$files[0]' (DELIMITER '|'); COMMIT");
crash($node, all => 1);
$clock = -1;
set_clock($node, '-1');
start_server($node);

round($_) foreach 1 .. ROUNDS;
note join ', ', map { "$_: $seen{$_}" } sort keys %seen;
is(join(', ', grep { !$seen{$_} } sort keys %seen), '', 'every step of the clock and every kill was tried')
  if ROUNDS >= 30;
$node->stop;

making_unique('all rounds', $node, \@files, count => 1000 + ROUNDS + $total);

done_testing();
