# Feeds when something goes wrong between two polls: a transaction or a snapshot that stays
# open; resets; another extension; many sessions; functions with a wrong volatility.  No row
# is lost, and the views show why a feed does not advance.
use FindBin;
use lib "$FindBin::RealBin/lib";
use feature 'state';
use Flakeid;

my $node = new_server('faults', clock => clock_available(), conf => [ 'flakeid.node = 11', 'flakeid.max_ahead = 60s' ],
	server => [ 'max_connections = 230', 'max_prepared_transactions = 10' ]);

sub sql
{
	return $node->safe_psql('postgres', join ';', @_);
}

# The values from a position to the horizon.
my $below = q(SELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM event WHERE id < uuid7_horizon());

sub comes
{
	my ($values, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok($node->poll_query_until('postgres', $below, $values), $name);
	return;
}

# A type of core, which outlives the extension.
sql('CREATE TABLE event (id uuid PRIMARY KEY, v text)');

# ---------- another extension between two polls ----------

{
	my $late = session($node);

	attempt($late, q(BEGIN; INSERT INTO event VALUES (uuid7_new(), 'late')));
	sql(q(SELECT pg_sleep(0.01); INSERT INTO event VALUES (uuid7_new(), 'early')));
	is(sql('SELECT pg_sleep(0.01)', $below) =~ s/^\n//r, '', 'a transaction is open');
	sql('DROP EXTENSION flakeid');
	sql('CREATE EXTENSION flakeid');
	sql(q(INSERT INTO event VALUES (uuid7_new(), 'new')));
	is(sql('SELECT pg_sleep(0.01)', $below) =~ s/^\n//r, '', 'DROP EXTENSION and CREATE EXTENSION: it still holds the horizon');
	attempt($late, 'COMMIT');
	comes('late early new', '... until it ends, and nothing is lost');

	# a transaction that has made IDs of the old extension, which a snapshot sees as running
	attempt($late, q(BEGIN; INSERT INTO event VALUES (uuid7_new(), 'second')));
	my $old = session($node);
	attempt($old, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event');
	sql('DROP EXTENSION flakeid');
	sql('CREATE EXTENSION flakeid');
	attempt($late, 'COMMIT');
	sql(q(INSERT INTO event VALUES (uuid7_new(), 'third')), 'SELECT pg_sleep(0.01)');
	is(attempt($old, $below), 'late early new', 'an earlier snapshot asks the new extension');
	attempt($old, 'COMMIT');
	comes('late early new second third', '... and a new one has all');
	$_->quit foreach $late, $old;
}

# the database itself
sql('CREATE DATABASE brief');
$node->safe_psql('brief', 'CREATE EXTENSION flakeid; SELECT uuid7_new(); SELECT uuid7_horizon()');
foreach (1 .. 3)
{
	sql('DROP DATABASE brief');
	sql('CREATE DATABASE brief');
	$node->safe_psql('brief', q(CREATE EXTENSION flakeid; CREATE TABLE event (id uuid, v text); INSERT INTO event VALUES (uuid7_new(), 'here')));
	ok($node->poll_query_until('brief', $below, 'here'), 'another database of the same name');
}

# ---------- snapshots that stay ----------

{
	my $asked = session($node);
	my $old = session($node);

	attempt($_, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event') foreach $asked, $old;
	my $answer = attempt($asked, 'SELECT uuid7_horizon()');
	sql(q(DO 'BEGIN FOR i IN 1 .. 20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END'));
	unlike(attempt($old, 'SELECT uuid7_horizon()'), qr/ERROR/, 'a snapshot of 20,000 transactions ago has a horizon, if they made no IDs');
	attempt($old, 'COMMIT');
	$old->quit;
	$old = session($node);
	attempt($old, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event');
	sql(q(DO 'BEGIN FOR i IN 1 .. 5000 LOOP PERFORM uuid7_new(), pg_current_xact_id(); COMMIT; END LOOP; END'));
	like(attempt($old, 'SELECT uuid7_horizon()'), qr/55000: the snapshot is too old for the horizon of ulid\nDETAIL:  Too many transactions that made IDs have committed since it was taken\.\nHINT:  Poll in a transaction of its own in READ COMMITTED/, '... if 5,000 have made some, it has none');
	is(attempt($asked, 'SELECT uuid7_horizon()'), $answer, '... unless it has asked before');
	attempt($_, 'COMMIT') foreach $asked, $old;
	unlike(attempt($old, 'SELECT uuid7_horizon()'), qr/ERROR/, '... and the next transaction has one');

	# a cursor, whose snapshot is as old
	attempt($old, 'BEGIN; DECLARE late CURSOR FOR SELECT uuid7_horizon()');
	sql(q(DO 'BEGIN FOR i IN 1 .. 1500 LOOP PERFORM uuid7_new(), pg_current_xact_id(); COMMIT; END LOOP; END'));
	unlike(attempt($old, 'FETCH late'), qr/ERROR/, 'a cursor of 1,500 transactions ago has a horizon');
	$old->quit;
	$old = session($node);		# without an earlier answer
	attempt($old, 'BEGIN; DECLARE late CURSOR FOR SELECT ulid_horizon()');
	sql(q(DO 'BEGIN FOR i IN 1 .. 2500 LOOP PERFORM uuid7_new(), pg_current_xact_id(); COMMIT; END LOOP; END'));
	like(attempt($old, 'FETCH late'), qr/55000: the snapshot is too old for the horizon of ulid\nDETAIL:  .* The statement or cursor ran, or waited for a lock, for too long before it asked\.\nHINT:  Poll again\./, '... of 2,500 has none, and the hint is about READ COMMITTED');
	attempt($old, 'ROLLBACK');
	$_->quit foreach $asked, $old;
}

# ---------- a stranger uses up transaction IDs ----------

{
	my $old = session($node);

	# places of notes are not chosen by the transaction ID, so a few of the same remainder are not lost
	attempt($old, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event');
	sql(q(DO $$
		BEGIN
			FOR i IN 1 .. 5 LOOP
				WHILE pg_current_xact_id()::text::bigint % 4096 <> 5 LOOP
					COMMIT;
				END LOOP;
				PERFORM uuid7_new();
				COMMIT;
			END LOOP;
		END $$));
	unlike(attempt($old, 'SELECT uuid7_horizon()'), qr/ERROR/, 'five transactions with the same remainder by 4,096 lose no notes');
	attempt($old, 'COMMIT');

	# from another database, in subtransactions, as fast as it can
	my $polls = whole_or_short(100, 5);
	my ($errors, $count) = (0, sub { $node->safe_psql('postgres', q(SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint)) });
	sql('CREATE ROLE burner LOGIN', 'CREATE DATABASE elsewhere');
	my @burners = map { session($node, database => 'elsewhere', user => 'burner') } 1 .. 3;
	$_->send(qq(CREATE TEMP TABLE burnt (n int); DO \$\$ BEGIN LOOP FOR i IN 1 .. 20000 LOOP BEGIN INSERT INTO burnt VALUES (1); EXCEPTION WHEN division_by_zero THEN NULL; END; END LOOP; ROLLBACK; END LOOP; END \$\$;)) foreach @burners;
	until_true(sub { state $before = $count->(); return $count->() > $before + 20000 });
	# a statement of a new session, which reads before it asks
	foreach (1 .. $polls)
	{
		$errors++ if ($node->psql('postgres', 'SELECT count(*) FROM (SELECT FROM event, generate_series(1, 20000) OFFSET 0) AS e, (SELECT FROM event WHERE id < uuid7_horizon()) AS f'))[2] =~ /too old/;
	}
	is($errors, 0, "a stranger in another database uses up transaction IDs in subtransactions: none of $polls polls fails");
	unlike(attempt($old, $_), qr/ERROR/, "... $_") foreach 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event', 'SELECT pg_sleep(0.3)', 'SELECT uuid7_horizon()', 'COMMIT';
	ok($node->safe_psql('postgres', q(SELECT count(*) = 3 FROM pg_stat_activity WHERE usename = 'burner' AND state = 'active')), '... during all of this');
	$node->safe_psql('postgres', q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'burner'));
	$_->quit foreach @burners;
	$old->quit;
}

# ---------- functions of each volatility ----------

{
	my $late = session($node);

	foreach my $volatility ('IMMUTABLE', 'STABLE')
	{
		my $reader = session($node);

		sql('TRUNCATE event', "CREATE OR REPLACE FUNCTION asks() RETURNS uuid LANGUAGE plpgsql $volatility AS 'BEGIN RETURN uuid7_horizon(); END'");
		attempt($late, q(BEGIN; INSERT INTO event VALUES (uuid7_new(), 'late')));
		sql(q(SELECT pg_sleep(0.01); INSERT INTO event VALUES (uuid7_new(), 'early')), 'SELECT pg_sleep(0.01)');
		attempt($reader, $_) foreach 'SET plan_cache_mode = force_generic_plan', "PREPARE q AS SELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM event WHERE id < asks()";
		is(attempt($reader, 'EXECUTE q'), '', "an $volatility function goes past nothing");
		attempt($late, 'COMMIT');
		is(attempt($reader, 'EXECUTE q'), $volatility eq 'STABLE' ? 'late early' : '', $volatility eq 'STABLE' ? '... and goes on' : '... but its first answer stays in a cached plan');
		$reader->quit;
	}
	$late->quit;
}

# ---------- a role that holds a transaction open ----------

{
	my $role = 'SET ROLE stranger';
	my $holder = session($node);

	sql('CREATE ROLE stranger LOGIN', 'TRUNCATE event');
	attempt($holder, "$role; BEGIN; SELECT uuid7_new()");
	sql(q(INSERT INTO event VALUES (uuid7_new(), 'behind')), 'SELECT pg_sleep(0.01)');
	is(sql($below), '', 'a role without rights holds the feed, idle in a transaction');
	is(sql('SELECT state FROM flakeid_horizon_holders'), 'idle in transaction', '... which the view shows');
	# in one message: between two the session would be idle in a transaction, too
	attempt($holder, 'ROLLBACK\\; SET idle_in_transaction_session_timeout = 100\\; BEGIN\\; SELECT uuid7_new()');
	comes('behind', '... idle_in_transaction_session_timeout ends it');
	$holder->quit;
	sql('REVOKE EXECUTE ON FUNCTION uuid7_new() FROM PUBLIC');
	like(scalar(($node->psql('postgres', "$role; SELECT uuid7_new()"))[2]), qr/permission denied for function uuid7_new/, '... and REVOKE forbids it');
	sql('GRANT EXECUTE ON FUNCTION uuid7_new() TO PUBLIC');
}

# ---------- many sessions ----------

{
	my $script = id_file($node, 'many.sql');
	my $late = session($node);
	my $turns = whole_or_short(20, 5);
	my $rows = 200 * $turns + 1;
	my $err;

	sql('TRUNCATE event', 'CREATE TABLE got (id uuid, v text)', 'CREATE TABLE naive (id uuid, v text)');
	append_to_file($script, "\\set wait random(0, 20)\nBEGIN;\nINSERT INTO event VALUES (uuid7_new(), 'x');\n\\sleep :wait ms\nCOMMIT;\n");
	attempt($late, q(BEGIN; INSERT INTO event VALUES (uuid7_new(), 'late')));
	my $writers = IPC::Run::start([ $node->installed_command('pgbench'), '-n', '-c', 200, '-t', $turns, '-f', $script, $node->connstr('postgres') ], '>', '/dev/null', '2>', \$err);
	my $poll = q(INSERT INTO %1$s SELECT * FROM event WHERE id > coalesce((SELECT id FROM %1$s ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000') AND %2$s ORDER BY id LIMIT 1000);
	my $read = sub { sql(sprintf($poll, 'got', 'id < uuid7_horizon()'), sprintf($poll, 'naive', 'true'), "SELECT count(*) FROM $_[0]") };

	# the one session commits when the reader without the horizon has passed its ID
	until_true(sub { return $read->('naive') > 0 }) or die 'nobody writes';
	is(sql('SELECT count(*) FROM got'), '0', 'a transaction is open');
	attempt($late, 'COMMIT');
	$late->quit;
	while ($writers->pumpable)
	{
		$read->('got');
		$writers->pump_nb;
	}
	$writers->finish or die "pgbench: $err";
	until_true(sub { return $read->('got') >= $rows });
	is(sql('SELECT count(*) FROM event'), $rows, '201 sessions have written');
	is(sql('SELECT count(*), count(DISTINCT id) FROM got'), "$rows|$rows", '... and a reader has all rows, once');
	is(sql(q(SELECT count(*) FROM naive WHERE v = 'late')), '0', '... not one without the horizon');
}

# ---------- the clock ----------

SKIP:
{
	skip 'no compiler', 1 unless clock_available();
	my $late = session($node);

	# a transaction open for an hour
	sql('TRUNCATE event');
	attempt($late, q(BEGIN; INSERT INTO event VALUES (uuid7_new(), 'late')));
	set_clock($node, '+3600');
	sql(q(INSERT INTO event VALUES (uuid7_new(), 'early')), 'SELECT pg_sleep(0.01)');
	is(sql($below), '', 'a transaction that has been open for an hour holds the horizon');
	is(sql(q(SELECT age > interval '59 min' FROM flakeid_horizon_holders)), 't', '... and the view shows for how long');
	attempt($late, 'COMMIT');
	comes('late early', '... until it ends');
	$late->quit;

	# the clock was wrong: set it back to the hour before, and the positions of consumers, too
	sql(q(SELECT flakeid_clock_reset(now() - interval '30 min', force => true)));
	set_clock($node, '+1800');
	sql('TRUNCATE event', q(INSERT INTO event VALUES (uuid7_new(), 'after the reset')));
	comes('after the reset', 'flakeid_clock_reset() between two polls');
	is(sql(q(SELECT uuid7_timestamp(id) < clock_timestamp() + interval '5 s' FROM event)), 't', '... and the horizon is the clock\'s');
}

$node->stop;
done_testing();
