# An asynchronous standby that lags, and whose clock is five seconds late, is promoted and
# makes IDs immediately with the number of the old primary: with flakeid.promotion_gap it
# repeats none of the old primary's IDs.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

# Stopped clocks, so that two servers are in the same tick.
sub at
{
	my ($node, $second) = @_;

	set_clock($node, yesterday("10:00:$second"));
	return;
}

my $primary = new_server('primary', clock => 1, conf => ['flakeid.node = 11'], init => { allows_streaming => 1 });

at($primary, '00');
$primary->stop;
start_server($primary);
run_sessions($primary, making(10) . ';');

$primary->backup('base');

foreach my $gap (0, 9)
{
	my $standby = server_from("standby$gap", $primary, 'base', has_streaming => 1);
	my ($old, $new, @files);

	$standby->append_conf('postgresql.conf', "flakeid.promotion_gap = ${gap}s\n");
	at($standby, '00');
	start_server($standby);
	$primary->wait_for_catchup($standby);

	# the standby receives nothing more, and the primary makes IDs at 10:00:10, or later
	$standby->append_conf('postgresql.conf', "primary_conninfo = ''\n");
	$standby->reload;
	$standby->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_stat_wal_receiver') or die 'the standby still hears';
	at($primary, $gap == 0 ? '10' : '30');
	($old) = run_sessions($primary, making(100) . ';');

	# promoted five seconds before that by its own clock, which then reaches that time
	at($standby, $gap == 0 ? '05' : '25');
	$standby->promote;
	run_sessions($standby, 'SELECT snowflake_new(), sno_new(0), siq_new(\'message\'), uid64_new();');
	at($standby, $gap == 0 ? '10' : '30');
	($new) = run_sessions($standby, making(100) . ';');
	@files = map { my $file = id_file($standby, "ids$_"); append_to_file($file, ($old, $new)[$_] . "\n"); $file } 0, 1;

	if ($gap == 0)
	{
		my %made = map { (split /\|/)[5] => 1 } split /\n/, $old;

		cmp_ok(scalar(grep { $made{ (split /\|/)[5] } } split /\n/, $new), '>', 0, 'without a gap: snowflakes are repeated');
	}
	else
	{
		making_unique('with a gap', $standby, \@files, count => 200);

		# the clock is stopped
		my $ahead = q(SELECT round(extract(epoch FROM flax_timestamp(flax_new()) - clock_timestamp())));
		my $above = q(snowflake_new()::timestamptz >= clock_timestamp() + interval '9 s');

		is($standby->safe_psql('postgres', $ahead), '0', 'with a gap: flaxes follow the clock');
		is($standby->safe_psql('postgres', 'SELECT regressions, went_ahead FROM flakeid_clock'), '0|0', 'with a gap: it is no regression of the clock');
		unlike(slurp_file($standby->logfile), qr/IDs already issued in this database/, 'with a gap: ... and not logged as one');
		$standby->safe_psql('postgres', "CREATE DATABASE $_") foreach 'late', 'later';
		$standby->safe_psql($_, 'CREATE EXTENSION flakeid') foreach 'late', 'later';
		is($standby->safe_psql('late', "SELECT $above"), 'f', 'with a gap: a new database has none');
		$standby->stop;
		set_clock($standby, yesterday('10:05:00'));
		start_server($standby);
		is($standby->safe_psql($_, "SELECT $above"), 't', "with a gap: a restart costs it, too: $_") foreach 'postgres', 'late', 'later';
		set_clock($standby, yesterday('10:03:00'));
		like($standby->safe_psql('postgres', q(SELECT FROM flakeid_clock_reset(now()); SELECT snowflake_new()::timestamptz < clock_timestamp() + interval '1 s')), qr/^t$/m, 'with a gap: what it skips stays free for a reset');
	}
	$standby->stop;
}
$primary->stop;
done_testing();
