# The reader of docs/managed.md, without a horizon: no row is lost, whatever the order of its
# steps and those of two writers.  All orders are run, with the SQL edition.  Then under load,
# for FEEDS_SECONDS (4), while processes of writers and readers are stopped anywhere.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Edition;
use Flakeid::Feeds;
use Time::HiRes qw(usleep);

use constant SECONDS => $ENV{FEEDS_SECONDS} || 4;
use constant WRITERS => 10;

seeded();
my $files = edition_files();
my $node = new_server('edition_reader', extension => 0, init => { allows_streaming => 1 }, server => ['max_prepared_transactions = 5']);
my $page = slurp_file("$FindBin::RealBin/../../docs/managed.md");
my ($recipe) = $page =~ /^```sql\n(CREATE FUNCTION open_since.*?)^```/ms or die 'no recipe';
my ($bound, $rows) = $page =~ /^(SELECT uuid7_min\(open_since\(\)\));.*\n(SELECT [^;]*);/m or die 'no statements';

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

# The clock is the one that was read before the list.
is(attempt($sessions{reader}, q(SELECT open_since('2020-01-01Z') = '2020-01-01Z', pg_get_function_arguments('open_since'::regproc))), 't|at timestamp with time zone DEFAULT clock_timestamp()', 'the clock is read before the list');

# The reader does get rows: nobody holds it back when all have ended.
is(attempt($sessions{reader}, q(SELECT count(*) > 250 FROM event WHERE id < uuid7_min(open_since()))), 't', 'when all have ended it reads all');

# ---------- under load ----------

# Readers are procedures that commit after each of the page's statements; the naive one has no
# bound.  Each remembers the rows that it gets, the last of which is its position.
my %bounds = (reader => "($bound)", naive => q('ffffffff-ffff-ffff-ffff-ffffffffffff'));

$node->safe_psql('postgres', 'CREATE TABLE feed (id uuid PRIMARY KEY DEFAULT uuid7_new()); CREATE TABLE stopped (); GRANT SELECT ON feed, stopped TO reader');
foreach my $reader (sort keys %bounds)
{
	my $next = $rows =~ s/\bevent\b/feed/r =~ s/\$1/last/r =~ s/\$2/bound/r;

	$node->safe_psql('postgres', qq(SET ROLE reader;
		CREATE TABLE got_$reader (id uuid);
		CREATE PROCEDURE read_$reader(once boolean) LANGUAGE plpgsql AS \$\$
		DECLARE
			last uuid := coalesce((SELECT id FROM got_$reader ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000');
			bound uuid;
			next text;
		BEGIN
			COMMIT;
			LOOP
				bound := $bounds{$reader};
				COMMIT;
				WITH rows AS MATERIALIZED ($next), kept AS (INSERT INTO got_$reader SELECT id FROM rows) SELECT max(id::text COLLATE "C") INTO next FROM rows;
				last := coalesce(next::uuid, last);
				COMMIT;
				EXIT WHEN once AND next IS NULL OR NOT once AND EXISTS (SELECT FROM stopped);
				COMMIT;
			END LOOP;
		END \$\$));
}

my @scripts = (
	[ 6, 'INSERT INTO feed DEFAULT VALUES;' ],
	[ 3, "\\set wait random(0, 5000)\nBEGIN;\nINSERT INTO feed DEFAULT VALUES;\n\\sleep :wait us\nINSERT INTO feed DEFAULT VALUES;\nCOMMIT;" ],
	[ 1, "\\set wait random(0, 5000)\nBEGIN;\nINSERT INTO feed DEFAULT VALUES;\n\\sleep :wait us\nROLLBACK;" ],
	[ 2, "\\set wait random(0, 5000)\nBEGIN;\nSAVEPOINT s;\nSELECT uuid7_new() AS id \\gset\nINSERT INTO feed DEFAULT VALUES;\nROLLBACK TO s;\n\\sleep :wait us\nSAVEPOINT t;\nINSERT INTO feed VALUES (':id');\nRELEASE t;\nINSERT INTO feed DEFAULT VALUES;\nCOMMIT;" ],
	[ 1, "\\set wait random(0, 40)\nBEGIN;\nINSERT INTO feed SELECT uuid7_new() FROM generate_series(1, 20);\n\\sleep :wait ms\nCOMMIT;" ]);
my $scripts = sub { my ($once) = @_; map { "SET ROLE reader; CALL read_$_($once);" } sort keys %bounds };
my @readers = start_sessions($node, $scripts->('false'));
my $writers = start_writers($node, WRITERS, SECONDS, @scripts);
my $stops = 0;

# Every other time it is the reader with the bound, whose steps matter most.
while ($writers->{run}->pumpable)
{
	my %pids = map { split /\|/ } split /\n/, $node->safe_psql('postgres', q(SELECT pid, query ~ 'CALL read_reader' FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()));
	my @reader = grep { $pids{$_} eq 't' } keys %pids;

	foreach my $pid (map { (@reader, (keys %pids)[ rand keys %pids ]) } 1 .. 20)
	{
		$stops += kill STOP => $pid;
		usleep(rand 10_000);
		kill CONT => $pid;
		usleep(rand 3_000);
	}
}
$writers->{run}->finish;
unlike(slurp_file($writers->{err}), qr/ERROR/, 'under load: no error of the writers');
diag("stopped processes $stops times");
$node->safe_psql('postgres', 'INSERT INTO stopped DEFAULT VALUES');
finish_sessions(@readers);
run_sessions($node, $scripts->('true'));
expect_all_read($node, $_, 'feed', 'id') foreach sort keys %bounds;

# ---------- what it refuses ----------

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
