# The SQL tests on other days than today: over the end of a month, of February and of a year,
# and at a random time of the next four years.  CALENDAR_DAYS names
# days from now instead.  What an output says of the present must not depend on it.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use POSIX qw(strftime);
use Time::Local qw(timegm);

my ($tests) = slurp_file('Makefile') =~ /^REGRESS = (.*)/m;
my $year = (gmtime)[5] + 1901;
my @days = split ' ', $ENV{CALENDAR_DAYS} // '';
my $node = new_server('calendar', clock => 1, extension => 0, server => ['wal_level = replica', 'max_prepared_transactions = 10']);

mkdir 'results';
@days = ((map { (timegm(55, 59, 23, @$_) - time) / 86_400 } [ 28, 1, $year ], [ 30, 3, $year ], [ 31, 11, $year ]), rand 1461) unless @days;
foreach my $day (@days)
{
	my $at = sprintf '%.4f days from now, %s', $day, strftime('%Y-%m-%d %H:%M:%S', gmtime(time + $day * 86_400));

	set_clock($node, sprintf '%+.4fd', $day);
	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	system_log($ENV{PG_REGRESS}, '--bindir=' . $node->config_data('--bindir'), '--inputdir=.', '--outputdir=.', '--encoding=UTF8', '--no-locale',
		'--dbname=regress_calendar', split ' ', $tests);
	is($?, 0, $at) or diag(slurp_file('regression.diffs'));
}
$node->stop;
done_testing();
