# What is handed out: one version everywhere, a META.json that PGXN takes, and an
# archive (make dist) that builds and installs what the checkout does, also as a
# Debian package.
use strict;
use warnings;

use JSON::PP ();
use Test::More;

my $make = $ENV{MAKE} || 'make';

sub slurp
{
	my ($file) = @_;

	open my $in, '<', $file or die "$file: $!";
	local $/ = undef;
	return <$in>;
}

sub shell
{
	my ($command) = @_;

	my $out = `$command`;
	$? == 0 or die "failed: $command\n";
	return $out;
}

my $meta = JSON::PP->new->decode(slurp('META.json'));
my $semantic = qr/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+)?$/;

# ---------- one version ----------

my ($version) = slurp('flakeid.control') =~ /^default_version = '(\d+\.\d+)'$/m or BAIL_OUT('flakeid.control');
my ($changes) = slurp('CHANGELOG.md') =~ /^## (\S+)/m;
my ($debian) = slurp('debian/changelog') =~ /^\S+ \((\S+)\)/;

is($changes, $version, 'the newest entry of CHANGELOG.md');
# PGXN's versions have three numbers
is($meta->{version}, "$version.0", 'META.json');
is($meta->{provides}{flakeid}{version}, "$version.0", 'META.json: the extension');
is($debian, "$version-1", 'debian/changelog');
is($meta->{release_status} eq 'stable', scalar(slurp('CHANGELOG.md') !~ /^## \Q$version\E .*not yet/m),
	'stable as soon as it is released');

# ---------- META.json, by the PGXN Meta Spec 1.0.0 ----------

my %known = map { $_ => 1 } qw(name version abstract maintainer license provides meta-spec
  description generated_by tags no_index prereqs release_status resources);

is(join(' ', grep { !defined $meta->{$_} } qw(abstract license maintainer meta-spec name provides version)),
	'', 'what is required');
is(join(' ', grep { !$known{$_} && !/^x_/i } keys %$meta), '', 'nothing unknown');
like($meta->{version}, $semantic, 'version');
like($meta->{name}, qr{^[^\s/\\[:cntrl:]]{2,}$}, 'name');
is($meta->{license}, 'postgresql', 'license');
like($meta->{release_status}, qr/^(stable|testing|unstable)$/, 'release_status');
is($meta->{'meta-spec'}{version}, '1.0.0', 'meta-spec');
like($meta->{'meta-spec'}{url}, qr{^https?://\S+$}, 'meta-spec: url');
is(join(' ', grep { !/^[^\/\\[:cntrl:]]{1,256}$/ } @{ $meta->{tags} }), '', 'tags');
foreach my $name (sort keys %{ $meta->{provides} })
{
	my $provided = $meta->{provides}{$name};

	like($provided->{version}, $semantic, "$name: version");
	ok(-f $provided->{$_}, "$name: $_") foreach qw(file docfile);
	is(join(' ', grep { !/^(abstract|file|docfile|version)$/ } keys %$provided), '', "$name: nothing unknown");
}
foreach my $phase (sort keys %{ $meta->{prereqs} })
{
	like($phase, qr/^(configure|build|test|runtime|develop)$/, "prereqs: $phase");
	foreach my $relation (sort keys %{ $meta->{prereqs}{$phase} })
	{
		my $terms = $meta->{prereqs}{$phase}{$relation};

		like($relation, qr/^(requires|recommends|suggests|conflicts)$/, "prereqs: $phase $relation");
		ok($terms->{$_} eq '0' || $terms->{$_} =~ $semantic, "prereqs: $_") foreach sort keys %$terms;
	}
}

# ---------- the archive ----------

SKIP:
{
	skip 'no git checkout', 5 unless -d '.git';
	skip 'no unzip', 5 if system('command -v unzip >/dev/null');

	# with what is not committed yet; bitcode takes long and is the same
	my $dir = 'build/package';
	my $archive = "flakeid-$meta->{version}";
	chomp(my $tree = shell('git stash create') || 'HEAD');

	shell("rm -rf $dir && mkdir -p $dir && $make -s dist DIST_TREE=$tree DIST_DIR=$dir");
	shell("cd $dir && unzip -q $archive.zip");
	is(join(' ', grep { !-e "$dir/$archive/$_" } qw(META.json README.md LICENSE flakeid.control Makefile)),
		'', "in $archive/");

	shell(qq($make -s install with_llvm=no DESTDIR="\$PWD/$dir/checkout" >/dev/null));
	shell(qq($make -s -C $dir/$archive all install with_llvm=no DESTDIR="\$PWD/$dir/archive" >/dev/null));
	my @files = split /\n/, shell("cd $dir/checkout && find . -type f | sort");
	is(shell("cd $dir/archive && find . -type f | sort"), join('', map { "$_\n" } @files), 'installs the same files: ' . @files);
	is(join(' ', grep { !/\.so$/ && slurp("$dir/checkout/$_") ne slurp("$dir/archive/$_") } @files), '', 'with the same contents');

	# ---------- the Debian package, of the archive ----------

	chomp(my $bin = shell(($ENV{PG_CONFIG} || 'pg_config') . ' --bindir'));
	skip 'the Debian package: the server is not of one', 2 if $bin !~ m{^/usr/lib/postgresql/};
	skip 'the Debian package: debhelper or postgresql-all is not installed', 2
	  if system("dpkg-checkbuilddeps $dir/$archive/debian/control >/dev/null 2>&1");
	is(system("cd $dir/$archive && DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b >../debian.log 2>&1"), 0, "the Debian package is built ($dir/debian.log)");
	my %packed = map { s/^\S+ .* \.//r => 1 } map { split /\n/, shell("dpkg-deb -c $_") } grep { !/dbgsym/ } glob "$dir/*.deb";
	is(join(' ', grep { !$packed{$_} } map { s/^\.//r } @files), '', 'and has the same files');
}

done_testing();
