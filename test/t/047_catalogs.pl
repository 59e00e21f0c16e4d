# Everybody may read the catalogs, and so block them: a role with nothing but LOGIN has one
# session read a catalog in a transaction and another one request an exclusive lock, by
# ATTACH PARTITION, which core queues before it checks the owner of the table; from then on
# every reader queues, too.  A generator looks at nothing that a new session's INSERT into a
# table with a trigger and a NOT NULL column does not look at.  What the first session of a
# database, or a reader of the horizon, looks at besides, it waits for no longer than
# flakeid.max_wait, and names the blocking process.
use FindBin;
use lib "$FindBin::RealBin/lib";
use Flakeid;

plan skip_all => 'no compiler' unless clock_available();

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

my %pid_of;

sub known
{
	my ($session) = @_;

	$pid_of{$session} = attempt($session, 'SELECT pg_backend_pid()');
	return $session;
}

# A session of the role with nothing but LOGIN, in which core has already read what the
# statement needs, and planned it.
sub prepared
{
	my ($database) = @_;
	my $session = session($node, database => $database, user => 'plain');

	attempt($session, 'SET plan_cache_mode = force_generic_plan');
	attempt($session, 'PREPARE make AS ' . making(1));
	attempt($session, "SET statement_timeout = '60s'");
	attempt($session, 'EXPLAIN EXECUTE make');
	return known($session);
}

# Block relations of the catalog for everybody, until let_go() ends the transactions.
# Returns their process IDs.
my (@in_the_way, @sessions, @answers);

sub keep_from
{
	my ($database, $catalog, @relations) = @_;
	# not everybody may read every catalog
	my $reader = session($node, database => $database);
	my @queue = map {
		my $session = session($node, database => $database, user => 'plain');

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

		$queue[$i]->send("ALTER $kind ATTACH PARTITION pg_catalog.$relations[$i]" . ($kind =~ /TABLE/ ? ' DEFAULT;' : ';'));
	}
	until_true(sub { return attempt($hand, "EXECUTE queued('{" . join(',', @pids) . "}')") == @pids }) or die "nobody queues for $catalog";
	push @sessions, $reader, @queue;
	return @pids;
}

sub let_go
{
	attempt($hand, "EXECUTE terminate('{" . join(',', @in_the_way) . "}')");
	$_->quit foreach @sessions;
	@sessions = ();
	return;
}

# A statement's answer, which has an end; or "blocked", if it waits for a lock before that.
sub answer
{
	my ($session, $sql) = @_;
	my $answer;

	$session->send("$sql;");
	until_true(sub {
		$answer = $session->done ? $session->answer : attempt($hand, "EXECUTE queued('{$pid_of{$session}}')") ? 'blocked' : undef;
		return defined $answer;
	}) or die "no answer: $sql";
	return $answer;
}

# Has the session made an ID with each generator?
sub made
{
	my ($name, $answer) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like($answer, qr/^\\x/, $name);
}

forward();
$node->stop;
start_server($node);
$node->safe_psql('postgres', q(CREATE EXTENSION flakeid; CREATE ROLE plain LOGIN; CREATE DATABASE model; CREATE DATABASE other;
	CREATE SCHEMA app; GRANT USAGE ON SCHEMA app TO plain; CREATE TABLE app.ordinary (n int NOT NULL);
	CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
	CREATE TRIGGER pass BEFORE INSERT ON app.ordinary FOR EACH ROW EXECUTE FUNCTION pass(); GRANT INSERT ON app.ordinary TO plain));
$node->safe_psql('model', 'CREATE EXTENSION flakeid');
$hand = session($node, database => 'other');
attempt($hand, 'PREPARE queued (int[]) AS SELECT count(*) FROM pg_locks WHERE pid = ANY ($1) AND NOT granted');
attempt($hand, 'PREPARE terminate (int[]) AS SELECT pg_terminate_backend(pid, 10000) FROM unnest($1) AS pid');
attempt($hand, $_) foreach "EXECUTE queued('{}')", "EXECUTE terminate('{}')";

# The catalogs' tables, and their indexes separately: a session queueing for one waits for those queueing for its table.
my @catalogs = split /\n/, $node->safe_psql('other', q(SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace ORDER BY relname));
my %indexes = map { my ($table, @names) = split /[|,]/; $table => \@names } split /\n/, $node->safe_psql('other', q(
	SELECT c.relname, string_agg(i.relname, ',') FROM pg_index JOIN pg_class AS c ON c.oid = indrelid JOIN pg_class AS i ON i.oid = indexrelid
	WHERE c.relnamespace = 'pg_catalog'::regnamespace GROUP BY c.relname));

# In make test only those at which an INSERT or a generator looks, and some of the others.
my %looked_at = map { ("pg_$_" => 1) } qw(amop amproc attribute authid class constraint database db_role_setting depend extension index language namespace opclass operator parameter_acl proc rewrite statistic trigger type);
@catalogs = grep { $looked_at{$_} || rand() < 0.2 } @catalogs if $ENV{SHORT};

my $worker = prepared('postgres');
my (%stops, %names);

made('a session at work', attempt($worker, 'EXECUTE make'));
foreach my $case (map { my $catalog = $_; map { [ $catalog, $_ ] } [$catalog], $indexes{$catalog} || () } @catalogs)
{
	my ($catalog, $relations) = @$case;
	my $name = $relations->[0] eq $catalog ? $catalog : "indexes of $catalog";
	my ($ordinary, $new) = (known(session($node, user => 'plain')), prepared('postgres'));
	my ($insert, $answer);

	keep_from('postgres', $catalog, @$relations);
	$insert = answer($ordinary, 'INSERT INTO app.ordinary VALUES (1)');
	$answer = answer($new, 'EXECUTE make');
	forward();
	made("$name: a session at work moves the mark", attempt($worker, 'EXECUTE make'));
	if ($insert eq 'blocked')
	{
		$stops{$name} = 1;
		let_go();
		$insert = $ordinary->answer;
		made("$name: and IDs are made after that", $answer eq 'blocked' ? $new->answer : attempt($new, 'EXECUTE make'));
	}
	else
	{
		made("$name: it stops no ordinary INSERT, and no new session that makes IDs", $answer);
		forward();
		made("$name: nor when that moves the mark for the first time", answer($new, 'EXECUTE make'));
		let_go();
	}
	like($insert, qr/^(?!.*ERROR)/s, "$name: the INSERT succeeds");
	$_->quit foreach $ordinary, $new;
}
ok($stops{pg_class} && $stops{pg_trigger} && $stops{'indexes of pg_trigger'}, 'what an ordinary INSERT looks at stops it');
ok(!$stops{$_}, "$_ does not") foreach qw(pg_extension pg_depend pg_parameter_acl);

# The first session of a database, whose memory does not know the mark, also looks at what proves
# that the table is the extension's.
foreach my $case (map { my $catalog = $_; map { [ $catalog, $_ ] } [$catalog], $indexes{$catalog} } qw(pg_extension pg_depend pg_index pg_opclass pg_amproc))
{
	my ($catalog, $relations) = @$case;
	my $name = $relations->[0] eq $catalog ? $catalog : "indexes of $catalog";
	my $database = 'r' . ++$round;
	my ($first, $pids, $answer);

	$node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE model");
	$first = prepared($database);
	$pids = join '|', keep_from($database, $catalog, @$relations);
	$answer = answer($first, 'EXECUTE make');
	$names{$catalog} = 1 if $answer =~ /could not lock/;
	like($answer, qr/^\\x|^psql:.*ERROR:  55000: could not lock table "$catalog" within 700ms\nDETAIL:  [^\n]*\b(?:$pids)\b/, "$name: the first session of a database makes IDs, or names who is in the way");
	let_go();
	made("$name: it makes IDs after that", attempt($first, 'EXECUTE make'));
	$first->quit;
}
is(join(' ', sort keys %names), 'pg_amproc pg_depend pg_extension pg_index pg_opclass', 'an error names each of these');
$worker->quit;

# ---------- the right to set a parameter ----------

# A role with the privilege sets a parameter before the library is loaded; the load looks
# up the privilege.
$node->safe_psql('postgres', 'CREATE ROLE setting LOGIN; GRANT SET ON PARAMETER flakeid.siq_local_id TO setting');
{
	my $session = session($node, database => 'postgres', user => 'setting');

	attempt($session, "SET statement_timeout = '60s'");
	attempt($session, 'SET flakeid.siq_local_id = 3');
	keep_from('postgres', 'pg_parameter_acl', 'pg_parameter_acl');
	like(attempt($session, 'SELECT sno_new(0)'), qr/ERROR:  22023: invalid value for parameter "flakeid\.siq_local_id": "3"\nDETAIL:  Another transaction keeps the table "pg_parameter_acl"[^\n]*\nHINT:  End that transaction/,
		'pg_parameter_acl: a session that reads its settings from there reports it immediately');
	let_go();
	like(attempt($session, 'SELECT sno_new(0)'), qr/^[2-9a-x]{16}$/, 'pg_parameter_acl: and makes IDs after that');
	$session->quit;
}

# ---------- the sequences of a column ----------

# The first INSERT of a session into a table with flakeid_follow() looks up which they are.
{
	my $insert = 'INSERT INTO app.followed (n) VALUES (1) RETURNING n';
	my ($session, $new) = map { session($node, database => 'postgres', user => 'plain') } 1 .. 2;
	my $pids;

	$node->safe_psql('postgres', q(CREATE TABLE app.followed (id serial, n int); GRANT INSERT, SELECT ON app.followed TO plain; GRANT USAGE ON SEQUENCE app.followed_id_seq TO plain;
		CREATE TRIGGER follow BEFORE INSERT ON app.followed FOR EACH STATEMENT EXECUTE FUNCTION flakeid_follow('id')));
	is(attempt($session, $insert), '1', 'a session that writes to a table whose statements are followed');
	attempt($new, "SET statement_timeout = '60s'; EXPLAIN $insert");
	$pids = join '|', keep_from('postgres', 'pg_depend', 'pg_depend');
	is(attempt($session, $insert), '1', 'pg_depend: it continues');
	like(attempt($new, $insert), qr/ERROR:  55000: could not lock table "pg_depend" within 700ms\nDETAIL:  [^\n]*\b(?:$pids)\b/, 'pg_depend: a new one waits no longer than flakeid.max_wait, and names who is in the way');
	let_go();
	is(attempt($new, $insert), '1', 'pg_depend: it writes after that');
	$_->quit foreach $session, $new;
}

# ---------- the catalogs of subscriptions ----------

sub new_reader
{
	my $session = session($node, database => 'postgres', user => 'plain');

	attempt($session, "SET statement_timeout = '60s'");
	return $session;
}

# The plan of a condition with a horizon looks there for subscriptions that fill the table, and
# once it has found none, only after changes.
{
	my $read = 'SELECT count(*) = 0 FROM followed WHERE id < ulid_horizon()';
	my ($reader, $new) = (new_reader(), new_reader());
	my @pids;

	$node->safe_psql('postgres', 'CREATE TABLE followed (id ulid); GRANT SELECT ON followed TO plain');
	is(attempt($reader, $read), 't', 'pg_subscription_rel: a reader');
	@pids = keep_from('postgres', 'pg_subscription_rel', 'pg_subscription_rel');
	is(attempt($reader, $read), 't', 'pg_subscription_rel: it continues');
	like(attempt($new, $read), qr/ERROR:  55000: could not lock table "pg_subscription_rel" within 700ms\nDETAIL:  [^\n]*\b$pids[0]\b/, 'pg_subscription_rel: a new one names the process in the way');
	let_go();
	is(attempt($new, $read), 't', 'pg_subscription_rel: and reads after that');
	$_->quit foreach $reader, $new;
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

	foreach my $catalog (map { "pg_$_" } split / /, whole_or_short('extension depend class trigger amproc database', 'extension class'))
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
