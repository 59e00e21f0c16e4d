# flakeid_late_id(): no row gets an ID, made elsewhere or earlier, that is below what readers
# have passed; and flakeid.horizon_lag, which gives IDs made by clients time to arrive.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('late', init => { allows_streaming => 'logical' }, conf => [ 'flakeid.node = 11' ], server => [ 'max_prepared_transactions = 10' ]);
my $session = session($node);

sub sql
{
	return attempt($session, join ';', @_);
}

sub fresh
{
	return $node->safe_psql('postgres', join ';', @_);
}

# How many rows were late since the last call.
sub late
{
	return fresh('SELECT late FROM flakeid_clock', 'SELECT flakeid_stats_reset()') =~ s/\n.*//r;
}

# ---------- each type ----------

my %types = (snowflake => 'snowflake', ulid => 'ulid', siq => 'siq', uid64 => 'uid64', ksuid => 'ksuid', sno => 'sno', uuid7 => 'uuid');

foreach my $type (sort keys %types)
{
	my $new = $type eq 'siq' ? q(siq_new('message')) : "${type}_new()";
	my $at = $type eq 'siq' ? q(siq_new_at(%s, 'message')) : $type eq 'sno' ? 'sno_new_at(%s, 0)' : "${type}_new_at(%s)";
	my $old = sprintf $at, q(now() - interval '1 h');
	my $soon = sprintf $at, q(now() + interval '1 h');

	sql("CREATE TABLE e_$type (id $types{$type} PRIMARY KEY DEFAULT $new, v text)",
		"CREATE TRIGGER in_time BEFORE INSERT OR UPDATE OF id ON e_$type FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id')");
	is(sql("INSERT INTO e_$type (v) VALUES ('made here')"), '', "$type: an ID that the DEFAULT makes");
	is(sql("INSERT INTO e_$type VALUES ($soon, 'ahead')"), '', "$type: an ID ahead of the clock");
	my ($made) = sql("SELECT $new");
	sql('SELECT pg_sleep(' . ($type eq 'ksuid' ? 1.1 : 0.02) . ')', "SELECT ${type}_horizon()");
	like(sql("INSERT INTO e_$type VALUES ('$made', 'made before')"),
		qr/ERROR:  55000: ID in column "id" of relation "e_$type" is too late for readers\nDETAIL:  Its time is .*, and readers may have passed everything before .*\.\nHINT:  Have the column's DEFAULT .* flakeid\.horizon_lag/, "$type: an ID of an earlier transaction, after a reader");
	like(sql("INSERT INTO e_$type VALUES ($old, 'old')"), qr/55000/, "$type: an ID of an hour ago");
	like(sql("UPDATE e_$type SET id = $old WHERE v = 'made here'"), qr/55000/, "$type: an UPDATE");
	is(sql("UPDATE e_$type SET id = id, v = 'the same'  WHERE v = 'made here'"), '', "$type: an UPDATE that changes nothing");
	is(late(), '3', "$type: they are counted");

	# an ID that this transaction has made before a reader read is in time
	sql('BEGIN', "CREATE TEMP TABLE mine ON COMMIT DROP AS SELECT $new AS id");
	fresh('SELECT pg_sleep(' . ($type eq 'ksuid' ? 1.1 : 0.02) . ')', "SELECT ${type}_horizon()");
	is(sql("INSERT INTO e_$type SELECT id, 'made in the transaction' FROM mine"), '', "$type: an ID that the transaction has made before readers read");
	is(sql('COMMIT'), '', "$type: ... is written");
}

# ---------- a row in time holds readers up ----------

sql('CREATE TABLE event (id ulid PRIMARY KEY DEFAULT ulid_new(), v text)', 'CREATE TABLE naked (id ulid PRIMARY KEY DEFAULT ulid_new(), v text)');
sql("CREATE TRIGGER in_time BEFORE INSERT OR UPDATE OF id ON event FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id', 'refuse')");

# A session inserts an ID of an earlier transaction that no reader has passed yet.
foreach my $table ('event', 'naked')
{
	my $writer = session($node);
	my $id = attempt($writer, q(SELECT ulid_new_at(clock_timestamp() + interval '0.3 s')));

	attempt($writer, "BEGIN; INSERT INTO $table VALUES ('$id', 'elsewhere')");
	fresh("SELECT pg_sleep(0.5)", "INSERT INTO $table (v) VALUES ('here')", 'SELECT pg_sleep(0.02)');
	is(fresh("SELECT coalesce(string_agg(v, ' ' ORDER BY id), '') FROM $table WHERE id < ulid_horizon()"), $table eq 'event' ? '' : 'here',
		$table eq 'event' ? 'readers wait for the ID made elsewhere' : 'without the trigger they go past it');
	attempt($writer, 'COMMIT');
	is(fresh("SELECT string_agg(v, ' ' ORDER BY id) FROM $table WHERE id < ulid_horizon()"), 'elsewhere here', '... and it is there in the end');
	$writer->quit;
}

# A row that is refused or counted does not hold readers up at its old time.
sql('CREATE TABLE counted (id ulid PRIMARY KEY DEFAULT ulid_new(), v text)',
	"CREATE TRIGGER in_time BEFORE INSERT OR UPDATE ON counted FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id', 'count')");
sql('BEGIN', q(INSERT INTO counted VALUES (ulid_new_at('2020-01-01Z'), 'old')));
is(fresh(q(SELECT ulid_timestamp(ulid_horizon()) > now() - interval '1 min')), 't', 'a late row that is counted holds no reader up');
is(sql('COMMIT'), '', '... and is written');
is(late(), '1', '... and counted');
sql('BEGIN', 'SAVEPOINT s', q(INSERT INTO event VALUES (ulid_new_at('2020-01-01Z'), 'old')), 'ROLLBACK TO s');
is(fresh(q(SELECT ulid_timestamp(ulid_horizon()) > now() - interval '1 min')), 't', 'nor does a refused one');
sql('ROLLBACK');

# An ID of a type that nobody reads does not hold up readers of another one, who have passed
# it long ago.
$node->safe_psql('postgres', 'CREATE DATABASE unread');
{
	my $writer = session($node, database => 'unread');
	my $hold = q(BEGIN; INSERT INTO unread VALUES (ksuid_new_at(clock_timestamp() - interval '1 h')));

	attempt($writer, q(CREATE EXTENSION flakeid; SELECT ulid_new(), pg_sleep(0.1); CREATE TABLE unread (id ksuid);
		CREATE TRIGGER in_time BEFORE INSERT ON unread FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id')));
	is(attempt($writer, "$hold; ROLLBACK"), '', 'without any reader, no ID is late');
	is($node->safe_psql('unread', q(SELECT ulid_timestamp(ulid_horizon()) > now() - interval '1 min')), 't', 'a reader of ulids');
	like(attempt($writer, $hold), qr/55000: ID in column "id" of relation "unread" is too late/, '... is not held up by a ksuid of an hour ago');
	is(attempt($writer, 'ROLLBACK; BEGIN; INSERT INTO unread VALUES (ksuid_new_at(clock_timestamp()))'), '', '... and one of this second is in time');
	is($node->safe_psql('unread', q(SELECT ulid_timestamp(ulid_horizon()) > now() - interval '1 min')), 't', '... and holds readers for its second only');
	attempt($writer, 'ROLLBACK');
	$writer->quit;
}

# An announcement for one type does not apply to another: a ksuid is announced from the start
# of its second, which readers of ulids may have passed.
my $begun;
foreach (1 .. 20)
{
	fresh(q(SELECT pg_sleep(1.2 - (extract(epoch FROM clock_timestamp()) % 1)::float8), ulid_new()));
	my $passed = fresh(q(SELECT pg_sleep(0.01), ulid_new()), 'SELECT ulid_timestamp(ulid_horizon())') =~ s/.*\n//r;

	sql('BEGIN');
	$begun = sql(q(SELECT ksuid_new()));
	last if fresh("SELECT ksuid_timestamp('$begun') + interval '50 ms' < '$passed'") eq 't';
	sql('ROLLBACK');
}
like(sql("INSERT INTO event VALUES (ulid_new_at(ksuid_timestamp('$begun') + interval '20 ms'), 'between')"), qr/55000/, 'an announcement for one type does not permit an ID of another');
sql('ROLLBACK');

# ---------- renewing ----------

sql('CREATE TABLE renewed (id ulid PRIMARY KEY DEFAULT ulid_new(), v text)',
	"CREATE TRIGGER in_time BEFORE INSERT OR UPDATE OF id ON renewed FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id', 'renew')");
is(sql(q(INSERT INTO renewed VALUES (ulid_new_at('2020-01-01Z'), 'old') RETURNING id > ulid_min(now() - interval '1 min'))), 't', 'a late ID is renewed');
is(sql(q(UPDATE renewed SET id = ulid_new_at('2020-01-01Z') RETURNING id > ulid_min(now() - interval '1 min'))), 't', '... by an UPDATE, too');
sql('ALTER TABLE renewed ALTER id DROP DEFAULT');
like(sql(q(INSERT INTO renewed VALUES (ulid_new_at('2020-01-01Z')))), qr/55000: column "id" of relation "renewed" has no DEFAULT to renew a late ID/, '... not without a DEFAULT');
sql(q(ALTER TABLE renewed ALTER id SET DEFAULT ulid_min('2020-01-01Z')));
like(sql(q(INSERT INTO renewed VALUES (ulid_new_at('2020-01-01Z')))), qr/55000: ID in column "id" of relation "renewed" is too late/, '... nor by one that is late itself');

# ---------- ways to write ----------

my $old = q(ulid_new_at('2020-01-01Z'));

like(sql("INSERT INTO event VALUES ($old) ON CONFLICT DO NOTHING"), qr/55000/, 'ON CONFLICT DO NOTHING');
like(sql("INSERT INTO event SELECT id FROM event LIMIT 1 ON CONFLICT (id) DO UPDATE SET id = $old"), qr/55000/, 'ON CONFLICT DO UPDATE');
like(sql("MERGE INTO event USING (SELECT $old AS id) AS n ON event.id = n.id WHEN NOT MATCHED THEN INSERT VALUES (n.id)"), qr/55000/, 'MERGE');
like(sql("WITH w AS (INSERT INTO event VALUES ($old) RETURNING id) SELECT FROM w"), qr/55000/, 'WITH');
my $text = fresh("SELECT $old");
my ($ret, undef, $err) = $node->psql('postgres', "COPY event (id) FROM stdin;\n$text\n\\.\n");
like($err, qr/is too late/, 'COPY');
is(sql('BEGIN', 'INSERT INTO event (v) SELECT n FROM generate_series(1, 1000) AS n', q(PREPARE TRANSACTION 'p')), '', 'prepared transactions');
sql(q(COMMIT PREPARED 'p'));

# partitions
sql('CREATE TABLE parts (id ulid DEFAULT ulid_new(), region text) PARTITION BY LIST (region)', 'CREATE TABLE parts_a PARTITION OF parts FOR VALUES IN ($$a$$)',
	'CREATE TABLE parts_b (region text, id ulid)', 'ALTER TABLE parts ATTACH PARTITION parts_b FOR VALUES IN ($$b$$)',
	"CREATE TRIGGER in_time BEFORE INSERT OR UPDATE OF id ON parts FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id')");
is(sql(q(INSERT INTO parts (region) VALUES ('a'), ('b'))), '', 'partitions take rows');
like(sql("INSERT INTO parts VALUES ($old, '$_')"), qr/55000.*"parts_$_"/s, "... and refuse late ones, partition $_") foreach 'a', 'b';
like(sql("INSERT INTO parts_b VALUES ('b', $old)"), qr/55000/, '... directly, too');
fresh('SELECT pg_sleep(0.02)', 'SELECT ulid_horizon()');
like(sql(q(UPDATE parts SET region = 'b' WHERE region = 'a')), qr/55000/, 'a row that moves to another partition is inserted there');

# NULL, a domain, a generated column
sql('CREATE DOMAIN event_id AS ulid', 'CREATE TABLE odd (id event_id, s ulid GENERATED ALWAYS AS (id) STORED, n int, v text, f flax, u uid96)');
my $each = 'CREATE OR REPLACE TRIGGER in_time BEFORE INSERT OR UPDATE ON odd FOR EACH ROW EXECUTE FUNCTION flakeid_late_id';

sql("$each('id')");
is(sql('INSERT INTO odd DEFAULT VALUES'), '', 'NULL is nobody\'s business');
is(sql('INSERT INTO odd (id) VALUES (ulid_new())'), '', 'a domain');
like(sql("INSERT INTO odd (id) VALUES ($old)"), qr/55000/, '... whose ID is late');

# ---------- triggers that are created wrongly ----------

my @wrong = (
	[ q(('nothing')), qr/42703: column "nothing" of relation "odd" does not exist/ ],
	[ q(('ctid')), qr/42703/ ],
	[ q(('n')), qr/55000: no sequence is known for column "n" of relation "odd"\nDETAIL:.*\nHINT/ ],
	[ q(('v')), qr/42804: column "v" is of type text, which has no horizon\nDETAIL/ ],
	[ q(('f')), qr/42804: column "f" is of type flax, which has no horizon\nDETAIL:.*\nHINT: .* ulid or sno/ ],
	[ q(('u')), qr/42804: column "u" is of type uid96/ ],
	[ q(('s')), qr/0A000: column "s" is a generated column/ ],
	[ q(()), qr/22023: trigger "in_time" needs one to three arguments\nHINT/ ],
	[ q(('id', 'renew', 'now')), qr/22023: trigger "in_time" names a sequence, but column "id" is no integer/ ],
	[ q(('id', 'renew', 'now', 'then')), qr/22023: trigger "in_time" needs one to three arguments/ ],
	[ q(('id', 'forget')), qr/22023: unrecognized argument of trigger "in_time": "forget"\nDETAIL/ ],
);

foreach (@wrong)
{
	sql("$each$_->[0]");
	like(sql('INSERT INTO odd (id) VALUES (ulid_new())'), $_->[1], "created with $_->[0]");
}
sql('DROP TRIGGER in_time ON odd', 'DELETE FROM odd', 'INSERT INTO odd DEFAULT VALUES');
foreach ([ 'AFTER INSERT ON odd FOR EACH ROW', 'INSERT INTO odd DEFAULT VALUES', 'BEFORE ROW' ],
	[ 'BEFORE INSERT ON odd FOR EACH STATEMENT', 'INSERT INTO odd DEFAULT VALUES', 'BEFORE ROW' ],
	[ 'BEFORE DELETE ON odd FOR EACH ROW', 'DELETE FROM odd', 'for INSERT or UPDATE' ],
	[ 'BEFORE TRUNCATE ON odd', 'TRUNCATE odd', 'BEFORE ROW' ])
{
	my ($when, $statement, $must) = @$_;

	sql("CREATE TRIGGER wrong $when EXECUTE FUNCTION flakeid_late_id('id')");
	like(sql($statement), qr/39P01: function "flakeid_late_id" must be fired $must/, $when);
	sql('DROP TRIGGER wrong ON odd');
}
like(sql('SELECT flakeid_late_id()'), qr/39P01: function "flakeid_late_id" was not called by trigger manager/, 'called by hand');

# UUIDs of other versions have no time
like(sql('INSERT INTO e_uuid7 VALUES (gen_random_uuid())'), qr/55000: value of column "id" of relation "e_uuid7" is not a UUID of version 7\nDETAIL/, 'a UUID of version 4');

# ---------- the examples of docs/feeds.md ----------

my $feeds = slurp_file("$FindBin::RealBin/../../docs/feeds.md");

# its trigger, with a second one that changes the ID of a row although the UPDATE does not name it
{
	my ($trigger) = $feeds =~ /^(CREATE TRIGGER in_time .*?);/ms;

	sql('DROP TRIGGER in_time ON event', $trigger, 'CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.id := ulid_new_at(now() - interval $i$1 h$i$); RETURN NEW; END $$',
		'INSERT INTO event (v) VALUES ($$to be changed$$)', 'CREATE TRIGGER a_change BEFORE UPDATE ON event FOR EACH ROW EXECUTE FUNCTION change()');
	like(sql(q(UPDATE event SET v = 'changed' WHERE v = 'to be changed')), qr/55000: ID in column "id" of relation "event" is too late for readers/, 'an ID that another trigger changes');
	sql('DROP TRIGGER a_change ON event');
}

# retries
{
	my ($retry) = $feeds =~ /`(INSERT INTO event SELECT \$1.*?)`/;
	my $id = sql('INSERT INTO event (v) VALUES ($$once$$) RETURNING id');

	fresh('SELECT pg_sleep(0.02)', 'SELECT ulid_horizon()');
	like(sql("INSERT INTO event VALUES ('$id', 'twice') ON CONFLICT DO NOTHING"), qr/55000/, 'a retry comes late');
	is(sql($retry =~ s/\$1/'$id'::ulid/gr =~ s/\$2/'twice'/r, "SELECT v FROM event WHERE id = '$id'"), 'once', '... unless it checks whether the row exists');
}

# renewing in a table partitioned by the ID
sql('CREATE TABLE ranges (id ulid DEFAULT ulid_new(), v text) PARTITION BY RANGE (id)', q(CREATE TABLE ranges_old PARTITION OF ranges FOR VALUES FROM (MINVALUE) TO (ulid_min('2021-01-01Z'))),
	q(CREATE TABLE ranges_new PARTITION OF ranges FOR VALUES FROM (ulid_min('2021-01-01Z')) TO (MAXVALUE)), q(CREATE TRIGGER in_time BEFORE INSERT ON ranges FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id', 'renew')));
like(sql("INSERT INTO ranges VALUES ($old)"), qr/0A000: moving row to another partition during a BEFORE FOR EACH ROW trigger is not supported/, 'a renewed ID must stay in its partition');

# the right to hold feeds up
{
	my ($revoke) = $feeds =~ /^(REVOKE EXECUTE ON FUNCTION .*?);/ms;
	my $stranger = session($node);

	sql('CREATE ROLE nobody LOGIN', 'BEGIN', $revoke);
	is(sql(q(SELECT string_agg(p.oid::regprocedure::text, ', ') FROM pg_proc AS p WHERE p.proname ~ '^(sno|siq|uid64|uid96|snowflake|ulid|ksuid|uuid7)_new$|^flakeid_late_id$' AND has_function_privilege('nobody', p.oid, 'EXECUTE'))), '', 'docs/feeds.md revokes every function that announces');
	sql('COMMIT');
	attempt($stranger, 'SET ROLE nobody; BEGIN; CREATE TEMP TABLE held (id uuid)');
	like(attempt($stranger, q(CREATE TRIGGER hold BEFORE INSERT ON held FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id', 'count'))), qr/42501: permission denied for function flakeid_late_id/, '... so a stranger cannot hold feeds up with a trigger');
	attempt($stranger, q(ROLLBACK; BEGIN; INSERT INTO held VALUES (uuid7_max(now() + interval '1 min'))));
	is(fresh('SELECT count(*) FROM flakeid_horizon_holders'), '0', '... and holds none');
	$stranger->quit;
	sql($revoke =~ s/REVOKE/GRANT/r =~ s/FROM PUBLIC/TO PUBLIC/r);
}

# ---------- roles ----------

fresh('CREATE ROLE writer LOGIN', 'GRANT INSERT ON event, e_sno TO writer', 'REVOKE EXECUTE ON FUNCTION ulid_new() FROM PUBLIC');
like(scalar(($node->psql('postgres', "SET ROLE writer; INSERT INTO event VALUES ($old)"))[2]), qr/is too late/, 'a role that may only insert');
is(scalar($node->psql('postgres', q(SET ROLE writer; INSERT INTO event VALUES (ulid_new_at(now() + interval '1 min'))))), 0, '... inserts an ID that is in time');
fresh('GRANT EXECUTE ON FUNCTION ulid_new() TO PUBLIC');

# ---------- the lag ----------

fresh('CREATE DATABASE clients', 'ALTER DATABASE clients SET flakeid.horizon_lag = 2000');
$node->safe_psql('clients', q(CREATE EXTENSION flakeid; CREATE TABLE event (id uuid PRIMARY KEY, v text);
	CREATE TRIGGER in_time BEFORE INSERT OR UPDATE OF id ON event FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id')));
is($node->safe_psql('clients', q(LOAD 'flakeid'; SHOW flakeid.horizon_lag)), '2s', 'flakeid.horizon_lag');
# clients make IDs of a moment ago, by their clocks
my $client = q(INSERT INTO event VALUES (overlay(lpad(to_hex((extract(epoch FROM clock_timestamp() - interval '%s') * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15) placing '' from 33 for 0)::uuid, '%s'));
$node->safe_psql('clients', sprintf $client, '0 s', 'now');
$node->safe_psql('clients', 'SELECT uuid7_horizon()');
is(scalar($node->psql('clients', sprintf $client, '1 s', 'a second ago')), 0, 'an ID that a client made a second ago');
like(scalar(($node->psql('clients', sprintf $client, '60 s', 'too late'))[2]), qr/is too late/, '... and one older than the lag');
is($node->safe_psql('clients', q(SELECT count(*) FROM event WHERE id < uuid7_horizon() AND uuid7_timestamp(id) > clock_timestamp() - interval '2 s')), '0', 'readers wait for the lag');
ok($node->poll_query_until('clients', 'SELECT count(*) = 2 FROM event WHERE id < uuid7_horizon()'), '... although nobody makes an ID here');
like(scalar(($node->psql('clients', "LOAD 'flakeid'; CREATE ROLE stranger; SET ROLE stranger; SET flakeid.horizon_lag = 0"))[2]), qr/permission denied to set parameter "flakeid.horizon_lag"/, 'not everybody may set the lag');
like(scalar(($node->psql('clients', q(LOAD 'flakeid'; SET flakeid.horizon_lag = -1)))[2]), qr/-1 .*is outside the valid range/, 'nor to anything');

# after a crash there is no record of what readers have passed, up to the mark
my $passed = $node->safe_psql('clients', q(SELECT uuid7_min(uuid7_horizon()::ulid::timestamptz - interval '1 ms')));
crash($node, all => 1);
start_server($node);
like(scalar(($node->psql('clients', "INSERT INTO event VALUES ('$passed')"))[2]), qr/is too late/, 'after a crash, below an earlier horizon');
ok($node->poll_query_until('clients', sprintf("WITH n AS (%s RETURNING 1) SELECT count(*) = 1 FROM n", sprintf $client, '0 s', 'again')), '... and in time a moment later');

# ---------- replication ----------

{
	my $subscriber = new_server('subscriber', conf => [ 'flakeid.node = 12' ]);
	my $connection = $node->connstr . ' dbname=postgres';

	fresh('CREATE TABLE feed (id ulid PRIMARY KEY DEFAULT ulid_new(), v text)', 'CREATE PUBLICATION p FOR TABLE feed');
	$subscriber->safe_psql('postgres', "CREATE TABLE feed (id ulid PRIMARY KEY, v text);
		CREATE TRIGGER in_time BEFORE INSERT OR UPDATE ON feed FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id', 'count');
		CREATE SUBSCRIPTION s CONNECTION '$connection' PUBLICATION p");
	$subscriber->wait_for_subscription_sync($node, 's');
	fresh(q(INSERT INTO feed VALUES (ulid_new_at(now() - interval '1 h'), 'one')));
	$node->wait_for_catchup('s');
	is($subscriber->safe_psql('postgres', 'SELECT late FROM flakeid_clock'), '0', "a subscriber's trigger does not fire for replicated rows");
	$subscriber->safe_psql('postgres', 'SELECT ulid_new(); SELECT ulid_horizon(); ALTER TABLE feed ENABLE ALWAYS TRIGGER in_time');
	fresh(q(INSERT INTO feed VALUES (ulid_new_at(now() - interval '1 h'), 'two')));
	$node->wait_for_catchup('s');
	is($subscriber->safe_psql('postgres', 'SELECT late FROM flakeid_clock'), '1', '... unless it is ENABLE ALWAYS: then it is late');
	is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM feed'), '2', '... and counted');
	$subscriber->stop;
}

$session->quit;
$node->stop;
done_testing();
