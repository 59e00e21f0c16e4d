# The settings: who this server is.  A bad value never makes IDs of another
# partition or another range, no user can change them, and a reload counts for
# all backends, also those in the middle of a long query.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant PART => 'SELECT sno_partition(sno_new(0))';
# (BETWEEN alone would make two of them)
use constant SEQUENCE => 'SELECT s BETWEEN 100 AND 199 FROM sno_sequence(sno_new(0)) AS s';

my @good = ('flakeid.node = 11', "flakeid.sno_sequence = '100-199'");

# A line that is wrong, in place of a good one for the same setting.
my @bad = (
	'flakeid.node = 65536',
	'flakeid.node = -2',
	"flakeid.node = 'abc'",
	"flakeid.node = '11 apples'",
	'flakeid.node = 99999999999',
	"flakeid.node = ''",
	'flakeid.node = 010',
	'flakeid.node = 10.6',
	'flakeid.sno_partition = 65536',
	"flakeid.sno_partition = 'x'",
	"flakeid.sno_sequence = '199-100'",
	"flakeid.sno_sequence = '0-65536'",
	"flakeid.sno_sequence = '-5-10'",
	"flakeid.sno_sequence = '100'",
	"flakeid.sno_sequence = ''",
	"flakeid.siq_domain = 'b\x{c3}\x{bc}cher.example'",
	'flakeid.siq_local_id = -1',
	'flakeid.siq_shard = 256',
	"flakeid.siq_shard = '0-255'",
	'flakeid.snowflake_worker = 32',
	"flakeid.snowflake_sequence = '0-131072'",
	"flakeid.sno_sequence = '100-104'",
	# what another database is meant to have counts, too
	"flakeid.node = '11, other = 65536'",
	"flakeid.node = '11, 12'",
	"flakeid.node = '11, other = 12, other = 13'",
	"flakeid.uid_node = '" . 'x' x 256 . "'",
	'flakeid.max_ahead = -1',
	"flakeid.max_wait = '5 apples'");

sub name_of
{
	my ($line) = @_;

	return $line =~ s/ =.*//r;
}

# The good lines with this one instead.
sub with
{
	my ($line) = @_;
	my $name = name_of($line);

	return ((grep { name_of($_) ne $name } @good), $line);
}

# One statement in a session of its own: its result, or its error.
sub once
{
	my ($node, $sql, %option) = @_;
	my ($stdout, $stderr);

	local $ENV{PGOPTIONS} = $option{options} if defined $option{options};
	$node->psql($option{database} || 'postgres', $sql, stdout => \$stdout, stderr => \$stderr,
		extra_params => [ '-v', 'VERBOSITY=verbose', $option{user} ? ('-U', $option{user}) : () ]);
	return $stderr =~ /ERROR|FATAL/ ? $stderr : $stdout;
}

# 22023 that names the setting
sub refuses
{
	my ($line) = @_;
	my $name = quotemeta(name_of($line));

	return qr/ERROR:  22023: [^\n]*"$name"/;
}

# ---------- preloaded: a bad value is refused and the old one stays ----------

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
		is(once($node, "SHOW $name"), $shown, "preloaded: $line: the old value stays");
		is(once($node, PART) . attempt($open, PART), '1111', "preloaded: $line: and the partition");
		is(once($node, SEQUENCE) . attempt($open, SEQUENCE), 'tt', "preloaded: $line: and the range");
	}

	configure($node, with('flakeid.node = 12'));
	is(once($node, PART) . attempt($open, PART), '1212', 'preloaded: a good value takes effect');
	$open->quit;
	identity($node);
	other_types($node);
	users_preloaded($node);
	$node->stop;
	return;
}

# ---------- not preloaded: the generators say so until it is mended ----------

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
		like(attempt($new, PART), refuses($line), "dynamic: $line: a new session is told");
		like(attempt($new, PART), refuses($line), "dynamic: $line: and told again");
		like(attempt($new, 'SELECT sno_new(0, 4)'), refuses($line), "dynamic: $line: whatever the partition");

		# a session that knows the old value may keep it, but nothing else
		like(attempt($open, PART), qr/^11$|22023/, "dynamic: $line: an old session makes no ID of another partition");
		like(attempt($open, SEQUENCE), qr/^t$|22023/, "dynamic: $line: nor of another range");

		# a reload without a change mends nothing
		configure($node, with($line), 'flakeid.max_ahead = 9s');
		like(attempt($new, PART), refuses($line), "dynamic: $line: still told after another reload")
		  unless $name eq 'flakeid.max_ahead';
		like(attempt($open, PART), qr/^11$|22023/, "dynamic: $line: the old session, too");

		configure($node, @good);
		is(attempt($new, PART) . attempt($open, PART) . once($node, PART), '111111', "dynamic: $line: mended for all");
		is(attempt($new, SEQUENCE), 't', "dynamic: $line: and the range");
		$new->quit;
		$open->quit;
	}
	identity($node);
	other_types($node);
	users_dynamic($node);
	$node->stop;
	return;
}

# Mended by taking the line away, which assigns nothing; and bad from the start.
sub removed
{
	my ($preload) = @_;
	my $mode = $preload ? 'preloaded' : 'dynamic';
	my $line = "flakeid.sno_partition = 'eleven'";
	my $node = new_server("removed_$mode", preload => $preload, conf => [ 'flakeid.node = 11', $line ]);
	my $open = session($node);

	like(attempt($open, PART), refuses($line), "$mode: bad from the start: told");
	configure($node, 'flakeid.node = 11', $line);
	like(attempt($open, PART), refuses($line), "$mode: bad from the start: still told after a reload");
	like(once($node, PART), refuses($line), "$mode: bad from the start: in new sessions, too");
	configure($node, 'flakeid.node = 11');
	is(attempt($open, PART) . once($node, PART), '1111', "$mode: the line removed: mended");
	$open->quit;
	$node->stop;
	return;
}

# ---------- a reload counts for all ----------

sub identity
{
	my ($node) = @_;
	my $name = $node->name;
	my ($long, $sleeper, $lock, $parallel);

	configure($node, 'flakeid.node = 11');
	$node->safe_psql('postgres', q(
		-- the partitions seen until it is p
		CREATE FUNCTION until_partition(p int) RETURNS text LANGUAGE plpgsql AS $$
			DECLARE seen text := ''; now int; before int;
			BEGIN
				LOOP
					now := sno_partition(sno_new(0));
					seen := seen || CASE WHEN now IS DISTINCT FROM before THEN now || ' ' ELSE '' END;
					EXIT WHEN now = p;
					before := now;
					PERFORM pg_sleep(0.005);
				END LOOP;
				RETURN seen;
			END $$;
		-- the numbers made until one is in low .. high, and a thousand more: how many of those are not
		CREATE FUNCTION until_sequence(low int, high int) RETURNS bigint LANGUAGE plpgsql AS $$
			BEGIN
				LOOP
					EXIT WHEN sno_sequence(sno_new(0)) BETWEEN low AND high;
					PERFORM pg_sleep(0.005);
				END LOOP;
				RETURN count(*) FROM generate_series(1, 1000) WHERE sno_sequence(sno_new(0)) NOT BETWEEN low AND high;
			END $$;
		CREATE TABLE few AS SELECT FROM generate_series(1, 1000);
		ALTER TABLE few SET (parallel_workers = 2);
	));

	# a backend in a long query, which reads no configuration until it is through
	$long = session($node);
	$long->query_until(qr/started/, "\\echo started\nSELECT until_partition(22);\n");
	$node->poll_query_until('postgres', 'SELECT sessions > 1 FROM flakeid_clock');
	configure($node, 'flakeid.node = 22');
	is(once($node, PART), '22', "$name: a new node");
	is(attempt($long, 'SELECT 1'), "11 22 \n1", "$name: takes effect in a long query, too");

	$long->query_until(qr/started/, "\\echo started\nSELECT until_partition(33);\n");
	configure($node, 'flakeid.node = 22', 'flakeid.sno_partition = 33');
	is(once($node, PART), '33', "$name: a new partition");
	is(attempt($long, 'SELECT 1'), "22 33 \n1", "$name: takes effect in a long query, too");

	$long->query_until(qr/started/, "\\echo started\nSELECT until_sequence(60000, 60010);\n");
	configure($node, 'flakeid.node = 22', "flakeid.sno_sequence = '60000-60010'");
	is(once($node, 'SELECT s BETWEEN 60000 AND 60010 FROM sno_sequence(sno_new(0)) AS s'), 't', "$name: a new range");
	is(attempt($long, 'SELECT 1'), "0\n1", "$name: takes effect in a long query, too, which stays in it");
	$long->quit;

	# a session that slept while a good value and then a bad one was read
	configure($node, 'flakeid.node = 11');
	$sleeper = session($node);
	is(attempt($sleeper, PART), '11', "$name: before it sleeps");
	configure($node, 'flakeid.node = 22');
	is(once($node, PART), '22', "$name: while it sleeps");
	configure($node, 'flakeid.node = 70000');
	unlike(attempt($sleeper, PART), qr/^11/, "$name: a session that missed a value does not bring the one before back");
	unlike(once($node, PART), qr/^11/, "$name: nor for others");
	$sleeper->quit;

	# nor does one that then checks a value for others
	configure($node, 'flakeid.node = 11');
	$sleeper = session($node);
	is(attempt($sleeper, PART), '11', "$name: before it sleeps");
	configure($node, 'flakeid.node = 22');
	is(once($node, PART), '22', "$name: while it sleeps");
	configure($node, 'flakeid.node = 70000');
	is(attempt($sleeper, 'ALTER SYSTEM SET flakeid.node = 33'), '', "$name: ALTER SYSTEM");
	unlike(attempt($sleeper, PART), qr/^11/, "$name: of a session that missed a value does not bring the one before back");
	unlike(once($node, PART), qr/^11/, "$name: nor for others");
	is(attempt($sleeper, 'ALTER SYSTEM RESET flakeid.node'), '', "$name: ALTER SYSTEM RESET");
	$sleeper->quit;

	# a parallel worker starts with its leader's settings, however old
	configure($node, 'flakeid.node = 11');
	$lock = session($node);
	attempt($lock, 'SELECT pg_advisory_lock(1)');
	$parallel = session($node);
	attempt($parallel, 'SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET parallel_leader_participation = off; SET min_parallel_table_scan_size = 0');
	$parallel->query_until(qr/started/, q(\echo started
DO $$
	BEGIN
		PERFORM sno_new(0);
		PERFORM pg_advisory_lock(1);
		PERFORM max(sno_new(0)) FROM few;
	END $$;
));
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)");
	configure($node, 'flakeid.node = 22');
	$lock->quit;
	is(attempt($parallel, 'SELECT 1'), '1', "$name: parallel workers of a leader with old settings");
	is(once($node, PART), '22', "$name: do not keep the new ones from new sessions");
	$parallel->quit;
	return;
}

# What siq, snowflake and uid96 are made with, too.
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

	# a name is measured in characters
	{
		my $long = "\xc3\xa9" x 255;

		configure($node, 'flakeid.node = 11', "flakeid.uid_node = '$long'");
		is(once($node, "SELECT uid96_node(uid96_new()) = uid_node_hash('$long')"), 't', "$name: a node of 255 letters of two bytes");
	}

	# a node that somebody has chosen is the worker and the shard, too, where it can be one
	foreach my $try ([ 'snowflake', 'worker', 31, 'snowflake_new()', q(snowflake_new('2020-01-01Z')), 'snowflake_new_at(now())' ],
		[ 'siq', 'shard', 255, q(siq_new('user')), q(siq_new('user', 'one.example')), q(siq_new_at(now(), 'user')), q(siq_new_at(now(), 'user', 'one.example')) ])
	{
		my ($type, $number, $max, @calls) = @$try;
		my $too_great = $max + 1;

		configure($node, "flakeid.node = $max");
		is(attempt($open, "SELECT ${type}_$number($_)"), $max, "$name: node $max is the $number: $_") foreach @calls;
		configure($node, "flakeid.node = $too_great");
		like(attempt($open, "SELECT $_"),
			qr/ERROR:  22023: flakeid\.node is too great for a ${type}'s $number: $too_great\nDETAIL:  [^\n]*\b$max\.\nHINT:  Set flakeid\.${type}_$number\./,
			"$name: node $too_great is too great for the $number: $_")
		  foreach @calls;
		like(attempt($open, 'SELECT setting_fault FROM flakeid_clock'), qr/^flakeid\.node is too great for .*\b$type\b/, "$name: and the view says so");
		is(attempt($open, PART), $too_great, "$name: node $too_great is none too great for a sno");
		configure($node, "flakeid.node = $too_great", "flakeid.${type}_$number = 3");
		is(attempt($open, "SELECT ${type}_$number($_)"), '3', "$name: node $too_great with a $number of its own: $_") foreach @calls;
	}
	is(attempt($open, 'SELECT setting_fault FROM flakeid_clock'), 'flakeid.node is too great for snowflake', "$name: the view still says so of the other type");
	configure($node, "flakeid.snowflake_sequence = '4096-8191'", 'flakeid.node = 1');
	is(attempt($open, 'SELECT DISTINCT snowflake_process(snowflake_new()) FROM generate_series(1, 1000)'), '1',
		"$name: snowflake_sequence is process and sequence");
	$open->quit;
	return;
}

# ---------- users ----------

sub users_dynamic
{
	my ($node) = @_;

	configure($node, "flakeid.node = '11, other = 12'", "flakeid.sno_sequence = '100-199'");
	$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN; CREATE ROLE super LOGIN SUPERUSER; CREATE DATABASE other; GRANT SELECT ON few TO plain');
	$node->safe_psql('other', 'CREATE EXTENSION flakeid');
	foreach my $user ('plain', 'super')
	{
		# also those that are the defaults
		foreach my $setting ('flakeid.node=5', 'flakeid.node=-1', 'flakeid.sno_partition=5', 'flakeid.sno_sequence=0-9', 'flakeid.sno_sequence=0-65535',
			'flakeid.max_ahead=1h')
		{
			my $line = $setting =~ s/=/ = /r;

			like(once($node, PART, user => $user, options => "-c $setting"),
				refuses($line), "dynamic: PGOPTIONS $setting of $user");
			is(once($node, PART), '11', 'dynamic: and nobody else is concerned');
		}
		like(once($node, 'SET flakeid.node = 5; ' . PART, user => $user),
			refuses('flakeid.node = 5'), "dynamic: SET of $user");
		like(once($node, PART . '; SET flakeid.node = 5', user => $user), qr/55P02/, "dynamic: SET of $user once it is loaded");
		like(once($node, "SELECT set_config('flakeid.node', '5', false); " . PART, user => $user),
			refuses('flakeid.node = 5'), "dynamic: set_config of $user");
	}
	foreach my $whose ('ROLE plain', 'DATABASE other', 'ROLE plain IN DATABASE other')
	{
		foreach my $number (5, -1)
		{
			$node->safe_psql('postgres', "ALTER $whose SET flakeid.node = $number");
			like(once($node, PART, user => 'plain', database => 'other'), refuses('flakeid.node'), "dynamic: ALTER $whose SET flakeid.node = $number");
			is(once($node, PART), '11', 'dynamic: and nobody else is concerned');
		}
		$node->safe_psql('postgres', "ALTER $whose RESET flakeid.node");
		is(once($node, PART, user => 'plain', database => 'other'), '12', "dynamic: ALTER $whose RESET");
	}

	# nor when they are the first after a start, or their parallel workers are
	foreach my $first ([ PART, '' ], [ 'SELECT DISTINCT sno_partition(sno_new(0)) FROM few',
		'-c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0 -c parallel_leader_participation=off' ])
	{
		my ($sql, $parallel) = @$first;

		foreach my $number (5, -1)
		{
			$node->restart;
			like(once($node, $sql, user => 'plain', options => "-c flakeid.node=$number $parallel"), qr/^11$|22023/, "dynamic: PGOPTIONS flakeid.node=$number of the first: $sql");
			is(once($node, PART), '11', 'dynamic: and nobody else is concerned');
		}
	}
	like(once($node, 'LOAD \'flakeid\'; ALTER ROLE plain SET flakeid.node = 5'), qr/55P02/, 'dynamic: refused once it is loaded');
	return;
}

sub users_preloaded
{
	my ($node) = @_;

	configure($node, "flakeid.node = '11, other = 12'");
	$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN; CREATE DATABASE other');
	$node->safe_psql('other', 'CREATE EXTENSION flakeid');
	like(once($node, PART, user => 'plain', options => '-c flakeid.node=5'), qr/cannot be changed/, 'preloaded: PGOPTIONS');
	like(once($node, 'SET flakeid.node = 5', user => 'plain'), qr/55P02/, 'preloaded: SET');
	like(once($node, 'SET flakeid.node = 5'), qr/55P02/, 'preloaded: SET of a superuser');
	foreach my $whose ('ROLE plain', 'DATABASE other')
	{
		like(once($node, "ALTER $whose SET flakeid.node = 5"), qr/55P02/, "preloaded: ALTER $whose SET");
	}
	is(once($node, PART, user => 'plain') . once($node, PART), '1111', 'preloaded: the partition is the same to all users');
	is(once($node, PART, user => 'plain', database => 'other') . once($node, PART, database => 'other'), '1212', 'preloaded: also in another database');
	return;
}

# What a session set before the library is loaded is taken back as anything else.
sub taken_back
{
	my $node = new_server('taken_back', conf => [ 'flakeid.node = 11' ]);

	foreach my $back ('RESET flakeid.node', 'RESET ALL', 'DISCARD ALL')
	{
		my $session = session($node);

		is(attempt($session, "SET flakeid.node = 5"), '', "$back: SET");
		like(attempt($session, PART), refuses('flakeid.node'), "$back: refused");
		like(attempt($session, 'SELECT setting_fault FROM flakeid_clock'), qr/"flakeid\.node": "5"/, "$back: the view says so");
		is(attempt($session, $back) . attempt($session, PART), '11', "$back: taken back");
		like(attempt($session, 'SET flakeid.node = 5'), qr/55P02/, "$back: and cannot be set any more");
		$session->quit;
	}

	# in a transaction that is rolled back
	my $session = session($node);
	attempt($session, 'BEGIN; SET LOCAL flakeid.node = 5; SAVEPOINT s');
	like(attempt($session, PART), refuses('flakeid.node'), 'SET LOCAL: refused');
	is(attempt($session, 'ROLLBACK') . attempt($session, PART), '11', 'SET LOCAL: taken back');
	$session->quit;
	$node->stop;
	return;
}

# The library is first loaded in a parallel operation, in which the server takes no value.
sub parallel
{
	my $node = new_server('parallel', conf => [ "flakeid.node = '7, postgres = 77'", 'flakeid.max_wait = 7s' ]);
	my $force = 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; '
	  . 'SET max_parallel_workers_per_gather = 2; SET max_parallel_maintenance_workers = 2; SET maintenance_work_mem = 65536;';
	my $made = 'SELECT DISTINCT sno_partition(sno_new(0)) FROM large';

	$node->safe_psql('postgres', 'CREATE TABLE large AS SELECT sno_new(0) AS id FROM generate_series(1, 50000);
		ALTER TABLE large SET (parallel_workers = 2)');
	foreach my $first ('CREATE INDEX ON large (id)', 'ALTER TABLE large ADD PRIMARY KEY (id)', 'REINDEX TABLE large', 'CLUSTER large USING large_pkey',
		'SELECT count(*) FROM large WHERE id::timestamptz > now()', $made, "SET parallel_leader_participation = off; $made")
	{
		my $session = session($node);

		unlike(attempt($session, "$force $first"), qr/WARNING|ERROR/, "first: $first");
		is(attempt($session, PART), '77', "then: $first: the file's number");
		is(attempt($session, 'SHOW flakeid.max_wait'), '7s', "then: $first: and time");
		like(attempt($session, 'SET flakeid.node = 5'), qr/55P02/, "then: $first: and nobody can set it");
		$session->quit;
	}
	foreach my $leader ('on', 'off')
	{
		like(once($node, "SET flakeid.node = 4711; $force SET parallel_leader_participation = $leader; $made"), refuses('flakeid.node'),
			"set by the session, leader's participation $leader: refused");
	}
	$node->stop;
	return;
}

# Each database has its own values.
sub databases
{
	my $node = new_server('databases', conf => [ "flakeid.node = '7, \"my-shop\" = 8'", "flakeid.siq_domain = 'one.example, \"my-shop\" = two.example'",
		"flakeid.uid_node = '\"a,b=c\", \"my-shop\" = b'" ]);
	my $sql = q(SELECT sno_partition(sno_new(0)), snowflake_worker(snowflake_new()), siq_shard(s), siq_domain(s) = siq_domain_hash('%s'),
		uid96_node(uid96_new()) = uid_node_hash('%s') FROM siq_new('user') AS s);
	my $held;

	$node->safe_psql('postgres', "CREATE DATABASE $_") foreach '"my-shop"', 'third';
	$node->safe_psql($_, 'CREATE EXTENSION flakeid') foreach 'my-shop', 'third';
	$held = session($node);
	is(attempt($held, sprintf $sql, 'one.example', 'a,b=c'), '7|7|7|t|t', 'the default');
	is(once($node, (sprintf $sql, 'two.example', 'b'), database => 'my-shop'), '8|8|8|t|t', 'a database of the list');
	is(once($node, PART, database => 'third'), '7', 'another database has the default, too');
	configure($node, "flakeid.node = '7, third = 9'", "flakeid.uid_node = 'a, third = c'");
	is(once($node, PART, database => 'third'), '9', 'with a number of its own');

	# derived numbers: each database has another
	configure($node);
	isnt(once($node, PART), once($node, PART, database => 'third'), 'derived numbers differ');
	$held->quit;
	$node->stop;
	return;
}

# The clock steps back between two reloads.  A backend that has yet to read the second one
# has the time of the first, which looks newer.
sub stepped_back
{
	my $node = new_server('stepped', clock => 1);
	my $open = session($node);
	my $late;

	$node->safe_psql('postgres', q(
		CREATE FUNCTION late() RETURNS int LANGUAGE plpgsql AS $$
			BEGIN
				PERFORM pg_advisory_lock(1);
				RETURN sno_partition(sno_new(0));
			END $$;
	));
	configure($node, 'flakeid.node = 1');
	is(attempt($open, PART), '1', 'stepped back: before');
	attempt($open, 'SELECT pg_advisory_lock(1)');
	$late = session($node);
	$late->query_until(qr/started/, "\\echo started\nSELECT late();\n");
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)");
	set_clock($node, '-3300');
	configure($node, 'flakeid.node = 2');
	is(attempt($open, PART), '2', 'stepped back: a new node');
	attempt($open, 'SELECT pg_advisory_unlock(1)');
	is(attempt($late, 'SELECT 1'), "2\n1", 'stepped back: also for a backend that has yet to read of it, and makes its first ID');
	is(attempt($open, PART), '2', 'stepped back: which does not bring the old one back for others');
	is(attempt($late, PART) . once($node, PART), '22', 'stepped back: nor for itself or new ones');
	$late->quit;
	$open->quit;
	$node->stop;
	return;
}

# ---------- ranges ----------

# A clock that stands still keeps everything within one tick.  It is moved a
# little within it, as a reload is known by its time.
sub within_a_tick
{
	my $node = new_server('tick', clock => 1, conf => [ 'flakeid.node = 11', 'flakeid.max_wait = 300ms' ]);
	my $session = session($node);
	my $step = 0;
	my (@ids, %seen, $lock);

	foreach my $try ([ '0-65535', 10, 0, 65535 ], [ '5-99', 5, 5, 99 ], [ '0-199', 10, 0, 199 ],
		[ '100-149', 30, 100, 149 ], [ '20-29', 0, 20, 29 ], [ '0-65535', 10, 0, 65535 ], [ '0-60', 0, 0, 60 ], [ '60000-60100', 40, 60000, 60100 ])
	{
		my ($range, $count, $low, $high) = @$try;
		my @new;

		set_clock($node, yesterday(sprintf '10:00:00.%04d', ++$step));
		configure($node, 'flakeid.node = 11', 'flakeid.max_wait = 300ms', "flakeid.sno_sequence = '$range'");
		if ($count == 0)
		{
			like(attempt($session, 'SELECT sno_new(0)'), qr/55000/, "one tick: $range: all of it is used up");
			next;
		}
		@new = split /\n/, attempt($session, "SELECT sno_sequence(sno_new(0)) FROM generate_series(1, $count)");
		is((grep { /^\d+$/ && $_ >= $low && $_ <= $high } @new), $count, "one tick: $range: all numbers are in it") or diag "@new";
		push @ids, @new;
	}
	is((grep { $seen{$_}++ } @ids), 0, 'one tick: no number twice') or diag "@ids";

	# What is left of a lease in the midst of a query is not used any more once
	# another session has seen the new range.
	set_clock($node, yesterday('10:00:01'));
	configure($node, 'flakeid.node = 11', "flakeid.sno_sequence = '0-65535'");
	$lock = session($node);
	attempt($lock, 'SELECT pg_advisory_lock(1)');
	$session->query_until(qr/started/, q(\echo started
SELECT array_agg(sno_sequence(CASE WHEN n = 5 THEN (SELECT sno_new(0) FROM pg_advisory_lock(n - 4)) ELSE sno_new(0) END) ORDER BY n)
FROM generate_series(1, 9) AS n;
));
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)");
	set_clock($node, yesterday('10:00:01.0005'));
	configure($node, 'flakeid.node = 11', "flakeid.sno_sequence = '100-149'");
	is(once($node, SEQUENCE), 't', 'one tick: another session has seen the new range');
	$lock->quit;
	is(attempt($session, 'SELECT 1'), "{0,1,2,3,101,102,103,104,105}\n1", 'one tick: a lease of the old range is dropped');
	$session->quit;
	$node->stop;
	return;
}

# Two servers with one partition, or worker, and halves of the sequence.
sub halves
{
	my @nodes = map { new_server("half$_->[0]", conf => [ 'flakeid.node = 11', "flakeid.sno_sequence = '$_->[1]'", "flakeid.snowflake_sequence = '$_->[2]'" ]) }
	  ([ 1, '0-32767', '0-65535' ], [ 2, '32768-65535', '65536-131071' ]);

	foreach my $new ('sno_new(0)', 'snowflake_new()')
	{
		my ($type) = split /_/, $new;
		my @files = map { [ id_file($_, "$type.a"), id_file($_, "$type.b") ] } @nodes;

		finish_sessions(
			map {
				my $node = $nodes[$_];
				start_sessions($node, map { "COPY (SELECT $new FROM generate_series(1, 200000)) TO '$_'" } @{ $files[$_] })
			} 0, 1);
		all_unique("two servers with halves of one $type sequence: no ID twice", 800_000, [ map { @$_ } @files ], sorted => 1);
	}
	$_->stop foreach @nodes;
	return;
}

preloaded();
dynamic();
removed(0);
removed(1);
halves();
taken_back();
parallel();
databases();
SKIP:
{
	skip 'libfaketime is not installed', 1 unless clock_available();
	stepped_back();
	within_a_tick();
}
done_testing();
