# Names: a call looks a table up by its name after it has checked it, so nobody can give that
# name, or that of its schema, to another object meanwhile; nor do a stranger's objects in the
# extension, or types in pg_temp, come before what is meant.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_server('names', server => [ "timezone = 'UTC'", 'deadlock_timeout = 100ms' ]);

sub start
{
	my ($role, @sql) = @_;
	my $run = { session => session($node, user => $role), role => $role };

	$run->{session}->send(join(";\n", @sql) . ';');
	return $run;
}

sub finish
{
	my ($run) = @_;
	my $answer = $run->{session}->answer;

	$run->{session}->quit;
	return $answer;
}

sub as
{
	my ($role, @sql) = @_;

	return finish(start($role, @sql));
}

# Does the role's statement wait for a lock?  False: it has ended.
sub waits
{
	my ($run) = @_;
	my $waiting;

	until_true(sub {
		$waiting = $node->safe_psql('postgres', "SELECT count(*) FROM pg_locks AS l JOIN pg_stat_activity AS s USING (pid) WHERE s.usename = '$run->{role}' AND NOT l.granted");
		return $waiting || $run->{session}->done;
	});
	return $waiting;
}

# The roles as which a stranger's code has run since the last call, but for the stranger himself.
sub ran
{
	my $ran = $node->safe_psql('postgres', q(SELECT string_agg(DISTINCT who, ', ' ORDER BY who) FROM ran WHERE who <> 'stranger'));

	$node->safe_psql('postgres', 'TRUNCATE ran');
	return $ran // '';
}

# A stranger owns schemas in which a tenant has tables, and a table to which the tenant's refers.
$node->safe_psql('postgres', q(
	CREATE ROLE stranger LOGIN; CREATE ROLE tenant LOGIN; GRANT CREATE ON DATABASE postgres TO stranger;
	CREATE TABLE ran (who name); GRANT ALL ON ran TO PUBLIC; CREATE SCHEMA app AUTHORIZATION tenant));
is(as('stranger', q(
	CREATE SCHEMA land; GRANT ALL ON SCHEMA land TO tenant; CREATE SCHEMA home; GRANT ALL ON SCHEMA home TO PUBLIC;
	CREATE FUNCTION home.act() RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.ran VALUES (current_user); END $$;
	CREATE FUNCTION home.bait(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM home.act(); RETURN true; END $$;
	CREATE TABLE home.account (id int PRIMARY KEY, n int); INSERT INTO home.account VALUES (1); GRANT SELECT, REFERENCES ON home.account TO tenant)), '', 'a stranger has schemas and tables');
is(as('tenant', q(
	CREATE TABLE land.orders (id ulid, n int) PARTITION BY RANGE (id);
	CREATE TABLE land.old (n int PRIMARY KEY, at timestamptz UNIQUE, id ulid UNIQUE); INSERT INTO land.old SELECT n, now() - n * interval '1 s' FROM generate_series(1, 2000) AS n; CREATE INDEX ON land.old (at, n) WHERE id IS NULL;
	CREATE TABLE app.sale (id ulid, account int REFERENCES home.account) PARTITION BY RANGE (id);
	CREATE TABLE app.self (id ulid PRIMARY KEY, before ulid REFERENCES app.self, account int REFERENCES home.account, other int REFERENCES home.account) PARTITION BY RANGE (id))), '', 'a tenant has tables there');
is(as('stranger', 'CREATE INDEX ON home.account ((home.bait(n)))'), '', "the stranger's code is in an index of the table referred to");
ran();

my $today = "date_trunc('day', now())";
my $create = "SELECT count(*) FROM flakeid_create_partitions('%s', $today + interval '%s days', $today + interval '%s days', '1 day')";

# ---------- what a call holds ----------

# The name of the schema is kept until the end of the transaction, and no more than that.
{
	my $call = session($node, user => 'tenant');
	my $grant = session($node, user => 'stranger');
	my $run;

	foreach my $granting (0, 1)
	{
		my $when = $granting ? ', held while a GRANT is not committed' : '';

		attempt($grant, 'BEGIN; GRANT USAGE ON SCHEMA land TO PUBLIC') if $granting;
		is(attempt($call, q(BEGIN; SELECT _flakeid_functions.flakeid_hold('land.old', false))), 'land.old', "a table is held$when");
		attempt($grant, 'COMMIT') if $granting;
		is(as('stranger', 'GRANT USAGE ON SCHEMA land TO PUBLIC; CREATE TABLE land.mine (); DROP TABLE land.mine'), '', "... GRANT and CREATE do not wait$when");
		# on new majors ALTER SCHEMA takes nothing but what FOR UPDATE takes
		foreach my $statement (q(SELECT nspname FROM pg_namespace WHERE nspname = 'land' FOR UPDATE), 'ALTER SCHEMA land RENAME TO away', 'DROP SCHEMA land CASCADE')
		{
			$run = start($statement =~ /^SELECT/ ? 'postgres' : 'stranger', "BEGIN; $statement; ROLLBACK");
			ok(waits($run), "... $statement waits$when");
			attempt($call, 'COMMIT');
			unlike(finish($run), qr/ERROR/, '... for the end of the transaction');
			attempt($call, q(BEGIN; SELECT _flakeid_functions.flakeid_hold('land.old', false)));
		}
		attempt($call, 'COMMIT');
	}
	attempt($call, q(BEGIN; SELECT count(*) FROM flakeid_partitions('land.orders', '1 day')));
	is(as('stranger', 'BEGIN; ALTER SCHEMA land RENAME TO away; ROLLBACK'), '', 'a call that reads the catalogs keeps no schema');
	is(attempt($call, 'SELECT pg_current_xact_id_if_assigned() IS NULL'), 't', '... and writes nothing');
	attempt($call, 'COMMIT');
	$_->quit foreach $call, $grant;
}

# DROP SCHEMA has locked the schema, and waits for a table: a call does not lock the table first.
{
	my $reader = session($node, user => 'tenant');
	my ($drop, $call);

	attempt($reader, 'BEGIN; SELECT count(*) FROM land.old');
	$drop = start('stranger', 'BEGIN; DROP SCHEMA land CASCADE; ROLLBACK');
	ok(waits($drop), 'DROP SCHEMA waits for a reader');
	$call = start('tenant', q(SELECT _flakeid_functions.flakeid_lock_backfill('land.old')));
	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_locks AS l JOIN pg_stat_activity AS s USING (pid) WHERE s.usename = 'tenant' AND NOT l.granted AND l.locktype = 'object')), '... a backfill waits for the schema');
	attempt($reader, 'COMMIT');
	unlike(finish($drop), qr/ERROR/, '... no deadlock for DROP SCHEMA');
	unlike(finish($call), qr/ERROR/, '... nor for the backfill');
	$reader->quit;
}

# ---------- names that change while a call waits ----------

my $evil = session($node, user => 'stranger');
my $call;

# the schema's, for another one with a table whose CHECK is the stranger's
attempt($evil, 'BEGIN; ALTER SCHEMA land RENAME TO away; CREATE SCHEMA land; GRANT ALL ON SCHEMA land TO PUBLIC; CREATE TABLE land.orders (id public.ulid, n int CHECK (home.bait(n))); GRANT ALL ON land.orders TO PUBLIC');
$call = start('tenant', sprintf $create, 'land.orders', 0, 1);
ok(waits($call), "a schema's name is given to another one: the call waits");
attempt($evil, 'COMMIT');
is(finish($call), '1', '... and ends');
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_constraint WHERE contype = 'c' AND conrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'away.orders'::regclass))), '0', "... and the partition has no CHECK of the stranger's");
is($node->safe_psql('postgres', q(INSERT INTO away.orders VALUES (ulid_new(), 1) RETURNING n)), '1', '... in which rows are stored');
is(ran(), '', "... and no code of the stranger's has run");
attempt($evil, 'DROP SCHEMA land CASCADE; ALTER SCHEMA away RENAME TO land');

# the name of the table referred to, for another one: ATTACH would plan a check of the old one
attempt($evil, 'BEGIN; ALTER TABLE home.account RENAME TO account_old; CREATE TABLE home.account (id int PRIMARY KEY, n int); GRANT SELECT, REFERENCES ON home.account TO tenant');
foreach my $table ('app.sale', 'app.self')
{
	$call = start('tenant', sprintf $create, $table, 0, 1);
	ok(waits($call), "a table referred to by $table gets another name: the call waits");
	last if $table eq 'app.self';
	attempt($evil, 'COMMIT');
	is(finish($call), '1', '... and ends');
	is(ran(), '', "... and no code of the stranger's has run");
	is($node->safe_psql('postgres', "SELECT count(*), min(confrelid::regclass::text) FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '$table'::regclass)"), '1|home.account_old', '... and the partition has the one key that its table has');
	attempt($evil, 'BEGIN; ALTER TABLE home.account_old ADD x int');
}
attempt($evil, 'COMMIT');
is(finish($call), '1', '... also with a key to the table itself');
attempt($evil, 'DROP TABLE home.account; ALTER TABLE home.account_old RENAME TO account');

# the name of its schema, and the table's place
attempt($evil, 'BEGIN; LOCK TABLE home.account');
$call = start('tenant', sprintf $create, 'app.sale', 1, 2);
ok(waits($call), 'a table referred to is locked: the call waits');
{
	my $rename = start('stranger', 'ALTER SCHEMA home RENAME TO house');

	ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_locks AS l JOIN pg_stat_activity AS s USING (pid) WHERE s.usename = 'stranger' AND NOT l.granted)), '... and its schema cannot be renamed');
	attempt($evil, 'COMMIT');
	is(finish($call), '1', '... so the call ends');
	is(finish($rename), '', '... before the schema gets the name');
	is(as('stranger', 'ALTER SCHEMA house RENAME TO home; CREATE SCHEMA other; GRANT USAGE ON SCHEMA other TO tenant'), '', '... and gets it back');
}
attempt($evil, 'BEGIN; ALTER TABLE home.account SET SCHEMA other');
$call = start('tenant', sprintf $create, 'app.sale', 2, 3);
ok(waits($call), 'a table referred to moves to another schema: the call waits');
attempt($evil, 'COMMIT');
like(finish($call), qr/ERROR:  55P03: table "account" was moved to another schema meanwhile/, '... and says so');
is(as('tenant', sprintf $create, 'app.sale', 2, 3), '1', '... and the next call succeeds');
as('stranger', 'ALTER TABLE other.account SET SCHEMA home');
is(ran(), '', "... and no code of the stranger's has run");
$evil->quit;

# ---------- names that change all the time ----------

# About 200 times a second, until the last call has ended.
$node->safe_psql('postgres', q(
	CREATE TABLE stop (); GRANT SELECT ON stop TO PUBLIC; CREATE SCHEMA spare; GRANT ALL ON SCHEMA spare, home TO tenant;
	CREATE PROCEDURE flip(command text) LANGUAGE plpgsql AS $$
	BEGIN
		LOOP
			BEGIN
				EXECUTE command;
			EXCEPTION WHEN deadlock_detected OR lock_not_available THEN
				NULL;
			END;
			COMMIT;
			EXIT WHEN EXISTS (SELECT FROM public.stop);
			PERFORM pg_sleep(random() * 0.005);
		END LOOP;
	END $$));
is(as('stranger', q(CREATE SCHEMA evil; GRANT ALL ON SCHEMA evil TO PUBLIC;
	CREATE VIEW evil.old AS SELECT 1 AS n, now() AS at, NULL::public.ulid AS id, '(0,1)'::tid AS ctid, 0::oid AS tableoid WHERE home.bait(1);
	CREATE TABLE evil.orders (id public.ulid, n int CHECK (home.bait(n))); CREATE TABLE home.other (id int PRIMARY KEY, n int); GRANT ALL ON evil.old, evil.orders, home.other TO PUBLIC)), '', 'objects to come instead of others');
{
	# Each is its own inverse.
	my %hostile = (
		'schemas are renamed' => [ 'stranger', 'ALTER SCHEMA land RENAME TO gone; ALTER SCHEMA evil RENAME TO land; ALTER SCHEMA gone RENAME TO evil' ],
		'a schema is dropped, and the drop is rolled back' => [ 'stranger', q(DO $d$ BEGIN DROP SCHEMA land CASCADE; RAISE division_by_zero; EXCEPTION WHEN division_by_zero THEN NULL; END $d$) ],
		'a table referred to is renamed' => [ 'stranger', 'ALTER TABLE home.account RENAME TO gone; ALTER TABLE home.other RENAME TO account; ALTER TABLE home.gone RENAME TO other' ],
		'tables move to another schema' => [ 'postgres', join '; ', map { ("ALTER TABLE land.$_ SET SCHEMA spare", "ALTER TABLE evil.$_ SET SCHEMA land", "ALTER TABLE spare.$_ SET SCHEMA evil") } 'old', 'orders' ],
		'owners change' => [ 'postgres', join '; ', map { my $to = $_; map { "ALTER TABLE $_ OWNER TO $to" } 'land.old', 'land.orders', 'app.sale' } 'stranger', 'tenant' ]);
	my %oid = map { $_ => $node->safe_psql('postgres', "SELECT '$_'::regclass::oid") } 'land.old', 'land.orders', 'app.sale';
	my @calls = (
		"CALL flakeid_backfill($oid{'land.old'}::regclass, 'id', 'at', batch => 20)",
		(map { ("CALL flakeid_maintain($_\::regclass, '1 day', 4, '2 days')", "SELECT count(*) FROM flakeid_create_partitions($_\::regclass, $today - interval '9 days', $today - interval '5 days', '1 day')",
			"SELECT count(*) FROM flakeid_drop_partitions($_\::regclass, now() - interval '1 day')", "SELECT count(*) FROM flakeid_partitions($_\::regclass, '1 day')", "SELECT count(*) FROM flakeid_drop_partitions($_\::regclass, now() + interval '9 days')") } @oid{'land.orders', 'app.sale'}),
		"SELECT count(*) FROM flakeid_guess($oid{'land.old'}::regclass, 'id')");

	foreach my $name (sort keys %hostile)
	{
		my ($by, $command) = @{ $hostile{$name} };
		my $said = '';
		my $flips;

		is(as('tenant', 'UPDATE land.old SET id = NULL'), '', "$name: rows without IDs");
		$node->safe_psql('postgres', 'TRUNCATE stop');
		$flips = start($by, 'SET lock_timeout = 100', 'SET client_min_messages = error', "CALL flip(\$f\$$command\$f\$)");
		$said .= as($_, 'SET lock_timeout = 200', 'SET client_min_messages = warning', @calls) foreach ('tenant', 'postgres') x whole_or_short(5, 2);
		$node->safe_psql('postgres', 'INSERT INTO stop DEFAULT VALUES');
		is(finish($flips), '', "$name, all the time");
		is(ran(), '', "... and no code of the stranger's runs");
		unlike($said, qr/ERROR:  \w{5}: (?!not all partitions|must be owner|tables .* have different owners|canceling statement due to lock timeout|deadlock detected|table .* was moved|schema .* was renamed|relation .* does not exist)/, '... and calls end, or say why not')
		  or diag join "\n", grep { /ERROR/ } split /\n/, $said;
		$node->safe_psql('postgres', $command) if $node->safe_psql('postgres', "SELECT to_regclass('land.old') <> $oid{'land.old'}") eq 't';
	}
	is($node->safe_psql('postgres', "SELECT string_agg(c.conname, ', ') FROM pg_constraint AS c WHERE c.contype = 'c' AND c.conrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent IN ($oid{'land.orders'}, $oid{'app.sale'}))"), '', 'no partition has a CHECK of the stranger');
	is($node->safe_psql('postgres', "SELECT count(*) FROM land.old WHERE id IS NULL"), '0', 'and all rows have IDs in the end')
	  if as('tenant', $calls[0]) !~ /ERROR/;
}

# ---------- names that say something else ----------

foreach my $name (q(we"ird '%s%1$I $$ a.b \\), '"; SELECT home.bait(1); --', "two\nlines", 'x' x 63, "\x{c3}\x{a9}" x 31 . '"')
{
	my $quoted = '"' . $name =~ s/"/""/gr . '"';
	my $literal = "E'" . "$quoted.$quoted" =~ s/\\/\\\\/gr =~ s/'/''/gr . "'";
	my $said;

	is(as('stranger', "CREATE SCHEMA $quoted; GRANT ALL ON SCHEMA $quoted TO tenant"), '', "a schema with a name of " . length($name) . ' bytes');
	is(as('tenant', "SET client_min_messages = warning; CREATE TABLE $quoted.$quoted ($quoted ulid PRIMARY KEY, at timestamptz) PARTITION BY RANGE ($quoted);
		CREATE TABLE $quoted.old ($quoted int PRIMARY KEY, at timestamptz UNIQUE, id ulid UNIQUE); INSERT INTO $quoted.old SELECT n, now() - n * interval '1 s' FROM generate_series(1, 9) AS n"), '', '... with a table and a column');
	$said = as('postgres', 'SET client_min_messages = warning', "CALL flakeid_maintain($literal, '1 day')", "INSERT INTO $quoted.$quoted VALUES (ulid_new(), now())", "SELECT count(*) FROM flakeid_create_partitions($literal, $today - interval '3 days', $today - interval '1 day', '1 day')",
		"SELECT count(*) FROM flakeid_drop_partitions($literal, $today - interval '2 days')", "SELECT format FROM flakeid_guess($literal, " . ($literal =~ s/^(E').*?(?<=")\.(?=")/$1/sr) . ", 'at') LIMIT 0", "CALL flakeid_backfill(" . ($literal =~ s/(?<=")\.".*'$/.old'/sr) . ", 'id', 'at')", "SELECT count(id) FROM $quoted.old");
	is($said, "2\n1\n9", '... on which everything works');
	is(ran(), '', "... and no code of the stranger's runs");
}

# ---------- types in pg_temp ----------

# Row triggers of the owner's make all that a session's later statements could find.
$node->safe_psql('postgres', 'CREATE SCHEMA m AUTHORIZATION stranger');
is(as('stranger', q(
	CREATE TABLE m.b (n int PRIMARY KEY, at timestamptz UNIQUE, id ulid UNIQUE); INSERT INTO m.b SELECT n, now() - n * interval '1 min' FROM generate_series(1, 3) AS n;
	CREATE TABLE m.made (what text);
	CREATE FUNCTION m.make(command text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE command; INSERT INTO m.made VALUES (command); EXCEPTION WHEN OTHERS THEN NULL; END $$;
	CREATE FUNCTION m.same(jsonb) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN PERFORM home.act(); RETURN true; END $$;
	CREATE FUNCTION m.make_all() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM m.make(command) FROM unnest(ARRAY['CREATE DOMAIN pg_temp.jsonb AS pg_catalog.jsonb CHECK (home.bait(1))', 'CREATE DOMAIN pg_temp.uuid AS pg_catalog.uuid CHECK (home.bait(1))', 'CREATE TYPE pg_temp.text AS ENUM ()', 'CREATE TYPE pg_temp.int8range AS RANGE (SUBTYPE = int8)', 'CREATE TYPE pg_temp.bool AS (n int)', 'CREATE TEMP TABLE date (n int)',
			'CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE sql AS ''SELECT home.act(); SELECT pg_catalog.now()''', 'CREATE FUNCTION pg_temp.lower(text) RETURNS text LANGUAGE sql AS ''SELECT home.act(); SELECT $1''', 'CREATE OPERATOR pg_temp.!! (RIGHTARG = jsonb, FUNCTION = m.same)']) AS command;
		RETURN NEW;
	END $$;
	CREATE TRIGGER w BEFORE UPDATE ON m.b FOR EACH ROW EXECUTE FUNCTION m.make_all())), '', 'a table with triggers that make objects in pg_temp');
ran();
like(as('postgres', q(CALL flakeid_backfill('m.b', 'id', 'at')), q(SELECT t.oid::regtype FROM pg_type AS t WHERE t.typnamespace = pg_my_temp_schema()), q(SELECT '{}'::jsonb, '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid, lower('A'::text), now() IS NULL, true::bool, 'done', (SELECT count(id) FROM m.b))),
	qr/^\{\}\|017f22e2-79b0-7cc3-98c4-dc0c0c07398f\|a\|f\|t\|done\|3$/, "a superuser fills a stranger's table: the session has no new types");
is(ran(), '', "... and no code of the stranger's runs in what follows");
is($node->safe_psql('postgres', q(SELECT count(DISTINCT what) > 1 FROM m.made)), 't', '... though it made what is found by nothing but its full name');
is(as('stranger', 'TRUNCATE m.made; UPDATE m.b SET id = NULL', q(CALL flakeid_backfill('m.b', 'id', 'at')), q(SELECT count(DISTINCT what) FILTER (WHERE what ~ 'DOMAIN|TYPE|TABLE') FROM m.made), 'SELECT count(id) FROM m.b'), "6\n3", "the owner's own calls make them");

# ---------- a schema that was added to the extension ----------

foreach my $schema ('_flakeid_functions', '_flakeid')
{
	my $database = "added$schema";
	my $said;
	my $psql = sub { my ($role, $sql) = @_; my ($rc, $out, $err) = $node->psql($database, $sql, extra_params => [ '-U', $role ], on_error_stop => 0); return $out . $err; };

	$node->safe_psql('postgres', $_) foreach "CREATE DATABASE $database", "GRANT CREATE ON DATABASE $database TO stranger";
	is($psql->('stranger', 'CREATE SCHEMA f; CREATE EXTENSION flakeid SCHEMA f; GRANT USAGE ON SCHEMA f TO PUBLIC'), '', "schema $schema: the extension is a stranger's");
	is($psql->('postgres', 'CREATE TABLE u (id uuid); INSERT INTO u VALUES (f.uuid7_new()); CREATE TABLE mine (id f.sno) PARTITION BY RANGE (id); CREATE TABLE ran (who name); GRANT ALL ON ran TO PUBLIC;
		CREATE FUNCTION note() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.ran VALUES (current_user); RETURN true; END $$;' . " ALTER SCHEMA $schema RENAME TO renamed"), '', '... a superuser renames it');
	is($psql->('stranger', "CREATE SCHEMA $schema; GRANT USAGE ON SCHEMA $schema TO PUBLIC; ALTER EXTENSION flakeid ADD SCHEMA $schema;
		CREATE TABLE $schema.mark (LIKE renamed.mark)" =~ s/renamed/$schema eq '_flakeid' ? 'renamed' : '_flakeid'/er =~ s/CREATE TABLE .*//r .
		"CREATE FUNCTION $schema.is_uuid7(uuid) RETURNS bool LANGUAGE plpgsql AS \$\$ BEGIN RETURN public.note(); END \$\$;
		CREATE FUNCTION $schema.flakeid_doctor_memory(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record LANGUAGE plpgsql AS \$\$ BEGIN PERFORM public.note(); END \$\$;
		CREATE FUNCTION $schema.flakeid_library() RETURNS bool LANGUAGE plpgsql AS \$\$ BEGIN RETURN public.note(); END \$\$;
		CREATE FUNCTION $schema.flakeid_mark_take_over() RETURNS bool LANGUAGE plpgsql AS \$\$ BEGIN RETURN public.note(); END \$\$;
		CREATE PROCEDURE $schema.flakeid_maintain_as_caller(parent regclass, step interval, ahead int, retain interval, detach boolean, layout text) LANGUAGE plpgsql AS \$\$ BEGIN PERFORM public.note(); END \$\$;
		CREATE TABLE $schema.mark (kind bigint, current bigint); ALTER EXTENSION flakeid ADD TABLE $schema.mark; CREATE TABLE $schema.horizon (system bigint); ALTER EXTENSION flakeid ADD TABLE $schema.horizon"), '', '... and the stranger adds one of that name to the extension');
	is($psql->('postgres', q(SELECT count(*) FROM u WHERE f.uuid7_timestamp(id) > now() - interval '1 day')), '1', '... queries answer');
	if ($schema eq '_flakeid_functions')
	{
		like($psql->('postgres', q(CALL f.flakeid_maintain('mine', '1 day'))), qr/ERROR:  schema "_flakeid_functions" is not the extension's/, '... calls say that it is not ours');
		like($psql->('postgres', 'SELECT severity, finding FROM f.flakeid_doctor()'), qr/^error\|.*schema "_flakeid_functions" is not the extension's/, '... and so does the doctor');
	}
	else
	{
		$node->restart;
		like($psql->('postgres', 'SELECT f.ulid_new()'), qr/ERROR:  .*_flakeid\.mark/, '... generators do not take its table for the mark');
	}
	is($psql->('postgres', 'SELECT DISTINCT who FROM ran'), '', "... and no code of the stranger's runs");
}

$node->stop;
done_testing();
