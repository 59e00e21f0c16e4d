# The helpers of the tests in this directory, one module per subject.  A test that uses this
# module gets what all the others export.
package Flakeid;

use strict;
use warnings;

use Exporter 'import';
use Flakeid::Builds;
use Flakeid::Crashes;
use Flakeid::Expressions;
use Flakeid::Files;
use Flakeid::IDs;
use Flakeid::Marks;
use Flakeid::Servers;
use Flakeid::Sessions;

our @EXPORT = (
	'$too_far_behind',
	@Flakeid::Builds::EXPORT,
	@Flakeid::Crashes::EXPORT,
	@Flakeid::Expressions::EXPORT,
	@Flakeid::Files::EXPORT,
	@Flakeid::IDs::EXPORT,
	@Flakeid::Marks::EXPORT,
	@Flakeid::Servers::EXPORT,
	@Flakeid::Sessions::EXPORT,
);

# The error of a generator whose clock is further behind than it may wait or go ahead.  (Its
# SQLSTATE, 55000, is that of others, too, and not every session shows it.)
our $too_far_behind = qr/ERROR:  (?:55000: )?the clock is too far behind/;

# so that servers are stopped, as at any other exit
$SIG{INT} = $SIG{TERM} = sub { exit 1 };

1;
