# Does src match the picture in docs/architecture.md? The picture has each file once, and no
# file uses one that precedes it, so there is no cycle either.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Files;
use Test::More;

plan skip_all => 'no nm' if system('command -v nm >/dev/null');

my ($picture) = slurp('docs/architecture.md') =~ /^## The rooms\n+```\n(.*?)^```$/ms or die 'no picture';
my @files = map { /^  (\w+(?: {1,2}\w+)*) {3}/ ? split ' ', $1 : () } split /\n/, $picture;
my %place = map { $files[$_] => $_ } 0 .. $#files;

is(join(' ', sort @files), join(' ', sort map { m{^src/(.*)\.c$} } glob 'src/*.c'), 'the picture: every file, once');

# The symbols that each file defines, and those that it uses from others. A format's
# descriptor belongs to the kernel, which has the list of all of them.
my (%where, %uses);

foreach my $file (@files)
{
	my @symbols = map { [split] } split /\n/, `nm -P -g src/$file.o`;

	$? == 0 && @symbols or die "src/$file.o: nm found nothing; make comes first\n";
	$where{ $_->[0] } = $file foreach grep { $_->[1] ne 'U' } @symbols;
	$uses{$file} = [ map { $_->[0] } grep { $_->[1] eq 'U' } @symbols ];
}
$where{"flake_$_"} = 'formats' foreach slurp('src/formatlist.h') =~ /^FLAKE_FORMAT\(\w+, (\w+)\)$/mg;

foreach my $file (@files)
{
	my @up = grep { defined $where{$_} && $place{ $where{$_} } < $place{$file} } @{ $uses{$file} };

	is(join(', ', map { "$_ of $where{$_}.c" } sort @up), '', "$file.c uses only files after it");
}

done_testing();
