# flakeid in its own folder, which the server finds by extension_control_path and
# dynamic_library_path: as created by make install prefix=DIR, and as in an image for
# CloudNativePG, mounted read-only.  The extension is created, used, preloaded, dumped,
# restored, and updated to a new version in a new folder; the server's own folders, which
# also contain flakeid, are not used.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

my $node = PostgreSQL::Test::Cluster->new('other');
my $tempdir = PostgreSQL::Test::Utils::tempdir();
my $root = "$FindBin::RealBin/../..";

plan skip_all => 'extension_control_path is new in PostgreSQL 18' if $node->pg_version->major < 18;
plan skip_all => 'no compiler, or no headers of PostgreSQL' unless install_extension($root, 'install', "prefix=$tempdir/a prefix");

# The folder of an image: a mounted image is read-only.
sub image
{
	my ($from, $to) = @_;

	install_extension($from, 'image', "IMAGE=$to");
	system_or_bail('chmod', '-R', 'a-w', $to);
	return $to;
}

# The settings for a folder, without $system; $libdir is for PL/pgSQL.
sub settings
{
	my ($control, $library) = @_;

	return ("extension_control_path = '$control'", "dynamic_library_path = '$library:\$libdir'");
}

# The library that a session has loaded.
sub library
{
	my ($session) = @_;
	my $maps = slurp_file('/proc/' . attempt($session, 'SELECT pg_backend_pid()') . '/maps');
	my %files = map { $_ => 1 } $maps =~ m{(/\S.*/flakeid\.so)$}mg;

	return join ' ', sort keys %files;
}

sub contents
{
	my ($server, $database) = @_;

	return $server->safe_psql($database, 'SELECT * FROM event ORDER BY id');
}

END { system 'chmod', '-R', 'u+w', $tempdir }

# ---------- make install prefix=DIR ----------

$node = new_server('prefix', extension => 0, conf => [ 'flakeid.node = 11' ],
	server => [ settings("$tempdir/a prefix/share/postgresql", "$tempdir/a prefix/lib/postgresql") ]);
{
	my $session = session($node);

	is(attempt($session, q(SELECT count(*) FROM pg_available_extensions)), 1, 'prefix: the only extension there is');
	is(attempt($session, 'CREATE EXTENSION flakeid'), '', 'prefix: created');
	is(library($session), "$tempdir/a prefix/lib/postgresql/flakeid.so", "prefix: the library is the folder's");
	is((grep { !/^\\x[0-9a-f]+$/ } values %{ { probe($session) } }), 0, 'prefix: every generator makes IDs');
	$session->quit;
	$node->stop;
}

# ---------- an image for CloudNativePG ----------

my $image = image($root, "$tempdir/image");
my ($session, %before);

is_deeply([ sort map { s{.*/}{}r } glob "$image/*" ], [qw(lib licenses share)], 'image: its contents');
$node = new_server('image', extension => 0, conf => [ 'flakeid.node = 11' ], server => [ settings("$image/share", "$image/lib") ]);
$node->safe_psql('postgres', q(
	CREATE EXTENSION flakeid;
	CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), other ulid DEFAULT ulid_new(), n int);
	INSERT INTO event (n) SELECT generate_series(1, 1000);
));
$session = session($node);
is(attempt($session, q(SELECT count(*) FROM event WHERE id > now() - interval '1 day')), 1000, 'image: rows are found');
is(library($session), "$image/lib/flakeid.so", "image: the library is the image's");
$session->quit;

# preloaded, as in some clusters
$node->append_conf('postgresql.conf', 'shared_preload_libraries = flakeid');
$node->restart;
is($node->safe_psql('postgres', 'SELECT memory FROM flakeid_clock'), 'preloaded', 'image: preloaded');

# ---------- dumped, and restored here and on a server with its own flakeid ----------

my $elsewhere = new_server('elsewhere', extension => 0, conf => [ 'flakeid.node = 13' ]);

$before{contents} = contents($node, 'postgres');
$before{newest} = $node->safe_psql('postgres', 'SELECT max(id) FROM event');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$tempdir/dump", '-d', $node->connstr('postgres') ], 'image: dumped');
foreach my $server ($node, $elsewhere)
{
	my $name = $server->name;

	$server->safe_psql('postgres', 'CREATE DATABASE restored');
	$server->command_ok([ 'pg_restore', '--exit-on-error', '-d', $server->connstr('restored'), "$tempdir/dump" ], "$name: restored");
	is(contents($server, 'restored'), $before{contents}, "$name: as it was");
	is($server->safe_psql('restored', "INSERT INTO event (n) VALUES (1001) RETURNING id > '$before{newest}'"), 't', "$name: and continues after it");
}
$elsewhere->stop;

# ---------- a new version in a new image ----------

my $next = next_version("$tempdir/next");
my ($version) = $next =~ /^(.*)\.next$/;
my $next_image = image("$tempdir/next", "$tempdir/next image");

$node->append_conf('postgresql.conf', $_) foreach settings("$next_image/share", "$next_image/lib");
$node->restart;
$session = session($node);
is(attempt($session, 'SELECT library, extension FROM flakeid_version()'), "$next|$version", 'new image: the new library, and the old SQL');
is(library($session), "$next_image/lib/flakeid.so", "new image: the library is the new image's");
is((grep { !/^\\x[0-9a-f]+$/ } values %{ { probe($session) } }), 0, 'new image: every generator makes IDs before the update');
is(attempt($session, 'ALTER EXTENSION flakeid UPDATE'), '', 'new image: updated');
is(attempt($session, 'SELECT library = extension, flakeid_added() FROM flakeid_version()'), "t|$next", 'new image: one version');
is(contents($node, 'postgres'), $before{contents}, 'new image: rows as they were');
is(attempt($session, "INSERT INTO event (n) VALUES (1001) RETURNING id > '$before{newest}'"), 't', 'new image: and more after them');
$session->quit;
$node->stop;
done_testing();
