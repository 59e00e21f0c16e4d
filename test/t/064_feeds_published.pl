# Readers on a standby and on a logical subscriber use the horizon published by the server
# that makes the IDs: flakeid_publish_horizon().  Under load, with a standby that lags and is
# promoted after a crash, and with a subscriber that copies its tables at the same time, they
# miss no row; readers without a horizon must miss some.  Horizons also move, and no row is
# missed, where servers subscribe to each other, where not all publish, and where a
# subscription is created or dropped under an older snapshot; a subscriber of a subscriber gets
# an error.
#
# FEEDS_SECONDS sets the length of each phase (4).
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use Flakeid::Feeds;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

use constant SECONDS => $ENV{FEEDS_SECONDS} || 4;

my $primary = new_server('primary', conf => [ 'flakeid.node = 11' ], init => { allows_streaming => 'logical' },
	server => [ 'max_prepared_transactions = 10', 'restart_after_crash = off', map { "$_ = 20" } qw(max_logical_replication_workers max_worker_processes max_replication_slots max_wal_senders) ]);

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
	$reader->query_until(qr/asked/, "\\echo asked\nSELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM event WHERE id < (SELECT held());\n");
	$standby->poll_query_until('postgres', "SELECT wait_event = 'advisory' FROM pg_stat_activity WHERE pid = $pid");
	attempt($late, 'COMMIT');
	publish();
	caught_up();
	is($standby->safe_psql('postgres', $below), 'late early', '... and gets both after commit and publication');
	attempt($lock, 'SELECT pg_advisory_unlock(1)');
	is(attempt($reader, ''), '', 'a statement started earlier has the horizon of its snapshot');
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

# ---------- a subscriber ----------

my $subscriber = new_server('subscriber', conf => [ 'flakeid.node = 12' ], server => [ 'max_logical_replication_workers = 8', 'max_sync_workers_per_subscription = 1' ]);
my $connection = $standby->connstr . ' dbname=postgres';

$primary = $standby;
$standby->safe_psql('postgres', 'CREATE PUBLICATION p FOR TABLE event, stopped, _flakeid.horizon');
foreach ('CREATE TABLE event (id ulid PRIMARY KEY, v text)', 'CREATE TABLE number (id snowflake PRIMARY KEY)', 'CREATE TABLE stopped (n int PRIMARY KEY)')
{
	$subscriber->safe_psql('postgres', $_);
}
my $procedures = $standby->safe_psql('postgres', q(SELECT string_agg(pg_get_functiondef(oid), E';\n') FROM pg_proc WHERE proname ~ '^read_'));
$subscriber->safe_psql('postgres', $procedures);
is(scalar($subscriber->psql('postgres', 'SELECT ulid_horizon()')), 0, 'a server without a subscription uses its own horizon');

@load = start_load($standby);
sleep SECONDS / 8;
delete $readers{number};    # its table is not replicated yet
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION s CONNECTION '$connection' PUBLICATION p");
@readers = start_readers($subscriber, 2);
sleep SECONDS / 3;

# another table; its rows are copied while the others continue
$standby->safe_psql('postgres', 'ALTER PUBLICATION p ADD TABLE number');
$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION s REFRESH PUBLICATION');
my @late = start_sessions($subscriber, q(CALL read_number(2, '{}');));
$_->finish foreach @load;
publish();
$standby->safe_psql('postgres', 'INSERT INTO stopped VALUES (2); SELECT pg_sleep(0.1); CALL flakeid_publish_horizon()');
got_all('a subscriber', $subscriber, @readers);
is($subscriber->safe_psql('postgres', q(SELECT count(*) FROM flakeid_doctor() WHERE finding ~ '_flakeid\.horizon')), '0', 'the doctor misses no table');
%readers = (number => [ 'number', 'snowflake' ]);
got_all('a table that was added', $subscriber, @late);
is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM event'), $standby->safe_psql('postgres', 'SELECT count(*) FROM event'), 'all rows have arrived');

# A subscriber's horizon is held by its own transactions, and an error says why it has none.
{
	my $late = session($subscriber);

	attempt($late, 'BEGIN; SELECT ulid_new()');
	$standby->safe_psql('postgres', 'SELECT pg_sleep(0.05); SELECT ulid_new(); CALL flakeid_publish_horizon()');
	$standby->wait_for_catchup('s');
	is($subscriber->safe_psql('postgres', 'SELECT ulid_timestamp(ulid_horizon()) < h.ulid FROM _flakeid.horizon AS h'), 't', 'a subscriber\'s own transactions hold its horizon, too');
	attempt($late, 'ROLLBACK');
	is($subscriber->safe_psql('postgres', 'SELECT ulid_timestamp(ulid_horizon()) = h.ulid FROM _flakeid.horizon AS h'), 't', '... until they end');
	$late->quit;

	# The test writes states by hand, after the last worker of the subscription has ended: a
	# worker would start to copy a table in state d again.
	$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION s DISABLE');
	ok($subscriber->poll_query_until('postgres', q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type ~ '^logical replication .*worker'))), 'the workers have ended');
	like(fails($subscriber, q(UPDATE pg_subscription_rel SET srsubstate = 'd' WHERE srrelid = 'event'::regclass; SELECT ulid_horizon())),
		qr/55000: cannot determine the horizon while a subscription copies tables\n.*HINT:  Wait until all rows of pg_subscription_rel/s, 'while a table is copied, there is no horizon');
	$subscriber->safe_psql('template1', 'CREATE DATABASE twin TEMPLATE postgres');
	is(scalar($subscriber->psql('twin', 'SELECT ulid_horizon()')), 0, '... but there is one in a copy of the database, which does not have the subscription');
	is($subscriber->safe_psql('postgres', q(CALL flakeid_publish_horizon(); DELETE FROM _flakeid.horizon
			WHERE (system, database) = (SELECT system_identifier, d.oid FROM pg_control_system(), pg_database AS d WHERE datname = current_database()) RETURNING ulid)),
		'-infinity', '... and it publishes none, as it may forward rows that are being copied');
	like(fails($subscriber, q(UPDATE pg_subscription_rel SET srsubstate = 's' WHERE srrelid IN ('event'::regclass, '_flakeid.horizon'::regclass); SELECT ulid_horizon())),
		qr/55000: cannot determine/, '... nor while the table of the horizons is ahead of others');
	is(scalar($subscriber->psql('postgres', q(UPDATE pg_subscription_rel SET srsubstate = 'r' WHERE srrelid = '_flakeid.horizon'::regclass; SELECT ulid_horizon()))), 0, '... others may be ahead of it');
	$subscriber->safe_psql('postgres', q(UPDATE pg_subscription_rel SET srsubstate = 'r'; DELETE FROM _flakeid.horizon));
	like(fails($subscriber, 'SELECT ulid_horizon()'), qr/55000: no horizon of ulid has been published\n.*On each publisher, CALL/s, 'a subscriber without a row');
	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION s');
	is(scalar($subscriber->psql('postgres', 'SELECT ulid_horizon()')), 0, '... and without the subscription it uses its own horizon');
}

$subscriber->stop;

# ---------- servers that subscribe to each other, or in a row ----------

# Databases of one server stand for servers.
$standby->append_conf('postgresql.conf', "wal_retrieve_retry_interval = 20ms\nmax_sync_workers_per_subscription = 1\n");
$standby->reload;

sub create_databases
{
	foreach my $database (@_)
	{
		$standby->safe_psql('postgres', "CREATE DATABASE $database");
		$standby->safe_psql($database, 'CREATE EXTENSION flakeid; CREATE TABLE event (id ulid PRIMARY KEY DEFAULT ulid_new(), v text, home text DEFAULT current_database())');
	}
	return;
}

# Publish a database's own rows.
sub publish_own
{
	my ($database) = @_;
	my $oid = $standby->safe_psql($database, 'SELECT oid FROM pg_database WHERE datname = current_database()');

	$standby->safe_psql($database, "CREATE PUBLICATION p FOR TABLE event WHERE (home = '$database'), _flakeid.horizon WHERE (database = $oid)");
	return;
}

# Within a server the slot must be there before the subscription.
sub subscribe
{
	my ($publisher, $database, $options, $name) = @_;

	$name //= 's';
	$standby->safe_psql($publisher, "SELECT pg_create_logical_replication_slot('${publisher}_$database', 'pgoutput')");
	$standby->safe_psql($database, "CREATE SUBSCRIPTION $name CONNECTION '" . $standby->connstr . " dbname=$publisher' PUBLICATION p WITH (create_slot = false, slot_name = '${publisher}_$database'$options)");
	return;
}

# Publish in the databases until the query of another one has this answer.
sub publishing_brings
{
	my ($databases, $database, $query, $expected) = @_;
	my $until = time() + $PostgreSQL::Test::Utils::timeout_default;

	do
	{
		$standby->safe_psql($_, 'CALL flakeid_publish_horizon()') foreach @$databases;
		return 1 if (($standby->psql($database, $query))[1] // '') eq $expected;
		sleep 0.05;
	} while (time() < $until);
	return 0;
}

sub add
{
	my ($database, $v) = @_;

	return $standby->safe_psql($database, "INSERT INTO event (v) VALUES ('$v') RETURNING id");
}

# Both have got a row of the other one before they publish, or have published before.
foreach my $order ('late', 'first')
{
	my ($a, $b) = my @both = map { "${_}_$order" } qw(a b);

	create_databases(@both);
	foreach (@both)
	{
		publish_own($_);
		$standby->safe_psql($_, 'CALL flakeid_publish_horizon()') if $order eq 'first';
	}
	subscribe($a, $b, '');
	subscribe($b, $a, '');
	ok(tables_copied($standby, $_), "$_ has copied the other one's tables") foreach @both;
	add($a, 'one');
	add($b, 'two');
	ok(publishing_brings(\@both, $_, $below, 'one two'), "$_: the horizon passes the rows of both") foreach @both;

	my $late = session($standby, database => $a);
	attempt($late, q(BEGIN; INSERT INTO event (v) VALUES ('late')));
	add($b, 'early');
	ok(publishing_brings(\@both, $_, q(SELECT count(*) FROM event WHERE v = 'early'), 1), "$_ has a row that is later than an open transaction's") foreach @both;
	$standby->safe_psql($_, 'SELECT pg_sleep(0.1); CALL flakeid_publish_horizon()') foreach @both, @both;
	is($standby->safe_psql($_, $below), 'one two', "$_: ... which the horizon does not pass") foreach @both;
	attempt($late, 'COMMIT');
	ok(publishing_brings(\@both, $_, $below, 'one two late early'), "$_: ... until that has ended") foreach @both;
	$late->quit;
	$standby->safe_psql($_, 'DROP SUBSCRIPTION s') foreach @both;
}

# Two of three make no IDs, and get each other's horizons.  A publisher's rows count only when
# its horizon has arrived.
create_databases(qw(one two three));
{
	my $warm = session($standby, database => 'three');

	publish_own($_) foreach qw(one two three);
	is($standby->safe_psql('two', q(CALL flakeid_publish_horizon(); SELECT bool_and(least(snowflake, ulid, siq, uid64, ksuid) BETWEEN now() - interval '1 min' AND now()), count(*) FROM _flakeid.horizon)), 't|1', 'a server that makes no IDs publishes the time');
	$standby->safe_psql('two', 'DELETE FROM _flakeid.horizon');
	is(attempt($warm, 'SELECT ulid_horizon() IS NULL'), 'f', 'a server that has no subscription yet');
	subscribe('one', 'three', '', 'one');
	ok(tables_copied($standby, 'three'), 'it copies one server\'s tables');
	like(attempt($warm, 'SELECT ulid_horizon()'), qr/55000: no horizon of ulid/, '... from where no horizon has come');
	add('one', 'first');
	ok(publishing_brings([qw(one)], 'three', $below, 'first'), '... until it does');
	subscribe('two', 'three', '', 'two');
	ok(tables_copied($standby, 'three'), '... and then another one\'s');
	like(fails($standby, "\\c three\nSELECT ulid_horizon()"), qr/55000: no horizon of ulid .*DETAIL:  Fewer other databases have a row/s, '... from where none has come, either');
	foreach (qw(three:one one:two two:one three:two))
	{
		my ($publisher, $database) = split /:/;

		subscribe($publisher, $database, '', $publisher);
	}
	ok(tables_copied($standby, $_), "$_ has copied the other ones' tables") foreach qw(one two three);
	foreach my $v (qw(second third))
	{
		add('one', $v);
		ok(publishing_brings([qw(one two three)], $_, "SELECT 1 FROM event WHERE id < ulid_horizon() AND v = '$v'", 1), "$_: horizons pass the $v row, although two servers make none") foreach qw(one two three);
	}
	$warm->quit;
	foreach my $database (qw(one two three))
	{
		$standby->safe_psql($database, "DROP SUBSCRIPTION $_") foreach split /\n/, $standby->safe_psql($database, 'SELECT subname FROM pg_subscription AS s JOIN pg_database AS d ON d.oid = s.subdbid WHERE datname = current_database()');
	}
}

# "middle" forwards what comes from "top".
create_databases(qw(top middle bottom));
$standby->safe_psql($_, 'CREATE PUBLICATION p FOR TABLE event, _flakeid.horizon') foreach qw(top middle);
subscribe(qw(top middle), '');
subscribe(qw(middle bottom), '');
ok(tables_copied($standby, $_), "$_ has copied tables") foreach qw(middle bottom);
{
	my $late = session($standby, database => 'top');

	attempt($late, q(BEGIN; INSERT INTO event (v) VALUES ('late')));
	add('top', 'early');
	ok(publishing_brings(['middle'], 'bottom', "SELECT v, ulid FROM event, _flakeid.horizon", 'early|-infinity'), 'what forwards rows publishes no horizon before it has got one');
	is($standby->safe_psql('bottom', $below), '', '... so readers do not pass these rows');
	ok(publishing_brings([qw(top middle)], 'bottom', 'SELECT count(*) FROM _flakeid.horizon WHERE isfinite(ulid)', 2), '... and then both');
	attempt($late, 'COMMIT');
	$late->quit;
	like(fails($standby, "\\c bottom\nSELECT ulid_horizon()"),
		qr/55000: cannot determine the horizon of a subscriber's subscriber\nDETAIL:  More other databases .*HINT:  Subscribe to each database/s, '... of which a subscriber\'s subscriber uses none');
	is($standby->safe_psql('bottom', 'CALL flakeid_publish_horizon(); SELECT ulid FROM _flakeid.horizon WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())'), '-infinity', '... and publishes none');

	# as the hint says
	$standby->safe_psql('bottom', 'DROP SUBSCRIPTION s');
	is(scalar($standby->psql('bottom', 'SELECT ulid_horizon(); DELETE FROM _flakeid.horizon; TRUNCATE event')), 0, '... but without the subscription it has its own');
	$standby->safe_psql('top', 'CALL flakeid_publish_horizon()');
	subscribe(qw(top bottom), '');
	ok(tables_copied($standby, 'bottom'), '... and copies tables of the first server');
	ok(publishing_brings(['top'], 'bottom', $below, 'late early'), '... whose horizon it uses');

	# the subscription is dropped, created and dropped, while a transaction has an older snapshot
	my @old = map { session($standby, database => 'bottom') } 0 .. 2;
	attempt($old[0], 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event');
	my $id = add('top', 'unseen');
	ok(publishing_brings(['top'], 'bottom', $below, 'late early unseen'), 'a row that an older snapshot does not see');
	$standby->safe_psql('bottom', 'SELECT ulid_new(); DROP SUBSCRIPTION s');
	is(attempt($old[0], "SELECT ulid_horizon() <= '$id'"), 't', '... is not passed there, although the subscription has been dropped');
	add('bottom', 'own');
	$standby->safe_psql('bottom', 'SELECT pg_sleep(0.01)');
	is($standby->safe_psql('bottom', $below), 'late early unseen own', '... and later snapshots have the server\'s own horizon');
	attempt($_, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event') foreach @old[ 1, 2 ];
	subscribe(qw(top bottom), ', copy_data = false');
	$id = add('top', 'more');
	ok(publishing_brings(['top'], 'bottom', $below, 'late early unseen own more'), 'a new subscription');
	is(attempt($old[1], "SELECT ulid_horizon() <= '$id'"), 't', '... holds older snapshots');

	# a superuser has renamed the schema
	my $renamed = qr/55000: table "_flakeid\.horizon" is not the extension's\nHINT:  Give the schemas of flakeid their names again/;

	$standby->safe_psql('bottom', 'ALTER SCHEMA _flakeid RENAME TO renamed');
	like(fails($standby, "\\c bottom\nSELECT ulid_horizon()"), $renamed, 'there is no horizon while the schema has another name');
	$standby->safe_psql('bottom', q(CREATE ROLE renter; GRANT CREATE ON DATABASE bottom TO renter; SET ROLE renter; CREATE SCHEMA _flakeid;
		CREATE TABLE _flakeid.horizon (system bigint, database oid, published timestamptz, snowflake timestamptz, ulid timestamptz, siq timestamptz, uid64 timestamptz, ksuid timestamptz, sno timestamptz, PRIMARY KEY (system, database))));
	like(fails($standby, "\\c bottom\n$_"), $renamed, "... nor in a schema that somebody else has created: $_") foreach 'SELECT ulid_horizon()', 'CALL flakeid_publish_horizon()';
	is($standby->safe_psql('bottom', 'SELECT count(*) FROM _flakeid.horizon'), '0', '... where nothing is written');
	$standby->safe_psql('bottom', 'DROP SCHEMA _flakeid CASCADE; DROP OWNED BY renter; DROP ROLE renter; ALTER SCHEMA renamed RENAME TO _flakeid; DROP SUBSCRIPTION s');
	is(attempt($old[2], "SELECT ulid_horizon() <= '$id'"), 't', '... and holds those older than itself, although it has been dropped');
	attempt($_, 'COMMIT'), $_->quit foreach @old;
	$standby->safe_psql('middle', 'DROP SUBSCRIPTION s');
	like(fails($standby, qq(SELECT _flakeid_functions.flakeid_own_horizon('$_'))), qr/22023: format "$_" has no horizon/, "$_ has none to publish") foreach qw(flax uid96 uuid);
}

$standby->stop;
done_testing();
