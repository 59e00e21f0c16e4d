# Partitions by time on a server in use: concurrent calls wait for each other, sessions that
# read and insert continue, and pg_cron runs the recipe of docs/time.md successfully night
# after night.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use Time::Local qw(timegm);

my $node = new_server('partitions', server => [ "timezone = 'UTC'" ]);
my $create = q(SELECT flakeid_create_partitions('log', '2026-01-01', '2026-07-01', '1 month'));
my $drop = q(SELECT flakeid_drop_partitions('log', '2026-04-01'));
my $hand = session($node);

sub partitions
{
	my ($table) = (@_, 'log');

	return $node->safe_psql('postgres', qq(
		SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
		WHERE inhparent = '$table'::regclass));
}

sub months
{
	return join ' ', map { "log_${_}01" } @_;
}

# How many sessions wait for a lock.
sub waiting
{
	my ($count) = @_;

	return $node->poll_query_until('postgres',
		"SELECT count(*) = $count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND backend_type = 'client backend'");
}

# Sessions that insert rows of this body and ID, and read in the same transaction, until the
# test stops them.
sub start_inserting
{
	my ($body, $id) = @_;

	$node->safe_psql('postgres', qq(
		CREATE OR REPLACE PROCEDURE insert_into_log(INOUT n int) LANGUAGE plpgsql AS \$\$
		BEGIN
			LOOP
				PERFORM count(*) FROM log WHERE id <@ tstzrange(now() - interval '1 s', now());
				INSERT INTO log VALUES ($id, '$body');
				COMMIT;
				n := n + 1;
				EXIT WHEN pg_try_advisory_xact_lock_shared(1);
				PERFORM pg_sleep(0.002);
			END LOOP;
		END \$\$));
	attempt($hand, 'SELECT pg_advisory_lock(1)');
	return start_sessions($node, ('CALL insert_into_log(0)') x 2);
}

# One test: all their rows are there.
sub stop_inserting
{
	my ($body, @sessions) = @_;
	my $count = 0;

	attempt($hand, 'SELECT pg_advisory_unlock(1)');
	$count += $_ foreach finish_sessions(@sessions);
	return is($node->safe_psql('postgres', "SELECT count(*) FROM log WHERE body = '$body'"), $count, "$body: all $count rows are there");
}

# ---------- concurrent calls ----------

$node->safe_psql('postgres', 'CREATE TABLE log (id sno PRIMARY KEY DEFAULT sno_new(), body text) PARTITION BY RANGE (id)');
foreach my $case (
	[ 'COMMIT', $create, '', map { "20260$_" } 1 .. 6 ],
	[ 'COMMIT', $drop, '', map { "20260$_" } 4 .. 6 ],
	[ 'ROLLBACK', $create, join("\n", map { "log_20260${_}01" } 1 .. 3), map { "20260$_" } 1 .. 6 ],
	[ 'ROLLBACK', $drop, join("\n", map { "public.log_20260${_}01" } 1 .. 3), map { "20260$_" } 4 .. 6 ])
{
	my ($end, $call, $second, @left) = @$case;
	my $name = "two concurrent calls, the first one with $end: $call";
	my ($session, $out);

	like(attempt($hand, "BEGIN; $call"), qr/log_20260301/, "$name: does its work");
	($session) = start_sessions($node, $call);
	ok(waiting(1), "$name: the second one waits");
	attempt($hand, $end);
	($out) = finish_sessions($session);
	is($out, $second, "$name: the second one does the rest");
	is(partitions(), months(@left), "$name: together they have done it once");
}

# an open transaction on the table does not prevent new partitions, but it prevents the
# removal of old ones
attempt($hand, q(BEGIN; INSERT INTO log VALUES (sno_new_at('2026-05-05'))));
is($node->safe_psql('postgres', "SET lock_timeout = '10s'; $create"), join("\n", map { "log_20260${_}01" } 1 .. 3),
	'partitions are created while a transaction inserts');
my (undef, undef, $error) = $node->psql('postgres', "SET lock_timeout = '100ms'; $drop");
like($error, qr/ERROR:  canceling statement due to lock timeout/, 'with lock_timeout, dropping gives up');
is(partitions(), months(map { "20260$_" } 1 .. 6), 'and has dropped nothing');
attempt($hand, 'ROLLBACK');

# a partition that is incompletely detached takes no rows, and does not count as a partition
attempt($hand, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM log');
my ($detaching) = start_sessions($node, 'ALTER TABLE log DETACH PARTITION log_20260601 CONCURRENTLY');
$node->poll_query_until('postgres', 'SELECT EXISTS (SELECT FROM pg_inherits WHERE inhdetachpending)') or die 'nobody detaches';
$node->safe_psql('postgres', q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'ALTER TABLE log DETACH%'));
eval { finish_sessions($detaching) };
(undef, undef, $error) = $node->psql('postgres', $create);
like($error, qr/ERROR:  partition "log_20260601_1" would overlap partition "log_20260601"\n(?:.*\n)*?HINT:  Partition \S*log_20260601 is incompletely detached: .* FINALIZE/, 'an incompletely detached partition is an obstacle');
attempt($hand, 'COMMIT');
$node->safe_psql('postgres', 'ALTER TABLE log DETACH PARTITION log_20260601 FINALIZE; DROP TABLE log_20260601');
is($node->safe_psql('postgres', $create), 'log_20260601', 'and when it is gone its range is free');

# all simultaneously, without an error in any session
my @inserting = start_inserting('inserted while two create and drop', q(sno_new_at('2026-05-05')));
run_sessions($node, ("$create;\n$drop;\n" x 20) x 2);
stop_inserting('inserted while two create and drop', @inserting);
is(partitions(), months(map { "20260$_" } 4 .. 6), 'partitions created and dropped again and again');
$node->safe_psql('postgres', 'DROP TABLE log');

# ---------- at each isolation level ----------

$node->safe_psql('postgres', q(CREATE TABLE parent (id sno PRIMARY KEY DEFAULT sno_new(), n int UNIQUE, at timestamptz DEFAULT now(), other sno);
	CREATE INDEX ON parent (other); CREATE INDEX ON parent (at)));
foreach my $level ('repeatable read', 'serializable')
{
	my $set = "SET default_transaction_isolation = '$level'; ";

	$node->safe_psql('postgres', q(DROP TABLE IF EXISTS leveled; CREATE TABLE leveled (id sno PRIMARY KEY) PARTITION BY RANGE (id);
		SELECT count(*) FROM flakeid_create_partitions('leveled', date_trunc('day', now(), 'UTC') - interval '5 days', now(), interval '1 day');
		INSERT INTO leveled SELECT sno_new_at(now() - n * interval '12 hours') FROM generate_series(0, 9) AS n; TRUNCATE parent; INSERT INTO parent (n) VALUES (1)));
	unlike(($node->psql('postgres', "$set CALL flakeid_maintain('leveled', '1 day', retain => '4 days')"))[2], qr/ERROR/, "$level: flakeid_maintain");
	is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_inherits WHERE inhparent = 'leveled'::regclass)), '7', "$level: it has created two partitions and dropped one");
	is($node->safe_psql('postgres', "$set SELECT count(*) FROM flakeid_drop_partitions('leveled', now())"), '4', "$level: flakeid_drop_partitions");
	is(($node->psql('postgres', "$set CALL flakeid_backfill('parent', 'other', 'at', batch => 1)"))[0], 0, "$level: flakeid_backfill");
	is($node->safe_psql('postgres', 'SELECT count(other) FROM parent'), '1', "$level: it has done its work");
	is(($node->psql('postgres', "$set CALL flakeid_publish_horizon(true); CALL flakeid_publish_horizon()"))[0], 0, "$level: flakeid_publish_horizon");
}

# ---------- the recipe ----------

# The only sql block of docs/time.md that contains a text.
sub recipe
{
	my ($text) = @_;
	my @blocks = grep { /\Q$text\E/ } slurp_file("$FindBin::RealBin/../../docs/time.md") =~ /^```sql\n(.*?)^```\n/gms;

	die "docs/time.md: " . @blocks . " blocks with $text" if @blocks != 1;
	return $blocks[0];
}

# Set the clock to a time of day in UTC, from which it runs on.
sub at
{
	my ($day, $time) = @_;
	my ($year, $month, $mday, $hour, $minute, $second) = map { $_ + 0 } split /[-:]/, "$day-$time";

	set_clock($node, sprintf '%+d', timegm($second, $minute, $hour, $mday, $month - 1, $year) - time);
	return;
}

# Start the server with pg_cron at the time that was set.
sub start_cron
{
	$node->stop;
	start_server($node);
	$node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'pg_cron launcher')) or die 'pg_cron does not start';
	$hand = session($node);
	return;
}

# Let the jobs of a night run.  Insert rows for the days since the last night, and confirm to
# the server that its clock, which to it seems to be set ahead, is right.  The clock is then
# set ahead by two more minutes without a confirmation.
my $last_day = '2036-11-20';

sub night
{
	my ($day) = @_;

	at($day, '03:28:00');
	$node->safe_psql('postgres', "INSERT INTO log SELECT sno_new_at(at) FROM generate_series(timestamptz '$last_day 12:00', '$day', '12 hours') AS at; SELECT flakeid_stats_reset()");
	$last_day = $day;

	foreach ([ 'log', '03:29:59' ])
	{
		my ($job, $time) = @$_;

		at($day, $time);
		$node->poll_query_until('postgres', qq(
				SELECT count(*) = 1 FROM cron.job_run_details JOIN cron.job USING (jobid)
				WHERE jobname = '$job' AND start_time >= '$day' AND end_time < date '$day' + 1))
		  or die "$day: job \"$job\" has not run: " . $node->safe_psql('postgres', 'TABLE cron.job_run_details');
	}
	return;
}

SKIP:
{
	skip 'no compiler', 1 unless clock_available();
	skip 'pg_cron is not installed', 1
	  if $node->safe_psql('postgres', q(SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_cron')) eq '0';

	$hand->quit;
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_cron'\ncron.host = '" . $node->host . "'\nflakeid.max_ahead = 10min\n");
	$node->{flakeid_clock} = $node->basedir . '/clock';
	# nearly as late as 32 bits can express
	at('2036-11-20', '12:00:00');
	start_cron();
	$node->safe_psql('postgres', $_) foreach 'CREATE EXTENSION pg_cron', recipe('CREATE TABLE log '), recipe("cron.schedule('log'"),
	  q(SELECT flakeid_create_partitions('log', '2036-07-01', '2036-11-01', '1 month')),
	  q(INSERT INTO log SELECT sno_new_at(at) FROM generate_series(timestamptz '2036-07-01', '2036-11-20', '1 day') AS at);
	is(partitions(), months(203607 .. 203612, 203701), 'the table as docs/time.md makes it, and months before');

	@inserting = start_inserting('inserted while pg_cron works', 'sno_new()');
	night('2036-11-30');
	is(partitions(), months(203608 .. 203612, 203701), 'nothing to create, and what newer months make up for is dropped');
	night('2036-12-01');
	is(partitions(), months(203609 .. 203612, 203701 .. 203702), 'a month is created ahead, two months before it is needed');
	night('2036-12-30');
	is(partitions(), months(203609 .. 203612, 203701 .. 203702), 'a month is kept until three newer ones have ended');
	stop_inserting('inserted while pg_cron works', @inserting);
	is($node->safe_psql('postgres', q(SELECT min(id)::timestamptz, count(*) FROM log WHERE id < timestamptz '2036-11-01')),
		'2036-09-01 00:00:00+00|61', 'all younger rows are there');

	# pg_cron can also run jobs in background workers, which have the real time in older servers
	if ($node->pg_version >= 16)
	{
		$hand->quit;
		$node->append_conf('postgresql.conf', 'cron.use_background_workers = on');
		start_cron();
		@inserting = start_inserting('inserted while its workers run', 'sno_new()');
		night('2037-01-31');
		is(partitions(), months(203610 .. 203612, 203701 .. 203703), 'as background workers: months are created ahead, and old ones dropped');
		stop_inserting('inserted while its workers run', @inserting);
	}
	is($node->safe_psql('postgres', q(SELECT count(*) FROM cron.job_run_details WHERE status <> 'succeeded')), '0', 'no job has failed');
}

$hand->quit;
$node->stop;
done_testing();
