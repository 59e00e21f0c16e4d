# A pool of six numbers per tick: sessions wait for the next tick, the views count the
# waits, and a waiting call can be cancelled and its session terminated.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant SESSIONS => 4;
use constant ROWS => 600;

# A query that runs until it is stopped and waits nearly all the time.  (A series in FROM
# would be materialized first.)
use constant ENDLESS => 'SELECT count(sno_new(0)) FROM (SELECT generate_series(1, 1000000000)) AS endless';

my $node = new_server('pool', conf => [ 'flakeid.node = 11', 'flakeid.sno_sequence_min = 10', 'flakeid.sno_sequence_max = 15' ]);
my @files = map { id_file($node, "s$_") } 1 .. SESSIONS;
my $event = $node->pg_version >= 17 ? 'FlakeidNextTick' : 'Extension';

# What the view shows for the only generator.
sub generator
{
	my ($columns) = @_;

	return $node->safe_psql('postgres', "SELECT $columns FROM flakeid_generators");
}

# Poll until a session waits for a tick.
sub seen_waiting
{
	return $node->poll_query_until('postgres',
		"SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT count(sno_new%' AND wait_event_type = 'Extension' AND wait_event = '$event')");
}

sub end_with
{
	my ($function) = @_;

	$node->safe_psql('postgres', "SELECT $function(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT count(sno_new%'");
	return;
}

run_sessions($node, map { "COPY (SELECT sno_new(0) FROM generate_series(1, ${\ROWS})) TO '$_'" } @files);
until_gone($node);
is((grep { !increasing($_) } @files), 0, "every session's IDs increase");
all_unique('no ID twice', SESSIONS * ROWS, \@files, sorted => 1);
$node->safe_psql('postgres', "CREATE TABLE made (id sno); COPY made FROM '$_'") foreach $files[0];
is($node->safe_psql('postgres', 'SELECT min(sno_sequence(id)), max(sno_sequence(id)) FROM made'),
	'10|15', 'all numbers of the range are used and no others');

is(generator('issued, waiting, capacity, sequence_min, sequence_max'),
	SESSIONS * ROWS . '|0|6|10|15', 'the view counts the IDs, and no session waits any more');
is(generator('overflows > 0, overflow_ticks > 0, overflow_ticks <= overflows, wait_time > interval \'0\', last_overflow IS NOT NULL'),
	't|t|t|t|t', 'and it counts the ticks that ran out and the waits');

# a waiting call can be cancelled
{
	my $session = session($node);

	$session->send(ENDLESS . ';');
	ok(seen_waiting(), "a waiting session shows the wait event $event");
	$node->poll_query_until('postgres', 'SELECT waiting = 1 FROM flakeid_generators');
	pass('and the view shows that it waits');
	end_with('pg_cancel_backend');
	like($session->answer, qr/57014: canceling statement due to user request/, 'it can be cancelled');
	is(generator('waiting'), '0', 'and then nobody waits');
	like(attempt($session, "SET statement_timeout = '50ms'; " . ENDLESS), qr/57014.*statement timeout/, 'it obeys statement_timeout');
	is(attempt($session, 'RESET statement_timeout; SELECT s BETWEEN 10 AND 15 FROM sno_sequence(sno_new(0)) AS s'), 't', 'the session goes on');
	$session->quit;
	is(generator('waiting'), '0', 'and still nobody waits');
}

# and its session can be terminated: several together, so that at least one is waiting
{
	my @sessions = start_sessions($node, (ENDLESS) x SESSIONS);

	ok(seen_waiting(), 'sessions wait');
	# including the session that asks
	$node->poll_query_until('postgres', 'SELECT sessions = ' . (SESSIONS + 1) . ' FROM flakeid_clock');
	end_with('pg_terminate_backend');
	foreach my $session (@sessions)
	{
		eval { finish_sessions($session) };
		like($@, qr/terminating connection due to administrator command/, 'a waiting session can be terminated');
	}
	until_gone($node);
	is(generator('waiting'), '0', 'and then nobody waits');
}

# After another range is set, the row still shows the number leased last, and how many
# numbers of the new range that tick has used.
{
	my $last = generator('sequence');

	like($last, qr/^1[0-5]$/, 'the number leased last is within the range');
	foreach my $try ([ '0-8', "$last|9|9|0|8" ], [ '100-200', '|0|101|100|200' ], [ '0-65535', "$last|" . ($last + 1) . '|65536|0|65535' ])
	{
		my ($range, $row) = @$try;

		configure($node, 'flakeid.node = 11', sno_range($range));
		is(generator('sequence, used, capacity, sequence_min, sequence_max'), $row, "range $range: the view shows it so");
	}
}

$node->stop;
done_testing();
