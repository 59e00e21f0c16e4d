# test/t/045_existing.pl with ten million rows; EXISTING_ROWS says otherwise.
use strict;
use warnings;

use FindBin;

# now, as its INIT block, which finds the ports, does not run once the program does
use PostgreSQL::Test::Cluster;

$ENV{EXISTING_ROWS} ||= 10_000_000;
do "$FindBin::RealBin/../t/045_existing.pl" or die $@ || $!;
