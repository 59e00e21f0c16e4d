# The reader of docs/managed.md, without a horizon: no row is lost, whatever the order of its
# steps and those of two writers.  All orders are run, with the SQL edition.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use Flakeid::Edition;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $files = edition_files();
my $node = new_server('edition_reader', extension => 0, init => { allows_streaming => 1 }, server => ['max_prepared_transactions = 5']);
my ($recipe) = slurp_file("$FindBin::RealBin/../../docs/managed.md") =~ /^```sql\n(CREATE FUNCTION open_since.*?)^```/ms or die 'no recipe';

$node->safe_psql('postgres', 'CREATE ROLE reader LOGIN; GRANT pg_read_all_stats TO reader; CREATE ROLE poor LOGIN; GRANT CREATE ON SCHEMA public TO reader;' . slurp_file("$files/flakeid.sql") . $recipe);
$node->safe_psql('postgres', 'CREATE TABLE event (id uuid PRIMARY KEY DEFAULT uuid7_new(), schedule int, writer text); GRANT SELECT ON event TO reader');

my %sessions = (
	reader => session($node, params => [ '-U', 'reader' ]), slow => session($node), fast => session($node));

# The orders of the steps of several sessions, each of which has its own in order.
sub orders
{
	my (%left) = @_;
	my @who = grep { @{ $left{$_} } } sort keys %left;

	return [] if !@who;
	return map {
		my $who = $_;
		my ($first, @rest) = @{ $left{$who} };

		map { [ [ $who, $first ], @$_ ] } orders(%left, $who => \@rest);
	} @who;
}

# Run an order.  Returns the number of rows that the reader has passed without getting them; "below"
# is the condition on what it may read, in which $h is its horizon.
sub lost
{
	my ($number, $order, $below) = @_;
	my ($at, $h) = ('', '');
	my %got;
	my $read = sub {
		my $rows = attempt($sessions{reader}, "SELECT id FROM event WHERE schedule = $number AND $below ORDER BY id" =~ s/\$h/'$h'/r);

		die $rows if $rows =~ /ERROR/;
		$got{$_} = 1 foreach split /\n/, $rows;
	};

	foreach my $step (@$order)
	{
		my ($who, $sql) = @$step;

		usleep(2_000);    # no two steps are in one millisecond, in which the horizon forgives all
		if ($sql eq 'clock') { $at = attempt($sessions{reader}, 'SELECT clock_timestamp()') }
		elsif ($sql eq 'list') { $h = attempt($sessions{reader}, "SELECT uuid7_min(open_since('$at'))"); die $h if $h =~ /ERROR/ }
		elsif ($sql eq 'read') { $read->() }
		else
		{
			my $answer = attempt($sessions{$who}, $sql =~ s/NUMBER/$number/r);

			die $answer if $answer =~ /ERROR/;
		}
	}

	# what is below the last row that the reader got, it will not look for again
	my @all = split /\n/, $node->safe_psql('postgres', "SELECT id FROM event WHERE schedule = $number ORDER BY id");
	my ($last) = sort { $b cmp $a } keys %got;

	return scalar grep { defined $last && $_ lt $last && !$got{$_} } @all;
}

my @orders = orders(
	reader => [ 'clock', 'list', 'read' ],
	slow => [ 'BEGIN', q(INSERT INTO event (schedule, writer) VALUES (NUMBER, 'slow')), 'COMMIT' ],
	fast => [ q(INSERT INTO event (schedule, writer) VALUES (NUMBER, 'fast')) ]);
my ($lost, $naive, $number) = (0, 0, 0);

is(@orders, 140, 'so many orders');
foreach my $order (@orders)
{
	$lost += lost(++$number, $order, 'id < $h');
	$naive += lost(++$number, [ grep { $_->[1] !~ /^(?:clock|list)$/ } @$order ], 'true') if $number % 4 == 1;
}
is($lost, 0, 'no order loses a row');
cmp_ok($naive, '>', 0, 'without the horizon some do');

# The reader does get rows: nobody holds it back when all have ended.
is(attempt($sessions{reader}, q(SELECT count(*) > 250 FROM event WHERE id < uuid7_min(open_since()))), 't', 'when all have ended it reads all');

# What it refuses rather than lose rows.
attempt($sessions{slow}, 'BEGIN');
my ($rc, $out, $err) = $node->psql('postgres', 'SELECT open_since()', extra_params => [ '-U', 'poor' ]);
like($err, qr/the transactions of other sessions are not visible/, 'a role that does not see the others');
attempt($sessions{slow}, 'ROLLBACK');

# A stranger's query is text that says anything.
my $stranger = IPC::Run::start([ $node->installed_command('psql'), '-XAtq', '-U', 'poor', '-d', $node->connstr('postgres'), '-c', '<insufficient privilege>', '-c', '\! cat' ], '<', \my $in, '>', \my $answer, '2>', \my $error);
$node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query = '<insufficient privilege>'))) or die 'no stranger';
is(attempt($sessions{reader}, 'SELECT open_since() IS NOT NULL'), 't', 'a stranger whose query says that it is hidden');
$stranger->finish;
attempt($sessions{slow}, $_) foreach 'SET track_activities = off', 'SELECT 1';
like(attempt($sessions{reader}, 'SELECT open_since()'), qr/ERROR:  42501: the transactions of other sessions are not visible/, 'a session whose activity is not tracked');
attempt($sessions{slow}, $_) foreach 'SET track_activities = on', 'BEGIN', 'INSERT INTO event (schedule) VALUES (0)', q(PREPARE TRANSACTION 'p');
like(attempt($sessions{reader}, 'SELECT open_since()'), qr/ERROR:  55000: there are prepared transactions/, 'a prepared transaction');
attempt($sessions{slow}, q(COMMIT PREPARED 'p'));

# A standby does not know the primary's transactions.
$node->backup('base');
my $standby = server_from('standby', $node, 'base', has_streaming => 1);
start_server($standby);
attempt($sessions{slow}, q(BEGIN; INSERT INTO event (schedule, writer) VALUES (0, 'slow')));
attempt($sessions{fast}, q(INSERT INTO event (schedule, writer) VALUES (0, 'fast')));
$node->wait_for_catchup($standby);
like(($standby->psql('postgres', 'SELECT open_since()'))[2], qr/the transactions of the primary are not visible/, 'a standby');
attempt($sessions{slow}, 'COMMIT');
$standby->stop;

$_->quit foreach values %sessions;
$node->stop;
done_testing();
