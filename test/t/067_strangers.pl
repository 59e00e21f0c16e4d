# The effect of a stranger on others' work: a role with LOGIN, the rights of PUBLIC, and a
# schema in which it and others may create objects.  It can neither stop nor slow nor see
# anybody's partitions, backfills, views or diagnosis.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $node = new_server('strangers', conf => ['flakeid.node = 7'], init => { allows_streaming => 1 });

# The answer of a statement run as a role, errors included.
sub as
{
	my ($role, $sql) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', $sql, extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ], on_error_stop => 0);

	return $out . $err;
}

$node->safe_psql('postgres', q(
	CREATE ROLE mallory LOGIN; CREATE ROLE victim LOGIN; CREATE SCHEMA shared; GRANT ALL ON SCHEMA shared TO mallory, victim;
	CREATE SCHEMA m AUTHORIZATION mallory));

# ---------- the mark ----------

# Who may only read the horizon does not move the mark, as publishing does.
is(as('mallory', q(SELECT ulid_horizon() IS NOT NULL)), 't', 'the horizon: a stranger may ask for it');
like(as('mallory', q(SELECT _flakeid_functions.flakeid_own_horizon('ulid'))), qr/ERROR:  42501: permission denied for table horizon/, 'the horizon: but neither publish it nor lead the mark');

# ---------- readers ----------

# A subscription of mallory's, to a "publisher" of hers, names victim's table.  (From 16 on members of
# pg_create_subscription create one; as a superuser for the moment anybody could.)
as('victim', 'CREATE TABLE shared.feed (id ulid PRIMARY KEY DEFAULT ulid_new()); INSERT INTO shared.feed DEFAULT VALUES; SELECT pg_sleep(0.01)');
$node->safe_psql('postgres', 'CREATE DATABASE publisher');
$node->safe_psql('publisher', 'CREATE SCHEMA shared; CREATE TABLE shared.feed (id text PRIMARY KEY); CREATE PUBLICATION p FOR TABLE shared.feed');
$node->safe_psql('postgres', $_) foreach "CREATE SUBSCRIPTION mallory CONNECTION 'dbname=publisher host=" . $node->host . ' port=' . $node->port . "' PUBLICATION p WITH (enabled = false, create_slot = false, slot_name = NONE)",
  'ALTER ROLE mallory SUPERUSER; ALTER SUBSCRIPTION mallory OWNER TO mallory; ALTER ROLE mallory NOSUPERUSER';
is(as('victim', 'SELECT count(*) FROM shared.feed WHERE id < ulid_horizon()'), '1', "readers: a stranger's subscription does not stop them");
as('victim', 'GRANT INSERT ON shared.feed TO mallory');
like(as('victim', 'SELECT count(*) FROM shared.feed WHERE id < ulid_horizon()'), qr/0A000: cannot follow table "feed"/, 'readers: ... unless she may write the table');
$node->safe_psql('postgres', 'ALTER SUBSCRIPTION mallory OWNER TO CURRENT_USER; DROP SUBSCRIPTION mallory');
$node->safe_psql('postgres', 'DROP DATABASE publisher');

# ---------- partitions ----------

my $maintain = q(SET lock_timeout = '500ms'; CALL flakeid_maintain('shared.orders', '1 day', retain => '1 day'));

# names, one after the other
as('victim', 'CREATE TABLE shared.orders (id sno DEFAULT sno_new(0), n int) PARTITION BY RANGE (id)');
as('mallory', q(SELECT format('CREATE TABLE shared.orders_%s ()', to_char(now() AT TIME ZONE 'UTC' + n * interval '1 day', 'YYYYMMDD')) FROM generate_series(-1, 3) AS n \gexec));
as('mallory', q(SELECT format('CREATE TYPE shared.orders_%s_1 AS ENUM ()', to_char(now() AT TIME ZONE 'UTC' + n * interval '1 day', 'YYYYMMDD')) FROM generate_series(-1, 3) AS n \gexec));
is(as('victim', $maintain), '', 'names that are taken: partitions get other names');
is(as('victim', 'INSERT INTO shared.orders (n) VALUES (1)'), '', 'names that are taken: and rows have a partition');

# tables that are slow to read, locked, temporary, or with endless steps
my $locker = session($node, user => 'mallory');
attempt($locker, $_) foreach 'CREATE TABLE m.locked (id sno) PARTITION BY RANGE (id)',
  q(SELECT count(*) FROM flakeid_create_partitions('m.locked', now() - interval '3 days', now() + interval '3 days', '1 day')),
  'CREATE TEMP TABLE mine (id sno) PARTITION BY RANGE (id)', 'BEGIN; LOCK TABLE m.locked; LOCK TABLE mine';
is(as('victim', $maintain), '', 'locks of others: partitions of mine are kept');
unlike(as('postgres', 'SELECT finding FROM flakeid_doctor()'), qr/could not be checked|mine/, 'locks of others: the doctor waits for none, and ignores temporary tables');
$locker->quit;
like(as('mallory', q(CREATE TEMP TABLE mine (id sno) PARTITION BY RANGE (id); CALL flakeid_maintain('mine', '1 day'))), qr/ERROR:  42809: table "pg_temp\S*mine" is temporary|ERROR:  42809: table "mine" is temporary/, 'a temporary table: refused');
like(as('mallory', "CALL flakeid_maintain('m.locked', '$_')"), qr/ERROR:  220(?:23|07): /, "a step of $_: refused")
  foreach '1 month -29 days -23:51:00', '-1 month', '1 month 1 microsecond', '0', 'infinity';

# a table that takes another one's name: nothing has been stored under the name
as('mallory', q(CREATE TABLE shared.log (id sno) PARTITION BY RANGE (id); CALL flakeid_maintain('shared.log', '1 day', retain => '1 second'); DROP TABLE shared.log));
as('victim', q(CREATE TABLE shared.log (id sno) PARTITION BY RANGE (id); SELECT count(*) FROM flakeid_create_partitions('shared.log', now() - interval '9 days', now() + interval '1 day', '1 day');
	INSERT INTO shared.log SELECT sno_make(now() - n * interval '1 day', 0, 1, 1) FROM generate_series(1, 8) AS n));
like(as('mallory', q(CALL flakeid_maintain('shared.log', '1 day', retain => '1 second'))), qr/ERROR:  42501: must be owner of table "log"/, q(a table of the name that was one's own: refused));
is($node->safe_psql('postgres', 'SELECT count(*) FROM shared.log'), '8', q(a table of the name that was one's own: all rows are there));
is($node->safe_psql('postgres', q(SELECT string_agg(c.oid::regclass::text, ' ' ORDER BY 1) FROM pg_depend AS d JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
	JOIN pg_extension AS x ON x.oid = d.refobjid WHERE d.deptype = 'e' AND x.extname = 'flakeid' AND c.relkind NOT IN ('v', 'c', 'i') AND c.relnamespace <> '_flakeid'::regnamespace)), '',
	'the extension has only its own tables, and they store no statements');

# ---------- backfills ----------

as('victim', 'CREATE TABLE shared.old (n int PRIMARY KEY, at timestamptz DEFAULT now(), id sno); CREATE UNIQUE INDEX ON shared.old (id); CREATE INDEX ON shared.old (at); INSERT INTO shared.old SELECT FROM generate_series(1, 0); INSERT INTO shared.old (n) SELECT generate_series(1, 500)');
$locker = session($node, user => 'mallory');
attempt($locker, 'SELECT pg_advisory_lock(hash), pg_advisory_lock(relation) FROM (SELECT hashtextextended(' . "'flakeid_backfill ' || 'shared.old'::regclass::oid, 0) AS hash, 'shared.old'::regclass::oid::bigint AS relation) AS v");
like(attempt($locker, q(SELECT _flakeid_functions.flakeid_lock_backfill('shared.old'))), qr/ERROR:  42501: must be owner of table "old"/, q(the lock of a backfill is its owner's));
{
	my $owner = session($node, user => 'victim');

	attempt($owner, q(BEGIN; SELECT _flakeid_functions.flakeid_lock_backfill('shared.old')));
	like(attempt($locker, q(SET statement_timeout = '5s'; SELECT _flakeid_functions.flakeid_lock_backfill('shared.old'))), qr/ERROR:  42501: must be owner of table "old"/, '... and strangers do not queue for it');
	attempt($locker, 'RESET statement_timeout');
	attempt($owner, 'COMMIT');
	$owner->quit;
}
like(as('victim', q(SET statement_timeout = '60s'; CALL flakeid_backfill('shared.old', 'id', 'at'))), qr/500 rows of table "shared\.old" got an ID/, 'a backfill waits for no lock that others can take');
$locker->quit;

# functions and operators for a domain that the owner of a table uses
as('victim', q(CREATE DOMAIN shared.stamp AS uuid; CREATE DOMAIN shared.ulid AS public.ulid;
	CREATE TABLE shared.stamped (n int PRIMARY KEY, at shared.stamp UNIQUE, key shared.ulid UNIQUE, id sno UNIQUE, by_key sno UNIQUE);
	INSERT INTO shared.stamped SELECT n, uuid7_new(), public.ulid_new() FROM generate_series(1, 5) AS n));
$node->safe_psql('postgres', 'GRANT CREATE ON SCHEMA public TO mallory');
as('mallory', "CREATE FUNCTION public.$_ AS \$\$ BEGIN RAISE WARNING 'TRAP as %', current_user; RETURN NULL; END \$\$")
  foreach map { "$_ LANGUAGE plpgsql" } 'uuid7_timestamp(shared.stamp) RETURNS timestamptz', 'ulid_timestamp(shared.ulid) RETURNS timestamptz',
  'later(shared.ulid, public.ulid) RETURNS bool', 'later(shared.ulid, shared.ulid) RETURNS bool';
as('mallory', "CREATE OPERATOR public.$$_[0] (LEFTARG = shared.ulid, RIGHTARG = $$_[1], FUNCTION = public.later)") foreach map { my $name = $_; map { [ $name, $_ ] } 'public.ulid', 'shared.ulid' } '>=', '=';
like(as('victim', "CALL flakeid_backfill('shared.stamped', 'id', 'at', batch => 2)"), qr/5 rows of table "shared\.stamped" got an ID/, 'a backfill by a column of a domain');
like(as('victim', "CALL flakeid_backfill('shared.stamped', 'by_key', 'key', batch => 2)"), qr/5 rows of table "shared\.stamped" got an ID/, '... over a type of ours');
unlike(slurp_file($node->logfile), qr/TRAP/, q(and a stranger's functions and operators for the domains are not called));
$node->safe_psql('postgres', 'DROP OWNED BY mallory; REVOKE CREATE ON SCHEMA public FROM mallory; GRANT ALL ON SCHEMA shared TO mallory; CREATE SCHEMA m AUTHORIZATION mallory');

# a schema's name with what format() would take for its own
$node->safe_psql('postgres', 'CREATE DATABASE percent');
like(($node->psql('percent', 'CREATE SCHEMA "a%s"; CREATE EXTENSION flakeid SCHEMA "a%s"; SET search_path = public, "a%s"; CREATE TABLE t (made sno UNIQUE, id ulid UNIQUE);
	INSERT INTO t (made) SELECT sno_new() FROM generate_series(1, 30); CALL flakeid_backfill(\'t\', \'id\', \'made\', 10)'))[2], qr/30 rows of table "public\.t" got an ID/, 'a backfill, with the extension in schema "a%s"');

# A table is no sequence, and is not locked, nor its lock waited for.
{
	my $owner = session($node, user => 'victim');

	attempt($owner, 'BEGIN; LOCK TABLE shared.old');
	like(as('mallory', qq(SET statement_timeout = '10s'; SELECT flakeid_nextval('$_'))), qr/ERROR:  42809: "\w+" is not a sequence/, "flakeid_nextval('$_')") foreach 'shared.old', 'pg_database';
	$owner->quit;
}

# ---------- what others can see ----------

as('mallory', q(CREATE FUNCTION m.leak(text) RETURNS bool LANGUAGE plpgsql COST 0.0000001 AS $$ BEGIN RAISE NOTICE 'leaked: %', $1; RETURN true; END $$));
{
	my $holder = session($node, user => 'victim');
	my $views = join ' UNION ALL ', map { "SELECT count(*) FROM $_ AS v WHERE m.leak(v::text)" } map { "flakeid_$_" } qw(clock generators issued horizon_holders formats layouts);

	attempt($holder, q(BEGIN; INSERT INTO shared.old (n, id) VALUES (1000, sno_new(0)) RETURNING 'secret'));
	unlike(as('mallory', $views), qr/secret/, 'the views show nobody what others do');
	like(as('mallory', 'SELECT query FROM flakeid_horizon_holders'), qr/^<insufficient privilege>$/m, 'nor does the view that shows queries');
	$holder->quit;
}

# ---------- forged IDs ----------

# IDs with this database's number and a future time, in the stranger's own table
{
	my $before = as('postgres', 'SELECT severity, subject FROM flakeid_doctor() ORDER BY 1, 2');

	as('mallory', q(CREATE TABLE m.forged (id sno PRIMARY KEY, uid uid64 UNIQUE); INSERT INTO m.forged SELECT sno_make(now() + interval '1 hour', 0, sno_partition, n), uid64_make(now() + interval '1 hour', n) FROM flakeid_clock, generate_series(1, 100) AS n; ANALYZE m.forged));
	is(as('postgres', 'SELECT severity, subject FROM flakeid_doctor() ORDER BY 1, 2'), $before, 'forged IDs: the doctor believes none');
	unlike(as('postgres', q(SELECT coalesce(fix, '') FROM flakeid_doctor())), qr/flakeid\.node/, 'and advises nobody to set a number');
}

# ---------- many sequences ----------

# Each is asked for once, and each is a finding.  A hundred of them are shown, and the other
# subjects, before them.
{
	my $horizon = q(SELECT count(*), bool_and(finding ~ 'of (m\.|shared\.missed)'), bool_or(finding ~ 'There are more findings like these') FROM flakeid_doctor() WHERE subject = 'horizon');

	as('victim', q(CREATE TABLE shared.missed (id bigserial); SELECT flakeid_horizon('shared.missed_id_seq')));
	is(as('postgres', $horizon), '1|t|f', 'a sequence: one finding');
	as('mallory', q(SELECT format('CREATE TABLE m.t%s (id bigserial); CREATE TRIGGER f BEFORE INSERT ON m.t%1$s EXECUTE FUNCTION flakeid_follow(%L); SELECT flakeid_horizon(%L);', n, 'id', format('m.t%s_id_seq', n))
		FROM generate_series(1, 2000) AS n \gexec));
	is($node->safe_psql('postgres', q(SELECT count(*) FROM _flakeid_functions.flakeid_doctor_sequences() WHERE finding ~ 'of m\.')), '2000', 'two thousand sequences of a stranger: as many findings');
	$node->safe_psql('postgres', 'GRANT CREATE ON SCHEMA public TO PUBLIC');
	is(as('postgres', $horizon), '101|f|t', '... of which the doctor shows a hundred, and says so');
	is(as('postgres', q(SELECT v.n FROM (SELECT finding, row_number() OVER () AS n, count(*) OVER () - 100 AS first FROM flakeid_doctor()) AS v WHERE finding ~ 'shared\.missed' AND n = first)) ne '', 1, '... the first of them is the one that matters more');
	is(as('postgres', q(SELECT bool_or(subject = 'schema') FROM (SELECT subject FROM flakeid_doctor() LIMIT (SELECT count(*) FROM flakeid_doctor()) - 101) AS v)), 't', '... after those of other subjects');
	as('victim', q(CREATE TABLE shared.later (id bigserial); SELECT flakeid_horizon('shared.later_id_seq')));
	is(as('postgres', q(SELECT count(*) FROM flakeid_doctor() WHERE finding ~ 'shared\.later')), '1', "... and those of another owner, although they come last");
	$node->safe_psql('postgres', 'CREATE TABLE shared.global (id bigserial); CREATE TABLE shared.global2 (id bigserial)');
	as('postgres', q(SELECT flakeid_horizon('shared.global_id_seq'), flakeid_horizon('shared.global2_id_seq')));
	is(as('postgres', q(SELECT string_agg(v.own, ' ') FROM (SELECT substring(finding, 'shared\.(\w+):') AS own FROM flakeid_doctor() WHERE subject = 'horizon' LIMIT 6) AS v)), 'global global2 missed later', "... after a superuser's");
	$node->safe_psql('postgres', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC; DROP TABLE shared.missed, shared.later, shared.global, shared.global2');
	as('mallory', q(CREATE TRIGGER none BEFORE INSERT ON m.t1 EXECUTE FUNCTION flakeid_follow('id', 'm.none')));
	is(as('postgres', q(SELECT string_agg(DISTINCT severity, ' ') FROM flakeid_doctor() WHERE subject = 'horizon')), 'notice warning', 'a trigger of a stranger that names no sequence: nobody is woken');
	# his child's name would end the quotes of his trigger's argument
	as('mallory', q{CREATE TABLE m.parent (version bigint DEFAULT 0); CREATE TABLE m."c'); ALTER ROLE mallory SUPERUSER; --" () INHERITS (m.parent);
		CREATE TRIGGER v BEFORE INSERT OR UPDATE ON m.parent FOR EACH ROW EXECUTE FUNCTION flakeid_rowversion('version', 'm.s ON m.parent FOR x')});
	is(as('postgres', q(SELECT count(fix), count(*) FROM flakeid_doctor() WHERE finding ~ '^An UPDATE of m.parent ')), '0|1', 'a child of which the doctor cannot say how it gets the trigger');
	as('mallory', q(CREATE OR REPLACE TRIGGER v BEFORE INSERT OR UPDATE ON m.parent FOR EACH ROW EXECUTE FUNCTION flakeid_rowversion('version', 'm.s'); CREATE SEQUENCE m.s));
	as('postgres', q(SELECT fix FROM flakeid_doctor() WHERE finding ~ '^An UPDATE of m.parent ' \gexec));
	is(as('postgres', q(SELECT count(fix) FROM flakeid_doctor() WHERE finding ~ '^An UPDATE of m.parent ')), '0', '... without that argument it can');
	is(as('postgres', q(SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory')), 'f', '... and nobody else runs what he writes');
}

# ---------- statistics ----------

# From 18 on, whoever may MAINTAIN a table may write what he likes into its statistics, also fractions whose sum is
# above 1 by a rounding error.  They end nobody's query.
$node->safe_psql('postgres', q(
	CREATE TABLE sampled AS SELECT u, sno_min(uuid7_timestamp(u)) AS s FROM (SELECT uuid7_min(timestamptz '2020-01-01Z' + n * interval '1 day') AS u FROM generate_series(1, 1000) AS n) AS v;
	INSERT INTO sampled SELECT (ARRAY['8a8405d6-73f0-4790-993a-756c06453ec2', 'f6418868-9f2e-4f2d-8760-85a46b19c79e'])[1 + (n % 3) / 2]::uuid, sno_min((ARRAY[date '2020-01-01', '2021-01-01'])[1 + (n % 3) / 2]::timestamptz) FROM generate_series(1, 3000) AS n;
	ANALYZE sampled));
foreach my $statistics ("'{0.7326101064682007,0.2673899233341217}', 0", "'{9,0.7}', 0", "'{-9,0.7}', 0", "'{0.5,0.5}', 0.3", "'{0.5,0.5}', -2", "'{NaN,0.5}', 0")
{
	$node->safe_psql('postgres', "SET allow_system_table_mods = on; UPDATE pg_statistic SET (stanumbers1, stanullfrac) = ($statistics) WHERE starelid = 'sampled'::regclass");
	my $said = as('postgres', join ';', map { "EXPLAIN (FORMAT JSON) SELECT FROM sampled WHERE $_" } map { my $time = $_; map { s/\bT\b/$time/gr } q(T > '2020-03-01Z'::timestamptz), q(T < '-infinity'::timestamptz OR T > '2020-06-01Z'::timestamptz),
		q(NOT (T >= '2020-03-01Z'::timestamptz AND T < '2020-06-01Z'::timestamptz)), q(NOT T <@ tstzrange('2020-03-01Z', '2020-04-01Z')) } 'uuid7_timestamp(u)', 's');

	is(scalar(() = $said =~ /"Plan": /g), 8, "statistics with the frequencies and nulls $statistics: no error") or diag $said;
}

# ---------- internal functions ----------

# Everybody may call them by the full name; none does anything that its caller may not.
as('victim', 'CREATE TABLE shared.private (id sno PRIMARY KEY, n int) PARTITION BY RANGE (id)');
foreach my $call (
	"flakeid_add_partition('shared.private', 'm.part', 'DEFAULT')", "flakeid_backfill_batch('shared.old', 'id', 'at', 10, -1, 0, '', '', '', -1)", "flakeid_backfill_batch_as_owner('shared.old', 'id', 'at', 10, -1, 0, '', '', '', -1)",
	"flakeid_backfill_fill('shared.old', 'id', -1, 0, '', '{}', '{}', '{}')", "flakeid_lock_backfill('shared.old')", "flakeid_hold('shared.old', false)",
	map { "flakeid_doctor_$_()" } qw(memory library node citus subscriptions mark clock generators holders sequences))
{
	like(as('mallory', "SELECT * FROM _flakeid_functions.$call"), qr/ERROR:  42501: /, "refused to a stranger: $call");
}
like(as('mallory', 'CREATE FUNCTION _flakeid_functions.flakeid_home() RETURNS text LANGUAGE sql RETURN 1'), qr/ERROR:  42501: permission denied for schema _flakeid_functions/, 'and nobody can add overloads');
# Whatever a stranger passes to a function that he may call, the server stays up.
{
	my $list = $node->safe_psql('postgres', q(SELECT p.prokind::text || '|' || p.oid::regproc || '|' || coalesce((SELECT string_agg(format_type(t, NULL), ';' ORDER BY n) FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, n)), '')
		FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' JOIN pg_extension AS x ON x.oid = d.refobjid AND x.extname = 'flakeid'
		WHERE p.prokind IN ('f', 'p') AND p.pronargs > 0 AND p.prorettype NOT IN ('trigger'::regtype, 'internal'::regtype) AND NOT p.proargtypes::oid[] && '{internal,cstring}'::regtype[]::oid[] AND has_function_privilege('mallory', p.oid, 'EXECUTE')));
	# no relation, another object's OID, a relation, each with the least, the greatest and no usual value of the others
	my @calls;

	foreach my $oid (qw(0 2200 1259 4294967295))
	{
		foreach my $value (
			[ "''", 0, '-infinity', '0', '', 'empty' ], [ "repeat('z', 100000)", 'greatest', 'infinity', '178000000 years', 'ff' x 16, '(,)' ],
			[ q('sno'), 'least', '4713-01-01 BC', '-1 us', 'ff', '[2026-01-01,)' ], [ q('uuid7'), -1, '294276-12-31', '1 day 1 month', '00' x 16, 'empty' ])
		{
			my ($text, $number, $time, $interval, $bytes, $range) = @$value;
			my %of = (text => $text, name => "($text)::name", (map { $_ => "$oid\::oid::$_" } qw(oid regclass regtype)), boolean => 'true', bytea => "decode('$bytes', 'hex')", interval => "'$interval'::interval",
				uuid => "'ffffffff-ffff-ffff-ffff-ffffffffffff'", tstzrange => "'$range'::tstzrange", flakeid_period => "'$range'::flakeid_period", (map { $_ => "'$time'::$_" } 'timestamp with time zone', 'timestamp without time zone'));

			@of{qw(smallint integer bigint)} = $number eq 'least' ? ('(-32768)::int2', '(-2147483648)::int4', '(-9223372036854775808)::int8') : $number eq 'greatest' ? ('32767::int2', '2147483647', '9223372036854775807') : ("($number)::int2", $number, "($number)::int8");
			foreach (split /\n/, $list)
			{
				my ($kind, $name, $types) = split /\|/, $_, -1;

				push @calls, ($kind eq 'p' ? 'CALL' : 'SELECT count(*) FROM') . " $name(" . join(', ', map { my $type = $_ =~ s/\[\]$//r; my $one = $of{$type} // "NULL::$type"; $type eq $_ ? $one : "ARRAY[$one]::$_" } split /;/, $types) . ')';
			}
		}
	}
	my ($rc, $out, $err) = $node->psql('postgres', join(";\n", 'SET statement_timeout = 10000', @calls, q(SELECT 'end')), extra_params => [ '-U', 'mallory', '-e' ], on_error_stop => 0);

	cmp_ok(scalar @calls, '>', 5000, 'every function, called with whatever arguments');
	like($out, qr/^end$/m, '... answers or reports an error') or diag substr($out, -300);
}
is($node->safe_psql('postgres', "SELECT string_agg(rolname, ', ') FROM pg_roles WHERE rolsuper AND rolname <> current_user"), '', 'nobody has become a superuser');

$node->stop;
done_testing();
