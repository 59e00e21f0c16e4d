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
	@Flakeid::Builds::EXPORT,
	@Flakeid::Crashes::EXPORT,
	@Flakeid::Expressions::EXPORT,
	@Flakeid::Files::EXPORT,
	@Flakeid::IDs::EXPORT,
	@Flakeid::Marks::EXPORT,
	@Flakeid::Servers::EXPORT,
	@Flakeid::Sessions::EXPORT,
);

# so that servers are stopped, as at any other exit
$SIG{INT} = $SIG{TERM} = sub { exit 1 };

1;
