# What the marks cost: at most 120 bytes of WAL, twice per second and database, and no
# transaction ID, however many IDs are made.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Time::HiRes qw(sleep);

use constant SECONDS => whole_or_short(10, 3);
use constant PER_SECOND => 2 * 120;

my @databases = ('postgres', 'other');

# The only checkpoint ends before the load begins.
my $node = new_server('wal', conf => [ 'flakeid.node = 11' ], server => [ 'wal_level = replica', 'checkpoint_timeout = 1h' ]);
my ($before, $after, @sessions, $seconds);

# The WAL position, the next transaction ID, the time and the number of IDs made in each database.
sub look
{
	my %now;

	@now{qw(lsn xid time)} = split /\|/, $node->safe_psql('postgres',
		'SELECT pg_current_wal_insert_lsn(), pg_snapshot_xmax(pg_current_snapshot()), extract(epoch FROM clock_timestamp())');
	$now{$_} = $node->safe_psql($_, 'SELECT sum(issued) FROM flakeid_generators') foreach @databases;
	return \%now;
}

SKIP:
{
	skip 'pg_walinspect is not installed', 1 if $node->psql('postgres', 'CREATE EXTENSION pg_walinspect') != 0;
	$node->safe_psql('postgres', 'CREATE DATABASE other');
	$node->safe_psql('other', 'CREATE EXTENSION flakeid');

	# two sessions in each, which make IDs of all types in all sorts of transactions
	@sessions = start_sessions($node,
		map {
			my $database = $_;

			map { "\\c $database\n$_;\nCOPY (" . making_endless() . ") TO '/dev/null';\n" }
			  'BEGIN', 'SET default_transaction_read_only = on'
		} @databases);
	foreach my $database (@databases)
	{
		$node->poll_query_until($database, 'SELECT sessions = 3 AND (SELECT sum(issued) > 10000 FROM flakeid_generators) FROM flakeid_clock') or die 'no load';
	}

	# after a checkpoint the first record of a page contains the whole page
	$node->safe_psql('postgres', 'CHECKPOINT');
	$before = look();
	until_true(sub {
		sleep 0.5;
		$after = look();
		$seconds = $after->{time} - $before->{time};
		return $seconds >= SECONDS && !grep { $after->{$_} - $before->{$_} <= 50_000 } @databases;
	});
	foreach my $database (@databases)
	{
		my $issued = $after->{$database} - $before->{$database};

		note sprintf '%s: %.0f IDs a second', $database, $issued / $seconds;
		cmp_ok($issued, '>', 50_000, "$database: under load");
	}
	is($after->{xid}, $before->{xid}, 'no transaction ID is used');

	my ($bytes, $records, $others) = split /\|/, $node->safe_psql('postgres',
		    "SELECT sum(record_length - fpi_length), count(*), string_agg(DISTINCT resource_manager || '/' || xid, ' ' ORDER BY resource_manager || '/' || xid) FILTER (WHERE resource_manager <> 'Generic' OR xid <> '0')"
		  . " FROM pg_get_wal_records_info('$before->{lsn}', '$after->{lsn}')");

	note "$records records, $bytes bytes, others: $others";
	cmp_ok($records, '>=', SECONDS, 'marks are moved');
	cmp_ok($bytes / $seconds / @databases, '<=', PER_SECOND, 'a second and database');
	$node->safe_psql($_, q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%')) foreach @databases;
	eval { finish_sessions($_) } foreach @sessions;
}
$node->stop;

done_testing();
