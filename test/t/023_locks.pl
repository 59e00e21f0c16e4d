# Locks on the table of the marks: a role that may not write it cannot stop the
# generators, and if its owner or a superuser holds a lock, a session waits no longer than
# flakeid.max_wait and names the process.  The generators also cope with indexes on the
# table, and with the rows and triggers that pg_restore --disable-triggers leaves.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

use constant MAX_WAIT => 'flakeid.max_wait = 700ms';

my $mark = MARK;
my ($schema) = $mark =~ /^(\w+)\./;
my $node = new_server('locks', clock => 1, extension => 0, conf => [ 'flakeid.node = 11', MAX_WAIT ], server => ['max_prepared_transactions = 1']);
my $make = making(1);
my $milliseconds = 0;
my ($hand, $plain);

# The clock is stopped, so that a mark lasts as long as a test needs it.
sub forward
{
	my ($seconds) = @_;

	$milliseconds += 1000 * $seconds;
	set_clock($node, yesterday(sprintf '10:%02d:%02d.%03d', $milliseconds / 60_000, $milliseconds / 1000 % 60, $milliseconds % 1000));
	return;
}

# Sessions recognize a reload by its time.
sub set_max_wait
{
	my ($line) = @_;

	forward(0.001);
	return configure($node, 'flakeid.node = 11', $line);
}

sub pid_of
{
	my ($session) = @_;

	return attempt($session, 'SELECT pg_backend_pid()');
}

# The answer of a new session, with more time than a test that does not hang needs.
# (With yesterday's clock any timer that fires ends it, the deadlock timer, too.)
sub in_new_session
{
	my ($sql, %option) = @_;
	my $session = session($node, user => $option{superuser} ? undef : 'plain');
	my $answer;

	attempt($session, "SET statement_timeout = '60s'");
	attempt($session, $_) foreach @{ $option{first} || [] };
	$answer = attempt($session, $sql);
	$session->quit;
	return $answer;
}

# One test: 55000 after flakeid.max_wait, with the names of all these processes.
sub names
{
	my ($name, $answer, @pids) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(($answer =~ /ERROR:  55000: could not lock table "_flakeid\.mark" within 700ms$/m && $answer =~ /HINT: / && !grep { $answer !~ /^(?!LOCATION).*\b$_\b/m } @pids) ? 'so' : $answer, 'so',
		"$name: 55000 after flakeid.max_wait that names the processes in the way");
}

# The views answer, also in a new session.
sub views_answer
{
	my ($name, @sessions) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	foreach my $view ('flakeid_clock', 'flakeid_generators')
	{
		like(in_new_session("SELECT count(*) FROM $view"), qr/^\d+$/, "$name: $view answers a new session");
		like(attempt($_, "SELECT count(*) FROM $view"), qr/^\d+$/, "$name: $view answers a session that was there") foreach @sessions;
	}
	return;
}

forward(0);
$node->stop;
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid; CREATE ROLE plain LOGIN; GRANT CREATE ON SCHEMA public TO plain');
$hand = session($node);

# ---------- roles without rights ----------

# None of these statements locks the table or waits for a lock.
foreach my $statement ("PREPARE x AS DELETE FROM $mark", "PREPARE x AS SELECT FROM $mark", "PREPARE x AS SELECT FROM $mark FOR UPDATE",
	"LOCK TABLE $mark", "LOCK TABLE $mark IN ACCESS SHARE MODE", "SELECT FROM $mark", raise_marks('now()'),
	"CREATE TRIGGER t BEFORE INSERT ON $mark FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
	"CREATE INDEX ON $mark (kind)", "ALTER TABLE $mark ADD n int", "ALTER TABLE parted ATTACH PARTITION $mark DEFAULT",
	"CREATE TABLE child () INHERITS ($mark)", "CREATE TABLE alike (LIKE $mark)", "CREATE RULE r AS ON INSERT TO $mark DO ALSO NOTHING",
	"CREATE VIEW v AS SELECT FROM $mark", "COMMENT ON TABLE $mark IS 'mine'", "DROP TABLE $mark", "TRUNCATE $mark",
	"CREATE POLICY p ON $mark", "CREATE STATISTICS s ON kind, current FROM $mark", "SELECT nextval('$mark')", 'CREATE PUBLICATION p FOR TABLE ' . $mark)
{
	my $session = session($node, user => 'plain');

	attempt($session, 'BEGIN; CREATE TEMP TABLE parted (kind bigint) PARTITION BY LIST (kind)');
	like(attempt($session, $statement), qr/ERROR:  42501: permission denied for (?:schema _flakeid|database)/, "LOGIN alone: $statement");
	is($node->safe_psql('postgres', "SELECT count(*) FROM pg_locks WHERE relation = '$mark'::regclass"), '0', "LOGIN alone: $statement: and no lock");
	$session->quit;
}

# This combination once stopped all generators: a lock, and a second lock that waits for it.
sub queue_up
{
	my ($name, $role, $held, $wanted) = @_;
	my ($holder, $waiter) = map { session($node, user => $role) } 1, 2;

	attempt($holder, "BEGIN; $held");
	$waiter->send("$wanted;");
	forward(3);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	like(in_new_session($make), qr/^\\x/, "$name: all generators make IDs");
	attempt($hand, "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = '$role'");
	$_->quit foreach $holder, $waiter;
	return;
}

queue_up('LOGIN alone', 'plain', "PREPARE x AS DELETE FROM $mark", "CREATE TRIGGER t BEFORE INSERT ON $mark FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()");

# Nor can a monitoring role lock the table: the exporter's role, with everything that the
# extension grants to pg_monitor.  Its queries still answer, and keep no lock.
$node->safe_psql('postgres', 'CREATE ROLE watcher LOGIN IN ROLE pg_monitor');
{
	my $holder = session($node, user => 'watcher');

	attempt($holder, 'BEGIN');
	unlike(attempt($holder, 'SELECT finding FROM flakeid_doctor()'), qr/ERROR|could not be checked/, 'pg_monitor: the doctor answers');
	like(attempt($holder, "SELECT count(*) FROM $_"), qr/^\d+$/, "pg_monitor: $_ answers") foreach qw(flakeid_clock flakeid_generators flakeid_issued flakeid_horizon_holders);
	is($node->safe_psql('postgres', "SELECT count(*) FROM pg_locks WHERE relation = '$mark'::regclass"), '0', 'pg_monitor: and keeps no lock of the table');
	attempt($holder, 'COMMIT');
	foreach my $statement ("SELECT count(*) FROM $mark", "PREPARE x AS SELECT FROM $mark", "LOCK TABLE $mark IN ACCESS SHARE MODE", "CREATE RULE r AS ON INSERT TO $mark DO INSTEAD NOTHING")
	{
		attempt($holder, 'BEGIN');
		like(attempt($holder, $statement), qr/ERROR:  42501: permission denied for schema $schema/, "pg_monitor: $statement");
		is($node->safe_psql('postgres', "SELECT count(*) FROM pg_locks WHERE relation = '$mark'::regclass"), '0', "pg_monitor: $statement: and no lock");
		attempt($holder, 'ROLLBACK');
	}
	$holder->quit;
}
queue_up('pg_monitor', 'watcher', "SELECT count(*) FROM $mark", "CREATE RULE r AS ON INSERT TO $mark DO INSTEAD NOTHING");

# ---------- lock holders ----------

foreach my $mode ('ACCESS EXCLUSIVE', 'EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'SHARE')
{
	my $working = session($node, user => 'plain');
	my $pid = pid_of($hand);

	attempt($working, "SET statement_timeout = '60s'");
	forward(3);
	like(attempt($working, $make), qr/^\\x/, "$mode: a session at work");
	attempt($hand, "BEGIN; LOCK TABLE $mark IN $mode MODE");
	foreach my $seconds (0.5, 1, 0.4)
	{
		forward($seconds);
		like(attempt($working, $make), qr/^\\x/, "$mode: it continues as long as its mark lasts");
	}
	if ($mode eq 'ACCESS EXCLUSIVE')
	{
		views_answer("$mode", $working);
		forward(3);
		names("$mode, a new session: $_", in_new_session("SELECT $_"), $pid) foreach 'sno_new(0)', 'snowflake_new()';
		names("$mode, the one at work", attempt($working, 'SELECT uid64_new()'), $pid);
		names("$mode, by hand", in_new_session($_, superuser => 1), $pid) foreach 'SELECT flakeid_advance(now())', 'SELECT flakeid_clock_reset(now())';
		views_answer("$mode, beyond the mark", $working);

		# a shorter lock_timeout takes effect
		set_max_wait('flakeid.max_wait = 10min');
		like(in_new_session('SELECT sno_new(0)', first => [ "SET lock_timeout = '300ms'" ]), qr/ERROR:  55000: [^\n]* within 300ms\n(?:.*\n)*?.*\b$pid\b/, "$mode: lock_timeout is respected");
		set_max_wait(MAX_WAIT);
		attempt($hand, 'COMMIT');
	}
	else
	{
		# a lock that does not conflict with readers stops nobody
		forward(3);
		like(attempt($working, $make), qr/^\\x/, "$mode: nor does it prevent a new mark");
		attempt($hand, 'COMMIT');
	}
	like(attempt($working, $make), qr/^\\x/, "$mode: it continues after that");
	like(in_new_session($make), qr/^\\x/, "$mode: and new sessions do");
	$working->quit;
}

# VACUUM FULL waits for a session that reads the table for a long time, as pg_dump does.
{
	my ($reader, $vacuum) = (session($node), session($node));
	my @pids = map { pid_of($_) } $reader, $vacuum;
	my $answer;

	attempt($reader, "BEGIN; SELECT FROM $mark");
	$vacuum->send("VACUUM FULL $mark;");
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $pids[1] AND NOT granted)") or die 'no VACUUM waits';
	forward(3);
	names('VACUUM FULL waiting for a reader', in_new_session('SELECT sno_new(0)'), @pids);
	views_answer('VACUUM FULL waiting for a reader');
	attempt($hand, "SELECT pg_cancel_backend($pids[1])");
	ok($node->poll_query_until('postgres', "SELECT NOT EXISTS (SELECT FROM pg_locks WHERE pid = $pids[1] AND NOT granted)"), 'VACUUM FULL cancelled');
	like(in_new_session($make), qr/^\\x/, 'a reader alone: IDs can be made');
	attempt($reader, 'COMMIT');
	is(attempt($hand, "VACUUM FULL $mark"), '', 'VACUUM FULL');
	forward(3);
	like(in_new_session($make), qr/^\\x/, 'after VACUUM FULL: IDs can be made');
	$_->quit foreach $reader, $vacuum;
}

# No process holds the lock of a prepared transaction.
attempt($hand, "BEGIN; LOCK TABLE $mark; PREPARE TRANSACTION 'locked'");
forward(3);
names('a prepared transaction', in_new_session('SELECT sno_new(0)'), 'prepared transaction');
attempt($hand, "ROLLBACK PREPARED 'locked'");
like(in_new_session($make), qr/^\\x/, 'a prepared transaction, rolled back: IDs can be made');

# ---------- an index ----------

# An in-place update does not update indexes: so either the marks are not moved, with an
# error that names the index, or the index has the new marks.
SKIP:
{
	skip 'amcheck is not installed', 2 if attempt($hand, 'CREATE EXTENSION IF NOT EXISTS amcheck') =~ /ERROR/;
	foreach my $column ('to_1', 'kind')
	{
		my $answer;

		is(attempt($hand, "CREATE INDEX by_$column ON $mark ($column)"), '', "an index on $column");
		forward(3);
		$answer = in_new_session($make);
		like($answer =~ /^\\x/ ? "IDs\n" . attempt($hand, "SELECT 'sound', bt_index_check(indexrelid, true) FROM pg_index WHERE indrelid = '$mark'::regclass") : $answer,
			qr/^IDs\nsound|ERROR:  55000: .*index/s, "an index on $column: sound, or an error");
		is(attempt($hand, "DROP INDEX $schema.by_$column"), '', "an index on $column: dropped");
		like(in_new_session($make), qr/^\\x/, "an index on $column, dropped: IDs can be made");
	}
}

# ---------- pg_restore --disable-triggers ----------

# Run what the doctor names, until it names nothing.
sub cured
{
	my ($name) = @_;
	my $fix = q(SELECT fix FROM flakeid_doctor() WHERE subject = '_flakeid.mark' ORDER BY finding ~ 'rows' DESC LIMIT 1);
	my $rounds = 0;

	while ((my $statement = $node->safe_psql('postgres', $fix)) ne '' && $rounds++ < 5)
	{
		$node->safe_psql('postgres', $statement);
	}
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($rounds, 1, "$name: the doctor names one cure");
}

{
	my $dump = $node->basedir . '/disabled.dump';
	my (@before, $rows);

	$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, 'postgres' ], '--disable-triggers: dumped');
	$node->command_ok([ 'pg_restore', '--data-only', '--disable-triggers', '-d', 'postgres', $dump ], '--disable-triggers: restored') foreach 1, 2;
	cmp_ok(attempt($hand, "SELECT count(*) FROM $mark"), '>', 3, '--disable-triggers: there are more rows');
	isnt(attempt($hand, "SELECT count(*) FROM pg_trigger WHERE tgrelid = '$mark'::regclass AND tgenabled <> 'A'"), '0', '--disable-triggers: and weaker triggers');

	# one of them ahead of the marks
	attempt($hand, "ALTER TABLE $mark DISABLE TRIGGER USER; " . raise_marks("timestamptz '" . yesterday('10:00:00+00') . "' + interval '" . ($milliseconds + 4000) . " ms'")
		  . "; ALTER TABLE $mark ENABLE TRIGGER USER");
	@before = split /\n/, attempt($hand, "SELECT max(to_1) FROM $mark GROUP BY kind ORDER BY kind");
	forward(5);
	like(in_new_session($make), qr/^\\x/, '--disable-triggers: IDs after that');
	cured('--disable-triggers');
	is(attempt($hand, "SELECT kind, count(*) FROM $mark GROUP BY kind ORDER BY kind"), "0|1\n1|1\n2|1", '--disable-triggers: a row of each kind');
	is(attempt($hand, "SELECT count(*) FILTER (WHERE tgenabled = 'A'), count(*) FROM pg_trigger WHERE tgrelid = '$mark'::regclass AND NOT tgisinternal"),
		'3|3', '--disable-triggers: and the triggers are as they were');
	is(attempt($hand, "SELECT bool_and(to_1 >= (ARRAY['$before[0]', '$before[1]', '$before[2]']::timestamptz[])[kind + 1]) FROM $mark"), 't',
		'--disable-triggers: no mark is lower');
	like(attempt($hand, "UPDATE $mark SET to_1 = '-infinity'"), qr/ERROR:  55000/, '--disable-triggers: none can be lowered');

	# the rows are ahead of the first ones, which say so when the cure deletes the others
	@before = split /\n/, attempt($hand, "ALTER TABLE $mark DISABLE TRIGGER USER; " . raise_marks("now() + interval '1 h'") . "; SELECT max(to_1) FROM $mark GROUP BY kind ORDER BY kind");
	forward(3);
	like(in_new_session($make), $too_far_behind, 'rows ahead: they count');
	cured('rows ahead');
	is(attempt($hand, "SELECT bool_and(to_1 >= (ARRAY['$before[0]', '$before[1]', '$before[2]']::timestamptz[])[kind + 1]) FROM $mark"), 't', 'rows ahead: no mark is lower');
	is(attempt($hand, 'SELECT count(flakeid_clock_reset(now(), force => true))'), '1', 'rows ahead: a reset');
	forward(3);
	like(in_new_session($make), qr/^\\x/, 'rows ahead: IDs after that');

	# so many rows that they do not fit on the first page, the last of them an hour ahead
	attempt($hand, "ALTER TABLE $mark DISABLE TRIGGER USER; INSERT INTO $mark SELECT m.* FROM $mark AS m, generate_series(1, 20)");
	attempt($hand, raise_marks("now() + interval '1 h'"));
	is(attempt($hand, "SELECT bool_and(ctid >= '(1,0)') FROM $mark WHERE to_1 > now() + interval '30 min'"), 't', 'many dumps: the last rows are on another page');
	forward(3);
	like(in_new_session($make), $too_far_behind, 'many dumps: they count, too');
	like(in_new_session($make, first => ['SET default_transaction_read_only = on']), $too_far_behind, 'many dumps: still');
	cured('many dumps');
	is(attempt($hand, "SELECT count(*) FROM $mark"), '3', 'many dumps: the rows are deleted');
	like(in_new_session($make), $too_far_behind, 'many dumps: and what they said is not lost');
	is(attempt($hand, 'SELECT count(flakeid_clock_reset(now(), force => true))'), '1', 'many dumps: a reset');
	forward(3);
	like(in_new_session($make), qr/^\\x/, 'many dumps: IDs after that');
	is(attempt($hand, "SELECT * FROM verify_heapam('$mark')"), '', '--disable-triggers: amcheck finds no fault') if attempt($hand, 'SELECT to_regproc(\'verify_heapam\')') ne '';
}

# ---------- pages of the mark ----------

# A crash while a dump was being restored leaves a page that is all zero; then somebody
# destroys it.
{
	my $file = $node->data_dir . '/' . attempt($hand, "SELECT pg_relation_filepath('$mark')");
	my $with_page = sub {
		my ($byte) = @_;

		$node->stop;
		truncate $file, 8192 or die "$file: $!";
		append_to_file($file, $byte x 8192) if defined $byte;
		start_server($node);
	};
	my $overwrite = sub {
		my ($bytes) = @_;

		open my $handle, '+<:raw', $file or die "$file: $!";
		print $handle $bytes;
		close $handle or die "$file: $!";
	};
	# what a server has issued is remembered if the session has loaded the library
	my $drop = "LOAD 'flakeid'; BEGIN; DROP EXTENSION flakeid CASCADE; ROLLBACK";

	attempt($hand, "VACUUM $mark");
	$hand->quit;
	$with_page->("\0");
	forward(3), like(in_new_session($make), qr/^\\x/, 'a page that is all zero: IDs can be made') foreach 1, 2;
	$node->stop;
	start_server($node);
	forward(3);
	like(in_new_session($make), qr/^\\x/, 'a page that is all zero: still after a restart');
	is($node->safe_psql('postgres', "SELECT count(*), pg_relation_size('$mark') FROM $mark"), '3|16384', 'a page that is all zero: it has stayed as it was');
	$with_page->("\xff");
	like(in_new_session($make), qr/ERROR:  XX001: invalid page in block 1 /, 'a page that cannot be read: no IDs');
	like(($node->psql('postgres', $drop))[2], qr/ERROR:  invalid page in block 1 /, 'a page that cannot be read: the extension is not dropped');
	forward(3);
	like(in_new_session($make), qr/ERROR:  XX001: invalid page in block 1 /, 'a page that cannot be read: nor has that replaced it');
	$with_page->(undef);
	forward(3);
	like(in_new_session($make), qr/^\\x/, 'one page: IDs can be made');

	# the first page
	$node->stop;
	my $page = slurp_file($file);
	$overwrite->("\xff" x 24);
	start_server($node);
	like(($node->psql('postgres', $drop))[2], qr/ERROR:  invalid page in block 0 /, 'a first page that cannot be read: the extension is not dropped');
	is(($node->psql('postgres', "SET zero_damaged_pages = on; $drop"))[0], 0, 'a first page that cannot be read: a superuser drops it');
	$node->stop;
	is(-s $file, 8192, 'a first page that cannot be read: it is still there');
	$overwrite->($page);
	start_server($node);

	# rows that are only on the second page, and the extension is dropped
	$node->safe_psql('postgres', "ALTER TABLE $mark DISABLE TRIGGER USER; INSERT INTO $mark SELECT m.* FROM $mark AS m, generate_series(1, 20);" . raise_marks("now() + interval '1 h'"));
	is($node->safe_psql('postgres', "SELECT bool_and(ctid >= '(1,0)') FROM $mark WHERE to_1 > now() + interval '30 min'"), 't', 'many dumps again: the last rows are on another page');
	$node->safe_psql('postgres', "LOAD 'flakeid'; DROP EXTENSION flakeid CASCADE; CREATE EXTENSION flakeid");
	forward(3);
	like(in_new_session($make), $too_far_behind, 'many dumps again: they count if the extension is dropped');
}

$node->stop;

# ---------- the mark cannot be read for a moment ----------

# The disk reports an error, once.  The extension is not dropped then: what the mark says would
# be lost.
SKIP:
{
	skip 'no compiler', 1 if system('cc --version >/dev/null 2>&1') != 0;

	my $tempdir = PostgreSQL::Test::Utils::tempdir();
	my $fault = "$tempdir/fault";
	my $checked = new_server('checked', clock => 1, extension => 0, init => { extra => [ '--no-locale', '-E', 'UTF8', '--data-checksums' ] }, conf => ['flakeid.node = 11']);
	my $at = sub { set_clock($checked, yesterday($_[0])) };
	my $file;

	# The next read of the file named in "fault" fails.
	append_to_file("$fault.c", q(
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* whether to fail for this file */
static int
fails(int fd)
{
	char		wanted[1024] = "", proc[64], is[1024] = "";
	FILE	   *fault = fopen(FAULT, "r");

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	if (fault == NULL)
		return 0;
	if (fscanf(fault, "%1000s", wanted) != 1 || readlink(proc, is, sizeof(is) - 1) < 0 || strcmp(is, wanted) != 0)
		wanted[0] = 0;
	fclose(fault);
	return wanted[0] != 0 && unlink(FAULT) == 0;
}

#define FAULTY(name, offset) \\
ssize_t \\
name(int fd, void *to, size_t size, offset at) \\
{ \\
	ssize_t		(*real) (int, void *, size_t, offset) = dlsym(RTLD_NEXT, #name); \\
 \\
	return fails(fd) ? (errno = EIO, -1) : real(fd, to, size, at); \\
}

FAULTY(pread, off_t)
/* which a server of 32 bits calls */
FAULTY(pread64, off64_t)
));
	system_or_bail('cc', '-shared', '-fPIC', '-o', "$fault.so", qq(-DFAULT="$fault"), "$fault.c", '-ldl');
	$checked->stop;
	$at->('10:00:20');
	start_server($checked);
	$checked->safe_psql('postgres', 'CREATE EXTENSION flakeid; SELECT snowflake_new()');
	$file = $checked->data_dir . '/' . $checked->safe_psql('postgres', "SELECT pg_relation_filepath('$mark')");
	$checked->stop;
	$at->('10:00:00');
	{
		local $ENV{LD_PRELOAD} = "$fault.so";
		start_server($checked);
	}
	append_to_file($fault, $file);
	like(($checked->psql('postgres', "LOAD 'flakeid'; DROP EXTENSION flakeid CASCADE"))[2], qr/ERROR:  could not read blocks? 0\S* in file /, 'an error of the disk: the extension is not dropped');
	ok(!-e $fault, 'an error of the disk: it was the mark that could not be read');

	like(($checked->psql('postgres', 'SELECT snowflake_new()'))[2], $too_far_behind, 'an error of the disk: what the mark says is not lost');
	$checked->stop;
}

done_testing();
