# What every type does when the clock steps: a little, a lot, years ahead and back, out
# of its span, not at all; which error it reports if it cannot continue, and the ways
# out.  The clock stops between its steps, so that times are exact.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use POSIX qw(strftime);

plan skip_all => 'no compiler' unless clock_available();

use constant START => (int(time / 86400) - 1) * 86400 + 36000;    # yesterday; yesterday() says why
use constant YEAR => 365.25 * 86400;

my @types = ('sno', 'siq', 'uid64', 'uid96', 'snowflake', 'ulid', 'ksuid', 'flax');
my %call = (map({ $_ => "${_}_new()" } @types), sno => 'sno_new(0)', siq => "siq_new('message')");
my @conf = ('flakeid.node = 11', 'flakeid.max_wait = 200ms');
my $node = new_server('clocks', clock => 1, conf => \@conf, extension => 0);
my ($session, $log, %last, %seen);

# Seconds from the start, in the form the clock accepts, and as messages report them.
sub instant
{
	my ($at) = @_;

	return strftime('%Y-%m-%d %H:%M:%S', gmtime(START + POSIX::floor($at))) . sprintf('%.3f', $at - POSIX::floor($at)) =~ s/^0//r;
}

sub reported
{
	my ($at) = @_;
	my ($seconds, $tenth) = instant($at) =~ /^(.*)\.(\d)/;

	return $tenth ? qr/$seconds\.$tenth\d*\+00/ : qr/$seconds(?:\.0\d*)?\+00/;
}

# Set the clock, and see what each type does there:
#   clock   an ID of the clock's time
#   flip    the same, on the other timeline (sno); the first begins with the next unit
#           of time
#   on      an ID of the time of its last one, above it
#   new     an ID, of any time
#   wait    55000, because the clock does not move (sno)
#   a number of seconds   55000, which names the clock and this time
#   span    22008, which names the span
#   left    22008, because a mark is beyond its end
# No ID is ever equal to an earlier one.
sub at
{
	my ($name, $at, %does) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	set_clock($node, instant($at));
	foreach my $type (@types)
	{
		my $does = $does{$type} // ($type eq 'flax' ? 'clock' : $does{others});
		my $sql = "SELECT id::bytea, extract(epoch FROM id::timestamptz) - @{[START]}" . ($type eq 'sno' ? ', sno_tick_tock(id)' : '')
		  . " FROM (SELECT $call{$type} AS id) AS v";
		my $answer = attempt($session, $sql);
		my ($id, $time, $bit);

		if ($does eq 'wait' || ($does eq 'flip' && $last{$type}{bit} eq 't'))
		{
			like($answer, qr/ERROR:  55000: /, "$name: $type: waits for a time to come");
			next if $does eq 'wait';
			$at += 0.005;
			set_clock($node, instant($at));
			$answer = attempt($session, $sql);
		}
		if ($does eq 'left')
		{
			like($answer, qr/ERROR:  22008: could not generate $type after the last instant of its span.*DETAIL: .*HINT: .*flakeid_clock_reset/s, "$name: $type: none is left");
			next;
		}
		if ($does eq 'span')
		{
			like($answer, qr/ERROR:  22008: .*DETAIL: .*\d{4}-\d\d-\d\d .*\d{4}-\d\d-\d\d /s, "$name: $type: out of its span");
			next;
		}
		if ($does =~ /^[\d.-]+$/)
		{
			like($answer, qr/$too_far_behind the $type IDs already issued.*DETAIL:  The clock reads @{[reported($at)]}.* up to @{[reported($does)]}, which is more than flakeid\.max_ahead \(10s\) later\.\nHINT:  .*flakeid_clock_reset/s,
				"$name: $type: too far behind, with both times and a hint");
			next;
		}
		($id, $time, $bit) = split /\|/, $answer;
		if (!is(($answer =~ /^\\x/ && !$seen{$answer}++) ? 'new' : $answer, 'new', "$name: $type: an ID, and a new one"))
		{
			next;
		}
		# a unit of time has at most 4 ms, except for ksuid
		my $unit = $type eq 'ksuid' ? 1.001 : 0.005;
		cmp_ok(abs($time - $at), '<', $unit, "$name: $type: of the clock's time") if $does =~ /clock|flip/;
		is($bit, $last{$type}{bit} eq 't' ? 'f' : 't', "$name: $type: on the other timeline") if $does eq 'flip';
		is($bit, $last{$type}{bit}, "$name: $type: on the same timeline") if $type eq 'sno' && $does eq 'on';
		is($id gt $last{$type}{id} && $time - $last{$type}{time} < $unit, 1, "$name: $type: above its last one, in the same time") if $does eq 'on';
		$last{$type} = { id => $id, time => $time, bit => $bit };
	}
	return;
}

# Reset to a time at which nothing was issued: this needs no force, even if others have continued.
sub reset_to_gap
{
	my ($name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(attempt($session, q(SELECT count(flakeid_clock_reset(now())))), '1', "$name: reset without force");
}

$node->stop;
set_clock($node, instant(0));
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');
$session = session($node);
at('start', 0, others => 'clock');

# ---------- back ----------

# Each starts from a time later than everything before.
foreach my $back (0.010, 1)
{
	at("forward, before $back s back", $back * 1000, others => 'clock');
	at("$back s back", $back * 1000 - $back, others => 'on', sno => 'flip');
	at('on from there', $back * 1000 + 1, others => 'clock');
}

# each kind of event has its line in the log, although they happened together
$log = slurp_file($node->logfile);
like($log, qr/LOG:  clock is \d+ ms behind the $_ IDs already issued in this database\n.*DETAIL:  Generators continue ahead of the clock/, "logged: $_ runs on")
  foreach qw(siq uid64 snowflake);
like($log, qr/LOG:  clock is \d+ ms behind the sno IDs already issued in this database\n.*DETAIL:  .* tick-tock bit flipped/, 'logged: sno toggles');

at('forward, before 10 min back', 10_000, others => 'clock');
at('10 min back', 9_400, others => 10_000, sno => 'flip');

# the ways out: wait, raise max_ahead, reset the marks
at('nearly there again', 9_991, others => 'on', sno => 'clock');
at('10 min back once more', 9_400.5, others => 10_000, sno => 9_991);
like(attempt($session, 'SELECT flakeid_clock_reset(now())'),
	qr/ERROR:  55000: IDs were issued at @{[reported(9_400.5)]}.*DETAIL: .*HINT: .*force/s, '10 min back: no reset without force');
at('10 min back, nothing was reset', 9_400.6, others => 10_000, sno => 9_991);
configure($node, @conf, 'flakeid.max_ahead = 11min');
at('10 min back, max_ahead raised', 9_400.7, others => 'on');
configure($node, @conf);
set_clock($node, instant(9_400.8));
is(attempt($session, "SELECT flakeid_clock_reset(now(), force => true) = '@{[instant(9_400.8)]}+00'"), 't', '10 min back: reset by force');
at('10 min back, after the reset', 9_400.9, others => 'clock');

# ---------- counted as issued ----------

foreach my $case (
	[ 'advance', 20_000, 'SELECT flakeid_advance(%s)' ],
	[ 'a restored mark', 30_000, raise_marks('%s') ])
{
	my ($name, $from, $how) = @$case;

	at("before $name", $from, others => 'clock');
	unlike(attempt($session, sprintf $how, "timestamptz '@{[instant($from + 3600)]}+00'"), qr/ERROR/, $name);
	at("$name, an hour late", $from + 1, others => $from + 3600);
	like(attempt($session, 'SELECT flakeid_clock_reset(now())'), qr/ERROR:  55000: IDs were issued at/, "$name: no reset without force");
	at("$name, nothing was reset", $from + 2, others => $from + 3600);
	at("$name, once the clock is there", $from + 3601, others => 'clock');
}

# ---------- a stopped clock ----------

# A tick's numbers are handed out to the last, and then there are none until the next
# tick.
{
	my %ids = (sno => 65_536, siq => 4_096, uid64 => 16_384, uid96 => 16_384, snowflake => 131_072);
	my $at = 35_000;

	foreach my $type (sort keys %ids)
	{
		set_clock($node, instant($at += 10));
		is(attempt($session, "SELECT count(DISTINCT $call{$type}) FROM generate_series(1, $ids{$type})"), $ids{$type}, "stopped: $type: all of a tick");
		like(attempt($session, "SELECT $call{$type}"),
			qr/ERROR:  55000: could not generate $type within flakeid\.max_wait \(200ms\).*DETAIL:  Generator \d+ has used up the sequence of the tick that starts at @{[reported($at)]}, and the clock reads @{[reported($at)]}\..*HINT:  Correct the clock if it stands still/s,
			"stopped: $type: then none");
		set_clock($node, instant($at + 0.008));
		is(attempt($session, "SELECT count($call{$type})"), '1', "stopped: $type: until it moves");
	}
	is(attempt($session, 'SELECT count(DISTINCT flax_new()) FROM generate_series(1, 100000)'), '100000', 'stopped: flax: does not matter');
	at('on from there', 36_000, others => 'clock');
}

# ---------- IDs made at a wrong time, which the clock later reaches ----------

at('an hour ahead', 39_600, others => 'clock');
at('and at work there', 39_600 + 50 * $_, others => 'clock') foreach 1 .. 3;
at('an hour back', 36_010, others => 39_750, sno => 'flip');
at('for a while there', 36_020, others => 39_750, sno => 'clock');
# sno is on the other timeline, and nothing remains of it there
reset_to_gap('an hour back');
at('an hour back, after the reset', 36_020.1, others => 'clock', sno => 'clock');
at('an hour later', 39_640, others => 39_752, sno => 'clock');
like(attempt($session, q(SELECT count(flakeid_clock_reset(now())))), qr/ERROR:  55000: IDs were issued at @{[reported(39_640)]}.*DETAIL:  IDs of this database count as issued from /s, 'an hour later: no reset without force');
at('an hour later, after the reset', 39_640.1, others => 39_752, sno => 'clock');
is(attempt($session, q(SELECT count(flakeid_clock_reset(now(), force => true)))), '1', 'an hour later: by force');
at('an hour later, what was wrong is forgotten', 39_660, others => 'clock');

# ---------- out of the span ----------

at('20 years back', -20 * YEAR, others => 39_660, map({ $_ => 'span' } 'sno', 'snowflake', 'ksuid', 'flax'));
like(attempt($session, 'SELECT sno_snapshot()'), qr/ERROR:  22008: .*DETAIL: /s, '20 years back: nor is there a time for a snapshot');
at('and where it was', 40_000, others => 'clock');

# ---------- years ahead and back ----------

at('10 years ahead', 10 * YEAR, others => 'clock');
at('and back', 40_003, others => 10 * YEAR, sno => 'flip');
at('for a while', 40_010, others => 10 * YEAR, sno => 'clock');
reset_to_gap('10 years back');
at('10 years back, after the reset', 40_010.1, others => 'clock', sno => 'clock');
at('10 years back, on from there', 40_014, others => 'clock');

# IDs issued at the wrong time are skipped when the clock reaches it, also after a crash
$session->quit;
crash($node, all => 1);
start_server($node);
$session = session($node);
at('10 years back, after a crash', 40_020, others => 'clock');
at('10 years ahead, this time really', 10 * YEAR, others => 'new', sno => 'flip');
at('and on from there', 10 * YEAR + 60, others => 'clock');

SKIP:
{
	skip 'time_t, of 32 bits, ends in 2038', 1 unless clock_reaches(200);

	at('200 years ahead', 200 * YEAR, others => 'clock', map({ $_ => 'span' } 'sno', 'snowflake', 'ksuid', 'flax'));
	at('200 years back', 10 * YEAR + 70, others => 200 * YEAR, sno => 'clock', snowflake => 'left', ksuid => 'left');
	reset_to_gap('200 years back');
	at('200 years back, after the reset', 10 * YEAR + 70.1, others => 'clock', sno => 'clock');
	at('200 years back, on from there', 10 * YEAR + 74, others => 'clock');

	# a mark that only some types can reach, in a dump
	$node->safe_psql('postgres', 'CREATE DATABASE late');
	$node->command_ok([ 'sh', '-c', 'pg_dump postgres | psql -Xq -v ON_ERROR_STOP=1 -d late' ], '200 years back: a dump can be restored');
	is($node->safe_psql('late', 'SELECT count(*) > 0 FROM flakeid_issued WHERE kind = 2 AND NOT is_current AND issued_to > now()'), 't', '200 years back: with the marks it had');
}

$session->quit;
$node->stop;

# ---------- what was issued at a wrong time, elsewhere ----------

# A dump carries the record.  Another database, with another number, has nothing to skip.
foreach my $how ('another database', 'a restored dump')
{
	my $database = $how =~ s/\W/_/gr;
	my $other = new_server($database, clock => 1, conf => [ 'flakeid.node = 11', $conf[1] ], extension => 0);
	my (%wrong, %right, $into);

	$other->stop;
	set_clock($other, instant(0));
	start_server($other);
	$other->safe_psql('postgres', 'CREATE EXTENSION flakeid');
	$other->safe_psql('postgres', "CREATE DATABASE $database");
	if ($how eq 'another database')
	{
		$other->safe_psql('postgres', "ALTER DATABASE $database SET flakeid.node = 12");
		$other->safe_psql($database, 'CREATE EXTENSION flakeid; ' . making(1));
	}
	$session = session($other);
	probe($session);
	set_clock($other, instant(3600));
	%wrong = probe($session);
	set_clock($other, instant(10));
	reset_to_gap($how);
	set_clock($other, instant(20));
	probe($session);
	$session->quit;
	if ($how eq 'a restored dump')
	{
		$other->command_ok([ 'sh', '-c', 'pg_dump postgres | psql -Xq -v ON_ERROR_STOP=1 -d "$1"', 'sh', $database ], "$how: restored");

		# on a server without any other record
		crash($other, all => 1);
		start_server($other);
	}

	set_clock($other, instant(3600));
	$into = session($other, database => $database);
	%right = probe($into);
	# of the types with a number, or with two timelines
	foreach my $generator (grep { $how eq 'a restored dump' || /siq|uid96|snowflake/ } generators())
	{
		isnt($right{$generator}, $wrong{$generator}, "$how: $generator: an ID of the time that was wrong does not come again");
	}
	is((grep { !/^\\x/ } values %right), 0, "$how: and it makes IDs of that time") or diag explain \%right
	  if $how eq 'another database';
	$into->quit;
	$other->stop;
}

# ---------- a wrong time for two databases ----------

# Each has its own record, continues by itself and is reset by itself; the database that
# has made no ID at the wrong time continues as if nothing had happened.
{
	my $two = new_server('two', clock => 1, conf => [ 'flakeid.node = 11', $conf[1] ], extension => 0);
	my (%session, %all);
	# an explicit partition and uid64 are the same in both
	my $key = sub { return ($_[1] =~ /sno \d|uid64/ ? "$_[0] " : '') . "$_[1] " };
	my $ids = sub {
		my ($name, $database, $at) = @_;
		my %now;

		set_clock($two, instant($at));
		%now = probe($session{$database});
		# a timeline may begin with the next unit of time
		set_clock($two, instant($at + 0.005));
		$now{$_} = attempt($session{$database}, making(1, qr/^$_$/)) foreach grep { $now{$_} =~ /may be made/ } keys %now;
		is(join(', ', map { $now{$_} =~ /^\\x/ && !$all{ $key->($database, $_) . $now{$_} }++ ? () : "$_ $now{$_}" } sort keys %now),
			'', "$name: IDs, and new ones");
	};

	$two->stop;
	set_clock($two, instant(0));
	start_server($two);
	foreach my $database ('postgres', 'other')
	{
		$two->safe_psql('postgres', "$_ DATABASE other" . (/ALTER/ && ' SET flakeid.node = 12')) foreach $database eq 'other' ? qw(CREATE ALTER) : ();
		$two->safe_psql($database, 'CREATE EXTENSION flakeid');
		$session{$database} = session($two, database => $database);
		$ids->("two databases: $database", $database, 1);
	}
	foreach my $case ([ 'both', 3600, 'postgres', 'other' ], [ 'one', 7200, 'other' ])
	{
		my ($name, $wrong, @wrong) = @$case;
		my $right = $wrong - 3590;
		my @order = $name eq 'both' ? @wrong : ('postgres', 'other');

		$ids->("$name before a wrong time", 'postgres', $right - 5);
		$ids->("$name at a wrong time: $_", $_, $wrong) foreach @wrong;
		set_clock($two, instant($right));
		foreach my $database (@order)
		{
			my $was_wrong = grep { $_ eq $database } @wrong;

			$right += 0.5;
			set_clock($two, instant($right));
			like(attempt($session{$database}, 'SELECT uid64_new()'), $was_wrong ? qr/ERROR:  55000/ : qr/^[.0-9A-Z_a-z]{11}$/,
				"$name: the generators of $database are " . ($was_wrong ? 'ahead' : 'not concerned'));
			is(attempt($session{$database}, q(SELECT count(flakeid_clock_reset(now())))), '1', "$name: $database: reset without force");
			$ids->("$name: after the reset: $_", $_, $right + 0.1) foreach grep { $_ eq $database || $_ eq $order[0] } @order;
		}
		# the IDs issued then are skipped, up to the last mark
		set_clock($two, instant($wrong));
		foreach my $database (@order)
		{
			my %now = probe($session{$database});

			is(join(', ', grep { $now{$_} =~ /^\\x/ && $all{ $key->($database, $_) . $now{$_} }++ } sort keys %now), '',
				"$name: the wrong time has come: $database: no ID of it again");
		}
		$ids->("$name: the wrong time is past: $_", $_, $wrong + 3) foreach @order;
	}
	$_->quit foreach values %session;
	$two->stop;
}

# ---------- a quiet minute at a wrong time ----------

# A minute without IDs is not the gap to go back to, and must not be mistaken for it.
# Here the time since the machine started moves with the clock.
{
	my $quiet = new_server('quiet', clock => 1, conf => \@conf, extension => 0);

	local $ENV{FLAKEID_CLOCK_MONOTONIC} = 1;
	foreach my $visit ([ 'start', 0 ], [ 'an hour ahead', 3600, 3670, 3800 ])
	{
		my ($name, @at) = @$visit;

		$quiet->stop;
		set_clock($quiet, instant($at[0]));
		start_server($quiet);
		$quiet->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS flakeid');
		foreach my $at (@at)
		{
			set_clock($quiet, instant($at));
			$quiet->safe_psql('postgres', making(1));
		}
	}
	$quiet->stop;
	set_clock($quiet, instant(10));
	start_server($quiet);
	is($quiet->safe_psql('postgres', q(SELECT string_agg(DISTINCT to_char(issued_from AT TIME ZONE 'UTC', 'HH24:MI:SS'), ' ') FROM flakeid_issued WHERE is_current)),
		'11:00:00', 'a quiet minute: the gap that the clock jumped over is remembered');
	is($quiet->safe_psql('postgres', 'SELECT count(flakeid_clock_reset(now()))'), '1', 'a quiet minute: reset without force');
	like($quiet->safe_psql('postgres', making(1)), qr/^\\x/, 'a quiet minute: and on');
	$quiet->stop;
}

# ---------- two wrong times ----------

# Both are remembered, and the time between them stays free if it is more than an hour.
$node = new_server('twice', clock => 1, conf => \@conf, extension => 0);
$node->stop;
set_clock($node, instant(0));
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');
$session = session($node);
%last = %seen = ();

# The last mark is two seconds ahead, so there is an hour between 7200 and 10802.
foreach my $case ([ 0, 7200, 10_803 ], [ 20_000, 10_803, 7200 ], [ 40_000, 7200, 10_801 ], [ 60_000, 10_801, 7200 ])
{
	my ($start, @wrong) = ($case->[0], map { $case->[0] + $_ } @$case[ 1, 2 ]);
	my ($least, $greatest) = sort { $a <=> $b } @wrong;
	my $name = sprintf 'wrong times %+d s apart', $wrong[1] - $wrong[0];

	at("$name, before", $start + 1, others => 'clock');
	at("$name, the first", $wrong[0], others => 'clock');
	set_clock($node, instant($start + 10));
	reset_to_gap("$name, the first");
	at("$name, after the first", $start + 11, others => 'clock');
	at("$name, the second", $wrong[1], others => 'clock');
	set_clock($node, instant($start + 20));
	reset_to_gap("$name, the second");
	at("$name, after the second", $start + 21, others => 'clock');
	at("$name, the time between", $least + 1800, others => $greatest - $least > 3602 ? 'clock' : $greatest + 2, sno => $greatest - $least > 3602 ? 'clock' : 'flip');
}
$session->quit;
$node->stop;

done_testing();
