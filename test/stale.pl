# Each fault in test/sim/mutants still applies to the sources, so that its killer can be run.
# Running the killers takes hours: make test-mutants.
use strict;
use warnings;

use Test::More;

my @list = `$^X test/sim/mutants.pl --list`;

cmp_ok(scalar @list, '>', 100, 'the list of mutants');
is(join('', grep { /^stale: / } @list), '', '... and none of them is stale');

done_testing();
