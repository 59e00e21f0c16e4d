# The documents say how long make test, make test-all and make check take, as run.sh expects
# where nothing has changed that is only tested then.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Files;
use Test::More;

my $rules = slurp('test/Makefile');
my %places = (
	'test' => { 'Makefile' => qr/make test [^;]*? in (\d+) minutes/, 'README.md' => qr/make test +# (\d+) minutes/, 'CONTRIBUTING.md' => qr/make test +# (\d+) minutes/, 'test/README.md' => qr/`make test` \|.*\| (\d+) min \|/ },
	'test-all' => { 'test/README.md' => qr/`make test-all` \|.*\| (\d+) min \|/ },
	'check' => { 'Makefile' => qr/make check [^;]*? (\d+) seconds/, 'CONTRIBUTING.md' => qr/make check +# about (\d+) seconds/, 'test/README.md' => qr/`make check` \|.*\| (\d+) s \|/ });

foreach my $target (sort keys %places)
{
	my ($short, $parts) = $rules =~ m{^$target:\n\t\+@(?:(SHORT)=1 )?'\$\(top\)/test/run.sh' (.*)$}m or die "no target $target";
	local $ENV{SHORT} = $short ? 1 : '';
	local $ENV{GIT_DIR} = '/nonexistent';    # nothing has changed
	my ($seconds) = `test/run.sh --duration $parts` =~ /^(\d+)$/ or die 'no duration';
	my $duration = $target eq 'check' ? $seconds : int(($seconds + 59) / 60);

	foreach my $file (sort keys %{ $places{$target} })
	{
		my ($said) = slurp($file) =~ s/\n#\s+/ /gr =~ $places{$target}{$file};
		is($said, $duration, "make $target in $file");
	}
}

done_testing();
