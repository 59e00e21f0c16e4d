# What keeps the IDs of two servers apart, and what does not: a standby is promoted
# while its primary lives, and the clocks of both are stopped at one instant, so that they
# make the same IDs unless something distinguishes them.  Also the node's number from a
# host's name, as in docs/distributed.md.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use IPC::Run ();
use POSIX qw(strftime);

use constant IDS => 20;

plan skip_all => 'no compiler' unless clock_available();

my $one = new_server('one', clock => 1, init => { allows_streaming => 1 });
my $two;
my $minutes = 0;

$one->backup('base');
$two = server_from('two', $one, 'base', has_streaming => 1);
start_server($two);
$two->promote;

# How many IDs both servers make alike at one instant.
sub in_common
{
	my ($call, $lines_one, $lines_two) = @_;
	my $instant = strftime('%Y-%m-%d %H:%M:%S', gmtime(time + 60 * ++$minutes));
	my (%seen, $common);

	configure($one, @$lines_one);
	configure($two, @$lines_two);
	set_clock($_, $instant) foreach $one, $two;
	foreach my $node ($one, $two)
	{
		$seen{$_}++ foreach split /\n/, $node->safe_psql('postgres', "SELECT $call FROM generate_series(1, ${\IDS})");
	}
	$common = grep { $_ == 2 } values %seen;
	return $common + keys %seen == 2 * IDS ? $common : 'twice on one server';
}

sub apart
{
	my ($call, $line_one, $line_two, @both) = @_;

	is(in_common($call, [ $line_one, @both ], [ $line_two, @both ]), 0, "$call: $line_one or $line_two: never the same");
	return;
}

sub same
{
	my ($call, $line_one, $line_two) = @_;

	is(in_common($call, [$line_one], [$line_two]), IDS, "$call: $line_one or $line_two: the same");
	return;
}

my $siq = q(siq_new('message'));
my $siq_of = q(siq_new('message', 'example'));

is($two->safe_psql('postgres', 'SELECT node, node_source FROM flakeid_clock'),
	$one->safe_psql('postgres', 'SELECT node, node_source FROM flakeid_clock'), 'both derive the same number');
is(in_common($_, [], []), IDS, "$_: without a setting they are the same") foreach 'sno_new(0)', 'snowflake_new()', 'uid96_new()', $siq;

apart($_, 'flakeid.node = 1', 'flakeid.node = 2') foreach 'sno_new(0)', 'snowflake_new()', 'uid96_new()';
apart($_, 'flakeid.sno_sequence_max = 32767', 'flakeid.sno_sequence_min = 32768', 'flakeid.node = 1') foreach 'sno_new(0)', 'sno_new(0, 7)';
same('sno_new(0, 7)', 'flakeid.node = 1', 'flakeid.node = 2');
apart('snowflake_new()', 'flakeid.snowflake_worker = 1', 'flakeid.snowflake_worker = 2', 'flakeid.node = 1');
apart('snowflake_new()', 'flakeid.snowflake_process = 1', 'flakeid.snowflake_process = 2', 'flakeid.node = 1');
apart('uid96_new()', "flakeid.uid_node = 'a\@example'", "flakeid.uid_node = 'b\@example'", 'flakeid.node = 1');
apart($siq, 'flakeid.node = 1', 'flakeid.node = 2');
apart($siq, "flakeid.siq_domain = 'a.example'", "flakeid.siq_domain = 'b.example'", 'flakeid.node = 1');
apart($siq, 'flakeid.siq_local_id = 1', 'flakeid.siq_local_id = 2', "flakeid.siq_domain = 'a.example'", 'flakeid.node = 1');
apart($siq, 'flakeid.siq_shard = 1', 'flakeid.siq_shard = 2', 'flakeid.node = 1');
same($siq, 'flakeid.siq_local_id = 1', 'flakeid.siq_local_id = 2');
apart($siq_of, 'flakeid.node = 1', 'flakeid.node = 2');
apart($siq_of, 'flakeid.siq_local_id = 1', 'flakeid.siq_local_id = 2', 'flakeid.node = 1');
same($siq_of, "flakeid.siq_domain = 'a.example'", "flakeid.siq_domain = 'b.example'");
same('uid64_new()', 'flakeid.node = 1', 'flakeid.node = 2');
apart($_, 'flakeid.node = 1', 'flakeid.node = 1') foreach 'flax_new()', 'ulid_new()', 'uuid7_new()', 'ksuid_new()';

$two->stop;

# ---------- the number from the host's name ----------

# Run the document's script as in a pod of this name, and return the answer of a server
# with the resulting file.
my ($script) = slurp_file("$FindBin::RealBin/../../docs/distributed.md") =~ /^```sh\n(.*?HOSTNAME.*?)^```\n/ms
  or die 'no script in docs/distributed.md';

sub in_pod
{
	my ($hostname, $sql) = @_;
	my ($out, $err);

	$one->stop;
	IPC::Run::run([ 'env', "HOSTNAME=$hostname", 'PGDATA=' . $one->data_dir, 'sh', '-ec', $script ]) or die 'the script failed';
	start_server($one);
	$one->psql('postgres', $sql, stdout => \$out, stderr => \$err, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	return "$out$err";
}

is(in_pod("db-$_", 'SELECT node, node_source, sno_partition(sno_new(0)) FROM flakeid_clock'), "$_|flakeid.node|$_", "pod db-$_") foreach 0, 12;
like(in_pod('database', 'SELECT sno_new(0)'), qr/ERROR:  22023: .*"flakeid\.node"/, 'a name without a number makes no ID');

$one->stop;
done_testing();
