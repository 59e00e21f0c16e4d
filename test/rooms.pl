# Do the folders of src form layers?  A file uses its own folder and those before it in the
# Makefile's ROOMS: by what it includes, and by the symbols in its object file.  The
# documents show the folders in that order.  src/sql-edition has no C and is not in it.
# Within a folder no files use each other, directly or through others.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Files;
use Test::More;

plan skip_all => 'no nm' if system('command -v nm >/dev/null');

my @rooms = split ' ', (slurp('Makefile') =~ /^ROOMS = (.*)/m)[0];
my %place = map { $rooms[$_] => $_ } 0 .. $#rooms;
my @files = map { m{^src/(.*)\.c$} } glob 'src/*/*.c';

is(join(' ', sort keys %place), join(' ', sort map { m{^src/(\w+)/$} } grep { () = glob "$_*.c" } glob 'src/*/'), 'every folder has its place');
my ($picture) = slurp('docs/architecture.md') =~ /^## The rooms\n(.*?)^## /ms or die 'no picture';
is(join(' ', $picture =~ m{^\| `(\w+)/` \|}mg), "@rooms", 'the documents have the same order');

# The folder of each header's and each symbol's file, and what each file uses.  The
# descriptors are declared in the kernel, which iterates over them, and defined by the types.
my (%where, %uses);

foreach my $file (@files)
{
	my @symbols = map { [split] } split /\n/, `nm -P -g src/$file.o`;

	$? == 0 && @symbols or die "src/$file.o: nm found nothing; make comes first\n";
	$where{ $_->[0] } = $file foreach grep { $_->[1] ne 'U' } @symbols;
	$uses{$file} = [ map { $_->[0] } grep { $_->[1] eq 'U' } @symbols ];
}
delete $where{flake_formats};

sub room { return $place{ (split m{/}, $_[0])[0] } }

foreach my $file (@files)
{
	my @up = grep { defined $where{$_} && room($where{$_}) > room($file) } @{ $uses{$file} };

	is(join(', ', map { "$_ of $where{$_}.c" } sort @up), '', "$file.c uses only files of its folder and those before");
}
foreach my $file (map { m{^src/(.*)$} } glob 'src/*/*.[ch]')
{
	my @own = grep { defined room($_) && $_ ne 'types/formatlist.h' } slurp("src/$file") =~ m{^#include "(\w+/\w+\.h)"}mg;
	my @up = grep { room($_) > room($file) } @own;

	is(join(', ', @up), '', "$file includes only headers of its folder and those before");
}

# Within a folder: the files that a file can reach there.
my %next;

foreach my $file (@files)
{
	my %used = map { $_ => 1 } grep { defined && $_ ne $file && room($_) == room($file) } map { $where{$_} } @{ $uses{$file} };

	$next{$file} = [ sort keys %used ];
}
sub reach
{
	my ($file, $seen) = @_;

	foreach my $used (@{ $next{$file} })
	{
		reach($used, $seen) if !$seen->{$used}++;
	}
	return $seen;
}
my %known = map { $_ => 1 } qw(server/guc server/lockwait server/shmem server/wait mark/mark mark/markpage);
my %circles = map { $_ => 1 } grep { !$known{$_} && reach($_, {})->{$_} } @files;

foreach my $room (@rooms)
{
	is(join(' ', sort grep { m{^$room/} } keys %circles), '', "no circle of files in $room, but for those that are known");
}

done_testing();
