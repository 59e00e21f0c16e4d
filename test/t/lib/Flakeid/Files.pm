# Files, and waiting for conditions that SQL cannot check.
package Flakeid::Files;

use strict;
use warnings;

use Exporter 'import';
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

our @EXPORT = qw(
  replace_file until_true
);

# Replace a file in one step, so that nobody reads half of it.
sub replace_file
{
	my ($file, $text) = @_;

	open my $out, '>', "$file.new" or die "$file.new: $!";
	print $out $text;
	close $out or die "$file.new: $!";
	rename "$file.new", $file or die "$file: $!";
	return;
}

# Poll a condition that SQL cannot check.
sub until_true
{
	my ($condition) = @_;

	foreach (1 .. 100 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return 1 if $condition->();
		usleep(10_000);
	}
	return 0;
}

1;
