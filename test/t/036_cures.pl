# What an error says leads out of it: each is provoked, its HINT is followed to the letter, and
# the generators continue.  Errors speak of the type that was asked for.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

my %call = (siq => q(siq_new('message')), uid64 => 'uid64_new()', uid96 => 'uid96_new()', snowflake => 'snowflake_new()',
	ulid => 'ulid_new()', uuid7 => 'uuid7_new()', ksuid => 'ksuid_new()');
my $node = new_server('cures', clock => 1, extension => 0, conf => [ 'flakeid.node = 3', 'flakeid.max_wait = 200ms' ]);
my $session;

$node->stop;
set_clock($node, yesterday('10:00:00'));
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');
$session = session($node);

# Does every type make an ID?
sub all_make
{
	my ($name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return unlike(attempt($session, 'SELECT sno_new(0), ' . join ', ', values %call), qr/ERROR/, "$name: all types make IDs");
}

# The first statement that a hint names.
sub cure
{
	my ($answer) = @_;
	my ($statement) = $answer =~ /^HINT:.*?(SELECT flakeid_\w+\((?:[^()]|\(\))*\))/m;

	return $statement // 'no cure';
}

all_make('at first');

# ---------- the clock was wrong, and is right again ----------

foreach my $type (sort keys %call)
{
	like(attempt($session, "SELECT $call{$type}"), qr/^[^E]/, "$type: before");
}
set_clock($node, yesterday('15:00:00'));
all_make('hours ahead');
set_clock($node, yesterday('10:00:01'));
like(attempt($session, 'SELECT flakeid_clock_reset(now())'), qr/ERROR:  55000: IDs were issued at .*HINT:  Wait until the clock is past that/s,
	'reset immediately, where earlier IDs count as issued for a moment: wait');
set_clock($node, yesterday('10:00:03'));
foreach my $type (sort keys %call)
{
	my $answer = attempt($session, "SELECT $call{$type}");

	like($answer, qr/$too_far_behind the $type IDs already issued\n.*\(10s\)/s, "$type: the error is about what was asked for");
	is(cure($answer), 'SELECT flakeid_clock_reset(now())', "$type: and names the cure first");
}
unlike(attempt($session, cure(attempt($session, 'SELECT uid96_new()'))), qr/ERROR/, 'hours ahead: done');
all_make('hours ahead, after the cure');

# ---------- the time that was wrong has come ----------

set_clock($node, yesterday('15:00:00'));
foreach my $type (sort keys %call)
{
	my $answer = attempt($session, "SELECT $call{$type}");

	next if $answer !~ /ERROR/;    # at most max_ahead
	like($answer, qr/$too_far_behind the $type IDs already issued\n/, "$type, when it has come: why");
}

# over more time than max_ahead
set_clock($node, yesterday('16:00:00'));
all_make('later');
set_clock($node, yesterday('20:00:00'));
all_make('hours ahead again');
foreach my $time ('20:00:50', '20:01:40', '20:02:30')    # no jumps of more than a minute
{
	set_clock($node, yesterday($time));
	all_make("hours ahead again, $time");
}
set_clock($node, yesterday('16:00:03'));
like(attempt($session, 'SELECT flakeid_clock_reset(now())'), qr/^\d/, 'hours ahead again: reset');
set_clock($node, yesterday('20:01:00'));
{
	# sno goes on on its other timeline; the others name the reset, which says that IDs were issued then, and names the force
	my $refusal = attempt($session, cure(attempt($session, 'SELECT snowflake_new()')));

	like(attempt($session, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'the time has come: sno makes IDs');
	like($refusal, qr/ERROR:  55000: IDs were issued at .*20:01:00.*DETAIL:  IDs of this database count as issued from .*20:00:00.* to .*20:02:/s, 'the time has come: why there is no reset');
	is(cure($refusal), 'SELECT flakeid_clock_reset(now(), force => true)', 'the time has come: and the cure');
	unlike(attempt($session, cure($refusal)), qr/ERROR/, 'the time has come: forced');
}
all_make('the time has come, after the cure');

# ---------- advanced too far ----------

# What psql prints of a statement, warnings included.
sub told
{
	my ($sql) = @_;

	attempt($session, $sql);
	return "$session->{stderr}$session->{stdout}";
}

unlike(told(q(SELECT flakeid_advance(now() + interval '5 s'))), qr/WARNING|ERROR/, 'advanced within max_ahead: nothing to say');
my $warning = told(q(SELECT flakeid_advance(now() + interval '1 min')));
like($warning, qr/WARNING:  01000: no IDs are made in this database until the clock is near .*20:0\d:.*DETAIL:  .*\(10s\)/s, 'advanced by a minute: a warning');
like(attempt($session, 'SELECT snowflake_new()'), qr/ERROR:  55000/, 'advanced by a minute: and so it is');
is(cure($warning), 'SELECT flakeid_clock_reset(now(), force => true)', 'advanced by a minute: the cure');
attempt($session, cure($warning));
all_make('advanced by a minute, after the cure');

# Somebody who has not seen the warning gets there from the error.
told(q(SELECT flakeid_advance(now() + interval '1 min')));
my $refusal = attempt($session, cure(attempt($session, 'SELECT snowflake_new()')));
like($refusal, qr/ERROR:  55000: IDs were issued at .*HINT:  .*flakeid_advance\(\) was a mistake/s, 'advanced by a minute, unseen: the first cure is refused, and says why');
is(cure($refusal), 'SELECT flakeid_clock_reset(now(), force => true)', 'advanced by a minute, unseen: and names the second');
unlike(attempt($session, cure($refusal)), qr/ERROR/, 'advanced by a minute, unseen: done');
all_make('advanced by a minute, unseen, after the cures');

my $year = told(q(SELECT flakeid_advance(now() + interval '1 year')));
like($year, qr/ERROR:  22023: instant is more than a day ahead of the clock: .*HINT:  .*force => true/s, 'advanced by a year: refused');
all_make('advanced by a year, which was refused');
like(told(q(SELECT flakeid_advance(now() + interval '1 year', force => true))), qr/WARNING/, 'advanced by a year, forced');
like(attempt($session, 'SELECT snowflake_new()'), qr/ERROR:  55000/, 'advanced by a year, forced: no IDs');

$session->quit;
$node->stop;
done_testing();
