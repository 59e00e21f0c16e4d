# Whose rights: work on a table for callers who have its owner's privileges runs as the owner, in
# a security-restricted operation.  Whatever the owner has put into the table, and whoever makes
# whom a member of what, no code runs with the caller's rights.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('rights', server => [ "timezone = 'UTC'" ]);

# The answer of statements as a role, errors included.
sub as
{
	my ($role, $sql) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ], on_error_stop => 0);

	return $out . $err;
}

# The roles as which the bait has run since the last call, and what it could do as them.
sub ran
{
	my $ran = $node->safe_psql('postgres', q(SELECT string_agg(DISTINCT who || ' ' || what, ', ' ORDER BY who || ' ' || what) FROM ran));

	$node->safe_psql('postgres', 'TRUNCATE ran');
	return $ran;
}

my $today = "date_trunc('day', now())";
my @calls = (q(CALL flakeid_maintain('m.t', '1 day', 3, '2 days')), q(SELECT * FROM flakeid_partitions('m.t', '1 day', 3, '2 days')),
	"SELECT flakeid_create_partitions('m.t', $today + interval '7 days', $today + interval '8 days', '1 day')", "SELECT flakeid_drop_partitions('m.t', now() - interval '1 day')");

# The bait tries to get at other rights, and notes as whom it runs and what it could do.
$node->safe_psql('postgres', q(
	CREATE ROLE app_owner LOGIN; CREATE ROLE mallory LOGIN; CREATE ROLE victim LOGIN; GRANT app_owner TO mallory WITH ADMIN OPTION;
	CREATE SCHEMA m AUTHORIZATION app_owner; GRANT ALL ON SCHEMA m TO mallory; GRANT USAGE ON SCHEMA m TO PUBLIC; CREATE SCHEMA app AUTHORIZATION victim; GRANT USAGE ON SCHEMA app TO app_owner, mallory;
	CREATE TABLE ran (who name, what text); GRANT ALL ON ran TO PUBLIC));
sub setup
{
	my ($role, $sql) = @_;
	my $said = as($role, "SET client_min_messages = error; $sql");

	die $said if $said =~ /ERROR/;
	return;
}

setup('app_owner', q(
	CREATE FUNCTION m.try(what text, statement text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE statement;
		INSERT INTO public.ran VALUES (current_user, what);
	EXCEPTION WHEN OTHERS THEN
		IF SQLERRM !~ 'within security-restricted operation|permission denied' THEN RAISE WARNING 'unexpected: %', SQLERRM; END IF;
	END $$;
	CREATE FUNCTION m.act() RETURNS int LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO public.ran VALUES (current_user, 'ran');
		PERFORM m.try('reset role', 'RESET ROLE'), m.try('set role', 'SET ROLE postgres'), m.try('set session', 'SET SESSION AUTHORIZATION DEFAULT');
		PERFORM m.try('temp', 'CREATE TEMP TABLE IF NOT EXISTS bait (n int)'), m.try('prepare', 'DEALLOCATE ALL');
		IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN ALTER ROLE mallory SUPERUSER; END IF;
		RETURN 1;
	END $$;
	CREATE FUNCTION m.bait() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN m.act(); END $$;
	CREATE FUNCTION m.fire() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM m.act(); RETURN NEW; END $$;
	CREATE FUNCTION m.bait_table(name text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE format('CREATE TABLE %s (id ulid DEFAULT ulid_new(), n int DEFAULT m.bait() CHECK (n > m.bait() - 2)) PARTITION BY RANGE (id)', name);
		PERFORM flakeid_create_partitions(name::regclass, date_trunc('day', now()) - interval '6 days', now(), '1 day');
		EXECUTE format('CREATE INDEX ON %1$s ((n + m.bait())); CREATE INDEX ON %1$s (id) WHERE n > m.bait(); CREATE TABLE %1$s_rest PARTITION OF %1$s DEFAULT', name);
		EXECUTE format('CREATE TRIGGER t BEFORE INSERT OR UPDATE OR DELETE ON %1$s FOR EACH ROW EXECUTE FUNCTION m.fire(); CREATE CONSTRAINT TRIGGER d AFTER INSERT ON %1$s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION m.fire()', name);
		EXECUTE format('ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY p ON %1$s USING (n > m.bait()) WITH CHECK (true)', name);
		EXECUTE format('INSERT INTO %s SELECT ulid_new_at(now() - n * interval ''1 day'') FROM generate_series(0, 6) AS n', name);
	END $$;
	SELECT m.bait_table('m.t')));
like(ran(), qr/app_owner ran/, 'the bait runs while its owner makes the table');

# ---------- a superuser, and members, also those whom the owner has made one ----------

foreach my $call (@calls)
{
	unlike(as('postgres', $call), qr/ERROR|WARNING/, "a superuser may: $call");
	like(ran(), qr/^(?:|app_owner ran)$/, "... and the owner's code runs as the owner, restricted: $call");
}
is(as('mallory', 'GRANT app_owner TO postgres, victim'), '', 'mallory makes a superuser and a victim members of the owning role');
setup('app_owner', q(SELECT m.bait_table('m.again')));
ran();
foreach my $role ('postgres', 'victim')
{
	foreach my $call (map { s/m\.t/m.again/r } @calls)
	{
		unlike(as($role, $call), qr/ERROR|WARNING/, "$role, a member by mallory's grant, may: $call");
		like(ran(), qr/^(?:|app_owner ran)$/, "... and the owner's code runs as the owner, restricted: $call");
	}
}
is($node->safe_psql('postgres', q(SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory')), 'f', 'mallory is no superuser');
$node->safe_psql('postgres', 'REVOKE app_owner FROM postgres, victim');

# a foreign key to the victim's table, by a table of a role of which the victim becomes a member
setup('victim', q(CREATE TABLE app.orders (id ulid PRIMARY KEY, n int) PARTITION BY RANGE (id);
	SELECT count(*) FROM flakeid_create_partitions('app.orders', date_trunc('day', now()) - interval '5 days', now(), '1 day');
	INSERT INTO app.orders SELECT ulid_new_at(now() - n * interval '12 hours'), 1 FROM generate_series(0, 9) AS n; GRANT REFERENCES, SELECT ON app.orders TO app_owner));
setup('app_owner', q(CREATE TABLE m.ref (id ulid REFERENCES app.orders, n int DEFAULT 1); CREATE INDEX ON m.ref ((n + m.bait())); GRANT SELECT ON m.ref TO PUBLIC));
ran();
foreach my $member (0, 1)
{
	$node->safe_psql('postgres', 'GRANT app_owner TO victim') if $member;
	like(as('victim', q(CALL flakeid_maintain('app.orders', '1 day', 2, '2 days'))), qr/ERROR:  55000: .*partition "app\.orders_\d+" has foreign keys from table "m\.ref", which belongs to another role/, "a foreign key from another role's table" . ($member ? ', of which the caller is a member' : ''));
	like(as('victim', q(SELECT flakeid_drop_partitions('app.orders', now()))), qr/ERROR:  42501: partition .* has foreign keys/, '... flakeid_drop_partitions');
	is(ran() // '', '', '... and its code does not run');
}
$node->safe_psql('postgres', 'REVOKE app_owner FROM victim');

# ... by a table of the victim with a partition of another role
setup('victim', q(CREATE TABLE app.kept (id ulid PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE app.line (n int, id ulid REFERENCES app.kept) PARTITION BY LIST (n); CREATE TABLE app.line_1 PARTITION OF app.line FOR VALUES IN (1);
	SELECT count(*) FROM flakeid_create_partitions('app.kept', date_trunc('day', now()) - interval '5 days', now(), '1 day'); INSERT INTO app.kept SELECT ulid_new_at(now() - n * interval '12 hours') FROM generate_series(0, 9) AS n));
$node->safe_psql('postgres', 'ALTER TABLE app.line_1 OWNER TO app_owner; GRANT CREATE ON SCHEMA app TO app_owner');
setup('app_owner', q(CREATE INDEX ON app.line_1 ((n + m.bait()))));
ran();
like(as('victim', q(CALL flakeid_maintain('app.kept', '1 day', 2, '2 days'))), qr/has foreign keys from table "app\.line_1", which belongs to another role/, 'a foreign key from a table with a partition of another role');
is(ran() // '', '', '... whose code does not run');

# a foreign key of the victim's table to another role's, which a partition has as if it were created in place
# (old minor releases also have one to each partition of the other table)
setup('app_owner', q(CREATE TABLE m.account (id int PRIMARY KEY, n int); INSERT INTO m.account VALUES (1); CREATE TABLE m.place (id int PRIMARY KEY, n int) PARTITION BY RANGE (id); CREATE TABLE m.place_1 PARTITION OF m.place DEFAULT;
	GRANT SELECT, REFERENCES ON m.account, m.place TO victim));
setup('victim', q(CREATE TABLE app.sale (id ulid, account int CONSTRAINT "to whom" REFERENCES m.account ON DELETE CASCADE, place int REFERENCES m.place, before ulid, PRIMARY KEY (id), FOREIGN KEY (before) REFERENCES app.sale DEFERRABLE) PARTITION BY RANGE (id)));
setup('app_owner', q(CREATE INDEX ON m.account ((n + m.bait())); CREATE INDEX ON m.place ((n + m.bait()))));
ran();
like(as('victim', q(CALL flakeid_maintain('app.sale', '1 day'))), qr/^(?!.*ERROR)/s, "a foreign key to another role's table");
is(ran() // '', '', '... whose code does not run');
$node->safe_psql('postgres', q(CREATE TABLE app.in_place PARTITION OF app.sale DEFAULT));
is($node->safe_psql('postgres', q(SELECT count(DISTINCT keys), count(*) FROM (
	SELECT string_agg(concat_ws(' ', k.confrelid::regclass, k.conparentid, pg_get_constraintdef(k.oid)), ', ' ORDER BY k.conparentid) AS keys
	FROM pg_inherits AS i JOIN pg_constraint AS k ON k.conrelid = i.inhrelid AND k.contype = 'f' WHERE i.inhparent = 'app.sale'::regclass
		AND NOT EXISTS (SELECT FROM pg_constraint AS p WHERE p.oid = k.conparentid AND p.conrelid = k.conrelid) GROUP BY i.inhrelid) AS p)), '1|4', '... and which all partitions have, as one created in place');
like(as('victim', q(INSERT INTO app.sale VALUES (ulid_new(), 2))), qr/violates foreign key constraint "to whom"/, '... by its name');
ran();

# ---------- trees of several owners ----------

# a superuser's parent with a stranger's partition, and a stranger's parent of an own table
$node->safe_psql('postgres', q(CREATE TABLE parent (id ulid, n int) PARTITION BY RANGE (id); SELECT count(*) FROM flakeid_create_partitions('parent', date_trunc('day', now()) - interval '5 days', now(), '1 day');
	CREATE TABLE top (id ulid, n int) PARTITION BY LIST (n); CREATE TABLE below PARTITION OF top FOR VALUES IN (1) PARTITION BY RANGE (id);
	GRANT CREATE ON SCHEMA public TO app_owner; CREATE FUNCTION first_of_parent() RETURNS text LANGUAGE sql AS $$ SELECT min(relid::regclass::text) FROM pg_partition_tree('parent') WHERE isleaf $$;
	DO $$ BEGIN EXECUTE format('ALTER TABLE %s OWNER TO app_owner; ALTER TABLE %1$s ADD CHECK (n > 0)', first_of_parent()); END $$; ALTER TABLE top OWNER TO app_owner));
setup('app_owner', q(DO $$ BEGIN EXECUTE format('CREATE INDEX ON %s ((n + m.bait()))', public.first_of_parent()); END $$));
ran();
foreach my $case ([ 'parent', 'parent_\d+' ], [ 'below', 'top' ])
{
	my ($table, $other) = @$case;

	foreach my $call (map { s/m\.t\b/$table/r } @calls)
	{
		like(as('postgres', $call), qr/ERROR:  42501: tables "$table" and "$other" have different owners\nDETAIL:  Their owners are roles "postgres" and "app_owner"\./, "refused, naming the table of another owner: $call");
	}
}
is(ran() // '', '', 'and no code of the other owner has run');

# the owner may not create in the schema
$node->safe_psql('postgres', q(CREATE ROLE poor LOGIN; CREATE SCHEMA rich; CREATE TABLE rich.t (id sno) PARTITION BY RANGE (id); ALTER TABLE rich.t OWNER TO poor; GRANT USAGE ON SCHEMA rich TO poor));
like(as('postgres', q(CALL flakeid_maintain('rich.t', '1 day'))), qr/ERROR:  55000: .*permission denied for schema rich/, 'a superuser has no more rights than the owner');

is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_roles WHERE rolname <> 'postgres' AND rolsuper AND oid > 16000)), '0', 'nobody has become a superuser');

# ---------- the owner, by login and otherwise ----------

# temporary objects in a trigger for DDL, which a superuser has to make
$node->safe_psql('postgres', q(SET ROLE victim; CREATE TABLE app.own (id sno) PARTITION BY RANGE (id); RESET ROLE;
	CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN CREATE TEMP TABLE IF NOT EXISTS noted (n int); INSERT INTO public.ran VALUES (current_user, 'temp'); END $$;
	CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION note()));
like(as('postgres', q(CALL flakeid_maintain('app.own', '1 day', ahead => 0))), qr/ERROR:  55000: .*cannot create temporary table within security-restricted operation/, 'a caller other than the owner is restricted');
like(as('postgres', q(SET ROLE victim; CALL flakeid_maintain('app.own', '1 day', ahead => 0))), qr/cannot create temporary table within security-restricted operation/, 'so is one who has become the owner by SET ROLE');
like(as('postgres', q(SET SESSION AUTHORIZATION victim; CALL flakeid_maintain('app.own', '1 day', ahead => 0))), qr/cannot create temporary table within security-restricted operation/, '... or by SET SESSION AUTHORIZATION');
unlike(as('victim', q(CALL flakeid_maintain('app.own', '1 day', ahead => 0))), qr/ERROR/, 'the owner is not');
is(ran(), 'victim temp', '... and everything in the table works as usual');
$node->safe_psql('postgres', 'DROP EVENT TRIGGER note');

# after an error, the session has its user and settings again
is(as('postgres', qq(SET search_path = app, public; SET row_security = on; DO \$\$ BEGIN PERFORM flakeid_create_partitions('rich.t', now(), now() + interval '1 day', '1 day'); EXCEPTION WHEN OTHERS THEN NULL; END \$\$;
	SELECT current_user, current_setting('search_path'), current_setting('row_security'); CREATE TEMP TABLE allowed (n int); $calls[1] LIMIT 0; SELECT current_user, current_setting('search_path'))), "postgres|app, public|on\npostgres|app, public", 'an error, and success, leave the caller as before');

# ---------- what a column holds ----------

# The casts of a stranger's types run as the owner of the table, not as the role that asks for its format.
setup('app_owner', q(CREATE TYPE m.pair AS (t text); CREATE FUNCTION m.text_of(m.pair) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM m.act(); RETURN ($1).t; END $$;
	CREATE FUNCTION m.time_of(m.pair) RETURNS timestamptz LANGUAGE plpgsql AS $$ BEGIN PERFORM m.act(); RETURN now(); END $$;
	CREATE CAST (m.pair AS text) WITH FUNCTION m.text_of(m.pair); CREATE CAST (m.pair AS timestamptz) WITH FUNCTION m.time_of(m.pair); CREATE DOMAIN m.hidden AS m.pair;
	CREATE TABLE m.guessed (id m.pair, at m.hidden); INSERT INTO m.guessed VALUES (ROW(ulid_new()::text), ROW('x')); GRANT SELECT ON m.guessed TO PUBLIC));
ran();
like(as('postgres', q(SELECT format FROM flakeid_guess('m.guessed', 'id'))), qr/^ulid$/m, "a cast of the owner's: flakeid_guess() uses it");
is(ran(), 'app_owner ran', '... as the owner, restricted');
like(as('postgres', q(SELECT * FROM flakeid_guess('m.guessed', 'id', 'at'))), qr/ERROR:  42809: column "at" does not hold the time/, '... and none for the time');
like(as('mallory', q(SELECT * FROM flakeid_guess('app.own', 'id'))), qr/ERROR:  42501: (?:must be owner of table "own"|permission denied for schema app)/, '... for nobody but who has the privileges of the owner');
is(ran() // '', '', '... whose code did not run again');

# ---------- backfills ----------

# Row triggers, a CHECK and indexes of the owner's run when a superuser fills a column.
setup('app_owner', q(CREATE TABLE m.filled (n int PRIMARY KEY CHECK (n > m.bait() - 2), at timestamptz, id ulid); CREATE INDEX ON m.filled (at); CREATE INDEX ON m.filled (id); CREATE INDEX ON m.filled ((n + m.bait()));
	INSERT INTO m.filled SELECT n, now() - n * interval '1 day' FROM generate_series(1, 5) AS n; CREATE TRIGGER b BEFORE UPDATE ON m.filled FOR EACH ROW EXECUTE FUNCTION m.fire();
	ALTER TABLE m.filled ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON m.filled USING (n > m.bait()) WITH CHECK (true)));
# (the victim is still a member of the owner's role from 16 on: each grantor has to revoke)
$node->safe_psql('postgres', 'CREATE ROLE outsider LOGIN; GRANT USAGE ON SCHEMA m TO outsider');
foreach my $role ('postgres', 'outsider')
{
	ran();
	my $call = q(CALL flakeid_backfill('m.filled', 'id', 'at'));
	if ($role eq 'postgres')
	{
		like(as($role, $call), qr/^(?!.*(?:ERROR|WARNING)).*NOTICE: .*5 rows/s, "a superuser may: $call");
		is(ran(), 'app_owner ran', "... and the owner's code runs as the owner, restricted: $call");
	}
	else
	{
		like(as($role, $call), qr/ERROR:  42501: must be owner of table "filled"/, "a stranger may not: $call");
		is(ran() // '', '', "... and no code of the owner's runs: $call");
	}
}
setup('app_owner', q(ALTER TABLE m.filled DISABLE TRIGGER b; UPDATE m.filled SET id = NULL; CREATE CONSTRAINT TRIGGER d AFTER UPDATE ON m.filled DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION m.fire()));
ran();
like(as('postgres', q(CALL flakeid_backfill('m.filled', 'id', 'at'))), qr/ERROR:  .*cannot fire deferred trigger within security-restricted operation/, 'a deferred trigger does not wait for the commit, with the rights of a superuser');
is(ran() // '', '', '... which undoes what ran');

# ---------- the internal functions ----------

# called by their names they do nothing for others' tables
foreach my $call (q(flakeid_partitions_as_owner('app.own', '1 day', 1, '0', false, '')), q(flakeid_create_partitions_as_owner('app.own', now(), now() + interval '1 day', '1 day', '')), q(flakeid_drop_partitions_as_owner('app.own', now(), '', false)),
	q(flakeid_remove_partition_as_owner('app.own', 'app.own'::regclass, now(), now(), false)), q(flakeid_hold('app.own', true)), q(flakeid_lock_backfill('app.own')),
	q(flakeid_backfill_batch_as_owner('app.own', 'id', 'id', 1, -1, 0, '', '', '', -1)))
{
	foreach my $role ('postgres', 'mallory')
	{
		like(as($role, "SELECT * FROM _flakeid_functions.$call"), qr/ERROR:  42501: (?:must be owner of table "own"|permission denied for schema app)/, "the work itself is the owner's, $role: $call");
	}
}
like(as('mallory', q(SELECT _flakeid_functions.flakeid_remove_partition('app.own', 'app.own'::regclass, now(), now(), false))), qr/ERROR:  42501: must be owner of table "own"/, 'and what calls it asks for the privileges');

# The schema of the internal functions is renamed, and a stranger makes one of its name.
$node->safe_psql('postgres', 'GRANT CREATE ON DATABASE postgres TO mallory; CREATE TABLE u (id uuid); INSERT INTO u VALUES (uuid7_new()); ALTER SCHEMA _flakeid_functions RENAME TO renamed; CREATE TABLE mine (id sno) PARTITION BY RANGE (id)');
as('mallory', q(CREATE SCHEMA _flakeid_functions; GRANT USAGE ON SCHEMA _flakeid_functions TO PUBLIC;
	CREATE FUNCTION _flakeid_functions.note() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.ran VALUES (current_user, 'stranger'); RETURN true; END $$;
	CREATE FUNCTION _flakeid_functions.is_uuid7(uuid) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN PERFORM _flakeid_functions.note(); RETURN true; END $$;
	CREATE FUNCTION _flakeid_functions.flakeid_home() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM _flakeid_functions.note(); RETURN 'public'; END $$;
	CREATE PROCEDURE _flakeid_functions.flakeid_maintain_as_caller(parent regclass, step interval, ahead int, retain interval, detach boolean, layout text) LANGUAGE plpgsql AS $$ BEGIN PERFORM _flakeid_functions.note(); END $$;
	CREATE FUNCTION _flakeid_functions.flakeid_partitions_as_owner(parent regclass, step interval, ahead int, retain interval, detach boolean, layout text) RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN PERFORM _flakeid_functions.note(); END $$;
	CREATE FUNCTION _flakeid_functions.flakeid_own_horizon(text) RETURNS timestamptz LANGUAGE plpgsql AS $$ BEGIN PERFORM _flakeid_functions.note(); RETURN now(); END $$;
	CREATE FUNCTION _flakeid_functions.flakeid_doctor_memory(OUT severity text, OUT subject text, OUT finding text, OUT fix text) RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN PERFORM _flakeid_functions.note(); END $$));
is(as('postgres', q(SELECT count(*) FROM u WHERE uuid7_timestamp(id) > now() - interval '1 day')), '1', 'a renamed schema: queries answer');
like(as('postgres', $_), qr/ERROR:  55000: schema "_flakeid_functions" is not the extension's\nHINT:  Give the schemas of flakeid their names again\./, "a renamed schema: $_")
  foreach (map { s/m\.t\b/mine/r } @calls), q(SELECT * FROM flakeid_guess('hello')), q(SELECT * FROM flakeid_guess('u', 'id')), q(CALL flakeid_publish_horizon());
# a missing library must not keep the doctor from answering, so it looks for itself
is(as('postgres', 'SELECT severity, subject, finding FROM flakeid_doctor()'), q(error|flakeid|The generators and flakeid_clock report: schema "_flakeid_functions" is not the extension's. Give the schemas of flakeid their names again.), 'a renamed schema: the doctor says so');
is(ran() // '', '', "a renamed schema: the stranger's functions do not run");
$node->safe_psql('postgres', 'DROP SCHEMA _flakeid_functions CASCADE; ALTER SCHEMA renamed RENAME TO _flakeid_functions');
unlike(as('postgres', q(CALL flakeid_maintain('mine', '1 day'))), qr/ERROR/, 'the schema has its name again: it works');

$node->stop;
done_testing();
