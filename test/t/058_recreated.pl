# The extension is dropped and created again after a start with the clock back, when nothing
# but memory tells what was issued before the start: none of it comes again.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_available();

my $node = new_server('recreated', clock => 1, extension => 0, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 100ms' ]);

# The clock stands still, so that the same tick comes twice.
sub at
{
	my ($time) = @_;

	set_clock($node, yesterday("10:00:$time"));
	return;
}

at('20');
$node->stop;
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');

my ($before) = run_sessions($node, making(100) . ';');
my @marks = marks($node);

$node->stop;
at('00');
start_server($node);
{
	my $session = session($node);
	my %ids = probe($session);

	like($ids{$_}, qr/ERROR:  55000/, "$_: the clock is too far behind") foreach grep { !/sno/ } generators();
	$session->quit;
}
$node->safe_psql('postgres', 'DROP EXTENSION flakeid');
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');
marks_kept('created again', $node, 'postgres', \@marks);
{
	my $session = session($node);
	my %ids = probe($session);

	like($ids{$_}, qr/ERROR:  55000/, "$_: the clock is still too far behind") foreach grep { !/sno/ } generators();
	$session->quit;
}

# and when the clock is there again
at('20');
my ($after) = map { $_ // '' } run_sessions($node, 'SET statement_timeout = 0; ' . making(100) . ';');
my @files = map { my $file = id_file($node, "ids$_"); append_to_file($file, ($before, $after)[$_] . "\n"); $file } 0, 1;

making_unique('created again', $node, \@files, count => 200);

$node->stop;
done_testing();
