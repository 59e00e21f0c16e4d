#!/usr/bin/perl
# The bill of materials of a source archive, SPDX 2.3 as JSON, to standard output:
#
#   sbom.pl DIRECTORY ARCHIVE    the archive unpacked, and itself
#
# Its files are all our own, under one licence; what is built from them is linked with
# nothing but the C library, and loaded by PostgreSQL. SOURCE_DATE_EPOCH is its date.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Digest::SHA;
use File::Find ();
use Files;
use JSON::PP ();
use POSIX qw(strftime);

my ($directory, $archive) = @ARGV;
my (@files, @relationships);

@ARGV == 2 or die "usage: sbom.pl DIRECTORY ARCHIVE\n";
$ENV{SOURCE_DATE_EPOCH} or die "sbom.pl: no SOURCE_DATE_EPOCH\n";

sub digest
{
	my ($algorithm, $file) = @_;

	return Digest::SHA->new($algorithm)->addfile($file, 'b')->hexdigest;
}

sub checksums
{
	my ($file) = @_;

	return [ map { { algorithm => "SHA$_", checksumValue => digest($_, $file) } } 1, 256 ];
}

sub type
{
	my ($file) = @_;

	return 'SPDX' if $file =~ /\.spdx\.json$/;
	return 'SOURCE' if $file =~ /\.(?:c|h|sql|pl|pm|sh)$|(?:^|\/)Makefile$/;
	return 'IMAGE' if $file =~ /\.svg$/;
	return 'DOCUMENTATION' if $file =~ /\.md$|(?:^|\/)LICENSE$/;
	return 'TEXT' if $file =~ /\.(?:tsv|txt|out|json|yml)$/;
	return 'OTHER';
}

sub add_relationship
{
	my ($from, $kind, $to) = @_;

	push @relationships, { spdxElementId => $from, relationshipType => $kind, relatedSpdxElement => $to };
	return;
}

my $meta = JSON::PP->new->decode(slurp("$directory/META.json"));
my $name = "$meta->{name}-$meta->{version}";
my ($copyright) = slurp("$directory/debian/copyright") =~ /^Copyright: (.*)/m or die "debian/copyright: whose?\n";
my @names;

File::Find::find({ no_chdir => 1, wanted => sub { push @names, s{^\Q$directory\E/}{}r if -f && !-l } }, $directory);
@names = sort @names;
foreach my $file (@names)
{
	push @files, {
		SPDXID => 'SPDXRef-File-' . digest(1, "$directory/$file") . '-' . @files,
		fileName => "./$file",
		fileTypes => [ type($file) ],
		checksums => checksums("$directory/$file"),
		licenseConcluded => 'PostgreSQL',
		licenseInfoInFiles => [ $file eq 'LICENSE' ? 'PostgreSQL' : 'NOASSERTION' ],
		copyrightText => $copyright };
}

add_relationship('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-Package-flakeid');
add_relationship('SPDXRef-Package-flakeid', 'CONTAINS', $_->{SPDXID}) foreach @files;
add_relationship('SPDXRef-Package-PostgreSQL', 'RUNTIME_DEPENDENCY_OF', 'SPDXRef-Package-flakeid');
add_relationship('SPDXRef-Package-PostgreSQL', 'BUILD_DEPENDENCY_OF', 'SPDXRef-Package-flakeid');

# a name for the document that no other one has: the archive's digest, as a UUID
my $uuid = digest(256, $archive);
$uuid =~ s/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/$1-$2-8$3-8$4-$5/;

print JSON::PP->new->canonical->pretty->indent_length(1)->encode({
	spdxVersion => 'SPDX-2.3',
	dataLicense => 'CC0-1.0',
	SPDXID => 'SPDXRef-DOCUMENT',
	name => $name,
	documentNamespace => "urn:uuid:$uuid",
	creationInfo => {
		created => strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $ENV{SOURCE_DATE_EPOCH}),
		creators => [ "Organization: $meta->{maintainer}", "Tool: flakeid packaging/sbom.pl-$meta->{version}" ] },
	packages => [ {
			SPDXID => 'SPDXRef-Package-flakeid',
			name => $meta->{name},
			versionInfo => $meta->{version},
			summary => $meta->{abstract},
			supplier => "Organization: $meta->{maintainer}",
			packageFileName => $archive =~ s{.*/}{}r,
			checksums => checksums($archive),
			downloadLocation => "git+$meta->{resources}{repository}{url}\@v$meta->{version}",
			homepage => $meta->{resources}{homepage},
			primaryPackagePurpose => 'SOURCE',
			filesAnalyzed => JSON::PP::true,
			packageVerificationCode => { packageVerificationCodeValue =>
				  Digest::SHA::sha1_hex(join '', sort map { $_->{checksums}[0]{checksumValue} } @files) },
			licenseConcluded => 'PostgreSQL',
			licenseDeclared => 'PostgreSQL',
			licenseInfoFromFiles => ['PostgreSQL'],
			copyrightText => $copyright,
			externalRefs => [ {
					referenceCategory => 'PACKAGE-MANAGER',
					referenceType => 'purl',
					referenceLocator => "pkg:generic/$meta->{name}\@$meta->{version}" } ] },
		{
			SPDXID => 'SPDXRef-Package-PostgreSQL',
			name => 'PostgreSQL',
			comment => "version $meta->{prereqs}{runtime}{requires}{PostgreSQL} or newer, as the machine has it; not in the archive",
			downloadLocation => 'https://www.postgresql.org/ftp/source/',
			filesAnalyzed => JSON::PP::false,
			licenseConcluded => 'PostgreSQL',
			licenseDeclared => 'PostgreSQL',
			copyrightText => 'NOASSERTION' } ],
	files => \@files,
	relationships => \@relationships });
