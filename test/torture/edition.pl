# The SQL edition and the C edition give the same answers for a million values of each kind.
# TORTURE_VALUES sets their number.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use Flakeid::Edition;

my $files = edition_files();
my $node = new_server('edition', extension => 0);

$node->safe_psql('postgres', 'CREATE SCHEMA app; CREATE SCHEMA c; CREATE EXTENSION flakeid SCHEMA c');
$node->safe_psql('postgres', 'SET search_path = app;' . slurp_file("$files/flakeid.sql"));
foreach my $line (split /\n/, edition_differences($node, 'postgres', $ENV{TORTURE_VALUES} || 1_000_000))
{
	my ($function, $many, $differ) = split /\|/, $line;

	is("$many, $differ", 't, 0', "$function: no answer differs");
}
$node->stop;
done_testing();
