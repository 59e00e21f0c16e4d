# The tables of columns in docs/monitoring.md are the COMMENTs of the views' columns, with the
# types of sql/contract.sql.  "perl test/columns.pl --write" writes them into the page.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Files;
use Test::More;

my %short = ('timestamp with time zone' => 'timestamptz', 'double precision' => 'float8');
my $sql = join "\n", map { slurp($_) } sort glob 'src/*/*.sql';
my $page = slurp('docs/monitoring.md');
my (%type, %columns);

foreach (slurp('expected/contract.out') =~ /^(flakeid_\w+: \w+ .+)$/mg)
{
	my ($view, $column, $type) = /^(\w+): (\w+) (.*)/;

	$type{$view}{$column} = $short{$type} || $type;
	push @{ $columns{$view} }, $column;
}

# A COMMENT as Markdown: unambiguous names are formatted as code.
sub words
{
	my ($text) = @_;

	return $text =~ s/''/'/gr =~ s/"[^"]*"(*SKIP)(*FAIL)|(?<![\w`])((?:\w+\.)?[a-z]\w*_\w+(?:\.\w+)?(?:\(\))?|flakeid\.\w+|-infinity)(?![\w`])/`$1`/gr =~ s/"([^"]*)"/`$1`/gr;
}

# The table of a view.
sub table
{
	my ($view) = @_;
	my %said = $sql =~ /^COMMENT ON COLUMN \Q$view\E\.(\w+) IS '((?:[^']|'')*)';$/mg;

	return join '', "| column | type | what |\n|---|---|---|\n", map { "| `$_` | $type{$view}{$_} | " . words($said{$_} // '') . " |\n" } @{ $columns{$view} };
}

foreach my $view (sort keys %columns)
{
	my $now = table($view);
	my $there = qr/(^### \Q$view\E\n(?:(?!^#)[^\n|][^\n]*\n|\n)*)((?:^\|[^\n]*\n)+)/m;

	$page =~ s/$there/$1$now/ if @ARGV && $ARGV[0] eq '--write';
	is($page =~ $there ? $2 : '', $now, "docs/monitoring.md: the columns of $view are those of its COMMENTs");
}
spew('docs/monitoring.md', $page) if @ARGV && $ARGV[0] eq '--write';

done_testing();
