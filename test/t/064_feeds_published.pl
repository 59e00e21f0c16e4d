# Readers on a standby use the horizon published by the server that makes the IDs:
# flakeid_publish_horizon().  Under load, with a standby that lags and is promoted after a crash,
# they miss no row; readers without a horizon must miss some.  On a logical subscriber a condition
# with a horizon on a table that comes from elsewhere is refused.
#
# FEEDS_SECONDS sets the length of each phase (4, in make test 1).
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Feeds qw(SECONDS start_writers left_prepared);
use Time::HiRes qw(sleep);


my $primary = new_server('primary', conf => [ 'flakeid.node = 11' ], init => { allows_streaming => 'logical' },
	server => [ 'max_prepared_transactions = 10', 'restart_after_crash = off' ]);

$primary->safe_psql('postgres', $_) foreach
  'CREATE TABLE event (id ulid PRIMARY KEY DEFAULT ulid_new(), v text)',
  'CREATE TABLE number (id snowflake PRIMARY KEY DEFAULT snowflake_new())',
  'CREATE TABLE stopped (n int PRIMARY KEY)',
  # held() waits, then asks for the horizon
  q(CREATE FUNCTION held() RETURNS ulid LANGUAGE plpgsql STABLE AS 'BEGIN PERFORM pg_advisory_lock_shared(1); RETURN ulid_horizon(); END');

# A reader keeps the IDs it has got in memory, because a standby stores nothing, and returns
# them when "stopped" has the number and no more rows arrive.
sub create_reader
{
	my ($name, $table, $type, $horizon) = @_;

	$primary->safe_psql('postgres', qq(CREATE PROCEDURE read_$name(until int, INOUT result text) LANGUAGE plpgsql AS \$\$
		DECLARE
			last $type := (result::$type\[])[array_upper(result::$type\[], 1)];
			got $type\[] := result;
			next $type\[];
			stopping boolean;
		BEGIN
			LOOP
				stopping := EXISTS (SELECT FROM stopped WHERE n = until);
				COMMIT;
				next := '{}';
				BEGIN
					next := ARRAY(SELECT id FROM $table WHERE (last IS NULL OR id > last) AND $horizon ORDER BY id LIMIT 1000);
				EXCEPTION WHEN object_not_in_prerequisite_state THEN
					stopping := false;
				END;
				COMMIT;
				got := got || next;
				last := got[array_upper(got, 1)];
				EXIT WHEN stopping AND next = '{}' AND ('$name' = 'naive' OR NOT EXISTS (SELECT FROM $table WHERE last IS NULL OR id > last));
				PERFORM pg_sleep(0.005);
			END LOOP;
			result := got;
		END \$\$));
	return;
}

my %readers = (
	naive => [ 'event', 'ulid', 'true' ],
	statement => [ 'event', 'ulid', 'id < ulid_horizon()' ],
	subselect => [ 'event', 'ulid', 'id < (SELECT ulid_horizon())' ],
	number => [ 'number', 'snowflake', 'id < snowflake_horizon()' ],
);
create_reader($_, @{ $readers{$_} }) foreach sort keys %readers;

# A server's rows below the horizon.
my $below = q(SELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM event WHERE id < ulid_horizon());

sub publish
{
	$primary->safe_psql('postgres', 'SELECT pg_sleep(0.01); CALL flakeid_publish_horizon()');
	return;
}

# ---------- a standby ----------

$primary->backup('base');
my $standby = server_from('standby', $primary, 'base', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = -1\nhot_standby_feedback = on\nrestart_after_crash = off\n");
start_server($standby);

sub caught_up
{
	$primary->wait_for_catchup($standby);
	return;
}

sub fails
{
	my ($node, $sql) = @_;

	return scalar(($node->psql('postgres', "\\set VERBOSITY verbose\n$sql"))[2]);
}

caught_up();
like(fails($standby, 'SELECT ulid_horizon()'),
	qr/ERROR:  55000: no horizon of ulid has been published\nDETAIL:  Only the primary knows .*\nHINT:  On the primary, CALL flakeid_publish_horizon\(\) in this database/, 'a standby without a row');
publish();
caught_up();
is($standby->safe_psql('postgres', "SELECT h.$_ = ${_}_timestamp(${_}_horizon()) FROM _flakeid.horizon AS h"), 't', "a standby answers what is published: $_") foreach qw(ulid snowflake siq uid64 ksuid);
is($standby->safe_psql('postgres', q(SELECT left(replace(uuid7_horizon()::text, '-', ''), 12) = lpad(to_hex((extract(epoch FROM h.ulid) * 1000)::bigint), 12, '0') FROM _flakeid.horizon AS h)), 't', '... uuid7');
like(fails($standby, 'SELECT sno_horizon()'), qr/55000: no horizon of sno has been published\n.*CALL flakeid_publish_horizon\(with_sno => true\)/s, '... sno is not published');
$primary->safe_psql('postgres', 'SELECT sno_new(0); CALL flakeid_publish_horizon(with_sno => true)');
caught_up();
is($standby->safe_psql('postgres', 'SELECT h.sno = sno_timestamp(sno_horizon()) FROM _flakeid.horizon AS h'), 't', '... unless the call says so');
like($standby->safe_psql('postgres', 'SELECT flax_new()'), qr/^[-0-9A-Za-z_]{16}$/, 'a standby makes flaxes, which nobody can write there');
like(fails($standby, 'CALL flakeid_publish_horizon()'), qr/25006/, 'a standby does not publish');

# a transaction that commits late
{
	my $late = session($primary);
	my $old = session($standby);
	my ($reader, $lock) = map { session($standby) } 1 .. 2;
	my $pid = attempt($reader, 'SELECT pg_backend_pid()');

	attempt($late, q(BEGIN; INSERT INTO event (v) VALUES ('late')));
	$primary->safe_psql('postgres', q(SELECT pg_sleep(0.01); INSERT INTO event (v) VALUES ('early')));
	publish();
	caught_up();
	is($standby->safe_psql('postgres', q(SELECT string_agg(v, ' ' ORDER BY id) FROM event)), 'early', 'a reader of all rows on the standby goes past the open transaction\'s');
	is($standby->safe_psql('postgres', $below), '', 'a reader of those below the horizon waits');

	# earlier snapshots: the horizon replayed in the meantime does not apply to them
	attempt($old, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event');
	attempt($lock, 'SELECT pg_advisory_lock(1)');
	$reader->send(q(SELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM event WHERE id < (SELECT held());));
	$standby->poll_query_until('postgres', "SELECT wait_event = 'advisory' FROM pg_stat_activity WHERE pid = $pid");
	attempt($late, 'COMMIT');
	publish();
	caught_up();
	is($standby->safe_psql('postgres', $below), 'late early', '... and gets both after commit and publication');
	attempt($lock, 'SELECT pg_advisory_unlock(1)');
	is($reader->answer, '', 'a statement started earlier has the horizon of its snapshot');
	is(attempt($old, $below), '', '... and a REPEATABLE READ transaction, too');
	attempt($old, 'COMMIT');
	is(attempt($old, $below), 'late early', '... until it ends');
	$_->quit foreach $late, $old, $reader, $lock;
}

# a published row either survives the primary's crash or is lost, never half of it
publish();
crash($primary, all => 1);
start_server($primary);
caught_up();
is($primary->safe_psql('postgres', 'SELECT ulid_new() >= ulid_min(h.ulid) FROM _flakeid.horizon AS h'), 't', 'after a crash no ID is below the published horizon');

# ---------- the right to write it ----------

$primary->safe_psql('postgres', 'CREATE ROLE stranger LOGIN; CREATE ROLE timer LOGIN; GRANT USAGE ON SCHEMA _flakeid TO timer; GRANT SELECT, INSERT, UPDATE ON _flakeid.horizon TO timer');
like(fails($primary, 'SET ROLE stranger; CALL flakeid_publish_horizon()'), qr/42501/, 'not everybody may publish');
like(fails($primary, q(SET ROLE stranger; UPDATE _flakeid.horizon SET ulid = 'infinity')), qr/42501: permission denied for schema _flakeid/, '... or write a horizon that is too high');
is(scalar($primary->psql('postgres', 'SET ROLE timer; CALL flakeid_publish_horizon()')), 0, '... but a role with the privileges may');
is(scalar($primary->psql('postgres', 'SET ROLE timer; CALL flakeid_publish_horizon(with_sno => true)')), 0, "... sno's, too");
like(fails($primary, 'SET ROLE timer; BEGIN; LOCK TABLE _flakeid.mark'), qr/42501/, '... which give no rights on the mark');
is(scalar($primary->psql('postgres', q(SET ROLE timer; UPDATE _flakeid.horizon SET ulid = 'infinity'))), 0, 'a role that may write it can write anything');
caught_up();
is($standby->safe_psql('postgres', q(SELECT ulid_horizon() > ulid_max(now() + interval '1 y'))), 't', '... and the standby believes it');
publish();

# ---------- dumps, and another extension ----------

unlike(scalar(run_command([ $primary->installed_command('pg_dump'), '-d', $primary->connstr('postgres') ])), qr/(COPY|INSERT INTO) _flakeid\.horizon/, 'no part of a dump');
$primary->safe_psql('postgres', 'CREATE DATABASE other');
$primary->safe_psql('other', 'CREATE EXTENSION flakeid; CALL flakeid_publish_horizon()');
$primary->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE other');
caught_up();
is($standby->safe_psql('other', 'SELECT h.ulid = ulid_timestamp(ulid_horizon()) FROM _flakeid.horizon AS h'), 't', 'another database has its own');
like(scalar(($standby->psql('copy', 'SELECT ulid_horizon()'))[2]), qr/no horizon of ulid has been published/, '... and its copy does not use it');
is(scalar($primary->psql('copy', 'SELECT ulid_horizon()')), 0, '... nor does it on the primary');
$primary->safe_psql('other', 'DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
caught_up();
like(scalar(($standby->psql('other', 'SELECT ulid_horizon()'))[2]), qr/no horizon of ulid has been published/, 'DROP EXTENSION and CREATE EXTENSION');

# ---------- under load ----------

my @scripts = (
	[ 6, "INSERT INTO event DEFAULT VALUES;" ],
	[ 3, "BEGIN;\nINSERT INTO event DEFAULT VALUES;\nINSERT INTO number DEFAULT VALUES;\n\\sleep :wait us\nINSERT INTO event DEFAULT VALUES;\nCOMMIT;" ],
	[ 1, "BEGIN;\nINSERT INTO event DEFAULT VALUES;\nINSERT INTO number DEFAULT VALUES;\n\\sleep 40 ms\nCOMMIT;" ],
	[ 1, "BEGIN;\nINSERT INTO event DEFAULT VALUES;\nROLLBACK;" ],
	[ 1, "BEGIN;\nINSERT INTO event DEFAULT VALUES;\nPREPARE TRANSACTION 'p:client_id';\n\\sleep :wait us\nCOMMIT PREPARED 'p:client_id';" ],
);
$_->[1] = "\\set wait random(0, 4000)\n$_->[1]" foreach @scripts;

# Writers, and a loop that publishes.
sub start_load
{
	my ($node) = @_;

	return map { $_->{run} } start_writers($node, 6, SECONDS, @scripts), start_writers($node, 1, SECONDS, [ 1, "CALL flakeid_publish_horizon();\n\\sleep 15 ms" ]);
}

sub start_readers
{
	my ($node, $until) = @_;

	return start_sessions($node, map { "CALL read_$_($until, '{}');" } sort keys %readers);
}

# All readers have ended, and each has got all rows.
sub got_all
{
	my ($name, $node, @sessions) = @_;
	my @got = finish_sessions(@sessions);

	foreach my $reader (sort keys %readers)
	{
		my $got = shift @got;
		my ($table, $type) = @{ $readers{$reader} };
		my $file = id_file($node, "got_$reader");

		append_to_file($file, join "\n", split(/,/, $got =~ tr/{}//dr), '');
		my ($rows, $missed, $twice) = split /\|/, $node->safe_psql('postgres', "CREATE TEMP TABLE got (id $type);
			\\copy got FROM '$file'
			SELECT (SELECT count(*) FROM $table), (SELECT count(*) FROM (SELECT id FROM $table EXCEPT SELECT id FROM got) AS m), (SELECT count(*) - count(DISTINCT id) FROM got)");

		if ($reader eq 'naive')
		{
			cmp_ok($missed, '>', 0, "$name, without the horizon: missed $missed of $rows rows");
			next;
		}
		is($missed, '0', "$name, $reader: none of $rows rows is missed");
		is($twice, '0', "$name, $reader: ... or read twice");
	}
	return;
}

# ---------- transactions prepared on the primary ----------

# The standby's memory is older than the transaction, because a session has read a view there.
# After the promotion the transaction holds the horizon, as after a restart.
{
	$primary->backup('later');
	my $other = server_from('promoted', $primary, 'later', has_streaming => 1);
	my $next = q(SELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM pe WHERE id < ulid_horizon());

	start_server($other);
	$primary->safe_psql('postgres', q(CREATE TABLE pe (id ulid PRIMARY KEY DEFAULT ulid_new(), v text); INSERT INTO pe (v) VALUES ('first')));
	$primary->wait_for_catchup($other);
	$other->safe_psql('postgres', 'SELECT FROM flakeid_clock');
	$primary->safe_psql('postgres', q(BEGIN; INSERT INTO pe (v) VALUES ('late'); PREPARE TRANSACTION 'px'));
	$primary->safe_psql('postgres', q(SELECT pg_sleep(0.01); INSERT INTO pe (v) VALUES ('early')));
	$primary->wait_for_catchup($other);
	$other->safe_psql('postgres', 'SELECT FROM flakeid_horizon_holders');
	my $old = session($other);
	attempt($old, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM pe');
	$other->promote;
	$other->safe_psql('postgres', q(INSERT INTO pe (v) VALUES ('new'); SELECT pg_sleep(2.1)));
	is($other->safe_psql('postgres', $next), '', 'after a promotion, a transaction prepared on the old primary holds the horizon');
	is($other->safe_psql('postgres', 'SELECT prepared, since IS NULL FROM flakeid_horizon_holders'), 'px|t', '... and is shown');
	$other->safe_psql('postgres', q(COMMIT PREPARED 'px'));
	ok($other->poll_query_until('postgres', $next, 'first late early new'), '... until it is finished, and no row is lost');
	is(attempt($old, $next), '', 'a snapshot taken on the standby uses the published horizon, also after the promotion');
	$old->quit;
	$other->stop;
	$primary->safe_psql('postgres', q(ROLLBACK PREPARED 'px'));
}

# The standby lags, and its replay is paused now and then; in the end the primary is killed
# and the standby is promoted while it is read.
$standby->append_conf('postgresql.conf', "recovery_min_apply_delay = 100ms\n");
$standby->reload;
my @readers = start_readers($standby, 1);
my @load = start_load($primary);

foreach (1 .. 3)
{
	sleep SECONDS / 5;
	$standby->safe_psql('postgres', 'SELECT pg_wal_replay_pause()');
	sleep SECONDS / 20;
	$standby->safe_psql('postgres', 'SELECT pg_wal_replay_resume()');
}
crash($primary, all => 1);
eval { $_->finish } foreach @load;
$standby->promote;
$standby->safe_psql('postgres', "COMMIT PREPARED '$_'") foreach left_prepared($standby);
@load = start_load($standby);
$_->finish foreach @load;
$standby->safe_psql('postgres', 'INSERT INTO stopped VALUES (1)');
got_all('a standby that is promoted', $standby, @readers);

# ---------- a superuser has renamed the schema ----------

$primary = $standby;
{
	my $renamed = qr/55000: table "_flakeid\.horizon" is not the extension's\nHINT:  Give the schemas of flakeid their names again/;

	$primary->safe_psql('postgres', q(ALTER SCHEMA _flakeid RENAME TO renamed;
		CREATE ROLE renter; GRANT CREATE ON DATABASE postgres TO renter; SET ROLE renter; CREATE SCHEMA _flakeid;
		CREATE TABLE _flakeid.horizon (system bigint, database oid, published timestamptz, snowflake timestamptz, ulid timestamptz, siq timestamptz, uid64 timestamptz, ksuid timestamptz, sno timestamptz, PRIMARY KEY (system, database))));
	like(fails($primary, 'CALL flakeid_publish_horizon()'), $renamed, 'nothing is published in a schema that somebody else has created');
	is($primary->safe_psql('postgres', 'SELECT count(*) FROM _flakeid.horizon'), '0', '... where nothing is written');
	$primary->safe_psql('postgres', 'DROP SCHEMA _flakeid CASCADE; DROP OWNED BY renter; DROP ROLE renter; ALTER SCHEMA renamed RENAME TO _flakeid');
	like(fails($primary, qq(SELECT _flakeid_functions.flakeid_own_horizon('$_'))), qr/22023: format "$_" has no horizon/, "$_ has none to publish") foreach qw(flax uid96 uuid);
}

# ---------- a subscriber ----------

# Two databases of one server stand for servers; within one the slot must be there before the subscription.
my $subscribed = qr/0A000: cannot follow table "(\w+)" by a horizon of this server\nDETAIL:  Subscription "s" fills it, and (\w+)_horizon\(\) .*\nHINT:  Read the table on the server that its rows come from/;

sub subscribe
{
	my ($publication) = @_;

	$primary->safe_psql('pub', "CREATE PUBLICATION $publication; SELECT pg_create_logical_replication_slot('s', 'pgoutput')");
	$primary->safe_psql('sub', "CREATE SUBSCRIPTION s CONNECTION '" . $primary->connstr . " dbname=pub' PUBLICATION p WITH (create_slot = false, copy_data = false)");
	return;
}

sub unsubscribe
{
	$primary->safe_psql('sub', 'DROP SUBSCRIPTION s');
	$primary->safe_psql('pub', 'DROP PUBLICATION p');
	return;
}

foreach my $database (qw(pub sub))
{
	$primary->safe_psql('postgres', "CREATE DATABASE $database");
	$primary->safe_psql($database, q(CREATE EXTENSION flakeid; CREATE TABLE event (id ulid PRIMARY KEY DEFAULT ulid_new(), n bigserial);
		CREATE TABLE own (id ulid PRIMARY KEY DEFAULT ulid_new(), n int GENERATED ALWAYS AS IDENTITY);
		CREATE TABLE part (id ulid NOT NULL, day int) PARTITION BY LIST (day); CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1); CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2)));
}
{
	my $reader = session($primary, database => 'sub');
	my $poll = 'EXECUTE poll';

	attempt($reader, 'SET plan_cache_mode = force_generic_plan; PREPARE poll AS SELECT count(*) FROM event WHERE id < ulid_horizon()');
	is(attempt($reader, $poll), '0', 'a table that nothing fills is followed');
	subscribe('p FOR TABLE event, part_1');
	like(attempt($reader, $poll), $subscribed, 'a subscription: refused in a session that has a plan');
	like(fails($primary, "\\c sub\n$_"), $subscribed, "... and in a new one: $_") foreach
	  'SELECT count(*) FROM event WHERE id < ulid_horizon()', 'SELECT count(*) FROM event WHERE id < (SELECT ulid_horizon())',
	  q(EXPLAIN SELECT FROM event WHERE n < flakeid_horizon('event_n_seq')), 'DELETE FROM event WHERE id < ulid_horizon()',
	  'SELECT FROM own, event WHERE own.id = event.id AND event.id < ulid_horizon()', 'SELECT FROM part WHERE id < ulid_horizon()';
	like(fails($primary, "\\c sub\nSELECT FROM event WHERE n < flakeid_horizon('event_n_seq')"), qr/HINT: .* If only this server fills the column, fetch the horizon in an earlier statement\./, '... and what can be followed all the same');
	is($primary->safe_psql('sub', $_), 0, "... another table is followed: $_") foreach
	  'SELECT count(*) FROM own WHERE id < ulid_horizon()', q(SELECT count(*) FROM own WHERE n < flakeid_horizon('own_n_seq')), 'SELECT count(*) FROM part WHERE day = 2 AND id < ulid_horizon()';
	is($primary->safe_psql('sub', 'SELECT ulid_horizon() IS NULL'), 'f', '... and the horizon itself is as it is');
	is($primary->safe_psql('sub', q(SELECT count(*) FROM flakeid_doctor() WHERE severity = 'notice' AND subject = 'subscription s' AND finding ~ 'event, public\.part_1')), '1', '... the doctor says so');
	unsubscribe();
	is(attempt($reader, $poll), '0', 'without the subscription it is followed again');
	subscribe('p FOR TABLE part WITH (publish_via_partition_root = true)');
	like(fails($primary, "\\c sub\nSELECT FROM $_ WHERE id < ulid_horizon()"), $subscribed, "a partitioned table's rows: $_") foreach qw(part part_1);
	unsubscribe();
	$reader->quit;
}

$standby->stop;
done_testing();
