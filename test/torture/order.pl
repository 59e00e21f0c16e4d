# test/t/076_order_queries.pl with a hundred thousand queries, or as many as FLAKEID_QUERIES says.
use strict;
use warnings;

use FindBin;

# load it now: its INIT block, which finds the ports, does not run after the program has started
use PostgreSQL::Test::Cluster;

$ENV{FLAKEID_QUERIES} ||= 100_000;
do "$FindBin::RealBin/../t/076_order_queries.pl" or die $@ || $!;
