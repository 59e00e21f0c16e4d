# The settings that decide which IDs a session makes.  A value that the server would not
# accept never takes effect, and no other value takes its place.  Superusers, and roles
# they grant SET to, set them in the file, for a database, for a role or in a session.  A
# change takes effect with a session's next statement.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;
use List::Util qw(shuffle);

use constant PART => 'SELECT sno_partition(sno_new(0))';
# (BETWEEN alone would make two IDs)
use constant SEQUENCE => 'SELECT s BETWEEN 100 AND 199 FROM sno_sequence(sno_new(0)) AS s';
# only in parallel workers
use constant IN_WORKERS => '-c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0 -c parallel_leader_participation=off';

my @good = ('flakeid.node = 11', sno_range('100-199'));

# Invalid lines, each replacing a good line for the same setting.
my @bad = (
	'flakeid.node = 65536',
	'flakeid.node = -2',
	"flakeid.node = 'abc'",
	"flakeid.node = '11 apples'",
	'flakeid.node = 99999999999',
	"flakeid.node = ''",
	"flakeid.node = '11, other = 12'",
	'flakeid.sno_sequence_min = -1',
	'flakeid.sno_sequence_max = 65536',
	"flakeid.siq_domain = 'b\x{c3}\x{bc}cher.example'",
	'flakeid.siq_local_id = -1',
	'flakeid.siq_shard = 256',
	'flakeid.snowflake_worker = 32',
	'flakeid.snowflake_process = 32',
	"flakeid.uid_node = '" . 'x' x 256 . "'",
	'flakeid.max_ahead = -1',
	"flakeid.max_wait = '5 apples'");

@bad = (shuffle @bad)[ 0 .. 5 ] if $ENV{SHORT};

sub name_of
{
	my ($line) = @_;

	return $line =~ s/ =.*//r;
}

# The good lines, with this one in place of the one for its setting.
sub with
{
	my ($line) = @_;
	my $name = name_of($line);

	return ((grep { name_of($_) ne $name } @good), $line);
}

# Run one statement in a new session: its result, or its error.
sub once
{
	my ($node, $sql, %option) = @_;

	local $ENV{PGOPTIONS} = $option{options} if defined $option{options};
	my (undef, $out, $err) = $node->psql($option{database} || 'postgres', $sql, extra_params => [ '-v', 'VERBOSITY=verbose', $option{user} ? ('-U', $option{user}) : () ]);
	return $err =~ /ERROR|FATAL/ ? $err : $out;
}

# 22023 that names the setting
sub refuses
{
	my ($line) = @_;
	my $name = quotemeta(name_of($line));

	return qr/ERROR:  22023: [^\n]*"$name"/;
}

# ---------- values ----------

# If the library is preloaded, the server refuses a bad value and keeps the old one.
sub preloaded
{
	my $node = new_server('preloaded', preload => 1, conf => \@good);
	my $open = session($node);

	is(attempt($open, PART), '11', 'the node is the partition');
	foreach my $line (@bad)
	{
		my $at = -s $node->logfile;
		my $name = name_of($line);
		my $shown = once($node, "SHOW $name");

		configure($node, with($line));
		ok($node->wait_for_log(qr/LOG:.*"\Q$name\E"/, $at), "preloaded: $line: the log says so");
		is(once($node, "SHOW $name; @{[PART]}; @{[SEQUENCE]}"), "$shown\n11\nt", "preloaded: $line: the old value stays, and with it the partition and the range");
		is(attempt($open, PART) . attempt($open, SEQUENCE), '11t', "preloaded: $line: and in a session that is open");
	}
	configure($node, with('flakeid.node = 12'));
	is(once($node, PART) . attempt($open, PART), '1212', 'preloaded: a good value takes effect');
	$open->quit;
	changes($node);
	other_types($node);
	users($node);
	$node->stop;
	return;
}

# Otherwise the generators of new sessions report it until it is fixed.
sub dynamic
{
	my $node = new_server('dynamic', conf => \@good);

	foreach my $line (@bad)
	{
		my $open = session($node);
		my $new;
		my $name = name_of($line);

		is(attempt($open, PART), '11', 'the node is the partition');
		configure($node, with($line));
		$new = session($node);
		like(attempt($new, PART), refuses($line), "dynamic: $line: a new session gets an error");
		like(attempt($new, PART), refuses($line), "dynamic: $line: and again");
		like(attempt($new, 'SELECT sno_new(0, 4)'), refuses($line), "dynamic: $line: for any partition");
		like(attempt($new, 'SELECT setting_fault, node FROM flakeid_clock'), qr/^invalid value for parameter "\Q$name\E".*\|$/, "dynamic: $line: and the view says so");

		# a session with the old value keeps it
		is(attempt($open, PART) . attempt($open, SEQUENCE), '11t', "dynamic: $line: an old session goes on");

		# a reload without a change fixes nothing
		configure($node, with($line), 'flakeid.siq_local_id = 3');
		like(attempt($new, PART), refuses($line), "dynamic: $line: still an error after another reload") unless $name eq 'flakeid.siq_local_id';

		configure($node, @good);
		is(attempt($new, PART) . attempt($open, PART), '1111', "dynamic: $line: fixed for all sessions");
		is(attempt($new, SEQUENCE), 't', "dynamic: $line: and the range");
		$new->quit;
		$open->quit;
	}
	foreach my $whose ('DATABASE postgres', 'ROLE CURRENT_USER')
	{
		$node->safe_psql('postgres', "ALTER $whose SET flakeid.node = 'abc'");
		like(once($node, PART), refuses('flakeid.node'), "dynamic: a bad value of ALTER $whose: an error");
		is(once($node, 'SELECT sum(hashtext(uid64_max(now())::text) * 0)'), '0', "dynamic: a bad value of ALTER $whose: functions that make no ID work");
		is(once($node, 'SET flakeid.node = 4; ' . PART), '4', "dynamic: a bad value of ALTER $whose: a session may set a good one");
		# faster than a lease ends
		foreach my $change ([ 1000, 'n / 50' ], [ 10000, 'n % 2' ])
		{
			is(once($node, sprintf q(SET flakeid.node = 4; SELECT count(*) FILTER (WHERE made <> set) FROM
				(SELECT set_config('flakeid.node', (%2$s)::text, false)::int AS set, sno_partition(sno_new(0)) AS made FROM generate_series(1, %1$s) AS n) AS s), @$change),
				'0', "dynamic: a bad value of ALTER $whose: each change of a good one takes effect immediately ($change->[1])");
		}
		$node->safe_psql('postgres', "ALTER $whose RESET flakeid.node");
		is(once($node, PART), '11', "dynamic: ALTER $whose RESET");
	}
	changes($node);
	other_types($node);
	users($node);
	$node->stop;
	return;
}

# Bad since the server started; fixed by removing the line.
sub removed
{
	my ($preload) = @_;
	my $mode = $preload ? 'preloaded' : 'dynamic';
	my $line = "flakeid.node = 'eleven'";
	my $node = new_server("removed_$mode", preload => $preload, conf => [$line]);
	my $open = session($node);

	like(attempt($open, PART), refuses($line), "$mode: bad from the start: an error");
	like(slurp_file($node->logfile), qr/WARNING:  invalid value for parameter "flakeid\.node": "eleven"\n.*DETAIL:  It must be a whole number from -1 to 65535\./, "$mode: bad from the start: in the log") if $preload;
	configure($node, 'flakeid.siq_shard = 1', $line);
	like(attempt($open, PART), refuses($line), "$mode: bad from the start: still an error after a reload");
	like(once($node, PART), refuses($line), "$mode: bad from the start: in new sessions, too");
	configure($node, 'flakeid.siq_shard = 1');
	like(attempt($open, PART) . '|' . once($node, PART), qr/^(\d+)\|\1$/, "$mode: the line removed: fixed, and the number is derived");
	configure($node, 'flakeid.node = 12');
	is(attempt($open, PART) . once($node, PART), '1212', "$mode: a good line");
	$open->quit;
	$node->stop;
	return;
}

# ---------- when a change takes effect ----------

sub changes
{
	my ($node) = @_;
	my $name = $node->name;
	my ($open, $long);

	configure($node, 'flakeid.node = 11');
	$node->safe_psql('postgres', q(
		CREATE TABLE few AS SELECT FROM generate_series(1, 1000);
		ALTER TABLE few SET (parallel_workers = 2);
		-- the partitions before and after a lock is available
		CREATE FUNCTION before_and_after() RETURNS text LANGUAGE plpgsql AS $$
			DECLARE before int := sno_partition(sno_new(0));
			BEGIN
				PERFORM pg_advisory_lock(1);
				RETURN before || ' ' || sno_partition(sno_new(0));
			END $$;
		CREATE FUNCTION with_twelve() RETURNS int LANGUAGE sql SECURITY DEFINER SET flakeid.node = 12 AS 'SELECT sno_partition(sno_new(0))';
	));

	# in the file: with the next statement
	$open = session($node);
	attempt($open, 'SELECT pg_advisory_lock(1)');
	$long = session($node);
	$long->send('SELECT before_and_after();');
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)");
	configure($node, 'flakeid.node = 22');
	is(attempt($open, PART) . once($node, PART), '2222', "$name: a reload takes effect in the next statement, and in new sessions");
	attempt($open, 'SELECT pg_advisory_unlock(1)');
	is($long->answer, '11 11', "$name: a statement under way goes on with its number");
	is(attempt($long, PART), '22', "$name: and the next statement has the new number");
	$long->quit;

	# for a database or a role: with the next connection; the database's value overrides the file's, and the role's the database's
	$node->safe_psql('postgres', 'CREATE DATABASE changed');
	$node->safe_psql('changed', 'CREATE EXTENSION flakeid');
	$node->safe_psql('postgres', $_) foreach 'ALTER DATABASE changed SET flakeid.node = 33', 'CREATE ROLE with_number LOGIN; ALTER ROLE with_number SET flakeid.node = 44';
	is(once($node, PART, database => 'changed') . once($node, PART), '3322', "$name: ALTER DATABASE");
	is(once($node, PART, database => 'changed', user => 'with_number') . once($node, PART, user => 'with_number'), '4444', "$name: ALTER ROLE");
	configure($node, 'flakeid.node = 23');
	is(once($node, PART, database => 'changed'), '33', "$name: the file does not change it");
	$node->safe_psql('postgres', 'ALTER DATABASE changed RESET flakeid.node');
	is(once($node, PART, database => 'changed'), '23', "$name: ALTER DATABASE RESET");

	# in a session: immediately, and reset at the end of the block or function it was set for
	is(attempt($open, 'SET flakeid.node = 5') . attempt($open, PART), '5', "$name: SET");
	is(attempt($open, 'RESET flakeid.node') . attempt($open, PART), '23', "$name: RESET");
	is(attempt($open, "BEGIN; SET LOCAL flakeid.node = 6; SAVEPOINT s; SET LOCAL flakeid.node = 7; @{[PART]}; ROLLBACK TO s; @{[PART]}; COMMIT; @{[PART]}"), "7\n6\n23", "$name: SET LOCAL, and a savepoint");
	is(attempt($open, "BEGIN; SET flakeid.node = 8; @{[PART]}; ROLLBACK; @{[PART]}"), "8\n23", "$name: SET, rolled back");
	is(attempt($open, 'SELECT with_twelve(), sno_partition(sno_new(0)), with_twelve(), sno_partition(sno_new(0)) FROM generate_series(1, 2)'), "12|23|12|23\n12|23|12|23", "$name: a function with SET");
	is(once($node, 'SELECT with_twelve(), sno_partition(sno_new(0)) FROM generate_series(1, 2)'), "12|23\n12|23", "$name: a function with SET in a new session");
	is(attempt($open, "SET flakeid.node = 9; $_") . attempt($open, PART), '23', "$name: $_") foreach 'RESET ALL', 'DISCARD ALL';

	# ... also before the library is loaded
	is(once($node, 'SET flakeid.node = 5; ' . PART), '5', "$name: SET, then loaded");
	is(once($node, "BEGIN; SET LOCAL flakeid.node = 5; @{[PART]}; COMMIT; @{[PART]}"), "5\n23", "$name: SET LOCAL, then loaded");
	is(once($node, "SET flakeid.node = 5; $_; " . PART), '23', "$name: SET, $_, then loaded") foreach 'RESET ALL', 'DISCARD ALL';
	is(once($node, "SET flakeid.node = 5; @{[PART]}; RESET ALL; @{[PART]}"), "5\n23", "$name: SET, then loaded, RESET ALL");
	is(once($node, PART, options => '-c flakeid.node=9'), '9', "$name: a superuser's PGOPTIONS");
	is(once($node, 'SELECT DISTINCT sno_partition(sno_new(0)) FROM few', options => '-c flakeid.node=9 ' . IN_WORKERS), '9', "$name: a superuser's PGOPTIONS, in workers");
	is(once($node, 'SET flakeid.node = 9; SELECT DISTINCT sno_partition(sno_new(0)) FROM few', options => IN_WORKERS), '9', "$name: SET, in workers");
	$open->quit;
	return;
}

# The same for the numbers of siq, snowflake and uid96.
sub other_types
{
	my ($node) = @_;
	my $name = $node->name;
	my $sql = q(SELECT siq_domain(s) = siq_domain_hash('%s', %d), siq_shard(s) = %d, snowflake_worker(snowflake_new()) = %d, uid96_node(uid96_new()) = uid_node_hash('%s') FROM siq_new('user') AS s);
	my $open = session($node);

	foreach my $values ([ 'one.example', 0, 255, 1, 'one@host' ], [ 'two.example', 7, 100, 2, 'two@host' ], [ 'one.example', 7, 0, 31, 'one@host' ])
	{
		my ($domain, $local_id, $shard, $worker, $uid_node) = @$values;

		configure($node, 'flakeid.node = 11', "flakeid.siq_domain = '$domain'", "flakeid.siq_local_id = $local_id", "flakeid.siq_shard = $shard",
			"flakeid.snowflake_worker = $worker", "flakeid.uid_node = '$uid_node'");
		is(once($node, sprintf $sql, @$values), 't|t|t|t', "$name: @$values");
		is(attempt($open, sprintf $sql, @$values), 't|t|t|t', "$name: @$values, in a session that is open");
	}

	# a value that the server does not accept, over one that it does
	unless ($name eq 'preloaded')
	{
		my $made = q(SELECT siq_domain(siq_new('user')) = siq_domain_hash('a.example', 0));
		my $bad = "flakeid.siq_domain = 'b\x{c3}\x{bc}cher.example'";

		configure($node, 'flakeid.node = 11');
		is(once($node, "SET flakeid.siq_domain = 'a.example'; BEGIN; $_; LOAD 'flakeid'; COMMIT; $made"), 't', "$name: SET a good domain, BEGIN, $_, loaded")
		  foreach "SET LOCAL $bad", "SAVEPOINT s; SET $bad; ROLLBACK TO s", "SAVEPOINT s; SET LOCAL $bad";
	}

	# a name is measured in characters
	{
		my $long = "\xc3\xa9" x 255;

		configure($node, 'flakeid.node = 11', "flakeid.uid_node = '$long'");
		is(once($node, "SELECT uid96_node(uid96_new()) = uid_node_hash('$long')"), 't', "$name: a node of 255 letters of two bytes");
	}

	# a node that is set is also the worker and the shard, if it is in their range
	foreach my $try ([ 'snowflake', 'worker', 31, 'snowflake_new()', q(snowflake_new('2020-01-01Z')), 'snowflake_new_at(now())' ],
		[ 'siq', 'shard', 255, q(siq_new('user')), q(siq_new('user', 'one.example')), q(siq_new_at(now(), 'user')), q(siq_new_at(now(), 'user', 'one.example')) ])
	{
		my ($type, $number, $max, @calls) = @$try;
		my $too_great = $max + 1;

		configure($node, "flakeid.node = $max");
		is(attempt($open, "SELECT ${type}_$number($_)"), $max, "$name: node $max is the $number: $_") foreach @calls;
		configure($node, "flakeid.node = $too_great");
		like(attempt($open, "SELECT $_"),
			qr/ERROR:  22023: flakeid\.node is too large for a ${type}'s $number: $too_great\nDETAIL:  [^\n]*\b$max\.\nHINT:  Set flakeid\.${type}_$number\./,
			"$name: node $too_great is too large for the $number: $_")
		  foreach @calls;
		like(attempt($open, 'SELECT setting_fault FROM flakeid_clock'), qr/^flakeid\.node is too large for .*\b$type\b/, "$name: and the view says so");
		is(attempt($open, PART), $too_great, "$name: node $too_great is not too large for a sno");
		configure($node, "flakeid.node = $too_great", "flakeid.${type}_$number = 3");
		is(attempt($open, "SELECT ${type}_$number($_)"), '3', "$name: node $too_great with a $number of its own: $_") foreach @calls;
	}
	is(attempt($open, 'SELECT setting_fault FROM flakeid_clock'), 'flakeid.node is too large for snowflake', "$name: the view still says so of the other type");
	configure($node, 'flakeid.snowflake_process = 31', 'flakeid.node = 1');
	# one tick yields all numbers only if nothing interrupts the session: so try repeatedly
	my $seen;
	foreach (1 .. 50)
	{
		$seen = attempt($open, 'SELECT min(s), max(s), count(DISTINCT s) FROM (SELECT snowflake_process(id) * 4096 + snowflake_sequence(id) AS s FROM (SELECT snowflake_new() AS id FROM generate_series(1, 20000)) AS made) AS numbers');
		last if $seen eq '126976|131071|4096';
	}
	is($seen, '126976|131071|4096', "$name: a process has 4096 numbers");
	is(attempt($open, 'SELECT DISTINCT snowflake_process(snowflake_new()) FROM generate_series(1, 20000)'), '31', "$name: and no others");
	$open->quit;
	return;
}

# ---------- users ----------

sub users
{
	my ($node) = @_;
	my $name = $node->name;
	my $session;

	configure($node, 'flakeid.node = 7');
	$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN; CREATE DATABASE theirs OWNER plain; GRANT SELECT ON few TO plain');
	$node->safe_psql('theirs', 'CREATE EXTENSION flakeid; CREATE TABLE few AS SELECT FROM generate_series(1, 1000); ALTER TABLE few SET (parallel_workers = 2); ALTER TABLE few OWNER TO plain');
	$node->safe_psql('postgres', 'ALTER DATABASE theirs SET flakeid.node = 8');
	my $plain = sub { my ($sql, @options) = @_; return once($node, $sql, user => 'plain', database => 'theirs', @options) };
	my $known = $name eq 'preloaded';
	my $refused = $known ? qr/FATAL:  permission denied to set parameter "flakeid\.node"/ : refuses('flakeid.node');

	is($plain->(PART), '8', "$name: a stranger has the database's number");
	# with the connection's options: where the server knows the setting, it refuses the connection
	foreach my $number (9, -1, 8, "'abc'")
	{
		like($plain->(PART, options => "-c flakeid.node=$number"), $refused, "$name: PGOPTIONS $number of a stranger");
		like($plain->('SELECT DISTINCT sno_partition(sno_new(0)) FROM few', options => "-c flakeid.node=$number " . IN_WORKERS), $refused, "$name: PGOPTIONS $number of a stranger, in workers");
		is($plain->('SELECT count(*) FROM few', options => "-c flakeid.node=$number " . IN_WORKERS), '1000', "$name: PGOPTIONS $number of a stranger: functions that make no ID work") if !$known;
	}
	if (!$known)
	{
		local $ENV{PGOPTIONS} = '-c flakeid.node=9';
		$session = session($node, database => 'theirs', user => 'plain');
		like(attempt($session, PART), $refused, "$name: PGOPTIONS of a stranger: before a reload");
		configure($node, 'flakeid.node = 6');
		like(attempt($session, PART), $refused, "$name: PGOPTIONS of a stranger: and after it, not the file's");
		like(attempt($session, 'SELECT count(*) FROM flakeid_clock'), qr/^1$/, "$name: PGOPTIONS of a stranger: the view answers");
		$session->quit;
	}
	configure($node, 'flakeid.node = 6');
	# a function's SET is in effect inside the function and no longer
	$node->safe_psql('theirs', q(CREATE FUNCTION with_twelve() RETURNS int LANGUAGE sql SECURITY DEFINER SET flakeid.node = 12 AS 'SELECT sno_partition(sno_new(0))'));
	if (!$known)
	{
		is($plain->('SELECT with_twelve()', options => '-c flakeid.node=9'), '12', "$name: PGOPTIONS of a stranger: a superuser's function has the number it sets");
		like($plain->('SELECT with_twelve(), sno_partition(sno_new(0)) FROM generate_series(1, 100)', options => '-c flakeid.node=9'), $refused, "$name: PGOPTIONS of a stranger: the stranger does not");
	}
	like($plain->(PART, options => '-c flakeid.max_ahead=1h'), $known ? qr/permission denied/ : refuses('flakeid.max_ahead'), "$name: PGOPTIONS of a stranger, another setting");
	like($plain->(PART, options => '-c flakeid.nonsense=9'), $known ? qr/FATAL:  invalid configuration parameter name/ : qr/^8$/, "$name: PGOPTIONS of what is no setting");

	# in the session: before the library is loaded it has no effect, afterwards it is refused
	like($plain->('SET flakeid.node = 9; ' . PART), $known ? qr/42501/ : qr/^8$/, "$name: SET of a stranger");
	like($plain->(PART . '; SET flakeid.node = 9'), qr/42501/, "$name: SET of a stranger once it is loaded");
	like($plain->("BEGIN; SET LOCAL flakeid.node = 9; @{[PART]}; COMMIT; @{[PART]}"), $known ? qr/42501/ : qr/^8\n8$/, "$name: SET LOCAL of a stranger");
	like($plain->('SET flakeid.node = 9; SELECT DISTINCT sno_partition(sno_new(0)) FROM few', options => IN_WORKERS), $known ? qr/42501/ : qr/^8$|22023/, "$name: SET of a stranger, then in workers");
	like(once($node, 'SET ROLE plain; SET flakeid.node = 9; RESET ROLE; ' . PART), $known ? qr/42501/ : qr/^6$/, "$name: SET by a superuser as a stranger");
	is(once($node, 'SET flakeid.node = 9; SET ROLE plain; ' . PART), '9', "$name: SET by a superuser, then a stranger");

	# for the user's role, or for a database that the user owns
	foreach my $loaded ('', "SELECT sno_new(0); ")
	{
		like($plain->("${loaded}ALTER ROLE plain SET flakeid.node = 9"), qr/42501/, "$name: ALTER ROLE of a stranger" . ($loaded ? ', loaded' : ''));
		like($plain->("${loaded}ALTER DATABASE theirs SET flakeid.node = 9"), qr/42501/, "$name: ALTER DATABASE of its owner" . ($loaded ? ', loaded' : ''));
	}

	# users who are allowed to
	$node->safe_psql('postgres', 'GRANT SET ON PARAMETER flakeid.node TO plain');
	is($plain->(PART, options => '-c flakeid.node=9'), '9', "$name: GRANT SET: PGOPTIONS");
	is($plain->('SET flakeid.node = 10; ' . PART), '10', "$name: GRANT SET: SET");
	is($plain->('SELECT DISTINCT sno_partition(sno_new(0)) FROM few', options => '-c flakeid.node=9 ' . IN_WORKERS), '9', "$name: GRANT SET: PGOPTIONS, in workers");
	is($plain->('ALTER DATABASE theirs SET flakeid.node = 13') . $plain->(PART), '13', "$name: GRANT SET: ALTER DATABASE");
	$node->safe_psql('postgres', 'REVOKE SET ON PARAMETER flakeid.node FROM plain');
	is($plain->(PART), '13', "$name: REVOKE: what is set for the database stays");
	like($plain->(PART, options => '-c flakeid.node=9'), $refused, "$name: REVOKE: and nothing else has an effect");
	return;
}

# ---------- sessions with different numbers ----------

# In one database: the numbers and parts of pools change all the time, and overlap.
sub at_once
{
	my $node = new_server('at_once', conf => [ 'flakeid.node = 1' ]);
	my $changes = whole_or_short(40, 15);
	my @files = map { id_file($node, "s$_") } 0 .. 5;
	my @sessions = start_sessions($node, map { my $n = $_; join '', map {
			"SET flakeid.node = @{[ ($n + $_) % 3 ]};\nSET flakeid.sno_sequence_min = @{[ 500 * ($_ % 4) ]};\nSET flakeid.sno_sequence_max = @{[ 500 * ($_ % 4) + 5 + 3000 * ($_ % 2) ]};\n"
			. "SET flakeid.snowflake_process = @{[ ($n + $_) % 3 - 1 ]};\n"
			. "COPY (SELECT sno_new(0)::bytea, snowflake_new()::bytea, siq_new('user')::bytea, uid96_new()::bytea FROM generate_series(1, 500)) TO PROGRAM 'cat >>$files[$n]' (DELIMITER '|');\n" } 1 .. $changes } 0 .. $#files);

	finish_sessions(@sessions);
	columns_unique('numbers and pools that change', $node, \@files, [ [ sno => 10 ], [ snowflake => 8 ], [ siq => 14 ], [ uid96 => 12 ] ], count => $changes * 500 * @files);
	$node->stop;
	return;
}

# ---------- ranges ----------

# A stopped clock keeps everything within one tick.  The test moves it a little within
# the tick, because sessions recognize a reload by its time.
sub within_a_tick
{
	my $node = new_server('tick', clock => 1, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 300ms' ]);
	my $session = session($node);
	my $step = 0;
	my (@ids, %seen);

	foreach my $try ([ '0-65535', 10, 0, 65535 ], [ '5-99', 5, 5, 99 ], [ '0-199', 10, 0, 199 ],
		[ '100-149', 30, 100, 149 ], [ '20-29', 0, 20, 29 ], [ '0-65535', 10, 0, 65535 ], [ '0-60', 0, 0, 60 ], [ '60000-60100', 40, 60000, 60100 ])
	{
		my ($range, $count, $low, $high) = @$try;
		my @new;

		set_clock($node, yesterday(sprintf '10:00:00.%04d', ++$step));
		configure($node, 'flakeid.node = 11', 'flakeid.max_wait = 300ms', sno_range($range));
		if ($count == 0)
		{
			like(attempt($session, 'SELECT sno_new(0)'), qr/55000/, "one tick: $range: the whole range is used up");
			next;
		}
		@new = split /\n/, attempt($session, "SELECT sno_sequence(sno_new(0)) FROM generate_series(1, $count)");
		is((grep { /^\d+$/ && $_ >= $low && $_ <= $high } @new), $count, "one tick: $range: all numbers are in it") or diag "@new";
		push @ids, @new;
	}
	is((grep { $seen{$_}++ } @ids), 0, 'one tick: no number twice') or diag "@ids";

	$session->quit;
	$node->stop;
	return;
}

# Two servers share one partition and have half of the sequence each, or share one worker and have a process each.
sub halves
{
	my @nodes = map { new_server("half$_->[0]", conf => [ 'flakeid.node = 11', sno_range($_->[1]), "flakeid.snowflake_process = $_->[0]" ]) }
	  ([ 1, '0-32767' ], [ 2, '32768-65535' ]);

	my $rows = whole_or_short(50_000, 20_000);

	foreach my $new ('sno_new(0)', 'snowflake_new()')
	{
		my ($type) = split /_/, $new;
		my @files = map { [ id_file($_, "$type.a"), id_file($_, "$type.b") ] } @nodes;

		finish_sessions(
			map {
				my $node = $nodes[$_];
				start_sessions($node, map { "COPY (SELECT $new FROM generate_series(1, $rows)) TO '$_'" } @{ $files[$_] })
			} 0, 1);
		all_unique("two servers with parts of one $type sequence: no ID twice", 4 * $rows, [ map { @$_ } @files ], sorted => 1);
	}
	$_->stop foreach @nodes;
	return;
}

preloaded();
dynamic();
removed(0);
removed(1);
halves();
at_once();
SKIP:
{
	skip 'no compiler', 1 unless clock_available();
	within_a_tick();
}
done_testing();
