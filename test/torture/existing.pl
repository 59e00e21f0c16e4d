# test/t/045_existing.pl with ten million rows, or as many as EXISTING_ROWS says.
use strict;
use warnings;

use FindBin;

# load it now: its INIT block, which finds the ports, does not run after the program has started
use PostgreSQL::Test::Cluster;

$ENV{EXISTING_ROWS} ||= 10_000_000;
do "$FindBin::RealBin/../t/045_existing.pl" or die $@ || $!;
