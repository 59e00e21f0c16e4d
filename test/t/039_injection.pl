# Races, held open: on a server with injection points a session waits, or ends, at a point
# in the code while other sessions do their work.  The clock is stopped, so that only the
# order of events matters, and IDs of one instant reveal a range that two sessions got.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

use constant { ONE => 'one', TWO => 'two', POSTGRES => 'postgres' };

# WAL that is only inserted is lost with the server, so nobody else may flush it.
my $node = new_server('injection', clock => 1, extension => 0, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 700ms' ],
	server => [ 'restart_after_crash = off', 'wal_writer_delay = 10s', 'bgwriter_delay = 10s', 'synchronous_commit = off' ]);
my $seconds = 0;
my %made;    # lists of making()'s lines, by database
my $hand;

{
	my $answer = $node->safe_psql(POSTGRES, "SELECT count(*) FROM pg_available_extensions WHERE name = 'injection_points'");

	$answer = ($node->psql(POSTGRES, "CREATE EXTENSION injection_points; SELECT injection_points_attach('flakeid-none', 'notice')"))[0] == 0 ? 1 : 0 if $answer;
	if (!$answer)
	{
		$node->stop;
		plan skip_all => 'this server has no injection points';
	}
}

# ---------- helpers of the tests ----------

# Stop the clock at so many seconds.
sub at
{
	($seconds) = @_;
	set_clock($node, yesterday(sprintf '10:%02d:%06.3f', $seconds / 60, $seconds - 60 * int($seconds / 60)));
	return;
}

# Do this to every session that reaches the point, or only to this one.
sub attach
{
	my ($point, $action, $session) = @_;

	attempt($session, 'SELECT injection_points_set_local()') if $session;
	is(attempt($session || $hand, "SELECT injection_points_attach('$point', '$action')"), '', "$point: $action");
	return;
}

# Have a session make IDs, and hold it at a point.
sub hold
{
	my ($session, $point, $sql) = @_;

	attach($point, 'wait', $session);
	$session->send("$sql;");
	$node->wait_for_event('client backend', $point);
	return;
}

# Wake all sessions held at a point.  One call wakes one session, perhaps again the one
# that the previous call woke and that has not left yet: so repeat it until there is none.
sub wake
{
	my ($point) = @_;

	attempt($hand, "SELECT injection_points_detach('$point')");
	until_true(sub { return attempt($hand, "SELECT injection_points_wakeup('$point')") =~ /could not find injection point/ }) or die "$point: somebody sleeps";
	return;
}

# Let a session continue, and return what it has made.
sub release
{
	my ($session, $point) = @_;

	wake($point);
	return $session->answer;
}

# One test: these are IDs; remember them.
sub made
{
	my ($name, $database, @answers) = @_;

	@answers = map { split /\n/ } @answers;
	push @{ $made{$database} }, grep { /^\\x/ } @answers;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is((grep { !/^\\x[0-9a-fx|\\]+$/ } @answers), 0, "$name: IDs") || diag join "\n", @answers;
}

# The answer of a new session.
sub in_new_session
{
	my ($sql, $database) = @_;
	my $session = session($node, database => $database || POSTGRES);
	my $answer = attempt($session, $sql);

	quit_session($node, $session);
	return $answer;
}

# One test: no ID twice in any database, because all of them have the same number.
sub all_once
{
	my ($name) = @_;
	my (%seen, @twice);

	foreach my $line (map { @$_ } values %made)
	{
		my @ids = split /\|/, $line;

		$seen{"$_ $ids[$_]"}++ and push @twice, $ids[$_] foreach 0 .. $#ids;
	}
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is("@twice", '', "$name: no ID twice");
}

sub connect_hand
{
	$hand = session($node);
	return;
}

# Crash the server and start it again, with the clock at the same time.
sub crash_and_start
{
	my (@sessions) = @_;

	crash($node, all => 1);
	$_->quit foreach @sessions, $hand;
	start_server($node);
	connect_hand();
	return;
}

my $make = making(3);
my $refused = qr/ERROR:  55000: /;

$node->stop;
at(0);
start_server($node);
$node->safe_psql(POSTGRES, "CREATE DATABASE $_") foreach ONE, TWO;
$node->safe_psql($_, 'CREATE EXTENSION flakeid') foreach ONE, TWO, POSTGRES;
$node->safe_psql($_, 'CREATE EXTENSION injection_points') foreach ONE, TWO;
connect_hand();

# ---------- the mark is written but not flushed ----------

# If the mark is about to be reached, the session that moves it already has its IDs.
{
	my $writer = session($node);
	my (@before, @after, @answers);

	made('first', POSTGRES, in_new_session($make));
	$node->safe_psql(POSTGRES, 'CHECKPOINT');
	@before = marks($node);
	at(1.5);
	hold($writer, 'flakeid-mark-inserted', $make);
	made('a mark being written: others before it', POSTGRES, in_new_session($make));
	at(2.5);
	@answers = map { in_new_session("SELECT $_") } 'sno_new(0)::bytea', 'uid64_new()::bytea';
	like($_, $refused, 'a mark being written: no ID beyond what is flushed') foreach @answers;
	push @{ $made{postgres} }, grep { /^\\x/ } @answers;
	crash_and_start($writer);
	@after = marks($node);
	is("@after", "@before", 'a mark being written: the crash takes back what was not flushed');
	made('a mark being written, after the crash', POSTGRES, in_new_session($make));
	all_once('a mark being written');
}

# ---------- the mark is flushed but not published ----------

{
	my $writer = session($node);
	my (@marks, %ids);

	at(4);
	made('a mark flushed: before', POSTGRES, in_new_session($make));
	at(5.5);
	hold($writer, 'flakeid-mark-flushed', $make);
	@marks = marks($node);
	made('a mark flushed: others', POSTGRES, in_new_session($make));
	at(6.5);
	like(in_new_session('SELECT uid64_new()'), $refused, 'a mark flushed: no ID beyond what is published');
	crash_and_start($writer);
	{
		my $session = session($node);

		%ids = probe($session);
		$session->quit;
	}
	is((grep { !/^\\x/ } values %ids), 0, 'a mark flushed, after the crash: IDs');
	is(below($node, \@marks, %ids), '', 'a mark flushed, after the crash: none is before it');
	made('a mark flushed, after the crash', POSTGRES, in_new_session($make));
	all_once('a mark flushed');
}

# After a session that ends at this point, others continue above the mark that it wrote, as after a start, and can move it
# again.  sno does so in its other timeline, which may begin with the next tick.
foreach my $end ('error', 'terminated')
{
	my $writer = session($node);

	at(20 + ($end eq 'error' ? 0 : 10));
	made("$end: before", POSTGRES, attempt($writer, $make));
	at($seconds + 1.5);
	if ($end eq 'error')
	{
		attach('flakeid-mark-flushed', 'error', $writer);
		like(attempt($writer, $make), qr/ERROR:.*flakeid-mark-flushed/, "$end: between flush and publish");
		attempt($writer, q(SELECT injection_points_detach('flakeid-mark-flushed')));
	}
	else
	{
		hold($writer, 'flakeid-mark-flushed', $make);
		attempt($hand, q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'flakeid-mark-flushed'));
		$node->poll_query_until(POSTGRES, q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'flakeid-mark-flushed'))) or die 'it does not end';
		attempt($hand, q(SELECT injection_points_detach('flakeid-mark-flushed')));
	}
	in_new_session('SELECT sno_new(0)') foreach 1, 2;    # the first moves the mark, the second changes timelines
	at($seconds + 0.01);
	made("$end: the session continues", POSTGRES, attempt($writer, $make)) if $end eq 'error';
	made("$end: others continue", POSTGRES, in_new_session($make));
	is(in_new_session(q(SELECT max(at) - now() < interval '100 ms' FROM (VALUES (sno_new(0)::timestamptz), (uid64_new()::timestamptz), (snowflake_new()::timestamptz)) AS v (at))), 't',
		"$end: at the clock's time");
	all_once($end);
	$writer->quit;
}

# ---------- two sessions create the memory of a database simultaneously ----------

{
	my @sessions;

	$hand->quit;
	$node->stop;
	at(50);
	start_server($node);
	connect_hand();
	@sessions = map { session($node, database => ONE) } 1, 2;
	attach('flakeid-attach', 'wait');
	$_->send("$make;") foreach @sessions;
	ok($node->poll_query_until(POSTGRES, q(SELECT count(*) = 2 FROM pg_stat_activity WHERE wait_event = 'flakeid-attach')), 'two sessions create the memory of their database');
	wake('flakeid-attach');
	made('one memory for two sessions', ONE, map { $_->answer } @sessions);
	made('one memory for two sessions, and a third', ONE, in_new_session($make, ONE));
	is(attempt($sessions[0], 'SELECT sessions FROM flakeid_clock'), '2', 'one memory for two sessions: each sees the other');
	all_once('one memory for two sessions');
	quit_session($node, $_) foreach @sessions;
}

# ---------- a reload in mid-call ----------

# A session is about to lease with a number; another database gets the number and uses
# it before the session continues.
{
	my $session = session($node, database => ONE);
	my $other = session($node, database => ONE);
	my $snos = q(SELECT string_agg(sno_new(0)::bytea::text, E'\n') FROM generate_series(1, 100));
	my $ids;

	at(120);
	configure($node, 'flakeid.node = 11', 'flakeid.max_wait = 700ms');
	made('a reload', ONE, attempt($_, 'SELECT sno_new(0)::bytea')) foreach $session, $other;
	at(125);
	made('a reload, later', ONE, attempt($other, 'SELECT sno_new(0)::bytea'));
	hold($session, 'flakeid-lease', q(SELECT string_agg(id::bytea::text, ' '), string_agg(sno_partition(id)::text, ' ') FROM (SELECT sno_new(0) AS id FROM generate_series(1, 3)) AS made));
	at(125.010);
	configure($node, 'flakeid.node = 13', 'flakeid.max_wait = 700ms');
	is(attempt($other, 'SELECT sno_partition(sno_new(0))'), '13', 'a reload in mid-call: others have the new number');
	$ids = release($session, 'flakeid-lease');
	like($ids, qr/\|11 11 11$/, 'a reload in mid-call: this session has it in its next statement');
	made('a reload in mid-call: the session', ONE, split / /, $ids =~ s/\|.*//r);
	all_once('a reload in mid-call');
	quit_session($node, $_) foreach $session, $other;
}

# ---------- the extension is dropped, and a session does not know yet ----------

# A session that still has the extension in its cache does not find its table: that is not damage.
{
	my ($session, $other, $dropping) = map { session($node, database => TWO) } 1 .. 3;
	my $base = $seconds + 100;

	at($base);
	made('DROP EXTENSION: before', TWO, attempt($session, $make));
	hold($dropping, 'transaction-end-process-inval', 'DROP EXTENSION flakeid');
	is(attempt($other, 'CREATE TABLE news (n int)'), '', 'DROP EXTENSION: a change that everybody hears of');
	at($base + 5);
	attempt($session, 'SET flakeid.max_wait = 60000');
	$session->send("$make;");
	$node->wait_for_event('client backend', 'FlakeidNextTick');
	is(release($dropping, 'transaction-end-process-inval'), '', 'DROP EXTENSION: done');
	like($session->answer, qr/ERROR:  42704: extension "flakeid" does not exist.*dropped while/s,
		'DROP EXTENSION: it does not exist');
	is(attempt($other, 'DROP TABLE news; CREATE EXTENSION flakeid'), '', 'DROP EXTENSION: and created again');
	made('DROP EXTENSION: after', TWO, attempt($session, $make));
	all_once('DROP EXTENSION');
	$_->quit foreach $session, $other, $dropping;
}

$hand->quit;
$node->stop;
done_testing();
