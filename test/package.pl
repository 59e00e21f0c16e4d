# The release: the same version everywhere, a META.json that PGXN accepts, and make release's
# results for a commit: archives with the same bytes each time, which build and install the
# same as the checkout, also as a Debian package and an RPM; their licences, list of files,
# checksums and notes.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../packaging";

use Digest::SHA ();
use File::Glob ':bsd_glob';    # names may have spaces
use File::Temp qw(tempdir);
use Files;
use JSON::PP ();
use Test::More;

my $make = $ENV{MAKE} || 'make';

delete @ENV{qw(REHEARSAL SOURCE_DATE_EPOCH MAKEFLAGS MAKELEVEL MFLAGS)};

sub shell
{
	my ($command) = @_;

	my $out = `$command`;
	$? == 0 or die "failed: $command\n";
	return $out;
}

# Output and errors together, and the exit status.
sub try
{
	my ($command) = @_;
	my $out = `{ $command; } 2>&1 </dev/null`;

	return ($out, $? >> 8);
}

my $meta = JSON::PP->new->decode(slurp('META.json'));
my $semantic = qr/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+)?$/;

# ---------- one version ----------

# The disagreements about the version in a checkout with the script built.
sub disagreements
{
	my ($dir) = @_;
	my $json = JSON::PP->new->decode(slurp("$dir/META.json"));
	my $version = $json->{version};
	my ($sql) = $version =~ /^(\d+\.\d+)\.\d+$/ or return "META.json: $version";
	my ($changes, $when) = slurp("$dir/CHANGELOG.md") =~ /^## (\S+) \((.*)\)$/m;
	my ($debian, $suite) = slurp("$dir/debian/changelog") =~ /^flakeid \((\S+)\) (\S+);/;
	my ($control) = slurp("$dir/flakeid.control") =~ /^default_version = '(.*)'$/m;
	my $spec = slurp("$dir/packaging/rpm/flakeid.spec");
	my $stable = $json->{release_status} eq 'stable';
	my $scripts = tempdir(CLEANUP => 1);
	my (%update, @wrong);

	push @wrong, map { "META.json: $_ is $json->{provides}{$_}{version}" } grep { $json->{provides}{$_}{version} ne $version } sort keys %{ $json->{provides} };
	push @wrong, "META.json: the script is $json->{provides}{flakeid}{file}" if $json->{provides}{flakeid}{file} ne "flakeid--$sql.sql";
	push @wrong, "flakeid.control: $control" if $control ne $sql;
	push @wrong, "CHANGELOG.md: $changes" if $changes ne $version;
	push @wrong, "debian/changelog: $debian" if $debian ne "$version-1";
	push @wrong, 'flakeid.spec: ' . ($spec =~ /^(Version:.*)/m)[0] if $spec !~ /^Version:\s*\Q$version\E$/m;
	push @wrong, 'flakeid.spec: %changelog' if $spec !~ /^%changelog\n\* .* - \Q$version\E-1PGDG$/m;
	my $nix = slurp("$dir/packaging/nix/flakeid.nix");
	my $cnpg = slurp("$dir/packaging/cnpg/flakeid/metadata.hcl") . slurp("$dir/packaging/cnpg/flakeid/README.md");
	push @wrong, 'flakeid.nix' if $nix !~ /^  version = "\Q$version\E";$/m;
	push @wrong, map { "packaging/cnpg: $_" } grep { $_ ne $version } $cnpg =~ /package = "(.*)-1\.pgdg/g, $cnpg =~ m{/flakeid:(.*)-18-};
	push @wrong, map { "packaging/cnpg: SQL $_" } grep { $_ ne $sql } $cnpg =~ /sql     = "(.*)"/g, $cnpg =~ /version: '(.*)'/;

	# released or unreleased
	push @wrong, "META.json: $json->{release_status}, CHANGELOG.md: $when" if $stable != ($when =~ /^\d{4}-\d\d-\d\d$/) || !$stable && $when ne 'not yet released';
	push @wrong, "META.json: $json->{release_status}, debian/changelog: $suite" if $stable != ($suite ne 'UNRELEASED');
	push @wrong, "SECURITY.md: no $sql" if $stable && slurp("$dir/SECURITY.md") !~ /^\| \Q$sql\E \| a year after /m;

	# the public address
	my $address = $json->{resources}{homepage};
	push @wrong, map { "$_: not $address" } grep { index(slurp("$dir/$_"), $address) < 0 } qw(debian/control.in debian/watch packaging/rpm/flakeid.spec packaging/nix/flakeid.nix packaging/cnpg/flakeid/README.md);

	# from each release, which has a tag, to this version
	shell("'$dir/packaging/released.sh' $scripts");
	my %released = map { m{flakeid--(.*)\.sql$} => slurp($_) } glob "$scripts/*";
	$update{ $_->[0] }{ $_->[1] } = 1 foreach map { m{flakeid--([^-]*)--([^-]*)\.sql$} ? [ $1, $2 ] : () } glob "$dir/src/flakeid--*--*.sql";
	foreach my $from (sort keys %released)
	{
		my %reached = ($from => 1);

		while (my @new = grep { !$reached{$_} } map { keys %{ $update{$_} || {} } } keys %reached) { @reached{@new} = (1) x @new }
		push @wrong, "src: no update from $from to $sql" if !$reached{$sql};
	}
	push @wrong, "flakeid--$sql.sql is not that of v$sql.0: new SQL is for a new version"
	  if $released{$sql} && $released{$sql} ne slurp("$dir/flakeid--$sql.sql");
	return join "\n", @wrong;
}

is(disagreements('.'), '', "version $meta->{version} everywhere");

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
shell("$make -s edition");
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

# ---------- Debian's files ----------

# debian/control is debian/control.in for the majors of the distribution.
{
	my ($source, $package) = split /^\n/m, slurp('debian/control.in'), 2;
	my $control = slurp('debian/control');
	my @majors = $control =~ /^Package: postgresql-(\d+)-flakeid$/mg;

	is($control, join("\n", $source, map { $package =~ s/PGVERSION/$_/gr } @majors), 'debian/control is made of control.in, for ' . "@majors");
}

# DEP 5: the licence of each file, and its text, which must equal LICENSE.
{
	my ($header, @stanzas) = map { +{ map { /^(\S+): ?(.*)/s } split /\n(?=\S)/ } } split /\n\n+/, slurp('debian/copyright');
	my %text = map { $_->{License} =~ /^(\S+)\n(.*)/s ? ($1 => $2) : () } @stanzas;
	my $plain = sub { return $_[0] =~ s/^ \.$//mgr =~ s/\s+/ /gr =~ s/^ | $//gr };

	is($header->{Format}, 'https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/', 'debian/copyright: its format');
	is(join(' ', map { $_->{Files} } grep { $_->{Files} && !($_->{Copyright} && $_->{License}) } @stanzas), '', 'debian/copyright: whose files, and their licence');
	is($stanzas[0]{Files}, '*', 'debian/copyright: every file');
	is(join(' ', grep { !$text{$_} } map { $_->{License} =~ /^(\S+)/ } @stanzas), '', 'debian/copyright: the licences are there');
	like($plain->(slurp('LICENSE')), qr/\Q@{[ $plain->($text{PostgreSQL}) ]}\E$/, 'debian/copyright: the text is that of LICENSE');
}

# ---------- the release ----------

SKIP:
{
	skip 'no git checkout', 30 unless -e '.git';
	skip 'no unzip', 30 if system('command -v unzip >/dev/null');
	skip 'no dpkg-source', 30 if system('command -v dpkg-source >/dev/null');

	# including uncommitted changes
	my $dir = 'build/package';
	my $version = $meta->{version};
	my $name = "flakeid-$version";
	my ($out, $status);

	chomp(my $tree = shell('git stash create') || 'HEAD');
	chomp($tree = shell("git rev-parse $tree"));
	shell("rm -rf $dir && mkdir -p $dir");
	foreach my $clone ('one', 'the other')
	{
		shell("git clone -q --shared --no-checkout . '$dir/$clone' && git -C '$dir/$clone' checkout -q --detach $tree");
	}

	# ---------- refused ----------

	spew("$dir/one/left over", '');
	($out, $status) = try("REHEARSAL=1 $make -C $dir/one release");
	like($out, qr/left over.*not the commit's/s, 'a file that is not in the commit: an error');
	isnt($status, 0, 'and refused');
	unlink "$dir/one/left over";
	spew("$dir/one/README.md", slurp('README.md') . "\n");
	($out, $status) = try("REHEARSAL=1 $make -C $dir/one release");
	like($out, qr/README\.md.*not the commit's/s, 'a changed file: told');
	isnt($status, 0, 'and refused');
	shell("git -C $dir/one checkout -q README.md");
	if ($meta->{release_status} ne 'stable')
	{
		($out, $status) = try("$make -C $dir/one release");
		like($out, qr/version \Q$version\E is not finished/, 'an unfinished version: an error');
		isnt($status, 0, 'and refused');
	}

	shell("git -C $dir/one config status.showUntrackedFiles no");
	spew("$dir/one/left over", '');
	isnt((try("REHEARSAL=1 $make -C $dir/one release"))[1], 0, 'a file that is not in the commit and hidden from git status: refused');
	unlink "$dir/one/left over";

	# ---------- made, twice: with attributes that only a checkout has, and without ----------

	spew("$dir/one/.git/info/attributes", "docs export-ignore\n*.sh text eol=crlf\n");
	($out, $status) = try("REHEARSAL=1 TZ=Asia/Kathmandu LANG=C sh -c 'umask 077; $make -C $dir/one release'");
	is($status, 0, 'a rehearsal is made') or diag $out;
	like($out, qr/REHEARSAL.*not to be handed out/, 'and named as one');
	($out, $status) = try("REHEARSAL=1 GZIP=-1 $make -C '$dir/the other' release");
	is($status, 0, 'and another one') or diag $out;
	is(slurp("$dir/one/build/release/SHA256SUMS"), slurp("$dir/the other/build/release/SHA256SUMS"), 'the same, byte for byte');

	my $release = "$dir/one/build/release";
	my $sql = $version =~ s/\.\d+$//r;
	my @made = sort map { s{.*/}{}r } glob "$release/*";

	is_deeply(\@made, [ sort 'SHA256SUMS', (map { "$name.$_" } qw(notes.md spdx.json tar.gz zip)), "flakeid--$sql.sql", 'flakeid.spec', (map { "flakeid$_.sql" } '', '-13', '-tle', '-leave'),
			(map { "flakeid_$version$_" } qw(-1.debian.tar.xz -1.dsc .orig.tar.gz)) ], 'all files of the release');
	is(system("cd $release && sha256sum --quiet -c SHA256SUMS"), 0, 'with its checksums');
	is_deeply([ map { (split)[1] } split /\n/, slurp("$release/SHA256SUMS") ], [ grep { $_ ne 'SHA256SUMS' } @made ], 'of every file');

	# ---------- the archives ----------

	my $archive = "$dir/tar/$name";
	my $tracked = shell("git ls-tree -r --name-only $tree");

	shell("mkdir $dir/tar $dir/zip && tar -C $dir/tar -xzf $release/$name.tar.gz && unzip -q -d $dir/zip $release/$name.zip");
	is(shell("cd $archive && find . -type f | sed 's,^\\./,,' | LC_ALL=C sort"), join('', map { "$_\n" } sort split /\n/, $tracked), 'the archive: every file of the commit, and no other');
	is(system("diff -r $dir/tar $dir/zip"), 0, "PGXN's archive has the same");
	is(join(' ', grep { !-e "$dir/zip/$name/$_" } qw(META.json README.md LICENSE flakeid.control Makefile)), '', "what PGXN looks for is in $name/");

	# ---------- notes and bill of materials ----------

	my ($section) = slurp('CHANGELOG.md') =~ /^## [^\n]*\n+(.*?)\n*(?=^## |\z)/ms;
	is(slurp("$release/$name.notes.md"), ($section eq '' ? '' : "$section\n") . "\n" . slurp('packaging/tested.md'), 'the notes are those of the newest version, and what was tested');

	my $sbom = JSON::PP->new->decode(slurp("$release/$name.spdx.json"));
	my ($package) = grep { $_->{name} eq 'flakeid' } @{ $sbom->{packages} };
	my %listed = map { my $file = $_; $file->{fileName} => { map { $_->{algorithm} => $_->{checksumValue} } @{ $file->{checksums} } } } @{ $sbom->{files} };
	my %ids = map { $_->{SPDXID} => 1 } $sbom, @{ $sbom->{packages} }, @{ $sbom->{files} };
	my $digest = sub { return Digest::SHA->new($_[0])->addfile($_[1], 'b')->hexdigest };

	is($sbom->{spdxVersion}, 'SPDX-2.3', 'bill of materials: SPDX 2.3');
	is(join("\n", sort keys %listed), join("\n", sort map { "./$_" } split /\n/, $tracked), 'bill of materials: every file');
	is(join(' ', grep { $listed{$_}{SHA256} ne $digest->(256, "$archive/$_") || $listed{$_}{SHA1} ne $digest->(1, "$archive/$_") } sort keys %listed), '', 'with its digests');
	is(keys %ids, 1 + @{ $sbom->{packages} } + @{ $sbom->{files} }, 'with different IDs');
	is(join(' ', grep { !$ids{$_} } map { @{$_}{qw(spdxElementId relatedSpdxElement)} } @{ $sbom->{relationships} }), '', 'which the relationships refer to');
	is($package->{packageVerificationCode}{packageVerificationCodeValue},
		Digest::SHA::sha1_hex(join '', sort map { $digest->(1, "$archive/$_") } keys %listed), 'the verification code');
	is((grep { $_->{algorithm} eq 'SHA256' } @{ $package->{checksums} })[0]{checksumValue}, $digest->(256, "$release/$name.tar.gz"), 'the digest of the archive');

	# ---------- what it installs ----------

	my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
	shell(qq($make -s install DESTDIR="\$PWD/$dir/checkout" >/dev/null));
	shell(qq($make -s -C $archive all install DESTDIR="\$PWD/$dir/installed" >/dev/null));
	my @files = split /\n/, shell("cd $dir/checkout && find . -type f | sort");
	is(shell("cd $dir/installed && find . -type f | sort"), join('', map { "$_\n" } @files), 'the archive installs the same files: ' . @files);
	is(join(' ', grep { !/\.so$/ && slurp("$dir/checkout/$_") ne slurp("$dir/installed/$_") } @files), '', 'with the same contents');

	# Into its own folder: as in PostgreSQL 18's manual, on any distribution.
	shell(qq($make -s install prefix="\$PWD/$dir/a prefix" >/dev/null));
	shell(qq($make -s install prefix="\$PWD/$dir/pgsql" >/dev/null));
	shell(qq(umask 077; $make -s image IMAGE="\$PWD/$dir/image" >/dev/null));
	my @extension = map { s{.*/extension/}{}r } grep { m{/extension/} } @files;
	is(shell("cd '$dir/a prefix' && find . -type f | sort"),
		join('', "./lib/postgresql/flakeid.so\n", map { "./share/postgresql/extension/$_\n" } @extension), 'make install prefix=DIR');
	is(shell("cd '$dir/pgsql' && find . -type f | sort"),
		join('', "./lib/flakeid.so\n", map { "./share/extension/$_\n" } @extension), 'make install prefix=DIR/pgsql');
	is(shell("cd '$dir/image' && find . -type f | sort"),
		join('', "./lib/flakeid.so\n", "./licenses/flakeid/LICENSE\n", map { "./share/extension/$_\n" } @extension), 'make image');
	is(shell("find '$dir/image' ! -perm -o=r"), '', 'make image: for every user, with any umask');
	is((try(qq($make -s image IMAGE="\$PWD/$dir/image")))[1], 0, 'make image, in place of an older one');
	shell("mkdir $dir/home && touch $dir/home/letter");
	($out, $status) = try(qq($make -s image IMAGE="\$PWD/$dir/home"));
	like($out, qr{/home' is no older image}, 'make image, in place of anything else: told');
	isnt($status, 0, 'and refused');
	ok(-e "$dir/home/letter", 'and nothing is removed');

	# ---------- the next version ----------

	my $work = "$dir/the other";
	my @next = map { my @v = split /\./, $version; "$v[0]." . ($v[1] + $_) . '.0' } 1, 2;

	if ($meta->{release_status} ne 'stable')
	{
		($out, $status) = try("$make -s -C '$work' next V=$next[0]");
		isnt($status, 0, 'no new version before this one is finished');
		is(shell("git -C '$work' status --porcelain"), '', 'and nothing changed');
		my $notes = "## $version (not yet released)\n\n";
		spew("$work/CHANGELOG.md", slurp('CHANGELOG.md') =~ s/^## \Q$version\E .*?(?=^## |\z)/$notes/msr);
		($out, $status) = try("$make -s -C '$work' freeze");
		like($out, qr/CHANGELOG\.md: nothing of \Q$version\E/, 'without notes: not finished');
		spew("$work/CHANGELOG.md", slurp("$work/CHANGELOG.md") =~ s/\Q$notes\E/$notes- What is new.\n\n/r);
		($out, $status) = try("SOURCE_DATE_EPOCH=86400 $make -s -C '$work' freeze");
		is($status, 0, 'make freeze') or diag $out;
		like(slurp("$work/CHANGELOG.md"), qr/^## \Q$version\E \(1970-01-02\)$/m, 'with its date');
		is(disagreements($work), '', 'it is the release');
		($out, $status) = try("$make -s -C '$work' freeze");
		is(disagreements($work), '', 'and once more');
	}

	# Its tag has the script from now on.
	my $commit = 'git -c user.name=nobody -c user.email=nobody commit -q --allow-empty -m';
	shell("cd '$work' && $make -s flakeid--$sql.sql && git add -A && $commit $version && git tag -f v$sql.0 2>/dev/null");
	is(disagreements($work), '', 'tagged');
	is(slurp("$release/flakeid--$sql.sql"), slurp("$work/flakeid--$sql.sql"), 'the script of the release is what its tag builds');
	spew("$work/src/operation/last.sql", slurp("$work/src/operation/last.sql") . "-- changed\n");
	shell("$make -s -C '$work' flakeid--$sql.sql");
	like(disagreements($work), qr/^flakeid--\Q$sql\E\.sql is not that of v\Q$sql\E\.0/m, 'a change after that is noticed');
	shell("git -C '$work' checkout -q src/operation/last.sql && touch '$work/src/operation/last.sql' && $make -s -C '$work' flakeid--$sql.sql");

	# Only the third number is new: the script is that of the release.
	my $patch = $version =~ s/(\d+)$/$1 + 1/er;
	shell("cd '$work' && $make -s next V=$patch");
	is(disagreements($work), '', "make next V=$patch");
	spew("$work/CHANGELOG.md", slurp("$work/CHANGELOG.md") =~ s/^(## \Q$patch\E .*)/$1\n\n- What is fixed./mr);
	shell("cd '$work' && git add -A && $commit $patch");
	spew("$work/src/operation/last.sql", slurp("$work/src/operation/last.sql") . "-- changed\n");
	($out, $status) = try("$make -s -C '$work' freeze");
	like($out, qr/v\Q$sql\E\.0 is released, with another script/, "$patch with other SQL: an error");
	isnt($status, 0, 'and not finished');
	is(shell("git -C '$work' status --porcelain"), " M src/operation/last.sql\n", 'and nothing changed');
	shell("git -C '$work' checkout -q src/operation/last.sql && touch '$work/src/operation/last.sql' && $make -s -C '$work' freeze");
	is(disagreements($work), '', "make freeze of $patch");
	shell("git -C '$work' reset -q --hard && git -C '$work' tag -d v$sql.0");
	like((try("$make -s -C '$work' freeze"))[0], qr/no tag v\Q$sql\E\.0/, "$patch without the tag of the release: an error");
	shell("git -C '$work' tag v$sql.0 HEAD^ && git -C '$work' reset -q --hard HEAD^ && touch '$work/flakeid.control'");

	# ---------- the public address ----------

	my $address = 'https://code.example.org/somebody/flakeid';
	isnt((try("perl '$work/packaging/version.pl' address '$_'"))[1], 0, "'$_' is no address") foreach '', 'flakeid.example', "$address/";
	($out, $status) = try("perl '$work/packaging/version.pl' address $address");
	is($status, 0, 'version.pl address') or diag $out;
	is(disagreements($work), '', 'in each file that has one');
	unlike(slurp("$work/README.md"), qr/flakeid\.example|placeholder/, 'README.md no longer says that it has none');
	is(shell("git -C '$work' grep -lF '$meta->{resources}{homepage}' || :"), "packaging/README.md\n", 'and the old one in none, but for the page that speaks of it');
	shell("git -C '$work' reset -q --hard && touch '$work/flakeid.control'");

	# All of the files that name the version, or none.
	foreach my $wrong ($next[0] =~ s/\.0$//r, "0$next[0]", "$next[0]-rc1")
	{
		isnt((try("$make -s -C '$work' next V=$wrong"))[1], 0, "$wrong is no version");
	}
	spew("$work/packaging/rpm/flakeid.spec", slurp("$work/packaging/rpm/flakeid.spec") =~ s/^%changelog\n//mr);
	($out, $status) = try("$make -s -C '$work' next V=$next[0]");
	like($out, qr/flakeid\.spec: no /, 'a spec file without a log: an error');
	is(shell("git -C '$work' status --porcelain"), " M packaging/rpm/flakeid.spec\n", 'and nothing changed');
	shell("git -C '$work' checkout -q packaging");
	($out, $status) = try("$make -s -C '$work' next V=$next[0]");
	is($status, 0, "make next V=$next[0]") or diag $out;
	shell("cd '$work' && $make -s flakeid--" . ($next[0] =~ s/\.0$//r) . '.sql');
	is(disagreements($work), '', 'it is started');
	ok(-e "$work/src/flakeid--$sql--" . ($next[0] =~ s/\.0$//r) . '.sql', 'with a script to update to it');
	isnt((try("$make -s -C '$work' next V=$next[1]"))[1], 0, 'and must be finished first');
	foreach my $file (qw(META.json flakeid.control CHANGELOG.md debian/changelog packaging/rpm/flakeid.spec packaging/nix/flakeid.nix packaging/cnpg/flakeid/metadata.hcl))
	{
		my $text = slurp("$work/$file");

		spew("$work/$file", $text =~ s/\Q@{[ $next[0] =~ s{\.0$}{}r ]}\E/7.7/r);
		isnt(disagreements($work), '', "another version in $file: noticed");
		spew("$work/$file", $text);
	}
	my $next_meta = slurp("$work/META.json");
	spew("$work/META.json", $next_meta =~ s/.*"version": "\K\Q$next[0]\E/7.7.0/sr);
	like(disagreements($work), qr/^META\.json: flakeid-sql is 7\.7\.0$/m, 'another version of the SQL edition: noticed');
	spew("$work/META.json", $next_meta);
	unlink glob "$work/src/flakeid--$sql--*.sql";
	like(disagreements($work), qr/no update from/, 'no update path from the release: noticed');

	# ---------- the Debian package, of the archive ----------

	shell("cd $dir && dpkg-source --no-check -x one/build/release/flakeid_$version-1.dsc debian >/dev/null 2>&1");
	is(system("diff -r $dir/zip/$name $dir/debian -x .pc >&2"), 0, "Debian's source package is the archive");

	# Both packages contain the documents, at any path.  Debian compresses them.
	my $documents = sub {
		my %there = map { m{/doc/[^/]+/(.*?)(?:\.gz)?$} ? ($1 => 1) : () } @_;

		return join ' ', grep { !$there{$_} } qw(README.md SECURITY.md), grep { m{^docs/} } split /\n/, $tracked;
	};

	# ---------- the RPM, of the archive ----------

  SKIP:
	{
		skip 'the RPM: rpm is not installed', 3 if system('command -v rpmbuild >/dev/null');

		# Its macros expect PostgreSQL where RPM distributions install it: a pg_config claims
		# these paths, and answers truthfully about all the rest.
		chomp(my $real = shell("command -v '$pg_config'; true"));
		my $major = shell("$pg_config --version") =~ s/\D*(\d+).*/$1/sr;
		chomp(my $here = shell('pwd'));
		my $instdir = "$here/$dir/usr/pgsql-$major";

		shell("mkdir -p $instdir/bin $dir/rpm/SOURCES");
		spew("$instdir/bin/pg_config", "#!/bin/sh\ncase \"\$*\" in\n\t--pkglibdir) echo $instdir/lib ;;\n\t--sharedir) echo $instdir/share ;;\n\t*) exec $real \"\$@\" ;;\nesac\n");
		chmod 0755, "$instdir/bin/pg_config";
		shell("cp $release/$name.tar.gz $dir/rpm/SOURCES/");
		is(system("env -u PG_CONFIG rpmbuild -ba --nodeps --define '_topdir $here/$dir/rpm' --define 'pgmajorversion $major' --define 'pginstdir $instdir' "
				  . "--define 'debug_package %{nil}' $release/flakeid.spec >$dir/rpm.log 2>&1"), 0, "the RPM is built ($dir/rpm.log)");
		my %packed = map { s/^\Q$instdir\E//r => 1 } split /\n/, shell("rpm -qlp $dir/rpm/RPMS/*/flakeid_$major-$version-1PGDG*.rpm");
		is(join(' ', grep { !$packed{$_} } '/lib/flakeid.so', map { "/share/extension/$_" } @extension), '', 'and has the same files');
		is($documents->(keys %packed), '', 'and the documents');
	}

	# ---------- the Debian package ----------

	chomp(my $bin = shell("$pg_config --bindir"));
	skip 'the Debian package: the server is not of one', 4 if $bin !~ m{^/usr/lib/postgresql/};
	skip 'the Debian package: debhelper or postgresql-server-dev-all is not installed', 4
	  if system("dpkg-checkbuilddeps -P nocheck $dir/debian/debian/control >/dev/null 2>&1");

	# only for this server's major version, even if the distribution has others
	local @ENV{qw(DEB_PG_SUPPORTED_VERSIONS DEB_BUILD_OPTIONS DEB_BUILD_PROFILES)} =
	  (shell("$pg_config --version") =~ s/\D*(\d+).*/$1/sr, 'nocheck', 'nocheck');
	is(system("cd $dir/debian && { pg_buildext updatecontrol && dpkg-buildpackage -us -uc -b; } >../debian.log 2>&1"), 0,
		"the Debian package is built ($dir/debian.log)");
	my %packed = map { s/^\S+ .* \.//r => 1 } map { split /\n/, shell("dpkg-deb -c $_") } grep { !/dbgsym/ } glob "$dir/*.deb";
	is(join(' ', grep { !$packed{$_} } map { s/^\.//r } @files), '', 'and has the same files');
	is($documents->(keys %packed), '', 'and the documents');

	# CloudNativePG's image has the library and every file of the extension from there.
	my @copied = map { s/\$\{PG_MAJOR\}/$ENV{DEB_PG_SUPPORTED_VERSIONS}/gr } slurp('packaging/cnpg/flakeid/Dockerfile') =~ /^COPY --from=builder (\S+)/mg;
	my %image = map { my $glob = quotemeta($_) =~ s/\\\*/[^\/]*/gr; map { $_ => 1 } grep { m{^$glob$} } keys %packed } @copied;

	is(join(' ', grep { !$image{$_} } grep { m{\.so$|/extension/flakeid|/copyright$} } sort keys %packed), '', "and CloudNativePG's image takes them all");
}

done_testing();
