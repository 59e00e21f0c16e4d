# Everybody may read the catalogs, and so block them: a role with nothing but LOGIN has one
# session read a catalog in a transaction and another one request an exclusive lock, which
# core queues before it checks the owner of the table; from then on every reader queues,
# too.  Sessions that make IDs continue, or, if they have to look up the table of the marks,
# name the blocking process within flakeid.max_wait.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";

use Flakeid;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_available();

my $node = new_server('catalogs', clock => 1, extension => 0, conf => ['flakeid.max_wait = 700ms'], server => [ 'deadlock_timeout = 10min' ]);
my $seconds = 0;
my $round = 0;
my $hand;

# The clock is stopped, so that the test decides when the mark must be moved.
sub forward
{
	set_clock($node, yesterday(sprintf '10:%02d:%02d', ($seconds += 3) / 60, $seconds % 60));
	return;
}

# A session of the role with nothing but LOGIN, in which core has already read what the
# statement needs.
sub prepared
{
	my ($database) = @_;
	my $session = session($node, database => $database, params => [ '-U', 'plain' ]);

	attempt($session, 'PREPARE make AS ' . making(1));
	attempt($session, "SET statement_timeout = '20s'");
	return $session;
}

# Block relations of the catalog for everybody, until let_go() ends the transactions.
# Returns their process IDs.
my (@in_the_way, @sessions, @answers);

sub keep_from
{
	my ($database, $catalog, @relations) = @_;
	my $reader = session($node, database => $database, params => [ '-U', 'plain' ]);
	my @queue = map {
		my $session = session($node, database => $database, params => [ '-U', 'plain' ]);

		attempt($session, 'CREATE TEMP TABLE apart (id oid) PARTITION BY LIST (id); CREATE INDEX ON apart (id)');
		$session;
	} @relations;
	my @pids = map { attempt($_, 'SELECT pg_backend_pid()') } @queue;

	@in_the_way = (attempt($reader, 'SELECT pg_backend_pid()'), @pids);

	# a reader also locks the indexes
	attempt($reader, "BEGIN; SELECT FROM pg_catalog.$catalog WHERE false; SELECT FROM pg_catalog.$catalog LIMIT 0");
	foreach my $i (0 .. $#queue)
	{
		my $kind = $relations[$i] =~ /_.*_index$/ ? 'INDEX apart_id_idx' : 'TABLE apart';

		$queue[$i]->query_until(qr/^/, "ALTER $kind ATTACH PARTITION pg_catalog.$relations[$i]" . ($kind =~ /TABLE/ ? ' DEFAULT' : '') . ";\n");
	}
	until_true(sub { return attempt($hand, "EXECUTE queued('{" . join(',', @pids) . "}')") == @pids }) or die "nobody queues for $catalog";
	push @sessions, $reader, @queue;
	return @pids;
}

sub let_go
{
	attempt($hand, "EXECUTE terminate('{" . join(',', @in_the_way) . "}')");
	eval { $_->quit } foreach @sessions;
	@sessions = ();
	return;
}

# Has the session made an ID with each generator, or named the blocking process?
sub made
{
	my ($name, $session) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like(attempt($session, 'EXECUTE make'), qr/^\\x/, $name);
}

sub made_or_named
{
	my ($name, $session, $catalog, @pids) = @_;
	my $answer = attempt($session, 'EXECUTE make');
	my $pids = join '|', @pids;
	my $error = qr/^psql:.*ERROR:  55000: could not lock table "$catalog" within 700ms\nDETAIL:  [^\n]*\b(?:$pids)\b/;

	push @answers, $answer;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like($answer, qr/^\\x|$error/, $name);
}

forward();
$node->stop;
start_server($node);
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid; CREATE ROLE plain LOGIN');
$node->safe_psql('postgres', 'CREATE DATABASE model; CREATE DATABASE other');
$node->safe_psql('model', 'CREATE EXTENSION flakeid');
$hand = session($node, database => 'other');
attempt($hand, 'PREPARE queued (int[]) AS SELECT count(*) FROM pg_locks WHERE pid = ANY ($1) AND NOT granted');
attempt($hand, 'PREPARE terminate (int[]) AS SELECT pg_terminate_backend(pid, 10000) FROM unnest($1) AS pid');
attempt($hand, $_) foreach "EXECUTE queued('{}')", "EXECUTE terminate('{}')";

foreach my $catalog (map { "pg_$_" } qw(extension depend namespace class attribute attrdef constraint trigger am index opclass amproc enum database))
{
	my @indexes = split /\n/, $node->safe_psql('other', "SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'pg_catalog.$catalog'::regclass");

	# indexes separately: a session queueing for one waits for those queueing for its table
	foreach my $relations ([$catalog], ($catalog =~ /^pg_(?:extension|depend|class|trigger)$/ ? [@indexes] : ()))
	{
		my $name = @$relations > 1 ? "indexes of $catalog" : "$catalog";
		my $database = 'r' . ++$round;
		my ($first, $again, $moving, $made, $new, @pids);

		# the first session of a database without its mark in memory
		$node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE model");
		$first = prepared($database);
		@pids = keep_from($database, $catalog, @$relations);
		made_or_named("$name: first session of a database", $first, $catalog, @pids);
		let_go();
		made("$name: it makes IDs after that", $first);

		# one session moves the mark, and another uses it
		forward();
		($moving, $made, $new) = map { prepared($database) } 1 .. 3;
		made("$name: a session at work", $moving);
		made("$name: and another one", $made);
		@pids = keep_from($database, $catalog, @$relations);
		made("$name: a session continues", $_) foreach $moving, $made;
		forward();
		made("$name: and moves the mark", $moving);

		# these catalogs are read to look up the table's name, or the types of siq
		if ($catalog =~ /^pg_(?:namespace|class|enum)$/)
		{
			made_or_named("$name: a new session", $new, $catalog, @pids);
		}
		else
		{
			made("$name: a new session", $new);
		}

		# and these to open the table
		forward();
		if ($catalog =~ /^pg_(?:namespace|class|attribute|attrdef|constraint|trigger|am|index|opclass|amproc)$/)
		{
			made_or_named("$name: a session that has never moved the mark does", $made, $catalog, @pids);
		}
		else
		{
			made("$name: a session that has never moved the mark does", $made);
		}
		let_go();
		forward();
		made("$name: all continue after that", $_) foreach $moving, $made, $new;
		$_->quit foreach $first, $moving, $made, $new;
	}
}

like(join("\n", @answers), qr/ERROR:  55000: could not lock table "pg_class" within 700ms$/m, 'an error names pg_class');

# ---------- catalogs of catalogs ----------

# A session has lost what it knew of an index of the catalog, as after a vacuum: core reads
# further catalogs to use the index.  Nothing is kept of a look-up that fails.
sub lose
{
	my ($index) = @_;

	return $node->safe_psql('postgres', "SET allow_system_table_mods = on; UPDATE pg_class SET reltuples = reltuples + 1 WHERE oid = 'pg_catalog.$index'::regclass");
}

{
	my $late = qr/ERROR:  55P03: canceling statement due to lock timeout/;
	my $types = "SELECT siq_type_of(id) FROM premium";
	my ($first, $new, $siq) = map { prepared('postgres') } 1 .. 3;

	like(attempt($first, 'BEGIN; EXECUTE make; SHOW lock_timeout'), qr/\n0$/, 'after a look-up lock_timeout is as before');
	$node->safe_psql('postgres', "CREATE TABLE premium AS SELECT siq_new('premium') AS id; GRANT SELECT ON premium TO plain");
	lose('pg_class_relname_nsp_index');
	keep_from('postgres', 'pg_attribute', 'pg_attribute');
	like(attempt($new, 'EXECUTE make'), $late, 'what core reads to look up a name: a new session waits no longer than allowed');
	let_go();
	made('what core reads to look up a name: and makes IDs after that', $new);

	lose('pg_enum_typid_label_index');
	attempt($siq, 'SELECT ulid_new()');
	keep_from('postgres', 'pg_class', 'pg_class');
	like(attempt($siq, 'EXECUTE make'), $late, 'what core reads to look up the types of siq: a new session waits no longer than allowed');
	let_go();
	made('what core reads to look up the types of siq: it makes IDs after that', $siq);
	is(attempt($siq, $types), 'premium', 'what core reads to look up the types of siq: and knows all types');
	$_->quit foreach $first, $new, $siq;
}

# ---------- the right to set a parameter ----------

# A role with the privilege sets a parameter before the library is loaded; the load looks
# up the privilege.
$node->safe_psql('postgres', 'CREATE ROLE setting LOGIN; GRANT SET ON PARAMETER flakeid.siq_local_id TO setting');
{
	my $session = session($node, database => 'postgres', params => [ '-U', 'setting' ]);

	attempt($session, "SET statement_timeout = '20s'");
	attempt($session, 'SET flakeid.siq_local_id = 3');
	keep_from('postgres', 'pg_parameter_acl', 'pg_parameter_acl');
	like(attempt($session, 'SELECT sno_new(0)'), qr/ERROR:  22023: invalid value for parameter "flakeid\.siq_local_id": "3"\nDETAIL:  Another transaction keeps the table "pg_parameter_acl"[^\n]*\nHINT:  End that transaction/,
		'pg_parameter_acl: a session that reads its settings from there reports it immediately');
	let_go();
	like(attempt($session, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'pg_parameter_acl: and makes IDs after that');
	$session->quit;
}

# ---------- the catalogs of subscriptions ----------

sub new_reader
{
	my $session = session($node, database => 'postgres', params => [ '-U', 'plain' ]);

	attempt($session, "SET statement_timeout = '20s'; PREPARE read AS SELECT ulid_horizon() IS NOT NULL");
	return $session;
}

# A reader looks there for subscriptions that bring horizons, and once it has found none,
# only after changes.
{
	my ($reader, $new) = (new_reader(), new_reader());
	my @pids;

	is(attempt($reader, 'EXECUTE read'), 't', 'pg_subscription_rel: a reader');
	@pids = keep_from('postgres', 'pg_subscription_rel', 'pg_subscription_rel');
	is(attempt($reader, 'EXECUTE read'), 't', 'pg_subscription_rel: it continues');
	like(attempt($new, 'EXECUTE read'), qr/ERROR:  55000: could not lock table "pg_subscription_rel" within 700ms\nDETAIL:  [^\n]*\b$pids[0]\b/, 'pg_subscription_rel: a new one names the process in the way');
	let_go();
	is(attempt($new, 'EXECUTE read'), 't', 'pg_subscription_rel: and reads after that');
	$_->quit foreach $reader, $new;
}

# It looks for the table of the horizons, and again after changes of that table, as by
# vacuum.  On a subscriber, it also reads the table.
{
	my $horizons = join ', ', ('now()') x 6;
	my ($reader, $new, @pids);

	$reader = new_reader();
	is(attempt($reader, 'EXECUTE read'), 't', 'pg_class: a reader');
	@pids = keep_from('postgres', 'pg_class', 'pg_class');
	is(attempt($reader, 'EXECUTE read'), 't', 'pg_class: it continues although tables have been created');
	let_go();
	$node->safe_psql('postgres', 'CALL flakeid_publish_horizon(); VACUUM _flakeid.horizon');
	@pids = keep_from('postgres', 'pg_class', 'pg_class');
	like(attempt($reader, 'EXECUTE read'), qr/ERROR:  55000: could not lock table "pg_class" within 700ms\nDETAIL:  [^\n]*\b$pids[0]\b/, 'pg_class: after a change it names the process in the way');
	let_go();
	is(attempt($reader, 'EXECUTE read'), 't', 'pg_class: and reads after that');
	$reader->quit;

	stand_in_subscription($node);
	$node->safe_psql('postgres', "INSERT INTO _flakeid.horizon (system, database, published, snowflake, ulid, siq, uid64, ksuid) VALUES (1, 1, $horizons)");
	$new = new_reader();
	@pids = keep_from('postgres', 'pg_attribute', 'pg_attribute');
	like(attempt($new, 'EXECUTE read'), qr/ERROR:  55000: could not lock table "pg_attribute" within 700ms\nDETAIL:  [^\n]*\b$pids[0]\b/, 'pg_attribute: the first reader of a subscriber names the process in the way');
	let_go();
	is(attempt($new, 'EXECUTE read'), 't', 'pg_attribute: and reads after that');
	$reader = session($node, database => 'postgres');
	attempt($reader, 'BEGIN; LOCK TABLE _flakeid.horizon');
	like(attempt($new, 'EXECUTE read'), qr/ERROR:  55000: could not lock table "_flakeid\.horizon" within 700ms\n/, 'the horizons are locked: a reader of a subscriber does not wait longer');
	$_->quit foreach $reader, $new;
	$node->safe_psql('postgres', 'DELETE FROM _flakeid.horizon');
	drop_stand_in($node);
}

# ---------- no second without an ID ----------

# The same while clients insert all the time and the clock runs, for several seconds in
# which the mark is moved.  Control clients use nothing of flakeid: in every second in which
# a control client had a transaction, these had one.
SKIP:
{
	my $dir = PostgreSQL::Test::Utils::tempdir();
	my %script = (
		insert => 'INSERT INTO busy DEFAULT VALUES;',
		nothing => 'SELECT 1;');
	my (%running, %seen);

	skip 'there is no pgbench', 1 if system($node->installed_command('pgbench') . ' --version >/dev/null 2>&1');
	set_clock($node, '+0');
	$node->stop;
	start_server($node);
	$hand = session($node, database => 'other');
	attempt($hand, 'PREPARE queued (int[]) AS SELECT count(*) FROM pg_locks WHERE pid = ANY ($1) AND NOT granted');
	attempt($hand, 'PREPARE terminate (int[]) AS SELECT pg_terminate_backend(pid, 10000) FROM unnest($1) AS pid');
	attempt($hand, $_) foreach "EXECUTE queued('{}')", "EXECUTE terminate('{}')";
	$node->safe_psql('postgres', 'CREATE TABLE busy (a snowflake DEFAULT snowflake_new(), b sno DEFAULT sno_new(0), c uuid DEFAULT uuid7_new()) WITH (autovacuum_enabled = off);
		GRANT INSERT ON busy TO plain; CREATE TEMP TABLE apart (id oid)');

	# How many transactions the clients' logs have in each second.  The logs grow, so each line
	# is read once, when it is complete.
	my (%read, %count);
	my $seconds = sub {
		my ($name) = @_;

		foreach my $file (glob "$dir/$name.[0-9]*")
		{
			my $lines = slurp_file($file, $read{$file} // 0) =~ s/[^\n]*\z//r;

			$count{$name}{ (split ' ', $_)[4] }++ foreach split /\n/, $lines;
			$read{$file} += length $lines;
		}
		return $count{$name} // {};
	};

	foreach my $name (sort keys %script)
	{
		append_to_file("$dir/$name.sql", $script{$name});
		$running{$name} = IPC::Run::start([ $node->installed_command('pgbench'), '-n', '-M', 'prepared', '-c', 2, '-R', 60, '-T', 3600, '-l', "--log-prefix=$dir/$name",
				'-f', "$dir/$name.sql", '-h', $node->host, '-p', $node->port, '-U', 'plain', 'postgres' ], '>', '/dev/null', '2>', "$dir/$name.err");
	}
	# both inserting clients have moved the mark; sessions take turns
	until_true(sub { return keys %{ $seconds->('insert') } > 12 });

	foreach my $catalog (map { "pg_$_" } qw(extension depend namespace class attribute attrdef constraint trigger am index opclass amproc enum database parameter_acl db_role_setting))
	{
		my ($from, $control, $made, @idle);

		keep_from('postgres', $catalog, $catalog);
		$from = time + 1;
		until_true(sub { $control = $seconds->('nothing'); return (grep { $_ > $from } keys %$control) >= 5 });
		# transactions started in the last second may not be in the log yet
		my ($last) = sort { $b <=> $a } keys %$control;
		until_true(sub { $made = $seconds->('insert'); return slurp_file("$dir/insert.err") =~ /aborted/ || grep { $_ >= $last } keys %$made });
		let_go();
		# clients that have met an error do not continue
		last if slurp_file("$dir/insert.err") =~ /aborted/;
		@idle = grep { $_ > $from && $_ < $last && !$made->{$_} } keys %$control;
		is(join(' ', @idle), '', "$catalog: no second without an ID") or diag join ' ', map { "$_: " . ($made->{$_} || 0) . " of $control->{$_}" } sort keys %$control;
	}
	is(slurp_file("$dir/insert.err") =~ /(ERROR|aborted)[^\n]*/ ? $& : '', '', 'no client has met an error');
	$_->kill_kill foreach values %running;
}

$hand->quit;
$node->stop;
done_testing();
