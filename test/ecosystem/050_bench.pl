# The benchmark runs, at a size that measures nothing, and docs/performance.md shows the
# figures of docs/bench.json.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use File::Copy qw(copy);
use IPC::Run ();
use JSON::PP;

plan skip_all => 'no compiler, or no headers of PostgreSQL' unless headers();

my $root = "$FindBin::RealBin/../..";
my $directory = PostgreSQL::Test::Utils::tempdir();
my $node = new_server('bench', extension => 0, server => [ 'wal_level = replica', 'max_prepared_transactions = 20' ]);
my $gnuplot = system('gnuplot --version >/dev/null 2>&1') == 0;
my ($found, @parts);

# The output of a script of test/bench.
sub run_script
{
	my ($name, @arguments) = @_;
	my ($out, $err) = ('', '');

	ok(IPC::Run::run([ 'perl', "$root/test/bench/$name", @arguments ], '>', \$out, '2>', \$err), "$name @arguments[1 .. $#arguments]")
	  or diag $err;
	return $out;
}

{
	local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, PGDATABASE => 'postgres');

	run_script('bench.pl', "--out=$directory/found.json", '--size=0.0005');
	$node->safe_psql('postgres', 'DROP EXTENSION flakeid CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
	run_script('bench.pl', "--out=$directory/feeds.json", '--size=0.0005', 'feeds', 'horizon');
}
$node->stop;

$found = decode_json(slurp_file("$directory/found.json"));
@parts = map { $_->{part} } @{ $found->{tables} };
is("@parts", join(' ', map { $_->{part} } @{ decode_json(slurp_file("$root/docs/bench.json"))->{tables} }),
	'every part has its table, as in docs/bench.json');
is(join(', ', map { $_->{title} } grep { my $head = $_->{head}; grep { @$_ != @$head } @{ $_->{rows} } } @{ $found->{tables} }),
	'', 'and every row its columns');
like(run_script('report.pl', "$directory/found.json"), qr/^\d+ of @{[ scalar @{ $found->{bars} } ]} bars met$/m, 'report.pl counts them');

is(join(' ', map { $_->{part} } @{ decode_json(slurp_file("$directory/feeds.json"))->{tables} }), 'feeds horizon', 'feeds and the horizon are measured');

# the tables in the page, generated again
copy("$root/docs/performance.md", "$directory/performance.md") or die;
SKIP:
{
	skip 'gnuplot is not installed', 6 unless $gnuplot;
	run_script('report.pl', "$root/docs/bench.json", $directory);
	is(slurp_file("$directory/performance.md"), slurp_file("$root/docs/performance.md"), 'docs/performance.md shows the figures of docs/bench.json');
	like(slurp_file("$directory/bench.svg"), qr/sno_new.*gen_random_uuid/s, 'and there is a chart');
	like(slurp_file("$directory/cost.svg"), qr/bigserial.*created_at.*uuid v4/s, 'and one of keys that users choose between');

	# with any version of gnuplot
	foreach my $chart (qw(bench.svg cost.svg))
	{
		my ($made, $shown) = map { join "\n", slurp_file("$_/$chart") =~ /<text>(.*?)<\/text>/gs } $directory, "$root/docs";

		is($shown, $made, "docs/$chart: the same words and figures");
	}
}

done_testing();
