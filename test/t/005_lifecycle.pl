# Sessions end, databases and extensions are dropped and created again, backends are
# killed, and an ordinary user installs the extension, also in another schema.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

use constant SESSIONS => whole_or_short(500, 80);
use constant IDS => whole_or_short(300_000, 30_000);    # in each database

# A query that makes IDs until it is stopped.
use constant ENDLESS => 'SELECT count(sno_new(0)) FROM (SELECT generate_series(1, 1000000000)) AS endless';

# Have one session after another write IDs to a file.
my $made = 0;

sub make
{
	my ($node, $database, $count) = @_;
	my $file = id_file($node, 'm' . ++$made);

	$node->safe_psql($database, "COPY (SELECT sno_new(0) FROM generate_series(1, $count)) TO '$file'");
	return $file;
}

sub sessions
{
	my ($node) = @_;

	return $node->safe_psql('postgres', 'SELECT sessions FROM flakeid_clock');
}

sub issued
{
	my ($node, $database) = @_;

	return $node->safe_psql($database || 'postgres', 'SELECT coalesce(sum(issued), 0) FROM flakeid_generators');
}

# ---------- sessions start and end ----------

sub churn
{
	my ($node) = @_;
	my $name = $node->name;
	my $before = issued($node);
	my @files = map { id_file($node, "churn$_") } 1 .. 4;

	run_sessions($node, map { "COPY (SELECT sno_new(0)) TO PROGRAM 'cat >>$_';\n\\c -\n" x (SESSIONS / 4) } @files);
	until_gone($node);
	all_unique("$name: short sessions: no ID twice", SESSIONS, \@files);
	is((grep { !increasing($_) } @files), 0, "$name: short sessions: each session's IDs are above the previous session's");
	is(issued($node) - $before, SESSIONS, "$name: short sessions: every ID counted");
	ok($node->poll_query_until('postgres', 'SELECT sessions = 1 FROM flakeid_clock'), "$name: short sessions: none is left");
	return;
}

# A session is terminated in the middle of a long query: its IDs are counted.
sub ended
{
	my ($node) = @_;
	my $name = $node->name;
	my ($running);

	($running) = start_sessions($node, ENDLESS);
	$node->poll_query_until('postgres', 'SELECT sum(issued) > 100000 FROM flakeid_generators');
	$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT count(sno_new%'");
	eval { finish_sessions($running) };
	like($@, qr/terminating connection/, "$name: a session is terminated in the middle of its work");
	until_gone($node);
	ok($node->poll_query_until('postgres', 'SELECT sessions = 1 FROM flakeid_clock'), "$name: and nothing of it is left once the sessions that asked are gone");
	cmp_ok(issued($node), '>', 100_000, "$name: what it made is counted");

	return;
}

# More concurrent sessions than usual, and the view shows all of them.
sub many_sessions
{
	my ($node) = @_;
	my @sessions = map { session($node) } 1 .. 40;
	my %seen;

	$seen{ attempt($_, 'SELECT sno_new(0)') }++ foreach @sessions;
	is(keys %seen, 40, $node->name . ': forty sessions, forty IDs');
	is(sessions($node), '41', $node->name . ': and forty rows');
	$_->quit foreach @sessions;
	ok($node->poll_query_until('postgres', 'SELECT sessions = 1 FROM flakeid_clock'), $node->name . ': which disappear with them, except the row of the session that asks');
	return;
}

# kill -9 of a backend: the server restarts all others, with new memory.
sub survive
{
	my ($node) = @_;
	my $name = $node->name;
	my @files = make($node, 'postgres', 1000);
	my $pid;
	my ($running) = start_sessions($node, ENDLESS);

	until_true(sub { return $pid = $node->safe_psql('postgres', "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT count(sno_new%'") });
	kill 'KILL', $pid;
	eval { finish_sessions($running) };
	isnt($@, '', "$name: a backend is killed");
	wait_for_exit($pid);    # by then the postmaster knows
	wait_for_server($node);
	push @files, make($node, 'postgres', 1000);
	all_unique("$name: killed: no ID twice", 2000, \@files);
	ok($node->poll_query_until('postgres', 'SELECT sessions = 1 FROM flakeid_clock'), "$name: killed: no session is left");
	is(issued($node), 1000, "$name: killed: the counts start again");
	return;
}

# ---------- the extension is dropped and created ----------

sub extension
{
	my ($node) = @_;
	my $name = $node->name;
	my $session = session($node);
	my @ids;
	my $new = 'SELECT sno_new(0)';

	push @ids, attempt($session, $new);
	attempt($session, 'DROP EXTENSION flakeid');
	like(attempt($session, $new), qr/42883/, "$name: without the extension there is no function");
	# which writes to the mark's pages as to a heap's
	attempt($session, 'CREATE ACCESS METHOD another TYPE TABLE HANDLER heap_tableam_handler; SET default_table_access_method = another; CREATE EXTENSION flakeid');
	is(attempt($session, q(SELECT amname FROM pg_class AS c JOIN pg_am AS a ON a.oid = relam WHERE c.oid = '_flakeid.mark'::regclass)), 'heap',
		"$name: the marks are in a heap, even if the default is another access method");
	attempt($session, 'RESET default_table_access_method; DROP ACCESS METHOD another');
	push @ids, attempt($session, $new);
	attempt($session, 'DROP EXTENSION flakeid; CREATE SCHEMA apart; CREATE EXTENSION flakeid SCHEMA apart');
	like(attempt($session, $new), qr/42883/, "$name: in another schema it is not found without its name");
	push @ids, attempt($session, 'SELECT apart.sno_new(0)');

	# everything that calls something else must find it in that schema
	is(attempt($session, "SELECT (apart.sno_inspect('$ids[-1]')).text"), $ids[-1], "$name: functions find each other");
	is(attempt($session, "SELECT sum(issued) > 0 FROM apart.flakeid_generators"), 't', "$name: and views find functions");
	is(attempt($session,
			'CREATE TABLE t (id apart.sno PRIMARY KEY DEFAULT apart.sno_new(0)); INSERT INTO t SELECT FROM generate_series(1, 1000);'
		  . " SELECT count(*) FROM t WHERE id > '$ids[-1]'"),
		'1000', "$name: a table with a type and a default from there");
	is(attempt($session, 'SET enable_seqscan = off; SELECT count(*) FROM t AS a JOIN t AS b ON a.id = b.id'), '1000',
		"$name: joined");
	like(attempt($session, 'DROP TABLE t; ALTER EXTENSION flakeid SET SCHEMA public'), qr/0A000: .*does not support SET SCHEMA/,
		"$name: it stays where it was created, as its mark is in a schema of its own");
	attempt($session, 'DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
	push @ids, attempt($session, $new);
	is((grep { /^[2-9a-x]{16}$/ } @ids), 4, "$name: IDs all along");
	is((grep { $ids[ $_ - 1 ] lt $ids[$_] } 1 .. 3), 3, "$name: which increase") or diag "@ids";
	$session->quit;
	return;
}

# Installed by a user whose only right is to create objects in the database.
sub trusted
{
	my ($node) = @_;
	my $session;

	$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE plain LOGIN; CREATE DATABASE theirs OWNER owner');
	$session = session($node, database => 'theirs', user => 'plain');
	like(attempt($session, 'CREATE EXTENSION flakeid'), qr/42501/, 'an ordinary user may not install it');
	$session->quit;
	$session = session($node, database => 'theirs', user => 'owner');
	is(attempt($session, 'CREATE EXTENSION flakeid'), '', 'the owner of a database may, because it is trusted');
	like(attempt($session, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'and make IDs');
	like(attempt($session, q(SELECT sno_restore('{}'))), qr/42501/, 'but not touch the marks');
	like(attempt($session, 'SELECT sno_horizon()'), qr/^[2-9a-x]{16}$/, 'and ask for the horizon of sno');
	is(attempt($session, "GRANT EXECUTE ON FUNCTION $_ TO plain"), '', "and grant $_")
	  foreach 'sno_horizon()', 'flakeid_advance(timestamptz, boolean)', 'flakeid_clock_reset(timestamptz, boolean)', 'flakeid_stats_reset()';
	$session->quit;
	$session = session($node, database => 'theirs', user => 'plain');
	like(attempt($session, 'SELECT sno_horizon()'), qr/^[2-9a-x]{16}$/, 'an ordinary user may ask for the horizon of sno then');
	like(attempt($session, 'SELECT flakeid_advance(now())'), qr/^[^E]/, 'and advance the mark');
	like(attempt($session, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'an ordinary user may make IDs');
	is(attempt($session, 'SELECT count(*) FROM flakeid_clock'), '1', 'and look at the views');
	like(attempt($session, q(SELECT sno_restore('{}'))), qr/42501/, 'but not touch the marks');
	$session->quit;
	return;
}

# The script runs as superuser, but it must not run a function that its user has put into
# the schema and that matches the script's call better than pg_catalog's.
sub trap
{
	my ($node) = @_;
	my $session;

	$node->safe_psql('postgres', 'CREATE ROLE creator LOGIN; GRANT CREATE ON DATABASE theirs TO creator');
	$node->safe_psql('theirs', 'DROP EXTENSION flakeid');
	$session = session($node, database => 'theirs', user => 'creator');
	is(attempt($session, q{CREATE SCHEMA trap;
		CREATE FUNCTION trap.pg_extension_config_dump(text, text) RETURNS void LANGUAGE plpgsql
			AS $$ BEGIN RAISE 'called as %', current_user; END $$;
		CREATE EXTENSION flakeid SCHEMA trap}), '', 'the script calls no function of the user who installs it');
	$session->quit;
	is($node->safe_psql('theirs', q(SELECT extconfig[1]::regclass FROM pg_extension WHERE extname = 'flakeid')), '_flakeid.mark', 'and dumps have the marks');
	return;
}

# ---------- databases ----------

# Each database has its own generators and its own number.
sub databases
{
	my ($node) = @_;
	my $name = $node->name;
	my @names = map { "d$_" } 1 .. 4;
	my @files;
	my $before;

	until_gone($node);
	$before = issued($node);
	foreach my $database (@names)
	{
		$node->safe_psql('postgres', "CREATE DATABASE $database");
		$node->safe_psql('postgres', "ALTER DATABASE $database SET flakeid.node = 10" . substr($database, 1));
		$node->safe_psql($database, 'CREATE EXTENSION flakeid');
		push @files, id_file($node, "of_$database");
	}
	run_sessions($node, map { "\\c $names[$_]\nCOPY (SELECT sno_new(0) FROM generate_series(1, @{[IDS]})) TO '$files[$_]'" } 0 .. $#names);
	until_gone($node, $_) foreach @names;
	is((grep { !increasing($_) } @files), 0, "$name: databases: every session's IDs increase");
	all_unique("$name: databases: no ID twice among them", IDS * @names, \@files, sorted => 1);
	is(join(' ', map { issued($node, $_) } @names), join(' ', (IDS) x @names), "$name: databases: each counts its own");
	is(issued($node), $before, "$name: databases: and not in another one");
	$node->safe_psql('postgres', "DROP DATABASE $_") foreach @names;
	return;
}

# A dropped database does not keep the number that a new one of the same name needs.  (029_many_databases.pl
# looks at its memory.)
sub databases_of_one_name
{
	my ($node) = @_;
	my ($failed, $stdout, $stderr);

	foreach (1 .. whole_or_short(12, 4))
	{
		$node->safe_psql('postgres', $_) foreach 'CREATE DATABASE passing TEMPLATE template1', 'ALTER DATABASE passing SET flakeid.node = 12';
		$failed = $node->psql('passing', 'CREATE EXTENSION flakeid; SELECT sno_new(0)',
			stdout => \$stdout, stderr => \$stderr, on_error_stop => 1);
		$node->safe_psql('postgres', 'DROP DATABASE passing');
		last if $failed;
	}
	is($stderr, '', 'databases of one name, one after the other');
	return;
}

foreach my $preload (0, 1)
{
	my $node = new_server($preload ? 'preloaded' : 'dynamic', preload => $preload, conf => [ 'flakeid.node = 11' ]);

	$node->append_conf('postgresql.conf', 'restart_after_crash = on');
	$node->reload;
	churn($node);
	ended($node);
	many_sessions($node);
	extension($node);
	databases($node);
	survive($node);
	if (!$preload)
	{
		trusted($node);
		trap($node);
		databases_of_one_name($node);
	}
	$node->stop;
}

done_testing();
