# The SQL edition in PGlite, PostgreSQL in a browser or in Node: it is installed, twice, and
# answers as here.  Skipped without the npm package.
use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use Flakeid;
use Flakeid::Edition;
use JSON::PP ();

my $clients = "$FindBin::RealBin/../clients";
my $dir = PostgreSQL::Test::Utils::tempdir();
my $files = edition_files();

plan skip_all => 'no PGlite'
  if !-d "$clients/node_modules/\@electric-sql/pglite" || system('command -v node >/dev/null');

# The last file is a query; its rows, after the major version.
sub pglite
{
	my (@sql) = @_;
	my $n = 0;
	my @names = map { my $name = "$dir/" . $n++ . '.sql'; replace_file($name, $_); $name } @sql;
	my ($out, $err) = run_command([ 'node', "$clients/pglite.mjs", @names ]);

	is($err, '', 'no error') or return;
	my ($major, @rows) = split /\n/, $out;
	return ($major, map { JSON::PP->new->decode($_) } @rows);
}

my $edition = slurp_file("$files/flakeid.sql");
my ($major, @rows) = pglite('CREATE SCHEMA app; SET search_path = app;', $edition, $edition, q(
	CREATE TABLE event (id uuid PRIMARY KEY DEFAULT uuid7_new(), n int);
	INSERT INTO event (n) SELECT n FROM generate_series(1, 5000) AS n;
	ANALYZE event;
	CREATE TABLE item (id int PRIMARY KEY, version bigint NOT NULL DEFAULT 0); CREATE SEQUENCE item_version;
	CREATE TRIGGER zz_version BEFORE INSERT OR UPDATE ON item FOR EACH ROW EXECUTE FUNCTION flakeid_rowversion('version', 'app.item_version');
	CREATE TRIGGER follow BEFORE INSERT ON item FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('version', 'app.item_version');
	INSERT INTO item SELECT n FROM generate_series(1, 3) AS n; UPDATE item SET id = 4 WHERE id = 1),
	# a file is a transaction, which holds its own rows back
	q(CREATE TABLE horizon (h bigint); DO 'DECLARE h bigint; BEGIN CALL flakeid_horizon(''item_version'', h); INSERT INTO horizon VALUES (h); END'),
	q(SELECT (SELECT h::int FROM horizon) AS horizon, (SELECT string_agg(id || ':' || version, ' ' ORDER BY version) FROM item) AS versions, current_setting('search_path') AS path, uuid7_min('2026-11-21 09:30Z') AS bound, layout_min('2026-01-01Z', 'discord')::text AS layout, ulid_text('01890a5d-ac96-774b-bcce-b302099a8057') AS ulid,
		typeid('01890a5d-ac96-774b-bcce-b302099a8057', 'user') AS typeid, (SELECT count(*)::int FROM flakeid_layouts) AS layouts, uuid7_timestamp(uuid7_new()) > now() - interval '1 hour' AS now,
		(SELECT count(*)::int FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM event) AS s WHERE NOT id > before) AS back, extract(epoch FROM layout_timestamp(175928847299117063, 'discord'))::text AS at,
		(SELECT l.lanname || ':' || pg_get_function_sqlbody(p.oid) FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang WHERE p.oid = 'uuid7_new()'::regprocedure) AS new));

cmp_ok($major, '>=', 16, "PGlite of PostgreSQL $major");
my $new = delete $rows[0]{new};
is_deeply(\@rows, [ { horizon => 5, versions => '2:2 3:3 4:4', path => 'app', bound => '01a1fd70-f1c0-7000-8000-000000000000', layout => '1456074443980800000', ulid => '01H455VB4PEX5VSKNK084SN02Q', typeid => 'user_01h455vb4pex5vsknk084sn02q',
	layouts => 7, now => JSON::PP::true(), back => 0, at => '1462015105.796000' } ], 'the answers');
like($new, $major >= 18 ? qr/^sql:RETURN uuidv7\(\)$/ : qr/^sql:RETURN .*clock_timestamp/, 'uuid7_new() is core\'s uuidv7() from 18 on');

done_testing();
