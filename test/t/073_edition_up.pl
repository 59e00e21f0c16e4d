# From the SQL edition to the C edition and back: tables, views, defaults and indexes stay; what a
# stranger or the former owner has added to an object makes the move fail, whenever it was added.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use Flakeid::Edition;

use constant UP => q(CREATE EXTENSION flakeid SCHEMA app VERSION 'sql'; ALTER EXTENSION flakeid UPDATE);

my $files = edition_files();
my $edition = 'SET search_path = app;' . slurp_file("$files/flakeid.sql");
my $node = new_server('edition_up', extension => 0, init => { allows_streaming => 1 });
my $databases = 0;

# What psql says about a statement of a role, errors included.
sub as
{
	my ($database, $role, $sql) = @_;
	my ($rc, $out, $err) = $node->psql($database, $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ], on_error_stop => 0);

	return $out . $err =~ s/^psql:<stdin>:\d+: //gmr;
}

$node->safe_psql('postgres', 'CREATE ROLE app LOGIN; CREATE ROLE mallory LOGIN; CREATE ROLE other; CREATE ROLE boss SUPERUSER LOGIN');

# A database in which "app" has the SQL edition, and may create an extension.
sub database
{
	my $name = 'd' . ++$databases;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql('postgres', "GRANT CREATE ON DATABASE $name TO app");
	$node->safe_psql($name, 'CREATE SCHEMA app AUTHORIZATION app; GRANT ALL ON SCHEMA app TO PUBLIC');
	is(as($name, 'app', $edition), '', "$name: the SQL edition");
	return $name;
}

# ---------- up ----------

foreach my $role ('app', 'boss')
{
	my $db = database();

	as($db, 'app', q(CREATE TABLE app.orders (id uuid PRIMARY KEY DEFAULT app.uuid7_new(), n int, at timestamptz GENERATED ALWAYS AS (app.uuid7_timestamp(id)) STORED);
		INSERT INTO app.orders (n) SELECT n FROM generate_series(1, 1000) AS n; ANALYZE app.orders;
		CREATE VIEW app.o AS SELECT *, app.uuid7_timestamp(id) AS created_at FROM app.orders;
		CREATE VIEW app.recent AS SELECT * FROM app.orders WHERE id >= app.uuid7_min(now() - interval '1 day');
		CREATE VIEW app.late AS SELECT * FROM app.orders WHERE app.uuid7_timestamp(id) >= now() - interval '1 hour';
		CREATE INDEX made ON app.orders (app.uuid7_timestamp(id));
		CREATE TABLE app.notes (id uuid PRIMARY KEY DEFAULT app.uuid7_new(), n int, CHECK (app.uuid7_timestamp(id) IS NOT NULL));
		CREATE INDEX part ON app.notes (n) WHERE app.uuid7_timestamp(id) >= timestamptz '2026-03-01Z';
		INSERT INTO app.notes (n) SELECT n FROM generate_series(1, 1000) AS n; ANALYZE app.notes;
		CREATE VIEW app.late_notes AS SELECT * FROM app.notes WHERE app.uuid7_timestamp(id) >= now() - interval '1 hour';
		CREATE POLICY late ON app.notes USING (app.uuid7_timestamp(id) >= timestamptz '2026-01-02Z');
		GRANT USAGE ON SCHEMA app TO PUBLIC; ALTER TABLE app.notes ENABLE ROW LEVEL SECURITY;
		GRANT EXECUTE ON FUNCTION app.uuid7_min(timestamptz) TO mallory WITH GRANT OPTION;
		REVOKE EXECUTE ON FUNCTION app.uuid7_max(timestamptz) FROM PUBLIC));
	as($db, 'mallory', 'GRANT EXECUTE ON FUNCTION app.uuid7_min(timestamptz) TO other');
	if ($role eq 'boss')
	{
		like(as($db, 'boss', UP), qr/^ERROR:  42501: FUNCTION app\.\S+ belongs to another role/, 'a superuser does not take what belongs to others');
		$node->safe_psql($db, 'REASSIGN OWNED BY app TO boss');
	}
	like(as($db, $role, 'CREATE EXTENSION flakeid SCHEMA app'), qr/^ERROR:  42723: function "\w+" already exists/, "$role: without VERSION the extension takes nothing that is there");
	is(as($db, $role, UP), '', "$role: moves up");
	is($node->safe_psql($db, q(SELECT extversion FROM pg_extension WHERE extname = 'flakeid')), '1.0', 'to the version of the C edition');
	is($node->safe_psql($db, q(SELECT (SELECT count(*) FROM app.recent), (SELECT count(*) FROM app.late), (SELECT count(*) FROM app.o WHERE created_at >= now() - interval '1 hour'))), '1000|1000|1000', 'the views give the same rows');
	# (without the index on the time, whose scan costs about as much)
	like($node->safe_psql($db, q(SET search_path = app; SET enable_seqscan = off; SET enable_bitmapscan = off; BEGIN; DROP INDEX made; EXPLAIN (COSTS OFF) SELECT n FROM o WHERE created_at >= timestamptz '2026-01-01'; ROLLBACK)), qr/Index Cond: \(id >= '/, 'a condition on the time is one on the key');
	like($node->safe_psql($db, q(SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) SELECT n FROM app.late)), qr/Index Scan using (?:made|orders_pkey)/, 'and so is that of a view');
	foreach my $case (
		[ 'a view\'s own condition', 'SELECT n FROM app.late_notes', qr/notes_pkey.*Index Cond: \(id >= /s ],
		[ 'a policy', 'GRANT SELECT ON app.notes TO other; SET ROLE other; EXPLAIN (COSTS OFF) SELECT n FROM app.notes; RESET ROLE; REVOKE ALL ON app.notes FROM other', qr/notes_pkey.*Index Cond: \(id >= /s ],
		[ 'a partial index', q(SELECT n FROM app.notes WHERE n = 5 AND app.uuid7_timestamp(id) >= timestamptz '2026-03-01Z'), qr/Scan using part/ ],
		[ 'a CHECK that proves an order', 'SELECT id FROM app.notes ORDER BY app.uuid7_timestamp(id) LIMIT 3', qr/^Limit\n  ->  Index \w+ ?\w* ?Scan using notes_pkey/ ])
	{
		my ($what, $query, $plan) = @$case;

		$query = "EXPLAIN (COSTS OFF) $query" unless $query =~ /EXPLAIN/;
		like($node->safe_psql($db, "SET enable_seqscan = off; SET enable_bitmapscan = off; $query"), $plan, "$what is found as it is");
	}
	is($node->safe_psql($db, q(INSERT INTO app.orders (n) VALUES (0); SELECT prolang = (SELECT oid FROM pg_language WHERE lanname = 'c') FROM pg_proc WHERE oid = 'app.uuid7_new()'::regprocedure)), 't', 'the default calls C');
	is($node->safe_psql($db, q(SELECT string_agg(DISTINCT r.rolname, ',') FROM pg_depend AS d JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass AND x.extname = 'flakeid'
		JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid JOIN pg_roles AS r ON r.oid = p.proowner WHERE d.deptype = 'e')) =~ /,/ ? 'several' : 'one', 'one', 'all functions of the extension have one owner');
	is($node->safe_psql($db, q(SELECT r.rolsuper FROM pg_proc AS p JOIN pg_roles AS r ON r.oid = p.proowner WHERE p.oid = 'app.uuid7_min(timestamptz)'::regprocedure)), 't', 'who is a superuser');
	is($node->safe_psql($db, q(SELECT has_function_privilege('mallory', 'app.uuid7_min(timestamptz)', 'EXECUTE'), (SELECT count(*) FROM pg_proc AS p, aclexplode(p.proacl) AS a WHERE p.oid = 'app.uuid7_min(timestamptz)'::regprocedure AND a.grantee NOT IN (0, p.proowner)))), 't|0', 'privileges are those of a new extension');
	is($node->safe_psql($db, q(SELECT count(*) FROM pg_namespace WHERE nspname = '_flakeid_edition')), 0, 'nothing is left of the move');
	is($node->safe_psql($db, q(SELECT extension FROM app.flakeid_version())), '1.0', 'the versions agree');
	like(as($db, 'app', 'CREATE OR REPLACE FUNCTION app.uuid7_min(timestamptz) RETURNS uuid LANGUAGE sql RETURN NULL::uuid'), qr/^ERROR:  42501: must be owner/, 'the former owner can replace no function');

	# the same extension as a new one: the same objects, but for what C has not yet
	my $fresh = 'fresh' . $databases;
	$node->safe_psql('postgres', "CREATE DATABASE $fresh");
	$node->safe_psql($fresh, 'CREATE SCHEMA app; CREATE EXTENSION flakeid SCHEMA app');
	my $contents = q(SELECT string_agg(pg_describe_object(d.classid, d.objid, 0), E'\n' ORDER BY pg_describe_object(d.classid, d.objid, 0)) FROM pg_depend AS d JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		WHERE x.extname = 'flakeid' AND d.deptype = 'e');
	my $definitions = q(SELECT string_agg(pg_get_functiondef(p.oid) || coalesce(obj_description(p.oid, 'pg_proc'), ''), E'\n' ORDER BY p.oid::regprocedure::text) FROM pg_depend AS d JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid WHERE x.extname = 'flakeid' AND d.deptype = 'e' AND p.prokind = 'f');
	my $privileges = q(SELECT string_agg(format('%s: %s may %s', pg_describe_object(d.classid, d.objid, 0), a.grantee::regrole, a.privilege_type), E'\n' ORDER BY pg_describe_object(d.classid, d.objid, 0), a.grantee, a.privilege_type)
		FROM pg_depend AS d JOIN pg_extension AS x ON x.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		CROSS JOIN LATERAL (SELECT coalesce(p.proacl, acldefault('f', p.proowner)) FROM pg_proc AS p WHERE d.classid = 'pg_proc'::regclass AND p.oid = d.objid
			UNION ALL SELECT coalesce(t.typacl, acldefault('T', t.typowner)) FROM pg_type AS t WHERE d.classid = 'pg_type'::regclass AND t.oid = d.objid
			UNION ALL SELECT c.relacl FROM pg_class AS c WHERE d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind <> 'S') AS o (acl) CROSS JOIN LATERAL aclexplode(o.acl) AS a
		WHERE x.extname = 'flakeid' AND d.deptype = 'e' AND NOT (SELECT r.rolsuper FROM pg_roles AS r WHERE r.oid = a.grantee) IS true);
	my %what = ($contents => 'its objects', $definitions => 'its functions', $privileges => 'its privileges');
	is($node->safe_psql($db, $_), $node->safe_psql($fresh, $_), "the extension is as a new one: $what{$_}") foreach sort keys %what;

	# dumped and restored
	my $dump = PostgreSQL::Test::Utils::tempdir() . '/up.sql';
	$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr($db) ], 'dumped');
	unlike(slurp_file($dump), qr/^(?:GRANT|REVOKE) .* ON (?!SCHEMA app)/m, 'without privileges of its own, whose roles may be gone by then');
	$node->safe_psql('postgres', "CREATE DATABASE restored$databases");
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr("restored$databases") ], 'restored');
	is($node->safe_psql("restored$databases", 'SELECT count(*) FROM app.recent'), 1001, 'with its rows');
}

# ---------- back ----------

my $db = database();
$node->safe_psql($db, 'REASSIGN OWNED BY app TO postgres; ALTER SCHEMA app OWNER TO app');
as($db, 'postgres', q(CREATE TABLE app.orders (id uuid PRIMARY KEY DEFAULT app.uuid7_new(), n int); INSERT INTO app.orders (n) SELECT n FROM generate_series(1, 1000) AS n;
	CREATE VIEW app.o AS SELECT *, app.uuid7_timestamp(id) AS created_at FROM app.orders; CREATE INDEX made ON app.orders (app.uuid7_timestamp(id))));
is(as($db, 'postgres', UP), '', 'up, to come back');
my $leave = slurp_file("$files/flakeid-leave.sql");
like(as($db, 'app', "SET search_path = app; $leave"), qr/^ERROR:  42501: must be owner of extension flakeid/, 'back: not by another role');
like(as($db, 'postgres', "SET search_path = public; $leave"), qr/^ERROR:  3F000: extension flakeid is not in schema "public"/, 'back: in the schema of the extension');
$node->safe_psql($db, q(CREATE VIEW app.made_in_c AS SELECT * FROM app.orders WHERE app.uuid7_timestamp(id) >= now() - interval '1 day'));
is(as($db, 'postgres', "SET search_path = app; $leave"), '', 'back: the functions leave the extension, and are SQL');
is(as($db, 'postgres', 'DROP EXTENSION flakeid'), '', 'back: the rest goes');
is($node->safe_psql($db, q(INSERT INTO app.orders (n) VALUES (0); SELECT count(*), count(created_at), (SELECT count(*) FROM app.made_in_c) FROM app.o)), '1001|1001|1001', 'back: the views and the default work, also a view with a condition on the time that was made under C');
is(as($db, 'postgres', $edition), '', 'back: the edition can be installed again');
is(as($db, 'postgres', UP), '', 'and up again');

# Whose they are then: the role's that owns the extension, if the schema or the database is its own.
my $owners = q(SELECT string_agg(DISTINCT owner::regrole::text, ' ') FROM (SELECT proowner AS owner, pronamespace AS schema FROM pg_proc UNION ALL SELECT typowner, typnamespace FROM pg_type WHERE typtype = 'd'
	UNION ALL SELECT relowner, relnamespace FROM pg_class WHERE relname = 'flakeid_layouts') AS s WHERE schema = 'app'::regnamespace);
$db = database();
is(as($db, 'app', UP), '', 'up, by a role that is no superuser');
is(as($db, 'postgres', "SET search_path = app; $leave"), '', 'back, by a superuser');
as($db, 'postgres', q(DO $$ DECLARE f regprocedure; BEGIN FOR f IN SELECT oid FROM pg_proc WHERE pronamespace = 'app'::regnamespace LOOP EXECUTE format('ALTER EXTENSION flakeid ADD ROUTINE %s', f); END LOOP; END $$));
is(as($db, 'app', "SET search_path = app; $leave"), '', 'back: as from pg_tle, whose extension has all functions, and its owner owns them');
is(as($db, 'app', "DROP EXTENSION flakeid; $owners"), 'app', 'back: all is the role\'s again');
is(as($db, 'app', $edition), '', 'back: which can replace it');
is(as($db, 'app', UP), '', 'and move up again');
$node->safe_psql('postgres', 'CREATE DATABASE others');
$node->safe_psql('postgres', 'GRANT CREATE ON DATABASE others TO mallory');
$node->safe_psql('others', 'CREATE SCHEMA app AUTHORIZATION app; GRANT ALL ON SCHEMA app TO PUBLIC');
is(as('others', 'mallory', 'CREATE EXTENSION flakeid SCHEMA app'), '', 'the extension in another role\'s schema');
is(as('others', 'postgres', "SET search_path = app; $leave; $owners"), 'postgres', 'back: its owner gets nothing there');

# ---------- readers across the move ----------

# A transaction that is open at the move has announced in the edition that it began with; another one begins
# in the other edition and ends.  The procedure of the edition that is there holds readers at the first.
$db = database();
$node->safe_psql($db, 'GRANT ALL ON SCHEMA app TO PUBLIC; ALTER DATABASE ' . $db . ' SET search_path = app, public');
as($db, 'app', q(CREATE TABLE app.outbox (id bigserial PRIMARY KEY, body text); CREATE TRIGGER follow BEFORE INSERT OR UPDATE ON app.outbox FOR EACH STATEMENT EXECUTE FUNCTION app.flakeid_follow('id', 'app.outbox_id_seq');
	CREATE TABLE app.item (id int PRIMARY KEY, version bigint NOT NULL DEFAULT 0); CREATE SEQUENCE app.item_version;
	CREATE TRIGGER zz_version BEFORE INSERT OR UPDATE ON app.item FOR EACH ROW EXECUTE FUNCTION app.flakeid_rowversion('version', 'app.item_version')));
my ($old, $new) = map { session($node, database => $db, user => 'app') } 1 .. 2;
my $write = q(INSERT INTO outbox (body) VALUES ('x'); INSERT INTO item SELECT (random() * 1000000000)::int);
my $horizons = sub { join '|', map { as($db, 'app', "CALL app.flakeid_horizon('app.$_', NULL)") } 'outbox_id_seq', 'item_version' };

attempt($old, $_) foreach 'BEGIN', q(INSERT INTO outbox (body) VALUES ('x')), q(INSERT INTO item VALUES (1000));
# ... and a statement that is between two rows
as($db, 'app', q(CREATE TABLE app.two (id int, version bigint); CREATE SEQUENCE app.two_version; INSERT INTO app.two VALUES (1), (2);
	CREATE FUNCTION app.waited(id int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
		IF id = 2 THEN
			PERFORM pg_advisory_lock_shared(7);
			PERFORM FROM app.outbox;    -- locks a table, so it learns what others have changed
		END IF;
		RETURN true;
	END $$;
	CREATE TRIGGER zz_version BEFORE UPDATE ON app.two FOR EACH ROW EXECUTE FUNCTION app.flakeid_rowversion('version', 'app.two_version')));
my $gate = session($node, database => $db);
attempt($gate, 'SELECT pg_advisory_lock(7)');
my $update = session($node, database => $db, user => 'app');
$update->send('UPDATE two SET id = id WHERE waited(id);');
$node->poll_query_until($db, q(SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted))) or die 'the UPDATE does not wait';
# the move itself waits for transactions that are open, so the functions are replaced as it replaces them
$node->safe_psql($db, 'CREATE SCHEMA c; CREATE EXTENSION flakeid SCHEMA c; GRANT USAGE ON SCHEMA c TO PUBLIC');
$node->safe_psql($db, "CREATE OR REPLACE FUNCTION app.$_() RETURNS trigger AS '\$libdir/flakeid', '$_' LANGUAGE C STRICT") foreach 'flakeid_follow', 'flakeid_rowversion';
$gate->quit;
like($update->answer, qr/ERROR:  42601: syntax error at or near "flakeid_rowversion"/, 'up: a statement that runs in this moment fails');
attempt($new, $write);
my $in_c = sub { join '|', map { as($db, 'app', "CALL c.flakeid_horizon('app.$_', NULL)") } 'outbox_id_seq', 'item_version' };
is($in_c->(), '1|1', 'up: a transaction that has announced by a lock holds the readers of the procedure in C');
is(as($db, 'app', q(SELECT c.flakeid_horizon('app.outbox_id_seq'))), 3, 'up: which the function does not see');
attempt($old, 'COMMIT');
is($in_c->(), '3|3', 'up: until it has ended');
attempt($old, $_) foreach 'BEGIN', $write;
attempt($new, $write);
is($in_c->(), '3|3', 'one that has announced in C holds them, too');
is($horizons->(), '5|5', 'and is not seen by the plain procedure');
attempt($old, 'COMMIT');
$_->quit foreach $old, $new;

# Back: the script waits for the writers of followed tables, and the procedure then is the plain one.
$db = database();
as($db, 'app', q(CREATE TABLE app.outbox (id bigserial PRIMARY KEY, body text); CREATE TRIGGER follow BEFORE INSERT OR UPDATE ON app.outbox FOR EACH STATEMENT EXECUTE FUNCTION app.flakeid_follow('id', 'app.outbox_id_seq');
	INSERT INTO app.outbox (body) VALUES ('old')));
is(as($db, 'app', UP), '', 'up, with a table that is followed');
is(as($db, 'app', q(INSERT INTO app.outbox (body) VALUES ('c') RETURNING id; CALL app.flakeid_horizon('app.outbox_id_seq', NULL); SELECT app.flakeid_horizon('app.outbox_id_seq'))), "2\n3\n3", 'its trigger works as it is');
$old = session($node, database => $db, user => 'app');
attempt($old, $_) foreach 'BEGIN', q(INSERT INTO app.outbox (body) VALUES ('announced in C'));
like(as($db, 'postgres', "SET search_path = app; SET lock_timeout = '200ms'; $leave"), qr/^ERROR:  55P03/, 'back: waits for those who have announced in C');
attempt($old, 'COMMIT');
$old->quit;
is(as($db, 'postgres', "SET search_path = app; $leave; DROP EXTENSION flakeid"), '', 'back: goes on when they have ended');
is(as($db, 'app', q(INSERT INTO app.outbox (body) VALUES ('sql') RETURNING id; CALL app.flakeid_horizon('app.outbox_id_seq', NULL))), "4\n5", 'back: its trigger works as it is');

# ---------- what must not be taken over ----------

# Changes that "app" or a stranger makes before the move: who, statement, and the error.
foreach my $case (
	[ 'app', 'CREATE OR REPLACE FUNCTION app.uuid7_min(timestamptz) RETURNS uuid LANGUAGE sql SECURITY DEFINER RETURN NULL::uuid', qr/^ERROR:  55000: FUNCTION app.uuid7_min\(timestamptz\) is not of this version of the SQL edition/ ],
	[ 'app', 'ALTER FUNCTION app.uuid7_new_at(timestamptz) SECURITY DEFINER', qr/^ERROR:  55000: FUNCTION app.uuid7_new_at/ ],
	[ 'app', 'ALTER FUNCTION app._flakeid_layout(text) SET search_path = app', qr/^ERROR:  55000: FUNCTION app._flakeid_layout\(text\) is not/ ],
	[ 'app', 'CREATE OR REPLACE FUNCTION app.layout_max(at timestamptz, layout text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN app._flakeid_layout_bound(at, app._flakeid_layout(layout), -2)', qr/^ERROR:  55000: FUNCTION app.layout_max/ ],
	[ 'app', 'CREATE RULE r AS ON INSERT TO app.flakeid_layouts DO INSTEAD NOTHING', qr/^ERROR:  55000: VIEW app.flakeid_layouts has more/ ],
	[ 'app', 'CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; CREATE TRIGGER t INSTEAD OF INSERT ON app.flakeid_layouts FOR EACH ROW EXECUTE FUNCTION app.f()', qr/^ERROR:  55000: VIEW app.flakeid_layouts has more/ ],
	[ 'app', 'CREATE OR REPLACE VIEW app.flakeid_layouts AS SELECT * FROM (SELECT NULL::text AS name, NULL::timestamptz AS epoch, NULL::timestamptz AS last_timestamp, NULL::interval AS resolution, 1 AS timestamp_bits, 2 AS low_bits, NULL::text AS low_parts) AS s', qr/^ERROR:  55000: VIEW app.flakeid_layouts is not of this version of the SQL edition/ ],
	[ 'app', 'CREATE FUNCTION app.mine() RETURNS uuid LANGUAGE sql RETURN app._flakeid_uuid7(1)', qr/^ERROR:  2BP01: cannot drop function .*_flakeid_uuid7/ ],
	[ 'postgres', 'ALTER FUNCTION app.uuid7_max(timestamptz) OWNER TO mallory', qr/^ERROR:  42501: FUNCTION app.uuid7_max\(timestamptz\) belongs to another role/ ],
	[ 'postgres', 'ALTER FUNCTION app._flakeid_layout(text) OWNER TO mallory', qr/^ERROR:  42501: FUNCTION app._flakeid_layout\(text\) belongs to another role/ ],
	[ 'postgres', 'ALTER VIEW app.flakeid_layouts OWNER TO mallory', qr/^ERROR:  42501: VIEW app.flakeid_layouts belongs to another role/ ],
	[ 'app', 'SET client_min_messages = error; DROP FUNCTION app.ulid_uuid(text) CASCADE', qr/^ERROR:  42704: there is no FUNCTION app.ulid_uuid\(text\)/ ])
{
	my ($role, $sql, $error) = @$case;
	my $database = database();

	is(as($database, $role, $sql), '', $sql);
	like(as($database, 'app', 'SET client_min_messages = error;' . UP), $error, 'refused');
	is($node->safe_psql($database, q(SELECT (SELECT count(*) FROM pg_extension WHERE extname = 'flakeid'), (SELECT count(*) FROM pg_namespace WHERE nspname ~ '^_flakeid'))), '0|0', 'and nothing is made');
}
$db = database();
like(as($db, 'mallory', UP), qr/^ERROR:  42501: permission denied to create extension/, 'a role that may not create an extension');
$node->safe_psql('postgres', "GRANT CREATE ON DATABASE $db TO mallory");
like(as($db, 'mallory', UP), qr/^ERROR:  42501: FUNCTION app\.\S+ belongs to another role/, 'one that may: not with the objects of "app"');
like(as($db, 'app', 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; ' . UP), qr/ERROR:  25000: flakeid moves up in READ COMMITTED only/, 'not under a snapshot that is older');
like(as($db, 'app', q(CREATE SCHEMA empty; CREATE EXTENSION flakeid SCHEMA empty VERSION 'sql')), qr/^ERROR:  42704: there is no FUNCTION/, 'a schema without the SQL edition');

# Whoever owns an extension can drop it, with all that depends on it.
$db = database();
$node->safe_psql($db, 'REASSIGN OWNED BY app TO boss; ALTER SCHEMA app OWNER TO app');
like(as($db, 'app', UP), qr/^ERROR:  42501: FUNCTION app\.\S+ belongs to another role/, 'a role does not take what belongs to a superuser');
is(as($db, 'postgres', UP), '', 'but another superuser');

# Names that are words of the definitions, before a full stop, and settings that write names differently.
foreach my $schema ('s', 'l', 'twitter', '_flakeid_edition_')
{
	$db = 'named_' . ++$databases;
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	$node->safe_psql($db, "CREATE SCHEMA $schema; " . $edition =~ s/(?<=search_path = )app/$schema/r);
	is(as($db, 'postgres', 'SET quote_all_identifiers = ' . ($schema eq 's' ? 'on' : 'off') . '; ' . UP =~ s/SCHEMA app/SCHEMA $schema/r), '', "a schema named $schema");
	is($node->safe_psql($db, "SELECT $schema.uuid7_min('2026-01-01Z')"), '019b76da-a800-7000-8000-000000000000', 'and the extension works');
}
$db = database();

# ---------- meanwhile ----------

# In a transaction that is open as the move begins, and commits while the move waits for it.
my $session = session($node, database => $db, user => 'app');
attempt($session, $_) foreach 'BEGIN', 'CREATE RULE r AS ON INSERT TO app.flakeid_layouts DO INSTEAD NOTHING';
my $move = session($node, database => $db, user => 'app');
$move->send(q(SET client_min_messages = error; CREATE EXTENSION flakeid SCHEMA app VERSION 'sql';));
$node->poll_query_until($db, q(SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'app.flakeid_layouts'::regclass AND NOT granted))) or die 'the move does not wait';
attempt($session, 'COMMIT');
like($move->answer, qr/ERROR:  55000: VIEW app.flakeid_layouts has more than the SQL edition gave it/, 'a rule that an open transaction had added: refused when it has committed');
attempt($session, 'DROP RULE r ON app.flakeid_layouts');

# Between the two commands, by the former owner.
is(as($db, 'app', q(CREATE EXTENSION flakeid SCHEMA app VERSION 'sql')), '', 'the first command');
like(attempt($session, $_), qr/ERROR:  42501: must be owner|ERROR:  42501: permission denied/, "between the commands: $_") foreach 'ALTER FUNCTION app.uuid7_min(timestamptz) SECURITY DEFINER',
  'CREATE RULE r AS ON INSERT TO app.flakeid_layouts DO INSTEAD NOTHING';
my $dump = PostgreSQL::Test::Utils::tempdir() . '/between.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, '-d', $node->connstr($db) ], 'dumped between the commands');
$node->safe_psql('postgres', 'CREATE DATABASE between_restored');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, '-d', $node->connstr('between_restored') ], 'restored');
is($node->safe_psql('between_restored', q(SELECT extversion, app.uuid7_min('2026-01-01Z') FROM pg_extension WHERE extname = 'flakeid')), '1.0|019b76da-a800-7000-8000-000000000000', 'a whole extension');
is(as($db, 'app', 'ALTER EXTENSION flakeid UPDATE'), '', 'the second command');
$session->quit;

$node->stop;
done_testing();
