# Does src stand as the picture of docs/architecture.md says? The picture has each file
# once, and no file uses what stands before it, so there is no circle either.
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

# What each file defines, and what it leaves to others to define. The descriptor of a
# format belongs to the kernel, where the list of all of them is.
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

	is(join(', ', map { "$_ of $where{$_}.c" } sort @up), '', "$file.c uses only what stands after it");
}

done_testing();
