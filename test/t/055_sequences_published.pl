# The horizon of a sequence on a standby: what the primary has published, never the standby's own
# copy of the sequence, which is ahead of the rows.  And which triggers logical replication fires.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Edition;
use Flakeid::Feeds;

my @logical = map { "$_ = 20" } qw(max_logical_replication_workers max_worker_processes max_replication_slots max_wal_senders);
my $primary = new_server('primary', conf => [ 'flakeid.node = 11' ], init => { allows_streaming => 'logical' }, server => [ 'max_prepared_transactions = 10', @logical ]);
my @table = ('CREATE TABLE outbox (id bigserial PRIMARY KEY, v text)',
	q(CREATE TRIGGER follow BEFORE INSERT OR UPDATE ON outbox FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id')), 'ALTER TABLE outbox ENABLE ALWAYS TRIGGER follow');
my $horizon = q(SELECT flakeid_horizon('outbox_id_seq'));
my $publish = q(CALL flakeid_publish_horizon(sequences => '{outbox_id_seq}'));
my $late;

sub fails
{
	my ($node, $sql) = @_;

	return scalar(($node->psql('postgres', "\\set VERBOSITY verbose\n$sql"))[2]);
}

$primary->safe_psql('postgres', $_) foreach @table, q(INSERT INTO outbox (v) VALUES ('first')), 'CREATE ROLE stranger';
$primary->backup('base');

# ---------- a standby ----------

my $standby = server_from('standby', $primary, 'base', has_streaming => 1);
start_server($standby);
$primary->wait_for_catchup($standby);
like(fails($standby, $horizon), qr/ERROR:  55000: no horizon of sequence "public.outbox_id_seq" has been published\nDETAIL:  Only the primary knows .*\nHINT:  On the primary, CALL flakeid_publish_horizon\(sequences => '\{public.outbox_id_seq\}'\)/, 'a standby without a row');
$primary->safe_psql('postgres', 'CALL flakeid_publish_horizon()');
$primary->wait_for_catchup($standby);
like(fails($standby, $horizon), qr/55000: no horizon of sequence/, 'a row without the sequence');
$primary->safe_psql('postgres', $publish);
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $horizon), '2', 'a standby answers what is published');
is($standby->safe_psql('postgres', 'SELECT count(*) FROM outbox WHERE id < flakeid_horizon(\'outbox_id_seq\')'), '1', '... and reads rows below it');

$late = session($primary);
attempt($late, q(BEGIN; INSERT INTO outbox (v) VALUES ('late')));
$primary->safe_psql('postgres', $_) foreach q(INSERT INTO outbox (v) VALUES ('early')), $publish;
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $horizon), '2', '... which stays below an open transaction of the primary');
attempt($late, 'COMMIT');
$primary->safe_psql('postgres', 'CALL flakeid_publish_horizon()');
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $horizon), '2', '... until it is published again');
$primary->safe_psql('postgres', $publish);
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $horizon), '4', '... and then rises');
is($standby->safe_psql('postgres', q(CALL flakeid_horizon('outbox_id_seq', NULL))), '4', '... also where it is called as in the SQL edition');

# a sequence without a horizon beside it
$primary->safe_psql('postgres', q(CREATE SEQUENCE cached CACHE 20; SELECT nextval('outbox_id_seq')));
like(fails($primary, q(CALL flakeid_publish_horizon(sequences => '{cached, outbox_id_seq}'))), qr/WARNING:  55000: sequence "cached" has no horizon\nDETAIL:  .*\nHINT:  ALTER SEQUENCE/, 'a sequence that has no horizon');
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $horizon), '5', '... does not keep others from being published');
like(fails($standby, q(SELECT flakeid_horizon('cached'))), qr/55000: no horizon of sequence "public.cached" has been published/, '... and its readers get an error');

# the values begin again, and another sequence of the name
foreach ('TRUNCATE outbox RESTART IDENTITY', join '; ', 'DROP TABLE outbox', @table)
{
	$primary->safe_psql('postgres', "$_; INSERT INTO outbox (v) VALUES ('again')");
	attempt($late, q(BEGIN; INSERT INTO outbox (v) VALUES ('late')));
	$primary->safe_psql('postgres', q(INSERT INTO outbox (v) VALUES ('early')));
	$primary->wait_for_catchup($standby);
	like(fails($standby, $horizon), qr/55000: no horizon of sequence/, substr($_, 0, 8) . ': what was published before does not count');
	$primary->safe_psql('postgres', $publish);
	$primary->wait_for_catchup($standby);
	is($standby->safe_psql('postgres', $horizon), '2', '... but what is published afterwards');
	attempt($late, 'COMMIT');
	$primary->safe_psql('postgres', $publish);
	$primary->wait_for_catchup($standby);
}
is($standby->safe_psql('postgres', $horizon), '4', '... and rises again');
like(fails($standby, "SET ROLE stranger; $horizon"), qr/42501: permission denied for sequence outbox_id_seq/, 'a stranger gets no answer');
like(fails($standby, q(SELECT flakeid_horizon('outbox'))), qr/42809: "outbox" is not a sequence/, 'nor does a table');
like(fails($standby, q(SELECT flakeid_nextval('outbox_id_seq'))), qr/25006: cannot execute nextval\(\) in a read-only transaction/, 'a standby draws nothing');
like(fails($primary, "SET ROLE stranger; SELECT _flakeid_functions.flakeid_own_sequence_horizon('outbox_id_seq')"), qr/42501/, 'a stranger may not publish');

# what is prepared on the primary, and not published
attempt($late, q(BEGIN; INSERT INTO outbox (v) VALUES ('prepared'); PREPARE TRANSACTION 'p'));
$primary->safe_psql('postgres', q(INSERT INTO outbox (v) VALUES ('after it')));
$primary->wait_for_catchup($standby);
$late->quit;
$primary->stop('immediate');
$standby->promote;
is($standby->safe_psql('postgres', $horizon), '-9223372036854775808', 'after a promotion, a transaction that was prepared before it');
$standby->safe_psql('postgres', q(COMMIT PREPARED 'p'));
cmp_ok($standby->safe_psql('postgres', $horizon), '>=', 6, '... and when it has ended');
$primary = $standby;

# ---------- a subscriber ----------

my $subscriber = new_server('subscriber', conf => [ 'flakeid.node = 12' ], init => { allows_streaming => 'logical' }, server => \@logical);
my $connection = $primary->connstr . " dbname=postgres";

# Which triggers logical replication fires: where rows are applied no trigger for statements, where
# a table is copied those that are ENABLE ALWAYS.  One whose column does not exist shows that.
foreach my $node ($primary, $subscriber)
{
	foreach my $name (qw(follows origin always))
	{
		$node->safe_psql('postgres', "CREATE TABLE $name (id bigserial PRIMARY KEY, v text)");
		next if $node == $primary;
		$node->safe_psql('postgres', "CREATE TRIGGER follow BEFORE INSERT ON $name FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('" . ($name eq 'follows' ? 'id' : 'missing') . "')");
		$node->safe_psql('postgres', "ALTER TABLE $name ENABLE ALWAYS TRIGGER follow") if $name ne 'origin';
	}
}
sub rows
{
	my ($node, @tables) = @_;

	return join ' ', map { "$_ " . $node->safe_psql('postgres', "SELECT count(*) FROM $_") } @tables;
}

$primary->safe_psql('postgres', "INSERT INTO $_ (v) VALUES ('copied')") foreach qw(follows origin always);
$primary->safe_psql('postgres', 'CREATE PUBLICATION triggers FOR TABLE follows, origin, always');
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION triggers CONNECTION '$connection' PUBLICATION triggers");
# the name of that counter depends on the major version
$subscriber->poll_query_until('postgres', q(SELECT sum(value::int) > 0 FROM pg_stat_subscription_stats AS s, jsonb_each_text(to_jsonb(s)) WHERE subname = 'triggers' AND key LIKE 'sync%_error_count')) or die;
is(rows($subscriber, 'always'), 'always 0', 'the first copy fires a trigger that is ENABLE ALWAYS');
$subscriber->safe_psql('postgres', q(ALTER TABLE always ENABLE TRIGGER follow));
$subscriber->wait_for_subscription_sync($primary, 'triggers');
is(rows($subscriber, qw(follows origin always)), 'follows 1 origin 1 always 1', '... and no other; rows are copied');
$subscriber->safe_psql('postgres', q(ALTER TABLE always ENABLE ALWAYS TRIGGER follow));
$primary->safe_psql('postgres', "INSERT INTO $_ (v) VALUES ('applied')") foreach qw(follows origin always);
$primary->wait_for_catchup('triggers');
is(rows($subscriber, qw(follows origin always)), 'follows 2 origin 2 always 2', 'where rows are applied no trigger for statements is fired');
is($subscriber->safe_psql('postgres', q(SELECT apply_error_count FROM pg_stat_subscription_stats WHERE subname = 'triggers')), '0', '... without an error');
is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM flakeid_horizon_holders'), '0', '... and nobody holds a horizon');

# A trigger for rows that is ENABLE ALWAYS gives what is applied versions of the subscriber's own sequence, and
# announces them: in C, and in the SQL edition.
my %horizon = (c => q(SELECT flakeid_horizon('c_version')), plain => q(CALL plain.flakeid_horizon('plain_version', NULL)));

$subscriber->safe_psql('postgres', 'CREATE SCHEMA plain; SET search_path = plain;' . slurp_file(edition_files() . '/flakeid.sql'));
$_->safe_psql('postgres', 'CREATE TABLE c (id int PRIMARY KEY, version bigint NOT NULL DEFAULT 0); CREATE TABLE plain (LIKE c INCLUDING ALL); CREATE TABLE last_one (id int PRIMARY KEY)') foreach $primary, $subscriber;
$subscriber->safe_psql('postgres', "CREATE SEQUENCE ${_}_version; CREATE TRIGGER zz_version BEFORE INSERT OR UPDATE ON $_ FOR EACH ROW EXECUTE FUNCTION " . ($_ eq 'c' ? 'public' : $_)
	  . ".flakeid_rowversion('version', 'public.${_}_version'); ALTER TABLE $_ ENABLE ALWAYS TRIGGER zz_version") foreach sort keys %horizon;
$primary->safe_psql('postgres', "INSERT INTO $_ VALUES (1, 77)") foreach sort keys %horizon;
$primary->safe_psql('postgres', 'CREATE PUBLICATION versions FOR TABLE c, plain, last_one');
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION versions CONNECTION '$connection' PUBLICATION versions");
$subscriber->wait_for_subscription_sync($primary, 'versions');
is($subscriber->safe_psql('postgres', 'SELECT c.version, plain.version FROM c, plain'), '1|1', 'rows that are copied get versions of the subscriber');

my $locker = session($subscriber);
attempt($locker, 'BEGIN; LOCK TABLE last_one IN SHARE MODE');
$primary->safe_psql('postgres', 'BEGIN; INSERT INTO c VALUES (2, 88); INSERT INTO plain VALUES (2, 88); INSERT INTO last_one VALUES (1); COMMIT');
$subscriber->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'last_one'::regclass AND NOT granted))) or die 'nothing is applied';
$subscriber->safe_psql('postgres', "INSERT INTO $_ VALUES (3)") foreach sort keys %horizon;
is($subscriber->safe_psql('postgres', $horizon{$_}), '2', "$_: a transaction that is applied holds the horizon") foreach sort keys %horizon;
attempt($locker, 'COMMIT');
$locker->quit;
$subscriber->poll_query_until('postgres', 'SELECT EXISTS (SELECT FROM last_one)') or die 'it does not end';
is($subscriber->safe_psql('postgres', "SELECT string_agg(id || ' ' || version, ', ' ORDER BY id) FROM $_; $horizon{$_}"), "1 1, 2 2, 3 3\n4", "$_: ... until it ends") foreach sort keys %horizon;
$subscriber->stop;
$primary->stop;
done_testing();
