# Traps: functions, operators, types, casts and objects of other roles, placed wherever one of the
# extension's calls could find them instead of what it means.  None of them may run when any
# role creates the extension or calls its functions, nor give anybody a privilege.
#
# A trap writes its name and the user it runs as to the server's log, and continues.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('traps', extension => 0, preload => 1, conf => ['flakeid.node = 11']);
my $heard = 0;

# One test: no trap has logged anything since the last check; with a role, not as that role.
sub quiet
{
	my ($name, $role) = @_;
	my $log = slurp_file($node->logfile, $heard);
	my %traps = map { $_ => 1 } grep { !defined $role || / as $role$/ } $log =~ /WARNING:  (TRAP .*)/g;

	$heard = -s $node->logfile;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(join("\n", (sort keys %traps)[ 0 .. ($#{ [ keys %traps ] } > 19 ? 19 : $#{ [ keys %traps ] }) ]), '', "$name: no trap was called");
}

# The answer of a statement run as a role, errors included.
sub run_as
{
	my ($role, $database, $sql) = @_;
	my ($rc, $out, $err) = $node->psql($database, $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ], on_error_stop => 0);

	return $out . $err;
}

sub superuser
{
	return $node->safe_psql('postgres', 'SELECT current_user');
}

# ---------- traps ----------

# The functions and operators that the extension's SQL could mean: every name in the sources
# that is also a function of core, and every operator.
my $root = "$FindBin::RealBin/../..";
my $sql = join "\n", map { slurp_file($_) } glob "$root/src/*/*.sql";
my %names = map { $_ => 1 } $sql =~ /\b([a-z_][a-z0-9_]*)\s*\(/g;
my %operators = map { $_ => 1 } $sql =~ /(?<=[\s)\]'])((?:[-+*<>=~!@#%^&|]|\/(?!\*))+)(?=[\s('])/g;

delete $operators{'--'};
my $names = join ', ', map { "'$_'" } sort keys %names;
my $operators = join ', ', map { "'$_'" } sort grep { !/--|=>|:=|^=$/ } keys %operators;

# Types that PostgreSQL tries instead of another one, or for an unknown literal.
my @near = qw(text varchar name oid regclass int4 int8 numeric timestamptz timestamp interval jsonb uuid text[]);
my $near = join ', ', map { "'$_'" } @near;

# A schema with a function traps(home) that creates traps in it: overloads of the functions
# of pg_catalog named above, and of all functions in "home" itself, with each argument
# replaced by each near type, one at a time and all together; and operators on pairs of near
# types.
my $prepare = "
	CREATE FUNCTION public.set_trap(home regnamespace, trap name, arguments text[], result text, is_set bool) RETURNS void LANGUAGE plpgsql AS \$\$
	BEGIN
		EXECUTE format('CREATE FUNCTION %s.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', home, trap, array_to_string(arguments, ', '), CASE WHEN is_set THEN 'SETOF ' ELSE '' END || result,
			format('BEGIN RAISE WARNING ''TRAP %%(%%) as %%'', %L, %L, current_user; RETURN%s; END', trap, array_to_string(arguments, ', '),
				CASE WHEN is_set OR result = 'void' THEN '' ELSE ' NULL' END));
	EXCEPTION WHEN OTHERS THEN NULL;    -- there is one, or it cannot be
	END \$\$;
	CREATE FUNCTION public.set_traps(home regnamespace, of_core bool) RETURNS bigint LANGUAGE plpgsql AS \$\$
	DECLARE
		f record;
		o record;
		near text[] := ARRAY[$near];
		all_types text[];
		count bigint := 0;
	BEGIN
		FOR f IN
			SELECT DISTINCT ON (p.proname, p.oid) p.proname, p.proretset, format_type(p.prorettype, NULL) AS result, p.pronamespace = home::oid AS ours,
				(SELECT coalesce(array_agg(format_type(t, NULL) ORDER BY n), '{}') FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, n)) AS types
			FROM pg_proc AS p
			WHERE p.pronargs BETWEEN 1 AND 8 AND p.prorettype <> 'internal'::regtype AND NOT 'internal'::regtype = ANY (p.proargtypes)
				AND p.prorettype NOT IN ('trigger'::regtype, 'cstring'::regtype)
				AND (of_core AND p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN ($names) OR p.pronamespace = home AND EXISTS (
					SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'))
		LOOP
			FOR i IN 1 .. cardinality(f.types) LOOP
				FOR j IN 1 .. cardinality(near) LOOP
					CONTINUE WHEN f.types[i] = format_type(near[j]::regtype, NULL);
					PERFORM public.set_trap(home, f.proname, f.types[:i - 1] || near[j] || f.types[i + 1:], CASE WHEN f.result IN ('record', 'anyelement', 'anyarray', 'anycompatiblearray', 'anycompatible') THEN 'text' ELSE f.result END, f.proretset);
					count := count + 1;
				END LOOP;
			END LOOP;
			FOR j IN 1 .. cardinality(near) LOOP
				PERFORM public.set_trap(home, f.proname, array_fill(near[j], ARRAY[cardinality(f.types)]), CASE WHEN f.result ~ '^any|record' THEN 'text' ELSE f.result END, f.proretset);
			END LOOP;
		END LOOP;
		-- operators call a function apiece, of the same types
		FOR o IN
			SELECT DISTINCT p.oprname, a AS l, b AS r, format_type(p.oprresult, NULL) AS result
			FROM pg_operator AS p, unnest(near) AS a, unnest(near) AS b
			WHERE of_core AND p.oprnamespace = 'pg_catalog'::regnamespace AND p.oprname IN ($operators, '=') AND p.oprresult IN ('bool'::regtype, 'text'::regtype, 'timestamptz'::regtype, 'int4'::regtype)
				AND NOT EXISTS (SELECT FROM pg_operator AS q WHERE q.oprname = p.oprname AND q.oprleft = a::regtype AND q.oprright = b::regtype)
		LOOP
			PERFORM public.set_trap(home, 'trap_' || o.result || ascii(o.oprname) || length(o.oprname), ARRAY[o.l, o.r], o.result, false);
			BEGIN
				EXECUTE format('CREATE OPERATOR %s.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %1\$s.%I)', home, o.oprname, o.l, o.r, 'trap_' || o.result || ascii(o.oprname) || length(o.oprname));
			EXCEPTION WHEN OTHERS THEN NULL;
			END;
			count := count + 1;
		END LOOP;
		RETURN count;
	END \$\$";

# Types with the names that bodies use, as domains whose check is a trap.
sub trap_types
{
	my ($schema) = @_;

	return join ';', (map { my $core = /^\w+/ ? $_ : $_; "CREATE FUNCTION $schema.fire_$_(pg_catalog.$_) RETURNS pg_catalog.bool LANGUAGE plpgsql IMMUTABLE AS \$\$BEGIN RAISE WARNING 'TRAP domain $_ as %', current_user; RETURN true; END\$\$;
		CREATE DOMAIN $schema.$_ AS pg_catalog.$_ CHECK ($schema.fire_$_(VALUE))" } qw(text name bool int4 int8 oid timestamptz interval numeric jsonb uuid regclass regtype regnamespace bytea)),
	  # of a pseudo-type there is no domain
	  "CREATE TYPE $schema.pair AS (a pg_catalog.text); CREATE FUNCTION $schema.fire_record($schema.pair) RETURNS pg_catalog.bool LANGUAGE plpgsql IMMUTABLE AS \$\$BEGIN RAISE WARNING 'TRAP domain record as %', current_user; RETURN true; END\$\$;
		CREATE DOMAIN $schema.record AS $schema.pair CHECK ($schema.fire_record(VALUE))";
}

# An argument of a type, for a call of every function.
my %sample = ('regclass' => "'app.plain'::regclass", 'name' => "'id'::name", 'text' => "'sno'::text", 'interval' => "'1 day'::interval",
	'timestamp with time zone' => 'pg_catalog.now()', 'boolean' => 'false', 'integer' => '1::int4', 'bigint' => '1::int8', 'bytea' => "'\\x00'::bytea", 'jsonb' => "'{}'::jsonb",
	'uuid' => "'018bcfe5-6800-7000-8000-000000000000'::uuid", 'numeric' => '1::numeric', 'double precision' => '1::float8', 'smallint' => '1::int2', 'date' => "'2026-01-01'::date",
	'timestamp without time zone' => "'2026-01-01'::timestamp");

# Call every function of the extension, by its full name, with arguments of the right types,
# and read every view; their answers do not matter.
sub call_everything
{
	my ($role, $database) = @_;
	my $home = $node->safe_psql($database, "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension AS x JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) x.extnamespace WHERE x.extname OPERATOR(pg_catalog.=) 'flakeid'::pg_catalog.name");
	my $list = $node->safe_psql($database, "SET search_path = pg_catalog; SELECT p.prokind::text || '|' || p.pronamespace::regnamespace || '.' || quote_ident(p.proname) || '|' || coalesce((SELECT string_agg(CASE WHEN y.typtype = 'd' THEN format_type(y.typbasetype, NULL) || '>' || format_type(t, NULL) ELSE format_type(t, NULL) END, ';' ORDER BY n)
			FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, n) JOIN pg_type AS y ON y.oid = t), '')
		FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		WHERE x.extname = 'flakeid' AND p.prokind IN ('f', 'p') AND NOT 'internal'::regtype = ANY (p.proargtypes) AND NOT 'cstring'::regtype = ANY (p.proargtypes)
			AND p.prorettype <> 'trigger'::regtype AND p.proname NOT IN ('flakeid_clock_reset', 'flakeid_advance', 'sno_restore') AND (p.pronamespace = x.extnamespace OR p.pronamespace = '_flakeid_functions'::regnamespace AND p.proname !~ '^flakeid_') ORDER BY p.oid");
	my @calls;

	foreach (split /\n/, $list)
	{
		my ($kind, $name, $types) = split /\|/, $_, -1;
		my @arguments = map {
			my ($type, $domain) = split />/, $_;
			my $base = $type =~ s/\[\]$//r;
			my $value = $sample{$base} // "NULL::$base";

			$value = "ARRAY[$value]" if $base ne $type;
			$domain ? "$value\::$domain" : $value;
		} split /;/, $types;
		push @calls, ($kind eq 'p' ? 'CALL' : 'SELECT') . " $name(" . join(', ', @arguments) . ')';
	}
	push @calls, map { "SELECT * FROM $home.$_" } qw(flakeid_clock flakeid_formats flakeid_generators flakeid_issued flakeid_layouts);
	cmp_ok(scalar @calls, '>', 300, "$database, as $role: calls of every function");
	return run_as($role, $database, join ";\n", @calls, '');
}

# Also call the functions that work on tables, which need matching arguments.
sub call_on_tables
{
	my ($role, $database, $schema) = @_;
	my $home = $node->safe_psql($database, "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension AS x JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) x.extnamespace WHERE x.extname OPERATOR(pg_catalog.=) 'flakeid'::pg_catalog.name");
	my ($day, $table) = ("'1 day'::pg_catalog.interval", "'$schema.parted'::pg_catalog.regclass");

	return run_as($role, $database, join ";\n",
		"SELECT $home.flakeid_create_partitions($table, '2022-01-01Z'::pg_catalog.timestamptz, '2030-01-01Z'::pg_catalog.timestamptz, '1 year'::pg_catalog.interval)",
		"INSERT INTO $schema.parted (id) SELECT $home.sno_new_at(at) FROM pg_catalog.generate_series(pg_catalog.now() OPERATOR(pg_catalog.-) '800 days'::pg_catalog.interval, pg_catalog.now(), '12 hours'::pg_catalog.interval) AS at",
		"CALL $home.flakeid_maintain($table, '1 year'::pg_catalog.interval, retain => '1 year'::pg_catalog.interval)",
		"SELECT * FROM $home.flakeid_partitions($table)",
		"SELECT $home.flakeid_drop_partitions($table, '2020-01-01Z'::pg_catalog.timestamptz)",
		"CALL $home.flakeid_backfill('$schema.plain'::pg_catalog.regclass, 'id'::pg_catalog.name, 'at'::pg_catalog.name)",
		"SELECT * FROM $home.flakeid_guess('018bcfe5-6800-7000-8000-000000000000'::pg_catalog.text)",
		"SELECT * FROM $home.flakeid_guess('1574201645930250240'::pg_catalog.text)",
		"SELECT * FROM $home.flakeid_guess('0E0000000000000K'::pg_catalog.text)",
		"CALL $home.flakeid_publish_horizon()",
		"SELECT * FROM $home.flakeid_doctor()", '');
}

# Tables for that, owned by a role.
sub make_tables
{
	my ($role, $database, $schema, $home) = @_;

	return run_as($role, $database, "CREATE SCHEMA $schema; CREATE TABLE $schema.parted (id $home.sno PRIMARY KEY, n pg_catalog.int4) PARTITION BY RANGE (id);
		CREATE TABLE $schema.plain (id $home.siq_holder, n pg_catalog.int4 PRIMARY KEY, at pg_catalog.timestamptz)" =~ s/siq_holder/sno/r
		  . "; CREATE INDEX ON $schema.plain (id); CREATE INDEX ON $schema.plain (at); INSERT INTO $schema.plain SELECT NULL, n, pg_catalog.now() FROM pg_catalog.generate_series(1, 20) AS n");
}

$node->safe_psql('postgres', "CREATE ROLE mallory LOGIN; CREATE ROLE tess LOGIN");
my $postgres = superuser();

# ---------- overloads, before and after ----------

{
	my $traps;

	$node->safe_psql('postgres', $_) foreach 'CREATE DATABASE overloads OWNER mallory', 'ALTER DATABASE overloads SET flakeid.node = 12';
	$node->safe_psql('overloads', "$prepare; GRANT ALL ON SCHEMA public TO mallory");
	run_as('mallory', 'overloads', 'CREATE SCHEMA ext; GRANT ALL ON SCHEMA ext TO tess, PUBLIC');
	$traps = run_as('mallory', 'overloads', "SELECT public.set_traps('ext', true)");
	cmp_ok($traps, '>', 3000, 'overloads: traps before the extension');
	is(run_as('mallory', 'overloads', "CREATE EXTENSION flakeid SCHEMA ext"), '', 'overloads: the extension is created by the owner of the database');
	quiet('CREATE EXTENSION in a schema with overloads');

	# everything that was looked up at creation belongs to the extension or to core
	is($node->safe_psql('overloads', "SELECT string_agg(pg_describe_object(d.classid, d.objid, 0) || ' uses ' || pg_describe_object(d.refclassid, d.refobjid, 0), E'\\n')
		FROM pg_depend AS d
		WHERE EXISTS (SELECT FROM pg_depend AS e WHERE e.classid = d.classid AND e.objid = d.objid AND e.deptype = 'e')
			AND d.refobjid >= 16384 AND d.deptype <> 'e' AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass, 'pg_class'::regclass)
			AND pg_describe_object(d.refclassid, d.refobjid, 0) !~ '^(column|schema) '
			AND NOT EXISTS (SELECT FROM pg_depend AS e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype IN ('e', 'i'))"), '',
		'overloads: no object of the extension depends on a trap');

	$traps = run_as('mallory', 'overloads', "SELECT public.set_traps('ext', false)");
	cmp_ok($traps, '>', 3000, 'overloads: traps next to the extension');
	foreach my $role ($postgres, 'mallory', 'tess')
	{
		my $answer;

		$node->safe_psql('overloads', "GRANT CREATE ON DATABASE overloads TO tess");
		make_tables($role, 'overloads', "of_$role", 'ext');
		run_as($role, 'overloads', 'CREATE SCHEMA IF NOT EXISTS app; CREATE TABLE IF NOT EXISTS app.plain (id ext.sno)');
		$heard = -s $node->logfile;
		call_everything($role, 'overloads');
		quiet("every function, as $role");
		$answer = call_on_tables($role, 'overloads', "of_$role");
		quiet("tables, as $role");
		is($node->safe_psql('overloads', "SELECT count(id), count(DISTINCT id) FROM of_$role.plain"), '20|20', "tables, as $role: the backfill was made") or diag $answer;
		is($node->safe_psql('overloads', "SELECT count(*) > 300, (SELECT count(*) FROM pg_inherits WHERE inhparent = 'of_$role.parted'::regclass) BETWEEN 1 AND 7 FROM of_$role.parted"), 't|t', "tables, as $role: partitions were made, and removed") or diag $answer;
	}

	# and if the database's search_path first finds types of those names
	run_as('mallory', 'overloads', 'CREATE SCHEMA types; ' . trap_types('types') . '; ALTER DATABASE overloads SET search_path = types, ext, pg_catalog');
	$node->safe_psql('overloads', "UPDATE of_$postgres.plain SET id = NULL");
	$heard = -s $node->logfile;
	call_on_tables($postgres, 'overloads', "of_$postgres");
	quiet('with types in the search_path of the database');
	is($node->safe_psql('overloads', "SELECT pg_catalog.count(id) FROM of_$postgres.plain"), '20', 'with types in the search_path of the database: the backfill was made');
}

# ---------- updates ----------

# Each release, updated among traps by the owner of the database.
my %released = released_scripts();
foreach my $version (sort keys %released)
{
	my $database = "of_$version" =~ tr/./_/r;

	next if $node->safe_psql('postgres', "SELECT count(*) FROM pg_extension_update_paths('flakeid') WHERE source = '$version' AND path IS NOT NULL AND target = (SELECT default_version FROM pg_available_extensions WHERE name = 'flakeid')") eq '0';
	system_or_bail('cp', $released{$version}, $node->config_data("--sharedir") . '/extension/');
	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER mallory");
	$node->safe_psql($database, "$prepare; GRANT ALL ON SCHEMA public TO mallory");
	run_as('mallory', $database, "CREATE SCHEMA ext; CREATE EXTENSION flakeid SCHEMA ext VERSION '$version'; SELECT public.set_traps('ext', true)");
	$heard = -s $node->logfile;
	is(run_as('mallory', $database, 'ALTER EXTENSION flakeid UPDATE'), '', "version $version: updated by the owner of the database");
	quiet("version $version: updated among overloads");
}

# An update written correctly, with whole functions, and one written wrongly: it has a call without a
# schema, which finds what a stranger has created next to the extension.
{
	my $extensions = $node->config_data('--sharedir') . '/extension';
	my ($version) = slurp_file("$extensions/flakeid.control") =~ /^default_version = '(.*)'/m;
	my $whole;

	$node->safe_psql('postgres', $_) foreach 'CREATE DATABASE written', 'CREATE DATABASE updated OWNER mallory TEMPLATE overloads';    # with its traps
	$node->safe_psql('written', 'CREATE EXTENSION flakeid');
	$whole = $node->safe_psql('written', q(SELECT string_agg(pg_get_functiondef(p.oid) || ';', E'\n') FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
		JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		WHERE x.extname = 'flakeid' AND l.lanname = 'plpgsql' AND p.prokind IN ('f', 'p'))) =~ s/\bpublic\./\@extschema\@./gr;
	append_to_file("$extensions/flakeid--$version--$version.whole.sql", $whole);
	append_to_file("$extensions/flakeid--$version.whole--$version.pieces.sql", "SELECT replace(pg_get_functiondef('\@extschema\@.flakeid_doctor'::regproc), 'a', 'b');\n");
	run_as('mallory', 'updated', "SELECT public.set_trap('ext', 'pg_get_functiondef', '{regproc}', 'text', false)");
	$heard = -s $node->logfile;
	is(run_as('mallory', 'updated', "ALTER EXTENSION flakeid UPDATE TO '$version.whole'"), '', 'an update by the owner of the database');
	is($node->safe_psql('updated', q(SELECT extversion FROM pg_extension WHERE extname = 'flakeid')), "$version.whole", 'an update by the owner of the database: it is made');
	quiet('an update of whole functions among overloads');
	run_as('mallory', 'updated', "ALTER EXTENSION flakeid UPDATE TO '$version.pieces'");
	like(slurp_file($node->logfile, $heard), qr/WARNING:  TRAP pg_get_functiondef\(regproc\) as /, 'one that calls without a schema triggers a trap');
	$heard = -s $node->logfile;
	unlink "$extensions/flakeid--$version--$version.whole.sql", "$extensions/flakeid--$version.whole--$version.pieces.sql";
}

# ---------- names of the schema ----------

{
	my @names = ('"we""ird \'%s%1$s $$ schema"', q("'::text OPERATOR(p.@)1 OR 0='p"), 'plain');
	my $before = 'ext';

	$node->safe_psql('postgres', 'CREATE DATABASE renamed');
	$node->safe_psql('renamed', "$prepare; CREATE SCHEMA ext; CREATE EXTENSION flakeid SCHEMA ext; GRANT CREATE ON DATABASE renamed TO mallory");
	make_tables($postgres, 'renamed', 'app', 'ext');
	foreach my $name (@names)
	{
		my $answer;

		$node->safe_psql('renamed', "ALTER SCHEMA $before RENAME TO $name");
		# somebody else has the old name now, with functions of the same names
		run_as('mallory', 'renamed', "CREATE SCHEMA $before;
			SELECT public.set_trap('$before', p.proname, ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) AS t), format_type(p.prorettype, NULL), p.proretset)
			FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' WHERE d.refclassid = 'pg_extension'::regclass" =~ s/'\Q$before\E'/\$\$$before\$\$/r) if $before !~ /\$\$/;
		$node->safe_psql('renamed', "UPDATE app.plain SET id = NULL; DROP TABLE IF EXISTS app.parted; CREATE TABLE app.parted (id $name.sno PRIMARY KEY, n int) PARTITION BY RANGE (id)");
		$heard = -s $node->logfile;
		call_everything($postgres, 'renamed');
		$answer = call_on_tables($postgres, 'renamed', 'app');
		quiet("renamed to $name");
		is($node->safe_psql('renamed', 'SELECT count(id), (SELECT count(*) > 300 FROM app.parted) FROM app.plain'), '20|t', "renamed to $name: functions work") or diag $answer;
		unlike($answer, qr/\b(?:42601|42883|42P01|3F000)\b(?!.*flakeid_maintain)/, "renamed to $name: without an error of syntax or names");
		$before = $name;
	}
}

# Somebody has the schema whose name results from doubled quotes, or from a name taken for
# a format.
{
	my $before = 'ext';

	$node->safe_psql('postgres', 'CREATE DATABASE doubled OWNER mallory');
	run_as('mallory', 'doubled', "CREATE SCHEMA ext; CREATE EXTENSION flakeid SCHEMA ext; CREATE SCHEMA app");
	$node->safe_psql('doubled', 'CREATE TABLE public.numbered (id ext.sno)');
	foreach my $case ([ q("a'b"), q("a''b") ], [ '"5%s"', '"5"' ], [ '"x""y"', '"x""""y"' ])
	{
		my ($name, $other) = @$case;
		my $answer;

		run_as('mallory', 'doubled', "ALTER SCHEMA $before RENAME TO $name; CREATE SCHEMA $other;
			CREATE FUNCTION $other.evil() RETURNS text LANGUAGE plpgsql AS \$\$BEGIN RAISE WARNING 'TRAP evil as %', current_user; RETURN 'sno'; END\$\$;
			CREATE VIEW $other.flakeid_clock AS SELECT 1 AS node WHERE $other.evil() = '';
			CREATE VIEW $other.flakeid_generators AS SELECT $other.evil() AS type;
			CREATE VIEW $other.flakeid_issued AS SELECT now() AS issued_from, now() AS issued_to, $other.evil() = '' AS is_current;
			GRANT CREATE ON SCHEMA $name TO PUBLIC");
		$heard = -s $node->logfile;
		$answer = run_as($postgres, 'doubled', "SELECT * FROM $name.flakeid_doctor()");
		quiet("the doctor of schema $name next to $other");
		like($answer, qr/^warning\|schema\|Roles other than its owner may create objects in schema \Q$name\E,.*\|REVOKE CREATE ON SCHEMA \Q$name\E FROM PUBLIC;$/m, "the doctor of schema $name: it names the schema");
		unlike(run_as($postgres, 'doubled', "SELECT fix FROM $name.flakeid_doctor() WHERE subject = 'schema' \\gexec\nSELECT subject FROM $name.flakeid_doctor()"), qr/^schema$|ERROR/m, "the doctor of schema $name: the statement helps");
		unlike($answer, qr/could not be checked|ERROR/, "the doctor of schema $name: it could check everything");
		$before = $name;
	}
}

# The meaning of a backslash in a string depends on a setting of the session; the functions'
# answers do not, nor on the setting's value when the extension was created.  (From 19 on, it
# cannot be off.)
{
	my $own = "'epoch => 2015-01-01Z, low_bits => 22'";
	my @values = $node->safe_psql('postgres', 'SHOW server_version_num') >= 190000 ? ('on') : ('on', 'off');
	my %answers;

	foreach my $setting (@values)
	{
		my $database = "strings_$setting";

		$node->safe_psql('postgres', "CREATE DATABASE $database");
		unlike(run_as($postgres, $database, "SET standard_conforming_strings = $setting; CREATE EXTENSION flakeid"), qr/WARNING|ERROR/, "standard_conforming_strings = $setting: the extension is created, without a warning");
		foreach my $session (@values)
		{
			my $answer = run_as($postgres, $database, "SET client_min_messages = warning; SET standard_conforming_strings = $session;
				DROP TABLE IF EXISTS of_time, of_bigint; CREATE TABLE of_time (id sno) PARTITION BY RANGE (id); CREATE TABLE of_bigint (id bigint) PARTITION BY RANGE (id);
				SELECT flakeid_create_partitions('of_time', date_trunc('day', now()), date_trunc('day', now()) + interval '1 day', interval '1 day');
				SELECT flakeid_create_partitions('of_bigint', date_trunc('day', now()), date_trunc('day', now()) + interval '1 day', interval '1 day', $own);
				CALL flakeid_maintain('of_bigint', interval '1 day', ahead => 0, layout => $own);
				SELECT lower_at, upper_at, action, note FROM flakeid_partitions('of_time', interval '1 day', ahead => 1);
				SELECT lower_at, upper_at, action, note FROM flakeid_partitions('of_bigint', layout => $own);
				SELECT * FROM flakeid_guess('1574201645930250240'); SELECT * FROM flakeid_guess('018bcfe5-6800-7000-8000-000000000000'); SELECT * FROM flakeid_guess(E'0E0000000000000K\\n');
				SELECT node, siq_shard FROM _flakeid_functions.flakeid_numbers() WHERE database = 'renamed';
				SELECT * FROM flakeid_doctor() WHERE subject NOT IN ('clock', 'clock jump')");

			$answer =~ s/$database/DATABASE/g;
			$answer =~ s/same number \(flakeid\.node \d+\): [^.]*/same number/g;
			$answers{$answer}{"$setting, then $session"} = 1;
		}
	}
	is(scalar keys %answers, 1, 'standard_conforming_strings: all answers are the same') or diag explain \%answers;
	like((keys %answers)[0], qr/\|create\|.*^warning\|flakeid\.node\|Other databases/ms, 'standard_conforming_strings: and there are some');
	unlike((keys %answers)[0], qr/ERROR|WARNING|escape|default partition/, 'standard_conforming_strings: without an error or a warning');
}

# Bodies that are looked up at each call do not contain the schema's name: if the schema is
# renamed, that name may be somebody else's.
$node->safe_psql('postgres', 'CREATE DATABASE telling');
$node->safe_psql('telling', 'CREATE SCHEMA telling_name; CREATE EXTENSION flakeid SCHEMA telling_name');
is($node->safe_psql('telling', "SELECT string_agg(p.oid::regprocedure::text, ', ') FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
	WHERE x.extname = 'flakeid' AND (p.prosrc ~ 'telling_name' OR p.proconfig::text ~ 'telling_name')"), '', 'no body contains the name of the schema');
is($node->safe_psql('telling', "SELECT count(*) > 30 FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang WHERE l.lanname = 'plpgsql' AND p.pronamespace::regnamespace::text ~ 'flakeid|telling'"), 't', 'and there are such bodies');

# ---------- default privileges ----------

{
	my %given = map {
		my $database = $_;

		$node->safe_psql('postgres', "CREATE DATABASE $database");
		$node->safe_psql($database, "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO mallory, pg_monitor, PUBLIC; ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO mallory, pg_monitor; ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO mallory, pg_monitor")
		  if $database eq 'generous';
		$node->safe_psql($database, 'CREATE EXTENSION flakeid');
		$database => $node->safe_psql($database, "SELECT string_agg(concat_ws(' ', pg_describe_object(d.classid, d.objid, 0), a.grantee::regrole, a.privilege_type, a.is_grantable), E'\\n' ORDER BY 1) FROM (
				SELECT d.classid, d.objid, coalesce(p.proacl, c.relacl, n.nspacl) AS acl, coalesce(p.proowner, c.relowner, n.nspowner) AS owner
				FROM pg_depend AS d LEFT JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
					LEFT JOIN pg_namespace AS n ON d.classid = 'pg_namespace'::regclass AND n.oid = d.objid
				WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid')
			) AS d, aclexplode(acl) AS a WHERE NOT (a.grantee = 0 AND d.classid = 'pg_proc'::regclass) AND a.grantee <> d.owner");
	} 'generous', 'usual';

	is($given{generous}, $given{usual}, 'default privileges: they give nobody more');
	is($node->safe_psql('generous', "SELECT count(*) FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		WHERE d.refclassid = 'pg_extension'::regclass AND p.proname ~ 'advance|clock_reset|sno_restore|stats_reset|doctor\$|take_over|mark_guard' AND has_function_privilege('mallory', p.oid, 'EXECUTE')"),
		'0', 'default privileges: what is not granted to everybody is not granted to mallory');
}

# ---------- others' tables ----------

# Everything that a table can make PostgreSQL evaluate, each with a function that logs the
# role it runs as.  A superuser who fills another role's table gets an error that names its
# owner; a superuser who maintains its partitions runs all of it as the owner; and diagnostic functions
# evaluate none of it.
{
	my $parted = "id public.sno PRIMARY KEY DEFAULT public.sno_new(0), n int DEFAULT hostile.bait(), twice int GENERATED ALWAYS AS (n + 1) STORED, at timestamptz, CHECK (n IS NULL OR n + hostile.bait() IS NOT NULL)";
	my @refused;

	$node->safe_psql('postgres', 'CREATE DATABASE tables');
	$node->safe_psql('tables', 'CREATE EXTENSION flakeid; GRANT CREATE ON DATABASE tables TO mallory');
	run_as('mallory', 'tables', "CREATE SCHEMA hostile;
		CREATE FUNCTION hostile.bait() RETURNS int LANGUAGE plpgsql IMMUTABLE AS \$\$BEGIN RAISE WARNING 'TRAP bait as %', current_user; RETURN 1; END\$\$;
		CREATE FUNCTION hostile.fire() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN PERFORM hostile.bait(); RETURN NEW; END\$\$;
		CREATE TABLE hostile.parted ($parted) PARTITION BY RANGE (id);
		CREATE TABLE hostile.rest PARTITION OF hostile.parted DEFAULT;
		CREATE TABLE hostile.plain ($parted); CREATE INDEX ON hostile.plain (at); CREATE INDEX ON hostile.plain ((n + hostile.bait())) WHERE n > hostile.bait();
		CREATE INDEX ON hostile.parted ((n + hostile.bait()));
		CREATE STATISTICS hostile.s ON (n + hostile.bait()), id FROM hostile.plain;
		CREATE TRIGGER t BEFORE INSERT OR UPDATE ON hostile.plain FOR EACH ROW EXECUTE FUNCTION hostile.fire();
		CREATE TRIGGER t BEFORE INSERT OR UPDATE ON hostile.parted FOR EACH ROW EXECUTE FUNCTION hostile.fire();
		CREATE POLICY p ON hostile.plain USING (hostile.bait() = 1); ALTER TABLE hostile.plain ENABLE ROW LEVEL SECURITY;
		CREATE RULE r AS ON DELETE TO hostile.plain DO ALSO SELECT hostile.bait();
		INSERT INTO hostile.parted (n) SELECT 1; INSERT INTO hostile.plain (n, at) SELECT 1, now(); GRANT ALL ON ALL TABLES IN SCHEMA hostile TO PUBLIC; GRANT USAGE ON SCHEMA hostile TO PUBLIC");
	$heard = -s $node->logfile;
	run_as($postgres, 'tables', "CALL flakeid_backfill('hostile.plain', 'id', 'at')");
	quiet("others' tables, filled by a superuser, with other rights than their owner's", $postgres);
	foreach my $call ("SELECT flakeid_create_partitions('hostile.parted', now() + interval '5 days', now() + interval '6 days', interval '1 day')", "SELECT flakeid_drop_partitions('hostile.parted', now())",
		"CALL flakeid_maintain('hostile.parted', interval '1 day')", "SELECT * FROM flakeid_partitions('hostile.parted')")
	{
		run_as($postgres, 'tables', $call);
		quiet("others' tables, maintained by a superuser, with other rights than their owner's: $call", $postgres);
	}
	like(run_as($postgres, 'tables', 'SELECT severity, subject FROM flakeid_doctor()'), qr/\|/, 'tables: the doctor answers a superuser');
	quiet("others' tables, checked by the doctor");
	run_as($postgres, 'tables', 'SELECT fix FROM flakeid_doctor() WHERE fix IS NOT NULL \gexec');
	# ANALYZE evaluates an index's expressions, as the owner
	quiet("others' tables, and the statements that the doctor suggests", $postgres);

	# A role's own table connected with somebody else's: a partition or a child, one that
	# refers to it, and its partitioned parent.
	$node->safe_psql('tables', 'GRANT CREATE ON DATABASE tables TO tess; GRANT mallory TO tess');
	run_as('tess', 'tables', "CREATE SCHEMA own; GRANT USAGE, CREATE ON SCHEMA own TO mallory;
		CREATE TABLE own.plain (n int PRIMARY KEY, id public.sno, at timestamptz); CREATE INDEX ON own.plain (id); INSERT INTO own.plain (n, at) VALUES (1, now());
		CREATE TABLE own.parent (n int PRIMARY KEY, id public.sno, at timestamptz); CREATE INDEX ON own.parent (id); CREATE INDEX ON own.parent (at);
		CREATE TABLE own.child () INHERITS (own.parent); INSERT INTO own.parent (n, at) VALUES (1, now());
		CREATE TABLE own.parted (id public.sno PRIMARY KEY, n int) PARTITION BY RANGE (id); CREATE TABLE own.referred (id public.sno PRIMARY KEY) PARTITION BY RANGE (id);
		SELECT flakeid_create_partitions(t, now() - interval '5 days', now() + interval '1 day', interval '1 day') FROM unnest(ARRAY['own.parted', 'own.referred']::regclass[]) AS t;
		INSERT INTO own.parted SELECT sno_new(0), 1; INSERT INTO own.referred SELECT sno_new_at(now() - n * interval '12 hours') FROM generate_series(0, 9) AS n;
		GRANT REFERENCES ON own.referred TO mallory; ALTER TABLE own.child OWNER TO mallory;
		DO \$\$BEGIN EXECUTE format('ALTER TABLE %s OWNER TO mallory', (SELECT min(relid::text) FROM pg_partition_tree('own.parted') WHERE isleaf)); END\$\$");
	run_as('mallory', 'tables', "CREATE INDEX ON own.child ((n + hostile.bait())); CREATE TRIGGER t BEFORE INSERT OR UPDATE ON own.child FOR EACH ROW EXECUTE FUNCTION hostile.fire();
		DO \$\$BEGIN EXECUTE format('CREATE INDEX ON %s ((n + hostile.bait()))', (SELECT min(relid::text) FROM pg_partition_tree('own.parted') WHERE isleaf)); END\$\$;
		CREATE TABLE hostile.refers (n int, id public.sno REFERENCES own.referred); CREATE INDEX ON hostile.refers ((n + hostile.bait())); GRANT SELECT ON hostile.refers TO tess;
		CREATE TABLE hostile.whole (n int, id public.sno, at timestamptz) PARTITION BY RANGE (id); CREATE TABLE hostile.part PARTITION OF hostile.whole DEFAULT;
		CREATE INDEX ON hostile.whole (id); CREATE INDEX ON hostile.whole (at); CREATE INDEX ON hostile.whole ((n + hostile.bait()))");
	$node->safe_psql('tables', 'ALTER TABLE hostile.part OWNER TO tess; REVOKE mallory FROM tess');
	is($node->safe_psql('tables', "SELECT count(*), count(*) FILTER (WHERE relowner = 'mallory'::regrole) FROM pg_class WHERE oid = ANY ('{own.child,hostile.refers,hostile.whole,hostile.part}'::regclass[]::oid[])"), '4|3', "tables connected with others': they exist");
	$heard = -s $node->logfile;
	foreach my $call ([ 'child', "CALL flakeid_backfill('own.parent', 'id', 'at')" ],
		[ 'whole', "CALL flakeid_backfill('hostile.part', 'id', 'at')" ],
		(map { [ 'parted_[\d_]+', $_ ] } "SELECT * FROM flakeid_partitions('own.parted')", "CALL flakeid_maintain('own.parted', interval '1 day', retain => '1 day')",
			"SELECT flakeid_drop_partitions('own.parted', now())", "SELECT flakeid_create_partitions('own.parted', now() + interval '1 day', now() + interval '2 days', interval '1 day')"))
	{
		like(run_as('tess', 'tables', $call->[1]), qr/ERROR:  42501: (?:must be owner of table "$call->[0]"\nDETAIL:  Its owner is role "mallory"|tables "\w+" and "$call->[0]" have different owners\nDETAIL:  Their owners are roles "tess" and "mallory")/, "tables connected with others': $call->[1]");
	}
	foreach my $call ("SELECT flakeid_drop_partitions('own.referred', now())", "CALL flakeid_maintain('own.referred', interval '1 day', retain => '1 day')")
	{
		like(run_as('tess', 'tables', $call), qr/ERROR: .*partition "own\.referred_[\d_]+" has foreign keys from table "hostile\.refers", which belongs to another role/, "tables connected with others': $call");
	}
	quiet("tables connected with others'");
}

# ---------- properties of all functions ----------

is($node->safe_psql('usual', "SELECT string_agg(p.oid::regprocedure::text, ', ') FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
	WHERE x.extname = 'flakeid' AND l.lanname IN ('sql', 'plpgsql') AND p.prosqlbody IS NULL AND p.prokind = 'f'
		AND NOT coalesce(p.proconfig && ARRAY['search_path=pg_catalog, pg_temp'], false)"),
	'', 'every function has its search_path, or a body that was looked up when it was created');
is($node->safe_psql('usual', "SELECT count(*) FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass WHERE x.extname = 'flakeid' AND p.prosecdef"), '0', 'none runs with the rights of its owner');
is($node->safe_psql('postgres', "SELECT string_agg(rolname, ', ') FROM pg_roles WHERE rolsuper AND rolname <> current_user"), '', 'nobody has become a superuser');

$node->stop;
done_testing();
