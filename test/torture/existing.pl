# test/t/045_existing.pl with ten million rows; EXISTING_ROWS says otherwise.
use strict;
use warnings;

use FindBin;

$ENV{EXISTING_ROWS} ||= 10_000_000;
do "$FindBin::RealBin/../t/045_existing.pl" or die $@ || $!;
