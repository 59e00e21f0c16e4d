# flakeid_doctor(): the test causes each fault, finds it, and runs the statement given to
# fix it; then the fault is gone.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

my $clock = clock_available();
# the fix about this list has to quote its names; each server has that library
my $node = new_server('doctor', clock => $clock, extension => 0, init => { allows_streaming => 'logical' }, server => [ 'max_prepared_transactions = 5', q(shared_preload_libraries = '$libdir/plpgsql') ]);

if ($clock)
{
	$node->stop;
	set_clock($node, yesterday('10:00:00'));
	start_server($node);
}
my $in_one_session = in_one_session($node);

sub query
{
	return $in_one_session->(@_);
}

query('CREATE EXTENSION flakeid');

# The findings, one per line, without the one that depends on the machine: whether its clock is synchronized.
sub findings
{
	return query(q(SELECT severity, subject, finding FROM flakeid_doctor() WHERE finding NOT LIKE '%not synchronized%'));
}

# A reload at the same instant as the last one goes unnoticed, and the clock is stopped: set it a little later.
my $milliseconds = 0;

sub later
{
	set_clock($node, yesterday(sprintf '10:00:0%.3f', ($milliseconds += 125) / 1000)) if $clock && $milliseconds < 9800;
	return;
}

# Return to a derived node.
sub derived
{
	later();
	query('ALTER SYSTEM RESET flakeid.node; SELECT pg_reload_conf()');
	$node->poll_query_until('postgres', q(SELECT node_source <> 'flakeid.node' FROM flakeid_clock)) or die;
	return;
}

# The fault is found; its statement, or the one chosen by a person who has to decide ("by"),
# runs; and the fault is gone.
sub fixed
{
	my ($name, $severity, $subject, $finding, %option) = @_;
	my $sql = 'FROM flakeid_doctor() WHERE subject = ' . "'$subject' AND finding ~ '$finding'";
	my $fix;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	like(findings(), qr/^\Q$severity|$subject\E\|.*$finding/m, "$name: found");
	$fix = query("SELECT fix $sql LIMIT 1");
	$option{before}->() if $option{before};
	if (exists $option{by})
	{
		is($fix, '', "$name: for a person to decide");
		$fix = $option{by};
	}
	else
	{
		like($fix, qr/\w.*;\z/s, "$name: with a statement");
		unlike($fix, qr/flakeid\.node/, "$name: which sets no number");
	}
	later() if $fix =~ /pg_reload_conf/;
	is(($node->psql('postgres', $fix, on_error_stop => 1))[0], 0, "$name: $fix") if $fix;
	$option{after}->() if $option{after};
	return ok(until_true(sub { return query("SELECT count(*) = 0 $sql") eq 't' }), "$name: gone");
}

# Before the library is preloaded: an owner may not read shared_preload_libraries.
query('CREATE ROLE owner; CREATE DATABASE theirs OWNER owner');
$node->safe_psql('theirs', 'CREATE EXTENSION flakeid');
is($node->safe_psql('theirs', q(SET ROLE owner; SELECT count(*) > 0, count(*) FILTER (WHERE finding ~ 'could not be checked') FROM flakeid_doctor())), 't|0', 'the owner of the database may ask, and everything is looked at');
query('DROP DATABASE theirs');
query('DROP ROLE owner');

# ---------- preload ----------

# The view reports it if the library reads the file itself, otherwise the server does.
sub bad_setting
{
	my ($finding) = @_;

	configure($node, 'flakeid.sno_sequence_max = 100000');
	$in_one_session->();    # the next session loads the library, which reads the file itself
	return fixed('a setting out of range', 'error', 'settings', "($finding).*sno_sequence", by => 'SELECT pg_reload_conf()',
		before => sub { write_settings($node) },    # postgresql.conf is corrected
		after => sub { $node->poll_query_until('postgres', 'SELECT setting_fault IS NULL FROM flakeid_clock') });
}

later();
bad_setting('There is a fault in the settings');
if ($node->pg_version->major < 17)
{
	fixed('not preloaded', 'notice', 'shared_preload_libraries', 'server start',
		after => sub { $node->stop; start_server($node) });
}
# What the kernel says of its clock depends on the machine, so a substitute answers.
my $kernel = 'CREATE OR REPLACE FUNCTION _flakeid_functions.flakeid_clock_synchronized() RETURNS boolean LANGUAGE sql VOLATILE STRICT RETURN';
my $asked = 'SELECT severity, subject, finding FROM flakeid_doctor()';
query("$kernel false");
like(query($asked), qr/^notice\|clock\|The kernel says that its clock is not synchronized[^\n]*$/, 'not synchronized: found');
query("$kernel true");
is(query($asked), 'ok|flakeid|Nothing was found.', 'synchronized: gone, and one row says that nothing was found');
query(q(CREATE OR REPLACE FUNCTION _flakeid_functions.flakeid_clock_synchronized() RETURNS boolean AS '$libdir/flakeid' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE));
is(query(q(SELECT library = extversion FROM flakeid_version(), pg_extension WHERE extname = 'flakeid')), 't', 'the library knows its version');
is(query('SELECT release FROM flakeid_version()'), (slurp_file("$FindBin::RealBin/../../META.json") =~ /"version": "(\d+\.\d+\.\d+)"/)[0], 'and its release');

# ---------- version ----------

SKIP:
{
	my $path = $node->config_data('--sharedir') . '/extension';
	my $script = "$path/flakeid--0.9--" . query('SELECT library FROM flakeid_version()') . '.sql';

	skip "$path is not ours to write", 1 unless -w $path;
	query(q(UPDATE pg_extension SET extversion = '0.9' WHERE extname = 'flakeid'));
	append_to_file($script, "-- nothing\n");
	fixed('an older extension', 'error', 'version', 'The library is version', after => sub { unlink $script });
}

# ---------- this database's number ----------

my $set = 'ALTER SYSTEM SET flakeid.node = 1; SELECT pg_reload_conf()';

query('CREATE PUBLICATION one; CREATE TABLE unnumbered (id uuid DEFAULT uuid7_new(), other uid64); INSERT INTO unnumbered SELECT uuid7_new(), uid64_new()');
unlike(findings(), qr/flakeid\.node/, 'derived, and published, but no ID carries the number: nothing is found');
query('CREATE TABLE numbered (id uid96)');
fixed('derived, and published', 'warning', 'flakeid.node', 'publications: 1', by => $set);
later();
query('DROP PUBLICATION one');
derived();
query(q(SELECT pg_create_physical_replication_slot('one')));
fixed('derived, and a slot', 'warning', 'flakeid.node', 'replication slots: 1', by => $set);
query(q(SELECT pg_drop_replication_slot('one')));

# not connected: its existence is enough
derived();
query(q(CREATE SUBSCRIPTION one CONNECTION 'host=nowhere' PUBLICATION one WITH (connect = false, slot_name = NONE)));
fixed('derived, and a subscription', 'warning', 'flakeid.node', 'subscriptions: 1', by => $set);
query('DROP SUBSCRIPTION one');

derived();
my $replica = IPC::Run::start([ $node->installed_command('pg_receivewal'), '-n', '-D', $node->basedir, '-d', $node->connstr('postgres') ], '>', '/dev/null', '2>&1');
ok($node->poll_query_until('postgres', 'SELECT count(*) = 1 FROM pg_stat_replication'), 'a replica connects');
fixed('derived, and a replica', 'warning', 'flakeid.node', 'replicas connected: 1', by => $set);
$replica->kill_kill;

# ---------- others with the same number ----------

# A subscription that cannot continue: the statistics show that, the log shows why.
SKIP:
{
	query("ALTER SYSTEM SET flakeid.node = 1; SELECT pg_reload_conf()");
	query(q(CREATE TABLE copied (id sno PRIMARY KEY); CREATE TABLE origin (id sno); CREATE DOMAIN inner_id AS ulid; CREATE DOMAIN outer_id AS inner_id; CREATE TABLE nested (id outer_id); INSERT INTO copied SELECT sno_make('2026-01-01', 0, 1, 1)));
	query('CREATE DATABASE publisher');
	skip 'wal_level is not logical', 1 if query('SHOW wal_level') ne 'logical';
	$node->safe_psql('publisher', 'CREATE EXTENSION flakeid; CREATE TABLE copied (id sno PRIMARY KEY); CREATE TABLE nested (id ulid); CREATE PUBLICATION all_of_it FOR TABLE copied, nested');
	$node->safe_psql('publisher', q(SELECT pg_create_logical_replication_slot('copies', 'pgoutput')));
	query(q(CREATE SUBSCRIPTION copies CONNECTION 'dbname=publisher ) . 'host=' . $node->host . ' port=' . $node->port . q(' PUBLICATION all_of_it WITH (copy_data = off, create_slot = off)));
	$node->safe_psql('publisher', q(INSERT INTO copied SELECT sno_make('2026-01-01', 0, 1, 1)));
	$node->poll_query_until('postgres', 'SELECT apply_error_count > 0 FROM pg_stat_subscription_stats') or die;
	fixed('a subscription that is stuck', 'error', 'subscription copies',
		'could not be applied, \d+ times.*' . ($node->pg_version->major < 18 ? 'If the server.s log says .duplicate key., another server makes IDs' : 'Of these \d+ were for a duplicate key: another server makes IDs'),
		by => q(DELETE FROM copied; SELECT pg_stat_reset_subscription_stats(NULL)));

	# It replicates IDs: readers of the rows would miss some.  The other one replicates nothing that has a horizon.
	my $plain = 'CREATE TABLE plain (id int PRIMARY KEY); CREATE TABLE wide (id uid96 PRIMARY KEY); CREATE TABLE kinds (kind text); CREATE TABLE parts (id int GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parts DEFAULT';

	$node->safe_psql('publisher', "$plain; CREATE PUBLICATION plain FOR TABLE plain, wide, kinds, part");
	query("$plain; CREATE SUBSCRIPTION plain CONNECTION 'dbname=publisher host=" . $node->host . ' port=' . $node->port . "' PUBLICATION plain WITH (enabled = off, create_slot = off, slot_name = NONE)");
	is(query(q(SELECT count(*) FROM pg_subscription_rel AS r JOIN pg_subscription AS s ON s.oid = r.srsubid WHERE s.subname = 'plain')), '4', 'a subscription without IDs that have a horizon');
	unlike(findings(), qr/It brings rows with IDs/, '... and nobody has asked for a horizon');
	query('SELECT ulid_horizon()');
	like(findings(), qr/^notice\|subscription copies\|It brings rows with IDs \(public\.copied, public\.nested\)\. .* Read on the publisher/m, '... but now that somebody has, the doctor says which subscription brings some');
	unlike(findings(), qr/subscription plain/, '... and nothing is reported about the other one');
	query('DROP SUBSCRIPTION copies');

	# Its readers wait for values that the publisher draws.
	query(q(CREATE SEQUENCE plain_id; ALTER TABLE plain ALTER id SET DEFAULT nextval('plain_id'); SELECT flakeid_horizon('plain_id'), flakeid_horizon('parts_id_seq')));
	like(findings(), qr/^notice\|subscription plain\|It brings rows with IDs \(public\.part, public\.plain\)\./m, '... until somebody asks for the horizons of sequences');
	query('DROP SUBSCRIPTION plain');
	query('DROP TABLE copied, origin, nested, plain, wide, kinds, parts; DROP DOMAIN outer_id, inner_id');
	query('DROP DATABASE publisher');
}

# How the doctor reads Citus' answers: a substitute gives them, because Citus is rarely installed.
SKIP:
{
	my $path = $node->config_data('--sharedir') . '/extension';

	skip "$path is not ours to write", 1 if !-w $path || -e "$path/citus.control";
	append_to_file("$path/citus.control", "default_version = '1'\nrelocatable = false\nschema = pg_catalog\n");
	append_to_file("$path/citus--1.sql", q(
		SET allow_system_table_mods = on;
		CREATE TABLE pg_catalog.pg_dist_local_group AS SELECT 2 AS groupid;
		CREATE FUNCTION pg_catalog.run_command_on_all_nodes(command text, OUT nodeid int, OUT success boolean, OUT result text)
		RETURNS SETOF record LANGUAGE plpgsql AS $$
		BEGIN
			FOR n IN 1 .. 3 LOOP
				nodeid := n;
				success := nodeid < 3;
				result := CASE WHEN success THEN '3' ELSE 'failed to connect' END;
				IF nodeid = 1 THEN EXECUTE command INTO result; END IF;
				RETURN NEXT;
			END LOOP;
		END $$;));
	query('CREATE EXTENSION citus');
	unlink "$path/citus.control", "$path/citus--1.sql";
	query('ALTER SYSTEM SET flakeid.node = 3');
	later();
	query('SELECT pg_reload_conf()');
	$node->poll_query_until('postgres', 'SELECT node = 3 FROM flakeid_clock');
	later();
	like(findings(), qr/^warning\|flakeid\.node\|The numbers of nodes 3 of Citus are not known: failed to connect\.$/m, 'a node of Citus that does not answer: found');
	fixed('two nodes of Citus', 'error', 'flakeid.node', 'Nodes 1, 2 of Citus all have number 3', by => 'ALTER SYSTEM SET flakeid.node = 2; SELECT pg_reload_conf()');
	is(query('SELECT node FROM flakeid_clock'), 2, 'two nodes of Citus: this one has its group');
	# no node to ask
	query(q(CREATE OR REPLACE FUNCTION pg_catalog.run_command_on_all_nodes(command text, OUT nodeid int, OUT success boolean, OUT result text)
		RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN RAISE 'node is down'; END $$));
	like(findings(), qr/^error\|flakeid\.node\|This could not be checked: node is down\.$/m, 'nodes of Citus that do not answer: found');
	query('DROP EXTENSION citus');
	unlike(findings(), qr/Citus/, 'nodes of Citus: gone');
}

# ---------- settings ----------

later();
bad_setting('The server refuses|There is a fault in the settings');

# ---------- the mark ----------

query('SELECT sno_new(0), snowflake_new()');
query("SET session_replication_role = replica;
	ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_insert; INSERT INTO _flakeid.mark SELECT * FROM _flakeid.mark;
	ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_insert");
fixed('rows twice', 'warning', '_flakeid.mark', 'has 6 rows');
query('ALTER TABLE _flakeid.mark ENABLE TRIGGER mark_change');
fixed('a weak trigger', 'warning', '_flakeid.mark', 'Trigger mark_change');
query('CREATE INDEX mark_index ON _flakeid.mark (kind)');
$node->stop;
start_server($node);    # the mark is not in memory
like(findings(), qr/^error\|flakeid\|The generators and flakeid_clock report: .*The table has an index/m, 'an index: generators and views refuse');
fixed('an index', 'error', '_flakeid.mark', 'has an index');
unlike(findings(), qr/^error\|flakeid\|/m, 'an index: they do not refuse any more');
query('ALTER TABLE _flakeid.mark SET UNLOGGED');
fixed('not permanent', 'error', '_flakeid.mark', 'is not permanent');
query('ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_change; DELETE FROM _flakeid.mark WHERE kind = 2;
	ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change');
fixed('a row missing', 'error', '_flakeid.mark', 'lacks a row');
later();    # all earlier IDs have been counted as issued

# ---------- the clock ----------

SKIP:
{
	skip 'no compiler', 1 unless $clock;

	$node->psql('postgres', 'SELECT count(uid64_new()) FROM generate_series(1, 16384 + 1)');
	fixed('a tick used up', 'warning', 'generator uid64 0', 'used up');
	set_clock($node, yesterday('10:00:10'));
	query('SELECT count(uid64_new()) FROM generate_series(1, 16000)');
	like(findings(), qr/^notice\|generator uid64 0\|\d+ of the 16384 numbers of its last tick are leased: the pool is nearly exhausted. If that happens/m, 'near the end of a pool that is as large as possible');
	set_clock($node, yesterday('10:00:11'));
	query('SELECT uid64_new()');
	unlike(findings(), qr/nearly exhausted/, 'near the end of a pool: the next tick is not');
	query(q(ALTER SYSTEM SET flakeid.sno_sequence_max = 99));
	set_clock($node, yesterday('10:00:12'));
	query('SELECT pg_reload_conf()');
	$node->poll_query_until('postgres', q(SELECT current_setting('flakeid.sno_sequence_max') = '99' FROM flakeid_clock));
	query('SELECT count(sno_new(0)) FROM generate_series(1, 90)');
	set_clock($node, yesterday('10:00:12.5'));
	fixed('near the end of a pool that can be widened', 'notice', 'generator sno ' . query('SELECT sno_partition FROM flakeid_clock'), 'The pool is 0 to 99; if no other', by => 'ALTER SYSTEM SET flakeid.sno_sequence_max = 65535; SELECT pg_reload_conf()',
		after => sub { query('ALTER SYSTEM RESET flakeid.sno_sequence_max') });

	set_clock($node, yesterday('15:00:00'));
	my $log = -s $node->logfile;
	query('SELECT sno_new(0), snowflake_new()') for 1 .. 2;
	my $logged = slurp_file($node->logfile, $log);
	like($logged, qr/LOG:  the clock was set ahead by 1[78]\d\d\d s/, 'the clock was set ahead: in the log');
	is(scalar(() = $logged =~ /LOG:  the clock was set ahead/g), 1, '... once');
	like(findings(), qr/^warning\|clock jump\|Since .* the clock was set ahead by 0[45]:/m, '... and a finding of the doctor');
	fixed('the clock was set ahead', 'warning', 'clock jump', 'the clock was set ahead by 0[45]:', by => '', after => sub { set_clock($node, yesterday('10:00:14')) });
	set_clock($node, yesterday('10:00:14') =~ s/^(\d+)/$1 + 1/er);
	like(findings(), qr/^warning\|clock jump\|Since .* the clock was set ahead by 36[45] days/m, 'a year is 365 days');
	set_clock($node, yesterday('10:00:14'));
	fixed('the clock was wrong', 'error', 'clock', 'which is more than flakeid.max_ahead later: generators refuse, but for sno, .* If the clock is right now, type SELECT public.flakeid_clock_reset[(]now[(][)], false[)]; otherwise correct it[.]$', by => 'SELECT public.flakeid_clock_reset(now(), false);');
	is(query(q(SELECT subject, severity, fix IS NULL FROM flakeid_doctor() WHERE finding ~ 'Until then there is nothing to do')),
		'issued interval|notice|t', 'retired, in the future: found, and nothing to run');

	query('SELECT snowflake_new()');
	set_clock($node, yesterday('10:00:20'));
	query('SELECT snowflake_new()');
	set_clock($node, yesterday('10:00:12'));
	fixed('ahead of the clock', 'warning', 'clock', 'ahead of the clock', by => '', after => sub { set_clock($node, yesterday('10:00:20')) });

	# a second wrong time, hours after the first one
	set_clock($node, yesterday('18:00:00'));
	query('SELECT snowflake_new()');
	set_clock($node, yesterday('10:00:30'));
	query('SELECT flakeid_clock_reset(now())');

	# the clock is in the retired interval
	set_clock($node, yesterday('15:00:00.5'));
	like(findings(), qr/^notice\|issued interval\|IDs of the time from \S+ 18:00:00\S* to \S+ 18:00:0.*Until then there is nothing to do/m, 'retired, later: found on its own');
	fixed('retired', 'notice', 'issued interval', '15:00:00\S* to \S+ 15:00:0.*It is there now: wait until \S+ 15:00:0', by => 'SELECT flakeid_clock_reset(now(), force => true)');
	fixed('the clock was set ahead, and is right', 'warning', 'clock jump', 'the clock was set ahead by', by => 'SELECT flakeid_stats_reset()');

	# up to the mark, current IDs count as issued, so a reset would be refused
	query(q(SELECT flakeid_advance(now() + interval '1 min')));
	fixed('advanced', 'error', 'clock', 'IDs of the current time were issued, too, up to .*: wait until then', by => 'SELECT flakeid_clock_reset(now(), force => true)',
		before => sub { like(($node->psql('postgres', 'SELECT flakeid_clock_reset(now())'))[2], qr/ERROR:  IDs were issued at/, 'advanced: a reset is refused') });
}

unlike(findings(), qr/^(?:error|warning)/m, 'in the end nothing is wrong');

# ---------- the page ----------

# The page has no subject that the doctor has not.
{
	my $source = slurp_file("$FindBin::RealBin/../../src/operation/doctor.sql");
	my ($table) = slurp_file("$FindBin::RealBin/../../docs/monitoring.md") =~ /^## What is wrong: (.*?)^## /ms;
	my @subjects = $table =~ /^\| `([^`]*?)(?: \.\.\.)?` \|/mg;

	cmp_ok(scalar @subjects, '>', 15, 'the page lists subjects');
	is(join(', ', grep { $source !~ /'\Q$_\E\b/ } @subjects), '', '... and all are subjects of the doctor');
}

# ---------- who may ask ----------

query('CREATE ROLE stranger; CREATE ROLE owner; CREATE DATABASE theirs OWNER owner');
$node->safe_psql('theirs', 'CREATE EXTENSION flakeid');
is($node->safe_psql('theirs', q(SET ROLE owner; SELECT count(*) > 0 FROM flakeid_doctor())), 't', 'the owner of the database may ask');
is($node->safe_psql('theirs', q(BEGIN; SET lock_timeout = '7s'; SELECT count(*) > 0 FROM flakeid_doctor(); SHOW lock_timeout)), "t\n7s", 'the caller keeps its settings');
$node->safe_psql('theirs', 'CREATE ROLE watcher IN ROLE pg_monitor');
is($node->safe_psql('theirs', q(SET ROLE watcher; SELECT count(*) FROM flakeid_doctor() WHERE finding LIKE '%could not be checked%')), '0', 'a monitoring role may ask, and sees everything');

# A lock on a relation it reads is a finding, and it checks the rest.
$node->safe_psql('theirs', q(GRANT CREATE ON SCHEMA public TO PUBLIC; CREATE TABLE part (id sno) PARTITION BY RANGE (id); CREATE TABLE part_old PARTITION OF part FOR VALUES FROM (sno_min('2020-01-01')) TO (sno_min('2020-02-01'))));
foreach my $case ([ '_flakeid.mark', '_flakeid.mark' ], [ 'pg_catalog.pg_subscription', 'subscription' ],
	[ 'pg_catalog.pg_extension', 'version', 'flakeid', '_flakeid.mark', 'clock', 'generators', 'horizon' ])
{
	my ($relation, @subjects) = @$case;
	my $locker = session($node, database => 'theirs');
	my $found;

	attempt($locker, 'BEGIN');
	attempt($locker, "LOCK TABLE $relation");
	$found = $node->safe_psql('theirs', 'SELECT severity, subject, finding FROM flakeid_doctor()');
	like($found, qr/^warning\|\Q$_\E\|This could not be checked: canceling statement due to lock timeout/m, "a lock on $relation: reported for $_") foreach @subjects;
	like($found, qr/^warning\|schema\|Roles other than its owner/m, "a lock on $relation: the rest is checked") if $relation !~ /pg_extension$/;
	$locker->quit;
}
$node->safe_psql('theirs', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
{
	my $locker = session($node, database => 'theirs');

	attempt($locker, 'BEGIN');
	attempt($locker, 'LOCK TABLE part, part_old');
	unlike($node->safe_psql('theirs', 'SELECT finding FROM flakeid_doctor()'), qr/could not be checked/, 'locks on tables do not matter to it');
	$locker->quit;
}

# The doctor does not run others' code in an index, a constraint, a policy, statistics, a
# default partition or a temporary table.
$node->safe_psql('theirs', q(CREATE ROLE mallory; CREATE SCHEMA app AUTHORIZATION mallory; CREATE TABLE public.ran (who text); GRANT INSERT ON public.ran TO PUBLIC; SET ROLE mallory;
	CREATE FUNCTION app.bait() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN INSERT INTO public.ran VALUES (current_user); RETURN 0; EXCEPTION WHEN OTHERS THEN RETURN 0; END $$;
	CREATE TABLE app.t (id sno PRIMARY KEY, n int CHECK (n > app.bait())) PARTITION BY RANGE (id);
	CREATE TABLE app.rest PARTITION OF app.t DEFAULT;
	CREATE TABLE app.keys (id sno PRIMARY KEY, n int CHECK (n > app.bait()));
	CREATE INDEX ON app.keys ((n + app.bait())); CREATE INDEX ON app.t (id) WHERE n > app.bait();
	CREATE STATISTICS app.s ON (n + app.bait()), id FROM app.keys;
	ALTER TABLE app.keys ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.keys USING (n > app.bait());
	CREATE TEMP TABLE keys (id sno PRIMARY KEY, n int CHECK (n > app.bait()));
	INSERT INTO app.keys VALUES (sno_new(0), 1); INSERT INTO app.t VALUES (sno_new(0), 1)));
$node->safe_psql('theirs', 'TRUNCATE ran');
foreach my $role ('postgres', 'owner', 'watcher')
{
	unlike($node->safe_psql('theirs', "SET ROLE $role; SELECT subject, finding FROM flakeid_doctor()"), qr/could not be checked|app/, "$role asks, and others' tables do not matter");
}
is($node->safe_psql('theirs', 'SELECT count(*) FROM ran'), '0', "and nobody's code has run");

# Others may create objects in the extension's schema.
$node->safe_psql('theirs', 'GRANT CREATE ON SCHEMA public TO PUBLIC');
like($node->safe_psql('theirs', 'SELECT severity, subject, fix FROM flakeid_doctor()'), qr/^warning\|schema\|REVOKE CREATE ON SCHEMA public FROM PUBLIC;$/m, 'a schema that is open: found');
$node->safe_psql('theirs', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
unlike($node->safe_psql('theirs', 'SELECT subject FROM flakeid_doctor()'), qr/^schema$/m, 'a schema that is open: gone');
$node->safe_psql('theirs', 'ALTER SCHEMA public OWNER TO stranger');
like($node->safe_psql('theirs', 'SELECT severity, subject, fix IS NULL, finding FROM flakeid_doctor()'), qr/^warning\|schema\|t\|Role stranger owns schema public, but not flakeid/m, 'a schema of somebody else: found');
$node->safe_psql('theirs', 'ALTER SCHEMA public OWNER TO pg_database_owner');
unlike($node->safe_psql('theirs', 'SELECT subject FROM flakeid_doctor()'), qr/^schema$/m, 'a schema of somebody else: gone');

# The installed library differs from the one that the session has loaded.
SKIP:
{
	my $library = $node->config_data('--pkglibdir') . '/flakeid.so';

	skip "$library is not ours to write", 1 unless -w $library;
	my $session = session($node, database => 'theirs');

	unlike(attempt($session, 'SELECT finding FROM flakeid_doctor()'), qr/library on disk/, 'the library is the one on disk');
	link $library, "$library.old" or die;
	system('cp', $library, "$library.new") == 0 && rename("$library.new", $library) or die;
	like(attempt($session, 'SELECT finding FROM flakeid_doctor()'), qr/The library on disk differs from the one that this session has loaded/, 'another library on disk: found');
	rename "$library.old", $library or die;
	unlike(attempt($session, 'SELECT finding FROM flakeid_doctor()'), qr/library on disk/, 'another library on disk: gone');
	rename $library, "$library.old" or die;
	like($node->safe_psql('theirs', 'SELECT severity, subject, finding FROM flakeid_doctor()'), qr/^error\|flakeid\|The generators and flakeid_clock report: could not access file[^\n]*(?:\n(?!error)[^\n]*)*$/, 'no library: one error says so');
	rename "$library.old", $library or die;
	$session->quit;
}
isnt(($node->psql('theirs', 'SET ROLE stranger; SELECT flakeid_doctor()', on_error_stop => 1))[0], 0, 'a stranger may not');

# ---------- holders of the horizons ----------

{
	my $holder = session($node);
	my $pid = attempt($holder, 'SELECT pg_backend_pid()');

	if ($clock)
	{
		set_clock($node, yesterday('19:59:00'));
		query("SET ROLE stranger; BEGIN; SELECT snowflake_new(); PREPARE TRANSACTION 'of a stranger $_'") foreach 1 .. 5;
		set_clock($node, yesterday('20:00:00'));
	}
	attempt($holder, 'BEGIN; SELECT snowflake_new()');
	unlike(findings(), qr/^warning\|horizon/m, 'a transaction that has just made an ID is not reported');
	if ($clock)
	{
		set_clock($node, yesterday('20:15:00'));
		unlike(findings(), qr/^warning\|horizon/m, 'one that is idle and has made an ID: nobody asks for a horizon');
		query('SELECT ulid_horizon()');
		is(query(q(SELECT string_agg(substring(finding, 'of a stranger|Process'), ' ') FROM flakeid_doctor() WHERE subject = 'horizon')), 'of a stranger Process of a stranger of a stranger of a stranger', 'five of the holders, the oldest of each role first');
		query("ROLLBACK PREPARED 'of a stranger $_'") foreach 1 .. 5;
		is(query(q(SELECT pid, severity FROM flakeid_horizon_holders, flakeid_doctor() WHERE subject = 'horizon')), "$pid|warning", 'one that is idle and has made an ID: found');
		fixed('... and ended', 'warning', 'horizon', "Process $pid of \\S+ .idle in transaction. has made IDs .*SELECT pg_terminate_backend.$pid.. Set idle_in_transaction_session_timeout", by => "SELECT pg_terminate_backend($pid, 5000)");
		$holder->quit;
		query(q(BEGIN; SELECT snowflake_new(); PREPARE TRANSACTION 'an order'));
		set_clock($node, yesterday('20:30:00'));
		fixed('a prepared transaction that has made IDs', 'warning', 'horizon', 'Prepared transaction .an order. of \S+ has made IDs .*COMMIT PREPARED .an order.', by => q(ROLLBACK PREPARED 'an order'));
		query(q(BEGIN; SELECT snowflake_new(); PREPARE TRANSACTION 'before'));
		$node->stop;
		start_server($node);
		set_clock($node, yesterday('20:45:00'));
		query('SELECT ulid_horizon()');
		fixed('one from before the last start', 'warning', 'horizon', 'Prepared transaction .before. ', by => q(ROLLBACK PREPARED 'before'));
	}
	else { $holder->quit }
}

$node->stop;

# ---------- missing rows of the mark ----------

# Tables have IDs, so the extension cannot be dropped.  No ID is issued again, not even if
# the clock is set back before the row is restored.
{
	my $server = new_server('keyed', clock => $clock, extension => 0);
	my $here = 0;    # the clock's offset from the real one, in seconds
	my $number = 0;
	my $wrong = q(SELECT string_agg(finding, ' ') FROM flakeid_doctor() WHERE severity IN ('error', 'warning'));
	my $insert = 'INSERT INTO event SELECT FROM generate_series(1, 100)';

	foreach my $case ([ 'just deleted', '2' ], [ 'just deleted', '0' ], [ 'vacuumed', '2' ], [ 'vacuumed', '0, 1, 2' ], [ 'crashed', '2' ], [ 'crashed', '0, 1, 2' ], [ 'an hour back', '2' ], [ 'an hour back', '0, 1, 2' ])
	{
		my ($how, $kinds) = @$case;
		my $name = "rows $kinds missing, $how";
		my $back = $how eq 'an hour back';
		my $database = 'keyed' . $number++;    # one in which no ID is ahead of the clock yet
		my ($fix, $last);

		next if $back && !$clock;
		$server->safe_psql('postgres', "CREATE DATABASE $database");
		$server->safe_psql($database, "CREATE EXTENSION flakeid; CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_new(0), other snowflake NOT NULL UNIQUE DEFAULT snowflake_new()); $insert");
		$last = $server->safe_psql($database, 'SELECT max(id), max(other) FROM event');
		$server->safe_psql($database, "ALTER TABLE _flakeid.mark DISABLE TRIGGER mark_change; DELETE FROM _flakeid.mark WHERE kind IN ($kinds);
			ALTER TABLE _flakeid.mark ENABLE ALWAYS TRIGGER mark_change");
		if ($how ne 'just deleted')
		{
			# remove it on disk, too: until then a crash restores the deleted row
			$server->safe_psql($database, $_) foreach 'VACUUM _flakeid.mark', 'CHECKPOINT';
			$server->stop($how eq 'vacuumed' ? 'fast' : 'immediate');
			set_clock($server, sprintf '%+d', $here -= 3600) if $back;
			start_server($server);
			isnt(($server->psql($database, $insert))[0], 0, "$name: no ID");
		}
		$fix = $server->safe_psql($database, q(SELECT fix FROM flakeid_doctor() WHERE finding ~ 'lacks a row'));
		# the remaining rows show what was issued, or the person has to say it
		$fix =~ s/now\(\)/(SELECT greatest(max(id)::timestamptz, max(other)::timestamptz) FROM event)/g if $back && $kinds ne '2';
		is(($server->psql($database, $fix, on_error_stop => 1))[0], 0, "$name: $fix");
		if ($back)
		{
			like(($server->psql($database, 'SELECT snowflake_new()'))[2], $too_far_behind, "$name: no ID while the clock is behind");
			# where the clock would be without the step back, and a little later
			set_clock($server, sprintf '%+d', $here += 3600 + 60);
		}
		$server->stop('immediate');
		start_server($server);
		is($server->safe_psql($database, $wrong), '', "$name: gone, also after a crash");
		is(($server->psql($database, $insert))[0], 0, "$name: IDs are made");
		is($server->safe_psql($database, "SELECT count(*), min(other) > '@{[$last =~ s/.*\|//r]}' FROM event WHERE id > '@{[$last =~ s/\|.*//r]}'"), '100|t', "$name: greater than all earlier ones");
		is($server->safe_psql($database, 'SELECT count(DISTINCT kind), count(*) FROM _flakeid.mark'), '3|3', "$name: a row of each kind");
	}
	$server->stop;
}

done_testing();
