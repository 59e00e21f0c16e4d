# The helpers of the tests in this directory, one module per subject.  A test that uses this
# module gets what all the others export, and Test::More and PostgreSQL::Test::Utils do, and
# is strict.
package Flakeid;

use strict;
use warnings;

use Exporter ();
use Flakeid::Builds;
use Flakeid::Crashes;
use Flakeid::Expressions;
use Flakeid::Files;
use Flakeid::IDs;
use Flakeid::Marks;
use Flakeid::Pages;
use Flakeid::Servers;
use Flakeid::Sessions;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @ISA = 'Exporter';
our @EXPORT = (
	qw($too_far_behind whole_or_short),
	@Flakeid::Builds::EXPORT,
	@Flakeid::Crashes::EXPORT,
	@Flakeid::Expressions::EXPORT,
	@Flakeid::Files::EXPORT,
	@Flakeid::IDs::EXPORT,
	@Flakeid::Marks::EXPORT,
	@Flakeid::Pages::EXPORT,
	@Flakeid::Servers::EXPORT,
	@Flakeid::Sessions::EXPORT,
	@PostgreSQL::Test::Utils::EXPORT,
	@Test::More::EXPORT,
);

# The error of a generator whose clock is further behind than it may wait or go ahead.  (Its
# SQLSTATE, 55000, is that of others, too, and not every session shows it.)
our $too_far_behind = qr/ERROR:  (?:55000: )?the clock is too far behind/;

sub import
{
	strict->import;
	warnings->import;
	return Flakeid->export_to_level(1);
}

# A size, of rounds, rows or seconds: in the whole test, and in "make test", which sets SHORT.
sub whole_or_short
{
	my ($whole, $short) = @_;

	return $ENV{SHORT} ? $short : $whole;
}

# so that servers are stopped, as at any other exit
$SIG{INT} = $SIG{TERM} = sub { exit 1 };

1;
