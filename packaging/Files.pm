# Whole files, read and written at once: slurp(FILE) and spew(FILE, TEXT) die with the
# file's name where that fails.
package Files;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(slurp spew);

sub slurp
{
	my ($file) = @_;

	open my $in, '<', $file or die "$file: $!\n";
	local $/ = undef;
	return <$in>;
}

sub spew
{
	my ($file, $text) = @_;

	open my $out, '>', $file or die "$file: $!\n";
	print $out $text;
	close $out or die "$file: $!\n";
	return;
}

1;
