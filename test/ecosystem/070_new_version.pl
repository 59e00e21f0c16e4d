# The files of a new version are installed, and the extension is updated, while sessions of
# the previous version are at work: these continue, IDs stay unique, and the doctor says what
# is left to do.  In the end the library is missing.  (013_layout.pl tests a library with
# another layout of its memory, which needs a restart; 021_extension_update.pl tests that
# ALTER EXTENSION UPDATE yields the same as CREATE EXTENSION.)
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;

my $tempdir = PostgreSQL::Test::Utils::tempdir();
my $next = next_version("$tempdir/next");
my ($version) = $next =~ /^(.*)\.next$/;

# A copy of the server's programs, because the test replaces the files of the extension in it;
# they find the rest by relative paths.
my $installed = PostgreSQL::Test::Cluster->new('installed');
my %dir = map { $_ => $installed->config_data("--$_") } qw(bindir pkglibdir sharedir);
mkdir "$tempdir/pg";
system_or_bail('sh', '-c', 'cd / && cp -a --parents "$@"', 'sh', values %dir, "$tempdir/pg");
my %copy = map { $_ => "$tempdir/pg$dir{$_}" } keys %dir;

my ($old, $new, $node, @files);

plan skip_all => 'no compiler, or no headers of PostgreSQL' unless install_extension("$tempdir/next", 'all');
$node = new_server('main', conf => [ 'flakeid.node = 11' ], install_path => $copy{bindir} =~ s{/bin$}{}r);
is($node->config_data('--pkglibdir'), $copy{pkglibdir}, 'the copy has its own libraries');

# The versions that a session sees: the library's, the extension's, and flakeid_doctor()'s findings.
sub versions
{
	my ($session) = @_;

	return attempt($session, 'SELECT library, extension FROM flakeid_version()');
}

sub advice
{
	my ($session) = @_;

	return attempt($session, q(SELECT finding, fix FROM flakeid_doctor() WHERE subject = 'version'));
}

# Is a condition on the time planned by the index, and are its rows found, also by a plan that was kept?
sub planned
{
	my ($what, $session) = @_;
	my $query = q(SELECT count(*) FROM moment WHERE uuid7_timestamp(id) >= '2026-11-01 15:00Z');

	like(attempt($session, "EXPLAIN (COSTS OFF) $query"), qr/Index Cond: [(]id >= /, "$what: by the index");
	is(attempt($session, $query), 101, "... the rows");
	is(attempt($session, q{SELECT count(*) FROM moment WHERE uuid7_timestamp(id) = '2026-11-01 15:00Z' OR uuid7_timestamp(id) <@ '[2026-11-01 16:00Z,)'::tstzrange}), 42, '... of others');
	is(attempt($session, q(EXECUTE kept ('2026-11-01 15:00Z'))), 101, '... of a prepared statement') if attempt($session, 'SELECT count(*) FROM pg_prepared_statements');
	return;
}

# Make IDs with every generator in a session, into a file.
sub make_ids
{
	my ($session) = @_;
	my $file = id_file($node, 'made' . @files);

	like(attempt($session, 'COPY (' . making(5000) . ") TO '$file' (DELIMITER '|')"), qr/^(COPY 5000)?$/, 'IDs of every generator');
	push @files, $file;
	return;
}

$node->safe_psql('postgres', q(
	CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), n int);
	INSERT INTO event (n) SELECT generate_series(1, 1000);
	CREATE TABLE moment (id uuid PRIMARY KEY);
	INSERT INTO moment SELECT uuid7_min(timestamptz '2026-11-01Z' + n * interval '1 min') FROM generate_series(1, 1000) AS n;
));
$node->safe_psql('postgres', 'VACUUM ANALYZE moment');
$old = session($node);
attempt($old, 'SET plan_cache_mode = force_generic_plan; PREPARE kept (timestamptz) AS SELECT count(*) FROM moment WHERE uuid7_timestamp(id) >= $1');
planned('one version', $old);
make_ids($old);
is(versions($old), "$version|$version", 'before: one version');
is(advice($old), '', 'and nothing to do');

# ---------- the files are replaced ----------

install_extension("$tempdir/next", 'install', "datadir=$copy{sharedir}", "pkglibdir=$copy{pkglibdir}");

make_ids($old);
is(versions($old), "$version|$version", 'a session with the old library keeps it');
$new = session($node);
is(versions($new), "$next|$version", 'a new session has the new one');
like(advice($new), qr/^The library is version \Q$next\E, the extension in this database \Q$version\E\b.*\|ALTER EXTENSION flakeid UPDATE TO '\Q$next\E';$/s,
	'and is told how to update the extension');
make_ids($_) foreach $new, $old;
planned('the old library', $old);
planned('the new library beside old SQL', $new);
is(attempt($new, q(SELECT count(*) FROM event WHERE id > now() - interval '1 day')), 1000, 'rows are found by the new library');

# ---------- the extension is updated ----------

is(attempt($new, (split /\|/, advice($new))[1]), '', 'the advised statement');
is(versions($new), "$next|$next", 'one version again');
is(advice($new), '', 'and nothing to do');
is(attempt($new, 'SELECT flakeid_added()'), $next, 'the function that the new version adds exists');

is(versions($old), "$version|$next", 'the session with the old library sees that it is old');
like(advice($old), qr/^The library is version \Q$version\E, the extension in this database \Q$next\E\. .*start new sessions\.\|$/s, 'and is advised to reconnect');
like(attempt($old, 'SELECT flakeid_added()'), qr/ERROR:  42883: could not find function "flakeid_added" in file/, 'a function that the old library lacks is an error');
make_ids($_) foreach $old, $new;
planned('the old library beside new SQL', $old);
planned('the new one', $new);
is(attempt($old, 'INSERT INTO event (n) VALUES (1001) RETURNING n'), 1001, 'it writes as before');
is(attempt($old, q(SELECT count(*) FROM event WHERE id > now() - interval '1 day')), 1001, 'and reads');
$_->quit foreach $old, $new;

# ---------- a restart ----------

$node->append_conf('postgresql.conf', 'shared_preload_libraries = flakeid');
$node->restart;
$new = session($node);
is(versions($new), "$next|$next", 'after a restart');
make_ids($new);
is(advice($new), '', 'and nothing to do');
attempt($new, q(UPDATE pg_extension SET extversion = 'newer' WHERE extname = 'flakeid'));
like(advice($new), qr/, the extension in this database newer\. .*restart the server, which has preloaded it\.\|$/s, 'preloaded, and older than the extension: a restart is due');
making_unique('old and new together', $node, \@files, count => 5000 * @files);
$new->quit;

# ---------- the library is missing ----------

$node->stop;
unlink "$copy{pkglibdir}/flakeid.so" or die;
ok(!$node->start(fail_ok => 1), 'a server that preloads a library that is missing does not start');
like(slurp_file($node->logfile), qr/could not access file "flakeid": No such file/, '... as its log says');
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''");
$node->start;
$new = session($node);
# from 18 on, PostgreSQL looks for the plain name in all of dynamic_library_path
like(attempt($new, 'SELECT sno_new(0)'),
	$node->pg_version >= 18 ? qr/ERROR:  58P01: could not access file "flakeid": No such file/ : qr/ERROR:  58P01: could not access file "\$libdir\/flakeid": No such file/,
	'without it, what needs the library is an error');
is(attempt($new, 'SELECT count(*) FROM event'), 1001, 'and what does not works');
$new->quit;
$node->stop;
done_testing();
