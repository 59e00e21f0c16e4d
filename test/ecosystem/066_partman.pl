# pg_partman 5.2 or newer, with flakeid's functions as its encoder and decoder, partitions by uuid
# v7, as docs/time.md says: with the C edition, and with the SQL edition, installed as
# docs/managed.md says.  All by the role that owns the database, which is no superuser.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use Flakeid::Edition;

my $node = new_server('partman', extension => 0, server => [ "timezone = 'UTC'" ]);

if ($node->safe_psql('postgres', q(SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_partman' AND string_to_array(default_version, '.')::int[] >= '{5,2}')) eq '0')
{
	$node->stop;
	plan skip_all => 'pg_partman 5.2 or newer is not installed';
}

my ($recipe) = grep { /create_parent/ } slurp_file("$FindBin::RealBin/../../docs/time.md") =~ /^```sql\n(.*?)^```\n/gms;

# What the owner's psql answers.
sub owner
{
	my ($sql) = @_;

	return $node->safe_psql('app', $sql, extra_params => [ '-U', 'owner' ]);
}

# How many partitions have bounds for which a condition is true.
sub partitions
{
	my ($condition) = @_;

	return owner(qq(SELECT count(*) FROM (SELECT uuid7_decode(bound[1]) AS lower_at, uuid7_decode(bound[2]) AS upper_at, bound[1]::uuid AS lower FROM pg_class AS c JOIN pg_inherits AS i ON i.inhrelid = c.oid,
			regexp_match(pg_get_expr(c.relpartbound, c.oid), \$\$FROM [(]'([^']+)'[)] TO [(]'([^']+)'[)]\$\$) AS bound
		WHERE i.inhparent = 'message'::regclass AND bound IS NOT NULL) AS s WHERE $condition));
}

$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN');
foreach my $edition ('C', 'SQL')
{
	$node->safe_psql('postgres', 'CREATE DATABASE app OWNER owner');
	$edition eq 'C' ? owner('CREATE EXTENSION flakeid') : edition_by_the_page($node, 'owner');
	owner($recipe);
	owner(q(INSERT INTO message (body) SELECT 'x' FROM generate_series(1, 100); INSERT INTO message (id) SELECT uuid7_new_at(now() + n * interval '1 month') FROM generate_series(1, 3) AS n));
	# what has been created needs no path
	owner('SET search_path = pg_catalog; CALL partman.run_maintenance_proc()');
	is(owner('SELECT count(*) FROM message_default'), '0', "$edition: every row has a partition of its time");
	cmp_ok(partitions('lower_at > now()'), '>', 4, "$edition: maintenance has made partitions after the last row");
	is(partitions(q(lower_at <> date_trunc('month', lower_at) OR upper_at <> lower_at + interval '1 month' OR lower <> uuid7_min(lower_at))), '0', "$edition: the bounds are those of months");
	is(owner(q(SELECT count(*) FROM flakeid_partitions('message', '1 month', 2, layout => 'uuid7') WHERE action = 'create')), '0', 'C: and flakeid_maintain would go on from there') if $edition eq 'C';
	cmp_ok(partitions(q(upper_at < now() - interval '1 month')), '>', 0, "$edition: some partitions are older than a month");
	owner(q(UPDATE partman.part_config SET retention = '1 month', retention_keep_table = false WHERE parent_table = 'public.message'; SELECT partman.run_maintenance('public.message')));
	is(partitions(q(upper_at < now() - interval '1 month')), '0', "$edition: retention by pg_partman");
	is(owner('SELECT count(*) FROM message'), '103', "$edition: and no row of the month is lost");
	$node->safe_psql('postgres', 'DROP DATABASE app');
}

$node->stop;
done_testing();
