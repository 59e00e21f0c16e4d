#!/usr/bin/perl
# What a version is called, in each file that has to say it:
#
#   version.pl freeze    META.json's version is finished: today's date, status stable,
#                        a row in SECURITY.md
#   version.pl next V    begin version V (three numbers), not yet released; where its
#                        first two are new, with an upgrade script, empty yet
#   version.pl address URL
#                        the project's public address, which META.json has, is URL
#
# freeze may be called again as long as nobody has the release. The script that "make" has
# built must be that of an earlier release with the same two numbers, as its tag builds it.
# SOURCE_DATE_EPOCH is another date than today.
# Either all files are changed or none. META.json has the version; test/package.pl
# compares the other files with it.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use File::Temp qw(tempdir);
use Files;
use POSIX qw(setlocale strftime LC_TIME);

my ($command, $argument) = @ARGV;
my @addressed = qw(META.json README.md debian/control debian/control.in debian/watch packaging/rpm/flakeid.spec packaging/nix/flakeid.nix packaging/cnpg/flakeid/README.md);
my @now = gmtime($ENV{SOURCE_DATE_EPOCH} || time);
my $maintainer = 'the flakeid authors <flakeid@localhost>';
my %changed;    # the files' new texts

setlocale(LC_TIME, 'C');
chdir "$FindBin::RealBin/.." or die;

# Change a file by patterns, each of which must be found. It is written by finish().
sub change
{
	my ($file, @changes) = @_;
	my $text = slurp($file);

	while (my ($pattern, $by) = splice @changes, 0, 2)
	{
		$text =~ s/$pattern/$by->()/e or die "$file: no $pattern\n";
	}
	$changed{$file} = $text;
	return;
}

# Write what was changed, now that nothing more can be missing.
sub finish
{
	spew($_, $changed{$_}) foreach sort keys %changed;
	return;
}

sub debian_date { return strftime('%a, %d %b %Y %H:%M:%S +0000', @now) }

# The installation script as the tag of its release builds it; undef without that tag.
sub released
{
	my ($sql) = @_;
	my $dir = tempdir(CLEANUP => 1);

	system('packaging/released.sh', $dir) == 0 or die "packaging/released.sh has failed\n";
	return -e "$dir/flakeid--$sql.sql" ? slurp("$dir/flakeid--$sql.sql") : undef;
}

# The Debian package's and the RPM's logs say no more than which version it is.
sub freeze
{
	my ($version, $sql) = @_;
	my $day = strftime('%Y-%m-%d', @now);
	my $released = released($sql);
	my $next_sql = $sql =~ s/(\d+)$/$1 + 1/er;

	die "no tag v$sql.0, whose script must be that of $version: git fetch --tags\n" if $version !~ /\.0$/ && !defined $released;
	die "v$sql.0 is released, with another script: new SQL is for a version with a new second number\n"
	  if defined $released && $released ne slurp("flakeid--$sql.sql");
	die "CHANGELOG.md: nothing of $version\n" if slurp('CHANGELOG.md') !~ /^## \Q$version\E \(.*\)\n+(?!## )\S/m;
	change('META.json', qr/"release_status": "\w+"/ => sub { '"release_status": "stable"' });
	change('CHANGELOG.md', qr/^## \Q$version\E \(.*\)$/m => sub { "## $version ($day)" });
	change('debian/changelog',
		qr/^(\S+ \(\Q$version\E-1\)) \w+;/ => sub { "$1 unstable;" },
		qr/^( -- [^>]*>).*/m => sub { "$1  " . debian_date() });
	change('packaging/rpm/flakeid.spec',
		qr/^\* .* - \Q$version\E-1PGDG$/m => sub { strftime('* %a %b %d %Y', @now) . " $maintainer - $version-1PGDG" });
	change('SECURITY.md', qr/^(?=\| \d+\.\d+ \|)/m => sub { "| $sql | a year after $next_sql is released |\n" })
	  if slurp('SECURITY.md') !~ /^\| \Q$sql\E \|/m;
	finish();
	print "version $version: finished; now git add -A, commit, and see packaging/README.md\n";
	return;
}

sub begin
{
	my ($version, $sql, $next) = @_;
	my $number = qr/0|[1-9]\d*/;
	my ($next_sql) = $next =~ /^(($number)\.($number))\.($number)\z/ or die "usage: version.pl next MAJOR.MINOR.PATCH\n";
	my $script = "src/flakeid--$sql--$next_sql.sql";

	die "version $version is not finished: see packaging/README.md\n" if slurp('META.json') !~ /"release_status": "stable"/;
	die "version $next is not newer than $version\n"
	  if sprintf('%06d%06d%06d', split /\./, $next) le sprintf('%06d%06d%06d', split /\./, $version);

	change('META.json', (qr/"version": "\Q$version\E"/ => sub { qq("version": "$next") }) x 3,
		qr/"file": "flakeid--\Q$sql\E\.sql"/ => sub { qq("file": "flakeid--$next_sql.sql") },
		qr/"release_status": "\w+"/ => sub { '"release_status": "testing"' });
	change('CHANGELOG.md', qr/^(?=## )/m => sub { "## $next (not yet released)\n\n" });
	change('flakeid.control', qr/^default_version = .*/m => sub { "default_version = '$next_sql'" });
	change('packaging/rpm/flakeid.spec',
		qr/^(Version:\s*)\S+/m => sub { "$1$next" },
		qr/^(?<=%changelog\n)/m => sub { strftime('* %a %b %d %Y', @now) . " $maintainer - $next-1PGDG\n- Version $next.\n\n" });
	change('packaging/nix/flakeid.nix', qr/version = "\Q$version\E"/ => sub { qq(version = "$next") });
	change('packaging/cnpg/flakeid/metadata.hcl',
		(qr/"\Q$version\E-1\./ => sub { qq("$next-1.) }) x 2,
		(qr/^(\s+sql     = )"\Q$sql\E"$/m => sub { qq($1"$next_sql") }) x 2);
	change('packaging/cnpg/flakeid/README.md',
		qr/:\Q$version\E-18/ => sub { ":$next-18" },
		qr/version: '\Q$sql\E'/ => sub { "version: '$next_sql'" });
	change('debian/changelog',
		qr/\A/ => sub { "flakeid ($next-1) UNRELEASED; urgency=medium\n\n  * New upstream release.\n\n -- $maintainer  " . debian_date() . "\n\n" });
	if ($next_sql ne $sql)
	{
		$changed{$script} = "-- flakeid: what ALTER EXTENSION flakeid UPDATE does to version $sql.\n\n"
			  . "-- complain if this script is sourced in psql instead of by ALTER EXTENSION\n"
			  . "\\echo Use \"ALTER EXTENSION flakeid UPDATE\" to load this file. \\quit\n";
		print "writing $script\n";
	}
	finish();
	print "version $next: begun; now git add -A and commit\n";
	return;
}

# Every file that names the address has it from here.
sub move
{
	my ($url) = @_;
	my ($old) = slurp('META.json') =~ /"homepage": "([^"]+)"/ or die "META.json: no homepage\n";

	$url =~ m{^https://[^/\s"]+/[^\s"]*[^/\s"]\z} or die "usage: version.pl address https://HOST/PATH\n";
	$changed{$_} = slurp($_) =~ s/\Q$old\E/$url/gr foreach @addressed;
	$changed{'README.md'} =~ s/^`flakeid\.example` is a placeholder: .*? yet\. //m;
	finish();
	print "address $url: now git add -A and commit\n";
	return;
}

my ($version) = slurp('META.json') =~ /"version": "(\d+\.\d+\.\d+)"/ or die "META.json: no version\n";
my ($sql) = $version =~ /^(\d+\.\d+)/;

if (($command // '') eq 'freeze') { freeze($version, $sql) }
elsif (($command // '') eq 'next' && defined $argument) { begin($version, $sql, $argument) }
elsif (($command // '') eq 'address' && defined $argument) { move($argument) }
else { die "usage: version.pl freeze | next MAJOR.MINOR.PATCH | address URL\n" }
