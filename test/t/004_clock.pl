# The clock steps back and forward, stops, and leaves the span: no ID is issued twice,
# no wrong answer goes unreported, and the views show what happened.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Time::HiRes qw(clock_gettime usleep CLOCK_MONOTONIC);

plan skip_all => 'no compiler' unless clock_available();

my $server = 0;

# A server whose clock can be set, and a session on it.
sub fresh
{
	my (@conf) = @_;
	my $node = new_server('clock' . ++$server, clock => 1, conf => [ 'flakeid.node = 11', @conf ]);

	return ($node, session($node));
}

sub done
{
	my ($node, $session) = @_;

	$session->quit;
	$node->stop;
	return;
}

# IDs made by one session, as text.
sub take
{
	my ($session, $count) = @_;

	return split /\n/, attempt($session, 'SELECT sno_new(0) FROM generate_series(1, ' . ($count || 1000) . ')');
}

sub unique_ok
{
	my ($ids, $name) = @_;
	my %seen;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is((grep { !/^[2-9a-x]{16}$/ || $seen{$_}++ } @$ids), 0, "$name: no ID twice");
}

sub increasing_ok
{
	my ($ids, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is((grep { $ids->[$_ - 1] ge $ids->[$_] } 1 .. $#$ids), 0, "$name: increasing");
}

# the tick-tock bits of the first and the last, and whether their times are close to now
sub look
{
	my ($session, @ids) = @_;

	return attempt($session,
		    "SELECT sno_tick_tock('$ids[0]'), sno_tick_tock('$ids[-1]'), "
		  . "sno_timestamp('$ids[-1]') BETWEEN clock_timestamp() - interval '20 s' AND clock_timestamp() + interval '1 s'");
}

sub clock_view
{
	my ($session, $columns) = @_;

	return attempt($session, "SELECT $columns FROM flakeid_clock");
}

# The log's lines about the clock.
sub logged
{
	my ($node) = @_;

	return scalar grep { /LOG:.*clock is \d+ ms behind the \w+ IDs already issued/ } split /\n/, slurp_file($node->logfile);
}

# ---------- one step back ----------

# the smaller step is longer than a busy machine takes to make the IDs
foreach my $step (5, 600)
{
	my ($node, $session) = fresh();
	my @before = take($session);
	my @after;

	is(look($session, @before), 'f|f|t', "$step s back: the bit is clear before");
	set_clock($node, "-$step");
	@after = take($session);
	is(look($session, @after), 't|t|t', "$step s back: the bit is set, and the time is the clock's");
	unique_ok([ @before, @after ], "$step s back");
	increasing_ok(\@after, "$step s back");
	is(clock_view($session, "regressions, toggles, went_ahead, tick_tock, last_step_back IS NOT NULL, ahead_by < interval '10 ms'"),
		'1|1|0|1|t|t', "$step s back: the view shows it");
	is(logged($node), 1, "$step s back: the log, too");

	# the settings are still read, although the clock reads earlier than at the last reload
	configure($node, 'flakeid.node = 12');
	is(attempt($session, 'SELECT sno_partition(sno_new(0))'), '12', "$step s back: a reload still counts");
	done($node, $session);
}

# A session that has changed its number continues above its last ID, but not on the
# other timeline, where it has made no ID.
{
	my ($node, $session) = fresh();
	my $other = session($node);
	my @before = take($session);
	my @after;

	configure($node, 'flakeid.node = 12');
	push @before, take($session);
	set_clock($node, '-3600');
	is(look($other, take($other)), 't|t|t', 'another number: others toggle');
	@after = take($session);
	is(look($session, @after), 't|t|t', 'another number: so does the session that has changed it');
	is(attempt($session, "SELECT sno_partition('$after[0]')"), '12', 'another number: which stays');
	unique_ok([ @before, @after ], 'another number');
	$other->quit;
	done($node, $session);
}

# ---------- while the server was down ----------

# Shared memory is gone; the marks say enough to change the timeline.
{
	my ($node, $session) = fresh();
	my @ids = take($session);
	my $last;

	foreach my $step ([ '-600', 't|t|t', '1|1|0' ], [ '-601', 't|t|', '1|1|0' ])
	{
		my ($clock, $look, $seen) = @$step;
		my @new;

		$session->quit;
		crash($node, all => 1);
		set_clock($node, $clock);
		start_server($node);
		$session = session($node);
		@new = take($session);
		like(look($session, @new), qr/^\Q$look\E/, "down, clock at $clock: on the other timeline");
		increasing_ok(\@new, "down, clock at $clock");
		is(clock_view($session, 'regressions, toggles, went_ahead'), $seen, "down, clock at $clock: the view shows it");
		cmp_ok($new[0], 'gt', $last, "down, clock at $clock: above what was there") if $last;
		$last = $new[-1];
		push @ids, @new;
	}
	unique_ok(\@ids, 'down');
	done($node, $session);
}

# ---------- types without another timeline ----------

{
	my ($node, $session) = fresh('flakeid.max_ahead = 10min');
	my @calls = (q(siq_new('message')), 'uid64_new()', 'uid96_new()', 'snowflake_new()');
	my $new = 'SELECT ' . join(', ', @calls) . ' FROM generate_series(1, 1000)';
	my $lines = logged($node);

	attempt($session, $new);
	is(clock_view($session, 'regressions, last_step_back'), '0|', 'no other timeline: nothing has happened');
	foreach my $times (1, 2)
	{
		set_clock($node, $times == 1 ? '-300' : '-400');
		attempt($session, $new) foreach 1, 2;
		is(clock_view($session, "regressions, toggles, went_ahead, last_step_back IS NOT NULL, ahead_by BETWEEN interval '1 ms' AND interval '401 s'"),
			3 * $times . '|0|' . 3 * $times . '|t|t', "no other timeline, $times: the view shows it, once for each generator");
		is(attempt($session, 'SELECT type, regressions FROM flakeid_generators ORDER BY type COLLATE "C"'),
			"siq|$times\nsnowflake|$times\nuid64|$times", "no other timeline, $times: theirs, too");
		cmp_ok(logged($node), '>=', ++$lines, "no other timeline, $times: the log, too");
		set_clock($node, '+0');
		attempt($session, $new);
		is(clock_view($session, "regressions, ahead_by < interval '10 ms'"), 3 * $times . '|t', "no other timeline, $times: the clock has caught up");
		usleep(1_100_000);    # the log is silent for that long
	}
	done($node, $session);
}

# The first ID of a database may be one tick ahead, without a step.
{
	my ($node, $session) = fresh();

	attempt($session, 'SELECT ksuid_new()');
	set_clock($node, '-5');
	attempt($session, 'SELECT ksuid_new()');
	is(attempt($session, 'SELECT regressions FROM flakeid_generators'), '1', 'a step back after the first ID is counted');
	done($node, $session);
}

# ---------- back again, while the other timeline is unsafe ----------

{
	my ($node, $session) = fresh('flakeid.max_ahead = 5min');
	my @ids = take($session);
	my (@ahead, $error);

	set_clock($node, '-600');
	push @ids, take($session);
	set_clock($node, '-800');
	@ahead = take($session);
	is(look($session, @ahead) =~ s/.$//r, 't|t|', 'unsafe: it stays on its timeline');
	increasing_ok([ @ids[ 1000 .. 1999 ], @ahead ], 'unsafe: it goes ahead');
	is(clock_view($session, "regressions, toggles, went_ahead, tick_tock, ahead_by BETWEEN interval '1 s' AND interval '201 s'"),
		'2|1|1|1|t', 'unsafe: the view shows how far ahead');

	set_clock($node, '-1200');
	$error = attempt($session, 'SELECT sno_new(0)');
	like($error, $too_far_behind, 'beyond max_ahead: an error');
	like($error, qr/DETAIL: .*\d\d:\d\d:\d\d.* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'beyond max_ahead: with both times');
	like($error, qr/HINT:  \w+/, 'beyond max_ahead: and a hint');
	is(clock_view($session, 'toggles, tick_tock'), '1|1', 'beyond max_ahead: nothing has moved');

	set_clock($node, '-801');
	push @ids, @ahead, take($session);
	increasing_ok([ @ids[ 1000 .. $#ids ] ], 'within max_ahead again');
	set_clock($node, '-500');
	push @ids, take($session);
	increasing_ok([ @ids[ 1000 .. $#ids ] ], 'the clock has caught up');
	is(clock_view($session, "ahead_by < interval '10 ms'"), 't', 'the clock has caught up: nothing is ahead');
	unique_ok(\@ids, 'unsafe');
	done($node, $session);
}

# ---------- an hour forward ----------

{
	my ($node, $session) = fresh();
	my @ids = take($session);

	foreach my $clock ('+3600', '+0')
	{
		set_clock($node, $clock);
		push @ids, take($session);
	}
	is(clock_view($session, 'regressions, toggles, tick_tock'), '1|1|1', 'an hour forward and back: to the other timeline');
	set_clock($node, '+3600');
	push @ids, take($session);
	set_clock($node, '+0');
	like(attempt($session, 'SELECT sno_new(0)'), qr/ERROR:  55000/, 'and once more: an error, because both timelines are used up to that time');
	set_clock($node, '+3610');
	push @ids, take($session);
	is(@ids, 5000, 'beyond that it goes on');
	unique_ok(\@ids, 'an hour forward and back');
	done($node, $session);
}

# ---------- a stopped clock ----------

{
	my ($node, $session) = fresh('flakeid.sno_sequence_min = 0', 'flakeid.sno_sequence_max = 9', 'flakeid.max_wait = 1s');
	my $other = session($node);
	my (@ids, $start);

	set_clock($node, yesterday('10:00:00'));
	@ids = take($session, 4);
	push @ids, take($other, 6);
	is(attempt($session, 'SELECT array_agg(sno_sequence(id::sno) ORDER BY id) FROM unnest(ARRAY[' . join(',', map { "'$_'" } @ids) . ']) AS id'),
		'{0,1,2,3,4,5,6,7,8,9}', 'standing still: every number of the tick is handed out');
	$start = clock_gettime(CLOCK_MONOTONIC);
	like(attempt($session, 'SELECT sno_new(0)'), qr/ERROR:  55000: could not generate sno within flakeid.max_wait.*DETAIL: .*HINT: /s,
		'standing still: then it is an error');
	cmp_ok(clock_gettime(CLOCK_MONOTONIC) - $start, '>', 0.9, 'standing still: after max_wait');

	# a waiting call can be cancelled, and continues when the clock does
	configure($node, 'flakeid.node = 11', 'flakeid.sno_sequence_min = 0', 'flakeid.sno_sequence_max = 9', 'flakeid.max_wait = 1h');
	$session->send('SELECT sno_new(0);');
	ok($node->poll_query_until('postgres', 'SELECT waiting = 1 FROM flakeid_generators'), 'standing still: it waits');
	$node->safe_psql('postgres', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT sno_new(0);'");
	like($session->answer, qr/57014/, 'standing still: it can be cancelled');
	$session->send('SELECT sno_new(0);');
	ok($node->poll_query_until('postgres', 'SELECT waiting = 1 FROM flakeid_generators'), 'standing still: it waits again');
	set_clock($node, yesterday('10:00:01'));
	push @ids, $session->answer;
	is(@ids, 11, 'standing still: it goes on when the clock does');
	unique_ok(\@ids, 'standing still');
	is(attempt($session, 'SELECT waiting, overflows FROM flakeid_generators'), '0|3', 'standing still: counted once a call');
	$other->quit;
	done($node, $session);
}

# A session that ends returns the rest of its lease, so that within one tick the next
# session continues without a gap.
{
	my ($node, $session) = fresh();
	my @used;

	set_clock($node, yesterday('10:00:00'));
	foreach my $count (4, 1, 10, 4)
	{
		push @used, split /\n/, $node->safe_psql('postgres', "SELECT sno_sequence(sno_new(0)) FROM generate_series(1, $count)");
		until_gone($node);
	}
	is("@used", join(' ', 0 .. 18), 'sessions one after the other within a tick: no gap');
	done($node, $session);
}

# But not in a tick that is used again after a forced reset: what looks like the end of
# the session's lease is the end of another session's.
{
	my ($node, $session) = fresh();
	my $idle = session($node);
	my @ids;

	set_clock($node, yesterday('10:00:00'));
	take($idle, 30);
	is(attempt($session, q(SELECT count(flakeid_clock_reset(now() - interval '1 s', force => true)))), '1', 'reset by force');
	@ids = take($session, 31);
	quit_session($node, $idle);
	push @ids, split(/\n/, $node->safe_psql('postgres', 'SELECT sno_new(0) FROM generate_series(1, 30)')), take($session, 40);
	is(@ids, 101, 'reset by force: it goes on');
	unique_ok(\@ids, 'reset by force, and an earlier session ends');
	done($node, $session);
}

# ---------- outside the span ----------

{
	my ($node, $session) = fresh();
	my @ids;

	# before 1970 the time is negative, and 0 means that there is no ID
	set_clock($node, '-60y');
	is(clock_view($session, "clock < '1970-01-01', ahead_by"), 't|00:00:00', 'clock at -60y: nothing is ahead of it');
	set_clock($node, '+0');
	@ids = take($session);
	foreach my $years (-20, 60)
	{
		SKIP:
		{
			my $clock = sprintf '%+dy', $years;

			skip 'time_t, of 32 bits, ends in 2038, before the span does', 4 unless clock_reaches($years);
			set_clock($node, $clock);
			like(attempt($session, 'SELECT sno_new(0)'), qr/ERROR:  22008: .*DETAIL: .*2010-01-01.*2079-09-07/s,
				"clock at $clock: an error that names both ends of the span");
			like(attempt($session, 'SELECT sno_new(0, 4711)'), qr/ERROR:  22008/, "clock at $clock: also in a partition not used before");
			set_clock($node, '+0');
			push @ids, take($session);
			increasing_ok(\@ids, "back from $clock");
			is(clock_view($session, 'regressions, tick_tock'), '0|0', "back from $clock: nothing has happened");
		}
	}
	done($node, $session);
}

# ---------- many partitions ----------

{
	my ($node, $session) = fresh();
	my $many = 'SELECT count(sno_new(0, p)) FROM generate_series(%d, %d) AS p';

	is(attempt($session, sprintf($many, 1, 700)), '700', 'many partitions');
	set_clock($node, '-60');
	is(attempt($session, sprintf($many, 1001, 1700)), '700', 'many partitions: and others after a step back');
	is(attempt($session, 'SELECT count(*), min(issued), max(issued) FROM flakeid_generators'), '1400|1|1', 'many partitions: each has its place');
	done($node, $session);
}

# ---------- sessions at work while the clock steps ----------

{
	my ($node, $session) = fresh();
	my @files = map { id_file($node, "s$_") } 1 .. 4;
	my $lock = session($node);
	my $clock = 0;
	my ($count, $start, $lines) = (0);
	my ($toggles, $regressions, @running);

	# How often each session has made a hundred IDs.
	my $rounds = sub {
		return split /\|/, attempt($session, 'SELECT ' . join ', ', map { "(SELECT last_value FROM made$_)" } 1 .. 4);
	};

	# Step the clock, and wait until every session has made IDs at the new time.
	my $step = sub {
		my ($seconds) = @_;

		$clock += $seconds;
		set_clock($node, sprintf('%+.3f', $clock));
		my @before = $rounds->();
		until_true(sub { my @now = $rounds->(); return !grep { $now[$_] < $before[$_] + 2 } 0 .. $#now }) or die "step of $seconds s: a session does not go on";
	};

	# Something else to do, or there are millions of IDs; but no pg_sleep(), which would also sleep for the time
	# that the clock steps back.
	$node->safe_psql('postgres', q(
		-- runs until nobody holds the lock
		CREATE FUNCTION many(made regclass) RETURNS SETOF sno LANGUAGE plpgsql AS $$
			BEGIN
				LOOP
					FOR i IN 1 .. 100 LOOP
						RETURN NEXT sno_new(i % 3);
					END LOOP;
					PERFORM nextval(made), count(*) FROM generate_series(1, 10000);
					EXIT WHEN pg_try_advisory_xact_lock_shared(1);
				END LOOP;
			END $$;
	));
	$node->safe_psql('postgres', "CREATE SEQUENCE made$_") foreach 1 .. 4;
	attempt($lock, 'SELECT pg_advisory_lock(1)');

	# meta precedes the sequence in the ID, so leave it out of the comparison
	@running = start_sessions($node, map { "COPY (SELECT id, sno_set_meta(id, 0) FROM many('made$_') AS id) TO '$files[$_ - 1]'" } 1 .. 4);
	until_true(sub { return !grep { $_ < 2 } $rounds->() }) or die 'a session does not begin';

	$step->($_) foreach (-600, 600, -0.010, -0.010, -1, 1, -3, 3.5, -0.010, -0.010, 5, -1);

	# Every step back goes before the regression logged last, and every step forward beyond
	# all IDs, so that each step back is a new regression.
	$lines = logged($node);
	$start = clock_gettime(CLOCK_MONOTONIC);
	foreach (1 .. 10)
	{
		$step->(2 + 0.6 * $_);
		$step->(-2.2 - 0.6 * $_);
	}
	cmp_ok(logged($node) - $lines, '<=', 2 + clock_gettime(CLOCK_MONOTONIC) - $start, 'running: no more than one line a second in the log');

	$lock->quit;
	finish_sessions(@running);
	($regressions, $toggles) = split /\|/, clock_view($session, 'regressions, toggles');
	cmp_ok($regressions, '>=', 10, 'running: the sessions met a clock behind their IDs');
	cmp_ok($toggles, '>=', 1, 'running: and changed the timeline');
	foreach my $file (@files)
	{
		my @order = map { (split /\t/)[1] } split /\n/, slurp_file($file);

		system_or_bail('sh', '-c', 'cut -f1 <$1 >$1.id', 'sh', $file);
		$count += @order;
		cmp_ok(scalar(grep { $order[ $_ - 1 ] ge $order[$_] } 1 .. $#order),
			'<=', $toggles, "running: a session's IDs go back only when the timeline changes");
	}
	note "$count IDs, $regressions regressions, $toggles toggles";
	all_unique("running: no ID twice", $count, [ map { "$_.id" } @files ]);
	done($node, $session);
}

done_testing();
