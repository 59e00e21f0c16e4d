# pg_partman 5.2 or newer, with flakeid's functions as its encoder and decoder, partitions by uuid
# v7, as docs/time.md says.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_server('partman', server => [ "timezone = 'UTC'" ]);

if ($node->safe_psql('postgres', q(SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_partman' AND string_to_array(default_version, '.')::int[] >= '{5,2}')) eq '0')
{
	$node->stop;
	plan skip_all => 'pg_partman 5.2 or newer is not installed';
}

my ($recipe) = grep { /create_parent/ } slurp_file("$FindBin::RealBin/../../docs/time.md") =~ /^```sql\n(.*?)^```\n/gms;

$node->safe_psql('postgres', 'CREATE SCHEMA partman; CREATE EXTENSION pg_partman SCHEMA partman');
$node->safe_psql('postgres', $recipe);
$node->safe_psql('postgres', q(INSERT INTO message (body) SELECT 'x' FROM generate_series(1, 100); INSERT INTO message (id) SELECT uuid7_new_at(now() + n * interval '1 month') FROM generate_series(1, 3) AS n;
	CALL partman.run_maintenance_proc()));
is($node->safe_psql('postgres', q(SELECT count(*) FROM message_default)), '0', 'pg_partman: every row has a partition of its time');
is($node->safe_psql('postgres', q(SELECT count(*) FROM flakeid_partitions('message', layout => 'uuid7') AS p WHERE isfinite(p.lower_at) AND p.lower_at <> date_trunc('month', p.lower_at))), '0', 'the bounds are those of months');
is($node->safe_psql('postgres', q(SELECT count(*) FROM flakeid_partitions('message', '1 month', 2, layout => 'uuid7') WHERE action = 'create')), '0', 'and flakeid_maintain would go on from there');
$node->safe_psql('postgres', q(UPDATE partman.part_config SET retention = '1 month', retention_keep_table = false WHERE parent_table = 'public.message';
	SELECT partman.run_maintenance('public.message')));
is($node->safe_psql('postgres', q(SELECT count(*) FILTER (WHERE upper_at < now() - interval '1 month') FROM flakeid_partitions('message', layout => 'uuid7'))), '0', 'retention by pg_partman');

$node->stop;
done_testing();
