# A hint says what to do in at most 160 characters, as it is written in the sources and, with names and values in
# it, as the SQL tests expect it.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Files;
use Test::More;

use constant LONGEST => 160;

# The texts of a list of strings, as C and SQL write them.
sub joined
{
	return join('', $_[0] =~ /(?|"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/g) =~ s/''|\\"/"/gr;
}

my (@written, @expected);

foreach my $file (glob("src/*/*.[ch] src/*/*.sql src/*/*.in"))
{
	my $source = slurp($file);

	push @written, map { [ $file, joined($_) ] } $source =~ /\berrhint\w*\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g,
	  $source =~ /\bhint\s*=\s*(?:pg_catalog\.)?(?:format\()?('(?:[^']|'')*'(?:\s*\|\|\s*'(?:[^']|'')*')*)/gi;
}
foreach my $file (glob('expected/*.out'))
{
	push @expected, map { [ $file, $_ ] } slurp($file) =~ /^HINT:  (.*)/mg;
}
foreach my $hints ([ 'in the sources', @written ], [ 'in the SQL tests', @expected ])
{
	my ($where, @hints) = @$hints;

	cmp_ok(scalar @hints, '>', 50, "hints $where");
	is(join("\n", map { "$_->[0]: $_->[1]" } grep { length $_->[1] > LONGEST } @hints), '', '... are short');
}

done_testing();
