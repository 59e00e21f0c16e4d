# Feeds under load: sessions write in transactions that are short and long, rolled back and
# prepared, and readers continue from the last ID they have seen, up to the horizon, each in
# another way of reading.  The clock steps back and ahead, and the server is killed.  No
# reader may miss a committed row.  A reader without the horizon must miss some, or the load
# was too light to show anything.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Feeds;
use Time::HiRes qw(sleep);

use constant WRITERS => 10;

seeded();
my $node = new_server('feeds', clock => clock_available(), conf => [ 'flakeid.node = 11', 'flakeid.max_ahead = 60s' ],
	server => [ 'max_prepared_transactions = 50', 'restart_after_crash = off', 'max_wal_size = 4GB', 'checkpoint_timeout = 1h', 'synchronous_commit = off' ]);

# The tables written to: one of each type, and a partitioned one.
my %tables = (
	t_ulid => [ 'ulid', 'ulid_new()', 'ulid_horizon()' ],
	t_snowflake => [ 'snowflake', 'snowflake_new()', 'snowflake_horizon()' ],
	t_uuid7 => [ 'uuid', 'uuid7_new()', 'uuid7_horizon()' ],
	t_siq => [ 'siq', q(siq_new('message')), 'siq_horizon()' ],
	t_uid64 => [ 'uid64', 'uid64_new()', 'uid64_horizon()' ],
	t_ksuid => [ 'ksuid', 'ksuid_new()', 'ksuid_horizon()' ],
	t_sno => [ 'sno', 'sno_new()', 'sno_horizon()' ],
	parts => [ 'ulid', 'ulid_new()', 'ulid_horizon()' ],
	t_late => [ 'ulid', 'ulid_new()', 'ulid_horizon()' ],
);

foreach my $table (sort keys %tables)
{
	my ($type, $new) = @{ $tables{$table} };

	$node->safe_psql('postgres', "CREATE TABLE $table (id $type PRIMARY KEY DEFAULT $new)" . ($table eq 'parts' ? ' PARTITION BY HASH (id)' : ''));
}
$node->safe_psql('postgres', "CREATE TABLE parts_$_ PARTITION OF parts FOR VALUES WITH (MODULUS 5, REMAINDER $_)") foreach 0 .. 4;
$node->safe_psql('postgres', 'CREATE TABLE stopped ()');
$node->safe_psql('postgres', q(CREATE FUNCTION w1() RETURNS ulid STABLE SECURITY DEFINER LANGUAGE sql AS 'SELECT ulid_horizon()'));
$node->safe_psql('postgres', q(CREATE FUNCTION w2() RETURNS ulid STABLE LANGUAGE plpgsql AS 'DECLARE h ulid; BEGIN SELECT ulid_horizon() INTO h; RETURN h; END'));

# This table gets IDs of earlier transactions; the trigger renews those that readers have passed.
$node->safe_psql('postgres', q(CREATE TRIGGER in_time BEFORE INSERT ON t_late FOR EACH ROW EXECUTE FUNCTION flakeid_late_id('id', 'renew')));

# ---------- readers ----------

# A reader: its table, the bound of its IDs, its way to poll, and a statement to run first.
my %readers = (
	(map { $_ => [ $_, $tables{$_}[2] ] } keys %tables),
	naive => [ 't_ulid', q('7zzzzzzzzzzzzzzzzzzzzzzzzz') ],
	subselect => [ 't_ulid', '(SELECT ulid_horizon())' ],
	generic => [ 't_ulid', 'ulid_horizon()', 'static', 'SET plan_cache_mode = force_generic_plan' ],
	cursor => [ 't_ulid', 'ulid_horizon()', 'cursor' ],
	repeatable => [ 't_ulid', 'ulid_horizon()', 'repeatable', q(SET default_transaction_isolation = 'repeatable read') ],
	scan => [ 'parts', 'ulid_horizon()', 'static', 'SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off' ],
	sql_wrapper => [ 'parts', 'w1()', 'static', 'SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off' ],
	plpgsql_wrapper => [ 'parts', 'w2()' ],
	parallel => [ 't_ulid', '(SELECT ulid_horizon())', 'static', 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off' ],
);

foreach my $reader (sort keys %readers)
{
	my $type = $tables{ $readers{$reader}[0] }[0];

	create_reader($node, $reader, $readers{$reader}, columns => 'id', type => $type, least => $type eq 'uuid' ? q('00000000-0000-0000-0000-000000000000') : "${type}_min('-infinity')");
}

# ---------- writers ----------

my @scripts = (
	[ 6, 'INSERT INTO t_ulid DEFAULT VALUES;' ],
	[ 4, "BEGIN;\nINSERT INTO t_ulid DEFAULT VALUES;\nINSERT INTO parts DEFAULT VALUES;\nINSERT INTO t_snowflake DEFAULT VALUES;\nCOMMIT;" ],
	[ 3, "\\set wait random(0, 3000)\nBEGIN;\nINSERT INTO t_uuid7 DEFAULT VALUES;\nINSERT INTO t_ulid DEFAULT VALUES;\n\\sleep :wait us\nINSERT INTO t_siq DEFAULT VALUES;\nINSERT INTO t_uid64 DEFAULT VALUES;\nINSERT INTO parts DEFAULT VALUES;\nCOMMIT;" ],
	[ 2, "\\set wait random(0, 3000)\nBEGIN;\nINSERT INTO t_sno DEFAULT VALUES;\nINSERT INTO t_ksuid DEFAULT VALUES;\nINSERT INTO t_ulid DEFAULT VALUES;\n\\sleep :wait us\nROLLBACK;" ],
	[ 1, "\\set wait random(0, 60)\nBEGIN;\nINSERT INTO t_sno DEFAULT VALUES;\nINSERT INTO t_ksuid DEFAULT VALUES;\nINSERT INTO t_ulid DEFAULT VALUES;\n\\sleep :wait ms\nINSERT INTO t_snowflake DEFAULT VALUES;\nCOMMIT;" ],
	[ 1, "\\set wait random(0, 20)\nBEGIN;\nINSERT INTO t_ulid DEFAULT VALUES;\nINSERT INTO parts DEFAULT VALUES;\nPREPARE TRANSACTION 'p:start-:client_id';\n\\sleep :wait ms\nCOMMIT PREPARED 'p:start-:client_id';" ],
	[ 2, "\\set wait random(0, 3000)\nSELECT ulid_new() AS id \\gset\n\\sleep :wait us\nBEGIN;\nINSERT INTO t_late VALUES (':id');\n\\sleep :wait us\nINSERT INTO t_late DEFAULT VALUES;\nCOMMIT;" ],
	[ 1, "\\set wait random(0, 20)\nBEGIN;\nSAVEPOINT s;\nSELECT ulid_new() AS id \\gset\nROLLBACK TO s;\n\\sleep :wait ms\nINSERT INTO t_ulid VALUES (':id');\nCOMMIT;" ]);

# ---------- rounds ----------

# Events while they write: nothing, the clock steps, or the server is killed and started
# again with another clock.
rounds($node, 3, [ 'calm', clock_available() ? ('clock', 'crash') : 'crash' ], $readers{naive}[0], 'id', sub {
	my ($kind, $name) = @_;
	my $steps = sub { foreach (1 .. 6) { sleep SECONDS / 7; set_clock($node, sprintf '%+.1f', int(rand 60) / 10 - 2.5) } };
	my $restart = sub { set_clock($node, sprintf '%+.1f', -int(rand 20) / 10) if clock_available(); start_server($node) };
	my $errors = write_and_read($node, $kind, WRITERS, SECONDS, \@scripts, [ map { reader_script($_, $readers{$_}, SECONDS) } sort keys %readers ],
		commit => 'off', start => $restart, meanwhile => $kind eq 'clock' && $steps);

	unlike($errors, qr/ERROR/, "$name: no error of the writers") unless $kind eq 'crash';
	set_clock($node, '+0') if clock_available();
});

# ---------- the readers' results ----------

# wait until the clock reaches the IDs
foreach my $table (sort keys %tables)
{
	$node->poll_query_until('postgres', "SELECT NOT EXISTS (SELECT FROM $table WHERE id >= $tables{$table}[2])") or die "$table: the horizon does not come";
}
run_sessions($node, map { last_poll($_, $readers{$_}) } sort keys %readers);
diag('committed: ' . $node->safe_psql('postgres', 'SELECT sum(n) FROM (' . join(' UNION ALL ', map { "SELECT count(*) AS n FROM $_" } sort keys %tables) . ') AS t') . ' rows');
expect_all_read($node, $_, $readers{$_}[0], 'id') foreach sort keys %readers;

$node->stop;
done_testing();
