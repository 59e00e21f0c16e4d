# Nights of flakeid_maintain() in simulated worlds: rows on all days, on some, never; a clock that
# is wrong for a night or for three, and right again; a job that is missed for a week.  What
# "retain" covers stays, and what is due goes.  (test/unit/retention_test.c has the rule alone, in
# many more worlds.)
#
# RETENTION_NIGHTS is how many nights there are.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use List::Util qw(max);
use POSIX qw(strftime);
use Time::Local qw(timegm);

use constant DAY => 86_400;
use constant RETAIN => 15;

plan skip_all => 'no compiler' unless clock_available();

my $nights = $ENV{RETENTION_NIGHTS} || 60;
my $node = new_server('model', clock => 1, server => [ "timezone = 'UTC'", 'fsync = off', 'max_locks_per_transaction = 256' ]);
my $first = timegm(0, 30, 3, 5, 0, 2026);    # a Monday

# Each is a table with steps of a day.  wrong: the first and last night, and the days that the
# clock is ahead then; missed: the first and last night without a call; lost: rows that may go
# early, held: how old the oldest row of a right night may be, in days, most: partitions.
my %worlds = (
	every_day => { held => 17, most => 19 },
	on_weekdays => { rows => sub { $_[0] % 7 < 5 }, held => 18, most => 20 },
	on_sundays => { rows => sub { $_[0] % 7 == 6 }, held => 22, most => 25 },
	never => { rows => sub { 0 }, held => 0, most => 20 },
	ahead_one_night => { wrong => [ 30, 30, 365 ], lost => 1, held => 18, most => 23 },
	ahead_three_nights => { wrong => [ 30, 32, 365 ], ahead => 4, lost => 3, held => 19, most => 30 },
	ahead_by_days => { wrong => [ 30, 30, 10 ], ahead => 12, lost => 1, held => 25, most => 42 },
	behind_one_night => { wrong => [ 30, 30, -365 ], held => 18, most => 20 },
	behind_three_nights => { wrong => [ 30, 32, -365 ], ahead => 4, held => 20, most => 24 },
	missed_for_a_week => { missed => [ 30, 36 ], ahead => 9, held => 24, most => 28 },
	missed_on_sundays => { rows => sub { $_[0] % 7 == 6 }, missed => [ 30, 36 ], ahead => 9, held => 29, most => 40 });

sub utc { return strftime('%F %TZ', gmtime shift) }

sub between { my ($night, $from, $to) = @_; return defined $from && $night >= $from && $night <= $to }

# Statements of one night, at this clock; returns what was said.
sub say_at
{
	my ($at, @statements) = @_;

	set_clock($node, sprintf '%+d', $at - time);
	return ($node->psql('postgres', join("\n", 'SET client_min_messages = warning;', @statements), on_error_stop => 0))[2];
}

my $counts = session($node);    # which knows the partitions of the night before

$node->safe_psql('postgres', join '', map { "CREATE TABLE $_ (id sno PRIMARY KEY, at timestamptz) PARTITION BY RANGE (id);" } sort keys %worlds);

foreach my $night (0 .. $nights - 1)
{
	my $now = $first + $night * DAY;
	my %at;    # the clock of the call: its tables

	foreach my $name (sort keys %worlds)
	{
		my $world = $worlds{$name};
		my ($from, $to, $skew) = @{ $world->{wrong} || [] };

		push @{ $at{ $now + (between($night, $from, $to) ? $skew * DAY : 0) } }, $name;
	}
	foreach my $clock (sort { $a <=> $b } keys %at)
	{
		my @statements;

		# after a call the rows of noon, if any
		foreach my $name (@{ $at{$clock} })
		{
			my $world = $worlds{$name};
			my $noon = utc($clock + 8.5 * DAY / 24);

			push @statements, "CALL flakeid_maintain('$name', '1 day', ahead => " . ($world->{ahead} || 2) . ", retain => '${\RETAIN} days');"
				unless between($night, @{ $world->{missed} || [] });
			next if $world->{rows} && !$world->{rows}->($night);
			push @statements, "INSERT INTO $name VALUES (sno_make('$noon', 0, 1, $night), '" . utc($now + 8.5 * DAY / 24) . "');";
		}
		my $said = say_at($clock, @statements);
		my @errors = $said =~ /ERROR:  (.*)/g;
		my @expected = $clock < $now ? map { qr/^the clock reads 2025-\S+ \S+, but the first rows of table "$_" are of 2026-/, qr/^no partition of relation "$_"/ } @{ $at{$clock} } : ();

		is(scalar(@errors), scalar(@expected), "night $night: as many errors as due") or diag($said);
		like(shift @errors, $_, "night $night: a clock that is behind") foreach @expected;
		$worlds{$_}->{written}->{$night} = 1 foreach grep { $clock >= $now && (!$worlds{$_}->{rows} || $worlds{$_}->{rows}->($night)) } @{ $at{$clock} };
	}

	# how many rows of the last days there are, how old the oldest is, and how many partitions
	my @found = split /\n/, attempt($counts, join ' UNION ALL ', map { "SELECT '$_', count(*) FILTER (WHERE at > timestamptz '${\utc($now)}' - interval '${\RETAIN} days'),
		coalesce(extract(epoch FROM timestamptz '${\utc($now)}' - min(at) FILTER (WHERE id < timestamptz '${\utc($now)}')), 0), (SELECT count(*) FROM pg_inherits WHERE inhparent = '$_'::regclass) FROM $_" } sort keys %worlds);
	foreach (@found)
	{
		my ($name, $rows, $age, $partitions) = split /\|/;
		my $world = $worlds{$name};
		my $due = grep { $_ > $night - RETAIN && $_ <= $night } keys %{ $world->{written} };

		$world->{worst} = max($world->{worst} || 0, $due - $rows);
		$world->{oldest} = max($world->{oldest} || 0, $age / DAY) unless between($night, @{ $world->{wrong} || [] });
		$world->{count} = max($world->{count} || 0, $partitions);
	}
}
foreach my $name (sort keys %worlds)
{
	my $world = $worlds{$name};

	note(sprintf '%s: at most %d rows gone early, the oldest %.1f days, %d partitions', $name, @$world{qw(worst oldest count)});
	cmp_ok($world->{worst}, '<=', $world->{lost} || 0, "$name: what retain covers is there");
	cmp_ok($world->{oldest}, '<=', $world->{held}, "$name: what is due goes");
	cmp_ok($world->{count}, '<=', $world->{most}, "$name: partitions");
}

$counts->quit;
$node->stop;
done_testing();
