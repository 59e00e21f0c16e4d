# Code that tests compile: libraries, the extension, its releases, its next version, a slow disk.
package Flakeid::Builds;

use strict;
use warnings;

use Errno qw(EMFILE ENOSPC);
use Exporter 'import';
use FindBin;
use Flakeid::Files;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(
  headers build_library install_extension released_scripts next_version slow_disk
);

# The folder of PostgreSQL's headers; undef if it cannot be read, or there is no compiler.
sub headers
{
	my $pg_config = $ENV{PG_CONFIG} || 'pg_config';

	chomp(my $headers = `$pg_config --includedir-server 2>/dev/null`);
	return -e "$headers/postgres.h" && system('cc --version >/dev/null 2>&1') == 0 ? $headers : undef;
}

# Compile a library for the server from C files and flags; undef if there are no headers().
sub build_library
{
	my ($node, $name, @arguments) = @_;
	my $headers = headers();
	my $library = $node->basedir . "/$name.so";

	return if !$headers;
	system_or_bail('cc', '-shared', '-fPIC', '-w', '-D_GNU_SOURCE', "-I$headers", '-o', $library, @arguments);
	return $library;
}

# Build the extension of a folder and install it, with these arguments of make; undef if it
# cannot be built for lack of a compiler or PostgreSQL's headers.  It is not optimized, which
# halves the time.
sub install_extension
{
	my ($folder, @arguments) = @_;
	my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
	local %ENV = %ENV;

	delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
	return if !headers();
	system_or_bail($ENV{MAKE} || 'make', '-s', '-j2', '-C', $folder, "PG_CONFIG=$pg_config", 'COPT=-O0', @arguments);
	return 1;
}

# The installation scripts of the releases, which run.sh builds from their tags: the version
# and its file.
sub released_scripts
{
	my %script = map { m{--([^/]*)\.sql$} ? ($1 => $_) : () } glob "$FindBin::RealBin/../../released/*.sql";

	note 'no tag of a release, so the only versions to update from are made up here' if !%script;
	return %script;
}

# Make a folder with the sources of the next version, which has one more function,
# flakeid_added(), that returns the library's version.  Returns the version's name.
sub next_version
{
	my ($folder) = @_;
	my $root = "$FindBin::RealBin/../..";
	my ($version) = slurp_file("$root/flakeid.control") =~ /^default_version = '(.*)'/m;
	my $added = "CREATE FUNCTION flakeid_added() RETURNS text AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT;\n";

	mkdir $folder or die "$folder: $!";
	mkdir "$folder/test" or die "$folder: $!";
	system_or_bail('cp', '-r', (map { "$root/$_" } qw(Makefile LICENSE META.json flakeid.control packaging src)), "$folder/");
	system_or_bail('cp', "$root/test/Makefile", "$folder/test/");
	replace_file("$folder/flakeid.control", slurp_file("$root/flakeid.control") =~ s/^(default_version = ).*/$1'$version.next'/mr);
	append_to_file("$folder/src/operation/last.sql", $added);
	append_to_file("$folder/src/flakeid--$version--$version.next.sql", $added);
	append_to_file("$folder/src/operation/module.c", q(
PG_FUNCTION_INFO_V1(flakeid_added);
Datum
flakeid_added(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(FLAKE_VERSION));
}
));
	return "$version.next";
}

# For a server with a disk as slow as the test wants: compile test/bench/disk.c, make servers
# started from now on preload it, and return a function that sets the milliseconds of a flush
# (-1: it does not end; 'full': no memory can be allocated; 'files': no file opened for it), and
# returns how many flushes are running.  undef if there is no compiler.
sub slow_disk
{
	my $base = PostgreSQL::Test::Utils::tempdir();

	return if system('cc --version >/dev/null 2>&1') != 0;
	system_or_bail('cc', '-O2', '-shared', '-fPIC', '-o', "$base/disk.so", "$FindBin::RealBin/../bench/disk.c");
	append_to_file("$base/disk", "\0" x 4096);
	chmod 0666, "$base/disk";
	$ENV{FLAKEID_DISK} = "$base/disk";
	$ENV{LD_PRELOAD} = "$base/disk.so";
	return sub {
		my ($setting) = @_;
		my $number;

		open my $file, '+<', "$base/disk" or die;
		if (defined $setting)
		{
			syswrite $file, pack 'l2', $setting eq 'full' ? (0, ENOSPC) : $setting eq 'files' ? (0, EMFILE) : ($setting, 0);
			sysseek $file, 0, 0;
		}
		sysread $file, $number, 12;
		return (unpack 'l3', $number)[2];
	};
}

1;
