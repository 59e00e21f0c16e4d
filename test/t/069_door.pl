# The operators are in pg_catalog, where every session finds them: in dumps and restores of
# expressions that name no operator, in pg_upgrade and pg_repack, with any search_path, and
# with the extension in any schema. They change no expression on core's types, nothing that
# others made before takes their place, and DROP EXTENSION takes them away.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use IPC::Run ();
use List::Util qw(shuffle);

my $home = '"My ids"';
my %types = (
	sno => 'sno_new(0)', flax => 'flax_new()', siq => q(siq_new('message')),
	uid64 => 'uid64_new()', uid96 => 'uid96_new()', snowflake => 'snowflake_new()', ulid => 'ulid_new()', ksuid => 'ksuid_new()');
my @types = sort keys %types;
my %option = (extension => 0, init => { extra => [ '--no-locale', '-E', 'UTF8' ] });
my $node = new_server('door', %option);

sub query
{
	my ($database, $sql) = @_;

	return $node->safe_psql($database, $sql);
}

# What is in pg_catalog that initdb did not put there.
sub added
{
	my ($database) = @_;

	return query($database, join ' UNION ALL ', map {
		my ($catalog, $namespace) = @$_;
		"SELECT '$catalog ' || oid FROM pg_catalog.$catalog WHERE $namespace = 'pg_catalog'::regnamespace AND oid >= 16384";
	} [ pg_operator => 'oprnamespace' ], [ pg_proc => 'pronamespace' ], [ pg_type => 'typnamespace' ], [ pg_class => 'relnamespace' ],
		[ pg_opclass => 'opcnamespace' ], [ pg_opfamily => 'opfnamespace' ]);
}

# ---------- expressions on core's types ----------

# How every name that core and flakeid share, and three others, with operands of core's types is
# resolved: the functions and operators of the expressions of one view, and the others' errors.
# In make test, those with a third of the left operands, others each time.
my @left = (1, 2, shuffle 3 .. 45);
splice @left, 15 if $ENV{SHORT};
my $left = join ',', @left;
my $many = whole_or_short(1000, 100);
query('postgres', q(
	CREATE DATABASE core;
	\c core
	CREATE DOMAIN whole AS int8;
	CREATE DOMAIN word AS text;
	CREATE FUNCTION resolved() RETURNS TABLE (a text, name text, tried int, valid int, meaning text) LANGUAGE plpgsql AS $$
	DECLARE
		kinds text[] := '{bool,bytea,"\"char\"",name,int8,int2,int4,text,oid,tid,xid,json,jsonb,point,box,float4,float8,money,macaddr,inet,bpchar,varchar,date,time,timestamp,timestamptz,interval,timetz,bit,numeric,uuid,pg_lsn,tsvector,int4range,int8range,tstzrange,daterange,tstzmultirange,int8[],text[],timestamptz[],whole,word}';
		operands text[] := ARRAY['''1''', 'NULL'];
		b text;
		expressions text[];
		errors text;
	BEGIN
		EXECUTE 'CREATE TEMP TABLE operand AS SELECT ' || (SELECT string_agg(format('NULL::%s AS o%s', k, n), ', ') FROM unnest(kinds) WITH ORDINALITY AS u (k, n));
		operands := operands || (SELECT array_agg('o' || n) FROM unnest(kinds) WITH ORDINALITY AS u (k, n));
		FOR a, name IN SELECT o, n FROM unnest(operands) WITH ORDINALITY AS u (o, at), unnest('{<,<=,=,<>,>=,>,<@,@>,&&,||,-}'::text[]) AS n WHERE at IN (LEFT_OPERANDS) LOOP
			expressions := '{}';
			errors := '';
			FOREACH b IN ARRAY operands LOOP
				BEGIN
					EXECUTE format('SELECT %s %s %s FROM operand', a, name, b);
					expressions := expressions || format('%s %s %s', a, name, b);
				EXCEPTION WHEN OTHERS THEN
					errors := errors || b || SQLSTATE;
				END;
			END LOOP;
			SELECT 'CREATE TEMP VIEW resolved AS SELECT ' || coalesce(string_agg(format('%s AS x%s', e, n), ', '), '') || ' FROM operand' INTO meaning
			FROM unnest(expressions) WITH ORDINALITY AS u (e, n);
			EXECUTE meaning;
			SELECT errors || coalesce(string_agg(m[1], ' '), '') INTO meaning
			FROM pg_rewrite, regexp_matches(ev_action::text, ':(opno [0-9]+|funcid [0-9]+|consttype [0-9]+|resulttype [0-9]+)', 'g') AS m
			WHERE ev_class = 'resolved'::regclass;
			DROP VIEW resolved;
			tried := cardinality(operands);
			valid := cardinality(expressions);
			RETURN NEXT;
		END LOOP;
		DROP TABLE operand;
	END $$;
	CREATE TABLE before AS SELECT * FROM resolved();
	CREATE EXTENSION flakeid;
	CREATE TABLE after AS SELECT * FROM resolved();
) =~ s/LEFT_OPERANDS/$left/r);
is(query('core', q(SELECT * FROM before FULL JOIN after USING (a, name) WHERE before.meaning IS DISTINCT FROM after.meaning)), '', "core's operators on core's types mean what they meant before");
is(query('core', "SELECT sum(tried), sum(valid) > $many, sum(regexp_count(meaning, 'opno [1-9]')) > $many FROM after"), 45 * 11 * @left . '|t|t', "... all of them, of which more than $many exist");

# ---------- DROP EXTENSION ----------

isnt(added('core'), '', 'the operators are in pg_catalog');
query('core', 'DROP EXTENSION flakeid');
is(added('core'), '', '... and DROP EXTENSION takes them away');
query('postgres', 'DROP DATABASE core');

# ---------- who was there before ----------

# A role that may create objects where the extension will be has made functions and operators
# with its names. A database's owner, no superuser, creates the extension.
query('postgres', q(
	CREATE ROLE owner LOGIN;
	CREATE ROLE mallory LOGIN;
	CREATE DATABASE early OWNER owner;
	\c early
	GRANT CREATE ON SCHEMA public TO mallory;
	SET ROLE mallory;
	CREATE FUNCTION public.trap(timestamptz, timestamptz) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE 'TRAP'; END $$;
	CREATE FUNCTION public.trap(bigint, bigint) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE 'TRAP'; END $$;
	CREATE FUNCTION public.trap(tstzrange, timestamptz) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE 'TRAP'; END $$;
	DO $$
	DECLARE
		name text;
		type text;
	BEGIN
		FOREACH name IN ARRAY '{<,<=,=,<>,>=,>,|<=,|<,|>}'::text[] LOOP
			FOREACH type IN ARRAY '{timestamptz,bigint}'::text[] LOOP
				EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %2$s, FUNCTION = public.trap)', name, type);
			END LOOP;
		END LOOP;
		CREATE OPERATOR public.@> (LEFTARG = tstzrange, RIGHTARG = timestamptz, FUNCTION = public.trap);
		FOREACH name IN ARRAY '{timestamptz_lt,timestamptz_le,timestamptz_ge,timestamptz_gt,timestamptz_cmp,scalarltsel,scalargesel,eqsel,scalarltjoinsel,btequalimage,brin_minmax_opcinfo}'::text[] LOOP
			EXECUTE format('CREATE FUNCTION public.%I(timestamptz, timestamptz) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN RAISE ''TRAP''; END $f$', name);
		END LOOP;
	END $$;
));
{
	my ($rc, $out, $err) = $node->psql('early', 'CREATE EXTENSION flakeid', extra_params => [ '-U', 'owner' ]);

	is("$rc $err", '0 ', 'the owner of a database, no superuser, creates the extension');
}
is(query('early', q(
	SELECT pg_describe_object(d.classid, d.objid, 0), pg_describe_object(d.refclassid, d.refobjid, 0)
	FROM pg_depend AS d JOIN pg_depend AS ours ON ours.classid = d.classid AND ours.objid = d.objid AND ours.deptype = 'e'
	WHERE d.deptype <> 'e' AND NOT EXISTS (SELECT FROM pg_depend AS e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype IN ('e', 'i', 'a'))
		AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass))), '',
	'nothing of the extension depends on what others have made');
is(query('early', q(SELECT o.oid::regoperator FROM pg_operator AS o, LATERAL (VALUES (oprcom), (oprnegate)) AS v (other) JOIN pg_operator AS p ON p.oid = other
		WHERE o.oprowner <> (SELECT oid FROM pg_roles WHERE rolname = 'mallory') AND p.oprowner = (SELECT oid FROM pg_roles WHERE rolname = 'mallory'))), '',
	'... no operator has a commutator or negator of others');
is(query('early', q(SELECT oid::regoperator FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND (oprcode = 0 OR oprowner <> 10))), '', '... and none is a shell, or somebody else has it');
is(query('early', q(CREATE TABLE t (id sno PRIMARY KEY DEFAULT sno_new(0), n int); INSERT INTO t SELECT FROM generate_series(1, 100);
		SELECT count(*) FROM t WHERE id >= now() - interval '1 day' AND (id, n) >= (timestamptz '2020-01-01', 0) AND id <@ tstzrange('2020-01-01', NULL))), '100', '... so conditions are the extension\'s');
query('postgres', 'DROP DATABASE early');

# ---------- objects with expressions that name no operator ----------

query('postgres', 'CREATE DATABASE source OWNER owner');
query('source', "CREATE SCHEMA $home; CREATE EXTENSION flakeid SCHEMA $home; CREATE SCHEMA app");
query('source', join '', map { expressions_of($home, $_, $types{$_}) } @types);
my $listed = query('source', lists_of_expressions());

like($listed, qr/^$_/m, "there are objects: $_") foreach 't_3\|CREATE TRIGGER', 't_ulid\|r_join', 't_sno\|p_join', 'v_siq_join\|', 'm_uid96_3\|', 'v_ksuid_time\|', 't_snowflake\|\d+\|';

# Restore the source into another database and compare it.
sub restored
{
	my ($name, $dump, $restore, $prepare) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	query('postgres', 'CREATE DATABASE restored');
	query('restored', $prepare) if $prepare;
	$node->command_ok([ @$dump, '-d', $node->connstr('source') ], "$name: dumped");
	$node->command_ok([ @$restore, '-d', $node->connstr('restored') ], "$name: restored");
	is(query('restored', lists_of_expressions()), $listed, "$name: every object is the same");
	query('postgres', 'DROP DATABASE restored');
	return;
}

my $file = $node->basedir . '/dump';
my @restore = ('pg_restore', '--exit-on-error');

restored('plain', [ 'pg_dump', '-f', "$file.sql" ], [ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', "$file.sql" ]);
restored('-Fc', [ 'pg_dump', '-Fc', '-f', "$file.c" ], [ @restore, "$file.c" ]);
restored('-Fd -j2', [ 'pg_dump', '-Fd', '-j2', '-f', "$file.d" ], [ @restore, '-j2', "$file.d" ]);
restored('-n', [ 'pg_dump', '-n', 'app', '-f', "$file.n" ], [ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', "$file.n" ], "CREATE SCHEMA $home; CREATE EXTENSION flakeid SCHEMA $home");

# ---------- any search_path ----------

# A schema of a stranger, in front, has operators for core's types and for ours.
query('source', join ';', 'CREATE SCHEMA evil AUTHORIZATION mallory', "GRANT USAGE ON SCHEMA $home TO mallory", 'SET ROLE mallory',
	map { my $type = $_; ("CREATE FUNCTION evil.trap($type, $type) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS \$\$ BEGIN RAISE 'TRAP'; END \$\$",
			map { "CREATE OPERATOR evil.$_ (LEFTARG = $type, RIGHTARG = $type, FUNCTION = evil.trap)" } '<', '=', '>=') } 'timestamptz', map { "$home.$_" } @types);
foreach my $path ("''", 'app, pg_catalog', 'evil, app', '"$user"')
{
	my (@wrong, @plans);

	foreach my $type (@types)
	{
		my $at = $type eq 'uid96' ? "b.id = a.id" : "b.id >= timestamptz '2000-01-01 Z'";
		my $row = "(SELECT id FROM app.t_$type LIMIT 1)";

		push @wrong, $type if query('source', "SET search_path = $path; SELECT count(DISTINCT b.id), bool_and(b.id IN ($row) IS NOT NULL AND NULLIF(a.id, b.id) IS NULL AND a.id IS NOT DISTINCT FROM b.id)
			FROM app.t_$type AS a JOIN app.t_$type AS b USING (id) WHERE $at") ne '200|t';
		push @plans, $type unless query('source', "SET search_path = $path; SET enable_seqscan = off; SET enable_bitmapscan = off; SET row_security = off;
			EXPLAIN (COSTS OFF) SELECT FROM app.t_$type AS b WHERE " . ($type eq 'uid96' ? "id = $row" : $at)) =~ /Index Cond: \(id /;
	}
	is("@wrong", '', "search_path = $path: every expression finds its operator");
	is("@plans", '', "search_path = $path: ... and the index");
}

# ---------- pg_repack ----------

SKIP:
{
	my $repack = $node->config_data('--bindir') . '/pg_repack';
	my (@writers, @before);

	skip 'pg_repack is not installed', 4 unless -x $repack;
	query('source', 'CREATE EXTENSION pg_repack; CREATE TABLE app.stop (n int)');
	query('source', "ALTER TABLE app.t_$_ DISABLE ROW LEVEL SECURITY; ALTER TABLE app.t_$_ DISABLE RULE r_join; ALTER TABLE app.t_$_ DISABLE TRIGGER ALL" ) foreach @types;
	@writers = start_sessions($node, map {
		my $t = "app.t_$_";
		"\\c source
		DO \$\$ BEGIN
			FOR i IN 1 .. 100000 LOOP
				INSERT INTO $t (n) VALUES (i);
				UPDATE $t SET n = $t.n + 1 WHERE id = (SELECT id FROM $t ORDER BY id DESC LIMIT 1);
				DELETE FROM $t WHERE n % 7 = 3 AND parent IS NULL AND NOT EXISTS (SELECT FROM $t AS c WHERE c.parent = $t.id);
				COMMIT;
				PERFORM pg_sleep(0.002);
				EXIT WHEN EXISTS (SELECT FROM app.stop);
			END LOOP;
		END \$\$;"
	} 'sno', 'ulid');
	ok($node->poll_query_until('source', "SELECT count(*) > 300 FROM app.t_$_"), "$_ is being written") foreach 'sno', 'ulid';
	@before = map { query('source', "SELECT pg_relation_filenode('app.t_$_')") } @types;
	$node->command_ok([ $repack, '-d', 'source', '-j', '2', map { ('-t', "app.t_$_") } @types ], 'pg_repack, while tables are written');
	is(join(' ', grep { query('source', "SELECT pg_relation_filenode('app.t_$types[$_]')") eq $before[$_] } 0 .. $#types), '', '... has written each table anew');
	query('source', 'INSERT INTO app.stop VALUES (1)');
	finish_sessions(@writers);
	query('source', 'DROP EXTENSION pg_repack; DROP TABLE app.stop');
	$listed = query('source', lists_of_expressions());
}

# ---------- pg_upgrade ----------

{
	my $new = new_server('upgraded', %option);
	my $bin = $node->config_data('--bindir');

	$new->stop;
	$node->stop;
	chdir $new->basedir or die;    # pg_upgrade writes a script there
	ok(IPC::Run::run([ 'pg_upgrade', '--no-sync', '-d', $node->data_dir, '-D', $new->data_dir, '-b', $bin, '-B', $bin, '-s', $new->host, '-p', $node->port, '-P', $new->port ]), 'pg_upgrade')
	  or diag(shell('cat -- "$@" | grep -A 8 error: || true', glob $new->data_dir . '/pg_upgrade_output.d/*/log/*'));
	start_server($new);
	is($new->safe_psql('source', lists_of_expressions()), $listed, 'pg_upgrade: every object is the same');
	$new->safe_psql('source', "DROP EXTENSION flakeid CASCADE");
	is($new->safe_psql('source', "SELECT count(*) FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oid >= 16384"), '0', '... and DROP EXTENSION leaves no operator');
	$new->stop;
}

done_testing();
