# The table of the marks under attack, with sessions at work: maintenance, moves,
# changes by hand, locks, transactions that do not end, DROP EXTENSION.  The
# sessions continue or wait, changes are refused, no mark is lowered, and when the
# server is then killed and the clock steps back, every ID that was handed out is below
# the marks on disk and none is issued again.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Time::HiRes qw(usleep);

plan skip_all => 'no compiler' unless clock_available();

my @generators = generators();
# (no call is to be refused because a lock is held for long)
my $node = new_server('mark', clock => 1, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 1h' ], server => [ 'allow_in_place_tablespaces = on', 'wal_writer_delay = 10s', 'bgwriter_delay = 10s' ]);
my $clock = 0;
my @files;    # everything that was made ...
my @since;    # ... and what of it since the last crash
my $hand;    # a superuser's session for changes by hand

seeded();
$node->safe_psql('postgres', $_)
  foreach "CREATE TABLESPACE elsewhere LOCATION ''", 'CREATE ROLE plain LOGIN';
$hand = session($node);

sub step_clock
{
	my ($seconds) = @_;

	return usleep(1_000_000 * ($seconds > 0 ? $seconds : 0)) unless $node->{flakeid_clock};
	$clock += $seconds;
	set_clock($node, sprintf '%+.3f', $clock);
	return;
}

sub remember
{
	push @files, @_;
	push @since, @_;
	return;
}

# ---------- sessions at work ----------

# Sessions that run until the test releases a lock; with "errors" they continue after errors.
sub start_load
{
	my (%option) = @_;
	my $turn = making(100) . ";\nDO 'BEGIN PERFORM pg_sleep(0.005); END';\nSELECT pg_try_advisory_xact_lock_shared(1) AS stop \\gset\n\\if :stop\n\\q\n\\endif\n";
	my @sessions;

	attempt($hand, 'SELECT pg_advisory_lock(1)');
	@sessions = start_sessions($node, map { ($option{errors} ? "\\set ON_ERROR_STOP 0\n" : '') . $turn x 10_000 } 1 .. 2);
	remember(map { $_->{out} } @sessions);
	return @sessions;
}

sub stop_load
{
	my (@sessions) = @_;

	attempt($hand, 'SELECT pg_advisory_unlock(1)');
	finish_sessions(@sessions);
	return;
}

# The sessions continue, and move the marks.  (How far the clock is from a mark decides
# whether one of them moves it early or all wait for the move.)
sub goes_on
{
	my ($name, @sessions) = @_;
	my @before = marks($node);
	my @sizes = map { -s $_->{out} } @sessions;

	step_clock(0.5 + rand 2);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok(until_true(sub {
		return !(grep { -s $sessions[$_]->{out} <= $sizes[$_] } 0 .. $#sessions)
		  && attempt($hand, "SELECT @{[MARKED]} > '$before[2]' FROM _flakeid.mark WHERE kind = 2") eq 't';
	}), "$name: the sessions continue");
	return marks_kept($name, $node, 'postgres', \@before);
}

# Make IDs in one session, and remember them.
sub some
{
	my ($name) = @_;
	my ($session) = start_sessions($node, making(1000));

	finish_sessions($session);
	remember($session->{out});

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(lines($session->{out}), 1000, "$name: IDs can be made");
}

# Kill everything, and start again with the clock behind the IDs issued.  The marks on
# disk must be above the last ID of every session.
sub crash_and_back
{
	my ($name, $seconds, %option) = @_;
	my @marks;

	$hand->quit;
	crash($node, all => 1);
	step_clock(-$seconds);
	start_server($node);
	$hand = session($node);
	@marks = marks($node) unless $option{lost};
	foreach my $file ($option{lost} ? () : @since)
	{
		my %last = last_made($file) or next;

		local $Test::Builder::Level = $Test::Builder::Level + 1;
		is(scalar(split /\n/, below($node, \@marks, %last)), scalar @generators, "$name, and a crash: the IDs handed out are below the marks");
	}
	@since = ();
	return;
}

sub amcheck
{
	my ($name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
  SKIP:
	{
		skip 'amcheck is not installed', 1 if attempt($hand, 'CREATE EXTENSION IF NOT EXISTS amcheck') =~ /ERROR/;
		is(attempt($hand, q(SELECT * FROM verify_heapam('_flakeid.mark'))), '', "$name: amcheck finds no fault");
	}
	return;
}

# ---------- maintenance ----------

{
	my @sessions = start_load();
	my $other;

	goes_on('nothing', @sessions);
	foreach my $statement ('VACUUM _flakeid.mark', 'VACUUM (FREEZE, ANALYZE) _flakeid.mark', 'ANALYZE _flakeid.mark', 'VACUUM FULL _flakeid.mark',
		'REINDEX TABLE _flakeid.mark', 'ALTER TABLE _flakeid.mark SET TABLESPACE elsewhere',
		'BEGIN; ALTER TABLE _flakeid.mark SET TABLESPACE pg_default; ROLLBACK',
		'BEGIN; SAVEPOINT s; ALTER TABLE _flakeid.mark SET TABLESPACE pg_default; ROLLBACK TO s; COMMIT',
		'ALTER TABLE _flakeid.mark SET TABLESPACE pg_default',
		'BEGIN; CREATE INDEX mark_kind ON _flakeid.mark (kind); REINDEX TABLE _flakeid.mark; CLUSTER _flakeid.mark USING mark_kind; DROP INDEX _flakeid.mark_kind; COMMIT',
		'CHECKPOINT')
	{
		is(attempt($hand, $statement), '', $statement);
		goes_on($statement, @sessions);
	}

	# sessions that need a mark wait for the session that has locked the table, and can be cancelled
	$other = session($node);
	foreach my $lock ('LOCK TABLE _flakeid.mark IN ACCESS EXCLUSIVE MODE', 'SELECT count(*) FROM (SELECT FROM _flakeid.mark FOR UPDATE) AS m')
	{
		attempt($hand, "BEGIN; $lock");
		step_clock(3);    # longer than a mark lasts
		if ($lock =~ /^LOCK/)
		{
			$other->send('SELECT sno_new(0);');
			ok($node->poll_query_until('postgres', q(SELECT count(*) = 3 FROM pg_stat_activity WHERE wait_event_type = 'Extension')), "$lock: the sessions wait");
			attempt($hand, q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT sno_new(0);'));
			like($other->answer, qr/ERROR:  57014/, "$lock: waiting can be cancelled");
		}
		attempt($hand, 'COMMIT');
		goes_on($lock, @sessions);
	}
	$other->quit;
	stop_load(@sessions);
}

is(attempt($hand, 'SELECT kind, count(*) FROM _flakeid.mark GROUP BY kind ORDER BY kind'), "0|1\n1|1\n2|1", 'a row of each kind');
amcheck('maintenance');
crash_and_back('maintenance', 3);
some('maintenance, and a crash');

# ---------- by hand ----------

{
	my @before;
	my $row = 'INSERT INTO _flakeid.mark SELECT kind, ' . row_until('%s') . ' FROM generate_series(0, 2) AS kind';
	my $plain = session($node, user => 'plain');

	# the other timeline, too, whether or not the generators have used it by now
	attempt($hand, sprintf $row, 'clock_timestamp()');
	@before = marks($node);
	foreach my $role ('origin', 'replica')
	{
		attempt($hand, "SET session_replication_role = $role");
		foreach my $statement (q(UPDATE _flakeid.mark SET to_1 = '-infinity'), 'UPDATE _flakeid.mark SET kind = kind',
			'DELETE FROM _flakeid.mark', 'TRUNCATE _flakeid.mark')
		{
			like(attempt($hand, $statement), qr/ERROR:  55000: table "_flakeid\.mark" cannot be changed.*DETAIL: .*HINT: .*flakeid_advance/s, "$role: $statement");
		}
		is(attempt($hand, sprintf $row, "timestamptz '2021-01-01'"), '', "$role: an old mark is accepted and ignored");
		is(join(' ', marks($node)), "@before", "$role: the marks are as they were");
		is(attempt($hand, sprintf $row, "timestamptz '$before[2]' + interval '1 s'"), '', "$role: a new one is accepted");
		is($node->safe_psql('postgres', "SELECT bool_and(@{[MARKED]} >= timestamptz '$before[2]' + interval '1 s') FROM _flakeid.mark"), 't', "$role: and counts");
		@before = marks($node);
	}
	attempt($hand, 'SET session_replication_role = origin');
	like(attempt($hand, $row =~ s/%s/'$_'/r), qr/ERROR:  22/, "no such mark: $_") foreach 'infinity', '294276-01-01', '1969-12-31';
	like(attempt($hand, sprintf $row =~ s/SELECT kind/SELECT kind + 3/r, 'now()'), qr/ERROR:  22023/, 'no such kind');
	is(join(' ', marks($node)), "@before", 'the marks are as they were');
	is(attempt($hand, 'SELECT count(*) FROM _flakeid.mark'), '3', 'and in three rows');

	# the trigger reads no other rows
	foreach my $how ('ROW', 'STATEMENT')
	{
		my $insert = $how eq 'ROW' ? 'CREATE TABLE other (n int); INSERT INTO other VALUES (1)' : sprintf $row, 'now()';
		my $table = $how eq 'ROW' ? 'other' : '_flakeid.mark';

		$insert =~ s/(?=INSERT)/CREATE TRIGGER a BEFORE INSERT ON $table FOR EACH $how EXECUTE FUNCTION _flakeid.flakeid_mark_guard(); /;
		like(attempt($hand, "BEGIN; $insert"), qr/ERROR:  39P01/, "the trigger on $table, for each $how");
		attempt($hand, 'ROLLBACK');
	}
	foreach my $statement ('SELECT * FROM _flakeid.mark', sprintf($row, 'now()'), q(UPDATE _flakeid.mark SET to_1 = '-infinity'),
		'DELETE FROM _flakeid.mark', 'TRUNCATE _flakeid.mark', 'BEGIN; LOCK TABLE _flakeid.mark IN ACCESS SHARE MODE; ROLLBACK', 'SELECT flakeid_advance(now())',
		'SELECT flakeid_clock_reset(now())', q(SELECT sno_restore('{}')))
	{
		like(attempt($plain, $statement), qr/ERROR:  42501/, "an ordinary user: $statement");
	}
	like(attempt($plain, making(1)), qr/^\\x/, 'an ordinary user makes IDs');
	$plain->quit;
	some('by hand');
	crash_and_back('by hand', 3);
}

# ---------- a transaction that changes the table ----------

# Until the transaction commits, a mark that it writes to a new file may be rolled back
# with it.  So it gets only IDs below the marks in the old file: as bytes, from every
# generator, with some rows each.
sub uncommitted
{
	my ($name, $change, $rows) = @_;
	my (%own, @made, @marks);

	some($name);
	@marks = marks($node);
	attempt($hand, "BEGIN; $change");
	step_clock(2.5);
	foreach my $generator (@generators)
	{
		attempt($hand, 'SAVEPOINT s');
		$own{$generator} = attempt($hand, making(1, qr/^$generator$/) =~ s/FROM .*/FROM $rows/r);
		attempt($hand, 'ROLLBACK TO s') if $own{$generator} =~ /ERROR/;
		$own{$generator} =~ s/\n.*//s if $own{$generator} =~ /^\\x/;
	}
	@made = grep { $own{$_} !~ /ERROR:  55000: cannot make this ID in a transaction.*HINT: /s } @generators;
	is(@made ? scalar(split /\n/, below($node, \@marks, map { $_ => $own{$_} } @made)) : 0, scalar(@made),
		"$name: no ID above the marks before it commits") or diag explain(\%own, \@marks);
	attempt($hand, 'ROLLBACK');
	some("$name, rolled back");
	crash_and_back("$name, rolled back", 4);
	step_clock(5) if $node->{flakeid_clock};
	return;
}

my @changes = ('ALTER TABLE _flakeid.mark SET TABLESPACE elsewhere', 'DROP EXTENSION flakeid; CREATE EXTENSION flakeid');

uncommitted($_, $_, 'generate_series(1, 10)') foreach @changes;

# An advance counts once the transaction has committed, also if the mark is already higher.
foreach my $end ('COMMIT', 'ROLLBACK')
{
	my $until;

	some("advance, $end");
	attempt($hand, "BEGIN; $changes[0]");
	$until = attempt($hand, "SELECT flakeid_advance(@{[MARKED]} - interval '1 ms') FROM _flakeid.mark WHERE kind = 2");
	attempt($hand, $end);
	is(attempt($hand, "SELECT sno_new(0) >= timestamptz '$until', snowflake_new() >= timestamptz '$until'"), 't|t', 'advance, COMMIT: no ID is below it') if $end eq 'COMMIT';
	attempt($hand, 'ALTER TABLE _flakeid.mark SET TABLESPACE pg_default');
	some("advance, $end: and then");
}

# Rows written with the triggers disabled, and rolled back, have no effect.
is(attempt($hand, 'BEGIN; ALTER TABLE _flakeid.mark DISABLE TRIGGER USER; ' . raise_marks(q(now() + interval '1 year')) . '; ROLLBACK; CHECKPOINT'), '', 'rows rolled back');
crash_and_back('rows rolled back', 1);
some('rows rolled back');

# ---------- the schema is renamed ----------

# Neither is the table then found elsewhere, nor is another one taken for it.
{
	my $refused = qr/ERROR:  55000: table "_flakeid\.mark" is not the extension's.*HINT:  Give the schemas/s;
	my $other = sub {
		my $session = session($node);
		my $answer = attempt($session, making(1));

		$session->quit;
		return $answer;
	};

	is(attempt($hand, 'ALTER SCHEMA _flakeid RENAME TO apart'), '', 'the schema is renamed');
	step_clock(2.5);
	like($other->(), $refused, 'the schema is renamed: no IDs');
	is(attempt($hand, 'CREATE SCHEMA _flakeid; CREATE TABLE _flakeid.mark AS TABLE apart.mark; CREATE TABLE _flakeid.was AS TABLE _flakeid.mark'), '', 'another table takes the name');
	like($other->(), $refused, 'another table takes the name: no IDs');
	is(attempt($hand, 'SELECT count(*) FROM (TABLE _flakeid.mark EXCEPT TABLE _flakeid.was) AS moved'), '0', 'another table takes the name: and nothing is written to it');
	is(attempt($hand, 'DROP TABLE _flakeid.mark, _flakeid.was; DROP SCHEMA _flakeid; ALTER SCHEMA apart RENAME TO _flakeid'), '', 'the name is given back');
	some('the name is given back');
}

# ---------- UNLOGGED ----------

{
	my %answers;
	my $last;

	is(attempt($hand, 'ALTER TABLE _flakeid.mark SET UNLOGGED'), '', 'SET UNLOGGED');
	%answers = probe($hand);
	like($answers{$_}, qr/ERROR:  55000: table "_flakeid\.mark" is damaged.*DETAIL: .*not permanent.*HINT: /s, "SET UNLOGGED: no $_") foreach @generators;
	is(attempt($hand, 'ALTER TABLE _flakeid.mark SET LOGGED'), '', 'SET LOGGED');
	some('SET LOGGED');

	# after a crash such a table is empty, and there is no record of what was issued
	$last = attempt($hand, 'SELECT mark FROM flakeid_clock');
	attempt($hand, 'ALTER TABLE _flakeid.mark SET UNLOGGED');
	crash_and_back('UNLOGGED', 1, lost => 1);
	foreach my $statement ('SELECT', 'ALTER TABLE _flakeid.mark SET LOGGED')
	{
		attempt($hand, $statement);
		%answers = probe($hand);
		like($answers{$_}, qr/ERROR:  55000: table "_flakeid\.mark" is damaged.*DETAIL: .*HINT: .*flakeid_doctor/s, "emptied, $statement: no $_") foreach @generators;
	}
	is(attempt($hand, attempt($hand, q(SELECT fix FROM flakeid_doctor() WHERE subject = '_flakeid.mark')) =~ s/now\(\)/timestamptz '$last'/gr), $last,
		'emptied: the statement that flakeid_doctor() names');
	some('emptied');
}

# ---------- the extension is dropped and created ----------

{
	my @sessions = start_load(errors => 1);
	my ($long) = start_sessions($node, 'COPY (' . making_endless() . ") TO STDOUT (DELIMITER '|')");
	my @errors;

	remember($long->{out});
	$node->poll_query_until('postgres', 'SELECT sessions >= 4 FROM flakeid_clock') or die 'no sessions';
	foreach my $n (1 .. whole_or_short(5, 2))
	{
		my @marks = marks($node);

		attempt($hand, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), n int); INSERT INTO event (n) VALUES (1)');
		like(attempt($hand, 'DROP EXTENSION flakeid'), qr/ERROR:  2BP01/, "DROP EXTENSION, $n: not while a table needs it");
		is(attempt($hand, 'DROP EXTENSION flakeid CASCADE'), '', "DROP EXTENSION CASCADE, $n");
		usleep(rand 300_000);
		is(attempt($hand, 'CREATE EXTENSION flakeid; SELECT * FROM event; DROP TABLE event'), '1', "CREATE EXTENSION, $n");
		goes_on("CREATE EXTENSION, $n", @sessions);
		marks_kept("CREATE EXTENSION, $n, before and after", $node, 'postgres', \@marks);
	}
	attempt($hand, q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%'));
	stop_load(@sessions);
	eval { finish_sessions($long) };

	# the sessions at work had no functions, or no extension, for a while
	@errors = grep { /ERROR/ } map { split /\n/, slurp_file($_->{err}) } @sessions, $long;
	is((grep { !/does not exist|cache lookup failed|could not open relation|canceling statement/ } @errors), 0,
		'DROP EXTENSION: no other error than that it is not there') or diag join "\n", @errors;

	# the new table has the marks of the old one
	crash_and_back('DROP EXTENSION', 3);
	some('DROP EXTENSION, and a crash');
	amcheck('DROP EXTENSION');
}

$hand->quit;
$node->stop;
making_unique('all of it', $node, \@files);

# ---------- early ----------

# A session moves a mark when half of it is left; if it cannot do so immediately, it
# leaves the mark to the next session.  Nobody waits as long as the mark lasts.
{
	my ($session, $new, @before, @after);
	my $at = sub { set_clock($node, yesterday("10:00:0$_[0]")) };
	my $when = q(SELECT to_char(sno_timestamp(sno_new(0)) AT TIME ZONE 'UTC', 'HH24:MI:SS.MS'));

	$node = new_server('early', clock => 1, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 1h' ]);
	$at->('0.000');
	($hand, $session) = (session($node), session($node));
	probe($session);
	@before = marks($node);
	attempt($hand, 'BEGIN; LOCK TABLE _flakeid.mark IN ACCESS EXCLUSIVE MODE');
	attempt($session, "SET statement_timeout = '60s'");    # instead of waiting for ever
	foreach my $time ('0.500', '1.500', '1.900')
	{
		my %ids;

		$at->($time);
		%ids = probe($session);
		is((grep { !/^\\x[0-9a-f]+$/ } values %ids), 0, "early: at $time nobody waits for the session that locks the table") or diag explain \%ids;
	}
	attempt($hand, 'COMMIT');
	is(join(' ', marks($node)), "@before", 'early: and the marks are as they were');
	$at->('1.950');
	probe($session);
	@after = marks($node);
	is($node->safe_psql('postgres', "SELECT timestamptz '$after[$_]' - timestamptz '${\yesterday('10:00:00+00')}' BETWEEN interval '3.9 s' AND interval '4 s'"),
		't', "early: the next one moves mark $_ before it is needed") foreach 0, 2;

	# nor does a new session, which reads the published mark; a session that has to wait
	# because the mark is too low gets an ID of the time after the wait
	attempt($hand, 'BEGIN; LOCK TABLE _flakeid.mark IN ACCESS EXCLUSIVE MODE');
	$new = session($node);
	attempt($new, "SET statement_timeout = '60s'");
	like(attempt($new, $when), qr/^10:00:01\.9/, 'early: a new session does not wait');
	attempt($new, 'RESET statement_timeout');
	$at->('5.000');
	$new->send("$when;");
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Extension')), 'early: it waits where the mark does not reach');
	$at->('5.500');
	attempt($hand, 'COMMIT');
	like($new->answer, qr/^10:00:05\.(?:5|49)/, 'early: and its ID has the time after the wait');
	$_->quit foreach $hand, $session, $new;
	$node->stop;
}

# ---------- created again, on the other timeline ----------

# The generators know the timeline they are on; IDs issued on the other one, ahead of the
# clock's present time, are not forgotten with the table.
{
	my $made = q(SELECT sno_tick_tock(id)::int, id::bytea FROM (SELECT sno_new(0) AS id OFFSET 0) AS made);
	my ($first, $last);
	my $at = sub { set_clock($node, yesterday("10:00:$_[0]")); return attempt($hand, $made) };

	$node = new_server('timelines', clock => 1, conf => [ 'flakeid.node = 11', 'flakeid.max_ahead = 3s' ]);
	set_clock($node, yesterday('10:00:00'));
	$hand = session($node);
	$first = $at->('10');
	like($first, qr/^0\|/, 'timelines: an ID');
	like($at->('00'), qr/^1\|/, 'timelines: the clock steps back');
	attempt($hand, 'DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
	like($at->('05'), qr/^1\|/, 'timelines: with a new table');
	like($at->('04'), qr/^[01]\|/, 'timelines: the clock steps back once more');
	$last = $at->('10');
	like($last, qr/^[01]\|/, 'timelines: the clock is where it was');
	isnt($last, $first, 'timelines: not the same ID');
	$hand->quit;
	$node->stop;
}

# ---------- created again, after a restart ----------

# The only record of the IDs issued before the restart is the table that the transaction
# has dropped, and that is restored when the transaction rolls back.
{
	my (%before, %after, @marks);

	$node = new_server('again', clock => 1, conf => [ 'flakeid.node = 11' ]);
	set_clock($node, yesterday('10:00:00'));
	$hand = session($node);
	%before = probe($hand);
	@marks = marks($node);
	$hand->quit;
	$node->stop;
	start_server($node);
	$hand = session($node);
	attempt($hand, 'BEGIN; DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
	foreach my $generator (@generators)
	{
		attempt($hand, 'SAVEPOINT s');
		like(attempt($hand, making(1, qr/^$generator$/)), qr/ERROR:  55000: cannot make this ID in a transaction.*HINT: /s,
			"created again: no $generator before it commits");
		attempt($hand, 'ROLLBACK TO s');
	}
	attempt($hand, 'ROLLBACK');
	set_clock($node, yesterday('10:00:00.005'));    # another timeline may begin with the next unit of time
	%after = probe($hand);
	is((grep { $after{$_} !~ /^\\x[0-9a-f]+$/ || $after{$_} eq $before{$_} } @generators), 0, 'created again, rolled back: IDs, and new ones')
	  or diag explain(\%before, \%after);
	is(below($node, \@marks, %after), '', 'created again, rolled back: above the marks') or diag "the marks: @marks";

	# the new table itself has the marks, if the server crashes before anybody uses it; also
	# if one transaction drops the old table and creates the new one
	foreach my $again ([ 'DROP EXTENSION flakeid', 'CREATE EXTENSION flakeid' ], [ 'BEGIN; DROP EXTENSION flakeid; CREATE EXTENSION flakeid; COMMIT' ])
	{
		my $name = 'created again in ' . (@$again == 1 ? 'one transaction' : 'two');

		is(attempt($hand, $_), '', $_) foreach @$again;
		@marks = marks($node);
		is(scalar(split /\n/, below($node, \@marks, %after)), scalar @generators, "$name: the IDs issued are below the marks") or diag "the marks: @marks";
		$hand->quit;
		crash($node, all => 1);
		start_server($node);
		$hand = session($node);
		%before = %after;
		%after = probe($hand);
		is((grep { $after{$_} !~ /^\\x[0-9a-f]+$/ || $before{$_} eq $after{$_} } @generators), 0, "$name, and a crash: IDs, and new ones")
		  or diag explain(\%before, \%after);
	}
	$hand->quit;
	$node->stop;
}

# ---------- a transaction that creates the extension ----------

# It makes IDs, although another such transaction made some before and rolled back, perhaps long ago.
@since = ();
$node = new_server('creating', conf => [ 'flakeid.node = 11' ]);
$node->safe_psql('postgres', 'CREATE DATABASE bare');
$hand = session($node, database => 'bare');
foreach my $attempt ('first', 'second', 'third')
{
	attempt($hand, 'BEGIN; CREATE EXTENSION flakeid');
	like(attempt($hand, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, "created in it, $attempt attempt: an ID");
	attempt($hand, 'ROLLBACK');
	attempt($hand, 'SELECT pg_current_xact_id()');    # older than the next transaction's table
}
$hand->quit;
$node->stop;

# ---------- the check of what the WAL makes of a page ----------

# It compares the whole page, including the hint bits set by sessions that read the table.
$node = new_server('checked', conf => [ 'flakeid.node = 11' ], server => [ q(wal_consistency_checking = 'all') ]);
$node->safe_psql('postgres', $_)
  foreach 'CHECKPOINT', making(1), 'SELECT FROM _flakeid.mark', q(SELECT flakeid_advance(clock_timestamp() + interval '3 s')), making(1);
$node->stop('immediate');
ok($node->start(fail_ok => 1), 'wal_consistency_checking: the server recovers');
$node->stop;

done_testing();
