# The SQL edition, for servers that take no C: in a database of a role that may create in one
# schema only, it answers as the C edition does; whoever's objects are there already, and whatever
# the settings.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Edition;

use constant FUNCTIONS => 40;

my $root = "$FindBin::RealBin/../..";
my $files = edition_files();
my $node = new_server('edition', extension => 0);

# What psql says about a statement of a role, errors included.
sub as
{
	my ($database, $role, $sql) = @_;
	my ($rc, $out, $err) = $node->psql($database, $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ], on_error_stop => 0);

	return $out . $err =~ s/^psql:<stdin>:\d+: //gmr;
}

# The same for a file of the edition, with settings.
sub install
{
	my ($database, $role, $file, @settings) = @_;

	return as($database, $role, join('', map { "SET $_;\n" } @settings) . slurp_file("$files/$file"));
}

$node->safe_psql('postgres', 'CREATE ROLE app LOGIN; CREATE ROLE mallory LOGIN; CREATE ROLE other LOGIN');

# A database where "app" owns a schema and may create nothing else; everybody may create in "shared".
sub database
{
	my ($name) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, 'REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE SCHEMA app AUTHORIZATION app; CREATE SCHEMA shared; GRANT ALL ON SCHEMA shared TO PUBLIC');
	return $name;
}

# ---------- as in C ----------

my $db = database('one');
is(install($db, 'app', 'flakeid.sql', 'search_path = app'), '', 'installed by a role that may create in one schema');
unlike(slurp_file("$files/$_"), qr/[?]/, "$_: no question mark, which clients take for a parameter") foreach 'flakeid.sql', 'flakeid-13.sql', 'flakeid-tle.sql', 'flakeid-leave.sql';
like((slurp_file("$files/$_") =~ /(.*)/)[0], qr/^-- flakeid \d+\.\d+\.\d+/, "$_ begins with its version") foreach 'flakeid.sql', 'flakeid-13.sql', 'flakeid-tle.sql', 'flakeid-leave.sql';
is(as($db, 'app', q(SELECT count(*) FROM pg_proc WHERE pronamespace = 'app'::regnamespace)), FUNCTIONS, 'so many functions');

my $file = PostgreSQL::Test::Utils::tempdir() . '/edition.sql';
replace_file($file, slurp_file("$root/sql/edition.sql"));
{
	local $ENV{PGOPTIONS} = '-c search_path=app';
	my ($out, $err) = run_command([ 'sh', '-c', $node->installed_command('psql') . " -X -a -q -U app -d '" . $node->connstr($db) . "' <$file 2>&1" ]);

	is($out, slurp_file("$root/expected/edition.out") =~ s/\n\z//r, 'sql/edition.sql: the output of the C edition');
}

is(install($db, 'app', 'flakeid.sql', 'search_path = app'), '', 'installed twice');
is(as($db, 'app', q(SELECT count(*) FROM pg_proc WHERE pronamespace = 'app'::regnamespace)), FUNCTIONS, 'the same functions');
is(install($db, 'app', 'flakeid-13.sql', 'search_path = app'), '', 'the file for PostgreSQL 13 over it');
is(as($db, 'mallory', q(SELECT 1)), '1', 'another role') && like(as($db, 'app', q(SELECT app.uuid7_min('2026-01-01Z'), app.layout_min('2026-01-01Z', 'discord'), app.uuid7_timestamp(app.uuid7_new()) > now() - interval '1 min', app.typeid('01890a5d-ac96-774b-bcce-b302099a8057', 'user'))),
	qr/^019b76da-a800-7000-8000-000000000000\|1456074443980800000\|t\|user_01h455vb4pex5vsknk084sn02q$/, 'the file for PostgreSQL 13 works');
is(install($db, 'app', 'flakeid.sql', 'search_path = app'), '', 'and this one over that');

$node->safe_psql('postgres', 'CREATE DATABASE pair');
$node->safe_psql('pair', 'CREATE SCHEMA app AUTHORIZATION app; CREATE SCHEMA c; CREATE EXTENSION flakeid SCHEMA c');
is(install('pair', 'app', 'flakeid.sql', 'search_path = app'), '', 'installed beside the C edition');
my @differences = split /\n/, edition_differences($node, 'pair', 10_000);
is(scalar(grep { /\|t\|0$/ } @differences), 22, 'both editions, row by row: no answer differs') or diag(join "\n", @differences);
is($node->safe_psql('pair', q(
	WITH declared AS (SELECT n.nspname AS edition, p.proname, replace(pg_get_function_arguments(p.oid), n.nspname || '.', '') AS arguments, replace(pg_get_function_result(p.oid), n.nspname || '.', '') AS result,
			p.prokind, p.proretset, obj_description(p.oid, 'pg_proc') AS comment, p.provolatile
		FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname IN ('app', 'c') AND p.proname !~ '^_')
	SELECT a.proname, a.arguments FROM declared AS a LEFT JOIN declared AS c ON c.edition = 'c' AND c.proname = a.proname AND c.arguments = a.arguments AND c.result IS NOT DISTINCT FROM a.result
			AND c.prokind = a.prokind AND c.proretset = a.proretset AND c.provolatile = a.provolatile AND (c.comment = a.comment OR a.proname ~ '^uuid7_new|^flakeid_follow|^flakeid_horizon')
	WHERE a.edition = 'app' AND c.edition IS NULL)),
	'', 'both editions: the same arguments with the same names, results and comments');
is($node->safe_psql('pair', q(SELECT count(*) FROM (SELECT * FROM app.flakeid_layouts EXCEPT SELECT * FROM c.flakeid_layouts) AS s)), 0, 'both editions: the same layouts');
is($node->safe_psql('pair', q(SELECT string_agg(format('%s %s %s', a.attname, a.atttypid::regtype, col_description(a.attrelid, a.attnum) = col_description(c.attrelid, c.attnum)), ',')
	FROM pg_attribute AS a LEFT JOIN pg_attribute AS c ON c.attrelid = 'c.flakeid_layouts'::regclass AND c.attname = a.attname AND c.atttypid = a.atttypid AND c.attnum = a.attnum
	WHERE a.attrelid = 'app.flakeid_layouts'::regclass AND (col_description(a.attrelid, a.attnum) = col_description(c.attrelid, c.attnum)) IS NOT true)), '', 'both editions: the same columns of flakeid_layouts');

# A row without an ID: what else it holds does not matter, as to a STRICT function.
$node->safe_psql('pair', q(CREATE TABLE no_id (id bigint, t timestamptz, of uuid, said text, layout text, epoch timestamptz, low_bits int, unit interval, prefix text);
	INSERT INTO no_id (layout, epoch, low_bits, unit, prefix) VALUES ('nosuch', '1960-01-01', 63, '1 month', 'User')));
foreach my $call ('layout_timestamp(id, layout)', 'layout_timestamp(id, epoch, low_bits, unit)', map({ ("$_(t, layout)", "$_(t, epoch, low_bits, unit)") } qw(layout_min layout_max)), 'typeid(of, prefix)', 'typeid_uuid(said, prefix)')
{
	is(as('pair', 'postgres', "SELECT $_.$call IS NULL FROM no_id"), 't', "without an ID, $_: $call") foreach 'app', 'c';
}

# TypeIDs, by the vectors of the specification
is(as($db, 'app', q(SELECT count(*) FROM (VALUES
	('00000000000000000000000000', '', '00000000-0000-0000-0000-000000000000'), ('7zzzzzzzzzzzzzzzzzzzzzzzzz', '', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), ('prefix_0123456789abcdefghjkmnpqrs', 'prefix', '0110c853-1d09-52d8-d73e-1194e95b5f19'),
	('prefix_01h455vb4pex5vsknk084sn02q', 'prefix', '01890a5d-ac96-774b-bcce-b302099a8057'), ('pre_fix_00000000000000000000000000', 'pre_fix', '00000000-0000-0000-0000-000000000000')) AS v (t, prefix, id)
	WHERE app.typeid(id::uuid, prefix) = t AND app.typeid_uuid(t, prefix) = id::uuid AND app.typeid_prefix(t) = prefix)), 5, 'TypeIDs: the vectors');
like(as($db, 'app', "SELECT app.typeid_prefix('$_')"), qr/^ERROR:  22P02: invalid TypeID: /, "no TypeID: $_")
  foreach 'PREFIX_00000000000000000000000000', '12345_00000000000000000000000000', 'pre.fix_00000000000000000000000000', '  prefix_00000000000000000000000000', '_00000000000000000000000000', '_', 'prefix_1234567890123456789012345',
  'prefix_12345678901234567890123456789', 'prefix_1234567890123456789012345 ', 'prefix_0123456789ABCDEFGHJKMNPQRS', 'prefix_123456789-123456789-123456', 'prefix_ooooooiiiiiiuuuuuuulllllll', 'prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  '_prefix_00000000000000000000000000', 'prefix__00000000000000000000000000', '', ('a' x 64) . '_00000000000000000000000000';
like(as($db, 'app', q(SELECT app.typeid_uuid('user_01h455vb4pex5vsknk084sn02q', 'post'))), qr/^ERROR:  22P02: invalid TypeID of prefix post: "user_01h455vb4pex5vsknk084sn02q"/, 'a TypeID of another prefix');
like(as($db, 'app', "SELECT app.$_"), qr/^ERROR:  22023: invalid prefix of a TypeID: "User"/, 'a prefix that is none') foreach "typeid(gen_random_uuid(), 'User')", "typeid_uuid('x', 'User')";

# Texts of a collation in which upper and lower case, or more, are equal.
SKIP:
{
	skip 'no ICU', 1 if $node->safe_psql('pair', 'SELECT NOT EXISTS (SELECT FROM pg_collation WHERE collname = $$und-x-icu$$)') eq 't';
	$node->safe_psql('pair', q(CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level1', deterministic = false)));
	foreach my $call (q(ulid_timestamp('01ARZ3NDEKTSV4RRFFQ69G5FAV' COLLATE alike)), q(ulid_timestamp('01arz3ndektsv4rrffq69g5fav' COLLATE alike)), q(ulid_uuid('01arz3NDEKTSV4RRFFQ69G5FAV' COLLATE alike)),
		q(layout_min('2026-01-01Z', 'discord' COLLATE alike)), q(layout_timestamp(1, 'DISCORD' COLLATE alike)), q(typeid('01890a5d-ac96-774b-bcce-b302099a8057', 'user' COLLATE alike)),
		q(typeid_uuid('user_01h455vb4pex5vsknk084sn02q' COLLATE alike, 'user')), q(typeid_uuid('USER_01h455vb4pex5vsknk084sn02q' COLLATE alike, 'user')), q(typeid_prefix('user_01h455vb4pex5vsknk084sn02q' COLLATE alike)))
	{
		my @said = map { as('pair', 'postgres', "SELECT $_.$call") =~ s/^(?:CONTEXT|LOCATION|HINT):.*\n?|^SQL function .*\n?//gmr } 'app', 'c';

		is($said[0], $said[1], "both editions: $call");
	}
}

# ---------- the settings ----------

my $answers = q(SELECT s.uuid7_min('2026-01-02Z') || '|' || s.ulid_text_max('2026-01-02Z') || '|' || s.layout_min('2026-01-02Z', 'twitter') || '|' || s.layout_max('2026-01-02Z', '2020-01-01Z', 22) || '|'
	|| extract(epoch FROM s.uuid7_timestamp('01890a5d-ac96-774b-bcce-b302099a8057')) || '|' || (s.uuid7_timestamp(s.uuid7_new()) > now() - interval '1 min') || '|' || extract(epoch FROM s.layout_timestamp(175928847299117063, 'discord')) || '|' || s.ulid_text('01890a5d-ac96-774b-bcce-b302099a8057'));
my $expected = $node->safe_psql('pair', $answers =~ s/\bs\./c./gr);
# from 19 on it cannot be off
my @strings = $node->safe_psql('postgres', 'SHOW server_version_num') >= 190000 ? () : 'standard_conforming_strings = off';
foreach my $settings ([ 'search_path = pg_temp' ], [ "DateStyle = 'German'" ], [ "TimeZone = 'Asia/Kathmandu'" ], [ "IntervalStyle = 'sql_standard'", 'extra_float_digits = 0', @strings, "bytea_output = 'escape'" ])
{
	foreach my $variant ('flakeid.sql', 'flakeid-13.sql')
	{
		is(install($db, 'app', $variant, grep({ !/search_path/ } @$settings), 'search_path = app'), '', "@$settings: $variant is installed");
		is(as($db, 'app', join('', map { "SET $_;" } @$settings) . $answers =~ s/\bs\./app./gr), $expected, "@$settings: the answers of the C edition");
	}
}
like(install($db, 'app', 'flakeid.sql', 'search_path = pg_temp'), qr/^ERROR:  3F000: there is no schema to create flakeid in/, 'search_path = pg_temp: refused');
like(install($db, 'app', 'flakeid.sql', 'search_path = nosuch'), qr/^ERROR:  3F000: there is no schema to create flakeid in/, 'no schema: refused');
$node->safe_psql($db, q(CREATE SCHEMA "it's ""quoted"" 100%" AUTHORIZATION app; CREATE SCHEMA "a$sql$b" AUTHORIZATION app));
foreach my $variant ('flakeid.sql', 'flakeid-13.sql')
{
	is(install($db, 'app', $variant, q(search_path = "it's ""quoted"" 100%")), '', "a schema with quotes in its name: $variant");
	is(as($db, 'app', q(SELECT "it's ""quoted"" 100%".layout_min('2026-01-01Z', 'discord'))), '1456074443980800000', 'and it answers');
}
like(install($db, 'app', 'flakeid.sql', q(search_path = "a$sql$b")), qr/^ERROR:  3F000: a schema for flakeid must not have a \$ in its name/, 'a schema with a $ in its name: refused');
is(as($db, 'app', q(BEGIN; SET LOCAL search_path = app;) . slurp_file("$files/flakeid.sql") . 'SHOW search_path; COMMIT'), 'app', 'within a transaction, which keeps its search_path');

# dumped and restored, renamed
$node->safe_psql($db, q(ALTER SCHEMA app RENAME TO "new app"));
is(as($db, 'app', q(SELECT "new app".ulid_text_min('2026-01-01Z'), "new app".layout_min('2026-01-01Z', 'discord'), "new app".typeid("new app".uuid7_min('2026-01-01Z'), 'a'))), '01KDVDNA000000000000000000|1456074443980800000|a_01kdvdna00e008000000000000', 'the schema can be renamed');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/one.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr($db), '-n', 'new app' ], 'dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr('restored') ], 'restored');
is($node->safe_psql('restored', q(SELECT "new app".ulid_text_min('2026-01-01Z'))), '01KDVDNA000000000000000000', 'and it answers');

# ---------- what others have there ----------

# Operators and functions that match the arguments better than core's would, in a schema of the path.
$db = database('decoys');
my $decoys = q(CREATE FUNCTION shared.stolen() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'stolen'; END $$;);
my $n = 0;
foreach my $operator ('+', '-', '*', '/', '%', '&', '|', '<<', '>>', '||', '=', '<>', '<', '<=', '>', '>=')
{
	foreach my $pair (map { my $left = $_; map { [ $left, $_ ] } qw(bigint int smallint float8 numeric interval timestamp timestamptz text uuid bytea bit) } qw(bigint int float8 numeric interval timestamp timestamptz text uuid bytea bit))
	{
		$n++;
		$decoys .= "CREATE FUNCTION shared.d$n($pair->[0], $pair->[1]) RETURNS text LANGUAGE sql RETURN shared.stolen(); CREATE OPERATOR shared.$operator (LEFTARG = $pair->[0], RIGHTARG = $pair->[1], FUNCTION = shared.d$n);\n";
	}
}
$decoys .= "CREATE FUNCTION shared.$_ RETURNS text LANGUAGE sql RETURN shared.stolen();\n"
  foreach 'lpad(text, int, unknown_text)' =~ s/unknown_text/varchar/r, 'substr(text, bigint, int)', 'to_hex(int8)', 'strpos(varchar, text)', 'encode(bytea, varchar)', 'date_part(varchar, timestamptz)', 'gen_random_uuid()', 'uuidv7()', 'clock_timestamp()', 'lower(varchar)', 'timezone(interval, timestamp)';
$node->safe_psql($db, $decoys);
is(install($db, 'app', 'flakeid.sql', 'search_path = app, shared, public'), '', "$n decoys on the path: installed");
is($node->safe_psql($db, q(SELECT DISTINCT pg_describe_object(d.refclassid, d.refobjid, 0) FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
	WHERE p.pronamespace = 'app'::regnamespace AND pg_describe_object(d.refclassid, d.refobjid, 0) NOT IN ('schema app', 'language plpgsql')
		AND NOT (d.refclassid = 'pg_proc'::regclass AND (SELECT f.pronamespace = 'app'::regnamespace FROM pg_proc AS f WHERE f.oid = d.refobjid))
		AND NOT (d.refclassid = 'pg_type'::regclass AND (SELECT t.typnamespace = 'app'::regnamespace FROM pg_type AS t WHERE t.oid = d.refobjid)))), '', 'decoys: every function depends on core and its own schema alone');
is($node->safe_psql($db, q(SELECT DISTINCT pg_describe_object(d.refclassid, d.refobjid, 0) FROM pg_rewrite AS w JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
	WHERE w.ev_class = 'app.flakeid_layouts'::regclass AND pg_describe_object(d.refclassid, d.refobjid, 0) ~ 'shared')), '', 'decoys: and so does the view');
is(as($db, 'app', q(SET search_path = shared, app, pg_catalog; SELECT app.uuid7_min('2026-01-01Z'), app.layout_min('2026-01-01Z', 'discord'), app.ulid_text('01890a5d-ac96-774b-bcce-b302099a8057'))), '019b76da-a800-7000-8000-000000000000|1456074443980800000|01H455VB4PEX5VSKNK084SN02Q', 'decoys: and they answer as always');

# Objects of the names, of a stranger, or not of the file.
foreach my $case (
	[ 'CREATE FUNCTION shared.uuid7_min(timestamptz) RETURNS uuid LANGUAGE sql SECURITY DEFINER RETURN NULL::uuid', qr/Function \S+ with time zone\) belongs to another role|Function .*belongs to another role/ ],
	[ 'CREATE FUNCTION shared._flakeid_layout(name) RETURNS uuid LANGUAGE sql RETURN NULL::uuid', qr/Function .*belongs to another role/ ],
	[ 'CREATE VIEW shared.flakeid_layouts AS SELECT 1', qr/Relation .*belongs to another role/ ],
	[ 'CREATE TABLE shared.flakeid_layouts ()', qr/Relation .*belongs to another role/ ])
{
	my ($sql, $message) = @$case;
	my ($kind, $object) = $sql =~ /^CREATE (\w+) (\S+?(?:\([^)]*\))?) /;

	is(as($db, 'mallory', $sql), '', "$sql: of a stranger");
	like(install($db, $_, 'flakeid.sql', 'search_path = shared'), qr/^ERROR:  42710: schema "shared" cannot hold flakeid\nDETAIL:  $message/, "$object of a stranger: refused to $_") foreach 'app', 'postgres';
	is(as($db, 'app', q(SELECT count(*) FROM pg_proc WHERE pronamespace = 'shared'::regnamespace AND proname = 'uuid7_max')), 0, 'and nothing is made');
	is(as($db, 'mallory', "DROP $kind $object"), '', 'until it is dropped');
}
foreach my $case (
	[ 'CREATE FUNCTION app2.uuid7_min(timestamptz) RETURNS uuid LANGUAGE sql RETURN NULL::uuid', qr/Function .*is not of this file/ ],
	[ 'CREATE TABLE app2.flakeid_layouts ()', qr/Relation .*is not a view/ ],
	[ 'CREATE VIEW app2.flakeid_layouts AS SELECT 1 AS name; CREATE RULE r AS ON INSERT TO app2.flakeid_layouts DO INSTEAD NOTHING', qr/Relation .*has rules or triggers/ ])
{
	$node->safe_psql($db, 'DROP SCHEMA IF EXISTS app2 CASCADE; CREATE SCHEMA app2 AUTHORIZATION app');
	is(as($db, 'app', $case->[0]), '', "$case->[0]: one's own");
	like(install($db, 'app', 'flakeid.sql', 'search_path = app2'), qr/^ERROR:  42710: schema "app2" cannot hold flakeid\nDETAIL:  $case->[1]/, 'refused');
}
$node->safe_psql($db, 'GRANT USAGE ON SCHEMA app TO other');
like(install($db, 'other', 'flakeid.sql', 'search_path = app'), qr/^ERROR:  42710: schema "app" cannot hold flakeid/, 'another role, into a schema that is not its own: refused');
is(install($db, 'app', 'flakeid.sql', 'search_path = shared'), '', 'into a schema of all');
like(install($db, 'other', 'flakeid.sql', 'search_path = shared'), qr/^ERROR:  42710: schema "shared" cannot hold flakeid\nDETAIL:  .*belongs to another role/, 'another role, over it: refused');
like(install('pair', 'postgres', 'flakeid.sql', 'search_path = c'), qr/^ERROR:  42710: schema "c" cannot hold flakeid\nDETAIL:  .*belongs to an extension/, 'over the C edition: refused');

# ---------- the page ----------

# What docs/managed.md has readers type, by a role that owns the database and has nothing else.
$node->safe_psql('postgres', 'CREATE DATABASE app OWNER app');
edition_by_the_page($node, 'app');
my $page = slurp_file("$root/docs/managed.md");
my $blocks = 0;

while ($page =~ /(?:^<!-- test: (.*?)\s*-->\n)?^```sql\n(.*?)^```\n(?:```\n(.*?)^```\n)?/gms)
{
	my ($note, $sql, $output) = ($1 // '', $2, $3);

	next if $note =~ /^not run/;
	unlike(as('app', 'app', $note =~ s/^after\nCREATE EXTENSION flakeid;//r), qr/ERROR/, 'the page: what comes before a block');
	my $said = as('app', 'app', $sql);
	unlike($said, qr/ERROR/, 'the page: block ' . ++$blocks);
	is($said, join("\n", map { s/^ //r } split /\n/, $output), 'the page: the plan of C') if defined $output && $node->pg_version->major == 15;
}
cmp_ok($blocks, '>', 2, 'the page has blocks');

# ---------- pg_partman ----------

# The encoder and the decoder of the page, whose recipe test/ecosystem/066_partman.pl runs.
my ($recipe) = slurp_file("$root/docs/time.md") =~ /^(CREATE FUNCTION uuid7_encode.*?\n)\n/ms or die 'no recipe';
$node->safe_psql('pair', "SET search_path = app; $recipe");
is($node->safe_psql('pair', q(SET search_path = app; SELECT uuid7_decode(uuid7_encode('2026-11-01Z')) = '2026-11-01Z', uuid7_decode('01a1f640-bc00-0000-0000-000000000000') = '2026-11-20Z')), 't|t',
	'pg_partman: there and back, and a bound of no version');

# ---------- pg_tle ----------

# What pg_tle would run, as the script of an extension.
my $tle = slurp_file("$files/flakeid-tle.sql");
my ($script) = $tle =~ /\$pg_tle\$\n(.*)\$pg_tle\$\);\n\z/s;
unlike($script, qr/OR REPLACE|IF NOT EXISTS/, 'pg_tle: takes nothing that is there');
$script =~ s/\@extschema\@/tle/g;
$node->safe_psql('postgres', 'CREATE DATABASE tle');
$node->safe_psql('tle', "CREATE SCHEMA tle; BEGIN; $script; COMMIT");
is($node->safe_psql('tle', q(SELECT tle.layout_min('2026-01-01Z', 'discord'))), '1456074443980800000', 'pg_tle: its script works');

$node->stop;
done_testing();
